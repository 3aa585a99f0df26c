//! Running the programs of a step: with a time limit, a log file, and a count of tests.

use std::fs::{self, File};
use std::io::{self, BufRead, BufReader, Write};
use std::os::fd::AsRawFd;
use std::path::PathBuf;
use std::process::{Command, ExitStatus, Stdio};
use std::sync::mpsc;
use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail};

use crate::{exec, places};

/// Lets the property tests of a command draw the same cases in every run, unless the caller's environment says which.
///
/// A failure is one of the change that shows it, then, and not of the day. `cargo test` by hand draws others each time.
pub fn same_cases_each_time(command: &mut Command) {
    const SEED: &str = "PROPTEST_RNG_SEED";
    if std::env::var_os(SEED).is_none() {
        command.env(SEED, "1");
    }
}

/// How many checks passed and failed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    pub passed: usize,
    pub failed: usize,
}

/// What holds for every step.
#[derive(Clone, Copy)]
pub struct Limits {
    /// The longest that a step may take.
    pub step: Duration,
    /// Whether all lines are shown.
    pub verbose: bool,
}

/// Runs the commands of one step.
pub struct Runner {
    limits: Limits,
    deadline: Instant,
    log_path: PathBuf,
    log: File,
    tally: Tally,
}

impl Runner {
    pub fn new(step: &str, limits: Limits) -> Result<Runner> {
        let folder = places::target().join("test-logs");
        fs::create_dir_all(&folder).with_context(|| format!("cannot make {}", folder.display()))?;
        let log_path = folder.join(format!("{step}.log"));
        let log = File::create(&log_path).with_context(|| format!("cannot write {}", log_path.display()))?;
        let deadline = Instant::now() + limits.step;
        Ok(Runner {
            limits,
            deadline,
            log_path,
            log,
            tally: Tally::default(),
        })
    }

    /// Runs a command as one check, or as many as it reports itself in the manner of `cargo test`.
    ///
    /// The first failing command does not end a step by itself: the step decides, by `?`.
    pub fn run(&mut self, command: &mut Command) -> Result<()> {
        let shown = exec::describe(command);
        writeln!(self.log, "$ {shown}")?;
        let (reader, writer) = io::pipe()?;
        let mut child = command
            .stdin(Stdio::null())
            .stdout(writer.try_clone()?)
            .stderr(writer)
            .spawn()
            .with_context(|| format!("cannot start `{shown}`"))?;
        // The command holds the pipe's other end: without this, reading would never end.
        command.stdout(Stdio::null()).stderr(Stdio::null());

        let left = self.deadline.saturating_duration_since(Instant::now());
        let (done, watched) = mpsc::channel::<()>();
        let id = child.id();
        let pipe = reader.try_clone()?;
        let watchdog = thread::spawn(move || {
            let late = watched.recv_timeout(left) == Err(mpsc::RecvTimeoutError::Timeout);
            if late {
                kill_all(tree(id).into_iter().chain(holders(&pipe)));
            }
            late
        });
        let before = self.tally;
        self.read(reader)?;
        let status = child.wait()?;
        drop(done);
        let late = watchdog.join().unwrap_or(false);
        self.count(before, status);
        if late {
            bail!(
                "`{shown}` was stopped: a step may take {} minutes",
                self.limits.step.as_secs() / 60
            );
        }
        if !status.success() {
            bail!(
                "`{shown}` failed ({status}); all that it said is in {}",
                self.log_path.display()
            );
        }
        Ok(())
    }

    /// Counts something that ran without a command of its own.
    pub fn passed(&mut self, checks: usize) {
        self.tally.passed += checks;
    }

    /// The step's count. A step that failed has at least one failed check.
    pub fn finish(mut self, failed: bool) -> Tally {
        if failed && self.tally.failed == 0 {
            self.tally.failed = 1;
        }
        self.tally
    }

    fn read(&mut self, reader: io::PipeReader) -> Result<()> {
        for line in BufReader::new(reader).split(b'\n') {
            let line = line?;
            let line = String::from_utf8_lossy(&line);
            writeln!(self.log, "{line}")?;
            if let Some(tally) = summary(&line) {
                self.tally.passed += tally.passed;
                self.tally.failed += tally.failed;
            }
            if self.limits.verbose || !is_routine(&line) {
                println!("{line}");
            }
        }
        Ok(())
    }

    /// A command that reported no tests is one check.
    fn count(&mut self, before: Tally, status: ExitStatus) {
        if self.tally == before {
            if status.success() {
                self.tally.passed += 1;
            } else {
                self.tally.failed += 1;
            }
        }
    }
}

/// The counts of a line such as `test result: ok. 7 passed; 0 failed; 1 ignored; …`.
fn summary(line: &str) -> Option<Tally> {
    let counts = line.strip_prefix("test result: ")?;
    let number = |what: &str| {
        let (before, _) = counts.split_once(&format!(" {what}"))?;
        before.rsplit([' ', ';']).next()?.parse().ok()
    };
    Some(Tally {
        passed: number("passed")?,
        failed: number("failed")?,
    })
}

/// Lines that only say that all is well.
fn is_routine(line: &str) -> bool {
    let line = line.trim();
    line.is_empty()
        || (line.starts_with("test ") && (line.ends_with("... ok") || line.contains(" ... ignored")))
        || line.starts_with("test result: ok. 0 passed")
        || line.starts_with("running ")
        || line.starts_with("Doc-tests ")
        || [
            "Compiling ",
            "Checking ",
            "Finished ",
            "Blocking ",
            "Documenting ",
            "Downloaded ",
            "Generated ",
        ]
        .iter()
        .any(|word| line.starts_with(word))
}

/// Ends processes at once. Some have ended by themselves meanwhile, and that is fine.
fn kill_all(doomed: impl Iterator<Item = u32>) {
    for id in doomed {
        // SAFETY: it touches no memory of ours; the positive number names one process and no group.
        unsafe { libc::kill(id.cast_signed(), libc::SIGKILL) };
    }
}

/// A process and all that it started. cargo passes no signal on to the tests it runs.
fn tree(root: u32) -> Vec<u32> {
    let mut found = vec![root];
    let mut next = 0;
    while let Some(&parent) = found.get(next) {
        found.extend(children(parent));
        next += 1;
    }
    found
}

/// The other processes that hold an end of a pipe: those too whose parent, say a failed test, is gone. While one of them lives, reading
/// does not end.
fn holders(pipe: &io::PipeReader) -> Vec<u32> {
    let Ok(name) = fs::read_link(format!("/proc/self/fd/{}", pipe.as_raw_fd())) else {
        return Vec::new();
    };
    let holds = |id: &u32| {
        let files = fs::read_dir(format!("/proc/{id}/fd")).into_iter().flatten().flatten();
        files
            .into_iter()
            .any(|file| fs::read_link(file.path()).is_ok_and(|other| other == name))
    };
    let processes = fs::read_dir("/proc").into_iter().flatten().flatten();
    processes
        .filter_map(|process| process.file_name().to_str()?.parse().ok())
        .filter(|&id| id != std::process::id() && holds(&id))
        .collect()
}

fn children(parent: u32) -> Vec<u32> {
    let tasks = fs::read_dir(format!("/proc/{parent}/task"))
        .into_iter()
        .flatten()
        .flatten();
    tasks
        .filter_map(|task| fs::read_to_string(task.path().join("children")).ok())
        .flat_map(|list| {
            list.split_whitespace()
                .filter_map(|id| id.parse().ok())
                .collect::<Vec<_>>()
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn runner(name: &str, limit: Duration) -> Runner {
        Runner::new(
            name,
            Limits {
                step: limit,
                verbose: false,
            },
        )
        .unwrap()
    }

    fn shell(script: &str) -> Command {
        let mut command = Command::new("sh");
        command.args(["-c", script]);
        command
    }

    #[test]
    fn counts_what_cargo_test_reports() {
        let mut runner = runner("unit-counts", Duration::from_secs(60));
        let script = "echo 'test result: ok. 7 passed; 0 failed; 1 ignored; 0 measured'; \
                      echo 'test result: FAILED. 2 passed; 3 failed; 0 ignored' >&2; exit 101";
        assert!(runner.run(&mut shell(script)).is_err());
        assert_eq!(runner.finish(true), Tally { passed: 9, failed: 3 });
    }

    #[test]
    fn a_plain_command_is_one_check() {
        let mut runner = runner("unit-plain", Duration::from_secs(60));
        assert!(runner.run(&mut shell("exit 0")).is_ok());
        assert!(runner.run(&mut shell("exit 3")).is_err());
        assert_eq!(runner.finish(true), Tally { passed: 1, failed: 1 });
    }

    #[test]
    fn a_step_that_failed_without_a_failed_test_counts_as_one() {
        let mut runner = runner("unit-crash", Duration::from_secs(60));
        let script = "echo 'test result: ok. 7 passed; 0 failed'; kill -SEGV $$";
        assert!(runner.run(&mut shell(script)).is_err());
        assert_eq!(runner.finish(true), Tally { passed: 7, failed: 1 });
    }

    #[test]
    fn a_late_command_is_stopped_with_what_it_started() {
        let start = Instant::now();
        let mut runner = runner("unit-late", Duration::from_millis(200));
        // The inner shell keeps the pipe open: only its own end closes it.
        let error = runner.run(&mut shell("sh -c 'sleep 60; true'; true")).unwrap_err();
        assert!(error.to_string().contains("was stopped"), "{error}");
        assert!(start.elapsed() < Duration::from_secs(30));
    }

    /// What a failed test leaves running holds the pipe too, and has no parent among ours any more.
    #[test]
    fn what_outlives_its_parent_is_stopped_too() {
        let start = Instant::now();
        let mut runner = runner("unit-orphan", Duration::from_secs(1));
        let error = runner.run(&mut shell("sleep 60 & exit 1")).unwrap_err();
        assert!(error.to_string().contains("was stopped"), "{error}");
        assert!(start.elapsed() < Duration::from_secs(30));
    }
}
