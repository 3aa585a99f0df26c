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
    number(a, b, || a < b || a == b && a.is_sign_negative())
}

/// The larger, likewise.
pub fn max(a: f64, b: f64) -> f64 {
    number(a, b, || a > b || a == b && a.is_sign_positive())
}

/// The one that is a number; of two, `a` if it is the one that is wanted.
fn number(a: f64, b: f64, wants_a: impl Fn() -> bool) -> f64 {
    match (a.is_nan(), b.is_nan()) {
        (true, true) => quiet64(a),
        (true, false) => b,
        (false, true) => a,
        (false, false) if wants_a() => a,
        (false, false) => b,
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
        // The denominator alone, which makes the quotient larger: upwards it would be infinite.
        (if is(denominator) { down(value) } else { value }, true)
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
        (if is(denominator) { ldexp(value, -128) } else { value }, true)
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

/// `v_div_fmas_f32`: the last step of a division, scaled back; rounded once.
pub fn div_fmas32(a: f32, b: f32, c: f32, scale: bool) -> f32 {
    let power = match scale {
        false => return a.mul_add(b, c),
        true if exponent32(c) > 127 => 64,
        true => -64,
    };
    // In double precision the product of two singles is exact and scaling is, too.
    let (sum, rest) = two_sum(f64::from(a) * f64::from(b), f64::from(c));
    let (sum, rest) = (ldexp(sum, power), ldexp(rest, power));
    let rounded = sum as f32;
    let towards = |up: bool| if up { rounded.next_up() } else { rounded.next_down() };
    // Where the sum lies half way between two singles, what it lacks decides.
    let left = sum - f64::from(rounded);
    let is_tie = left != 0.0 && f64::from(towards(left > 0.0)) - sum == left;
    if is_tie && rest != 0.0 && (rest > 0.0) == (left > 0.0) {
        towards(left > 0.0)
    } else {
        rounded
    }
}

/// `v_div_fmas_f64`.
pub fn div_fmas64(a: f64, b: f64, c: f64, scale: bool) -> f64 {
    let sum = a.mul_add(b, c);
    let power = match scale {
        false => return sum,
        true if exponent64(c) > 1023 => 128,
        true => -128,
    };
    let rounded = ldexp(sum, power);
    if rounded.abs() > f64::MIN_POSITIVE {
        return rounded;
    }
    // The result has fewer digits than the sum: where the sum lies half way between two, what it lacks decides.
    let left = sum - ldexp(rounded, -power);
    // Up to the least that is normal, all lie equally far apart.
    let half = ldexp(f64::from_bits(1), -power) / 2.0;
    let product = a * b;
    let (high, low) = two_sum(product, c);
    let rest = (high - sum) + low + a.mul_add(b, -product);
    if left.abs() == half && rest != 0.0 && (rest > 0.0) == (left > 0.0) {
        if left > 0.0 {
            rounded.next_up()
        } else {
            rounded.next_down()
        }
    } else {
        rounded
    }
}

/// A sum, rounded, and what it lacks.
fn two_sum(a: f64, b: f64) -> (f64, f64) {
    let sum = a + b;
    let of_b = sum - a;
    (sum, (a - (sum - of_b)) + (b - of_b))
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
    } else if exponent32(numerator) - exponent32(denominator) < -150 {
        // Too small for any number: the steps before may have lost it.
        signed(0.0)
    } else if quotient.is_nan() {
        // Too large: the steps before took infinity from infinity.
        signed(f32::INFINITY)
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
    } else if denominator.is_infinite() || numerator == 0.0 || exponent64(numerator) - exponent64(denominator) < -1075 {
        signed(0.0)
    } else if quotient.is_nan() {
        signed(f64::INFINITY)
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

#[cfg(test)]
mod tests {
    use super::*;

    /// The steps that LLVM makes of a division, with a reciprocal that is right to the last bit.
    fn divide32(numerator: f32, denominator: f32) -> f32 {
        let (d, _) = div_scale32(denominator, denominator, numerator);
        let (n, scaled) = div_scale32(numerator, denominator, numerator);
        let reciprocal = 1.0 / d;
        let reciprocal = (-d).mul_add(reciprocal, 1.0).mul_add(reciprocal, reciprocal);
        let quotient = n * reciprocal;
        let quotient = (-d).mul_add(quotient, n).mul_add(reciprocal, quotient);
        let rest = (-d).mul_add(quotient, n);
        div_fixup32(div_fmas32(rest, reciprocal, quotient, scaled), denominator, numerator)
    }

    fn divide64(numerator: f64, denominator: f64) -> f64 {
        let (d, _) = div_scale64(denominator, denominator, numerator);
        let (n, scaled) = div_scale64(numerator, denominator, numerator);
        let reciprocal = 1.0 / d;
        let reciprocal = reciprocal.mul_add((-d).mul_add(reciprocal, 1.0), reciprocal);
        let reciprocal = reciprocal.mul_add((-d).mul_add(reciprocal, 1.0), reciprocal);
        let quotient = n * reciprocal;
        let rest = (-d).mul_add(quotient, n);
        div_fixup64(div_fmas64(rest, reciprocal, quotient, scaled), denominator, numerator)
    }

    /// Numbers that look random (xorshift64), among them many near the ends of the range.
    fn numbers() -> impl Iterator<Item = u64> {
        let mut x = 0x2545_f491_4f6c_dd1d_u64;
        std::iter::repeat_with(move || {
            x ^= x << 13;
            x ^= x >> 7;
            x ^= x << 17;
            x
        })
    }

    #[test]
    fn division_of_singles_is_the_hosts() {
        let mut bits = numbers().map(|n| n as u32);
        for round in 0..200_000 {
            let (a, b) = (bits.next().unwrap_or(0), bits.next().unwrap_or(0));
            let (a, b) = match round % 4 {
                0 => (a, b),
                1 => (a & 0x80ff_ffff, b),
                2 => (a, b & 0x80ff_ffff),
                _ => (a & 0x83ff_ffff, b & 0x01ff_ffff | 0x7e00_0000),
            };
            let (a, b) = (f32::from_bits(a), f32::from_bits(b));
            let (is, should) = (divide32(a, b), a / b);
            assert!(
                is.to_bits() == should.to_bits() || (is.is_nan() && should.is_nan()),
                "{a:e} / {b:e} is {is:e} instead of {should:e}"
            );
        }
    }

    #[test]
    fn division_of_doubles_is_the_hosts() {
        let mut bits = numbers();
        for round in 0..200_000 {
            let (a, b) = (bits.next().unwrap_or(0), bits.next().unwrap_or(0));
            let (a, b) = match round % 4 {
                0 => (a, b),
                1 => (a & 0x801f_ffff_ffff_ffff, b),
                2 => (a, b & 0x801f_ffff_ffff_ffff),
                _ => (a & 0x80ff_ffff_ffff_ffff, b & 0x000f_ffff_ffff_ffff | 0x4000 << 48),
            };
            let (a, b) = (f64::from_bits(a), f64::from_bits(b));
            let (is, should) = (divide64(a, b), a / b);
            assert!(
                is.to_bits() == should.to_bits() || (is.is_nan() && should.is_nan()),
                "{a:e} / {b:e} is {is:e} instead of {should:e}"
            );
        }
    }

    #[test]
    fn powers_scale_with_one_rounding() {
        for (value, exponent) in [(1.5, 3), (3.0, -1075), (-5e-324, 1100), (1e300, 2000), (0.0, 7)] {
            let expected = match exponent {
                3 => 12.0,
                // 3 * 2^-1075 lies between 1 and 2 times 2^-1074, and 2 is even.
                -1075 => f64::from_bits(2),
                1100 => -(2f64.powi(26)),
                2000 => f64::INFINITY,
                _ => 0.0,
            };
            assert_eq!(ldexp(value, exponent), expected, "{value:e} * 2^{exponent}");
        }
    }
}
