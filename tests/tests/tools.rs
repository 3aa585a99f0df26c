//! What `cargo xtask` makes for others: images of a crate outside this workspace, and the folder for a GPU machine without Rust.
//!
//! `GPU_XTASK` is the program xtask, `GPU_BACKEND` what runs the images; without the first there is nothing to run.

use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::{env, fs};

/// xtask, as cargo runs it.
fn xtask() -> Option<Command> {
    let mut command = Command::new(env::var_os("GPU_XTASK")?);
    command.current_dir(root());
    // What cargo tells the tests of this package is nothing for the builds of others.
    for (name, _) in env::vars_os() {
        let name = name.to_string_lossy();
        if name.starts_with("CARGO_PKG_") || name.starts_with("CARGO_MANIFEST_") {
            command.env_remove(&*name);
        }
    }
    Some(command)
}

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("the repository")
}

fn backend() -> String {
    env::var("GPU_BACKEND").unwrap_or_else(|_| "auto".into())
}

/// A new folder for this test, outside the workspace.
fn folder(name: &str) -> PathBuf {
    let folder = env::temp_dir().join(format!("gpu-{name}-{}", std::process::id()));
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).expect("a folder");
    folder
}

fn text(output: &Output) -> String {
    [&output.stdout, &output.stderr]
        .map(|bytes| String::from_utf8_lossy(bytes))
        .concat()
}

/// As the README has it: a crate with `crate-type = ["cdylib"]` that depends on `device-rt`.
#[test]
fn a_crate_outside_the_workspace_is_built_and_run() {
    let (Some(mut build), Some(mut run)) = (xtask(), xtask()) else {
        return;
    };
    let folder = folder("outside");
    let manifest = format!(
        "[package]\nname = \"outsider\"\nversion = \"1.0.0\"\nedition = \"2024\"\n\n[lib]\ncrate-type = [\"cdylib\"]\n\n\
         [dependencies]\ndevice-rt = {{ path = {:?} }}\n",
        root().join("device-rt")
    );
    let source = "#![no_std]\n\nuse device_rt::{env, println, thread};\n\n#[device_rt::main]\nfn main() -> i32 {\n    \
                  println!(\"{:?} {}\", env::args().nth(1), thread::count());\n    42\n}\n";
    fs::create_dir(folder.join("src")).expect("a folder");
    fs::write(folder.join("Cargo.toml"), manifest).expect("a file");
    fs::write(folder.join("src/lib.rs"), source).expect("a file");
    // The versions that are here already, so that nothing has to be fetched.
    fs::copy(root().join("Cargo.lock"), folder.join("Cargo.lock")).expect("a file");

    let build = build
        .arg("build-gpu")
        .arg("--manifest-path")
        .arg(&folder)
        .arg("--out")
        .arg(&folder);
    let output = build.output().expect("it can be started");
    assert!(output.status.success(), "{}", text(&output));
    let image = fs::read_to_string(folder.join("outsider.ptx")).expect("an image");
    assert!(image.contains(".visible .entry _start("), "{image}");

    let options = format!("--backend {} --threads 2", backend());
    let run = run
        .arg("run")
        .arg(&folder)
        .args(["--loader-args", &options, "--", "an argument"]);
    let output = run.output().expect("it can be started");
    fs::remove_dir_all(&folder).expect("it can be removed");
    assert_eq!(output.status.code(), Some(42), "{}", text(&output));
    let stdout = String::from_utf8_lossy(&output.stdout);
    assert_eq!(stdout, "Some(\"an argument\") 2\n".repeat(2), "{}", text(&output));
}

/// The folder is moved to where nothing else of ours is, and its script runs there without cargo.
#[test]
fn the_folder_for_a_gpu_machine_runs_elsewhere() {
    let Some(mut dist) = xtask() else { return };
    let folder = folder("dist");
    let made = root().join("target/dist-of-the-tests");
    let output = dist
        .arg("dist")
        .arg("--out")
        .arg(&made)
        .output()
        .expect("it can be started");
    assert!(output.status.success(), "{}", text(&output));
    let elsewhere = folder.join("elsewhere");
    // Another file system may hold it.
    let copied = Command::new("cp").arg("-a").arg(&made).arg(&elsewhere).status();
    assert!(copied.expect("it can be started").success());
    fs::remove_dir_all(&made).expect("it can be removed");
    for file in [
        "tests/programs",
        "tests/embedding",
        "tests/reports",
        "tests/signals",
        "bench/gpu",
        "images/bench.ptx",
    ] {
        assert!(elsewhere.join(file).exists(), "{file} is missing");
    }
    let report = folder.join("report");
    let output = Command::new(elsewhere.join("run-all.sh"))
        .args(["device", "hello"])
        .current_dir("/")
        .env_clear()
        .envs([("PATH", "/usr/bin:/bin"), ("GPU_BACKEND", &backend())])
        .env("OUT", &report)
        .output()
        .expect("it can be started");
    let said = text(&output);
    assert!(output.status.success(), "{said}");
    let last = said.lines().last().unwrap_or_default();
    assert!(
        last.ends_with(" passed, 0 failed, 0 skipped") && !last.starts_with("0 "),
        "{said}"
    );
    let lines = fs::read_to_string(report.join("report.jsonl")).expect("a report");
    assert!(lines.contains(r#"{"step":"hello","ok":true,"exit":127,"#), "{lines}");
    let whole = fs::read_to_string(report.join("report.txt")).expect("a report");
    assert!(whole.contains("args\nto\nthe\nmain\nfunction\n"), "{whole}");
    fs::remove_dir_all(&folder).expect("it can be removed");
}
