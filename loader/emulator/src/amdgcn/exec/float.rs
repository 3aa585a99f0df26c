//! Floating-point operations that the host has not: the pieces of a division, classes, exponents.

/// What rounding to and from denormals a precision has.
#[derive(Clone, Copy)]
pub struct Denormals {
    /// They are read as they are.
    pub read: bool,
    /// They are written as they are.
    pub written: bool,
}

impl Denormals {
    /// From the two bits of MODE.
    pub fn new(bits: u32) -> Denormals {
        Denormals {
            read: bits & 1 != 0,
            written: bits & 2 != 0,
        }
    }
}

/// Zero of the same sign for a denormal, unless they are allowed.
pub fn flush(value: f32, allowed: bool) -> f32 {
    if !allowed && value.is_subnormal() {
        0f32.copysign(value)
    } else {
        value
    }
}

/// A quiet NaN of one that may signal; other values as they are.
pub fn quiet(value: f32) -> f32 {
    if value.is_nan() {
        f32::from_bits(value.to_bits() | 0x40_0000)
    } else {
        value
    }
}

fn quiet64(value: f64) -> f64 {
    if value.is_nan() {
        f64::from_bits(value.to_bits() | 1 << 51)
    } else {
        value
    }
}

/// The smaller, as `minNum` orders: a NaN gives way, -0 is below +0.
pub fn min(a: f64, b: f64) -> f64 {
    match (a.is_nan(), b.is_nan()) {
        (true, true) => quiet64(a),
        (true, _) => b,
        (_, true) => a,
        _ if a == b => {
            if a.is_sign_negative() {
                a
            } else {
                b
            }
        }
        _ => {
            if a < b {
                a
            } else {
                b
            }
        }
    }
}

/// The larger, likewise.
pub fn max(a: f64, b: f64) -> f64 {
    match (a.is_nan(), b.is_nan()) {
        (true, true) => quiet64(a),
        (true, _) => b,
        (_, true) => a,
        _ if a == b => {
            if a.is_sign_negative() {
                b
            } else {
                a
            }
        }
        _ => {
            if a > b {
                a
            } else {
                b
            }
        }
    }
}

/// `value * 2^exponent`, rounded once.
pub fn ldexp(value: f64, exponent: i32) -> f64 {
    let exponent = exponent.clamp(-2200, 2200);
    if !value.is_finite() || value == 0.0 {
        return quiet64(value);
    }
    // The value is brought to exponent 0 without rounding, then scaled in two steps of which only the last rounds.
    let (mantissa, own) = frexp(value);
    let total = own + exponent;
    if total > 1100 {
        return f64::INFINITY.copysign(value);
    }
    if total < -1200 {
        return 0f64.copysign(value);
    }
    let power = |e: i32| f64::from_bits(((e + 1023) as u64) << 52);
    if total >= -1021 {
        // At most 2^1023 in two exact steps; overflow rounds to infinity.
        let half = total / 2;
        mantissa * power(half) * power(total - half)
    } else {
        mantissa * power(-1021) * power((total + 1021).max(-1022))
    }
}

/// Mantissa in 0.5..1 and exponent.
pub fn frexp(value: f64) -> (f64, i32) {
    if value == 0.0 || !value.is_finite() {
        return (value, 0);
    }
    let scaled = if value.is_subnormal() {
        value * 18_014_398_509_481_984.0
    } else {
        value
    };
    let bits = scaled.to_bits();
    let exponent = (bits >> 52 & 0x7ff) as i32 - 1022 - if value.is_subnormal() { 54 } else { 0 };
    (f64::from_bits(bits & !(0x7ff << 52) | 1022 << 52), exponent)
}

/// Biased exponent.
fn exponent32(value: f32) -> i32 {
    (value.to_bits() >> 23 & 0xff) as i32
}

fn exponent64(value: f64) -> i32 {
    (value.to_bits() >> 52 & 0x7ff) as i32
}

/// `v_div_scale_f32` of value, denominator, numerator: the scaled value, and whether the quotient has to be scaled back.
pub fn div_scale32(value: f32, denominator: f32, numerator: f32) -> (f32, bool) {
    let up = |value: f32| ldexp(f64::from(value), 64) as f32;
    let down = |value: f32| ldexp(f64::from(value), -64) as f32;
    let is = |other: f32| value.to_bits() == other.to_bits();
    let (reciprocal, quotient) = (
        1.0 / f64::from(denominator),
        f64::from(numerator) / f64::from(denominator),
    );
    let is_denormal = |x: f64| x != 0.0 && x.abs() < f64::from(f32::MIN_POSITIVE);
    if denominator == 0.0 || numerator == 0.0 {
        (f32::NAN, false)
    } else if exponent32(numerator) - exponent32(denominator) >= 96 {
        (if is(denominator) { up(value) } else { value }, true)
    } else if denominator.is_subnormal() {
        (up(value), false)
    } else if is_denormal(reciprocal) && is_denormal(quotient) {
        (if is(denominator) { up(value) } else { value }, true)
    } else if is_denormal(reciprocal) {
        (down(value), false)
    } else if is_denormal(quotient) {
        (if is(numerator) { up(value) } else { value }, true)
    } else if exponent32(numerator) <= 23 {
        (up(value), false)
    } else {
        (value, false)
    }
}

/// `v_div_scale_f64`.
pub fn div_scale64(value: f64, denominator: f64, numerator: f64) -> (f64, bool) {
    let is = |other: f64| value.to_bits() == other.to_bits();
    let up = ldexp(value, 128);
    let (reciprocal, quotient) = (1.0 / denominator, numerator / denominator);
    // Below the host's range a quotient is zero.
    let is_denormal = |x: f64| x.abs() < f64::MIN_POSITIVE;
    if denominator == 0.0 || numerator == 0.0 {
        (f64::NAN, false)
    } else if exponent64(numerator) - exponent64(denominator) >= 768 {
        (if is(denominator) { up } else { value }, true)
    } else if denominator.is_subnormal() {
        (up, false)
    } else if is_denormal(reciprocal) && is_denormal(quotient) {
        (if is(denominator) { up } else { value }, true)
    } else if is_denormal(reciprocal) {
        (ldexp(value, -128), false)
    } else if is_denormal(quotient) {
        (if is(numerator) { up } else { value }, true)
    } else if exponent64(numerator) <= 53 {
        (up, false)
    } else {
        (value, false)
    }
}

/// `v_div_fmas_f32`: the last step, scaled back.
pub fn div_fmas32(a: f32, b: f32, c: f32, scale: bool) -> f32 {
    let by = match scale {
        false => return a.mul_add(b, c),
        true if exponent32(c) > 127 => 64,
        true => -64,
    };
    // The product of two singles is exact in double precision; the sum rounds once more, far below single precision.
    let sum = f64::from(a) * f64::from(b) + f64::from(c);
    ldexp(sum, by) as f32
}

/// `v_div_fmas_f64`.
pub fn div_fmas64(a: f64, b: f64, c: f64, scale: bool) -> f64 {
    match scale {
        false => a.mul_add(b, c),
        true if exponent64(c) > 1023 => ldexp(a.mul_add(b, c), 128),
        true => ldexp(a.mul_add(b, c), -128),
    }
}

/// `v_div_fixup_f32` of quotient, denominator, numerator: the cases that the steps before get wrong.
pub fn div_fixup32(quotient: f32, denominator: f32, numerator: f32) -> f32 {
    let negative = denominator.is_sign_negative() != numerator.is_sign_negative();
    let signed = |value: f32| if negative { -value } else { value };
    if numerator.is_nan() {
        quiet(numerator)
    } else if denominator.is_nan() {
        quiet(denominator)
    } else if (denominator == 0.0 && numerator == 0.0) || (denominator.is_infinite() && numerator.is_infinite()) {
        f32::from_bits(0xffc0_0000)
    } else if denominator == 0.0 || numerator.is_infinite() {
        signed(f32::INFINITY)
    } else if denominator.is_infinite() || numerator == 0.0 {
        signed(0.0)
    } else {
        signed(quotient.abs())
    }
}

/// `v_div_fixup_f64`.
pub fn div_fixup64(quotient: f64, denominator: f64, numerator: f64) -> f64 {
    let negative = denominator.is_sign_negative() != numerator.is_sign_negative();
    let signed = |value: f64| if negative { -value } else { value };
    if numerator.is_nan() {
        quiet64(numerator)
    } else if denominator.is_nan() {
        quiet64(denominator)
    } else if (denominator == 0.0 && numerator == 0.0) || (denominator.is_infinite() && numerator.is_infinite()) {
        f64::from_bits(0xfff8 << 48)
    } else if denominator == 0.0 || numerator.is_infinite() {
        signed(f64::INFINITY)
    } else if denominator.is_infinite() || numerator == 0.0 {
        signed(0.0)
    } else {
        signed(quotient.abs())
    }
}

/// `v_cmp_class`: the bit of a value's class. `subnormal` says whether it is one in its own precision, `quiet` of NaNs.
pub fn class(value: f64, subnormal: bool, quiet: bool) -> u32 {
    let negative = value.is_sign_negative();
    let bit = if value.is_nan() {
        return 1 << u32::from(quiet);
    } else if value.is_infinite() {
        (2, 9)
    } else if value == 0.0 {
        (5, 6)
    } else if subnormal {
        (4, 7)
    } else {
        (3, 8)
    };
    1 << if negative { bit.0 } else { bit.1 }
}
