//! Memory that the threads of a block share, and the barrier that orders it.

#![no_std]

use core::sync::atomic::Ordering::Relaxed;

use device_rt::{block, println, thread};

#[device_rt::main]
fn main() {
    let (me, count) = (thread::index_in_block() as usize, block::size().volume() as usize);
    let words = block::shared_words();
    assert!(words.len() >= 2 * count, "--shared-mem is too small");
    assert_eq!(block::shared_memory().cast::<u8>().addr() % 16, 0);

    // Sum by halves: each round reads what other threads wrote in the round before.
    words[me].store(me as u32 + 1, Relaxed);
    block::sync();
    let (mut from, mut to) = (&words[..count], &words[count..2 * count]);
    let mut distance = 1;
    while distance < count {
        let add = if me >= distance {
            from[me - distance].load(Relaxed)
        } else {
            0
        };
        to[me].store(from[me].load(Relaxed) + add, Relaxed);
        block::sync();
        (from, to) = (to, from);
        distance *= 2;
    }
    let expected = (me as u32 + 1) * (me as u32 + 2) / 2;
    assert_eq!(from[me].load(Relaxed), expected);

    // All threads count in one word.
    block::sync();
    if me == 0 {
        words[0].store(0, Relaxed);
    }
    block::sync();
    words[0].fetch_add(me as u32, Relaxed);
    block::sync();
    if me == count - 1 {
        println!(
            "block {}: {} {}",
            block::index(),
            from[me].load(Relaxed).max(expected),
            words[0].load(Relaxed)
        );
    }
}
