//! Memory that belongs to a program, to be given back with it.

use crate::device::{Device, SharedMemory};
use crate::error::Result;

/// What was allocated so far.
#[derive(Default)]
pub(crate) struct Holdings {
    shared: Vec<SharedMemory>,
    device: Vec<u64>,
}

impl Holdings {
    /// Pinned host memory, zeroed.
    pub fn shared(&mut self, device: &dyn Device, bytes: usize) -> Result<SharedMemory> {
        let memory = device.alloc_shared(bytes)?;
        self.shared.push(memory);
        Ok(memory)
    }

    /// Device memory of undefined content.
    pub fn device(&mut self, device: &dyn Device, bytes: usize) -> Result<u64> {
        let address = device.alloc_device(bytes)?;
        self.device.push(address);
        Ok(address)
    }

    /// Device memory of zeros.
    pub fn zeroed_device(&mut self, device: &dyn Device, bytes: usize) -> Result<u64> {
        let address = self.device(device, bytes)?;
        device.write(address, &vec![0; bytes])?;
        Ok(address)
    }

    /// Gives all of it back. Errors are those of a device that failed before; there is nobody to tell.
    ///
    /// # Safety
    /// Nobody, on the host or the device, uses it any more.
    pub unsafe fn free(self, device: &dyn Device) {
        for memory in self.shared {
            // SAFETY: passed on to the caller.
            let _ = unsafe { device.free_shared(memory) };
        }
        for address in self.device {
            // SAFETY: passed on to the caller.
            let _ = unsafe { device.free_device(address) };
        }
    }
}
