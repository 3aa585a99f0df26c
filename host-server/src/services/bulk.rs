//! Large transfers: the device says where the bytes are, or shall be, and the host moves them.

use std::io;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

use rpc_proto::{Opcode, bulk, express::Message};

use super::context::{self, Services, Target, recv_words};
use super::errno::{error, result};
use super::files::bounded;
use super::on;
use crate::bulk::{AT_ONCE, BY_PORT, DeviceMemory, Fetch, Parts as _, Permit, store_parts};
use crate::files::{Source, Stream};
use crate::lock::{lock, try_lock};
use crate::{ExpressContext, Host, PerLane, Port, Registry};

pub(super) fn register(registry: &mut Registry, services: &Arc<Services>) {
    on(registry, services, Opcode::BULK_WRITE, write);
    on(registry, services, Opcode::BULK_READ, read);
    let of = services.clone();
    registry.on_express(Opcode::BULK_WRITE, move |context, message| {
        answer_now(message, |requests| write_now(&of, context, requests));
    });
    let of = services.clone();
    registry.on_express(Opcode::BULK_READ, move |context, message| {
        answer_now(message, |requests| read_now(&of, context, requests));
    });
}

/// What a lane asks for.
#[derive(Clone, Copy)]
struct Asked {
    lane: u32,
    /// Of the stream.
    number: u64,
    address: u64,
    size: u64,
}

impl Asked {
    /// Lanes whose bytes lie one behind the other are one transfer of up to `limit` bytes: their bytes would be written in this
    /// order anyway. What the first of `lanes` begins, and how many lanes it takes.
    fn join(lanes: &[Asked], limit: u64) -> (Asked, usize) {
        let mut joined = lanes[0];
        let mut count = 1;
        for next in &lanes[1..] {
            match (
                joined.address.checked_add(joined.size),
                joined.size.checked_add(next.size),
            ) {
                (Some(end), Some(both)) if next.number == joined.number && next.address == end && both <= limit => {
                    joined.size = both;
                    count += 1;
                }
                _ => break,
            }
        }
        (joined, count)
    }

    /// What each of `lanes` is told of what they have done together.
    fn shares(lanes: &[Asked], outcome: &io::Result<u64>) -> impl Iterator<Item = u64> {
        let mut left = outcome.as_ref().map_or(0, |&done| done);
        lanes.iter().map(move |asked| match outcome {
            Ok(_) => {
                let own = left.min(asked.size);
                left -= own;
                own
            }
            Err(error) => result(Err(io::Error::from_raw_os_error(
                error.raw_os_error().unwrap_or(libc::EIO),
            ))),
        })
    }
}

/// A request whose claims were checked.
struct Request {
    memory: Arc<dyn DeviceMemory>,
    address: u64,
    size: usize,
    target: Target,
}

/// The memory that a lane asks for, if it is the program's. Not a fault: a device may ask whether the host reaches what only
/// the device knows.
fn memory_of(host: &dyn Host, asked: Asked) -> io::Result<Arc<dyn DeviceMemory>> {
    let memory = host.device_memory();
    let memory = memory.filter(|memory| memory.owns(asked.address, asked.size));
    memory.ok_or_else(|| error(libc::EFAULT))
}

/// How long a transfer waits for the right to copy: a call of the driver that waits for no kernel is over by then.
const PERMIT_PATIENCE: Duration = Duration::from_millis(20);

/// The right to copy, if it is to be had at once.
fn permit_now(services: &Services, memory: &dyn DeviceMemory) -> Option<Permit> {
    let permit = memory.permit()?;
    services.bulk_is_closed.store(false, Ordering::Relaxed);
    Some(permit)
}

/// A transfer's wait for the right to copy. One that has waited in vain tells the others, which then do not.
struct Asking<'s> {
    services: &'s Services,
    start: Instant,
}

impl<'s> Asking<'s> {
    fn begin(services: &'s Services) -> Self {
        Self {
            services,
            start: Instant::now(),
        }
    }

    /// Asks once more; `None` as long as it is worth it. In the end the device is told that the memory cannot be reached.
    fn ask(&self, memory: &dyn DeviceMemory) -> Option<io::Result<Permit>> {
        if let Some(permit) = permit_now(self.services, memory) {
            return Some(Ok(permit));
        }
        let closed = &self.services.bulk_is_closed;
        if !closed.load(Ordering::Relaxed) && self.start.elapsed() < PERMIT_PATIENCE {
            return None;
        }
        closed.store(true, Ordering::Relaxed);
        Some(Err(error(libc::EFAULT)))
    }

    /// Waits on a thread that may.
    fn wait(&self, memory: &dyn DeviceMemory) -> io::Result<Permit> {
        loop {
            if let Some(answer) = self.ask(memory) {
                return answer;
            }
            std::thread::sleep(Duration::from_micros(100));
        }
    }
}

impl Request {
    /// Checks what a lane asks for: the size is bounded, the memory the program's, the stream open.
    fn check(services: &Services, port: &Port, asked: Asked) -> io::Result<Request> {
        let size = bounded(port, asked.lane, asked.size).ok_or_else(|| error(libc::EMSGSIZE))?;
        Ok(Request {
            memory: memory_of(&*port.host(), asked)?,
            address: asked.address,
            size,
            target: services
                .target_of(port, asked.lane, asked.number)
                .ok_or_else(|| error(libc::EBADF))?,
        })
    }

    /// The same by express, and `work`, which `None` puts off until it is asked for by port; so does a fault that is to be told.
    fn now(
        services: &Services,
        context: &ExpressContext<'_>,
        asked: Asked,
        work: impl FnOnce(Request) -> Option<io::Result<u64>>,
    ) -> Option<io::Result<u64>> {
        let size = usize::try_from(asked.size).ok()?;
        if asked.size > context.stream_limit() {
            return None;
        }
        let memory = match memory_of(&**context.host(), asked) {
            Ok(memory) => memory,
            Err(error) => return Some(Err(error)),
        };
        work(Request {
            memory,
            address: asked.address,
            size,
            target: services.target(context.host(), asked.number).ok()?,
        })
    }
}

/// Answers an express message lane by lane, up to the first that has to be asked for by port: those behind it would come before
/// it. `work` makes the answers up to there, in the order of the lanes.
fn answer_now(message: &mut Message, work: impl FnOnce(&[Asked]) -> Vec<u64>) {
    let mut answers = Vec::new();
    // A device that sends other than three words is told to use a port, as there it is told of anything else.
    if message.rows == 3 {
        let lanes = message.lanes().map(|lane| Asked {
            lane,
            number: message.word(lane, 0),
            address: message.word(lane, 1),
            size: message.word(lane, 2),
        });
        let requests: Vec<_> = lanes.collect();
        let size = requests
            .iter()
            .fold(0u64, |size, asked| size.saturating_add(asked.size));
        if size <= bulk::AT_ONCE {
            answers = work(&requests);
        }
    }
    let mut answers = answers.into_iter();
    for lane in message.lanes() {
        message.set_word(lane, 0, answers.next().unwrap_or(BY_PORT));
    }
}

/// Transfers that one express message may ask for: each keeps the others of its chunk waiting.
const TRANSFERS: usize = 4;

fn write_now(services: &Services, context: &ExpressContext<'_>, requests: &[Asked]) -> Vec<u64> {
    let mut answers = Vec::new();
    let mut rest = requests;
    for _ in 0..TRANSFERS {
        if rest.is_empty() {
            break;
        }
        let (joined, count) = Asked::join(rest, context.stream_limit());
        let (lanes, others) = rest.split_at(count);
        let write = |request: Request| request.write_at_once(services, &**context.host());
        let Some(outcome) = Request::now(services, context, joined, write) else {
            break;
        };
        answers.extend(Asked::shares(lanes, &outcome));
        rest = others;
    }
    answers
}

fn read_now(services: &Services, context: &ExpressContext<'_>, requests: &[Asked]) -> Vec<u64> {
    let read = |&asked: &Asked| Request::now(services, context, asked, |request| request.read_at_once(services));
    requests.iter().take(TRANSFERS).map_while(read).map(result).collect()
}

async fn write(services: Arc<Services>, mut port: Port) {
    let requests = requests(&mut port).await;
    let mut results = PerLane::new(port.mask(), 0);
    let mut rest = &requests[..];
    while !rest.is_empty() {
        let (joined, count) = Asked::join(rest, port.stream_limit());
        let (lanes, others) = rest.split_at(count);
        let outcome = match Request::check(&services, &port, joined) {
            Ok(request) => write_one(&services, &port, request).await,
            Err(error) => Err(error),
        };
        for (asked, share) in lanes.iter().zip(Asked::shares(lanes, &outcome)) {
            results[asked.lane] = share;
        }
        rest = others;
    }
    port.send_word(|lane| results[lane]).await;
}

/// What each lane asks for.
async fn requests(port: &mut Port) -> Vec<Asked> {
    let words = recv_words(port).await;
    let asked = |lane| {
        let [number, address, size, ..] = words[lane];
        Asked {
            lane,
            number,
            address,
            size,
        }
    };
    port.lanes().map(asked).collect()
}

impl Request {
    /// Writes the bytes if that is sure to be quick; how many of them.
    fn write_at_once(&self, services: &Services, host: &dyn Host) -> Option<io::Result<u64>> {
        match &self.target {
            Target::File(file) => {
                let mut stream = (self.size <= context::AT_ONCE && file.is_quick()).then(|| file.try_lock())??;
                let permit = permit_now(services, &*self.memory)?;
                Some(self.write_to(&mut stream, permit))
            }
            &Target::Output(stream) => {
                // Not while a larger transfer goes to the same stream, however fast its reader is.
                let turn = services.large_output(stream);
                let _turn = (self.size <= AT_ONCE).then(|| try_lock(turn))??;
                if host.is_full(stream) {
                    return None;
                }
                let permit = permit_now(services, &*self.memory)?;
                let written = Fetch::start(self.memory.clone(), self.address, self.size)
                    .and_then(|parts| host.write_parts(stream, &mut parts.holding(permit)));
                Some(self.written(services, stream, written))
            }
        }
    }

    /// Writes the bytes to a file, as it takes them.
    fn write_to(&self, stream: &mut Stream<Source>, permit: Permit) -> io::Result<u64> {
        let mut parts = Fetch::start(self.memory.clone(), self.address, self.size)?.holding(permit);
        let mut written = 0;
        while let Some(part) = parts.next()? {
            let (count, outcome) = stream.write_through(part);
            written += count as u64;
            match outcome {
                Err(error) if written == 0 => return Err(error),
                Err(_) => break,
                Ok(()) => (),
            }
        }
        Ok(written)
    }

    /// What came of writing to a standard stream, which remembers a failure.
    fn written(&self, services: &Services, stream: crate::Stream, outcome: io::Result<()>) -> io::Result<u64> {
        outcome
            .map(|()| self.size as u64)
            .inspect_err(|_| services.set_output_failed(stream, true))
    }

    /// Reads if that is sure to be quick.
    fn read_at_once(&self, services: &Services) -> Option<io::Result<u64>> {
        let Target::File(file) = &self.target else {
            return Some(Err(error(libc::EBADF)));
        };
        let may_be_quick = self.size <= context::AT_ONCE && (file.is_quick() || file.may_block());
        let mut stream = may_be_quick.then(|| file.try_lock())??;
        // One read, which is sure to return.
        if !file.is_quick() && !stream.beneath().is_ready() {
            return None;
        }
        let _permit = permit_now(services, &*self.memory)?;
        stream.clear();
        Some(self.read_from(&mut stream, file.may_block()))
    }

    /// Reads, however long that takes.
    fn read_patiently(&self, services: &Services, stream: &mut Stream<Source>, waits: bool) -> io::Result<u64> {
        stream.clear();
        if waits {
            // Whoever waits for input needs no right to copy.
            stream.look_ahead(self.size)?;
        }
        let _permit = Asking::begin(services).wait(&*self.memory)?;
        self.read_from(stream, waits)
    }

    /// Reads as FS_READ does: what is there counts, an error only where nothing is. The caller has cleared the stream, as a file may
    /// have grown since its end was met.
    fn read_from(&self, stream: &mut Stream<Source>, waits: bool) -> io::Result<u64> {
        let mut is_first = true;
        let (read, outcome) = store_parts(&*self.memory, self.address, self.size, |part| {
            if !waits {
                return stream.read_into(part);
            }
            // What is there counts; more is read while it is sure to be there too.
            if !std::mem::take(&mut is_first) && !stream.beneath().is_ready() {
                return (0, Ok(()));
            }
            match stream.read_some_into(part) {
                Ok(count) => (count, Ok(())),
                Err(error) => (0, Err(error)),
            }
        })?;
        match outcome {
            Err(error) if read == 0 => Err(error),
            _ => Ok(read as u64),
        }
    }
}

/// Writes a request's bytes, however long that takes; how many of them.
async fn write_one(services: &Arc<Services>, port: &Port, request: Request) -> io::Result<u64> {
    let host = port.host();
    if let Some(outcome) = request.write_at_once(services, &*host) {
        return outcome;
    }
    match request.target.clone() {
        Target::File(file) => {
            let all = services.clone();
            let job = move || {
                let mut stream = file.lock();
                let permit = Asking::begin(&all).wait(&*request.memory)?;
                request.write_to(&mut stream, permit)
            };
            services.workers.run(job).await.flatten()
        }
        Target::Output(stream) => {
            let (memory, address, size) = (request.memory.clone(), request.address, request.size);
            let (begun, permit) = begin(services, port, &memory, address, size).await?;
            let all = services.clone();
            let job = move || {
                let parts = match begun {
                    Some(begun) => begun,
                    None => Fetch::start_in_ordinary(memory, address, size)?,
                };
                let _turn = lock(all.large_output(stream));
                host.write_parts(stream, &mut parts.holding(permit))
            };
            let outcome = services.workers.run(job).await.flatten();
            request.written(services, stream, outcome)
        }
    }
}

/// Fetches the first part, with no thread that would have to be woken to start a copy: of many transfers at once each next one
/// is started as soon as a buffer is free, and the copy engine never pauses. `None` if none was free for long. With it comes the
/// right to copy.
async fn begin(
    services: &Services,
    port: &Port,
    memory: &Arc<dyn DeviceMemory>,
    address: u64,
    size: usize,
) -> io::Result<(Option<Fetch>, Permit)> {
    const PATIENCE: Duration = Duration::from_millis(20);
    let start = Instant::now();
    let (asking, mut permit) = (Asking::begin(services), None);
    port.look_until(|| {
        permit = asking.ask(&**memory);
        permit.is_some()
    })
    .await;
    let permit = permit.unwrap_or_else(|| Err(error(libc::EFAULT)))?;
    let mut begun = None;
    port.look_until(|| {
        begun = Fetch::try_start(memory, address, size).transpose();
        begun.is_some() || start.elapsed() > PATIENCE
    })
    .await;
    let Some(mut fetch) = begun.transpose()? else {
        return Ok((None, permit));
    };
    let mut outcome = Ok(());
    port.look_until(|| match fetch.has_come() {
        Ok(has_come) => has_come,
        Err(error) => {
            outcome = Err(error);
            true
        }
    })
    .await;
    outcome.map(|()| (Some(fetch), permit))
}

async fn read(services: Arc<Services>, mut port: Port) {
    let requests = requests(&mut port).await;
    let mut results = PerLane::new(port.mask(), 0);
    for asked in requests {
        let outcome = match Request::check(&services, &port, asked) {
            Ok(request) => read_one(&services, request).await,
            Err(error) => Err(error),
        };
        results[asked.lane] = result(outcome);
    }
    port.send_word(|lane| results[lane]).await;
}

async fn read_one(services: &Arc<Services>, request: Request) -> io::Result<u64> {
    if let Some(outcome) = request.read_at_once(services) {
        return outcome;
    }
    let Target::File(file) = request.target.clone() else {
        return Err(error(libc::EBADF));
    };
    let all = services.clone();
    let job = move || request.read_patiently(&all, &mut file.lock(), file.may_block());
    services.workers.run(job).await.flatten()
}
