//! A conversation with the lanes behind one port, from a handler's side.

use std::{future::poll_fn, sync::Arc, task::Poll};

use rpc_proto::{
    Buffer, Opcode, Turn, server,
    stream::{Incoming, Outgoing},
};

use crate::{
    Fault, FaultKind, Host,
    region::Region,
    server::{PACKETS_LEFT, Shared},
};

/// What a handler talks through. Every function waits for the device without holding a thread.
///
/// Closes when dropped: if the handler received last, the device gets its packet back as it is.
pub struct Port {
    shared: Arc<Shared>,
    /// `None` only once dropped.
    turn: Option<Turn>,
}

/// A lane sent more than the limit; what it sent was received and discarded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TooLong {
    /// The size that the lane announced.
    pub announced: u64,
}

/// What one lane sent with `send_n`.
pub type Bytes = Result<Vec<u8>, TooLong>;

impl Port {
    pub(crate) fn new(shared: Arc<Shared>, turn: Turn) -> Self {
        Self {
            shared,
            turn: Some(turn),
        }
    }

    fn turn(&self) -> &Turn {
        self.turn.as_ref().expect("a port has its turn until it is dropped")
    }

    /// The port's number.
    pub fn index(&self) -> u32 {
        self.turn().port()
    }

    /// What the device asks for.
    pub fn opcode(&self) -> Opcode {
        self.turn().opcode()
    }

    /// The lanes that take part.
    pub fn mask(&self) -> u64 {
        self.turn().mask()
    }

    /// The lanes that take part, lowest first.
    pub fn lanes(&self) -> impl Iterator<Item = u32> + use<> {
        server::lanes(self.mask())
    }

    /// What handlers may touch of the outside world.
    pub fn host(&self) -> Arc<dyn Host> {
        self.shared.host.clone()
    }

    /// Report that the device did something wrong in this call.
    pub fn fault(&self, kind: FaultKind) {
        self.shared.report(Fault {
            port: Some(self.index()),
            opcode: Some(self.opcode()),
            kind,
        });
    }

    /// Receive a packet: `take` gets each lane's private copy, lowest lane first.
    pub async fn recv(&mut self, mut take: impl FnMut(u32, Buffer)) {
        let (shared, turn) = (&self.shared, self.turn.as_mut().expect("open"));
        poll_fn(|_| shared.exchange(|proto| turn.recv(proto, |lane, packet| take(lane, packet.load())))).await;
    }

    /// Send a packet: `fill` makes each lane's, lowest lane first.
    pub async fn send(&mut self, mut fill: impl FnMut(u32) -> Buffer) {
        let (shared, turn) = (&self.shared, self.turn.as_mut().expect("open"));
        poll_fn(|_| shared.exchange(|proto| turn.send(proto, |lane, packet| packet.store(&fill(lane))))).await;
    }

    /// Receive a packet and answer it: `answer` turns each lane's request into its reply.
    pub async fn recv_and_send(&mut self, mut answer: impl FnMut(u32, &mut Buffer)) {
        let (shared, turn) = (&self.shared, self.turn.as_mut().expect("open"));
        poll_fn(|_| {
            shared.exchange(|proto| {
                turn.recv_and_send(proto, |lane, packet| packet.answer(|buffer| answer(lane, buffer)))
            })
        })
        .await;
    }

    /// Let the server look at every other port once. What a lane did before this call, in calls that it did not wait for,
    /// is done then. To be used between a receive and the send that answers it.
    pub async fn let_others_go_first(&mut self) {
        let mut has_waited = false;
        poll_fn(|_| {
            // The packet is still here, so that the next scan comes by this port again, through with all the others.
            let poll = if has_waited { Poll::Ready(()) } else { Poll::Pending };
            has_waited = true;
            self.shared.waiting_for_device(poll)
        })
        .await;
    }

    /// Look at something else than the device at each scan, until `done`. To be used between a receive and the send that
    /// answers it.
    pub(crate) async fn look_until(&self, mut done: impl FnMut() -> bool) {
        poll_fn(|_| {
            let poll = if done() { Poll::Ready(()) } else { Poll::Pending };
            self.shared.waiting_for_device(poll)
        })
        .await;
    }

    /// Receive one word of each lane: word 0 of a packet.
    pub async fn recv_word(&mut self) -> PerLane<u64> {
        let mut words = PerLane::new(self.mask(), 0);
        self.recv(|lane, buffer| words[lane] = buffer.data[0]).await;
        words
    }

    /// Send one word to each lane: word 0 of a packet whose rest is 0.
    pub async fn send_word(&mut self, mut word: impl FnMut(u32) -> u64) {
        self.send(|lane| Buffer {
            data: [word(lane), 0, 0, 0, 0, 0, 0, 0],
        })
        .await;
    }

    /// Bytes that one lane may send in one call to this server: what a handler without a bound of its own gives
    /// [`recv_n`](Port::recv_n).
    pub fn stream_limit(&self) -> u64 {
        self.shared.registry.stream_limit()
    }

    /// Receive what each lane sends with its `send_n`, up to `limit` bytes a lane, or the server's
    /// [limit](Port::stream_limit) where that is smaller.
    ///
    /// Memory grows with the bytes that arrive. A lane that announces more than `limit` gets [`TooLong`], which is also
    /// reported; its bytes are received to the announced end, so that the conversation stays in step.
    pub async fn recv_n(&mut self, limit: u64) -> PerLane<Bytes> {
        let limit = limit.min(self.stream_limit());
        let mut incoming = Incoming::new();
        let mut received: PerLane<Bytes> = PerLane::new(self.mask(), Ok(Vec::new()));
        while incoming.wants_more() {
            self.recv(|lane, buffer| {
                incoming.take(lane, &buffer, |lane, announced, bytes| {
                    if announced > limit {
                        received[lane] = Err(TooLong { announced });
                    } else if let Ok(so_far) = &mut received[lane] {
                        so_far.extend_from_slice(bytes);
                    }
                });
            })
            .await;
            incoming.advance();
        }
        for (lane, bytes) in received.iter() {
            if let &Err(TooLong { announced }) = bytes {
                self.fault(FaultKind::TooLong { lane, announced, limit });
            }
        }
        received
    }

    /// Send each lane its bytes, for its `recv_n`.
    pub async fn send_n<'b>(&mut self, bytes_of: impl Fn(u32) -> &'b [u8]) {
        let mut outgoing = Outgoing::new();
        while outgoing.has_more() {
            self.send(|lane| {
                let mut packet = Buffer::default();
                outgoing.fill(bytes_of(lane), |buffer| packet = buffer);
                packet
            })
            .await;
            outgoing.advance();
        }
    }
}

impl Drop for Port {
    fn drop(&mut self) {
        if let Some(turn) = self.turn.take() {
            turn.close(&self.shared.proto);
        }
    }
}

/// One value for each lane of a call.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PerLane<T> {
    mask: u64,
    values: Vec<T>,
}

impl<T: Clone> PerLane<T> {
    /// `value` for each lane of `mask`.
    pub fn new(mask: u64, value: T) -> Self {
        Self {
            mask,
            values: vec![value; mask.count_ones() as usize],
        }
    }
}

impl<T> PerLane<T> {
    /// The lanes that have a value.
    pub fn mask(&self) -> u64 {
        self.mask
    }

    /// Each lane and its value, lowest lane first.
    pub fn iter(&self) -> impl Iterator<Item = (u32, &T)> {
        server::lanes(self.mask).zip(&self.values)
    }

    /// Make each lane's value into another.
    pub fn map<U>(self, mut make: impl FnMut(u32, T) -> U) -> PerLane<U> {
        PerLane {
            mask: self.mask,
            values: server::lanes(self.mask)
                .zip(self.values)
                .map(|(lane, value)| make(lane, value))
                .collect(),
        }
    }

    fn rank(&self, lane: u32) -> usize {
        assert!(self.mask >> lane & 1 == 1, "lane {lane} does not take part");
        (self.mask & ((1 << lane) - 1)).count_ones() as usize
    }
}

impl<T> std::ops::Index<u32> for PerLane<T> {
    type Output = T;

    fn index(&self, lane: u32) -> &T {
        &self.values[self.rank(lane)]
    }
}

impl<T> std::ops::IndexMut<u32> for PerLane<T> {
    fn index_mut(&mut self, lane: u32) -> &mut T {
        let rank = self.rank(lane);
        &mut self.values[rank]
    }
}

impl Shared {
    /// One packet, if it is there and the conversation has not had its share of this look.
    fn exchange(&self, packet: impl FnOnce(&rpc_proto::Server<Region>) -> Poll<()>) -> Poll<()> {
        let left = PACKETS_LEFT.get();
        if left == 0 {
            // The mailbox shows the packet to the next scan, which comes by when it has looked at all other ports.
            return self.waiting_for_device(Poll::Pending);
        }
        PACKETS_LEFT.set(left - 1);
        self.waiting_for_device(packet(&self.proto))
    }

    /// Note that a conversation waits for its device, not for something else.
    fn waiting_for_device<T>(&self, poll: Poll<T>) -> Poll<T> {
        if poll.is_pending() {
            crate::server::WAITS_FOR_DEVICE.set(true);
        }
        poll
    }
}
