//! `bench`: the benchmarks, with the loader and the images that those of whole programs need.

use anyhow::Result;
use clap::Args;

use crate::gpu::{self, Arch, Build, Machine, Package};
use crate::{cargo, exec, places, run, toolchain};

#[derive(Args)]
pub struct BenchOptions {
    /// Benchmarks, by the names of their bench targets [default: all]
    names: Vec<String>,
    /// Arguments of the benchmarks
    #[arg(last = true)]
    arguments: Vec<String>,
}

/// The command. What it measures on the emulator says nothing about a GPU: see `dist`.
pub fn command(options: &BenchOptions) -> Result<()> {
    let toolchain = toolchain::get()?;
    let machine = Machine::new(Arch::Nvptx, Arch::Nvptx.default_cpu());
    for package in gpu::PROGRAMS {
        let package = Package::of_workspace(package)?;
        let build = Build {
            toolchain: &toolchain,
            machine: &machine,
            features: &[],
        };
        build.images(&package, &package.programs(&[])?, &places::images())?;
    }
    let loader = run::build_loader("release")?;
    let mut command = cargo::host("bench");
    command.arg("--workspace");
    if options.names.is_empty() {
        command.arg("--benches");
    }
    for name in &options.names {
        command.args(["--bench", name]);
    }
    command.arg("--").args(&options.arguments);
    command.env("GPU_LOADER", loader).env("GPU_IMAGES", places::images());
    exec::run(&mut command)
}
