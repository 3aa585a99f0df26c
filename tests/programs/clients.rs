//! The client as it is, and some that lack one cure each, so that the tests can show that they notice: two against divergence, for
//! machines whose lanes part, and two against lockstep, for AMD's.
//!
//! Each is a kernel that makes calls of two kinds from both sides of a branch and counts the answers that are wrong. The host side,
//! `tests/tests/clients.rs`, runs them under many schedules: the right client must pass all of them, the broken ones must not.

#![no_std]

use core::sync::atomic::{AtomicU32, Ordering::Relaxed};

use device_rt::rpc::{self, Lanes, Opcode, Warp};
use device_rt::{env, thread, warp};

/// Bytes of the longest stream: a first packet and two more.
const LONGEST: usize = 56 + 64 + 20;

/// The lanes that are active together, as programs use them.
// SAFETY: only clients use it, or what breaks it on purpose.
const TOGETHER: Warp = unsafe { Warp::new() };

/// Runs the client that its argument names, so that the program runs on its own, too.
#[device_rt::main]
fn main(mut arguments: env::Args) -> i32 {
    static WRONG: AtomicU32 = AtomicU32::new(0);
    match arguments.nth(1) {
        Some("right") => calls(TOGETHER, &WRONG),
        Some("index") => calls(Disagreeing, &WRONG),
        Some("flip") => calls(Unsynchronised, &WRONG),
        Some("lock") => calls(Lonely, &WRONG),
        Some("mask") => calls(Forgetful, &WRONG),
        _ => return 2,
    }
    i32::from(WRONG.load(Relaxed) != 0)
}

/// A kernel that makes the calls as `$lanes` and counts in a word of device memory.
macro_rules! kernel {
    ($(#[$documentation:meta])* $name:ident, $lanes:ident) => {
        $(#[$documentation])*
        ///
        /// # Safety
        /// `wrong` leads to a word of device memory that is touched only here while the kernel runs.
        #[device_rt::kernel]
        unsafe fn $name(wrong: *mut u32) {
            // SAFETY: the caller's promise.
            calls($lanes, unsafe { AtomicU32::from_ptr(wrong) });
        }
    };
}

kernel! {
    /// What programs use.
    right, TOGETHER
}
kernel! {
    /// The lanes that happen to be together learn the port's index from the lowest of them, which need not be the one that searched.
    index_not_agreed_on, Disagreeing
}
kernel! {
    /// The mailbox flips while other lanes still fill or read their buffers.
    flip_before_sync, Unsynchronised
}

kernel! {
    /// Each lane makes its call alone and locks a port of its own: in lockstep, those that have one wait for those that have none.
    lock_in_each_lane, Lonely
}
kernel! {
    /// The mask names the lanes with which the warp began, not those that make the call.
    mask_taken_before, Forgetful
}

/// Calls from both sides of a branch; `wrong` counts answers that are not this lane's.
fn calls(lanes: impl Lanes, wrong: &AtomicU32) {
    let index = thread::index();
    for round in 0..2 {
        let good = if index.is_multiple_of(3) {
            increment(lanes, index << 32 | round)
        } else {
            echo(lanes, index + round)
        };
        if !good {
            wrong.fetch_add(1, Relaxed);
        }
    }
}

fn increment(lanes: impl Lanes, value: u64) -> bool {
    let client = rpc::client_of(lanes);
    let mut port = client.open(Opcode::TEST_INCREMENT);
    port.send_and_recv(|packet| packet.set(0, value), |packet| packet.get(0)) == value + 1
}

/// A stream of another length and contents for each lane, and back.
fn echo(lanes: impl Lanes, seed: u64) -> bool {
    let length = seed as usize * 37 % LONGEST;
    let bytes: [u8; LONGEST] = core::array::from_fn(|at| (seed as usize * 7 + at) as u8);
    let mut answer = [0; LONGEST];
    let client = rpc::client_of(lanes);
    let mut port = client.open(Opcode::TEST_STREAM);
    port.send_n(&bytes[..length]);
    let size = port.recv_n(&mut answer);
    drop(port);
    size == length as u64 && answer[..length] == bytes[..length]
}

/// [`Warp`], with what its name says in place of one function.
macro_rules! broken {
    ($name:ident { $($broken:item)* } $($kept:ident($($parameter:ident: $kind:ty),*) $(-> $result:ty)?;)*) => {
        #[derive(Clone, Copy)]
        struct $name;

        impl Lanes for $name {
            $(#[inline(always)] $broken)*
            $(
                #[inline(always)]
                fn $kept(self $(, $parameter: $kind)*) $(-> $result)? {
                    TOGETHER.$kept($($parameter),*)
                }
            )*
        }
    };
}

broken! {
    Disagreeing {
        fn broadcast(self, _mask: u64, value: u32) -> u32 {
            warp::broadcast(value)
        }
    }
    active() -> u64;
    active_with(value: u32) -> u64;
    lane() -> u32;
    ballot(mask: u64, value: bool) -> u64;
    sync(mask: u64);
    home() -> u32;
    pause();
}

broken! {
    Unsynchronised {
        fn sync(self, _mask: u64) {}
    }
    active() -> u64;
    active_with(value: u32) -> u64;
    lane() -> u32;
    broadcast(mask: u64, value: u32) -> u32;
    ballot(mask: u64, value: bool) -> u64;
    home() -> u32;
    pause();
}

broken! {
    Lonely {
        fn active(self) -> u64 {
            1 << warp::lane()
        }
        fn active_with(self, _value: u32) -> u64 {
            self.active()
        }
        fn broadcast(self, _mask: u64, value: u32) -> u32 {
            value
        }
        fn ballot(self, mask: u64, value: bool) -> u64 {
            if value { mask } else { 0 }
        }
        fn sync(self, _mask: u64) {}
    }
    lane() -> u32;
    home() -> u32;
    pause();
}

broken! {
    Forgetful {
        fn active(self) -> u64 {
            warp::initial()
        }
        fn active_with(self, _value: u32) -> u64 {
            self.active()
        }
    }
    lane() -> u32;
    broadcast(mask: u64, value: u32) -> u32;
    ballot(mask: u64, value: bool) -> u64;
    sync(mask: u64);
    home() -> u32;
    pause();
}
