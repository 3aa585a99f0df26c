//! A kernel whose `malloc` needs more than was reserved: the driver is asked while the kernel runs.

use std::path::Path;
use std::sync::Arc;

use host_server::RecordingHost;
use loader::device::LaunchShape;
use loader::image::Image;
use loader::runtime::Backend;
use loader::{Options, Parameters, Runtime};

mod common;

/// `grow` asks for memory (MALLOC, 8 bytes of request and answer), writes to its last byte, and leaves its address.
const PTX: &str = "
.version 7.8
.target sm_70
.address_size 64
.visible .global .align 8 .b8 __llvm_rpc_client[552];
.visible .entry grow(.param .u64 size, .param .u64 result)
{
    .reg .pred %p<3>;
    .reg .b32 %r<4>;
    .reg .b64 %size, %result, %client, %inbox, %outbox, %header, %packet, %word, %last;
    ld.param.u64 %size, [size];
    ld.param.u64 %result, [result];
    mov.u64 %client, __llvm_rpc_client;
    ld.global.u64 %inbox, [%client+8];
    ld.global.u64 %outbox, [%client+16];
    ld.global.u64 %header, [%client+24];
    ld.global.u64 %packet, [%client+32];
    st.u64 [%packet], %size;
    mov.u64 %word, 1;
    st.u64 [%header], %word;
    mov.u32 %r1, 0x6300000a;
    st.u32 [%header+8], %r1;
    fence.acq_rel.sys;
    mov.u32 %r2, 1;
    st.relaxed.sys.u32 [%outbox], %r2;
wait:
    ld.relaxed.sys.u32 %r3, [%inbox];
    setp.ne.u32 %p1, %r3, %r2;
    @%p1 bra wait;
    fence.acq_rel.sys;
    ld.u64 %word, [%packet];
    st.u64 [%result], %word;
    setp.eq.u64 %p2, %word, 0;
    @%p2 ret;
    add.u64 %last, %word, %size;
    st.u8 [%last+-1], %r2;
    ret;
}
";

fn address_of(bytes: u64, heap_grows: bool) -> u64 {
    let image = Image::parse("grow", PTX.as_bytes()).unwrap();
    let runtime = Runtime::open(&image, Backend::Emulator, 0).unwrap();
    let options = Options {
        host: Arc::new(RecordingHost::default()),
        heap_bytes: 1 << 20,
        heap_grows,
        ..Options::default()
    };
    let program = runtime.load(&image, options).unwrap();
    let device = program.device();
    let result = device.alloc_device(8).unwrap();
    let parameters = Parameters::new().with(bytes).with(result);
    // SAFETY: the kernel takes a size and the address of a word, which is freed after its end.
    unsafe {
        let launch = program.launch("grow", LaunchShape::SINGLE, parameters.bytes(), None);
        launch.unwrap().wait().unwrap();
    }
    let mut word = [0; 8];
    device.read(result, &mut word).unwrap();
    let address = u64::from_le_bytes(word);
    // What came while the kernel ran counts as the program's, for large transfers.
    assert!(address == 0 || device.owns(address, bytes));
    // SAFETY: nothing runs.
    unsafe { device.free_device(result).unwrap() };
    address
}

#[test]
fn the_driver_is_asked_while_the_kernel_runs() {
    // SAFETY: the only test of its process; no other thread runs.
    unsafe {
        std::env::set_var("GPU_EMULATOR_DIR", common::emulator("growth") as &Path);
        std::env::set_var("GPU_EMULATOR_MEMORY", "256M");
    }
    assert_ne!(address_of(1 << 10, true), 0);
    assert_ne!(address_of(100 << 20, true), 0);
    // It all came back, or this would be too much; and more than there is is null, at once.
    assert_ne!(address_of(200 << 20, true), 0);
    assert_eq!(address_of(300 << 20, true), 0);
    assert_eq!(address_of(100 << 20, false), 0);
}
