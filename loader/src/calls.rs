//! An image on a device, as the server needs to see it.

use std::sync::Arc;

use host_server::bulk::DeviceMemory;
use host_server::offload::{self, Cause, Global, LoadedImage, SharedMemory};

use crate::bulk::Bulk;
use crate::device::{Device, ModuleId};
use crate::error::Error;

/// An image that was loaded to a device of either vendor.
pub(crate) struct OnDevice {
    pub device: Arc<dyn Device>,
    pub module: ModuleId,
    pub ports: u32,
    /// Lanes that run together in its kernels.
    pub lanes: u32,
    /// CPUs near the device.
    pub near: Vec<usize>,
}

// SAFETY: a device gives memory as large and as aligned as these functions promise, to one owner, until it is freed.
unsafe impl LoadedImage for OnDevice {
    fn lane_size(&self) -> u32 {
        self.lanes
    }
    fn ports(&self) -> u32 {
        self.ports
    }
    fn near_cpus(&self) -> Vec<usize> {
        self.near.clone()
    }
    fn global(&self, name: &str) -> Result<Option<Global>, Cause> {
        Ok(self.device.global(self.module, name)?)
    }
    fn write(&self, address: u64, bytes: &[u8]) -> Result<(), Cause> {
        Ok(self.device.write(address, bytes)?)
    }
    fn alloc_shared(&self, bytes: usize) -> Result<SharedMemory, Cause> {
        let memory = self.device.alloc_shared(bytes)?;
        if std::env::var_os("GPU_POISON").is_some() {
            // SAFETY: as many bytes, just allocated, that nobody else knows yet.
            unsafe { memory.host.write_bytes(0xA5, bytes) };
        }
        Ok(memory)
    }
    unsafe fn free_shared(&self, memory: SharedMemory) -> Result<(), Cause> {
        // SAFETY: passed on to the caller.
        Ok(unsafe { self.device.free_shared(memory) }?)
    }
    fn alloc_device(&self, bytes: usize) -> Result<u64, Cause> {
        Ok(self.device.alloc_device(bytes)?)
    }
    fn alloc_during_kernel(&self, bytes: usize) -> Result<u64, Cause> {
        Ok(self.device.alloc_during_kernel(bytes)?)
    }
    fn bulk(&self, transfers: usize) -> Result<Option<Arc<dyn DeviceMemory>>, Cause> {
        Ok(Bulk::offered(&self.device, transfers)?.map(|bulk| bulk as _))
    }
    unsafe fn free_device(&self, address: u64) -> Result<(), Cause> {
        // SAFETY: passed on to the caller.
        Ok(unsafe { self.device.free_device(address) }?)
    }
}

impl From<offload::Error> for Error {
    fn from(error: offload::Error) -> Error {
        match error {
            offload::Error::Image(text) => Error::Image(text),
            offload::Error::Settings(text) => Error::Host(text),
            // The device's errors are our own.
            offload::Error::Device(cause) => match cause.downcast::<Error>() {
                Ok(error) => *error,
                Err(other) => Error::Host(other.to_string()),
            },
        }
    }
}
