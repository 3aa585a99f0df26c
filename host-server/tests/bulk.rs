//! Large transfers: what a device claims about its memory is checked, and what is true is moved.

mod peer;

use std::path::Path;
use std::sync::{Arc, LazyLock};

use host_server::services::Services;
use host_server::{Grants, Opcode, RecordingHost, STREAM_LIMIT};
use peer::{Device, DeviceBytes, folder, full};

const START: u64 = 0x7000_0000;
const SIZE: usize = 12 << 20;
const EFAULT: u64 = -14i64 as u64;

/// What the memory holds at first.
static BYTES: LazyLock<Vec<u8>> = LazyLock::new(|| (0..SIZE).map(|at| ((at * 31) >> 3) as u8).collect());

fn served(name: &str, lanes: u32) -> (Device, Arc<DeviceBytes>, std::path::PathBuf) {
    let folder = folder(name);
    let mut grants = Grants::none();
    grants.directory(&folder, Some(Path::new("/data"))).unwrap();
    let memory = Arc::new(DeviceBytes::new(START, BYTES.clone()));
    let host = RecordingHost {
        memory: Some(memory.clone()),
        ..RecordingHost::default()
    };
    let device = Device::new(1, lanes, host, Services::new(grants).registry());
    (device, memory, folder)
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
