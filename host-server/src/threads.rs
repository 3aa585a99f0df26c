//! Threads that serve while kernels run, and sleep while none does.

use std::{
    sync::{
        Arc, Condvar, Mutex, PoisonError,
        atomic::{AtomicBool, AtomicU32, Ordering},
    },
    thread::JoinHandle,
    time::{Duration, Instant},
};

use crate::Server;

/// What a server thread does when it finds no work while a kernel runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Idle {
    /// Look again at once, and let other threads of this core run now and then: the lowest latency, for a whole core.
    Spin,
    /// The same while calls keep coming. In a silence one thread goes on looking, for all of them, and the others sleep until
    /// it has found something: the call that ends a silence is answered at once, for one core.
    Adapt,
    /// The same while calls keep coming. The longer none has come, the longer the naps, so that the call that ends a silence
    /// is answered a thousandth of the silence later, and a millisecond at most: a kernel that computes for long costs
    /// next to nothing.
    Nap,
    /// Sleep for this long between looks: for devices that need the CPU themselves.
    Sleep(Duration),
}

/// Wakes sleeping server threads.
#[derive(Default)]
pub(crate) struct Doorbell {
    kernels: AtomicU32,
    /// Threads that sleep in a silence, and whose share another one looks after. Grows under the lock.
    dozing: AtomicU32,
    sleepers: Mutex<()>,
    bell: Condvar,
}

impl Doorbell {
    pub(crate) fn ring(&self) {
        drop(self.sleepers.lock());
        self.bell.notify_all();
    }
}

impl Server {
    /// A kernel is about to run: wake the server threads and keep them awake until as many ended as were announced.
    pub fn kernel_starts(&self) {
        self.doorbell().kernels.fetch_add(1, Ordering::AcqRel);
        self.doorbell().ring();
    }

    /// A kernel has ended. Follow it with [`drain`](Server::drain) before results are read.
    pub fn kernel_ends(&self) {
        self.doorbell().kernels.fetch_sub(1, Ordering::AcqRel);
    }

    /// Kernels that were announced and have not ended.
    pub fn kernels_in_flight(&self) -> u32 {
        self.doorbell().kernels.load(Ordering::Acquire)
    }
}

/// Threads that serve until dropped.
pub struct ServerThreads {
    server: Server,
    stop: Arc<AtomicBool>,
    threads: Vec<JoinHandle<()>>,
}

impl ServerThreads {
    /// Start `count` threads (at least one) that serve `server` while kernels run.
    pub fn start(server: &Server, count: usize, idle: Idle) -> std::io::Result<Self> {
        Self::start_on(&[], server, count, idle)
    }

    /// The same on these CPUs, as far as this thread may use them and if they are enough.
    pub fn start_on(cpus: &[usize], server: &Server, count: usize, idle: Idle) -> std::io::Result<Self> {
        let stop = Arc::new(AtomicBool::new(false));
        let count = count.max(1);
        let threads = (0..count)
            .map(|number| {
                let (server, stop, cpus) = (server.clone(), stop.clone(), cpus.to_vec());
                std::thread::Builder::new()
                    .name(format!("rpc-server-{number}"))
                    .spawn(move || {
                        stay_on(&cpus, count);
                        serve(&server, number, count, &stop, idle);
                    })
            })
            .collect::<Result<_, _>>()?;
        Ok(Self {
            server: server.clone(),
            stop,
            threads,
        })
    }
}

impl Drop for ServerThreads {
    fn drop(&mut self) {
        self.stop.store(true, Ordering::Release);
        self.server.doorbell().ring();
        for thread in self.threads.drain(..) {
            let _ = thread.join();
        }
    }
}

fn serve(server: &Server, thread: usize, threads: usize, stop: &AtomicBool, idle: Idle) {
    if idle == Idle::Nap {
        sleep_precisely();
    }
    let doorbell = server.doorbell();
    let mut looks = 0u32;
    let mut last_work = Instant::now();
    let mut unflushed = false;
    while !stop.load(Ordering::Acquire) {
        let alone = thread == 0 && doorbell.dozing.load(Ordering::Acquire) > 0;
        let (share, shares) = if alone { (0, 1) } else { (thread, threads) };
        if server.poll_as(share, shares) > 0 {
            if alone {
                doorbell.ring();
            }
            looks = 0;
            unflushed = true;
            continue;
        }
        looks = looks.saturating_add(1);
        if unflushed && (looks >= PAUSE || server.kernels_in_flight() == 0) {
            // Output appears as soon as the device pauses.
            let _ = server.host().flush();
            unflushed = false;
        }
        if server.kernels_in_flight() == 0 {
            sleep_until_rung(server, stop);
            looks = 0;
            continue;
        }
        if looks < PAUSE {
            // A call may follow at once: nothing comes between it and its answer, not even a look at the clock.
            continue;
        }
        if looks == PAUSE {
            last_work = Instant::now();
        }
        match idle {
            Idle::Sleep(_) if looks < PAUSE + 16 => std::thread::yield_now(),
            Idle::Sleep(time) => std::thread::sleep(time),
            _ if !looks.is_multiple_of(64) => std::hint::spin_loop(),
            Idle::Adapt if thread > 0 && last_work.elapsed() >= SILENCE => {
                // One look between two dozes: the first thread has rung if there was anything.
                looks = if doze(server, stop) { 0 } else { PAUSE + 63 };
            }
            Idle::Nap if last_work.elapsed() >= SILENCE => {
                std::thread::sleep(nap(last_work.elapsed()));
                // One look between two naps.
                looks = PAUSE + 63;
            }
            Idle::Spin | Idle::Adapt | Idle::Nap => std::thread::yield_now(),
        }
    }
}

/// Looks without work that make a pause: a few microseconds.
const PAUSE: u32 = 64;

/// When a pause becomes a silence.
const SILENCE: Duration = Duration::from_millis(2);

/// How long to sleep after so long a silence.
fn nap(silence: Duration) -> Duration {
    const LONGEST: Duration = Duration::from_millis(1);
    (silence / 1000).min(LONGEST)
}

/// Keeps this thread on those of `cpus` that it may use, if there are at least `enough`. Elsewhere than on Linux it stays where
/// it is.
#[allow(unsafe_code, reason = "system calls without a wrapper")]
fn stay_on(cpus: &[usize], enough: usize) {
    // SAFETY: sets of CPUs are plain bits, of which all that are 0 is an empty one; numbers are below the sets' size; only
    // this thread changes. A kernel that refuses it leaves the thread where it is.
    #[cfg(target_os = "linux")]
    unsafe {
        let mut allowed: libc::cpu_set_t = std::mem::zeroed();
        let mut near: libc::cpu_set_t = std::mem::zeroed();
        if libc::sched_getaffinity(0, size_of_val(&allowed), &mut allowed) != 0 {
            return;
        }
        for &cpu in cpus {
            if cpu < libc::CPU_SETSIZE as usize && libc::CPU_ISSET(cpu, &allowed) {
                libc::CPU_SET(cpu, &mut near);
            }
        }
        if libc::CPU_COUNT(&near) as usize >= enough {
            libc::sched_setaffinity(0, size_of_val(&near), &near);
        }
    }
}

/// Linux wakes sleepers up to 50 µs late, to wake several at once, unless told otherwise.
#[allow(unsafe_code, reason = "a system call without a wrapper")]
fn sleep_precisely() {
    // SAFETY: takes a number, and changes this thread only. A kernel that refuses it wakes late.
    #[cfg(target_os = "linux")]
    unsafe {
        libc::prctl(libc::PR_SET_TIMERSLACK, 1 as libc::c_ulong);
    }
}

/// A doorbell can be lost, when a device calls though no kernel was announced: hence the look every so often.
const LONGEST_SLEEP: Duration = Duration::from_millis(10);

fn sleep_until_rung(server: &Server, stop: &AtomicBool) {
    let doorbell = server.doorbell();
    let sleepers = doorbell.sleepers.lock().unwrap_or_else(PoisonError::into_inner);
    if stop.load(Ordering::Acquire) || doorbell.kernels.load(Ordering::Acquire) > 0 {
        return;
    }
    let _ = doorbell.bell.wait_timeout(sleepers, LONGEST_SLEEP);
}

/// Leaves this thread's share to the first thread, until that has found something. Whether the bell rang.
fn doze(server: &Server, stop: &AtomicBool) -> bool {
    let doorbell = server.doorbell();
    let sleepers = doorbell.sleepers.lock().unwrap_or_else(PoisonError::into_inner);
    if stop.load(Ordering::Acquire) {
        return true;
    }
    doorbell.dozing.fetch_add(1, Ordering::AcqRel);
    let waited = doorbell.bell.wait_timeout(sleepers, LONGEST_SLEEP);
    doorbell.dozing.fetch_sub(1, Ordering::AcqRel);
    !waited.unwrap_or_else(PoisonError::into_inner).1.timed_out()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    #[cfg(target_os = "linux")]
    #[allow(unsafe_code, reason = "a system call without a wrapper")]
    fn a_thread_stays_where_it_is_told_to() {
        // SAFETY: asks for the calling thread's own number.
        let here = || unsafe { libc::sched_getcpu() } as usize;
        std::thread::spawn(move || {
            let first = here();
            stay_on(&[first, usize::MAX], 1);
            let everywhere: Vec<_> = (0..4096).collect();
            // Too few, none: nothing changes.
            stay_on(&everywhere, 2);
            stay_on(&[], 1);
            for _ in 0..100 {
                assert_eq!(here(), first);
                std::thread::yield_now();
            }
        })
        .join()
        .unwrap();
    }

    #[test]
    fn naps_are_a_thousandth_of_the_silence() {
        let micros = Duration::from_micros;
        assert_eq!(nap(SILENCE), micros(2));
        assert_eq!(nap(micros(100_000)), micros(100));
        assert_eq!(nap(Duration::from_secs(1000)), micros(1000));
    }
}
