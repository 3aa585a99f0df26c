//! AMD: wavefronts of 32 or 64 lanes in lockstep; a branch that only some lanes take runs to its end before the others go on.

use core::arch::amdgpu;
use core::ffi::c_char;
use core::intrinsics::gpu::amdgpu_dispatch_ptr;
use core::sync::atomic::{Ordering, compiler_fence, fence};

unsafe extern "unadjusted" {
    /// The cycle counter of the compute unit (`s_memtime`, `s_getreg` of the shader clock on GFX11).
    #[link_name = "llvm.readcyclecounter"]
    safe fn read_cycle_counter() -> u64;
    /// The constant-rate counter of the device (`s_memrealtime`, `s_sendmsg_rtn` on GFX11).
    #[link_name = "llvm.readsteadycounter"]
    safe fn read_steady_counter() -> u64;
    /// `s_getreg_b32`: a field of a hardware register.
    #[link_name = "llvm.amdgcn.s.getreg"]
    safe fn get_register(field: u32) -> u32;
}

/// The upper half of register 15, `SH_MEM_BASES`: bits 48 to 63 of the addresses at which the block's memory appears among all others.
/// The operand is number, first bit times 64, and bits minus one times 2048. Source: the ISA manuals of GFX9 to GFX11, `S_GETREG_B32`.
const BLOCK_MEMORY_APERTURE: u32 = 15 | 16 << 6 | 15 << 11;

/// What `s_sleep` counts in units of 64 cycles: about 64 ns at 2 GHz.
const POLL_PAUSE: u32 = 2;

/// The rate of the steady counter in Hz, which the loader fills in where the image has this symbol. Dropped when nobody asks for the time.
#[linkage = "linkonce_odr"]
#[unsafe(export_name = "__llvm_libc_clock_freq")]
static mut CLOCK_FREQUENCY: u64 = 0;

/// The rate on every part since GFX9, for hosts that do not fill it in.
const USUAL_FREQUENCY: u64 = 100_000_000;

/// The fields of `hsa_kernel_dispatch_packet_t` that are read here.
/// Source: HSA Platform System Architecture Specification 1.2, section 2.8.1.
#[repr(C)]
struct DispatchPacket {
    header: u16,
    setup: u16,
    workgroup_size: [u16; 3],
    reserved: u16,
    grid_size: [u32; 3],
    private_segment_size: u32,
    group_segment_size: u32,
}

fn dispatch() -> &'static DispatchPacket {
    // SAFETY: the packet that launched this kernel stays in its queue, unchanged, until the kernel has ended.
    unsafe { &*amdgpu_dispatch_ptr().cast::<DispatchPacket>() }
}

#[inline]
pub(crate) fn lane_count() -> u32 {
    amdgpu::wavefrontsize()
}

#[inline]
pub(crate) fn lane_id() -> u32 {
    let below = amdgpu::mbcnt_lo(u32::MAX, 0);
    // On 32-lane wavefronts the upper half is a constant zero and goes away.
    if lane_count() == 64 {
        amdgpu::mbcnt_hi(u32::MAX, below)
    } else {
        below
    }
}

#[inline]
pub(crate) fn active_mask() -> u64 {
    amdgpu::ballot(true)
}

#[inline]
pub(crate) fn active_mask_with(_value: u32) -> u64 {
    // Lanes that come from different calls do not run together in lockstep, and two groups must not: both would want a port, and the
    // one that got it would wait for the other.
    active_mask()
}

#[inline]
pub(crate) unsafe fn ballot(mask: u64, predicate: bool) -> u64 {
    amdgpu::ballot(predicate) & mask
}

/// On GFX10 and newer the instruction for this reads only within the same half of a wavefront of 64 lanes. So for one lane that is asked
/// for after the other: its value goes to all who ask for it.
#[cfg(halves)]
pub(crate) unsafe fn shuffle(_mask: u64, value: u32, lane: u32) -> u32 {
    let lane = lane % lane_count();
    loop {
        let asked_for = amdgpu::readfirstlane_u32(lane);
        // SAFETY: below the wavefront's size, and the same for all active lanes. The register holds what it held when that lane left.
        let found = unsafe { amdgpu::readlane_u32(value, asked_for) };
        if lane == asked_for {
            return found;
        }
    }
}

#[cfg(not(halves))]
#[inline]
pub(crate) unsafe fn shuffle(_mask: u64, value: u32, lane: u32) -> u32 {
    // SAFETY: any lane number is defined: it is taken modulo the wavefront's size, and an inactive lane yields 0.
    unsafe { amdgpu::ds_bpermute(lane * 4, value) }
}

#[inline]
pub(crate) unsafe fn broadcast(mask: u64, value: u32) -> u32 {
    // Not `readfirstlane`: the first active lane need not be the first of the mask.
    // SAFETY: the lane is in the mask, hence active, and the same for all lanes.
    unsafe { amdgpu::readlane_u32(value, mask.trailing_zeros()) }
}

#[inline]
pub(crate) unsafe fn sync_lanes(_mask: u64) {
    // Lockstep has brought the lanes together already. What is left to do is to keep the compiler from moving memory accesses across
    // this place, and to have the lanes' earlier stores reach memory that the others read.
    workgroup_fence();
    amdgpu::wave_barrier();
    workgroup_fence();
}

/// Orders memory accesses among the lanes of one wavefront. They share one path to memory, so their accesses stay in order; only the
/// compiler has to be told.
#[inline]
fn workgroup_fence() {
    compiler_fence(Ordering::AcqRel);
}

// core's fences are at system scope, there is no intrinsic for a fence, and rustc has no inline assembly for this target yet: at device
// scope a stronger fence than needed, for the price of writing back L2 on the parts where the host does not snoop it.

#[inline]
pub(crate) fn acquire_device() {
    acquire_system();
}

#[inline]
pub(crate) fn release_device() {
    release_system();
}

#[inline]
pub(crate) fn acquire_system() {
    fence(Ordering::Acquire);
}

#[inline]
pub(crate) fn release_system() {
    fence(Ordering::Release);
}

#[inline]
pub(crate) fn sleep_briefly() {
    amdgpu::s_sleep::<POLL_PAUSE>();
}

pub(crate) fn trap() -> ! {
    core::intrinsics::abort()
}

pub(crate) fn exit_thread() -> ! {
    amdgpu::endpgm()
}

#[inline]
pub(crate) fn clock() -> u64 {
    read_cycle_counter()
}

#[inline]
pub(crate) fn nanoseconds() -> u64 {
    // SAFETY: volatile, because the loader writes it behind the compiler's back.
    let hertz = match unsafe { (&raw const CLOCK_FREQUENCY).read_volatile() } {
        0 => USUAL_FREQUENCY,
        hertz => hertz,
    };
    let ticks = read_steady_counter();
    // In two parts: the product of all ticks and 10⁹ would overflow after minutes.
    ticks / hertz * 1_000_000_000 + ticks % hertz * 1_000_000_000 / hertz
}

#[inline]
pub(crate) fn thread_id() -> [u32; 3] {
    [
        amdgpu::workitem_id_x(),
        amdgpu::workitem_id_y(),
        amdgpu::workitem_id_z(),
    ]
}

#[inline]
pub(crate) fn block_id() -> [u32; 3] {
    [
        amdgpu::workgroup_id_x(),
        amdgpu::workgroup_id_y(),
        amdgpu::workgroup_id_z(),
    ]
}

// These name each dimension: an index would be checked in unoptimised builds, and the panic would make calls in programs without any. The
// panic handler asks for them, too.

#[inline]
pub(crate) fn block_size() -> [u32; 3] {
    let [x, y, z] = dispatch().workgroup_size;
    [x.into(), y.into(), z.into()]
}

#[inline]
pub(crate) fn grid_size() -> [u32; 3] {
    // HSA counts the grid in threads. Our loader launches whole blocks.
    let [x, y, z] = dispatch().grid_size;
    let [width, height, depth] = block_size();
    let blocks = |threads: u32, block| threads.checked_div(block).unwrap_or(0);
    [blocks(x, width), blocks(y, height), blocks(z, depth)]
}

#[inline]
pub(crate) fn sync_block() {
    // `s_barrier` lets memory accesses pass: fence on both sides.
    release_device();
    amdgpu::s_barrier();
    acquire_device();
}

#[inline]
pub(crate) fn home() -> u32 {
    // The number of the wavefront in the grid: those that run at the same time have neighbouring numbers.
    let [x, y, z] = block_id();
    let [columns, rows, _] = grid_size();
    let [width, height, depth] = block_size();
    let [i, j, k] = thread_id();
    let shift = lane_count().trailing_zeros();
    let waves = (width * height * depth + lane_count() - 1) >> shift;
    ((z * rows + y) * columns + x) * waves + (((k * height + j) * width + i) >> shift)
}

#[inline]
pub(crate) fn block_memory() -> (*mut u8, usize) {
    // No static variable of the image lies in block memory, since Rust has no address spaces: all of it is launch-sized.
    let start = core::ptr::with_exposed_provenance_mut((get_register(BLOCK_MEMORY_APERTURE) as usize) << 48);
    (start, dispatch().group_segment_size as usize)
}

/// What constructors look like: they get the program's arguments, and those of Rust make no use of them.
type Constructor = extern "C" fn(i32, *const *const c_char, *const *const c_char);
type Destructor = extern "C" fn();

unsafe extern "C" {
    // The bounds of the arrays that the linker makes of the sections named `.init_array*` and `.fini_array*`.
    #[link_name = "__init_array_start"]
    static INIT_START: [Constructor; 0];
    #[link_name = "__init_array_end"]
    static INIT_END: [Constructor; 0];
    #[link_name = "__fini_array_start"]
    static FINI_START: [Destructor; 0];
    #[link_name = "__fini_array_end"]
    static FINI_END: [Destructor; 0];
}

pub(crate) unsafe fn run_init_array(argc: i32, argv: *const *const c_char, envp: *const *const c_char) {
    // SAFETY: the linker's symbols bound an array of constructors.
    unsafe {
        let mut at = (&raw const INIT_START).cast::<Constructor>();
        let end = (&raw const INIT_END).cast::<Constructor>();
        while at < end {
            (*at)(argc, argv, envp);
            at = at.add(1);
        }
    }
}

pub(crate) fn run_fini_array() {
    // SAFETY: the linker's symbols bound an array of destructors.
    unsafe {
        let start = (&raw const FINI_START).cast::<Destructor>();
        let mut at = (&raw const FINI_END).cast::<Destructor>();
        while at > start {
            at = at.sub(1);
            (*at)();
        }
    }
}

/// Puts a function among the constructors or destructors of the image.
#[doc(hidden)]
#[macro_export]
macro_rules! __init_object {
    ($function:path, $symbol:literal, $section:literal) => {
        const _: () = {
            extern "C" fn call(_: i32, _: *const *const ::core::ffi::c_char, _: *const *const ::core::ffi::c_char) {
                $function();
            }
            #[used]
            #[unsafe(link_section = $section)]
            static OBJECT: extern "C" fn(i32, *const *const ::core::ffi::c_char, *const *const ::core::ffi::c_char) =
                call;
        };
    };
}
