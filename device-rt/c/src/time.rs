//! The host's time of day, and the device's clock.

use core::ffi::{c_int, c_long};

use device_rt::time::{Duration, Instant, SystemTime, sleep};

/// C's `struct timespec`.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TimeSpec {
    /// Whole seconds.
    pub tv_sec: i64,
    /// And so many nanoseconds.
    pub tv_nsec: c_long,
}

impl From<Duration> for TimeSpec {
    fn from(duration: Duration) -> Self {
        Self {
            tv_sec: i64::try_from(duration.as_secs()).unwrap_or(i64::MAX),
            tv_nsec: duration.subsec_nanos().into(),
        }
    }
}

fn since_1970() -> Option<TimeSpec> {
    let now = SystemTime::now().ok()?;
    Some(now.duration_since(SystemTime::UNIX_EPOCH).ok()?.into())
}

/// C's `time`, in seconds since 1970; -1 under a host that does not tell.
///
/// # Safety
/// `at` is null or leads to a `time_t`.
#[cfg_attr(gpu, unsafe(no_mangle))]
pub unsafe extern "C" fn time(at: *mut i64) -> i64 {
    let seconds = since_1970().map_or(-1, |now| now.tv_sec);
    if !at.is_null() {
        // SAFETY: the caller's promise.
        unsafe { at.write(seconds) };
    }
    seconds
}

/// C's `clock`, in microseconds (`CLOCKS_PER_SEC` is a million): the device's steady clock, not the time that a thread was busy.
#[cfg_attr(gpu, unsafe(no_mangle))]
pub extern "C" fn clock() -> i64 {
    Instant::now().since_start().as_micros() as i64
}

/// C's `TIME_UTC`: the time of day.
pub const TIME_UTC: c_int = 1;
/// C's `TIME_MONOTONIC`: the device's steady clock.
pub const TIME_MONOTONIC: c_int = 2;

/// C's `timespec_get`: the base, or 0 where that time is not known.
///
/// # Safety
/// `at` leads to a `struct timespec`.
#[cfg_attr(gpu, unsafe(no_mangle))]
pub unsafe extern "C" fn timespec_get(at: *mut TimeSpec, base: c_int) -> c_int {
    let now = match base {
        TIME_UTC => since_1970(),
        TIME_MONOTONIC => Some(Instant::now().since_start().into()),
        _ => None,
    };
    match now {
        Some(now) => {
            // SAFETY: the caller's promise.
            unsafe { at.write(now) };
            base
        }
        None => 0,
    }
}

/// POSIX's `nanosleep`. Nothing interrupts it, so that nothing is ever left.
///
/// # Safety
/// `time` leads to a `struct timespec`.
#[cfg_attr(gpu, unsafe(no_mangle))]
pub unsafe extern "C" fn nanosleep(time: *const TimeSpec, _left: *mut TimeSpec) -> c_int {
    // SAFETY: the caller's promise.
    let time = unsafe { time.read() };
    match (u64::try_from(time.tv_sec), u32::try_from(time.tv_nsec)) {
        (Ok(seconds), Ok(nanoseconds @ ..1_000_000_000)) => {
            sleep(Duration::new(seconds, nanoseconds));
            0
        }
        _ => {
            crate::errno::set(EINVAL);
            -1
        }
    }
}

const EINVAL: c_int = 22;
