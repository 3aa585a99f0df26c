//! Machine code to [`Inst`].
//!
//! The first dword's high bits say which encoding an instruction is in; one file below knows the
//! fields of each family. Reserved bits that LLVM insists on being zero are insisted on here, so
//! that what decodes here is what LLVM's disassembler accepts.

mod ds;
mod lanes;
mod memory;
mod operand;
mod scalar;
mod tables;
mod vector;
mod vopd;

use std::fmt;

use super::inst::{Form, Inst, Mem, Mods, Operand, Shuffle};
use super::ops::Op;
use super::target::{Gen, Target, Wave};
use tables::Tables;

pub(super) use ds::has_two_offsets;
pub(super) use memory::is_cache_control;
pub(super) use scalar::has_no_immediate;
pub(super) use tables::short_only;
pub(super) use vector::op_sel_mask;

/// Why bytes are no instruction the decoder knows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reason {
    /// The bytes end inside the instruction.
    Truncated,
    /// No instruction of this processor is encoded so.
    Unknown,
    /// An instruction of a family that is left out on purpose.
    Unsupported(&'static str),
}

/// Bytes that are no instruction the decoder knows.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub struct DecodeError {
    /// Where: what the decoder was told.
    pub offset: u64,
    /// The processor.
    pub target: Target,
    /// The first dwords there.
    pub words: Vec<u32>,
    /// What is wrong.
    pub reason: Reason,
}

impl fmt::Display for DecodeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.reason {
            Reason::Truncated => write!(f, "code ends inside the instruction at {:#x}", self.offset)?,
            Reason::Unknown => write!(f, "unknown instruction for {} at {:#x}", self.target, self.offset)?,
            Reason::Unsupported(family) => write!(f, "{family} instruction at {:#x} is not supported", self.offset)?,
        }
        f.write_str(" (bytes")?;
        for byte in self.words.iter().flat_map(|word| word.to_le_bytes()) {
            write!(f, " {byte:02x}")?;
        }
        f.write_str(")")
    }
}

/// Decodes the instructions of one processor, for wavefronts of one size.
#[derive(Clone, Copy, Debug)]
pub struct Decoder {
    target: Target,
    wave: Wave,
    tables: &'static Tables,
}

impl Decoder {
    /// A decoder for `target`. `wave` matters for lane masks only: what register pairs they are.
    pub fn new(target: Target, wave: Wave) -> Decoder {
        Decoder {
            target,
            wave,
            tables: Tables::of(target),
        }
    }

    /// The processor.
    pub fn target(&self) -> Target {
        self.target
    }

    /// The size of wavefronts.
    pub fn wave(&self) -> Wave {
        self.wave
    }

    /// Decodes the instruction at the start of `code`. `offset` is only recorded.
    ///
    /// # Errors
    ///
    /// A [`DecodeError`] names the bytes that are no instruction.
    pub fn decode(&self, code: &[u8], offset: u64) -> Result<Inst, DecodeError> {
        let mut stream = Stream::new(*self, code);
        stream.inst(offset).map_err(|reason| DecodeError {
            offset,
            target: self.target,
            words: stream.words[..stream.available.min(2)].to_vec(),
            reason,
        })
    }
}

type Decoded<T> = Result<T, Reason>;

/// Longest instruction that is decoded: two dwords and a literal.
const MAX_WORDS: usize = 3;

/// The dwords of one instruction while it is taken apart.
struct Stream {
    decoder: Decoder,
    words: [u32; MAX_WORDS],
    available: usize,
    /// Dwords of the encoding proper.
    base: usize,
    /// The literal behind them is used.
    literal: bool,
}

/// Bits `low..low + count` of `word`.
const fn field(word: u32, low: u32, count: u32) -> u32 {
    (word >> low) & ((1 << count) - 1)
}

/// Bit `at` of `word`.
const fn bit(word: u32, at: u32) -> bool {
    field(word, at, 1) == 1
}

/// `bits` bits of `value` as a signed number.
const fn sign_extend(value: u32, bits: u32) -> i32 {
    ((value << (32 - bits)) as i32) >> (32 - bits)
}

impl Stream {
    fn new(decoder: Decoder, code: &[u8]) -> Stream {
        let mut words = [0; MAX_WORDS];
        let mut available = 0;
        for (word, bytes) in words.iter_mut().zip(code.chunks_exact(4)) {
            *word = u32::from_le_bytes([bytes[0], bytes[1], bytes[2], bytes[3]]);
            available += 1;
        }
        Stream {
            decoder,
            words,
            available,
            base: 1,
            literal: false,
        }
    }

    fn generation(&self) -> Gen {
        self.decoder.target.generation()
    }

    fn tables(&self) -> &'static Tables {
        self.decoder.tables
    }

    /// The first dword.
    fn low(&self) -> u32 {
        self.words[0]
    }

    /// The second dword, of encodings that have two.
    fn high(&mut self) -> Decoded<u32> {
        self.base = 2;
        if self.available < 2 {
            return Err(Reason::Truncated);
        }
        Ok(self.words[1])
    }

    /// The literal behind the encoding.
    fn literal(&mut self) -> Decoded<u32> {
        self.literal = true;
        if self.available <= self.base {
            return Err(Reason::Truncated);
        }
        Ok(self.words[self.base])
    }

    fn size(&self) -> u8 {
        4 * (self.base + usize::from(self.literal)) as u8
    }

    /// An instruction without operands yet.
    fn new_inst(&self, op: Op, form: Form) -> Inst {
        Inst {
            offset: 0,
            size: 0,
            op,
            form,
            dst: [Operand::None; 2],
            src: [Operand::None; 4],
            mods: Mods::default(),
            shuffle: Shuffle::None,
            mem: Mem::default(),
            cond: None,
            second: None,
        }
    }

    fn inst(&mut self, offset: u64) -> Decoded<Inst> {
        if self.available == 0 {
            return Err(Reason::Truncated);
        }
        let mut inst = self.any_encoding()?;
        inst.offset = offset;
        inst.size = self.size();
        Ok(inst)
    }

    fn any_encoding(&mut self) -> Decoded<Inst> {
        let low = self.low();
        if !bit(low, 31) {
            return match field(low, 25, 6) {
                0x3e => self.vopc(),
                0x3f => self.vop1(),
                _ => self.vop2(),
            };
        }
        if !bit(low, 30) {
            return match field(low, 23, 7) {
                0x7d => self.sop1(),
                0x7e => self.sopc(),
                0x7f => self.sopp(),
                op if op >= 0x60 => self.sopk(),
                _ => self.sop2(),
            };
        }
        let generation = self.generation();
        match (field(low, 26, 6), generation) {
            (0x30, Gen::Gfx9) | (0x3d, Gen::Gfx10 | Gen::Gfx11) => self.smem(),
            (0x34, Gen::Gfx9) if field(low, 23, 3) == 7 => self.vop3p(),
            (0x34, Gen::Gfx9) | (0x35, Gen::Gfx10 | Gen::Gfx11) => self.vop3(),
            (0x33, Gen::Gfx10 | Gen::Gfx11) => match field(low, 24, 2) {
                0 if !bit(low, 23) => self.vop3p(),
                1 if generation == Gen::Gfx11 => Err(Reason::Unsupported("vinterp")),
                2 if generation == Gen::Gfx11 => Err(Reason::Unsupported("lds_param_load")),
                _ => Err(Reason::Unknown),
            },
            // Wavefronts of 64 have no dual issue.
            (0x32, Gen::Gfx11) if self.decoder.wave == Wave::W32 => self.vopd(),
            (0x35, Gen::Gfx9) | (0x32, Gen::Gfx10) => Err(Reason::Unsupported("v_interp")),
            (0x36, _) => self.ds(),
            (0x37, _) => self.flat(),
            (0x38, _) => self.mubuf(),
            (0x3a, _) => Err(Reason::Unsupported("tbuffer")),
            (0x3c, _) => Err(Reason::Unsupported("image")),
            (0x31, Gen::Gfx9) | (0x3e, Gen::Gfx10 | Gen::Gfx11) => Err(Reason::Unsupported("export")),
            _ => Err(Reason::Unknown),
        }
    }
}
