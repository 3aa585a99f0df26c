//! Writing without the signal that a closed pipe sends.
//!
//! A Rust program ignores SIGPIPE; a C program that embeds this library may not, and would end because somebody has closed
//! the pipe to which its device prints. How signals are handled is that program's to say, so that only this thread, and
//! only meanwhile, does without.

use std::mem::MaybeUninit;

/// Runs `write` so that a closed pipe is an error and nothing more.
pub fn without<T>(write: impl FnOnce() -> T) -> T {
    let Some(blocked) = Blocked::new() else { return write() };
    let result = write();
    drop(blocked);
    result
}

/// SIGPIPE is blocked for this thread while this lives.
struct Blocked {
    pipe: libc::sigset_t,
    before: libc::sigset_t,
}

impl Blocked {
    /// `None` where nothing is to be done: it is blocked already, by somebody who may be waiting for it.
    fn new() -> Option<Self> {
        let mut pipe = MaybeUninit::uninit();
        let mut before = MaybeUninit::uninit();
        // SAFETY: each set is written by the call that gets it before another one reads it.
        unsafe {
            libc::sigemptyset(pipe.as_mut_ptr());
            libc::sigaddset(pipe.as_mut_ptr(), libc::SIGPIPE);
            if libc::pthread_sigmask(libc::SIG_BLOCK, pipe.as_ptr(), before.as_mut_ptr()) != 0
                || libc::sigismember(before.as_ptr(), libc::SIGPIPE) == 1
            {
                return None;
            }
            Some(Self {
                pipe: pipe.assume_init(),
                before: before.assume_init(),
            })
        }
    }
}

impl Drop for Blocked {
    fn drop(&mut self) {
        let now = libc::timespec { tv_sec: 0, tv_nsec: 0 };
        // SAFETY: both sets are whole. The signal that a write of this thread sent is for this thread, pending, and taken
        // away here; it was not blocked before, so that no earlier one can be pending.
        unsafe {
            libc::sigtimedwait(&self.pipe, std::ptr::null_mut(), &now);
            libc::pthread_sigmask(libc::SIG_SETMASK, &self.before, std::ptr::null_mut());
        }
    }
}
