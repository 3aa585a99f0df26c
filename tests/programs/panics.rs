//! Panics in one thread of many, in all at once, in a destructor of values, and in the middle of formatting.

#![no_std]

use core::fmt;

use device_rt::{block, env, println, thread};

struct Rude;

impl fmt::Display for Rude {
    fn fmt(&self, _: &mut fmt::Formatter<'_>) -> fmt::Result {
        panic!("cannot be shown");
    }
}

#[device_rt::main]
fn main(mut arguments: env::Args) {
    let mode = arguments.nth(1).unwrap_or_default();
    match mode {
        "one" => assert!(thread::index() != 37, "thread 37 is unlucky"),
        "all" => panic!("all at once"),
        "some" if block::index().is_multiple_of(2) && thread::index_in_block() % 3 == 1 => {
            panic!("some of many");
        }
        "some" => println!("not panicking"),
        "index" => {
            let values = [1, 2, 3];
            let at = core::hint::black_box(3 + thread::index() as usize);
            println!("{}", values[at]);
        }
        "display" => println!("{}", Rude),
        "message" => panic!("{}", Rude),
        "long" => panic!("{:>1000}", "the end"),
        _ => core::option::Option::<u32>::None.map_or_else(|| panic!("unknown mode {mode:?}"), |_| ()),
    }
}
