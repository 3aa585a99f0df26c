//! The properties of devices, by the numbers of the public interface.
//!
//! Limits are those of the real devices of the same compute capability (CUDA programming guide,
//! table of technical specifications per compute capability), so that what is refused there is
//! refused here. Rates and widths are those of an H200, for programs that divide by them.

use std::ffi::{c_int, c_uint};

use crate::device::Device;
use crate::status::{Result, Status};

/// Limits that differ between compute capabilities.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Traits {
    /// Most shared memory of one block that asks for more than [`SHARED_PER_BLOCK`], bytes.
    pub shared_opt_in: u32,
    /// Shared memory of a multiprocessor, bytes.
    pub shared_per_multiprocessor: u32,
    /// Threads of a multiprocessor.
    pub threads_per_multiprocessor: u32,
    /// Blocks of a multiprocessor.
    pub blocks_per_multiprocessor: u32,
    /// Shared memory that each block takes on top of its own, bytes.
    pub shared_reserved: u32,
}

/// Most threads of one block.
pub const THREADS_PER_BLOCK: u32 = 1024;
/// Most threads of one block by dimension.
pub const BLOCK_LIMITS: [u32; 3] = [1024, 1024, 64];
/// Most blocks of one launch by dimension.
pub const GRID_LIMITS: [u32; 3] = [i32::MAX as u32, 65535, 65535];
/// Shared memory of a block that does not ask for more, bytes.
pub const SHARED_PER_BLOCK: u32 = 48 << 10;
/// Lanes that run together.
pub const WARP_SIZE: u32 = 32;
/// Registers of a block and of a multiprocessor.
pub const REGISTERS: u32 = 65536;
/// Multiprocessors: as many as the core keeps busy at once (an H100 and an H200 have 132).
pub const MULTIPROCESSORS: u32 = 132;
/// Constant memory, bytes.
const CONSTANT: u32 = 64 << 10;

impl Traits {
    /// The limits of a compute capability; one that is not known has those of its nearest elder.
    pub fn of(capability: (u32, u32)) -> Traits {
        let (shared_kib, threads, blocks) = match capability {
            (7, 0..5) => (96, 2048, 32),
            (7, _) => (64, 1024, 16),
            (8, 0) => (164, 2048, 32),
            (8, 7) => (164, 1536, 16),
            (8, _) => (100, 1536, if capability.1 == 9 { 24 } else { 16 }),
            (9 | 10, _) => (228, 2048, 32),
            _ => (100, 1536, 24),
        };
        let reserved = if capability.0 >= 8 { 1 << 10 } else { 0 };
        Traits {
            shared_opt_in: (shared_kib << 10) - reserved,
            shared_per_multiprocessor: shared_kib << 10,
            threads_per_multiprocessor: threads,
            blocks_per_multiprocessor: blocks,
            shared_reserved: reserved,
        }
    }
}

/// The bus number of a device on an imagined PCI bus.
pub fn pci_bus(index: u32) -> u32 {
    index + 1
}

/// The last number that public headers know.
const LAST: c_uint = 161;

/// The value of one property.
pub fn of_device(device: &Device, attribute: c_uint) -> Result<c_int> {
    let traits = &device.traits;
    let value = match attribute {
        1 => THREADS_PER_BLOCK,
        2..=4 => BLOCK_LIMITS[attribute as usize - 2],
        5..=7 => GRID_LIMITS[attribute as usize - 5],
        8 => SHARED_PER_BLOCK,
        9 => CONSTANT,
        10 => WARP_SIZE,
        11 => i32::MAX as u32,  // pitch, bytes
        12 | 82 => REGISTERS,   // of a block, of a multiprocessor
        13 => 1_980_000,        // clock, kHz
        14 => 512,              // alignment of textures
        15 | 19 | 31 | 41 => 1, // copies beside kernels, mapped memory, kernels side by side, one address space
        16 => MULTIPROCESSORS,
        17 | 18 | 20 | 32 | 35 => 0, // no time limit, not integrated, shared by all, no ECC, no TCC
        30 => 512,                   // alignment of surfaces
        33 => pci_bus(device.index),
        34 | 50 => 0,    // PCI device and domain
        36 => 3_201_000, // memory clock, kHz
        37 => 6144,      // memory bus, bits
        38 => 50 << 20,  // L2 cache
        39 => traits.threads_per_multiprocessor,
        40 => 3,  // copy engines
        51 => 32, // pitch alignment of textures
        75 => device.capability.0,
        76 => device.capability.1,
        78..=80 => 1, // stream priorities, L1 caches
        81 => traits.shared_per_multiprocessor,
        83 => 1, // managed memory
        // They would work, but behind PCIe they do not: programs shall take the same path here.
        86 => 0,                  // atomic operations on host memory
        87 => 2,                  // single to double precision
        89 => 1,                  // managed memory beside kernels
        90 | 91 => 1,             // preemption, registered host pointers are device pointers
        92..=94 | 122 | 123 => 1, // memory operations of streams
        95 => 1,                  // cooperative launch
        97 => traits.shared_opt_in,
        98..=99 => 1, // flush of remote writes, registration of host memory
        106 => traits.blocks_per_multiprocessor,
        111 => traits.shared_reserved,
        113 => 1,             // registration of read-only host memory
        115 => 1,             // memory pools
        129 => 1,             // function pointers are the same on all devices
        131 => return Ok(-1), // no NUMA node of its own
        134 => return Ok(-1), // no nearest NUMA node
        // Textures, surfaces, arrays, managed memory by page tables, virtual memory management,
        // sharing with other processes, clusters, tensor maps, graphics: not there.
        attribute if (1..=LAST).contains(&attribute) => 0,
        _ => return Err(Status::INVALID_VALUE),
    };
    Ok(value as c_int)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shared_memory_by_capability() {
        let opt_in = |major, minor| Traits::of((major, minor)).shared_opt_in;
        assert_eq!(opt_in(7, 0), 98304);
        assert_eq!(opt_in(7, 5), 65536);
        assert_eq!(opt_in(8, 0), 166912);
        assert_eq!(opt_in(8, 6), 101376);
        assert_eq!(opt_in(9, 0), 232448);
    }
}
