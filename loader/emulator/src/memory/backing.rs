//! Where the bytes come from: anonymous mappings, carved up for small requests.
//!
//! Nothing here is ever handed to the process's own allocator, and small blocks are never unmapped: a kernel that races with
//! a free can at worst read or write emulated memory, never a host object.

use std::collections::{BTreeMap, VecDeque};

/// Bytes behind every block that belong to nobody, so that one past the end is always out of bounds.
const RED_ZONE: u64 = 16;
/// What a small block is a multiple of; also the alignment the CUDA driver promises.
const GRAIN: u64 = 256;
/// Above this a request gets a mapping of its own.
const SMALL: u64 = 1 << 20;
const CHUNK: u64 = 64 << 20;
const PAGE: u64 = 4096;
/// Freed small blocks stay recognisable as freed until this many bytes were freed after them.
const QUARANTINE_SMALL: u64 = 16 << 20;
/// Freed mappings keep their addresses (not their pages) until this much address space was freed after them.
const QUARANTINE_LARGE: u64 = 1 << 40;
/// The same in number, as each of them is remembered.
const QUARANTINE_COUNT: usize = 1 << 14;
/// Bytes of returned windows that keep their pages, to be handed out again without new page faults.
const WARM: u64 = 256 << 20;

/// A piece of memory handed out by [`Backing`].
#[derive(Clone, Copy, Debug)]
struct Block {
    base: u64,
    /// Bytes of address space it takes.
    extent: u64,
    large: bool,
}

/// Hands out memory by size class, takes it back through a quarantine.
#[derive(Default)]
pub(super) struct Backing {
    /// Free small blocks by extent.
    free: BTreeMap<u64, Vec<u64>>,
    /// Mappings of returned windows by extent.
    windows: BTreeMap<u64, Vec<u64>>,
    /// Bytes of free windows whose pages were not given back.
    warm: u64,
    bump: u64,
    bump_end: u64,
    live: BTreeMap<u64, Block>,
    small_quarantine: VecDeque<Block>,
    small_bytes: u64,
    large_quarantine: VecDeque<Block>,
    large_bytes: u64,
    chunks: Vec<(u64, u64)>,
}

impl Backing {
    /// `size` bytes at a multiple of `align` (a power of two), or `None` when the host has no more address space.
    pub fn take(&mut self, size: u64, align: u64) -> Option<u64> {
        let wanted = size.checked_add(RED_ZONE)?;
        let block = if wanted > SMALL || align > GRAIN {
            self.take_large(wanted, align)?
        } else {
            self.take_small(if wanted <= 16 * GRAIN {
                wanted.next_multiple_of(GRAIN)
            } else {
                wanted.next_power_of_two()
            })?
        };
        self.live.insert(block.base, block);
        Some(block.base)
    }

    fn take_small(&mut self, extent: u64) -> Option<Block> {
        let reused = self.free.get_mut(&extent).and_then(Vec::pop);
        let base = match reused {
            Some(base) => base,
            None => {
                if self.bump_end - self.bump < extent {
                    self.bump = map(CHUNK)?;
                    self.bump_end = self.bump + CHUNK;
                    self.chunks.push((self.bump, CHUNK));
                }
                let base = self.bump;
                self.bump += extent;
                base
            }
        };
        Some(Block {
            base,
            extent,
            large: false,
        })
    }

    fn take_large(&mut self, wanted: u64, align: u64) -> Option<Block> {
        let extent = wanted.checked_next_multiple_of(PAGE)?.checked_add(PAGE)?;
        if align <= PAGE {
            if let Some(base) = self.windows.get_mut(&extent).and_then(Vec::pop) {
                self.warm = self.warm.saturating_sub(extent);
                return Some(Block {
                    base,
                    extent,
                    large: true,
                });
            }
            return Some(Block {
                base: map(extent)?,
                extent,
                large: true,
            });
        }
        let whole = extent.checked_add(align)?;
        let start = map(whole)?;
        let base = start.next_multiple_of(align);
        unmap(start, base - start);
        unmap(base + extent, start + whole - base - extent);
        Some(Block {
            base,
            extent,
            large: true,
        })
    }

    /// Takes the block at `base` back. Returns the bases of blocks that left the quarantine: their addresses may be
    /// handed out again, so nothing may remember them as freed.
    pub fn give_back(&mut self, base: u64, kernels_running: bool) -> Vec<u64> {
        let Some(block) = self.live.remove(&base) else {
            return Vec::new();
        };
        let mut left = Vec::new();
        if block.large {
            discard(block.base, block.extent);
            self.large_bytes += block.extent;
            self.large_quarantine.push_back(block);
            // A running kernel may hold a checked address of any of these.
            while !kernels_running
                && (self.large_bytes > QUARANTINE_LARGE || self.large_quarantine.len() > QUARANTINE_COUNT)
            {
                let Some(old) = self.large_quarantine.pop_front() else {
                    break;
                };
                self.large_bytes -= old.extent;
                unmap(old.base, old.extent);
                left.push(old.base);
            }
        } else {
            self.small_bytes += block.extent;
            self.small_quarantine.push_back(block);
            while self.small_bytes > QUARANTINE_SMALL {
                let Some(old) = self.small_quarantine.pop_front() else {
                    break;
                };
                self.small_bytes -= old.extent;
                self.free.entry(old.extent).or_default().push(old.base);
                left.push(old.base);
            }
        }
        left
    }

    /// Takes a window of a kernel back, to be handed out again at once: nobody can have kept its address. It stays mapped,
    /// since a program may have made it up.
    pub fn recycle(&mut self, base: u64) {
        let Some(block) = self.live.remove(&base) else {
            return;
        };
        if !block.large {
            self.free.entry(block.extent).or_default().push(block.base);
            return;
        }
        if self.warm + block.extent > WARM {
            discard(block.base, block.extent);
        } else {
            self.warm += block.extent;
        }
        self.windows.entry(block.extent).or_default().push(block.base);
    }
}

impl Drop for Backing {
    fn drop(&mut self) {
        for &(base, len) in &self.chunks {
            unmap(base, len);
        }
        for (&extent, bases) in &self.windows {
            bases.iter().for_each(|&base| unmap(base, extent));
        }
        let live = self.live.values();
        for block in live.chain(&self.large_quarantine).filter(|b| b.large) {
            unmap(block.base, block.extent);
        }
    }
}

fn map(len: u64) -> Option<u64> {
    // SAFETY: a fresh anonymous mapping at an address of the kernel's choice touches nothing that exists.
    let at = unsafe {
        libc::mmap(
            std::ptr::null_mut(),
            usize::try_from(len).ok()?,
            libc::PROT_READ | libc::PROT_WRITE,
            libc::MAP_PRIVATE | libc::MAP_ANONYMOUS | libc::MAP_NORESERVE,
            -1,
            0,
        )
    };
    (at != libc::MAP_FAILED).then_some(at as u64)
}

fn unmap(base: u64, len: u64) {
    if len > 0 {
        // SAFETY: callers pass (part of) a mapping made by `map` that nobody uses any more.
        unsafe { libc::munmap(base as *mut libc::c_void, len as usize) };
    }
}

/// Gives the pages back and keeps the addresses.
fn discard(base: u64, len: u64) {
    // SAFETY: the range is a mapping of ours; its content is dead, reads of it see zeros from now on.
    unsafe { libc::madvise(base as *mut libc::c_void, len as usize, libc::MADV_DONTNEED) };
}
