//! Reading, writing, seeking: the traits, as `std` has them.

use alloc::string::String;
use alloc::vec::Vec;
use core::fmt;

use super::{Error, ErrorKind, Result};
use crate::print;

/// Bytes that one call of a default method asks for.
const CHUNK: usize = 4096;

/// What bytes can be read from.
pub trait Read {
    /// Reads some bytes into `buffer` and returns how many; 0 at the end, or for an empty buffer.
    fn read(&mut self, buffer: &mut [u8]) -> Result<usize>;

    /// Fills `buffer`.
    fn read_exact(&mut self, mut buffer: &mut [u8]) -> Result<()> {
        while !buffer.is_empty() {
            let count = self.read(buffer)?;
            if count == 0 {
                return Err(Error::new(ErrorKind::UnexpectedEof, "the file ended too early"));
            }
            buffer = buffer.get_mut(count..).unwrap_or_default();
        }
        Ok(())
    }

    /// Appends all bytes up to the end to `bytes` and returns their number.
    fn read_to_end(&mut self, bytes: &mut Vec<u8>) -> Result<usize> {
        let before = bytes.len();
        loop {
            let start = bytes.len();
            // Large files take few calls, small ones little memory.
            let room = (start - before).clamp(CHUNK, 1 << 20);
            bytes.try_reserve(room).map_err(|_| OUT_OF_MEMORY)?;
            bytes.resize(start + room, 0);
            let outcome = self.read(&mut bytes[start..]);
            bytes.truncate(start + outcome.unwrap_or(0).min(room));
            if outcome? == 0 {
                return Ok(bytes.len() - before);
            }
        }
    }

    /// Appends all text up to the end to `text` and returns the number of its bytes. Other bytes than UTF-8 are an error.
    fn read_to_string(&mut self, text: &mut String) -> Result<usize> {
        let mut bytes = Vec::new();
        self.read_to_end(&mut bytes)?;
        text.push_str(utf8(&bytes)?);
        Ok(bytes.len())
    }

    /// A reader that borrows this one.
    fn by_ref(&mut self) -> &mut Self
    where
        Self: Sized,
    {
        self
    }
}

pub(crate) const OUT_OF_MEMORY: Error = Error::new(ErrorKind::OutOfMemory, "out of device memory");

pub(super) fn utf8(bytes: &[u8]) -> Result<&str> {
    core::str::from_utf8(bytes).map_err(|_| Error::new(ErrorKind::InvalidData, "the text is not UTF-8"))
}

/// What bytes can be written to.
pub trait Write {
    /// Writes some of `bytes`, as many as possible, and returns how many.
    fn write(&mut self, bytes: &[u8]) -> Result<usize>;

    /// Hands on what has been held back.
    fn flush(&mut self) -> Result<()>;

    /// Writes all of `bytes`.
    fn write_all(&mut self, mut bytes: &[u8]) -> Result<()> {
        while !bytes.is_empty() {
            let count = self.write(bytes)?;
            if count == 0 {
                return Err(Error::new(ErrorKind::WriteZero, "nothing could be written"));
            }
            bytes = bytes.get(count..).unwrap_or_default();
        }
        Ok(())
    }

    /// Writes formatted text, all at once: what `write!` calls.
    fn write_fmt(&mut self, arguments: fmt::Arguments<'_>) -> Result<()> {
        let mut outcome = Ok(());
        print::format(arguments, |bytes| {
            if outcome.is_ok() {
                outcome = self.write_all(bytes);
            }
        });
        outcome
    }

    /// A writer that borrows this one.
    fn by_ref(&mut self) -> &mut Self
    where
        Self: Sized,
    {
        self
    }
}

/// What has a position that can be moved.
pub trait Seek {
    /// Moves the position and returns it, counted from the start.
    fn seek(&mut self, to: SeekFrom) -> Result<u64>;

    /// Moves the position to the start.
    fn rewind(&mut self) -> Result<()> {
        self.seek(SeekFrom::Start(0)).map(drop)
    }

    /// The position, counted from the start.
    fn stream_position(&mut self) -> Result<u64> {
        self.seek(SeekFrom::Current(0))
    }
}

/// Where a position is counted from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SeekFrom {
    /// The start.
    Start(u64),
    /// The end; what is beyond it has positive numbers.
    End(i64),
    /// Where the position is.
    Current(i64),
}

/// A reader with a buffer, which can therefore look for the end of a line.
pub trait BufRead: Read {
    /// What is in the buffer, after filling it if it was empty; empty only at the end.
    fn fill_buf(&mut self) -> Result<&[u8]>;

    /// Takes `count` bytes out of the buffer.
    fn consume(&mut self, count: usize);

    /// Appends the bytes up to `delimiter`, and it too, or up to the end, to `bytes`; returns their number.
    fn read_until(&mut self, delimiter: u8, bytes: &mut Vec<u8>) -> Result<usize> {
        let before = bytes.len();
        loop {
            let buffer = self.fill_buf()?;
            let found = buffer.iter().position(|&byte| byte == delimiter);
            let count = found.map_or(buffer.len(), |at| at + 1);
            bytes.try_reserve(count).map_err(|_| OUT_OF_MEMORY)?;
            bytes.extend_from_slice(&buffer[..count]);
            self.consume(count);
            if found.is_some() || count == 0 {
                return Ok(bytes.len() - before);
            }
        }
    }

    /// Appends a line with its newline to `line` and returns the number of its bytes; 0 at the end.
    fn read_line(&mut self, line: &mut String) -> Result<usize> {
        let mut bytes = Vec::new();
        self.read_until(b'\n', &mut bytes)?;
        line.push_str(utf8(&bytes)?);
        Ok(bytes.len())
    }

    /// The lines, without their newlines.
    fn lines(self) -> Lines<Self>
    where
        Self: Sized,
    {
        Lines(self)
    }
}

/// The iterator behind [`BufRead::lines`].
#[derive(Debug)]
pub struct Lines<R>(R);

impl<R: BufRead> Iterator for Lines<R> {
    type Item = Result<String>;

    fn next(&mut self) -> Option<Result<String>> {
        let mut line = String::new();
        match self.0.read_line(&mut line) {
            Ok(0) => None,
            Ok(_) => {
                if line.ends_with('\n') {
                    line.pop();
                    if line.ends_with('\r') {
                        line.pop();
                    }
                }
                Some(Ok(line))
            }
            Err(error) => Some(Err(error)),
        }
    }
}

impl<R: Read + ?Sized> Read for &mut R {
    fn read(&mut self, buffer: &mut [u8]) -> Result<usize> {
        (**self).read(buffer)
    }
}

impl<W: Write + ?Sized> Write for &mut W {
    fn write(&mut self, bytes: &[u8]) -> Result<usize> {
        (**self).write(bytes)
    }

    fn flush(&mut self) -> Result<()> {
        (**self).flush()
    }
}

impl<S: Seek + ?Sized> Seek for &mut S {
    fn seek(&mut self, to: SeekFrom) -> Result<u64> {
        (**self).seek(to)
    }
}

impl<R: BufRead + ?Sized> BufRead for &mut R {
    fn fill_buf(&mut self) -> Result<&[u8]> {
        (**self).fill_buf()
    }

    fn consume(&mut self, count: usize) {
        (**self).consume(count);
    }
}

impl Read for &[u8] {
    fn read(&mut self, buffer: &mut [u8]) -> Result<usize> {
        let count = self.len().min(buffer.len());
        let (now, later) = self.split_at(count);
        buffer[..count].copy_from_slice(now);
        *self = later;
        Ok(count)
    }
}

impl BufRead for &[u8] {
    fn fill_buf(&mut self) -> Result<&[u8]> {
        Ok(self)
    }

    fn consume(&mut self, count: usize) {
        *self = self.get(count..).unwrap_or_default();
    }
}

impl Write for Vec<u8> {
    fn write(&mut self, bytes: &[u8]) -> Result<usize> {
        self.try_reserve(bytes.len()).map_err(|_| OUT_OF_MEMORY)?;
        self.extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> Result<()> {
        Ok(())
    }
}
