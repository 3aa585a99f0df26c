//! Large transfers: the host moves the bytes itself, from and to device memory.

use std::{collections::VecDeque, io};

/// Bytes that are moved at a time: enough to hide what starting a copy costs.
pub const PART: usize = 4 << 20;

/// Up to so many bytes are moved by the server's own thread: in less time than another takes to wake up.
pub(crate) const AT_ONCE: usize = 256 << 10;

/// Device memory as the host reaches it while kernels run.
pub trait DeviceMemory: Send + Sync {
    /// Whether all of the `bytes` bytes at `address` lie in one piece of memory that the program may use. What a device says
    /// is checked by this before anything is copied.
    fn owns(&self, address: u64, bytes: u64) -> bool;

    /// Copy from the device. Returns when done, and never waits for a kernel.
    fn fetch(&self, address: u64, bytes: &mut [u8]) -> io::Result<()>;

    /// Copy to the device, the same way.
    fn store(&self, address: u64, bytes: &[u8]) -> io::Result<()>;

    /// A buffer of [`PART`] bytes that can be copied to and from in good time. Waits a little for one, if it must.
    fn buffer(&self) -> io::Result<Box<dyn Buffer>> {
        Ok(Box::new(vec![0; PART]))
    }

    /// Another of the same size for whoever has one, if that is to be had at once.
    fn spare_buffer(&self) -> Option<Box<dyn Buffer>> {
        self.buffer().ok()
    }
}

/// A buffer for copies. Whoever made it has it back when it is dropped, at the end of what it was filled with.
pub trait Buffer: Send {
    /// Its bytes, when all that was started has ended.
    fn bytes(&mut self) -> &mut [u8];

    /// Start to fill the first `bytes` bytes with those at `address`. By default they are there when this returns.
    fn start(&mut self, memory: &dyn DeviceMemory, address: u64, bytes: usize) -> io::Result<()> {
        memory.fetch(address, &mut self.bytes()[..bytes])
    }

    /// Wait for what was started.
    fn wait(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl Buffer for Vec<u8> {
    fn bytes(&mut self) -> &mut [u8] {
        self
    }
}

/// Bytes that come in parts.
pub trait Parts {
    /// The next part, `None` at the end.
    fn next(&mut self) -> io::Result<Option<&[u8]>>;

    /// All that is left, in one piece.
    fn gather(&mut self) -> io::Result<Vec<u8>> {
        let mut all = Vec::new();
        while let Some(part) = self.next()? {
            all.extend_from_slice(part);
        }
        Ok(all)
    }
}

/// Passes the `size` bytes at `address` to `consume`, part by part. While one part is consumed the next is on its way.
///
/// The caller has asked [`owns`](DeviceMemory::owns).
pub(crate) fn fetch_parts<T>(
    memory: &dyn DeviceMemory,
    address: u64,
    size: usize,
    consume: impl FnOnce(&mut dyn Parts) -> T,
) -> io::Result<T> {
    let mut buffer = match memory.spare_buffer() {
        Some(buffer) => buffer,
        None if size <= AT_ONCE => Box::new(vec![0; size]),
        None => memory.buffer()?,
    };
    let part = buffer.bytes().len();
    if size <= part {
        memory.fetch(address, &mut buffer.bytes()[..size])?;
        return Ok(consume(&mut Single(Some(&buffer.bytes()[..size]))));
    }
    let mut parts = Pipeline {
        memory,
        address,
        size,
        started: 0,
        under_way: VecDeque::new(),
        current: None,
    };
    parts.start(buffer)?;
    if let Some(other) = memory.spare_buffer() {
        parts.start(other)?;
    }
    Ok(consume(&mut parts))
}

struct Single<'b>(Option<&'b [u8]>);

impl Parts for Single<'_> {
    fn next(&mut self) -> io::Result<Option<&[u8]>> {
        Ok(self.0.take())
    }
}

/// While one part is consumed the next is on its way.
struct Pipeline<'m> {
    memory: &'m dyn DeviceMemory,
    address: u64,
    size: usize,
    /// Bytes whose copy has been started.
    started: usize,
    under_way: VecDeque<(Box<dyn Buffer>, usize)>,
    current: Option<(Box<dyn Buffer>, usize)>,
}

impl Pipeline<'_> {
    /// Starts the next part, if there is one more.
    fn start(&mut self, mut buffer: Box<dyn Buffer>) -> io::Result<()> {
        let len = buffer.bytes().len().min(self.size - self.started);
        if len > 0 {
            buffer.start(self.memory, self.address + self.started as u64, len)?;
            self.started += len;
            self.under_way.push_back((buffer, len));
        }
        Ok(())
    }
}

impl Parts for Pipeline<'_> {
    fn next(&mut self) -> io::Result<Option<&[u8]>> {
        if let Some((buffer, _)) = self.current.take() {
            self.start(buffer)?;
        }
        let Some((mut buffer, len)) = self.under_way.pop_front() else {
            return Ok(None);
        };
        buffer.wait()?;
        let (buffer, len) = self.current.insert((buffer, len));
        Ok(Some(&buffer.bytes()[..*len]))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    struct Fake {
        bytes: Vec<u8>,
        fails_at: usize,
    }

    impl DeviceMemory for Fake {
        fn owns(&self, _: u64, _: u64) -> bool {
            true
        }
        fn fetch(&self, address: u64, bytes: &mut [u8]) -> io::Result<()> {
            let at = address as usize;
            if at >= self.fails_at {
                return Err(io::Error::other("on purpose"));
            }
            bytes.copy_from_slice(&self.bytes[at..][..bytes.len()]);
            Ok(())
        }
        fn store(&self, _: u64, _: &[u8]) -> io::Result<()> {
            Ok(())
        }
        fn buffer(&self) -> io::Result<Box<dyn Buffer>> {
            Ok(Box::new(vec![0; 1000]))
        }
    }

    #[test]
    fn parts_make_the_whole() {
        let memory = Fake {
            bytes: (0..10_007u32).map(|at| (at * 7) as u8).collect(),
            fails_at: usize::MAX,
        };
        for size in [1, 999, 1000, 1001, 5000, 10_000] {
            let all = fetch_parts(&memory, 7, size, |parts| parts.gather()).unwrap().unwrap();
            assert!(all == memory.bytes[7..7 + size], "{size}");
        }
    }

    #[test]
    fn errors_come_through_and_nobody_waits() {
        let memory = Fake {
            bytes: vec![0; 10_000],
            fails_at: 4000,
        };
        let outcome = fetch_parts(&memory, 0, 9000, |parts| parts.gather()).unwrap();
        assert!(outcome.is_err());
        // A consumer that wants no more.
        let first = fetch_parts(&memory, 0, 9000, |parts| parts.next().map(|part| part.map(<[u8]>::len)));
        assert_eq!(first.unwrap().unwrap(), Some(1000));
        assert!(fetch_parts(&memory, 5000, 10, |_| ()).is_err());
    }
}
