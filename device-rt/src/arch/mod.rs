//! All that differs between the targets, as one set of functions.
//!
//! `nvptx` and `amdgcn` are the two GPUs. `host` is a stand-in with one lane, one thread and one block, so that `cargo check`, clippy,
//! rust-analyzer and unit tests work on device code with a plain stable compiler. Each of the three has exactly the functions listed
//! here, those of `relaxed` where nothing better is known, and no other module of this crate asks for the target's architecture.
//!
//! | function | what it does |
//! |---|---|
//! | `lane_count()` | lanes of a warp or wavefront: 32, 32 or 64, 1 |
//! | `lane_id()` | this lane, 0 to `lane_count() - 1` |
//! | `active_mask()` | lanes that execute this together right now, lane 0 in bit 0 |
//! | `active_mask_with(x)` | those of them that pass the same `x` as this one, where lanes from different calls can run together |
//! | `ballot(mask, p)` | the lanes of `mask` where `p` is true |
//! | `shuffle(mask, x, lane)` | `x` of `lane`; unspecified where `lane` is not in `mask` |
//! | `broadcast(mask, x)` | `x` of the lowest lane of `mask` |
//! | `sync_lanes(mask)` | all lanes of `mask` meet; their memory accesses before are seen by all of them after |
//! | `acquire_when()`, `set_bit_acquire()`, `clear_bit_release()` | the take edge; the lock edges, at device scope: between warps of one GPU |
//! | `acquire_system()`, `release_system()` | fences at system scope: between the GPU and the host |
//! | `sleep_briefly()` | lets others run while this lane polls |
//! | `sleep_longer(n)` | the same after `n` looks in vain |
//! | `sleep_shorter(n)` | lets others run between two rounds of a search, after `n` in vain: shorter, the longer it has been |
//! | `await_trip(lanes)` | waits as long as no answer of the host can be here yet |
//! | `trap()` | ends the kernel with a fault |
//! | `exit_thread()` | ends this thread (on AMD: this wavefront) and nothing else |
//! | `clock()` | ticks of the compute unit's own clock, for short measurements |
//! | `nanoseconds()` | a steady clock that the whole device shares |
//! | `thread_id()`, `block_id()` | place in the block and in the grid, `[x, y, z]` |
//! | `block_size()`, `grid_size()` | threads of a block, blocks of the grid, `[x, y, z]` |
//! | `sync_block()` | all threads of the block meet |
//! | `load_fixed(p)` | 8 bytes of device memory that stay what they are while a kernel runs |
//! | `load_pair(p)`, `store_pair(p, x)` | 16 bytes shared with the host, in one access where the GPU has one, in no order |
//! | `load_own(p)`, `store_own(p, x)` | 8 bytes of device memory that only this warp touches |
//! | `release_and(p, x)` | clears bits of such a word, shared by all warps, with release at device scope |
//! | `release_or(p, x)` | sets bits of such a word, the same way |
//! | `is_global(p)` | whether `p` may be an address of global memory, not of a stack or of a block's memory |
//! | `home()` | a number that warps which run at the same time seldom share |
//! | `block_memory()` | start and size in bytes of the block's launch-sized memory |
//! | `run_init_array(argc, argv, envp)` | calls the constructors, lowest priority number first |
//! | `run_fini_array()` | calls the destructors, highest priority number first |
//! | `__init_object!` | puts a function among them |
//!
//! `ballot`, `shuffle`, `broadcast` and `sync_lanes` must be executed by every lane of `mask`, and only by those; the mask must have been
//! taken in the same function with no branch in between. They are `unsafe` for that reason.

#[cfg(target_arch = "amdgpu")]
mod amdgcn;
#[cfg(not(any(target_arch = "nvptx64", target_arch = "amdgpu")))]
mod host;
#[cfg(target_arch = "nvptx64")]
mod nvptx;
#[cfg(not(target_arch = "nvptx64"))]
mod relaxed;

#[cfg(target_arch = "amdgpu")]
pub(crate) use amdgcn::*;
#[cfg(not(any(target_arch = "nvptx64", target_arch = "amdgpu")))]
pub(crate) use host::*;
#[cfg(target_arch = "nvptx64")]
pub(crate) use nvptx::*;
#[cfg(not(target_arch = "nvptx64"))]
pub(crate) use relaxed::*;
