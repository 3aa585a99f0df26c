//! The thread that does what waits for signals: copies, and calls of handlers.

use std::ffi::c_void;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::thread::{self, JoinHandle};

use hsa_sys::*;

use crate::border::{lock, run};
use crate::signal::{self, Signal, find, is_zero, meets};
use crate::status::{Result, Status};
use crate::system::now;
use crate::wait::{IDLE, changed, join, wait_until};

/// A program's argument for its own function.
#[derive(Clone, Copy)]
struct Argument(*mut c_void);

// SAFETY: the interface says that the function may be called from any thread with it.
unsafe impl Send for Argument {}

/// A program's function for system events.
#[derive(Clone, Copy)]
pub struct Handler {
    callback: unsafe extern "C" fn(*const hsa_amd_event_t, *mut c_void) -> hsa_status_t,
    argument: Argument,
}

impl Handler {
    /// What `hsa_amd_register_system_event_handler` was given.
    pub fn new(
        callback: unsafe extern "C" fn(*const hsa_amd_event_t, *mut c_void) -> hsa_status_t,
        argument: *mut c_void,
    ) -> Handler {
        Handler {
            callback,
            argument: Argument(argument),
        }
    }

    /// Tells it of an event; returns whether it took care of it.
    pub fn call(&self, event: &hsa_amd_event_t) -> bool {
        // SAFETY: the program's function, called as the interface says.
        let status = unsafe { (self.callback)(event, self.argument.0) };
        status == HSA_STATUS_SUCCESS
    }
}

struct SignalHandler {
    signal: hsa_signal_t,
    condition: hsa_signal_condition_t,
    with: i64,
    handler: unsafe extern "C" fn(hsa_signal_value_t, *mut c_void) -> bool,
    argument: Argument,
}

/// A copy that waits for its dependencies.
pub struct Copy {
    /// First byte of the destination, checked.
    pub to: u64,
    /// First byte of the source, checked.
    pub from: u64,
    /// Bytes.
    pub len: usize,
    /// What must be 0 before it starts.
    pub after: Vec<hsa_signal_t>,
    /// What is decremented when it is done; may be none.
    pub completion: hsa_signal_t,
}

enum Task {
    Handle(SignalHandler),
    Copy(Copy),
    Call(unsafe extern "C" fn(*mut c_void), Argument),
}

impl Task {
    /// Whether it can be done now. What waits for a signal that is gone is done as well: it is
    /// dropped.
    fn is_ready(&self) -> bool {
        match self {
            Task::Call(..) => true,
            Task::Copy(copy) => copy.after.iter().all(|signal| is_zero(*signal)),
            Task::Handle(handler) => find(handler.signal).is_none_or(|signal| {
                let value = signal.value.load(Ordering::Acquire);
                meets(value, handler.condition, handler.with).unwrap_or(true)
            }),
        }
    }

    /// Does it; returns it if it is to be done again.
    fn perform(self) -> Option<Task> {
        match self {
            Task::Call(callback, argument) => {
                // SAFETY: the program's function, called as the interface says.
                unsafe { callback(argument.0) };
                None
            }
            Task::Copy(copy) => {
                copy.perform();
                None
            }
            Task::Handle(handler) => {
                let value = find(handler.signal)?.value.load(Ordering::Acquire);
                // SAFETY: the program's function, called as the interface says.
                let again = unsafe { (handler.handler)(value, handler.argument.0) };
                again.then_some(Task::Handle(handler))
            }
        }
    }
}

impl Copy {
    fn perform(&self) {
        let started = now();
        // SAFETY: both ranges were found in live allocations when the copy was asked for, and the
        // program keeps them until it is done.
        unsafe { emulator::memory::copy(self.from as *const u8, self.to as *mut u8, self.len) };
        if let Some(signal) = find(self.completion) {
            finish(signal, started);
        }
    }
}

/// Completes a signal for something that began at `started`.
pub fn finish(signal: &Signal, started: u64) {
    signal.started.store(started, Ordering::Relaxed);
    signal.ended.store(now(), Ordering::Relaxed);
    signal.complete();
}

#[derive(Default)]
struct Shared {
    tasks: Mutex<Vec<Task>>,
    stop: AtomicBool,
}

/// The thread, and what it has to do.
pub struct Events {
    shared: Arc<Shared>,
    thread: Mutex<Option<JoinHandle<()>>>,
}

impl Events {
    /// Starts the thread.
    pub fn start() -> Result<Events> {
        let shared = Arc::<Shared>::default();
        let its = shared.clone();
        let thread = thread::Builder::new()
            .name("hsa-events".into())
            .spawn(move || its.serve())
            .map_err(|_| Status::OUT_OF_RESOURCES)?;
        Ok(Events {
            shared,
            thread: Mutex::new(Some(thread)),
        })
    }

    /// Has a handler called when a signal meets a condition.
    pub fn on_signal(
        &self,
        signal: hsa_signal_t,
        condition: hsa_signal_condition_t,
        with: i64,
        handler: unsafe extern "C" fn(hsa_signal_value_t, *mut c_void) -> bool,
        argument: *mut c_void,
    ) {
        let argument = Argument(argument);
        self.add(Task::Handle(SignalHandler {
            signal,
            condition,
            with,
            handler,
            argument,
        }));
    }

    /// Has a function called.
    pub fn call(&self, callback: unsafe extern "C" fn(*mut c_void), argument: *mut c_void) {
        self.add(Task::Call(callback, Argument(argument)));
    }

    /// Has a copy made.
    pub fn copy(&self, copy: Copy) {
        self.add(Task::Copy(copy));
    }

    fn add(&self, task: Task) {
        lock(&self.shared.tasks).push(task);
        changed();
    }

    /// Ends the thread. What still waits is dropped.
    pub fn stop(&self) {
        self.shared.stop.store(true, Ordering::Release);
        changed();
        let thread = lock(&self.thread).take();
        if let Some(thread) = thread {
            join(thread);
        }
    }
}

impl Shared {
    fn serve(&self) {
        while let Some(ready) = wait_until(None, false, IDLE, || self.next()) {
            let Some(task) = ready else { return };
            // A handler may take long and may call anything: no lock is held.
            let name = "a handler or copy";
            run(name, || {
                if let Some(again) = task.perform() {
                    lock(&self.tasks).push(again);
                }
                Ok(())
            });
        }
    }

    /// The next thing to do; nothing, in nothing, is the end.
    fn next(&self) -> Option<Option<Task>> {
        if self.stop.load(Ordering::Acquire) {
            return Some(None);
        }
        let mut tasks = lock(&self.tasks);
        let at = tasks.iter().position(Task::is_ready)?;
        Some(Some(tasks.remove(at)))
    }
}

/// Whether all dependencies of a list are live signals.
pub fn check_dependencies(after: &[hsa_signal_t]) -> Result {
    let known = |signal: &hsa_signal_t| signal.handle == 0 || signal::find(*signal).is_some();
    if after.iter().all(known) {
        Ok(())
    } else {
        Err(Status::SIGNAL)
    }
}
