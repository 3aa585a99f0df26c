//! Runs the table of PTX semantics tests through the CUDA driver API and records or checks the results.
//!
//! `ptx_semantics record FILE [LIBRARY]` writes what the device gives; `ptx_semantics check FILE [LIBRARY]` compares with
//! such a file. LIBRARY is the driver to open, `libcuda.so.1` unless given: the emulator's is one too.

use std::ffi::{CStr, CString, c_char, c_int, c_uint, c_void};
use std::fmt::Write;
use std::process::ExitCode;
use std::ptr;

use libloading::{Library, Symbol};

#[path = "../tests/semantics/recorded.rs"]
mod recorded;
#[path = "../tests/semantics/table.rs"]
mod table;

/// Options of `cuModuleLoadDataEx`: where the compiler's messages go.
const ERROR_LOG: c_uint = 5;
const ERROR_LOG_SIZE: c_uint = 6;
const THREADS: u32 = 128;

struct Driver(Library);

/// Calls a function of the driver; its result must be 0.
macro_rules! call {
    ($driver:expr, $name:literal, ($($value:expr => $ty:ty),*)) => {{
        // SAFETY: the types are those of the CUDA driver API, and all pointers are to live locals.
        let result = unsafe {
            let function: Symbol<unsafe extern "C" fn($($ty),*) -> c_int> =
                $driver.0.get(concat!($name, "\0").as_bytes()).map_err(|error| error.to_string())?;
            function($($value),*)
        };
        if result == 0 { Ok(()) } else { Err(format!("{} returned {result}", $name)) }
    }};
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
        let mut name = [0 as c_char; 128];
        call!(self, "cuDeviceGetName", (name.as_mut_ptr() => *mut c_char, 127 => c_int, 0 => c_int))?;
        // SAFETY: the driver ends the name with a NUL, and the last byte was left alone.
        Ok(unsafe { CStr::from_ptr(name.as_ptr()) }.to_string_lossy().into_owned())
    }

    fn run(&self, case: &table::Case) -> Result<recorded::Output, String> {
        let text = CString::new(case.module()).map_err(|error| error.to_string())?;
        let mut log = vec![0u8; 4096];
        let mut options = [ERROR_LOG, ERROR_LOG_SIZE];
        let mut values = [log.as_mut_ptr().cast::<c_void>(), log.len() as *mut c_void];
        let (mut module, mut function): (*mut c_void, *mut c_void) = (ptr::null_mut(), ptr::null_mut());
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
        call!(self, "cuModuleGetFunction", (
            &mut function => *mut *mut c_void, module => *mut c_void, c"run".as_ptr() => *const c_char
        ))?;
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
        call!(self, "cuLaunchKernel", (
            function => *mut c_void,
            count.div_ceil(THREADS) => c_uint, 1 => c_uint, 1 => c_uint,
            THREADS => c_uint, 1 => c_uint, 1 => c_uint,
            0 => c_uint, ptr::null_mut() => *mut c_void,
            params.as_mut_ptr() => *mut *mut c_void, ptr::null_mut() => *mut *mut c_void
        ))?;
        call!(self, "cuCtxSynchronize", ())?;
        call!(self, "cuMemcpyDtoH_v2", (results.as_mut_ptr().cast() => *mut c_void, output => u64, results.len() * 8 => usize))?;
        call!(self, "cuMemFree_v2", (input => u64))?;
        call!(self, "cuMemFree_v2", (output => u64))?;
        call!(self, "cuModuleUnload", (module => *mut c_void))?;
        Ok(results.chunks_exact(2).map(|row| (row[0], row[1] != 0)).collect())
    }
}

fn main() -> ExitCode {
    match work() {
        Ok(0) => ExitCode::SUCCESS,
        Ok(n) => {
            eprintln!("ptx_semantics: {n} differences or failures");
            ExitCode::FAILURE
        }
        Err(error) => {
            eprintln!("ptx_semantics: {error}");
            ExitCode::FAILURE
        }
    }
}

fn work() -> Result<usize, String> {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let (record, file, library) = match &args[..] {
        [mode, file, rest @ ..] if (mode == "record" || mode == "check") && rest.len() <= 1 => (
            mode == "record",
            file,
            rest.first().map_or("libcuda.so.1", String::as_str),
        ),
        _ => return Err("usage: ptx_semantics record|check FILE [LIBRARY]".to_owned()),
    };
    let driver = Driver::open(library)?;
    let mut text = format!("# PTX semantics, recorded on: {}\n", driver.device()?);
    let old = if record {
        String::new()
    } else {
        std::fs::read_to_string(file).map_err(|error| format!("{file}: {error}"))?
    };
    let recorded = recorded::read(&old);
    let mut wrong = 0;
    for case in table::table() {
        match driver.run(&case) {
            Ok(output) if record => recorded::write(&mut text, &case, &output),
            Ok(output) => match recorded.get(case.name.as_str()) {
                Some(recorded) => {
                    for line in recorded::differences(&case, recorded, &output) {
                        wrong += 1;
                        println!("{line}");
                    }
                }
                None => println!("{}: not in the file", case.name),
            },
            Err(error) => {
                wrong += 1;
                println!("{}: {error}", case.name);
                // Writing to a string cannot fail.
                let _ = writeln!(text, "# {}: {}", case.name, error.replace('\n', " "));
            }
        }
    }
    if record {
        std::fs::write(file, text).map_err(|error| format!("{file}: {error}"))?;
    }
    Ok(wrong)
}
