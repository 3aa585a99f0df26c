//! A server's express region, and the clients' side of it.

use std::ptr::NonNull;
use std::sync::{Arc, Mutex};

use host_server::{Layout, RecordingHost, Registry, Server, Shape};
use rpc_proto::{OneLane, express::Client, raw::RawSlots};

/// An express region that lives for ever, and room for its clients.
pub struct Region {
    pub base: *mut u8,
    pub state: Vec<u64>,
    pub shape: Shape,
}

impl Region {
    /// One that `server` serves.
    pub fn offered_by(server: &Server, shape: Shape) -> Self {
        // What remembers it here is no leak to those who look for leaks.
        static KEPT: Mutex<Vec<Vec<u8>>> = Mutex::new(Vec::new());
        let mut bytes = vec![0xA5u8; shape.size() + 512];
        let skip = bytes.as_ptr().align_offset(512);
        let base = bytes[skip..].as_mut_ptr();
        KEPT.lock().unwrap().push(bytes);
        // SAFETY: of that size and alignment, for ever; only clients of the region touch it.
        unsafe { server.offer_express(NonNull::new(base).unwrap(), shape) };
        Self {
            base,
            state: vec![0; shape.slots as usize],
            shape,
        }
    }

    pub fn slots(&self) -> RawSlots {
        // SAFETY: both live as long as the region and are only accessed atomically.
        unsafe { RawSlots::new(self.base, self.shape, self.state.as_ptr().cast_mut()) }
    }

    pub fn client(&self, home: u32) -> Client<RawSlots, OneLane> {
        Client::new(self.slots(), OneLane::default(), home)
    }
}

/// A server with an express region for single lanes.
pub struct Bench {
    /// Dropped before the memory that it serves.
    pub server: Server,
    _ports: Vec<u64>,
    pub express: Region,
    pub host: Arc<RecordingHost>,
}

impl Bench {
    /// One that goes by hints, and one that looks at all headers.
    pub fn both(slots: u32, registry: &Registry) -> [Self; 2] {
        [true, false].map(|hinted| Self::new(slots, hinted, registry.clone()))
    }

    pub fn new(slots: u32, hinted: bool, registry: Registry) -> Self {
        let layout = Layout::new(1, 1).unwrap();
        let shape = Shape {
            hinted,
            ..Shape::new(slots, 1, 8).unwrap()
        };
        let mut ports = vec![0u64; layout.size().div_ceil(8)];
        let host = Arc::new(RecordingHost::default());
        let base = NonNull::new(ports.as_mut_ptr().cast()).unwrap();
        // SAFETY: the ports live in the bench, which nobody else touches.
        let server = unsafe { Server::new(base, layout, host.clone(), registry) };
        Self {
            express: Region::offered_by(&server, shape),
            _ports: ports,
            host,
            server,
        }
    }
}
