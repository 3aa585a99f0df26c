//! Programs of Debian's packages that are unpacked where the system lacks them.

use std::fs;
use std::path::PathBuf;

use anyhow::{Context, Result};

use super::{debian, installed, write_executable};
use crate::places;

/// One such program.
pub struct Tool {
    /// How it is called.
    pub name: &'static str,
    /// What it consists of.
    pub packages: &'static [&'static str],
    /// What a line says that is fetched.
    pub about: &'static str,
    /// A script that runs the unpacked program, which was built to be in `/usr`; the packages are in `root` beside it.
    pub wrapper: &'static str,
}

impl Tool {
    /// The system's own, or the unpacked one, which is fetched where it is missing.
    pub fn provide(&self) -> Result<PathBuf> {
        if let Some(found) = installed(self.name) {
            return Ok(found);
        }
        let folder = places::gpu_toolchain().join(self.name);
        let wrapper = folder.join(self.name);
        if !wrapper.exists() {
            eprintln!("Fetching {}", self.about);
            debian::fetch(self.packages, &folder.join("root"))?;
            write_executable(&wrapper, self.wrapper)?;
        }
        fs::canonicalize(&wrapper).with_context(|| format!("cannot find {}", wrapper.display()))
    }
}
