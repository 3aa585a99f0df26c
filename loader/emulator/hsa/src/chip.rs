//! What the emulated GPUs claim to be: one well-known card for each processor.

use emulator::amdgcn::target::Target;

/// The facts about a card that programs ask for. From the vendor's public data sheets; nothing in
/// the emulator depends on them, except that launches are held to the limits.
#[derive(Debug)]
pub struct Chip {
    /// Name of the card.
    pub product: &'static str,
    /// PCI device number.
    pub chip_id: u32,
    /// Compute units.
    pub compute_units: u32,
    /// SIMD units of each.
    pub simds: u32,
    /// Wavefronts that a compute unit holds at most.
    pub waves: u32,
    /// Shader engines, and arrays in each.
    pub engines: [u32; 2],
    /// Dies with compute units.
    pub dies: u32,
    /// Highest clock, MHz.
    pub clock: u32,
    /// Memory clock, MHz.
    pub memory_clock: u32,
    /// Width of the memory bus, bits.
    pub memory_width: u32,
    /// First and second level cache, bytes.
    pub caches: [u32; 2],
    /// Bytes of a cache line.
    pub cache_line: u32,
    /// Whether page faults can be retried (`xnack`) and memory errors be corrected (`sramecc`):
    /// the ISA's name then says what is on.
    pub has_features: bool,
}

/// Bytes of memory that a work-group can share, on all of them.
pub const GROUP_BYTES: u32 = 64 << 10;
/// Work-items of a work-group, in all and by dimension.
pub const WORKGROUP_MAX: u32 = 1024;
/// Work-items of a grid, by dimension.
pub const GRID_MAX: u32 = u32::MAX;
/// Rate of the steady clock that `s_memrealtime` reads, Hz.
pub const CLOCK_HZ: u64 = 100_000_000;
/// Bytes of private memory that one work-item can have.
pub const PRIVATE_MAX: u32 = 4 << 20;

/// The card that stands for a processor.
pub fn chip(target: Target) -> &'static Chip {
    match target {
        Target::Gfx90a => &Chip {
            product: "AMD Instinct MI210 (emulated)",
            chip_id: 0x740f,
            compute_units: 104,
            simds: 4,
            waves: 32,
            engines: [8, 1],
            dies: 1,
            clock: 1700,
            memory_clock: 1600,
            memory_width: 4096,
            caches: [16 << 10, 8 << 20],
            cache_line: 128,
            has_features: true,
        },
        Target::Gfx942 => &Chip {
            product: "AMD Instinct MI300X (emulated)",
            chip_id: 0x74a1,
            compute_units: 304,
            simds: 4,
            waves: 32,
            engines: [32, 1],
            dies: 8,
            clock: 2100,
            memory_clock: 1300,
            memory_width: 8192,
            caches: [32 << 10, 4 << 20],
            cache_line: 128,
            has_features: true,
        },
        Target::Gfx1030 => &Chip {
            product: "AMD Radeon RX 6900 XT (emulated)",
            chip_id: 0x73bf,
            compute_units: 80,
            simds: 2,
            waves: 32,
            engines: [4, 2],
            dies: 1,
            clock: 2250,
            memory_clock: 1000,
            memory_width: 256,
            caches: [16 << 10, 4 << 20],
            cache_line: 128,
            has_features: false,
        },
        Target::Gfx1100 => &Chip {
            product: "AMD Radeon RX 7900 XTX (emulated)",
            chip_id: 0x744c,
            compute_units: 96,
            simds: 2,
            waves: 32,
            engines: [6, 2],
            dies: 1,
            clock: 2500,
            memory_clock: 1250,
            memory_width: 384,
            caches: [32 << 10, 6 << 20],
            cache_line: 128,
            has_features: false,
        },
    }
}
