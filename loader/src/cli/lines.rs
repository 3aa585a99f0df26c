//! Output of several programs on the same streams: line by line, each with its tag.

use std::io;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use host_server::{Exit, Host, Stream};

/// A line longer than this is broken: nothing is held back for ever.
const LONGEST: usize = 64 << 10;

/// The streams of one program among several. What it writes is passed on in whole lines.
pub(super) struct Lines {
    outer: Arc<dyn Host>,
    /// Goes before each line.
    tag: String,
    /// The unfinished lines of standard output and standard error.
    unfinished: [Mutex<Vec<u8>>; 2],
}

impl Lines {
    /// Passes on to `outer`.
    pub fn new(outer: Arc<dyn Host>, tag: String) -> Lines {
        Lines {
            outer,
            tag,
            unfinished: Default::default(),
        }
    }

    /// The program has ended: its last line may have no end.
    pub fn end(&self) {
        for stream in [Stream::Stdout, Stream::Stderr] {
            let mut line = self.unfinished(stream);
            if line.is_empty() {
                continue;
            }
            if !self.tag.is_empty() {
                // The next line begins with a tag of its own.
                line.push(b'\n');
            }
            // Nobody is left to be told of an error.
            let _ = self.pass_on(stream, &line);
            line.clear();
        }
    }

    fn unfinished(&self, stream: Stream) -> MutexGuard<'_, Vec<u8>> {
        self.unfinished[stream as usize]
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
    }

    /// Writes lines, the last of which may be unfinished, in one piece.
    fn pass_on(&self, stream: Stream, lines: &[u8]) -> io::Result<()> {
        if self.tag.is_empty() {
            return self.outer.write(stream, lines);
        }
        let mut tagged = Vec::with_capacity(lines.len() + 64 * self.tag.len());
        for line in lines.split_inclusive(|&byte| byte == b'\n') {
            tagged.extend_from_slice(self.tag.as_bytes());
            tagged.extend_from_slice(line);
        }
        self.outer.write(stream, &tagged)
    }
}

impl Host for Lines {
    fn may_wait(&self) -> bool {
        self.outer.may_wait()
    }
    fn write(&self, stream: Stream, bytes: &[u8]) -> io::Result<()> {
        let mut unfinished = self.unfinished(stream);
        unfinished.extend_from_slice(bytes);
        if unfinished.len() > LONGEST && !unfinished.contains(&b'\n') {
            unfinished.push(b'\n');
        }
        let Some(last) = unfinished.iter().rposition(|&byte| byte == b'\n') else {
            return Ok(());
        };
        let rest = unfinished.split_off(last + 1);
        let lines = std::mem::replace(&mut *unfinished, rest);
        self.pass_on(stream, &lines)
    }
    fn is_full(&self, stream: Stream) -> bool {
        self.outer.is_full(stream)
    }
    fn flush(&self) -> io::Result<()> {
        self.outer.flush()
    }
    fn finish(&self, patience: Duration) -> io::Result<()> {
        self.outer.finish(patience)
    }
    fn read_stdin(&self, bytes: &mut [u8]) -> io::Result<usize> {
        self.outer.read_stdin(bytes)
    }
    fn stdin_is_ready(&self) -> bool {
        self.outer.stdin_is_ready()
    }
    fn allocate(&self, size: u64) -> Option<u64> {
        self.outer.allocate(size)
    }
    fn free(&self, address: u64) -> Result<(), String> {
        self.outer.free(address)
    }
    fn exit(&self, exit: Exit) {
        self.outer.exit(exit);
    }
    fn report(&self, message: &str) {
        self.outer.report(&format!("{}{message}", self.tag));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use host_server::RecordingHost;

    #[test]
    fn lines_of_two_programs_stay_whole_and_tell_their_program() {
        let outer = Arc::new(RecordingHost::default());
        let hosts = ["[0] ", "[1] "].map(|tag| Lines::new(outer.clone(), tag.into()));
        for (host, text) in [(0, "a"), (1, "x\ny"), (0, "b\n\n"), (1, "z"), (0, "c")] {
            hosts[host].write(Stream::Stdout, text.as_bytes()).unwrap();
        }
        hosts[1].write(Stream::Stderr, b"oh\n").unwrap();
        hosts[0].report("slow");
        hosts.iter().for_each(Lines::end);
        let seen = outer.seen();
        let text = String::from_utf8(seen.stdout).unwrap();
        assert_eq!(text, "[1] x\n[0] ab\n[0] \n[0] c\n[1] yz\n");
        assert_eq!(seen.stderr, b"[1] oh\n");
        assert_eq!(seen.reports, ["[0] slow"]);
    }

    #[test]
    fn without_a_tag_nothing_is_added() {
        let outer = Arc::new(RecordingHost::default());
        let host = Lines::new(outer.clone(), String::new());
        host.write(Stream::Stdout, b"one\ntw").unwrap();
        assert_eq!(outer.seen().stdout, b"one\n");
        host.write(Stream::Stdout, b"o").unwrap();
        host.end();
        assert_eq!(outer.seen().stdout, b"one\ntwo");
    }

    #[test]
    fn an_endless_line_is_broken() {
        let outer = Arc::new(RecordingHost::default());
        let host = Lines::new(outer.clone(), "[7] ".into());
        host.write(Stream::Stdout, &vec![b'x'; LONGEST + 1]).unwrap();
        assert_eq!(outer.seen().stdout.len(), 4 + LONGEST + 2);
    }
}
