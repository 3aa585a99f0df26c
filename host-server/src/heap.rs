//! Device memory that was reserved before the launch, handed out piece by piece.
//!
//! A driver may be unable to map memory while a kernel runs, so that MALLOC asks it only when this is used up. Only addresses are
//! kept here; the host never touches what they lead to.

use std::{
    collections::{BTreeMap, BTreeSet},
    sync::Mutex,
};

use crate::lock::lock;

/// Every piece is a multiple of this, and aligned to it.
const GRAIN: u64 = 16;

/// Pieces of this size and more are aligned to it: LLVM's device allocator asks for such slabs.
const SLAB: u64 = 2 << 20;

/// An allocator over a range of device addresses.
#[derive(Debug)]
pub struct Heap {
    ranges: Mutex<Ranges>,
}

#[derive(Debug)]
struct Ranges {
    /// Where what was added at one time begins.
    starts: BTreeSet<u64>,
    /// Free ranges, by address; neighbours are merged, but not across a start.
    free: BTreeMap<u64, u64>,
    /// Pieces handed out, by address.
    used: BTreeMap<u64, u64>,
}

impl Heap {
    /// A heap over `size` bytes of device memory at `base`.
    pub fn new(base: u64, size: u64) -> Self {
        let heap = Self {
            ranges: Mutex::new(Ranges {
                starts: BTreeSet::new(),
                free: BTreeMap::new(),
                used: BTreeMap::new(),
            }),
        };
        heap.add(base, size);
        heap
    }

    /// The address of `size` bytes, aligned to 16, or to 2 MiB when `size` is that large. `None` when there is no room.
    pub fn allocate(&self, size: u64) -> Option<u64> {
        let size = size.max(1).checked_next_multiple_of(GRAIN)?;
        let align = if size >= SLAB { SLAB } else { GRAIN };
        let mut ranges = lock(&self.ranges);
        let (start, len, at) = ranges.free.iter().find_map(|(&start, &len)| {
            let at = start.checked_next_multiple_of(align)?;
            (at.checked_add(size)? <= start + len).then_some((start, len, at))
        })?;
        ranges.free.remove(&start);
        if at > start {
            ranges.free.insert(start, at - start);
        }
        if at + size < start + len {
            ranges.free.insert(at + size, start + len - at - size);
        }
        ranges.used.insert(at, size);
        Some(at)
    }

    /// Hand out `size` more bytes at `base` from now on.
    ///
    /// No piece spans what was added at different times: a driver may know them as different allocations.
    pub fn add(&self, base: u64, size: u64) {
        let Some(start) = base.checked_next_multiple_of(GRAIN) else {
            return;
        };
        let size = base.saturating_add(size).saturating_sub(start) / GRAIN * GRAIN;
        if size > 0 {
            let mut ranges = lock(&self.ranges);
            ranges.starts.insert(start);
            ranges.free.insert(start, size);
        }
    }

    /// Take back the piece at `address`.
    pub fn free(&self, address: u64) -> Result<(), String> {
        let mut ranges = lock(&self.ranges);
        let Some(mut size) = ranges.used.remove(&address) else {
            return Err(format!(
                "{address:#x} was not handed out by malloc, or was freed before"
            ));
        };
        let mut start = address;
        if let Some((&before, &len)) = ranges.free.range(..address).next_back()
            && before + len == address
            && !ranges.starts.contains(&address)
        {
            ranges.free.remove(&before);
            start = before;
            size += len;
        }
        let end = start + size;
        if !ranges.starts.contains(&end)
            && let Some(len) = ranges.free.remove(&end)
        {
            size += len;
        }
        ranges.free.insert(start, size);
        Ok(())
    }

    /// Bytes that are handed out now.
    pub fn in_use(&self) -> u64 {
        lock(&self.ranges).used.values().sum()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn slabs_are_aligned() {
        let heap = Heap::new(0x7000_0010, 64 << 20);
        assert_eq!(heap.allocate(SLAB).unwrap() % SLAB, 0);
        assert_eq!(heap.allocate(SLAB + 1).unwrap() % SLAB, 0);
    }

    #[test]
    fn a_forged_or_stale_address_is_an_error() {
        let heap = Heap::new(4096, 4096);
        let at = heap.allocate(64).unwrap();
        assert!(heap.free(at + 16).is_err());
        assert!(heap.free(at).is_ok());
        assert!(heap.free(at).is_err());
        assert!(heap.allocate(u64::MAX).is_none());
        assert!(heap.allocate(4097).is_none());
        assert!(heap.allocate(4096).is_some());
        assert!(heap.allocate(1).is_none());
    }

    #[test]
    fn what_is_added_is_handed_out_but_never_joined() {
        let heap = Heap::new(4096, 4096);
        assert_eq!(heap.allocate(4096), Some(4096));
        heap.add(8192, 4096);
        heap.add(12288, 4096);
        assert_eq!(heap.allocate(6000), None);
        assert_eq!(heap.allocate(4096), Some(8192));
        assert_eq!(heap.allocate(4096), Some(12288));
        // In an order in which each could be joined with what lies before it and behind it.
        for address in [4096, 12288, 8192] {
            heap.free(address).unwrap();
        }
        assert_eq!(heap.allocate(6000), None);
        assert_eq!(heap.allocate(4096), Some(4096));
        heap.add(u64::MAX - 8, 4);
    }

    proptest! {
        #[test]
        fn pieces_never_overlap_and_all_comes_back(requests in prop::collection::vec((0u64..5000, any::<bool>()), 1..200)) {
            let heap = Heap::new(1000, 100_000);
            let mut live: Vec<(u64, u64)> = Vec::new();
            for (size, free_one) in requests {
                if free_one && let Some((at, _)) = live.pop() {
                    heap.free(at).unwrap();
                }
                if let Some(at) = heap.allocate(size) {
                    prop_assert!(at >= 1000 && at + size <= 101_000);
                    prop_assert!(live.iter().all(|&(other, len)| at + size.max(1) <= other || other + len.max(1) <= at));
                    live.push((at, size));
                }
            }
            for (at, _) in live {
                heap.free(at).unwrap();
            }
            prop_assert_eq!(heap.in_use(), 0);
            prop_assert!(heap.allocate(90_000).is_some());
        }
    }
}
