//! One image being served, from attaching to detaching.

use std::{
    io,
    ptr::NonNull,
    sync::{Arc, Mutex, OnceLock},
    time::{Duration, Instant},
};

use super::{
    CLIENT, Error, Global, LoadedImage, Result,
    extensions::{self, Offer},
    growth::GrowingHeap,
    memory::Memory,
};
use crate::bulk::{DeviceMemory, Parts};
use crate::lock::lock;
use crate::relay;
use crate::{ClientObject, Exit, Fault, Host, Idle, Layout, Registry, Server, ServerThreads, Stream};

/// How long the end of the last kernel waits for what is left: a handler may be waiting for a terminal, on behalf of a
/// kernel that has trapped.
const LAST_CALLS: Duration = Duration::from_secs(5);

/// The same while other kernels run, which may go on calling for ever.
const CALLS_SO_FAR: Duration = Duration::from_millis(200);

/// How to serve an image.
#[derive(Clone)]
pub struct Settings {
    /// Slots for express calls, up to 1048576: warps that can make one at the same time without waiting for each other. 0
    /// offers none.
    pub express_slots: u32,
    /// Promises that one kernel runs at a time, with no more warps than there are slots, so that express calls need no lock.
    pub exclusive: bool,
    /// Device memory reserved for `malloc` before the first kernel, bytes; 0 leaves `malloc` to the host.
    pub heap_bytes: u64,
    /// What happens when that is used up.
    pub growth: Growth,
    /// Who serves.
    pub serve: Serve,
    /// Streams, files and the like, as the program sees them.
    pub host: Arc<dyn Host>,
    /// Who answers which call.
    pub registry: Registry,
}

/// What a call of `malloc` gets when the reserved memory is used up.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Growth {
    /// Null.
    Never,
    /// More of the device's memory, or null if the device has not given any after this time. [`Duration::MAX`] has no end.
    Within(Duration),
}

/// Who serves an image.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Serve {
    /// Whoever waits in [`Attachment::serve_until`], and nobody else.
    Waiting,
    /// Threads of the attachment, from attaching to detaching.
    Threads {
        /// How many, at least one.
        count: usize,
        /// What they do when they find no work while a kernel runs.
        idle: Idle,
    },
}

/// The owner's host, beside which the attachment keeps what is its own: the device's heap and the wish to end.
struct AttachedHost {
    outer: Arc<dyn Host>,
    heap: Option<Arc<GrowingHeap>>,
    bulk: Option<Arc<dyn DeviceMemory>>,
    wish: OnceLock<Exit>,
    /// The regions that the server works on: held by what it holds.
    _memory: Arc<Memory>,
}

impl Host for AttachedHost {
    fn may_wait(&self) -> bool {
        false
    }
    fn write(&self, stream: Stream, bytes: &[u8]) -> io::Result<()> {
        self.outer.write(stream, bytes)
    }
    fn write_parts(&self, stream: Stream, parts: &mut dyn Parts) -> io::Result<()> {
        self.outer.write_parts(stream, parts)
    }
    fn is_full(&self, stream: Stream) -> bool {
        self.outer.is_full(stream)
    }
    fn device_memory(&self) -> Option<Arc<dyn DeviceMemory>> {
        self.bulk.clone()
    }
    fn flush(&self) -> io::Result<()> {
        self.outer.flush()
    }
    fn finish(&self, patience: Duration) -> io::Result<()> {
        self.outer.finish(patience)
    }
    fn read_stdin(&self, bytes: &mut [u8]) -> io::Result<usize> {
        self.outer.read_stdin(bytes)
    }
    fn stdin_is_ready(&self) -> bool {
        self.outer.stdin_is_ready()
    }
    fn allocate(&self, size: u64) -> Option<u64> {
        match &self.heap {
            Some(heap) => heap.allocate(size),
            None => self.outer.allocate(size),
        }
    }
    fn allocate_patiently(&self, size: u64) -> Option<u64> {
        match &self.heap {
            Some(heap) => heap.allocate_or_grow(size),
            None => self.outer.allocate_patiently(size),
        }
    }
    fn free(&self, address: u64) -> std::result::Result<(), String> {
        match &self.heap {
            Some(heap) => heap.free(address),
            None => self.outer.free(address),
        }
    }
    fn exit(&self, exit: Exit) {
        self.outer.exit(exit);
        let _ = self.wish.set(exit);
    }
    fn report(&self, message: &str) {
        self.outer.report(message);
    }
    fn fault(&self, fault: &Fault) {
        self.outer.fault(fault);
    }
}

/// An image whose calls are served. Dropping it detaches the image: at once, or when the last kernel has ended.
pub struct Attachment {
    inner: Arc<Inner>,
}

struct Inner {
    /// Stopped first.
    threads: Option<ServerThreads>,
    server: Server,
    host: Arc<AttachedHost>,
}

impl Attachment {
    /// Attaches an image before its first kernel, or answers `None` if it makes no calls. When it fails, nothing is left
    /// behind.
    pub fn attach(image: Arc<dyn LoadedImage>, settings: Settings) -> Result<Option<Attachment>> {
        let Some(client) = client_object(&*image)? else {
            return Ok(None);
        };
        let (ports, lanes) = (image.ports(), image.lane_size());
        let layout = Layout::new(ports, lanes).ok_or_else(|| {
            Error::Settings(format!(
                "{ports} ports for groups of {lanes} lanes are not possible; choose 1 to 4096 ports"
            ))
        })?;
        let memory = Memory::of(image);
        let (pool, heap) = match settings.heap_bytes {
            0 => (None, None),
            bytes => {
                let (pool, start, left) = extensions::reserve(&memory, bytes)?;
                let patience = match settings.growth {
                    Growth::Never => None,
                    Growth::Within(patience) => Some(patience),
                };
                (pool, Some(GrowingHeap::new(start, left, memory.clone(), patience)))
            }
        };
        let region = memory.shared(layout.size())?;
        let base = NonNull::new(region.host)
            .ok_or_else(|| Error::Device("the driver gave pinned memory at address 0".into()))?;
        let servers = match settings.serve {
            Serve::Waiting => 1,
            Serve::Threads { count, .. } => count.max(1),
        };
        let bulk = if extensions::knows_bulk(&memory, &settings.registry)? {
            memory.image.bulk(servers.min(4)).map_err(Error::Device)?
        } else {
            None
        };
        let offers_bulk = bulk.is_some();
        let host = Arc::new(AttachedHost {
            outer: relay::that_does_not_wait(settings.host),
            heap,
            bulk,
            wish: OnceLock::new(),
            _memory: memory.clone(),
        });
        // SAFETY: the region has the layout's size and the alignment of a page, as an implementation of `LoadedImage`
        // promises; the server holds the host and with it the memory, as do all its clones.
        let server = unsafe { Server::new(base, layout, host.clone(), settings.registry.clone()) };
        memory
            .image
            .write(client.address, &server.client_object(region.device).to_bytes())
            .map_err(Error::Device)?;
        let offer = Offer {
            slots: settings.express_slots,
            exclusive: settings.exclusive,
            threads: servers,
            bulk: offers_bulk,
            pool,
        };
        extensions::offer(&memory, &server, &settings.registry, offer)?;
        let threads = match settings.serve {
            Serve::Waiting => None,
            Serve::Threads { count, idle } => Some(
                ServerThreads::start_on(&memory.image.near_cpus(), &server, count, idle)
                    .map_err(|error| Error::Settings(format!("cannot start the server's threads: {error}")))?,
            ),
        };
        Ok(Some(Attachment {
            inner: Arc::new(Inner { threads, server, host }),
        }))
    }

    /// The server. Clones of it keep the shared memory, but do not serve it for longer than the attachment.
    pub fn server(&self) -> &Server {
        &self.inner.server
    }

    /// How the program wishes to end, if it does. Stays set.
    pub fn wish(&self) -> Option<Exit> {
        self.inner.host.wish.get().copied()
    }

    /// Announces a kernel, before its launch, and wakes the server's threads.
    pub fn kernel(&self) -> Running {
        self.inner.server.kernel_starts();
        Running {
            inner: Some(self.inner.clone()),
        }
    }

    /// Serves on this thread until `ended` says that the kernel has, which it is asked with the time that it may wait, or
    /// until `limit` has passed. Whether the kernel has ended.
    pub fn serve_until<E>(
        &self,
        limit: Duration,
        mut ended: impl FnMut(Duration) -> std::result::Result<bool, E>,
    ) -> std::result::Result<bool, E> {
        /// So short that a call which comes meanwhile is answered in time, and long enough to be a wait.
        const NAP: Duration = Duration::from_micros(20);
        let start = Instant::now();
        let mut last_call = start;
        while start.elapsed() < limit {
            let nap = match self.inner.server.poll() {
                0 if last_call.elapsed() > Duration::from_millis(1) => NAP,
                0 => Duration::ZERO,
                _ => {
                    last_call = Instant::now();
                    Duration::ZERO
                }
            };
            if ended(nap)? {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Passes on what the program wrote so far. Bounded in time even if kernels go on calling, or nobody reads.
    pub fn flush(&self) {
        self.inner.settle();
    }

    /// Waits until no kernel is in flight, serving meanwhile, and detaches the image. After `patience` it is given back to
    /// be detached later; dropping it leaves that to whoever ends the last kernel. [`Duration::MAX`] has no end.
    pub fn detach(self, patience: Duration) -> std::result::Result<(), Attachment> {
        let deadline = Instant::now().checked_add(patience);
        while self.inner.server.kernels_in_flight() > 0 {
            if deadline.is_some_and(|deadline| Instant::now() >= deadline) {
                return Err(self);
            }
            if self.inner.server.poll() == 0 {
                std::thread::sleep(Duration::from_micros(50));
            }
        }
        Ok(())
    }
}

/// A kernel in flight. Its calls are served, and the memory that it shares with the host stays, until [`Running::end`].
///
/// Dropped without that, it counts as running for ever, as a kernel that cannot be stopped does: the memory is never freed.
#[must_use = "a kernel that is not said to have ended counts as running for ever"]
pub struct Running {
    /// `None` only once dropped.
    inner: Option<Arc<Inner>>,
}

/// What kernels use that nobody has said to have ended: never freed, and no leak to those who look for leaks.
static NEVER_ENDED: Mutex<Vec<Arc<Inner>>> = Mutex::new(Vec::new());

impl Drop for Running {
    fn drop(&mut self) {
        if let Some(inner) = self.inner.take() {
            lock(&NEVER_ENDED).push(inner);
        }
    }
}

impl Running {
    /// The kernel has ended: serves what it left behind, asynchronous calls and those that preceded an exit. Results can be
    /// read afterwards. Waits for whoever reads the program's output, as every program does at its end.
    ///
    /// The answer is a call that was cut off, which is a fault where no kernel was: see [`Server::drain`]. While others run
    /// nothing can be said of that.
    pub fn end(mut self) -> Option<Fault> {
        let inner = self.inner.take()?;
        inner.server.kernel_ends();
        let cut_off = inner.settle();
        let _ = inner.server.host().finish(Duration::MAX);
        cut_off
    }
}

impl Inner {
    fn settle(&self) -> Option<Fault> {
        if self.server.kernels_in_flight() == 0 {
            return self.server.drain_for(LAST_CALLS).cut_off;
        }
        let deadline = Instant::now() + CALLS_SO_FAR;
        while self.server.poll() > 0 && Instant::now() < deadline {}
        let _ = self.server.host().finish(CALLS_SO_FAR);
        None
    }
}

impl Drop for Inner {
    /// No kernel is in flight, as each would hold a reference.
    fn drop(&mut self) {
        self.threads = None;
        self.server.drain_for(LAST_CALLS);
    }
}

/// Finds the variable through which the image learns where to call, if it calls at all.
fn client_object(image: &dyn LoadedImage) -> Result<Option<Global>> {
    let global = image.global(CLIENT).map_err(Error::Device)?;
    match global {
        Some(Global { bytes, .. }) if bytes != size_of::<ClientObject>() => Err(Error::Image(format!(
            "its {CLIENT} has {bytes} bytes instead of {}; rebuild it with LLVM 20 or newer",
            size_of::<ClientObject>()
        ))),
        _ => Ok(global),
    }
}
