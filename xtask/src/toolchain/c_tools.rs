//! What the tests of the C library compile and check with, beside the system's own compiler.

use std::path::PathBuf;
use std::process::Command;

use anyhow::Result;

use super::tool::Tool;
use super::{installed, pip, with_clang};
use crate::places;

/// Valgrind cannot do without the symbols of the system's own libraries. Beside `/usr/lib/debug` it looks for them by the
/// folder in which the library lies.
const VALGRIND: Tool = Tool {
    name: "valgrind",
    packages: &["valgrind", "libc6-dbg"],
    about: "valgrind and libc6-dbg",
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
    about: "pkgconf-bin and libpkgconf3",
    wrapper: r#"#!/bin/sh
usr=$(cd "$(dirname "$0")" && pwd)/root/usr
LD_LIBRARY_PATH="$usr/lib/x86_64-linux-gnu" exec "$usr/bin/pkgconf" "$@"
"#,
};

/// Tells the tests where everything is. Where something cannot be had, one line says so, and nothing is tested with it.
pub fn provide(tests: &mut Command) {
    for (name, variable, tool) in [
        ("clang", "TEST_CLANG_DIR", clang()),
        ("valgrind", "VALGRIND", VALGRIND.provide()),
        ("pkg-config", "PKG_CONFIG", PKG_CONFIG.provide()),
        ("CMake", "CMAKE", cmake()),
    ] {
        match tool {
            Ok(path) => _ = tests.env(variable, path),
            Err(error) => println!("Not tested with {name}: {error:#}"),
        }
    }
    // The tests look for it in the path themselves, but what a test that passes prints is not shown.
    if installed("g++").is_none() {
        println!("Not tested in C++ on the host: g++ is not installed");
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
