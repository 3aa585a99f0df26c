//! Memory that a program's kernels were told of.

use crate::device::{Device, SharedMemory};

/// Memory to be freed when no kernel can use it any more.
#[derive(Default)]
pub(crate) struct Held {
    /// Of [`Device::alloc_shared`].
    pub shared: Vec<SharedMemory>,
    /// Of [`Device::alloc_device`].
    pub device: Vec<u64>,
}

impl Held {
    /// Takes over what another holds.
    pub fn append(&mut self, mut other: Held) {
        self.shared.append(&mut other.shared);
        self.device.append(&mut other.device);
    }

    /// Frees it. Errors are those of a device that failed before; there is nobody to tell.
    ///
    /// # Safety
    /// All of it is the device's, and no running or later kernel uses it.
    pub unsafe fn free(&mut self, device: &dyn Device) {
        for memory in self.shared.drain(..) {
            // SAFETY: the caller's promise.
            let _ = unsafe { device.free_shared(memory) };
        }
        for address in self.device.drain(..) {
            // SAFETY: as above.
            let _ = unsafe { device.free_device(address) };
        }
    }
}
