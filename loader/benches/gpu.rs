//! What calls, transfers, printing and allocation cost on a GPU, each figure beside its limit in the same run.
//!
//! ```text
//! cargo xtask bench gpu               (a machine with Rust and a GPU)
//! bench/gpu [OPTION...] [NAME...]     (the folder that `cargo xtask dist` makes)
//!   --image FILE      the kernels, [default: bench.ptx of the folder in GPU_IMAGES]
//!   --hello FILE      the image whose whole run is timed, by the loader in GPU_LOADER [default: hello.ptx of that folder]
//!   --json FILE, --svg FILE    the figures once more, and a picture of the rates
//!   --profile FILE    where the server's threads are meanwhile, for the rows with these names
//! ```
//!
//! Every figure is the median of several launches. The image is `bench.ptx` of the folder in `GPU_IMAGES`, or a cubin of
//! it, which spares the driver the compilation. On an emulator the figures would mean nothing, so that it is refused.

#[path = "gpu/plot.rs"]
mod plot;
#[path = "gpu/profile.rs"]
mod profile;

use std::{
    io::{self, Write as _},
    path::PathBuf,
    process::{Command, ExitCode, Stdio},
    sync::{
        Arc,
        atomic::{AtomicU32, AtomicU64, Ordering},
    },
    time::{Duration, Instant},
};

use host_server::{Exit, Host, Stream, bulk::Parts, heap::Heap};
use loader::{
    Options, Parameters, Program, Result, Runtime,
    device::{LaunchShape, SharedMemory},
    image::Image,
    runtime::Backend,
};

/// Launches of each measurement; the median counts.
const LAUNCHES: usize = 5;

fn main() -> ExitCode {
    if std::env::args().nth(1).as_deref() == Some(START) {
        start_driver();
        return ExitCode::SUCCESS;
    }
    match run() {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("gpu: {error}");
            ExitCode::FAILURE
        }
    }
}

struct Arguments {
    image: PathBuf,
    hello: PathBuf,
    json: Option<PathBuf>,
    svg: Option<PathBuf>,
    profile: Option<PathBuf>,
    names: Vec<String>,
}

fn arguments() -> Arguments {
    let images = std::env::var_os("GPU_IMAGES").map_or_else(|| "images".into(), PathBuf::from);
    let mut parsed = Arguments {
        image: images.join("bench.ptx"),
        hello: images.join("hello.ptx"),
        json: None,
        svg: None,
        profile: None,
        names: Vec::new(),
    };
    let mut rest = std::env::args().skip(1);
    while let Some(argument) = rest.next() {
        match argument.as_str() {
            // What cargo passes to every benchmark.
            "--bench" => (),
            "--image" => parsed.image = rest.next().unwrap_or_default().into(),
            "--hello" => parsed.hello = rest.next().unwrap_or_default().into(),
            "--profile" => parsed.profile = rest.next().map(Into::into),
            "--svg" => parsed.svg = rest.next().map(Into::into),
            "--json" => parsed.json = rest.next().map(Into::into),
            _ => parsed.names.push(argument),
        }
    }
    parsed
}

fn run() -> Result<()> {
    let arguments = arguments();
    let image = Image::open(&arguments.image)?;
    let runtime = match Runtime::open(&image, Backend::Cuda, 0) {
        Ok(runtime) => runtime,
        Err(error) => {
            // Without a GPU there is nothing to measure, which is no failure of the benchmark.
            println!("gpu: skipped: {error}");
            return Ok(());
        }
    };
    let mut bench = Bench {
        runtime,
        image,
        hello: arguments.hello,
        names: arguments.names,
        rows: Vec::new(),
        profiles: arguments.profile.is_some().then(String::new),
        limits: Limits::default(),
        deadline: Instant::now(),
    };
    println!("{}", bench.runtime.device.properties().name);
    // Seconds that each part may take; together they stay below three minutes.
    let parts: [(u64, Part); 7] = [
        (15, Bench::loading),
        (15, Bench::limits),
        (20, Bench::latency),
        (60, Bench::throughput),
        (20, Bench::printing),
        (15, Bench::transfers),
        (15, Bench::allocation),
    ];
    for (seconds, part) in parts {
        bench.deadline = Instant::now() + Duration::from_secs(seconds);
        part(&mut bench)?;
    }
    if let Some(file) = arguments.svg {
        let name = bench.runtime.device.properties().name.clone();
        let rows = bench.rows.iter().map(|row| (row.name.as_str(), row.value));
        std::fs::write(&file, plot::rates(&name, rows))
            .unwrap_or_else(|error| eprintln!("gpu: {}: {error}", file.display()));
    }
    if let (Some(file), Some(profiles)) = (arguments.profile, &bench.profiles) {
        std::fs::write(&file, profiles).unwrap_or_else(|error| eprintln!("gpu: {}: {error}", file.display()));
    }
    if let Some(file) = arguments.json {
        let lines: String = bench.rows.iter().map(|row| row.json() + "\n").collect();
        std::fs::write(&file, lines).unwrap_or_else(|error| eprintln!("gpu: {}: {error}", file.display()));
    }
    Ok(())
}

/// The argument with which this program starts the driver and ends.
const START: &str = "--start-driver";

/// What every program that uses the GPU has to do: the driver, a device, its context. Ends without taking them down, as the
/// loader does.
fn start_driver() {
    use cudarc::driver::sys;
    let mut context = std::ptr::null_mut();
    // SAFETY: the driver's own order of calls, with a valid pointer.
    let status = unsafe {
        let _ = sys::cuInit(0);
        sys::cuDevicePrimaryCtxRetain(&mut context, 0)
    };
    // SAFETY: ends this process, without what its libraries want to do at its end.
    unsafe { libc::_exit(i32::from(status != sys::CUresult::CUDA_SUCCESS)) }
}

/// A part of the benchmark.
type Part = fn(&mut Bench) -> Result<()>;

/// One figure.
struct Row {
    name: String,
    value: f64,
    unit: &'static str,
    /// What it is compared with, and how often that fits.
    ratio: Option<(&'static str, f64)>,
}

impl Row {
    fn json(&self) -> String {
        let ratio = match self.ratio {
            Some((of, ratio)) => format!(r#","of":"{of}","ratio":{ratio:.4}"#),
            None => String::new(),
        };
        format!(
            r#"{{"name":"{}","value":{:.6},"unit":"{}"{ratio}}}"#,
            self.name, self.value, self.unit
        )
    }
}

/// What the machine can do, measured first.
#[derive(Default)]
struct Limits {
    ping_pong: f64,
    copy_engine: f64,
    copy_engine_to_device: f64,
    stores: f64,
}

struct Bench {
    runtime: Runtime,
    image: Image,
    hello: PathBuf,
    names: Vec<String>,
    rows: Vec<Row>,
    /// What was seen of the server's threads, if that was asked for.
    profiles: Option<String>,
    limits: Limits,
    /// When the present part has had its time.
    deadline: Instant,
}

/// Takes what is printed and counts it.
#[derive(Default)]
struct Counter {
    bytes: AtomicU64,
    lines: AtomicU64,
    heap: Option<Heap>,
}

impl Host for Counter {
    fn may_wait(&self) -> bool {
        false
    }

    fn write(&self, _stream: Stream, bytes: &[u8]) -> io::Result<()> {
        self.bytes.fetch_add(bytes.len() as u64, Ordering::Relaxed);
        let lines = bytes.iter().filter(|&&byte| byte == b'\n').count();
        self.lines.fetch_add(lines as u64, Ordering::Relaxed);
        Ok(())
    }

    fn write_parts(&self, _stream: Stream, parts: &mut dyn Parts) -> io::Result<()> {
        // Bytes of a transfer, not lines: to look at each would be slower than to bring it.
        while let Some(part) = parts.next()? {
            self.bytes.fetch_add(part.len() as u64, Ordering::Relaxed);
        }
        Ok(())
    }

    fn flush(&self) -> io::Result<()> {
        Ok(())
    }

    fn read_stdin(&self, bytes: &mut [u8]) -> io::Result<usize> {
        // Whatever lies there: how fast somebody makes bytes is not what is measured.
        Ok(bytes.len())
    }

    fn stdin_is_ready(&self) -> bool {
        true
    }

    fn allocate(&self, size: u64) -> Option<u64> {
        self.heap.as_ref()?.allocate(size)
    }

    fn free(&self, address: u64) -> std::result::Result<(), String> {
        self.heap.as_ref().map_or(Ok(()), |heap| heap.free(address))
    }

    fn exit(&self, _exit: Exit) {}

    fn report(&self, message: &str) {
        eprintln!("gpu: {message}");
    }
}

fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    values[values.len() / 2]
}

/// GB a second of something that moves so many bytes.
fn rate(bytes: usize, mut work: impl FnMut() -> Result<()>) -> Result<f64> {
    let mut times = Vec::new();
    for _ in 0..LAUNCHES {
        let begin = Instant::now();
        work()?;
        times.push(begin.elapsed().as_secs_f64());
    }
    Ok(bytes as f64 / median(times) / 1e9)
}

/// `warps` warps, spread over the multiprocessors before any gets a second one.
fn shape(warps: u32, lanes: u32, multiprocessors: u32) -> LaunchShape {
    let each = (warps / multiprocessors.max(1)).clamp(1, 8);
    LaunchShape {
        grid: [warps / each, 1, 1],
        block: [if each > 1 { 32 * each } else { lanes }, 1, 1],
        shared_bytes: 0,
    }
}

impl Bench {
    fn wanted(&self, name: &str) -> bool {
        let named = self.names.is_empty() || self.names.iter().any(|wanted| name.contains(wanted.as_str()));
        if named && Instant::now() > self.deadline {
            println!("{name:<52} left out: this part has had its time");
            return false;
        }
        named
    }

    fn row(&mut self, name: impl Into<String>, value: f64, unit: &'static str, ratio: Option<(&'static str, f64)>) {
        let name = name.into();
        let beside = ratio.map_or(String::new(), |(of, ratio)| format!("{ratio:8.3} x {of}"));
        println!("{name:<52} {value:>12.3} {unit:<10} {beside}");
        let _ = io::stdout().flush();
        self.rows.push(Row {
            name,
            value,
            unit,
            ratio,
        });
    }

    /// The image with its server on `threads` threads, set up for launches of `warps` warps as `gpu-loader` does it.
    fn program(&self, threads: usize, warps: u32, host: Arc<dyn Host>) -> Result<Program> {
        let options = Options {
            server_threads: threads,
            ports: warps.clamp(64, 4096),
            express_slots: warps,
            one_launch: true,
            host,
            ..Options::default()
        };
        self.runtime.load(&self.image, options)
    }

    fn multiprocessors(&self) -> u32 {
        self.runtime.device.properties().multiprocessors
    }

    /// The same for a row whose name is known, with a profile of it if one was asked for.
    fn time_row(
        &mut self,
        name: &str,
        program: &Program,
        kernel: &str,
        shape: LaunchShape,
        parameters: &Parameters,
    ) -> Result<f64> {
        let Some(profiles) = &mut self.profiles else {
            return self.time(program, kernel, shape, parameters);
        };
        let profile = profile::Profile::start();
        let mut profiles = std::mem::take(profiles);
        let seconds = self.time(program, kernel, shape, parameters)?;
        profiles += &profile.finish(name);
        self.profiles = Some(profiles);
        Ok(seconds)
    }

    /// Seconds that a launch takes: the median of several.
    fn time(&self, program: &Program, kernel: &str, shape: LaunchShape, parameters: &Parameters) -> Result<f64> {
        let mut times = Vec::new();
        for _ in 0..LAUNCHES {
            let begin = Instant::now();
            // SAFETY: the kernels of the benchmark take what the callers here pass; their memory outlives the launch.
            unsafe { program.launch(kernel, shape, parameters.bytes(), None)? }.wait()?;
            times.push(begin.elapsed().as_secs_f64());
        }
        Ok(median(times))
    }

    fn limits(&mut self) -> Result<()> {
        let program = self.program(1, 2048, Arc::new(Counter::default()))?;
        let device = self.runtime.device.clone();
        let shared = device.alloc_shared(1 << 20)?;
        let rounds = 20_000;
        let trip = ping_pong(&program, shared, rounds, 0, || Ok(()))?;
        self.limits.ping_pong = trip;
        self.row("limit: ping-pong of a flag", trip * 1e6, "us", None);
        // The first look sets out when the answer may be there; one that sets out at once is in vain, and the second has to wait for it.
        let well_timed = ping_pong(&program, shared, rounds, 500, || Ok(()))?;
        let ratio = Some(("ping-pong", well_timed / trip));
        self.row(
            "limit: ping-pong of a flag, looked for after 500 clocks",
            well_timed * 1e6,
            "us",
            ratio,
        );
        for lanes in [1, 32] {
            let trip = ping_pong_payload(&program, shared, rounds, lanes)?;
            let ratio = Some(("ping-pong", trip / self.limits.ping_pong));
            self.row(
                format!("limit: ping-pong with payload, {lanes} lanes"),
                trip * 1e6,
                "us",
                ratio,
            );
        }
        let bytes = 64 << 20;
        let (from, to) = (device.alloc_device(bytes)?, device.alloc_shared(bytes)?);
        // SAFETY: pinned memory of that size, which nobody else uses now.
        let pinned = unsafe { std::slice::from_raw_parts_mut(to.host, bytes) };
        self.limits.copy_engine = rate(bytes, || device.read(from, pinned))?;
        self.row(
            "limit: copy engine, 64 MiB to pinned memory",
            self.limits.copy_engine,
            "GB/s",
            None,
        );
        self.limits.copy_engine_to_device = rate(bytes, || device.write(from, pinned))?;
        self.row(
            "limit: copy engine, 64 MiB from pinned memory",
            self.limits.copy_engine_to_device,
            "GB/s",
            None,
        );
        let copied = ping_pong(&program, shared, 500, 0, || device.read(from, &mut pinned[..64 << 10]))?;
        self.row(
            "limit: 64 KiB by the copy engine for a kernel that waits",
            copied * 1e6,
            "us",
            None,
        );
        let parameters = Parameters::new().with(to.device).with(from).with((bytes / 16) as u64);
        let shape = LaunchShape {
            grid: [16, 1, 1],
            block: [1024, 1, 1],
            shared_bytes: 0,
        };
        let seconds = self.time(&program, "copy", shape, &parameters)?;
        self.limits.stores = bytes as f64 / seconds / 1e9;
        self.row(
            "limit: plain stores, 64 MiB to pinned memory",
            self.limits.stores,
            "GB/s",
            None,
        );
        // SAFETY: all launches have ended.
        unsafe {
            device.free_device(from)?;
            device.free_shared(to)?;
            device.free_shared(shared)
        }
    }

    /// Hello from the start of its process to the end, beside what the driver alone takes.
    fn loading(&mut self) -> Result<()> {
        let (name, loader) = ("loading: hello, start to end", std::env::var_os("GPU_LOADER"));
        if !self.wanted(name) {
            return Ok(());
        }
        let Some(loader) = loader else {
            println!("{name:<52} left out: GPU_LOADER does not say where gpu-loader is");
            return Ok(());
        };
        let this = std::env::current_exe().unwrap_or_default();
        let mut driver = Command::new(this);
        driver.arg(START);
        let mut hello = Command::new(loader);
        hello.args(["--backend", "cuda"]).arg(&self.hello).args(["one", "two"]);
        let mut times = [Vec::new(), Vec::new()];
        // Turn and turn about, as a machine has its moods; the first round fills caches.
        for round in 0..12 {
            for ((command, code), times) in [(&mut driver, 0), (&mut hello, 127)].into_iter().zip(&mut times) {
                let begin = Instant::now();
                let ended = command.stdout(Stdio::null()).stderr(Stdio::null()).status();
                let seconds = begin.elapsed().as_secs_f64();
                if ended.as_ref().is_ok_and(|status| status.code() == Some(code)) {
                    times.extend((round > 0).then_some(seconds));
                } else {
                    println!("{name:<52} left out: {command:?} ended with {ended:?}");
                    return Ok(());
                }
            }
        }
        let [driver, hello] = times.map(median);
        self.row("limit: the driver and a context", driver * 1e3, "ms", None);
        self.row(name, hello * 1e3, "ms", Some(("driver and context", hello / driver)));
        Ok(())
    }

    fn latency(&mut self) -> Result<()> {
        let program = self.program(1, 1, Arc::new(Counter::default()))?;
        let calls = 20_000u32;
        for kernel in ["base_calls", "express_calls", "base_posts", "express_posts"] {
            for lanes in [1, 32] {
                let name = format!("latency: {kernel}, {lanes} lanes");
                if !self.wanted(&name) {
                    continue;
                }
                let shape = LaunchShape {
                    block: [lanes, 1, 1],
                    ..LaunchShape::SINGLE
                };
                let each = self.time(&program, kernel, shape, &Parameters::new().with(calls))? / f64::from(calls);
                self.row(
                    name,
                    each * 1e6,
                    "us",
                    Some(("ping-pong", each / self.limits.ping_pong)),
                );
            }
        }
        // The server's threads sleep while no kernel runs.
        let one = Parameters::new().with(1u32);
        let mut times = Vec::new();
        for _ in 0..20 {
            std::thread::sleep(Duration::from_millis(20));
            let begin = Instant::now();
            // SAFETY: the kernel takes one number.
            unsafe { program.launch("express_calls", LaunchShape::SINGLE, one.bytes(), None)? }.wait()?;
            let with = begin.elapsed().as_secs_f64();
            std::thread::sleep(Duration::from_millis(20));
            let begin = Instant::now();
            let none = Parameters::new().with(0u32);
            // SAFETY: as above.
            unsafe { program.launch("express_calls", LaunchShape::SINGLE, none.bytes(), None)? }.wait()?;
            times.push(with - begin.elapsed().as_secs_f64());
        }
        self.row(
            "latency: first call after idle, beyond an empty launch",
            median(times) * 1e6,
            "us",
            None,
        );
        Ok(())
    }

    fn throughput(&mut self) -> Result<()> {
        for threads in [1, 2, 4] {
            for warps in [1, 32, 132, 1056, 4224, 8448] {
                let program = self.program(threads, warps, Arc::new(Counter::default()))?;
                for kernel in ["base_calls", "express_calls", "express_posts"] {
                    let name = format!("rate: {kernel}, {warps} warps, {threads} server threads");
                    if !self.wanted(&name) {
                        continue;
                    }
                    let calls = (400_000 / warps).clamp(40, 10_000);
                    let shape = shape(warps, 32, self.multiprocessors());
                    let seconds = self.time_row(&name, &program, kernel, shape, &Parameters::new().with(calls))?;
                    let rate = f64::from(calls) * f64::from(warps) / seconds / 1e6;
                    self.row(name, rate, "M calls/s", None);
                }
            }
        }
        Ok(())
    }

    fn printing(&mut self) -> Result<()> {
        for threads in [1, 4] {
            let counter = Arc::new(Counter::default());
            let program = self.program(threads, 1056, counter.clone())?;
            for (kernel, blocks, block, lines) in [
                ("print_lines", 1, 1, 2000u32),
                ("print_lines", 132, 256, 20),
                ("put_lines", 1, 1, 2000),
                ("put_lines", 16, 128, 200),
                ("put_lines", 64, 256, 50),
            ] {
                let total = blocks * block;
                let name = format!("printing: {kernel}, {total} threads, {threads} server threads");
                if !self.wanted(&name) {
                    continue;
                }
                let before = counter.lines.load(Ordering::Relaxed);
                let shape = LaunchShape {
                    grid: [blocks, 1, 1],
                    block: [block, 1, 1],
                    shared_bytes: 0,
                };
                let seconds = self.time(&program, kernel, shape, &Parameters::new().with(lines))?;
                let printed = counter.lines.load(Ordering::Relaxed) - before;
                let expected = u64::from(total * lines) * LAUNCHES as u64;
                if printed != expected {
                    println!("{name}: {printed} lines arrived of {expected}");
                }
                self.row(name, f64::from(total * lines) / seconds / 1e6, "M lines/s", None);
            }
        }
        let name = "printing: CUDA's printf, 33792 threads";
        if self.wanted(name) {
            let shape = LaunchShape {
                grid: [132, 1, 1],
                block: [256, 1, 1],
                shared_bytes: 0,
            };
            // Its buffer holds few lines, so few are printed; they would go to this process's standard output, the last of
            // them when the image is unloaded.
            let seconds = with_silent_stdout(|| {
                let program = self.program(1, 1056, Arc::new(Counter::default()))?;
                self.time(&program, "cuda_print_lines", shape, &Parameters::new().with(1u32))
            })?;
            self.row(name, 33_792.0 / seconds / 1e6, "M lines/s", None);
        }
        Ok(())
    }

    fn transfers(&mut self) -> Result<()> {
        let counter = Arc::new(Counter::default());
        let program = self.program(4, 1056, counter)?;
        let device = self.runtime.device.clone();
        for (name, kernel, blocks, block, bytes, times) in [
            ("64 KiB from one thread", "write_bytes", 1, 1, 64u64 << 10, 500u32),
            ("64 MiB from one thread", "write_bytes", 1, 1, 64 << 20, 1),
            ("64 KiB from each of 4224 lanes", "write_bytes", 132, 32, 64 << 10, 1),
            ("64 KiB to one thread", "read_bytes", 1, 1, 64 << 10, 500),
            ("64 MiB to one thread", "read_bytes", 1, 1, 64 << 20, 1),
        ] {
            let name = &format!("transfer: {name}");
            if !self.wanted(name) {
                continue;
            }
            let total = bytes * u64::from(blocks * block);
            let memory = device.alloc_device(total as usize)?;
            let shape = LaunchShape {
                grid: [blocks, 1, 1],
                block: [block, 1, 1],
                shared_bytes: 0,
            };
            let parameters = Parameters::new().with(memory).with(bytes).with(times);
            let seconds = self.time_row(name, &program, kernel, shape, &parameters)? / f64::from(times);
            let rate = total as f64 / seconds / 1e9;
            let (of, limit) = match (kernel, block) {
                ("read_bytes", _) => ("copy engine", self.limits.copy_engine_to_device),
                (_, 1) => ("copy engine", self.limits.copy_engine),
                _ => ("plain stores", self.limits.stores),
            };
            self.row(name, rate, "GB/s", Some((of, rate / limit)));
            self.row(format!("{name}, time"), seconds * 1e6, "us", None);
            // SAFETY: all launches have ended.
            unsafe { device.free_device(memory)? };
        }
        Ok(())
    }

    fn allocation(&mut self) -> Result<()> {
        let program = self.program(4, 4224, Arc::new(Counter::default()))?;
        for (who, kernel, each) in [("ours", "malloc_free", 200u32), ("CUDA's", "cuda_malloc_free", 2)] {
            for (blocks, block, n) in [(1, 1, 2000u32), (528, 256, each)] {
                let total = blocks * block;
                let name = format!("malloc + free of 64 B: {who}, {total} threads");
                if !self.wanted(&name) {
                    continue;
                }
                let shape = LaunchShape {
                    grid: [blocks, 1, 1],
                    block: [block, 1, 1],
                    shared_bytes: 0,
                };
                let seconds = self.time(&program, kernel, shape, &Parameters::new().with(n))?;
                if total == 1 {
                    self.row(name, seconds / f64::from(n) * 1e6, "us", None);
                } else {
                    self.row(name, f64::from(total * n) / seconds / 1e6, "M pairs/s", None);
                }
            }
        }
        Ok(())
    }
}

/// Runs `work` while what this process writes to standard output goes nowhere.
fn with_silent_stdout<T>(work: impl FnOnce() -> T) -> T {
    use std::{fs::OpenOptions, os::fd::AsRawFd as _};
    let _ = io::stdout().flush();
    let nowhere = OpenOptions::new().write(true).open("/dev/null").expect("/dev/null");
    // SAFETY: duplicates of descriptors of this process, which has one thread that prints.
    let kept = unsafe { libc::dup(1) };
    // SAFETY: as above.
    unsafe { libc::dup2(nowhere.as_raw_fd(), 1) };
    let result = work();
    // SAFETY: as above; what was there before is there again.
    unsafe {
        libc::dup2(kept, 1);
        libc::close(kept);
    }
    result
}

/// Seconds of one round trip of a flag, with what is done `between` its coming and its going back.
fn ping_pong(
    program: &Program,
    shared: SharedMemory,
    rounds: u32,
    wait: u32,
    mut between: impl FnMut() -> Result<()>,
) -> Result<f64> {
    // SAFETY: pinned memory that is only accessed atomically from here on.
    let (out, back) = unsafe {
        (
            AtomicU32::from_ptr(shared.host.cast()),
            AtomicU32::from_ptr(shared.host.add(4096).cast()),
        )
    };
    let parameters = Parameters::new()
        .with(shared.device)
        .with(shared.device + 4096)
        .with(rounds)
        .with(wait);
    let mut times = Vec::new();
    for _ in 0..LAUNCHES {
        out.store(0, Ordering::Relaxed);
        back.store(0, Ordering::Relaxed);
        // SAFETY: the kernel takes two addresses of that memory and a number.
        let launch = unsafe { program.launch("ping_pong", LaunchShape::SINGLE, parameters.bytes(), None)? };
        let mut begin = Instant::now();
        for round in 1..=rounds {
            while out.load(Ordering::Relaxed) != round {
                std::hint::spin_loop();
            }
            if round == 1 {
                // The start of the kernel is none of its trips.
                begin = Instant::now();
            }
            between()?;
            back.store(round, Ordering::Relaxed);
        }
        times.push(begin.elapsed().as_secs_f64() / f64::from(rounds - 1));
        launch.wait()?;
    }
    Ok(median(times))
}

/// Seconds of one round trip with payload in the flags, by several lanes at once.
fn ping_pong_payload(program: &Program, shared: SharedMemory, rounds: u32, lanes: u32) -> Result<f64> {
    let word = |offset: usize, lane: u32| {
        // SAFETY: pinned memory that is only accessed atomically from here on.
        unsafe { AtomicU64::from_ptr(shared.host.add(offset).cast::<u64>().add(lane as usize)) }
    };
    let (out, back) = (8192, 16_384);
    let parameters = Parameters::new()
        .with(shared.device + out as u64)
        .with(shared.device + back as u64)
        .with(rounds);
    let shape = LaunchShape {
        block: [lanes, 1, 1],
        ..LaunchShape::SINGLE
    };
    let mut times = Vec::new();
    for _ in 0..LAUNCHES {
        for lane in 0..lanes {
            word(out, lane).store(0, Ordering::Relaxed);
            word(back, lane).store(0, Ordering::Relaxed);
        }
        // SAFETY: the kernel takes two addresses of that memory and a number.
        let launch = unsafe { program.launch("ping_pong_payload", shape, parameters.bytes(), None)? };
        let mut begin = Instant::now();
        for round in 1..=u64::from(rounds) {
            for lane in 0..lanes {
                while word(out, lane).load(Ordering::Relaxed) != round << 32 | 7 {
                    std::hint::spin_loop();
                }
                word(back, lane).store(round << 32 | 8, Ordering::Relaxed);
            }
            if round == 1 {
                begin = Instant::now();
            }
        }
        times.push(begin.elapsed().as_secs_f64() / f64::from(rounds - 1));
        launch.wait()?;
    }
    Ok(median(times))
}
