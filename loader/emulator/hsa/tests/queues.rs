//! Queues: packets that need no kernel, and errors.

mod common;

use std::ffi::c_void;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU16, AtomicU32, Ordering};
use std::thread;
use std::time::Duration;

use common::{Running, check};
use hsa_sys::*;

extern "C" fn remember(status: hsa_status_t, _queue: *mut hsa_queue_t, data: *mut c_void) {
    // SAFETY: `data` is the list that the test gave.
    unsafe { (*data.cast::<Mutex<Vec<hsa_status_t>>>()).lock().unwrap().push(status) };
}

struct Queue<'a> {
    run: &'a Running,
    queue: *mut hsa_queue_t,
    errors: Box<Mutex<Vec<hsa_status_t>>>,
}

impl<'a> Queue<'a> {
    fn new(run: &'a Running, size: u32) -> Queue<'a> {
        let errors = Box::<Mutex<Vec<hsa_status_t>>>::default();
        let data = std::ptr::from_ref(&*errors).cast_mut().cast();
        let mut queue = std::ptr::null_mut();
        let most = u32::MAX;
        // SAFETY: `errors` lives as long as the queue.
        check(unsafe {
            run.0.hsa_queue_create(
                run.gpu(),
                size,
                HSA_QUEUE_TYPE_MULTI,
                Some(remember),
                data,
                most,
                most,
                &mut queue,
            )
        });
        Queue { run, queue, errors }
    }

    /// Publishes a packet as the interface prescribes: the header last, then the doorbell.
    fn push<T: Copy>(&self, packet: T, header: u32) -> u64 {
        assert_eq!(size_of::<T>(), 64);
        // SAFETY: the place is this producer's, once the packet before it has been processed.
        unsafe {
            let fields = *self.queue;
            let number = self.run.0.hsa_queue_add_write_index_relaxed(self.queue, 1);
            while number - self.run.0.hsa_queue_load_read_index_scacquire(self.queue) >= u64::from(fields.size) {
                thread::yield_now();
            }
            let place = fields
                .base_address
                .cast::<u8>()
                .add((number as usize & (fields.size as usize - 1)) * 64);
            let bytes = (&raw const packet).cast::<u8>();
            std::ptr::copy_nonoverlapping(bytes.add(2), place.add(2), 62);
            AtomicU16::from_ptr(place.cast()).store(header as u16, Ordering::Release);
            self.run
                .0
                .hsa_signal_store_relaxed(fields.doorbell_signal, number as i64);
            number
        }
    }

    fn barrier_and(&self, after: &[hsa_signal_t], completion: hsa_signal_t) {
        // SAFETY: zero is a value for all fields.
        let mut packet: hsa_barrier_and_packet_t = unsafe { std::mem::zeroed() };
        packet.dep_signal[..after.len()].copy_from_slice(after);
        packet.completion_signal = completion;
        self.push(packet, HSA_PACKET_TYPE_BARRIER_AND << HSA_PACKET_HEADER_TYPE);
    }

    fn barrier_or(&self, after: &[hsa_signal_t], completion: hsa_signal_t) {
        // SAFETY: zero is a value for all fields.
        let mut packet: hsa_barrier_or_packet_t = unsafe { std::mem::zeroed() };
        packet.dep_signal[..after.len()].copy_from_slice(after);
        packet.completion_signal = completion;
        self.push(packet, HSA_PACKET_TYPE_BARRIER_OR << HSA_PACKET_HEADER_TYPE);
    }

    fn dispatch(&self, change: impl FnOnce(&mut hsa_kernel_dispatch_packet_t)) {
        // SAFETY: zero is a value for all fields.
        let mut packet: hsa_kernel_dispatch_packet_t = unsafe { std::mem::zeroed() };
        packet.setup = 1;
        (
            packet.workgroup_size_x,
            packet.workgroup_size_y,
            packet.workgroup_size_z,
        ) = (1, 1, 1);
        (packet.grid_size_x, packet.grid_size_y, packet.grid_size_z) = (1, 1, 1);
        change(&mut packet);
        self.push(packet, HSA_PACKET_TYPE_KERNEL_DISPATCH << HSA_PACKET_HEADER_TYPE);
    }

    /// The first error, within five seconds.
    fn error(&self) -> Option<hsa_status_t> {
        for _ in 0..500 {
            if let Some(error) = self.errors.lock().unwrap().first() {
                return Some(*error);
            }
            thread::sleep(Duration::from_millis(10));
        }
        None
    }
}

impl Drop for Queue<'_> {
    fn drop(&mut self) {
        // SAFETY: it is not used any more.
        unsafe { self.run.0.hsa_queue_destroy(self.queue) };
    }
}

#[test]
fn barriers_hold_what_follows() {
    let run = Running::new();
    let queue = Queue::new(&run, 64);
    let (a, b, or_done, and_done) = (run.signal(1), run.signal(1), run.signal(1), run.signal(1));
    queue.barrier_or(&[a, b], or_done);
    queue.barrier_and(&[a, b], and_done);
    thread::sleep(Duration::from_millis(30));
    // SAFETY: plain values.
    unsafe {
        assert_eq!(run.0.hsa_signal_load_scacquire(or_done), 1);
        run.0.hsa_signal_store_screlease(b, 0);
        assert_eq!(run.wait(or_done), 0);
        assert_eq!(run.0.hsa_signal_load_scacquire(and_done), 1);
        run.0.hsa_signal_store_screlease(a, 0);
        assert_eq!(run.wait(and_done), 0);
        let mut time = hsa_amd_profiling_dispatch_time_t { start: 0, end: 0 };
        check(
            run.0
                .hsa_amd_profiling_get_dispatch_time(run.gpu(), and_done, &mut time),
        );
        assert!(time.start <= time.end && time.end - time.start < 10_000_000_000);
    }
    assert_eq!(queue.errors.lock().unwrap().len(), 0);
}

#[test]
fn many_producers_share_a_small_ring() {
    const EACH: i64 = 500;
    struct Shared<'a>(Queue<'a>);
    // SAFETY: queues of type MULTI may be used from any thread.
    unsafe impl Sync for Shared<'_> {}
    let run = Running::new();
    let queue = Shared(Queue::new(&run, 64));
    let queue = &queue;
    let done = run.signal(4 * EACH);
    thread::scope(|scope| {
        for _ in 0..4 {
            scope.spawn(move || (0..EACH).for_each(|_| queue.0.barrier_and(&[], done)));
        }
    });
    assert_eq!(run.wait(done), 0);
    // SAFETY: the queue lives.
    let read = unsafe { run.0.hsa_queue_load_read_index_relaxed(queue.0.queue) };
    assert_eq!(read, 4 * EACH as u64);
}

#[test]
fn a_packet_without_a_doorbell_is_not_processed() {
    let run = Running::new();
    let queue = Queue::new(&run, 64);
    let done = run.signal(1);
    // SAFETY: the first place of the ring is this producer's.
    unsafe {
        let fields = *queue.queue;
        run.0.hsa_queue_store_write_index_relaxed(queue.queue, 1);
        let mut packet: hsa_barrier_and_packet_t = std::mem::zeroed();
        packet.header = HSA_PACKET_TYPE_INVALID as u16;
        packet.completion_signal = done;
        *fields.base_address.cast() = packet;
        AtomicU16::from_ptr(fields.base_address.cast()).store(HSA_PACKET_TYPE_BARRIER_AND as u16, Ordering::Release);
        thread::sleep(Duration::from_millis(40));
        assert_eq!(run.0.hsa_signal_load_relaxed(done), 1);
        // Directly, as device code does it.
        let mut value = std::ptr::null_mut();
        check(run.0.hsa_amd_signal_value_pointer(fields.doorbell_signal, &mut value));
        value.write_volatile(0);
    }
    assert_eq!(run.wait(done), 0);
}

#[test]
fn a_bad_packet_stops_the_queue_and_is_reported() {
    let run = Running::new();
    type Change = fn(&mut hsa_kernel_dispatch_packet_t);
    let cases: [(&str, hsa_status_t, Change); 5] = [
        ("no dimensions", HSA_STATUS_ERROR_INVALID_PACKET_FORMAT, |packet| {
            packet.setup = 0
        }),
        ("empty grid", HSA_STATUS_ERROR_INVALID_PACKET_FORMAT, |packet| {
            packet.grid_size_x = 0
        }),
        ("too many work-items", HSA_STATUS_ERROR_INVALID_ARGUMENT, |packet| {
            packet.workgroup_size_x = 1025
        }),
        ("too much group memory", HSA_STATUS_ERROR_OUT_OF_RESOURCES, |packet| {
            packet.group_segment_size = 65537
        }),
        ("no kernel", HSA_STATUS_ERROR_INVALID_CODE_OBJECT, |packet| {
            packet.kernel_object = 0x1234
        }),
    ];
    for (name, expected, change) in cases {
        let queue = Queue::new(&run, 64);
        queue.dispatch(change);
        assert_eq!(queue.error(), Some(expected), "{name}");
        let done = run.signal(1);
        queue.barrier_and(&[], done);
        thread::sleep(Duration::from_millis(20));
        // SAFETY: plain values.
        let left = unsafe { run.0.hsa_signal_load_relaxed(done) };
        assert_eq!(left, 1, "{name}: the queue has stopped");
    }
}

#[test]
fn a_queue_can_be_destroyed_while_a_barrier_waits() {
    let run = Running::new();
    let queue = Queue::new(&run, 64);
    let (never, done) = (run.signal(1), run.signal(1));
    queue.barrier_and(&[never], done);
    thread::sleep(Duration::from_millis(20));
    drop(queue);
    // SAFETY: plain values.
    assert_eq!(unsafe { run.0.hsa_signal_load_relaxed(done) }, 1);
}

#[test]
fn wrong_queues_are_refused() {
    let run = Running::new();
    let mut queue = std::ptr::null_mut();
    let null = std::ptr::null_mut();
    let mut create = |agent, size, kind| {
        // SAFETY: `queue` is a place for the answer.
        unsafe { run.0.hsa_queue_create(agent, size, kind, None, null, 0, 0, &mut queue) }
    };
    assert_eq!(
        create(run.gpu(), 100, HSA_QUEUE_TYPE_MULTI),
        HSA_STATUS_ERROR_INVALID_ARGUMENT
    );
    assert_eq!(
        create(run.gpu(), 0, HSA_QUEUE_TYPE_MULTI),
        HSA_STATUS_ERROR_INVALID_ARGUMENT
    );
    assert_eq!(
        create(run.gpu(), 1 << 30, HSA_QUEUE_TYPE_MULTI),
        HSA_STATUS_ERROR_INVALID_QUEUE_CREATION
    );
    assert_eq!(
        create(run.host(), 64, HSA_QUEUE_TYPE_MULTI),
        HSA_STATUS_ERROR_INVALID_QUEUE_CREATION
    );
}

#[test]
fn a_soft_queue_is_processed_by_the_program() {
    static RINGS: AtomicU32 = AtomicU32::new(0);
    extern "C" fn ring(_value: i64, _data: *mut c_void) -> bool {
        RINGS.fetch_add(1, Ordering::SeqCst);
        false
    }
    let run = Running::new();
    let pool = run.pool(run.host(), HSA_AMD_MEMORY_POOL_GLOBAL_FLAG_FINE_GRAINED);
    let doorbell = run.signal(-1);
    let mut queue = std::ptr::null_mut();
    // SAFETY: answers have room; the handler uses no data.
    unsafe {
        let region = hsa_region_t { handle: pool.handle };
        let features = HSA_QUEUE_FEATURE_AGENT_DISPATCH;
        check(
            run.0
                .hsa_soft_queue_create(region, 16, HSA_QUEUE_TYPE_MULTI, features, doorbell, &mut queue),
        );
        let greater = HSA_SIGNAL_CONDITION_GTE;
        check(
            run.0
                .hsa_amd_signal_async_handler(doorbell, greater, 0, Some(ring), std::ptr::null_mut()),
        );
        assert_eq!(run.0.hsa_queue_add_write_index_scacq_screl(queue, 1), 0);
        run.0.hsa_signal_store_screlease((*queue).doorbell_signal, 0);
        for _ in 0..200 {
            if RINGS.load(Ordering::SeqCst) == 1 {
                break;
            }
            thread::sleep(Duration::from_millis(10));
        }
        assert_eq!(RINGS.load(Ordering::SeqCst), 1);
        run.0.hsa_queue_store_read_index_screlease(queue, 1);
        assert_eq!(run.0.hsa_queue_load_read_index_relaxed(queue), 1);
        check(run.0.hsa_queue_destroy(queue));
        assert_eq!(
            run.0.hsa_signal_load_relaxed(doorbell),
            0,
            "the doorbell is the program's"
        );
    }
}
