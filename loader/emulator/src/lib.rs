//! A GPU without a GPU: an interpreter of PTX and of AMDGCN machine code.
//!
//! | module | what it is |
//! |---|---|
//! | [`memory`] | the address space that host and device share, and the check of every access |
//! | [`grid`] | launches: blocks over host threads, or everything in an order drawn from a seed |
//! | [`fault`] | what went wrong, where, in words |
//! | [`ptx`] | the NVIDIA front: PTX text in, launches out |
//! | [`amdgcn`] | the AMD front: code objects and machine code |
//!
//! The drivers' programming interfaces over this are crates of their own (`cuda/`, `hsa/`).

pub mod amdgcn;
pub mod fault;
pub mod grid;
pub mod memory;
pub mod ptx;
