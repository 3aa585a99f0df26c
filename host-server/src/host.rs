//! What handlers may touch of the outside world.

use std::{
    io::{self, Read, Write},
    sync::{
        Arc, Mutex, OnceLock,
        atomic::{AtomicBool, Ordering},
    },
};

use crate::{
    Fault,
    bulk::{DeviceMemory, Parts},
    heap::Heap,
    lock::lock,
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
    /// Write all of `bytes`, or say why not. Bytes of one call stay together.
    fn write(&self, stream: Stream, bytes: &[u8]) -> io::Result<()>;

    /// Write all parts, one behind the other; they stay together as the bytes of one [`write`](Host::write) do.
    fn write_parts(&self, stream: Stream, parts: &mut dyn Parts) -> io::Result<()> {
        self.write(stream, &parts.gather()?)
    }

    /// Device memory that may be copied from and to while kernels run; `None` where there is no way to do so.
    fn device_memory(&self) -> Option<Arc<dyn DeviceMemory>> {
        None
    }

    /// Pass on what [`write`](Host::write) held back. Called when the server runs out of work, and at the end.
    fn flush(&self) -> io::Result<()>;

    /// Read from standard input; 0 at its end. May block.
    fn read_stdin(&self, bytes: &mut [u8]) -> io::Result<usize>;

    /// Device memory of `size` bytes; its device address, or `None` when there is none left.
    fn allocate(&self, size: u64) -> Option<u64>;

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
pub struct StdHost {
    stdout: Mutex<Vec<u8>>,
    stderr: Mutex<Vec<u8>>,
    heap: Option<Heap>,
    exit: OnceLock<Exit>,
    closed: [AtomicBool; 2],
}

/// Output is passed on when this much is held back, even while the server has work.
const HELD_BACK: usize = 1 << 16;

impl StdHost {
    /// A host that hands out device memory from `heap`, or none at all.
    pub fn new(heap: Option<Heap>) -> Self {
        Self {
            stdout: Mutex::default(),
            stderr: Mutex::default(),
            heap,
            exit: OnceLock::new(),
            closed: Default::default(),
        }
    }

    /// How the program asked to end, if it did.
    pub fn exit_value(&self) -> Option<Exit> {
        self.exit.get().copied()
    }

    fn pass_on(&self, stream: Stream, held: &mut Vec<u8>) -> io::Result<()> {
        if held.is_empty() {
            return Ok(());
        }
        let result = match stream {
            Stream::Stdout => io::stdout().lock().write_all(held).and_then(|()| io::stdout().flush()),
            Stream::Stderr => io::stderr().lock().write_all(held),
        };
        held.clear();
        if result.is_err() {
            self.closed[stream as usize].store(true, Ordering::Relaxed);
        }
        result
    }

    fn hold(&self, stream: Stream, held: &mut Vec<u8>, bytes: &[u8]) -> io::Result<()> {
        if self.closed[stream as usize].load(Ordering::Relaxed) {
            return Err(io::ErrorKind::BrokenPipe.into());
        }
        held.extend_from_slice(bytes);
        if held.len() >= HELD_BACK {
            self.pass_on(stream, held)
        } else {
            Ok(())
        }
    }

    fn held(&self, stream: Stream) -> std::sync::MutexGuard<'_, Vec<u8>> {
        let held = match stream {
            Stream::Stdout => &self.stdout,
            Stream::Stderr => &self.stderr,
        };
        lock(held)
    }
}

impl Host for StdHost {
    fn write(&self, stream: Stream, bytes: &[u8]) -> io::Result<()> {
        self.hold(stream, &mut self.held(stream), bytes)
    }

    fn write_parts(&self, stream: Stream, parts: &mut dyn Parts) -> io::Result<()> {
        let mut held = self.held(stream);
        while let Some(part) = parts.next()? {
            self.hold(stream, &mut held, part)?;
        }
        Ok(())
    }

    fn flush(&self) -> io::Result<()> {
        let out = self.pass_on(Stream::Stdout, &mut self.held(Stream::Stdout));
        let err = self.pass_on(Stream::Stderr, &mut self.held(Stream::Stderr));
        out.and(err)
    }

    fn read_stdin(&self, bytes: &mut [u8]) -> io::Result<usize> {
        io::stdin().lock().read(bytes)
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
        let _ = self.write(Stream::Stderr, format!("gpu: {message}\n").as_bytes());
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
