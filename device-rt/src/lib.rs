//! The runtime of a program that lives on a GPU.
//!
//! ```ignore
//! #![no_std]
//!
//! #[device_rt::main]
//! fn main() {
//!     device_rt::println!("hello from thread {}", device_rt::thread::index());
//! }
//! ```
//!
//! A program is a `cdylib` crate built for `nvptx64-nvidia-cuda` or `amdgcn-amd-amdhsa`. `main` runs once in every thread of the grid
//! that the loader was asked for. What the machine itself has, such as warps and blocks, is in [`warp`], [`block`] and [`thread`]; what
//! only the host can do is asked of it through the client in [`rpc`], on which [`io`], [`mod@env`], [`process`] and the heap are built.
//!
//! On a target that is no GPU the crate compiles to a stand-in with one thread, so that editors, clippy and unit tests work on device
//! code with a stable compiler.

#![no_std]
// A GPU target has no stable toolchain, so that unstable features cost nothing there; everywhere else the crate is plain Rust.
#![cfg_attr(gpu, feature(allow_internal_unstable, linkage), allow(internal_features))]
#![cfg_attr(target_arch = "nvptx64", feature(asm_experimental_arch, stdarch_nvptx))]
#![cfg_attr(
    target_arch = "amdgpu",
    feature(
        abi_unadjusted,
        core_intrinsics,
        gpu_intrinsics,
        link_llvm_intrinsics,
        stdarch_amdgpu
    )
)]

extern crate alloc;

mod arch;
mod panic;
mod print;

pub mod block;
pub mod env;
pub mod express;
pub mod fs;
pub mod heap;
pub mod host;
pub mod init;
pub mod io;
pub mod process;
pub mod rpc;
#[doc(hidden)]
pub mod start;
#[cfg(gpu)]
#[doc(hidden)]
pub mod symbols;
pub mod thread;
pub mod time;
pub mod warp;

pub use device_rt_macros::{constructor, destructor, kernel, main};
#[doc(no_inline)]
pub use env::{args, var, vars};
#[doc(no_inline)]
pub use init::at_exit;
#[doc(no_inline)]
pub use io::write_to_stderr;
#[doc(hidden)]
pub use print::_print;
