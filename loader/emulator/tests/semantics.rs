//! Runs the table of PTX semantics tests on the emulator and compares it with what an H200 gave.
//!
//! The example `ptx_semantics` makes the file on a machine with a device; `cargo xtask dist` packs it, and `run-all.sh semantics`
//! there runs it.

use std::collections::{BTreeSet, HashSet};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::{env, fs};

use emulator::fault::{Fault, FaultKind};
use emulator::grid::Launch;
use emulator::memory::{Kind, Memory};
use emulator::ptx::Module;

#[path = "semantics/probes.rs"]
mod probes;
#[path = "semantics/recorded.rs"]
#[allow(dead_code, reason = "shared with the program that records")]
mod recorded;
#[path = "semantics/table/mod.rs"]
mod table;

use recorded::Recording;

fn recordings() -> String {
    semantics("h200.txt")
}

fn semantics(file: &str) -> String {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/semantics").join(file);
    fs::read_to_string(&file).unwrap_or_else(|error| panic!("{}: {error}", file.display()))
}

fn run(case: &table::Case) -> Recording {
    match rows(case) {
        Ok(rows) => Recording::Rows(rows),
        Err(error) => Recording::Refused(error),
    }
}

fn rows(case: &table::Case) -> Result<recorded::Output, String> {
    let memory = Arc::new(Memory::new(1 << 24));
    let module = Module::parse(table::module([case]).as_bytes()).map_err(|d| format!("{d:?}"))?;
    let module = module.load(&memory).map_err(|error| error.to_string())?;
    let inputs = case.inputs();
    let words: Vec<u8> = inputs.iter().flatten().flat_map(|word| word.to_le_bytes()).collect();
    let input = memory.alloc(Kind::Device, words.len() as u64, 16, "").unwrap();
    memory.write(input, &words).unwrap();
    let size = inputs.len() * 16;
    let output = memory.alloc(Kind::Device, size as u64, 16, "").unwrap();
    let mut params = [input.to_le_bytes(), output.to_le_bytes()].concat();
    params.extend((inputs.len() as u32).to_le_bytes());
    let launch = Launch::new((inputs.len() as u32).div_ceil(table::THREADS), table::THREADS);
    module
        .launch("k0", &launch, &params)
        .map_err(|fault| fault.to_string())?;
    let mut bytes = vec![0; size];
    memory.read(output, &mut bytes).unwrap();
    let word = |at: usize| u64::from_le_bytes(bytes[at..at + 8].try_into().unwrap());
    Ok((0..inputs.len())
        .map(|row| (word(16 * row), word(16 * row + 8) != 0))
        .collect())
}

#[test]
fn every_instruction_gives_what_the_device_gave() {
    let text = recordings();
    let recorded = recorded::read(&text);
    let mut wrong = Vec::new();
    for case in table::table() {
        match recorded.get(case.name.as_str()) {
            Some(recorded) => wrong.extend(recorded::differences(&case, recorded, &run(&case))),
            None => wrong.push(format!("{}: no recording", case.name)),
        }
    }
    assert!(wrong.is_empty(), "{} differences:\n{}", wrong.len(), wrong.join("\n"));
}

#[test]
fn the_recordings_are_those_of_the_table() {
    let table = table::table();
    let mut names = HashSet::new();
    let twice: Vec<_> = table.iter().filter(|case| !names.insert(case.name.as_str())).collect();
    assert!(twice.is_empty(), "two cases have the same name: {twice:?}");
    let text = recordings();
    let recorded = recorded::read(&text);
    let stale: BTreeSet<_> = recorded.keys().filter(|name| !names.contains(*name)).collect();
    assert!(stale.is_empty(), "recorded, but not in the table: {stale:?}");
}

/// Opcode and modifiers of each instruction of a text.
fn instructions(text: &str) -> impl Iterator<Item = &str> {
    text.lines().filter_map(|line| {
        let line = line.split("//").next().unwrap_or_default().trim();
        let line = line.strip_suffix(';')?;
        let mut words = line.split_whitespace();
        let first = words.next()?;
        let opcode = if first.starts_with('@') { words.next()? } else { first };
        let is_opcode = opcode.starts_with(|c: char| c.is_ascii_lowercase()) && !opcode.contains(['(', '_', ',', '%']);
        // Some orders have an underscore in their names.
        let is_opcode = is_opcode || opcode.contains("acq_rel");
        let opcode = opcode.trim_end_matches(';');
        (is_opcode && !line.contains(".callprototype") && !line.contains(".branchtargets")).then_some(opcode)
    })
}

/// What compilers emit has a case, qualifiers included. `GPU_IMAGES` is the folder with the images; without it there is
/// nothing to look at.
#[test]
fn every_instruction_of_the_images_is_in_the_table() {
    let Some(folder) = env::var_os("GPU_IMAGES").map(PathBuf::from) else {
        return;
    };
    let all = table::module(&table::table());
    let mut known: HashSet<&str> = instructions(&all).collect();
    // These end a kernel; `faults.rs` has them.
    known.extend(["trap", "brkpt"]);
    let mut missing = BTreeSet::new();
    let mut images = 0;
    for entry in fs::read_dir(&folder).unwrap() {
        let path = entry.unwrap().path();
        if path.extension().is_some_and(|extension| extension == "ptx") {
            let text = fs::read_to_string(&path).unwrap();
            missing.extend(instructions(&text).filter(|i| !known.contains(i)).map(str::to_owned));
            images += 1;
        }
    }
    assert!(images > 0, "{} has no PTX", folder.display());
    assert!(missing.is_empty(), "no case for {missing:?}");
}

/// What a probe comes to here: how it ends, and the word of each lane.
fn probe(probe: &probes::Probe) -> (Result<(), Box<Fault>>, String) {
    let memory = Arc::new(Memory::new(1 << 24));
    let module = Module::parse(probe.module().as_bytes()).unwrap_or_else(|why| panic!("{}: {why:?}", probe.name));
    let module = module.load(&memory).unwrap();
    let out = memory.alloc(Kind::Pinned, 256, 16, "").unwrap();
    let untouched: Vec<u8> = (0..64).flat_map(|_| probes::UNTOUCHED.to_le_bytes()).collect();
    memory.write(out, &untouched).unwrap();
    let end = module
        .launch("probe", &Launch::new(1, 32), &out.to_le_bytes())
        .map(drop);
    let mut bytes = [0; 256];
    memory.read(out, &mut bytes).unwrap();
    let word = |lane: &[u8]| match u32::from_le_bytes(lane[4..].try_into().unwrap()) {
        probes::UNTOUCHED => "-".to_owned(),
        word => format!("{word:x}"),
    };
    (end, bytes.chunks_exact(8).map(word).collect::<Vec<_>>().join(" "))
}

/// Probes in which the emulator finds a fault. Where the device's kernel hangs or fails, there must be one; the others do
/// what the PTX ISA leaves undefined, and the device lets them pass.
const FAULTS: &[(&str, FaultKind)] = &[
    // Lanes wait for those who name the same mask (PTX ISA, bar.warp.sync).
    ("sync nested, upper late", FaultKind::MissingLane),
    ("sync nested, lower late", FaultKind::MissingLane),
    ("sync overlapping, upper late", FaultKind::MissingLane),
    ("sync chain of three", FaultKind::MissingLane),
    // Of the operations on masks only this one is not said to leave out lanes that have exited.
    ("sync with the exited", FaultKind::MissingLane),
    ("sync with some who exit later", FaultKind::MissingLane),
    // A mask must name the lane that gives it, and all its lanes must execute one operation.
    ("sync without oneself", FaultKind::MissingLane),
    ("shfl without oneself", FaultKind::MissingLane),
    ("vote without oneself", FaultKind::MissingLane),
    ("sync meets shfl", FaultKind::MissingLane),
    ("sync meets vote", FaultKind::MissingLane),
    ("shfl meets vote", FaultKind::MissingLane),
    ("shfl.idx meets shfl.down", FaultKind::MissingLane),
    ("vote.any meets vote.ballot", FaultKind::MissingLane),
    ("fault null", FaultKind::NullPointer),
    ("fault wild", FaultKind::OutOfBounds),
    ("fault misaligned", FaultKind::Misaligned),
    ("fault shared", FaultKind::OutsideShared),
    ("fault trap", FaultKind::Trap),
    ("fault breakpoint", FaultKind::Breakpoint),
    ("fault assertion", FaultKind::Assert),
    ("fault stack overflow", FaultKind::StackOverflow),
    // bar is barrier.aligned: one instruction for all lanes of a warp.
    ("barrier at two places", FaultKind::DivergentBarrier),
    ("two barriers", FaultKind::DivergentBarrier),
];

#[test]
fn probes_end_as_on_the_device_or_are_told() {
    let text = semantics("probes.txt");
    let lines: Vec<&str> = text.lines().filter(|line| !line.starts_with('#')).collect();
    assert_eq!(lines.len(), 2 * probes::PROBES.len());
    for (recorded, asked) in lines.chunks_exact(2).zip(probes::PROBES) {
        let name = asked.name;
        let end = recorded[0].strip_prefix(name).and_then(|rest| rest.strip_prefix(": "));
        let end = end.unwrap_or_else(|| panic!("{name}: recorded is {}", recorded[0]));
        if let Some((_, kind)) = FAULTS.iter().find(|fault| fault.0 == name) {
            let fault = probe(asked).0.expect_err(name);
            assert_eq!(fault.kind, *kind, "{name}: {fault}");
            continue;
        }
        assert_eq!(end, "done", "{name}: a fault must be found");
        let expected = recorded[1];
        // Who comes a millisecond late on an idle device may be in time on a busy host.
        let mut seen = String::new();
        let same = (0..20).any(|_| {
            let (end, words) = probe(asked);
            end.unwrap_or_else(|fault| panic!("{name}: {fault}"));
            seen = words;
            seen == expected
        });
        assert!(same, "{name}: recorded {expected}, seen {seen}");
    }
}
