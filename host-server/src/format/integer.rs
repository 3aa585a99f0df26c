//! Integers and pointers.

use super::FormatError;
use super::directive::{Field, Radix};
use super::text::{Number, Text, sign};

/// `%d`.
pub(super) fn signed(text: &mut Text, field: &Field, value: i64) -> Result<(), FormatError> {
    let mut buffer = [0; 64];
    let digits = digits(&mut buffer, value.unsigned_abs(), 10, false);
    integer(text, field, sign(field, value < 0), digits)
}

/// `%u %o %x %X %b %B`.
pub(super) fn unsigned(text: &mut Text, field: &Field, radix: Radix, value: u64) -> Result<(), FormatError> {
    let mut buffer = [0; 64];
    let (base, upper, prefix): (u64, bool, &[u8]) = match radix {
        Radix::Binary { upper: false } => (2, false, b"0b"),
        Radix::Binary { upper: true } => (2, false, b"0B"),
        Radix::Octal => (8, false, b""),
        Radix::Decimal => (10, false, b""),
        Radix::Hexadecimal { upper: false } => (16, false, b"0x"),
        Radix::Hexadecimal { upper: true } => (16, true, b"0X"),
    };
    let digits = digits(&mut buffer, value, base, upper);
    if !field.flags.alternate {
        return integer(text, field, b"", digits);
    }
    if radix == Radix::Octal {
        return octal(text, field, digits);
    }
    integer(text, field, if value == 0 { b"" } else { prefix }, digits)
}

/// `%#o`: "it increases the precision, if and only if necessary, to force the first digit of the result to be a zero".
fn octal(text: &mut Text, field: &Field, digits: &[u8]) -> Result<(), FormatError> {
    if field.precision.is_some_and(|precision| precision > digits.len()) {
        return integer(text, field, b"", digits);
    }
    if digits != b"0" {
        return integer(text, field, b"0", digits);
    }
    // The value 0 with precision 0 would print nothing.
    let precision = field.precision.map(|precision| precision.max(1));
    integer(text, &Field { precision, ..*field }, b"", digits)
}

/// `%p`: as the GNU C library prints it, sign flags included.
pub(super) fn pointer(text: &mut Text, field: &Field, address: u64) -> Result<(), FormatError> {
    if address == 0 {
        return text.padded(field, b"(nil)");
    }
    let prefix: &[u8] = match sign(field, false) {
        b"+" => b"+0x",
        b" " => b" 0x",
        _ => b"0x",
    };
    integer(text, field, prefix, digits(&mut [0; 64], address, 16, false))
}

fn integer(text: &mut Text, field: &Field, prefix: &[u8], digits: &[u8]) -> Result<(), FormatError> {
    // C: "the result of converting a zero value with a precision of zero is no characters".
    let digits = if field.precision == Some(0) && digits == b"0" {
        b""
    } else {
        digits
    };
    text.number(
        field,
        &Number {
            prefix,
            head: b"",
            zeros: field.precision.unwrap_or(0).saturating_sub(digits.len()),
            tail: digits,
            // C: "if a precision is specified, the 0 flag is ignored".
            zero_pad: field.precision.is_none(),
        },
    )
}

fn digits(buffer: &mut [u8; 64], mut value: u64, base: u64, upper: bool) -> &[u8] {
    let letters = if upper {
        b"0123456789ABCDEF"
    } else {
        b"0123456789abcdef"
    };
    let mut start = buffer.len();
    loop {
        start -= 1;
        buffer[start] = letters[(value % base) as usize];
        value /= base;
        if value == 0 {
            return &buffer[start..];
        }
    }
}
