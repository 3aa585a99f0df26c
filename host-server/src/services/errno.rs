//! Answers of class `r`: a result, or the host's `errno` with its sign turned.

use std::io::{self, ErrorKind};

/// The result word of a call.
pub(super) fn result(outcome: io::Result<u64>) -> u64 {
    match outcome {
        // Sizes and handles have no top bit; a larger number could only be taken for an error.
        Ok(value) => value.min(i64::MAX as u64),
        Err(error) => failure(&error),
    }
}

/// The result word of a call that failed.
pub(super) fn failure(error: &io::Error) -> u64 {
    -i64::from(errno(error)) as u64
}

/// The result word of a call that has nothing to say.
pub(super) fn status(outcome: io::Result<()>) -> u64 {
    result(outcome.map(|()| 0))
}

/// An error by number, for what the host did not ask its system for.
pub(super) fn error(number: i32) -> io::Error {
    io::Error::from_raw_os_error(number)
}

/// The number of an error.
fn errno(error: &io::Error) -> i32 {
    error.raw_os_error().unwrap_or(match error.kind() {
        ErrorKind::NotFound => libc::ENOENT,
        // So the sandbox calls a path that leads out of it.
        ErrorKind::PermissionDenied => libc::EACCES,
        ErrorKind::AlreadyExists => libc::EEXIST,
        ErrorKind::InvalidInput => libc::EINVAL,
        ErrorKind::StorageFull | ErrorKind::WriteZero => libc::ENOSPC,
        ErrorKind::NotSeekable => libc::ESPIPE,
        ErrorKind::BrokenPipe => libc::EPIPE,
        ErrorKind::NotADirectory => libc::ENOTDIR,
        ErrorKind::IsADirectory => libc::EISDIR,
        ErrorKind::DirectoryNotEmpty => libc::ENOTEMPTY,
        ErrorKind::OutOfMemory => libc::ENOMEM,
        ErrorKind::Unsupported => libc::ENOSYS,
        _ => libc::EIO,
    })
}
