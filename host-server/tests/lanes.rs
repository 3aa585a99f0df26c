//! What `services.rs` does not try for each width of a group: all ways of PRINTF and FORMAT beside each other, whole lines, and the
//! opcodes that only test. Each lane has its own data.

mod peer;

use std::path::Path;

use host_server::services::Services;
use host_server::{Buffer, Grants, Opcode, RecordingHost};
use peer::{Call, Device, folder};

/// Groups of lanes: the whole of each width, and one with gaps.
const GROUPS: [(u32, u64); 4] = [(1, 1), (32, 0xFFFF_FFFF), (64, u64::MAX), (64, 0x8000_0100_0030_0005)];

fn device(name: &str, (lanes, mask): (u32, u64)) -> (Device, std::path::PathBuf) {
    let folder = folder(&format!("lanes-{name}-{lanes}-{mask:x}"));
    let mut grants = Grants::none();
    grants.directory(&folder, Some(Path::new("/data"))).unwrap();
    let device = Device::new(1, lanes, RecordingHost::default(), Services::new(grants).registry());
    (device, folder)
}

fn each<T>(mask: u64, value: impl FnMut(usize) -> T) -> Vec<T> {
    (0..mask.count_ones() as usize).map(value).collect()
}

/// Where the text of a call goes.
#[derive(Clone, Copy, PartialEq)]
enum Target {
    Stdout,
    Stderr,
    File,
    Memory,
}

/// Every opcode that formats, with its target and whether arguments are packed.
const FORMATTING: [(Opcode, Target, bool); 8] = [
    (Opcode::PRINTF_TO_STDOUT, Target::Stdout, false),
    (Opcode::PRINTF_TO_STDERR, Target::Stderr, false),
    (Opcode::PRINTF_TO_STREAM, Target::File, false),
    (Opcode::PRINTF_TO_STDOUT_PACKED, Target::Stdout, true),
    (Opcode::PRINTF_TO_STDERR_PACKED, Target::Stderr, true),
    (Opcode::PRINTF_TO_STREAM_PACKED, Target::File, true),
    (Opcode::FORMAT, Target::Memory, false),
    (Opcode::FORMAT_PACKED, Target::Memory, true),
];

/// A lane's string, by its address; 0 is a null pointer.
fn string(address: u64) -> Vec<u8> {
    format!("text {address}{}\0", "+".repeat(address as usize % 150)).into_bytes()
}

/// A lane's format, its arguments in the layout, and what they make: lane n has n % 4 strings, the second of odd lanes a null one,
/// between an int and a double, which lie at other places in either layout.
fn job(lane: usize, packed: bool) -> (String, Vec<u8>, String) {
    let (mut format, mut text) = ("%d".to_owned(), format!("{lane}"));
    let mut block = (lane as u32).to_le_bytes().to_vec();
    let mut push = |word: [u8; 8]| {
        if !packed {
            block.resize(block.len().next_multiple_of(8), 0xA5);
        }
        block.extend(word);
    };
    for index in 0..lane % 4 {
        let address = if lane % 2 == 1 && index == 1 {
            0
        } else {
            (10 * lane + index + 1) as u64
        };
        format += " %s";
        push(address.to_le_bytes());
        let bytes = string(address);
        text += " ";
        text += match address {
            0 => "(null)",
            _ => std::str::from_utf8(&bytes[..bytes.len() - 1]).unwrap(),
        };
    }
    push((lane as f64 + 0.5).to_le_bytes());
    (format + " %.1f\n\0", block, format!("{text} {lane}.5\n"))
}

/// Plays the device's part from the format to the result.
fn exchange(call: &mut Call, jobs: &[(String, Vec<u8>, String)]) -> Vec<i64> {
    call.send_n(&jobs.iter().map(|(format, ..)| format).collect::<Vec<_>>());
    let sizes: Vec<u64> = jobs.iter().map(|(_, block, _)| block.len() as u64).collect();
    assert_eq!(call.recv_word(), sizes);
    call.send_n(&jobs.iter().map(|(_, block, _)| block).collect::<Vec<_>>());
    loop {
        let answers = call.recv();
        if answers.iter().all(|answer| answer.data[1] == 0) {
            return answers.iter().map(|answer| answer.data[0] as i64).collect();
        }
        let strings: Vec<_> = answers
            .iter()
            .map(|answer| match answer.data[1] {
                0 => Vec::new(),
                address => string(address),
            })
            .collect();
        call.send_n(&strings);
    }
}

#[test]
fn every_way_of_formatting_gives_each_lane_its_text() {
    for group @ (_, mask) in GROUPS {
        for (opcode, target, packed) in FORMATTING {
            let (device, folder) = device(&format!("format-{opcode}"), group);
            let jobs = each(mask, |lane| job(lane, packed));
            let texts = each(mask, |lane| jobs[lane].2.clone());
            let files = match target {
                Target::File => {
                    let mut call = device.open(0, Opcode::OPEN_FILE, mask);
                    call.send_n(&each(mask, |lane| format!("/data/{lane}\0")));
                    call.send(|_| Buffer::from_bytes(&[b"w\0", &[0; 62][..]].concat().try_into().unwrap()));
                    call.recv_word()
                }
                // The room that is there: for lane n, n bytes.
                _ => each(mask, |lane| lane as u64),
            };
            let mut call = device.open(0, opcode, mask);
            if matches!(target, Target::File | Target::Memory) {
                call.send_words(|lane| [files[lane]]);
            }
            let results = exchange(&mut call, &jobs);
            assert_eq!(
                results,
                each(mask, |lane| texts[lane].len() as i64),
                "{opcode} in {group:?}"
            );
            if target == Target::Memory {
                let kept = each(mask, |lane| {
                    texts[lane].as_bytes()[..lane.min(texts[lane].len())].to_vec()
                });
                assert_eq!(call.recv_n(), kept, "{opcode} in {group:?}");
            }
            let mut call = device.open(0, Opcode::FFLUSH, mask);
            call.send_words(|_| [0]).recv();
            let seen = device.host.seen();
            assert_eq!(seen.reports, [""; 0]);
            let (stdout, stderr) = (String::from_utf8(seen.stdout), String::from_utf8(seen.stderr));
            let expected = |on| if on { texts.concat() } else { String::new() };
            assert_eq!(
                stdout.unwrap(),
                expected(target == Target::Stdout),
                "{opcode} in {group:?}"
            );
            assert_eq!(
                stderr.unwrap(),
                expected(target == Target::Stderr),
                "{opcode} in {group:?}"
            );
            if target == Target::File {
                for (lane, text) in texts.iter().enumerate() {
                    assert_eq!(&std::fs::read_to_string(folder.join(lane.to_string())).unwrap(), text);
                }
            }
        }
    }
}

#[test]
fn each_lane_writes_its_line() {
    for group @ (_, mask) in GROUPS {
        let (device, _folder) = device("line", group);
        let line = |lane: usize| format!("line {lane} {}", "-".repeat(lane * 7 % 200));
        let mut call = device.open(0, Opcode::WRITE_TO_STDOUT_NEWLINE, mask);
        call.send_n(&each(mask, line));
        assert_eq!(call.recv_word(), each(mask, |lane| line(lane).len() as u64 + 1));
        let expected = each(mask, |lane| line(lane) + "\n").concat();
        assert_eq!(String::from_utf8(device.host.seen().stdout).unwrap(), expected);
    }
}

#[test]
fn opcodes_that_test_answer_each_lane() {
    for group @ (_, mask) in GROUPS {
        let (device, _folder) = device("test", group);
        // A call without answer: the port comes back by itself.
        device.open(0, Opcode::NOOP, mask).send_words(|lane| [lane as u64]);

        let mut call = device.open(0, Opcode::TEST_INCREMENT, mask);
        call.send_words(|lane| [lane as u64 * 3]);
        assert_eq!(call.recv_word(), each(mask, |lane| lane as u64 * 3 + 1));

        let bytes = |lane: usize| (0..lane * 37 % 500).map(|at| (at + lane) as u8).collect::<Vec<_>>();
        let mut call = device.open(0, Opcode::TEST_STREAM, mask);
        call.send_n(&each(mask, bytes));
        assert_eq!(call.recv_n(), each(mask, bytes));

        for end_with_recv in [0, 1] {
            let mut count = each(mask, |lane| lane as u64 * 100);
            let mut call = device.open(0, Opcode::TEST_INTERFACE, mask);
            call.send_words(|_| [end_with_recv]);
            for _ in 0..2 {
                count = call.send_words(|lane| [count[lane]]).recv_word();
            }
            call.send_words(|lane| [count[lane]]).send_words(|lane| [count[lane]]);
            call.recv();
            count = call.recv_word();
            assert_eq!(count, each(mask, |lane| lane as u64 * 100 + 4));
            if end_with_recv == 1 {
                call.send_words(|lane| [count[lane]]);
            } else {
                assert_eq!(call.recv_word(), each(mask, |lane| lane as u64 * 100 + 5));
            }
        }
        assert_eq!(device.host.seen().reports, [""; 0]);
    }
}
