//! Where everything lies in the shared region, and what the client object looks like.
//!
//! The bytes are those of LLVM libc 22, so that images and hosts of either origin can be mixed.

use static_assertions::{const_assert, const_assert_eq};

/// Most ports that the base protocol can name: one bit each in [`ClientObject::lock`].
pub const MAX_PORTS: u32 = 4096;

/// Widest group of lanes: a wavefront of 64.
pub const MAX_LANES: u32 = 64;

/// Bytes that one packet carries for one lane.
pub const BUFFER_BYTES: usize = 64;

/// Words that one packet carries for one lane.
pub const BUFFER_WORDS: u32 = 8;

/// Name of the global whose presence in an image says that it makes calls.
pub const CLIENT_SYMBOL: &str = "__llvm_rpc_client";

/// What one lane finds in a packet: 64 bytes.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Buffer {
    /// The payload. Each opcode gives the words their meaning.
    pub data: [u64; 8],
}

/// Who takes part in a call and what it asks for: one for each port, 16 bytes.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Header {
    /// A bit for each lane that takes part.
    pub mask: u64,
    /// The service asked for.
    pub opcode: u32,
    /// Never read.
    pub pad: u32,
}

/// The object behind [`CLIENT_SYMBOL`], which the host writes before the first kernel runs.
///
/// Pointers are device addresses; they stay integers here because the host that writes them cannot follow them.
#[repr(C, align(8))]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ClientObject {
    /// Number of ports in the region.
    pub port_count: u32,
    /// Never read.
    pub pad: u32,
    /// Address of the server-to-client mailbox, `u32[port_count]`.
    pub inbox: u64,
    /// Address of the client-to-server mailbox, `u32[port_count]`.
    pub outbox: u64,
    /// Address of the headers, `Header[port_count]`.
    pub header: u64,
    /// Address of the packets, `Buffer[port_count][lanes]`.
    pub packet: u64,
    /// The client's locks, one bit for each port. Private to the device.
    pub lock: [u32; (MAX_PORTS / 32) as usize],
}

const_assert_eq!(size_of::<Buffer>(), BUFFER_BYTES);
const_assert_eq!(size_of::<Header>(), 16);
const_assert_eq!(core::mem::offset_of!(Header, opcode), 8);
const_assert_eq!(size_of::<ClientObject>(), 552);
const_assert_eq!(align_of::<ClientObject>(), 8);
const_assert_eq!(core::mem::offset_of!(ClientObject, inbox), 8);
const_assert_eq!(core::mem::offset_of!(ClientObject, outbox), 16);
const_assert_eq!(core::mem::offset_of!(ClientObject, header), 24);
const_assert_eq!(core::mem::offset_of!(ClientObject, packet), 32);
const_assert_eq!(core::mem::offset_of!(ClientObject, lock), 40);
const_assert!(cfg!(target_endian = "little"));

impl ClientObject {
    /// The object as it lies in a fresh image: no host has written it yet.
    pub const ZERO: Self = Self {
        port_count: 0,
        pad: 0,
        inbox: 0,
        outbox: 0,
        header: 0,
        packet: 0,
        lock: [0; (MAX_PORTS / 32) as usize],
    };

    /// The object for a region of this layout that the device sees at address `base`.
    pub const fn new(layout: Layout, base: u64) -> Self {
        Self {
            port_count: layout.ports,
            inbox: base + layout.to_client() as u64,
            outbox: base + layout.to_server() as u64,
            header: base + layout.headers() as u64,
            packet: base + layout.packets() as u64,
            ..Self::ZERO
        }
    }

    /// The bytes to write into the image's global.
    pub fn to_bytes(&self) -> [u8; size_of::<Self>()] {
        let mut bytes = [0; size_of::<Self>()];
        bytes[..4].copy_from_slice(&self.port_count.to_le_bytes());
        let pointers = [self.inbox, self.outbox, self.header, self.packet];
        for (at, pointer) in pointers.iter().enumerate() {
            bytes[8 + 8 * at..][..8].copy_from_slice(&pointer.to_le_bytes());
        }
        for (at, word) in self.lock.iter().enumerate() {
            bytes[40 + 4 * at..][..4].copy_from_slice(&word.to_le_bytes());
        }
        bytes
    }
}

/// Sizes and offsets of a shared region.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Layout {
    ports: u32,
    lanes: u32,
}

impl Layout {
    /// A region of `ports` ports (1 to [`MAX_PORTS`]) for groups of up to `lanes` lanes (1 to [`MAX_LANES`]).
    pub const fn new(ports: u32, lanes: u32) -> Option<Self> {
        if ports == 0 || ports > MAX_PORTS || lanes == 0 || lanes > MAX_LANES {
            return None;
        }
        Some(Self { ports, lanes })
    }

    /// Number of ports.
    pub const fn ports(self) -> u32 {
        self.ports
    }

    /// Lanes that each packet has room for.
    pub const fn lanes(self) -> u32 {
        self.lanes
    }

    /// A mask with a bit for each lane that can exist.
    pub const fn all_lanes(self) -> u64 {
        u64::MAX >> (64 - self.lanes)
    }

    /// Offset of the mailbox that only the server writes.
    pub const fn to_client(self) -> usize {
        0
    }

    /// Offset of the mailbox that only the client writes.
    pub const fn to_server(self) -> usize {
        4 * self.ports as usize
    }

    /// Offset of the headers.
    pub const fn headers(self) -> usize {
        (8 * self.ports as usize).next_multiple_of(align_of::<Header>())
    }

    /// Offset of the packets.
    pub const fn packets(self) -> usize {
        (self.headers() + size_of::<Header>() * self.ports as usize).next_multiple_of(align_of::<Buffer>())
    }

    /// Bytes of the whole region.
    pub const fn size(self) -> usize {
        self.packets() + BUFFER_BYTES * self.ports as usize * self.lanes as usize
    }
}
