//! What people are told about a fault, and by whom.
//!
//! By default the library says it on stderr. A program that knows the emulator (our loader) can
//! take that over with two functions beyond the interface, which have the same names and types in
//! the emulator of the CUDA driver.

use std::ffi::{c_char, c_int};
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};

use crate::border::{lock, run_or, say};

static LAST: Mutex<String> = Mutex::new(String::new());
static TELL: AtomicBool = AtomicBool::new(true);

/// Keeps a fault's words, and says them unless somebody else does.
pub fn tell(text: &str) {
    *lock(&LAST) = text.to_owned();
    if TELL.load(Ordering::Relaxed) {
        say(text);
    }
}

/// Copies the words of the last fault into a buffer of `room` bytes, NUL included, and returns
/// their whole length without it; 0 if there was none.
///
/// # Safety
/// `buffer` has `room` bytes; it may be null if `room` is 0.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn gpuEmulatorLastFault(buffer: *mut c_char, room: usize) -> usize {
    run_or("gpuEmulatorLastFault", 0, || {
        let text = lock(&LAST).clone();
        if let Some(last) = room.checked_sub(1).filter(|_| !buffer.is_null()) {
            let kept = &text.as_bytes()[..text.len().min(last)];
            // SAFETY: the caller has `room` bytes, and one more than `kept` is at most that.
            unsafe {
                std::ptr::copy_nonoverlapping(kept.as_ptr(), buffer.cast::<u8>(), kept.len());
                buffer.add(kept.len()).write(0);
            }
        }
        text.len()
    })
}

/// Chooses whether faults are said on stderr: 0 for no.
#[unsafe(no_mangle)]
pub extern "C" fn gpuEmulatorTellFaults(wanted: c_int) {
    TELL.store(wanted != 0, Ordering::Relaxed);
}
