//! Running cargo for a GPU target.

use std::collections::HashMap;
use std::io::{BufRead, BufReader, IsTerminal, Read};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::{Mutex, OnceLock, PoisonError};
use std::{env, fs, io, thread};

use anyhow::{Context, Result, bail};
use serde_json::Value;

use super::{Build, Package, Program};
use crate::{cargo, exec, linker, places};

/// The profile of device code, see [`super::Machine::profile`], and cargo's folder for it.
const PROFILE: &str = "gpu";

/// Builds programs and returns their images, by program name.
pub fn build(build: &Build<'_>, package: &Package, programs: &[Program]) -> Result<HashMap<String, PathBuf>> {
    let machine = build.machine;
    let target_dir = places::gpu_target().join(machine.folder());
    if !target_dir.exists() {
        eprintln!(
            "Building core and alloc for {} first, once: about a minute",
            machine.folder()
        );
        take_host_part(&target_dir);
    }
    let mut command = command(build, "build")?;
    command.arg("--target-dir").arg(&target_dir);
    command.arg("--manifest-path").arg(&package.manifest);
    command.arg("--package").arg(&package.name);
    if !build.features.is_empty() {
        command.arg("--features").arg(build.features.join(","));
    }
    for program in programs {
        match program {
            Program::Example(name) => command.arg("--example").arg(name),
            Program::Library(_) => command.arg("--lib"),
        };
    }

    let images = run(command, build, &package.name)?;
    let _ = BUILT.set(target_dir);
    Ok(images)
}

/// The first target directory in which this process has built something.
static BUILT: OnceLock<PathBuf> = OnceLock::new();

/// Copies to a new target directory what another one has for the host, which is the same for all machines: macros, and the many crates
/// that they need. Where that fails, cargo compiles them.
fn take_host_part(target_dir: &Path) {
    let Some(other) = BUILT.get() else { return };
    let (from, to) = (other.join(PROFILE), target_dir.join(PROFILE));
    let copy = |folder: &str| exec::capture(Command::new("cp").arg("-a").arg(from.join(folder)).arg(&to));
    // cargo may be at work there. What it has noted as done comes first, so that all of that is there when it is copied.
    let folders = [".fingerprint", "build", "deps"];
    if fs::create_dir_all(&to).is_err() || folders.iter().any(|folder| copy(folder).is_err()) {
        let _ = fs::remove_dir_all(target_dir);
    }
}

/// Builds a library, and returns the bitcode of all its Rust code as one file in `folder`.
pub fn bitcode(build: &Build<'_>, manifest: &Path, package: &str, folder: &Path) -> Result<PathBuf> {
    let file = folder.join(format!("{package}.bc"));
    let mut command = command(build, "rustc")?;
    command
        .arg("--target-dir")
        .arg(places::gpu_target().join(build.machine.folder()));
    command.arg("--manifest-path").arg(manifest);
    command.args(["--lib", "--crate-type=staticlib", "--"]);
    command.arg(format!("--emit=llvm-bc={}", file.display()));
    run(command, build, package)?;
    Ok(file)
}

/// Runs cargo; returns what it has built, by the names of the targets.
fn run(mut command: Command, build: &Build<'_>, package: &str) -> Result<HashMap<String, PathBuf>> {
    let mut child = command
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .with_context(|| format!("cannot start `{}`", exec::describe(&command)))?;
    let (stdout, stderr) = (child.stdout.take(), child.stderr.take());
    let progress = thread::spawn(move || stderr.map(cargo::forward_progress));
    let artifacts = read_messages(stdout.context("cargo's stdout")?)?;
    let _ = progress.join();
    if !child.wait()?.success() {
        bail!("{package}: cargo could not build for {}", build.machine.folder());
    }
    Ok(artifacts)
}

/// The linker of bitcode, to be given its arguments.
pub fn linker(build: &Build<'_>) -> Result<Command> {
    let mut command = Command::new(linker_folder()?.join(linker::NAME));
    build.toolchain.apply(&mut command)?;
    command.env(linker::LLVM_BIN, &build.toolchain.llvm_bin);
    Ok(command)
}

/// cargo with everything but the package and the programs.
fn command(build: &Build<'_>, subcommand: &str) -> Result<Command> {
    let (toolchain, machine) = (build.toolchain, build.machine);
    let mut command = Command::new(places::cargo());
    command
        .args([subcommand, "--profile", PROFILE, "-Zbuild-std=core,alloc"])
        // memcpy and its family: neither target has a C library to take them from.
        .arg("-Zbuild-std-features=compiler-builtins-mem")
        .arg(format!("--target={}", machine.arch.triple()))
        .arg("--message-format=json-diagnostic-rendered-ansi");
    for setting in machine.profile() {
        command.arg("--config").arg(setting);
    }
    toolchain.apply(&mut command)?;
    // clang, lld and the linker are called by bare names: absolute ones would be part of the flags
    // that cargo compares, and a second checkout would compile `core` again.
    let mut path = exec::path_with(&toolchain.llvm_bin)?;
    if machine.links_with_ours() {
        path = env::join_paths(std::iter::once(linker_folder()?).chain(env::split_paths(&path)))?;
    }
    command
        .env("PATH", path)
        .env(linker::LLVM_BIN, &toolchain.llvm_bin)
        .env("RUSTC", &toolchain.rustc)
        .env("RUSTC_BOOTSTRAP", "1")
        .env("CARGO_ENCODED_RUSTFLAGS", machine.rustflags(toolchain).join("\u{1f}"))
        .env("CARGO_TERM_COLOR", cargo::colour())
        .env_remove("RUSTFLAGS")
        .env_remove("RUSTUP_TOOLCHAIN")
        .env_remove("CARGO_BUILD_TARGET")
        .env_remove("RUSTC_WORKSPACE_WRAPPER");
    Ok(command)
}

/// A folder in which a copy of this executable has the linker's name.
///
/// A copy, because cargo may replace the executable while a long build still needs it.
fn linker_folder() -> Result<PathBuf> {
    // Builds go on side by side, and each other one would take the half-made copy away.
    static MAKING: Mutex<()> = Mutex::new(());
    let _making = MAKING.lock().unwrap_or_else(PoisonError::into_inner);
    let folder = places::target().join("xtask-linker");
    fs::create_dir_all(&folder).with_context(|| format!("cannot make {}", folder.display()))?;
    let copy = folder.join(linker::NAME);
    // What we run, even where its file has been replaced since.
    let me = Path::new("/proc/self/exe");
    let stamp = |path: &Path| fs::metadata(path).and_then(|data| Ok((data.len(), data.modified()?)));
    if stamp(&copy).is_ok_and(|old| stamp(me).is_ok_and(|new| old == new)) {
        return Ok(folder);
    }
    let partial = copy.with_extension(std::process::id().to_string());
    let make = || {
        fs::copy(me, &partial)?;
        fs::File::options()
            .write(true)
            .open(&partial)?
            .set_modified(fs::metadata(me)?.modified()?)?;
        fs::rename(&partial, &copy)
    };
    make().with_context(|| format!("cannot make {}", copy.display()))?;
    Ok(folder)
}

/// Reads cargo's messages: shows diagnostics, collects images.
fn read_messages(stdout: impl Read) -> Result<HashMap<String, PathBuf>> {
    let mut artifacts = HashMap::new();
    for line in BufReader::new(stdout).lines() {
        let line = line.context("cannot read what cargo says")?;
        let Ok(message) = serde_json::from_str::<Value>(&line) else {
            continue;
        };
        match message["reason"].as_str() {
            Some("compiler-message") => show(&message["message"]),
            Some("compiler-artifact") => {
                let name = message["target"]["name"].as_str().unwrap_or_default();
                let image = message["filenames"].as_array().into_iter().flatten().find_map(|file| {
                    let file = file.as_str()?;
                    (file.ends_with(".ptx") || file.ends_with(".elf")).then(|| PathBuf::from(file))
                });
                if let Some(image) = image {
                    artifacts.insert(name.to_owned(), image);
                }
            }
            _ => {}
        }
    }
    Ok(artifacts)
}

fn show(message: &Value) {
    // The PTX version can only be asked for by a feature, and rustc warns about each such.
    let about_features = message["message"]
        .as_str()
        .is_some_and(|text| text.starts_with("unstable feature specified for `-Ctarget-feature`"));
    if let Some(text) = message["rendered"].as_str().filter(|_| !about_features) {
        if io::stderr().is_terminal() {
            eprint!("{text}");
        } else {
            eprint!("{}", without_colours(text));
        }
    }
}

/// Removes terminal escapes of the form `ESC [ … letter`.
fn without_colours(text: &str) -> String {
    let mut plain = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(start) = rest.find("\u{1b}[") {
        plain.push_str(&rest[..start]);
        let escape = &rest[start + 2..];
        let end = escape
            .find(|c: char| c.is_ascii_alphabetic())
            .map_or(escape.len(), |i| i + 1);
        rest = &escape[end..];
    }
    plain + rest
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn colours_are_removed() {
        assert_eq!(
            without_colours("a\u{1b}[1m\u{1b}[38;5;9merror\u{1b}[0m: b"),
            "aerror: b"
        );
        assert_eq!(without_colours("plain"), "plain");
    }
}
