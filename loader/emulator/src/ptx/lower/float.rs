//! Single- and double-precision arithmetic.

use super::builder::{Builder, Lowered};
use super::modifiers::Modifiers;
use crate::ptx::exec::lanes::{Alu, Args, binary, compare, ternary, unary};
use crate::ptx::exec::round::{self, DOWN, NEAREST, UP, ZERO, canonical, flush, saturate, saturate64};
use crate::ptx::parse::ast::Instruction;
use crate::ptx::types::Type;

/// What modifies a floating-point instruction.
#[derive(Clone, Copy, Default)]
pub(super) struct Style {
    pub mode: u32,
    pub ftz: bool,
    pub sat: bool,
}

impl Style {
    pub fn take(m: &mut Modifiers<'_>) -> Style {
        let mode = match m.take_any(&["rn", "rz", "rm", "rp"]) {
            Some("rz") => ZERO,
            Some("rm") => DOWN,
            Some("rp") => UP,
            _ => NEAREST,
        };
        Style {
            mode,
            ftz: m.take("ftz"),
            sat: m.take("sat"),
        }
    }
}

fn unary32<F: Fn(f32) -> f32 + Copy>(f: F, style: Style) -> Alu {
    match (style.ftz, style.sat) {
        (false, false) => unary(move |a| canonical(f(a))),
        (true, false) => unary(move |a| canonical(flush(f(flush(a))))),
        (false, true) => unary(move |a| saturate(f(a))),
        (true, true) => unary(move |a| saturate(flush(f(flush(a))))),
    }
}

fn binary32<F: Fn(f32, f32) -> f32 + Copy>(f: F, style: Style) -> Alu {
    match (style.ftz, style.sat) {
        (false, false) => binary(move |a, b| canonical(f(a, b))),
        (true, false) => binary(move |a, b| canonical(flush(f(flush(a), flush(b))))),
        (false, true) => binary(move |a, b| saturate(f(a, b))),
        (true, true) => binary(move |a, b| saturate(flush(f(flush(a), flush(b))))),
    }
}

fn ternary32<F: Fn(f32, f32, f32) -> f32 + Copy>(f: F, style: Style) -> Alu {
    match (style.ftz, style.sat) {
        (false, false) => ternary(move |a, b, c| canonical(f(a, b, c))),
        (true, false) => ternary(move |a, b, c| canonical(flush(f(flush(a), flush(b), flush(c))))),
        (false, true) => ternary(move |a, b, c| saturate(f(a, b, c))),
        (true, true) => ternary(move |a, b, c| saturate(flush(f(flush(a), flush(b), flush(c))))),
    }
}

/// `$make` of `$f` with the rounding mode of `$style` as a constant.
macro_rules! by_mode {
    ($style:expr, $make:ident($f:ident $(::$more:ident)*)) => {
        match $style.mode {
            NEAREST => $make($f$(::$more)*::<NEAREST>, $style),
            DOWN => seldom::$make($f$(::$more)*::<DOWN>, $style),
            UP => seldom::$make($f$(::$more)*::<UP>, $style),
            _ => seldom::$make($f$(::$more)*::<ZERO>, $style),
        }
    };
}

/// The same for what is rarely used.
mod seldom {
    use super::{Alu, Style, canonical, flush, saturate, saturate64};
    use crate::ptx::exec::lanes::rare::{binary, ternary, unary};

    fn after<const FTZ: bool, const SAT: bool>(a: f32) -> f32 {
        let a = if FTZ { flush(a) } else { a };
        if SAT { saturate(a) } else { canonical(a) }
    }

    pub fn unary32<F: Fn(f32) -> f32 + Copy>(f: F, style: Style) -> Alu {
        match (style.ftz, style.sat) {
            (false, false) => unary(move |a| after::<false, false>(f(a))),
            (true, false) => unary(move |a| after::<true, false>(f(flush(a)))),
            (false, true) => unary(move |a| after::<false, true>(f(a))),
            (true, true) => unary(move |a| after::<true, true>(f(flush(a)))),
        }
    }

    pub fn binary32<F: Fn(f32, f32) -> f32 + Copy>(f: F, style: Style) -> Alu {
        match (style.ftz, style.sat) {
            (false, false) => binary(move |a, b| after::<false, false>(f(a, b))),
            (true, false) => binary(move |a, b| after::<true, false>(f(flush(a), flush(b)))),
            (false, true) => binary(move |a, b| after::<false, true>(f(a, b))),
            (true, true) => binary(move |a, b| after::<true, true>(f(flush(a), flush(b)))),
        }
    }

    pub fn ternary32<F: Fn(f32, f32, f32) -> f32 + Copy>(f: F, style: Style) -> Alu {
        match (style.ftz, style.sat) {
            (false, false) => ternary(move |a, b, c| after::<false, false>(f(a, b, c))),
            (true, false) => ternary(move |a, b, c| after::<true, false>(f(flush(a), flush(b), flush(c)))),
            (false, true) => ternary(move |a, b, c| after::<false, true>(f(a, b, c))),
            (true, true) => ternary(move |a, b, c| after::<true, true>(f(flush(a), flush(b), flush(c)))),
        }
    }

    pub fn unary64<F: Fn(f64) -> f64 + Copy>(f: F, _: Style) -> Alu {
        unary(f)
    }

    pub fn binary64<F: Fn(f64, f64) -> f64 + Copy>(f: F, style: Style) -> Alu {
        if style.sat {
            binary(move |a, b| saturate64(f(a, b)))
        } else {
            binary(f)
        }
    }

    pub fn ternary64<F: Fn(f64, f64, f64) -> f64 + Copy>(f: F, style: Style) -> Alu {
        if style.sat {
            ternary(move |a, b, c| saturate64(f(a, b, c)))
        } else {
            ternary(f)
        }
    }
}

fn unary64<F: Fn(f64) -> f64 + Copy>(f: F, _: Style) -> Alu {
    unary(f)
}

fn binary64<F: Fn(f64, f64) -> f64 + Copy>(f: F, style: Style) -> Alu {
    if style.sat {
        binary(move |a, b| saturate64(f(a, b)))
    } else {
        binary(f)
    }
}

fn ternary64<F: Fn(f64, f64, f64) -> f64 + Copy>(f: F, style: Style) -> Alu {
    if style.sat {
        ternary(move |a, b, c| saturate64(f(a, b, c)))
    } else {
        ternary(f)
    }
}

fn reciprocal32<const MODE: u32>(a: f32) -> f32 {
    round::div32::<MODE>(1.0, a)
}

fn reciprocal64<const MODE: u32>(a: f64) -> f64 {
    round::div64::<MODE>(1.0, a)
}

impl<'a> Builder<'_, 'a> {
    /// Instructions that only floating-point types have. True when the instruction is one.
    pub(super) fn float(&mut self, opcode: &str, m: &mut Modifiers<'a>, i: &Instruction<'a>) -> Lowered<bool> {
        match opcode {
            "fma" | "rcp" | "sqrt" | "rsqrt" | "sin" | "cos" | "lg2" | "ex2" | "tanh" => {
                let ty = m.take_type().ok_or("a type is missing")?;
                self.float_arithmetic(opcode, ty, m, i)?;
            }
            "copysign" => {
                let ty = m.take_type().ok_or("a type is missing")?;
                let args = self.operands(i, ty, &[ty, ty])?;
                // The sign is that of the first operand.
                let run = match ty {
                    Type::F32 => binary(|a: u32, b: u32| (b & !(1 << 31)) | (a & 1 << 31)),
                    Type::F64 => binary(|a: u64, b: u64| (b & !(1 << 63)) | (a & 1 << 63)),
                    _ => return Err("no such instruction for this type".to_owned()),
                };
                self.alu(run, args);
            }
            "testp" => self.test_property(m, i)?,
            _ => return Ok(false),
        }
        Ok(true)
    }

    fn test_property(&mut self, m: &mut Modifiers<'a>, i: &Instruction<'a>) -> Lowered<()> {
        let property = m
            .take_any(&["finite", "infinite", "number", "notanumber", "normal", "subnormal"])
            .ok_or("a property is missing")?;
        let ty = m.take_type().ok_or("a type is missing")?;
        if i.operands.len() != 2 {
            return Err("2 operands are needed".to_owned());
        }
        let a = self.source(&i.operands[1], ty)?;
        let p = self.pred_target(&i.operands[0])?;
        macro_rules! tests {
            ($t:ty) => {
                match property {
                    "finite" => compare(|a: $t, _: $t| a.is_finite()),
                    "infinite" => compare(|a: $t, _: $t| a.is_infinite()),
                    "number" => compare(|a: $t, _: $t| !a.is_nan()),
                    "notanumber" => compare(|a: $t, _: $t| a.is_nan()),
                    // Zero counts as normal on the device (seen on an H200).
                    "normal" => compare(|a: $t, _: $t| a.is_normal() || a == 0.0),
                    _ => compare(|a: $t, _: $t| a.is_subnormal()),
                }
            };
        }
        let run = match ty {
            Type::F32 => tests!(f32),
            Type::F64 => tests!(f64),
            _ => return Err("no such instruction for this type".to_owned()),
        };
        self.alu(
            run,
            Args {
                a,
                b: a,
                p,
                ..Args::NONE
            },
        );
        Ok(())
    }

    /// Arithmetic on any floating-point type.
    pub(super) fn float_arithmetic(
        &mut self,
        opcode: &str,
        ty: Type,
        m: &mut Modifiers<'a>,
        i: &Instruction<'a>,
    ) -> Lowered<()> {
        let style = Style::take(m);
        let (run, sources) = match ty {
            Type::F32 => self.single(opcode, style, m)?,
            Type::F64 => self.double(opcode, style, m)?,
            _ => return self.half(opcode, ty, style, m, i),
        };
        let args = self.operands(i, ty, &[ty, ty, ty][..sources])?;
        self.alu(run, args);
        Ok(())
    }

    fn single(&mut self, opcode: &str, style: Style, m: &mut Modifiers<'a>) -> Lowered<(Alu, usize)> {
        Ok(match opcode {
            "add" => (by_mode!(style, binary32(round::add32)), 2),
            "sub" => (by_mode!(style, binary32(round::sub32)), 2),
            "mul" => (by_mode!(style, binary32(round::mul32)), 2),
            "fma" | "mad" => (by_mode!(style, ternary32(round::fma32)), 3),
            "div" => match m.take_any(&["approx", "full"]) {
                Some("approx") => (binary32(round::div_approx, style), 2),
                Some(_) => (binary32(round::div32::<NEAREST>, style), 2),
                None if style.ftz => (by_mode!(style, binary32(round::div32_flushed)), 2),
                None => (by_mode!(style, binary32(round::div32)), 2),
            },
            "rcp" => {
                m.take("approx");
                (by_mode!(style, unary32(reciprocal32)), 1)
            }
            "sqrt" => {
                m.take("approx");
                (by_mode!(style, unary32(round::sqrt32)), 1)
            }
            // These are arithmetic too: NaN becomes canonical (seen on an H200).
            "neg" => (unary32(|a| -a, Style { sat: false, ..style }), 1),
            "abs" => (unary32(f32::abs, Style { sat: false, ..style }), 1),
            "min" | "max" => {
                let nan = m.take("NaN");
                let xor_sign = m.take("xorsign");
                if xor_sign {
                    m.take("abs");
                }
                let run = match (opcode, nan, xor_sign) {
                    ("min", false, false) => binary32(round::min32, style),
                    ("min", true, false) => seldom::binary32(|a, b| either_nan(a, b, round::min32(a, b)), style),
                    (_, false, false) => binary32(round::max32, style),
                    (_, true, false) => seldom::binary32(|a, b| either_nan(a, b, round::max32(a, b)), style),
                    ("min", false, true) => seldom::binary32(|a, b| signs(a, b, round::min32(a.abs(), b.abs())), style),
                    ("min", true, true) => binary32(
                        |a, b| either_nan(a, b, signs(a, b, round::min32(a.abs(), b.abs()))),
                        style,
                    ),
                    (_, false, true) => seldom::binary32(|a, b| signs(a, b, round::max32(a.abs(), b.abs())), style),
                    (_, true, true) => binary32(
                        |a, b| either_nan(a, b, signs(a, b, round::max32(a.abs(), b.abs()))),
                        style,
                    ),
                };
                (run, 2)
            }
            "rsqrt" | "sin" | "cos" | "lg2" | "ex2" | "tanh" => {
                m.take("approx");
                let run = match opcode {
                    "rsqrt" => seldom::unary32(round::rsqrt, style),
                    "sin" => seldom::unary32(round::sin, style),
                    "cos" => seldom::unary32(round::cos, style),
                    "lg2" => seldom::unary32(round::log2, style),
                    "ex2" => seldom::unary32(round::exp2, style),
                    _ => seldom::unary32(round::tanh, style),
                };
                (run, 1)
            }
            _ => return Err("no such instruction for type .f32".to_owned()),
        })
    }

    fn double(&mut self, opcode: &str, style: Style, m: &mut Modifiers<'a>) -> Lowered<(Alu, usize)> {
        Ok(match opcode {
            "add" => (by_mode!(style, binary64(round::add64)), 2),
            "sub" => (by_mode!(style, binary64(round::sub64)), 2),
            "mul" => (by_mode!(style, binary64(round::mul64)), 2),
            "div" => (by_mode!(style, binary64(round::div64)), 2),
            "fma" | "mad" => (by_mode!(style, ternary64(round::fma64)), 3),
            "rcp" if m.take("approx") => (
                unary(|a: f64| round::upper_half(flush64(1.0 / round::upper_half(flush64(a))))),
                1,
            ),
            "rcp" => (by_mode!(style, unary64(reciprocal64)), 1),
            "sqrt" => (by_mode!(style, unary64(round::sqrt64)), 1),
            "rsqrt" => {
                m.take("approx");
                let run = if style.ftz {
                    unary(|a: f64| round::upper_half(1.0 / round::upper_half(flush64(a)).sqrt()))
                } else {
                    unary(|a: f64| 1.0 / a.sqrt())
                };
                (run, 1)
            }
            // NaN stays as it is (seen on an H200).
            "neg" => (unary(|a: f64| if a.is_nan() { a } else { -a }), 1),
            "abs" => (unary(|a: u64| a & !(1 << 63)), 1),
            "min" => (binary(round::min64), 2),
            "max" => (binary(round::max64), 2),
            _ => return Err("no such instruction for type .f64".to_owned()),
        })
    }
}

fn flush64(a: f64) -> f64 {
    if a.abs() < f64::MIN_POSITIVE {
        0f64.copysign(a)
    } else {
        a
    }
}

fn either_nan(a: f32, b: f32, otherwise: f32) -> f32 {
    if a.is_nan() || b.is_nan() {
        round::NAN
    } else {
        otherwise
    }
}

/// `.xorsign.abs`: the sign is that of the product.
fn signs(a: f32, b: f32, magnitude: f32) -> f32 {
    let sign = (a.to_bits() ^ b.to_bits()) & 1 << 31;
    if magnitude.is_nan() {
        magnitude
    } else {
        f32::from_bits(magnitude.to_bits() & !(1 << 31) | sign)
    }
}

/// A comparison of floating-point numbers; the names ending in `u` hold for NaN too.
#[allow(
    clippy::neg_cmp_op_on_partial_ord,
    clippy::double_comparisons,
    clippy::nonminimal_bool,
    reason = "what NaN does is the point of these"
)]
pub(super) fn comparison(relation: &str, ty: Type, ftz: bool) -> Option<Alu> {
    macro_rules! relations {
        ($t:ty, |$x:ident| $get:expr) => {{
            // By value, so that the closures stay without captures.
            macro_rules! test {
                ($f:expr) => {
                    compare(|a: $t, b: $t| {
                        let a = {
                            let $x = a;
                            $get
                        };
                        let b = {
                            let $x = b;
                            $get
                        };
                        $f(a, b)
                    })
                };
            }
            Some(match relation {
                "eq" => test!(|a, b| a == b),
                "ne" => test!(|a: f64, b: f64| a < b || a > b),
                "lt" => test!(|a, b| a < b),
                "le" => test!(|a, b| a <= b),
                "gt" => test!(|a, b| a > b),
                "ge" => test!(|a, b| a >= b),
                "equ" => test!(|a: f64, b: f64| !(a < b || a > b)),
                "neu" => test!(|a, b| a != b),
                "ltu" => test!(|a: f64, b: f64| !(a >= b)),
                "leu" => test!(|a: f64, b: f64| !(a > b)),
                "gtu" => test!(|a: f64, b: f64| !(a <= b)),
                "geu" => test!(|a: f64, b: f64| !(a < b)),
                "num" => test!(|a: f64, b: f64| !a.is_nan() && !b.is_nan()),
                "nan" => test!(|a: f64, b: f64| a.is_nan() || b.is_nan()),
                _ => return None,
            })
        }};
    }
    match (ty, ftz) {
        (Type::F32, false) => relations!(f32, |x| f64::from(x)),
        (Type::F32, true) => relations!(f32, |x| f64::from(flush(x))),
        (Type::F64, _) => relations!(f64, |x| x),
        (Type::F16, false) => relations!(half::f16, |x| x.to_f64()),
        (Type::F16, true) => relations!(half::f16, |x| super::half::flush16(x).to_f64()),
        (Type::Bf16, _) => relations!(half::bf16, |x| x.to_f64()),
        _ => None,
    }
}
