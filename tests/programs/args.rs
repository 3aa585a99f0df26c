//! Prints its arguments after the image's name, and two variables of its environment.

#![no_std]

use device_rt::{args, env, println, var};

#[device_rt::main]
fn main(mut arguments: env::Args) {
    let name = arguments.next().is_some_and(|name| !name.is_empty());
    println!("has a name: {name}, arguments: {}", arguments.len());
    for (at, argument) in arguments.enumerate() {
        println!("{at}: {argument:?}");
    }
    println!("GREETING={:?} MISSING={:?}", var("GREETING"), var("MISSING"));
    assert_eq!(args().len(), env::args_os().len());
}
