//! `bench`: the benchmarks, with the loader and the images that those of whole programs need.

use anyhow::{Result, bail};
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
    command.args(selection(&options.names)?);
    command.arg("--").args(&options.arguments);
    command.env("GPU_LOADER", loader).env("GPU_IMAGES", places::images());
    exec::run(&mut command)
}

/// Arguments of `cargo bench` for the bench targets with these names, or for all of the workspace.
///
/// They are named one by one: `--benches` alone would also build every library as a benchmark.
pub fn selection(names: &[String]) -> Result<Vec<String>> {
    let mut known = Vec::new();
    let mut arguments = Vec::new();
    for package in cargo::metadata(&places::root().join("Cargo.toml"))? {
        for target in package["targets"].as_array().into_iter().flatten() {
            let is_bench = target["kind"]
                .as_array()
                .is_some_and(|kinds| kinds.iter().any(|kind| kind == "bench"));
            let (Some(package), Some(name), true) = (package["name"].as_str(), target["name"].as_str(), is_bench)
            else {
                continue;
            };
            if names.is_empty() || names.iter().any(|wanted| wanted == name) {
                arguments.extend(["--package", package, "--bench", name].map(String::from));
            }
            known.push(name.to_owned());
        }
    }
    if let Some(unknown) = names.iter().find(|name| !known.contains(name)) {
        bail!("there is no benchmark \"{unknown}\", only {}", known.join(", "));
    }
    if arguments.is_empty() {
        bail!("this workspace has no benchmarks");
    }
    Ok(arguments)
}
