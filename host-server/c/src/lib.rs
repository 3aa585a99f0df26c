//! The host server behind a C interface: `librpc_server` and `rpc_server.h`.
//!
//! For runtimes that already own devices (OpenMP offload, language runtimes, test frameworks). They bring the memory and
//! the time: a hook allocates the shared region, and [`rpc_handle_server`](api::rpc_handle_server) serves while the
//! runtime waits for its kernels anyway. The README beside this crate has whole programs; the header is made from
//! [`api`] and [`types`] by cbindgen.
//!
//! No function unwinds into C, prints, changes how signals are handled, or ends the process unless asked to. A callback
//! must not throw or jump out.
#![deny(unsafe_code)]

#[allow(unsafe_code, reason = "functions for C, which vouches for its pointers")]
pub mod api;
mod conversation;
#[allow(unsafe_code, reason = "hooks of C")]
mod device;
#[allow(unsafe_code, reason = "hooks of C")]
mod host;
mod library;
pub mod opcodes;
#[allow(unsafe_code, reason = "functions for C, which vouches for its pointers")]
pub mod port;
#[allow(unsafe_code, reason = "signal sets of the C library")]
mod sigpipe;
#[allow(unsafe_code, reason = "structures of C")]
pub mod types;
mod workers;

use std::{
    panic::{AssertUnwindSafe, catch_unwind},
    sync::{Mutex, MutexGuard, PoisonError},
};

use types::rpc_status_t::{self, RPC_STATUS_ERROR, RPC_STATUS_SUCCESS};

/// Runs the body of a C function. A panic ends here.
fn guarded(body: impl FnOnce() -> Result<(), rpc_status_t>) -> rpc_status_t {
    match catch_unwind(AssertUnwindSafe(body)) {
        Ok(Ok(())) => RPC_STATUS_SUCCESS,
        Ok(Err(status)) => status,
        Err(_) => RPC_STATUS_ERROR,
    }
}

/// The same for a function that returns a pointer, null if there is none.
fn guarded_or<T>(otherwise: T, body: impl FnOnce() -> Option<T>) -> T {
    catch_unwind(AssertUnwindSafe(body)).ok().flatten().unwrap_or(otherwise)
}

/// Nothing is left half done behind any lock of this crate.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
