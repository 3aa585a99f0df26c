//! All threads of a block write lines to one open file, in both ways that there are: nothing is lost, no lines mix, and those of one
//! thread keep their order.

#![no_std]

extern crate alloc;

use alloc::string::String;
use alloc::vec;
use alloc::{format, vec::Vec};
use core::sync::atomic::{AtomicU64, Ordering::Relaxed};

use device_rt::fs::File;
use device_rt::io::{Read, Result, Seek, Write};
use device_rt::rpc::{self, Opcode};
use device_rt::{block, println, thread};

/// The host's number for the file.
static FILE: AtomicU64 = AtomicU64::new(0);

const LINES: usize = 6;

#[device_rt::main]
fn main() -> Result<()> {
    let me = thread::index();
    if me == 0 {
        let file = File::options().read(true).write(true).create(true).open("/data/file")?;
        FILE.store(file.into_raw(), Relaxed);
    }
    block::sync();
    let number = FILE.load(Relaxed);
    let mut file = File::from_raw(number);
    for line in 0..LINES {
        // Of other lengths for each thread, within a packet and beyond.
        let text = format!("{me} {line} {}\n", "x".repeat((me as usize * 7 + line) % 150));
        if line % 2 == 0 {
            file.write_all(text.as_bytes())?;
        } else {
            let client = rpc::client();
            let mut port = client.open(Opcode::WRITE_TO_STREAM);
            port.send(|packet| packet.set(0, number));
            port.send_n(text.as_bytes());
            let written = port.recv(|packet| packet.get(0));
            drop(port);
            assert_eq!(written, text.len() as u64);
        }
    }
    block::sync();
    if me != 0 {
        // Thread 0 closes it.
        file.into_raw();
        return Ok(());
    }
    let mut text = String::new();
    file.rewind()?;
    file.read_to_string(&mut text)?;
    let mut next = vec![0; thread::count() as usize];
    for line in text.lines() {
        let parts: Vec<&str> = line.split(' ').collect();
        let [Ok(thread), Ok(number)] = [parts[0], parts[1]].map(str::parse::<usize>) else {
            panic!("a broken line: {line}");
        };
        assert_eq!(number, next[thread]);
        assert_eq!(parts[2], "x".repeat((thread * 7 + number) % 150));
        next[thread] += 1;
    }
    assert!(next.iter().all(|&count| count == LINES));
    println!("{} lines of {} threads", text.lines().count(), next.len());
    Ok(())
}
