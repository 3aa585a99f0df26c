//! Any sequence of calls of the driver's interface.
#![no_main]

#[path = "../../cuda/tests/chaos/mod.rs"]
mod chaos;

/// Bytes that one call takes for its choices, on average.
const BYTES_PER_CALL: usize = 16;

libfuzzer_sys::fuzz_target!(init: {
    // SAFETY: no other thread exists yet. Huge sizes must not become real memory.
    unsafe { std::env::set_var("GPU_EMULATOR_MEMORY", "64M") };
}, |choices: &[u8]| {
    let mut rest = choices.chunks(4);
    let mut choose = || {
        let chunk = rest.next().unwrap_or_default();
        chunk.iter().fold(0, |number, &byte| number << 8 | u64::from(byte))
    };
    chaos::run(&mut choose, choices.len() / BYTES_PER_CALL);
});
