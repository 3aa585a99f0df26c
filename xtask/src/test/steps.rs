//! The steps of `cargo xtask test`, in the order in which they run: the quick ones first.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::Result;

use super::Step;
use super::python;
use super::run::{Runner, same_cases_each_time};
use super::sanitizers::{self, Sanitizer};
use crate::gpu::{self, Arch, Build, Machine, OptLevel, Package, Program, Wave};
use crate::{cargo, exec, places, run, toolchain};

/// All steps.
pub const STEPS: &[Step] = &[
    Step {
        name: "fmt",
        about: "the formatting of all sources",
        by_default: true,
        run: fmt,
    },
    Step {
        name: "clippy",
        about: "lints, on plain stable, device crates included",
        by_default: true,
        run: clippy,
    },
    Step {
        name: "docs",
        about: "the documentation builds without a dead link",
        by_default: true,
        run: docs,
    },
    Step {
        name: "unit",
        about: "tests of all host crates",
        by_default: true,
        run: unit,
    },
    Step {
        name: "loom",
        about: "models of the hand-over, of the lock and of the heap",
        by_default: true,
        run: loom,
    },
    Step {
        name: "images",
        about: "all device programs, for all targets and levels",
        by_default: true,
        run: images,
    },
    Step {
        name: "e2e",
        about: "device programs on the emulator, or on a GPU",
        by_default: true,
        run: e2e,
    },
    Step {
        name: "amd",
        about: "all device programs for AMD, built and run (by name only: 40 minutes)",
        by_default: false,
        run: amd,
    },
    Step {
        name: "python",
        about: "NVIDIA's Python bindings on the emulated driver, where they can be had",
        by_default: true,
        run: python::test,
    },
    Step {
        name: "tsan",
        about: "host crates under ThreadSanitizer",
        by_default: true,
        run: tsan,
    },
    Step {
        name: "asan",
        about: "the protocol and the server under AddressSanitizer (by name only: 5 minutes)",
        by_default: false,
        run: asan,
    },
    Step {
        name: "asan-emulator",
        about: "the emulator and the loader under AddressSanitizer (by name only: the emulator compiles for long)",
        by_default: false,
        run: asan_emulator,
    },
];

/// What the images are built for: every processor at full optimisation, and every level on one processor of NVIDIA.
pub fn machines() -> Vec<Machine> {
    let mut machines = Vec::new();
    for arch in [Arch::Nvptx, Arch::Amdgcn] {
        machines.extend(arch.all_cpus().iter().map(|cpu| Machine::new(arch, cpu)));
    }
    for level in [OptLevel::O0, OptLevel::O1, OptLevel::O2, OptLevel::Size] {
        machines.push(Machine {
            level,
            ..Machine::new(Arch::Nvptx, Arch::Nvptx.default_cpu())
        });
    }
    machines
}

/// The same, a newer processor of NVIDIA, one of AMD's with the wider of its two wavefronts, and one without optimisation.
fn machines_for_rust() -> Vec<Machine> {
    let mut machines = machines();
    machines.push(Machine::new(Arch::Nvptx, NEWER));
    machines.push(Machine {
        level: OptLevel::O0,
        ..Machine::new(Arch::Amdgcn, Arch::Amdgcn.default_cpu())
    });
    machines.push(Machine {
        wave: Some(Wave::W64),
        ..Machine::new(Arch::Amdgcn, "gfx1030")
    });
    machines
}

/// A processor of NVIDIA for which compilers have more instructions than for the default one.
const NEWER: &str = "sm_90";

/// The programs of the tests in which compilers and processors differ, and allocation: those that are built for that one and for wavefronts
/// of 32 lanes, too, and for AMD at every level.
const TELLING: &[&str] = &["alloc", "divergence", "heap", "kernels", "types", "warp"];

/// The one whose image must not have what it does not use, and the one that uses it. For AMD another linker sees to that at level 0.
const OF_LINKERS: &[&str] = &["no_calls", "symbols"];

/// Those that are built for the wider of the two wavefronts that a processor has.
const IN_TWO_WIDTHS: &[&str] = &["heap", "warp"];

/// Those of which tests take the fully optimised image only: one that they stop from outside, and the benchmark.
const ONLY_OPTIMISED: &[&str] = &["bench", "hangs"];

/// The one whose instructions are looked at, for each processor.
const LOOKED_AT: &str = "edges";

/// Which of a package's programs are built for a machine.
///
/// Of those of the tests, all are built for one processor of each vendor only: for each of the others that takes minutes. The step `amd`
/// does so.
fn programs_for(package: &Package, machine: &Machine) -> Result<Vec<Program>> {
    let mut programs = package.programs(&[])?;
    if machine.level != OptLevel::O3 {
        programs.retain(|program| !ONLY_OPTIMISED.contains(&program.name()));
    }
    if machine.wave.is_some() {
        programs.retain(|program| IN_TWO_WIDTHS.contains(&program.name()));
        return Ok(programs);
    }
    if machine.arch == Arch::Amdgcn && machine.level != OptLevel::O3 {
        programs.retain(|program| OF_LINKERS.contains(&program.name()));
        return Ok(programs);
    }
    let takes_all = machine.cpu == machine.arch.default_cpu();
    if package.name == "test-programs" && !takes_all {
        let tells =
            |program: &Program| [NEWER, "gfx1030"].contains(&machine.cpu.as_str()) && TELLING.contains(&program.name());
        programs.retain(|program| program.name() == LOOKED_AT || tells(program));
    }
    Ok(programs)
}

fn fmt(runner: &mut Runner) -> Result<()> {
    runner.run(cargo::host("fmt").args(["--all", "--check"]))
}

/// The toolchain whose lints must find nothing: later ones know more of them, and deprecate more. What those find is shown.
const LINTED_WITH: &str = "1.95";

/// Whether a lint fails its step.
fn warnings_fail() -> Result<bool> {
    let version = exec::capture_text(&mut cargo::host("--version"))?;
    let is_the_one = version.starts_with(&format!("cargo {LINTED_WITH}."));
    if !is_the_one {
        println!(
            "Warnings do not fail this step: they do with Rust {LINTED_WITH}, and this is {}",
            version.trim()
        );
    }
    Ok(is_the_one)
}

fn clippy(runner: &mut Runner) -> Result<()> {
    let mut command = cargo::host("clippy");
    command.args(["--workspace", "--all-targets"]);
    if warnings_fail()? {
        command.args(["--", "-Dwarnings"]);
    }
    runner.run(&mut command)
}

fn docs(runner: &mut Runner) -> Result<()> {
    let mut command = cargo::host("doc");
    command.args(["--workspace", "--no-deps", "--document-private-items"]);
    if warnings_fail()? {
        command.env("RUSTDOCFLAGS", "-Dwarnings");
    }
    runner.run(&mut command)
}

/// How long hostile devices are tried, all families together. `cargo test` by hand takes a tenth.
const FUZZ_SECONDS: (&str, &str) = ("FUZZ_SECONDS", "120");

fn unit(runner: &mut Runner) -> Result<()> {
    let mut command = cargo::host("test");
    command.args(["--workspace", "--exclude", "tests", "--no-fail-fast"]);
    same_cases_each_time(&mut command);
    if std::env::var_os(FUZZ_SECONDS.0).is_none() {
        command.env(FUZZ_SECONDS.0, FUZZ_SECONDS.1);
    }
    match toolchain::mpi::provide() {
        Ok(mpirun) => _ = command.env("GPU_MPIRUN", mpirun),
        Err(error) => println!("Not tested with mpirun: {error:#}"),
    }
    toolchain::c_tools::provide(&mut command);
    runner.run(&mut command)
}

fn loom(runner: &mut Runner) -> Result<()> {
    for tests in [
        ["-p", "rpc-proto", "--test", "loom"].as_slice(),
        &["-p", "device-rt", "--lib", "model"],
    ] {
        let mut command = cargo::host("test");
        command.arg("--release").args(tests);
        command.arg("--target-dir").arg(places::target().join("loom"));
        runner.run(command.env("RUSTFLAGS", "--cfg loom"))?;
    }
    Ok(())
}

/// Images of the tests only: the tests run whatever they find there.
fn images_folder() -> PathBuf {
    places::target().join("test-images")
}

fn images(runner: &mut Runner) -> Result<()> {
    let toolchain = toolchain::get()?;
    let mut expected = Vec::new();
    for name in gpu::PROGRAMS {
        let machines = machines_for_rust();
        let package = Package::of_workspace(name)?;
        exec::in_parallel(&machines, 2, |machine| {
            let build = Build {
                toolchain: &toolchain,
                machine,
                features: &[],
            };
            let programs = programs_for(&package, machine)?;
            if programs.is_empty() {
                return Ok(());
            }
            build.images(&package, &programs, &images_folder()).map(drop)
        })?;
        for machine in &machines {
            let programs = programs_for(&package, machine)?;
            expected.extend(programs.iter().map(|program| machine.image_name(program.name())));
        }
    }
    expected.extend(c_images(&machines(), &images_folder())?);
    for_llvms_loader(&toolchain)?;
    // A program that was removed or renamed must not be tested for ever.
    for entry in fs::read_dir(images_folder())? {
        let entry = entry?;
        if entry.file_type()?.is_file() && !expected.iter().any(|name| entry.file_name() == name.as_str()) {
            fs::remove_file(entry.path())?;
        }
    }
    runner.passed(expected.len());
    Ok(())
}

/// Programs that are made for `llvm-gpu-loader` as well: one that calls, one that does not, one that panics. LLVM's offload library runs
/// those for AMD.
const FOR_LLVMS_LOADER: &[(&str, &[&str])] = &[("examples", &["hello"]), ("test-programs", &["no_calls", "panics"])];

fn for_llvms_loader(toolchain: &toolchain::Toolchain) -> Result<()> {
    let folder = images_folder().join(gpu::LLVM_LOADER_FOLDER);
    for arch in [Arch::Nvptx, Arch::Amdgcn] {
        let build = Build {
            toolchain,
            machine: &Machine::new(arch, arch.default_cpu()),
            features: &[gpu::LLVM_LOADER_FEATURE.to_owned()],
        };
        for (package, names) in FOR_LLVMS_LOADER {
            let package = Package::of_workspace(package)?;
            let names: Vec<_> = names.iter().copied().map(str::to_owned).collect();
            build.images(&package, &package.programs(&names)?, &folder)?;
        }
    }
    Ok(())
}

/// Builds the programs in C and C++ for these machines; returns the names of their images. Where there is no clang to be had, there
/// are none, and the tests of these programs count as ignored.
fn c_images(machines: &[Machine], folder: &Path) -> Result<Vec<String>> {
    let mut names = Vec::new();
    let toolchain = match toolchain::with_clang() {
        Ok(toolchain) => toolchain,
        Err(error) => {
            println!("No programs in C: {error:#}");
            return Ok(names);
        }
    };
    let sources = gpu::c::all_programs()?;
    exec::in_parallel(machines, 2, |machine| {
        let build = Build {
            toolchain: &toolchain,
            machine,
            features: &[],
        };
        gpu::c::images(&build, &sources, folder).map(drop)
    })?;
    for source in &sources {
        let name = gpu::c::name(std::slice::from_ref(source))?;
        names.extend(machines.iter().map(|machine| machine.image_name(name)));
    }
    Ok(names)
}

/// Orders of lanes, warps and blocks under which every device program is tried on the emulator.
const SEEDS: u32 = 20;

/// The tests find the loader and the images through two variables, so that the same executable runs on a machine
/// without Rust.
fn e2e(runner: &mut Runner) -> Result<()> {
    let loader = run::build_loader("release")?;
    // Packages have it, whichever compiler is used.
    if let Err(error) = toolchain::with_clang().and_then(|toolchain| toolchain.provide_offload()) {
        eprintln!("the test with LLVM's offload library is skipped: {error:#}");
    }
    let mut command = cargo::host("test");
    command.args(["--release", "-p", "tests", "--no-fail-fast"]);
    // By name, so that the loader need not say that it falls back to it; `GPU_BACKEND=cuda` takes a GPU.
    let backend = std::env::var("GPU_BACKEND").unwrap_or_else(|_| "emulator".into());
    if backend == "emulator" && std::env::var_os("GPU_SEEDS").is_none() {
        command.env("GPU_SEEDS", SEEDS.to_string());
    }
    command.env("GPU_BACKEND", backend);
    command.env("GPU_EMULATOR_DIR", loader.with_file_name("emulator"));
    command.env("GPU_XTASK", std::env::current_exe()?);
    toolchain::c_tools::provide(&mut command);
    runner.run(command.env("GPU_LOADER", loader).env("GPU_IMAGES", images_folder()))?;
    read_images(runner, &images_folder())?;
    // Each instruction of the images for NVIDIA has a row in the table of PTX semantics.
    of_images(runner, &images_folder(), "semantics")
}

/// Compares the emulator's reading of all AMD images with that of LLVM's disassembler.
fn read_images(runner: &mut Runner, images: &Path) -> Result<()> {
    of_images(runner, images, "amdgcn_disassembly")
}

/// One of the emulator's tests that look at images.
fn of_images(runner: &mut Runner, images: &Path, test: &str) -> Result<()> {
    let mut command = cargo::host("test");
    // With the loader, cargo takes the emulator as it is compiled for it already, not with a choice of features of its own.
    command.args(["--release", "-p", "emulator", "-p", "loader", "--test", test, "images"]);
    runner.run(command.env("GPU_IMAGES", images))
}

/// Every program for every processor of AMD, and for one of them at every level those that may differ there.
fn amd(runner: &mut Runner) -> Result<()> {
    let toolchain = toolchain::get()?;
    let cpus = Arch::Amdgcn.all_cpus().iter();
    let mut machines: Vec<_> = cpus.map(|cpu| Machine::new(Arch::Amdgcn, cpu)).collect();
    for level in [OptLevel::O0, OptLevel::O1, OptLevel::O2, OptLevel::Size] {
        machines.push(Machine {
            level,
            ..Machine::new(Arch::Amdgcn, Arch::Amdgcn.default_cpu())
        });
    }
    let folder = places::target().join("test-images-amd");
    for name in gpu::PROGRAMS {
        let package = Package::of_workspace(name)?;
        let programs = package.programs(&[])?;
        exec::in_parallel(&machines, 2, |machine| {
            let build = Build {
                toolchain: &toolchain,
                machine,
                features: &[],
            };
            let mut programs = programs.clone();
            if machine.level != OptLevel::O3 {
                programs.retain(|program| {
                    let name = program.name();
                    TELLING.contains(&name) || OF_LINKERS.contains(&name) || name == LOOKED_AT
                });
            }
            if programs.is_empty() {
                return Ok(());
            }
            build.images(&package, &programs, &folder).map(drop)
        })?;
    }
    c_images(&machines, &folder)?;
    let loader = run::build_loader("release")?;
    let mut command = cargo::host("test");
    command.args(["--release", "-p", "tests", "--no-fail-fast"]);
    command.args(["--test", "programs", "--test", "emitted_isa", "--test", "clients"]);
    command.env("GPU_BACKEND", "emulator");
    runner.run(command.env("GPU_LOADER", loader).env("GPU_IMAGES", &folder))?;
    read_images(runner, &folder)
}

fn tsan(runner: &mut Runner) -> Result<()> {
    let packages = &["rpc-proto", "host-server", "device-rt"];
    sanitizers::test(runner, Sanitizer::Thread, packages, sanitizers::ALL)?;
    // The other tests of the C library are C programs, which know no sanitizer's runtime. With `device-rt`, whose macros need all of syn,
    // cargo takes the server as it is compiled already.
    let packages = &["rpc-server-c", "device-rt"];
    sanitizers::test(runner, Sanitizer::Thread, packages, &["--test", "threads"])
}

fn asan(runner: &mut Runner) -> Result<()> {
    let packages = &["rpc-proto", "host-server"];
    sanitizers::test(runner, Sanitizer::Address, packages, sanitizers::ALL)
}

fn asan_emulator(runner: &mut Runner) -> Result<()> {
    sanitizers::test(runner, Sanitizer::Address, &["emulator"], sanitizers::ALL)?;
    // Its other tests load the emulated drivers, whose libraries look for the sanitizer's runtime in a program that does not export it.
    sanitizers::test(runner, Sanitizer::Address, &["loader"], &["--lib"])
}
