//! `build-gpu`: device programs into images, for our packages and for anyone's crate.

mod build;
pub mod c;
mod package;
pub mod ptxas;
mod target;

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};
use clap::Args;

use crate::linker::DEVICE_BLOCK_THREADS;
use crate::places;
use crate::toolchain::{self, Toolchain};
pub use package::{Package, Program};
pub use target::{Arch, CodeObject, Machine, OptLevel, Wave};

/// The packages of this workspace that have device programs.
pub const PROGRAMS: &[&str] = &["examples", "test-programs"];

#[derive(Args, Clone, Default)]
pub struct MachineOptions {
    /// nvptx, amdgcn or all [default: nvptx, or what --cpu says]
    #[arg(long)]
    target: Option<String>,
    /// Processors, such as sm_70, sm_90, gfx90a, gfx942, gfx1030, gfx1100
    #[arg(long, value_delimiter = ',')]
    cpu: Vec<String>,
    /// Optimisation level [default: 3]
    #[arg(long, value_enum)]
    opt_level: Option<OptLevel>,
    /// Lanes of a wavefront on AMD gfx10 and newer [default: 32]
    #[arg(long, value_enum)]
    wave: Option<Wave>,
    /// AMD code object version [default: 5]
    #[arg(long, value_enum)]
    code_object: Option<CodeObject>,
    /// Accept images with undefined symbols
    #[arg(long)]
    allow_undefined: bool,
    /// Threads of the largest block that NVIDIA images are launched with: fewer leave more registers to each
    #[arg(long, value_name = "N", default_value_t = DEVICE_BLOCK_THREADS, value_parser = clap::value_parser!(u32).range(1..=1024))]
    max_block_threads: u32,
}

impl MachineOptions {
    /// The machines that the options name.
    pub fn machines(&self) -> Result<Vec<Machine>> {
        let arch_of = |cpu: &str| {
            if cpu.starts_with("gfx") {
                Arch::Amdgcn
            } else {
                Arch::Nvptx
            }
        };
        let wanted: Vec<(Arch, &str)> = match self.target.as_deref() {
            Some("all") if self.cpu.is_empty() => [Arch::Nvptx, Arch::Amdgcn]
                .iter()
                .flat_map(|&arch| arch.all_cpus().iter().map(move |&cpu| (arch, cpu)))
                .collect(),
            None | Some("all") if !self.cpu.is_empty() => {
                self.cpu.iter().map(|cpu| (arch_of(cpu), cpu.as_str())).collect()
            }
            name => {
                let arch = match name {
                    None | Some("nvptx" | "nvptx64" | "nvptx64-nvidia-cuda") => Arch::Nvptx,
                    Some("amdgcn" | "amdgpu" | "amdgcn-amd-amdhsa") => Arch::Amdgcn,
                    Some(other) => bail!("unknown target \"{other}\": nvptx, amdgcn or all"),
                };
                match self.cpu.as_slice() {
                    [] => vec![(arch, arch.default_cpu())],
                    cpus => cpus.iter().map(|cpu| (arch, cpu.as_str())).collect(),
                }
            }
        };
        wanted
            .into_iter()
            .map(|(arch, cpu)| {
                let machine = Machine {
                    level: self.opt_level.unwrap_or(OptLevel::O3),
                    wave: self
                        .wave
                        .filter(|_| arch == Arch::Amdgcn || self.target.as_deref() != Some("all")),
                    code_object: self.code_object.unwrap_or(CodeObject::V5),
                    allow_undefined: self.allow_undefined,
                    max_block_threads: self.max_block_threads,
                    ..Machine::new(arch, cpu)
                };
                machine.check()?;
                Ok(machine)
            })
            .collect()
    }
}

#[derive(Args)]
pub struct BuildOptions {
    /// Programs, by the names of their examples [default: all of the package], or the sources of one program in C or C++
    programs: Vec<String>,
    #[command(flatten)]
    machine: MachineOptions,
    /// The package of this workspace that has the programs [default: examples]
    #[arg(short, long, conflicts_with = "manifest_path")]
    package: Option<String>,
    /// Another crate's Cargo.toml, or its folder
    #[arg(long)]
    manifest_path: Option<PathBuf>,
    /// Another way to name programs
    #[arg(long, num_args = 1..)]
    example: Vec<String>,
    /// All programs of the package, the default
    #[arg(long)]
    all: bool,
    /// Where the images go [default: target/images]
    #[arg(long)]
    out: Option<PathBuf>,
    /// Features of the package to turn on
    #[arg(long, value_delimiter = ',')]
    features: Vec<String>,
    /// An image fit for llvm-gpu-loader: all symbols that it demands, and for NVIDIA an ELF file
    #[arg(long)]
    llvm_loader: bool,
    /// Beside the PTX, write a cubin for this processor (needs ptxas of a CUDA toolkit)
    #[arg(long, value_name = "CPU", conflicts_with = "llvm_loader")]
    cubin: Option<String>,
}

/// Where images fit for `llvm-gpu-loader` go, below the folder of the others, and what makes them so.
pub const LLVM_LOADER_FOLDER: &str = "llvm-loader";
pub const LLVM_LOADER_FEATURE: &str = "device-rt/llvm-loader";

/// The command: builds and prints the paths of the images.
pub fn command(options: &BuildOptions) -> Result<()> {
    let sources: Vec<PathBuf> = options.programs.iter().map(PathBuf::from).collect();
    if sources.iter().any(|path| c::is_source(path)) {
        return build_c(options, &sources);
    }
    let package = match &options.manifest_path {
        Some(path) => Package::outside(path)?,
        None => Package::of_workspace(options.package.as_deref().unwrap_or("examples"))?,
    };
    let mut names = options.programs.clone();
    names.extend(options.example.iter().cloned());
    if options.all {
        names.clear();
    }
    let programs = package.programs(&names)?;
    let toolchain = toolchain::get()?;
    let mut out = options.out.clone().unwrap_or_else(places::images);
    let mut features = options.features.clone();
    if options.llvm_loader {
        // Other images under the same names.
        out.push(LLVM_LOADER_FOLDER);
        features.push(LLVM_LOADER_FEATURE.into());
    }
    for machine in options.machine.machines()? {
        let build = Build {
            toolchain: &toolchain,
            machine: &machine,
            features: &features,
        };
        for mut image in build.images(&package, &programs, &out)? {
            if options.llvm_loader && machine.arch == Arch::Nvptx {
                image = ptxas::to_cubin(&image, &machine.cpu)?;
            }
            println!("{}", image.display());
            if let Some(cpu) = options.cubin.as_deref().filter(|_| machine.arch == Arch::Nvptx) {
                println!("{}", ptxas::to_cubin(&image, cpu)?.display());
            }
        }
    }
    Ok(())
}

/// The same for a program in C or C++.
fn build_c(options: &BuildOptions, sources: &[PathBuf]) -> Result<()> {
    if let Some(other) = sources.iter().find(|path| !c::is_source(path)) {
        bail!(
            "{} is no source in C or C++, unlike another that was named",
            other.display()
        );
    }
    if options.llvm_loader {
        bail!("--llvm-loader is for programs in Rust: for llvm-gpu-loader, link programs in C with LLVM's own library");
    }
    let toolchain = toolchain::with_clang()?;
    let out = options.out.clone().unwrap_or_else(places::images);
    for machine in options.machine.machines()? {
        let build = Build {
            toolchain: &toolchain,
            machine: &machine,
            features: &[],
        };
        let image = c::image(&build, sources, &out)?;
        println!("{}", image.display());
        if let Some(cpu) = options.cubin.as_deref().filter(|_| machine.arch == Arch::Nvptx) {
            println!("{}", ptxas::to_cubin(&image, cpu)?.display());
        }
    }
    Ok(())
}

/// Finds a program of ours by its name: among the examples, then among the tests' programs.
pub fn find_program(name: &str) -> Result<(Package, Vec<Program>)> {
    for package in PROGRAMS {
        let package = Package::of_workspace(package)?;
        if let Ok(programs) = package.programs(&[name.to_owned()]) {
            return Ok((package, programs));
        }
    }
    bail!("no program is named \"{name}\": the names are those of examples/*.rs and tests/programs/*.rs")
}

/// How images are built.
pub struct Build<'a> {
    pub toolchain: &'a Toolchain,
    pub machine: &'a Machine,
    pub features: &'a [String],
}

impl Build<'_> {
    /// Builds programs of a package and puts their images into `out`.
    pub fn images(&self, package: &Package, programs: &[Program], out: &Path) -> Result<Vec<PathBuf>> {
        fs::create_dir_all(out).with_context(|| format!("cannot make {}", out.display()))?;
        let artifacts = build::build(self, package, programs)?;
        programs
            .iter()
            .map(|program| {
                let built = artifacts
                    .get(program.name())
                    .with_context(|| format!("cargo built no image of {}", program.name()))?;
                let image = out.join(self.machine.image_name(program.name()));
                copy_if_changed(built, &image)?;
                Ok(image)
            })
            .collect()
    }
}

/// Leaves an equal file alone, and never shows a half-written one to somebody who reads it.
pub fn copy_if_changed(from: &Path, to: &Path) -> Result<()> {
    let bytes = fs::read(from).with_context(|| format!("cannot read {}", from.display()))?;
    if fs::read(to).is_ok_and(|old| old == bytes) {
        return Ok(());
    }
    let partial = to.with_added_extension(format!("{}.partial", std::process::id()));
    fs::write(&partial, &bytes)
        .and_then(|()| fs::rename(&partial, to))
        .with_context(|| format!("cannot write {}", to.display()))
}

/// Builds a small kernel with `core` for sm_70: shows that a compiler works, and leaves the library
/// compiled where later builds find it.
pub fn probe(toolchain: &Toolchain) -> Result<()> {
    let machine = Machine::new(Arch::Nvptx, Arch::Nvptx.default_cpu());
    let build = Build {
        toolchain,
        machine: &machine,
        features: &[],
    };
    let package = Package::of_workspace("gpu-probe")?;
    let images = build.images(&package, &package.programs(&[])?, &places::gpu_target().join("probe"))?;
    let ptx = fs::read_to_string(&images[0])?;
    if !ptx.contains(".visible .entry probe(") {
        bail!("its PTX lacks the kernel");
    }
    Ok(())
}
