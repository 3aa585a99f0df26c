//! What is done with any text, here and by the fuzz target.

use std::sync::Arc;

use emulator::grid::Launch;
use emulator::memory::Memory;
use emulator::ptx::Module;

use crate::bounded::bounded;

/// Parses, loads and runs whatever the text holds.
pub fn try_all(text: &[u8]) {
    let Ok(module) = Module::parse(text) else { return };
    let memory = Arc::new(Memory::new(1 << 22));
    let Ok(module) = module.load(&memory) else { return };
    let kernels: Vec<String> = module.kernels().iter().map(|kernel| kernel.name.clone()).collect();
    for kernel in kernels {
        // Whether it faults is its own affair.
        bounded(Launch::new(1, 2), |launch| {
            _ = module.launch(&kernel, launch, &[0; 64]);
        });
    }
}
