//! The entry points for memory: allocation, access, copies.

use std::ffi::{c_int, c_void};

use hsa_sys::later::*;
use hsa_sys::*;

use crate::agent;
use crate::border::{In, Out, entries, run, say_once};
use crate::events::{Copy, Handler, check_dependencies};
use crate::memory::Origin;
use crate::pool::Pool;
use crate::runtime::{Runtime, runtime};
use crate::signal::find;
use crate::status::{Result, Status};

/// Answers what lies at an address: a buffer, something loaded, or nothing that is known.
fn describe(runtime: &Runtime, address: u64) -> (hsa_amd_pointer_info_t, Vec<hsa_agent_t>) {
    // SAFETY: the struct holds numbers and pointers, for which zero is a value.
    let mut info: hsa_amd_pointer_info_t = unsafe { std::mem::zeroed() };
    info.size = size_of::<hsa_amd_pointer_info_t>() as u32;
    info.type_ = HSA_EXT_POINTER_TYPE_UNKNOWN;
    let mut agents = Vec::new();
    if let Some(buffer) = runtime.buffers.containing(address) {
        let owner = buffer.owner().map_or(agent::HOST, |gpu| gpu.handle());
        (info.type_, info.global_flags) = match &buffer.origin {
            Origin::Pool(pool) => (HSA_EXT_POINTER_TYPE_HSA, pool.flags()),
            Origin::Locked(_) => (HSA_EXT_POINTER_TYPE_LOCKED, 0),
        };
        info.agentBaseAddress = buffer.base as *mut c_void;
        info.hostBaseAddress = info.agentBaseAddress;
        info.sizeInBytes = buffer.len as usize;
        info.userData = buffer.user_data as *mut c_void;
        info.agentOwner = owner;
        agents.push(agent::HOST);
        agents.extend(buffer.gpus.iter().map(|gpu| gpu.handle()));
    } else if let Some((gpu, allocation)) = runtime.gpus.iter().find_map(|gpu| {
        gpu.memory
            .find(address)
            .filter(|allocation| allocation.live)
            .map(|it| (gpu, it))
    }) {
        info.type_ = HSA_EXT_POINTER_TYPE_HSA;
        info.agentBaseAddress = allocation.base as *mut c_void;
        info.hostBaseAddress = info.agentBaseAddress;
        info.sizeInBytes = allocation.len as usize;
        info.agentOwner = gpu.handle();
        info.global_flags = HSA_AMD_MEMORY_POOL_GLOBAL_FLAG_COARSE_GRAINED;
        agents.extend([agent::HOST, gpu.handle()]);
    }
    (info, agents)
}

/// Puts a copy on the list of what is to be done.
fn copy_later(
    to: *mut c_void,
    to_agent: hsa_agent_t,
    from: *const c_void,
    from_agent: hsa_agent_t,
    len: usize,
    after: Vec<hsa_signal_t>,
    completion: hsa_signal_t,
) -> Result {
    let runtime = runtime()?;
    let gpu_takes_part = [to_agent, from_agent].map(|agent| runtime.agent(agent).map(|agent| agent.gpu().is_some()));
    let [to_gpu, from_gpu] = gpu_takes_part;
    if to.is_null() || from.is_null() {
        return Err(Status::ARGUMENT);
    }
    if to_gpu? || from_gpu? {
        for address in [to as u64, from as u64] {
            runtime
                .check_range(address, len)
                .inspect_err(|_| {
                    say_once(&format!(
                        "hsa_amd_memory_async_copy: the {len} bytes at {address:#x} are neither of a pool nor locked"
                    ));
                })
                .map_err(|_| Status::ARGUMENT)?;
        }
    }
    check_dependencies(&after)?;
    if completion.handle != 0 && find(completion).is_none() {
        return Err(Status::SIGNAL);
    }
    runtime.events.copy(Copy {
        to: to as u64,
        from: from as u64,
        len,
        after,
        completion,
    });
    Ok(())
}

/// Copies at once. Addresses that no agent knows are the program's own.
fn copy_now(to: *mut c_void, from: *const c_void, len: usize) -> Result {
    let runtime = runtime()?;
    if len == 0 {
        return Ok(());
    }
    if to.is_null() || from.is_null() {
        return Err(Status::ARGUMENT);
    }
    for address in [to as u64, from as u64] {
        if runtime.find(address).is_some() {
            runtime.check_range(address, len).map_err(|_| Status::ARGUMENT)?;
        }
    }
    // SAFETY: either the range lies in a live allocation, or the caller answers for it.
    unsafe { emulator::memory::copy(from.cast::<u8>(), to.cast::<u8>(), len) };
    Ok(())
}

entries! {
    /// Allocates memory of a pool.
    fn hsa_amd_memory_pool_allocate(
        memory_pool: hsa_amd_memory_pool_t,
        size: usize,
        flags: u32,
        ptr: *mut *mut c_void,
    ) {
        let runtime = runtime()?;
        let pool = Pool::find(&runtime, memory_pool.handle)?;
        Out(ptr).check()?;
        // Flags of later versions ask for particular pages or uses, which are all the same here.
        let _ = flags;
        Out(ptr).set(runtime.allocate(pool, size)? as *mut c_void)
    }

    /// Frees memory of a pool.
    fn hsa_amd_memory_pool_free(ptr: *mut c_void) {
        let runtime = runtime()?;
        if ptr.is_null() {
            return Err(Status::ARGUMENT);
        }
        runtime.free(ptr as u64)
    }

    /// Lets agents use memory of a pool, and nobody else but its owner.
    fn hsa_amd_agents_allow_access(
        num_agents: u32,
        agents: *const hsa_agent_t,
        flags: *const u32,
        ptr: *const c_void,
    ) {
        let runtime = runtime()?;
        if num_agents == 0 || ptr.is_null() || !flags.is_null() {
            return Err(Status::ARGUMENT);
        }
        runtime.allow_access(ptr as u64, &In(agents).list(num_agents as usize)?)
    }

    /// Allocates memory of a region: all agents may use it.
    fn hsa_memory_allocate(region: hsa_region_t, size: usize, ptr: *mut *mut c_void) {
        let runtime = runtime()?;
        let pool = Pool::find(&runtime, region.handle).map_err(|_| Status::REGION)?;
        Out(ptr).check()?;
        let of_host = pool.agent.gpu().is_none();
        let base = runtime.allocate(pool, size)?;
        if of_host {
            let all: Vec<_> = runtime.gpus.iter().map(|gpu| gpu.handle()).collect();
            runtime.allow_access(base, &all)?;
        }
        Out(ptr).set(base as *mut c_void)
    }

    /// Frees memory of a region; null is fine.
    fn hsa_memory_free(ptr: *mut c_void) {
        let runtime = runtime()?;
        if ptr.is_null() { Ok(()) } else { runtime.free(ptr as u64) }
    }

    /// Copies at once, between any addresses that the host can use.
    fn hsa_memory_copy(dst: *mut c_void, src: *const c_void, size: usize) {
        copy_now(dst, src, size)
    }

    /// Gives memory to an agent: every agent that has access may use it anyway.
    fn hsa_memory_assign_agent(
        ptr: *mut c_void,
        agent: hsa_agent_t,
        access: hsa_access_permission_t,
    ) {
        let runtime = runtime()?;
        runtime.agent(agent)?;
        let known = [HSA_ACCESS_PERMISSION_RO, HSA_ACCESS_PERMISSION_WO, HSA_ACCESS_PERMISSION_RW];
        if ptr.is_null() || !known.contains(&access) {
            return Err(Status::ARGUMENT);
        }
        Ok(())
    }

    /// Lets all GPUs use the program's own memory.
    fn hsa_memory_register(ptr: *mut c_void, size: usize) {
        let runtime = runtime()?;
        if ptr.is_null() || size == 0 {
            return Err(Status::ARGUMENT);
        }
        runtime.lock_memory(ptr as u64, size, &[])
    }

    /// Ends that.
    fn hsa_memory_deregister(ptr: *mut c_void, _size: usize) {
        runtime()?.unlock_memory(ptr as u64);
        Ok(())
    }

    /// Lets agents (none named: all) use the program's own memory.
    fn hsa_amd_memory_lock(
        host_ptr: *mut c_void,
        size: usize,
        agents: *mut hsa_agent_t,
        num_agent: c_int,
        agent_ptr: *mut *mut c_void,
    ) {
        let runtime = runtime()?;
        Out(agent_ptr).check()?;
        Out(agent_ptr).set(std::ptr::null_mut())?;
        let count = usize::try_from(num_agent).map_err(|_| Status::ARGUMENT)?;
        if host_ptr.is_null() || size == 0 || agents.is_null() != (count == 0) {
            return Err(Status::ARGUMENT);
        }
        runtime.lock_memory(host_ptr as u64, size, &In(agents.cast_const()).list(count)?)?;
        Out(agent_ptr).set(host_ptr)
    }

    /// As `hsa_amd_memory_lock`; which pool of the host makes no difference.
    fn hsa_amd_memory_lock_to_pool(
        host_ptr: *mut c_void,
        size: usize,
        agents: *mut hsa_agent_t,
        num_agent: c_int,
        pool: hsa_amd_memory_pool_t,
        flags: u32,
        agent_ptr: *mut *mut c_void,
    ) {
        let runtime = runtime()?;
        if Pool::find(&runtime, pool.handle)?.agent.gpu().is_some() || flags != 0 {
            return Err(Status::ARGUMENT);
        }
        Out(agent_ptr).check()?;
        let count = usize::try_from(num_agent).map_err(|_| Status::ARGUMENT)?;
        if host_ptr.is_null() || size == 0 || agents.is_null() != (count == 0) {
            return Err(Status::ARGUMENT);
        }
        runtime.lock_memory(host_ptr as u64, size, &In(agents.cast_const()).list(count)?)?;
        Out(agent_ptr).set(host_ptr)
    }

    /// Ends a lock.
    fn hsa_amd_memory_unlock(host_ptr: *mut c_void) {
        runtime()?.unlock_memory(host_ptr as u64);
        Ok(())
    }

    /// Fills memory with a 32-bit value.
    fn hsa_amd_memory_fill(ptr: *mut c_void, value: u32, count: usize) {
        let runtime = runtime()?;
        if ptr.is_null() || !(ptr as usize).is_multiple_of(size_of::<u32>()) {
            return Err(Status::ARGUMENT);
        }
        if count == 0 {
            return Ok(());
        }
        let len = count.checked_mul(size_of::<u32>()).ok_or(Status::ARGUMENT)?;
        runtime.check_range(ptr as u64, len)?;
        for at in 0..count {
            // SAFETY: the range lies in a live allocation and is aligned; see `Copy::perform`.
            unsafe { ptr.cast::<u32>().add(at).write_volatile(value) }
        }
        Ok(())
    }

    /// Copies when the dependencies are 0, and then decrements a signal.
    fn hsa_amd_memory_async_copy(
        dst: *mut c_void,
        dst_agent: hsa_agent_t,
        src: *const c_void,
        src_agent: hsa_agent_t,
        size: usize,
        num_dep_signals: u32,
        dep_signals: *const hsa_signal_t,
        completion_signal: hsa_signal_t,
    ) {
        let after = In(dep_signals).list(num_dep_signals as usize)?;
        copy_later(dst, dst_agent, src, src_agent, size, after, completion_signal)
    }

    /// Says what lies at an address, and who can use it.
    fn hsa_amd_pointer_info(
        ptr: *const c_void,
        info: *mut hsa_amd_pointer_info_t,
        alloc: Option<unsafe extern "C" fn(arg1: usize) -> *mut c_void>,
        num_agents_accessible: *mut u32,
        accessible: *mut *mut hsa_agent_t,
    ) {
        let runtime = runtime()?;
        // Programs compiled for an older version have room for fewer fields, and say so.
        // SAFETY: the caller's struct begins with its size.
        let room = In(unsafe { &raw const (*info).size }).get()? as usize;
        let whole = size_of::<hsa_amd_pointer_info_t>();
        if ptr.is_null() || room < 4 {
            return Err(Status::ARGUMENT);
        }
        let (mut answer, agents) = describe(&runtime, ptr as u64);
        answer.size = room.min(whole) as u32;
        // SAFETY: the caller has `room` bytes there.
        unsafe {
            std::ptr::copy_nonoverlapping(
                (&raw const answer).cast::<u8>(),
                info.cast::<u8>(),
                room.min(whole),
            );
        }
        let Some(alloc) = alloc else { return Ok(()) };
        Out(num_agents_accessible).check()?;
        Out(accessible).check()?;
        if agents.is_empty() {
            Out(accessible).set(std::ptr::null_mut())?;
            return Out(num_agents_accessible).set(0);
        }
        // SAFETY: the program's function, called as the interface says.
        let list = unsafe { alloc(size_of_val(&*agents)) }.cast::<hsa_agent_t>();
        if list.is_null() {
            return Err(Status::OUT_OF_RESOURCES);
        }
        for (at, agent) in agents.iter().enumerate() {
            // SAFETY: the function returned memory for as many.
            unsafe { list.add(at).write_unaligned(*agent) }
        }
        Out(accessible).set(list)?;
        Out(num_agents_accessible).set(agents.len() as u32)
    }

    /// Keeps an address of the program's with a buffer.
    fn hsa_amd_pointer_info_set_userdata(ptr: *const c_void, userdata: *mut c_void) {
        runtime()?
            .set_user_data(ptr as u64, userdata as usize)
            .map_err(|_| Status::ARGUMENT)
    }

    /// Has a function called when a buffer is freed.
    fn hsa_amd_register_deallocation_callback(
        ptr: *mut c_void,
        callback: hsa_amd_deallocation_callback_t,
        user_data: *mut c_void,
    ) {
        runtime()?.add_farewell(ptr as u64, callback.ok_or(Status::ARGUMENT)?, user_data)
    }

    /// Takes that back.
    fn hsa_amd_deregister_deallocation_callback(
        ptr: *mut c_void,
        callback: hsa_amd_deallocation_callback_t,
    ) {
        runtime()?
            .remove_farewell(ptr as u64, callback.ok_or(Status::ARGUMENT)?)
            .map_err(|_| Status::ARGUMENT)
    }

    /// Registers the one function that is told of memory faults.
    fn hsa_amd_register_system_event_handler(
        callback: hsa_amd_system_event_callback_t,
        data: *mut c_void,
    ) {
        let runtime = runtime()?;
        let callback = callback.ok_or(Status::ARGUMENT)?;
        let mut handler = crate::border::lock(&runtime.fault_handler);
        if handler.is_some() {
            return Err(Status::ERROR);
        }
        *handler = Some(Handler::new(callback, data));
        Ok(())
    }
}

/// As `hsa_amd_memory_async_copy`; the engines are all the same.
///
/// # Safety
/// Pointers are null or lead to what the public interface says.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hsa_amd_memory_async_copy_on_engine(
    dst: *mut c_void,
    dst_agent: hsa_agent_t,
    src: *const c_void,
    src_agent: hsa_agent_t,
    size: usize,
    num_dep_signals: u32,
    dep_signals: *const hsa_signal_t,
    completion_signal: hsa_signal_t,
    engine_id: hsa_amd_sdma_engine_id_t,
    _force_copy_on_sdma: bool,
) -> hsa_status_t {
    run("hsa_amd_memory_async_copy_on_engine", || {
        if !engine_id.is_power_of_two() {
            return Err(Status::ARGUMENT);
        }
        let after = In(dep_signals).list(num_dep_signals as usize)?;
        copy_later(dst, dst_agent, src, src_agent, size, after, completion_signal)
    })
}

const _: HsaAmdMemoryAsyncCopyOnEngine = hsa_amd_memory_async_copy_on_engine;
