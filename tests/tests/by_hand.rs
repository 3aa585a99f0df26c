//! The commands by which `device-rt/c/README.md` says that any clang makes images with the C library, as they stand there, on the program
//! that stands there.
//!
//! Skipped without `GPU_LOADER` (`cargo xtask test e2e` sets it), and without clang in the folder of the GPU compiler.

use std::path::Path;
use std::process::Command;
use std::{env, fs};

/// A piece of a README: what is between two marks.
fn between<'a>(text: &'a str, start: &str, end: &str) -> &'a str {
    let (_, rest) = text.split_once(start).expect("the start");
    rest.split_once(end).expect("the end").0
}

#[test]
fn clang_links_the_library_for_nvidia_as_the_readme_says() {
    link("nvptx", "sm_70-O3");
}

#[test]
fn clang_links_the_library_for_amd_as_the_readme_says() {
    link("amdgcn", "gfx90a-O3");
}

/// Runs the one command that makes an image for a target, and the image.
fn link(target: &str, machine: &str) {
    let workspace = Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("the repository");
    let toolchain = env::var_os("GPU_TOOLCHAIN_DIR").map_or_else(
        || workspace.join("target/gpu-toolchain"),
        |folder| workspace.join(folder),
    );
    let usr = toolchain.join("root/usr");
    let clang = usr.join("lib/llvm-22/bin/clang");
    if !clang.exists() {
        eprintln!("skipped: no {}; run `cargo xtask setup`", clang.display());
        return;
    }
    let Some(loader) = env::var_os("GPU_LOADER") else {
        eprintln!("skipped: GPU_LOADER is not set; `cargo xtask test e2e` sets it");
        return;
    };
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("by-hand").join(target);
    fs::create_dir_all(&folder).expect("a folder");
    let readme = fs::read_to_string(workspace.join("device-rt/c/README.md")).expect("the README");
    fs::write(folder.join("hello.c"), between(&readme, "```c\n", "```")).expect("the program");

    let commands = between(&readme, "## Linking by hand", "## Inside");
    let commands = between(commands, "```sh\n", "```").replace("\\\n", " ");
    let commands: Vec<_> = commands.lines().filter(|command| command.contains(target)).collect();
    let [command] = commands[..] else {
        panic!("the README has not one command for {target}: {commands:?}");
    };
    let library = workspace.join("target/gpu").join(machine).join("c/libdevice_rt_c.bc");
    let command = command
        .replace(
            "device-rt/c/include",
            &workspace.join("device-rt/c/include").display().to_string(),
        )
        .replace("libdevice_rt_c.bc", &library.display().to_string());
    let libraries = [usr.join("lib/x86_64-linux-gnu"), usr.join("lib/llvm-22/lib")];
    let status = Command::new("sh")
        .args(["-c", &command])
        .current_dir(&folder)
        .env(
            "PATH",
            format!("{}:/usr/bin:/bin", usr.join("lib/llvm-22/bin").display()),
        )
        .env("LD_LIBRARY_PATH", env::join_paths(libraries).expect("no colon"))
        .status();
    assert!(status.expect("a shell").success(), "{command}");

    let image = command.rsplit(' ').next().expect("the output comes last");
    let output = Command::new(&loader)
        .args([
            "--backend",
            "emulator",
            "--timeout",
            "60",
            "--threads",
            "2",
            image,
            "one",
        ])
        .current_dir(&folder)
        .output()
        .expect("it can be started");
    let stdout = String::from_utf8_lossy(&output.stdout);
    let mut lines: Vec<_> = stdout.lines().collect();
    assert_eq!(
        (output.status.code(), lines.pop()),
        (Some(127), Some("goodbye")),
        "{image}: {output:?}"
    );
    lines.sort_unstable();
    assert_eq!(lines, ["thread 0 of 2: one", "thread 1 of 2: one"], "{image}");
}
