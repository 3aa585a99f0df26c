//! Express calls: small payloads in slots that carry data and its sequence number in one access.
//!
//! The base protocol orders payload, fence and flag, each way. Here every 8 bytes carry a 32-bit *tag* beside 32 bits of
//! payload, so that whoever reads a half knows from the half itself whether it is there: no fence, no flag, and it does
//! not matter in which order, or how torn, the accesses of a warp arrive. It is an extension
//! ([`EXPRESS`](crate::ext::features::EXPRESS)): a host offers it, a device without it misses nothing.
//!
//! Each group of lanes has a home *slot*: a ring of [`rows`](Shape::rows). A row has one *unit* of 16 bytes for each
//! lane, lane beside lane. A *message* takes one or more rows and a header unit:
//!
//! | unit | low half | high half |
//! |---|---|---|
//! | header | code, tag | lane mask bits 0–31, tag |
//! | second header (64 lanes only) | lane mask bits 32–63, tag | 0, tag |
//! | row `i` of a lane | bits 0–31 of word `i`, tag | bits 32–63 of word `i`, tag |
//!
//! Each row has a cache line of its own for a header: where several slots share a line, each store of a device takes it away
//! from a server that is reading another's.
//!
//! The tag is the number of rows that the slot had sent before this message, plus 1, in the upper 32 bits of the half.
//! An answer overwrites the rows of its message, with the complement of its tag. A message without answer is acknowledged
//! in a dense array of words, which the device reads only when its ring is full. Another dense array has a hint for each
//! slot: the rows sent. It tells a scanning server where to look, and nothing more; the tags tell what is there. A store of 4
//! bytes into a line that a server is looking at holds up all that the device stores behind it, so that a server with few
//! slots does without: it looks at their headers.
//!
//! Both sides count a message that wants an answer as if it filled its ring to the end, so that the next one begins at row
//! 0 again: calls then keep to as little memory as they need. The same row of all slots lies together, for the same reason.
//!
//! Code: `class << 24 | wants answer << 20 | (rows − 1) << 16 | number`, for opcodes with a number below 2¹⁶.
//!
//! At [`Shape::wrap`] rows of a slot the device waits until all is acknowledged, zeroes the slot
//! and both sides count from 0 again: no tag is ever used twice for memory that still holds the first one.

use crate::{lanes::Lanes, opcode::Opcode, server};

/// Most rows that a slot, and so a message, can have.
pub const MAX_ROWS: u32 = 16;

/// The row count at which slots start anew: tags of requests stay below 2³¹, so that no answer's is ever one of them.
pub const WRAP: u32 = (1 << 31) - 2 * MAX_ROWS;

/// Words that one lane can send, or get back, in one express message.
pub const MAX_WORDS: usize = MAX_ROWS as usize;

const TAG: u32 = 32;
const ANSWER: u32 = 1 << 20;

/// Shape of the express region.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shape {
    /// Number of slots.
    pub slots: u32,
    /// Lanes of a group: 32 or 64 on a GPU, 1 for a CPU thread.
    pub lanes: u32,
    /// Rows of a slot's ring: a power of two up to [`MAX_ROWS`].
    pub rows: u32,
    /// The row count at which a slot starts anew: [`WRAP`], less in tests.
    pub wrap: u32,
    /// The device writes hints. One that does so without need does no harm.
    pub hinted: bool,
}

/// Units of a cache line, which is what a header has.
const HEADER_UNITS: u32 = 4;

impl Shape {
    /// A region of `slots` slots (at least 1) for groups of `lanes` lanes with `rows` rows each, hinted.
    pub const fn new(slots: u32, lanes: u32, rows: u32) -> Option<Self> {
        let fits = slots > 0 && slots <= 1 << 20 && lanes > 0 && lanes <= 64 && rows <= MAX_ROWS;
        if !fits || !rows.is_power_of_two() {
            return None;
        }
        Some(Self {
            slots,
            lanes,
            rows,
            wrap: WRAP,
            hinted: true,
        })
    }

    // All indices are below 2³¹ (2²⁰ slots, 16 rows, 64 lanes), and a GPU reckons in 32 bits.

    #[inline(always)]
    const fn padded(self) -> u32 {
        (self.slots + 15) & !15
    }

    /// Index of a slot's hint among the region's `u32` words.
    #[inline(always)]
    pub const fn hint(self, slot: u32) -> usize {
        slot as usize
    }

    /// Index of a slot's acknowledgement among the region's `u32` words.
    #[inline(always)]
    pub const fn ack(self, slot: u32) -> usize {
        (self.padded() + slot) as usize
    }

    /// Index of a header among the region's units. `count` is the slot's row count.
    #[inline(always)]
    pub const fn header(self, slot: u32, count: u32) -> usize {
        (self.padded() / 2 + self.row(slot, count) * HEADER_UNITS) as usize
    }

    /// Number of a row among all rows: row 0 of each slot, then row 1 of each, and so on.
    #[inline(always)]
    const fn row(self, slot: u32, count: u32) -> u32 {
        (count & (self.rows - 1)) * self.slots + slot
    }

    /// The row count after a message of `rows` rows at `count`.
    #[inline(always)]
    pub const fn after(self, count: u32, rows: u32, answer: bool) -> u32 {
        let end = count + rows;
        // Without the panic that `next_multiple_of` has.
        if answer {
            (end + self.rows - 1) & !(self.rows - 1)
        } else {
            end
        }
    }

    /// Index of a lane's unit among the region's units.
    #[inline(always)]
    pub const fn unit(self, slot: u32, count: u32, lane: u32) -> usize {
        (self.rows_start() + self.row(slot, count) * self.lanes + lane) as usize
    }

    #[inline(always)]
    const fn rows_start(self) -> u32 {
        // Rows are aligned to 512 bytes, so that a warp's store touches no line more than it must.
        (self.padded() / 2 + self.slots * self.rows * HEADER_UNITS + 31) & !31
    }

    /// Bytes of the region. It is aligned to 512 and zero at first.
    pub const fn size(self) -> usize {
        16 * (self.rows_start() as usize + self.slots as usize * self.rows as usize * self.lanes as usize)
    }
}

/// How one side reaches the express region, and on a device the private state of each slot.
///
/// All accesses are relaxed. A unit is written and read in one 16-byte access where the hardware has one, else as two of
/// 8 bytes in any order.
pub trait Slots: Copy {
    /// The region's shape.
    fn shape(&self) -> Shape;

    /// Read a unit.
    fn load_unit(&self, at: usize) -> [u64; 2];

    /// Write a unit.
    fn store_unit(&self, at: usize, halves: [u64; 2]);

    /// Read the units of the lanes in `mask` from `first` on, lane beside lane: their payloads go to `words`, by lane. Whether
    /// every half carries `tag`. Words of other lanes are anything.
    #[inline(always)]
    fn load_row(&self, first: usize, mask: u64, tag: u32, words: &mut [u64; 64]) -> bool {
        load_units(self, first, mask, tag, words)
    }

    /// Write the words of the lanes in `mask` as units with `tag`.
    #[inline(always)]
    fn store_row(&self, first: usize, mask: u64, tag: u32, words: &[u64; 64]) {
        store_units(self, first, mask, tag, words);
    }

    /// Read the first half of a unit.
    #[inline(always)]
    fn load_half(&self, at: usize) -> u64 {
        self.load_unit(at)[0]
    }

    /// A unit will be read soon. Nothing depends on it.
    #[inline(always)]
    fn prefetch(&self, _at: usize) {}

    /// The units of a row will be read soon, from `first` on. Nothing depends on it.
    #[inline(always)]
    fn prefetch_row(&self, _first: usize) {}

    /// Read a hint or an acknowledgement.
    fn load_word(&self, at: usize) -> u32;

    /// Write a hint or an acknowledgement.
    fn store_word(&self, at: usize, value: u32);

    /// Make what this side wrote visible to the system before what it writes next. Only for a slot that starts anew.
    fn release(&self);

    /// Set bit 0 of the slot's private state; what it was before.
    ///
    /// Relaxed: all that the lock guards is the state itself and accesses that the tags order.
    fn lock(&self, slot: u32) -> u64;

    /// Store the slot's private state, bit 0 clear.
    fn unlock(&self, slot: u32, state: u64);

    /// Whether each slot belongs to one warp alone, so that only lanes of that warp can compete for it
    /// ([`EXPRESS_EXCLUSIVE`](crate::ext::features::EXPRESS_EXCLUSIVE)).
    #[inline(always)]
    fn is_exclusive(&self) -> bool {
        false
    }

    /// The slot's private state, for a whole warp whose slot is exclusive: nobody else can be holding the lock.
    #[inline(always)]
    fn load_own(&self, slot: u32) -> u64 {
        self.lock(slot)
    }

    /// Store it again.
    #[inline(always)]
    fn store_own(&self, slot: u32, state: u64) {
        self.unlock(slot, state);
    }
}

/// [`Slots::load_row`], lane by lane.
#[inline(always)]
pub(crate) fn load_units<M: Slots>(slots: &M, first: usize, mask: u64, tag: u32, words: &mut [u64; 64]) -> bool {
    // One verdict for all, so that the loads need not wait for each other.
    let mut missing = 0;
    for lane in server::lanes(mask) {
        let [low, high] = slots.load_unit(first + lane as usize);
        missing |= (low >> TAG ^ u64::from(tag)) | (high >> TAG ^ u64::from(tag));
        words[lane as usize] = low & 0xffff_ffff | high << TAG;
    }
    missing == 0
}

/// [`Slots::store_row`], lane by lane.
#[inline(always)]
pub(crate) fn store_units<M: Slots>(slots: &M, first: usize, mask: u64, tag: u32, words: &[u64; 64]) {
    let tag = u64::from(tag) << TAG;
    for lane in server::lanes(mask) {
        let word = words[lane as usize];
        slots.store_unit(first + lane as usize, [tag | word & 0xffff_ffff, tag | word >> 32]);
    }
}

/// A slot's private state, in one word so that the lock's atomic brings all of it.
#[derive(Clone, Copy, Default)]
struct State {
    /// Rows sent.
    sent: u32,
    /// Of these, rows that may not be acknowledged yet.
    in_flight: u32,
}

impl State {
    const LOCKED: u64 = 1;

    #[inline(always)]
    const fn unpack(word: u64) -> Self {
        Self {
            sent: (word >> 32) as u32,
            in_flight: word as u32 >> 8 & 0xff,
        }
    }

    #[inline(always)]
    const fn pack(self) -> u64 {
        (self.sent as u64) << 32 | (self.in_flight as u64) << 8
    }
}

/// The device's side.
#[derive(Clone, Copy, Debug)]
pub struct Client<M, L> {
    slots: M,
    lanes: L,
    home: u32,
}

impl<M: Slots, L: Lanes> Client<M, L> {
    /// A client whose group of lanes uses slot `home` (below the number of slots), and no other while it lives: that
    /// keeps its messages in order.
    #[inline(always)]
    pub const fn new(slots: M, lanes: L, home: u32) -> Self {
        Self { slots, lanes, home }
    }

    /// Whether an opcode and a number of words can go by express.
    #[inline(always)]
    pub fn takes(&self, opcode: Opcode, words: usize) -> bool {
        opcode.number() < 1 << 16 && words >= 1 && words <= self.slots.shape().rows as usize
    }

    /// Most words that a lane can send at once.
    #[inline(always)]
    pub fn rows(&self) -> u32 {
        self.slots.shape().rows
    }

    /// Send each lane's words; no answer. The active lanes send together.
    ///
    /// The caller has asked [`takes`](Self::takes). Returns as soon as the words are on their way.
    #[inline(always)]
    pub fn post<const N: usize>(&self, opcode: Opcode, words: &[u64; N]) {
        let mask = self.lanes.active_with(opcode.0);
        self.post_rows(mask, opcode, N as u32, |row| words[row as usize]);
    }

    /// The same with a number of words known only when running: `rows` (the same in all lanes of `mask`, the active
    /// ones, and so is the opcode) times what `word` says.
    #[inline(always)]
    pub fn post_rows(&self, mask: u64, opcode: Opcode, rows: u32, word: impl Fn(u32) -> u64) {
        let (_, state) = self.send(mask, opcode, rows, false, word);
        self.leave(mask, state);
    }

    /// Send each lane's words and wait for as many in answer. The active lanes call together.
    #[inline(always)]
    pub fn call<const N: usize>(&self, opcode: Opcode, words: &[u64; N]) -> [u64; N] {
        let mask = self.lanes.active_with(opcode.0);
        let (first, state) = self.send(mask, opcode, N as u32, true, |row| words[row as usize]);
        self.lanes.await_trip(0);
        let answer = self.await_words(first, 0);
        self.leave_answered(mask, state);
        answer
    }

    /// The same with a number of words known only when running: as for [`post_rows`](Self::post_rows); `take` gets each
    /// word of the answer.
    #[inline(always)]
    pub fn call_rows(
        &self,
        mask: u64,
        opcode: Opcode,
        rows: u32,
        word: impl Fn(u32) -> u64,
        mut take: impl FnMut(u32, u64),
    ) {
        let (first, state) = self.send(mask, opcode, rows, true, word);
        self.lanes.await_trip(0);
        let mut row = 0;
        while row < rows {
            if rows - row >= 4 {
                for word in self.await_words::<4>(first, row) {
                    take(row, word);
                    row += 1;
                }
            } else {
                take(row, self.await_words::<1>(first, row)[0]);
                row += 1;
            }
        }
        self.leave_answered(mask, state);
    }

    /// Wait for `N` words of the answer to the message at row count `first`, from its row `row` on. All are looked for at once: one
    /// after the other, each would take a trip across the bus.
    #[inline(always)]
    fn await_words<const N: usize>(&self, first: u32, row: u32) -> [u64; N] {
        let (shape, lane) = (self.slots.shape(), self.lanes.lane());
        let tag = (!(first + 1)) as u64;
        let mut looks = 0;
        loop {
            let units: [_; N] = core::array::from_fn(|at| {
                let count = first.wrapping_add(row + at as u32);
                self.slots.load_unit(shape.unit(self.home, count, lane))
            });
            let missing = |missing, [low, high]: &[u64; 2]| missing | (low >> TAG ^ tag) | (high >> TAG ^ tag);
            if units.iter().fold(0, missing) == 0 {
                return units.map(|[low, high]| low & 0xffff_ffff | high << TAG);
            }
            // A look takes longer than a nap; but a call that takes long should leave the core to others.
            looks += 1;
            if looks > 8 {
                self.lanes.pause_longer(looks - 8);
            }
        }
    }

    /// Leave a call whose answer has come.
    #[inline(always)]
    fn leave_answered(&self, mask: u64, state: State) {
        // The server answers in order: it is through with all that was sent before, too.
        self.leave(mask, State { in_flight: 0, ..state });
    }

    /// Wait until the server has taken all that this group's slot has sent.
    ///
    /// Whoever continues by other means than this slot calls it first, so that what it sends does not arrive before.
    #[inline(always)]
    pub fn flush(&self) {
        let mask = self.lanes.active();
        let mut state = State::default();
        if self.lanes.is_first(mask) {
            state = if self.needs_no_lock(mask) {
                State::unpack(self.slots.load_own(self.home))
            } else {
                self.lock()
            };
            while state.in_flight != 0 {
                state.in_flight = self.in_flight(state.sent);
            }
        }
        self.leave(mask, state);
    }

    /// Lock the slot, write rows, header and hint. The row count before the message, and the state after it (which
    /// [`leave`](Self::leave) stores, and only the first lane has to know).
    #[inline(always)]
    fn send(&self, mask: u64, opcode: Opcode, rows: u32, answer: bool, word: impl Fn(u32) -> u64) -> (u32, State) {
        let shape = self.slots.shape();
        let alone = self.needs_no_lock(mask);
        let is_first = self.lanes.is_first(mask);
        let mut state = State::default();
        if alone {
            // All lanes look: that takes no longer than one look, and nobody has to be told.
            state = State::unpack(self.slots.load_own(self.home));
        } else if is_first {
            state = self.lock();
        }
        if state.sent >= shape.wrap {
            if is_first {
                start_anew(self.slots, self.lanes, self.home, state.sent);
            }
            if alone {
                self.lanes.sync(mask);
            }
            state = State::default();
        }
        while state.in_flight + rows > shape.rows {
            state.in_flight = self.in_flight(state.sent);
        }
        let first = if alone {
            state.sent
        } else {
            self.lanes.broadcast(mask, state.sent)
        };
        let tag = ((first + 1) as u64) << TAG;
        for row in 0..rows {
            let word = word(row);
            let at = shape.unit(self.home, first + row, self.lanes.lane());
            self.slots.store_unit(at, [tag | word & 0xffff_ffff, tag | word >> 32]);
        }
        // All have sent, and have seen the state, before anything tells of it or changes it.
        self.lanes.sync(mask);
        state.sent = shape.after(first, rows, answer);
        state.in_flight += rows;
        if is_first {
            let code = opcode.0 | (rows - 1) << 16 | if answer { ANSWER } else { 0 };
            let header = shape.header(self.home, first);
            self.slots
                .store_unit(header, [tag | code as u64, tag | mask & 0xffff_ffff]);
            if shape.lanes > 32 {
                self.slots.store_unit(header + 1, [tag | mask >> 32, tag]);
            }
            if shape.hinted {
                self.slots.store_word(shape.hint(self.home), state.sent);
            }
        }
        (first, state)
    }

    /// Take the slot, as the first lane of a mask.
    #[inline(always)]
    fn lock(&self) -> State {
        loop {
            let word = self.slots.lock(self.home);
            if word & State::LOCKED == 0 {
                return State::unpack(word);
            }
            self.lanes.pause();
        }
    }

    /// Store the state and unlock, at the end of a message. All lanes of the mask call this.
    #[inline(always)]
    fn leave(&self, mask: u64, state: State) {
        let is_first = self.lanes.is_first(mask);
        if self.needs_no_lock(mask) {
            if is_first {
                self.slots.store_own(self.home, state.pack());
            }
            // Nothing but this keeps a lane that is already in its next call from finding the state as it was before.
            self.lanes.sync(mask);
        } else {
            // All have what they came for before others may use the slot.
            self.lanes.sync(mask);
            if is_first {
                self.slots.unlock(self.home, state.pack());
            }
        }
    }

    /// Whether nobody can compete for the slot. An atomic takes longer than all else on this side of the bus, so that it is
    /// left out there.
    #[inline(always)]
    fn needs_no_lock(&self, mask: u64) -> bool {
        self.slots.is_exclusive() && self.lanes.is_whole_warp(mask)
    }

    /// Ask across the bus how many of the rows sent are not acknowledged.
    #[inline(always)]
    fn in_flight(&self, sent: u32) -> u32 {
        let ack = self.slots.load_word(self.slots.shape().ack(self.home));
        // A server acknowledges only what was sent; after a call with an answer its word may lie further back.
        sent.wrapping_sub(ack)
    }
}

/// Zero a slot once all that was sent, up to row count `sent`, is acknowledged.
///
/// On its own, by values: a client whose address is taken would be kept in memory, everywhere.
#[cold]
#[inline(never)]
fn start_anew<M: Slots, L: Lanes>(slots: M, lanes: L, home: u32, sent: u32) {
    let shape = slots.shape();
    while slots.load_word(shape.ack(home)) != sent {
        lanes.pause();
    }
    for row in 0..shape.rows {
        for unit in 0..HEADER_UNITS {
            slots.store_unit(shape.header(home, row) + unit as usize, [0; 2]);
        }
        for lane in 0..shape.lanes {
            slots.store_unit(shape.unit(home, row, lane), [0; 2]);
        }
    }
    slots.release();
}

/// A message that a server has taken out of a slot: private copies, checked.
#[derive(Clone, Debug)]
pub struct Message {
    /// What is asked for.
    pub opcode: Opcode,
    /// The lanes that take part: at least one, none that cannot exist.
    pub mask: u64,
    /// Words of each lane.
    pub rows: u32,
    /// The device waits for as many words in answer.
    pub wants_answer: bool,
    /// By row, then by lane, as they lie in the region.
    words: [[u64; 64]; MAX_WORDS],
}

impl Default for Message {
    fn default() -> Self {
        Self {
            opcode: Opcode::NOOP,
            mask: 0,
            rows: 0,
            wants_answer: false,
            words: [[0; 64]; MAX_WORDS],
        }
    }
}

impl Message {
    /// The lanes that take part, lowest first.
    pub fn lanes(&self) -> impl Iterator<Item = u32> + use<> {
        server::lanes(self.mask)
    }

    /// Word `row` of a lane: what it sent.
    #[inline]
    pub fn word(&self, lane: u32, row: u32) -> u64 {
        debug_assert!(row < self.rows);
        self.words[row as usize][lane as usize]
    }

    /// Set word `row` of a lane: what it will get back, if it wants an answer.
    #[inline]
    pub fn set_word(&mut self, lane: u32, row: u32, value: u64) {
        debug_assert!(row < self.rows);
        self.words[row as usize][lane as usize] = value;
    }

    /// Make each word of each lane into another.
    #[inline]
    pub fn map(&mut self, mut make: impl FnMut(u32, u64) -> u64) {
        for row in 0..self.rows {
            self.map_row(row, &mut make);
        }
    }

    /// Make word `row` of each lane into another.
    #[inline]
    pub fn map_row(&mut self, row: u32, mut make: impl FnMut(u32, u64) -> u64) {
        debug_assert!(row < self.rows);
        let words = &mut self.words[row as usize];
        if self.mask == 0xffff_ffff {
            // The usual case, in a shape that compilers turn into vector instructions.
            for (lane, word) in (0..).zip(&mut words[..32]) {
                *word = make(lane, *word);
            }
            return;
        }
        for lane in server::lanes(self.mask) {
            let word = &mut words[lane as usize];
            *word = make(lane, *word);
        }
    }
}

/// What the server knows of one slot. Zero for a region that was just zeroed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Place {
    /// Rows taken.
    taken: u32,
    /// Rows last acknowledged.
    acknowledged: u32,
}

/// What a look at a slot found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Look {
    /// Nothing that has not been taken.
    Empty,
    /// Something is on its way: look again.
    Arriving,
    /// The message was filled in.
    Message,
    /// A header that makes no sense, as the device wrote it: the slot is dead from here on.
    Broken {
        /// The code.
        code: u32,
        /// The lane mask.
        mask: u64,
    },
}

impl Place {
    /// Whether the hint says that there is something. Only a hint: `look` decides.
    #[inline(always)]
    pub fn is_hinted(&self, hint: u32) -> bool {
        hint != self.taken
    }

    /// Rows taken: what the hint says when nothing is left.
    #[inline(always)]
    pub const fn taken(&self) -> u32 {
        self.taken
    }

    /// Whether the first half of the next message's header is there, which comes before the hint.
    #[inline(always)]
    pub fn begins<M: Slots>(&self, slots: &M, slot: u32) -> bool {
        let half = slots.load_half(slots.shape().header(slot, self.taken));
        half >> TAG == u64::from(self.taken) + 1
    }

    /// Fetch the next message of `slot` into the cache, all of it at once.
    #[inline]
    pub fn prefetch<M: Slots>(&self, slots: &M, slot: u32) {
        let shape = slots.shape();
        slots.prefetch(shape.header(slot, self.taken));
        slots.prefetch_row(shape.unit(slot, self.taken, 0));
    }

    /// Take the next message of `slot`, if all of it has arrived.
    #[inline]
    pub fn look<M: Slots>(&self, slots: &M, slot: u32, message: &mut Message) -> Look {
        let shape = slots.shape();
        let tag = u64::from(self.taken) + 1;
        let here = |half: u64| half >> TAG == tag;
        let header = shape.header(slot, self.taken);
        let [low, high] = slots.load_unit(header);
        if !(here(low) && here(high)) {
            let begun = here(low) || here(high) || shape.hinted && self.is_hinted(slots.load_word(shape.hint(slot)));
            return if begun { Look::Arriving } else { Look::Empty };
        }
        let code = low as u32;
        let mut mask = high & 0xffff_ffff;
        if shape.lanes > 32 {
            let [low, high] = slots.load_unit(header + 1);
            if !(here(low) && here(high)) {
                return Look::Arriving;
            }
            mask |= low << 32;
        }
        message.rows = (code >> 16 & 0xf) + 1;
        message.wants_answer = code & ANSWER != 0;
        message.opcode = Opcode(code & 0xff00_ffff);
        message.mask = mask;
        if mask == 0
            || mask & !(u64::MAX >> (64 - shape.lanes)) != 0
            || message.rows > shape.rows
            || code & 0xe0_0000 != 0
        {
            return Look::Broken { code, mask };
        }
        let mut whole = true;
        for row in 0..message.rows {
            let first = shape.unit(slot, self.taken.wrapping_add(row), 0);
            whole &= slots.load_row(first, mask, tag as u32, &mut message.words[row as usize]);
        }
        if !whole {
            return Look::Arriving;
        }
        Look::Message
    }

    /// The message has been served: send its answer, if it wants one, and go on.
    #[inline]
    pub fn finish<M: Slots>(&mut self, slots: &M, slot: u32, message: &Message) {
        let shape = slots.shape();
        if message.wants_answer {
            let tag = !(self.taken + 1);
            for row in 0..message.rows {
                let first = shape.unit(slot, self.taken.wrapping_add(row), 0);
                slots.store_row(first, message.mask, tag, &message.words[row as usize]);
            }
        }
        self.taken = shape.after(self.taken, message.rows, message.wants_answer);
    }

    /// Acknowledge what was taken. Once for any number of messages.
    #[inline]
    pub fn acknowledge<M: Slots>(&mut self, slots: &M, slot: u32) {
        let shape = slots.shape();
        if self.acknowledged != self.taken {
            slots.store_word(shape.ack(slot), self.taken);
            self.acknowledged = self.taken;
        }
        if self.taken >= shape.wrap {
            *self = Self::default();
        }
    }
}

/// Short texts in the words of a message: one byte of length, then the text, the rest 0.
pub mod text {
    use super::{MAX_WORDS, Message};

    /// Longest text that `rows` rows hold.
    #[inline(always)]
    pub const fn longest(rows: u32) -> usize {
        8 * rows as usize - 1
    }

    /// Rows that a text of `len` bytes takes.
    #[inline(always)]
    pub const fn rows(len: usize) -> u32 {
        (len as u32 + 8) / 8
    }

    /// Word `row` of a message with this text.
    #[inline]
    pub fn word(text: &[u8], row: u32) -> u64 {
        let mut word = 0;
        for byte in 0..8 {
            let at = 8 * row as usize + byte;
            let value = if at == 0 {
                text.len() as u8
            } else {
                text.get(at - 1).copied().unwrap_or(0)
            };
            word |= (value as u64) << (8 * byte);
        }
        word
    }

    /// The text of a lane, in `room`. A length that the words do not hold is cut to what they do.
    pub fn read<'r>(message: &Message, lane: u32, room: &'r mut [u8; 8 * MAX_WORDS]) -> &'r [u8] {
        for (row, bytes) in (0..message.rows).zip(room.chunks_exact_mut(8)) {
            bytes.copy_from_slice(&message.word(lane, row).to_le_bytes());
        }
        let held = longest(message.rows);
        let len = (room[0] as usize).min(held);
        &room[1..1 + len]
    }
}
