//! The words in which the pool's allocator keeps its books, behind a trait: atomics in production, loom's in its model.

/// Access to the words by their index. All of it is relaxed but where it says otherwise.
pub(super) trait Books {
    /// Reads a word.
    fn load(&self, at: usize) -> u64;

    /// Sets bits; the word before. Acquires what [`release_and`](Books::release_and) has released.
    ///
    /// What is reached through an address that was computed from the result is ordered by that alone on every GPU, which
    /// issues no access before it has the address. Only a machine that guesses addresses, or a model of one, needs more.
    fn or(&self, at: usize, bits: u64) -> u64;

    /// Sets bits, releasing what this thread did before, and what it acquired, to whoever next sets some.
    fn release_or(&self, at: usize, bits: u64);

    /// Clears the bits that `keep` lacks.
    fn and(&self, at: usize, keep: u64);

    /// The same, releasing what this thread did before to whoever next sets one of the bits.
    fn release_and(&self, at: usize, keep: u64);

    /// Replaces `old` by `new`; whether the word was `old`. Acquires and releases.
    fn exchange(&self, at: usize, old: u64, new: u64) -> bool;

    /// Reads a note: a hint that this warp wrote, or one that ran in its place. Any value does.
    fn note(&self, at: usize) -> u64;

    /// Writes a note.
    fn write_note(&self, at: usize, value: u64);
}
