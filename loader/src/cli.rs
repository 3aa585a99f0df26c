//! The program `gpu-loader`.

mod options;
mod signals;

use std::ffi::OsString;
use std::io::Write;
use std::sync::Arc;
use std::sync::mpsc::{self, RecvTimeoutError};
use std::time::{Duration, Instant};

use host_server::services::Services;

use crate::device::{LaunchShape, Properties};
use crate::error::{Error, Result};
use crate::exit;
use crate::image::Image;
use crate::program::Program;
use crate::runtime::{self, Backend, Runtime};
use options::Options;

/// How often the main thread looks for Ctrl-C.
const GLANCE: Duration = Duration::from_millis(10);
/// How long the launching thread may take to see that the program wishes to end.
const PATIENCE: Duration = Duration::from_millis(250);
/// How long an early end waits for the readers of our output.
const LAST_FLUSH: Duration = Duration::from_secs(1);

/// Runs `gpu-loader` and ends the process.
pub fn main() -> ! {
    let options = Options::from_command_line(std::env::args_os());
    // The program gets the environment as it was given to us.
    let environment = options.environment();
    prepare_environment(&options);
    signals::catch();
    let code = run(&options, environment).unwrap_or_else(|error| {
        complain(&error.to_string());
        error.exit_code()
    });
    end(code)
}

/// Ends the process without tearing the driver down, which could wait for a running kernel for
/// ever. Everything was flushed.
fn end(code: u8) -> ! {
    // SAFETY: ends the process; no destructor has anything left to do.
    unsafe { libc::_exit(i32::from(code)) }
}

/// One line on stderr, or several where the emulator explains a fault. A closed stderr is survived.
fn complain(text: &str) {
    let line = format!("gpu-loader: {}\n", text.trim_end().replace('\n', "\n  "));
    let _ = std::io::stderr().lock().write_all(line.as_bytes());
}

fn prepare_environment(options: &Options) {
    // SAFETY: no other thread exists yet.
    unsafe {
        // Functions that are loaded at first use would wait for the kernel that waits for them.
        if std::env::var_os("CUDA_MODULE_LOADING").is_none() {
            std::env::set_var("CUDA_MODULE_LOADING", "EAGER");
        }
        if let Some(seed) = options.seed {
            std::env::set_var("GPU_EMULATOR_SEED", seed.to_string());
        }
    }
}

fn run(options: &Options, environment: Vec<OsString>) -> Result<u8> {
    if options.list_devices {
        list_devices(options.backend);
        return Ok(0);
    }
    // clap demands it unless devices are listed.
    let Some(path) = &options.image else {
        return Ok(exit::LOADER_FAILED);
    };
    let say = |text: &str| {
        if options.verbose {
            complain(text);
        }
    };
    let start = Instant::now();
    let image = Image::open(path)?;
    let services = Services::new(options.grants()?);
    let _alone = options.llvm.no_parallelism.then(lock_machine).transpose()?;
    let runtime = Runtime::open(&image, options.backend, options.device)?;
    if let Some(notice) = &runtime.notice {
        complain(notice);
    }
    say(&format!(
        "device {} after {:.0?}",
        describe(runtime.device.properties()),
        start.elapsed()
    ));
    let shape = options.shape();
    let program = load(&runtime, &image, options, shape, &services)?;
    say(&format!(
        "loaded {} as {:?} with {} after {:.0?}",
        image.name,
        program.format(),
        match program.server() {
            Some(server) => format!("{} ports", server.layout().ports()),
            None => "no calls".into(),
        },
        start.elapsed()
    ));
    if options.print_resource_usage {
        print_resource_usage(&program);
    }
    let ended = watch(&program, options, environment, shape);
    // However it ended, its files get what was written to them.
    services.flush();
    let code = ended?;
    say(&format!("ended with {code} after {:.0?}", start.elapsed()));
    Ok(code)
}

fn load(
    runtime: &Runtime,
    image: &Image,
    options: &Options,
    shape: LaunchShape,
    services: &Arc<Services>,
) -> Result<Program> {
    let lanes = u64::from(runtime.device.properties().lane_size.max(1));
    let blocks: u64 = shape.grid.iter().map(|&blocks| u64::from(blocks)).product();
    let warps = shape.threads_per_block().div_ceil(lanes).saturating_mul(blocks);
    let express_slots = options.express_slots.unwrap_or(warps.min(16_384) as u32);
    let settings = crate::Options {
        ports: options.ports.unwrap_or(warps.clamp(64, 4096) as u32),
        express_slots,
        one_launch: u64::from(express_slots) >= warps,
        server_threads: usize::from(options.server_threads),
        stack_bytes: usize::try_from(options.stack_size).unwrap_or(usize::MAX),
        heap_bytes: options.heap_size,
        registry: services.registry(),
        ..crate::Options::default()
    };
    Program::load(runtime, image, settings)
}

/// Runs the program in a thread of its own and waits for the first of: its end, its wish to end,
/// the watchdog, Ctrl-C.
fn watch(program: &Program, options: &Options, environment: Vec<OsString>, shape: LaunchShape) -> Result<u8> {
    let (done, result) = mpsc::channel();
    let worker = {
        let program = program.clone();
        let kernel = options.kernel.clone();
        let mut args: Vec<OsString> = vec![program_name(options)];
        args.extend(options.args.iter().cloned());
        move || {
            let ended = match kernel {
                None => program.run(&args, &environment, shape),
                Some(kernel) => program.run_kernel(&kernel, shape),
            };
            // The main thread may have decided to end meanwhile.
            let _ = done.send(ended);
        }
    };
    if options.kernel.is_some() && !options.args.is_empty() {
        return Err(Error::Host(
            "a kernel run with --kernel takes no arguments; leave them out".into(),
        ));
    }
    std::thread::Builder::new()
        .name("launch".into())
        .spawn(worker)
        .map_err(|error| Error::Host(format!("cannot start a thread: {error}")))?;

    let deadline = options.timeout.map(|timeout| Instant::now() + timeout);
    let ended = loop {
        if let Some(signal) = signals::received() {
            flush_briefly(program);
            complain(&format!("stopped by signal {signal}"));
            return Ok(exit::of_signal(signal));
        }
        let now = Instant::now();
        if deadline.is_some_and(|deadline| now >= deadline) {
            flush_briefly(program);
            complain(&format!(
                "timeout: {} still ran after {} s; raise --timeout if that is too short",
                running_kernel(program, options),
                options.timeout.unwrap_or_default().as_secs_f64()
            ));
            return Ok(exit::TIMEOUT);
        }
        let nap = deadline.map_or(GLANCE, |deadline| GLANCE.min(deadline - now));
        match result.recv_timeout(nap) {
            Ok(ended) => break ended?,
            Err(RecvTimeoutError::Timeout) => {}
            Err(RecvTimeoutError::Disconnected) => {
                return Err(Error::Host("the launching thread failed; please report this".into()));
            }
        }
        if let Some(wish) = program.wish_to_end() {
            // The worker sees it too and lets the kernel end in order, unless it hangs in a call
            // of the driver, as launches do with CUDA_LAUNCH_BLOCKING=1.
            match result.recv_timeout(PATIENCE) {
                Ok(ended) => break ended?,
                Err(_) => {
                    flush_briefly(program);
                    break wish;
                }
            }
        }
    };
    let code = ended.exit_code();
    if code == 0 && program.met_unknown_opcode() {
        return Ok(exit::CANNOT_RUN);
    }
    Ok(code)
}

fn running_kernel(program: &Program, options: &Options) -> String {
    match &options.kernel {
        Some(kernel) => format!("kernel {kernel}"),
        None => format!("kernel {}", program.phase()),
    }
}

/// Passes on what the program wrote. A reader that takes nothing does not keep the process from ending.
fn flush_briefly(program: &Program) {
    let (done, flushed) = mpsc::channel();
    let program = program.clone();
    let flush = move || {
        program.flush();
        let _ = done.send(());
    };
    if std::thread::Builder::new().name("flush".into()).spawn(flush).is_ok() {
        let _ = flushed.recv_timeout(LAST_FLUSH);
    }
}

/// `argv[0]`, the image as it was given.
fn program_name(options: &Options) -> OsString {
    options.image.clone().unwrap_or_default().into_os_string()
}

fn describe(device: &Properties) -> String {
    format!(
        "{}: {} ({}), {} multiprocessors, {} MiB",
        device.ordinal,
        device.name,
        device.architecture,
        device.multiprocessors,
        device.memory_bytes >> 20
    )
}

fn list_devices(backend: Backend) {
    let mut out = String::new();
    for (name, devices) in runtime::list(backend) {
        match devices {
            Ok(devices) => {
                for device in devices {
                    out += &format!("{name} {}\n", describe(&device));
                }
            }
            Err(error) => out += &format!("{name} {error}\n"),
        }
    }
    let _ = std::io::stdout().lock().write_all(out.as_bytes());
}

fn print_resource_usage(program: &Program) {
    for (name, needs) in program.kernels() {
        complain(&format!(
            "kernel {name}: {} registers, {} bytes of shared memory, {} bytes of stack, at most {} threads per block",
            needs.registers, needs.shared_bytes, needs.stack_bytes, needs.max_threads_per_block
        ));
    }
}

/// Waits until no other `gpu-loader --no-parallelism` runs. The lock is on this program's file and
/// ends with the process.
fn lock_machine() -> Result<std::fs::File> {
    let problem = |error| Error::Host(format!("cannot wait for other processes: {error}"));
    let path = std::env::current_exe().map_err(problem)?;
    let file = std::fs::File::open(path).map_err(problem)?;
    file.lock().map_err(problem)?;
    Ok(file)
}
