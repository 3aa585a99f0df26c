//! Says something, then traps: the text must arrive, and the code must not be 0.

#![no_std]

use device_rt::{eprintln, process, thread};

#[device_rt::main]
fn main() {
    eprintln!("thread {} is about to trap", thread::index());
    process::trap();
}
