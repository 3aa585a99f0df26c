//! The scalar unit.

use super::memory::clock;
use super::run::{Flow, unsupported};
use super::wave::Wavefront;
use crate::amdgcn::inst::{Inst, Operand, Ty, sgpr};
use crate::amdgcn::ops::Op;
use crate::amdgcn::target::Target;
use crate::fault::Fault;

/// The message of `s_sendmsg_rtn` that asks for the constant clock.
const GET_REALTIME: u32 = 0x83;

impl Wavefront {
    /// Executes SOP1, SOP2, SOPC and SOPK.
    pub fn scalar_unit(&mut self, inst: &Inst) -> Result<Flow, Box<Fault>> {
        let types = inst.op.info();
        let source = |wave: &Wavefront, i: usize| wave.scalar(inst.src[i], Self::source_type(inst, i));
        let (a, b) = (source(self, 0), source(self, 1));
        let (x, y) = (a as u32, b as u32);
        let (i, j) = (x as i32, y as i32);
        let dst = inst.dst[0];
        let ty = types.dst.first().copied().unwrap_or(Ty::B32);
        let before = self.scalar(dst, ty);
        let imm = i64::from(i);
        let carry = u32::from(self.scc);
        // What is written, and the new condition code where there is one.
        let nonzero = |value: u64| (value, Some(value != 0));
        let word = |value: u32| (u64::from(value), Some(value != 0));
        let keep = |value: u64| (value, None);
        let condition = |scc: bool| (before, Some(scc));
        let (value, scc) = match inst.op {
            Op::s_mov_b32 | Op::s_mov_b64 => keep(a),
            Op::s_movk_i32 => keep(a as i16 as u64),
            Op::s_cmov_b32 | Op::s_cmov_b64 => keep(if self.scc { a } else { before }),
            Op::s_cmovk_i32 => keep(if self.scc { a as i16 as u64 } else { before }),
            Op::s_brev_b32 => keep(u64::from(x.reverse_bits())),
            Op::s_brev_b64 => keep(a.reverse_bits()),
            Op::s_ctz_i32_b32 => keep(found(x.trailing_zeros(), 32)),
            Op::s_ctz_i32_b64 => keep(found(a.trailing_zeros(), 64)),
            Op::s_clz_i32_u32 => keep(found(x.leading_zeros(), 32)),
            Op::s_clz_i32_u64 => keep(found(a.leading_zeros(), 64)),
            Op::s_cls_i32 => keep(found((x ^ (i >> 31) as u32).leading_zeros(), 32)),
            Op::s_cls_i32_i64 => keep(found((a ^ (a as i64 >> 63) as u64).leading_zeros(), 64)),
            Op::s_ff0_i32_b32 => keep(found(x.trailing_ones(), 32)),
            Op::s_ff0_i32_b64 => keep(found(a.trailing_ones(), 64)),
            Op::s_sext_i32_i8 => keep(x as i8 as u64),
            Op::s_sext_i32_i16 => keep(x as i16 as u64),
            Op::s_bitset0_b32 => keep(before & !(1 << (x & 31))),
            Op::s_bitset0_b64 => keep(before & !(1 << (x & 63))),
            Op::s_bitset1_b32 => keep(before | 1 << (x & 31)),
            Op::s_bitset1_b64 => keep(before | 1 << (x & 63)),
            Op::s_bitreplicate_b64_b32 => keep((0..32).fold(0, |all, at| all | u64::from(x >> at & 1) * 3 << (2 * at))),
            Op::s_abs_i32 => word(i.unsigned_abs()),
            Op::s_bcnt0_i32_b32 => word(x.count_zeros()),
            Op::s_bcnt0_i32_b64 => word(a.count_zeros()),
            Op::s_bcnt1_i32_b32 => word(x.count_ones()),
            Op::s_bcnt1_i32_b64 => word(a.count_ones()),
            Op::s_not_b32 => word(!x),
            Op::s_not_b64 => nonzero(!a),
            Op::s_getpc_b64 => keep(self.pc),
            Op::s_setpc_b64 => return Ok(Flow::Jump(a)),
            Op::s_swappc_b64 => {
                self.write_scalar(dst, ty, self.pc);
                return Ok(Flow::Jump(a));
            }
            Op::s_call_b64 => {
                let to = self.pc.wrapping_add((i64::from(x as i16) * 4) as u64);
                self.write_scalar(dst, ty, self.pc);
                return Ok(Flow::Jump(to));
            }

            Op::s_add_u32 => carried(x.overflowing_add(y)),
            Op::s_sub_u32 => carried(x.overflowing_sub(y)),
            Op::s_add_i32 => (u64::from(x.wrapping_add(y)), Some(i.overflowing_add(j).1)),
            Op::s_sub_i32 => (u64::from(x.wrapping_sub(y)), Some(i.overflowing_sub(j).1)),
            Op::s_addc_u32 => {
                let sum = u64::from(x) + u64::from(y) + u64::from(carry);
                (sum & 0xffff_ffff, Some(sum >> 32 != 0))
            }
            Op::s_subb_u32 => (
                u64::from(x.wrapping_sub(y).wrapping_sub(carry)),
                Some(u64::from(y) + u64::from(carry) > u64::from(x)),
            ),
            Op::s_absdiff_i32 => word(i.wrapping_sub(j).unsigned_abs()),
            Op::s_lshl_b32 => word(x << (y & 31)),
            Op::s_lshl_b64 => nonzero(a << (y & 63)),
            Op::s_lshr_b32 => word(x >> (y & 31)),
            Op::s_lshr_b64 => nonzero(a >> (y & 63)),
            Op::s_ashr_i32 => word((i >> (y & 31)) as u32),
            Op::s_ashr_i64 => nonzero((a as i64 >> (y & 63)) as u64),
            Op::s_lshl1_add_u32 => shift_add(x, y, 1),
            Op::s_lshl2_add_u32 => shift_add(x, y, 2),
            Op::s_lshl3_add_u32 => shift_add(x, y, 3),
            Op::s_lshl4_add_u32 => shift_add(x, y, 4),
            Op::s_min_i32 => (u64::from(i.min(j) as u32), Some(i < j)),
            Op::s_min_u32 => (u64::from(x.min(y)), Some(x < y)),
            Op::s_max_i32 => (u64::from(i.max(j) as u32), Some(i > j)),
            Op::s_max_u32 => (u64::from(x.max(y)), Some(x > y)),
            Op::s_and_b32 => word(x & y),
            Op::s_or_b32 => word(x | y),
            Op::s_xor_b32 => word(x ^ y),
            Op::s_nand_b32 => word(!(x & y)),
            Op::s_nor_b32 => word(!(x | y)),
            Op::s_xnor_b32 => word(!(x ^ y)),
            Op::s_and_not1_b32 => word(x & !y),
            Op::s_or_not1_b32 => word(x | !y),
            Op::s_and_b64 => nonzero(a & b),
            Op::s_or_b64 => nonzero(a | b),
            Op::s_xor_b64 => nonzero(a ^ b),
            Op::s_nand_b64 => nonzero(!(a & b)),
            Op::s_nor_b64 => nonzero(!(a | b)),
            Op::s_xnor_b64 => nonzero(!(a ^ b)),
            Op::s_and_not1_b64 => nonzero(a & !b),
            Op::s_or_not1_b64 => nonzero(a | !b),
            Op::s_bfe_u32 => word(field(u64::from(x), y & 31, y >> 16 & 0x7f) as u32),
            Op::s_bfe_i32 => word(signed_field(i64::from(i), y & 31, (y >> 16 & 0x7f).min(32 - (y & 31))) as u32),
            Op::s_bfe_u64 => nonzero(field(a, y & 63, y >> 16 & 0x7f)),
            Op::s_bfe_i64 => nonzero(signed_field(a as i64, y & 63, (y >> 16 & 0x7f).min(64 - (y & 63)))),
            Op::s_bfm_b32 => keep(u64::from(((1u32 << (x & 31)) - 1) << (y & 31))),
            Op::s_bfm_b64 => keep(((1u64 << (x & 63)) - 1) << (y & 63)),
            Op::s_mul_i32 => keep(u64::from(x.wrapping_mul(y))),
            Op::s_mul_hi_u32 => keep(u64::from(x) * u64::from(y) >> 32),
            Op::s_mul_hi_i32 => keep((i64::from(i) * i64::from(j) >> 32) as u64),
            Op::s_cselect_b32 | Op::s_cselect_b64 => keep(if self.scc { a } else { b }),
            Op::s_pack_ll_b32_b16 => keep(u64::from(x & 0xffff | y << 16)),
            Op::s_pack_lh_b32_b16 => keep(u64::from(x & 0xffff | y & 0xffff_0000)),
            Op::s_pack_hh_b32_b16 => keep(u64::from(x >> 16 | y & 0xffff_0000)),
            Op::s_pack_hl_b32_b16 => keep(u64::from(x >> 16 | y << 16)),

            Op::s_cmp_eq_i32 | Op::s_cmp_eq_u32 => condition(x == y),
            Op::s_cmp_lg_i32 | Op::s_cmp_lg_u32 => condition(x != y),
            Op::s_cmp_gt_i32 => condition(i > j),
            Op::s_cmp_ge_i32 => condition(i >= j),
            Op::s_cmp_lt_i32 => condition(i < j),
            Op::s_cmp_le_i32 => condition(i <= j),
            Op::s_cmp_gt_u32 => condition(x > y),
            Op::s_cmp_ge_u32 => condition(x >= y),
            Op::s_cmp_lt_u32 => condition(x < y),
            Op::s_cmp_le_u32 => condition(x <= y),
            Op::s_cmp_eq_u64 => condition(a == b),
            Op::s_cmp_lg_u64 => condition(a != b),
            Op::s_bitcmp0_b32 => condition(x >> (y & 31) & 1 == 0),
            Op::s_bitcmp1_b32 => condition(x >> (y & 31) & 1 == 1),
            Op::s_bitcmp0_b64 => condition(a >> (y & 63) & 1 == 0),
            Op::s_bitcmp1_b64 => condition(a >> (y & 63) & 1 == 1),
            Op::s_cmpk_eq_i32 => condition(before as i32 == i32::from(imm as i16)),
            Op::s_cmpk_lg_i32 => condition(before as i32 != i32::from(imm as i16)),
            Op::s_cmpk_gt_i32 => condition(before as i32 > i32::from(imm as i16)),
            Op::s_cmpk_ge_i32 => condition(before as i32 >= i32::from(imm as i16)),
            Op::s_cmpk_lt_i32 => condition((before as i32) < i32::from(imm as i16)),
            Op::s_cmpk_le_i32 => condition(before as i32 <= i32::from(imm as i16)),
            Op::s_cmpk_eq_u32 => condition(before as u32 == x & 0xffff),
            Op::s_cmpk_lg_u32 => condition(before as u32 != x & 0xffff),
            Op::s_cmpk_gt_u32 => condition(before as u32 > x & 0xffff),
            Op::s_cmpk_ge_u32 => condition(before as u32 >= x & 0xffff),
            Op::s_cmpk_lt_u32 => condition((before as u32) < x & 0xffff),
            Op::s_cmpk_le_u32 => condition(before as u32 <= x & 0xffff),
            Op::s_addk_i32 => {
                let (sum, overflow) = (before as i32).overflowing_add(i32::from(imm as i16));
                (u64::from(sum as u32), Some(overflow))
            }
            Op::s_mulk_i32 => keep(u64::from((before as i32).wrapping_mul(i32::from(imm as i16)) as u32)),
            Op::s_getreg_b32 => keep(u64::from(self.hardware_register(inst, x)?)),
            Op::s_setreg_b32 | Op::s_setreg_imm32_b32 => {
                // The value and which register are told apart by where the decoder puts the immediate.
                self.set_hardware_register(inst)?;
                return Ok(Flow::Next);
            }
            // Nothing is ever outstanding.
            Op::s_waitcnt_vscnt | Op::s_waitcnt_vmcnt | Op::s_waitcnt_expcnt | Op::s_waitcnt_lgkmcnt => {
                return Ok(Flow::Next);
            }
            Op::s_version => return Ok(Flow::Next),
            Op::s_sendmsg_rtn_b32 | Op::s_sendmsg_rtn_b64 if x == GET_REALTIME => keep(clock()),
            op => return self.save_exec(inst, op, a),
        };
        // Comparisons have no place for a result; writing the old value back changes nothing.
        let only_scc = scc.is_some() && is_compare(inst.op);
        if !types.dst.is_empty() && !only_scc {
            self.write_scalar(dst, ty, value);
        }
        if let Some(scc) = scc {
            self.scc = scc;
        }
        Ok(Flow::Next)
    }

    fn write_scalar(&mut self, dst: Operand, ty: Ty, value: u64) {
        if let Operand::Sgpr(reg) = dst {
            if self.dwords(ty) == 2 {
                self.set_s64(reg, value);
            } else {
                self.set_s(reg, value as u32);
            }
        }
    }

    fn save_exec(&mut self, inst: &Inst, op: Op, mask: u64) -> Result<Flow, Box<Fault>> {
        let wide = inst.op.info().src == [Ty::B64];
        let exec = if wide {
            self.s64(sgpr::EXEC)
        } else {
            u64::from(self.s(sgpr::EXEC))
        };
        let (next, result_is_old) = match op {
            Op::s_and_saveexec_b32 | Op::s_and_saveexec_b64 => (mask & exec, true),
            Op::s_or_saveexec_b32 | Op::s_or_saveexec_b64 => (mask | exec, true),
            Op::s_xor_saveexec_b32 | Op::s_xor_saveexec_b64 => (mask ^ exec, true),
            Op::s_nand_saveexec_b32 | Op::s_nand_saveexec_b64 => (!(mask & exec), true),
            Op::s_nor_saveexec_b32 | Op::s_nor_saveexec_b64 => (!(mask | exec), true),
            Op::s_xnor_saveexec_b32 | Op::s_xnor_saveexec_b64 => (!(mask ^ exec), true),
            Op::s_and_not0_saveexec_b32 | Op::s_and_not0_saveexec_b64 => (!mask & exec, true),
            Op::s_or_not0_saveexec_b32 | Op::s_or_not0_saveexec_b64 => (!mask | exec, true),
            Op::s_and_not1_saveexec_b32 | Op::s_and_not1_saveexec_b64 => (mask & !exec, true),
            Op::s_or_not1_saveexec_b32 | Op::s_or_not1_saveexec_b64 => (mask | !exec, true),
            Op::s_and_not0_wrexec_b32 | Op::s_and_not0_wrexec_b64 => (!mask & exec, false),
            Op::s_and_not1_wrexec_b32 | Op::s_and_not1_wrexec_b64 => (mask & !exec, false),
            _ => return Err(unsupported(inst)),
        };
        let next = if wide { next } else { next & 0xffff_ffff };
        let ty = if wide { Ty::B64 } else { Ty::B32 };
        self.write_scalar(Operand::Sgpr(sgpr::EXEC), ty, next);
        self.write_scalar(inst.dst[0], ty, if result_is_old { exec } else { next });
        self.scc = next != 0;
        Ok(Flow::Next)
    }

    /// `s_getreg_b32`: bits of a hardware register. MODE is 1; what else kernels ask for identifies hardware.
    fn hardware_register(&self, inst: &Inst, which: u32) -> Result<u32, Box<Fault>> {
        let (id, offset, size) = (which & 0x3f, which >> 6 & 31, (which >> 11 & 31) + 1);
        let value = match id {
            1 => self.mode,
            // HW_ID and its successors on GFX10: where the wavefront runs, which is nowhere.
            4 | 20 | 23 | 24 => 0,
            // Cycles, of which this register has the lowest 20 bits.
            29 => clock() as u32 & 0xf_ffff,
            // The upper halves of the apertures' addresses.
            15 => (super::kernel::PRIVATE_APERTURE >> 48) as u32 | (super::kernel::GROUP_APERTURE >> 48 << 16) as u32,
            _ => return Err(unsupported(inst)),
        };
        Ok(field(u64::from(value), offset, size) as u32)
    }

    fn set_hardware_register(&mut self, inst: &Inst) -> Result<(), Box<Fault>> {
        let is_imm = |operand: Operand| matches!(operand, Operand::Int(_));
        let [first, second, ..] = inst.src;
        let types = inst.op.info().src;
        let (value, which) = if types.first() == Some(&Ty::Imm) || (is_imm(first) && !is_imm(second)) {
            (second, first)
        } else {
            (first, second)
        };
        let which = self.scalar(which, Ty::Imm) as u32;
        // `s_setreg_b32` reads its register where others write.
        let value = if value == Operand::None { inst.dst[0] } else { value };
        let value = self.scalar(value, Ty::B32) as u32;
        let (id, offset, size) = (which & 0x3f, which >> 6 & 31, (which >> 11 & 31) + 1);
        // GFX10 writes where its scratch is (FLAT_SCR) here: each wavefront has its own at the same address.
        if matches!(id, 20 | 21) && self.target == Target::Gfx1030 {
            return Ok(());
        }
        if id != 1 {
            return Err(unsupported(inst));
        }
        let mask = (field(u64::MAX, 0, size) << offset) as u32;
        self.set_mode(self.mode & !mask | value << offset & mask)
    }

    /// Writes MODE.
    ///
    /// # Errors
    /// For a rounding mode other than to the nearest.
    pub fn set_mode(&mut self, mode: u32) -> Result<(), Box<Fault>> {
        if mode & 0xf != 0 {
            return Err(super::code::illegal(format!(
                "rounding mode {:#x} is not supported, only to the nearest",
                mode & 0xf
            )));
        }
        self.mode = mode;
        Ok(())
    }
}

fn is_compare(op: Op) -> bool {
    op.info().name.starts_with("s_cmp") || op.info().name.starts_with("s_bitcmp")
}

fn carried((value, carry): (u32, bool)) -> (u64, Option<bool>) {
    (u64::from(value), Some(carry))
}

fn shift_add(x: u32, y: u32, by: u32) -> (u64, Option<bool>) {
    let sum = (u64::from(x) << by) + u64::from(y);
    (sum & 0xffff_ffff, Some(sum >> 32 != 0))
}

/// A bit's number, or all ones where there is none.
fn found(number: u32, none: u32) -> u64 {
    if number == none {
        u64::from(u32::MAX)
    } else {
        u64::from(number)
    }
}

/// `count` bits of `value` from `low` up.
pub fn field(value: u64, low: u32, count: u32) -> u64 {
    let value = value.checked_shr(low).unwrap_or(0);
    match count {
        64.. => value,
        _ => value & ((1 << count) - 1),
    }
}

/// The same, sign-extended; `low + count` is at most 64.
pub fn signed_field(value: i64, low: u32, count: u32) -> u64 {
    if count == 0 {
        return 0;
    }
    ((value << (64 - low - count)) >> (64 - count)) as u64
}
