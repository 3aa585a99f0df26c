//! The signals that the loader takes of an HSA runtime it gives back.

#[path = "common/amd_image.rs"]
mod amd_image;
mod common;

use std::ptr;
use std::sync::Arc;

use host_server::RecordingHost;
use hsa_sys::{HSA_STATUS_SUCCESS, Hsa, hsa_signal_t};
use loader::device::LaunchShape;
use loader::runtime::Backend;
use loader::{Ended, Options, Program, Runtime};

/// Bytes of a signal: `amd_signal_t`.
const SIGNAL: u64 = 64;

/// Signals that the emulator keeps unused before it hands them out again, and a few that live.
const SPARE: u64 = 64 + 36;

fn new_signal(hsa: &Hsa) -> u64 {
    let mut signal = hsa_signal_t { handle: 0 };
    // SAFETY: the answer has room; nobody consumes the signal.
    let status = unsafe { hsa.hsa_signal_create(1, 0, ptr::null(), &mut signal) };
    assert_eq!(status, HSA_STATUS_SUCCESS);
    signal.handle
}

#[test]
fn launches_and_devices_free_their_signals() {
    let Some(image) = amd_image::say() else { return };
    let folder = common::emulator("signals");
    // SAFETY: the only test of its process; no other thread runs.
    unsafe { std::env::set_var("GPU_EMULATOR_DIR", folder) };
    // SAFETY: the emulated runtime, which the loader opens by the same name.
    let hsa = unsafe { Hsa::open(&folder.join("libhsa-runtime64.so.1")) }.unwrap();
    // SAFETY: has no conditions.
    assert_eq!(unsafe { hsa.hsa_init() }, HSA_STATUS_SUCCESS);
    let first = new_signal(&hsa);
    let run = |program: &Program| {
        let ended = program.run(&["say"], &["=0"], LaunchShape::SINGLE).unwrap();
        assert_eq!(ended, Ended::Returned(1));
    };
    let load = || {
        let runtime = Runtime::open(&image, Backend::Emulator, 0).unwrap();
        let host = Arc::new(RecordingHost::default());
        let options = Options {
            host,
            ..Options::default()
        };
        runtime.load(&image, options).unwrap()
    };
    // Many launches of one program, then many programs.
    let program = load();
    (0..2 * SPARE).for_each(|_| run(&program));
    (0..2 * SPARE).for_each(|_| run(&load()));
    let last = (0..SPARE).map(|_| new_signal(&hsa)).max().unwrap();
    assert!(
        (last - first) / SIGNAL < 2 * SPARE,
        "{} signals were taken",
        (last - first) / SIGNAL
    );
}
