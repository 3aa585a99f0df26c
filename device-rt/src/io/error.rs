//! What can go wrong with input and output.

use core::fmt;

/// The result of an operation of input or output.
pub type Result<T> = core::result::Result<T, Error>;

/// An error of the host's system, or of this crate.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Error(Repr);

#[derive(Clone, Copy, PartialEq, Eq)]
enum Repr {
    /// An `errno` of Linux, as the host answered.
    Host(i32),
    Own(ErrorKind, &'static str),
}

impl Error {
    /// An error with words of its own.
    pub const fn new(kind: ErrorKind, message: &'static str) -> Self {
        Self(Repr::Own(kind, message))
    }

    /// The error of this `errno` of Linux.
    pub const fn from_raw_os_error(errno: i32) -> Self {
        Self(Repr::Host(errno))
    }

    /// The host's `errno`, if the host is where the error comes from.
    pub const fn raw_os_error(&self) -> Option<i32> {
        match self.0 {
            Repr::Host(errno) => Some(errno),
            Repr::Own(..) => None,
        }
    }

    /// What sort of error this is.
    pub const fn kind(&self) -> ErrorKind {
        match self.0 {
            Repr::Host(errno) => ErrorKind::from_errno(errno),
            Repr::Own(kind, _) => kind,
        }
    }

    /// The result word of an answer of class `r`.
    pub(crate) fn check(result: u64) -> Result<u64> {
        match result.cast_signed() {
            0.. => Ok(result),
            errno => Err(Self::from_raw_os_error(errno.unsigned_abs() as i32)),
        }
    }

    /// What calls of class `r` come to under a host that does not know it.
    pub(crate) const NO_SERVICES: Self = Self::new(
        ErrorKind::Unsupported,
        "this host offers no services beyond C's (opcodes of class r)",
    );
}

impl fmt::Debug for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            Repr::Host(errno) => write!(f, "Os {{ code: {errno}, kind: {:?} }}", self.kind()),
            Repr::Own(kind, message) => write!(f, "Custom {{ kind: {kind:?}, error: {message:?} }}"),
        }
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            Repr::Host(errno) => write!(f, "{} (os error {errno})", self.kind()),
            Repr::Own(_, message) => f.write_str(message),
        }
    }
}

impl core::error::Error for Error {}

/// Defines the kinds with their words and the numbers that Linux has for them.
macro_rules! kinds {
    ($($name:ident $words:literal $($errno:literal)*;)*) => {
        /// What sort of error an [`Error`] is.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        #[non_exhaustive]
        pub enum ErrorKind {
            $(#[doc = concat!("\"", $words, "\"")] $name,)*
        }

        impl ErrorKind {
            const fn from_errno(errno: i32) -> Self {
                match errno {
                    $($($errno => Self::$name,)*)*
                    _ => Self::Other,
                }
            }
        }

        impl fmt::Display for ErrorKind {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str(match self {
                    $(Self::$name => $words,)*
                })
            }
        }
    };
}

// The numbers are those of Linux on every architecture that Rust knows but Alpha, MIPS and SPARC (include/uapi/asm-generic/errno*.h).
kinds! {
    NotFound "no such file or directory" 2;
    PermissionDenied "permission denied" 1 13;
    Interrupted "interrupted" 4;
    BadHandle "the file is not open, or not for this" 9;
    WouldBlock "would have to wait" 11;
    OutOfMemory "out of memory" 12;
    AlreadyExists "already exists" 17;
    CrossesDevices "cannot move between file systems" 18;
    NotADirectory "not a directory" 20;
    IsADirectory "is a directory" 21;
    InvalidInput "invalid argument" 22;
    TooManyFiles "too many open files" 23 24;
    FileTooLarge "file too large" 27;
    StorageFull "no space left" 28 122;
    NotSeekable "cannot seek" 29;
    ReadOnlyFilesystem "read-only file system" 30;
    BrokenPipe "broken pipe" 32;
    InvalidFilename "name too long" 36;
    DirectoryNotEmpty "directory not empty" 39;
    MessageTooLarge "beyond a bound of the host" 90;
    TimedOut "timed out" 110;
    InvalidData "invalid data" 84;
    UnexpectedEof "unexpected end of file";
    WriteZero "nothing could be written";
    Unsupported "not supported" 38 95;
    Other "error of the host";
}

#[cfg(test)]
mod tests {
    extern crate std;

    use std::{format, io};

    use super::*;

    #[test]
    fn errno_has_the_kind_that_std_gives_it() {
        for errno in 1..134 {
            let (ours, theirs) = (Error::from_raw_os_error(errno), io::Error::from_raw_os_error(errno));
            assert_eq!(ours.raw_os_error(), Some(errno));
            let (ours, theirs) = (format!("{:?}", ours.kind()), format!("{:?}", theirs.kind()));
            // Kinds that std has not, or not yet, or for which we have no name.
            if !["Other", "BadHandle", "TooManyFiles", "MessageTooLarge", "InvalidData"].contains(&&*ours)
                && !["QuotaExceeded"].contains(&&*theirs)
            {
                assert_eq!(ours, theirs, "errno {errno}");
            }
        }
    }

    #[test]
    fn results_are_numbers_or_errors() {
        assert_eq!(Error::check(7), Ok(7));
        assert_eq!(
            Error::check(-2_i64 as u64).map_err(|error| error.kind()),
            Err(ErrorKind::NotFound)
        );
    }
}
