//! Raw declarations of the HSA runtime API, and its library opened at run time.
//!
//! The types, constants and the function table [`Hsa`] in `bindings.rs` are made by bindgen from
//! the headers that Debian ships in `libhsa-runtime-dev` (see `regenerate.sh`; their licence is in
//! `NOTICE`). There is no policy here: handles are plain structs, statuses plain numbers.
//!
//! [`Hsa::open`] demands only the [stable functions](Hsa::open) that a program loader needs, so
//! that runtimes 5.2 to 7 all do; the other fields of the table say for themselves whether the
//! library has them. What later runtimes added is in [`later`].

mod bindings;
pub mod later;

pub use bindings::*;

use std::fmt;
use std::path::{Path, PathBuf};

/// The name under which every HSA runtime is installed.
pub const SONAME: &str = "libhsa-runtime64.so.1";

/// Why the library could not be used.
#[derive(Debug)]
pub enum OpenError {
    /// The dynamic linker did not find the library or one that it needs.
    NotFound(libloading::Error),
    /// The library lacks a function that every HSA runtime has.
    Incomplete {
        /// The library.
        library: PathBuf,
        /// The first function that it lacks.
        function: &'static str,
    },
}

impl fmt::Display for OpenError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            OpenError::NotFound(error) => write!(f, "{error}"),
            OpenError::Incomplete { library, function } => {
                write!(f, "{} has no function {function}", library.display())
            }
        }
    }
}

impl std::error::Error for OpenError {}

/// The functions that must be there, by name and by their fields of the table.
macro_rules! needed {
    ($($function:ident)*) => {
        /// The functions that [`Hsa::open`] demands.
        pub const NEEDED: &[&str] = &[$(stringify!($function)),*];

        impl Hsa {
            /// The first of them that the library lacks.
            fn first_missing(&self) -> Option<&'static str> {
                let found = [$(self.$function.is_ok()),*];
                found.iter().zip(NEEDED).find(|(found, _)| !**found).map(|(_, function)| *function)
            }
        }
    };
}

impl Hsa {
    /// Opens the library and checks that the functions below are there: calling any of these
    /// through the table cannot fail. (Calling another one that is absent panics; look at its
    /// field first.)
    ///
    /// # Safety
    /// The library's constructors run. It must be an HSA runtime: its functions are called with
    /// the types of the headers.
    pub unsafe fn open(library: &Path) -> Result<Hsa, OpenError> {
        // SAFETY: the caller answers for the library.
        let table = unsafe { Hsa::new(library) }.map_err(OpenError::NotFound)?;
        match table.first_missing() {
            None => Ok(table),
            Some(function) => Err(OpenError::Incomplete {
                library: library.to_owned(),
                function,
            }),
        }
    }
}

needed! {
    hsa_init hsa_status_string hsa_system_get_info
    hsa_iterate_agents hsa_agent_get_info hsa_agent_iterate_isas hsa_isa_get_info_alt
    hsa_signal_create hsa_signal_destroy
    hsa_signal_store_relaxed hsa_signal_store_screlease hsa_signal_wait_scacquire
    hsa_queue_create hsa_queue_destroy
    hsa_queue_add_write_index_relaxed hsa_queue_load_write_index_relaxed
    hsa_queue_load_read_index_scacquire
    hsa_memory_copy
    hsa_code_object_reader_create_from_memory hsa_code_object_reader_destroy
    hsa_executable_create_alt hsa_executable_load_agent_code_object
    hsa_executable_freeze hsa_executable_destroy
    hsa_executable_get_symbol_by_name hsa_executable_symbol_get_info
    hsa_amd_agent_iterate_memory_pools hsa_amd_memory_pool_get_info
    hsa_amd_memory_pool_allocate hsa_amd_memory_pool_free
    hsa_amd_agents_allow_access hsa_amd_register_system_event_handler
}

// The layouts that hardware and device code rely on.
const _: () = {
    assert!(size_of::<hsa_kernel_dispatch_packet_t>() == 64);
    assert!(size_of::<hsa_barrier_and_packet_t>() == 64);
    assert!(size_of::<hsa_barrier_or_packet_t>() == 64);
    assert!(size_of::<hsa_agent_dispatch_packet_t>() == 64);
    assert!(size_of::<amd_signal_t>() == 64);
    assert!(size_of::<amd_queue_t>() == 256);
    assert!(core::mem::offset_of!(amd_queue_t, write_dispatch_id) == 56);
    assert!(core::mem::offset_of!(amd_queue_t, read_dispatch_id) == 128);
};

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_absent_library_is_told_from_an_incomplete_one() {
        // SAFETY: nothing of that name exists.
        let absent = unsafe { Hsa::open(Path::new("/nonexistent/libhsa-runtime64.so.1")) };
        assert!(matches!(absent, Err(OpenError::NotFound(_))));

        // SAFETY: the C library is loaded already and none of its functions are called.
        let other = unsafe { Hsa::open(Path::new("libc.so.6")) };
        let Err(error) = other else {
            panic!("the C library is no HSA runtime")
        };
        assert_eq!(error.to_string(), "libc.so.6 has no function hsa_init");
    }

    /// The loader calls what it has made sure of, and none of the functions that newer ones have replaced: they load code objects without
    /// a reader, or find symbols without an agent.
    #[test]
    fn the_loader_calls_only_what_is_needed() {
        const REPLACED: [&str; 4] = [
            "hsa_code_object_deserialize",
            "hsa_executable_create",
            "hsa_executable_load_code_object",
            "hsa_executable_get_symbol",
        ];
        let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("../src");
        let entries = std::fs::read_dir(source.join("hsa")).expect("the loader's half for AMD");
        let mut files: Vec<_> = entries.flatten().map(|entry| entry.path()).collect();
        files.push(source.join("hsa.rs"));
        let mut called = 0;
        for file in files {
            let text = std::fs::read_to_string(&file).expect("a source");
            let calls = text.split(".hsa_").skip(1).filter_map(|rest| rest.split_once('('));
            for (name, _) in
                calls.filter(|(name, _)| name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_'))
            {
                let function = format!("hsa_{name}");
                assert!(NEEDED.contains(&function.as_str()), "{function} in {}", file.display());
                called += 1;
            }
        }
        assert!(called > 30, "only {called} calls found");
        assert!(!REPLACED.iter().any(|function| NEEDED.contains(function)));
    }
}
