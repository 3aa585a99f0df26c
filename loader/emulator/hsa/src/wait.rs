//! Waiting for memory to change, without burning a core.
//!
//! Signals and doorbells are plain memory: the host's API, the packet processors, copies and
//! kernels all write there. Everything in this library that writes says so with [`changed`], which
//! wakes whoever waits; for kernels and programs that write directly, a waiter also looks by itself
//! from time to time.

use std::os::unix::thread::JoinHandleExt;
use std::sync::atomic::{AtomicUsize, Ordering, fence};
use std::sync::{Condvar, Mutex, PoisonError};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use crate::border::lock;

static WAITERS: AtomicUsize = AtomicUsize::new(0);
static GATE: Mutex<()> = Mutex::new(());
static BELL: Condvar = Condvar::new();

/// How often somebody who waits for a result looks by itself.
pub const SOON: Duration = Duration::from_millis(1);
/// How often an idle thread looks by itself.
pub const IDLE: Duration = Duration::from_millis(10);
/// How often an active waiter looks before it sleeps.
const SPINS: u32 = 200;

/// Wakes everybody who waits, to look again.
pub fn changed() {
    // Partner of the fence in `wait_until`: either the waiter is counted here, or it sees what was
    // written before this call.
    fence(Ordering::SeqCst);
    if WAITERS.load(Ordering::Relaxed) > 0 {
        drop(lock(&GATE));
        BELL.notify_all();
    }
}

/// Looks until `look` sees something or the deadline has passed.
pub fn wait_until<T>(
    deadline: Option<Instant>,
    active: bool,
    nap: Duration,
    mut look: impl FnMut() -> Option<T>,
) -> Option<T> {
    for _ in 0..if active { SPINS } else { 1 } {
        if let Some(seen) = look() {
            return Some(seen);
        }
        if deadline.is_some_and(|deadline| Instant::now() >= deadline) {
            return None;
        }
        std::thread::yield_now();
    }
    let _counted = Counted::new();
    let mut gate = lock(&GATE);
    loop {
        fence(Ordering::SeqCst);
        if let Some(seen) = look() {
            return Some(seen);
        }
        let rest = match deadline {
            None => nap,
            Some(deadline) => deadline.saturating_duration_since(Instant::now()).min(nap),
        };
        if rest.is_zero() {
            return None;
        }
        gate = BELL.wait_timeout(gate, rest).unwrap_or_else(PoisonError::into_inner).0;
    }
}

/// Waits for the end of a thread of this library, unless it is the calling one (a callback of the
/// program's may end what called it).
pub fn join(thread: JoinHandle<()>) {
    // SAFETY: nothing is asked of the caller. (`thread::current` would leave a handle behind in
    // each thread of the program that ever got here.)
    let own = unsafe { libc::pthread_equal(thread.as_pthread_t(), libc::pthread_self()) } != 0;
    if !own {
        // It only fails if the thread panicked, which the border there has reported.
        let _ = thread.join();
    }
}

/// One waiter, as long as it lives.
struct Counted;

impl Counted {
    fn new() -> Counted {
        WAITERS.fetch_add(1, Ordering::SeqCst);
        Counted
    }
}

impl Drop for Counted {
    fn drop(&mut self) {
        WAITERS.fetch_sub(1, Ordering::SeqCst);
    }
}
