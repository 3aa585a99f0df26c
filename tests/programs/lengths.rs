//! Texts of every awkward length, different in each lane: echoed by the host, then printed.

#![no_std]

extern crate alloc;

use alloc::vec;
use alloc::vec::Vec;

use device_rt::rpc::{self, Opcode};
use device_rt::{env, io::Stream, print, println, thread};

/// Around the sizes of the first packet and of further ones.
const LENGTHS: [usize; 16] = [0, 1, 55, 56, 57, 63, 64, 65, 119, 120, 121, 184, 255, 257, 4095, 4096];

#[device_rt::main]
fn main(mut arguments: env::Args) {
    let index = thread::index() as usize;
    let length = match arguments.nth(1).map(|length| length.parse()) {
        Some(Ok(length)) if index == 0 => length,
        _ => LENGTHS[index % LENGTHS.len()],
    };
    let mut text: Vec<u8> = (0..length).map(|at| b'a' + ((at + index) % 26) as u8).collect();

    // Before the port is opened: allocating is a call, and with one port a call inside a call waits for ever.
    let mut echo = vec![0; length + 1];
    let client = rpc::client();
    let mut port = client.open(Opcode::TEST_STREAM);
    port.send_n(&text);
    let size = port.recv_n(&mut echo) as usize;
    drop(port);
    assert_eq!(size, length);
    assert!(
        echo[..length] == text && echo[length] == 0,
        "the echo of {length} bytes differs"
    );

    text.fill(b'a' + (index % 26) as u8);
    text.push(b'\n');
    assert_eq!(Stream::Stdout.write_bytes(&text), length + 1);
    // The same by formatting, which takes another path for long texts.
    let text = core::str::from_utf8(&text[..length]).unwrap_or_default();
    if index.is_multiple_of(2) {
        println!("{text}");
    } else {
        print!("{text}{}", '\n');
    }
}
