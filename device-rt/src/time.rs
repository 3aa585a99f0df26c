//! Time as the device measures it.

use core::time::Duration;

use crate::arch;

/// A moment on the clock that the whole device shares. It never runs backwards within a thread; moments of different devices, or of
/// different runs of a program, cannot be compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Instant {
    nanoseconds: u64,
}

impl Instant {
    /// This moment. The clock's resolution is the device's: 10 ns to 1 µs.
    pub fn now() -> Self {
        Self {
            nanoseconds: arch::nanoseconds(),
        }
    }

    /// The time since then.
    pub fn elapsed(&self) -> Duration {
        Self::now().duration_since(*self)
    }

    /// The time from `earlier` to this moment; zero if `earlier` is later.
    pub fn duration_since(&self, earlier: Self) -> Duration {
        Duration::from_nanos(self.nanoseconds.saturating_sub(earlier.nanoseconds))
    }
}

/// Waits for at least `duration`.
pub fn sleep(duration: Duration) {
    let start = Instant::now();
    while start.elapsed() < duration {
        arch::sleep_briefly();
    }
}

/// Cycles of this compute unit's own clock, for comparing short stretches of code that run on it.
#[inline]
pub fn cycles() -> u64 {
    arch::clock()
}
