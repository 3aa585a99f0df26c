//! FLAT, GLOBAL, SCRATCH and MUBUF.

use super::{Decoded, Reason, Stream, bit, field, sign_extend};
use crate::amdgcn::inst::{Form, Inst, Mem, Operand, Ty};
use crate::amdgcn::ops::{Class, Info, Op};
use crate::amdgcn::target::{Gen, Target};

/// Operations that take no address: cache control.
pub(in crate::amdgcn) fn is_cache_control(op: Op) -> bool {
    op.info().class == Class::buffer && op.info().dst.is_empty() && op.info().src.is_empty()
}

/// Operations whose address is that of the lane's slot in a region that a scalar names.
fn is_by_lane(op: Op) -> bool {
    matches!(op, Op::load_addtid_b32 | Op::store_addtid_b32)
}

/// Whether the operation both takes and gives data.
fn is_atomic(info: &Info) -> bool {
    !info.dst.is_empty() && !info.src.is_empty()
}

/// Loads that can write to LDS instead of registers.
fn can_load_to_lds(op: Op) -> bool {
    matches!(
        op,
        Op::load_u8 | Op::load_i8 | Op::load_u16 | Op::load_i16 | Op::load_b32 | Op::load_format_x
    )
}

impl Stream {
    /// Whether the processor has the operation in the form: GFX90A lacks some flat ones.
    fn has(&self, info: &Info, form: Form) -> bool {
        let late_flat = matches!(info.op, Op::atomic_add_f32 | Op::atomic_pk_add_f16);
        info.class.has(form) && !(form == Form::Flat && late_flat && self.decoder.target == Target::Gfx90a)
    }

    pub(super) fn flat(&mut self) -> Decoded<Inst> {
        let low = self.low();
        let high = self.high()?;
        let target = self.decoder.target;
        let generation = self.generation();
        let segment_at = if generation == Gen::Gfx11 { 16 } else { 14 };
        let form = match field(low, segment_at, 2) {
            0 => Form::Flat,
            1 => Form::Scratch,
            2 => Form::Global,
            _ => return Err(Reason::Unknown),
        };
        let (op, _) = self.tables().flat[field(low, 18, 7) as usize].ok_or(Reason::Unknown)?;
        let info = op.info();
        if !self.has(info, form) {
            return Err(Reason::Unknown);
        }
        let loads_to_lds = form != Form::Flat && can_load_to_lds(op);
        let reserved = match target {
            Target::Gfx90a => bit(low, 13) && !loads_to_lds,
            Target::Gfx942 => bit(low, 13) && form != Form::Scratch,
            Target::Gfx1030 => bit(high, 23) || (bit(low, 13) && !loads_to_lds),
            Target::Gfx1100 => bit(high, 23) && form != Form::Scratch,
        };
        if reserved {
            return Err(Reason::Unknown);
        }
        let mut inst = self.new_inst(op, form);

        let offset_bits = if generation == Gen::Gfx10 { 12 } else { 13 };
        let offset = field(low, 0, offset_bits);
        inst.mem.offset = if form == Form::Flat {
            offset as i32
        } else {
            sign_extend(offset, offset_bits)
        };
        let cache = &mut inst.mem.cache;
        if generation == Gen::Gfx11 {
            cache.dlc = bit(low, 13);
            cache.glc = bit(low, 14);
            cache.slc = bit(low, 15);
        } else {
            cache.dlc = generation == Gen::Gfx10 && bit(low, 12);
            cache.glc = bit(low, 16);
            cache.slc = bit(low, 17);
            cache.scc = generation == Gen::Gfx9 && bit(low, 25);
        }
        inst.mem.lds = bit(low, 13) && matches!(target, Target::Gfx90a | Target::Gfx1030);
        let acc = generation == Gen::Gfx9 && bit(high, 23);
        self.check_policy(&inst, acc)?;
        if !inst.mem.lds {
            self.data(&mut inst, field(high, 24, 8), field(high, 8, 8), acc)?;
        }

        let vaddr = field(high, 0, 8);
        let saddr = field(high, 16, 7);
        let none = match generation {
            Gen::Gfx9 => 0x7f,
            Gen::Gfx10 => 0x7d,
            Gen::Gfx11 => 0x7c,
        };
        // Scratch: whether the vector address is used. GFX90A and GFX10 use it where there is no
        // scalar one, unless the field holds a further code for "neither".
        let uses_vaddr = match target {
            Target::Gfx90a => saddr == none,
            Target::Gfx942 => bit(low, 13),
            Target::Gfx1030 => saddr == none,
            Target::Gfx1100 => bit(high, 23),
        };
        match form {
            Form::Flat => {
                let unused = if generation == Gen::Gfx9 { 0 } else { none };
                if saddr != unused {
                    return Err(Reason::Unknown);
                }
                inst.src[0] = self.vgpr(vaddr, Ty::B64)?;
            }
            Form::Global => {
                if saddr != none {
                    inst.src[2] = self.sgpr(saddr, Ty::B64)?;
                }
                if !is_by_lane(op) {
                    let ty = if saddr == none { Ty::B64 } else { Ty::B32 };
                    inst.src[0] = self.vgpr(vaddr, ty)?;
                }
            }
            _ => {
                let neither = target == Target::Gfx1030 && saddr == 0x7f;
                if saddr != none && !neither {
                    inst.src[2] = self.sgpr(saddr, Ty::B32)?;
                }
                if uses_vaddr {
                    inst.src[0] = self.vgpr(vaddr, Ty::B32)?;
                }
            }
        }
        Ok(inst)
    }

    /// Where loaded values go and stored ones come from. An atomic returns with `glc` only.
    fn data(&mut self, inst: &mut Inst, vdst: u32, vdata: u32, acc: bool) -> Decoded<()> {
        let info = inst.op.info();
        let is_atomic = is_atomic(info);
        if let Some(&ty) = info.dst.first()
            && (!is_atomic || inst.mem.cache.glc)
        {
            inst.dst[0] = self.vgpr_or_agpr(vdst, ty, acc)?;
        }
        if let Some(&ty) = info.src.first() {
            inst.src[1] = self.vgpr_or_agpr(vdata, ty, acc)?;
        }
        Ok(())
    }

    /// Combinations of policy and register file that some instructions do not have.
    fn check_policy(&self, inst: &Inst, acc: bool) -> Decoded<()> {
        let info = inst.op.info();
        let cache = inst.mem.cache;
        let target = self.decoder.target;
        let loads_to_lds = inst.mem.lds || info.class == Class::global_scratch;
        let is_float_atomic = is_atomic(info) && info.dst[0].is_float();
        let lacks_agprs = match inst.form {
            Form::Global => inst.op != Op::atomic_pk_add_bf16,
            Form::Flat => info.dst.first() == Some(&Ty::F64),
            _ => false,
        };
        let is_wrong = (loads_to_lds && acc)
            || (target == Target::Gfx90a && is_float_atomic && cache.scc)
            || (target == Target::Gfx942 && is_float_atomic && acc && cache.glc && lacks_agprs)
            || (target == Target::Gfx1030 && inst.form == Form::Mubuf && is_atomic(info) && cache.dlc);
        (!is_wrong).then_some(()).ok_or(Reason::Unknown)
    }

    pub(super) fn mubuf(&mut self) -> Decoded<Inst> {
        let low = self.low();
        let high = self.high()?;
        let target = self.decoder.target;
        let generation = self.generation();
        let number = field(low, 18, if generation == Gen::Gfx9 { 7 } else { 8 });
        let (op, _) = self.tables().mubuf[number as usize].ok_or(Reason::Unknown)?;
        let info = op.info();
        if !self.has(info, Form::Mubuf) {
            return Err(Reason::Unknown);
        }
        let mut inst = self.new_inst(op, Form::Mubuf);
        let mem = &mut inst.mem;
        mem.offset = field(low, 0, 12) as i32;
        mem.cache.glc = bit(low, 14);
        let mut acc = false;
        match generation {
            Gen::Gfx9 => {
                mem.offen = bit(low, 12);
                mem.idxen = bit(low, 13);
                mem.cache.scc = bit(low, 15);
                mem.lds = bit(low, 16);
                mem.cache.slc = bit(low, 17);
                acc = bit(high, 23);
            }
            Gen::Gfx10 => {
                mem.offen = bit(low, 12);
                mem.idxen = bit(low, 13);
                mem.cache.dlc = bit(low, 15);
                mem.lds = bit(low, 16);
                mem.cache.slc = bit(high, 22);
                mem.tfe = bit(high, 23);
            }
            Gen::Gfx11 => {
                mem.cache.slc = bit(low, 12);
                mem.cache.dlc = bit(low, 13);
                mem.tfe = bit(high, 21);
                mem.offen = bit(high, 22);
                mem.idxen = bit(high, 23);
            }
        }
        if is_cache_control(op) {
            let Mem {
                offen,
                idxen,
                lds,
                cache,
                ..
            } = inst.mem;
            let is_bare = generation > Gen::Gfx9 || matches!(op, Op::wbinvl1 | Op::wbinvl1_vol | Op::invl2);
            let has_policy = cache.glc || cache.dlc || cache.scc;
            if offen || idxen || lds || acc || (is_bare && has_policy) {
                return Err(Reason::Unknown);
            }
            inst.mem = Mem::default();
            if target == Target::Gfx942 {
                inst.mem.cache.glc = cache.glc;
                inst.mem.cache.scc = cache.scc;
            }
            return Ok(inst);
        }
        self.check_policy(&inst, acc)?;
        let is_atomic = is_atomic(info);
        if (inst.mem.lds && !can_load_to_lds(op)) || (inst.mem.tfe && (is_atomic || inst.mem.lds)) {
            return Err(Reason::Unknown);
        }
        let vdata = field(high, 8, 8);
        if !inst.mem.lds {
            self.data(&mut inst, vdata, vdata, acc)?;
        }
        let vaddr = field(high, 0, 8);
        inst.src[0] = match (inst.mem.idxen, inst.mem.offen) {
            (false, false) => Operand::None,
            (true, true) => self.vgpr(vaddr, Ty::B64)?,
            _ => self.vgpr(vaddr, Ty::B32)?,
        };
        inst.src[2] = self.sgpr(field(high, 16, 5) << 2, Ty::B128)?;
        inst.src[3] = self.ssrc(field(high, 24, 8), Ty::B32)?;
        if matches!(inst.src[3], Operand::Literal(_)) {
            return Err(Reason::Unknown);
        }
        Ok(inst)
    }
}
