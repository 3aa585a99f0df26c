//! Standard streams.

use rpc_proto::Opcode;

use crate::{Port, Registry, STREAM_LIMIT, Stream};

pub(super) fn register(registry: &mut Registry) {
    registry.on(Opcode::WRITE_TO_STDOUT, |port| write(port, Stream::Stdout, false));
    registry.on(Opcode::WRITE_TO_STDERR, |port| write(port, Stream::Stderr, false));
    registry.on(Opcode::WRITE_TO_STDOUT_NEWLINE, |port| {
        write(port, Stream::Stdout, true)
    });
}

/// Each lane's bytes are written whole; the answer is their number, or 0 where they could not be written.
async fn write(mut port: Port, stream: Stream, newline: bool) {
    let received = port.recv_n(STREAM_LIMIT).await;
    let host = port.host();
    let written = received.map(|_, bytes| {
        let mut bytes = bytes.unwrap_or_default();
        if newline {
            bytes.push(b'\n');
        }
        host.write(stream, &bytes).map_or(0, |()| bytes.len() as u64)
    });
    port.send_word(|lane| written[lane]).await;
}
