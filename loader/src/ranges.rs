//! Which memory a device has handed out.

use std::collections::BTreeMap;

/// Pieces of memory: start and size. They do not overlap.
#[derive(Debug, Default)]
pub(crate) struct Ranges(BTreeMap<u64, u64>);

impl Ranges {
    /// Adds a piece.
    pub fn insert(&mut self, address: u64, bytes: u64) {
        self.0.insert(address, bytes);
    }

    /// Forgets the piece that begins at `address`.
    pub fn remove(&mut self, address: u64) {
        self.0.remove(&address);
    }

    /// Whether all of these bytes lie in one piece.
    pub fn contain(&self, address: u64, bytes: u64) -> bool {
        let Some((&start, &size)) = self.0.range(..=address).next_back() else {
            return false;
        };
        address - start <= size && bytes <= size - (address - start)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_lies_within_one_piece() {
        let mut ranges = Ranges::default();
        ranges.insert(0x1000, 0x100);
        ranges.insert(0x1100, 0x100);
        assert!(ranges.contain(0x1000, 0x100) && ranges.contain(0x10ff, 1) && ranges.contain(0x1100, 0x100));
        for (address, bytes) in [
            (0xfff, 1),
            (0x1000, 0x101),
            (0x1200, 1),
            (0x1010, u64::MAX),
            (u64::MAX, u64::MAX),
            (0, 1),
        ] {
            assert!(!ranges.contain(address, bytes), "{bytes} bytes at {address:#x}");
        }
        ranges.remove(0x1000);
        assert!(!ranges.contain(0x1000, 1) && ranges.contain(0x1100, 1));
    }
}
