//! Ctrl-C: the first one ends the program in order, the second one at once.

use std::sync::atomic::{AtomicI32, Ordering};

/// The signal that came, 0 before.
static RECEIVED: AtomicI32 = AtomicI32::new(0);

extern "C" fn on_signal(signal: libc::c_int) {
    if RECEIVED.swap(signal, Ordering::Relaxed) != 0 {
        // SAFETY: `_exit` may be called in a signal handler.
        unsafe { libc::_exit(i32::from(crate::exit::of_signal(signal))) };
    }
}

/// Catches the signals that ask a process to end, except those that it was told to ignore (`nohup`).
pub(super) fn catch() {
    for signal in [libc::SIGINT, libc::SIGTERM, libc::SIGHUP] {
        // SAFETY: the structure is valid when zeroed and then filled; the handler does nothing that a handler must not
        // do.
        unsafe {
            let mut action: libc::sigaction = std::mem::zeroed();
            action.sa_sigaction = on_signal as *const () as usize;
            action.sa_flags = libc::SA_RESTART;
            let mut before: libc::sigaction = std::mem::zeroed();
            libc::sigaction(signal, &action, &mut before);
            if before.sa_sigaction == libc::SIG_IGN {
                libc::sigaction(signal, &before, std::ptr::null_mut());
            }
        }
    }
}

/// The signal that came, if one did.
pub(super) fn received() -> Option<i32> {
    match RECEIVED.load(Ordering::Relaxed) {
        0 => None,
        signal => Some(signal),
    }
}
