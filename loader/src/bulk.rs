//! Device memory as the server's large transfers see it: copies by the copy engine, through pinned buffers.

use std::io;
use std::sync::{Arc, Mutex, PoisonError, Weak};

use host_server::bulk::{Buffer, DeviceMemory, PART};

use crate::device::{Device, SharedMemory};
use crate::error::Error;

/// The device behind large transfers, and the pinned buffers that no transfer is using.
pub(crate) struct Bulk {
    device: Arc<dyn Device>,
    idle: Mutex<Vec<SharedMemory>>,
    this: Weak<Bulk>,
}

fn failed(error: Error) -> io::Error {
    io::Error::other(error.to_string())
}

impl DeviceMemory for Bulk {
    fn owns(&self, address: u64, bytes: u64) -> bool {
        self.device.owns(address, bytes)
    }

    fn fetch(&self, address: u64, bytes: &mut [u8]) -> io::Result<()> {
        self.device.read(address, bytes).map_err(failed)
    }

    fn store(&self, address: u64, bytes: &[u8]) -> io::Result<()> {
        self.device.write(address, bytes).map_err(failed)
    }

    fn buffer(&self) -> io::Result<Box<dyn Buffer>> {
        let idle = self.idle.lock().unwrap_or_else(PoisonError::into_inner).pop();
        // With all of them on loan an ordinary one has to do: pinning more might wait for a kernel to end.
        let Some(memory) = idle else {
            return Ok(Box::new(vec![0; PART]));
        };
        Ok(Box::new(Pinned {
            memory,
            owner: self.this.clone(),
        }))
    }
}

impl Bulk {
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
            this: this.clone(),
        });
        for _ in 0..2 * transfers {
            let buffer = device.alloc_shared(PART)?;
            bulk.idle.lock().unwrap_or_else(PoisonError::into_inner).push(buffer);
        }
        Ok(Some(bulk))
    }
}

impl Drop for Bulk {
    fn drop(&mut self) {
        for memory in self.idle.get_mut().unwrap_or_else(PoisonError::into_inner).drain(..) {
            // SAFETY: it is idle: no copy and nobody else uses it.
            let _ = unsafe { self.device.free_shared(memory) };
        }
    }
}

/// A pinned buffer on loan.
struct Pinned {
    memory: SharedMemory,
    owner: Weak<Bulk>,
}

impl Buffer for Pinned {
    fn bytes(&mut self) -> &mut [u8] {
        // SAFETY: memory of that size, which is this loan's alone; no kernel is told its address.
        unsafe { std::slice::from_raw_parts_mut(self.memory.host, self.memory.bytes) }
    }
}

impl Drop for Pinned {
    fn drop(&mut self) {
        // Without an owner the program was dropped during a transfer: the memory stays until the process ends.
        if let Some(owner) = self.owner.upgrade() {
            owner
                .idle
                .lock()
                .unwrap_or_else(PoisonError::into_inner)
                .push(self.memory);
        }
    }
}
