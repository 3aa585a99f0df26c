//! What the tests share: calling entry points, a context of their own, and some PTX.

// Each test file uses a part; unsafe is explained at `call!`.
#![allow(dead_code, unused_macros, unused_imports, clippy::undocumented_unsafe_blocks)]

use std::ffi::{CStr, CString, c_void};
use std::mem::MaybeUninit;

use emulator_cuda::border::{In, Out, Text};
use emulator_cuda::status::{CUresult, Status};
use emulator_cuda::{contexts, driver, function, launch, module, stream};

/// Calls an entry point: `Ok` or the error. The arguments of a test are those of a C program: its
/// pointers lead to live variables of the right type.
macro_rules! call {
    ($entry:path $(, $argument:expr)* $(,)?) => {
        $crate::common::result(unsafe { $entry($($argument),*) })
    };
}

/// Calls an entry point whose first argument receives the answer.
macro_rules! get {
    ($entry:path $(, $argument:expr)* $(,)?) => {{
        let mut answer = ::std::mem::MaybeUninit::uninit();
        let result = call!($entry, emulator_cuda::border::Out(answer.as_mut_ptr()) $(, $argument)*);
        result.map(|()| unsafe { answer.assume_init() })
    }};
}

/// Calls an entry point that gives its answer through whichever argument is `$to`.
macro_rules! ask {
    ($to:ident => $call:expr) => {{
        let mut answer = ::std::mem::MaybeUninit::uninit();
        let $to = emulator_cuda::border::Out(answer.as_mut_ptr());
        $crate::common::result(unsafe { $call }).map(|()| unsafe { answer.assume_init() })
    }};
}

pub(crate) use {ask, call, get};

pub fn result(code: CUresult) -> Result<(), Status> {
    if code == 0 { Ok(()) } else { Err(Status(code)) }
}

/// A pointer that receives a value.
pub fn out<T>(value: &mut T) -> Out<T> {
    Out(value)
}

/// No pointer.
pub fn nowhere<T>() -> Out<T> {
    Out(std::ptr::null_mut())
}

/// A context of the test's own, current to its thread; destroyed at the end.
pub struct Context(pub usize);

impl Context {
    pub fn new() -> Context {
        call!(driver::cuInit, 0).unwrap();
        Context(get!(contexts::cuCtxCreate_v2, 0, 0).unwrap())
    }
}

impl Drop for Context {
    fn drop(&mut self) {
        let _ = call!(contexts::cuCtxDestroy_v2, self.0);
    }
}

/// Loads PTX without options.
pub fn load(ptx: &str) -> Result<usize, Status> {
    let text = CString::new(ptx).unwrap();
    get!(module::cuModuleLoadData, text.as_ptr().cast::<c_void>())
}

/// Finds a kernel.
pub fn kernel(module: usize, name: &CStr) -> Result<usize, Status> {
    get!(module::cuModuleGetFunction, module, Text(name.as_ptr()))
}

/// Launches a kernel with parameters of 8 bytes each.
pub fn launch_on(stream: usize, kernel: usize, grid: u32, block: u32, parameters: &[u64]) -> Result<(), Status> {
    let mut addresses: Vec<*mut c_void> = parameters
        .iter()
        .map(|value| value as *const u64 as *mut c_void)
        .collect();
    let none = std::ptr::null_mut();
    let (each, shared) = (addresses.as_mut_ptr(), 0);
    call!(
        launch::cuLaunchKernel,
        kernel,
        grid,
        1,
        1,
        block,
        1,
        1,
        shared,
        stream,
        each,
        none
    )
}

/// Launches a kernel on the default stream and waits for it.
pub fn run(kernel: usize, grid: u32, block: u32, parameters: &[u64]) -> Result<(), Status> {
    launch_on(0, kernel, grid, block, parameters)?;
    call!(contexts::cuCtxSynchronize)
}

/// A stream; `flags` 1: independent of the default stream.
pub fn new_stream(flags: u32) -> usize {
    get!(stream::cuStreamCreate, flags).unwrap()
}

/// One property of a kernel.
pub fn attribute(function: usize, which: u32) -> i32 {
    get!(function::cuFuncGetAttribute, which, function).unwrap()
}

/// The bytes of plain values.
pub fn list<T: Copy>(values: &[T]) -> In<T> {
    In(values.as_ptr())
}

/// Room for an answer of some size.
pub fn room<T>() -> MaybeUninit<T> {
    MaybeUninit::zeroed()
}

/// c[i] = a[i] + b[i] for 32-bit numbers, as far as `n` says; waits for `*gate` to be set before,
/// if `gate` is not null; a variable, constant memory, shared memory.
pub const PTX: &str = r#"
.version 7.0
.target sm_70
.address_size 64

.visible .global .align 4 .u32 answer = 42;
.visible .const .align 4 .u32 factor[2] = {3, 4};

.visible .entry add(.param .u64 a, .param .u64 b, .param .u64 c, .param .u64 n)
{
    .reg .pred %p;
    .reg .b32 %r<6>;
    .reg .b64 %rd<9>;
    ld.param.u64 %rd1, [a];
    ld.param.u64 %rd2, [b];
    ld.param.u64 %rd3, [c];
    ld.param.u64 %rd4, [n];
    mov.u32 %r1, %ctaid.x;
    mov.u32 %r2, %ntid.x;
    mov.u32 %r3, %tid.x;
    mad.lo.s32 %r1, %r1, %r2, %r3;
    cvt.u64.u32 %rd5, %r1;
    setp.ge.u64 %p, %rd5, %rd4;
    @%p bra DONE;
    shl.b64 %rd5, %rd5, 2;
    add.s64 %rd6, %rd1, %rd5;
    add.s64 %rd7, %rd2, %rd5;
    add.s64 %rd8, %rd3, %rd5;
    ld.global.u32 %r4, [%rd6];
    ld.global.u32 %r5, [%rd7];
    add.s32 %r4, %r4, %r5;
    st.global.u32 [%rd8], %r4;
DONE:
    ret;
}

.visible .entry wait(.param .u64 gate)
{
    .reg .pred %p;
    .reg .b32 %r;
    .reg .b64 %rd;
    ld.param.u64 %rd, [gate];
AGAIN:
    ld.relaxed.sys.global.u32 %r, [%rd];
    setp.eq.u32 %p, %r, 0;
    @%p bra AGAIN;
    ret;
}

.visible .entry mixed(.param .u8 small, .param .u32 middle, .param .u64 to)
{
    .reg .b32 %r<3>;
    .reg .b64 %rd;
    ld.param.u8 %r1, [small];
    ld.param.u32 %r2, [middle];
    ld.param.u64 %rd, [to];
    add.u32 %r1, %r1, %r2;
    st.global.u32 [%rd], %r1;
    ret;
}

.visible .entry crash(.param .u64 how)
{
    .reg .pred %p;
    .reg .b64 %rd<3>;
    ld.param.u64 %rd1, [how];
    setp.eq.u64 %p, %rd1, 1;
    @%p bra TRAP;
    st.global.u32 [%rd1], 7;
    ret;
TRAP:
    trap;
    ret;
}

.visible .entry large()
.maxntid 64, 1, 1
{
    .shared .align 4 .b8 tile[4096];
    .reg .b32 %r<2>;
    mov.u32 %r1, tile;
    st.shared.u32 [%r1], 1;
    ret;
}
"#;
