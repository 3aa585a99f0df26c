//! Runs the table of PTX semantics tests through the CUDA driver API and records or checks the results.
//!
//! ```text
//! ptx_semantics record FILE [LIBRARY]    adds to FILE what the device gives for all cases that are not in it yet; with PART=2/4
//!                                        in the environment for the second quarter of the table only
//! ptx_semantics check FILE [LIBRARY]     compares with such a file
//! ptx_semantics missing FILE             names the cases that are not in it
//! ptx_semantics probes                   names the probes
//! ptx_semantics probe NAME [LIBRARY]     runs one; it may hang for two seconds, and takes a process of its own
//! ptx_semantics print [NAME]             prints all cases as one module, for a compiler to look at, or one probe
//! ```
//!
//! LIBRARY is the driver to open, `libcuda.so.1` unless given: the emulator's is one too. A kernel that faults or hangs ends
//! the recording with exit code 3, its name in the file as failed; recording once more goes on behind it, also where the driver
//! took the process with it. After 25 seconds a recording ends with code 4.

use std::collections::HashSet;
use std::ffi::{CStr, CString, c_char, c_int, c_uint, c_void};
use std::fs::{File, OpenOptions};
use std::io::Write;
use std::process::ExitCode;
use std::ptr;
use std::time::{Duration, Instant};

use libloading::{Library, Symbol};

#[path = "../tests/semantics/probes.rs"]
mod probes;
#[path = "../tests/semantics/recorded.rs"]
mod recorded;
#[path = "../tests/semantics/table/mod.rs"]
mod table;

use probes::{PROBES, Probe, UNTOUCHED};
use recorded::Recording;
use table::{Case, THREADS};

/// Options of `cuModuleLoadDataEx`: where the compiler's messages go.
const ERROR_LOG: c_uint = 5;
const ERROR_LOG_SIZE: c_uint = 6;
/// `CUDA_ERROR_NOT_READY`
const NOT_READY: c_int = 600;
/// What one kernel may take.
const PATIENCE: Duration = Duration::from_secs(2);
/// What a recording may take.
const LIMIT: Duration = Duration::from_secs(25);
/// Kernels in a module: a driver takes long to start its compiler.
const BATCH: usize = 48;
const UNDONE: u8 = 3;
const LATE: u8 = 4;

struct Driver(Library);

/// Calls a function of the driver and gives its result.
macro_rules! result {
    ($driver:expr, $name:literal, ($($value:expr => $ty:ty),*)) => {{
        // SAFETY: the types are those of the CUDA driver API, and all pointers are to live locals.
        unsafe {
            let function: Symbol<unsafe extern "C" fn($($ty),*) -> c_int> =
                $driver.0.get(concat!($name, "\0").as_bytes()).map_err(|error| error.to_string())?;
            function($($value),*)
        }
    }};
}

/// Calls a function of the driver; its result must be 0.
macro_rules! call {
    ($driver:expr, $name:literal, $arguments:tt) => {
        match result!($driver, $name, $arguments) {
            0 => Ok(()),
            code => Err(format!("{} returned {code}", $name)),
        }
    };
}

impl Driver {
    fn open(name: &str) -> Result<Driver, String> {
        // SAFETY: opening a driver runs its initialisers, which is what it is for.
        let driver = Driver(unsafe { Library::new(name) }.map_err(|error| error.to_string())?);
        let (mut device, mut context): (c_int, *mut c_void) = (0, ptr::null_mut());
        call!(driver, "cuInit", (0 => c_uint))?;
        call!(driver, "cuDeviceGet", (&mut device => *mut c_int, 0 => c_int))?;
        call!(driver, "cuDevicePrimaryCtxRetain", (&mut context => *mut *mut c_void, device => c_int))?;
        call!(driver, "cuCtxSetCurrent", (context => *mut c_void))?;
        Ok(driver)
    }

    fn device(&self) -> Result<String, String> {
        let (mut name, mut version) = ([0 as c_char; 128], 0);
        call!(self, "cuDeviceGetName", (name.as_mut_ptr() => *mut c_char, 127 => c_int, 0 => c_int))?;
        call!(self, "cuDriverGetVersion", (&mut version => *mut c_int))?;
        // SAFETY: the driver ends the name with a NUL, and the last byte was left alone.
        let name = unsafe { CStr::from_ptr(name.as_ptr()) }.to_string_lossy();
        Ok(format!("{name}, CUDA {}.{}", version / 1000, version % 1000 / 10))
    }

    fn load(&self, text: String) -> Result<*mut c_void, String> {
        let text = CString::new(text).map_err(|error| error.to_string())?;
        let mut log = vec![0u8; 4096];
        let mut options = [ERROR_LOG, ERROR_LOG_SIZE];
        let mut values = [log.as_mut_ptr().cast::<c_void>(), log.len() as *mut c_void];
        let mut module = ptr::null_mut();
        call!(self, "cuModuleLoadDataEx", (
            &mut module => *mut *mut c_void,
            text.as_ptr().cast() => *const c_void,
            2 => c_uint,
            options.as_mut_ptr() => *mut c_uint,
            values.as_mut_ptr() => *mut *mut c_void
        ))
        .map_err(|error| {
            let log = String::from_utf8_lossy(&log);
            format!("{error}: {}", log.trim_end_matches('\0').trim())
        })?;
        Ok(module)
    }

    fn function(&self, module: *mut c_void, name: &str) -> Result<*mut c_void, String> {
        let name = CString::new(name).map_err(|error| error.to_string())?;
        let mut function = ptr::null_mut();
        call!(self, "cuModuleGetFunction", (
            &mut function => *mut *mut c_void, module => *mut c_void, name.as_ptr() => *const c_char
        ))?;
        Ok(function)
    }

    /// Launches a kernel and waits for its end, but not for ever; the result is that of the kernel.
    fn launch(
        &self,
        function: *mut c_void,
        blocks: u32,
        threads: u32,
        params: &mut [*mut c_void],
    ) -> Result<(), String> {
        call!(self, "cuLaunchKernel", (
            function => *mut c_void,
            blocks => c_uint, 1 => c_uint, 1 => c_uint,
            threads => c_uint, 1 => c_uint, 1 => c_uint,
            0 => c_uint, ptr::null_mut() => *mut c_void,
            params.as_mut_ptr() => *mut *mut c_void, ptr::null_mut() => *mut *mut c_void
        ))?;
        let start = Instant::now();
        loop {
            match result!(self, "cuStreamQuery", (ptr::null_mut() => *mut c_void)) {
                0 => return Ok(()),
                NOT_READY if start.elapsed() < PATIENCE => std::thread::sleep(Duration::from_micros(20)),
                NOT_READY => return Err("hangs".to_owned()),
                code => return Err(format!("error {code}")),
            }
        }
    }

    fn run(&self, case: &Case, function: *mut c_void) -> Result<recorded::Output, String> {
        let inputs = case.inputs();
        let words: Vec<u64> = inputs.iter().flatten().copied().collect();
        let mut results = vec![0u64; inputs.len() * 2];
        let (mut input, mut output) = (0u64, 0u64);
        call!(self, "cuMemAlloc_v2", (&mut input => *mut u64, words.len() * 8 => usize))?;
        call!(self, "cuMemAlloc_v2", (&mut output => *mut u64, results.len() * 8 => usize))?;
        call!(self, "cuMemcpyHtoD_v2", (input => u64, words.as_ptr().cast() => *const c_void, words.len() * 8 => usize))?;
        let mut count = inputs.len() as u32;
        let mut params = [
            (&raw mut input).cast::<c_void>(),
            (&raw mut output).cast(),
            (&raw mut count).cast(),
        ];
        self.launch(function, count.div_ceil(THREADS), THREADS, &mut params)?;
        call!(self, "cuMemcpyDtoH_v2", (results.as_mut_ptr().cast() => *mut c_void, output => u64, results.len() * 8 => usize))?;
        call!(self, "cuMemFree_v2", (input => u64))?;
        call!(self, "cuMemFree_v2", (output => u64))?;
        Ok(results.chunks_exact(2).map(|row| (row[0], row[1] != 0)).collect())
    }

    /// Loads cases together, or each alone where one of them is refused, and runs them. The error is that of a kernel, after
    /// which a context is of no more use.
    fn batch(&self, cases: &[&Case], done: &mut impl FnMut(&Case, Recording)) -> Result<(), (String, String)> {
        let module = match (self.load(table::module(cases.iter().copied())), cases) {
            (Ok(module), _) => module,
            (Err(message), [case]) => {
                done(case, Recording::Refused(message));
                return Ok(());
            }
            (Err(_), cases) => {
                let (first, second) = cases.split_at(cases.len() / 2);
                return self.batch(first, done).and_then(|()| self.batch(second, done));
            }
        };
        for (n, case) in cases.iter().enumerate() {
            let output = self
                .function(module, &format!("k{n}"))
                .and_then(|function| self.run(case, function));
            done(
                case,
                Recording::Rows(output.map_err(|error| (case.name.clone(), error))?),
            );
        }
        let unload = || call!(self, "cuModuleUnload", (module => *mut c_void));
        unload().map_err(|error| (cases[0].name.clone(), error))
    }

    /// Prints what a probe comes to: how it ends, and for each lane what it says, `-` where it did not come to its end.
    fn probe(&self, probe: &Probe) -> Result<(), String> {
        let module = self.load(probe.module())?;
        let function = self.function(module, "probe")?;
        let size = 64 * size_of::<u32>();
        let (mut words, mut out): (*mut c_void, u64) = (ptr::null_mut(), 0);
        // Memory of the host, to be read while a kernel hangs. 3: portable, mapped.
        call!(self, "cuMemHostAlloc", (&mut words => *mut *mut c_void, size => usize, 3 => c_uint))?;
        call!(self, "cuMemHostGetDevicePointer_v2", (&mut out => *mut u64, words => *mut c_void, 0 => c_uint))?;
        let words = words.cast::<u32>();
        for n in 0..64 {
            // SAFETY: the driver has given 64 words, which nobody else uses yet.
            unsafe { words.add(n).write_volatile(UNTOUCHED) };
        }
        let mut params = [(&raw mut out).cast::<c_void>()];
        let end = match self.launch(function, 1, 32, &mut params) {
            Ok(()) => "done".to_owned(),
            Err(error) => error,
        };
        let lane = |lane: usize| {
            // SAFETY: as above; the kernel may still be writing whole words.
            match unsafe { words.add(2 * lane + 1).read_volatile() } {
                UNTOUCHED => "-".to_owned(),
                word => format!("{word:x}"),
            }
        };
        let lanes: Vec<String> = (0..32).map(lane).collect();
        println!("{}: {end}\n{}", probe.name, lanes.join(" "));
        Ok(())
    }
}

fn main() -> ExitCode {
    match work() {
        // A kernel that hangs would hold up a driver that is taken down in order.
        // SAFETY: nothing is left to be done: files are written without buffers, and what was printed ended with a line.
        Ok(code) => unsafe { libc::_exit(code.into()) },
        Err(error) => {
            eprintln!("ptx_semantics: {error}");
            ExitCode::FAILURE
        }
    }
}

fn work() -> Result<u8, String> {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let args: Vec<&str> = args.iter().map(String::as_str).collect();
    let library = |rest: &[&str]| Driver::open(rest.first().copied().unwrap_or("libcuda.so.1"));
    match &args[..] {
        ["record", file, rest @ ..] => record(&library(rest)?, file),
        ["check", file, rest @ ..] => check(&library(rest)?, file),
        ["missing", file] => {
            let text = std::fs::read_to_string(file).map_err(|error| format!("{file}: {error}"))?;
            let recorded = recorded::read(&text);
            let table = table::table();
            let missing = table.iter().filter(|case| !recorded.contains_key(case.name.as_str()));
            let count = missing.inspect(|case| println!("{}", case.name)).count();
            println!("{} cases, {count} of them not in {file}", table.len());
            Ok(u8::from(count != 0))
        }
        ["probes"] => {
            PROBES.iter().for_each(|probe| println!("{}", probe.name));
            Ok(0)
        }
        ["probe", name, rest @ ..] => {
            let probe = PROBES.iter().find(|probe| probe.name == *name);
            library(rest)?.probe(probe.ok_or("there is no such probe")?)?;
            Ok(0)
        }
        ["print"] => {
            println!("{}", table::module(&table::table()));
            Ok(0)
        }
        ["print", name] => {
            let probe = PROBES.iter().find(|probe| probe.name == *name);
            println!("{}", probe.ok_or("there is no such probe")?.module());
            Ok(0)
        }
        _ => Err(
            "usage: ptx_semantics record|check FILE [LIBRARY], missing FILE, probes, probe NAME [LIBRARY], print [NAME]".to_owned(),
        ),
    }
}

/// Which part of the table is asked for, and of how many.
fn part() -> Result<(usize, usize), String> {
    let Ok(text) = std::env::var("PART") else {
        return Ok((0, 1));
    };
    let numbers = text
        .split_once('/')
        .and_then(|(n, of)| Some((n.parse().ok()?, of.parse().ok()?)));
    match numbers {
        Some((n, of)) if (1..=of).contains(&n) => Ok((n - 1, of)),
        _ => Err(format!("PART={text}: a number, a slash and how many parts there are")),
    }
}

fn record(driver: &Driver, file: &str) -> Result<u8, String> {
    let start = Instant::now();
    let old = std::fs::read_to_string(file).unwrap_or_default();
    let known = recorded::read(&old);
    // Failed ones are in comments.
    let failed: HashSet<&str> = old
        .lines()
        .filter_map(|line| line.strip_prefix("# failed: ")?.split(' ').next())
        .collect();
    let in_words = |error: std::io::Error| format!("{file}: {error}");
    let mut out = OpenOptions::new()
        .create(true)
        .append(true)
        .open(file)
        .map_err(in_words)?;
    if old.is_empty() {
        writeln!(out, "# PTX semantics, recorded on: {}", driver.device()?).map_err(in_words)?;
    } else if !old.ends_with('\n') {
        writeln!(out).map_err(in_words)?;
    }
    // The driver may end the process, so what is tried is written down before: a batch is then tried case by case.
    let tried = old
        .lines()
        .last()
        .and_then(|line| line.strip_prefix("# trying: ")?.split_once(' '));
    let (tried, mut careful) = match tried {
        Some((name, "1")) => (Some(name), 0),
        Some((_, count)) => (None, count.parse::<usize>().unwrap_or(0)),
        None => (None, 0),
    };
    let table = table::table();
    let (part, parts) = part()?;
    let size = table.len().div_ceil(parts);
    let missing: Vec<&Case> = table
        .iter()
        .skip(size * part)
        .take(size)
        .filter(|case| {
            let name = case.name.as_str();
            !known.contains_key(name) && !failed.contains(name) && Some(name) != tried
        })
        .collect();
    if let Some(name) = tried {
        write(&mut out, &format!("# failed: {name} took the process with it\n")).map_err(in_words)?;
    }
    let mut left = &missing[..];
    while !left.is_empty() {
        if start.elapsed() > LIMIT {
            eprintln!("ptx_semantics: {} cases are left, for lack of time", left.len());
            return Ok(LATE);
        }
        let count = if careful > 0 { 1 } else { BATCH.min(left.len()) };
        careful = careful.saturating_sub(1);
        let (cases, rest) = left.split_at(count);
        left = rest;
        write(&mut out, &format!("# trying: {} {count}\n", cases[0].name)).map_err(in_words)?;
        let mut text = String::new();
        let result = driver.batch(cases, &mut |case, recording| {
            recorded::write(&mut text, &case.name, &recording)
        });
        if let Err((name, error)) = &result {
            text += &format!("# failed: {name} {error}\n");
        }
        write(&mut out, &text).map_err(in_words)?;
        if let Err((name, error)) = result {
            eprintln!("ptx_semantics: {name}: {error}");
            return Ok(UNDONE);
        }
    }
    eprintln!(
        "ptx_semantics: {} cases in {:.1} s",
        missing.len(),
        start.elapsed().as_secs_f64()
    );
    Ok(0)
}

fn write(out: &mut File, text: &str) -> std::io::Result<()> {
    out.write_all(text.as_bytes())
}

fn check(driver: &Driver, file: &str) -> Result<u8, String> {
    let old = std::fs::read_to_string(file).map_err(|error| format!("{file}: {error}"))?;
    let recorded = recorded::read(&old);
    let mut wrong = 0;
    let table = table::table();
    let cases: Vec<&Case> = table.iter().collect();
    for cases in cases.chunks(BATCH) {
        let mut compare = |case: &Case, seen: Recording| match recorded.get(case.name.as_str()) {
            Some(recorded) => {
                for line in recorded::differences(case, recorded, &seen) {
                    wrong += 1;
                    println!("{line}");
                }
            }
            None => {
                wrong += 1;
                println!("{}: not in the file", case.name);
            }
        };
        driver
            .batch(cases, &mut compare)
            .map_err(|(name, error)| format!("{name}: {error}"))?;
    }
    eprintln!("ptx_semantics: {} cases, {wrong} differences", cases.len());
    Ok(u8::from(wrong != 0))
}
