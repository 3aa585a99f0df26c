//! The end of the runtime, while others use it or start it anew.

mod common;

use std::thread;

use common::{Running, check};

/// What belongs to a runtime outlives the end of the one before, which may still be under way.
#[test]
fn one_that_ends_leaves_the_next_alone() {
    const THREADS: i64 = 4;
    const ROUNDS: i64 = 200;
    thread::scope(|scope| {
        for thread in 0..THREADS {
            scope.spawn(move || {
                for round in 0..ROUNDS {
                    let run = Running::new();
                    let signal = run.signal(round);
                    // SAFETY: the signal lives until it is destroyed.
                    unsafe {
                        run.0.hsa_signal_add_relaxed(signal, thread);
                        assert_eq!(run.0.hsa_signal_load_relaxed(signal), round + thread);
                        check(run.0.hsa_signal_destroy(signal));
                    }
                }
            });
        }
    });
}
