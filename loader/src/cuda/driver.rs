//! Which CUDA driver this process talks to, and what its error codes mean.

use std::error::Error as _;
use std::ffi::{CStr, c_int, c_uint};
use std::path::Path;
use std::sync::Mutex;

use cudarc::driver::result::DriverError;
use cudarc::driver::sys;
use libloading::os::unix::{Library, RTLD_GLOBAL, RTLD_NOW};

use crate::binding::Binding;
use crate::device::Driver;
use crate::diagnostics::Diagnostics;
use crate::error::{Error, Result};

/// The driver that this process is bound to. cudarc keeps the library that it opened first, so the
/// choice is made once.
static BOUND: Mutex<Binding<()>> = Mutex::new(Binding::new());

/// File name of the emulator, and its soname.
const EMULATOR_FILE: &str = "libcuda.so";

/// Makes cudarc's calls go to `driver`, and initialises it.
pub(super) fn bind(driver: &Driver) -> Result<()> {
    let mut bound = BOUND.lock().unwrap_or_else(|poison| poison.into_inner());
    bound.to(driver, "CUDA driver", || start(driver))
}

fn start(driver: &Driver) -> Result<()> {
    let library = match driver {
        Driver::Native => open_native()?,
        Driver::Emulator(folder) => open_emulator(folder)?,
    };
    initialise(&library, driver)?;
    check_same_library(&library, driver)?;
    if matches!(driver, Driver::Emulator(_)) {
        // SAFETY: the library is forgotten below, and so stays loaded.
        unsafe { DIAGNOSTICS.take_over(&library) };
    }
    // The driver stays loaded until the process ends, as kernels may run until then.
    std::mem::forget(library);
    Ok(())
}

fn open_native() -> Result<Library> {
    // The first is the driver's own name. `libcuda.so` may also be a stub for linking.
    let mut reason = None;
    for name in ["libcuda.so.1", "libcuda.so"] {
        // SAFETY: loading the vendor's driver runs its initialisers, which is what every CUDA
        // program does.
        match unsafe { Library::open(Some(name), RTLD_NOW) } {
            Ok(library) => return Ok(library),
            Err(error) => {
                reason.get_or_insert_with(|| cause(&error));
            }
        }
    }
    Err(Error::NoDriver(format!(
        "no CUDA driver ({}); install NVIDIA's driver, or use --backend emulator",
        reason.unwrap_or_default()
    )))
}

/// What the dynamic linker said.
fn cause(error: &libloading::Error) -> String {
    match error.source() {
        Some(cause) => cause.to_string(),
        None => error.to_string(),
    }
}

/// Loads the emulator by its path. Its soname makes glibc answer cudarc's later request for plain
/// `libcuda.so` with this very library.
fn open_emulator(folder: &Path) -> Result<Library> {
    let path = folder.join(EMULATOR_FILE);
    if !path.exists() {
        return Err(Error::Host(format!(
            "no emulator: {} does not exist; `cargo xtask run` builds it there, or say where it is with GPU_EMULATOR_DIR",
            path.display()
        )));
    }
    // SAFETY: the file is this project's emulator, whose initialisers do nothing.
    unsafe { Library::open(Some(&path), RTLD_NOW | RTLD_GLOBAL) }
        .map_err(|error| Error::Host(format!("the emulator cannot be loaded ({}); rebuild it", cause(&error))))
}

/// Asks the library itself, before cudarc is bound to it: a process whose driver has no device
/// must still be able to turn to the emulator.
fn initialise(library: &Library, driver: &Driver) -> Result<()> {
    let broken = |error| Error::NoDriver(format!("the library found as CUDA driver is none: {error}"));
    // SAFETY: the types are those of the CUDA driver API, where CUresult is an int; the pointers
    // are valid for the calls.
    let status = unsafe {
        let init = library
            .get::<unsafe extern "C" fn(c_uint) -> c_int>(b"cuInit\0")
            .map_err(broken)?;
        let count = library
            .get::<unsafe extern "C" fn(*mut c_int) -> c_int>(b"cuDeviceGetCount\0")
            .map_err(broken)?;
        let mut devices = 0;
        match init(0) {
            0 => match count(&mut devices) {
                0 if devices == 0 => sys::CUresult::CUDA_ERROR_NO_DEVICE as c_int,
                status => status,
            },
            status => status,
        }
    };
    const STUB: c_int = sys::CUresult::CUDA_ERROR_STUB_LIBRARY as c_int;
    const NO_DEVICE: c_int = sys::CUresult::CUDA_ERROR_NO_DEVICE as c_int;
    match (status, driver) {
        (0, _) => Ok(()),
        (NO_DEVICE, _) => Err(Error::NoDevice(no_device_text())),
        (STUB, _) => Err(Error::NoDriver(
            "no CUDA driver: the libcuda.so found is the toolkit's stub for linking; install NVIDIA's driver".into(),
        )),
        (status, Driver::Native) => Err(Error::Host(format!(
            "the CUDA driver does not start (error {status}); see what nvidia-smi says, or use --backend emulator"
        ))),
        (status, Driver::Emulator(_)) => Err(Error::Host(format!(
            "the emulator does not start (error {status}); check the GPU_EMULATOR_… variables"
        ))),
    }
}

/// The emulator's own words about a fault.
static DIAGNOSTICS: Diagnostics = Diagnostics::new();

/// Why there may be no device, as far as the environment tells.
pub(super) fn no_device_text() -> String {
    match std::env::var_os("CUDA_VISIBLE_DEVICES") {
        Some(value) => format!(
            "no CUDA device is visible with CUDA_VISIBLE_DEVICES={}; change it, or use --backend emulator",
            value.display()
        ),
        None => "no CUDA device in this machine; see what nvidia-smi says, or use --backend emulator".into(),
    }
}

/// cudarc finds its library by name; make sure that it is the one meant.
fn check_same_library(library: &Library, driver: &Driver) -> Result<()> {
    // SAFETY: only opens libraries by the names of the CUDA driver.
    if !unsafe { sys::is_culib_present() } {
        return Err(Error::NoDriver(
            "no CUDA driver under a name that cudarc knows; is libcuda.so.1 in the library path?".into(),
        ));
    }
    // SAFETY: a library is there, so this does not panic; the addresses are only compared.
    let (ours, theirs) = unsafe {
        (
            library.get::<*const ()>(b"cuInit\0").map(|symbol| *symbol),
            sys::culib().get::<*const ()>(b"cuInit\0").map(|symbol| *symbol),
        )
    };
    match (ours, theirs) {
        (Ok(ours), Ok(theirs)) if ours == theirs => Ok(()),
        _ if *driver == Driver::Native => Err(Error::Host(
            "libcuda.so and libcuda.so.1 in the library path are different libraries; remove the one that is not the driver's from LD_LIBRARY_PATH".into(),
        )),
        _ => Err(Error::Host(
            "a libcuda.so was loaded into this process before the emulator; unset LD_PRELOAD or use --backend cuda".into(),
        )),
    }
}

/// `NAME: description` of a driver error.
pub(super) fn describe(error: DriverError) -> String {
    let text = |found: std::result::Result<&CStr, _>| {
        found.map_or_else(
            |_: DriverError| format!("error {}", error.0 as u32),
            |text| text.to_string_lossy().into_owned(),
        )
    };
    format!("{} ({})", text(error.error_string()), text(error.error_name()))
}

/// The error of a call that serves `purpose` ("cannot …").
pub(super) fn failed(purpose: &str, error: DriverError) -> Error {
    if let Some(fault) = fault(error) {
        return fault;
    }
    if error.0 == sys::CUresult::CUDA_ERROR_OUT_OF_MEMORY {
        return Error::Host(format!(
            "{purpose}: out of device memory; lower --heap-size or --stack-size, launch fewer threads, or free the device from other programs"
        ));
    }
    Error::Host(format!("{purpose}: {}", describe(error)))
}

/// What a kernel did, if the code says that one ended badly. Such codes stick to the context:
/// every later call reports them again.
pub(super) fn fault(error: DriverError) -> Option<Error> {
    let cause = cause_of(error.0)?;
    Some(Error::Fault(match DIAGNOSTICS.last_fault() {
        Some(text) => text,
        None => format!("{cause} [{}]", describe(error)),
    }))
}

/// What probably made a kernel end with this code, and what helps.
fn cause_of(code: sys::CUresult) -> Option<&'static str> {
    use sys::CUresult::*;
    Some(match code {
        CUDA_ERROR_ILLEGAL_ADDRESS => {
            "illegal address: a wild or null pointer, an index out of bounds, or a stack overflow (try a larger --stack-size)"
        }
        CUDA_ERROR_MISALIGNED_ADDRESS => {
            "misaligned address: a pointer cast to a type of stricter alignment (compute-sanitizer names the access)"
        }
        CUDA_ERROR_INVALID_ADDRESS_SPACE => {
            "an access in the wrong address space: a pointer to shared or local memory used elsewhere (compute-sanitizer names the access)"
        }
        CUDA_ERROR_INVALID_PC => {
            "a jump to an invalid place: a bad function pointer, or a stack overflow (try a larger --stack-size)"
        }
        CUDA_ERROR_HARDWARE_STACK_ERROR => "stack overflow or damaged call stack (try a larger --stack-size)",
        CUDA_ERROR_ILLEGAL_INSTRUCTION => {
            "illegal instruction: a trap, such as abort or unreachable code (compute-sanitizer names the place)"
        }
        CUDA_ERROR_LAUNCH_FAILED => {
            "trap or memory fault: abort, unreachable code, or an access outside of shared or local memory (stack overflow: try a larger --stack-size)"
        }
        CUDA_ERROR_ASSERT => "a failed assertion of the device: the driver prints which",
        CUDA_ERROR_LAUNCH_TIMEOUT => {
            "ran longer than the driver allows on a device that drives a display; use another device"
        }
        CUDA_ERROR_ECC_UNCORRECTABLE => "an uncorrectable memory error of the device; see what nvidia-smi says",
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use sys::CUresult::*;

    /// Each code that a kernel can end with: what its line says happened, and what helps.
    const FAULTS: [(sys::CUresult, &str, &str); 10] = [
        (CUDA_ERROR_ILLEGAL_ADDRESS, "null pointer", "larger --stack-size"),
        (CUDA_ERROR_MISALIGNED_ADDRESS, "alignment", "compute-sanitizer"),
        (
            CUDA_ERROR_INVALID_ADDRESS_SPACE,
            "shared or local memory",
            "compute-sanitizer",
        ),
        (CUDA_ERROR_INVALID_PC, "bad function pointer", "larger --stack-size"),
        (CUDA_ERROR_HARDWARE_STACK_ERROR, "stack overflow", "larger --stack-size"),
        (CUDA_ERROR_ILLEGAL_INSTRUCTION, "trap", "compute-sanitizer"),
        (CUDA_ERROR_LAUNCH_FAILED, "trap", "larger --stack-size"),
        (CUDA_ERROR_ASSERT, "failed assertion", "the driver prints which"),
        (CUDA_ERROR_LAUNCH_TIMEOUT, "drives a display", "use another device"),
        (CUDA_ERROR_ECC_UNCORRECTABLE, "memory error of the device", "nvidia-smi"),
    ];

    #[test]
    fn each_fault_says_its_cause_and_what_helps_in_one_line() {
        for (code, cause, remedy) in FAULTS {
            let text = cause_of(code).unwrap_or_else(|| panic!("{code:?} is not known"));
            assert!(text.contains(cause) && text.contains(remedy), "{code:?}: {text}");
            assert!(!text.contains('\n') && !text.ends_with('.'), "{code:?}: {text}");
        }
    }

    #[test]
    fn what_is_no_fault_of_a_kernel_is_none() {
        for code in [
            CUDA_SUCCESS,
            CUDA_ERROR_INVALID_VALUE,
            CUDA_ERROR_OUT_OF_MEMORY,
            CUDA_ERROR_NOT_FOUND,
            CUDA_ERROR_NOT_READY,
            CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES,
        ] {
            assert_eq!(cause_of(code), None, "{code:?}");
        }
    }
}
