//! Every opcode of class `r`, for 1, 32 and 64 lanes, each lane with its own data.

mod peer;

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Instant, SystemTime, UNIX_EPOCH};

use host_server::functions::HostFunctions;
use host_server::services::Services;
use host_server::{Buffer, Grants, Opcode, RecordingHost};
use peer::{Device, folder};

const GROUPS: [(u32, u64); 4] = [(1, 1), (32, 0xFFFF_FFFF), (64, u64::MAX), (64, 0x8000_0100_0030_0005)];

const READ: u64 = 1;
const WRITE: u64 = 2;
const APPEND: u64 = 4;
const TRUNCATE: u64 = 8;
const CREATE: u64 = 16;
const CREATE_NEW: u64 = 32;

struct Bench {
    device: Device,
    folder: PathBuf,
    mask: u64,
}

impl Bench {
    fn each(name: &str, test: impl Fn(&Self)) {
        Self::each_with(name, |_| {}, HostFunctions::new(), test);
    }

    fn each_with(name: &str, grant: impl Fn(&mut Grants), functions: HostFunctions, test: impl Fn(&Self)) {
        for (lanes, mask) in GROUPS {
            let folder = folder(&format!("std-{name}-{lanes}-{mask:x}"));
            let mut grants = Grants::none();
            grants.directory(&folder, Some(Path::new("/data"))).unwrap();
            grant(&mut grants);
            let services = Services::with_functions(grants, functions.clone());
            let device = Device::new(1, lanes, RecordingHost::default(), Arc::clone(&services).registry());
            test(&Self { device, folder, mask });
        }
    }

    fn of<T>(&self, value: impl FnMut(usize) -> T) -> Vec<T> {
        (0..self.mask.count_ones() as usize).map(value).collect()
    }

    fn call(&self, opcode: Opcode) -> peer::Call<'_> {
        self.device.open(0, opcode, self.mask)
    }

    /// A call that sends a word and a path, and brings a packet back.
    fn path(&self, opcode: Opcode, option: u64, path: impl Fn(usize) -> String) -> Vec<[i64; 8]> {
        let mut call = self.call(opcode);
        call.send_n(&self.of(|lane| [&option.to_le_bytes(), path(lane).as_bytes()].concat()));
        words(call.recv())
    }

    fn result(&self, opcode: Opcode, option: u64, path: impl Fn(usize) -> String) -> Vec<i64> {
        self.path(opcode, option, path).iter().map(|words| words[0]).collect()
    }

    fn open(&self, options: u64, path: impl Fn(usize) -> String) -> Vec<u64> {
        self.result(Opcode::FS_OPEN, options, path)
            .iter()
            .map(|&file| u64::try_from(file).unwrap())
            .collect()
    }

    fn ask<const N: usize>(&self, opcode: Opcode, request: impl FnMut(usize) -> [u64; N]) -> Vec<[i64; 8]> {
        let mut call = self.call(opcode);
        call.send_words(request);
        words(call.recv())
    }

    fn first<const N: usize>(&self, opcode: Opcode, request: impl FnMut(usize) -> [u64; N]) -> Vec<i64> {
        self.ask(opcode, request).iter().map(|words| words[0]).collect()
    }

    fn two(&self, opcode: Opcode, from: impl FnMut(usize) -> String, to: impl FnMut(usize) -> String) -> Vec<i64> {
        let mut call = self.call(opcode);
        call.send_n(&self.of(from)).send_n(&self.of(to));
        words(call.recv()).iter().map(|words| words[0]).collect()
    }

    fn read(&self, opcode: Opcode, handles: &[u64], size: u64) -> (Vec<Vec<u8>>, Vec<i64>) {
        let mut call = self.call(opcode);
        call.send_words(|lane| [size, handles[lane]]);
        (
            call.recv_n(),
            call.recv_word().iter().map(|&word| word as i64).collect(),
        )
    }

    fn write(&self, files: &[u64], bytes: impl FnMut(usize) -> String) -> Vec<i64> {
        let mut call = self.call(Opcode::FS_WRITE);
        call.send_words(|lane| [files[lane]]).send_n(&self.of(bytes));
        call.recv_word().iter().map(|&word| word as i64).collect()
    }
}

fn words(packets: Vec<Buffer>) -> Vec<[i64; 8]> {
    packets
        .iter()
        .map(|packet| packet.data.map(|word| word as i64))
        .collect()
}

fn name(lane: usize) -> String {
    format!("/data/file{lane}")
}

const fn error(number: i32) -> i64 {
    -(number as i64)
}

#[test]
fn a_file_is_written_read_cut_and_closed() {
    Bench::each("file", |bench| {
        let text = |lane: usize| format!("text of {lane} ").repeat(lane + 1);
        let files = bench.open(READ | WRITE | CREATE_NEW, name);
        assert_eq!(bench.write(&files, text), bench.of(|lane| text(lane).len() as i64));
        assert_eq!(
            bench.first(Opcode::FS_SEEK, |lane| [files[lane], 0, 1]),
            bench.of(|lane| text(lane).len() as i64)
        );
        assert_eq!(
            bench.first(Opcode::FS_SEEK, |lane| [files[lane], 5, 0]),
            bench.of(|_| 5)
        );
        assert_eq!(bench.read(Opcode::FS_READ, &files, 2).0, bench.of(|_| b"of".to_vec()));
        for how in 0..3 {
            assert_eq!(bench.first(Opcode::FS_SYNC, |lane| [files[lane], how]), bench.of(|_| 0));
        }
        assert_eq!(
            bench.first(Opcode::FS_SYNC, |lane| [files[lane], 3]),
            bench.of(|_| error(libc::EINVAL))
        );
        assert_eq!(
            bench.first(Opcode::FS_SET_LEN, |lane| [files[lane], lane as u64]),
            bench.of(|_| 0)
        );
        for metadata in [
            bench.ask(Opcode::FS_FILE_METADATA, |lane| [files[lane]]),
            bench.path(Opcode::FS_METADATA, 1, name),
        ] {
            for (lane, [result, kind, size, mode, modified, ..]) in metadata.into_iter().enumerate() {
                assert_eq!((result, kind, size), (0, 1, lane as i64));
                assert_eq!(mode & 0o600, 0o600);
                let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap().as_nanos() as i64;
                assert!((now - modified).abs() < 600_000_000_000);
            }
        }
        assert_eq!(bench.first(Opcode::FS_CLOSE, |lane| [files[lane]]), bench.of(|_| 0));
        assert_eq!(
            bench.first(Opcode::FS_CLOSE, |lane| [files[lane]]),
            bench.of(|_| error(libc::EBADF))
        );
        let (nothing, results) = bench.read(Opcode::FS_READ, &files, 2);
        assert_eq!(
            (nothing, results),
            (bench.of(|_| Vec::new()), bench.of(|_| error(libc::EBADF)))
        );

        let files = bench.open(APPEND, name);
        assert_eq!(
            bench.read(Opcode::FS_READ, &files, 2).1,
            bench.of(|_| error(libc::EBADF))
        );
        assert_eq!(bench.write(&files, |_| "end".into()), bench.of(|_| 3));
        bench.first(Opcode::FS_CLOSE, |lane| [files[lane]]);
        let files = bench.open(READ, name);
        assert_eq!(bench.write(&files, |_| "end".into()), bench.of(|_| error(libc::EBADF)));
        // The end that was met does not stand: another writer may have gone on.
        for _ in 0..2 {
            bench.read(Opcode::FS_READ, &files, 1 << 20);
            fs::OpenOptions::new()
                .append(true)
                .open(bench.folder.join("file0"))
                .and_then(|mut file| std::io::Write::write_all(&mut file, b"more"))
                .unwrap();
        }
        assert_eq!(bench.read(Opcode::FS_READ, &files, 1 << 20).0[0], b"more");
    });
}

#[test]
fn options_and_their_errors() {
    Bench::each("options", |bench| {
        let outcome = |options, path: &str| bench.result(Opcode::FS_OPEN, options, |_| path.into())[0];
        assert_eq!(outcome(READ, "/data/none"), error(libc::ENOENT));
        assert_eq!(outcome(READ, "/etc/passwd"), error(libc::EACCES));
        assert_eq!(outcome(READ, "/data/../../etc/passwd"), error(libc::EACCES));
        assert_eq!(outcome(READ, ""), error(libc::ENOENT));
        assert_eq!(outcome(READ, "/data/a\0b"), error(libc::EINVAL));
        assert_eq!(outcome(READ, &"x".repeat(5000)), error(libc::ENAMETOOLONG));
        assert_eq!(
            outcome(READ, &format!("/data/{}", "x".repeat(300))),
            error(libc::ENAMETOOLONG)
        );
        for wrong in [
            0,
            CREATE,
            TRUNCATE,
            READ | CREATE,
            READ | TRUNCATE,
            APPEND | TRUNCATE,
            64 | READ,
            u64::MAX,
        ] {
            assert_eq!(outcome(wrong, "/data/new"), error(libc::EINVAL), "{wrong}");
        }
        assert!(outcome(WRITE | CREATE, "/data/new") > 0);
        assert_eq!(outcome(WRITE | CREATE_NEW, "/data/new"), error(libc::EEXIST));
        assert_eq!(outcome(WRITE, "/data"), error(libc::EISDIR));
        let short = {
            let mut call = bench.call(Opcode::FS_OPEN);
            call.send_n(&bench.of(|_| [0; 7]));
            words(call.recv())
        };
        assert_eq!(short[0][0], error(libc::EINVAL));
    });
}

#[test]
fn directories_are_made_listed_and_removed() {
    Bench::each("directories", |bench| {
        let deep = |lane: usize| format!("/data/d{lane}/deep/er");
        assert_eq!(
            bench.result(Opcode::FS_CREATE_DIR, 0, deep),
            bench.of(|_| error(libc::ENOENT))
        );
        assert_eq!(bench.result(Opcode::FS_CREATE_DIR, 1, deep), bench.of(|_| 0));
        assert_eq!(
            bench.result(Opcode::FS_CREATE_DIR, 0, deep),
            bench.of(|_| error(libc::EEXIST))
        );
        let listed = |lane: usize| format!("/data/d{lane}");
        for lane in 0..bench.of(|_| ()).len() {
            for number in 0..20 {
                fs::write(
                    bench
                        .folder
                        .join(format!("d{lane}/{}", format!("{number:02}").repeat(number + 1))),
                    "",
                )
                .unwrap();
            }
            std::os::unix::fs::symlink("deep", bench.folder.join(format!("d{lane}/link"))).unwrap();
        }
        let mut call = bench.call(Opcode::FS_OPEN_DIR);
        call.send_n(&bench.of(listed));
        let directories = call.recv_word();
        assert_eq!(
            bench.read(Opcode::FS_READ_DIR, &directories, 256).1,
            bench.of(|_| error(libc::EINVAL))
        );
        let mut entries = bench.of(|_| Vec::new());
        loop {
            let (batches, results) = bench.read(Opcode::FS_READ_DIR, &directories, 300);
            if results.iter().all(|&result| result == 0) {
                break;
            }
            for (entries, mut batch) in entries.iter_mut().zip(batches.iter().map(Vec::as_slice)) {
                while let [kind, length, rest @ ..] = batch {
                    let (name, rest) = rest.split_at(*length as usize);
                    entries.push((*kind, String::from_utf8(name.to_vec()).unwrap()));
                    batch = rest;
                }
            }
        }
        for mut entries in entries {
            entries.sort();
            let mut expected: Vec<_> = (0..20)
                .map(|number| (1, format!("{number:02}").repeat(number + 1)))
                .collect();
            expected.extend([(2, "deep".into()), (3, "link".into())]);
            assert_eq!(entries, expected);
        }
        assert_eq!(
            bench.read(Opcode::FS_READ, &directories, 300).1,
            bench.of(|_| error(libc::EBADF))
        );
        assert_eq!(
            bench.first(Opcode::FS_CLOSE, |lane| [directories[lane]]),
            bench.of(|_| 0)
        );
        assert_eq!(
            bench.read(Opcode::FS_READ_DIR, &directories, 300).1,
            bench.of(|_| error(libc::EBADF))
        );

        let link = bench.path(Opcode::FS_METADATA, 0, |lane| listed(lane) + "/link");
        let followed = bench.path(Opcode::FS_METADATA, 1, |lane| listed(lane) + "/link");
        assert_eq!((link[0][1], followed[0][1]), (3, 2));
        assert_eq!(
            bench.result(Opcode::FS_REMOVE, 0, listed),
            bench.of(|_| error(libc::EISDIR))
        );
        assert_eq!(
            bench.result(Opcode::FS_REMOVE, 1, listed),
            bench.of(|_| error(libc::ENOTEMPTY))
        );
        assert_eq!(
            bench.result(Opcode::FS_REMOVE, 3, listed),
            bench.of(|_| error(libc::EINVAL))
        );
        assert_eq!(bench.result(Opcode::FS_REMOVE, 1, deep), bench.of(|_| 0));
        assert_eq!(bench.result(Opcode::FS_REMOVE, 2, listed), bench.of(|_| 0));
        assert_eq!(
            bench.result(Opcode::FS_REMOVE, 2, |_| "/data".into())[0],
            error(libc::EBUSY)
        );
        assert_eq!(fs::read_dir(&bench.folder).unwrap().count(), 0);
    });
}

#[test]
fn files_are_copied_and_renamed() {
    Bench::each("names", |bench| {
        let files = bench.open(WRITE | CREATE, name);
        bench.write(&files, |lane| "x".repeat(lane));
        bench.first(Opcode::FS_CLOSE, |lane| [files[lane]]);
        assert_eq!(
            bench.two(Opcode::FS_COPY, name, |lane| name(lane) + ".copy"),
            bench.of(|lane| lane as i64)
        );
        assert_eq!(
            bench.two(Opcode::FS_RENAME, name, |lane| name(lane) + ".new"),
            bench.of(|_| 0)
        );
        assert_eq!(
            bench.two(Opcode::FS_RENAME, name, |lane| name(lane) + ".new"),
            bench.of(|_| error(libc::ENOENT))
        );
        assert_eq!(
            bench.two(Opcode::FS_COPY, |lane| name(lane) + ".new", |_| "/tmp/outside".into()),
            bench.of(|_| error(libc::EACCES))
        );
        assert_eq!(
            fs::read(bench.folder.join("file0.new")).unwrap(),
            fs::read(bench.folder.join("file0.copy")).unwrap()
        );
    });
}

/// Reads a kept output to its end and closes it.
fn output(bench: &Bench, files: Vec<u64>) -> Vec<String> {
    let (bytes, results) = bench.read(Opcode::FS_READ, &files, 1 << 20);
    assert!(results.iter().all(|&result| result >= 0));
    bench.first(Opcode::FS_CLOSE, |lane| [files[lane]]);
    bytes
        .into_iter()
        .map(|bytes| String::from_utf8(bytes).unwrap())
        .collect()
}

fn command(strings: &[&str], input: &str) -> Vec<u8> {
    let mut request = (strings.len() as u64).to_le_bytes().to_vec();
    for string in strings {
        request.extend_from_slice(string.as_bytes());
        request.push(0);
    }
    request.extend_from_slice(input.as_bytes());
    request
}

#[test]
fn a_commands_output_is_kept() {
    Bench::each_with(
        "run",
        |grants| _ = grants.run(),
        HostFunctions::new(),
        |bench| {
            let run = |request: &dyn Fn(usize) -> Vec<u8>| {
                let mut call = bench.call(Opcode::RUN);
                call.send_n(&bench.of(request));
                words(call.recv())
            };
            let answers = run(&|lane| {
                command(
                    &[
                        "sh",
                        "-c",
                        "cat; echo \"$1\" >&2; exit $2",
                        "sh",
                        "it's on \"stderr\"",
                        &lane.to_string(),
                    ],
                    &format!("input {lane}"),
                )
            });
            for (lane, answer) in answers.iter().enumerate() {
                assert_eq!(answer[..2], [0, (lane as i64) << 8]);
            }
            let column = |index: usize| answers.iter().map(|answer| answer[index] as u64).collect::<Vec<_>>();
            let sizes = column(3);
            let stdout = output(bench, column(2));
            assert_eq!(stdout, bench.of(|lane| format!("input {lane}")));
            assert_eq!(sizes, stdout.iter().map(|text| text.len() as u64).collect::<Vec<_>>());
            assert_eq!(
                output(bench, column(4)),
                bench.of(|_| "it's on \"stderr\"\n".to_owned())
            );

            assert_eq!(
                run(&|_| command(&["true"], &"unread".repeat(100_000)))[0][..6],
                [0, 0, 0, 0, 0, 0]
            );
            assert_eq!(run(&|_| command(&["/no/such/program"], ""))[0][0], error(libc::ENOENT));
            assert_eq!(run(&|_| command(&[], ""))[0][0], error(libc::EINVAL));
            assert_eq!(run(&|_| u64::MAX.to_le_bytes().to_vec())[0][0], error(libc::EINVAL));
            assert_eq!(run(&|_| vec![1])[0][0], error(libc::EINVAL));
        },
    );
    Bench::each("norun", |bench| {
        let mut call = bench.call(Opcode::RUN);
        call.send_n(&bench.of(|_| command(&["true"], "")));
        assert_eq!(call.recv_word(), bench.of(|_| error(libc::EACCES) as u64));
        assert!(bench.device.host.seen().reports[0].contains("--allow-run"));
    });
}

#[test]
fn the_clock_shows_the_time_and_sleep_takes_it() {
    Bench::each("time", |bench| {
        let [result, seconds, nanoseconds, ..] = bench.ask(Opcode::CLOCK, |_| [])[0];
        let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap();
        assert_eq!(result, 0);
        assert!((seconds - now.as_secs() as i64).abs() <= 1 && (0..1_000_000_000).contains(&nanoseconds));
        let start = Instant::now();
        let left = bench.first(Opcode::SLEEP, |lane| [1_000_000 * (lane as u64 % 30)]);
        assert_eq!(left, bench.of(|_| 0));
        assert!(start.elapsed().as_millis() >= bench.of(|lane| lane % 30).into_iter().max().unwrap() as u128);
    });
}

#[test]
fn a_long_sleep_comes_back_with_what_is_left() {
    let services = Services::new(Grants::none());
    let device = Device::new(1, 1, RecordingHost::default(), services.registry());
    let mut call = device.open(0, Opcode::SLEEP, 1);
    let left = call.send_words(|_| [u64::MAX]).recv_word()[0];
    assert!(left < u64::MAX - 900_000_000 && left > u64::MAX - 20_000_000_000);
}

#[test]
fn named_functions_are_called_in_one_round_trip() {
    let mut functions = HostFunctions::new();
    functions.register("add", |arguments| {
        let (a, b) = (arguments.value::<u32>()?, arguments.value::<u32>()?);
        let out = arguments.slice_mut::<u32>()?;
        out.fill(a + b);
        Ok(a * b)
    });
    functions.register("panics", |_| -> Result<(), _> { panic!("on purpose") });
    Bench::each_with(
        "call",
        |_| {},
        functions,
        |bench| {
            let request = |lane: usize| {
                let mut bytes = [&3u32.to_le_bytes()[..], &3u16.to_le_bytes(), &[5, 0], b"add"].concat();
                for value in [lane as u32, 7] {
                    bytes.push(5);
                    bytes.extend(value.to_le_bytes());
                }
                bytes.push(32 | 5);
                bytes.extend((lane as u64).to_le_bytes());
                bytes
            };
            let mut call = bench.call(Opcode::CALL);
            call.send_n(&bench.of(request));
            let expected = bench.of(|lane| {
                [
                    0u64.to_le_bytes().to_vec(),
                    (lane as u64 * 7).to_le_bytes().to_vec(),
                    (lane as u32 + 7).to_le_bytes().repeat(lane),
                ]
                .concat()
            });
            assert_eq!(call.recv_n(), expected);

            let mut call = bench.call(Opcode::CALL);
            call.send_n(&bench.of(|_| [&6u32.to_le_bytes()[..], &[0; 4], b"panics"].concat()));
            let failed = [&1u64.to_le_bytes()[..], &[0; 8], b"the function panicked"].concat();
            assert_eq!(call.recv_n(), bench.of(|_| failed.clone()));
        },
    );
}
