//! Any bytes as PTX: parsed, loaded and run.
#![no_main]

#[path = "../../tests/hostile/attempt.rs"]
mod attempt;
#[path = "../../tests/hostile/bounded.rs"]
mod bounded;

libfuzzer_sys::fuzz_target!(|text: &[u8]| attempt::try_all(text));
