//! A model of the four edges: every order in which two sides may run is tried, and weakening any one edge is noticed.
//!
//! `RUSTFLAGS="--cfg loom" cargo test -p rpc-proto --release --test loom`
#![cfg(loom)]

use std::panic::{AssertUnwindSafe, catch_unwind};

use loom::{
    cell::UnsafeCell,
    sync::{
        Arc,
        atomic::{AtomicU32, AtomicU64, Ordering, fence},
    },
    thread,
};
use rpc_proto::{Client, Header, Lanes, Layout, Memory, Opcode, Server, Shadow};

/// The edge that a model leaves out; give and take on the client's side.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Weak {
    Nothing,
    Give,
    Take,
    Lock,
    Unlock,
}

/// One port, one lane, in loom's memory. Of the packet only two words: one for the
/// request and one for the answer, since loom lets no thread see values of its own from before its last yield.
struct Shared {
    to_client: AtomicU32,
    to_server: AtomicU32,
    mask: AtomicU64,
    opcode: AtomicU32,
    words: [AtomicU64; 2],
    /// Bit 0: held. Above it: how often it was given back.
    locks: [AtomicU32; 2],
    /// What the lock protects: only its holder may touch it.
    notes: UnsafeCell<u8>,
    /// How often the client's lock was given back, as its holders note it.
    given_back: AtomicU32,
}

impl Shared {
    fn new() -> Arc<Self> {
        Arc::new(Self {
            to_client: AtomicU32::new(0),
            to_server: AtomicU32::new(0),
            mask: AtomicU64::new(0),
            opcode: AtomicU32::new(0),
            words: [AtomicU64::new(0), AtomicU64::new(0)],
            locks: [AtomicU32::new(0), AtomicU32::new(0)],
            notes: UnsafeCell::new(0),
            given_back: AtomicU32::new(0),
        })
    }
}

#[derive(Clone)]
struct Model {
    shared: Arc<Shared>,
    is_client: bool,
    weak: Weak,
    /// The client keeps notes under its lock.
    notes: bool,
}

impl Model {
    fn boxes(&self) -> (&AtomicU32, &AtomicU32) {
        let shared = &*self.shared;
        if self.is_client {
            (&shared.to_client, &shared.to_server)
        } else {
            (&shared.to_server, &shared.to_client)
        }
    }

    fn lock(&self) -> &AtomicU32 {
        &self.shared.locks[usize::from(self.is_client)]
    }

    /// Which edge is at fault if the holder of the lock, given back so often before, does not see what the last one did.
    fn inspect(&self, times: u32) {
        let seen = self.shared.given_back.load(Ordering::Relaxed);
        // After a fence the lock's own order does not matter: what is a race even so was not released.
        fence(Ordering::Acquire);
        self.shared.notes.with(|_| ());
        assert_eq!(
            seen, times,
            "a lock was taken, and what the last holder wrote was not there"
        );
    }
}

impl Memory for Model {
    fn ports(&self) -> u32 {
        1
    }

    fn load_inbox(&self, _port: u32) -> u32 {
        self.boxes().0.load(Ordering::Relaxed)
    }

    fn load_outbox(&self, _port: u32) -> u32 {
        self.boxes().1.load(Ordering::Relaxed)
    }

    fn give(&self, _port: u32, value: u32) {
        if !(self.is_client && self.weak == Weak::Give) {
            fence(Ordering::Release);
        }
        self.boxes().1.store(value, Ordering::Relaxed);
    }

    fn take(&self) {
        if !(self.is_client && self.weak == Weak::Take) {
            fence(Ordering::Acquire);
        }
    }

    fn try_lock(&self, _port: u32) -> bool {
        let order = if self.weak == Weak::Lock {
            Ordering::Relaxed
        } else {
            Ordering::Acquire
        };
        let before = self.lock().fetch_or(1, order);
        if before & 1 == 0 && self.notes {
            self.inspect(before >> 1);
        }
        before & 1 == 0
    }

    fn unlock(&self, _port: u32) {
        let order = if self.weak == Weak::Unlock {
            Ordering::Relaxed
        } else {
            Ordering::Release
        };
        if self.notes {
            let times = self.shared.given_back.load(Ordering::Relaxed);
            self.shared.given_back.store(times + 1, Ordering::Relaxed);
        }
        self.lock().fetch_add(1, order);
    }

    fn pause(&self) {
        thread::yield_now();
    }

    fn load_header(&self, _port: u32) -> Header {
        Header {
            mask: self.shared.mask.load(Ordering::Relaxed),
            opcode: self.shared.opcode.load(Ordering::Relaxed),
            pad: 0,
        }
    }

    fn store_header(&self, _port: u32, header: Header) {
        self.shared.mask.store(header.mask, Ordering::Relaxed);
        self.shared.opcode.store(header.opcode, Ordering::Relaxed);
    }

    fn load_word(&self, _port: u32, _lane: u32, word: u32) -> u64 {
        self.shared
            .words
            .get(word as usize)
            .map_or(0, |word| word.load(Ordering::Relaxed))
    }

    fn store_word(&self, _port: u32, _lane: u32, word: u32, value: u64) {
        if let Some(word) = self.shared.words.get(word as usize) {
            word.store(value, Ordering::Relaxed);
        }
    }

    fn load_shadow(&self, _port: u32) -> Option<Shadow> {
        // SAFETY: loom checks that only one thread at a time gets here.
        self.notes
            .then(|| Shadow(self.shared.notes.with(|notes| unsafe { *notes })))
    }

    fn store_shadow(&self, _port: u32, shadow: Shadow) {
        if self.notes {
            // SAFETY: as above.
            self.shared.notes.with_mut(|notes| unsafe { *notes = shadow.0 });
        }
    }
}

#[derive(Clone, Copy)]
struct Thread;

impl Lanes for Thread {
    fn active(self) -> u64 {
        1
    }

    fn lane(self) -> u32 {
        0
    }

    fn broadcast(self, _mask: u64, value: u32) -> u32 {
        value
    }

    fn ballot(self, _mask: u64, value: bool) -> u64 {
        value.into()
    }

    fn sync(self, _mask: u64) {}

    fn pause(self) {
        thread::yield_now();
    }
}

/// A call with an answer: two hand-overs, one in each direction.
fn hand_over(weak: Weak) {
    let shared = Shared::new();
    let side = |is_client| Model {
        shared: shared.clone(),
        is_client,
        weak,
        notes: false,
    };
    let (client, server) = (side(true), side(false));
    let device = thread::spawn(move || {
        let client = Client::new(client, Thread);
        let mut port = client.open(Opcode::TEST_INCREMENT);
        port.send(|packet| packet.set(0, 7));
        assert_eq!(
            port.recv(|packet| packet.get(1)),
            8,
            "the client saw its port change hands before the answer"
        );
    });
    // Not on this thread: loom lets no thread see old values from before its last yield, and this one made them all.
    let host = thread::spawn(move || {
        let server = Server::new(server, Layout::new(1, 1).unwrap());
        while !server.serve(0, |port| {
            assert_eq!(
                port.turn().mask(),
                1,
                "the server saw the port change hands before its header"
            );
            port.recv_and_send(|_, buffer| {
                assert_eq!(
                    buffer.data[0], 7,
                    "the server saw the port change hands before the request"
                );
                buffer.data[1] = 8;
            });
        }) {
            thread::yield_now();
        }
    });
    host.join().unwrap();
    device.join().unwrap();
}

/// Two groups of lanes take the same port, one after the other, and note its state for each other.
fn lock(weak: Weak) {
    let shared = Shared::new();
    let open = move |shared: Arc<Shared>| {
        let client = Client::new(
            Model {
                shared,
                is_client: true,
                weak,
                notes: true,
            },
            Thread,
        );
        client.open(Opcode::NOOP).close();
    };
    let other = thread::spawn({
        let shared = shared.clone();
        move || open(shared)
    });
    open(shared);
    other.join().unwrap();
}

/// Run a model in which one edge is weak; it has to fail, and to say what an expert would look for.
fn must_fail(weak: Weak, model: fn(Weak), expected: &str) {
    let outcome = catch_unwind(AssertUnwindSafe(|| loom::model(move || model(weak))));
    let Err(panic) = outcome else {
        panic!("a weakened {weak:?} edge went unnoticed")
    };
    let message = panic
        .downcast_ref::<String>()
        .cloned()
        .or_else(|| panic.downcast_ref::<&str>().map(|text| text.to_string()))
        .unwrap_or_default();
    assert!(
        message.contains(expected),
        "a weakened {weak:?} edge failed with {message:?}, not with {expected:?}"
    );
}

#[test]
fn all_edges_together_are_enough() {
    loom::model(|| hand_over(Weak::Nothing));
    loom::model(|| lock(Weak::Nothing));
}

#[test]
fn a_give_without_release_is_noticed() {
    must_fail(Weak::Give, hand_over, "the server saw the port change hands before");
}

#[test]
fn a_take_without_acquire_is_noticed() {
    must_fail(
        Weak::Take,
        hand_over,
        "the client saw its port change hands before the answer",
    );
}

#[test]
fn a_lock_without_acquire_is_noticed() {
    must_fail(
        Weak::Lock,
        lock,
        "a lock was taken, and what the last holder wrote was not there",
    );
}

#[test]
fn an_unlock_without_release_is_noticed() {
    // What loom says of two accesses that nothing orders.
    must_fail(Weak::Unlock, lock, "Causality violation");
}
