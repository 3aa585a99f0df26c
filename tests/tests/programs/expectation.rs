//! The format of `programs/NAME.toml`.
//!
//! ```toml
//! # Symbols that the image must not have.
//! absent = ["__llvm_rpc_client"]
//!
//! [[run]]                    # everything below has a default
//! blocks = [2, 1, 1]         # or one number
//! threads = 33
//! args = ["one", "two"]
//! env = { NAME = "value" }
//! stdin = "text"
//! shared_mem = 4096
//! ports = 1
//! options = ["--dir", "{tmp}"]   # more options of the loader; an empty folder
//! files = { "out" = "text" }     # what the folder's files hold in the end
//! timeout = 3                # seconds that the loader gives the program
//! size = "large"             # too long for an emulator: only with GPU_LARGE
//! exit = 101
//! exit_apart = [101, 1]      # what it may be as well where the lanes of a warp may part: on a GPU, and under seeds
//! stdout = "exact text"
//! stderr_each = "thread {index}\n"
//! ordered = false            # compare lines, in any order
//! ```
//!
//! Each stream has one of `…`, `…_match` (`*` stands for anything within a line, `**` for anything), `…_file` (a file beside), `…_lines` (lines with repetitions, in any order), `…_each` (a text for each
//! thread, in any order) and `…_counts` (lines and how often each comes, in any order); none means that it must stay empty. `check` names a
//! function of `checks.rs` that sees both streams instead.

use std::collections::BTreeMap;

use serde::Deserialize;

use crate::output::Expected;
use crate::template;

/// All that a program is expected to do.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Expectation {
    /// The program's name.
    #[serde(skip)]
    pub program: String,
    /// Symbols that no image of it may have.
    #[serde(default)]
    pub absent: Vec<String>,
    #[serde(default, rename = "run")]
    pub runs: Vec<Run>,
}

/// One run of it.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Run {
    pub blocks: Dimensions,
    pub threads: Dimensions,
    pub args: Vec<String>,
    pub env: BTreeMap<String, String>,
    pub stdin: String,
    pub shared_mem: Option<u64>,
    pub ports: Option<u32>,
    pub options: Vec<String>,
    pub files: BTreeMap<String, String>,
    pub timeout: Option<u64>,
    pub size: Size,
    pub exit: i32,
    pub exit_apart: Vec<i32>,
    pub ordered: Option<bool>,
    pub check: Option<String>,
    stdout: Option<String>,
    stdout_match: Option<String>,
    pub stdout_file: Option<String>,
    stdout_lines: Option<Vec<String>>,
    stdout_each: Option<String>,
    stdout_counts: Option<BTreeMap<String, usize>>,
    stderr: Option<String>,
    stderr_match: Option<String>,
    pub stderr_file: Option<String>,
    stderr_lines: Option<Vec<String>>,
    stderr_each: Option<String>,
    stderr_counts: Option<BTreeMap<String, usize>>,
}

/// How long a run takes where programs are interpreted.
#[derive(Clone, Copy, Debug, Default, Deserialize, PartialEq, Eq)]
#[serde(rename_all = "lowercase")]
pub enum Size {
    #[default]
    Small,
    Large,
}

/// A size in up to three dimensions.
#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(untagged)]
pub enum Dimensions {
    One(u32),
    Two([u32; 2]),
    Three([u32; 3]),
}

impl Default for Dimensions {
    fn default() -> Self {
        Self::One(1)
    }
}

impl Dimensions {
    pub fn to_array(self) -> [u32; 3] {
        match self {
            Self::One(x) => [x, 1, 1],
            Self::Two([x, y]) => [x, y, 1],
            Self::Three(all) => all,
        }
    }

    fn volume(self) -> u64 {
        self.to_array().iter().map(|&n| u64::from(n)).product()
    }
}

impl Expectation {
    pub fn parse(program: &str, text: &str) -> Result<Self, String> {
        let mut expectation: Self = toml::from_str(text).map_err(|error| format!("{program}.toml: {error}"))?;
        expectation.program = program.to_owned();
        Ok(expectation)
    }
}

impl Run {
    /// Whether a single thread runs it.
    pub fn is_one_lane(&self) -> bool {
        self.blocks.volume() * self.threads.volume() == 1
    }

    /// What standard output must be.
    pub fn stdout(&self) -> Result<Expected, String> {
        self.one_of([
            self.exactly(&self.stdout),
            matching(&self.stdout_match),
            self.file(&self.stdout_file),
            lines(&self.stdout_lines),
            self.for_each_thread(&self.stdout_each),
            counted(&self.stdout_counts),
        ])
    }

    /// What standard error must be.
    pub fn stderr(&self) -> Result<Expected, String> {
        self.one_of([
            self.exactly(&self.stderr),
            matching(&self.stderr_match),
            self.file(&self.stderr_file),
            lines(&self.stderr_lines),
            self.for_each_thread(&self.stderr_each),
            counted(&self.stderr_counts),
        ])
    }

    fn one_of(&self, candidates: [Option<Result<Expected, String>>; 6]) -> Result<Expected, String> {
        let mut given = candidates.into_iter().flatten();
        match (given.next(), given.next()) {
            (None, _) => Ok(Expected::Exactly(Vec::new())),
            (Some(expected), None) => expected,
            (Some(_), Some(_)) => Err("a stream has more than one expectation".into()),
        }
    }

    fn exactly(&self, text: &Option<String>) -> Option<Result<Expected, String>> {
        let text = text.as_ref()?;
        Some(Ok(self.in_order(text.as_bytes())))
    }

    fn file(&self, name: &Option<String>) -> Option<Result<Expected, String>> {
        let name = name.as_ref()?;
        let file = crate::PROGRAMS.get_file(name);
        let file = file.ok_or_else(|| format!("there is no programs/{name}"));
        Some(file.map(|file| self.in_order(file.contents())))
    }

    fn in_order(&self, bytes: &[u8]) -> Expected {
        if self.ordered.unwrap_or(true) {
            Expected::Exactly(bytes.to_vec())
        } else {
            Expected::lines_of(bytes)
        }
    }

    fn for_each_thread(&self, text: &Option<String>) -> Option<Result<Expected, String>> {
        let text = text.as_ref()?;
        let (blocks, threads) = (self.blocks.volume(), self.threads.volume());
        let all: Result<String, String> = (0..blocks * threads)
            .map(|index| {
                template::expand(text, |name| match name {
                    "index" => Some(index),
                    "thread" => Some(index % threads),
                    "block" => Some(index / threads),
                    _ => None,
                })
            })
            .collect();
        Some(all.map(|all| Expected::lines_of(all.as_bytes())))
    }
}

fn matching(pattern: &Option<String>) -> Option<Result<Expected, String>> {
    Some(Ok(Expected::Matching(pattern.clone()?)))
}

fn lines(lines: &Option<Vec<String>>) -> Option<Result<Expected, String>> {
    let lines: Result<Vec<_>, _> = lines
        .as_ref()?
        .iter()
        .map(|line| template::expand(line, |_| None))
        .collect();
    Some(lines.map(Expected::lines))
}

fn counted(counts: &Option<BTreeMap<String, usize>>) -> Option<Result<Expected, String>> {
    let lines = counts.as_ref()?.iter();
    let lines = lines.flat_map(|(line, count)| std::iter::repeat_n(line.clone(), *count));
    Some(Ok(Expected::lines(lines.collect())))
}
