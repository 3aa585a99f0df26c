//! Conversations between a CPU client and the server's scan loop.

use std::{
    ptr::NonNull,
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering},
    },
    task::{Poll, Waker},
    time::Duration,
};

use host_server::{Exit, Idle, Layout, Opcode, RecordingHost, Registry, Server, ServerThreads, services};
use rpc_proto::{
    Client, OneLane,
    raw::{CpuEdges, RawMemory},
};

/// A region with its server, and the means to make clients.
struct Bench {
    /// Dropped before the memory that it serves.
    server: Server,
    region: Vec<u64>,
    locks: Vec<u32>,
    layout: Layout,
    host: Arc<RecordingHost>,
}

impl Bench {
    fn new(ports: u32, registry: Registry) -> Self {
        let layout = Layout::new(ports, 1).unwrap();
        // Poisoned, as memory from a driver may be.
        let mut region = vec![0xA5A5_A5A5_A5A5_A5A5; layout.size().div_ceil(8)];
        let host = Arc::new(RecordingHost::default());
        let base = NonNull::new(region.as_mut_ptr().cast()).unwrap();
        // SAFETY: the region lives in the bench, as does the server; only clients of the bench touch it.
        let server = unsafe { Server::new(base, layout, host.clone(), registry) };
        Self {
            region,
            locks: vec![0; ports.div_ceil(32) as usize],
            layout,
            host,
            server,
        }
    }

    fn client(&self, home: u32) -> Client<RawMemory<CpuEdges>, OneLane> {
        let (region, locks) = (self.region.as_ptr().cast_mut().cast(), self.locks.as_ptr().cast_mut());
        // SAFETY: region and locks live in the bench and are only accessed atomically.
        Client::new(
            unsafe { RawMemory::client(region, self.layout, locks) },
            OneLane { home },
        )
    }
}

#[test]
fn text_reaches_its_stream_and_exit_is_a_value() {
    let bench = Bench::new(4, services::standard());
    let _threads = ServerThreads::start(&bench.server, 1, Idle::Sleep(Duration::from_micros(20))).unwrap();
    bench.server.kernel_starts();
    let client = bench.client(2);
    for text in [
        "",
        "a",
        &"x".repeat(55),
        &"y".repeat(56),
        &"z".repeat(57),
        &"w".repeat(4096),
    ] {
        let mut port = client.open(Opcode::WRITE_TO_STDOUT_NEWLINE);
        port.send_n(text.as_bytes());
        assert_eq!(port.recv(|packet| packet.get(0)), text.len() as u64 + 1);
    }
    let mut port = client.open(Opcode::EXIT);
    port.send_and_recv(|_| (), |_| ());
    port.send(|packet| packet.set(0, -3i64 as u64));
    port.close();
    bench.server.kernel_ends();
    bench.server.drain();
    let seen = bench.host.seen();
    assert_eq!(seen.stdout.len(), 1 + 2 + 56 + 57 + 58 + 4097);
    assert_eq!(seen.exit, Some(Exit::Status(-3)));
    assert!(seen.reports.is_empty());
}

#[test]
fn the_test_opcodes_answer_as_agreed() {
    let bench = Bench::new(1, services::standard());
    let _threads = ServerThreads::start(&bench.server, 2, Idle::Sleep(Duration::from_micros(20))).unwrap();
    bench.server.kernel_starts();
    let client = bench.client(0);
    for end_with_recv in [true, false] {
        let mut count = 0;
        let mut port = client.open(Opcode::TEST_INTERFACE);
        port.send(|packet| packet.set(0, end_with_recv.into()));
        for _ in 0..2 {
            port.send(|packet| packet.set(0, count));
            count = port.recv(|packet| packet.get(0));
        }
        assert_eq!(count, 2);
        port.send(|packet| packet.set(0, count));
        port.send(|packet| packet.set(0, count));
        port.recv(|packet| packet.get(0));
        count = port.recv(|packet| packet.get(0));
        assert_eq!(count, 4);
        if end_with_recv {
            port.send(|packet| packet.set(0, count));
        } else {
            assert_eq!(port.recv(|packet| packet.get(0)), 5);
        }
    }
    let bytes: Vec<u8> = (0..5000).map(|at| at as u8).collect();
    let mut back = vec![0; bytes.len()];
    let mut port = client.open(Opcode::TEST_STREAM);
    port.send_n(&bytes);
    assert_eq!(port.recv_n(&mut back), bytes.len() as u64);
    assert_eq!(back, bytes);
    drop(port);
    bench.server.kernel_ends();
}

#[test]
fn an_unknown_opcode_is_answered_with_zeros_and_reported_once() {
    let bench = Bench::new(1, services::standard());
    let _threads = ServerThreads::start(&bench.server, 1, Idle::Sleep(Duration::from_micros(20))).unwrap();
    bench.server.kernel_starts();
    let client = bench.client(0);
    for _ in 0..3 {
        let mut port = client.open(Opcode::new(b'q', 7));
        for _ in 0..3 {
            assert_eq!(port.send_and_recv(|packet| packet.set(0, 5), |packet| packet.get(0)), 0);
        }
        assert_eq!(port.recv(|packet| packet.get(0)), 0);
    }
    bench.server.kernel_ends();
    assert!(bench.server.met_unknown_opcode());
    let reports = bench.host.seen().reports;
    assert_eq!(reports.len(), 1, "{reports:?}");
    assert!(reports[0].contains("opcode 'q' 7"), "{reports:?}");
}

#[test]
fn a_handler_that_waits_for_something_else_stalls_nobody() {
    let wakers = Arc::new(std::sync::Mutex::new(Vec::<Waker>::new()));
    let polls = Arc::new(AtomicUsize::new(0));
    let mut registry = services::standard();
    let slow = Opcode::new(b'x', 1);
    registry.on(slow, {
        let (wakers, polls) = (wakers.clone(), polls.clone());
        move |mut port| {
            let (wakers, polls) = (wakers.clone(), polls.clone());
            async move {
                port.recv(|_, _| ()).await;
                let mut first = true;
                std::future::poll_fn(|context| {
                    polls.fetch_add(1, Ordering::Relaxed);
                    if !std::mem::take(&mut first) {
                        return Poll::Ready(());
                    }
                    wakers.lock().unwrap().push(context.waker().clone());
                    Poll::Pending
                })
                .await;
                port.send_word(|_| 99).await;
            }
        }
    });
    let bench = Bench::new(2, registry);
    let _threads = ServerThreads::start(&bench.server, 1, Idle::Sleep(Duration::from_micros(20))).unwrap();
    bench.server.kernel_starts();
    std::thread::scope(|scope| {
        let waiting = scope.spawn(|| bench.client(0).open(slow).send_and_recv(|_| (), |packet| packet.get(0)));
        while wakers.lock().unwrap().is_empty() {
            std::thread::yield_now();
        }
        let client = bench.client(1);
        for value in 0..100 {
            let answer = client
                .open(Opcode::TEST_INCREMENT)
                .send_and_recv(|packet| packet.set(0, value), |packet| packet.get(0));
            assert_eq!(answer, value + 1);
        }
        assert_eq!(polls.load(Ordering::Relaxed), 1, "polled though nothing woke it");
        for waker in wakers.lock().unwrap().drain(..) {
            waker.wake();
        }
        assert_eq!(waiting.join().unwrap(), 99);
    });
    bench.server.kernel_ends();
}

#[test]
fn a_handler_found_at_the_call_comes_before_the_table() {
    let doubling = Arc::new(std::sync::atomic::AtomicBool::new(false));
    let mut registry = services::standard();
    registry.override_with({
        let doubling = doubling.clone();
        move |opcode| {
            let wanted = opcode == Opcode::TEST_INCREMENT && doubling.load(Ordering::Relaxed);
            wanted.then(|| -> host_server::Handler {
                Arc::new(|mut port: host_server::Port| {
                    Box::pin(async move { port.recv_and_send(|_, buffer| buffer.data[0] *= 2).await })
                })
            })
        }
    });
    let bench = Bench::new(1, registry);
    let _threads = ServerThreads::start(&bench.server, 1, Idle::Sleep(Duration::from_micros(20))).unwrap();
    bench.server.kernel_starts();
    let client = bench.client(0);
    let ask = || {
        client
            .open(Opcode::TEST_INCREMENT)
            .send_and_recv(|packet| packet.set(0, 20), |packet| packet.get(0))
    };
    assert_eq!(ask(), 21);
    doubling.store(true, Ordering::Relaxed);
    assert_eq!(ask(), 40);
    bench.server.kernel_ends();
}

#[test]
fn draining_with_a_bound_leaves_a_handler_that_never_ends() {
    let mut registry = Registry::new();
    registry.on(Opcode::NOOP, |mut port| async move {
        port.recv(|_, _| ()).await;
        std::future::pending::<()>().await;
    });
    let bench = Bench::new(2, registry);
    bench.client(0).open(Opcode::NOOP).send(|_| ());
    let drained = bench.server.drain_for(Duration::from_millis(20));
    // The device has done its part.
    assert!(!drained.in_time && drained.cut_off.is_none(), "{drained:?}");
    // What was dropped is not waited for again.
    assert!(bench.server.drain_for(Duration::from_secs(20)).in_time);
}

#[test]
fn a_call_that_its_device_left_in_the_middle_is_found_at_the_end() {
    let bench = Bench::new(2, services::standard());
    // Right, though nobody waits for the answer, and ports are free again only when the server has been there.
    bench.client(0).open(Opcode::NOOP).send(|_| ());
    bench.client(1).open(Opcode::TEST_INCREMENT).send(|_| ());
    assert!(bench.server.drain().cut_off.is_none());

    // The stream comes first, then the text: a client that forgets the one sends the other in its place.
    let client = bench.client(1);
    client.open(Opcode::WRITE_TO_STREAM).send_n(b"text");
    bench.server.poll();
    let drained = bench.server.drain();
    let fault = drained.cut_off.expect("the server waits for the text").to_string();
    assert!(drained.in_time);
    assert!(
        fault.contains("WRITE_TO_STREAM on port 1: the kernel ended in the middle"),
        "{fault}"
    );
    // Whether that is wrong is for the caller to say, who knows how the kernel ended.
    assert!(bench.host.seen().reports.is_empty());
}

#[test]
fn a_server_dropped_in_the_middle_of_a_conversation_is_freed() {
    let mut registry = services::standard();
    let (never, started) = (Opcode::new(b'x', 1), Arc::new(()));
    registry.on(never, {
        let started = started.clone();
        move |mut port| {
            let started = started.clone();
            async move {
                port.recv(|_, _| ()).await;
                let _held = started;
                std::future::pending().await
            }
        }
    });
    let bench = Bench::new(1, registry);
    bench.client(0).open(never).send(|_| ());
    bench.server.poll();
    assert_eq!(Arc::strong_count(&started), 3, "the conversation has begun");
    let clone = bench.server.clone();
    drop(bench.server);
    assert_eq!(Arc::strong_count(&started), 3, "a clone still serves");
    drop(clone);
    assert_eq!(Arc::strong_count(&started), 1);
    assert_eq!(Arc::strong_count(&bench.host), 1);
}

#[test]
fn a_drain_leaves_the_calls_of_a_kernel_that_has_begun_meanwhile() {
    let slow = Opcode::new(b'x', 9);
    let mut registry = services::standard();
    registry.on(slow, |mut port| async move {
        port.recv(|_, _| ()).await;
        std::future::pending::<()>().await;
    });
    let bench = Bench::new(2, registry);
    bench.client(0).open(slow).send(|_| ());
    std::thread::scope(|scope| {
        let drain = scope.spawn(|| bench.server.drain_for(Duration::from_secs(20)));
        std::thread::sleep(Duration::from_millis(20));
        bench.server.kernel_starts();
        let drained = drain.join().unwrap();
        assert!(!drained.in_time && drained.cut_off.is_none(), "{drained:?}");
    });
    bench.server.kernel_ends();
    // It was not dropped.
    assert!(!bench.server.drain_for(Duration::from_millis(20)).in_time);
}
