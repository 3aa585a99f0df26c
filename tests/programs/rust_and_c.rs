//! Rust and C print side by side: what one thread prints keeps its order, whichever way each text takes to the host.

#![no_std]

extern crate alloc;

use alloc::format;
use alloc::string::String;
use core::ffi::{CStr, c_char};
use core::ptr;

use device_rt::{eprintln, print, println, thread};
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

fn with_c_string(mut text: String, print: impl FnOnce(*const c_char)) {
    text.push('\0');
    let text = CStr::from_bytes_with_nul(text.as_bytes()).expect("no NUL within");
    print(text.as_ptr());
}

#[device_rt::main]
fn main() {
    let index = thread::index();
    // Short texts go another way than long ones.
    for (round, filling) in ["", "x", &"long ".repeat(40)].into_iter().enumerate() {
        let step = |step: usize| format!("{index} {} {filling}", 8 * round + step);
        println!("{}", step(0));
        // SAFETY: C strings, open streams, and formats without directives.
        with_c_string(step(1), |text| unsafe { assert!(puts(text) >= 0) });
        println!("{}", step(2));
        println!("{}", step(3));
        // SAFETY: as above.
        with_c_string(step(4) + "\n", |text| unsafe { assert!(vprintf(text, NONE) > 0) });
        print!("{}\n", step(5));
        let line = step(6) + "\n";
        // SAFETY: the bytes of a text.
        let written = unsafe { fwrite(line.as_ptr().cast(), 1, line.len(), STDOUT) };
        assert_eq!(written, line.len());
        // SAFETY: as above.
        with_c_string(step(7) + "\n", |text| unsafe {
            assert!(vfprintf(STDOUT, text, NONE) > 0)
        });

        let step = |step: usize| format!("{index} {} {filling}", 3 * round + step);
        eprintln!("{}", step(0));
        // SAFETY: as above.
        with_c_string(step(1) + "\n", |text| unsafe {
            assert!(vfprintf(STDERR, text, NONE) > 0)
        });
        eprintln!("{}", step(2).trim_end());
        // SAFETY: as above.
        with_c_string(String::new(), |text| unsafe { assert!(fputs(text, STDERR) >= 0) });
        assert_eq!(fflush(STDERR), 0);
    }
}
