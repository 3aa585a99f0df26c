//! Named functions of the embedding program: opcode `r` 19.

use std::io::ErrorKind;
use std::sync::Arc;

use rpc_proto::Opcode;

use super::context::Services;
use super::on;
use crate::{PerLane, Port, Registry, STREAM_LIMIT};

pub(super) fn register(registry: &mut Registry, services: &Arc<Services>) {
    on(registry, services, Opcode::CALL, call);
}

/// One round trip for the whole call, whatever its arguments; all lanes' calls run one after the other on one thread.
async fn call(services: Arc<Services>, mut port: Port) {
    let requests = port.recv_n(STREAM_LIMIT).await;
    let mask = port.mask();
    let shared = services.clone();
    let answered = services.workers.run_for(services.functions.patience(), move || {
        // A lane that sent too much has sent nothing that is a call.
        requests.map(|_, request| shared.functions.answer(&request.unwrap_or_default()))
    });
    let replies = match answered.await {
        Ok(replies) => replies,
        Err(error) if error.kind() == ErrorKind::TimedOut => PerLane::new(mask, services.functions.late()),
        // No thread, or the function panicked.
        Err(error) => PerLane::new(mask, failed(&error)),
    };
    port.send_n(|lane| &replies[lane]).await;
}

fn failed(error: &std::io::Error) -> Vec<u8> {
    let result = super::errno::failure(error);
    [&result.to_le_bytes()[..], &[0; 8], error.to_string().as_bytes()].concat()
}
