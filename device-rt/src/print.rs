//! `print!` and its relatives.
//!
//! A text is formatted first and sent as a whole, in one call: no port is held while `Display` code of the program runs, and what one lane
//! prints with one macro arrives in one piece.

use alloc::vec::Vec;
use core::fmt::{self, Write};

use crate::io::{self, Stream};
use crate::rpc;

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
        stream.write_bytes(text.as_bytes());
        return;
    }
    let mut text = Text::<256, _>::new(true, |bytes| {
        stream.write_bytes(bytes);
    });
    // An error can only come from the program's own `Display`; what it wrote before is printed.
    let _ = text.write_fmt(arguments);
    text.finish();
}

/// The same for a lane on its own, whose heap may be what has failed.
pub(crate) fn print_lone(stream: Stream, arguments: fmt::Arguments<'_>) {
    let mut text = Text::<512, _>::new(false, |bytes| {
        io::write(rpc::lone_client(), stream, bytes);
    });
    let _ = text.write_fmt(arguments);
    text.finish();
}

/// A text that is being formatted. Short ones stay on the stack, which is small: CUDA's default is 1 KiB for everything.
///
/// A long one moves to the heap. Without heap it goes out in pieces: rather broken by another lane's text than lost.
struct Text<const STACK: usize, F: FnMut(&[u8])> {
    stack: [u8; STACK],
    /// Bytes used of `stack`.
    len: usize,
    /// The whole text, as soon as it does not fit on the stack.
    heap: Vec<u8>,
    may_allocate: bool,
    send: F,
}

impl<const STACK: usize, F: FnMut(&[u8])> Text<STACK, F> {
    fn new(may_allocate: bool, send: F) -> Self {
        Self {
            stack: [0; STACK],
            len: 0,
            heap: Vec::new(),
            may_allocate,
            send,
        }
    }

    fn push(&mut self, bytes: &[u8]) {
        if self.heap.is_empty()
            && let Some(room) = self.stack[self.len..].get_mut(..bytes.len())
        {
            room.copy_from_slice(bytes);
            self.len += bytes.len();
            return;
        }
        let moved = if self.heap.is_empty() { self.len } else { 0 };
        if self.may_allocate && self.heap.try_reserve(moved + bytes.len()).is_ok() {
            self.heap.extend_from_slice(&self.stack[..moved]);
            self.heap.extend_from_slice(bytes);
            return;
        }
        self.flush();
        (self.send)(bytes);
    }

    fn flush(&mut self) {
        if self.heap.is_empty() {
            (self.send)(&self.stack[..self.len]);
        } else {
            (self.send)(&self.heap);
            self.heap = Vec::new();
        }
        self.len = 0;
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
}

#[cfg(test)]
mod tests {
    extern crate std;

    use std::{string::String, vec::Vec};

    use super::*;

    /// The pieces that reach the host when `parts` are formatted one after the other.
    fn pieces(may_allocate: bool, parts: &[&str]) -> Vec<String> {
        let mut sent = Vec::new();
        let mut text = Text::<8, _>::new(may_allocate, |bytes| {
            sent.push(String::from_utf8_lossy(bytes).into_owned())
        });
        for part in parts {
            text.write_str(part).unwrap();
        }
        text.finish();
        sent
    }

    #[test]
    fn short_text_is_one_piece() {
        assert_eq!(pieces(false, &["ab", "cdef", "gh"]), ["abcdefgh"]);
    }

    #[test]
    fn long_text_is_one_piece_on_the_heap() {
        assert_eq!(
            pieces(true, &["abcdef", "ghi", "", "a text longer than the buffer", "z"]),
            ["abcdefghia text longer than the bufferz"]
        );
    }

    #[test]
    fn without_heap_nothing_is_lost() {
        assert_eq!(pieces(false, &["abcdef", "ghi", "z"]).concat(), "abcdefghiz");
    }

    #[test]
    fn an_empty_text_is_sent() {
        assert_eq!(pieces(true, &[]), [""]);
    }
}
