//! Every thread registers a function; all of them run, in one thread, the first registered last.

#![no_std]

use core::sync::atomic::{AtomicU64, Ordering};

use device_rt::{at_exit, constructor, println, process, thread};

static REGISTERED: AtomicU64 = AtomicU64::new(0);
static RUN: AtomicU64 = AtomicU64::new(0);

#[constructor]
fn before_all() {
    at_exit(|| {
        println!(
            "{} of {} have run",
            RUN.load(Ordering::Relaxed),
            REGISTERED.load(Ordering::Relaxed)
        );
        at_exit(|| println!("registered at the end"));
    });
}

fn count() {
    RUN.fetch_add(1, Ordering::Relaxed);
}

#[device_rt::main]
fn main(mut arguments: device_rt::env::Args) {
    at_exit(count);
    let registered = REGISTERED.fetch_add(1, Ordering::Relaxed) + 1;
    // `exit` runs them as well, in the thread that calls it.
    if arguments.nth(1) == Some("exit") && registered == thread::count() {
        process::exit(3);
    }
}
