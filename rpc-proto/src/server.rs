//! The host's side: find ports with work, receive, send, close.
//!
//! Nothing here waits: a [`Turn`] is one port's conversation, and its functions say whether the port is there yet. A
//! server that may wait, with one thread for all ports, finds that in [`Server::serve`].

use core::task::Poll;

use crate::{
    layout::{Buffer, Layout},
    memory::{Memory, Packet, Shadow},
    opcode::Opcode,
    stream::{Incoming, Outgoing},
};

/// Answers the calls of one region. Any number of threads may use it at once.
#[derive(Debug)]
pub struct Server<M> {
    memory: M,
    layout: Layout,
}

impl<M: Memory> Server<M> {
    /// A server for a region of this layout, reached through `memory`.
    pub const fn new(memory: M, layout: Layout) -> Self {
        Self { memory, layout }
    }

    /// The shape of the region.
    pub const fn layout(&self) -> Layout {
        self.layout
    }

    /// How this server reaches the region.
    pub const fn memory(&self) -> &M {
        &self.memory
    }

    /// Whether the server owns the port: a relaxed look, without the lock. What it says may be stale by now.
    #[inline]
    pub fn owns(&self, port: u32) -> bool {
        self.memory.load_inbox(port) & 1 != self.outbox(port)
    }

    /// Begin a conversation on `port` if the server owns it and nobody else holds its lock.
    pub fn try_open(&self, port: u32) -> Option<Turn> {
        // Look before locking: nearly all ports are idle.
        if !self.owns(port) || !self.memory.try_lock(port) {
            return None;
        }
        let outbox = self.outbox(port);
        if self.memory.load_inbox(port) & 1 == outbox {
            self.memory.unlock(port);
            return None;
        }
        self.memory.take();
        let header = self.memory.load_header(port);
        Some(Turn {
            port,
            opcode: Opcode(header.opcode),
            claimed: header.mask,
            mask: header.mask & self.layout.all_lanes(),
            outbox,
            owned: true,
            received: false,
        })
    }

    /// The first port with work at or after `start`, searching all of them once around.
    pub fn try_open_any(&self, start: u32) -> Option<Turn> {
        let ports = self.layout.ports();
        (0..ports).find_map(|step| self.try_open((start % ports + step) % ports))
    }

    /// Answer one pending call, if there is one, with a handler that may wait for its device. Returns whether there was.
    pub fn serve(&self, start: u32, handler: impl FnOnce(&mut ServerPort<'_, M>)) -> bool {
        let Some(turn) = self.try_open_any(start) else {
            return false;
        };
        let mut port = ServerPort { server: self, turn };
        handler(&mut port);
        port.turn.close(self);
        true
    }

    fn outbox(&self, port: u32) -> u32 {
        match self.memory.load_shadow(port) {
            Some(shadow) => shadow.outbox(),
            None => self.memory.load_outbox(port) & 1,
        }
    }

    fn packet(&self, port: u32, lane: u32) -> Packet<'_, M> {
        Packet {
            memory: &self.memory,
            port,
            lane,
        }
    }
}

/// The lanes of a mask, lowest first.
pub fn lanes(mut mask: u64) -> impl Iterator<Item = u32> {
    core::iter::from_fn(move || {
        let lane = (mask != 0).then(|| mask.trailing_zeros())?;
        mask &= mask - 1;
        Some(lane)
    })
}

/// A conversation with the lanes behind one port. The server holds the port's lock until [`close`](Turn::close).
///
/// All that the device wrote into the header was copied here once and does not change under the handler.
#[derive(Debug)]
pub struct Turn {
    port: u32,
    opcode: Opcode,
    claimed: u64,
    mask: u64,
    outbox: u32,
    owned: bool,
    received: bool,
}

impl Turn {
    /// The port's number.
    pub const fn port(&self) -> u32 {
        self.port
    }

    /// What the device asks for.
    pub const fn opcode(&self) -> Opcode {
        self.opcode
    }

    /// The lanes that take part, those that cannot exist left out.
    pub const fn mask(&self) -> u64 {
        self.mask
    }

    /// The device named at least one lane, and only lanes that can exist.
    pub const fn mask_is_sound(&self) -> bool {
        self.claimed == self.mask && self.mask != 0
    }

    /// The mask as the device wrote it.
    pub const fn claimed_mask(&self) -> u64 {
        self.claimed
    }

    /// Receive: `take` is called for each lane, lowest first. `Pending` until the device has sent; call again then.
    pub fn recv<M: Memory>(&mut self, server: &Server<M>, mut take: impl FnMut(u32, Packet<'_, M>)) -> Poll<()> {
        if self.received {
            self.give(server);
            self.received = false;
        }
        if !self.is_owned(server) {
            return Poll::Pending;
        }
        // Each lane's buffer is a line that the device has just written: they come faster together than one by one.
        for lane in lanes(self.mask) {
            server.memory.prefetch(self.port, lane);
        }
        // Even if `take` panics: who closes the call then gives the port back.
        self.received = true;
        for lane in lanes(self.mask) {
            take(lane, server.packet(self.port, lane));
        }
        Poll::Ready(())
    }

    /// Send: `fill` is called for each lane, lowest first. `Pending` until the device has given the port back.
    pub fn send<M: Memory>(&mut self, server: &Server<M>, mut fill: impl FnMut(u32, Packet<'_, M>)) -> Poll<()> {
        if !self.is_owned(server) {
            return Poll::Pending;
        }
        for lane in lanes(self.mask) {
            fill(lane, server.packet(self.port, lane));
        }
        self.give(server);
        self.received = false;
        Poll::Ready(())
    }

    /// Receive, and answer in place: `answer` turns each lane's packet into its reply. `Pending` until the device has sent.
    pub fn recv_and_send<M: Memory>(
        &mut self,
        server: &Server<M>,
        mut answer: impl FnMut(u32, Packet<'_, M>),
    ) -> Poll<()> {
        let received = self.recv(server, &mut answer);
        if received.is_ready() {
            self.give(server);
            self.received = false;
        }
        received
    }

    /// Whether the server owns the port now.
    pub fn is_owned<M: Memory>(&mut self, server: &Server<M>) -> bool {
        if !self.owned && server.memory.load_inbox(self.port) & 1 != self.outbox {
            server.memory.take();
            self.owned = true;
        }
        self.owned
    }

    /// End the conversation: the port goes back to the device if the server received last, and the lock opens.
    pub fn close<M: Memory>(mut self, server: &Server<M>) {
        if self.received {
            self.give(server);
        }
        server.memory.unlock(self.port);
    }

    fn give<M: Memory>(&mut self, server: &Server<M>) {
        self.outbox ^= 1;
        server.memory.store_shadow(self.port, Shadow::new(self.outbox, false));
        server.memory.give(self.port, self.outbox);
        self.owned = false;
    }
}

/// A conversation whose functions wait for the device. For servers whose clients can be trusted to come back.
pub struct ServerPort<'s, M: Memory> {
    server: &'s Server<M>,
    turn: Turn,
}

impl<M: Memory> ServerPort<'_, M> {
    /// The port, the opcode and the lanes.
    pub const fn turn(&self) -> &Turn {
        &self.turn
    }

    /// Receive from each lane.
    pub fn recv(&mut self, mut take: impl FnMut(u32, Packet<'_, M>)) {
        while self.turn.recv(self.server, &mut take).is_pending() {
            self.server.memory.pause();
        }
    }

    /// Send to each lane.
    pub fn send(&mut self, mut fill: impl FnMut(u32, Packet<'_, M>)) {
        while self.turn.send(self.server, &mut fill).is_pending() {
            self.server.memory.pause();
        }
    }

    /// Receive from each lane, and answer it in place.
    pub fn recv_and_send(&mut self, mut answer: impl FnMut(u32, &mut Buffer)) {
        let mut in_place = |lane, packet: Packet<'_, M>| packet.answer(|buffer| answer(lane, buffer));
        while self.turn.recv_and_send(self.server, &mut in_place).is_pending() {
            self.server.memory.pause();
        }
    }

    /// Receive what each lane sends with `send_n`, piece by piece: `take` gets the lane, the size that it announced
    /// and the next bytes. No memory is set aside for a size that a device merely claims.
    pub fn recv_n(&mut self, mut take: impl FnMut(u32, u64, &[u8])) {
        let mut incoming = Incoming::new();
        while incoming.wants_more() {
            self.recv(|lane, packet| incoming.take(lane, &packet.load(), &mut take));
            incoming.advance();
        }
    }

    /// Send each lane its bytes, for its `recv_n`.
    pub fn send_n<'b>(&mut self, mut bytes_of: impl FnMut(u32) -> &'b [u8]) {
        let mut outgoing = Outgoing::new();
        while outgoing.has_more() {
            self.send(|lane, packet| outgoing.fill(bytes_of(lane), |buffer| packet.store(&buffer)));
            outgoing.advance();
        }
    }
}
