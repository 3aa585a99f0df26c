//! The shared library as other programs find and use it.

#[path = "common/library.rs"]
mod library;

use std::path::Path;
use std::process::Command;
use std::thread::sleep;
use std::time::{Duration, Instant};

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

/// Compiles a C program, without any header of CUDA's, and links it with the library.
fn compile(name: &str, folder: &Folder) -> Command {
    let program = folder.path().join(name);
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("tests/c/{name}.c"));
    let compiler = std::env::var("CC").unwrap_or_else(|_| "cc".into());
    let compiled = Command::new(compiler)
        .args(["-std=c11", "-Wall", "-Wextra", "-Werror", "-o"])
        .arg(&program)
        .arg(source)
        .arg("-L")
        .arg(folder.path())
        .args(["-lcuda", "-ldl", "-pthread"])
        .status()
        .expect("a C compiler is there: the linker of rustc is one");
    assert!(compiled.success());
    let mut program = Command::new(&program);
    program.env("LD_LIBRARY_PATH", folder.path());
    program
}

/// The library is found under both its names.
#[test]
fn a_c_program_runs() {
    let folder = Folder::of("c");
    let output = compile("program", &folder).output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    assert_eq!(
        String::from_utf8_lossy(&output.stdout),
        "1 device, sm_90\nsum is right\nboth names are one library\n"
    );
}

#[test]
fn what_is_not_there_is_named_once() {
    let folder = Folder::of("missing");
    let output = compile("missing", &folder).output().unwrap();
    assert!(output.status.success());
    assert_eq!(
        String::from_utf8_lossy(&output.stderr),
        "CUDA emulator: cuGraphCreate is not supported\nCUDA emulator: cuArrayCreate_v2 is not supported\n"
    );
}

/// However a process ends while a kernel runs that never ends itself: it ends, with its own code.
#[test]
fn a_process_ends_while_a_kernel_runs() {
    let folder = Folder::of("exit");
    for (way, code) in [("return", 3), ("exit", 4), ("close", 5), ("thread", 6)] {
        let mut program = compile("endless", &folder).arg(way).spawn().unwrap();
        let start = Instant::now();
        let status = loop {
            match program.try_wait().unwrap() {
                Some(status) => break status,
                None if start.elapsed() > Duration::from_secs(20) => {
                    program.kill().unwrap();
                    panic!("{way}: hangs");
                }
                None => sleep(Duration::from_millis(5)),
            }
        };
        assert_eq!(status.code(), Some(code), "{way}");
    }
}
