//! The decoded form of one instruction: the seam between decoding and executing.
//!
//! One [`Op`] stands for one operation on every target; what the encodings of the generations do
//! differently (opcode numbers, field places, spelling, implied registers) ends in the decoder:
//!
//! * registers that an encoding implies are written out: the short form of `v_add_co_u32` has
//!   `dst[1] = vcc`, that of `v_cndmask_b32` has `src[2] = vcc`, `v_cmpx_*` names what it writes;
//! * scalar registers use one numbering (see [`sgpr`]) although `m0` and `null` swapped places;
//! * how wide an operand is, and how a constant in its place widens, is its [`Ty`] in
//!   `ops`;
//! * SCC, and EXEC as the mask of lanes that take part, are the only implicit state left, plus what
//!   the operation's own definition says (`s_and_saveexec`, `v_div_fmas` reading VCC, M0 in DS).

use super::ops::{Cond, Op};

/// Numbers in the scalar register file, the same on every target.
///
/// 0..=105 are the general registers; on GFX9 102/103 are `flat_scratch` and 104/105 are
/// `xnack_mask`.
pub mod sgpr {
    /// First of the `flat_scratch` pair (GFX9 only).
    pub const FLAT_SCRATCH: u8 = 102;
    /// First of the `xnack_mask` pair (GFX9 only).
    pub const XNACK_MASK: u8 = 104;
    /// First of the `vcc` pair.
    pub const VCC: u8 = 106;
    /// First of the sixteen trap handler registers.
    pub const TTMP: u8 = 108;
    /// `m0`.
    pub const M0: u8 = 124;
    /// Reads zero, ignores writes (GFX10 and later).
    pub const NULL: u8 = 125;
    /// First of the `exec` pair.
    pub const EXEC: u8 = 126;
}

/// Values a source operand can name that are no register.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Special {
    /// Address of LDS in the flat address space (64 bits; in 32-bit operands its high half).
    SharedBase,
    /// Last address of LDS in the flat address space.
    SharedLimit,
    /// Address of scratch in the flat address space.
    PrivateBase,
    /// Last address of scratch in the flat address space.
    PrivateLimit,
    /// Ordered-append id, graphics only.
    PopsExitingWaveId,
    /// 1 where VCC is zero.
    Vccz,
    /// 1 where EXEC is zero.
    Execz,
    /// The scalar condition code.
    Scc,
    /// A dword of LDS at M0, graphics only.
    LdsDirect,
}

/// The floating-point constants an operand can hold without a literal.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum InlineFloat {
    /// 0.5
    Half,
    /// -0.5
    NegHalf,
    /// 1.0
    One,
    /// -1.0
    NegOne,
    /// 2.0
    Two,
    /// -2.0
    NegTwo,
    /// 4.0
    Four,
    /// -4.0
    NegFour,
    /// 1 / (2 * pi)
    Inv2Pi,
}

impl InlineFloat {
    /// The constant as the bits of a double (GCN ISA, "operand encoding": 0.15915494309189532 in
    /// the double form of 1/2π).
    pub const fn to_f64(self) -> f64 {
        match self {
            InlineFloat::Half => 0.5,
            InlineFloat::NegHalf => -0.5,
            InlineFloat::One => 1.0,
            InlineFloat::NegOne => -1.0,
            InlineFloat::Two => 2.0,
            InlineFloat::NegTwo => -2.0,
            InlineFloat::Four => 4.0,
            InlineFloat::NegFour => -4.0,
            InlineFloat::Inv2Pi => f64::from_bits(0x3fc4_5f30_6dc9_c882),
        }
    }

    /// The bits in single precision.
    pub const fn f32_bits(self) -> u32 {
        match self {
            InlineFloat::Inv2Pi => 0x3e22_f983,
            exact => (exact.to_f64() as f32).to_bits(),
        }
    }

    /// The bits in half precision.
    pub const fn f16_bits(self) -> u16 {
        match self {
            InlineFloat::Half => 0x3800,
            InlineFloat::NegHalf => 0xb800,
            InlineFloat::One => 0x3c00,
            InlineFloat::NegOne => 0xbc00,
            InlineFloat::Two => 0x4000,
            InlineFloat::NegTwo => 0xc000,
            InlineFloat::Four => 0x4400,
            InlineFloat::NegFour => 0xc400,
            InlineFloat::Inv2Pi => 0x3118,
        }
    }
}

/// One operand. A register names the first of as many as the operand's [`Ty`] takes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Operand {
    /// There is none (`off`, or a place the operation does not use).
    #[default]
    None,
    /// A scalar register, numbered as in [`sgpr`].
    Sgpr(u8),
    /// A vector register, all 32 bits of a lane.
    Vgpr(u8),
    /// Half of a vector register (GFX11); the other half keeps its value when this is written.
    VgprHalf {
        /// Number of the register.
        reg: u8,
        /// Bits 31..16 rather than 15..0.
        hi: bool,
    },
    /// An accumulation register (CDNA).
    Agpr(u8),
    /// A value from outside the register files.
    Special(Special),
    /// An integer constant: inline (-16..=64), or the immediate field of SOPK and SOPP.
    Int(i32),
    /// A floating-point constant in the operand's own precision.
    Float(InlineFloat),
    /// A 32-bit literal behind the instruction. See [`Ty`] for how it widens.
    Literal(u32),
}

/// What an operand holds: how many bits, and how they are read.
///
/// Constants widen by it. Into 64 bits an integer literal is sign-extended for `I64` and
/// zero-extended for `U64` and `B64`, while for `F64` a literal gives the high half; an inline
/// integer is always sign-extended, an inline float always has the operand's own precision.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[allow(missing_docs, reason = "the names are those of LLVM's User Guide for AMDGPU")]
pub enum Ty {
    B16,
    U16,
    I16,
    F16,
    Bf16,
    /// Two halves in one register.
    PkB16,
    PkU16,
    PkI16,
    PkF16,
    PkBf16,
    B32,
    U32,
    I32,
    F32,
    B64,
    U64,
    I64,
    F64,
    /// Two words in a pair of registers.
    PkB32,
    PkF32,
    B96,
    B128,
    B256,
    B512,
    /// A bit per lane: 32 or 64 bits, as the wavefront has lanes.
    Mask,
    /// An immediate of the instruction itself.
    Imm,
}

impl Ty {
    /// Registers the operand takes in a wavefront of `mask_dwords` registers per lane mask.
    pub const fn dwords(self, mask_dwords: u8) -> u8 {
        match self {
            Ty::B64 | Ty::U64 | Ty::I64 | Ty::F64 | Ty::PkB32 | Ty::PkF32 => 2,
            Ty::B96 => 3,
            Ty::B128 => 4,
            Ty::B256 => 8,
            Ty::B512 => 16,
            Ty::Mask => mask_dwords,
            _ => 1,
        }
    }

    /// Whether it is a single 16-bit value, which GFX11 keeps in half registers.
    pub const fn is_half(self) -> bool {
        matches!(self, Ty::B16 | Ty::U16 | Ty::I16 | Ty::F16 | Ty::Bf16)
    }

    /// Whether negation and absolute value make sense.
    pub const fn is_float(self) -> bool {
        matches!(
            self,
            Ty::F16 | Ty::Bf16 | Ty::PkF16 | Ty::PkBf16 | Ty::F32 | Ty::F64 | Ty::PkF32
        )
    }
}

/// Which encoding an instruction came in.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[allow(missing_docs, reason = "the names are those of LLVM's User Guide for AMDGPU")]
pub enum Form {
    Sop1,
    Sop2,
    Sopc,
    Sopk,
    Sopp,
    Smem,
    Vop1,
    Vop2,
    Vopc,
    Vop3,
    Vop3p,
    /// Two operations in one instruction: the second is in [`Inst::second`].
    Vopd,
    Ds,
    Flat,
    Scratch,
    Global,
    Mubuf,
}

/// Changes of source and result that vector operations can ask for. Bit *i* of a mask is source *i*.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Mods {
    /// Sources to negate (after `abs`). VOP3P: the low halves.
    pub neg: u8,
    /// VOP3P: sources whose high half is negated. (`v_fma_mix*`: unused, see `abs`.)
    pub neg_hi: u8,
    /// Sources whose sign to clear.
    pub abs: u8,
    /// SDWA integers: sources to sign-extend from their selected part.
    pub sext: u8,
    /// Sources (bit 3: the result) that use the high half of their register. VOP3P: for the low
    /// result.
    pub op_sel: u8,
    /// VOP3P: sources that use their high half for the high result.
    pub op_sel_hi: u8,
    /// Clamp the result: floats to 0..=1, integers to their range.
    pub clamp: bool,
    /// 0: result as is, 1: times two, 2: times four, 3: halved.
    pub omod: u8,
}

/// Part of a register that an SDWA operand uses.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs, reason = "the names are those of LLVM's User Guide for AMDGPU")]
pub enum SdwaSel {
    Byte0,
    Byte1,
    Byte2,
    Byte3,
    Word0,
    Word1,
    Dword,
}

/// What an SDWA result does with the part of the register it does not write.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs, reason = "the names are those of LLVM's User Guide for AMDGPU")]
pub enum SdwaUnused {
    /// Zero.
    Pad,
    /// Sign-extend.
    Sext,
    /// Keep.
    Preserve,
}

/// Controls of sub-dword addressing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Sdwa {
    /// Part of the result register written. Comparisons have none and say `Dword`.
    pub dst_sel: SdwaSel,
    /// What happens to the other parts.
    pub dst_unused: SdwaUnused,
    /// Part of source 0 and source 1 read.
    pub src_sel: [SdwaSel; 2],
}

/// Where source 0 of a lane comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DppCtrl {
    /// Lane *i* of each group of four reads lane `sel[i]` of the group.
    QuadPerm([u8; 4]),
    /// Lane *i* of a row of 16 reads lane *i + n* (1..=15).
    RowShl(u8),
    /// Lane *i* of a row reads lane *i - n* (1..=15).
    RowShr(u8),
    /// Like `RowShr`, around the row's ends.
    RowRor(u8),
    /// One lane to the left across the wavefront (GFX9).
    WaveShl,
    /// Around the wavefront to the left (GFX9).
    WaveRol,
    /// One lane to the right across the wavefront (GFX9).
    WaveShr,
    /// Around the wavefront to the right (GFX9).
    WaveRor,
    /// Reversed within a row.
    RowMirror,
    /// Reversed within each half of a row.
    RowHalfMirror,
    /// Lane 15 of a row to the next row (GFX9).
    RowBcast15,
    /// Lane 31 to rows 2 and 3 (GFX9).
    RowBcast31,
    /// All lanes of a row read lane *n* (GFX90A: `row_newbcast`; GFX10: `row_share`).
    RowShare(u8),
    /// Lane *i* of a row reads lane *i xor n* (GFX10).
    RowXmask(u8),
}

/// How source and destination lanes or parts of lanes are permuted.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Shuffle {
    /// They are not.
    #[default]
    None,
    /// Sub-dword addressing.
    Sdwa(Sdwa),
    /// Data-parallel primitives within rows of 16.
    Dpp16 {
        /// Source lane of each lane.
        ctrl: DppCtrl,
        /// Rows that are written.
        row_mask: u8,
        /// Groups of four within each row that are written.
        bank_mask: u8,
        /// Lanes whose source lies outside or is inactive read zero instead of being left alone.
        bound_ctrl: bool,
        /// Inactive lanes are read as if they were active (GFX10).
        fetch_inactive: bool,
    },
    /// Data-parallel primitives within groups of eight (GFX10).
    Dpp8 {
        /// Source lane of each lane of the group.
        sel: [u8; 8],
        /// Inactive lanes are read as if they were active.
        fetch_inactive: bool,
    },
}

/// Cache bits of a memory instruction under their oldest names.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Cache {
    /// `glc`; on gfx942 `sc0`. For an atomic: returns the value before.
    pub glc: bool,
    /// `slc`; on gfx942 `nt`.
    pub slc: bool,
    /// `dlc` (GFX10 and later).
    pub dlc: bool,
    /// `scc` (gfx90a); on gfx942 `sc1`.
    pub scc: bool,
}

/// What only memory instructions have.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Mem {
    /// Bytes added to the address. DS with two addresses: the first, in elements.
    pub offset: i32,
    /// SMEM on GFX9: a constant offset is encoded beside the register, be it zero (text only).
    pub both_offsets: bool,
    /// DS with two addresses: the second offset, in elements.
    pub offset1: u8,
    /// Cache policy.
    pub cache: Cache,
    /// DS: global data share rather than LDS.
    pub gds: bool,
    /// MUBUF: the address operand has an offset.
    pub offen: bool,
    /// MUBUF: the address operand has an index (first, if both).
    pub idxen: bool,
    /// Data goes to LDS at M0 rather than to registers.
    pub lds: bool,
    /// MUBUF: a further register receives the residency status.
    pub tfe: bool,
}

/// One decoded instruction.
///
/// | form | `dst` | `src` |
/// |---|---|---|
/// | SOP1, SOP2, SOPC | result | sources |
/// | SOPK | result | `Int` immediate, then a literal if there is one. Compares and adds read `dst[0]` |
/// | SOPP | – | `Int` immediate |
/// | SMEM | loaded | base, offset register, data of stores and atomics; constant offset in `mem` |
/// | VOP1, VOP2, VOP3, VOP3P | result, second result (mask) | sources |
/// | VOPC | mask (`v_cmpx` of GFX9 also writes EXEC) | sources |
/// | DS | loaded | address, data 0, data 1 |
/// | FLAT, GLOBAL, SCRATCH | loaded | vector address, data, scalar address |
/// | MUBUF | loaded | vector address, data, resource, scalar offset |
///
/// Places that are not used hold [`Operand::None`]. An atomic that returns nothing has no `dst`.
#[derive(Clone, Debug, PartialEq)]
pub struct Inst {
    /// Where it is: byte offset in the section, or address, as given to the decoder.
    pub offset: u64,
    /// Bytes it takes: 4, 8 or 12.
    pub size: u8,
    /// What it does.
    pub op: Op,
    /// The encoding it came in.
    pub form: Form,
    /// Results.
    pub dst: [Operand; 2],
    /// Sources.
    pub src: [Operand; 4],
    /// Modifiers of vector operands.
    pub mods: Mods,
    /// SDWA or DPP controls.
    pub shuffle: Shuffle,
    /// Memory controls.
    pub mem: Mem,
    /// VOPC: what is compared for.
    pub cond: Option<Cond>,
    /// VOPD: the other operation. Both read all sources before either writes.
    pub second: Option<Box<Inst>>,
}
