//! Comparison and selection.

use super::builder::{Builder, Lowered, rows_of};
use super::float::comparison;
use super::int::by_int;
use super::modifiers::Modifiers;
use crate::ptx::code::Op;
use crate::ptx::exec::lanes::{Alu, Args, Pred, Slot, compare, pred_binary, pred_operand, select};
use crate::ptx::exec::round;
use crate::ptx::parse::ast::{Instruction, Operand};
use crate::ptx::types::Type;

impl<'a> Builder<'_, 'a> {
    pub(super) fn selp(&mut self, m: &mut Modifiers<'a>, i: &Instruction<'a>) -> Lowered<()> {
        let ty = m.take_type().ok_or("a type is missing")?;
        if i.operands.len() != 4 {
            return Err("4 operands are needed".to_owned());
        }
        let args = Args {
            a: self.source(&i.operands[1], ty)?,
            b: self.source(&i.operands[2], ty)?,
            s: self.pred_source(&i.operands[3])?,
            d: self.target(&i.operands[0], ty)?,
            ..Args::NONE
        };
        self.emit(Op::Alu(select_rows(ty)), args);
        Ok(())
    }

    pub(super) fn slct(&mut self, m: &mut Modifiers<'a>, i: &Instruction<'a>) -> Lowered<()> {
        let ftz = m.take("ftz");
        let (Some(ty), Some(by)) = (m.take_type(), m.take_type()) else {
            return Err("two types are needed".to_owned());
        };
        let args = self.operands(i, ty, &[ty, ty, by])?;
        let p = self.temp_pred();
        let zero = self.constant(0, 1);
        let test = match by {
            Type::S32 => compare(|a: i32, _: i32| a >= 0),
            Type::F32 if ftz => compare(|a: f32, _: f32| round::flush(a) >= 0.0),
            Type::F32 => compare(|a: f32, _: f32| a >= 0.0),
            _ => return Err("the last operand must be .s32 or .f32".to_owned()),
        };
        self.alu(
            test,
            Args {
                a: args.c,
                b: zero,
                p,
                ..Args::NONE
            },
        );
        self.emit(
            Op::Alu(select_rows(ty)),
            Args {
                s: p,
                c: Slot::NONE,
                ..args
            },
        );
        Ok(())
    }

    /// `setp` and `set`.
    pub(super) fn compare(&mut self, opcode: &str, m: &mut Modifiers<'a>, i: &Instruction<'a>) -> Lowered<()> {
        let ftz = m.take("ftz");
        let relation = m
            .take_any(&[
                "eq", "ne", "lt", "le", "gt", "ge", "lo", "ls", "hi", "hs", "equ", "neu", "ltu", "leu", "gtu", "geu",
                "num", "nan",
            ])
            .ok_or("a comparison is missing")?;
        let combine = m.take_any(&["and", "or", "xor"]);
        let result = if opcode == "set" {
            Some(m.take_type().ok_or("a type is missing")?)
        } else {
            None
        };
        let ty = m.take_type().ok_or("a type is missing")?;
        if matches!(ty, Type::F16x2 | Type::Bf16x2) {
            return self.compare_halves(relation, combine, result, ty, ftz, i);
        }
        let want = 3 + usize::from(combine.is_some());
        if i.operands.len() != want {
            return Err(format!("{want} operands are needed"));
        }
        let a = self.source(&i.operands[1], ty)?;
        let b = self.source(&i.operands[2], ty)?;
        let run = int_comparison(relation, ty)
            .or_else(|| comparison(relation, ty, ftz))
            .ok_or_else(|| format!("no comparison .{relation} for type {}", ty.word()))?;
        let other = match combine {
            Some(_) => self.pred_source(&i.operands[3])?,
            None => Pred::TRUE,
        };
        if let Some(to) = result {
            let p = self.temp_pred();
            self.alu(run, Args { a, b, p, ..Args::NONE });
            self.combine(combine, p, p, other);
            let (yes, no) = match to {
                Type::F32 => (self.constant(u128::from(1f32.to_bits()), 1), self.constant(0, 1)),
                Type::F16 => (self.constant(0x3c00, 1), self.constant(0, 1)),
                Type::Bf16 => (self.constant(0x3f80, 1), self.constant(0, 1)),
                Type::U16 | Type::S16 => (self.constant(0xffff, 1), self.constant(0, 1)),
                Type::U32 | Type::S32 => (self.constant(0xffff_ffff, 1), self.constant(0, 1)),
                _ => return Err("no such result type".to_owned()),
            };
            let d = self.target(&i.operands[0], to)?;
            self.emit(
                Op::Alu(select_rows(to)),
                Args {
                    d,
                    a: yes,
                    b: no,
                    s: p,
                    ..Args::NONE
                },
            );
            return Ok(());
        }
        let (first, second) = match &i.operands[0] {
            Operand::Pair(p, q) => (self.pred_target(p)?, Some(self.pred_target(q)?)),
            p => (self.pred_target(p)?, None),
        };
        if second.is_none() && combine.is_none() {
            self.alu(
                run,
                Args {
                    a,
                    b,
                    p: first,
                    ..Args::NONE
                },
            );
            return Ok(());
        }
        let raw = self.temp_pred();
        self.alu(
            run,
            Args {
                a,
                b,
                p: raw,
                ..Args::NONE
            },
        );
        // The predicate to combine with may be one of the results.
        let kept = self.temp_pred();
        self.combine(None, kept, other, Pred::TRUE);
        self.combine(combine, first, raw, kept);
        if let Some(second) = second {
            self.combine(combine, second, raw.not(), kept);
        }
        Ok(())
    }

    /// `to = a combine b`; without a combination `to = a`.
    pub(super) fn combine(&mut self, combine: Option<&str>, to: Pred, a: Pred, b: Pred) {
        let run = match combine {
            Some("and") => pred_binary(|a, b| a & b),
            Some("or") => pred_binary(|a, b| a | b),
            Some(_) => pred_binary(|a, b| a ^ b),
            None => pred_binary(|a, _| a),
        };
        let args = Args {
            p: to,
            s: a,
            a: pred_operand(b),
            ..Args::NONE
        };
        self.alu(run, args);
    }
}

/// `selp` on whole rows.
pub(super) fn select_rows(ty: Type) -> Alu {
    match rows_of(ty) {
        1 => select::<u32>,
        2 => select::<u64>,
        _ => select::<u128>,
    }
}

fn int_comparison(relation: &str, ty: Type) -> Option<Alu> {
    match relation {
        "eq" => by_int!(ty, T => compare(|a: T, b: T| a == b)),
        "ne" => by_int!(ty, T => compare(|a: T, b: T| a != b)),
        "lt" | "lo" => by_int!(ty, T => compare(|a: T, b: T| a < b)),
        "le" | "ls" => by_int!(ty, T => compare(|a: T, b: T| a <= b)),
        "gt" | "hi" => by_int!(ty, T => compare(|a: T, b: T| a > b)),
        "ge" | "hs" => by_int!(ty, T => compare(|a: T, b: T| a >= b)),
        _ => None,
    }
}
