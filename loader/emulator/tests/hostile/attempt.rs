//! What is done with any text, here and by the fuzz target.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use emulator::grid::Launch;
use emulator::memory::Memory;
use emulator::ptx::Module;

/// Looks at a kernel in steps of this, and stops it after so many: a mutated loop may have no end.
const STEP: Duration = Duration::from_millis(2);
const STEPS: u32 = 50;

/// Parses, loads and runs whatever the text holds.
pub fn try_all(text: &[u8]) {
    let Ok(module) = Module::parse(text) else { return };
    let memory = Arc::new(Memory::new(1 << 22));
    let Ok(module) = module.load(&memory) else { return };
    let kernels: Vec<String> = module.kernels().iter().map(|kernel| kernel.name.clone()).collect();
    for kernel in kernels {
        let mut launch = Launch::new(1, 2);
        launch.output = Some(Arc::new(|_: &[u8]| {}));
        let cancel = launch.cancel.clone();
        std::thread::scope(|scope| {
            let done = Arc::new(AtomicBool::new(false));
            let seen = done.clone();
            scope.spawn(move || {
                for _ in 0..STEPS {
                    if seen.load(Ordering::SeqCst) {
                        return;
                    }
                    std::thread::sleep(STEP);
                }
                cancel.store(true, Ordering::SeqCst);
            });
            // Whether it faults is its own affair.
            let _ = module.launch(&kernel, &launch, &[0; 64]);
            done.store(true, Ordering::SeqCst);
        });
    }
}
