//! The library has everything that the headers declare, and what later programs look for.

mod common;

use std::collections::BTreeSet;

use libloading::Library;

/// The functions that bindgen found in the headers.
fn declared() -> BTreeSet<&'static str> {
    let bindings = include_str!("../../../hsa-sys/src/bindings.rs");
    let names = bindings
        .split("b\"")
        .skip(1)
        .filter_map(|rest| rest.split("\\0\"").next());
    names.filter(|name| name.starts_with("hsa_")).collect()
}

/// What the amdgpu plugin of LLVM 22's offload runtime looks up when it starts: it gives up if one
/// is missing.
const LLVM_22: &str = "
    hsa_agent_get_info hsa_agent_iterate_isas hsa_amd_agent_iterate_memory_pools
    hsa_amd_agent_memory_pool_get_info hsa_amd_agents_allow_access hsa_amd_memory_async_copy
    hsa_amd_memory_fill hsa_amd_memory_lock hsa_amd_memory_pool_allocate hsa_amd_memory_pool_free
    hsa_amd_memory_pool_get_info hsa_amd_memory_unlock hsa_amd_pointer_info
    hsa_amd_register_system_event_handler hsa_amd_signal_async_handler hsa_amd_signal_create
    hsa_code_object_deserialize hsa_code_object_destroy hsa_code_object_reader_create_from_memory
    hsa_code_object_reader_destroy hsa_executable_create hsa_executable_create_alt
    hsa_executable_destroy hsa_executable_freeze hsa_executable_get_symbol_by_name
    hsa_executable_iterate_symbols hsa_executable_load_agent_code_object
    hsa_executable_load_code_object hsa_executable_symbol_get_info hsa_executable_validate hsa_init
    hsa_isa_get_info_alt hsa_iterate_agents hsa_memory_copy hsa_queue_add_write_index_relaxed
    hsa_queue_create hsa_queue_destroy hsa_queue_load_read_index_scacquire hsa_shut_down
    hsa_signal_create hsa_signal_destroy hsa_signal_load_scacquire hsa_signal_store_relaxed
    hsa_signal_store_screlease hsa_signal_subtract_screlease hsa_signal_wait_scacquire
    hsa_status_string hsa_system_get_info";

#[test]
fn every_function_of_the_headers_is_there() {
    // SAFETY: our own library.
    let library = unsafe { Library::new(common::library()) }.unwrap();
    let declared = declared();
    assert!(declared.len() > 200, "{}", declared.len());
    let images = [
        "hsa_ext_image_create",
        "hsa_ext_sampler_destroy",
        "hsa_amd_image_create",
    ];
    let later = ["hsa_amd_memory_async_copy_on_engine"];
    let all = declared
        .into_iter()
        .chain(LLVM_22.split_whitespace())
        .chain(images)
        .chain(later);
    for name in all {
        // SAFETY: only looked up.
        let found = unsafe { library.get::<unsafe extern "C" fn()>(name) };
        assert!(found.is_ok(), "{name} is missing");
    }
}
