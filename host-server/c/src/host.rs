//! What handlers may touch of the outside world: the streams of this process, and what the options say.

use std::{
    ffi::{CString, c_char},
    io,
    sync::{
        Mutex,
        atomic::{AtomicBool, Ordering},
    },
    time::Duration,
};

use host_server::{Exit, Fault, FaultKind, Host, StdHost, Stream};

use crate::{
    lock, sigpipe,
    types::{Data, RPC_OPTION_EXIT_PROCESS, rpc_exit_callback_ty, rpc_log_callback_ty},
};

/// What a program that aborts is said to have ended with: 128 and the number of SIGABRT, as a shell says it.
const ABORTED: i32 = 134;

/// Lines that are kept for the log callback while nobody serves; a device cannot fill memory with more.
const KEPT_LINES: usize = 1024;

/// Whom to tell what.
#[derive(Clone)]
pub struct Listeners {
    /// The option flags.
    pub flags: u32,
    /// Gets the lines.
    pub log: rpc_log_callback_ty,
    /// Goes to `log`.
    pub log_data: Data,
    /// Gets the exit status.
    pub exit: rpc_exit_callback_ty,
    /// Goes to `exit`.
    pub exit_data: Data,
}

impl Default for Listeners {
    fn default() -> Self {
        let nothing = Data(std::ptr::null_mut());
        Self {
            flags: 0,
            log: None,
            log_data: nothing,
            exit: None,
            exit_data: nothing,
        }
    }
}

/// The host of one device. What it has to say is kept until [`tell`](CHost::tell), so that no function of C is called
/// while the server holds a lock.
pub struct CHost {
    std: StdHost,
    device: u32,
    listeners: Listeners,
    lines: Mutex<Vec<String>>,
    exit: Mutex<Wish>,
    unhandled: AtomicBool,
    unflushed: AtomicBool,
}

#[derive(Default)]
struct Wish {
    exit: Option<Exit>,
    told: bool,
}

impl CHost {
    /// A host for the device with this number.
    pub fn new(device: u32, listeners: Listeners) -> Self {
        Self {
            std: StdHost::new(None),
            device,
            listeners,
            lines: Mutex::default(),
            exit: Mutex::default(),
            unhandled: AtomicBool::new(false),
            unflushed: AtomicBool::new(false),
        }
    }

    /// The status with which the device's program asked to end.
    pub fn exit_status(&self) -> Option<i32> {
        lock(&self.exit).exit.map(status)
    }

    /// Whether there was an opcode that nobody answers since this was last asked.
    pub fn take_unhandled(&self) -> bool {
        self.unhandled.swap(false, Ordering::AcqRel)
    }

    /// Passes on output if there is any.
    pub fn flush_if_needed(&self) {
        if self.unflushed.swap(false, Ordering::AcqRel) {
            // An error is the device's to know: its next write fails.
            let _ = self.flush();
        }
    }

    /// Calls the listeners. The caller holds no lock.
    pub fn tell(&self) {
        let lines = std::mem::take(&mut *lock(&self.lines));
        if let Some(log) = self.listeners.log {
            for line in lines {
                let line = CString::new(line.replace('\0', " ")).unwrap_or_default();
                let message: *const c_char = line.as_ptr();
                // SAFETY: the embedding program gave this function for this purpose; the line lives until it returns.
                unsafe { log(self.device, message, self.listeners.log_data.0) };
            }
        }
        let mut wish = lock(&self.exit);
        let Some(exit) = wish.exit.filter(|_| !wish.told) else {
            return;
        };
        wish.told = true;
        drop(wish);
        if let Some(callback) = self.listeners.exit {
            // SAFETY: as above.
            unsafe { callback(self.device, status(exit), self.listeners.exit_data.0) };
        }
        if self.listeners.flags & RPC_OPTION_EXIT_PROCESS != 0 {
            let _ = self.finish(Duration::MAX);
            // Buffers are written out once more on the way.
            sigpipe::without(|| match exit {
                Exit::Status(status) => std::process::exit(status),
                Exit::Abort => std::process::abort(),
            })
        }
    }
}

fn status(exit: Exit) -> i32 {
    match exit {
        Exit::Status(status) => status,
        Exit::Abort => ABORTED,
    }
}

impl Host for CHost {
    fn may_wait(&self) -> bool {
        false
    }

    fn write(&self, stream: Stream, bytes: &[u8]) -> io::Result<()> {
        self.unflushed.store(true, Ordering::Release);
        sigpipe::without(|| self.std.write(stream, bytes))
    }

    fn is_full(&self, stream: Stream) -> bool {
        self.std.is_full(stream)
    }

    fn flush(&self) -> io::Result<()> {
        sigpipe::without(|| self.std.flush())
    }

    fn finish(&self, patience: Duration) -> io::Result<()> {
        sigpipe::without(|| self.std.finish(patience))
    }

    fn read_stdin(&self, bytes: &mut [u8]) -> io::Result<usize> {
        self.std.read_stdin(bytes)
    }

    fn stdin_is_ready(&self) -> bool {
        self.std.stdin_is_ready()
    }

    fn allocate(&self, _size: u64) -> Option<u64> {
        // Device memory is the embedding program's: it registers a callback for RPC_MALLOC.
        None
    }

    fn free(&self, _address: u64) -> Result<(), String> {
        Err("no callback is registered for RPC_FREE".into())
    }

    fn exit(&self, exit: Exit) {
        lock(&self.exit).exit.get_or_insert(exit);
    }

    fn report(&self, message: &str) {
        let mut lines = lock(&self.lines);
        if lines.len() < KEPT_LINES {
            lines.push(message.into());
        }
    }

    fn fault(&self, fault: &Fault) {
        if fault.kind == FaultKind::UnknownOpcode {
            self.unhandled.store(true, Ordering::Release);
        }
        self.report(&fault.to_string());
    }
}
