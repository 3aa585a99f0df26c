//! Devices that break the rules: whatever they do, the server neither crashes nor hangs, and serves everybody else.

mod peer;

use std::ffi::CString;
use std::fs;
use std::path::Path;
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use host_server::functions::HostFunctions;
use host_server::services::Services;
use host_server::{Buffer, Grants, Opcode, RecordingHost};
use peer::{Device, chaos, folder, full, table};

/// Bytes from a seed (SplitMix64), so that what fails can be run again.
fn bytes(seed: u64, length: usize) -> Vec<u8> {
    let mut state = seed;
    std::iter::repeat_with(|| {
        state = state.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut word = state;
        word = (word ^ word >> 30).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        word = (word ^ word >> 27).wrapping_mul(0x94D0_49BB_1331_11EB);
        (word ^ word >> 31).to_le_bytes()
    })
    .flatten()
    .take(length)
    .collect()
}

/// Random devices for each family, a while each, as many families at once as there are cores: `FUZZ_SECONDS` in all, 12 unless told. The
/// fuzz targets run the same code.
#[test]
fn no_device_harms_the_server() {
    let seconds = std::env::var("FUZZ_SECONDS")
        .ok()
        .and_then(|text| text.parse().ok())
        .unwrap_or(12.0);
    let share = Duration::from_secs_f64(seconds / chaos::FAMILIES.len() as f64);
    let first = std::time::SystemTime::now()
        .duration_since(std::time::UNIX_EPOCH)
        .unwrap()
        .as_nanos() as u64;
    let try_family = |family: &str, opcodes: &[Opcode]| {
        let start = Instant::now();
        let mut runs = 0;
        while start.elapsed() < share || runs < 20 {
            let seed = first.wrapping_add(runs);
            let outcome = std::panic::catch_unwind(|| chaos::run(opcodes, &bytes(seed, 200 + seed as usize % 2000)));
            assert!(outcome.is_ok(), "family {family}, seed {seed}: the message is above");
            runs += 1;
        }
        println!("{family}: {runs} devices");
    };
    let families = Mutex::new(chaos::FAMILIES.iter());
    let next = || families.lock().unwrap().next();
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    std::thread::scope(|scope| {
        for _ in 0..cores {
            scope.spawn(|| std::iter::from_fn(next).for_each(|(family, opcodes)| try_family(family, opcodes)));
        }
    });
}

/// The smallest of the devices by which the fuzzers reached what they did, a line of hexadecimal digits each.
const CORPUS: &[(&str, &str)] = &[
    ("streams", include_str!("corpus/streams")),
    ("files", include_str!("corpus/files")),
    ("printf", include_str!("corpus/printf")),
    ("process", include_str!("corpus/process")),
    ("fs", include_str!("corpus/fs")),
    ("call", include_str!("corpus/call")),
];

#[test]
fn what_the_fuzzers_kept_does_no_harm() {
    assert_eq!(CORPUS.len(), chaos::FAMILIES.len());
    for (family, devices) in CORPUS {
        assert!(devices.lines().count() > 10, "{family}");
        for device in devices.lines() {
            let digits = device.as_bytes().chunks(2);
            let choices: Vec<u8> = digits
                .map(|pair| u8::from_str_radix(std::str::from_utf8(pair).unwrap(), 16).unwrap())
                .collect();
            chaos::run_family(family, &choices);
        }
    }
}

#[test]
fn every_opcode_has_its_hostile_devices() {
    assert_eq!(chaos::missing(), []);
}

/// Every opcode, with each wrong mask, size, number, flip and disappearance that `peer/table.rs` lists.
#[test]
fn every_opcode_survives_every_departure() {
    for lanes in [1, 32, 64] {
        let calls = table::run(lanes);
        assert!(calls > 50 * Opcode::ALL.len(), "{calls}");
    }
}

/// A server with nothing but a folder of its own as `/data`.
fn served(name: &str, ports: u32, lanes: u32) -> (Device, std::path::PathBuf) {
    let folder = folder(name);
    let mut grants = Grants::none();
    grants.directory(&folder, Some(Path::new("/data"))).unwrap();
    grants.run();
    let mut functions = HostFunctions::new();
    functions.register("sleep", |_| {
        std::thread::sleep(Duration::from_millis(300));
        Ok(())
    });
    let services = Services::with_functions(grants, functions);
    (
        Device::new(ports, lanes, RecordingHost::default(), Arc::clone(&services).registry()),
        folder,
    )
}

/// Calls of another port go through at once.
fn others_are_served(device: &Device, port: u32) {
    for value in 0..50 {
        let mut call = device.open(port, Opcode::TEST_INCREMENT, 1);
        assert_eq!(call.send_words(|_| [value]).recv_word(), [value + 1]);
    }
    // Files too, though the slow call may be one about files.
    let mut call = device.open(port, Opcode::OPEN_FILE, 1);
    let file = call
        .send_n(&["/data/other\0"])
        .send_words(|_| [u64::from(b'w')])
        .recv_word()[0];
    let mut call = device.open(port, Opcode::WRITE_TO_STREAM, 1);
    assert_eq!(call.send_words(|_| [file]).send_n(&["text"]).recv_word(), [4]);
    let mut call = device.open(port, Opcode::CLOSE_FILE, 1);
    assert_eq!(call.send_words(|_| [file]).recv_word(), [0]);
}

#[test]
fn forged_stale_and_foreign_handles_are_errors() {
    let (device, _folder) = served("handles", 1, 1);
    let (other, _other_folder) = served("handles-other", 1, 1);
    let open = |device: &Device| {
        let mut call = device.open(0, Opcode::OPEN_FILE, 1);
        call.send_n(&["/data/file\0"])
            .send_words(|_| [u64::from_le_bytes(*b"w+\0\0\0\0\0\0")])
            .recv_word()[0]
    };
    let (own, foreign) = (open(&device), open(&other));
    let stale = open(&device);
    device
        .open(0, Opcode::CLOSE_FILE, 1)
        .send_words(|_| [stale])
        .recv_word();
    let bad = -i64::from(libc::EBADF) as u64;
    for handle in [0, 4, foreign, stale, own + 4, own ^ 1 << 40, !3, 0x7fff_dead_beec] {
        let ask = |opcode, words: [u64; 3]| device.open(0, opcode, 1).send_words(|_| words).recv_word()[0] as i64;
        assert_eq!(ask(Opcode::FEOF, [handle, 0, 0]), 1, "{handle:#x}");
        assert_eq!(ask(Opcode::FERROR, [handle, 0, 0]), 1);
        assert_eq!(ask(Opcode::FSEEK, [handle, 0, 0]), -1);
        assert_eq!(ask(Opcode::FTELL, [handle, 0, 0]), -1);
        assert_eq!(ask(Opcode::CLOSE_FILE, [handle, 0, 0]), -1);
        assert_eq!(ask(Opcode::UNGETC, [65, handle, 0]), -1);
        // A flush of 0 is one of all files.
        assert_eq!(ask(Opcode::FFLUSH, [handle, 0, 0]), if handle == 0 { 0 } else { -1 });
        for opcode in [
            Opcode::FS_CLOSE,
            Opcode::FS_SEEK,
            Opcode::FS_SYNC,
            Opcode::FS_SET_LEN,
            Opcode::FS_FILE_METADATA,
        ] {
            assert_eq!(ask(opcode, [handle, 0, 0]), -i64::from(libc::EBADF), "{opcode}");
        }
        let mut call = device.open(0, Opcode::WRITE_TO_STREAM, 1);
        assert_eq!(call.send_words(|_| [handle]).send_n(&["text"]).recv_word(), [0]);
        let mut call = device.open(0, Opcode::READ_FROM_STREAM, 1);
        assert_eq!(call.send_words(|_| [10, handle]).recv_n(), [b""]);
        assert_eq!(call.recv_word(), [0]);
        for opcode in [Opcode::PRINTF_TO_STREAM, Opcode::PRINTF_TO_STREAM_PACKED] {
            let mut call = device.open(0, opcode, 1);
            call.send_words(|_| [handle]).send_n(&["text\0"]).recv();
            assert_eq!(call.send_n(&[""]).recv_word(), [u64::MAX]);
        }
        assert_eq!(ask(Opcode::CLEARERR, [handle, 0, 0]), -1);
        let mut call = device.open(0, Opcode::READ_FGETS, 1);
        assert_eq!(call.send_words(|_| [10, handle]).recv_n(), [b""]);
        let mut call = device.open(0, Opcode::FS_WRITE, 1);
        assert_eq!(call.send_words(|_| [handle]).send_n(&["text"]).recv_word(), [bad]);
        for opcode in [Opcode::FS_READ, Opcode::FS_READ_DIR] {
            let mut call = device.open(0, opcode, 1);
            assert_eq!(call.send_words(|_| [300, handle]).recv_n(), [b""], "{opcode}");
            assert_eq!(call.recv_word(), [bad]);
        }
    }
    // A directory is no file, a file no directory, and another program's directory neither.
    let list = |device: &Device| device.open(0, Opcode::FS_OPEN_DIR, 1).send_n(&["/data"]).recv_word()[0];
    let (listing, foreign_listing) = (list(&device), list(&other));
    for (opcode, handle) in [
        (Opcode::FS_READ_DIR, own),
        (Opcode::FS_READ_DIR, foreign_listing),
        (Opcode::FS_READ, listing),
    ] {
        let mut call = device.open(0, opcode, 1);
        assert_eq!(call.send_words(|_| [300, handle]).recv_n(), [b""], "{opcode}");
        assert_eq!(call.recv_word(), [bad]);
    }
    let close = |handle| device.open(0, Opcode::FS_CLOSE, 1).send_words(|_| [handle]).recv_word()[0];
    assert_eq!([close(foreign_listing), close(listing), close(listing)], [bad, 0, bad]);
    assert_eq!(
        device.open(0, Opcode::CLOSE_FILE, 1).send_words(|_| [own]).recv_word(),
        [0]
    );
    assert!(
        device
            .host
            .seen()
            .reports
            .iter()
            .all(|report| report.contains("is no open file"))
    );
}

#[test]
fn a_service_that_waits_stalls_nobody() {
    let (device, folder) = served("waiting", 3, 1);
    let pipe = CString::new(folder.join("pipe").to_str().unwrap()).unwrap();
    // SAFETY: a C string.
    assert_eq!(unsafe { libc::mkfifo(pipe.as_ptr(), 0o600) }, 0);

    // Opening a pipe waits for its other end.
    let mut opening = device.open(0, Opcode::OPEN_FILE, 1);
    opening.send_n(&["/data/pipe\0"]).send_words(|_| [u64::from(b'r')]);
    others_are_served(&device, 1);
    assert!(!device.owns(0));
    let mut other_end = fs::OpenOptions::new().write(true).open(folder.join("pipe")).unwrap();
    let file = opening.recv_word()[0];

    // Reading from it waits for what the other end sends.
    let mut reading = device.open(0, Opcode::READ_FGETS, 1);
    reading.send_words(|_| [100, file]);
    let mut second = device.open(2, Opcode::READ_FGETS, 1);
    second.send_words(|_| [100, file]);
    others_are_served(&device, 1);
    assert!(!device.owns(0) && !device.owns(2));
    std::io::Write::write_all(&mut other_end, b"line one\nline two\n").unwrap();
    let mut lines = [reading.recv_n().concat(), second.recv_n().concat()];
    lines.sort();
    assert_eq!(lines, [b"line one\n\0", b"line two\n\0"]);

    // Commands, functions of the host and sleep take the time they take.
    let request = [&5u32.to_le_bytes()[..], &[0; 4], b"sleep"].concat();
    for (opcode, send) in [(Opcode::SYSTEM, b"sleep 0.3\0".to_vec()), (Opcode::CALL, request)] {
        let start = Instant::now();
        let mut slow = device.open(0, opcode, 1);
        slow.send_n(&[send]);
        others_are_served(&device, 1);
        assert!(!device.owns(0), "{opcode}");
        slow.recv();
        assert!(start.elapsed() >= Duration::from_millis(300));
    }
    let mut slow = device.open(0, Opcode::SLEEP, 1);
    slow.send_words(|_| [300_000_000]);
    others_are_served(&device, 1);
    assert!(!device.owns(0));
    assert_eq!(slow.recv_word(), [0]);
}

#[test]
fn a_function_that_panics_takes_no_other_lanes_answer_away() {
    let mut functions = HostFunctions::new();
    functions.register("even", |arguments| {
        let number = arguments.value::<u64>()?;
        assert!(number.is_multiple_of(2), "odd");
        Ok(number)
    });
    let registry = Services::with_functions(Grants::none(), functions).registry();
    let device = Device::new(1, 4, RecordingHost::default(), registry);
    let requests: Vec<_> = (0..4u64)
        .map(|lane| [&[4, 0, 0, 0, 1, 0, 7, 0][..], b"even", &[7], &lane.to_le_bytes()].concat())
        .collect();
    let replies = device.open(0, Opcode::CALL, full(4)).send_n(&requests).recv_n();
    for (lane, reply) in (0u64..).zip(&replies) {
        if lane % 2 == 0 {
            assert_eq!(*reply, [[0; 8], lane.to_le_bytes()].concat());
        } else {
            assert_eq!(reply[..16], [1u64.to_le_bytes(), [0; 8]].concat());
            assert_eq!(reply[16..], *b"the function panicked");
        }
    }
}

#[test]
fn a_warp_that_vanishes_stalls_nobody() {
    let (device, folder) = served("vanished", 2, 32);
    for opcode in Opcode::ALL {
        // One packet that announces much, and never another.
        let mut call = device.open(0, *opcode, full(32));
        call.send(|_| Buffer { data: [1000; 8] });
        for _ in 0..100 {
            device.server.poll();
        }
        others_are_served(&device, 1);
        device.until("the packet", || device.owns(0));
        device.server.drain();
        device.server.reset();
        device.forget();
    }
    assert_eq!(fs::read(folder.join("other")).unwrap(), b"text");
}

#[test]
fn masks_that_cannot_be_are_cut_to_those_that_can() {
    for lanes in [1, 32, 64] {
        let (device, _folder) = served("masks", 1, lanes);
        for mask in [0, 1 << 63, u64::MAX, u64::MAX << 1, 1 << lanes.min(63)] {
            device.forge_header(0, mask, Opcode::TEST_INCREMENT.0);
            device.store(0, 0, Buffer { data: [41; 8] });
            device.flip(0);
            device.until("an answer", || device.owns(0));
        }
        let reports = device.host.seen().reports;
        assert!(
            reports.iter().all(|report| report.contains("lane mask")) && !reports.is_empty(),
            "{reports:?}"
        );
    }
}
