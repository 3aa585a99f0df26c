//! The host's clock: opcodes `r` 17 and 18.

use std::sync::Arc;
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use rpc_proto::{Buffer, Opcode};

use super::context::Services;
use super::on;
use crate::{Port, Registry};

/// How long one call sleeps at most: a kernel that ends meanwhile need not be waited for longer.
const LONGEST_SLEEP: Duration = Duration::from_secs(1);

pub(super) fn register(registry: &mut Registry, services: &Arc<Services>) {
    registry.on(Opcode::CLOCK, clock);
    on(registry, services, Opcode::SLEEP, sleep);
}

async fn clock(mut port: Port) {
    port.recv(|_, _| ()).await;
    // A clock that is set to before 1970 shows 1970.
    let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    port.send(|_| Buffer {
        data: [0, now.as_secs(), now.subsec_nanos().into(), 0, 0, 0, 0, 0],
    })
    .await;
}

/// The lanes sleep together, as long as the one that sleeps longest.
async fn sleep(services: Arc<Services>, mut port: Port) {
    let times = port.recv_word().await;
    let longest = times.iter().map(|(_, &time)| time).max().unwrap_or(0);
    let wanted = Duration::from_nanos(longest).min(LONGEST_SLEEP);
    let start = Instant::now();
    // Without a thread nobody has slept, and the answer says so.
    let _ = services.workers.run(move || std::thread::sleep(wanted)).await;
    let slept = u64::try_from(start.elapsed().as_nanos()).unwrap_or(u64::MAX);
    port.send_word(|lane| times[lane].saturating_sub(slept)).await;
}
