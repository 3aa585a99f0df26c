//! A loaded image whose kernels can be run, and the life of a whole program.

mod checks;
mod held;
mod launch;

use std::collections::HashMap;
use std::ffi::OsStr;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use host_server::offload::{Attachment, Growth, Running, Serve, Settings};
use host_server::{Exit, Fault, Host, Idle, Registry, Server, StdHost, services};

use crate::calls::OnDevice;
use crate::device::{Device, Global, KernelId, LaunchShape, ModuleId, Resources, StreamId};
use crate::error::{Error, Result};
use crate::image::{Format, Image};
use crate::near;
use crate::parameters::Parameters;
use crate::runtime::Runtime;
use crate::startup::{self, ArgumentBlock};
use crate::symbols::{self, Symbols};

pub(crate) use held::Held;
pub use launch::Launch;

/// How long a `malloc` that finds the heap used up waits for more of the device's memory.
const MALLOC_PATIENCE: Duration = Duration::from_secs(2);

/// How a program is loaded and served.
#[derive(Clone)]
pub struct Options {
    /// Ports of the shared region, 1 to 4096: calls that can be under way at once, of one warp
    /// each.
    pub ports: u32,
    /// Slots for express calls, up to 1048576: warps that can make one at the same time without waiting for each other. 0
    /// offers none.
    pub express_slots: u32,
    /// One launch at a time, of no more warps than there are slots: the loader refuses others, and calls need no lock.
    pub one_launch: bool,
    /// Host threads that answer calls.
    pub server_threads: usize,
    /// Stack of each device thread, bytes.
    pub stack_bytes: usize,
    /// Device memory reserved for `malloc`, bytes; 0 leaves it to the host.
    pub heap_bytes: u64,
    /// Whether `malloc` gets more of the device's memory when that is used up, or null.
    pub heap_grows: bool,
    /// Streams, files and the like, as the program sees them.
    pub host: Arc<dyn Host>,
    /// Who answers which call.
    pub registry: Registry,
}

impl Default for Options {
    /// For launches that are not known yet, any number side by side: `gpu-loader`, which has one launch and knows its shape,
    /// takes ports and slots by its warps. Stack, heap and the rest are as there without options. The program gets this
    /// process's own streams and no grants.
    fn default() -> Options {
        Options {
            ports: 512,
            express_slots: 512,
            one_launch: false,
            server_threads: 1,
            stack_bytes: 8 << 10,
            heap_bytes: 64 << 20,
            heap_grows: true,
            host: Arc::new(StdHost::new(None)),
            registry: services::standard(),
        }
    }
}

/// How a program ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Ended {
    /// All kernels returned; the results of `main`, OR-ed over all threads.
    Returned(i32),
    /// A thread called `exit` or `quick_exit`. The kernel may still run.
    Exited(i32),
    /// A thread called `abort`. The kernel may still run.
    Aborted,
}

impl Ended {
    /// The exit code of a process that ended so.
    pub fn exit_code(self) -> u8 {
        match self {
            Ended::Returned(value) | Ended::Exited(value) => crate::exit::of_value(value),
            Ended::Aborted => crate::exit::FAULT,
        }
    }
}

impl From<Exit> for Ended {
    fn from(exit: Exit) -> Ended {
        match exit {
            Exit::Status(status) => Ended::Exited(status),
            Exit::Abort => Ended::Aborted,
        }
    }
}

/// A kernel of a loaded image.
#[derive(Debug, Clone, Copy)]
struct Kernel {
    id: KernelId,
    resources: Resources,
}

/// An image on a device, its calls being served. Clones are the same program.
///
/// Calls are served by threads of their own from loading to dropping, whoever launches and
/// whether or not anybody waits.
#[derive(Clone)]
pub struct Program {
    inner: Arc<Inner>,
}

struct Inner {
    device: Arc<dyn Device>,
    /// For launches that name no other.
    stream: StreamId,
    /// Others that were made for it.
    streams: Mutex<Vec<StreamId>>,
    module: ModuleId,
    image: String,
    format: Format,
    symbols: Symbols,
    kernels: HashMap<String, Kernel>,
    calls: Option<Attachment>,
    /// Freed with the program.
    held: Mutex<Held>,
    /// The number of slots, if there is one launch at a time.
    one_launch: Option<u32>,
    /// Launches that have not been seen to end.
    running: AtomicU32,
    /// A kernel ended in the middle of a call.
    has_cut_off: AtomicBool,
    /// The kernel that [`Program::run`] is busy with, for messages.
    phase: Mutex<&'static str>,
}

impl Program {
    /// Loads an image: all its kernels, so that nothing is left to be loaded while one runs, its
    /// constructors, and the service for its calls if it makes any.
    pub fn load(runtime: &Runtime, image: &Image, options: Options) -> Result<Program> {
        let device = runtime.device.clone();
        let about = |error| match error {
            Error::Image(text) if !text.starts_with(&image.name) => Error::Image(format!("{}: {text}", image.name)),
            other => other,
        };
        let code = image.select(device.properties(), runtime.emulated)?;
        let symbols = Symbols::of(code, &image.name)?;
        symbols.check_protocol(&image.name)?;
        device.set_stack_size(options.stack_bytes)?;
        let module = device.load(&code.bytes).map_err(about)?;
        let stream = device.create_stream().inspect_err(|_| drop(device.unload(module)))?;
        // From here on, what was loaded and allocated is given back when something fails.
        let mut inner = Inner {
            stream,
            streams: Mutex::default(),
            module,
            device,
            image: image.name.clone(),
            format: code.format,
            symbols,
            kernels: HashMap::new(),
            calls: None,
            held: Mutex::default(),
            one_launch: (options.one_launch && options.express_slots > 0).then_some(options.express_slots),
            running: AtomicU32::new(0),
            has_cut_off: AtomicBool::new(false),
            phase: Mutex::new(symbols::BEGIN),
        };
        inner.load_kernels()?;
        let held = inner.held.get_mut().unwrap_or_else(|poison| poison.into_inner());
        startup::build_callback_arrays(&*inner.device, inner.module, &inner.symbols, held).map_err(about)?;
        startup::store_clock_frequency(&*inner.device, inner.module)?;
        if inner.symbols.global(symbols::CLIENT).is_some() {
            let settings = Settings {
                express_slots: options.express_slots,
                exclusive: options.one_launch,
                heap_bytes: options.heap_bytes,
                growth: match options.heap_grows {
                    true => Growth::Within(MALLOC_PATIENCE),
                    false => Growth::Never,
                },
                serve: Serve::Threads {
                    count: options.server_threads,
                    // An emulated device needs the processor that the server would take.
                    idle: match runtime.emulated {
                        true => Idle::Sleep(Duration::from_micros(50)),
                        false => Idle::Adapt,
                    },
                },
                host: options.host,
                registry: options.registry,
            };
            let near = match runtime.emulated {
                true => Vec::new(),
                false => near::cpus(&inner.device.properties().bus),
            };
            inner.calls = Some(inner.attach(options.ports, near, settings).map_err(about)?);
        }
        Ok(Program { inner: Arc::new(inner) })
    }

    /// The device that it was loaded to.
    pub fn device(&self) -> &Arc<dyn Device> {
        &self.inner.device
    }

    /// What kind of code was chosen from the image.
    pub fn format(&self) -> Format {
        self.inner.format
    }

    /// The server that answers its calls; `None` if it makes none.
    pub fn server(&self) -> Option<&Server> {
        self.inner.calls.as_ref().map(Attachment::server)
    }

    /// Finds a variable of the image.
    pub fn global(&self, name: &str) -> Result<Option<Global>> {
        self.inner.device.global(self.inner.module, name)
    }

    /// Names of its kernels, in the order of the image, and what they need.
    pub fn kernels(&self) -> impl Iterator<Item = (&str, Resources)> {
        self.inner.symbols.kernels().filter_map(|name| {
            let kernel = self.inner.kernels.get(name)?;
            Some((name, kernel.resources))
        })
    }

    /// How the program wishes to end, if it does. Stays set.
    pub fn wish_to_end(&self) -> Option<Ended> {
        self.inner.calls.as_ref()?.wish().map(Ended::from)
    }

    /// Whether the device asked for a service that nobody here knows.
    pub fn met_unknown_opcode(&self) -> bool {
        self.server().is_some_and(Server::met_unknown_opcode)
    }

    /// Whether a kernel that came to its own end left a call in the middle: its client and our server do not mean the same by it.
    pub fn has_cut_off_a_call(&self) -> bool {
        self.inner.has_cut_off.load(Ordering::Relaxed)
    }

    /// Which startup kernel [`Program::run`] is busy with.
    pub fn phase(&self) -> &'static str {
        *self.inner.phase.lock().unwrap_or_else(|poison| poison.into_inner())
    }

    /// Passes on what the program wrote so far. Bounded in time even if kernels go on calling, or nobody reads.
    pub fn flush(&self) {
        if let Some(calls) = &self.inner.calls {
            calls.flush();
        }
    }

    /// Makes a stream: launches on different ones run side by side. It lives as long as the program.
    pub fn create_stream(&self) -> Result<StreamId> {
        let stream = self.inner.device.create_stream()?;
        let mut streams = self.inner.streams.lock().unwrap_or_else(|poison| poison.into_inner());
        streams.push(stream);
        Ok(stream)
    }

    /// Runs the whole program once: `_begin` with one thread, `_start` with `shape`, `_end` with
    /// one thread. `args` includes the program's name, `env` holds `NAME=VALUE`.
    ///
    /// A later run needs the image loaded again, as its variables are what the first one left.
    pub fn run(&self, args: &[impl AsRef<OsStr>], env: &[impl AsRef<OsStr>], shape: LaunchShape) -> Result<Ended> {
        let inner = &*self.inner;
        if !inner.symbols.has_kernel(symbols::START) {
            return Err(Error::Image(self.without_start()));
        }
        self.check_shape(symbols::START, shape)?;
        let mut held = Held::default();
        let ended = self.run_with(&mut held, args, env, shape);
        if let Ok(Ended::Returned(_)) = ended {
            // SAFETY: all kernels that were given these addresses have ended.
            unsafe { held.free(&*inner.device) };
        } else {
            // A kernel may still use it.
            inner
                .held
                .lock()
                .unwrap_or_else(|poison| poison.into_inner())
                .append(held);
        }
        ended
    }

    /// Runs the whole program with memory that is put into `held`.
    fn run_with(
        &self,
        held: &mut Held,
        args: &[impl AsRef<OsStr>],
        env: &[impl AsRef<OsStr>],
        shape: LaunchShape,
    ) -> Result<Ended> {
        let inner = &*self.inner;
        let device = &*inner.device;
        let block = ArgumentBlock::new(device, args, env)?;
        held.shared.push(block.memory);
        let result = device.alloc_device(size_of::<i32>())?;
        held.device.push(result);
        device.write(result, &0i32.to_le_bytes())?;
        let phases = [
            (symbols::BEGIN, LaunchShape::SINGLE, block.arguments.of_begin()),
            (symbols::START, shape, block.arguments.of_start(result)),
            (symbols::END, LaunchShape::SINGLE, Parameters::new()),
        ];
        for (name, shape, parameters) in phases {
            // Images without constructors and at_exit may do without the first and the last.
            if !inner.kernels.contains_key(name) {
                continue;
            }
            *inner.phase.lock().unwrap_or_else(|poison| poison.into_inner()) = name;
            // SAFETY: the parameters are those that the startup kernels are defined to take; they
            // point to memory that the caller frees when no kernel runs any more.
            let launch = unsafe { self.launch(name, shape, parameters.bytes(), None)? };
            if let Some(exit) = launch.wait_or_exit()? {
                return Ok(exit);
            }
        }
        let mut value = [0; 4];
        device.read(result, &mut value)?;
        Ok(Ended::Returned(i32::from_le_bytes(value)))
    }

    /// Runs one kernel alone, one that takes no parameters, without startup code.
    pub fn run_kernel(&self, kernel: &str, shape: LaunchShape) -> Result<Ended> {
        if self.inner.symbols.takes_parameters(kernel) {
            return Err(Error::Host(format!(
                "kernel {kernel} takes parameters, which nobody would give it; launch it from a program of your own (see the loader's documentation)"
            )));
        }
        // SAFETY: there are no parameters, as far as the image tells; a device refuses a launch that lacks them.
        let launch = unsafe { self.launch(kernel, shape, &[], None)? };
        Ok(launch.wait_or_exit()?.unwrap_or(Ended::Returned(0)))
    }

    fn without_start(&self) -> String {
        let kernels: Vec<&str> = self.inner.symbols.kernels().take(8).collect();
        let image = &self.inner.image;
        match kernels.first() {
            None => format!(
                "{image}: has no kernel {} and no other; is it a library? A program needs an entry point (see the README)",
                symbols::START
            ),
            Some(first) => format!(
                "{image}: has no kernel {}, only {}; give the program an entry point, or run one kernel alone with --kernel {first}",
                symbols::START,
                kernels.join(", ")
            ),
        }
    }

    /// Launches one kernel, on `stream` or on the program's own.
    ///
    /// # Safety
    /// `args` holds the kernel's parameters, each at its natural alignment, and what they point to
    /// stays valid until the launch has ended.
    pub unsafe fn launch(
        &self,
        kernel: &str,
        shape: LaunchShape,
        args: &[u8],
        stream: Option<StreamId>,
    ) -> Result<Launch> {
        self.check_shape(kernel, shape)?;
        let inner = &*self.inner;
        let id = inner.kernels[kernel].id;
        self.claim_launch(kernel, shape)?;
        let running = inner.calls.as_ref().map(Attachment::kernel);
        // SAFETY: passed on to the caller.
        let launched = unsafe { inner.device.launch(stream.unwrap_or(inner.stream), id, shape, args) };
        match launched {
            Ok(id) => Ok(Launch::begun(self.clone(), kernel, id, running)),
            Err(error) => {
                inner.ended(running);
                Err(inner.name_kernel(kernel, error))
            }
        }
    }
}

impl Inner {
    fn load_kernels(&mut self) -> Result<()> {
        for name in self.symbols.kernels() {
            if let Some(id) = self.device.kernel(self.module, name)? {
                let resources = self.device.resources(id)?;
                self.kernels.insert(name.to_string(), Kernel { id, resources });
            }
        }
        Ok(())
    }

    /// How many lanes the packets are laid out for: those that run together in the main kernel.
    fn lanes(&self) -> u32 {
        let main = self.kernels.get(symbols::START).or(self.kernels.values().next());
        main.map_or(self.device.properties().lane_size, |kernel| kernel.resources.lane_size)
    }

    /// Has the image's calls served.
    fn attach(&self, ports: u32, near: Vec<usize>, settings: Settings) -> Result<Attachment> {
        let image = OnDevice {
            device: self.device.clone(),
            module: self.module,
            ports,
            lanes: self.lanes(),
            near,
        };
        Attachment::attach(Arc::new(image), settings)?.ok_or_else(|| {
            Error::Image(format!(
                "makes calls, but its variable {} is not exported; build it again with default symbol visibility",
                symbols::CLIENT
            ))
        })
    }

    /// One launch less runs, as soon as what it left behind is served.
    /// The call that it was in the middle of is the answer.
    fn ended(&self, running: Option<Running>) -> Option<Fault> {
        let cut_off = running.and_then(Running::end);
        self.running.fetch_sub(1, Ordering::AcqRel);
        cut_off
    }

    /// A kernel has come to its own end, but not all calls have to theirs.
    fn cut_off(&self, fault: &Fault) {
        let Some(calls) = &self.calls else { return };
        // After an exit lanes leave wherever they are.
        if calls.wish().is_none() {
            self.has_cut_off.store(true, Ordering::Relaxed);
            calls.server().host().fault(fault);
        }
    }

    fn name_kernel(&self, kernel: &str, error: Error) -> Error {
        match error {
            Error::Fault(text) => Error::Fault(format!("{}: kernel {kernel} failed: {text}", self.image)),
            Error::Host(text) => Error::Host(format!("kernel {kernel}: {text}")),
            other => other,
        }
    }
}

impl Drop for Inner {
    fn drop(&mut self) {
        if self.running.load(Ordering::Acquire) > 0 {
            // A kernel that cannot be stopped goes on using all this, so it stays until the process ends. Its calls are
            // served: the launch has forgotten to say that it ended.
            return;
        }
        // Errors are those of a device that failed before; there is nobody to tell.
        self.calls = None;
        let held = self.held.get_mut().unwrap_or_else(|poison| poison.into_inner());
        // SAFETY: no kernel runs, and no later one can find the image.
        unsafe { held.free(&*self.device) };
        let streams = self.streams.get_mut().unwrap_or_else(|poison| poison.into_inner());
        for &stream in streams.iter().chain([&self.stream]) {
            let _ = self.device.destroy_stream(stream);
        }
        let _ = self.device.unload(self.module);
    }
}

#[cfg(test)]
mod tests;
