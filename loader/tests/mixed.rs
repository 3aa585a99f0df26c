//! Programs for NVIDIA and for AMD in one process, at the same time, each on several emulated devices.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use host_server::RecordingHost;
use loader::device::{LaunchShape, Vendor};
use loader::image::Image;
use loader::runtime::Backend;
use loader::{Ended, Options, Runtime};

#[path = "common/amd_image.rs"]
mod amd_image;
mod common;

fn source(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/common").join(name)
}

#[test]
fn both_vendors_several_devices_one_process() {
    let Some(amd) = amd_image::say() else { return };
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
