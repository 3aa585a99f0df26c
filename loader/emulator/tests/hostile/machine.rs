//! What is done with any machine code, here and by the fuzz target.

use emulator::amdgcn::target::Target;
use emulator::grid::Launch;

use crate::bounded::bounded;
use crate::machine_code;

/// Work-items, a part of a wavefront of 64 lanes and two wavefronts of 32.
const ITEMS: u32 = 40;

/// Runs bytes as code: the first chooses processor, width of a wavefront and order, the others are its instructions.
pub fn try_code(bytes: &[u8]) {
    let Some((&choice, code)) = bytes.split_first() else {
        return;
    };
    let target = Target::ALL[usize::from(choice) % Target::ALL.len()];
    let lanes = match target {
        Target::Gfx1030 | Target::Gfx1100 if choice & 4 == 0 => 32,
        _ => 64,
    };
    let mut settings = Launch::new(1, 1);
    settings.seed = (choice & 8 != 0).then_some(u64::from(choice >> 4));
    let words: Vec<u32> = code
        .as_chunks()
        .0
        .iter()
        .map(|word| u32::from_le_bytes(*word))
        .collect();
    // Whether it faults is its own affair.
    bounded(settings, |launch| {
        _ = machine_code::run(target, &words, lanes, launch, ITEMS);
    });
}
