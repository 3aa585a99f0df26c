//! The threads on which callbacks run.

use std::{
    collections::VecDeque,
    io,
    sync::{Condvar, Mutex, PoisonError},
    thread::JoinHandle,
};

use crate::lock;

type Job = Box<dyn FnOnce() + Send>;

/// The threads of one server: one for each callback that is running, kept for the next. Never more than ports.
#[derive(Default)]
pub struct Workers {
    queue: Mutex<Queue>,
    bell: Condvar,
}

#[derive(Default)]
struct Queue {
    jobs: VecDeque<Job>,
    /// Threads that wait for a job, less the jobs that wait for them.
    idle: usize,
    stopped: bool,
    threads: Vec<JoinHandle<()>>,
}

impl Workers {
    /// Runs `job` on a thread of its own; it is not kept waiting for another job.
    pub fn start(self: &std::sync::Arc<Self>, job: Job) -> io::Result<()> {
        let mut queue = lock(&self.queue);
        if queue.stopped {
            return Err(io::Error::other("the server is being shut down"));
        }
        if queue.idle > 0 {
            queue.idle -= 1;
            queue.jobs.push_back(job);
            drop(queue);
            self.bell.notify_one();
            return Ok(());
        }
        let workers = self.clone();
        let thread = std::thread::Builder::new().name("rpc-callback".into()).spawn(move || {
            crate::library::thread_runs_callbacks();
            job();
            workers.work();
        })?;
        queue.threads.push(thread);
        Ok(())
    }

    fn work(&self) {
        let mut queue = lock(&self.queue);
        queue.idle += 1;
        while !queue.stopped {
            if let Some(job) = queue.jobs.pop_front() {
                drop(queue);
                job();
                queue = lock(&self.queue);
                queue.idle += 1;
            } else {
                queue = self.bell.wait(queue).unwrap_or_else(PoisonError::into_inner);
            }
        }
    }

    /// Waits for the callbacks that are running, and ends the threads.
    pub fn stop(&self) {
        let mut queue = lock(&self.queue);
        queue.stopped = true;
        let threads = std::mem::take(&mut queue.threads);
        // A callback that has not begun never will: its conversation is gone.
        queue.jobs.clear();
        drop(queue);
        self.bell.notify_all();
        for thread in threads {
            let _ = thread.join();
        }
    }
}
