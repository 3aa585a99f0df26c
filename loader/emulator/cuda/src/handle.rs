//! Handles: numbers that look like the pointers of the real driver but are keys of a table.
//!
//! A caller may pass anything as a handle. What is not in the table of its kind is an invalid
//! handle; a number is never used twice, so that a stale one is not mistaken for a new object.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, PoisonError, RwLock, RwLockReadGuard, RwLockWriteGuard};

use crate::status::{Result, Status};

/// All live objects of one kind.
pub struct Table<T> {
    kind: usize,
    next: AtomicUsize,
    objects: RwLock<BTreeMap<usize, Arc<T>>>,
}

impl<T> Table<T> {
    /// An empty table. `kind`, different for each, makes the handles of two tables differ.
    pub const fn new(kind: u8) -> Self {
        Table {
            kind: kind as usize,
            next: AtomicUsize::new(1),
            objects: RwLock::new(BTreeMap::new()),
        }
    }

    /// Adds the object that `make` returns; it is told its own handle.
    pub fn insert(&self, make: impl FnOnce(usize) -> T) -> Arc<T> {
        // Far from small special values, from user space addresses, and 16 apart like pointers.
        let number = self.next.fetch_add(1, Ordering::Relaxed);
        let handle = (0xe << 56) | (self.kind << 48) | (number << 4);
        let object = Arc::new(make(handle));
        self.write().insert(handle, object.clone());
        object
    }

    /// Finds an object.
    pub fn get(&self, handle: usize) -> Result<Arc<T>> {
        self.read().get(&handle).cloned().ok_or(Status::INVALID_HANDLE)
    }

    /// Takes an object out: its handle is invalid from now on.
    pub fn remove(&self, handle: usize) -> Result<Arc<T>> {
        self.write().remove(&handle).ok_or(Status::INVALID_HANDLE)
    }

    /// Takes out all objects that `leaves` says.
    pub fn remove_where(&self, mut leaves: impl FnMut(&T) -> bool) -> Vec<Arc<T>> {
        self.write()
            .extract_if(.., |_, object| leaves(object))
            .map(|(_, object)| object)
            .collect()
    }

    /// All objects that `wanted` says, oldest first.
    pub fn list(&self, mut wanted: impl FnMut(&T) -> bool) -> Vec<Arc<T>> {
        self.read().values().filter(|object| wanted(object)).cloned().collect()
    }

    fn read(&self) -> RwLockReadGuard<'_, BTreeMap<usize, Arc<T>>> {
        self.objects.read().unwrap_or_else(PoisonError::into_inner)
    }

    fn write(&self) -> RwLockWriteGuard<'_, BTreeMap<usize, Arc<T>>> {
        self.objects.write().unwrap_or_else(PoisonError::into_inner)
    }
}
