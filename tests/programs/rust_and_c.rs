//! Rust and C print side by side: what one thread prints keeps its order, whichever way each text takes to the host, and is written
//! whole, whatever its length.

#![no_std]

extern crate alloc;

use alloc::format;
use alloc::string::String;
use core::ffi::{CStr, c_char};
use core::{ptr, slice};

use device_rt::io::{MOST, Stream};
use device_rt::rpc::Opcode;
use device_rt::{env, eprint, express, heap, print, thread};
use device_rt_c::format::{vfprintf, vprintf};
use device_rt_c::stream::{FILE, fflush, fputs, fwrite, puts};

/// C's `stdout` and `stderr`.
const STDOUT: *mut FILE = ptr::without_provenance_mut(2);
const STDERR: *mut FILE = ptr::without_provenance_mut(3);

/// No variable arguments.
const NONE: *const u8 = (&raw const ARGUMENTS).cast();
static ARGUMENTS: u64 = 0;

/// What is C in the C library, here in Rust.
#[cfg(any(target_arch = "nvptx64", target_arch = "amdgpu"))]
#[unsafe(no_mangle)]
extern "C" fn __errno_location() -> *mut i32 {
    static mut ERRNO: i32 = 0;
    &raw mut ERRNO
}

/// A text with its NUL, for C.
fn c_string(mut text: String) -> String {
    text.push('\0');
    text
}

fn pointer(text: &str) -> *const c_char {
    CStr::from_bytes_with_nul(text.as_bytes())
        .expect("one NUL, at the end")
        .as_ptr()
}

/// A message for which the host of `tests/embedding.rs` takes its time.
const SLOW: Opcode = Opcode::new(b'x', 1);

#[device_rt::main]
fn main(mut arguments: env::Args) {
    let index = thread::index();
    match arguments.nth(1) {
        None => side_by_side(index),
        Some("long") => more_than_a_call_takes(),
        Some(_) => behind_a_slow_message(index),
    }
}

/// Each way of Rust and of C in turn.
#[inline(never)]
fn side_by_side(index: u64) {
    // Short texts go another way than long ones.
    for (round, filling) in ["", "x", &"long ".repeat(40)].into_iter().enumerate() {
        let out = |step: usize| format!("{index} {} {filling}\n", 8 * round + step);
        let err = |step: usize| format!("{index} {} {filling}\n", 3 * round + step);
        // Made before anything is printed: between two calls lies as little as can be, or no order could be lost.
        let [zero, two, three, five, six] = [0, 2, 3, 5, 6].map(out);
        let [error_zero, error_two] = [0, 2].map(err);
        let one = c_string(out(1).trim_end_matches('\n').into());
        let [four, seven, error_one, nothing] = [out(4), out(7), err(1), String::new()].map(c_string);
        let [one, four, seven, error_one, nothing] =
            [&one, &four, &seven, &error_one, &nothing].map(|text| pointer(text));

        print!("{zero}");
        // SAFETY: C strings, open streams, and formats without directives; the same below.
        unsafe { assert!(puts(one) >= 0) };
        print!("{two}");
        print!("{three}");
        // SAFETY: as above.
        unsafe { assert!(vprintf(four, NONE) > 0) };
        print!("{five}");
        // SAFETY: the bytes of a text.
        let written = unsafe { fwrite(six.as_ptr().cast(), 1, six.len(), STDOUT) };
        assert_eq!(written, six.len());
        // SAFETY: as above.
        unsafe { assert!(vfprintf(STDOUT, seven, NONE) > 0) };

        eprint!("{error_zero}");
        // SAFETY: as above.
        unsafe { assert!(vfprintf(STDERR, error_one, NONE) > 0) };
        eprint!("{error_two}");
        // SAFETY: as above.
        unsafe { assert!(fputs(nothing, STDERR) >= 0) };
        assert_eq!(fflush(STDERR), 0);
    }
}

/// What Rust prints is not taken yet when C prints, or when a text is too long to go the same way: both have to wait.
#[inline(never)]
fn behind_a_slow_message(index: u64) {
    let text = |step: u64| format!("{index} {step}\n");
    let [first_out, first_err, third_out] = [text(0), text(0), text(2)];
    let [second_out, second_err] = [text(1), text(1)].map(c_string);
    let [second_out, second_err] = [&second_out, &second_err].map(|text| pointer(text));
    let long = format!("{index} 3 {}\n", "long ".repeat(100));

    express::post(SLOW, [0]);
    print!("{first_out}");
    // SAFETY: C strings, open streams, and formats without directives; the same below.
    unsafe { assert!(vprintf(second_out, NONE) > 0) };
    express::post(SLOW, [0]);
    eprint!("{first_err}");
    // SAFETY: as above.
    unsafe { assert!(vfprintf(STDERR, second_err, NONE) > 0) };
    express::post(SLOW, [0]);
    print!("{third_out}");
    print!("{long}");
}

/// More bytes than the host takes in one call, of which nobody cares what they are: to write them first would take long.
#[inline(never)]
fn more_than_a_call_takes() {
    let size = MOST + 1000;
    let block = heap::malloc(size);
    assert!(!block.is_null());
    // SAFETY: a block of this size, in memory that the host has zeroed or used before.
    let bytes = unsafe { slice::from_raw_parts(block, size) };
    assert_eq!(Stream::Stdout.write_bytes(bytes), size);
    // SAFETY: the bytes of the block.
    assert_eq!(unsafe { fwrite(block.cast(), 1, size, STDERR) }, size);
}
