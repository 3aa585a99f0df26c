//! A stream of the driver, from making to destroying.

use std::ffi::c_uint;
use std::ptr;

use cudarc::driver::sys::{self, CUresult};

use super::check;
use crate::error::Result;

/// A stream. Dropped while work is on it, it is destroyed when that has ended.
pub(super) struct Stream {
    handle: sys::CUstream,
}

// SAFETY: streams may be used from any thread in which their context is current.
unsafe impl Send for Stream {}
// SAFETY: as above.
unsafe impl Sync for Stream {}

impl Stream {
    /// Makes a stream in the current context.
    pub fn new() -> Result<Stream> {
        let mut handle = ptr::null_mut();
        // Non-blocking: the legacy default stream would order it behind running kernels.
        let flags = sys::CUstream_flags::CU_STREAM_NON_BLOCKING as c_uint;
        // SAFETY: a context is current, as all callers see to; the pointer is valid.
        check("cannot make a CUDA stream", unsafe {
            sys::cuStreamCreate(&mut handle, flags)
        })?;
        Ok(Stream { handle })
    }

    /// What the driver calls it, as long as `self` lives.
    pub fn handle(&self) -> sys::CUstream {
        self.handle
    }

    /// Starts something on the stream and waits for it.
    pub fn run(&self, purpose: &str, start: impl FnOnce(sys::CUstream) -> CUresult) -> Result<()> {
        let started = check(purpose, start(self.handle));
        // Waiting also after an error keeps the caller's buffer alive until nothing uses it.
        started.and(self.wait(purpose))
    }

    /// Waits for what is on the stream.
    pub fn wait(&self, purpose: &str) -> Result<()> {
        // SAFETY: the stream lives.
        check(purpose, unsafe { sys::cuStreamSynchronize(self.handle) })
    }
}

impl Drop for Stream {
    fn drop(&mut self) {
        // An error is that of a device that failed before; there is nobody to tell.
        // SAFETY: nobody has the handle any more.
        let _ = unsafe { sys::cuStreamDestroy_v2(self.handle) };
    }
}
