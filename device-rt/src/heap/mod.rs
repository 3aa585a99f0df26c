//! The heap: device memory.
//!
//! A host of ours reserves a pool before the launch, from which threads allocate without asking anybody (`pool.rs`). Where
//! there is none, or when it has nothing left, memory is asked of the host by a call, which takes twenty times as long. A host that has
//! nothing left either may ask its driver, for a while (`docs/heap.md`); then the answer is null.

mod books;
mod device;
#[cfg(all(test, loom))]
mod model;
mod pool;
mod runs;
#[cfg(all(test, not(loom)))]
mod tests;

use core::alloc::{GlobalAlloc, Layout};
use core::ptr;

use rpc_proto::Opcode;
use rpc_proto::pool::PAGE;

use crate::rpc;

/// The alignment of every block.
const ALIGN: usize = 16;

/// Allocates `size` bytes of device memory, aligned to 16; null when there is none left. Size 0 yields null.
///
/// Lanes that are active together and ask for about the same size are served by one atomic.
// Not inlined, and neither is `free`: either is long, and there are many.
#[inline(never)]
pub fn malloc(size: usize) -> *mut u8 {
    if size == 0 {
        return ptr::null_mut();
    }
    let block = device::allocate(size);
    if block.is_null() { from_host(size) } else { block }
}

/// Gives back what [`malloc`] handed out. Null is allowed.
///
/// An address that was not handed out is left alone, and the host told, which reports it. So is a block that was given back
/// before, unless it has been handed out again.
///
/// # Safety
/// `block` is null or came from [`malloc`], has not been given back yet, and nobody uses it any more.
#[inline(never)]
pub unsafe fn free(block: *mut u8) {
    if !block.is_null() && !device::give_back(block) {
        to_host(block);
    }
}

#[cold]
#[inline(never)]
fn from_host(size: usize) -> *mut u8 {
    let client = rpc::client();
    let mut port = client.open(Opcode::MALLOC);
    let address = port.send_and_recv(|packet| packet.set(0, size as u64), |packet| packet.get(0));
    ptr::with_exposed_provenance_mut(address as usize)
}

#[cold]
#[inline(never)]
fn to_host(block: *mut u8) {
    let client = rpc::client();
    let mut port = client.open(Opcode::FREE);
    port.send(|packet| packet.set(0, block.expose_provenance() as u64));
    port.close();
}

/// The allocator behind `alloc`.
#[derive(Clone, Copy, Debug, Default)]
pub struct DeviceHeap;

/// Whether a block of this alignment lies within a larger one, whose address is noted right before it.
///
/// The pool aligns what it hands out to its size, up to a page; the host only to 16.
fn is_wrapped(start: *mut u8, align: usize) -> bool {
    align > PAGE || align > ALIGN && !device::is_pooled(start)
}

// SAFETY: pool and host hand out blocks that do not overlap, of at least the size asked for. Blocks of the pool are aligned to
// their size, rounded up to a power of two, up to a page; for all others `wrap` finds a place of the wanted alignment.
unsafe impl GlobalAlloc for DeviceHeap {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        let (size, align) = (layout.size(), layout.align());
        if align <= ALIGN {
            return malloc(size);
        }
        if align <= PAGE {
            let start = device::allocate(size.max(align));
            if !start.is_null() {
                return start;
            }
            // Not the pool again: of what lies there `is_wrapped` says no.
            return wrap(size, align, from_host);
        }
        wrap(size, align, malloc)
    }

    unsafe fn dealloc(&self, start: *mut u8, layout: Layout) {
        let block = if is_wrapped(start, layout.align()) {
            // SAFETY: `wrap` put the block's address right before.
            unsafe { start.cast::<*mut u8>().sub(1).read() }
        } else {
            start
        };
        // SAFETY: the block is `malloc`'s, and the caller is through with it.
        unsafe { free(block) }
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        // SAFETY: the caller's promises are the same.
        let start = unsafe { self.alloc(layout) };
        if !start.is_null() {
            // SAFETY: as long as the layout says, and fresh.
            unsafe { zero(start, layout.size()) };
        }
        start
    }

    unsafe fn realloc(&self, start: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        if !is_wrapped(start, layout.align()) && device::resize(start, size) {
            return start;
        }
        // SAFETY: the caller promises that the size, rounded up to the alignment, is no overflow.
        let new = unsafe { self.alloc(Layout::from_size_align_unchecked(size, layout.align())) };
        if !new.is_null() {
            // SAFETY: both are as long as the lesser of the sizes, do not overlap, and the old one is the caller's to give back.
            unsafe {
                copy(new, start, layout.size().min(size));
                self.dealloc(start, layout);
            }
        }
        new
    }
}

/// A block within a larger one, at a multiple of `align`, which is greater than 16.
#[cold]
#[inline(never)]
fn wrap(size: usize, align: usize, allocate: fn(usize) -> *mut u8) -> *mut u8 {
    // Room to move up to the alignment, and in front of it for the address of the block itself.
    let Some(room) = size.checked_add(align) else {
        return ptr::null_mut();
    };
    let block = allocate(room);
    if block.is_null() {
        return block;
    }
    // At least 16 bytes further on: the block is aligned to 16, and the alignment is greater.
    let offset = align - (block.addr() & (align - 1));
    // SAFETY: `offset` is between 16 and the alignment, for which the block has room; the word before is in the block too.
    unsafe {
        let start = block.add(offset);
        start.cast::<*mut u8>().sub(1).write(block);
        start
    }
}

/// Writes zeros. The compiler's own way on a GPU is byte by byte.
///
/// # Safety
/// `start` is aligned to 16 and leads to `size` writable bytes.
unsafe fn zero(start: *mut u8, size: usize) {
    let units = size / 16;
    // SAFETY: within the caller's bytes, aligned.
    unsafe {
        for at in 0..units {
            start.cast::<u128>().add(at).write(0);
        }
        for at in 16 * units..size {
            start.add(at).write(0);
        }
    }
}

/// Copies, the same way where both are aligned to 16.
///
/// # Safety
/// Both lead to `size` bytes, which do not overlap.
pub(crate) unsafe fn copy(to: *mut u8, from: *const u8, size: usize) {
    let aligned = (to.addr() | from.addr()).is_multiple_of(16);
    let units = if aligned { size / 16 } else { 0 };
    // SAFETY: within the caller's bytes, aligned.
    unsafe {
        for at in 0..units {
            to.cast::<u128>().add(at).write(from.cast::<u128>().add(at).read());
        }
        for at in 16 * units..size {
            to.add(at).write(from.add(at).read());
        }
    }
}

#[cfg(gpu)]
#[global_allocator]
static HEAP: DeviceHeap = DeviceHeap;
