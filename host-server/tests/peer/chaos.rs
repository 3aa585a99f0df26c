//! A device that goes wrong in every way: exchanges as the opcode table has them, with forged values, and departures from
//! them at any point. Driven by bytes, so that fuzzers and random tests share it.
#![allow(dead_code, reason = "each test uses its part")]

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};

use host_server::functions::HostFunctions;
use host_server::heap::Heap;
use host_server::services::Services;
use host_server::{Buffer, Grants, Opcode, RecordingHost};

use super::{Device, DeviceBytes, full};

/// Opcodes that share their code, one fuzz target each.
pub const FAMILIES: &[(&str, &[Opcode])] = &[
    (
        "streams",
        &[
            Opcode::NOOP,
            Opcode::WRITE_TO_STDOUT,
            Opcode::WRITE_TO_STDERR,
            Opcode::WRITE_TO_STDOUT_NEWLINE,
            Opcode::TEST_INCREMENT,
            Opcode::TEST_INTERFACE,
            Opcode::TEST_STREAM,
            // Nobody's.
            Opcode::new(b'z', 77),
            Opcode(u32::MAX),
        ],
    ),
    (
        "files",
        &[
            Opcode::OPEN_FILE,
            Opcode::CLOSE_FILE,
            Opcode::WRITE_TO_STREAM,
            Opcode::READ_FROM_STREAM,
            Opcode::READ_FGETS,
            Opcode::FEOF,
            Opcode::FERROR,
            Opcode::CLEARERR,
            Opcode::FSEEK,
            Opcode::FTELL,
            Opcode::FFLUSH,
            Opcode::UNGETC,
            Opcode::REMOVE,
            Opcode::RENAME,
        ],
    ),
    (
        "printf",
        &[
            Opcode::PRINTF_TO_STDOUT,
            Opcode::PRINTF_TO_STDERR,
            Opcode::PRINTF_TO_STREAM,
            Opcode::PRINTF_TO_STDOUT_PACKED,
            Opcode::PRINTF_TO_STDERR_PACKED,
            Opcode::PRINTF_TO_STREAM_PACKED,
            Opcode::FORMAT,
            Opcode::FORMAT_PACKED,
        ],
    ),
    (
        "process",
        &[
            Opcode::MALLOC,
            Opcode::FREE,
            Opcode::EXIT,
            Opcode::ABORT,
            Opcode::HOST_CALL,
            Opcode::OFFLOAD_HOST_CALL,
            Opcode::SYSTEM,
            Opcode::RUN,
            Opcode::CLOCK,
            Opcode::SLEEP,
        ],
    ),
    (
        "fs",
        &[
            Opcode::FS_OPEN,
            Opcode::FS_READ,
            Opcode::FS_WRITE,
            Opcode::FS_SEEK,
            Opcode::FS_SYNC,
            Opcode::FS_CLOSE,
            Opcode::FS_METADATA,
            Opcode::FS_FILE_METADATA,
            Opcode::FS_SET_LEN,
            Opcode::FS_CREATE_DIR,
            Opcode::FS_REMOVE,
            Opcode::FS_RENAME,
            Opcode::FS_COPY,
            Opcode::FS_OPEN_DIR,
            Opcode::FS_READ_DIR,
            Opcode::BULK_WRITE,
            Opcode::BULK_READ,
        ],
    ),
    ("call", &[Opcode::CALL]),
];

/// One step of an exchange, from the device's view.
#[derive(Clone, Copy, PartialEq)]
pub(super) enum Step {
    Send,
    SendN,
    Recv,
    RecvN,
    /// Strings as the PRINTF calls ask for them, to the end.
    Strings,
}

/// The exchange behind an opcode. Each that has a name stands here: a test sees to that.
pub(super) fn exchange(opcode: Opcode) -> Option<&'static [Step]> {
    use Step::*;
    Some(match opcode {
        Opcode::NOOP | Opcode::FREE => &[Send],
        Opcode::EXIT | Opcode::ABORT => &[Send, Recv, Send],
        Opcode::WRITE_TO_STDOUT | Opcode::WRITE_TO_STDERR | Opcode::WRITE_TO_STDOUT_NEWLINE => &[SendN, Recv],
        Opcode::WRITE_TO_STREAM | Opcode::FS_WRITE => &[Send, SendN, Recv],
        Opcode::READ_FROM_STREAM | Opcode::FS_READ | Opcode::FS_READ_DIR => &[Send, RecvN, Recv],
        Opcode::READ_FGETS => &[Send, RecvN],
        Opcode::OPEN_FILE | Opcode::HOST_CALL | Opcode::OFFLOAD_HOST_CALL => &[SendN, Send, Recv],
        Opcode::REMOVE | Opcode::SYSTEM | Opcode::FS_OPEN | Opcode::FS_METADATA | Opcode::FS_CREATE_DIR => {
            &[SendN, Recv]
        }
        Opcode::FS_REMOVE | Opcode::FS_OPEN_DIR | Opcode::RUN => &[SendN, Recv],
        Opcode::RENAME | Opcode::FS_RENAME | Opcode::FS_COPY => &[SendN, SendN, Recv],
        Opcode::PRINTF_TO_STREAM | Opcode::PRINTF_TO_STREAM_PACKED => &[Send, SendN, Recv, SendN, Strings],
        Opcode::FORMAT | Opcode::FORMAT_PACKED => &[Send, SendN, Recv, SendN, Strings, RecvN],
        Opcode::PRINTF_TO_STDOUT | Opcode::PRINTF_TO_STDERR => &[SendN, Recv, SendN, Strings],
        Opcode::PRINTF_TO_STDOUT_PACKED | Opcode::PRINTF_TO_STDERR_PACKED => &[SendN, Recv, SendN, Strings],
        Opcode::CALL | Opcode::TEST_STREAM => &[SendN, RecvN],
        Opcode::TEST_INTERFACE => &[Send, Send, Recv, Send, Recv, Send, Send, Recv, Recv, Recv],
        _ if ONE_AND_ONE.contains(&opcode) => &[Send, Recv],
        _ => return None,
    })
}

/// A packet there and one back.
const ONE_AND_ONE: &[Opcode] = &[
    Opcode::CLOSE_FILE,
    Opcode::MALLOC,
    Opcode::FEOF,
    Opcode::FERROR,
    Opcode::CLEARERR,
    Opcode::FSEEK,
    Opcode::FTELL,
    Opcode::FFLUSH,
    Opcode::UNGETC,
    Opcode::TEST_INCREMENT,
    Opcode::FS_SEEK,
    Opcode::FS_SYNC,
    Opcode::FS_CLOSE,
    Opcode::FS_FILE_METADATA,
    Opcode::FS_SET_LEN,
    Opcode::CLOCK,
    Opcode::SLEEP,
    Opcode::BULK_WRITE,
    Opcode::BULK_READ,
];

/// What is sent to an opcode that nobody knows.
const UNKNOWN: &[Step] = &[Step::Send, Step::SendN, Step::Recv];

/// The named opcodes that no family has, or whose exchange is not known here: there must be none.
pub fn missing() -> Vec<Opcode> {
    let in_family = |opcode: &Opcode| FAMILIES.iter().any(|(_, family)| family.contains(opcode));
    let mut missing = Opcode::ALL.to_vec();
    missing.retain(|opcode| !in_family(opcode) || exchange(*opcode).is_none());
    missing
}

const PATHS: &[&[u8]] = &[
    b"/data/a\0",
    b"/data/b",
    b"/data/dir/c\0",
    b"/data\0",
    b"/data/../etc/passwd\0",
    b"/data/dir",
];
pub(super) const MODES: &[&[u8]] = &[b"w+\0", b"r\0", b"a+\0", b"r+\0", b"wx\0"];
const FORMATS: &[&[u8]] = &[
    b"%d %s|%-*.*f %5.3s\n\0",
    b"%s%s%s\0",
    b"%1000000d%.99999f%n",
    b"%",
    b"%hhd %lld %La %c %% %p %#o\0",
    b"%s",
];
const OPTIONED_PATHS: &[&[u8]] = &[
    b"\0\0\0\0\0\0\0\0/data/a",
    b"\x01\0\0\0\0\0\0\0/data/dir",
    b"\x13\0\0\0\0\0\0\0/data/a",
    b"\x23\0\0\0\0\0\0\0/data/b",
    b"\x02\0\0\0\0\0\0\0/data/dir",
    b"\x02\0\0\0\0\0\0\0/data",
];
const REQUESTS: &[&[u8]] = &[
    b"\x03\0\0\0\x02\0\x07\0sum\x07\x01\0\0\0\0\0\0\0\x25\x04\0\0\0\0\0\0\0",
    b"\x03\0\0\0\x01\0\0\0sum\x2a\xff\xff\xff\xff\xff\xff\xff\x7f",
    b"\x03\0\0\0\x02\0\x07\0sum\x07\x01\0\0\0\0\0\0\0\x35\x02\0\0\0\0\0\0\0abcdefgh",
    b"\x02\0\0\0\0\0\0\0echo\0text\0input",
];
const ANY: &[&[u8]] = &[
    b"line\nline\n\nend",
    b"",
    b"\0",
    b"echo\0",
    b"\xff\xff\xff\xff\xff\xff\xff\xff",
];

/// Bytes that lead somewhere in this call.
pub(super) fn texts(opcode: Opcode) -> &'static [&'static [u8]] {
    match opcode {
        Opcode::OPEN_FILE | Opcode::REMOVE | Opcode::RENAME => PATHS,
        Opcode::FS_RENAME | Opcode::FS_COPY | Opcode::FS_OPEN_DIR => PATHS,
        Opcode::FS_OPEN | Opcode::FS_METADATA | Opcode::FS_CREATE_DIR | Opcode::FS_REMOVE => OPTIONED_PATHS,
        Opcode::PRINTF_TO_STDOUT | Opcode::PRINTF_TO_STDERR | Opcode::PRINTF_TO_STREAM => FORMATS,
        Opcode::PRINTF_TO_STDOUT_PACKED | Opcode::PRINTF_TO_STDERR_PACKED | Opcode::PRINTF_TO_STREAM_PACKED => FORMATS,
        Opcode::FORMAT | Opcode::FORMAT_PACKED => FORMATS,
        Opcode::CALL | Opcode::RUN => REQUESTS,
        _ => ANY,
    }
}

/// Numbers at the edges of something.
pub(super) const NUMBERS: &[u64] = &[
    0,
    1,
    2,
    3,
    4,
    8,
    56,
    57,
    64,
    257,
    4096,
    1 << 20,
    1 << 30,
    (1 << 30) + 1,
    1 << 32,
    i32::MAX as u64,
    i64::MAX as u64,
    1 << 63,
    u64::MAX,
    u64::MAX - 7,
];

/// Where a hostile device has memory for large transfers: one of those numbers.
pub(super) const MEMORY: u64 = 4096;

/// How many steps of one kind a device takes before it tires.
const MOST_STEPS: usize = 40;

/// Plays a hostile device on opcodes of one family, as `choices` says, then makes sure that the server is none the worse.
pub fn run(opcodes: &[Opcode], choices: &[u8]) {
    let folder = scratch();
    let mut chaos = Chaos::new(opcodes, Choices(choices), &folder);
    for _ in 0..MOST_STEPS {
        if chaos.choices.0.is_empty() {
            break;
        }
        chaos.call();
    }
    chaos.check();
    drop(chaos);
    let _ = std::fs::remove_dir_all(folder);
}

/// The same for a family by name.
pub fn run_family(name: &str, choices: &[u8]) {
    let family = FAMILIES
        .iter()
        .find(|(family, _)| *family == name)
        .expect("a family of the list above");
    run(family.1, choices);
}

fn scratch() -> PathBuf {
    static NEXT: AtomicU32 = AtomicU32::new(0);
    super::folder(&format!("chaos-{}", NEXT.fetch_add(1, Ordering::Relaxed)))
}

/// Bytes that decide; when they are used up, everything is 0.
struct Choices<'a>(&'a [u8]);

impl Choices<'_> {
    fn byte(&mut self) -> u8 {
        match self.0.split_first() {
            Some((&byte, rest)) => {
                self.0 = rest;
                byte
            }
            None => 0,
        }
    }

    fn below(&mut self, limit: usize) -> usize {
        usize::from(self.byte()) % limit
    }

    /// True once in `times`, never when nothing is left.
    fn once_in(&mut self, times: u8) -> bool {
        !self.0.is_empty() && self.byte() % times == 1
    }

    fn of<T: Copy>(&mut self, list: &[T]) -> T {
        let index = self.below(list.len());
        list[index]
    }
}

struct Chaos<'a> {
    device: Device,
    opcodes: &'a [Opcode],
    choices: Choices<'a>,
    /// Words that the server has sent: handles, addresses, sizes.
    seen: Vec<u64>,
    /// The last step was a recv: one more has to give the packet back first.
    received: bool,
    lanes: u32,
}

const PORTS: u32 = 3;

impl<'a> Chaos<'a> {
    fn new(opcodes: &'a [Opcode], mut choices: Choices<'a>, folder: &Path) -> Self {
        let mut grants = Grants::none();
        grants.directory(folder, Some(Path::new("/data"))).unwrap();
        let mut functions = HostFunctions::new();
        functions.register("sum", |arguments| {
            let start = arguments.value::<u64>()?;
            let out = arguments.slice_mut::<u32>()?;
            out.fill(start as u32);
            Ok(out.iter().fold(start, |sum, &element| sum.wrapping_add(element.into())))
        });
        let services = Services::with_functions(grants, functions);
        let host = RecordingHost {
            stdin: std::sync::Mutex::new(b"some lines\nof input\n".iter().copied().collect()),
            heap: Some(Heap::new(0x1000, 1 << 20)),
            memory: Some(Arc::new(DeviceBytes::new(MEMORY, vec![0x5A; 1 << 16]))),
            ..RecordingHost::default()
        };
        let lanes = choices.of(&[1, 32, 64]);
        let device = Device::new(PORTS, lanes, host, services.registry());
        Self {
            device,
            opcodes,
            choices,
            seen: Vec::new(),
            received: false,
            lanes,
        }
    }

    /// One call, with departures.
    fn call(&mut self) {
        let port = self.choices.below(PORTS as usize) as u32;
        let opcode = self.choices.of(self.opcodes);
        let mask = match self.choices.below(8) {
            0 => 0,
            1 => u64::MAX,
            2 => 1 << 63,
            3 => 1 << (self.lanes - 1),
            4 => u64::from(self.choices.byte()) * 0x0101_0101_0101_0101,
            _ => full(self.lanes),
        };
        self.come_back(port);
        self.received = false;
        self.device.forge_header(port, mask, opcode.0);
        let mut steps = exchange(opcode).unwrap_or(UNKNOWN).to_vec();
        if self.choices.once_in(16) {
            steps.rotate_left(1);
        }
        for step in steps {
            if self.choices.once_in(24) {
                self.misbehave(port);
            }
            if self.choices.once_in(40) {
                // Gone in the middle of the call.
                return;
            }
            match step {
                Step::Send if opcode == Opcode::OPEN_FILE => self.send_text(port, MODES),
                // A sleep of any length would be most of the time that there is.
                Step::Send if opcode == Opcode::SLEEP => self.send_text(port, &[b"\0", b"\xff\xff"]),
                Step::Send => self.send(port),
                Step::SendN => self.send_n(port, texts(opcode)),
                Step::Recv => drop(self.recv(port)),
                Step::RecvN => self.recv_n(port),
                Step::Strings => self.strings(port),
            }
        }
        // Closing is nothing that the server sees.
    }

    fn send(&mut self, port: u32) {
        self.come_back(port);
        self.received = false;
        for lane in 0..self.lanes.min(4) {
            let data = std::array::from_fn(|_| self.number());
            self.device.store(port, lane, Buffer { data });
        }
        self.device.flip(port);
    }

    fn send_text(&mut self, port: u32, texts: &[&[u8]]) {
        self.come_back(port);
        self.received = false;
        for lane in 0..self.lanes {
            let text = self.choices.of(texts);
            let mut bytes = [0; 64];
            bytes[..text.len()].copy_from_slice(text);
            self.device.store(port, lane, Buffer::from_bytes(&bytes));
        }
        self.device.flip(port);
    }

    /// A stream whose announced size is mostly that of a text, and sometimes anything.
    fn send_n(&mut self, port: u32, texts: &[&[u8]]) {
        let texts = if self.choices.once_in(8) { ANY } else { texts };
        let text = self.choices.of(texts);
        let forged = self.choices.once_in(8);
        let size = if forged { self.number() } else { text.len() as u64 };
        self.come_back(port);
        self.received = false;
        for lane in 0..self.lanes {
            let mut bytes = [0; 64];
            bytes[..8].copy_from_slice(&size.to_le_bytes());
            let head = text.len().min(56);
            bytes[8..8 + head].copy_from_slice(&text[..head]);
            self.device.store(port, lane, Buffer::from_bytes(&bytes));
        }
        self.device.flip(port);
        let mut sent = 56;
        // A size that nobody can send is begun and left.
        while sent < size && sent < 64 * MOST_STEPS as u64 {
            self.send(port);
            sent += 64;
        }
    }

    fn recv(&mut self, port: u32) -> Vec<Buffer> {
        if std::mem::replace(&mut self.received, true) {
            self.device.flip(port);
        }
        self.come_back(port);
        let packets: Vec<Buffer> = (0..self.lanes).map(|lane| self.device.load(port, lane)).collect();
        self.seen
            .extend(packets[0].data.iter().copied().filter(|&word| word != 0));
        let excess = self.seen.len().saturating_sub(32);
        self.seen.drain(..excess);
        packets
    }

    fn recv_n(&mut self, port: u32) {
        let size = self.recv(port).iter().map(|packet| packet.data[0]).max().unwrap_or(0);
        let mut received = 56;
        while received < size && received < 64 * MOST_STEPS as u64 {
            self.recv(port);
            received += 64;
        }
    }

    fn strings(&mut self, port: u32) {
        for _ in 0..MOST_STEPS {
            if self.recv(port).iter().all(|packet| packet.data[1] == 0) {
                return;
            }
            self.send_n(port, ANY);
        }
    }

    /// What no device does.
    fn misbehave(&mut self, port: u32) {
        match self.choices.below(6) {
            0 => self.device.flip(port),
            1 => self.device.scribble(port, u32::from(self.choices.byte()) * 0x0101_0101),
            2 => {
                let (mask, opcode) = (self.number(), self.number() as u32);
                self.device.forge_header(port, mask, opcode);
            }
            3 => {
                // The packet changes under the server's eyes.
                self.device.flip(port);
                let word = self.number();
                self.device.store(port, 0, Buffer { data: [word; 8] });
            }
            4 => {
                self.device.flip(port);
                self.device.server.poll();
                self.device.flip(port);
            }
            _ => _ = self.device.server.poll(),
        }
    }

    /// Any number: at an edge, sent by the server before, or arbitrary.
    fn number(&mut self) -> u64 {
        match self.choices.below(4) {
            0 if !self.seen.is_empty() => {
                let index = self.choices.below(self.seen.len());
                // Mostly as it was, at times a neighbour.
                let change = if self.choices.once_in(8) {
                    u64::from(self.choices.byte())
                } else {
                    0
                };
                self.seen[index].wrapping_add(change)
            }
            1 => u64::from_le_bytes(std::array::from_fn(|_| self.choices.byte())),
            2 => u64::from(self.choices.byte()),
            _ => self.choices.of(NUMBERS),
        }
    }

    /// Waits until the server has done what it can. It always gives the port back.
    fn come_back(&self, port: u32) {
        self.device
            .until("the port comes back, whatever happened", || self.device.owns(port));
    }

    /// The server serves on, nothing panicked, and at the end nothing is left.
    fn check(&self) {
        for port in 0..PORTS {
            self.come_back(port);
        }
        self.device.server.drain();
        self.device.server.reset();
        self.device.forget();
        let mut call = self.device.open(0, Opcode::TEST_INCREMENT, full(self.lanes));
        call.send_words(|rank| [rank as u64]);
        for (rank, answer) in call.recv_word().into_iter().enumerate() {
            assert_eq!(answer, rank as u64 + 1);
        }
        let reports = self.device.host.seen().reports;
        assert!(!reports.iter().any(|report| report.contains("panicked")), "{reports:?}");
    }
}
