//! Streams with a length of its own for each lane of a warp, both ways.

use std::sync::atomic::{AtomicBool, Ordering};

use common::{Lane, Warp, Yielding};
use proptest::prelude::*;
use rpc_proto::{
    Buffer, Client, Layout, Opcode, Server,
    raw::RawMemory,
    stream::{self, Incoming, Outgoing},
};

mod common;

fn content(lane: usize, len: usize) -> Vec<u8> {
    (0..len).map(|at| (at * 31 + lane * 7 + 1) as u8).collect()
}

/// Every lane sends its bytes, gets them back, into a place that may be too small.
fn echo(lengths: &[usize], room: &[usize], offset: usize) {
    let lanes = lengths.len() as u32;
    let layout = Layout::new(1, lanes).unwrap();
    let mut region = vec![0u64; layout.size().div_ceil(8)];
    let (mut client_locks, mut server_locks) = ([0u32], [0u32]);
    let base = region.as_mut_ptr().cast();
    // SAFETY: region and locks outlive the scope below, and only these two sides touch them.
    let (client, server) = unsafe {
        (
            RawMemory::<Yielding>::client(base, layout, client_locks.as_mut_ptr()),
            RawMemory::<Yielding>::server(base, layout, server_locks.as_mut_ptr()),
        )
    };
    let server = Server::new(server, layout);
    let warp = Warp::new(lanes);
    let done = AtomicBool::new(false);
    std::thread::scope(|scope| {
        for lane in 0..lanes {
            let (warp, done) = (&warp, &done);
            let (len, room) = (lengths[lane as usize], room[lane as usize]);
            scope.spawn(move || {
                let client = Client::new(
                    client,
                    Lane {
                        warp: Some(warp),
                        lane,
                        home: 0,
                    },
                );
                // An offset makes the source unaligned.
                let mut bytes = vec![0; offset];
                bytes.extend(content(lane as usize, len));
                let mut back = vec![0xEE; offset + room + 1];
                let mut port = client.open(Opcode::TEST_STREAM);
                assert_eq!(port.mask(), u64::MAX >> (64 - lanes));
                port.send_n(&bytes[offset..]);
                assert_eq!(port.recv_n(&mut back[offset..offset + room]), len as u64);
                port.close();
                let kept = len.min(room);
                assert_eq!(back[offset..offset + kept], bytes[offset..offset + kept], "lane {lane}");
                assert!(
                    back[offset + kept..].iter().all(|&byte| byte == 0xEE),
                    "lane {lane} wrote beyond its place"
                );
                done.store(true, Ordering::Relaxed);
            });
        }
        while !server.serve(0, |port| {
            let mut received = vec![Vec::new(); lanes as usize];
            port.recv_n(|lane, announced, bytes| {
                assert_eq!(announced, lengths[lane as usize] as u64);
                received[lane as usize].extend_from_slice(bytes);
            });
            for (lane, bytes) in received.iter().enumerate() {
                assert_eq!(*bytes, content(lane, lengths[lane]));
            }
            port.send_n(|lane| &received[lane as usize]);
        }) {
            std::thread::yield_now();
        }
    });
    assert!(done.load(Ordering::Relaxed));
}

/// Where packets begin and end.
const EDGES: [usize; 16] = [0, 1, 7, 8, 9, 55, 56, 57, 63, 64, 65, 119, 120, 121, 184, 4096];

#[test]
fn lengths_around_packet_borders() {
    for pair in EDGES.windows(2) {
        echo(pair, pair, 0);
        echo(pair, &[pair[1], pair[0]], 3);
    }
}

#[test]
fn a_whole_warp_with_every_border_at_once() {
    let lengths: Vec<usize> = (0..32).map(|lane| EDGES[lane % 16]).collect();
    echo(&lengths, &lengths, 1);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(40))]
    #[test]
    fn any_lengths(
        lanes in prop::collection::vec((prop_oneof![0usize..300, prop::sample::select(&EDGES[..])], 0usize..300), 1..6),
        offset in 0usize..8,
    ) {
        let (lengths, room): (Vec<_>, Vec<_>) = lanes.into_iter().unzip();
        echo(&lengths, &room, offset);
    }

    /// A stream is cut into packets and put together again, whatever sizes its lanes have.
    #[test]
    fn outgoing_meets_incoming(lanes in prop::collection::vec(prop::collection::vec(any::<u8>(), 0..400), 1..64)) {
        let (mut outgoing, mut incoming) = (Outgoing::new(), Incoming::new());
        let mut received = vec![Vec::new(); lanes.len()];
        let mut packets = 0;
        while outgoing.has_more() {
            prop_assert!(incoming.wants_more());
            for (lane, bytes) in lanes.iter().enumerate() {
                let mut packet = Buffer::default();
                outgoing.fill(bytes, |buffer| packet = buffer);
                incoming.take(lane as u32, &packet, |lane, _, bytes| received[lane as usize].extend_from_slice(bytes));
            }
            outgoing.advance();
            incoming.advance();
            packets += 1;
        }
        prop_assert!(!incoming.wants_more());
        prop_assert_eq!(packets, lanes.iter().map(|bytes| stream::packets(bytes.len() as u64)).max().unwrap());
        prop_assert_eq!(received, lanes);
    }

    /// Whatever a device claims, only bytes that it sent are handed on.
    #[test]
    fn claims_are_not_believed(packets in prop::collection::vec(prop::array::uniform8(any::<u64>()), 1..20)) {
        let mut incoming = Incoming::new();
        let (mut handed_on, mut seen) = (0, 0);
        for data in packets {
            if !incoming.wants_more() {
                break;
            }
            incoming.take(3, &Buffer { data }, |_, _, bytes| handed_on += bytes.len());
            incoming.advance();
            seen += 1;
        }
        prop_assert!(handed_on <= 64 * seen);
    }
}
