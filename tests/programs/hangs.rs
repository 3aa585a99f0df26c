//! Prints, writes a file in both ways that there are, says so with an empty second file, and never ends: `tests/signals.rs` stops it
//! and finds all of it. Given a number, it only computes for so many milliseconds and then says how long the host took to answer:
//! `tests/reports.rs` looks at the host meanwhile.

#![no_std]

extern crate alloc;

use alloc::format;

use core::time::Duration;

use device_rt::fs::{self, File};
use device_rt::io::{Result, Write};
use device_rt::rpc::{self, Opcode};
use device_rt::time::Instant;
use device_rt::{env, print, println};

#[device_rt::main]
fn main() -> Result<()> {
    if let Some(milliseconds) = env::args().nth(1) {
        let milliseconds = milliseconds.parse().expect("a number");
        return compute(Duration::from_millis(milliseconds));
    }
    // More than a pipe holds.
    for line in 0..2000 {
        println!("line {line:04} of a text that nobody reads before the end");
    }
    print!("no newline");
    let mut file = File::create("/data/file")?;
    file.write_all(format!("{:>1000}\n", "at once").as_bytes())?;
    let number = file.into_raw();
    for line in 0..300 {
        // As C's `fwrite` does: the host holds it back until it is worth a system call.
        let client = rpc::client();
        let mut port = client.open(Opcode::WRITE_TO_STREAM);
        port.send(|packet| packet.set(0, number));
        port.send_n(format!("line {line:03} of the file, held back\n").as_bytes());
        port.recv(|_| ());
    }
    File::create("/data/done")?;
    loop {
        core::hint::spin_loop();
    }
}

fn compute(time: Duration) -> Result<()> {
    File::create("/data/done")?;
    let start = Instant::now();
    while start.elapsed() < time {
        core::hint::spin_loop();
    }
    let call = Instant::now();
    assert!(fs::exists("/data/done")?);
    println!("answered after {} us", call.elapsed().as_micros());
    Ok(())
}
