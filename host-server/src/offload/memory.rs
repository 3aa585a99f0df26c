//! Memory that belongs to an attachment.

use std::sync::{Arc, Mutex};

use super::{Error, LoadedImage, Result, SharedMemory};
use crate::lock::lock;

/// What was allocated from an image's device. All of it is given back when the last user lets go of the value: the server
/// whose region lies here, or a driver call that was overtaken by the end.
pub(super) struct Memory {
    pub image: Arc<dyn LoadedImage>,
    held: Mutex<Held>,
}

#[derive(Default)]
struct Held {
    shared: Vec<SharedMemory>,
    device: Vec<u64>,
}

impl Memory {
    pub fn of(image: Arc<dyn LoadedImage>) -> Arc<Memory> {
        Arc::new(Memory {
            image,
            held: Mutex::default(),
        })
    }

    /// Pinned host memory, zeroed.
    pub fn shared(&self, bytes: usize) -> Result<SharedMemory> {
        let memory = self.image.alloc_shared(bytes).map_err(Error::Device)?;
        lock(&self.held).shared.push(memory);
        Ok(memory)
    }

    /// Device memory of undefined content.
    pub fn device(&self, bytes: usize) -> Result<u64> {
        let address = self.image.alloc_device(bytes).map_err(Error::Device)?;
        self.keep(address);
        Ok(address)
    }

    /// Device memory of zeros.
    pub fn zeroed_device(&self, bytes: usize) -> Result<u64> {
        let address = self.device(bytes)?;
        self.image.write(address, &vec![0; bytes]).map_err(Error::Device)?;
        Ok(address)
    }

    /// Takes over device memory that was allocated elsewhere.
    pub fn keep(&self, address: u64) {
        lock(&self.held).device.push(address);
    }
}

impl Drop for Memory {
    /// Errors are those of a device that failed before; there is nobody to tell.
    fn drop(&mut self) {
        let held = std::mem::take(self.held.get_mut().unwrap_or_else(std::sync::PoisonError::into_inner));
        for memory in held.shared {
            // SAFETY: the server, which alone uses it on the host, holds a reference to this value and is thus gone, and a
            // kernel in flight holds one to the server.
            let _ = unsafe { self.image.free_shared(memory) };
        }
        for address in held.device {
            // SAFETY: as above.
            let _ = unsafe { self.image.free_device(address) };
        }
    }
}
