//! Ctrl-C: the first one ends the program in order, the second one at once.

use std::sync::atomic::{AtomicBool, Ordering};

static INTERRUPTED: AtomicBool = AtomicBool::new(false);

extern "C" fn on_signal(_: libc::c_int) {
    if INTERRUPTED.swap(true, Ordering::Relaxed) {
        // SAFETY: `_exit` may be called in a signal handler.
        unsafe { libc::_exit(i32::from(crate::exit::INTERRUPTED)) };
    }
}

/// Catches SIGINT and SIGTERM from now on.
pub(super) fn catch() {
    for signal in [libc::SIGINT, libc::SIGTERM] {
        // SAFETY: the structure is valid when zeroed and then filled; the handler does nothing
        // that a handler must not do.
        unsafe {
            let mut action: libc::sigaction = std::mem::zeroed();
            action.sa_sigaction = on_signal as *const () as usize;
            action.sa_flags = libc::SA_RESTART;
            libc::sigaction(signal, &action, std::ptr::null_mut());
        }
    }
}

/// Whether one of them came.
pub(super) fn came() -> bool {
    INTERRUPTED.load(Ordering::Relaxed)
}
