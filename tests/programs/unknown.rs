//! Calls about which program and host do not agree. Those that no host knows are answered with zeros, and the program goes on; one that
//! the program leaves in the middle is named at the end.

#![no_std]

use device_rt::rpc::{self, Opcode};
use device_rt::{env, express, println, thread};

/// An opcode of a user whose host is another.
const UNKNOWN: Opcode = Opcode::new(b'x', 77);

#[device_rt::main]
fn main(mut arguments: env::Args) -> i32 {
    let what = arguments.nth(1);
    if what == Some("half") {
        // The stream comes first, then the text.
        rpc::client().open(Opcode::WRITE_TO_STREAM).send_n(b"half a call");
        return 0;
    }
    for _ in 0..2 {
        let client = rpc::client();
        let mut port = client.open(UNKNOWN);
        let answer = port.send_and_recv(|packet| packet.set(0, 7), |packet| packet.get(0));
        drop(port);
        assert_eq!(answer, 0);
    }
    assert_eq!(express::call(UNKNOWN, [7, 8]), [0, 0]);
    println!("thread {} goes on", thread::index());
    what.and_then(|code| code.parse().ok()).unwrap_or(0)
}
