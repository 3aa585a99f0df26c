//! What calls, transfers, printing and allocation cost on a GPU, each figure beside its limit in the same run.
//!
//! ```text
//! cargo xtask bench gpu               (a machine with Rust and a GPU)
//! bench/gpu [--image FILE] [--json FILE] [--svg FILE] [NAME...]      (the folder that `cargo xtask dist` makes)
//! ```
//!
//! Every figure is the median of several launches. The image is `bench.ptx` of the folder in `GPU_IMAGES`, or a cubin of
//! it, which spares the driver the compilation. On an emulator the figures would mean nothing, so that it is refused.

#[path = "gpu/plot.rs"]
mod plot;

use std::{
    io::{self, Write as _},
    path::PathBuf,
    process::ExitCode,
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
    json: Option<PathBuf>,
    svg: Option<PathBuf>,
    names: Vec<String>,
}

fn arguments() -> Arguments {
    let images = std::env::var_os("GPU_IMAGES").map_or_else(|| "images".into(), PathBuf::from);
    let mut parsed = Arguments {
        image: images.join("bench.ptx"),
        json: None,
        svg: None,
        names: Vec::new(),
    };
    let mut rest = std::env::args().skip(1);
    while let Some(argument) = rest.next() {
        match argument.as_str() {
            // What cargo passes to every benchmark.
            "--bench" => (),
            "--image" => parsed.image = rest.next().unwrap_or_default().into(),
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
        names: arguments.names,
        rows: Vec::new(),
        limits: Limits::default(),
        deadline: Instant::now(),
    };
    println!("{}", bench.runtime.device.properties().name);
    // Seconds that each part may take; together they stay below two and a half minutes.
    let parts: [(u64, Part); 6] = [
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
    if let Some(file) = arguments.json {
        let lines: String = bench.rows.iter().map(|row| row.json() + "\n").collect();
        std::fs::write(&file, lines).unwrap_or_else(|error| eprintln!("gpu: {}: {error}", file.display()));
    }
    Ok(())
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
    stores: f64,
}

struct Bench {
    runtime: Runtime,
    image: Image,
    names: Vec<String>,
    rows: Vec<Row>,
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

    fn read_stdin(&self, _bytes: &mut [u8]) -> io::Result<usize> {
        Ok(0)
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
        let trip = ping_pong(&program, shared, rounds)?;
        self.limits.ping_pong = trip;
        self.row("limit: ping-pong of a flag", trip * 1e6, "us", None);
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
        let mut times = Vec::new();
        for _ in 0..LAUNCHES {
            let begin = Instant::now();
            // SAFETY: pinned memory of that size, which nobody else uses now.
            device.read(from, unsafe { std::slice::from_raw_parts_mut(to.host, bytes) })?;
            times.push(begin.elapsed().as_secs_f64());
        }
        self.limits.copy_engine = bytes as f64 / median(times) / 1e9;
        self.row(
            "limit: copy engine, 64 MiB to pinned memory",
            self.limits.copy_engine,
            "GB/s",
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
                    let seconds = self.time(&program, kernel, shape, &Parameters::new().with(calls))?;
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
        for (name, blocks, block, bytes, times) in [
            ("transfer: 64 KiB from one thread", 1, 1, 64u64 << 10, 20u32),
            ("transfer: 64 MiB from one thread", 1, 1, 64 << 20, 1),
            ("transfer: 64 KiB from each of 4224 lanes", 132, 32, 64 << 10, 1),
        ] {
            if !self.wanted(name) {
                continue;
            }
            let total = bytes * u64::from(blocks * block);
            let from = device.alloc_device(total as usize)?;
            let shape = LaunchShape {
                grid: [blocks, 1, 1],
                block: [block, 1, 1],
                shared_bytes: 0,
            };
            let parameters = Parameters::new().with(from).with(bytes).with(times);
            let seconds = self.time(&program, "write_bytes", shape, &parameters)? / f64::from(times);
            let rate = total as f64 / seconds / 1e9;
            let ratio = if block == 1 {
                ("copy engine", rate / self.limits.copy_engine)
            } else {
                ("plain stores", rate / self.limits.stores)
            };
            self.row(name, rate, "GB/s", Some(ratio));
            self.row(format!("{name}, time"), seconds * 1e6, "us", None);
            // SAFETY: all launches have ended.
            unsafe { device.free_device(from)? };
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

/// Seconds of one round trip of a flag.
fn ping_pong(program: &Program, shared: SharedMemory, rounds: u32) -> Result<f64> {
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
        .with(rounds);
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
            back.store(round, Ordering::Relaxed);
        }
        times.push(begin.elapsed().as_secs_f64() / f64::from(rounds - 1));
        launch.wait()?;
    }
    Ok(median(times))
}

/// The same with payload in the flags, by several lanes at once.
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
