//! What the warps of a block share, and its barriers.

use super::lanes::{Args, lanes};
use super::memory::Windows;
use super::program::Context;
use super::warp::{Group, Waiting, Warp, Why};
use crate::fault::{Fault, FaultKind};
use crate::grid::Dim3;
use crate::ptx::code::{Barrier, BarrierAction, Op};

/// Barriers of a block.
const BARRIERS: u32 = 16;

/// One barrier. It counts lanes; a phase ends when all have come that it waits for.
#[derive(Clone, Debug, Default)]
pub(crate) struct BarrierState {
    /// Phases ended.
    pub phase: u32,
    /// Lanes of each warp that have come in this phase.
    arrived: Vec<u32>,
    /// Threads that have come, a warp whose lanes are all there counting in full.
    count: u32,
    /// Threads to wait for, when the program says so.
    expected: Option<u32>,
    /// For each warp, where it came: function and instruction.
    places: Vec<Option<(u32, u32)>>,
    votes: Votes,
    /// Votes of the last phase that ended.
    last: Votes,
}

#[derive(Clone, Copy, Debug, Default)]
struct Votes {
    popc: u32,
    against: bool,
}

/// What the warps of a block share.
pub(crate) struct Common {
    pub index: Dim3,
    pub barriers: Vec<BarrierState>,
    /// Lanes of each warp that have not exited.
    pub live: Vec<u32>,
}

/// A block: its warps and what they share.
pub(crate) struct Block {
    pub common: Common,
    pub warps: Vec<Warp>,
    pub windows: Windows,
}

impl Common {
    pub fn new(warps: usize) -> Common {
        let barrier = BarrierState {
            arrived: vec![0; warps],
            places: vec![None; warps],
            ..BarrierState::default()
        };
        Common {
            index: Dim3::new(0, 0, 0),
            barriers: vec![barrier; BARRIERS as usize],
            live: vec![0; warps],
        }
    }

    pub fn reset(&mut self, index: Dim3) {
        let warps = self.live.len();
        *self = Common {
            index,
            ..Common::new(warps)
        };
    }

    /// Ends the phase of a barrier if everybody is there.
    fn complete(&mut self, index: u32) -> bool {
        let barrier = &mut self.barriers[index as usize];
        let all_there = match barrier.expected {
            Some(expected) => barrier.count >= expected,
            None => {
                let warps = barrier.arrived.iter().zip(&self.live);
                barrier.arrived.iter().any(|&lanes| lanes != 0) && { warps }.all(|(arrived, live)| live & !arrived == 0)
            }
        };
        if all_there {
            barrier.phase = barrier.phase.wrapping_add(1);
            barrier.arrived.fill(0);
            barrier.places.fill(None);
            barrier.count = 0;
            barrier.expected = None;
            barrier.last = std::mem::take(&mut barrier.votes);
        }
        all_there
    }

    /// Lanes of a warp have exited: barriers no longer wait for them.
    pub fn lanes_exited(&mut self, warp: u32, live: u32) {
        self.live[warp as usize] = live;
        for index in 0..BARRIERS {
            let barrier = &self.barriers[index as usize];
            if barrier.expected.is_none() && barrier.arrived.iter().any(|&lanes| lanes != 0) {
                self.complete(index);
            }
        }
    }
}

impl Warp {
    /// The lanes of `group` execute `bar` or `barrier`.
    pub(super) fn barrier(
        &mut self,
        cx: &Context<'_>,
        block: &mut Common,
        group: &Group,
        barrier: &Barrier,
        args: Args,
    ) -> Result<(), Box<Fault>> {
        let frame = &mut self.frames[group.frame as usize];
        let function = frame.function;
        let l = frame.lanes(&cx.functions[function as usize]);
        let votes = l.pred(args.s);
        // Lanes may name different barriers.
        let mut parts: Vec<(u32, Option<u32>, u32)> = Vec::new();
        for lane in lanes(group.mask) {
            let index = l.get::<u32>(args.a, lane);
            let count = barrier.has_count.then(|| l.get::<u32>(args.b, lane));
            match parts.iter_mut().find(|part| (part.0, part.1) == (index, count)) {
                Some(part) => part.2 |= 1 << lane,
                None => parts.push((index, count, 1 << lane)),
            }
        }
        for (index, count, mask) in parts {
            let part = group.part(mask);
            if index >= BARRIERS {
                let detail = format!("barrier {index} does not exist, a block has {BARRIERS}");
                return Err(self.fault(cx, &part, None, FaultKind::IllegalInstruction, detail));
            }
            if let Some(count) = count
                && (count == 0 || count % 32 != 0)
            {
                let detail = format!("barrier {index} for {count} threads, which is no multiple of the warp size");
                return Err(self.fault(cx, &part, None, FaultKind::IllegalInstruction, detail));
            }
            let state = &mut block.barriers[index as usize];
            let place = &mut state.places[self.id as usize];
            if let Some(other) = *place
                && barrier.aligned
                && other != (function, group.pc)
            {
                let line = cx.functions[other.0 as usize].lines[other.1 as usize];
                let detail = format!(
                    "lanes {mask:#010x} of warp {} are at barrier {index} here, others of the warp at the one of PTX line {line}",
                    self.id
                );
                return Err(self.fault(cx, &part, None, FaultKind::DivergentBarrier, detail));
            }
            *place = Some((function, group.pc));
            let phase = state.phase;
            state.arrived[self.id as usize] |= mask;
            state.expected = count.or(state.expected);
            // A warp counts in full, also one that the block does not fill.
            state.count += if mask == self.live { 32 } else { mask.count_ones() };
            state.votes.popc += (votes & mask).count_ones();
            state.votes.against |= mask & !votes != 0;
            let over = block.complete(index);
            if over || barrier.action == BarrierAction::Arrive {
                self.barrier_result(cx, block, part, index);
                self.resume(part);
            } else {
                self.waiting.push(Waiting {
                    group: part,
                    why: Why::Barrier { index, phase },
                });
            }
        }
        Ok(())
    }

    /// Gives lanes that were at a barrier the result of its reduction.
    pub(super) fn barrier_result(&mut self, cx: &Context<'_>, block: &Common, group: Group, index: u32) {
        let frame = &mut self.frames[group.frame as usize];
        let function = &cx.functions[frame.function as usize];
        let inst = &function.code[group.pc as usize];
        let Op::Barrier(barrier) = &inst.op else { return };
        let votes = block.barriers[index as usize].last;
        let l = frame.lanes(function);
        match barrier.action {
            BarrierAction::Sync | BarrierAction::Arrive => {}
            BarrierAction::ReducePopc => {
                for lane in lanes(group.mask) {
                    l.set(inst.args.d, lane, votes.popc);
                }
            }
            BarrierAction::ReduceAnd => l.set_pred(inst.args.p, group.mask, if votes.against { 0 } else { !0 }),
            BarrierAction::ReduceOr => l.set_pred(inst.args.p, group.mask, if votes.popc > 0 { !0 } else { 0 }),
        }
    }
}

/// All warps of the block wait, and nobody is left to wake them.
pub(super) fn deadlock(cx: &Context<'_>, block: &Block) -> Box<Fault> {
    let waiting = || {
        block
            .warps
            .iter()
            .flat_map(|warp| warp.waiting.iter().map(move |w| (warp, w)))
    };
    let Some((warp, first)) = waiting().next() else {
        return Box::new(Fault::new(FaultKind::Deadlock, ""));
    };
    // Lanes of one warp at different barriers: the usual cause.
    let divergent = block.warps.iter().find_map(|warp| {
        let mut at = warp.waiting.iter().filter_map(|w| match w.why {
            Why::Barrier { index, .. } => Some((w, index)),
            _ => None,
        });
        let (first, index) = at.next()?;
        at.any(|(_, other)| other != index).then_some((warp, first))
    });
    let (kind, (warp, first)) = match divergent {
        Some(found) => (FaultKind::DivergentBarrier, found),
        None => (FaultKind::Deadlock, (warp, first)),
    };
    const SHOWN: usize = 8;
    let mut detail = "no thread of the block can go on:".to_owned();
    for (warp, w) in waiting().take(SHOWN) {
        detail += &format!(" {};", warp.describe(cx, w));
    }
    match waiting().count() {
        n if n > SHOWN => detail += &format!(" and {} more", n - SHOWN),
        _ => {
            detail.pop();
        }
    }
    warp.fault(cx, &first.group, None, kind, detail)
}
