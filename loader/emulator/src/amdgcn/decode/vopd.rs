//! VOPD: two operations in one instruction (GFX11).

use super::vector::VCC;
use super::{Decoded, Reason, Stream, field};
use crate::amdgcn::inst::{Form, Inst, Operand};
use crate::amdgcn::ops::Op;

/// Operations by their number in either half; the last three exist in the second only.
const OPERATIONS: [Option<Op>; 19] = [
    Some(Op::v_fmac_f32),
    Some(Op::v_fmaak_f32),
    Some(Op::v_fmamk_f32),
    Some(Op::v_mul_f32),
    Some(Op::v_add_f32),
    Some(Op::v_sub_f32),
    Some(Op::v_subrev_f32),
    Some(Op::v_mul_dx9_zero_f32),
    Some(Op::v_mov_b32),
    Some(Op::v_cndmask_b32),
    Some(Op::v_max_f32),
    Some(Op::v_min_f32),
    Some(Op::v_dot2acc_f32_f16),
    Some(Op::v_dot2acc_f32_bf16),
    None,
    None,
    Some(Op::v_add_nc_u32),
    Some(Op::v_lshlrev_b32),
    Some(Op::v_and_b32),
];

impl Stream {
    pub(super) fn vopd(&mut self) -> Decoded<Inst> {
        let low = self.low();
        let high = self.high()?;
        let x_dst = field(high, 24, 8);
        // One result is in an even register, the other in an odd one: only the first says which.
        let y_dst = field(high, 17, 7) << 1 | u32::from(x_dst & 1 == 0);
        let mut x = self.half(field(low, 22, 4), x_dst, field(low, 0, 9), field(low, 9, 8))?;
        let y = self.half(field(low, 17, 5), y_dst, field(high, 0, 9), field(high, 9, 8))?;
        x.second = Some(Box::new(y));
        Ok(x)
    }

    fn half(&mut self, number: u32, vdst: u32, src0: u32, vsrc1: u32) -> Decoded<Inst> {
        let op = OPERATIONS
            .get(number as usize)
            .copied()
            .flatten()
            .ok_or(Reason::Unknown)?;
        let mut inst = self.new_inst(op, Form::Vopd);
        let info = op.info();
        inst.dst[0] = self.vgpr(vdst, info.dst[0])?;
        inst.src[0] = self.short_src(src0, info.src[0])?;
        match op {
            Op::v_mov_b32 => {
                if vsrc1 != 0 {
                    return Err(Reason::Unknown);
                }
            }
            Op::v_fmamk_f32 => {
                inst.src[1] = Operand::Literal(self.literal()?);
                inst.src[2] = self.vgpr(vsrc1, info.src[2])?;
            }
            Op::v_fmaak_f32 => {
                inst.src[1] = self.vgpr(vsrc1, info.src[1])?;
                inst.src[2] = Operand::Literal(self.literal()?);
            }
            _ => {
                inst.src[1] = self.vgpr(vsrc1, info.src[1])?;
                if op == Op::v_cndmask_b32 {
                    inst.src[2] = VCC;
                }
            }
        }
        Ok(inst)
    }
}
