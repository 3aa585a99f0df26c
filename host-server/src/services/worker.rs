//! Threads for what may take long, so that the scan loop never does.

use std::collections::VecDeque;
use std::future::poll_fn;
use std::io;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Condvar, Mutex, PoisonError, Weak};
use std::task::{Poll, Waker};
use std::time::{Duration, Instant};

use crate::lock::lock;
use crate::output::without_sigpipe;

/// How long a thread without work looks for the next job before it sleeps: to wake it takes as long. A device that has got one answer
/// mostly asks for the next thing at once.
const LINGER: Duration = Duration::from_micros(50);

/// How long it then stays.
const PATIENCE: Duration = Duration::from_secs(10);

type Job = Box<dyn FnOnce() + Send>;

/// A pool of threads: one for each job at hand, kept a while for the next.
///
/// A conversation has one job at a time, so there are never more threads than ports.
#[derive(Clone, Default)]
pub(crate) struct Workers {
    pool: Arc<Pool>,
}

/// What all handles of the pool have in common; the threads have only what is in it.
#[derive(Default)]
struct Pool {
    shared: Arc<Shared>,
}

impl Drop for Pool {
    /// Nobody can bring a job any more: threads that wait for one end. Programs that start many servers would gather them.
    fn drop(&mut self) {
        lock(&self.shared.queue).closed = true;
        self.shared.bell.notify_all();
    }
}

#[derive(Default)]
struct Shared {
    queue: Mutex<Queue>,
    /// Jobs in the queue, for a look without its lock.
    waiting: AtomicUsize,
    /// A thread looks for the next one.
    is_looked_for: AtomicBool,
    bell: Condvar,
    deadlines: Mutex<Deadlines>,
}

/// What is not waited for beyond a time, the earliest first as all have the same patience, and whether a thread looks after it.
#[derive(Default)]
struct Deadlines {
    waiting: VecDeque<(Instant, Weak<dyn Expire>)>,
    watched: bool,
}

#[derive(Default)]
struct Queue {
    jobs: VecDeque<Job>,
    /// Threads that wait for a job, less the jobs that wait for them.
    idle: usize,
    /// No job will ever come again.
    closed: bool,
}

/// Where a job leaves its result.
enum Outcome<T> {
    Running(Option<Waker>),
    Done(T),
    /// Nobody waits for it any more.
    Late,
    /// The job panicked, or its result was taken.
    Gone,
}

impl Workers {
    /// Runs `job` on a thread of its own and waits for its result without holding the caller's thread.
    ///
    /// An error if no thread can be had, or if the job panicked. A caller that goes away leaves the job running.
    pub(crate) async fn run<T: Send + 'static>(&self, job: impl FnOnce() -> T + Send + 'static) -> io::Result<T> {
        let outcome = self.begin(job)?;
        wait(outcome).await
    }

    /// The same for a job that is not waited for beyond `patience`, which must be the same each time: then the error is
    /// [`TimedOut`](io::ErrorKind::TimedOut), and the job's result is dropped.
    pub(crate) async fn run_for<T: Send + 'static>(
        &self,
        patience: Duration,
        job: impl FnOnce() -> T + Send + 'static,
    ) -> io::Result<T> {
        let outcome = self.begin(job)?;
        let expires: Arc<dyn Expire> = outcome.clone();
        // What the clock cannot count to never comes.
        if let Some(deadline) = Instant::now().checked_add(patience) {
            self.watch(deadline, Arc::downgrade(&expires))?;
        }
        drop(expires);
        wait(outcome).await
    }

    fn begin<T: Send + 'static>(&self, job: impl FnOnce() -> T + Send + 'static) -> io::Result<Arc<Mutex<Outcome<T>>>> {
        let outcome = Arc::new(Mutex::new(Outcome::Running(None)));
        let report = Report(outcome.clone());
        self.start(Box::new(move || report.done(job())))?;
        Ok(outcome)
    }

    /// Has a thread look after a deadline.
    fn watch(&self, deadline: Instant, outcome: Weak<dyn Expire>) -> io::Result<()> {
        let mut deadlines = lock(&self.pool.shared.deadlines);
        deadlines.waiting.push_back((deadline, outcome));
        if !deadlines.watched {
            let shared = self.pool.shared.clone();
            self.start(Box::new(move || shared.watch()))?;
            deadlines.watched = true;
        }
        Ok(())
    }

    fn start(&self, job: Job) -> io::Result<()> {
        let shared = &self.pool.shared;
        let mut queue = lock(&shared.queue);
        if queue.idle > 0 {
            queue.idle -= 1;
            queue.jobs.push_back(job);
            shared.waiting.store(queue.jobs.len(), Ordering::Relaxed);
            drop(queue);
            shared.bell.notify_one();
            return Ok(());
        }
        drop(queue);
        let shared = shared.clone();
        std::thread::Builder::new().name("rpc-service".into()).spawn(move || {
            // A pipe that a file or a command's input is may be closed, in a program that is not Rust's.
            without_sigpipe();
            job();
            shared.work();
        })?;
        Ok(())
    }
}

/// Waits for a job's result without holding the caller's thread.
async fn wait<T>(outcome: Arc<Mutex<Outcome<T>>>) -> io::Result<T> {
    poll_fn(|context| {
        let mut outcome = lock(&outcome);
        match std::mem::replace(&mut *outcome, Outcome::Gone) {
            Outcome::Running(_) => {
                *outcome = Outcome::Running(Some(context.waker().clone()));
                Poll::Pending
            }
            Outcome::Done(result) => Poll::Ready(Ok(result)),
            Outcome::Late => Poll::Ready(Err(io::ErrorKind::TimedOut.into())),
            Outcome::Gone => Poll::Ready(Err(io::Error::other("a service panicked"))),
        }
    })
    .await
}

/// What need not be waited for any longer.
trait Expire: Send + Sync {
    fn expire(&self);
}

impl<T: Send> Expire for Mutex<Outcome<T>> {
    fn expire(&self) {
        leave(self, Outcome::Late);
    }
}

/// Ends the wait for a job, unless it has ended before.
fn leave<T>(place: &Mutex<Outcome<T>>, end: Outcome<T>) {
    let mut outcome = lock(place);
    if let Outcome::Running(waker) = &mut *outcome {
        let waker = waker.take();
        *outcome = end;
        drop(outcome);
        if let Some(waker) = waker {
            waker.wake();
        }
    }
}

impl Shared {
    /// Looks after deadlines until none is left.
    fn watch(&self) {
        loop {
            let mut deadlines = lock(&self.deadlines);
            let Some((deadline, outcome)) = deadlines.waiting.pop_front() else {
                deadlines.watched = false;
                return;
            };
            drop(deadlines);
            if outcome.strong_count() > 0 {
                std::thread::sleep(deadline.saturating_duration_since(Instant::now()));
            }
            if let Some(outcome) = outcome.upgrade() {
                outcome.expire();
            }
        }
    }

    /// Takes jobs until none has come for a while, or none can come.
    fn work(&self) {
        let mut queue = lock(&self.queue);
        queue.idle += 1;
        let mut lingers = true;
        loop {
            if let Some(job) = queue.jobs.pop_front() {
                self.waiting.store(queue.jobs.len(), Ordering::Relaxed);
                drop(queue);
                job();
                queue = lock(&self.queue);
                queue.idle += 1;
                lingers = true;
                continue;
            }
            if queue.closed {
                return;
            }
            if std::mem::take(&mut lingers) {
                drop(queue);
                self.linger();
                queue = lock(&self.queue);
                continue;
            }
            let (woken, waited) = self
                .bell
                .wait_timeout(queue, PATIENCE)
                .unwrap_or_else(PoisonError::into_inner);
            queue = woken;
            if waited.timed_out() && queue.jobs.is_empty() && queue.idle > 0 {
                queue.idle -= 1;
                return;
            }
        }
    }

    /// Looks for a job for a moment, unless another thread does.
    fn linger(&self) {
        if self.is_looked_for.swap(true, Ordering::Relaxed) {
            return;
        }
        let start = Instant::now();
        while self.waiting.load(Ordering::Relaxed) == 0 && start.elapsed() < LINGER {
            std::hint::spin_loop();
        }
        self.is_looked_for.store(false, Ordering::Relaxed);
    }
}

/// The job's end of its outcome: dropped without a result, as by a panic, it says so.
struct Report<T>(Arc<Mutex<Outcome<T>>>);

impl<T> Report<T> {
    fn done(self, result: T) {
        leave(&self.0, Outcome::Done(result));
    }
}

impl<T> Drop for Report<T> {
    fn drop(&mut self) {
        leave(&self.0, Outcome::Gone);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::Barrier;
    use std::task::{Context, Wake};

    /// Runs a future on this thread, which sleeps until it is woken.
    fn block_on<T>(future: impl Future<Output = T>) -> T {
        struct Unpark(std::thread::Thread);
        impl Wake for Unpark {
            fn wake(self: Arc<Self>) {
                self.0.unpark();
            }
        }
        let waker = Arc::new(Unpark(std::thread::current())).into();
        let mut future = std::pin::pin!(future);
        loop {
            match future.as_mut().poll(&mut Context::from_waker(&waker)) {
                Poll::Ready(result) => return result,
                Poll::Pending => std::thread::park(),
            }
        }
    }

    #[test]
    fn jobs_run_side_by_side_and_threads_are_used_again() {
        let workers = Workers::default();
        for _ in 0..20 {
            // Each job waits for all others: they only end if there is a thread for each.
            let barrier = Arc::new(Barrier::new(8));
            std::thread::scope(|scope| {
                for number in 0..8 {
                    let (workers, barrier) = (workers.clone(), barrier.clone());
                    scope.spawn(move || {
                        let result = block_on(workers.run(move || {
                            barrier.wait();
                            number * 2
                        }));
                        assert_eq!(result.unwrap(), number * 2);
                    });
                }
            });
        }
        assert!(lock(&workers.pool.shared.queue).idle <= 160);
    }

    #[test]
    fn threads_end_with_their_pool() {
        let workers = Workers::default();
        let shared = workers.pool.shared.clone();
        assert_eq!(block_on(workers.run(|| 5)).unwrap(), 5);
        // A job that is under way is brought to its end.
        let (sender, receiver) = std::sync::mpsc::channel();
        let start = workers.start(Box::new(move || {
            std::thread::sleep(Duration::from_millis(50));
            sender.send(6).unwrap();
        }));
        start.unwrap();
        drop(workers);
        assert_eq!(receiver.recv(), Ok(6));
        let start = std::time::Instant::now();
        while Arc::strong_count(&shared) > 1 {
            assert!(start.elapsed() < PATIENCE / 2, "a thread waits for nobody");
            std::thread::yield_now();
        }
    }

    #[test]
    fn what_takes_too_long_is_not_waited_for() {
        let workers = Workers::default();
        let (go, gate) = std::sync::mpsc::channel::<()>();
        let late = block_on(workers.run_for(Duration::from_millis(20), move || gate.recv().is_ok()));
        assert_eq!(late.unwrap_err().kind(), io::ErrorKind::TimedOut);
        assert_eq!(block_on(Workers::default().run_for(Duration::MAX, || 7)).unwrap(), 7);
        // Those who are quick need not know of it.
        let (workers, patience) = (Workers::default(), Duration::from_secs(60));
        (0..100).for_each(|at| assert_eq!(block_on(workers.run_for(patience, move || at)).unwrap(), at));
        let panicked = block_on(workers.run_for(patience, || {
            if true {
                panic!("on purpose")
            }
        }));
        assert_eq!(panicked.unwrap_err().kind(), io::ErrorKind::Other);
        go.send(()).unwrap();
    }

    #[test]
    fn a_panic_is_an_error() {
        let workers = Workers::default();
        assert!(
            block_on(workers.run(|| if true {
                panic!("on purpose")
            }))
            .is_err()
        );
        assert_eq!(block_on(workers.run(|| 5)).unwrap(), 5);
    }
}
