//! `cvt`: between any two number types.

use super::builder::{Builder, Lowered, rows_of};
use super::float::Style;
use super::int::by_int;
use super::modifiers::Modifiers;
use crate::ptx::exec::lanes::rare::{self, binary};
use crate::ptx::exec::lanes::{Alu, Args, Value, unary};
use crate::ptx::exec::round::{self, BF16, DOWN, F16, NEAREST, Small, UP, ZERO, canonical, flush};
use crate::ptx::parse::ast::{Instruction, Operand};
use crate::ptx::types::Type;

/// A floating-point source, exact as a double.
trait Float: Value {
    /// Whether NaN keeps what of its payload fits; otherwise it becomes the canonical one (both seen on an H200).
    const KEEPS_NAN: bool = false;
    fn wide(self) -> f64;
    fn flushed(self) -> Self;
}

impl Float for f32 {
    fn wide(self) -> f64 {
        f64::from(self)
    }
    fn flushed(self) -> f32 {
        flush(canonical(self))
    }
}

impl Float for f64 {
    const KEEPS_NAN: bool = true;
    fn wide(self) -> f64 {
        self
    }
    fn flushed(self) -> f64 {
        self
    }
}

impl Float for half::f16 {
    fn wide(self) -> f64 {
        self.to_f64()
    }
    /// Flushing concerns single precision alone: subnormal halves keep their value (seen on an H200).
    fn flushed(self) -> half::f16 {
        self
    }
}

impl Float for half::bf16 {
    fn wide(self) -> f64 {
        self.to_f64()
    }
    fn flushed(self) -> half::bf16 {
        self
    }
}

/// A whole number from a float: rounded, held to the range.
fn to_integer<const MODE: u32>(a: f64, low: i128, high: i128, nan: i128) -> i128 {
    if a.is_nan() {
        return nan;
    }
    let whole = round_whole::<MODE>(a);
    (whole as i128).clamp(low, high)
}

fn round_whole<const MODE: u32>(a: f64) -> f64 {
    match MODE {
        NEAREST => a.round_ties_even(),
        DOWN => a.floor(),
        UP => a.ceil(),
        _ => a.trunc(),
    }
}

/// `$body` with `$mode` as a constant.
macro_rules! with_mode {
    ($mode:expr, $name:ident => $body:expr) => {
        match $mode {
            NEAREST => {
                const $name: u32 = NEAREST;
                $body
            }
            DOWN => {
                const $name: u32 = DOWN;
                $body
            }
            UP => {
                const $name: u32 = UP;
                $body
            }
            _ => {
                const $name: u32 = ZERO;
                $body
            }
        }
    };
}

/// `$body` with `$t` standing for the floating-point type.
macro_rules! by_float {
    ($ty:expr, $t:ident => $body:expr) => {
        match $ty {
            Type::F16 => {
                type $t = half::f16;
                Some($body)
            }
            Type::Bf16 => {
                type $t = half::bf16;
                Some($body)
            }
            Type::F32 => {
                type $t = f32;
                Some($body)
            }
            Type::F64 => {
                type $t = f64;
                Some($body)
            }
            _ => None,
        }
    };
}

/// As `by_int`, bytes included.
macro_rules! by_any_int {
    ($ty:expr, $t:ident => $body:expr) => {
        match $ty {
            Type::U8 | Type::B8 => {
                type $t = u8;
                Some($body)
            }
            Type::S8 => {
                type $t = i8;
                Some($body)
            }
            ty => by_int!(ty, $t => $body),
        }
    };
}

/// An integer of the same sign and the size of a register: how a byte is kept in a wider register.
fn container(ty: Type, signed: bool) -> Type {
    match (ty.size(), signed) {
        (8, true) => Type::S64,
        (8, false) => Type::U64,
        (4, true) => Type::S32,
        (4, false) => Type::U32,
        (_, true) => Type::S16,
        (_, false) => Type::U16,
    }
}

fn int_to_int(to: Type, from: Type, saturate: bool) -> Option<Alu> {
    if saturate {
        // Devices refuse to saturate where every value fits.
        let fits = match (to.is_signed(), from.is_signed()) {
            (true, false) => to.size() > from.size(),
            (false, true) => false,
            _ => to.size() >= from.size(),
        };
        if fits {
            return None;
        }
        return by_any_int!(to, D => by_any_int!(from, S => rare::unary(|a: S| {
            (a as i128).clamp(D::MIN as i128, D::MAX as i128) as D
        }))?);
    }
    by_any_int!(to, D => by_any_int!(from, S => unary(|a: S| a as D))?)
}

fn float_to_int(to: Type, from: Type, mode: u32, ftz: bool) -> Option<Alu> {
    by_any_int!(to, D => by_float!(from, S => with_mode!(mode, M => if ftz {
        rare::unary(|a: S| to_integer::<M>(a.flushed().wide(), D::MIN as i128, D::MAX as i128, nan_of(D::BITS, size_of::<S>())) as D)
    } else {
        rare::unary(|a: S| to_integer::<M>(a.wide(), D::MIN as i128, D::MAX as i128, nan_of(D::BITS, size_of::<S>())) as D)
    }))?)
}

/// What NaN of a type of `from` bytes becomes, as seen on an H200.
fn nan_of(bits: u32, from: usize) -> i128 {
    if bits == 64 || from == 8 { 1 << (bits - 1) } else { 0 }
}

fn int_to_float(to: Type, from: Type, mode: u32) -> Option<Alu> {
    by_any_int!(from, S => match (to, mode) {
        (Type::F32, NEAREST) => unary(|a: S| a as f32),
        (Type::F64, NEAREST) => unary(|a: S| a as f64),
        (Type::F32, _) => with_mode!(mode, M => rare::unary(|a: S| round::from_integer::<M>(a as i128, 24) as f32)),
        (Type::F64, _) => with_mode!(mode, M => rare::unary(|a: S| round::from_integer::<M>(a as i128, 53))),
        // To odd first, so that the second rounding sees what was cut.
        (Type::F16, _) => with_mode!(mode, M => rare::unary(|a: S| F16.round(exact_enough(a as i128), M))),
        (Type::Bf16, _) => with_mode!(mode, M => rare::unary(|a: S| BF16.round(exact_enough(a as i128), M))),
        _ => return None,
    })
}

/// A double that rounds to fewer bits as the integer itself would.
fn exact_enough(value: i128) -> f64 {
    let down = round::from_integer::<ZERO>(value, 53);
    if down as i128 == value {
        down
    } else {
        f64::from_bits(down.to_bits() | 1)
    }
}

/// Result of a conversion to a float: what comes behind the rounding.
#[derive(Clone, Copy)]
struct Finish {
    sat: bool,
    relu: bool,
    ftz: bool,
}

/// NaN of a result in single precision.
fn settled<S: Float>(a: f32) -> f32 {
    if S::KEEPS_NAN { a } else { canonical(a) }
}

/// Rounded to 16 bits.
fn small<S: Float>(format: Small, a: f64, mode: u32) -> u16 {
    if S::KEEPS_NAN && a.is_nan() {
        format.cut_nan(a)
    } else {
        format.round(a, mode)
    }
}

fn float_to_float(to: Type, from: Type, mode: u32, whole: bool, finish: Finish) -> Option<Alu> {
    // Saturation and rectification are rare: a second instruction does them.
    by_float!(from, S => match to {
        Type::F64 if whole => with_mode!(mode, M => rare::unary(|a: S| round_whole::<M>(a.wide()))),
        Type::F64 if finish.ftz => unary(|a: S| a.flushed().wide()),
        Type::F64 => unary(|a: S| a.wide()),
        Type::F32 if whole && finish.ftz => {
            with_mode!(mode, M => rare::unary(|a: S| canonical(round_whole::<M>(a.flushed().wide()) as f32)))
        }
        Type::F32 if whole => with_mode!(mode, M => rare::unary(|a: S| canonical(round_whole::<M>(a.wide()) as f32))),
        Type::F32 if finish.ftz => {
            with_mode!(mode, M => rare::unary(|a: S| settled::<S>(flush(round::narrow::<M>(a.flushed().wide())))))
        }
        // The bits are moved.
        Type::F32 if from == Type::F32 => unary(|a: u32| a),
        Type::F32 if from == Type::Bf16 => unary(|a: u16| u32::from(a) << 16),
        Type::F32 => with_mode!(mode, M => rare::unary(|a: S| settled::<S>(round::narrow::<M>(a.wide())))),
        Type::F16 if whole => with_mode!(mode, M => rare::unary(|a: S| F16.round(round_whole::<M>(a.wide()), NEAREST))),
        Type::F16 if finish.ftz => with_mode!(mode, M => rare::unary(|a: S| small::<S>(F16, a.flushed().wide(), M))),
        Type::F16 => with_mode!(mode, M => rare::unary(|a: S| small::<S>(F16, a.wide(), M))),
        Type::Bf16 if whole => with_mode!(mode, M => rare::unary(|a: S| BF16.round(round_whole::<M>(a.wide()), NEAREST))),
        Type::Bf16 => with_mode!(mode, M => rare::unary(|a: S| small::<S>(BF16, a.wide(), M))),
        _ => return None,
    })
}

impl<'a> Builder<'_, 'a> {
    /// True when the instruction is a conversion.
    pub(super) fn convert(&mut self, opcode: &str, m: &mut Modifiers<'a>, i: &Instruction<'a>) -> Lowered<bool> {
        if opcode != "cvt" {
            return Ok(false);
        }
        if m.take("pack") {
            return self.convert_pack(m, i).map(|()| true);
        }
        let whole = m.take_any(&["rni", "rzi", "rmi", "rpi"]);
        let mut style = Style::take(m);
        let relu = m.take("relu");
        if m.take("satfinite") {
            // Finite results: what overflows becomes the largest number. Only 16-bit results are supported.
            return Err("modifier .satfinite is not supported".to_owned());
        }
        if let Some(whole) = whole {
            style.mode = match whole {
                "rni" => NEAREST,
                "rzi" => ZERO,
                "rmi" => DOWN,
                _ => UP,
            };
        }
        let (Some(to), Some(from)) = (m.take_type(), m.take_type()) else {
            return Err("two types are needed".to_owned());
        };
        let finish = Finish {
            sat: style.sat,
            relu,
            ftz: style.ftz,
        };
        if matches!(to, Type::F16x2 | Type::Bf16x2) {
            return self.convert_pair(to, from, style, finish, i).map(|()| true);
        }
        let run = match (to.is_float(), from.is_float()) {
            (false, false) => int_to_int(to, from, style.sat),
            (false, true) => float_to_int(to, from, style.mode, style.ftz),
            (true, false) => int_to_float(to, from, style.mode),
            (true, true) => {
                // Without a modifier nothing is rounded to a whole number, also between equal types.
                float_to_float(to, from, style.mode, whole.is_some(), finish)
            }
        };
        let run = run.ok_or_else(|| format!("no conversion from {} to {}", from.word(), to.word()))?;
        let [d, a] = &i.operands[..] else {
            return Err("2 operands are needed".to_owned());
        };
        // Registers may be wider than the types.
        let a = self.loose_source(a, from)?;
        let (d, have) = self.loose_target(d, to)?;
        if have == rows_of(to) && !(to.size() < 4 && to.is_signed()) {
            self.alu(run, Args { d, a, ..Args::NONE });
        } else {
            let t = self.temp(rows_of(to));
            self.alu(run, Args { d: t, a, ..Args::NONE });
            let register = match have {
                1 => Type::U32,
                2 => Type::U64,
                _ => return Err("the result register is too wide".to_owned()),
            };
            let widen = int_to_int(
                container(register, to.is_signed()),
                if to.is_float() { Type::U16 } else { to },
                false,
            );
            self.alu(
                widen.ok_or("the result register does not fit")?,
                Args { d, a: t, ..Args::NONE },
            );
        }
        if to.is_float() && (finish.sat || finish.relu) {
            self.finish_float(to, finish, d)?;
        }
        Ok(true)
    }

    fn finish_float(&mut self, to: Type, finish: Finish, d: crate::ptx::exec::lanes::Slot) -> Lowered<()> {
        let run = match (to, finish.sat) {
            (Type::F32, true) => unary(round::saturate),
            (Type::F64, true) => unary(round::saturate64),
            (Type::F16, true) => unary(|a: half::f16| F16.round(round::saturate64(a.to_f64()), NEAREST)),
            (Type::Bf16, true) => unary(|a: half::bf16| BF16.round(round::saturate64(a.to_f64()), NEAREST)),
            (Type::F16, false) => unary(|a: half::f16| if a.to_f32() > 0.0 || a.is_nan() { a.to_bits() } else { 0 }),
            (Type::Bf16, false) => unary(|a: half::bf16| if a.to_f32() > 0.0 || a.is_nan() { a.to_bits() } else { 0 }),
            (Type::F32, false) => unary(|a: f32| if a > 0.0 || a.is_nan() { a } else { 0.0 }),
            _ => return Err("no such conversion".to_owned()),
        };
        self.alu(run, Args { d, a: d, ..Args::NONE });
        Ok(())
    }

    /// `cvt.rn.f16x2.f32 d, a, b`: a becomes the upper half.
    fn convert_pair(&mut self, to: Type, from: Type, style: Style, finish: Finish, i: &Instruction<'a>) -> Lowered<()> {
        if from != Type::F32 || i.operands.len() != 3 {
            return Err("two .f32 sources are needed".to_owned());
        }
        let single = if to == Type::F16x2 { Type::F16 } else { Type::Bf16 };
        let run = float_to_float(single, from, style.mode, false, finish).ok_or("no such conversion")?;
        let (high, low) = (self.temp(1), self.temp(1));
        let a = self.source(&i.operands[1], from)?;
        let b = self.source(&i.operands[2], from)?;
        self.alu(
            run,
            Args {
                d: high,
                a,
                ..Args::NONE
            },
        );
        self.alu(
            run,
            Args {
                d: low,
                a: b,
                ..Args::NONE
            },
        );
        if finish.sat || finish.relu {
            self.finish_float(single, finish, high)?;
            self.finish_float(single, finish, low)?;
        }
        let d = self.target(&i.operands[0], to)?;
        let join = binary(|high: u32, low: u32| high << 16 | (low & 0xffff));
        self.alu(
            join,
            Args {
                d,
                a: high,
                b: low,
                ..Args::NONE
            },
        );
        Ok(())
    }

    /// `cvt.pack.sat.s16.s32 d, a, b`: a becomes the upper half.
    fn convert_pack(&mut self, m: &mut Modifiers<'a>, i: &Instruction<'a>) -> Lowered<()> {
        m.take("sat");
        let (Some(to), Some(_), 3) = (m.take_type(), m.take_type(), i.operands.len()) else {
            return Err("only packing of two values is supported".to_owned());
        };
        let run = match to {
            Type::S16 => binary(|a: i32, b: i32| {
                let cut = |v: i32| u32::from(v.clamp(i32::from(i16::MIN), i32::from(i16::MAX)) as u16);
                cut(a) << 16 | cut(b)
            }),
            Type::U16 => binary(|a: i32, b: i32| {
                let cut = |v: i32| v.clamp(0, i32::from(u16::MAX)) as u32;
                cut(a) << 16 | cut(b)
            }),
            _ => return Err("only packing of two values is supported".to_owned()),
        };
        let args = self.operands(i, Type::B32, &[Type::S32, Type::S32])?;
        self.alu(run, args);
        Ok(())
    }

    /// A source register at least as wide as its type.
    pub(super) fn loose_source(&mut self, operand: &Operand<'a>, ty: Type) -> Lowered<crate::ptx::exec::lanes::Slot> {
        if let Operand::Name(name, 0) = *operand
            && let Some((slot, have)) = self.register(name)
            && have > rows_of(ty)
        {
            let t = self.temp(1);
            let cut = match have {
                2 => unary(|a: u64| a as u32),
                _ => return Err(format!("{name} is too wide")),
            };
            self.alu(
                cut,
                Args {
                    d: t,
                    a: slot,
                    ..Args::NONE
                },
            );
            return Ok(t);
        }
        self.source(operand, ty)
    }

    /// A result register at least as wide as its type, and its rows.
    pub(super) fn loose_target(
        &mut self,
        operand: &Operand<'a>,
        ty: Type,
    ) -> Lowered<(crate::ptx::exec::lanes::Slot, u32)> {
        if let Operand::Name(name, 0) = *operand
            && let Some((slot, have)) = self.register(name)
            && have >= rows_of(ty)
        {
            return Ok((slot, have));
        }
        Ok((self.target(operand, ty)?, rows_of(ty)))
    }
}
