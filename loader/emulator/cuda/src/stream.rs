//! Streams and their entry points.

use std::ffi::{c_int, c_uint, c_void};
use std::ops::RangeInclusive;
use std::sync::Arc;
use std::sync::atomic::{AtomicI32, AtomicU32, AtomicU64, Ordering};

use crate::border::{Out, entries, null_stream_is_per_thread};
use crate::context::{self, CONTEXTS, Context, Lane, Role, as_host_function};
use crate::contexts::owner;
use crate::driver::driver;
use crate::event::EVENTS;
use crate::handle::Table;
use crate::queue::{Point, Queue};
use crate::status::{CUresult, Result, SUCCESS, Status};

/// All streams that were created and not destroyed.
pub static STREAMS: Table<Stream> = Table::new(3);

/// A stream that was created.
pub struct Stream {
    handle: usize,
    id: u64,
    context: usize,
    queue: Arc<Queue>,
    role: Role,
    priority: AtomicI32,
}

/// The null stream: the legacy default stream, or the calling thread's own in some calls.
pub const NULL: usize = 0;
/// The legacy default stream by its own name.
const LEGACY: usize = 1;
/// The calling thread's own stream by its own name.
const PER_THREAD: usize = 2;

/// The only flag of streams: no order with the legacy default stream.
const NON_BLOCKING: c_uint = 1;

/// Priorities, the first one first. They change nothing here, as all streams have a thread.
pub const PRIORITIES: RangeInclusive<c_int> = -5..=0;

/// What a handle of a stream stands for.
pub fn lane(stream: usize) -> Result<Lane> {
    match stream {
        NULL if null_stream_is_per_thread() => context::current_even_if_faulted()?.own_stream(),
        PER_THREAD => context::current_even_if_faulted()?.own_stream(),
        NULL | LEGACY => Ok(context::current_even_if_faulted()?.legacy()),
        stream => {
            driver()?;
            let stream = STREAMS.get(stream)?;
            let context = owner(stream.context)?;
            Ok(Lane {
                context,
                queue: stream.queue.clone(),
                role: stream.role,
            })
        }
    }
}

/// Drops the streams of a context that is going away.
pub fn forget_context(context: &Arc<Context>) {
    STREAMS.remove_where(|stream| stream.context == context.handle);
}

/// A number for each queue of the process that `cuStreamGetId` may be asked about.
fn next_id() -> u64 {
    static COUNT: AtomicU64 = AtomicU64::new(16);
    COUNT.fetch_add(1, Ordering::Relaxed)
}

fn create(stream: Out<usize>, flags: c_uint, priority: c_int) -> Result {
    stream.check()?;
    let context = context::current()?;
    let role = match flags {
        0 => Role::Blocking,
        NON_BLOCKING => Role::NonBlocking,
        _ => return Err(Status::INVALID_VALUE),
    };
    let queue = context.add_queue(role).queue;
    let priority = priority.clamp(*PRIORITIES.start(), *PRIORITIES.end());
    let made = STREAMS.insert(|handle| Stream {
        handle,
        id: next_id(),
        context: context.handle,
        queue,
        role,
        priority: priority.into(),
    });
    stream.set(made.handle)
}

/// A stream that was created, by its handle; `None` for the special ones.
fn created(stream: usize) -> Result<Option<Arc<Stream>>> {
    lane(stream)?; // Refuses what is no stream, and streams of dead contexts.
    match stream {
        NULL | LEGACY | PER_THREAD => Ok(None),
        stream => STREAMS.get(stream).map(Some),
    }
}

/// A function of the host's that a stream calls.
type HostFunction = Option<unsafe extern "C" fn(*mut c_void)>;
/// One that is also told its stream and how that is doing.
type Callback = Option<unsafe extern "C" fn(usize, CUresult, *mut c_void)>;

fn launch_host_function(stream: usize, function: HostFunction, data: *mut c_void) -> Result {
    let function = function.ok_or(Status::INVALID_VALUE)?;
    let lane = lane(stream)?;
    lane.context.healthy()?;
    let data = data as usize;
    lane.push(move |_| {
        // SAFETY: the caller gave the function for this very purpose, and `data` with it.
        as_host_function(|| unsafe { function(data as *mut c_void) });
        Ok(())
    })
    .map(drop)
}

/// Waits in a stream until a word of memory fulfils a condition, by its number.
fn holds(condition: c_uint, value: u64, wanted: u64, bits: u32) -> bool {
    let top = 1 << (bits - 1);
    match condition {
        0 => value.wrapping_sub(wanted) & top == 0, // at least, in a circle of numbers
        1 => value == wanted,
        2 => value & wanted != 0,
        _ => !(value | wanted) << (64 - bits) != 0, // some bit is in neither
    }
}

/// A word of memory that streams wait for and write to.
#[derive(Clone, Copy)]
enum Word {
    Bits32(u64),
    Bits64(u64),
}

impl Word {
    fn check(self) -> Result<Self> {
        let (address, bytes) = match self {
            Word::Bits32(address) => (address, 4),
            Word::Bits64(address) => (address, 8),
        };
        let place = crate::transfer::place(address, bytes)?;
        if address % bytes as u64 != 0 || place == crate::transfer::Place::Pageable {
            return Err(Status::INVALID_VALUE);
        }
        Ok(self)
    }

    fn load(self) -> Result<u64> {
        self.check().map_err(|_| Status::ILLEGAL_ADDRESS)?;
        // SAFETY: live, aligned memory of the device, as just found; kernels and the host access
        // it as atomically as this does.
        Ok(unsafe {
            match self {
                Word::Bits32(at) => AtomicU32::from_ptr(at as *mut u32).load(Ordering::Acquire).into(),
                Word::Bits64(at) => AtomicU64::from_ptr(at as *mut u64).load(Ordering::Acquire),
            }
        })
    }

    fn store(self, value: u64) -> Result {
        self.check().map_err(|_| Status::ILLEGAL_ADDRESS)?;
        // SAFETY: as above.
        unsafe {
            match self {
                Word::Bits32(at) => AtomicU32::from_ptr(at as *mut u32).store(value as u32, Ordering::Release),
                Word::Bits64(at) => AtomicU64::from_ptr(at as *mut u64).store(value, Ordering::Release),
            }
        }
        Ok(())
    }

    fn bits(self) -> u32 {
        if matches!(self, Word::Bits32(_)) { 32 } else { 64 }
    }
}

/// All flags of waiting: the condition, and a flush that is not needed here.
const WAIT_FLAGS: c_uint = 0b11 | 1 << 30;

fn wait_value(stream: usize, word: Word, wanted: u64, flags: c_uint) -> Result {
    let lane = lane(stream)?;
    lane.context.healthy()?;
    let word = word.check()?;
    if flags & !WAIT_FLAGS != 0 {
        return Err(Status::INVALID_VALUE);
    }
    lane.push(move |context| {
        while !holds(flags & 0b11, word.load()?, wanted, word.bits()) {
            if context.healthy().is_err() || CONTEXTS.get(context.handle).is_err() {
                break;
            }
            std::thread::sleep(std::time::Duration::from_micros(50));
        }
        Ok(())
    })
    .map(drop)
}

fn write_value(stream: usize, word: Word, value: u64, flags: c_uint) -> Result {
    let lane = lane(stream)?;
    lane.context.healthy()?;
    let word = word.check()?;
    if flags > 1 {
        return Err(Status::INVALID_VALUE);
    }
    lane.push(move |_| word.store(value)).map(drop)
}

entries! {
    /// Makes a stream.
    fn cuStreamCreate(stream: Out<usize>, flags: c_uint) {
        create(stream, flags, 0)
    }

    /// Makes a stream with a priority.
    fn cuStreamCreateWithPriority(stream: Out<usize>, flags: c_uint, priority: c_int) {
        create(stream, flags, priority)
    }

    /// Destroys a stream; what is queued still runs.
    fn cuStreamDestroy_v2 | cuStreamDestroy(stream: usize) {
        driver()?;
        STREAMS.remove(stream).map(drop)
    }

    /// Waits for all work of a stream.
    fn cuStreamSynchronize @ cuStreamSynchronize_ptsz(stream: usize) {
        lane(stream)?.synchronize()
    }

    /// Whether all work of a stream is done.
    fn cuStreamQuery @ cuStreamQuery_ptsz(stream: usize) {
        let lane = lane(stream)?;
        lane.context.healthy()?;
        if !lane.queue.tail().is_reached() {
            return Err(Status::NOT_READY);
        }
        lane.context.healthy()
    }

    /// Lets later work of a stream wait for an event, also one of another device.
    fn cuStreamWaitEvent @ cuStreamWaitEvent_ptsz(stream: usize, event: usize, flags: c_uint) {
        let lane = lane(stream)?;
        lane.context.healthy()?;
        let points = EVENTS.get(event)?.points();
        if flags > 1 {
            return Err(Status::INVALID_VALUE);
        }
        if points.iter().all(Point::is_reached) {
            return Ok(());
        }
        lane.push_after(points, |_| Ok(())).map(drop)
    }

    /// Calls a function of the host when the stream comes to it.
    fn cuLaunchHostFunc @ cuLaunchHostFunc_ptsz(stream: usize, function: HostFunction, data: *mut c_void) {
        launch_host_function(stream, function, data)
    }

    /// As `cuLaunchHostFunc`; how the stream waits for it changes nothing here.
    fn cuLaunchHostFunc_v2 @ cuLaunchHostFunc_v2_ptsz(
        stream: usize,
        function: HostFunction,
        data: *mut c_void,
        mode: c_uint,
    ) {
        if mode > 1 {
            return Err(Status::INVALID_VALUE);
        }
        launch_host_function(stream, function, data)
    }

    /// Calls a function of the host when the stream comes to it, even after a fault.
    fn cuStreamAddCallback @ cuStreamAddCallback_ptsz(
        stream: usize,
        callback: Callback,
        data: *mut c_void,
        flags: c_uint,
    ) {
        let callback = callback.ok_or(Status::INVALID_VALUE)?;
        let lane = lane(stream)?;
        lane.context.healthy()?;
        if flags != 0 {
            return Err(Status::INVALID_VALUE);
        }
        let data = data as usize;
        lane.push_always(Vec::new(), move |context| {
            let status = context.healthy().map_or_else(|status| status.0, |()| SUCCESS);
            // SAFETY: the caller gave the function for this very purpose, and `data` with it.
            as_host_function(|| unsafe { callback(stream, status, data as *mut c_void) });
        })
        .map(drop)
    }

    /// The flags of a stream.
    fn cuStreamGetFlags @ cuStreamGetFlags_ptsz(stream: usize, flags: Out<c_uint>) {
        let lane = lane(stream)?;
        flags.set(if lane.role == Role::NonBlocking { NON_BLOCKING } else { 0 })
    }

    /// The priority of a stream.
    fn cuStreamGetPriority @ cuStreamGetPriority_ptsz(stream: usize, priority: Out<c_int>) {
        priority.set(created(stream)?.map_or(0, |stream| stream.priority.load(Ordering::Relaxed)))
    }

    /// A number that no other stream of the process has.
    fn cuStreamGetId @ cuStreamGetId_ptsz(stream: usize, id: Out<u64>) {
        let id_of = match created(stream)? {
            Some(stream) => stream.id,
            // The queue of a default stream stays where it is as long as its context.
            None => Arc::as_ptr(&lane(stream)?.queue) as u64,
        };
        id.set(id_of)
    }

    /// The context of a stream.
    fn cuStreamGetCtx @ cuStreamGetCtx_ptsz(stream: usize, context: Out<usize>) {
        context.set(lane(stream)?.context.handle)
    }

    /// The context of a stream; contexts of a part of a device are not there.
    fn cuStreamGetCtx_v2 @ cuStreamGetCtx_v2_ptsz(stream: usize, context: Out<usize>, part: Out<usize>) {
        context.set(lane(stream)?.context.handle)?;
        part.set_if_wanted(0);
        Ok(())
    }

    /// The device of a stream.
    fn cuStreamGetDevice @ cuStreamGetDevice_ptsz(stream: usize, device: Out<c_int>) {
        device.set(lane(stream)?.context.device.ordinal as c_int)
    }

    /// Copies the properties of one stream to another.
    fn cuStreamCopyAttributes @ cuStreamCopyAttributes_ptsz(to: usize, from: usize) {
        let (to, from) = (created(to)?, created(from)?);
        if let (Some(to), Some(from)) = (to, from) {
            to.priority.store(from.priority.load(Ordering::Relaxed), Ordering::Relaxed);
        }
        Ok(())
    }

    /// Recording into graphs is not there, so no stream records.
    fn cuStreamIsCapturing @ cuStreamIsCapturing_ptsz(stream: usize, status: Out<c_uint>) {
        lane(stream)?;
        status.set(0)
    }

    /// As `cuStreamIsCapturing`.
    fn cuStreamGetCaptureInfo @ cuStreamGetCaptureInfo_ptsz(stream: usize, status: Out<c_uint>, id: Out<u64>) {
        lane(stream)?;
        id.set_if_wanted(0);
        status.set(0)
    }

    /// As `cuStreamIsCapturing`; what else could be told is left alone.
    fn cuStreamGetCaptureInfo_v2 @ cuStreamGetCaptureInfo_v2_ptsz(
        stream: usize,
        status: Out<c_uint>,
        id: Out<u64>,
        graph: Out<usize>,
        dependencies: Out<usize>,
        count: Out<usize>,
    ) {
        lane(stream)?;
        id.set_if_wanted(0);
        graph.set_if_wanted(0);
        dependencies.set_if_wanted(0);
        count.set_if_wanted(0);
        status.set(0)
    }

    /// As `cuStreamIsCapturing`; what else could be told is left alone.
    fn cuStreamGetCaptureInfo_v3 @ cuStreamGetCaptureInfo_v3_ptsz(
        stream: usize,
        status: Out<c_uint>,
        id: Out<u64>,
        graph: Out<usize>,
        dependencies: Out<usize>,
        edges: Out<usize>,
        count: Out<usize>,
    ) {
        lane(stream)?;
        id.set_if_wanted(0);
        graph.set_if_wanted(0);
        dependencies.set_if_wanted(0);
        edges.set_if_wanted(0);
        count.set_if_wanted(0);
        status.set(0)
    }

    /// Who may touch managed memory changes nothing here.
    fn cuStreamAttachMemAsync @ cuStreamAttachMemAsync_ptsz(stream: usize, address: u64, size: usize, flags: c_uint) {
        lane(stream)?.context.healthy()?;
        if !matches!(flags, 1 | 2 | 4) {
            return Err(Status::INVALID_VALUE);
        }
        crate::memory::check_managed(address, size.max(1))
    }

    /// Moves managed memory, which is everywhere already.
    fn cuMemPrefetchAsync @ cuMemPrefetchAsync_ptsz(address: u64, size: usize, device: c_int, stream: usize) {
        lane(stream)?.context.healthy()?;
        if device != -1 {
            driver()?.device(device)?;
        }
        crate::memory::check_managed(address, size)
    }

    /// Moves managed memory, which is everywhere already.
    fn cuMemPrefetchAsync_v2 @ cuMemPrefetchAsync_v2_ptsz(
        address: u64,
        size: usize,
        place: crate::memory::Location,
        flags: c_uint,
        stream: usize,
    ) {
        lane(stream)?.context.healthy()?;
        if flags != 0 || place.kind == 0 {
            return Err(Status::INVALID_VALUE);
        }
        crate::memory::check_managed(address, size)
    }

    /// Waits in the stream until a word of memory fulfils a condition.
    fn cuStreamWaitValue32_v2 @ cuStreamWaitValue32_v2_ptsz(stream: usize, address: u64, value: u32, flags: c_uint) {
        wait_value(stream, Word::Bits32(address), value.into(), flags)
    }

    /// Waits in the stream until a word of memory fulfils a condition.
    fn cuStreamWaitValue64_v2 @ cuStreamWaitValue64_v2_ptsz(stream: usize, address: u64, value: u64, flags: c_uint) {
        wait_value(stream, Word::Bits64(address), value, flags)
    }

    /// Writes a word of memory when the stream comes to it.
    fn cuStreamWriteValue32_v2 @ cuStreamWriteValue32_v2_ptsz(stream: usize, address: u64, value: u32, flags: c_uint) {
        write_value(stream, Word::Bits32(address), value.into(), flags)
    }

    /// Writes a word of memory when the stream comes to it.
    fn cuStreamWriteValue64_v2 @ cuStreamWriteValue64_v2_ptsz(stream: usize, address: u64, value: u64, flags: c_uint) {
        write_value(stream, Word::Bits64(address), value, flags)
    }
}

#[cfg(test)]
mod tests {
    use super::holds;

    #[test]
    fn conditions_of_words() {
        assert!(holds(0, 5, 5, 32) && holds(0, 6, 5, 32) && !holds(0, 4, 5, 32));
        assert!(holds(0, 1, 0xffff_ffff, 32), "numbers go round");
        assert!(holds(1, 7, 7, 64) && !holds(1, 7, 8, 64));
        assert!(holds(2, 6, 2, 64) && !holds(2, 5, 2, 64));
        assert!(holds(3, 0, 0, 32) && !holds(3, 0xffff_ffff, 0, 32));
    }
}
