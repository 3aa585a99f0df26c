//! Random calls, and those that the fuzzer of `fuzz/` has kept, with random handles, addresses and sizes: errors, but never a crash or a hang.
//!
//! A failing run prints its seed; `GPU_EMULATOR_FUZZ_SEED` repeats it.

mod chaos;
#[path = "../../tests/hostile/corpus.rs"]
mod corpus;

use std::sync::mpsc::channel;
use std::thread;
use std::time::Duration;

/// xorshift64*
fn xorshift(seed: u64) -> impl FnMut() -> u64 {
    let mut state = seed | 1;
    move || {
        state ^= state >> 12;
        state ^= state << 25;
        state ^= state >> 27;
        state.wrapping_mul(0x2545_f491_4f6c_dd1d) >> 8
    }
}

#[test]
fn random_calls_never_crash() {
    // SAFETY: before any other thread of this test exists. Huge sizes must not become real memory.
    unsafe { std::env::set_var("GPU_EMULATOR_MEMORY", "64M") };
    for choices in corpus::inputs(include_str!("corpus/driver")) {
        chaos::run_bytes(&choices);
    }
    let given = std::env::var("GPU_EMULATOR_FUZZ_SEED")
        .ok()
        .map(|seed| seed.parse().unwrap());
    let seeds: Vec<u64> = given.map_or((1..=4).map(|n| n * 7919).collect(), |seed| vec![seed]);
    let (done, finished) = channel();
    // Side by side: what one destroys, another may be using.
    for seed in seeds.clone() {
        let done = done.clone();
        thread::spawn(move || {
            let passed = chaos::run(&mut xorshift(seed), 20_000);
            done.send((seed, passed)).unwrap();
        });
    }
    drop(done);
    for _ in &seeds {
        let answer = finished.recv_timeout(Duration::from_secs(120));
        let (seed, passed) = answer.unwrap_or_else(|_| panic!("one of the seeds {seeds:?} crashed or hangs"));
        assert!(
            passed > 1000,
            "seed {seed}: only {passed} calls succeeded, the test has lost its grip"
        );
    }
}
