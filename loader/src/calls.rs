//! Answering a program's calls while its kernels run.

use std::io;
use std::ptr::NonNull;
use std::sync::{Arc, OnceLock};
use std::time::{Duration, Instant};

use host_server::heap::Heap;
use host_server::{Exit, Fault, Host, Idle, Layout, Opcode, Registry, Server, ServerThreads, Shape, Stream};
use rpc_proto::ext::{ExtClient, features};

use crate::device::{Device, ModuleId, SharedMemory};
use crate::error::{Error, Result};
use crate::symbols;

/// The program's wish to end. The first one counts.
pub(crate) type Wish = OnceLock<Exit>;

/// The embedder's host, beside which the loader keeps what is its own: the device's heap and the
/// wish to end.
struct LoaderHost {
    outer: Arc<dyn Host>,
    heap: Option<Heap>,
    wish: Arc<Wish>,
}

impl Host for LoaderHost {
    fn write(&self, stream: Stream, bytes: &[u8]) -> io::Result<()> {
        self.outer.write(stream, bytes)
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
    pub ports: u32,
    pub express_slots: u32,
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
    /// The ports' region, and that of the express slots.
    regions: Vec<SharedMemory>,
    /// Device memory: the heap, and what the device notes of ports and slots.
    device_memory: Vec<u64>,
}

impl Calls {
    /// Allocates the region, tells the image where it is, and starts to serve.
    pub fn start(device: &dyn Device, module: ModuleId, settings: Settings) -> Result<Calls> {
        let layout = Layout::new(settings.ports, settings.lanes).ok_or_else(|| {
            Error::Host(format!(
                "{} ports for groups of {} lanes are not possible; --ports takes 1 to 4096",
                settings.ports, settings.lanes
            ))
        })?;
        let mut device_memory = Vec::new();
        let heap = match settings.heap_bytes {
            0 => None,
            bytes => {
                let size = usize::try_from(bytes).unwrap_or(usize::MAX);
                let base = device.alloc_device(size)?;
                device_memory.push(base);
                Some(Heap::new(base, bytes))
            }
        };
        let region = device.alloc_shared(layout.size())?;
        let wish = Arc::new(Wish::default());
        let host = Arc::new(LoaderHost {
            outer: settings.host,
            heap,
            wish: wish.clone(),
        });
        let base = NonNull::new(region.host)
            .ok_or_else(|| Error::Host("the driver gave pinned memory at address 0".into()))?;
        let mut offered = features::SHADOW;
        if settings.registry.knows(Opcode::FS_OPEN) {
            offered |= features::SERVICES;
        }
        // SAFETY: the region has the layout's size and the alignment of a page; it is freed in
        // `free` only, after the threads have stopped and when no kernel runs.
        let server = unsafe { Server::new(base, layout, host, settings.registry) };

        let client = server.client_object(region.device).to_bytes();
        let Some(global) = device.global(module, symbols::CLIENT)? else {
            return Err(Error::Image(format!(
                "makes calls, but its variable {} is not exported; build it again with default symbol visibility",
                symbols::CLIENT
            )));
        };
        if global.bytes != client.len() {
            return Err(Error::Image(format!(
                "its {} has {} bytes instead of {}; rebuild it with LLVM 20 or newer",
                symbols::CLIENT,
                global.bytes,
                client.len()
            )));
        }
        device.write(global.address, &client)?;
        let mut regions = vec![region];
        if let Some(global) = device.global(module, symbols::EXTENSION_CLIENT)? {
            let mut offer = ExtClient {
                features: offered,
                ..ExtClient::OFFER
            };
            offer.shadow = zeroed(device, layout.ports() as usize)?;
            device_memory.push(offer.shadow);
            if settings.express_slots > 0 {
                let shape = express_shape(settings.express_slots, settings.lanes)?;
                let region = device.alloc_shared(shape.size())?;
                regions.push(region);
                offer.express_state = zeroed(device, 8 * shape.slots as usize)?;
                device_memory.push(offer.express_state);
                let base = NonNull::new(region.host)
                    .ok_or_else(|| Error::Host("the driver gave pinned memory at address 0".into()))?;
                // SAFETY: as for the ports' region above.
                unsafe { server.offer_express(base, shape) };
                offer.features |= features::EXPRESS;
                offer.express = region.device;
                (offer.express_slots, offer.express_lanes) = (shape.slots, shape.lanes);
                (offer.express_rows, offer.express_wrap) = (shape.rows, shape.wrap);
            }
            // An older image knows fewer fields, and a newer one sees in `size` how many there are.
            let offer = offer.to_bytes();
            device.write(global.address, &offer[..offer.len().min(global.bytes)])?;
        }
        let threads = ServerThreads::start(&server, settings.threads, settings.idle)
            .map_err(|error| Error::Host(format!("cannot start the server's threads: {error}")))?;
        Ok(Calls {
            threads: Some(threads),
            server,
            wish,
            lanes: settings.lanes,
            regions,
            device_memory,
        })
    }

    /// Serves what a kernel left behind: asynchronous calls, and those that preceded an exit.
    ///
    /// With `kernel_running` others may go on calling for ever, so that this has a bound in time.
    pub fn settle(&self, kernel_running: bool) {
        if !kernel_running {
            return self.server.drain();
        }
        let deadline = Instant::now() + Duration::from_millis(200);
        while self.server.poll() > 0 && Instant::now() < deadline {}
        let _ = self.server.host().flush();
    }

    /// Stops serving and gives the memory back. No kernel may be running.
    pub fn free(mut self, device: &dyn Device) -> Result<()> {
        self.threads = None;
        self.server.drain();
        // SAFETY: the threads have ended, no kernel runs, and whoever holds a clone of the server
        // outside of the program was told not to use it after the program.
        unsafe {
            for region in self.regions {
                device.free_shared(region)?;
            }
            for address in self.device_memory {
                device.free_device(address)?;
            }
        }
        Ok(())
    }
}

/// Device memory of this size, zero.
fn zeroed(device: &dyn Device, bytes: usize) -> Result<u64> {
    let address = device.alloc_device(bytes)?;
    device.write(address, &vec![0; bytes])?;
    Ok(address)
}

/// Rings are long where there are few of them: a region for all warps of a large device would else take its time to allocate.
fn express_shape(slots: u32, lanes: u32) -> Result<Shape> {
    let rows = if slots <= 2048 { 16 } else { 8 };
    Shape::new(slots, lanes, rows).ok_or_else(|| {
        Error::Host(format!(
            "{slots} express slots are not possible; --express-slots takes 0 to 1048576"
        ))
    })
}
