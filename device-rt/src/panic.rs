//! What happens when a thread panics: the first one to do so says so and ends the program, the others stop.

use core::panic::PanicInfo;
use core::sync::atomic::{AtomicU64, Ordering};

use crate::io::Stream;
use crate::{arch, block, print, process, rpc, thread};

/// One more than the index of the thread that panicked first; 0 while none has.
static FIRST: AtomicU64 = AtomicU64::new(0);

/// Reports the panic unless another thread has done so, and stops this thread.
///
/// The lanes of the warp that panic may be anywhere: nothing here involves another lane. On AMD they arrive together, and the end of
/// one would be the end of all; they therefore stop after the report, not before it.
#[cfg_attr(gpu, panic_handler)]
#[cfg_attr(not(gpu), expect(dead_code, reason = "the host has a panic handler of its own"))]
fn panic(info: &PanicInfo<'_>) -> ! {
    let me = thread::index() + 1;
    match FIRST.compare_exchange(0, me, Ordering::Relaxed, Ordering::Relaxed) {
        Ok(_) => {
            report(info);
            process::tell_exit(rpc::lone_client(), process::PANICKED);
        }
        // This thread's message panicked in turn, when it was formatted.
        Err(first) if first == me => process::tell_exit(rpc::lone_client(), process::PANICKED),
        Err(_) => (),
    }
    arch::exit_thread()
}

fn report(info: &PanicInfo<'_>) {
    let (thread, block) = (thread::index_in_block(), block::index());
    let message = info.message();
    match info.location() {
        Some(place) => print::print_lone(
            Stream::Stderr,
            format_args!("thread {thread} of block {block} panicked at {place}:\n{message}\n"),
        ),
        None => print::print_lone(
            Stream::Stderr,
            format_args!("thread {thread} of block {block} panicked:\n{message}\n"),
        ),
    }
}
