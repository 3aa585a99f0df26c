//! A GPU compiler from rustup: a nightly in a rustup home of its own, or one the user has.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use anyhow::{Context, Result, bail};

use super::{Toolchain, Way};
use crate::{exec, places};

/// The nightly that is fetched: the same LLVM as the Debian way, so that both emit alike. A fixed
/// date, because tomorrow's nightly is nobody's promise; `GPU_NIGHTLY` names another.
pub const NIGHTLY: &str = "nightly-2026-05-20";
const COMPONENTS: &str = "rust-src,llvm-tools";

fn nightly() -> String {
    std::env::var("GPU_NIGHTLY").unwrap_or_else(|_| NIGHTLY.to_owned())
}

/// Our own rustup home: what is fetched there is nobody else's toolchain.
fn home() -> PathBuf {
    places::gpu_toolchain().join("rustup")
}

/// A complete nightly of ours, or the same one in the user's rustup home.
pub fn present() -> Option<Toolchain> {
    let users = std::env::var_os("RUSTUP_HOME")
        .map(PathBuf::from)
        .or_else(|| std::env::var_os("HOME").map(|home| Path::new(&home).join(".rustup")));
    [Some(home()), users].into_iter().flatten().find_map(|home| find(&home))
}

fn find(home: &Path) -> Option<Toolchain> {
    let wanted = nightly();
    let root = fs::read_dir(home.join("toolchains"))
        .ok()?
        .filter_map(|entry| Some(entry.ok()?.path()))
        .find(|path| {
            let name = path.file_name().unwrap_or_default().to_string_lossy();
            name.strip_prefix(&wanted)
                .is_some_and(|rest| rest.is_empty() || rest.starts_with("-x86_64"))
        })?;
    let llvm_bin = root.join("lib/rustlib/x86_64-unknown-linux-gnu/bin");
    let sources = root.join("lib/rustlib/src/rust/library/core");
    (llvm_bin.join("llvm-link").exists() && sources.exists()).then(|| Toolchain {
        way: Way::Rustup,
        name: format!("rustup's {wanted} in {}", home.display()),
        rustc: root.join("bin/rustc"),
        sysroot: None,
        llvm_bin,
        libraries: Vec::new(),
    })
}

/// Fetches the nightly into our own rustup home.
pub fn install() -> Result<Toolchain> {
    let home = home();
    fs::create_dir_all(&home).with_context(|| format!("cannot make {}", home.display()))?;
    let name = nightly();
    eprintln!("Fetching {name} (200 MB, 900 MB on disk) into {}", home.display());
    let mut rustup = Command::new("rustup");
    rustup
        .args([
            "toolchain",
            "install",
            &name,
            "--profile",
            "minimal",
            "--no-self-update",
        ])
        .args(["--component", COMPONENTS])
        .env("RUSTUP_HOME", &home)
        .env_remove("RUSTUP_TOOLCHAIN")
        .stdin(Stdio::null());
    exec::capture(&mut rustup).context("rustup cannot fetch it")?;
    match find(&home) {
        Some(toolchain) => Ok(toolchain),
        None => bail!("rustup fetched {name} but its sources or LLVM tools are missing"),
    }
}
