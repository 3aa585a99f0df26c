//! Attaching and detaching images, on a device that is host memory and whose kernels are threads.

use std::alloc::{Layout as Allocation, alloc_zeroed, dealloc};
use std::collections::HashMap;
use std::convert::Infallible;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, mpsc};
use std::time::{Duration, Instant};

use host_server::offload::{
    Attachment, CLIENT, Cause, EXTENSION_CLIENT, Error, Global, Growth, LoadedImage, Serve, Settings, SharedMemory,
    makes_calls,
};
use host_server::{Exit, Host, Idle, Opcode, RecordingHost, Registry, Stream, services};
use rpc_proto::ext::ExtClient;
use rpc_proto::raw::{CpuEdges, RawMemory};
use rpc_proto::{Client, ClientObject, OneLane};

/// Longer than anything here takes, however busy the machine.
const LONG: Duration = Duration::from_secs(20);
const PAGE: usize = 4096;

type FakeClient = Client<RawMemory<CpuEdges>, OneLane>;

/// An image on a device that counts what it gives away.
#[derive(Default)]
struct FakeImage {
    globals: HashMap<&'static str, (Allocated, usize)>,
    live: Mutex<HashMap<u64, Allocation>>,
    /// Every allocation after so many fails.
    most: Option<usize>,
    given: AtomicUsize,
    /// What the device's allocator does while a kernel runs.
    during_kernel: DuringKernel,
    gate: Mutex<()>,
}

/// The address of memory of a test.
struct Allocated(u64);

#[derive(Default, PartialEq)]
enum DuringKernel {
    #[default]
    Gives,
    Refuses,
    /// Waits for the gate, as a driver does that synchronises with kernels.
    Waits,
}

fn page(bytes: usize) -> Allocation {
    Allocation::from_size_align(bytes.max(1), PAGE).unwrap()
}

/// Memory of a device that nobody frees; what remembers it here is no leak to those who look for leaks.
fn keep(bytes: usize) -> u64 {
    static KEPT: Mutex<Vec<Vec<u64>>> = Mutex::new(Vec::new());
    let memory = vec![0u64; bytes.div_ceil(8)];
    let address = memory.as_ptr() as u64;
    KEPT.lock().unwrap().push(memory);
    address
}

impl FakeImage {
    fn with(globals: &[(&'static str, usize)]) -> Self {
        let globals = globals.iter().map(|&(name, bytes)| {
            let address = keep(bytes);
            (name, (Allocated(address), bytes))
        });
        Self {
            globals: globals.collect(),
            ..Self::default()
        }
    }

    /// One that makes calls.
    fn calling() -> Self {
        Self::with(&[(CLIENT, size_of::<ClientObject>())])
    }

    fn allocate(&self, bytes: usize) -> Result<u64, Cause> {
        if self
            .most
            .is_some_and(|most| self.given.fetch_add(1, Ordering::Relaxed) >= most)
        {
            return Err("out of memory".into());
        }
        // SAFETY: the size is not 0.
        let address = unsafe { alloc_zeroed(page(bytes)) } as u64;
        self.live.lock().unwrap().insert(address, page(bytes));
        Ok(address)
    }

    fn free(&self, address: u64) -> Result<(), Cause> {
        let allocation = self.live.lock().unwrap().remove(&address);
        let allocation = allocation.expect("freed what was not allocated");
        // SAFETY: allocated above with this layout, and just taken out of the table.
        unsafe { dealloc(address as *mut u8, allocation) };
        Ok(())
    }

    fn live(&self) -> usize {
        self.live.lock().unwrap().len()
    }

    /// The device's side, as a kernel of this image finds it.
    fn client(&self) -> FakeClient {
        // SAFETY: the variable was filled when the image was attached; tests end their kernels before they detach.
        let memory = unsafe { RawMemory::from_object(self.globals[CLIENT].0.0 as *mut _, 1) };
        Client::new(memory, OneLane { home: 0 })
    }
}

// SAFETY: all memory is from the allocator, with the size asked for and a page's alignment.
unsafe impl LoadedImage for FakeImage {
    fn lane_size(&self) -> u32 {
        1
    }
    fn ports(&self) -> u32 {
        4
    }
    fn global(&self, name: &str) -> Result<Option<Global>, Cause> {
        let global = self.globals.get(name);
        Ok(global.map(|(address, bytes)| Global {
            address: address.0,
            bytes: *bytes,
        }))
    }
    fn write(&self, address: u64, bytes: &[u8]) -> Result<(), Cause> {
        // SAFETY: an address of this image, within its bounds.
        unsafe { std::ptr::copy_nonoverlapping(bytes.as_ptr(), address as *mut u8, bytes.len()) };
        Ok(())
    }
    fn alloc_shared(&self, bytes: usize) -> Result<SharedMemory, Cause> {
        let device = self.allocate(bytes)?;
        Ok(SharedMemory {
            host: device as *mut u8,
            device,
            bytes,
        })
    }
    unsafe fn free_shared(&self, memory: SharedMemory) -> Result<(), Cause> {
        self.free(memory.device)
    }
    fn alloc_device(&self, bytes: usize) -> Result<u64, Cause> {
        self.allocate(bytes)
    }
    fn alloc_during_kernel(&self, bytes: usize) -> Result<u64, Cause> {
        match self.during_kernel {
            DuringKernel::Gives => (),
            DuringKernel::Refuses => return Err("no memory pools".into()),
            DuringKernel::Waits => drop(self.gate.lock().unwrap()),
        }
        self.allocate(bytes)
    }
    unsafe fn free_device(&self, address: u64) -> Result<(), Cause> {
        self.free(address)
    }
}

/// A host that records, and settings with it. Two threads serve, which sleep between two looks.
fn settings() -> (Arc<RecordingHost>, Settings) {
    let host = Arc::new(RecordingHost::default());
    let settings = Settings {
        express_slots: 8,
        exclusive: false,
        heap_bytes: 0,
        growth: Growth::Never,
        serve: Serve::Threads {
            count: 2,
            idle: Idle::Sleep(Duration::from_micros(50)),
        },
        host: host.clone(),
        registry: services::standard(),
    };
    (host, settings)
}

fn attach(image: &Arc<FakeImage>, settings: Settings) -> Attachment {
    Attachment::attach(image.clone(), settings).unwrap().unwrap()
}

fn print(client: &FakeClient, text: &str) {
    let mut port = client.open(Opcode::WRITE_TO_STDOUT);
    port.send_n(text.as_bytes());
    port.recv(|_| ());
}

fn increment(client: &FakeClient, value: u64) -> u64 {
    client
        .open(Opcode::TEST_INCREMENT)
        .send_and_recv(|packet| packet.set(0, value), |packet| packet.get(0))
}

fn malloc(client: &FakeClient, bytes: u64) -> u64 {
    client
        .open(Opcode::MALLOC)
        .send_and_recv(|packet| packet.set(0, bytes), |packet| packet.get(0))
}

/// Runs a kernel on a thread of its own, from its announcement to its end.
fn run<T: Send>(image: &FakeImage, attachment: &Attachment, kernel: impl FnOnce(&FakeClient) -> T + Send) -> T {
    let running = attachment.kernel();
    let result = std::thread::scope(|scope| scope.spawn(|| kernel(&image.client())).join().unwrap());
    running.end();
    result
}

#[test]
fn an_image_without_calls_costs_nothing() {
    let image = Arc::new(FakeImage::with(&[("other", 8)]));
    assert!(!makes_calls(&*image).unwrap());
    assert!(Attachment::attach(image.clone(), settings().1).unwrap().is_none());
    assert_eq!((image.live(), Arc::strong_count(&image)), (0, 1));
}

#[test]
fn calls_are_served_from_attaching_to_detaching_and_all_memory_comes_back() {
    let image = Arc::new(FakeImage::with(&[
        (CLIENT, size_of::<ClientObject>()),
        (EXTENSION_CLIENT, size_of::<ExtClient>()),
    ]));
    for round in 0..3 {
        let (host, mut settings) = settings();
        settings.heap_bytes = 1 << 16;
        let attachment = attach(&image, settings);
        assert!(image.live() > 2, "{}", image.live());
        let answers = run(&image, &attachment, |client| {
            print(client, "hello");
            [increment(client, 1), increment(client, u64::MAX)]
        });
        assert_eq!(answers, [2, 0]);
        assert_eq!(host.seen().stdout, b"hello", "round {round}");
        assert!(attachment.detach(Duration::ZERO).is_ok());
        assert_eq!((image.live(), Arc::strong_count(&image)), (0, 1));
    }
}

#[test]
fn whoever_waits_can_serve_alone() {
    let image = Arc::new(FakeImage::calling());
    let (host, mut settings) = settings();
    settings.serve = Serve::Waiting;
    let attachment = attach(&image, settings);
    let running = attachment.kernel();
    let (done, ended) = mpsc::channel();
    let client = image.client();
    let kernel = std::thread::spawn(move || {
        print(&client, &"x".repeat(10_000));
        done.send(()).unwrap();
    });
    let on_time = attachment.serve_until(LONG, |timeout| Ok::<_, Infallible>(ended.recv_timeout(timeout).is_ok()));
    assert_eq!(on_time, Ok(true));
    running.end();
    kernel.join().unwrap();
    assert_eq!(host.seen().stdout.len(), 10_000);
    let never = attachment.serve_until(Duration::from_millis(5), |_| Ok::<_, Infallible>(false));
    assert_eq!(never, Ok(false));
    let failed = attachment.serve_until(LONG, |_| Err("device lost"));
    assert_eq!(failed, Err("device lost"));
}

#[test]
fn what_fails_half_way_leaves_nothing_behind() {
    let all = || {
        FakeImage::with(&[
            (CLIENT, size_of::<ClientObject>()),
            (EXTENSION_CLIENT, size_of::<ExtClient>()),
        ])
    };
    for most in 0..5 {
        let image = Arc::new(FakeImage {
            most: Some(most),
            ..all()
        });
        let (_, mut settings) = settings();
        settings.heap_bytes = 4096;
        match Attachment::attach(image.clone(), settings) {
            Err(Error::Device(cause)) => assert_eq!(cause.to_string(), "out of memory"),
            other => panic!("attached with {most} allocations: {:?}", other.map(|_| ())),
        }
        assert_eq!((image.live(), Arc::strong_count(&image)), (0, 1));
    }
    let small = Arc::new(FakeImage::with(&[(CLIENT, 8)]));
    let error = Attachment::attach(small.clone(), settings().1).err().unwrap();
    assert!(matches!(error, Error::Image(_)) && error.to_string().contains("8 bytes instead of 552"));
    assert_eq!(small.live(), 0);
}

#[test]
fn the_wish_to_end_is_kept_and_passed_on() {
    let image = Arc::new(FakeImage::calling());
    let (host, settings) = settings();
    let attachment = attach(&image, settings);
    assert_eq!(attachment.wish(), None);
    run(&image, &attachment, |client| {
        let mut port = client.open(Opcode::EXIT);
        port.send_and_recv(|_| (), |_| ());
        port.send(|packet| packet.set(0, 7));
    });
    assert_eq!(attachment.wish(), Some(Exit::Status(7)));
    assert_eq!(host.seen().exit, Some(Exit::Status(7)));
}

#[test]
fn malloc_grows_beyond_what_was_reserved() {
    let image = Arc::new(FakeImage::calling());
    for patience in [LONG, Duration::MAX] {
        let (_, mut settings) = settings();
        settings.heap_bytes = 1 << 16;
        settings.growth = Growth::Within(patience);
        let attachment = attach(&image, settings);
        let addresses = run(&image, &attachment, |client| {
            [
                malloc(client, 1 << 12),
                malloc(client, 8 << 20),
                malloc(client, 1 << 20),
            ]
        });
        assert!(addresses.iter().all(|&address| address != 0), "{addresses:x?}");
        assert_eq!(addresses[1] % (2 << 20), 0);
        // The second request's room was enough for the third.
        assert_eq!(image.live(), 3);
        drop(attachment);
        assert_eq!(image.live(), 0);
    }
}

#[test]
fn malloc_is_null_where_the_device_gives_nothing() {
    let image = Arc::new(FakeImage {
        during_kernel: DuringKernel::Refuses,
        ..FakeImage::calling()
    });
    for growth in [Growth::Never, Growth::Within(LONG)] {
        let (_, mut settings) = settings();
        settings.heap_bytes = 1 << 16;
        settings.growth = growth;
        let attachment = attach(&image, settings);
        let start = Instant::now();
        for size in [1 << 20, u64::MAX, 1 << 63] {
            assert_eq!(run(&image, &attachment, |client| malloc(client, size)), 0);
        }
        assert!(start.elapsed() < LONG / 2);
    }
}

/// Seed 3's question: the driver waits for the kernel that waits for the memory.
#[test]
fn a_driver_that_waits_for_the_kernel_does_not_deadlock_malloc() {
    let image = Arc::new(FakeImage {
        during_kernel: DuringKernel::Waits,
        ..FakeImage::calling()
    });
    let (host, mut settings) = settings();
    settings.heap_bytes = 1 << 12;
    settings.growth = Growth::Within(Duration::from_millis(100));
    let attachment = attach(&image, settings);
    let gate = image.gate.lock().unwrap();
    run(&image, &attachment, |client| {
        assert_eq!(malloc(client, 1 << 20), 0);
        // Nobody else is held up, not even while a request waits.
        print(client, "served");
        std::thread::scope(|scope| {
            let waiting = scope.spawn(|| malloc(&image.client(), 1 << 20));
            assert_eq!(increment(client, 5), 6);
            assert_eq!(waiting.join().unwrap(), 0);
        });
    });
    assert_eq!(host.seen().stdout, b"served");
    drop(gate);
    // What came too late serves the next request.
    let start = Instant::now();
    while run(&image, &attachment, |client| malloc(client, 1 << 20)) == 0 {
        assert!(start.elapsed() < LONG);
    }
    drop(attachment);
    assert_eq!(image.live(), 0);
}

#[test]
fn memory_that_comes_after_the_end_is_given_back() {
    let image = Arc::new(FakeImage {
        during_kernel: DuringKernel::Waits,
        ..FakeImage::calling()
    });
    let (_, mut settings) = settings();
    settings.heap_bytes = 1 << 12;
    settings.growth = Growth::Within(Duration::from_millis(10));
    let attachment = attach(&image, settings);
    let gate = image.gate.lock().unwrap();
    assert_eq!(run(&image, &attachment, |client| malloc(client, 1 << 20)), 0);
    drop(attachment);
    drop(gate);
    let start = Instant::now();
    while Arc::strong_count(&image) > 1 {
        assert!(start.elapsed() < LONG);
        std::thread::sleep(Duration::from_millis(1));
    }
    assert_eq!(image.live(), 0);
}

#[test]
fn detaching_takes_nothing_from_a_kernel_that_runs() {
    let image = Arc::new(FakeImage::calling());
    let (host, settings) = settings();
    let attachment = attach(&image, settings);
    let running = attachment.kernel();
    let go = Arc::new(AtomicBool::new(false));
    let kernel = std::thread::spawn({
        let (client, go) = (image.client(), go.clone());
        move || {
            while !go.load(Ordering::Acquire) {
                std::thread::yield_now();
            }
            print(&client, "still served");
        }
    });
    let start = Instant::now();
    let attachment = attachment.detach(Duration::from_millis(30)).expect_err("a kernel runs");
    assert!(start.elapsed() >= Duration::from_millis(30));
    drop(attachment);
    assert!(image.live() > 0);
    go.store(true, Ordering::Release);
    kernel.join().unwrap();
    running.end();
    assert_eq!(host.seen().stdout, b"still served");
    assert_eq!(image.live(), 0);
}

#[test]
fn detaching_may_wait_for_ever() {
    let image = Arc::new(FakeImage::calling());
    let attachment = attach(&image, settings().1);
    let running = attachment.kernel();
    let kernel = std::thread::spawn(move || {
        std::thread::sleep(Duration::from_millis(20));
        running.end();
    });
    assert!(attachment.detach(Duration::MAX).is_ok());
    kernel.join().unwrap();
    assert_eq!(image.live(), 0);
}

#[test]
fn a_kernel_that_never_ends_keeps_its_memory() {
    let image = Arc::new(FakeImage::calling());
    let attachment = attach(&image, settings().1);
    drop(attachment.kernel());
    let live = image.live();
    drop(attachment);
    assert_eq!(image.live(), live);
    // It is even served.
    print(&image.client(), "still there");
}

#[test]
fn detaching_while_a_handler_is_busy_ends() {
    let image = Arc::new(FakeImage::calling());
    let (_, mut settings) = settings();
    const FOREVER: Opcode = Opcode::new(b'x', 1);
    settings.registry.on(FOREVER, |mut port| async move {
        port.recv(|_, _| ()).await;
        std::future::pending().await
    });
    let attachment = attach(&image, settings);
    let running = attachment.kernel();
    image.client().open(FOREVER).send(|_| ());
    // A call whose device has vanished half way.
    let client = image.client();
    let mut port = client.open(Opcode::TEST_INTERFACE);
    port.send(|packet| packet.set(0, 1));
    std::mem::forget(port);
    let start = Instant::now();
    running.end();
    drop(attachment);
    assert!(start.elapsed() < LONG, "{:?}", start.elapsed());
    assert_eq!(image.live(), 0);
}

#[test]
fn images_come_and_go_while_others_are_served() {
    let stay = Arc::new(FakeImage::calling());
    let (host, first) = settings();
    let attachment = attach(&stay, first);
    run(&stay, &attachment, |client| {
        std::thread::scope(|scope| {
            for number in 0..4 {
                scope.spawn(move || {
                    for round in 0..20u64 {
                        let image = Arc::new(FakeImage::calling());
                        let (host, settings) = settings();
                        let attachment = attach(&image, settings);
                        run(&image, &attachment, |client| {
                            print(client, &format!("{number}.{round}"));
                            assert_eq!(increment(client, round), round + 1);
                        });
                        drop(attachment);
                        assert_eq!(host.seen().stdout, format!("{number}.{round}").as_bytes());
                        assert_eq!(image.live(), 0);
                    }
                });
            }
            (0..200).for_each(|_| print(client, "."));
        });
    });
    assert_eq!(host.seen().stdout, ".".repeat(200).as_bytes());
}

#[test]
fn a_server_that_outlives_its_attachment_keeps_the_memory() {
    let image = Arc::new(FakeImage::calling());
    let attachment = attach(&image, settings().1);
    let server = attachment.server().clone();
    drop(attachment);
    assert!(image.live() > 0);
    server.poll();
    drop(server);
    assert_eq!(image.live(), 0);
}

#[test]
fn impossible_settings_are_named() {
    struct Wide(FakeImage);
    // SAFETY: as for what it wraps.
    unsafe impl LoadedImage for Wide {
        fn lane_size(&self) -> u32 {
            65
        }
        fn ports(&self) -> u32 {
            5000
        }
        fn global(&self, name: &str) -> Result<Option<Global>, Cause> {
            self.0.global(name)
        }
        fn write(&self, address: u64, bytes: &[u8]) -> Result<(), Cause> {
            self.0.write(address, bytes)
        }
        fn alloc_shared(&self, bytes: usize) -> Result<SharedMemory, Cause> {
            self.0.alloc_shared(bytes)
        }
        unsafe fn free_shared(&self, memory: SharedMemory) -> Result<(), Cause> {
            // SAFETY: passed on.
            unsafe { self.0.free_shared(memory) }
        }
        fn alloc_device(&self, bytes: usize) -> Result<u64, Cause> {
            self.0.alloc_device(bytes)
        }
        unsafe fn free_device(&self, address: u64) -> Result<(), Cause> {
            // SAFETY: passed on.
            unsafe { self.0.free_device(address) }
        }
    }
    let mut settings = settings().1;
    settings.registry = Registry::new();
    let error = Attachment::attach(Arc::new(Wide(FakeImage::calling())), settings);
    let text = error.err().unwrap().to_string();
    assert!(text.contains("5000 ports") && text.contains("65 lanes"), "{text}");
}

/// A host whose standard output is a pipe that nobody reads until the gate opens, and whose driver frees nothing until its
/// gate does.
#[derive(Default)]
struct StuckHost {
    /// It says when it would wait, and leaves the rest to others.
    tells: bool,
    open: AtomicBool,
    free_opens: AtomicBool,
    written: Mutex<Vec<u8>>,
    freed: Mutex<Vec<u64>>,
}

impl StuckHost {
    fn wait_for(gate: &AtomicBool) {
        while !gate.load(Ordering::Acquire) {
            std::thread::sleep(Duration::from_millis(1));
        }
    }
}

impl Host for StuckHost {
    fn may_wait(&self) -> bool {
        !self.tells
    }
    fn write(&self, _: Stream, bytes: &[u8]) -> std::io::Result<()> {
        Self::wait_for(&self.open);
        self.written.lock().unwrap().extend_from_slice(bytes);
        Ok(())
    }
    fn is_full(&self, stream: Stream) -> bool {
        self.tells && stream == Stream::Stdout && !self.open.load(Ordering::Acquire)
    }
    fn flush(&self) -> std::io::Result<()> {
        if !self.tells {
            Self::wait_for(&self.open);
        }
        Ok(())
    }
    fn read_stdin(&self, _: &mut [u8]) -> std::io::Result<usize> {
        Ok(0)
    }
    fn allocate(&self, _: u64) -> Option<u64> {
        None
    }
    fn free(&self, address: u64) -> Result<(), String> {
        if !self.tells {
            Self::wait_for(&self.free_opens);
        }
        self.freed.lock().unwrap().push(address);
        Ok(())
    }
    fn exit(&self, _: Exit) {}
    fn report(&self, _: &str) {}
}

/// Attaches an image that a single thread serves.
fn attach_to(image: &Arc<FakeImage>, host: &Arc<StuckHost>) -> Attachment {
    let (_, mut settings) = settings();
    settings.host = host.clone();
    settings.serve = Serve::Threads {
        count: 1,
        idle: Idle::Sleep(Duration::from_micros(50)),
    };
    attach(image, settings)
}

#[test]
fn a_full_pipe_holds_up_nobody_but_those_who_write_to_it() {
    for tells in [true, false] {
        let image = Arc::new(FakeImage::calling());
        let host = Arc::new(StuckHost {
            tells,
            ..StuckHost::default()
        });
        let attachment = attach_to(&image, &host);
        // A host that does not tell gets its output late, but so much waits for it.
        let text = if tells { "all of it".into() } else { "x".repeat(3 << 20) };
        let printed = run(&image, &attachment, |client| {
            std::thread::scope(|scope| {
                let printing = scope.spawn(|| {
                    print(&image.client(), &text);
                    print(&image.client(), &text);
                });
                let formatted = scope.spawn(|| {
                    let client = image.client();
                    let mut port = client.open(Opcode::WRITE_TO_STREAM);
                    port.send(|packet| packet.set(0, 2));
                    port.send_n(b"!");
                    port.recv(|packet| packet.get(0))
                });
                (0..50).for_each(|value| assert_eq!(increment(client, value), value + 1));
                let start = Instant::now();
                while start.elapsed() < Duration::from_millis(100) {
                    assert_eq!(increment(client, 0), 1);
                    assert!(!printing.is_finished());
                }
                host.open.store(true, Ordering::Release);
                printing.join().unwrap();
                formatted.join().unwrap();
            });
            2 * text.len() + 1
        });
        assert_eq!(host.written.lock().unwrap().len(), printed);
    }
}

/// A driver may free memory only when no kernel runs, such as the one that asks for it.
#[test]
fn a_free_that_waits_for_the_kernel_holds_up_nobody() {
    let image = Arc::new(FakeImage::calling());
    let host = Arc::new(StuckHost::default());
    host.open.store(true, Ordering::Release);
    let attachment = attach_to(&image, &host);
    run(&image, &attachment, |client| {
        for address in [64, 128] {
            client.open(Opcode::FREE).send(|packet| packet.set(0, address));
        }
        (0..50).for_each(|value| assert_eq!(increment(client, value), value + 1));
        assert!(host.freed.lock().unwrap().is_empty());
    });
    host.free_opens.store(true, Ordering::Release);
    let start = Instant::now();
    while *host.freed.lock().unwrap() != [64, 128] {
        assert!(start.elapsed() < LONG);
        std::thread::sleep(Duration::from_millis(1));
    }
}
