//! Signals: numbers in memory that host and device change and wait for.
//!
//! Device code and programs that know AMD's runtime look into a signal through its handle, which
//! is the address of an `amd_signal_t`. So it is here. To survive handles that are none, all
//! signals lie in one arena that is never unmapped: an address in it, at a signal's place, whose
//! kind says that it is alive, is a signal; anything else is not, and is never touched.

use std::collections::VecDeque;
use std::mem::{offset_of, size_of};
use std::sync::atomic::{AtomicI64, AtomicU32, AtomicU64, Ordering};
use std::sync::{Mutex, OnceLock};

use hsa_sys::*;

use crate::border::{lock, say_once};
use crate::status::{Result, Status};
use crate::wait::changed;

/// A signal in memory, laid out as `amd_signal_t`.
#[repr(C, align(64))]
pub struct Signal {
    kind: AtomicI64,
    /// Its value.
    pub value: AtomicI64,
    event_mailbox: AtomicU64,
    event_id: AtomicU32,
    /// Which runtime it belongs to, where the interface has nothing.
    era: AtomicU32,
    /// When the packet that completed it started; see [`crate::system::now`].
    pub started: AtomicU64,
    /// When that packet ended. In a doorbell: one more than the highest number rung, since a
    /// doorbell may be rung out of order by producers that race.
    pub ended: AtomicU64,
    queue: AtomicU64,
    reserved3: [u32; 2],
}

const _: () = {
    assert!(size_of::<Signal>() == size_of::<amd_signal_t>());
    assert!(offset_of!(Signal, value) == 8);
    assert!(offset_of!(Signal, started) == offset_of!(amd_signal_t, start_ts));
    assert!(offset_of!(Signal, ended) == offset_of!(amd_signal_t, end_ts));
};

const DEAD: i64 = AMD_SIGNAL_KIND_INVALID as i64;
/// Doorbells are of this kind, too: device code then rings them by a plain store of the value.
const ALIVE: i64 = AMD_SIGNAL_KIND_USER as i64;

/// Most signals at one time.
const CAPACITY: usize = 1 << 20;

/// Which runtime signals are made for now: one may still end while the next has begun.
static ERA: AtomicU32 = AtomicU32::new(0);

/// Where all signals lie.
struct Arena {
    base: u64,
    free: Mutex<Free>,
}

struct Free {
    /// Freed ones, longest dead first: a stale handle is unlikely to meet a new signal.
    reusable: VecDeque<usize>,
    /// The first that was never used.
    fresh: usize,
}

fn the_arena() -> Result<&'static Arena> {
    static ARENA: OnceLock<Option<Arena>> = OnceLock::new();
    ARENA
        .get_or_init(|| {
            // SAFETY: a fresh mapping at an address of the kernel's choice touches nothing.
            let base = unsafe {
                libc::mmap(
                    std::ptr::null_mut(),
                    CAPACITY * size_of::<Signal>(),
                    libc::PROT_READ | libc::PROT_WRITE,
                    libc::MAP_PRIVATE | libc::MAP_ANONYMOUS | libc::MAP_NORESERVE,
                    -1,
                    0,
                )
            };
            (base != libc::MAP_FAILED).then(|| Arena {
                base: base as u64,
                free: Mutex::new(Free {
                    reusable: VecDeque::new(),
                    fresh: 0,
                }),
            })
        })
        .as_ref()
        .ok_or(Status::OUT_OF_RESOURCES)
}

/// Where the arena lies, for GPUs that are to see signals: first byte and length.
pub fn arena() -> Result<(u64, u64)> {
    Ok((the_arena()?.base, (CAPACITY * size_of::<Signal>()) as u64))
}

impl Arena {
    fn slot(&self, index: usize) -> &'static Signal {
        let address = self.base as usize + index * size_of::<Signal>();
        // SAFETY: `index` is below `CAPACITY`; the mapping is aligned to pages, lives as long as
        // the process, reads as zeros at first, and is only accessed atomically.
        unsafe { &*(address as *const Signal) }
    }

    fn index(&self, handle: u64) -> Option<usize> {
        let offset = handle.checked_sub(self.base)? as usize;
        let (index, rest) = (offset / size_of::<Signal>(), offset % size_of::<Signal>());
        (rest == 0 && index < CAPACITY).then_some(index)
    }
}

/// Makes a signal.
pub fn create(value: i64) -> Result<hsa_signal_t> {
    let arena = the_arena()?;
    let index = {
        let mut free = lock(&arena.free);
        if free.reusable.len() > 64 || free.fresh == CAPACITY {
            free.reusable.pop_front().ok_or(Status::OUT_OF_RESOURCES)?
        } else {
            free.fresh += 1;
            free.fresh - 1
        }
    };
    let signal = arena.slot(index);
    signal.value.store(value, Ordering::Relaxed);
    for word in [&signal.started, &signal.ended, &signal.event_mailbox, &signal.queue] {
        word.store(0, Ordering::Relaxed);
    }
    signal.era.store(ERA.load(Ordering::Relaxed), Ordering::Relaxed);
    signal.kind.store(ALIVE, Ordering::Release);
    Ok(hsa_signal_t {
        handle: std::ptr::from_ref(signal) as u64,
    })
}

/// Ends a signal. Whoever waits for it sees that it is gone.
pub fn destroy(handle: hsa_signal_t) -> Result {
    let arena = the_arena()?;
    let index = arena.index(handle.handle).ok_or(Status::SIGNAL)?;
    arena
        .slot(index)
        .kind
        .compare_exchange(ALIVE, DEAD, Ordering::AcqRel, Ordering::Relaxed)
        .map_err(|_| Status::SIGNAL)?;
    lock(&arena.free).reusable.push_back(index);
    changed();
    Ok(())
}

/// Signals that are made from now on are of another runtime; returns what [`destroy_all`] ends the others by.
pub fn end_era() -> u32 {
    ERA.fetch_add(1, Ordering::Relaxed)
}

/// Ends all signals of a runtime that has ended.
pub fn destroy_all(era: u32) {
    if let Ok(arena) = the_arena() {
        let used = lock(&arena.free).fresh;
        for signal in (0..used).map(|index| arena.slot(index)) {
            if signal.kind.load(Ordering::Acquire) == ALIVE && signal.era.load(Ordering::Relaxed) == era {
                let handle = std::ptr::from_ref(signal) as u64;
                // It may have ended meanwhile.
                let _ = destroy(hsa_signal_t { handle });
            }
        }
    }
}

/// Finds a signal.
pub fn find(handle: hsa_signal_t) -> Option<&'static Signal> {
    let arena = the_arena().ok()?;
    let signal = arena.slot(arena.index(handle.handle)?);
    (signal.kind.load(Ordering::Acquire) == ALIVE).then_some(signal)
}

/// Finds a signal for an entry point; those without a status say on stderr what is wrong.
pub fn find_or_say(handle: hsa_signal_t, entry: &str) -> Option<&'static Signal> {
    let found = find(handle);
    if found.is_none() {
        say_once(&format!("{entry}: {:#x} is not a signal", handle.handle));
    }
    found
}

impl Signal {
    /// Makes it the doorbell of a queue: it remembers the highest number rung.
    pub fn become_doorbell(&self, queue: u64) {
        self.queue.store(queue, Ordering::Release);
    }

    /// What every store through the API does.
    pub fn store(&self, value: i64, ordering: Ordering) {
        if self.queue.load(Ordering::Relaxed) != 0 {
            self.ended.fetch_max((value as u64).wrapping_add(1), Ordering::AcqRel);
        }
        self.value.store(value, ordering);
    }

    /// One less, as the end of a packet or a copy does it. What was written before is seen by
    /// whoever sees the new value.
    pub fn complete(&self) {
        self.value.fetch_sub(1, Ordering::AcqRel);
        changed();
    }
}

/// Whether a dependency is satisfied: it is none, or 0.
pub fn is_zero(handle: hsa_signal_t) -> bool {
    handle.handle == 0 || find(handle).is_none_or(|signal| signal.value.load(Ordering::Acquire) == 0)
}

/// Whether a value meets a condition; an unknown condition is an error.
pub fn meets(value: i64, condition: hsa_signal_condition_t, with: i64) -> Result<bool> {
    Ok(match condition {
        HSA_SIGNAL_CONDITION_EQ => value == with,
        HSA_SIGNAL_CONDITION_NE => value != with,
        HSA_SIGNAL_CONDITION_LT => value < with,
        HSA_SIGNAL_CONDITION_GTE => value >= with,
        _ => return Err(Status::ARGUMENT),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_live_signals_are_signals() {
        let handle = create(7).unwrap();
        assert_eq!(find(handle).unwrap().value.load(Ordering::Relaxed), 7);
        for wrong in [0, 8, handle.handle + 8, u64::MAX, &raw const handle as u64] {
            assert!(find(hsa_signal_t { handle: wrong }).is_none(), "{wrong:#x}");
        }
        destroy(handle).unwrap();
        assert!(find(handle).is_none());
        assert_eq!(destroy(handle), Err(Status::SIGNAL));
        assert_ne!(create(0).unwrap().handle, handle.handle);
    }

    #[test]
    fn a_doorbell_rung_out_of_order_remembers_the_highest() {
        let handle = create(-1).unwrap();
        let doorbell = find(handle).unwrap();
        doorbell.become_doorbell(4096);
        for number in [0, 5, 4] {
            doorbell.store(number, Ordering::Relaxed);
        }
        assert_eq!(doorbell.ended.load(Ordering::Relaxed), 6);
    }
}
