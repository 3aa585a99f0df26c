//! The argument block: what the device passed after the format, one argument after the other.

use super::Layout;
use super::directive::Length;

/// A reader of the block, or, without bytes, a measure of how long it will be.
///
/// Reading beyond the end gives zeros; [`Format::bind`](super::Format::bind) has made sure that it does not happen.
pub(super) struct Block<'a> {
    bytes: &'a [u8],
    offset: usize,
    layout: Layout,
}

impl<'a> Block<'a> {
    /// A reader of `bytes`.
    pub(super) fn over(bytes: &'a [u8], layout: Layout) -> Self {
        Self {
            bytes,
            offset: 0,
            layout,
        }
    }

    /// A reader whose [`offset`](Self::offset) is all that is wanted.
    pub(super) fn measure(layout: Layout) -> Self {
        Self::over(&[], layout)
    }

    /// Bytes up to the end of the last argument read.
    pub(super) fn offset(&self) -> usize {
        self.offset
    }

    /// An `int`, or what is promoted to one.
    pub(super) fn int(&mut self) -> i32 {
        i32::from_le_bytes(self.take())
    }

    /// A pointer or any integer of 64 bits.
    pub(super) fn word(&mut self) -> u64 {
        u64::from_le_bytes(self.take())
    }

    /// A `double`, or a `long double`, which is the same on GPUs.
    pub(super) fn double(&mut self) -> f64 {
        f64::from_le_bytes(self.take())
    }

    /// An integer of the given length, in the low bits.
    pub(super) fn integer(&mut self, length: Length) -> u64 {
        if length.bits() > 32 {
            self.word()
        } else {
            u64::from(self.int() as u32)
        }
    }

    fn take<const N: usize>(&mut self) -> [u8; N] {
        if self.layout == Layout::Natural {
            self.offset = self.offset.next_multiple_of(N);
        }
        let value = self
            .bytes
            .get(self.offset..)
            .and_then(|rest| rest.first_chunk())
            .copied()
            .unwrap_or([0; N]);
        self.offset += N;
        value
    }
}
