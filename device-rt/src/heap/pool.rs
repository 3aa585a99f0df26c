//! The allocator of the pool, without locks: any thread may stop anywhere and holds up nobody.
//!
//! The pool is cut into pages. A page serves blocks of one size, or is part of a run of pages that is a large block. The
//! *map* has a bit for each page in use, *info* says what it is used for. The blocks of a page form *chunks* of up to 32,
//! each with one word: the class in the upper half (its *tag*), a bit for each block in use in the lower. Whoever sets a
//! block's bit where it was clear owns the block; one atomic takes blocks for a whole warp.
//!
//! Each warp has a *home* by its place on the machine, with a note for each class: the chunk that it used last and the bits
//! as it knows them. A group of homes shares the page from which chunks are taken when the noted one is full. Notes are only
//! hints. They may be of another time, and the page may serve another class by now; then the tag differs, and the bits that
//! were set are cleared again. Whatever they made look full meanwhile, nobody takes it for free: bits are only cleared by
//! who set them, and a tag is only taken away from a word without bits.

use rpc_proto::pool::{CHUNKS, CLASSES, PAGE, Shape};

use super::books::Books;

/// The smallest block; its size is that of class 0, and each class doubles it.
pub(super) const SMALLEST: usize = 16;

/// The largest block that is no run of pages.
pub(super) const LARGEST: usize = SMALLEST << (CLASSES - 1);

/// Times that a full chunk, page or map is tried again because others were faster.
const TRIES: u32 = 8;

/// Words that a search loads at once: they take as long to come as one.
const BATCH: usize = 8;

/// Info of a page that serves blocks of class `class`: `BLOCKS | class`.
const BLOCKS: u64 = 1 << 32;

/// Info of the first page of a run of `n`: `RUN | n`.
const RUN: u64 = 2 << 32;

const KIND: u64 = 0xffff_ffff << 32;

/// Blocks taken from one chunk.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Taken {
    pub(super) chunk: u32,
    /// A bit for each block; none where the pool has nothing left.
    pub(super) bits: u32,
}

impl Taken {
    pub(super) const NONE: Self = Self { chunk: 0, bits: 0 };
}

/// What an offset in the pool leads to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Piece {
    /// A block of a class: its chunk and its bit.
    Block { class: u32, chunk: u32, bit: u32 },
    /// A run of pages.
    Run { page: u32, pages: u32 },
    /// Nothing that was handed out.
    Nothing,
}

/// The allocator: books and shape.
#[derive(Clone, Copy, Debug)]
pub(super) struct Pool<B> {
    pub(super) books: B,
    pub(super) shape: Shape,
}

/// The class of blocks of `size` bytes, 1 to [`LARGEST`].
#[inline(always)]
pub(super) const fn class_of(size: usize) -> u32 {
    let units = (size - 1) / SMALLEST;
    usize::BITS - units.leading_zeros()
}

/// Bytes of a block of a class.
#[inline(always)]
pub(super) const fn block_size(class: u32) -> usize {
    SMALLEST << class
}

/// Chunks of a page that serves a class.
#[inline(always)]
const fn chunks(class: u32) -> u32 {
    if class >= 5 { 1 } else { CHUNKS >> class }
}

/// The bits of a chunk's word that stand for a block.
#[inline(always)]
const fn blocks(class: u32) -> u32 {
    if class <= 5 {
        u32::MAX
    } else {
        (1 << (PAGE >> 4 >> class)) - 1
    }
}

#[inline(always)]
const fn tag(class: u32) -> u64 {
    (class as u64 + 1) << 32
}

/// The `count` lowest bits of `bits`, or as many as there are.
#[inline(always)]
const fn lowest(mut bits: u32, count: u32) -> u32 {
    if count == 1 {
        return bits & bits.wrapping_neg();
    }
    let mut surplus = bits.count_ones().saturating_sub(count);
    while surplus > 0 {
        bits &= u32::MAX >> (bits.leading_zeros() + 1);
        surplus -= 1;
    }
    bits
}

impl<B: Books> Pool<B> {
    /// Takes 1 to `count` blocks of `class` (1 to 32) that lie in one chunk, for a warp whose home is `home`.
    #[inline(always)]
    pub(super) fn take(&self, class: u32, count: u32, home: u32) -> Taken {
        let note = self.books.note(self.shape.home(home, class));
        if note != 0 {
            let chunk = (note >> 32) as u32 - 1;
            let taken = self.take_from(chunk, note as u32, class, count, home);
            if taken.bits != 0 {
                return taken;
            }
        }
        self.take_elsewhere(class, count, home)
    }

    /// Takes blocks of a chunk whose bits were `known`; [`Taken::NONE`] where there are none, or it serves another class.
    #[inline(always)]
    fn take_from(&self, chunk: u32, mut known: u32, class: u32, count: u32, home: u32) -> Taken {
        let at = self.shape.chunk(chunk);
        if known & blocks(class) == blocks(class) {
            known = self.books.load(at) as u32;
        }
        for _ in 0..TRIES {
            let wanted = lowest(!known & blocks(class), count);
            if wanted == 0 {
                break;
            }
            let before = self.books.or(at, wanted.into());
            let bits = wanted & !(before as u32);
            if before & KIND != tag(class) {
                self.books.and(at, !u64::from(bits));
                break;
            }
            known = before as u32 | wanted;
            if bits != 0 {
                self.note(home, class, chunk, known);
                return Taken { chunk, bits };
            }
        }
        Taken::NONE
    }

    #[inline(always)]
    fn note(&self, home: u32, class: u32, chunk: u32, known: u32) {
        let note = u64::from(chunk + 1) << 32 | u64::from(known);
        self.books.write_note(self.shape.home(home, class), note);
    }

    /// Takes blocks when the noted chunk is full: from the group's page, then from a fresh one, then from any.
    #[cold]
    #[inline(never)]
    fn take_elsewhere(&self, class: u32, count: u32, home: u32) -> Taken {
        let group = self.shape.group(home, class);
        for _ in 0..TRIES {
            let shared = self.books.load(group);
            if shared != 0 {
                let taken = self.take_from_page(shared as u32 - 1, class, count, home);
                if taken.bits != 0 {
                    return taken;
                }
            }
            let Some(page) = self.fresh_page(class, home) else {
                if self.books.load(group) == shared {
                    break;
                }
                continue;
            };
            if !self.books.exchange(group, shared, u64::from(page) + 1) {
                // Another warp of the group was faster, and its page has chunks enough for both.
                self.give_up_page(page, class);
            }
        }
        self.search(class, count, home)
    }

    fn take_from_page(&self, page: u32, class: u32, count: u32, home: u32) -> Taken {
        let mut room = self.chunks_with_room(page, class);
        while room != 0 {
            // Warps of a group begin at different chunks.
            let turn = home % CHUNKS.min(chunks(class));
            let chunk = (room.rotate_right(turn).trailing_zeros() + turn) % CHUNKS;
            room &= !(1 << chunk);
            let chunk = page * CHUNKS + chunk;
            let taken = self.take_from(chunk, 0, class, count, home);
            if taken.bits != 0 {
                return taken;
            }
        }
        Taken::NONE
    }

    /// The chunks of a page that serve `class` and have a block left.
    fn chunks_with_room(&self, page: u32, class: u32) -> u32 {
        let chunks = chunks(class);
        let mut room = 0;
        for first in (0..chunks).step_by(BATCH) {
            let number = |k: usize| (first + k as u32).min(chunks - 1);
            let words: [u64; BATCH] =
                core::array::from_fn(|k| self.books.load(self.shape.chunk(page * CHUNKS + number(k))));
            for (k, word) in words.into_iter().enumerate() {
                let has_room = word & KIND == tag(class) && word as u32 & blocks(class) != blocks(class);
                room |= u32::from(has_room) << number(k);
            }
        }
        room
    }

    /// A page for blocks of `class` that was free.
    fn fresh_page(&self, class: u32, home: u32) -> Option<u32> {
        // Low pages first, so that the others stay together for runs; but not all warps at once on the same word.
        let words = self.shape.map_words();
        let spread = words / 8 + 1;
        for step in 0..words {
            let word = (home % spread + step) % words;
            let mut known = self.books.load(word as usize) | self.beyond(word);
            // Neither on the same bit.
            let turn = home % 64;
            for _ in 0..TRIES {
                let free = (!known).rotate_right(turn);
                if free == 0 {
                    break;
                }
                let bit = 1 << ((free.trailing_zeros() + turn) % 64);
                let before = self.books.or(word as usize, bit);
                if before & bit == 0 {
                    let page = word * 64 + bit.trailing_zeros();
                    self.dedicate(page, class);
                    return Some(page);
                }
                known |= before;
            }
        }
        None
    }

    /// The bits of a word of the map that stand for no page.
    #[inline(always)]
    pub(super) fn beyond(&self, word: u32) -> u64 {
        let pages = self.shape.pages() - word * 64;
        if pages >= 64 { 0 } else { u64::MAX << pages }
    }

    /// Makes a page, which this thread took from the map, serve `class`.
    fn dedicate(&self, page: u32, class: u32) {
        let info = self.shape.info(page);
        // An exchange and not a store, as it releases: who finds the tag finds the info.
        self.books.exchange(info, 0, BLOCKS | u64::from(class));
        for chunk in 0..chunks(class) {
            // Bits that someone with an old note has set and will clear are left alone. Released, as the page's blocks lay
            // in other chunks when it served another class: who takes one comes after all who had them.
            self.books
                .release_or(self.shape.chunk(page * CHUNKS + chunk), tag(class));
        }
    }

    /// Gives a page of `class` back to the map, unless some block of it is in use. Whether it was given back.
    fn give_up_page(&self, page: u32, class: u32) -> bool {
        if !self.clear_tags(page, class) {
            return false;
        }
        self.books.exchange(self.shape.info(page), BLOCKS | u64::from(class), 0);
        self.books.release_and((page / 64) as usize, !(1 << (page % 64)));
        true
    }

    /// Takes the tags from all chunks of an unused page: from then on it is this thread's alone.
    fn clear_tags(&self, page: u32, class: u32) -> bool {
        let at = |chunk| self.shape.chunk(page * CHUNKS + chunk);
        // A look before, so that nothing is taken from a page that is in use, not even for a moment.
        if (0..chunks(class)).any(|chunk| self.books.load(at(chunk)) != tag(class)) {
            return false;
        }
        for chunk in 0..chunks(class) {
            if !self.books.exchange(at(chunk), tag(class), 0) {
                for cleared in 0..chunk {
                    self.books.or(at(cleared), tag(class));
                }
                return false;
            }
        }
        true
    }

    /// Looks everywhere: for a page of the class with a block left, or one of another class that nobody uses any more.
    fn search(&self, class: u32, count: u32, home: u32) -> Taken {
        let pages = self.shape.pages();
        let first = home % pages;
        for step in (0..pages).step_by(BATCH) {
            let number = |k: usize| (first + (step + k as u32).min(pages - 1)) % pages;
            let infos: [u64; BATCH] = core::array::from_fn(|k| self.books.load(self.shape.info(number(k))));
            for (k, info) in infos.into_iter().enumerate() {
                if info & KIND != BLOCKS {
                    continue;
                }
                let (page, serves) = (number(k), info as u32);
                if serves != class {
                    if !self.clear_tags(page, serves) {
                        continue;
                    }
                    self.books.exchange(self.shape.info(page), info, 0);
                    self.dedicate(page, class);
                }
                let taken = self.take_from_page(page, class, count, home);
                if taken.bits != 0 {
                    return taken;
                }
            }
        }
        Taken::NONE
    }

    /// Gives all pages back whose blocks nobody uses.
    pub(super) fn tidy(&self) {
        for page in 0..self.shape.pages() {
            let info = self.books.load(self.shape.info(page));
            if info & KIND == BLOCKS {
                self.give_up_page(page, info as u32);
            }
        }
    }

    /// What was handed out at `offset`, counted from the first page.
    #[inline(always)]
    pub(super) fn find(&self, offset: usize) -> Piece {
        let page = (offset / PAGE) as u32;
        let info = self.books.load(self.shape.info(page));
        let inside = offset % PAGE;
        match info & KIND {
            BLOCKS => {
                let class = info as u32;
                let block = (inside >> class) / SMALLEST;
                if block * block_size(class) != inside {
                    return Piece::Nothing;
                }
                Piece::Block {
                    class,
                    chunk: page * CHUNKS + (block / 32) as u32,
                    bit: 1 << (block % 32),
                }
            }
            RUN if inside == 0 => Piece::Run {
                page,
                pages: info as u32,
            },
            _ => Piece::Nothing,
        }
    }

    /// Gives blocks of a chunk back. Those that are free already stay so.
    #[inline(always)]
    pub(super) fn give_blocks(&self, chunk: u32, bits: u32) {
        self.books.release_and(self.shape.chunk(chunk), !u64::from(bits));
    }

    /// Notes that blocks became free, where that is of use to the home.
    #[inline(always)]
    pub(super) fn note_free(&self, class: u32, chunk: u32, bits: u32, home: u32) {
        let note = self.books.note(self.shape.home(home, class));
        let known = note as u32;
        if note >> 32 == u64::from(chunk) + 1 {
            self.note(home, class, chunk, known & !bits);
        } else if note == 0 || known & blocks(class) == blocks(class) {
            self.note(home, class, chunk, !bits);
        }
    }

    /// Offset of block number `bit` of a chunk, from the first page.
    #[inline(always)]
    pub(super) fn offset(&self, class: u32, chunk: u32, bit: u32) -> usize {
        let block = (chunk % CHUNKS * 32 + bit) as usize;
        (chunk / CHUNKS) as usize * PAGE + block * block_size(class)
    }

    pub(super) fn set_run(&self, page: u32, old: u32, new: u32) -> bool {
        let info = |pages: u32| if pages == 0 { 0 } else { RUN | u64::from(pages) };
        self.books.exchange(self.shape.info(page), info(old), info(new))
    }
}
