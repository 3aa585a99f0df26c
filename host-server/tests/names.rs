//! Random sequences of calls about names, compared with what `std::fs` answers to the same in a folder beside: results, errors, and what
//! lies there in the end. (What happens in one open file is compared in `files.rs`.)

mod peer;

use std::collections::BTreeMap;
use std::fs;
use std::io::{self, Read, Write};
use std::os::unix::fs::{MetadataExt, OpenOptionsExt};
use std::path::{Path, PathBuf};

use host_server::services::Services;
use host_server::{Grants, Opcode, RecordingHost};
use peer::open::{APPEND, CREATE, CREATE_NEW, READ, TRUNCATE, WRITE};
use peer::{Device, folder};
use proptest::prelude::*;

#[derive(Clone, Debug)]
enum Operation {
    /// Options as FS_OPEN has them, and bytes to write where that is allowed. The answer is what can be read afterwards.
    Open(u64, &'static str, Vec<u8>),
    CreateDir(bool, &'static str),
    RemoveFile(&'static str),
    RemoveDir(&'static str),
    RemoveAll(&'static str),
    Rename(&'static str, &'static str),
    Copy(&'static str, &'static str),
    /// Kind and size.
    Metadata(bool, &'static str),
    List(&'static str),
}

/// What an operation came to: bytes and numbers, or an `errno`.
type Answer = Result<Vec<u8>, i32>;

/// Few names, so that they meet; some end as only directories' do.
const NAMES: &[&str] = &[
    "a",
    "b",
    "d",
    "d/a",
    "d/b",
    "d/e",
    "d/e/a",
    "./a",
    "d/../b",
    "link",
    "d/link/a",
    "no/a",
    "a/",
    "b/",
    "d/",
    "link/",
    "d/e//",
    "a/.",
    "d/.",
    "link/.",
    "d/e/..",
    "link/..",
    "link/e/../..",
];

fn operation() -> impl Strategy<Value = Operation> {
    let name = || proptest::sample::select(NAMES);
    prop_oneof![
        6 => (0..64u64, name(), proptest::collection::vec(any::<u8>(), 0..100))
            .prop_map(|(options, name, bytes)| Operation::Open(options, name, bytes)),
        3 => (any::<bool>(), name()).prop_map(|(parents, name)| Operation::CreateDir(parents, name)),
        2 => name().prop_map(Operation::RemoveFile),
        2 => name().prop_map(Operation::RemoveDir),
        1 => name().prop_map(Operation::RemoveAll),
        3 => (name(), name()).prop_map(|(from, to)| Operation::Rename(from, to)),
        2 => (name(), name()).prop_map(|(from, to)| Operation::Copy(from, to)),
        2 => (any::<bool>(), name()).prop_map(|(follow, name)| Operation::Metadata(follow, name)),
        1 => name().prop_map(Operation::List),
    ]
}

/// A folder with something in it. Its links start where they are, or all at the root.
fn furnished(name: &str, absolute: bool) -> PathBuf {
    let folder = folder(name);
    fs::create_dir_all(folder.join("d/e")).unwrap();
    fs::write(folder.join("a"), "first").unwrap();
    let from = |at: &str| if absolute { folder.join(at) } else { PathBuf::new() };
    std::os::unix::fs::symlink(from("").join("d"), folder.join("link")).unwrap();
    std::os::unix::fs::symlink(from("d").join("e"), folder.join("d/link")).unwrap();
    folder
}

/// All that lies in a folder: kinds and contents.
fn tree(folder: &Path) -> BTreeMap<PathBuf, (u64, Vec<u8>)> {
    let mut seen = BTreeMap::new();
    let mut folders = vec![folder.to_owned()];
    while let Some(at) = folders.pop() {
        for entry in fs::read_dir(at).unwrap() {
            let entry = entry.unwrap();
            let path = entry.path();
            let kind = kind(entry.file_type().unwrap());
            if kind == 2 {
                folders.push(path.clone());
            }
            let bytes = if kind == 1 {
                fs::read(&path).unwrap()
            } else {
                Vec::new()
            };
            seen.insert(path.strip_prefix(folder).unwrap().to_owned(), (kind, bytes));
        }
    }
    seen
}

fn kind(kind: fs::FileType) -> u64 {
    match () {
        () if kind.is_file() => 1,
        () if kind.is_dir() => 2,
        () if kind.is_symlink() => 3,
        () => 4,
    }
}

fn numbers(words: &[u64]) -> Vec<u8> {
    words.iter().flat_map(|word| word.to_le_bytes()).collect()
}

/// The host's own answer.
fn theirs(folder: &Path, operation: &Operation) -> Answer {
    let at = |name: &str| folder.join(name);
    let answer: io::Result<Vec<u8>> = match operation {
        Operation::Open(options, name, bytes) => (|| {
            let has = |bit| options & bit != 0;
            let mut file = fs::OpenOptions::new()
                .read(has(READ))
                .write(has(WRITE))
                .append(has(APPEND))
                .truncate(has(TRUNCATE))
                .create(has(CREATE))
                .create_new(has(CREATE_NEW))
                .custom_flags(libc::O_CLOEXEC)
                .open(at(name))?;
            if has(WRITE | APPEND) {
                file.write_all(bytes)?;
            }
            let mut rest = Vec::new();
            if has(READ) {
                file.read_to_end(&mut rest)?;
            }
            Ok(rest)
        })(),
        Operation::CreateDir(false, name) => fs::create_dir(at(name)).map(|()| Vec::new()),
        Operation::CreateDir(true, name) => fs::create_dir_all(at(name)).map(|()| Vec::new()),
        Operation::RemoveFile(name) => fs::remove_file(at(name)).map(|()| Vec::new()),
        Operation::RemoveDir(name) => fs::remove_dir(at(name)).map(|()| Vec::new()),
        // `std` empties what it then finds that it cannot remove; the server refuses.
        Operation::RemoveAll(name) if name.ends_with('.') || name.ends_with("link/") => match fs::metadata(at(name)) {
            Ok(_) => Err(io::Error::from_raw_os_error(if name.ends_with('.') {
                libc::EINVAL
            } else {
                libc::ENOTDIR
            })),
            Err(error) => Err(error),
        },
        Operation::RemoveAll(name) => fs::remove_dir_all(at(name)).map(|()| Vec::new()),
        Operation::Rename(from, to) => fs::rename(at(from), at(to)).map(|()| Vec::new()),
        // `std` empties a file that is copied onto itself; the server refuses.
        Operation::Copy(from, to) if same_file(&at(from), &at(to)) => Err(io::Error::from_raw_os_error(libc::EINVAL)),
        Operation::Copy(from, to) => fs::copy(at(from), at(to)).map(|count| numbers(&[count])),
        Operation::Metadata(follow, name) => {
            let metadata = if *follow {
                fs::metadata(at(name))
            } else {
                fs::symlink_metadata(at(name))
            };
            metadata.map(|metadata| {
                let kind = kind(metadata.file_type());
                numbers(&[kind, if kind == 1 { metadata.len() } else { 0 }])
            })
        }
        Operation::List(name) => fs::read_dir(at(name)).map(|entries| {
            let mut names: Vec<_> = entries
                .map(|entry| entry.unwrap().file_name().into_string().unwrap())
                .collect();
            names.sort();
            names.join("\n").into_bytes()
        }),
    };
    answer.map_err(|error| error.raw_os_error().unwrap_or(libc::EINVAL))
}

fn same_file(a: &Path, b: &Path) -> bool {
    let number = |path| {
        fs::metadata(path)
            .ok()
            .filter(fs::Metadata::is_file)
            .map(|file| file.ino())
    };
    number(a).is_some() && number(a) == number(b)
}

/// The same through the server.
struct Ours {
    device: Device,
    /// The folder, as the program knows it.
    at: String,
}

impl Ours {
    fn new(folder: &Path, everything: bool) -> Self {
        let mut grants = Grants::none();
        let at = if everything {
            grants.directory(Path::new("/"), None).unwrap();
            folder.to_str().unwrap()
        } else {
            grants.directory(folder, Some(Path::new("/data"))).unwrap();
            "/data"
        };
        Self {
            device: Device::new(1, 1, RecordingHost::default(), Services::new(grants).registry()),
            at: at.to_owned(),
        }
    }

    fn path(&self, opcode: Opcode, option: u64, name: &str) -> Result<[u64; 8], i32> {
        let request = [&option.to_le_bytes(), format!("{}/{name}", self.at).as_bytes()].concat();
        let words = self.device.open(0, opcode, 1).send_n(&[request]).recv()[0].data;
        match words[0] as i64 {
            0.. => Ok(words),
            error => Err(-error as i32),
        }
    }

    fn two(&self, opcode: Opcode, from: &str, to: &str) -> Result<u64, i32> {
        let mut call = self.device.open(0, opcode, 1);
        call.send_n(&[format!("{}/{from}", self.at)])
            .send_n(&[format!("{}/{to}", self.at)]);
        match call.recv_word()[0] as i64 {
            result @ 0.. => Ok(result as u64),
            error => Err(-error as i32),
        }
    }

    /// Reads a file, or lists a directory, to the end.
    fn drain(&self, opcode: Opcode, handle: u64) -> Result<Vec<u8>, i32> {
        let mut bytes = Vec::new();
        loop {
            let mut call = self.device.open(0, opcode, 1);
            call.send_words(|_| [4096, handle]);
            let piece = call.recv_n().concat();
            match call.recv_word()[0] as i64 {
                0 => return Ok(bytes),
                1.. => bytes.extend(piece),
                error => return Err(-error as i32),
            }
        }
    }

    fn close(&self, handle: u64) {
        let mut call = self.device.open(0, Opcode::FS_CLOSE, 1);
        assert_eq!(call.send_words(|_| [handle]).recv_word(), [0]);
    }

    fn answer(&self, operation: &Operation) -> Answer {
        match operation {
            Operation::Open(options, name, bytes) => {
                let file = self.path(Opcode::FS_OPEN, *options, name)?[0];
                if options & (WRITE | APPEND) != 0 {
                    let mut call = self.device.open(0, Opcode::FS_WRITE, 1);
                    call.send_words(|_| [file]).send_n(&[bytes]);
                    assert_eq!(call.recv_word(), [bytes.len() as u64]);
                }
                let rest = match options & READ {
                    0 => Ok(Vec::new()),
                    _ => self.drain(Opcode::FS_READ, file),
                };
                self.close(file);
                rest
            }
            Operation::CreateDir(parents, name) => self
                .path(Opcode::FS_CREATE_DIR, u64::from(*parents), name)
                .map(|_| Vec::new()),
            Operation::RemoveFile(name) => self.path(Opcode::FS_REMOVE, 0, name).map(|_| Vec::new()),
            Operation::RemoveDir(name) => self.path(Opcode::FS_REMOVE, 1, name).map(|_| Vec::new()),
            Operation::RemoveAll(name) => self.path(Opcode::FS_REMOVE, 2, name).map(|_| Vec::new()),
            Operation::Rename(from, to) => self.two(Opcode::FS_RENAME, from, to).map(|_| Vec::new()),
            Operation::Copy(from, to) => self.two(Opcode::FS_COPY, from, to).map(|count| numbers(&[count])),
            Operation::Metadata(follow, name) => {
                let [_, kind, size, ..] = self.path(Opcode::FS_METADATA, u64::from(*follow), name)?;
                Ok(numbers(&[kind, if kind == 1 { size } else { 0 }]))
            }
            Operation::List(name) => {
                let mut call = self.device.open(0, Opcode::FS_OPEN_DIR, 1);
                let directory = call.send_n(&[format!("{}/{name}", self.at)]).recv_word()[0] as i64;
                if directory < 0 {
                    return Err(-directory as i32);
                }
                let entries = self.drain(Opcode::FS_READ_DIR, directory as u64)?;
                self.close(directory as u64);
                let mut names = Vec::new();
                let mut rest = entries.as_slice();
                while let [_, length, more @ ..] = rest {
                    let (name, more) = more.split_at(usize::from(*length));
                    names.push(String::from_utf8(name.to_vec()).unwrap());
                    rest = more;
                }
                names.sort();
                Ok(names.join("\n").into_bytes())
            }
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 200, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn names_do_what_the_hosts_own_do(operations in proptest::collection::vec(operation(), 1..40), everything: bool) {
        let (mine, other) = (furnished("names-ours", everything), furnished("names-theirs", everything));
        let ours = Ours::new(&mine, everything);
        for operation in &operations {
            let (ours, theirs) = (ours.answer(operation), theirs(&other, operation));
            prop_assert_eq!(ours, theirs, "{:?}", operation);
            prop_assert_eq!(tree(&mine), tree(&other), "after {:?}", operation);
        }
    }
}
