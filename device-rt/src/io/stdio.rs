//! Standard input, output and error as readers and writers.

use rpc_proto::Opcode;

use super::{BufReader, Error, ErrorKind, Read, Result, Stream, Write};
use crate::{express, rpc};

/// The stream number of standard input.
const STDIN: u64 = 1;

/// The program's standard input.
pub fn stdin() -> Stdin {
    Stdin
}

/// The program's standard output.
pub fn stdout() -> Stdout {
    Stdout
}

/// The program's standard error.
pub fn stderr() -> Stderr {
    Stderr
}

/// Standard input. All threads read from the same one: what one has read, no other gets.
#[derive(Clone, Copy, Debug)]
pub struct Stdin;

impl Stdin {
    /// A reader with a buffer, for lines. What it has read ahead is lost to others.
    pub fn lock(self) -> BufReader<Self> {
        BufReader::new(self)
    }
}

impl Read for Stdin {
    fn read(&mut self, buffer: &mut [u8]) -> Result<usize> {
        if rpc::has_services() {
            return super::read_stream(STDIN, buffer);
        }
        express::flush();
        let client = rpc::client();
        let mut port = client.open(Opcode::READ_FROM_STREAM);
        port.send(|packet| {
            packet.set(0, buffer.len() as u64);
            packet.set(1, STDIN);
        });
        port.recv_n(buffer);
        Ok((port.recv(|packet| packet.get(0)) as usize).min(buffer.len()))
    }
}

/// Standard output. It has no buffer on the device: each `write` is a call.
#[derive(Clone, Copy, Debug)]
pub struct Stdout;

/// Standard error. It has no buffer on the device: each `write` is a call.
#[derive(Clone, Copy, Debug)]
pub struct Stderr;

fn write(stream: Stream, bytes: &[u8]) -> Result<usize> {
    match stream.write_bytes(bytes) {
        0 if !bytes.is_empty() => Err(Error::new(ErrorKind::BrokenPipe, "the host could not write")),
        count => Ok(count.min(bytes.len())),
    }
}

impl Write for Stdout {
    fn write(&mut self, bytes: &[u8]) -> Result<usize> {
        write(Stream::Stdout, bytes)
    }

    /// Waits until the host has passed on all that was printed before. Ours does so with or without this.
    fn flush(&mut self) -> Result<()> {
        express::flush();
        super::flush_host(&rpc::client());
        Ok(())
    }
}

impl Write for Stderr {
    fn write(&mut self, bytes: &[u8]) -> Result<usize> {
        write(Stream::Stderr, bytes)
    }

    /// Waits until the host has all that was printed before. It passes on whatever arrives, with or without this.
    fn flush(&mut self) -> Result<()> {
        express::flush();
        Ok(())
    }
}
