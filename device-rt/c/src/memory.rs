//! `malloc` and its family, on the runtime's heap.
//!
//! The host does not tell a block's size again, and a block may have to start elsewhere than the host's does: in front of what a program
//! gets lie the block's own address and the size asked for.

use core::ffi::c_void;
use core::ptr;

use device_rt::heap;

/// What lies right before the memory that a program gets.
#[repr(C)]
#[derive(Clone, Copy)]
struct Before {
    /// The block that the heap handed out.
    block: *mut u8,
    /// Bytes that the program asked for.
    size: usize,
}

/// `malloc`'s alignment, and that of the heap's blocks.
const ALIGN: usize = 16;

const ROOM: usize = size_of::<Before>();
const _: () = assert!(ROOM.is_multiple_of(ALIGN));

/// `size` bytes aligned to `align`, a power of two of at least 16; null when there are none. No bytes are one byte, as in most libraries.
fn allocate(size: usize, align: usize) -> *mut c_void {
    let padding = ROOM + align - ALIGN;
    let block = match size.max(1).checked_add(padding) {
        Some(whole) => heap::malloc(whole),
        None => ptr::null_mut(),
    };
    if block.is_null() {
        crate::errno::set(ENOMEM);
        return ptr::null_mut();
    }
    let start = block.map_addr(|address| (address + padding) & !(align - 1));
    // SAFETY: between `ROOM` and `padding` bytes lie before the start, and `size` behind it; the block is aligned to 16, and so is the start.
    unsafe { start.cast::<Before>().sub(1).write(Before { block, size }) };
    start.cast()
}

const ENOMEM: i32 = 12;
const EINVAL: i32 = 22;

/// C's `malloc`.
#[cfg_attr(gpu, unsafe(no_mangle))]
pub extern "C" fn malloc(size: usize) -> *mut c_void {
    allocate(size, ALIGN)
}

/// C's `calloc`.
#[cfg_attr(gpu, unsafe(no_mangle))]
pub extern "C" fn calloc(count: usize, size: usize) -> *mut c_void {
    let start = allocate(count.saturating_mul(size), ALIGN);
    if !start.is_null() {
        // SAFETY: the block has `count * size` bytes: for a product that saturates, `allocate` finds no room.
        unsafe { ptr::write_bytes(start.cast::<u8>(), 0, count * size) };
    }
    start
}

/// C's `aligned_alloc`; any power of two will do, and any size.
#[cfg_attr(gpu, unsafe(no_mangle))]
pub extern "C" fn aligned_alloc(align: usize, size: usize) -> *mut c_void {
    if !align.is_power_of_two() || align > isize::MAX as usize {
        crate::errno::set(EINVAL);
        return ptr::null_mut();
    }
    allocate(size, align.max(ALIGN))
}

/// C's `free`.
///
/// # Safety
/// `start` is null or came from a function of this family, and nobody uses it any more.
#[cfg_attr(gpu, unsafe(no_mangle))]
pub unsafe extern "C" fn free(start: *mut c_void) {
    if !start.is_null() {
        // SAFETY: the caller's promise: `allocate` wrote the words before it.
        unsafe { heap::free(before(start).block) }
    }
}

/// C's `realloc`: a size of 0 gives the block back.
///
/// # Safety
/// As for [`free`], and the block is only used through what this returns, unless that is null.
#[cfg_attr(gpu, unsafe(no_mangle))]
pub unsafe extern "C" fn realloc(start: *mut c_void, size: usize) -> *mut c_void {
    if start.is_null() {
        return malloc(size);
    }
    if size == 0 {
        // SAFETY: the caller's promise.
        unsafe { free(start) };
        return ptr::null_mut();
    }
    let new = malloc(size);
    if !new.is_null() {
        // SAFETY: the caller's promise; two blocks do not overlap, and both have as many bytes as the smaller size.
        unsafe {
            ptr::copy_nonoverlapping(start.cast::<u8>(), new.cast::<u8>(), before(start).size.min(size));
            free(start);
        }
    }
    new
}

/// What lies before a block.
///
/// # Safety
/// `start` came from [`allocate`] and has not been given back.
unsafe fn before(start: *mut c_void) -> Before {
    // SAFETY: the caller's promise.
    unsafe { start.cast::<Before>().sub(1).read() }
}
