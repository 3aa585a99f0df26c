//! Which HSA runtime this process talks to, and what its statuses mean.

use std::collections::HashMap;
use std::error::Error as _;
use std::ffi::{CStr, c_void};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard};

use hsa_sys::*;

use crate::binding::Binding;
use crate::device::Driver;
use crate::diagnostics::Diagnostics;
use crate::error::{Error, Result};

/// The runtime that this process is bound to. It is initialised once and never shut down: the
/// process may end while a kernel runs.
static BOUND: Mutex<Binding<&'static Hsa>> = Mutex::new(Binding::new());

/// What the runtime said about memory faults, by GPU.
static FAULTS: Mutex<Option<HashMap<u64, MemoryFault>>> = Mutex::new(None);

/// A memory fault of a GPU.
#[derive(Clone, Copy)]
struct MemoryFault {
    address: u64,
    reasons: u32,
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    // Everything behind these locks is changed in one step.
    mutex.lock().unwrap_or_else(|poison| poison.into_inner())
}

/// Opens a runtime, once, and initialises it.
pub(super) fn bind(driver: &Driver) -> Result<&'static Hsa> {
    lock(&BOUND).to(driver, "HSA runtime", || start(driver))
}

fn start(driver: &Driver) -> Result<&'static Hsa> {
    let hsa = match driver {
        Driver::Native => open_native()?,
        Driver::Emulator(folder) => open_emulator(folder)?,
    };
    // SAFETY: nothing is asked of the caller.
    let status = unsafe { hsa.hsa_init() };
    match (status, driver) {
        (HSA_STATUS_SUCCESS, _) => {}
        // What the runtime says where the kernel driver is missing.
        (HSA_STATUS_ERROR_OUT_OF_RESOURCES, Driver::Native) if !Path::new("/dev/kfd").exists() => {
            return Err(Error::NoDevice(
                "the HSA runtime finds no AMD GPU (there is no /dev/kfd); load the amdgpu driver, or use --backend emulator"
                    .into(),
            ));
        }
        (status, Driver::Native) => {
            return Err(Error::Host(format!(
                "the HSA runtime does not start: {}; see what rocminfo says, or use --backend emulator",
                describe(&hsa, status)
            )));
        }
        (status, Driver::Emulator(_)) => {
            return Err(Error::Host(format!(
                "the emulator does not start: {}; check the GPU_EMULATOR_… variables",
                describe(&hsa, status)
            )));
        }
    }
    if let Driver::Emulator(folder) = driver {
        take_over_diagnostics(folder);
    }
    // A runtime that has a handler already belongs to somebody else too, who then gets the events.
    // SAFETY: `note_fault` is what the runtime expects and needs no data.
    unsafe { hsa.hsa_amd_register_system_event_handler(Some(note_fault), std::ptr::null_mut()) };
    Ok(Box::leak(Box::new(hsa)))
}

fn open_native() -> Result<Hsa> {
    let rocm = std::env::var_os("ROCM_PATH").unwrap_or_else(|| "/opt/rocm".into());
    let places = [PathBuf::from(SONAME), Path::new(&rocm).join("lib").join(SONAME)];
    let mut reason = None;
    for place in places {
        // SAFETY: loading the vendor's runtime runs its initialisers, as every HSA program does.
        match unsafe { Hsa::open(&place) } {
            Ok(hsa) => return Ok(hsa),
            Err(error @ OpenError::Incomplete { .. }) => {
                return Err(Error::NoDriver(format!(
                    "the HSA runtime is too old: {error}; install version 5.2 or later, or use --backend emulator"
                )));
            }
            Err(OpenError::NotFound(error)) => {
                reason.get_or_insert_with(|| cause(&error));
            }
        }
    }
    Err(Error::NoDriver(format!(
        "no HSA runtime ({}); install AMD's ROCm runtime, or use --backend emulator",
        reason.unwrap_or_default()
    )))
}

/// What the dynamic linker said.
fn cause(error: &libloading::Error) -> String {
    error.source().map_or_else(|| error.to_string(), ToString::to_string)
}

fn open_emulator(folder: &Path) -> Result<Hsa> {
    let path = folder.join(SONAME);
    if !path.exists() {
        return Err(Error::Host(format!(
            "no emulator: {} does not exist; `cargo xtask run` builds it there, or say where it is with GPU_EMULATOR_DIR",
            path.display()
        )));
    }
    // SAFETY: the file is this project's emulator, whose initialisers do nothing.
    unsafe { Hsa::open(&path) }.map_err(|error| match error {
        OpenError::NotFound(error) => {
            Error::Host(format!("the emulator cannot be loaded ({}); rebuild it", cause(&error)))
        }
        incomplete => Error::Host(format!("the emulator is none: {incomplete}; rebuild it")),
    })
}

/// The emulator's own words about a fault.
static DIAGNOSTICS: Diagnostics = Diagnostics::new();

/// Has the emulator leave the telling of faults to us.
fn take_over_diagnostics(folder: &Path) {
    // SAFETY: the library is loaded already, and stays loaded.
    unsafe {
        if let Ok(library) = libloading::os::unix::Library::new(folder.join(SONAME)) {
            DIAGNOSTICS.take_over(&library);
        }
    }
}

/// Takes note of a memory fault; what becomes of it is decided where the kernel is waited for.
unsafe extern "C" fn note_fault(event: *const hsa_amd_event_t, _data: *mut c_void) -> hsa_status_t {
    if event.is_null() {
        return HSA_STATUS_ERROR;
    }
    // SAFETY: the runtime passes an event that lives until this returns; which member of the
    // union is valid is looked at first.
    unsafe {
        if (*event).event_type != HSA_AMD_GPU_MEMORY_FAULT_EVENT {
            return HSA_STATUS_ERROR;
        }
        let fault = (*event).__bindgen_anon_1.memory_fault;
        let noted = MemoryFault {
            address: fault.virtual_address,
            reasons: fault.fault_reason_mask,
        };
        lock(&FAULTS).get_or_insert_default().insert(fault.agent.handle, noted);
    }
    HSA_STATUS_SUCCESS
}

/// Whether a GPU had a memory fault, which ends all its queues.
pub(super) fn has_faulted(agent: hsa_agent_t) -> bool {
    lock(&FAULTS)
        .as_ref()
        .is_some_and(|faults| faults.contains_key(&agent.handle))
}

/// What a kernel did, from the status of its queue and what is known of the GPU.
pub(super) fn fault(hsa: &Hsa, agent: hsa_agent_t, status: hsa_status_t) -> Error {
    if let Some(text) = DIAGNOSTICS.last_fault() {
        return Error::Fault(text);
    }
    let noted = lock(&FAULTS)
        .as_ref()
        .and_then(|faults| faults.get(&agent.handle).copied());
    if let Some(MemoryFault { address, reasons }) = noted {
        let why = [
            (HSA_AMD_MEMORY_FAULT_PAGE_NOT_PRESENT, "nothing is there"),
            (HSA_AMD_MEMORY_FAULT_READ_ONLY, "it is read-only"),
            (HSA_AMD_MEMORY_FAULT_NX, "it is not code"),
            (HSA_AMD_MEMORY_FAULT_HOST_ONLY, "only the host may use it"),
            (HSA_AMD_MEMORY_FAULT_DRAMECC, "a memory error of the device"),
            (HSA_AMD_MEMORY_FAULT_SRAMECC, "a register error of the device"),
            (HSA_AMD_MEMORY_FAULT_IMPRECISE, "the address is not exact"),
        ];
        let why: Vec<_> = why
            .iter()
            .filter(|(bit, _)| reasons & *bit as u32 != 0)
            .map(|(_, words)| *words)
            .collect();
        return Error::Fault(format!(
            "memory fault at {address:#x} ({}): a wild or null pointer, an index out of bounds, or a stack overflow (try a larger --stack-size)",
            if why.is_empty() {
                "no reason given".into()
            } else {
                why.join(", ")
            }
        ));
    }
    let cause = match status {
        HSA_STATUS_ERROR_EXCEPTION => "trap: abort, a failed assertion, or unreachable code",
        HSA_STATUS_ERROR_ILLEGAL_INSTRUCTION => {
            "illegal instruction: code of another processor, or a jump to an invalid place (a bad function pointer)"
        }
        HSA_STATUS_ERROR_MEMORY_APERTURE_VIOLATION => {
            "an access in the wrong address space, or beyond the end of local or shared memory (stack overflow: try a larger --stack-size)"
        }
        later::HSA_STATUS_ERROR_MEMORY_FAULT => {
            "memory fault: a wild or null pointer, an index out of bounds, or a stack overflow (try a larger --stack-size)"
        }
        _ => "the queue failed",
    };
    Error::Fault(format!("{cause} [{}]", describe(hsa, status)))
}

/// A status in the runtime's words.
pub(super) fn describe(hsa: &Hsa, status: hsa_status_t) -> String {
    let mut text = std::ptr::null();
    // SAFETY: the pointer is valid; the answer is a C string that is never freed.
    unsafe {
        if hsa.hsa_status_string(status, &mut text) == HSA_STATUS_SUCCESS && !text.is_null() {
            let text = CStr::from_ptr(text).to_string_lossy();
            return format!("{} (status {status:#x})", text.trim_end_matches(['.', '\n']));
        }
    }
    format!("status {status:#x}")
}

/// The error of a call that serves `purpose` ("cannot …").
pub(super) fn check(hsa: &Hsa, purpose: &str, status: hsa_status_t) -> Result<()> {
    match status {
        HSA_STATUS_SUCCESS | HSA_STATUS_INFO_BREAK => Ok(()),
        HSA_STATUS_ERROR_OUT_OF_RESOURCES => Err(Error::Host(format!(
            "{purpose}: out of memory or queues; lower --heap-size or --stack-size, launch fewer threads, or free the device from other programs"
        ))),
        status => Err(Error::Host(format!("{purpose}: {}", describe(hsa, status)))),
    }
}
