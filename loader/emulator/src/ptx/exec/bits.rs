//! Integer operations that the host has no single method for.

/// What the generic instructions need of an integer type.
pub(crate) trait Int: Copy {
    /// Division as the hardware leaves it: by zero gives all ones, overflow wraps.
    fn divide(a: Self, b: Self) -> Self;
    /// Remainder; by zero gives all ones (seen on an H200).
    fn remainder(a: Self, b: Self) -> Self;
    /// The upper half of the double-width product.
    fn multiply_high(a: Self, b: Self) -> Self;
    /// `|a - b|`
    fn distance(a: Self, b: Self) -> Self;
    /// `a + b + carry`, and the carry out.
    fn add_carry(a: Self, b: Self, carry: bool) -> (Self, bool);
    /// `a - b - borrow`, and the borrow out.
    fn sub_borrow(a: Self, b: Self, borrow: bool) -> (Self, bool);
    /// The bits that tell where the most significant one is that differs from the sign.
    fn magnitude_bits(self) -> u64;
}

macro_rules! ints {
    ($($t:ty, $unsigned:ty, $wide:ty, |$x:ident| $magnitude:expr;)*) => {$(
        impl Int for $t {
            #[inline(always)]
            fn divide(a: $t, b: $t) -> $t {
                if b == 0 { !0 } else { a.wrapping_div(b) }
            }
            #[inline(always)]
            fn remainder(a: $t, b: $t) -> $t {
                if b == 0 { !0 } else { a.wrapping_rem(b) }
            }
            #[inline(always)]
            fn multiply_high(a: $t, b: $t) -> $t {
                ((a as $wide * b as $wide) >> <$t>::BITS) as $t
            }
            #[inline(always)]
            fn distance(a: $t, b: $t) -> $t {
                a.abs_diff(b) as $t
            }
            #[inline(always)]
            fn add_carry(a: $t, b: $t, carry: bool) -> ($t, bool) {
                let (sum, first) = (a as $unsigned).overflowing_add(b as $unsigned);
                let (sum, second) = sum.overflowing_add(<$unsigned>::from(carry));
                (sum as $t, first | second)
            }
            #[inline(always)]
            fn sub_borrow(a: $t, b: $t, borrow: bool) -> ($t, bool) {
                let (difference, first) = (a as $unsigned).overflowing_sub(b as $unsigned);
                let (difference, second) = difference.overflowing_sub(<$unsigned>::from(borrow));
                (difference as $t, first | second)
            }
            #[inline(always)]
            fn magnitude_bits(self) -> u64 {
                let $x = self;
                ($magnitude) as $unsigned as u64
            }
        }
    )*};
}

ints! {
    u16, u16, u32, |x| x;
    i16, u16, i32, |x| x ^ (x >> 15);
    u32, u32, u64, |x| x;
    i32, u32, i64, |x| x ^ (x >> 31);
    u64, u64, u128, |x| x;
    i64, u64, i128, |x| x ^ (x >> 63);
}

/// `b:a` as one number.
pub(crate) fn join(low: u32, high: u32) -> u64 {
    u64::from(high) << 32 | u64::from(low)
}

/// `f` on both 16-bit halves.
#[inline(always)]
pub(crate) fn halves(a: u32, b: u32, f: impl Fn(u16, u16) -> u16) -> u32 {
    u32::from(f(a as u16, b as u16)) | u32::from(f((a >> 16) as u16, (b >> 16) as u16)) << 16
}

pub(crate) fn mul24(a: u32, b: u32) -> u64 {
    u64::from(a & 0xff_ffff) * u64::from(b & 0xff_ffff)
}

pub(crate) fn mul24_signed(a: i32, b: i32) -> i64 {
    i64::from(a << 8 >> 8) * i64::from(b << 8 >> 8)
}

/// `prmt`: each nibble of the selector picks a byte of `b:a`, its top bit replicates that byte's sign.
pub(crate) fn permute(a: u32, b: u32, selector: u32) -> u32 {
    let bytes = join(a, b).to_le_bytes();
    let pick = |n: usize| {
        let nibble = selector >> (4 * n) & 15;
        let byte = bytes[(nibble & 7) as usize];
        if nibble & 8 != 0 {
            ((byte as i8) >> 7) as u8
        } else {
            byte
        }
    };
    u32::from_le_bytes([pick(0), pick(1), pick(2), pick(3)])
}

/// The selector of one of `prmt`'s modes.
pub(crate) fn select4(c: u32, selectors: [u32; 4]) -> u32 {
    selectors[(c & 3) as usize]
}

/// `bfind`: position of the top one bit, or the shift that brings it to the top.
pub(crate) fn find(bits: u64, width: u32, shift_amount: bool) -> u32 {
    if bits == 0 {
        return u32::MAX;
    }
    let position = 63 - bits.leading_zeros();
    if shift_amount { width - 1 - position } else { position }
}

/// Position and length of a field: 8 bits count for 32-bit values, as the manual says, all bits for 64-bit ones (seen on an
/// H200).
fn field(position: u32, length: u32, width: u32) -> (u32, u32) {
    if width == 64 {
        (position.min(255), length.min(255))
    } else {
        (position & 255, length & 255)
    }
}

/// `bfe.u`
pub(crate) fn extract(a: u64, position: u32, length: u32, width: u32) -> u64 {
    let (position, length) = field(position, length, width);
    if position >= width || length == 0 {
        return 0;
    }
    let shifted = a >> position;
    if length >= 64 {
        shifted
    } else {
        shifted & ((1 << length) - 1)
    }
}

/// `bfe.s`: the sign is that of the field's top bit, or of the source where the field reaches past it.
pub(crate) fn extract_signed(a: i64, position: u32, length: u32, width: u32) -> i64 {
    let (position, length) = field(position, length, width);
    if length == 0 {
        return 0;
    }
    let sign_at = (position + length - 1).min(width - 1);
    let negative = a >> sign_at & 1 != 0;
    let field = extract(a as u64 & (u64::MAX >> (64 - width)), position, length, width);
    let kept = width.saturating_sub(position).min(length);
    if !negative || kept >= 64 {
        return field as i64;
    }
    (field | u64::MAX << kept) as i64
}

/// `bfi`
pub(crate) fn insert(a: u64, b: u64, position: u32, length: u32, width: u32) -> u64 {
    if position >= width || length == 0 {
        return b;
    }
    let ones = if length >= 64 { u64::MAX } else { (1 << length) - 1 };
    let mask = ones << position;
    (b & !mask) | (a << position & mask)
}

/// `fns`: the position of the n-th set bit from `base` on, upwards for positive offsets, downwards for negative ones.
pub(crate) fn find_nth_set(mask: u32, base: u32, offset: i32) -> u32 {
    if base > 31 {
        return u32::MAX;
    }
    if offset == 0 {
        return if mask >> base & 1 != 0 { base } else { u32::MAX };
    }
    let mut left = offset.unsigned_abs();
    let mut at = base as i32;
    let step = offset.signum();
    while (0..32).contains(&at) {
        if mask >> at & 1 != 0 {
            left -= 1;
            if left == 0 {
                return at as u32;
            }
        }
        at += step;
    }
    u32::MAX
}

/// `bmsk`
pub(crate) fn mask(position: u32, length: u32) -> u32 {
    if position > 31 {
        return 0;
    }
    let ones = if length >= 32 { u32::MAX } else { (1 << length) - 1 };
    ones << position
}

fn part(value: u32, at: u32, bits: u32, signed: bool) -> i32 {
    let shifted = value << (32 - bits - at * bits);
    if signed {
        shifted as i32 >> (32 - bits)
    } else {
        (shifted >> (32 - bits)) as i32
    }
}

/// `dp4a`: four 8-bit products, summed into `c`.
pub(crate) fn dot4(a: u32, b: u32, c: u32, a_signed: bool, b_signed: bool) -> u32 {
    (0..4).fold(c, |sum, n| {
        sum.wrapping_add((part(a, n, 8, a_signed) * part(b, n, 8, b_signed)) as u32)
    })
}

/// `dp2a`: two 16-bit times 8-bit products, summed into `c`.
pub(crate) fn dot2(a: u32, b: u32, c: u32, a_signed: bool, b_signed: bool) -> u32 {
    (0..2).fold(c, |sum, n| {
        sum.wrapping_add((part(a, n, 16, a_signed).wrapping_mul(part(b, n, 8, b_signed))) as u32)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fields() {
        assert_eq!(extract(0xabcd, 4, 8, 32), 0xbc);
        assert_eq!(extract(0xabcd, 32, 8, 32), 0);
        assert_eq!(extract_signed(0xabcd, 4, 8, 32), 0xbcu8 as i8 as i64);
        assert_eq!(extract_signed(i64::from(i32::MIN), 28, 100, 32) as i32, -8);
        assert_eq!(extract_signed(i64::from(i32::MIN), 40, 4, 32) as i32, -1);
        assert_eq!(insert(0xf, 0, 30, 8, 32) as u32, 0xc000_0000);
        assert_eq!(insert(0xf, 7, 32, 8, 32), 7);
        assert_eq!(mask(4, 4), 0xf0);
    }

    #[test]
    fn permutations_replicate_signs() {
        assert_eq!(permute(0x3322_1180, 0x7766_5544, 0x7654), 0x7766_5544);
        assert_eq!(permute(0x3322_1180, 0, 0x0008), 0x8080_80ff);
    }

    #[test]
    fn bits_are_found() {
        assert_eq!(find(0, 32, false), u32::MAX);
        assert_eq!(find((-2i32).magnitude_bits(), 32, false), 0);
        assert_eq!(find(1u32.magnitude_bits(), 32, true), 31);
        assert_eq!(find_nth_set(0b1010, 0, 2), 3);
        assert_eq!(find_nth_set(0b1010, 3, -2), 1);
    }

    #[test]
    fn products_of_parts() {
        assert_eq!(dot4(0x01ff_01ff, 0x0202_0202, 10, true, false), 10);
        assert_eq!(dot4(0x0000_00ff, 0x0000_0002, 0, false, false), 510);
        assert_eq!(mul24_signed(0x00ff_ffff, 3), -3);
        assert_eq!(i32::multiply_high(-1, 1), -1);
    }
}
