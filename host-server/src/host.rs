//! What handlers may touch of the outside world.

use std::{
    io::{self, Read},
    sync::{Arc, Mutex, OnceLock},
    time::Duration,
};

use crate::{
    Fault,
    bulk::{DeviceMemory, Parts},
    heap::Heap,
    output::{self, Output},
};

/// A standard output stream.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Stream {
    /// Standard output.
    Stdout,
    /// Standard error.
    Stderr,
}

/// How a program asked to end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Exit {
    /// It called exit with this status.
    Status(i32),
    /// It called abort.
    Abort,
}

/// What handlers may touch of the outside world. One for each server, shared by its threads.
pub trait Host: Send + Sync {
    /// Whether [`write`](Host::write), [`flush`](Host::flush) and [`free`](Host::free) may wait at any time: for a reader, a
    /// lock, the device. Then they are called on threads of their own, output is gathered first, and its first error is the
    /// end of the stream. `false` is a promise, for hosts that see to all that themselves.
    fn may_wait(&self) -> bool {
        true
    }

    /// Write all of `bytes`, or say why not. Bytes of one call stay together. May wait for a reader while
    /// [`is_full`](Host::is_full), or where the host [`may_wait`](Host::may_wait).
    fn write(&self, stream: Stream, bytes: &[u8]) -> io::Result<()>;

    /// Whether [`write`](Host::write) would wait for a reader: then it is called on a thread that may.
    fn is_full(&self, stream: Stream) -> bool {
        let _ = stream;
        false
    }

    /// Write all parts, one behind the other; they stay together as the bytes of one [`write`](Host::write) do.
    fn write_parts(&self, stream: Stream, parts: &mut dyn Parts) -> io::Result<()> {
        self.write(stream, &parts.gather()?)
    }

    /// Device memory that may be copied from and to while kernels run; `None` where there is no way to do so.
    fn device_memory(&self) -> Option<Arc<dyn DeviceMemory>> {
        None
    }

    /// Have passed on what [`write`](Host::write) held back, without waiting for a reader. Called when the server runs out
    /// of work.
    fn flush(&self) -> io::Result<()>;

    /// Pass on what [`write`](Host::write) held back, and wait until it is, for so long at most: then the error is
    /// [`TimedOut`](io::ErrorKind::TimedOut), and it is still on its way. Called at the end of a kernel and of a program.
    fn finish(&self, patience: Duration) -> io::Result<()> {
        let _ = patience;
        self.flush()
    }

    /// Read from standard input; 0 at its end. May block.
    fn read_stdin(&self, bytes: &mut [u8]) -> io::Result<usize>;

    /// Whether [`read_stdin`](Host::read_stdin) is sure to return at once. Large reads go on while it is.
    fn stdin_is_ready(&self) -> bool {
        false
    }

    /// Device memory of `size` bytes from what is at hand, without waiting; its device address, or `None` when there is none
    /// left.
    fn allocate(&self, size: u64) -> Option<u64>;

    /// The same after [`allocate`](Host::allocate) found none, on a thread that may wait for more to come.
    fn allocate_patiently(&self, size: u64) -> Option<u64> {
        let _ = size;
        None
    }

    /// Free device memory. `Err` when `address` was not handed out.
    fn free(&self, address: u64) -> Result<(), String>;

    /// The program wants to end. Called once; later wishes are dropped.
    fn exit(&self, exit: Exit);

    /// The device did something wrong, or something is refused: one line for whoever runs the program.
    fn report(&self, message: &str);

    /// The same as [`report`](Host::report), for a breach of the protocol.
    fn fault(&self, fault: &Fault) {
        self.report(&fault.to_string());
    }
}

/// The host of a program that runs in this process's own terminal: its streams, a heap, an exit value.
///
/// Output is written by threads of its own, one for each stream that is used, so that a reader that takes nothing holds up
/// nobody who does not write to it.
pub struct StdHost {
    stdout: Output,
    stderr: Output,
    heap: Option<Heap>,
    exit: OnceLock<Exit>,
}

impl StdHost {
    /// A host that hands out device memory from `heap`, or none at all.
    pub fn new(heap: Option<Heap>) -> Self {
        Self::with_output(heap, false)
    }

    /// The same where several processes share a terminal or a pipe: output is written in pieces that a pipe takes whole and
    /// that end where a line ends.
    pub fn in_whole_lines() -> Self {
        Self::with_output(None, true)
    }

    fn with_output(heap: Option<Heap>, whole_lines: bool) -> Self {
        Self {
            stdout: Output::of(Stream::Stdout, whole_lines),
            stderr: Output::of(Stream::Stderr, whole_lines),
            heap,
            exit: OnceLock::new(),
        }
    }

    /// How the program asked to end, if it did.
    pub fn exit_value(&self) -> Option<Exit> {
        self.exit.get().copied()
    }

    fn output(&self, stream: Stream) -> &Output {
        match stream {
            Stream::Stdout => &self.stdout,
            Stream::Stderr => &self.stderr,
        }
    }
}

impl Host for StdHost {
    fn may_wait(&self) -> bool {
        false
    }

    fn write(&self, stream: Stream, bytes: &[u8]) -> io::Result<()> {
        self.output(stream).write(bytes)
    }

    fn write_parts(&self, stream: Stream, parts: &mut dyn Parts) -> io::Result<()> {
        self.output(stream).write_parts(parts)
    }

    fn is_full(&self, stream: Stream) -> bool {
        self.output(stream).is_full()
    }

    fn flush(&self) -> io::Result<()> {
        let out = self.stdout.flush();
        out.and(self.stderr.flush())
    }

    fn finish(&self, patience: Duration) -> io::Result<()> {
        output::finish([&self.stdout, &self.stderr], patience)
    }

    fn read_stdin(&self, bytes: &mut [u8]) -> io::Result<usize> {
        io::stdin().lock().read(bytes)
    }

    #[allow(unsafe_code, reason = "a system call without a wrapper")]
    fn stdin_is_ready(&self) -> bool {
        let mut stdin = libc::pollfd {
            fd: libc::STDIN_FILENO,
            events: libc::POLLIN,
            revents: 0,
        };
        // SAFETY: one descriptor to be looked at, without waiting. What `std` has buffered is not seen, which is no harm.
        unsafe { libc::poll(&mut stdin, 1, 0) == 1 }
    }

    fn allocate(&self, size: u64) -> Option<u64> {
        self.heap.as_ref()?.allocate(size)
    }

    fn free(&self, address: u64) -> Result<(), String> {
        match &self.heap {
            Some(heap) => heap.free(address),
            None => Err("there is no device heap".into()),
        }
    }

    fn exit(&self, exit: Exit) {
        let _ = self.exit.set(exit);
    }

    fn report(&self, message: &str) {
        let _ = self.stderr.write_at_once(format!("gpu: {message}\n").as_bytes());
    }
}

/// A host for tests: keeps everything in memory.
#[derive(Default)]
pub struct RecordingHost {
    /// What was written to each stream, and what was reported.
    pub record: Mutex<Record>,
    /// What standard input holds.
    pub stdin: Mutex<std::collections::VecDeque<u8>>,
    /// Where memory comes from.
    pub heap: Option<Heap>,
    /// Memory for large transfers.
    pub memory: Option<Arc<dyn DeviceMemory>>,
}

/// What a [`RecordingHost`] saw.
#[derive(Clone, Debug, Default)]
pub struct Record {
    /// Bytes written to standard output.
    pub stdout: Vec<u8>,
    /// Bytes written to standard error.
    pub stderr: Vec<u8>,
    /// Lines reported.
    pub reports: Vec<String>,
    /// How the program asked to end.
    pub exit: Option<Exit>,
}

impl RecordingHost {
    /// A copy of what was seen so far.
    pub fn seen(&self) -> Record {
        self.record.lock().unwrap().clone()
    }
}

impl Host for RecordingHost {
    fn may_wait(&self) -> bool {
        false
    }

    fn write(&self, stream: Stream, bytes: &[u8]) -> io::Result<()> {
        let mut record = self.record.lock().unwrap();
        match stream {
            Stream::Stdout => record.stdout.extend_from_slice(bytes),
            Stream::Stderr => record.stderr.extend_from_slice(bytes),
        }
        Ok(())
    }

    fn device_memory(&self) -> Option<Arc<dyn DeviceMemory>> {
        self.memory.clone()
    }

    fn flush(&self) -> io::Result<()> {
        Ok(())
    }

    fn read_stdin(&self, bytes: &mut [u8]) -> io::Result<usize> {
        self.stdin.lock().unwrap().read(bytes)
    }

    fn allocate(&self, size: u64) -> Option<u64> {
        self.heap.as_ref()?.allocate(size)
    }

    fn free(&self, address: u64) -> Result<(), String> {
        self.heap.as_ref().ok_or("there is no device heap")?.free(address)
    }

    fn exit(&self, exit: Exit) {
        self.record.lock().unwrap().exit.get_or_insert(exit);
    }

    fn report(&self, message: &str) {
        self.record.lock().unwrap().reports.push(message.into());
    }
}
