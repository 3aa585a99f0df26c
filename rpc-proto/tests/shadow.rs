//! A client that may keep notes reads nothing of its own across the bus; one that may not, does.

use std::cell::{Cell, RefCell};

use rpc_proto::{Client, Header, Memory, OneLane, Opcode, Shadow};

/// What crossed the bus.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Access {
    ReadInbox(u32),
    ReadOutbox(u32),
    Give(u32),
}

/// A region whose server answers at once, and which writes down what the client touches.
struct Recording {
    inbox: [Cell<u32>; 2],
    outbox: [Cell<u32>; 2],
    notes: Option<[Cell<u8>; 2]>,
    locked: [Cell<bool>; 2],
    accesses: RefCell<Vec<Access>>,
    /// The server answers when its turn comes.
    answers: Cell<bool>,
}

impl Recording {
    fn new(may_note: bool) -> Self {
        Self {
            inbox: Default::default(),
            outbox: Default::default(),
            notes: may_note.then(Default::default),
            locked: Default::default(),
            accesses: RefCell::default(),
            answers: Cell::new(true),
        }
    }

    fn take_accesses(&self) -> Vec<Access> {
        self.accesses.take()
    }
}

impl Memory for &Recording {
    fn ports(&self) -> u32 {
        2
    }

    fn load_inbox(&self, port: u32) -> u32 {
        self.accesses.borrow_mut().push(Access::ReadInbox(port));
        self.inbox[port as usize].get()
    }

    fn load_outbox(&self, port: u32) -> u32 {
        self.accesses.borrow_mut().push(Access::ReadOutbox(port));
        self.outbox[port as usize].get()
    }

    fn give(&self, port: u32, value: u32) {
        self.accesses.borrow_mut().push(Access::Give(port));
        assert_ne!(self.outbox[port as usize].replace(value), value);
        if self.answers.get() {
            self.inbox[port as usize].set(value);
        }
    }

    fn take(&self) {}

    fn try_lock(&self, port: u32) -> bool {
        !self.locked[port as usize].replace(true)
    }

    fn unlock(&self, port: u32) {
        assert!(self.locked[port as usize].replace(false));
    }

    fn load_header(&self, _port: u32) -> Header {
        unreachable!("the client never reads a header")
    }

    fn store_header(&self, _port: u32, _header: Header) {}

    fn load_word(&self, _port: u32, _lane: u32, _word: u32) -> u64 {
        0
    }

    fn store_word(&self, _port: u32, _lane: u32, _word: u32, _value: u64) {}

    fn load_shadow(&self, port: u32) -> Option<Shadow> {
        self.notes.as_ref().map(|notes| Shadow(notes[port as usize].get()))
    }

    fn store_shadow(&self, port: u32, shadow: Shadow) {
        if let Some(notes) = &self.notes {
            notes[port as usize].set(shadow.0);
        }
    }
}

use Access::*;

#[test]
fn with_notes_a_call_reads_only_its_answer() {
    let memory = Recording::new(true);
    let client = Client::new(&memory, OneLane::default());
    for _ in 0..3 {
        client.open(Opcode::TEST_INCREMENT).send_and_recv(|_| (), |_| ());
        assert_eq!(memory.take_accesses(), [Give(0), ReadInbox(0)]);
    }
    // After an asynchronous call the client cannot know whether the server is through, and asks; but never itself.
    client.open(Opcode::NOOP).send(|_| ());
    client.open(Opcode::NOOP).send(|_| ());
    assert_eq!(memory.take_accesses(), [Give(0), ReadInbox(0), Give(0)]);
}

#[test]
fn a_port_that_the_server_still_owns_is_passed_over() {
    let memory = Recording::new(true);
    let client = Client::new(&memory, OneLane::default());
    memory.answers.set(false);
    client.open(Opcode::NOOP).send(|_| ());
    let port = client.open(Opcode::NOOP);
    assert_eq!(port.index(), 1);
    drop(port);
    assert!(!memory.take_accesses().contains(&ReadOutbox(0)));
    assert!(memory.locked.iter().all(|locked| !locked.get()));
}

#[test]
fn with_a_foreign_host_the_client_reads_its_mailbox_word() {
    let memory = Recording::new(false);
    let client = Client::new(&memory, OneLane::default());
    for _ in 0..2 {
        client.open(Opcode::TEST_INCREMENT).send_and_recv(|_| (), |_| ());
        assert_eq!(
            memory.take_accesses(),
            [ReadOutbox(0), ReadInbox(0), Give(0), ReadInbox(0)]
        );
    }
}

#[test]
fn the_search_starts_at_home() {
    let memory = Recording::new(true);
    let client = Client::new(&memory, OneLane { home: 7 });
    assert_eq!(client.open(Opcode::NOOP).index(), 1);
}
