//! What images must have in them, besides what running them shows.
//!
//! `GPU_LOADER`, `GPU_IMAGES` and `GPU_BACKEND` are those of `programs`; without them there is nothing to look at.

use std::path::PathBuf;
use std::process::Command;
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

/// `llvm-gpu-loader` gives 3 KiB of stack, and demands these of every image for NVIDIA. They are looked at before `ptxas` makes them ELF
/// files, so that no CUDA toolkit is needed.
#[test]
fn images_for_llvms_loader_have_what_it_demands() {
    const OBJECTS: [&str; 5] = [
        "__llvm_rpc_client",
        "__init_array_start",
        "__init_array_end",
        "__fini_array_start",
        "__fini_array_end",
    ];
    const KERNELS: [&str; 3] = ["_begin", "_start", "_end"];

    let (Some(loader), Some(folder)) = (env::var_os("GPU_LOADER"), env::var_os("GPU_IMAGES")) else {
        return;
    };
    let backend = env::var("GPU_BACKEND").unwrap_or_else(|_| "auto".into());
    for (program, argument, code) in [("hello", "one", 127), ("no_calls", "", 5), ("panics", "one", 101)] {
        let path = PathBuf::from(&folder).join(format!("llvm-loader/{program}.ptx"));
        let ptx = fs::read_to_string(&path).expect("an image");
        let starts = |start: &str, name: &str, open: char| {
            let mut lines = ptx.lines().filter(|line| line.starts_with(start));
            lines.any(|line| line.contains(&format!(" {name}{open}")))
        };
        for object in OBJECTS {
            assert!(starts(".visible .global", object, '['), "{program} lacks {object}");
        }
        for kernel in KERNELS {
            assert!(starts(".visible .entry", kernel, '('), "{program} lacks {kernel}");
        }
        let output = Command::new(&loader)
            .args([
                "--backend",
                &backend,
                "--stack-size",
                "3K",
                "--threads",
                "40",
                "--timeout",
                "60",
            ])
            .arg(&path)
            .arg(argument)
            .output()
            .expect("the loader");
        assert_eq!(output.status.code(), Some(code), "{program}: {output:?}");
    }
}
