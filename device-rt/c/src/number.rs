//! Floats in texts: `strtod`, `strtof` and `atof`. Decimal ones are read by Rust's `core`, which rounds correctly; C's hexadecimal ones here.

use core::ffi::{CStr, c_char};
use core::{ptr, str};

use crate::errno;

/// What differs between the two formats.
trait Float: Copy + str::FromStr {
    /// Bits of a normal number's significand, the hidden one included.
    const PRECISION: i32;
    /// The exponent of the smallest number above 0, a power of two.
    const LEAST_EXPONENT: i32;

    /// A number that this format has, or one beyond its largest.
    fn from_exact(value: f64) -> Self;

    fn negated(self) -> Self;

    /// Neither 0, nor subnormal, nor infinite, nor no number.
    fn is_normal(self) -> bool;
}

macro_rules! float {
    ($float:ident, $least:expr) => {
        impl Float for $float {
            const PRECISION: i32 = $float::MANTISSA_DIGITS as i32;
            const LEAST_EXPONENT: i32 = $least;

            fn from_exact(value: f64) -> Self {
                value as $float
            }

            fn negated(self) -> Self {
                -self
            }

            fn is_normal(self) -> bool {
                self.is_normal()
            }
        }
    };
}

float!(f32, -149);
float!(f64, -1074);

/// C's `strtod`.
///
/// # Safety
/// `text` is a C string; `end` is null or leads to a pointer.
#[cfg_attr(gpu, unsafe(no_mangle))]
pub unsafe extern "C" fn strtod(text: *const c_char, end: *mut *const c_char) -> f64 {
    // SAFETY: the caller's promise.
    unsafe { parse(text, end) }
}

/// C's `strtof`.
///
/// # Safety
/// As for [`strtod`].
#[cfg_attr(gpu, unsafe(no_mangle))]
pub unsafe extern "C" fn strtof(text: *const c_char, end: *mut *const c_char) -> f32 {
    // SAFETY: the caller's promise.
    unsafe { parse(text, end) }
}

/// C's `atof`.
///
/// # Safety
/// `text` is a C string.
#[cfg_attr(gpu, unsafe(no_mangle))]
pub unsafe extern "C" fn atof(text: *const c_char) -> f64 {
    // SAFETY: the caller's promise.
    unsafe { parse(text, ptr::null_mut()) }
}

/// # Safety
/// As for [`strtod`].
unsafe fn parse<F: Float>(text: *const c_char, end: *mut *const c_char) -> F {
    // SAFETY: the caller's promise.
    let bytes = unsafe { CStr::from_ptr(text) }.to_bytes();
    let (value, length) = read(bytes);
    if !end.is_null() {
        // SAFETY: as above; the text is at least as long as what was read of it.
        unsafe { end.write(text.add(length)) };
    }
    value
}

/// The number at the start of a text, and how much of the text it takes: nothing where there is none.
fn read<F: Float>(text: &[u8]) -> (F, usize) {
    let zero = F::from_exact(0.0);
    // C's white space: vertical tabs are none of Rust's.
    let start = text
        .iter()
        .position(|&byte| !matches!(byte, b' ' | 9..=13))
        .unwrap_or(text.len());
    let negative = text.get(start) == Some(&b'-');
    let start = start + usize::from(matches!(text.get(start), Some(b'-' | b'+')));
    let rest = text.get(start..).unwrap_or_default();
    let number = special::<F>(rest)
        .or_else(|| hexadecimal(rest))
        .or_else(|| decimal(rest));
    let Some((value, length)) = number else {
        return (zero, 0);
    };
    (if negative { value.negated() } else { value }, start + length)
}

/// `inf`, `infinity`, `nan` and `nan(…)`.
fn special<F: Float>(text: &[u8]) -> Option<(F, usize)> {
    let starts_with = |word: &[u8]| {
        text.get(..word.len())
            .is_some_and(|head| head.eq_ignore_ascii_case(word))
    };
    if starts_with(b"inf") {
        let length = if starts_with(b"infinity") { 8 } else { 3 };
        return Some((F::from_exact(f64::INFINITY), length));
    }
    if !starts_with(b"nan") {
        return None;
    }
    let inner = text.get(4..).filter(|_| text.get(3) == Some(&b'('));
    let close = inner.and_then(|inner| {
        inner
            .iter()
            .position(|&byte| !byte.is_ascii_alphanumeric() && byte != b'_')
    });
    let length = match (inner, close) {
        (Some(inner), Some(close)) if inner.get(close) == Some(&b')') => 5 + close,
        _ => 3,
    };
    Some((F::from_exact(f64::NAN), length))
}

fn decimal<F: Float>(text: &[u8]) -> Option<(F, usize)> {
    let (mut length, mut any, mut nonzero, mut point) = (0, false, false, false);
    while let Some(&byte @ (b'0'..=b'9' | b'.')) = text.get(length) {
        if byte == b'.' && core::mem::replace(&mut point, true) {
            break;
        }
        any |= byte != b'.';
        nonzero |= !matches!(byte, b'0' | b'.');
        length += 1;
    }
    if !any {
        return None;
    }
    if let Some((_, digits)) = exponent(text.get(length..)?, b'e') {
        length += digits;
    }
    let value = str::from_utf8(text.get(..length)?).ok()?.parse::<F>().ok()?;
    Some((checked(value, nonzero), length))
}

/// `0x`, digits and the power of two, if one is there.
fn hexadecimal<F: Float>(text: &[u8]) -> Option<(F, usize)> {
    if !matches!(text, [b'0', b'x' | b'X', ..]) {
        return None;
    }
    // 64 bits and whether any of those that found no room is not zero; the value is theirs times a power of two.
    let (mut bits, mut more, mut power) = (0u64, false, 0i32);
    let (mut length, mut any, mut point) = (2, false, false);
    loop {
        let byte = text.get(length).copied().unwrap_or(0);
        if byte == b'.' && !point {
            point = true;
        } else if let Some(digit) = char::from(byte).to_digit(16) {
            any = true;
            if bits >> 60 == 0 {
                bits = bits << 4 | u64::from(digit);
                power = power.saturating_sub(if point { 4 } else { 0 });
            } else {
                more |= digit != 0;
                power = power.saturating_add(if point { 0 } else { 4 });
            }
        } else {
            break;
        }
        length += 1;
    }
    if !any {
        // The 0 alone is a number.
        return None;
    }
    if let Some((value, digits)) = exponent(text.get(length..)?, b'p') {
        power = power.saturating_add(value);
        length += digits;
    }
    Some((checked(rounded(bits, more, power), bits != 0), length))
}

/// An exponent behind its letter, and how many bytes both are.
fn exponent(text: &[u8], letter: u8) -> Option<(i32, usize)> {
    if text.first()?.to_ascii_lowercase() != letter {
        return None;
    }
    let start = 1 + usize::from(matches!(text.get(1), Some(b'-' | b'+')));
    let mut length = start;
    let mut value = 0i32;
    while let Some(&digit @ b'0'..=b'9') = text.get(length) {
        value = value.saturating_mul(10).saturating_add(i32::from(digit - b'0'));
        length += 1;
    }
    let value = if text.get(1) == Some(&b'-') { -value } else { value };
    (length > start).then_some((value, length))
}

/// `bits` and a little `more` times two to a power, rounded to the nearest number, to an even one from the middle.
fn rounded<F: Float>(bits: u64, more: bool, power: i32) -> F {
    if bits == 0 {
        return F::from_exact(0.0);
    }
    let shift = bits.leading_zeros() as i32;
    let (bits, power) = (bits << shift, power.saturating_sub(shift));
    // So many bits are beyond the format's precision; of numbers close to 0, more.
    let excess = (64 - F::PRECISION).max(F::LEAST_EXPONENT.saturating_sub(power));
    let (kept, rest, half) = match excess {
        ..64 => (bits >> excess, bits & ((1 << excess) - 1), 1 << (excess - 1)),
        64 => (0, bits, 1 << 63),
        // Less than half of the smallest number.
        65.. => (0, 0, 1),
    };
    let up = rest > half || (rest == half && (more || kept & 1 == 1));
    let kept = (kept + u64::from(up)) as f64;
    F::from_exact(kept * two_to(power.saturating_add(excess)))
}

/// A power of two that `f64` has; infinity for those beyond.
fn two_to(power: i32) -> f64 {
    match power {
        1024.. => f64::INFINITY,
        -1022.. => f64::from_bits(((power + 1023) as u64) << 52),
        -1074.. => f64::from_bits(1 << (power + 1074)),
        _ => 0.0,
    }
}

/// Sets `errno` where a number other than 0 is too large or too small.
fn checked<F: Float>(value: F, nonzero: bool) -> F {
    if nonzero && !value.is_normal() {
        errno::set(ERANGE);
    }
    value
}

const ERANGE: i32 = 34;

#[cfg(test)]
mod tests {
    use super::*;

    extern crate std;

    /// What the C library of this machine makes of a text.
    fn theirs(text: &str) -> (f64, f32, usize) {
        unsafe extern "C" {
            fn strtod(text: *const c_char, end: *mut *const c_char) -> f64;
            fn strtof(text: *const c_char, end: *mut *const c_char) -> f32;
        }
        let text = std::ffi::CString::new(text).unwrap();
        let mut end = ptr::null();
        // SAFETY: a C string and a place for its end.
        let (double, single) = unsafe { (strtod(text.as_ptr(), &mut end), strtof(text.as_ptr(), &mut end)) };
        (double, single, end.addr() - text.as_ptr().addr())
    }

    fn compare(text: &str) {
        let (double, single, length) = theirs(text);
        let ours = read::<f64>(text.as_bytes());
        assert_eq!(
            (ours.0.to_bits() << 1 >> 1, ours.1),
            (double.to_bits() << 1 >> 1, length),
            "{text:?}"
        );
        assert_eq!(ours.0.is_sign_negative(), double.is_sign_negative(), "{text:?}");
        let ours = read::<f32>(text.as_bytes());
        assert_eq!(ours.0.to_bits() << 1, single.to_bits() << 1, "{text:?}");
    }

    #[test]
    fn edges_read_as_in_the_c_library() {
        for text in [
            "",
            " ",
            "x",
            "-",
            "+.",
            ".",
            "1",
            "-0",
            "+1.",
            ".5e",
            "1e+",
            "1e5x",
            " \t\n\x0b\x0c\r-12.5e-1!",
            "1..2",
            "0x",
            "0x.",
            "0x.p1",
            "0x1p",
            "0x1.8p1",
            "0xp3",
            "0X.8P+1z",
            "inf",
            "-INFinity",
            "infinit",
            "nan",
            "nan(",
            "nan(1_a)",
            "nan(%)",
            "in",
            "0x1p-1074",
            "0x1p-1075",
            "0x1.00001p-1075",
            "0x1.fffffffffffff8p0",
            "0x1.fffffffffffff7p0",
            "0x1.fffffffffffffp1023",
            "0x1p1024",
            "0x1.fffffffffffff8p1023",
            "0x1p-149",
            "0x1p-150",
            "0x1.8p-150",
            "0x1.ffffffp127",
            "0x1.fffffep127",
            "1e308",
            "1e309",
            "4.9e-324",
            "2e-324",
            "1e-400",
            "2.2250738585072011e-308",
            "0x123456789abcdef0123456789p-9",
            "0x80000000000004000000001p0",
            "0x80000000000004000000000p0",
            "0x0.00000000000000000000000000000001p3",
            "1e99999999999",
            "0x1p99999999999",
            "0x1p-99999999999",
        ] {
            compare(text);
        }
    }

    #[test]
    fn thousands_read_as_in_the_c_library() {
        let mut state = 1u64;
        let mut next = || {
            state = state
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1_442_695_040_888_963_407);
            state >> 11
        };
        for _ in 0..20_000 {
            let (a, b, exponent) = (next(), next() % 1_000_000, next() as i64 % 700 - 350);
            compare(&std::format!("{a}.{b}e{exponent}"));
            compare(&std::format!("-{b}.{a}"));
            compare(&std::format!("0x{a:x}.{b:x}p{}", exponent * 4));
            compare(&std::format!("0x{:x}{b:05x}p{}", a << 9, -1074 - 60 + exponent % 30));
        }
    }
}
