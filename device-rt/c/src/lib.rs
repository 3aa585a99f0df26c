//! The C library of a program that lives on a GPU: what C and C++ call is here under C's names, on top of [`device_rt`].
//!
//! What asks the host for something is in these modules; what needs C's own ways (variable arguments) or is no more than arithmetic on
//! memory is in the C files beside them. `cargo xtask build-gpu program.c` compiles both, links them with a program, and drops what the
//! program does not reach. The README of this folder says how to do the same by hand.
//!
//! Files, formats and standard streams are the host's: a `FILE *` is the number that the host gave the file, nothing is buffered on the
//! device, and `printf` sends its arguments as they are. On a target that is no GPU the functions keep their Rust names, so that they do
//! not stand in for the host's own C library.

#![no_std]
#![cfg_attr(all(gpu, feature = "start"), feature(abi_gpu_kernel))]

extern crate alloc;

pub mod cxx;
pub mod format;
pub mod memory;
pub mod number;
pub mod process;
pub mod stream;
pub mod thread;
pub mod time;

mod errno;
#[cfg(all(gpu, feature = "start"))]
mod start;
