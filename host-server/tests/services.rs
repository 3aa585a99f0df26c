//! Every opcode of class `c` and `o`, for 1, 32 and 64 lanes, each lane with its own data.

mod peer;

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use host_server::heap::Heap;
use host_server::services::Services;
use host_server::{Exit, Grants, Opcode, RecordingHost};
use peer::{Device, folder, full};

/// Groups of lanes: the whole of each width, and one with gaps.
const GROUPS: [(u32, u64); 4] = [(1, 1), (32, 0xFFFF_FFFF), (64, u64::MAX), (64, 0x8000_0100_0030_0005)];

/// What a test works with.
struct Bench {
    device: Device,
    services: Arc<Services>,
    folder: PathBuf,
    mask: u64,
}

impl Bench {
    fn new(name: &str, (lanes, mask): (u32, u64), stdin: &str, grant: impl FnOnce(&mut Grants)) -> Self {
        let folder = folder(&format!("{name}-{lanes}-{mask:x}"));
        let mut grants = Grants::none();
        grants.directory(&folder, Some(Path::new("/data"))).unwrap();
        grant(&mut grants);
        let services = Services::new(grants);
        let host = RecordingHost {
            stdin: std::sync::Mutex::new(stdin.bytes().collect()),
            heap: Some(Heap::new(0x10_0000, 1 << 20)),
            ..RecordingHost::default()
        };
        let device = Device::new(2, lanes, host, services.registry());
        Self {
            device,
            services,
            folder,
            mask,
        }
    }

    /// A bench for each group of lanes.
    fn each(name: &str, test: impl Fn(&Self)) {
        for group in GROUPS {
            let bench = Self::new(name, group, "", |_| {});
            test(&bench);
            assert_eq!(bench.reports(), [""; 0], "in {group:?}");
        }
    }

    fn lanes(&self) -> usize {
        self.mask.count_ones() as usize
    }

    fn call(&self, opcode: Opcode) -> peer::Call<'_> {
        self.device.open(0, opcode, self.mask)
    }

    /// One value for each lane.
    fn of<T>(&self, value: impl FnMut(usize) -> T) -> Vec<T> {
        (0..self.lanes()).map(value).collect()
    }

    fn reports(&self) -> Vec<String> {
        self.device.host.seen().reports
    }

    fn open(&self, path: impl Fn(usize) -> String, mode: &str) -> Vec<u64> {
        let mut call = self.call(Opcode::OPEN_FILE);
        call.send_n(&self.of(|lane| path(lane) + "\0"));
        let mut packet = [0; 64];
        packet[..mode.len()].copy_from_slice(mode.as_bytes());
        call.send(|_| rpc_proto::Buffer::from_bytes(&packet));
        call.recv_word()
    }

    fn open_each(&self, mode: &str) -> Vec<u64> {
        self.open(|lane| format!("/data/file{lane}"), mode)
    }

    /// A call with one packet in and one number out.
    fn ask<const N: usize>(&self, opcode: Opcode, words: impl FnMut(usize) -> [u64; N]) -> Vec<i64> {
        let mut call = self.call(opcode);
        call.send_words(words);
        call.recv_word().iter().map(|&word| word as i64).collect()
    }

    fn write(&self, files: &[u64], bytes: impl FnMut(usize) -> Vec<u8>) -> Vec<u64> {
        let mut call = self.call(Opcode::WRITE_TO_STREAM);
        call.send_words(|lane| [files[lane]]).send_n(&self.of(bytes));
        call.recv_word()
    }

    fn read(&self, files: &[u64], size: impl Fn(usize) -> u64) -> Vec<Vec<u8>> {
        let mut call = self.call(Opcode::READ_FROM_STREAM);
        call.send_words(|lane| [size(lane), files[lane]]);
        let bytes = call.recv_n();
        let sizes: Vec<u64> = bytes.iter().map(|bytes| bytes.len() as u64).collect();
        assert_eq!(call.recv_word(), sizes);
        bytes
    }

    fn read_line(&self, files: &[u64], size: u64) -> Vec<Vec<u8>> {
        let mut call = self.call(Opcode::READ_FGETS);
        call.send_words(|lane| [size, files[lane]]);
        call.recv_n()
    }

    fn close(&self, files: &[u64]) -> Vec<i64> {
        self.ask(Opcode::CLOSE_FILE, |lane| [files[lane]])
    }
}

/// Bytes of any length that differ from lane to lane.
fn data(lane: usize) -> Vec<u8> {
    const SIZES: [usize; 14] = [0, 1, 55, 56, 57, 63, 64, 65, 119, 120, 121, 4096, 20_000, 100_000];
    (0..SIZES[lane % SIZES.len()]).map(|at| (at * 7 + lane) as u8).collect()
}

#[test]
fn a_file_keeps_what_was_written() {
    Bench::each("write", |bench| {
        let files = bench.open_each("w+");
        assert!(files.iter().all(|&file| file != 0 && file.is_multiple_of(4)));
        assert_eq!(bench.write(&files, data), bench.of(|lane| data(lane).len() as u64));
        assert_eq!(
            bench.ask(Opcode::FTELL, |lane| [files[lane]]),
            bench.of(|lane| data(lane).len() as i64)
        );
        assert_eq!(bench.ask(Opcode::FSEEK, |lane| [files[lane], 0, 0]), bench.of(|_| 0));
        assert_eq!(bench.read(&files, |_| 1 << 20), bench.of(data));
        assert_eq!(bench.ask(Opcode::FEOF, |lane| [files[lane]]), bench.of(|_| 1));
        assert_eq!(bench.ask(Opcode::CLEARERR, |lane| [files[lane]]), bench.of(|_| 0));
        assert_eq!(bench.ask(Opcode::FEOF, |lane| [files[lane]]), bench.of(|_| 0));
        assert_eq!(bench.ask(Opcode::FERROR, |lane| [files[lane]]), bench.of(|_| 0));
        assert_eq!(bench.close(&files), bench.of(|_| 0));
        for lane in 0..bench.lanes() {
            assert_eq!(fs::read(bench.folder.join(format!("file{lane}"))).unwrap(), data(lane));
        }
    });
}

#[test]
fn positions_and_pushed_back_bytes() {
    Bench::each("seek", |bench| {
        for lane in 0..bench.lanes() {
            fs::write(bench.folder.join(format!("file{lane}")), format!("{lane:02}23456789")).unwrap();
        }
        let files = bench.open_each("r");
        assert_eq!(
            bench.ask(Opcode::FSEEK, |lane| [files[lane], -3i64 as u64, 2]),
            bench.of(|_| 0)
        );
        assert_eq!(
            bench.read(&files, |lane| lane as u64 % 3),
            bench.of(|lane| b"789"[..lane % 3].to_vec())
        );
        assert_eq!(
            bench.ask(Opcode::FSEEK, |lane| [files[lane], -8i64 as u64, 1]),
            bench.of(|lane| -i64::from(lane % 3 == 0))
        );
        assert_eq!(bench.ask(Opcode::FSEEK, |lane| [files[lane], 0, 7]), bench.of(|_| -1));
        assert_eq!(bench.ask(Opcode::FSEEK, |lane| [files[lane], 1, 0]), bench.of(|_| 0));
        assert_eq!(
            bench.ask(Opcode::UNGETC, |lane| [b'A' as u64 + lane as u64, files[lane]]),
            bench.of(|lane| b'A' as i64 + lane as i64)
        );
        assert_eq!(
            bench.ask(Opcode::UNGETC, |lane| [-1i64 as u64, files[lane]]),
            bench.of(|_| -1)
        );
        // C: a flush of all streams is one of those that were written; another thread's must not eat what was put back.
        assert_eq!(bench.ask(Opcode::FFLUSH, |_| [0]), bench.of(|_| 0));
        assert_eq!(bench.ask(Opcode::FTELL, |lane| [files[lane]]), bench.of(|_| 0));
        assert_eq!(
            bench.read(&files, |_| 3),
            bench.of(|lane| vec![b'A' + lane as u8, b'0' + lane as u8 % 10, b'2'])
        );
    });
}

#[test]
fn lines_come_with_their_nul() {
    Bench::each("lines", |bench| {
        for lane in 0..bench.lanes() {
            fs::write(
                bench.folder.join(format!("file{lane}")),
                format!("line of {lane}\n\nlast without end"),
            )
            .unwrap();
        }
        let files = bench.open_each("rb");
        assert_eq!(
            bench.read_line(&files, 100),
            bench.of(|lane| format!("line of {lane}\n\0").into_bytes())
        );
        assert_eq!(bench.read_line(&files, 100), bench.of(|_| b"\n\0".to_vec()));
        assert_eq!(bench.read_line(&files, 5), bench.of(|_| b"last\0".to_vec()));
        assert_eq!(bench.read_line(&files, 1), bench.of(|_| b"\0".to_vec()));
        assert_eq!(bench.read_line(&files, 0), bench.of(|_| b"".to_vec()));
        assert_eq!(
            bench.read_line(&files, 1 << 20),
            bench.of(|_| b" without end\0".to_vec())
        );
        assert_eq!(bench.read_line(&files, 100), bench.of(|_| b"".to_vec()));
    });
}

#[test]
fn files_are_removed_and_renamed() {
    Bench::each("names", |bench| {
        let files = bench.open_each("wx");
        bench.write(&files, data);
        bench.close(&files);
        assert_eq!(bench.open_each("wx"), bench.of(|_| 0), "exclusive");
        let mut call = bench.call(Opcode::RENAME);
        call.send_n(&bench.of(|lane| format!("/data/file{lane}\0")))
            .send_n(&bench.of(|lane| format!("/data/new{lane}\0")));
        assert_eq!(call.recv_word(), bench.of(|_| 0));
        assert_eq!(fs::read(bench.folder.join("new0")).unwrap(), data(0));
        for expected in [0, -1i64 as u64] {
            let mut call = bench.call(Opcode::REMOVE);
            call.send_n(&bench.of(|lane| format!("/data/new{lane}\0")));
            assert_eq!(call.recv_word(), bench.of(|_| expected));
        }
        assert_eq!(fs::read_dir(&bench.folder).unwrap().count(), 0);
        for mode in ["", "q", "r", "rx"] {
            assert_eq!(bench.open_each(mode), bench.of(|_| 0), "{mode}");
        }
    });
}

#[test]
fn standard_input_is_read_in_order() {
    for group in GROUPS {
        let lines = |count: usize| (0..count).map(|line| format!("line {line}\n")).collect::<String>();
        let bench = Bench::new("stdin", group, &(lines(64) + "tail"), |_| {});
        let stdin = bench.of(|_| 0x7fff_1230 | 1);
        assert_eq!(
            bench.read_line(&stdin, 64),
            bench.of(|lane| format!("line {lane}\n\0").into_bytes())
        );
        for _ in 0..(64 / bench.lanes() - 1) {
            bench.read_line(&stdin, 64);
        }
        let rest: Vec<u8> = bench.read(&stdin, |_| 1 << 16).concat();
        assert!(rest.ends_with(b"tail"));
        assert_eq!(bench.ask(Opcode::FEOF, |lane| [stdin[lane]]), bench.of(|_| 1));
        assert_eq!(bench.ask(Opcode::FSEEK, |lane| [stdin[lane], 0, 0]), bench.of(|_| -1));
        assert_eq!(bench.write(&stdin, |_| b"no".to_vec()), bench.of(|_| 0));
        assert_eq!(bench.ask(Opcode::FERROR, |lane| [stdin[lane]]), bench.of(|_| 1));
        assert_eq!(bench.close(&stdin), bench.of(|_| 0));
    }
}

#[test]
fn standard_output_is_a_stream() {
    Bench::each("stdout", |bench| {
        for (tag, opcode) in [(2, Opcode::WRITE_TO_STDOUT), (3, Opcode::WRITE_TO_STDERR)] {
            let stream = bench.of(|_| 0x40 | tag);
            assert_eq!(
                bench.write(&stream, |lane| format!("<{lane}>").into_bytes()),
                bench.of(|lane| format!("<{lane}>").len() as u64)
            );
            let mut call = bench.call(opcode);
            call.send_n(&bench.of(|lane| format!("[{lane}]")));
            assert_eq!(call.recv_word(), bench.of(|lane| format!("<{lane}>").len() as u64));
            for opcode in [
                Opcode::FFLUSH,
                Opcode::FEOF,
                Opcode::FERROR,
                Opcode::CLEARERR,
                Opcode::CLOSE_FILE,
            ] {
                assert_eq!(bench.ask(opcode, |lane| [stream[lane]]), bench.of(|_| 0), "{opcode}");
            }
            for opcode in [Opcode::FSEEK, Opcode::FTELL] {
                assert_eq!(bench.ask(opcode, |lane| [stream[lane]]), bench.of(|_| -1), "{opcode}");
            }
            assert_eq!(bench.ask(Opcode::UNGETC, |lane| [65, stream[lane]]), bench.of(|_| -1));
            assert_eq!(bench.read(&stream, |_| 10), bench.of(|_| Vec::new()));
        }
        let expected: String = ["<>", "[]"]
            .iter()
            .flat_map(|pair| (0..bench.lanes()).map(move |lane| format!("{}{lane}{}", &pair[..1], &pair[1..])))
            .collect();
        let seen = bench.device.host.seen();
        assert_eq!(String::from_utf8(seen.stdout).unwrap(), expected);
        assert_eq!(String::from_utf8(seen.stderr).unwrap(), expected);
    });
}

/// Plays the device's part of a PRINTF call: `argument(lane)` is the block, `string(address)` what lies there.
fn printf(
    bench: &Bench,
    opcode: Opcode,
    stream: Option<&[u64]>,
    format: impl Fn(usize) -> String,
    block: impl Fn(usize) -> Vec<u8>,
    string: impl Fn(u64) -> Vec<u8>,
) -> (Vec<i32>, Vec<u64>) {
    let mut call = bench.call(opcode);
    if let Some(stream) = stream {
        call.send_words(|lane| [stream[lane]]);
    }
    call.send_n(&bench.of(|lane| format(lane) + "\0"));
    let sizes = call.recv_word();
    call.send_n(&bench.of(|lane| {
        let mut block = block(lane);
        block.resize(sizes[lane] as usize, 0);
        block
    }));
    loop {
        let answers = call.recv();
        if answers.iter().all(|answer| answer.data[1] == 0) {
            return (answers.iter().map(|answer| answer.data[0] as i32).collect(), sizes);
        }
        call.send_n(&bench.of(|lane| match answers[lane].data[1] {
            0 => Vec::new(),
            address => [string(address), vec![0]].concat(),
        }));
    }
}

#[test]
fn each_lane_prints_its_own_format_and_strings() {
    Bench::each("printf", |bench| {
        // Lane n has n % 4 strings, those of odd lanes with a null one among them.
        let format = |lane: usize| format!("{lane}:{} %d\n", "%s,".repeat(lane % 4));
        let address = |lane: usize, index: usize| {
            if lane % 2 == 1 && index == 1 {
                0
            } else {
                (lane * 10 + index + 1) as u64
            }
        };
        let block = |lane: usize| {
            (0..lane % 4)
                .map(|index| address(lane, index))
                .chain([1000 + lane as u64])
                .flat_map(u64::to_le_bytes)
                .collect()
        };
        let string = |address: u64| format!("string {address} {}", "x".repeat(address as usize % 130)).into_bytes();
        let expected: String = bench
            .of(|lane| {
                let strings: String = (0..lane % 4)
                    .map(|index| match address(lane, index) {
                        0 => "(null),".to_owned(),
                        address => String::from_utf8(string(address)).unwrap() + ",",
                    })
                    .collect();
                format!("{lane}:{strings} {}\n", 1000 + lane)
            })
            .concat();
        let lengths = expected.lines().map(|line| line.len() as i32 + 1).collect::<Vec<_>>();
        for (opcode, layout_size) in [(Opcode::PRINTF_TO_STDOUT, 4), (Opcode::PRINTF_TO_STDERR_PACKED, 4)] {
            let (results, sizes) = printf(bench, opcode, None, format, block, string);
            assert_eq!(results, lengths);
            assert_eq!(sizes, bench.of(|lane| (lane % 4 * 8 + layout_size) as u64));
        }
        let seen = bench.device.host.seen();
        assert_eq!(String::from_utf8(seen.stdout).unwrap(), expected);
        assert_eq!(String::from_utf8(seen.stderr).unwrap(), expected);

        let files = bench.open_each("w");
        let block = |_| [1u32.to_le_bytes().to_vec(), 2.5f64.to_le_bytes().to_vec()].concat();
        let (results, sizes) = printf(
            bench,
            Opcode::PRINTF_TO_STREAM_PACKED,
            Some(&files),
            |_| "%d %g".into(),
            block,
            string,
        );
        assert_eq!((results, sizes), (bench.of(|_| 5), bench.of(|_| 12)));
        bench.close(&files);
        assert_eq!(fs::read(bench.folder.join("file0")).unwrap(), b"1 2.5");
    });
}

#[test]
fn a_wrong_format_is_that_lanes_error_alone() {
    for group in GROUPS {
        let bench = Bench::new("badprintf", group, "", |_| {});
        let format = |lane: usize| {
            if lane.is_multiple_of(2) {
                format!("%s %n{lane}")
            } else {
                format!("%s{lane}\n")
            }
        };
        let (results, _) = printf(
            &bench,
            Opcode::PRINTF_TO_STDOUT,
            None,
            format,
            |_| 77u64.to_le_bytes().to_vec(),
            |_| b"at 77 ".to_vec(),
        );
        assert_eq!(
            results,
            bench.of(|lane| if lane % 2 == 0 {
                -1
            } else {
                format!("at 77 {lane}\n").len() as i32
            })
        );
        assert!(bench.reports().iter().all(|report| report.contains("%n")) && !bench.reports().is_empty());
    }
}

#[test]
fn commands_run_where_that_is_granted() {
    for group in GROUPS {
        let bench = Bench::new("run", group, "", |grants| _ = grants.run());
        let mut call = bench.call(Opcode::SYSTEM);
        call.send_n(&bench.of(|lane| format!("echo out {lane}; echo err {lane} >&2; exit {lane}\0")));
        assert_eq!(call.recv_word(), bench.of(|lane| (lane as u64) << 8));
        let seen = bench.device.host.seen();
        assert_eq!(
            String::from_utf8(seen.stdout).unwrap(),
            bench.of(|lane| format!("out {lane}\n")).concat()
        );
        assert_eq!(
            String::from_utf8(seen.stderr).unwrap(),
            bench.of(|lane| format!("err {lane}\n")).concat()
        );
        assert!(seen.reports.is_empty());
    }
}

extern "C" fn sum(arguments: *const u64) -> u64 {
    // SAFETY: the test's calls pass two words.
    unsafe { arguments.read() * 1000 + arguments.add(1).read() }
}

#[test]
fn host_functions_are_called_where_that_is_granted() {
    for group in GROUPS {
        let bench = Bench::new("hostcall", group, "", |grants| _ = grants.host_call());
        for opcode in [Opcode::HOST_CALL, Opcode::OFFLOAD_HOST_CALL] {
            let mut call = bench.call(opcode);
            call.send_n(&bench.of(|lane| [(lane as u64).to_le_bytes(), 5u64.to_le_bytes()].concat()));
            call.send_words(|_| [sum as *const () as u64]);
            assert_eq!(call.recv_word(), bench.of(|lane| lane as u64 * 1000 + 5));
        }
    }
}

#[test]
fn what_is_not_granted_is_refused_with_the_flag() {
    for group in GROUPS {
        let bench = Bench::new("refused", group, "", |_| {});
        for _ in 0..2 {
            let mut call = bench.call(Opcode::SYSTEM);
            call.send_n(&bench.of(|_| "touch /tmp/never\0"));
            assert_eq!(call.recv_word(), bench.of(|_| u64::MAX));
            let mut call = bench.call(Opcode::HOST_CALL);
            call.send_n(&bench.of(|_| [0; 16]))
                .send_words(|_| [sum as *const () as u64]);
            assert_eq!(call.recv_word(), bench.of(|_| 0));
            assert_eq!(bench.open(|_| "/etc/passwd".into(), "r"), bench.of(|_| 0));
            assert_eq!(bench.open(|_| "/data/../etc/passwd".into(), "r"), bench.of(|_| 0));
        }
        let reports = bench.reports();
        assert_eq!(reports.len(), 3, "{reports:?}");
        for flag in ["--allow-run", "--allow-host-call", "--dir"] {
            assert_eq!(
                reports.iter().filter(|report| report.contains(flag)).count(),
                1,
                "{reports:?}"
            );
        }
    }
}

#[test]
fn a_way_out_of_a_granted_directory_is_refused_like_any_other() {
    let bench = Bench::new("wayout", (1, 1), "", |_| {});
    std::os::unix::fs::symlink("/etc/passwd", bench.folder.join("link")).unwrap();
    assert_eq!(bench.open(|_| "/data/link".into(), "r"), [0]);
    let reports = bench.reports();
    assert!(
        reports.len() == 1 && reports[0].contains("/data/link") && reports[0].contains("--dir"),
        "{reports:?}"
    );
}

#[test]
fn memory_comes_from_the_pool_and_goes_back() {
    Bench::each("memory", |bench| {
        for _ in 0..100 {
            let mut call = bench.call(Opcode::MALLOC);
            call.send_words(|lane| [lane as u64 * 100 + 1]);
            let mut addresses = call.recv_word();
            bench.call(Opcode::FREE).send_words(|lane| [addresses[lane]]);
            addresses.sort();
            addresses.dedup();
            assert_eq!(addresses.len(), bench.lanes());
            assert!(
                addresses
                    .iter()
                    .all(|&address| address >= 0x10_0000 && address.is_multiple_of(16))
            );
        }
        let mut call = bench.call(Opcode::MALLOC);
        call.send_words(|_| [u64::MAX]);
        assert_eq!(call.recv_word(), bench.of(|_| 0));
    });
}

/// `FREE` is a call without an answer: its port may be looked at after that of the `MALLOC` behind it.
#[test]
fn memory_given_back_before_is_there() {
    Bench::each("given-back", |bench| {
        let size = (1 << 20) / bench.lanes() as u64 / 16 * 16;
        let ask = || {
            let mut call = bench.device.open(0, Opcode::MALLOC, bench.mask);
            call.send_words(|_| [size]).recv_word()
        };
        let mut addresses = ask();
        for _ in 0..3 {
            assert!(addresses.iter().all(|&address| address != 0), "{addresses:x?}");
            let mut free = bench.device.open(1, Opcode::FREE, bench.mask);
            free.send_words(|lane| [addresses[lane]]);
            addresses = ask();
        }
        assert_eq!(ask(), bench.of(|_| 0));
    });
}

#[test]
fn a_program_ends_with_its_files_written() {
    for group in GROUPS {
        for (opcode, exit) in [(Opcode::EXIT, Exit::Status(3)), (Opcode::ABORT, Exit::Abort)] {
            let bench = Bench::new("exit", group, "", |_| {});
            let files = bench.open_each("w");
            bench.write(&files, |_| b"held back".to_vec());
            let mut call = bench.call(opcode);
            call.send_words(|_| [0]);
            call.recv();
            call.send_words(|lane| [3 + lane as u64]);
            bench.device.until("exit", || bench.device.host.seen().exit.is_some());
            assert_eq!(bench.device.host.seen().exit, Some(exit));
            assert_eq!(fs::read(bench.folder.join("file0")).unwrap(), b"held back");
            bench.write(&files, |_| b", and more".to_vec());
            bench.services.close_all();
            assert_eq!(fs::read(bench.folder.join("file0")).unwrap(), b"held back, and more");
            assert_eq!(bench.write(&files, |_| b"too late".to_vec()), bench.of(|_| 0));
        }
    }
}

#[test]
fn two_threads_on_one_file_lose_nothing() {
    let bench = Bench::new("shared", (32, full(32)), "", |_| {});
    let shared = bench
        .device
        .open(0, Opcode::OPEN_FILE, 1)
        .send_n(&["/data/shared\0"])
        .send_words(|_| [u64::from(b'a')])
        .recv_word()[0];
    let mut written = 0;
    for round in 0..50 {
        // Large writes go to threads, small ones are done at once; all lanes of two ports write the same file.
        let size = if round % 2 == 0 { 100 } else { 70_000 };
        let line = |lane: usize| [vec![b'a' + lane as u8 % 26; size], b"\n".to_vec()].concat();
        let mut calls = [0, 1].map(|port| {
            bench
                .device
                .open(port, Opcode::WRITE_TO_STREAM, full(if size > 100 { 2 } else { 32 }))
        });
        for call in &mut calls {
            call.send_words(|_| [shared]);
        }
        for call in &mut calls {
            let lanes = call.lanes().count();
            call.send_n(&(0..lanes).map(line).collect::<Vec<_>>());
            written += lanes * (size + 1);
        }
        for call in &mut calls {
            assert!(call.recv_word().iter().all(|&count| count == size as u64 + 1));
        }
    }
    bench.services.close_all();
    let text = fs::read(bench.folder.join("shared")).unwrap();
    assert_eq!(text.len(), written);
    assert!(
        text.split(|&byte| byte == b'\n')
            .all(|line| line.iter().all(|byte| byte == &line[0])),
        "lines mixed"
    );
}
