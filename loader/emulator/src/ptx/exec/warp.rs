//! A warp: 32 lanes, each with a program counter of its own.
//!
//! Lanes at the same place of the same frame run together as a [`Group`]. A branch can split a group; groups that meet at a
//! label become one again. Which group runs is a matter of fairness and of good reconvergence, never of correctness: among
//! groups that had equally many turns, the one deepest in calls and earliest in the code goes first, so that it catches up
//! with those that wait behind it.

use std::time::Instant;

use super::lanes::{FULL, LANES, Lanes, Pred, Row, lanes};
use super::memory::{Hits, Windows};
use crate::fault::{Fault, FaultKind, Location};
use crate::grid::{Dim3, Rng, Slice, Step};
use crate::ptx::code::{Function, WarpOp};

use super::block::Common;
use super::program::Context;

/// Instructions a group may run before the others of its warp get a turn.
const QUANTUM: u32 = 4096;
/// Looks at memory that nobody changes before a group is taken to be polling.
pub(super) const PATIENCE: u32 = 12;

/// Lanes that run together.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Group {
    pub pc: u32,
    pub frame: u32,
    pub mask: u32,
    /// Calls above the kernel.
    pub depth: u32,
    /// Turns used up.
    pub turn: u32,
    /// Instructions run in this turn.
    pub spent: u32,
}

impl Group {
    /// Smaller goes first.
    fn priority(&self) -> (u32, std::cmp::Reverse<u32>, u32) {
        (self.turn, std::cmp::Reverse(self.depth), self.pc)
    }

    pub fn goes_before(&self, other: &Group) -> bool {
        self.priority() < other.priority()
    }

    pub fn is_with(&self, other: &Group) -> bool {
        self.pc == other.pc && self.frame == other.frame
    }

    pub fn part(&self, mask: u32) -> Group {
        Group { mask, ..*self }
    }
}

/// Registers and stack of one call, for all lanes that are in it: lanes that call the same function from the same frame
/// share one, so that they can run together in the callee however they got there.
#[derive(Debug)]
pub(crate) struct Frame {
    pub function: u32,
    pub parent: Option<u32>,
    /// Lanes that are in this call or in one below it.
    pub lanes: u32,
    pub rows: Vec<Row>,
    pub preds: Vec<u32>,
    /// Offset of each lane's stack frame in its stack, and of the first byte behind it.
    pub bases: [u32; LANES],
    pub tops: [u32; LANES],
    /// Bytes of each lane's stack that count against its limit, this frame included.
    pub used: [u32; LANES],
    /// Where each lane goes on in the parent's function.
    pub returns: [u32; LANES],
}

impl Frame {
    pub fn lanes<'a>(&'a mut self, function: &'a Function) -> Lanes<'a> {
        Lanes::new(&mut self.rows, &function.consts, &mut self.preds)
    }
}

/// What lanes wait for.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Why {
    /// The lanes of a mask.
    Warp {
        op: WarpOp,
        mask: u32,
    },
    /// The next phase of a barrier of the block.
    Barrier {
        index: u32,
        phase: u32,
    },
    Sleep(Instant),
}

/// Lanes that cannot go on; the program counter is that of the instruction they are in.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Waiting {
    pub group: Group,
    pub why: Why,
}

pub(crate) struct Warp {
    /// Number in the block.
    pub id: u32,
    /// Lanes that exist.
    pub all: u32,
    /// Lanes that have not exited.
    pub live: u32,
    pub groups: Vec<Group>,
    pub waiting: Vec<Waiting>,
    pub frames: Vec<Frame>,
    /// Frames not in use, by function.
    free: Vec<Vec<u32>>,
    pub hits: Hits,
    pub windows: Windows,
    pub tid: [Row; 3],
    pub block_index: Dim3,
    /// The multiprocessor it seems to run on.
    pub sm: u32,
}

/// How a group's turn ended.
pub(super) enum End {
    /// Out of budget.
    Budget,
    /// Another group of the warp goes first, or had to wait long enough.
    Turn,
    /// It only looks at memory.
    Polled,
    /// A memory access, in the mode that switches there.
    Access,
    /// It waits, has exited, or has become part of other groups.
    Gone,
}

impl Warp {
    pub fn new(id: u32, functions: usize) -> Warp {
        Warp {
            id,
            all: 0,
            live: 0,
            groups: Vec::new(),
            waiting: Vec::new(),
            frames: Vec::new(),
            free: vec![Vec::new(); functions],
            hits: Hits::default(),
            windows: Windows::default(),
            tid: [Row::ZERO; 3],
            block_index: Dim3::new(0, 0, 0),
            sm: 0,
        }
    }

    /// Puts all lanes of `mask` at the start of a kernel.
    pub fn start(&mut self, cx: &Context<'_>, mask: u32, windows: Windows) {
        self.all = mask;
        self.live = mask;
        self.windows = windows;
        self.groups.clear();
        self.waiting.clear();
        let frame = self.new_frame(cx, cx.kernel, None);
        self.frames[frame as usize].lanes = mask;
        let kernel = &cx.functions[cx.kernel as usize];
        let first = &mut self.frames[frame as usize];
        first.bases = [0; LANES];
        first.tops = [kernel.frame_size; LANES];
        first.used = [kernel.local_size; LANES];
        self.groups.push(Group {
            pc: 0,
            frame,
            mask,
            depth: 0,
            turn: 0,
            spent: 0,
        });
    }

    /// A frame for `function` without lanes.
    pub fn new_frame(&mut self, cx: &Context<'_>, function: u32, parent: Option<u32>) -> u32 {
        if let Some(index) = self.free[function as usize].pop() {
            self.frames[index as usize].parent = parent;
            return index;
        }
        let code = &cx.functions[function as usize];
        let mut preds = vec![0; code.preds.max(Pred::FIRST_FREE) as usize];
        preds[0] = FULL;
        self.frames.push(Frame {
            function,
            parent,
            lanes: 0,
            rows: vec![Row::ZERO; code.rows as usize],
            preds,
            bases: [0; LANES],
            tops: [0; LANES],
            used: [0; LANES],
            returns: [0; LANES],
        });
        self.frames.len() as u32 - 1
    }

    /// The lanes leave this frame, but not its callers.
    pub fn leave(&mut self, frame: u32, mask: u32) {
        let f = &mut self.frames[frame as usize];
        f.lanes &= !mask;
        if f.lanes == 0 {
            self.free[f.function as usize].push(frame);
        }
    }

    /// Runs until the slice is used up or nothing can run.
    pub fn step(&mut self, cx: &Context<'_>, block: &mut Common, slice: &mut Slice<'_>) -> Result<Step, Box<Fault>> {
        self.wake(cx, block);
        let orderly = slice.rng.as_mut().is_none_or(|rng| rng.once_in(2));
        let mut budget = slice.budget;
        let mut progress = false;
        let mut polled = 0;
        loop {
            let Some(mut group) = self.pick(&mut slice.rng, orderly) else {
                return self.idle(cx, progress);
            };
            let end = self.run(cx, block, slice, &mut group, &mut budget, &mut progress, orderly)?;
            match end {
                End::Gone => {
                    // Something may have come free: barriers and sleeps are looked at in the next slice.
                    polled = 0;
                }
                End::Budget => {
                    self.groups.push(group);
                    return Ok(Step::Ran);
                }
                End::Turn => {
                    polled = 0;
                    self.put_back(group);
                }
                End::Access => {
                    group.turn += 1;
                    self.put_back(group);
                    return Ok(Step::Ran);
                }
                End::Polled => {
                    group.turn += 1;
                    group.spent = 0;
                    self.put_back(group);
                    polled += 1;
                    if polled >= self.groups.len() {
                        return Ok(if progress { Step::Ran } else { Step::Polled });
                    }
                }
            }
            if slice.stopping() {
                return Ok(Step::Ran);
            }
        }
    }

    fn put_back(&mut self, mut group: Group) {
        if group.spent >= QUANTUM {
            group.turn += 1;
            group.spent = 0;
        }
        self.groups.push(group);
    }

    /// Takes the group that runs next.
    fn pick(&mut self, rng: &mut Option<&mut Rng>, orderly: bool) -> Option<Group> {
        if self.groups.is_empty() {
            return None;
        }
        let best = match rng {
            Some(rng) if !orderly => rng.below(self.groups.len()),
            _ => {
                let groups = self.groups.iter().enumerate();
                groups.min_by_key(|(_, g)| g.priority()).map_or(0, |(at, _)| at)
            }
        };
        let mut group = self.groups.swap_remove(best);
        // Convergence is nothing to rely on: now and then lanes part for no reason.
        if let Some(rng) = rng
            && group.mask.count_ones() > 1
            && rng.once_in(8)
        {
            let stay = group.mask & rng.draw() as u32;
            if stay != 0 && stay != group.mask {
                self.groups.push(group.part(group.mask & !stay));
                group.mask = stay;
            }
        }
        Some(group)
    }

    /// Nothing can run.
    fn idle(&self, cx: &Context<'_>, progress: bool) -> Result<Step, Box<Fault>> {
        if self.live == 0 {
            return Ok(Step::Finished);
        }
        let sleep = self.waiting.iter().filter_map(|w| match w.why {
            Why::Sleep(until) => Some(until),
            _ => None,
        });
        if let Some(until) = sleep.min() {
            return Ok(Step::Sleeping(until));
        }
        if self.waiting.iter().any(|w| matches!(w.why, Why::Barrier { .. })) {
            return Ok(if progress { Step::Ran } else { Step::Blocked });
        }
        Err(self.missing_lane(cx))
    }

    /// Every lane waits for lanes of its own warp, and none of them will come.
    fn missing_lane(&self, cx: &Context<'_>) -> Box<Fault> {
        let Some((first, mask)) = self.waiting.iter().find_map(|w| match w.why {
            Why::Warp { mask, .. } => Some((w, mask)),
            _ => None,
        }) else {
            return Box::new(Fault::new(
                FaultKind::Deadlock,
                "the warp has lanes that neither run nor wait",
            ));
        };
        let missing = mask & self.live & !first.group.mask;
        let mut detail = format!(
            "lanes {:#010x} wait for the lanes of mask {mask:#010x}, of which {missing:#010x} wait elsewhere:",
            first.group.mask
        );
        for other in &self.waiting {
            detail += &format!(" {};", self.describe(cx, other));
        }
        detail.pop();
        self.fault(cx, &first.group, None, FaultKind::MissingLane, detail)
    }

    /// One waiting group in words.
    pub fn describe(&self, cx: &Context<'_>, waiting: &Waiting) -> String {
        let function = &cx.functions[self.frames[waiting.group.frame as usize].function as usize];
        let line = function.lines.get(waiting.group.pc as usize).copied().unwrap_or(0);
        let what = match waiting.why {
            Why::Warp { mask, .. } => format!("for the lanes of mask {mask:#010x}"),
            Why::Barrier { index, .. } => format!("at barrier {index}"),
            Why::Sleep(_) => "asleep".to_owned(),
        };
        format!(
            "warp {} lanes {:#010x} {what} in {} (PTX line {line})",
            self.id, waiting.group.mask, function.name
        )
    }

    /// Lets lanes go on whose barrier or sleep is over.
    fn wake(&mut self, cx: &Context<'_>, block: &mut Common) {
        if self.waiting.is_empty() {
            return;
        }
        let mut now = None;
        let mut at = 0;
        while at < self.waiting.len() {
            let over = match self.waiting[at].why {
                Why::Sleep(until) => *now.get_or_insert_with(Instant::now) >= until,
                Why::Barrier { index, phase } => block.barriers[index as usize].phase != phase,
                Why::Warp { .. } => false,
            };
            if !over {
                at += 1;
                continue;
            }
            let waiting = self.waiting.swap_remove(at);
            if let Why::Barrier { index, .. } = waiting.why {
                self.barrier_result(cx, block, waiting.group, index);
            }
            self.resume(waiting.group);
        }
    }

    /// The group goes on behind the instruction it was in.
    pub fn resume(&mut self, mut group: Group) {
        group.pc += 1;
        match self.groups.iter_mut().find(|g| g.is_with(&group)) {
            Some(other) => {
                other.mask |= group.mask;
                other.turn = other.turn.min(group.turn);
            }
            None => self.groups.push(group),
        }
    }

    /// Whether the group has had its turn.
    pub(super) fn quantum_left(group: &Group) -> u32 {
        QUANTUM.saturating_sub(group.spent)
    }

    /// A fault in a lane of a group; of the first lane when none is to blame more than the others.
    pub fn fault(
        &self,
        cx: &Context<'_>,
        group: &Group,
        lane: Option<usize>,
        kind: FaultKind,
        detail: impl Into<String>,
    ) -> Box<Fault> {
        let lane = lane.or_else(|| lanes(group.mask).next()).unwrap_or(0);
        let mut fault = Fault::new(kind, detail);
        fault.kernel = cx.functions[cx.kernel as usize].name.clone();
        fault.block = Some(self.block_index);
        fault.thread = Some(cx.launch.block.index(u64::from(self.id) * LANES as u64 + lane as u64));
        fault.lane = Some(lane as u32);
        let (mut frame, mut pc) = (Some(group.frame), group.pc);
        while let Some(index) = frame {
            let f = &self.frames[index as usize];
            fault.stack.push(location(cx, f.function, pc));
            // A return address is the instruction behind the call.
            pc = f.returns[lane].saturating_sub(1);
            frame = f.parent;
        }
        Box::new(fault)
    }
}

fn location(cx: &Context<'_>, function: u32, pc: u32) -> Location {
    let code = &cx.functions[function as usize];
    let (file, line) = code.sources.get(pc as usize).copied().unwrap_or((0, 0));
    let file = cx.files.iter().find(|(number, _)| *number == file);
    Location {
        function: code.name.clone(),
        position: crate::fault::Position::PtxLine(code.lines.get(pc as usize).copied().unwrap_or(0)),
        source: file.filter(|_| line != 0).map(|(_, name)| (name.clone(), line)),
    }
}
