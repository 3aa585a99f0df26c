//! The files that a program has open, by number.
//!
//! A handle is a number that a device keeps and sends back, so any number may come. It says which slot, which of the
//! files that used the slot one after the other, and which table: a handle that was closed, made up, or issued by another
//! server is told from a good one, and names nothing.

use std::collections::hash_map::RandomState;
use std::fs::File;
use std::hash::BuildHasher;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use super::Stream;

/// The most files one program may have open at a time.
pub const MAX_OPEN: usize = 1 << 12;

const SLOT_BITS: u32 = 16;
const GENERATION_BITS: u32 = 24;
const TABLE_BITS: u32 = 22;

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
    /// [`MAX_OPEN`] files are open.
    #[error("{MAX_OPEN} files are open already")]
    Full,
}

/// An open file. Whoever uses it locks the stream, so that two threads on one file do not disturb each other.
pub struct OpenFile {
    stream: Mutex<Stream<File>>,
    may_block: bool,
}

impl OpenFile {
    /// `may_block` says that an operation may take as long as somebody else likes: a pipe, a terminal.
    pub fn new(stream: Stream<File>, may_block: bool) -> Self {
        Self {
            stream: Mutex::new(stream),
            may_block,
        }
    }

    /// The stream, to be used at once and by nobody else.
    pub fn lock(&self) -> MutexGuard<'_, Stream<File>> {
        // A stream is sound between any two of its statements.
        self.stream.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Whether an operation may take as long as somebody else likes.
    pub fn may_block(&self) -> bool {
        self.may_block
    }
}

/// All open files of one program.
pub struct Table {
    /// Sets this table's handles apart from every other table's.
    tag: u64,
    slots: Mutex<Slots>,
}

#[derive(Default)]
struct Slots {
    slots: Vec<Slot>,
    free: Vec<usize>,
}

#[derive(Default)]
struct Slot {
    generation: u64,
    file: Option<Arc<OpenFile>>,
}

impl Default for Table {
    fn default() -> Self {
        Self::new()
    }
}

impl Table {
    /// An empty table.
    pub fn new() -> Self {
        // Randomly seeded by the standard library: enough to tell tables apart.
        let tag = RandomState::new().hash_one(0) & mask(TABLE_BITS);
        Self {
            tag,
            slots: Mutex::default(),
        }
    }

    /// Takes a file in.
    pub fn insert(&self, file: OpenFile) -> Result<Handle, TableError> {
        let mut slots = self.lock();
        let index = match slots.free.pop() {
            Some(index) => index,
            None if slots.slots.len() == MAX_OPEN => return Err(TableError::Full),
            None => {
                slots.slots.push(Slot::default());
                slots.slots.len() - 1
            }
        };
        let slot = &mut slots.slots[index];
        // Never 0, so that no handle is 0.
        slot.generation = (slot.generation % mask(GENERATION_BITS)) + 1;
        slot.file = Some(Arc::new(file));
        let number = ((self.tag << GENERATION_BITS | slot.generation) << SLOT_BITS | index as u64) << 2;
        Ok(Handle(number))
    }

    /// The file of a number that a device sent.
    pub fn get(&self, number: u64) -> Result<Arc<OpenFile>, TableError> {
        let mut slots = self.lock();
        self.slot(&mut slots, number)?
            .file
            .clone()
            .ok_or(TableError::NoFile(number))
    }

    /// Takes a file out. It is closed when nobody uses it any more.
    pub fn remove(&self, number: u64) -> Result<Arc<OpenFile>, TableError> {
        let mut slots = self.lock();
        let file = self
            .slot(&mut slots, number)?
            .file
            .take()
            .ok_or(TableError::NoFile(number))?;
        slots.free.push(index(number));
        Ok(file)
    }

    /// Takes all files out, for the end of the program. Their numbers mean nothing from then on.
    pub fn drain(&self) -> Vec<Arc<OpenFile>> {
        let mut slots = self.lock();
        let mut files = Vec::new();
        let Slots { slots, free } = &mut *slots;
        for (index, slot) in slots.iter_mut().enumerate() {
            if let Some(file) = slot.file.take() {
                files.push(file);
                free.push(index);
            }
        }
        files
    }

    fn slot<'a>(&self, slots: &'a mut Slots, number: u64) -> Result<&'a mut Slot, TableError> {
        let known = number.is_multiple_of(4) && number >> (2 + SLOT_BITS + GENERATION_BITS) == self.tag;
        let generation = (number >> (2 + SLOT_BITS)) & mask(GENERATION_BITS);
        slots
            .slots
            .get_mut(index(number))
            .filter(|slot| known && slot.generation == generation)
            .ok_or(TableError::NoFile(number))
    }

    fn lock(&self) -> MutexGuard<'_, Slots> {
        self.slots.lock().unwrap_or_else(PoisonError::into_inner)
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
    use crate::files::Mode;

    fn file() -> OpenFile {
        try_file().unwrap()
    }

    fn try_file() -> Option<OpenFile> {
        let file = File::open("/dev/null").ok()?;
        Some(OpenFile::new(Stream::new(file, Mode::parse(b"r")?), false))
    }

    #[test]
    fn a_handle_names_one_file_until_it_is_closed() {
        let table = Table::new();
        let first = table.insert(file()).unwrap().number();
        let second = table.insert(file()).unwrap().number();
        assert!(first != second && first.is_multiple_of(4) && first != 0);
        assert!(!Arc::ptr_eq(&table.get(first).unwrap(), &table.get(second).unwrap()));
        table.remove(first).unwrap();
        let third = table.insert(file()).unwrap().number();
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
        // Tags have 22 random bits: that eight pairs all agree does not happen.
        let foreign = (0..8).any(|_| {
            let (one, other) = (Table::new(), Table::new());
            let number = one.insert(file()).unwrap().number();
            other.insert(file()).unwrap();
            other.get(number).is_err()
        });
        assert!(foreign);
    }

    #[test]
    fn the_table_has_an_end() {
        let table = Table::new();
        let numbers: Vec<_> = (0..MAX_OPEN).map_while(|_| table.insert(try_file()?).ok()).collect();
        // This process may be allowed fewer open files than the table has room for.
        if numbers.len() == MAX_OPEN {
            assert_eq!(table.insert(file()).err(), Some(TableError::Full));
        }
        table.remove(numbers[7].number()).unwrap();
        assert!(table.insert(file()).is_ok());
    }
}
