//! Code of the program that runs while a text is formatted prints, allocates and calls, too: with one port for all, a port that the runtime
//! held meanwhile would be waited for in vain.

#![no_std]

extern crate alloc;

use alloc::vec;
use core::fmt;

use device_rt::rpc::{self, Opcode};
use device_rt::{eprintln, express, println, thread};

/// Shows as a text of its own length, and does all that a program may do on the way.
struct Busy {
    length: usize,
}

impl fmt::Display for Busy {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let index = thread::index();
        println!("{index} formats {}", self.length);
        let client = rpc::client();
        let mut port = client.open(Opcode::TEST_INCREMENT);
        let next = port.send_and_recv(|packet| packet.set(0, index), |packet| packet.get(0));
        drop(port);
        let [after] = express::call(Opcode::TEST_INCREMENT, [next]);
        let mut text = vec![b'-'; self.length];
        text.fill(if after == index + 2 { b'=' } else { b'!' });
        f.write_str(str::from_utf8(&text).map_err(|_| fmt::Error)?)?;
        eprintln!("{index} has formatted {}", self.length);
        Ok(())
    }
}

#[device_rt::main]
fn main() {
    let index = thread::index();
    // Short, and too long for an express message.
    let (short, long) = (Busy { length: 9 }, Busy { length: 140 });
    println!("{index} {short}");
    println!("{index} {long}");
    // Neighbours are elsewhere.
    if index.is_multiple_of(2) {
        println!("{index} first {short}");
        eprintln!("{index} then {long}");
    } else {
        eprintln!("{index} then {long}");
        println!("{index} first {short}");
    }
}
