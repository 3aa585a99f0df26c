//! How a program ends.

use std::sync::Arc;

use rpc_proto::Opcode;

use super::context::Services;
use super::on;
use crate::{Exit, Port, Registry};

pub(super) fn register(registry: &mut Registry, services: &Arc<Services>) {
    registry.on(Opcode::NOOP, |mut port| async move { port.recv(|_, _| ()).await });
    on(registry, services, Opcode::EXIT, exit);
    on(registry, services, Opcode::ABORT, abort);
}

/// The answer between the two messages tells the device that its earlier calls have been served.
async fn exit(services: Arc<Services>, mut port: Port) {
    port.recv_and_send(|_, _| ()).await;
    let statuses = port.recv_word().await;
    // Several lanes leave at once: the lowest one's status is the program's.
    if let Some((_, &status)) = statuses.iter().next() {
        services.flush_all().await;
        port.host().exit(Exit::Status(status as i32));
    }
}

async fn abort(services: Arc<Services>, mut port: Port) {
    port.recv_and_send(|_, _| ()).await;
    port.recv(|_, _| ()).await;
    services.flush_all().await;
    port.host().exit(Exit::Abort);
}
