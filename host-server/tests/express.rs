//! Express messages through the server's threads.

mod peer;

use std::{
    sync::{
        Arc, Mutex,
        atomic::{AtomicBool, Ordering},
    },
    time::Duration,
};

use host_server::{Idle, Opcode, ServerThreads, Shape, services};
use peer::express::Bench;
use rpc_proto::{
    OneLane,
    express::{Client, Slots, text},
    raw::RawSlots,
};

fn print(client: &Client<RawSlots, OneLane>, line: &str) {
    client.post_rows(1, Opcode::WRITE_TO_STDOUT, text::rows(line.len()), |row| {
        text::word(line.as_bytes(), row)
    });
}

#[test]
fn lines_arrive_whole_and_in_order_from_every_slot() {
    for bench in Bench::both(300, &services::standard()) {
        let threads = ServerThreads::start(&bench.server, 3, Idle::Sleep(Duration::from_micros(20))).unwrap();
        bench.server.kernel_starts();
        let slots = [0, 1, 127, 128, 255, 299];
        std::thread::scope(|scope| {
            for home in slots {
                let client = bench.express.client(home);
                scope.spawn(move || {
                    for at in 0..200 {
                        print(&client, &format!("{home} {at}{}\n", "x".repeat(at % 50)));
                    }
                });
            }
        });
        bench.server.kernel_ends();
        bench.server.drain();
        drop(threads);
        let seen = bench.host.seen();
        assert_eq!(seen.reports, [""; 0]);
        let text = String::from_utf8(seen.stdout).unwrap();
        for home in slots {
            let lines: Vec<_> = text
                .lines()
                .filter(|line| line.starts_with(&format!("{home} ")))
                .collect();
            let expected: Vec<_> = (0..200)
                .map(|at| format!("{home} {at}{}", "x".repeat(at % 50)))
                .collect();
            assert_eq!(lines, expected);
        }
    }
}

#[test]
fn after_a_silence_every_slot_is_served_at_once() {
    for bench in Bench::both(1024, &services::standard()) {
        let threads = ServerThreads::start(&bench.server, 4, Idle::Adapt).unwrap();
        bench.server.kernel_starts();
        // Each thread's share, after all but one thread have gone to sleep; and again while they wake up.
        for home in [0, 300, 600, 1000, 300] {
            std::thread::sleep(Duration::from_millis(20));
            let client = bench.express.client(home);
            (0..100).for_each(|_| print(&client, "x\n"));
        }
        bench.server.kernel_ends();
        bench.server.drain();
        drop(threads);
        assert_eq!(bench.host.seen().stdout, "x\n".repeat(500).as_bytes());
    }
}

#[test]
fn a_lost_hint_loses_nothing() {
    let bench = Bench::new(4, true, services::standard());
    print(&bench.express.client(3), "hello\n");
    bench.express.slots().store_word(bench.express.shape.hint(3), 0);
    assert_eq!(bench.server.poll(), 0);
    bench.server.drain();
    assert_eq!(bench.host.seen().stdout, b"hello\n");
}

#[test]
fn hints_that_nobody_looks_at_do_no_harm() {
    let bench = Bench::new(4, false, services::standard());
    let shape = Shape {
        hinted: true,
        ..bench.express.shape
    };
    // SAFETY: as for those of the bench.
    let slots = unsafe { RawSlots::new(bench.express.base, shape, bench.express.state.as_ptr().cast_mut()) };
    let client = Client::new(slots, OneLane::default(), 3);
    for _ in 0..100 {
        print(&client, "hello\n");
        assert_eq!(bench.server.poll(), 1);
    }
    bench.server.drain();
    assert_eq!(bench.host.seen().stdout, "hello\n".repeat(100).as_bytes());
}

#[test]
fn a_registered_function_answers_both_ways() {
    let twice = Opcode::new(b'x', 5);
    let mut registry = services::standard();
    registry.on_call(twice, |_, buffer| buffer.data.iter_mut().for_each(|word| *word *= 2));
    for bench in Bench::both(1, &registry) {
        let _threads = ServerThreads::start(&bench.server, 1, Idle::Sleep(Duration::from_micros(20))).unwrap();
        bench.server.kernel_starts();
        assert_eq!(bench.express.client(0).call(twice, &[1, 2, 3]), [2, 4, 6]);
        // Nobody answers this one: zeros, and one line.
        assert_eq!(bench.express.client(0).call(Opcode::new(b'x', 6), &[1]), [0]);
        assert_eq!(bench.express.client(0).call(Opcode::new(b'x', 6), &[1]), [0]);
        bench.server.kernel_ends();
        assert!(bench.server.met_unknown_opcode());
        assert_eq!(bench.host.seen().reports.len(), 1);
    }
}

#[test]
fn a_header_that_makes_no_sense_is_reported_and_stalls_nobody() {
    for bench in Bench::both(2, &services::standard()) {
        let slots = bench.express.slots();
        let tag = 1u64 << 32;
        slots.store_unit(bench.express.shape.header(0, 0), [tag | 0x63ff_0002, tag | 0xffff_ffff]);
        slots.store_word(bench.express.shape.hint(0), 77);
        print(&bench.express.client(1), "hello\n");
        for _ in 0..50 {
            bench.server.poll();
        }
        bench.server.drain();
        let seen = bench.host.seen();
        assert_eq!(seen.stdout, b"hello\n");
        assert_eq!(seen.reports.len(), 1, "{:?}", seen.reports);
        assert!(seen.reports[0].contains("slot 0"), "{:?}", seen.reports);
    }
}

#[test]
fn what_is_put_off_waits_in_its_ring_and_holds_up_nobody_else() {
    let (stuck, twice) = (Opcode::new(b'x', 7), Opcode::new(b'x', 8));
    let open = Arc::new(AtomicBool::new(false));
    let served = Arc::new(Mutex::new(Vec::new()));
    let mut registry = services::standard();
    registry.on_call(twice, |_, buffer| buffer.data[0] *= 2);
    registry.on_express(stuck, {
        let (open, served) = (open.clone(), served.clone());
        move |context, message| {
            if !open.load(Ordering::Acquire) && context.put_off() {
                return;
            }
            served.lock().unwrap().push(message.word(0, 0));
        }
    });
    for bench in Bench::both(2, &registry) {
        let threads = ServerThreads::start(&bench.server, 1, Idle::Sleep(Duration::from_micros(20))).unwrap();
        bench.server.kernel_starts();
        let post = |word| bench.express.client(0).post_rows(1, stuck, 1, |_| word);
        post(1);
        post(2);
        for value in 0..20 {
            assert_eq!(bench.express.client(1).call(twice, &[value]), [2 * value]);
        }
        assert!(served.lock().unwrap().is_empty());
        open.store(true, Ordering::Release);
        while served.lock().unwrap().len() < 2 {
            std::thread::yield_now();
        }
        // At the end of the kernel there is no later.
        open.store(false, Ordering::Release);
        post(3);
        bench.server.kernel_ends();
        drop(threads);
        bench.server.drain();
        assert_eq!(std::mem::take(&mut *served.lock().unwrap()), [1, 2, 3]);
    }
}
