//! `errno`, as far as the host says why something failed.

use device_rt::io;

/// Something went wrong with an open stream, and the base protocol does not say what.
pub(crate) const EIO: i32 = 5;

#[cfg(gpu)]
unsafe extern "C" {
    /// The thread's `errno`, in `string.c`.
    #[link_name = "__errno_location"]
    safe fn location() -> *mut i32;
}

/// Where no C is compiled, nobody asks for `errno`.
#[cfg(not(gpu))]
fn location() -> *mut i32 {
    static mut ERRNO: i32 = 0;
    &raw mut ERRNO
}

/// Sets the thread's `errno`.
pub(crate) fn set(errno: i32) {
    // SAFETY: a word that only threads of the same number modulo the table's size write, as a whole.
    unsafe { location().write_volatile(errno) }
}

/// Sets it to what an error says, and returns -1.
pub(crate) fn failed(error: io::Error) -> i32 {
    set(error.raw_os_error().unwrap_or(EIO));
    -1
}

/// 0, or -1 with `errno` set.
pub(crate) fn status(result: io::Result<()>) -> i32 {
    result.map_or_else(failed, |()| 0)
}
