//! What the protocol and the server cost on a plain machine: CPU threads play the device, and each figure stands beside its limit,
//! taken in the same run.
//!
//! `cargo xtask bench server [-- NAME...]`, those rows only whose names hold one of these. Between two CPUs a line of memory takes a tenth of the time that it takes across a bus; what a server
//! does for a message whose lines have come is the same, and what the rows of `serve` show.
#![allow(missing_docs)]

use std::hint::{black_box, spin_loop};
use std::ptr::NonNull;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use std::time::{Duration, Instant};

use host_server::{Idle, Layout, Opcode, RecordingHost, Server, ServerThreads, Shape, services};
use rpc_proto::express::{self, Slots as _};
use rpc_proto::raw::{CpuEdges, RawMemory, RawSlots};
use rpc_proto::{Client, Header, Memory as _, OneLane};

/// How long each figure is measured; the median of its rounds counts.
const TIME: Duration = Duration::from_millis(200);

fn main() {
    println!("{:<60} {:>10} {:>10} {:>8}", "", "ns", "limit, ns", "ratio");
    conversations();
    scans();
    served();
}

/// Measures and prints a figure beside its limit, if it is one of those that are wanted.
fn row(name: &str, figure: impl FnOnce() -> f64, limit: impl FnOnce() -> f64) {
    let wanted: Vec<_> = std::env::args().skip(1).filter(|name| name != "--bench").collect();
    if wanted.is_empty() || wanted.iter().any(|wanted| name.contains(wanted.as_str())) {
        let (limit, figure) = (limit(), figure());
        println!("{name:<60} {figure:>10.1} {limit:>10.1} {:>8.2}", figure / limit);
    }
}

/// Nanoseconds for each of the `count` things that a round does: `prepare` is not timed.
fn median(count: u32, mut prepare: impl FnMut(), mut round: impl FnMut()) -> f64 {
    let mut times = Vec::new();
    let start = Instant::now();
    while start.elapsed() < TIME || times.len() < 5 {
        prepare();
        let begin = Instant::now();
        round();
        times.push(begin.elapsed().as_secs_f64() * 1e9 / f64::from(count));
    }
    times.sort_by(f64::total_cmp);
    times[times.len() / 2]
}

/// Two words, each in a line of its own.
#[repr(align(128))]
#[derive(Default)]
struct Line(AtomicU32);

/// A flag there and back between two threads.
fn ping_pong() -> f64 {
    const ROUNDS: u32 = 10_000;
    let (out, back, stop) = (Line::default(), Line::default(), AtomicBool::new(false));
    std::thread::scope(|scope| {
        scope.spawn(|| {
            let mut seen = 0;
            while !stop.load(Ordering::Relaxed) {
                let now = out.0.load(Ordering::Acquire);
                if now != seen {
                    seen = now;
                    back.0.store(now, Ordering::Release);
                }
            }
        });
        let mut count = 0u32;
        let trips = median(
            ROUNDS,
            || (),
            || {
                for _ in 0..ROUNDS {
                    count = count.wrapping_add(1);
                    out.0.store(count, Ordering::Release);
                    while back.0.load(Ordering::Acquire) != count {
                        spin_loop();
                    }
                }
            },
        );
        stop.store(true, Ordering::Relaxed);
        trips
    })
}

/// A server with ports and express slots for groups of `lanes`, and the device's side of both.
struct Bench {
    /// Dropped before the memory that it serves.
    server: Server,
    ports: RawMemory<CpuEdges>,
    slots: RawSlots,
    _memory: [Vec<u128>; 3],
}

impl Bench {
    fn new(ports: u32, slots: u32, hinted: bool, lanes: u32) -> Self {
        let layout = Layout::new(ports, lanes).unwrap();
        let shape = Shape {
            hinted,
            ..Shape::new(slots, lanes, 16).unwrap()
        };
        let mut region = vec![0u128; layout.size().div_ceil(16)];
        // Aligned to 512 where the vector is to 16.
        let mut express = vec![0u128; shape.size().div_ceil(16) + 31];
        let skip = express.as_ptr().align_offset(512);
        // Of the slots, and behind them the locks of the ports.
        let mut state = vec![0u128; slots as usize + ports as usize / 128 + 1];
        let base = NonNull::new(region.as_mut_ptr().cast::<u8>()).unwrap();
        let express_base = NonNull::new(express[skip..].as_mut_ptr().cast::<u8>()).unwrap();
        let locks = state[slots as usize..].as_mut_ptr().cast();
        // SAFETY: all of it lives as long as the bench, whose fields are dropped with the server, and is only accessed atomically.
        unsafe {
            let server = Server::new(base, layout, Arc::new(RecordingHost::default()), services::standard());
            server.offer_express(express_base, shape);
            Self {
                server,
                ports: RawMemory::client(base.as_ptr(), layout, locks),
                slots: RawSlots::new(express_base.as_ptr(), shape, state.as_mut_ptr().cast()),
                _memory: [region, express, state],
            }
        }
    }
}

/// Whole calls, with a thread that serves.
fn conversations() {
    const CALLS: u32 = 2000;
    let bench = Bench::new(64, 64, false, 1);
    let _threads = ServerThreads::start(&bench.server, 1, Idle::Spin).unwrap();
    // The thread sleeps while the limit is taken.
    let served = |calls: &dyn Fn()| {
        bench.server.kernel_starts();
        let time = median(CALLS, || (), calls);
        bench.server.kernel_ends();
        time
    };
    let client = Client::new(bench.ports, OneLane::default());
    let by_port = || {
        for count in 0..u64::from(CALLS) {
            let mut port = client.open(Opcode::TEST_INCREMENT);
            let next = port.send_and_recv(|packet| packet.set(0, count), |packet| packet.get(0));
            assert_eq!(next, count + 1);
        }
    };
    row("call by a port, 64 ports", || served(&by_port), ping_pong);
    let client = express::Client::new(bench.slots, OneLane::default(), 5);
    let by_express = || {
        for count in 0..u64::from(CALLS) {
            assert_eq!(client.call(Opcode::TEST_INCREMENT, &[count]), [count + 1]);
        }
    };
    row("call by express, 64 slots", || served(&by_express), ping_pong);
}

/// A look at everything when there is nothing; the limit is to load a word of each line that has to be looked at.
fn scans() {
    for ports in [64, 512, 4096] {
        let bench = Bench::new(ports, 1, true, 32);
        scan(&format!("look at {ports} ports"), &bench, ports as usize / 16);
    }
    for (slots, hinted) in [(64, false), (512, false), (512, true), (8448, true)] {
        let bench = Bench::new(1, slots, hinted, 32);
        let (name, lines) = match hinted {
            true => ("hints", slots as usize / 16),
            false => ("headers", slots as usize),
        };
        scan(&format!("look at the {name} of {slots} express slots"), &bench, lines);
    }
}

fn scan(name: &str, bench: &Bench, lines: usize) {
    const LOOKS: u32 = 100;
    let look = || (0..LOOKS).for_each(|_| assert_eq!(bench.server.poll(), 0));
    let limit = || {
        let words: Vec<AtomicU32> = (0..16 * lines).map(|_| AtomicU32::default()).collect();
        let load = || {
            for _ in 0..LOOKS {
                let lines = words.iter().step_by(16);
                black_box(lines.fold(0, |all, word| all | word.load(Ordering::Relaxed)));
            }
        };
        median(LOOKS, || (), load)
    };
    row(name, || median(LOOKS, || (), look), limit);
}

/// Calls of whole warps that have all arrived; the limit is to copy their bytes out and back, in the same order.
fn served() {
    const LANES: u32 = 32;
    const MASK: u64 = 0xffff_ffff;
    for (warps, hinted) in [(132, false), (132, true), (1056, true), (8448, true)] {
        let bench = Bench::new(1, warps, hinted, LANES);
        let (slots, shape) = (bench.slots, bench.slots.shape());
        let words = std::array::from_fn(|lane| lane as u64);
        let mut count = 0u32;
        let send = || {
            for slot in 0..warps {
                slots.store_row(shape.unit(slot, count, 0), MASK, count + 1, &words);
                let tag = u64::from(count + 1) << 32;
                let code = u64::from(Opcode::TEST_INCREMENT.0 | 1 << 20);
                slots.store_unit(shape.header(slot, count), [tag | code, tag | MASK]);
                slots.store_word(shape.hint(slot), count + 16);
            }
            count += 16;
        };
        let serve = || {
            let mut left = warps as usize;
            while left > 0 {
                left -= bench.server.poll();
            }
        };
        let by = if hinted { "hints" } else { "headers" };
        row(
            &format!("serve an express call, one of {warps} found by {by}"),
            || median(warps, send, serve),
            || copied(warps as usize, 16 * LANES as usize + 64),
        );
    }
    for ports in [64, 4096] {
        let bench = Bench::new(ports, 1, true, LANES);
        let send = || {
            for port in 0..ports {
                let header = Header {
                    mask: MASK,
                    opcode: Opcode::TEST_INCREMENT.0,
                    pad: 0,
                };
                bench.ports.store_header(port, header);
                for lane in 0..LANES {
                    bench.ports.store_word(port, lane, 0, u64::from(lane));
                }
                bench.ports.give(port, bench.ports.load_outbox(port) ^ 1);
            }
        };
        let serve = || {
            let mut left = ports as usize;
            while left > 0 {
                left -= bench.server.poll();
            }
        };
        row(
            &format!("serve a call by a port, one of {ports}"),
            || median(ports, send, serve),
            || copied(ports as usize, 64 * LANES as usize),
        );
    }
}

/// Nanoseconds to copy `bytes` bytes out of one of `places` places and back.
fn copied(places: usize, bytes: usize) -> f64 {
    let mut all = vec![1u8; places * bytes];
    let mut one = vec![0u8; bytes];
    let copy = || {
        for place in all.chunks_exact_mut(bytes) {
            one.copy_from_slice(place);
            place.copy_from_slice(black_box(&one));
        }
    };
    median(places as u32, || (), copy)
}
