//! What the host knows about a file besides its contents.

use rpc_proto::{Memory, Opcode, Packet};

use super::{request, require_services};
use crate::io::{Error, ErrorKind, Result};
use crate::rpc;
use crate::time::SystemTime;

/// What the host knows about the file, directory or whatever the path leads to, links followed.
pub fn metadata(path: impl AsRef<[u8]>) -> Result<Metadata> {
    of_path(true, path.as_ref())
}

/// The same without following a link at the end of the path.
pub fn symlink_metadata(path: impl AsRef<[u8]>) -> Result<Metadata> {
    of_path(false, path.as_ref())
}

/// What a file is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct FileType(u64);

impl FileType {
    /// A kind as the host numbers them: 1 file, 2 directory, 3 link, anything else something else.
    pub(super) const fn new(kind: u64) -> Self {
        Self(kind)
    }

    /// A regular file.
    pub const fn is_file(self) -> bool {
        self.0 == 1
    }

    /// A directory.
    pub const fn is_dir(self) -> bool {
        self.0 == 2
    }

    /// A symbolic link.
    pub const fn is_symlink(self) -> bool {
        self.0 == 3
    }
}

/// What the host knows about a file.
#[derive(Clone, Copy, Debug)]
pub struct Metadata {
    kind: FileType,
    len: u64,
    mode: u32,
    modified: i64,
    accessed: i64,
    created: i64,
    links: u64,
}

#[expect(clippy::len_without_is_empty, reason = "as std has it")]
impl Metadata {
    /// What it is.
    pub const fn file_type(&self) -> FileType {
        self.kind
    }

    /// A regular file.
    pub const fn is_file(&self) -> bool {
        self.kind.is_file()
    }

    /// A directory.
    pub const fn is_dir(&self) -> bool {
        self.kind.is_dir()
    }

    /// Its size in bytes.
    pub const fn len(&self) -> u64 {
        self.len
    }

    /// Permissions and type, as the host's system has them.
    pub const fn mode(&self) -> u32 {
        self.mode
    }

    /// Number of names that the file has.
    pub const fn links(&self) -> u64 {
        self.links
    }

    /// When the contents were last changed.
    pub fn modified(&self) -> Result<SystemTime> {
        time(self.modified)
    }

    /// When the contents were last read.
    pub fn accessed(&self) -> Result<SystemTime> {
        time(self.accessed)
    }

    /// When the file was made.
    pub fn created(&self) -> Result<SystemTime> {
        time(self.created)
    }
}

fn time(nanoseconds: i64) -> Result<SystemTime> {
    if nanoseconds == i64::MIN {
        return Err(Error::new(
            ErrorKind::Unsupported,
            "this file system does not know the time",
        ));
    }
    Ok(SystemTime::from_nanoseconds(nanoseconds.into()))
}

fn of_path(follow: bool, path: &[u8]) -> Result<Metadata> {
    let request = request(follow.into(), path)?;
    let client = rpc::client();
    let mut port = client.open(Opcode::FS_METADATA);
    port.send_n(&request);
    port.recv(answer)
}

/// The same for an open file.
pub(super) fn of_file(handle: u64) -> Result<Metadata> {
    require_services()?;
    let client = rpc::client();
    let mut port = client.open(Opcode::FS_FILE_METADATA);
    port.send(|packet| packet.set(0, handle));
    port.recv(answer)
}

fn answer<M: Memory>(packet: Packet<'_, M>) -> Result<Metadata> {
    let words = packet.load().data;
    Error::check(words[0])?;
    Ok(Metadata {
        kind: FileType::new(words[1]),
        len: words[2],
        mode: words[3] as u32,
        modified: words[4].cast_signed(),
        accessed: words[5].cast_signed(),
        created: words[6].cast_signed(),
        links: words[7],
    })
}
