//! The loader as a library over the emulated CUDA driver: kernels of one's own, several streams, copies meanwhile.

use std::sync::OnceLock;
use std::time::Duration;

use loader::device::LaunchShape;
use loader::image::Image;
use loader::runtime::Backend;
use loader::{Error, Options, Parameters, Program, Runtime};

mod common;

/// `saxpy` computes `y[i] += a * x[i]`, `wait_for` spins until a word is not 0, `set` stores 1 to a word.
const PTX: &str = concat!(
    "
.version 7.8
.target sm_70
.address_size 64
.visible .global .align 4 .u32 counter = 41;
.visible .entry saxpy(.param .f32 a, .param .u64 x, .param .u64 y, .param .u32 n)
{
    .reg .pred %p<2>;
    .reg .b32 %r<6>;
    .reg .f32 %f<4>;
    .reg .b64 %rd<6>;
    ld.param.u32 %r1, [n];
    mov.u32 %r2, %ctaid.x;
    mov.u32 %r3, %ntid.x;
    mov.u32 %r4, %tid.x;
    mad.lo.s32 %r5, %r2, %r3, %r4;
    setp.ge.u32 %p1, %r5, %r1;
    @%p1 bra done;
    ld.param.u64 %rd1, [x];
    ld.param.u64 %rd2, [y];
    mul.wide.u32 %rd3, %r5, 4;
    add.s64 %rd4, %rd1, %rd3;
    add.s64 %rd5, %rd2, %rd3;
    ld.param.f32 %f1, [a];
    ld.global.f32 %f2, [%rd4];
    ld.global.f32 %f3, [%rd5];
    fma.rn.f32 %f3, %f1, %f2, %f3;
    st.global.f32 [%rd5], %f3;
done:
    ret;
}
",
    include_str!("common/wait.ptx")
);

/// A program on the emulated device. Images are loaded anew, the device is the same.
fn program() -> Program {
    static RUNTIME: OnceLock<Runtime> = OnceLock::new();
    let image = Image::parse("kernels", PTX.as_bytes()).unwrap();
    let runtime = RUNTIME.get_or_init(|| {
        // SAFETY: whichever test comes first does this before the environment is read; others wait for it here.
        unsafe { std::env::set_var("GPU_EMULATOR_DIR", common::emulator("library")) };
        Runtime::open(&image, Backend::Emulator, 0).unwrap()
    });
    runtime.load(&image, Options::default()).unwrap()
}

#[test]
fn a_kernel_with_parameters() {
    let program = program();
    let device = program.device();
    let n = 1000usize;
    let floats = |values: &[f32]| values.iter().flat_map(|value| value.to_le_bytes()).collect::<Vec<u8>>();
    let x: Vec<f32> = (0..n).map(|i| i as f32).collect();
    let (x_address, y_address) = (device.alloc_device(4 * n).unwrap(), device.alloc_device(4 * n).unwrap());
    device.write(x_address, &floats(&x)).unwrap();
    device.write(y_address, &floats(&vec![1.0; n])).unwrap();
    let parameters = Parameters::new()
        .with(0.5f32)
        .with(x_address)
        .with(y_address)
        .with(n as u32);
    let shape = LaunchShape {
        grid: [4, 1, 1],
        block: [256, 1, 1],
        shared_bytes: 0,
    };
    // SAFETY: these are the kernel's parameters, and the memory is freed after its end.
    unsafe {
        program
            .launch("saxpy", shape, parameters.bytes(), None)
            .unwrap()
            .wait()
            .unwrap();
    }
    let mut y = vec![0; 4 * n];
    device.read(y_address, &mut y).unwrap();
    let expected: Vec<f32> = x.iter().map(|x| 0.5 * x + 1.0).collect();
    assert_eq!(y, floats(&expected));
    // SAFETY: nothing runs.
    unsafe {
        device.free_device(x_address).unwrap();
        device.free_device(y_address).unwrap();
    }
}

#[test]
fn streams_run_side_by_side() {
    let (first, second) = (program(), program());
    let flag = first.device().alloc_shared(4).unwrap();
    let parameters = Parameters::new().with(flag.device);
    let stream = first.create_stream().unwrap();
    // SAFETY: both kernels take an address, of memory that is freed after their end.
    let (waiting, setting) = unsafe {
        let waiting = first
            .launch("wait_for", LaunchShape::SINGLE, parameters.bytes(), Some(stream))
            .unwrap();
        assert_eq!(waiting.wait_for(Duration::from_millis(50)), Ok(false));
        // The other one is of another image, too.
        let setting = second
            .launch("set", LaunchShape::SINGLE, parameters.bytes(), None)
            .unwrap();
        (waiting, setting)
    };
    setting.wait().unwrap();
    waiting.wait().unwrap();
    // SAFETY: nothing uses it any more.
    unsafe { first.device().free_shared(flag).unwrap() };
}

/// Both sides poll it, and polling write-combined memory is slow on the host: each read goes to memory.
#[test]
fn shared_memory_is_not_write_combined() {
    /// From cuda.h.
    const PORTABLE: u32 = 1;
    const DEVICEMAP: u32 = 2;
    type GetFlags = unsafe extern "C" fn(*mut u32, *mut std::ffi::c_void) -> i32;
    let program = program();
    let memory = program.device().alloc_shared(4096).unwrap();
    let mut flags = 0;
    // SAFETY: the driver that the loader uses; the type is that of the driver API; the memory was allocated by it, and nobody else has it.
    unsafe {
        let driver = libloading::Library::new(common::emulator("library").join("libcuda.so")).unwrap();
        let get = driver.get::<GetFlags>(b"cuMemHostGetFlags\0").unwrap();
        assert_eq!(get(&mut flags, memory.host.cast()), 0);
        program.device().free_shared(memory).unwrap();
    }
    assert_eq!(flags, PORTABLE | DEVICEMAP);
}

#[test]
fn copies_do_not_wait_for_kernels() {
    let program = program();
    let device = program.device();
    let flag = device.alloc_device(4).unwrap();
    device.write(flag, &[0; 4]).unwrap();
    // SAFETY: the kernel takes an address, of memory that is freed after its end.
    let launch = unsafe {
        let parameters = Parameters::new().with(flag);
        program
            .launch("wait_for", LaunchShape::SINGLE, parameters.bytes(), None)
            .unwrap()
    };
    let mut word = [1; 4];
    device.read(flag, &mut word).unwrap();
    assert_eq!(word, [0; 4]);
    assert_eq!(launch.wait_for(Duration::ZERO), Ok(false));
    device.write(flag, &1u32.to_le_bytes()).unwrap();
    launch.wait().unwrap();
    // SAFETY: nothing uses it any more.
    unsafe { device.free_device(flag).unwrap() };
}

#[test]
fn variables_and_needs() {
    let program = program();
    let counter = program.global("counter").unwrap().unwrap();
    let mut value = [0; 4];
    program.device().read(counter.address, &mut value).unwrap();
    assert_eq!((counter.bytes, value), (4, 41u32.to_le_bytes()));
    assert_eq!(program.global("nothing").unwrap(), None);
    let kernels: Vec<_> = program.kernels().collect();
    assert_eq!(
        kernels.iter().map(|(name, _)| *name).collect::<Vec<_>>(),
        ["saxpy", "wait_for", "set"]
    );
    assert!(
        kernels
            .iter()
            .all(|(_, needs)| needs.lane_size == 32 && needs.max_threads_per_block > 0)
    );
    let error = program.run(&["kernels"], &[""; 0], LaunchShape::SINGLE).unwrap_err();
    assert!(
        matches!(error, Error::Image(_)) && error.to_string().contains("no kernel _start"),
        "{error}"
    );
}
