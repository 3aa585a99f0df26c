//! Every thread says which one it is: whole warps, parts of warps, several dimensions.

#![no_std]

use device_rt::thread::Dim3;
use device_rt::{block, println, thread};

#[device_rt::main]
fn main() {
    let Dim3 { x, y, z } = thread::id();
    let size = block::size();
    assert_eq!(thread::index_in_block(), (z * size.y + y) * size.x + x);
    assert_eq!(
        thread::index(),
        block::index() * size.volume() + u64::from(thread::index_in_block())
    );
    assert!(thread::index() < thread::count());
    println!("thread {} of block {}", thread::index_in_block(), block::index());
}
