//! The two ends of a call that a callback answers.
//!
//! A callback blocks in `rpc_recv`; the scan loop never does. So the callback runs on a worker thread, and what it wants
//! done crosses over to the port's conversation: the worker leaves a [`Request`] and sleeps, the conversation carries it
//! out, which may take as long as the device likes, and leaves the [`Reply`]. Exactly one of the two acts at any time.
//! A conversation that is dropped, because its device is gone, wakes its worker with "closed".

use std::{
    collections::HashMap,
    future::poll_fn,
    sync::{
        Arc, Condvar, LazyLock, Mutex, PoisonError,
        atomic::{AtomicU64, Ordering},
    },
    task::{Poll, Waker},
};

use host_server::{Buffer, Bytes, FaultKind, Opcode, PerLane, Port, STREAM_LIMIT};

use crate::{
    lock,
    types::{
        rpc_port_t,
        rpc_status_t::{self, RPC_STATUS_ALREADY_IN_USE, RPC_STATUS_CLOSED},
    },
    workers::Workers,
};

/// What a worker wants done at its port.
pub enum Request {
    /// Receive a packet.
    Recv,
    /// Send these, one for each lane.
    Send(PerLane<Buffer>),
    /// Receive a stream of bytes from each lane.
    RecvN,
    /// Send each lane its bytes.
    SendN(PerLane<Vec<u8>>),
}

/// What came of it.
pub enum Reply {
    /// The packets of all lanes.
    Received(PerLane<Buffer>),
    /// The streams of all lanes.
    ReceivedN(PerLane<Bytes>),
    /// It was sent.
    Sent,
}

/// What worker and conversation share.
pub struct Link {
    opcode: Opcode,
    mask: u64,
    state: Mutex<State>,
    replied: Condvar,
}

#[derive(Default)]
struct State {
    step: Step,
    /// The callback has returned.
    finished: bool,
    /// The conversation has ended.
    closed: bool,
    /// Wakes the conversation while it waits for a request.
    waker: Option<Waker>,
    /// What the packets hold as far as this side knows: a callback finds in a buffer what it left there.
    packets: Option<PerLane<Buffer>>,
}

#[derive(Default)]
enum Step {
    /// The worker is to act.
    #[default]
    Idle,
    Wanted(Request),
    InProgress,
    Done(Reply),
}

impl Link {
    /// What the device asks for.
    pub fn opcode(&self) -> Opcode {
        self.opcode
    }

    /// The lanes that take part.
    pub fn mask(&self) -> u64 {
        self.mask
    }

    /// Has the conversation do something and waits for it.
    pub fn ask(&self, request: Request) -> Result<Reply, rpc_status_t> {
        let mut state = lock(&self.state);
        if state.closed {
            return Err(RPC_STATUS_CLOSED);
        }
        if !matches!(state.step, Step::Idle) {
            return Err(RPC_STATUS_ALREADY_IN_USE);
        }
        state.step = Step::Wanted(request);
        self.wake(state);
        let mut state = lock(&self.state);
        loop {
            match std::mem::take(&mut state.step) {
                Step::Done(reply) => return Ok(reply),
                _ if state.closed => return Err(RPC_STATUS_CLOSED),
                unfinished => state.step = unfinished,
            }
            state = self.replied.wait(state).unwrap_or_else(PoisonError::into_inner);
        }
    }

    /// What the callback finds in its lanes' buffers before it fills them.
    pub fn packets(&self) -> PerLane<Buffer> {
        let packets = lock(&self.state).packets.clone();
        packets.unwrap_or_else(|| PerLane::new(self.mask, Buffer::default()))
    }

    /// Keeps what the callback has left in its lanes' buffers.
    pub fn keep_packets(&self, packets: PerLane<Buffer>) {
        lock(&self.state).packets = Some(packets);
    }

    fn finish(&self) {
        let mut state = lock(&self.state);
        state.finished = true;
        self.wake(state);
    }

    /// Wakes the conversation, without the lock: the scan loop may look at once.
    fn wake(&self, mut state: std::sync::MutexGuard<'_, State>) {
        let waker = state.waker.take();
        drop(state);
        if let Some(waker) = waker {
            waker.wake();
        }
    }

    /// The worker's next wish; `None` when its callback has returned.
    async fn next(&self) -> Option<Request> {
        poll_fn(|context| {
            let mut state = lock(&self.state);
            match std::mem::take(&mut state.step) {
                Step::Wanted(request) => {
                    state.step = Step::InProgress;
                    Poll::Ready(Some(request))
                }
                _ if state.finished => Poll::Ready(None),
                other => {
                    state.step = other;
                    state.waker = Some(context.waker().clone());
                    Poll::Pending
                }
            }
        })
        .await
    }

    fn reply(&self, reply: Reply) {
        lock(&self.state).step = Step::Done(reply);
        self.replied.notify_all();
    }
}

/// The conversation's hold of the link: dropped with the conversation, however that ends.
struct Hold(Arc<Link>);

impl Drop for Hold {
    fn drop(&mut self) {
        lock(&self.0.state).closed = true;
        self.0.replied.notify_all();
    }
}

/// Answers a call with a callback on a worker thread.
pub async fn converse(mut port: Port, workers: Arc<Workers>, callback: impl FnOnce(rpc_port_t) + Send + 'static) {
    let link = Arc::new(Link {
        opcode: port.opcode(),
        mask: port.mask(),
        state: Mutex::default(),
        replied: Condvar::new(),
    });
    let hold = Hold(link.clone());
    let started = workers.start(Box::new(move || {
        let handle = Handle::new(link);
        callback(handle.port);
    }));
    if let Err(error) = started {
        port.fault(FaultKind::BadValue(format!(
            "there is no thread for its callback ({error}); the call was answered with what it sent"
        )));
        return port.recv(|_, _| ()).await;
    }
    let mut received = false;
    while let Some(request) = hold.0.next().await {
        received |= matches!(request, Request::Recv | Request::RecvN);
        let reply = carry_out(&mut port, request).await;
        hold.0.reply(reply);
    }
    if !received {
        // Otherwise the device would wait for ever, and its call would look like a new one.
        port.fault(FaultKind::BadValue(
            "its callback has not received; the call was answered with what it sent".into(),
        ));
        port.recv(|_, _| ()).await;
    }
}

async fn carry_out(port: &mut Port, request: Request) -> Reply {
    match request {
        Request::Recv => {
            let mut packets = PerLane::new(port.mask(), Buffer::default());
            port.recv(|lane, buffer| packets[lane] = buffer).await;
            Reply::Received(packets)
        }
        Request::Send(packets) => {
            port.send(|lane| packets[lane]).await;
            Reply::Sent
        }
        Request::RecvN => Reply::ReceivedN(port.recv_n(STREAM_LIMIT).await),
        Request::SendN(bytes) => {
            port.send_n(|lane| &bytes[lane]).await;
            Reply::Sent
        }
    }
}

/// The links of all callbacks that are running, by the number in their rpc_port_t.
static OPEN: LazyLock<Mutex<HashMap<u64, Arc<Link>>>> = LazyLock::new(Mutex::default);

/// The link behind a port of C.
pub fn find(port: rpc_port_t) -> Result<Arc<Link>, rpc_status_t> {
    lock(&OPEN).get(&port.reserved).cloned().ok_or(RPC_STATUS_CLOSED)
}

/// A running callback's right to use its port.
struct Handle {
    port: rpc_port_t,
    link: Arc<Link>,
}

impl Handle {
    fn new(link: Arc<Link>) -> Self {
        // Numbers are never used twice, so that a stale port is known as such.
        static NEXT: AtomicU64 = AtomicU64::new(1);
        let port = rpc_port_t {
            reserved: NEXT.fetch_add(1, Ordering::Relaxed),
        };
        lock(&OPEN).insert(port.reserved, link.clone());
        Self { port, link }
    }
}

impl Drop for Handle {
    fn drop(&mut self) {
        let mut open = lock(&OPEN);
        open.remove(&self.port.reserved);
        if open.is_empty() {
            // Nothing is left behind when the library is shut down.
            open.shrink_to_fit();
        }
        drop(open);
        self.link.finish();
    }
}
