//! The parts of the library that are C, compiled for this machine and tried beside its own C library.

use std::collections::HashSet;
use std::fs;
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
    for part in ["float", "format", "scan"] {
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

/// What a header declares and no program calls might as well not be there.
#[test]
fn every_function_of_the_headers_is_tried_by_a_program() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut programs = String::new();
    for folder in ["../../tests/programs", "../../examples/c"] {
        for entry in fs::read_dir(root.join(folder)).unwrap() {
            let path = entry.unwrap().path();
            if path
                .extension()
                .is_some_and(|extension| extension == "c" || extension == "cpp")
            {
                programs += &fs::read_to_string(path).unwrap();
            }
        }
    }
    let is_name = |byte: char| byte.is_ascii_alphanumeric() || byte == '_';
    let called: HashSet<&str> = programs.split(|byte| !is_name(byte)).collect();
    let mut untried = Vec::new();
    let mut count = 0;
    for entry in fs::read_dir(root.join("include")).unwrap() {
        let path = entry.unwrap().path();
        let text = fs::read_to_string(&path).unwrap_or_default();
        let is_declaration =
            |line: &&str| line.starts_with(|first: char| first.is_ascii_alphabetic()) && !line.starts_with("typedef");
        for line in text.lines().filter(is_declaration) {
            // The name stands before the first parenthesis, behind the type.
            let Some((before, _)) = line.split_once('(') else {
                continue;
            };
            let name = before.rsplit(|byte| !is_name(byte)).next().unwrap();
            // What is named like this is called by a macro.
            if !name.is_empty() && before.contains(' ') && !name.starts_with("__") {
                count += 1;
                if !called.contains(name) {
                    untried.push(format!("{}: {name}", path.display()));
                }
            }
        }
    }
    assert!(count > 100, "{count} functions found");
    assert_eq!(untried, [""; 0]);
}
