//! Lanes of one warp that make different calls at the same time: each gets its own answer, every line arrives once.

#![no_std]

use core::sync::atomic::{AtomicU32, Ordering};

use device_rt::rpc::{self, Opcode};
use device_rt::{destructor, env, eprintln, heap, println, thread};

/// Lines printed to each stream.
static OUT: AtomicU32 = AtomicU32::new(0);
static ERR: AtomicU32 = AtomicU32::new(0);

#[device_rt::main]
fn main(mut arguments: env::Args) {
    let rounds: u64 = arguments.nth(1).and_then(|rounds| rounds.parse().ok()).unwrap_or(1);
    let index = thread::index();
    let mut random = index.wrapping_mul(0x9e37_79b9_7f4a_7c15) + 1;
    for round in 0..rounds {
        // xorshift64
        random ^= random << 13;
        random ^= random >> 7;
        random ^= random << 17;
        let choice = if rounds == 1 { index % 5 } else { random % 5 };
        match choice {
            0 => {
                OUT.fetch_add(1, Ordering::Relaxed);
                println!("out {index} {round}");
            }
            1 => {
                ERR.fetch_add(1, Ordering::Relaxed);
                eprintln!("err {index} {round}");
            }
            2 => assert_eq!(increment(random), random.wrapping_add(1)),
            3 => {
                let block = heap::malloc(8 + (random % 100) as usize).cast::<u64>();
                assert!(!block.is_null());
                // SAFETY: at least 8 bytes, aligned to 16, ours until freed.
                unsafe {
                    block.write(random);
                    assert_eq!(block.read(), random);
                    heap::free(block.cast());
                }
            }
            _ => echo(random, (random % 200) as usize),
        }
    }
}

#[destructor]
fn total() {
    println!(
        "total out {} err {}",
        OUT.load(Ordering::Relaxed),
        ERR.load(Ordering::Relaxed)
    );
}

fn increment(value: u64) -> u64 {
    let client = rpc::client();
    let mut port = client.open(Opcode::TEST_INCREMENT);
    port.send_and_recv(|packet| packet.set(0, value), |packet| packet.get(0))
}

fn echo(seed: u64, length: usize) {
    let mut bytes = [0; 200];
    for (at, byte) in bytes.iter_mut().enumerate() {
        *byte = (seed >> (at % 57)) as u8;
    }
    let mut answer = [0; 200];
    let client = rpc::client();
    let mut port = client.open(Opcode::TEST_STREAM);
    port.send_n(&bytes[..length]);
    let size = port.recv_n(&mut answer);
    drop(port);
    assert_eq!(size, length as u64);
    assert!(answer[..length] == bytes[..length]);
}
