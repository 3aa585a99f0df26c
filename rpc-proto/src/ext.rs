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
    /// Express calls: the fields `express` to `express_wrap` describe the region of [`express`](crate::express).
    ///
    /// Bits 2 and 7 stood for older arrangements of that region, which no host offers any more.
    pub const EXPRESS: u32 = 1 << 8;
    /// The host looks at all slots: their [hints](crate::express) need not be written.
    pub const EXPRESS_UNHINTED: u32 = 1 << 9;
    /// The host lets no two warps that run at the same time share a slot: there are as many slots as the launch has warps,
    /// and one launch at a time.
    pub const EXPRESS_EXCLUSIVE: u32 = 1 << 3;
    /// A pool of device memory: the fields `pool` and `pool_pages` describe one of [`pool`](crate::pool), its books zeroed
    /// before the image's first kernel.
    pub const POOL: u32 = 1 << 4;
    /// Express messages with the opcodes of WRITE_TO_STDOUT, WRITE_TO_STDERR and WRITE_TO_STDOUT_NEWLINE write a [text](crate::express::text).
    pub const EXPRESS_TEXT: u32 = 1 << 5;
    /// The host moves bytes from and to device memory: BULK_WRITE and BULK_READ.
    pub const BULK: u32 = 1 << 6;
    /// The host takes requests for short ones of these transfers by express, as [`bulk`](crate::bulk) says.
    pub const EXPRESS_BULK: u32 = 1 << 10;
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
    /// Device address of the express region.
    pub express: u64,
    /// Device address of the slots' private states, `u64[express_slots]` in device memory, zero at first.
    pub express_state: u64,
    /// [`Shape::slots`](crate::express::Shape::slots).
    pub express_slots: u32,
    /// [`Shape::lanes`](crate::express::Shape::lanes).
    pub express_lanes: u32,
    /// [`Shape::rows`](crate::express::Shape::rows).
    pub express_rows: u32,
    /// [`Shape::wrap`](crate::express::Shape::wrap).
    pub express_wrap: u32,
    /// Device address of the pool, a multiple of [`PAGE`](crate::pool::PAGE).
    pub pool: u64,
    /// [`Shape::pages`](crate::pool::Shape::pages).
    pub pool_pages: u32,
    /// Zero, for what comes next.
    pub reserved: u32,
}

const_assert_eq!(core::mem::offset_of!(ExtClient, shadow), 16);
const_assert_eq!(core::mem::offset_of!(ExtClient, express), 24);
const_assert_eq!(core::mem::offset_of!(ExtClient, express_slots), 40);
const_assert_eq!(core::mem::offset_of!(ExtClient, pool), 56);
const_assert_eq!(size_of::<ExtClient>(), 72);

impl ExtClient {
    /// The object as it lies in a fresh image.
    pub const ZERO: Self = Self {
        magic: 0,
        version: 0,
        size: 0,
        features: 0,
        shadow: 0,
        express: 0,
        express_state: 0,
        express_slots: 0,
        express_lanes: 0,
        express_rows: 0,
        express_wrap: 0,
        pool: 0,
        pool_pages: 0,
        reserved: 0,
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

    /// The object whose memory, as words of 8 bytes, is `words`.
    #[inline(always)]
    pub const fn from_words(words: [u64; size_of::<Self>() / 8]) -> Self {
        // SAFETY: integers without padding between them, of the same size; any value of them is valid.
        unsafe { core::mem::transmute(words) }
    }

    /// The bytes to write into the image's global.
    pub const fn to_bytes(&self) -> [u8; size_of::<Self>()] {
        // SAFETY: as above.
        unsafe { core::mem::transmute(*self) }
    }
}
