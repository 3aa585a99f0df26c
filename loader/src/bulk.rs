//! Device memory as the server's large transfers see it: copies by the copy engine, through pinned buffers.

use std::io;
use std::sync::{Arc, Condvar, Mutex, PoisonError, TryLockError, Weak};
use std::time::{Duration, Instant};

use host_server::bulk::{Buffer, DeviceMemory, PART, Permit};

use crate::device::{Device, SharedMemory, StreamId};
use crate::error::Error;

/// The device behind large transfers, and the pinned buffers that no transfer is using.
pub(crate) struct Bulk {
    device: Arc<dyn Device>,
    idle: Mutex<Vec<(SharedMemory, StreamId)>>,
    /// Rung when one comes back.
    returned: Condvar,
    this: Weak<Bulk>,
}

fn failed(error: Error) -> io::Error {
    io::Error::other(error.to_string())
}

fn gone() -> io::Error {
    io::Error::other("the program was dropped during a transfer")
}

impl DeviceMemory for Bulk {
    fn owns(&self, address: u64, bytes: u64) -> bool {
        self.device.owns(address, bytes)
    }

    fn permit(&self) -> Option<Permit> {
        self.device.begin_transfer()
    }

    fn fetch(&self, address: u64, bytes: &mut [u8]) -> io::Result<()> {
        self.device.read(address, bytes).map_err(failed)
    }

    fn store(&self, address: u64, bytes: &[u8]) -> io::Result<()> {
        self.device.write(address, bytes).map_err(failed)
    }

    fn buffer(&self) -> io::Result<Box<dyn Buffer>> {
        let idle = self.idle.lock().unwrap_or_else(PoisonError::into_inner);
        // Pinning more might wait for a kernel to end. Who has one may be held up by a reader that takes nothing: then an
        // ordinary one has to do.
        let (mut idle, _) = self
            .returned
            .wait_timeout_while(idle, PATIENCE, |idle| idle.is_empty())
            .unwrap_or_else(PoisonError::into_inner);
        match idle.pop() {
            Some(memory) => Ok(self.lend(memory)),
            None => Ok(Box::new(vec![0; PART])),
        }
    }

    fn spare_buffer(&self) -> Option<Box<dyn Buffer>> {
        // Server threads look for one again and again: none must wait for another.
        let mut idle = match self.idle.try_lock() {
            Ok(idle) => idle,
            Err(TryLockError::Poisoned(poison)) => poison.into_inner(),
            Err(TryLockError::WouldBlock) => return None,
        };
        idle.pop().map(|memory| self.lend(memory))
    }
}

/// How long to wait for a pinned buffer: many times what a part takes on its way.
const PATIENCE: Duration = Duration::from_millis(20);

/// The most that a bus of today carries.
const BYTES_IN_A_NANOSECOND: u64 = 64;

/// After that, how often a copy under way is asked for.
const BETWEEN_LOOKS: Duration = Duration::from_micros(10);

impl Bulk {
    fn lend(&self, (memory, stream): (SharedMemory, StreamId)) -> Box<dyn Buffer> {
        Box::new(Pinned {
            memory,
            stream,
            is_under_way: false,
            next_look: Instant::now(),
            owner: self.this.clone(),
        })
    }

    /// What a server may move bytes with, with buffers pinned for `transfers` transfers at a time; nothing where a copy would
    /// wait for the kernel that asks for it. Before any kernel runs.
    pub fn offered(device: &Arc<dyn Device>, transfers: usize) -> crate::Result<Option<Arc<Bulk>>> {
        // With this variable a driver makes all streams wait for one another.
        let is_blocking = std::env::var("CUDA_LAUNCH_BLOCKING").is_ok_and(|value| value != "0" && !value.is_empty());
        if is_blocking {
            return Ok(None);
        }
        let bulk = Arc::new_cyclic(|this| Bulk {
            device: device.clone(),
            idle: Mutex::default(),
            returned: Condvar::new(),
            this: this.clone(),
        });
        for _ in 0..2 * transfers {
            let stream = device.create_copy_stream()?;
            let memory = device
                .alloc_shared(PART)
                .inspect_err(|_| drop(device.destroy_copy_stream(stream)))?;
            let mut idle = bulk.idle.lock().unwrap_or_else(PoisonError::into_inner);
            idle.push((memory, stream));
        }
        Ok(Some(bulk))
    }
}

impl Drop for Bulk {
    fn drop(&mut self) {
        for (memory, stream) in self.idle.get_mut().unwrap_or_else(PoisonError::into_inner).drain(..) {
            // SAFETY: it is idle: no copy and nobody else uses it.
            let _ = unsafe { self.device.free_shared(memory) };
            let _ = self.device.destroy_copy_stream(stream);
        }
    }
}

/// A pinned buffer on loan.
struct Pinned {
    memory: SharedMemory,
    /// For its copies alone, made before any kernel ran.
    stream: StreamId,
    is_under_way: bool,
    /// When it is worth asking whether that has ended: each question takes the driver's lock.
    next_look: Instant,
    owner: Weak<Bulk>,
}

impl Pinned {
    /// Starts a copy of so many bytes: `copy` gets the device, the stream and the memory.
    fn start(
        &mut self,
        bytes: usize,
        copy: impl FnOnce(&dyn Device, StreamId, *mut u8) -> crate::Result<()>,
    ) -> io::Result<()> {
        assert!(bytes <= self.memory.bytes, "a buffer holds {} bytes", self.memory.bytes);
        self.wait()?;
        let owner = self.owner.upgrade().ok_or_else(gone)?;
        copy(&*owner.device, self.stream, self.memory.host).map_err(failed)?;
        self.is_under_way = true;
        self.next_look = Instant::now() + Duration::from_nanos(bytes as u64 / BYTES_IN_A_NANOSECOND);
        Ok(())
    }
}

impl Buffer for Pinned {
    fn bytes(&mut self) -> &mut [u8] {
        let _ = self.wait();
        // SAFETY: memory of that size, which is this loan's alone; no kernel is told its address.
        unsafe { std::slice::from_raw_parts_mut(self.memory.host, self.memory.bytes) }
    }

    fn start_fetch(&mut self, _: &dyn DeviceMemory, address: u64, bytes: usize) -> io::Result<()> {
        self.start(bytes, |device, stream, to| {
            // SAFETY: as many bytes, as `start` sees to, which nobody touches before `wait`.
            unsafe { device.start_read(stream, address, to, bytes) }
        })
    }

    fn start_store(&mut self, _: &dyn DeviceMemory, address: u64, bytes: usize) -> io::Result<()> {
        self.start(bytes, |device, stream, from| {
            // SAFETY: as above.
            unsafe { device.start_write(stream, address, from, bytes) }
        })
    }

    fn is_done(&mut self) -> io::Result<bool> {
        let now = Instant::now();
        if self.is_under_way && now >= self.next_look {
            let owner = self.owner.upgrade().ok_or_else(gone)?;
            self.is_under_way = !owner.device.copies_are_done(self.stream).map_err(failed)?;
            self.next_look = now + BETWEEN_LOOKS;
        }
        Ok(!self.is_under_way)
    }

    fn wait(&mut self) -> io::Result<()> {
        if !std::mem::take(&mut self.is_under_way) {
            return Ok(());
        }
        let owner = self.owner.upgrade().ok_or_else(gone)?;
        owner.device.wait_for_copies(self.stream).map_err(failed)
    }
}

impl Drop for Pinned {
    fn drop(&mut self) {
        let _ = self.wait();
        // Without an owner the program was dropped during a transfer: the memory and the stream stay until the process ends.
        if let Some(owner) = self.owner.upgrade() {
            owner
                .idle
                .lock()
                .unwrap_or_else(PoisonError::into_inner)
                .push((self.memory, self.stream));
            owner.returned.notify_one();
        }
    }
}
