//! What lanes can pass to one another.

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
