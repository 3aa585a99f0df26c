//! Memory of all kinds, copies, fills, pointers.

#![allow(clippy::undocumented_unsafe_blocks)] // See `call!`.

mod common;

use std::ffi::c_void;

use common::{Context, call, get, list, nowhere, out};
use emulator_cuda::border::{In, Out};
use emulator_cuda::copy::{cuMemcpy, cuMemcpyDtoD_v2, cuMemcpyDtoH_v2, cuMemcpyHtoD_v2, cuMemcpyHtoDAsync_v2};
use emulator_cuda::memory::cuMemGetAddressRange_v2;
use emulator_cuda::memory::{cuMemAlloc_v2, cuMemAllocManaged, cuMemAllocPitch_v2, cuMemFree_v2, cuMemGetInfo_v2};
use emulator_cuda::pinned::*;
use emulator_cuda::pool::*;
use emulator_cuda::status::Status;
use emulator_cuda::{copy, device, fill, pointer, stream};

fn up(to: u64, bytes: &[u8]) -> Result<(), Status> {
    call!(cuMemcpyHtoD_v2, to, bytes.as_ptr().cast(), bytes.len())
}

fn down(from: u64, bytes: usize) -> Result<Vec<u8>, Status> {
    let mut host = vec![0; bytes];
    call!(cuMemcpyDtoH_v2, host.as_mut_ptr().cast(), from, bytes).map(|()| host)
}

/// A property of a pointer, of whatever size.
fn property(which: u32, address: u64) -> Result<u64, Status> {
    let mut value = 0u64;
    call!(
        pointer::cuPointerGetAttribute,
        Out((&raw mut value).cast()),
        which,
        address
    )
    .map(|()| value)
}

fn free_bytes() -> usize {
    let mut total = 0;
    get!(cuMemGetInfo_v2, out(&mut total)).unwrap()
}

#[test]
fn allocations_are_accounted_and_limited() {
    let _context = Context::new();
    let total = get!(device::cuDeviceTotalMem_v2, 0).unwrap();
    assert_eq!(get!(cuMemAlloc_v2, total + 1), Err(Status::OUT_OF_MEMORY));
    assert_eq!(get!(cuMemAlloc_v2, 0), Err(Status::INVALID_VALUE));
    let at = get!(cuMemAlloc_v2, 3 << 20).unwrap();
    assert_eq!(at % (2 << 20), 0, "large allocations begin at large pages");
    assert_eq!(call!(cuMemFree_v2, at + 1), Err(Status::INVALID_VALUE));
    assert_eq!(call!(cuMemFree_v2, at), Ok(()));
    assert_eq!(call!(cuMemFree_v2, at), Err(Status::INVALID_VALUE));
    assert_eq!(call!(cuMemFree_v2, 0), Ok(()));
}

#[test]
fn what_a_context_leaves_behind_is_freed() {
    let outer = Context::new();
    let before = {
        let _inner = Context::new();
        let at: u64 = get!(cuMemAlloc_v2, 5 << 20).unwrap();
        get!(cuMemAllocHost_v2, 4096).unwrap();
        assert_eq!(property(2, at), Ok(2));
        at
    };
    assert_eq!(property(2, before), Err(Status::INVALID_VALUE));
    assert_ne!(outer.0, 0);
}

#[test]
fn copies_stay_within_allocations() {
    let _context = Context::new();
    let at = get!(cuMemAlloc_v2, 100).unwrap();
    up(at, &[7; 100]).unwrap();
    assert_eq!(down(at + 40, 60).unwrap(), [7; 60]);
    assert_eq!(up(at + 1, &[0; 100]), Err(Status::INVALID_VALUE));
    assert_eq!(down(at + 100, 1), Err(Status::INVALID_VALUE));
    assert_eq!(down(8, 1), Err(Status::INVALID_VALUE));
    let other = get!(cuMemAlloc_v2, 100).unwrap();
    call!(cuMemcpyDtoD_v2, other, at, 100).unwrap();
    assert_eq!(down(other, 100).unwrap(), [7; 100]);
    assert_eq!(call!(cuMemcpyDtoD_v2, other, at, 0), Ok(()));
}

#[test]
fn pageable_sources_may_change_after_the_call() {
    let _context = Context::new();
    let stream = common::new_stream(1);
    let gate = get!(cuMemAllocHost_v2, 4).unwrap();
    unsafe { gate.cast::<u32>().write(0) };
    let at = get!(cuMemAlloc_v2, 4).unwrap();
    call!(stream::cuStreamWaitValue32_v2, stream, gate as u64, 1, 1).unwrap();
    let mut source = [1u8, 2, 3, 4];
    call!(cuMemcpyHtoDAsync_v2, at, source.as_ptr().cast(), 4, stream).unwrap();
    source.fill(9);
    assert_eq!(call!(stream::cuStreamQuery, stream), Err(Status::NOT_READY));
    unsafe { gate.cast::<u32>().write_volatile(1) };
    call!(stream::cuStreamSynchronize, stream).unwrap();
    assert_eq!(down(at, 4).unwrap(), [1, 2, 3, 4]);
    assert_eq!(source, [9; 4]);
}

#[test]
fn rows_and_layers() {
    let _context = Context::new();
    let mut pitch = 0;
    let at = get!(cuMemAllocPitch_v2, out(&mut pitch), 10, 3, 4).unwrap();
    assert!(pitch >= 10 && pitch % 256 == 0);
    call!(fill::cuMemsetD2D8_v2, at, pitch, 5, 10, 3).unwrap();
    call!(fill::cuMemsetD2D16_v2, at, pitch, 0x0607, 2, 2).unwrap();
    let mut host = [0u8; 30];
    // From x, y, kind, host, device, array, pitch; to the same; width, height.
    let words = [
        2,
        1,
        2,
        0,
        at as usize,
        0,
        pitch,
        0,
        0,
        1,
        host.as_mut_ptr() as usize,
        0,
        0,
        8,
        8,
        2,
    ];
    let copy_2d = In(words.as_ptr().cast());
    call!(copy::cuMemcpy2D_v2, copy_2d).unwrap();
    assert_eq!(host[..16], [7, 6, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5][..]);
    let beyond = [
        2,
        1,
        2,
        0,
        at as usize,
        0,
        pitch,
        0,
        0,
        1,
        host.as_mut_ptr() as usize,
        0,
        0,
        8,
        8,
        3,
    ];
    assert_eq!(
        call!(copy::cuMemcpy2D_v2, In(beyond.as_ptr().cast())),
        Err(Status::INVALID_VALUE)
    );
    let arrays = [0, 0, 3, 0, 0, 1, 0, 0, 0, 1, host.as_mut_ptr() as usize, 0, 0, 8, 8, 1];
    assert_eq!(
        call!(copy::cuMemcpy2D_v2, In(arrays.as_ptr().cast())),
        Err(Status::NOT_SUPPORTED)
    );
}

#[test]
fn fills_by_element() {
    let _context = Context::new();
    let at = get!(cuMemAlloc_v2, 16).unwrap();
    call!(fill::cuMemsetD8_v2, at, 1, 16).unwrap();
    call!(fill::cuMemsetD16_v2, at + 2, 0x0203, 1).unwrap();
    call!(fill::cuMemsetD32Async, at + 8, 0x0405_0607, 2, 0).unwrap();
    assert_eq!(down(at, 16).unwrap(), [1, 1, 3, 2, 1, 1, 1, 1, 7, 6, 5, 4, 7, 6, 5, 4]);
    assert_eq!(call!(fill::cuMemsetD32_v2, at + 2, 0, 1), Err(Status::INVALID_VALUE));
    assert_eq!(call!(fill::cuMemsetD32_v2, at, 0, 5), Err(Status::INVALID_VALUE));
    assert_eq!(
        call!(fill::cuMemsetD32_v2, at, 0, usize::MAX / 2),
        Err(Status::INVALID_VALUE)
    );
}

#[test]
fn pinned_memory_is_the_same_on_both_sides() {
    let _context = Context::new();
    let host = get!(cuMemHostAlloc, 8192, 3).unwrap();
    assert_eq!(host as usize % 4096, 0);
    assert_eq!(get!(cuMemHostGetDevicePointer_v2, host, 0), Ok(host as u64));
    assert_eq!(get!(cuMemHostGetFlags, host), Ok(3));
    unsafe { host.cast::<u8>().add(5).write(77) };
    assert_eq!(down(host as u64 + 5, 1).unwrap(), [77]);
    assert_eq!(call!(cuMemFree_v2, host as u64), Err(Status::INVALID_VALUE));
    assert_eq!(call!(cuMemFreeHost, host), Ok(()));
    assert_eq!(call!(cuMemFreeHost, host), Err(Status::INVALID_VALUE));
    assert_eq!(get!(cuMemHostAlloc, 1, 64), Err(Status::INVALID_VALUE));
}

#[test]
fn registered_memory_can_be_used_until_it_is_not() {
    let _context = Context::new();
    let mut own = vec![3u8; 10000];
    let address = own.as_mut_ptr().cast::<c_void>();
    assert_eq!(down(own.as_ptr() as u64, 1), Err(Status::INVALID_VALUE));
    call!(cuMemHostRegister_v2, address, own.len(), 0).unwrap();
    assert_eq!(
        call!(cuMemHostRegister_v2, address, 5, 0),
        Err(Status::HOST_MEMORY_ALREADY_REGISTERED)
    );
    assert_eq!(down(own.as_ptr() as u64, 2).unwrap(), [3, 3]);
    call!(cuMemHostUnregister, address).unwrap();
    assert_eq!(
        call!(cuMemHostUnregister, address),
        Err(Status::HOST_MEMORY_NOT_REGISTERED)
    );
    let unmapped = 0x1000 as *mut c_void;
    assert_eq!(
        call!(cuMemHostRegister_v2, unmapped, 4096, 0),
        Err(Status::INVALID_VALUE)
    );
}

#[test]
fn managed_memory_can_be_advised_about() {
    let _context = Context::new();
    let at = get!(cuMemAllocManaged, 64, 1).unwrap();
    unsafe { (at as *mut u8).write(9) };
    assert_eq!(down(at, 1).unwrap(), [9]);
    assert_eq!(call!(stream::cuMemPrefetchAsync, at, 64, 0, 0), Ok(()));
    assert_eq!(
        call!(stream::cuMemPrefetchAsync, at, 65, 0, 0),
        Err(Status::INVALID_VALUE)
    );
    assert_eq!(property(8, at), Ok(1));
}

#[test]
fn pools_count_and_free_in_the_order_of_streams() {
    let _context = Context::new();
    let stream = common::new_stream(0);
    // Kind, handle types, place (device 0), security, most bytes, the rest.
    let description = [1u64, 1, 0, 1 << 20, 0, 0, 0, 0, 0, 0, 0];
    let pool = get!(cuMemPoolCreate, In(description.as_ptr().cast())).unwrap();
    let used = |which| {
        let mut bytes = 0u64;
        call!(cuMemPoolGetAttribute, pool, which, Out((&raw mut bytes).cast())).unwrap();
        bytes
    };
    let at = get!(cuMemAllocFromPoolAsync, 900 << 10, pool, stream).unwrap();
    assert_eq!(used(7), 900 << 10);
    call!(cuMemFreeAsync, at, stream).unwrap();
    assert_eq!(call!(cuMemFreeAsync, at, stream), Err(Status::INVALID_VALUE));
    // More than is left until the stream has freed: waits for that instead of failing.
    let again = get!(cuMemAllocFromPoolAsync, 900 << 10, pool, stream).unwrap();
    assert_eq!(
        get!(cuMemAllocFromPoolAsync, 900 << 10, pool, stream),
        Err(Status::OUT_OF_MEMORY)
    );
    call!(cuMemFree_v2, again).unwrap();
    assert_eq!(used(7), 0);
    assert_eq!(used(8), 900 << 10);
    call!(cuMemPoolDestroy, pool).unwrap();
    let default = get!(device::cuDeviceGetDefaultMemPool, 0).unwrap();
    assert_eq!(call!(cuMemPoolDestroy, default), Err(Status::INVALID_VALUE));
    let at = get!(cuMemAllocAsync, 64, stream).unwrap();
    assert_eq!(property(17, at), Ok(default as u64));
}

#[test]
fn pointers_tell_what_they_are() {
    let context = Context::new();
    let at = get!(cuMemAlloc_v2, 1000).unwrap();
    assert_eq!(property(1, at + 10), Ok(context.0 as u64));
    assert_eq!(property(2, at), Ok(2));
    assert_eq!(property(4, at), Err(Status::INVALID_VALUE), "no host pointer");
    assert_eq!(property(9, at), Ok(0));
    assert_eq!((property(11, at + 10), property(12, at + 10)), (Ok(at), Ok(1000)));
    let local = 5;
    assert_eq!(property(2, &raw const local as u64), Err(Status::INVALID_VALUE));
    let (mut kind, mut managed) = (9u32, 9u8);
    let values = [(&raw mut kind).cast::<c_void>(), (&raw mut managed).cast()];
    let which = [2, 8];
    call!(
        pointer::cuPointerGetAttributes,
        2,
        list(&which),
        list(&values),
        &raw const local as u64
    )
    .unwrap();
    assert_eq!((kind, managed), (0, 0));
    let mut size = 0;
    assert_eq!(get!(cuMemGetAddressRange_v2, out(&mut size), at + 999), Ok(at));
    assert_eq!(size, 1000);
    assert_eq!(
        call!(cuMemGetAddressRange_v2, nowhere(), nowhere(), 4096),
        Err(Status::NOT_FOUND)
    );
    assert!(free_bytes() > 0);
    assert_eq!(call!(cuMemcpy, at, at, 1000), Ok(()));
}
