//! Lanes that are named, rather than those that happen to be together.

use crate::arch;
use crate::warp::{Value, initial};

/// Lanes of one warp that act together because they have agreed to: each function waits until all of them have come.
///
/// The agreement is what makes a group `unsafe` to make and safe to use:
///
/// ```ignore
/// // SAFETY: every lane of the warp comes here, and none leaves before the end of the sum.
/// let warp = unsafe { Group::of_warp() };
/// let total = warp.sum(mine);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Group {
    mask: u64,
}

impl Group {
    /// The lanes in `mask`, lane 0 in bit 0.
    ///
    /// # Safety
    /// The calling lane is in `mask`. All lanes in `mask` make the same group and call the same functions of it in the same order, no
    /// other lane uses a group of this mask, and none of them ends before the last of these calls. A lane that never comes lets the
    /// others wait for ever; on AMD, where lanes run in lockstep, the lanes must come to each call together, which they do unless they
    /// call from different sides of a branch.
    #[inline]
    pub unsafe fn new(mask: u64) -> Self {
        Self { mask }
    }

    /// All lanes with which this warp began.
    ///
    /// # Safety
    /// As for [`new`](Self::new); none of them has ended.
    #[inline]
    pub unsafe fn of_warp() -> Self {
        // SAFETY: the caller's promise.
        unsafe { Self::new(initial()) }
    }

    /// The lanes that are active together here, for one operation: who holds on to the group may no longer be with them.
    #[inline(always)]
    pub(super) fn here() -> Self {
        Self {
            mask: arch::active_mask(),
        }
    }

    /// The lanes, as a mask.
    #[inline]
    pub fn mask(self) -> u64 {
        self.mask
    }

    /// Number of lanes.
    #[inline]
    pub fn lanes(self) -> u32 {
        self.mask.count_ones()
    }

    /// Whether this lane is the lowest of the group.
    #[inline]
    pub fn is_first(self) -> bool {
        self.mask.trailing_zeros() == arch::lane_id()
    }

    /// Waits for the lanes of the group. What each wrote before is seen by all of them after.
    #[inline]
    pub fn sync(self) {
        // SAFETY: all lanes of the mask call this, as whoever made the group has promised.
        unsafe { arch::sync_lanes(self.mask) }
    }

    /// The lanes whose `predicate` is true.
    #[inline]
    pub fn ballot(self, predicate: bool) -> u64 {
        // SAFETY: as in `sync`.
        unsafe { arch::ballot(self.mask, predicate) }
    }

    /// Whether `predicate` is true in any lane.
    #[inline]
    pub fn any(self, predicate: bool) -> bool {
        self.ballot(predicate) != 0
    }

    /// Whether `predicate` is true in all lanes.
    #[inline]
    pub fn all(self, predicate: bool) -> bool {
        self.ballot(!predicate) == 0
    }

    /// The value of the lowest lane.
    #[inline]
    pub fn broadcast<T: Value>(self, value: T) -> T {
        // SAFETY: as in `sync`; a type has the same number of words in every lane.
        value.map_words(|word| unsafe { arch::broadcast(self.mask, word) })
    }

    /// The value of lane `lane`, the same or another in each lane. Unspecified where that lane is not in the group.
    #[inline]
    pub fn shuffle<T: Value>(self, value: T, lane: u32) -> T {
        // SAFETY: as in `broadcast`.
        value.map_words(|word| unsafe { arch::shuffle(self.mask, word, lane) })
    }

    /// All lanes' values joined by `join`, from the lowest lane to the highest, so that every lane gets the same result.
    #[inline]
    pub fn reduce<T: Value>(self, value: T, mut join: impl FnMut(T, T) -> T) -> T {
        // `join` is the program's own and might part the lanes, but each shuffle waits for all of them, and a panic ends the program.
        let mut result = self.shuffle(value, self.mask.trailing_zeros());
        let mut rest = self.mask & (self.mask - 1);
        while rest != 0 {
            result = join(result, self.shuffle(value, rest.trailing_zeros()));
            rest &= rest - 1;
        }
        result
    }

    /// The sum of all lanes' values, wrapping around.
    #[inline]
    pub fn sum(self, value: u32) -> u32 {
        self.reduce(value, u32::wrapping_add)
    }
}
