//! Floats, exact to the last digit asked for and rounded half to even, as IEEE 754 and C libraries have it.
//!
//! Decimal digits come from Rust's formatting, which is exact at any precision; hexadecimal ones are made here.

use super::FormatError;
use super::directive::{Field, Style};
use super::text::{Number, Text, sign};
use std::fmt::Write;

/// Digits behind the point after which every `double` has only zeros: the smallest is 2⁻¹⁰⁷⁴.
const MOST_DECIMALS: usize = 1074;

/// Bits behind the binary point of a `double`, as hexadecimal digits.
const HEX_DIGITS: usize = 13;

/// `%f %e %g %a` and their capitals.
pub(super) fn float(text: &mut Text, field: &Field, style: Style, upper: bool, value: f64) -> Result<(), FormatError> {
    let sign = sign(field, value.is_sign_negative());
    let magnitude = value.abs();
    if !magnitude.is_finite() {
        let word = if value.is_nan() { "nan" } else { "inf" };
        return put(
            text,
            field,
            sign,
            Digits {
                head: word.into(),
                ..Digits::default()
            },
            upper,
            false,
        );
    }
    let precision = field.precision.unwrap_or(6);
    let point = field.flags.alternate;
    match style {
        Style::Fixed => put(text, field, sign, fixed(magnitude, precision, point), upper, true),
        Style::Exponent => put(text, field, sign, exponent(magnitude, precision, point), upper, true),
        Style::General => put(
            text,
            field,
            sign,
            general(magnitude, precision.max(1), point),
            upper,
            true,
        ),
        Style::Hexadecimal => {
            let digits = hexadecimal(magnitude, field.precision, point);
            let prefix = [sign, if upper { b"0X" } else { b"0x" }].concat();
            put(text, field, &prefix, digits, upper, true)
        }
    }
}

/// A number's text, in two parts with `zeros` zeros between.
#[derive(Default)]
struct Digits {
    head: String,
    zeros: usize,
    tail: String,
}

fn put(
    text: &mut Text,
    field: &Field,
    prefix: &[u8],
    mut digits: Digits,
    upper: bool,
    zero_pad: bool,
) -> Result<(), FormatError> {
    if upper {
        digits.head.make_ascii_uppercase();
        digits.tail.make_ascii_uppercase();
    }
    let Digits { head, zeros, tail } = &digits;
    text.number(
        field,
        &Number {
            prefix,
            head: head.as_bytes(),
            zeros: *zeros,
            tail: tail.as_bytes(),
            zero_pad,
        },
    )
}

fn fixed(value: f64, precision: usize, point: bool) -> Digits {
    let exact = precision.min(MOST_DECIMALS);
    let mut head = format!("{value:.exact$}");
    if precision == 0 && point {
        head.push('.');
    }
    Digits {
        head,
        zeros: precision - exact,
        tail: String::new(),
    }
}

fn exponent(value: f64, precision: usize, point: bool) -> Digits {
    let exact = precision.min(MOST_DECIMALS);
    let (mut head, exponent) = scientific(value, exact);
    if precision == 0 && point {
        head.push('.');
    }
    Digits {
        head,
        zeros: precision - exact,
        tail: exponent_text(exponent),
    }
}

/// C: with P the precision and X the exponent of the `e` form, "if P > X ≥ −4, the conversion is with style f and
/// precision P − 1 − X", otherwise with style e and precision P − 1; without `#`, trailing zeros go.
fn general(value: f64, precision: usize, alternate: bool) -> Digits {
    let (_, exponent_of_value) = scientific(value, (precision - 1).min(MOST_DECIMALS));
    let fixed_style = i64::from(exponent_of_value) >= -4 && (precision as i64) > i64::from(exponent_of_value);
    let mut digits = if fixed_style {
        let decimals = precision as i64 - 1 - i64::from(exponent_of_value);
        fixed(value, decimals as usize, alternate)
    } else {
        exponent(value, precision - 1, alternate)
    };
    if !alternate {
        digits.zeros = 0;
        if digits.head.contains('.') {
            let kept = digits.head.trim_end_matches('0').trim_end_matches('.').len();
            digits.head.truncate(kept);
        }
    }
    digits
}

/// `d.ddd` with `decimals` digits behind the point, and the exponent.
fn scientific(value: f64, decimals: usize) -> (String, i32) {
    let mut text = format!("{value:.decimals$e}");
    let split = text.rfind('e').unwrap_or(text.len());
    let exponent = text[split..].trim_start_matches('e').parse().unwrap_or(0);
    text.truncate(split);
    (text, exponent)
}

/// C: the exponent has "at least two digits, and only as many more digits as necessary".
fn exponent_text(exponent: i32) -> String {
    let sign = if exponent < 0 { '-' } else { '+' };
    format!("e{sign}{:02}", exponent.unsigned_abs())
}

/// `%a` without sign and `0x`. A normal number starts with 1, a subnormal one with 0 and the smallest exponent.
fn hexadecimal(value: f64, precision: Option<usize>, point: bool) -> Digits {
    let bits = value.to_bits();
    let biased = (bits >> 52) as i32;
    let mut mantissa = bits & ((1 << 52) - 1);
    let exponent = match (biased, mantissa) {
        (0, 0) => 0,
        (0, _) => -1022,
        _ => biased - 1023,
    };
    if biased != 0 {
        mantissa |= 1 << 52;
    }
    let decimals = match precision {
        Some(precision) => precision.min(HEX_DIGITS),
        // C: enough "for an exact representation": trailing zeros go.
        None => HEX_DIGITS - ((mantissa | 1 << 52).trailing_zeros() as usize / 4),
    };
    let dropped = 4 * (HEX_DIGITS - decimals);
    mantissa = round_half_even(mantissa, dropped as u32);

    let mut head = String::new();
    // Writing to a string cannot fail.
    let _ = write!(head, "{:x}", mantissa >> (4 * decimals));
    if decimals > 0 {
        let _ = write!(head, ".{:0decimals$x}", mantissa & ((1 << (4 * decimals)) - 1));
    } else if point || precision.is_some_and(|precision| precision > 0) {
        head.push('.');
    }
    let sign = if exponent < 0 { '-' } else { '+' };
    Digits {
        head,
        zeros: precision.map_or(0, |precision| precision - decimals),
        tail: format!("p{sign}{}", exponent.unsigned_abs()),
    }
}

/// Drops `count` low bits.
fn round_half_even(value: u64, count: u32) -> u64 {
    if count == 0 {
        return value;
    }
    let kept = value >> count;
    let rest = value & ((1 << count) - 1);
    let half = 1 << (count - 1);
    kept + u64::from(rest > half || (rest == half && kept & 1 == 1))
}
