//! `dist`: one folder with all that a GPU machine without Rust needs to run everything.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, bail};
use clap::Args;
use serde_json::Value;

use crate::gpu::{self, Arch, Build, Machine, OptLevel, Package};
use crate::{bench, cargo, exec, places, run, toolchain};

const RUN_ALL: &str = include_str!("run-all.sh");

/// The tests that say something on a GPU; the others compare emitted code, or what an emulator does.
const ON_A_GPU: [&str; 4] = ["programs", "embedding", "reports", "signals"];

/// What the folder may weigh, in bytes.
const LIMIT: u64 = 60 << 20;

#[derive(Args)]
pub struct DistOptions {
    /// The folder to make; an older one is replaced
    #[arg(long, default_value = ".dist")]
    out: PathBuf,
    /// Optimisation levels of the images
    #[arg(long, value_enum, value_delimiter = ',', default_value = "3")]
    levels: Vec<OptLevel>,
}

/// The command.
pub fn command(options: &DistOptions) -> Result<()> {
    let out = places::root().join(&options.out);
    // Only what we made ourselves is replaced.
    if out.join("run-all.sh").exists() {
        fs::remove_dir_all(&out).with_context(|| format!("cannot remove {}", out.display()))?;
    } else if out.exists() {
        bail!("{} exists and is no folder of `cargo xtask dist`", out.display());
    }
    fs::create_dir_all(&out).with_context(|| format!("cannot make {}", out.display()))?;
    let script = out.join("run-all.sh");
    fs::write(&script, RUN_ALL)?;
    fs::set_permissions(&script, fs::Permissions::from_mode(0o755))?;

    images(&out.join("images"), &options.levels)?;
    for image in files(&out.join("images"))? {
        without_comments(&image)?;
    }
    let loader = run::build_loader("release")?;
    place(&loader, &out.join("gpu-loader"))?;
    let built = loader.parent().context("the loader lies in a folder")?;
    run::place_emulators(built, &out.join("emulator"))?;
    for file in files(&out.join("emulator"))? {
        strip(&file)?;
    }
    let mut tests = cargo::host("test");
    tests.args(["--no-run", "--release", "--package", "tests"]);
    tests.args(ON_A_GPU.iter().flat_map(|name| ["--test", name]));
    place_all(&mut tests, "test", &out.join("tests"))?;
    // A workspace without benchmarks is no reason to have no tests.
    if let Ok(selection) = bench::selection(&[]) {
        let mut benches = cargo::host("bench");
        benches.arg("--no-run").args(selection);
        place_all(&mut benches, "bench", &out.join("bench"))?;
    }
    let mut recorder = cargo::host("build");
    // With the loader, whose emulator is compiled already: alone it would have other features.
    recorder.args(["--release", "--package", "emulator", "--package", "loader"]);
    recorder.args(["--example", "ptx_semantics"]);
    place_all(&mut recorder, "example", &out.join("bin"))?;

    let size: u64 = sizes(&out)?;
    println!(
        "{} ({:.1} MiB): copy it to a GPU machine, there run ./run-all.sh",
        out.display(),
        size as f64 / f64::from(1 << 20)
    );
    if size > LIMIT {
        bail!("that is more than {} MiB", LIMIT >> 20);
    }
    Ok(())
}

/// Leaves the comments out of an image: a quarter of what LLVM writes. Those at its head say what it is.
fn without_comments(image: &Path) -> Result<()> {
    let text = fs::read_to_string(image).with_context(|| format!("cannot read {}", image.display()))?;
    let Some(head) = text.find("\n.version") else {
        bail!("{} is no PTX", image.display());
    };
    let (head, body) = text.split_at(head);
    let mut short = head.to_owned();
    for line in body.lines() {
        // Only the names of source files are quoted, and a name is no place for a comment.
        let code = match line.split_once("//") {
            Some((code, _)) if !code.contains('"') => code,
            _ => line,
        };
        if !code.trim().is_empty() {
            short.push('\n');
            short.push_str(code.trim_end());
        }
    }
    short.push('\n');
    fs::write(image, short).with_context(|| format!("cannot write {}", image.display()))
}

/// All programs as PTX, which every driver compiles for its own device.
fn images(out: &Path, levels: &[OptLevel]) -> Result<()> {
    let toolchain = toolchain::get()?;
    for package in gpu::PROGRAMS {
        let package = Package::of_workspace(package)?;
        let programs = package.programs(&[])?;
        for &level in levels {
            let machine = Machine {
                level,
                ..Machine::new(Arch::Nvptx, Arch::Nvptx.default_cpu())
            };
            Build {
                toolchain: &toolchain,
                machine: &machine,
                features: &[],
            }
            .images(&package, &programs, out)?;
        }
    }
    // The tests of the programs in C count as ignored, then.
    let toolchain = match toolchain::with_clang() {
        Ok(toolchain) => toolchain,
        Err(error) => {
            println!("No programs in C: {error:#}");
            return Ok(());
        }
    };
    for &level in levels {
        let machine = Machine {
            level,
            ..Machine::new(Arch::Nvptx, Arch::Nvptx.default_cpu())
        };
        let build = Build {
            toolchain: &toolchain,
            machine: &machine,
            features: &[],
        };
        gpu::c::images(&build, &gpu::c::all_programs()?, out)?;
    }
    Ok(())
}

/// Builds with cargo and puts the executables of targets of one kind into a folder, by target name.
fn place_all(command: &mut Command, kind: &str, folder: &Path) -> Result<()> {
    let messages = cargo::capture_quietly(command.arg("--message-format=json-render-diagnostics"))?;
    for line in messages.lines() {
        let Ok(message) = serde_json::from_str::<Value>(line) else {
            continue;
        };
        let target = &message["target"];
        let of_kind = target["kind"]
            .as_array()
            .is_some_and(|kinds| kinds.iter().any(|k| k == kind));
        let (program, name) = (message["executable"].as_str(), target["name"].as_str());
        if let (true, Some(program), Some(name)) = (of_kind, program, name) {
            place(Path::new(program), &folder.join(name))?;
        }
    }
    Ok(())
}

/// Copies an executable and strips it.
fn place(from: &Path, to: &Path) -> Result<()> {
    if let Some(folder) = to.parent() {
        fs::create_dir_all(folder).with_context(|| format!("cannot make {}", folder.display()))?;
    }
    fs::copy(from, to).with_context(|| format!("cannot copy {}", from.display()))?;
    strip(to)
}

/// Takes away what debuggers read. The names of functions stay in benchmarks, which say where time goes.
fn strip(file: &Path) -> Result<()> {
    let is_bench = file.parent().is_some_and(|folder| folder.ends_with("bench"));
    let what = if is_bench { "--strip-debug" } else { "--strip-unneeded" };
    exec::capture(Command::new("strip").arg(what).arg(file)).map(drop)
}

fn files(folder: &Path) -> Result<Vec<PathBuf>> {
    fs::read_dir(folder)?.map(|entry| Ok(entry?.path())).collect()
}

/// The bytes of all files below a folder.
fn sizes(folder: &Path) -> Result<u64> {
    files(folder)?
        .iter()
        .map(|path| {
            if path.is_dir() {
                sizes(path)
            } else {
                // A link is not what it leads to.
                Ok(fs::symlink_metadata(path)?.len())
            }
        })
        .sum()
}
