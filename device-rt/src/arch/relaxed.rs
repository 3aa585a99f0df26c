//! Accesses to memory that others watch, in core's atomics: for targets whose assembly Rust does not know, or that need none.

use core::sync::atomic::{AtomicU64, Ordering};

/// Reads 16 bytes of memory shared with the host, relaxed at system scope: each 8 in one piece.
///
/// # Safety
/// `at` is aligned to 16, readable, and only accessed atomically.
#[inline(always)]
pub(crate) unsafe fn load_pair(at: *const u64) -> [u64; 2] {
    // SAFETY: the caller vouches for the address.
    [0, 1].map(|half| unsafe { AtomicU64::from_ptr(at.add(half).cast_mut()) }.load(Ordering::Relaxed))
}

/// Writes 16 bytes of memory shared with the host, relaxed at system scope: each 8 in one piece.
///
/// # Safety
/// `at` is aligned to 16, writable, and only accessed atomically.
#[inline(always)]
pub(crate) unsafe fn store_pair(at: *mut u64, halves: [u64; 2]) {
    for (half, value) in halves.into_iter().enumerate() {
        // SAFETY: the caller vouches for the address.
        unsafe { AtomicU64::from_ptr(at.add(half)) }.store(value, Ordering::Relaxed);
    }
}

/// Reads a word of device memory that only this warp touches.
///
/// # Safety
/// `at` is aligned, readable, and only accessed atomically.
#[inline(always)]
pub(crate) unsafe fn load_own(at: *const u64) -> u64 {
    // SAFETY: the caller vouches for the address.
    unsafe { AtomicU64::from_ptr(at.cast_mut()) }.load(Ordering::Relaxed)
}

/// Writes such a word.
///
/// # Safety
/// `at` is aligned, writable, and only accessed atomically.
#[inline(always)]
pub(crate) unsafe fn store_own(at: *mut u64, value: u64) {
    // SAFETY: the caller vouches for the address.
    unsafe { AtomicU64::from_ptr(at) }.store(value, Ordering::Relaxed);
}

/// Whether an address may be one of global memory. Nothing here says so at once, and the host knows best.
#[inline(always)]
pub(crate) fn is_global(_address: *const u8) -> bool {
    true
}

/// Clears the bits of a word in device memory that `keep` lacks, releasing at device scope what this lane did before.
///
/// # Safety
/// `at` is aligned, writable, and only accessed atomically.
#[inline(always)]
pub(crate) unsafe fn release_and(at: *mut u64, keep: u64) {
    // SAFETY: the caller vouches for the address.
    unsafe { AtomicU64::from_ptr(at) }.fetch_and(keep, Ordering::Release);
}

/// Sets bits of a word in device memory, releasing at device scope what this lane did before.
///
/// # Safety
/// As for [`release_and`].
#[inline(always)]
pub(crate) unsafe fn release_or(at: *mut u64, bits: u64) {
    // SAFETY: the caller vouches for the address.
    unsafe { AtomicU64::from_ptr(at) }.fetch_or(bits, Ordering::Release);
}
