//! An open file, shared by all lanes that use it.

use std::fs::File;
use std::io::{self, Cursor, ErrorKind, Read, Seek, SeekFrom};
use std::sync::{Arc, Mutex, MutexGuard};

use super::{Medium, Mode, Stream};
use crate::Host;
use crate::lock::{lock, try_lock};

/// What a stream of a program can lie over.
pub enum Source {
    /// A file of the host.
    File(File),
    /// Bytes that the host keeps for the program to read, such as the output of a command.
    Memory(Cursor<Vec<u8>>),
    /// Standard input.
    Stdin(Arc<dyn Host>),
}

impl Source {
    /// Whether a read is sure to return at once, as far as that is known of what may block.
    pub fn is_ready(&self) -> bool {
        match self {
            Self::File(_) => false,
            Self::Memory(_) => true,
            Self::Stdin(host) => host.stdin_is_ready(),
        }
    }
}

impl Medium for Source {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        match self {
            Self::File(file) => Medium::read(file, buffer),
            Self::Memory(bytes) => bytes.read(buffer),
            Self::Stdin(host) => host.read_stdin(buffer),
        }
    }

    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match self {
            Self::File(file) => Medium::write(file, bytes),
            Self::Memory(_) | Self::Stdin(_) => Err(ErrorKind::PermissionDenied.into()),
        }
    }

    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        match self {
            Self::File(file) => Medium::seek(file, to),
            Self::Memory(bytes) => bytes.seek(to),
            Self::Stdin(_) => Err(ErrorKind::NotSeekable.into()),
        }
    }
}

/// File systems whose regular files wait for nothing but memory and disks of this machine. Behind any other there may be a network,
/// a process, or a driver for which a read is a wait: a regular file of `/proc` says no more about that than one of NFS.
const LOCAL: [libc::c_long; 7] = [
    libc::EXT4_SUPER_MAGIC,
    libc::XFS_SUPER_MAGIC,
    libc::BTRFS_SUPER_MAGIC,
    libc::F2FS_SUPER_MAGIC,
    libc::TMPFS_MAGIC,
    libc::OVERLAYFS_SUPER_MAGIC,
    // ZFS, which the kernel's headers do not know.
    0x2FC1_2FC1,
];

/// An open file. Whoever uses it locks the stream, so that two threads on one file do not disturb each other.
pub struct OpenFile {
    stream: Mutex<Stream<Source>>,
    may_block: bool,
    is_local: bool,
    is_written: bool,
}

impl OpenFile {
    /// A file that was opened as `mode` says.
    pub fn new(source: Source, mode: Mode) -> Self {
        let (may_block, is_local) = match &source {
            Source::File(file) => (
                !file.metadata().is_ok_and(|metadata| metadata.is_file()),
                rustix::fs::fstatfs(file).is_ok_and(|system| LOCAL.contains(&system.f_type)),
            ),
            Source::Memory(_) => (false, true),
            Source::Stdin(_) => (true, true),
        };
        Self {
            stream: Mutex::new(Stream::new(source, mode)),
            may_block,
            is_local,
            is_written: mode.write,
        }
    }

    /// The stream, to be used at once and by nobody else.
    pub fn lock(&self) -> MutexGuard<'_, Stream<Source>> {
        lock(&self.stream)
    }

    /// The stream, if nobody is using it.
    pub fn try_lock(&self) -> Option<MutexGuard<'_, Stream<Source>>> {
        try_lock(&self.stream)
    }

    /// Whether an operation may take as long as somebody else likes: on a pipe, a terminal.
    pub fn may_block(&self) -> bool {
        self.may_block
    }

    /// Whether an operation on a few bytes is sure to be over soon, so that a thread that serves others may do it.
    pub fn is_quick(&self) -> bool {
        !self.may_block && self.is_local
    }

    /// Whether it was opened for writing, so that it may hold something back.
    pub fn is_written(&self) -> bool {
        self.is_written
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_no_local_file_is_left_to_threads_that_may_wait() {
        let file = |path: &str| OpenFile::new(Source::File(File::open(path).unwrap()), Mode::default());
        let own = std::env::current_exe().unwrap();
        assert!(file(own.to_str().unwrap()).is_quick());
        // A regular file by its metadata, as `/proc/kmsg` is, whose reader waits for the next message.
        let status = file("/proc/self/status");
        assert!(!status.may_block() && !status.is_quick());
        assert!(file("/dev/null").may_block() && !file("/dev/null").is_quick());
    }
}
