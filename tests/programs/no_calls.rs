//! A program that asks the host for nothing: its image must not have the client's symbol, and no server may be started.

#![no_std]

use device_rt::thread;

#[device_rt::main]
fn main() -> i32 {
    let mut value = thread::index() as u32 + 1;
    for _ in 0..10 {
        value = value.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
    }
    i32::from(value == 0) + 5
}
