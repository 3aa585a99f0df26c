//! Machine code, decoded when first reached.

use std::sync::OnceLock;

use super::kernel::Image;
use crate::amdgcn::decode::Decoder;
use crate::amdgcn::inst::Inst;
use crate::amdgcn::target::{Target, Wave};
use crate::fault::{Fault, FaultKind};
use crate::memory::Memory;

/// The code of one loaded code object, for wavefronts of one size.
pub struct Code {
    decoder: Decoder,
    base: u64,
    bytes: Vec<u8>,
    /// One place per dword.
    decoded: Vec<OnceLock<Box<Inst>>>,
}

impl Code {
    /// Copies the code out of the GPU's memory; a kernel that writes over its own code goes on with what was there.
    pub fn new(memory: &Memory, image: &Image, target: Target, wave: Wave) -> Result<Code, Box<Fault>> {
        let mut bytes = vec![0; image.len as usize];
        memory
            .read(image.base, &mut bytes)
            .map_err(|error| Box::new(Fault::new((&*error).into(), format!("the code object: {error}"))))?;
        let mut decoded = Vec::new();
        decoded.resize_with(bytes.len() / 4, OnceLock::new);
        Ok(Code {
            decoder: Decoder::new(target, wave),
            base: image.base,
            bytes,
            decoded,
        })
    }

    /// The processor.
    pub fn target(&self) -> Target {
        self.decoder.target()
    }

    /// The instruction at an address.
    pub fn at(&self, pc: u64) -> Result<&Inst, Box<Fault>> {
        let offset = pc.wrapping_sub(self.base);
        let place = usize::try_from(offset / 4)
            .ok()
            .and_then(|index| self.decoded.get(index));
        let Some(place) = place.filter(|_| pc.is_multiple_of(4)) else {
            return Err(illegal(format!("{pc:#x} is no place in the kernel's code object")));
        };
        if let Some(inst) = place.get() {
            return Ok(inst);
        }
        let inst = self
            .decoder
            .decode(&self.bytes[offset as usize..], offset)
            .map_err(|error| illegal(error.to_string()))?;
        Ok(place.get_or_init(|| Box::new(inst)))
    }
}

/// A fault of an instruction that cannot be executed.
pub fn illegal(detail: String) -> Box<Fault> {
    Box::new(Fault::new(FaultKind::IllegalInstruction, detail))
}
