//! What goes beyond the base protocol, and how each side learns whether the other knows it.
//!
//! Images of ours export a global named [`EXT_SYMBOL`], all zero in the file. A host that knows it fills it in before
//! the first kernel; zero means that only the base protocol may be spoken.

use static_assertions::const_assert_eq;

/// Name of the global that a host fills in to offer extensions.
pub const EXT_SYMBOL: &str = "__rpc_ext_client";

/// `RPX1`, the first word of a filled-in object.
pub const MAGIC: u32 = 0x3158_5052;

/// The version that this crate knows.
pub const VERSION: u32 = 1;

/// One bit for each extension. Device code tests a bit before it uses anything that the bit stands for.
pub mod features {
    /// Shadows: `shadow` points to `u8[port_count]` in device memory, zeroed by the host whenever it resets the region.
    pub const SHADOW: u32 = 1 << 0;
    /// The host knows the opcodes of class `r`.
    pub const SERVICES: u32 = 1 << 1;
}

/// The object behind [`EXT_SYMBOL`].
///
/// Fields are only ever added at the end; `size` says how many of them the host has written.
#[repr(C, align(8))]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ExtClient {
    /// [`MAGIC`], or 0 when no host has written here.
    pub magic: u32,
    /// [`VERSION`].
    pub version: u32,
    /// Bytes that the host has written, this header included.
    pub size: u32,
    /// What the host offers: bits of [`features`].
    pub features: u32,
    /// Device address of the shadows, `u8[port_count]`.
    pub shadow: u64,
}

const_assert_eq!(core::mem::offset_of!(ExtClient, shadow), 16);

impl ExtClient {
    /// The object as it lies in a fresh image.
    pub const ZERO: Self = Self {
        magic: 0,
        version: 0,
        size: 0,
        features: 0,
        shadow: 0,
    };

    /// An object that offers nothing yet.
    pub const OFFER: Self = Self {
        magic: MAGIC,
        version: VERSION,
        size: size_of::<Self>() as u32,
        ..Self::ZERO
    };

    /// Whether the host offers all of `features`.
    #[inline(always)]
    pub const fn has(&self, features: u32) -> bool {
        self.magic == MAGIC && self.features & features == features
    }

    /// The bytes to write into the image's global.
    pub fn to_bytes(&self) -> [u8; size_of::<Self>()] {
        let mut bytes = [0; size_of::<Self>()];
        for (at, word) in [self.magic, self.version, self.size, self.features].iter().enumerate() {
            bytes[4 * at..][..4].copy_from_slice(&word.to_le_bytes());
        }
        bytes[16..24].copy_from_slice(&self.shadow.to_le_bytes());
        bytes
    }
}
