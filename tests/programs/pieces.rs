//! Lines that are printed in pieces of one macro each stay whole, whoever else is printing.

#![no_std]

use core::fmt;

use device_rt::{println, thread};

/// Comes in three pieces.
struct Line(u64);

impl fmt::Display for Line {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("<")?;
        write!(f, "{}", self.0)?;
        f.write_str(">")
    }
}

#[device_rt::main]
fn main() {
    let index = thread::index();
    println!("{} {}{}", Line(index), "piece ", index * 2);
}
