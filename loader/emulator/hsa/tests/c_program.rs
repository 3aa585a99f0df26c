//! A C program against AMD's headers, linked with the emulator as if it were AMD's runtime.

mod common;

use std::env;
use std::fs;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};
use std::process::Command;

/// Where AMD's headers are, if they are: Debian's `libhsa-runtime-dev`, installed or unpacked
/// beside the GPU compiler.
fn headers() -> Option<PathBuf> {
    [
        common::toolchain().join("include"),
        "/usr/include".into(),
        "/opt/rocm/include".into(),
    ]
    .into_iter()
    .find(|folder| folder.join("hsa/hsa.h").exists())
}

/// A folder with the library under the runtime's names.
fn as_runtime(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    fs::create_dir_all(&folder).unwrap();
    for name in ["libhsa-runtime64.so.1", "libhsa-runtime64.so"] {
        let link = folder.join(name);
        let _ = fs::remove_file(&link);
        symlink(common::library(), link).unwrap();
    }
    folder
}

#[test]
fn lists_agents_pools_and_instruction_sets() {
    let Some(headers) = headers() else {
        eprintln!("skipped: no hsa/hsa.h; install libhsa-runtime-dev or run `cargo xtask setup`");
        return;
    };
    let folder = as_runtime("machine");
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/machine.c");
    let program = folder.join("machine");
    let built = Command::new("cc")
        .args(["-std=c11", "-Wall", "-Wextra", "-Werror", "-isystem"])
        .arg(headers)
        .arg(source)
        .arg("-o")
        .arg(&program)
        .arg("-L")
        .arg(&folder)
        .arg("-lhsa-runtime64")
        .status()
        .expect("a C compiler");
    assert!(built.success());
    let run = |mut command: Command| {
        let ran = command
            .env("LD_LIBRARY_PATH", &folder)
            .env("GPU_EMULATOR_HSA_ISA", "gfx90a,gfx1100,gfx1030")
            .env("ROCR_VISIBLE_DEVICES", "0,2")
            .output()
            .unwrap();
        assert_eq!(String::from_utf8_lossy(&ran.stderr), "");
        assert_eq!(String::from_utf8_lossy(&ran.stdout), include_str!("machine.expected"));
        assert!(ran.status.success());
    };
    run(Command::new(&program));
    // Once more, to see that all memory is used as it should be and given back.
    let Some(valgrind) = valgrind() else {
        eprintln!("not run under valgrind: it is not installed, and VALGRIND names none");
        return;
    };
    let mut command = Command::new(valgrind);
    command.args(["--quiet", "--leak-check=full", "--show-leak-kinds=definite"]);
    command.args(["--errors-for-leak-kinds=definite", "--error-exitcode=99"]);
    command.arg(&program);
    run(command);
}

fn valgrind() -> Option<PathBuf> {
    let path = env::var_os("PATH")?;
    let installed = env::split_paths(&path).map(|folder| folder.join("valgrind"));
    let named = env::var_os("VALGRIND").map(PathBuf::from);
    named.into_iter().chain(installed).find(|file| file.is_file())
}
