//! How one side reaches the shared words, and the four edges that order everything else.
//!
//! | edge | scope | what it means | its partner |
//! |---|---|---|---|
//! | [give](Memory::give) | system | release: all that this side wrote is visible before the mailbox word changes | the other side's take |
//! | [take](Memory::take) | system | acquire: nothing is read or written before the change was seen | the other side's give |
//! | [lock](Memory::try_lock) | device | acquire: the port's private state is seen as its last owner left it | unlock by that owner |
//! | [unlock](Memory::unlock) | device | release: that state is visible before the lock opens | lock by the next owner |
//!
//! Between these edges every access is relaxed or plain. `tests/loom.rs` shows that none can be weakened.

use crate::layout::{Buffer, Header};

/// One side's view of a shared region, together with that side's own locks.
///
/// Inbox and outbox are meant from this side: it writes its outbox and nobody else does, and it only reads its inbox.
/// A port index is always below [`ports`](Memory::ports), a lane below the region's lanes, a word below 8.
pub trait Memory {
    /// Number of ports in the region.
    fn ports(&self) -> u32;

    /// The inbox word of a port; relaxed.
    fn load_inbox(&self, port: u32) -> u32;

    /// This side's own outbox word of a port; relaxed. On a GPU this crosses the bus.
    fn load_outbox(&self, port: u32) -> u32;

    /// The give edge: release at system scope, then store `value` into the outbox word.
    fn give(&self, port: u32, value: u32);

    /// The take edge: acquire at system scope, after the inbox was seen to change.
    fn take(&self);

    /// Wait until the port's inbox word is `value`, then the take edge. `pause` runs between two
    /// looks, and is told how many there were before.
    #[inline(always)]
    fn take_when(&self, port: u32, value: u32, pause: impl Fn(u32)) {
        let mut looks = 0;
        while self.load_inbox(port) != value {
            pause(looks);
            looks = looks.wrapping_add(1);
        }
        self.take();
    }

    /// The lock edge: take the port's lock bit unless it is taken; acquire at device scope when it succeeds.
    fn try_lock(&self, port: u32) -> bool;

    /// The unlock edge: release at device scope, then clear the port's lock bit.
    fn unlock(&self, port: u32);

    /// What the port's header says.
    fn load_header(&self, port: u32) -> Header;

    /// Write the port's header.
    fn store_header(&self, port: u32, header: Header);

    /// One word of a lane's buffer.
    fn load_word(&self, port: u32, lane: u32, word: u32) -> u64;

    /// Write one word of a lane's buffer.
    fn store_word(&self, port: u32, lane: u32, word: u32, value: u64);

    /// A lane's buffer will be read soon: a hint, for memory that is worth fetching in advance.
    #[inline(always)]
    fn prefetch(&self, _port: u32, _lane: u32) {}

    /// Let others run, inside a loop that waits for the other side.
    #[inline(always)]
    fn pause(&self) {
        core::hint::spin_loop();
    }

    /// What this side noted of the port when it last held the lock, where such notes may be trusted.
    ///
    /// `None` makes the caller read the mailbox words. A client may return `Some` only while the host has said that it
    /// resets these notes whenever it resets the region ([`SHADOW`](crate::ext::features::SHADOW)).
    #[inline(always)]
    fn load_shadow(&self, _port: u32) -> Option<Shadow> {
        None
    }

    /// Note the port's state for the next holder of its lock. Called only while holding the lock.
    #[inline(always)]
    fn store_shadow(&self, _port: u32, _shadow: Shadow) {}
}

/// What a side remembers of a port between two calls, instead of reading it across the bus again.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shadow(pub u8);

impl Shadow {
    /// A port that nobody has used since the region was zeroed: the client owns it.
    pub const FRESH: Self = Self(0);

    const OUTBOX: u8 = 1;
    const NOT_OWNED: u8 = 2;

    /// Note the outbox word, and whether this side was seen to own the port.
    #[inline(always)]
    pub const fn new(outbox: u32, owned: bool) -> Self {
        Self((outbox as u8 & Self::OUTBOX) | if owned { 0 } else { Self::NOT_OWNED })
    }

    /// The outbox word.
    #[inline(always)]
    pub const fn outbox(self) -> u32 {
        (self.0 & Self::OUTBOX) as u32
    }

    /// This side is known to own the port; otherwise the inbox has to be asked.
    #[inline(always)]
    pub const fn owned(self) -> bool {
        self.0 & Self::NOT_OWNED == 0
    }
}

/// One lane's 64 bytes of a port's packet. Reads and writes go straight to the shared region.
#[derive(Clone, Copy)]
pub struct Packet<'a, M: Memory> {
    pub(crate) memory: &'a M,
    pub(crate) port: u32,
    pub(crate) lane: u32,
}

impl<M: Memory> Packet<'_, M> {
    /// Word `at` (0 to 7; beyond, counted from 0 again).
    #[inline(always)]
    pub fn get(&self, at: u32) -> u64 {
        self.memory.load_word(self.port, self.lane, at % 8)
    }

    /// Set word `at`, as [`get`](Self::get) counts them.
    #[inline(always)]
    pub fn set(&self, at: u32, value: u64) {
        self.memory.store_word(self.port, self.lane, at % 8, value);
    }

    /// A private copy of all 64 bytes.
    #[inline(always)]
    pub fn load(&self) -> Buffer {
        Buffer {
            data: core::array::from_fn(|at| self.get(at as u32)),
        }
    }

    /// Set all 64 bytes.
    #[inline(always)]
    pub fn store(&self, buffer: &Buffer) {
        for (at, word) in buffer.data.iter().enumerate() {
            self.set(at as u32, *word);
        }
    }

    /// Turn what it holds into what `answer` makes of a private copy.
    #[inline(always)]
    pub fn answer(&self, answer: impl FnOnce(&mut Buffer)) {
        let mut buffer = self.load();
        answer(&mut buffer);
        self.store(&buffer);
    }

    /// Copy `bytes` to the words from `first` on. The rest of the last word becomes 0.
    ///
    /// `bytes` beyond the end of the packet are left out.
    #[inline]
    pub fn write_bytes(&self, first: u32, bytes: &[u8]) {
        let room = 8 * 8usize.saturating_sub(first as usize);
        let bytes = &bytes[..bytes.len().min(room)];
        let (words, rest) = bytes.as_chunks::<8>();
        for (at, word) in words.iter().enumerate() {
            self.set(first + at as u32, word_from(word));
        }
        if !rest.is_empty() {
            let mut last = 0;
            for (at, byte) in rest.iter().enumerate() {
                last |= (*byte as u64) << (8 * at);
            }
            self.set(first + words.len() as u32, last);
        }
    }

    /// Fill `bytes` from the words from `first` on; at most what the packet holds.
    #[inline]
    pub fn read_bytes(&self, first: u32, bytes: &mut [u8]) {
        let room = 8 * 8usize.saturating_sub(first as usize);
        let len = bytes.len().min(room);
        for (at, chunk) in bytes[..len].chunks_mut(8).enumerate() {
            let word = self.get(first + at as u32);
            if let Ok(whole) = <&mut [u8; 8]>::try_from(&mut *chunk) {
                word_into(word, whole);
            } else {
                for (at, byte) in chunk.iter_mut().enumerate() {
                    *byte = (word >> (8 * at)) as u8;
                }
            }
        }
    }
}

/// A GPU has no unaligned loads, so that bytes of unknown alignment are fetched one by one; most are aligned.
#[inline(always)]
fn word_from(bytes: &[u8; 8]) -> u64 {
    let pointer = bytes.as_ptr().cast::<u64>();
    if pointer.is_aligned() {
        // SAFETY: 8 readable bytes at an address aligned for u64, any bits of which are a u64.
        unsafe { pointer.read() }
    } else {
        u64::from_le_bytes(*bytes)
    }
}

#[inline(always)]
fn word_into(word: u64, bytes: &mut [u8; 8]) {
    let pointer = bytes.as_mut_ptr().cast::<u64>();
    if pointer.is_aligned() {
        // SAFETY: 8 writable bytes, exclusively borrowed, at an address aligned for u64.
        unsafe { pointer.write(word) }
    } else {
        *bytes = word.to_le_bytes();
    }
}
