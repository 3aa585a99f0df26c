//! Queues: rings of packets in shared memory, and the thread that processes each.
//!
//! A queue's handle is the address of an `amd_queue_t`, because programs read and write its first
//! fields directly and device code the others. Addresses that are no live queue are refused by
//! looking them up; the memory itself is never unmapped while somebody may use it.

use std::collections::BTreeMap;
use std::ffi::c_void;
use std::mem::offset_of;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError, RwLock};
use std::thread::{self, JoinHandle};

use emulator::memory::Kind;
use hsa_sys::*;

use crate::agent::Gpu;
use crate::border::lock;
use crate::processor;
use crate::runtime::Runtime;
use crate::signal::{self, Signal};
use crate::status::{Result, Status};
use crate::wait::{changed, join};

/// A function to call when a queue fails.
pub type ErrorCallback = unsafe extern "C" fn(status: hsa_status_t, source: *mut hsa_queue_t, data: *mut c_void);

/// A packet, as far as all sorts are alike.
pub const PACKET_BYTES: u64 = 64;

/// Whom to tell when a queue fails.
#[derive(Clone, Copy)]
pub struct OnError {
    callback: Option<ErrorCallback>,
    data: *mut c_void,
}

// SAFETY: the interface says that the function may be called from any thread with its data.
unsafe impl Send for OnError {}
// SAFETY: as above; nothing is changed through a shared reference.
unsafe impl Sync for OnError {}

impl OnError {
    /// What the program asked for.
    pub fn new(callback: Option<ErrorCallback>, data: *mut c_void) -> OnError {
        OnError { callback, data }
    }

    /// Tells the program, if it wants to be told.
    pub fn call(&self, status: Status, queue: u64) -> bool {
        let Some(callback) = self.callback else { return false };
        // SAFETY: the program's function, called as the interface says.
        unsafe { callback(status.0, queue as *mut hsa_queue_t, self.data) };
        true
    }
}

/// An allocation in the host's address space that all GPUs can use.
struct Block {
    base: u64,
}

/// A queue.
pub struct Queue {
    /// Address of its `amd_queue_t`.
    pub address: u64,
    /// Address of its first packet.
    pub ring: u64,
    /// Packets that fit, a power of two.
    pub size: u32,
    /// Whose it is; the host's own are processed by the program.
    pub gpu: Option<Arc<Gpu>>,
    /// What is rung when packets are ready.
    pub doorbell: hsa_signal_t,
    /// Whom to tell when it fails.
    pub on_error: OnError,
    /// Set when it takes no more packets: destroyed, inactivated or failed.
    pub stop: Arc<AtomicBool>,
    owns_doorbell: bool,
    blocks: [Block; 2],
    thread: Mutex<Option<JoinHandle<()>>>,
}

/// All live queues.
#[derive(Default)]
pub struct Queues {
    table: RwLock<BTreeMap<u64, Arc<Queue>>>,
    next_id: AtomicU64,
}

/// What a program wants of a queue.
pub struct Wanted {
    /// Packets.
    pub size: u32,
    /// Who may add packets: `HSA_QUEUE_TYPE_…`.
    pub kind: hsa_queue_type32_t,
    /// Which packets it takes: `HSA_QUEUE_FEATURE_…`.
    pub features: u32,
    /// Whom to tell when it fails.
    pub on_error: OnError,
}

impl Queues {
    /// Finds a queue.
    pub fn find(&self, queue: *const hsa_queue_t) -> Result<Arc<Queue>> {
        let table = self.table.read().unwrap_or_else(PoisonError::into_inner);
        table.get(&(queue as u64)).cloned().ok_or(Status::QUEUE)
    }

    /// Queues of one GPU.
    pub fn count(&self, gpu: &Gpu) -> usize {
        let table = self.table.read().unwrap_or_else(PoisonError::into_inner);
        let of_gpu = |queue: &&Arc<Queue>| queue.gpu.as_ref().is_some_and(|one| one.index == gpu.index);
        table.values().filter(of_gpu).count()
    }

    fn add(&self, queue: Arc<Queue>) {
        let mut table = self.table.write().unwrap_or_else(PoisonError::into_inner);
        table.insert(queue.address, queue);
    }

    fn take(&self, queue: *const hsa_queue_t) -> Result<Arc<Queue>> {
        let mut table = self.table.write().unwrap_or_else(PoisonError::into_inner);
        table.remove(&(queue as u64)).ok_or(Status::QUEUE)
    }

    /// Ends all queues, when the runtime ends.
    pub fn end_all(&self) {
        let all = {
            let mut table = self.table.write().unwrap_or_else(PoisonError::into_inner);
            std::mem::take(&mut *table)
        };
        for queue in all.values() {
            queue.halt();
        }
    }
}

impl Block {
    /// Allocates memory that all GPUs can use.
    fn new(runtime: &Runtime, len: u64, label: &str) -> Result<Block> {
        let base = runtime
            .host
            .alloc(Kind::Pinned, len, 4096, label)
            .map_err(|_| Status::OUT_OF_RESOURCES)?;
        let block = Block { base };
        for gpu in &runtime.gpus {
            // SAFETY: the block stays mapped until it is freed, which ends the access; host and
            // kernels access it atomically or one after the other.
            unsafe { gpu.memory.register(base, len, Kind::Pinned, label) }.map_err(|_| {
                block.free(runtime);
                Status::OUT_OF_RESOURCES
            })?;
        }
        Ok(block)
    }

    fn free(&self, runtime: &Runtime) {
        for gpu in &runtime.gpus {
            // Where it could not be registered, there is nothing to end.
            let _ = gpu.memory.unregister(self.base);
        }
        // It was allocated by `new`, and only once freed.
        let _ = runtime.host.free(self.base, &[Kind::Pinned]);
    }
}

impl Runtime {
    /// Makes a queue; with a GPU, it is processed from now on.
    pub fn create_queue(
        self: &Arc<Self>,
        gpu: Option<Arc<Gpu>>,
        doorbell: Option<hsa_signal_t>,
        wanted: Wanted,
    ) -> Result<Arc<Queue>> {
        let ring_bytes = u64::from(wanted.size) * PACKET_BYTES;
        let ring = Block::new(self, ring_bytes, "queue packets")?;
        let head = Block::new(self, size_of::<amd_queue_t>() as u64, "queue").inspect_err(|_| ring.free(self))?;
        let owns_doorbell = doorbell.is_none();
        let doorbell = match doorbell {
            Some(doorbell) => doorbell,
            None => signal::create(-1).inspect_err(|_| {
                ring.free(self);
                head.free(self);
            })?,
        };
        for at in 0..u64::from(wanted.size) {
            // SAFETY: the packet lies in the ring, which nobody else knows yet.
            unsafe { ((ring.base + at * PACKET_BYTES) as *mut u16).write(HSA_PACKET_TYPE_INVALID as u16) };
        }
        let id = self.queues.next_id.fetch_add(1, Ordering::Relaxed);
        // SAFETY: numbers and pointers, for which zero is a value.
        let mut fields: amd_queue_t = unsafe { std::mem::zeroed() };
        fields.hsa_queue.type_ = wanted.kind;
        fields.hsa_queue.features = wanted.features;
        fields.hsa_queue.base_address = ring.base as *mut c_void;
        fields.hsa_queue.doorbell_signal = doorbell;
        fields.hsa_queue.size = wanted.size;
        fields.hsa_queue.id = id;
        fields.read_dispatch_id_field_base_byte_offset = offset_of!(amd_queue_t, read_dispatch_id) as u32;
        fields.queue_properties = AMD_QUEUE_PROPERTIES_IS_PTR64 as u32 | AMD_QUEUE_PROPERTIES_ENABLE_PROFILING as u32;
        if let Some(gpu) = &gpu {
            processor::describe(&mut fields, gpu);
        }
        // SAFETY: the block has room for it and nobody else knows it yet.
        unsafe { (head.base as *mut amd_queue_t).write(fields) };
        let queue = Arc::new(Queue {
            address: head.base,
            ring: ring.base,
            size: wanted.size,
            gpu,
            doorbell,
            on_error: wanted.on_error,
            stop: Arc::default(),
            owns_doorbell,
            blocks: [head, ring],
            thread: Mutex::default(),
        });
        if owns_doorbell && let Some(signal) = signal::find(doorbell) {
            signal.become_doorbell(queue.address);
        }
        if queue.gpu.is_some() {
            let started = queue.start(self);
            if started.is_err() {
                queue.free(self);
                return Err(Status::OUT_OF_RESOURCES);
            }
        }
        self.queues.add(queue.clone());
        Ok(queue)
    }

    /// Ends a queue: a kernel that runs is stopped, packets that wait are forgotten.
    pub fn destroy_queue(&self, queue: *const hsa_queue_t) -> Result {
        let queue = self.queues.take(queue)?;
        queue.halt();
        queue.free(self);
        Ok(())
    }
}

impl Queue {
    fn start(self: &Arc<Self>, runtime: &Arc<Runtime>) -> std::io::Result<()> {
        // The thread must not keep the runtime alive: it would wait for its own end.
        let (queue, runtime) = (self.clone(), Arc::downgrade(runtime));
        let thread = thread::Builder::new()
            .name("hsa-queue".into())
            .spawn(move || processor::serve(&queue, &runtime))?;
        *lock(&self.thread) = Some(thread);
        Ok(())
    }

    /// Stops processing and waits until it has stopped.
    pub fn halt(&self) {
        self.stop.store(true, Ordering::Release);
        changed();
        let thread = lock(&self.thread).take();
        if let Some(thread) = thread {
            join(thread);
        }
    }

    fn free(&self, runtime: &Runtime) {
        if self.owns_doorbell {
            // Nobody else destroys it, unless the program did, wrongly.
            let _ = signal::destroy(self.doorbell);
        }
        for block in &self.blocks {
            block.free(runtime);
        }
    }

    fn index(&self, offset: usize) -> &AtomicU64 {
        // SAFETY: an aligned field of the queue's memory, which is mapped at least as long as
        // `self` is borrowed from a live queue, and accessed atomically by all sides.
        unsafe { AtomicU64::from_ptr((self.address as usize + offset) as *mut u64) }
    }

    /// Number of the next packet that a producer may take.
    pub fn write_index(&self) -> &AtomicU64 {
        self.index(offset_of!(amd_queue_t, write_dispatch_id))
    }

    /// Number of the next packet to process.
    pub fn read_index(&self) -> &AtomicU64 {
        self.index(offset_of!(amd_queue_t, read_dispatch_id))
    }

    /// Where packet `number` lies.
    pub fn packet(&self, number: u64) -> u64 {
        self.ring + (number & u64::from(self.size - 1)) * PACKET_BYTES
    }

    /// The doorbell, while it lives.
    pub fn doorbell(&self) -> Option<&'static Signal> {
        signal::find(self.doorbell)
    }
}
