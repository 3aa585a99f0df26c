//! The ways in which a program can end, and the code that it leaves.

#![no_std]

use device_rt::process::{self, ExitCode};
use device_rt::{at_exit, env, println, thread};

#[device_rt::main]
fn main(mut arguments: env::Args) -> Result<ExitCode, &'static str> {
    let mode = arguments.nth(1).unwrap_or_default();
    let code: i32 = arguments.next().and_then(|code| code.parse().ok()).unwrap_or(0);
    at_exit(|| println!("at exit"));
    match mode {
        // Each thread another bit: the loader's code is all of them.
        "or" => Ok(ExitCode::from(1 << (thread::index() % 8))),
        "return" => Ok(ExitCode::from(code as u8)),
        "error" => Err("it did not work out"),
        "exit" => process::exit(code),
        "quick" => process::quick_exit(code),
        "abort" => process::abort(),
        // Of the lanes that call together the lowest one's code counts.
        "lanes" => process::quick_exit(code + thread::index() as i32),
        _ => Ok(ExitCode::SUCCESS),
    }
}
