//! Programs and libraries from Python's package index, each set in an environment of its own.

use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::Result;

use crate::exec;

/// Installs packages, as pip is told, into a folder; returns the folder of their programs.
pub fn install(packages: &[&str], folder: &Path) -> Result<PathBuf> {
    let programs = folder.join("bin");
    exec::capture(Command::new("python3").args(["-m", "venv", "--clear"]).arg(folder))?;
    let mut install = Command::new(programs.join("python"));
    install.args(["-m", "pip", "install", "--quiet", "--disable-pip-version-check"]);
    exec::capture(install.args(["--timeout", "20", "--retries", "1"]).args(packages))?;
    Ok(programs)
}
