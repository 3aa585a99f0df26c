//! What the tests over the emulated drivers share.

use std::fs;
use std::os::unix::fs::symlink;
use std::path::PathBuf;
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
