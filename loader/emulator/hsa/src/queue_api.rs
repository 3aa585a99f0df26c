//! The entry points for queues.

use std::ffi::c_void;
use std::sync::atomic::Ordering;

use hsa_sys::*;

use crate::agent::{QUEUE_SIZES, QUEUES_MAX};
use crate::border::{Out, entries, say_once, values};
use crate::pool::Pool;
use crate::queue::{ErrorCallback, OnError, Queue, Wanted};
use crate::runtime::runtime;
use crate::signal;
use crate::status::Status;

/// Runs something with a queue, for entry points that have no status.
fn with<R>(queue: *const hsa_queue_t, entry: &str, action: impl FnOnce(&Queue) -> R) -> Option<R> {
    match runtime().and_then(|runtime| runtime.queues.find(queue)) {
        Ok(queue) => Some(action(&queue)),
        Err(_) => {
            say_once(&format!("{entry}: {queue:p} is not a queue"));
            None
        }
    }
}

/// Defines one operation on an index of a queue under all its names for memory orders.
macro_rules! operation {
    ($doc:literal, $arguments:tt -> $result:ty, $body:block $($name:ident: $order:ident)*) => {
        $(one_operation! { $doc, $name: $order, $arguments -> $result, $body })*
    };
}

/// One name of [`operation!`].
macro_rules! one_operation {
    ($doc:literal, $name:ident: $order:ident,
     ($queue:ident, $ordering:ident $(, $argument:ident)*) -> $result:ty, $body:block) => {
        values! {
            #[doc = $doc]
            fn $name(queue: *const hsa_queue_t $(, $argument: u64)*) -> $result {
                let $ordering = Ordering::$order;
                with(queue, stringify!($name), |$queue| $body).unwrap_or_default()
            }
            else Default::default();
        }
    };
}

operation! { "Reads the number of the next packet to process.",
    (queue, order) -> u64, { queue.read_index().load(order) }
    hsa_queue_load_read_index_scacquire: Acquire hsa_queue_load_read_index_acquire: Acquire
    hsa_queue_load_read_index_relaxed: Relaxed
}

operation! { "Reads the number of the next packet that a producer may take.",
    (queue, order) -> u64, { queue.write_index().load(order) }
    hsa_queue_load_write_index_scacquire: Acquire hsa_queue_load_write_index_acquire: Acquire
    hsa_queue_load_write_index_relaxed: Relaxed
}

operation! { "Sets the number of the next packet to process, in queues that the program processes.",
    (queue, order, value) -> (), {
        // A GPU's queue is processed by its GPU.
        if queue.gpu.is_none() {
            queue.read_index().store(value, order);
        }
    }
    hsa_queue_store_read_index_screlease: Release hsa_queue_store_read_index_release: Release
    hsa_queue_store_read_index_relaxed: Relaxed
}

operation! { "Sets the number of the next packet that a producer may take.",
    (queue, order, value) -> (), { queue.write_index().store(value, order) }
    hsa_queue_store_write_index_screlease: Release hsa_queue_store_write_index_release: Release
    hsa_queue_store_write_index_relaxed: Relaxed
}

operation! { "Takes packets: adds to the write index and returns the old one.",
    (queue, order, value) -> u64, { queue.write_index().fetch_add(value, order) }
    hsa_queue_add_write_index_scacq_screl: SeqCst hsa_queue_add_write_index_acq_rel: AcqRel
    hsa_queue_add_write_index_scacquire: Acquire hsa_queue_add_write_index_acquire: Acquire
    hsa_queue_add_write_index_screlease: Release hsa_queue_add_write_index_release: Release
    hsa_queue_add_write_index_relaxed: Relaxed
}

/// The order of a failed compare-and-swap: it only reads.
fn of_failure(order: Ordering) -> Ordering {
    match order {
        Ordering::AcqRel => Ordering::Acquire,
        Ordering::Release => Ordering::Relaxed,
        order => order,
    }
}

operation! { "Sets the write index if it is the expected one, and returns the old one.",
    (queue, order, expected, value) -> u64, {
        let done = queue.write_index().compare_exchange(expected, value, order, of_failure(order));
        done.unwrap_or_else(|found| found)
    }
    hsa_queue_cas_write_index_scacq_screl: SeqCst hsa_queue_cas_write_index_acq_rel: AcqRel
    hsa_queue_cas_write_index_scacquire: Acquire hsa_queue_cas_write_index_acquire: Acquire
    hsa_queue_cas_write_index_screlease: Release hsa_queue_cas_write_index_release: Release
    hsa_queue_cas_write_index_relaxed: Relaxed
}

entries! {
    /// Makes a queue of a GPU. How much private and group memory its kernels will use makes no
    /// difference here.
    fn hsa_queue_create(
        agent: hsa_agent_t,
        size: u32,
        type_: hsa_queue_type32_t,
        callback: Option<ErrorCallback>,
        data: *mut c_void,
        _private_segment_size: u32,
        _group_segment_size: u32,
        queue: *mut *mut hsa_queue_t,
    ) {
        let runtime = runtime()?;
        let agent = runtime.agent(agent)?;
        Out(queue).check()?;
        if !size.is_power_of_two() || type_ > HSA_QUEUE_TYPE_COOPERATIVE {
            return Err(Status::ARGUMENT);
        }
        let gpu = agent.gpu().ok_or(Status::QUEUE_CREATION)?;
        if size > *QUEUE_SIZES.end() || type_ == HSA_QUEUE_TYPE_COOPERATIVE {
            return Err(Status::QUEUE_CREATION);
        }
        if runtime.queues.count(gpu) >= QUEUES_MAX as usize {
            return Err(Status::OUT_OF_RESOURCES);
        }
        let wanted = Wanted {
            size: size.max(*QUEUE_SIZES.start()),
            kind: type_,
            features: HSA_QUEUE_FEATURE_KERNEL_DISPATCH,
            on_error: OnError::new(callback, data),
        };
        let made = runtime.create_queue(Some(gpu.clone()), None, wanted)?;
        Out(queue).set(made.address as *mut hsa_queue_t)
    }

    /// Makes a queue that the program itself processes.
    fn hsa_soft_queue_create(
        region: hsa_region_t,
        size: u32,
        type_: hsa_queue_type32_t,
        features: u32,
        doorbell_signal: hsa_signal_t,
        queue: *mut *mut hsa_queue_t,
    ) {
        let runtime = runtime()?;
        let pool = Pool::find(&runtime, region.handle).map_err(|_| Status::ARGUMENT)?;
        signal::find(doorbell_signal).ok_or(Status::SIGNAL)?;
        Out(queue).check()?;
        let known = HSA_QUEUE_FEATURE_KERNEL_DISPATCH | HSA_QUEUE_FEATURE_AGENT_DISPATCH;
        if !size.is_power_of_two()
            || size > *QUEUE_SIZES.end()
            || type_ > HSA_QUEUE_TYPE_COOPERATIVE
            || features == 0
            || features & !known != 0
            || !pool.can_allocate()
        {
            return Err(Status::ARGUMENT);
        }
        let on_error = OnError::new(None, std::ptr::null_mut());
        let wanted = Wanted { size, kind: type_, features, on_error };
        let made = runtime.create_queue(None, Some(doorbell_signal), wanted)?;
        Out(queue).set(made.address as *mut hsa_queue_t)
    }

    /// Ends a queue.
    fn hsa_queue_destroy(queue: *mut hsa_queue_t) {
        runtime()?.destroy_queue(queue)
    }

    /// Stops a queue for good; it can still be looked at.
    fn hsa_queue_inactivate(queue: *mut hsa_queue_t) {
        runtime()?.queues.find(queue)?.halt();
        Ok(())
    }

    /// Chooses how important a queue is; all of them get their share here.
    fn hsa_amd_queue_set_priority(queue: *mut hsa_queue_t, priority: hsa_amd_queue_priority_t) {
        runtime()?.queues.find(queue)?;
        match priority {
            HSA_AMD_QUEUE_PRIORITY_LOW
            | HSA_AMD_QUEUE_PRIORITY_NORMAL
            | HSA_AMD_QUEUE_PRIORITY_HIGH => Ok(()),
            _ => Err(Status::ARGUMENT),
        }
    }
}
