//! What happens when a thread panics: the first one to do so says so and ends the program, the others stop.

use core::fmt::{self, Write};
use core::panic::PanicInfo;
use core::sync::atomic::{AtomicU64, Ordering};

use crate::print::Short;
use crate::{arch, block, io, process, thread};

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
            report(info, &info.message());
            process::tell_exit_lone(process::PANICKED);
        }
        // This thread's message panicked in turn, when it was formatted: its place is all that can be told.
        Err(first) if first == me => {
            report(info, &"(while the message of another panic was formatted)");
            process::tell_exit_lone(process::PANICKED);
        }
        Err(_) => (),
    }
    arch::exit_thread()
}

/// Says what happened where.
fn report(info: &PanicInfo<'_>, message: &dyn fmt::Display) {
    let (thread, block) = (thread::index_in_block(), block::index());
    let mut report = Report(Short::new());
    // The report itself never fails; the `Display` code of what panicked may.
    let _ = match info.location() {
        Some(place) => writeln!(report, "thread {thread} of block {block} panicked at {place}:"),
        None => writeln!(report, "thread {thread} of block {block} panicked:"),
    };
    let _ = write!(report, "{message}");
    let _ = report.write_str("\n");
    report.flush();
}

/// Text on its way to standard error: one call, so that no other text gets between its lines, unless it is long. The heap is left alone,
/// since it may be what has failed.
struct Report(Short<{ if cfg!(feature = "llvm-loader") { 128 } else { 512 } }>);

impl Report {
    fn flush(&mut self) {
        io::write_stderr_lone(self.0.bytes());
        self.0 = Short::new();
    }
}

impl Write for Report {
    #[inline(never)]
    fn write_str(&mut self, text: &str) -> fmt::Result {
        if !self.0.push(text.as_bytes()) {
            self.flush();
            if !self.0.push(text.as_bytes()) {
                io::write_stderr_lone(text.as_bytes());
            }
        }
        Ok(())
    }

    fn write_char(&mut self, char: char) -> fmt::Result {
        self.write_str(char.encode_utf8(&mut [0; 4]))
    }

    fn write_fmt(&mut self, arguments: fmt::Arguments<'_>) -> fmt::Result {
        fmt::write(self, arguments)
    }
}
