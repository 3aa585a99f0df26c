//! The programs that the READMEs show are the examples, which are built and run.

use std::fs;
use std::path::Path;

/// The first piece of a language in a README, and the example that it is, without the line that says what it is.
fn check(readme: &str, language: &str, example: &str) {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("the repository");
    let read = |path: &str| fs::read_to_string(root.join(path)).unwrap_or_else(|error| panic!("{path}: {error}"));
    let (text, source) = (read(readme), read(example));
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
