//! Readers and writers that keep a buffer, so that small operations need no call to the host each.

use alloc::vec::Vec;
use core::fmt;

use super::traits::OUT_OF_MEMORY;
use super::{BufRead, Read, Result, Seek, SeekFrom, Write};

/// Bytes of a buffer unless said otherwise.
const CAPACITY: usize = 8192;

/// A reader with a buffer.
pub struct BufReader<R> {
    inner: R,
    buffer: Vec<u8>,
    /// Bytes of `buffer` that have been taken.
    taken: usize,
    capacity: usize,
}

impl<R: Read> BufReader<R> {
    /// A reader of `inner` with a buffer of 8 KiB.
    pub fn new(inner: R) -> Self {
        Self::with_capacity(CAPACITY, inner)
    }

    /// A reader of `inner` with a buffer of `capacity` bytes.
    pub fn with_capacity(capacity: usize, inner: R) -> Self {
        Self {
            inner,
            buffer: Vec::new(),
            taken: 0,
            capacity,
        }
    }
}

impl<R> BufReader<R> {
    /// What is in the buffer.
    pub fn buffer(&self) -> &[u8] {
        self.buffer.get(self.taken..).unwrap_or_default()
    }

    /// The reader behind. What is in the buffer has been read from it.
    pub fn get_ref(&self) -> &R {
        &self.inner
    }

    /// The reader behind. What is in the buffer is lost.
    pub fn into_inner(self) -> R {
        self.inner
    }
}

impl<R: Read> Read for BufReader<R> {
    fn read(&mut self, bytes: &mut [u8]) -> Result<usize> {
        if self.buffer().is_empty() && bytes.len() >= self.capacity {
            return self.inner.read(bytes);
        }
        let count = self.fill_buf()?.read(bytes)?;
        self.consume(count);
        Ok(count)
    }
}

impl<R: Read> BufRead for BufReader<R> {
    fn fill_buf(&mut self) -> Result<&[u8]> {
        if self.buffer().is_empty() {
            self.taken = 0;
            self.buffer.clear();
            self.buffer.try_reserve(self.capacity).map_err(|_| OUT_OF_MEMORY)?;
            self.buffer.resize(self.capacity, 0);
            let outcome = self.inner.read(&mut self.buffer);
            self.buffer.truncate(outcome.unwrap_or(0));
            outcome?;
        }
        Ok(self.buffer())
    }

    fn consume(&mut self, count: usize) {
        self.taken = self.buffer.len().min(self.taken + count);
    }
}

impl<R: Seek> Seek for BufReader<R> {
    fn seek(&mut self, to: SeekFrom) -> Result<u64> {
        let to = match to {
            // The reader behind is ahead by what is in the buffer.
            SeekFrom::Current(by) => SeekFrom::Current(by.saturating_sub(self.buffer().len() as i64)),
            other => other,
        };
        self.buffer.clear();
        self.taken = 0;
        self.inner.seek(to)
    }
}

impl<R: fmt::Debug> fmt::Debug for BufReader<R> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("BufReader")
            .field("inner", &self.inner)
            .finish_non_exhaustive()
    }
}

/// A writer with a buffer. What is in it is written when it is full, on [`flush`](Write::flush) and on drop; a drop cannot tell of
/// errors.
pub struct BufWriter<W: Write> {
    inner: W,
    buffer: Vec<u8>,
    capacity: usize,
}

impl<W: Write> BufWriter<W> {
    /// A writer to `inner` with a buffer of 8 KiB.
    pub fn new(inner: W) -> Self {
        Self::with_capacity(CAPACITY, inner)
    }

    /// A writer to `inner` with a buffer of `capacity` bytes.
    pub fn with_capacity(capacity: usize, inner: W) -> Self {
        Self {
            inner,
            buffer: Vec::new(),
            capacity,
        }
    }

    /// What is in the buffer.
    pub fn buffer(&self) -> &[u8] {
        &self.buffer
    }

    /// The writer behind. What is in the buffer has not reached it.
    pub fn get_ref(&self) -> &W {
        &self.inner
    }

    fn write_buffer(&mut self) -> Result<()> {
        while !self.buffer.is_empty() {
            // What was written goes even if the rest cannot be.
            match self.inner.write(&self.buffer)? {
                0 => return self.inner.write_all(&self.buffer),
                count => drop(self.buffer.drain(..count.min(self.buffer.len()))),
            }
        }
        Ok(())
    }
}

impl<W: Write> Write for BufWriter<W> {
    fn write(&mut self, bytes: &[u8]) -> Result<usize> {
        if self.buffer.len() + bytes.len() > self.capacity {
            self.write_buffer()?;
        }
        if bytes.len() >= self.capacity {
            return self.inner.write(bytes);
        }
        self.buffer.try_reserve(self.capacity).map_err(|_| OUT_OF_MEMORY)?;
        self.buffer.extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> Result<()> {
        self.write_buffer()?;
        self.inner.flush()
    }
}

impl<W: Write + Seek> Seek for BufWriter<W> {
    fn seek(&mut self, to: SeekFrom) -> Result<u64> {
        self.write_buffer()?;
        self.inner.seek(to)
    }
}

impl<W: Write> Drop for BufWriter<W> {
    fn drop(&mut self) {
        let _ = self.write_buffer();
    }
}

impl<W: Write + fmt::Debug> fmt::Debug for BufWriter<W> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("BufWriter")
            .field("inner", &self.inner)
            .finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    extern crate std;

    use std::string::String;
    use std::vec::Vec;

    use super::*;

    /// Reads and writes at most three bytes at a time.
    struct Slow<T>(T);

    impl Read for Slow<&[u8]> {
        fn read(&mut self, buffer: &mut [u8]) -> Result<usize> {
            let len = buffer.len().min(3);
            self.0.read(&mut buffer[..len])
        }
    }

    impl Write for Slow<Vec<u8>> {
        fn write(&mut self, bytes: &[u8]) -> Result<usize> {
            self.0.write(&bytes[..bytes.len().min(3)])
        }

        fn flush(&mut self) -> Result<()> {
            Ok(())
        }
    }

    #[test]
    fn lines_cross_buffers() {
        let reader = BufReader::with_capacity(5, Slow("one\ntwo two\r\n\nfour".as_bytes()));
        let lines: Vec<String> = reader.lines().map(Result::unwrap).collect();
        assert_eq!(lines, ["one", "two two", "", "four"]);
    }

    #[test]
    fn a_reader_reads_to_the_end() {
        let mut text = String::new();
        let mut reader = BufReader::with_capacity(4, Slow("some text".as_bytes()));
        assert_eq!(reader.read_to_string(&mut text), Ok(9));
        assert_eq!(text, "some text");
        assert_eq!(
            reader.read_exact(&mut [0]).map_err(|e| e.kind()),
            Err(super::super::ErrorKind::UnexpectedEof)
        );
    }

    #[test]
    fn a_writer_writes_all_in_order() {
        let mut writer = BufWriter::with_capacity(4, Slow(Vec::new()));
        for text in ["a", "bcd", "efghijk", "", "l"] {
            writer.write_all(text.as_bytes()).unwrap();
        }
        write!(writer, "{}z", 12).unwrap();
        writer.flush().unwrap();
        assert_eq!(writer.get_ref().0, b"abcdefghijkl12z");
    }
}
