//! A launch of a PTX kernel, as the scheduler of [`grid`](crate::grid) sees it.

use std::time::{Instant, SystemTime, UNIX_EPOCH};

use super::block::{Block, Common, deadlock};
use super::lanes::LANES;
use super::memory::Windows;
use super::warp::Warp;
use crate::fault::{Fault, FaultKind};
use crate::grid::{Dim3, Launch, Program, Slice, Step};
use crate::memory::{Kind, Memory};
use crate::ptx::code::Function;

/// Stacks of neighbouring lanes do not touch, and do not all fall onto the same lines of the host's cache.
const STACK_GAP: u64 = 64;
/// Windows lie in pages of their own, so that a stray access to device memory is not mistaken for one to them.
pub(crate) const WINDOW_ALIGN: u64 = 4096;
/// Distance of the addresses of two functions.
pub(crate) const CODE_STEP: u64 = 16;
/// Multiprocessors that blocks seem to be spread over.
const MULTIPROCESSORS: u64 = 132;

/// What all warps of a launch have in common.
pub(crate) struct Context<'a> {
    pub memory: &'a Memory,
    pub launch: &'a Launch,
    pub functions: &'a [Function],
    /// Source files by number.
    pub files: &'a [(u32, String)],
    /// Index of the kernel's function.
    pub kernel: u32,
    /// Address of function 0.
    pub code: u64,
    /// Address of the parameters.
    pub params: u64,
    pub static_shared: u32,
    /// Bytes of stack per thread that the program may use, and that there are.
    pub stack_limit: u32,
    pub stack_size: u32,
    /// Bytes of the limit that each call takes beside its variables.
    pub call_cost: u32,
    pub grid_id: u64,
    pub started: Instant,
}

impl Context<'_> {
    /// The function that has this address.
    pub fn function_at(&self, address: u64) -> Option<u32> {
        let inside = address.wrapping_sub(self.code);
        let index = inside / CODE_STEP;
        (inside.is_multiple_of(CODE_STEP) && index < self.functions.len() as u64).then_some(index as u32)
    }

    /// `%clock64`. A seeded run counts instructions, so that it can be repeated.
    pub fn clock(&self, slice: &Slice<'_>) -> u64 {
        if slice.rng.is_some() {
            slice.stats.instructions
        } else {
            self.started.elapsed().as_nanos() as u64
        }
    }

    /// `%globaltimer`, nanoseconds.
    pub fn global_timer(&self, slice: &Slice<'_>) -> u64 {
        if slice.rng.is_some() {
            slice.stats.instructions
        } else {
            SystemTime::now()
                .duration_since(UNIX_EPOCH)
                .map_or(0, |d| d.as_nanos() as u64)
        }
    }

    fn threads(&self) -> u64 {
        self.launch.block.count()
    }

    fn stack_stride(&self) -> u64 {
        u64::from(self.stack_size) + STACK_GAP
    }

    fn new_block(&self) -> Result<Block, Box<Fault>> {
        let warps = self.units();
        let out_of_memory = |error: crate::memory::AllocError| {
            let mut fault = Fault::new(FaultKind::Cancelled, format!("no memory to run a block: {error}"));
            fault.kernel = self.functions[self.kernel as usize].name.clone();
            Box::new(fault)
        };
        let stacks_size = warps as u64 * LANES as u64 * self.stack_stride();
        let stacks = self
            .memory
            .alloc(Kind::Local, stacks_size, WINDOW_ALIGN, "stacks")
            .map_err(out_of_memory)?;
        let shared_size = u64::from(self.static_shared) + u64::from(self.launch.dynamic_shared);
        let shared = self
            .memory
            .alloc(Kind::Shared, shared_size.max(1), WINDOW_ALIGN, "")
            .map_err(out_of_memory)?;
        Ok(Block {
            common: Common::new(warps),
            warps: (0..warps)
                .map(|id| Warp::new(id as u32, self.functions.len()))
                .collect(),
            windows: Windows {
                stacks,
                stack_stride: self.stack_stride(),
                stack_size: u64::from(self.stack_size),
                shared,
                shared_size,
                params: self.params,
            },
        })
    }
}

impl Program for Context<'_> {
    type Block = Block;

    fn start(&self, index: Dim3, spare: Option<Block>) -> Result<Block, Box<Fault>> {
        let mut block = match spare {
            Some(block) => block,
            None => self.new_block()?,
        };
        block.common.reset(index);
        let threads = self.threads();
        let grid = self.launch.grid;
        let linear =
            (u64::from(index.z) * u64::from(grid.y) + u64::from(index.y)) * u64::from(grid.x) + u64::from(index.x);
        for (id, warp) in block.warps.iter_mut().enumerate() {
            let first = (id * LANES) as u64;
            let mask = match threads - first {
                n if n >= LANES as u64 => u32::MAX,
                n => (1 << n) - 1,
            };
            let windows = Windows {
                stacks: block.windows.stacks + first * self.stack_stride(),
                ..block.windows
            };
            for lane in 0..LANES {
                let tid = self.launch.block.index(first + lane as u64);
                warp.tid[0].0[lane] = tid.x;
                warp.tid[1].0[lane] = tid.y;
                warp.tid[2].0[lane] = tid.z;
            }
            warp.block_index = index;
            warp.sm = (linear % MULTIPROCESSORS) as u32;
            block.common.live[id] = mask;
            warp.start(self, mask, windows);
        }
        Ok(block)
    }

    fn units(&self) -> usize {
        self.threads().div_ceil(LANES as u64) as usize
    }

    fn step(&self, block: &mut Block, unit: usize, slice: &mut Slice<'_>) -> Result<Step, Box<Fault>> {
        block.warps[unit].step(self, &mut block.common, slice)
    }

    fn deadlock(&self, block: &Block) -> Box<Fault> {
        deadlock(self, block)
    }

    fn discard(&self, block: Block) {
        // Both were allocated by `new_block`; nothing else frees them.
        let _ = self.memory.free(block.windows.stacks, &[Kind::Local]);
        let _ = self.memory.free(block.windows.shared, &[Kind::Shared]);
    }

    fn whereabouts(&self, block: &Block) -> Option<String> {
        let warp = block.warps.iter().find(|warp| warp.live != 0)?;
        let group = warp.groups.first().copied().or(warp.waiting.first().map(|w| w.group))?;
        let fault = warp.fault(self, &group, None, FaultKind::Cancelled, "");
        let at = fault.stack.first()?;
        Some(format!(
            "block {}, thread {} was in {at}",
            block.common.index, fault.thread?
        ))
    }
}
