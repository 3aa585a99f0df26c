//! NVIDIA's own Python bindings of the CUDA driver API on the emulator: a client that nobody here wrote.

use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::Result;

use super::run::Runner;
use crate::toolchain::pip;
use crate::{exec, places, run};

/// What is installed, as pip is told: the bindings for CUDA 12 and 13.
const BINDINGS: &str = "cuda-bindings>=12.9,<14";

/// Runs the tests in `loader/emulator/cuda/tests/python`. Where Python or the bindings cannot be had, one line says so.
pub fn test(runner: &mut Runner) -> Result<()> {
    let python = match environment(&places::target().join("python")) {
        Ok(python) => python,
        Err(error) => {
            // The last line of what Python or pip said is what went wrong.
            let text = format!("{error:#}");
            let reason = text.lines().last().unwrap_or_default().trim();
            println!("python: skipped, as {BINDINGS} cannot be installed: {reason}");
            return Ok(());
        }
    };
    let loader = run::build_loader("release")?;
    let mut command = Command::new(python);
    command.arg(places::root().join("loader/emulator/cuda/tests/python/test_bindings.py"));
    // The bindings load `libcuda.so.1` as the linker finds it.
    runner.run(command.env("LD_LIBRARY_PATH", loader.with_file_name("emulator")))
}

/// A virtual environment with the bindings: its interpreter. Made once.
fn environment(folder: &Path) -> Result<PathBuf> {
    let python = folder.join("bin/python");
    let has_bindings = || exec::capture(Command::new(&python).args(["-c", "import cuda.bindings.driver"])).is_ok();
    if !(python.exists() && has_bindings()) {
        pip::install(&[BINDINGS], folder)?;
    }
    Ok(python)
}
