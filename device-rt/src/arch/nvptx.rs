//! NVIDIA: warps of 32 lanes that may diverge anywhere (Volta and later).

use core::arch::asm;
use core::arch::nvptx;
use core::ffi::c_char;
use core::sync::atomic::{AtomicU32, Ordering, fence};

/// The clamp operand of `shfl` that makes one segment of the whole warp.
const ONE_SEGMENT: u32 = 0x1f;

/// Nanoseconds between two polls: long enough to leave the issue slots to others, short beside the 1.3 µs that a read of host memory takes.
const POLL_PAUSE: u32 = 64;

pub(crate) const fn lane_count() -> u32 {
    32
}

#[inline]
pub(crate) fn lane_id() -> u32 {
    nvptx_sys::laneid()
}

#[inline]
pub(crate) fn active_mask() -> u64 {
    nvptx_sys::activemask().into()
}

/// Runs a warp operation that waits for all lanes of `mask`, such that lanes with another mask are never in it at the same time.
///
/// Groups of lanes that parted run on together whenever they come to the same instruction, each with its own mask. If one of the groups is
/// not all there, an H200 waits by the mask of another: the lanes that came first go on without their siblings, with whatever a shuffle
/// gives them. So the groups take turns: the lanes that are together here find out whether they are of one group, and those of the lowest
/// lane's group go first.
#[inline(always)]
fn in_turn<R>(mask: u32, operation: impl FnOnce() -> R) -> R {
    // Nobody is left who could have another mask.
    if mask == u32::MAX {
        return operation();
    }
    loop {
        let here = nvptx_sys::activemask();
        // SAFETY: exactly the lanes of `here` are together here, and all of them name it.
        let first = unsafe { nvptx_sys::shfl_sync_idx(here, mask, here.trailing_zeros(), ONE_SEGMENT) };
        if first == mask {
            return operation();
        }
    }
}

#[inline]
pub(crate) fn active_mask_with(value: u32) -> u64 {
    let mask = nvptx_sys::activemask();
    // SAFETY: the lanes of the mask are those that go on to this very instruction.
    unsafe { nvptx_sys::match_any_sync(mask, value) }.into()
}

#[inline]
pub(crate) unsafe fn ballot(mask: u64, predicate: bool) -> u64 {
    let mask = mask as u32;
    if mask.is_power_of_two() {
        return if predicate { mask.into() } else { 0 };
    }
    // SAFETY: the caller runs this in all lanes of `mask` and in no other.
    let votes = in_turn(mask, || unsafe { nvptx_sys::vote_ballot_sync(mask, predicate) });
    // Lanes outside the mask may be together with these.
    (votes & mask).into()
}

#[inline]
pub(crate) unsafe fn shuffle(mask: u64, value: u32, lane: u32) -> u32 {
    let mask = mask as u32;
    if mask.is_power_of_two() {
        return value;
    }
    // SAFETY: the caller runs this in all lanes of `mask` and in no other.
    in_turn(mask, || unsafe {
        nvptx_sys::shfl_sync_idx(mask, value, lane, ONE_SEGMENT)
    })
}

#[inline]
pub(crate) unsafe fn broadcast(mask: u64, value: u32) -> u32 {
    // SAFETY: the caller's promise is `shuffle`'s; the lowest lane of `mask` is in `mask`.
    unsafe { shuffle(mask, value, mask.trailing_zeros()) }
}

#[inline]
pub(crate) unsafe fn sync_lanes(mask: u64) {
    let mask = mask as u32;
    if !mask.is_power_of_two() {
        // SAFETY: the caller runs this in all lanes of `mask` and in no other.
        in_turn(mask, || unsafe { nvptx_sys::bar_warp_sync(mask) });
    }
}

// PTX has one fence for both directions. LLVM makes `fence.acq_rel.sys` of core's.

/// Looks at a word of memory shared with the host until it is `value`, and acquires at system scope. `pause` between looks.
///
/// A load that acquires spares the fence, which would wait for all that this thread has stored.
///
/// # Safety
/// `word` is readable and only accessed atomically.
#[inline(always)]
pub(crate) unsafe fn acquire_when(word: *mut u32, value: u32, pause: impl Fn(u32)) {
    // SAFETY: the caller vouches for the word.
    let word = unsafe { AtomicU32::from_ptr(word) };
    let mut looks = 0;
    while word.load(Ordering::Acquire) != value {
        pause(looks);
        looks = looks.wrapping_add(1);
    }
}

/// Sets a bit of a word in device memory; what the word was. Acquires at device scope.
///
/// # Safety
/// `word` is in device memory and only accessed atomically.
#[inline(always)]
pub(crate) unsafe fn set_bit_acquire(word: *mut u32, bit: u32) -> u32 {
    let before: u32;
    // In assembly, as LLVM drops the order of `fetch_*`, and a fence takes longer.
    // SAFETY: the caller vouches for the word.
    unsafe {
        asm!(
            "atom.acquire.gpu.global.or.b32 {before}, [{word}], {bit};",
            before = out(reg32) before,
            word = in(reg64) word,
            bit = in(reg32) bit,
            options(nostack, preserves_flags),
        );
    }
    before
}

/// Clears a bit; releases at device scope.
///
/// # Safety
/// As for [`set_bit_acquire`].
#[inline(always)]
pub(crate) unsafe fn clear_bit_release(word: *mut u32, bit: u32) {
    // SAFETY: the caller vouches for the word.
    unsafe {
        asm!(
            "red.release.gpu.global.and.b32 [{word}], {mask};",
            word = in(reg64) word,
            mask = in(reg32) !bit,
            options(nostack, preserves_flags),
        );
    }
}

#[inline]
pub(crate) fn acquire_system() {
    fence(Ordering::Acquire);
}

#[inline]
pub(crate) fn release_system() {
    fence(Ordering::Release);
}

/// Reads 16 bytes of memory shared with the host, relaxed at system scope: each 8 in one piece.
///
/// # Safety
/// `at` is aligned to 16, readable, and only accessed atomically.
#[inline(always)]
pub(crate) unsafe fn load_pair(at: *const u64) -> [u64; 2] {
    let (low, high): (u64, u64);
    // One access instead of two: core has no vector atomics. Not `pure`: every poll has to read anew.
    // SAFETY: the caller vouches for the address.
    unsafe {
        asm!(
            "ld.relaxed.sys.global.v2.b64 {{{low}, {high}}}, [{at}];",
            low = out(reg64) low,
            high = out(reg64) high,
            at = in(reg64) at,
            options(nostack, preserves_flags),
        );
    }
    [low, high]
}

/// Writes 16 bytes of memory shared with the host, relaxed at system scope: each 8 in one piece.
///
/// # Safety
/// `at` is aligned to 16, writable, and only accessed atomically.
#[inline(always)]
pub(crate) unsafe fn store_pair(at: *mut u64, [low, high]: [u64; 2]) {
    // SAFETY: the caller vouches for the address.
    unsafe {
        asm!(
            "st.relaxed.sys.global.v2.b64 [{at}], {{{low}, {high}}};",
            low = in(reg64) low,
            high = in(reg64) high,
            at = in(reg64) at,
            options(nostack, preserves_flags),
        );
    }
}

/// Reads a word of device memory that nobody writes while a kernel runs.
///
/// # Safety
/// `at` is aligned and readable, and the promise holds.
#[inline(always)]
pub(crate) unsafe fn load_fixed(at: *const u64) -> u64 {
    let value: u64;
    // `nomem`, as this reads what never changes: the compiler may do so once for many calls, whatever is written in between, and before
    // a loop. Every fence empties the cache for other loads.
    // SAFETY: the caller vouches for the address.
    unsafe {
        asm!("ld.global.nc.b64 {value}, [{at}];", value = out(reg64) value, at = in(reg64) at, options(pure, nomem, nostack, preserves_flags));
    }
    value
}

/// Reads a word of device memory that only this warp touches: cached where the warp runs.
///
/// # Safety
/// `at` is aligned and readable.
#[inline(always)]
pub(crate) unsafe fn load_own(at: *const u64) -> u64 {
    let value: u64;
    // Core's atomics are at system scope and would go past the cache. Not `pure`: another lane may have written meanwhile.
    // SAFETY: the caller vouches for the address.
    unsafe {
        asm!("ld.global.b64 {value}, [{at}];", value = out(reg64) value, at = in(reg64) at, options(nostack, preserves_flags));
    }
    value
}

/// Writes such a word.
///
/// # Safety
/// `at` is aligned and writable.
#[inline(always)]
pub(crate) unsafe fn store_own(at: *mut u64, value: u64) {
    // SAFETY: the caller vouches for the address.
    unsafe {
        asm!("st.global.b64 [{at}], {value};", value = in(reg64) value, at = in(reg64) at, options(nostack, preserves_flags));
    }
}

/// Whether an address is one of global memory, as opposed to a thread's stack or a block's memory.
#[inline]
pub(crate) fn is_global(address: *const u8) -> bool {
    let yes: u32;
    // SAFETY: looks at the address only.
    unsafe {
        asm!(
            "{{ .reg .pred %global; isspacep.global %global, {address}; selp.u32 {yes}, 1, 0, %global; }}",
            yes = out(reg32) yes,
            address = in(reg64) address,
            options(pure, nomem, nostack, preserves_flags),
        );
    }
    yes != 0
}

/// Clears the bits of a word in device memory that `keep` lacks, releasing at device scope what this lane did before.
///
/// # Safety
/// `at` is aligned, writable, and only accessed atomically.
#[inline(always)]
pub(crate) unsafe fn release_and(at: *mut u64, keep: u64) {
    // LLVM drops the order of `fetch_and`, and a fence of its own would empty this multiprocessor's cache.
    // SAFETY: the caller vouches for the address.
    unsafe {
        asm!("red.release.gpu.global.and.b64 [{at}], {keep};", at = in(reg64) at, keep = in(reg64) keep, options(nostack, preserves_flags));
    }
}

/// Sets bits of a word in device memory, releasing at device scope what this lane did before.
///
/// # Safety
/// As for [`release_and`].
#[inline(always)]
pub(crate) unsafe fn release_or(at: *mut u64, bits: u64) {
    // SAFETY: the caller vouches for the address.
    unsafe {
        asm!("red.release.gpu.global.or.b64 [{at}], {bits};", at = in(reg64) at, bits = in(reg64) bits, options(nostack, preserves_flags));
    }
}

#[inline]
pub(crate) fn sleep_briefly() {
    nvptx_sys::nanosleep(POLL_PAUSE);
}

/// Lets others run after so many looks in vain. An answer that has not come after 200 µs may take 8 more to be seen: 132 warps that look
/// all the time leave the copy engine of an H200 a fiftieth of the bus.
#[inline]
pub(crate) fn sleep_longer(looks: u32) {
    nvptx_sys::nanosleep(POLL_PAUSE << (looks / 8).min(7));
}

/// Nanoseconds between the first two rounds of a search for a port.
const FIRST_ROUND: u32 = 1024;

/// Lets others run after so many rounds in vain: half as long after four times as many. Of 8448 warps that want one port of an H200 the
/// luckiest then gets it less than four times as often as the unluckiest; eight to fourteen times where all wait alike.
#[inline]
pub(crate) fn sleep_shorter(rounds: u32) {
    nvptx_sys::nanosleep(FIRST_ROUND >> ((rounds | 1).ilog2() / 2));
}

/// Clocks from a request to where a look for its answer should set out, and what each lane's packet adds. A look that sets out at once
/// always comes too early, and the next one only when it is back: 2.4 µs on an H200, where one that waits for so long finds the answer
/// after 1.5. A little late costs that little; a little early, a whole look.
const TRIP: u32 = 680;
const TRIP_OF_A_PACKET: u32 = 36;

/// Waits as long as no answer of the host can be here yet. `nanosleep` is too coarse for it.
#[inline(always)]
pub(crate) fn await_trip(lanes: u32) {
    let trip = u64::from(TRIP + TRIP_OF_A_PACKET * lanes);
    let begin = clock();
    while clock().wrapping_sub(begin) < trip {}
}

pub(crate) fn trap() -> ! {
    // SAFETY: `trap` has no precondition; it ends the kernel.
    unsafe { nvptx::trap() }
}

pub(crate) fn exit_thread() -> ! {
    nvptx_sys::exit();
    // SAFETY: `exit` ended this thread.
    unsafe { core::hint::unreachable_unchecked() }
}

#[inline]
pub(crate) fn clock() -> u64 {
    nvptx_sys::clock64()
}

#[inline]
pub(crate) fn nanoseconds() -> u64 {
    nvptx_sys::globaltimer()
}

#[inline]
pub(crate) fn thread_id() -> [u32; 3] {
    // SAFETY: reading a special register has no precondition.
    unsafe { [nvptx::_thread_idx_x(), nvptx::_thread_idx_y(), nvptx::_thread_idx_z()] }
}

#[inline]
pub(crate) fn block_id() -> [u32; 3] {
    // SAFETY: reading a special register has no precondition.
    unsafe { [nvptx::_block_idx_x(), nvptx::_block_idx_y(), nvptx::_block_idx_z()] }
}

#[inline]
pub(crate) fn block_size() -> [u32; 3] {
    // SAFETY: reading a special register has no precondition.
    unsafe { [nvptx::_block_dim_x(), nvptx::_block_dim_y(), nvptx::_block_dim_z()] }
}

#[inline]
pub(crate) fn grid_size() -> [u32; 3] {
    // SAFETY: reading a special register has no precondition.
    unsafe { [nvptx::_grid_dim_x(), nvptx::_grid_dim_y(), nvptx::_grid_dim_z()] }
}

#[inline]
pub(crate) fn sync_block() {
    // SAFETY: barrier 0 exists, and this form of the instruction is defined for lanes that arrive one by one.
    unsafe { nvptx_sys::barrier_sync(0) }
}

#[inline]
pub(crate) fn home() -> u32 {
    // Warp places of one SM are neighbours, so that an SM's traffic stays within a few cache lines of mailbox words.
    nvptx_sys::smid() * nvptx_sys::nwarpid() + nvptx_sys::warpid()
}

#[inline]
pub(crate) fn block_memory() -> (*mut u8, usize) {
    let start: *mut u8;
    let size: u32;
    // SAFETY: reads the address of the launch-sized array declared below and the register that says how large the launch made it.
    unsafe {
        asm!(
            "{{ .reg .b64 %shared; mov.u64 %shared, device_rt_block_memory; cvta.shared.u64 {start}, %shared; }}",
            start = out(reg64) start,
            options(pure, nomem, nostack, preserves_flags),
        );
        asm!(
            "mov.u32 {size}, %dynamic_smem_size;",
            size = out(reg32) size,
            options(pure, nomem, nostack, preserves_flags),
        );
    }
    (start, size as usize)
}

// Rust has no address spaces: the array is declared in PTX. Its size is what the launch says, hence `.extern` and no bounds.
core::arch::global_asm!(".extern .shared .align 16 .b8 device_rt_block_memory[];");

/// The bounds of the arrays of constructors and destructors. No linker builds these arrays for NVIDIA: the loader collects the objects that
/// [`init_object`](crate::__init_object) puts into the image, sorts them, and stores the bounds here.
mod arrays {
    type Bound = *const extern "C" fn();

    #[unsafe(export_name = "__init_array_start")]
    pub(super) static mut INIT_START: Bound = core::ptr::null();
    #[unsafe(export_name = "__init_array_end")]
    pub(super) static mut INIT_END: Bound = core::ptr::null();
    #[unsafe(export_name = "__fini_array_start")]
    pub(super) static mut FINI_START: Bound = core::ptr::null();
    #[unsafe(export_name = "__fini_array_end")]
    pub(super) static mut FINI_END: Bound = core::ptr::null();
}

/// Whether the image may have constructors or destructors. Weak: the linker of images, which has seen them all, puts in a constant.
///
/// A call through a pointer may lead anywhere, and a driver compiles for each kernel all that it may reach. Without callbacks `_begin` and
/// `_end` reach nothing, and an image is compiled once instead of three times.
#[linkage = "weak"]
#[unsafe(export_name = "device_rt_has_callbacks")]
static mut HAS_CALLBACKS: u8 = 1;

fn has_callbacks() -> bool {
    // SAFETY: nobody ever writes it.
    unsafe { (&raw const HAS_CALLBACKS).read() != 0 }
}

pub(crate) unsafe fn run_init_array(_argc: i32, _argv: *const *const c_char, _envp: *const *const c_char) {
    if !has_callbacks() {
        return;
    }
    // SAFETY: volatile, because the loader writes the bounds behind the compiler's back; between them lie functions.
    unsafe {
        let mut at = (&raw const arrays::INIT_START).read_volatile();
        let end = (&raw const arrays::INIT_END).read_volatile();
        while at < end {
            (*at)();
            at = at.add(1);
        }
    }
}

pub(crate) fn run_fini_array() {
    if !has_callbacks() {
        return;
    }
    // SAFETY: as in `run_init_array`.
    unsafe {
        let start = (&raw const arrays::FINI_START).read_volatile();
        let mut at = (&raw const arrays::FINI_END).read_volatile();
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
            extern "C" fn call() {
                $function();
            }
            #[used]
            #[unsafe(export_name = $symbol)]
            static OBJECT: extern "C" fn() = call;
        };
    };
}
