//! The server's side of the shared region.

use std::{
    ptr::NonNull,
    sync::atomic::{AtomicU32, Ordering},
};

use rpc_proto::{
    Header, Layout, Memory, Shadow,
    raw::{CpuEdges, RawMemory},
};

use crate::lines;

/// Ports whose mailbox words fill a cache line.
const LINE: u32 = lines::BYTES as u32 / 4;

/// The region through pointers, with the server's locks and its own copy of the outbox.
///
/// The copy is what the server goes by: a device can scribble over the shared words, but not over these.
#[derive(Debug)]
pub struct Region {
    raw: RawMemory<CpuEdges>,
    base: NonNull<u8>,
    layout: Layout,
    outbox: Box<[AtomicU32]>,
    /// Only reached through `raw`; kept here to live as long.
    _locks: Box<[AtomicU32]>,
}

// SAFETY: `base` leads to memory that is accessed atomically and outlives the region, as `new` demands.
unsafe impl Send for Region {}
// SAFETY: as above.
unsafe impl Sync for Region {}

impl Region {
    /// Take over `layout.size()` bytes at `base` and zero them.
    ///
    /// # Safety
    /// `base` is aligned to 8 and leads to that many bytes, which outlive the value and are only written by a device
    /// (or by a client that behaves as one, atomically).
    pub unsafe fn new(base: NonNull<u8>, layout: Layout) -> Self {
        let zeros = |len: u32| (0..len).map(|_| AtomicU32::new(0)).collect::<Box<[_]>>();
        let locks = zeros(layout.ports().div_ceil(32));
        let region = Self {
            // SAFETY: the caller vouches for `base`; the locks live in this value and are private to it.
            raw: unsafe { RawMemory::server(base.as_ptr(), layout, locks.as_ptr().cast_mut().cast()) },
            base,
            layout,
            outbox: zeros(layout.ports()),
            _locks: locks,
        };
        region.zero();
        region
    }

    /// Zero the region. No device may be using it.
    pub fn zero(&self) {
        for word in 0..self.layout.size() / 4 {
            self.shared(word).store(0, Ordering::Relaxed);
        }
        for word in &self.outbox {
            word.store(0, Ordering::Relaxed);
        }
    }

    /// The ports that the device has given to the server: a relaxed look at all of them, a cache line at a time.
    pub fn pending(&self, mut found: impl FnMut(u32)) {
        let ports = self.layout.ports();
        let mut look = |port: u32| {
            if self.load_inbox(port) & 1 != self.outbox(port) {
                found(port);
            }
        };
        // With an odd number of ports the client's mailbox is not aligned to 8.
        let whole = if ports.is_multiple_of(2) {
            ports / LINE * LINE
        } else {
            0
        };
        for first in (0..whole).step_by(LINE as usize) {
            // SAFETY: a line from `first` lies within the mailbox, and within the copy; both are only written atomically.
            let differs = unsafe {
                let mailbox = self.base.as_ptr().add(self.layout.to_server() + 4 * first as usize);
                lines::differ(mailbox, self.outbox.as_ptr().add(first as usize).cast())
            };
            if differs {
                (first..first + LINE).for_each(&mut look);
            }
        }
        (whole..ports).for_each(look);
    }

    fn outbox(&self, port: u32) -> u32 {
        self.outbox[port as usize].load(Ordering::Relaxed)
    }

    fn shared(&self, word: usize) -> &AtomicU32 {
        // SAFETY: callers stay within the region, which is aligned and only accessed atomically.
        unsafe { AtomicU32::from_ptr(self.base.as_ptr().cast::<u32>().add(word)) }
    }
}

impl Memory for Region {
    fn ports(&self) -> u32 {
        self.layout.ports()
    }

    fn load_inbox(&self, port: u32) -> u32 {
        self.raw.load_inbox(port)
    }

    fn load_outbox(&self, port: u32) -> u32 {
        self.outbox(port)
    }

    fn give(&self, port: u32, value: u32) {
        self.outbox[port as usize].store(value, Ordering::Relaxed);
        self.raw.give(port, value);
    }

    fn take(&self) {
        self.raw.take();
    }

    fn try_lock(&self, port: u32) -> bool {
        self.raw.try_lock(port)
    }

    fn unlock(&self, port: u32) {
        self.raw.unlock(port);
    }

    fn load_header(&self, port: u32) -> Header {
        self.raw.load_header(port)
    }

    fn store_header(&self, port: u32, header: Header) {
        self.raw.store_header(port, header);
    }

    fn load_word(&self, port: u32, lane: u32, word: u32) -> u64 {
        self.raw.load_word(port, lane, word)
    }

    fn store_word(&self, port: u32, lane: u32, word: u32, value: u64) {
        self.raw.store_word(port, lane, word, value);
    }

    fn prefetch(&self, port: u32, lane: u32) {
        self.raw.prefetch(port, lane);
    }

    fn load_shadow(&self, port: u32) -> Option<Shadow> {
        Some(Shadow::new(self.outbox(port), false))
    }
}
