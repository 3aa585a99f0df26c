//! Calls that no host knows: they are answered with zeros, and the program goes on.

#![no_std]

use device_rt::rpc::{self, Opcode};
use device_rt::{env, express, println, thread};

/// An opcode of a user whose host is another.
const UNKNOWN: Opcode = Opcode::new(b'x', 77);

#[device_rt::main]
fn main(mut arguments: env::Args) -> i32 {
    for _ in 0..2 {
        let client = rpc::client();
        let mut port = client.open(UNKNOWN);
        let answer = port.send_and_recv(|packet| packet.set(0, 7), |packet| packet.get(0));
        drop(port);
        assert_eq!(answer, 0);
    }
    assert_eq!(express::call(UNKNOWN, [7, 8]), [0, 0]);
    println!("thread {} goes on", thread::index());
    arguments.nth(1).and_then(|code| code.parse().ok()).unwrap_or(0)
}
