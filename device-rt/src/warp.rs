//! The warp (AMD: wavefront): lanes that execute together, and what they can tell one another without memory.
//!
//! Each function here takes place among the lanes that happen to be active together when it is called, and never waits for one that is
//! elsewhere. Which lanes these are is no property of the program: on NVIDIA (Volta and later) lanes may part at any instruction and need
//! not come together again by themselves, not even right behind a [`sync`]. Such functions are for work that is right with any set of
//! lanes, such as one atomic operation for all that want it just now.
//!
//! Where an operation needs certain lanes, name them: the functions of a [`Group`] wait for all of its lanes.

mod group;
mod value;

pub use group::Group;
pub use value::Value;

use crate::arch;

/// The number of this lane, 0 to [`lanes`]` - 1`.
#[inline]
pub fn lane() -> u32 {
    arch::lane_id()
}

/// Lanes of a warp: 32 on NVIDIA, 32 or 64 on AMD.
#[inline]
pub fn lanes() -> u32 {
    arch::lane_count()
}

/// The number of this thread's warp in its block.
#[inline]
pub fn index_in_block() -> u32 {
    crate::thread::index_in_block() / lanes()
}

/// The lanes that are active together, lane 0 in bit 0.
#[inline]
pub fn active() -> u64 {
    arch::active_mask()
}

/// The lanes with which this warp began, as a mask: all of them, but in the last warp of a block whose size is no multiple.
#[inline]
pub fn initial() -> u64 {
    let lanes = arch::lane_count();
    let [x, y, z] = arch::block_size();
    let left = x * y * z - index_in_block() * lanes;
    u64::MAX >> (64 - left.min(lanes))
}

/// Whether this lane is the lowest of those that are active together: a way to do something once for all of them.
#[inline]
pub fn elect() -> bool {
    arch::active_mask().trailing_zeros() == arch::lane_id()
}

/// Waits for the lanes in `mask`. What each wrote before is seen by all of them after.
///
/// # Safety
/// Every lane in `mask` calls this, with the same mask, and no other lane does. A lane of the mask that has ended, or never comes, leaves
/// the others undefined.
#[inline]
pub unsafe fn sync(mask: u64) {
    // SAFETY: the caller's promise.
    unsafe { arch::sync_lanes(mask) }
}

/// The lanes whose `predicate` is true.
#[inline]
pub fn ballot(predicate: bool) -> u64 {
    Group::here().ballot(predicate)
}

/// Whether `predicate` is true in any lane.
#[inline]
pub fn any(predicate: bool) -> bool {
    Group::here().any(predicate)
}

/// Whether `predicate` is true in all lanes.
#[inline]
pub fn all(predicate: bool) -> bool {
    Group::here().all(predicate)
}

/// The value of the lowest lane.
#[inline]
pub fn broadcast<T: Value>(value: T) -> T {
    Group::here().broadcast(value)
}

/// The value of lane `lane`, the same or another in each lane. Unspecified where that lane is not active.
#[inline]
pub fn shuffle<T: Value>(value: T, lane: u32) -> T {
    Group::here().shuffle(value, lane)
}

/// All lanes' values joined by `join`, from the lowest lane to the highest, so that every lane gets the same result.
#[inline]
pub fn reduce<T: Value>(value: T, join: impl FnMut(T, T) -> T) -> T {
    Group::here().reduce(value, join)
}

/// The sum of all lanes' values, wrapping around.
#[inline]
pub fn sum(value: u32) -> u32 {
    Group::here().sum(value)
}
