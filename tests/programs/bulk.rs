//! Large writes and reads, from and to every kind of memory: each thread a file of its own, and one stream for all.

#![no_std]

extern crate alloc;

use alloc::{format, vec, vec::Vec};

use device_rt::fs::{self, File};
use device_rt::io::{Read, Result, Seek, SeekFrom, Write, stdout};
use device_rt::{eprintln, thread};

/// Lies in the image, and so in memory that the host does not count as the program's.
static TABLE: [u8; 5000] = {
    let mut table = [0; 5000];
    let mut at = 0;
    while at < table.len() {
        table[at] = (at % 251) as u8;
        at += 1;
    }
    table
};

/// A byte of thread `index`'s file.
fn pattern(index: u64, at: usize) -> u8 {
    (index as usize * 7 + at % 253) as u8
}

#[device_rt::main]
fn main() -> Result<()> {
    let index = thread::index();
    let path = format!("/data/{index}");
    let mut file = File::options().read(true).write(true).create(true).open(&path)?;
    let mut length = 0;
    for size in [4095, 4096, 20_001] {
        let bytes: Vec<u8> = (length..length + size).map(|at| pattern(index, at)).collect();
        file.write_all(&bytes)?;
        length += size;
    }
    // A stack, from an odd address on.
    let mut local = [0; 5001];
    for (at, byte) in local.iter_mut().enumerate() {
        *byte = pattern(index, length + at);
    }
    file.write_all(&local[..1])?;
    file.write_all(&local[1..])?;
    length += local.len();
    file.write_all(&TABLE)?;

    file.seek(SeekFrom::Start(0))?;
    let mut back = vec![0; length];
    file.read_exact(&mut back)?;
    assert!(
        (0..length).all(|at| back[at] == pattern(index, at)),
        "thread {index}: other bytes came back"
    );
    local.fill(0);
    file.read_exact(&mut local[..5000])?;
    assert!(local[..5000] == TABLE);
    // At the end of the file, and beyond what is allowed.
    assert_eq!(file.read(&mut back)?, 0);
    assert_eq!(fs::read(&path)?.len(), length + TABLE.len());

    // Lanes whose bytes lie side by side, and others.
    let line = format!("{index:-<6000}\n");
    eprintln!("thread {index} writes");
    stdout().write_all(line.as_bytes())?;
    eprintln!("thread {index} is done");
    Ok(())
}
