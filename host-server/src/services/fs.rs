//! Files and directories in the shape of `std::fs`: opcodes `r` 1 to 15. Every answer carries the host's `errno`.

use std::io::{self, Read};
use std::sync::Arc;
use std::time::{SystemTime, UNIX_EPOCH};

use cap_std::fs::{Metadata, MetadataExt, OpenOptions, OpenOptionsExt};
use rpc_proto::{Buffer, Opcode};

use super::context::{Listing, Services, Target, recv_words};
use super::errno::{error, failure, result, status};
use super::files::{PATH_LIMIT, bounded};
use super::on;
use crate::files::{Mode, Source, Stream, Whence};
use crate::{Host, PerLane, Port, Registry};

/// A path with the word before it.
const REQUEST_LIMIT: u64 = 8 + PATH_LIMIT;

pub(super) fn register(registry: &mut Registry, services: &Arc<Services>) {
    on(registry, services, Opcode::FS_READ, read);
    on(registry, services, Opcode::FS_WRITE, write);
    on(registry, services, Opcode::FS_CLOSE, close);
    on(registry, services, Opcode::FS_READ_DIR, read_dir);
    on(registry, services, Opcode::FS_RENAME, |services, port| {
        two_paths(services, port, Services::rename_to)
    });
    on(registry, services, Opcode::FS_COPY, |services, port| {
        two_paths(services, port, Services::copy)
    });
    on(registry, services, Opcode::FS_METADATA, |services, port| {
        one_path(services, port, Services::metadata)
    });
    for (opcode, act) in [
        (Opcode::FS_OPEN, Services::open_with as OnPath),
        (Opcode::FS_CREATE_DIR, Services::create_dir),
        (Opcode::FS_REMOVE, Services::remove_what),
    ] {
        on(registry, services, opcode, move |services, port| {
            one_path(services, port, move |services, host, option, path| {
                act(services, host, option, path).map(just)
            })
        });
    }
    on(registry, services, Opcode::FS_OPEN_DIR, open_dir);
    for (opcode, act) in [
        (Opcode::FS_SEEK, seek as OnStream),
        (Opcode::FS_SYNC, sync),
        (Opcode::FS_SET_LEN, set_len),
        (Opcode::FS_FILE_METADATA, file_metadata),
    ] {
        on(registry, services, opcode, move |services, port| {
            on_stream(services, port, act)
        });
    }
}

/// What a call about one path does, given the word before the path.
type OnPath = fn(&Services, &dyn Host, u64, &[u8]) -> io::Result<u64>;

/// What a call about two paths does.
type OnPaths = fn(&Services, &dyn Host, &[u8], &[u8]) -> io::Result<u64>;

/// What a call about one stream does, given its packet.
type OnStream = fn(&mut Stream<Source>, [u64; 8]) -> io::Result<Answer>;

/// The result of a call, and the words behind it.
type Answer = (u64, [u64; 7]);

/// An answer that is no more than its result.
fn just(value: u64) -> Answer {
    (value, [0; 7])
}

/// The packet of an answer.
fn packet(outcome: io::Result<Answer>) -> Buffer {
    let (first, [a, b, c, d, e, f, g]) = outcome.unwrap_or_else(|error| just(failure(&error)));
    Buffer {
        data: [first, a, b, c, d, e, f, g],
    }
}

async fn read(services: Arc<Services>, mut port: Port) {
    let requests = recv_words(&mut port).await;
    let mut read = PerLane::new(port.mask(), Vec::new());
    let mut results = PerLane::new(port.mask(), 0);
    for lane in port.lanes() {
        let [size, number, ..] = requests[lane];
        let outcome = read_stream(&services, &port, lane, size, number).await;
        results[lane] = match outcome {
            Ok(bytes) => {
                read[lane] = bytes;
                read[lane].len() as u64
            }
            Err(error) => result(Err(error)),
        };
    }
    port.send_n(|lane| &read[lane]).await;
    port.send_word(|lane| results[lane]).await;
}

/// Reads as `read` of Linux does: what is there counts, an error only where nothing is.
async fn read_stream(services: &Services, port: &Port, lane: u32, size: u64, number: u64) -> io::Result<Vec<u8>> {
    let size = bounded(port, lane, size).ok_or_else(|| error(libc::EMSGSIZE))?;
    let Target::File(file) = services
        .target_of(port, lane, number)
        .ok_or_else(|| error(libc::EBADF))?
    else {
        return Err(error(libc::EBADF));
    };
    let waits = file.may_block();
    let bytes = services.with(&file, size, move |stream| {
        let mut bytes = Vec::new();
        // A file may have grown since its end was met.
        stream.clear();
        let read = if waits {
            stream.read_some(size, &mut bytes)
        } else {
            stream.read_through(size, &mut bytes)
        };
        match read {
            Err(error) if bytes.is_empty() => Err(error),
            _ => Ok(bytes),
        }
    });
    bytes.await.flatten()
}

async fn write(services: Arc<Services>, mut port: Port) {
    let numbers = port.recv_word().await;
    let mut received = port.recv_n(port.stream_limit()).await;
    let mut results = PerLane::new(port.mask(), 0);
    for lane in port.lanes() {
        let written = match std::mem::replace(&mut received[lane], Ok(Vec::new())) {
            Err(_) => Err(error(libc::EMSGSIZE)),
            Ok(bytes) => match services.target_of(&port, lane, numbers[lane]) {
                None => Err(error(libc::EBADF)),
                Some(target) => match services.write(&port, &target, bytes, Stream::write_through).await {
                    (0, Err(error)) => Err(error),
                    (count, _) => Ok(count as u64),
                },
            },
        };
        results[lane] = result(written);
    }
    port.send_word(|lane| results[lane]).await;
}

async fn close(services: Arc<Services>, mut port: Port) {
    let numbers = port.recv_word().await;
    let mut results = PerLane::new(port.mask(), 0);
    for lane in port.lanes() {
        if services.directories.remove(numbers[lane]).is_ok() {
            continue;
        }
        let closed = services.close(&port, lane, numbers[lane]).await;
        results[lane] = status(closed.unwrap_or_else(|| Err(error(libc::EBADF))));
    }
    port.send_word(|lane| results[lane]).await;
}

/// A call that sends a word and a path.
async fn one_path(
    services: Arc<Services>,
    mut port: Port,
    act: impl Fn(&Services, &dyn Host, u64, &[u8]) -> io::Result<Answer> + Clone + Send + 'static,
) {
    let requests = port.recv_n(REQUEST_LIMIT).await;
    let mut answers = PerLane::new(port.mask(), Buffer::default());
    for lane in port.lanes() {
        let outcome = match requests[lane].as_deref() {
            Err(_) => Err(error(libc::ENAMETOOLONG)),
            Ok(request) => match request.split_first_chunk() {
                None => Err(error(libc::EINVAL)),
                Some((option, path)) => {
                    let (option, path) = (u64::from_le_bytes(*option), path.to_vec());
                    let (services, host, act) = (services.clone(), port.host(), act.clone());
                    services
                        .workers
                        .clone()
                        .run(move || act(&services, &*host, option, &path))
                        .await
                        .flatten()
                }
            },
        };
        answers[lane] = packet(outcome);
    }
    port.send(|lane| answers[lane]).await;
}

/// A call that sends two paths.
async fn two_paths(services: Arc<Services>, mut port: Port, act: OnPaths) {
    let from = port.recv_n(PATH_LIMIT).await;
    let to = port.recv_n(PATH_LIMIT).await;
    let mut results = PerLane::new(port.mask(), 0);
    for lane in port.lanes() {
        let outcome = match (&from[lane], &to[lane]) {
            (Ok(from), Ok(to)) => {
                let (services, host, from, to) = (services.clone(), port.host(), from.clone(), to.clone());
                services
                    .workers
                    .clone()
                    .run(move || act(&services, &*host, &from, &to))
                    .await
                    .flatten()
            }
            _ => Err(error(libc::ENAMETOOLONG)),
        };
        results[lane] = result(outcome);
    }
    port.send_word(|lane| results[lane]).await;
}

/// A call whose packet names a stream in word 0.
async fn on_stream(services: Arc<Services>, mut port: Port, act: OnStream) {
    let requests = recv_words(&mut port).await;
    let mut answers = PerLane::new(port.mask(), Buffer::default());
    for lane in port.lanes() {
        let words = requests[lane];
        let outcome = match services.target_of(&port, lane, words[0]) {
            None => Err(error(libc::EBADF)),
            // Whatever a program asks of standard output, it is a stream that can be flushed and no more.
            Some(Target::Output(_)) if port.opcode() == Opcode::FS_SYNC => port.host().flush().map(|()| just(0)),
            Some(Target::Output(_)) => Err(error(libc::ESPIPE)),
            // The size stands for a while that only a thread may take: a sync waits for the medium.
            Some(Target::File(file)) => {
                let size = if port.opcode() == Opcode::FS_SYNC && words[1] > 0 {
                    usize::MAX
                } else {
                    0
                };
                services
                    .with(&file, size, move |stream| act(stream, words))
                    .await
                    .flatten()
            }
        };
        answers[lane] = packet(outcome);
    }
    port.send(|lane| answers[lane]).await;
}

fn seek(stream: &mut Stream<Source>, [_, offset, whence, ..]: [u64; 8]) -> io::Result<Answer> {
    let whence = Whence::from_number(whence).ok_or_else(|| error(libc::EINVAL))?;
    let position = match (offset, whence) {
        // Asking where one is throws nothing away.
        (0, Whence::Current) => stream.tell()?,
        _ => stream.seek(offset as i64, whence)?,
    };
    Ok(just(position))
}

fn sync(stream: &mut Stream<Source>, [_, how, ..]: [u64; 8]) -> io::Result<Answer> {
    match (how, stream.medium()?) {
        (0, _) => {}
        (1, Source::File(file)) => file.sync_data()?,
        (2, Source::File(file)) => file.sync_all()?,
        _ => return Err(error(libc::EINVAL)),
    }
    Ok(just(0))
}

fn set_len(stream: &mut Stream<Source>, [_, size, ..]: [u64; 8]) -> io::Result<Answer> {
    match stream.medium()? {
        Source::File(file) => file.set_len(size).map(|()| just(0)),
        _ => Err(error(libc::EINVAL)),
    }
}

fn file_metadata(stream: &mut Stream<Source>, _: [u64; 8]) -> io::Result<Answer> {
    match stream.medium()? {
        Source::File(file) => Metadata::from_file(file).map(|metadata| (0, words(&metadata))),
        Source::Memory(bytes) => {
            let size = bytes.get_ref().len() as u64;
            Ok((0, [FILE, size, 0o400, UNKNOWN_TIME, UNKNOWN_TIME, UNKNOWN_TIME, 0]))
        }
        Source::Stdin(_) => Ok((0, [OTHER, 0, 0o400, UNKNOWN_TIME, UNKNOWN_TIME, UNKNOWN_TIME, 0])),
    }
}

const FILE: u64 = 1;
const DIRECTORY: u64 = 2;
const LINK: u64 = 3;
const OTHER: u64 = 4;
const UNKNOWN_TIME: u64 = i64::MIN as u64;

fn kind(kind: cap_std::fs::FileType) -> u64 {
    match () {
        () if kind.is_file() => FILE,
        () if kind.is_dir() => DIRECTORY,
        () if kind.is_symlink() => LINK,
        () => OTHER,
    }
}

/// Kind, size, mode, modified, accessed, created, links.
fn words(metadata: &Metadata) -> [u64; 7] {
    let time =
        |time: io::Result<cap_std::time::SystemTime>| time.map_or(UNKNOWN_TIME, |time| nanoseconds(time.into_std()));
    [
        kind(metadata.file_type()),
        metadata.len(),
        metadata.mode().into(),
        time(metadata.modified()),
        time(metadata.accessed()),
        time(metadata.created()),
        metadata.nlink(),
    ]
}

/// Nanoseconds since 1970, negative before.
fn nanoseconds(time: SystemTime) -> u64 {
    let since = match time.duration_since(UNIX_EPOCH) {
        Ok(after) => i64::try_from(after.as_nanos()).ok(),
        Err(before) => i64::try_from(before.duration().as_nanos())
            .ok()
            .map(|nanoseconds| -nanoseconds),
    };
    since.map_or(UNKNOWN_TIME, |nanoseconds| nanoseconds as u64)
}

async fn open_dir(services: Arc<Services>, mut port: Port) {
    let paths = port.recv_n(PATH_LIMIT).await;
    let mut results = PerLane::new(port.mask(), 0);
    for lane in port.lanes() {
        let outcome = match paths[lane].clone() {
            Err(_) => Err(error(libc::ENAMETOOLONG)),
            Ok(path) => {
                let (services, host) = (services.clone(), port.host());
                services
                    .workers
                    .clone()
                    .run(move || services.open_dir(&*host, &path))
                    .await
                    .flatten()
            }
        };
        results[lane] = result(outcome);
    }
    port.send_word(|lane| results[lane]).await;
}

async fn read_dir(services: Arc<Services>, mut port: Port) {
    let requests = recv_words(&mut port).await;
    let mut entries = PerLane::new(port.mask(), Vec::new());
    let mut results = PerLane::new(port.mask(), 0);
    for lane in port.lanes() {
        let [size, number, ..] = requests[lane];
        let outcome = match (bounded(&port, lane, size), services.directory_of(&port, lane, number)) {
            (Some(size), Some(listing)) => services.workers.run(move || listing.next(size)).await.flatten(),
            (None, _) => Err(error(libc::EINVAL)),
            (_, None) => Err(error(libc::EBADF)),
        };
        results[lane] = match outcome {
            Ok(bytes) => {
                entries[lane] = bytes;
                entries[lane].len() as u64
            }
            Err(error) => result(Err(error)),
        };
    }
    port.send_n(|lane| &entries[lane]).await;
    port.send_word(|lane| results[lane]).await;
}

/// The largest entry: kind, length, and a name of Linux's `NAME_MAX`.
const LARGEST_ENTRY: usize = 2 + 255;

impl Listing {
    /// As many whole entries as go into `size` bytes; none at the end.
    fn next(&self, size: usize) -> io::Result<Vec<u8>> {
        if size < LARGEST_ENTRY {
            return Err(error(libc::EINVAL));
        }
        let mut listing = self.lock();
        let mut entries = Vec::new();
        while size - entries.len() >= LARGEST_ENTRY {
            let Some(entry) = listing.next() else { break };
            let entry = match entry {
                Ok(entry) => entry,
                // The entries before the error count; it comes again, or never.
                Err(_) if !entries.is_empty() => break,
                Err(error) => return Err(error),
            };
            let name = entry.file_name();
            let name = name.as_encoded_bytes();
            let Ok(length) = u8::try_from(name.len()) else { continue };
            entries.extend([entry.file_type().map_or(OTHER, kind) as u8, length]);
            entries.extend_from_slice(name);
        }
        Ok(entries)
    }
}

impl Services {
    fn open_with(&self, host: &dyn Host, options: u64, path: &[u8]) -> io::Result<u64> {
        const READ: u64 = 1;
        const WRITE: u64 = 2;
        const APPEND: u64 = 4;
        const TRUNCATE: u64 = 8;
        const CREATE: u64 = 16;
        const CREATE_NEW: u64 = 32;
        let has = |bit| options & bit != 0;
        let writes = has(WRITE) || has(APPEND);
        let wrong = options > 63
            || !(has(READ) || writes)
            || (!writes && options > READ)
            || (has(APPEND) && has(TRUNCATE) && !has(CREATE_NEW));
        if wrong {
            return Err(error(libc::EINVAL));
        }
        let mode = Mode {
            read: has(READ),
            write: writes,
            append: has(APPEND),
            truncate: has(TRUNCATE) && !has(CREATE_NEW),
            create: has(CREATE),
            exclusive: has(CREATE_NEW),
        };
        self.open(host, path, mode)
    }

    fn metadata(&self, host: &dyn Host, follow: u64, path: &[u8]) -> io::Result<Answer> {
        let metadata = self.at(host, path, |place| place.metadata(follow != 0))?;
        Ok((0, words(&metadata)))
    }

    fn create_dir(&self, host: &dyn Host, parents: u64, path: &[u8]) -> io::Result<u64> {
        self.at(host, path, |place| match parents {
            0 => place.create_dir(),
            _ => place.create_dir_all(),
        })?;
        Ok(0)
    }

    fn remove_what(&self, host: &dyn Host, what: u64, path: &[u8]) -> io::Result<u64> {
        self.at(host, path, |place| match what {
            0 => place.remove_file(),
            1 => place.remove_dir(),
            2 => place.remove_dir_all(),
            _ => Err(error(libc::EINVAL)),
        })?;
        Ok(0)
    }

    fn rename_to(&self, host: &dyn Host, from: &[u8], to: &[u8]) -> io::Result<u64> {
        self.rename(host, from, to).map(|()| 0)
    }

    fn copy(&self, host: &dyn Host, from: &[u8], to: &[u8]) -> io::Result<u64> {
        let (from, source) = self.at(host, from, |place| {
            let file = place.open(OpenOptions::new().read(true))?;
            let metadata = file.metadata()?;
            Ok((file, metadata))
        })?;
        if !source.is_file() {
            return Err(error(libc::EINVAL));
        }
        let (to, target) = self.at(host, to, |place| {
            let mut options = OpenOptions::new();
            options.write(true).create(true).mode(source.mode());
            let file = place.open(&options)?;
            let metadata = file.metadata()?;
            Ok((file, metadata))
        })?;
        // Emptied only now that it is known to be another file: `a` may be known as `./a`, too.
        if (source.dev(), source.ino()) == (target.dev(), target.ino()) {
            return Err(error(libc::EINVAL));
        }
        if target.is_file() {
            to.set_len(0)?;
            to.set_permissions(source.permissions())?;
        }
        // As much as there was at the start: another thread may be writing on. (`Dir::copy` never ends where it finds less.)
        io::copy(&mut from.into_std().take(source.len()), &mut to.into_std())
    }

    fn open_dir(&self, host: &dyn Host, path: &[u8]) -> io::Result<u64> {
        let entries = self.at(host, path, |place| place.read_dir())?;
        match self.directories.insert(Listing::new(entries)) {
            Ok(handle) => Ok(handle.number()),
            Err(_) => Err(error(libc::EMFILE)),
        }
    }
}
