//! The vector unit: VOP1, VOP2, VOPC, VOP3 and VOPD.

use half::f16;

use super::float::{self, Denormals, flush};
use super::lanes::{deposit, is_half, select};
use super::run::unsupported;
use super::scalar::{field, signed_field};
use super::wave::{LANES, Row, Wavefront};
use crate::amdgcn::inst::{Inst, Operand, Shuffle, Ty, sgpr};
use crate::amdgcn::ops::{Cond, Op};
use crate::fault::Fault;

/// What an instruction writes, before it is written: VOPD reads everything first.
struct Written {
    values: Row,
    /// Lanes that are written.
    lanes: u64,
    /// The second result, a lane mask.
    mask: Option<u64>,
}

/// The sources of one lane.
struct Sources {
    a: u64,
    b: u64,
    c: u64,
}

impl Wavefront {
    /// Executes VOP1, VOP2, VOPC, VOP3 and VOPD.
    pub fn vector_unit(&mut self, inst: &Inst) -> Result<(), Box<Fault>> {
        match inst.op {
            Op::v_nop | Op::v_pipeflush | Op::v_clrexcp => return Ok(()),
            Op::v_readfirstlane_b32 => {
                let value = self.lane(inst.src[0], Ty::B32, self.first_lane());
                self.write_lane_value(inst, value);
                return Ok(());
            }
            Op::v_readlane_b32 => {
                let lane = self.scalar(inst.src[1], Ty::B32) as usize & (self.lanes - 1);
                let value = self.lane(inst.src[0], Ty::B32, lane);
                self.write_lane_value(inst, value);
                return Ok(());
            }
            Op::v_writelane_b32 => {
                let lane = self.scalar(inst.src[1], Ty::B32) as usize & (self.lanes - 1);
                let value = self.scalar(inst.src[0], Ty::B32);
                self.set_lane(inst.dst[0], Ty::B32, lane, value);
                return Ok(());
            }
            Op::v_swap_b32 | Op::v_swap_b16 => {
                for lane in self.active() {
                    let ty = inst.op.info().dst[0];
                    let (a, b) = (self.lane(inst.dst[0], ty, lane), self.lane(inst.src[0], ty, lane));
                    self.set_lane(inst.dst[0], ty, lane, b);
                    self.set_lane(inst.src[0], ty, lane, a);
                }
                return Ok(());
            }
            Op::v_permlane16_b32 | Op::v_permlanex16_b32 => {
                self.permute_rows(inst);
                return Ok(());
            }
            Op::v_permlane64_b32 => {
                let from = self.row(inst.src[0], Ty::B32, u64::MAX);
                for lane in self.active() {
                    self.set_lane(inst.dst[0], Ty::B32, lane, from[lane ^ 32]);
                }
                return Ok(());
            }
            _ => {}
        }
        let first = self.compute(inst)?;
        let second = match &inst.second {
            Some(second) => Some((second, self.compute(second)?)),
            None => None,
        };
        self.write(inst, &first);
        if let Some((inst, result)) = second {
            self.write(inst, &result);
        }
        Ok(())
    }

    fn write_lane_value(&mut self, inst: &Inst, value: u64) {
        if let Operand::Sgpr(reg) = inst.dst[0] {
            self.set_s(reg, value as u32);
        }
    }

    fn denormals(&self, ty: Ty) -> Denormals {
        Denormals::new(if ty == Ty::F32 { self.mode >> 4 } else { self.mode >> 6 })
    }

    /// A source of all lanes, with its modifiers applied.
    fn source(&self, inst: &Inst, i: usize, exec: u64) -> (Row, u64) {
        let operand = inst.src[i];
        let ty = Self::source_type(inst, i);
        if operand == Operand::None {
            return ([0; LANES], 0);
        }
        if ty == Ty::Mask {
            let mask = match operand {
                Operand::Sgpr(reg) => self.mask(reg),
                other => self.scalar(other, ty),
            };
            return (std::array::from_fn(|lane| mask >> lane & 1), 0);
        }
        let (mut row, kept) = if i == 0 {
            self.shuffled(inst, ty, exec)
        } else {
            (self.row(operand, ty, exec), 0)
        };
        let has = |mask: u8| mask >> i & 1 == 1;
        let mods = inst.mods;
        if let (Shuffle::Sdwa(sdwa), 0 | 1) = (inst.shuffle, i) {
            for value in &mut row {
                *value = select(*value, sdwa.src_sel[i], has(mods.sext));
            }
        } else if ty.is_half() && has(mods.op_sel) && !is_half(operand) {
            for value in &mut row {
                *value = *value >> 16 & 0xffff;
            }
        }
        let sign = if ty.is_half() {
            15
        } else if self.dwords(ty) == 2 {
            63
        } else {
            31
        };
        let flushes =
            ty == Ty::F32 && !self.denormals(ty).read && !matches!(inst.op, Op::v_mov_b32 | Op::v_cndmask_b32);
        if has(mods.abs) || has(mods.neg) || flushes {
            for value in &mut row {
                if has(mods.abs) {
                    *value &= !(1 << sign);
                }
                if has(mods.neg) {
                    *value ^= 1 << sign;
                }
                if flushes {
                    *value = u64::from(flush(f32::from_bits(*value as u32), false).to_bits());
                }
            }
        }
        (row, kept)
    }

    fn compute(&self, inst: &Inst) -> Result<Written, Box<Fault>> {
        let exec = self.exec();
        let info = inst.op.info();
        let (a, kept) = self.source(inst, 0, exec);
        let (b, _) = self.source(inst, 1, exec);
        let (mut c, _) = self.source(inst, 2, exec);
        let ty = info.dst.first().copied().unwrap_or(Ty::B32);
        if accumulates(inst.op) {
            c = self.row(inst.dst[0], ty, exec);
        }
        let vcc = self.mask(sgpr::VCC);
        let mut values = [0; LANES];
        let mut mask = None;
        for lane in self.active() {
            if kept >> lane & 1 == 1 {
                continue;
            }
            let sources = Sources {
                a: a[lane],
                b: b[lane],
                c: c[lane],
            };
            if let Some(cond) = inst.cond.or(class_condition(inst.op)) {
                let holds = compare(inst.op, cond, &sources).ok_or_else(|| unsupported(inst))?;
                *mask.get_or_insert(0) |= u64::from(holds) << lane;
                continue;
            }
            if let Some((value, bit)) = with_mask(inst.op, &sources, inst.mods.clamp) {
                values[lane] = value;
                *mask.get_or_insert(0) |= u64::from(bit) << lane;
                continue;
            }
            let value = match inst.op {
                Op::v_div_fmas_f32 => {
                    let f = |bits: u64| f32::from_bits(bits as u32);
                    let scale = vcc >> lane & 1 == 1;
                    u64::from(float::div_fmas32(f(sources.a), f(sources.b), f(sources.c), scale).to_bits())
                }
                Op::v_div_fmas_f64 => {
                    let scale = vcc >> lane & 1 == 1;
                    let d = f64::from_bits;
                    float::div_fmas64(d(sources.a), d(sources.b), d(sources.c), scale).to_bits()
                }
                Op::v_mbcnt_lo_u32_b32 => {
                    let below = if lane < 32 { (1u64 << lane) - 1 } else { 0xffff_ffff };
                    sources.b.wrapping_add(u64::from((sources.a & below).count_ones()))
                }
                Op::v_mbcnt_hi_u32_b32 => {
                    let below = if lane < 32 { 0 } else { (1u64 << (lane - 32)) - 1 };
                    sources.b.wrapping_add(u64::from((sources.a & below).count_ones()))
                }
                op => operate(op, &sources, inst.mods.clamp).ok_or_else(|| unsupported(inst))?,
            };
            values[lane] = self.finish(inst, ty, value)?;
        }
        if has_mask_result(inst) && mask.is_none() {
            mask = Some(0);
        }
        Ok(Written {
            values,
            lanes: exec & !kept,
            mask,
        })
    }

    /// Output modifiers: scaling, clamping, denormals.
    fn finish(&self, inst: &Inst, ty: Ty, value: u64) -> Result<u64, Box<Fault>> {
        if !ty.is_float() || matches!(inst.op, Op::v_mov_b32 | Op::v_cndmask_b32) {
            return Ok(value);
        }
        let factor = [1.0, 2.0, 4.0, 0.5][usize::from(inst.mods.omod & 3)];
        let plain = inst.mods.omod == 0 && !inst.mods.clamp;
        Ok(match ty {
            Ty::F32 => {
                let mut f = f32::from_bits(value as u32);
                if !plain {
                    f *= factor as f32;
                    if inst.mods.clamp {
                        f = if f.is_nan() { 0.0 } else { f.clamp(0.0, 1.0) };
                    }
                }
                u64::from(flush(f, self.denormals(ty).written).to_bits())
            }
            _ if plain => value,
            Ty::F64 => {
                let d = f64::from_bits(value) * factor;
                let clamped = if d.is_nan() { 0.0 } else { d.clamp(0.0, 1.0) };
                if inst.mods.clamp { clamped } else { d }.to_bits()
            }
            Ty::F16 => {
                let d = f16::from_bits(value as u16).to_f64() * factor;
                let clamped = if d.is_nan() { 0.0 } else { d.clamp(0.0, 1.0) };
                u64::from(f16::from_f64(if inst.mods.clamp { clamped } else { d }).to_bits())
            }
            _ => return Err(unsupported(inst)),
        })
    }

    fn write(&mut self, inst: &Inst, result: &Written) {
        let info = inst.op.info();
        let is_compare = inst.cond.is_some() || class_condition(inst.op).is_some();
        if !is_compare {
            let ty = info.dst.first().copied().unwrap_or(Ty::B32);
            let dst = inst.dst[0];
            let narrow = ty.is_half() && !is_half(dst);
            for lane in (0..self.lanes).filter(|lane| result.lanes >> lane & 1 == 1) {
                let value = result.values[lane];
                let before = self.dword(dst, 0, lane);
                let value = match inst.shuffle {
                    Shuffle::Sdwa(sdwa) => u64::from(deposit(before, value as u32, sdwa)),
                    _ if narrow && inst.mods.op_sel & 8 != 0 => u64::from(before & 0xffff | (value as u32) << 16),
                    // GFX9 clears the other half, later generations keep it.
                    _ if narrow && self.is_gfx9() => value & 0xffff,
                    _ if narrow => u64::from(before & 0xffff_0000 | value as u32 & 0xffff),
                    _ => value,
                };
                self.set_lane(dst, ty, lane, value);
            }
        }
        let Some(mask) = result.mask else {
            return;
        };
        let place = if is_compare { inst.dst[0] } else { inst.dst[1] };
        if let Operand::Sgpr(reg) = place {
            self.set_mask(reg, mask);
        }
        // `v_cmpx` of GFX9 writes EXEC beside its result.
        if is_compare && info.name.starts_with("v_cmpx") {
            self.set_mask(sgpr::EXEC, mask);
        }
    }
}

fn has_mask_result(inst: &Inst) -> bool {
    inst.op.info().dst.contains(&Ty::Mask)
}

/// Whether the result register is also the last source.
fn accumulates(op: Op) -> bool {
    matches!(
        op,
        Op::v_fmac_f32
            | Op::v_fmac_f16
            | Op::v_fmac_f64
            | Op::v_mac_f32
            | Op::v_mac_f16
            | Op::v_pk_fmac_f16
            | Op::v_fmac_dx9_zero_f32
    )
}

fn class_condition(op: Op) -> Option<Cond> {
    matches!(
        op,
        Op::v_cmp_class_f16
            | Op::v_cmp_class_f32
            | Op::v_cmp_class_f64
            | Op::v_cmpx_class_f16
            | Op::v_cmpx_class_f32
            | Op::v_cmpx_class_f64
    )
    .then_some(Cond::T)
}

fn compare(op: Op, cond: Cond, s: &Sources) -> Option<bool> {
    use std::cmp::Ordering::{self, Equal, Greater, Less};
    let (a, b) = (s.a, s.b);
    let class =
        |value: f64, subnormal: bool, quiet: bool| float::class(value, subnormal, quiet) & b as u32 & 0x3ff != 0;
    let order: Option<Ordering> = match op {
        Op::v_cmp_f16 | Op::v_cmpx_f16 => f16::from_bits(a as u16).partial_cmp(&f16::from_bits(b as u16)),
        Op::v_cmp_f32 | Op::v_cmpx_f32 => f32::from_bits(a as u32).partial_cmp(&f32::from_bits(b as u32)),
        Op::v_cmp_f64 | Op::v_cmpx_f64 => f64::from_bits(a).partial_cmp(&f64::from_bits(b)),
        Op::v_cmp_i16 | Op::v_cmpx_i16 => Some((a as i16).cmp(&(b as i16))),
        Op::v_cmp_u16 | Op::v_cmpx_u16 => Some((a as u16).cmp(&(b as u16))),
        Op::v_cmp_i32 | Op::v_cmpx_i32 => Some((a as i32).cmp(&(b as i32))),
        Op::v_cmp_u32 | Op::v_cmpx_u32 => Some((a as u32).cmp(&(b as u32))),
        Op::v_cmp_i64 | Op::v_cmpx_i64 => Some((a as i64).cmp(&(b as i64))),
        Op::v_cmp_u64 | Op::v_cmpx_u64 => Some(a.cmp(&b)),
        Op::v_cmp_class_f16 | Op::v_cmpx_class_f16 => {
            let value = f16::from_bits(a as u16);
            let subnormal = a & 0x7c00 == 0 && a & 0x3ff != 0;
            return Some(class(value.to_f64(), subnormal, a & 0x200 != 0));
        }
        Op::v_cmp_class_f32 | Op::v_cmpx_class_f32 => {
            let value = f32::from_bits(a as u32);
            return Some(class(f64::from(value), value.is_subnormal(), a & 0x40_0000 != 0));
        }
        Op::v_cmp_class_f64 | Op::v_cmpx_class_f64 => {
            let value = f64::from_bits(a);
            return Some(class(value, value.is_subnormal(), a & 1 << 51 != 0));
        }
        _ => return None,
    };
    Some(match cond {
        Cond::F => false,
        Cond::T => true,
        Cond::Lt => order == Some(Less),
        Cond::Eq => order == Some(Equal),
        Cond::Le => matches!(order, Some(Less | Equal)),
        Cond::Gt => order == Some(Greater),
        Cond::Lg => matches!(order, Some(Less | Greater)),
        Cond::Ge => matches!(order, Some(Greater | Equal)),
        Cond::O => order.is_some(),
        Cond::U => order.is_none(),
        Cond::Nge => !matches!(order, Some(Greater | Equal)),
        Cond::Nlg => !matches!(order, Some(Less | Greater)),
        Cond::Ngt => order != Some(Greater),
        Cond::Nle => !matches!(order, Some(Less | Equal)),
        Cond::Neq => order != Some(Equal),
        Cond::Nlt => order != Some(Less),
    })
}

/// Operations with a lane mask as second result.
fn with_mask(op: Op, s: &Sources, clamp: bool) -> Option<(u64, bool)> {
    let (x, y) = (s.a as u32, s.b as u32);
    let f = |bits: u64| f32::from_bits(bits as u32);
    let add = |x: u32, y: u32, carry: u64| {
        let sum = u64::from(x) + u64::from(y) + carry;
        let over = sum >> 32 != 0;
        (if clamp && over { 0xffff_ffff } else { sum & 0xffff_ffff }, over)
    };
    let sub = |x: u32, y: u32, borrow: u64| {
        let under = u64::from(y) + borrow > u64::from(x);
        let value = u64::from(x.wrapping_sub(y).wrapping_sub(borrow as u32));
        (if clamp && under { 0 } else { value }, under)
    };
    Some(match op {
        Op::v_add_co_u32 => add(x, y, 0),
        Op::v_sub_co_u32 => sub(x, y, 0),
        Op::v_subrev_co_u32 => sub(y, x, 0),
        Op::v_add_co_ci_u32 => add(x, y, s.c),
        Op::v_sub_co_ci_u32 => sub(x, y, s.c),
        Op::v_subrev_co_ci_u32 => sub(y, x, s.c),
        Op::v_mad_u64_u32 => (u64::from(x) * u64::from(y)).overflowing_add(s.c),
        Op::v_mad_i64_i32 => {
            let product = i64::from(x as i32) * i64::from(y as i32);
            let (sum, over) = product.overflowing_add(s.c as i64);
            (sum as u64, over)
        }
        Op::v_div_scale_f32 => {
            let (value, scaled) = float::div_scale32(f(s.a), f(s.b), f(s.c));
            (u64::from(value.to_bits()), scaled)
        }
        Op::v_div_scale_f64 => {
            let d = f64::from_bits;
            let (value, scaled) = float::div_scale64(d(s.a), d(s.b), d(s.c));
            (value.to_bits(), scaled)
        }
        _ => return None,
    })
}

/// Everything else: one value from up to three.
fn operate(op: Op, s: &Sources, clamp: bool) -> Option<u64> {
    integer(op, s, clamp)
        .or_else(|| single(op, s))
        .or_else(|| double(op, s))
        .or_else(|| half_precision(op, s))
}

fn integer(op: Op, s: &Sources, clamp: bool) -> Option<u64> {
    let (a, b, c) = (s.a, s.b, s.c);
    let (x, y, z) = (a as u32, b as u32, c as u32);
    let (i, j, k) = (x as i32, y as i32, z as i32);
    let (x16, y16, z16) = (x as u16, y as u16, z as u16);
    let (i16, j16) = (x16 as i16, y16 as i16);
    let u = u64::from;
    let signed = |value: i32| u64::from(value as u32);
    let u24 = |value: u32| u64::from(value & 0xff_ffff);
    let i24 = |value: i32| i64::from(value << 8 >> 8);
    let saturated = |wrapped: u32, clamped: u32| u64::from(if clamp { clamped } else { wrapped });
    let number = |number: u32, none: u32| if number == none { 0xffff_ffff } else { u64::from(number) };
    Some(match op {
        Op::v_mov_b32 | Op::v_mov_b16 | Op::v_mov_b64 | Op::v_accvgpr_mov_b32 => a,
        Op::v_cndmask_b32 | Op::v_cndmask_b16 => {
            if c & 1 == 1 {
                b
            } else {
                a
            }
        }
        Op::v_not_b32 | Op::v_not_b16 => u(!x),
        Op::v_bfrev_b32 => u(x.reverse_bits()),
        Op::v_clz_i32_u32 => number(x.leading_zeros(), 32),
        Op::v_ctz_i32_b32 => number(x.trailing_zeros(), 32),
        Op::v_cls_i32 => number((x ^ (i >> 31) as u32).leading_zeros(), 32),
        Op::v_cvt_i32_i16 => signed(i32::from(i16)),
        Op::v_cvt_u32_u16 => u(u32::from(x16)),
        Op::v_add_nc_u32 => saturated(x.wrapping_add(y), x.saturating_add(y)),
        Op::v_sub_nc_u32 => saturated(x.wrapping_sub(y), x.saturating_sub(y)),
        Op::v_subrev_nc_u32 => saturated(y.wrapping_sub(x), y.saturating_sub(x)),
        Op::v_add_nc_i32 => saturated(x.wrapping_add(y), i.saturating_add(j) as u32),
        Op::v_sub_nc_i32 => saturated(x.wrapping_sub(y), i.saturating_sub(j) as u32),
        Op::v_mul_i32_i24 => u((i24(i) * i24(j)) as u32),
        Op::v_mul_hi_i32_i24 => u((i24(i) * i24(j) >> 32) as u32),
        Op::v_mul_u32_u24 => u24(x) * u24(y) & 0xffff_ffff,
        Op::v_mul_hi_u32_u24 => u24(x) * u24(y) >> 32,
        Op::v_mad_u32_u24 if !clamp => (u24(x) * u24(y)).wrapping_add(c) & 0xffff_ffff,
        Op::v_mad_i32_i24 if !clamp => u((i24(i) * i24(j)).wrapping_add(i64::from(k)) as u32),
        Op::v_mul_lo_u32 => u(x.wrapping_mul(y)),
        Op::v_mul_hi_u32 => u(x) * u(y) >> 32,
        Op::v_mul_hi_i32 => u((i64::from(i) * i64::from(j) >> 32) as u32),
        Op::v_min_i32 => signed(i.min(j)),
        Op::v_max_i32 => signed(i.max(j)),
        Op::v_min_u32 => u(x.min(y)),
        Op::v_max_u32 => u(x.max(y)),
        Op::v_min3_i32 => signed(i.min(j).min(k)),
        Op::v_max3_i32 => signed(i.max(j).max(k)),
        Op::v_med3_i32 => signed(i.max(j).min(i.min(j).max(k))),
        Op::v_min3_u32 => u(x.min(y).min(z)),
        Op::v_max3_u32 => u(x.max(y).max(z)),
        Op::v_med3_u32 => u(x.max(y).min(x.min(y).max(z))),
        Op::v_maxmin_u32 => u(x.max(y).min(z)),
        Op::v_minmax_u32 => u(x.min(y).max(z)),
        Op::v_maxmin_i32 => signed(i.max(j).min(k)),
        Op::v_minmax_i32 => signed(i.min(j).max(k)),
        Op::v_lshlrev_b32 => u(y << (x & 31)),
        Op::v_lshrrev_b32 => u(y >> (x & 31)),
        Op::v_ashrrev_i32 => signed(j >> (x & 31)),
        Op::v_lshlrev_b64 => b << (x & 63),
        Op::v_lshrrev_b64 => b >> (x & 63),
        Op::v_ashrrev_i64 => (b as i64 >> (x & 63)) as u64,
        Op::v_and_b32 => u(x & y),
        Op::v_or_b32 => u(x | y),
        Op::v_xor_b32 => u(x ^ y),
        Op::v_xnor_b32 => u(!(x ^ y)),
        Op::v_bfe_u32 => field(u(x), y & 31, z & 31),
        Op::v_bfe_i32 => u(signed_field(i64::from(i), y & 31, (z & 31).min(32 - (y & 31))) as u32),
        Op::v_bfi_b32 => u(x & y | !x & z),
        Op::v_bfm_b32 => u(((1u32 << (x & 31)) - 1) << (y & 31)),
        Op::v_alignbit_b32 => ((u(x) << 32 | u(y)) >> (z & 31)) & 0xffff_ffff,
        Op::v_alignbyte_b32 => ((u(x) << 32 | u(y)) >> (8 * (z & 3))) & 0xffff_ffff,
        Op::v_perm_b32 => u(permute_bytes(u(x) << 32 | u(y), z)),
        Op::v_xad_u32 => u((x ^ y).wrapping_add(z)),
        Op::v_xor3_b32 => u(x ^ y ^ z),
        Op::v_lshl_add_u32 => u((x << (y & 31)).wrapping_add(z)),
        Op::v_add_lshl_u32 => u(x.wrapping_add(y) << (z & 31)),
        Op::v_add3_u32 => u(x.wrapping_add(y).wrapping_add(z)),
        Op::v_lshl_or_b32 => u(x << (y & 31) | z),
        Op::v_and_or_b32 => u(x & y | z),
        Op::v_or3_b32 => u(x | y | z),
        Op::v_lshl_add_u64 => (a << (y & 7)).wrapping_add(c),
        Op::v_bcnt_u32_b32 => u(x.count_ones().wrapping_add(y)),
        Op::v_sad_u32 if !clamp => u(x.abs_diff(y).wrapping_add(z)),
        Op::v_mad_u32_u16 if !clamp => u((u32::from(x16) * u32::from(y16)).wrapping_add(z)),
        Op::v_mad_i32_i16 if !clamp => signed((i32::from(i16) * i32::from(j16)).wrapping_add(k)),
        Op::v_cvt_pk_u16_u32 => u(x.min(0xffff) | y.min(0xffff) << 16),
        Op::v_cvt_pk_i16_i32 => {
            let narrow = |value: i32| value.clamp(-0x8000, 0x7fff) as u16;
            u(u32::from(narrow(i)) | u32::from(narrow(j)) << 16)
        }
        Op::v_pack_b32_f16 => u(x & 0xffff | y << 16),

        Op::v_add_nc_u16 => u(u32::from(if clamp {
            x16.saturating_add(y16)
        } else {
            x16.wrapping_add(y16)
        })),
        Op::v_sub_nc_u16 => u(u32::from(if clamp {
            x16.saturating_sub(y16)
        } else {
            x16.wrapping_sub(y16)
        })),
        Op::v_subrev_u16 if !clamp => u(u32::from(y16.wrapping_sub(x16))),
        Op::v_add_nc_i16 => u(u32::from(if clamp {
            i16.saturating_add(j16)
        } else {
            i16.wrapping_add(j16)
        } as u16)),
        Op::v_sub_nc_i16 => u(u32::from(if clamp {
            i16.saturating_sub(j16)
        } else {
            i16.wrapping_sub(j16)
        } as u16)),
        Op::v_mul_lo_u16 => u(u32::from(x16.wrapping_mul(y16))),
        Op::v_mad_u16 | Op::v_mad_legacy_u16 | Op::v_mad_i16 | Op::v_mad_legacy_i16 if !clamp => {
            u(u32::from(x16.wrapping_mul(y16).wrapping_add(z16)))
        }
        Op::v_lshlrev_b16 => u(u32::from(y16 << (x & 15))),
        Op::v_lshrrev_b16 => u(u32::from(y16 >> (x & 15))),
        Op::v_ashrrev_i16 => u(u32::from((j16 >> (x & 15)) as u16)),
        Op::v_min_u16 => u(u32::from(x16.min(y16))),
        Op::v_max_u16 => u(u32::from(x16.max(y16))),
        Op::v_min_i16 => u(u32::from(i16.min(j16) as u16)),
        Op::v_max_i16 => u(u32::from(i16.max(j16) as u16)),
        Op::v_min3_u16 => u(u32::from(x16.min(y16).min(z16))),
        Op::v_max3_u16 => u(u32::from(x16.max(y16).max(z16))),
        Op::v_med3_u16 => u(u32::from(x16.max(y16).min(x16.min(y16).max(z16)))),
        Op::v_min3_i16 => u(u32::from(i16.min(j16).min(z16 as i16) as u16)),
        Op::v_max3_i16 => u(u32::from(i16.max(j16).max(z16 as i16) as u16)),
        Op::v_med3_i16 => u(u32::from(i16.max(j16).min(i16.min(j16).max(z16 as i16)) as u16)),
        Op::v_and_b16 => u(x & y),
        Op::v_or_b16 => u(x | y),
        Op::v_xor_b16 => u(x ^ y),
        _ => return None,
    })
}

/// `v_perm_b32`: each byte of the selector names one of eight bytes, a sign, or a constant.
fn permute_bytes(data: u64, selector: u32) -> u32 {
    selector.to_le_bytes().iter().rev().fold(0, |result, &select| {
        let byte = match select {
            0..=7 => (data >> (8 * select)) as u8,
            8..=11 => ((data as i64) << (48 - 16 * (select - 8)) >> 63) as u8,
            12 => 0,
            _ => 0xff,
        };
        result << 8 | u32::from(byte)
    })
}

fn single(op: Op, s: &Sources) -> Option<u64> {
    let f = |bits: u64| f32::from_bits(bits as u32);
    let (a, b, c) = (f(s.a), f(s.b), f(s.c));
    let wide = f64::from;
    let min = |a: f32, b: f32| float::min(wide(a), wide(b)) as f32;
    let max = |a: f32, b: f32| float::max(wide(a), wide(b)) as f32;
    let x = s.a as u32;
    let value = match op {
        Op::v_add_f32 => a + b,
        Op::v_sub_f32 => a - b,
        Op::v_subrev_f32 => b - a,
        Op::v_mul_f32 => a * b,
        Op::v_mul_dx9_zero_f32 => {
            if a == 0.0 || b == 0.0 {
                0.0
            } else {
                a * b
            }
        }
        Op::v_fma_f32 | Op::v_fmac_f32 | Op::v_fmamk_f32 | Op::v_fmaak_f32 => a.mul_add(b, c),
        Op::v_mad_f32 | Op::v_mac_f32 | Op::v_madmk_f32 | Op::v_madak_f32 => a * b + c,
        Op::v_min_f32 => min(a, b),
        Op::v_max_f32 => max(a, b),
        Op::v_min3_f32 => min(min(a, b), c),
        Op::v_max3_f32 => max(max(a, b), c),
        Op::v_med3_f32 if a.is_nan() || b.is_nan() || c.is_nan() => min(min(a, b), c),
        Op::v_med3_f32 => min(max(a, b), max(min(a, b), c)),
        Op::v_maxmin_f32 => min(max(a, b), c),
        Op::v_minmax_f32 => max(min(a, b), c),
        Op::v_trunc_f32 => a.trunc(),
        Op::v_ceil_f32 => a.ceil(),
        Op::v_floor_f32 => a.floor(),
        Op::v_rndne_f32 => a.round_ties_even(),
        Op::v_fract_f32 => min(a - a.floor(), f32::from_bits(0x3f7f_ffff)),
        Op::v_exp_f32 => a.exp2(),
        Op::v_log_f32 => a.log2(),
        Op::v_rcp_f32 | Op::v_rcp_iflag_f32 => 1.0 / a,
        Op::v_rsq_f32 => (1.0 / wide(a).sqrt()) as f32,
        Op::v_sqrt_f32 => a.sqrt(),
        Op::v_sin_f32 => (wide(a) * std::f64::consts::TAU).sin() as f32,
        Op::v_cos_f32 => (wide(a) * std::f64::consts::TAU).cos() as f32,
        Op::v_ldexp_f32 => float::ldexp(wide(a), s.b as i32) as f32,
        Op::v_frexp_mant_f32 => float::frexp(wide(a)).0 as f32,
        Op::v_frexp_exp_i32_f32 => return Some(u64::from(float::frexp(wide(a)).1 as u32)),
        Op::v_div_fixup_f32 => float::div_fixup32(a, b, c),
        Op::v_cvt_f32_i32 => x as i32 as f32,
        Op::v_cvt_f32_u32 => x as f32,
        Op::v_cvt_f32_ubyte0 => (x & 255) as f32,
        Op::v_cvt_f32_ubyte1 => (x >> 8 & 255) as f32,
        Op::v_cvt_f32_ubyte2 => (x >> 16 & 255) as f32,
        Op::v_cvt_f32_ubyte3 => (x >> 24) as f32,
        Op::v_cvt_f32_f64 => f64::from_bits(s.a) as f32,
        Op::v_cvt_f32_f16 => f16::from_bits(s.a as u16).to_f32(),
        Op::v_cvt_u32_f32 => return Some(u64::from(a as u32)),
        Op::v_cvt_i32_f32 => return Some(u64::from(a as i32 as u32)),
        Op::v_cvt_floor_i32_f32 => return Some(u64::from(a.floor() as i32 as u32)),
        Op::v_cvt_nearest_i32_f32 => return Some(u64::from((wide(a) + 0.5).floor() as i32 as u32)),
        _ => return None,
    };
    Some(u64::from(value.to_bits()))
}

fn double(op: Op, s: &Sources) -> Option<u64> {
    let (a, b, c) = (f64::from_bits(s.a), f64::from_bits(s.b), f64::from_bits(s.c));
    let x = s.a as u32;
    let value = match op {
        Op::v_add_f64 => a + b,
        Op::v_mul_f64 => a * b,
        Op::v_fma_f64 | Op::v_fmac_f64 => a.mul_add(b, c),
        Op::v_min_f64 => float::min(a, b),
        Op::v_max_f64 => float::max(a, b),
        Op::v_trunc_f64 => a.trunc(),
        Op::v_ceil_f64 => a.ceil(),
        Op::v_floor_f64 => a.floor(),
        Op::v_rndne_f64 => a.round_ties_even(),
        Op::v_fract_f64 => float::min(a - a.floor(), f64::from_bits(0x3fef_ffff_ffff_ffff)),
        Op::v_rcp_f64 => 1.0 / a,
        Op::v_rsq_f64 => 1.0 / a.sqrt(),
        Op::v_sqrt_f64 => a.sqrt(),
        Op::v_ldexp_f64 => float::ldexp(a, s.b as i32),
        Op::v_frexp_mant_f64 => float::frexp(a).0,
        Op::v_frexp_exp_i32_f64 => return Some(u64::from(float::frexp(a).1 as u32)),
        Op::v_div_fixup_f64 => float::div_fixup64(a, b, c),
        Op::v_cvt_f64_i32 => f64::from(x as i32),
        Op::v_cvt_f64_u32 => f64::from(x),
        Op::v_cvt_f64_f32 => f64::from(f32::from_bits(x)),
        Op::v_cvt_u32_f64 => return Some(u64::from(a as u32)),
        Op::v_cvt_i32_f64 => return Some(u64::from(a as i32 as u32)),
        _ => return None,
    };
    Some(value.to_bits())
}

/// Half precision, by way of double: one rounding, as a sum or product of halves is exact there.
fn half_precision(op: Op, s: &Sources) -> Option<u64> {
    let h = |bits: u64| f16::from_bits(bits as u16).to_f64();
    let (a, b, c) = (h(s.a), h(s.b), h(s.c));
    let value = match op {
        Op::v_add_f16 => a + b,
        Op::v_sub_f16 => a - b,
        Op::v_subrev_f16 => b - a,
        Op::v_mul_f16 => a * b,
        Op::v_fma_f16 | Op::v_fmac_f16 | Op::v_fmamk_f16 | Op::v_fmaak_f16 => a.mul_add(b, c),
        Op::v_min_f16 => float::min(a, b),
        Op::v_max_f16 => float::max(a, b),
        Op::v_min3_f16 => float::min(float::min(a, b), c),
        Op::v_max3_f16 => float::max(float::max(a, b), c),
        Op::v_med3_f16 if a.is_nan() || b.is_nan() || c.is_nan() => float::min(float::min(a, b), c),
        Op::v_med3_f16 => float::min(float::max(a, b), float::max(float::min(a, b), c)),
        // The widened exponents never come near the borders that double precision has.
        Op::v_div_fixup_f16 | Op::v_div_fixup_legacy_f16 => float::div_fixup64(a, b, c),
        Op::v_frexp_mant_f16 => float::frexp(a).0,
        Op::v_frexp_exp_i16_f16 => return Some(u64::from(float::frexp(a).1 as u16)),
        Op::v_trunc_f16 => a.trunc(),
        Op::v_ceil_f16 => a.ceil(),
        Op::v_floor_f16 => a.floor(),
        Op::v_rndne_f16 => a.round_ties_even(),
        Op::v_rcp_f16 => 1.0 / a,
        Op::v_sqrt_f16 => a.sqrt(),
        Op::v_rsq_f16 => 1.0 / a.sqrt(),
        Op::v_ldexp_f16 => float::ldexp(a, i32::from(s.b as i16)),
        // Once more rounded to single precision would be twice.
        Op::v_cvt_f16_f32 => return Some(u64::from(f16::from_f32(f32::from_bits(s.a as u32)).to_bits())),
        Op::v_cvt_f16_u16 => f64::from(s.a as u16),
        Op::v_cvt_f16_i16 => f64::from(s.a as i16),
        Op::v_cvt_u16_f16 => return Some(u64::from(a as u16)),
        Op::v_cvt_i16_f16 => return Some(u64::from(a as i16 as u16)),
        _ => return None,
    };
    Some(u64::from(f16::from_f64(value).to_bits()))
}
