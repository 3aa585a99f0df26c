//! Constructors and destructors run once each, in the order of their priorities.

#![no_std]

use core::sync::atomic::{AtomicU32, Ordering};

use device_rt::{at_exit, constructor, destructor, println, thread};

static CONSTRUCTED: AtomicU32 = AtomicU32::new(0);

#[constructor(201)]
fn second() {
    CONSTRUCTED.fetch_add(10, Ordering::Relaxed);
    println!("constructor 201, {} before", thread::count());
}

#[constructor]
fn last() {
    println!("constructor without a number: {}", CONSTRUCTED.load(Ordering::Relaxed));
}

#[constructor(200)]
fn first() {
    CONSTRUCTED.fetch_add(1, Ordering::Relaxed);
    println!("constructor 200");
    at_exit(|| println!("registered by a constructor"));
}

mod other {
    #[device_rt::constructor(1000)]
    fn second() {
        device_rt::println!("constructor 1000 of the same name");
    }
}

#[destructor(200)]
fn destroyed_last() {
    println!("destructor 200");
}

#[destructor]
fn destroyed_first() {
    println!("destructor without a number");
}

#[destructor(201)]
fn destroyed_second() {
    println!("destructor 201");
}

#[device_rt::main]
fn main() -> i32 {
    if thread::index() == 0 {
        println!("main: {}", CONSTRUCTED.load(Ordering::Relaxed));
        at_exit(|| println!("registered by main"));
    }
    0
}
