//! `run`: builds a program, the loader and the emulator, and runs the program.

use std::fs;
use std::os::unix::fs::symlink;
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};

use anyhow::{Context, Result, bail};
use clap::Args;

use crate::gpu::{self, Build, MachineOptions};
use crate::{cargo, places, toolchain};

#[derive(Args)]
pub struct RunOptions {
    /// A program's name, an image, the folder of a crate with one program, or a source in C or C++
    program: String,
    /// Arguments of the program
    #[arg(last = true)]
    arguments: Vec<String>,
    #[command(flatten)]
    machine: MachineOptions,
    /// Options of gpu-loader, such as "--threads 32 --blocks 4"
    #[arg(long, value_name = "OPTIONS", allow_hyphen_values = true)]
    loader_args: Option<String>,
}

/// The command. It returns only when it could not start the loader: the loader takes this process
/// over, so that signals, standard streams and the exit code are its own.
pub fn command(options: &RunOptions) -> Result<ExitCode> {
    let mut image = image(options)?;
    let loader = build_loader("release")?;
    // Given a file, or told where to run it, we keep to that.
    let is_ours = image.starts_with(places::images()) && image.extension().is_some_and(|kind| kind == "ptx");
    if is_ours
        && !options
            .loader_args
            .as_ref()
            .is_some_and(|text| text.contains("-backend"))
    {
        match gpu::ptxas::for_this_machine(&image) {
            Ok(cubin) => image = cubin.unwrap_or(image),
            Err(error) => eprintln!("The driver compiles {}: {error:#}", image.display()),
        }
    }
    let mut command = Command::new(&loader);
    if let Some(text) = &options.loader_args {
        command.args(text.split_whitespace());
    }
    let error = command.arg(image).args(&options.arguments).exec();
    Err(error).with_context(|| format!("cannot start {}", loader.display()))
}

fn image(options: &RunOptions) -> Result<PathBuf> {
    let path = Path::new(&options.program);
    if gpu::c::is_source(path) {
        return c_image(options, path);
    }
    if path.is_file() && path.file_name().is_some_and(|name| name != "Cargo.toml") {
        return Ok(path.to_owned());
    }
    let (package, programs) = if options.program.contains('/') || path.join("Cargo.toml").is_file() {
        let package = gpu::Package::outside(path)?;
        let programs = package.programs(&[])?;
        (package, programs)
    } else {
        gpu::find_program(&options.program)?
    };
    let machines = options.machine.machines()?;
    let ([machine], [_]) = (machines.as_slice(), programs.as_slice()) else {
        bail!("one program for one processor can run at a time; `cargo xtask build-gpu` builds many");
    };
    let toolchain = toolchain::get()?;
    let build = Build {
        toolchain: &toolchain,
        machine,
        features: &[],
    };
    let images = build.images(&package, &programs, &places::images())?;
    Ok(images[0].clone())
}

/// The image of a program in C or C++ with one source.
fn c_image(options: &RunOptions, source: &Path) -> Result<PathBuf> {
    let machines = options.machine.machines()?;
    let [machine] = machines.as_slice() else {
        bail!("a program runs on one processor at a time");
    };
    let toolchain = toolchain::with_clang()?;
    let build = Build {
        toolchain: &toolchain,
        machine,
        features: &[],
    };
    gpu::c::image(&build, &[source.to_owned()], &places::images())
}

/// The shared libraries of the emulator, as cargo names them and as programs load them.
const EMULATORS: &[(&str, &[&str])] = &[
    ("libemulator_cuda.so", &["libcuda.so.1", "libcuda.so"]),
    ("libemulator_hsa.so", &["libhsa-runtime64.so.1", "libhsa-runtime64.so"]),
];

/// Builds `gpu-loader` with the emulator beside it (`emulator/`), and returns its path.
pub fn build_loader(profile: &str) -> Result<PathBuf> {
    let mut command = cargo::host("build");
    command.arg("--profile").arg(profile);
    command.args(["-p", "loader", "-p", "emulator-cuda", "-p", "emulator-hsa"]);
    cargo::run_quietly(&mut command)?;
    let folder = places::target().join(if profile == "dev" { "debug" } else { profile });
    place_emulators(&folder, &folder.join("emulator"))?;
    Ok(folder.join("gpu-loader"))
}

/// Puts the emulator's libraries from `built` into `folder`, under the names of those they stand in
/// for.
pub fn place_emulators(built: &Path, folder: &Path) -> Result<()> {
    fs::create_dir_all(folder).with_context(|| format!("cannot make {}", folder.display()))?;
    for (library, names) in EMULATORS {
        let (first, others) = names.split_first().context("a library has a name")?;
        gpu::copy_if_changed(&built.join(library), &folder.join(first))?;
        // Links, not copies: a process that asks for both names must get one library, with one state.
        for name in others {
            let link = folder.join(name);
            if fs::read_link(&link).is_ok_and(|target| target == Path::new(first)) {
                continue;
            }
            let _ = fs::remove_file(&link);
            symlink(first, &link).with_context(|| format!("cannot make {}", link.display()))?;
        }
    }
    Ok(())
}
