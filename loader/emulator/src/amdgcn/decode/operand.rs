//! Operand codes to operands.

use super::{Decoded, Reason, Stream};
use crate::amdgcn::inst::{InlineFloat, Operand, Special, Ty, sgpr};
use crate::amdgcn::target::Gen;

/// Codes of the 9-bit source field.
pub(super) mod code {
    pub const DPP8: u32 = 233;
    pub const DPP8_FI: u32 = 234;
    pub const SDWA: u32 = 249;
    pub const DPP16: u32 = 250;
    pub const LDS_DIRECT: u32 = 254;
    pub const LITERAL: u32 = 255;
    pub const VGPR: u32 = 256;
}

impl Stream {
    fn dwords(&self, ty: Ty) -> u8 {
        ty.dwords(self.decoder.wave.mask_dwords())
    }

    /// A scalar register or pair, quad, … by its code, as destination or source.
    ///
    /// Hardware ignores the low bits of a tuple's number, so they are cleared.
    pub(super) fn sgpr(&self, code: u32, ty: Ty) -> Decoded<Operand> {
        let generation = self.generation();
        let dwords = u32::from(self.dwords(ty));
        let align = match dwords {
            1 => 1,
            2 => 2,
            _ => 4,
        };
        let number = match (code, generation) {
            // `m0` and `null` swapped their codes.
            (124, Gen::Gfx11) => u32::from(sgpr::NULL),
            (125, Gen::Gfx11) => u32::from(sgpr::M0),
            _ => code,
        };
        let aligned = number & !(align - 1);
        let last_general = if generation == Gen::Gfx9 { 101 } else { 105 };
        match number {
            _ if number <= last_general && aligned + dwords - 1 <= 105 => {}
            102..=107 if number > last_general && (dwords == 1 || dwords == 2 && number % 2 == 0) => {}
            108..=123 if number - 108 + dwords <= 16 => {}
            // Wide operands may be null; no wide operand may be m0.
            124 if dwords == 1 => {}
            125 => return Ok(Operand::Sgpr(sgpr::NULL)),
            126 if dwords <= 2 => {}
            127 if dwords == 1 => {}
            _ => return Err(Reason::Unknown),
        }
        Ok(Operand::Sgpr(aligned as u8))
    }

    /// A vector register or tuple.
    pub(super) fn vgpr(&self, number: u32, ty: Ty) -> Decoded<Operand> {
        if number + u32::from(self.dwords(ty)) > 256 {
            return Err(Reason::Unknown);
        }
        Ok(Operand::Vgpr(number as u8))
    }

    /// A vector register or an accumulation register, as bit `acc` says.
    pub(super) fn vgpr_or_agpr(&self, number: u32, ty: Ty, acc: bool) -> Decoded<Operand> {
        let operand = self.vgpr(number, ty)?;
        Ok(match operand {
            Operand::Vgpr(number) if acc => Operand::Agpr(number),
            operand => operand,
        })
    }

    /// Half of a vector register where the processor has those.
    pub(super) fn vgpr_half(&self, number: u32, hi: bool) -> Operand {
        Operand::VgprHalf { reg: number as u8, hi }
    }

    /// A vector register in a field of eight bits of a short encoding. For 16-bit operands the
    /// field's highest bit chooses the half.
    pub(super) fn short_vgpr(&self, field: u32, ty: Ty) -> Decoded<Operand> {
        if ty.is_half() && self.decoder.target.true16() {
            return Ok(self.vgpr_half(field & 0x7f, field & 0x80 != 0));
        }
        self.vgpr(field, ty)
    }

    /// A source of a scalar operation, code 0..=255.
    pub(super) fn ssrc(&mut self, code: u32, ty: Ty) -> Decoded<Operand> {
        match code {
            0..=127 => self.sgpr(code, ty),
            code::LITERAL => Ok(Operand::Literal(self.literal()?)),
            _ => self.constant(code, ty),
        }
    }

    /// The 9-bit source of a short vector encoding.
    pub(super) fn short_src(&mut self, code: u32, ty: Ty) -> Decoded<Operand> {
        match code {
            code::VGPR.. => self.short_vgpr(code - code::VGPR, ty),
            code::LDS_DIRECT if self.dwords(ty) == 1 => Ok(Operand::Special(Special::LdsDirect)),
            _ => self.ssrc(code, ty),
        }
    }

    /// A 9-bit source of a long vector encoding; `hi` chooses the half of a 16-bit register.
    pub(super) fn long_src(&mut self, code: u32, ty: Ty, hi: bool) -> Decoded<Operand> {
        if code >= code::VGPR {
            if ty.is_half() && self.decoder.target.true16() {
                return Ok(self.vgpr_half(code - code::VGPR, hi));
            }
            return self.vgpr(code - code::VGPR, ty);
        }
        // GFX9 has no literals in the long encodings.
        if code == code::LITERAL && self.generation() == Gen::Gfx9 {
            return Err(Reason::Unknown);
        }
        if code == code::LDS_DIRECT && self.dwords(ty) == 1 {
            return Ok(Operand::Special(Special::LdsDirect));
        }
        self.ssrc(code, ty)
    }

    /// Sources that are neither registers nor literals.
    fn constant(&self, code: u32, ty: Ty) -> Decoded<Operand> {
        let special = match code {
            128..=192 => return Ok(Operand::Int(code as i32 - 128)),
            193..=208 => return Ok(Operand::Int(192 - code as i32)),
            235 => Special::SharedBase,
            236 => Special::SharedLimit,
            237 => Special::PrivateBase,
            238 => Special::PrivateLimit,
            239 => Special::PopsExitingWaveId,
            240 => return Ok(Operand::Float(InlineFloat::Half)),
            241 => return Ok(Operand::Float(InlineFloat::NegHalf)),
            242 => return Ok(Operand::Float(InlineFloat::One)),
            243 => return Ok(Operand::Float(InlineFloat::NegOne)),
            244 => return Ok(Operand::Float(InlineFloat::Two)),
            245 => return Ok(Operand::Float(InlineFloat::NegTwo)),
            246 => return Ok(Operand::Float(InlineFloat::Four)),
            247 => return Ok(Operand::Float(InlineFloat::NegFour)),
            248 => return Ok(Operand::Float(InlineFloat::Inv2Pi)),
            251 => Special::Vccz,
            252 => Special::Execz,
            253 => Special::Scc,
            _ => return Err(Reason::Unknown),
        };
        if self.dwords(ty) > 2 {
            return Err(Reason::Unknown);
        }
        Ok(Operand::Special(special))
    }
}
