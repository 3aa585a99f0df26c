//! Large transfers: the device says where the bytes are, or shall be, and the host moves them.

use std::io;
use std::sync::Arc;

use rpc_proto::Opcode;

use super::context::{Services, Target, recv_words};
use super::errno::{error, result};
use super::files::bounded;
use super::on;
use crate::bulk::{AT_ONCE, DeviceMemory, PART, fetch_parts};
use crate::{PerLane, Port, Registry};

pub(super) fn register(registry: &mut Registry, services: &Arc<Services>) {
    on(registry, services, Opcode::BULK_WRITE, write);
    on(registry, services, Opcode::BULK_READ, read);
}

/// A request whose claims were checked.
struct Request {
    memory: Arc<dyn DeviceMemory>,
    address: u64,
    size: usize,
    target: Target,
}

/// Checks what a lane asks for: the size is bounded, the memory the program's, the stream open.
fn check(services: &Services, port: &Port, lane: u32, [number, address, size, ..]: [u64; 8]) -> io::Result<Request> {
    let bytes = bounded(port, lane, size).ok_or_else(|| error(libc::EMSGSIZE))?;
    // Not a fault: a device may ask whether the host reaches what only the device knows.
    let memory = port.host().device_memory().filter(|memory| memory.owns(address, size));
    Ok(Request {
        memory: memory.ok_or_else(|| error(libc::EFAULT))?,
        address,
        size: bytes,
        target: services
            .target_of(port, lane, number)
            .ok_or_else(|| error(libc::EBADF))?,
    })
}

async fn write(services: Arc<Services>, mut port: Port) {
    let requests = recv_words(&mut port).await;
    let mut results = PerLane::new(port.mask(), 0);
    let lanes: Vec<u32> = port.lanes().collect();
    let mut next = 0;
    while let Some(&lane) = lanes.get(next) {
        // Lanes whose bytes lie one behind the other are one transfer: their bytes would be written in this order anyway.
        let [number, address, mut size, ..] = requests[lane];
        let first = next;
        next += 1;
        while let Some(&lane) = lanes.get(next) {
            let [other, behind, more, ..] = requests[lane];
            match (address.checked_add(size), size.checked_add(more)) {
                (Some(end), Some(both)) if other == number && behind == end && both <= crate::STREAM_LIMIT => {
                    size = both
                }
                _ => break,
            }
            next += 1;
        }
        let joined = [number, address, size, 0, 0, 0, 0, 0];
        let outcome = match check(&services, &port, lane, joined) {
            Ok(request) => write_one(&services, &port, request).await,
            Err(error) => Err(error),
        };
        let mut left = outcome.as_ref().map_or(0, |&written| written);
        for &lane in &lanes[first..next] {
            let own = left.min(requests[lane][2]);
            left -= own;
            results[lane] = match &outcome {
                Ok(_) => own,
                Err(error) => result(Err(io::Error::from_raw_os_error(
                    error.raw_os_error().unwrap_or(libc::EIO),
                ))),
            };
        }
    }
    port.send_word(|lane| results[lane]).await;
}

/// Writes a request's bytes; how many of them.
async fn write_one(services: &Services, port: &Port, request: Request) -> io::Result<u64> {
    let Request {
        memory,
        address,
        size,
        target,
    } = request;
    match target {
        Target::File(file) => {
            let job = move |stream: &mut crate::files::Stream<_>| {
                fetch_parts(&*memory, address, size, |parts| {
                    let mut written = 0;
                    while let Some(part) = parts.next()? {
                        let (count, outcome) = stream.write(part);
                        written += count as u64;
                        match outcome {
                            Err(error) if written == 0 => return Err(error),
                            Err(_) => break,
                            Ok(()) => (),
                        }
                    }
                    Ok(written)
                })
                .flatten()
            };
            services.with(&file, size, job).await.flatten()
        }
        Target::Output(stream) => {
            let host = port.host();
            let job = move || {
                fetch_parts(&*memory, address, size, |parts| host.write_parts(stream, parts))
                    .flatten()
                    .map(|()| size as u64)
            };
            let outcome = if size <= AT_ONCE {
                job()
            } else {
                services.workers.run(job).await.flatten()
            };
            outcome.inspect_err(|_| services.set_output_failed(stream, true))
        }
    }
}

async fn read(services: Arc<Services>, mut port: Port) {
    let requests = recv_words(&mut port).await;
    let mut results = PerLane::new(port.mask(), 0);
    for lane in port.lanes() {
        let outcome = match check(&services, &port, lane, requests[lane]) {
            Ok(request) => read_one(&services, request).await,
            Err(error) => Err(error),
        };
        results[lane] = result(outcome);
    }
    port.send_word(|lane| results[lane]).await;
}

/// Reads as FS_READ does: what is there counts, an error only where nothing is.
async fn read_one(services: &Services, request: Request) -> io::Result<u64> {
    let Request {
        memory,
        address,
        size,
        target,
    } = request;
    let Target::File(file) = target else {
        return Err(error(libc::EBADF));
    };
    let waits = file.may_block();
    let job = move |stream: &mut crate::files::Stream<_>| {
        // A file may have grown since its end was met.
        stream.clear();
        let mut bytes = Vec::new();
        let mut read = 0;
        while read < size {
            bytes.clear();
            let wanted = PART.min(size - read);
            let outcome = if waits {
                stream.read_some(wanted, &mut bytes)
            } else {
                stream.read(wanted, &mut bytes)
            };
            match outcome {
                Err(error) if bytes.is_empty() && read == 0 => return Err(error),
                _ if bytes.is_empty() => break,
                _ => memory.store(address + read as u64, &bytes)?,
            }
            read += bytes.len();
            if waits || bytes.len() < wanted {
                break;
            }
        }
        Ok(read as u64)
    };
    services.with(&file, size, job).await.flatten()
}
