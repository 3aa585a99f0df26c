//! Integer arithmetic.

use super::builder::{Builder, Lowered};
use super::modifiers::Modifiers;
use crate::ptx::exec::bits;
use crate::ptx::exec::lanes::{Alu, Pred, binary, carrying, ternary, unary};
use crate::ptx::parse::ast::Instruction;
use crate::ptx::types::Type;

/// `body` with `$t` standing for the integer type; `None` for other types.
macro_rules! by_int {
    ($ty:expr, $t:ident => $body:expr) => {
        by_int!(@arms $ty, $t, $body;
            U16 u16, B16 u16, S16 i16, U32 u32, B32 u32, S32 i32, U64 u64, B64 u64, S64 i64)
    };
    (@arms $ty:expr, $t:ident, $body:expr; $($name:ident $int:ty),*) => {
        match $ty {
            $(Type::$name => {
                type $t = $int;
                Some($body)
            })*
            _ => None,
        }
    };
}
pub(super) use by_int;

fn wide(ty: Type) -> Option<Type> {
    Some(match ty {
        Type::U16 => Type::U32,
        Type::S16 => Type::S32,
        Type::U32 => Type::U64,
        Type::S32 => Type::S64,
        _ => return None,
    })
}

impl<'a> Builder<'_, 'a> {
    /// True when the instruction is of this family.
    pub(super) fn int(&mut self, opcode: &str, m: &mut Modifiers<'a>, i: &Instruction<'a>) -> Lowered<bool> {
        match opcode {
            "setp" | "set" => return self.compare(opcode, m, i).map(|()| true),
            "shl" | "shr" => return self.shift(opcode, m, i).map(|()| true),
            "lop3" => return self.lop3(m, i).map(|()| true),
            "and" | "or" | "xor" | "not" | "cnot" => return self.logic(opcode, m, i).map(|()| true),
            "selp" => return self.selp(m, i).map(|()| true),
            "slct" => return self.slct(m, i).map(|()| true),
            "dp4a" | "dp2a" => return self.dot(opcode, m, i).map(|()| true),
            "shf" => return self.funnel(m, i).map(|()| true),
            "prmt" => return self.prmt(m, i).map(|()| true),
            "popc" | "clz" | "brev" | "bfe" | "bfi" | "bfind" | "fns" | "bmsk" | "szext" => {
                return self.bit_field(opcode, m, i).map(|()| true);
            }
            "add" | "sub" | "mul" | "mad" | "div" | "rem" | "abs" | "neg" | "min" | "max" | "addc" | "subc"
            | "madc" | "mul24" | "mad24" | "sad" => {}
            _ => return Ok(false),
        }
        let carry_out = m.take("cc");
        let Some(ty) = m.take_type() else {
            return Err("a type is missing".to_owned());
        };
        if ty.is_float() {
            return self.float_arithmetic(opcode, ty, m, i).map(|()| true);
        }
        if carry_out || matches!(opcode, "addc" | "subc" | "madc") {
            return self.extended(opcode, ty, carry_out, m, i).map(|()| true);
        }
        let no_type = || format!("no such instruction for type {}", ty.word());
        let alu = match opcode {
            "add" | "min" | "max" if matches!(ty, Type::U16x2 | Type::S16x2) => {
                let relu = ty == Type::S16x2 && opcode != "add" && m.take("relu");
                let args = self.operands(i, ty, &[ty, ty])?;
                let run = match (opcode, ty, relu) {
                    ("add", ..) => binary(|a, b| bits::halves(a, b, u16::wrapping_add)),
                    ("min", Type::U16x2, _) => binary(|a, b| bits::halves(a, b, u16::min)),
                    ("max", Type::U16x2, _) => binary(|a, b| bits::halves(a, b, u16::max)),
                    ("min", _, false) => binary(|a, b| bits::halves(a, b, |a, b| (a as i16).min(b as i16) as u16)),
                    ("max", _, false) => binary(|a, b| bits::halves(a, b, |a, b| (a as i16).max(b as i16) as u16)),
                    ("min", ..) => binary(|a, b| bits::halves(a, b, |a, b| (a as i16).min(b as i16).max(0) as u16)),
                    _ => binary(|a, b| bits::halves(a, b, |a, b| (a as i16).max(b as i16).max(0) as u16)),
                };
                self.alu(run, args);
                return Ok(true);
            }
            "add" if m.take("sat") => binary(|a: i32, b: i32| a.saturating_add(b)),
            "sub" if m.take("sat") => binary(|a: i32, b: i32| a.saturating_sub(b)),
            "add" => by_int!(ty, T => binary(|a: T, b: T| a.wrapping_add(b))).ok_or_else(no_type)?,
            "sub" => by_int!(ty, T => binary(|a: T, b: T| a.wrapping_sub(b))).ok_or_else(no_type)?,
            "div" => by_int!(ty, T => binary(|a: T, b: T| bits::Int::divide(a, b))).ok_or_else(no_type)?,
            "rem" => by_int!(ty, T => binary(|a: T, b: T| bits::Int::remainder(a, b))).ok_or_else(no_type)?,
            "min" => {
                let relu = ty == Type::S32 && m.take("relu");
                let run = by_int!(ty, T => binary(|a: T, b: T| a.min(b))).ok_or_else(no_type)?;
                if relu {
                    binary(|a: i32, b: i32| a.min(b).max(0))
                } else {
                    run
                }
            }
            "max" => {
                let relu = ty == Type::S32 && m.take("relu");
                let run = by_int!(ty, T => binary(|a: T, b: T| a.max(b))).ok_or_else(no_type)?;
                if relu {
                    binary(|a: i32, b: i32| a.max(b).max(0))
                } else {
                    run
                }
            }
            "abs" | "neg" => {
                let args = self.operands(i, ty, &[ty])?;
                let run = match (opcode, ty) {
                    ("abs", Type::S16) => unary(|a: i16| a.wrapping_abs()),
                    ("abs", Type::S32) => unary(|a: i32| a.wrapping_abs()),
                    ("abs", Type::S64) => unary(|a: i64| a.wrapping_abs()),
                    ("neg", Type::S16) => unary(|a: i16| a.wrapping_neg()),
                    ("neg", Type::S32) => unary(|a: i32| a.wrapping_neg()),
                    ("neg", Type::S64) => unary(|a: i64| a.wrapping_neg()),
                    _ => return Err(no_type()),
                };
                self.alu(run, args);
                return Ok(true);
            }
            "sad" => {
                let args = self.operands(i, ty, &[ty, ty, ty])?;
                let run = by_int!(ty, T => ternary(|a: T, b: T, c: T| bits::Int::distance(a, b).wrapping_add(c)));
                self.alu(run.ok_or_else(no_type)?, args);
                return Ok(true);
            }
            "mul24" | "mad24" => {
                let high = self.product_part(m)? == Part::High;
                let signed = ty == Type::S32;
                let with_c = opcode == "mad24";
                let args = self.operands(i, ty, &[ty; 3][..if with_c { 3 } else { 2 }])?;
                let saturate = m.take("sat");
                let run: Alu = match (with_c, signed, high) {
                    (false, true, false) => binary(|a: i32, b: i32| bits::mul24_signed(a, b) as i32),
                    (false, true, true) => binary(|a: i32, b: i32| (bits::mul24_signed(a, b) >> 16) as i32),
                    (false, false, false) => binary(|a: u32, b: u32| bits::mul24(a, b) as u32),
                    (false, false, true) => binary(|a: u32, b: u32| (bits::mul24(a, b) >> 16) as u32),
                    (true, true, true) if saturate => {
                        ternary(|a: i32, b: i32, c: i32| ((bits::mul24_signed(a, b) >> 16) as i32).saturating_add(c))
                    }
                    (true, true, false) => {
                        ternary(|a: i32, b: i32, c: i32| (bits::mul24_signed(a, b) as i32).wrapping_add(c))
                    }
                    (true, true, true) => {
                        ternary(|a: i32, b: i32, c: i32| ((bits::mul24_signed(a, b) >> 16) as i32).wrapping_add(c))
                    }
                    (true, false, false) => {
                        ternary(|a: u32, b: u32, c: u32| (bits::mul24(a, b) as u32).wrapping_add(c))
                    }
                    (true, false, true) => {
                        ternary(|a: u32, b: u32, c: u32| ((bits::mul24(a, b) >> 16) as u32).wrapping_add(c))
                    }
                };
                self.alu(run, args);
                return Ok(true);
            }
            "mul" => match self.product_part(m)? {
                Part::Low => by_int!(ty, T => binary(|a: T, b: T| a.wrapping_mul(b))).ok_or_else(no_type)?,
                Part::High => {
                    by_int!(ty, T => binary(|a: T, b: T| bits::Int::multiply_high(a, b))).ok_or_else(no_type)?
                }
                Part::Wide => {
                    let to = wide(ty).ok_or_else(no_type)?;
                    let args = self.operands(i, to, &[ty, ty])?;
                    let run = match ty {
                        Type::U16 => binary(|a: u16, b: u16| u32::from(a) * u32::from(b)),
                        Type::S16 => binary(|a: i16, b: i16| i32::from(a) * i32::from(b)),
                        Type::U32 => binary(|a: u32, b: u32| u64::from(a) * u64::from(b)),
                        _ => binary(|a: i32, b: i32| i64::from(a) * i64::from(b)),
                    };
                    self.alu(run, args);
                    return Ok(true);
                }
            },
            // "mad"
            _ => {
                let saturate = m.take("sat");
                let part = self.product_part(m)?;
                let to = if part == Part::Wide {
                    wide(ty).ok_or_else(no_type)?
                } else {
                    ty
                };
                let args = self.operands(i, to, &[ty, ty, to])?;
                let run = match part {
                    Part::Low => by_int!(ty, T => ternary(|a: T, b: T, c: T| a.wrapping_mul(b).wrapping_add(c))),
                    Part::High if saturate => Some(ternary(|a: i32, b: i32, c: i32| {
                        bits::Int::multiply_high(a, b).saturating_add(c)
                    })),
                    Part::High => {
                        by_int!(ty, T => ternary(|a: T, b: T, c: T| bits::Int::multiply_high(a, b).wrapping_add(c)))
                    }
                    Part::Wide => match ty {
                        Type::U16 => Some(ternary(|a: u16, b: u16, c: u32| {
                            (u32::from(a) * u32::from(b)).wrapping_add(c)
                        })),
                        Type::S16 => Some(ternary(|a: i16, b: i16, c: i32| {
                            (i32::from(a) * i32::from(b)).wrapping_add(c)
                        })),
                        Type::U32 => Some(ternary(|a: u32, b: u32, c: u64| {
                            (u64::from(a) * u64::from(b)).wrapping_add(c)
                        })),
                        Type::S32 => Some(ternary(|a: i32, b: i32, c: i64| {
                            (i64::from(a) * i64::from(b)).wrapping_add(c)
                        })),
                        _ => None,
                    },
                };
                self.alu(run.ok_or_else(no_type)?, args);
                return Ok(true);
            }
        };
        let args = self.operands(i, ty, &[ty, ty])?;
        self.alu(alu, args);
        Ok(true)
    }

    fn product_part(&mut self, m: &mut Modifiers<'a>) -> Lowered<Part> {
        match m.take_any(&["lo", "hi", "wide"]) {
            Some("lo") => Ok(Part::Low),
            Some("hi") => Ok(Part::High),
            Some(_) => Ok(Part::Wide),
            None => Err("one of .lo, .hi, .wide is missing".to_owned()),
        }
    }

    /// `add.cc`, `addc`, `sub.cc`, `subc`, `mad.cc`, `madc`.
    fn extended(
        &mut self,
        opcode: &str,
        ty: Type,
        carry_out: bool,
        m: &mut Modifiers<'a>,
        i: &Instruction<'a>,
    ) -> Lowered<()> {
        let three = matches!(opcode, "mad" | "madc");
        let high = three && self.product_part(m)? == Part::High;
        let mut args = self.operands(i, ty, &[ty; 3][..if three { 3 } else { 2 }])?;
        args.s = if opcode.ends_with('c') {
            Pred::CARRY
        } else {
            Pred::FALSE
        };
        args.p = if carry_out { Pred::CARRY } else { Pred::SINK };
        let run = match (opcode, high) {
            ("add" | "addc", _) => {
                by_int!(ty, T => carrying(|a: T, b: T, _: T, carry| bits::Int::add_carry(a, b, carry)))
            }
            ("sub" | "subc", _) => {
                by_int!(ty, T => carrying(|a: T, b: T, _: T, carry| bits::Int::sub_borrow(a, b, carry)))
            }
            ("mad" | "madc", false) => {
                by_int!(ty, T => carrying(|a: T, b: T, c: T, carry| bits::Int::add_carry(a.wrapping_mul(b), c, carry)))
            }
            ("mad" | "madc", true) => {
                by_int!(ty, T => carrying(|a: T, b: T, c: T, carry| bits::Int::add_carry(bits::Int::multiply_high(a, b), c, carry)))
            }
            _ => None,
        };
        self.alu(run.ok_or("no carry with this type")?, args);
        Ok(())
    }

    fn dot(&mut self, opcode: &str, m: &mut Modifiers<'a>, i: &Instruction<'a>) -> Lowered<()> {
        let high = m.take_any(&["lo", "hi"]) == Some("hi");
        let (Some(a), Some(b)) = (m.take_type(), m.take_type()) else {
            return Err("two types are needed".to_owned());
        };
        let ty = Type::U32;
        let args = self.operands(i, ty, &[ty, ty, ty])?;
        let signed = (a == Type::S32, b == Type::S32);
        let run = match (opcode, signed, high) {
            ("dp4a", (false, false), _) => ternary(|a, b, c| bits::dot4(a, b, c, false, false)),
            ("dp4a", (false, true), _) => ternary(|a, b, c| bits::dot4(a, b, c, false, true)),
            ("dp4a", (true, false), _) => ternary(|a, b, c| bits::dot4(a, b, c, true, false)),
            ("dp4a", (true, true), _) => ternary(|a, b, c| bits::dot4(a, b, c, true, true)),
            (_, (false, false), false) => ternary(|a, b, c| bits::dot2(a, b, c, false, false)),
            (_, (false, true), false) => ternary(|a, b, c| bits::dot2(a, b, c, false, true)),
            (_, (true, false), false) => ternary(|a, b, c| bits::dot2(a, b, c, true, false)),
            (_, (true, true), false) => ternary(|a, b, c| bits::dot2(a, b, c, true, true)),
            (_, (false, false), true) => ternary(|a, b: u32, c| bits::dot2(a, b >> 16, c, false, false)),
            (_, (false, true), true) => ternary(|a, b: u32, c| bits::dot2(a, b >> 16, c, false, true)),
            (_, (true, false), true) => ternary(|a, b: u32, c| bits::dot2(a, b >> 16, c, true, false)),
            (_, (true, true), true) => ternary(|a, b: u32, c| bits::dot2(a, b >> 16, c, true, true)),
        };
        self.alu(run, args);
        Ok(())
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Part {
    Low,
    High,
    Wide,
}
