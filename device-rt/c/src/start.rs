//! The kernels of a C program. Its `main` runs once in every thread of the grid, with the arguments and the environment of the program.

use core::ffi::{c_char, c_int};

unsafe extern "C" {
    /// The program's own. One that takes fewer parameters is called all the same: neither target minds arguments that nobody reads.
    fn main(argc: c_int, argv: *const *const c_char, envp: *const *const c_char) -> c_int;
}

fn c_main() -> c_int {
    let (argc, argv, envp) = device_rt::env::raw();
    // SAFETY: what `_begin` was given, which is what C's `main` expects.
    unsafe { main(argc, argv, envp) }
}

device_rt::__start!(c_main);
