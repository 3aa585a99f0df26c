//! Named functions of the embedding program: opcode `r` 19.

use std::io::ErrorKind;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;

use rpc_proto::Opcode;

use super::context::Services;
use super::on;
use crate::functions::{CallError, failure};
use crate::{PerLane, Port, Registry};

pub(super) fn register(registry: &mut Registry, services: &Arc<Services>) {
    on(registry, services, Opcode::CALL, call);
}

/// One round trip for the whole call, whatever its arguments; all lanes' calls run one after the other on one thread.
async fn call(services: Arc<Services>, mut port: Port) {
    let requests = port.recv_n(port.stream_limit()).await;
    let mask = port.mask();
    let shared = services.clone();
    let answered = services.workers.run_for(services.functions.patience(), move || {
        let functions = &shared.functions;
        requests.map(|_, request| match request {
            // A function that panics takes no other lane's answer away.
            Ok(request) => catch_unwind(AssertUnwindSafe(|| functions.answer(&request)))
                .unwrap_or_else(|_| failure(&CallError::Failed("the function panicked".into()))),
            Err(_) => failure(&CallError::TooLong),
        })
    });
    let replies = match answered.await {
        Ok(replies) => replies,
        Err(error) if error.kind() == ErrorKind::TimedOut => PerLane::new(mask, services.functions.late()),
        // There is no thread.
        Err(error) => PerLane::new(mask, failed(&error)),
    };
    port.send_n(|lane| &replies[lane]).await;
}

fn failed(error: &std::io::Error) -> Vec<u8> {
    let result = super::errno::failure(error);
    [&result.to_le_bytes()[..], &[0; 8], error.to_string().as_bytes()].concat()
}
