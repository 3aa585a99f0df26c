//! The kernels that a loader launches: `_begin` with one thread, `_start` with the grid that the user asked for, `_end` with one thread.
//!
//! `#[device_rt::main]` puts the three of them into the program, as calls to what is here. A crate that has kernels of its own and no
//! `main` is not burdened with them.

use core::ffi::c_char;
use core::sync::atomic::{AtomicI32, Ordering};

use crate::process::Termination;
use crate::{arch, env, init};

/// `_begin`: remembers arguments and environment, runs the constructors.
///
/// # Safety
/// Called by the loader's first launch, with one thread. `argv` leads to `argc` strings, `envp` to strings and a null pointer, all alive
/// as long as the image.
#[inline]
pub unsafe fn begin(argc: i32, argv: *const *const c_char, envp: *const *const c_char) {
    // SAFETY: the caller's promises.
    unsafe {
        env::set(argc, argv, envp);
        arch::run_init_array(argc, argv, envp);
    }
}

/// `_start`: runs `main` and joins its exit code to those of the other threads.
///
/// # Safety
/// `code` leads to a word in device memory that all threads of the launch share.
#[inline]
pub unsafe fn start<T: Termination>(main: fn() -> T, code: *mut i32) {
    let mine = main().report().to_i32();
    if mine != 0 {
        // SAFETY: the caller's promise; only ever accessed atomically while the kernel runs.
        unsafe { AtomicI32::from_ptr(code) }.fetch_or(mine, Ordering::Relaxed);
    }
}

/// `_end`: runs what was registered for the end of the program.
#[inline]
pub fn end() {
    init::finish();
}

/// The kernels of a program whose `main` is `$main`.
#[cfg(gpu)]
#[doc(hidden)]
#[macro_export]
#[allow_internal_unstable(abi_gpu_kernel)]
macro_rules! __start {
    ($main:path) => {
        const _: () = {
            use ::core::ffi::c_char;

            #[unsafe(no_mangle)]
            unsafe extern "gpu-kernel" fn _begin(argc: i32, argv: *const *const c_char, envp: *const *const c_char) {
                // SAFETY: the loader launches this kernel as `begin` demands.
                unsafe { $crate::start::begin(argc, argv, envp) }
            }

            #[unsafe(no_mangle)]
            unsafe extern "gpu-kernel" fn _start(
                _argc: i32,
                _argv: *const *const c_char,
                _envp: *const *const c_char,
                code: *mut i32,
            ) {
                // SAFETY: the loader launches this kernel as `start` demands.
                unsafe { $crate::start::start($main, code) }
            }

            #[unsafe(no_mangle)]
            extern "gpu-kernel" fn _end() {
                $crate::start::end();
            }
        };
    };
}

/// Stands for the kernels of a program whose `main` is `$main`.
#[cfg(not(gpu))]
#[doc(hidden)]
#[macro_export]
macro_rules! __start {
    ($main:path) => {
        // SAFETY: never called; here so that `main` counts as used and its type is checked.
        const _: unsafe fn(*mut i32) = |code| unsafe { $crate::start::start($main, code) };
    };
}

/// The kernel `$name`, which runs the function of the same name.
#[cfg(gpu)]
#[doc(hidden)]
#[macro_export]
#[allow_internal_unstable(abi_gpu_kernel)]
macro_rules! __kernel {
    ($name:ident, ($($parameter:ident: $kind:ty),*)) => {
        const _: () = {
            // Of another name than the function, which it calls: only the symbol is the same.
            #[unsafe(export_name = stringify!($name))]
            unsafe extern "gpu-kernel" fn kernel($($parameter: $kind),*) {
                // SAFETY: whoever launches the kernel makes the promises that the function asks for.
                #[allow(unused_unsafe, reason = "a kernel that promises nothing is a safe function")]
                unsafe {
                    $name($($parameter),*)
                }
            }
        };
    };
}

/// Stands for the kernel `$name`.
#[cfg(not(gpu))]
#[doc(hidden)]
#[macro_export]
macro_rules! __kernel {
    ($name:ident, ($($parameter:ident: $kind:ty),*)) => {
        const _: unsafe fn($($kind),*) = $name;
    };
}
