//! Standard output and standard error.
//!
//! A call writes the bytes of every lane that is active, each lane its own. The bytes of one lane and one call arrive in one piece:
//! nothing of another lane gets between them.

use rpc_proto::{Client, Lanes, Memory, Opcode};

use crate::rpc;

/// One of the two output streams of the program.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stream {
    /// Standard output.
    Stdout,
    /// Standard error.
    Stderr,
}

impl Stream {
    /// Writes `bytes`, any bytes, of any number; returns how many of them the host could write.
    pub fn write_bytes(self, bytes: &[u8]) -> usize {
        // A call has one opcode. Lanes that write to different streams part here and take turns.
        match self {
            Self::Stdout => write_stdout(bytes),
            Self::Stderr => write_stderr(bytes),
        }
    }
}

// Not inlined: they are long, and called from many places.

#[inline(never)]
fn write_stdout(bytes: &[u8]) -> usize {
    write(rpc::client(), Opcode::WRITE_TO_STDOUT, bytes)
}

#[inline(never)]
fn write_stderr(bytes: &[u8]) -> usize {
    write(rpc::client(), Opcode::WRITE_TO_STDERR, bytes)
}

/// Writes to standard error for a lane on its own, as [`rpc::lone_client`] explains.
#[inline(never)]
pub(crate) fn write_stderr_lone(bytes: &[u8]) {
    write(rpc::lone_client(), Opcode::WRITE_TO_STDERR, bytes);
}

/// One of the WRITE calls: the bytes to the host, their number back.
#[inline(always)]
fn write(client: Client<impl Memory, impl Lanes>, opcode: Opcode, bytes: &[u8]) -> usize {
    let mut port = client.open(opcode);
    port.send_n(bytes);
    port.recv(|packet| packet.get(0)) as usize
}

/// Writes a text, or any bytes, to standard error.
pub fn write_to_stderr(text: impl AsRef<[u8]>) {
    Stream::Stderr.write_bytes(text.as_ref());
}
