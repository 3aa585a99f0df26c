//! VOP3P: operations on two values in a register or a pair of them.

use half::f16;

use super::float;
use super::run::unsupported;
use super::wave::Wavefront;
use crate::amdgcn::inst::{Inst, Ty};
use crate::amdgcn::ops::Op;
use crate::fault::Fault;

impl Wavefront {
    /// Executes VOP3P.
    pub fn packed_unit(&mut self, inst: &Inst) -> Result<(), Box<Fault>> {
        let info = inst.op.info();
        match inst.op {
            Op::v_accvgpr_read_b32 | Op::v_accvgpr_write_b32 => {
                for lane in self.active() {
                    let value = self.lane(inst.src[0], Ty::B32, lane);
                    self.set_lane(inst.dst[0], Ty::B32, lane, value);
                }
                return Ok(());
            }
            Op::v_fma_mix_f32 | Op::v_fma_mixlo_f16 | Op::v_fma_mixhi_f16 => {
                for lane in self.active() {
                    self.mix(inst, lane);
                }
                return Ok(());
            }
            _ => {}
        }
        let (ty, wide) = (info.dst[0], self.dwords(info.dst[0]) == 2);
        if inst.mods.clamp {
            return Err(unsupported(inst));
        }
        for lane in self.active() {
            let mut halves = [0; 2];
            for (part, half) in halves.iter_mut().enumerate() {
                let (select, neg) = if part == 0 || inst.op == Op::v_pk_mov_b32 {
                    (inst.mods.op_sel, inst.mods.neg)
                } else {
                    (inst.mods.op_sel_hi, inst.mods.neg_hi)
                };
                let source = |i: usize| {
                    let value = self.lane(inst.src[i], Self::source_type(inst, i), lane);
                    let high = select >> i & 1 == 1;
                    let bits = if wide { 32 } else { 16 };
                    let value = if high { value >> bits } else { value } & ((1 << bits) - 1);
                    value ^ u64::from(neg >> i & 1) << (bits - 1)
                };
                let sources = [source(0), source(1), source(2)];
                *half = packed(inst.op, part, sources).ok_or_else(|| unsupported(inst))?;
            }
            let value = if wide {
                halves[0] & 0xffff_ffff | halves[1] << 32
            } else {
                halves[0] & 0xffff | (halves[1] & 0xffff) << 16
            };
            self.set_lane(inst.dst[0], ty, lane, value);
        }
        Ok(())
    }

    /// `v_fma_mix`: each source is single precision, or half precision from either half.
    fn mix(&mut self, inst: &Inst, lane: usize) {
        let mods = inst.mods;
        let source = |i: usize| {
            let bits = self.lane(inst.src[i], Ty::F32, lane) as u32;
            let value = match (mods.op_sel_hi >> i & 1, mods.op_sel >> i & 1) {
                (0, _) => f32::from_bits(bits),
                (_, 0) => f16::from_bits(bits as u16).to_f32(),
                _ => f16::from_bits((bits >> 16) as u16).to_f32(),
            };
            let value = if (mods.abs | mods.neg_hi) >> i & 1 == 1 {
                value.abs()
            } else {
                value
            };
            if mods.neg >> i & 1 == 1 { -value } else { value }
        };
        let (a, b, c) = (source(0), source(1), source(2));
        let single = a.mul_add(b, c);
        let single = if mods.clamp { single.clamp(0.0, 1.0) } else { single };
        let before = self.lane(inst.dst[0], Ty::B32, lane) as u32;
        let narrow = || u32::from(f16::from_f32(single).to_bits());
        let value = match inst.op {
            Op::v_fma_mixlo_f16 => before & 0xffff_0000 | narrow(),
            Op::v_fma_mixhi_f16 => before & 0xffff | narrow() << 16,
            _ => single.to_bits(),
        };
        self.set_lane(inst.dst[0], Ty::B32, lane, u64::from(value));
    }
}

/// One part of a packed operation.
fn packed(op: Op, part: usize, [a, b, c]: [u64; 3]) -> Option<u64> {
    let (x, y, z) = (a as u16, b as u16, c as u16);
    let (i, j) = (x as i16, y as i16);
    let h = |bits: u16| f16::from_bits(bits).to_f64();
    let half = |value: f64| u64::from(f16::from_f64(value).to_bits());
    let f = |bits: u64| f32::from_bits(bits as u32);
    let single = |value: f32| u64::from(value.to_bits());
    Some(match op {
        Op::v_pk_mad_i16 | Op::v_pk_mad_u16 => u64::from(x.wrapping_mul(y).wrapping_add(z)),
        Op::v_pk_mul_lo_u16 => u64::from(x.wrapping_mul(y)),
        Op::v_pk_add_i16 | Op::v_pk_add_u16 => u64::from(x.wrapping_add(y)),
        Op::v_pk_sub_i16 | Op::v_pk_sub_u16 => u64::from(x.wrapping_sub(y)),
        Op::v_pk_lshlrev_b16 => u64::from(y << (x & 15)),
        Op::v_pk_lshrrev_b16 => u64::from(y >> (x & 15)),
        Op::v_pk_ashrrev_i16 => u64::from((j >> (x & 15)) as u16),
        Op::v_pk_max_i16 => u64::from(i.max(j) as u16),
        Op::v_pk_min_i16 => u64::from(i.min(j) as u16),
        Op::v_pk_max_u16 => u64::from(x.max(y)),
        Op::v_pk_min_u16 => u64::from(x.min(y)),
        Op::v_pk_fma_f16 => half(h(x).mul_add(h(y), h(z))),
        Op::v_pk_add_f16 => half(h(x) + h(y)),
        Op::v_pk_mul_f16 => half(h(x) * h(y)),
        Op::v_pk_min_f16 => half(float::min(h(x), h(y))),
        Op::v_pk_max_f16 => half(float::max(h(x), h(y))),
        Op::v_pk_fma_f32 => single(f(a).mul_add(f(b), f(c))),
        Op::v_pk_mul_f32 => single(f(a) * f(b)),
        Op::v_pk_add_f32 => single(f(a) + f(b)),
        // The low result comes from source 0, the high one from source 1, each half chosen by `op_sel`.
        Op::v_pk_mov_b32 => {
            if part == 0 {
                a
            } else {
                b
            }
        }
        _ => return None,
    })
}
