//! The seam between what is the same for every vendor and what is not.
//!
//! [`Device`] is implemented by `cuda/` and `hsa/`; everything else of this crate speaks to a
//! device through it. Handles are plain numbers that the back end gives out and that stay valid
//! until they are given back or the device is dropped; a back end answers a handle that it does not know with
//! [`Error::Host`].
//!
//! Beside the trait each back end has two functions: `list(&Driver) -> Result<Vec<Properties>>`
//! and `open(&Driver, ordinal: usize) -> Result<Arc<dyn Device>>`. They tell a missing driver
//! ([`Error::NoDriver`]) from a missing device
//! ([`Error::NoDevice`]).
//!
//! All methods may be called from any thread, also while a kernel runs. In particular
//! [`Device::read`] and [`Device::write`] never wait for a running kernel, because the kernel may
//! be waiting for the caller.

use std::path::PathBuf;
use std::time::Duration;

use host_server::bulk::Permit;

use crate::error::{Error, Result};

pub use host_server::offload::{Global, SharedMemory};

/// Who made the device, and with that which images it can run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Vendor {
    /// PTX and cubin, through the CUDA driver API.
    Nvidia,
    /// amdgcn code objects, through the HSA runtime.
    Amd,
}

/// Which implementation of a vendor's API answers.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Driver {
    /// The one installed on this machine, found the way that the vendor prescribes.
    Native,
    /// Ours, which interprets the code on the CPU: `libcuda.so` or `libhsa-runtime64.so.1` in
    /// this folder.
    Emulator(PathBuf),
}

/// What a device is and what it allows.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Properties {
    /// Who made it.
    pub vendor: Vendor,
    /// Position in the vendor's list, as `--device` counts (after `CUDA_VISIBLE_DEVICES` and its
    /// like took their part away).
    pub ordinal: usize,
    /// Marketing name.
    pub name: String,
    /// Name of the instruction set: `sm_90`, `gfx90a` (target features such as `:xnack-` follow).
    pub architecture: String,
    /// Lanes that run together: 32 on NVIDIA, 32 or 64 on AMD. A kernel of an AMD device may use
    /// another one, see [`Resources::lane_size`].
    pub lane_size: u32,
    /// Most threads of one block.
    pub max_threads_per_block: u32,
    /// Most threads of one block, by dimension.
    pub max_block: [u32; 3],
    /// Most blocks of one launch, by dimension.
    pub max_grid: [u32; 3],
    /// Most block-shared memory of one block without opting in to more, bytes.
    pub max_shared_bytes: usize,
    /// Most block-shared memory of one block, dynamic and static together, bytes.
    pub max_shared_bytes_opt_in: usize,
    /// Multiprocessors or compute units.
    pub multiprocessors: u32,
    /// Device memory, bytes.
    pub memory_bytes: usize,
    /// Where the device is on the PCI bus, as Linux writes it: `0000:1b:00.0`.
    pub bus: String,
    /// Frequency of the device's steady clock, Hz (what `__llvm_libc_clock_freq` wants), 0 if
    /// unknown.
    pub clock_hz: u64,
}

/// An image that was loaded.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct ModuleId(pub u64);

/// A kernel of a loaded image.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct KernelId(pub u64);

/// A queue of launches that run one after the other; different streams run side by side.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct StreamId(pub u64);

/// A launch under way.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct LaunchId(pub u64);

/// What a kernel needs of a multiprocessor; 0 where the back end cannot tell.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Resources {
    /// Registers per thread (AMD: vector registers).
    pub registers: u32,
    /// Scalar registers per wavefront (AMD only).
    pub scalar_registers: u32,
    /// Static block-shared memory, bytes.
    pub shared_bytes: usize,
    /// Stack and spills per thread, bytes, as far as known before the launch.
    pub stack_bytes: usize,
    /// Most threads of one block with this kernel.
    pub max_threads_per_block: u32,
    /// Lanes that run together in this kernel: the packets of the calls are laid out by it.
    pub lane_size: u32,
}

/// How many threads run a kernel, and what they get.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct LaunchShape {
    /// Blocks by dimension, each at least 1.
    pub grid: [u32; 3],
    /// Threads per block by dimension, each at least 1.
    pub block: [u32; 3],
    /// Dynamic block-shared memory, bytes.
    pub shared_bytes: usize,
}

impl LaunchShape {
    /// One thread alone, as `_begin` and `_end` are run.
    pub const SINGLE: LaunchShape = LaunchShape {
        grid: [1; 3],
        block: [1; 3],
        shared_bytes: 0,
    };

    /// Threads of one block; `u64::MAX` if there are more.
    pub fn threads_per_block(&self) -> u64 {
        product(self.block)
    }

    /// Warps of all blocks, of `lane_size` lanes each; `u64::MAX` if there are more.
    pub fn warps(&self, lane_size: u32) -> u64 {
        let warps_per_block = self.threads_per_block().div_ceil(u64::from(lane_size.max(1)));
        warps_per_block.saturating_mul(product(self.grid))
    }
}

fn product(dimensions: [u32; 3]) -> u64 {
    dimensions
        .into_iter()
        .fold(1, |product: u64, size| product.saturating_mul(u64::from(size)))
}

/// What a back end answers a stream with that it does not know.
pub(crate) fn no_such_stream() -> Error {
    Error::Host("the device has no such stream".into())
}

/// One device of one vendor.
pub trait Device: Send + Sync {
    /// What the device is and what it allows.
    fn properties(&self) -> &Properties;

    /// Asks whether copies may be made for a kernel that waits for them; what comes back is held until they have ended. `None`
    /// while a call is under way that may wait for kernels, and keep all copies waiting with it.
    fn begin_transfer(&self) -> Option<Permit> {
        Some(Box::new(()))
    }

    /// Sets the stack of each thread, bytes; of all programs of this process on an NVIDIA device, where the largest that was asked for
    /// counts. To be called before [`Device::load`]: a driver may
    /// have to resize what running or loaded kernels use.
    fn set_stack_size(&self, bytes: usize) -> Result<()>;

    /// Loads an image (PTX text, cubin, amdgcn code object), all its kernels included, so that
    /// nothing is left to be loaded behind a running kernel. Unresolved symbols are named.
    fn load(&self, image: &[u8]) -> Result<ModuleId>;

    /// Unloads an image and forgets its kernels. None of them may be running.
    fn unload(&self, module: ModuleId) -> Result<()>;

    /// Finds a kernel by its name in the image (AMD: without `.kd`); `None` if there is none.
    fn kernel(&self, module: ModuleId, name: &str) -> Result<Option<KernelId>>;

    /// What a kernel needs.
    fn resources(&self, kernel: KernelId) -> Result<Resources>;

    /// Finds a variable by its name; `None` if there is none.
    fn global(&self, module: ModuleId, name: &str) -> Result<Option<Global>>;

    /// Copies from the device. Returns when done; does not wait for kernels.
    fn read(&self, address: u64, bytes: &mut [u8]) -> Result<()>;

    /// Copies to the device. Returns when done; does not wait for kernels.
    fn write(&self, address: u64, bytes: &[u8]) -> Result<()>;

    /// Makes a stream for [`start_read`](Device::start_read) and [`start_write`](Device::start_write), where those have any.
    fn create_copy_stream(&self) -> Result<StreamId> {
        Ok(StreamId(0))
    }

    /// Destroys a stream of [`create_copy_stream`](Device::create_copy_stream) whose copies have ended.
    fn destroy_copy_stream(&self, _stream: StreamId) -> Result<()> {
        Ok(())
    }

    /// Starts a copy from the device, ordered by a stream of [`create_copy_stream`](Device::create_copy_stream). By default it has
    /// ended when this returns.
    ///
    /// # Safety
    /// `to` leads to `bytes` writable bytes, which nobody touches before [`wait_for_copies`](Device::wait_for_copies).
    unsafe fn start_read(&self, _stream: StreamId, address: u64, to: *mut u8, bytes: usize) -> Result<()> {
        // SAFETY: the caller's promise.
        self.read(address, unsafe { std::slice::from_raw_parts_mut(to, bytes) })
    }

    /// Starts a copy to the device, in the same way.
    ///
    /// # Safety
    /// `from` leads to `bytes` bytes, which nobody changes before [`wait_for_copies`](Device::wait_for_copies).
    unsafe fn start_write(&self, _stream: StreamId, address: u64, from: *const u8, bytes: usize) -> Result<()> {
        // SAFETY: the caller's promise.
        self.write(address, unsafe { std::slice::from_raw_parts(from, bytes) })
    }

    /// Whether the copies that were started on a stream have ended. Never waits.
    fn copies_are_done(&self, _stream: StreamId) -> Result<bool> {
        Ok(true)
    }

    /// Waits for the copies that were started on a stream.
    fn wait_for_copies(&self, _stream: StreamId) -> Result<()> {
        Ok(())
    }

    /// Allocates pinned host memory that both sides see coherently, zeroed.
    fn alloc_shared(&self, bytes: usize) -> Result<SharedMemory>;

    /// Frees memory of [`Device::alloc_shared`].
    ///
    /// # Safety
    /// Nobody, on the host or the device, uses it any more.
    unsafe fn free_shared(&self, memory: SharedMemory) -> Result<()>;

    /// Allocates device memory, at least 256-byte aligned (requests of 2 MiB and more: 2 MiB, as
    /// LLVM's allocator for AMD expects); the content is undefined.
    fn alloc_device(&self, bytes: usize) -> Result<u64>;

    /// The same while a kernel runs that waits for the memory: does not wait for it, or is an error.
    fn alloc_during_kernel(&self, bytes: usize) -> Result<u64> {
        self.alloc_device(bytes)
    }

    /// Frees memory of [`Device::alloc_device`] and [`Device::alloc_during_kernel`].
    ///
    /// # Safety
    /// No running or later kernel uses it.
    unsafe fn free_device(&self, address: u64) -> Result<()>;

    /// Whether all of these bytes lie in one piece of memory that [`Device::alloc_device`] or
    /// [`Device::alloc_during_kernel`] handed out. Of what a kernel claims, only such memory is copied.
    fn owns(&self, _address: u64, _bytes: u64) -> bool {
        false
    }

    /// Makes a stream.
    fn create_stream(&self) -> Result<StreamId>;

    /// Destroys a stream whose launches have all been waited for: on some devices a kernel would be stopped. Those refuse it.
    fn destroy_stream(&self, stream: StreamId) -> Result<()>;

    /// Puts a kernel on a stream and returns, normally before it has run
    /// (`CUDA_LAUNCH_BLOCKING=1` makes it wait). `args` holds the explicit parameters laid out
    /// as the kernel's ABI says, each at its natural alignment; hidden ones (AMD) are the back
    /// end's business.
    ///
    /// # Safety
    /// `args` matches the kernel's parameters, and the memory they point to stays valid until
    /// the launch has ended.
    unsafe fn launch(&self, stream: StreamId, kernel: KernelId, shape: LaunchShape, args: &[u8]) -> Result<LaunchId>;

    /// Waits until a launch has ended or `timeout` has passed (zero: just looks), and says
    /// whether it ended. After `true` or an error the handle is spent. A kernel that trapped or
    /// faulted is an [`Error::Fault`] that says what happened and what
    /// probably caused it, as one line without the kernel's name, which the caller adds.
    fn wait(&self, launch: LaunchId, timeout: Duration) -> Result<bool>;
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn warps_of_any_shape() {
        let warps = |grid, block| {
            let shape = LaunchShape {
                grid,
                block,
                shared_bytes: 0,
            };
            shape.warps(32)
        };
        assert_eq!(warps([1; 3], [1; 3]), 1);
        assert_eq!(warps([5, 2, 1], [33, 1, 2]), 30);
        // Nobody has refused these yet.
        assert_eq!(warps([1; 3], [u32::MAX; 3]), u64::MAX.div_ceil(32));
        assert_eq!(warps([u32::MAX; 3], [u32::MAX; 3]), u64::MAX);
    }
}
