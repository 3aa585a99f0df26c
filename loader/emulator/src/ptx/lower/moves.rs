//! `mov`, packing and unpacking, address conversions.

use super::builder::{Builder, Lowered, rows_of};
use super::modifiers::Modifiers;
use crate::ptx::code::Op;
use crate::ptx::exec::lanes::{Alu, Args, Pred, binary, ternary, unary};
use crate::ptx::parse::ast::{Instruction, Operand};
use crate::ptx::types::{Space, Type};

fn copy(rows: u32) -> Alu {
    match rows {
        1 => unary(|a: u32| a),
        2 => unary(|a: u64| a),
        _ => unary(|a: u128| a),
    }
}

/// `d = a | b << c`, for an element of `element` bytes in a value of `whole` bytes.
fn put_element(whole: u32, element: u32) -> Option<Alu> {
    Some(match (whole, element) {
        (2, 1) => ternary(|a: u32, b: u8, n: u32| a | u32::from(b) << n),
        (4, 1) => ternary(|a: u32, b: u8, n: u32| a | u32::from(b) << n),
        (4, 2) => ternary(|a: u32, b: u16, n: u32| a | u32::from(b) << n),
        (8, 1) => ternary(|a: u64, b: u8, n: u32| a | u64::from(b) << n),
        (8, 2) => ternary(|a: u64, b: u16, n: u32| a | u64::from(b) << n),
        (8, 4) => ternary(|a: u64, b: u32, n: u32| a | u64::from(b) << n),
        (16, 4) => ternary(|a: u128, b: u32, n: u32| a | u128::from(b) << n),
        (16, 8) => ternary(|a: u128, b: u64, n: u32| a | u128::from(b) << n),
        _ => return None,
    })
}

/// `d = a >> b`, cut to an element.
fn get_element(whole: u32, element: u32) -> Option<Alu> {
    Some(match (whole, element) {
        (2, 1) => binary(|a: u16, n: u32| (a >> n) as u8),
        (4, 1) => binary(|a: u32, n: u32| (a >> n) as u8),
        (4, 2) => binary(|a: u32, n: u32| (a >> n) as u16),
        (8, 1) => binary(|a: u64, n: u32| (a >> n) as u8),
        (8, 2) => binary(|a: u64, n: u32| (a >> n) as u16),
        (8, 4) => binary(|a: u64, n: u32| (a >> n) as u32),
        (16, 4) => binary(|a: u128, n: u32| (a >> n) as u32),
        (16, 8) => binary(|a: u128, n: u32| (a >> n) as u64),
        _ => return None,
    })
}

fn unsigned(bytes: u32) -> Type {
    match bytes {
        1 => Type::U8,
        2 => Type::U16,
        4 => Type::U32,
        _ => Type::U64,
    }
}

impl<'a> Builder<'_, 'a> {
    /// True when the instruction is of this family.
    pub(super) fn moves(&mut self, opcode: &str, m: &mut Modifiers<'a>, i: &Instruction<'a>) -> Lowered<bool> {
        match opcode {
            "mov" => self.mov(m, i)?,
            "cvta" => self.cvta(m, i)?,
            "isspacep" => {
                let space = m.take_space().ok_or("a state space is missing")?;
                let [p, a] = &i.operands[..] else {
                    return Err("2 operands are needed".to_owned());
                };
                let args = Args {
                    a: self.source(a, Type::U64)?,
                    p: self.pred_target(p)?,
                    ..Args::NONE
                };
                self.emit(Op::IsSpace(space), args);
            }
            "mapa" => {
                // Every block is a cluster of its own.
                m.take_space();
                m.take("shared::cluster");
                let ty = m.take_type().ok_or("a type is missing")?;
                let [d, a, _] = &i.operands[..] else {
                    return Err("3 operands are needed".to_owned());
                };
                let args = Args {
                    a: self.source(a, ty)?,
                    d: self.target(d, ty)?,
                    ..Args::NONE
                };
                self.alu(copy(rows_of(ty)), args);
            }
            _ => return Ok(false),
        }
        Ok(true)
    }

    fn mov(&mut self, m: &mut Modifiers<'a>, i: &Instruction<'a>) -> Lowered<()> {
        let ty = m.take_type().ok_or("a type is missing")?;
        let [d, a] = &i.operands[..] else {
            return Err("2 operands are needed".to_owned());
        };
        if ty == Type::Pred {
            let from = self.pred_source(a)?;
            let to = self.pred_target(d)?;
            self.combine(None, to, from, Pred::TRUE);
            return Ok(());
        }
        match (d, a) {
            (Operand::Vector(parts), a) => self.unpack(ty, parts, a),
            (d, Operand::Vector(parts)) => self.pack(ty, d, parts),
            (d, a) => {
                let a = self.source(a, ty)?;
                let d = self.target(d, ty)?;
                self.alu(copy(rows_of(ty)), Args { d, a, ..Args::NONE });
                Ok(())
            }
        }
    }

    fn pack(&mut self, ty: Type, d: &Operand<'a>, parts: &[Operand<'a>]) -> Lowered<()> {
        let d = self.target(d, ty)?;
        let element = ty.size() / parts.len().max(1) as u32;
        let run = put_element(ty.size(), element).filter(|_| element as usize * parts.len() == ty.size() as usize);
        let run = run.ok_or("such a vector cannot be packed")?;
        let rows = rows_of(ty);
        let mut sum = self.constant(0, rows);
        for (n, part) in parts.iter().enumerate() {
            let b = self.loose_source(part, unsigned(element))?;
            let c = self.constant(u128::from(n as u32 * element * 8), 1);
            // The destination may be one of the parts: only the last step writes it.
            let to = if n + 1 == parts.len() { d } else { self.temp(rows) };
            self.alu(
                run,
                Args {
                    d: to,
                    a: sum,
                    b,
                    c,
                    ..Args::NONE
                },
            );
            sum = to;
        }
        Ok(())
    }

    fn unpack(&mut self, ty: Type, parts: &[Operand<'a>], a: &Operand<'a>) -> Lowered<()> {
        let mut a = self.source(a, ty)?;
        let element = ty.size() / parts.len().max(1) as u32;
        let run = get_element(ty.size(), element).filter(|_| element as usize * parts.len() == ty.size() as usize);
        let run = run.ok_or("such a vector cannot be unpacked")?;
        if a.is_register() {
            // A part may be the source itself.
            let kept = self.temp(rows_of(ty));
            self.alu(
                copy(rows_of(ty)),
                Args {
                    d: kept,
                    a,
                    ..Args::NONE
                },
            );
            a = kept;
        }
        for (n, part) in parts.iter().enumerate() {
            if *part == Operand::Sink {
                continue;
            }
            let d = self.target(part, unsigned(element))?;
            let b = self.constant(u128::from(n as u32 * element * 8), 1);
            self.alu(run, Args { d, a, b, ..Args::NONE });
        }
        Ok(())
    }

    fn cvta(&mut self, m: &mut Modifiers<'a>, i: &Instruction<'a>) -> Lowered<()> {
        let to = m.take("to");
        let space = m
            .take_space()
            .or_else(|| m.take("shared::cluster").then_some(Space::Shared))
            .ok_or("a state space is missing")?;
        let ty = m.take_type().ok_or("a type is missing")?;
        if ty.size() != 8 {
            return Err("addresses have 64 bits".to_owned());
        }
        let [d, a] = &i.operands[..] else {
            return Err("2 operands are needed".to_owned());
        };
        let args = Args {
            a: self.source(a, ty)?,
            d: self.target(d, ty)?,
            ..Args::NONE
        };
        let op = match (space, to) {
            (Space::Shared, true) => Op::GenericToShared,
            (Space::Shared, false) => Op::SharedToGeneric,
            // All other spaces are parts of the one address space.
            _ => Op::Alu(copy(2)),
        };
        self.emit(op, args);
        Ok(())
    }
}
