//! Calls of host functions by address: opcodes 12 and `o` 0. Only where granted.

use std::sync::Arc;

use rpc_proto::Opcode;

use super::context::Services;
use super::on;
use crate::grants::Refusal;
use crate::{FaultKind, PerLane, Port, Registry};

pub(super) fn register(registry: &mut Registry, services: &Arc<Services>) {
    on(registry, services, Opcode::HOST_CALL, call);
    on(registry, services, Opcode::OFFLOAD_HOST_CALL, call);
}

/// Calls a function of this process, `u64 function(void *arguments)`, on a copy of the arguments. 0 where that is refused.
async fn call(services: Arc<Services>, mut port: Port) {
    let mut arguments = port.recv_n(port.stream_limit()).await;
    let functions = port.recv_word().await;
    let mut results = PerLane::new(port.mask(), 0);
    for lane in port.lanes() {
        let Ok(bytes) = std::mem::replace(&mut arguments[lane], Ok(Vec::new())) else {
            continue;
        };
        let function = functions[lane];
        if !services.grants.may_call_host() {
            services
                .grants
                .refuse(&*port.host(), Refusal::HostCall, &format!("{function:#x}"));
        } else if function == 0 {
            port.fault(FaultKind::BadValue(format!("lane {lane} calls a null function")));
        } else {
            results[lane] = services
                .workers
                .run(move || call_address(function, &bytes))
                .await
                .unwrap_or(0);
        }
    }
    port.send_word(|lane| results[lane]).await;
}

#[allow(unsafe_code, reason = "granted by whoever runs the program")]
fn call_address(function: u64, arguments: &[u8]) -> u64 {
    // The device laid out a structure, so the copy is aligned for any.
    let mut copy = vec![0u128; arguments.len().div_ceil(size_of::<u128>())];
    for (chunk, word) in arguments.chunks(size_of::<u128>()).zip(&mut copy) {
        let mut bytes = [0; size_of::<u128>()];
        bytes[..chunk.len()].copy_from_slice(chunk);
        *word = u128::from_le_bytes(bytes);
    }
    // SAFETY: nothing here can know that the address leads to a function of this type. Whoever runs the program has
    // vouched for it with the grant, which says so.
    unsafe {
        let function: extern "C" fn(*mut u128) -> u64 = std::mem::transmute(function as usize);
        function(copy.as_mut_ptr())
    }
}
