//! A stand-in for a GPU: one block of one thread with one lane.

extern crate std;

use core::ffi::c_char;
use core::sync::atomic::{Ordering, fence};
use std::sync::OnceLock;
use std::time::Instant;

pub(crate) const fn lane_count() -> u32 {
    1
}

pub(crate) fn lane_id() -> u32 {
    0
}

pub(crate) fn active_mask() -> u64 {
    1
}

pub(crate) fn active_mask_with(_value: u32) -> u64 {
    active_mask()
}

pub(crate) unsafe fn ballot(mask: u64, predicate: bool) -> u64 {
    if predicate { mask } else { 0 }
}

pub(crate) unsafe fn shuffle(_mask: u64, value: u32, _lane: u32) -> u32 {
    value
}

pub(crate) unsafe fn broadcast(_mask: u64, value: u32) -> u32 {
    value
}

pub(crate) unsafe fn sync_lanes(_mask: u64) {}

pub(crate) fn acquire_device() {
    acquire_system();
}

pub(crate) fn release_device() {
    release_system();
}

pub(crate) fn acquire_system() {
    fence(Ordering::Acquire);
}

pub(crate) fn release_system() {
    fence(Ordering::Release);
}

pub(crate) fn sleep_briefly() {
    std::thread::yield_now();
}

pub(crate) fn trap() -> ! {
    std::process::abort()
}

pub(crate) fn exit_thread() -> ! {
    std::process::exit(0)
}

pub(crate) fn clock() -> u64 {
    nanoseconds()
}

pub(crate) fn nanoseconds() -> u64 {
    static START: OnceLock<Instant> = OnceLock::new();
    START.get_or_init(Instant::now).elapsed().as_nanos() as u64
}

pub(crate) fn thread_id() -> [u32; 3] {
    [0; 3]
}

pub(crate) fn block_id() -> [u32; 3] {
    [0; 3]
}

pub(crate) fn block_size() -> [u32; 3] {
    [1; 3]
}

pub(crate) fn grid_size() -> [u32; 3] {
    [1; 3]
}

pub(crate) fn sync_block() {}

pub(crate) fn home() -> u32 {
    0
}

pub(crate) fn block_memory() -> (*mut u8, usize) {
    (core::ptr::dangling_mut(), 0)
}

pub(crate) unsafe fn run_init_array(_argc: i32, _argv: *const *const c_char, _envp: *const *const c_char) {}

pub(crate) fn run_fini_array() {}

/// Stands for putting a function among the constructors or destructors of an image.
#[doc(hidden)]
#[macro_export]
macro_rules! __init_object {
    ($function:path, $symbol:literal, $section:literal) => {
        const _: fn() = $function;
    };
}
