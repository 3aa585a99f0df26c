//! Reads lines from standard input, and tells the time.

#![no_std]

use core::time::Duration;

use device_rt::io::{BufRead, Result};
use device_rt::time::{self, Instant, SystemTime};
use device_rt::{io, println};

#[device_rt::main]
fn main() -> Result<()> {
    let mut bytes = 0;
    for (number, line) in io::stdin().lock().lines().enumerate() {
        let line = line?;
        bytes += line.len() + 1;
        if number < 3 {
            println!("{number}: {line}");
        }
    }
    println!("{bytes} bytes");

    let start = Instant::now();
    time::sleep(Duration::from_millis(2));
    assert!(start.elapsed() >= Duration::from_millis(2));
    assert!(time::cycles() != 0);
    // After the year 2024.
    let now = SystemTime::now()?.duration_since(SystemTime::UNIX_EPOCH);
    assert!(now.is_ok_and(|since| since.as_secs() > 1_704_067_200));
    Ok(())
}
