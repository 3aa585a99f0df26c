//! Time as the device measures it, and the host's time of day.

pub use core::time::Duration;

use rpc_proto::Opcode;

use crate::io::{Error, Result};
use crate::{arch, rpc};

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

    /// The time since the clock started, whenever that was.
    pub const fn since_start(&self) -> Duration {
        Duration::from_nanos(self.nanoseconds)
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

/// A moment of the host's calendar.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct SystemTime {
    /// Since 1970, of which 128 bits hold more than any calendar.
    nanoseconds: i128,
}

impl SystemTime {
    /// The beginning of 1970, UTC.
    pub const UNIX_EPOCH: Self = Self::from_nanoseconds(0);

    /// This moment, as the host has it. An error under a host that offers no services beyond C's.
    pub fn now() -> Result<Self> {
        if !rpc::has_services() {
            return Err(Error::NO_SERVICES);
        }
        let client = rpc::client();
        let mut port = client.open(Opcode::CLOCK);
        port.send(|_| ());
        let [result, seconds, nanoseconds] = port.recv(|packet| [packet.get(0), packet.get(1), packet.get(2)]);
        drop(port);
        Error::check(result)?;
        Ok(Self::from_nanoseconds(
            i128::from(seconds.cast_signed()) * 1_000_000_000 + i128::from(nanoseconds),
        ))
    }

    /// The moment so many nanoseconds after the beginning of 1970.
    pub(crate) const fn from_nanoseconds(nanoseconds: i128) -> Self {
        Self { nanoseconds }
    }

    /// The time from `earlier` to this moment, or, as the error, how much later `earlier` is.
    pub fn duration_since(&self, earlier: Self) -> core::result::Result<Duration, Duration> {
        let difference = self.nanoseconds - earlier.nanoseconds;
        let distance = difference.unsigned_abs();
        let duration = Duration::new(
            u64::try_from(distance / 1_000_000_000).unwrap_or(u64::MAX),
            (distance % 1_000_000_000) as u32,
        );
        if difference < 0 { Err(duration) } else { Ok(duration) }
    }
}
