//! A GPU compiler from Debian 12's packages: fetched with apt's own signature checks into private
//! state, unpacked into a folder. Nothing is installed; root is not needed.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, anyhow, bail};

use super::{Toolchain, Way};
use crate::{exec, places};

/// The packages with the compiler, its library's sources, LLVM's tools and the drivers of lld.
const PACKAGES: &[&str] = &[
    "rustc-web",
    "rust-web-src",
    "rust-web-llvm",
    "libstd-rust-web-1.96",
    "libstd-rust-web-dev",
    "llvm-22",
    "llvm-22-linker-tools",
    "libllvm22",
    "lld-22",
    "liblld-22",
    "clang-22",
    "libclang-cpp22",
    "libclang1-22",
    "libclang-common-22-dev",
    // For C programs in tests.
    "libhsa-runtime-dev",
];

/// The package with the sanitizers' libraries.
const SANITIZERS: &str = "libclang-rt-22-dev";

/// LLVM's offload library and its header, for a test that uses it as any client does.
const OFFLOAD: &[&str] = &["liboffload-22", "liboffload-22-dev"];

/// Shared libraries of the system that LLVM needs and a bare system may lack, with their packages.
const LIBRARIES: &[(&str, &str)] = &[
    ("libedit.so.2", "libedit2"),
    ("libbsd.so.0", "libbsd0"),
    ("libmd.so.0", "libmd0"),
    ("libxml2.so.2", "libxml2"),
    ("libicuuc.so.72", "libicu72"),
    ("libz3.so.4", "libz3-4"),
    ("libffi.so.8", "libffi8"),
    ("libzstd.so.1", "libzstd1"),
    ("liblzma.so.5", "liblzma5"),
    ("libtinfo.so.6", "libtinfo6"),
    ("libz.so.1", "zlib1g"),
    ("libstdc++.so.6", "libstdc++6"),
];

/// Where Debian itself has them.
const SOURCES: &str = "\
deb [signed-by=/usr/share/keyrings/debian-archive-keyring.gpg] http://deb.debian.org/debian bookworm main
deb [signed-by=/usr/share/keyrings/debian-archive-keyring.gpg] http://deb.debian.org/debian-security bookworm-security main
";

fn root() -> PathBuf {
    places::gpu_toolchain().join("root")
}

/// An unpacked toolchain, where there is one.
pub fn present() -> Option<Toolchain> {
    let root = root();
    let usr = root.join("usr");
    let llvm = usr.join("lib/llvm-22");
    let needed = [
        usr.join("bin/rustc"),
        usr.join("lib/rustlib/src/rust/library/core"),
        usr.join("lib/rustlib/x86_64-unknown-linux-gnu/lib"),
        llvm.join("bin/llc"),
        llvm.join("bin/clang-22"),
        llvm.join("bin/ld.lld"),
    ];
    needed.iter().all(|path| path.exists()).then(|| Toolchain {
        way: Way::Debian,
        name: format!("Debian's rustc-web and LLVM 22 in {}", root.display()),
        rustc: usr.join("bin/rustc"),
        sysroot: Some(usr.clone()),
        llvm_bin: llvm.join("bin"),
        libraries: library_dirs(&root),
    })
}

fn library_dirs(root: &Path) -> Vec<PathBuf> {
    vec![
        root.join("usr/lib/x86_64-linux-gnu"),
        root.join("usr/lib/llvm-22/lib"),
        root.join("lib/x86_64-linux-gnu"),
    ]
}

/// Fetches and unpacks the packages.
pub fn install() -> Result<Toolchain> {
    eprintln!("Reading Debian's package lists");
    let apt = Apt::updated(&places::gpu_toolchain(), PACKAGES)?;
    eprintln!("Fetching rustc-web and LLVM 22 (180 MB, 1.1 GB on disk)");
    let packages = apt.download(PACKAGES)?;

    // Unpacked beside its place and renamed, so that an interrupted run leaves nothing half done.
    let partial = places::gpu_toolchain().join("root.partial");
    if partial.exists() {
        fs::remove_dir_all(&partial).with_context(|| format!("cannot remove {}", partial.display()))?;
    }
    eprintln!("Unpacking {} packages", packages.len());
    unpack(&packages, &partial)?;
    let missing = missing_libraries(&partial)?;
    if !missing.is_empty() {
        eprintln!("Fetching {} too", missing.join(", "));
        unpack(&apt.download(&missing)?, &partial)?;
    }
    let root = root();
    if root.exists() {
        fs::remove_dir_all(&root).with_context(|| format!("cannot remove {}", root.display()))?;
    }
    fs::rename(&partial, &root).with_context(|| format!("cannot rename {}", partial.display()))?;
    for package in packages {
        fs::remove_file(&package).with_context(|| format!("cannot remove {}", package.display()))?;
    }
    present().context("Debian's packages lack a part of the compiler")
}

/// Fetches packages that are no part of the compiler, and unpacks them into a folder.
pub fn fetch(packages: &[&str], into: &Path) -> Result<()> {
    let apt = Apt::updated(&places::gpu_toolchain(), packages)?;
    unpack(&apt.download(packages)?, into)
}

/// apt with its state in a folder of ours.
struct Apt {
    folder: PathBuf,
    /// Whether Debian's own servers are used instead of what the system is configured for.
    own_sources: bool,
}

impl Apt {
    /// apt with fresh lists that have these packages: from the system's sources, or from Debian's servers where those lack one, as
    /// without the security suite.
    fn updated(folder: &Path, packages: &[&str]) -> Result<Apt> {
        let release = fs::read_to_string("/etc/os-release").unwrap_or_default();
        if !release.lines().any(|line| line == "VERSION_CODENAME=bookworm") {
            bail!("Debian's packages are for Debian 12, and this system is another");
        }
        for sub in ["apt/lists/partial", "apt/cache/archives/partial", "debs"] {
            let path = folder.join(sub);
            fs::create_dir_all(&path).with_context(|| format!("cannot make {}", path.display()))?;
        }
        let mut apt = Apt {
            folder: fs::canonicalize(folder).context("the toolchain's folder")?,
            own_sources: false,
        };
        if apt.update(packages).is_err() {
            apt.own_sources = true;
            fs::write(apt.folder.join("apt/sources.list"), SOURCES)?;
            apt.update(packages).context(
                "neither the system's package lists nor those of deb.debian.org (bookworm and bookworm-security) have all that is needed; \
                 add a mirror of both to /etc/apt/sources.list",
            )?;
        }
        Ok(apt)
    }

    fn update(&self, packages: &[&str]) -> Result<()> {
        self.run("apt-get", &["update"])?;
        // Fetches nothing, and fails for a package that no list has; `apt-cache show` does not.
        self.run("apt-get", &[&["--print-uris", "download"], packages].concat())
    }

    /// Runs one of apt's programs. An error has the last line of what it said, and none of our many options.
    fn run(&self, program: &str, arguments: &[&str]) -> Result<()> {
        exec::capture(self.command(program).args(arguments))
            .map(drop)
            .map_err(|error| {
                let text = error.to_string();
                anyhow!("{program}: {}", text.lines().last().unwrap_or_default())
            })
    }

    fn command(&self, program: &str) -> Command {
        let state = self.folder.join("apt");
        let mut options = vec![
            format!("Dir::State={}", state.display()),
            format!("Dir::State::lists={}/lists", state.display()),
            format!("Dir::Cache={}/cache", state.display()),
            "Dir::State::status=/var/lib/dpkg/status".into(),
            "Debug::NoLocking=true".into(),
            // Downloads run as whoever we are: another user could not write into our folder.
            "APT::Sandbox::User=".into(),
            "APT::Architectures=amd64".into(),
            "Acquire::Languages=none".into(),
            "Acquire::Retries=3".into(),
        ];
        if self.own_sources {
            options.push(format!("Dir::Etc::sourcelist={}/sources.list", state.display()));
            options.push("Dir::Etc::sourceparts=/dev/null".into());
        }
        let mut command = Command::new(program);
        for option in options {
            command.arg("-o").arg(option);
        }
        command.current_dir(self.folder.join("debs"));
        command
    }

    /// Fetches packages, several at a time, and returns their files.
    fn download(&self, packages: &[&str]) -> Result<Vec<PathBuf>> {
        // One process builds the cache that all others then read.
        self.run("apt-cache", &["gencaches"])?;
        exec::in_parallel(packages, 4, |package| self.run("apt-get", &["download", package]))?;
        let files: Vec<PathBuf> = fs::read_dir(self.folder.join("debs"))?
            .map(|entry| Ok(entry?.path()))
            .collect::<Result<_>>()?;
        packages
            .iter()
            .map(|package| {
                let of_package = |path: &&PathBuf| {
                    let name = path.file_name().unwrap_or_default().to_string_lossy();
                    name.strip_prefix(package).is_some_and(|rest| rest.starts_with('_'))
                };
                let newest = files
                    .iter()
                    .filter(of_package)
                    .max_by_key(|path| fs::metadata(path).and_then(|data| data.modified()).ok());
                newest
                    .cloned()
                    .with_context(|| format!("apt fetched no file for {package}"))
            })
            .collect()
    }
}

fn unpack(packages: &[PathBuf], into: &Path) -> Result<()> {
    fs::create_dir_all(into).with_context(|| format!("cannot make {}", into.display()))?;
    // The largest first: the last one should not run alone.
    let mut packages = packages.to_vec();
    packages.sort_by_key(|path| std::cmp::Reverse(fs::metadata(path).map_or(0, |data| data.len())));
    exec::in_parallel(&packages, 4, |package| {
        exec::capture(Command::new("dpkg-deb").arg("-x").arg(package).arg(into)).map(drop)
    })
}

/// Puts LLVM's sanitizer libraries where Debian's rustc looks for its own, which it lacks.
pub fn provide_sanitizers() -> Result<()> {
    let root = root();
    let place = root.join("usr/lib/rustlib/x86_64-unknown-linux-gnu/lib");
    let source = root.join("usr/lib/llvm-22/lib/clang/22/lib/linux");
    for short in ["tsan", "asan"] {
        let library = place.join(format!("librustc-stable_rt.{short}.a"));
        if library.exists() {
            continue;
        }
        let llvms = source.join(format!("libclang_rt.{short}-x86_64.a"));
        if !llvms.exists() {
            eprintln!("Fetching {SANITIZERS}");
            fetch(&[SANITIZERS], &root)?;
        }
        fs::copy(&llvms, &library).with_context(|| format!("{SANITIZERS} has no {}", llvms.display()))?;
    }
    Ok(())
}

/// Puts LLVM's offload library beside the compiler.
pub fn provide_offload() -> Result<()> {
    let root = root();
    if root.join("usr/lib/llvm-22/include/offload/OffloadAPI.h").exists() {
        return Ok(());
    }
    eprintln!("Fetching {}", OFFLOAD.join(" and "));
    fetch(OFFLOAD, &root)
}

/// Packages of the shared libraries that the unpacked programs ask for in vain.
fn missing_libraries(root: &Path) -> Result<Vec<&'static str>> {
    let libraries = std::env::join_paths(library_dirs(root))?;
    let mut text = String::new();
    for program in [
        "usr/bin/rustc",
        "usr/lib/llvm-22/bin/clang-22",
        "usr/lib/llvm-22/bin/lld",
    ] {
        let mut ldd = Command::new("ldd");
        ldd.arg(root.join(program)).env("LD_LIBRARY_PATH", &libraries);
        text += &exec::capture_text(&mut ldd)?;
    }
    let absent = |name: &str| {
        text.lines()
            .any(|line| line.contains(name) && line.contains("not found"))
    };
    // A missing library hides those that it needs itself; each of these is small, so all of its
    // group are fetched with the first.
    let absent: Vec<_> = LIBRARIES
        .iter()
        .filter(|(name, _)| absent(name))
        .map(|(_, package)| *package)
        .collect();
    let mut packages = absent.clone();
    for (parent, children) in [
        ("libedit2", &["libbsd0", "libmd0", "libtinfo6"][..]),
        ("libxml2", &["libicu72", "liblzma5"]),
    ] {
        if absent.contains(&parent) {
            packages.extend(children.iter().filter(|child| !absent.contains(child)));
        }
    }
    Ok(packages)
}
