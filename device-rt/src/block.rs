//! The block (AMD: workgroup): threads that share a compute unit, a barrier and fast memory.

use core::sync::atomic::AtomicU32;

use crate::arch;
use crate::thread::Dim3;

/// The place of this thread's block in the grid.
#[inline]
pub fn id() -> Dim3 {
    arch::block_id().into()
}

/// The number of this thread's block in the grid, 0 to [`count`]` - 1`.
#[inline]
pub fn index() -> u64 {
    grid_size().index_of(id())
}

/// Threads of a block.
#[inline]
pub fn size() -> Dim3 {
    arch::block_size().into()
}

/// Blocks of the grid, by dimension.
#[inline]
pub fn grid_size() -> Dim3 {
    arch::grid_size().into()
}

/// Number of blocks in the grid.
#[inline]
pub fn count() -> u64 {
    grid_size().volume()
}

/// Waits until all threads of the block are here, those that have ended excepted. What each wrote before is seen by all of them after.
///
/// All of them have to come, and equally often: a thread that waits for one that never comes waits for ever.
#[inline]
pub fn sync() {
    arch::sync_block();
}

/// The memory that the block's threads share: its start, aligned to 16, and its size in bytes.
///
/// Its size is chosen at the launch (`gpu-loader --shared-mem`), 0 unless asked for. Its contents are unspecified when the block starts.
/// All threads of the block get the same memory, at any time and all at once, hence a raw pointer: who may touch what between two
/// [`sync`]s is the program's affair.
#[inline]
pub fn shared_memory() -> *mut [u8] {
    let (start, size) = arch::block_memory();
    core::ptr::slice_from_raw_parts_mut(start, size)
}

/// The memory that the block's threads share, as words that any thread may read and write at any time.
///
/// The same memory as [`shared_memory`]: a program uses either.
#[inline]
pub fn shared_words() -> &'static [AtomicU32] {
    let (start, size) = arch::block_memory();
    // SAFETY: the memory is aligned to 16 and as long as the block, any bits are a word, and access through this reference is atomic. A
    // thread of another block that got hold of the reference would reach its own block's memory, of the same size.
    unsafe { core::slice::from_raw_parts(start.cast(), size / size_of::<AtomicU32>()) }
}
