//! Faults planted on purpose, which a sanitizer, an emulator or the hardware has to report.

#![no_std]

use core::ptr;

use device_rt::{env, eprintln, process, thread, warp};

#[device_rt::main]
fn main(mut arguments: env::Args) {
    match arguments.nth(1) {
        // SAFETY: none, which is the point: nothing lies there.
        Some("wild") => unsafe { ptr::without_provenance_mut::<u32>(0x10).write_volatile(1) },
        Some("sync") => {
            if warp::lane() < 3 {
                // SAFETY: none, which is the point: lane 0 is not among those whom it waits for.
                unsafe { warp::sync(0b110) };
            }
        }
        _ => {
            eprintln!("faults: wild, or sync");
            process::exit(2);
        }
    }
    if thread::index() == 0 {
        eprintln!("nobody noticed");
    }
}
