//! Kernel descriptors: the 64 bytes that tell the hardware how to start a kernel.
//!
//! Fields: LLVM's User Guide for AMDGPU Backend, "Kernel Descriptor" and its register tables.

use super::target::{Target, Wave};

/// A kernel descriptor.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Descriptor {
    /// Bytes of LDS that each workgroup gets, besides what a launch adds.
    pub group_segment_size: u32,
    /// Bytes of scratch that each lane gets, besides what a dynamic stack needs.
    pub private_segment_size: u32,
    /// Bytes of arguments.
    pub kernarg_size: u32,
    /// From the descriptor's address to the first instruction's.
    pub entry_offset: i64,
    /// `COMPUTE_PGM_RSRC1`
    pub rsrc1: u32,
    /// `COMPUTE_PGM_RSRC2`
    pub rsrc2: u32,
    /// Which user registers are filled, and two properties of the code.
    pub properties: u16,
    /// Which arguments are preloaded into user registers (gfx942).
    pub kernarg_preload: u16,
}

/// Scalar registers that hold something when a wavefront starts: the number of each one's first.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct InitialSgprs {
    /// Four: the buffer resource of scratch.
    pub private_segment_buffer: Option<u8>,
    /// Two: the address of the dispatch packet.
    pub dispatch_ptr: Option<u8>,
    /// Two: the address of the queue.
    pub queue_ptr: Option<u8>,
    /// Two: the address of the arguments.
    pub kernarg_ptr: Option<u8>,
    /// Two: the number of the dispatch packet.
    pub dispatch_id: Option<u8>,
    /// Two: base and size for `flat_scratch`.
    pub flat_scratch_init: Option<u8>,
    /// One: bytes of scratch of a lane.
    pub private_segment_size: Option<u8>,
    /// The first of the preloaded arguments, and the number of dwords.
    pub kernarg_preload: Option<(u8, u8)>,
    /// One each: the workgroup's number in x, y, z.
    pub workgroup_id: [Option<u8>; 3],
    /// One: workgroup info.
    pub workgroup_info: Option<u8>,
    /// One: bytes from the start of the scratch to this wavefront's.
    pub private_segment_wave_offset: Option<u8>,
    /// Registers up to here are filled.
    pub count: u8,
}

fn word<const N: usize>(bytes: &[u8; Descriptor::SIZE], at: usize) -> [u8; N] {
    let mut word = [0; N];
    word.copy_from_slice(&bytes[at..at + N]);
    word
}

const fn field(value: u32, low: u32, bits: u32) -> u32 {
    (value >> low) & ((1 << bits) - 1)
}

impl Descriptor {
    /// Bytes of a descriptor.
    pub const SIZE: usize = 64;

    /// Takes a descriptor apart.
    pub fn parse(bytes: &[u8; Descriptor::SIZE]) -> Descriptor {
        Descriptor {
            group_segment_size: u32::from_le_bytes(word(bytes, 0)),
            private_segment_size: u32::from_le_bytes(word(bytes, 4)),
            kernarg_size: u32::from_le_bytes(word(bytes, 8)),
            entry_offset: i64::from_le_bytes(word(bytes, 16)),
            rsrc1: u32::from_le_bytes(word(bytes, 48)),
            rsrc2: u32::from_le_bytes(word(bytes, 52)),
            properties: u16::from_le_bytes(word(bytes, 56)),
            kernarg_preload: u16::from_le_bytes(word(bytes, 58)),
        }
    }

    fn property(&self, bit: u32) -> bool {
        self.properties >> bit & 1 == 1
    }

    /// Lanes of a wavefront.
    pub fn wave(&self) -> Wave {
        if self.property(10) { Wave::W32 } else { Wave::W64 }
    }

    /// Whether the stack of a lane has no bound known at compile time.
    pub fn uses_dynamic_stack(&self) -> bool {
        self.property(11)
    }

    /// Whether the kernel uses scratch at all.
    pub fn uses_scratch(&self) -> bool {
        field(self.rsrc2, 0, 1) == 1
    }

    /// What the MODE register begins with: rounding and denormals.
    pub fn mode(&self) -> u32 {
        field(self.rsrc1, 12, 8)
    }

    /// Dwords of arguments that are preloaded into user registers.
    pub fn preloaded(&self) -> u8 {
        (self.kernarg_preload & 0x7f) as u8
    }

    /// Where a wavefront finds what it is told at its start.
    pub fn initial_sgprs(&self, target: Target) -> InitialSgprs {
        let mut next = 0;
        let mut take = |wanted: bool, dwords: u8| {
            let first = next;
            if wanted {
                next += dwords;
            }
            wanted.then_some(first)
        };
        let mut sgprs = InitialSgprs {
            private_segment_buffer: take(self.property(0), 4),
            dispatch_ptr: take(self.property(1), 2),
            queue_ptr: take(self.property(2), 2),
            kernarg_ptr: take(self.property(3), 2),
            dispatch_id: take(self.property(4), 2),
            flat_scratch_init: take(self.property(5), 2),
            private_segment_size: take(self.property(6), 1),
            ..InitialSgprs::default()
        };
        let preloaded = self.preloaded();
        sgprs.kernarg_preload = take(preloaded > 0, preloaded).map(|first| (first, preloaded));
        // The hardware fills as many user registers as it is told; the rest follows behind.
        next = field(self.rsrc2, 1, 5) as u8;
        let mut take = |wanted: bool| {
            let first = next;
            next += u8::from(wanted);
            wanted.then_some(first)
        };
        for (axis, id) in sgprs.workgroup_id.iter_mut().enumerate() {
            *id = take(field(self.rsrc2, 7 + axis as u32, 1) == 1);
        }
        sgprs.workgroup_info = take(field(self.rsrc2, 10, 1) == 1);
        // Where the hardware sets up flat scratch by itself, nobody needs the offset.
        sgprs.private_segment_wave_offset = take(self.uses_scratch() && !target.has_architected_scratch());
        sgprs.count = next;
        sgprs
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fields_are_where_they_belong() {
        let mut bytes = [0; Descriptor::SIZE];
        bytes[0..4].copy_from_slice(&1024u32.to_le_bytes());
        bytes[4..8].copy_from_slice(&16u32.to_le_bytes());
        bytes[8..12].copy_from_slice(&280u32.to_le_bytes());
        bytes[16..24].copy_from_slice(&0x1140i64.to_le_bytes());
        bytes[48..52].copy_from_slice(&(2u32 | 3 << 16 | 3 << 18 | 1 << 21 | 1 << 23).to_le_bytes());
        bytes[52..56].copy_from_slice(&(1u32 | 8 << 1 | 1 << 7 | 1 << 9 | 2 << 11).to_le_bytes());
        // Scratch buffer, dispatch, arguments; a dynamic stack.
        bytes[56..58].copy_from_slice(&(0b1011u16 | 1 << 11).to_le_bytes());
        let descriptor = Descriptor::parse(&bytes);
        assert_eq!(descriptor.group_segment_size, 1024);
        assert_eq!(descriptor.private_segment_size, 16);
        assert_eq!(descriptor.kernarg_size, 280);
        assert_eq!(descriptor.entry_offset, 0x1140);
        assert_eq!(descriptor.wave(), Wave::W64);
        assert!(descriptor.uses_dynamic_stack());
        assert_eq!(descriptor.mode(), 0b1111_0000);
        let sgprs = descriptor.initial_sgprs(Target::Gfx90a);
        assert_eq!(sgprs.private_segment_buffer, Some(0));
        assert_eq!(sgprs.dispatch_ptr, Some(4));
        assert_eq!(sgprs.queue_ptr, None);
        assert_eq!(sgprs.kernarg_ptr, Some(6));
        assert_eq!(sgprs.workgroup_id, [Some(8), None, Some(9)]);
        assert_eq!(sgprs.private_segment_wave_offset, Some(10));
        assert_eq!(sgprs.count, 11);
        let architected = descriptor.initial_sgprs(Target::Gfx1100);
        assert_eq!(architected.private_segment_wave_offset, None);
    }
}
