//! Running one image once.

use std::io::{Read, Write};
use std::path::{Path, PathBuf};
use std::process::{Command, ExitStatus, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::{Duration, Instant};
use std::{env, fs, process, thread};

use libtest_mimic::Trial;

use crate::checks;
use crate::expectation::{Expectation, Run, Size};
use crate::image::Image;

/// Where and how programs run.
#[derive(Clone)]
pub struct Machine {
    pub loader: PathBuf,
    pub backend: String,
    /// Do the long runs, too.
    pub large: bool,
    /// Rewrite the files that hold expected output.
    pub bless: bool,
    /// Seeds of the emulator's scheduler under which small runs are repeated; 0 on a GPU.
    pub seeds: u64,
}

/// In which order lanes, warps and blocks run.
#[derive(Clone, Copy, Debug)]
enum Schedule {
    /// As they will.
    Free,
    /// Drawn from a seed of the emulator.
    Seed(u64),
    /// The same, and others get their turn after every access to memory.
    EachAccess(u64),
}

impl Schedule {
    /// `seeds` orders, and a few with a switch at each access, which takes several times as long. Of one lane alone a quarter is tried: no
    /// two differ, but in when the host happens to answer.
    fn drawn(seeds: u64, run: &Run) -> impl Iterator<Item = Schedule> {
        let seeds = if run.is_one_lane() { seeds.div_ceil(4) } else { seeds };
        let each_access = (0..seeds.div_ceil(10)).map(Schedule::EachAccess);
        (0..seeds).map(Schedule::Seed).chain(each_access)
    }
}

/// What the loader gets as `--timeout`, unless a run says otherwise.
const TIMEOUT: u64 = 120;

/// The same for images without optimisation, some of which take two minutes on a busy machine.
const TIMEOUT_UNOPTIMISED: u64 = 400;

/// The loader's exit code for a program that ran into that limit.
const TIMED_OUT: i32 = 124;

/// When the loader itself counts as hung.
const DEADLINE: Duration = Duration::from_secs(450);

/// The tests of one image: its symbols, and each run.
pub fn trials(machine: &Machine, expectation: &Expectation, image: &Image) -> Vec<Trial> {
    let name = |what: &str| format!("{}/{}/{what}", expectation.program, image.variant);
    let mut trials = Vec::new();
    for symbol in &expectation.absent {
        let (path, symbol) = (image.path.clone(), symbol.clone());
        trials.push(Trial::test(name(&format!("no {symbol}")), move || {
            Ok(check_absent(&path, &symbol)?)
        }));
    }
    let machine = Arc::new(machine.clone());
    for (at, run) in expectation.runs.iter().enumerate() {
        let (machine, run, path) = (Arc::clone(&machine), run.clone(), image.path.clone());
        let skip = run.size == Size::Large && !(machine.large && image.is_default());
        if image.takes_seeds() && !skip && machine.seeds > 0 {
            let (machine, run, path) = (Arc::clone(&machine), run.clone(), path.clone());
            trials.push(Trial::test(name(&format!("{at}/seeds")), move || {
                for schedule in Schedule::drawn(machine.seeds, &run) {
                    check_run(&machine, &run, &path, schedule).map_err(|error| format!("{schedule:?}: {error}"))?;
                }
                Ok(())
            }));
        }
        let trial = Trial::test(name(&at.to_string()), move || {
            Ok(check_run(&machine, &run, &path, Schedule::Free)?)
        });
        trials.push(trial.with_ignored_flag(skip));
    }
    trials
}

fn is_unoptimised(image: &Path) -> bool {
    image
        .file_stem()
        .is_some_and(|stem| stem.to_string_lossy().ends_with(".O0"))
}

fn check_absent(image: &Path, symbol: &str) -> Result<(), String> {
    let bytes = fs::read(image).map_err(|error| error.to_string())?;
    if bytes.windows(symbol.len()).any(|window| window == symbol.as_bytes()) {
        return Err(format!("{} has the symbol {symbol}", image.display()));
    }
    Ok(())
}

fn check_run(machine: &Machine, run: &Run, image: &Path, schedule: Schedule) -> Result<(), String> {
    if run.exit == TIMED_OUT {
        // It takes all the time that it gets: only a busy machine needs more than a little.
        let mut hasty = run.clone();
        hasty.timeout = Some(1);
        if check_once(machine, &hasty, image, schedule).is_ok() {
            return Ok(());
        }
    }
    check_once(machine, run, image, schedule)
}

fn check_once(machine: &Machine, run: &Run, image: &Path, schedule: Schedule) -> Result<(), String> {
    let folder = run
        .options
        .iter()
        .any(|option| option.contains(FOLDER))
        .then(Folder::new)
        .transpose()?;
    let mut command = command(machine, run, image, folder.as_ref());
    if let Schedule::Seed(seed) | Schedule::EachAccess(seed) = schedule {
        command.env("GPU_EMULATOR_SEED", seed.to_string());
    }
    if let Schedule::EachAccess(_) = schedule {
        command.env("GPU_EMULATOR_SWITCH_AT_ACCESS", "1");
    }
    let shown = format!("{command:?}");
    let ended = execute(&mut command, run.stdin.as_bytes()).map_err(|error| format!("{shown}: {error}"))?;
    if machine.bless {
        bless(&run.stdout_file, &ended.stdout)?;
        bless(&run.stderr_file, &ended.stderr)?;
        return Ok(());
    }
    let may_part = machine.backend != "emulator" || !matches!(schedule, Schedule::Free);
    let others = if may_part { run.exit_apart.as_slice() } else { &[] };
    let mut checks = vec![check_exit(run.exit, others, ended.status)];
    match &run.check {
        Some(name) => checks.push(checks::named(name)?(&ended.stdout, &ended.stderr)),
        None => {
            checks.push(run.stdout()?.check("stdout", &ended.stdout));
            checks.push(run.stderr()?.check("stderr", &ended.stderr));
        }
    }
    if let Some(folder) = &folder {
        checks.extend(
            run.files
                .iter()
                .map(|(name, text)| check_file(&folder.0.join(name), text)),
        );
    }
    let failures: Vec<_> = checks.into_iter().filter_map(Result::err).collect();
    if failures.is_empty() {
        return Ok(());
    }
    Err(format!(
        "{shown}\n{}\n{}",
        failures.join("\n"),
        last_lines("stderr", &ended.stderr)
    ))
}

/// What a program said last often is why it failed.
fn last_lines(name: &str, output: &[u8]) -> String {
    const LINES: usize = 5;
    let text = String::from_utf8_lossy(output);
    let lines: Vec<_> = text.lines().collect();
    let last = &lines[lines.len().saturating_sub(LINES)..];
    format!("{name} ends with\n{}", last.join("\n"))
}

fn check_exit(expected: i32, others: &[i32], status: ExitStatus) -> Result<(), String> {
    if status
        .code()
        .is_some_and(|code| code == expected || others.contains(&code))
    {
        return Ok(());
    }
    let or = others.iter().map(|code| format!(" or {code}")).collect::<String>();
    Err(format!("the loader ended with {status} instead of code {expected}{or}"))
}

fn check_file(path: &Path, text: &str) -> Result<(), String> {
    let bytes = fs::read(path).map_err(|error| format!("{}: {error}", path.display()))?;
    if bytes == text.as_bytes() {
        return Ok(());
    }
    Err(format!("{} holds \"{}\"", path.display(), bytes.escape_ascii()))
}

fn command(machine: &Machine, run: &Run, image: &Path, folder: Option<&Folder>) -> Command {
    let dimensions = |dimensions: [u32; 3]| dimensions.map(|n| n.to_string()).join(",");
    let timeout = if is_unoptimised(image) {
        TIMEOUT_UNOPTIMISED
    } else {
        TIMEOUT
    };
    let mut command = Command::new(&machine.loader);
    command
        .args(["--backend", &machine.backend, "--no-inherit-env"])
        .args(["--timeout", &run.timeout.unwrap_or(timeout).to_string()])
        .args(["--blocks", &dimensions(run.blocks.to_array())])
        .args(["--threads", &dimensions(run.threads.to_array())]);
    if is_unoptimised(image) {
        // Every value of an unoptimised function has a place of its own: formatting a float takes more than the default of 8 KiB.
        command.args(["--stack-size", "32K"]);
    } else if image.to_string_lossy().ends_with(".Os.hsaco") {
        // So it does for AMD where what it calls is not inlined.
        command.args(["--stack-size", "16K"]);
    }
    for (name, value) in &run.env {
        command.args(["--env", &format!("{name}={value}")]);
    }
    if let Some(bytes) = run.shared_mem {
        command.args(["--shared-mem", &bytes.to_string()]);
    }
    if let Some(ports) = run.ports {
        command.args(["--ports", &ports.to_string()]);
    }
    let folder = folder.map_or_else(String::new, |folder| folder.0.display().to_string());
    command.args(run.options.iter().map(|option| option.replace(FOLDER, &folder)));
    command.arg(image).args(&run.args);
    command
}

/// What stands in options for a folder of this run alone.
const FOLDER: &str = "{tmp}";

/// An empty folder that goes away with this value.
struct Folder(PathBuf);

impl Folder {
    fn new() -> Result<Self, String> {
        static NEXT: AtomicU32 = AtomicU32::new(0);
        let number = NEXT.fetch_add(1, Ordering::Relaxed);
        let path = env::temp_dir().join(format!("gpu-programs-{}-{number}", process::id()));
        fs::create_dir(&path).map_err(|error| format!("cannot make {}: {error}", path.display()))?;
        Ok(Self(path))
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

/// How a run ended.
struct Ended {
    status: ExitStatus,
    stdout: Vec<u8>,
    stderr: Vec<u8>,
}

/// Runs a command to its end, or to the deadline.
fn execute(command: &mut Command, stdin: &[u8]) -> Result<Ended, String> {
    let mut child = command
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .map_err(|error| error.to_string())?;
    let stdout = collect(child.stdout.take());
    let stderr = collect(child.stderr.take());
    if let Some(mut pipe) = child.stdin.take() {
        // A program that does not read its input is no error.
        let _ = pipe.write_all(stdin);
    }
    let start = Instant::now();
    let status = loop {
        match child.try_wait().map_err(|error| error.to_string())? {
            Some(status) => break status,
            None if start.elapsed() > DEADLINE => {
                let _ = child.kill();
                let _ = child.wait();
                return Err(format!("the loader still runs after {} s", DEADLINE.as_secs()));
            }
            None => thread::sleep(Duration::from_millis(2)),
        }
    };
    let bytes = |thread: thread::JoinHandle<Vec<u8>>| thread.join().map_err(|_| "cannot read its output".to_owned());
    Ok(Ended {
        status,
        stdout: bytes(stdout)?,
        stderr: bytes(stderr)?,
    })
}

/// Reads a pipe in a thread, so that no pipe fills up while another is read.
fn collect(pipe: Option<impl Read + Send + 'static>) -> thread::JoinHandle<Vec<u8>> {
    thread::spawn(move || {
        let mut bytes = Vec::new();
        if let Some(mut pipe) = pipe {
            let _ = pipe.read_to_end(&mut bytes);
        }
        bytes
    })
}

fn bless(file: &Option<String>, bytes: &[u8]) -> Result<(), String> {
    let Some(file) = file else { return Ok(()) };
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("programs").join(file);
    fs::write(&path, bytes).map_err(|error| format!("{}: {error}", path.display()))
}
