//! Golden bytes: where everything lies, for several shapes of region.

use rpc_proto::{
    ClientObject, Layout, Opcode,
    ext::{ExtClient, features},
    layout::MAX_PORTS,
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
    let layout = Layout::new(4, 32).unwrap();
    let bytes = ClientObject::new(layout, 0x1_0000_0000).to_bytes();
    let mut expected = vec![0u8; 552];
    expected[..4].copy_from_slice(&[4, 0, 0, 0]);
    expected[8..16].copy_from_slice(&[0, 0, 0, 0, 1, 0, 0, 0]);
    expected[16..24].copy_from_slice(&[16, 0, 0, 0, 1, 0, 0, 0]);
    expected[24..32].copy_from_slice(&[32, 0, 0, 0, 1, 0, 0, 0]);
    expected[32..40].copy_from_slice(&[96, 0, 0, 0, 1, 0, 0, 0]);
    assert_eq!(bytes, expected[..]);
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
