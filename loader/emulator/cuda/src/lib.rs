//! The CUDA driver API over the emulator: a `libcuda.so` for machines without a GPU.
//!
//! | module | what it is |
//! |---|---|
//! | [`status`], [`handle`], [`border`] | what all entry points share: codes, handles, the border to C |
//! | [`config`], [`driver`] | the environment, initialisation |
//! | [`device`], [`attributes`] | devices and their properties |
//! | [`context`], [`contexts`] | contexts: state, faults, the order of streams; their entry points |
//! | [`queue`], [`stream`], [`event`] | asynchronous work |
//! | [`memory`], [`pinned`], [`pool`], [`mod@pointer`] | memory by the way it is allocated; what a pointer leads to |
//! | [`transfer`], [`copy`], [`fill`] | copying and filling |
//! | [`image`], [`jit`], [`module`], [`library`], [`linker`] | images and what is in them |
//! | [`function`], [`launch`], [`occupancy`] | kernels |
//! | [`error`], [`proc_address`], [`symbols`], [`unsupported`] | texts of errors, names, what is not there |
//!
//! The README says how programs find this library and what the environment controls.

#![allow(non_snake_case)] // The names of entry points are those of the public interface.

pub mod attributes;
pub mod border;
pub mod config;
pub mod context;
pub mod contexts;
pub mod copy;
pub mod device;
pub mod driver;
pub mod error;
pub mod event;
pub mod fill;
pub mod function;
pub mod handle;
pub mod image;
pub mod jit;
pub mod launch;
pub mod library;
pub mod linker;
pub mod memory;
pub mod module;
pub mod occupancy;
pub mod pinned;
pub mod pointer;
pub mod pool;
pub mod proc_address;
pub mod queue;
pub mod status;
pub mod stream;
pub mod symbols;
pub mod transfer;
pub mod unsupported;

use std::sync::{Mutex, MutexGuard, PoisonError};

/// Locks; what a panic left behind is used all the same, since no state here spans two steps.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
