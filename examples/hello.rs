//! Prints each argument on its own line to standard error and ends the program with 127.

#![no_std]

use device_rt::{env, process, write_to_stderr};

#[device_rt::main]
fn main() {
    for argument in env::args_os() {
        write_to_stderr(argument.to_bytes());
        write_to_stderr("\n");
    }
    process::quick_exit(127)
}
