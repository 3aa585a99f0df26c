//! Files and directories of the host, as far as the loader was told to grant them (`--dir`).
//!
//! Paths are bytes, usually text; what a path leads to is the host's affair. All of this needs a host that offers services beyond C's;
//! under any other every function returns an error of kind `Unsupported`.

mod dir;
mod file;
mod metadata;

pub use dir::{DirEntry, ReadDir, create_dir, create_dir_all, read_dir, remove_dir, remove_dir_all};
pub use file::{File, OpenOptions};
pub use metadata::{FileType, Metadata, metadata, symlink_metadata};

use alloc::string::String;
use alloc::vec::Vec;

use rpc_proto::Opcode;

use crate::io::{Error, ErrorKind, Read, Result, Write};
use crate::rpc;

/// All bytes of a file.
pub fn read(path: impl AsRef<[u8]>) -> Result<Vec<u8>> {
    let mut bytes = Vec::new();
    File::open(path)?.read_to_end(&mut bytes)?;
    Ok(bytes)
}

/// All text of a file; other bytes than UTF-8 are an error.
pub fn read_to_string(path: impl AsRef<[u8]>) -> Result<String> {
    String::from_utf8(read(path)?).map_err(|_| Error::new(ErrorKind::InvalidData, "the file is not UTF-8"))
}

/// Makes `bytes` the contents of a file, which is created if it is not there.
pub fn write(path: impl AsRef<[u8]>, bytes: impl AsRef<[u8]>) -> Result<()> {
    File::create(path)?.write_all(bytes.as_ref())
}

/// Copies a file's contents and permissions; returns the number of bytes.
pub fn copy(from: impl AsRef<[u8]>, to: impl AsRef<[u8]>) -> Result<u64> {
    two_paths(Opcode::FS_COPY, from.as_ref(), to.as_ref())
}

/// Gives a file or directory another path. What had that path before is replaced, if it is a file.
pub fn rename(from: impl AsRef<[u8]>, to: impl AsRef<[u8]>) -> Result<()> {
    two_paths(Opcode::FS_RENAME, from.as_ref(), to.as_ref()).map(drop)
}

/// Removes a file or a link.
pub fn remove_file(path: impl AsRef<[u8]>) -> Result<()> {
    number_and_path(Opcode::FS_REMOVE, 0, path.as_ref()).map(drop)
}

/// Whether the path leads to anything.
pub fn exists(path: impl AsRef<[u8]>) -> Result<bool> {
    match metadata(path) {
        Ok(_) => Ok(true),
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(false),
        Err(error) => Err(error),
    }
}

/// A call whose request is a number and a path, and whose answer is a result.
fn number_and_path(opcode: Opcode, number: u64, path: &[u8]) -> Result<u64> {
    let request = request(number, path)?;
    let client = rpc::client();
    let mut port = client.open(opcode);
    port.send_n(&request);
    Error::check(port.recv(|packet| packet.get(0)))
}

fn request(number: u64, path: &[u8]) -> Result<Vec<u8>> {
    require_services()?;
    let mut request = Vec::new();
    request.write_all(&number.to_le_bytes())?;
    request.write_all(path)?;
    Ok(request)
}

/// A call whose request is two paths, and whose answer is a result.
fn two_paths(opcode: Opcode, from: &[u8], to: &[u8]) -> Result<u64> {
    require_services()?;
    let client = rpc::client();
    let mut port = client.open(opcode);
    port.send_n(from);
    port.send_n(to);
    Error::check(port.recv(|packet| packet.get(0)))
}

/// A call whose request is up to three numbers, and whose answer is a result.
fn numbers(opcode: Opcode, numbers: [u64; 3]) -> Result<u64> {
    require_services()?;
    let client = rpc::client();
    let mut port = client.open(opcode);
    port.send(|packet| {
        packet.set(0, numbers[0]);
        packet.set(1, numbers[1]);
        packet.set(2, numbers[2]);
    });
    Error::check(port.recv(|packet| packet.get(0)))
}

fn require_services() -> Result<()> {
    if rpc::has_services() {
        Ok(())
    } else {
        Err(Error::NO_SERVICES)
    }
}
