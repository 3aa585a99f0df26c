//! One program on one device, from opening the device to its exit code.

use std::ffi::OsString;
use std::sync::mpsc::{self, Receiver, Sender};
use std::sync::{Arc, Once};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use host_server::Host;
use host_server::services::Services;

use super::lines::Lines;
use super::{Options, complain, describe, in_brief, print_resource_usage};
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
    /// Where its output ends up.
    streams: Arc<dyn Host>,
    order: Order,
    verbose: bool,
    started: Instant,
    state: State,
}

enum State {
    Loaded,
    Running(Run),
    Ended(u8),
}

/// A program under way.
struct Run {
    launching: JoinHandle<()>,
    result: Receiver<Result<Ended>>,
    sender: Sender<Result<Ended>>,
    wish: Wish,
}

/// What is known of a program's own wish to end.
enum Wish {
    None,
    Since(Instant),
    /// The launching thread does not return: what was written is being passed on without it.
    Flushing,
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
        let mut grants = options.grants()?;
        grants.environment(&order.environment);
        let services = Services::new(grants);
        let runtime = Runtime::open(image, options.backend, order.device)?;
        if let Some(notice) = &runtime.notice {
            // True of all devices, and said once.
            static SAID: Once = Once::new();
            SAID.call_once(|| complain(notice));
        }
        say(format!(
            "device {} after {:.0?}",
            describe(runtime.device.properties()),
            started.elapsed()
        ));
        let lines = order.tag.clone().map(|tag| Arc::new(Lines::new(streams.clone(), tag)));
        let host = match &lines {
            Some(lines) => lines.clone(),
            None => streams.clone(),
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
            streams,
            order,
            verbose: options.verbose,
            started,
            state: State::Loaded,
        })
    }

    /// Runs the program in a thread of its own: it can be stuck in a call of the driver.
    pub fn start(&mut self, options: &Options) -> Result<()> {
        let (sender, result) = mpsc::channel();
        let done = sender.clone();
        let program = self.program.clone();
        let environment = std::mem::take(&mut self.order.environment);
        let shape = options.shape();
        let kernel = options.kernel.clone();
        let mut args: Vec<OsString> = vec![options.image.clone().unwrap_or_default().into_os_string()];
        args.extend(options.args.iter().cloned());
        let (services, lines, streams) = (self.services.clone(), self.lines.clone(), self.streams.clone());
        let launch = move || {
            let ended = match kernel {
                None => program.run(&args, &environment, shape),
                Some(kernel) => program.run_kernel(&kernel, shape),
            };
            pass_on_last_words(&services, lines.as_deref(), &*streams);
            // The main thread may have decided to end meanwhile.
            let _ = done.send(ended);
        };
        let launching = std::thread::Builder::new()
            .name("launch".into())
            .spawn(launch)
            .map_err(|error| Error::Host(format!("cannot start a thread: {error}")))?;
        self.state = State::Running(Run {
            launching,
            result,
            sender,
            wish: Wish::None,
        });
        Ok(())
    }

    /// Waits for the program's end, no longer than `timeout`; its exit code if it has ended.
    pub fn wait(&mut self, timeout: Duration) -> Option<u8> {
        let mut run = match std::mem::replace(&mut self.state, State::Loaded) {
            State::Running(run) => run,
            other => {
                let code = match &other {
                    State::Ended(code) => Some(*code),
                    _ => None,
                };
                self.state = other;
                return code;
            }
        };
        let ended = match run.result.recv_timeout(timeout) {
            Ok(ended) => ended,
            Err(_) if run.launching.is_finished() => match run.result.try_recv() {
                Ok(ended) => ended,
                Err(_) => Err(Error::Host("the launching thread failed; please report this".into())),
            },
            Err(_) => {
                self.look_for_wish(&mut run);
                self.state = State::Running(run);
                return None;
            }
        };
        let code = self.finish(ended);
        self.state = State::Ended(code);
        Some(code)
    }

    /// The launching thread sees the program's wish to end too and lets the kernel end in order, unless it hangs in a call of
    /// the driver, as launches do with CUDA_LAUNCH_BLOCKING=1.
    fn look_for_wish(&self, run: &mut Run) {
        let Some(wish) = self.program.wish_to_end() else { return };
        match run.wish {
            Wish::None => run.wish = Wish::Since(Instant::now()),
            Wish::Since(start) if start.elapsed() > PATIENCE => {
                let sender = run.sender.clone();
                let flushing = self.flush_then(move || {
                    let _ = sender.send(Ok(wish));
                });
                if flushing {
                    run.wish = Wish::Flushing;
                }
            }
            _ => {}
        }
    }

    fn finish(&self, ended: Result<Ended>) -> u8 {
        match ended {
            Err(error) => {
                complain(&in_brief(&format!("{}{error}", self.order.name), self.verbose));
                error.exit_code()
            }
            Ok(ended) => match ended.exit_code() {
                0 if self.program.met_unknown_opcode() || self.program.has_cut_off_a_call() => exit::CANNOT_RUN,
                code => code,
            },
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
        let _ = self.flush_then(move || {
            let _ = done.send(());
        });
        // Without a thread the channel is closed at once.
        let _ = flushed.recv_timeout(LAST_FLUSH);
    }

    /// Passes on what the program wrote, on a thread of its own, as it takes as long as the readers take. Whether there is
    /// such a thread.
    fn flush_then(&self, then: impl FnOnce() + Send + 'static) -> bool {
        let (program, services) = (self.program.clone(), self.services.clone());
        let (lines, streams) = (self.lines.clone(), self.streams.clone());
        let flush = move || {
            program.flush();
            pass_on_last_words(&services, lines.as_deref(), &*streams);
            then();
        };
        std::thread::Builder::new().name("flush".into()).spawn(flush).is_ok()
    }
}

/// However a program ended, its files get what was written to them, and its last line is shown, as long as that takes.
fn pass_on_last_words(services: &Services, lines: Option<&Lines>, streams: &dyn Host) {
    services.flush();
    if let Some(lines) = lines {
        lines.end();
    }
    // Nobody is left to be told that nobody reads.
    let _ = streams.finish(Duration::MAX);
}

fn load(
    runtime: &Runtime,
    image: &Image,
    options: &Options,
    services: &Arc<Services>,
    host: Arc<dyn Host>,
) -> Result<Program> {
    let warps = options.shape().warps(runtime.device.properties().lane_size);
    let express_slots = options.express_slots.unwrap_or(warps.min(16_384) as u32);
    let defaults = crate::Options::default();
    let settings = crate::Options {
        ports: options.ports.unwrap_or(warps.clamp(64, 4096) as u32),
        express_slots,
        one_launch: u64::from(express_slots) >= warps,
        server_threads: usize::from(options.server_threads),
        stack_bytes: usize::try_from(options.stack_size).unwrap_or(usize::MAX),
        heap_bytes: options.heap_size.unwrap_or(defaults.heap_bytes),
        heap_grows: options.heap_size.is_none(),
        registry: services.registry(),
        host,
    };
    Program::load(runtime, image, settings)
}
