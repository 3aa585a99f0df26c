//! What the lanes of a warp tell one another, in whole warps and in parts of them.

#![no_std]

use core::hint::black_box;
use core::sync::atomic::{AtomicU32, Ordering::Relaxed};

use device_rt::warp::{self, Group};
use device_rt::{block, destructor, println, thread};

/// Lanes that the lowest of those together with them has counted.
static COUNTED: AtomicU32 = AtomicU32::new(0);

#[device_rt::main]
fn main() {
    let lane = warp::lane();
    // The last warp of a block may be a part of one.
    let here = (block::size().volume() as u32 - warp::index_in_block() * warp::lanes()).min(warp::lanes());
    let all = u64::MAX >> (64 - here);
    assert_eq!(thread::index_in_block(), warp::index_in_block() * warp::lanes() + lane);
    assert!(lane < here);
    assert_eq!(warp::initial(), all);

    // SAFETY: all lanes of the warp come here, and through all of this function.
    let whole = unsafe { Group::of_warp() };
    assert_eq!(whole.mask(), all);
    assert_eq!(whole.lanes(), here);
    assert_eq!(whole.ballot(lane.is_multiple_of(3)), all & 0x9249_2492_4924_9249);
    assert!(whole.any(lane == here - 1) && !whole.any(lane == here));
    assert!(whole.all(lane < here) && !whole.all(lane != 0));
    assert_eq!(whole.is_first(), lane == 0);

    assert_eq!(whole.broadcast(u64::from(lane) + (5 << 40)), 5 << 40);
    assert_eq!(
        whole.shuffle(f64::from(lane) + 0.25, here - 1),
        f64::from(here - 1) + 0.25
    );
    assert_eq!(
        whole.shuffle([lane, lane * 7], (lane + 1) % here),
        [(lane + 1) % here, (lane + 1) % here * 7]
    );
    assert_eq!(whole.sum(lane), here * (here - 1) / 2);
    assert_eq!(whole.reduce(lane as i32 - 5, i32::max), here as i32 - 6);
    assert_eq!(
        whole.reduce(i128::from(lane) << 90, i128::wrapping_add),
        i128::from(here * (here - 1) / 2) << 90
    );
    // The order of the lanes, lowest first.
    assert_eq!(
        whole.reduce((lane, lane), |(first, _), (_, last)| (first, last)),
        (0, here - 1)
    );

    // A part of the warp.
    if lane % 4 == 1 {
        let mask = all & 0x2222_2222_2222_2222;
        // SAFETY: all lanes of the group, and no other, come here.
        let group = unsafe { Group::new(mask) };
        assert_eq!(group.ballot(true), mask);
        assert_eq!(group.broadcast(lane), 1);
        assert_eq!(group.sum(1), mask.count_ones());
        assert_eq!(group.is_first(), lane == 1);
    }
    whole.sync();
    leave_in_turn(lane, all);
    whichever_lanes(lane, all);
    block::sync();
    if thread::index_in_block() == 0 {
        println!("block {} ok", block::index());
    }
}

/// Lanes that leave a loop at different times, in groups, and each time tell those that stay.
///
/// Whether a lane leaves hangs on conditions that are not looked at by all lanes. All of them must be in the same ballot nevertheless:
/// a compiler that makes it one ballot for each condition keeps the lanes of a lockstep machine here for ever.
fn leave_in_turn(lane: u32, all: u64) {
    let class = black_box(lane % 5);
    let mut left = all;
    for turn in 0.. {
        // SAFETY: all lanes began with the same mask, and those that left are no longer in it.
        let group = unsafe { Group::new(left) };
        let leads = left.trailing_zeros();
        let same = group.ballot(group.shuffle(class, leads) == class);
        let size = group.shuffle(if lane == leads { black_box(2) } else { 0 }, leads);
        let rank = (same & ((1 << lane) - 1)).count_ones();
        let leaves = same >> lane & 1 == 1 && (size == 0 || rank < size);
        assert!(turn < 64, "lane {lane} never leaves");
        left &= !group.ballot(leaves);
        if leaves {
            break;
        }
    }
    assert_eq!(left >> lane & 1, 0);
}

/// What holds of the lanes that happen to be together, whoever they are.
fn whichever_lanes(lane: u32, all: u64) {
    let own = 1 << lane;
    let active = warp::active();
    assert!(active & own != 0 && active & !all == 0);
    let together = warp::ballot(true);
    assert!(together & own != 0 && together & !all == 0);
    assert!(warp::any(true) && warp::all(true) && !warp::any(false));
    assert!(warp::broadcast(lane) <= lane);
    assert_eq!(warp::shuffle(lane, lane), lane);
    assert!(warp::sum(1) <= all.count_ones());
    let (count, first) = warp::reduce((1, lane), |(count, first), (one, _)| (count + one, first));
    if first == lane {
        COUNTED.fetch_add(count, Relaxed);
    }
    if warp::elect() {
        assert!(warp::active() & own != 0);
    }
}

#[destructor]
fn each_was_counted_once() {
    println!("{} lanes", COUNTED.load(Relaxed));
}
