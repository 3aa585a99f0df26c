//! A device for tests: one thread that plays all lanes of a group, follows the protocol as far as it is told to, and lets
//! the server work while it waits.
#![allow(dead_code, reason = "each test uses its part")]

pub mod chaos;
pub mod express;
pub mod open;
pub mod table;

use std::io;
use std::ptr::NonNull;
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use host_server::bulk::DeviceMemory;
use host_server::{Buffer, Layout, Opcode, RecordingHost, Registry, Server};
use rpc_proto::raw::{CpuEdges, RawMemory};
use rpc_proto::{Header, Memory};

/// A server that has not answered for so long will never answer.
const PATIENCE: Duration = Duration::from_secs(20);

/// Device memory that is none: bytes of this process, at an address that means nothing.
pub struct DeviceBytes {
    start: u64,
    pub bytes: Mutex<Vec<u8>>,
}

impl DeviceBytes {
    pub fn new(start: u64, bytes: Vec<u8>) -> Self {
        Self {
            start,
            bytes: Mutex::new(bytes),
        }
    }
}

impl DeviceMemory for DeviceBytes {
    fn owns(&self, address: u64, bytes: u64) -> bool {
        let size = self.bytes.lock().unwrap().len() as u64;
        address >= self.start && address - self.start <= size && bytes <= size - (address - self.start)
    }

    fn fetch(&self, address: u64, bytes: &mut [u8]) -> io::Result<()> {
        let at = (address - self.start) as usize;
        bytes.copy_from_slice(&self.bytes.lock().unwrap()[at..][..bytes.len()]);
        Ok(())
    }

    fn store(&self, address: u64, bytes: &[u8]) -> io::Result<()> {
        let at = (address - self.start) as usize;
        self.bytes.lock().unwrap()[at..][..bytes.len()].copy_from_slice(bytes);
        Ok(())
    }
}

/// A region, its server, and the device's side of it.
pub struct Device {
    /// Dropped before the memory that it serves.
    pub server: Server,
    _region: Vec<u64>,
    _locks: Vec<u32>,
    memory: RawMemory<CpuEdges>,
    pub layout: Layout,
    pub host: Arc<RecordingHost>,
}

impl Device {
    pub fn new(ports: u32, lanes: u32, host: RecordingHost, registry: Registry) -> Self {
        let layout = Layout::new(ports, lanes).unwrap();
        // Poisoned, as memory from a driver may be.
        let mut region = vec![0xA5A5_A5A5_A5A5_A5A5u64; layout.size().div_ceil(8)];
        let mut locks = vec![0u32; ports.div_ceil(32) as usize];
        let host = Arc::new(host);
        let base = NonNull::new(region.as_mut_ptr().cast::<u8>()).unwrap();
        // SAFETY: region and locks live as long as the device, whose fields are dropped with the server; both sides access
        // the region atomically.
        let (server, memory) = unsafe {
            let server = Server::new(base, layout, host.clone(), registry);
            (server, RawMemory::client(base.as_ptr(), layout, locks.as_mut_ptr()))
        };
        Self {
            _region: region,
            _locks: locks,
            memory,
            layout,
            host,
            server,
        }
    }

    /// Begins a call on a port that is free.
    pub fn open(&self, port: u32, opcode: Opcode, mask: u64) -> Call<'_> {
        let mut call = Call {
            device: self,
            port,
            mask,
            received: false,
        };
        call.wait();
        self.memory.store_header(
            port,
            Header {
                mask,
                opcode: opcode.0,
                pad: 0,
            },
        );
        call
    }

    /// Lets the server work until `done`, or fails.
    pub fn until(&self, what: &str, mut done: impl FnMut() -> bool) {
        let start = Instant::now();
        while !done() {
            if self.server.poll() == 0 {
                assert!(start.elapsed() < PATIENCE, "the server never came to this: {what}");
                std::thread::yield_now();
            }
        }
    }

    /// Whether it is the device's turn on this port.
    pub fn owns(&self, port: u32) -> bool {
        // The other bits of a word mean nothing, whatever was scribbled there.
        self.memory.load_inbox(port) & 1 == self.memory.load_outbox(port) & 1
    }

    /// Begins anew after the server was reset: the mailbox word is 0, no call is under way.
    pub fn forget(&self) {
        self.memory.give(0, 0);
    }

    /// Inverts the device's mailbox word, whoever's turn it is.
    pub fn flip(&self, port: u32) {
        self.memory.give(port, self.memory.load_outbox(port) ^ 1);
    }

    /// Writes any value into the device's mailbox word.
    pub fn scribble(&self, port: u32, value: u32) {
        self.memory.give(port, value);
    }

    /// Writes a header, whoever's turn it is.
    pub fn forge_header(&self, port: u32, mask: u64, opcode: u32) {
        self.memory.store_header(port, Header { mask, opcode, pad: 0 });
    }

    /// Writes a lane's packet, whoever's turn it is.
    pub fn store(&self, port: u32, lane: u32, buffer: Buffer) {
        for (word, value) in buffer.data.into_iter().enumerate() {
            self.memory.store_word(port, lane, word as u32, value);
        }
    }

    /// Reads a lane's packet, whoever's turn it is.
    pub fn load(&self, port: u32, lane: u32) -> Buffer {
        Buffer {
            data: std::array::from_fn(|word| self.memory.load_word(port, lane, word as u32)),
        }
    }
}

/// A call in progress. Values per lane are in the order of the mask's lanes.
pub struct Call<'d> {
    device: &'d Device,
    port: u32,
    mask: u64,
    received: bool,
}

impl Call<'_> {
    pub fn lanes(&self) -> impl Iterator<Item = u32> + use<> {
        let mask = self.mask;
        (0..64).filter(move |lane| mask >> lane & 1 == 1)
    }

    fn wait(&mut self) {
        self.device.until("the port comes back", || self.device.owns(self.port));
        self.device.memory.take();
    }

    /// Sends a packet; `fill` gets each lane's rank in the mask.
    pub fn send(&mut self, mut fill: impl FnMut(usize) -> Buffer) -> &mut Self {
        self.wait();
        for (rank, lane) in self.lanes().enumerate() {
            self.device.store(self.port, lane, fill(rank));
        }
        self.device.flip(self.port);
        self.received = false;
        self
    }

    /// Receives a packet of each lane.
    pub fn recv(&mut self) -> Vec<Buffer> {
        if self.received {
            self.device.flip(self.port);
        }
        self.wait();
        self.received = true;
        self.lanes().map(|lane| self.device.load(self.port, lane)).collect()
    }

    pub fn send_words<const N: usize>(&mut self, mut words: impl FnMut(usize) -> [u64; N]) -> &mut Self {
        self.send(|rank| {
            let mut buffer = Buffer::default();
            buffer.data[..N].copy_from_slice(&words(rank));
            buffer
        })
    }

    /// Receives word 0 of each lane.
    pub fn recv_word(&mut self) -> Vec<u64> {
        self.recv().iter().map(|buffer| buffer.data[0]).collect()
    }

    /// Sends each lane's bytes.
    pub fn send_n<B: AsRef<[u8]>>(&mut self, bytes: &[B]) -> &mut Self {
        let longest = bytes.iter().map(|bytes| bytes.as_ref().len()).max().unwrap_or(0);
        let mut sent = 0;
        loop {
            let first = sent == 0;
            let room = if first { 56 } else { 64 };
            self.send(|rank| {
                let bytes = bytes[rank].as_ref();
                let rest = bytes.get(sent..).unwrap_or_default();
                let mut packet = [0u8; 64];
                packet[64 - room..][..rest.len().min(room)].copy_from_slice(&rest[..rest.len().min(room)]);
                if first {
                    packet[..8].copy_from_slice(&(bytes.len() as u64).to_le_bytes());
                }
                Buffer::from_bytes(&packet)
            });
            sent += room;
            if sent >= longest {
                return self;
            }
        }
    }

    /// Receives each lane's bytes.
    pub fn recv_n(&mut self) -> Vec<Vec<u8>> {
        let first = self.recv();
        let sizes: Vec<usize> = first.iter().map(|buffer| buffer.data[0] as usize).collect();
        let mut bytes: Vec<Vec<u8>> = first.iter().map(|buffer| buffer.to_bytes()[8..].to_vec()).collect();
        while bytes.iter().zip(&sizes).any(|(bytes, &size)| bytes.len() < size) {
            for (bytes, buffer) in bytes.iter_mut().zip(self.recv()) {
                bytes.extend(buffer.to_bytes());
            }
        }
        for (bytes, &size) in bytes.iter_mut().zip(&sizes) {
            bytes.truncate(size);
        }
        bytes
    }
}

/// The mask of the lowest `lanes` lanes.
pub fn full(lanes: u32) -> u64 {
    u64::MAX >> (64 - lanes)
}

/// A fresh empty folder for one test.
pub fn folder(name: &str) -> std::path::PathBuf {
    let folder = std::env::temp_dir().join(format!("services-{name}-{}", std::process::id()));
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(&folder).unwrap();
    folder
}
