//! What the tests of the C library compile and check with, beside the system's own compiler.

use std::fs;
use std::path::PathBuf;
use std::process::Command;

use anyhow::{Context, Result};

use super::{debian, installed, pip, with_clang, write_executable};
use crate::places;

/// A program that Debian's packages have, unpacked where the system lacks it.
struct Tool {
    name: &'static str,
    packages: &'static [&'static str],
    /// Runs the unpacked program, which was built to be in `/usr`.
    wrapper: &'static str,
}

/// Valgrind cannot do without the symbols of the system's own libraries. Beside `/usr/lib/debug` it looks for them by the
/// folder in which the library lies.
const VALGRIND: Tool = Tool {
    name: "valgrind",
    packages: &["valgrind", "libc6-dbg"],
    wrapper: r#"#!/bin/sh
usr=$(cd "$(dirname "$0")" && pwd)/root/usr
debug=$usr/lib/debug
for folder in "$debug/lib/x86_64-linux-gnu" "$debug/usr/lib/x86_64-linux-gnu"; do
    [ -d "$folder" ] || { mkdir -p "$folder"; ln -s "$debug"/.build-id/*/*.debug "$folder"; }
done
export VALGRIND_LIB="$usr/libexec/valgrind"
exec "$usr/bin/valgrind" --extra-debuginfo-path="$debug" "$@"
"#,
};

const PKG_CONFIG: Tool = Tool {
    name: "pkg-config",
    packages: &["pkgconf-bin", "libpkgconf3"],
    wrapper: r#"#!/bin/sh
usr=$(cd "$(dirname "$0")" && pwd)/root/usr
LD_LIBRARY_PATH="$usr/lib/x86_64-linux-gnu" exec "$usr/bin/pkgconf" "$@"
"#,
};

/// Tells the tests where everything is. Where something cannot be had, one line says so, and nothing is tested with it.
pub fn provide(tests: &mut Command) {
    for (variable, tool) in [
        ("TEST_CLANG_DIR", clang()),
        ("VALGRIND", VALGRIND.provide()),
        ("PKG_CONFIG", PKG_CONFIG.provide()),
        ("CMAKE", cmake()),
    ] {
        match tool {
            Ok(path) => _ = tests.env(variable, path),
            Err(error) => println!("No {variable} for the tests of the C library: {error:#}"),
        }
    }
}

/// The folder with clang and clang++.
fn clang() -> Result<PathBuf> {
    Ok(with_clang()?.llvm_bin)
}

fn cmake() -> Result<PathBuf> {
    if let Some(found) = installed("cmake") {
        return Ok(found);
    }
    let folder = places::gpu_toolchain().join("cmake");
    let program = folder.join("bin/cmake");
    if !program.exists() {
        eprintln!("Fetching CMake (30 MB, 90 MB on disk)");
        pip::install(&["cmake>=3.16"], &folder)?;
    }
    Ok(program)
}

impl Tool {
    fn provide(&self) -> Result<PathBuf> {
        if let Some(found) = installed(self.name) {
            return Ok(found);
        }
        let folder = places::gpu_toolchain().join(self.name);
        let wrapper = folder.join(self.name);
        if !wrapper.exists() {
            eprintln!("Fetching {}", self.packages.join(" and "));
            debian::fetch(self.packages, &folder.join("root"))?;
            write_executable(&wrapper, self.wrapper)?;
        }
        fs::canonicalize(&wrapper).with_context(|| format!("cannot find {}", wrapper.display()))
    }
}
