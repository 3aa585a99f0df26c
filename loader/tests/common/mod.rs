//! What the tests over the emulated CUDA driver share.

use std::fs;
use std::os::unix::fs::symlink;
use std::path::PathBuf;
use std::sync::OnceLock;

// The emulator is loaded as a shared library; this makes cargo build it.
use emulator_cuda as _;

/// A folder with the emulator under a driver's name, as `GPU_EMULATOR_DIR` wants it. One for each test program, as these
/// run side by side.
pub fn emulator(test: &str) -> &'static PathBuf {
    static FOLDER: OnceLock<PathBuf> = OnceLock::new();
    FOLDER.get_or_init(|| {
        let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(format!("{test}-driver"));
        fs::create_dir_all(&folder).unwrap();
        let tests = std::env::current_exe().unwrap();
        let library = tests.parent().unwrap().join("libemulator_cuda.so");
        assert!(library.exists(), "{} was not built", library.display());
        let link = folder.join("libcuda.so");
        let _ = fs::remove_file(&link);
        symlink(library, link).unwrap();
        folder
    })
}
