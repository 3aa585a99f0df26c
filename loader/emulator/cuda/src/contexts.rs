//! Entry points of contexts: the shared one of each device, own ones, and which is current.

use std::ffi::{c_int, c_uint, c_void};
use std::sync::Arc;
use std::sync::atomic::Ordering;

use crate::border::{In, Out, entries};
use crate::context::{self, CONTEXTS, Context};
use crate::device::Device;
use crate::driver::driver;
use crate::lock;
use crate::status::{Result, Status};

/// All flags that a context may have.
const FLAGS: c_uint = 0xff;
/// Those that say how to wait: at most one of spin (1), yield (2) and block (4).
const WAIT_FLAGS: c_uint = 0x07;
/// The version of contexts, as `cuCtxGetApiVersion` counts.
const API_VERSION: c_uint = 3020;
/// Most stack of one thread, bytes: what a device has of local memory per thread.
const MOST_STACK: usize = 512 << 10;

fn check_flags(flags: c_uint) -> Result {
    match (flags & !FLAGS, flags & WAIT_FLAGS) {
        (0, 0 | 1 | 2 | 4) => Ok(()),
        _ => Err(Status::INVALID_VALUE),
    }
}

fn create(context: Out<usize>, flags: c_uint, device: c_int) -> Result {
    context.check()?;
    check_flags(flags)?;
    let new = Context::create(driver()?.device(device)?, flags, false);
    context::push_current(new.handle)?;
    context.set(new.handle)
}

fn retain_primary(device: &Arc<Device>) -> usize {
    let mut primary = lock(&device.primary);
    primary.users += 1;
    let flags = primary.flags;
    primary
        .context
        .get_or_insert_with(|| Context::create(device, flags, true))
        .handle
}

/// Properties of a context that can be set, by the numbers of the public interface.
mod limit {
    pub const STACK_SIZE: u32 = 0;
    pub const PRINTF_FIFO_SIZE: u32 = 1;
    pub const MALLOC_HEAP_SIZE: u32 = 2;
    pub const DEV_RUNTIME_SYNC_DEPTH: u32 = 3;
    pub const DEV_RUNTIME_PENDING_LAUNCH_COUNT: u32 = 4;
    pub const MAX_L2_FETCH_GRANULARITY: u32 = 5;
    pub const PERSISTING_L2_CACHE_SIZE: u32 = 6;
    pub const LAST: u32 = 10;
}

entries! {
    /// The context that all users of the device share.
    fn cuDevicePrimaryCtxRetain(context: Out<usize>, device: c_int) {
        context.check()?;
        context.set(retain_primary(driver()?.device(device)?))
    }

    /// Gives the shared context back; the last one to do so destroys it.
    fn cuDevicePrimaryCtxRelease_v2 | cuDevicePrimaryCtxRelease(device: c_int) {
        let mut primary = lock(&driver()?.device(device)?.primary);
        primary.users = primary.users.checked_sub(1).ok_or(Status::INVALID_CONTEXT)?;
        let last = if primary.users == 0 { primary.context.take() } else { None };
        drop(primary);
        if let Some(context) = last {
            context.destroy();
        }
        Ok(())
    }

    /// Destroys the shared context, however many users it has; this also ends a fault. Whoever
    /// retains it next gets a fresh one.
    fn cuDevicePrimaryCtxReset_v2 | cuDevicePrimaryCtxReset(device: c_int) {
        let old = lock(&driver()?.device(device)?.primary).context.take();
        if let Some(context) = old {
            context.destroy();
        }
        Ok(())
    }

    /// Sets the flags of the shared context.
    fn cuDevicePrimaryCtxSetFlags_v2 | cuDevicePrimaryCtxSetFlags(device: c_int, flags: c_uint) {
        check_flags(flags)?;
        let mut primary = lock(&driver()?.device(device)?.primary);
        primary.flags = flags;
        if let Some(context) = &primary.context {
            context.flags.store(flags, Ordering::Relaxed);
        }
        Ok(())
    }

    /// Flags of the shared context, and whether it exists.
    fn cuDevicePrimaryCtxGetState(device: c_int, flags: Out<c_uint>, active: Out<c_int>) {
        let primary = lock(&driver()?.device(device)?.primary);
        flags.set_if_wanted(primary.flags);
        active.set_if_wanted(primary.context.is_some().into());
        Ok(())
    }

    /// Creates a context and makes it current.
    fn cuCtxCreate_v2 | cuCtxCreate(context: Out<usize>, flags: c_uint, device: c_int) {
        create(context, flags, device)
    }

    /// As `cuCtxCreate_v2`; affinity to a part of the multiprocessors is not there.
    fn cuCtxCreate_v3(
        context: Out<usize>,
        affinities: In<c_void>,
        count: c_int,
        flags: c_uint,
        device: c_int,
    ) {
        if count != 0 || !affinities.0.is_null() {
            return Err(Status::UNSUPPORTED_EXEC_AFFINITY);
        }
        create(context, flags, device)
    }

    /// As `cuCtxCreate_v2`; parameters for affinity or graphics are not there.
    fn cuCtxCreate_v4(
        context: Out<usize>,
        parameters: In<[usize; 3]>,
        flags: c_uint,
        device: c_int,
    ) {
        // A pointer, a number and a pointer, all of which may be nothing.
        if parameters.optional().is_some_and(|[list, count, graphics]| {
            list != 0 || count as u32 != 0 || graphics != 0
        }) {
            return Err(Status::NOT_SUPPORTED);
        }
        create(context, flags, device)
    }

    /// Destroys a context that was created, and all that belongs to it.
    fn cuCtxDestroy_v2 | cuCtxDestroy | cuCtxDetach(context: usize) {
        let context = context::by_handle_even_if_faulted(context)?;
        if context.is_primary {
            return Err(Status::INVALID_CONTEXT);
        }
        // A thread that is ending has no current context that could be replaced.
        if context::current_handle() == Ok(Some(context.handle)) {
            context::pop_current()?;
        }
        context.destroy();
        Ok(())
    }

    /// Attaching by counting users ended long ago; the current context can be had all the same.
    fn cuCtxAttach(context: Out<usize>, flags: c_uint) {
        if flags != 0 {
            return Err(Status::INVALID_VALUE);
        }
        context.set(context::current()?.handle)
    }

    /// Makes a context current and keeps the one before.
    fn cuCtxPushCurrent_v2 | cuCtxPushCurrent(context: usize) {
        context::push_current(context::by_handle_even_if_faulted(context)?.handle)
    }

    /// Makes the context before the current one current again.
    fn cuCtxPopCurrent_v2 | cuCtxPopCurrent(context: Out<usize>) {
        driver()?;
        let popped = context::pop_current()?.ok_or(Status::INVALID_CONTEXT)?;
        context.set_if_wanted(popped);
        Ok(())
    }

    /// Puts a context in the place of the current one; null only takes that one away.
    fn cuCtxSetCurrent(context: usize) {
        driver()?;
        if context != 0 {
            context::by_handle_even_if_faulted(context)?;
        }
        context::pop_current()?;
        if context == 0 { Ok(()) } else { context::push_current(context) }
    }

    /// The current context, or null.
    fn cuCtxGetCurrent(context: Out<usize>) {
        driver()?;
        context.set(context::current_handle()?.unwrap_or(0))
    }

    /// The device of the current context.
    fn cuCtxGetDevice(device: Out<c_int>) {
        device.set(context::current_even_if_faulted()?.device.ordinal as c_int)
    }

    /// The device of a context; null means the current one.
    fn cuCtxGetDevice_v2(device: Out<c_int>, context: usize) {
        device.set(this_or_current(context)?.device.ordinal as c_int)
    }

    /// The flags of the current context.
    fn cuCtxGetFlags(flags: Out<c_uint>) {
        flags.set(context::current()?.flags.load(Ordering::Relaxed))
    }

    /// Sets the flags of the current context.
    fn cuCtxSetFlags(flags: c_uint) {
        check_flags(flags)?;
        context::current()?.flags.store(flags, Ordering::Relaxed);
        Ok(())
    }

    /// A number that no other context of the process has; null means the current one.
    fn cuCtxGetId(context: usize, id: Out<u64>) {
        id.set(this_or_current(context)?.id)
    }

    /// The version that a context was created for; null means the current one.
    fn cuCtxGetApiVersion(context: usize, version: Out<c_uint>) {
        this_or_current(context)?;
        version.set(API_VERSION)
    }

    /// Waits for all work of the current context.
    fn cuCtxSynchronize() {
        context::current()?.synchronize()
    }

    /// Waits for all work of a context; null means the current one.
    fn cuCtxSynchronize_v2(context: usize) {
        this_or_current(context)?.synchronize()
    }

    /// Sets how much the threads of a kernel get.
    fn cuCtxSetLimit(which: c_uint, value: usize) {
        let context = context::current()?;
        match which {
            limit::STACK_SIZE if value > MOST_STACK => return Err(Status::INVALID_VALUE),
            limit::STACK_SIZE => {
                // Real stacks come in pieces of 16 bytes.
                context.stack_limit.store(value.next_multiple_of(16), Ordering::Relaxed);
            }
            limit::PRINTF_FIFO_SIZE => context.printf_limit.store(value, Ordering::Relaxed),
            limit::MALLOC_HEAP_SIZE => context.device.memory.set_heap_limit(value as u64),
            limit::MAX_L2_FETCH_GRANULARITY | limit::PERSISTING_L2_CACHE_SIZE => {}
            which if which <= limit::LAST => return Err(Status::UNSUPPORTED_LIMIT),
            _ => return Err(Status::INVALID_VALUE),
        }
        Ok(())
    }

    /// How much the threads of a kernel get.
    fn cuCtxGetLimit(value: Out<usize>, which: c_uint) {
        let context = context::current()?;
        value.set(match which {
            limit::STACK_SIZE => context.stack_limit.load(Ordering::Relaxed),
            limit::PRINTF_FIFO_SIZE => context.printf_limit.load(Ordering::Relaxed),
            limit::MALLOC_HEAP_SIZE => context.device.memory.heap_limit() as usize,
            limit::MAX_L2_FETCH_GRANULARITY => 64,
            limit::PERSISTING_L2_CACHE_SIZE => 0,
            limit::DEV_RUNTIME_SYNC_DEPTH | limit::DEV_RUNTIME_PENDING_LAUNCH_COUNT => {
                return Err(Status::UNSUPPORTED_LIMIT);
            }
            which if which <= limit::LAST => return Err(Status::UNSUPPORTED_LIMIT),
            _ => return Err(Status::INVALID_VALUE),
        })
    }

    /// A preference that changes nothing here.
    fn cuCtxSetCacheConfig(config: c_uint) {
        if config > 3 {
            return Err(Status::INVALID_VALUE);
        }
        context::current()?.cache_config.store(config, Ordering::Relaxed);
        Ok(())
    }

    /// The preference as it was set.
    fn cuCtxGetCacheConfig(config: Out<c_uint>) {
        config.set(context::current()?.cache_config.load(Ordering::Relaxed))
    }

    /// A preference that changes nothing here.
    fn cuCtxSetSharedMemConfig(config: c_uint) {
        if config > 2 {
            return Err(Status::INVALID_VALUE);
        }
        context::current()?.shared_config.store(config, Ordering::Relaxed);
        Ok(())
    }

    /// The preference as it was set.
    fn cuCtxGetSharedMemConfig(config: Out<c_uint>) {
        config.set(context::current()?.shared_config.load(Ordering::Relaxed))
    }

    /// There is no such cache.
    fn cuCtxResetPersistingL2Cache() {
        context::current().map(drop)
    }

    /// The priorities of streams: smaller numbers come first. They change nothing here.
    fn cuCtxGetStreamPriorityRange(least: Out<c_int>, greatest: Out<c_int>) {
        context::current()?;
        let (last, first) = crate::stream::PRIORITIES.into_inner();
        least.set_if_wanted(first);
        greatest.set_if_wanted(last);
        Ok(())
    }

    /// Devices do not see each other's memory.
    fn cuCtxEnablePeerAccess(peer: usize, flags: c_uint) {
        context::current()?;
        context::by_handle(peer)?;
        Err(if flags != 0 { Status::INVALID_VALUE } else { Status::PEER_ACCESS_UNSUPPORTED })
    }

    /// Devices do not see each other's memory.
    fn cuCtxDisablePeerAccess(peer: usize) {
        context::current()?;
        context::by_handle(peer)?;
        Err(Status::PEER_ACCESS_NOT_ENABLED)
    }
}

fn this_or_current(context: usize) -> Result<Arc<Context>> {
    match context {
        0 => context::current(),
        context => context::by_handle(context),
    }
}

/// A context by its handle, whether or not it is the current one; used where objects name theirs.
pub fn owner(handle: usize) -> Result<Arc<Context>> {
    CONTEXTS.get(handle).map_err(|_| Status::CONTEXT_IS_DESTROYED)
}
