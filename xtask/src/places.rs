//! Where things lie. Everything that is built or fetched stays below `target/`.

use std::env;
use std::path::{Path, PathBuf};

/// The root of the workspace.
pub fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .parent()
        .expect("xtask lies in the workspace")
}

/// Cargo's target directory.
pub fn target() -> PathBuf {
    env::var_os("CARGO_TARGET_DIR").map_or_else(|| root().join("target"), |dir| root().join(dir))
}

/// Where GPU code is built: one cargo target directory per target, CPU and level, so that `core`
/// is compiled once for all packages. Several checkouts may share it.
pub fn gpu_target() -> PathBuf {
    env::var_os("GPU_TARGET_DIR").map_or_else(|| target().join("gpu"), |dir| root().join(dir))
}

/// Where finished images are put unless the user says otherwise.
pub fn images() -> PathBuf {
    target().join("images")
}

/// Where a fetched GPU compiler lives.
pub fn gpu_toolchain() -> PathBuf {
    env::var_os("GPU_TOOLCHAIN_DIR").map_or_else(|| target().join("gpu-toolchain"), |dir| root().join(dir))
}

/// The cargo that runs us, or the one on `PATH`.
pub fn cargo() -> PathBuf {
    env::var_os("CARGO").map_or_else(|| "cargo".into(), PathBuf::from)
}
