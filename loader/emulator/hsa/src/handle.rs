//! Handles: keys of tables, never pointers.
//!
//! A caller may pass any number as a handle. What is not in the table of its kind is an invalid
//! handle; a number is never used twice, so that a stale one is not mistaken for a new object.
//! (Signals and queues are different: device code and the API's own macros look into them. See
//! [`crate::signal`] and [`crate::queue`].)

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, PoisonError, RwLock, RwLockReadGuard, RwLockWriteGuard};

/// What the handles of a table are for. Different kinds have different handles.
#[derive(Clone, Copy)]
#[repr(u8)]
pub enum Kind {
    /// Code object readers.
    Reader = 1,
    /// Executables.
    Executable,
    /// Code objects loaded into executables.
    LoadedCodeObject,
    /// Symbols of executables.
    Symbol,
    /// Groups of signals.
    SignalGroup,
}

/// All live objects of one kind.
pub struct Table<T> {
    kind: Kind,
    objects: RwLock<BTreeMap<u64, Arc<T>>>,
}

impl<T> Table<T> {
    /// An empty table.
    pub const fn new(kind: Kind) -> Self {
        Table {
            kind,
            objects: RwLock::new(BTreeMap::new()),
        }
    }

    /// Adds an object and returns its handle.
    pub fn insert(&self, object: T) -> u64 {
        static NEXT: AtomicU64 = AtomicU64::new(1);
        let number = NEXT.fetch_add(1, Ordering::Relaxed);
        // Outside of user space, so that it cannot be an address, and 16 apart like one.
        let handle = (0xe << 60) | ((self.kind as u64) << 48) | (number << 4);
        self.write().insert(handle, Arc::new(object));
        handle
    }

    /// Finds an object.
    pub fn get(&self, handle: u64) -> Option<Arc<T>> {
        self.read().get(&handle).cloned()
    }

    /// Takes an object out: its handle is invalid from now on.
    pub fn remove(&self, handle: u64) -> Option<Arc<T>> {
        self.write().remove(&handle)
    }

    /// Takes out all objects that `leaves` says.
    pub fn remove_where(&self, mut leaves: impl FnMut(&T) -> bool) {
        // Dropped after the lock: objects may have others behind them.
        let gone: Vec<_> = self.write().extract_if(.., |_, object| leaves(object)).collect();
        drop(gone);
    }

    /// All handles and objects, oldest first.
    pub fn list(&self) -> Vec<(u64, Arc<T>)> {
        self.read()
            .iter()
            .map(|(handle, object)| (*handle, object.clone()))
            .collect()
    }

    fn read(&self) -> RwLockReadGuard<'_, BTreeMap<u64, Arc<T>>> {
        self.objects.read().unwrap_or_else(PoisonError::into_inner)
    }

    fn write(&self) -> RwLockWriteGuard<'_, BTreeMap<u64, Arc<T>>> {
        self.objects.write().unwrap_or_else(PoisonError::into_inner)
    }
}
