//! SDWA, DPP16 and DPP8: the dword that can stand in for source 0.

use super::operand::code;
use super::vector::{VCC, drop_void_signs, sign_mods};
use super::{Decoded, Reason, Stream, bit, field};
use crate::amdgcn::inst::{DppCtrl, Form, Inst, Operand, Sdwa, SdwaSel, SdwaUnused, Shuffle, Ty};
use crate::amdgcn::ops::Op;
use crate::amdgcn::target::{Gen, Target};

fn sdwa_sel(value: u32) -> Decoded<SdwaSel> {
    Ok(match value {
        0 => SdwaSel::Byte0,
        1 => SdwaSel::Byte1,
        2 => SdwaSel::Byte2,
        3 => SdwaSel::Byte3,
        4 => SdwaSel::Word0,
        5 => SdwaSel::Word1,
        6 => SdwaSel::Dword,
        _ => return Err(Reason::Unknown),
    })
}

fn dpp_ctrl(value: u32, target: Target) -> Decoded<DppCtrl> {
    let generation = target.generation();
    let count = (value & 0xf) as u8;
    let old = generation == Gen::Gfx9;
    Ok(match value {
        0..=0xff => DppCtrl::QuadPerm([0, 2, 4, 6].map(|at| field(value, at, 2) as u8)),
        0x101..=0x10f => DppCtrl::RowShl(count),
        0x111..=0x11f => DppCtrl::RowShr(count),
        0x121..=0x12f => DppCtrl::RowRor(count),
        0x130 if old => DppCtrl::WaveShl,
        0x134 if old => DppCtrl::WaveRol,
        0x138 if old => DppCtrl::WaveShr,
        0x13c if old => DppCtrl::WaveRor,
        0x140 => DppCtrl::RowMirror,
        0x141 => DppCtrl::RowHalfMirror,
        0x142 if old => DppCtrl::RowBcast15,
        0x143 if old => DppCtrl::RowBcast31,
        0x150..=0x15f => DppCtrl::RowShare(count),
        0x160..=0x16f if !old => DppCtrl::RowXmask(count),
        _ => return Err(Reason::Unknown),
    })
}

/// Whether any operand but the lane masks is wider than a register.
fn is_wide(inst: &Inst) -> bool {
    let info = inst.op.info();
    info.dst
        .iter()
        .chain(info.src)
        .any(|&ty| ty != Ty::Mask && ty.dwords(1) > 1)
}

/// The VOP3P operations that can have data-parallel controls.
fn has_packed_dpp(op: Op) -> bool {
    matches!(
        op,
        Op::v_fma_mix_f32 | Op::v_fma_mixlo_f16 | Op::v_fma_mixhi_f16 | Op::v_dot2_f32_f16 | Op::v_dot2_f32_bf16
    )
}

impl Stream {
    /// Decodes the controls of a short instruction whose source 0 is `code`, with its first two
    /// sources. Answers whether there are any.
    pub(super) fn shuffled(&mut self, inst: &mut Inst, code: u32, vsrc1: Option<u32>) -> Decoded<bool> {
        let generation = self.generation();
        let traits = inst.op.info().traits;
        match code {
            code::SDWA if generation < Gen::Gfx11 => {
                let is_late_packed = inst.op == Op::v_pk_fmac_f16 && generation > Gen::Gfx9;
                if is_late_packed || traits.no_sdwa || (is_wide(inst) && !traits.narrow_src) {
                    return Err(Reason::Unknown);
                }
                self.sdwa(inst, vsrc1)?;
            }
            code::DPP16 => {
                self.require_dpp(inst)?;
                let controls = self.high()?;
                self.dpp16(inst, controls)?;
                let signs = sign_mods(inst.op.info(), self.decoder.target);
                inst.mods.neg = (field(controls, 20, 1) | field(controls, 22, 1) << 1) as u8;
                inst.mods.abs = (field(controls, 21, 1) | field(controls, 23, 1) << 1) as u8;
                if (inst.mods.neg | inst.mods.abs) & !signs != 0 {
                    return Err(Reason::Unknown);
                }
                drop_void_signs(inst);
                self.dpp_sources(inst, controls, vsrc1)?;
            }
            code::DPP8 | code::DPP8_FI if generation >= Gen::Gfx10 => {
                self.require_dpp(inst)?;
                let controls = self.high()?;
                inst.shuffle = dpp8(controls, code);
                self.dpp_sources(inst, controls, vsrc1)?;
            }
            _ => return Ok(false),
        }
        Ok(true)
    }

    /// Decodes the controls of a VOP3 or VOP3P instruction (GFX11), with source 0.
    pub(super) fn shuffled_long(&mut self, inst: &mut Inst, code: u32) -> Decoded<bool> {
        if self.generation() < Gen::Gfx11 || !matches!(code, code::DPP16 | code::DPP8 | code::DPP8_FI) {
            return Ok(false);
        }
        let info = inst.op.info();
        let is_packed = inst.form == Form::Vop3p && !has_packed_dpp(inst.op);
        if info.traits.no_dpp || is_packed || is_wide(inst) {
            return Err(Reason::Unknown);
        }
        let controls = self.literal()?;
        if code == code::DPP16 {
            self.dpp16(inst, controls)?;
        } else {
            inst.shuffle = dpp8(controls, code);
        }
        let source = field(controls, 0, 8);
        if let Some(&ty) = info.src.first() {
            inst.src[0] = if ty.is_half() {
                self.vgpr_half(source, inst.mods.op_sel & 1 != 0)
            } else {
                self.vgpr(source, ty)?
            };
        }
        Ok(true)
    }

    fn require_dpp(&self, inst: &Inst) -> Decoded<()> {
        let generation = self.generation();
        let is_late_packed = inst.op == Op::v_pk_fmac_f16 && generation == Gen::Gfx11;
        let allowed = !is_late_packed
            && !inst.op.info().traits.no_dpp
            && (inst.form != Form::Vopc || generation >= Gen::Gfx11)
            && (!is_wide(inst) || generation == Gen::Gfx9);
        allowed.then_some(()).ok_or(Reason::Unknown)
    }

    fn dpp16(&self, inst: &mut Inst, controls: u32) -> Decoded<()> {
        let ctrl = dpp_ctrl(field(controls, 8, 9), self.decoder.target)?;
        inst.shuffle = Shuffle::Dpp16 {
            ctrl,
            row_mask: field(controls, 28, 4) as u8,
            bank_mask: field(controls, 24, 4) as u8,
            bound_ctrl: bit(controls, 19),
            fetch_inactive: bit(controls, 18) && self.generation() >= Gen::Gfx10,
        };
        Ok(())
    }

    fn dpp_sources(&self, inst: &mut Inst, controls: u32, vsrc1: Option<u32>) -> Decoded<()> {
        let src = inst.op.info().src;
        inst.src[0] = self.short_vgpr(field(controls, 0, 8), src[0])?;
        if let Some(vsrc1) = vsrc1 {
            inst.src[1] = self.short_vgpr(vsrc1, src[1])?;
        }
        Ok(())
    }

    fn sdwa(&mut self, inst: &mut Inst, vsrc1: Option<u32>) -> Decoded<()> {
        let controls = self.high()?;
        let info = inst.op.info();
        let is_comparison = inst.form == Form::Vopc;
        let mut sdwa = Sdwa {
            dst_sel: SdwaSel::Dword,
            dst_unused: SdwaUnused::Pad,
            src_sel: [sdwa_sel(field(controls, 16, 3))?, SdwaSel::Dword],
        };
        if is_comparison {
            if bit(controls, 15) {
                if self.comparison_result(inst.op, VCC) != VCC {
                    return Err(Reason::Unknown);
                }
                let mask = self.sgpr(field(controls, 8, 7), Ty::Mask)?;
                inst.dst[0] = self.comparison_result(inst.op, mask);
            } else {
                inst.dst[0] = self.comparison_result(inst.op, VCC);
            }
        } else {
            sdwa.dst_sel = sdwa_sel(field(controls, 8, 3))?;
            sdwa.dst_unused = match field(controls, 11, 2) {
                0 => SdwaUnused::Pad,
                1 => SdwaUnused::Sext,
                2 => SdwaUnused::Preserve,
                // Reserved; LLVM reads it so.
                _ => SdwaUnused::Pad,
            };
            inst.mods.clamp = bit(controls, 13);
            inst.mods.omod = field(controls, 14, 2) as u8;
            // Unlike in the long form, results that are integers have none.
            if inst.mods.omod != 0 && !(info.traits.omod && info.dst[0].is_float()) {
                return Err(Reason::Unknown);
            }
        }
        self.sdwa_modifiers(inst, controls, 0)?;
        inst.src[0] = self.sdwa_source(field(controls, 0, 8), bit(controls, 23), info.src[0])?;
        if let Some(vsrc1) = vsrc1 {
            sdwa.src_sel[1] = sdwa_sel(field(controls, 24, 3))?;
            self.sdwa_modifiers(inst, controls, 1)?;
            inst.src[1] = self.sdwa_source(vsrc1, bit(controls, 31), info.src[1])?;
        } else if field(controls, 24, 8) & !0x40 != 0 {
            return Err(Reason::Unknown);
        }
        if inst.op == Op::v_pk_fmac_f16 {
            // The bits are there and do nothing.
            inst.mods.neg = 0;
            inst.mods.abs = 0;
        }
        inst.shuffle = Shuffle::Sdwa(sdwa);
        Ok(())
    }

    /// Integers can be sign-extended, floats negated and made absolute.
    fn sdwa_modifiers(&self, inst: &mut Inst, controls: u32, index: u32) -> Decoded<()> {
        let signs = inst.op.info().src[index as usize].is_float() || inst.op == Op::v_cndmask_b32;
        let at = 19 + 8 * index;
        let (sext, neg, abs) = (
            field(controls, at, 1) as u8,
            field(controls, at + 1, 1) as u8,
            field(controls, at + 2, 1) as u8,
        );
        if (signs && sext != 0) || (!signs && (neg | abs) != 0) {
            return Err(Reason::Unknown);
        }
        inst.mods.sext |= sext << index;
        inst.mods.neg |= neg << index;
        inst.mods.abs |= abs << index;
        Ok(())
    }

    fn sdwa_source(&mut self, code: u32, scalar: bool, ty: Ty) -> Decoded<Operand> {
        if !scalar {
            return self.vgpr(code, ty);
        }
        if code == code::LITERAL {
            return Err(Reason::Unknown);
        }
        self.short_src(code, ty)
    }
}

fn dpp8(controls: u32, code: u32) -> Shuffle {
    Shuffle::Dpp8 {
        sel: [8, 11, 14, 17, 20, 23, 26, 29].map(|at| field(controls, at, 3) as u8),
        fetch_inactive: code == code::DPP8_FI,
    }
}
