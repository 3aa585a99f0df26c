//! What a stream is made of: a first-in-first-out queue with a thread that works it off.
//!
//! Work on different queues runs side by side. Where one piece of work has to follow another of
//! another queue (events, the legacy default stream), it carries the [`Point`]s that it waits
//! for. A point always lies before the work that waits for it was queued, so waiting work can
//! form no circle.

use std::collections::VecDeque;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::Duration;

use crate::status::{Result, Status};

/// How long a thread waits for more work before it ends; the next work starts a new one.
const IDLE: Duration = Duration::from_secs(2);

/// Work in the order in which it was queued.
pub struct Queue {
    state: Mutex<State>,
    /// Told when work is queued and when work is done.
    changed: Condvar,
}

struct State {
    tasks: VecDeque<Task>,
    /// How many tasks were ever queued, and how many of these are done.
    queued: u64,
    done: u64,
    /// Whether a thread works this queue off.
    has_thread: bool,
}

struct Task {
    after: Vec<Point>,
    work: Box<dyn FnOnce() + Send>,
}

/// A place in a queue: reached when all that was queued up to there is done.
#[derive(Clone)]
pub struct Point {
    queue: Arc<Queue>,
    number: u64,
}

impl Point {
    /// Whether the point is reached.
    pub fn is_reached(&self) -> bool {
        self.queue.lock().done >= self.number
    }

    /// Waits until the point is reached.
    pub fn wait(&self) {
        let mut state = self.queue.lock();
        while state.done < self.number {
            state = self.queue.changed.wait(state).unwrap_or_else(PoisonError::into_inner);
        }
    }
}

impl Queue {
    /// A queue without work.
    pub fn new() -> Arc<Queue> {
        Arc::new(Queue {
            state: Mutex::new(State {
                tasks: VecDeque::new(),
                queued: 0,
                done: 0,
                has_thread: false,
            }),
            changed: Condvar::new(),
        })
    }

    /// The end of what is queued now.
    pub fn tail(self: &Arc<Self>) -> Point {
        Point {
            queue: self.clone(),
            number: self.lock().queued,
        }
    }

    /// Queues `work`, to run when all earlier work of this queue is done and all of `after` is
    /// reached.
    pub fn push(self: &Arc<Self>, after: Vec<Point>, work: impl FnOnce() + Send + 'static) -> Result<Point> {
        let mut state = self.lock();
        if !state.has_thread {
            let queue = self.clone();
            thread::Builder::new()
                .name("cuda-stream".into())
                .spawn(move || queue.work_off())
                .map_err(|_| Status::OPERATING_SYSTEM)?;
            state.has_thread = true;
        }
        state.tasks.push_back(Task {
            after,
            work: Box::new(work),
        });
        state.queued += 1;
        let number = state.queued;
        drop(state);
        self.changed.notify_all();
        Ok(Point {
            queue: self.clone(),
            number,
        })
    }

    /// The life of the thread: runs tasks until none has come for a while.
    fn work_off(&self) {
        let mut state = self.lock();
        loop {
            if let Some(task) = state.tasks.pop_front() {
                drop(state);
                task.after.iter().for_each(Point::wait);
                // Work ends by reporting to its context; a panic that came through all the same
                // must not leave everybody who waits for this queue waiting for ever.
                let _ = catch_unwind(AssertUnwindSafe(task.work));
                state = self.lock();
                state.done += 1;
                self.changed.notify_all();
                continue;
            }
            let (woken, timeout) = self
                .changed
                .wait_timeout(state, IDLE)
                .unwrap_or_else(PoisonError::into_inner);
            state = woken;
            if timeout.timed_out() && state.tasks.is_empty() {
                state.has_thread = false;
                return;
            }
        }
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use std::sync::mpsc::channel;

    use super::*;

    #[test]
    fn keeps_the_order_within_and_across_queues() {
        let (first, second) = (Queue::new(), Queue::new());
        let (gate, opened) = channel::<()>();
        let (log, seen) = channel();
        let logs = [log.clone(), log.clone(), log];
        let [a, b, c] = logs;
        first
            .push(vec![], move || {
                opened.recv().unwrap();
                a.send(1).unwrap();
            })
            .unwrap();
        let point = first.push(vec![], move || b.send(2).unwrap()).unwrap();
        let last = second.push(vec![point.clone()], move || c.send(3).unwrap()).unwrap();
        assert!(!point.is_reached() && !last.is_reached());
        gate.send(()).unwrap();
        last.wait();
        assert!(point.is_reached());
        assert_eq!(seen.iter().collect::<Vec<i32>>(), [1, 2, 3]);
    }

    #[test]
    fn an_empty_queue_is_at_its_end() {
        assert!(Queue::new().tail().is_reached());
    }
}
