//! A driver that loads a kernel when it is first launched, if nobody has asked it to before, waits there for all that runs: so the loader
//! asks. Alone in its process, as the driver reads the environment once.

use std::sync::mpsc;
use std::time::Duration;

use loader::device::LaunchShape;
use loader::image::Image;
use loader::runtime::Backend;
use loader::{Options, Parameters, Runtime};

mod common;

const PTX: &str = concat!(
    ".version 7.8\n.target sm_70\n.address_size 64\n",
    include_str!("common/wait.ptx")
);

#[test]
fn all_functions_are_loaded_before_the_first_launch() {
    // SAFETY: the only test of its process; no other thread runs.
    unsafe {
        std::env::set_var("GPU_EMULATOR_DIR", common::emulator("lazy"));
        std::env::set_var("CUDA_MODULE_LOADING", "LAZY");
    }
    let image = Image::parse("kernels", PTX.as_bytes()).unwrap();
    let runtime = Runtime::open(&image, Backend::Emulator, 0).unwrap();
    let program = runtime.load(&image, Options::default()).unwrap();
    let flag = program.device().alloc_shared(4).unwrap();
    let parameters = Parameters::new().with(flag.device);
    let stream = program.create_stream().unwrap();
    // SAFETY: the kernel takes an address, of memory that is freed after its end.
    let waiting = unsafe { program.launch("wait_for", LaunchShape::SINGLE, parameters.bytes(), Some(stream)) }.unwrap();
    let (done, launched) = mpsc::channel();
    let setting = std::thread::spawn({
        let program = program.clone();
        move || {
            // SAFETY: as above.
            let launch = unsafe { program.launch("set", LaunchShape::SINGLE, parameters.bytes(), None) }.unwrap();
            done.send(()).unwrap();
            launch.wait().unwrap();
        }
    });
    let in_time = launched.recv_timeout(Duration::from_secs(10));
    // SAFETY: the memory is there, and the kernel's accesses to it are volatile.
    unsafe { flag.host.cast::<u32>().write_volatile(1) };
    setting.join().unwrap();
    waiting.wait().unwrap();
    assert_eq!(in_time, Ok(()), "the second launch waited for the first kernel");
    // SAFETY: nothing uses it any more.
    unsafe { program.device().free_shared(flag).unwrap() };
}
