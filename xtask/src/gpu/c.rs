//! Programs in C and C++: compiled by clang, linked with the C library of `device-rt/c`, into the same images as Rust's.
//!
//! Everything is bitcode until the last step, so that calls between the program and the library are inlined, and what a
//! program does not reach is not there. The library is built once for each machine: its Rust part by cargo, its C part by clang.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result};

use super::{Arch, Build, build, copy_if_changed};
use crate::{exec, places};

/// What the names of sources end with.
const EXTENSIONS: &[&str] = &["c", "cc", "cpp", "cxx"];

/// The folders of this repository with programs in C and C++, one source each.
const PROGRAMS: &[&str] = &["examples/c", "tests/programs"];

/// What hosts look for in an image, besides kernels.
const EXPORTED: &[&str] = &[
    "_begin",
    "_start",
    "_end",
    "__llvm_rpc_client",
    "__rpc_ext_client",
    "__llvm_libc_clock_freq",
    "__init_array_start",
    "__init_array_end",
    "__fini_array_start",
    "__fini_array_end",
];

/// Whether a program is given by a source in C or C++.
pub fn is_source(path: &Path) -> bool {
    extension(path).is_some_and(|extension| EXTENSIONS.contains(&extension))
}

fn extension(path: &Path) -> Option<&str> {
    path.extension()?.to_str()
}

/// The programs of this repository.
pub fn all_programs() -> Result<Vec<PathBuf>> {
    let mut sources = Vec::new();
    for folder in PROGRAMS {
        sources.extend(self::sources(&places::root().join(folder))?);
    }
    Ok(sources)
}

/// The sources in a folder.
fn sources(folder: &Path) -> Result<Vec<PathBuf>> {
    let entries = fs::read_dir(folder).with_context(|| format!("cannot read {}", folder.display()))?;
    let mut sources = Vec::new();
    for entry in entries {
        sources.push(entry?.path());
    }
    sources.retain(|path| is_source(path));
    sources.sort();
    Ok(sources)
}

/// A program's name: that of its first source.
pub fn name(sources: &[PathBuf]) -> Result<&str> {
    let stem = sources.first().and_then(|source| source.file_stem()?.to_str());
    stem.context("a program in C is given by at least one source with a name in UTF-8")
}

/// Builds one program of these sources and puts its image into `out`.
pub fn image(build: &Build<'_>, sources: &[PathBuf], out: &Path) -> Result<PathBuf> {
    let library = library(build)?;
    program(build, &library, sources, out)
}

/// Builds programs of one source each.
pub fn images(build: &Build<'_>, sources: &[PathBuf], out: &Path) -> Result<Vec<PathBuf>> {
    let library = library(build)?;
    let build_one = |source: &PathBuf| program(build, &library, std::slice::from_ref(source), out);
    sources.iter().map(build_one).collect()
}

fn program(build: &Build<'_>, library: &Path, sources: &[PathBuf], out: &Path) -> Result<PathBuf> {
    let name = name(sources)?;
    fs::create_dir_all(out).with_context(|| format!("cannot make {}", out.display()))?;
    let folder = folder(build).join(format!("program-{name}"));
    let objects = compile(build, sources, &folder, &[])?;

    let own = folder.join("own.bc");
    exec::capture(build.toolchain.llvm("llvm-link")?.args(&objects).arg("-o").arg(&own))?;
    // A function of the program goes before one of the library with the same name, as with any C library.
    let all = folder.join("all.bc");
    exec::capture(
        build
            .toolchain
            .llvm("llvm-link")?
            .arg(library)
            .arg("--override")
            .arg(&own)
            .arg("-o")
            .arg(&all),
    )?;

    let machine = build.machine;
    let built = folder.join(machine.image_name(name));
    let mut linker = build::linker(build)?;
    linker.arg(&all).arg("-o").arg(&built);
    linker.args(["--target", machine.arch.triple(), "--target-cpu", &machine.cpu]);
    linker.arg(format!("--target-feature={}", machine.features().join(",")));
    linker.arg(format!("-{}", machine.level));
    for symbol in EXPORTED {
        linker.args(["--export-symbol", symbol]);
    }
    for kernel in kernels(build, &own)? {
        linker.args(["--export-symbol", &kernel]);
    }
    if machine.allow_undefined {
        linker.arg(crate::linker::ALLOW_UNDEFINED);
    }
    link_if_changed(&mut linker, &all, &built).with_context(|| format!("cannot link {name}"))?;
    let image = out.join(machine.image_name(name));
    copy_if_changed(&built, &image)?;
    Ok(image)
}

/// Links, which takes seconds, unless the image is there already: from the same bitcode, in the same way, by the same linker.
fn link_if_changed(linker: &mut Command, bitcode: &Path, image: &Path) -> Result<()> {
    let linker_made = fs::metadata(linker.get_program()).and_then(|file| file.modified())?;
    let how = format!("{} {linker_made:?}\n", exec::describe(linker));
    let now = [how.into_bytes(), fs::read(bitcode)?].concat();
    let record = image.with_added_extension("linked");
    if image.exists() && fs::read(&record).is_ok_and(|before| before == now) {
        return Ok(());
    }
    // Where linking fails or is stopped, nothing says that it was done.
    let _ = fs::remove_file(&record);
    exec::capture(linker)?;
    fs::write(&record, now).with_context(|| format!("cannot write {}", record.display()))
}

/// The library as one file of bitcode.
pub fn library(build: &Build<'_>) -> Result<PathBuf> {
    let folder = folder(build);
    let source = places::root().join("device-rt/c");
    let mut parts = compile(build, &sources(&source.join("c"))?, &folder, &["-ffreestanding"])?;
    parts.push(build::bitcode(
        build,
        &source.join("Cargo.toml"),
        "device-rt-c",
        &folder,
    )?);
    let library = folder.join("libdevice_rt_c.bc");
    let partial = folder.join(format!("libdevice_rt_c.{}.bc", std::process::id()));
    exec::capture(build.toolchain.llvm("llvm-link")?.args(&parts).arg("-o").arg(&partial))?;
    copy_if_changed(&partial, &library)?;
    fs::remove_file(&partial)?;
    Ok(library)
}

fn folder(build: &Build<'_>) -> PathBuf {
    places::gpu_target().join(build.machine.folder()).join("c")
}

/// Compiles sources to bitcode in a folder.
fn compile(build: &Build<'_>, sources: &[PathBuf], folder: &Path, more: &[&str]) -> Result<Vec<PathBuf>> {
    fs::create_dir_all(folder).with_context(|| format!("cannot make {}", folder.display()))?;
    let mut objects = Vec::new();
    for source in sources {
        let name = source.file_name().unwrap_or_default().to_string_lossy();
        let object = folder.join(format!("{name}.bc"));
        let mut clang = clang(build)?;
        clang.args(more).arg(source).arg("-o").arg(&object);
        if extension(source) != Some("c") {
            // Nothing of C++'s own library is there, and nothing that needs it.
            clang.args(["-fno-exceptions", "-fno-rtti", "-fno-threadsafe-statics", "-nostdinc++"]);
        }
        // Warnings are worth seeing, too.
        exec::run(&mut clang)?;
        objects.push(object);
    }
    Ok(objects)
}

/// clang with everything but the source.
fn clang(build: &Build<'_>) -> Result<Command> {
    let (toolchain, machine) = (build.toolchain, build.machine);
    let mut clang = toolchain.llvm("clang")?;
    clang.args(["-c", "-emit-llvm", "-Wall", "-nogpulib", "-nostdlibinc"]);
    // clang has a way of its own for `printf` on NVIDIA, which leads to the library only by luck.
    clang.arg("-fno-builtin-printf");
    clang.arg("-isystem").arg(places::root().join("device-rt/c/include"));
    clang.arg(format!("--target={}", machine.arch.triple()));
    clang.arg(format!("-{}", machine.level));
    clang.args(crate::linker::INLINING.iter().flat_map(|limit| ["-mllvm", limit]));
    // Lane operations hide behind calls: no call may be moved to where fewer lanes are.
    clang.args(["-Xclang", "-fconvergent-functions"]);
    match machine.arch {
        Arch::Nvptx => {
            clang.arg(format!("-march={}", machine.cpu));
            let features = machine.features();
            clang.args(features.iter().map(|feature| format!("--cuda-feature={feature}")));
        }
        Arch::Amdgcn => {
            clang.arg(format!("-mcpu={}", machine.cpu));
            clang.arg(format!("-mcode-object-version={}", machine.code_object.number()));
            // The one feature that there is to choose.
            if !machine.features().is_empty() {
                clang.arg("-mwavefrontsize64");
            }
        }
    }
    Ok(clang)
}

/// The kernels that a program defines itself.
fn kernels(build: &Build<'_>, program: &Path) -> Result<Vec<String>> {
    let text = exec::capture_text(build.toolchain.llvm("llvm-dis")?.arg(program).args(["-o", "-"]))?;
    let kernel = |line: &str| {
        let is_one = line.starts_with("define ") && (line.contains(" ptx_kernel ") || line.contains(" amdgpu_kernel "));
        let (_, name) = line.split_once('@').filter(|_| is_one)?;
        Some(name.split('(').next()?.to_owned())
    };
    Ok(text.lines().filter_map(kernel).collect())
}
