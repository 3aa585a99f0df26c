//! Operands: registers, constants, special registers and addresses as sources, registers as results.

use super::Global;
use super::builder::{Builder, Lowered, Place, rows_of};
use crate::ptx::code::{Op, Special, Symbol};
use crate::ptx::exec::lanes::{Args, LANES, Pred, Slot, binary, unary};
use crate::ptx::parse::ast::{Instruction, Operand};
use crate::ptx::types::{Space, Type};

impl<'a> Builder<'_, 'a> {
    /// The value of an operand of type `ty`.
    pub fn source(&mut self, operand: &Operand<'a>, ty: Type) -> Lowered<Slot> {
        let rows = rows_of(ty);
        match *operand {
            Operand::Name(name, 0) if self.register(name).is_some() => {
                let (slot, have) = self.register(name).unwrap_or((Slot::NONE, 0));
                if have != rows {
                    return Err(format!(
                        "{name} has {} bits, the instruction takes {}",
                        have * 32,
                        rows * 32
                    ));
                }
                Ok(slot)
            }
            Operand::Name(name, offset) => self.named_value(name, offset, rows),
            Operand::Int(n) => {
                let value = match ty {
                    Type::F32 => u128::from((n as i64 as f32).to_bits()),
                    Type::F64 => u128::from((n as i64 as f64).to_bits()),
                    _ if rows == 1 => u128::from(n as u32),
                    _ if rows == 2 => u128::from(n),
                    _ => n as i64 as i128 as u128,
                };
                Ok(self.constant(value, rows))
            }
            Operand::F32(bits) => Ok(match ty {
                Type::F64 => self.constant(u128::from(f64::from(f32::from_bits(bits)).to_bits()), 2),
                _ => self.constant(u128::from(bits), rows),
            }),
            Operand::F64(bits) => Ok(match ty {
                Type::F32 => self.constant(u128::from((f64::from_bits(bits) as f32).to_bits()), 1),
                _ => self.constant(u128::from(bits), rows),
            }),
            Operand::Sink => Err("_ is no source".to_owned()),
            ref other => Err(format!("{other} cannot stand here")),
        }
    }

    /// A special register, or the address of a variable or function.
    fn named_value(&mut self, name: &'a str, offset: i64, rows: u32) -> Lowered<Slot> {
        if let Some((special, has)) = special(name) {
            let slot = self.temp(has);
            self.emit(Op::Special(special), Args { d: slot, ..Args::NONE });
            return self.resize(slot, has, rows);
        }
        if name == "WARP_SZ" {
            return Ok(self.constant(LANES as u128, rows));
        }
        let address = match self.place(name) {
            Some(Place::Frame(piece)) => {
                let d = self.temp(2);
                let at =
                    u32::try_from(i64::from(piece.offset).wrapping_add(offset)).map_err(|_| "offset out of range")?;
                self.emit(Op::FrameAddress(at), Args { d, ..Args::NONE });
                d
            }
            Some(Place::Param(piece)) => {
                let d = self.temp(2);
                let at =
                    u32::try_from(i64::from(piece.offset).wrapping_add(offset)).map_err(|_| "offset out of range")?;
                self.emit(Op::ParamAddress(at), Args { d, ..Args::NONE });
                d
            }
            Some(Place::Variable(index)) => {
                if self.image.variables[index as usize].space == Space::Shared {
                    self.out.shared.push(index);
                }
                if self.image.variables[index as usize].is_dynamic_shared {
                    let d = self.temp(2);
                    self.emit(Op::DynamicShared, Args { d, ..Args::NONE });
                    if offset == 0 {
                        d
                    } else {
                        let sum = self.temp(2);
                        let b = self.constant(u128::from(offset as u64), 2);
                        let add = binary(|a: u64, b: u64| a.wrapping_add(b));
                        self.alu(
                            add,
                            Args {
                                d: sum,
                                a: d,
                                b,
                                ..Args::NONE
                            },
                        );
                        sum
                    }
                } else {
                    self.address_of(Symbol::Variable(index), offset)
                }
            }
            None => match self.symbols.get(name) {
                Some(&Global::Function(index)) => {
                    self.out.callees.push(index);
                    self.address_of(Symbol::Function(index), offset)
                }
                Some(Global::External | Global::System(_)) => {
                    self.image.unresolved.push(name.to_owned());
                    self.constant(0, 2)
                }
                _ => return Err(format!("unknown name {name}")),
            },
        };
        self.resize(address, 2, rows)
    }

    /// Cuts or widens a value to a number of rows.
    fn resize(&mut self, slot: Slot, have: u32, want: u32) -> Lowered<Slot> {
        let run = match (have, want) {
            _ if have == want => return Ok(slot),
            (2, 1) => unary(|a: u64| a as u32),
            (1, 2) => unary(|a: u32| u64::from(a)),
            _ => return Err("operand of the wrong size".to_owned()),
        };
        let d = self.temp(want);
        self.alu(
            run,
            Args {
                d,
                a: slot,
                ..Args::NONE
            },
        );
        Ok(d)
    }

    /// The register that takes a result of type `ty`.
    pub fn target(&mut self, operand: &Operand<'a>, ty: Type) -> Lowered<Slot> {
        let rows = rows_of(ty);
        match *operand {
            Operand::Name(name, 0) => match self.register(name) {
                Some((slot, have)) if have == rows => Ok(slot),
                Some((_, have)) => Err(format!("{name} has {} bits, the result {}", have * 32, rows * 32)),
                None => Err(format!("{name} is no register")),
            },
            Operand::Sink => Ok(self.temp(rows)),
            ref other => Err(format!("{other} cannot take a result")),
        }
    }

    pub fn pred_source(&mut self, operand: &Operand<'a>) -> Lowered<Pred> {
        match *operand {
            Operand::Name(name, 0) => self.pred_named(name),
            Operand::Not(name) => Ok(self.pred_named(name)?.not()),
            Operand::Int(0) => Ok(Pred::FALSE),
            Operand::Int(_) => Ok(Pred::TRUE),
            ref other => Err(format!("{other} is no predicate")),
        }
    }

    pub fn pred_target(&mut self, operand: &Operand<'a>) -> Lowered<Pred> {
        match *operand {
            Operand::Name(name, 0) => self.pred_named(name),
            Operand::Sink => Ok(Pred::SINK),
            ref other => Err(format!("{other} is no predicate register")),
        }
    }

    /// Destination and sources of one type: `op d, a, b, c`.
    pub fn operands(&mut self, instruction: &Instruction<'a>, d: Type, sources: &[Type]) -> Lowered<Args> {
        let operands = &instruction.operands;
        if operands.len() != sources.len() + 1 {
            return Err(format!(
                "{} operands where {} are needed",
                operands.len(),
                sources.len() + 1
            ));
        }
        let mut args = Args::NONE;
        let places = [&mut args.a, &mut args.b, &mut args.c];
        for ((place, operand), &ty) in places.into_iter().zip(&operands[1..]).zip(sources) {
            *place = self.source(operand, ty)?;
        }
        args.d = self.target(&operands[0], d)?;
        Ok(args)
    }
}

/// Special registers, and the rows of their values.
fn special(name: &str) -> Option<(Special, u32)> {
    let axis = |suffix: &str| match suffix {
        "x" => Some(0),
        "y" => Some(1),
        "z" => Some(2),
        _ => None,
    };
    if let Some((stem, suffix)) = name.split_once('.') {
        let n = axis(suffix)?;
        let special = match stem {
            "%tid" => Special::Tid(n),
            "%ntid" => Special::Ntid(n),
            "%ctaid" => Special::Ctaid(n),
            "%nctaid" => Special::Nctaid(n),
            // Every block is a cluster of its own.
            "%clusterid" => Special::Ctaid(n),
            "%nclusterid" => Special::Nctaid(n),
            "%cluster_ctaid" => Special::Fixed(0),
            "%cluster_nctaid" => Special::Fixed(1),
            _ => return None,
        };
        return Some((special, 1));
    }
    let special = match name {
        "%laneid" => Special::LaneId,
        "%warpid" => Special::WarpId,
        "%nwarpid" => Special::WarpCount,
        "%smid" => Special::Sm,
        "%nsmid" => Special::SmCount,
        "%gridid" => return Some((Special::GridId, 2)),
        "%lanemask_eq" => Special::LaneMaskEq,
        "%lanemask_lt" => Special::LaneMaskLt,
        "%lanemask_le" => Special::LaneMaskLe,
        "%lanemask_gt" => Special::LaneMaskGt,
        "%lanemask_ge" => Special::LaneMaskGe,
        "%clock" => Special::Clock,
        "%clock_hi" => Special::ClockHigh,
        "%clock64" => return Some((Special::Clock64, 2)),
        "%globaltimer" => return Some((Special::GlobalTimer, 2)),
        "%globaltimer_lo" => Special::GlobalTimerLow,
        "%globaltimer_hi" => Special::GlobalTimerHigh,
        "%dynamic_smem_size" => Special::DynamicSharedSize,
        "%total_smem_size" | "%aggr_smem_size" => Special::TotalSharedSize,
        "%cluster_ctarank" => Special::Fixed(0),
        "%cluster_nctarank" => Special::Fixed(1),
        "%current_graph_exec" => Special::Fixed(0),
        _ => {
            let is_environment = |stem: &str, below: u32| {
                let number = name.strip_prefix(stem).and_then(|n| n.parse::<u32>().ok());
                number.is_some_and(|n| n < below)
            };
            if is_environment("%envreg", 32) || is_environment("%pm", 8) {
                Special::Fixed(0)
            } else {
                return None;
            }
        }
    };
    Some((special, 1))
}
