//! A device for tests. Its memory is the test's own, its kernels are closures that run on a host
//! thread of one lane and call the server as a device does.

use std::collections::{HashMap, HashSet};
use std::sync::atomic::{AtomicU32, AtomicU64, Ordering};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use rpc_proto::raw::{CpuEdges, RawMemory};
use rpc_proto::{Client, OneLane};

use crate::device::*;
use crate::error::{Error, Result};

/// What runs as a kernel: gets the kernel's parameters and a client (if the device has one).
pub(crate) type Kernel = dyn Fn(&[u8], Option<FakeClient>) -> Result<()> + Send + Sync;
pub(crate) type FakeClient = Client<RawMemory<CpuEdges>, OneLane>;

/// Device memory is leaked host memory, so that addresses are plain pointers.
pub(crate) struct FakeDevice {
    properties: Properties,
    globals: HashMap<String, Global>,
    kernels: Vec<(String, Arc<Kernel>)>,
    /// Launches that it will refuse.
    refusals: AtomicU32,
    launches: Mutex<HashMap<u64, Receiver<Result<()>>>>,
    live: Arc<Live>,
}

/// What was made on a device and is still there; to be looked at after the device's end, too.
#[derive(Default)]
pub(crate) struct Live {
    made: AtomicU64,
    streams: Mutex<HashSet<u64>>,
    memory: Mutex<HashSet<u64>>,
}

impl Live {
    /// How many streams there are, of both kinds.
    pub fn streams(&self) -> usize {
        self.streams.lock().unwrap().len()
    }

    /// How many pieces of memory there are, of both kinds.
    pub fn memory(&self) -> usize {
        self.memory.lock().unwrap().len()
    }

    fn allocate(&self, bytes: usize) -> *mut u8 {
        let memory = leak(bytes);
        self.memory.lock().unwrap().insert(memory as u64);
        memory
    }

    fn free(&self, address: u64) -> Result<()> {
        assert!(
            self.memory.lock().unwrap().remove(&address),
            "{address:#x} is freed twice"
        );
        Ok(())
    }

    fn create(&self) -> StreamId {
        let number = self.made.fetch_add(1, Ordering::Relaxed);
        self.streams.lock().unwrap().insert(number);
        StreamId(number)
    }

    fn destroy(&self, stream: StreamId) -> Result<()> {
        assert!(
            self.streams.lock().unwrap().remove(&stream.0),
            "{stream:?} is destroyed twice"
        );
        Ok(())
    }

    fn check(&self, stream: StreamId) {
        assert!(self.streams.lock().unwrap().contains(&stream.0), "{stream:?} is none");
    }
}

/// Zeros with a page's alignment, as drivers give them.
fn leak(bytes: usize) -> *mut u8 {
    const PAGE: usize = 4096;
    let memory = vec![0u8; bytes + PAGE].leak();
    let start = memory.as_ptr().align_offset(PAGE);
    memory[start..].as_mut_ptr()
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
            kernels: Vec::new(),
            refusals: AtomicU32::new(0),
            launches: Mutex::default(),
            live: Arc::default(),
        }
    }

    /// Adds a variable of zeros.
    pub fn with_global(mut self, name: &str, bytes: usize) -> Self {
        let address = leak(bytes) as u64;
        self.globals.insert(name.to_string(), Global { address, bytes });
        self
    }

    /// Adds a kernel.
    pub fn with_kernel(
        mut self,
        name: &str,
        kernel: impl Fn(&[u8], Option<FakeClient>) -> Result<()> + Send + Sync + 'static,
    ) -> Self {
        self.kernels.push((name.to_string(), Arc::new(kernel)));
        self
    }

    /// Refuses the first launches.
    pub fn with_refusals(mut self, count: u32) -> Self {
        *self.refusals.get_mut() = count;
        self
    }

    /// What is on it.
    pub fn live(&self) -> Arc<Live> {
        self.live.clone()
    }

    /// PTX that declares what the device has, for the code that reads images.
    pub fn ptx(&self) -> String {
        let mut text = ".version 7.8\n.target sm_70\n.address_size 64\n".to_string();
        for (name, _) in &self.kernels {
            text += &format!(".visible .entry {name}() {{ ret; }}\n");
        }
        for (name, global) in &self.globals {
            text += &format!(".visible .global .b8 {name}[{}];\n", global.bytes);
        }
        text
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
        let found = self.kernels.iter().position(|(kernel, _)| kernel == name);
        Ok(found.map(|index| KernelId(index as u64)))
    }
    fn resources(&self, _: KernelId) -> Result<Resources> {
        Ok(Resources {
            max_threads_per_block: 512,
            lane_size: 1,
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
        let host = self.live.allocate(bytes);
        Ok(SharedMemory {
            host,
            device: host as u64,
            bytes,
        })
    }
    unsafe fn free_shared(&self, memory: SharedMemory) -> Result<()> {
        self.live.free(memory.device)
    }
    fn alloc_device(&self, bytes: usize) -> Result<u64> {
        Ok(self.live.allocate(bytes) as u64)
    }
    unsafe fn free_device(&self, address: u64) -> Result<()> {
        self.live.free(address)
    }
    fn create_stream(&self) -> Result<StreamId> {
        Ok(self.live.create())
    }
    fn destroy_stream(&self, stream: StreamId) -> Result<()> {
        self.live.destroy(stream)
    }
    fn create_copy_stream(&self) -> Result<StreamId> {
        self.create_stream()
    }
    fn destroy_copy_stream(&self, stream: StreamId) -> Result<()> {
        self.destroy_stream(stream)
    }
    fn copies_are_done(&self, stream: StreamId) -> Result<bool> {
        self.live.check(stream);
        Ok(true)
    }
    fn wait_for_copies(&self, stream: StreamId) -> Result<()> {
        self.live.check(stream);
        Ok(())
    }
    unsafe fn launch(&self, stream: StreamId, kernel: KernelId, _: LaunchShape, args: &[u8]) -> Result<LaunchId> {
        self.live.check(stream);
        let left = |count: u32| count.checked_sub(1);
        if self
            .refusals
            .fetch_update(Ordering::Relaxed, Ordering::Relaxed, left)
            .is_ok()
        {
            return Err(Error::Host("refused".into()));
        }
        let kernel = self.kernels[kernel.0 as usize].1.clone();
        let args = args.to_vec();
        let client = self.globals.get(crate::symbols::CLIENT).map(|global| {
            // SAFETY: the variable was filled before the first launch, and is never freed.
            let memory = unsafe { RawMemory::from_object(global.address as *mut _, 1) };
            Client::new(memory, OneLane { home: 0 })
        });
        let (done, result) = mpsc::channel();
        std::thread::spawn(move || done.send(kernel(&args, client)));
        let mut launches = self.launches.lock().unwrap();
        let id = launches.len() as u64;
        launches.insert(id, result);
        Ok(LaunchId(id))
    }
    fn wait(&self, launch: LaunchId, timeout: Duration) -> Result<bool> {
        let launches = self.launches.lock().unwrap();
        match launches[&launch.0].recv_timeout(timeout) {
            Ok(result) => result.map(|()| true),
            Err(RecvTimeoutError::Timeout) => Ok(false),
            Err(RecvTimeoutError::Disconnected) => Err(Error::Fault("spent".into())),
        }
    }
}
