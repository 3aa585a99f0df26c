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
        write(rpc::client(), self, bytes)
    }

    fn opcode(self) -> Opcode {
        match self {
            Self::Stdout => Opcode::WRITE_TO_STDOUT,
            Self::Stderr => Opcode::WRITE_TO_STDERR,
        }
    }
}

/// Writes to `stream` as a client of one's choice.
pub(crate) fn write(client: Client<impl Memory, impl Lanes>, stream: Stream, bytes: &[u8]) -> usize {
    let opcode = stream.opcode();
    // A call has one opcode: lanes that write to different streams take turns.
    let mut port = client.open(opcode);
    port.send_n(bytes);
    port.recv(|packet| packet.get(0)) as usize
}

/// Writes a text, or any bytes, to standard error.
pub fn write_to_stderr(text: impl AsRef<[u8]>) {
    Stream::Stderr.write_bytes(text.as_ref());
}
