//! Programs for NVIDIA and for AMD in one process, at the same time, each on several emulated devices.
#![allow(missing_docs)]

use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Arc;

use host_server::RecordingHost;
use loader::device::{LaunchShape, Vendor};
use loader::image::Image;
use loader::runtime::Backend;
use loader::{Ended, Options, Runtime};

mod common;

fn source(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/common").join(name)
}

/// An image for AMD, if the GPU toolchain's clang is there.
fn amd_image() -> Option<Image> {
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
        .args([&image, &source("say.c")])
        .output()
        .unwrap();
    assert!(built.status.success(), "{}", String::from_utf8_lossy(&built.stderr));
    Some(Image::open(&image).unwrap())
}

#[test]
fn both_vendors_several_devices_one_process() {
    let Some(amd) = amd_image() else { return };
    // SAFETY: the only test of its process; no other thread runs.
    unsafe {
        std::env::set_var("GPU_EMULATOR_DIR", common::emulator("mixed"));
        std::env::set_var("GPU_EMULATOR_DEVICES", "2");
        std::env::set_var("GPU_EMULATOR_HSA_ISA", "gfx90a,gfx90a");
        std::env::set_var("GPU_EMULATOR_MEMORY", "256M");
    }
    let nvidia = Image::open(&source("say.ptx")).unwrap();
    let images = [(&nvidia, Vendor::Nvidia), (&amd, Vendor::Amd)];
    for (image, _) in images {
        assert_eq!(Runtime::count(image, Backend::Emulator), Ok(2));
    }
    std::thread::scope(|scope| {
        for (image, vendor) in images {
            for device in 0..2 {
                scope.spawn(move || {
                    let runtime = Runtime::open(image, Backend::Emulator, device).unwrap();
                    let properties = runtime.device.properties();
                    assert_eq!((properties.vendor, properties.ordinal), (vendor, device));
                    // Attached and detached while the others run.
                    for round in 0..5 {
                        let host = Arc::new(RecordingHost::default());
                        let options = Options {
                            host: host.clone(),
                            heap_bytes: 1 << 20,
                            ..Options::default()
                        };
                        let program = runtime.load(image, options).unwrap();
                        let text = format!("{vendor:?} {device} {round} =0");
                        let ended = program.run(&["say"], &[&text], LaunchShape::SINGLE).unwrap();
                        assert_eq!(ended, Ended::Returned(1));
                        assert_eq!(host.seen().stdout, format!("{text}\n").as_bytes());
                    }
                });
            }
        }
    });
}
