//! The pool: memory that a host reserves before the launch, and that the device hands out by itself.
//!
//! The host zeroes the first [`meta_bytes`](Shape::meta_bytes) of it and tells address and number of pages in
//! [`ExtClient`](crate::ext::ExtClient); from then on only the device touches it. What the two sides share is therefore no
//! more than the [`Shape`]: where in the pool which word of the device's books lies.

/// Bytes of a page, and the alignment of the pool.
pub const PAGE: usize = 16 << 10;

/// Words of books for each page: one for each chunk of up to 32 blocks.
pub const CHUNKS: u32 = 32;

/// Classes of blocks: 16 bytes, 32, and so on up to half a page.
pub const CLASSES: u32 = 10;

/// Homes that share a group's page.
pub const GROUP: u32 = 8;

/// Where what lies in a pool. The books come first, as `u64` words; the pages follow.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shape {
    pages: u32,
}

impl Shape {
    /// A pool of `pages` pages: 1 to 2²⁶ (a tebibyte).
    #[inline(always)]
    pub const fn new(pages: u32) -> Option<Self> {
        if pages == 0 || pages > 1 << 26 {
            return None;
        }
        Some(Self { pages })
    }

    /// The largest pool that fits into `bytes` bytes, if any does.
    pub const fn fitting(bytes: usize) -> Option<Self> {
        // More pages never take less room, so that halving finds the last number that fits.
        let (mut fits, mut too_many) = (0, (1 << 26) + 1);
        while too_many - fits > 1 {
            let middle = fits + (too_many - fits) / 2;
            match Self::new(middle) {
                Some(shape) if shape.bytes() <= bytes => fits = middle,
                _ => too_many = middle,
            }
        }
        Self::new(fits)
    }

    /// Number of pages.
    #[inline(always)]
    pub const fn pages(self) -> u32 {
        self.pages
    }

    /// Homes: places where warps keep a note of what they allocated from last. A power of two.
    #[inline(always)]
    pub const fn homes(self) -> u32 {
        let wanted = if self.pages > 4096 { 4096 } else { self.pages };
        let homes = (2 * wanted).next_power_of_two();
        if homes < 64 { 64 } else { homes }
    }

    /// Words of the page map, one bit for each page.
    #[inline(always)]
    pub const fn map_words(self) -> u32 {
        self.pages.div_ceil(64)
    }

    /// Index of the word that says what a page is used for.
    #[inline(always)]
    pub const fn info(self, page: u32) -> usize {
        self.map_words() as usize + page as usize
    }

    /// Index of a chunk's word. Chunk `c` lies in page `c / CHUNKS`.
    #[inline(always)]
    pub const fn chunk(self, chunk: u32) -> usize {
        self.map_words() as usize + self.pages as usize + chunk as usize
    }

    /// Index of the word with the page from which a group of homes allocates blocks of a class.
    #[inline(always)]
    pub const fn group(self, home: u32, class: u32) -> usize {
        self.chunk(self.pages * CHUNKS) + (class * (self.homes() / GROUP) + home / GROUP) as usize
    }

    /// Index of a home's note about a class.
    #[inline(always)]
    pub const fn home(self, home: u32, class: u32) -> usize {
        self.group(0, CLASSES) + (home * CLASSES + class) as usize
    }

    /// Bytes of the books, which are zero at first.
    #[inline(always)]
    pub const fn meta_bytes(self) -> usize {
        8 * self.home(self.homes(), 0)
    }

    /// Offset of the first page.
    #[inline(always)]
    pub const fn first_page(self) -> usize {
        self.meta_bytes().next_multiple_of(PAGE)
    }

    /// Bytes of it all.
    pub const fn bytes(self) -> usize {
        self.first_page() + self.pages as usize * PAGE
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_largest_pool_that_fits() {
        assert_eq!(Shape::fitting(0), None);
        assert_eq!(Shape::fitting(PAGE), None);
        for bytes in [5 * PAGE, 100 * PAGE + 7, 1 << 20, 64 << 20, 1 << 30, 3 << 34] {
            let shape = Shape::fitting(bytes).unwrap();
            assert!(shape.bytes() <= bytes);
            let larger = Shape::new(shape.pages() + 1).unwrap();
            assert!(larger.bytes() > bytes, "{bytes}");
        }
    }

    #[test]
    fn books_do_not_overlap() {
        for pages in [1, 63, 64, 65, 4096, 100_000] {
            let shape = Shape::new(pages).unwrap();
            assert_eq!(shape.info(0), shape.map_words() as usize);
            assert_eq!(shape.chunk(0), shape.info(pages - 1) + 1);
            assert_eq!(shape.group(0, 0), shape.chunk(pages * CHUNKS - 1) + 1);
            assert_eq!(shape.home(0, 0), shape.group(shape.homes() - 1, CLASSES - 1) + 1);
            assert_eq!(shape.meta_bytes(), 8 * (shape.home(shape.homes() - 1, CLASSES - 1) + 1));
        }
    }
}
