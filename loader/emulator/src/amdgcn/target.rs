//! The four processors this emulator knows, and what differs between them in general.

use std::fmt;

/// Lanes of one wavefront, as a kernel was compiled for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Wave {
    /// 32 lanes: a lane mask is one scalar register.
    W32,
    /// 64 lanes: a lane mask is an aligned pair of scalar registers.
    W64,
}

impl Wave {
    /// Number of lanes.
    pub const fn lanes(self) -> u32 {
        match self {
            Wave::W32 => 32,
            Wave::W64 => 64,
        }
    }

    /// Scalar registers that one lane mask takes.
    pub const fn mask_dwords(self) -> u8 {
        match self {
            Wave::W32 => 1,
            Wave::W64 => 2,
        }
    }
}

/// Generations of the instruction encoding, oldest first, so that they can be compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Gen {
    /// Vega and CDNA.
    Gfx9,
    /// RDNA 1 and 2.
    Gfx10,
    /// RDNA 3.
    Gfx11,
}

/// A processor.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Target {
    /// CDNA 2: MI210, MI250.
    Gfx90a,
    /// CDNA 3: MI300.
    Gfx942,
    /// RDNA 2: RX 6800, RX 6900.
    Gfx1030,
    /// RDNA 3: RX 7900.
    Gfx1100,
}

impl Target {
    /// Every processor, in the order of the opcode columns in the tables.
    pub const ALL: [Target; 4] = [Target::Gfx90a, Target::Gfx942, Target::Gfx1030, Target::Gfx1100];

    /// The processor's name as LLVM spells it.
    pub const fn name(self) -> &'static str {
        match self {
            Target::Gfx90a => "gfx90a",
            Target::Gfx942 => "gfx942",
            Target::Gfx1030 => "gfx1030",
            Target::Gfx1100 => "gfx1100",
        }
    }

    /// The processor called `name`, if it is one of the four.
    pub fn from_name(name: &str) -> Option<Target> {
        Target::ALL.into_iter().find(|target| target.name() == name)
    }

    /// The processor behind the `EF_AMDGPU_MACH` field (low byte) of an ELF header's flags
    /// (LLVM's AMDGPU usage guide, "AMDGPU ELF header").
    pub const fn from_elf_mach(mach: u8) -> Option<Target> {
        match mach {
            0x3f => Some(Target::Gfx90a),
            0x4c => Some(Target::Gfx942),
            0x36 => Some(Target::Gfx1030),
            0x41 => Some(Target::Gfx1100),
            _ => None,
        }
    }

    /// The generation of its encoding.
    pub const fn generation(self) -> Gen {
        match self {
            Target::Gfx90a | Target::Gfx942 => Gen::Gfx9,
            Target::Gfx1030 => Gen::Gfx10,
            Target::Gfx1100 => Gen::Gfx11,
        }
    }

    /// Lanes of a wavefront where a kernel does not say: 64 on CDNA, 32 on RDNA.
    pub const fn default_wave(self) -> Wave {
        match self.generation() {
            Gen::Gfx9 => Wave::W64,
            Gen::Gfx10 | Gen::Gfx11 => Wave::W32,
        }
    }

    /// Whether kernels may be compiled for `wave` on this processor.
    pub const fn supports(self, wave: Wave) -> bool {
        matches!(wave, Wave::W64) || !matches!(self.generation(), Gen::Gfx9)
    }

    /// Whether the hardware sets up flat scratch by itself.
    pub const fn has_architected_scratch(self) -> bool {
        matches!(self, Target::Gfx942 | Target::Gfx1100)
    }

    /// Whether a lane's coordinates come packed into one register, ten bits each.
    pub const fn packs_workitem_ids(self) -> bool {
        matches!(self, Target::Gfx90a | Target::Gfx942 | Target::Gfx1100)
    }

    /// Whether 16-bit vector operands name half registers (`v1.l`, `v1.h`).
    pub const fn true16(self) -> bool {
        matches!(self, Target::Gfx1100)
    }
}

impl fmt::Display for Target {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}
