//! The text under construction, and the padding of a field.

use super::directive::Field;
use super::{FormatError, MAX_PADDING};

/// What one call prints, appended to a buffer and bounded.
pub(super) struct Text<'a> {
    out: &'a mut Vec<u8>,
    start: usize,
    padding: usize,
}

/// A number taken apart, so that padding finds its place.
pub(super) struct Number<'a> {
    /// Sign and base: `-`, `+`, ` `, `0x` …, or nothing.
    pub(super) prefix: &'a [u8],
    /// Digits up to where a precision adds its zeros.
    pub(super) head: &'a [u8],
    /// Zeros that a precision demands.
    pub(super) zeros: usize,
    /// What follows the zeros.
    pub(super) tail: &'a [u8],
    /// Whether the `0` flag counts.
    pub(super) zero_pad: bool,
}

impl<'a> Text<'a> {
    /// Appends to `out`.
    pub(super) fn new(out: &'a mut Vec<u8>) -> Self {
        let start = out.len();
        Self { out, start, padding: 0 }
    }

    /// Appends bytes that came from the caller, or a constant few.
    pub(super) fn push(&mut self, bytes: &[u8]) -> Result<(), FormatError> {
        if self.out.len() - self.start + bytes.len() > i32::MAX as usize {
            return Err(FormatError::TooLong);
        }
        self.out.extend_from_slice(bytes);
        Ok(())
    }

    /// Appends the same byte `count` times.
    fn fill(&mut self, byte: u8, count: usize) -> Result<(), FormatError> {
        self.padding += count;
        if self.padding > MAX_PADDING {
            return Err(FormatError::TooLong);
        }
        self.out.resize(self.out.len() + count, byte);
        Ok(())
    }

    /// Appends a field of text, padded with spaces.
    pub(super) fn padded(&mut self, field: &Field, bytes: &[u8]) -> Result<(), FormatError> {
        let padding = field.width.saturating_sub(bytes.len());
        if !field.flags.left {
            self.fill(b' ', padding)?;
        }
        self.push(bytes)?;
        if field.flags.left {
            self.fill(b' ', padding)?;
        }
        Ok(())
    }

    /// Appends a string, cut to the precision; `None` is a null pointer.
    pub(super) fn string(&mut self, field: &Field, string: Option<&[u8]>) -> Result<(), FormatError> {
        const NULL: &[u8] = b"(null)";
        let limit = field.precision.unwrap_or(usize::MAX);
        let bytes = match string {
            Some(string) => &string[..string.len().min(limit)],
            None if limit < NULL.len() => b"",
            None => NULL,
        };
        self.padded(field, bytes)
    }

    /// Appends a number, padded with spaces or zeros.
    pub(super) fn number(&mut self, field: &Field, number: &Number) -> Result<(), FormatError> {
        let length = number.prefix.len() + number.head.len() + number.zeros + number.tail.len();
        let padding = field.width.saturating_sub(length);
        let zeros = number.zero_pad && field.flags.zero && !field.flags.left;
        if !zeros && !field.flags.left {
            self.fill(b' ', padding)?;
        }
        self.push(number.prefix)?;
        if zeros {
            self.fill(b'0', padding)?;
        }
        self.push(number.head)?;
        self.fill(b'0', number.zeros)?;
        self.push(number.tail)?;
        if field.flags.left {
            self.fill(b' ', padding)?;
        }
        Ok(())
    }

    /// How many bytes were appended.
    pub(super) fn count(&self) -> Result<i32, FormatError> {
        i32::try_from(self.out.len() - self.start).map_err(|_| FormatError::TooLong)
    }
}

/// The sign of a number that may have one.
pub(super) fn sign(field: &Field, negative: bool) -> &'static [u8] {
    match (negative, field.flags.plus, field.flags.space) {
        (true, _, _) => b"-",
        (false, true, _) => b"+",
        (false, false, true) => b" ",
        (false, false, false) => b"",
    }
}
