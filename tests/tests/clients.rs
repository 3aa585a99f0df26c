//! Whether the tests would notice a client that is wrong: broken ones must be caught by some schedule, the right one must pass all.
//!
//! `programs/clients.rs` has them as kernels, two broken ones for machines whose lanes part and two for those in lockstep, where the
//! first two are right. Each runs under one seed of the emulator's scheduler after the other, in a process
//! of its own, as a broken client may well never return. The seeds are counted from `GPU_CLIENTS_SEED` (0), and `GPU_CLIENTS_COUNT` says
//! how many the right client gets; `GPU_LOADER` and `GPU_IMAGES` are those of `programs`.

use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};
use std::time::Duration;
use std::{env, fs, iter};

use libtest_mimic::{Arguments, Trial};
use loader::device::LaunchShape;
use loader::image::Image;
use loader::runtime::Backend;
use loader::{Options, Parameters, Runtime};

/// What makes this executable run one client rather than all tests: image, kernel, first seed, number of seeds, seconds of patience.
const WORKER: &str = "--worker";

/// Seeds within which a broken client is caught: all are within five today.
const TO_CATCH: u64 = 20;
/// Seeds that the right client survives, with full optimisation; fewer, where lanes change at every access and each run takes five times
/// as long.
const TO_SURVIVE: [u64; 2] = [2000, 100];
/// The same at other levels.
const TO_SURVIVE_ELSEWHERE: [u64; 2] = [500, 100];
/// The same in lockstep, where a seed only orders wavefronts.
const TO_SURVIVE_IN_LOCKSTEP: [u64; 2] = [200, 50];
/// Seconds after which a kernel hangs: the right one takes milliseconds.
const PATIENCE: u64 = 10;
/// The same for broken ones, most of which hang.
const PATIENCE_WITH_BROKEN: u64 = 1;

/// Where a worker found a wrong client, or that it found none.
const CAUGHT: u8 = 1;

/// Two warps, of which one is a part, in each of two blocks, that share four ports.
const SHAPE: LaunchShape = LaunchShape {
    grid: [2, 1, 1],
    block: [45, 1, 1],
    shared_bytes: 0,
};
const PORTS: u32 = 4;

fn main() -> ExitCode {
    let words: Vec<String> = env::args().skip(1).collect();
    if let [WORKER, image, kernel, first, count, patience] = words.iter().map(String::as_str).collect::<Vec<_>>()[..] {
        return match (first.parse(), count.parse(), patience.parse()) {
            (Ok(first), Ok(count), Ok(patience)) => {
                work(Path::new(image), kernel, first, count, Duration::from_secs(patience))
            }
            _ => ExitCode::from(2),
        };
    }
    libtest_mimic::run(&Arguments::from_args(), trials()).exit_code()
}

fn trials() -> Vec<Trial> {
    let (Some(loader), Some(images)) = (env::var_os("GPU_LOADER"), env::var_os("GPU_IMAGES")) else {
        eprintln!("clients: nothing to run: GPU_LOADER and GPU_IMAGES are not set; `cargo xtask test e2e` sets them");
        return Vec::new();
    };
    if env::var("GPU_BACKEND").is_ok_and(|backend| backend != "emulator") {
        eprintln!("clients: nothing to run: a GPU takes no seeds (GPU_BACKEND=emulator)");
        return Vec::new();
    }
    let emulator = Path::new(&loader).with_file_name("emulator");
    let mut trials = Vec::new();
    for image in images_of("clients", Path::new(&images)) {
        let name = image.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let is_lockstep = name.ends_with("hsaco");
        let broken = match is_lockstep {
            true => ["lock_in_each_lane", "mask_taken_before"],
            false => ["index_not_agreed_on", "flip_before_sync"],
        };
        let to_survive = match name.as_str() {
            _ if is_lockstep => TO_SURVIVE_IN_LOCKSTEP,
            "clients.ptx" => TO_SURVIVE,
            _ => TO_SURVIVE_ELSEWHERE,
        };
        for each_access in [false, true] {
            let right = ("right", Some(to_survive[usize::from(each_access)]));
            for (kernel, to_survive) in iter::once(right).chain(broken.map(|kernel| (kernel, None))) {
                let (image, emulator) = (image.clone(), emulator.clone());
                let mode = if each_access { "each-access" } else { "seeds" };
                trials.push(Trial::test(format!("{kernel}/{name}/{mode}"), move || {
                    Ok(check(&image, &emulator, kernel, to_survive, each_access)?)
                }));
            }
        }
    }
    trials
}

/// The images of a program, by whatever they were built for.
fn images_of(program: &str, folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    let mut images: Vec<PathBuf> = entries
        .map(|entry| entry.path())
        .filter(|path| {
            let name = path.file_name().unwrap_or_default().to_string_lossy();
            name.split_once('.').is_some_and(|(stem, _)| stem == program)
        })
        .collect();
    // The shortest name is that of full optimisation, which gets most seeds: the others run beside it, not before.
    images.sort_by_key(|path| (path.as_os_str().len(), path.clone()));
    images
}

fn number(variable: &str, default: u64) -> u64 {
    env::var(variable)
        .ok()
        .and_then(|text| text.parse().ok())
        .unwrap_or(default)
}

/// Runs a worker and looks at what it found: nothing for the client that has so many seeds to survive, a fault for those with none.
fn check(
    image: &Path,
    emulator: &Path,
    kernel: &str,
    to_survive: Option<u64>,
    each_access: bool,
) -> Result<(), String> {
    let first = number("GPU_CLIENTS_SEED", 0);
    let (count, patience) = match to_survive {
        Some(seeds) => (number("GPU_CLIENTS_COUNT", seeds), PATIENCE),
        None => (TO_CATCH, PATIENCE_WITH_BROKEN),
    };
    let output = Command::new(env::current_exe().map_err(|error| error.to_string())?)
        .args([WORKER.as_ref(), image.as_os_str(), kernel.as_ref()])
        .args([first, count, patience].map(|number| number.to_string()))
        .env("GPU_EMULATOR_DIR", emulator)
        .env("GPU_EMULATOR_SEED", format!("{first}+"))
        .env("GPU_EMULATOR_SWITCH_AT_ACCESS", u8::from(each_access).to_string())
        .output()
        .map_err(|error| error.to_string())?;
    let said = String::from_utf8_lossy(&output.stdout) + String::from_utf8_lossy(&output.stderr);
    match (output.status.code().map(|code| code as u8), to_survive.is_some()) {
        (Some(0), true) | (Some(CAUGHT), false) => Ok(()),
        (Some(0), false) => Err(format!("{count} schedules found nothing wrong with it")),
        (Some(CAUGHT), true) => Err(format!("the right client is wrong: {said}")),
        _ => Err(format!("the worker ended with {}: {said}", output.status)),
    }
}

/// The worker: one client under many seeds, until one shows that it is wrong.
fn work(image: &Path, kernel: &str, first: u64, count: u64, patience: Duration) -> ExitCode {
    match search(image, kernel, first, count, patience) {
        Ok(None) => ExitCode::SUCCESS,
        Ok(Some(found)) => {
            println!("{found}");
            ExitCode::from(CAUGHT)
        }
        Err(error) => {
            eprintln!("{error}");
            ExitCode::from(2)
        }
    }
}

fn search(
    image: &Path,
    kernel: &str,
    first: u64,
    count: u64,
    patience: Duration,
) -> Result<Option<String>, loader::Error> {
    let image = Image::open(image)?;
    let runtime = Runtime::open(&image, Backend::Emulator, 0)?;
    let options = Options {
        ports: PORTS,
        ..Options::default()
    };
    let program = runtime.load(&image, options)?;
    let device = program.device();
    let wrong = device.alloc_device(4)?;
    device.write(wrong, &[0; 4])?;
    let parameters = Parameters::new().with(wrong);
    for seed in first..first + count {
        // SAFETY: the kernels take the address of a word, which stays until this process ends.
        let launch = unsafe { program.launch(kernel, SHAPE, parameters.bytes(), None)? };
        match launch.wait_for(patience) {
            Ok(true) => {}
            Ok(false) => return Ok(Some(format!("seed {seed}: it does not return"))),
            Err(error @ loader::Error::Fault(_)) => return Ok(Some(format!("seed {seed}: {error}"))),
            Err(error) => return Err(error),
        }
        let mut answers = [0; 4];
        device.read(wrong, &mut answers)?;
        match u32::from_le_bytes(answers) {
            0 => {}
            answers => return Ok(Some(format!("seed {seed}: {answers} wrong answers"))),
        }
    }
    Ok(None)
}
