//! Directories.

use alloc::vec::Vec;

use rpc_proto::Opcode;

use super::{FileType, Metadata, number_and_path, numbers, require_services, symlink_metadata};
use crate::io::{Error, ErrorKind, Result, Write};
use crate::rpc;

/// Creates a directory.
pub fn create_dir(path: impl AsRef<[u8]>) -> Result<()> {
    number_and_path(Opcode::FS_CREATE_DIR, 0, path.as_ref()).map(drop)
}

/// Creates a directory and those above it; no error if it is there.
pub fn create_dir_all(path: impl AsRef<[u8]>) -> Result<()> {
    number_and_path(Opcode::FS_CREATE_DIR, 1, path.as_ref()).map(drop)
}

/// Removes an empty directory.
pub fn remove_dir(path: impl AsRef<[u8]>) -> Result<()> {
    number_and_path(Opcode::FS_REMOVE, 1, path.as_ref()).map(drop)
}

/// Removes a directory and all that is in it. Links are removed, not followed.
pub fn remove_dir_all(path: impl AsRef<[u8]>) -> Result<()> {
    number_and_path(Opcode::FS_REMOVE, 2, path.as_ref()).map(drop)
}

/// The entries of a directory, in the order in which the host's system has them.
pub fn read_dir(path: impl AsRef<[u8]>) -> Result<ReadDir> {
    let path = path.as_ref();
    require_services()?;
    let mut prefix = Vec::new();
    prefix.write_all(path)?;
    let client = rpc::client();
    let mut port = client.open(Opcode::FS_OPEN_DIR);
    port.send_n(path);
    let handle = Error::check(port.recv(|packet| packet.get(0)))?;
    Ok(ReadDir {
        handle,
        path: prefix,
        entries: Vec::new(),
        at: 0,
        ended: false,
    })
}

/// Bytes of entries that one call asks for.
const CHUNK: usize = 4096;

/// An open directory: the iterator behind [`read_dir`].
#[derive(Debug)]
pub struct ReadDir {
    handle: u64,
    path: Vec<u8>,
    /// Entries as the host sent them: kind, length, name.
    entries: Vec<u8>,
    /// Bytes of `entries` that have been taken.
    at: usize,
    ended: bool,
}

impl ReadDir {
    /// The next entries of the host; none at the end.
    fn refill(&mut self) -> Result<()> {
        self.at = 0;
        self.entries.resize(CHUNK, 0);
        let client = rpc::client();
        let mut port = client.open(Opcode::FS_READ_DIR);
        port.send(|packet| {
            packet.set(0, CHUNK as u64);
            packet.set(1, self.handle);
        });
        port.recv_n(&mut self.entries);
        let result = Error::check(port.recv(|packet| packet.get(0)));
        drop(port);
        self.entries.truncate(result.unwrap_or(0) as usize);
        result.map(drop)
    }

    /// The entry at `at`.
    fn parse(&self) -> Option<(u8, &[u8])> {
        let entry = self.entries.get(self.at..)?;
        let (&kind, &len) = (entry.first()?, entry.get(1)?);
        Some((kind, entry.get(2..2 + usize::from(len))?))
    }
}

impl Iterator for ReadDir {
    type Item = Result<DirEntry>;

    fn next(&mut self) -> Option<Result<DirEntry>> {
        if self.ended {
            return None;
        }
        if self.at >= self.entries.len() {
            let outcome = self.refill();
            self.ended = outcome.is_err() || self.entries.is_empty();
            if let Err(error) = outcome {
                return Some(Err(error));
            }
            if self.ended {
                return None;
            }
        }
        let Some((kind, name)) = self.parse() else {
            self.ended = true;
            return Some(Err(Error::new(ErrorKind::InvalidData, "the host sent a broken entry")));
        };
        let name_start = self.path.len() + 1;
        let mut path = Vec::with_capacity(name_start + name.len());
        path.extend_from_slice(&self.path);
        path.push(b'/');
        path.extend_from_slice(name);
        let kind = FileType::new(kind.into());
        self.at += 2 + name.len();
        Some(Ok(DirEntry { path, name_start, kind }))
    }
}

impl Drop for ReadDir {
    fn drop(&mut self) {
        // Nobody is left who could be told of an error.
        let _ = numbers(Opcode::FS_CLOSE, [self.handle, 0, 0]);
    }
}

/// One entry of a directory.
#[derive(Clone, Debug)]
pub struct DirEntry {
    path: Vec<u8>,
    /// Where the name starts in `path`.
    name_start: usize,
    kind: FileType,
}

impl DirEntry {
    /// The directory's path as it was given, and the name.
    pub fn path(&self) -> &[u8] {
        &self.path
    }

    /// The name alone.
    pub fn file_name(&self) -> &[u8] {
        self.path.get(self.name_start..).unwrap_or_default()
    }

    /// What it is; a link is not followed.
    pub fn file_type(&self) -> FileType {
        self.kind
    }

    /// What the host knows about it; a link is not followed.
    pub fn metadata(&self) -> Result<Metadata> {
        symlink_metadata(&self.path)
    }
}
