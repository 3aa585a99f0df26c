//! Streams beside the C library's, on random sequences of operations.

use host_server::files::{Mode, Stream, Whence};
use proptest::prelude::*;
use std::ffi::CString;
use std::fs::{self, File, OpenOptions};
use std::path::Path;

/// One call on an open file.
#[derive(Clone)]
enum Operation {
    Read(usize),
    Line(usize),
    Write(Vec<u8>),
    Unread(u8),
    Seek(i64, Whence),
    Tell,
    Flush,
    Clear,
}

impl std::fmt::Debug for Operation {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Read(size) => write!(f, "Read({size})"),
            Self::Line(size) => write!(f, "Line({size})"),
            Self::Write(bytes) => write!(f, "Write({})", bytes.len()),
            Self::Unread(byte) => write!(f, "Unread({byte})"),
            Self::Seek(offset, whence) => write!(f, "Seek({offset}, {whence:?})"),
            Self::Tell => f.write_str("Tell"),
            Self::Flush => f.write_str("Flush"),
            Self::Clear => f.write_str("Clear"),
        }
    }
}

/// What a call said: a number, bytes, and the two indicators.
type Answer = (i64, Vec<u8>, bool, bool);

/// The C library's stream.
struct Theirs(*mut libc::FILE);

impl Theirs {
    fn open(path: &Path, mode: &str) -> Self {
        let path = CString::new(path.to_str().unwrap()).unwrap();
        let mode = CString::new(mode).unwrap();
        // SAFETY: both are C strings.
        let file = unsafe { libc::fopen(path.as_ptr(), mode.as_ptr()) };
        assert!(!file.is_null());
        Self(file)
    }

    fn call(&mut self, operation: &Operation) -> Answer {
        let file = self.0;
        let mut bytes = Vec::new();
        // SAFETY: the file is open until `drop`; each buffer is as long as its call is told.
        let number = unsafe {
            match operation {
                Operation::Read(size) => {
                    bytes.resize(*size, 0);
                    let got = libc::fread(bytes.as_mut_ptr().cast(), 1, *size, file);
                    bytes.truncate(got);
                    got as i64
                }
                Operation::Line(size) => {
                    // Fill with something that is neither text nor NUL to find the end of what was read.
                    bytes.resize(*size + 1, 0xFF);
                    let line = libc::fgets(bytes.as_mut_ptr().cast(), *size as i32 + 1, file);
                    let end = bytes
                        .iter()
                        .rposition(|&byte| byte == 0)
                        .filter(|_| !line.is_null())
                        .unwrap_or(0);
                    bytes.truncate(end);
                    end as i64
                }
                Operation::Write(data) => libc::fwrite(data.as_ptr().cast(), 1, data.len(), file) as i64,
                Operation::Unread(byte) => i64::from(libc::ungetc(i32::from(*byte), file) == i32::from(*byte)),
                Operation::Seek(offset, whence) => i64::from(libc::fseek(file, *offset, *whence as i32) == 0),
                Operation::Tell => libc::ftell(file),
                Operation::Flush => i64::from(libc::fflush(file) == 0),
                Operation::Clear => {
                    clearerr(file);
                    0
                }
            }
        };
        // SAFETY: the file is open.
        unsafe { (number, bytes, libc::feof(file) != 0, libc::ferror(file) != 0) }
    }
}

impl Drop for Theirs {
    fn drop(&mut self) {
        // SAFETY: opened in `open`, closed nowhere else.
        unsafe { libc::fclose(self.0) };
    }
}

unsafe extern "C" {
    fn clearerr(file: *mut libc::FILE);
}

fn open_ours(path: &Path, mode: &str) -> Stream<File> {
    let mode = Mode::parse(mode.as_bytes()).unwrap();
    let file = OpenOptions::new()
        .read(mode.read)
        .write(mode.write && !mode.append)
        .append(mode.append)
        .truncate(mode.truncate)
        .create(mode.create)
        .open(path)
        .unwrap();
    Stream::<File>::new(file, mode)
}

fn call_ours(stream: &mut Stream<File>, operation: &Operation) -> Answer {
    let mut bytes = Vec::new();
    let number = match operation {
        Operation::Read(size) => {
            let _ = stream.read(*size, &mut bytes);
            bytes.len() as i64
        }
        Operation::Line(size) => {
            let _ = stream.read_line(*size, &mut bytes);
            bytes.len() as i64
        }
        Operation::Write(data) => stream.write(data).0 as i64,
        Operation::Unread(byte) => i64::from(stream.unread(*byte).is_ok()),
        Operation::Seek(offset, whence) => i64::from(stream.seek(*offset, *whence).is_ok()),
        Operation::Tell => stream.tell().map_or(-1, |position| position as i64),
        Operation::Flush => i64::from(stream.flush().is_ok()),
        Operation::Clear => {
            stream.clear();
            0
        }
    };
    (number, bytes, stream.at_end(), stream.failed())
}

/// Keeps a sequence to what C and POSIX define, by leaving out or putting in operations.
fn defined(operations: Vec<Operation>, mode: Mode) -> Vec<Operation> {
    #[derive(PartialEq)]
    enum Last {
        Read,
        Wrote,
        Neither,
    }
    let (mut last, mut pushed) = (Last::Neither, false);
    let mut kept = Vec::new();
    for operation in operations {
        match operation {
            Operation::Read(_) | Operation::Line(_) => {
                if last == Last::Wrote {
                    kept.push(Operation::Flush);
                    kept.push(Operation::Seek(0, Whence::Current));
                }
                pushed &= matches!(operation, Operation::Read(0));
                last = if mode.read { Last::Read } else { Last::Neither };
            }
            Operation::Write(_) => {
                if last == Last::Read {
                    // Where bytes pushed back leave a relative seek is not said either.
                    let whence = if pushed { Whence::Set } else { Whence::Current };
                    kept.push(Operation::Seek(0, whence));
                    pushed = false;
                }
                last = if mode.write { Last::Wrote } else { Last::Neither };
            }
            // One byte at a time, never without one read before, since a position below 0 has no meaning.
            Operation::Unread(_) if last != Last::Read || pushed => continue,
            Operation::Unread(_) => {
                kept.extend([Operation::Seek(1, Whence::Set), Operation::Read(1)]);
                pushed = true;
            }
            // What becomes of bytes pushed back when it fails is not said, so it must not.
            Operation::Seek(offset, _) if pushed => {
                kept.push(Operation::Seek(offset.abs(), Whence::Set));
                pushed = false;
                continue;
            }
            // One that fails moves nothing, so reading and writing have not met yet.
            Operation::Seek(..) => pushed = false,
            // What becomes of bytes pushed back is not said.
            Operation::Flush if pushed => continue,
            Operation::Flush if last == Last::Wrote => last = Last::Neither,
            Operation::Tell | Operation::Flush | Operation::Clear => {}
        }
        kept.push(operation);
    }
    kept
}

fn operation() -> impl Strategy<Value = Operation> {
    let size = || prop_oneof![0usize..40, 4000usize..4200, 8000usize..40_000];
    let bytes =
        size().prop_flat_map(|size| proptest::collection::vec(proptest::sample::select(b"abc\n".to_vec()), size));
    let whence = proptest::sample::select(vec![Whence::Set, Whence::Current, Whence::End]);
    prop_oneof![
        3 => size().prop_map(Operation::Read),
        3 => (1usize..200).prop_map(Operation::Line),
        3 => bytes.prop_map(Operation::Write),
        1 => any::<u8>().prop_map(Operation::Unread),
        2 => (-9000i64..20_000, whence).prop_map(|(offset, whence)| Operation::Seek(offset, whence)),
        2 => Just(Operation::Tell),
        1 => Just(Operation::Flush),
        1 => Just(Operation::Clear),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 200, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn a_stream_does_what_the_c_librarys_does(
        start in proptest::collection::vec(proptest::sample::select(b"xyz\n\0".to_vec()), 0..30_000),
        mode in proptest::sample::select(vec!["r", "w", "a", "r+", "w+", "a+"]),
        operations in proptest::collection::vec(operation(), 0..25),
    ) {
        let folder = std::env::temp_dir().join(format!("streams-{}", std::process::id()));
        fs::create_dir_all(&folder).unwrap();
        let (our_path, their_path) = (folder.join("ours"), folder.join("theirs"));
        fs::write(&our_path, &start).unwrap();
        fs::write(&their_path, &start).unwrap();

        let operations = defined(operations, Mode::parse(mode.as_bytes()).unwrap());
        let (mut ours, mut theirs) = (open_ours(&our_path, mode), Theirs::open(&their_path, mode));
        for (step, operation) in operations.iter().enumerate() {
            let (our_answer, their_answer) = (call_ours(&mut ours, operation), theirs.call(operation));
            prop_assert!(our_answer == their_answer, "step {step} of {mode} {:?}:\n{:?}\n{:?}", operations, short_answer(&our_answer), short_answer(&their_answer));
        }
        drop((ours, theirs));
        prop_assert!(fs::read(&our_path).unwrap() == fs::read(&their_path).unwrap(), "contents after {mode} {:?}", operations);
    }
}

fn short_answer((number, bytes, end, error): &Answer) -> String {
    let head = &bytes[..bytes.len().min(20)];
    format!(
        "{number}, {} bytes {:?}, end {end}, error {error}",
        bytes.len(),
        String::from_utf8_lossy(head)
    )
}
