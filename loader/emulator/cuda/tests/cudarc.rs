//! cudarc, which asks for plain `libcuda.so`, gets the emulator once that has been opened by its path,
//! without any help of the environment.

#[path = "common/library.rs"]
mod library;

use cudarc::driver::{CudaContext, LaunchConfig, PushKernelArg, sys};
use cudarc::nvrtc::Ptx;
use libloading::os::unix::{Library, RTLD_NOW};

const PTX: &str = "
.version 7.0
.target sm_70
.address_size 64
.visible .entry scale(.param .u64 values, .param .u32 factor)
{
    .reg .b32 %r<4>;
    .reg .b64 %rd<3>;
    ld.param.u64 %rd1, [values];
    ld.param.u32 %r1, [factor];
    mov.u32 %r2, %tid.x;
    mul.wide.u32 %rd2, %r2, 4;
    add.s64 %rd1, %rd1, %rd2;
    ld.global.u32 %r3, [%rd1];
    mul.lo.u32 %r3, %r3, %r1;
    st.global.u32 [%rd1], %r3;
    ret;
}
";

#[test]
fn cudarc_runs_a_kernel() {
    let folder = library::Folder::of("cudarc");
    let path = folder.path().join("libcuda.so");
    // SAFETY: our own library, whose initialisers do nothing.
    let library = unsafe { Library::open(Some(&path), RTLD_NOW) }.unwrap();
    // SAFETY: the address is only compared, never called.
    let (ours, theirs) = unsafe {
        assert!(sys::is_culib_present());
        let ours = *library.get::<*const ()>(b"cuInit").unwrap();
        (ours, *sys::culib().get::<*const ()>(b"cuInit").unwrap())
    };
    assert_eq!(ours, theirs, "cudarc opened another library");

    let context = CudaContext::new(0).unwrap();
    assert!(context.name().unwrap().starts_with("Emulated GPU"));
    let scale = context
        .load_module(Ptx::from_src(PTX))
        .unwrap()
        .load_function("scale")
        .unwrap();
    let stream = context.new_stream().unwrap();
    let mut values = stream.clone_htod(&(0..100u32).collect::<Vec<_>>()).unwrap();
    let factor = 7u32;
    let config = LaunchConfig {
        grid_dim: (1, 1, 1),
        block_dim: (100, 1, 1),
        shared_mem_bytes: 0,
    };
    // SAFETY: the kernel touches 100 words at its first parameter.
    unsafe {
        stream
            .launch_builder(&scale)
            .arg(&mut values)
            .arg(&factor)
            .launch(config)
    }
    .unwrap();
    let values = stream.clone_dtoh(&values).unwrap();
    assert_eq!(values, (0..100).map(|i| 7 * i).collect::<Vec<u32>>());
}
