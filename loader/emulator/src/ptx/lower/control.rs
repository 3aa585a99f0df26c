//! Branches, calls, barriers, and what lanes do together.

use super::Global;
use super::builder::{Builder, Lowered, Place, Signature};
use super::modifiers::Modifiers;
use crate::ptx::code::{Barrier, BarrierAction, Call, Op, Piece, Reduce, Shuffle, ShuffleMode, System, Target, WarpOp};
use crate::ptx::exec::lanes::{Args, Pred, Slot};
use crate::ptx::parse::ast::{Instruction, Operand};
use crate::ptx::types::Type;

fn need<'o, 'a, const N: usize>(operands: &'o [Operand<'a>]) -> Lowered<&'o [Operand<'a>; N]> {
    operands.try_into().map_err(|_| format!("{N} operands are needed"))
}

/// What the functions of the device runtime take (CUDA C++ Programming Guide, formatted output and dynamic memory; for
/// `__assertfail` what clang emits).
fn signature(system: System) -> Signature {
    let of = |results: &[u32], parameters: &[u32]| {
        let sizes = |list: &[u32]| list.iter().copied().map(Some).collect();
        (sizes(results), sizes(parameters))
    };
    match system {
        System::Vprintf => of(&[4], &[8, 8]),
        System::Malloc => of(&[8], &[8]),
        System::Free => of(&[], &[8]),
        System::AssertFail => of(&[], &[8, 8, 4, 8, 8]),
    }
}

/// The signature of functions that a list names: whatever is passed.
fn any_signature(results: &[Piece], arguments: &[Piece]) -> Signature {
    (vec![None; results.len()], vec![None; arguments.len()])
}

/// Checks what a call passes, or takes, against what the function is declared with.
fn agree(function: &str, what: &str, passed: &[Piece], wanted: &[Option<u32>]) -> Lowered<()> {
    if passed.len() != wanted.len() {
        return Err(format!("{function} has {} {what}, not {}", wanted.len(), passed.len()));
    }
    for (n, (passed, wanted)) in passed.iter().zip(wanted).enumerate() {
        if let Some(wanted) = *wanted
            && passed.size != wanted
        {
            return Err(format!(
                "number {} of the {what} of {function} has {wanted} bytes, not {}",
                n + 1,
                passed.size
            ));
        }
    }
    Ok(())
}

impl<'a> Builder<'_, 'a> {
    /// True when the instruction is of this family.
    pub(super) fn control(&mut self, opcode: &str, m: &mut Modifiers<'a>, i: &Instruction<'a>) -> Lowered<bool> {
        let operands = &i.operands[..];
        match opcode {
            "bra" => {
                m.take("uni");
                let [Operand::Name(label, 0)] = operands else {
                    return Err("a label is needed".to_owned());
                };
                self.branch(label);
            }
            "brx" => {
                m.take("uni");
                m.take("idx");
                let [index, Operand::Name(table, 0)] = operands else {
                    return Err("an index and a table are needed".to_owned());
                };
                let index = self.source(index, Type::U32)?;
                self.branch_indexed(index, table)?;
            }
            "call" => {
                m.take("uni");
                self.call(operands)?;
            }
            "ret" => {
                m.take("uni");
                self.emit(Op::Return, Args::NONE);
            }
            "exit" => self.emit(Op::Exit, Args::NONE),
            "trap" => self.emit(Op::Trap, Args::NONE),
            "brkpt" => self.emit(Op::Breakpoint, Args::NONE),
            "pmevent" => {
                m.take("mask");
            }
            "nanosleep" => {
                m.take_type();
                let [time] = need(operands)?;
                let a = self.source(time, Type::U32)?;
                self.emit(Op::Sleep, Args { a, ..Args::NONE });
            }
            "bar" | "barrier" => self.barrier(opcode, m, operands)?,
            "activemask" => {
                m.take_type();
                let [d] = need(operands)?;
                let d = self.target(d, Type::B32)?;
                self.emit(Op::ActiveMask, Args { d, ..Args::NONE });
            }
            "shfl" => self.shuffle(m, operands)?,
            "vote" => self.vote(m, operands)?,
            "match" => self.match_values(m, operands)?,
            "redux" => self.reduce(m, operands)?,
            "elect" => {
                m.take("sync");
                let [d, mask] = need(operands)?;
                let (d, p) = match d {
                    Operand::Pair(d, p) => (&**d, self.pred_target(p)?),
                    d => (d, Pred::SINK),
                };
                let args = Args {
                    d: if *d == Operand::Sink {
                        Slot::NONE
                    } else {
                        self.target(d, Type::B32)?
                    },
                    c: self.source(mask, Type::B32)?,
                    p,
                    ..Args::NONE
                };
                self.emit(Op::Warp(WarpOp::Elect), args);
            }
            "alloca" => {
                let ty = m.take_type().ok_or("a type is missing")?;
                if ty.size() != 8 {
                    return Err("addresses have 64 bits".to_owned());
                }
                let (d, size, align) = match operands {
                    [d, size] => (d, size, 8),
                    [d, size, Operand::Int(align)] if align.is_power_of_two() && *align <= 1 << 16 => {
                        (d, size, *align as u32)
                    }
                    _ => return Err("a result, a size and an alignment are needed".to_owned()),
                };
                let args = Args {
                    a: self.source(size, Type::U64)?,
                    d: self.target(d, Type::U64)?,
                    ..Args::NONE
                };
                self.emit(Op::Alloca(align), args);
            }
            "stacksave" => {
                m.take_type();
                let [d] = need(operands)?;
                let d = self.target(d, Type::U64)?;
                self.emit(Op::StackSave, Args { d, ..Args::NONE });
            }
            "stackrestore" => {
                m.take_type();
                let [a] = need(operands)?;
                let a = self.source(a, Type::U64)?;
                self.emit(Op::StackRestore, Args { a, ..Args::NONE });
            }
            "setmaxnreg" | "griddepcontrol" => while m.take_with(Some).is_some() {},
            _ => return Ok(false),
        }
        Ok(true)
    }

    /// `call (results), function, (arguments), prototype;` where all but the function may be missing.
    fn call(&mut self, operands: &[Operand<'a>]) -> Lowered<()> {
        let mut rest = operands.iter().peekable();
        let results = match rest.next_if(|o| matches!(o, Operand::List(_))) {
            Some(Operand::List(list)) => self.pieces(list)?,
            _ => Vec::new(),
        };
        let Some(Operand::Name(name, 0)) = rest.next() else {
            return Err("a function is needed".to_owned());
        };
        let arguments = match rest.next_if(|o| matches!(o, Operand::List(_))) {
            Some(Operand::List(list)) => self.pieces(list)?,
            _ => Vec::new(),
        };
        let prototype = match rest.next() {
            None => None,
            Some(Operand::Name(name, 0)) if let Some(prototype) = self.prototypes.get(name) => Some(prototype.clone()),
            Some(Operand::Name(name, 0)) if self.has_targets(name) => Some(any_signature(&results, &arguments)),
            Some(other) => return Err(format!("{other} is no prototype")),
        };
        if rest.next().is_some() {
            return Err("too many operands".to_owned());
        }
        let mut args = Args::NONE;
        let (target, signature) = if let Some((slot, 2)) = self.register(name) {
            self.out.calls_indirectly = true;
            args.a = slot;
            let prototype = prototype.ok_or("a prototype is needed")?;
            (Target::Indirect, Some(prototype))
        } else {
            match self.symbols.get(name) {
                Some(&Global::Function(index)) => {
                    let callee = &self.image.functions[index as usize];
                    if callee.is_kernel {
                        return Err(format!("{name} is a kernel, which cannot be called"));
                    }
                    self.out.callees.push(index);
                    // With a prototype it is called as if its address were.
                    let sizes = |pieces: &[Piece]| pieces.iter().map(|p| (p.size != 0).then_some(p.size)).collect();
                    let own = (sizes(&callee.results), sizes(&callee.params));
                    (Target::Function(index), Some(prototype.unwrap_or(own)))
                }
                Some(&Global::System(system)) => (Target::System(system), Some(signature(system))),
                Some(Global::External) => {
                    self.image.unresolved.push((*name).to_owned());
                    (Target::Unresolved((*name).to_owned()), None)
                }
                _ => return Err(format!("{name} is no function")),
            }
        };
        if let Some((wanted_results, wanted)) = signature {
            agree(name, "results", &results, &wanted_results)?;
            agree(name, "parameters", &arguments, &wanted)?;
        }
        let call = Call {
            target,
            arguments,
            results,
        };
        self.emit(Op::Call(Box::new(call)), args);
        Ok(())
    }

    fn pieces(&mut self, list: &[Operand<'a>]) -> Lowered<Vec<Piece>> {
        let piece = |operand: &Operand<'a>| match operand {
            Operand::Name(name, 0) => match self.place(name) {
                Some(Place::Frame(piece)) => Ok(piece),
                _ => Err(format!("{name} is no .param variable")),
            },
            _ => Err("only .param variables can be passed".to_owned()),
        };
        list.iter().map(piece).collect()
    }

    fn barrier(&mut self, opcode: &str, m: &mut Modifiers<'a>, operands: &[Operand<'a>]) -> Lowered<()> {
        if m.take("warp") {
            m.take("sync");
            let [mask] = need(operands)?;
            let c = self.source(mask, Type::B32)?;
            self.emit(Op::Warp(WarpOp::Sync), Args { c, ..Args::NONE });
            return Ok(());
        }
        if m.take("cluster") {
            // Every block is a cluster of its own: waiting for it is a barrier of the block. Arriving alone does nothing,
            // the wait that follows does.
            m.take_any(&["acquire", "release", "relaxed"]);
            let aligned = m.take("aligned");
            if m.take("wait") {
                let a = self.constant(15, 1);
                let barrier = Barrier {
                    action: BarrierAction::Sync,
                    aligned,
                    has_count: false,
                };
                self.emit(Op::Barrier(Box::new(barrier)), Args { a, ..Args::NONE });
            } else {
                m.take("arrive");
            }
            return Ok(());
        }
        m.take("cta");
        let aligned = m.take("aligned") || opcode == "bar";
        let action = m.take_any(&["sync", "arrive", "red"]).ok_or("an action is missing")?;
        let reduction = if action == "red" {
            m.take_any(&["popc", "and", "or"])
        } else {
            None
        };
        let mut args = Args::NONE;
        let mut rest = operands.iter();
        if let Some(reduction) = reduction {
            m.take_type();
            let to = rest.next().ok_or("operands are missing")?;
            if reduction == "popc" {
                args.d = self.target(to, Type::U32)?;
            } else {
                args.p = self.pred_target(to)?;
            }
            let last = operands.len() - 1;
            args.s = self.pred_source(&operands[last])?;
            rest = operands[1..last.max(1)].iter();
        }
        args.a = self.source(rest.next().ok_or("operands are missing")?, Type::U32)?;
        let has_count = match rest.next() {
            Some(count) => {
                args.b = self.source(count, Type::U32)?;
                true
            }
            None => false,
        };
        if action == "arrive" && !has_count {
            return Err("a number of threads is missing".to_owned());
        }
        let action = match (action, reduction) {
            ("sync", _) => BarrierAction::Sync,
            ("arrive", _) => BarrierAction::Arrive,
            (_, Some("popc")) => BarrierAction::ReducePopc,
            (_, Some("and")) => BarrierAction::ReduceAnd,
            (_, Some(_)) => BarrierAction::ReduceOr,
            (_, None) => return Err("a reduction is missing".to_owned()),
        };
        let barrier = Barrier {
            action,
            aligned,
            has_count,
        };
        self.emit(Op::Barrier(Box::new(barrier)), args);
        Ok(())
    }

    fn shuffle(&mut self, m: &mut Modifiers<'a>, operands: &[Operand<'a>]) -> Lowered<()> {
        if !m.take("sync") {
            return Err("only shfl.sync exists on devices since sm_70".to_owned());
        }
        let mode = match m.take_any(&["up", "down", "bfly", "idx"]) {
            Some("up") => ShuffleMode::Up,
            Some("down") => ShuffleMode::Down,
            Some("bfly") => ShuffleMode::Bfly,
            Some(_) => ShuffleMode::Idx,
            None => return Err("a mode is missing".to_owned()),
        };
        m.take_type();
        let [d, a, b, clamp, mask] = need(operands)?;
        let (d, p) = match d {
            Operand::Pair(d, p) => (&**d, self.pred_target(p)?),
            d => (d, Pred::SINK),
        };
        let ty = Type::B32;
        let args = Args {
            a: self.source(a, ty)?,
            b: self.source(b, ty)?,
            c: self.source(mask, ty)?,
            d: self.target(d, ty)?,
            p,
            ..Args::NONE
        };
        let clamp = self.source(clamp, ty)?;
        self.emit(Op::Warp(WarpOp::Shuffle(Shuffle { mode, clamp })), args);
        Ok(())
    }

    fn vote(&mut self, m: &mut Modifiers<'a>, operands: &[Operand<'a>]) -> Lowered<()> {
        if !m.take("sync") {
            return Err("only vote.sync exists on devices since sm_70".to_owned());
        }
        let mode = m
            .take_any(&["any", "all", "uni", "ballot"])
            .ok_or("a mode is missing")?;
        m.take_type();
        m.take("pred");
        let [d, s, mask] = need(operands)?;
        let mut args = Args {
            s: self.pred_source(s)?,
            c: self.source(mask, Type::B32)?,
            ..Args::NONE
        };
        let op = match mode {
            "any" => WarpOp::VoteAny,
            "all" => WarpOp::VoteAll,
            "uni" => WarpOp::VoteUni,
            _ => WarpOp::Ballot,
        };
        if op == WarpOp::Ballot {
            args.d = self.target(d, Type::B32)?;
        } else {
            args.p = self.pred_target(d)?;
        }
        self.emit(Op::Warp(op), args);
        Ok(())
    }

    fn match_values(&mut self, m: &mut Modifiers<'a>, operands: &[Operand<'a>]) -> Lowered<()> {
        m.take("sync");
        let all = m.take_any(&["any", "all"]).ok_or("a mode is missing")? == "all";
        let ty = m.take_type().ok_or("a type is missing")?;
        let [d, a, mask] = need(operands)?;
        let (d, p) = match d {
            Operand::Pair(d, p) => (&**d, self.pred_target(p)?),
            d => (d, Pred::SINK),
        };
        let args = Args {
            a: self.source(a, ty)?,
            c: self.source(mask, Type::B32)?,
            d: self.target(d, Type::B32)?,
            p,
            ..Args::NONE
        };
        let op = match (all, ty.size()) {
            (false, 4) => WarpOp::MatchAny32,
            (false, 8) => WarpOp::MatchAny64,
            (true, 4) => WarpOp::MatchAll32,
            (true, 8) => WarpOp::MatchAll64,
            _ => return Err("no such instruction for this type".to_owned()),
        };
        self.emit(Op::Warp(op), args);
        Ok(())
    }

    fn reduce(&mut self, m: &mut Modifiers<'a>, operands: &[Operand<'a>]) -> Lowered<()> {
        m.take("sync");
        let operation = m
            .take_any(&["add", "min", "max", "and", "or", "xor"])
            .ok_or("an operation is missing")?;
        let ty = m.take_type().ok_or("a type is missing")?;
        if ty.size() != 4 || ty.is_float() {
            return Err("no such instruction for this type".to_owned());
        }
        let reduce = match (operation, ty) {
            ("add", _) => Reduce::Add,
            ("min", Type::S32) => Reduce::MinS,
            ("min", _) => Reduce::MinU,
            ("max", Type::S32) => Reduce::MaxS,
            ("max", _) => Reduce::MaxU,
            ("and", _) => Reduce::And,
            ("or", _) => Reduce::Or,
            _ => Reduce::Xor,
        };
        let [d, a, mask] = need(operands)?;
        let args = Args {
            a: self.source(a, ty)?,
            c: self.source(mask, Type::B32)?,
            d: self.target(d, ty)?,
            ..Args::NONE
        };
        self.emit(Op::Warp(WarpOp::Reduce(reduce)), args);
        Ok(())
    }
}
