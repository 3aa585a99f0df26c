//! Device memory for programs that ask the host for it.

use std::sync::Arc;

use rpc_proto::Opcode;

use super::{context::Services, on};
use crate::{FaultKind, Port, Registry};

pub(super) fn register(registry: &mut Registry, services: &Arc<Services>) {
    on(registry, services, Opcode::MALLOC, malloc);
    registry.on(Opcode::FREE, free);
}

/// From what the host has at hand, else from what it gets on a thread that may wait for the device's allocator.
async fn malloc(services: Arc<Services>, mut port: Port) {
    let sizes = port.recv_word().await;
    let host = port.host();
    let mut addresses = sizes.map(|_, size| host.allocate(size).ok_or(size));
    if addresses.iter().any(|(_, found)| found.is_err()) {
        // Nobody waits for an answer to `FREE`: what this thread has given back may still lie in another port.
        port.let_others_go_first().await;
        addresses = addresses.map(|_, found| found.or_else(|size| host.allocate(size).ok_or(size)));
    }
    if addresses.iter().any(|(_, found)| found.is_err()) {
        let found_none = addresses.clone();
        let waiting = services
            .workers
            .run(move || addresses.map(|_, found| found.or_else(|size| host.allocate_patiently(size).ok_or(size))));
        // Without a thread nobody waits.
        addresses = waiting.await.unwrap_or(found_none);
    }
    port.send_word(|lane| *addresses[lane].as_ref().unwrap_or(&0)).await;
}

async fn free(mut port: Port) {
    let addresses = port.recv_word().await;
    let host = port.host();
    for (lane, &address) in addresses.iter() {
        if address != 0
            && let Err(message) = host.free(address)
        {
            port.fault(FaultKind::BadValue(format!("lane {lane}: {message}")));
        }
    }
}
