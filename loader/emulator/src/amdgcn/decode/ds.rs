//! DS: LDS, permutes, and the global data share.

use super::{Decoded, Reason, Stream, bit, field};
use crate::amdgcn::inst::{Form, Inst};
use crate::amdgcn::ops::{Info, Op};
use crate::amdgcn::target::Gen;

/// Whether the two offset bytes are two offsets.
pub(in crate::amdgcn) fn has_two_offsets(op: Op) -> bool {
    op.info().name.contains("_2addr_")
}

/// Whether the instruction only exists with the GDS bit set.
pub(in crate::amdgcn) fn is_gds_only(op: Op) -> bool {
    let name = op.info().name;
    name.starts_with("ds_gws_") || matches!(op, Op::ds_ordered_count | Op::ds_add_gs_reg_rtn | Op::ds_sub_gs_reg_rtn)
}

/// Fields that the sources are in: address (0), data 0 (1), data 1 (2).
fn places(info: &Info) -> &'static [u32] {
    match info.op {
        Op::ds_store_addtid_b32 => &[1],
        Op::ds_add_gs_reg_rtn | Op::ds_sub_gs_reg_rtn => &[1],
        _ => &[0, 1, 2],
    }
}

impl Stream {
    pub(super) fn ds(&mut self) -> Decoded<Inst> {
        let low = self.low();
        let high = self.high()?;
        let is_gfx9 = self.generation() == Gen::Gfx9;
        let (number, gds) = if is_gfx9 {
            (field(low, 17, 8), bit(low, 16))
        } else {
            (field(low, 18, 8), bit(low, 17))
        };
        // CDNA can load to and store from accumulation registers.
        let acc = is_gfx9 && bit(low, 25);
        let (op, _) = self.tables().ds[number as usize].ok_or(Reason::Unknown)?;
        let mut inst = self.new_inst(op, Form::Ds);
        let info = op.info();

        if let Some(&ty) = info.dst.first() {
            inst.dst[0] = self.vgpr_or_agpr(field(high, 24, 8), ty, acc)?;
        } else if field(high, 24, 8) != 0 {
            return Err(Reason::Unknown);
        }
        let fields = [field(high, 0, 8), field(high, 8, 8), field(high, 16, 8)];
        let mut used = [false; 3];
        let mut has_data = !info.dst.is_empty();
        for (&ty, &place) in info.src.iter().zip(places(info)) {
            let place = place as usize;
            used[place] = true;
            let is_data = place > 0 || is_gds_only(op);
            has_data |= is_data;
            inst.src[place] = self.vgpr_or_agpr(fields[place], ty, acc && is_data)?;
        }
        if fields.iter().zip(used).any(|(&field, used)| !used && field != 0) {
            return Err(Reason::Unknown);
        }

        let lds_only = matches!(op, Op::ds_permute_b32 | Op::ds_bpermute_b32 | Op::ds_bvh_stack_rtn_b32);
        if (acc && !has_data) || (is_gds_only(op) && !gds) || (lds_only && gds) {
            return Err(Reason::Unknown);
        }
        if op == Op::ds_nop && field(low, 0, 18) != 0 {
            return Err(Reason::Unknown);
        }
        // CDNA has no GDS any more, except for wavefront synchronisation.
        inst.mem.gds = gds && (!is_gfx9 || is_gds_only(op));
        if has_two_offsets(op) {
            inst.mem.offset = field(low, 0, 8) as i32;
            inst.mem.offset1 = field(low, 8, 8) as u8;
        } else {
            inst.mem.offset = field(low, 0, 16) as i32;
        }
        Ok(inst)
    }
}
