//! The packet processor: takes packets off a queue's ring and does what they say.
//!
//! Packets are processed one after the other, whether or not they ask for a barrier; the interface
//! allows that. A packet belongs to the processor when it has been rung for *and* its header says
//! what it is: producers that race may ring before an earlier packet is ready.

use std::sync::Weak;
use std::sync::atomic::{AtomicU16, Ordering};

use hsa_sys::*;

use crate::agent::Gpu;
use crate::border::{run_or, say};
use crate::chip;
use crate::diagnostics;
use crate::engine::{self, Failure};
use crate::events::finish;
use crate::queue::{PACKET_BYTES, Queue};
use crate::runtime::Runtime;
use crate::signal::{find, is_zero, meets};
use crate::status::Status;
use crate::system::now;
use crate::wait::{IDLE, SOON, changed, wait_until};

/// Tells device code what it may ask of its queue.
pub fn describe(fields: &mut amd_queue_t, gpu: &Gpu) {
    let apertures = engine::apertures();
    fields.group_segment_aperture_base_hi = (apertures.group >> 32) as u32;
    fields.private_segment_aperture_base_hi = (apertures.private >> 32) as u32;
    let chip = gpu.chip();
    fields.max_cu_id = chip.compute_units - 1;
    fields.max_wave_id = chip.waves - 1;
}

/// A packet, copied out of the ring.
#[derive(Clone, Copy)]
struct Packet {
    /// Where it lay; kernels can ask for this address.
    address: u64,
    header: u16,
    bytes: [u8; PACKET_BYTES as usize],
}

impl Packet {
    /// The packet as the header says it is.
    ///
    /// # Safety
    /// `T` is one of the 64-byte packets of the headers, which hold any bits.
    unsafe fn read<T>(&self) -> T {
        const { assert!(size_of::<T>() == PACKET_BYTES as usize) };
        // SAFETY: `bytes` has the size of `T`, and the caller says that `T` holds any bits.
        unsafe { self.bytes.as_ptr().cast::<T>().read_unaligned() }
    }

    fn kind(&self) -> u32 {
        u32::from(self.header) & ((1 << HSA_PACKET_HEADER_WIDTH_TYPE) - 1)
    }

    /// All packets have their completion signal in the last eight bytes.
    fn completion(&self) -> hsa_signal_t {
        let [.., a, b, c, d, e, f, g, h] = self.bytes;
        hsa_signal_t {
            handle: u64::from_le_bytes([a, b, c, d, e, f, g, h]),
        }
    }
}

/// Processes a queue until it ends.
pub fn serve(queue: &Queue, runtime: &Weak<Runtime>) {
    let mut rung = 0;
    while let Some(packet) = next(queue, &mut rung) {
        let done = run_or("the packet processor", Err(Failure::new(Status::FATAL)), || {
            process(queue, &packet)
        });
        match done {
            Ok(()) => {}
            Err(_) if queue.stop.load(Ordering::Acquire) => return,
            Err(failure) => {
                queue.stop.store(true, Ordering::Release);
                fail(queue, runtime, &failure);
                return;
            }
        }
    }
}

/// Waits for the next packet and takes it off the ring; none when the queue ends.
fn next(queue: &Queue, rung: &mut u64) -> Option<Packet> {
    let number = queue.read_index().load(Ordering::Relaxed);
    let address = queue.packet(number);
    // SAFETY: a packet's first two bytes, in memory that lives as long as the queue; producers
    // write them atomically, and as the last of the packet.
    let header = unsafe { AtomicU16::from_ptr(address as *mut u16) };
    let ready = wait_until(None, false, IDLE, || {
        if queue.stop.load(Ordering::Acquire) {
            return Some(None);
        }
        // Stores through the API are kept in `ended`, direct ones are seen in the value.
        let doorbell = queue.doorbell()?;
        let seen = doorbell.value.load(Ordering::Acquire) as u64;
        *rung = (*rung)
            .max(doorbell.ended.load(Ordering::Acquire))
            .max(seen.wrapping_add(1));
        let found = header.load(Ordering::Acquire);
        let is_there = number < *rung && u32::from(found) & 0xff != HSA_PACKET_TYPE_INVALID;
        is_there.then_some(Some(found))
    })??;
    let mut packet = Packet {
        address,
        header: ready,
        bytes: [0; PACKET_BYTES as usize],
    };
    // SAFETY: the producer gave the packet away by its header, whose load was an acquire.
    unsafe {
        std::ptr::copy_nonoverlapping(address as *const u8, packet.bytes.as_mut_ptr(), packet.bytes.len());
    }
    header.store(HSA_PACKET_TYPE_INVALID as u16, Ordering::Relaxed);
    // From here on a producer may use the place again.
    queue.read_index().store(number + 1, Ordering::Release);
    changed();
    Some(packet)
}

fn process(queue: &Queue, packet: &Packet) -> std::result::Result<(), Failure> {
    let started = now();
    match packet.kind() {
        HSA_PACKET_TYPE_KERNEL_DISPATCH => {
            // SAFETY: one of the headers' packets.
            let dispatch: hsa_kernel_dispatch_packet_t = unsafe { packet.read() };
            let gpu = queue.gpu.as_ref().ok_or(Failure::new(Status::QUEUE))?;
            check(&dispatch)?;
            engine::run(gpu, queue, &dispatch, packet.address)?;
        }
        HSA_PACKET_TYPE_BARRIER_AND => {
            // SAFETY: one of the headers' packets.
            let barrier: hsa_barrier_and_packet_t = unsafe { packet.read() };
            hold(queue, || barrier.dep_signal.iter().all(|signal| is_zero(*signal)));
        }
        HSA_PACKET_TYPE_BARRIER_OR => {
            // SAFETY: one of the headers' packets.
            let barrier: hsa_barrier_or_packet_t = unsafe { packet.read() };
            let named: Vec<_> = barrier.dep_signal.iter().filter(|signal| signal.handle != 0).collect();
            hold(queue, || {
                named.is_empty() || named.iter().any(|signal| is_zero(**signal))
            });
        }
        // The third byte of a packet of the vendor's own says which it is.
        HSA_PACKET_TYPE_VENDOR_SPECIFIC if u32::from(packet.bytes[2]) == HSA_AMD_PACKET_TYPE_BARRIER_VALUE => {
            // SAFETY: one of the headers' packets.
            let barrier: hsa_amd_barrier_value_packet_t = unsafe { packet.read() };
            meets(0, barrier.cond, 0).map_err(|_| Failure::new(Status::PACKET))?;
            hold(queue, || {
                find(barrier.signal).is_none_or(|signal| {
                    let value = signal.value.load(Ordering::Acquire) & barrier.mask;
                    meets(value, barrier.cond, barrier.value).unwrap_or(true)
                })
            });
        }
        other => {
            return Err(Failure {
                text: format!("a queue of a GPU does not take packets of type {other}"),
                ..Failure::new(Status::PACKET)
            });
        }
    }
    if !queue.stop.load(Ordering::Acquire)
        && let Some(signal) = find(packet.completion())
    {
        finish(signal, started);
    }
    Ok(())
}

/// Waits until a barrier is satisfied or the queue ends.
fn hold(queue: &Queue, satisfied: impl Fn() -> bool) {
    wait_until(None, false, SOON, || {
        (queue.stop.load(Ordering::Acquire) || satisfied()).then_some(())
    });
}

/// Holds a dispatch to the interface and to the GPU's limits, so that a wrong one is explained
/// instead of running somehow.
fn check(dispatch: &hsa_kernel_dispatch_packet_t) -> std::result::Result<(), Failure> {
    let refuse = |status, text: String| {
        Err(Failure {
            text,
            ..Failure::new(status)
        })
    };
    let workgroup = [
        dispatch.workgroup_size_x,
        dispatch.workgroup_size_y,
        dispatch.workgroup_size_z,
    ];
    let grid = [dispatch.grid_size_x, dispatch.grid_size_y, dispatch.grid_size_z];
    let dimensions = dispatch.setup & ((1 << HSA_KERNEL_DISPATCH_PACKET_SETUP_WIDTH_DIMENSIONS) - 1);
    if !(1..=3).contains(&dimensions) {
        return refuse(Status::PACKET, format!("a dispatch has {dimensions} dimensions"));
    }
    if workgroup.contains(&0) || grid.contains(&0) {
        return refuse(
            Status::PACKET,
            format!("a grid of {grid:?} in work-groups of {workgroup:?}"),
        );
    }
    let unused = dimensions as usize..3;
    if workgroup[unused.clone()].iter().any(|size| *size != 1) || grid[unused].iter().any(|size| *size != 1) {
        return refuse(
            Status::PACKET,
            format!("a grid of {grid:?} in work-groups of {workgroup:?} has more than {dimensions} dimensions"),
        );
    }
    let items: u64 = workgroup.iter().map(|size| u64::from(*size)).product();
    if items > u64::from(chip::WORKGROUP_MAX) {
        return refuse(
            Status::ARGUMENT,
            format!(
                "{items} work-items in a work-group, {} are possible",
                chip::WORKGROUP_MAX
            ),
        );
    }
    if dispatch.group_segment_size > chip::GROUP_BYTES {
        return refuse(
            Status::OUT_OF_RESOURCES,
            format!(
                "{} bytes of group memory, {} are possible",
                dispatch.group_segment_size,
                chip::GROUP_BYTES
            ),
        );
    }
    if dispatch.private_segment_size > chip::PRIVATE_MAX {
        return refuse(
            Status::OUT_OF_RESOURCES,
            format!(
                "{} bytes of private memory, {} are possible",
                dispatch.private_segment_size,
                chip::PRIVATE_MAX
            ),
        );
    }
    Ok(())
}

/// Tells everybody that a queue has failed. If nobody listens the process ends, as with the real
/// runtime: whoever waits for the kernel would wait for ever.
fn fail(queue: &Queue, runtime: &Weak<Runtime>, failure: &Failure) {
    diagnostics::tell(&failure.text);
    let mut heard = false;
    if let (Some((address, reason)), Some(gpu)) = (failure.memory, &queue.gpu) {
        let handler = runtime
            .upgrade()
            .and_then(|runtime| *crate::border::lock(&runtime.fault_handler));
        // SAFETY: numbers, for which zero is a value.
        let mut event: hsa_amd_event_t = unsafe { std::mem::zeroed() };
        event.event_type = HSA_AMD_GPU_MEMORY_FAULT_EVENT;
        event.__bindgen_anon_1.memory_fault = hsa_amd_gpu_memory_fault_info_t {
            agent: gpu.handle(),
            virtual_address: address,
            fault_reason_mask: reason,
        };
        heard = handler.is_some_and(|handler| handler.call(&event));
    }
    heard |= queue.on_error.call(failure.status, queue.address);
    if !heard {
        say("nobody handles the error of this queue; the process ends");
        std::process::abort();
    }
}
