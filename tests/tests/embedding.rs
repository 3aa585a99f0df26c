//! Programs that embed the loader and register what their kernels call: functions by name, which `programs/host_calls.rs` calls from
//! every lane, and an opcode that is slow, behind which `programs/rust_and_c.rs` prints.
//!
//! Runs where `GPU_LOADER` and `GPU_IMAGES` say where loader and images are, as the other tests of device programs do.

use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, AtomicU32, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, Once};
use std::time::Duration;
use std::{env, fs, io, thread};

use host_server::bulk::{BY_PORT, Parts};
use host_server::functions::{CallError, HostFunctions};
use host_server::services::{self, Services};
use host_server::{Exit, Grants, Host, Opcode, RecordingHost, Registry, STREAM_LIMIT, Stream};
use loader::device::LaunchShape;
use loader::image::Image;
use loader::runtime::Backend;
use loader::{Ended, Options, Runtime};

/// The images of this program that the machine runs; `None` where nobody has said where they are.
fn images(program: &str) -> Option<Vec<PathBuf>> {
    static EMULATOR: Once = Once::new();
    let (Some(loader), Some(folder)) = (env::var_os("GPU_LOADER"), env::var_os("GPU_IMAGES")) else {
        eprintln!("embedding: nothing to run: GPU_LOADER and GPU_IMAGES are not set; `cargo xtask test e2e` sets them");
        return None;
    };
    EMULATOR.call_once(|| {
        if env::var_os("GPU_EMULATOR_DIR").is_none() {
            // SAFETY: each test of this program begins here, and the others wait.
            unsafe { env::set_var("GPU_EMULATOR_DIR", Path::new(&loader).with_file_name("emulator")) };
        }
    });
    let entries = fs::read_dir(folder).unwrap();
    let mut images: Vec<_> = entries.map(|entry| entry.unwrap().path()).collect();
    images.retain(|path| {
        let name = path.file_name().unwrap().to_string_lossy();
        name.split('.').next() == Some(program)
    });
    images.sort();
    assert!(!images.is_empty(), "no image of {program} in GPU_IMAGES");
    Some(images)
}

/// Runs an image with one argument, which must work out. What it wrote: standard output and standard error.
fn run(path: &Path, blocks: u32, threads: u32, argument: &str, registry: Registry) -> (String, String) {
    let host = Arc::new(RecordingHost::default());
    let ended = run_on(Arc::clone(&host) as _, path, blocks, threads, argument, registry);
    let seen = host.seen();
    let [stdout, stderr] = [&seen.stdout, &seen.stderr].map(|bytes| String::from_utf8_lossy(bytes).into_owned());
    assert_eq!(ended, Ended::Returned(0), "{}: {stdout}{stderr}", path.display());
    (stdout, stderr)
}

fn run_on(host: Arc<dyn Host>, path: &Path, blocks: u32, threads: u32, argument: &str, registry: Registry) -> Ended {
    let options = Options {
        host,
        registry,
        // One may be busy.
        server_threads: 2,
        // Unoptimised formatting takes more than the default.
        stack_bytes: 32 << 10,
        ..Options::default()
    };
    let image = Image::parse(path.display().to_string(), &fs::read(path).unwrap()).unwrap();
    let program = Runtime::open(&image, backend(), 0)
        .unwrap()
        .load(&image, options)
        .unwrap();
    let shape = LaunchShape {
        grid: [blocks, 1, 1],
        block: [threads, 1, 1],
        shared_bytes: 0,
    };
    let arguments = ["program".to_owned(), argument.to_owned()];
    program.run(&arguments, &[""; 0], shape).unwrap()
}

/// Whose devices the tests run on.
fn backend() -> Backend {
    match env::var("GPU_BACKEND").as_deref() {
        Ok("cuda") => Backend::Cuda,
        Ok("hsa") => Backend::Hsa,
        Ok("auto") => Backend::Auto,
        _ => Backend::Emulator,
    }
}

#[test]
fn kernels_call_functions_by_their_names() {
    for path in images("host_calls").unwrap_or_default() {
        for (blocks, threads) in [(1, 1), (1, 32), (2, 40)] {
            call_functions(&path, blocks, threads);
        }
    }
}

fn call_functions(path: &Path, blocks: u32, threads: u32) {
    let notes = Arc::new(Mutex::new(Vec::new()));
    let mut grants = Grants::none();
    grants.host_call();
    let services = Services::with_functions(grants, functions(Arc::clone(&notes)));
    let address = sum as *const () as u64;
    let (stdout, _) = run(path, blocks, threads, &address.to_string(), services.registry());
    let count = u64::from(blocks * threads);
    let mut lines: Vec<_> = stdout.lines().collect();
    let mut expected: Vec<_> = (0..count).map(|index| format!("thread {index} ok, words")).collect();
    lines.sort_unstable();
    expected.sort_unstable();
    assert_eq!(lines, expected, "{}", path.display());
    let mut notes = notes.lock().unwrap().clone();
    notes.sort_unstable();
    // Once for the call that is right, and once for the one that expects a result and is told so when the function has run.
    assert_eq!(notes, (0..count).flat_map(|index| [index; 2]).collect::<Vec<_>>());
}

/// One of two server threads is kept busy with a message, so that what comes behind it by express is late; the other one answers
/// calls on ports at once. C's `printf` takes a port: it must not overtake what the same thread printed before.
#[test]
fn what_one_thread_prints_keeps_its_order_behind_a_slow_message() {
    for path in images("rust_and_c").unwrap_or_default() {
        for (blocks, threads) in [(1, 1), (2, 40)] {
            let mut registry = services::standard();
            registry.on_call(Opcode::new(b'x', 1), |lane, _| {
                // Once for a warp: its lanes send together, or nearly.
                if lane == 0 {
                    thread::sleep(Duration::from_millis(50));
                }
            });
            let (stdout, stderr) = run(&path, blocks, threads, "slow", registry);
            check_order(&stdout, blocks * threads, 4);
            check_order(&stderr, blocks * threads, 2);
        }
    }
}

/// Short transfers are asked for by express, and once more by port where the host answers so.
#[test]
fn transfers_that_are_sent_back_go_by_port() {
    for path in images("bulk").unwrap_or_default() {
        for (blocks, threads) in [(1, 1), (2, 33)] {
            let asked = Arc::new(AtomicU32::new(0));
            transfer(&path, "back", blocks, threads, |registry| {
                for opcode in [Opcode::BULK_WRITE, Opcode::BULK_READ] {
                    let asked = Arc::clone(&asked);
                    registry.on_express(opcode, move |_, message| {
                        asked.fetch_add(message.mask.count_ones(), Ordering::Relaxed);
                        message.map_row(0, |_, _| BY_PORT);
                    });
                }
            });
            // Each thread's line, and what it wrote to its file and read from it.
            let least = 4 * blocks * threads;
            let asked = asked.load(Ordering::Relaxed);
            assert!(asked >= least, "{}: asked {asked} times, not {least}", path.display());
        }
    }
}

/// A driver that frees or loads may wait for the kernel that waits for a copy: then no copy may wait for that call.
#[test]
fn transfers_go_on_while_other_programs_come_and_go() {
    let Some(path) = images("bulk").and_then(|images| images.into_iter().find(|path| path.ends_with("bulk.ptx")))
    else {
        return;
    };
    let others = images("no_calls").unwrap_or_default();
    let other = others.iter().find(|path| path.ends_with("no_calls.ptx")).unwrap();
    let done = AtomicBool::new(false);
    let image = Image::parse("no_calls".to_owned(), &fs::read(other).unwrap()).unwrap();
    let runtime = Runtime::open(&image, backend(), 0).unwrap();
    thread::scope(|scope| {
        let come_and_go = scope.spawn(|| {
            let mut times = 0;
            while !done.load(Ordering::Relaxed) {
                drop(runtime.load(&image, Options::default()).unwrap());
                times += 1;
            }
            times
        });
        for _ in 0..4 {
            transfer(&path, "go", 2, 33, |_| ());
        }
        done.store(true, Ordering::Relaxed);
        assert!(come_and_go.join().unwrap() > 0);
    });
}

/// Runs the program that transfers much, with a folder of its own, and looks at what each thread wrote.
fn transfer(path: &Path, folder: &str, blocks: u32, threads: u32, change: impl FnOnce(&mut Registry)) {
    let folder = env::temp_dir().join(format!("transfers-{folder}-{}", std::process::id()));
    fs::create_dir_all(&folder).unwrap();
    let mut grants = Grants::none();
    grants.directory(&folder, Some(Path::new("/data"))).unwrap();
    let mut registry = Services::new(grants).registry();
    change(&mut registry);
    let (stdout, _) = run(path, blocks, threads, "", registry);
    fs::remove_dir_all(&folder).unwrap();
    let mut lines: Vec<_> = stdout.lines().collect();
    lines.sort_unstable();
    let mut expected: Vec<_> = (0..blocks * threads).map(|index| format!("{index:-<6000}")).collect();
    expected.sort_unstable();
    assert!(lines == expected, "{}", path.display());
}

/// Counts what is written.
#[derive(Default)]
struct Counter {
    stdout: AtomicU64,
    stderr: AtomicU64,
}

impl Host for Counter {
    fn may_wait(&self) -> bool {
        false
    }
    fn write(&self, stream: Stream, bytes: &[u8]) -> io::Result<()> {
        let written = match stream {
            Stream::Stdout => &self.stdout,
            Stream::Stderr => &self.stderr,
        };
        written.fetch_add(bytes.len() as u64, Ordering::Relaxed);
        Ok(())
    }
    fn write_parts(&self, stream: Stream, parts: &mut dyn Parts) -> io::Result<()> {
        while let Some(part) = parts.next()? {
            self.write(stream, part)?;
        }
        Ok(())
    }
    fn flush(&self) -> io::Result<()> {
        Ok(())
    }
    fn read_stdin(&self, _: &mut [u8]) -> io::Result<usize> {
        Ok(0)
    }
    fn allocate(&self, _: u64) -> Option<u64> {
        None
    }
    fn free(&self, _: u64) -> Result<(), String> {
        Ok(())
    }
    fn exit(&self, _: Exit) {}
    fn report(&self, message: &str) {
        eprintln!("{message}");
    }
}

/// Beyond what one call moves, writes are several calls, and still say how much they wrote.
#[test]
fn a_text_of_more_than_a_call_takes_is_written_whole() {
    let size = STREAM_LIMIT + 1000;
    // One is enough, as a gigabyte takes its time.
    for path in images("rust_and_c").into_iter().flatten() {
        if path.file_name().unwrap() != "rust_and_c.ptx" {
            continue;
        }
        let host = Arc::new(Counter::default());
        let ended = run_on(Arc::clone(&host) as _, &path, 1, 1, "long", services::standard());
        assert_eq!(ended, Ended::Returned(0));
        let written = [&host.stdout, &host.stderr].map(|written| written.load(Ordering::Relaxed));
        assert_eq!(written, [size, size]);
    }
}

/// Each of so many threads has written so many lines, `THREAD STEP …`, in their order.
fn check_order(text: &str, threads: u32, steps: u32) {
    let mut next = vec![0; threads as usize];
    for line in text.lines() {
        let mut numbers = line.split(' ').map(|word| word.parse::<u32>());
        let (Some(Ok(thread)), Some(Ok(step))) = (numbers.next(), numbers.next()) else {
            panic!("a broken line: {line:?}");
        };
        assert_eq!(
            step, next[thread as usize],
            "thread {thread} wrote out of order:\n{text}"
        );
        next[thread as usize] += 1;
    }
    assert!(next.iter().all(|&count| count == steps), "lines are missing:\n{text}");
}

/// What the device program calls by its address.
extern "C" fn sum(words: *const u64) -> u64 {
    // SAFETY: the device program sends two words.
    unsafe { words.read_unaligned() + words.add(1).read_unaligned() }
}

/// What the device program calls by name.
fn functions(notes: Arc<Mutex<Vec<u64>>>) -> HostFunctions {
    let mut functions = HostFunctions::new();
    functions.register("add", |arguments| {
        let small = i64::from(arguments.value::<u8>()?) + i64::from(arguments.value::<i8>()?);
        let short = i64::from(arguments.value::<u16>()?) + i64::from(arguments.value::<i16>()?);
        let plain = i64::from(arguments.value::<u32>()?) + i64::from(arguments.value::<i32>()?);
        let long = arguments.value::<u64>()? as i64 + arguments.value::<i64>()?;
        let floats = f64::from(arguments.value::<f32>()?) + arguments.value::<f64>()?;
        let one = i64::from(arguments.value::<bool>()?);
        Ok(small + short + plain + long + floats as i64 + one)
    });
    functions.register("scale", |arguments| {
        let factor = arguments.value::<f32>()?;
        let input = arguments.slice::<f32>()?;
        let output = arguments.slice_mut::<f32>()?;
        let both = arguments.slice_mut::<u16>()?;
        let text = arguments.text()?;
        if text != format!("thread {} 漢", input.len()) || output.len() != input.len() {
            return Err(CallError::Failed(format!("this is not what was sent: {text}")));
        }
        for (to, from) in output.iter_mut().zip(input) {
            *to = factor * from;
        }
        both.iter_mut().for_each(|value| *value += 1);
        Ok(input.len() as u32)
    });
    functions.register("note", move |arguments| {
        let value = arguments.value::<u64>()?;
        // Before anything is done: a call with more arguments than these has not been made.
        arguments.end()?;
        notes.lock().unwrap().push(value);
        Ok(())
    });
    functions.register("fail", |arguments| {
        let value = arguments.value::<u64>()?;
        Err::<(), _>(CallError::Failed(format!("no {value} today")))
    });
    functions
}
