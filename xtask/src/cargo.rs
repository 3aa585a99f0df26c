//! Running cargo for the host, and showing what it says.

use std::io::{self, BufRead, BufReader, IsTerminal, Read};
use std::path::Path;
use std::process::{Command, Stdio};
use std::thread;

use anyhow::{Context, Result, bail};
use serde_json::Value;

use crate::{exec, places};

/// The host's cargo, in the root of the workspace.
pub fn host(subcommand: &str) -> Command {
    let mut command = Command::new(places::cargo());
    command.arg(subcommand).current_dir(places::root());
    // Set by the cargo that runs us, for us: what is started from here must not see it.
    command.env_remove("LD_LIBRARY_PATH");
    command
}

/// Runs cargo; what it says is passed on without the lines that only say that all is well.
pub fn run_quietly(command: &mut Command) -> Result<()> {
    capture_quietly(command).map(drop)
}

/// Like [`run_quietly`], and returns what it printed on stdout.
pub fn capture_quietly(command: &mut Command) -> Result<String> {
    let mut child = command
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .env("CARGO_TERM_COLOR", colour())
        .spawn()
        .with_context(|| format!("cannot start `{}`", exec::describe(command)))?;
    let progress = child
        .stderr
        .take()
        .map(|stderr| thread::spawn(move || forward_progress(stderr)));
    let mut text = String::new();
    if let Some(mut stdout) = child.stdout.take() {
        stdout.read_to_string(&mut text)?;
    }
    if let Some(progress) = progress {
        let _ = progress.join();
    }
    if !child.wait()?.success() {
        bail!("`{}` failed", exec::describe(command));
    }
    Ok(text)
}

/// `CARGO_TERM_COLOR` for a cargo whose stderr we pass on.
pub fn colour() -> &'static str {
    if io::stderr().is_terminal() { "always" } else { "never" }
}

/// Passes on what cargo says, without the lines that only say that all is well.
pub fn forward_progress(stderr: impl Read) {
    for line in BufReader::new(stderr).lines().map_while(Result::ok) {
        let idle = ["Finished ", "Blocking waiting"].iter().any(|word| line.contains(word))
            || (line.contains("generated") && line.contains("warning"));
        if !idle {
            eprintln!("{line}");
        }
    }
}

/// The packages of the workspace of a manifest, as `cargo metadata` describes them.
pub fn metadata(manifest: &Path) -> Result<Vec<Value>> {
    let text = exec::capture_text(
        Command::new(places::cargo())
            .args(["metadata", "--no-deps", "--format-version=1", "--manifest-path"])
            .arg(manifest),
    )?;
    let mut metadata: Value = serde_json::from_str(&text).context("cargo metadata")?;
    match metadata["packages"].take() {
        Value::Array(packages) => Ok(packages),
        _ => bail!("cargo metadata names no packages"),
    }
}
