//! How a program ends.

use rpc_proto::Opcode;

use crate::{Exit, Port, Registry};

pub(super) fn register(registry: &mut Registry) {
    registry.on(Opcode::NOOP, |mut port| async move { port.recv(|_, _| ()).await });
    registry.on(Opcode::EXIT, exit);
    registry.on(Opcode::ABORT, abort);
}

/// The answer between the two messages tells the device that its earlier calls have been served.
async fn exit(mut port: Port) {
    port.recv_and_send(|_, _| ()).await;
    let statuses = port.recv_word().await;
    // Several lanes leave at once: the lowest one's status is the program's.
    if let Some((_, &status)) = statuses.iter().next() {
        port.host().exit(Exit::Status(status as i32));
    }
}

async fn abort(mut port: Port) {
    port.recv_and_send(|_, _| ()).await;
    port.recv(|_, _| ()).await;
    port.host().exit(Exit::Abort);
}
