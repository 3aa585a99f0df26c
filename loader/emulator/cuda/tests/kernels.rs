//! Modules, launches and faults, with PTX that runs.

#![allow(clippy::undocumented_unsafe_blocks)] // See `call!`.

mod common;
#[path = "../../tests/semantics/probes.rs"]
#[allow(dead_code, reason = "shared with the program that records")]
mod probes;

use std::ffi::{CString, c_char, c_int, c_void};
use std::time::Duration;
use std::{ptr, thread};

use common::{Context, PTX, attribute, call, get, kernel, launch_on, list, load, new_stream, out, run};
use emulator_cuda::border::{In, Out, Text};
use emulator_cuda::contexts::{cuCtxSetLimit, cuCtxSynchronize};
use emulator_cuda::copy::{cuMemcpyDtoH_v2, cuMemcpyHtoD_v2, cuMemcpyHtoDAsync_v2};
use emulator_cuda::function::*;
use emulator_cuda::launch::{cuLaunchCooperativeKernel, cuLaunchKernel, cuLaunchKernelEx};
use emulator_cuda::library::*;
use emulator_cuda::linker::*;
use emulator_cuda::memory::{cuMemAlloc_v2, cuMemFree_v2};
use emulator_cuda::module::*;
use emulator_cuda::occupancy::*;
use emulator_cuda::pinned::cuMemAllocHost_v2;
use emulator_cuda::status::Status;
use emulator_cuda::{contexts, error, event, stream};

fn words_at(address: u64, count: usize) -> Vec<u32> {
    let mut words = vec![0u32; count];
    call!(cuMemcpyDtoH_v2, words.as_mut_ptr().cast(), address, 4 * count).unwrap();
    words
}

fn upload(words: &[u32]) -> u64 {
    let at = get!(cuMemAlloc_v2, 4 * words.len()).unwrap();
    call!(cuMemcpyHtoD_v2, at, words.as_ptr().cast(), 4 * words.len()).unwrap();
    at
}

/// Pinned memory with a word that kernels can wait for.
fn gate() -> *mut u32 {
    let gate = get!(cuMemAllocHost_v2, 4).unwrap().cast::<u32>();
    unsafe { gate.write_volatile(0) };
    gate
}

#[test]
fn vectors_are_added() {
    let _context = Context::new();
    let add = kernel(load(PTX).unwrap(), c"add").unwrap();
    let count = 1000u32;
    let a = upload(&(0..count).collect::<Vec<_>>());
    let b = upload(&(0..count).map(|i| 5 * i).collect::<Vec<_>>());
    let c = upload(&vec![0; count as usize]);
    run(add, 8, 128, &[a, b, c, count.into()]).unwrap();
    assert_eq!(
        words_at(c, count as usize),
        (0..count).map(|i| 6 * i).collect::<Vec<_>>()
    );
}

#[test]
fn parameters_come_one_by_one_or_as_a_buffer() {
    let _context = Context::new();
    let mixed = kernel(load(PTX).unwrap(), c"mixed").unwrap();
    let parameter = |index| {
        let mut offset = 0;
        let mut size = 0;
        call!(cuFuncGetParamInfo, mixed, index, out(&mut offset), out(&mut size)).map(|()| (offset, size))
    };
    assert_eq!(
        [parameter(0), parameter(1), parameter(2)],
        [Ok((0, 1)), Ok((4, 4)), Ok((8, 8))]
    );
    assert_eq!(parameter(3), Err(Status::INVALID_VALUE));
    let at = upload(&[0]);
    let (small, middle) = (200u8, 1000u32);
    let mut each = [
        (&raw const small).cast_mut().cast(),
        (&raw const middle).cast_mut().cast(),
        (&raw const at) as _,
    ];
    let launch = |each: *mut *mut c_void, extra: *mut *mut c_void| {
        call!(cuLaunchKernel, mixed, 1, 1, 1, 1, 1, 1, 0, 0, each, extra)
    };
    launch(each.as_mut_ptr(), ptr::null_mut()).unwrap();
    assert_eq!(words_at(at, 1), [1200]);

    let mut buffer = [0u8; 16];
    buffer[0] = 7;
    buffer[4..8].copy_from_slice(&8u32.to_ne_bytes());
    buffer[8..].copy_from_slice(&at.to_ne_bytes());
    let mut size = 16usize;
    let (pointer_key, size_key) = (ptr::without_provenance_mut(1), ptr::without_provenance_mut(2));
    let mut extra = [
        pointer_key,
        buffer.as_mut_ptr().cast(),
        size_key,
        (&raw mut size).cast(),
        ptr::null_mut(),
    ];
    launch(ptr::null_mut(), extra.as_mut_ptr()).unwrap();
    assert_eq!(words_at(at, 1), [15]);

    assert_eq!(
        launch(each.as_mut_ptr(), extra.as_mut_ptr()),
        Err(Status::INVALID_VALUE)
    );
    assert_eq!(launch(ptr::null_mut(), ptr::null_mut()), Err(Status::INVALID_VALUE));
    size = 8;
    extra[3] = (&raw mut size).cast();
    assert_eq!(launch(ptr::null_mut(), extra.as_mut_ptr()), Err(Status::INVALID_VALUE));
}

#[test]
fn launches_are_asynchronous_and_streams_run_side_by_side() {
    let _context = Context::new();
    let module = load(PTX).unwrap();
    let (wait, add) = (kernel(module, c"wait").unwrap(), kernel(module, c"add").unwrap());
    let (first, second) = (new_stream(1), new_stream(1));
    let gate = gate();
    let at = upload(&[1]);
    launch_on(first, wait, 1, 32, &[gate as u64]).unwrap();
    launch_on(first, add, 1, 1, &[at, at, at, 1]).unwrap();
    // The other stream goes on meanwhile, and so do copies.
    let other = upload_on(second, 20);
    launch_on(second, add, 1, 1, &[other, other, other, 1]).unwrap();
    call!(stream::cuStreamSynchronize, second).unwrap();
    assert_eq!(call!(stream::cuStreamQuery, first), Err(Status::NOT_READY));
    unsafe { gate.write_volatile(1) };
    call!(stream::cuStreamSynchronize, first).unwrap();
    assert_eq!((words_at(at, 1), words_at(other, 1)), (vec![2], vec![40]));
}

fn upload_on(stream: usize, word: u32) -> u64 {
    let at = get!(cuMemAlloc_v2, 4).unwrap();
    call!(cuMemcpyHtoDAsync_v2, at, (&raw const word).cast(), 4, stream).unwrap();
    at
}

#[test]
fn freeing_waits_for_kernels() {
    let _context = Context::new();
    let wait = kernel(load(PTX).unwrap(), c"wait").unwrap();
    let gate = gate();
    let at = upload(&[0]);
    launch_on(new_stream(1), wait, 1, 1, &[gate as u64]).unwrap();
    let opened = gate as usize;
    let opener = thread::spawn(move || {
        thread::sleep(Duration::from_millis(30));
        unsafe { (opened as *mut u32).write_volatile(1) };
    });
    call!(cuMemFree_v2, at).unwrap();
    assert_eq!(unsafe { gate.read_volatile() }, 1);
    opener.join().unwrap();
}

#[test]
fn shapes_are_checked() {
    let _context = Context::new();
    let module = load(PTX).unwrap();
    let (large, wait) = (kernel(module, c"large").unwrap(), kernel(module, c"wait").unwrap());
    let try_shape = |grid: [u32; 3], block: [u32; 3], shared: u32| {
        let none = ptr::null_mut();
        let [gx, gy, gz] = grid;
        let [bx, by, bz] = block;
        call!(cuLaunchKernel, large, gx, gy, gz, bx, by, bz, shared, 0, none, none)
    };
    assert_eq!(try_shape([1, 1, 1], [64, 1, 1], 0), Ok(()));
    let invalid = Err(Status::INVALID_VALUE);
    assert_eq!(try_shape([1, 1, 1], [65, 1, 1], 0), invalid, "more than .maxntid");
    assert_eq!(try_shape([0, 1, 1], [1, 1, 1], 0), invalid);
    assert_eq!(try_shape([1, 65536, 1], [1, 1, 1], 0), invalid);
    assert_eq!(try_shape([1, 1, 1], [1, 1, 65], 0), invalid);
    assert_eq!(try_shape([1, 1, 1], [u32::MAX, u32::MAX, 64], 0), invalid);
    assert_eq!(
        try_shape([1, 1, 1], [1, 1, 1], 48 << 10),
        invalid,
        "with the kernel's own 4 KiB too much"
    );
    call!(cuFuncSetAttribute, large, 8, 100 << 10).unwrap();
    assert_eq!(try_shape([1, 1, 1], [1, 1, 1], 48 << 10), Ok(()));
    assert_eq!(call!(cuFuncSetAttribute, large, 8, 228 << 10), invalid);
    let mut address = 0u64;
    let mut each = [(&raw mut address).cast::<c_void>()];
    let each = each.as_mut_ptr();
    assert_eq!(
        call!(cuLaunchKernel, wait, 1, 1, 1, 1025, 1, 1, 0, 0, each, ptr::null_mut()),
        invalid
    );
    let crowd = call!(cuLaunchCooperativeKernel, wait, 100_000, 1, 1, 1024, 1, 1, 0, 0, each);
    assert_eq!(crowd, Err(Status::COOPERATIVE_LAUNCH_TOO_LARGE));
    call!(cuCtxSynchronize).unwrap();
}

#[test]
fn what_does_not_belong_together_is_refused() {
    let _first = Context::new();
    let there = kernel(load(PTX).unwrap(), c"large").unwrap();
    let stream = new_stream(0);
    let _second = Context::new();
    let here = kernel(load(PTX).unwrap(), c"large").unwrap();
    assert_eq!(launch_on(0, there, 1, 1, &[]), Err(Status::INVALID_HANDLE));
    assert_eq!(launch_on(stream, here, 1, 1, &[]), Err(Status::INVALID_HANDLE));
    let event = get!(event::cuEventCreate, 0).unwrap();
    assert_eq!(call!(event::cuEventRecord, event, stream), Err(Status::INVALID_HANDLE));
    assert_eq!(run(here, 1, 1, &[]), Ok(()));
}

#[test]
fn extended_launches() {
    let _context = Context::new();
    let large = kernel(load(PTX).unwrap(), c"large").unwrap();
    // Grid, block, shared, padding, stream, attributes, their number.
    #[repr(C)]
    struct Config([u32; 8], usize, *const [u32; 18], u32);
    let launch = |which: u32, value: [u32; 3]| {
        let mut attribute = [0u32; 18];
        attribute[0] = which;
        attribute[2..5].copy_from_slice(&value);
        let config = Config([2, 1, 1, 32, 1, 1, 0, 0], 0, &attribute, 1);
        call!(
            cuLaunchKernelEx,
            In((&raw const config).cast()),
            large,
            ptr::null_mut(),
            ptr::null_mut()
        )
    };
    assert_eq!(launch(0, [0; 3]), Ok(()));
    assert_eq!(launch(2, [1, 0, 0]), Ok(()), "cooperative");
    assert_eq!(launch(4, [1, 1, 1]), Ok(()), "clusters of one block");
    assert_eq!(launch(4, [2, 1, 1]), Err(Status::INVALID_CLUSTER_SIZE));
    assert_eq!(launch(500, [0; 3]), Err(Status::INVALID_VALUE));
    call!(cuCtxSynchronize).unwrap();
}

#[test]
fn modules_tell_what_is_in_them() {
    let _context = Context::new();
    let module = load(PTX).unwrap();
    assert_eq!(get!(cuModuleGetFunctionCount, module), Ok(5));
    let mut all = [0usize; 5];
    call!(cuModuleEnumerateFunctions, Out(all.as_mut_ptr()), 5, module).unwrap();
    assert_eq!(all[0], kernel(module, c"add").unwrap());
    assert_eq!(kernel(module, c"absent"), Err(Status::NOT_FOUND));
    let mut size = 0;
    let at = get!(cuModuleGetGlobal_v2, out(&mut size), module, Text(c"answer".as_ptr())).unwrap();
    assert_eq!((words_at(at, 1), size), (vec![42], 4));
    let at = get!(cuModuleGetGlobal_v2, out(&mut size), module, Text(c"factor".as_ptr())).unwrap();
    assert_eq!((words_at(at, 2), size), (vec![3, 4], 8));
    assert_eq!(get!(cuFuncGetModule, all[0]), Ok(module));
    let large = kernel(module, c"large").unwrap();
    assert_eq!((attribute(large, 0), attribute(large, 1)), (64, 4096));
    assert_eq!((attribute(large, 5), attribute(large, 6)), (70, 90));
    assert_eq!(attribute(large, 8), (48 << 10) - 4096);
    call!(cuModuleUnload, module).unwrap();
    assert_eq!(kernel(module, c"add"), Err(Status::INVALID_HANDLE));
    assert_eq!(run(large, 1, 1, &[]), Err(Status::INVALID_HANDLE));
}

/// Loads with a log: the error, and the log.
fn load_with_log(image: *const c_void) -> (Result<usize, Status>, String) {
    let mut log = [1u8; 600];
    let options = [5u32, 6, 2];
    let mut values = [
        log.as_mut_ptr().cast::<c_void>(),
        log.len() as *mut c_void,
        ptr::null_mut(),
    ];
    let result = get!(cuModuleLoadDataEx, image, 3, list(&options), values.as_mut_ptr());
    let length = values[1] as usize;
    assert_eq!(log[length], 0);
    (result, String::from_utf8(log[..length].to_vec()).unwrap())
}

#[test]
fn what_cannot_be_loaded_is_explained_in_the_log() {
    let _context = Context::new();
    let wrong = CString::new(PTX.replace("mad.lo.s32", "madness.s32")).unwrap();
    let (result, log) = load_with_log(wrong.as_ptr().cast());
    assert_eq!(result, Err(Status::INVALID_PTX));
    let line = PTX.lines().position(|line| line.contains("mad.lo.s32")).unwrap() + 1;
    assert!(
        log.contains(&format!("line {line}")) && log.contains("madness"),
        "{log}"
    );
    let (result, log) = load_with_log(c"\x7fELF\x02\x01".as_ptr().cast());
    assert_eq!(result, Err(Status::NO_BINARY_FOR_GPU));
    assert!(log.contains("use PTX"), "{log}");
    let newer = CString::new(PTX.replace("sm_70", "sm_120")).unwrap();
    let (result, log) = load_with_log(newer.as_ptr().cast());
    assert_eq!(result, Err(Status::INVALID_PTX));
    assert!(log.contains("GPU_EMULATOR_ARCH=sm_120"), "{log}");
    for (text, said) in [
        (c"", "no .version"),
        (c"hello", "no .version"),
        (c".version 7.0\n.target sm", "unknown target"),
    ] {
        let (result, log) = load_with_log(text.as_ptr().cast());
        assert_eq!(result, Err(Status::INVALID_PTX));
        assert!(log.contains(said), "{log}");
    }
    let right = CString::new(PTX).unwrap();
    let (result, log) = load_with_log(right.as_ptr().cast());
    assert_eq!((result.is_ok(), &*log), (true, ""));
    assert_eq!(
        get!(cuModuleLoad, Text(c"/nowhere/image.ptx".as_ptr())),
        Err(Status::FILE_NOT_FOUND)
    );
    assert_eq!(
        get!(cuModuleLoad, Text(c"/dev/zero".as_ptr())),
        Err(Status::INVALID_IMAGE)
    );
    assert_eq!(get!(cuModuleLoadData, ptr::null()), Err(Status::INVALID_VALUE));
}

#[test]
fn libraries_are_loaded_where_they_are_used() {
    let _first = Context::new();
    let text = CString::new(PTX).unwrap();
    let none = (In(ptr::null::<u32>()), ptr::null_mut::<*mut c_void>());
    let library = get!(
        cuLibraryLoadData,
        text.as_ptr().cast(),
        none.0,
        none.1,
        0,
        none.0,
        none.1,
        0
    )
    .unwrap();
    assert_eq!(get!(cuLibraryGetKernelCount, library), Ok(5));
    let add = get!(cuLibraryGetKernel, library, Text(c"add".as_ptr())).unwrap();
    assert_eq!(
        get!(cuLibraryGetKernel, library, Text(c"absent".as_ptr())),
        Err(Status::NOT_FOUND)
    );
    for _ in 0..2 {
        let _context = Context::new();
        let at = upload(&[4]);
        run(add, 1, 1, &[at, at, at, 1]).unwrap();
        assert_eq!(words_at(at, 1), [8]);
        let here = get!(cuKernelGetFunction, add).unwrap();
        run(here, 1, 1, &[at, at, at, 1]).unwrap();
        assert_eq!(words_at(at, 1), [16]);
    }
    let mut size = 0;
    call!(cuKernelGetParamInfo, add, 3, out(&mut 0), out(&mut size)).unwrap();
    assert_eq!(size, 8);
    call!(cuLibraryUnload, library).unwrap();
    assert_eq!(get!(cuKernelGetFunction, add), Err(Status::INVALID_HANDLE));
}

#[test]
fn texts_are_linked() {
    let _context = Context::new();
    let none = (In(ptr::null::<u32>()), ptr::null_mut::<*mut c_void>());
    let link = common::ask!(to => cuLinkCreate_v2(0, none.0, none.1, to)).unwrap();
    let other = ".version 7.0\n.target sm_70\n.address_size 64\n.visible .entry other() { ret; }\n";
    for text in [PTX, other] {
        let data = In(text.as_ptr());
        let name = In(c"text".as_ptr());
        call!(cuLinkAddData_v2, link, 1, data, text.len(), name, 0, none.0, none.1).unwrap();
    }
    let machine_code = call!(
        cuLinkAddData_v2,
        link,
        0,
        In(b"\x7fELF".as_ptr()),
        4,
        In(ptr::null()),
        0,
        none.0,
        none.1
    );
    assert_eq!(machine_code, Err(Status::NO_BINARY_FOR_GPU));
    let mut size = 0;
    let image = common::ask!(to => cuLinkComplete(link, to, out(&mut size))).unwrap();
    assert!(size > PTX.len());
    let module = get!(cuModuleLoadData, image.cast_const()).unwrap();
    call!(cuLinkDestroy, link).unwrap();
    run(kernel(module, c"other").unwrap(), 1, 1, &[]).unwrap();
    assert_eq!(call!(cuLinkDestroy, link), Err(Status::INVALID_HANDLE));
}

unsafe extern "C" fn shared_of(_block: c_int) -> usize {
    20 << 10
}

#[test]
fn occupancy_follows_the_limits() {
    let _context = Context::new();
    let module = load(PTX).unwrap();
    let (add, large) = (kernel(module, c"add").unwrap(), kernel(module, c"large").unwrap());
    let blocks = |threads, shared| get!(cuOccupancyMaxActiveBlocksPerMultiprocessor, add, threads, shared);
    assert_eq!(blocks(1024, 0), Ok(2));
    assert_eq!(blocks(32, 0), Ok(32));
    assert_eq!(blocks(32, 40 << 10), Ok(5));
    assert_eq!(blocks(2048, 0), Ok(0));
    assert_eq!(blocks(0, 0), Err(Status::INVALID_VALUE));
    let mut block = 0;
    let grid = get!(
        cuOccupancyMaxPotentialBlockSize,
        out(&mut block),
        large,
        Some(shared_of),
        0,
        0
    )
    .unwrap();
    assert_eq!((block, grid % 132), (64, 0));
    assert_eq!(
        get!(cuOccupancyAvailableDynamicSMemPerBlock, add, 2, 1024),
        Ok((114 << 10) - 1024)
    );
}

fn last_fault() -> String {
    let mut text = vec![0u8; 10000];
    let length = unsafe { error::gpuEmulatorLastFault(text.as_mut_ptr().cast::<c_char>(), text.len()) };
    String::from_utf8(text[..length].to_vec()).unwrap()
}

#[test]
fn a_fault_ends_its_context_and_no_other() {
    error::gpuEmulatorTellFaults(0);
    let _healthy = Context::new();
    let at = upload(&[5]);
    for (how, status) in [
        (16, Status::ILLEGAL_ADDRESS),
        (at + 2, Status::MISALIGNED_ADDRESS),
        (1, Status::LAUNCH_FAILED),
    ] {
        let _context = Context::new();
        let crash = kernel(load(PTX).unwrap(), c"crash").unwrap();
        let stream = new_stream(0);
        launch_on(stream, crash, 1, 1, &[how]).unwrap();
        assert_eq!(call!(stream::cuStreamSynchronize, stream), Err(status));
        assert_eq!(get!(cuMemAlloc_v2, 4), Err(status));
        assert_eq!(call!(cuCtxSetLimit, 0, 2048), Err(status));
        assert_eq!(launch_on(0, crash, 1, 1, &[at]), Err(status));
        assert!(last_fault().contains("crash"), "{}", last_fault());
    }
    assert_eq!(words_at(at, 1), [5]);
}

/// Faults as an H200's driver reported them.
#[test]
fn faults_have_the_codes_of_a_device() {
    error::gpuEmulatorTellFaults(0);
    let recorded = include_str!("../../tests/semantics/probes.txt");
    let mut count = 0;
    for probe in probes::PROBES {
        let start = format!("{}: error ", probe.name);
        let Some(code) = recorded.lines().find_map(|line| line.strip_prefix(&start)) else {
            continue;
        };
        let _context = Context::new();
        let out = get!(cuMemAllocHost_v2, 256).unwrap() as u64;
        let kernel = kernel(load(&probe.module()).unwrap(), c"probe").unwrap();
        launch_on(0, kernel, 1, 32, &[out]).unwrap();
        let status = Status(code.parse().unwrap());
        assert_eq!(call!(cuCtxSynchronize), Err(status), "{}: {}", probe.name, last_fault());
        count += 1;
    }
    assert_eq!(count, 9);
}

#[test]
fn a_fault_stops_other_kernels_of_its_context() {
    error::gpuEmulatorTellFaults(0);
    let _context = Context::new();
    let module = load(PTX).unwrap();
    let gate = gate();
    launch_on(new_stream(1), kernel(module, c"wait").unwrap(), 1, 1, &[gate as u64]).unwrap();
    launch_on(new_stream(1), kernel(module, c"crash").unwrap(), 1, 1, &[8]).unwrap();
    assert_eq!(call!(cuCtxSynchronize), Err(Status::ILLEGAL_ADDRESS));
}

#[test]
fn the_primary_context_recovers_by_a_reset() {
    error::gpuEmulatorTellFaults(0);
    call!(emulator_cuda::driver::cuInit, 0).unwrap();
    let use_it = || {
        let context = get!(contexts::cuDevicePrimaryCtxRetain, 0).unwrap();
        call!(contexts::cuCtxSetCurrent, context).unwrap();
    };
    use_it();
    let crash = kernel(load(PTX).unwrap(), c"crash").unwrap();
    assert_eq!(run(crash, 1, 1, &[1]), Err(Status::LAUNCH_FAILED));
    call!(contexts::cuDevicePrimaryCtxReset_v2, 0).unwrap();
    use_it();
    let large = kernel(load(PTX).unwrap(), c"large").unwrap();
    assert_eq!(run(large, 1, 1, &[]), Ok(()));
    call!(contexts::cuCtxSetCurrent, 0).unwrap();
    call!(contexts::cuDevicePrimaryCtxRelease_v2, 0).unwrap();
    call!(contexts::cuDevicePrimaryCtxRelease_v2, 0).unwrap();
}
