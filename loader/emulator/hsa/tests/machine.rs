//! What the machine says about itself, and what it says to nonsense.

mod common;

use std::ffi::{CStr, c_char, c_void};

use common::{Running, check};
use hsa_sys::later::*;
use hsa_sys::*;

fn info<T: Default>(run: &Running, agent: hsa_agent_t, attribute: u32) -> T {
    let mut value = T::default();
    // SAFETY: callers name the attribute's type.
    check(unsafe { run.0.hsa_agent_get_info(agent, attribute, (&raw mut value).cast()) });
    value
}

fn name(run: &Running, agent: hsa_agent_t) -> String {
    let mut text = [0 as c_char; 64];
    // SAFETY: names have 64 bytes.
    unsafe {
        check(
            run.0
                .hsa_agent_get_info(agent, HSA_AGENT_INFO_NAME, text.as_mut_ptr().cast()),
        );
        CStr::from_ptr(text.as_ptr()).to_str().unwrap().to_owned()
    }
}

fn isa_name(run: &Running, agent: hsa_agent_t) -> String {
    extern "C" fn take(isa: hsa_isa_t, data: *mut c_void) -> hsa_status_t {
        // SAFETY: `data` is the handle below.
        unsafe { *data.cast::<hsa_isa_t>() = isa };
        HSA_STATUS_INFO_BREAK
    }
    let mut isa = hsa_isa_t { handle: 0 };
    let mut length = 0u32;
    // SAFETY: the answers have room.
    unsafe {
        let status = run.0.hsa_agent_iterate_isas(agent, Some(take), (&raw mut isa).cast());
        assert_eq!(status, HSA_STATUS_INFO_BREAK, "a callback's status is passed on");
        let ask = |attribute, value| check(run.0.hsa_isa_get_info_alt(isa, attribute, value));
        ask(HSA_ISA_INFO_NAME_LENGTH, (&raw mut length).cast());
        let mut text = vec![0u8; length as usize];
        ask(HSA_ISA_INFO_NAME, text.as_mut_ptr().cast());
        CStr::from_bytes_with_nul(&text).unwrap().to_str().unwrap().to_owned()
    }
}

#[test]
fn one_host_and_a_gpu_of_each_kind() {
    let run = Running::new();
    let agents = run.agents();
    let kinds: Vec<u32> = agents
        .iter()
        .map(|agent| info(&run, *agent, HSA_AGENT_INFO_DEVICE))
        .collect();
    assert_eq!(kinds, [0, 1, 1, 1, 1]);
    let names: Vec<_> = agents[1..].iter().map(|agent| name(&run, *agent)).collect();
    assert_eq!(names, ["gfx90a", "gfx942", "gfx1030", "gfx1100"]);
    let isas: Vec<_> = agents[1..].iter().map(|agent| isa_name(&run, *agent)).collect();
    assert_eq!(isas[0], "amdgcn-amd-amdhsa--gfx90a:sramecc+:xnack-");
    assert_eq!(isas[2], "amdgcn-amd-amdhsa--gfx1030");
    let waves: Vec<u32> = agents[1..]
        .iter()
        .map(|agent| info(&run, *agent, HSA_AGENT_INFO_WAVEFRONT_SIZE))
        .collect();
    assert_eq!(waves, [64, 64, 32, 32]);
    for gpu in &agents[1..] {
        assert_eq!(
            info::<u32>(&run, *gpu, HSA_AGENT_INFO_FEATURE) & HSA_AGENT_FEATURE_KERNEL_DISPATCH,
            1
        );
        assert_ne!(info::<u64>(&run, *gpu, HSA_AMD_AGENT_INFO_TIMESTAMP_FREQUENCY), 0);
    }
}

#[test]
fn nonsense_is_refused_by_name() {
    let run = Running::new();
    let mut value = 0u64;
    let answer = (&raw mut value).cast();
    let wrong = [0, 1, run.host().handle + 1, u64::MAX];
    for handle in wrong {
        // SAFETY: handles may be anything; the answers have room.
        let statuses = unsafe {
            [
                (
                    run.0.hsa_agent_get_info(hsa_agent_t { handle }, 0, answer),
                    HSA_STATUS_ERROR_INVALID_AGENT,
                ),
                (
                    run.0.hsa_isa_get_info_alt(hsa_isa_t { handle }, 0, answer),
                    HSA_STATUS_ERROR_INVALID_ISA,
                ),
                (
                    run.0
                        .hsa_amd_memory_pool_get_info(hsa_amd_memory_pool_t { handle }, 0, answer),
                    HSA_STATUS_ERROR_INVALID_MEMORY_POOL,
                ),
                (
                    run.0.hsa_queue_destroy(handle as *mut hsa_queue_t),
                    HSA_STATUS_ERROR_INVALID_QUEUE,
                ),
                (
                    run.0.hsa_executable_destroy(hsa_executable_t { handle }),
                    HSA_STATUS_ERROR_INVALID_EXECUTABLE,
                ),
                (
                    run.0
                        .hsa_executable_symbol_get_info(hsa_executable_symbol_t { handle }, 0, answer),
                    HSA_STATUS_ERROR_INVALID_EXECUTABLE_SYMBOL,
                ),
                (
                    run.0
                        .hsa_code_object_reader_destroy(hsa_code_object_reader_t { handle }),
                    HSA_STATUS_ERROR_INVALID_CODE_OBJECT_READER,
                ),
                (
                    run.0.hsa_cache_get_info(hsa_cache_t { handle }, 0, answer),
                    HSA_STATUS_ERROR_INVALID_CACHE,
                ),
                (
                    run.0.hsa_wavefront_get_info(hsa_wavefront_t { handle }, 0, answer),
                    HSA_STATUS_ERROR_INVALID_WAVEFRONT,
                ),
            ]
        };
        for (at, (status, expected)) in statuses.into_iter().enumerate() {
            assert_eq!(status, expected, "call {at} with handle {handle:#x}");
        }
        // SAFETY: as above; these have no status.
        unsafe {
            assert_eq!(run.0.hsa_signal_load_relaxed(hsa_signal_t { handle }), 0);
            run.0.hsa_signal_store_release(hsa_signal_t { handle }, 1);
            assert_eq!(run.0.hsa_queue_load_read_index_relaxed(handle as *const hsa_queue_t), 0);
        }
    }
    // SAFETY: null is refused.
    unsafe {
        let host = run.host();
        let null = std::ptr::null_mut();
        assert_eq!(
            run.0.hsa_agent_get_info(host, HSA_AGENT_INFO_NODE, null),
            HSA_STATUS_ERROR_INVALID_ARGUMENT
        );
        assert_eq!(
            run.0.hsa_agent_get_info(host, 0xffff, answer),
            HSA_STATUS_ERROR_INVALID_ARGUMENT
        );
        assert_eq!(run.0.hsa_iterate_agents(None, null), HSA_STATUS_ERROR_INVALID_ARGUMENT);
        let mut text = std::ptr::null();
        assert_eq!(
            run.0.hsa_status_string(12345, &mut text),
            HSA_STATUS_ERROR_INVALID_ARGUMENT
        );
    }
    assert_eq!(run.words(HSA_STATUS_ERROR_INVALID_QUEUE), "no such queue");
}

#[test]
fn the_loader_extension_is_handed_over() {
    let run = Running::new();
    let (mut minor, mut there) = (0, false);
    let loader = HSA_EXTENSION_AMD_LOADER as u16;
    // SAFETY: the answers have room; the table is all options.
    unsafe {
        check(
            run.0
                .hsa_system_major_extension_supported(loader, 1, &mut minor, &mut there),
        );
        assert!(there && minor >= 3);
        let mut table: hsa_ven_amd_loader_1_00_pfn_t = std::mem::zeroed();
        let room = size_of_val(&table);
        check(
            run.0
                .hsa_system_get_major_extension_table(loader, 1, room, (&raw mut table).cast()),
        );
        let query = table.hsa_ven_amd_loader_query_segment_descriptors.unwrap();
        let mut count = 77;
        check(query(std::ptr::null_mut(), &mut count));
        assert_eq!(count, 0);
    }
}
