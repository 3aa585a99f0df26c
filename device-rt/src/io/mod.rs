//! Input and output: the traits, the standard streams, buffers, errors.
//!
//! A call writes the bytes of every lane that is active, each lane its own. The bytes of one lane and one call arrive in one piece:
//! nothing of another lane gets between them. More than [`MOST`] bytes are several calls.

mod buffered;
mod bulk;
mod error;
mod stdio;
mod traits;

pub use buffered::{BufReader, BufWriter};
pub use error::{Error, ErrorKind, Result};
pub use stdio::{Stderr, Stdin, Stdout, stderr, stdin, stdout};
pub(crate) use traits::OUT_OF_MEMORY;
pub use traits::{BufRead, Lines, Read, Seek, SeekFrom, Write};

use alloc::vec::Vec;

use rpc_proto::{Client, Lanes, Memory, Opcode};

use crate::{express, rpc};

/// One of the two output streams of the program.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stream {
    /// Standard output.
    Stdout,
    /// Standard error.
    Stderr,
}

impl Stream {
    /// Writes `bytes`, any bytes, of any number; returns how many of them the host could write. Up to [`MOST`] of them stay together.
    pub fn write_bytes(self, bytes: &[u8]) -> usize {
        self.write(bytes, true)
    }

    /// Writes `bytes` without waiting for the host, where they are few and it knows how.
    pub(crate) fn post_bytes(self, bytes: &[u8]) {
        self.write(bytes, false);
    }

    fn write(self, bytes: &[u8], wait: bool) -> usize {
        // A call has one opcode. Lanes that write to different streams part here and take turns.
        in_pieces(bytes.chunks(MOST), |piece| match self {
            Self::Stdout => write_stdout(piece, wait),
            Self::Stderr => write_stderr(piece, wait),
        })
    }
}

/// The numbers of the streams at the host.
const STDOUT: u64 = 2;
const STDERR: u64 = 3;

/// Bytes that one call moves at most: a bound of the host. Whoever has more calls again, as after every short write.
pub const MOST: usize = 1 << 30;

/// Moves one piece of up to [`MOST`] bytes after the other, until one is not moved whole; how many bytes were.
#[inline(always)]
pub fn in_pieces<P: AsRef<[u8]>>(pieces: impl Iterator<Item = P>, mut transfer: impl FnMut(P) -> usize) -> usize {
    let mut moved = 0;
    for piece in pieces {
        let size = piece.as_ref().len();
        let count = transfer(piece);
        moved += count;
        if count < size {
            break;
        }
    }
    moved
}

/// All streams, to be flushed.
const ALL: u64 = 0;

/// Has a host that is not ours write out what it holds back. LLVM's keeps output that is for no terminal in a buffer of C's, and drops that
/// when the program ends itself; ours passes on whatever arrives.
#[inline(never)]
pub(crate) fn flush_host(client: &Client<impl Memory, impl Lanes>) {
    if rpc::has_services() {
        return;
    }
    let mut port = client.open(Opcode::FFLUSH);
    port.send_and_recv(|packet| packet.set(0, ALL), |_| ());
    port.close();
}

// Not inlined: they are long, and called from many places.

#[inline(never)]
fn write_stdout(bytes: &[u8], wait: bool) -> usize {
    write(Opcode::WRITE_TO_STDOUT, STDOUT, bytes, wait)
}

#[inline(never)]
fn write_stderr(bytes: &[u8], wait: bool) -> usize {
    write(Opcode::WRITE_TO_STDERR, STDERR, bytes, wait)
}

#[inline(always)]
fn write(opcode: Opcode, number: u64, bytes: &[u8], wait: bool) -> usize {
    match express::write(opcode, bytes, wait) {
        Some(written) => written,
        None => match bulk::write(number, bytes) {
            Some(written) => written.unwrap_or(0),
            None => write_by_port(rpc::client(), opcode, bytes),
        },
    }
}

/// Writes a line to standard output, `bytes` and a newline, of which up to [`MOST`] and the newline are one piece; returns how many bytes
/// the host could write, the newline included.
#[inline(never)]
pub fn write_line(bytes: &[u8]) -> usize {
    let opcode = Opcode::WRITE_TO_STDOUT_NEWLINE;
    // The last piece is the one with the newline.
    let (before, line) = bytes.split_at(bytes.len().saturating_sub(MOST));
    let written = Stream::Stdout.write_bytes(before);
    if written < before.len() {
        return written;
    }
    written
        + match express::write(opcode, line, true) {
            Some(written) => written,
            None => write_by_port(rpc::client(), opcode, line),
        }
}

/// Writes to standard error for a lane on its own, as [`rpc::lone_client`] explains.
#[inline(never)]
pub(crate) fn write_stderr_lone(bytes: &[u8]) {
    express::flush_lone();
    write_by_port(rpc::lone_client(), Opcode::WRITE_TO_STDERR, bytes);
}

/// One of the WRITE calls: the bytes to the host, their number back.
#[inline(always)]
fn write_by_port(client: Client<impl Memory, impl Lanes>, opcode: Opcode, bytes: &[u8]) -> usize {
    let mut port = client.open(opcode);
    port.send_n(bytes);
    port.recv(|packet| packet.get(0)) as usize
}

/// Writes a text, or any bytes, to standard error.
pub fn write_to_stderr(text: impl AsRef<[u8]>) {
    Stream::Stderr.post_bytes(text.as_ref());
}

/// Writes to an open file by its number at the host.
pub(crate) fn write_stream(stream: u64, bytes: &[u8]) -> Result<usize> {
    let bytes = bytes.get(..MOST).unwrap_or(bytes);
    if let Some(outcome) = bulk::write(stream, bytes) {
        return outcome;
    }
    let client = rpc::client();
    let mut port = client.open(Opcode::FS_WRITE);
    port.send(|packet| packet.set(0, stream));
    port.send_n(bytes);
    let result = port.recv(|packet| packet.get(0));
    Ok((Error::check(result)? as usize).min(bytes.len()))
}

/// Reads from an open file, or a standard stream, by its number at the host.
pub(crate) fn read_stream(stream: u64, buffer: &mut [u8]) -> Result<usize> {
    let (buffer, _) = buffer.split_at_mut(buffer.len().min(MOST));
    // What was printed may be the question to which the answer is read.
    express::flush();
    if let Some(outcome) = bulk::read(stream, buffer) {
        return outcome;
    }
    let client = rpc::client();
    let mut port = client.open(Opcode::FS_READ);
    port.send(|packet| {
        packet.set(0, buffer.len() as u64);
        packet.set(1, stream);
    });
    port.recv_n(buffer);
    let result = port.recv(|packet| packet.get(0));
    // A host that claims more than there was room for is not believed.
    Ok((Error::check(result)? as usize).min(buffer.len()))
}

/// Appends the `size` bytes that an open file has left to `bytes`.
pub(crate) fn read_exactly(file: u64, size: u64, bytes: &mut Vec<u8>) -> Result<()> {
    let size = usize::try_from(size).map_err(|_| OUT_OF_MEMORY)?;
    bytes.try_reserve(size).map_err(|_| OUT_OF_MEMORY)?;
    bytes.resize(size, 0);
    let mut at = 0;
    while at < size {
        match read_stream(file, &mut bytes[at..])? {
            0 => return Err(Error::new(ErrorKind::UnexpectedEof, "the file ended too early")),
            count => at += count,
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::in_pieces;

    #[test]
    fn pieces_are_moved_until_one_falls_short() {
        let moved = |bytes: &[u8], room: usize| {
            let mut left = room;
            let mut calls = 0;
            let moved = in_pieces(bytes.chunks(4), |piece| {
                let count = piece.len().min(left);
                left -= count;
                calls += 1;
                count
            });
            (moved, calls)
        };
        assert_eq!(moved(&[0; 10], 100), (10, 3));
        assert_eq!(moved(&[0; 8], 100), (8, 2));
        assert_eq!(moved(&[0; 10], 6), (6, 2));
        assert_eq!(moved(&[0; 10], 0), (0, 1));
        assert_eq!(moved(&[], 100), (0, 0));
    }
}
