//! Sizes are claims: the server's memory grows with the bytes that arrive. One test alone, as it watches the allocator.

mod peer;

use std::alloc::{GlobalAlloc, Layout, System};
use std::path::Path;
use std::sync::atomic::{AtomicUsize, Ordering};

use host_server::services::Services;
use host_server::{Buffer, Grants, Opcode, RecordingHost, STREAM_LIMIT};
use peer::{Device, folder, full};

/// Counts what is allocated, and the most that ever was.
struct Counting;

static NOW: AtomicUsize = AtomicUsize::new(0);
static MOST: AtomicUsize = AtomicUsize::new(0);

// SAFETY: passes everything on to the system's allocator and only counts.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        let now = NOW.fetch_add(layout.size(), Ordering::Relaxed) + layout.size();
        MOST.fetch_max(now, Ordering::Relaxed);
        // SAFETY: the caller keeps the promises of this function, which are the same.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        NOW.fetch_sub(layout.size(), Ordering::Relaxed);
        // SAFETY: as above.
        unsafe { System.dealloc(pointer, layout) }
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

/// What a call may take beyond the bytes that arrived.
const SLACK: usize = 4 << 20;

fn grown_by(work: impl FnOnce()) -> usize {
    let before = NOW.load(Ordering::Relaxed);
    MOST.store(before, Ordering::Relaxed);
    work();
    MOST.load(Ordering::Relaxed) - before
}

/// Calls whose first packets announce a stream, after so many packets of another kind.
const STREAMS: [(Opcode, usize); 16] = [
    (Opcode::WRITE_TO_STDOUT, 0),
    (Opcode::WRITE_TO_STREAM, 1),
    (Opcode::OPEN_FILE, 0),
    (Opcode::HOST_CALL, 0),
    (Opcode::PRINTF_TO_STDOUT, 0),
    (Opcode::PRINTF_TO_STREAM_PACKED, 1),
    (Opcode::REMOVE, 0),
    (Opcode::RENAME, 0),
    (Opcode::SYSTEM, 0),
    (Opcode::TEST_STREAM, 0),
    (Opcode::FS_OPEN, 0),
    (Opcode::FS_WRITE, 1),
    (Opcode::FS_RENAME, 0),
    (Opcode::FS_OPEN_DIR, 0),
    (Opcode::RUN, 0),
    (Opcode::CALL, 0),
];

#[test]
fn memory_grows_with_what_arrives() {
    let folder = folder("bounds");
    let mut grants = Grants::none();
    grants.directory(&folder, Some(Path::new("/data"))).unwrap();
    let services = Services::new(grants);
    let device = Device::new(1, 64, RecordingHost::default(), services.registry());

    for (opcode, words) in STREAMS {
        for size in [STREAM_LIMIT, STREAM_LIMIT + 1, 1 << 40, u64::MAX] {
            let grown = grown_by(|| {
                let mut call = device.open(0, opcode, full(64));
                for _ in 0..words {
                    call.send_words(|_| [2]);
                }
                for _ in 0..100 {
                    call.send(|_| Buffer { data: [size; 8] });
                }
                // Nothing more comes: the warp has vanished.
                device.until("the last packet", || device.owns(0));
                device.server.drain();
                device.server.reset();
                device.forget();
            });
            assert!(grown < SLACK, "{opcode} with {size} bytes announced took {grown} bytes");
        }
    }

    // What is beyond the limit is discarded to the announced end, and the conversation stays in step.
    let path = [b"/data/".to_vec(), vec![b'x'; 100_000]].concat();
    let mut call = device.open(0, Opcode::OPEN_FILE, full(64));
    let grown = grown_by(|| {
        let mode = |_| Buffer {
            data: [u64::from(b'w'), 0, 0, 0, 0, 0, 0, 0],
        };
        let paths: Vec<&[u8]> = (0..64)
            .map(|lane| if lane == 7 { &path } else { &b"/data/ok\0"[..] })
            .collect();
        call.send_n(&paths).send(mode);
        let files = call.recv_word();
        assert!(files.iter().enumerate().all(|(lane, &file)| (file == 0) == (lane == 7)));
    });
    assert!(grown < SLACK, "{grown}");

    // Sizes that a device asks for are no reason to allocate either.
    std::fs::write(folder.join("small"), "small").unwrap();
    let mut call = device.open(0, Opcode::FS_OPEN, 1);
    let file = call
        .send_n(&[&[&1u64.to_le_bytes()[..], b"/data/small"].concat()])
        .recv_word()[0];
    for (opcode, size) in [
        (Opcode::READ_FROM_STREAM, STREAM_LIMIT),
        (Opcode::READ_FROM_STREAM, u64::MAX),
        (Opcode::READ_FGETS, STREAM_LIMIT),
        (Opcode::FS_READ, STREAM_LIMIT),
        (Opcode::FS_READ, u64::MAX),
        (Opcode::FS_READ_DIR, u64::MAX),
    ] {
        let grown = grown_by(|| {
            let mut call = device.open(0, opcode, 1);
            call.send_words(|_| [size, file]);
            call.recv_n();
            if opcode != Opcode::READ_FGETS {
                call.recv();
            }
        });
        assert!(grown < SLACK, "{opcode} asked for {size} took {grown}");
    }

    // A few bytes that print many: padding and repeated results have bounds of their own.
    let format = "%1000000d".repeat(1000);
    let grown = grown_by(|| {
        let mut call = device.open(0, Opcode::PRINTF_TO_STDOUT, 1);
        let size = call.send_n(&[&format]).recv_word()[0];
        call.send_n(&[vec![0; size as usize]]);
        assert_eq!(call.recv()[0].data[..2], [u64::MAX, 0]);
    });
    // A buffer that grows by doubling is there twice while it moves.
    assert!(grown < 4 * host_server::format::MAX_PADDING, "{grown}");
    let request = [&3u32.to_le_bytes()[..], &[40, 0, 0, 0], b"sum"].concat();
    let outputs = [&[32 | 10u8][..], &(1u64 << 27).to_le_bytes()].concat().repeat(40);
    let grown = grown_by(|| {
        let mut call = device.open(0, Opcode::CALL, 1);
        let reply = call.send_n(&[[request, outputs].concat()]).recv_n();
        assert_eq!(reply[0][..8], (-i64::from(libc::EMSGSIZE)).to_le_bytes());
    });
    assert!(grown < SLACK, "{grown}");
}
