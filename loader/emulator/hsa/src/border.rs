//! The border to C: what every entry point has in common.
//!
//! `entries!` turns a function that returns [`Result`] into an exported one that returns a
//! status and never unwinds into its caller, and proves at compile time that its signature is the
//! header's. Pointers are wrapped as [`In`], [`Out`] and [`Text`] where they are used, so that
//! null is an error by construction and the bodies need no `unsafe` of their own.
//!
//! What no implementation of a C interface can check is that a pointer other than null is good:
//! that stays the caller's duty, as with the real runtime. Handles may be anything: they are
//! looked up, never followed.

use std::collections::HashSet;
use std::ffi::{CStr, c_char, c_void};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{LazyLock, Mutex, MutexGuard, PoisonError};

use hsa_sys::{HSA_STATUS_SUCCESS, hsa_status_t};

use crate::status::{Result, Status};

/// A pointer through which the caller receives a value.
pub struct Out<T>(pub *mut T);

impl<T> Out<T> {
    /// Refuses null, before anything is done that would have to be undone.
    pub fn check(&self) -> Result {
        if self.0.is_null() {
            Err(Status::ARGUMENT)
        } else {
            Ok(())
        }
    }

    /// Hands a value over.
    pub fn set(&self, value: T) -> Result {
        self.check()?;
        self.set_if_wanted(value);
        Ok(())
    }

    /// Hands a value over, unless the caller passed null because they do not want it.
    pub fn set_if_wanted(&self, value: T) {
        if !self.0.is_null() {
            // SAFETY: a caller that passes a pointer for an answer owns a `T` there; it need not
            // be aligned, since C code is known to cast buffers.
            unsafe { self.0.write_unaligned(value) }
        }
    }
}

/// The untyped pointer of the `get_info` functions.
pub struct Answer(pub *mut c_void);

impl Answer {
    /// Hands over a value of the type that the attribute has.
    pub fn set<T>(&self, value: T) -> Result {
        Out(self.0.cast::<T>()).set(value)
    }

    /// Hands over a text and zeroes up to `room` bytes.
    pub fn set_padded(&self, text: &str, room: usize) -> Result {
        let kept = &text.as_bytes()[..text.len().min(room - 1)];
        let bytes = kept.iter().copied().chain(std::iter::repeat(0)).take(room);
        self.set_bytes(bytes)
    }

    /// Hands over a text without its NUL, for attributes that have a length of their own.
    pub fn set_exact(&self, text: &str) -> Result {
        self.set_bytes(text.bytes())
    }

    /// Hands over a text with its NUL.
    pub fn set_terminated(&self, text: &str) -> Result {
        self.set_bytes(text.bytes().chain([0]))
    }

    fn set_bytes(&self, bytes: impl Iterator<Item = u8>) -> Result {
        if self.0.is_null() {
            return Err(Status::ARGUMENT);
        }
        for (at, byte) in bytes.enumerate() {
            // SAFETY: the attribute asked for says how many bytes the caller has there.
            unsafe { self.0.cast::<u8>().add(at).write(byte) }
        }
        Ok(())
    }
}

/// A pointer to values that the caller provides.
pub struct In<T>(pub *const T);

impl<T: Copy> In<T> {
    /// The value.
    pub fn get(&self) -> Result<T> {
        self.optional().ok_or(Status::ARGUMENT)
    }

    /// The value, if there is one.
    pub fn optional(&self) -> Option<T> {
        // SAFETY: a pointer other than null leads to a `T` of the caller's, which all types used
        // here allow to hold any bits.
        (!self.0.is_null()).then(|| unsafe { self.0.read_unaligned() })
    }

    /// A number of values, one after the other; null is fine where there are none.
    pub fn list(&self, count: usize) -> Result<Vec<T>> {
        if count > 0 && self.0.is_null() {
            return Err(Status::ARGUMENT);
        }
        // SAFETY: the caller says that there are `count` values of `T`.
        Ok((0..count)
            .map(|at| unsafe { self.0.add(at).read_unaligned() })
            .collect())
    }
}

/// A C string that the caller provides.
pub struct Text(pub *const c_char);

impl Text {
    /// The text; text that is not UTF-8 is an invalid argument (no name here is anything else).
    pub fn get<'a>(&self) -> Result<&'a str> {
        if self.0.is_null() {
            return Err(Status::ARGUMENT);
        }
        // SAFETY: the caller passes a string that ends with NUL and lives until the call returns;
        // no entry point keeps it.
        unsafe { CStr::from_ptr(self.0) }.to_str().map_err(|_| Status::ARGUMENT)
    }
}

/// Turns a callback's status into how a traversal goes on.
pub fn go_on(status: hsa_status_t) -> Result {
    if status == HSA_STATUS_SUCCESS {
        Ok(())
    } else {
        Err(Status(status))
    }
}

/// Takes a lock, poisoned or not: nothing behind the border is left half done by a panic that a
/// later call could trip over, since tables change in one step.
pub fn lock<T: ?Sized>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Says a line on stderr, unless it was said before.
pub fn say_once(line: &str) {
    static SAID: LazyLock<Mutex<HashSet<String>>> = LazyLock::new(Mutex::default);
    if lock(&SAID).insert(line.to_owned()) {
        say(line);
    }
}

/// Says a line on stderr.
pub fn say(line: &str) {
    eprintln!("HSA emulator: {line}");
}

/// Runs the body of an entry point; a panic in it ends as `fallback` for this one caller.
pub fn run_or<T>(name: &str, fallback: T, body: impl FnOnce() -> T) -> T {
    catch_unwind(AssertUnwindSafe(body)).unwrap_or_else(|_| {
        say(&format!(
            "{name} failed by a fault of the emulator itself; please report it"
        ));
        fallback
    })
}

/// Runs the body of an entry point that returns a status.
pub fn run(name: &str, body: impl FnOnce() -> Result) -> hsa_status_t {
    match run_or(name, Err(Status::FATAL), body) {
        Ok(()) => HSA_STATUS_SUCCESS,
        Err(status) => status.0,
    }
}

/// Defines exported entry points of the headers that return a status; the bodies return
/// [`Result`].
macro_rules! entries {
    ($(
        $(#[$meta:meta])*
        fn $name:ident ($($argument:ident: $type:ty),* $(,)?) $body:block
    )*) => {$(
        $(#[$meta])*
        ///
        /// # Safety
        /// Pointers are null or lead to what the public interface says.
        #[unsafe(no_mangle)]
        pub unsafe extern "C" fn $name($($argument: $type),*) -> ::hsa_sys::hsa_status_t {
            $crate::border::run(stringify!($name), move || $body)
        }

        const _: fn(&mut ::hsa_sys::Hsa) = |table| table.$name = Ok($name);
    )*};
}

/// Defines exported entry points of the headers that return a value or nothing (`()`); `else` is what a
/// caller gets whose call the emulator could not finish.
macro_rules! values {
    ($(
        $(#[$meta:meta])*
        fn $name:ident ($($argument:ident: $type:ty),* $(,)?) -> $result:ty $body:block
        else $fallback:expr;
    )*) => {$(
        $(#[$meta])*
        ///
        /// # Safety
        /// Pointers are null or lead to what the public interface says.
        #[unsafe(no_mangle)]
        pub unsafe extern "C" fn $name($($argument: $type),*) -> $result {
            $crate::border::run_or(stringify!($name), $fallback, move || $body)
        }

        const _: fn(&mut ::hsa_sys::Hsa) = |table| table.$name = Ok($name);
    )*};
}

pub(crate) use {entries, values};
