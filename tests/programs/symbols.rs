//! What the runtime offers under C's names, as code that only knows those would use it.

#![no_std]

extern crate alloc;

use alloc::format;
use core::ffi::{c_char, c_void};
use core::sync::atomic::{AtomicU64, Ordering::AcqRel};

use device_rt::thread;

unsafe extern "C" {
    safe fn malloc(size: usize) -> *mut c_void;
    fn free(block: *mut c_void);
    fn write_to_stderr(text: *const c_char);
    safe fn quick_exit(code: i32) -> !;
}

/// Threads that have written all that they will.
static DONE: AtomicU64 = AtomicU64::new(0);

/// Each thread writes a short text and one that is too long for an express message; the last one ends the program.
#[device_rt::main]
fn main() {
    write(&format!("thread {}\n", thread::index()));
    write(&format!("{:->200}\n", ""));
    if DONE.fetch_add(1, AcqRel) + 1 == thread::count() {
        quick_exit(3);
    }
}

fn write(text: &str) {
    let block = malloc(text.len() + 1).cast::<u8>();
    if block.is_null() {
        quick_exit(1);
    }
    // SAFETY: the block has room for the text and a NUL, and nobody uses it after it has been freed.
    unsafe {
        block.copy_from_nonoverlapping(text.as_ptr(), text.len());
        block.add(text.len()).write(0);
        write_to_stderr(block.cast());
        free(block.cast());
    }
}
