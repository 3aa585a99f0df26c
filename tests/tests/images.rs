//! What images must have in them, besides what running them shows.
//!
//! `GPU_IMAGES` is that of `programs`; without it there is nothing to look at.

use std::path::PathBuf;
use std::{env, fs};

/// The images for NVIDIA of a program, at every level.
fn ptx_of(program: &str) -> Vec<(PathBuf, String)> {
    let Some(folder) = env::var_os("GPU_IMAGES") else {
        return Vec::new();
    };
    let entries = fs::read_dir(&folder).expect("the folder with the images");
    let paths = entries.map(|entry| entry.expect("an entry").path());
    let is_wanted = |path: &PathBuf| {
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        name.starts_with(&format!("{program}.")) && name.ends_with(".ptx")
    };
    let images: Vec<_> = paths
        .filter(is_wanted)
        .map(|path| {
            let text = fs::read_to_string(&path).expect("PTX is text");
            (path, text)
        })
        .collect();
    assert!(!images.is_empty(), "no image of {program}");
    images
}

/// The benchmark compares with the driver's allocator, whose functions are named as two of ours.
#[test]
fn the_benchmark_allocates_by_cuda_itself() {
    for (path, ptx) in ptx_of("bench") {
        let declared = |name| {
            let lines = ptx.lines().filter(|line| line.starts_with(".extern .func"));
            lines.filter(|line| line.ends_with(&format!(" {name}"))).count()
        };
        assert_eq!((declared("malloc"), declared("free")), (1, 1), "{}", path.display());
        let (_, kernel) = ptx.split_once(".entry cuda_malloc_free(").expect("the kernel");
        assert!(kernel.contains(", malloc, "), "{}", path.display());
    }
}
