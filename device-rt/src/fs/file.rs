//! Open files.

use core::mem::ManuallyDrop;

use rpc_proto::Opcode;

use super::{Metadata, metadata, number_and_path, numbers};
use crate::io::{self, Read, Result, Seek, SeekFrom, Write};

/// An open file of the host. Closed when dropped. It has no buffer on the device: each operation is a call.
#[derive(Debug)]
pub struct File {
    /// The host's number for it.
    handle: u64,
}

impl File {
    /// Opens a file for reading.
    pub fn open(path: impl AsRef<[u8]>) -> Result<Self> {
        Self::options().read(true).open(path)
    }

    /// Opens a file for writing; it is created if it is not there, and emptied if it is.
    pub fn create(path: impl AsRef<[u8]>) -> Result<Self> {
        Self::options().write(true).create(true).truncate(true).open(path)
    }

    /// Creates a file for reading and writing; an error if it is there.
    pub fn create_new(path: impl AsRef<[u8]>) -> Result<Self> {
        Self::options().read(true).write(true).create_new(true).open(path)
    }

    /// All ways of opening a file.
    pub fn options() -> OpenOptions {
        OpenOptions::new()
    }

    /// The host's number for the file, which stays open.
    pub fn into_raw(self) -> u64 {
        ManuallyDrop::new(self).handle
    }

    /// The file with this number. A number that the host does not know makes every operation an error.
    pub const fn from_raw(handle: u64) -> Self {
        Self { handle }
    }

    /// What the host knows about the file.
    pub fn metadata(&self) -> Result<Metadata> {
        metadata::of_file(self.handle)
    }

    /// Cuts the file, or lengthens it with zeros, to `size` bytes.
    pub fn set_len(&self, size: u64) -> Result<()> {
        numbers(Opcode::FS_SET_LEN, [self.handle, size, 0]).map(drop)
    }

    /// Waits until data and metadata are on the medium.
    pub fn sync_all(&self) -> Result<()> {
        self.sync(2)
    }

    /// Waits until the data are on the medium.
    pub fn sync_data(&self) -> Result<()> {
        self.sync(1)
    }

    fn sync(&self, how: u64) -> Result<()> {
        numbers(Opcode::FS_SYNC, [self.handle, how, 0]).map(drop)
    }
}

impl Read for File {
    fn read(&mut self, buffer: &mut [u8]) -> Result<usize> {
        io::read_stream(self.handle, buffer)
    }
}

impl Write for File {
    fn write(&mut self, bytes: &[u8]) -> Result<usize> {
        io::write_stream(self.handle, bytes)
    }

    fn flush(&mut self) -> Result<()> {
        self.sync(0)
    }
}

impl Seek for File {
    fn seek(&mut self, to: SeekFrom) -> Result<u64> {
        let (offset, whence) = match to {
            SeekFrom::Start(offset) => (offset, 0),
            SeekFrom::Current(offset) => (offset.cast_unsigned(), 1),
            SeekFrom::End(offset) => (offset.cast_unsigned(), 2),
        };
        numbers(Opcode::FS_SEEK, [self.handle, offset, whence])
    }
}

impl Drop for File {
    fn drop(&mut self) {
        // Nobody is left who could be told of an error.
        let _ = numbers(Opcode::FS_CLOSE, [self.handle, 0, 0]);
    }
}

/// How to open a file.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct OpenOptions {
    bits: u64,
}

/// The bits of FS_OPEN.
const READ: u64 = 1;
const WRITE: u64 = 2;
const APPEND: u64 = 4;
const TRUNCATE: u64 = 8;
const CREATE: u64 = 16;
const CREATE_NEW: u64 = 32;

impl OpenOptions {
    /// Nothing allowed yet.
    pub const fn new() -> Self {
        Self { bits: 0 }
    }

    /// Allow reading.
    pub const fn read(self, on: bool) -> Self {
        self.with(READ, on)
    }

    /// Allow writing.
    pub const fn write(self, on: bool) -> Self {
        self.with(WRITE, on)
    }

    /// Allow writing, always at the end.
    pub const fn append(self, on: bool) -> Self {
        self.with(APPEND, on)
    }

    /// Empty the file.
    pub const fn truncate(self, on: bool) -> Self {
        self.with(TRUNCATE, on)
    }

    /// Create the file if it is not there.
    pub const fn create(self, on: bool) -> Self {
        self.with(CREATE, on)
    }

    /// Create the file; an error if it is there.
    pub const fn create_new(self, on: bool) -> Self {
        self.with(CREATE_NEW, on)
    }

    /// Opens a file so.
    pub fn open(self, path: impl AsRef<[u8]>) -> Result<File> {
        let handle = number_and_path(Opcode::FS_OPEN, self.bits, path.as_ref())?;
        Ok(File { handle })
    }

    const fn with(self, bit: u64, on: bool) -> Self {
        let bits = if on { self.bits | bit } else { self.bits & !bit };
        Self { bits }
    }
}
