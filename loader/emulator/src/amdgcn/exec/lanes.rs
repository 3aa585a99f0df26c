//! Exchange between lanes: DPP, SDWA, permutations.

use super::wave::{LANES, Row, Wavefront};
use crate::amdgcn::inst::{DppCtrl, Inst, Operand, Sdwa, SdwaSel, SdwaUnused, Shuffle, Ty};
use crate::amdgcn::ops::Op;

impl Wavefront {
    /// Source 0 of each lane, through DPP; and the lanes that keep their result as it was.
    pub fn shuffled(&self, inst: &Inst, ty: Ty, exec: u64) -> (Row, u64) {
        let all = u64::MAX >> (64 - self.lanes);
        match inst.shuffle {
            Shuffle::None | Shuffle::Sdwa(_) => (self.row(inst.src[0], ty, exec), 0),
            Shuffle::Dpp16 {
                ctrl,
                row_mask,
                bank_mask,
                bound_ctrl,
                fetch_inactive,
            } => {
                let from = self.row(inst.src[0], ty, all);
                let readable = if fetch_inactive { all } else { exec };
                let mut row = [0; LANES];
                let mut kept = 0;
                for (lane, value) in row.iter_mut().enumerate().take(self.lanes) {
                    let written = row_mask >> (lane / 16) & 1 == 1 && bank_mask >> (lane % 16 / 4) & 1 == 1;
                    let source = dpp_source(ctrl, lane, self.lanes);
                    let valid = source.filter(|&source| readable >> source & 1 == 1);
                    match valid {
                        _ if !written => kept |= 1 << lane,
                        Some(source) => *value = from[source],
                        // An inactive source reads zero where reading out of bounds does.
                        None if bound_ctrl => {}
                        None => kept |= 1 << lane,
                    }
                }
                (row, kept)
            }
            Shuffle::Dpp8 { sel, fetch_inactive } => {
                let from = self.row(inst.src[0], ty, all);
                let readable = if fetch_inactive { all } else { exec };
                let row = std::array::from_fn(|lane| {
                    let source = lane & !7 | usize::from(sel[lane % 8] & 7);
                    if readable >> source & 1 == 1 { from[source] } else { 0 }
                });
                (row, 0)
            }
        }
    }

    /// `ds_permute`, `ds_bpermute` and `ds_swizzle`.
    pub fn crossbar(&mut self, inst: &Inst) {
        let exec = self.exec();
        let lanes = self.lanes;
        let first = self.row(inst.src[0], Ty::B32, exec);
        let data = self.row(inst.src[1], Ty::B32, exec);
        // Wavefronts of 64 on GFX10 and later exchange within halves only.
        let reach = if self.is_gfx9() { lanes } else { 32 };
        let offset = inst.mem.offset as u32;
        let target = |lane: usize, address: u64| {
            let number = (address as u32).wrapping_add(offset) as usize / 4;
            lane & !(reach - 1) | number & (reach - 1)
        };
        let mut result = [0; LANES];
        match inst.op {
            Op::ds_permute_b32 => {
                for lane in self.active() {
                    result[target(lane, first[lane])] = data[lane];
                }
            }
            Op::ds_bpermute_b32 => {
                for lane in self.active() {
                    result[lane] = data[target(lane, first[lane])];
                }
            }
            _ => {
                for lane in self.active() {
                    let source = swizzle_source(offset as u16, lane);
                    result[lane] = if exec >> source & 1 == 1 { first[source] } else { 0 };
                }
            }
        }
        for lane in self.active() {
            self.set_lane(inst.dst[0], Ty::B32, lane, result[lane]);
        }
    }

    /// `v_permlane16` and `v_permlanex16`: a lane of the same row, or of its neighbour.
    pub fn permute_rows(&mut self, inst: &Inst) {
        let exec = self.exec();
        let from = self.row(inst.src[0], Ty::B32, u64::MAX);
        let select = self.scalar(inst.src[1], Ty::B32) & 0xffff_ffff | self.scalar(inst.src[2], Ty::B32) << 32;
        let (fetch_inactive, bound_ctrl) = (inst.mods.op_sel & 1 != 0, inst.mods.op_sel & 2 != 0);
        let across = if inst.op == Op::v_permlanex16_b32 { 16 } else { 0 };
        for lane in self.active() {
            let source = (lane & !15 ^ across) | (select >> (lane % 16 * 4) & 15) as usize;
            if fetch_inactive || exec >> source & 1 == 1 {
                self.set_lane(inst.dst[0], Ty::B32, lane, from[source]);
            } else if bound_ctrl {
                self.set_lane(inst.dst[0], Ty::B32, lane, 0);
            }
        }
    }
}

/// The lane that `lane` reads, if it is in bounds.
fn dpp_source(ctrl: DppCtrl, lane: usize, lanes: usize) -> Option<usize> {
    let (row, at) = (lane & !15, lane & 15);
    let in_row = |at: usize| (at < 16).then_some(row + at);
    match ctrl {
        DppCtrl::QuadPerm(sel) => Some(lane & !3 | usize::from(sel[lane & 3] & 3)),
        DppCtrl::RowShl(n) => in_row(at + usize::from(n)),
        DppCtrl::RowShr(n) => at.checked_sub(usize::from(n)).and_then(in_row),
        DppCtrl::RowRor(n) => in_row((at + 16 - usize::from(n)) % 16),
        DppCtrl::WaveShl => (lane + 1 < lanes).then_some(lane + 1),
        DppCtrl::WaveRol => Some((lane + 1) % lanes),
        DppCtrl::WaveShr => lane.checked_sub(1),
        DppCtrl::WaveRor => Some((lane + lanes - 1) % lanes),
        DppCtrl::RowMirror => in_row(15 - at),
        DppCtrl::RowHalfMirror => in_row(at & 8 | 7 - (at & 7)),
        DppCtrl::RowBcast15 => row.checked_sub(1),
        DppCtrl::RowBcast31 => (lane >= 32).then_some(31),
        DppCtrl::RowShare(n) => in_row(usize::from(n)),
        DppCtrl::RowXmask(n) => in_row(at ^ usize::from(n)),
    }
}

/// The lane that `ds_swizzle` reads: quad permutation, or and, or, xor masks within 32 lanes.
fn swizzle_source(offset: u16, lane: usize) -> usize {
    if offset & 0x8000 != 0 {
        return lane & !3 | usize::from(offset >> (2 * (lane & 3)) & 3);
    }
    let [and, or, xor] = [offset & 31, offset >> 5 & 31, offset >> 10 & 31].map(usize::from);
    lane & !31 | ((lane & 31 & and) | or) ^ xor
}

/// The part of a register that an SDWA source uses.
pub fn select(value: u64, sel: SdwaSel, signed: bool) -> u64 {
    let value = value as u32;
    let byte = |at: u32| (value >> at) as u8;
    let word = |at: u32| (value >> at) as u16;
    let (byte, word) = match sel {
        SdwaSel::Byte0 => (Some(byte(0)), None),
        SdwaSel::Byte1 => (Some(byte(8)), None),
        SdwaSel::Byte2 => (Some(byte(16)), None),
        SdwaSel::Byte3 => (Some(byte(24)), None),
        SdwaSel::Word0 => (None, Some(word(0))),
        SdwaSel::Word1 => (None, Some(word(16))),
        SdwaSel::Dword => return u64::from(value),
    };
    u64::from(match (byte, word) {
        (Some(byte), _) if signed => byte as i8 as u32,
        (Some(byte), _) => u32::from(byte),
        (_, Some(word)) if signed => word as i16 as u32,
        (_, word) => u32::from(word.unwrap_or(0)),
    })
}

/// A register after an SDWA result was written into part of it.
pub fn deposit(before: u32, value: u32, sdwa: Sdwa) -> u32 {
    let (at, bits) = match sdwa.dst_sel {
        SdwaSel::Byte0 => (0, 8),
        SdwaSel::Byte1 => (8, 8),
        SdwaSel::Byte2 => (16, 8),
        SdwaSel::Byte3 => (24, 8),
        SdwaSel::Word0 => (0, 16),
        SdwaSel::Word1 => (16, 16),
        SdwaSel::Dword => return value,
    };
    let mask = ((1u32 << bits) - 1) << at;
    let placed = value << at & mask;
    match sdwa.dst_unused {
        SdwaUnused::Pad => placed,
        SdwaUnused::Sext => (((placed as i32) << (32 - bits - at)) >> (32 - bits - at)) as u32,
        SdwaUnused::Preserve => before & !mask | placed,
    }
}

/// Whether a register is written in halves: the operand names one of them.
pub fn is_half(operand: Operand) -> bool {
    matches!(operand, Operand::VgprHalf { .. })
}
