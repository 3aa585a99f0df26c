//! Sets `cfg(gpu)` where the crate is compiled for a GPU, so that only `arch` has to name the GPUs there are, and
//! `cfg(halves)` where AMD's wavefronts of 64 lanes run as two halves.

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rustc-check-cfg=cfg(gpu)");
    let arch = std::env::var("CARGO_CFG_TARGET_ARCH").unwrap_or_default();
    if matches!(arch.as_str(), "nvptx64" | "amdgpu") {
        println!("cargo::rustc-cfg=gpu");
    }
    println!("cargo::rustc-check-cfg=cfg(halves)");
    println!("cargo::rerun-if-env-changed=CARGO_ENCODED_RUSTFLAGS");
    // Only processors that can do both, GFX10 and newer, are told their width; rustc says no more of them here.
    let flags = std::env::var("CARGO_ENCODED_RUSTFLAGS").unwrap_or_default();
    if flags.contains("+wavefrontsize64") {
        println!("cargo::rustc-cfg=halves");
    }
}
