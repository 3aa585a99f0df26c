//! Who runs next.

use std::collections::VecDeque;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use super::{Launch, Program, Rng, Slice, Stats, Step, Stop, resident_blocks};
use crate::fault::{Fault, FaultKind};
use crate::memory::Memory;

/// Instructions per turn of a unit without a seed.
const BUDGET: u32 = 8192;
/// Fruitless rounds after which a worker sleeps rather than only yielding its time slice.
const PATIENCE: u32 = 2000;
const NAP: Duration = Duration::from_micros(50);

/// Runs `program` with the geometry of `launch` and returns when all its blocks have finished. Memory freed meanwhile stays
/// mapped. May be called from several threads at once.
///
/// # Errors
/// The first fault; with several host threads, one of the first.
pub fn run<P: Program>(memory: &Memory, program: &P, launch: &Launch) -> Result<Stats, Box<Fault>> {
    let _running = memory.enter();
    let shared = Shared::new(program, launch);
    let result = match launch.seed {
        Some(seed) => {
            let mut alive = Vec::new();
            let result = shared.run_seeded(Rng::new(seed), &mut alive);
            shared.abandon(alive);
            result
        }
        None => shared.run_parallel(),
    };
    let left = std::mem::take(&mut *lock(&shared.ready));
    shared.abandon(left);
    for block in std::mem::take(&mut *lock(&shared.spare)) {
        program.discard(block);
    }
    result
}

/// A block that has begun, and what its units are doing.
struct Resident<B> {
    block: B,
    units: Vec<State>,
    unfinished: usize,
    /// Earliest end of a sleep, when that is all that is left to wait for.
    wake: Option<Instant>,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum State {
    Ready,
    /// Blocked, and no unit of the block has done anything since.
    Blocked,
    Sleeping(Instant),
    Finished,
}

impl<B> Resident<B> {
    fn new(block: B, units: usize) -> Resident<B> {
        Resident {
            block,
            units: vec![State::Ready; units],
            unfinished: units,
            wake: None,
        }
    }

    /// Runs one unit for a slice. True when it got anywhere.
    fn step<P: Program<Block = B>>(
        &mut self,
        program: &P,
        unit: usize,
        slice: &mut Slice<'_>,
    ) -> Result<bool, Box<Fault>> {
        let step = program.step(&mut self.block, unit, slice)?;
        let (state, progress) = match step {
            Step::Ran => (State::Ready, true),
            Step::Polled => (State::Ready, false),
            Step::Sleeping(until) => (State::Sleeping(until), false),
            Step::Blocked => (State::Blocked, false),
            Step::Finished => (State::Finished, true),
        };
        if state != State::Blocked {
            // Whatever it did, it may be what the others wait for.
            for other in &mut self.units {
                if *other == State::Blocked {
                    *other = State::Ready;
                }
            }
        }
        self.units[unit] = state;
        if state == State::Finished {
            self.unfinished -= 1;
        }
        Ok(progress)
    }

    /// All that is unfinished waits for something that only these same units could do.
    fn is_stuck(&self) -> bool {
        self.unfinished > 0
            && self
                .units
                .iter()
                .all(|state| matches!(state, State::Blocked | State::Finished))
    }
}

struct Shared<'a, P: Program> {
    program: &'a P,
    launch: &'a Launch,
    units: usize,
    blocks: u64,
    stop: Stop,
    next_block: AtomicU64,
    finished_blocks: AtomicU64,
    ready: Mutex<VecDeque<Resident<P::Block>>>,
    spare: Mutex<Vec<P::Block>>,
    /// Blocks begun and not finished.
    resident: AtomicUsize,
    fault: Mutex<Option<Box<Fault>>>,
}

impl<'a, P: Program> Shared<'a, P> {
    fn new(program: &'a P, launch: &'a Launch) -> Shared<'a, P> {
        Shared {
            program,
            launch,
            units: program.units(),
            blocks: launch.grid.count(),
            stop: Stop::new(launch.cancel.clone()),
            next_block: AtomicU64::new(0),
            finished_blocks: AtomicU64::new(0),
            ready: Mutex::default(),
            spare: Mutex::default(),
            resident: AtomicUsize::new(0),
            fault: Mutex::default(),
        }
    }

    /// Begins the next block, if there is one and a device would have room for it.
    fn begin(&self) -> Result<Option<Resident<P::Block>>, Box<Fault>> {
        let room = resident_blocks(self.launch.block.count()) as usize;
        let claimed = self
            .resident
            .try_update(Ordering::SeqCst, Ordering::SeqCst, |n| (n < room).then_some(n + 1));
        if claimed.is_err() {
            return Ok(None);
        }
        let linear = self.next_block.fetch_add(1, Ordering::SeqCst);
        if linear >= self.blocks {
            self.next_block.store(self.blocks, Ordering::SeqCst);
            self.resident.fetch_sub(1, Ordering::SeqCst);
            return Ok(None);
        }
        let spare = lock(&self.spare).pop();
        let block = self.program.start(self.launch.grid.index(linear), spare)?;
        Ok(Some(Resident::new(block, self.units)))
    }

    fn finish(&self, resident: Resident<P::Block>) {
        lock(&self.spare).push(resident.block);
        self.resident.fetch_sub(1, Ordering::SeqCst);
        self.finished_blocks.fetch_add(1, Ordering::SeqCst);
    }

    /// Blocks that will not be finished.
    fn abandon(&self, blocks: impl IntoIterator<Item = Resident<P::Block>>) {
        for resident in blocks {
            self.program.discard(resident.block);
        }
    }

    fn done(&self) -> bool {
        self.finished_blocks.load(Ordering::SeqCst) >= self.blocks
    }

    fn fail(&self, fault: Box<Fault>) {
        lock(&self.fault).get_or_insert(fault);
        self.stop.faulted.store(true, Ordering::SeqCst);
    }

    fn cancelled(&self, at: Option<String>) -> Box<Fault> {
        Box::new(Fault::new(
            FaultKind::Cancelled,
            match at {
                Some(at) => format!("the launch was stopped from outside; {at}"),
                None => "the launch was stopped from outside".to_owned(),
            },
        ))
    }

    fn run_parallel(&self) -> Result<Stats, Box<Fault>> {
        let cores = match self.launch.host_threads {
            0 => thread::available_parallelism().map_or(1, usize::from),
            n => n,
        };
        let workers = cores.min(usize::try_from(self.blocks).unwrap_or(cores)).max(1);
        let mut stats = Stats::default();
        if workers == 1 {
            stats = self.work(1);
        } else {
            thread::scope(|scope| {
                let others: Vec<_> = (1..workers).map(|_| scope.spawn(|| self.work(workers))).collect();
                stats = self.work(workers);
                for other in others {
                    // A worker only panics when the emulator itself is wrong; pass that on.
                    match other.join() {
                        Ok(theirs) => {
                            stats.instructions += theirs.instructions;
                            stats.lane_instructions += theirs.lane_instructions;
                        }
                        Err(panic) => std::panic::resume_unwind(panic),
                    }
                }
            });
        }
        match lock(&self.fault).take() {
            Some(fault) => Err(fault),
            None => Ok(stats),
        }
    }

    /// What each worker does: takes a block, runs it for a round, puts it back.
    fn work(&self, workers: usize) -> Stats {
        let mut stats = Stats::default();
        let mut idle = 0u32;
        while !self.stop.is_set() && !self.done() {
            // New blocks go first: a resident one may be waiting for one that has not begun.
            let next = match self.begin() {
                Ok(Some(block)) => Some(block),
                Ok(None) => lock(&self.ready).pop_front(),
                Err(fault) => {
                    self.fail(fault);
                    break;
                }
            };
            let Some(mut resident) = next else {
                rest(&mut idle, None);
                continue;
            };
            match self.round(&mut resident, &mut stats) {
                Ok(true) => idle = 0,
                Ok(false) => idle += 1,
                Err(fault) => {
                    self.fail(fault);
                    self.abandon([resident]);
                    break;
                }
            }
            if resident.unfinished == 0 {
                self.finish(resident);
                continue;
            }
            let wake = resident.wake;
            let others = {
                let mut ready = lock(&self.ready);
                ready.push_back(resident);
                ready.len()
            };
            // All blocks that this worker meets had their turn and none got anywhere.
            if idle as usize > others / workers + 1 {
                rest(&mut idle, wake.filter(|_| others <= 1));
            }
        }
        if self.stop.cancel.load(Ordering::SeqCst) && !self.done() {
            let at = lock(&self.ready)
                .front()
                .and_then(|resident| self.program.whereabouts(&resident.block));
            self.fail(self.cancelled(at));
        }
        stats
    }

    /// One turn for every unit of a block. True when any got anywhere.
    fn round(&self, resident: &mut Resident<P::Block>, stats: &mut Stats) -> Result<bool, Box<Fault>> {
        let mut progress = false;
        let mut wake: Option<Instant> = None;
        let mut all_sleep = true;
        for unit in 0..self.units {
            match resident.units[unit] {
                State::Finished => continue,
                State::Blocked => continue,
                State::Sleeping(until) if until > Instant::now() => {
                    wake = Some(wake.map_or(until, |w| w.min(until)));
                    continue;
                }
                State::Sleeping(_) | State::Ready => {}
            }
            let mut slice = Slice {
                budget: BUDGET,
                switch_at_every_access: self.launch.switch_at_every_access,
                rng: None,
                stats,
                stop: &self.stop,
            };
            let moved = resident.step(self.program, unit, &mut slice)?;
            progress |= moved;
            match resident.units[unit] {
                State::Sleeping(until) => wake = Some(wake.map_or(until, |w| w.min(until))),
                State::Blocked | State::Finished => {}
                State::Ready => all_sleep = false,
            }
            if self.stop.is_set() {
                return Ok(true);
            }
        }
        resident.wake = wake.filter(|_| all_sleep);
        if resident.is_stuck() {
            return Err(self.program.deadlock(&resident.block));
        }
        Ok(progress)
    }

    /// Everything on this thread; `rng` picks the block, the unit and how long it runs.
    fn run_seeded(&self, mut rng: Rng, alive: &mut Vec<Resident<P::Block>>) -> Result<Stats, Box<Fault>> {
        let mut stats = Stats::default();
        let mut idle = 0u32;
        loop {
            while let Some(resident) = self.begin()? {
                alive.push(resident);
            }
            if alive.is_empty() {
                return Ok(stats);
            }
            if self.stop.is_set() {
                return Err(self.cancelled(self.program.whereabouts(&alive[0].block)));
            }
            let at = rng.below(alive.len());
            let resident = &mut alive[at];
            let start = rng.below(self.units);
            let now = Instant::now();
            let ready = |state: State| match state {
                State::Ready => true,
                State::Sleeping(until) => until <= now,
                State::Blocked | State::Finished => false,
            };
            let Some(unit) = (0..self.units)
                .map(|i| (start + i) % self.units)
                .find(|&unit| ready(resident.units[unit]))
            else {
                if resident.is_stuck() {
                    return Err(self.program.deadlock(&resident.block));
                }
                rest(&mut idle, None);
                continue;
            };
            let budget = match rng.below(4) {
                0 => 1 + rng.below(8),
                1 => 1 + rng.below(64),
                _ => 1 + rng.below(1024),
            };
            let mut slice = Slice {
                budget: budget as u32,
                switch_at_every_access: self.launch.switch_at_every_access,
                rng: Some(&mut rng),
                stats: &mut stats,
                stop: &self.stop,
            };
            if resident.step(self.program, unit, &mut slice)? {
                idle = 0;
            } else {
                idle += 1;
                let runnable = alive.len() * self.units;
                if idle as usize > 2 * runnable {
                    rest(&mut idle, None);
                }
                continue;
            }
            if resident.unfinished == 0 {
                let finished = alive.swap_remove(at);
                self.finish(finished);
            }
        }
    }
}

/// Lets other threads run: they may be what the kernel waits for.
fn rest(idle: &mut u32, wake: Option<Instant>) {
    *idle = idle.saturating_add(1);
    if let Some(wake) = wake {
        thread::sleep(wake.saturating_duration_since(Instant::now()).min(4 * NAP));
    } else if *idle < PATIENCE {
        thread::yield_now();
    } else {
        thread::sleep(NAP);
    }
}

fn lock<T>(mutex: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
