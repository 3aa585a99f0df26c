//! The scan loop: finds ports with work and moves their conversations on.

use std::{
    cell::Cell,
    collections::HashMap,
    io,
    panic::{AssertUnwindSafe, catch_unwind},
    ptr::NonNull,
    sync::{
        Arc, Mutex, OnceLock, TryLockError, Weak,
        atomic::{AtomicBool, AtomicU32, Ordering},
    },
    task::{Context, Poll, Wake, Waker},
    time::{Duration, Instant},
};

use rpc_proto::{
    ClientObject, Layout, Opcode, Turn,
    express::{Message, Shape},
};

use crate::{
    Fault, FaultKind, Host, Port, Registry,
    express::Express,
    lock::lock,
    region::Region,
    registry::{CallHandler, Conversation, ExpressHandler},
    relay,
    threads::Doorbell,
};

thread_local! {
    /// Set by a port's functions when they wait for the device, so that the loop knows what a conversation waits for.
    pub(crate) static WAITS_FOR_DEVICE: Cell<bool> = const { Cell::new(false) };

    /// How many packets the conversation that is being moved on may still exchange in this look.
    pub(crate) static PACKETS_LEFT: Cell<u32> = const { Cell::new(0) };
}

/// Packets of one conversation in one look. A device that answers at once could keep the server for as long as it likes.
const PACKETS_AT_ONCE: u32 = 64;

/// What output still gets to reach its reader when all the time for the rest is up.
const LAST_WORDS: Duration = Duration::from_millis(100);

/// How often the same kind of fault is reported before it becomes silent.
const REPORTS_OF_A_KIND: u32 = 10;

/// Serves one shared region. Clones serve the same one; any number of threads may. With the last clone all conversations end.
#[derive(Clone)]
pub struct Server {
    shared: Arc<Shared>,
    _conversations: Arc<Conversations>,
}

/// The clones' hold on the conversations, which hold `Shared` in turn: left alone, neither would be freed.
struct Conversations(Arc<Shared>);

impl Drop for Conversations {
    fn drop(&mut self) {
        self.0.forget_conversations();
    }
}

pub(crate) struct Shared {
    pub(crate) proto: rpc_proto::Server<Region>,
    pub(crate) host: Arc<dyn Host>,
    pub(crate) doorbell: Doorbell,
    pub(crate) registry: Registry,
    express: OnceLock<Express>,
    slots: Box<[Slot]>,
    /// Ports whose conversation was woken by something other than the device.
    woken: Mutex<Vec<u32>>,
    /// Whether there may be any: threads that look all the time must not take turns with the lock.
    any_woken: AtomicBool,
    /// How often each kind of fault was met.
    reported: Mutex<HashMap<FaultKey, u32>>,
    unknown_opcode: AtomicBool,
    /// Conversations that are neither finished nor waiting for the device.
    parked: AtomicU32,
}

type FaultKey = (Option<Opcode>, std::mem::Discriminant<FaultKind>);

/// What came of draining a server.
#[derive(Debug)]
pub struct Drained {
    /// Whether all was done before the time was up.
    pub in_time: bool,
    /// The first port's call whose device did not come back. For whoever knows that no kernel was stopped in the middle, see
    /// [`Server::drain`].
    pub cut_off: Option<Fault>,
}

/// A conversation, and what it is about: the header is the device's, which may have written the next one over it.
struct Underway {
    opcode: Opcode,
    conversation: Conversation,
}

/// What came of looking at a port without a conversation.
enum Begun {
    Conversation(Underway),
    /// A call that needs none.
    Answered,
    Nothing,
}

/// One port's conversation, if it is in one.
#[derive(Default)]
struct Slot {
    conversation: Mutex<Option<Underway>>,
    /// It waits for something other than its device: a mailbox that changed means nothing to it.
    parked: AtomicBool,
    woken: AtomicBool,
    waker: OnceLock<Waker>,
}

impl Server {
    /// A server for the region at `base`, which is zeroed.
    ///
    /// # Safety
    /// `base` is aligned to 8 and leads to `layout.size()` bytes, which outlive the server and all its clones and are
    /// otherwise only accessed by devices, or by clients that behave as one.
    #[allow(unsafe_code, reason = "the caller vouches for the region")]
    pub unsafe fn new(base: NonNull<u8>, layout: Layout, host: Arc<dyn Host>, registry: Registry) -> Self {
        // SAFETY: passed on to the caller.
        let region = unsafe { Region::new(base, layout) };
        let shared = Arc::new(Shared {
            proto: rpc_proto::Server::new(region, layout),
            host: relay::that_does_not_wait(host),
            doorbell: Doorbell::default(),
            registry,
            express: OnceLock::new(),
            slots: (0..layout.ports()).map(|_| Slot::default()).collect(),
            woken: Mutex::default(),
            any_woken: AtomicBool::new(false),
            reported: Mutex::default(),
            unknown_opcode: AtomicBool::new(false),
            parked: AtomicU32::new(0),
        });
        Self {
            _conversations: Arc::new(Conversations(shared.clone())),
            shared,
        }
    }

    /// Serve express calls too, from the region at `base`, which is zeroed. Once for each server; later calls are dropped.
    ///
    /// # Safety
    /// `base` is aligned to 512 and leads to `shape.size()` bytes, which outlive the server and all its clones and are
    /// otherwise only accessed by devices, or by clients that behave as one.
    #[allow(unsafe_code, reason = "the caller vouches for the region")]
    pub unsafe fn offer_express(&self, base: NonNull<u8>, shape: Shape) {
        // SAFETY: passed on to the caller.
        self.shared.express.get_or_init(|| unsafe { Express::new(base, shape) });
    }

    /// The shape of the region.
    pub fn layout(&self) -> Layout {
        self.shared.proto.layout()
    }

    /// What the device's client object has to hold, for a device that sees the region at `device_base`.
    pub fn client_object(&self, device_base: u64) -> ClientObject {
        ClientObject::new(self.layout(), device_base)
    }

    /// What handlers may touch of the outside world.
    pub fn host(&self) -> &Arc<dyn Host> {
        &self.shared.host
    }

    /// Look at every port once and move on what can be moved. Returns the number of conversations that were.
    ///
    /// Bounded work; never waits for a device.
    pub fn poll(&self) -> usize {
        self.poll_as(0, 1)
    }

    /// The same as one of several threads: thread `thread` of `threads` serves its share of the express slots, so that no
    /// two threads touch the same.
    pub fn poll_as(&self, thread: usize, threads: usize) -> usize {
        let mut moved = self.poll_express(thread, threads, false);
        // Looked at before it is written, as a line that is only read stays with every thread.
        if self.shared.any_woken.load(Ordering::Relaxed) && self.shared.any_woken.swap(false, Ordering::AcqRel) {
            let woken = std::mem::take(&mut *lock(&self.shared.woken));
            for port in woken {
                moved += usize::from(self.shared.advance(port));
            }
        }
        self.shared
            .proto
            .memory()
            .pending(|port| moved += usize::from(self.shared.advance(port)));
        moved
    }

    /// Serve until nothing is left to do: the device has ended, its asynchronous calls have not. Output is flushed.
    ///
    /// Conversations whose device does not come back are dropped, as no kernel is running any more; the first of them is
    /// [`Drained::cut_off`]. A kernel that trapped or was stopped, or lanes that left when another one called exit, leave such
    /// behind, and nothing is wrong with that. After a kernel that has come to its own end it is a [`Fault`]: the client sends
    /// less than the call consists of, and its next call on that port, if there was one, was taken for the rest. Where that one
    /// happened to make the call complete nothing tells it from a client that is right.
    pub fn drain(&self) -> Drained {
        self.drain_for(Duration::MAX)
    }

    /// The same with a bound: after `patience` whatever is still under way is dropped too, be it a handler that waits
    /// for a terminal or a device that calls on and on; output that nobody has taken by then stays on its way.
    pub fn drain_for(&self, patience: Duration) -> Drained {
        let start = Instant::now();
        let mut done = false;
        let kernels = self.kernels_in_flight();
        while !done && start.elapsed() < patience {
            if self.kernels_in_flight() > kernels {
                // What is under way may be its calls.
                return Drained {
                    in_time: false,
                    cut_off: None,
                };
            }
            if self.poll() + self.poll_express(0, 1, true) > 0 {
                continue;
            }
            done = self.shared.is_settled();
            if !done {
                std::thread::sleep(Duration::from_micros(100));
            }
        }
        let left = self.shared.forget_conversations();
        let finished = self
            .shared
            .host
            .finish(patience.saturating_sub(start.elapsed()).max(LAST_WORDS));
        let is_late = finished.is_err_and(|error| error.kind() == io::ErrorKind::TimedOut);
        Drained {
            in_time: done && !is_late,
            // What was dropped early might have gone on.
            cut_off: left.filter(|_| done),
        }
    }

    /// Forget all conversations and zero the region, for a device that starts anew. No kernel may be running.
    pub fn reset(&self) {
        self.shared.forget_conversations();
        self.shared.proto.memory().zero();
        if let Some(express) = self.shared.express.get() {
            express.reset();
        }
    }

    fn poll_express(&self, thread: usize, threads: usize, thorough: bool) -> usize {
        match self.shared.express.get() {
            Some(express) => express.poll(&self.shared, thread, threads, thorough),
            None => 0,
        }
    }

    /// Whether the device has asked for something that nobody answers.
    pub fn met_unknown_opcode(&self) -> bool {
        self.shared.unknown_opcode.load(Ordering::Relaxed)
    }

    pub(crate) fn doorbell(&self) -> &Doorbell {
        &self.shared.doorbell
    }
}

impl Shared {
    /// Whether all that is left waits for its device. Only true for sure while no device makes calls.
    fn is_settled(&self) -> bool {
        // Another thread may have let go of a slot, with more to be taken there, since this one came by.
        let mut is_pending = false;
        self.proto.memory().pending(|_| is_pending = true);
        if is_pending {
            return false;
        }
        // A slot that another thread holds may be about to park. Those come first: once let go, it counts as parked.
        let held = |slot: &Slot| matches!(slot.conversation.try_lock(), Err(TryLockError::WouldBlock));
        !self.slots.iter().any(held) && self.parked.load(Ordering::Acquire) == 0 && lock(&self.woken).is_empty()
    }

    /// Drops all conversations; the first of them, as the fault that it may be.
    fn forget_conversations(&self) -> Option<Fault> {
        let mut first = None;
        for (port, slot) in self.slots.iter().enumerate() {
            let underway = lock(&slot.conversation).take();
            if slot.parked.swap(false, Ordering::AcqRel) {
                self.parked.fetch_sub(1, Ordering::AcqRel);
            }
            if let Some(Underway { opcode, .. }) = underway {
                first.get_or_insert(Fault {
                    port: Some(port as u32),
                    opcode: Some(opcode),
                    kind: FaultKind::CutOff,
                });
            }
        }
        first
    }

    /// Move the port's conversation on, or begin one. Whether anything was done.
    fn advance(self: &Arc<Self>, port: u32) -> bool {
        let slot = &self.slots[port as usize];
        let mut moved = false;
        loop {
            if slot.parked.load(Ordering::Acquire) && !slot.woken.load(Ordering::Acquire) {
                return moved;
            }
            // Whoever holds the slot sees `woken` when done.
            let Ok(mut conversation) = slot.conversation.try_lock() else {
                return moved;
            };
            slot.woken.store(false, Ordering::Release);
            if conversation.is_none() {
                match self.begin(port) {
                    Begun::Conversation(begun) => *conversation = Some(begun),
                    Begun::Answered => return true,
                    Begun::Nothing => return moved,
                }
            }
            self.poll_slot(port, slot, &mut conversation);
            moved = true;
            drop(conversation);
            if !slot.woken.load(Ordering::Acquire) {
                return moved;
            }
        }
    }

    fn begin(self: &Arc<Self>, port: u32) -> Begun {
        let Some(turn) = self.proto.try_open(port) else {
            return Begun::Nothing;
        };
        if turn.mask_is_sound()
            && let Some(answer) = self.registry.call(turn.opcode())
        {
            self.answer_at_once(turn, answer);
            return Begun::Answered;
        }
        let (opcode, sound, claimed) = (turn.opcode(), turn.mask_is_sound(), turn.claimed_mask());
        let port = Port::new(self.clone(), turn);
        if !sound {
            port.fault(FaultKind::BadMask(claimed));
        }
        let conversation = match self.registry.get(opcode) {
            Some(handler) => handler(port),
            None => {
                self.unknown_opcode.store(true, Ordering::Relaxed);
                port.fault(FaultKind::UnknownOpcode);
                Box::pin(answer_with_zeros(port))
            }
        };
        Begun::Conversation(Underway { opcode, conversation })
    }

    /// A call whose answer takes no conversation: one packet each way.
    fn answer_at_once(&self, mut turn: Turn, answer: &CallHandler) {
        let (port, opcode) = (turn.port(), turn.opcode());
        let answered = catch_unwind(AssertUnwindSafe(|| {
            // The device has sent, as the port could be opened.
            let _ = turn.recv_and_send(&self.proto, |lane, packet| packet.answer(|buffer| answer(lane, buffer)));
        }));
        turn.close(&self.proto);
        if answered.is_err() {
            self.report(Fault {
                port: Some(port),
                opcode: Some(opcode),
                kind: FaultKind::HandlerPanicked,
            });
        }
    }

    fn poll_slot(self: &Arc<Self>, port: u32, slot: &Slot, underway: &mut Option<Underway>) {
        let Some(Underway { opcode, conversation }) = underway else {
            return;
        };
        let waker = slot.waker.get_or_init(|| {
            Waker::from(Arc::new(PortWaker {
                shared: Arc::downgrade(self),
                port,
            }))
        });
        WAITS_FOR_DEVICE.set(false);
        PACKETS_LEFT.set(PACKETS_AT_ONCE);
        let polled = catch_unwind(AssertUnwindSafe(|| {
            conversation.as_mut().poll(&mut Context::from_waker(waker))
        }));
        let parked = matches!(polled, Ok(Poll::Pending)) && !WAITS_FOR_DEVICE.get();
        match (slot.parked.swap(parked, Ordering::AcqRel), parked) {
            (false, true) => _ = self.parked.fetch_add(1, Ordering::AcqRel),
            (true, false) => _ = self.parked.fetch_sub(1, Ordering::AcqRel),
            _ => (),
        }
        if polled.is_err() {
            self.report(Fault {
                port: Some(port),
                opcode: Some(*opcode),
                kind: FaultKind::HandlerPanicked,
            });
        }
        if !matches!(polled, Ok(Poll::Pending)) {
            *underway = None;
        }
    }

    /// Answer an express message with its handler, or with zeros. `false`: it has to be served later.
    ///
    /// `last` is the handler found for the message before: mostly it is the same. `now` lets no handler put it off.
    pub(crate) fn answer_express(
        &self,
        last: &mut Option<(Opcode, ExpressHandler)>,
        message: &mut Message,
        now: bool,
    ) -> bool {
        if last.as_ref().is_none_or(|(opcode, _)| *opcode != message.opcode) {
            let handler = self.registry.express(message.opcode);
            *last = handler.map(|handler| (message.opcode, handler.clone()));
        }
        let handler = last.as_ref().map(|(_, handler)| handler);
        let context = ExpressContext {
            shared: self,
            opcode: message.opcode,
            now,
            put_off: Cell::new(false),
        };
        let answered = handler.map(|answer| catch_unwind(AssertUnwindSafe(|| answer(&context, message))));
        let kind = match answered {
            Some(Ok(())) => return !context.put_off.get(),
            Some(Err(_)) => FaultKind::HandlerPanicked,
            None => {
                self.unknown_opcode.store(true, Ordering::Relaxed);
                FaultKind::UnknownOpcode
            }
        };
        message.map(|_, _| 0);
        self.report(Fault {
            port: None,
            opcode: Some(message.opcode),
            kind,
        });
        true
    }

    pub(crate) fn report(&self, fault: Fault) {
        let limit = if fault.kind == FaultKind::UnknownOpcode {
            1
        } else {
            REPORTS_OF_A_KIND
        };
        let mut reported = lock(&self.reported);
        let times = reported
            .entry((fault.opcode, std::mem::discriminant(&fault.kind)))
            .or_default();
        *times = times.saturating_add(1);
        if *times <= limit {
            self.host.fault(&fault);
        }
    }
}

/// What an express handler may touch.
pub struct ExpressContext<'s> {
    shared: &'s Shared,
    opcode: Opcode,
    now: bool,
    put_off: Cell<bool>,
}

impl ExpressContext<'_> {
    /// What handlers may touch of the outside world.
    pub fn host(&self) -> &Arc<dyn Host> {
        &self.shared.host
    }

    /// What [`Registry::limit_streams`] allows.
    pub(crate) fn stream_limit(&self) -> u64 {
        self.shared.registry.stream_limit()
    }

    /// Leave the message where it is, to be served later, as serving it now would block. The handler returns at once and
    /// will be called again. `false` when there is no later, as the kernel has ended: then it may block.
    pub fn put_off(&self) -> bool {
        self.put_off.set(!self.now);
        !self.now
    }

    /// Report that the device did something wrong in this message.
    pub fn fault(&self, kind: FaultKind) {
        self.shared.report(Fault {
            port: None,
            opcode: Some(self.opcode),
            kind,
        });
    }
}

/// One exchange of an unknown call. The next one, if the device has more, begins another of these.
async fn answer_with_zeros(mut port: Port) {
    port.recv(|_, _| ()).await;
    port.send(|_| Default::default()).await;
}

/// Wakes the conversation of one port.
struct PortWaker {
    shared: Weak<Shared>,
    port: u32,
}

impl Wake for PortWaker {
    fn wake(self: Arc<Self>) {
        self.wake_by_ref();
    }

    fn wake_by_ref(self: &Arc<Self>) {
        if let Some(shared) = self.shared.upgrade() {
            shared.slots[self.port as usize].woken.store(true, Ordering::Release);
            lock(&shared.woken).push(self.port);
            shared.any_woken.store(true, Ordering::Release);
            shared.doorbell.ring();
        }
    }
}
