//! How bytes of any length travel through packets of 64.
//!
//! The first packet holds the size in word 0 and up to 56 bytes behind it, every further one up to 64 bytes. Packets
//! flow as long as any lane of the group has bytes left; lanes that have none take part with packets that nobody reads.

use crate::layout::{BUFFER_BYTES, Buffer, MAX_LANES};

/// Bytes in the first packet.
pub const FIRST: usize = BUFFER_BYTES - 8;

/// Bytes in every further packet.
pub const NEXT: usize = BUFFER_BYTES;

/// Packets that a stream of `size` bytes takes.
pub const fn packets(size: u64) -> u64 {
    1 + size.saturating_sub(FIRST as u64).div_ceil(NEXT as u64)
}

/// `size`, a number that the other side wrote, bounded by what is here.
#[inline(always)]
pub(crate) fn clamp(size: u64, limit: usize) -> usize {
    size.min(limit as u64) as usize
}

/// The server's place in streams that the lanes of a group are sending.
///
/// ```text
/// while incoming.wants_more() {
///     receive a packet: incoming.take(lane, &buffer, ..) for each lane
///     incoming.advance();
/// }
/// ```
#[derive(Debug)]
pub struct Incoming {
    /// What each lane announced.
    sizes: [u64; MAX_LANES as usize],
    largest: u64,
    /// Bytes of each stream that earlier packets held; `None` before the first packet.
    at: Option<u64>,
}

impl Default for Incoming {
    fn default() -> Self {
        Self::new()
    }
}

impl Incoming {
    /// Before the first packet.
    pub const fn new() -> Self {
        Self {
            sizes: [0; MAX_LANES as usize],
            largest: 0,
            at: None,
        }
    }

    /// Another packet has to be received.
    pub const fn wants_more(&self) -> bool {
        match self.at {
            None => true,
            Some(at) => at < self.largest,
        }
    }

    /// What `lane` (below 64) announced; 0 before the first packet.
    pub const fn size(&self, lane: u32) -> u64 {
        self.sizes[lane as usize]
    }

    /// Hand the lane's bytes in this packet to `take(lane, announced size, bytes)`; not called when there are none.
    pub fn take(&mut self, lane: u32, buffer: &Buffer, mut take: impl FnMut(u32, u64, &[u8])) {
        let bytes = buffer.to_bytes();
        let (bytes, at) = match self.at {
            None => {
                self.sizes[lane as usize] = buffer.data[0];
                self.largest = self.largest.max(buffer.data[0]);
                (&bytes[8..], 0)
            }
            Some(at) => (&bytes[..], at),
        };
        let size = self.sizes[lane as usize];
        let len = clamp(size.saturating_sub(at), bytes.len());
        if len > 0 {
            take(lane, size, &bytes[..len]);
        }
    }

    /// The packet has been taken from every lane.
    pub const fn advance(&mut self) {
        self.at = Some(match self.at {
            None => FIRST as u64,
            Some(at) => at.saturating_add(NEXT as u64),
        });
    }
}

/// The server's place in streams that it sends to the lanes of a group.
#[derive(Debug)]
pub struct Outgoing {
    largest: usize,
    at: Option<usize>,
}

impl Default for Outgoing {
    fn default() -> Self {
        Self::new()
    }
}

impl Outgoing {
    /// Before the first packet.
    pub const fn new() -> Self {
        Self { largest: 0, at: None }
    }

    /// Another packet has to be sent.
    pub const fn has_more(&self) -> bool {
        match self.at {
            None => true,
            Some(at) => at < self.largest,
        }
    }

    /// Pass the next packet of a lane whose stream is `bytes` to `store`.
    pub fn fill(&mut self, bytes: &[u8], store: impl FnOnce(Buffer)) {
        let mut packet = [0; BUFFER_BYTES];
        let (room, rest) = match self.at {
            None => {
                self.largest = self.largest.max(bytes.len());
                packet[..8].copy_from_slice(&(bytes.len() as u64).to_le_bytes());
                (&mut packet[8..], bytes)
            }
            Some(at) => (&mut packet[..], bytes.get(at..).unwrap_or_default()),
        };
        let len = rest.len().min(room.len());
        room[..len].copy_from_slice(&rest[..len]);
        store(Buffer::from_bytes(&packet));
    }

    /// The packet has been sent to every lane.
    pub const fn advance(&mut self) {
        self.at = Some(match self.at {
            None => FIRST,
            Some(at) => at + NEXT,
        });
    }
}

impl Buffer {
    /// The buffer as bytes, in the order in which they lie in memory.
    pub fn to_bytes(&self) -> [u8; BUFFER_BYTES] {
        let mut bytes = [0; BUFFER_BYTES];
        let (words, _) = bytes.as_chunks_mut::<8>();
        for (bytes, word) in words.iter_mut().zip(self.data) {
            *bytes = word.to_le_bytes();
        }
        bytes
    }

    /// The buffer that holds these bytes.
    pub fn from_bytes(bytes: &[u8; BUFFER_BYTES]) -> Self {
        let (words, _) = bytes.as_chunks::<8>();
        Self {
            data: core::array::from_fn(|at| u64::from_le_bytes(words[at])),
        }
    }
}
