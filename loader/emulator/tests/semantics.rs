//! Runs the table of PTX semantics tests on the emulator and compares it with what an H200 gave.
//!
//! `cargo run -p emulator --example ptx_semantics -- record FILE` makes the file on a machine with a device.

use std::path::Path;
use std::sync::Arc;

use emulator::grid::Launch;
use emulator::memory::{Kind, Memory};
use emulator::ptx::Module;

#[path = "semantics/recorded.rs"]
#[allow(dead_code, reason = "shared with the program that records")]
mod recorded;
#[path = "semantics/table.rs"]
mod table;

fn run(case: &table::Case) -> Result<recorded::Output, String> {
    let memory = Arc::new(Memory::new(1 << 24));
    let module = Module::parse(case.module().as_bytes()).map_err(|d| format!("{}: {d:?}", case.name))?;
    let module = module
        .load(&memory)
        .map_err(|error| format!("{}: {error}", case.name))?;
    let inputs = case.inputs();
    let words: Vec<u8> = inputs.iter().flatten().flat_map(|word| word.to_le_bytes()).collect();
    let input = memory.alloc(Kind::Device, words.len() as u64, 16, "").unwrap();
    memory.write(input, &words).unwrap();
    let size = inputs.len() * 16;
    let output = memory.alloc(Kind::Device, size as u64, 16, "").unwrap();
    let mut params = [input.to_le_bytes(), output.to_le_bytes()].concat();
    params.extend((inputs.len() as u32).to_le_bytes());
    let launch = Launch::new((inputs.len() as u32).div_ceil(128), 128);
    module
        .launch("run", &launch, &params)
        .map_err(|fault| format!("{}: {fault}", case.name))?;
    let mut bytes = vec![0; size];
    memory.read(output, &mut bytes).unwrap();
    let word = |at: usize| u64::from_le_bytes(bytes[at..at + 8].try_into().unwrap());
    Ok((0..inputs.len())
        .map(|row| (word(16 * row), word(16 * row + 8) != 0))
        .collect())
}

#[test]
fn every_instruction_gives_what_the_device_gave() {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/semantics/h200.txt");
    let text = std::fs::read_to_string(file).unwrap_or_default();
    let recorded = recorded::read(&text);
    let mut wrong = Vec::new();
    for case in table::table() {
        match (run(&case), recorded.get(case.name.as_str())) {
            (Err(error), _) => wrong.push(error),
            (Ok(seen), Some(recorded)) => wrong.extend(recorded::differences(&case, recorded, &seen)),
            (Ok(_), None) => {}
        }
    }
    assert!(wrong.is_empty(), "{} differences:\n{}", wrong.len(), wrong.join("\n"));
}
