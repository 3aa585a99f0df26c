//! The parts of the library that are C, compiled for this machine and tried beside its own C library.

use std::path::{Path, PathBuf};
use std::process::Command;

/// Compiles a source with all errors that the sanitizers find.
fn compile(source: &Path, object: &Path, more: &[&str]) {
    let mut compiler = Command::new("cc");
    compiler.args([
        "-std=gnu11",
        "-O1",
        "-g",
        "-w",
        "-fno-builtin",
        "-U_FORTIFY_SOURCE",
        "-fsanitize=undefined,address",
    ]);
    let status = compiler.args(more).arg(source).arg("-o").arg(object).status().unwrap();
    assert!(status.success(), "{compiler:?}: {status}");
}

#[test]
fn formats_and_scans_are_those_of_the_c_library() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let tests = root.join("tests/c_library");
    let out = PathBuf::from(env!("CARGO_TARGET_TMPDIR"));
    let names = tests.join("names.h").display().to_string();
    let mut more = Vec::new();
    for part in ["format", "scan"] {
        let object = out.join(format!("{part}.o"));
        compile(&root.join(format!("c/{part}.c")), &object, &["-c", "-include", &names]);
        more.push(object.display().to_string());
    }
    let program = out.join("c_library");
    let more: Vec<_> = more.iter().map(String::as_str).collect();
    compile(&tests.join("main.c"), &program, &more);
    let output = Command::new(&program).output().unwrap();
    assert!(
        output.status.success(),
        "{}: {}{}",
        output.status,
        String::from_utf8_lossy(&output.stdout),
        String::from_utf8_lossy(&output.stderr)
    );
}
