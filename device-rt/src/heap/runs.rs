//! Runs of pages: the pool's large blocks.

use rpc_proto::pool::PAGE;

use super::books::Books;
use super::pool::Pool;

/// Times that a search begins anew because others were faster.
const TRIES: u32 = 64;

impl<B: Books> Pool<B> {
    /// Takes a run for `size` bytes; the offset of its first page.
    #[inline(never)]
    pub(super) fn take_run(&self, size: usize, home: u32) -> Option<usize> {
        let pages = size.div_ceil(PAGE);
        if pages > self.shape.pages() as usize {
            return None;
        }
        let pages = pages as u32;
        let found = self.claim_run(pages, home).or_else(|| {
            // Perhaps what is missing lies in pages of small blocks that nobody uses any more.
            self.tidy();
            self.claim_run(pages, home)
        })?;
        self.set_run(found, 0, pages);
        Some(found as usize * PAGE)
    }

    /// Gives a run back. `false` if another thread has done so.
    #[inline(never)]
    pub(super) fn give_run(&self, page: u32, pages: u32) -> bool {
        if !self.set_run(page, pages, 0) {
            return false;
        }
        self.free_pages(page, pages);
        true
    }

    /// Makes a run that this thread owns longer or shorter where it lies.
    #[inline(never)]
    pub(super) fn resize_run(&self, page: u32, pages: u32, size: usize) -> bool {
        let wanted = size.div_ceil(PAGE);
        if wanted == 0 || wanted > (self.shape.pages() - page) as usize {
            return false;
        }
        let wanted = wanted as u32;
        if wanted > pages && !self.claim(page + pages, wanted - pages) {
            return false;
        }
        self.set_run(page, pages, wanted);
        if wanted < pages {
            self.free_pages(page + wanted, pages - wanted);
        }
        true
    }

    fn claim_run(&self, pages: u32, home: u32) -> Option<u32> {
        let mut top = self.shape.pages();
        for _ in 0..TRIES {
            let found = self
                .find_run(pages, top)
                .or_else(|| self.find_run(pages, self.shape.pages()))?;
            if self.claim(found, pages) {
                return Some(found);
            }
            // Many search at once: go on at a place where the others are not.
            top = match top.wrapping_mul(0x9e37).wrapping_add(home.wrapping_mul(0x85eb)) % self.shape.pages() {
                low if low < pages => self.shape.pages(),
                top => top,
            };
        }
        None
    }

    /// The highest run of free pages below `top`: from the other end than small blocks.
    fn find_run(&self, pages: u32, top: u32) -> Option<u32> {
        let mut end = top;
        for word in (0..top.div_ceil(64)).rev() {
            let used = self.books.load(word as usize) | self.beyond(word);
            if used == 0 {
                if end.saturating_sub(word * 64) >= pages {
                    return Some(end - pages);
                }
                continue;
            }
            for bit in (0..64).rev() {
                let page = word * 64 + bit;
                if page >= end {
                    continue;
                }
                if used >> bit & 1 == 1 {
                    end = page;
                } else if end - page >= pages {
                    return Some(page);
                }
            }
        }
        None
    }

    /// Takes exactly these pages, or none of them.
    fn claim(&self, first: u32, pages: u32) -> bool {
        for (word, bits) in words(first, pages) {
            let before = self.books.or(word, bits);
            if before & bits != 0 {
                self.books.and(word, before | !bits);
                for (earlier, bits) in words(first, pages).take_while(|&(earlier, _)| earlier < word) {
                    self.books.and(earlier, !bits);
                }
                return false;
            }
        }
        true
    }

    fn free_pages(&self, first: u32, pages: u32) {
        for (word, bits) in words(first, pages) {
            self.books.release_and(word, !bits);
        }
    }
}

/// The words of the map that have these pages' bits, and the bits.
fn words(first: u32, pages: u32) -> impl Iterator<Item = (usize, u64)> {
    let end = first + pages;
    (first / 64..end.div_ceil(64)).map(move |word| {
        let low = first.saturating_sub(word * 64);
        let high = (end - word * 64).min(64);
        (word as usize, u64::MAX >> (64 - (high - low)) << low)
    })
}
