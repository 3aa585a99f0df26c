//! Where warps begin to look for a port: each at a place of its own, or all would fight for the first.

#![no_std]

use core::sync::atomic::{AtomicU32, Ordering::Relaxed};

use device_rt::rpc::{self, Opcode};
use device_rt::{block, println, thread, warp};

/// As many warps as a block can have.
const MOST: usize = 32;

/// The port that each warp got when nobody else wanted one, and when all held one.
static ALONE: [AtomicU32; MOST] = [const { AtomicU32::new(0) }; MOST];
static TOGETHER: [AtomicU32; MOST] = [const { AtomicU32::new(0) }; MOST];

#[device_rt::main]
fn main() {
    let warps = block::size().volume().div_ceil(u64::from(warp::lanes())) as usize;
    let mine = warp::index_in_block() as usize;
    // One lane calls for its warp: several would make several calls where they part.
    let calls = warp::lane() == 0;
    let client = rpc::client();

    for turn in 0..warps {
        if calls && turn == mine {
            let mut port = client.open(Opcode::TEST_INCREMENT);
            ALONE[mine].store(port.index(), Relaxed);
            port.send_and_recv(|_| (), |_| ());
        }
        block::sync();
    }

    let port = calls.then(|| client.open(Opcode::TEST_INCREMENT));
    if let Some(port) = &port {
        TOGETHER[mine].store(port.index(), Relaxed);
    }
    block::sync();
    if let Some(mut port) = port {
        port.send_and_recv(|_| (), |_| ());
    }

    block::sync();
    if thread::index() == 0 {
        println!("alone: {}", report(&ALONE[..warps]));
        println!("together: {}", report(&TOGETHER[..warps]));
    }
}

/// Whether all warps had different ports.
fn report(ports: &[AtomicU32]) -> &'static str {
    let seen = ports.iter().fold(0u64, |seen, port| seen | 1 << port.load(Relaxed));
    match seen.count_ones() as usize == ports.len() {
        true => "each its own",
        false => "some the same",
    }
}
