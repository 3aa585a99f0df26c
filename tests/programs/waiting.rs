//! One thread waits for a line of input while all others go on: `tests/terminal.rs` answers when it has seen what they print.

#![no_std]

use device_rt::io::{self, BufRead, Result};
use device_rt::{println, thread};

#[device_rt::main]
fn main() -> Result<()> {
    if thread::index() == 0 {
        for line in io::stdin().lock().lines().take(1) {
            println!("the answer is {}", line?);
        }
        return Ok(());
    }
    for number in 0..20 {
        println!("thread {} goes on: {number}", thread::index());
    }
    Ok(())
}
