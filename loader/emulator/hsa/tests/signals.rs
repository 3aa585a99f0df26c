//! Signals: values, waits, handlers.

mod common;

use std::ffi::c_void;
use std::sync::atomic::{AtomicI64, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use common::{Running, check};
use hsa_sys::*;

#[test]
fn operations_do_what_they_say() {
    let run = Running::new();
    let signal = run.signal(12);
    // SAFETY: plain values.
    unsafe {
        run.0.hsa_signal_add_relaxed(signal, 5);
        run.0.hsa_signal_subtract_screlease(signal, 2);
        assert_eq!(run.0.hsa_signal_load_scacquire(signal), 15);
        run.0.hsa_signal_and_acq_rel(signal, 0b1010);
        run.0.hsa_signal_or_relaxed(signal, 0b0100);
        run.0.hsa_signal_xor_release(signal, 0b0011);
        assert_eq!(run.0.hsa_signal_exchange_acquire(signal, 40), 0b1101);
        assert_eq!(run.0.hsa_signal_cas_scacq_screl(signal, 41, 1), 40);
        assert_eq!(run.0.hsa_signal_cas_release(signal, 40, 1), 40);
        assert_eq!(run.0.hsa_signal_load_acquire(signal), 1);
        let mut value = std::ptr::null_mut();
        check(run.0.hsa_amd_signal_value_pointer(signal, &mut value));
        *value = 9;
        assert_eq!(run.0.hsa_signal_load_relaxed(signal), 9);
        check(run.0.hsa_signal_destroy(signal));
        assert_eq!(run.0.hsa_signal_destroy(signal), HSA_STATUS_ERROR_INVALID_SIGNAL);
    }
}

#[test]
fn a_wait_ends_by_a_store_by_a_direct_write_and_by_time() {
    let run = Running::new();
    let signal = run.signal(1);
    thread::scope(|scope| {
        let waiter = scope.spawn(|| run.wait(signal));
        thread::sleep(Duration::from_millis(20));
        // SAFETY: plain values.
        unsafe { run.0.hsa_signal_store_screlease(signal, 0) };
        assert_eq!(waiter.join().unwrap(), 0);
    });
    // SAFETY: plain values, and a place that is a live signal's value.
    unsafe {
        run.0.hsa_signal_store_relaxed(signal, 1);
        let mut value = std::ptr::null_mut();
        check(run.0.hsa_amd_signal_value_pointer(signal, &mut value));
        let value = AtomicI64::from_ptr(value);
        thread::scope(|scope| {
            let waiter = scope.spawn(|| run.wait(signal));
            thread::sleep(Duration::from_millis(20));
            value.store(0, Ordering::Release);
            assert_eq!(waiter.join().unwrap(), 0);
        });
        let began = Instant::now();
        let active = HSA_WAIT_STATE_ACTIVE;
        let left = run
            .0
            .hsa_signal_wait_relaxed(signal, HSA_SIGNAL_CONDITION_GTE, 5, 30_000_000, active);
        assert_eq!(left, 0);
        assert!(
            (30..2000).contains(&began.elapsed().as_millis()),
            "{:?}",
            began.elapsed()
        );
    }
}

#[test]
fn waiting_for_any_says_which() {
    let run = Running::new();
    let mut signals = [run.signal(3), run.signal(4), run.signal(5)];
    let mut conditions = [
        HSA_SIGNAL_CONDITION_EQ,
        HSA_SIGNAL_CONDITION_LT,
        HSA_SIGNAL_CONDITION_NE,
    ];
    let mut values = [0, 5, 5];
    let mut seen = 0;
    // SAFETY: all lists have three elements.
    unsafe {
        let first = run.0.hsa_amd_signal_wait_any(
            3,
            signals.as_mut_ptr(),
            conditions.as_mut_ptr(),
            values.as_mut_ptr(),
            u64::MAX,
            HSA_WAIT_STATE_BLOCKED,
            &mut seen,
        );
        assert_eq!((first, seen), (1, 4));
        let none = run.0.hsa_amd_signal_wait_any(
            1,
            signals.as_mut_ptr(),
            conditions.as_mut_ptr(),
            values.as_mut_ptr(),
            1000,
            HSA_WAIT_STATE_BLOCKED,
            &mut seen,
        );
        assert_eq!(none, u32::MAX);
    }
}

#[test]
fn a_handler_is_called_as_long_as_it_wants() {
    static CALLS: AtomicI64 = AtomicI64::new(0);
    extern "C" fn handler(value: i64, again: *mut c_void) -> bool {
        assert!(value <= 0);
        CALLS.fetch_add(1, Ordering::SeqCst);
        let again = again.cast::<AtomicI64>();
        // SAFETY: the counter below, which lives until the end of the process.
        unsafe { (*again).fetch_sub(1, Ordering::SeqCst) > 1 }
    }
    let again: &'static AtomicI64 = Box::leak(Box::new(AtomicI64::new(3)));
    let run = Running::new();
    let signal = run.signal(1);
    let argument = std::ptr::from_ref(again).cast_mut().cast();
    // SAFETY: `handler` gets what it expects.
    unsafe {
        check(
            run.0
                .hsa_amd_signal_async_handler(signal, HSA_SIGNAL_CONDITION_LT, 1, Some(handler), argument),
        );
        thread::sleep(Duration::from_millis(30));
        assert_eq!(CALLS.load(Ordering::SeqCst), 0);
        run.0.hsa_signal_subtract_relaxed(signal, 1);
    }
    let began = Instant::now();
    while CALLS.load(Ordering::SeqCst) < 3 && began.elapsed() < Duration::from_secs(5) {
        thread::sleep(Duration::from_millis(1));
    }
    thread::sleep(Duration::from_millis(30));
    assert_eq!(CALLS.load(Ordering::SeqCst), 3);
}
