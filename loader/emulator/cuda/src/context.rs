//! Contexts: what belongs together on one device, the order of its streams, and its faults.

use std::cell::{Cell, RefCell};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicBool, AtomicU32, AtomicU64, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, OnceLock, Weak};

use crate::device::Device;
use crate::driver::driver;
use crate::error::faults_are_told;
use crate::handle::Table;
use crate::lock;
use crate::queue::{Point, Queue};
use crate::status::{Result, Status};

/// All contexts that are alive.
pub static CONTEXTS: Table<Context> = Table::new(1);

/// What belongs together on one device: streams, modules, memory, and the fault that ends it all.
pub struct Context {
    /// Its handle.
    pub handle: usize,
    /// Counts the contexts of the process.
    pub id: u64,
    /// Where it is.
    pub device: Arc<Device>,
    /// Scheduling and mapping flags; they change nothing here.
    pub flags: AtomicU32,
    /// Whether it is the one that `cuDevicePrimaryCtxRetain` gives.
    pub is_primary: bool,
    /// Stack of each thread, bytes.
    pub stack_limit: AtomicUsize,
    /// Size of the buffer of device-side printf, bytes. It never overflows here.
    pub printf_limit: AtomicUsize,
    /// Preferences for cache and shared memory, as they were set.
    pub cache_config: AtomicU32,
    /// As above.
    pub shared_config: AtomicU32,
    /// Tells running kernels to stop.
    pub cancel: Arc<AtomicBool>,
    streams: Mutex<Streams>,
    /// What ended it.
    fault: OnceLock<Status>,
}

/// The queues of a context.
struct Streams {
    legacy: Arc<Queue>,
    others: Vec<(Arc<Queue>, Role)>,
}

/// How a stream stands to the legacy default stream.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    /// It is the legacy default stream: its work follows all earlier work of blocking streams.
    Legacy,
    /// Its work follows all earlier work of the legacy default stream.
    Blocking,
    /// Neither.
    NonBlocking,
}

/// A queue of a context, and what its order depends on.
#[derive(Clone)]
pub struct Lane {
    /// The context that the work belongs to.
    pub context: Arc<Context>,
    /// Where the work waits.
    pub queue: Arc<Queue>,
    /// How it stands to the legacy default stream.
    pub role: Role,
}

/// The context that all users of a device share.
#[derive(Default)]
pub struct Primary {
    /// The context, while somebody retains it.
    pub context: Option<Arc<Context>>,
    /// How often it is retained.
    pub users: usize,
    /// The flags that it has or will have.
    pub flags: u32,
}

/// A default stream of one thread in one context.
type OwnStream = (Weak<Context>, Arc<Queue>);

thread_local! {
    /// Handles of the contexts that the thread has made current, the current one last.
    static CURRENT: RefCell<Vec<usize>> = const { RefCell::new(Vec::new()) };
    /// Whether the thread runs a host function of a stream.
    static IN_HOST_FUNCTION: Cell<bool> = const { Cell::new(false) };
    /// The thread's own default streams, by context.
    static OWN_STREAMS: RefCell<Vec<OwnStream>> = const { RefCell::new(Vec::new()) };
}

/// The text of the last fault in this process, for whoever wants to tell it their own way.
static LAST_FAULT: Mutex<Option<String>> = Mutex::new(None);

/// Stack of each thread unless a limit is set, bytes.
const DEFAULT_STACK: usize = 1024;
/// Buffer of device-side printf unless a limit is set, bytes.
const DEFAULT_PRINTF: usize = 1 << 20;

impl Context {
    /// A new context. It is current to no thread yet.
    pub fn create(device: &Arc<Device>, flags: u32, is_primary: bool) -> Arc<Context> {
        static COUNT: AtomicU64 = AtomicU64::new(1);
        CONTEXTS.insert(|handle| Context {
            handle,
            id: COUNT.fetch_add(1, Ordering::Relaxed),
            device: device.clone(),
            flags: flags.into(),
            is_primary,
            stack_limit: DEFAULT_STACK.into(),
            printf_limit: DEFAULT_PRINTF.into(),
            cache_config: 0.into(),
            shared_config: 0.into(),
            cancel: Arc::default(),
            streams: Mutex::new(Streams {
                legacy: Queue::new(),
                others: Vec::new(),
            }),
            fault: OnceLock::new(),
        })
    }

    /// The legacy default stream.
    pub fn legacy(self: &Arc<Self>) -> Lane {
        let queue = lock(&self.streams).legacy.clone();
        Lane {
            context: self.clone(),
            queue,
            role: Role::Legacy,
        }
    }

    /// A new queue of this context.
    pub fn add_queue(self: &Arc<Self>, role: Role) -> Lane {
        let queue = Queue::new();
        let mut streams = lock(&self.streams);
        // Who has only us left to know it and nothing left to do is gone for good.
        streams
            .others
            .retain(|(queue, _)| Arc::strong_count(queue) > 1 || !queue.tail().is_reached());
        streams.others.push((queue.clone(), role));
        Lane {
            context: self.clone(),
            queue,
            role,
        }
    }

    /// The calling thread's own default stream.
    pub fn own_stream(self: &Arc<Self>) -> Result<Lane> {
        let own = |streams: &RefCell<Vec<OwnStream>>| {
            let mut streams = streams.borrow_mut();
            streams.retain(|(context, _)| context.strong_count() > 0);
            let known = streams
                .iter()
                .find(|(context, _)| context.as_ptr() == Arc::as_ptr(self));
            if let Some((_, queue)) = known {
                return Lane {
                    context: self.clone(),
                    queue: queue.clone(),
                    role: Role::Blocking,
                };
            }
            let lane = self.add_queue(Role::Blocking);
            streams.push((Arc::downgrade(self), lane.queue.clone()));
            lane
        };
        OWN_STREAMS.try_with(own).map_err(|_| Status::DEINITIALIZED)
    }

    /// The end of all work that is queued now.
    pub fn tails(&self) -> Vec<Point> {
        let streams = lock(&self.streams);
        let queues = streams.others.iter().map(|(queue, _)| queue).chain([&streams.legacy]);
        queues.map(Queue::tail).collect()
    }

    /// Waits for all work that is queued now.
    pub fn drain(&self) {
        self.tails().iter().for_each(Point::wait);
    }

    /// Waits for all work that is queued now and says whether the context is still good.
    pub fn synchronize(&self) -> Result {
        self.drain();
        self.healthy()
    }

    /// The error that every call gets once a kernel has faulted.
    pub fn healthy(&self) -> Result {
        match self.fault.get() {
            None => Ok(()),
            Some(status) => Err(*status),
        }
    }

    /// Ends the context: whatever is queued does not run any more, running kernels stop, every
    /// call gets `status`. The first fault counts; its text is told on stderr.
    pub fn end_by_fault(&self, status: Status, text: String) {
        if self.fault.set(status).is_ok() {
            if faults_are_told() {
                eprintln!("CUDA emulator: {text}");
            }
            *lock(&LAST_FAULT) = Some(text);
        }
        self.cancel.store(true, Ordering::Relaxed);
    }

    /// Destroys the context: stops or awaits its work, frees what belongs to it.
    pub fn destroy(self: &Arc<Self>) {
        if CONTEXTS.remove(self.handle).is_err() {
            return; // Another thread was faster.
        }
        self.drain();
        crate::stream::forget_context(self);
        crate::event::forget_context(self);
        crate::module::forget_context(self);
        crate::memory::forget_context(self);
    }
}

impl Lane {
    /// What work that is queued now has to wait for beyond its own queue. The caller holds the
    /// lock, so that two threads cannot each queue behind the other.
    fn after(&self, streams: &Streams) -> Vec<Point> {
        let mut after = match self.role {
            Role::NonBlocking => Vec::new(),
            Role::Blocking => vec![streams.legacy.tail()],
            Role::Legacy => {
                let blocking = streams.others.iter().filter(|(_, role)| *role == Role::Blocking);
                blocking.map(|(queue, _)| queue.tail()).collect()
            }
        };
        after.retain(|point| !point.is_reached());
        after
    }

    /// Queues work; if it fails, the context ends with what it says.
    pub fn push(&self, work: impl FnOnce(&Context) -> Result + Send + 'static) -> Result<Point> {
        self.push_after(Vec::new(), work)
    }

    /// Queues work that also waits for `points`.
    pub fn push_after(
        &self,
        points: Vec<Point>,
        work: impl FnOnce(&Context) -> Result + Send + 'static,
    ) -> Result<Point> {
        self.push_always(points, move |context| {
            if context.healthy().is_ok() {
                let done = catch_unwind(AssertUnwindSafe(|| work(context)));
                if let Err(status) = done.unwrap_or(Err(Status::UNKNOWN)) {
                    context.end_by_fault(status, describe(status));
                }
            }
        })
    }

    /// Queues work that runs even after a fault.
    pub fn push_always(&self, mut points: Vec<Point>, work: impl FnOnce(&Context) + Send + 'static) -> Result<Point> {
        let streams = lock(&self.context.streams);
        points.extend(self.after(&streams));
        let context = self.context.clone();
        self.queue.push(points, move || work(&context))
    }

    /// Waits for all that is queued; on the legacy default stream this means all blocking streams.
    /// Unlike [`Lane::wait_for_turn`], a stream without work waits for nobody.
    pub fn synchronize(&self) -> Result {
        match self.role {
            Role::Legacy => self.wait_for_turn(),
            Role::Blocking | Role::NonBlocking => {
                self.queue.tail().wait();
                self.context.healthy()
            }
        }
    }

    /// Waits until work that is queued now would run.
    pub fn wait_for_turn(&self) -> Result {
        let points = {
            let streams = lock(&self.context.streams);
            let mut points = self.after(&streams);
            points.push(self.queue.tail());
            points
        };
        points.iter().for_each(Point::wait);
        self.context.healthy()
    }
}

/// What is told on stderr about work that failed without a text of its own.
fn describe(status: Status) -> String {
    let name = status
        .name()
        .map_or("an unknown error".into(), |name| name.to_string_lossy());
    format!("work on a stream failed: {name}")
}

/// The current context, if it is good.
pub fn current() -> Result<Arc<Context>> {
    let context = current_even_if_faulted()?;
    context.healthy()?;
    Ok(context)
}

/// The current context.
pub fn current_even_if_faulted() -> Result<Arc<Context>> {
    driver()?;
    let handle = current_handle()?.ok_or(Status::INVALID_CONTEXT)?;
    CONTEXTS.get(handle).map_err(|_| Status::CONTEXT_IS_DESTROYED)
}

/// The context that a handle names, if it is good.
pub fn by_handle(handle: usize) -> Result<Arc<Context>> {
    let context = by_handle_even_if_faulted(handle)?;
    context.healthy()?;
    Ok(context)
}

/// The context that a handle names.
pub fn by_handle_even_if_faulted(handle: usize) -> Result<Arc<Context>> {
    driver()?;
    CONTEXTS.get(handle).map_err(|_| Status::INVALID_CONTEXT)
}

/// The calling thread's stack of contexts. A thread that is ending has none any more: destructors
/// of its other variables may still call.
fn stack<T>(act: impl FnOnce(&mut Vec<usize>) -> T) -> Result<T> {
    CURRENT
        .try_with(|stack| act(&mut stack.borrow_mut()))
        .map_err(|_| Status::DEINITIALIZED)
}

/// The handle of the current context of the calling thread.
pub fn current_handle() -> Result<Option<usize>> {
    stack(|stack| stack.last().copied())
}

/// Makes a context current and keeps the one before.
pub fn push_current(handle: usize) -> Result {
    stack(|stack| stack.push(handle))
}

/// Makes the context before the current one current again.
pub fn pop_current() -> Result<Option<usize>> {
    stack(Vec::pop)
}

/// The text of the last fault of the process.
pub fn last_fault() -> Option<String> {
    lock(&LAST_FAULT).clone()
}

/// Whether the calling thread runs a host function of a stream.
pub fn in_host_function() -> bool {
    IN_HOST_FUNCTION.get()
}

/// Runs a host function of a stream: it may not call the driver.
pub fn as_host_function(function: impl FnOnce()) {
    IN_HOST_FUNCTION.set(true);
    function();
    IN_HOST_FUNCTION.set(false);
}
