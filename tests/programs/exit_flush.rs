//! Prints a lot from all threads, then ends the program from one of them: nothing of what was printed before may be lost. Or ends it from
//! some while their neighbours print: what arrives of them is whole.

#![no_std]

use core::sync::atomic::{AtomicU64, Ordering};

use device_rt::{env, println, process, thread};

static PRINTED: AtomicU64 = AtomicU64::new(0);

#[device_rt::main]
fn main(arguments: env::Args) {
    let mut words = arguments.skip(1);
    let mut number = |default| words.next().and_then(|word| word.parse().ok()).unwrap_or(default);
    let (lines, length): (usize, usize) = (number(1), number(63));
    let (mut panics, mut early) = (false, false);
    words.for_each(|word| match word {
        "panic" => panics = true,
        "early" => early = true,
        _ => panic!("unknown word {word:?}"),
    });
    if early && thread::index() % 8 == 3 {
        end(panics);
    }
    for _ in 0..lines {
        println!("{:0>length$}", "");
    }
    if !early && PRINTED.fetch_add(1, Ordering::Relaxed) + 1 == thread::count() {
        end(panics);
    }
}

fn end(panics: bool) -> ! {
    assert!(!panics, "that is all");
    process::quick_exit(17)
}
