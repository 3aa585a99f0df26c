//! What the lanes of a warp tell one another, in whole warps and in parts of them.

#![no_std]

use device_rt::{block, println, thread, warp};

#[device_rt::main]
fn main() {
    let lane = warp::lane();
    // The last warp of a block may be a part of one.
    let here = (block::size().volume() as u32 - warp::index_in_block() * warp::lanes()).min(warp::lanes());
    let all = u64::MAX >> (64 - here);
    assert_eq!(thread::index_in_block(), warp::index_in_block() * warp::lanes() + lane);
    assert!(lane < here);

    // SAFETY: all lanes of the warp come here.
    unsafe { warp::sync(all) };
    assert_eq!(warp::active(), all);
    assert_eq!(warp::ballot(lane.is_multiple_of(3)), all & 0x9249_2492_4924_9249);
    assert!(warp::any(lane == here - 1) && !warp::any(lane == here));
    assert!(warp::all(lane < here) && !warp::all(lane != 0));
    assert_eq!(warp::elect(), lane == 0);

    assert_eq!(warp::broadcast(u64::from(lane) + (5 << 40)), 5 << 40);
    assert_eq!(
        warp::shuffle(f64::from(lane) + 0.25, here - 1),
        f64::from(here - 1) + 0.25
    );
    assert_eq!(
        warp::shuffle([lane, lane * 7], (lane + 1) % here),
        [(lane + 1) % here, (lane + 1) % here * 7]
    );
    assert_eq!(warp::sum(lane), here * (here - 1) / 2);
    assert_eq!(warp::reduce(lane as i32 - 5, i32::max), here as i32 - 6);
    assert_eq!(
        warp::reduce(i128::from(lane) << 90, i128::wrapping_add),
        i128::from(here * (here - 1) / 2) << 90
    );
    // The order of the lanes, lowest first.
    assert_eq!(
        warp::reduce((lane, lane), |(first, _), (_, last)| (first, last)),
        (0, here - 1)
    );

    // A part of the warp.
    if lane % 4 == 1 {
        let group = all & 0x2222_2222_2222_2222;
        // SAFETY: all lanes of the group, and no other, come here.
        unsafe { warp::sync(group) };
        assert_eq!(warp::ballot(true), group);
        assert_eq!(warp::broadcast(lane), 1);
        assert_eq!(warp::sum(1), group.count_ones());
        assert_eq!(warp::elect(), lane == 1);
    }
    // SAFETY: all lanes of the warp come here.
    unsafe { warp::sync(all) };
    block::sync();
    if thread::index_in_block() == 0 {
        println!("block {} ok", block::index());
    }
}
