//! Which thread this is: what `device_rt.h` has beyond C.

use device_rt::{block, thread};

/// The number of this thread in the grid.
#[cfg_attr(gpu, unsafe(no_mangle))]
pub extern "C" fn device_thread_index() -> u64 {
    thread::index()
}

/// The number of threads in the grid.
#[cfg_attr(gpu, unsafe(no_mangle))]
pub extern "C" fn device_thread_count() -> u64 {
    thread::count()
}

/// The number of this thread in its block.
#[cfg_attr(gpu, unsafe(no_mangle))]
pub extern "C" fn device_thread_index_in_block() -> u32 {
    thread::index_in_block()
}

/// The number of this thread's block in the grid.
#[cfg_attr(gpu, unsafe(no_mangle))]
pub extern "C" fn device_block_index() -> u64 {
    block::index()
}

/// Waits until all threads of the block are here. What each wrote before is seen by all of them after.
#[cfg_attr(gpu, unsafe(no_mangle))]
pub extern "C" fn device_block_sync() {
    block::sync();
}
