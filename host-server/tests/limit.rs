//! A lane that sends more than the server takes: the rest is received to the announced end and discarded, that lane's call gets an error,
//! its neighbours' none, and the next call is in step. What a call makes the server keep has the same limit.

mod peer;

use std::fs;
use std::path::Path;

use host_server::services::Services;
use host_server::{Grants, Opcode, RecordingHost, Registry, STREAM_LIMIT};
use peer::{Device, folder, full};

const LIMIT: u64 = 1000;
const LANES: usize = 32;

/// What the lanes send: one of them just as much as is taken, one a byte more, one far more.
fn texts(salt: usize) -> Vec<Vec<u8>> {
    (0..LANES)
        .map(|lane| {
            let size = match lane {
                5 => LIMIT as usize,
                6 => LIMIT as usize + 1,
                20 => 100 * LIMIT as usize,
                _ => 13 * lane,
            };
            (0..size).map(|at| b'a' + ((at + lane + salt) % 26) as u8).collect()
        })
        .collect()
}

fn is_taken(text: &[u8]) -> bool {
    text.len() as u64 <= LIMIT
}

fn limited(name: &str) -> (Device, std::path::PathBuf) {
    let folder = folder(name);
    let mut grants = Grants::none();
    grants.directory(&folder, Some(Path::new("/data"))).unwrap();
    let mut registry = Services::new(grants).registry();
    registry.limit_streams(LIMIT);
    (Device::new(1, LANES as u32, RecordingHost::default(), registry), folder)
}

/// Both lanes that sent too much are named, and nothing else is.
fn check_reports(device: &Device, opcode: Opcode, calls: usize) {
    let reports = device.host.seen().reports;
    assert_eq!(reports.len(), 2 * calls, "{reports:?}");
    for (report, size) in reports.iter().zip([1001, 100_000].repeat(calls)) {
        let expected = format!("sends {size} bytes where 1000 are allowed; the excess was discarded");
        assert!(
            report.contains(&expected) && report.contains(&opcode.to_string()),
            "{report}"
        );
    }
}

#[test]
fn a_write_beyond_the_limit_is_an_error_of_its_lane_alone() {
    for (opcode, newline) in [
        (Opcode::WRITE_TO_STDOUT, 0),
        (Opcode::WRITE_TO_STDERR, 0),
        (Opcode::WRITE_TO_STDOUT_NEWLINE, 1),
    ] {
        let (device, _) = limited("limit-stdout");
        let mut expected = Vec::new();
        // The second call is in step with the first, or its numbers are not these.
        for salt in 0..2 {
            let texts = texts(salt);
            let written = device.open(0, opcode, full(32)).send_n(&texts).recv_word();
            for (text, written) in texts.iter().zip(written) {
                let answer = if is_taken(text) { text.len() + newline } else { 0 };
                assert_eq!(written, answer as u64, "{opcode}: {} bytes", text.len());
                if is_taken(text) {
                    expected.extend_from_slice(text);
                    expected.extend(std::iter::repeat_n(b'\n', newline));
                }
            }
        }
        let seen = device.host.seen();
        let arrived = [seen.stdout, seen.stderr].concat();
        assert!(arrived == expected, "{opcode}: {} bytes arrived", arrived.len());
        check_reports(&device, opcode, 2);
    }
}

#[test]
fn a_write_to_a_file_beyond_the_limit_leaves_the_file_as_it_was() {
    for (opcode, error) in [
        (Opcode::WRITE_TO_STREAM, 0),
        (Opcode::FS_WRITE, -i64::from(libc::EMSGSIZE)),
    ] {
        let (device, folder) = limited("limit-file");
        let paths: Vec<_> = (0..LANES).map(|lane| format!("/data/{lane}\0")).collect();
        let mut call = device.open(0, Opcode::OPEN_FILE, full(32));
        let files = call.send_n(&paths).send_words(|_| [u64::from(b'w')]).recv_word();
        assert!(files.iter().all(|&file| file != 0));
        let texts = texts(0);
        for _ in 0..2 {
            let mut call = device.open(0, opcode, full(32));
            let written = call.send_words(|lane| [files[lane]]).send_n(&texts).recv_word();
            for (text, written) in texts.iter().zip(written) {
                let answer = if is_taken(text) { text.len() as i64 } else { error };
                assert_eq!(written.cast_signed(), answer, "{opcode}: {} bytes", text.len());
            }
        }
        device
            .open(0, Opcode::CLOSE_FILE, full(32))
            .send_words(|lane| [files[lane]])
            .recv();
        for (lane, text) in texts.iter().enumerate() {
            let expected = if is_taken(text) { text.repeat(2) } else { Vec::new() };
            assert!(
                fs::read(folder.join(lane.to_string())).unwrap() == expected,
                "{opcode}: lane {lane}"
            );
        }
        check_reports(&device, opcode, 2);
    }
}

#[test]
fn the_strings_of_one_printf_have_the_limit_together() {
    let (device, _) = limited("limit-printf");
    // One lane has more in its two strings than is taken of it in all, though each alone is not too long.
    let strings = |lane: usize| vec![b's'; if lane == 7 { 600 } else { 10 }];
    let mut call = device.open(0, Opcode::PRINTF_TO_STDOUT, full(32));
    call.send_n(&[b"%s%s\n\0"; LANES]).recv_word();
    let block = [1u64, 2].map(u64::to_le_bytes).concat();
    call.send_n(&vec![block; LANES]);
    for _ in 0..2 {
        assert!(call.recv().iter().all(|answer| answer.data[1] != 0));
        call.send_n(
            &(0..LANES)
                .map(|lane| [strings(lane), vec![0]].concat())
                .collect::<Vec<_>>(),
        );
    }
    for (lane, answer) in call.recv().iter().enumerate() {
        let expected = if lane == 7 { -1 } else { 21 };
        assert_eq!((answer.data[0] as i64, answer.data[1]), (expected, 0), "lane {lane}");
    }
    let seen = device.host.seen();
    assert_eq!(seen.stdout.len(), (LANES - 1) * 21);
    assert!(
        seen.reports.len() == 1 && seen.reports[0].contains("lane 7 sends 601 bytes where 399"),
        "{:?}",
        seen.reports
    );
}

#[test]
fn of_a_commands_output_no_more_is_kept() {
    let mut grants = Grants::none();
    grants.run();
    let mut registry = Services::new(grants).registry();
    registry.limit_streams(LIMIT);
    let device = Device::new(1, 1, RecordingHost::default(), registry);
    let strings = b"sh\0-c\0head -c 5000 /dev/zero; head -c 700 /dev/zero >&2\0";
    let request = [&3u64.to_le_bytes()[..], strings].concat();
    let [result, status, _, stdout, _, stderr, ..] = device.open(0, Opcode::RUN, 1).send_n(&[request]).recv()[0].data;
    // The command was read to its end: it has not met a closed pipe.
    assert_eq!([result, status, stdout, stderr], [0, 0, LIMIT, 700]);
}

/// Handlers of an embedding program keep to it as well, and what they set themselves may only be smaller.
#[test]
fn handlers_of_ones_own_keep_to_the_limit() {
    const LENGTHS: Opcode = Opcode::new(b'x', 1);
    for (server, handler, expected) in [(LIMIT, STREAM_LIMIT, LIMIT), (LIMIT, 10, 10), (STREAM_LIMIT, 10, 10)] {
        let mut registry = Registry::new();
        registry.limit_streams(server);
        registry.on(LENGTHS, move |mut port| async move {
            let received = port.recv_n(handler).await;
            port.send_word(|lane| match &received[lane] {
                Ok(bytes) => bytes.len() as u64,
                Err(too_long) => u64::MAX - too_long.announced,
            })
            .await;
        });
        let device = Device::new(1, 2, RecordingHost::default(), registry);
        let texts = [vec![0; expected as usize], vec![0; expected as usize + 1]];
        let lengths = device.open(0, LENGTHS, full(2)).send_n(&texts).recv_word();
        assert_eq!(lengths, [expected, u64::MAX - (expected + 1)]);
    }
}
