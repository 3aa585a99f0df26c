//! Large transfers: the host moves the bytes itself, from and to device memory.

use std::{
    io,
    sync::mpsc::{Receiver, SyncSender, sync_channel},
};

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

/// A buffer for copies. Whoever made it has it back when it is dropped.
pub trait Buffer: Send {
    /// Its bytes.
    fn bytes(&mut self) -> &mut [u8];
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
    // Two threads take turns, so that the next part is under way before the last one has come.
    let buffers: Vec<_> = [Some(buffer), memory.spare_buffer()].into_iter().flatten().collect();
    let turns = buffers.len();
    std::thread::scope(|scope| {
        let mut ends = Vec::new();
        for (turn, buffer) in buffers.into_iter().enumerate() {
            // Empty buffers go one way, full ones the other.
            let (give_empty, take_empty) = sync_channel(1);
            let (give_full, take_full) = sync_channel(1);
            let _ = give_empty.send(buffer);
            let fetch = move || fetch_turns(memory, address, size, (turn, turns), &take_empty, &give_full);
            std::thread::Builder::new()
                .name("rpc-fetch".into())
                .spawn_scoped(scope, fetch)?;
            ends.push((give_empty, take_full));
        }
        let mut parts = Pipeline {
            current: None,
            left: size,
            turn: 0,
            ends,
        };
        Ok(consume(&mut parts))
    })
}

type Full = io::Result<(Box<dyn Buffer>, usize)>;

/// The other end of the pipeline, for every so-manieth part: ends when all is fetched, at an error, or when nobody wants more.
fn fetch_turns(
    memory: &dyn DeviceMemory,
    address: u64,
    size: usize,
    (turn, turns): (usize, usize),
    empty: &Receiver<Box<dyn Buffer>>,
    full: &SyncSender<Full>,
) {
    let mut number = turn;
    let mut at = 0;
    while at < size
        && let Ok(mut buffer) = empty.recv()
    {
        let bytes = buffer.bytes();
        let part = bytes.len();
        at = number * part;
        if at >= size {
            return;
        }
        let len = part.min(size - at);
        let fetched = memory.fetch(address + at as u64, &mut bytes[..len]);
        let failed = fetched.is_err();
        if full.send(fetched.map(|()| (buffer, len))).is_err() || failed {
            return;
        }
        number += turns;
    }
}

struct Single<'b>(Option<&'b [u8]>);

impl Parts for Single<'_> {
    fn next(&mut self) -> io::Result<Option<&[u8]>> {
        Ok(self.0.take())
    }
}

struct Pipeline {
    current: Option<(Box<dyn Buffer>, usize)>,
    left: usize,
    /// Whose part is the next one.
    turn: usize,
    ends: Vec<End>,
}

/// Where one thread gets its buffer back, and where it leaves it full.
type End = (SyncSender<Box<dyn Buffer>>, Receiver<Full>);

impl Parts for Pipeline {
    fn next(&mut self) -> io::Result<Option<&[u8]>> {
        if let Some((buffer, _)) = self.current.take() {
            // An error is that of a fetcher which is through.
            let _ = self.ends[self.turn].0.send(buffer);
            self.turn = (self.turn + 1) % self.ends.len();
        }
        if self.left == 0 {
            return Ok(None);
        }
        let gone = || io::Error::other("the copy from the device ended too early");
        let (buffer, len) = self.ends[self.turn].1.recv().map_err(|_| gone())??;
        self.left -= len;
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
