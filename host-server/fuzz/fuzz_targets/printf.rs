//! Hostile devices that use the opcodes of the family `printf`.
#![no_main]

#[path = "../../tests/peer/mod.rs"]
mod peer;

libfuzzer_sys::fuzz_target!(|choices: &[u8]| peer::chaos::run_family("printf", choices));
