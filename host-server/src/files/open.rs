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

/// An open file. Whoever uses it locks the stream, so that two threads on one file do not disturb each other.
pub struct OpenFile {
    stream: Mutex<Stream<Source>>,
    may_block: bool,
}

impl OpenFile {
    /// A file that was opened as `mode` says.
    pub fn new(source: Source, mode: Mode) -> Self {
        let may_block = match &source {
            Source::File(file) => !file.metadata().is_ok_and(|metadata| metadata.is_file()),
            Source::Memory(_) => false,
            Source::Stdin(_) => true,
        };
        Self {
            stream: Mutex::new(Stream::new(source, mode)),
            may_block,
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
}
