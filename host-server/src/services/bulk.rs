//! Large transfers: the device says where the bytes are, or shall be, and the host moves them.

use std::io;
use std::sync::Arc;
use std::time::{Duration, Instant};

use rpc_proto::Opcode;

use super::context::{self, Services, Target, recv_words};
use super::errno::{error, result};
use super::files::bounded;
use super::on;
use crate::bulk::{AT_ONCE, DeviceMemory, Fetch, Parts as _, store_parts};
use crate::files::{Source, Stream};
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
            let job = move |stream: &mut Stream<Source>| {
                let mut parts = Fetch::start(memory, address, size)?;
                let mut written = 0;
                while let Some(part) = parts.next()? {
                    let (count, outcome) = stream.write_through(part);
                    written += count as u64;
                    match outcome {
                        Err(error) if written == 0 => return Err(error),
                        Err(_) => break,
                        Ok(()) => (),
                    }
                }
                Ok(written)
            };
            services.with(&file, size, job).await.flatten()
        }
        Target::Output(stream) => {
            let host = port.host();
            let outcome = if size <= AT_ONCE && !host.is_full(stream) {
                Fetch::start(memory, address, size).and_then(|mut parts| host.write_parts(stream, &mut parts))
            } else {
                let begun = begin(port, &memory, address, size).await?;
                let job = move || {
                    let mut parts = match begun {
                        Some(begun) => begun,
                        None => Fetch::start_in_ordinary(memory, address, size)?,
                    };
                    host.write_parts(stream, &mut parts)
                };
                services.workers.run(job).await.flatten()
            };
            outcome
                .map(|()| size as u64)
                .inspect_err(|_| services.set_output_failed(stream, true))
        }
    }
}

/// Fetches the first part, with no thread that would have to be woken to start a copy: of many transfers at once each next one
/// is started as soon as a buffer is free, and the copy engine never pauses. `None` if none was free for long.
async fn begin(port: &Port, memory: &Arc<dyn DeviceMemory>, address: u64, size: usize) -> io::Result<Option<Fetch>> {
    const PATIENCE: Duration = Duration::from_millis(20);
    let start = Instant::now();
    let mut begun = None;
    port.look_until(|| {
        begun = Fetch::try_start(memory, address, size).transpose();
        begun.is_some() || start.elapsed() > PATIENCE
    })
    .await;
    let Some(mut fetch) = begun.transpose()? else {
        return Ok(None);
    };
    let mut outcome = Ok(());
    port.look_until(|| match fetch.has_come() {
        Ok(has_come) => has_come,
        Err(error) => {
            outcome = Err(error);
            true
        }
    })
    .await;
    outcome.map(|()| Some(fetch))
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
    let job = move |stream: &mut Stream<Source>| {
        // A file may have grown since its end was met.
        stream.clear();
        let mut is_first = true;
        let (read, outcome) = store_parts(&*memory, address, size, |part| {
            if !waits {
                return stream.read_into(part);
            }
            // What is there counts; more is read while it is sure to be there too.
            if !std::mem::take(&mut is_first) && !stream.beneath().is_ready() {
                return (0, Ok(()));
            }
            match stream.read_some_into(part) {
                Ok(count) => (count, Ok(())),
                Err(error) => (0, Err(error)),
            }
        })?;
        match outcome {
            Err(error) if read == 0 => Err(error),
            _ => Ok(read as u64),
        }
    };
    // One read, which is sure to return.
    if size <= context::AT_ONCE
        && waits
        && let Some(mut stream) = file.try_lock()
        && stream.beneath().is_ready()
    {
        return job(&mut stream);
    }
    services.with(&file, size, job).await.flatten()
}
