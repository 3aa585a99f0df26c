//! A call on a port and nothing else: `tests/emitted.rs` looks at what the compiler made of its edges.

#![no_std]

use device_rt::{
    rpc::{self, Opcode},
    thread,
};

#[device_rt::main]
fn main() -> i32 {
    let number = thread::index();
    let client = rpc::client();
    let mut port = client.open(Opcode::TEST_INCREMENT);
    let next = port.send_and_recv(|packet| packet.set(0, number), |packet| packet.get(0));
    i32::from(next != number + 1)
}
