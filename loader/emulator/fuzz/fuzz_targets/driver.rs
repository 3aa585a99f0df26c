//! Any sequence of calls of the driver's interface.
#![no_main]

#[path = "../../cuda/tests/chaos/mod.rs"]
mod chaos;

libfuzzer_sys::fuzz_target!(init: {
    // SAFETY: no other thread exists yet. Huge sizes must not become real memory.
    unsafe { std::env::set_var("GPU_EMULATOR_MEMORY", "64M") };
}, |choices: &[u8]| chaos::run_bytes(choices));
