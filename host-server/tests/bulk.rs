//! Large transfers: what a device claims about its memory is checked, and what is true is moved.

mod peer;

use std::io;
use std::path::Path;
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Arc, LazyLock};

use host_server::bulk::{DeviceMemory, Permit};
use host_server::services::Services;
use host_server::{Grants, Opcode, RecordingHost, STREAM_LIMIT, Shape};
use peer::express::Region;
use peer::{Device, DeviceBytes, folder, full};
use rpc_proto::bulk::{AT_ONCE, BY_PORT};
use rpc_proto::express::Slots as _;

const START: u64 = 0x7000_0000;
const SIZE: usize = 12 << 20;
const EFAULT: u64 = -14i64 as u64;

/// What the memory holds at first.
static BYTES: LazyLock<Vec<u8>> = LazyLock::new(|| (0..SIZE).map(|at| ((at * 31) >> 3) as u8).collect());

fn served(name: &str, lanes: u32) -> (Device, Arc<DeviceBytes>, std::path::PathBuf) {
    served_within(name, lanes, STREAM_LIMIT)
}

/// The same where a lane may move no more than `limit` bytes at a time.
fn served_within(name: &str, lanes: u32, limit: u64) -> (Device, Arc<DeviceBytes>, std::path::PathBuf) {
    let memory = Arc::new(DeviceBytes::new(START, BYTES.clone()));
    let (device, folder) = served_from(memory.clone(), name, lanes, limit);
    (device, memory, folder)
}

/// The same with this memory.
fn served_from(memory: Arc<dyn DeviceMemory>, name: &str, lanes: u32, limit: u64) -> (Device, std::path::PathBuf) {
    let folder = folder(name);
    let mut grants = Grants::none();
    grants.directory(&folder, Some(Path::new("/data"))).unwrap();
    let host = RecordingHost {
        memory: Some(memory),
        ..RecordingHost::default()
    };
    let mut registry = Services::new(grants).registry();
    registry.limit_streams(limit);
    (Device::new(1, lanes, host, registry), folder)
}

fn open(device: &Device, options: u64, path: &str) -> u64 {
    let request = [&options.to_le_bytes()[..], path.as_bytes()].concat();
    device.open(0, Opcode::FS_OPEN, 1).send_n(&[request]).recv_word()[0]
}

fn ask(device: &Device, opcode: Opcode, words: [u64; 3]) -> u64 {
    device.open(0, opcode, 1).send_words(|_| words).recv_word()[0]
}

#[test]
fn forged_memory_is_refused() {
    let (device, _, _) = served("bulk_forged", 1);
    for opcode in [Opcode::BULK_WRITE, Opcode::BULK_READ] {
        for (address, size) in [
            (0, 1),
            (START - 1, 1),
            (START, SIZE as u64 + 1),
            (START + SIZE as u64, 1),
            (u64::MAX, 2),
            (u64::MAX - 10, STREAM_LIMIT),
        ] {
            for stream in [1, 2, 3, 400] {
                assert_eq!(
                    ask(&device, opcode, [stream, address, size]),
                    EFAULT,
                    "{size} bytes at {address:#x}"
                );
            }
        }
        for size in [STREAM_LIMIT + 1, u64::MAX] {
            assert_eq!(ask(&device, opcode, [2, START, size]), -90i64 as u64, "{size} bytes");
        }
        assert_eq!(ask(&device, opcode, [400, START, 10]), -9i64 as u64);
    }
    assert_eq!(device.host.seen().stdout, b"");
}

#[test]
fn large_transfers_go_both_ways() {
    let (device, memory, folder) = served("bulk_ways", 1);
    let file = open(&device, 1 | 2 | 16, "/data/file");
    // More than a part, less, and none at all.
    for size in [10 << 20, 100_000, 1, 0] {
        assert_eq!(ask(&device, Opcode::BULK_WRITE, [file, START + 5, size]), size);
        assert_eq!(ask(&device, Opcode::FS_SEEK, [file, 0, 0]), 0);
        let written = std::fs::read(folder.join("file")).unwrap_or_default();
        assert!(written[..size as usize] == BYTES[5..][..size as usize]);

        memory.bytes.lock().unwrap().fill(0);
        assert_eq!(ask(&device, Opcode::BULK_READ, [file, START + 9, size]), size);
        assert!(memory.bytes.lock().unwrap()[9..][..size as usize] == BYTES[5..][..size as usize]);
        *memory.bytes.lock().unwrap() = BYTES.clone();
        assert_eq!(ask(&device, Opcode::FS_SEEK, [file, 0, 0]), 0);
    }
    assert_eq!(ask(&device, Opcode::BULK_WRITE, [2, START, 9 << 20]), 9 << 20);
    assert!(device.host.seen().stdout == BYTES[..9 << 20]);
}

#[test]
fn lanes_side_by_side_keep_their_order_and_their_answers() {
    let (device, _, _) = served("bulk_lanes", 32);
    let mut call = device.open(0, Opcode::BULK_WRITE, full(32));
    // Lanes 8 to 15 write elsewhere, lane 20 asks for what is not there, all others lie one behind the other.
    let request = |lane: usize| match lane {
        8..16 => [3, START + 1000 * lane as u64, 10],
        20 => [2, START + SIZE as u64 - 5, 10],
        _ => [2, START + 1000 * lane as u64, 1000],
    };
    call.send_words(request);
    let answers = call.recv_word();
    for (lane, answer) in answers.into_iter().enumerate() {
        assert_eq!(
            answer,
            if lane == 20 { EFAULT } else { request(lane)[2] },
            "lane {lane}"
        );
    }
    let all = &*BYTES;
    let of = |stream: u64| -> Vec<u8> {
        let lanes = (0..32).filter(|&lane| lane != 20 && request(lane)[0] == stream);
        lanes
            .flat_map(|lane| all[1000 * lane..][..request(lane)[2] as usize].to_vec())
            .collect()
    };
    let seen = device.host.seen();
    assert!(seen.stdout == of(2) && seen.stderr == of(3));
}

/// Each lane has a file of its own, another place in memory and another size.
#[test]
fn each_lane_moves_its_own() {
    for lanes in [1, 32, 64] {
        let (device, memory, folder) = served(&format!("bulk_each_{lanes}"), lanes);
        let path = |lane: usize| format!("/data/{lane}");
        let mut call = device.open(0, Opcode::FS_OPEN, full(lanes));
        let requests: Vec<_> = (0..lanes as usize)
            .map(|lane| [&(1 | 2 | 16u64).to_le_bytes()[..], path(lane).as_bytes()].concat())
            .collect();
        let files = call.send_n(&requests).recv_word();
        let size = |lane: usize| (lane * 3001 % 50_000) as u64;
        let place = |lane: usize| 60_000 * lane;
        let request = |lane: usize| [files[lane], START + place(lane) as u64, size(lane)];
        let sizes: Vec<_> = (0..lanes as usize).map(size).collect();

        let mut call = device.open(0, Opcode::BULK_WRITE, full(lanes));
        assert_eq!(call.send_words(request).recv_word(), sizes);
        for lane in 0..lanes as usize {
            let written = std::fs::read(folder.join(lane.to_string())).unwrap();
            assert!(written == BYTES[place(lane)..][..size(lane) as usize], "lane {lane}");
        }

        let mut call = device.open(0, Opcode::FS_SEEK, full(lanes));
        call.send_words(|lane| [files[lane], 0, 0]).recv_word();
        memory.bytes.lock().unwrap().fill(0xA5);
        let mut call = device.open(0, Opcode::BULK_READ, full(lanes));
        // Where there is room for more than there is in the file, nothing else is touched.
        let all = |lane: usize| [files[lane], START + place(lane) as u64, 60_000];
        assert_eq!(call.send_words(all).recv_word(), sizes);
        let memory = memory.bytes.lock().unwrap();
        for lane in 0..lanes as usize {
            let (read, rest) = memory[place(lane)..][..60_000].split_at(size(lane) as usize);
            assert!(read == &BYTES[place(lane)..][..read.len()], "lane {lane}");
            assert!(rest.iter().all(|&byte| byte == 0xA5), "lane {lane}");
        }
    }
}

/// A slot for the same device.
fn express_of(device: &Device, lanes: u32) -> Region {
    Region::offered_by(&device.server, Shape::new(1, lanes, 8).unwrap())
}

/// Asks as all lanes together, `rows` words each; the first word of each answer.
fn ask_by_express(device: &Device, express: &Region, opcode: Opcode, lanes: &[[u64; 3]], rows: u32) -> Vec<u64> {
    const WANTS_ANSWER: u32 = 1 << 20;
    let (slots, shape) = (express.slots(), express.shape);
    // As if the slot had sent nothing yet.
    device.server.reset();
    let mask = u64::MAX >> (64 - lanes.len());
    let tag = 1u64 << 32;
    for row in 0..rows {
        let mut words = [0; 64];
        for (word, lane) in words.iter_mut().zip(lanes) {
            *word = lane.get(row as usize).copied().unwrap_or(7);
        }
        slots.store_row(shape.unit(0, row, 0), mask, 1, &words);
    }
    let code = opcode.0 | (rows - 1) << 16 | WANTS_ANSWER;
    slots.store_unit(shape.header(0, 0), [tag | u64::from(code), tag | mask & 0xffff_ffff]);
    slots.store_word(shape.hint(0), rows);
    assert_eq!(device.server.poll(), 1);
    let mut answers = [0; 64];
    assert!(slots.load_row(shape.unit(0, 0, 0), mask, !1, &mut answers), "no answer");
    answers[..lanes.len()].to_vec()
}

#[test]
fn short_transfers_go_by_express_and_all_others_are_sent_to_a_port() {
    let (device, memory, folder) = served("bulk_express", 1);
    let express = express_of(&device, 1);
    let ask = |opcode, words| ask_by_express(&device, &express, opcode, &[words], 3)[0];
    for size in [0, 1, 4096, AT_ONCE] {
        assert_eq!(ask(Opcode::BULK_WRITE, [2, START + 3, size]), size);
        let written = std::mem::take(&mut device.host.record.lock().unwrap().stdout);
        assert!(written == BYTES[3..][..size as usize], "{size} bytes");
    }
    let file = open(&device, 1 | 2 | 16, "/data/file");
    assert_eq!(ask(Opcode::BULK_WRITE, [file, START + 5, 50_000]), 50_000);
    assert!(std::fs::read(folder.join("file")).unwrap() == BYTES[5..50_005]);
    let file = open(&device, 1 | 2, "/data/file");
    assert_eq!(ask(Opcode::BULK_READ, [file, START + 9, 60_000]), 50_000);
    assert!(memory.bytes.lock().unwrap()[9..60_000] == [&BYTES[5..50_005], &BYTES[50_009..60_000]].concat());

    for opcode in [Opcode::BULK_WRITE, Opcode::BULK_READ] {
        // Too long, or no such stream, which is a fault to be told there.
        for words in [
            [2, START, AT_ONCE + 1],
            [file, START, 70_000],
            [2, START, u64::MAX],
            [400, START, 10],
        ] {
            assert_eq!(ask(opcode, words), BY_PORT, "{words:x?}");
        }
        for rows in [1, 2, 4, 8] {
            let answers = ask_by_express(&device, &express, opcode, &[[2, START, 10]], rows);
            assert_eq!(answers, [BY_PORT], "{rows} words");
        }
        for (address, size) in [(START - 1, 1), (START + SIZE as u64, 1), (u64::MAX - 10, 100)] {
            assert_eq!(ask(opcode, [2, address, size]), EFAULT);
        }
    }
    // A host may have to wait for standard input.
    assert_eq!(ask(Opcode::BULK_READ, [1, START, 10]), BY_PORT);
    let seen = device.host.seen();
    assert_eq!((seen.stdout, seen.reports), (vec![], vec![]));
}

#[test]
fn the_limit_of_a_lane_holds_in_all_ways() {
    let (device, ..) = served_within("bulk_limit", 32, 1000);
    let express = express_of(&device, 32);
    // Side by side, and still in pieces of no more than that.
    let beside: Vec<_> = (0..32).map(|lane| [2, START + 400 * lane, 400]).collect();
    // By express no more than four.
    let answers = ask_by_express(&device, &express, Opcode::BULK_WRITE, &beside, 3);
    assert_eq!(answers, [[400; 8].as_slice(), &[BY_PORT; 24]].concat());
    let mut call = device.open(0, Opcode::BULK_WRITE, full(32));
    assert_eq!(call.send_words(|lane| beside[lane]).recv_word(), [400; 32]);
    assert!(device.host.seen().stdout == [&BYTES[..8 * 400], &BYTES[..32 * 400]].concat());
    for (size, by_express, by_port) in [(1000, 1000, 1000), (1001, BY_PORT, -90i64 as u64)] {
        let words = [2, START, size];
        let answer = ask_by_express(&device, &express, Opcode::BULK_WRITE, &[words], 3);
        assert_eq!(answer, [by_express]);
        assert_eq!(ask(&device, Opcode::BULK_WRITE, words), by_port);
    }
}

#[test]
fn lanes_behind_one_that_needs_a_port_wait_for_it() {
    let (device, ..) = served("bulk_express_lanes", 32);
    let express = express_of(&device, 32);
    let request = |lane: u64| match lane {
        3 => [2, START - 5, 10],
        20 => [400, START, 10],
        _ => [2, START + 100 * lane, 100],
    };
    let lanes: Vec<_> = (0..32).map(request).collect();
    let answers = ask_by_express(&device, &express, Opcode::BULK_WRITE, &lanes, 3);
    for (lane, answer) in answers.into_iter().enumerate() {
        let expected = match lane {
            3 => EFAULT,
            20.. => BY_PORT,
            _ => 100,
        };
        assert_eq!(answer, expected, "lane {lane}");
    }
    let written = [&BYTES[..300], &BYTES[400..2000]].concat();
    assert!(device.host.seen().stdout == written);
    // More than is moved at once, all lanes together.
    let lanes: Vec<_> = (0..32).map(|lane| [2, START + 10_000 * lane, 10_000]).collect();
    let answers = ask_by_express(&device, &express, Opcode::BULK_WRITE, &lanes, 3);
    assert_eq!(answers, [BY_PORT; 32]);
    assert!(device.host.seen().stdout == written);
}

/// Memory that cannot be reached for a while, and then can: a driver's call is under way.
struct Closed {
    bytes: DeviceBytes,
    refusals: AtomicU32,
}

impl DeviceMemory for Closed {
    fn owns(&self, address: u64, bytes: u64) -> bool {
        self.bytes.owns(address, bytes)
    }

    fn permit(&self) -> Option<Permit> {
        let left = |refusals: u32| refusals.checked_sub(1);
        let refused = self.refusals.fetch_update(Ordering::Relaxed, Ordering::Relaxed, left);
        refused.is_err().then(|| Box::new(()) as _)
    }

    fn fetch(&self, address: u64, bytes: &mut [u8]) -> io::Result<()> {
        self.bytes.fetch(address, bytes)
    }

    fn store(&self, address: u64, bytes: &[u8]) -> io::Result<()> {
        self.bytes.store(address, bytes)
    }
}

#[test]
fn transfers_that_may_not_copy_now_wait_a_little_and_lose_nothing() {
    let memory = Arc::new(Closed {
        bytes: DeviceBytes::new(START, BYTES.clone()),
        refusals: AtomicU32::new(0),
    });
    let (device, _) = served_from(memory.clone(), "bulk_closed", 1, STREAM_LIMIT);
    let express = express_of(&device, 1);
    let file = open(&device, 1 | 2 | 16, "/data/file");
    let refuse = |times| memory.refusals.store(times, Ordering::Relaxed);
    for (stream, size) in [(2, 5000), (2, 9 << 20), (file, 5000), (file, 9 << 20)] {
        refuse(1);
        if size < AT_ONCE {
            let answer = ask_by_express(&device, &express, Opcode::BULK_WRITE, &[[stream, START, size]], 3);
            assert_eq!(answer, [BY_PORT]);
        }
        refuse(2);
        assert_eq!(ask(&device, Opcode::BULK_WRITE, [stream, START, size]), size);
        refuse(u32::MAX);
        assert_eq!(ask(&device, Opcode::BULK_WRITE, [stream, START, size]), EFAULT);
        // Who comes next does not wait, until it is to be had again.
        refuse(1);
        assert_eq!(ask(&device, Opcode::BULK_WRITE, [3, START, 9 << 20]), EFAULT);
        assert_eq!(ask(&device, Opcode::BULK_WRITE, [3, START, 10]), 10);
    }
    let all = [&BYTES[..5000], &BYTES[..9 << 20]].concat();
    assert!(device.host.seen().stdout == all);
    refuse(0);
    assert_eq!(ask(&device, Opcode::FS_SEEK, [file, 0, 0]), 0);
    refuse(u32::MAX);
    assert_eq!(ask(&device, Opcode::BULK_READ, [file, START, 100]), EFAULT);
    refuse(0);
    assert_eq!(
        ask(&device, Opcode::BULK_READ, [file, START + 7, 12 << 20]),
        EFAULT,
        "beyond the memory"
    );
    assert_eq!(
        ask(&device, Opcode::BULK_READ, [file, START, 12 << 20]),
        all.len() as u64
    );
    assert!(memory.bytes.bytes.lock().unwrap()[..all.len()] == all);
    // Input that was waited for and cannot be copied is there for whoever asks for it otherwise.
    device.host.stdin.lock().unwrap().extend(b"input");
    refuse(u32::MAX);
    assert_eq!(ask(&device, Opcode::BULK_READ, [1, START, 100]), EFAULT);
    refuse(0);
    assert_eq!(ask(&device, Opcode::BULK_READ, [1, START, 100]), 5);
    assert_eq!(&memory.bytes.bytes.lock().unwrap()[..5], b"input");
}
