//! Serving images that are on devices, for whoever owns the devices: a loader, an offload runtime, a test framework.
//!
//! The owner implements [`LoadedImage`] for what it has loaded, and attaches it: [`Attachment::attach`] finds out whether
//! the image makes calls at all, allocates what both sides share, tells the image where it is, and serves. Any number of
//! images on any number of devices of any vendors can be attached and detached while others run; none knows of the others.
//!
//! # Who serves
//!
//! - [`Serve::Threads`]: threads that sleep while no kernel is in flight, and are woken by [`Attachment::kernel`].
//! - [`Serve::Waiting`]: whoever waits for a kernel, in [`Attachment::serve_until`], between two looks at its stream or
//!   signal. Both go together: a thread that waits helps threads that are just waking up.
//!
//! # Malloc and streams
//!
//! A device's own allocator may wait for the kernel that waits for the allocator. So a kernel's `malloc` is answered from
//! memory that was reserved before the kernel started; only when that is used up is the device's allocator asked, on a
//! thread of its own, and a call gets null when the allocator has not answered in time ([`Growth`]). Memory that comes too
//! late serves the next call. `free` goes back to the pool and never to the device. By vendor:
//!
//! - NVIDIA: `cuMemAlloc` and `cuMemFree` synchronise with running kernels, so that they deadlock here. `cuMemAllocAsync` on a
//!   stream that no kernel is on does not, from CUDA 11.2 on; [`LoadedImage::alloc_during_kernel`] has to be this. A driver
//!   without memory pools answers with an error, and the call gets null.
//! - AMD: memory pools of HSA belong to the process, not to a queue, and mapping new memory waits for no kernel.
//!
//! # An end in order
//!
//! Each kernel is announced with [`Attachment::kernel`], and its end with [`Running::end`]. Detaching while kernels run
//! takes nothing away from them: their calls are served until the last of them has ended, and then the memory is freed.

mod attachment;
mod extensions;
mod growth;
mod memory;

use std::error::Error as StdError;
use std::sync::Arc;

use crate::bulk::DeviceMemory;

pub use attachment::{Attachment, Growth, Running, Serve, Settings};

/// The global through which an image calls: [`ClientObject`](crate::ClientObject), in place.
pub const CLIENT: &str = rpc_proto::layout::CLIENT_SYMBOL;

/// The global in which an image finds what this host offers beyond the base protocol.
pub const EXTENSION_CLIENT: &str = rpc_proto::ext::EXT_SYMBOL;

/// A variable of a loaded image.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Global {
    /// Device address.
    pub address: u64,
    /// Size in bytes.
    pub bytes: usize,
}

/// Pinned host memory that the device can read and write while the host does the same.
///
/// Never write-combined: the host polls it.
#[derive(Clone, Copy, Debug)]
pub struct SharedMemory {
    /// Where the host sees it; page-aligned and zeroed.
    pub host: *mut u8,
    /// Where the device sees it.
    pub device: u64,
    /// Size in bytes.
    pub bytes: usize,
}

// SAFETY: the pointer names memory that belongs to the process and not to a thread; whoever uses it states for each access
// why no other access conflicts.
unsafe impl Send for SharedMemory {}
// SAFETY: as above; the struct itself is never changed through a shared reference.
unsafe impl Sync for SharedMemory {}

/// What went wrong on the owner's side, passed through as it is.
pub type Cause = Box<dyn StdError + Send + Sync>;

/// Why an image could not be attached.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The image speaks another protocol.
    #[error("{0}")]
    Image(String),
    /// The settings cannot be had.
    #[error("{0}")]
    Settings(String),
    /// The device refused something.
    #[error(transparent)]
    Device(Cause),
}

/// Shorthand for this module's results.
pub type Result<T> = std::result::Result<T, Error>;

/// An image that was loaded to a device, and what serving it takes from its owner.
///
/// All functions may be called from any thread, also while a kernel runs, and none of them waits for one except where it
/// says so.
///
/// # Safety
/// Memory is as large and as aligned as asked for, belongs to the caller alone until it is freed, and can be used for as
/// long as the value lives.
pub unsafe trait LoadedImage: Send + Sync {
    /// Lanes that run together in its kernels: 32 on NVIDIA, the wavefront size on AMD, 1 on a CPU.
    fn lane_size(&self) -> u32;

    /// How many calls it wants to have under way at once, 1 to 4096, by one warp each.
    fn ports(&self) -> u32;

    /// CPUs near its device, as the operating system numbers them, on which the server's threads shall run; empty leaves them
    /// where they are.
    fn near_cpus(&self) -> Vec<usize> {
        Vec::new()
    }

    /// Finds a variable; `None` if there is none.
    fn global(&self, name: &str) -> std::result::Result<Option<Global>, Cause>;

    /// Writes to device memory.
    fn write(&self, address: u64, bytes: &[u8]) -> std::result::Result<(), Cause>;

    /// Allocates pinned host memory that both sides see coherently, zeroed and aligned to a page. No kernel that makes
    /// calls is running yet, so that it may wait.
    fn alloc_shared(&self, bytes: usize) -> std::result::Result<SharedMemory, Cause>;

    /// Frees memory of [`LoadedImage::alloc_shared`].
    ///
    /// # Safety
    /// Nobody, on the host or the device, uses it any more.
    unsafe fn free_shared(&self, memory: SharedMemory) -> std::result::Result<(), Cause>;

    /// Allocates device memory, aligned to 256 bytes (from 2 MiB on: to 2 MiB). It may wait, as for
    /// [`LoadedImage::alloc_shared`].
    fn alloc_device(&self, bytes: usize) -> std::result::Result<u64, Cause>;

    /// The same on behalf of a kernel that waits for the memory, on a thread that has nothing else to do: it may take its
    /// time, but must not wait for the kernel. See the module's words on streams.
    fn alloc_during_kernel(&self, bytes: usize) -> std::result::Result<u64, Cause> {
        self.alloc_device(bytes)
    }

    /// How the server moves large transfers from and to device memory while kernels run, `transfers` at a time without one
    /// being slower; `None` where a copy would wait for the kernel that asks for it. Asked before the first kernel.
    fn bulk(&self, transfers: usize) -> std::result::Result<Option<Arc<dyn DeviceMemory>>, Cause> {
        let _ = transfers;
        Ok(None)
    }

    /// Frees memory of [`LoadedImage::alloc_device`] and [`LoadedImage::alloc_during_kernel`].
    ///
    /// # Safety
    /// No running or later kernel uses it.
    unsafe fn free_device(&self, address: u64) -> std::result::Result<(), Cause>;
}

/// Whether an image makes calls at all: if not, there is nothing to attach.
pub fn makes_calls(image: &dyn LoadedImage) -> Result<bool> {
    Ok(image.global(CLIENT).map_err(Error::Device)?.is_some())
}
