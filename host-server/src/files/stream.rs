//! A C `FILE`: a buffer in front of a file, with the indicators and positions that C defines.

use std::fs::File;
use std::io::{self, ErrorKind, Read, Seek, SeekFrom, Write};

use super::Mode;

/// Bytes read ahead and bytes held back.
const BUFFER: usize = 16 << 10;

/// How many bytes may be pushed back at a time. C promises one.
pub const MAX_PUSHED_BACK: usize = 64;

/// What lies under a stream.
pub trait Medium: Send {
    /// As [`Read::read`].
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize>;
    /// As [`Write::write`].
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize>;
    /// As [`Seek::seek`].
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64>;
}

impl Medium for File {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        Read::read(self, buffer)
    }

    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        Write::write(self, bytes)
    }

    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        Seek::seek(self, to)
    }
}

/// From where an offset counts; the numbers are those of LLVM's C library.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Whence {
    /// The start of the file.
    Set = 0,
    /// The current position.
    Current = 1,
    /// The end of the file.
    End = 2,
}

impl Whence {
    /// Reads the number that a device sent.
    pub fn from_number(number: u64) -> Option<Self> {
        [Self::Set, Self::Current, Self::End]
            .into_iter()
            .find(|&whence| whence as u64 == number)
    }
}

/// A buffered file with C's semantics.
///
/// Where C leaves it to the program to flush or seek between reading and writing, this does it itself. Reading stops at a
/// standing end-of-file indicator, which [`clear`](Self::clear), [`seek`](Self::seek) and [`unread`](Self::unread) take away.
/// What is held back is written when the stream goes.
pub struct Stream<M: Medium> {
    medium: M,
    mode: Mode,
    /// Reading: bytes of the file from `taken` on that nobody has asked for. Writing: bytes not yet in the file.
    buffer: Vec<u8>,
    taken: usize,
    writing: bool,
    /// Bytes pushed back, the last one first to come.
    pushed: Vec<u8>,
    end: bool,
    error: bool,
}

impl<M: Medium> Stream<M> {
    /// A stream over a file that was opened as `mode` says.
    pub fn new(mut medium: M, mode: Mode) -> Self {
        if mode.append && !mode.read {
            // What cannot seek has no position to set.
            let _ = medium.seek(SeekFrom::End(0));
        }
        Self {
            medium,
            mode,
            buffer: Vec::new(),
            taken: 0,
            writing: false,
            pushed: Vec::new(),
            end: false,
            error: false,
        }
    }

    /// The end-of-file indicator.
    pub fn at_end(&self) -> bool {
        self.end
    }

    /// The error indicator.
    pub fn failed(&self) -> bool {
        self.error
    }

    /// Clears both indicators.
    pub fn clear(&mut self) {
        (self.end, self.error) = (false, false);
    }

    /// Appends up to `size` bytes to `out`: fewer at the end of the file, or where an error came in between.
    ///
    /// The error comes with what was read before it still in `out`.
    pub fn read(&mut self, size: usize, out: &mut Vec<u8>) -> io::Result<usize> {
        self.read_while(size, out, |_| None)
    }

    /// Appends up to `size` bytes to `out`: what is there after waiting for the first of them, none at the end of the file.
    pub fn read_some(&mut self, size: usize, out: &mut Vec<u8>) -> io::Result<usize> {
        self.check(self.mode.read)?;
        self.start_reading()?;
        if size > 0 && self.ahead() == 0 {
            self.fill()?;
        }
        self.read(size.min(self.ahead() as usize), out)
    }

    /// Appends up to `size` bytes to `out`, and reads nothing beyond them: the next call finds what others have written by then.
    pub fn read_through(&mut self, size: usize, out: &mut Vec<u8>) -> io::Result<usize> {
        let start = out.len();
        let mut came = 0;
        while came < size {
            // The room grows with what comes: a size is only asked for.
            let room = (size - came).min(came.max(BUFFER));
            out.resize(start + came + room, 0);
            let (count, outcome) = self.read_into(&mut out[start + came..]);
            came += count;
            out.truncate(start + came);
            outcome?;
            if count < room {
                break;
            }
        }
        Ok(came)
    }

    /// Fills `out` and reads nothing beyond it. Returns how many bytes came: fewer at the end of the file, or where an error
    /// came in between.
    pub fn read_into(&mut self, out: &mut [u8]) -> (usize, io::Result<()>) {
        let mut came = 0;
        while came < out.len() {
            match self.read_some_into(&mut out[came..]) {
                Ok(0) => break,
                Ok(count) => came += count,
                Err(error) => return (came, Err(error)),
            }
        }
        (came, Ok(()))
    }

    /// The same with what is there after waiting for the first byte. Returns how many came, 0 at the end of the file.
    pub fn read_some_into(&mut self, out: &mut [u8]) -> io::Result<usize> {
        if out.is_empty() {
            return Ok(0);
        }
        self.check(self.mode.read)?;
        self.start_reading()?;
        if self.ahead() == 0 {
            return if self.end { Ok(0) } else { self.fill_directly(out) };
        }
        let mut came = 0;
        while came < out.len()
            && let Some(byte) = self.pushed.pop()
        {
            out[came] = byte;
            came += 1;
        }
        let ahead = &self.buffer[self.taken..];
        let count = ahead.len().min(out.len() - came);
        out[came..came + count].copy_from_slice(&ahead[..count]);
        self.taken += count;
        Ok(came + count)
    }

    /// Appends a line with its newline to `out`, or the first `size` bytes of it; nothing at the end of the file.
    pub fn read_line(&mut self, size: usize, out: &mut Vec<u8>) -> io::Result<usize> {
        self.read_while(size, out, |bytes| {
            bytes.iter().position(|&byte| byte == b'\n').map(|newline| newline + 1)
        })
    }

    /// Reads until `size` bytes came, or until `last` says how many bytes of those at hand are the last ones.
    fn read_while(
        &mut self,
        size: usize,
        out: &mut Vec<u8>,
        last: impl Fn(&[u8]) -> Option<usize>,
    ) -> io::Result<usize> {
        if size == 0 {
            // C: "the contents of the array and the state of the stream remain unchanged".
            return Ok(0);
        }
        self.check(self.mode.read)?;
        let start = out.len();
        self.start_reading()?;
        while out.len() - start < size {
            let wanted = size - (out.len() - start);
            if let Some(byte) = self.pushed.pop() {
                out.push(byte);
                if last(&[byte]).is_some() {
                    break;
                }
                continue;
            }
            if self.taken == self.buffer.len() && !self.fill()? {
                break;
            }
            let ahead = &self.buffer[self.taken..];
            let ahead = &ahead[..ahead.len().min(wanted)];
            let end = last(ahead);
            let count = end.unwrap_or(ahead.len());
            out.extend_from_slice(&ahead[..count]);
            self.taken += count;
            if end.is_some() {
                break;
            }
        }
        Ok(out.len() - start)
    }

    /// Puts a byte back, to be read next.
    pub fn unread(&mut self, byte: u8) -> io::Result<()> {
        self.check(self.mode.read)?;
        self.start_reading()?;
        if self.pushed.len() == MAX_PUSHED_BACK {
            return Err(ErrorKind::StorageFull.into());
        }
        self.pushed.push(byte);
        self.end = false;
        Ok(())
    }

    /// Writes all the bytes, or says after how many it stopped. Few of them are held back, and an error of theirs comes later.
    pub fn write(&mut self, bytes: &[u8]) -> (usize, io::Result<()>) {
        self.write_beyond(BUFFER, bytes)
    }

    /// The same with nothing held back: what was written is in the file, and errors are told at once.
    pub fn write_through(&mut self, bytes: &[u8]) -> (usize, io::Result<()>) {
        self.write_beyond(0, bytes)
    }

    /// Writes, and holds back what are fewer than `room` bytes together with those that are held back already.
    fn write_beyond(&mut self, room: usize, bytes: &[u8]) -> (usize, io::Result<()>) {
        if bytes.is_empty() {
            return (0, Ok(()));
        }
        if let Err(error) = self.check(self.mode.write).and_then(|()| self.start_writing()) {
            return (0, Err(error));
        }
        if self.buffer.len() + bytes.len() < room {
            self.buffer.extend_from_slice(bytes);
            return (bytes.len(), Ok(()));
        }
        if let Err(error) = self.write_out() {
            return (0, Err(error));
        }
        let mut written = 0;
        while written < bytes.len() {
            match self.medium.write(&bytes[written..]) {
                Ok(0) => return (written, Err(self.fail(ErrorKind::WriteZero.into()))),
                Ok(count) => written += count,
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                Err(error) => return (written, Err(self.fail(error))),
            }
        }
        (written, Ok(()))
    }

    /// Writes out what is held back. A stream that is being read stays as it is, with what was pushed back.
    pub fn write_back(&mut self) -> io::Result<()> {
        if self.writing { self.write_out() } else { Ok(()) }
    }

    /// Writes out what is held back; a stream that was read gives back what it read ahead.
    pub fn flush(&mut self) -> io::Result<()> {
        if self.writing {
            return self.write_out();
        }
        match self.give_back() {
            // A pipe keeps what was read ahead for the next read.
            Err(error) if error.kind() == ErrorKind::NotSeekable => Ok(()),
            given_back => given_back,
        }
    }

    /// Moves to another position. Bytes pushed back are forgotten.
    pub fn seek(&mut self, offset: i64, whence: Whence) -> io::Result<u64> {
        if self.writing {
            self.write_out()?;
        }
        let to = match whence {
            Whence::Set => {
                SeekFrom::Start(u64::try_from(offset).map_err(|_| io::Error::from(ErrorKind::InvalidInput))?)
            }
            // The file is ahead of the program by what was read ahead.
            Whence::Current => SeekFrom::Current(
                offset
                    .checked_sub(self.ahead())
                    .ok_or_else(|| io::Error::from(ErrorKind::InvalidInput))?,
            ),
            Whence::End => SeekFrom::End(offset),
        };
        let position = self.medium.seek(to)?;
        self.drop_ahead();
        self.end = false;
        Ok(position)
    }

    /// The position that the next byte is read from or written to.
    pub fn tell(&mut self) -> io::Result<u64> {
        if self.writing && self.mode.append {
            // Where the bytes go is known only once they are there.
            self.write_out()?;
        }
        let position = self.medium.seek(SeekFrom::Current(0))?;
        if self.writing {
            return Ok(position + self.buffer.len() as u64);
        }
        // Before the first byte of the file C has no position for a byte pushed back.
        Ok(position.saturating_add_signed(-self.ahead()))
    }

    /// The file itself, once nothing is held back any more.
    pub fn medium(&mut self) -> io::Result<&mut M> {
        self.flush()?;
        Ok(&mut self.medium)
    }

    /// What lies under the stream, wherever that is.
    pub fn beneath(&self) -> &M {
        &self.medium
    }

    /// How many bytes the file is ahead of the program.
    fn ahead(&self) -> i64 {
        (self.buffer.len() - self.taken + self.pushed.len()) as i64
    }

    fn drop_ahead(&mut self) {
        self.buffer.clear();
        self.pushed.clear();
        self.taken = 0;
    }

    /// Moves the file to where the program is.
    fn give_back(&mut self) -> io::Result<()> {
        if self.ahead() > 0 {
            let position = self.tell()?;
            self.medium.seek(SeekFrom::Start(position))?;
        }
        self.drop_ahead();
        Ok(())
    }

    fn start_reading(&mut self) -> io::Result<()> {
        if self.writing {
            self.write_out()?;
            self.writing = false;
        }
        Ok(())
    }

    fn start_writing(&mut self) -> io::Result<()> {
        if !self.writing {
            match self.give_back() {
                Ok(()) => {}
                // A device that has no position, such as a terminal, reads and writes side by side.
                Err(error) if error.kind() == ErrorKind::NotSeekable => self.drop_ahead(),
                Err(error) => return Err(self.fail(error)),
            }
            self.writing = true;
        }
        Ok(())
    }

    /// Reads ahead; false at the end of the file.
    fn fill(&mut self) -> io::Result<bool> {
        self.fill_up_to(BUFFER)
    }

    fn fill_up_to(&mut self, size: usize) -> io::Result<bool> {
        if self.end {
            return Ok(false);
        }
        let mut buffer = std::mem::take(&mut self.buffer);
        buffer.resize(size, 0);
        let got = self.fill_directly(&mut buffer);
        buffer.truncate(*got.as_ref().unwrap_or(&0));
        (self.buffer, self.taken) = (buffer, 0);
        Ok(got? > 0)
    }

    /// Waits until something is there to be read, or the end is met, and takes up to `size` bytes of it, a pipe's worth at most.
    pub fn look_ahead(&mut self, size: usize) -> io::Result<()> {
        const PIPE: usize = 64 << 10;
        self.check(self.mode.read)?;
        self.start_reading()?;
        if size > 0 && self.ahead() == 0 {
            self.fill_up_to(size.clamp(1, PIPE))?;
        }
        Ok(())
    }

    /// Reads from the file itself; 0 at its end.
    fn fill_directly(&mut self, out: &mut [u8]) -> io::Result<usize> {
        loop {
            match self.medium.read(out) {
                Ok(count) => {
                    self.end = count == 0;
                    return Ok(count);
                }
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                Err(error) => return Err(self.fail(error)),
            }
        }
    }

    /// Writes out the buffer. What could not be written is lost, as in C.
    fn write_out(&mut self) -> io::Result<()> {
        let mut rest = self.buffer.as_slice();
        let mut result = Ok(());
        while !rest.is_empty() {
            match self.medium.write(rest) {
                Ok(0) => result = Err(ErrorKind::WriteZero.into()),
                Ok(count) => rest = &rest[count..],
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                Err(error) => result = Err(error),
            }
            if result.is_err() {
                break;
            }
        }
        self.buffer.clear();
        result.map_err(|error| self.fail(error))
    }

    fn check(&mut self, allowed: bool) -> io::Result<()> {
        if allowed {
            Ok(())
        } else {
            Err(self.fail(io::Error::from_raw_os_error(libc::EBADF)))
        }
    }

    fn fail(&mut self, error: io::Error) -> io::Error {
        self.error = true;
        error
    }
}

impl<M: Medium> Drop for Stream<M> {
    fn drop(&mut self) {
        if self.writing {
            // Nobody is left to be told. Who wants to know flushes first.
            let _ = self.write_out();
        }
    }
}
