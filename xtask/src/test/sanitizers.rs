//! Host crates under LLVM's sanitizers.
//!
//! ThreadSanitizer must see every synchronisation, those of `std` included: so `std` is compiled
//! with it, by the GPU compiler, which has its sources.

use std::process::Command;

use anyhow::Result;

use super::run::{Runner, same_cases_each_time};
use crate::{cargo, places, toolchain};

/// What is looked for.
#[derive(Clone, Copy)]
pub enum Sanitizer {
    /// Data races.
    Thread,
    /// Accesses out of bounds and after free.
    Address,
}

impl Sanitizer {
    fn name(self) -> &'static str {
        match self {
            Sanitizer::Thread => "thread",
            Sanitizer::Address => "address",
        }
    }
}

/// The library and the integration tests: examples and benchmarks have nothing to add.
pub const ALL: &[&str] = &["--lib", "--tests"];

/// Runs those tests of some packages that `targets` selects, under a sanitizer.
pub fn test(runner: &mut Runner, sanitizer: Sanitizer, packages: &[&str], targets: &[&str]) -> Result<()> {
    let toolchain = toolchain::get()?;
    toolchain.provide_sanitizers()?;
    let mut flags = vec![format!("-Zsanitizer={}", sanitizer.name()), "-Copt-level=1".to_owned()];
    if let Some(sysroot) = &toolchain.sysroot {
        flags.push(format!("--sysroot={}", sysroot.display()));
    }
    let mut command = cargo::host("test");
    command
        .args(targets)
        .args(["--no-fail-fast", "-Zbuild-std"])
        // With a target named, build scripts and macros are left as they are.
        .arg("--target=x86_64-unknown-linux-gnu")
        .arg("--target-dir")
        .arg(places::target().join(sanitizer.name()));
    for package in packages {
        command.args(["-p", package]);
    }
    toolchain.apply(&mut command)?;
    same_cases_each_time(&mut command);
    options(&mut command, sanitizer)
        .env("RUSTC", &toolchain.rustc)
        .env("RUSTC_BOOTSTRAP", "1")
        .env("CARGO_ENCODED_RUSTFLAGS", flags.join("\u{1f}"))
        .env_remove("RUSTUP_TOOLCHAIN");
    runner.run(&mut command)
}

/// The sanitizers' own options: reports end the test that caused them.
fn options(command: &mut Command, sanitizer: Sanitizer) -> &mut Command {
    match sanitizer {
        Sanitizer::Thread => command.env("TSAN_OPTIONS", "halt_on_error=1 second_deadlock_stack=1"),
        Sanitizer::Address => command.env("ASAN_OPTIONS", "detect_stack_use_after_return=1"),
    }
}
