//! The server's side of express calls: scans the slots' hints and answers on the spot.
//!
//! Slots are divided into chunks, each behind a lock of its own. A server thread looks at its own chunks first, so that
//! threads meet only when one has nothing to do.

use std::{
    ptr::NonNull,
    sync::{
        Mutex,
        atomic::{AtomicU64, Ordering},
    },
};

use rpc_proto::{
    Opcode,
    express::{Look, Message, Place, Shape, Slots},
    raw::RawSlots,
};

use crate::{
    Fault, FaultKind, lines,
    lock::{lock, try_lock},
    registry::ExpressHandler,
    server::Shared,
};

/// Slots behind one lock: a few microseconds of scanning, and hints that share no cache line with other chunks.
const CHUNK: u32 = 256;

/// Hints that fit into one cache line.
const LINE: usize = lines::BYTES / 4;

/// The express region and what the server knows of it.
pub(crate) struct Express {
    slots: RawSlots,
    base: NonNull<u8>,
    chunks: Box<[Mutex<Chunk>]>,
}

// SAFETY: `base` leads to memory that is accessed atomically and outlives the value, as `new` demands.
unsafe impl Send for Express {}
// SAFETY: as above.
unsafe impl Sync for Express {}

/// A run of slots.
struct Chunk {
    first: u32,
    places: Box<[Place]>,
    /// Rows taken from each slot, for the comparison with the hints: two slots in a word, as they lie in the region.
    seen: Box<[u64]>,
    message: Box<Message>,
    /// The handler of the last message.
    last: Option<(Opcode, ExpressHandler)>,
}

impl Express {
    /// Take over `shape.size()` bytes at `base` and zero them.
    ///
    /// # Safety
    /// `base` is aligned to 64 and leads to that many bytes, which outlive the value and are only written by a device (or
    /// by a client that behaves as one, atomically).
    pub(crate) unsafe fn new(base: NonNull<u8>, shape: Shape) -> Self {
        let chunks = (0..shape.slots).step_by(CHUNK as usize).map(|first| {
            let len = (shape.slots - first).min(CHUNK) as usize;
            Mutex::new(Chunk {
                first,
                places: vec![Place::default(); len].into(),
                seen: vec![0; len.next_multiple_of(LINE) / 2].into(),
                message: Box::default(),
                last: None,
            })
        });
        let express = Self {
            // SAFETY: the caller vouches for `base`; a server never touches the clients' state.
            slots: unsafe { RawSlots::new(base.as_ptr(), shape, std::ptr::null_mut()) },
            base,
            chunks: chunks.collect(),
        };
        express.zero();
        express
    }

    fn zero(&self) {
        for word in 0..self.slots.shape().size() / 8 {
            // SAFETY: within the region, aligned, accessed atomically.
            unsafe { AtomicU64::from_ptr(self.base.as_ptr().cast::<u64>().add(word)) }.store(0, Ordering::Relaxed);
        }
    }

    /// Serve what has arrived, as thread `thread` of `threads`. Returns the number of messages.
    ///
    /// `thorough` looks at every slot, whatever its hint says, and returns 0 only when it has seen them all empty.
    pub(crate) fn poll(&self, shared: &Shared, thread: usize, threads: usize, thorough: bool) -> usize {
        let mut served = 0;
        for number in (thread..self.chunks.len()).step_by(threads) {
            served += self.poll_chunk(shared, number, thorough);
        }
        served
    }

    fn poll_chunk(&self, shared: &Shared, number: usize, thorough: bool) -> usize {
        let Some(mut chunk) = try_lock(&self.chunks[number]) else {
            // A chunk that another thread is serving needs no second one; but that thread may be past what came last, so
            // that a thorough scan is not through.
            return usize::from(thorough);
        };
        let mut served = 0;
        for line in 0..chunk.seen.len() / (LINE / 2) {
            if thorough || self.line_has_news(&chunk, line) {
                let mut slots = line * LINE..((line + 1) * LINE).min(chunk.places.len());
                let mut next = slots.find(|&slot| thorough || self.is_hinted(&chunk, slot));
                while let Some(slot) = next {
                    next = slots.find(|&slot| thorough || self.is_hinted(&chunk, slot));
                    if let Some(next) = next {
                        // Nine cache lines that the device has just written: their way here takes longer than a message.
                        chunk.places[next].prefetch(&self.slots, chunk.first + next as u32);
                    }
                    served += self.serve_slot(shared, &mut chunk, slot, thorough);
                }
            }
        }
        served
    }

    /// Compare a cache line of hints with what has been taken, all at once.
    #[inline]
    fn line_has_news(&self, chunk: &Chunk, line: usize) -> bool {
        let first = chunk.first as usize + line * LINE;
        let seen = &chunk.seen[line * (LINE / 2)..][..LINE / 2];
        // SAFETY: the hints are padded to whole lines, and a line of `seen` is as long.
        unsafe { lines::differ(self.base.as_ptr().add(4 * first), seen.as_ptr().cast()) }
    }

    fn is_hinted(&self, chunk: &Chunk, at: usize) -> bool {
        let hint = self.slots.shape().hint(chunk.first + at as u32);
        chunk.places[at].is_hinted(self.slots.load_word(hint))
    }

    fn serve_slot(&self, shared: &Shared, chunk: &mut Chunk, at: usize, thorough: bool) -> usize {
        let slot = chunk.first + at as u32;
        let place = &mut chunk.places[at];
        let message = &mut *chunk.message;
        let mut served = 0;
        // A device that never stops must not keep the others waiting.
        while served < 64 {
            match place.look(&self.slots, slot, message) {
                Look::Message => {
                    if !shared.answer_express(&mut chunk.last, message, thorough) {
                        break;
                    }
                    place.finish(&self.slots, slot, message);
                    served += 1;
                }
                Look::Empty | Look::Arriving => break,
                Look::Broken { code, mask } => {
                    shared.report(Fault {
                        port: None,
                        opcode: None,
                        kind: FaultKind::BadValue(format!(
                            "slot {slot} has a header that makes no sense (code {code:#x}, lanes {mask:#x}); it is served no \
                             more"
                        )),
                    });
                    break;
                }
            }
        }
        place.acknowledge(&self.slots, slot);
        let seen = &mut chunk.seen[at / 2];
        let shift = 32 * (at % 2);
        *seen = *seen & !(0xffff_ffff << shift) | u64::from(place.taken()) << shift;
        served
    }

    /// Forget everything and zero the region. No device may be using it.
    pub(crate) fn reset(&self) {
        let mut chunks: Vec<_> = self.chunks.iter().map(lock).collect();
        self.zero();
        for chunk in &mut chunks {
            chunk.places.fill(Place::default());
            chunk.seen.fill(0);
        }
    }
}
