//! Floating-point arithmetic the way the device does it: directed rounding, flushed subnormals, saturation, canonical NaNs,
//! and the approximate functions.
//!
//! Rounding modes are numbered as in the control register of SSE: 0 nearest even, 1 down, 2 up, 3 towards zero.

use std::arch::asm;

pub(crate) const NEAREST: u32 = 0;
pub(crate) const DOWN: u32 = 1;
pub(crate) const UP: u32 = 2;
pub(crate) const ZERO: u32 = 3;

/// Control register: all exceptions masked.
const CONTROL: u32 = 0x1f80;

/// NaN results of single-precision arithmetic have this pattern (PTX ISA, floating-point instructions).
pub(crate) const NAN: f32 = f32::from_bits(0x7fff_ffff);

/// Any NaN becomes the one that the device gives.
#[inline(always)]
pub(crate) fn canonical(a: f32) -> f32 {
    if a.is_nan() { NAN } else { a }
}

/// Subnormal numbers become zeros of the same sign.
#[inline(always)]
pub(crate) fn flush(a: f32) -> f32 {
    if a.abs() < f32::MIN_POSITIVE {
        0f32.copysign(a)
    } else {
        a
    }
}

/// To between 0 and 1; NaN becomes 0.
#[inline(always)]
pub(crate) fn saturate(a: f32) -> f32 {
    if a > 0.0 { a.min(1.0) } else { 0.0 }
}

#[inline(always)]
pub(crate) fn saturate64(a: f64) -> f64 {
    if a > 0.0 { a.min(1.0) } else { 0.0 }
}

macro_rules! directed {
    ($($name:ident $t:ty, $instruction:literal, |$a:ident, $b:ident| $nearest:expr;)*) => {$(
        #[inline(always)]
        pub(crate) fn $name<const MODE: u32>($a: $t, $b: $t) -> $t {
            if MODE == NEAREST {
                return $nearest;
            }
            let (control, mut saved) = (CONTROL | MODE << 13, 0u32);
            let mut result = $a;
            // SAFETY: the rounding mode is changed for one instruction and put back; both words are locals.
            unsafe {
                asm!(
                    "stmxcsr [{saved}]",
                    "ldmxcsr [{control}]",
                    concat!($instruction, " {a}, {b}"),
                    "ldmxcsr [{saved}]",
                    saved = in(reg) &mut saved,
                    control = in(reg) &control,
                    a = inout(xmm_reg) result,
                    b = in(xmm_reg) $b,
                    options(nostack),
                );
            }
            result
        }
    )*};
}

directed! {
    add32 f32, "addss", |a, b| a + b;
    sub32 f32, "subss", |a, b| a - b;
    mul32 f32, "mulss", |a, b| a * b;
    div32 f32, "divss", |a, b| a / b;
    sqrt32_of f32, "sqrtss", |_a, b| b.sqrt();
    add64 f64, "addsd", |a, b| a + b;
    sub64 f64, "subsd", |a, b| a - b;
    mul64 f64, "mulsd", |a, b| a * b;
    div64 f64, "divsd", |a, b| a / b;
    sqrt64_of f64, "sqrtsd", |_a, b| b.sqrt();
}

/// `div.ftz`: what is too small for a normal number is flushed before it is rounded (seen on an H200).
#[inline(always)]
pub(crate) fn div32_flushed<const MODE: u32>(a: f32, b: f32) -> f32 {
    let truncated = div32::<ZERO>(a, b);
    if truncated.is_subnormal() {
        0f32.copysign(truncated)
    } else {
        div32::<MODE>(a, b)
    }
}

#[inline(always)]
pub(crate) fn sqrt32<const MODE: u32>(a: f32) -> f32 {
    // The compiler knows when a root is NaN, and leaves out the step that makes it canonical.
    if a.is_nan() || (a.is_sign_negative() && a != 0.0) {
        return std::hint::black_box(NAN);
    }
    sqrt32_of::<MODE>(a, a)
}

#[inline(always)]
pub(crate) fn sqrt64<const MODE: u32>(a: f64) -> f64 {
    sqrt64_of::<MODE>(a, a)
}

/// `a * b + c` rounded once.
#[inline(always)]
pub(crate) fn fma32<const MODE: u32>(a: f32, b: f32, c: f32) -> f32 {
    if MODE == NEAREST {
        return a.mul_add(b, c);
    }
    narrow::<MODE>(sum_to_odd(f64::from(a) * f64::from(b), f64::from(c)))
}

/// `a * b + c` rounded once.
#[inline(always)]
pub(crate) fn fma64<const MODE: u32>(a: f64, b: f64, c: f64) -> f64 {
    // Directed rounding needs the instruction, which processors have had since 2013; without it the result is the nearest.
    if MODE == NEAREST || !std::arch::is_x86_feature_detected!("fma") {
        return a.mul_add(b, c);
    }
    let (control, mut saved) = (CONTROL | MODE << 13, 0u32);
    let mut result = a;
    // SAFETY: as for the other operations; the processor has the instruction.
    unsafe {
        asm!(
            "stmxcsr [{saved}]",
            "ldmxcsr [{control}]",
            "vfmadd213sd {a}, {b}, {c}",
            "ldmxcsr [{saved}]",
            saved = in(reg) &mut saved,
            control = in(reg) &control,
            a = inout(xmm_reg) result,
            b = in(xmm_reg) b,
            c = in(xmm_reg) c,
            options(nostack),
        );
    }
    result
}

/// The sum with its last bit set when it is not exact: rounding that to fewer bits is as rounding the exact sum.
pub(crate) fn sum_to_odd(a: f64, b: f64) -> f64 {
    let sum = a + b;
    let part = sum - a;
    let error = (a - (sum - part)) + (b - part);
    let bits = sum.to_bits();
    if error == 0.0 || !error.is_finite() || bits & 1 != 0 {
        return sum;
    }
    // One step towards the exact sum, which has an odd last bit.
    let away = (error > 0.0) == (sum > 0.0);
    f64::from_bits(if away { bits + 1 } else { bits - 1 })
}

/// To single precision.
#[inline(always)]
pub(crate) fn narrow<const MODE: u32>(a: f64) -> f32 {
    if MODE == NEAREST {
        return a as f32;
    }
    let (control, mut saved) = (CONTROL | MODE << 13, 0u32);
    let result: f32;
    // SAFETY: as for the other operations.
    unsafe {
        asm!(
            "stmxcsr [{saved}]",
            "ldmxcsr [{control}]",
            "cvtsd2ss {result}, {a}",
            "ldmxcsr [{saved}]",
            saved = in(reg) &mut saved,
            control = in(reg) &control,
            a = in(xmm_reg) a,
            result = lateout(xmm_reg) result,
            options(nostack),
        );
    }
    result
}

/// A whole number with its sign to a float of `precision` significant bits (at most 53), exactly as a double.
pub(crate) fn from_integer<const MODE: u32>(value: i128, precision: u32) -> f64 {
    let magnitude = value.unsigned_abs();
    let bits = 128 - magnitude.leading_zeros();
    let shift = bits.saturating_sub(precision);
    let rounded = shift_right_rounded(magnitude, shift, MODE, value < 0) << shift;
    let magnitude = rounded as f64;
    if value < 0 { -magnitude } else { magnitude }
}

fn shift_right_rounded(magnitude: u128, shift: u32, mode: u32, negative: bool) -> u128 {
    if shift == 0 {
        return magnitude;
    }
    let (quotient, rest) = if shift >= 128 {
        (0, magnitude)
    } else {
        (magnitude >> shift, magnitude & ((1 << shift) - 1))
    };
    let half = if shift > 128 { u128::MAX } else { 1 << (shift - 1) };
    let up = match mode {
        NEAREST => rest > half || (rest == half && quotient & 1 != 0),
        DOWN => negative && rest != 0,
        UP => !negative && rest != 0,
        _ => false,
    };
    quotient + u128::from(up)
}

/// A 16-bit floating-point format.
#[derive(Clone, Copy)]
pub(crate) struct Small {
    exponent_bits: u32,
    mantissa_bits: u32,
}

pub(crate) const F16: Small = Small {
    exponent_bits: 5,
    mantissa_bits: 10,
};
pub(crate) const BF16: Small = Small {
    exponent_bits: 8,
    mantissa_bits: 7,
};

/// NaN results of half-precision arithmetic.
const SMALL_NAN: u16 = 0x7fff;

impl Small {
    /// NaN in this format, less the bits of its payload that do not fit.
    pub fn cut_nan(self, nan: f64) -> u16 {
        let bits = nan.to_bits();
        let payload = (bits >> (52 - self.mantissa_bits)) as u16 & ((1 << self.mantissa_bits) - 1);
        let exponent = ((1u16 << self.exponent_bits) - 1) << self.mantissa_bits;
        (bits >> 63 << 15) as u16 | exponent | payload | 1 << (self.mantissa_bits - 1)
    }

    /// Rounds to this format. NaN becomes the canonical one.
    pub fn round(self, a: f64, mode: u32) -> u16 {
        if a.is_nan() {
            return SMALL_NAN;
        }
        let negative = a.is_sign_negative();
        let sign = u16::from(negative) << 15;
        let infinity = ((1u16 << self.exponent_bits) - 1) << self.mantissa_bits;
        if a.is_infinite() {
            return sign | infinity;
        }
        let bits = a.abs().to_bits();
        if bits == 0 {
            return sign;
        }
        // a = significand * 2^exponent
        let exponent = (bits >> 52) as i32 - 1075;
        let significand = (bits & ((1 << 52) - 1)) | 1 << 52;
        let bias = (1 << (self.exponent_bits - 1)) - 1;
        let lowest = 1 - bias - self.mantissa_bits as i32;
        let unit = (exponent + 52 - self.mantissa_bits as i32).max(lowest);
        let count = shift_right_rounded(
            u128::from(significand),
            (unit - exponent).min(140) as u32,
            mode,
            negative,
        );
        // Adding the exponent to a significand with its leading bit carries over as it must.
        let encoded = count + (((unit - lowest) as u128) << self.mantissa_bits);
        let largest = u128::from(infinity - 1);
        if encoded > largest {
            let stays_finite = match mode {
                NEAREST => false,
                DOWN => !negative,
                UP => negative,
                _ => true,
            };
            return sign | if stays_finite { infinity - 1 } else { infinity };
        }
        sign | encoded as u16
    }
}

// ---- approximate functions: as exact as a double computes them ----

pub(crate) fn exp2(a: f32) -> f32 {
    f64::from(a).exp2() as f32
}

pub(crate) fn log2(a: f32) -> f32 {
    f64::from(a).log2() as f32
}

pub(crate) fn sin(a: f32) -> f32 {
    f64::from(a).sin() as f32
}

pub(crate) fn cos(a: f32) -> f32 {
    f64::from(a).cos() as f32
}

pub(crate) fn tanh(a: f32) -> f32 {
    f64::from(a).tanh() as f32
}

pub(crate) fn rsqrt(a: f32) -> f32 {
    (1.0 / f64::from(a).sqrt()) as f32
}

/// `div.approx`: divisors above 2^126 lose their reciprocal (PTX ISA, `div`).
pub(crate) fn div_approx(a: f32, b: f32) -> f32 {
    const LIMIT: f32 = f32::from_bits((126 + 127) << 23);
    if b.abs() > LIMIT && b.is_finite() {
        return if !a.is_finite() {
            NAN
        } else {
            0f32.copysign(a * b.signum())
        };
    }
    a / b
}

/// The approximations in double precision look only at, and give only, the upper half of the number; NaN is that of single
/// precision in it (seen on an H200).
pub(crate) fn upper_half(a: f64) -> f64 {
    if a.is_nan() {
        return f64::from_bits(0x7fff_ffff << 32);
    }
    f64::from_bits(a.to_bits() & !0xffff_ffff)
}

/// The smaller one; a number rather than NaN; -0 is smaller than +0.
#[inline(always)]
pub(crate) fn min32(a: f32, b: f32) -> f32 {
    if a.is_nan() {
        canonical(b)
    } else if b.is_nan() || a < b || (a == b && a.is_sign_negative()) {
        a
    } else {
        b
    }
}

#[inline(always)]
pub(crate) fn max32(a: f32, b: f32) -> f32 {
    if a.is_nan() {
        canonical(b)
    } else if b.is_nan() || a > b || (a == b && a.is_sign_positive()) {
        a
    } else {
        b
    }
}

#[inline(always)]
pub(crate) fn min64(a: f64, b: f64) -> f64 {
    if a.is_nan() {
        b
    } else if b.is_nan() || a < b || (a == b && a.is_sign_negative()) {
        a
    } else {
        b
    }
}

#[inline(always)]
pub(crate) fn max64(a: f64, b: f64) -> f64 {
    if a.is_nan() {
        b
    } else if b.is_nan() || a > b || (a == b && a.is_sign_positive()) {
        a
    } else {
        b
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn directed_rounding_brackets_the_exact_sum() {
        let (a, b) = (1f32, f32::EPSILON / 4.0);
        assert_eq!(add32::<NEAREST>(a, b), 1.0);
        assert_eq!(add32::<DOWN>(a, b), 1.0);
        assert_eq!(add32::<UP>(a, b), 1.0 + f32::EPSILON);
        assert_eq!(add32::<ZERO>(-a, -b), -1.0);
        assert_eq!(sub64::<DOWN>(1.0, f64::MIN_POSITIVE), 1.0 - f64::EPSILON / 2.0);
        assert_eq!(
            sqrt32::<UP>(2.0),
            f32::from_bits(2f32.sqrt().to_bits() + u32::from(f64::from(2f32.sqrt()) < 2f64.sqrt()))
        );
        // The mode is put back.
        assert_eq!(1f32 + f32::EPSILON / 4.0, 1.0);
    }

    #[test]
    fn fused_products_round_once() {
        let a = 1.0 + f32::EPSILON;
        assert_eq!(fma32::<NEAREST>(a, a, -1.0), a.mul_add(a, -1.0));
        assert_eq!(fma32::<UP>(1.0, 1.0, f32::MIN_POSITIVE), 1.0 + f32::EPSILON);
        assert_eq!(fma32::<ZERO>(1.0, 1.0, -f32::MIN_POSITIVE), 1.0 - f32::EPSILON / 2.0);
        assert_eq!(fma64::<UP>(1.0, 1.0, f64::MIN_POSITIVE), 1.0 + f64::EPSILON);
    }

    #[test]
    fn small_formats_agree_with_a_reference() {
        for bits in 0..=u16::MAX {
            let value = half::f16::from_bits(bits);
            if !value.is_nan() {
                assert_eq!(F16.round(value.to_f64(), NEAREST), bits);
            }
            let value = half::bf16::from_bits(bits);
            if !value.is_nan() {
                assert_eq!(BF16.round(value.to_f64(), UP), bits);
            }
        }
        let mut x = 1e-9f64;
        while x < 1e6 {
            // The reference is exact for single precision only.
            let single = x as f32;
            let (wide, f16) = (f64::from(single), half::f16::from_f32(single).to_bits());
            assert_eq!(F16.round(wide, NEAREST), f16, "{x}");
            assert_eq!(F16.round(-wide, NEAREST), f16 | 0x8000, "{x}");
            assert_eq!(BF16.round(wide, NEAREST), half::bf16::from_f32(single).to_bits(), "{x}");
            let (down, up) = (F16.round(x, DOWN), F16.round(x, UP));
            assert!(half::f16::from_bits(down).to_f64() <= x && half::f16::from_bits(up).to_f64() >= x);
            x *= 1.0037;
        }
        assert_eq!(F16.round(1e9, ZERO), 0x7bff);
        assert_eq!(F16.round(1e-300, UP), 1);
    }

    #[test]
    fn integers_round_by_mode() {
        assert_eq!(from_integer::<NEAREST>(16_777_217, 24), 16_777_216.0);
        assert_eq!(from_integer::<UP>(16_777_217, 24), 16_777_218.0);
        assert_eq!(from_integer::<DOWN>(-16_777_217, 24), -16_777_218.0);
        assert_eq!(
            from_integer::<ZERO>(i128::from(u64::MAX), 53),
            18_446_744_073_709_549_568.0
        );
    }
}
