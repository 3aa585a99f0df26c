//! Prints a lot from all threads, then ends the program from one of them: nothing of what was printed before may be lost.

#![no_std]

use core::sync::atomic::{AtomicU64, Ordering};

use device_rt::{env, println, process, thread};

static PRINTED: AtomicU64 = AtomicU64::new(0);

#[device_rt::main]
fn main(mut arguments: env::Args) {
    let lines: u64 = arguments.nth(1).and_then(|lines| lines.parse().ok()).unwrap_or(1);
    for _ in 0..lines {
        println!("{:0>63}", "");
    }
    if PRINTED.fetch_add(1, Ordering::Relaxed) + 1 == thread::count() {
        process::quick_exit(17);
    }
}
