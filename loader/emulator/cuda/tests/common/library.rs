//! The shared library that cargo built beside the tests, in a folder under the names of a driver.

use std::fs;
use std::path::{Path, PathBuf};

/// A folder with `libcuda.so` and `libcuda.so.1`, two names of one file; removed at the end.
pub struct Folder(PathBuf);

impl Folder {
    /// The folder of one test: tests run side by side, and a loaded file must not be replaced.
    pub fn of(test: &str) -> Folder {
        let program = std::env::current_exe().expect("a test knows where it is");
        let built = program.with_file_name("libemulator_cuda.so");
        let folder = program.with_file_name(format!("emulator-{test}-{}", std::process::id()));
        fs::create_dir_all(&folder).expect("the target folder can be written");
        for name in ["libcuda.so", "libcuda.so.1"] {
            let path = folder.join(name);
            let _ = fs::remove_file(&path);
            fs::hard_link(&built, &path).expect("cargo builds the shared library with the tests");
        }
        Folder(folder)
    }

    pub fn path(&self) -> &Path {
        &self.0
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}
