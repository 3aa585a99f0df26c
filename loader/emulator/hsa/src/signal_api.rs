//! The entry points for signals.

use std::ffi::{c_int, c_void};
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

use hsa_sys::*;

use crate::border::{In, Out, entries, values};
use crate::handle::{Kind, Table};
use crate::runtime::runtime;
use crate::signal::{self, find, find_or_say, meets};
use crate::status::{Result, Status};
use crate::wait::{SOON, changed, wait_until};

/// Defines one operation on signals under all the names that it has for memory orders.
macro_rules! operation {
    ($doc:literal, $arguments:tt -> $result:ty, $body:block $($name:ident: $order:ident)*) => {
        $(one_operation! { $doc, $name: $order, $arguments -> $result, $body })*
    };
}

/// One name of [`operation!`].
macro_rules! one_operation {
    ($doc:literal, $name:ident: $order:ident,
     ($signal:ident, $ordering:ident $(, $argument:ident)*) -> $result:ty, $body:block) => {
        values! {
            #[doc = $doc]
            fn $name(signal: hsa_signal_t $(, $argument: hsa_signal_value_t)*) -> $result {
                let Some($signal) = find_or_say(signal, stringify!($name)) else {
                    return Default::default();
                };
                let $ordering = Ordering::$order;
                $body
            }
            else Default::default();
        }
    };
}

operation! { "Reads the value.", (signal, order) -> hsa_signal_value_t, { signal.value.load(order) }
    hsa_signal_load_scacquire: Acquire hsa_signal_load_acquire: Acquire
    hsa_signal_load_relaxed: Relaxed
}

operation! { "Sets the value and wakes who waits for it.", (signal, order, value) -> (), {
        signal.store(value, order);
        changed();
    }
    hsa_signal_store_screlease: Release hsa_signal_store_release: Release
    hsa_signal_store_relaxed: Relaxed
}

operation! { "Sets the value; who waits for it may see it late.", (signal, order, value) -> (), {
        signal.store(value, order);
    }
    hsa_signal_silent_store_screlease: Release hsa_signal_silent_store_relaxed: Relaxed
}

operation! { "Sets the value and returns the old one.", (signal, order, value) -> hsa_signal_value_t, {
        let old = signal.value.swap(value, order);
        changed();
        old
    }
    hsa_signal_exchange_scacq_screl: SeqCst hsa_signal_exchange_acq_rel: AcqRel
    hsa_signal_exchange_scacquire: Acquire hsa_signal_exchange_acquire: Acquire
    hsa_signal_exchange_screlease: Release hsa_signal_exchange_release: Release
    hsa_signal_exchange_relaxed: Relaxed
}

/// The order of a failed compare-and-swap: it only reads.
fn of_failure(order: Ordering) -> Ordering {
    match order {
        Ordering::AcqRel => Ordering::Acquire,
        Ordering::Release => Ordering::Relaxed,
        order => order,
    }
}

operation! { "Sets the value if it is the expected one, and returns the old one.",
    (signal, order, expected, value) -> hsa_signal_value_t, {
        let done = signal.value.compare_exchange(expected, value, order, of_failure(order));
        changed();
        done.unwrap_or_else(|found| found)
    }
    hsa_signal_cas_scacq_screl: SeqCst hsa_signal_cas_acq_rel: AcqRel
    hsa_signal_cas_scacquire: Acquire hsa_signal_cas_acquire: Acquire
    hsa_signal_cas_screlease: Release hsa_signal_cas_release: Release
    hsa_signal_cas_relaxed: Relaxed
}

operation! { "Adds to the value.", (signal, order, value) -> (), {
        signal.value.fetch_add(value, order);
        changed();
    }
    hsa_signal_add_scacq_screl: SeqCst hsa_signal_add_acq_rel: AcqRel
    hsa_signal_add_scacquire: Acquire hsa_signal_add_acquire: Acquire
    hsa_signal_add_screlease: Release hsa_signal_add_release: Release
    hsa_signal_add_relaxed: Relaxed
}

operation! { "Subtracts from the value.", (signal, order, value) -> (), {
        signal.value.fetch_sub(value, order);
        changed();
    }
    hsa_signal_subtract_scacq_screl: SeqCst hsa_signal_subtract_acq_rel: AcqRel
    hsa_signal_subtract_scacquire: Acquire hsa_signal_subtract_acquire: Acquire
    hsa_signal_subtract_screlease: Release hsa_signal_subtract_release: Release
    hsa_signal_subtract_relaxed: Relaxed
}

operation! { "Keeps the bits of the value that are set in another.", (signal, order, value) -> (), {
        signal.value.fetch_and(value, order);
        changed();
    }
    hsa_signal_and_scacq_screl: SeqCst hsa_signal_and_acq_rel: AcqRel
    hsa_signal_and_scacquire: Acquire hsa_signal_and_acquire: Acquire
    hsa_signal_and_screlease: Release hsa_signal_and_release: Release
    hsa_signal_and_relaxed: Relaxed
}

operation! { "Sets bits of the value.", (signal, order, value) -> (), {
        signal.value.fetch_or(value, order);
        changed();
    }
    hsa_signal_or_scacq_screl: SeqCst hsa_signal_or_acq_rel: AcqRel
    hsa_signal_or_scacquire: Acquire hsa_signal_or_acquire: Acquire
    hsa_signal_or_screlease: Release hsa_signal_or_release: Release
    hsa_signal_or_relaxed: Relaxed
}

operation! { "Flips bits of the value.", (signal, order, value) -> (), {
        signal.value.fetch_xor(value, order);
        changed();
    }
    hsa_signal_xor_scacq_screl: SeqCst hsa_signal_xor_acq_rel: AcqRel
    hsa_signal_xor_scacquire: Acquire hsa_signal_xor_acquire: Acquire
    hsa_signal_xor_screlease: Release hsa_signal_xor_release: Release
    hsa_signal_xor_relaxed: Relaxed
}

/// When a wait ends whose hint is in ticks of the system clock, which count nanoseconds.
fn deadline(hint: u64) -> Option<Instant> {
    Instant::now()
        .checked_add(Duration::from_nanos(hint))
        .filter(|_| hint != u64::MAX)
}

/// Waits for a signal; returns its last value, 0 if it is none.
fn wait(
    handle: hsa_signal_t,
    condition: hsa_signal_condition_t,
    with: i64,
    timeout: u64,
    hint: hsa_wait_state_t,
    entry: &str,
) -> i64 {
    let Some(signal) = find_or_say(handle, entry) else {
        return 0;
    };
    let active = hint == HSA_WAIT_STATE_ACTIVE;
    let seen = wait_until(deadline(timeout), active, SOON, || {
        let value = signal.value.load(Ordering::Acquire);
        let over = find(handle).is_none() || meets(value, condition, with).unwrap_or(true);
        over.then_some(value)
    });
    seen.unwrap_or_else(|| signal.value.load(Ordering::Acquire))
}

/// One of several signals to wait for.
struct Wanted {
    handle: hsa_signal_t,
    condition: hsa_signal_condition_t,
    with: i64,
}

/// Waits for the first of several signals; returns its position and value.
fn wait_any(wanted: &[Wanted], timeout: u64, hint: hsa_wait_state_t) -> Option<(usize, i64)> {
    wait_until(deadline(timeout), hint == HSA_WAIT_STATE_ACTIVE, SOON, || {
        wanted.iter().enumerate().find_map(|(at, one)| {
            let value = find(one.handle)?.value.load(Ordering::Acquire);
            let met = meets(value, one.condition, one.with).unwrap_or(true);
            met.then_some((at, value))
        })
    })
}

/// Pairs signals with what they are waited for.
fn wanted(
    signals: &[hsa_signal_t],
    conditions: *const hsa_signal_condition_t,
    values: *const i64,
) -> Result<Vec<Wanted>> {
    let conditions = In(conditions).list(signals.len())?;
    let values = In(values).list(signals.len())?;
    let parts = signals.iter().zip(conditions).zip(values);
    Ok(parts
        .map(|((handle, condition), with)| Wanted {
            handle: *handle,
            condition,
            with,
        })
        .collect())
}

macro_rules! waits {
    ($($name:ident)*) => {
        values! {$(
            /// Waits until the value meets a condition or the time is up; returns the value.
            fn $name(
                signal: hsa_signal_t,
                condition: hsa_signal_condition_t,
                compare_value: hsa_signal_value_t,
                timeout_hint: u64,
                wait_state_hint: hsa_wait_state_t,
            ) -> hsa_signal_value_t {
                let entry = stringify!($name);
                wait(signal, condition, compare_value, timeout_hint, wait_state_hint, entry)
            }
            else 0;
        )*}
    };
}

waits! { hsa_signal_wait_scacquire hsa_signal_wait_acquire hsa_signal_wait_relaxed }

values! {
    /// Waits until one of several signals meets its condition; returns its position, or the
    /// highest number when the time is up.
    fn hsa_amd_signal_wait_any(
        signal_count: u32,
        signals: *mut hsa_signal_t,
        conds: *mut hsa_signal_condition_t,
        values: *mut hsa_signal_value_t,
        timeout_hint: u64,
        wait_hint: hsa_wait_state_t,
        satisfying_value: *mut hsa_signal_value_t,
    ) -> u32 {
        let wanted = In(signals.cast_const())
            .list(signal_count as usize)
            .and_then(|signals| wanted(&signals, conds, values));
        match wanted.map(|wanted| wait_any(&wanted, timeout_hint, wait_hint)) {
            Ok(Some((at, value))) => {
                Out(satisfying_value).set_if_wanted(value);
                at as u32
            }
            _ => u32::MAX,
        }
    }
    else u32::MAX;
}

static GROUPS: Table<Vec<hsa_signal_t>> = Table::new(Kind::SignalGroup);

fn wait_group(
    group: hsa_signal_group_t,
    conditions: *const hsa_signal_condition_t,
    values: *const i64,
    hint: hsa_wait_state_t,
    signal: *mut hsa_signal_t,
    value: *mut i64,
) -> Result {
    runtime()?;
    let signals = GROUPS.get(group.handle).ok_or(Status::SIGNAL_GROUP)?;
    let wanted = wanted(&signals, conditions, values)?;
    Out(signal).check()?;
    Out(value).check()?;
    let (at, found) = wait_any(&wanted, u64::MAX, hint).ok_or(Status::ERROR)?;
    Out(signal).set(signals[at])?;
    Out(value).set(found)
}

entries! {
    /// Makes a signal. Who will wait for it makes no difference here.
    fn hsa_signal_create(
        initial_value: hsa_signal_value_t,
        num_consumers: u32,
        consumers: *const hsa_agent_t,
        signal: *mut hsa_signal_t,
    ) {
        let runtime = runtime()?;
        Out(signal).check()?;
        for consumer in In(consumers).list(num_consumers as usize)? {
            runtime.agent(consumer)?;
        }
        Out(signal).set(signal::create(initial_value)?)
    }

    /// Makes a signal; between processes it cannot be shared.
    fn hsa_amd_signal_create(
        initial_value: hsa_signal_value_t,
        num_consumers: u32,
        consumers: *const hsa_agent_t,
        attributes: u64,
        signal: *mut hsa_signal_t,
    ) {
        let runtime = runtime()?;
        Out(signal).check()?;
        for consumer in In(consumers).list(num_consumers as usize)? {
            runtime.agent(consumer)?;
        }
        if attributes & !u64::from(HSA_AMD_SIGNAL_AMD_GPU_ONLY) != 0 {
            return Err(Status::ARGUMENT);
        }
        Out(signal).set(signal::create(initial_value)?)
    }

    /// Ends a signal.
    fn hsa_signal_destroy(signal: hsa_signal_t) {
        runtime()?;
        if signal.handle == 0 {
            return Err(Status::ARGUMENT);
        }
        signal::destroy(signal)
    }

    /// Says where the value lies.
    fn hsa_amd_signal_value_pointer(
        signal: hsa_signal_t,
        value_ptr: *mut *mut hsa_signal_value_t,
    ) {
        runtime()?;
        Out(value_ptr).set(find(signal).ok_or(Status::SIGNAL)?.value.as_ptr())
    }

    /// Has a function called when a signal meets a condition, and again as long as it returns true.
    fn hsa_amd_signal_async_handler(
        signal: hsa_signal_t,
        cond: hsa_signal_condition_t,
        value: hsa_signal_value_t,
        handler: hsa_amd_signal_handler,
        arg: *mut c_void,
    ) {
        let runtime = runtime()?;
        find(signal).ok_or(Status::SIGNAL)?;
        meets(0, cond, 0)?;
        runtime.events.on_signal(signal, cond, value, handler.ok_or(Status::ARGUMENT)?, arg);
        Ok(())
    }

    /// Has a function called from the thread that calls signal handlers.
    fn hsa_amd_async_function(
        callback: Option<unsafe extern "C" fn(arg: *mut c_void)>,
        arg: *mut c_void,
    ) {
        runtime()?.events.call(callback.ok_or(Status::ARGUMENT)?, arg);
        Ok(())
    }

    /// Makes a group of signals to wait for together.
    fn hsa_signal_group_create(
        num_signals: u32,
        signals: *const hsa_signal_t,
        num_consumers: u32,
        consumers: *const hsa_agent_t,
        signal_group: *mut hsa_signal_group_t,
    ) {
        let runtime = runtime()?;
        let signals = In(signals).list(num_signals as usize)?;
        Out(signal_group).check()?;
        for consumer in In(consumers).list(num_consumers as usize)? {
            runtime.agent(consumer)?;
        }
        if signals.is_empty() || signals.iter().any(|signal| find(*signal).is_none()) {
            return Err(Status::ARGUMENT);
        }
        Out(signal_group).set(hsa_signal_group_t { handle: GROUPS.insert(signals) })
    }

    /// Ends a group; its signals live on.
    fn hsa_signal_group_destroy(signal_group: hsa_signal_group_t) {
        runtime()?;
        GROUPS.remove(signal_group.handle).map(drop).ok_or(Status::SIGNAL_GROUP)
    }

    /// Waits until one signal of a group meets its condition.
    fn hsa_signal_group_wait_any_scacquire(
        signal_group: hsa_signal_group_t,
        conditions: *const hsa_signal_condition_t,
        compare_values: *const hsa_signal_value_t,
        wait_state_hint: hsa_wait_state_t,
        signal: *mut hsa_signal_t,
        value: *mut hsa_signal_value_t,
    ) {
        wait_group(signal_group, conditions, compare_values, wait_state_hint, signal, value)
    }

    /// Waits until one signal of a group meets its condition.
    fn hsa_signal_group_wait_any_relaxed(
        signal_group: hsa_signal_group_t,
        conditions: *const hsa_signal_condition_t,
        compare_values: *const hsa_signal_value_t,
        wait_state_hint: hsa_wait_state_t,
        signal: *mut hsa_signal_t,
        value: *mut hsa_signal_value_t,
    ) {
        wait_group(signal_group, conditions, compare_values, wait_state_hint, signal, value)
    }

    /// Turns profiling of a queue's packets on or off. The emulator always takes the times.
    fn hsa_amd_profiling_set_profiler_enabled(queue: *mut hsa_queue_t, _enable: c_int) {
        runtime()?.queues.find(queue).map(drop)
    }

    /// Turns profiling of copies on or off. The emulator always takes the times.
    fn hsa_amd_profiling_async_copy_enable(_enable: bool) {
        runtime().map(drop)
    }

    /// Says when the packet started and ended that completed a signal.
    fn hsa_amd_profiling_get_dispatch_time(
        agent: hsa_agent_t,
        signal: hsa_signal_t,
        time: *mut hsa_amd_profiling_dispatch_time_t,
    ) {
        runtime()?.agent(agent)?;
        let signal = find(signal).ok_or(Status::SIGNAL)?;
        Out(time).set(hsa_amd_profiling_dispatch_time_t {
            start: signal.started.load(Ordering::Relaxed),
            end: signal.ended.load(Ordering::Relaxed),
        })
    }

    /// Says when the copy started and ended that completed a signal.
    fn hsa_amd_profiling_get_async_copy_time(
        signal: hsa_signal_t,
        time: *mut hsa_amd_profiling_async_copy_time_t,
    ) {
        runtime()?;
        let signal = find(signal).ok_or(Status::SIGNAL)?;
        Out(time).set(hsa_amd_profiling_async_copy_time_t {
            start: signal.started.load(Ordering::Relaxed),
            end: signal.ended.load(Ordering::Relaxed),
        })
    }

    /// Turns an agent's tick into one of the system: packets are timed in the latter already.
    fn hsa_amd_profiling_convert_tick_to_system_domain(
        agent: hsa_agent_t,
        agent_tick: u64,
        system_tick: *mut u64,
    ) {
        runtime()?.agent(agent)?;
        Out(system_tick).set(agent_tick)
    }
}
