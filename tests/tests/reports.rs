//! What users of comparable systems reported, as far as it takes more than a program and its output to try: see
//! `docs/reported-faults.md` for the whole list.
//!
//! `GPU_LOADER`, `GPU_IMAGES` and `GPU_BACKEND` are those of `programs`; without them there is nothing to run.

use std::path::PathBuf;
use std::process::{Command, Output, Stdio};
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Arc, Mutex, OnceLock};
use std::time::{Duration, Instant};
use std::{env, fs};

use host_server::functions::HostFunctions;
use host_server::services::Services;
use host_server::{Grants, Opcode, RecordingHost};
use loader::device::Device;
use loader::device::LaunchShape;
use loader::image::Image;
use loader::runtime::Backend;
use loader::{Ended, Options, Parameters, Program, Runtime};

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

#[test]
fn a_copy_behind_a_launch_finishes_as_the_launch_does() {
    let Some(machine) = Machine::find() else { return };
    let program = machine.kernels(Options::default());
    let device = program.device().clone();
    let word = device.alloc_device(4).expect("memory");
    device.write(word, &7u32.to_le_bytes()).expect("a copy");
    let parameters = Parameters::new().with(300u32);
    // SAFETY: the kernel takes a number.
    let launch = unsafe { program.launch("base_calls", WARP, parameters.bytes(), None) };
    let launch = launch.expect("it starts");
    let mut bytes = [0; 4];
    device.read(word, &mut bytes).expect("a copy");
    assert_eq!(u32::from_le_bytes(bytes), 7);
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
