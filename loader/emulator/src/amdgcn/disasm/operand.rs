//! Registers and constants.

use super::Disassembly;
use crate::amdgcn::inst::{InlineFloat, Operand, Special, Ty, sgpr};
use crate::amdgcn::target::Gen;

/// `v5`, or `v[5:6]` for more than one.
fn numbered(prefix: &str, first: u8, dwords: u8) -> String {
    if dwords == 1 {
        format!("{prefix}{first}")
    } else {
        let last = u32::from(first) + u32::from(dwords) - 1;
        format!("{prefix}[{first}:{last}]")
    }
}

fn special_name(special: Special) -> &'static str {
    match special {
        Special::SharedBase => "src_shared_base",
        Special::SharedLimit => "src_shared_limit",
        Special::PrivateBase => "src_private_base",
        Special::PrivateLimit => "src_private_limit",
        Special::PopsExitingWaveId => "src_pops_exiting_wave_id",
        Special::Vccz => "src_vccz",
        Special::Execz => "src_execz",
        Special::Scc => "src_scc",
        Special::LdsDirect => "src_lds_direct",
    }
}

fn float_name(value: InlineFloat) -> &'static str {
    match value {
        InlineFloat::Half => "0.5",
        InlineFloat::NegHalf => "-0.5",
        InlineFloat::One => "1.0",
        InlineFloat::NegOne => "-1.0",
        InlineFloat::Two => "2.0",
        InlineFloat::NegTwo => "-2.0",
        InlineFloat::Four => "4.0",
        InlineFloat::NegFour => "-4.0",
        InlineFloat::Inv2Pi => "0.15915494",
    }
}

const INLINE_FLOATS: [InlineFloat; 9] = [
    InlineFloat::Half,
    InlineFloat::NegHalf,
    InlineFloat::One,
    InlineFloat::NegOne,
    InlineFloat::Two,
    InlineFloat::NegTwo,
    InlineFloat::Four,
    InlineFloat::NegFour,
    InlineFloat::Inv2Pi,
];

fn is_inline_int(value: i64) -> bool {
    (-16..=64).contains(&value)
}

fn is_inline_float(holds: impl Fn(InlineFloat) -> bool) -> bool {
    INLINE_FLOATS.into_iter().any(holds)
}

/// A literal that stands for itself, whatever its value.
pub(super) fn raw_literal(operand: Operand) -> String {
    match operand {
        Operand::Literal(value) => format!("{value:#x}"),
        _ => String::new(),
    }
}

/// A literal where no inline constant could stand, in the words of one where it could.
pub(super) fn unmarked_literal(operand: Operand) -> String {
    let Operand::Literal(value) = operand else {
        return String::new();
    };
    let float = INLINE_FLOATS.into_iter().find(|float| float.f32_bits() == value);
    match float {
        Some(float) => float_name(float).into(),
        None if is_inline_int(i64::from(value as i32)) => (value as i32).to_string(),
        None => format!("{value:#x}"),
    }
}

/// A literal. One that an inline constant could have said is marked, so that assembling the text
/// gives the same bytes.
pub(super) fn literal(value: u32, ty: Ty) -> String {
    let as_int = i64::from(value as i32);
    let (is_inline, shown) = match ty {
        Ty::F64 => {
            // The literal is the upper half.
            let bits = u64::from(value) << 32;
            if let Some(float) = INLINE_FLOATS.into_iter().find(|float| float.to_f64().to_bits() == bits) {
                return float_name(float).into();
            }
            if value == 0 {
                return "0".into();
            }
            (false, value)
        }
        Ty::B64 | Ty::U64 | Ty::I64 | Ty::PkB32 | Ty::PkF32 => (is_inline_int(i64::from(value)), value),
        Ty::F16 | Ty::Bf16 => {
            let low = value as u16;
            let inline = is_inline_int(i64::from(low as i16)) || is_inline_float(|float| float.f16_bits() == low);
            (inline, u32::from(low))
        }
        Ty::B16 | Ty::U16 | Ty::I16 => {
            let inline = is_inline_float(|float| float.f32_bits() == value);
            (is_inline_int(as_int) || inline, u32::from(value as u16))
        }
        Ty::PkF16 => {
            let inline = is_inline_float(|float| u32::from(float.f16_bits()) == value);
            (is_inline_int(as_int) || inline, value)
        }
        Ty::PkBf16 => {
            let inline = is_inline_float(|float| float.f32_bits() >> 16 == value);
            (is_inline_int(as_int) || inline, value)
        }
        _ => {
            let inline = is_inline_float(|float| float.f32_bits() == value);
            (is_inline_int(as_int) || inline, value)
        }
    };
    if is_inline {
        format!("lit({value:#x})")
    } else {
        format!("{shown:#x}")
    }
}

impl Disassembly<'_> {
    pub(super) fn dwords(&self, ty: Ty) -> u8 {
        ty.dwords(self.wave.mask_dwords())
    }

    /// A register of as many dwords as `ty` takes; `off` for none.
    pub(super) fn register(&self, operand: Operand, ty: Ty) -> String {
        match operand {
            Operand::Int(_) | Operand::Float(_) | Operand::Literal(_) | Operand::Special(_) => self.source(operand, ty),
            _ => self.registers(operand, self.dwords(ty)),
        }
    }

    /// A register and those behind it.
    pub(super) fn registers(&self, operand: Operand, dwords: u8) -> String {
        match operand {
            Operand::None => "off".into(),
            Operand::Sgpr(number) => self.scalar_register(number, dwords),
            Operand::Vgpr(number) => numbered("v", number, dwords),
            Operand::Agpr(number) => numbered("a", number, dwords),
            Operand::VgprHalf { reg, hi } => format!("v{reg}.{}", if hi { "h" } else { "l" }),
            _ => String::new(),
        }
    }

    fn scalar_register(&self, number: u8, dwords: u8) -> String {
        let is_gfx9 = self.generation() == Gen::Gfx9;
        let pair = |first: u8, name: &str| match (dwords, number == first) {
            (1, true) => format!("{name}_lo"),
            (1, false) => format!("{name}_hi"),
            _ => name.to_string(),
        };
        match number {
            102 | 103 if is_gfx9 && dwords <= 2 => pair(sgpr::FLAT_SCRATCH, "flat_scratch"),
            104 | 105 if is_gfx9 && dwords <= 2 => pair(sgpr::XNACK_MASK, "xnack_mask"),
            106 | 107 => pair(sgpr::VCC, "vcc"),
            108..=123 => numbered("ttmp", number - sgpr::TTMP, dwords),
            sgpr::M0 => "m0".into(),
            sgpr::NULL => "null".into(),
            126 | 127 => pair(sgpr::EXEC, "exec"),
            _ => numbered("s", number, dwords),
        }
    }

    /// A source, constants included.
    pub(super) fn source(&self, operand: Operand, ty: Ty) -> String {
        match operand {
            Operand::Special(special) => special_name(special).into(),
            Operand::Int(value) => value.to_string(),
            Operand::Float(value) => match ty {
                Ty::B16 | Ty::U16 | Ty::I16 => format!("{:#x}", value.f16_bits()),
                _ if self.dwords(ty) == 2 && value == InlineFloat::Inv2Pi => "0.15915494309189532".into(),
                _ => float_name(value).into(),
            },
            Operand::Literal(value) => literal(value, ty),
            register => self.register(register, ty),
        }
    }
}
