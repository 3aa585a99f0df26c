//! `test`: everything that must hold, in steps that also run alone.
//!
//! The steps themselves are in [`steps`]. This file runs them, counts what passed and what failed,
//! and sums up. The last line of the output is always `N passed, N failed`.

mod python;
mod run;
mod sanitizers;
mod steps;

use std::process::{Command, ExitCode};
use std::time::{Duration, Instant};

use anyhow::{Result, bail};
use clap::Args;

use crate::{cargo, exec};

pub use run::{Limits, Tally};
use steps::STEPS;

#[derive(Args, Default)]
pub struct TestOptions {
    /// Steps to run [default: all that --list does not call by name only]
    steps: Vec<String>,
    /// Lists the steps
    #[arg(long)]
    list: bool,
    /// Runs all steps but these
    #[arg(long, value_delimiter = ',', value_name = "STEPS")]
    skip: Vec<String>,
    /// Minutes after which a step is stopped and counts as failed [default: 30]
    #[arg(long)]
    limit: Option<u64>,
    /// Shows every line that a step prints (they are in target/test-logs in any case)
    #[arg(short, long)]
    verbose: bool,
}

/// A step: its name, what it checks, and the function that does it.
pub struct Step {
    name: &'static str,
    about: &'static str,
    /// Whether it runs unless steps are named. What takes longer than all others together does not.
    by_default: bool,
    run: fn(&mut run::Runner) -> Result<()>,
}

/// How a step ended.
struct Outcome {
    name: &'static str,
    tally: Tally,
    time: Duration,
    error: Option<String>,
}

/// The command.
pub fn command(options: &TestOptions) -> Result<ExitCode> {
    if options.list {
        for step in STEPS {
            println!("{:<10} {}", step.name, step.about);
        }
        return Ok(ExitCode::SUCCESS);
    }
    let chosen = choose(options)?;
    provide_components()?;
    let mut outcomes = Vec::new();
    for (index, step) in chosen.iter().enumerate() {
        println!("[{}/{}] {}: {}", index + 1, chosen.len(), step.name, step.about);
        let start = Instant::now();
        let limits = Limits {
            step: Duration::from_secs(60 * options.limit.unwrap_or(30)),
            verbose: options.verbose,
        };
        let mut runner = run::Runner::new(step.name, limits)?;
        let error = (step.run)(&mut runner).err().map(|error| format!("{error:#}"));
        let tally = runner.finish(error.is_some());
        if let Some(error) = &error {
            println!("{} failed: {error}", step.name);
        }
        outcomes.push(Outcome {
            name: step.name,
            tally,
            time: start.elapsed(),
            error,
        });
    }
    Ok(summarise(&outcomes))
}

/// A minimal host toolchain has neither rustfmt nor clippy.
fn provide_components() -> Result<()> {
    for (subcommand, component) in [("fmt", "rustfmt"), ("clippy", "clippy")] {
        if exec::capture(cargo::host(subcommand).arg("--version")).is_err() {
            println!("Adding {component} to the host toolchain");
            exec::capture(Command::new("rustup").args(["component", "add", component]))?;
        }
    }
    Ok(())
}

fn choose(options: &TestOptions) -> Result<Vec<&'static Step>> {
    for name in options.steps.iter().chain(&options.skip) {
        if !STEPS.iter().any(|step| step.name == name) {
            let known: Vec<_> = STEPS.iter().map(|step| step.name).collect();
            bail!("there is no step \"{name}\", only {}", known.join(", "));
        }
    }
    let wanted = |step: &&Step| {
        let named = options.steps.iter().any(|name| name == step.name);
        let skipped = options.skip.iter().any(|name| name == step.name);
        !skipped && (named || options.steps.is_empty() && step.by_default)
    };
    Ok(STEPS.iter().filter(wanted).collect())
}

/// Prints the table and the closing line.
fn summarise(outcomes: &[Outcome]) -> ExitCode {
    println!("\n{:<10} {:>8} {:>8} {:>8}", "step", "passed", "failed", "seconds");
    let mut sum = Tally::default();
    for Outcome {
        name,
        tally,
        time,
        error,
    } in outcomes
    {
        let mark = if error.is_some() { "  FAILED" } else { "" };
        println!(
            "{name:<10} {:>8} {:>8} {:>8.1}{mark}",
            tally.passed,
            tally.failed,
            time.as_secs_f64()
        );
        sum.passed += tally.passed;
        sum.failed += tally.failed;
    }
    let total: Duration = outcomes.iter().map(|outcome| outcome.time).sum();
    println!(
        "{:<10} {:>8} {:>8} {:>8.1}\n",
        "all",
        sum.passed,
        sum.failed,
        total.as_secs_f64()
    );
    println!("{} passed, {} failed", sum.passed, sum.failed);
    if sum.failed == 0 {
        ExitCode::SUCCESS
    } else {
        ExitCode::FAILURE
    }
}
