//! Half-precision arithmetic: `f16`, `bf16`, and pairs of them.
//!
//! Sums, products and quotients of two numbers of up to 11 bits, computed in single precision and rounded again, are those
//! that one rounding gives; fused products go through double precision.

use half::{bf16, f16};

use super::builder::{Builder, Lowered};
use super::float::Style;
use super::modifiers::Modifiers;
use crate::ptx::exec::lanes::rare::{binary, ternary, unary};
use crate::ptx::exec::lanes::{Alu, Args, Pred, Value};
use crate::ptx::exec::round::{self, BF16, F16, NEAREST, sum_to_odd};
use crate::ptx::parse::ast::{Instruction, Operand};
use crate::ptx::types::Type;

/// A half-precision type.
trait Half: Value {
    fn wide(self) -> f64;
    /// Rounded to nearest, NaN canonical.
    fn from_wide(a: f64) -> Self;
    fn flushed(self) -> Self;
    fn bits(self) -> u16;
    fn from_raw(bits: u16) -> Self;
}

impl Half for f16 {
    #[inline(always)]
    fn wide(self) -> f64 {
        self.to_f64()
    }
    fn from_wide(a: f64) -> f16 {
        f16::from_bits(F16.round(a, NEAREST))
    }
    fn flushed(self) -> f16 {
        flush16(self)
    }
    fn bits(self) -> u16 {
        self.to_bits()
    }
    fn from_raw(bits: u16) -> f16 {
        f16::from_bits(bits)
    }
}

impl Half for bf16 {
    #[inline(always)]
    fn wide(self) -> f64 {
        self.to_f64()
    }
    fn from_wide(a: f64) -> bf16 {
        bf16::from_bits(BF16.round(a, NEAREST))
    }
    fn flushed(self) -> bf16 {
        self
    }
    fn bits(self) -> u16 {
        self.to_bits()
    }
    fn from_raw(bits: u16) -> bf16 {
        bf16::from_bits(bits)
    }
}

/// Subnormal numbers become zeros of the same sign.
pub(super) fn flush16(a: f16) -> f16 {
    if a.to_bits() & 0x7c00 == 0 {
        f16::from_bits(a.to_bits() & 0x8000)
    } else {
        a
    }
}

/// What happens to a result behind the arithmetic.
#[derive(Clone, Copy, PartialEq, Eq)]
enum After {
    Nothing,
    Ftz,
    Sat,
    FtzSat,
    Relu,
    FtzRelu,
}

fn after<H: Half, const AFTER: u8>(a: H) -> H {
    let a = if AFTER & 1 != 0 { a.flushed() } else { a };
    if AFTER & 2 != 0 {
        let wide = a.wide();
        return H::from_wide(if wide > 0.0 { wide.min(1.0) } else { 0.0 });
    }
    if AFTER & 4 != 0 && (a.wide() <= 0.0 || a.wide().is_sign_negative()) && !a.wide().is_nan() {
        return H::from_raw(0);
    }
    a
}

fn before<H: Half, const AFTER: u8>(a: H) -> H {
    if AFTER & 1 != 0 { a.flushed() } else { a }
}

/// Makes the instruction for one value or for a pair.
macro_rules! lanewise {
    ($h:ty, $pair:expr, $after:expr, |$($x:ident),+| $body:expr) => {
        match $after {
            After::Nothing => lanewise!(@made $h, $pair, 0, |$($x),+| $body),
            After::Ftz => lanewise!(@made $h, $pair, 1, |$($x),+| $body),
            After::Sat => lanewise!(@made $h, $pair, 2, |$($x),+| $body),
            After::FtzSat => lanewise!(@made $h, $pair, 3, |$($x),+| $body),
            After::Relu => lanewise!(@made $h, $pair, 4, |$($x),+| $body),
            After::FtzRelu => lanewise!(@made $h, $pair, 5, |$($x),+| $body),
        }
    };
    (@made $h:ty, $pair:expr, $n:literal, |$a:ident| $body:expr) => {{
        let f = |$a: $h| -> $h { let $a = before::<$h, $n>($a); after::<$h, $n>($body) };
        if $pair {
            unary(move |a: u32| u32::from(f(low(a)).bits()) | u32::from(f(high(a)).bits()) << 16)
        } else {
            unary(f)
        }
    }};
    (@made $h:ty, $pair:expr, $n:literal, |$a:ident, $b:ident| $body:expr) => {{
        let f = |$a: $h, $b: $h| -> $h {
            let ($a, $b) = (before::<$h, $n>($a), before::<$h, $n>($b));
            after::<$h, $n>($body)
        };
        if $pair {
            binary(move |a: u32, b: u32| {
                u32::from(f(low(a), low(b)).bits()) | u32::from(f(high(a), high(b)).bits()) << 16
            })
        } else {
            binary(f)
        }
    }};
    (@made $h:ty, $pair:expr, $n:literal, |$a:ident, $b:ident, $c:ident| $body:expr) => {{
        let f = |$a: $h, $b: $h, $c: $h| -> $h {
            let ($a, $b, $c) = (before::<$h, $n>($a), before::<$h, $n>($b), before::<$h, $n>($c));
            after::<$h, $n>($body)
        };
        if $pair {
            ternary(move |a: u32, b: u32, c: u32| {
                u32::from(f(low(a), low(b), low(c)).bits()) | u32::from(f(high(a), high(b), high(c)).bits()) << 16
            })
        } else {
            ternary(f)
        }
    }};
}

fn low<H: Half>(a: u32) -> H {
    H::from_raw(a as u16)
}

fn high<H: Half>(a: u32) -> H {
    H::from_raw((a >> 16) as u16)
}

fn fused<H: Half>(a: H, b: H, c: H) -> H {
    H::from_wide(sum_to_odd(a.wide() * b.wide(), c.wide()))
}

fn smaller<H: Half>(a: H, b: H) -> H {
    pick(a, b, round::min64(a.wide(), b.wide()))
}

fn larger<H: Half>(a: H, b: H) -> H {
    pick(a, b, round::max64(a.wide(), b.wide()))
}

fn pick<H: Half>(_: H, _: H, wide: f64) -> H {
    H::from_wide(wide)
}

fn or_nan<H: Half>(a: H, b: H, otherwise: H) -> H {
    if a.wide().is_nan() || b.wide().is_nan() {
        H::from_wide(f64::NAN)
    } else {
        otherwise
    }
}

fn with_signs<H: Half>(a: H, b: H, otherwise: H) -> H {
    let sign = (a.bits() ^ b.bits()) & 0x8000;
    H::from_raw((otherwise.bits() & 0x7fff) | sign)
}

fn magnitude<H: Half>(a: H) -> H {
    H::from_raw(a.bits() & 0x7fff)
}

macro_rules! arithmetic {
    ($h:ty, $opcode:expr, $pair:expr, $after:expr, $nan:expr, $xor:expr) => {
        match ($opcode, $nan, $xor) {
            ("add", ..) => (
                lanewise!($h, $pair, $after, |a, b| <$h>::from_wide(a.wide() + b.wide())),
                2,
            ),
            ("sub", ..) => (
                lanewise!($h, $pair, $after, |a, b| <$h>::from_wide(a.wide() - b.wide())),
                2,
            ),
            ("mul", ..) => (
                lanewise!($h, $pair, $after, |a, b| <$h>::from_wide(a.wide() * b.wide())),
                2,
            ),
            ("fma", ..) => (lanewise!($h, $pair, $after, |a, b, c| fused(a, b, c)), 3),
            // NaN becomes canonical (seen on an H200).
            ("neg", ..) => (
                lanewise!($h, $pair, $after, |a| or_nan(a, a, <$h>::from_raw(a.bits() ^ 0x8000))),
                1,
            ),
            ("abs", ..) => (lanewise!($h, $pair, $after, |a| or_nan(a, a, magnitude(a))), 1),
            ("min", false, false) => (lanewise!($h, $pair, $after, |a, b| smaller(a, b)), 2),
            ("min", true, false) => (lanewise!($h, $pair, $after, |a, b| or_nan(a, b, smaller(a, b))), 2),
            ("max", false, false) => (lanewise!($h, $pair, $after, |a, b| larger(a, b)), 2),
            ("max", true, false) => (lanewise!($h, $pair, $after, |a, b| or_nan(a, b, larger(a, b))), 2),
            ("min", false, true) => (
                lanewise!($h, $pair, $after, |a, b| with_signs(
                    a,
                    b,
                    smaller(magnitude(a), magnitude(b))
                )),
                2,
            ),
            ("min", true, true) => (
                lanewise!($h, $pair, $after, |a, b| or_nan(
                    a,
                    b,
                    with_signs(a, b, smaller(magnitude(a), magnitude(b)))
                )),
                2,
            ),
            ("max", false, true) => (
                lanewise!($h, $pair, $after, |a, b| with_signs(
                    a,
                    b,
                    larger(magnitude(a), magnitude(b))
                )),
                2,
            ),
            ("max", true, true) => (
                lanewise!($h, $pair, $after, |a, b| or_nan(
                    a,
                    b,
                    with_signs(a, b, larger(magnitude(a), magnitude(b)))
                )),
                2,
            ),
            ("ex2", ..) => (lanewise!($h, $pair, $after, |a| <$h>::from_wide(a.wide().exp2())), 1),
            ("tanh", ..) => (lanewise!($h, $pair, $after, |a| <$h>::from_wide(a.wide().tanh())), 1),
            _ => return Err("no such instruction for this type".to_owned()),
        }
    };
}

impl<'a> Builder<'_, 'a> {
    pub(super) fn half(
        &mut self,
        opcode: &str,
        ty: Type,
        style: Style,
        m: &mut Modifiers<'a>,
        i: &Instruction<'a>,
    ) -> Lowered<()> {
        if style.mode != NEAREST {
            return Err("half precision rounds to nearest only".to_owned());
        }
        m.take("approx");
        let nan = m.take("NaN");
        let xor = m.take("xorsign");
        if xor {
            m.take("abs");
        }
        let relu = m.take("relu");
        let after = match (style.ftz, style.sat, relu) {
            (true, _, true) => After::FtzRelu,
            (false, _, true) => After::Relu,
            (true, true, _) => After::FtzSat,
            (true, false, _) => After::Ftz,
            (false, true, _) => After::Sat,
            (false, false, _) => After::Nothing,
        };
        let pair = matches!(ty, Type::F16x2 | Type::Bf16x2);
        let (run, sources): (Alu, usize) = match ty {
            Type::F16 | Type::F16x2 => arithmetic!(f16, opcode, pair, after, nan, xor),
            _ => arithmetic!(bf16, opcode, pair, after, nan, xor),
        };
        let args = self.operands(i, ty, &[ty, ty, ty][..sources])?;
        self.alu(run, args);
        Ok(())
    }

    /// `setp` and `set` on pairs.
    pub(super) fn compare_halves(
        &mut self,
        relation: &str,
        combine: Option<&str>,
        result: Option<Type>,
        ty: Type,
        ftz: bool,
        i: &Instruction<'a>,
    ) -> Lowered<()> {
        let single = if ty == Type::F16x2 { Type::F16 } else { Type::Bf16 };
        let run = super::float::comparison(relation, single, ftz).ok_or("no such comparison")?;
        if i.operands.len() < 3 {
            return Err("3 operands are needed".to_owned());
        }
        let a = self.source(&i.operands[1], ty)?;
        let b = self.source(&i.operands[2], ty)?;
        let other = match (combine, i.operands.get(3)) {
            (Some(_), Some(operand)) => self.pred_source(operand)?,
            (None, None) => Pred::TRUE,
            _ => return Err("wrong number of operands".to_owned()),
        };
        let upper = |builder: &mut Self, a| {
            let d = builder.temp(1);
            builder.alu(unary(|a: u32| a >> 16), Args { d, a, ..Args::NONE });
            d
        };
        let (a_high, b_high) = (upper(self, a), upper(self, b));
        let (low, high) = (self.temp_pred(), self.temp_pred());
        let kept = self.temp_pred();
        self.combine(None, kept, other, Pred::TRUE);
        self.alu(
            run,
            Args {
                a,
                b,
                p: low,
                ..Args::NONE
            },
        );
        self.alu(
            run,
            Args {
                a: a_high,
                b: b_high,
                p: high,
                ..Args::NONE
            },
        );
        if combine.is_some() {
            self.combine(combine, low, low, kept);
            self.combine(combine, high, high, kept);
        }
        if let Some(to) = result {
            let one = match to {
                Type::F16x2 => 0x3c00,
                Type::Bf16x2 => 0x3f80,
                Type::U32 | Type::S32 | Type::B32 => 0xffff,
                _ => return Err("no such result type".to_owned()),
            };
            let zero = self.constant(0, 1);
            let (yes, yes_high) = (self.constant(one, 1), self.constant(one << 16, 1));
            let (l, h) = (self.temp(1), self.temp(1));
            let select = super::compare::select_rows(Type::B32);
            self.alu(
                select,
                Args {
                    d: l,
                    a: yes,
                    b: zero,
                    s: low,
                    ..Args::NONE
                },
            );
            self.alu(
                select,
                Args {
                    d: h,
                    a: yes_high,
                    b: zero,
                    s: high,
                    ..Args::NONE
                },
            );
            let d = self.target(&i.operands[0], to)?;
            self.alu(
                binary(|a: u32, b: u32| a | b),
                Args {
                    d,
                    a: l,
                    b: h,
                    ..Args::NONE
                },
            );
            return Ok(());
        }
        let Operand::Pair(p, q) = &i.operands[0] else {
            return Err("two predicates are needed".to_owned());
        };
        let (p, q) = (self.pred_target(p)?, self.pred_target(q)?);
        self.combine(None, p, low, Pred::TRUE);
        self.combine(None, q, high, Pred::TRUE);
        Ok(())
    }
}
