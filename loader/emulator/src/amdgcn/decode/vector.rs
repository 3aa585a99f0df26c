//! VOP1, VOP2, VOPC, VOP3 and VOP3P.

use super::operand::code;
use super::tables::Entry;
use super::{Decoded, Reason, Stream, bit, field};
use crate::amdgcn::inst::{Form, Inst, Operand, Ty, sgpr};
use crate::amdgcn::ops::{Class, Info, Op};
use crate::amdgcn::target::{Gen, Target};

/// `vcc`, where an encoding implies it.
pub(super) const VCC: Operand = Operand::Sgpr(sgpr::VCC);

/// Whether the result is a scalar register although the encoding is a vector one.
fn has_scalar_result(op: Op) -> bool {
    matches!(op, Op::v_readfirstlane_b32 | Op::v_readlane_b32)
}

/// Sources that must be scalar, as a mask.
fn scalar_sources(op: Op) -> u8 {
    match op {
        Op::v_readlane_b32 => 0b010,
        Op::v_writelane_b32 => 0b011,
        Op::v_permlane16_b32 | Op::v_permlanex16_b32 => 0b110,
        _ => 0,
    }
}

/// Sources that `neg` and `abs` bits exist for, as a mask.
pub(super) fn sign_mods(info: &Info, target: Target) -> u8 {
    let all = (1u8 << info.src.iter().filter(|&&ty| ty != Ty::Mask).count()) - 1;
    match info.op {
        Op::v_cndmask_b32 | Op::v_cndmask_b16 | Op::v_dot2c_i32_i16 | Op::v_dot4c_i32_i8 | Op::v_dot8c_i32_i4 => 0b11,
        Op::v_cvt_sr_fp8_f32 | Op::v_cvt_sr_bf8_f32 => 0b111,
        Op::v_cmp_class_f16 if !target.true16() => 0b01,
        Op::v_cmp_class_f32 | Op::v_cmp_class_f64 => 0b01,
        Op::v_cmpx_class_f16 | Op::v_cmpx_class_f32 | Op::v_cmpx_class_f64 if target.generation() == Gen::Gfx9 => 0b01,
        _ if info.src.iter().any(|ty| ty.is_float()) => all,
        // Bits that select halves come with bits for signs.
        _ if target.true16() && info.src.iter().chain(info.dst).any(|ty| ty.is_half()) => all,
        _ => 0,
    }
}

/// Forgets sign modifiers that are encoded for an integer source and do nothing.
pub(super) fn drop_void_signs(inst: &mut Inst) {
    let info = inst.op.info();
    let signed = match inst.op {
        Op::v_cndmask_b32 | Op::v_cndmask_b16 => 0b11,
        _ => info
            .src
            .iter()
            .enumerate()
            .filter(|(_, ty)| ty.is_float())
            .fold(0, |mask, (index, _)| mask | 1 << index),
    };
    inst.mods.neg &= signed;
    inst.mods.abs &= signed;
}

/// Operands of a VOP3 instruction whose half `op_sel` chooses: sources, and bit 3 the result.
pub(in crate::amdgcn) fn op_sel_mask(info: &Info, target: Target) -> u8 {
    let op = info.op;
    let sources = (1u8 << info.src.iter().filter(|&&ty| ty != Ty::Mask).count()) - 1;
    match op {
        // Here the bits mean fetch-inactive and bound-control.
        Op::v_permlane16_b32 | Op::v_permlanex16_b32 => return 0b0011,
        Op::v_cvt_pk_fp8_f32 | Op::v_cvt_pk_bf8_f32 => return 0b1011,
        Op::v_cvt_sr_fp8_f32 | Op::v_cvt_sr_bf8_f32 => return 0b1111,
        Op::v_dot2_f16_f16 | Op::v_dot2_bf16_bf16 => return 0b1100,
        Op::v_mad_legacy_f16
        | Op::v_mad_legacy_u16
        | Op::v_mad_legacy_i16
        | Op::v_fma_legacy_f16
        | Op::v_div_fixup_legacy_f16
        | Op::v_cndmask_b16 => return 0,
        _ => {}
    }
    if !info.src.iter().chain(info.dst).any(|ty| ty.is_half()) {
        return 0;
    }
    let native = match info.class {
        Class::vop3 => true,
        Class::vop1 | Class::vop2 => info.vop3[target as usize].is_some(),
        _ => false,
    };
    match info.class {
        _ if !native && !target.true16() => 0,
        Class::vopc => sources,
        _ => sources | 0b1000,
    }
}

impl Stream {
    pub(super) fn vop1(&mut self) -> Decoded<Inst> {
        let low = self.low();
        let (op, _) = self.tables().vop1[field(low, 9, 8) as usize].ok_or(Reason::Unknown)?;
        let mut inst = self.new_inst(op, Form::Vop1);
        let info = op.info();
        let vdst = field(low, 17, 8);
        let Some(&src) = info.src.first() else {
            return (vdst == 0).then_some(inst).ok_or(Reason::Unknown);
        };
        self.short_result(&mut inst, vdst)?;
        let code = field(low, 0, 9);
        if !self.shuffled(&mut inst, code, None)? {
            inst.src[0] = if op == Op::v_accvgpr_mov_b32 {
                self.accumulator(code)?
            } else {
                self.short_src(code, src)?
            };
        }
        Ok(inst)
    }

    pub(super) fn vop2(&mut self) -> Decoded<Inst> {
        let low = self.low();
        let (op, _) = self.tables().vop2[field(low, 25, 6) as usize].ok_or(Reason::Unknown)?;
        let mut inst = self.new_inst(op, Form::Vop2);
        let info = op.info();
        self.short_result(&mut inst, field(low, 17, 8))?;
        if info.dst.len() == 2 {
            inst.dst[1] = VCC;
        }
        let code = field(low, 0, 9);
        let vsrc1 = field(low, 9, 8);
        match op {
            Op::v_fmamk_f32 | Op::v_fmamk_f16 | Op::v_madmk_f32 | Op::v_madmk_f16 => {
                inst.src[0] = self.short_src(code, info.src[0])?;
                inst.src[1] = Operand::Literal(self.literal()?);
                inst.src[2] = self.short_vgpr(vsrc1, info.src[2])?;
            }
            Op::v_fmaak_f32 | Op::v_fmaak_f16 | Op::v_madak_f32 | Op::v_madak_f16 => {
                inst.src[0] = self.short_src(code, info.src[0])?;
                inst.src[1] = self.short_vgpr(vsrc1, info.src[1])?;
                inst.src[2] = Operand::Literal(self.literal()?);
            }
            _ => {
                if !self.shuffled(&mut inst, code, Some(vsrc1))? {
                    inst.src[0] = self.short_src(code, info.src[0])?;
                    inst.src[1] = self.short_vgpr(vsrc1, info.src[1])?;
                }
                if info.src.len() == 3 {
                    inst.src[2] = VCC;
                }
            }
        }
        Ok(inst)
    }

    pub(super) fn vopc(&mut self) -> Decoded<Inst> {
        let low = self.low();
        let entry = self.tables().vopc[field(low, 17, 8) as usize];
        let mut inst = self.comparison(entry, Form::Vopc)?;
        inst.dst[0] = self.comparison_result(inst.op, VCC);
        let code = field(low, 0, 9);
        let vsrc1 = field(low, 9, 8);
        if !self.shuffled(&mut inst, code, Some(vsrc1))? {
            let info = inst.op.info();
            inst.src[0] = self.short_src(code, info.src[0])?;
            inst.src[1] = self.short_vgpr(vsrc1, info.src[1])?;
        }
        Ok(inst)
    }

    fn comparison(&self, entry: Entry, form: Form) -> Decoded<Inst> {
        let (op, cond) = entry.ok_or(Reason::Unknown)?;
        let mut inst = self.new_inst(op, form);
        inst.cond = cond;
        Ok(inst)
    }

    /// What a comparison writes: from GFX10 on, `v_cmpx` writes EXEC alone.
    pub(super) fn comparison_result(&self, op: Op, mask: Operand) -> Operand {
        if self.generation() > Gen::Gfx9 && op.info().name.starts_with("v_cmpx") {
            Operand::Sgpr(sgpr::EXEC)
        } else {
            mask
        }
    }

    /// The result of VOP1 and VOP2.
    fn short_result(&mut self, inst: &mut Inst, vdst: u32) -> Decoded<()> {
        let ty = inst.op.info().dst[0];
        inst.dst[0] = if has_scalar_result(inst.op) {
            self.scalar_result(vdst, ty)?
        } else if inst.op == Op::v_accvgpr_mov_b32 {
            self.vgpr_or_agpr(vdst, ty, true)?
        } else {
            self.short_vgpr(vdst, ty)?
        };
        Ok(())
    }

    fn scalar_result(&self, vdst: u32, ty: Ty) -> Decoded<Operand> {
        if vdst > 127 {
            return Err(Reason::Unknown);
        }
        self.sgpr(vdst, ty)
    }

    /// A source that is an accumulation register, or a constant.
    fn accumulator(&mut self, code: u32) -> Decoded<Operand> {
        if code >= code::VGPR {
            self.vgpr_or_agpr(code - code::VGPR, Ty::B32, true)
        } else {
            Err(Reason::Unknown)
        }
    }

    pub(super) fn vop3(&mut self) -> Decoded<Inst> {
        let low = self.low();
        let high = self.high()?;
        let entry = self.tables().vop3[field(low, 16, 10) as usize];
        let mut inst = self.comparison(entry, Form::Vop3)?;
        let op = inst.op;
        let info = op.info();
        let target = self.decoder.target;
        let vdst = field(low, 0, 8);
        let op_sel = field(low, 11, 4) as u8;
        let has_second_result = info.dst.len() == 2;

        match info.dst.first() {
            None if vdst != 0 => return Err(Reason::Unknown),
            None => {}
            Some(Ty::Mask) => {
                let mask = self.comparison_result(op, Operand::None);
                inst.dst[0] = if mask == Operand::None {
                    self.scalar_result(vdst, Ty::Mask)?
                } else {
                    mask
                };
            }
            Some(&ty) if has_scalar_result(op) => inst.dst[0] = self.scalar_result(vdst, ty)?,
            Some(ty) if ty.is_half() && target.true16() => {
                inst.dst[0] = self.vgpr_half(vdst, op_sel & 8 != 0);
            }
            Some(&ty) => inst.dst[0] = self.vgpr(vdst, ty)?,
        }

        let signs = sign_mods(info, target);
        let neg = field(high, 29, 3) as u8;
        let abs = if has_second_result {
            inst.dst[1] = self.sgpr(field(low, 8, 7), Ty::Mask)?;
            0
        } else {
            let mask = op_sel_mask(info, target);
            let is_strict = mask & 8 != 0 || (mask != 0 && info.class == Class::vopc);
            if is_strict && op_sel & !mask != 0 {
                return Err(Reason::Unknown);
            }
            inst.mods.op_sel = op_sel & mask;
            field(low, 8, 3) as u8
        };
        inst.mods.neg = neg;
        inst.mods.abs = abs;
        inst.mods.clamp = bit(low, 15);
        inst.mods.omod = field(high, 27, 2) as u8;
        let has_clamp = info.traits.clamp;
        if (neg | abs) & !signs != 0 || (inst.mods.clamp && !has_clamp) || (inst.mods.omod != 0 && !info.traits.omod) {
            return Err(Reason::Unknown);
        }
        drop_void_signs(&mut inst);
        let codes = [field(high, 0, 9), field(high, 9, 9), field(high, 18, 9)];
        let scalar = scalar_sources(op);
        let shuffled = self.shuffled_long(&mut inst, codes[0])?;
        for (index, &code) in codes.iter().enumerate() {
            let Some(&ty) = info.src.get(index) else {
                break;
            };
            if index == 0 && shuffled {
                continue;
            }
            let must_be_scalar = scalar & (1 << index) != 0 || ty == Ty::Mask;
            if must_be_scalar && code >= code::VGPR {
                return Err(Reason::Unknown);
            }
            let hi = op_sel & (1 << index) != 0;
            inst.src[index] = self.long_src(code, ty, hi)?;
        }
        Ok(inst)
    }

    pub(super) fn vop3p(&mut self) -> Decoded<Inst> {
        let low = self.low();
        let high = self.high()?;
        let number = field(low, 16, 7);
        let (op, _) = self.tables().vop3p[number as usize].ok_or(if number >= 0x40 {
            Reason::Unsupported("matrix")
        } else {
            Reason::Unknown
        })?;
        let mut inst = self.new_inst(op, Form::Vop3p);
        let info = op.info();
        let vdst = field(low, 0, 8);
        let is_move = matches!(op, Op::v_accvgpr_read_b32 | Op::v_accvgpr_write_b32);
        if is_move && (field(low, 8, 6) != 0 || field(high, 29, 3) != 0) {
            return Err(Reason::Unknown);
        }
        match op {
            Op::v_accvgpr_read_b32 => {
                inst.dst[0] = self.vgpr(vdst, Ty::B32)?;
                inst.src[0] = self.accumulator(field(high, 0, 9))?;
                return Ok(inst);
            }
            Op::v_accvgpr_write_b32 => {
                inst.dst[0] = self.vgpr_or_agpr(vdst, Ty::B32, true)?;
                inst.src[0] = self.long_src(field(high, 0, 9), Ty::B32, false)?;
                return Ok(inst);
            }
            _ => {}
        }
        inst.dst[0] = self.vgpr(vdst, info.dst[0])?;
        let mods = &mut inst.mods;
        mods.neg_hi = field(low, 8, 3) as u8;
        mods.op_sel = field(low, 11, 3) as u8;
        mods.op_sel_hi = (field(high, 27, 2) | field(low, 14, 1) << 2) as u8;
        mods.clamp = bit(low, 15);
        mods.neg = field(high, 29, 3) as u8;
        if matches!(op, Op::v_fma_mix_f32 | Op::v_fma_mixlo_f16 | Op::v_fma_mixhi_f16) {
            // The bits that negate high halves elsewhere are absolute values here.
            mods.abs = mods.neg_hi;
            mods.neg_hi = 0;
        }
        let reserved = !((1u8 << info.src.len()) - 1);
        let no_op_sel = info.src[0] == Ty::B32;
        if (mods.neg | mods.neg_hi | mods.abs | mods.op_sel) & reserved != 0 || (no_op_sel && mods.op_sel != 0) {
            return Err(Reason::Unknown);
        }
        let codes = [field(high, 0, 9), field(high, 9, 9), field(high, 18, 9)];
        let shuffled = self.shuffled_long(&mut inst, codes[0])?;
        for (index, &code) in codes.iter().enumerate() {
            let Some(&ty) = info.src.get(index) else {
                break;
            };
            if index > 0 || !shuffled {
                inst.src[index] = self.long_src(code, ty, false)?;
            }
        }
        Ok(inst)
    }
}
