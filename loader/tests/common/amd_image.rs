//! An image for AMD in Rust's hands.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;

use loader::image::Image;

/// `say.c` for gfx90a, if the GPU toolchain's clang is there.
pub fn say() -> Option<Image> {
    // Built once: a linker takes the file away that another test is about to open.
    static SAY: OnceLock<Option<PathBuf>> = OnceLock::new();
    let image = SAY.get_or_init(build).as_ref()?;
    Some(Image::open(image).unwrap())
}

fn build() -> Option<PathBuf> {
    let workspace = Path::new(env!("CARGO_MANIFEST_DIR")).parent()?;
    let toolchain = std::env::var_os("GPU_TOOLCHAIN_DIR").map_or_else(
        || workspace.join("target/gpu-toolchain"),
        |folder| workspace.join(folder),
    );
    let libraries = toolchain.join("root/usr/lib");
    let clang = libraries.join("llvm-22/bin/clang-22");
    if !clang.exists() {
        eprintln!("skipped: no {}; run `cargo xtask setup`", clang.display());
        return None;
    }
    let image = Path::new(env!("CARGO_TARGET_TMPDIR")).join("say.gfx90a.hsaco");
    let folders = [libraries.join("x86_64-linux-gnu"), libraries.join("llvm-22/lib")];
    let built = Command::new(clang)
        .env("LD_LIBRARY_PATH", std::env::join_paths(folders).unwrap())
        .args([
            "--target=amdgcn-amd-amdhsa",
            "-mcpu=gfx90a",
            "-nogpulib",
            "-nostdlib",
            "-O1",
        ])
        .arg("-mcode-object-version=5")
        .arg("-o")
        .args([
            &image,
            &Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/common/say.c"),
        ])
        .output()
        .unwrap();
    assert!(built.status.success(), "{}", String::from_utf8_lossy(&built.stderr));
    Some(image)
}
