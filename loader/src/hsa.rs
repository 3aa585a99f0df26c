//! AMD devices, through the HSA runtime.
//!
//! The same calls drive the emulator, which is another library of the same interface.

mod arguments;
mod driver;
mod machine;
mod metadata;
mod stream;

use std::collections::HashMap;
use std::ffi::{CString, c_void};
use std::ptr;
use std::sync::atomic::{AtomicU32, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard};
use std::time::{Duration, Instant};

use hsa_sys::*;

use crate::device::{
    Device, Driver, Global, KernelId, LaunchId, LaunchShape, ModuleId, Properties, Resources, SharedMemory, StreamId,
    no_such_stream,
};
use crate::error::{Error, Result};
use crate::ranges::Ranges;
use driver::{check, describe};
use machine::Gpu;
use metadata::{KernelMetadata, Metadata};
use stream::{Dispatch, Stream};

/// Stack of threads whose need is not known, unless [`Device::set_stack_size`] says otherwise.
const DEFAULT_STACK: u32 = 16 << 10;
/// Bytes of an argument block that is kept for later launches.
const KERNARG_BLOCK: usize = 4096;
/// Allocations of this size and more are aligned to it.
const LARGE: usize = 2 << 20;
/// How long a wait goes without a look at whether the queue failed.
const SLICE: Duration = Duration::from_millis(5);

/// Lists the devices that the runtime shows.
pub fn list(driver: &Driver) -> Result<Vec<Properties>> {
    let gpus = machine::gpus(driver::bind(driver)?)?;
    Ok(gpus.into_iter().map(|gpu| gpu.properties).collect())
}

/// Opens a device.
pub fn open(driver: &Driver, ordinal: usize) -> Result<Arc<dyn Device>> {
    let hsa = driver::bind(driver)?;
    let mut gpus = machine::gpus(hsa)?;
    if ordinal >= gpus.len() {
        return Err(match (gpus.len(), std::env::var_os("ROCR_VISIBLE_DEVICES")) {
            (0, Some(visible)) => Error::NoDevice(format!(
                "no HSA device {ordinal}: none is visible with ROCR_VISIBLE_DEVICES={}; change it, or use --backend emulator",
                visible.display()
            )),
            (0, None) => Error::NoDevice(format!(
                "no HSA device {ordinal}: there is no AMD GPU in this machine; see what rocminfo says, or use --backend emulator"
            )),
            (1, _) => Error::Host(format!("no HSA device {ordinal}: there is only device 0")),
            (count, _) => Error::Host(format!("no HSA device {ordinal}: there are devices 0 to {}", count - 1)),
        });
    }
    Ok(Arc::new(HsaDevice {
        hsa,
        gpu: gpus.swap_remove(ordinal),
        ticks_per_second: machine::ticks_per_second(hsa)?,
        stack_bytes: AtomicU32::new(DEFAULT_STACK),
        tables: Mutex::default(),
        next: AtomicU64::new(1),
    }))
}

/// A loaded image.
struct Module {
    executable: hsa_executable_t,
    metadata: Metadata,
}

/// A kernel of a loaded image.
#[derive(Clone)]
struct Kernel {
    module: ModuleId,
    object: u64,
    needs: Arc<KernelMetadata>,
}

/// A launch under way.
struct Running {
    stream: StreamId,
    completion: hsa_signal_t,
    kernarg: Block,
}

/// Memory for the arguments of a launch.
#[derive(Clone, Copy)]
struct Block {
    address: *mut c_void,
    bytes: usize,
}

// SAFETY: memory that belongs to the process, not to a thread.
unsafe impl Send for Block {}

/// What the numbers that the trait hands out stand for, and what is kept for the next launch.
#[derive(Default)]
struct Tables {
    modules: HashMap<u64, Module>,
    kernels: HashMap<u64, Kernel>,
    streams: HashMap<u64, Arc<Stream>>,
    launches: HashMap<u64, Running>,
    /// Where allocations that had to be moved to an aligned address really begin.
    moved: HashMap<u64, u64>,
    /// Device memory that was handed out.
    memory: Ranges,
    blocks: Vec<Block>,
    signals: Vec<hsa_signal_t>,
}

struct HsaDevice {
    hsa: &'static Hsa,
    gpu: Gpu,
    ticks_per_second: u64,
    stack_bytes: AtomicU32,
    tables: Mutex<Tables>,
    next: AtomicU64,
}

impl HsaDevice {
    fn tables(&self) -> MutexGuard<'_, Tables> {
        // The tables are changed by single inserts and removals only.
        self.tables.lock().unwrap_or_else(|poison| poison.into_inner())
    }

    fn number(&self) -> u64 {
        self.next.fetch_add(1, Ordering::Relaxed)
    }

    fn check(&self, purpose: &str, status: hsa_status_t) -> Result<()> {
        check(self.hsa, purpose, status)
    }

    fn known_kernel(&self, id: KernelId) -> Result<Kernel> {
        let found = self.tables().kernels.get(&id.0).cloned();
        found.ok_or_else(|| Error::Host("the kernel's image was unloaded".into()))
    }

    /// Memory of a pool that the GPU can use.
    fn allocate(&self, purpose: &str, pool: hsa_amd_memory_pool_t, bytes: usize) -> Result<*mut c_void> {
        let mut address = ptr::null_mut();
        // SAFETY: the pointer is valid; of an allocation that the GPU cannot use nothing is left.
        unsafe {
            let status = self.hsa.hsa_amd_memory_pool_allocate(pool, bytes, 0, &mut address);
            self.check(purpose, status)?;
            let status = self
                .hsa
                .hsa_amd_agents_allow_access(1, &self.gpu.agent, ptr::null(), address);
            self.check(purpose, status).inspect_err(|_| {
                self.hsa.hsa_amd_memory_pool_free(address);
            })?;
        }
        Ok(address)
    }

    /// Memory for arguments; kept blocks first.
    fn kernarg_block(&self, bytes: usize) -> Result<Block> {
        if bytes <= KERNARG_BLOCK
            && let Some(block) = self.tables().blocks.pop()
        {
            return Ok(block);
        }
        let bytes = bytes.max(KERNARG_BLOCK);
        let address = self.allocate("cannot allocate a kernel's arguments", self.gpu.kernarg_pool, bytes)?;
        Ok(Block { address, bytes })
    }

    /// A signal of value 1; kept ones first.
    fn signal(&self) -> Result<hsa_signal_t> {
        if let Some(signal) = self.tables().signals.pop() {
            // SAFETY: a signal of this device that nobody uses.
            unsafe { self.hsa.hsa_signal_store_relaxed(signal, 1) };
            return Ok(signal);
        }
        let mut signal = hsa_signal_t { handle: 0 };
        // SAFETY: the pointer is valid; no consumers are named.
        let status = unsafe { self.hsa.hsa_signal_create(1, 0, ptr::null(), &mut signal) };
        self.check("cannot make a signal", status).map(|()| signal)
    }

    /// Takes back what a launch used that is known to have ended.
    fn take_back(&self, completion: hsa_signal_t, kernarg: Block) {
        let mut tables = self.tables();
        tables.signals.push(completion);
        if kernarg.bytes == KERNARG_BLOCK {
            tables.blocks.push(kernarg);
        } else {
            // SAFETY: allocated by this device, and the kernel that used it has ended.
            unsafe { self.hsa.hsa_amd_memory_pool_free(kernarg.address) };
        }
    }

    /// The symbol of a loaded image.
    fn symbol(&self, module: ModuleId, name: &str) -> Result<Option<hsa_executable_symbol_t>> {
        let executable = match self.tables().modules.get(&module.0) {
            Some(module) => module.executable,
            None => return Err(Error::Host("the image was unloaded".into())),
        };
        let Ok(text) = CString::new(name) else {
            return Ok(None);
        };
        let mut symbol = hsa_executable_symbol_t { handle: 0 };
        // SAFETY: the executable lives as long as its module is in the table; the rest is valid.
        let status = unsafe {
            self.hsa
                .hsa_executable_get_symbol_by_name(executable, text.as_ptr(), &self.gpu.agent, &mut symbol)
        };
        match status {
            HSA_STATUS_ERROR_INVALID_SYMBOL_NAME => Ok(None),
            status => self
                .check(&format!("cannot find symbol {name}"), status)
                .map(|()| Some(symbol)),
        }
    }

    /// An attribute of a symbol.
    ///
    /// # Safety
    /// `T` is the attribute's type.
    unsafe fn symbol_info<T: Default>(&self, symbol: hsa_executable_symbol_t, attribute: u32) -> Result<T> {
        let mut value = T::default();
        // SAFETY: the caller names the type.
        let status = unsafe {
            self.hsa
                .hsa_executable_symbol_get_info(symbol, attribute, (&raw mut value).cast())
        };
        self.check("cannot ask for a symbol's properties", status)
            .map(|()| value)
    }

    /// Loads and freezes an executable; what was made for it is gone when this fails.
    fn executable(&self, image: &[u8], target: &str) -> Result<hsa_executable_t> {
        let hsa = self.hsa;
        let mut reader = hsa_code_object_reader_t { handle: 0 };
        let mut executable = hsa_executable_t { handle: 0 };
        let purpose = "cannot load the image";
        // SAFETY: the image outlives its reader, which is destroyed before this returns; all
        // pointers are valid, options may be null.
        unsafe {
            let status = hsa.hsa_code_object_reader_create_from_memory(image.as_ptr().cast(), image.len(), &mut reader);
            self.check(purpose, status)?;
            let mode = HSA_DEFAULT_FLOAT_ROUNDING_MODE_DEFAULT;
            let mut status = hsa.hsa_executable_create_alt(HSA_PROFILE_FULL, mode, ptr::null(), &mut executable);
            let made = status == HSA_STATUS_SUCCESS;
            if status == HSA_STATUS_SUCCESS {
                let (agent, loaded) = (self.gpu.agent, ptr::null_mut());
                status = hsa.hsa_executable_load_agent_code_object(executable, agent, reader, ptr::null(), loaded);
            }
            if status == HSA_STATUS_SUCCESS {
                status = hsa.hsa_executable_freeze(executable, ptr::null());
            }
            hsa.hsa_code_object_reader_destroy(reader);
            if status == HSA_STATUS_SUCCESS {
                return Ok(executable);
            }
            if made {
                hsa.hsa_executable_destroy(executable);
            }
            Err(self.load_error(status, target))
        }
    }

    fn load_error(&self, status: hsa_status_t, target: &str) -> Error {
        let present = &self.gpu.properties.architecture;
        match status {
            HSA_STATUS_ERROR_INCOMPATIBLE_ARGUMENTS | HSA_STATUS_ERROR_INVALID_ISA if !fits(target, present) => {
                Error::Image(format!(
                    "was built for {target} and cannot run on device {} ({}), which is {present}; build it for that",
                    self.gpu.properties.ordinal, self.gpu.properties.name
                ))
            }
            HSA_STATUS_ERROR_OUT_OF_RESOURCES => Error::Host(
                "cannot load the image: the device has no memory left for it; free it from other programs".into(),
            ),
            status => Error::Image(format!(
                "is refused by the HSA runtime: {}; build it for {present} in a code object version that the runtime knows (5 for all since 5.2)",
                describe(self.hsa, status)
            )),
        }
    }
}

/// Whether code for `wanted` (`gfx90a:xnack-`) runs on a device that is `present`: the same
/// processor, and each feature that the code cares about as the device has it.
fn fits(wanted: &str, present: &str) -> bool {
    let (mut wanted, mut present) = (wanted.split(':'), present.split(':'));
    let same = wanted.next() == present.next();
    let present: Vec<&str> = present.collect();
    same && wanted.all(|feature| present.contains(&feature))
}

impl Device for HsaDevice {
    fn properties(&self) -> &Properties {
        &self.gpu.properties
    }

    fn set_stack_size(&self, bytes: usize) -> Result<()> {
        let bytes = u32::try_from(bytes).map_err(|_| {
            Error::Host(format!(
                "a stack of {bytes} bytes per thread is too large; give a smaller --stack-size"
            ))
        })?;
        self.stack_bytes.store(bytes, Ordering::Relaxed);
        Ok(())
    }

    fn load(&self, image: &[u8]) -> Result<ModuleId> {
        let undefined = metadata::undefined(image);
        if !undefined.is_empty() {
            return Err(Error::Image(format!(
                "uses {}, which nobody defines; link the library that has it, or remove the use",
                undefined.join(", ")
            )));
        }
        let metadata = Metadata::of(image)?;
        let executable = self.executable(image, &metadata.target)?;
        let id = self.number();
        self.tables().modules.insert(id, Module { executable, metadata });
        Ok(ModuleId(id))
    }

    fn unload(&self, module: ModuleId) -> Result<()> {
        let mut tables = self.tables();
        let removed = tables.modules.remove(&module.0);
        tables.kernels.retain(|_, kernel| kernel.module != module);
        drop(tables);
        let removed = removed.ok_or_else(|| Error::Host("the image was unloaded".into()))?;
        // SAFETY: nobody finds it any more, and none of its kernels runs, as the trait demands.
        let status = unsafe { self.hsa.hsa_executable_destroy(removed.executable) };
        self.check("cannot unload the image", status)
    }

    fn kernel(&self, module: ModuleId, name: &str) -> Result<Option<KernelId>> {
        let Some(symbol) = self.symbol(module, &format!("{name}.kd"))? else {
            return Ok(None);
        };
        // SAFETY: the attribute is a u64.
        let object = unsafe { self.symbol_info::<u64>(symbol, HSA_EXECUTABLE_SYMBOL_INFO_KERNEL_OBJECT)? };
        let mut tables = self.tables();
        let needs = tables
            .modules
            .get(&module.0)
            .and_then(|module| module.metadata.kernels.get(name));
        let Some(needs) = needs.cloned() else {
            return Err(Error::Image(format!(
                "does not describe its kernel {name}; build it again"
            )));
        };
        let id = self.number();
        let needs = Arc::new(needs);
        tables.kernels.insert(id, Kernel { module, object, needs });
        Ok(Some(KernelId(id)))
    }

    fn resources(&self, kernel: KernelId) -> Result<Resources> {
        let kernel = self.known_kernel(kernel)?;
        Ok(Resources {
            registers: kernel.needs.vector_registers,
            scalar_registers: kernel.needs.scalar_registers,
            shared_bytes: kernel.needs.group_bytes as usize,
            stack_bytes: kernel.needs.private_bytes as usize,
            max_threads_per_block: kernel.needs.max_threads_per_block,
            lane_size: kernel.needs.wavefront_size,
        })
    }

    fn global(&self, module: ModuleId, name: &str) -> Result<Option<Global>> {
        let Some(symbol) = self.symbol(module, name)? else {
            return Ok(None);
        };
        // SAFETY: the types are those of the attributes.
        unsafe {
            if self.symbol_info::<u32>(symbol, HSA_EXECUTABLE_SYMBOL_INFO_TYPE)? != HSA_SYMBOL_KIND_VARIABLE {
                return Ok(None);
            }
            Ok(Some(Global {
                address: self.symbol_info(symbol, HSA_EXECUTABLE_SYMBOL_INFO_VARIABLE_ADDRESS)?,
                bytes: self.symbol_info::<u32>(symbol, HSA_EXECUTABLE_SYMBOL_INFO_VARIABLE_SIZE)? as usize,
            }))
        }
    }

    fn read(&self, address: u64, bytes: &mut [u8]) -> Result<()> {
        // SAFETY: the buffer has its length; the device's memory is the program's to choose, and
        // the runtime refuses what it does not know.
        let status = unsafe {
            self.hsa
                .hsa_memory_copy(bytes.as_mut_ptr().cast(), address as *const c_void, bytes.len())
        };
        self.check("cannot read device memory", status)
    }

    fn write(&self, address: u64, bytes: &[u8]) -> Result<()> {
        // SAFETY: as in `read`.
        let status = unsafe {
            self.hsa
                .hsa_memory_copy(address as *mut c_void, bytes.as_ptr().cast(), bytes.len())
        };
        self.check("cannot write device memory", status)
    }

    fn alloc_shared(&self, bytes: usize) -> Result<SharedMemory> {
        let purpose = format!("cannot allocate {bytes} bytes of shared host memory");
        let bytes = bytes.max(1);
        let host = self.allocate(&purpose, self.gpu.shared_pool, bytes)?;
        // SAFETY: memory of the host that nobody else has yet.
        unsafe { ptr::write_bytes(host.cast::<u8>(), 0, bytes) };
        Ok(SharedMemory {
            host: host.cast(),
            // Host and devices share their addresses.
            device: host as u64,
            bytes,
        })
    }

    unsafe fn free_shared(&self, memory: SharedMemory) -> Result<()> {
        // SAFETY: the caller says that nobody uses it.
        let status = unsafe { self.hsa.hsa_amd_memory_pool_free(memory.host.cast()) };
        self.check("cannot free shared host memory", status)
    }

    fn alloc_device(&self, bytes: usize) -> Result<u64> {
        let purpose = format!("cannot allocate {bytes} bytes of device memory");
        let pool = self.gpu.device_pool;
        let address = self.allocate(&purpose, pool, bytes.max(1))? as u64;
        if bytes < LARGE || address.is_multiple_of(LARGE as u64) {
            self.tables().memory.insert(address, bytes as u64);
            return Ok(address);
        }
        // The runtime promises pages only: take more, and hand out from the first aligned address.
        // SAFETY: just allocated, and nobody has it.
        unsafe { self.hsa.hsa_amd_memory_pool_free(address as *mut c_void) };
        let whole = bytes.checked_add(LARGE).ok_or_else(|| Error::Host(purpose.clone()))?;
        let base = self.allocate(&purpose, pool, whole)? as u64;
        let aligned = base.next_multiple_of(LARGE as u64);
        let mut tables = self.tables();
        tables.moved.insert(aligned, base);
        tables.memory.insert(aligned, bytes as u64);
        Ok(aligned)
    }

    unsafe fn free_device(&self, address: u64) -> Result<()> {
        let base = {
            let mut tables = self.tables();
            tables.memory.remove(address);
            tables.moved.remove(&address).unwrap_or(address)
        };
        // SAFETY: the caller says that nobody uses it.
        let status = unsafe { self.hsa.hsa_amd_memory_pool_free(base as *mut c_void) };
        self.check("cannot free device memory", status)
    }

    fn owns(&self, address: u64, bytes: u64) -> bool {
        self.tables().memory.contain(address, bytes)
    }

    fn create_stream(&self) -> Result<StreamId> {
        let stream = Arc::new(Stream::new(self.hsa, self.gpu.agent)?);
        let id = self.number();
        self.tables().streams.insert(id, stream);
        Ok(StreamId(id))
    }

    fn destroy_stream(&self, stream: StreamId) -> Result<()> {
        let mut tables = self.tables();
        if tables.launches.values().any(|running| running.stream == stream) {
            return Err(Error::Host(
                "a kernel on the stream was not waited for; destroy the stream after its end".into(),
            ));
        }
        let removed = tables.streams.remove(&stream.0);
        // Destroying the queue may wait for its thread, which must not wait for us.
        drop(tables);
        removed.map(drop).ok_or_else(no_such_stream)
    }

    unsafe fn launch(&self, stream: StreamId, kernel: KernelId, shape: LaunchShape, args: &[u8]) -> Result<LaunchId> {
        let id = stream;
        let stream = self.tables().streams.get(&id.0).cloned();
        let stream = stream.ok_or_else(no_such_stream)?;
        let kernel = self.known_kernel(kernel)?;
        let needs = &*kernel.needs;
        let arguments = arguments::block(needs, shape, args, stream.address())?;
        let group_bytes = u32::try_from(shape.shared_bytes)
            .ok()
            .and_then(|bytes| bytes.checked_add(needs.group_bytes))
            .ok_or_else(|| Error::Host("more block-shared memory than any device has; lower --shared-mem".into()))?;
        let private_bytes = if needs.dynamic_stack {
            needs.private_bytes.max(self.stack_bytes.load(Ordering::Relaxed))
        } else {
            needs.private_bytes
        };
        let kernarg = self.kernarg_block(arguments.len())?;
        let completion = self.signal()?;
        // SAFETY: the block is as long as the arguments, and no kernel has its address yet. The
        // rest is what the caller promises.
        let pushed = unsafe {
            ptr::copy_nonoverlapping(arguments.as_ptr(), kernarg.address.cast::<u8>(), arguments.len());
            stream.push(&Dispatch {
                dimensions: arguments::dimensions(shape),
                grid: shape.grid,
                block: shape.block,
                private_bytes,
                group_bytes,
                kernel_object: kernel.object,
                kernarg: kernarg.address,
                completion,
            })
        };
        if let Err(error) = pushed {
            self.take_back(completion, kernarg);
            return Err(error);
        }
        let launch = self.number();
        let running = Running {
            stream: id,
            completion,
            kernarg,
        };
        self.tables().launches.insert(launch, running);
        Ok(LaunchId(launch))
    }

    fn wait(&self, launch: LaunchId, timeout: Duration) -> Result<bool> {
        let found = {
            let tables = self.tables();
            tables.launches.get(&launch.0).and_then(|running| {
                let stream = tables.streams.get(&running.stream.0)?;
                Some((running.completion, stream.clone()))
            })
        };
        let Some((completion, stream)) = found else {
            return Err(Error::Host("this launch was already waited for".into()));
        };
        let start = Instant::now();
        loop {
            let rest = timeout.saturating_sub(start.elapsed()).min(SLICE);
            let ticks = rest.as_nanos() * u128::from(self.ticks_per_second) / 1_000_000_000;
            // SAFETY: the signal lives until the launch is taken out of the table below.
            let value = unsafe {
                self.hsa.hsa_signal_wait_scacquire(
                    completion,
                    HSA_SIGNAL_CONDITION_LT,
                    1,
                    ticks as u64,
                    HSA_WAIT_STATE_BLOCKED,
                )
            };
            if value < 1 {
                // Taking back locks the tables too, so their guard must end with this line.
                let ended = self.tables().launches.remove(&launch.0);
                if let Some(Running {
                    completion, kernarg, ..
                }) = ended
                {
                    self.take_back(completion, kernarg);
                }
                return Ok(true);
            }
            if let Some(failure) = stream.failure() {
                // What the kernel used stays: a device that failed may still write there.
                self.tables().launches.remove(&launch.0);
                return Err(failure);
            }
            if start.elapsed() >= timeout {
                return Ok(false);
            }
        }
    }
}

impl Drop for HsaDevice {
    fn drop(&mut self) {
        let tables = self.tables.get_mut().unwrap_or_else(|poison| poison.into_inner());
        // Queues first: they stop what still runs.
        tables.streams.clear();
        let launches = tables
            .launches
            .drain()
            .map(|(_, running)| (running.completion, running.kernarg));
        let (mut signals, mut blocks): (Vec<_>, Vec<_>) = launches.unzip();
        signals.append(&mut tables.signals);
        blocks.append(&mut tables.blocks);
        // SAFETY: all of these are this device's, and nothing runs on it any more.
        unsafe {
            for signal in signals {
                self.hsa.hsa_signal_destroy(signal);
            }
            for block in blocks {
                self.hsa.hsa_amd_memory_pool_free(block.address);
            }
            for (_, module) in tables.modules.drain() {
                self.hsa.hsa_executable_destroy(module.executable);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::fits;

    #[test]
    fn features_that_the_code_does_not_care_about_do_not_matter() {
        let present = "gfx90a:sramecc+:xnack-";
        assert!(fits("gfx90a", present));
        assert!(fits("gfx90a:xnack-", present));
        assert!(!fits("gfx90a:xnack+", present));
        assert!(!fits("gfx942", present));
        assert!(fits("gfx1030", "gfx1030"));
    }
}
