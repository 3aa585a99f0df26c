//! Keeps large transfers of kernels apart from calls of a driver that may wait for kernels.
//!
//! A driver that frees memory, unloads an image or makes room for a launch may wait for whatever runs in its context, and lets nobody
//! else in meanwhile. A kernel that waits for a copy would then wait for ever: the copy for the call, and the call for the kernel.
//! So calls that do wait for kernels begin when those have ended. While another is under way, which might, no transfer begins, and
//! kernels send their bytes themselves; it begins when the transfers that have begun have made their copies.

use std::collections::BTreeMap;
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

/// How long a call that mostly does not wait for kernels waits for transfers. What they bring may be for the thread that makes it.
const PATIENCE: Duration = Duration::from_millis(100);

/// How often it is asked whether a kernel has ended.
const BETWEEN_LOOKS: Duration = Duration::from_micros(200);

/// The gate of one device, the same for all that this process opens it for: they share its context.
#[derive(Default)]
pub(crate) struct Gate {
    traffic: Mutex<Traffic>,
    /// Rung when the last transfer has ended.
    is_clear: Condvar,
    /// The largest stack that was asked for: the limit is the context's, and a program must not take from an earlier one.
    stack_bytes: Mutex<usize>,
}

#[derive(Default)]
struct Traffic {
    transfers: usize,
    calls: usize,
    /// Launches whose end nobody has waited for, by their number, with a way to ask for it. Without any, nothing waits for anything.
    kernels: BTreeMap<u64, HasEnded>,
    launched: u64,
    /// A call has lost its patience with the transfers of this moment.
    is_stuck: bool,
}

/// Whether a kernel has ended. Asked under the gate's lock.
type HasEnded = Box<dyn Fn() -> bool + Send>;

impl Traffic {
    fn is_busy(&mut self) -> bool {
        self.transfers > 0 && !self.kernels.is_empty()
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

    /// Begins a call that does wait for the kernels that run, when they have ended.
    pub fn call_that_waits(&'static self) -> Call {
        let launched = self.traffic().launched;
        let run = || {
            let traffic = self.traffic();
            traffic.kernels.range(..launched).any(|(_, has_ended)| !has_ended())
        };
        while run() {
            std::thread::sleep(BETWEEN_LOOKS);
        }
        self.call()
    }

    /// Begins a call that may wait for kernels, and mostly does not.
    pub fn call(&'static self) -> Call {
        let mut traffic = self.traffic();
        traffic.calls += 1;
        // Once is enough: a launch after the other would take that long.
        if !traffic.is_stuck {
            let waited = self.is_clear.wait_timeout_while(traffic, PATIENCE, Traffic::is_busy);
            let (mut traffic, waited) = waited.unwrap_or_else(PoisonError::into_inner);
            traffic.is_stuck = waited.timed_out() && traffic.is_busy();
        }
        Call(self)
    }

    /// Begins a call that a kernel waits for: at once.
    pub fn call_for_kernel(&'static self) -> Call {
        self.traffic().calls += 1;
        Call(self)
    }

    /// A kernel was launched; the number that tells of its end.
    pub fn kernel_runs(&self, has_ended: impl Fn() -> bool + Send + 'static) -> u64 {
        let mut traffic = self.traffic();
        let number = traffic.launched;
        traffic.launched += 1;
        traffic.kernels.insert(number, Box::new(has_ended));
        number
    }

    /// A kernel has ended, and is not asked any more.
    pub fn kernel_ended(&self, number: u64) {
        self.traffic().kernels.remove(&number);
    }

    /// The context's limit of a thread's stack, 0 as long as nobody has set it.
    pub fn stack_bytes(&self) -> MutexGuard<'_, usize> {
        self.stack_bytes.lock().unwrap_or_else(PoisonError::into_inner)
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
    fn calls_wait_for_transfers_and_not_for_ever() {
        let gate = Gate::of(1002);
        let stuck = gate.transfer().unwrap();
        // Without a kernel nothing is waited for.
        let begin = Instant::now();
        (0..100).for_each(|_| drop(gate.call()));
        assert!(begin.elapsed() < 50 * PATIENCE);
        drop(stuck);
        let kernel = gate.kernel_runs(|| false);
        let ended = AtomicBool::new(false);
        let transfer = gate.transfer().unwrap();
        std::thread::scope(|scope| {
            scope.spawn(|| {
                std::thread::sleep(PATIENCE / 10);
                ended.store(true, Ordering::Relaxed);
                drop(transfer);
            });
            let _call = gate.call();
            assert!(ended.load(Ordering::Relaxed));
        });
        let stuck = gate.transfer().unwrap();
        let begin = Instant::now();
        drop(gate.call());
        assert!(begin.elapsed() >= PATIENCE);
        // Not again.
        let begin = Instant::now();
        (0..100).for_each(|_| drop(gate.call()));
        assert!(begin.elapsed() < 50 * PATIENCE);
        drop(stuck);
        assert!(!gate.traffic().is_stuck);
        gate.kernel_ended(kernel);
    }

    #[test]
    fn calls_that_wait_for_kernels_let_transfers_begin_meanwhile() {
        static ENDED: AtomicBool = AtomicBool::new(false);
        let gate = Gate::of(1003);
        let first = gate.kernel_runs(|| ENDED.load(Ordering::Relaxed));
        std::thread::scope(|scope| {
            let waiting = scope.spawn(|| drop(gate.call_that_waits()));
            std::thread::sleep(PATIENCE);
            assert!(!waiting.is_finished());
            assert!(gate.transfer().is_some());
            // Launched later: not waited for.
            let second = gate.kernel_runs(|| false);
            ENDED.store(true, Ordering::Relaxed);
            waiting.join().unwrap();
            gate.kernel_ended(second);
        });
        gate.kernel_ended(first);
    }
}
