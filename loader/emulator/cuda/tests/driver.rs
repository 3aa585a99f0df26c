//! Devices, contexts, handles, errors, finding entry points.

#![allow(clippy::undocumented_unsafe_blocks)] // See `call!`.

mod common;

use std::ffi::{CStr, CString, c_char};
use std::thread;

use common::{Context, ask, call, get, nowhere, out};
use emulator_cuda::border::{In, Out, Text};
use emulator_cuda::contexts::*;
use emulator_cuda::device::*;
use emulator_cuda::driver::{cuDriverGetVersion, cuInit};
use emulator_cuda::error::{cuGetErrorName, cuGetErrorString};
use emulator_cuda::proc_address::{Found, cuGetProcAddress, cuGetProcAddress_v2};
use emulator_cuda::status::Status;
use emulator_cuda::symbols::SYMBOLS;
use emulator_cuda::{event, function, memory, module, stream, unsupported};

fn text_of(call: impl FnOnce(Out<c_char>, i32) -> Result<(), Status>) -> String {
    let mut buffer = [1 as c_char; 100];
    call(Out(buffer.as_mut_ptr()), 100).unwrap();
    unsafe { CStr::from_ptr(buffer.as_ptr()) }.to_str().unwrap().to_owned()
}

#[test]
fn a_device_describes_itself() {
    call!(cuInit, 0).unwrap();
    assert_eq!(call!(cuInit, 1), Err(Status::INVALID_VALUE));
    assert!(get!(cuDriverGetVersion).unwrap() >= 12000);
    assert_eq!(get!(cuDeviceGetCount), Ok(1));
    assert_eq!(get!(cuDeviceGet, 0), Ok(0));
    assert_eq!(get!(cuDeviceGet, 1), Err(Status::INVALID_DEVICE));
    assert_eq!(get!(cuDeviceGet, -1), Err(Status::INVALID_DEVICE));
    assert_eq!(
        text_of(|to, room| call!(cuDeviceGetName, to, room, 0)),
        "Emulated GPU (sm_90)"
    );
    assert_eq!(text_of(|to, _| call!(cuDeviceGetName, to, 9, 0)), "Emulated");
    let pci = text_of(|to, room| call!(cuDeviceGetPCIBusId, to, room, 0));
    assert_eq!(pci, "0000:01:00.0");
    for name in [&*pci, "01:00.0", "0000:01:00"] {
        let name = CString::new(name).unwrap();
        assert_eq!(get!(cuDeviceGetByPCIBusId, Text(name.as_ptr())), Ok(0));
    }
    assert_eq!(get!(cuDeviceGetAttribute, 75, 0), Ok(9));
    assert_eq!(get!(cuDeviceGetAttribute, 1, 0), Ok(1024));
    assert_eq!(get!(cuDeviceGetAttribute, 0, 0), Err(Status::INVALID_VALUE));
    assert_eq!(get!(cuDeviceGetAttribute, 5000, 0), Err(Status::INVALID_VALUE));
    assert_eq!(call!(cuDeviceGetAttribute, nowhere(), 1, 0), Err(Status::INVALID_VALUE));
}

#[test]
fn contexts_are_stacked_per_thread() {
    let first = Context::new();
    let second = Context::new();
    assert_eq!(get!(cuCtxGetCurrent), Ok(second.0));
    assert_eq!(get!(cuCtxPopCurrent_v2), Ok(second.0));
    assert_eq!(get!(cuCtxGetCurrent), Ok(first.0));
    call!(cuCtxPushCurrent_v2, second.0).unwrap();
    thread::spawn(|| {
        assert_eq!(get!(cuCtxGetCurrent), Ok(0));
        assert_eq!(call!(cuCtxSynchronize), Err(Status::INVALID_CONTEXT));
        assert_eq!(get!(memory::cuMemAlloc_v2, 16), Err(Status::INVALID_CONTEXT));
        assert_eq!(get!(cuCtxPopCurrent_v2), Err(Status::INVALID_CONTEXT));
    })
    .join()
    .unwrap();
    assert_eq!(call!(cuCtxSetCurrent, 77), Err(Status::INVALID_CONTEXT));
    let handle = second.0;
    drop(second);
    assert_eq!(get!(cuCtxGetCurrent), Ok(first.0));
    assert_eq!(call!(cuCtxDestroy_v2, handle), Err(Status::INVALID_CONTEXT));
}

#[test]
fn a_destroyed_context_takes_its_objects_along() {
    let other = Context::new();
    let context = Context::new();
    let stream = common::new_stream(0);
    let event = get!(event::cuEventCreate, 0).unwrap();
    drop(context);
    assert_eq!(call!(stream::cuStreamSynchronize, stream), Err(Status::INVALID_HANDLE));
    assert_eq!(call!(event::cuEventQuery, event), Err(Status::INVALID_HANDLE));
    assert_eq!(get!(cuCtxGetCurrent), Ok(other.0));
}

#[test]
fn limits_are_kept() {
    let _context = Context::new();
    assert_eq!(get!(cuCtxGetLimit, 0), Ok(1024));
    call!(cuCtxSetLimit, 0, 8000).unwrap();
    assert_eq!(get!(cuCtxGetLimit, 0), Ok(8000));
    assert_eq!(call!(cuCtxSetLimit, 0, 1 << 30), Err(Status::INVALID_VALUE));
    assert_eq!(get!(cuCtxGetLimit, 1), Ok(1 << 20));
    assert_eq!(get!(cuCtxGetLimit, 2), Ok(8 << 20));
    assert_eq!(get!(cuCtxGetLimit, 4), Err(Status::UNSUPPORTED_LIMIT));
    assert_eq!(get!(cuCtxGetLimit, 99), Err(Status::INVALID_VALUE));
}

#[test]
fn handles_of_another_kind_are_invalid() {
    let context = Context::new();
    let stream = common::new_stream(0);
    for handle in [context.0, stream + 1, 3, usize::MAX] {
        assert_eq!(call!(stream::cuStreamSynchronize, handle), Err(Status::INVALID_HANDLE));
        assert_eq!(call!(event::cuEventRecord, handle, stream), Err(Status::INVALID_HANDLE));
        assert_eq!(call!(module::cuModuleUnload, handle), Err(Status::INVALID_HANDLE));
        assert_eq!(
            get!(function::cuFuncGetAttribute, 0, handle),
            Err(Status::INVALID_HANDLE)
        );
    }
}

#[test]
fn errors_have_names() {
    let name = |code| ask!(to => cuGetErrorName(code, to));
    let text = |code| ask!(to => cuGetErrorString(code, to));
    let read = |text: *const c_char| unsafe { CStr::from_ptr(text) }.to_str().unwrap();
    assert_eq!(read(name(0).unwrap()), "CUDA_SUCCESS");
    assert_eq!(read(name(719).unwrap()), "CUDA_ERROR_LAUNCH_FAILED");
    assert_eq!(read(text(2).unwrap()), "out of memory");
    assert_eq!(name(12345), Err(Status::INVALID_VALUE));
}

#[test]
fn entry_points_are_found_by_version() {
    let find = |name: &CStr, version, flags| {
        let mut found = 9;
        let found_to = out(&mut found);
        let address = ask!(to => cuGetProcAddress_v2(Text(name.as_ptr()), to, version, flags, found_to));
        (address.unwrap() as usize, found)
    };
    let is = |address: *const ()| (address as usize, Found::Yes as u32);
    let v1: unsafe extern "C" fn(Out<usize>, u32, i32) -> u32 = cuCtxCreate;
    let v3: unsafe extern "C" fn(Out<usize>, In<_>, i32, u32, i32) -> u32 = cuCtxCreate_v3;
    assert_eq!(find(c"cuCtxCreate", 3000, 0), is(v1 as *const ()));
    assert_eq!(find(c"cuCtxCreate", 12000, 0), is(v3 as *const ()));
    assert_eq!(find(c"cuLaunchHostFunc", 9000, 0), (0, Found::InNewer as u32));
    assert_eq!(find(c"cuNothing", 12000, 0), (0, Found::No as u32));
    assert_eq!(
        find(c"cuGraphCreate", 12000, 0),
        is(unsupported::cuGraphCreate as *const ())
    );
    let own: unsafe extern "C" fn(usize) -> u32 = stream::cuStreamSynchronize_ptsz;
    assert_eq!(find(c"cuStreamSynchronize", 12000, 2), is(own as *const ()));
    let old = ask!(to => cuGetProcAddress(Text(c"cuNothing".as_ptr()), to, 1000, 0));
    assert_eq!(old, Err(Status::NOT_FOUND));
}

#[test]
fn the_table_of_names_is_sorted() {
    assert!(SYMBOLS.is_sorted_by(|one, next| one.name < next.name));
    for symbol in SYMBOLS {
        assert!(
            symbol.variants.is_sorted_by_key(|variant| variant.since),
            "{}",
            symbol.name
        );
        assert!(
            !symbol.variants.is_empty() || !symbol.per_thread.is_empty(),
            "{}",
            symbol.name
        );
    }
}

#[test]
fn what_is_not_there_says_so() {
    assert_eq!(unsupported::cuGraphCreate(), Status::NOT_SUPPORTED.0);
}

#[test]
fn the_primary_context_is_counted_and_reset() {
    call!(cuInit, 0).unwrap();
    let state = || {
        let (mut flags, mut active) = (0, 0);
        call!(cuDevicePrimaryCtxGetState, 0, out(&mut flags), out(&mut active)).unwrap();
        (flags, active)
    };
    call!(cuDevicePrimaryCtxSetFlags_v2, 0, 4).unwrap();
    assert_eq!(state(), (4, 0));
    let context = get!(cuDevicePrimaryCtxRetain, 0).unwrap();
    assert_eq!(get!(cuDevicePrimaryCtxRetain, 0), Ok(context));
    assert_eq!(state(), (4, 1));
    assert_eq!(call!(cuCtxDestroy_v2, context), Err(Status::INVALID_CONTEXT));
    call!(cuDevicePrimaryCtxReset_v2, 0).unwrap();
    assert_eq!(state(), (4, 0));
    let fresh = get!(cuDevicePrimaryCtxRetain, 0).unwrap();
    assert_ne!(fresh, context);
    for _ in 0..3 {
        call!(cuDevicePrimaryCtxRelease_v2, 0).unwrap();
    }
    assert_eq!(state(), (4, 0));
    assert_eq!(call!(cuDevicePrimaryCtxRelease_v2, 0), Err(Status::INVALID_CONTEXT));
}
