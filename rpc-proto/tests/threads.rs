//! Many client threads against several server threads, through one region.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use common::{Lane, Yielding};
use rpc_proto::{Client, Layout, Opcode, Server, raw::RawMemory};

mod common;

fn run(ports: u32, clients: u64, servers: u32, calls: u64) {
    let layout = Layout::new(ports, 1).unwrap();
    let mut region = vec![0u64; layout.size().div_ceil(8)];
    let words = ports.div_ceil(32) as usize;
    let (mut client_locks, mut server_locks) = (vec![0u32; words], vec![0u32; words]);
    let base = region.as_mut_ptr().cast();
    // SAFETY: region and locks outlive the scope below, and only these two sides touch them.
    let (client_memory, server_memory) = unsafe {
        (
            RawMemory::<Yielding>::client(base, layout, client_locks.as_mut_ptr()),
            RawMemory::<Yielding>::server(base, layout, server_locks.as_mut_ptr()),
        )
    };
    let server = Server::new(server_memory, layout);
    let (done, served) = (AtomicBool::new(false), AtomicU64::new(0));
    std::thread::scope(|scope| {
        for start in 0..servers {
            let (server, done, served) = (&server, &done, &served);
            scope.spawn(move || {
                while !done.load(Ordering::Relaxed) {
                    let any = server.serve(start, |port| match port.turn().opcode() {
                        Opcode::TEST_INCREMENT => port.recv_and_send(|_, buffer| buffer.data[0] += 1),
                        Opcode::TEST_STREAM => {
                            let mut bytes = Vec::new();
                            port.recv_n(|_, _, piece| bytes.extend_from_slice(piece));
                            port.send_n(|_| &bytes);
                        }
                        Opcode::NOOP => port.recv(|_, _| ()),
                        other => panic!("{other}"),
                    });
                    if any {
                        served.fetch_add(1, Ordering::Relaxed);
                    } else {
                        std::thread::yield_now();
                    }
                }
            });
        }
        let threads: Vec<_> = (0..clients)
            .map(|id| {
                scope.spawn(move || {
                    let client = Client::new(
                        client_memory,
                        Lane {
                            warp: None,
                            lane: 0,
                            home: id as u32,
                        },
                    );
                    for call in 0..calls {
                        let value = id << 32 | call;
                        let answer = client
                            .open(Opcode::TEST_INCREMENT)
                            .send_and_recv(|packet| packet.set(0, value), |packet| packet.get(0));
                        assert_eq!(answer, value + 1);
                        client.open(Opcode::NOOP).send(|_| ());
                        let bytes: Vec<u8> = (0..(call * 7 + id) % 300).map(|at| (at + call) as u8).collect();
                        let mut back = vec![0; bytes.len() + 3];
                        let mut port = client.open(Opcode::TEST_STREAM);
                        port.send_n(&bytes);
                        assert_eq!(port.recv_n(&mut back), bytes.len() as u64);
                        assert_eq!(&back[..bytes.len()], bytes);
                    }
                })
            })
            .collect();
        for thread in threads {
            thread.join().unwrap();
        }
        while served.load(Ordering::Relaxed) < 3 * clients * calls {
            std::thread::yield_now();
        }
        done.store(true, Ordering::Relaxed);
    });
}

#[test]
fn one_port_serves_many() {
    run(1, 4, 2, 100);
}

#[test]
fn many_clients_and_servers() {
    run(5, 8, 3, 200);
}

#[test]
fn more_ports_than_clients() {
    run(64, 4, 2, 200);
}
