//! The heap: device memory that the host hands out.

use core::alloc::{GlobalAlloc, Layout};
use core::ptr;

use rpc_proto::Opcode;

use crate::rpc;

/// The alignment that the host promises for every block.
const HOST_ALIGN: usize = 16;

/// Asks the host for `size` bytes of device memory, aligned to 16; null when it has none left. Size 0 yields null.
// Not inlined, and neither is `free`: a call of either is long, and there are many.
#[inline(never)]
pub fn malloc(size: usize) -> *mut u8 {
    if size == 0 {
        return ptr::null_mut();
    }
    let client = rpc::client();
    let mut port = client.open(Opcode::MALLOC);
    let address = port.send_and_recv(|packet| packet.set(0, size as u64), |packet| packet.get(0));
    ptr::with_exposed_provenance_mut(address as usize)
}

/// Gives back what [`malloc`] handed out. Null is allowed.
///
/// # Safety
/// `block` is null or came from [`malloc`], has not been given back yet, and nobody uses it any more.
#[inline(never)]
pub unsafe fn free(block: *mut u8) {
    if block.is_null() {
        return;
    }
    let client = rpc::client();
    let mut port = client.open(Opcode::FREE);
    port.send(|packet| packet.set(0, block.expose_provenance() as u64));
    port.close();
}

/// The allocator behind `alloc`.
#[derive(Clone, Copy, Debug, Default)]
pub struct HostHeap;

// SAFETY: the host hands out blocks that do not overlap, of at least the size asked for, and `aligned` finds a place of the wanted
// alignment within them.
unsafe impl GlobalAlloc for HostHeap {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        if layout.align() <= HOST_ALIGN {
            return malloc(layout.size());
        }
        // Room to move up to the alignment, and in front of it for the address of the block itself.
        let Some(size) = layout.size().checked_add(layout.align()) else {
            return ptr::null_mut();
        };
        let block = malloc(size);
        if block.is_null() {
            return block;
        }
        // At least 16 bytes further on: the block is aligned to 16, and the alignment is greater.
        let offset = layout.align() - (block.addr() & (layout.align() - 1));
        // SAFETY: `offset` is between 16 and the alignment, for which the block has room; the word before is in the block too.
        unsafe {
            let start = block.add(offset);
            start.cast::<*mut u8>().sub(1).write(block);
            start
        }
    }

    unsafe fn dealloc(&self, start: *mut u8, layout: Layout) {
        let block = if layout.align() <= HOST_ALIGN {
            start
        } else {
            // SAFETY: `alloc` put the block's address right before.
            unsafe { start.cast::<*mut u8>().sub(1).read() }
        };
        // SAFETY: the block is `malloc`'s, and the caller is through with it.
        unsafe { free(block) }
    }
}

#[cfg(gpu)]
#[global_allocator]
static HEAP: HostHeap = HostHeap;
