//! The three services that exist for tests: one answer, every order of send and receive, a stream of bytes.

#![no_std]

use device_rt::rpc::{self, Opcode};
use device_rt::warp::Group;
use device_rt::{println, thread};

#[device_rt::main]
fn main() {
    let index = thread::index();
    for count in 0..10 {
        let value = u64::MAX - 5 + count + index;
        let client = rpc::client();
        let mut port = client.open(Opcode::TEST_INCREMENT);
        let next = port.send_and_recv(|packet| packet.set(0, value), |packet| packet.get(0));
        drop(port);
        assert_eq!(next, value.wrapping_add(1));
    }
    interface(true, index * 100);
    interface(false, index * 100);
    for length in [0, 1, 55, 56, 57, 64, 120, 121] {
        stream(index as usize, length);
    }
    println!("thread {index} ok");
}

/// Goes through all orders. Each side adds one to the number whenever it sends.
fn interface(end_with_send: bool, start: u64) {
    let client = rpc::client();
    let mut port = client.open(Opcode::TEST_INTERFACE);
    // Lanes that came here by the other call of this function may be in it, and a call has one order for all of them.
    // SAFETY: the lanes of the port are here, all of them.
    let end_with_send = unsafe { Group::new(port.mask()) }.any(end_with_send);
    port.send(|packet| packet.set(0, end_with_send.into()));
    let mut count = start;
    for _ in 0..2 {
        count = port.send_and_recv(|packet| packet.set(0, count), |packet| packet.get(0));
    }
    port.send(|packet| packet.set(0, count + 40));
    port.send(|packet| packet.set(0, count));
    count = port.recv(|packet| packet.get(0));
    let last;
    if end_with_send {
        last = port.recv_and_send(|packet| packet.get(0), |packet| packet.set(0, count));
    } else {
        last = port.recv(|packet| packet.get(0));
        count = port.recv(|packet| packet.get(0)) - 2;
    }
    drop(port);
    assert_eq!((count, last), (start + 3, start + 4));
}

/// `length` bytes for even threads, three times as many for odd ones.
fn stream(index: usize, length: usize) {
    let mut bytes = [0; 363];
    for (at, byte) in bytes.iter_mut().enumerate() {
        *byte = (at * 7 + index) as u8;
    }
    let length = if index.is_multiple_of(2) { length } else { 3 * length };
    let mut answer = [0; 363];
    let client = rpc::client();
    let mut port = client.open(Opcode::TEST_STREAM);
    port.send_n(&bytes[..length]);
    let size = port.recv_n(&mut answer);
    drop(port);
    assert_eq!(size, length as u64);
    assert_eq!(answer[..length], bytes[..length]);
    assert!(answer[length..].iter().all(|byte| *byte == 0));
}
