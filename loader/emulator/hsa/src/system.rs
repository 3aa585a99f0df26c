//! The system as a whole: version, clock, extensions, statuses in words.

use std::ffi::{c_char, c_void};

use hsa_sys::*;

use crate::border::{Answer, Out, entries, run};
use crate::loader_extension;
use crate::runtime::runtime;
use crate::status::{Result, Status};

/// Version of the HSA runtime specification.
pub const VERSION: (u16, u16) = (1, 1);
/// Rate of the system's timestamps: they count nanoseconds.
pub const CLOCK_HZ: u64 = 1_000_000_000;

/// One bit for each extension that there is, as the `…_EXTENSIONS` attributes want it.
pub const EXTENSION_BITS: [u8; 128] = {
    let mut bits = [0; 128];
    bits[HSA_EXTENSION_AMD_LOADER as usize / 8] |= 1 << (HSA_EXTENSION_AMD_LOADER % 8);
    bits
};

/// The present time in ticks of [`CLOCK_HZ`].
pub fn now() -> u64 {
    let mut time = libc::timespec { tv_sec: 0, tv_nsec: 0 };
    // SAFETY: `time` is a place for the answer; this clock exists on every Linux.
    unsafe { libc::clock_gettime(libc::CLOCK_BOOTTIME, &mut time) };
    time.tv_sec as u64 * CLOCK_HZ + time.tv_nsec as u64
}

/// Cores that this process may use.
pub fn cpus() -> u32 {
    std::thread::available_parallelism().map_or(1, |cores| cores.get() as u32)
}

/// The highest minor version of an extension's major version, if there is one.
fn minor_version(extension: u16, major: u16) -> Result<Option<u16>> {
    match u32::from(extension) {
        HSA_EXTENSION_AMD_LOADER if major == 1 => Ok(Some(loader_extension::MINOR_VERSION)),
        known if known <= HSA_EXTENSION_STD_LAST => Ok(None),
        HSA_EXTENSION_AMD_PROFILER | HSA_EXTENSION_AMD_LOADER | HSA_EXTENSION_AMD_AQLPROFILE => Ok(None),
        _ => Err(Status::ARGUMENT),
    }
}

entries! {
    /// Answers a question about the system.
    fn hsa_system_get_info(attribute: hsa_system_info_t, value: *mut c_void) {
        runtime()?;
        let answer = Answer(value);
        match attribute {
            HSA_SYSTEM_INFO_VERSION_MAJOR => answer.set(VERSION.0),
            HSA_SYSTEM_INFO_VERSION_MINOR => answer.set(VERSION.1),
            HSA_SYSTEM_INFO_TIMESTAMP => answer.set(now()),
            HSA_SYSTEM_INFO_TIMESTAMP_FREQUENCY => answer.set(CLOCK_HZ),
            HSA_SYSTEM_INFO_SIGNAL_MAX_WAIT => answer.set(u64::MAX),
            HSA_SYSTEM_INFO_ENDIANNESS => answer.set(HSA_ENDIANNESS_LITTLE),
            HSA_SYSTEM_INFO_MACHINE_MODEL => answer.set(HSA_MACHINE_MODEL_LARGE),
            HSA_SYSTEM_INFO_EXTENSIONS => answer.set(EXTENSION_BITS),
            HSA_AMD_SYSTEM_INFO_SVM_SUPPORTED
            | HSA_AMD_SYSTEM_INFO_SVM_ACCESSIBLE_BY_DEFAULT => answer.set(false),
            _ => Err(Status::ARGUMENT),
        }
    }

    /// Names an extension.
    fn hsa_extension_get_name(extension: u16, name: *mut *const c_char) {
        runtime()?;
        Out(name).set(match u32::from(extension) {
            HSA_EXTENSION_FINALIZER => c"HSA_EXTENSION_FINALIZER".as_ptr(),
            HSA_EXTENSION_IMAGES => c"HSA_EXTENSION_IMAGES".as_ptr(),
            HSA_EXTENSION_PERFORMANCE_COUNTERS => c"HSA_EXTENSION_PERFORMANCE_COUNTERS".as_ptr(),
            HSA_EXTENSION_PROFILING_EVENTS => c"HSA_EXTENSION_PROFILING_EVENTS".as_ptr(),
            HSA_EXTENSION_AMD_PROFILER => c"HSA_EXTENSION_AMD_PROFILER".as_ptr(),
            HSA_EXTENSION_AMD_LOADER => c"HSA_EXTENSION_AMD_LOADER".as_ptr(),
            HSA_EXTENSION_AMD_AQLPROFILE => c"HSA_EXTENSION_AMD_AQLPROFILE".as_ptr(),
            _ => return Err(Status::ARGUMENT),
        })
    }

    /// Says whether there is a version of an extension (deprecated form).
    fn hsa_system_extension_supported(
        extension: u16,
        version_major: u16,
        version_minor: u16,
        result: *mut bool,
    ) {
        runtime()?;
        let minor = minor_version(extension, version_major)?;
        Out(result).set(minor.is_some_and(|minor| version_minor <= minor))
    }

    /// Says whether there is a major version of an extension, and with which minor one.
    fn hsa_system_major_extension_supported(
        extension: u16,
        version_major: u16,
        version_minor: *mut u16,
        result: *mut bool,
    ) {
        runtime()?;
        let minor = minor_version(extension, version_major)?;
        Out(version_minor).check()?;
        Out(result).set(minor.is_some())?;
        minor.map_or(Ok(()), |minor| Out(version_minor).set(minor))
    }

    /// Says whether an agent has a version of an extension (deprecated form).
    fn hsa_agent_extension_supported(
        extension: u16,
        agent: hsa_agent_t,
        version_major: u16,
        version_minor: u16,
        result: *mut bool,
    ) {
        runtime()?.agent(agent)?;
        let minor = minor_version(extension, version_major)?;
        Out(result).set(minor.is_some_and(|minor| version_minor <= minor))
    }

    /// Says whether an agent has a major version of an extension, and with which minor one.
    fn hsa_agent_major_extension_supported(
        extension: u16,
        agent: hsa_agent_t,
        version_major: u16,
        version_minor: *mut u16,
        result: *mut bool,
    ) {
        runtime()?.agent(agent)?;
        let minor = minor_version(extension, version_major)?;
        Out(version_minor).check()?;
        Out(result).set(minor.is_some())?;
        minor.map_or(Ok(()), |minor| Out(version_minor).set(minor))
    }

    /// Hands over the functions of an extension (deprecated form).
    fn hsa_system_get_extension_table(
        extension: u16,
        version_major: u16,
        version_minor: u16,
        table: *mut c_void,
    ) {
        runtime()?;
        let minor = minor_version(extension, version_major)?.ok_or(Status::ARGUMENT)?;
        if version_minor > minor {
            return Err(Status::ARGUMENT);
        }
        loader_extension::fill(table, loader_extension::size_of_minor(version_minor))
    }

    /// Hands over the functions of an extension, as many as the caller has room for.
    fn hsa_system_get_major_extension_table(
        extension: u16,
        version_major: u16,
        table_length: usize,
        table: *mut c_void,
    ) {
        runtime()?;
        minor_version(extension, version_major)?.ok_or(Status::ARGUMENT)?;
        if table_length == 0 {
            return Err(Status::ARGUMENT);
        }
        loader_extension::fill(table, table_length)
    }

    /// Says what a status means. Works before `hsa_init`, too: its failure wants to be told.
    fn hsa_status_string(status: hsa_status_t, status_string: *mut *const c_char) {
        let text = Status::text(status).ok_or(Status::ARGUMENT)?;
        Out(status_string).set(text.as_ptr())
    }
}

/// The rest of the headers: what this machine does not have.
macro_rules! unsupported {
    ($($name:ident)*) => {$(
        #[doc = concat!("`", stringify!($name), "` is not emulated: it says so once and fails.")]
        #[unsafe(no_mangle)]
        pub extern "C" fn $name() -> hsa_status_t {
            // The arguments are not looked at, so that they need not be declared: the caller
            // passes and removes them.
            run(stringify!($name), || {
                crate::border::say_once(concat!(stringify!($name), " is not emulated"));
                Err(Status::ERROR)
            })
        }
    )*};
}

unsupported! {
    hsa_ext_image_get_capability hsa_ext_image_get_capability_with_layout
    hsa_ext_image_data_get_info hsa_ext_image_data_get_info_with_layout
    hsa_ext_image_create hsa_ext_image_create_with_layout hsa_ext_image_destroy
    hsa_ext_image_copy hsa_ext_image_import hsa_ext_image_export hsa_ext_image_clear
    hsa_ext_sampler_create hsa_ext_sampler_destroy
    hsa_amd_image_create hsa_amd_image_get_info_max_dim
    hsa_amd_interop_map_buffer hsa_amd_interop_unmap_buffer
    hsa_amd_ipc_memory_create hsa_amd_ipc_memory_attach hsa_amd_ipc_memory_detach
    hsa_amd_ipc_signal_create hsa_amd_ipc_signal_attach
    hsa_amd_svm_attributes_set hsa_amd_svm_attributes_get hsa_amd_svm_prefetch_async
    hsa_amd_queue_cu_set_mask hsa_amd_queue_cu_get_mask
    hsa_amd_memory_async_copy_rect
    hsa_executable_load_program_code_object
    hsa_code_object_serialize hsa_code_object_deserialize hsa_code_object_destroy
    hsa_code_object_get_info hsa_code_object_get_symbol hsa_code_object_get_symbol_from_name
    hsa_code_object_iterate_symbols hsa_code_symbol_get_info hsa_executable_load_code_object
}
