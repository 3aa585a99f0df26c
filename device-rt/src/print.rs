//! `print!` and its relatives.
//!
//! A text is formatted first and sent as a whole, in one call: no port is held while `Display` code of the program runs, and what one lane
//! prints with one macro arrives in one piece. Short texts go by [express](crate::express), without waiting for the host.

use alloc::vec::Vec;
use core::fmt::{self, Write};

use crate::io::Stream;

/// Prints to standard output.
#[macro_export]
macro_rules! print {
    ($($arguments:tt)*) => {
        $crate::_print($crate::io::Stream::Stdout, ::core::format_args!($($arguments)*))
    };
}

/// Prints to standard output, with a newline.
#[macro_export]
macro_rules! println {
    () => { $crate::print!("\n") };
    ($($arguments:tt)*) => { $crate::print!("{}\n", ::core::format_args!($($arguments)*)) };
}

/// Prints to standard error.
#[macro_export]
macro_rules! eprint {
    ($($arguments:tt)*) => {
        $crate::_print($crate::io::Stream::Stderr, ::core::format_args!($($arguments)*))
    };
}

/// Prints to standard error, with a newline.
#[macro_export]
macro_rules! eprintln {
    () => { $crate::eprint!("\n") };
    ($($arguments:tt)*) => { $crate::eprint!("{}\n", ::core::format_args!($($arguments)*)) };
}

/// What the macros call.
#[doc(hidden)]
pub fn _print(stream: Stream, arguments: fmt::Arguments<'_>) {
    // A text without arguments needs no copy.
    if let Some(text) = arguments.as_str() {
        stream.post_bytes(text.as_bytes());
        return;
    }
    format(arguments, |bytes| {
        stream.post_bytes(bytes);
    });
}

/// Formats, and passes the whole text to `send`: more than once only where there is no memory to put it together in.
pub(crate) fn format(arguments: fmt::Arguments<'_>, send: impl FnMut(&[u8])) {
    let mut text = Text::<STACK, _>::new(send);
    // An error can only come from the program's own `Display`; what it wrote before is kept.
    let _ = fmt::write(&mut text, arguments);
    text.finish();
}

/// Texts up to this many bytes are formatted on the stack, which is small: CUDA's default is 1 KiB for everything. These are the ones
/// that fit into an express message.
const STACK: usize = if cfg!(feature = "llvm-loader") { 64 } else { 128 };

/// A text that is being formatted: on the stack while it is short, then on the heap.
///
/// Without heap it goes out in pieces: rather broken by another lane's text than lost.
struct Text<const STACK: usize, F: FnMut(&[u8])> {
    short: Short<STACK>,
    /// The whole text, as soon as it is not short.
    long: Vec<u8>,
    send: F,
}

impl<const STACK: usize, F: FnMut(&[u8])> Text<STACK, F> {
    fn new(send: F) -> Self {
        Self {
            short: Short::new(),
            long: Vec::new(),
            send,
        }
    }

    // Not inlined, here and below: formatting code calls these from a dozen places, and a driver compiles every copy at each start.
    #[inline(never)]
    fn push(&mut self, bytes: &[u8]) {
        if self.long.is_empty() && self.short.push(bytes) {
            return;
        }
        // What is on the stack has moved before, unless this is the moment.
        let short = if self.long.is_empty() { self.short.bytes() } else { &[] };
        if self.long.try_reserve(short.len() + bytes.len()).is_ok() {
            self.long.extend_from_slice(short);
            self.long.extend_from_slice(bytes);
            return;
        }
        self.flush();
        (self.send)(bytes);
    }

    #[inline(never)]
    fn flush(&mut self) {
        if self.long.is_empty() {
            (self.send)(self.short.bytes());
        } else {
            (self.send)(&self.long);
            self.long = Vec::new();
        }
        self.short = Short::new();
    }

    fn finish(mut self) {
        self.flush();
    }
}

impl<const STACK: usize, F: FnMut(&[u8])> Write for Text<STACK, F> {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        self.push(text.as_bytes());
        Ok(())
    }

    fn write_char(&mut self, char: char) -> fmt::Result {
        self.write_str(char.encode_utf8(&mut [0; 4]))
    }

    fn write_fmt(&mut self, arguments: fmt::Arguments<'_>) -> fmt::Result {
        fmt::write(self, arguments)
    }
}

/// Up to `N` bytes on the stack.
pub(crate) struct Short<const N: usize> {
    bytes: [u8; N],
    len: usize,
}

impl<const N: usize> Short<N> {
    pub(crate) const fn new() -> Self {
        Self { bytes: [0; N], len: 0 }
    }

    /// Appends all of `bytes`, or nothing where they do not fit.
    #[inline(never)]
    pub(crate) fn push(&mut self, bytes: &[u8]) -> bool {
        let room = self
            .bytes
            .get_mut(self.len..)
            .and_then(|room| room.get_mut(..bytes.len()));
        if let Some(room) = room {
            room.copy_from_slice(bytes);
            self.len += bytes.len();
            return true;
        }
        false
    }

    pub(crate) fn bytes(&self) -> &[u8] {
        self.bytes.get(..self.len).unwrap_or_default()
    }
}

#[cfg(test)]
mod tests {
    extern crate std;

    use std::string::String;
    use std::vec::Vec;

    use super::*;

    /// The pieces that reach the host when `parts` are formatted one after the other.
    fn pieces(parts: &[&str]) -> Vec<String> {
        let mut sent = Vec::new();
        let mut text = Text::<8, _>::new(|bytes| sent.push(String::from_utf8_lossy(bytes).into_owned()));
        for part in parts {
            text.write_str(part).unwrap();
        }
        text.finish();
        sent
    }

    #[test]
    fn short_text_is_one_piece() {
        assert_eq!(pieces(&["ab", "cdef", "gh"]), ["abcdefgh"]);
    }

    #[test]
    fn long_text_is_one_piece() {
        assert_eq!(
            pieces(&["abcdef", "ghi", "", "a text longer than the buffer", "z"]),
            ["abcdefghia text longer than the bufferz"]
        );
    }

    #[test]
    fn an_empty_text_is_sent() {
        assert_eq!(pieces(&[]), [""]);
    }
}
