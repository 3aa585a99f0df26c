//! Sets `cfg(gpu)` where the crate is compiled for a GPU, so that only `arch` has to name the GPUs there are.

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rustc-check-cfg=cfg(gpu)");
    let arch = std::env::var("CARGO_CFG_TARGET_ARCH").unwrap_or_default();
    if matches!(arch.as_str(), "nvptx64" | "amdgpu") {
        println!("cargo::rustc-cfg=gpu");
    }
}
