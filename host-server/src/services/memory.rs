//! Device memory for programs that ask the host for it.

use rpc_proto::Opcode;

use crate::{FaultKind, Port, Registry};

pub(super) fn register(registry: &mut Registry) {
    registry.on(Opcode::MALLOC, malloc);
    registry.on(Opcode::FREE, free);
}

async fn malloc(mut port: Port) {
    let sizes = port.recv_word().await;
    let host = port.host();
    port.send_word(|lane| host.allocate(sizes[lane]).unwrap_or(0)).await;
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
