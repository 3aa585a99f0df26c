//! A program that embeds the loader and registers functions for its kernels to call: `programs/host_calls.rs` calls them from every lane.
//!
//! Runs where `GPU_LOADER` and `GPU_IMAGES` say where loader and images are, as the other tests of device programs do.

use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};
use std::{env, fs};

use host_server::functions::{CallError, HostFunctions};
use host_server::services::Services;
use host_server::{Grants, RecordingHost};
use loader::device::LaunchShape;
use loader::image::Image;
use loader::runtime::Backend;
use loader::{Ended, Options, Runtime};

/// The images of `host_calls` that this machine runs.
fn images(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).unwrap();
    let mut images: Vec<_> = entries.map(|entry| entry.unwrap().path()).collect();
    images.retain(|path| {
        let name = path.file_name().unwrap().to_string_lossy().into_owned();
        name.starts_with("host_calls.")
    });
    images.sort();
    images
}

#[test]
fn kernels_call_functions_by_their_names() {
    let (Some(loader), Some(folder)) = (env::var_os("GPU_LOADER"), env::var_os("GPU_IMAGES")) else {
        eprintln!("embedding: nothing to run: GPU_LOADER and GPU_IMAGES are not set; `cargo xtask test e2e` sets them");
        return;
    };
    if env::var_os("GPU_EMULATOR_DIR").is_none() {
        // SAFETY: the only test of this program; no other thread reads the environment yet.
        unsafe { env::set_var("GPU_EMULATOR_DIR", Path::new(&loader).with_file_name("emulator")) };
    }
    let images = images(Path::new(&folder));
    assert!(!images.is_empty(), "no image of host_calls in GPU_IMAGES");
    for image in images {
        for (blocks, threads) in [(1, 1), (1, 32), (2, 40)] {
            run(&image, blocks, threads);
        }
    }
}

fn run(path: &Path, blocks: u32, threads: u32) {
    let notes = Arc::new(Mutex::new(Vec::new()));
    let host = Arc::new(RecordingHost::default());
    let mut grants = Grants::none();
    grants.host_call();
    let services = Services::with_functions(grants, functions(Arc::clone(&notes)));
    let options = Options {
        host: Arc::clone(&host) as _,
        registry: services.registry(),
        // Unoptimised formatting takes more than the default.
        stack_bytes: 32 << 10,
        ..Options::default()
    };
    let image = Image::parse(path.display().to_string(), &fs::read(path).unwrap()).unwrap();
    let backend = match env::var("GPU_BACKEND").as_deref() {
        Ok("cuda") => Backend::Cuda,
        Ok("hsa") => Backend::Hsa,
        Ok("auto") => Backend::Auto,
        _ => Backend::Emulator,
    };
    let program = Runtime::open(&image, backend, 0)
        .unwrap()
        .load(&image, options)
        .unwrap();
    let shape = LaunchShape {
        grid: [blocks, 1, 1],
        block: [threads, 1, 1],
        shared_bytes: 0,
    };
    let address = sum as *const () as u64;
    let ended = program
        .run(&["host_calls".to_owned(), address.to_string()], &[""; 0], shape)
        .unwrap();
    let seen = host.seen();
    let (stdout, stderr) = (
        String::from_utf8_lossy(&seen.stdout),
        String::from_utf8_lossy(&seen.stderr),
    );
    assert_eq!(ended, Ended::Returned(0), "{}: {stdout}{stderr}", path.display());
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
