//! The dotted words behind an opcode.

use crate::ptx::types::{Space, Type};

/// Modifiers of one instruction, each to be taken by whoever understands it. What nobody took is unknown.
pub(super) struct Modifiers<'a> {
    words: Vec<Option<&'a str>>,
}

impl<'a> Modifiers<'a> {
    pub fn new(words: impl Iterator<Item = &'a str>) -> Modifiers<'a> {
        Modifiers {
            words: words.map(Some).collect(),
        }
    }

    /// Takes a modifier if it is there.
    pub fn take(&mut self, word: &str) -> bool {
        self.take_with(|w| (w == word).then_some(())).is_some()
    }

    /// Takes the first of several if one is there.
    pub fn take_any(&mut self, words: &[&str]) -> Option<&'a str> {
        self.take_with(|w| words.contains(&w).then_some(w))
    }

    /// Takes the first that `f` knows.
    pub fn take_with<T>(&mut self, mut f: impl FnMut(&'a str) -> Option<T>) -> Option<T> {
        for slot in &mut self.words {
            if let Some(word) = *slot
                && let Some(value) = f(word)
            {
                *slot = None;
                return Some(value);
            }
        }
        None
    }

    /// Takes the first type.
    pub fn take_type(&mut self) -> Option<Type> {
        self.take_with(Type::parse)
    }

    /// Takes the first state space.
    pub fn take_space(&mut self) -> Option<Space> {
        self.take_with(Space::parse)
    }

    /// Drops those that have a prefix: hints that change nothing here.
    pub fn drop_prefixed(&mut self, prefixes: &[&str]) {
        for slot in &mut self.words {
            if slot.is_some_and(|word| prefixes.iter().any(|prefix| word.starts_with(prefix))) {
                *slot = None;
            }
        }
    }

    /// The first that nobody took.
    pub fn left(&self) -> Option<&'a str> {
        self.words.iter().find_map(|word| *word)
    }
}
