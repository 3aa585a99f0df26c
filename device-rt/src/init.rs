//! What runs before and after the threads of `main`.
//!
//! `_begin` runs the constructors, lowest priority number first. `_end`, or [`process::exit`](crate::process::exit), runs the functions
//! registered with [`at_exit`], last registered first, then the destructors, highest priority number first. Both run in one thread.

use alloc::alloc::{Layout, alloc};
use core::ffi::c_void;
use core::sync::atomic::{AtomicPtr, AtomicU64, Ordering};
use core::{mem, ptr};

use crate::{arch, thread};

/// A function registered with [`at_exit`], and the one registered before it.
struct Node {
    run: unsafe extern "C" fn(*mut c_void),
    argument: *mut c_void,
    next: *mut Node,
}

/// The function registered last. A stack without a lock: on AMD a lock that several lanes of a wavefront want would never open.
static LAST: AtomicPtr<Node> = AtomicPtr::new(ptr::null_mut());

/// Runs what has been registered, once anything has been. A program that registers nothing does not even have the code.
static mut RUN_REGISTERED: Option<fn()> = None;

/// One more than the index of the thread that runs the finalisers, or [`IDLE`] or [`DONE`].
static RUNNER: AtomicU64 = AtomicU64::new(IDLE);
const IDLE: u64 = 0;
const DONE: u64 = u64::MAX;

/// Registers `run` to be called once at the end of the program. Any number of threads may do so at the same time.
///
/// The calls are made one after the other, in a single thread, in the reverse of the order in which they were registered. A function
/// registered while they run comes next. A trap, [`quick_exit`](crate::process::quick_exit), `abort` and a panic leave them out.
///
/// # Panics
/// When the host has no memory left to note the function in.
pub fn at_exit(run: fn()) {
    unsafe extern "C" fn call(run: *mut c_void) {
        // SAFETY: the pointer was made of such a function below.
        let run: fn() = unsafe { mem::transmute(run) };
        run();
    }
    // SAFETY: `call` gets what it expects.
    if !unsafe { at_exit_with(call, run as *mut c_void) } {
        alloc::alloc::handle_alloc_error(Layout::new::<Node>());
    }
}

/// The same for a function with an argument, as C++ has for the destructors of static objects. False when the host has no memory left to
/// note it in.
///
/// # Safety
/// `run` may be called with `argument` once, at the end of the program, by any thread.
#[must_use]
pub unsafe fn at_exit_with(run: unsafe extern "C" fn(*mut c_void), argument: *mut c_void) -> bool {
    // SAFETY: a node is not empty.
    let node: *mut Node = unsafe { alloc(Layout::new::<Node>()) }.cast();
    if node.is_null() {
        return false;
    }
    // SAFETY: the block has the layout of a node, and nobody else knows it.
    unsafe {
        node.write(Node {
            run,
            argument,
            next: ptr::null_mut(),
        });
    }
    let mut last = LAST.load(Ordering::Relaxed);
    loop {
        // SAFETY: nobody else knows the node before the exchange below succeeds.
        unsafe { (*node).next = last };
        // Release: whoever takes the node sees what is in it.
        match LAST.compare_exchange(last, node, Ordering::Release, Ordering::Relaxed) {
            Ok(_) => break,
            Err(newer) => last = newer,
        }
    }
    // SAFETY: the pointer is read by `_end`, when no other thread runs; until then all threads write the same value, as one word.
    unsafe { AtomicPtr::from_ptr((&raw mut RUN_REGISTERED).cast()) }
        .store(run_registered as fn() as *mut (), Ordering::Relaxed);
    true
}

/// `_end`: runs the functions registered with [`at_exit`] and the destructors. No other thread runs.
pub(crate) fn finish() {
    // SAFETY: the kernel before has ended, with all its stores.
    if let Some(run_registered) = unsafe { (&raw const RUN_REGISTERED).read() } {
        run_registered();
    }
    arch::run_fini_array();
}

/// The same while other threads run, of which only the first to come here does it. Returns when it has been done; at once in a function
/// that is itself being run here.
pub(crate) fn finish_early() {
    let me = thread::index() + 1;
    if RUNNER
        .compare_exchange(IDLE, me, Ordering::Acquire, Ordering::Acquire)
        .is_ok()
    {
        run_registered();
        arch::run_fini_array();
        RUNNER.store(DONE, Ordering::Release);
    }
    while RUNNER.load(Ordering::Acquire) != DONE {
        if RUNNER.load(Ordering::Relaxed) == me {
            return;
        }
        arch::sleep_briefly();
    }
}

fn run_registered() {
    loop {
        let node = LAST.load(Ordering::Acquire);
        if node.is_null() {
            return;
        }
        // SAFETY: only the runner takes nodes off, so that this one stays alive until its exchange below; a function registered
        // meanwhile makes the exchange fail.
        let next = unsafe { (*node).next };
        if LAST
            .compare_exchange(node, next, Ordering::Acquire, Ordering::Relaxed)
            .is_ok()
        {
            // The node itself is left to the end of the program, which is near: giving it back would cost a call.
            // SAFETY: the node is ours alone now; whoever registered the function vouches for the call.
            unsafe { ((*node).run)((*node).argument) };
        }
    }
}
