//! The shared library as other programs find and use it.

#[path = "common/library.rs"]
mod library;

use std::process::Command;

use emulator_cuda::symbols::SYMBOLS;
use libloading::os::unix::{Library, RTLD_NOW};
use library::Folder;

#[test]
fn every_name_is_exported() {
    let folder = Folder::of("exports");
    // SAFETY: our own library, whose initialisers do nothing.
    let library = unsafe { Library::open(Some(folder.path().join("libcuda.so")), RTLD_NOW) }.unwrap();
    let variants = SYMBOLS
        .iter()
        .flat_map(|symbol| symbol.variants.iter().chain(symbol.per_thread));
    let names: Vec<&str> = variants.map(|variant| variant.export).collect();
    for name in names.iter().chain(&["gpuEmulatorLastFault", "gpuEmulatorTellFaults"]) {
        // SAFETY: only looked up, never called.
        let found = unsafe { library.get::<*const ()>(name.as_bytes()) };
        assert!(found.is_ok(), "{name} is not exported");
    }
    assert!(names.len() > 700);
}

/// The C program is compiled without any header of CUDA's, linked with the library, and finds it
/// under its other name too.
#[test]
fn a_c_program_runs() {
    let folder = Folder::of("c");
    let program = folder.path().join("program");
    let source = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/c/program.c");
    let compiler = std::env::var("CC").unwrap_or_else(|_| "cc".into());
    let compiled = Command::new(compiler)
        .args(["-std=c11", "-Wall", "-Wextra", "-Werror", source, "-o"])
        .arg(&program)
        .arg("-L")
        .arg(folder.path())
        .args(["-lcuda", "-ldl"])
        .status()
        .expect("a C compiler is there: the linker of rustc is one");
    assert!(compiled.success());
    let output = Command::new(&program)
        .env("LD_LIBRARY_PATH", folder.path())
        .output()
        .unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    assert_eq!(
        String::from_utf8_lossy(&output.stdout),
        "1 device, sm_90\nsum is right\nboth names are one library\n"
    );
}
