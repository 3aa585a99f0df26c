//! Several devices, memory as given, and which of them may be seen.

#![allow(clippy::undocumented_unsafe_blocks)] // See `call!`.

mod common;

use std::sync::Once;

use common::{PTX, call, get, kernel, load, new_stream, out, run};
use emulator_cuda::contexts::*;
use emulator_cuda::copy::{cuMemcpyDtoH_v2, cuMemcpyHtoD_v2, cuMemcpyPeer, cuMemcpyPeerAsync};
use emulator_cuda::device::*;
use emulator_cuda::driver::cuInit;
use emulator_cuda::memory::{cuMemAlloc_v2, cuMemFree_v2, cuMemGetInfo_v2};
use emulator_cuda::pinned::{cuMemAllocHost_v2, cuMemFreeHost};
use emulator_cuda::status::Status;
use emulator_cuda::{error, event, stream};

/// Three devices of 1 MiB, of which two may be seen, the last one first.
fn start() {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        for (name, value) in [
            ("GPU_EMULATOR_DEVICES", "3"),
            ("GPU_EMULATOR_MEMORY", "1M"),
            ("GPU_EMULATOR_ARCH", "sm_80"),
            ("CUDA_VISIBLE_DEVICES", "2,0"),
        ] {
            unsafe { std::env::set_var(name, value) };
        }
        call!(cuInit, 0).unwrap();
    });
}

/// A context on a device, current.
fn context(device: i32) -> usize {
    start();
    get!(cuCtxCreate_v2, 0, device).unwrap()
}

fn word_at(address: u64) -> u32 {
    let mut word = 0u32;
    call!(cuMemcpyDtoH_v2, (&raw mut word).cast(), address, 4).unwrap();
    word
}

fn upload(word: u32) -> u64 {
    let at = get!(cuMemAlloc_v2, 4).unwrap();
    call!(cuMemcpyHtoD_v2, at, (&raw const word).cast(), 4).unwrap();
    at
}

#[test]
fn the_environment_chooses() {
    start();
    assert_eq!(get!(cuDeviceGetCount), Ok(2));
    let uuid = |device| get!(cuDeviceGetUuid_v2, device).unwrap();
    assert_eq!((uuid(0)[3], uuid(1)[3]), (2, 0));
    let bus = |device| get!(cuDeviceGetAttribute, 33, device);
    assert_eq!((bus(0), bus(1)), (Ok(3), Ok(1)));
    let mut minor = 9;
    assert_eq!(get!(cuDeviceComputeCapability, out(&mut minor), 1), Ok(8));
    assert_eq!(minor, 0);
    assert_eq!(get!(cuDeviceTotalMem_v2, 0), Ok(1 << 20));
    assert_eq!(get!(cuDeviceCanAccessPeer, 0, 1), Ok(0));
    assert_eq!(get!(cuDeviceGetP2PAttribute, 2, 0, 1), Ok(0));
}

#[test]
fn memory_is_each_devices_own() {
    let first = context(0);
    let at = get!(cuMemAlloc_v2, 700 << 10).unwrap();
    assert_eq!(get!(cuMemAlloc_v2, 700 << 10), Err(Status::OUT_OF_MEMORY));
    let second = context(1);
    let other = get!(cuMemAlloc_v2, 700 << 10).unwrap();
    let mut total = 0;
    let free = get!(cuMemGetInfo_v2, out(&mut total)).unwrap();
    assert!(total == 1 << 20 && free <= 324 << 10, "{free} of {total}");
    call!(cuMemFree_v2, other).unwrap();
    call!(cuMemFree_v2, at).unwrap();
    call!(cuCtxDestroy_v2, second).unwrap();
    call!(cuCtxDestroy_v2, first).unwrap();
}

#[test]
fn devices_copy_to_each_other_and_share_pinned_memory() {
    let first = context(0);
    let from = upload(11);
    let pinned = get!(cuMemAllocHost_v2, 8).unwrap();
    unsafe { pinned.cast::<u32>().write(5) };
    let second = context(1);
    let to = upload(0);
    call!(cuMemcpyPeer, to, second, from, first, 4).unwrap();
    assert_eq!(word_at(to), 11);
    let stream = new_stream(1);
    call!(cuMemcpyPeerAsync, to, second, pinned as u64, first, 4, stream).unwrap();
    call!(stream::cuStreamSynchronize, stream).unwrap();
    assert_eq!(word_at(to), 5);
    // A kernel of the second device adds what the first one's context has allocated for both.
    let add = kernel(load(PTX).unwrap(), c"add").unwrap();
    run(add, 1, 1, &[to, pinned as u64, pinned as u64, 1]).unwrap();
    assert_eq!(unsafe { pinned.cast::<u32>().read() }, 10);
    assert_eq!(
        call!(cuCtxEnablePeerAccess, first, 0),
        Err(Status::PEER_ACCESS_UNSUPPORTED)
    );
    call!(cuMemFreeHost, pinned).unwrap();
    // What it may not touch is a fault.
    error::gpuEmulatorTellFaults(0);
    assert_eq!(run(add, 1, 1, &[to, from, to, 1]), Err(Status::ILLEGAL_ADDRESS));
    call!(cuCtxDestroy_v2, second).unwrap();
    call!(cuCtxDestroy_v2, first).unwrap();
}

#[test]
fn streams_wait_for_events_of_other_devices() {
    let first = context(0);
    let early = new_stream(0);
    let mark = get!(event::cuEventCreate, 0).unwrap();
    let gate = get!(cuMemAllocHost_v2, 4).unwrap();
    unsafe { gate.cast::<u32>().write(0) };
    call!(stream::cuStreamWaitValue32_v2, early, gate as u64, 1, 1).unwrap();
    call!(event::cuEventRecord, mark, early).unwrap();
    let second = context(1);
    let late = new_stream(0);
    call!(stream::cuStreamWaitEvent, late, mark, 0).unwrap();
    assert_eq!(call!(stream::cuStreamQuery, late), Err(Status::NOT_READY));
    unsafe { gate.cast::<u32>().write_volatile(1) };
    call!(stream::cuStreamSynchronize, late).unwrap();
    assert_eq!(call!(event::cuEventQuery, mark), Ok(()));
    call!(cuCtxDestroy_v2, second).unwrap();
    call!(cuCtxDestroy_v2, first).unwrap();
}
