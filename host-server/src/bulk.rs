//! Large transfers: the host moves the bytes itself, from and to device memory.

use std::{collections::VecDeque, io, sync::Arc};

pub use rpc_proto::bulk::BY_PORT;

/// Bytes that are moved at a time: enough to hide what starting a copy costs.
pub const PART: usize = 4 << 20;

/// Up to so many bytes are moved by the server's own thread: in less time than another takes to wake up.
pub(crate) const AT_ONCE: usize = rpc_proto::bulk::AT_ONCE as usize;

/// The right to make copies, until it is dropped.
pub type Permit = Box<dyn Send + Sync>;

/// Device memory as the host reaches it while kernels run.
pub trait DeviceMemory: Send + Sync {
    /// Asks for the right to make copies, held no longer than those take. `None` where they might have to wait for the kernel that
    /// waits for them: if that lasts, the device sends the bytes itself.
    fn permit(&self) -> Option<Permit> {
        Some(Box::new(()))
    }

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

/// A buffer for copies. Whoever made it has it back when it is dropped, at the end of what was started with it.
///
/// By default a copy has ended when starting it returns.
pub trait Buffer: Send {
    /// Its bytes, when all that was started has ended.
    fn bytes(&mut self) -> &mut [u8];

    /// Start to fill the first `bytes` bytes with those at `address`.
    fn start_fetch(&mut self, memory: &dyn DeviceMemory, address: u64, bytes: usize) -> io::Result<()> {
        memory.fetch(address, &mut self.bytes()[..bytes])
    }

    /// Start to copy the first `bytes` bytes to `address`.
    fn start_store(&mut self, memory: &dyn DeviceMemory, address: u64, bytes: usize) -> io::Result<()> {
        memory.store(address, &self.bytes()[..bytes])
    }

    /// Whether what was started has ended. Quick, and never waits.
    fn is_done(&mut self) -> io::Result<bool> {
        Ok(true)
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

/// A buffer for `size` bytes: a small one of ordinary memory rather than none at once.
fn buffer_for(memory: &dyn DeviceMemory, size: usize) -> io::Result<Box<dyn Buffer>> {
    match memory.spare_buffer() {
        Some(buffer) => Ok(buffer),
        None if size <= AT_ONCE => Ok(Box::new(vec![0; size])),
        None => memory.buffer(),
    }
}

/// Bytes of the device on their way to the host. While one part is consumed the next one is copied.
pub(crate) struct Fetch {
    memory: Arc<dyn DeviceMemory>,
    address: u64,
    size: usize,
    /// Bytes whose copy has been started.
    started: usize,
    under_way: VecDeque<(Box<dyn Buffer>, usize)>,
    current: Option<(Box<dyn Buffer>, usize)>,
    /// Until the last part has come.
    permit: Option<Permit>,
}

impl Fetch {
    /// Starts to fetch the `size` bytes at `address`, for which the caller has asked [`owns`](DeviceMemory::owns).
    pub fn start(memory: Arc<dyn DeviceMemory>, address: u64, size: usize) -> io::Result<Self> {
        let buffer = buffer_for(&*memory, size)?;
        Self::with_buffer(memory, address, size, buffer)
    }

    /// The same if a buffer is to be had at once.
    pub fn try_start(memory: &Arc<dyn DeviceMemory>, address: u64, size: usize) -> io::Result<Option<Self>> {
        let buffer = memory.spare_buffer();
        buffer
            .map(|buffer| Self::with_buffer(memory.clone(), address, size, buffer))
            .transpose()
    }

    /// The same in ordinary memory, where no other came free for long.
    pub fn start_in_ordinary(memory: Arc<dyn DeviceMemory>, address: u64, size: usize) -> io::Result<Self> {
        Self::with_buffer(memory, address, size, Box::new(vec![0; size.min(PART)]))
    }

    fn with_buffer(
        memory: Arc<dyn DeviceMemory>,
        address: u64,
        size: usize,
        buffer: Box<dyn Buffer>,
    ) -> io::Result<Self> {
        let mut fetch = Self {
            memory,
            address,
            size,
            started: 0,
            under_way: VecDeque::new(),
            current: None,
            permit: None,
        };
        fetch.start_part(buffer)?;
        if fetch.started < size
            && let Some(other) = fetch.memory.spare_buffer()
        {
            fetch.start_part(other)?;
        }
        Ok(fetch)
    }

    /// Keeps the right to make the copies for as long as it is needed.
    pub fn holding(mut self, permit: Permit) -> Self {
        self.permit = Some(permit);
        self
    }

    /// Starts the next part, if there is one more.
    fn start_part(&mut self, mut buffer: Box<dyn Buffer>) -> io::Result<()> {
        let len = buffer.bytes().len().min(self.size - self.started);
        if len > 0 {
            buffer.start_fetch(&*self.memory, self.address + self.started as u64, len)?;
            self.started += len;
            self.under_way.push_back((buffer, len));
        }
        Ok(())
    }

    /// Whether the next part has come. Quick, and never waits.
    pub fn has_come(&mut self) -> io::Result<bool> {
        self.under_way
            .front_mut()
            .map_or(Ok(true), |(buffer, _)| buffer.is_done())
    }
}

impl Parts for Fetch {
    fn next(&mut self) -> io::Result<Option<&[u8]>> {
        if let Some((buffer, _)) = self.current.take() {
            self.start_part(buffer)?;
        }
        let Some((mut buffer, len)) = self.under_way.pop_front() else {
            return Ok(None);
        };
        buffer.wait()?;
        if self.started == self.size && self.under_way.is_empty() {
            self.permit = None;
        }
        let (buffer, len) = self.current.insert((buffer, len));
        Ok(Some(&buffer.bytes()[..*len]))
    }
}

/// Copies up to `size` bytes to `address`, part by part as `produce` makes them: it fills what it is given and returns how
/// much of it, less at the end. While one part is copied the next one is made. Returns how many bytes were copied, and what
/// `produce` ended with; an error if a copy failed.
///
/// The caller has asked [`owns`](DeviceMemory::owns).
pub(crate) fn store_parts(
    memory: &dyn DeviceMemory,
    address: u64,
    size: usize,
    mut produce: impl FnMut(&mut [u8]) -> (usize, io::Result<()>),
) -> io::Result<(usize, io::Result<()>)> {
    let mut buffer = buffer_for(memory, size)?;
    let mut other = (size > buffer.bytes().len()).then(|| memory.spare_buffer()).flatten();
    let mut stored = 0;
    loop {
        let bytes = buffer.bytes();
        let wanted = bytes.len().min(size - stored);
        let (made, outcome) = produce(&mut bytes[..wanted]);
        if made > 0 {
            buffer.start_store(memory, address + stored as u64, made)?;
            stored += made;
        }
        if outcome.is_err() || made < wanted || stored == size {
            buffer.wait()?;
            if let Some(mut other) = other {
                other.wait()?;
            }
            return Ok((stored, outcome));
        }
        if let Some(other) = &mut other {
            std::mem::swap(&mut buffer, other);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lock::lock;
    use std::sync::Mutex;

    struct Fake {
        bytes: Vec<u8>,
        stored: Mutex<Vec<u8>>,
        fails_at: usize,
    }

    fn fake(size: usize, fails_at: usize) -> Arc<Fake> {
        Arc::new(Fake {
            bytes: (0..size).map(|at| (at * 7) as u8).collect(),
            stored: Mutex::new(vec![0; size]),
            fails_at,
        })
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
        fn store(&self, address: u64, bytes: &[u8]) -> io::Result<()> {
            let at = address as usize;
            if at >= self.fails_at {
                return Err(io::Error::other("on purpose"));
            }
            lock(&self.stored)[at..][..bytes.len()].copy_from_slice(bytes);
            Ok(())
        }
        fn buffer(&self) -> io::Result<Box<dyn Buffer>> {
            Ok(Box::new(vec![0; 1000]))
        }
    }

    #[test]
    fn parts_make_the_whole() {
        let memory = fake(10_007, usize::MAX);
        for size in [1, 999, 1000, 1001, 5000, 10_000] {
            let mut fetch = Fetch::start(memory.clone(), 7, size).unwrap();
            assert!(fetch.has_come().unwrap());
            assert!(fetch.gather().unwrap() == memory.bytes[7..7 + size], "{size}");
        }
    }

    #[test]
    fn errors_come_through_and_nobody_waits() {
        let memory = fake(10_000, 4000);
        assert!(Fetch::start(memory.clone(), 0, 9000).unwrap().gather().is_err());
        // A consumer that wants no more.
        let mut fetch = Fetch::start(memory.clone(), 0, 9000).unwrap();
        assert_eq!(fetch.next().unwrap().map(<[u8]>::len), Some(1000));
        assert!(Fetch::start(memory, 5000, 10).is_err());
    }

    #[test]
    fn what_is_made_in_parts_is_stored_whole() {
        for (size, made) in [
            (1, 1),
            (1000, 1000),
            (1001, 1001),
            (5000, 5000),
            (9000, 4321),
            (9000, 4000),
            (500, 0),
        ] {
            let memory = fake(10_000, usize::MAX);
            let mut left = &memory.bytes[..made];
            let (stored, outcome) = store_parts(&*memory, 3, size, |bytes| {
                let (now, later) = left.split_at(left.len().min(bytes.len()));
                bytes[..now.len()].copy_from_slice(now);
                left = later;
                (now.len(), Ok(()))
            })
            .unwrap();
            outcome.unwrap();
            assert_eq!(stored, made, "{size}");
            let all = lock(&memory.stored);
            assert!(all[3..3 + made] == memory.bytes[..made] && all[3 + made..].iter().all(|&byte| byte == 0));
        }
    }

    #[test]
    fn what_was_stored_before_an_error_counts() {
        let memory = fake(10_000, usize::MAX);
        let mut parts = 0;
        let (stored, outcome) = store_parts(&*memory, 0, 9000, |bytes| {
            parts += 1;
            match parts {
                1 => (bytes.len(), Ok(())),
                _ => (300, Err(io::Error::other("on purpose"))),
            }
        })
        .unwrap();
        assert_eq!(stored, 1300);
        assert!(outcome.is_err());
        assert!(store_parts(&*fake(10_000, 2000), 0, 9000, |bytes| (bytes.len(), Ok(()))).is_err());
    }
}
