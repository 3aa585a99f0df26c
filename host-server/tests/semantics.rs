//! What holds for all services, one test for each sentence: writes, order, files at the end, and who waits for whom.

mod peer;

use std::fs;
use std::io::Write;
use std::os::fd::FromRawFd;
use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};

use host_server::services::Services;
use host_server::{Grants, Opcode, RecordingHost};
use peer::{Device, folder, full};

struct Bench {
    device: Device,
    services: Arc<Services>,
    folder: std::path::PathBuf,
}

impl Bench {
    fn new(name: &str, ports: u32, lanes: u32) -> Self {
        let folder = folder(&format!("semantics-{name}"));
        let mut grants = Grants::none();
        grants.directory(&folder, Some(Path::new("/data"))).unwrap();
        grants.directory(Path::new("/dev"), Some(Path::new("/dev"))).unwrap();
        let services = Services::new(grants);
        let device = Device::new(ports, lanes, RecordingHost::default(), services.registry());
        Self {
            device,
            services,
            folder,
        }
    }

    fn open(&self, path: &str, options: u64) -> u64 {
        let request = [&options.to_le_bytes(), path.as_bytes()].concat();
        let file = self.device.open(0, Opcode::FS_OPEN, 1).send_n(&[request]).recv_word()[0];
        assert!((file as i64) > 0, "{path}: {}", file as i64);
        file
    }

    fn ask(&self, opcode: Opcode, words: [u64; 3]) -> i64 {
        self.device.open(0, opcode, 1).send_words(|_| words).recv_word()[0] as i64
    }

    fn write(&self, port: u32, opcode: Opcode, file: u64, lanes: u32, bytes: impl Fn(usize) -> Vec<u8>) -> Vec<i64> {
        let mut call = self.device.open(port, opcode, full(lanes));
        if !matches!(opcode, Opcode::WRITE_TO_STDOUT | Opcode::WRITE_TO_STDERR) {
            call.send_words(|_| [file]);
        }
        let bytes: Vec<_> = (0..lanes as usize).map(bytes).collect();
        call.send_n(&bytes);
        call.recv_word().into_iter().map(|count| count as i64).collect()
    }
}

const READ: u64 = 1;
const WRITE: u64 = 2;
const CREATE: u64 = 16;

/// `/dev/full` takes nothing: the answer says so. C's writes may be held back, and then the flush says it.
#[test]
fn a_write_is_whole_or_says_how_much() {
    let bench = Bench::new("whole", 1, 1);
    let file = bench.open("/data/file", WRITE | CREATE);
    for size in [0, 1, 55, 56, 57, 64, 4096, 65_536, 65_537, 1 << 20] {
        let written = bench.write(0, Opcode::FS_WRITE, file, 1, |_| vec![b'x'; size]);
        assert_eq!(written, [size as i64]);
    }
    let full = bench.open("/dev/full", WRITE);
    for size in [1, 100, 100_000] {
        let told = bench.write(0, Opcode::FS_WRITE, full, 1, |_| vec![b'x'; size]);
        assert_eq!(told, [-i64::from(libc::ENOSPC)], "{size}");
    }
    bench.ask(Opcode::CLEARERR, [full, 0, 0]);
    let small = bench.write(0, Opcode::WRITE_TO_STREAM, full, 1, |_| b"little".to_vec())[0];
    let flushed = bench.ask(Opcode::FFLUSH, [full, 0, 0]);
    assert!(small < 6 || flushed == -1, "{small} written, flush {flushed}");
    assert_ne!(bench.ask(Opcode::FERROR, [full, 0, 0]), 0);
    // Nobody may write what is only to be read.
    let file = bench.open("/data/file", READ);
    assert_eq!(
        bench.write(0, Opcode::FS_WRITE, file, 1, |_| b"text".to_vec()),
        [-i64::from(libc::EBADF)]
    );
    assert_eq!(
        bench.write(0, Opcode::WRITE_TO_STREAM, file, 1, |_| b"text".to_vec()),
        [0]
    );
}

/// The other end of a pipe goes away in the middle: the count is what went through, and nothing dies of a signal.
#[test]
fn a_write_to_a_pipe_that_breaks_says_how_much() {
    let bench = Bench::new("pipe", 2, 1);
    let path = std::ffi::CString::new(bench.folder.join("pipe").to_str().unwrap()).unwrap();
    // SAFETY: a C string.
    assert_eq!(unsafe { libc::mkfifo(path.as_ptr(), 0o600) }, 0);
    // SAFETY: as above; the number is a file's own from here on. Opened for both, it waits for nobody.
    let reader = unsafe { fs::File::from_raw_fd(libc::open(path.as_ptr(), libc::O_RDONLY | libc::O_NONBLOCK)) };
    let file = bench.open("/data/pipe", WRITE);
    let mut call = bench.device.open(0, Opcode::FS_WRITE, 1);
    call.send_words(|_| [file]).send_n(&[vec![b'x'; 1 << 20]]);
    let start = Instant::now();
    bench
        .device
        .until("a while", || start.elapsed() > Duration::from_millis(100));
    assert!(!bench.device.owns(0), "a pipe holds less than a megabyte");
    drop(reader);
    let count = call.recv_word()[0] as i64;
    assert!(
        count < 1 << 20 && (count > 0 || count == -i64::from(libc::EPIPE)),
        "{count}"
    );
}

#[test]
fn lines_of_different_lanes_do_not_mix() {
    let bench = Bench::new("lines", 2, 64);
    let file = bench.open("/data/file", WRITE | CREATE);
    // Short ones, such that end with a packet, and such that take many.
    let line = |lane: usize| [vec![b'!' + lane as u8; [3, 55, 56, 64, 5000][lane % 5]], b"\n".to_vec()].concat();
    for opcode in [Opcode::WRITE_TO_STDOUT, Opcode::WRITE_TO_STREAM, Opcode::FS_WRITE] {
        for port in [0, 1, 0] {
            let counts = bench.write(port, opcode, file, 64, line);
            assert!(
                counts
                    .iter()
                    .enumerate()
                    .all(|(lane, &count)| count as usize == line(lane).len())
            );
        }
    }
    bench.services.close_all();
    let (stdout, file) = (
        bench.device.host.seen().stdout,
        fs::read(bench.folder.join("file")).unwrap(),
    );
    let mut expected: Vec<_> = (0..64).map(line).collect();
    expected.sort();
    for (text, rounds) in [(stdout, 3), (file, 6)] {
        let mut lines: Vec<_> = text
            .split_inclusive(|&byte| byte == b'\n')
            .map(<[u8]>::to_vec)
            .collect();
        lines.sort();
        let expected: Vec<_> = expected.iter().flat_map(|line| vec![line.clone(); rounds]).collect();
        assert!(lines == expected, "broken or lost lines");
    }
}

#[test]
fn data_of_one_thread_keeps_its_order() {
    let bench = Bench::new("order", 2, 32);
    let file = bench.open("/data/file", WRITE | CREATE);
    for number in 0..200 {
        // Through another port each time, at times large enough for a thread of its own, to two streams in turn.
        let size = if number % 50 == 49 { 70_000 } else { 10 };
        let text = |lane: usize| format!("{lane} {number} {}\n", "x".repeat(size)).into_bytes();
        let lanes = if size > 10 { 2 } else { 32 };
        bench.write(number % 2, Opcode::FS_WRITE, file, lanes, text);
        bench.write(1 - number % 2, Opcode::WRITE_TO_STDOUT, 0, lanes, text);
    }
    bench.services.close_all();
    for text in [
        bench.device.host.seen().stdout,
        fs::read(bench.folder.join("file")).unwrap(),
    ] {
        let text = String::from_utf8(text).unwrap();
        let mut last = [None; 32];
        for line in text.lines() {
            let mut words = line.split(' ').map(|word| word.parse::<usize>());
            let (Some(Ok(lane)), Some(Ok(number))) = (words.next(), words.next()) else {
                panic!("a broken line: {line:?}");
            };
            assert!(
                last[lane] < Some(number),
                "lane {lane}: {number} after {:?}",
                last[lane]
            );
            last[lane] = Some(number);
        }
        assert_eq!(last[0], Some(199));
        assert_eq!(last[31], Some(198));
    }
}

/// What one thread writes, another reads from the same file at once, wherever it lies by then.
#[test]
fn two_threads_on_one_file_see_one_position() {
    let bench = Bench::new("position", 2, 1);
    fs::write(bench.folder.join("file"), (0..=255).collect::<Vec<u8>>().repeat(40)).unwrap();
    let file = bench.open("/data/file", READ);
    let mut seen = Vec::new();
    loop {
        let mut calls = [0, 1].map(|port| bench.device.open(port, Opcode::FS_READ, 1));
        for call in &mut calls {
            call.send_words(|_| [61, file]);
        }
        let pieces = calls.map(|mut call| {
            let piece = call.recv_n().concat();
            call.recv();
            piece
        });
        if pieces.iter().all(Vec::is_empty) {
            break;
        }
        seen.extend(pieces);
    }
    // Each byte once, whoever got it.
    let mut bytes = seen.concat();
    bytes.sort();
    assert_eq!(bytes, (0..=255).flat_map(|byte| vec![byte; 40]).collect::<Vec<u8>>());
}

#[test]
fn bytes_may_be_pushed_back_up_to_a_bound() {
    let bench = Bench::new("pushed", 1, 1);
    fs::write(bench.folder.join("file"), "text").unwrap();
    let file = bench.open("/data/file", READ);
    for byte in 0..64 {
        assert_eq!(bench.ask(Opcode::UNGETC, [byte, file, 0]), byte as i64);
    }
    assert_eq!(bench.ask(Opcode::UNGETC, [64, file, 0]), -1);
    // The last one comes first, and what is in the file behind them all.
    for opcode in [Opcode::READ_FROM_STREAM, Opcode::FS_READ] {
        let mut call = bench.device.open(0, opcode, 1);
        call.send_words(|_| [34, file]);
        let expected = match opcode {
            Opcode::FS_READ => [(0..30).rev().collect::<Vec<u8>>(), b"text".to_vec()].concat(),
            _ => (30..64).rev().collect(),
        };
        assert_eq!(call.recv_n(), [expected]);
        call.recv();
    }
}

/// Nothing ends with a call to `exit`: the host ends the program, as it does after a trap or at a deadline.
#[test]
fn everything_is_written_and_closed_at_an_end_that_no_call_announces() {
    let bench = Bench::new("trap", 1, 1);
    let file = bench.open("/data/file", WRITE | CREATE);
    for opcode in [Opcode::FS_WRITE, Opcode::WRITE_TO_STREAM] {
        bench.write(0, opcode, file, 1, |_| b"held back ".to_vec());
    }
    // A call that the trap cut off.
    let mut cut = bench.device.open(0, Opcode::FS_WRITE, 1);
    cut.send_words(|_| [file]);
    bench.device.until("the packet", || bench.device.owns(0));
    bench.device.server.drain();
    bench.services.close_all();
    assert_eq!(
        fs::read_to_string(bench.folder.join("file")).unwrap(),
        "held back held back "
    );
    bench.device.server.reset();
    bench.device.forget();
    assert_eq!(bench.ask(Opcode::FTELL, [file, 0, 0]), -1);
    let mut other = fs::OpenOptions::new()
        .append(true)
        .open(bench.folder.join("file"))
        .unwrap();
    other.write_all(b"closed").unwrap();
}
