//! The programs that the READMEs show are the examples, which are built and run, and the tests that the documentation names exist.

use std::fs;
use std::path::{Path, PathBuf};

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("the repository")
}

fn read(path: &Path) -> String {
    fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// The first piece of a language in a README, and the example that it is, without the line that says what it is.
fn check(readme: &str, language: &str, example: &str) {
    let (text, source) = (read(&root().join(readme)), read(&root().join(example)));
    let shown = text
        .split(&format!("```{language}\n"))
        .nth(1)
        .and_then(|rest| rest.split("```").next());
    let program = source.split_once("\n\n").map(|(_, program)| program);
    assert_eq!(shown, program, "{readme} shows another program than {example}");
}

#[test]
fn what_the_readmes_show_is_built_and_run() {
    check("README.md", "rust", "examples/squares.rs");
    check("device-rt/README.md", "rust", "examples/count_lines.rs");
    check("device-rt/c/README.md", "c", "examples/c/c_hello.c");
}

/// All sources of the workspace.
fn sources(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display())) {
        let path = entry.expect("an entry").path();
        let is_ours = path
            .file_name()
            .is_some_and(|name| name != "target" && !name.to_string_lossy().starts_with('.'));
        if path.is_dir() && is_ours {
            sources(&path, found);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            found.push(path);
        }
    }
}

/// Whether a file has this test: as a function, or by its name where the file has a harness of its own.
fn has_test(path: &Path, test: &str) -> bool {
    let text = read(path);
    if text.contains(concat!("use libtest", "_mimic")) {
        return text.contains(&format!("fn {test}(")) || text.contains(&format!("\"{test}\""));
    }
    let Some(at) = text.find(&format!("fn {test}(")) else {
        return false;
    };
    let attributes = text[..at].rsplit("\n\n").next().unwrap_or_default();
    attributes.contains("#[test]")
}

/// Looks for what words of the documentation name: a test (`file::test`, and `::test` of the same file), a run of a program
/// (`program/0`, and `/1` of the same), or a file.
struct Named {
    sources: Vec<PathBuf>,
    last: String,
}

impl Named {
    fn check(&mut self, word: &str) -> Result<(), String> {
        if let Some((place, test)) = word.rsplit_once("::") {
            if !place.is_empty() {
                self.last = place.to_owned();
            }
            let file = match self.last.ends_with(".rs") {
                true => format!("/{}", self.last),
                false => format!("/{}.rs", self.last.replace("::", "/")),
            };
            let mut files = self
                .sources
                .iter()
                .filter(|path| path.to_string_lossy().ends_with(&file));
            return match files.any(|path| has_test(path, test)) {
                true => Ok(()),
                false => Err(format!("{}::{test}", self.last)),
            };
        }
        if word.ends_with(".rs") {
            let exists = root().join(word).exists();
            return if exists { Ok(()) } else { Err(word.to_owned()) };
        }
        let mut parts = word.split('/');
        let (Some(program), Some(run)) = (parts.next(), parts.next()) else {
            return Ok(());
        };
        if !program.is_empty() {
            self.last = program.to_owned();
        }
        let file = root().join("tests/programs").join(&self.last).with_extension("toml");
        let runs = fs::read_to_string(file).map_or(0, |text| text.matches("[[run]]").count());
        let exists = match run.parse::<usize>() {
            Ok(number) => number < runs,
            Err(_) => run == "seeds" && runs > 0,
        };
        if exists {
            Ok(())
        } else {
            Err(format!("{}/{run}", self.last))
        }
    }
}

#[test]
fn the_tests_that_the_documentation_names_exist() {
    let mut named = Named {
        sources: Vec::new(),
        last: String::new(),
    };
    for folder in ["device-rt", "host-server", "loader", "rpc-proto", "tests"] {
        sources(&root().join(folder), &mut named.sources);
    }
    let text = read(&root().join("docs/reported-faults.md"));
    let mut missing = Vec::new();
    let rows = text.lines().filter(|line| line.starts_with("| "));
    for row in rows {
        // In the last column, every second piece stands between backticks.
        let tests = row.trim_end_matches(" |").rsplit(" | ").next().unwrap_or_default();
        for word in tests.split('`').skip(1).step_by(2) {
            let is_name = |byte: u8| byte.is_ascii_alphanumeric() || b"_-.:/".contains(&byte);
            if word.bytes().all(is_name) {
                missing.extend(named.check(word).err());
            }
        }
    }
    assert_eq!(missing, [""; 0], "docs/reported-faults.md names what does not exist");
}

#[test]
fn what_does_not_exist_is_found() {
    let mut named = Named {
        sources: vec![root().join("tests/tests/readme.rs")],
        last: String::new(),
    };
    for (word, exists) in [
        ("readme::what_does_not_exist_is_found", true),
        ("::what_the_readmes_show_is_built_and_run", true),
        ("::sources", false),
        ("readme::nothing", false),
        ("tests/tests/readme.rs::what_does_not_exist_is_found", true),
        ("other::what_does_not_exist_is_found", false),
        ("trap/0", true),
        ("/seeds", true),
        ("/99", false),
        ("no_such_program/0", false),
        ("tests/tests/readme.rs", true),
        ("tests/tests/nothing.rs", false),
        ("alloc", true),
    ] {
        assert_eq!(named.check(word).is_ok(), exists, "{word}");
    }
}
