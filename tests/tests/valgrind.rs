//! The loader and the emulated HSA runtime under valgrind: no access out of bounds, nothing uninitialised used, nothing lost.
//!
//! Runs where `GPU_LOADER` and `GPU_IMAGES` say where loader and images are, as the other tests of device programs do, and where valgrind
//! is: installed, or where `VALGRIND` says.

use std::env;
use std::path::{Path, PathBuf};
use std::process::Command;

/// A program that allocates, formats and prints a line in each thread, for wavefronts of either size; and how it is launched.
const RUNS: &[(&str, &[&str], usize)] = &[
    ("alloc.gfx90a.hsaco", &["--threads", "3"], 3),
    ("alloc.gfx1030.hsaco", &["--blocks", "2"], 2),
];

fn valgrind() -> Option<PathBuf> {
    let path = env::var_os("PATH")?;
    let installed = env::split_paths(&path).map(|folder| folder.join("valgrind"));
    let named = env::var_os("VALGRIND").map(PathBuf::from);
    named.into_iter().chain(installed).find(|file| file.is_file())
}

#[test]
fn loader_and_hsa_runtime_are_clean() {
    let (Some(loader), Some(images)) = (env::var_os("GPU_LOADER"), env::var_os("GPU_IMAGES")) else {
        eprintln!("valgrind: nothing to run: GPU_LOADER and GPU_IMAGES are not set; `cargo xtask test e2e` sets them");
        return;
    };
    let Some(valgrind) = valgrind() else {
        eprintln!(
            "skipped: valgrind is not installed, and VALGRIND names none; `cargo xtask test e2e` fetches it where it can"
        );
        return;
    };
    let run = |image: &str, options: &[&str], lines: usize| {
        let output = Command::new(&valgrind)
            // What the C library keeps of threads that a process ends with looks "possibly lost" to valgrind.
            .args([
                "--quiet",
                "--fair-sched=yes",
                "--leak-check=full",
                "--show-leak-kinds=definite",
            ])
            .args(["--errors-for-leak-kinds=definite", "--error-exitcode=99"])
            .arg(&loader)
            .args(["--backend", "emulator"])
            .args(options)
            .arg(Path::new(&images).join(image))
            .output()
            .expect("valgrind starts");
        let (stdout, stderr) = (
            String::from_utf8_lossy(&output.stdout),
            String::from_utf8_lossy(&output.stderr),
        );
        assert!(
            output.status.success() && stderr.is_empty() && stdout.lines().count() == lines,
            "{image}: {}\n{stdout}{stderr}",
            output.status
        );
    };
    std::thread::scope(|scope| {
        for (image, options, lines) in RUNS {
            scope.spawn(|| run(image, options, *lines));
        }
    });
}
