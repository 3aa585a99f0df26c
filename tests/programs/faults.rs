//! Faults planted on purpose, which a sanitizer, an emulator or the hardware has to report.

#![no_std]

use core::hint::black_box;
use core::ptr;

use device_rt::{env, eprintln, process, thread, warp};

#[device_rt::main]
fn main(mut arguments: env::Args) {
    match arguments.nth(1) {
        // SAFETY: none, which is the point: nothing lies there.
        Some("wild") => unsafe { ptr::without_provenance_mut::<u32>(0x10).write_volatile(1) },
        Some("deep") => _ = deeper(black_box(1 << 24)),
        Some("sync") => {
            if warp::lane() < 3 {
                // SAFETY: none, which is the point: lane 0 is not among those whom it waits for.
                unsafe { warp::sync(0b110) };
            }
        }
        _ => {
            eprintln!("faults: wild, deep, or sync");
            process::exit(2);
        }
    }
    if thread::index() == 0 {
        eprintln!("nobody noticed");
    }
}

/// Has memory of its own in each of so many calls.
#[inline(never)]
fn deeper(calls: u64) -> u64 {
    let own = black_box([calls; 8]);
    match calls {
        0 => 0,
        _ => deeper(calls - 1) + own[3],
    }
}
