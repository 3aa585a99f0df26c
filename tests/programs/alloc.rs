//! What `alloc` offers: vectors, strings, maps, reference counts, and alignments beyond that of the heap.

#![no_std]

extern crate alloc;

use alloc::alloc::Layout;
use alloc::boxed::Box;
use alloc::collections::{BTreeMap, VecDeque};
use alloc::format;
use alloc::rc::Rc;
use alloc::string::{String, ToString};
use alloc::vec::Vec;

use device_rt::{println, thread};

#[device_rt::main]
fn main() {
    let index = thread::index();

    let squares: Vec<u64> = (0..100).map(|n| n * n + index).collect();
    assert_eq!(squares.iter().sum::<u64>(), 328_350 + 100 * index);

    let mut names: Vec<String> = (0..10).map(|n| format!("name {n} of thread {index}")).collect();
    names.sort_by(|a, b| b.cmp(a));
    assert_eq!(names[9], format!("name 0 of thread {index}"));

    let mut map = BTreeMap::new();
    for word in "the quick brown fox jumps over the lazy dog the end".split(' ') {
        *map.entry(word.to_string()).or_insert(0_u32) += 1;
    }
    assert_eq!((map["the"], map.len()), (3, 9));

    let shared = Rc::new([index; 4]);
    let other = Rc::clone(&shared);
    drop(shared);
    assert_eq!(*other, [index; 4]);
    assert_eq!(Rc::strong_count(&other), 1);

    let mut queue: VecDeque<_> = (0..5).collect();
    queue.rotate_left(2);
    assert_eq!(queue, [2, 3, 4, 0, 1]);

    #[repr(align(256))]
    struct Wide([u8; 300]);
    let wide = Vec::from([Wide([7; 300]), Wide([8; 300])]);
    assert_eq!(wide.as_ptr().addr() % 256, 0);
    assert_eq!((wide[0].0[299], wide[1].0[299]), (7, 8));

    let function: Box<dyn Fn(u64) -> u64> = Box::new(move |x| x + index);
    assert_eq!(function(1), index + 1);

    // More than there is: an error, not the end.
    let mut huge: Vec<u8> = Vec::new();
    // Where nobody looks, the optimiser takes an allocation for granted.
    let reserved = core::hint::black_box(&mut huge).try_reserve(1 << 46);
    assert!(reserved.is_err());
    // SAFETY: the layout's size is not 0.
    let null = unsafe { alloc::alloc::alloc(Layout::new::<[u8; 1 << 46]>()) };
    assert!(core::hint::black_box(null).is_null());

    println!(
        "{}",
        format!("thread {index}: ") + &names[0] + &format!(", {:?}", &squares[..3])
    );
}
