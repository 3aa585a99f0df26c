//! Writes to a file and to both streams, then ends in one of many ways: all that was written must be there afterwards.

#![no_std]

use core::hint;

use device_rt::fs::File;
use device_rt::io::{Result, Write};
use device_rt::{env, eprint, print, process};

#[device_rt::main]
fn main(mut arguments: env::Args) -> Result<()> {
    let way = arguments.nth(1).unwrap_or_default();
    let mut file = File::create("/data/out")?;
    for part in ["held ", "back ", "by the host"] {
        // Small: the host collects such writes.
        file.write_all(part.as_bytes())?;
    }
    print!("out, no newline");
    eprint!("err, no newline");
    match way {
        "exit" => process::exit(3),
        "quick" => process::quick_exit(3),
        "abort" => process::abort(),
        "panic" => panic!("on purpose"),
        "trap" => process::trap(),
        "hang" => loop {
            hint::black_box(way);
        },
        // Neither closed nor dropped: the file is left to the host.
        _ => drop(file.into_raw()),
    }
    Ok(())
}
