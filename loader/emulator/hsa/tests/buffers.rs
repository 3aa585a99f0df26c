//! Memory: pools, access, copies.

mod common;

use std::ffi::c_void;

use common::{Running, check};
use hsa_sys::*;

const COARSE: u32 = HSA_AMD_MEMORY_POOL_GLOBAL_FLAG_COARSE_GRAINED;
const FINE: u32 = HSA_AMD_MEMORY_POOL_GLOBAL_FLAG_FINE_GRAINED;

fn describe(run: &Running, pointer: *const c_void) -> (hsa_amd_pointer_info_t, Vec<u64>) {
    // SAFETY: zero is a value for all fields.
    let mut info: hsa_amd_pointer_info_t = unsafe { std::mem::zeroed() };
    info.size = size_of_val(&info) as u32;
    let (mut count, mut list) = (0, std::ptr::null_mut());
    // SAFETY: the answers have room, and the list is allocated by `malloc`.
    unsafe {
        check(
            run.0
                .hsa_amd_pointer_info(pointer, &mut info, Some(malloc), &mut count, &mut list),
        );
        let agents = (0..count as usize).map(|at| (*list.add(at)).handle).collect();
        free(list.cast());
        (info, agents)
    }
}

unsafe extern "C" {
    fn malloc(size: usize) -> *mut c_void;
    fn free(pointer: *mut c_void);
}

#[test]
fn access_is_given_and_taken() {
    let run = Running::new();
    let agents = run.agents();
    let (host, one, two) = (agents[0], agents[1], agents[2]);
    let pointer = run.allocate(run.pool(host, FINE), 10_000);
    assert_eq!(pointer as usize % 4096, 0);
    let (info, who) = describe(&run, pointer.wrapping_byte_add(9_999));
    assert_eq!(info.type_, HSA_EXT_POINTER_TYPE_HSA);
    assert_eq!((info.hostBaseAddress, info.sizeInBytes), (pointer, 10_000));
    assert_eq!(who, [host.handle]);
    // SAFETY: lists have the lengths said.
    unsafe {
        check(
            run.0
                .hsa_amd_agents_allow_access(2, [one, two].as_ptr(), std::ptr::null(), pointer),
        );
        assert_eq!(describe(&run, pointer).1, [host.handle, one.handle, two.handle]);
        check(
            run.0
                .hsa_amd_agents_allow_access(1, [two].as_ptr(), std::ptr::null(), pointer),
        );
        assert_eq!(describe(&run, pointer).1, [host.handle, two.handle]);
        check(run.0.hsa_amd_memory_pool_free(pointer));
        assert_eq!(describe(&run, pointer).0.type_, HSA_EXT_POINTER_TYPE_UNKNOWN);
        assert_eq!(
            run.0.hsa_amd_memory_pool_free(pointer),
            HSA_STATUS_ERROR_INVALID_ALLOCATION
        );
        let wild = 0x1234 as *mut c_void;
        assert_eq!(
            run.0.hsa_amd_memory_pool_free(wild),
            HSA_STATUS_ERROR_INVALID_ALLOCATION
        );
    }
}

#[test]
fn copies_wait_for_their_dependencies() {
    let run = Running::new();
    let (host, gpu) = (run.host(), run.gpu());
    let size = 3 << 20;
    let device = run.allocate(run.pool(gpu, COARSE), size);
    let back = run.allocate(run.pool(host, FINE), size);
    let source: Vec<u8> = (0..size).map(|at| (at % 251) as u8).collect();
    let (hold, first, second) = (run.signal(1), run.signal(1), run.signal(1));
    let mut locked = std::ptr::null_mut();
    // SAFETY: ranges are as long as said, and live until the copies are done.
    unsafe {
        let start = source.as_ptr().cast_mut().cast();
        check(
            run.0
                .hsa_amd_memory_lock(start, size, std::ptr::null_mut(), 0, &mut locked),
        );
        assert_eq!(describe(&run, locked).0.type_, HSA_EXT_POINTER_TYPE_LOCKED);
        check(
            run.0
                .hsa_amd_memory_async_copy(back, host, device, gpu, size, 1, &first, second),
        );
        check(
            run.0
                .hsa_amd_memory_async_copy(device, gpu, locked, gpu, size, 1, &hold, first),
        );
        let soon = 20_000_000;
        let blocked = HSA_WAIT_STATE_BLOCKED;
        let early = run
            .0
            .hsa_signal_wait_scacquire(second, HSA_SIGNAL_CONDITION_EQ, 0, soon, blocked);
        assert_eq!(early, 1);
        run.0.hsa_signal_store_screlease(hold, 0);
        assert_eq!(run.wait(second), 0);
        assert_eq!(std::slice::from_raw_parts(back.cast::<u8>(), size), source);
        let mut time = hsa_amd_profiling_async_copy_time_t { start: 0, end: 0 };
        check(run.0.hsa_amd_profiling_get_async_copy_time(second, &mut time));
        assert!(0 < time.start && time.start <= time.end);
        check(run.0.hsa_amd_memory_unlock(start));
        let refused = run
            .0
            .hsa_amd_memory_async_copy(device, gpu, start, gpu, size, 0, std::ptr::null(), first);
        assert_eq!(
            refused, HSA_STATUS_ERROR_INVALID_ARGUMENT,
            "the memory is no longer locked"
        );
        let refused = run
            .0
            .hsa_amd_memory_async_copy(device, gpu, back, gpu, size + 1, 0, std::ptr::null(), first);
        assert_eq!(refused, HSA_STATUS_ERROR_INVALID_ARGUMENT, "one byte too many");
    }
}

#[test]
fn filling_and_copying_at_once() {
    let run = Running::new();
    let device = run.allocate(run.pool(run.gpu(), COARSE), 4096);
    let mut out = [0u32; 1024];
    // SAFETY: ranges are as long as said.
    unsafe {
        check(run.0.hsa_amd_memory_fill(device, 0xa5a5_0001, 1024));
        check(run.0.hsa_memory_copy(out.as_mut_ptr().cast(), device, 4096));
        assert!(out.iter().all(|word| *word == 0xa5a5_0001));
        let odd = device.wrapping_byte_add(2);
        assert_eq!(run.0.hsa_amd_memory_fill(odd, 0, 1), HSA_STATUS_ERROR_INVALID_ARGUMENT);
        assert_eq!(
            run.0.hsa_amd_memory_fill(device, 0, 1025),
            HSA_STATUS_ERROR_INVALID_ALLOCATION
        );
    }
}

#[test]
fn a_deallocation_callback_is_called_once() {
    extern "C" fn farewell(pointer: *mut c_void, count: *mut c_void) {
        assert!(!pointer.is_null());
        // SAFETY: the counter below.
        unsafe { *count.cast::<u32>() += 1 };
    }
    let run = Running::new();
    let pointer = run.allocate(run.pool(run.gpu(), COARSE), 64);
    let mut count = 0u32;
    // SAFETY: the callback gets what it expects, during the free.
    unsafe {
        let counter = (&raw mut count).cast();
        check(
            run.0
                .hsa_amd_register_deallocation_callback(pointer, Some(farewell), counter),
        );
        check(run.0.hsa_amd_memory_pool_free(pointer));
    }
    assert_eq!(count, 1);
}
