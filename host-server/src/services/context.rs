//! What the services of one program share.

use std::io;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};
use std::time::Duration;

use super::worker::Workers;
use super::{bulk, command, express, files, fs, functions, hostcall, memory, printf, process, streams, test, time};
use crate::files::{Mode, OpenFile, Source, Stream, Table, TableError};
use crate::functions::HostFunctions;
use crate::{FaultKind, Grants, Host, PerLane, Port, Registry};

/// How long the end of a program waits for pipes and terminals that take no more output.
const LAST_FLUSH: Duration = Duration::from_secs(1);

/// Up to so many bytes a regular file is read or written at once; more would keep other ports waiting.
pub(super) const AT_ONCE: usize = 64 << 10;

/// The state behind the services of one program: its grants and its open files.
pub struct Services {
    pub(super) grants: Grants,
    pub(super) files: Table<OpenFile>,
    pub(super) directories: Table<Listing>,
    pub(super) functions: HostFunctions,
    pub(super) workers: Workers,
    stdin: OnceLock<Arc<OpenFile>>,
    /// The error indicators of standard output and standard error.
    output_failed: [AtomicBool; 2],
    /// Large transfers have waited in vain for the right to copy.
    pub(super) bulk_is_closed: AtomicBool,
    /// Held by whoever writes a large transfer to one of them.
    large_outputs: [Mutex<()>; 2],
}

/// What a stream number of a device leads to.
#[derive(Clone)]
pub(super) enum Target {
    /// An open file, or standard input.
    File(Arc<OpenFile>),
    /// Standard output or error, which the host buffers itself.
    Output(crate::Stream),
}

/// A directory that is being listed.
pub(super) struct Listing(Mutex<cap_std::fs::ReadDir>);

/// How a file takes what is written to it: C's, with a buffer, or at once.
type Way = fn(&mut Stream<Source>, &[u8]) -> (usize, io::Result<()>);

impl Listing {
    pub(super) fn new(entries: cap_std::fs::ReadDir) -> Self {
        Self(Mutex::new(entries))
    }

    pub(super) fn lock(&self) -> MutexGuard<'_, cap_std::fs::ReadDir> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Services {
    /// Services for a program that may reach what `grants` says.
    pub fn new(grants: Grants) -> Arc<Self> {
        Self::with_functions(grants, HostFunctions::new())
    }

    /// The same for a program that may also call `functions` by their names.
    pub fn with_functions(grants: Grants, functions: HostFunctions) -> Arc<Self> {
        Arc::new(Self {
            grants,
            functions,
            files: Table::new(),
            directories: Table::new(),
            workers: Workers::default(),
            stdin: OnceLock::new(),
            output_failed: Default::default(),
            bulk_is_closed: AtomicBool::new(false),
            large_outputs: Default::default(),
        })
    }

    /// The handlers of every opcode that has a name.
    pub fn registry(self: &Arc<Self>) -> Registry {
        let mut registry = Registry::new();
        process::register(&mut registry, self);
        streams::register(&mut registry, self);
        files::register(&mut registry, self);
        printf::register(&mut registry, self);
        memory::register(&mut registry, self);
        command::register(&mut registry, self);
        hostcall::register(&mut registry, self);
        fs::register(&mut registry, self);
        bulk::register(&mut registry, self);
        time::register(&mut registry, self);
        functions::register(&mut registry, self);
        test::register(&mut registry);
        express::register(&mut registry);
        registry
    }

    /// Writes out what open files hold back. Call it when a program ends, however it ends.
    ///
    /// Waits no longer than a second for pipes and terminals that take nothing.
    pub fn flush(&self) {
        let written = self.files.all().into_iter().filter(|file| file.is_written());
        let (blocking, regular): (Vec<_>, Vec<_>) = written.partition(|file| file.may_block());
        for file in regular {
            // Nobody is left to be told of an error; the stream keeps it for `ferror`.
            let _ = file.lock().write_back();
        }
        if blocking.is_empty() {
            return;
        }
        let (done, all_done) = std::sync::mpsc::channel();
        let flushing = std::thread::Builder::new()
            .name("rpc-last-flush".into())
            .spawn(move || {
                for file in blocking {
                    // Whoever holds the lock is waiting for the other end, perhaps for ever.
                    let _ = file.try_lock().map(|mut stream| stream.write_back());
                }
                let _ = done.send(());
            });
        if flushing.is_ok() {
            let _ = all_done.recv_timeout(LAST_FLUSH);
        }
    }

    /// The same from within a conversation, on a thread that may wait.
    pub(super) async fn flush_all(self: &Arc<Self>) {
        let services = self.clone();
        // Without a thread the files are written out when the program has ended.
        let _ = self.workers.run(move || services.flush()).await;
    }

    /// Writes out and closes all files, for a program that starts anew. Its old handles mean nothing from then on.
    pub fn close_all(&self) {
        self.flush();
        self.files.drain();
        self.directories.drain();
    }

    /// The stream behind a number that a device sent. The two low bits tell standard streams.
    pub(super) fn target(&self, host: &Arc<dyn Host>, number: u64) -> Result<Target, TableError> {
        Ok(match number & 3 {
            0 => Target::File(self.files.get(number)?),
            1 => Target::File(self.stdin(host)),
            2 => Target::Output(crate::Stream::Stdout),
            _ => Target::Output(crate::Stream::Stderr),
        })
    }

    /// The same, with a fault reported where there is none.
    pub(super) fn target_of(&self, port: &Port, lane: u32, number: u64) -> Option<Target> {
        self.target(&port.host(), number)
            .inspect_err(|error| port.fault(FaultKind::BadValue(format!("lane {lane}: {error}"))))
            .ok()
    }

    /// The directory behind a number that a device sent, or a fault.
    pub(super) fn directory_of(&self, port: &Port, lane: u32, number: u64) -> Option<Arc<Listing>> {
        self.directories
            .get(number)
            .inspect_err(|error| port.fault(FaultKind::BadValue(format!("lane {lane}: {error}"))))
            .ok()
    }

    fn stdin(&self, host: &Arc<dyn Host>) -> Arc<OpenFile> {
        self.stdin
            .get_or_init(|| {
                let mode = Mode {
                    read: true,
                    ..Mode::default()
                };
                Arc::new(OpenFile::new(Source::Stdin(host.clone()), mode))
            })
            .clone()
    }

    /// Uses a file: at once where that is sure to be quick, else on a thread that may wait.
    ///
    /// `size` is the number of bytes that the job moves. The error is that of having no thread.
    pub(super) async fn with<T: Send + 'static>(
        &self,
        file: &Arc<OpenFile>,
        size: usize,
        job: impl FnOnce(&mut Stream<Source>) -> T + Send + 'static,
    ) -> io::Result<T> {
        if size <= AT_ONCE
            && file.is_quick()
            && let Some(mut stream) = file.try_lock()
        {
            return Ok(job(&mut stream));
        }
        let file = file.clone();
        self.workers.run(move || job(&mut file.lock())).await
    }

    /// Writes to a stream: all of the bytes, or as many as the answer says.
    pub(super) async fn write(
        &self,
        port: &Port,
        target: &Target,
        bytes: Vec<u8>,
        way: Way,
    ) -> (usize, io::Result<()>) {
        match target {
            Target::File(file) => match self.with(file, bytes.len(), move |stream| way(stream, &bytes)).await {
                Ok(written) => written,
                Err(error) => (0, Err(error)),
            },
            Target::Output(stream) => {
                let (host, stream, size) = (port.host(), *stream, bytes.len());
                let written = match host.is_full(stream) {
                    false => host.write(stream, &bytes),
                    true => (self.workers.run(move || host.write(stream, &bytes)).await).and_then(|written| written),
                };
                match written {
                    Ok(()) => (size, Ok(())),
                    Err(error) => {
                        self.set_output_failed(stream, true);
                        (0, Err(error))
                    }
                }
            }
        }
    }

    /// The turn of large transfers to a standard stream: one waits for another, and whatever may not wait finds it taken.
    pub(super) fn large_output(&self, output: crate::Stream) -> &Mutex<()> {
        &self.large_outputs[output as usize]
    }

    pub(super) fn output_failed(&self, output: crate::Stream) -> bool {
        self.output_failed[output as usize].load(Ordering::Relaxed)
    }

    pub(super) fn set_output_failed(&self, output: crate::Stream, failed: bool) {
        self.output_failed[output as usize].store(failed, Ordering::Relaxed);
    }
}

/// Receives a packet of each lane.
pub(super) async fn recv_words(port: &mut Port) -> PerLane<[u64; 8]> {
    let mut words = PerLane::new(port.mask(), [0; 8]);
    port.recv(|lane, buffer| words[lane] = buffer.data).await;
    words
}
