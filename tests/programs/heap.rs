//! The heap under load: every thread allocates, fills, holds, checks and frees blocks of mixed sizes; lanes part in the
//! middle of it; what is too much yields null, and what is freed can be had again.

#![no_std]

extern crate alloc;

use alloc::alloc::{Layout, alloc, alloc_zeroed, dealloc, realloc};
use core::hint::black_box;

use device_rt::{env, heap, println, thread};

const SIZES: [usize; 8] = [8, 64, 1, 4096, 24, 300, 64, 17];

/// Writes a pattern of this thread's into a block.
///
/// # Safety
/// `block` leads to `size` bytes of this thread.
unsafe fn fill(block: *mut u8, size: usize, seed: u64) {
    for at in (0..size).step_by(size / 16 + 1) {
        // SAFETY: within the block.
        unsafe { block.add(at).write_volatile((seed as usize + at) as u8) };
    }
}

/// Whether the pattern is still there.
///
/// # Safety
/// As for [`fill`].
unsafe fn is_intact(block: *const u8, size: usize, seed: u64) -> bool {
    (0..size)
        .step_by(size / 16 + 1)
        // SAFETY: within the block.
        .all(|at| unsafe { block.add(at).read_volatile() } == (seed as usize + at) as u8)
}

/// Blocks of all sizes, several held at a time, given back in another order.
fn churn(index: u64, rounds: u64) {
    let mut held = [(core::ptr::null_mut::<u8>(), 0, 0); 4];
    for round in 0..rounds {
        let place = ((round * 7 + index) % 4) as usize;
        let (block, size, seed) = held[place];
        if !block.is_null() {
            // SAFETY: this thread's own block, given back once.
            unsafe {
                assert!(
                    is_intact(block, size, seed),
                    "thread {index}: a block of {size} bytes was overwritten"
                );
                heap::free(block);
            }
        }
        let (size, seed) = (SIZES[((round + index) % 8) as usize], index * 31 + round);
        // Lanes that want different sizes, and some that want none.
        let block = if (index + round).is_multiple_of(11) {
            heap::malloc(0)
        } else {
            heap::malloc(size)
        };
        if !block.is_null() {
            assert_eq!(block.addr() % 16, 0);
            // SAFETY: as above.
            unsafe { fill(block, size, seed) };
        }
        held[place] = (block, size, seed);
    }
    for (block, size, seed) in held {
        // SAFETY: as above; null is allowed.
        unsafe {
            assert!(
                block.is_null() || is_intact(block, size, seed),
                "thread {index}: overwritten in the end"
            );
            heap::free(block);
        }
    }
}

/// What `alloc`'s own functions promise.
fn layouts() {
    // SAFETY: each block is used within its layout and given back with the layout that it has.
    unsafe {
        for align in [1, 64, 4096, 1 << 14, 1 << 17] {
            let layout = Layout::from_size_align(100, align).unwrap();
            let mut block = black_box(alloc_zeroed(layout));
            assert!(
                !block.is_null() && block.addr().is_multiple_of(align),
                "alignment {align}"
            );
            assert!((0..100).all(|at| *block.add(at) == 0));
            fill(block, 100, 5);
            let mut size = 100;
            for wanted in [120, 5000, 100_000, 20_000, 100] {
                block = realloc(block, Layout::from_size_align(size, align).unwrap(), wanted);
                assert!(
                    !block.is_null() && block.addr().is_multiple_of(align),
                    "alignment {align}, {wanted} bytes"
                );
                assert!(is_intact(block, 100, 5));
                size = wanted;
            }
            dealloc(block, layout);
        }
        assert!(black_box(alloc(Layout::from_size_align(1 << 46, 16).unwrap())).is_null());
    }
}

/// Takes blocks of `size` bytes until there are no more, chained through their first words, and gives them back; how many.
fn exhaust(size: usize) -> u64 {
    let (mut last, mut count) = (core::ptr::null_mut::<*mut u8>(), 0);
    loop {
        let block = heap::malloc(size).cast::<*mut u8>();
        if block.is_null() {
            break;
        }
        // SAFETY: fresh, with room for a pointer.
        unsafe { block.write(last.cast()) };
        last = block;
        count += 1;
    }
    while !last.is_null() {
        // SAFETY: from the chain, read before it is given back.
        unsafe {
            let next = last.read().cast();
            heap::free(last.cast());
            last = next;
        }
    }
    count
}

/// Errors of a program that leave the heap as it was.
fn abuse() {
    let block = heap::malloc(64);
    let other = heap::malloc(100_000);
    // SAFETY: none of these is what `free` asks for, which is the point: the addresses are of this heap, nobody else uses
    // it now, and what was not handed out is left alone.
    unsafe {
        heap::free(block);
        heap::free(block);
        let [first, second] = [heap::malloc(64), heap::malloc(64)];
        assert_ne!(first, second);
        heap::free(first);
        heap::free(second);
        heap::free(other);
        heap::free(other);
        heap::free(other.wrapping_add(16 << 10));
        heap::free(other.wrapping_add(3));
    }
}

#[device_rt::main]
fn main() {
    let index = thread::index();
    match env::args().nth(1).unwrap_or_default() {
        "layouts" => layouts(),
        "exhaust" => {
            // All threads at once: what there is, is shared somehow.
            let (small, large) = (exhaust(256), exhaust(1 << 16));
            if thread::count() == 1 {
                assert!(
                    small > 1500 && large > 3,
                    "{small} blocks of 256 bytes, {large} of 64 KiB"
                );
                assert_eq!((exhaust(256), exhaust(1 << 16)), (small, large));
                abuse();
                assert_eq!((exhaust(256), exhaust(1 << 16)), (small, large));
            }
        }
        _ => churn(index, 40),
    }
    println!("thread {index} ok");
}
