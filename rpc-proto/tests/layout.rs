//! Golden bytes: where everything lies, for several shapes of region.

use rpc_proto::{
    Client, ClientObject, Layout, OneLane, Opcode, Server,
    ext::{ExtClient, features},
    layout::MAX_PORTS,
    raw::{CpuEdges, RawMemory},
};

#[test]
fn offsets_of_known_regions() {
    // (ports, lanes) → (client's mailbox, headers, packets, size), computed by hand from the format.
    let golden = [
        ((1, 1), (4, 8, 24, 88)),
        ((1, 32), (4, 8, 24, 2072)),
        ((3, 1), (12, 24, 72, 264)),
        ((5, 64), (20, 40, 120, 20_600)),
        ((64, 32), (256, 512, 1536, 132_608)),
        ((512, 64), (2048, 4096, 12_288, 2_109_440)),
        ((4096, 32), (16_384, 32_768, 98_304, 8_486_912)),
        ((4096, 64), (16_384, 32_768, 98_304, 16_875_520)),
    ];
    for ((ports, lanes), expected) in golden {
        let layout = Layout::new(ports, lanes).unwrap();
        let found = (layout.to_server(), layout.headers(), layout.packets(), layout.size());
        assert_eq!(found, expected, "{ports} ports, {lanes} lanes");
    }
}

#[test]
fn impossible_regions_are_refused() {
    for (ports, lanes) in [(0, 1), (1, 0), (MAX_PORTS + 1, 32), (1, 65), (u32::MAX, u32::MAX)] {
        assert_eq!(Layout::new(ports, lanes), None);
    }
}

#[test]
fn lanes_that_can_exist() {
    assert_eq!(Layout::new(1, 1).unwrap().all_lanes(), 1);
    assert_eq!(Layout::new(1, 32).unwrap().all_lanes(), 0xffff_ffff);
    assert_eq!(Layout::new(1, 64).unwrap().all_lanes(), u64::MAX);
}

#[test]
fn bytes_of_the_client_object() {
    // (ports, lanes) → the lowest bytes of the addresses of outbox, headers and packets, by hand.
    let golden = [
        ((4, 32), [16, 32, 96]),
        ((1, 1), [4, 8, 24]),
        ((3, 32), [12, 24, 72]),
        ((10, 64), [40, 80, 240]),
    ];
    for ((ports, lanes), places) in golden {
        let layout = Layout::new(ports, lanes).unwrap();
        let bytes = ClientObject::new(layout, 0x1_0000_0000).to_bytes();
        let mut expected = vec![0u8; 552];
        expected[0] = ports as u8;
        for (at, place) in [0].into_iter().chain(places).enumerate() {
            expected[8 + 8 * at..][..8].copy_from_slice(&[place, 0, 0, 0, 1, 0, 0, 0]);
        }
        assert_eq!(bytes, expected[..], "{ports} ports, {lanes} lanes");
    }
    let layout = Layout::new(4, 32).unwrap();
    let mut locked = ClientObject::new(layout, 0);
    locked.lock[127] = 0x8000_0001;
    assert_eq!(locked.to_bytes()[548..], [1, 0, 0, 0x80]);
}

#[test]
fn bytes_of_the_extension_object() {
    let object = ExtClient {
        features: features::SHADOW,
        shadow: 0x1122_3344_5566_7788,
        pool: 0x1000_0000_4000,
        pool_pages: 0x102,
        ..ExtClient::OFFER
    };
    let bytes = object.to_bytes();
    assert_eq!(&bytes[..8], b"RPX1\x01\0\0\0");
    assert_eq!(
        u32::from_le_bytes(bytes[8..12].try_into().unwrap()) as usize,
        bytes.len()
    );
    assert_eq!(bytes[12..16], [1, 0, 0, 0]);
    assert_eq!(bytes.len(), 72);
    assert_eq!(bytes[56..68], [0, 0x40, 0, 0, 0, 0x10, 0, 0, 2, 1, 0, 0]);
    assert_eq!(bytes[16..24], [0x88, 0x77, 0x66, 0x55, 0x44, 0x33, 0x22, 0x11]);
    assert!(object.has(features::SHADOW) && !object.has(1 << 31) && !ExtClient::ZERO.has(0));
}

#[test]
fn opcodes_have_their_numbers_and_names() {
    assert_eq!(Opcode::EXIT.0, 0x6300_0001);
    assert_eq!(Opcode::TEST_STREAM.0, 0x6300_8002);
    assert_eq!(Opcode::OFFLOAD_HOST_CALL.0, 0x6f00_0000);
    assert_eq!(Opcode::WRITE_TO_STDERR.to_string(), "WRITE_TO_STDERR");
    assert_eq!(Opcode::new(b'z', 9).to_string(), "opcode 'z' 9");
    assert_eq!(Opcode(7).to_string(), "opcode 0x00000007");
    let mut numbers: Vec<_> = Opcode::ALL.iter().map(|opcode| opcode.0).collect();
    numbers.sort_unstable();
    numbers.dedup();
    assert_eq!(numbers.len(), Opcode::ALL.len());
}

/// The table that people read has every opcode, by its number and name, and no other.
#[test]
fn the_document_has_the_same_table() {
    let document = include_str!("../../docs/opcodes.md");
    let mut class = None;
    let mut listed = Vec::new();
    for line in document.lines() {
        if let Some(heading) = line.strip_prefix("## ") {
            class = heading.strip_prefix("Class `").and_then(|rest| rest.bytes().next());
        }
        let mut cells = line.split('|').map(str::trim).skip(1);
        let (Some(class), Some(numbers), Some(names)) = (class, cells.next(), cells.next()) else {
            continue;
        };
        for (number, name) in numbers.split(", ").zip(names.split(", ")) {
            if let Ok(number) = number.parse() {
                listed.push((Opcode::new(class, number), name));
            }
        }
    }
    let mut named: Vec<_> = Opcode::ALL
        .iter()
        .map(|opcode| (*opcode, opcode.name().unwrap()))
        .collect();
    listed.sort_unstable();
    named.sort_unstable();
    assert_eq!(listed, named);
}

/// The whole region after a request, and after its answer, byte by byte.
#[test]
fn bytes_of_a_call() {
    for (ports, lanes, port) in [(1, 1, 0), (3, 32, 2), (2, 64, 1)] {
        let layout = Layout::new(ports, lanes).unwrap();
        let mut region = vec![0u64; layout.size().div_ceil(8)];
        let mut locks = [[0u32; 1]; 2];
        let [client_lock, server_lock] = &mut locks;
        let base = region.as_mut_ptr().cast::<u8>();
        // SAFETY: all of it lives until the end of this round, and is reached through these two alone while they are in use.
        let (client, server) = unsafe {
            (
                RawMemory::<CpuEdges>::client(base, layout, client_lock.as_mut_ptr()),
                RawMemory::<CpuEdges>::server(base, layout, server_lock.as_mut_ptr()),
            )
        };
        let bytes = || -> Vec<u8> {
            // SAFETY: as above; nobody writes now.
            (0..layout.size()).map(|at| unsafe { base.add(at).read() }).collect()
        };
        let mut expected = vec![0u8; layout.size()];
        let put =
            |expected: &mut Vec<u8>, at: usize, bytes: &[u8]| expected[at..][..bytes.len()].copy_from_slice(bytes);
        // The format once more, by hand: two mailboxes, headers of 16 bytes, packets of 64 for each lane.
        let (ports, lanes, port) = (ports as usize, lanes as usize, port as usize);
        let (to_client, to_server) = (4 * port, 4 * ports + 4 * port);
        let header = 8 * ports + 16 * port;
        let packet = 24 * ports + 64 * lanes * port;

        let client = Client::new(client, OneLane { home: port as u32 });
        let mut call = client.open(Opcode::TEST_INCREMENT);
        call.send(|packet| {
            packet.set(0, 0x1122_3344_5566_7788);
            packet.set(7, 5);
        });
        put(&mut expected, to_server, &[1, 0, 0, 0]);
        put(&mut expected, header, &[1, 0, 0, 0, 0, 0, 0, 0]);
        put(&mut expected, header + 8, &Opcode::TEST_INCREMENT.0.to_le_bytes());
        put(&mut expected, packet, &[0x88, 0x77, 0x66, 0x55, 0x44, 0x33, 0x22, 0x11]);
        put(&mut expected, packet + 56, &[5]);
        assert_eq!(bytes(), expected, "{ports} ports, {lanes} lanes: the request");

        let server = Server::new(server, layout);
        assert!(server.serve(0, |port| port.recv_and_send(|_, buffer| buffer.data[0] += 1)));
        put(&mut expected, to_client, &[1, 0, 0, 0]);
        put(&mut expected, packet, &[0x89]);
        assert_eq!(bytes(), expected, "{ports} ports, {lanes} lanes: the answer");

        assert_eq!(call.recv(|packet| packet.get(0)), 0x1122_3344_5566_7789);
        drop(call);
        assert_eq!(locks, [[0], [0]]);
    }
}
