//! Random sequences of calls of class `r` on open files, several on the same one, compared with what `std::fs::File` answers to the same
//! in a folder beside: each answer, each error, and what lies there after each step. (Names are compared in `names.rs`, C's streams in
//! `files.rs`.)

mod peer;

use std::fs::{self, File, OpenOptions};
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use host_server::services::Services;
use host_server::{Grants, Opcode, RecordingHost};
use peer::open::{APPEND, CREATE, CREATE_NEW, READ, TRUNCATE, WRITE};
use peer::{Device, folder};
use proptest::prelude::*;

/// What to do with the file in a slot.
#[derive(Clone, Debug)]
enum Operation {
    /// With these options of FS_OPEN; what the slot had is closed before.
    Open(usize, u64, &'static str),
    Close(usize),
    Read(usize, usize),
    Write(usize, Vec<u8>),
    Seek(usize, SeekFrom),
    SetLen(usize, u64),
    /// The size.
    Metadata(usize),
    /// Data, or all.
    Sync(usize, bool),
    /// The size by name.
    Size(&'static str),
}

/// What an operation came to: bytes and numbers, or an `errno`.
type Answer = Result<Vec<u8>, i32>;

/// Few, so that several slots have the same file.
const NAMES: [&str; 2] = ["a", "b"];
const SLOTS: usize = 3;

fn operation() -> impl Strategy<Value = Operation> {
    let slot = || 0..SLOTS;
    let name = || proptest::sample::select(&NAMES[..]);
    // Around what the host might hold back or read ahead.
    let size =
        || prop_oneof![4 => 1usize..50, 1 => 4000usize..4200, 1 => 16_000usize..40_000, 1 => 70_000usize..140_000];
    let likely = proptest::sample::select(vec![
        READ,
        READ | WRITE,
        READ | WRITE | CREATE,
        WRITE | CREATE | TRUNCATE,
        APPEND,
        READ | APPEND,
    ]);
    let to = prop_oneof![
        (0u64..60_000).prop_map(SeekFrom::Start),
        (-30_000i64..30_000).prop_map(SeekFrom::Current),
        (-30_000i64..3000).prop_map(SeekFrom::End),
        Just(SeekFrom::Current(0)),
    ];
    prop_oneof![
        3 => (slot(), prop_oneof![4 => likely, 1 => 0u64..64], name())
            .prop_map(|(slot, options, name)| Operation::Open(slot, options, name)),
        1 => slot().prop_map(Operation::Close),
        5 => (slot(), size()).prop_map(|(slot, size)| Operation::Read(slot, size)),
        5 => (slot(), size(), any::<u8>()).prop_map(|(slot, size, start)| {
            Operation::Write(slot, (0..size).map(|at| (at as u8).wrapping_mul(7).wrapping_add(start)).collect())
        }),
        3 => (slot(), to).prop_map(|(slot, to)| Operation::Seek(slot, to)),
        1 => (slot(), 0u64..50_000).prop_map(|(slot, size)| Operation::SetLen(slot, size)),
        1 => slot().prop_map(Operation::Metadata),
        1 => (slot(), any::<bool>()).prop_map(|(slot, data)| Operation::Sync(slot, data)),
        1 => name().prop_map(Operation::Size),
    ]
}

const CLOSED: i32 = libc::EBADF;

/// The host's own files.
struct Theirs {
    folder: PathBuf,
    slots: [Option<File>; SLOTS],
}

impl Theirs {
    fn answer(&mut self, operation: &Operation) -> Answer {
        if let Operation::Open(slot, ..) | Operation::Close(slot) = *operation {
            self.slots[slot] = None;
        }
        self.act(operation)
            .map_err(|error| error.raw_os_error().unwrap_or(libc::EINVAL))
    }

    fn at(&mut self, slot: usize) -> io::Result<&mut File> {
        let closed = || io::Error::from_raw_os_error(CLOSED);
        self.slots[slot].as_mut().ok_or_else(closed)
    }

    fn act(&mut self, operation: &Operation) -> io::Result<Vec<u8>> {
        let number = |number: u64| number.to_le_bytes().to_vec();
        Ok(match *operation {
            Operation::Open(slot, options, name) => {
                let has = |bit| options & bit != 0;
                let mut file = OpenOptions::new()
                    .read(has(READ))
                    .write(has(WRITE))
                    .append(has(APPEND))
                    .truncate(has(TRUNCATE))
                    .create(has(CREATE))
                    .create_new(has(CREATE_NEW))
                    .open(self.folder.join(name))?;
                if has(APPEND) && !has(READ) {
                    // Where nothing is read the position is where the bytes go, as C's libraries have it.
                    file.seek(SeekFrom::End(0))?;
                }
                self.slots[slot] = Some(file);
                Vec::new()
            }
            Operation::Close(_) => Vec::new(),
            Operation::Read(slot, size) => {
                let mut bytes = vec![0; size];
                let count = self.at(slot)?.read(&mut bytes)?;
                bytes.truncate(count);
                bytes
            }
            Operation::Write(slot, ref bytes) => number(self.at(slot)?.write(bytes)? as u64),
            Operation::Seek(slot, to) => number(self.at(slot)?.seek(to)?),
            Operation::SetLen(slot, size) => self.at(slot)?.set_len(size).map(|()| Vec::new())?,
            Operation::Metadata(slot) => number(self.at(slot)?.metadata()?.len()),
            Operation::Sync(slot, true) => self.at(slot)?.sync_data().map(|()| Vec::new())?,
            Operation::Sync(slot, false) => self.at(slot)?.sync_all().map(|()| Vec::new())?,
            Operation::Size(name) => number(fs::metadata(self.folder.join(name))?.len()),
        })
    }
}

/// The same through the server.
struct Ours {
    device: Device,
    slots: [u64; SLOTS],
}

impl Ours {
    fn new(folder: &Path) -> Self {
        let mut grants = Grants::none();
        grants.directory(folder, Some(Path::new("/data"))).unwrap();
        let services = Services::new(grants);
        Self {
            device: Device::new(1, 1, RecordingHost::default(), services.registry()),
            slots: [0; SLOTS],
        }
    }

    fn ask(&self, opcode: Opcode, words: [u64; 3]) -> Result<[u64; 8], i32> {
        checked(self.device.open(0, opcode, 1).send_words(|_| words).recv()[0].data)
    }

    fn path(&self, opcode: Opcode, option: u64, name: &str) -> Result<[u64; 8], i32> {
        let request = [&option.to_le_bytes(), format!("/data/{name}").as_bytes()].concat();
        checked(self.device.open(0, opcode, 1).send_n(&[request]).recv()[0].data)
    }

    fn answer(&mut self, operation: &Operation) -> Answer {
        let number = |words: [u64; 8]| words[0].to_le_bytes().to_vec();
        if let Operation::Open(slot, ..) | Operation::Close(slot) = *operation {
            let open = std::mem::take(&mut self.slots[slot]);
            let closed = self.ask(Opcode::FS_CLOSE, [open, 0, 0]);
            assert_eq!(closed.is_ok(), open != 0);
        }
        let at = |slot: usize| self.slots[slot];
        match *operation {
            Operation::Open(slot, options, name) => {
                self.slots[slot] = self.path(Opcode::FS_OPEN, options, name)?[0];
                Ok(Vec::new())
            }
            Operation::Close(_) => Ok(Vec::new()),
            Operation::Read(slot, size) => {
                let mut call = self.device.open(0, Opcode::FS_READ, 1);
                call.send_words(|_| [size as u64, at(slot)]);
                let bytes = call.recv_n().concat();
                let [count, ..] = checked(call.recv()[0].data)?;
                assert_eq!(count, bytes.len() as u64);
                Ok(bytes)
            }
            Operation::Write(slot, ref bytes) => {
                let mut call = self.device.open(0, Opcode::FS_WRITE, 1);
                call.send_words(|_| [at(slot)]).send_n(&[bytes]);
                checked(call.recv()[0].data).map(number)
            }
            Operation::Seek(slot, to) => {
                let (offset, whence) = match to {
                    SeekFrom::Start(offset) => (offset, 0),
                    SeekFrom::Current(offset) => (offset as u64, 1),
                    SeekFrom::End(offset) => (offset as u64, 2),
                };
                self.ask(Opcode::FS_SEEK, [at(slot), offset, whence]).map(number)
            }
            Operation::SetLen(slot, size) => self.ask(Opcode::FS_SET_LEN, [at(slot), size, 0]).map(|_| Vec::new()),
            Operation::Metadata(slot) => {
                let words = self.ask(Opcode::FS_FILE_METADATA, [at(slot), 0, 0])?;
                Ok(words[2].to_le_bytes().to_vec())
            }
            Operation::Sync(slot, data) => self
                .ask(Opcode::FS_SYNC, [at(slot), if data { 1 } else { 2 }, 0])
                .map(|_| Vec::new()),
            Operation::Size(name) => Ok(self.path(Opcode::FS_METADATA, 1, name)?[2].to_le_bytes().to_vec()),
        }
    }
}

fn checked(words: [u64; 8]) -> Result<[u64; 8], i32> {
    match words[0] as i64 {
        0.. => Ok(words),
        error => Err(-error as i32),
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 150, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn open_files_do_what_the_hosts_own_do(operations in proptest::collection::vec(operation(), 1..60)) {
        let (mine, other) = (folder("open-ours"), folder("open-theirs"));
        for folder in [&mine, &other] {
            fs::write(folder.join(NAMES[0]), "what was there before\n".repeat(1000)).unwrap();
        }
        let (mut ours, mut theirs) = (Ours::new(&mine), Theirs { folder: other.clone(), slots: Default::default() });
        for operation in &operations {
            let (our_answer, their_answer) = (ours.answer(operation), theirs.answer(operation));
            prop_assert!(our_answer == their_answer, "{operation:?}: {}, not {}", short(&our_answer), short(&their_answer));
            for name in NAMES {
                let (mine, other) = (fs::read(mine.join(name)).ok(), fs::read(other.join(name)).ok());
                prop_assert!(mine == other, "{name} after {operation:?}");
            }
        }
    }
}

fn short(answer: &Answer) -> String {
    match answer {
        Ok(bytes) => format!("{} bytes {:?}", bytes.len(), &bytes[..bytes.len().min(16)]),
        Err(errno) => format!("errno {errno}"),
    }
}
