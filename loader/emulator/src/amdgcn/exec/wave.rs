//! The registers of a wavefront, and what operands say of them.

use super::kernel::{GROUP_APERTURE, PRIVATE_APERTURE};
use crate::amdgcn::inst::{Inst, Operand, Special, Ty, sgpr};
use crate::amdgcn::target::{Gen, Target};
use crate::memory::SpanCache;

/// Most lanes of a wavefront.
pub const LANES: usize = 64;
/// Vector registers that an instruction can name.
const VGPRS: usize = 256;

/// One value per lane.
pub type Row = [u64; LANES];

/// A wavefront.
pub struct Wavefront {
    /// What it runs on.
    pub target: Target,
    /// Lanes it has: 32 or 64.
    pub lanes: usize,
    /// Address of the next instruction.
    pub pc: u64,
    /// Scalar registers, numbered as in [`sgpr`].
    pub sgpr: [u32; 128],
    /// Vector registers, then accumulation registers.
    pub vgpr: Vec<[u32; LANES]>,
    /// The scalar condition code.
    pub scc: bool,
    /// The MODE register.
    pub mode: u32,
    /// Scratch, one lane after the other.
    pub scratch: Vec<u8>,
    /// Bytes of it that each lane has.
    pub scratch_size: u32,
    /// The barrier it waits at, by the barrier's number.
    pub waits: Option<u64>,
    /// Executed its last instruction.
    pub ended: bool,
    /// Where it last touched memory.
    pub spans: SpanCache,
}

impl Wavefront {
    /// A wavefront with nothing in its registers.
    pub fn new(target: Target, lanes: usize, scratch_size: u32) -> Wavefront {
        Wavefront {
            target,
            lanes,
            pc: 0,
            sgpr: [0; 128],
            // Fresh pages cost nothing until they are written.
            vgpr: vec![[0; LANES]; 2 * VGPRS],
            scc: false,
            mode: 0,
            scratch: vec![0; scratch_size as usize * lanes],
            scratch_size,
            waits: None,
            ended: false,
            spans: SpanCache::default(),
        }
    }

    /// Whether it is of GFX9.
    pub fn is_gfx9(&self) -> bool {
        self.target.generation() == Gen::Gfx9
    }

    /// Registers of a lane mask.
    fn mask_dwords(&self) -> u8 {
        (self.lanes / 32) as u8
    }

    /// Reads a scalar register.
    pub fn s(&self, reg: u8) -> u32 {
        match reg {
            sgpr::NULL if !self.is_gfx9() => 0,
            _ => self.sgpr[usize::from(reg & 127)],
        }
    }

    /// Reads a pair of scalar registers.
    pub fn s64(&self, reg: u8) -> u64 {
        if reg == sgpr::NULL {
            return 0;
        }
        u64::from(self.s(reg)) | u64::from(self.s(reg.wrapping_add(1))) << 32
    }

    /// Writes a scalar register.
    pub fn set_s(&mut self, reg: u8, value: u32) {
        if reg != sgpr::NULL {
            self.sgpr[usize::from(reg & 127)] = value;
        }
    }

    /// Writes a pair of scalar registers.
    pub fn set_s64(&mut self, reg: u8, value: u64) {
        if reg != sgpr::NULL {
            self.set_s(reg, value as u32);
            self.set_s(reg.wrapping_add(1), (value >> 32) as u32);
        }
    }

    /// Reads a lane mask.
    pub fn mask(&self, reg: u8) -> u64 {
        if self.lanes == 64 {
            self.s64(reg)
        } else {
            u64::from(self.s(reg))
        }
    }

    /// Writes a lane mask.
    pub fn set_mask(&mut self, reg: u8, value: u64) {
        if self.lanes == 64 {
            self.set_s64(reg, value);
        } else {
            self.set_s(reg, value as u32);
        }
    }

    /// The lanes that take part.
    pub fn exec(&self) -> u64 {
        self.mask(sgpr::EXEC)
    }

    /// The numbers of the lanes that take part.
    pub fn active(&self) -> impl Iterator<Item = usize> + use<> {
        let mut left = self.exec();
        std::iter::from_fn(move || {
            (left != 0).then(|| {
                let lane = left.trailing_zeros() as usize;
                left &= left - 1;
                lane
            })
        })
    }

    /// Where the file holds a vector or accumulation register, `plus` registers on.
    pub fn vector_index(operand: Operand, plus: usize) -> Option<usize> {
        match operand {
            Operand::Vgpr(reg) | Operand::VgprHalf { reg, .. } => Some((usize::from(reg) + plus) % VGPRS),
            Operand::Agpr(reg) => Some(VGPRS + (usize::from(reg) + plus) % VGPRS),
            _ => None,
        }
    }

    /// Dwords of an operand of a type.
    pub fn dwords(&self, ty: Ty) -> usize {
        usize::from(ty.dwords(self.mask_dwords()))
    }

    /// What a scalar operand (no vector register) holds, widened as its type says.
    pub fn scalar(&self, operand: Operand, ty: Ty) -> u64 {
        let wide = self.dwords(ty) == 2;
        match operand {
            Operand::Sgpr(reg) if wide => self.s64(reg),
            Operand::Sgpr(reg) => u64::from(self.s(reg)),
            Operand::Int(value) if wide => i64::from(value) as u64,
            Operand::Int(value) => u64::from(value as u32),
            Operand::Float(constant) => match ty {
                Ty::F64 | Ty::B64 | Ty::U64 | Ty::I64 => constant.to_f64().to_bits(),
                Ty::PkF32 => u64::from(constant.f32_bits()),
                Ty::Bf16 | Ty::PkBf16 => u64::from(constant.f32_bits() >> 16),
                _ if ty.is_half() || matches!(ty, Ty::PkF16 | Ty::PkB16 | Ty::PkI16 | Ty::PkU16) => {
                    u64::from(constant.f16_bits())
                }
                _ => u64::from(constant.f32_bits()),
            },
            Operand::Literal(bits) => match ty {
                Ty::F64 => u64::from(bits) << 32,
                Ty::I64 => i64::from(bits as i32) as u64,
                _ => u64::from(bits),
            },
            Operand::Special(special) => self.special(special, wide),
            Operand::Vgpr(_) | Operand::Agpr(_) | Operand::VgprHalf { .. } => {
                let lane = self.first_lane();
                self.lane(operand, ty, lane)
            }
            Operand::None => 0,
        }
    }

    /// The first lane that takes part; lane 0 where there is none.
    pub fn first_lane(&self) -> usize {
        match self.exec() {
            0 => 0,
            exec => exec.trailing_zeros() as usize,
        }
    }

    fn special(&self, special: Special, wide: bool) -> u64 {
        let base = |address: u64| if wide { address } else { address >> 32 };
        match special {
            Special::SharedBase => base(GROUP_APERTURE),
            Special::PrivateBase => base(PRIVATE_APERTURE),
            Special::SharedLimit => base(GROUP_APERTURE + u64::from(u32::MAX)),
            Special::PrivateLimit => base(PRIVATE_APERTURE + u64::from(u32::MAX)),
            Special::Vccz => u64::from(self.mask(sgpr::VCC) == 0),
            Special::Execz => u64::from(self.exec() == 0),
            Special::Scc => u64::from(self.scc),
            // Graphics only: the decoder takes them, kernels have no use for them.
            Special::PopsExitingWaveId | Special::LdsDirect => 0,
        }
    }

    /// What a vector operand holds in a lane.
    pub fn lane(&self, operand: Operand, ty: Ty, lane: usize) -> u64 {
        let Some(index) = Self::vector_index(operand, 0) else {
            return self.scalar(operand, ty);
        };
        let low = self.vgpr[index][lane];
        if let Operand::VgprHalf { hi, .. } = operand {
            return u64::from(if hi { low >> 16 } else { low & 0xffff });
        }
        if self.dwords(ty) != 2 || ty == Ty::Mask {
            return u64::from(low);
        }
        let high = self.vgpr[Self::vector_index(operand, 1).unwrap_or(index)][lane];
        u64::from(low) | u64::from(high) << 32
    }

    /// What an operand holds in each lane that is in `lanes`; zero in the others.
    pub fn row(&self, operand: Operand, ty: Ty, lanes: u64) -> Row {
        if Self::vector_index(operand, 0).is_none() {
            return [self.scalar(operand, ty); LANES];
        }
        std::array::from_fn(|lane| {
            if lanes >> lane & 1 == 1 {
                self.lane(operand, ty, lane)
            } else {
                0
            }
        })
    }

    /// Writes a value of up to 64 bits into a lane of a vector register.
    pub fn set_lane(&mut self, operand: Operand, ty: Ty, lane: usize, value: u64) {
        let Some(index) = Self::vector_index(operand, 0) else {
            return;
        };
        if let Operand::VgprHalf { hi, .. } = operand {
            let place = &mut self.vgpr[index][lane];
            *place = if hi {
                *place & 0xffff | (value as u32) << 16
            } else {
                *place & 0xffff_0000 | value as u32 & 0xffff
            };
            return;
        }
        self.vgpr[index][lane] = value as u32;
        if self.dwords(ty) == 2 && ty != Ty::Mask {
            let next = Self::vector_index(operand, 1).unwrap_or(index);
            self.vgpr[next][lane] = (value >> 32) as u32;
        }
    }

    /// Reads dword `plus` of an operand in a lane, wherever it is.
    pub fn dword(&self, operand: Operand, plus: usize, lane: usize) -> u32 {
        match (Self::vector_index(operand, plus), operand) {
            (Some(index), _) => self.vgpr[index][lane],
            (None, Operand::Sgpr(reg)) => self.s(reg.wrapping_add(plus as u8)),
            (None, other) => self.scalar(other, Ty::B32) as u32,
        }
    }

    /// Writes dword `plus` of a vector operand in a lane.
    pub fn set_dword(&mut self, operand: Operand, plus: usize, lane: usize, value: u32) {
        if let Some(index) = Self::vector_index(operand, plus) {
            self.vgpr[index][lane] = value;
        }
    }

    /// The type of source `i`.
    pub fn source_type(inst: &Inst, i: usize) -> Ty {
        inst.op.info().src.get(i).copied().unwrap_or(Ty::B32)
    }
}
