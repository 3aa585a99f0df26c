//! Integer arithmetic, logic, shifts, bits, comparison and selection.

use super::builder::{Builder, Lowered, rows_of};
use super::float::comparison;
use super::modifiers::Modifiers;
use crate::ptx::code::Op;
use crate::ptx::exec::bits;
use crate::ptx::exec::lanes::{
    Alu, Args, Pred, binary, carrying, compare, pred_binary, pred_operand, select, ternary, unary,
};
use crate::ptx::exec::round;
use crate::ptx::parse::ast::{Instruction, Operand};
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

/// `body` on whole bit patterns.
macro_rules! by_bits {
    ($ty:expr, $t:ident => $body:expr) => {
        match $ty.size() {
            2 => {
                type $t = u16;
                Some($body)
            }
            4 => {
                type $t = u32;
                Some($body)
            }
            8 => {
                type $t = u64;
                Some($body)
            }
            _ => None,
        }
    };
}

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
        let no_type = || format!("no such instruction for type {ty:?}");
        let alu = match opcode {
            "add" | "sub" | "min" | "max" if matches!(ty, Type::U16x2 | Type::S16x2) => {
                m.take("relu");
                let args = self.operands(i, ty, &[ty, ty])?;
                let run = match (opcode, ty) {
                    ("add", _) => binary(|a, b| bits::halves(a, b, u16::wrapping_add)),
                    ("sub", _) => binary(|a, b| bits::halves(a, b, u16::wrapping_sub)),
                    ("min", Type::U16x2) => binary(|a, b| bits::halves(a, b, u16::min)),
                    ("max", Type::U16x2) => binary(|a, b| bits::halves(a, b, u16::max)),
                    ("min", _) => binary(|a, b| bits::halves(a, b, |a, b| (a as i16).min(b as i16) as u16)),
                    _ => binary(|a, b| bits::halves(a, b, |a, b| (a as i16).max(b as i16) as u16)),
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
                let relu = m.take("relu");
                let run = by_int!(ty, T => binary(|a: T, b: T| a.min(b))).ok_or_else(no_type)?;
                if relu {
                    binary(|a: i32, b: i32| a.min(b).max(0))
                } else {
                    run
                }
            }
            "max" => {
                let relu = m.take("relu");
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

    fn logic(&mut self, opcode: &str, m: &mut Modifiers<'a>, i: &Instruction<'a>) -> Lowered<()> {
        let ty = m.take_type().ok_or("a type is missing")?;
        if ty == Type::Pred {
            let want = if opcode == "not" { 2 } else { 3 };
            if i.operands.len() != want {
                return Err(format!("{want} operands are needed"));
            }
            let s = self.pred_source(&i.operands[1])?;
            let other = if want == 3 {
                self.pred_source(&i.operands[2])?
            } else {
                Pred::TRUE
            };
            let args = Args {
                a: pred_operand(other),
                p: self.pred_target(&i.operands[0])?,
                s,
                ..Args::NONE
            };
            let run = match opcode {
                "and" => pred_binary(|a, b| a & b),
                "or" => pred_binary(|a, b| a | b),
                "xor" => pred_binary(|a, b| a ^ b),
                "not" => pred_binary(|a, _| !a),
                _ => return Err("no such instruction for predicates".to_owned()),
            };
            self.alu(run, args);
            return Ok(());
        }
        let unary_op = matches!(opcode, "not" | "cnot");
        let args = self.operands(i, ty, &[ty; 2][..if unary_op { 1 } else { 2 }])?;
        let run = match opcode {
            "and" => by_bits!(ty, T => binary(|a: T, b: T| a & b)),
            "or" => by_bits!(ty, T => binary(|a: T, b: T| a | b)),
            "xor" => by_bits!(ty, T => binary(|a: T, b: T| a ^ b)),
            "not" => by_bits!(ty, T => unary(|a: T| !a)),
            _ => by_bits!(ty, T => unary(|a: T| T::from(a == 0))),
        };
        self.alu(run.ok_or("no such instruction for this type")?, args);
        Ok(())
    }

    fn lop3(&mut self, m: &mut Modifiers<'a>, i: &Instruction<'a>) -> Lowered<()> {
        m.take_type();
        if m.take_any(&["or", "and"]).is_some() {
            return Err("lop3 with a predicate result is not supported".to_owned());
        }
        let Some(Operand::Int(table)) = i.operands.get(4) else {
            return Err("the truth table must be a number".to_owned());
        };
        let ty = Type::B32;
        let a = self.source(&i.operands[1], ty)?;
        let b = self.source(&i.operands[2], ty)?;
        let c = self.source(&i.operands[3], ty)?;
        let d = self.target(&i.operands[0], ty)?;
        let args = Args {
            d,
            a,
            b,
            c,
            ..Args::NONE
        };
        // One pass for the tables that compilers like, minterm by minterm for the others.
        let run = match table & 0xff {
            0x96 => ternary(|a: u32, b: u32, c: u32| a ^ b ^ c),
            0x80 => ternary(|a: u32, b: u32, c: u32| a & b & c),
            0xfe => ternary(|a: u32, b: u32, c: u32| a | b | c),
            0xe8 => ternary(|a: u32, b: u32, c: u32| (a & b) | (a & c) | (b & c)),
            0xca => ternary(|a: u32, b: u32, c: u32| (a & b) | (!a & c)),
            0xf8 => ternary(|a: u32, b: u32, c: u32| a | (b & c)),
            0xea => ternary(|a: u32, b: u32, c: u32| (a & b) | c),
            0x6a => ternary(|a: u32, b: u32, c: u32| (a & b) ^ c),
            0x78 => ternary(|a: u32, b: u32, c: u32| a ^ (b & c)),
            0x28 => ternary(|a: u32, b: u32, c: u32| a & (b ^ c)),
            _ => {
                // The table is a second operand of an accumulation: d = d | minterm for every bit set.
                let sum = self.temp(1);
                let zero = self.constant(0, 1);
                self.alu(
                    unary(|a: u32| a),
                    Args {
                        d: sum,
                        a: zero,
                        ..Args::NONE
                    },
                );
                for minterm in (0..8).filter(|bit| table >> bit & 1 != 0) {
                    let t = self.temp(1);
                    let minterm_of = match minterm {
                        0 => ternary(|a: u32, b: u32, c: u32| !a & !b & !c),
                        1 => ternary(|a: u32, b: u32, c: u32| !a & !b & c),
                        2 => ternary(|a: u32, b: u32, c: u32| !a & b & !c),
                        3 => ternary(|a: u32, b: u32, c: u32| !a & b & c),
                        4 => ternary(|a: u32, b: u32, c: u32| a & !b & !c),
                        5 => ternary(|a: u32, b: u32, c: u32| a & !b & c),
                        6 => ternary(|a: u32, b: u32, c: u32| a & b & !c),
                        _ => ternary(|a: u32, b: u32, c: u32| a & b & c),
                    };
                    self.alu(minterm_of, Args { d: t, ..args });
                    self.alu(
                        binary(|a: u32, b: u32| a | b),
                        Args {
                            d: sum,
                            a: sum,
                            b: t,
                            ..Args::NONE
                        },
                    );
                }
                self.alu(
                    unary(|a: u32| a),
                    Args {
                        d,
                        a: sum,
                        ..Args::NONE
                    },
                );
                return Ok(());
            }
        };
        self.alu(run, args);
        Ok(())
    }

    fn shift(&mut self, opcode: &str, m: &mut Modifiers<'a>, i: &Instruction<'a>) -> Lowered<()> {
        let ty = m.take_type().ok_or("a type is missing")?;
        let args = self.operands(i, ty, &[ty, Type::U32])?;
        let run = if opcode == "shl" {
            by_bits!(ty, T => binary(|a: T, n: u32| a.checked_shl(n).unwrap_or(0)))
        } else {
            by_int!(ty, T => binary(|a: T, n: u32| a >> n.min(T::BITS - 1) >> u32::from(n >= T::BITS && T::MIN == 0)))
        };
        self.alu(run.ok_or("no such instruction for this type")?, args);
        Ok(())
    }

    fn funnel(&mut self, m: &mut Modifiers<'a>, i: &Instruction<'a>) -> Lowered<()> {
        let left = match m.take_any(&["l", "r"]) {
            Some(direction) => direction == "l",
            None => return Err("one of .l, .r is missing".to_owned()),
        };
        let clamp = match m.take_any(&["clamp", "wrap"]) {
            Some(mode) => mode == "clamp",
            None => return Err("one of .clamp, .wrap is missing".to_owned()),
        };
        m.take_type();
        let ty = Type::B32;
        let args = self.operands(i, ty, &[ty, ty, Type::U32])?;
        let run = match (left, clamp) {
            (true, true) => ternary(|a: u32, b: u32, n: u32| (bits::join(a, b) << n.min(32) >> 32) as u32),
            (true, false) => ternary(|a: u32, b: u32, n: u32| (bits::join(a, b) << (n & 31) >> 32) as u32),
            (false, true) => ternary(|a: u32, b: u32, n: u32| (bits::join(a, b) >> n.min(32)) as u32),
            (false, false) => ternary(|a: u32, b: u32, n: u32| (bits::join(a, b) >> (n & 31)) as u32),
        };
        self.alu(run, args);
        Ok(())
    }

    fn prmt(&mut self, m: &mut Modifiers<'a>, i: &Instruction<'a>) -> Lowered<()> {
        m.take_type();
        let mode = m.take_any(&["f4e", "b4e", "rc8", "ecl", "ecr", "rc16"]);
        let ty = Type::B32;
        let args = self.operands(i, ty, &[ty, ty, ty])?;
        let run = match mode {
            None => ternary(bits::permute),
            Some("f4e") => ternary(|a: u32, b: u32, c: u32| {
                bits::permute(a, b, bits::select4(c, [0x3210, 0x4321, 0x5432, 0x6543]))
            }),
            Some("b4e") => ternary(|a: u32, b: u32, c: u32| {
                bits::permute(a, b, bits::select4(c, [0x5670, 0x6701, 0x7012, 0x0123]))
            }),
            Some("rc8") => ternary(|a: u32, b: u32, c: u32| {
                bits::permute(a, b, bits::select4(c, [0x0000, 0x1111, 0x2222, 0x3333]))
            }),
            Some("ecl") => ternary(|a: u32, b: u32, c: u32| {
                bits::permute(a, b, bits::select4(c, [0x3210, 0x3211, 0x3222, 0x3333]))
            }),
            Some("ecr") => ternary(|a: u32, b: u32, c: u32| {
                bits::permute(a, b, bits::select4(c, [0x0000, 0x1110, 0x2210, 0x3210]))
            }),
            Some(_) => ternary(|a: u32, b: u32, c: u32| {
                bits::permute(a, b, bits::select4(c, [0x1010, 0x3232, 0x1010, 0x3232]))
            }),
        };
        self.alu(run, args);
        Ok(())
    }

    fn bit_field(&mut self, opcode: &str, m: &mut Modifiers<'a>, i: &Instruction<'a>) -> Lowered<()> {
        let shift_amount = m.take("shiftamt");
        let mode = m.take_any(&["clamp", "wrap"]);
        let ty = m.take_type().ok_or("a type is missing")?;
        let word = Type::U32;
        let none = "no such instruction for this type";
        let (run, args) = match opcode {
            "popc" => (
                by_bits!(ty, T => unary(|a: T| a.count_ones())),
                self.operands(i, word, &[ty])?,
            ),
            "clz" => (
                by_bits!(ty, T => unary(|a: T| a.leading_zeros())),
                self.operands(i, word, &[ty])?,
            ),
            "brev" => (
                by_bits!(ty, T => unary(|a: T| a.reverse_bits())),
                self.operands(i, ty, &[ty])?,
            ),
            "bfind" => {
                let run = if shift_amount {
                    by_int!(ty, T => unary(|a: T| bits::find(bits::Int::magnitude_bits(a), T::BITS, true)))
                } else {
                    by_int!(ty, T => unary(|a: T| bits::find(bits::Int::magnitude_bits(a), T::BITS, false)))
                };
                (run, self.operands(i, word, &[ty])?)
            }
            "bfe" => {
                let run = match ty {
                    Type::U32 => Some(ternary(|a: u32, p: u32, n: u32| {
                        bits::extract(u64::from(a), p, n, 32) as u32
                    })),
                    Type::S32 => Some(ternary(|a: i32, p: u32, n: u32| {
                        bits::extract_signed(i64::from(a), p, n, 32) as i32
                    })),
                    Type::U64 => Some(ternary(|a: u64, p: u32, n: u32| bits::extract(a, p, n, 64))),
                    Type::S64 => Some(ternary(|a: i64, p: u32, n: u32| bits::extract_signed(a, p, n, 64))),
                    _ => None,
                };
                (run, self.operands(i, ty, &[ty, word, word])?)
            }
            "bfi" => {
                if i.operands.len() != 5 {
                    return Err("5 operands are needed".to_owned());
                }
                // d = insert(a, b, position, length): four sources, so position and length travel as one.
                let position = self.source(&i.operands[3], word)?;
                let length = self.source(&i.operands[4], word)?;
                let packed = self.temp(1);
                let pack = binary(|p: u32, n: u32| (p & 255) | (n & 255) << 8);
                self.alu(
                    pack,
                    Args {
                        d: packed,
                        a: position,
                        b: length,
                        ..Args::NONE
                    },
                );
                let args = Args {
                    a: self.source(&i.operands[1], ty)?,
                    b: self.source(&i.operands[2], ty)?,
                    c: packed,
                    d: self.target(&i.operands[0], ty)?,
                    ..Args::NONE
                };
                let run = match ty {
                    Type::B32 => Some(ternary(|a: u32, b: u32, c: u32| {
                        bits::insert(u64::from(a), u64::from(b), c & 255, c >> 8, 32) as u32
                    })),
                    Type::B64 => Some(ternary(|a: u64, b: u64, c: u32| {
                        bits::insert(a, b, c & 255, c >> 8, 64)
                    })),
                    _ => None,
                };
                (run, args)
            }
            "fns" => (
                Some(ternary(bits::find_nth_set)),
                self.operands(i, word, &[word, word, Type::S32])?,
            ),
            "bmsk" => {
                let run = if mode == Some("wrap") {
                    binary(|a: u32, b: u32| bits::mask(a & 31, b & 31))
                } else {
                    binary(|a: u32, b: u32| bits::mask(a, b))
                };
                (Some(run), self.operands(i, word, &[word, word])?)
            }
            // "szext"
            _ => {
                let wrap = mode == Some("wrap");
                let run = match (ty, wrap) {
                    (Type::S32, true) => {
                        binary(|a: i32, n: u32| bits::extract_signed(i64::from(a), 0, n & 31, 32) as i32)
                    }
                    (Type::S32, false) => {
                        binary(|a: i32, n: u32| bits::extract_signed(i64::from(a), 0, n.min(255), 32) as i32)
                    }
                    (_, true) => binary(|a: u32, n: u32| bits::extract(u64::from(a), 0, n & 31, 32) as u32),
                    (_, false) => binary(|a: u32, n: u32| bits::extract(u64::from(a), 0, n.min(255), 32) as u32),
                };
                (Some(run), self.operands(i, ty, &[ty, word])?)
            }
        };
        self.alu(run.ok_or(none)?, args);
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

    fn selp(&mut self, m: &mut Modifiers<'a>, i: &Instruction<'a>) -> Lowered<()> {
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

    fn slct(&mut self, m: &mut Modifiers<'a>, i: &Instruction<'a>) -> Lowered<()> {
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
                c: crate::ptx::exec::lanes::Slot::NONE,
                ..args
            },
        );
        Ok(())
    }

    /// `setp` and `set`.
    fn compare(&mut self, opcode: &str, m: &mut Modifiers<'a>, i: &Instruction<'a>) -> Lowered<()> {
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
            .ok_or_else(|| format!("no comparison .{relation} for type {ty:?}"))?;
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

#[derive(Clone, Copy, PartialEq, Eq)]
enum Part {
    Low,
    High,
    Wide,
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
