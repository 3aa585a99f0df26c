//! Counts the lines of each file that is named, in every thread.

#![no_std]
extern crate alloc;

use device_rt::fs::File;
use device_rt::io::{BufRead, BufReader, Result};
use device_rt::{env, println, thread};

#[device_rt::main]
fn main(arguments: env::Args) -> Result<()> {
    for name in arguments.skip(1) {
        let lines = BufReader::new(File::open(name)?).lines().count();
        println!("thread {}: {name} has {lines} lines", thread::index());
    }
    Ok(())
}
