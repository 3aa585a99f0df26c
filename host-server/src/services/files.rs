//! Files and streams under their C names: opcodes 4, 6 to 9, 14 to 20, 27 and 28.
//!
//! Failure is what C says it is: 0, null or -1. The reason is reported only where the device broke a rule.

use std::io;
use std::sync::Arc;

use rpc_proto::Opcode;

use super::context::{Services, Target, recv_words};
use super::{on, signed};
use crate::files::{Mode, OpenFile, Source, Stream, Whence};
use crate::grants::Refusal;
use crate::{FaultKind, Host, PerLane, Place, Port, Registry};

/// The longest path, its NUL included: Linux's `PATH_MAX`.
pub(super) const PATH_LIMIT: u64 = 4096;

/// C's `EOF`, and the answer of most functions that fail.
const FAILED: i64 = -1;

pub(super) fn register(registry: &mut Registry, services: &Arc<Services>) {
    on(registry, services, Opcode::WRITE_TO_STREAM, write);
    on(registry, services, Opcode::READ_FROM_STREAM, read);
    on(registry, services, Opcode::READ_FGETS, read_line);
    on(registry, services, Opcode::OPEN_FILE, open);
    on(registry, services, Opcode::CLOSE_FILE, close);
    on(registry, services, Opcode::REMOVE, remove);
    on(registry, services, Opcode::RENAME, rename);
    for (opcode, question) in QUESTIONS {
        on(registry, services, opcode, move |services, port| {
            ask(services, port, question)
        });
    }
}

async fn write(services: Arc<Services>, mut port: Port) {
    let numbers = port.recv_word().await;
    let mut received = port.recv_n(port.stream_limit()).await;
    let mut written = PerLane::new(port.mask(), 0);
    for lane in port.lanes() {
        let Ok(bytes) = std::mem::replace(&mut received[lane], Ok(Vec::new())) else {
            continue;
        };
        if let Some(target) = services.target_of(&port, lane, numbers[lane]) {
            written[lane] = services.write(&port, &target, bytes, Stream::write).await.0 as u64;
        }
    }
    port.send_word(|lane| written[lane]).await;
}

async fn read(services: Arc<Services>, mut port: Port) {
    let requests = recv_words(&mut port).await;
    let mut read = PerLane::new(port.mask(), Vec::new());
    for lane in port.lanes() {
        let [size, number, ..] = requests[lane];
        if let (Some(size), Some(file)) = (bounded(&port, lane, size), readable(&services, &port, lane, number)) {
            let bytes = services.with(&file, size, move |stream| {
                let mut bytes = Vec::new();
                // What came before an error counts; the stream remembers the error.
                let _ = stream.read(size, &mut bytes);
                bytes
            });
            read[lane] = bytes.await.unwrap_or_default();
        }
    }
    port.send_n(|lane| &read[lane]).await;
    port.send_word(|lane| read[lane].len() as u64).await;
}

/// The line with its NUL; nothing at the end of the file, after an error, or where there is no room for a NUL.
async fn read_line(services: Arc<Services>, mut port: Port) {
    let requests = recv_words(&mut port).await;
    let mut lines = PerLane::new(port.mask(), Vec::new());
    for lane in port.lanes() {
        let [size, number, ..] = requests[lane];
        let (Some(size), Some(file)) = (bounded(&port, lane, size), readable(&services, &port, lane, number)) else {
            continue;
        };
        let Some(room) = size.checked_sub(1) else { continue };
        let line = services.with(&file, size, move |stream| {
            let mut line = Vec::new();
            let read = stream.read_line(room, &mut line);
            if read.is_err() || (line.is_empty() && room > 0) {
                return Vec::new();
            }
            line.push(0);
            line
        });
        lines[lane] = line.await.unwrap_or_default();
    }
    port.send_n(|lane| &lines[lane]).await;
}

/// A size that a lane asks for, if it may.
pub(super) fn bounded(port: &Port, lane: u32, size: u64) -> Option<usize> {
    let limit = port.stream_limit();
    if size > limit {
        let message = format!("lane {lane} asks for {size} bytes where {limit} are allowed");
        port.fault(FaultKind::BadValue(message));
        return None;
    }
    usize::try_from(size).ok()
}

/// The file behind a stream that can be read. Standard output cannot, as C's could not.
fn readable(services: &Services, port: &Port, lane: u32, number: u64) -> Option<Arc<OpenFile>> {
    match services.target_of(port, lane, number)? {
        Target::File(file) => Some(file),
        Target::Output(_) => None,
    }
}

async fn open(services: Arc<Services>, mut port: Port) {
    let paths = port.recv_n(PATH_LIMIT).await;
    let modes = recv_words(&mut port).await;
    let mut handles = PerLane::new(port.mask(), 0);
    for lane in port.lanes() {
        let Ok(path) = &paths[lane] else { continue };
        let Some(mode) = Mode::parse(&modes[lane].map(u64::to_le_bytes).concat()) else {
            continue;
        };
        let (services, host, path) = (services.clone(), port.host(), until_nul(path).to_vec());
        // On a thread, since opening a pipe waits for its other end.
        let opened = services
            .workers
            .clone()
            .run(move || services.open(&*host, &path, mode))
            .await;
        handles[lane] = opened.flatten().unwrap_or(0);
    }
    port.send_word(|lane| handles[lane]).await;
}

async fn close(services: Arc<Services>, mut port: Port) {
    let numbers = port.recv_word().await;
    let mut results = PerLane::new(port.mask(), FAILED);
    for lane in port.lanes() {
        let closed = services.close(&port, lane, numbers[lane]).await;
        results[lane] = if let Some(Ok(())) = closed { 0 } else { FAILED };
    }
    port.send_word(|lane| signed(results[lane])).await;
}

async fn remove(services: Arc<Services>, mut port: Port) {
    let paths = port.recv_n(PATH_LIMIT).await;
    let mut results = PerLane::new(port.mask(), FAILED);
    for lane in port.lanes() {
        let Ok(path) = &paths[lane] else { continue };
        let (services, host, path) = (services.clone(), port.host(), until_nul(path).to_vec());
        let removed = services
            .workers
            .clone()
            .run(move || services.remove(&*host, &path))
            .await;
        results[lane] = removed.flatten().map_or(FAILED, |()| 0);
    }
    port.send_word(|lane| signed(results[lane])).await;
}

async fn rename(services: Arc<Services>, mut port: Port) {
    let from = port.recv_n(PATH_LIMIT).await;
    let to = port.recv_n(PATH_LIMIT).await;
    let mut results = PerLane::new(port.mask(), FAILED);
    for lane in port.lanes() {
        let (Ok(from), Ok(to)) = (&from[lane], &to[lane]) else {
            continue;
        };
        let (services, host) = (services.clone(), port.host());
        let (from, to) = (until_nul(from).to_vec(), until_nul(to).to_vec());
        let renamed = services
            .workers
            .clone()
            .run(move || services.rename(&*host, &from, &to))
            .await;
        results[lane] = renamed.flatten().map_or(FAILED, |()| 0);
    }
    port.send_word(|lane| signed(results[lane])).await;
}

/// A call that brings a packet about one stream and takes an integer away.
#[derive(Clone, Copy)]
struct Question {
    /// The word of the packet that names the stream.
    stream: usize,
    /// The answer of a file.
    file: fn(&mut Stream<Source>, &[u64; 8]) -> i64,
    /// The answer of standard output or error.
    output: fn(&Services, &dyn Host, crate::Stream) -> i64,
    /// The answer where there is no stream.
    nothing: i64,
}

const QUESTIONS: [(Opcode, Question); 7] = [
    // Who waits for the end of what is no stream, or for an error of it, shall not wait for ever.
    (
        Opcode::FEOF,
        Question {
            stream: 0,
            file: |stream, _| stream.at_end().into(),
            output: |_, _, _| 0,
            nothing: 1,
        },
    ),
    (
        Opcode::FERROR,
        Question {
            stream: 0,
            file: |stream, _| stream.failed().into(),
            output: |services, _, output| services.output_failed(output).into(),
            nothing: 1,
        },
    ),
    (
        Opcode::CLEARERR,
        Question {
            stream: 0,
            file: |stream, _| {
                stream.clear();
                0
            },
            output: |services, _, output| {
                services.set_output_failed(output, false);
                0
            },
            nothing: FAILED,
        },
    ),
    (
        Opcode::FSEEK,
        Question {
            stream: 0,
            file: |stream, words| seek(stream, words),
            output: |_, _, _| FAILED,
            nothing: FAILED,
        },
    ),
    (
        Opcode::FTELL,
        Question {
            stream: 0,
            file: |stream, _| stream.tell().map_or(FAILED, |position| position as i64),
            output: |_, _, _| FAILED,
            nothing: FAILED,
        },
    ),
    (
        Opcode::FFLUSH,
        Question {
            stream: 0,
            file: |stream, _| stream.flush().map_or(FAILED, |()| 0),
            output: |_, host, _| host.flush().map_or(FAILED, |()| 0),
            nothing: FAILED,
        },
    ),
    (
        Opcode::UNGETC,
        Question {
            stream: 1,
            file: |stream, words| unread(stream, words),
            output: |_, _, _| FAILED,
            nothing: FAILED,
        },
    ),
];

async fn ask(services: Arc<Services>, mut port: Port, question: Question) {
    let requests = recv_words(&mut port).await;
    let mut answers = PerLane::new(port.mask(), question.nothing);
    for lane in port.lanes() {
        let words = requests[lane];
        let number = words[question.stream];
        if port.opcode() == Opcode::FFLUSH && number == 0 {
            // C: `fflush(NULL)` is for all streams.
            services.flush_all().await;
            answers[lane] = port.host().flush().map_or(FAILED, |()| 0);
            continue;
        }
        answers[lane] = match services.target_of(&port, lane, number) {
            Some(Target::File(file)) => services
                .with(&file, 0, move |stream| (question.file)(stream, &words))
                .await
                .unwrap_or(question.nothing),
            Some(Target::Output(output)) => (question.output)(&services, &*port.host(), output),
            None => continue,
        };
    }
    port.send_word(|lane| signed(answers[lane])).await;
}

fn seek(stream: &mut Stream<Source>, &[_, offset, whence, ..]: &[u64; 8]) -> i64 {
    match Whence::from_number(whence) {
        Some(whence) => stream.seek(offset as i64, whence).map_or(FAILED, |_| 0),
        None => FAILED,
    }
}

/// C: "if the value of c equals that of the macro EOF, the operation fails".
fn unread(stream: &mut Stream<Source>, &[character, ..]: &[u64; 8]) -> i64 {
    if character as i32 == FAILED as i32 {
        return FAILED;
    }
    let byte = character as u8;
    stream.unread(byte).map_or(FAILED, |()| byte.into())
}

impl Services {
    /// Writes out and closes a stream; `None` if there is none.
    pub(super) async fn close(&self, port: &Port, lane: u32, number: u64) -> Option<io::Result<()>> {
        match self.target_of(port, lane, number)? {
            Target::File(file) => {
                // Standard input is in no table; closing it is closing nothing. Of two who close a file at once one does.
                if number.is_multiple_of(4) {
                    self.files.remove(number).ok()?;
                }
                Some(self.with(&file, 0, Stream::flush).await.flatten())
            }
            Target::Output(_) => Some(port.host().flush()),
        }
    }

    /// Opens a file and gives its handle.
    pub(super) fn open(&self, host: &dyn Host, path: &[u8], mode: Mode) -> io::Result<u64> {
        let mut options = cap_std::fs::OpenOptions::new();
        options
            .read(mode.read)
            .write(mode.write && !mode.append)
            .append(mode.append)
            .truncate(mode.truncate)
            .create(mode.create)
            .create_new(mode.exclusive);
        let file = self.at(host, path, |place| place.open(&options))?.into_std();
        self.keep(OpenFile::new(Source::File(file), mode))
    }

    /// Removes a file, or a directory with nothing in it.
    fn remove(&self, host: &dyn Host, path: &[u8]) -> io::Result<()> {
        self.at(host, path, |place| place.remove())
    }

    /// Gives a file another name, in the same or another granted directory.
    pub(super) fn rename(&self, host: &dyn Host, from: &[u8], to: &[u8]) -> io::Result<()> {
        self.at(host, from, |from| self.at(host, to, |to| from.rename(&to)))
    }

    /// Where a path lies, or the refusal.
    fn place(&self, host: &dyn Host, path: &[u8]) -> io::Result<Place<'_>> {
        if path.is_empty() {
            return Err(io::Error::from_raw_os_error(libc::ENOENT));
        }
        if path.contains(&0) {
            return Err(io::Error::from_raw_os_error(libc::EINVAL));
        }
        self.grants.place(path).ok_or_else(|| {
            self.grants.refuse(host, Refusal::Path, &String::from_utf8_lossy(path));
            io::Error::from_raw_os_error(libc::EACCES)
        })
    }

    /// Does something to a path inside its granted directory.
    ///
    /// A path that leads out of it, by `..` or by a link, is refused like one that no grant holds.
    pub(super) fn at<T>(
        &self,
        host: &dyn Host,
        path: &[u8],
        act: impl FnOnce(Place<'_>) -> io::Result<T>,
    ) -> io::Result<T> {
        let result = self.place(host, path).and_then(act);
        // The sandbox makes this error itself; those of the system have a number.
        if let Err(error) = &result
            && error.kind() == io::ErrorKind::PermissionDenied
            && error.raw_os_error().is_none()
        {
            self.grants.refuse(host, Refusal::Path, &String::from_utf8_lossy(path));
        }
        result
    }

    /// Gives an open file a number.
    pub(super) fn keep(&self, file: OpenFile) -> io::Result<u64> {
        match self.files.insert(file) {
            Ok(handle) => Ok(handle.number()),
            Err(_) => Err(io::Error::from_raw_os_error(libc::EMFILE)),
        }
    }
}

/// A C string without its NUL; what follows the NUL is none of it.
pub(super) fn until_nul(bytes: &[u8]) -> &[u8] {
    bytes.split(|&byte| byte == 0).next().unwrap_or_default()
}
