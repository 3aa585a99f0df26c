//! A model of the pool's allocator: every order in which two warps may run is tried, up to a few changes between them.
//!
//! `RUSTFLAGS="--cfg loom" cargo test -p device-rt --release --lib model`

extern crate std;

use std::cell::Cell;
use std::collections::HashMap;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::time::Duration;
use std::vec::Vec;

use loom::cell::UnsafeCell;
use loom::sync::Arc;
use loom::sync::atomic::{AtomicU64, Ordering};
use loom::thread;
use rpc_proto::pool::{CHUNKS, PAGE, Shape};

use super::books::Books;
use super::pool::{Pool, Taken, block_size};

/// Blocks of half a page: one chunk of two in each page.
const CLASS: u32 = 9;
/// Homes of two groups.
const HOMES: [u32; 2] = [0, 8];

/// What the threads share: the words of the books that the model needs, and the memory that is handed out.
struct Shared {
    words: HashMap<usize, AtomicU64>,
    blocks: Vec<UnsafeCell<u32>>,
    /// Giving back releases nothing.
    weak: bool,
}

/// One thread's view. Its notes are its own, and so no atomics.
struct Model {
    shared: Arc<Shared>,
    notes: Cell<[u64; 2]>,
    first_note: usize,
}

impl Model {
    fn pool(shared: &Arc<Shared>, shape: Shape, home: u32) -> Pool<Self> {
        Pool {
            books: Self {
                shared: shared.clone(),
                notes: Cell::default(),
                first_note: shape.home(home, CLASS - 1),
            },
            shape,
        }
    }

    fn word(&self, at: usize) -> &AtomicU64 {
        &self.shared.words[&at]
    }
}

impl Books for Model {
    fn load(&self, at: usize) -> u64 {
        self.word(at).load(Ordering::Relaxed)
    }

    fn or(&self, at: usize, bits: u64) -> u64 {
        self.word(at).fetch_or(bits, Ordering::Acquire)
    }

    fn release_or(&self, at: usize, bits: u64) {
        self.word(at).fetch_or(bits, Ordering::Release);
    }

    fn and(&self, at: usize, keep: u64) {
        self.word(at).fetch_and(keep, Ordering::Relaxed);
    }

    fn release_and(&self, at: usize, keep: u64) {
        let order = if self.shared.weak {
            Ordering::Relaxed
        } else {
            Ordering::Release
        };
        self.word(at).fetch_and(keep, order);
    }

    fn exchange(&self, at: usize, old: u64, new: u64) -> bool {
        self.word(at)
            .compare_exchange(old, new, Ordering::AcqRel, Ordering::Relaxed)
            .is_ok()
    }

    fn note(&self, at: usize) -> u64 {
        self.notes.get()[at - self.first_note]
    }

    fn write_note(&self, at: usize, value: u64) {
        let mut notes = self.notes.get();
        notes[at - self.first_note] = value;
        self.notes.set(notes);
    }
}

/// Runs `run` in two threads over a pool of `pages` pages.
fn explore(pages: u32, weak: bool, run: fn(&Pool<Model>, u32)) {
    let mut model = loom::model::Builder::new();
    model.preemption_bound = Some(2);
    // Most models are through before; the largest looks at some hundred thousand orders in this time.
    model.max_duration = Some(Duration::from_secs(20));
    model.check(move || {
        let shape = Shape::new(pages).unwrap();
        let indices = (0..shape.map_words() as usize)
            .chain((0..pages).map(|page| shape.info(page)))
            .chain((0..pages).flat_map(|page| [0, 1].map(|chunk| shape.chunk(page * CHUNKS + chunk))))
            .chain(
                HOMES
                    .iter()
                    .flat_map(|&home| [CLASS - 1, CLASS].map(|class| shape.group(home, class))),
            );
        let shared = Arc::new(Shared {
            words: indices.map(|at| (at, AtomicU64::new(0))).collect(),
            blocks: (0..2 * pages).map(|_| UnsafeCell::new(0)).collect(),
            weak,
        });
        let other = {
            let shared = shared.clone();
            thread::spawn(move || run(&Model::pool(&shared, shape, HOMES[1]), HOMES[1]))
        };
        run(&Model::pool(&shared, shape, HOMES[0]), HOMES[0]);
        other.join().unwrap();
    });
}

/// Uses what was taken, which loom checks to be nobody else's, and gives it back.
fn use_and_give(pool: &Pool<Model>, class: u32, home: u32, taken: Taken) {
    for bit in 0..32 {
        if taken.bits >> bit & 1 == 1 {
            let offset = pool.offset(class, taken.chunk, bit);
            let halves = block_size(class).div_ceil(PAGE / 2);
            for half in 0..halves {
                pool.books.shared.blocks[offset / (PAGE / 2) + half].with_mut(|_| ());
            }
        }
    }
    if taken.bits != 0 {
        pool.give_blocks(taken.chunk, taken.bits);
        pool.note_free(class, taken.chunk, taken.bits, home);
    }
}

fn take_two(pool: &Pool<Model>, home: u32) {
    let taken = pool.take(CLASS, 2, home);
    use_and_give(pool, CLASS, home, taken);
}

#[test]
fn two_warps_share_one_page() {
    explore(1, false, take_two);
}

#[test]
fn a_page_changes_from_one_class_to_another() {
    explore(1, false, |pool, home| {
        let class = if home == 0 { CLASS } else { CLASS - 1 };
        // The second time with a note of what may be another class's page by now.
        for _ in 0..1 + home / 8 {
            let taken = pool.take(class, 1, home);
            use_and_give(pool, class, home, taken);
        }
    });
}

#[test]
fn blocks_and_runs_share_pages() {
    explore(1, false, |pool, home| {
        if home == 0 {
            let taken = pool.take(CLASS, 1, home);
            use_and_give(pool, CLASS, home, taken);
        } else if let Some(offset) = pool.take_run(PAGE, home) {
            for half in 0..2 {
                pool.books.shared.blocks[offset / (PAGE / 2) + half].with_mut(|_| ());
            }
            assert!(pool.give_run((offset / PAGE) as u32, 1));
        }
    });
}

#[test]
fn giving_back_must_release() {
    assert!(catch_unwind(AssertUnwindSafe(|| explore(1, true, take_two))).is_err());
}
