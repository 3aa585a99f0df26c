//! Calls of functions that the embedding program has registered by name: `tests/embedding.rs` is that program.

#![no_std]

extern crate alloc;

use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;

use device_rt::host::{Call, Error};
use device_rt::io::ErrorKind;
use device_rt::rpc::{self, Opcode};
use device_rt::{env, println, thread};

#[device_rt::main]
fn main() -> Result<(), Error> {
    let index = thread::index();

    // Values of every type, and a result.
    let sum: i64 = Call::new("add")?
        .value(index as u8)?
        .value(-1_i8)?
        .value(index as u16)?
        .value(-2_i16)?
        .value(index as u32)?
        .value(-3_i32)?
        .value(index)?
        .value(-4_i64)?
        .value(1.5_f32)?
        .value(2.5_f64)?
        .value(true)?
        .result()?;
    assert_eq!(sum, 4 * index as i64 - 10 + 4 + 1);

    // Slices in, out and both, as long as the lane says; a text.
    let input: Vec<f32> = (0..index).map(|at| at as f32).collect();
    let mut output = input.clone();
    output.fill(-1.0);
    let mut both: Vec<u16> = (0..index as u16 * 3).collect();
    let count: u32 = Call::new("scale")?
        .value(2.0_f32)?
        .slice(&input)?
        .slice_out(&mut output)?
        .slice_inout(&mut both)?
        .text(&format!("thread {index} 漢"))?
        .result()?;
    assert_eq!(u64::from(count), index);
    assert!(output.iter().enumerate().all(|(at, &value)| value == 2.0 * at as f32));
    assert!(both.iter().enumerate().all(|(at, &value)| value as usize == at + 1));

    // One that returns nothing, one that fails, one that is not there, one that takes something else.
    Call::new("note")?.value(index)?.run()?;
    let failed = Call::new("fail")?.value(index)?.run();
    assert_eq!(failed, Err(Error::Failed(format!("no {index} today"))));
    let kind = |result: Result<(), Error>| match result {
        Err(Error::NotCalled(error, words)) => (error.kind(), words.is_empty()),
        _ => (ErrorKind::Other, true),
    };
    assert_eq!(kind(Call::new("nothing")?.run()), (ErrorKind::NotFound, false));
    assert_eq!(
        kind(Call::new("note")?.value(1.0_f32)?.run()),
        (ErrorKind::InvalidInput, false)
    );
    assert_eq!(kind(Call::new("note")?.run()), (ErrorKind::InvalidInput, false));
    let twice: Result<u32, _> = Call::new("note")?.value(index)?.result();
    assert_eq!(kind(twice.map(drop)), (ErrorKind::InvalidInput, false));
    // And one at an address that the embedding program has passed on, where that is granted: any bytes in, a number out.
    if let Some(Ok(address)) = env::args().nth(1).map(str::parse::<u64>) {
        let bytes: Vec<u8> = [index, 1000].iter().flat_map(|word| word.to_le_bytes()).collect();
        for opcode in [Opcode::HOST_CALL, Opcode::OFFLOAD_HOST_CALL] {
            let client = rpc::client();
            let mut port = client.open(opcode);
            port.send_n(&bytes);
            let sum = port.send_and_recv(|packet| packet.set(0, address), |packet| packet.get(0));
            drop(port);
            assert_eq!(sum, index + 1000);
        }
    }
    let shown: String = Error::Failed("words".to_string()).to_string();
    println!("thread {index} ok, {shown}");
    Ok(())
}
