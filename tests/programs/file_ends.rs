//! Writes to a file and to both streams, then ends in one of many ways: all that was written must be there afterwards.

#![no_std]

use core::hint;

use device_rt::fs::File;
use device_rt::io::{Result, Write};
use device_rt::rpc::{self, Opcode};
use device_rt::{env, eprint, print, process};

#[device_rt::main]
fn main(mut arguments: env::Args) -> Result<()> {
    let way = arguments.nth(1).unwrap_or_default();
    let mut file = File::create("/data/out")?;
    file.write_all(b"held ")?;
    // As C writes: the host may collect these.
    let handle = file.into_raw();
    for part in ["back ", "by the host"] {
        let client = rpc::client();
        let mut port = client.open(Opcode::WRITE_TO_STREAM);
        port.send(|packet| packet.set(0, handle));
        port.send_n(part.as_bytes());
        port.recv(|_| ());
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
        // Nobody closes the file: it is left to the host.
        _ => Ok(()),
    }
}
