//! Programs loaded again and again on one device: nothing gathers there.

use std::ffi::c_uint;
use std::ptr;
use std::sync::{Arc, Mutex, Once};

use cudarc::driver::sys::{self, CUresult};
use host_server::{ClientObject, RecordingHost};
use loader::device::{LaunchShape, StreamId};
use loader::image::Image;
use loader::runtime::Backend;
use loader::{Ended, Error, Options, Parameters, Runtime};
use rpc_proto::ext::ExtClient;

#[path = "common/amd_image.rs"]
mod amd_image;
mod common;

/// Held by those who count the driver's streams, and by those who would be counted.
static STREAMS: Mutex<()> = Mutex::new(());

/// More than an AMD GPU has queues.
const LOADS: usize = 200;

fn runtime(image: &Image) -> Runtime {
    static PREPARED: Once = Once::new();
    PREPARED.call_once(|| {
        // SAFETY: whichever test comes first does this before the environment is read; others wait for it here.
        unsafe { std::env::set_var("GPU_EMULATOR_DIR", common::emulator("loads")) };
    });
    Runtime::open(image, Backend::Emulator, 0).unwrap()
}

fn options() -> Options {
    Options {
        host: Arc::new(RecordingHost::default()),
        heap_bytes: 1 << 20,
        ports: 4,
        express_slots: 4,
        ..Options::default()
    }
}

/// An image that makes calls and knows large transfers, with this in its kernel.
fn ptx(body: &str) -> String {
    format!(
        ".version 7.8\n.target sm_70\n.address_size 64
.visible .global .align 8 .b8 {}[{}];
.visible .global .align 8 .b8 {}[{}];
.visible .entry _start(.param .u32 argc, .param .u64 argv, .param .u64 envp, .param .u64 ret) {{ {body} ret; }}\n",
        loader::symbols::CLIENT,
        size_of::<ClientObject>(),
        loader::symbols::EXTENSION_CLIENT,
        size_of::<ExtClient>()
    )
}

/// Makes a stream beside the loader and destroys it; its handle, which is larger than those before.
fn mark() -> usize {
    let mut stream = ptr::null_mut();
    // SAFETY: opening the device made its context current in this thread; the pointer is valid, and nobody else has the stream.
    unsafe {
        assert_eq!(sys::cuStreamCreate(&mut stream, 1), CUresult::CUDA_SUCCESS);
        assert_eq!(sys::cuStreamDestroy_v2(stream), CUresult::CUDA_SUCCESS);
        assert_eq!(sys::cuStreamDestroy_v2(stream), CUresult::CUDA_ERROR_INVALID_HANDLE);
    }
    stream as usize
}

/// The test of streams that go with their program, and of those that go with their device.
#[test]
fn streams_do_not_gather_on_nvidia() {
    let _alone = STREAMS.lock();
    let image = Image::parse("image", ptx("").as_bytes()).unwrap();
    let broken = Image::parse("broken", ptx("bogus;").as_bytes()).unwrap();
    let first = runtime(&image);
    let (start, step) = {
        let (start, next) = (mark(), mark());
        (start, next - start)
    };
    for _ in 0..LOADS {
        let program = first.load(&image, options()).unwrap();
        program.create_stream().unwrap();
        assert_eq!(
            program.run(&["image"], &[""; 0], LaunchShape::SINGLE),
            Ok(Ended::Returned(0))
        );
        drop(program);
        assert!(matches!(first.load(&broken, options()), Err(Error::Image(_))));
    }
    drop(runtime(&image));
    let handles = (start..mark()).step_by(step);
    assert!(handles.len() > 3 * LOADS, "streams were made");
    let is_live = |&stream: &usize| {
        let mut flags: c_uint = 0;
        // SAFETY: the emulated driver takes any number for a handle, and refuses what is none.
        unsafe { sys::cuStreamGetFlags(stream as sys::CUstream, &mut flags) == CUresult::CUDA_SUCCESS }
    };
    assert_eq!(handles.filter(is_live).count(), 0);
}

#[test]
fn queues_do_not_gather_on_amd() {
    let Some(image) = amd_image::say() else { return };
    let runtime = runtime(&image);
    for _ in 0..LOADS {
        let program = runtime.load(&image, options()).unwrap();
        program.create_stream().unwrap();
        let ended = program.run(&["say"], &["text"], LaunchShape::SINGLE);
        assert_eq!(ended, Ok(Ended::Returned(1)));
    }
}

#[test]
fn streams_are_destroyed_once() {
    let _alone = STREAMS.lock();
    let nvidia = Image::parse("image", ptx("").as_bytes()).unwrap();
    for image in [Some(nvidia), amd_image::say()].into_iter().flatten() {
        let device = runtime(&image).device;
        let stream = device.create_stream().unwrap();
        device.destroy_stream(stream).unwrap();
        for stream in [stream, StreamId(u64::MAX)] {
            let error = device.destroy_stream(stream).unwrap_err();
            assert!(error.to_string().contains("no such stream"), "{error}");
        }
        let program = Runtime {
            device,
            emulated: true,
            notice: None,
        }
        .load(&image, options())
        .unwrap();
        // SAFETY: nothing is launched.
        let launched = unsafe { program.launch("_start", LaunchShape::SINGLE, &[], Some(stream)) };
        assert!(launched.err().unwrap().to_string().contains("no such stream"));
    }
}

/// A queue that is destroyed stops its kernel, who would then be waited for in vain.
#[test]
fn a_stream_with_a_kernel_is_not_destroyed_on_amd() {
    let Some(image) = amd_image::say() else { return };
    let program = runtime(&image).load(&image, options()).unwrap();
    let device = program.device();
    let stream = device.create_stream().unwrap();
    // An environment of one variable, and the result.
    let memory = device.alloc_shared(64).unwrap();
    // SAFETY: the memory is larger than that and aligned to a page, and no kernel knows it yet.
    unsafe {
        memory.host.cast::<u64>().write(memory.device + 16);
        memory.host.add(16).copy_from(b"text".as_ptr(), 4);
    }
    let parameters = Parameters::new()
        .with(1i32)
        .with(0u64)
        .with(memory.device)
        .with(memory.device + 32);
    let shape = LaunchShape::SINGLE;
    // SAFETY: these are the kernel's parameters; the memory is freed after its end.
    let launch = unsafe {
        program
            .launch("_start", shape, parameters.bytes(), Some(stream))
            .unwrap()
    };
    let error = device.destroy_stream(stream).unwrap_err();
    assert!(error.to_string().contains("after its end"), "{error}");
    launch.wait().unwrap();
    device.destroy_stream(stream).unwrap();
    // SAFETY: nothing uses it any more.
    unsafe { device.free_shared(memory).unwrap() };
}
