//! Streams. A `FILE *` is the host's number for the stream: 1 to 3 are the standard streams, multiples of 4 open files. The host keeps
//! position, buffers, the end and the error of each; nothing is held back on the device.

use core::ffi::{CStr, c_char, c_int, c_long, c_void};
use core::{ptr, slice};

use device_rt::fs::{self, OpenOptions};
use device_rt::{express, io, rpc};
use rpc_proto::Opcode;

use crate::errno;

/// C's `FILE`. Nobody looks inside.
#[repr(C)]
pub struct FILE {
    _opaque: [u8; 0],
}

/// The bits of a stream's number that tell the standard streams from files, and what they are for those two.
const TAG: u64 = 3;
const STDOUT: u64 = 2;
const STDERR: u64 = 3;

/// C's `EOF`.
pub const EOF: c_int = -1;

/// The host's number for a stream; 0, which is no stream, for a null pointer.
pub(crate) fn number(stream: *mut FILE) -> u64 {
    stream.addr() as u64
}

/// A call that sends words and receives one.
fn ask<const N: usize>(opcode: Opcode, words: [u64; N]) -> u64 {
    let client = rpc::client();
    let mut port = client.open(opcode);
    port.send_and_recv(
        |packet| {
            for (at, word) in words.into_iter().enumerate() {
                packet.set(at as u32, word);
            }
        },
        |packet| packet.get(0),
    )
}

/// The same about a stream, with 0 for success.
fn ask_status<const N: usize>(opcode: Opcode, words: [u64; N]) -> c_int {
    let status = ask(opcode, words) as c_int;
    if status != 0 {
        errno::set(errno::EIO);
    }
    status
}

/// What a `mode` of `fopen` means, if it is one.
fn options(mode: &[u8]) -> Option<OpenOptions> {
    let (first, rest) = mode.split_first()?;
    let has = |letter| rest.contains(&letter);
    if !rest.iter().all(|letter| b"+bxe".contains(letter)) {
        return None;
    }
    let options = OpenOptions::new();
    Some(match first {
        b'r' => options.read(true).write(has(b'+')),
        b'w' => options
            .write(true)
            .create(true)
            .truncate(true)
            .create_new(has(b'x'))
            .read(has(b'+')),
        b'a' => options.append(true).create(true).create_new(has(b'x')).read(has(b'+')),
        _ => return None,
    })
}

/// C's `fopen`.
///
/// # Safety
/// Both are C strings.
#[cfg_attr(gpu, unsafe(no_mangle))]
pub unsafe extern "C" fn fopen(path: *const c_char, mode: *const c_char) -> *mut FILE {
    // SAFETY: the caller's promise.
    let (path, mode) = unsafe { (CStr::from_ptr(path), CStr::from_ptr(mode)) };
    // Only class `r` says why a file cannot be opened.
    let number = if rpc::has_services() {
        let opened = options(mode.to_bytes())
            .ok_or(io::Error::from_raw_os_error(EINVAL))
            .and_then(|options| options.open(path.to_bytes()));
        match opened {
            Ok(file) => file.into_raw(),
            Err(error) => {
                errno::failed(error);
                0
            }
        }
    } else {
        open_by_mode(path, mode)
    };
    ptr::without_provenance_mut(number as usize)
}

/// `OPEN_FILE`, which any host knows.
fn open_by_mode(path: &CStr, mode: &CStr) -> u64 {
    let client = rpc::client();
    let mut port = client.open(Opcode::OPEN_FILE);
    port.send_n(path.to_bytes_with_nul());
    port.send(|packet| packet.write_bytes(0, mode.to_bytes_with_nul()));
    port.recv(|packet| packet.get(0))
}

/// C's `fclose`.
#[cfg_attr(gpu, unsafe(no_mangle))]
pub extern "C" fn fclose(stream: *mut FILE) -> c_int {
    ask_status(Opcode::CLOSE_FILE, [number(stream)])
}

/// Writes a text, without its NUL, to standard error.
///
/// # Safety
/// `text` is a C string.
#[cfg_attr(gpu, unsafe(no_mangle))]
pub unsafe extern "C" fn write_to_stderr(text: *const c_char) {
    // SAFETY: the caller's promise.
    io::Stream::Stderr.write_bytes(unsafe { CStr::from_ptr(text) }.to_bytes());
}

/// C's `fwrite`.
///
/// # Safety
/// `from` has `size * count` bytes.
#[cfg_attr(gpu, unsafe(no_mangle))]
pub unsafe extern "C" fn fwrite(from: *const c_void, size: usize, count: usize, stream: *mut FILE) -> usize {
    let Some(bytes) = size.checked_mul(count).filter(|&bytes| bytes > 0) else {
        return 0;
    };
    // SAFETY: the caller's promise.
    let bytes = unsafe { slice::from_raw_parts(from.cast::<u8>(), bytes) };
    write(stream, bytes) / size
}

/// Writes, and says how many bytes the host took.
fn write(stream: *mut FILE, bytes: &[u8]) -> usize {
    // Rust's way to the standard streams: quick for short texts, and in order with what Rust code of the same program prints.
    let written = match number(stream) & TAG {
        STDOUT => io::Stream::Stdout.write_bytes(bytes),
        STDERR => io::Stream::Stderr.write_bytes(bytes),
        _ => io::in_pieces(bytes.chunks(io::MOST), |piece| write_to_file(stream, piece)),
    };
    if written < bytes.len() {
        errno::set(errno::EIO);
    }
    written.min(bytes.len())
}

fn write_to_file(stream: *mut FILE, bytes: &[u8]) -> usize {
    let client = rpc::client();
    let mut port = client.open(Opcode::WRITE_TO_STREAM);
    port.send(|packet| packet.set(0, number(stream)));
    port.send_n(bytes);
    port.recv(|packet| packet.get(0)) as usize
}

/// C's `fputs`.
///
/// # Safety
/// `text` is a C string.
#[cfg_attr(gpu, unsafe(no_mangle))]
pub unsafe extern "C" fn fputs(text: *const c_char, stream: *mut FILE) -> c_int {
    // SAFETY: the caller's promise.
    let bytes = unsafe { CStr::from_ptr(text) }.to_bytes();
    if write(stream, bytes) == bytes.len() { 0 } else { EOF }
}

/// C's `puts`: text and newline in one piece.
///
/// # Safety
/// `text` is a C string.
#[cfg_attr(gpu, unsafe(no_mangle))]
pub unsafe extern "C" fn puts(text: *const c_char) -> c_int {
    // SAFETY: the caller's promise.
    let bytes = unsafe { CStr::from_ptr(text) }.to_bytes();
    if io::write_line(bytes) == bytes.len() + 1 {
        0
    } else {
        errno::set(errno::EIO);
        EOF
    }
}

/// C's `fputc`, and `putc`.
#[cfg_attr(gpu, unsafe(no_mangle))]
pub extern "C" fn fputc(byte: c_int, stream: *mut FILE) -> c_int {
    let byte = byte as u8;
    if write(stream, &[byte]) == 1 { byte.into() } else { EOF }
}

/// C's `fread`.
///
/// # Safety
/// `to` has room for `size * count` bytes.
#[cfg_attr(gpu, unsafe(no_mangle))]
pub unsafe extern "C" fn fread(to: *mut c_void, size: usize, count: usize, stream: *mut FILE) -> usize {
    let Some(bytes) = size.checked_mul(count).filter(|&bytes| bytes > 0) else {
        return 0;
    };
    // SAFETY: the caller's promise.
    let bytes = unsafe { slice::from_raw_parts_mut(to.cast::<u8>(), bytes) };
    io::in_pieces(bytes.chunks_mut(io::MOST), |piece| read(stream, piece)) / size
}

/// Reads until `bytes` is full, or to the end; says how many there were.
fn read(stream: *mut FILE, bytes: &mut [u8]) -> usize {
    // What was printed may be the question to which the answer is read; the same below.
    express::flush();
    let client = rpc::client();
    let mut port = client.open(Opcode::READ_FROM_STREAM);
    port.send(|packet| {
        packet.set(0, bytes.len() as u64);
        packet.set(1, number(stream));
    });
    port.recv_n(bytes);
    (port.recv(|packet| packet.get(0)) as usize).min(bytes.len())
}

/// C's `fgetc`, and `getc`.
#[cfg_attr(gpu, unsafe(no_mangle))]
pub extern "C" fn fgetc(stream: *mut FILE) -> c_int {
    let mut byte = [0];
    if read(stream, &mut byte) == 1 {
        byte[0].into()
    } else {
        EOF
    }
}

/// C's `fgets`.
///
/// # Safety
/// `line` has room for `size` bytes.
#[cfg_attr(gpu, unsafe(no_mangle))]
pub unsafe extern "C" fn fgets(line: *mut c_char, size: c_int, stream: *mut FILE) -> *mut c_char {
    let Some(room) = usize::try_from(size).ok().filter(|&room| room > 0) else {
        return ptr::null_mut();
    };
    // A longer line comes in parts, as it does to a smaller buffer.
    let room = room.min(io::MOST);
    // SAFETY: the caller's promise.
    let bytes = unsafe { slice::from_raw_parts_mut(line.cast::<u8>(), room) };
    express::flush();
    let client = rpc::client();
    let mut port = client.open(Opcode::READ_FGETS);
    port.send(|packet| {
        packet.set(0, room as u64);
        packet.set(1, number(stream));
    });
    // The line comes with its NUL, the end of the file with nothing.
    match port.recv_n(bytes) {
        0 => ptr::null_mut(),
        _ => line,
    }
}

/// C's `ungetc`.
#[cfg_attr(gpu, unsafe(no_mangle))]
pub extern "C" fn ungetc(byte: c_int, stream: *mut FILE) -> c_int {
    if byte == EOF {
        return EOF;
    }
    ask(Opcode::UNGETC, [u64::from(byte as u8), number(stream)]) as c_int
}

/// C's `fseek`.
#[cfg_attr(gpu, unsafe(no_mangle))]
pub extern "C" fn fseek(stream: *mut FILE, offset: c_long, whence: c_int) -> c_int {
    ask_status(Opcode::FSEEK, [number(stream), offset as u64, whence as u64])
}

/// C's `rewind`.
#[cfg_attr(gpu, unsafe(no_mangle))]
pub extern "C" fn rewind(stream: *mut FILE) {
    fseek(stream, 0, 0);
    clearerr(stream);
}

/// C's `ftell`.
#[cfg_attr(gpu, unsafe(no_mangle))]
pub extern "C" fn ftell(stream: *mut FILE) -> c_long {
    let position = ask(Opcode::FTELL, [number(stream)]) as c_long;
    if position < 0 {
        errno::set(errno::EIO);
    }
    position
}

/// C's `fflush`; a null pointer stands for all streams.
#[cfg_attr(gpu, unsafe(no_mangle))]
pub extern "C" fn fflush(stream: *mut FILE) -> c_int {
    express::flush();
    ask_status(Opcode::FFLUSH, [number(stream)])
}

/// C's `feof`.
#[cfg_attr(gpu, unsafe(no_mangle))]
pub extern "C" fn feof(stream: *mut FILE) -> c_int {
    ask(Opcode::FEOF, [number(stream)]) as c_int
}

/// C's `ferror`.
#[cfg_attr(gpu, unsafe(no_mangle))]
pub extern "C" fn ferror(stream: *mut FILE) -> c_int {
    ask(Opcode::FERROR, [number(stream)]) as c_int
}

/// C's `clearerr`.
#[cfg_attr(gpu, unsafe(no_mangle))]
pub extern "C" fn clearerr(stream: *mut FILE) {
    ask(Opcode::CLEARERR, [number(stream)]);
}

/// C's `remove`: a file, a link or an empty directory.
///
/// # Safety
/// `path` is a C string.
#[cfg_attr(gpu, unsafe(no_mangle))]
pub unsafe extern "C" fn remove(path: *const c_char) -> c_int {
    // SAFETY: the caller's promise.
    let path = unsafe { CStr::from_ptr(path) };
    if !rpc::has_services() {
        let client = rpc::client();
        let mut port = client.open(Opcode::REMOVE);
        port.send_n(path.to_bytes_with_nul());
        return port.recv(|packet| packet.get(0)) as c_int;
    }
    let removed = match fs::remove_file(path.to_bytes()) {
        Err(error) if error.raw_os_error() == Some(EISDIR) => fs::remove_dir(path.to_bytes()),
        removed => removed,
    };
    errno::status(removed)
}

/// C's `rename`.
///
/// # Safety
/// Both are C strings.
#[cfg_attr(gpu, unsafe(no_mangle))]
pub unsafe extern "C" fn rename(from: *const c_char, to: *const c_char) -> c_int {
    // SAFETY: the caller's promise.
    let (from, to) = unsafe { (CStr::from_ptr(from), CStr::from_ptr(to)) };
    if !rpc::has_services() {
        let client = rpc::client();
        let mut port = client.open(Opcode::RENAME);
        port.send_n(from.to_bytes_with_nul());
        port.send_n(to.to_bytes_with_nul());
        return port.recv(|packet| packet.get(0)) as c_int;
    }
    errno::status(fs::rename(from.to_bytes(), to.to_bytes()))
}

const EINVAL: c_int = 22;
const EISDIR: c_int = 21;
