//! Runs generated kernels with a warp of 32 lanes and prints what each computed, for comparison with a CPU.

#![no_std]

use device_rt::warp::Group;
use device_rt::{println, warp};

#[path = "kernels/floats.rs"]
mod floats;
#[path = "kernels/generated.rs"]
mod generated;
#[path = "kernels/state.rs"]
mod state;

use state::{LANES, State, Warp};

const ALL: u64 = (1 << LANES) - 1;

/// A warp as one of its lanes sees it.
struct Lane(State);

/// The lanes, which parts of kernels leave apart.
fn lanes(mask: u64) -> Group {
    // SAFETY: all lanes of the mask go through the same kernels, and to their end.
    unsafe { Group::new(mask) }
}

impl Warp for Lane {
    #[inline(always)]
    fn each(&mut self, part: impl Fn(&mut State)) {
        part(&mut self.0);
    }

    #[inline(always)]
    fn shuffle(&mut self, to: usize, from: usize, lane: usize) {
        self.0.u[to] = lanes(ALL).shuffle(self.0.u[from], self.0.u[lane] % LANES);
    }

    #[inline(always)]
    fn ballot(&mut self, to: usize, from: usize) {
        self.0.u[to] = lanes(ALL).ballot(self.0.u[from] & 1 == 1) as u32;
    }

    #[inline(always)]
    fn sum_among(&mut self, to: usize, from: usize, among: usize) {
        let takes_part = self.0.u[among] & 1 == 1;
        let mask = lanes(ALL).ballot(takes_part);
        if takes_part {
            self.0.w[to] = lanes(mask).reduce(self.0.w[from], u64::wrapping_add);
        }
        // Lanes of one mask after the other: the next may be the same.
        lanes(ALL).sync();
    }
}

/// One line for all lanes.
fn report(what: &str, number: usize, digest: u64) {
    let sum = lanes(ALL).reduce(digest, u64::wrapping_add);
    if warp::lane() == 0 {
        println!("{what} {number}: {sum:016x}");
    }
}

/// Each kernel gets a function of its own, or the register allocator would work on all of them at once.
macro_rules! run {
    ($($number:literal $kernel:ident)*) => {
        $({
            #[inline(never)]
            fn run() -> u64 {
                let mut lane = Lane(State::new($number, warp::lane()));
                generated::$kernel(&mut lane);
                lane.0.digest()
            }
            report("kernel", $number, run());
        })*
    };
}

#[device_rt::main]
fn main() {
    generated::for_each_kernel!(run);
    for (number, operation) in floats::OPERATIONS.iter().enumerate() {
        report("floats", number, operation(warp::lane()));
    }
}
