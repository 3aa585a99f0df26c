//! Keeps large transfers of kernels apart from calls of a driver that may wait for kernels.
//!
//! A driver that frees memory, unloads an image or makes room for a launch may wait for whatever runs in its context, and lets nobody
//! else in meanwhile. A kernel that waits for a copy would then wait for ever: the copy for the call, and the call for the kernel.
//! While such a call is under way no transfer begins, and the kernels send their bytes themselves.

use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

/// How long such a call waits for transfers that have begun. Whoever reads what they bring may be waiting for this very call.
const PATIENCE: Duration = Duration::from_millis(100);

/// The gate of one device, the same for all that this process opens it for: they share its context.
#[derive(Default)]
pub(crate) struct Gate {
    traffic: Mutex<Traffic>,
    /// Rung when the last transfer has ended.
    is_clear: Condvar,
}

#[derive(Default)]
struct Traffic {
    transfers: usize,
    calls: usize,
}

/// A transfer that may use the driver, until it is dropped.
pub(crate) struct Transfer(&'static Gate);

/// A call that may wait for kernels, until it is dropped.
pub(crate) struct Call(&'static Gate);

impl Gate {
    /// The gate of device number `ordinal`.
    pub fn of(ordinal: usize) -> &'static Gate {
        static GATES: Mutex<Vec<&'static Gate>> = Mutex::new(Vec::new());
        let mut gates = GATES.lock().unwrap_or_else(PoisonError::into_inner);
        while gates.len() <= ordinal {
            gates.push(Box::leak(Box::default()));
        }
        gates[ordinal]
    }

    /// Begins a transfer, unless a call is under way.
    pub fn transfer(&'static self) -> Option<Transfer> {
        let mut traffic = self.traffic();
        if traffic.calls > 0 {
            return None;
        }
        traffic.transfers += 1;
        Some(Transfer(self))
    }

    /// Begins a call, when the transfers that have begun have ended.
    pub fn call(&'static self) -> Call {
        let mut traffic = self.traffic();
        traffic.calls += 1;
        let waited = self
            .is_clear
            .wait_timeout_while(traffic, PATIENCE, |traffic| traffic.transfers > 0);
        drop(waited);
        Call(self)
    }

    fn traffic(&self) -> MutexGuard<'_, Traffic> {
        self.traffic.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for Transfer {
    fn drop(&mut self) {
        let mut traffic = self.0.traffic();
        traffic.transfers -= 1;
        if traffic.transfers == 0 {
            self.0.is_clear.notify_all();
        }
    }
}

impl Drop for Call {
    fn drop(&mut self) {
        self.0.traffic().calls -= 1;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::atomic::{AtomicBool, Ordering};
    use std::time::Instant;

    #[test]
    fn no_transfer_begins_during_a_call() {
        let gate = Gate::of(1000);
        let first = gate.call();
        let second = gate.call();
        assert!(gate.transfer().is_none());
        drop(first);
        assert!(gate.transfer().is_none());
        drop(second);
        assert!(gate.transfer().is_some());
        // Another device's.
        let _call = gate.call();
        assert!(Gate::of(1001).transfer().is_some());
    }

    #[test]
    fn a_call_waits_for_transfers_and_not_for_ever() {
        let gate = Gate::of(1002);
        let ended = AtomicBool::new(false);
        let transfer = gate.transfer().unwrap();
        std::thread::scope(|scope| {
            scope.spawn(|| {
                std::thread::sleep(Duration::from_millis(10));
                ended.store(true, Ordering::Relaxed);
                drop(transfer);
            });
            let _call = gate.call();
            assert!(ended.load(Ordering::Relaxed));
        });
        let _stuck = gate.transfer().unwrap();
        let begin = Instant::now();
        let _call = gate.call();
        assert!(begin.elapsed() >= PATIENCE);
    }
}
