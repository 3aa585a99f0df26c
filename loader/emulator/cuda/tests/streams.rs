//! Streams, events, host functions: what runs before what.

#![allow(clippy::undocumented_unsafe_blocks)] // See `call!`.

mod common;

use std::ffi::c_void;
use std::sync::Mutex;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread;
use std::time::Duration;

use common::{Context, ask, call, get, new_stream};
use emulator_cuda::event::*;
use emulator_cuda::memory::cuMemAlloc_v2;
use emulator_cuda::pinned::cuMemAllocHost_v2;
use emulator_cuda::status::{CUresult, Status};
use emulator_cuda::stream::*;
use emulator_cuda::{contexts, fill};

/// What host functions of one test write down, and the gate that the first may wait at.
struct Log {
    lines: Mutex<Vec<&'static str>>,
    gate: Mutex<Receiver<()>>,
}

struct Line {
    log: &'static Log,
    text: &'static str,
    waits: bool,
}

unsafe extern "C" fn write(line: *mut c_void) {
    let line = unsafe { Box::from_raw(line.cast::<Line>()) };
    if line.waits {
        line.log.gate.lock().unwrap().recv().unwrap();
    }
    line.log.lines.lock().unwrap().push(line.text);
}

impl Log {
    fn new() -> (Sender<()>, &'static Log) {
        let (open, gate) = channel();
        let (lines, gate) = (Mutex::default(), Mutex::new(gate));
        (open, Box::leak(Box::new(Log { lines, gate })))
    }

    fn write(&'static self, stream: usize, text: &'static str, waits: bool) {
        let line = Box::into_raw(Box::new(Line { log: self, text, waits }));
        call!(cuLaunchHostFunc, stream, Some(write), line.cast()).unwrap();
    }

    fn lines(&self) -> Vec<&'static str> {
        self.lines.lock().unwrap().clone()
    }
}

#[test]
fn one_stream_is_in_order_and_two_are_not() {
    let _context = Context::new();
    let (open, log) = Log::new();
    let (first, second) = (new_stream(0), new_stream(0));
    log.write(first, "1a", true);
    log.write(first, "1b", false);
    log.write(second, "2", false);
    call!(cuStreamSynchronize, second).unwrap();
    assert_eq!(log.lines(), ["2"]);
    assert_eq!(call!(cuStreamQuery, first), Err(Status::NOT_READY));
    open.send(()).unwrap();
    call!(cuStreamSynchronize, first).unwrap();
    assert_eq!(log.lines(), ["2", "1a", "1b"]);
    assert_eq!(call!(cuStreamQuery, first), Ok(()));
}

#[test]
fn the_legacy_default_stream_stands_between_blocking_ones() {
    let _context = Context::new();
    let (open, log) = Log::new();
    let (before, after, free) = (new_stream(0), new_stream(0), new_stream(1));
    log.write(before, "before", true);
    log.write(0, "default", false);
    log.write(after, "after", false);
    log.write(free, "free", false);
    call!(cuStreamSynchronize, free).unwrap();
    assert_eq!(log.lines(), ["free"]);
    open.send(()).unwrap();
    call!(contexts::cuCtxSynchronize).unwrap();
    assert_eq!(log.lines(), ["free", "before", "default", "after"]);
}

#[test]
fn a_stream_without_work_waits_for_nobody() {
    let _context = Context::new();
    let (open, log) = Log::new();
    let idle = new_stream(0);
    log.write(0, "default", true);
    call!(cuStreamSynchronize, idle).unwrap();
    assert_eq!(log.lines(), [""; 0]);
    open.send(()).unwrap();
    call!(cuStreamSynchronize, 0).unwrap();
}

#[test]
fn own_default_streams_do_not_wait_for_each_other() {
    let context = Context::new();
    let (open, log) = Log::new();
    const OWN: usize = 2;
    log.write(OWN, "mine", true);
    let handle = context.0;
    thread::spawn(move || {
        call!(contexts::cuCtxSetCurrent, handle).unwrap();
        log.write(OWN, "theirs", false);
        call!(cuStreamSynchronize, OWN).unwrap();
    })
    .join()
    .unwrap();
    assert_eq!(log.lines(), ["theirs"]);
    assert_eq!(call!(cuStreamQuery_ptsz, 0), Err(Status::NOT_READY));
    open.send(()).unwrap();
    call!(cuStreamSynchronize_ptsz, 0).unwrap();
    assert_eq!(log.lines(), ["theirs", "mine"]);
}

#[test]
fn a_synchronous_copy_of_the_default_stream_waits_for_blocking_streams() {
    let _context = Context::new();
    let (open, log) = Log::new();
    let at = get!(cuMemAlloc_v2, 4).unwrap();
    log.write(new_stream(0), "before", true);
    let opener = thread::spawn(move || {
        thread::sleep(Duration::from_millis(50));
        open.send(()).unwrap();
    });
    call!(fill::cuMemsetD8_v2, at, 0, 4).unwrap();
    assert_eq!(log.lines(), ["before"]);
    opener.join().unwrap();
}

#[test]
fn events_order_streams_and_measure() {
    let _context = Context::new();
    let (open, log) = Log::new();
    let (first, second) = (new_stream(1), new_stream(1));
    let (start, end) = (get!(cuEventCreate, 0).unwrap(), get!(cuEventCreate, 0).unwrap());
    assert_eq!(call!(cuEventQuery, start), Ok(()), "never recorded");
    assert_eq!(get!(cuEventElapsedTime, start, end), Err(Status::INVALID_HANDLE));
    call!(cuEventRecord, start, first).unwrap();
    log.write(first, "first", true);
    call!(cuEventRecord, end, first).unwrap();
    call!(cuStreamWaitEvent, second, end, 0).unwrap();
    log.write(second, "second", false);
    assert_eq!(call!(cuEventQuery, end), Err(Status::NOT_READY));
    assert_eq!(get!(cuEventElapsedTime, start, end), Err(Status::NOT_READY));
    // On a busy machine the stream's thread may not even have begun.
    call!(cuEventSynchronize, start).unwrap();
    thread::sleep(Duration::from_millis(20));
    open.send(()).unwrap();
    call!(cuEventSynchronize, end).unwrap();
    call!(cuStreamSynchronize, second).unwrap();
    assert_eq!(log.lines(), ["first", "second"]);
    let time = get!(cuEventElapsedTime, start, end).unwrap();
    assert!((20.0..20000.0).contains(&time), "{time} ms");
    let silent = get!(cuEventCreate, 2).unwrap();
    call!(cuEventRecord, silent, first).unwrap();
    assert_eq!(get!(cuEventElapsedTime, start, silent), Err(Status::INVALID_HANDLE));
    call!(cuEventDestroy_v2, end).unwrap();
    assert_eq!(call!(cuEventQuery, end), Err(Status::INVALID_HANDLE));
}

static FROM_HOST_FUNCTION: Mutex<Vec<CUresult>> = Mutex::new(Vec::new());

unsafe extern "C" fn misbehave(_: *mut c_void) {
    let results = unsafe { [contexts::cuCtxSynchronize(), emulator_cuda::memory::cuMemFree_v2(0)] };
    FROM_HOST_FUNCTION.lock().unwrap().extend(results);
}

#[test]
fn host_functions_may_not_call_the_driver() {
    let _context = Context::new();
    call!(cuLaunchHostFunc, 0, Some(misbehave), std::ptr::null_mut()).unwrap();
    call!(contexts::cuCtxSynchronize).unwrap();
    assert_eq!(*FROM_HOST_FUNCTION.lock().unwrap(), [Status::NOT_PERMITTED.0; 2]);
    assert_eq!(
        call!(cuLaunchHostFunc, 0, None, std::ptr::null_mut()),
        Err(Status::INVALID_VALUE)
    );
}

unsafe extern "C" fn callback(stream: usize, status: CUresult, data: *mut c_void) {
    unsafe { *data.cast::<(usize, CUresult)>() = (stream, status) };
}

#[test]
fn callbacks_are_told_their_stream() {
    let _context = Context::new();
    let stream = new_stream(0);
    let mut told = (0usize, 99);
    call!(cuStreamAddCallback, stream, Some(callback), (&raw mut told).cast(), 0).unwrap();
    call!(cuStreamSynchronize, stream).unwrap();
    assert_eq!(told, (stream, 0));
}

#[test]
fn memory_words_are_written_and_awaited() {
    let _context = Context::new();
    let words = get!(cuMemAllocHost_v2, 16).unwrap().cast::<u64>();
    unsafe { words.write_bytes(0, 2) };
    let (first, second) = (new_stream(1), new_stream(1));
    call!(cuStreamWaitValue64_v2, first, words as u64, 5, 0).unwrap();
    call!(cuStreamWriteValue32_v2, first, words as u64 + 8, 6, 0).unwrap();
    assert_eq!(call!(cuStreamQuery, first), Err(Status::NOT_READY));
    call!(cuStreamWriteValue64_v2, second, words as u64, 7, 0).unwrap();
    call!(cuStreamSynchronize, first).unwrap();
    assert_eq!(unsafe { words.add(1).read() }, 6);
    assert_eq!(
        call!(cuStreamWaitValue32_v2, first, words as u64 + 2, 0, 0),
        Err(Status::INVALID_VALUE)
    );
}

#[test]
fn streams_tell_about_themselves() {
    let context = Context::new();
    let stream = get!(cuStreamCreateWithPriority, 1, -100).unwrap();
    assert_eq!(ask!(to => cuStreamGetFlags(stream, to)), Ok(1));
    assert_eq!(ask!(to => cuStreamGetPriority(stream, to)), Ok(-5));
    assert_eq!(ask!(to => cuStreamGetCtx(stream, to)), Ok(context.0));
    assert_eq!(ask!(to => cuStreamGetDevice(stream, to)), Ok(0));
    assert_eq!(ask!(to => cuStreamIsCapturing(stream, to)), Ok(0));
    let id = |stream| ask!(to => cuStreamGetId(stream, to)).unwrap();
    assert_ne!(id(stream), id(0));
    assert_eq!(id(0), id(1));
    assert_eq!(get!(cuStreamCreate, 2), Err(Status::INVALID_VALUE));
    call!(cuStreamDestroy_v2, stream).unwrap();
    assert_eq!(call!(cuStreamSynchronize, stream), Err(Status::INVALID_HANDLE));
    assert_eq!(call!(cuStreamDestroy_v2, stream), Err(Status::INVALID_HANDLE));
}

#[test]
fn work_of_a_destroyed_stream_still_runs() {
    let _context = Context::new();
    let (open, log) = Log::new();
    let stream = new_stream(0);
    log.write(stream, "late", true);
    call!(cuStreamDestroy_v2, stream).unwrap();
    open.send(()).unwrap();
    // The default stream comes after it although its handle is gone.
    call!(cuStreamSynchronize, 0).unwrap();
    assert_eq!(log.lines(), ["late"]);
}
