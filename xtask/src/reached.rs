//! The linker of unoptimised images for AMD: exports of what may be dropped only what is reached.
//!
//! rustc exports every symbol with a fixed name, and lld keeps what is exported. Where LLVM optimises, it has dropped the unused ones by
//! then that may be dropped (`linkonce_odr`; weak in the object file), such as the client of an image that makes no calls. At level 0
//! nobody has. So this links twice where it must: first with none of them exported, so that lld drops the unused; then with those that
//! are still there.

use std::collections::HashSet;
use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};

use anyhow::{Context, Result, bail};

use crate::{exec, linker};

/// Among the linker's arguments, with the name of the linker that does the work.
pub const FLAG: &str = "--reached-by=";

/// The real linker, where `arguments` ask for this one.
pub fn asked_for(arguments: &[OsString]) -> Option<String> {
    let mut texts = arguments.iter().filter_map(|argument| argument.to_str());
    texts.find_map(|text| text.strip_prefix(FLAG)).map(str::to_owned)
}

/// Links as the command line says.
pub fn link(real: &str, mut arguments: Vec<OsString>) -> Result<ExitCode> {
    arguments.retain(|argument| !argument.to_string_lossy().starts_with(FLAG));
    let texts: Vec<_> = arguments.iter().map(|argument| argument.to_string_lossy()).collect();
    let after = |option: &str| {
        texts
            .iter()
            .position(|text| text == option)
            .map(|at| PathBuf::from(&arguments[at + 1]))
    };
    let output = after("-o").context("rustc names no output")?;
    let script = texts
        .iter()
        .find_map(|text| Some(PathBuf::from(text.split_once("--version-script=")?.1)))
        .context("rustc names no symbols to export")?;
    let objects: Vec<_> = texts
        .iter()
        .filter(|text| text.ends_with(".o"))
        .map(|text| Path::new(&**text))
        .collect();

    let all = exported(&fs::read_to_string(&script).with_context(|| format!("cannot read {}", script.display()))?);
    let mut droppable = HashSet::new();
    for object in objects {
        droppable.extend(
            symbols(object)?
                .into_iter()
                .filter(|symbol| symbol.is_weak)
                .map(|symbol| symbol.name),
        );
    }
    let (mut kept, asked): (Vec<_>, Vec<_>) = all.into_iter().partition(|name| !droppable.contains(name));
    let run = |names: &[String]| {
        fs::write(&script, version_script(names)).with_context(|| format!("cannot write {}", script.display()))?;
        exec::run(Command::new(real).args(&arguments))
    };
    run(&kept)?;
    let there: HashSet<_> = symbols(&output)?.into_iter().map(|symbol| symbol.name).collect();
    let reached = asked.into_iter().filter(|name| there.contains(name));
    let before = kept.len();
    kept.extend(reached);
    if kept.len() > before {
        run(&kept)?;
    }
    Ok(ExitCode::SUCCESS)
}

/// A symbol that a file defines.
struct Symbol {
    name: String,
    is_weak: bool,
}

fn symbols(file: &Path) -> Result<Vec<Symbol>> {
    let text = exec::capture_text(linker::tool("llvm-nm")?.arg("--defined-only").arg(file))?;
    text.lines()
        .map(|line| {
            let mut words = line.split_whitespace().skip(1);
            let (Some(kind), Some(name)) = (words.next(), words.next()) else {
                bail!("llvm-nm says of {}: {line}", file.display());
            };
            Ok(Symbol {
                name: name.to_owned(),
                is_weak: kind.eq_ignore_ascii_case("w") || kind.eq_ignore_ascii_case("v"),
            })
        })
        .collect()
}

/// The names that a version script of rustc's exports.
fn exported(script: &str) -> Vec<String> {
    let names = script.split_once("global:").map_or("", |(_, rest)| rest);
    let names = names.split_once("local:").map_or(names, |(names, _)| names);
    names
        .split(';')
        .map(str::trim)
        .filter(|name| !name.is_empty())
        .map(str::to_owned)
        .collect()
}

fn version_script(names: &[String]) -> String {
    let names: String = names.iter().map(|name| format!("    {name};\n")).collect();
    let global = if names.is_empty() {
        String::new()
    } else {
        format!("  global:\n{names}")
    };
    format!("{{\n{global}  local:\n    *;\n}};\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_version_script_is_read_as_it_is_written() {
        let names = ["_begin", "_start"].map(str::to_owned);
        assert_eq!(exported(&version_script(&names)), names);
        assert_eq!(exported(&version_script(&[])), [] as [&str; 0]);
        assert_eq!(exported("{\n  global:\n    _end;\n\n  local:\n    *;\n};"), ["_end"]);
    }

    #[test]
    fn an_argument_asks_for_it() {
        let arguments = ["-o", "image", "--reached-by=clang-22"].map(OsString::from);
        assert_eq!(asked_for(&arguments).as_deref(), Some("clang-22"));
        assert_eq!(asked_for(&arguments[..2]), None);
    }
}
