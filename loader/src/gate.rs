//! Keeps large transfers of kernels apart from calls of a driver that may wait for kernels.
//!
//! A driver that frees memory, unloads an image or makes room for a launch may wait for whatever runs in its context, and lets nobody
//! else in meanwhile. A kernel that waits for a copy would then wait for ever: the copy for the call, and the call for the kernel.
//! While such a call is under way no transfer begins, and kernels send their bytes themselves; a call begins when the transfers that
//! have begun have made their copies.

use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

/// How long a call that mostly does not wait for kernels waits for transfers. What they bring may be for the thread that makes it.
const PATIENCE: Duration = Duration::from_millis(100);

/// The gate of one device, the same for all that this process opens it for: they share its context.
#[derive(Default)]
pub(crate) struct Gate {
    traffic: Mutex<Traffic>,
    /// Rung when the last transfer or kernel has ended.
    is_clear: Condvar,
}

#[derive(Default)]
struct Traffic {
    transfers: usize,
    calls: usize,
    /// Launches that have not been seen to end. Without any, nothing waits for anything.
    kernels: usize,
    /// A call has lost its patience with the transfers of this moment.
    is_stuck: bool,
}

impl Traffic {
    fn is_busy(&mut self) -> bool {
        self.transfers > 0 && self.kernels > 0
    }
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

    /// Begins a call that does wait for kernels: it can as well wait for what those wait for.
    pub fn call_that_waits(&'static self) -> Call {
        self.wait(None);
        Call(self)
    }

    /// Begins a call that may wait for kernels, and mostly does not.
    pub fn call(&'static self) -> Call {
        self.wait(Some(PATIENCE));
        Call(self)
    }

    /// Begins a call that a kernel waits for: at once.
    pub fn call_for_kernel(&'static self) -> Call {
        self.traffic().calls += 1;
        Call(self)
    }

    /// Lets no transfer begin, and waits for those that have.
    fn wait(&self, patience: Option<Duration>) {
        let mut traffic = self.traffic();
        traffic.calls += 1;
        match patience {
            None => drop(self.is_clear.wait_while(traffic, |traffic| traffic.is_busy())),
            // Once is enough: a launch after the other would take that long.
            Some(_) if traffic.is_stuck => (),
            Some(patience) => {
                let waited = self.is_clear.wait_timeout_while(traffic, patience, Traffic::is_busy);
                let (mut traffic, waited) = waited.unwrap_or_else(PoisonError::into_inner);
                traffic.is_stuck = waited.timed_out() && traffic.is_busy();
            }
        }
    }

    /// A kernel is about to run.
    pub fn kernel_starts(&self) {
        self.traffic().kernels += 1;
    }

    /// A kernel has ended, or has not started after all.
    pub fn kernel_ends(&self) {
        let mut traffic = self.traffic();
        traffic.kernels -= 1;
        if traffic.kernels == 0 {
            self.is_clear.notify_all();
        }
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
            traffic.is_stuck = false;
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
        let second = gate.call_that_waits();
        let third = gate.call_for_kernel();
        for call in [first, second, third] {
            assert!(gate.transfer().is_none());
            drop(call);
        }
        assert!(gate.transfer().is_some());
        // Another device's.
        let _call = gate.call();
        assert!(Gate::of(1001).transfer().is_some());
    }

    #[test]
    fn calls_wait_for_transfers() {
        let gate = Gate::of(1002);
        gate.kernel_starts();
        for call in [Gate::call, Gate::call_that_waits] {
            let ended = AtomicBool::new(false);
            let transfer = gate.transfer().unwrap();
            std::thread::scope(|scope| {
                scope.spawn(|| {
                    std::thread::sleep(Duration::from_millis(10));
                    ended.store(true, Ordering::Relaxed);
                    drop(transfer);
                });
                let _call = call(gate);
                assert!(ended.load(Ordering::Relaxed));
            });
        }
    }

    #[test]
    fn nobody_waits_for_a_transfer_that_is_stuck_but_whoever_waits_for_its_kernel() {
        let gate = Gate::of(1003);
        let stuck = gate.transfer().unwrap();
        // Without a kernel nothing is waited for.
        drop(gate.call_that_waits());
        gate.kernel_starts();
        let begin = Instant::now();
        drop(gate.call());
        assert!(begin.elapsed() >= PATIENCE);
        // Not again.
        let begin = Instant::now();
        (0..100).for_each(|_| drop(gate.call()));
        assert!(begin.elapsed() < 50 * PATIENCE);
        std::thread::scope(|scope| {
            let waiting = scope.spawn(|| drop(gate.call_that_waits()));
            std::thread::sleep(2 * PATIENCE);
            assert!(!waiting.is_finished());
            gate.kernel_ends();
        });
        drop(stuck);
        assert!(!gate.traffic().is_stuck);
    }
}
