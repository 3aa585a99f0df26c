//! How many blocks of a kernel a multiprocessor holds.

use std::ffi::{c_int, c_uint};
use std::sync::atomic::Ordering;

use crate::attributes::{MULTIPROCESSORS, REGISTERS, THREADS_PER_BLOCK, WARP_SIZE};
use crate::border::{Out, entries};
use crate::function::{self, Function};
use crate::status::{Result, Status};

/// Tells how much dynamic shared memory a block of some size needs.
type SharedOfBlock = Option<unsafe extern "C" fn(c_int) -> usize>;

/// Registers are given out in pieces of this many per warp.
const REGISTER_GRAIN: u32 = 256;

/// Blocks of `threads` threads on one multiprocessor; 0 if not even one fits.
fn blocks(function: &Function, threads: u32, shared: usize) -> Result<u32> {
    let traits = function.traits()?;
    if threads == 0 || threads > THREADS_PER_BLOCK.min(function.kernel.max_threads) {
        return Ok(0);
    }
    if shared > function.most_shared.load(Ordering::Relaxed) as usize {
        return Ok(0);
    }
    let warps = threads.div_ceil(WARP_SIZE);
    let registers = (function.registers() * WARP_SIZE).next_multiple_of(REGISTER_GRAIN) * warps;
    let memory = function.kernel.static_shared + shared as u32 + traits.shared_reserved;
    let by_memory = traits.shared_per_multiprocessor.checked_div(memory).unwrap_or(u32::MAX);
    let by_registers = REGISTERS.checked_div(registers).unwrap_or(u32::MAX);
    Ok((traits.threads_per_multiprocessor / (warps * WARP_SIZE))
        .min(traits.blocks_per_multiprocessor)
        .min(by_memory)
        .min(by_registers))
}

fn count(count: Out<c_int>, function: usize, threads: c_int, shared: usize) -> Result {
    count.check()?;
    let threads = u32::try_from(threads).ok().filter(|threads| *threads > 0);
    let found = blocks(
        &*function::find(function)?,
        threads.ok_or(Status::INVALID_VALUE)?,
        shared,
    )?;
    count.set(found as c_int)
}

/// The smallest grid and the block size that keep most threads busy.
fn best(
    (grid, block): (Out<c_int>, Out<c_int>),
    function: usize,
    shared_of: SharedOfBlock,
    shared: usize,
    limit: c_int,
) -> Result {
    grid.check()?;
    block.check()?;
    let function = function::find(function)?;
    let most = THREADS_PER_BLOCK.min(function.kernel.max_threads);
    let most = u32::try_from(limit)
        .ok()
        .filter(|limit| *limit > 0)
        .map_or(most, |limit| limit.min(most));
    let mut found = (0, 0, 0);
    // The last size need not be a whole number of warps.
    let sizes = (1..=most.div_ceil(WARP_SIZE)).map(|warps| (warps * WARP_SIZE).min(most));
    for threads in sizes {
        let shared = match shared_of {
            // SAFETY: the caller gave the function for this very purpose.
            Some(shared_of) => unsafe { shared_of(threads as c_int) },
            None => shared,
        };
        let blocks = blocks(&function, threads, shared)?;
        found = found.max((blocks * threads, threads, blocks));
    }
    let (_, threads, blocks) = found;
    grid.set((blocks * MULTIPROCESSORS) as c_int)?;
    block.set(threads as c_int)
}

entries! {
    /// Blocks of a kernel on one multiprocessor.
    fn cuOccupancyMaxActiveBlocksPerMultiprocessor(
        blocks: Out<c_int>,
        function: usize,
        threads: c_int,
        shared: usize,
    ) {
        count(blocks, function, threads, shared)
    }

    /// As without flags; the only flag is about a cache.
    fn cuOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(
        blocks: Out<c_int>,
        function: usize,
        threads: c_int,
        shared: usize,
        flags: c_uint,
    ) {
        if flags > 1 {
            return Err(Status::INVALID_VALUE);
        }
        count(blocks, function, threads, shared)
    }

    /// The block size that keeps most threads busy.
    fn cuOccupancyMaxPotentialBlockSize(
        grid: Out<c_int>,
        block: Out<c_int>,
        function: usize,
        shared_of: SharedOfBlock,
        shared: usize,
        limit: c_int,
    ) {
        best((grid, block), function, shared_of, shared, limit)
    }

    /// As without flags; the only flag is about a cache.
    fn cuOccupancyMaxPotentialBlockSizeWithFlags(
        grid: Out<c_int>,
        block: Out<c_int>,
        function: usize,
        shared_of: SharedOfBlock,
        shared: usize,
        limit: c_int,
        flags: c_uint,
    ) {
        if flags > 1 {
            return Err(Status::INVALID_VALUE);
        }
        best((grid, block), function, shared_of, shared, limit)
    }

    /// Dynamic shared memory that so many blocks on one multiprocessor can have each.
    fn cuOccupancyAvailableDynamicSMemPerBlock(
        bytes: Out<usize>,
        function: usize,
        blocks_wanted: c_int,
        threads: c_int,
    ) {
        bytes.check()?;
        let function = function::find(function)?;
        let traits = function.traits()?;
        let wanted = u32::try_from(blocks_wanted).ok().filter(|wanted| *wanted > 0);
        let wanted = wanted.ok_or(Status::INVALID_VALUE)?;
        let threads = u32::try_from(threads).map_err(|_| Status::INVALID_VALUE)?;
        if blocks(&function, threads, 0)? < wanted {
            return Err(Status::INVALID_VALUE);
        }
        let each = traits.shared_per_multiprocessor / wanted;
        let taken = function.kernel.static_shared + traits.shared_reserved;
        let most = traits.shared_opt_in.saturating_sub(function.kernel.static_shared);
        bytes.set(each.saturating_sub(taken).min(most) as usize)
    }
}
