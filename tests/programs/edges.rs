//! A call on a port and nothing else: `tests/emitted.rs` looks at what the compiler made of its edges.

#![no_std]

use device_rt::{
    rpc::{self, Opcode},
    thread,
};

#[device_rt::main]
fn main() {
    let number = thread::index();
    let client = rpc::client();
    let mut port = client.open(Opcode::TEST_INCREMENT);
    let next = port.send_and_recv(|packet| packet.set(0, number), |packet| packet.get(0));
    drop(port);
    if next != number + 1 {
        // By hand, as `process::exit` makes use of more than ports.
        let mut port = client.open(Opcode::EXIT);
        port.send_and_recv(|_| (), |_| ());
        port.send(|packet| packet.set(0, 1));
    }
}
