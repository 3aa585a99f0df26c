//! Memory operations.

use super::{Disassembly, Text, immediate};
use crate::amdgcn::decode::{has_two_offsets, is_cache_control};
use crate::amdgcn::inst::{Form, Operand, Ty, sgpr};
use crate::amdgcn::ops::Op;
use crate::amdgcn::target::{Gen, Target};

/// A number in hexadecimal with its sign in front.
fn signed_hex(value: i32) -> String {
    if value < 0 {
        format!("-{:#x}", value.unsigned_abs())
    } else {
        format!("{value:#x}")
    }
}

impl Disassembly<'_> {
    fn cache(&self, text: &mut Text) {
        let cache = self.inst.mem.cache;
        let is_gfx942 = self.target == Target::Gfx942;
        let is_scalar = self.inst.form == Form::Smem;
        text.flag(cache.glc, if is_gfx942 && !is_scalar { "sc0" } else { "glc" });
        text.flag(cache.slc, if is_gfx942 { "nt" } else { "slc" });
        text.flag(cache.dlc, "dlc");
        text.flag(cache.scc, if is_gfx942 { "sc1" } else { "scc" });
    }

    pub(super) fn smem(&self, text: &mut Text) {
        let inst = self.inst;
        let info = inst.op.info();
        text.mnemonic = self.name().into();
        if let Some(&ty) = info.dst.first() {
            // An atomic that returns nothing still names its data.
            let (operand, ty) = if let Some(&data) = info.src.get(2) {
                (inst.src[2], data)
            } else {
                (inst.dst[0], ty)
            };
            text.operand(self.register(operand, ty));
        } else {
            match inst.src[2] {
                Operand::None => {}
                Operand::Int(value) => text.operand(immediate::plain(value as u16)),
                data => text.operand(self.register(data, self.src_ty(2))),
            }
        }
        let base = info.src.iter().find(|&&ty| ty != Ty::Imm);
        let Some(&base) = base else {
            return;
        };
        text.operand(self.register(inst.src[0], base));
        let offset = inst.mem.offset;
        match inst.src[1] {
            Operand::None => text.operand(signed_hex(offset)),
            Operand::Sgpr(sgpr::NULL) if offset != 0 && self.generation() > Gen::Gfx9 => {
                text.operand(signed_hex(offset))
            }
            register => {
                text.operand(self.register(register, Ty::U32));
                if offset != 0 || inst.mem.both_offsets {
                    text.modifier(format_args!("offset:{}", signed_hex(offset)));
                }
            }
        }
        self.cache(text);
    }

    pub(super) fn ds(&self, text: &mut Text) {
        let inst = self.inst;
        let info = inst.op.info();
        text.mnemonic = self.name().into();
        if let Some(&ty) = info.dst.first() {
            text.operand(self.register(inst.dst[0], ty));
        }
        let mut types = info.src.iter();
        for &operand in &inst.src[..3] {
            if operand != Operand::None {
                let ty = types.next().copied().unwrap_or(Ty::B32);
                text.operand(self.register(operand, ty));
            }
        }
        let mem = &inst.mem;
        if has_two_offsets(inst.op) {
            text.flag(mem.offset != 0, &format!("offset0:{}", mem.offset));
            text.flag(mem.offset1 != 0, &format!("offset1:{}", mem.offset1));
        } else if mem.offset != 0 {
            if inst.op == Op::ds_swizzle_b32 {
                let lanes = immediate::swizzle(mem.offset as u16);
                text.modifier(format_args!("offset:{lanes}"));
            } else {
                text.modifier(format_args!("offset:{}", mem.offset));
            }
        }
        text.flag(mem.gds, "gds");
    }

    pub(super) fn flat(&self, text: &mut Text) {
        let inst = self.inst;
        let info = inst.op.info();
        let prefix = match inst.form {
            Form::Scratch => "scratch_",
            Form::Global => "global_",
            _ => "flat_",
        };
        text.mnemonic = prefix.to_string() + self.name();
        if inst.dst[0] != Operand::None {
            text.operand(self.register(inst.dst[0], self.dst_ty(0)));
        }
        let by_lane = matches!(inst.op, Op::load_addtid_b32 | Op::store_addtid_b32);
        if !by_lane {
            let is_64_bit = match inst.form {
                Form::Flat => true,
                Form::Global => inst.src[2] == Operand::None,
                _ => false,
            };
            let ty = if is_64_bit { Ty::B64 } else { Ty::B32 };
            text.operand(self.register(inst.src[0], ty));
        }
        if let Some(&ty) = info.src.first() {
            text.operand(self.register(inst.src[1], ty));
        }
        match inst.form {
            Form::Global => text.operand(self.register(inst.src[2], Ty::B64)),
            Form::Scratch => text.operand(self.register(inst.src[2], Ty::B32)),
            _ => {}
        }
        let offset = inst.mem.offset;
        text.flag(offset != 0, &format!("offset:{offset}"));
        self.cache(text);
        text.flag(inst.mem.lds, "lds");
    }

    /// Data registers, one more of them where the residency status is asked for.
    fn data(&self, operand: Operand, ty: Ty) -> String {
        let dwords = self.dwords(ty) + u8::from(self.inst.mem.tfe);
        self.registers(operand, dwords)
    }

    pub(super) fn mubuf(&self, text: &mut Text) {
        let inst = self.inst;
        let info = inst.op.info();
        text.mnemonic = "buffer_".to_string() + self.name();
        let mem = &inst.mem;
        if is_cache_control(inst.op) {
            self.cache(text);
            return;
        }
        match (info.dst.first(), info.src.first()) {
            _ if mem.lds => {}
            // An atomic's data register is also where the value before goes.
            (_, Some(&ty)) => text.operand(self.data(inst.src[1], ty)),
            (Some(&ty), None) => text.operand(self.data(inst.dst[0], ty)),
            (None, None) => {}
        }
        let ty = if mem.offen && mem.idxen { Ty::B64 } else { Ty::B32 };
        text.operand(self.register(inst.src[0], ty));
        text.operand(self.register(inst.src[2], Ty::B128));
        text.operand(self.source(inst.src[3], Ty::B32));
        text.flag(mem.idxen, "idxen");
        text.flag(mem.offen, "offen");
        text.flag(mem.offset != 0, &format!("offset:{}", mem.offset));
        self.cache(text);
        text.flag(mem.lds, "lds");
        text.flag(mem.tfe, "tfe");
    }
}
