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
    cell::Cell,
    panic::{AssertUnwindSafe, catch_unwind},
    sync::{Mutex, MutexGuard, Once, PoisonError},
};

use types::rpc_status_t::{self, RPC_STATUS_ERROR, RPC_STATUS_SUCCESS};

thread_local! {
    /// How many functions of the library this thread is inside of.
    static INSIDE: Cell<u32> = const { Cell::new(0) };
}

/// Runs the body of a C function. A panic ends here.
fn guarded(body: impl FnOnce() -> Result<(), rpc_status_t>) -> rpc_status_t {
    match caught(body) {
        Some(Ok(())) => RPC_STATUS_SUCCESS,
        Some(Err(status)) => status,
        None => RPC_STATUS_ERROR,
    }
}

/// The same for a function that returns a pointer, null if there is none.
fn guarded_or<T>(otherwise: T, body: impl FnOnce() -> Option<T>) -> T {
    caught(body).flatten().unwrap_or(otherwise)
}

fn caught<T>(body: impl FnOnce() -> T) -> Option<T> {
    INSIDE.set(INSIDE.get() + 1);
    let result = catch_unwind(AssertUnwindSafe(body)).ok();
    INSIDE.set(INSIDE.get() - 1);
    result
}

/// Keeps the text of a panic off the program's standard error: the library has a status for it, or a line of the log.
fn silence_panics() {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        let outer = std::panic::take_hook();
        std::panic::set_hook(Box::new(move |panic| {
            let thread = std::thread::current();
            // All threads of the library are named so.
            let is_ours = thread.name().is_some_and(|name| name.starts_with("rpc-"));
            if !is_ours && INSIDE.get() == 0 {
                outer(panic);
            }
        }));
    });
}

/// Nothing is left half done behind any lock of this crate.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::atomic::{AtomicU32, Ordering};

    /// The only test here: a hook is the whole process's.
    #[test]
    fn a_panic_is_a_status_and_prints_nothing() {
        static SHOWN: AtomicU32 = AtomicU32::new(0);
        let oops = || -> Option<()> { panic!("on purpose") };
        std::panic::set_hook(Box::new(|_| _ = SHOWN.fetch_add(1, Ordering::Relaxed)));
        assert_eq!(api::rpc_init(1), RPC_STATUS_SUCCESS);
        assert_eq!(
            guarded(|| oops().ok_or(rpc_status_t::RPC_STATUS_CONTINUE)),
            RPC_STATUS_ERROR
        );
        assert_eq!(guarded_or(7, || oops().map(|()| 8)), 7);
        let named = std::thread::Builder::new().name("rpc-service".into()).spawn(oops);
        assert!(named.unwrap().join().is_err());
        assert_eq!(SHOWN.load(Ordering::Relaxed), 0);
        // What is not the library's is shown as before.
        assert!(std::thread::spawn(oops).join().is_err());
        assert_eq!(SHOWN.load(Ordering::Relaxed), 1);
        assert_eq!(api::rpc_shutdown(), RPC_STATUS_SUCCESS);
    }
}
