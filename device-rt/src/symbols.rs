//! The names under which C code of the image finds what the runtime offers.
//!
//! Each of them makes calls to the host, and is left out of an image that does not use it: otherwise every image would make calls. A
//! definition of the program's own, or of `device-rt-c`, goes before it.

use core::ffi::{CStr, c_char, c_void};

use crate::{heap, io, process};

/// What keeps the functions until the image is linked.
///
/// `linkonce_odr` lets them fall away where nobody uses them, which is for the image to say, but LLVM also asks when it optimises this
/// crate alone. There this table uses them. As it has no name in C the image does not export it, and drops it first.
#[repr(C)]
pub struct Offered {
    malloc: extern "C" fn(usize) -> *mut c_void,
    free: unsafe extern "C" fn(*mut c_void),
    write_to_stderr: unsafe extern "C" fn(*const c_char),
    quick_exit: extern "C" fn(i32) -> !,
}

/// See [`Offered`].
pub static OFFERED: Offered = Offered {
    malloc,
    free,
    write_to_stderr,
    quick_exit,
};

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
