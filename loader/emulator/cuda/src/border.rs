//! The border to C: what every entry point has in common.
//!
//! `entries!` turns a function that returns [`Result`] into an exported
//! one that returns a code, never unwinds into its caller, and carries its older and per-thread
//! names. Pointers cross the border as [`In`], [`Out`] and [`Text`], so that the bodies of the
//! entry points check for null by construction and need no `unsafe` of their own.
//!
//! What no implementation of a C interface can check is that a pointer other than null is good:
//! that stays the caller's duty, here as with the real driver. Handles, on the other hand, are
//! never pointers (see [`crate::handle`]) and may be anything.

use std::cell::Cell;
use std::ffi::{CStr, c_char};
use std::panic::{AssertUnwindSafe, catch_unwind};

use crate::status::{CUresult, Result, SUCCESS, Status};

/// A pointer through which the caller receives a value.
#[repr(transparent)]
pub struct Out<T>(pub *mut T);

/// A pointer that the caller provides, of whatever kind, can be copied like a number.
macro_rules! copies {
    ($($name:ident)*) => {$(
        impl<T> Clone for $name<T> {
            fn clone(&self) -> Self {
                *self
            }
        }

        impl<T> Copy for $name<T> {}
    )*};
}

copies! { Out In }

impl<T> Out<T> {
    /// Refuses null, before anything has been done that would have to be undone.
    pub fn check(self) -> Result {
        if self.0.is_null() {
            Err(Status::INVALID_VALUE)
        } else {
            Ok(())
        }
    }

    /// Hands a value over; null is an invalid value.
    pub fn set(self, value: T) -> Result {
        self.check()?;
        self.set_if_wanted(value);
        Ok(())
    }

    /// Hands a value over where the caller wants it: null means that they do not.
    pub fn set_if_wanted(self, value: T) {
        if !self.0.is_null() {
            // SAFETY: a caller that passes a pointer for an answer owns a `T` there; it need not
            // be aligned, since C code is known to cast buffers.
            unsafe { self.0.write_unaligned(value) }
        }
    }

    /// Hands over as many of the values as the caller has room for.
    pub fn set_first(self, values: impl IntoIterator<Item = T>, room: usize) -> Result {
        self.check()?;
        for (at, value) in values.into_iter().take(room).enumerate() {
            // SAFETY: the caller says that `room` values of `T` fit, and `at` is below that.
            unsafe { self.0.add(at).write_unaligned(value) }
        }
        Ok(())
    }
}

impl Out<c_char> {
    /// Hands over a text cut to the caller's `room` bytes, always with its NUL.
    pub fn set_text(self, text: &str, room: usize) -> Result {
        let kept = &text.as_bytes()[..text.len().min(room.checked_sub(1).ok_or(Status::INVALID_VALUE)?)];
        self.set_first(kept.iter().chain(&[0]).map(|&byte| byte as c_char), room)
    }
}

/// A pointer to values that the caller provides.
#[repr(transparent)]
pub struct In<T>(pub *const T);

impl<T: Copy> In<T> {
    /// The value; null is an invalid value.
    pub fn get(self) -> Result<T> {
        self.optional().ok_or(Status::INVALID_VALUE)
    }

    /// The value, if there is one.
    pub fn optional(self) -> Option<T> {
        // SAFETY: a pointer other than null leads to a `T` of the caller's, which all types used
        // here allow to hold any bits.
        (!self.0.is_null()).then(|| unsafe { self.0.read_unaligned() })
    }

    /// A number of values, one after the other; null is fine where there are none.
    pub fn list(self, count: usize) -> Result<Vec<T>> {
        if count > 0 && self.0.is_null() {
            return Err(Status::INVALID_VALUE);
        }
        // SAFETY: the caller says that there are `count` values of `T`.
        Ok((0..count)
            .map(|at| unsafe { self.0.add(at).read_unaligned() })
            .collect())
    }
}

/// A C string that the caller provides.
#[repr(transparent)]
#[derive(Clone, Copy)]
pub struct Text(pub *const c_char);

impl Text {
    /// The text; null and text that is not UTF-8 are invalid values (no name here is anything
    /// but ASCII).
    pub fn get<'a>(self) -> Result<&'a str> {
        if self.0.is_null() {
            return Err(Status::INVALID_VALUE);
        }
        // SAFETY: the caller passes a string that ends with NUL and lives until the call returns;
        // no entry point keeps it.
        unsafe { CStr::from_ptr(self.0) }
            .to_str()
            .map_err(|_| Status::INVALID_VALUE)
    }
}

thread_local! {
    /// Whether the null stream means the calling thread's own one, as the names that end in
    /// `_ptds` and `_ptsz` have it.
    static PER_THREAD: Cell<bool> = const { Cell::new(false) };
}

/// Whether the null stream means the calling thread's own one in the present call.
pub fn null_stream_is_per_thread() -> bool {
    PER_THREAD.get()
}

/// Runs an entry point in which the null stream means the calling thread's own one.
pub fn per_thread(entry: impl FnOnce() -> CUresult) -> CUresult {
    let outer = PER_THREAD.replace(true);
    let result = entry();
    PER_THREAD.set(outer);
    result
}

/// Runs the body of an entry point; a panic in it ends as an error for this one caller.
pub fn run(name: &str, body: impl FnOnce() -> Result) -> CUresult {
    // Nothing behind the border is left half done by a panic that a later call could trip over:
    // locks that are poisoned are taken all the same, and tables change in one step.
    match catch_unwind(AssertUnwindSafe(body)) {
        Ok(Ok(())) => SUCCESS,
        Ok(Err(status)) => status.0,
        Err(_) => {
            eprintln!("CUDA emulator: {name} failed by a fault of the emulator itself; please report it");
            Status::UNKNOWN.0
        }
    }
}

/// Defines exported entry points.
///
/// `fn name | older_name @ per_thread_name (arguments) { body }`: the older names are the same
/// function, in the per-thread ones the null stream means the calling thread's own stream.
macro_rules! entries {
    ($(
        $(#[$meta:meta])*
        fn $name:ident $(| $alias:ident)* $(@ $thread:ident)* ($($arguments:tt)*) $body:block
    )*) => {$(
        $crate::border::names! {
            $(#[$meta])* $name [$($alias)*] [$($thread)*] ($($arguments)*) $body
        }
    )*};
}

/// All names of one entry point of `entries!`.
macro_rules! names {
    (
        $(#[$meta:meta])*
        $name:ident [$($alias:ident)*] [$($thread:ident)*] $arguments:tt $body:block
    ) => {
        $crate::border::entry! { $(#[$meta])* $name $arguments $body }
        $($crate::border::forward! { $name $alias $arguments (::std::convert::identity) })*
        $($crate::border::forward! { $name $thread $arguments ($crate::border::per_thread_of) })*
    };
}

/// One entry point of `entries!`.
macro_rules! entry {
    ($(#[$meta:meta])* $name:ident ($($argument:ident: $type:ty),* $(,)?) $body:block) => {
        $(#[$meta])*
        ///
        /// # Safety
        /// Pointers are null or lead to what the public interface says.
        #[unsafe(no_mangle)]
        pub unsafe extern "C" fn $name($($argument: $type),*) -> $crate::status::CUresult {
            $crate::border::run(stringify!($name), move || $body)
        }
    };
}

/// Another name of an entry point of `entries!`.
macro_rules! forward {
    ($name:ident $other:ident ($($argument:ident: $type:ty),* $(,)?) ($wrap:path)) => {
        #[doc = concat!("Another name of [`", stringify!($name), "`].")]
        ///
        /// # Safety
        /// As there.
        #[unsafe(no_mangle)]
        pub unsafe extern "C" fn $other($($argument: $type),*) -> $crate::status::CUresult {
            // SAFETY: the same arguments under the same contract.
            $wrap(|| unsafe { $name($($argument),*) })()
        }
    };
}

/// [`per_thread`] in the shape that `forward!` wants.
pub fn per_thread_of(entry: impl FnOnce() -> CUresult) -> impl FnOnce() -> CUresult {
    || per_thread(entry)
}

pub(crate) use {entries, entry, forward, names};
