//! The program of the README: a vector in every thread.

#![no_std]
extern crate alloc;

use device_rt::{println, thread};

#[device_rt::main]
fn main() {
    let squares: alloc::vec::Vec<u64> = (0..4).map(|n| n * n).collect();
    println!("thread {} of {}: {squares:?}", thread::index(), thread::count());
}
