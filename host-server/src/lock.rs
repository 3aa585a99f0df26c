//! Locks that outlive a panic.
//!
//! A handler of the embedding program may panic while it holds one. What these locks guard is sound between any two
//! statements, so that the next one goes on.

use std::sync::{Mutex, MutexGuard, PoisonError, TryLockError};

/// Wait for the lock.
pub(crate) fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The lock, if nobody holds it.
pub(crate) fn try_lock<T>(mutex: &Mutex<T>) -> Option<MutexGuard<'_, T>> {
    match mutex.try_lock() {
        Ok(guard) => Some(guard),
        Err(TryLockError::Poisoned(poisoned)) => Some(poisoned.into_inner()),
        Err(TryLockError::WouldBlock) => None,
    }
}
