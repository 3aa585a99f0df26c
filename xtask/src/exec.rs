//! Running other programs.

use std::ffi::OsStr;
use std::path::Path;
use std::process::{Command, Output, Stdio};
use std::sync::Mutex;
use std::thread;

use anyhow::{Context, Result, bail};

/// How a command is shown to a human: program and arguments, without the environment.
pub fn describe(command: &Command) -> String {
    let words = std::iter::once(command.get_program()).chain(command.get_args());
    words.map(OsStr::to_string_lossy).collect::<Vec<_>>().join(" ")
}

/// Runs a command whose output goes where ours goes; fails when it does.
pub fn run(command: &mut Command) -> Result<()> {
    let status = command
        .status()
        .with_context(|| format!("cannot start `{}`", describe(command)))?;
    if !status.success() {
        bail!("`{}` failed ({status})", describe(command));
    }
    Ok(())
}

/// Runs a command and returns what it printed; fails when it does, quoting the end of its stderr.
pub fn capture(command: &mut Command) -> Result<Output> {
    let output = command
        .stdin(Stdio::null())
        .output()
        .with_context(|| format!("cannot start `{}`", describe(command)))?;
    if !output.status.success() {
        let stderr = String::from_utf8_lossy(&output.stderr);
        let lines: Vec<_> = stderr.lines().collect();
        let tail = lines[lines.len().saturating_sub(12)..].join("\n");
        bail!("`{}` failed ({}):\n{tail}", describe(command), output.status);
    }
    Ok(output)
}

/// Like [`capture`], for the text on stdout.
pub fn capture_text(command: &mut Command) -> Result<String> {
    Ok(String::from_utf8_lossy(&capture(command)?.stdout).into_owned())
}

/// A directory list such as `PATH` with `first` put before what the variable holds now.
pub fn path_with(first: &Path) -> Result<std::ffi::OsString> {
    let old = std::env::var_os("PATH").unwrap_or_default();
    let all = std::iter::once(first.to_owned()).chain(std::env::split_paths(&old));
    std::env::join_paths(all).context("a directory of PATH has a colon in its name")
}

/// Calls `work` for all items from at most `threads` threads; the first error ends it.
pub fn in_parallel<T: Sync>(items: &[T], threads: usize, work: impl Fn(&T) -> Result<()> + Sync) -> Result<()> {
    let queue = Mutex::new(items.iter());
    let next = || queue.lock().expect("no worker panics while it holds the queue").next();
    thread::scope(|scope| {
        let workers: Vec<_> = (0..threads)
            .map(|_| scope.spawn(|| std::iter::from_fn(next).try_for_each(&work)))
            .collect();
        workers
            .into_iter()
            .try_for_each(|worker| worker.join().expect("a worker never panics"))
    })
}
