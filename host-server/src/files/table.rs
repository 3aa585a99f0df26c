//! What a program has open, by number.
//!
//! A handle is a number that a device keeps and sends back, so any number may come. It says which slot, which of the
//! files that used the slot one after the other, and which table: a handle that was closed, made up, or issued by another
//! server is told from a good one, and names nothing.

use std::collections::hash_map::RandomState;
use std::hash::BuildHasher;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// The most files one program may have open at a time.
pub const MAX_OPEN: usize = 1 << 12;

const SLOT_BITS: u32 = 16;
const GENERATION_BITS: u32 = 24;
/// With the others, one bit short of all: a handle is no negative number.
const TABLE_BITS: u32 = 21;

/// A file's number: a non-zero multiple of 4, as the two low bits tell standard streams.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Handle(u64);

impl Handle {
    /// The number that travels.
    pub fn number(self) -> u64 {
        self.0
    }
}

/// Why there is no file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum TableError {
    /// The number is no handle of this table.
    #[error("{0:#x} is no open file: closed, made up, or another program's")]
    NoFile(u64),
    /// [`MAX_OPEN`] files are open, or all handles that there can be were.
    #[error("{MAX_OPEN} files are open already")]
    Full,
}

/// All that one program has open.
pub struct Table<T> {
    /// Sets this table's handles apart from every other table's.
    tag: u64,
    slots: Mutex<Slots<T>>,
}

struct Slots<T> {
    slots: Vec<Slot<T>>,
    /// Those that may be used; one whose numbers are used up never is again.
    free: Vec<usize>,
    open: usize,
}

struct Slot<T> {
    generation: u64,
    open: Option<Arc<T>>,
}

impl<T> Default for Table<T> {
    fn default() -> Self {
        Self::new()
    }
}

impl<T> Table<T> {
    /// An empty table.
    pub fn new() -> Self {
        // Randomly seeded by the standard library: enough to tell tables apart.
        let tag = RandomState::new().hash_one(0) & mask(TABLE_BITS);
        let slots = Slots {
            slots: Vec::new(),
            free: Vec::new(),
            open: 0,
        };
        Self {
            tag,
            slots: Mutex::new(slots),
        }
    }

    /// Takes something in.
    pub fn insert(&self, open: T) -> Result<Handle, TableError> {
        let mut slots = self.lock();
        if slots.open == MAX_OPEN {
            return Err(TableError::Full);
        }
        let index = match slots.free.pop() {
            Some(index) => index,
            None if slots.slots.len() == 1 << SLOT_BITS => return Err(TableError::Full),
            None => {
                slots.slots.push(Slot {
                    generation: 0,
                    open: None,
                });
                slots.slots.len() - 1
            }
        };
        slots.open += 1;
        let slot = &mut slots.slots[index];
        // Never 0, so that no handle is 0.
        slot.generation += 1;
        slot.open = Some(Arc::new(open));
        let number = ((self.tag << GENERATION_BITS | slot.generation) << SLOT_BITS | index as u64) << 2;
        Ok(Handle(number))
    }

    /// What a number names that a device sent.
    pub fn get(&self, number: u64) -> Result<Arc<T>, TableError> {
        let mut slots = self.lock();
        self.slot(&mut slots, number)?
            .open
            .clone()
            .ok_or(TableError::NoFile(number))
    }

    /// Takes something out. It is closed when nobody uses it any more.
    pub fn remove(&self, number: u64) -> Result<Arc<T>, TableError> {
        let mut slots = self.lock();
        let open = self
            .slot(&mut slots, number)?
            .open
            .take()
            .ok_or(TableError::NoFile(number))?;
        slots.release(index(number));
        Ok(open)
    }

    /// All that is open now.
    pub fn all(&self) -> Vec<Arc<T>> {
        self.lock().slots.iter().filter_map(|slot| slot.open.clone()).collect()
    }

    /// Takes all out, for the end of the program. Their numbers mean nothing from then on.
    pub fn drain(&self) -> Vec<Arc<T>> {
        let mut slots = self.lock();
        let mut all = Vec::new();
        for index in 0..slots.slots.len() {
            if let Some(open) = slots.slots[index].open.take() {
                all.push(open);
                slots.release(index);
            }
        }
        all
    }

    fn slot<'a>(&self, slots: &'a mut Slots<T>, number: u64) -> Result<&'a mut Slot<T>, TableError> {
        let known = number.is_multiple_of(4) && number >> (2 + SLOT_BITS + GENERATION_BITS) == self.tag;
        let generation = (number >> (2 + SLOT_BITS)) & mask(GENERATION_BITS);
        slots
            .slots
            .get_mut(index(number))
            .filter(|slot| known && slot.generation == generation)
            .ok_or(TableError::NoFile(number))
    }

    fn lock(&self) -> MutexGuard<'_, Slots<T>> {
        self.slots.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl<T> Slots<T> {
    /// A slot was emptied. It is used again as long as its handles are new ones.
    fn release(&mut self, index: usize) {
        self.open -= 1;
        if self.slots[index].generation < mask(GENERATION_BITS) {
            self.free.push(index);
        }
    }
}

fn index(number: u64) -> usize {
    (number >> 2 & mask(SLOT_BITS)) as usize
}

const fn mask(bits: u32) -> u64 {
    (1 << bits) - 1
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_handle_names_one_file_until_it_is_closed() {
        let table = Table::new();
        let first = table.insert("first").unwrap().number();
        let second = table.insert("second").unwrap().number();
        assert!(first != second && first.is_multiple_of(4) && first != 0);
        assert_eq!(
            (*table.get(first).unwrap(), *table.get(second).unwrap()),
            ("first", "second")
        );
        table.remove(first).unwrap();
        let third = table.insert("third").unwrap().number();
        assert_ne!(first, third, "the slot is used again, the number is not");
        for stale in [
            first,
            0,
            4,
            third + 1,
            third + 2,
            third ^ 1 << 63,
            u64::MAX,
            third + (1 << 18),
            third + 40,
        ] {
            assert_eq!(table.get(stale).err(), Some(TableError::NoFile(stale)), "{stale:#x}");
            assert_eq!(table.remove(stale).err(), Some(TableError::NoFile(stale)));
        }
        assert_eq!(table.drain().len(), 2);
        assert!(table.get(second).is_err() && table.get(third).is_err());
    }

    #[test]
    fn another_tables_handle_is_foreign() {
        // Tags have 21 random bits: that eight pairs all agree does not happen.
        let foreign = (0..8).any(|_| {
            let (one, other) = (Table::new(), Table::new());
            let number = one.insert(()).unwrap().number();
            other.insert(()).unwrap();
            other.get(number).is_err()
        });
        assert!(foreign);
    }

    #[test]
    fn no_handle_comes_twice() {
        let table = Table::new();
        let first = table.insert(()).unwrap().number();
        table.remove(first).unwrap();
        table.lock().slots[0].generation = mask(GENERATION_BITS) - 1;
        let last = table.insert(()).unwrap().number();
        assert_eq!(index(last), 0);
        table.remove(last).unwrap();
        let other = table.insert(()).unwrap().number();
        assert_eq!(index(other), 1, "a slot is used again whose numbers are used up");
        for stale in [first, last] {
            assert!(table.get(stale).is_err() && table.remove(stale).is_err());
        }
        assert_eq!(table.drain().len(), 1);
    }

    #[test]
    fn the_table_has_an_end() {
        let table = Table::new();
        let numbers: Vec<_> = (0..MAX_OPEN).map(|_| table.insert(()).unwrap().number()).collect();
        assert_eq!(table.insert(()).err(), Some(TableError::Full));
        table.remove(numbers[7]).unwrap();
        assert!(table.insert(()).is_ok());
    }
}
