//! A stream whose reader may be slow, or gone, or asleep.
//!
//! Bytes are held until they are worth a system call, then a thread writes them. So a reader that takes nothing stops
//! that thread, and later those who write to the same stream, but no server thread and no call for anything else.

use std::{
    io::{self, Write},
    panic::{AssertUnwindSafe, catch_unwind},
    sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError},
    thread::JoinHandle,
    time::{Duration, Instant},
};

use crate::{Stream, bulk::Parts, lock::lock};

/// So much is passed on without being asked to.
const WORTH_WRITING: usize = 64 << 10;

/// With so much held, whoever writes more waits for the reader.
const FULL: usize = 1 << 20;

/// Bytes that a pipe takes in one piece, whoever else writes to it (POSIX: at least 512, Linux: 4096).
const PIPE_PIECE: usize = 4096;

/// What is written to one stream.
pub(crate) struct Output {
    shared: Arc<Shared>,
    thread: Mutex<Option<JoinHandle<()>>>,
}

/// Writes all of some bytes to where they belong.
type Sink = Box<dyn Fn(&[u8]) -> io::Result<()> + Send + Sync>;

struct Shared {
    sink: Sink,
    name: &'static str,
    /// Other processes write to the same place: keep to pieces that end where a line ends.
    whole_lines: bool,
    state: Mutex<State>,
    /// For the writing thread.
    work: Condvar,
    /// For those who wait until it has written.
    written: Condvar,
}

#[derive(Default)]
struct State {
    held: Vec<u8>,
    /// What is held is to be passed on, however little it is.
    asked: bool,
    /// The thread is inside a system call.
    writing: bool,
    /// Somebody is writing in parts, which stay together.
    in_parts: bool,
    /// Nobody reads any more.
    closed: bool,
    /// There is nobody left who could write.
    abandoned: bool,
}

impl Output {
    /// A stream of this process.
    pub fn of(stream: Stream, whole_lines: bool) -> Self {
        match stream {
            Stream::Stdout => Self::new("rpc-stdout", whole_lines, |bytes| {
                let mut stdout = io::stdout().lock();
                stdout.write_all(bytes).and_then(|()| stdout.flush())
            }),
            Stream::Stderr => Self::new("rpc-stderr", whole_lines, |bytes| io::stderr().lock().write_all(bytes)),
        }
    }

    /// Whatever `sink` writes to, on a thread with this name. An error of `sink` is the end of the stream.
    pub fn to(name: &'static str, sink: impl Fn(&[u8]) -> io::Result<()> + Send + Sync + 'static) -> Self {
        Self::new(name, false, sink)
    }

    fn new(
        name: &'static str,
        whole_lines: bool,
        sink: impl Fn(&[u8]) -> io::Result<()> + Send + Sync + 'static,
    ) -> Self {
        Self {
            shared: Arc::new(Shared {
                sink: Box::new(sink),
                name,
                whole_lines,
                state: Mutex::default(),
                work: Condvar::new(),
                written: Condvar::new(),
            }),
            thread: Mutex::default(),
        }
    }

    /// Whether [`write`](Output::write) would wait for the reader.
    pub fn is_full(&self) -> bool {
        let state = lock(&self.shared.state);
        (state.in_parts || state.held.len() >= FULL) && !state.closed
    }

    /// Take all of `bytes`; an error if nobody reads.
    pub fn write(&self, bytes: &[u8]) -> io::Result<()> {
        self.hold(self.room(), bytes)
    }

    /// Take all parts, and nothing of anybody else's between them; an error if nobody reads.
    pub fn write_parts(&self, parts: &mut dyn Parts) -> io::Result<()> {
        /// Lets the others write again, also when a part's source panics.
        struct InParts<'o>(&'o Shared);

        impl Drop for InParts<'_> {
            fn drop(&mut self) {
                lock(&self.0.state).in_parts = false;
                self.0.written.notify_all();
            }
        }

        self.room().in_parts = true;
        let _in_parts = InParts(&self.shared);
        self.take_parts(parts)
    }

    fn take_parts(&self, parts: &mut dyn Parts) -> io::Result<()> {
        while let Some(part) = parts.next()? {
            let mut state = lock(&self.shared.state);
            while state.held.len() >= FULL && !state.closed {
                state = self.written(state);
            }
            self.hold(state, part)?;
        }
        Ok(())
    }

    /// Wait until there is room for more.
    fn room(&self) -> MutexGuard<'_, State> {
        let mut state = lock(&self.shared.state);
        while (state.in_parts || state.held.len() >= FULL) && !state.closed {
            state = self.written(state);
        }
        state
    }

    /// The same without waiting, for lines of which there are never many.
    pub fn write_at_once(&self, bytes: &[u8]) -> io::Result<()> {
        self.hold(lock(&self.shared.state), bytes)
    }

    fn hold(&self, mut state: MutexGuard<'_, State>, bytes: &[u8]) -> io::Result<()> {
        if state.closed {
            return Err(io::ErrorKind::BrokenPipe.into());
        }
        state.held.extend_from_slice(bytes);
        if state.held.len() >= WORTH_WRITING {
            self.ask(state);
        }
        Ok(())
    }

    /// Have passed on what is held, without waiting for it; an error if nobody reads, as far as is known.
    pub fn flush(&self) -> io::Result<()> {
        let state = lock(&self.shared.state);
        if state.closed {
            return Err(io::ErrorKind::BrokenPipe.into());
        }
        if !state.held.is_empty() {
            self.ask(state);
        }
        Ok(())
    }

    /// Have passed on what is held, and wait until the reader has it; an error if nobody reads, or it has not after `patience`.
    fn finish(&self, patience: Duration) -> io::Result<()> {
        self.flush()?;
        let is_busy = |state: &mut State| (state.writing || !state.held.is_empty()) && !state.closed;
        let state = lock(&self.shared.state);
        let waited = self.shared.written.wait_timeout_while(state, patience, is_busy);
        let (state, waited) = waited.unwrap_or_else(PoisonError::into_inner);
        if waited.timed_out() {
            return Err(io::ErrorKind::TimedOut.into());
        }
        match state.closed {
            true => Err(io::ErrorKind::BrokenPipe.into()),
            false => Ok(()),
        }
    }

    fn written<'s>(&'s self, state: MutexGuard<'s, State>) -> MutexGuard<'s, State> {
        self.shared.written.wait(state).unwrap_or_else(PoisonError::into_inner)
    }

    fn ask(&self, mut state: MutexGuard<'_, State>) {
        if std::mem::replace(&mut state.asked, true) {
            return;
        }
        drop(state);
        if self.has_thread() {
            self.shared.work.notify_one();
        } else {
            // Without a thread the reader is waited for here.
            drop(self.shared.pass_on(lock(&self.shared.state)));
        }
    }

    fn has_thread(&self) -> bool {
        let mut thread = lock(&self.thread);
        if thread.is_none() {
            let shared = self.shared.clone();
            let named = std::thread::Builder::new().name(shared.name.into());
            *thread = named.spawn(move || shared.run()).ok();
        }
        thread.is_some()
    }
}

/// Have passed on what all of them hold, and wait until their readers have it: at most so long, and an error if one has not.
pub(crate) fn finish<const N: usize>(outputs: [&Output; N], patience: Duration) -> io::Result<()> {
    let begin = Instant::now();
    let finished = outputs.map(|output| output.finish(patience.saturating_sub(begin.elapsed())));
    finished.into_iter().collect()
}

impl Drop for Output {
    /// What is held is still passed on, if somebody reads it.
    fn drop(&mut self) {
        let _ = self.flush();
        let mut state = lock(&self.shared.state);
        state.abandoned = true;
        let idle = !state.writing && state.held.is_empty();
        drop(state);
        self.shared.work.notify_one();
        let thread = lock(&self.thread).take();
        if let Some(thread) = thread.filter(|_| idle) {
            let _ = thread.join();
        }
    }
}

impl Shared {
    /// The life of the writing thread.
    fn run(&self) {
        without_sigpipe();
        let mut state = lock(&self.state);
        loop {
            if !state.held.is_empty() && (state.asked || state.abandoned) {
                state = self.pass_on(state);
            } else if state.abandoned {
                return;
            } else {
                state.asked = false;
                state = self.work.wait(state).unwrap_or_else(PoisonError::into_inner);
            }
        }
    }

    /// Writes what is held, the lock open meanwhile.
    fn pass_on<'s>(&'s self, mut state: MutexGuard<'s, State>) -> MutexGuard<'s, State> {
        let bytes = std::mem::take(&mut state.held);
        state.asked = false;
        state.writing = true;
        drop(state);
        // A sink of the embedding program may panic: it is not asked again.
        let written = catch_unwind(AssertUnwindSafe(|| self.write_all(&bytes)));
        let mut state = lock(&self.state);
        state.writing = false;
        if !matches!(written, Ok(Ok(()))) {
            state.closed = true;
            state.held.clear();
        }
        self.written.notify_all();
        state
    }

    fn write_all(&self, bytes: &[u8]) -> io::Result<()> {
        let piece = if self.whole_lines { PIPE_PIECE } else { usize::MAX };
        let mut rest = bytes;
        while !rest.is_empty() {
            let (now, later) = rest.split_at(whole_lines(rest, piece));
            (self.sink)(now)?;
            rest = later;
        }
        Ok(())
    }
}

/// How many of these bytes to write at once: up to `most`, ending with a line where one ends there.
fn whole_lines(bytes: &[u8], most: usize) -> usize {
    if bytes.len() <= most {
        return bytes.len();
    }
    bytes[..most]
        .iter()
        .rposition(|&byte| byte == b'\n')
        .map_or(most, |last| last + 1)
}

/// A closed pipe is an error on this thread and not the end of the process, also in one that is not Rust's.
#[allow(unsafe_code, reason = "signal masks are the C library's business")]
pub(crate) fn without_sigpipe() {
    // SAFETY: the set is filled before it is used; only this thread's mask changes.
    unsafe {
        let mut set = std::mem::zeroed();
        libc::sigemptyset(&mut set);
        libc::sigaddset(&mut set, libc::SIGPIPE);
        libc::pthread_sigmask(libc::SIG_BLOCK, &set, std::ptr::null_mut());
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::mpsc;
    use std::time::Duration;

    /// A reader that takes a piece for each token that it gets, and what it took.
    fn slow_reader(whole_lines: bool) -> (Output, mpsc::Sender<()>, Arc<Mutex<Vec<u8>>>) {
        let (token, tokens) = mpsc::channel::<()>();
        let (tokens, read) = (Mutex::new(tokens), Arc::new(Mutex::new(Vec::new())));
        let taken = read.clone();
        let output = Output::new("slow", whole_lines, move |bytes| {
            let gone = |_| io::Error::from(io::ErrorKind::BrokenPipe);
            lock(&tokens).recv().map_err(gone)?;
            lock(&taken).extend_from_slice(bytes);
            Ok(())
        });
        (output, token, read)
    }

    #[test]
    fn a_slow_reader_holds_up_only_those_who_write_too_much_and_nothing_is_lost() {
        let (output, token, read) = slow_reader(false);
        let mut expected = Vec::new();
        // Up to the bound nobody waits, however little the reader takes.
        while !output.is_full() {
            let line = format!("line {}\n", expected.len());
            output.write(line.as_bytes()).unwrap();
            expected.extend_from_slice(line.as_bytes());
        }
        assert!(expected.len() < 2 * FULL + WORTH_WRITING + 100, "{}", expected.len());
        output.write_at_once(b"report\n").unwrap();
        expected.extend_from_slice(b"report\n");
        std::thread::scope(|scope| {
            let (written, is_written) = mpsc::channel();
            let (output, expected) = (&output, &mut expected);
            scope.spawn(move || {
                output.write(b"late\n").unwrap();
                written.send(()).unwrap();
                output.finish(Duration::MAX).unwrap();
                written.send(()).unwrap();
            });
            assert!(is_written.recv_timeout(Duration::from_millis(20)).is_err());
            (0..2).for_each(|_| token.send(()).unwrap());
            is_written.recv().unwrap();
            (0..2).for_each(|_| token.send(()).unwrap());
            is_written.recv().unwrap();
            expected.extend_from_slice(b"late\n");
        });
        assert!(*lock(&read) == expected);
    }

    #[test]
    fn a_reader_that_is_gone_is_an_error_from_then_on() {
        let (output, token, _) = slow_reader(false);
        drop(token);
        output.write(b"nobody reads this").unwrap();
        assert!(output.finish(Duration::MAX).is_err());
        assert!(output.write(b"nor this").is_err() && output.flush().is_err() && !output.is_full());
    }

    #[test]
    fn nobody_waits_longer_than_told_for_a_reader_that_takes_nothing() {
        let (output, token, read) = slow_reader(false);
        output.write(b"later").unwrap();
        let late = finish([&output], Duration::from_millis(20)).unwrap_err();
        assert_eq!(late.kind(), io::ErrorKind::TimedOut);
        token.send(()).unwrap();
        finish([&output], Duration::MAX).unwrap();
        assert_eq!(*lock(&read), b"later");
    }

    #[test]
    fn a_sink_that_panics_is_one_that_is_gone() {
        let output = Output::to("panics", |_| panic!("the embedding program's fault"));
        output.write(b"x").unwrap();
        assert_eq!(
            output.finish(Duration::MAX).unwrap_err().kind(),
            io::ErrorKind::BrokenPipe
        );
        assert!(output.write(b"y").is_err());
    }

    #[test]
    fn parts_that_panic_do_not_shut_out_others() {
        struct Broken;
        impl Parts for Broken {
            fn next(&mut self) -> io::Result<Option<&[u8]>> {
                panic!("no part")
            }
        }
        let output = Output::to("parts", |_| Ok(()));
        let broken = catch_unwind(AssertUnwindSafe(|| output.write_parts(&mut Broken)));
        assert!(broken.is_err() && !output.is_full());
        output.write(b"x").unwrap();
        output.finish(Duration::MAX).unwrap();
    }

    #[test]
    fn what_is_held_when_all_is_dropped_is_written() {
        let (output, token, read) = slow_reader(true);
        output.write(b"last words").unwrap();
        drop(output);
        token.send(()).unwrap();
        while lock(&read).is_empty() {
            std::thread::yield_now();
        }
        assert_eq!(*lock(&read), b"last words");
    }

    #[test]
    fn pieces_end_where_lines_end() {
        for (text, most, expected) in [
            ("a\nb\nc", 10, 5),
            ("a\nb\nc", 5, 5),
            ("a\nb\nc", 4, 4),
            ("a\nb\nc", 3, 2),
            ("abcdef\n", 3, 3),
            ("", 3, 0),
        ] {
            assert_eq!(whole_lines(text.as_bytes(), most), expected, "{text:?} {most}");
        }
    }
}
