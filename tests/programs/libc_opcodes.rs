//! Every opcode of class `c` that works on streams and names, asked for as it is, by all lanes at once, each with its own data.

#![no_std]

extern crate alloc;

use alloc::format;
use alloc::vec;
use alloc::vec::Vec;

use device_rt::rpc::{self, Opcode};
use device_rt::{println, thread};

/// A call that sends words and receives one.
fn ask<const N: usize>(opcode: Opcode, words: [u64; N]) -> i64 {
    let client = rpc::client();
    let mut port = client.open(opcode);
    port.send(|packet| {
        for (at, word) in words.into_iter().enumerate() {
            packet.set(at as u32, word);
        }
    });
    port.recv(|packet| packet.get(0)) as i64
}

fn open(path: &str, mode: &[u8]) -> u64 {
    let client = rpc::client();
    let mut port = client.open(Opcode::OPEN_FILE);
    port.send_n(path.as_bytes());
    port.send(|packet| packet.write_bytes(0, mode));
    port.recv(|packet| packet.get(0))
}

fn write(file: u64, bytes: &[u8]) -> u64 {
    let client = rpc::client();
    let mut port = client.open(Opcode::WRITE_TO_STREAM);
    port.send(|packet| packet.set(0, file));
    port.send_n(bytes);
    port.recv(|packet| packet.get(0))
}

fn read(file: u64, size: usize) -> Vec<u8> {
    let mut bytes = vec![0; size];
    let client = rpc::client();
    let mut port = client.open(Opcode::READ_FROM_STREAM);
    port.send(|packet| {
        packet.set(0, size as u64);
        packet.set(1, file);
    });
    port.recv_n(&mut bytes);
    let read = port.recv(|packet| packet.get(0));
    drop(port);
    bytes.truncate(read as usize);
    bytes
}

fn line(file: u64, size: usize) -> Vec<u8> {
    let mut bytes = vec![0; size];
    let client = rpc::client();
    let mut port = client.open(Opcode::READ_FGETS);
    port.send(|packet| {
        packet.set(0, size as u64);
        packet.set(1, file);
    });
    let length = port.recv_n(&mut bytes);
    drop(port);
    bytes.truncate(length as usize);
    bytes
}

fn names(opcode: Opcode, from: &str, to: Option<&str>) -> i64 {
    let client = rpc::client();
    let mut port = client.open(opcode);
    port.send_n(from.as_bytes());
    if let Some(to) = to {
        port.send_n(to.as_bytes());
    }
    port.recv(|packet| packet.get(0)) as i64
}

/// A call of the PRINTF family with a block of arguments for either layout, and no strings.
fn printf(natural: Opcode, packed: Opcode, stream: Option<u64>, index: u64) -> i64 {
    let is_packed = device_rt::warp::lanes() != 32 || cfg!(target_arch = "amdgpu");
    let mut block = Vec::new();
    block.extend((index as u32).to_le_bytes());
    block.extend([0; 4].iter().take(if is_packed { 0 } else { 4 }));
    block.extend((index as f64 / 2.0).to_le_bytes());
    let client = rpc::client();
    let mut port = client.open(if is_packed { packed } else { natural });
    if let Some(stream) = stream {
        port.send(|packet| packet.set(0, stream));
    }
    port.send_n(b"printf %u %.1f\n\0");
    let size = port.recv(|packet| packet.get(0));
    port.send_n(&block);
    let (result, string) = port.recv(|packet| (packet.get(0), packet.get(1)));
    drop(port);
    assert!(size as usize == block.len() && string == 0);
    result as i64
}

#[device_rt::main]
fn main() {
    let index = thread::index();
    let path = format!("/data/libc-{index}\0");
    let other = format!("/data/other-{index}\0");

    let client = rpc::client();
    let mut port = client.open(Opcode::NOOP);
    port.send(|_| ());
    port.close();

    assert_eq!(open(&path, b"r\0"), 0);
    let file = open(&path, b"w+\0");
    assert!(file != 0 && file.is_multiple_of(4));
    // As many bytes as the lane's number says: none, one, more than a packet.
    let text: Vec<u8> = (0..index * 7).map(|at| b'a' + ((at + index) % 26) as u8).collect();
    assert_eq!(write(file, &text), text.len() as u64);
    assert_eq!(write(file, b"\nline\nend"), 9);
    let length = text.len() as i64 + 9;
    assert_eq!(ask(Opcode::FTELL, [file]), length);
    assert_eq!(ask(Opcode::FFLUSH, [file]), 0);
    assert_eq!(ask(Opcode::FSEEK, [file, 0, 0]), 0);
    assert_eq!(read(file, text.len()), text);
    assert_eq!(line(file, 10), b"\n\0");
    assert_eq!(line(file, 4), b"lin\0");
    assert_eq!(ask(Opcode::UNGETC, [u64::from(b'!'), file]), i64::from(b'!'));
    assert_eq!(read(file, 3), b"!e\n");
    assert_eq!(ask(Opcode::FEOF, [file]), 0);
    assert_eq!(line(file, 100), b"end\0");
    assert_ne!(ask(Opcode::FEOF, [file]), 0);
    assert_eq!(line(file, 100), b"");
    assert_eq!(ask(Opcode::FERROR, [file]), 0);
    ask(Opcode::CLEARERR, [file]);
    assert_eq!(ask(Opcode::FEOF, [file]), 0);
    assert_eq!(ask(Opcode::FSEEK, [file, -3_i64 as u64, 2]), 0);
    assert_eq!(ask(Opcode::FTELL, [file]), length - 3);
    assert_eq!(ask(Opcode::FSEEK, [file, -1_i64 as u64, 0]), -1);
    assert_eq!(ask(Opcode::FSEEK, [file, 0, 7]), -1);
    assert_eq!(ask(Opcode::CLOSE_FILE, [file]), 0);

    let file = open(&path, b"r\0");
    assert_eq!(write(file, b"no"), 0);
    assert_ne!(ask(Opcode::FERROR, [file]), 0);
    ask(Opcode::CLEARERR, [file]);
    assert_eq!(ask(Opcode::FERROR, [file]), 0);
    assert_eq!(ask(Opcode::CLOSE_FILE, [file]), 0);

    assert_eq!(names(Opcode::RENAME, &path, Some(&other)), 0);
    assert_eq!(names(Opcode::REMOVE, &path, None), -1);
    let file = open(&other, b"a\0");
    let printed = printf(
        Opcode::PRINTF_TO_STREAM,
        Opcode::PRINTF_TO_STREAM_PACKED,
        Some(file),
        index,
    );
    assert_eq!(ask(Opcode::FTELL, [file]), length + printed);
    assert_eq!(ask(Opcode::CLOSE_FILE, [file]), 0);
    assert_eq!(names(Opcode::REMOVE, &other, None), 0);

    // A function of the host at an address: not without a grant.
    for opcode in [Opcode::HOST_CALL, Opcode::OFFLOAD_HOST_CALL] {
        let client = rpc::client();
        let mut port = client.open(opcode);
        port.send_n(&index.to_le_bytes());
        assert_eq!(
            port.send_and_recv(|packet| packet.set(0, 0x1000), |packet| packet.get(0)),
            0
        );
    }

    assert_eq!(
        printf(Opcode::PRINTF_TO_STDERR, Opcode::PRINTF_TO_STDERR_PACKED, None, index),
        printed
    );
    assert_eq!(
        printf(Opcode::PRINTF_TO_STDOUT, Opcode::PRINTF_TO_STDOUT_PACKED, None, index),
        printed
    );
    println!("thread {index} ok");
}
