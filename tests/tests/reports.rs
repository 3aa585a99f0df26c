//! What users of comparable systems reported, as far as it takes more than a program and its output to try: see
//! `docs/reported-faults.md` for the whole list.
//!
//! `GPU_LOADER`, `GPU_IMAGES` and `GPU_BACKEND` are those of `programs`; without them there is nothing to run.

use std::path::PathBuf;
use std::process::{Command, Output, Stdio};
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use std::sync::{Arc, Mutex, OnceLock, mpsc};
use std::time::{Duration, Instant};
use std::{env, fs};

use host_server::functions::HostFunctions;
use host_server::services::Services;
use host_server::{Grants, Opcode, RecordingHost};
use loader::device::{Device, LaunchShape, StreamId};
use loader::image::Image;
use loader::runtime::Backend;
use loader::{Ended, Launch, Options, Parameters, Program, Runtime};

/// By when everything here has ended, on a busy machine.
const DEADLINE: Duration = Duration::from_secs(60);

struct Machine {
    loader: PathBuf,
    images: PathBuf,
    backend: String,
}

impl Machine {
    fn find() -> Option<Machine> {
        Some(Machine {
            loader: env::var_os("GPU_LOADER")?.into(),
            images: env::var_os("GPU_IMAGES")?.into(),
            backend: env::var("GPU_BACKEND").unwrap_or_else(|_| "auto".into()),
        })
    }

    fn image(&self, program: &str) -> PathBuf {
        self.images.join(format!("{program}.ptx"))
    }

    /// `gpu-loader` with an image, started by `before`: words such as those of `taskset`.
    fn run(&self, before: &[&str], variables: &[(&str, &str)], image: PathBuf, arguments: &[&str]) -> Output {
        let mut words = before.iter().map(PathBuf::from).chain([self.loader.clone()]);
        Command::new(words.next().expect("the loader at least"))
            .args(words)
            .args(["--backend", &self.backend, "--timeout", "60"])
            .arg(image)
            .args(arguments)
            .envs(variables.iter().copied())
            .stdin(Stdio::null())
            .output()
            .expect("it can be started")
    }

    /// The benchmark's kernels, loaded into this process.
    fn kernels(&self, options: Options) -> Program {
        self.load("bench", options)
    }

    /// Whether an emulator runs the kernels, which takes the processor that the host needs too.
    fn is_emulated(&self) -> bool {
        self.backend == "emulator"
    }

    /// A program, loaded into this process.
    fn load(&self, program: &str, options: Options) -> Program {
        let backend = match self.backend.as_str() {
            "emulator" => Backend::Emulator,
            _ => Backend::Auto,
        };
        let image = Image::open(&self.image(program)).expect("the image");
        let runtime = Runtime::open(&image, backend, 0).expect("a device");
        runtime.load(&image, options).expect("it loads")
    }
}

/// One warp.
const WARP: LaunchShape = LaunchShape {
    grid: [1, 1, 1],
    block: [32, 1, 1],
    shared_bytes: 0,
};

/// Looks until `done`, or fails at the deadline.
fn await_that(what: &str, mut done: impl FnMut() -> bool) {
    let start = Instant::now();
    while !done() {
        assert!(start.elapsed() < DEADLINE, "{what}");
        std::thread::sleep(Duration::from_millis(1));
    }
}

fn hello(machine: &Machine, before: &[&str], variables: &[(&str, &str)]) {
    let output = machine.run(before, variables, machine.image("hello"), &["one", "two"]);
    assert_eq!(output.status.code(), Some(127), "{output:?}");
    let stderr = String::from_utf8_lossy(&output.stderr);
    assert!(stderr.ends_with("one\ntwo\n"), "{stderr}");
}

#[test]
fn launches_that_block_are_served() {
    let Some(machine) = Machine::find() else { return };
    hello(&machine, &[], &[("CUDA_LAUNCH_BLOCKING", "1")]);
}

#[test]
fn one_core_is_enough() {
    let Some(machine) = Machine::find() else { return };
    hello(&machine, &["taskset", "-c", "0"], &[]);
}

/// Threads of the embedding program that wait inside the driver, or look again and again, on the one processor that the server has too.
#[test]
fn one_core_is_enough_beside_a_thread_that_waits_in_the_driver() {
    let Some(machine) = Machine::find() else { return };
    type Wait = fn(&Program, &Launch, StreamId);
    let waits: [(&str, Wait); 2] = [
        ("synchronise", |program, _, stream| {
            program.device().wait_for_copies(stream).expect("it ends");
        }),
        (
            "look",
            |_, launch, _| {
                while !launch.wait_for(Duration::ZERO).expect("no fault") {}
            },
        ),
    ];
    for (name, wait) in waits {
        let (done, ended) = mpsc::channel();
        let (backend, images, loader) = (machine.backend.clone(), machine.images.clone(), machine.loader.clone());
        // All threads that this one starts, the server's among them, stay on its processor.
        std::thread::spawn(move || {
            stay_on_one_processor();
            let machine = Machine {
                loader,
                images,
                backend,
            };
            let program = machine.kernels(Options::default());
            let stream = program.create_stream().expect("a stream");
            let parameters = Parameters::new().with(200u32);
            // SAFETY: the kernel takes a number.
            let launch = unsafe { program.launch("base_calls", WARP, parameters.bytes(), Some(stream)) };
            let launch = launch.expect("it starts");
            wait(&program, &launch, stream);
            launch.wait().expect("it ends");
            let _ = done.send(());
        });
        ended
            .recv_timeout(DEADLINE)
            .unwrap_or_else(|_| panic!("{name}: the calls were never answered"));
    }
}

/// Keeps the calling thread, and those that it starts from now on, on the first processor that it may use.
fn stay_on_one_processor() {
    let size = size_of::<libc::cpu_set_t>();
    // SAFETY: the sets are ours and have this size; zeros are an empty set.
    unsafe {
        let (mut allowed, mut one): (libc::cpu_set_t, libc::cpu_set_t) = (std::mem::zeroed(), std::mem::zeroed());
        assert_eq!(libc::sched_getaffinity(0, size, &mut allowed), 0);
        let first = (0..libc::CPU_SETSIZE as usize).find(|&cpu| libc::CPU_ISSET(cpu, &allowed));
        libc::CPU_SET(first.expect("a processor"), &mut one);
        assert_eq!(libc::sched_setaffinity(0, size, &one), 0);
    }
}

/// A kernel that computes for seconds and then makes a call: what the server's threads take meanwhile, and how soon they answer.
#[test]
fn a_kernel_that_computes_costs_what_the_documentation_says() {
    let Some(machine) = Machine::find() else { return };
    let folder = env::temp_dir().join(format!("gpu-computes-{}", std::process::id()));
    fs::create_dir_all(&folder).expect("a folder");
    let (silence, threads) = (Duration::from_secs(4), 4);
    let child = Command::new(&machine.loader)
        .args([
            "--backend",
            &machine.backend,
            "--timeout",
            "60",
            "--server-threads",
            &threads.to_string(),
        ])
        .args(["--dir", &format!("{}::/data", folder.display())])
        .arg(machine.image("hangs"))
        .arg(silence.as_millis().to_string())
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .spawn()
        .expect("it can be started");
    await_that("the kernel never began", || folder.join("done").exists());
    // What came before is not part of the silence.
    std::thread::sleep(silence / 8);
    let (start, before) = (Instant::now(), time_of_servers(child.id()));
    std::thread::sleep(silence / 2);
    let share = (time_of_servers(child.id()) - before) / start.elapsed().as_secs_f64();
    let output = child.wait_with_output().expect("it ends");
    fs::remove_dir_all(&folder).expect("it can be removed");
    let text = String::from_utf8(output.stdout).expect("text");
    assert_eq!(output.status.code(), Some(0), "{text}");
    let answered = text
        .trim()
        .strip_prefix("answered after ")
        .and_then(|rest| rest.strip_suffix(" us"));
    let answered: u64 = answered.and_then(|number| number.parse().ok()).expect("a number");
    println!("{threads} threads take {share:.2} of a core in silence, and answer after {answered} us");
    // On a GPU one of them looks, for all; on the emulator all sleep for 50 us between looks.
    assert!(
        share < if machine.is_emulated() { 0.4 } else { 1.1 },
        "{share} of a core"
    );
    // A machine that is not busy takes some microseconds; a busy one may take its time.
    assert!(answered < 100_000, "{answered} us");
}

/// Processor time that the threads of a process took that serve calls, in seconds.
fn time_of_servers(process: u32) -> f64 {
    let tasks = fs::read_dir(format!("/proc/{process}/task")).expect("it runs");
    let mut servers = 0;
    let nanoseconds: u64 = tasks
        .filter_map(|task| {
            let task = task.ok()?.path();
            let name = fs::read_to_string(task.join("comm")).ok()?;
            name.starts_with("rpc-server").then_some(())?;
            servers += 1;
            let times = fs::read_to_string(task.join("schedstat")).ok()?;
            times.split(' ').next()?.parse::<u64>().ok()
        })
        .sum();
    assert!(servers > 0, "nobody serves");
    nanoseconds as f64 / 1e9
}

#[test]
fn what_nothing_defines_is_named() {
    let Some(machine) = Machine::find() else { return };
    let path = env::temp_dir().join(format!("undefined-{}.ptx", std::process::id()));
    let text = "
        .version 7.8
        .target sm_70
        .address_size 64
        .extern .func nobody_has_this();
        .visible .entry _start(.param .u32 a, .param .u64 b, .param .u64 c, .param .u64 d)
        {
            call.uni nobody_has_this, ();
            ret;
        }
    ";
    fs::write(&path, text).expect("a file");
    let output = machine.run(&[], &[], path.clone(), &[]);
    let _ = fs::remove_file(path);
    let stderr = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(126), "{stderr}");
    assert!(
        stderr.contains("nobody_has_this") && !stderr.contains("panicked"),
        "{stderr}"
    );
}

#[test]
fn output_appears_although_nobody_waits() {
    let Some(machine) = Machine::find() else { return };
    let host = Arc::new(RecordingHost::default());
    let options = Options {
        host: host.clone(),
        ..Options::default()
    };
    let program = machine.kernels(options);
    let parameters = Parameters::new().with(3u32);
    // SAFETY: the kernel takes a number.
    let launch = unsafe { program.launch("put_lines", WARP, parameters.bytes(), None) };
    let launch = launch.expect("it starts");
    await_that("the lines never came", || host.seen().stdout.len() == 3 * 32 * 33);
    launch.wait().expect("it ends");
}

/// A copy on the stream of a kernel that waits for its calls, which are answered only once the copy has been asked for.
#[test]
fn a_copy_behind_a_launch_finishes_as_the_launch_does() {
    let Some(machine) = Machine::find() else { return };
    let is_queued = Arc::new(AtomicBool::new(false));
    let mut options = Options::default();
    options.registry.on_call(Opcode::TEST_INCREMENT, {
        let is_queued = is_queued.clone();
        move |_, buffer| {
            while !is_queued.load(Ordering::Acquire) {
                std::thread::sleep(Duration::from_millis(1));
            }
            buffer.data[0] += 1;
        }
    });
    let program = machine.kernels(options);
    let device = program.device().clone();
    let word = device.alloc_device(4).expect("memory");
    device.write(word, &7u32.to_le_bytes()).expect("a copy");
    let stream = program.create_stream().expect("a stream");
    let parameters = Parameters::new().with(300u32);
    // SAFETY: the kernel takes a number.
    let launch = unsafe { program.launch("base_calls", WARP, parameters.bytes(), Some(stream)) };
    let launch = launch.expect("it starts");
    // Pinned memory: from other memory a driver may copy before it returns, which is after the kernel.
    let to = device.alloc_shared(4).expect("memory");
    // SAFETY: the memory has four bytes, which nobody else touches before the copy has ended.
    unsafe { device.start_read(stream, word, to.host, 4) }.expect("a copy");
    assert_eq!(
        device.copies_are_done(stream),
        Ok(false),
        "the copy did not wait for the kernel"
    );
    assert_eq!(
        launch.wait_for(Duration::ZERO),
        Ok(false),
        "the kernel did not wait for its calls"
    );
    // A copy on another stream waits for nobody.
    let mut bytes = [0; 4];
    device.read(word, &mut bytes).expect("a copy");
    assert_eq!(u32::from_le_bytes(bytes), 7);
    is_queued.store(true, Ordering::Release);
    await_that("the copy never ended", || {
        device.copies_are_done(stream).expect("no fault")
    });
    // SAFETY: the copy has ended.
    assert_eq!(unsafe { to.host.cast::<u32>().read_volatile() }, 7);
    await_that("the kernel never ended", || {
        launch.wait_for(Duration::from_millis(1)).expect("no fault")
    });
}

#[test]
fn two_servers_keep_their_handlers_apart() {
    let Some(machine) = Machine::find() else { return };
    let programs: Vec<_> = (0..2)
        .map(|_| {
            let calls = Arc::new(AtomicU32::new(0));
            let mut options = Options::default();
            let counter = calls.clone();
            // Each its own function for the same opcode; both add 1, as the kernel checks.
            options.registry.on_call(Opcode::TEST_INCREMENT, move |_, buffer| {
                counter.fetch_add(1, Ordering::Relaxed);
                buffer.data[0] += 1;
            });
            (calls, machine.kernels(options))
        })
        .collect();
    let launches: Vec<_> = [5u32, 9]
        .iter()
        .zip(&programs)
        .map(|(&count, (_, program))| {
            let parameters = Parameters::new().with(count);
            // SAFETY: the kernel takes a number.
            unsafe { program.launch("express_calls", WARP, parameters.bytes(), None) }.expect("it starts")
        })
        .collect();
    for launch in launches {
        launch.wait().expect("it ends");
    }
    let seen: Vec<u32> = programs
        .iter()
        .map(|(calls, _)| calls.load(Ordering::Relaxed))
        .collect();
    assert_eq!(seen, [5 * 32, 9 * 32]);
}

/// The driver's free waits for all kernels, such as the one that has called the function and waits for it.
#[test]
fn a_function_that_frees_memory_is_not_waited_for_and_both_end() {
    let Some(machine) = Machine::find() else { return };
    let host = Arc::new(RecordingHost::default());
    let memory: Arc<OnceLock<(Arc<dyn Device>, u64)>> = Arc::default();
    let freed = Arc::new(Mutex::new(Vec::new()));
    let mut functions = HostFunctions::new();
    functions.set_patience(Duration::from_secs(1));
    functions.register("add", {
        let (memory, freed) = (memory.clone(), freed.clone());
        move |_| {
            let (device, address) = memory.get().expect("it is there before the kernel");
            // SAFETY: no kernel knows this memory.
            let result = unsafe { device.free_device(*address) };
            freed.lock().unwrap().push(result.is_ok());
            Ok(0i64)
        }
    });
    let options = Options {
        host: host.clone(),
        registry: Services::with_functions(Grants::none(), functions).registry(),
        stack_bytes: 32 << 10,
        ..Options::default()
    };
    let program = machine.load("host_calls", options);
    let device = program.device().clone();
    let address = device.alloc_device(4096).expect("memory");
    assert!(memory.set((device, address)).is_ok());
    let one = LaunchShape {
        block: [1, 1, 1],
        ..WARP
    };
    let ended = program.run(&["host_calls".to_owned()], &[""; 0], one).expect("it runs");
    assert!(matches!(ended, Ended::Returned(code) if code != 0), "{ended:?}");
    let stderr = String::from_utf8(host.seen().stderr).expect("text");
    assert!(stderr.contains("the function has not returned for 1000 ms"), "{stderr}");
    // The kernel has ended, and so the driver has freed.
    await_that("the memory was never freed", || *freed.lock().unwrap() == [true]);
}
