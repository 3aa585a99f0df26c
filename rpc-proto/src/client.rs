//! The device's side: open a port, send, receive, close.

use crate::{
    lanes::Lanes,
    layout::Header,
    memory::{Memory, Packet, Shadow},
    opcode::Opcode,
    stream,
};

/// Asks for services. One per device; any number of groups of lanes use it at once.
#[derive(Clone, Copy, Debug)]
pub struct Client<M, L> {
    memory: M,
    lanes: L,
}

impl<M: Memory, L: Lanes> Client<M, L> {
    /// A client that reaches the region through `memory` and runs as `lanes`.
    #[inline(always)]
    pub const fn new(memory: M, lanes: L) -> Self {
        Self { memory, lanes }
    }

    /// Take a port for a call. The lanes that are active here, and ask for the same, make the call together.
    ///
    /// Lanes that came to the same function from different places may be among them. So the order of sends and receives
    /// must follow from the opcode, or from what all lanes of [`mask`](Port::mask) agree on; the data are each lane's own.
    ///
    /// Waits until a port is free. While a port is held, nothing that may open another one may run: with a single port
    /// that is a deadlock.
    #[inline(always)]
    pub fn open(&self, opcode: Opcode) -> Port<'_, M, L> {
        let mask = self.lanes.active_with(opcode.0);
        // One lane searches for all, and all learn what it found: lanes that searched on their own could settle on
        // different ports.
        let mut found = 0;
        if self.lanes.is_first(mask) {
            let (index, outbox) = self.search();
            self.memory.store_header(
                index,
                Header {
                    mask,
                    opcode: opcode.0,
                    pad: 0,
                },
            );
            found = index << 1 | outbox;
        }
        let found = self.lanes.broadcast(mask, found);
        self.lanes.sync(mask);
        Port {
            client: self,
            mask,
            index: found >> 1,
            outbox: found & 1,
            owned: true,
            received: false,
        }
    }

    /// Lock a port that this side owns; its index and its outbox word.
    #[inline(always)]
    fn search(&self) -> (u32, u32) {
        let ports = self.memory.ports();
        // Without the panic that `%` has: a panic handler may be what is calling.
        let mut index = self.lanes.home().checked_rem(ports).unwrap_or(0);
        let mut rounds = 0;
        loop {
            if self.memory.try_lock(index) {
                match self.owned_outbox(index) {
                    Some(outbox) => return (index, outbox),
                    None => self.memory.unlock(index),
                }
            }
            index += 1;
            if index == ports {
                index = 0;
                self.lanes.pause_shorter(rounds);
                rounds = rounds.wrapping_add(1);
            }
        }
    }

    /// The outbox word of a locked port, if this side owns it. Reads across the bus only what it has to.
    #[inline(always)]
    fn owned_outbox(&self, index: u32) -> Option<u32> {
        let outbox = match self.memory.load_shadow(index) {
            // Whoever saw this took the port then; the lock has passed that on.
            Some(shadow) if shadow.owned() => return Some(shadow.outbox()),
            Some(shadow) => shadow.outbox(),
            None => self.memory.load_outbox(index),
        };
        if self.memory.load_inbox(index) != outbox {
            return None;
        }
        self.memory.take();
        Some(outbox)
    }
}

/// An open call of a group of lanes. Closes when dropped.
///
/// The closures given to its functions run once for each lane of the group, while the port is held: they must not
/// return early, panic, or call anything that could open a port.
pub struct Port<'c, M: Memory, L: Lanes> {
    client: &'c Client<M, L>,
    mask: u64,
    index: u32,
    outbox: u32,
    /// This side has seen that it owns the port and has not given it away since.
    owned: bool,
    /// The last operation was a recv, so that the buffer still holds what the server sent.
    received: bool,
}

impl<M: Memory, L: Lanes> Port<'_, M, L> {
    /// The lanes that make this call.
    #[inline(always)]
    pub fn mask(&self) -> u64 {
        self.mask
    }

    /// Whether it is so for any of the lanes that make this call. All of them ask together.
    #[inline(always)]
    pub fn any(&self, value: bool) -> bool {
        self.client.lanes.ballot(self.mask, value) != 0
    }

    /// The port's number.
    #[inline(always)]
    pub fn index(&self) -> u32 {
        self.index
    }

    /// Fill this lane's buffer and give the port to the server.
    #[inline(always)]
    pub fn send(&mut self, fill: impl FnOnce(Packet<'_, M>)) {
        self.wait();
        fill(self.packet());
        self.give();
        self.received = false;
    }

    /// Wait for the server and use what it put into this lane's buffer.
    #[inline(always)]
    pub fn recv<R>(&mut self, take: impl FnOnce(Packet<'_, M>) -> R) -> R {
        if self.received {
            self.give();
        }
        self.wait();
        self.received = true;
        take(self.packet())
    }

    /// Send, then wait for the answer: the shape of most calls.
    #[inline(always)]
    pub fn send_and_recv<R>(&mut self, fill: impl FnOnce(Packet<'_, M>), take: impl FnOnce(Packet<'_, M>) -> R) -> R {
        self.send(fill);
        self.recv(take)
    }

    /// Wait for the server, then send.
    #[inline(always)]
    pub fn recv_and_send<R>(&mut self, take: impl FnOnce(Packet<'_, M>) -> R, fill: impl FnOnce(Packet<'_, M>)) -> R {
        let result = self.recv(take);
        self.send(fill);
        result
    }

    /// Send any number of bytes; each lane its own, of its own length.
    #[inline]
    pub fn send_n(&mut self, bytes: &[u8]) {
        self.send(|packet| {
            packet.set(0, bytes.len() as u64);
            packet.write_bytes(1, bytes);
        });
        let mut sent = stream::FIRST;
        while self.any(sent < bytes.len()) {
            self.send(|packet| {
                if let Some(rest) = bytes.get(sent..) {
                    packet.write_bytes(0, rest);
                }
            });
            sent += stream::NEXT;
        }
    }

    /// Receive what the server sends with its `send_n` into this lane's `bytes`; returns the size that it announced.
    ///
    /// What does not fit is received and dropped, so that the conversation stays in step.
    #[inline]
    pub fn recv_n(&mut self, bytes: &mut [u8]) -> u64 {
        let size = self.recv(|packet| {
            let size = packet.get(0);
            let len = stream::clamp(size, bytes.len()).min(stream::FIRST);
            packet.read_bytes(1, &mut bytes[..len]);
            size
        });
        let keep = stream::clamp(size, bytes.len());
        let mut at = stream::FIRST as u64;
        while self.any(at < size) {
            self.recv(|packet| {
                if at < keep as u64 {
                    let at = at as usize;
                    let len = (keep - at).min(stream::NEXT);
                    packet.read_bytes(0, &mut bytes[at..at + len]);
                }
            });
            at += stream::NEXT as u64;
        }
        size
    }

    /// End the call. After a send the call is asynchronous: the port becomes free when the server closes it.
    #[inline(always)]
    pub fn close(self) {}

    #[inline(always)]
    fn packet(&self) -> Packet<'_, M> {
        Packet {
            memory: &self.client.memory,
            port: self.index,
            lane: self.client.lanes.lane(),
        }
    }

    /// Wait until this side owns the port.
    #[inline(always)]
    fn wait(&mut self) {
        if self.owned {
            return;
        }
        let lanes = &self.client.lanes;
        lanes.await_trip(self.mask.count_ones());
        self.client
            .memory
            .take_when(self.index, self.outbox, |looks| lanes.pause_longer(looks));
        self.owned = true;
    }

    /// Give the port to the server, once all lanes are through with their buffers.
    #[inline(always)]
    fn give(&mut self) {
        self.outbox ^= 1;
        self.client.lanes.sync(self.mask);
        if self.client.lanes.is_first(self.mask) {
            self.client.memory.give(self.index, self.outbox);
        }
        self.owned = false;
    }
}

impl<M: Memory, L: Lanes> Drop for Port<'_, M, L> {
    #[inline(always)]
    fn drop(&mut self) {
        self.client.lanes.sync(self.mask);
        if self.client.lanes.is_first(self.mask) {
            let memory = &self.client.memory;
            memory.store_shadow(self.index, Shadow::new(self.outbox, self.owned));
            memory.unlock(self.index);
        }
    }
}
