//! SOP1, SOP2, SOPC, SOPK, SOPP and SMEM.

use super::{Decoded, Reason, Stream, bit, field, sign_extend};
use crate::amdgcn::inst::{Form, Inst, Operand, Ty};
use crate::amdgcn::ops::Op;
use crate::amdgcn::target::Gen;

/// SOPP operations that take no immediate.
pub(in crate::amdgcn) fn has_no_immediate(op: Op) -> bool {
    matches!(
        op,
        Op::s_barrier
            | Op::s_wakeup
            | Op::s_icache_inv
            | Op::s_ttracedata
            | Op::s_code_end
            | Op::s_wait_idle
            | Op::s_set_gpr_idx_off
            | Op::s_endpgm_saved
            | Op::s_endpgm_ordered_ps_done
    )
}

/// Whether a scalar memory operation has cache bits: loads, stores and atomics do.
fn has_policy(op: Op) -> bool {
    let is_discard = matches!(op, Op::s_dcache_discard | Op::s_dcache_discard_x2);
    let info = op.info();
    !is_discard && !info.src.is_empty() && info.src[0] != Ty::Imm
}

impl Stream {
    pub(super) fn sop1(&mut self) -> Decoded<Inst> {
        let low = self.low();
        let (op, _) = self.tables().sop1[field(low, 8, 8) as usize].ok_or(Reason::Unknown)?;
        let mut inst = self.new_inst(op, Form::Sop1);
        let info = op.info();
        if let Some(&ty) = info.dst.first() {
            inst.dst[0] = self.sgpr(field(low, 16, 7), ty)?;
        }
        match info.src.first() {
            // The number of the message stands in the source field as it is.
            Some(Ty::Imm) => inst.src[0] = Operand::Int(field(low, 0, 8) as i32),
            Some(&ty) => inst.src[0] = self.ssrc(field(low, 0, 8), ty)?,
            None => {}
        }
        Ok(inst)
    }

    pub(super) fn sop2(&mut self) -> Decoded<Inst> {
        let low = self.low();
        let (op, _) = self.tables().sop2[field(low, 23, 7) as usize].ok_or(Reason::Unknown)?;
        let mut inst = self.new_inst(op, Form::Sop2);
        let info = op.info();
        if let Some(&ty) = info.dst.first() {
            inst.dst[0] = self.sgpr(field(low, 16, 7), ty)?;
        }
        inst.src[0] = self.ssrc(field(low, 0, 8), info.src[0])?;
        inst.src[1] = self.ssrc(field(low, 8, 8), info.src[1])?;
        Ok(inst)
    }

    pub(super) fn sopc(&mut self) -> Decoded<Inst> {
        let low = self.low();
        let (op, _) = self.tables().sopc[field(low, 16, 7) as usize].ok_or(Reason::Unknown)?;
        let mut inst = self.new_inst(op, Form::Sopc);
        let info = op.info();
        inst.src[0] = self.ssrc(field(low, 0, 8), info.src[0])?;
        inst.src[1] = match info.src[1] {
            Ty::Imm => Operand::Int(field(low, 8, 8) as i32),
            ty => self.ssrc(field(low, 8, 8), ty)?,
        };
        Ok(inst)
    }

    pub(super) fn sopk(&mut self) -> Decoded<Inst> {
        let low = self.low();
        let (op, _) = self.tables().sopk[field(low, 23, 5) as usize].ok_or(Reason::Unknown)?;
        let mut inst = self.new_inst(op, Form::Sopk);
        let info = op.info();
        let imm = Operand::Int(sign_extend(field(low, 0, 16), 16));
        let sgpr = field(low, 16, 7);
        match op {
            Op::s_setreg_b32 => {
                inst.src[0] = self.sgpr(sgpr, Ty::B32)?;
                inst.src[1] = imm;
            }
            Op::s_setreg_imm32_b32 => {
                inst.src[0] = Operand::Literal(self.literal()?);
                inst.src[1] = imm;
            }
            _ => {
                if let Some(&ty) = info.dst.first() {
                    inst.dst[0] = self.sgpr(sgpr, ty)?;
                }
                inst.src[0] = imm;
            }
        }
        Ok(inst)
    }

    pub(super) fn sopp(&mut self) -> Decoded<Inst> {
        let low = self.low();
        let (op, _) = self.tables().sopp[field(low, 16, 7) as usize].ok_or(Reason::Unknown)?;
        let mut inst = self.new_inst(op, Form::Sopp);
        if has_no_immediate(op) && field(low, 0, 16) != 0 {
            return Err(Reason::Unknown);
        }
        inst.src[0] = Operand::Int(sign_extend(field(low, 0, 16), 16));
        Ok(inst)
    }

    pub(super) fn smem(&mut self) -> Decoded<Inst> {
        let low = self.low();
        let high = self.high()?;
        let generation = self.generation();
        let (op, _) = self.tables().smem[field(low, 18, 8) as usize].ok_or(Reason::Unknown)?;
        let mut inst = self.new_inst(op, Form::Smem);
        let info = op.info();
        let data = field(low, 6, 7);
        match (info.dst.first(), info.src.get(2)) {
            // An atomic's data register receives the value before if `glc` says so.
            (Some(&dst), Some(&src)) => {
                inst.src[2] = self.sgpr(data, src)?;
                if bit(low, 16) {
                    inst.dst[0] = self.sgpr(data, dst)?;
                }
            }
            (Some(&dst), None) => inst.dst[0] = self.sgpr(data, dst)?,
            (None, Some(&src)) if info.src[0] != Ty::Imm => inst.src[2] = self.sgpr(data, src)?,
            _ => {}
        }
        let sources = match info.src {
            [Ty::Imm, rest @ ..] => {
                inst.src[2] = Operand::Int(data as i32);
                rest
            }
            sources => sources,
        };
        let reserved = match generation {
            Gen::Gfx9 => sources.is_empty() && bit(low, 17),
            Gen::Gfx10 => false,
            Gen::Gfx11 => !has_policy(op) && field(low, 13, 2) != 0,
        };
        if reserved {
            return Err(Reason::Unknown);
        }
        if let Some(&ty) = sources.first() {
            inst.src[0] = self.sgpr(field(low, 0, 6) << 1, ty)?;
            self.smem_offset(&mut inst, low, high)?;
            match generation {
                _ if !has_policy(op) => {}
                Gen::Gfx9 => inst.mem.cache.glc = bit(low, 16),
                Gen::Gfx10 => {
                    inst.mem.cache.glc = bit(low, 16);
                    inst.mem.cache.dlc = bit(low, 14);
                }
                Gen::Gfx11 => {
                    inst.mem.cache.glc = bit(low, 14);
                    inst.mem.cache.dlc = bit(low, 13);
                }
            }
        }
        Ok(inst)
    }

    /// The offset of a scalar memory access: a constant, a register, or both.
    fn smem_offset(&mut self, inst: &mut Inst, low: u32, high: u32) -> Decoded<()> {
        let register = field(high, 25, 7);
        let constant = sign_extend(field(high, 0, 21), 21);
        if self.generation() == Gen::Gfx9 {
            let has_constant = bit(low, 17);
            let has_register = bit(low, 14);
            match (has_constant, has_register) {
                (true, false) => inst.mem.offset = constant,
                (true, true) => {
                    inst.src[1] = self.sgpr(register, Ty::U32)?;
                    inst.mem.offset = constant;
                    inst.mem.both_offsets = true;
                }
                (false, true) => inst.src[1] = self.sgpr(register, Ty::U32)?,
                // The oldest form: the register's number stands where the constant would.
                (false, false) => inst.src[1] = self.sgpr(field(high, 0, 7), Ty::U32)?,
            }
        } else {
            inst.src[1] = self.sgpr(register, Ty::U32)?;
            inst.mem.offset = constant;
        }
        Ok(())
    }
}
