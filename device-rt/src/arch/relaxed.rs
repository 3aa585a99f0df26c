//! Accesses to memory that others watch, in core's atomics: for targets whose assembly Rust does not know, or that need none.

use core::sync::atomic::{AtomicU32, AtomicU64, Ordering};

use super::{acquire_device, acquire_system, release_device};

/// Looks at a word of memory shared with the host until it is `value`, then acquires at system scope. `pause` between looks.
///
/// # Safety
/// `word` is readable and only accessed atomically.
#[inline(always)]
pub(crate) unsafe fn acquire_when(word: *mut u32, value: u32, pause: impl Fn(u32)) {
    // SAFETY: the caller vouches for the word.
    let word = unsafe { AtomicU32::from_ptr(word) };
    let mut looks = 0;
    while word.load(Ordering::Relaxed) != value {
        pause(looks);
        looks = looks.wrapping_add(1);
    }
    acquire_system();
}

/// Sets a bit of a word in device memory; what the word was. Acquires at device scope if the bit was clear.
///
/// # Safety
/// `word` is in device memory and only accessed atomically.
#[inline(always)]
pub(crate) unsafe fn set_bit_acquire(word: *mut u32, bit: u32) -> u32 {
    // SAFETY: the caller vouches for the word.
    let before = unsafe { AtomicU32::from_ptr(word) }.fetch_or(bit, Ordering::Relaxed);
    if before & bit == 0 {
        acquire_device();
    }
    before
}

/// Releases at device scope, then clears a bit.
///
/// # Safety
/// As for [`set_bit_acquire`].
#[inline(always)]
pub(crate) unsafe fn clear_bit_release(word: *mut u32, bit: u32) {
    release_device();
    // SAFETY: the caller vouches for the word.
    unsafe { AtomicU32::from_ptr(word) }.fetch_and(!bit, Ordering::Relaxed);
}

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

/// Reads a word of device memory that nobody writes while a kernel runs.
///
/// # Safety
/// `at` is aligned and readable, and the promise holds.
#[inline(always)]
pub(crate) unsafe fn load_fixed(at: *const u64) -> u64 {
    // SAFETY: the caller vouches for the address.
    unsafe { at.read() }
}

/// No answer can be here yet: what that takes is not known of these.
#[inline(always)]
pub(crate) fn await_trip(_lanes: u32) {}

/// What longer naps are worth is not known either.
#[inline(always)]
pub(crate) fn sleep_longer(_looks: u32) {
    super::sleep_briefly();
}

/// Nor what shorter ones are.
#[inline(always)]
pub(crate) fn sleep_shorter(_rounds: u32) {
    super::sleep_briefly();
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
