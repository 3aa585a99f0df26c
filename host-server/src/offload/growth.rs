//! A heap that asks the device for more when it is full, without ever waiting for it longer than it may.

use std::{
    sync::{Arc, Condvar, Mutex, PoisonError},
    time::{Duration, Instant},
};

use super::memory::Memory;
use crate::{heap::Heap, lock::lock};

/// The heap grows by as much as this at least, so that few calls wait for the driver.
const STEP: u64 = 32 << 20;

/// What the heap aligns large pieces to, and thus what one of them may waste.
const SLAB: u64 = 2 << 20;

/// The heap of one attachment.
pub(super) struct GrowingHeap {
    heap: Heap,
    memory: Arc<Memory>,
    /// How long a call waits for the device's allocator; `None`: it is never asked.
    patience: Option<Duration>,
    state: Mutex<State>,
    answered: Condvar,
}

#[derive(Default)]
struct State {
    /// A thread is inside the device's allocator.
    asking: bool,
    /// How many requests the allocator has answered, one way or the other.
    answers: u64,
    /// What the last of them asked for, if it was refused.
    refused: Option<u64>,
}

impl GrowingHeap {
    /// A heap over `bytes` of device memory at `base`.
    pub fn new(base: u64, bytes: u64, memory: Arc<Memory>, patience: Option<Duration>) -> Arc<GrowingHeap> {
        Arc::new(GrowingHeap {
            heap: Heap::new(base, bytes),
            memory,
            patience,
            state: Mutex::default(),
            answered: Condvar::new(),
        })
    }

    /// From what there is already.
    pub fn allocate(&self, size: u64) -> Option<u64> {
        self.heap.allocate(size)
    }

    pub fn free(&self, address: u64) -> Result<(), String> {
        self.heap.free(address)
    }

    /// From what there is, or from what the device gives in time.
    pub fn allocate_or_grow(self: &Arc<Self>, size: u64) -> Option<u64> {
        let deadline = Instant::now().checked_add(self.patience?);
        let mut state = lock(&self.state);
        loop {
            if let Some(address) = self.heap.allocate(size) {
                return Some(address);
            }
            if !state.asking {
                self.ask(size).ok()?;
                state.asking = true;
            }
            let answers = state.answers;
            while state.answers == answers {
                let left = match deadline {
                    Some(deadline) => deadline.checked_duration_since(Instant::now())?,
                    None => Duration::MAX,
                };
                let woken = self.answered.wait_timeout(state, left);
                state = woken.unwrap_or_else(PoisonError::into_inner).0;
            }
            if state.refused.is_some_and(|refused| refused <= size) {
                return self.heap.allocate(size);
            }
        }
    }

    /// Asks the device on a thread that may be lost in its driver.
    fn ask(self: &Arc<Self>, size: u64) -> std::io::Result<()> {
        let heap = self.clone();
        let ask = move || {
            let refused = (!heap.grow(size)).then_some(size);
            let mut state = lock(&heap.state);
            state.asking = false;
            state.answers += 1;
            state.refused = refused;
            heap.answered.notify_all();
        };
        std::thread::Builder::new().name("rpc-heap".into()).spawn(ask).map(drop)
    }

    /// Whether the device gave room for `size` more bytes.
    fn grow(&self, size: u64) -> bool {
        let Some(needed) = size.checked_add(2 * SLAB) else {
            return false;
        };
        // Near the end of the device's memory a small piece may still be had.
        [needed.max(STEP), needed].into_iter().any(|bytes| {
            let Ok(length) = usize::try_from(bytes) else {
                return false;
            };
            let Ok(base) = self.memory.image.alloc_during_kernel(length) else {
                return false;
            };
            self.memory.keep(base);
            self.heap.add(base, bytes);
            true
        })
    }
}
