//! The server's side of express calls: scans the slots' hints, or where there are few their headers, and answers on the spot.
//!
//! Slots are divided into chunks, each behind a lock of its own. A server thread looks at its own chunks only, so that no two meet.

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
    server::lanes,
};

#[cfg(target_arch = "x86_64")]
use rpc_proto::raw::Vectors;

use crate::{
    Fault, FaultKind, lines,
    lock::{lock, try_lock},
    registry::ExpressHandler,
    server::Shared,
};

/// Hints that fit into one cache line.
const LINE: usize = lines::BYTES / 4;

/// Most slots behind one lock.
const LARGEST: usize = 64;

/// Slots behind one lock: whole lines of hints, so that chunks share none, and few enough that several threads get their
/// share of even a hundred warps.
fn chunk_size(slots: u32) -> u32 {
    (slots / 8)
        .next_multiple_of(LINE as u32)
        .clamp(LINE as u32, LARGEST as u32)
}

/// Messages whose way into the cache begins before it is their turn.
const AHEAD: usize = 6;

/// How often a message that is on its way is looked at before others get their turn, when there may be no others: a microsecond or
/// two.
const LOOKS: u32 = 32;

/// With the widest instructions that this processor has.
fn as_wide_as_possible(slots: RawSlots) -> RawSlots {
    #[cfg(target_arch = "x86_64")]
    {
        let vectors = match is_x86_feature_detected!("avx512f") {
            true => Vectors::Avx512,
            false => Vectors::Sse2,
        };
        // SAFETY: the processor has what was detected.
        unsafe { slots.with_vectors(vectors) }
    }
    #[cfg(not(target_arch = "x86_64"))]
    slots
}

/// The express region and what the server knows of it.
pub(crate) struct Express {
    slots: RawSlots,
    base: NonNull<u8>,
    /// Slots of a chunk, though the last one may have fewer.
    chunk_size: usize,
    chunks: Box<[Mutex<Chunk>]>,
}

// SAFETY: `base` leads to memory that is accessed atomically and outlives the value, as `new` demands.
unsafe impl Send for Express {}
// SAFETY: as above.
unsafe impl Sync for Express {}

/// A run of slots. In cache lines of its own, and what hangs together in one piece: another thread serves the next chunk.
#[repr(align(128))]
struct Chunk {
    first: u32,
    /// Number of slots, up to [`LARGEST`].
    len: usize,
    /// The slot that was served last: who has called once mostly calls again.
    recent: usize,
    /// The slots in which the last look found something, and the row counts to serve them up to; how many. Of several none keeps
    /// the others waiting.
    news: [(usize, u32); LARGEST],
    found: usize,
    /// The slots that are served no more, a bit for each.
    dead: u64,
    /// The handler of the last message.
    last: Option<(Opcode, ExpressHandler)>,
    places: [Place; LARGEST],
    /// Rows taken from each slot, for the comparison with the hints.
    seen: Seen,
    message: Message,
}

/// As the hints lie in the region.
#[repr(align(64))]
struct Seen([u32; LARGEST]);

impl Express {
    /// Take over `shape.size()` bytes at `base` and zero them.
    ///
    /// # Safety
    /// `base` is aligned to 64 and leads to that many bytes, which outlive the value and are only written by a device (or
    /// by a client that behaves as one, atomically).
    pub(crate) unsafe fn new(base: NonNull<u8>, shape: Shape) -> Self {
        let size = chunk_size(shape.slots);
        let chunks = (0..shape.slots).step_by(size as usize).map(|first| {
            Mutex::new(Chunk {
                first,
                len: (shape.slots - first).min(size) as usize,
                recent: 0,
                news: [(0, 0); LARGEST],
                found: 0,
                dead: 0,
                last: None,
                places: [Place::default(); LARGEST],
                seen: Seen([0; LARGEST]),
                message: Message::default(),
            })
        });
        let express = Self {
            // SAFETY: the caller vouches for `base`; a server never touches the clients' state.
            slots: as_wide_as_possible(unsafe { RawSlots::new(base.as_ptr(), shape, std::ptr::null_mut()) }),
            base,
            chunk_size: size as usize,
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
        let mut own = (thread..self.chunks.len()).step_by(threads).peekable();
        while let Some(number) = own.next() {
            if let Some(&next) = own.peek()
                && self.slots.shape().hinted
            {
                self.prefetch_hints(next);
            }
            served += self.poll_chunk(shared, number, thorough);
        }
        served
    }

    /// The hints of a chunk will be looked at next.
    fn prefetch_hints(&self, number: usize) {
        let size = self.chunk_size;
        for line in 0..size / LINE {
            // A hint is a quarter of a unit; the index stays within the region, whose rows follow.
            self.slots.prefetch((number * size + line * LINE) / 4);
        }
    }

    fn poll_chunk(&self, shared: &Shared, number: usize, thorough: bool) -> usize {
        let Some(mut chunk) = try_lock(&self.chunks[number]) else {
            // A chunk that another thread is serving needs no second one; but that thread may be past what came last, so
            // that a thorough scan is not through.
            return usize::from(thorough);
        };
        let mut served = 0;
        let recent = chunk.recent;
        let hinted = self.slots.shape().hinted;
        if hinted && chunk.found < 2 && chunk.places[recent].begins(&self.slots, chunk.first + recent as u32) {
            // Ahead of its hint.
            served += self.serve_slot(shared, &mut chunk, recent, None, thorough);
        }
        chunk.found = 0;
        if hinted {
            self.find_by_hints(&mut chunk, thorough);
        } else {
            self.find_by_headers(&mut chunk, thorough);
        }
        for next in 0..chunk.found + AHEAD {
            if next < chunk.found {
                // Nine cache lines that the device has just written: their way here takes longer than a message, and less
                // if all set out together.
                let (slot, _) = chunk.news[next];
                chunk.places[slot].prefetch(&self.slots, chunk.first + slot as u32);
            }
            if next >= AHEAD {
                let (slot, end) = chunk.news[next - AHEAD];
                served += self.serve_slot(shared, &mut chunk, slot, Some(end), thorough);
            }
        }
        served
    }

    /// Note the slots whose hints tell of something.
    #[inline]
    fn find_by_hints(&self, chunk: &mut Chunk, thorough: bool) {
        for line in 0..chunk.len.div_ceil(LINE) {
            if thorough || self.line_has_news(chunk, line) {
                for slot in line * LINE..((line + 1) * LINE).min(chunk.len) {
                    let hint = self.slots.load_word(self.slots.shape().hint(chunk.first + slot as u32));
                    chunk.news[chunk.found] = (slot, hint);
                    chunk.found += usize::from(thorough || chunk.places[slot].is_hinted(hint));
                }
            }
        }
    }

    /// The same by the headers of what comes next, for as many messages as there turn out to be.
    #[inline]
    fn find_by_headers(&self, chunk: &mut Chunk, thorough: bool) {
        let (slots, first) = (self.slots, chunk.first);
        // A bit for each slot: most looks find nothing, and then nothing is written.
        let mut begun = 0u64;
        for (slot, place) in (0..).zip(&chunk.places[..chunk.len]) {
            begun |= u64::from(thorough || place.begins(&slots, first + slot)) << slot;
        }
        for slot in lanes(begun) {
            chunk.news[chunk.found] = (slot as usize, u32::MAX);
            chunk.found += 1;
        }
    }

    /// Compare a cache line of hints with what has been taken, all at once.
    #[inline]
    fn line_has_news(&self, chunk: &Chunk, line: usize) -> bool {
        let first = chunk.first as usize + line * LINE;
        let seen = &chunk.seen.0[line * LINE..][..LINE];
        // SAFETY: the hints are padded to whole lines and written atomically; a line of `seen` is as long and borrowed.
        unsafe { lines::differ(self.base.as_ptr().add(4 * first), seen.as_ptr().cast()) }
    }

    /// Serve one message of a slot, or all up to row count `end`; thoroughly, all that there are.
    fn serve_slot(&self, shared: &Shared, chunk: &mut Chunk, at: usize, end: Option<u32>, thorough: bool) -> usize {
        if chunk.dead >> at & 1 == 1 {
            return 0;
        }
        let slot = chunk.first + at as u32;
        let place = &mut chunk.places[at];
        let message = &mut chunk.message;
        let mut served = 0;
        let mut looks = if chunk.found > 1 && !thorough { LOOKS } else { 0 };
        // A device that never stops must not keep the others waiting.
        while served < 64 {
            match place.look(&self.slots, slot, message) {
                Look::Arriving if looks < LOOKS => {
                    looks += 1;
                    std::hint::spin_loop();
                }
                Look::Message => {
                    if !shared.answer_express(&mut chunk.last, message, thorough) {
                        break;
                    }
                    place.finish(&self.slots, slot, message);
                    served += 1;
                    // Who waits for an answer sends nothing else, and to look for it would bring a line here that others are writing.
                    if !thorough && (message.wants_answer || end.is_none_or(|end| end == place.taken())) {
                        break;
                    }
                }
                Look::Empty | Look::Arriving => break,
                Look::Broken { code, mask } => {
                    chunk.dead |= 1 << at;
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
        chunk.seen.0[at] = place.taken();
        chunk.recent = at;
        served
    }

    /// Forget everything and zero the region. No device may be using it.
    pub(crate) fn reset(&self) {
        let mut chunks: Vec<_> = self.chunks.iter().map(lock).collect();
        self.zero();
        for chunk in &mut chunks {
            chunk.places.fill(Place::default());
            chunk.seen.0.fill(0);
            chunk.recent = 0;
            chunk.dead = 0;
            chunk.found = 0;
        }
    }
}
