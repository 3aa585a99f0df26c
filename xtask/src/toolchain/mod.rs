//! The compiler of GPU code: finding one that works, or fetching it.
//!
//! Neither GPU target has a prebuilt `core`, so a compiler with its library's sources is needed,
//! plus LLVM's tools of the same major version. There are two ways to get them, neither of which
//! touches the system or the user's own toolchains:
//!
//! - [`rustup`]: a nightly of a fixed date in a rustup home of its own;
//! - [`debian`]: Debian 12's `rustc-web` and LLVM packages, unpacked into a folder.
//!
//! A compiler counts as working once it has built a small kernel ([`crate::gpu::probe`]).

pub mod c_tools;
mod debian;
pub mod mpi;
pub mod pip;
mod rustup;
mod tool;

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, bail};
use clap::{Args, ValueEnum};

use crate::{exec, gpu, places};

/// Which kind of GPU compiler to use.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Way {
    /// A rustup nightly in a folder of its own
    Rustup,
    /// Debian packages, unpacked into a folder of its own
    Debian,
}

impl Way {
    /// As options and the environment spell it.
    fn name(self) -> &'static str {
        match self {
            Way::Rustup => "rustup",
            Way::Debian => "debian",
        }
    }
}

#[derive(Args, Default)]
pub struct SetupOptions {
    /// Take only this way [default: $GPU_TOOLCHAIN, else that of last time, else what is there, else rustup, else Debian]
    #[arg(long, value_enum)]
    way: Option<Way>,
}

/// A compiler for both GPU targets, with LLVM's tools.
pub struct Toolchain {
    /// The way it came here.
    pub way: Way,
    /// The same for humans, with the place.
    pub name: String,
    /// `rustc` itself, never a proxy.
    pub rustc: PathBuf,
    /// The sysroot to name explicitly, where rustc does not find it by itself.
    pub sysroot: Option<PathBuf>,
    /// A directory with `llvm-link`, `opt`, `llc` and the other LLVM tools.
    pub llvm_bin: PathBuf,
    /// Directories of shared libraries that these programs need.
    pub libraries: Vec<PathBuf>,
}

impl Toolchain {
    /// Sets the environment in which the compiler and LLVM's tools run.
    pub fn apply(&self, command: &mut Command) -> Result<()> {
        // What rustup or cargo set for the host toolchain must not reach this one.
        command.env_remove("LD_LIBRARY_PATH");
        if !self.libraries.is_empty() {
            let joined = std::env::join_paths(&self.libraries)
                .context("the toolchain's folder must not have a colon in its name")?;
            command.env("LD_LIBRARY_PATH", joined);
        }
        Ok(())
    }

    /// A command for one of LLVM's tools.
    pub fn llvm(&self, tool: &str) -> Result<Command> {
        let mut command = Command::new(self.llvm_bin.join(tool));
        self.apply(&mut command)?;
        Ok(command)
    }

    /// Whether clang is among the tools. A nightly of rustup has none.
    pub fn has_clang(&self) -> bool {
        self.llvm_bin.join("clang").is_file()
    }

    /// Makes sure that rustc finds the sanitizers' libraries for the host.
    pub fn provide_sanitizers(&self) -> Result<()> {
        match self.way {
            // A nightly comes with them.
            Way::Rustup => Ok(()),
            Way::Debian => debian::provide_sanitizers(),
        }
    }

    /// Makes sure that LLVM's offload library is beside the compiler, where packages have it.
    pub fn provide_offload(&self) -> Result<()> {
        match self.way {
            Way::Rustup => Ok(()),
            Way::Debian => debian::provide_offload(),
        }
    }

    /// `rustc -vV`, after making sure that all programs are there and start.
    fn identity(&self) -> Result<String> {
        for tool in ["llvm-link", "opt", "llc", "llvm-nm"] {
            exec::capture(self.llvm(tool)?.arg("--version"))?;
        }
        let mut rustc = Command::new(&self.rustc);
        self.apply(&mut rustc)?;
        let version = exec::capture_text(rustc.arg("-vV"))?;
        Ok(format!("{}\n{version}", self.rustc.display()))
    }
}

/// The command. Only tests need mpirun, and they do without it.
pub fn command(options: &SetupOptions) -> Result<()> {
    setup(options)?;
    match mpi::provide() {
        Ok(mpirun) => println!("mpirun: {}", mpirun.display()),
        Err(error) => println!("No mpirun, so that nothing will be tested with it: {error:#}"),
    }
    Ok(())
}

/// The GPU compiler, set up first where there is none.
pub fn get() -> Result<Toolchain> {
    setup(&SetupOptions::default())
}

/// A compiler with clang beside it, for programs in C: Debian's where the usual one has none.
pub fn with_clang() -> Result<Toolchain> {
    let toolchain = get()?;
    if toolchain.has_clang() {
        return Ok(toolchain);
    }
    setup(&SetupOptions { way: Some(Way::Debian) }).context("programs in C need clang 22")
}

/// Finds or fetches a compiler, and tries it.
pub fn setup(options: &SetupOptions) -> Result<Toolchain> {
    let asked = options.way.map_or_else(way_of_environment, |way| Ok(Some(way)))?;
    let ways = match asked {
        Some(way) => vec![way],
        None if usual_way() == Way::Debian => vec![Way::Debian, Way::Rustup],
        None => vec![Way::Rustup, Way::Debian],
    };
    let mut failures = Vec::new();
    for way in ways {
        match try_way(way) {
            Ok(toolchain) => {
                if asked.is_none() {
                    write(&usual_way_file(), way.name())?;
                }
                return Ok(toolchain);
            }
            Err(error) => failures.push(format!("{error:#}")),
        }
    }
    let rustup = format!(
        "`rustup toolchain install {} --profile minimal -c rust-src,llvm-tools`",
        rustup::NIGHTLY
    );
    let debian = format!(
        "`cargo xtask setup --way debian` on Debian 12 (container image debian:12), and copy its {}",
        places::gpu_toolchain().display()
    );
    let remedy = match asked {
        Some(Way::Rustup) => rustup,
        Some(Way::Debian) => debian,
        None => format!("{rustup}, or {debian}"),
    };
    bail!("no GPU compiler works here ({}); run {remedy}", failures.join("; "))
}

/// The way to take where none is asked for: that of last time, since another compiler would compile everything again. Packages that came
/// for their clang change nothing. The first time: what is there already, which costs nothing.
fn usual_way() -> Way {
    let last = fs::read_to_string(usual_way_file()).unwrap_or_default();
    match Way::from_str(last.trim(), true) {
        Ok(way) => way,
        Err(_) if debian::present().is_some() => Way::Debian,
        Err(_) => Way::Rustup,
    }
}

fn usual_way_file() -> PathBuf {
    places::target().join("gpu-toolchain.way")
}

fn way_of_environment() -> Result<Option<Way>> {
    let Ok(name) = std::env::var("GPU_TOOLCHAIN") else {
        return Ok(None);
    };
    match Way::from_str(&name, true) {
        Ok(way) => Ok(Some(way)),
        Err(_) => bail!("GPU_TOOLCHAIN is \"{name}\": it must be rustup or debian"),
    }
}

fn try_way(way: Way) -> Result<Toolchain> {
    let toolchain = match way {
        Way::Rustup => rustup::present().map_or_else(rustup::install, Ok),
        Way::Debian => debian::present().map_or_else(debian::install, Ok),
    }?;
    check(&toolchain)?;
    Ok(toolchain)
}

/// Builds a small kernel with a compiler that has not been seen working yet.
fn check(toolchain: &Toolchain) -> Result<()> {
    let identity = toolchain.identity()?;
    let stamp = places::target().join(format!("gpu-toolchain.{}.checked", toolchain.way.name()));
    if fs::read_to_string(&stamp).is_ok_and(|seen| seen == identity) {
        return Ok(());
    }
    eprintln!("Trying the GPU compiler: {}", toolchain.name);
    gpu::probe(toolchain).with_context(|| format!("{}: the probe build failed", toolchain.name))?;
    write(&stamp, &identity)
}

/// A program of the system.
fn installed(program: &str) -> Option<PathBuf> {
    let path = std::env::var_os("PATH")?;
    let mut files = std::env::split_paths(&path).map(|folder| folder.join(program));
    files.find(|file| file.is_file())
}

/// Writes a script that starts something.
fn write_executable(path: &Path, script: &str) -> Result<()> {
    write(path, script)?;
    fs::set_permissions(path, fs::Permissions::from_mode(0o755))
        .with_context(|| format!("cannot write {}", path.display()))
}

/// Writes a file and the folder it lies in.
fn write(path: &Path, text: &str) -> Result<()> {
    if let Some(folder) = path.parent() {
        fs::create_dir_all(folder).with_context(|| format!("cannot make {}", folder.display()))?;
    }
    fs::write(path, text).with_context(|| format!("cannot write {}", path.display()))
}
