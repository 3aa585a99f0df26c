//! The program `gpu-loader`.

mod job;
mod lines;
mod options;
mod signals;

use std::ffi::OsString;
use std::io::Write;
use std::sync::Arc;
use std::time::{Duration, Instant};

use host_server::{Host, StdHost};

use crate::device::Properties;
use crate::error::{Error, Result};
use crate::exit;
use crate::image::Image;
use crate::launcher::Rank;
use crate::program::Program;
use crate::runtime::{self, Backend, Runtime};
use job::{Job, Order};
use options::{Devices, Options};

/// How often the main thread looks for Ctrl-C.
const GLANCE: Duration = Duration::from_millis(10);

/// Runs `gpu-loader` and ends the process.
pub fn main() -> ! {
    let options = Options::from_command_line(std::env::args_os());
    // The program gets the environment as it was given to us.
    let environment = options.environment();
    prepare_environment(&options);
    signals::catch();
    let code = run(&options, environment).unwrap_or_else(|error| {
        complain(&in_brief(&error.to_string(), options.verbose));
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

/// An error in one line: whence the emulator's faults were called is for those who ask.
fn in_brief(error: &str, verbose: bool) -> String {
    match error.trim_end().split_once('\n') {
        Some((line, _)) if !verbose => format!("{line}; -v shows the calls that led there"),
        _ => error.to_owned(),
    }
}

/// One line on stderr, or several where there is more to say. A closed stderr is survived.
fn complain(text: &str) {
    let line = format!("gpu-loader: {}\n", text.trim_end().replace('\n', "\n  "));
    let _ = std::io::stderr().lock().write_all(line.as_bytes());
}

fn prepare_environment(options: &Options) {
    for (name, value) in variables(options, |name| std::env::var_os(name).is_some()) {
        // SAFETY: no other thread exists yet.
        unsafe { std::env::set_var(name, value) };
    }
}

/// What drivers are to find in the environment beside what the user has set.
fn variables(options: &Options, is_set: impl Fn(&str) -> bool) -> Vec<(&'static str, String)> {
    let mut variables = Vec::new();
    // Functions that are loaded at first use would wait for the kernel that waits for them.
    if !is_set("CUDA_MODULE_LOADING") {
        variables.push(("CUDA_MODULE_LOADING", "EAGER".to_owned()));
    }
    variables.extend(options.seed.map(|seed| ("GPU_EMULATOR_SEED", seed.to_string())));
    variables
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
    if options.kernel.is_some() && !options.args.is_empty() {
        return Err(Error::Host(
            "a kernel run with --kernel takes no arguments; leave them out".into(),
        ));
    }
    let image = Image::open(path)?;
    let _alone = options.llvm.no_parallelism.then(lock_machine).transpose()?;
    let orders = orders(options, &image, environment)?;
    // Ranks share a terminal, or the launcher's pipe.
    let streams: Arc<dyn Host> = match Rank::from_environment() {
        Some(_) => Arc::new(StdHost::in_whole_lines()),
        None => Arc::new(StdHost::new(None)),
    };
    let mut jobs = load_all(orders, &image, options, &streams)?;
    for job in &mut jobs {
        job.start(options)?;
    }
    let code = watch(&mut jobs, options);
    if options.verbose {
        let age = jobs.iter().map(Job::age).max().unwrap_or_default();
        complain(&format!("ended with {code} after {age:.0?}"));
    }
    // To give back what the end of this process gives back at once takes a driver longer than a short program runs.
    std::mem::forget(jobs);
    Ok(code)
}

/// What each device is to run, and what it finds in its environment beside what the user gives.
fn orders(options: &Options, image: &Image, environment: Vec<OsString>) -> Result<Vec<Order>> {
    let rank = Rank::from_environment();
    let devices = choose_devices(options, image, rank)?;
    let several = devices.len() > 1;
    let order = |(position, device): (usize, usize)| {
        let (number, size) = match rank {
            Some(rank) => (rank.rank as usize, rank.size as usize),
            None => (position, devices.len()),
        };
        let mut given = vec![("GPU_DEVICE", device)];
        if rank.is_some() || options.devices.is_some() {
            given.extend([("GPU_RANK", number), ("GPU_WORLD_SIZE", size)]);
        }
        let mut environment = environment.clone();
        for (name, value) in given {
            // What the user says with --env counts; what was inherited is another process's.
            let prefix = format!("{name}=");
            let is_it = |pair: &OsString| pair.as_encoded_bytes().starts_with(prefix.as_bytes());
            if !options.env.iter().any(is_it) {
                environment.retain(|pair| !is_it(pair));
                environment.push(format!("{prefix}{value}").into());
            }
        }
        let tag = match (options.tag_output, rank) {
            (false, _) => several.then(String::new),
            (true, Some(rank)) if several => Some(format!("[{}.{device}] ", rank.rank)),
            (true, Some(rank)) => Some(format!("[{}] ", rank.rank)),
            (true, None) => Some(format!("[{device}] ")),
        };
        Order {
            device,
            name: if several {
                format!("device {device}: ")
            } else {
                String::new()
            },
            tag,
            environment,
        }
    };
    Ok(devices.iter().copied().enumerate().map(order).collect())
}

fn choose_devices(options: &Options, image: &Image, rank: Option<Rank>) -> Result<Vec<usize>> {
    let present = || Runtime::count(image, options.backend);
    Ok(match (&options.devices, options.device, rank) {
        (Some(Devices::These(devices)), ..) => devices.clone(),
        // Where there is none, opening the first one says why.
        (Some(Devices::All), ..) => (0..present()?.max(1)).collect(),
        (None, Some(device), _) => vec![device],
        (None, None, Some(Rank { local, .. })) if local > 0 => vec![local as usize % present()?.max(1)],
        (None, None, _) => vec![0],
    })
}

/// Loads the image to all devices at once. If one of them fails nothing runs.
fn load_all(orders: Vec<Order>, image: &Image, options: &Options, streams: &Arc<dyn Host>) -> Result<Vec<Job>> {
    let names: Vec<String> = orders.iter().map(|order| order.name.clone()).collect();
    let loaded: Vec<Result<Job>> = std::thread::scope(|scope| {
        let load = |order| Job::load(order, image, options, streams.clone());
        let threads: Vec<_> = orders
            .into_iter()
            .map(|order| scope.spawn(move || load(order)))
            .collect();
        let failed = |_| Err(Error::Host("loading failed; please report this".into()));
        threads
            .into_iter()
            .map(|thread| thread.join().unwrap_or_else(failed))
            .collect()
    });
    let mut first = None;
    let mut jobs = Vec::new();
    for (result, name) in loaded.into_iter().zip(names) {
        match result {
            Ok(job) => jobs.push(job),
            Err(error) if first.is_none() => first = Some(error.within(&name)),
            Err(error) => complain(&in_brief(&error.within(&name).to_string(), options.verbose)),
        }
    }
    first.map_or(Ok(jobs), Err)
}

/// Waits for the first of: the end of all programs, the watchdog, Ctrl-C. The exit code of them all.
fn watch(jobs: &mut [Job], options: &Options) -> u8 {
    // A time beyond what the clock counts never comes.
    let deadline = options.timeout.and_then(|timeout| Instant::now().checked_add(timeout));
    loop {
        if let Some(signal) = signals::received() {
            flush_all(jobs);
            complain(&format!("stopped by signal {signal}"));
            return exit::of_signal(signal);
        }
        let now = Instant::now();
        if deadline.is_some_and(|deadline| now >= deadline) {
            flush_all(jobs);
            let running: Vec<_> = jobs.iter().filter(|job| job.is_running()).collect();
            let running: Vec<_> = running.iter().map(|job| job.what_runs(options)).collect();
            complain(&format!(
                "timeout: {} still ran after {} s; raise --timeout if that is too short",
                running.join(", "),
                options.timeout.unwrap_or_default().as_secs_f64()
            ));
            return exit::TIMEOUT;
        }
        let mut nap = deadline.map_or(GLANCE, |deadline| GLANCE.min(deadline - now));
        let mut code = Some(0);
        for job in jobs.iter_mut() {
            let running = job.is_running();
            code = job.wait(nap).zip(code).map(|(one, all)| one | all);
            if running {
                // One wait for each glance.
                nap = Duration::ZERO;
            }
        }
        if let Some(code) = code {
            return code;
        }
    }
}

/// Passes on what the programs wrote that are not waited for.
fn flush_all(jobs: &mut [Job]) {
    std::thread::scope(|scope| {
        for job in jobs.iter_mut().filter(|job| job.is_running()) {
            scope.spawn(move || job.flush_briefly());
        }
    });
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn functions_are_loaded_with_their_module_unless_the_user_says_otherwise() {
        let options = Options::from_command_line(["gpu-loader", "image"].map(OsString::from));
        let eager = ("CUDA_MODULE_LOADING", "EAGER".to_owned());
        assert_eq!(variables(&options, |_| false), [eager]);
        assert_eq!(variables(&options, |name| name == "CUDA_MODULE_LOADING"), []);
    }

    #[test]
    fn errors_are_one_line_unless_more_is_asked_for() {
        let error = "trap, in down (PTX line 9)\n  called from _start (PTX line 20)";
        let line = "trap, in down (PTX line 9); -v shows the calls that led there";
        assert_eq!(in_brief(error, false), line);
        assert_eq!(in_brief(error, true), error);
        assert_eq!(in_brief("no such file\n", false).trim_end(), "no such file");
    }
}
