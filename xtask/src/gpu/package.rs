//! Which programs a package has: `[[example]]`s and a `[lib]` of crate type `cdylib`.

use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};
use serde_json::Value;

use crate::{cargo, places};

/// A cargo package with device programs.
pub struct Package {
    pub name: String,
    pub manifest: PathBuf,
    programs: Vec<Program>,
}

/// One device program.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Program {
    /// An `[[example]]`, by its name.
    Example(String),
    /// The `[lib]`, by its name.
    Library(String),
}

impl Program {
    pub fn name(&self) -> &str {
        match self {
            Program::Example(name) | Program::Library(name) => name,
        }
    }
}

impl Package {
    /// A member of this workspace.
    pub fn of_workspace(name: &str) -> Result<Package> {
        let packages = cargo::metadata(&places::root().join("Cargo.toml"))?;
        let found = packages.iter().find(|package| package["name"] == name);
        Package::read(found.with_context(|| format!("this workspace has no package \"{name}\""))?)
    }

    /// Somebody's crate, by its manifest or the folder that has it.
    pub fn outside(path: &Path) -> Result<Package> {
        let manifest = if path.is_dir() {
            path.join("Cargo.toml")
        } else {
            path.to_owned()
        };
        let manifest = manifest
            .canonicalize()
            .with_context(|| format!("there is no {}", manifest.display()))?;
        let packages = cargo::metadata(&manifest)?;
        let found = packages
            .iter()
            .find(|package| package["manifest_path"].as_str().map(Path::new) == Some(&manifest));
        Package::read(found.with_context(|| format!("{} has no [package]", manifest.display()))?)
    }

    fn read(package: &Value) -> Result<Package> {
        let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
        let mut programs = Vec::new();
        for target in package["targets"].as_array().into_iter().flatten() {
            let has = |field: &str, wanted: &str| {
                target[field]
                    .as_array()
                    .is_some_and(|kinds| kinds.iter().any(|kind| kind == wanted))
            };
            if !has("crate_types", "cdylib") {
                continue;
            }
            let name = text(&target["name"]);
            programs.push(if has("kind", "example") {
                Program::Example(name)
            } else {
                Program::Library(name)
            });
        }
        Ok(Package {
            name: text(&package["name"]),
            manifest: text(&package["manifest_path"]).into(),
            programs,
        })
    }

    /// The programs with these names, or all of them when none is given.
    pub fn programs(&self, names: &[String]) -> Result<Vec<Program>> {
        if self.programs.is_empty() {
            bail!(
                "package {} has no device program: give it an [[example]] or a [lib] with \
                 crate-type = [\"cdylib\"]",
                self.name
            );
        }
        if names.is_empty() {
            return Ok(self.programs.clone());
        }
        names
            .iter()
            .map(|name| {
                let found = self.programs.iter().find(|program| program.name() == name);
                found.cloned().with_context(|| {
                    let known: Vec<_> = self.programs.iter().map(Program::name).collect();
                    format!(
                        "package {} has no program \"{name}\", only {}",
                        self.name,
                        known.join(", ")
                    )
                })
            })
            .collect()
    }
}
