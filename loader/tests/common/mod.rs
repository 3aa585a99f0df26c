//! What the tests over the emulated drivers share.

use std::fs;
use std::os::unix::fs::symlink;
use std::path::PathBuf;
use std::process::Child;
use std::sync::OnceLock;

/// A folder with the emulators under the drivers' names, as `GPU_EMULATOR_DIR` wants it. One for each test program, as these
/// run side by side.
pub fn emulator(test: &str) -> &'static PathBuf {
    static FOLDER: OnceLock<PathBuf> = OnceLock::new();
    FOLDER.get_or_init(|| {
        let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(format!("{test}-driver"));
        fs::create_dir_all(&folder).unwrap();
        let tests = std::env::current_exe().unwrap();
        for (built, driver) in [
            ("libemulator_cuda.so", "libcuda.so"),
            ("libemulator_hsa.so", "libhsa-runtime64.so.1"),
        ] {
            let library = tests.parent().unwrap().join(built);
            assert!(library.exists(), "{} was not built", library.display());
            let link = folder.join(driver);
            let _ = fs::remove_file(&link);
            symlink(library, link).unwrap();
        }
        folder
    })
}

/// Sends a signal to a process that is not waited for yet, without the program `kill`, which not every system has.
#[allow(dead_code, reason = "not all tests that share this file do")]
pub fn signal(process: &Child, number: i32) {
    // SAFETY: it touches no memory of ours, and nobody else has the number of a child that is not waited for.
    let status = unsafe { libc::kill(process.id().cast_signed(), number) };
    assert_eq!(status, 0, "{}", std::io::Error::last_os_error());
}
