//! Large transfers: the device says where the bytes are, the host moves them.

use rpc_proto::bulk::{AT_ONCE, BY_PORT};
use rpc_proto::ext::features;

use super::{Error, Result};
use crate::rpc::{self, Opcode};
use crate::{arch, express, heap};

/// Fewer bytes go through a port's packets: two trips there are shorter than one here.
const LEAST: usize = 4096;

/// The host does not reach the memory: `EFAULT` of Linux.
const UNREACHABLE: i32 = 14;

/// Has the host write `bytes` to a stream. `None` where it has to be done by packets: few bytes, or a host that cannot.
pub(super) fn write(stream: u64, bytes: &[u8]) -> Option<Result<usize>> {
    if !is_possible(bytes.len()) {
        return None;
    }
    let (start, size) = (bytes.as_ptr().cast_mut(), bytes.len());
    if let Some(outcome) = ask(Opcode::BULK_WRITE, stream, start, size) {
        return Some(outcome);
    }
    let staging = Staging::new(size)?;
    // SAFETY: both are `size` bytes long; the block is fresh.
    unsafe { heap::copy(staging.0, start, size) };
    ask(Opcode::BULK_WRITE, stream, staging.0, size)
}

/// Has the host read from a stream into `buffer`. `None` as for [`write()`].
pub(super) fn read(stream: u64, buffer: &mut [u8]) -> Option<Result<usize>> {
    if !is_possible(buffer.len()) {
        return None;
    }
    let (start, size) = (buffer.as_mut_ptr(), buffer.len());
    if let Some(outcome) = ask(Opcode::BULK_READ, stream, start, size) {
        return Some(outcome);
    }
    let staging = Staging::new(size)?;
    let outcome = ask(Opcode::BULK_READ, stream, staging.0, size)?;
    if let Ok(count) = outcome {
        // SAFETY: `ask` returns no more than the size of both.
        unsafe { heap::copy(start, staging.0, count) };
    }
    Some(outcome)
}

#[inline]
fn is_possible(size: usize) -> bool {
    size >= LEAST && rpc::offer(features::BULK).is_some()
}

/// Makes the call; `None` where the host does not reach the memory, and nothing was done.
#[inline(never)]
fn ask(opcode: Opcode, stream: u64, start: *mut u8, size: usize) -> Option<Result<usize>> {
    // A stack is one thread's own view of memory, which nobody else has.
    if !arch::is_global(start) {
        return None;
    }
    let words = [stream, start.expose_provenance() as u64, size as u64];
    let result = match ask_by_express(opcode, words) {
        Some(result) if result != BY_PORT => result,
        _ => ask_by_port(opcode, words),
    };
    match Error::check(result) {
        Err(error) if error.raw_os_error() == Some(UNREACHABLE) => None,
        outcome => Some(outcome.map(|count| (count as usize).min(size))),
    }
}

/// The shorter way, where the host knows it and the transfer may be short enough.
fn ask_by_express(opcode: Opcode, words: [u64; 3]) -> Option<u64> {
    if words[2] > AT_ONCE {
        return None;
    }
    let client = express::client_with(features::EXPRESS_BULK)?;
    if !client.takes(opcode, words.len()) {
        return None;
    }
    arch::release_system();
    let [result, ..] = client.call(opcode, &words);
    arch::acquire_system();
    Some(result)
}

fn ask_by_port(opcode: Opcode, words: [u64; 3]) -> u64 {
    express::flush();
    rpc::client().open(opcode).send_and_recv(
        |packet| (0..).zip(words).for_each(|(at, word)| packet.set(at, word)),
        |packet| packet.get(0),
    )
}

/// A block of memory that the host reaches.
struct Staging(*mut u8);

impl Staging {
    fn new(size: usize) -> Option<Self> {
        let block = heap::malloc(size);
        (!block.is_null()).then_some(Self(block))
    }
}

impl Drop for Staging {
    fn drop(&mut self) {
        // SAFETY: `malloc`'s, and nobody else has it.
        unsafe { heap::free(self.0) }
    }
}
