//! What the tests of the library share: they use it as any program does, through its exports.
#![allow(dead_code, reason = "each test file uses a part")]

use std::ffi::{CStr, c_void};
use std::path::{Path, PathBuf};

use hsa_sys::*;

/// Where cargo put the library.
pub fn library() -> PathBuf {
    let test = std::env::current_exe().unwrap();
    let deps = test.parent().unwrap();
    let found = [
        deps.join("libemulator_hsa.so"),
        deps.parent().unwrap().join("libemulator_hsa.so"),
    ]
    .into_iter()
    .find(|path| path.exists());
    found.expect("cargo builds the library with its tests")
}

/// Where the GPU compiler's files are, as `cargo xtask setup` unpacks them.
pub fn toolchain() -> PathBuf {
    let folder = std::env::var_os("GPU_TOOLCHAIN_DIR").map_or_else(
        || Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../target/gpu-toolchain"),
        PathBuf::from,
    );
    folder.join("root/usr")
}

/// The library, initialised until it is dropped.
pub struct Running(pub Hsa);

impl Running {
    pub fn new() -> Running {
        // SAFETY: our own library.
        let hsa = unsafe { Hsa::open(&library()) }.unwrap();
        // SAFETY: nothing is asked of the caller.
        assert_eq!(unsafe { hsa.hsa_init() }, HSA_STATUS_SUCCESS);
        Running(hsa)
    }

    /// All agents.
    pub fn agents(&self) -> Vec<hsa_agent_t> {
        extern "C" fn add(agent: hsa_agent_t, data: *mut c_void) -> hsa_status_t {
            // SAFETY: `data` is the list below.
            unsafe { (*data.cast::<Vec<hsa_agent_t>>()).push(agent) };
            HSA_STATUS_SUCCESS
        }
        let mut agents = Vec::new();
        // SAFETY: `add` gets what it expects.
        check(unsafe { self.0.hsa_iterate_agents(Some(add), (&raw mut agents).cast()) });
        agents
    }

    /// The CPU.
    pub fn host(&self) -> hsa_agent_t {
        self.agents()[0]
    }

    /// The first GPU.
    pub fn gpu(&self) -> hsa_agent_t {
        self.agents()[1]
    }

    /// The pool of an agent that has these flags.
    pub fn pool(&self, agent: hsa_agent_t, flags: u32) -> hsa_amd_memory_pool_t {
        extern "C" fn add(pool: hsa_amd_memory_pool_t, data: *mut c_void) -> hsa_status_t {
            // SAFETY: `data` is the list below.
            unsafe { (*data.cast::<Vec<hsa_amd_memory_pool_t>>()).push(pool) };
            HSA_STATUS_SUCCESS
        }
        let mut pools = Vec::new();
        // SAFETY: `add` gets what it expects.
        check(unsafe {
            self.0
                .hsa_amd_agent_iterate_memory_pools(agent, Some(add), (&raw mut pools).cast())
        });
        let found = pools.into_iter().find(|pool| {
            let mut have = 0u32;
            let attribute = HSA_AMD_MEMORY_POOL_INFO_GLOBAL_FLAGS;
            // SAFETY: the attribute is a u32.
            check(unsafe {
                self.0
                    .hsa_amd_memory_pool_get_info(*pool, attribute, (&raw mut have).cast())
            });
            have == flags
        });
        found.expect("there is such a pool")
    }

    /// Memory of a pool.
    pub fn allocate(&self, pool: hsa_amd_memory_pool_t, size: usize) -> *mut c_void {
        let mut pointer = std::ptr::null_mut();
        // SAFETY: `pointer` is a place for the answer.
        check(unsafe { self.0.hsa_amd_memory_pool_allocate(pool, size, 0, &mut pointer) });
        assert!(!pointer.is_null());
        pointer
    }

    /// A signal.
    pub fn signal(&self, value: i64) -> hsa_signal_t {
        let mut signal = hsa_signal_t { handle: 0 };
        // SAFETY: `signal` is a place for the answer.
        check(unsafe { self.0.hsa_signal_create(value, 0, std::ptr::null(), &mut signal) });
        signal
    }

    /// Waits at most ten seconds until a signal is 0, and returns its value.
    pub fn wait(&self, signal: hsa_signal_t) -> i64 {
        let most = 10_000_000_000;
        // SAFETY: plain values.
        unsafe {
            self.0
                .hsa_signal_wait_scacquire(signal, HSA_SIGNAL_CONDITION_EQ, 0, most, HSA_WAIT_STATE_BLOCKED)
        }
    }

    /// The words for a status.
    pub fn words(&self, status: hsa_status_t) -> String {
        let mut text = std::ptr::null();
        // SAFETY: `text` is a place for the answer, which is a C string that stays.
        unsafe {
            check(self.0.hsa_status_string(status, &mut text));
            CStr::from_ptr(text).to_str().unwrap().to_owned()
        }
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        // SAFETY: nothing is asked of the caller.
        unsafe { self.0.hsa_shut_down() };
    }
}

/// Demands success.
#[track_caller]
pub fn check(status: hsa_status_t) {
    assert_eq!(status, HSA_STATUS_SUCCESS, "status {status:#x}");
}
