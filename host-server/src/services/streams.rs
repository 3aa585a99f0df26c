//! Standard streams.

use std::sync::Arc;

use rpc_proto::Opcode;

use super::{context::Services, on};
use crate::{PerLane, Port, Registry, Stream};

pub(super) fn register(registry: &mut Registry, services: &Arc<Services>) {
    for (opcode, stream, newline) in [
        (Opcode::WRITE_TO_STDOUT, Stream::Stdout, false),
        (Opcode::WRITE_TO_STDERR, Stream::Stderr, false),
        (Opcode::WRITE_TO_STDOUT_NEWLINE, Stream::Stdout, true),
    ] {
        on(registry, services, opcode, move |services, port| {
            write(services, port, stream, newline)
        });
    }
}

/// Each lane's bytes are written whole; the answer is their number, or 0 where they could not be written.
async fn write(services: Arc<Services>, mut port: Port, stream: Stream, newline: bool) {
    let received = port.recv_n(port.stream_limit()).await;
    let host = port.host();
    let (mask, writer) = (port.mask(), host.clone());
    let write = move || {
        received.map(|_, bytes| {
            let Ok(mut bytes) = bytes else { return 0 };
            if newline {
                bytes.push(b'\n');
            }
            writer.write(stream, &bytes).map_or(0, |()| bytes.len() as u64)
        })
    };
    let written = match host.is_full(stream) {
        false => write(),
        // Without a thread that could wait for the reader nothing is written.
        true => (services.workers.run(write).await).unwrap_or_else(|_| PerLane::new(mask, 0)),
    };
    port.send_word(|lane| written[lane]).await;
}
