//! The pool's allocator on CPU threads: every block handed out is nobody else's.

extern crate std;

use core::sync::atomic::{AtomicU32, Ordering};
use std::alloc::Layout;
use std::boxed::Box;
use std::vec::Vec;

use rpc_proto::pool::{PAGE, Shape};

use super::device::PoolBooks;
use super::pool::{LARGEST, Piece, Pool, Taken, block_size, class_of};

/// A pool in this process's memory, with an owner for each of its smallest blocks.
struct Memory {
    pool: Pool<PoolBooks>,
    base: *mut u8,
    layout: Layout,
    owners: Box<[AtomicU32]>,
}

// SAFETY: the books are atomics, and a block is used by the thread that got it.
unsafe impl Sync for Memory {}

impl Memory {
    fn new(pages: u32) -> Self {
        let shape = Shape::new(pages).unwrap();
        let layout = Layout::from_size_align(shape.bytes(), PAGE).unwrap();
        // SAFETY: the size is not 0.
        let base = unsafe { std::alloc::alloc_zeroed(layout) };
        assert!(!base.is_null());
        Self {
            pool: Pool {
                books: PoolBooks { base: base.cast() },
                shape,
            },
            base,
            layout,
            owners: (0..pages as usize * PAGE / 16).map(|_| AtomicU32::new(0)).collect(),
        }
    }

    fn bytes(&self, offset: usize) -> *mut u8 {
        self.base.wrapping_add(self.pool.shape.first_page() + offset)
    }

    /// One block, as a lane on its own gets it.
    fn take(&self, size: usize, home: u32) -> Option<usize> {
        if size > LARGEST {
            return self.pool.take_run(size, home);
        }
        let class = class_of(size);
        let taken = self.pool.take(class, 1, home);
        (taken != Taken::NONE).then(|| self.pool.offset(class, taken.chunk, taken.bits.trailing_zeros()))
    }

    fn give(&self, offset: usize, home: u32) -> bool {
        match self.pool.find(offset) {
            Piece::Block { class, chunk, bit } => {
                self.pool.give_blocks(chunk, bit);
                self.pool.note_free(class, chunk, bit, home);
                true
            }
            Piece::Run { page, pages } => self.pool.give_run(page, pages),
            Piece::Nothing => false,
        }
    }

    /// Marks a block as one thread's, in the list of owners and, unsynchronised, in the block itself.
    fn own(&self, offset: usize, size: usize, owner: u32) {
        let size = size.next_multiple_of(16);
        for unit in offset / 16..(offset + size) / 16 {
            assert_eq!(self.owners[unit].swap(owner, Ordering::Relaxed), 0, "handed out twice");
        }
        // SAFETY: the block is this thread's; a race detector would see if it was not.
        unsafe { self.bytes(offset).write_bytes(owner as u8, size) };
    }

    fn disown(&self, offset: usize, size: usize, owner: u32) {
        let size = size.next_multiple_of(16);
        for at in (0..size).step_by(61) {
            // SAFETY: as above.
            assert_eq!(unsafe { self.bytes(offset + at).read() }, owner as u8);
        }
        for unit in offset / 16..(offset + size) / 16 {
            assert_eq!(self.owners[unit].swap(0, Ordering::Relaxed), owner);
        }
    }

    /// Nothing is in use: all pages can be had as one run.
    fn assert_empty(&self) {
        let all = self.pool.shape.pages() as usize * PAGE;
        assert_eq!(self.take(all, 0), Some(0));
        assert!(self.give(0, 0));
        assert!(!self.give(0, 0), "given back twice");
    }
}

impl Drop for Memory {
    fn drop(&mut self) {
        // SAFETY: allocated with this layout, used by nobody any more.
        unsafe { std::alloc::dealloc(self.base, self.layout) };
    }
}

/// A few well-mixed bits.
fn next(state: &mut u64) -> u64 {
    *state = state
        .wrapping_mul(6_364_136_223_846_793_005)
        .wrapping_add(1_442_695_040_888_963_407);
    *state >> 33
}

fn churn(memory: &Memory, owner: u32, rounds: u32, home: u32) {
    let mut random = u64::from(owner);
    let mut held: Vec<(usize, usize)> = Vec::new();
    for _ in 0..rounds {
        let size = match next(&mut random) % 8 {
            0 => 1 + next(&mut random) % (5 * PAGE as u64),
            1 => 1 + next(&mut random) % LARGEST as u64,
            _ => 1 + next(&mut random) % 300,
        } as usize;
        if held.len() < 12
            && !next(&mut random).is_multiple_of(3)
            && let Some(offset) = memory.take(size, home)
        {
            memory.own(offset, size, owner);
            held.push((offset, size));
        } else if !held.is_empty() {
            let (offset, size) = held.swap_remove(next(&mut random) as usize % held.len());
            memory.disown(offset, size, owner);
            assert!(memory.give(offset, home));
        }
    }
    for (offset, size) in held {
        memory.disown(offset, size, owner);
        assert!(memory.give(offset, home));
    }
}

#[test]
fn threads_never_share_a_block() {
    for (pages, homes) in [(3, 64), (16, 1), (16, 8), (70, 64)] {
        let memory = Memory::new(pages);
        std::thread::scope(|scope| {
            for thread in 0..4 {
                let memory = &memory;
                scope.spawn(move || churn(memory, thread + 1, 3000, thread * 8 % homes));
            }
        });
        memory.assert_empty();
    }
}

#[test]
fn a_warp_is_served_by_one_word() {
    let memory = Memory::new(8);
    let first = memory.pool.take(class_of(64), 32, 5);
    assert_eq!(first.bits, u32::MAX);
    // A part of a chunk, then the rest of it.
    let few = memory.pool.take(class_of(64), 20, 5);
    let rest = memory.pool.take(class_of(64), 32, 5);
    assert_eq!((few.bits.count_ones(), rest.bits), (20, !few.bits));
    assert_eq!(few.chunk, rest.chunk);
}

#[test]
fn all_of_the_pool_can_be_had_in_any_size() {
    let memory = Memory::new(20);
    for class in (0..10).rev() {
        let size = block_size(class);
        let blocks: Vec<usize> = core::iter::from_fn(|| memory.take(size, class)).collect();
        assert_eq!(blocks.len(), 20 * PAGE / size, "blocks of {size} bytes");
        let mut sorted = blocks.clone();
        sorted.sort();
        sorted.dedup();
        assert_eq!(sorted.len(), blocks.len());
        assert_eq!(memory.take(size, 3), None);
        assert_eq!(memory.take(PAGE, 3), None);
        for block in blocks {
            assert!(memory.give(block, class + 1));
        }
    }
    memory.assert_empty();
}

#[test]
fn what_was_not_handed_out_is_left_alone() {
    let memory = Memory::new(4);
    let block = memory.take(64, 0).unwrap();
    let run = memory.take(2 * PAGE, 0).unwrap();
    assert!(!memory.give(block + 1, 0));
    assert!(!memory.give(run + 16, 0));
    assert!(!memory.give(run + PAGE, 0));
    assert!(memory.give(block, 0));
    assert!(memory.give(block, 0), "cannot be told from a block of somebody else's");
    assert!(memory.give(run, 0) && !memory.give(run, 0));
    memory.assert_empty();
}

#[test]
fn runs_grow_and_shrink_in_place() {
    let memory = Memory::new(8);
    let run = memory.take(2 * PAGE, 0).unwrap();
    assert_eq!(run, 6 * PAGE, "from the other end than blocks");
    let low = memory.take(4 * PAGE, 0).unwrap();
    let resize = |offset: usize, size| match memory.pool.find(offset) {
        Piece::Run { page, pages } => memory.pool.resize_run(page, pages, size),
        _ => false,
    };
    assert!(!resize(low, 5 * PAGE), "in the way lies the other run");
    assert!(resize(run, PAGE));
    assert!(resize(run, 2 * PAGE));
    assert!(!resize(run, 3 * PAGE), "there are no more pages");
    assert!(memory.give(run, 0));
    assert!(resize(low, 6 * PAGE));
    assert!(memory.give(low, 0));
    memory.assert_empty();
}
