//! Builds, runs and tests everything: `cargo xtask --help`.
//!
//! The same executable is also the linker of NVIDIA images, and of some for AMD: rustc calls it by the name
//! [`linker::NAME`] (see [`linker`] and [`reached`]).

mod bench;
mod cargo;
mod dist;
mod exec;
mod gpu;
mod linker;
mod places;
mod reached;
mod run;
mod test;
mod toolchain;

use std::process::ExitCode;

use anyhow::Result;
use clap::{Parser, Subcommand};

/// Builds, runs and tests everything.
#[derive(Parser)]
#[command(name = "cargo xtask", bin_name = "cargo xtask")]
struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Finds or fetches the GPU compiler and tries it, and fetches mpirun for tests (the other commands do so by themselves)
    Setup(toolchain::SetupOptions),
    /// Builds device programs into images: PTX for NVIDIA, ELF code objects for AMD
    BuildGpu(Box<gpu::BuildOptions>),
    /// Builds a program and everything it needs, and runs it
    Run(Box<run::RunOptions>),
    /// Checks and tests everything, or the steps named
    Test(test::TestOptions),
    /// What continuous integration runs: the steps of `test`
    Ci,
    /// Runs the benchmarks
    Bench(bench::BenchOptions),
    /// Makes a folder with everything that a GPU machine without Rust needs to run all tests
    Dist(dist::DistOptions),
}

fn main() -> ExitCode {
    if linker::called_by_rustc() {
        return report(linker::main());
    }
    let result = match Arguments::parse().command {
        Command::Setup(options) => toolchain::command(&options).map(|()| ExitCode::SUCCESS),
        Command::Run(options) => run::command(&options),
        Command::Test(options) => test::command(&options),
        Command::Ci => test::command(&test::TestOptions::default()),
        Command::Bench(options) => bench::command(&options).map(|()| ExitCode::SUCCESS),
        Command::Dist(options) => dist::command(&options).map(|()| ExitCode::SUCCESS),
        Command::BuildGpu(options) => gpu::command(&options).map(|()| ExitCode::SUCCESS),
    };
    report(result)
}

fn report(result: Result<ExitCode>) -> ExitCode {
    result.unwrap_or_else(|error| {
        eprintln!("error: {error:#}");
        ExitCode::FAILURE
    })
}
