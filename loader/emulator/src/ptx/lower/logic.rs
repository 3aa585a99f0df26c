//! Logic, shifts, and fields of bits.

use super::builder::{Builder, Lowered};
use super::int::by_int;
use super::modifiers::Modifiers;
use crate::ptx::exec::bits;
use crate::ptx::exec::lanes::{Args, Pred, binary, pred_binary, pred_operand, ternary, unary};
use crate::ptx::parse::ast::{Instruction, Operand};
use crate::ptx::types::Type;

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

impl<'a> Builder<'_, 'a> {
    pub(super) fn logic(&mut self, opcode: &str, m: &mut Modifiers<'a>, i: &Instruction<'a>) -> Lowered<()> {
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

    pub(super) fn lop3(&mut self, m: &mut Modifiers<'a>, i: &Instruction<'a>) -> Lowered<()> {
        m.take_type();
        if m.take_any(&["or", "and"]).is_some() {
            return Err("lop3 with a predicate result is not supported".to_owned());
        }
        let Some(Operand::Int(table)) = i.operands.get(4) else {
            return Err("the truth table must be a number".to_owned());
        };
        if *table > 0xff {
            return Err(format!("{table} is no truth table of 8 bits"));
        }
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
        let run = match *table {
            0x96 => ternary(|a: u32, b: u32, c: u32| a ^ b ^ c),
            0x80 => ternary(|a: u32, b: u32, c: u32| a & b & c),
            0xfe => ternary(|a: u32, b: u32, c: u32| a | b | c),
            0xe8 => ternary(|a: u32, b: u32, c: u32| (a & b) | (a & c) | (b & c)),
            0xca => ternary(|a: u32, b: u32, c: u32| (a & b) | (!a & c)),
            0xf8 => ternary(|a: u32, b: u32, c: u32| a | (b & c)),
            0xea => ternary(|a: u32, b: u32, c: u32| (a & b) | c),
            0x6a => ternary(|a: u32, b: u32, c: u32| (a & b) ^ c),
            0x78 => ternary(|a: u32, b: u32, c: u32| a ^ (b & c)),
            0x28 => ternary(|a: u32, b: u32, c: u32| (a ^ b) & c),
            0x60 => ternary(|a: u32, b: u32, c: u32| a & (b ^ c)),
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

    pub(super) fn shift(&mut self, opcode: &str, m: &mut Modifiers<'a>, i: &Instruction<'a>) -> Lowered<()> {
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

    pub(super) fn funnel(&mut self, m: &mut Modifiers<'a>, i: &Instruction<'a>) -> Lowered<()> {
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

    pub(super) fn prmt(&mut self, m: &mut Modifiers<'a>, i: &Instruction<'a>) -> Lowered<()> {
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

    pub(super) fn bit_field(&mut self, opcode: &str, m: &mut Modifiers<'a>, i: &Instruction<'a>) -> Lowered<()> {
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
                // The 64-bit form looks at all bits of both (seen on an H200), the 32-bit one at 8, as the manual says.
                let pack = match ty {
                    Type::B64 => binary(|p: u32, n: u32| p.min(255) | n.min(255) << 8),
                    _ => binary(|p: u32, n: u32| (p & 255) | (n & 255) << 8),
                };
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
}
