//! The warp (AMD: wavefront): lanes that execute together, and what they can tell one another without memory.
//!
//! Each operation takes place among the lanes that are active together when it is called; under a branch these may be few. A lane that
//! is elsewhere is never waited for. On NVIDIA, lanes that have parted need not come together again by themselves: where an operation
//! must find a whole warp, call [`sync`] before it.

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
    // SAFETY: the mask is that of this very place.
    unsafe { arch::ballot(arch::active_mask(), predicate) }
}

/// Whether `predicate` is true in any lane.
#[inline]
pub fn any(predicate: bool) -> bool {
    ballot(predicate) != 0
}

/// Whether `predicate` is true in all lanes.
#[inline]
pub fn all(predicate: bool) -> bool {
    ballot(!predicate) == 0
}

/// The value of the lowest lane.
#[inline]
pub fn broadcast<T: Value>(value: T) -> T {
    let mask = arch::active_mask();
    // SAFETY: the mask is that of this very place, and nothing between it and the last word's broadcast depends on the lane.
    value.map_words(|word| unsafe { arch::broadcast(mask, word) })
}

/// The value of lane `lane`, the same or another in each lane. Unspecified where that lane is not active.
#[inline]
pub fn shuffle<T: Value>(value: T, lane: u32) -> T {
    let mask = arch::active_mask();
    // SAFETY: as in `broadcast`.
    value.map_words(|word| unsafe { arch::shuffle(mask, word, lane) })
}

/// All lanes' values joined by `join`, from the lowest lane to the highest, so that every lane gets the same result.
#[inline]
pub fn reduce<T: Value>(value: T, mut join: impl FnMut(T, T) -> T) -> T {
    let mask = arch::active_mask();
    // SAFETY: as in `broadcast`. `join` is the program's own and might part the lanes, but the mask names all that come back, and a
    // panic ends the program.
    let of = |lane: u32| value.map_words(|word| unsafe { arch::shuffle(mask, word, lane) });
    let mut result = of(mask.trailing_zeros());
    let mut rest = mask & (mask - 1);
    while rest != 0 {
        result = join(result, of(rest.trailing_zeros()));
        rest &= rest - 1;
    }
    result
}

/// The sum of all lanes' values, wrapping around.
#[inline]
pub fn sum(value: u32) -> u32 {
    reduce(value, u32::wrapping_add)
}

/// What lanes can pass to one another: plain numbers, and arrays and pairs of them.
pub trait Value: Copy {
    /// The value made of what `map` makes of each 32-bit word of this one.
    #[doc(hidden)]
    fn map_words(self, map: impl FnMut(u32) -> u32) -> Self;
}

impl Value for u32 {
    #[inline]
    fn map_words(self, mut map: impl FnMut(u32) -> u32) -> Self {
        map(self)
    }
}

impl Value for u64 {
    #[inline]
    fn map_words(self, mut map: impl FnMut(u32) -> u32) -> Self {
        let low = map(self as u32);
        let high = map((self >> 32) as u32);
        u64::from(high) << 32 | u64::from(low)
    }
}

impl Value for u128 {
    #[inline]
    fn map_words(self, mut map: impl FnMut(u32) -> u32) -> Self {
        let low = (self as u64).map_words(&mut map);
        let high = ((self >> 64) as u64).map_words(&mut map);
        u128::from(high) << 64 | u128::from(low)
    }
}

impl Value for bool {
    #[inline]
    fn map_words(self, mut map: impl FnMut(u32) -> u32) -> Self {
        map(u32::from(self)) != 0
    }
}

impl<T: Value, const N: usize> Value for [T; N] {
    #[inline]
    fn map_words(self, mut map: impl FnMut(u32) -> u32) -> Self {
        self.map(|value| value.map_words(&mut map))
    }
}

impl<A: Value, B: Value> Value for (A, B) {
    #[inline]
    fn map_words(self, mut map: impl FnMut(u32) -> u32) -> Self {
        (self.0.map_words(&mut map), self.1.map_words(&mut map))
    }
}

/// Numbers that travel as a number of another type.
macro_rules! travel_as {
    ($($carrier:ident { $($value:ident, $to:expr, $from:expr;)* })*) => {$($(
        impl Value for $value {
            #[inline]
            fn map_words(self, map: impl FnMut(u32) -> u32) -> Self {
                let (to, from): (fn($value) -> $carrier, fn($carrier) -> $value) = ($to, $from);
                from(to(self).map_words(map))
            }
        }
    )*)*};
}

travel_as! {
    u32 {
        u8, u32::from, |word| word as u8;
        i8, |value| value as u32, |word| word as i8;
        u16, u32::from, |word| word as u16;
        i16, |value| value as u32, |word| word as i16;
        i32, i32::cast_unsigned, u32::cast_signed;
        f32, f32::to_bits, f32::from_bits;
    }
    u64 {
        i64, i64::cast_unsigned, u64::cast_signed;
        usize, |value| value as u64, |words| words as usize;
        isize, |value| value as u64, |words| words as isize;
        f64, f64::to_bits, f64::from_bits;
    }
    u128 {
        i128, i128::cast_unsigned, u128::cast_signed;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_survive_the_way_through_words() {
        assert_eq!((-5_i8).map_words(|word| word), -5);
        assert_eq!((-5_i64).map_words(|word| word), -5);
        assert_eq!(i128::MIN.map_words(|word| word), i128::MIN);
        assert_eq!(1.5_f64.map_words(|word| word), 1.5);
        assert_eq!(([1_u16, 2], true).map_words(|word| word), ([1, 2], true));
    }

    #[test]
    fn every_word_is_mapped_once() {
        let mut words = 0;
        let _ = (1_u128, [1_f32; 3]).map_words(|word| {
            words += 1;
            word
        });
        assert_eq!(words, 7);
    }
}
