//! Texts of errors, and an extension that tells more.

use std::ffi::{c_char, c_int};
use std::sync::atomic::{AtomicBool, Ordering};

use crate::border::{Out, entries};
use crate::context;
use crate::status::{CUresult, Status};

/// Whether a fault is told on stderr when it happens.
static TELL: AtomicBool = AtomicBool::new(true);

/// Whether a fault is told on stderr when it happens.
pub fn faults_are_told() -> bool {
    TELL.load(Ordering::Relaxed)
}

entries! {
    /// The name of an error's constant. A number that is no error has none: null.
    fn cuGetErrorName(error: CUresult, name: Out<*const c_char>) {
        let found = Status(error).name();
        name.set(found.map_or(std::ptr::null(), |name| name.as_ptr()))?;
        found.map(drop).ok_or(Status::INVALID_VALUE)
    }

    /// A short text for an error. A number that is no error has none: null.
    fn cuGetErrorString(error: CUresult, text: Out<*const c_char>) {
        let found = Status(error).text();
        text.set(found.map_or(std::ptr::null(), |text| text.as_ptr()))?;
        found.map(drop).ok_or(Status::INVALID_VALUE)
    }
}

/// The text of the last kernel fault of the process: copies it, cut to `room` bytes with its NUL,
/// and returns its whole length; 0 if there was no fault. An extension of the emulator.
///
/// # Safety
/// `buffer` is null or has room for `room` bytes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn gpuEmulatorLastFault(buffer: *mut c_char, room: usize) -> usize {
    let text = context::last_fault().unwrap_or_default();
    if !buffer.is_null() && room > 0 {
        let _ = Out(buffer).set_text(&text, room); // Both reasons to refuse were just excluded.
    }
    text.len()
}

/// Says whether faults are told on stderr when they happen (they are, unless `tell` is 0). For
/// programs that tell them their own way. An extension of the emulator.
#[unsafe(no_mangle)]
pub extern "C" fn gpuEmulatorTellFaults(tell: c_int) {
    TELL.store(tell != 0, Ordering::Relaxed);
}
