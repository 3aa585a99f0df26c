//! One program on one device, from opening the device to its exit code.

use std::ffi::OsString;
use std::sync::Arc;
use std::sync::mpsc::{self, Receiver, RecvTimeoutError};
use std::time::{Duration, Instant};

use host_server::Host;
use host_server::services::Services;

use super::lines::Lines;
use super::{Options, complain, describe, print_resource_usage};
use crate::device::LaunchShape;
use crate::error::{Error, Result};
use crate::exit;
use crate::image::Image;
use crate::program::{Ended, Program};
use crate::runtime::Runtime;

/// How long the launching thread may take to see that the program wishes to end.
const PATIENCE: Duration = Duration::from_millis(250);
/// How long an early end waits for the readers of our output.
const LAST_FLUSH: Duration = Duration::from_secs(1);

/// What a device is to run.
pub(super) struct Order {
    /// The device's number.
    pub device: usize,
    /// Goes before messages about it; empty where there is only one.
    pub name: String,
    /// Goes before each line of output, if it is to be kept apart from others.
    pub tag: Option<String>,
    /// `NAME=VALUE` each.
    pub environment: Vec<OsString>,
}

/// A program that was loaded.
pub(super) struct Job {
    program: Program,
    services: Arc<Services>,
    lines: Option<Arc<Lines>>,
    order: Order,
    started: Instant,
    state: State,
}

enum State {
    Loaded,
    /// The launching thread sends how it ended. The program may have wished to end meanwhile.
    Running(Receiver<Result<Ended>>, Option<Instant>),
    Ended(u8),
}

impl Job {
    /// Opens the device and loads the image.
    pub fn load(order: Order, image: &Image, options: &Options, streams: Arc<dyn Host>) -> Result<Job> {
        let started = Instant::now();
        let say = |text: String| {
            if options.verbose {
                complain(&format!("{}{text}", order.name));
            }
        };
        let services = Services::new(options.grants()?);
        let runtime = Runtime::open(image, options.backend, order.device)?;
        if let Some(notice) = &runtime.notice {
            complain(&format!("{}{notice}", order.name));
        }
        say(format!(
            "device {} after {:.0?}",
            describe(runtime.device.properties()),
            started.elapsed()
        ));
        let lines = order.tag.clone().map(|tag| Arc::new(Lines::new(streams.clone(), tag)));
        let host = match &lines {
            Some(lines) => lines.clone(),
            None => streams,
        };
        let program = load(&runtime, image, options, &services, host)?;
        say(format!(
            "loaded {} as {:?} with {} after {:.0?}",
            image.name,
            program.format(),
            match program.server() {
                Some(server) => format!("{} ports", server.layout().ports()),
                None => "no calls".into(),
            },
            started.elapsed()
        ));
        if options.print_resource_usage {
            print_resource_usage(&program);
        }
        Ok(Job {
            program,
            services,
            lines,
            order,
            started,
            state: State::Loaded,
        })
    }

    /// Runs the program in a thread of its own: it can be stuck in a call of the driver.
    pub fn start(&mut self, options: &Options) -> Result<()> {
        let (done, result) = mpsc::channel();
        let program = self.program.clone();
        let environment = std::mem::take(&mut self.order.environment);
        let shape = options.shape();
        let kernel = options.kernel.clone();
        let mut args: Vec<OsString> = vec![options.image.clone().unwrap_or_default().into_os_string()];
        args.extend(options.args.iter().cloned());
        let launch = move || {
            let ended = match kernel {
                None => program.run(&args, &environment, shape),
                Some(kernel) => program.run_kernel(&kernel, shape),
            };
            // The main thread may have decided to end meanwhile.
            let _ = done.send(ended);
        };
        std::thread::Builder::new()
            .name("launch".into())
            .spawn(launch)
            .map_err(|error| Error::Host(format!("cannot start a thread: {error}")))?;
        self.state = State::Running(result, None);
        Ok(())
    }

    /// Waits for the program's end, no longer than `timeout`; its exit code if it has ended.
    pub fn wait(&mut self, timeout: Duration) -> Option<u8> {
        let (result, wished) = match &mut self.state {
            State::Ended(code) => return Some(*code),
            State::Loaded => return None,
            State::Running(result, wished) => (result, wished),
        };
        let ended = match result.recv_timeout(timeout) {
            Ok(ended) => ended,
            Err(RecvTimeoutError::Disconnected) => {
                Err(Error::Host("the launching thread failed; please report this".into()))
            }
            // The launching thread sees the wish too and lets the kernel end in order, unless it hangs in a call of the
            // driver, as launches do with CUDA_LAUNCH_BLOCKING=1.
            Err(RecvTimeoutError::Timeout) => {
                let wish = self.program.wish_to_end()?;
                if wished.get_or_insert_with(Instant::now).elapsed() < PATIENCE {
                    return None;
                }
                self.flush_briefly();
                Ok(wish)
            }
        };
        let code = self.finish(ended);
        self.state = State::Ended(code);
        Some(code)
    }

    fn finish(&self, ended: Result<Ended>) -> u8 {
        // However it ended, its files get what was written to them.
        self.services.flush();
        if let Some(lines) = &self.lines {
            lines.finish();
            let _ = lines.flush();
        }
        match ended {
            Err(error) => {
                complain(&format!("{}{error}", self.order.name));
                error.exit_code()
            }
            Ok(ended) if ended.exit_code() == 0 && self.program.met_unknown_opcode() => exit::CANNOT_RUN,
            Ok(ended) => ended.exit_code(),
        }
    }

    /// Whether it has been started and has not ended.
    pub fn is_running(&self) -> bool {
        matches!(self.state, State::Running(..))
    }

    /// How long ago its device was opened.
    pub fn age(&self) -> Duration {
        self.started.elapsed()
    }

    /// The kernel that it is busy with, with the device where there are several.
    pub fn what_runs(&self, options: &Options) -> String {
        let kernel = options.kernel.as_deref().unwrap_or(self.program.phase());
        format!("{}kernel {kernel}", self.order.name)
    }

    /// Passes on what the program wrote, as it will not be waited for. A reader that takes nothing does not keep the
    /// process from ending.
    pub fn flush_briefly(&self) {
        let (done, flushed) = mpsc::channel();
        let (program, services, lines) = (self.program.clone(), self.services.clone(), self.lines.clone());
        let flush = move || {
            program.flush();
            services.flush();
            if let Some(lines) = lines {
                lines.finish();
                let _ = lines.flush();
            }
            let _ = done.send(());
        };
        if std::thread::Builder::new().name("flush".into()).spawn(flush).is_ok() {
            let _ = flushed.recv_timeout(LAST_FLUSH);
        }
    }
}

fn load(
    runtime: &Runtime,
    image: &Image,
    options: &Options,
    services: &Arc<Services>,
    host: Arc<dyn Host>,
) -> Result<Program> {
    let warps = warps(options.shape(), runtime.device.properties().lane_size);
    let express_slots = options.express_slots.unwrap_or(warps.min(16_384) as u32);
    let settings = crate::Options {
        ports: options.ports.unwrap_or(warps.clamp(64, 4096) as u32),
        express_slots,
        one_launch: u64::from(express_slots) >= warps,
        server_threads: usize::from(options.server_threads),
        stack_bytes: usize::try_from(options.stack_size).unwrap_or(usize::MAX),
        heap_bytes: options.heap_size,
        registry: services.registry(),
        host,
    };
    Program::load(runtime, image, settings)
}

/// How many warps a launch has.
fn warps(shape: LaunchShape, lane_size: u32) -> u64 {
    let blocks: u64 = shape.grid.iter().map(|&blocks| u64::from(blocks)).product();
    let lanes = u64::from(lane_size.max(1));
    shape.threads_per_block().div_ceil(lanes).saturating_mul(blocks)
}
