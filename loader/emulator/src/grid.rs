//! Launches: which blocks run, on which host threads, in which order.
//!
//! A front (PTX, AMDGCN) implements [`Program`]: what a block is and how one of its execution units (warp, wavefront) goes on
//! for a slice of time. This module does the rest. Without a seed, blocks spread over host threads; as many blocks as a
//! device would hold are alive at once and take turns, so that blocks can wait for each other and for the host. With a seed,
//! everything runs on the calling thread in an order drawn from the seed.

mod schedule;
mod seed;

use std::fmt;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

use crate::fault::Fault;

pub use schedule::run;
pub use seed::Seed;

/// Three sizes or indices.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Dim3 {
    /// Fastest varying.
    pub x: u32,
    /// Second.
    pub y: u32,
    /// Slowest varying.
    pub z: u32,
}

impl Dim3 {
    /// `x`, `y`, `z`.
    pub const fn new(x: u32, y: u32, z: u32) -> Dim3 {
        Dim3 { x, y, z }
    }

    /// Number of elements of a grid of this size.
    pub const fn count(self) -> u64 {
        // Each factor is below 2^32 and launches are checked to have y, z < 2^16.
        (self.x as u64)
            .saturating_mul(self.y as u64)
            .saturating_mul(self.z as u64)
    }

    /// The index of element number `linear` of a grid of this size.
    pub const fn index(self, linear: u64) -> Dim3 {
        let (x, y) = (self.x as u64, self.y as u64);
        Dim3 {
            x: (linear % x) as u32,
            y: (linear / x % y) as u32,
            z: (linear / x / y) as u32,
        }
    }
}

impl From<u32> for Dim3 {
    fn from(x: u32) -> Dim3 {
        Dim3::new(x, 1, 1)
    }
}

impl fmt::Display for Dim3 {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "({},{},{})", self.x, self.y, self.z)
    }
}

/// Where device-side `printf` goes; called with whole formatted texts.
pub type Output = Arc<dyn Fn(&[u8]) + Send + Sync>;

/// How a kernel is launched.
#[derive(Clone)]
pub struct Launch {
    /// Blocks.
    pub grid: Dim3,
    /// Threads per block.
    pub block: Dim3,
    /// Bytes of shared memory per block beyond what the kernel declares.
    pub dynamic_shared: u32,
    /// Bytes of stack per thread, where the kernel's need is not known from its call graph.
    pub stack_size: u32,
    /// Draw the order of execution from this seed, on one host thread. Otherwise blocks run on several at once.
    pub seed: Option<u64>,
    /// Give other units a chance after every memory access. Slow; meant for use with a seed.
    pub switch_at_every_access: bool,
    /// Host threads to use without a seed; 0 = as many as there are cores.
    pub host_threads: usize,
    /// Set by anybody to stop the launch: it ends soon, with a fault of kind `Cancelled`.
    pub cancel: Arc<AtomicBool>,
    /// Takes device-side `printf`; `None` = standard output of the process.
    pub output: Option<Output>,
}

/// Default of `CU_LIMIT_STACK_SIZE`.
const DEFAULT_STACK: u32 = 1024;

impl Launch {
    /// `grid` blocks of `block` threads, everything else by default.
    pub fn new(grid: impl Into<Dim3>, block: impl Into<Dim3>) -> Launch {
        Launch {
            grid: grid.into(),
            block: block.into(),
            dynamic_shared: 0,
            stack_size: DEFAULT_STACK,
            seed: None,
            switch_at_every_access: false,
            host_threads: 0,
            cancel: Arc::default(),
            output: None,
        }
    }

    /// Hands a text of device-side `printf` to where it goes.
    pub fn print(&self, text: &[u8]) {
        match &self.output {
            Some(output) => output(text),
            None => {
                use std::io::Write;
                let mut stdout = std::io::stdout().lock();
                // A closed stdout must not end the kernel.
                let _ = stdout.write_all(text).and_then(|()| stdout.flush());
            }
        }
    }
}

impl fmt::Debug for Launch {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Launch")
            .field("grid", &self.grid)
            .field("block", &self.block)
            .field("dynamic_shared", &self.dynamic_shared)
            .field("stack_size", &self.stack_size)
            .field("seed", &self.seed)
            .field("switch_at_every_access", &self.switch_at_every_access)
            .field("host_threads", &self.host_threads)
            .finish_non_exhaustive()
    }
}

/// What a launch did.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Stats {
    /// Instructions executed, counted once per unit.
    pub instructions: u64,
    /// Instructions executed, counted once per active lane.
    pub lane_instructions: u64,
}

/// A stream of random numbers (splitmix64): the same seed gives the same schedule on every machine.
#[derive(Clone, Debug)]
pub struct Rng(u64);

impl Rng {
    /// Starts a stream.
    pub fn new(seed: u64) -> Rng {
        Rng(seed)
    }

    /// The next number.
    pub fn draw(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// A number below `n` (which is not 0).
    pub fn below(&mut self, n: usize) -> usize {
        ((u128::from(self.draw()) * n as u128) >> 64) as usize
    }

    /// True once in `n` times.
    pub fn once_in(&mut self, n: usize) -> bool {
        self.below(n) == 0
    }
}

/// One turn of an execution unit.
pub struct Slice<'a> {
    /// Instructions to execute before the unit should return [`Step::Ran`].
    pub budget: u32,
    /// Return after each access to memory that others can see, however much budget is left.
    pub switch_at_every_access: bool,
    /// Present when the schedule is seeded: draw all decisions about the order of lanes from it.
    pub rng: Option<&'a mut Rng>,
    /// Counted by the unit.
    pub stats: &'a mut Stats,
    pub(crate) stop: &'a Stop,
}

impl Slice<'_> {
    /// Whether the launch has been cancelled or has faulted elsewhere: return as soon as convenient.
    #[inline]
    pub fn stopping(&self) -> bool {
        self.stop.is_set()
    }
}

/// What became of a unit in its slice.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Step {
    /// Used up its budget, or gave way at a memory access; made progress.
    Ran,
    /// Only polls memory: others (the host among them) should get their turn.
    Polled,
    /// Nothing to do before this time (`nanosleep`, `s_sleep`).
    Sleeping(Instant),
    /// Waits at a barrier or for lanes: cannot go on before another unit of its block did something. It is asked again
    /// whenever one has.
    Blocked,
    /// All its lanes have exited. It is not asked again.
    Finished,
}

/// A kernel with its arguments, ready to run: what a front gives to [`run`].
pub trait Program: Sync {
    /// The state of one block: its units, shared memory and barriers.
    type Block: Send;

    /// Builds the block with index `index`. `spare` is a finished block of the same launch whose memory can be used again.
    ///
    /// # Errors
    /// When the host runs out of memory.
    fn start(&self, index: Dim3, spare: Option<Self::Block>) -> Result<Self::Block, Box<Fault>>;

    /// How many execution units each block has.
    fn units(&self) -> usize;

    /// Runs unit number `unit` of the block for a while.
    ///
    /// # Errors
    /// A fault ends the launch.
    fn step(&self, block: &mut Self::Block, unit: usize, slice: &mut Slice<'_>) -> Result<Step, Box<Fault>>;

    /// All unfinished units of the block are blocked: the fault that says where each waits.
    fn deadlock(&self, block: &Self::Block) -> Box<Fault>;

    /// Takes a block that is no longer needed: finished, or left behind by a fault.
    fn discard(&self, block: Self::Block) {
        drop(block);
    }

    /// Where a block is at the moment, for the fault of a launch that was cancelled. `None` = nothing to say.
    fn whereabouts(&self, block: &Self::Block) -> Option<String> {
        let _ = block;
        None
    }
}

/// Set when a launch has to end before its time.
pub(crate) struct Stop {
    faulted: AtomicBool,
    cancel: Arc<AtomicBool>,
}

impl Stop {
    fn new(cancel: Arc<AtomicBool>) -> Stop {
        Stop {
            faulted: AtomicBool::new(false),
            cancel,
        }
    }

    #[inline]
    fn is_set(&self) -> bool {
        self.faulted.load(Ordering::Relaxed) || self.cancel.load(Ordering::Relaxed)
    }
}

/// How many blocks of `threads` threads a device holds at once: 132 multiprocessors, 2048 threads and 32 blocks on each (H100).
pub fn resident_blocks(threads: u64) -> u64 {
    132 * (2048 / threads.max(1)).clamp(1, 32)
}
