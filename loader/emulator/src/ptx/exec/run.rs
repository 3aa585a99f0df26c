//! The loop that executes instructions.

use std::time::{Duration, Instant};

use super::block::Common;
use super::lanes::{Args, FULL, Lanes, Row, lanes};
use super::memory::{Windows, Wrong, fence_after, fence_before};
use super::program::Context;
use super::warp::{End, Group, PATIENCE, Waiting, Warp, Why};
use crate::fault::{Fault, FaultKind};
use crate::grid::{Dim3, Rng, Slice, Stats};
use crate::ptx::code::{Inst, Op, Special};
use crate::ptx::types::Space;

/// Longest sleep; the ISA allows `nanosleep` up to a millisecond.
const MAX_SLEEP: u64 = 1_000_000;

/// Why [`Warp::straight`] stopped; the group's program counter is at the instruction that did.
enum Event {
    /// Budget or quantum used up.
    Limit,
    /// Another group should go first.
    Yield,
    Polled,
    /// A memory access is done and the mode wants a switch.
    Access,
    /// An instruction that needs more than its frame.
    Complex,
    Wrong(Box<Wrong>),
}

impl Warp {
    /// Runs a group until its turn ends.
    #[allow(
        clippy::too_many_arguments,
        reason = "the state of one turn, which lives only that long"
    )]
    pub(super) fn run(
        &mut self,
        cx: &Context<'_>,
        block: &mut Common,
        slice: &mut Slice<'_>,
        group: &mut Group,
        budget: &mut u32,
        progress: &mut bool,
        orderly: bool,
    ) -> Result<End, Box<Fault>> {
        let mut polls = 0;
        loop {
            let limit = (*budget).min(Warp::quantum_left(group));
            if limit == 0 {
                return Ok(if *budget == 0 { End::Budget } else { End::Turn });
            }
            let mut done = 0;
            let event = self.straight(cx, slice, group, limit, &mut done, &mut polls, progress, orderly);
            *budget -= done;
            group.spent += done;
            slice.stats.instructions += u64::from(done);
            match event {
                Event::Limit => continue,
                Event::Yield => return Ok(End::Turn),
                Event::Polled => return Ok(End::Polled),
                Event::Access => return Ok(End::Access),
                Event::Wrong(wrong) => {
                    return Err(self.fault(cx, group, Some(wrong.lane), wrong.kind, wrong.detail));
                }
                Event::Complex => {
                    *budget = budget.saturating_sub(1);
                    group.spent += 1;
                    slice.stats.instructions += 1;
                    slice.stats.lane_instructions += u64::from(group.mask.count_ones());
                    if let Some(end) = self.complex(cx, block, slice, group, progress, orderly)? {
                        return Ok(end);
                    }
                }
            }
        }
    }

    /// Runs instructions that stay in the frame.
    #[allow(
        clippy::too_many_arguments,
        reason = "the state of one turn, which lives only that long"
    )]
    fn straight(
        &mut self,
        cx: &Context<'_>,
        slice: &mut Slice<'_>,
        group: &mut Group,
        limit: u32,
        done: &mut u32,
        polls: &mut u32,
        progress: &mut bool,
        orderly: bool,
    ) -> Event {
        let Warp {
            groups,
            frames,
            hits,
            windows,
            id,
            tid,
            block_index,
            sm,
            ..
        } = self;
        let frame = &mut frames[group.frame as usize];
        let function = &cx.functions[frame.function as usize];
        let bases = frame.bases;
        let l = Lanes::new(&mut frame.rows, &function.consts, &mut frame.preds);
        let code = &function.code[..];
        let mut pc = group.pc;
        let mut n = 0;
        let mut counted = 0;
        let event = loop {
            if n == limit {
                break Event::Limit;
            }
            let inst = &code[pc as usize];
            if inst.is_join && !groups.is_empty() {
                group.pc = pc;
                count(slice.stats, group.mask, n, &mut counted);
                if meet(groups, group, &mut slice.rng, orderly) {
                    break Event::Yield;
                }
            }
            let mask = group.mask & l.pred(inst.guard);
            match &inst.op {
                Op::Alu(run) => {
                    if mask != 0 {
                        run(&l, &inst.args, mask);
                    }
                }
                Op::Memory(access) => {
                    if mask != 0 {
                        let args = &inst.args;
                        let at = pc as usize;
                        let private = match hits.resolve(cx.memory, windows, &l, access, args, &bases, mask, at) {
                            Ok(private) => private,
                            Err(wrong) => break Event::Wrong(wrong),
                        };
                        fence_before(access.order);
                        let outside = match access.outside_shared {
                            Some(_) => mask & !windows.shared_lanes(&hits.pointers, mask),
                            None => 0,
                        };
                        // SAFETY: `resolve` has checked every active lane for bounds and alignment.
                        let mut changed =
                            unsafe { (access.transfer)(&l, &hits.pointers, access, args, mask & !outside) };
                        if let Some(transfer) = access.outside_shared {
                            // SAFETY: as above.
                            changed |= unsafe { transfer(&l, &hits.pointers, access, args, outside) };
                        }
                        fence_after(access.order);
                        if !private {
                            if changed {
                                *progress = true;
                                *polls = 0;
                            } else if access.strong {
                                *polls += 1;
                            }
                            if cx.launch.switch_at_every_access || *polls > PATIENCE {
                                n += 1;
                                pc += 1;
                                break if *polls > PATIENCE {
                                    Event::Polled
                                } else {
                                    Event::Access
                                };
                            }
                        }
                    }
                }
                Op::Branch(target) => {
                    n += 1;
                    if mask == group.mask {
                        pc = *target;
                    } else if mask == 0 {
                        pc += 1;
                    } else {
                        let (near, far) = if *target > pc {
                            (pc + 1, *target)
                        } else {
                            (*target, pc + 1)
                        };
                        let near_mask = if *target > pc { group.mask & !mask } else { mask };
                        groups.push(Group {
                            pc: far,
                            mask: group.mask & !near_mask,
                            ..*group
                        });
                        group.pc = near;
                        count(slice.stats, group.mask, n, &mut counted);
                        group.mask = near_mask;
                        pc = near;
                    }
                    continue;
                }
                Op::Special(special) => {
                    if mask != 0 {
                        let place = Place {
                            id: *id,
                            tid,
                            block: *block_index,
                            sm: *sm,
                        };
                        read_special(cx, slice, &place, &l, &inst.args, *special, mask);
                    }
                }
                Op::FrameAddress(offset) => {
                    for lane in lanes(mask) {
                        let at = windows.stack(lane) + u64::from(bases[lane]) + u64::from(*offset);
                        l.set(inst.args.d, lane, at);
                    }
                }
                Op::ParamAddress(offset) => {
                    for lane in lanes(mask) {
                        l.set(inst.args.d, lane, windows.params + u64::from(*offset));
                    }
                }
                Op::DynamicShared => {
                    for lane in lanes(mask) {
                        l.set(inst.args.d, lane, u64::from(cx.static_shared));
                    }
                }
                Op::SharedToGeneric => {
                    for lane in lanes(mask) {
                        let at = l.get::<u64>(inst.args.a, lane);
                        l.set(inst.args.d, lane, at.wrapping_add(windows.shared));
                    }
                }
                Op::GenericToShared => {
                    for lane in lanes(mask) {
                        let at = l.get::<u64>(inst.args.a, lane);
                        l.set(inst.args.d, lane, at.wrapping_sub(windows.shared));
                    }
                }
                Op::IsSpace(space) => {
                    let mut bits = 0;
                    for lane in lanes(mask) {
                        let at = l.get::<u64>(inst.args.a, lane);
                        bits |= u32::from(is_in_space(cx, windows, *space, at)) << lane;
                    }
                    l.set_pred(inst.args.p, mask, bits);
                }
                Op::Fence(order) => {
                    fence_before(*order);
                    fence_after(*order);
                }
                Op::ActiveMask => {
                    for lane in lanes(mask) {
                        l.set(inst.args.d, lane, mask);
                    }
                }
                _ if mask == 0 => {}
                _ => break Event::Complex,
            }
            n += 1;
            pc += 1;
        };
        group.pc = pc;
        *done = n;
        count(slice.stats, group.mask, n, &mut counted);
        event
    }

    /// Instructions that touch other frames, lanes or warps. `None`: the group goes on.
    fn complex(
        &mut self,
        cx: &Context<'_>,
        block: &mut Common,
        slice: &mut Slice<'_>,
        group: &mut Group,
        progress: &mut bool,
        _orderly: bool,
    ) -> Result<Option<End>, Box<Fault>> {
        let frame = &mut self.frames[group.frame as usize];
        let function = &cx.functions[frame.function as usize];
        let inst: &Inst = &function.code[group.pc as usize];
        let l = frame.lanes(function);
        let mask = group.mask & l.pred(inst.guard);
        if mask != group.mask && !matches!(inst.op, Op::Alloca(_) | Op::StackSave | Op::StackRestore) {
            // The others step over it, and this group is only those who execute it.
            let mut over = group.part(group.mask & !mask);
            over.pc += 1;
            self.groups.push(over);
            group.mask = mask;
        }
        match &inst.op {
            Op::BranchIndexed(targets) => {
                let mut parts: Vec<(u32, u32)> = Vec::new();
                for lane in lanes(mask) {
                    let index = l.get::<u32>(inst.args.a, lane) as usize;
                    let Some(&target) = targets.get(index) else {
                        let detail = format!("index {index} of a branch table of {} entries", targets.len());
                        return Err(self.fault(cx, group, Some(lane), FaultKind::IllegalInstruction, detail));
                    };
                    match parts.iter_mut().find(|(pc, _)| *pc == target) {
                        Some((_, mask)) => *mask |= 1 << lane,
                        None => parts.push((target, 1 << lane)),
                    }
                }
                for (pc, mask) in parts {
                    self.groups.push(Group { pc, mask, ..*group });
                }
                Ok(Some(End::Gone))
            }
            Op::Call(call) => self.call(cx, group, call, &inst.args),
            Op::Return => {
                self.leave_function(cx, block, group)?;
                *progress = true;
                Ok(Some(End::Gone))
            }
            Op::Exit => {
                self.exit(cx, block, group)?;
                *progress = true;
                Ok(Some(End::Gone))
            }
            Op::Trap => Err(self.fault(
                cx,
                group,
                None,
                FaultKind::Trap,
                "the program executed a trap instruction",
            )),
            Op::Breakpoint => Err(self.fault(cx, group, None, FaultKind::Breakpoint, "brkpt without a debugger")),
            Op::Barrier(barrier) => {
                let barrier = (**barrier).clone();
                self.barrier(cx, block, group, &barrier, inst.args)?;
                *progress = true;
                Ok(Some(End::Gone))
            }
            Op::Warp(op) => {
                let (op, args) = (*op, inst.args);
                self.warp_op(cx, group, op, &args)?;
                Ok(Some(End::Gone))
            }
            Op::Sleep => {
                if slice.rng.is_some() {
                    // Time is not part of a seeded schedule.
                    group.pc += 1;
                    return Ok(Some(End::Polled));
                }
                let longest = lanes(mask).map(|lane| u64::from(l.get::<u32>(inst.args.a, lane))).max();
                let nanos = longest.unwrap_or(0).min(MAX_SLEEP);
                self.waiting.push(Waiting {
                    group: *group,
                    why: Why::Sleep(Instant::now() + Duration::from_nanos(nanos)),
                });
                Ok(Some(End::Gone))
            }
            Op::Alloca(align) => {
                let (args, align) = (inst.args, u64::from(*align));
                let mut overflow = None;
                for lane in lanes(mask) {
                    let size = self.frames[group.frame as usize]
                        .lanes(function)
                        .get::<u64>(args.a, lane);
                    let frame = &mut self.frames[group.frame as usize];
                    let stack = self.windows.stack(lane);
                    let start = (stack + u64::from(frame.tops[lane])).next_multiple_of(align);
                    let used = u64::from(frame.used[lane]).saturating_add(size);
                    let end = start
                        .checked_add(size)
                        .filter(|end| used <= u64::from(cx.stack_limit) && end - stack <= self.windows.stack_size);
                    let Some(end) = end else {
                        overflow = Some((lane, size));
                        break;
                    };
                    frame.used[lane] = used as u32;
                    frame.tops[lane] = (end - stack) as u32;
                    frame.lanes(function).set(args.d, lane, start);
                }
                if let Some((lane, size)) = overflow {
                    let detail = format!("{size} more bytes do not fit into a stack of {}", cx.stack_limit);
                    return Err(self.fault(cx, group, Some(lane), FaultKind::StackOverflow, detail));
                }
                group.pc += 1;
                Ok(None)
            }
            Op::StackSave => {
                for lane in lanes(mask) {
                    let frame = &mut self.frames[group.frame as usize];
                    let top = self.windows.stack(lane) + u64::from(frame.tops[lane]);
                    frame.lanes(function).set(inst.args.d, lane, top);
                }
                group.pc += 1;
                Ok(None)
            }
            Op::StackRestore => {
                for lane in lanes(mask) {
                    let stack = self.windows.stack(lane);
                    let frame = &mut self.frames[group.frame as usize];
                    let wanted = frame.lanes(function).get::<u64>(inst.args.a, lane).wrapping_sub(stack);
                    let lowest = u64::from(frame.bases[lane]) + u64::from(function.frame_size);
                    // Never above the present top, never into the fixed part of the frame.
                    if (lowest..=u64::from(frame.tops[lane])).contains(&wanted) {
                        let given_back = frame.tops[lane] - wanted as u32;
                        frame.used[lane] = frame.used[lane].saturating_sub(given_back);
                        frame.tops[lane] = wanted as u32;
                    }
                }
                group.pc += 1;
                Ok(None)
            }
            // `straight` executes all others.
            other => {
                let detail = format!("{other:?} in the wrong place");
                Err(self.fault(cx, group, None, FaultKind::IllegalInstruction, detail))
            }
        }
    }
}

/// Counts what the lanes of `mask` did since the last time.
#[inline]
fn count(stats: &mut Stats, mask: u32, n: u32, counted: &mut u32) {
    stats.lane_instructions += u64::from(n - *counted) * u64::from(mask.count_ones());
    *counted = n;
}

/// At a label: takes in groups that are here too. True when another group should run first.
fn meet(groups: &mut Vec<Group>, group: &mut Group, rng: &mut Option<&mut Rng>, orderly: bool) -> bool {
    let mut at = 0;
    while at < groups.len() {
        if groups[at].is_with(group) && rng.as_mut().is_none_or(|rng| !rng.once_in(4)) {
            let other = groups.swap_remove(at);
            group.mask |= other.mask;
            group.turn = group.turn.min(other.turn);
            group.spent = group.spent.max(other.spent);
        } else {
            at += 1;
        }
    }
    orderly && groups.iter().any(|other| other.goes_before(group))
}

fn is_in_space(cx: &Context<'_>, windows: &Windows, space: Space, at: u64) -> bool {
    use crate::memory::Kind;
    match space {
        Space::Shared => windows.in_shared(at, 1),
        Space::Local => windows.in_any_stack(at),
        Space::Const => cx.memory.find(at).is_some_and(|a| a.kind == Kind::Constant),
        Space::Param => cx.memory.find(at).is_some_and(|a| a.kind == Kind::Kernarg),
        Space::Global | Space::Generic => {
            let elsewhere = windows.in_shared(at, 1) || windows.in_any_stack(at);
            !elsewhere
                && cx
                    .memory
                    .find(at)
                    .is_none_or(|a| a.kind != Kind::Constant && a.kind != Kind::Kernarg)
        }
    }
}

/// Where a warp runs.
struct Place<'a> {
    id: u32,
    tid: &'a [Row; 3],
    block: Dim3,
    sm: u32,
}

fn read_special(
    cx: &Context<'_>,
    slice: &mut Slice<'_>,
    place: &Place<'_>,
    l: &Lanes<'_>,
    args: &Args,
    special: Special,
    mask: u32,
) {
    let axis = |size: Dim3, n: u8| match n {
        0 => size.x,
        1 => size.y,
        _ => size.z,
    };
    let same = |value: u32| {
        for lane in lanes(mask) {
            l.set(args.d, lane, value);
        }
    };
    let same64 = |value: u64| {
        for lane in lanes(mask) {
            l.set(args.d, lane, value);
        }
    };
    let by_lane = |f: fn(u32) -> u32| {
        for lane in lanes(mask) {
            l.set(args.d, lane, f(lane as u32));
        }
    };
    match special {
        Special::Tid(n) => {
            for lane in lanes(mask) {
                l.set(args.d, lane, place.tid[n as usize % 3].0[lane]);
            }
        }
        Special::Ntid(n) => same(axis(cx.launch.block, n)),
        Special::Ctaid(n) => same(axis(place.block, n)),
        Special::Nctaid(n) => same(axis(cx.launch.grid, n)),
        Special::LaneId => by_lane(|lane| lane),
        Special::WarpId => same(place.id),
        Special::WarpCount => same(64),
        Special::Sm => same(place.sm),
        Special::SmCount => same(132),
        Special::GridId => same64(cx.grid_id),
        Special::LaneMaskEq => by_lane(|lane| 1 << lane),
        Special::LaneMaskLt => by_lane(|lane| (1 << lane) - 1),
        Special::LaneMaskLe => by_lane(|lane| FULL >> (31 - lane)),
        Special::LaneMaskGt => by_lane(|lane| !(FULL >> (31 - lane))),
        Special::LaneMaskGe => by_lane(|lane| FULL << lane),
        Special::Clock => same(cx.clock(slice) as u32),
        Special::ClockHigh => same((cx.clock(slice) >> 32) as u32),
        Special::Clock64 => same64(cx.clock(slice)),
        Special::GlobalTimer => same64(cx.global_timer(slice)),
        Special::GlobalTimerLow => same(cx.global_timer(slice) as u32),
        Special::GlobalTimerHigh => same((cx.global_timer(slice) >> 32) as u32),
        Special::DynamicSharedSize => same(cx.launch.dynamic_shared),
        Special::TotalSharedSize => same(cx.static_shared + cx.launch.dynamic_shared),
        Special::Fixed(value) => same(value),
    }
}
