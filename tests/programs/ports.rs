//! Warps that compete for ports: all calls are made, and no warp gets much less than its share.

#![no_std]

use core::sync::atomic::{AtomicU64, Ordering::Relaxed};

use device_rt::rpc::{self, Opcode};
use device_rt::warp::{self, Group};
use device_rt::{block, destructor, env, println};

/// Calls of all warps together.
static MADE: AtomicU64 = AtomicU64::new(0);
/// Calls of the warp that made fewest and of the one that made most.
static FEWEST: AtomicU64 = AtomicU64::new(u64::MAX);
static MOST: AtomicU64 = AtomicU64::new(0);

/// Argument `place` of the program.
fn number(place: usize) -> u64 {
    env::args().nth(place).and_then(|text| text.parse().ok()).unwrap_or(1)
}

/// Each warp makes as many calls as the others let it, until they have made as many together as the first argument says for each. The
/// second is how many times as many calls as another a warp may have made.
#[device_rt::main]
fn main() {
    let each = number(1);
    let warps = block::count() * block::size().volume().div_ceil(u64::from(warp::lanes()));
    // SAFETY: all lanes of the warp go through this function together.
    let whole = unsafe { Group::of_warp() };
    let mut mine = 0;
    loop {
        let before = if whole.is_first() {
            MADE.fetch_add(1, Relaxed)
        } else {
            0
        };
        if whole.broadcast(before) >= warps * each {
            break;
        }
        let client = rpc::client();
        let mut port = client.open(Opcode::TEST_INCREMENT);
        let next = port.send_and_recv(|packet| packet.set(0, mine), |packet| packet.get(0));
        drop(port);
        assert_eq!(next, mine + 1);
        mine += 1;
    }
    // Where a GPU has no room for all at once, some come when everything has been done.
    if mine > 0 {
        FEWEST.fetch_min(mine, Relaxed);
        MOST.fetch_max(mine, Relaxed);
    }
}

#[destructor]
fn shares() {
    let (fewest, most) = (FEWEST.load(Relaxed), MOST.load(Relaxed));
    if most <= number(2) * fewest {
        println!("fair");
    } else {
        println!("one warp made {fewest} calls, another {most}");
    }
}
