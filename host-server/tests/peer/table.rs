//! Departures from every exchange in the opcode table, one at a time: what `chaos` tries at random, here for certain.

use std::path::Path;
use std::sync::Arc;

use host_server::heap::Heap;
use host_server::services::Services;
use host_server::{Buffer, Grants, Opcode, RecordingHost};

use super::chaos::{MEMORY, MODES, NUMBERS, Step, exchange, texts};
use super::{Device, DeviceBytes, folder, full};

/// What is wrong with a call.
#[derive(Clone, Copy, Debug)]
enum Departure {
    /// Nothing.
    None,
    /// The lane mask.
    Mask(u64),
    /// The size that streams announce; what is sent is as long as it should be.
    Size(u64),
    /// All words of plain packets: handles, pointers, offsets, sizes that are asked for.
    Word(u64),
    /// Two flips instead of one, at this step.
    DoubleFlip(usize),
    /// A flip while it is the server's turn, at this step.
    EarlyFlip(usize),
    /// Another header, once the call has begun.
    Header(u64, u32),
    /// Nobody is there any more from this step on.
    Vanish(usize),
}

/// Makes all calls with all departures from groups of so many lanes; says how many there were.
pub fn run(lanes: u32) -> usize {
    let folder = folder(&format!("table-{lanes}"));
    let mut grants = Grants::none();
    grants.directory(&folder, Some(Path::new("/data"))).unwrap();
    let services = Services::new(grants);
    let host = RecordingHost {
        heap: Some(Heap::new(0x1000, 1 << 20)),
        memory: Some(Arc::new(DeviceBytes::new(MEMORY, vec![0x5A; 1 << 16]))),
        ..RecordingHost::default()
    };
    let device = Device::new(1, lanes, host, services.registry());
    let mut calls = 0;
    for &opcode in Opcode::ALL {
        let steps = exchange(opcode).expect("an exchange for every opcode");
        let mut departures = vec![Departure::None];
        departures.extend([0, 1 << (lanes - 1), 1 << 63, u64::MAX, !full(lanes)].map(Departure::Mask));
        departures.extend(NUMBERS.iter().map(|&size| Departure::Size(size)));
        // To sleep for a second is no departure.
        let words = NUMBERS
            .iter()
            .filter(|&&word| opcode != Opcode::SLEEP || word <= 1 << 20);
        departures.extend(words.map(|&word| Departure::Word(word)));
        departures.extend((0..=steps.len()).flat_map(|at| {
            [
                Departure::DoubleFlip(at),
                Departure::EarlyFlip(at),
                Departure::Vanish(at),
            ]
        }));
        departures.extend([
            Departure::Header(u64::MAX, opcode.0),
            Departure::Header(full(lanes), Opcode::EXIT.0),
            Departure::Header(0, u32::MAX),
        ]);
        for departure in departures {
            Call {
                device: &device,
                opcode,
                departure,
                received: false,
            }
            .make(steps);
            // Taken away, or the record of thousands of calls would be copied after each.
            let reports = std::mem::take(&mut *device.host.record.lock().unwrap()).reports;
            assert!(
                !reports.iter().any(|report| report.contains("panicked")),
                "{opcode}, {departure:?}: {reports:?}"
            );
            serves_on(&device, lanes);
            calls += 1;
        }
    }
    let _ = std::fs::remove_dir_all(folder);
    calls
}

/// The server gives up what is left of the call, and answers the next one.
fn serves_on(device: &Device, lanes: u32) {
    device.server.drain();
    device.server.reset();
    device.forget();
    let mut call = device.open(0, Opcode::TEST_INCREMENT, full(lanes));
    call.send_words(|rank| [rank as u64]);
    assert!(
        call.recv_word()
            .into_iter()
            .enumerate()
            .all(|(rank, answer)| answer == rank as u64 + 1)
    );
}

struct Call<'a> {
    device: &'a Device,
    opcode: Opcode,
    departure: Departure,
    received: bool,
}

impl Call<'_> {
    fn make(&mut self, steps: &[Step]) {
        let lanes = self.device.layout.lanes();
        let mask = match self.departure {
            Departure::Mask(mask) => mask,
            _ => full(lanes),
        };
        self.come_back();
        self.device.forge_header(0, mask, self.opcode.0);
        for (at, step) in steps.iter().enumerate() {
            match self.departure {
                Departure::Vanish(gone) if gone == at => return,
                Departure::DoubleFlip(now) if now == at => {
                    self.device.flip(0);
                    self.device.flip(0);
                }
                Departure::EarlyFlip(now) if now == at => {
                    self.device.flip(0);
                    self.device.server.poll();
                    self.device.flip(0);
                    self.device.server.poll();
                }
                Departure::Header(mask, opcode) if at == 1 => self.device.forge_header(0, mask, opcode),
                _ => {}
            }
            match step {
                Step::Send => self.send(),
                Step::SendN => self.send_n(),
                Step::Recv => drop(self.recv()),
                Step::RecvN => self.recv_n(),
                Step::Strings => self.strings(),
            }
        }
    }

    /// The server gives every port back, whatever happened on it, as long as somebody is there.
    fn come_back(&self) {
        self.device.until(
            &format!("{}, {:?}: the port comes back", self.opcode, self.departure),
            || self.device.owns(0),
        );
    }

    fn store_and_flip(&mut self, packet: Buffer) {
        self.come_back();
        for lane in 0..self.device.layout.lanes() {
            self.device.store(0, lane, packet);
        }
        self.device.flip(0);
        self.received = false;
    }

    fn send(&mut self) {
        let packet = match self.departure {
            Departure::Word(word) => Buffer { data: [word; 8] },
            _ if self.opcode == Opcode::OPEN_FILE => {
                let mut bytes = [0; 64];
                bytes[..MODES[0].len()].copy_from_slice(MODES[0]);
                Buffer::from_bytes(&bytes)
            }
            _ if matches!(self.opcode, Opcode::BULK_WRITE | Opcode::BULK_READ) => Buffer {
                data: [2, MEMORY, 64, 0, 0, 0, 0, 0],
            },
            // A standard stream, where it is one.
            _ => Buffer { data: [2; 8] },
        };
        self.store_and_flip(packet);
    }

    fn send_n(&mut self) {
        let text = texts(self.opcode)[0];
        let size = match self.departure {
            Departure::Size(size) => size,
            _ => text.len() as u64,
        };
        let mut bytes = [0; 64];
        bytes[..8].copy_from_slice(&size.to_le_bytes());
        let head = text.len().min(56);
        bytes[8..8 + head].copy_from_slice(&text[..head]);
        self.store_and_flip(Buffer::from_bytes(&bytes));
        // A little of a size that nobody can send.
        for _ in 0..size.saturating_sub(56).div_ceil(64).min(20) {
            self.store_and_flip(Buffer {
                data: [0x4141_4141_4141_4141; 8],
            });
        }
    }

    fn recv(&mut self) -> Buffer {
        if self.received {
            self.device.flip(0);
        }
        self.come_back();
        self.received = true;
        self.device.load(0, 0)
    }

    fn recv_n(&mut self) {
        let size = self.recv().data[0];
        for _ in 0..size.saturating_sub(56).div_ceil(64).min(20) {
            self.recv();
        }
    }

    fn strings(&mut self) {
        for _ in 0..20 {
            if self.recv().data[1] == 0 {
                return;
            }
            self.send_n();
        }
    }
}
