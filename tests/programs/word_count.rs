//! Counts words on the device: memory, integer arithmetic and atomics, no calls but one line at the end. A measure of an emulator's speed.

#![no_std]

use core::sync::atomic::{AtomicU32, AtomicU64, Ordering, fence};

use device_rt::{env, println, thread};

const BUCKETS: usize = 64;

static COUNTS: [AtomicU32; BUCKETS] = [const { AtomicU32::new(0) }; BUCKETS];
static FINISHED: AtomicU64 = AtomicU64::new(0);

/// The next letter of an endless text: words of 1 to 8 letters, made up from `state`.
fn letter(state: &mut u32) -> u8 {
    *state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
    match *state >> 27 {
        0..=5 => b' ',
        other => b'a' + (other % 26) as u8,
    }
}

#[device_rt::main]
fn main(mut arguments: env::Args) {
    let length: u32 = arguments.nth(1).and_then(|length| length.parse().ok()).unwrap_or(1000);
    let mut state = thread::index() as u32 * 77;
    let mut text = [b' '; 64];
    let mut left = length;
    // FNV-1a of the current word; 0 between words.
    let mut hash = 0_u32;
    while left > 0 {
        let count = left.min(64) as usize;
        for place in &mut text[..count] {
            *place = letter(&mut state);
        }
        for &byte in &text[..count] {
            if byte == b' ' {
                if hash != 0 {
                    COUNTS[hash as usize % BUCKETS].fetch_add(1, Ordering::Relaxed);
                }
                hash = 0;
            } else {
                let start = if hash == 0 { 0x811c_9dc5 } else { hash };
                hash = (start ^ u32::from(byte)).wrapping_mul(0x0100_0193);
            }
        }
        left -= count as u32;
    }
    // LLVM drops the order of `fetch_add` on NVPTX: fences say what is meant.
    fence(Ordering::Release);
    let last = FINISHED.fetch_add(1, Ordering::Relaxed) + 1 == thread::count();
    fence(Ordering::Acquire);
    if last {
        let words: u32 = COUNTS.iter().map(|count| count.load(Ordering::Relaxed)).sum();
        let most = COUNTS
            .iter()
            .map(|count| count.load(Ordering::Relaxed))
            .max()
            .unwrap_or(0);
        println!("{words} words, {most} in the fullest bucket");
    }
}
