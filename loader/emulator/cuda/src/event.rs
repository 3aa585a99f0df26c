//! Events: marks in streams, to be waited for and to measure time between.

use std::ffi::c_uint;
use std::sync::{Arc, Mutex, OnceLock};
use std::time::Instant;

use crate::border::{Out, entries};
use crate::context::{self, Context, Lane};
use crate::contexts::owner;
use crate::driver::driver;
use crate::handle::Table;
use crate::lock;
use crate::queue::Point;
use crate::status::{Result, Status};
use crate::stream;

/// All events that there are.
pub static EVENTS: Table<Event> = Table::new(4);

/// A mark in a stream.
pub struct Event {
    handle: usize,
    context: usize,
    flags: c_uint,
    last: Mutex<Option<Mark>>,
}

/// Where an event was recorded last.
#[derive(Clone)]
struct Mark {
    point: Point,
    time: Arc<OnceLock<Instant>>,
}

/// Waiting for the event blocks: all waiting does here.
const BLOCKING_SYNC: c_uint = 1;
/// The event measures no time.
const DISABLE_TIMING: c_uint = 2;

impl Event {
    fn mark(&self) -> Option<Mark> {
        lock(&self.last).clone()
    }

    /// Places that whoever waits for the event waits for; none if it was never recorded.
    pub fn points(&self) -> Vec<Point> {
        self.mark().map(|mark| mark.point).into_iter().collect()
    }

    fn record(&self, lane: &Lane) -> Result {
        if self.context != lane.context.handle {
            return Err(Status::INVALID_HANDLE);
        }
        lane.context.healthy()?;
        let time = Arc::new(OnceLock::new());
        let stamp = time.clone();
        let point = lane.push_always(Vec::new(), move |_| {
            let _ = stamp.set(Instant::now());
        })?;
        *lock(&self.last) = Some(Mark { point, time });
        Ok(())
    }

    fn context(&self) -> Result<Arc<Context>> {
        owner(self.context)
    }
}

/// Drops the events of a context that is going away.
pub fn forget_context(context: &Arc<Context>) {
    EVENTS.remove_where(|event| event.context == context.handle);
}

fn find(event: usize) -> Result<Arc<Event>> {
    driver()?;
    EVENTS.get(event)
}

fn time_of(event: &Event) -> Result<Instant> {
    if event.flags & DISABLE_TIMING != 0 {
        return Err(Status::INVALID_HANDLE);
    }
    let mark = event.mark().ok_or(Status::INVALID_HANDLE)?;
    if !mark.point.is_reached() {
        return Err(Status::NOT_READY);
    }
    mark.time.get().copied().ok_or(Status::NOT_READY)
}

entries! {
    /// Makes an event. Events of other processes are not there.
    fn cuEventCreate(event: Out<usize>, flags: c_uint) {
        event.check()?;
        let context = context::current()?.handle;
        if flags & !(BLOCKING_SYNC | DISABLE_TIMING) != 0 {
            return Err(Status::INVALID_VALUE);
        }
        let last = Mutex::new(None);
        event.set(EVENTS.insert(|handle| Event { handle, context, flags, last }).handle)
    }

    /// Marks the present end of a stream.
    fn cuEventRecord @ cuEventRecord_ptsz(event: usize, stream: usize) {
        find(event)?.record(&stream::lane(stream)?)
    }

    /// As `cuEventRecord`; the flag only matters in graphs.
    fn cuEventRecordWithFlags @ cuEventRecordWithFlags_ptsz(event: usize, stream: usize, flags: c_uint) {
        if flags > 1 {
            return Err(Status::INVALID_VALUE);
        }
        find(event)?.record(&stream::lane(stream)?)
    }

    /// Whether the mark is reached; so it is if there is none.
    fn cuEventQuery(event: usize) {
        let event = find(event)?;
        event.context()?.healthy()?;
        let reached = event.points().iter().all(Point::is_reached);
        if reached { event.context()?.healthy() } else { Err(Status::NOT_READY) }
    }

    /// Waits until the mark is reached.
    fn cuEventSynchronize(event: usize) {
        let event = find(event)?;
        event.points().iter().for_each(Point::wait);
        event.context()?.healthy()
    }

    /// Destroys an event; whoever waits for it already goes on waiting.
    fn cuEventDestroy_v2 | cuEventDestroy(event: usize) {
        driver()?;
        EVENTS.remove(event).map(drop)
    }

    /// Milliseconds from one mark to another.
    fn cuEventElapsedTime | cuEventElapsedTime_v2(milliseconds: Out<f32>, start: usize, end: usize) {
        milliseconds.check()?;
        let (start, end) = (find(start)?, find(end)?);
        if start.context != end.context {
            return Err(Status::INVALID_HANDLE);
        }
        start.context()?.healthy()?;
        let (start, end) = (time_of(&start)?, time_of(&end)?);
        let forward = end.saturating_duration_since(start).as_secs_f64();
        let backward = start.saturating_duration_since(end).as_secs_f64();
        milliseconds.set(((forward - backward) * 1e3) as f32)
    }
}
