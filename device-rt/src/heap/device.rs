//! The pool as the lanes of a warp use it: together where they want the same.

use core::ptr;
use core::sync::atomic::{AtomicU64, Ordering};

use rpc_proto::ext::features;
use rpc_proto::pool::{PAGE, Shape};

use super::books::Books;
use super::pool::{LARGEST, Piece, Pool, Taken, block_size, class_of};
use crate::{arch, rpc};

/// The books at the start of the pool.
#[derive(Clone, Copy, Debug)]
pub(super) struct PoolBooks {
    pub(super) base: *mut u64,
}

impl PoolBooks {
    #[inline(always)]
    fn word(&self, at: usize) -> &AtomicU64 {
        // SAFETY: the host gives memory for the books of the pool's shape, from which callers get `at`; only accessed atomically.
        unsafe { AtomicU64::from_ptr(self.base.add(at)) }
    }
}

impl Books for PoolBooks {
    #[inline(always)]
    fn load(&self, at: usize) -> u64 {
        self.word(at).load(Ordering::Relaxed)
    }

    #[inline(always)]
    fn or(&self, at: usize, bits: u64) -> u64 {
        self.word(at).fetch_or(bits, Ordering::Acquire)
    }

    #[inline(always)]
    fn release_or(&self, at: usize, bits: u64) {
        // SAFETY: as in `word`.
        unsafe { arch::release_or(self.base.add(at), bits) }
    }

    #[inline(always)]
    fn and(&self, at: usize, keep: u64) {
        self.word(at).fetch_and(keep, Ordering::Relaxed);
    }

    #[inline(always)]
    fn release_and(&self, at: usize, keep: u64) {
        // SAFETY: as in `word`.
        unsafe { arch::release_and(self.base.add(at), keep) }
    }

    #[inline(always)]
    fn exchange(&self, at: usize, old: u64, new: u64) -> bool {
        self.word(at)
            .compare_exchange(old, new, Ordering::AcqRel, Ordering::Relaxed)
            .is_ok()
    }

    #[inline(always)]
    fn note(&self, at: usize) -> u64 {
        // SAFETY: as in `word`. Should another warp come to write here, what is read is a note all the same.
        unsafe { arch::load_own(self.base.add(at)) }
    }

    #[inline(always)]
    fn write_note(&self, at: usize, value: u64) {
        // SAFETY: as in `note`.
        unsafe { arch::store_own(self.base.add(at), value) }
    }
}

/// The pool, if the host offers one.
#[inline(always)]
fn offered() -> Option<Pool<PoolBooks>> {
    let offer = rpc::offer(features::POOL)?;
    Some(Pool {
        books: PoolBooks {
            base: offer.pool as *mut u64,
        },
        shape: Shape::new(offer.pool_pages)?,
    })
}

impl Pool<PoolBooks> {
    #[inline(always)]
    fn first_page(&self) -> *mut u8 {
        self.books.base.cast::<u8>().wrapping_add(self.shape.first_page())
    }

    #[inline(always)]
    fn home(&self) -> u32 {
        arch::home() & (self.shape.homes() - 1)
    }

    /// The offset of an address from the first page, if it lies in a page.
    #[inline(always)]
    fn offset_of(&self, block: *mut u8) -> Option<usize> {
        let offset = block.addr().wrapping_sub(self.first_page().addr());
        (offset < self.shape.pages() as usize * PAGE).then_some(offset)
    }

    /// Takes a block of `class` for each active lane; the offset of this lane's.
    ///
    /// Lanes of the same class are served together, by one of them. Nobody waits for a lane that is elsewhere.
    #[inline(always)]
    fn take_together(&self, class: u32) -> Option<usize> {
        let home = self.home();
        let lane = arch::lane_id();
        let mut unserved = arch::active_mask();
        loop {
            let leader = unserved.trailing_zeros();
            // SAFETY: the mask names the lanes that are still in this loop: all that began it, less those that left it, and
            // these have told so by the ballot at its end.
            let same = unsafe { arch::ballot(unserved, arch::shuffle(unserved, class, leader) == class) };
            let mut taken = Taken::NONE;
            if lane == leader {
                taken = self.take(class, same.count_ones().min(32), home);
            }
            // SAFETY: as above; no lane has left since.
            unsafe {
                taken.chunk = arch::shuffle(unserved, taken.chunk, leader);
                taken.bits = arch::shuffle(unserved, taken.bits, leader);
            }
            let rank = (same & ((1 << lane) - 1)).count_ones();
            // No branch here: a compiler that gives each way through the condition a ballot of its own would part the lanes.
            let is_served = (same >> lane & 1 == 1) & ((taken.bits == 0) | (rank < taken.bits.count_ones()));
            // SAFETY: as above.
            unserved &= !unsafe { arch::ballot(unserved, is_served) };
            if is_served {
                if taken.bits == 0 {
                    return None;
                }
                return Some(self.offset(class, taken.chunk, nth(taken.bits, rank)));
            }
        }
    }

    /// Gives each active lane's block back.
    #[inline(always)]
    fn give_together(&self, class: u32, chunk: u32, bit: u32) {
        let home = self.home();
        let lane = arch::lane_id();
        let mask = arch::active_mask();
        let leader = mask.trailing_zeros();
        let own = if lane < 32 { 1 << lane } else { 0 };
        // A warp that got its blocks together has bit and lane alike, if it is whole; then one atomic gives all of them back.
        // SAFETY: the mask is that of this very place, and no lane has left since.
        let alike = unsafe { arch::ballot(mask, arch::shuffle(mask, chunk, leader) == chunk && bit == own) };
        if alike == mask {
            // SAFETY: as above. What all lanes did comes before what the leader does now.
            unsafe { arch::sync_lanes(mask) };
            if lane == leader {
                self.give_blocks(chunk, mask as u32);
                self.note_free(class, chunk, mask as u32, home);
            }
        } else {
            self.give_blocks(chunk, bit);
            self.note_free(class, chunk, bit, home);
        }
    }
}

/// The number of the set bit that has `rank` set bits below it.
#[inline(always)]
fn nth(mut bits: u32, rank: u32) -> u32 {
    if bits == u32::MAX {
        return rank;
    }
    for _ in 0..rank {
        bits &= bits - 1;
    }
    bits.trailing_zeros()
}

/// Allocates `size` bytes (not 0) from the pool; null where it has none, or there is none.
///
/// The address is aligned to the size rounded up to a power of two, up to a page.
#[inline(always)]
pub(super) fn allocate(size: usize) -> *mut u8 {
    let Some(pool) = offered() else {
        return ptr::null_mut();
    };
    let offset = if size <= LARGEST {
        pool.take_together(class_of(size))
    } else {
        pool.take_run(size, pool.home())
    };
    match offset {
        Some(offset) => pool.first_page().wrapping_add(offset),
        None => ptr::null_mut(),
    }
}

/// Gives a block back to the pool. `false` if it has not handed out such a one.
#[inline(always)]
pub(super) fn give_back(block: *mut u8) -> bool {
    let Some((pool, offset)) = offered().and_then(|pool| Some((pool, pool.offset_of(block)?))) else {
        return false;
    };
    match pool.find(offset) {
        Piece::Block { class, chunk, bit } => {
            pool.give_together(class, chunk, bit);
            true
        }
        Piece::Run { page, pages } => pool.give_run(page, pages),
        Piece::Nothing => false,
    }
}

/// Whether an address lies in the pool.
pub(super) fn is_pooled(block: *mut u8) -> bool {
    offered().is_some_and(|pool| pool.offset_of(block).is_some())
}

/// Makes a block as good as one of `size` bytes where it lies. `false` if it has to move, or is not the pool's.
#[inline(never)]
pub(super) fn resize(block: *mut u8, size: usize) -> bool {
    let Some((pool, offset)) = offered().and_then(|pool| Some((pool, pool.offset_of(block)?))) else {
        return false;
    };
    match pool.find(offset) {
        // A block that is more than twice too large is worth moving.
        Piece::Block { class, .. } => size <= block_size(class) && size > block_size(class) / 4,
        Piece::Run { page, pages } => size > LARGEST && pool.resize_run(page, pages, size),
        Piece::Nothing => false,
    }
}
