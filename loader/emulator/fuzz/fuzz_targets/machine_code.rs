//! Any bytes as instructions of AMD's processors: decoded and run.
#![no_main]

#[path = "../../tests/hostile/bounded.rs"]
mod bounded;
#[path = "../../tests/hostile/machine.rs"]
mod machine;
#[path = "../../tests/machine_code/mod.rs"]
mod machine_code;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| machine::try_code(bytes));
