//! A stream: a queue of its own, and the launches on it.

use std::ffi::c_void;
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use hsa_sys::*;

use super::driver::{self, check};
use crate::error::{Error, Result};

/// Launches that can wait in a queue; a launch beyond that waits for the first to start.
const PACKETS: u32 = 256;

/// A queue and what went wrong with it.
pub(super) struct Stream {
    hsa: &'static Hsa,
    agent: hsa_agent_t,
    queue: *mut hsa_queue_t,
    /// The status of a queue that failed, 0 before. On the heap, as the runtime keeps its address.
    failed: Box<AtomicU32>,
    /// One producer at a time: packets are published in the order of their numbers.
    producer: Mutex<()>,
}

// SAFETY: queues may be used from any thread; the fields that are read directly never change.
unsafe impl Send for Stream {}
// SAFETY: as above; producers take turns.
unsafe impl Sync for Stream {}

/// A kernel to be put on a queue.
pub(super) struct Dispatch {
    /// Dimensions that are used, 1 to 3.
    pub dimensions: u16,
    /// Blocks by dimension.
    pub grid: [u32; 3],
    /// Threads of a block by dimension.
    pub block: [u32; 3],
    /// Bytes of private memory for each thread.
    pub private_bytes: u32,
    /// Bytes of group memory for each block, static and dynamic.
    pub group_bytes: u32,
    /// The runtime's handle of the kernel.
    pub kernel_object: u64,
    /// Its arguments, in memory that the GPU can read.
    pub kernarg: *mut c_void,
    /// Decremented when the kernel has ended.
    pub completion: hsa_signal_t,
}

/// Takes note of why a queue failed. The first reason is the cause.
unsafe extern "C" fn note_failure(status: hsa_status_t, _queue: *mut hsa_queue_t, failed: *mut c_void) {
    // SAFETY: the stream's own counter, which lives as long as its queue.
    let failed = unsafe { &*failed.cast::<AtomicU32>() };
    let _ = failed.compare_exchange(HSA_STATUS_SUCCESS, status, Ordering::AcqRel, Ordering::Relaxed);
}

impl Stream {
    /// Makes a queue on a GPU.
    pub fn new(hsa: &'static Hsa, agent: hsa_agent_t) -> Result<Stream> {
        let failed = Box::new(AtomicU32::new(HSA_STATUS_SUCCESS));
        let mut queue = std::ptr::null_mut();
        // SAFETY: the callback's data lives as long as the queue; the pointer is valid.
        let status = unsafe {
            let data = std::ptr::from_ref(&*failed).cast_mut().cast();
            let unknown = u32::MAX;
            hsa.hsa_queue_create(
                agent,
                PACKETS,
                HSA_QUEUE_TYPE_MULTI,
                Some(note_failure),
                data,
                unknown,
                unknown,
                &mut queue,
            )
        };
        check(hsa, "cannot make a queue", status)?;
        Ok(Stream {
            hsa,
            agent,
            queue,
            failed,
            producer: Mutex::new(()),
        })
    }

    /// The queue's address, for kernels that ask for it.
    pub fn address(&self) -> u64 {
        self.queue as u64
    }

    /// What ended the queue, if anything did.
    pub fn failure(&self) -> Option<Error> {
        let status = self.failed.load(Ordering::Acquire);
        let ended = status != HSA_STATUS_SUCCESS || driver::has_faulted(self.agent);
        ended.then(|| driver::fault(self.hsa, self.agent, status))
    }

    /// Publishes a dispatch.
    ///
    /// # Safety
    /// The kernel object is of a loaded image, and the arguments are what it takes and stay until
    /// it has ended.
    pub unsafe fn push(&self, dispatch: &Dispatch) -> Result<()> {
        let in_threads = |axis: usize| {
            let threads = u64::from(dispatch.grid[axis]) * u64::from(dispatch.block[axis]);
            u32::try_from(threads).map_err(|_| {
                Error::Host(format!(
                    "{threads} threads in one dimension, but an AMD GPU counts {}; use another dimension too",
                    u32::MAX
                ))
            })
        };
        let in_block = |axis: usize| {
            let threads = dispatch.block[axis];
            u16::try_from(threads).map_err(|_| {
                Error::Host(format!(
                    "{threads} threads of a block in one dimension, but an AMD GPU counts {}; use more blocks instead",
                    u16::MAX
                ))
            })
        };
        let packet = hsa_kernel_dispatch_packet_t {
            header: 0,
            setup: 0,
            workgroup_size_x: in_block(0)?,
            workgroup_size_y: in_block(1)?,
            workgroup_size_z: in_block(2)?,
            reserved0: 0,
            grid_size_x: in_threads(0)?,
            grid_size_y: in_threads(1)?,
            grid_size_z: in_threads(2)?,
            private_segment_size: dispatch.private_bytes,
            group_segment_size: dispatch.group_bytes,
            kernel_object: dispatch.kernel_object,
            kernarg_address: dispatch.kernarg,
            reserved2: 0,
            completion_signal: dispatch.completion,
        };
        // The barrier makes the queue a stream: each kernel starts when the one before has ended.
        let header = HSA_PACKET_TYPE_KERNEL_DISPATCH << HSA_PACKET_HEADER_TYPE
            | 1 << HSA_PACKET_HEADER_BARRIER
            | HSA_FENCE_SCOPE_SYSTEM << HSA_PACKET_HEADER_SCACQUIRE_FENCE_SCOPE
            | HSA_FENCE_SCOPE_SYSTEM << HSA_PACKET_HEADER_SCRELEASE_FENCE_SCOPE;
        let setup = u32::from(dispatch.dimensions) << HSA_KERNEL_DISPATCH_PACKET_SETUP_DIMENSIONS;

        let _turn = self.producer.lock().unwrap_or_else(PoisonError::into_inner);
        // SAFETY: the queue lives; its fields never change.
        let fields = unsafe { *self.queue };
        // Only this producer adds packets, so that what is free stays free.
        // SAFETY: the queue lives.
        let next = || unsafe { self.hsa.hsa_queue_load_write_index_relaxed(self.queue) };
        // SAFETY: the queue lives.
        let taken = || unsafe { self.hsa.hsa_queue_load_read_index_scacquire(self.queue) };
        while next() - taken() >= u64::from(fields.size) {
            if let Some(failure) = self.failure() {
                return Err(failure);
            }
            std::thread::sleep(Duration::from_micros(50));
        }
        // SAFETY: the place is free, as the acquiring load above says. Everything but the first
        // four bytes is written first; they give the packet away and are written at once, with
        // release, as the interface prescribes. Then the doorbell is rung.
        unsafe {
            let number = self.hsa.hsa_queue_add_write_index_relaxed(self.queue, 1);
            let at = number as usize & (fields.size as usize - 1);
            let place = fields
                .base_address
                .cast::<hsa_kernel_dispatch_packet_t>()
                .add(at)
                .cast::<u8>();
            let bytes = (&raw const packet).cast::<u8>();
            std::ptr::copy_nonoverlapping(bytes.add(4), place.add(4), size_of_val(&packet) - 4);
            AtomicU32::from_ptr(place.cast()).store(header | setup << 16, Ordering::Release);
            self.hsa
                .hsa_signal_store_screlease(fields.doorbell_signal, number as i64);
        }
        Ok(())
    }
}

impl Drop for Stream {
    fn drop(&mut self) {
        // SAFETY: nobody has the stream any more; the runtime stops what still runs.
        unsafe { self.hsa.hsa_queue_destroy(self.queue) };
    }
}
