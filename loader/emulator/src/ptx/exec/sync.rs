//! What the lanes of a mask do together: `bar.warp.sync`, `shfl`, `vote`, `match`, `redux`, `elect`.
//!
//! Lanes wait until all lanes named in the mask have come with the same operation and mask, wherever in the program they
//! are; then the operation is done for all of them at once.

use super::lanes::{Args, LANES, Lanes, lanes};
use super::program::Context;
use super::warp::{Group, Waiting, Warp, Why};
use crate::fault::{Fault, FaultKind};
use crate::ptx::code::{Op, Reduce, Shuffle, ShuffleMode, WarpOp};

/// Whether lanes that execute these meet each other.
fn same_kind(a: WarpOp, b: WarpOp) -> bool {
    match (a, b) {
        (WarpOp::Shuffle(a), WarpOp::Shuffle(b)) => a.mode == b.mode,
        _ => a == b,
    }
}

/// Whether lanes wait for others with this operation and mask.
fn waits_with(waiting: &Waiting, op: WarpOp, mask: u32) -> bool {
    matches!(waiting.why, Why::Warp { op: o, mask: m } if m == mask && same_kind(o, op))
}

impl Warp {
    /// The lanes of `group` execute `op`.
    pub(super) fn warp_op(
        &mut self,
        cx: &Context<'_>,
        group: &Group,
        op: WarpOp,
        args: &Args,
    ) -> Result<(), Box<Fault>> {
        let frame = &mut self.frames[group.frame as usize];
        let l = frame.lanes(&cx.functions[frame.function as usize]);
        let mut parts: Vec<(u32, u32)> = Vec::new();
        let mut stranger = None;
        for lane in lanes(group.mask) {
            let mask = l.get::<u32>(args.c, lane);
            if mask >> lane & 1 == 0 {
                stranger = Some((lane, mask));
                break;
            }
            match parts.iter_mut().find(|part| part.0 == mask) {
                Some(part) => part.1 |= 1 << lane,
                None => parts.push((mask, 1 << lane)),
            }
        }
        if let Some((lane, mask)) = stranger {
            let detail = format!("lane {lane} executes this with mask {mask:#010x}, which does not name it");
            return Err(self.fault(cx, group, Some(lane), FaultKind::MissingLane, detail));
        }
        // A value from outside the mask is undefined. An H200 gives it where that lane executes the same instruction at the same
        // time, and both masks are complete; else 0.
        let mut beside = [0; LANES];
        if parts.len() > 1 && matches!(op, WarpOp::Shuffle(_)) {
            let passes = |part: &&(u32, u32)| part.0 & self.live & !(part.1 | self.waiting_for(op, part.0)) == 0;
            let passing = parts.iter().filter(passes).fold(0, |sum, part| sum | part.1);
            let frame = &mut self.frames[group.frame as usize];
            let l = frame.lanes(&cx.functions[frame.function as usize]);
            for lane in lanes(passing) {
                beside[lane] = l.get(args.a, lane);
            }
        }
        for (mask, there) in parts {
            self.waiting.push(Waiting {
                group: group.part(there),
                why: Why::Warp { op, mask },
            });
            self.complete(cx, op, mask, &beside)?;
        }
        Ok(())
    }

    /// The lanes that wait for others with this operation and mask.
    fn waiting_for(&self, op: WarpOp, mask: u32) -> u32 {
        let waiting = self.waiting.iter().filter(|w| waits_with(w, op, mask));
        waiting.fold(0, |sum, w| sum | w.group.mask)
    }

    /// Lanes have exited: some may be all that others wait for.
    pub(super) fn lanes_exited(&mut self, cx: &Context<'_>) -> Result<(), Box<Fault>> {
        let mut keys: Vec<(WarpOp, u32)> = Vec::new();
        for waiting in &self.waiting {
            if let Why::Warp { op, mask } = waiting.why
                && !keys.iter().any(|key| same_kind(key.0, op) && key.1 == mask)
            {
                keys.push((op, mask));
            }
        }
        for (op, mask) in keys {
            self.complete(cx, op, mask, &[0; LANES])?;
        }
        Ok(())
    }

    /// Does the operation if all lanes have come. `beside` has what lanes give that may be outside the mask.
    fn complete(&mut self, cx: &Context<'_>, op: WarpOp, mask: u32, beside: &[u32; LANES]) -> Result<(), Box<Fault>> {
        let there = self.waiting_for(op, mask);
        // Lanes that a partial warp never had are nobody's mistake. Of those that exited, the ISA forgives naming them in
        // every operation but this one.
        let exited = mask & self.all & !self.live;
        if op == WarpOp::Sync
            && exited != 0
            && let Some(first) = self.waiting.iter().find(|w| waits_with(w, op, mask))
        {
            let group = first.group;
            let detail = format!("bar.warp.sync with mask {mask:#010x}, of which lanes {exited:#010x} have exited");
            return Err(self.fault(cx, &group, None, FaultKind::MissingLane, detail));
        }
        if mask & self.live & !there != 0 {
            return Ok(());
        }
        let mut groups: Vec<Group> = Vec::new();
        let mut at = 0;
        while at < self.waiting.len() {
            if waits_with(&self.waiting[at], op, mask) {
                groups.push(self.waiting.swap_remove(at).group);
            } else {
                at += 1;
            }
        }
        self.together(cx, &groups, there, op, beside);
        for group in groups {
            self.resume(group);
        }
        Ok(())
    }

    /// Calls `f` with the operands of each group.
    fn each(&mut self, cx: &Context<'_>, groups: &[Group], mut f: impl FnMut(&Lanes<'_>, &Args, u32, WarpOp)) {
        for group in groups {
            let frame = &mut self.frames[group.frame as usize];
            let function = &cx.functions[frame.function as usize];
            let inst = &function.code[group.pc as usize];
            if let Op::Warp(op) = inst.op {
                f(&frame.lanes(function), &inst.args, group.mask, op);
            }
        }
    }

    /// All operands are known: does the operation for the lanes in `there`.
    fn together(&mut self, cx: &Context<'_>, groups: &[Group], there: u32, op: WarpOp, beside: &[u32; LANES]) {
        match op {
            WarpOp::Sync => {}
            WarpOp::Shuffle(_) => {
                let mut values = *beside;
                self.each(cx, groups, |l, args, mask, _| {
                    for lane in lanes(mask) {
                        values[lane] = l.get(args.a, lane);
                    }
                });
                self.each(cx, groups, |l, args, mask, op| {
                    let WarpOp::Shuffle(shuffle) = op else { return };
                    let mut in_range = 0;
                    for lane in lanes(mask) {
                        let (from, valid) = source(l, args, shuffle, lane as u32);
                        let from = if valid { from as usize } else { lane };
                        l.set(args.d, lane, values[from]);
                        in_range |= u32::from(valid) << lane;
                    }
                    l.set_pred(args.p, mask, in_range);
                });
            }
            WarpOp::VoteAny | WarpOp::VoteAll | WarpOp::VoteUni | WarpOp::Ballot => {
                let mut votes = 0;
                self.each(cx, groups, |l, args, mask, _| votes |= l.pred(args.s) & mask);
                let all = votes == there;
                let result = match op {
                    WarpOp::VoteAny => votes != 0,
                    WarpOp::VoteAll => all,
                    _ => all || votes == 0,
                };
                self.each(cx, groups, |l, args, mask, _| {
                    if op == WarpOp::Ballot {
                        for lane in lanes(mask) {
                            l.set(args.d, lane, votes);
                        }
                    } else {
                        l.set_pred(args.p, mask, if result { !0 } else { 0 });
                    }
                });
            }
            WarpOp::MatchAny32 | WarpOp::MatchAny64 | WarpOp::MatchAll32 | WarpOp::MatchAll64 => {
                let wide = matches!(op, WarpOp::MatchAny64 | WarpOp::MatchAll64);
                let mut values = [0u64; LANES];
                self.each(cx, groups, |l, args, mask, _| {
                    for lane in lanes(mask) {
                        values[lane] = if wide {
                            l.get(args.a, lane)
                        } else {
                            u64::from(l.get::<u32>(args.a, lane))
                        };
                    }
                });
                let equal_to = |value: u64| {
                    lanes(there)
                        .filter(|&lane| values[lane] == value)
                        .fold(0, |m, lane| m | 1 << lane)
                };
                self.each(cx, groups, |l, args, mask, _| {
                    let mut matched = 0;
                    for lane in lanes(mask) {
                        let equal = equal_to(values[lane]);
                        matched |= u32::from(equal == there) << lane;
                        let any = matches!(op, WarpOp::MatchAny32 | WarpOp::MatchAny64);
                        l.set(args.d, lane, if any || equal == there { equal } else { 0u32 });
                    }
                    l.set_pred(args.p, mask, matched);
                });
            }
            WarpOp::Reduce(reduce) => {
                let mut sum: Option<u32> = None;
                self.each(cx, groups, |l, args, mask, _| {
                    for lane in lanes(mask) {
                        let value = l.get::<u32>(args.a, lane);
                        sum = Some(sum.map_or(value, |sum| combine(reduce, sum, value)));
                    }
                });
                self.each(cx, groups, |l, args, mask, _| {
                    for lane in lanes(mask) {
                        l.set(args.d, lane, sum.unwrap_or(0));
                    }
                });
            }
            WarpOp::Elect => {
                let leader = there.trailing_zeros();
                self.each(cx, groups, |l, args, mask, _| {
                    for lane in lanes(mask) {
                        l.set(args.d, lane, leader);
                    }
                    l.set_pred(args.p, mask, 1u32.checked_shl(leader).unwrap_or(0));
                });
            }
        }
    }
}

/// The lane that `lane` reads from, and whether it is in range (PTX ISA, `shfl.sync`).
fn source(l: &Lanes<'_>, args: &Args, shuffle: Shuffle, lane: u32) -> (u32, bool) {
    let operand = l.get::<u32>(args.b, lane as usize) & 31;
    let packed = l.get::<u32>(shuffle.clamp, lane as usize);
    let (clamp, segment) = (packed & 31, packed >> 8 & 31);
    let max_lane = (lane & segment) | (clamp & !segment);
    let min_lane = lane & segment;
    let from = match shuffle.mode {
        ShuffleMode::Up => {
            return {
                let from = lane.wrapping_sub(operand);
                (from, from as i32 >= max_lane as i32)
            };
        }
        ShuffleMode::Down => lane + operand,
        ShuffleMode::Bfly => lane ^ operand,
        ShuffleMode::Idx => min_lane | (operand & !segment),
    };
    (from, from <= max_lane)
}

fn combine(reduce: Reduce, a: u32, b: u32) -> u32 {
    match reduce {
        Reduce::Add => a.wrapping_add(b),
        Reduce::MinU => a.min(b),
        Reduce::MaxU => a.max(b),
        Reduce::MinS => (a as i32).min(b as i32) as u32,
        Reduce::MaxS => (a as i32).max(b as i32) as u32,
        Reduce::And => a & b,
        Reduce::Or => a | b,
        Reduce::Xor => a ^ b,
    }
}
