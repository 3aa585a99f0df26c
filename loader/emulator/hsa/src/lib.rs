//! The HSA runtime API over the emulator: a `libhsa-runtime64.so.1` for machines without a GPU.
//!
//! A program that uses an AMD GPU through the HSA runtime (our loader, LLVM's offload runtime, C
//! programs written against the headers) loads this library instead of AMD's and runs unchanged;
//! its kernels are interpreted. [`config`] lists the environment variables that describe the
//! machine. Everything in the headers is exported; what is not emulated says so once on stderr and
//! returns an error.
//!
//! | module | what it is |
//! |---|---|
//! | [`border`], [`status`], [`handle`] | the border to C |
//! | [`runtime`], [`config`], [`system`] | the life of the runtime, and the machine |
//! | [`agent`], [`chip`], [`isa`], [`pool`] | what there is, and what it says about itself |
//! | [`memory`], [`memory_api`] | buffers, access, copies |
//! | [`signal`], [`signal_api`], [`wait`], [`events`] | signals, waiting, and what waits for signals |
//! | [`queue`], [`queue_api`], [`processor`] | queues and their packets |
//! | [`code`], [`code_api`], [`image`], [`loader_extension`] | code objects, executables, symbols |
//! | [`engine`], [`diagnostics`] | the seam to the interpreter; what is said about faults |

pub mod agent;
pub mod border;
pub mod chip;
pub mod code;
pub mod code_api;
pub mod config;
pub mod diagnostics;
pub mod engine;
pub mod events;
pub mod handle;
pub mod image;
pub mod isa;
pub mod loader_extension;
pub mod memory;
pub mod memory_api;
pub mod pool;
pub mod processor;
pub mod queue;
pub mod queue_api;
pub mod runtime;
pub mod signal;
pub mod signal_api;
pub mod status;
pub mod system;
pub mod wait;
