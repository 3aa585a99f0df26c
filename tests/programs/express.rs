//! Express calls from every lane, with answers and without, from diverged lanes, in order.

#![no_std]

use device_rt::{express, println, rpc::Opcode, thread};

#[device_rt::main]
fn main() {
    let index = thread::index();
    for count in 0..20 {
        let value = index << 32 | count;
        assert_eq!(express::call(Opcode::TEST_INCREMENT, [value]), [value + 1]);
        // Lanes of a warp in different calls at the same time.
        match (index + count) % 5 {
            0 => express::post(Opcode::NOOP, [count]),
            1 => assert_eq!(express::call(Opcode::TEST_INCREMENT, [value, 7]), [value + 1, 7]),
            2 => express::post(Opcode::NOOP, [count; 8]),
            3 => assert_eq!(express::call(Opcode::TEST_INCREMENT, [value; 8])[0], value + 1),
            _ => express::flush(),
        }
    }
    println!("thread {index} ok");
}
