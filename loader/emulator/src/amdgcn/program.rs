//! The decoded code of a code object.

use std::fmt;

use super::code_object::CodeObject;
use super::decode::{DecodeError, Decoder, Reason};
use super::inst::Inst;
use super::target::Wave;

/// All instructions of a code object, for wavefronts of one size.
///
/// Positions are addresses in the file's own numbering; add what it was loaded at.
#[derive(Debug)]
pub struct Program {
    decoder: Decoder,
    base: u64,
    instructions: Vec<Inst>,
    /// For each dword from `base` on: the instruction that starts there.
    starts: Vec<u32>,
}

/// No instruction starts at a dword.
const NONE: u32 = u32::MAX;

/// Code that cannot be decoded.
#[derive(Debug, PartialEq, Eq)]
pub struct ProgramError {
    /// What is unknown, and the function it is in; the first few.
    pub unknown: Vec<(String, DecodeError)>,
    /// How many there are.
    pub count: usize,
}

/// How many unknown instructions an error names.
const NAMED: usize = 4;
/// Code objects with more code than this are refused; the largest known have a few MiB.
const LARGEST: u64 = 1 << 26;
/// After so many unknown instructions, looking for more helps nobody.
const HOPELESS: usize = 1 << 16;

impl fmt::Display for ProgramError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, (function, error)) in self.unknown.iter().enumerate() {
            let separator = if index == 0 { "" } else { "; " };
            write!(f, "{separator}{error} in {function}")?;
        }
        let more = self.count - self.unknown.len();
        if more > 0 {
            write!(f, "; and {more} more")?;
        }
        Ok(())
    }
}

impl std::error::Error for ProgramError {}

impl Program {
    /// Decodes the code of `object`, whose file is `bytes`.
    ///
    /// Every function is decoded from its start to its end. What is between functions is padding and is not looked at,
    /// unless no function is known: then all code is decoded as far as it goes.
    ///
    /// # Errors
    /// When a function has an instruction that the decoder does not know: it is named here, before anything runs.
    pub fn decode(object: &CodeObject, bytes: &[u8], wave: Wave) -> Result<Program, ProgramError> {
        let decoder = Decoder::new(object.target, wave);
        let base = object.code.iter().map(|code| code.address & !3).min().unwrap_or(0);
        let mut program = Program {
            decoder,
            base,
            instructions: Vec::new(),
            starts: Vec::new(),
        };
        let mut error = ProgramError {
            unknown: Vec::new(),
            count: 0,
        };
        for code in &object.code {
            let text = bytes.get(code.bytes.clone()).unwrap_or(&[]);
            let end = code.address.saturating_add(text.len() as u64);
            let mut functions = object.functions.range(code.address..end).peekable();
            if functions.peek().is_none() {
                program.decode_range(text, code.address, code.address, end, |_| {});
            }
            for (&start, function) in functions {
                if error.count > HOPELESS || start % 4 != base % 4 {
                    continue;
                }
                let stop = start.saturating_add(function.size).min(end);
                program.decode_range(text, code.address, start, stop, |unknown| {
                    error.count += 1;
                    if error.unknown.len() < NAMED {
                        error.unknown.push((function.name.clone(), unknown));
                    }
                });
            }
        }
        if error.count == 0 { Ok(program) } else { Err(error) }
    }

    /// Decodes `start..stop` of the code `text`, which starts at `address`.
    fn decode_range(&mut self, text: &[u8], address: u64, start: u64, stop: u64, mut unknown: impl FnMut(DecodeError)) {
        let mut at = start;
        // What is decoded already (functions that overlap) is not decoded again.
        while at < stop && self.index_of(at).is_none() {
            let rest = &text[(at - address) as usize..(stop - address) as usize];
            match self.decoder.decode(rest, at) {
                Ok(inst) => {
                    let next = at + u64::from(inst.size);
                    self.insert(inst);
                    at = next;
                }
                Err(error) => {
                    let is_end = error.reason == Reason::Truncated;
                    unknown(error);
                    if is_end {
                        break;
                    }
                    at += 4;
                }
            }
        }
    }

    fn insert(&mut self, inst: Inst) {
        let Some(distance) = inst.offset.checked_sub(self.base) else {
            return;
        };
        // Kernels start at multiples of 256, functions at multiples of 4; nothing else can be jumped to.
        if distance % 4 != 0 || distance > LARGEST {
            return;
        }
        let slot = (distance / 4) as usize;
        if self.starts.len() <= slot {
            self.starts.resize(slot + 1, NONE);
        }
        self.starts[slot] = self.instructions.len() as u32;
        self.instructions.push(inst);
    }

    /// What it was decoded with.
    pub fn decoder(&self) -> &Decoder {
        &self.decoder
    }

    /// All instructions, function by function.
    pub fn instructions(&self) -> &[Inst] {
        &self.instructions
    }

    /// The number of the instruction that starts at `address`.
    pub fn index_of(&self, address: u64) -> Option<usize> {
        let distance = address.checked_sub(self.base)?;
        if distance % 4 != 0 {
            return None;
        }
        let slot = usize::try_from(distance / 4).ok()?;
        let index = *self.starts.get(slot)?;
        (index != NONE).then_some(index as usize)
    }

    /// The instruction that starts at `address`.
    pub fn at(&self, address: u64) -> Option<&Inst> {
        self.instructions.get(self.index_of(address)?)
    }
}
