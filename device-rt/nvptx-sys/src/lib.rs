//! Raw NVPTX intrinsics: declarations, no policy.
//!
//! `core::arch::nvptx` has thread ids, the block barrier and the trap. Everything else that a runtime needs of the machine, above
//! all what the lanes of a warp do together, is declared here under the name of the PTX instruction or special register it becomes.
//! The functions are LLVM intrinsics rather than inline assembly, because LLVM knows that an intrinsic such as `vote.sync` is
//! *convergent* (it must neither be duplicated into two branches nor sunk into one) and does not know it of assembly.
//!
//! The crate is empty on every other target, so that a workspace containing it builds on the host.
//!
//! Source of the names and types: `IntrinsicsNVVM.td` of LLVM 22; of the meanings: the PTX ISA manual, chapters 9.7.13 (parallel
//! synchronisation) and 10 (special registers).
//!
//! Masks are one bit per lane, lane 0 lowest. Every `*_sync` instruction waits until all lanes named in its mask have arrived at the
//! same instruction; the executing lane must be in the mask, and no lane of the mask may have exited.

#![no_std]
#![cfg_attr(
    target_arch = "nvptx64",
    feature(abi_unadjusted, link_llvm_intrinsics),
    allow(internal_features)
)]

#[cfg(target_arch = "nvptx64")]
pub use intrinsics::*;

#[cfg(target_arch = "nvptx64")]
mod intrinsics {
    // `unadjusted` passes each argument as the LLVM type of the same width, which is what an intrinsic takes.
    unsafe extern "unadjusted" {
        /// `activemask.b32`: the lanes that execute this instruction together right now. A snapshot without any synchronisation:
        /// lanes missing from it may be a moment behind. PTX 6.2.
        #[link_name = "llvm.nvvm.activemask"]
        pub safe fn activemask() -> u32;

        /// `vote.sync.ballot.b32`: the lanes of `mask` whose `predicate` is true.
        #[link_name = "llvm.nvvm.vote.ballot.sync"]
        pub fn vote_ballot_sync(mask: u32, predicate: bool) -> u32;
        /// `vote.sync.any.pred`.
        #[link_name = "llvm.nvvm.vote.any.sync"]
        pub fn vote_any_sync(mask: u32, predicate: bool) -> bool;
        /// `vote.sync.all.pred`.
        #[link_name = "llvm.nvvm.vote.all.sync"]
        pub fn vote_all_sync(mask: u32, predicate: bool) -> bool;

        /// `shfl.sync.idx.b32`: `value` of lane `lane`. `clamp` is `0x1f` for a whole warp (segment mask in bits 8 to 12).
        #[link_name = "llvm.nvvm.shfl.sync.idx.i32"]
        pub fn shfl_sync_idx(mask: u32, value: u32, lane: u32, clamp: u32) -> u32;
        /// `shfl.sync.up.b32`: `value` of the lane `delta` below; `clamp` is 0 for a whole warp.
        #[link_name = "llvm.nvvm.shfl.sync.up.i32"]
        pub fn shfl_sync_up(mask: u32, value: u32, delta: u32, clamp: u32) -> u32;
        /// `shfl.sync.down.b32`: `value` of the lane `delta` above; `clamp` is `0x1f` for a whole warp.
        #[link_name = "llvm.nvvm.shfl.sync.down.i32"]
        pub fn shfl_sync_down(mask: u32, value: u32, delta: u32, clamp: u32) -> u32;
        /// `shfl.sync.bfly.b32`: `value` of the lane whose number is this lane's xor `lanes`; `clamp` is `0x1f` for a whole warp.
        #[link_name = "llvm.nvvm.shfl.sync.bfly.i32"]
        pub fn shfl_sync_bfly(mask: u32, value: u32, lanes: u32, clamp: u32) -> u32;

        /// `match.any.sync.b32`: the lanes of `mask` that hold the same `value` as this one.
        #[link_name = "llvm.nvvm.match.any.sync.i32"]
        pub fn match_any_sync(mask: u32, value: u32) -> u32;
        /// `match.any.sync.b64`.
        #[link_name = "llvm.nvvm.match.any.sync.i64"]
        pub fn match_any_sync_u64(mask: u32, value: u64) -> u32;

        /// `bar.warp.sync`: waits for the lanes of `mask` and orders their memory accesses among one another.
        #[link_name = "llvm.nvvm.bar.warp.sync"]
        pub fn bar_warp_sync(mask: u32);
        /// `barrier.sync`: waits for all threads of the block at barrier `barrier` (0 to 15) and orders their memory accesses among one
        /// another. Threads that have exited are not waited for. Lanes of a warp may arrive one by one, unlike at `bar.sync`.
        #[link_name = "llvm.nvvm.barrier.cta.sync.all"]
        pub fn barrier_sync(barrier: u32);

        /// `membar.cta`: orders memory accesses as seen by the block.
        #[link_name = "llvm.nvvm.membar.cta"]
        pub safe fn membar_cta();
        /// `membar.gl`: orders memory accesses as seen by the device.
        #[link_name = "llvm.nvvm.membar.gl"]
        pub safe fn membar_gl();
        /// `membar.sys`: orders memory accesses as seen by the whole system, the host included.
        #[link_name = "llvm.nvvm.membar.sys"]
        pub safe fn membar_sys();

        /// `nanosleep.u32`: suspends the thread for a time between 0 and twice `nanoseconds`, at most 1 ms. sm_70.
        #[link_name = "llvm.nvvm.nanosleep"]
        pub safe fn nanosleep(nanoseconds: u32);
        /// `exit`: ends this thread. Barriers of its block no longer wait for it.
        #[link_name = "llvm.nvvm.exit"]
        pub safe fn exit();

        /// `%laneid`: the number of this lane in its warp, 0 to 31.
        #[link_name = "llvm.nvvm.read.ptx.sreg.laneid"]
        pub safe fn laneid() -> u32;
        /// `%lanemask_lt`: the bits of the lanes below this one.
        #[link_name = "llvm.nvvm.read.ptx.sreg.lanemask.lt"]
        pub safe fn lanemask_lt() -> u32;
        /// `%lanemask_eq`: this lane's bit.
        #[link_name = "llvm.nvvm.read.ptx.sreg.lanemask.eq"]
        pub safe fn lanemask_eq() -> u32;
        /// `%warpid`: where the warp sits in its SM. May change while the program runs: a hint.
        #[link_name = "llvm.nvvm.read.ptx.sreg.warpid"]
        pub safe fn warpid() -> u32;
        /// `%nwarpid`: warp places of an SM.
        #[link_name = "llvm.nvvm.read.ptx.sreg.nwarpid"]
        pub safe fn nwarpid() -> u32;
        /// `%smid`: the SM that runs this thread. May change while the program runs: a hint.
        #[link_name = "llvm.nvvm.read.ptx.sreg.smid"]
        pub safe fn smid() -> u32;
        /// `%nsmid`: one more than the largest `%smid`.
        #[link_name = "llvm.nvvm.read.ptx.sreg.nsmid"]
        pub safe fn nsmid() -> u32;

        /// `%clock64`: cycles of the SM's clock. Comparable within one SM.
        #[link_name = "llvm.nvvm.read.ptx.sreg.clock64"]
        pub safe fn clock64() -> u64;
        /// `%globaltimer`: nanoseconds, the same clock on the whole device; its resolution is the driver's choice (often 1 µs).
        #[link_name = "llvm.nvvm.read.ptx.sreg.globaltimer"]
        pub safe fn globaltimer() -> u64;
    }
}
