//! What the tests share: CPU threads that let others run, and a warp made of threads.
#![allow(dead_code, reason = "each test uses its part")]

use std::sync::{Condvar, Mutex};

use rpc_proto::{
    Lanes,
    raw::{CpuEdges, Edges},
};

/// A CPU that lets others run while it waits: there are more threads in these tests than cores.
pub struct Yielding;

impl Edges for Yielding {
    fn release_to_system() {
        CpuEdges::release_to_system();
    }

    fn acquire_from_system() {
        CpuEdges::acquire_from_system();
    }

    unsafe fn try_lock(word: *mut u32, bit: u32) -> bool {
        // SAFETY: passed on as given.
        unsafe { CpuEdges::try_lock(word, bit) }
    }

    unsafe fn unlock(word: *mut u32, bit: u32) {
        // SAFETY: passed on as given.
        unsafe { CpuEdges::unlock(word, bit) }
    }

    fn pause() {
        std::thread::yield_now();
    }
}

/// A warp whose lanes are threads: each operation waits for all lanes of its mask, as on a GPU.
pub struct Warp {
    state: Mutex<State>,
    changed: Condvar,
    active: u64,
}

struct State {
    arrived: u64,
    generation: u64,
    votes: u64,
    values: [u32; 64],
    result: (u64, u32),
}

impl Warp {
    pub fn new(lanes: u32) -> Self {
        Self {
            state: Mutex::new(State {
                arrived: 0,
                generation: 0,
                votes: 0,
                values: [0; 64],
                result: (0, 0),
            }),
            changed: Condvar::new(),
            active: u64::MAX >> (64 - lanes),
        }
    }

    /// Wait for all lanes of `mask`; what they voted, and what the lowest of them passed.
    fn meet(&self, mask: u64, lane: u32, vote: bool, value: u32) -> (u64, u32) {
        assert_eq!(mask, self.active, "lane {lane} passes a mask of its own");
        let mut state = self.state.lock().unwrap();
        let generation = state.generation;
        state.arrived |= 1 << lane;
        state.votes |= u64::from(vote) << lane;
        state.values[lane as usize] = value;
        if state.arrived == mask {
            state.result = (state.votes, state.values[mask.trailing_zeros() as usize]);
            (state.arrived, state.votes) = (0, 0);
            state.generation += 1;
            self.changed.notify_all();
        }
        while state.generation == generation {
            state = self.changed.wait(state).unwrap();
        }
        state.result
    }
}

/// One lane of a [`Warp`], or a thread on its own.
#[derive(Clone, Copy)]
pub struct Lane<'w> {
    pub warp: Option<&'w Warp>,
    pub lane: u32,
    pub home: u32,
}

impl Lanes for Lane<'_> {
    fn active(self) -> u64 {
        self.warp.map_or(1, |warp| warp.active)
    }

    fn lane(self) -> u32 {
        self.lane
    }

    fn broadcast(self, mask: u64, value: u32) -> u32 {
        self.warp
            .map_or(value, |warp| warp.meet(mask, self.lane, false, value).1)
    }

    fn ballot(self, mask: u64, value: bool) -> u64 {
        self.warp
            .map_or(value.into(), |warp| warp.meet(mask, self.lane, value, 0).0)
    }

    fn sync(self, mask: u64) {
        self.ballot(mask, false);
    }

    fn home(self) -> u32 {
        self.home
    }

    fn is_whole_warp(self, mask: u64) -> bool {
        mask == self.active()
    }

    fn pause(self) {
        std::thread::yield_now();
    }
}
