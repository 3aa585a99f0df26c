//! A device for tests: its memory is the test's own, its kernels do nothing.

use std::collections::HashMap;
use std::sync::Mutex;
use std::time::Duration;

use crate::device::*;
use crate::error::{Error, Result};

/// Device memory is leaked host memory, so that addresses are plain pointers.
pub(crate) struct FakeDevice {
    properties: Properties,
    globals: HashMap<String, Global>,
    kernels: Mutex<Vec<String>>,
}

fn leak(bytes: usize) -> *mut u8 {
    vec![0u64; bytes.div_ceil(8).max(1)].leak().as_mut_ptr().cast()
}

impl FakeDevice {
    /// With these variables of 8 bytes.
    pub fn new(globals: &[(&str, u64)]) -> FakeDevice {
        let globals = globals.iter().map(|&(name, value)| {
            let address = vec![value].leak().as_ptr() as u64;
            (name.to_string(), Global { address, bytes: 8 })
        });
        FakeDevice {
            properties: crate::image::tests::device(Vendor::Nvidia, "sm_90"),
            globals: globals.collect(),
            kernels: Mutex::default(),
        }
    }
}

impl Device for FakeDevice {
    fn properties(&self) -> &Properties {
        &self.properties
    }
    fn set_stack_size(&self, _: usize) -> Result<()> {
        Ok(())
    }
    fn load(&self, _: &[u8]) -> Result<ModuleId> {
        Ok(ModuleId(1))
    }
    fn unload(&self, _: ModuleId) -> Result<()> {
        Ok(())
    }
    fn kernel(&self, _: ModuleId, name: &str) -> Result<Option<KernelId>> {
        let mut kernels = self.kernels.lock().unwrap();
        kernels.push(name.to_string());
        Ok(Some(KernelId(kernels.len() as u64 - 1)))
    }
    fn resources(&self, _: KernelId) -> Result<Resources> {
        Ok(Resources {
            max_threads_per_block: 512,
            lane_size: 32,
            ..Resources::default()
        })
    }
    fn global(&self, _: ModuleId, name: &str) -> Result<Option<Global>> {
        Ok(self.globals.get(name).copied())
    }
    fn read(&self, address: u64, bytes: &mut [u8]) -> Result<()> {
        // SAFETY: tests only pass addresses that this device gave out, within their bounds.
        unsafe { std::ptr::copy(address as *const u8, bytes.as_mut_ptr(), bytes.len()) };
        Ok(())
    }
    fn write(&self, address: u64, bytes: &[u8]) -> Result<()> {
        // SAFETY: as in `read`.
        unsafe { std::ptr::copy(bytes.as_ptr(), address as *mut u8, bytes.len()) };
        Ok(())
    }
    fn alloc_shared(&self, bytes: usize) -> Result<SharedMemory> {
        let host = leak(bytes);
        Ok(SharedMemory {
            host,
            device: host as u64,
            bytes,
        })
    }
    unsafe fn free_shared(&self, _: SharedMemory) -> Result<()> {
        Ok(())
    }
    fn alloc_device(&self, bytes: usize) -> Result<u64> {
        Ok(leak(bytes) as u64)
    }
    unsafe fn free_device(&self, _: u64) -> Result<()> {
        Ok(())
    }
    fn create_stream(&self) -> Result<StreamId> {
        Ok(StreamId(0))
    }
    unsafe fn launch(&self, _: StreamId, kernel: KernelId, _: LaunchShape, _: &[u8]) -> Result<LaunchId> {
        Ok(LaunchId(kernel.0))
    }
    /// A kernel named `trap` traps, one named `hang` never ends.
    fn wait(&self, launch: LaunchId, timeout: Duration) -> Result<bool> {
        match self.kernels.lock().unwrap()[launch.0 as usize].as_str() {
            "trap" => Err(Error::Fault("trap".into())),
            "hang" => {
                std::thread::sleep(timeout);
                Ok(false)
            }
            _ => Ok(true),
        }
    }
}
