//! Answering a program's calls while its kernels run.

use std::io;
use std::ptr::NonNull;
use std::sync::{Arc, OnceLock};
use std::time::{Duration, Instant};

use host_server::bulk::{DeviceMemory, Parts};
use host_server::heap::Heap;
use host_server::{ClientObject, Exit, Fault, Host, Idle, Layout, Registry, Server, ServerThreads, Stream};

use crate::bulk::{self, Bulk};
use crate::device::{Device, Global, ModuleId};
use crate::error::{Error, Result};
use crate::extensions;
use crate::holdings::Holdings;
use crate::symbols;

/// The program's wish to end. The first one counts.
pub(crate) type Wish = OnceLock<Exit>;

/// The embedder's host, beside which the loader keeps what is its own: the device's heap and the
/// wish to end.
struct LoaderHost {
    outer: Arc<dyn Host>,
    heap: Option<Heap>,
    memory: Option<Arc<Bulk>>,
    wish: Arc<Wish>,
}

impl Host for LoaderHost {
    fn write(&self, stream: Stream, bytes: &[u8]) -> io::Result<()> {
        self.outer.write(stream, bytes)
    }
    fn write_parts(&self, stream: Stream, parts: &mut dyn Parts) -> io::Result<()> {
        self.outer.write_parts(stream, parts)
    }
    fn device_memory(&self) -> Option<Arc<dyn DeviceMemory>> {
        self.memory.clone().map(|memory| memory as _)
    }
    fn flush(&self) -> io::Result<()> {
        self.outer.flush()
    }
    fn read_stdin(&self, bytes: &mut [u8]) -> io::Result<usize> {
        self.outer.read_stdin(bytes)
    }
    fn allocate(&self, size: u64) -> Option<u64> {
        match &self.heap {
            Some(heap) => heap.allocate(size),
            None => self.outer.allocate(size),
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

/// How to serve.
pub(crate) struct Settings {
    /// The device, for those who move bytes from and to it.
    pub device: Arc<dyn Device>,
    pub ports: u32,
    pub express_slots: u32,
    pub one_launch: bool,
    pub lanes: u32,
    pub heap_bytes: u64,
    pub threads: usize,
    pub idle: Idle,
    pub host: Arc<dyn Host>,
    pub registry: Registry,
}

/// The server of one program, and the memory that it shares with the device.
pub(crate) struct Calls {
    /// Stopped first.
    threads: Option<ServerThreads>,
    pub server: Server,
    pub wish: Arc<Wish>,
    pub lanes: u32,
    holdings: Holdings,
}

impl Calls {
    /// Allocates the region, tells the image where it is, and starts to serve.
    pub fn start(device: &dyn Device, module: ModuleId, settings: Settings) -> Result<Calls> {
        let mut holdings = Holdings::default();
        match Calls::start_with(device, module, settings, &mut holdings) {
            Ok((threads, server, wish)) => Ok(Calls {
                threads: Some(threads),
                lanes: server.layout().lanes(),
                server,
                wish,
                holdings,
            }),
            Err(error) => {
                // SAFETY: no thread serves and no kernel has run.
                unsafe { holdings.free(device) };
                Err(error)
            }
        }
    }

    fn start_with(
        device: &dyn Device,
        module: ModuleId,
        settings: Settings,
        holdings: &mut Holdings,
    ) -> Result<(ServerThreads, Server, Arc<Wish>)> {
        let layout = Layout::new(settings.ports, settings.lanes).ok_or_else(|| {
            Error::Host(format!(
                "{} ports for groups of {} lanes are not possible; --ports takes 1 to 4096",
                settings.ports, settings.lanes
            ))
        })?;
        let client = client_object(device, module)?;
        let (pool, heap) = match settings.heap_bytes {
            0 => (None, None),
            bytes => {
                let (pool, start, left) = extensions::reserve(device, module, bytes, holdings)?;
                (pool, Some(Heap::new(start, left)))
            }
        };
        let wish = Arc::new(Wish::default());
        let memory = bulk::offered(&settings.device);
        let host = Arc::new(LoaderHost {
            outer: settings.host,
            heap,
            memory: memory.clone(),
            wish: wish.clone(),
        });
        let region = holdings.shared(device, layout.size())?;
        let base = NonNull::new(region.host)
            .ok_or_else(|| Error::Host("the driver gave pinned memory at address 0".into()))?;
        // SAFETY: the region has the layout's size and the alignment of a page; it is freed in `free` only, after the
        // threads have stopped and when no kernel runs.
        let server = unsafe { Server::new(base, layout, host, settings.registry.clone()) };
        device.write(client.address, &server.client_object(region.device).to_bytes())?;
        extensions::offer(
            device,
            module,
            &server,
            &settings.registry,
            extensions::Offer {
                slots: settings.express_slots,
                exclusive: settings.one_launch,
                bulk: memory.as_deref(),
                transfers: settings.threads.clamp(1, 4),
                pool,
            },
            holdings,
        )?;
        let threads = ServerThreads::start(&server, settings.threads, settings.idle)
            .map_err(|error| Error::Host(format!("cannot start the server's threads: {error}")))?;
        Ok((threads, server, wish))
    }

    /// Serves what a kernel left behind: asynchronous calls, and those that preceded an exit.
    ///
    /// With `kernel_running` others may go on calling for ever, so that this has a bound in time.
    pub fn settle(&self, kernel_running: bool) {
        if !kernel_running {
            // A handler may be waiting for a terminal, on behalf of a kernel that has trapped.
            self.server.drain_for(Duration::from_secs(5));
            return;
        }
        let deadline = Instant::now() + Duration::from_millis(200);
        while self.server.poll() > 0 && Instant::now() < deadline {}
        let _ = self.server.host().flush();
    }

    /// Stops serving and gives the memory back. No kernel may be running.
    pub fn free(mut self, device: &dyn Device) {
        self.threads = None;
        self.server.drain();
        // SAFETY: the threads have ended, no kernel runs, and whoever holds a clone of the server outside of the program
        // was told not to use it after the program.
        unsafe { self.holdings.free(device) };
    }
}

/// Finds the variable through which the image learns where to call.
fn client_object(device: &dyn Device, module: ModuleId) -> Result<Global> {
    let name = symbols::CLIENT;
    match device.global(module, name)? {
        Some(global) if global.bytes == size_of::<ClientObject>() => Ok(global),
        Some(global) => Err(Error::Image(format!(
            "its {name} has {} bytes instead of {}; rebuild it with LLVM 20 or newer",
            global.bytes,
            size_of::<ClientObject>()
        ))),
        None => Err(Error::Image(format!(
            "makes calls, but its variable {name} is not exported; build it again with default symbol visibility"
        ))),
    }
}
