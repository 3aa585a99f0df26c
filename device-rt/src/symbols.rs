//! The names under which C code of the image finds what the runtime offers.
//!
//! Each of them makes calls to the host, and is left out of an image that does not use it: otherwise every image would make calls.

use core::ffi::{CStr, c_char, c_void};

use crate::{heap, io, process};

/// C's `malloc`.
#[linkage = "linkonce_odr"]
#[unsafe(no_mangle)]
extern "C" fn malloc(size: usize) -> *mut c_void {
    heap::malloc(size).cast()
}

/// C's `free`.
#[linkage = "linkonce_odr"]
#[unsafe(no_mangle)]
unsafe extern "C" fn free(block: *mut c_void) {
    // SAFETY: the caller's promise.
    unsafe { heap::free(block.cast()) }
}

/// `void write_to_stderr(const char *text)`: writes the text, without its NUL, to standard error.
#[linkage = "linkonce_odr"]
#[unsafe(no_mangle)]
unsafe extern "C" fn write_to_stderr(text: *const c_char) {
    // SAFETY: the caller passes a C string.
    io::Stream::Stderr.write_bytes(unsafe { CStr::from_ptr(text) }.to_bytes());
}

/// C's `quick_exit`.
#[linkage = "linkonce_odr"]
#[unsafe(no_mangle)]
extern "C" fn quick_exit(code: i32) -> ! {
    process::quick_exit(code)
}
