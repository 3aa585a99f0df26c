//! The programs that the READMEs show are the examples, which are built and run.

use std::fs;
use std::path::Path;

/// The first piece of Rust in a README, and the example that it is, without the line that says what it is.
fn check(readme: &str, example: &str) {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("the repository");
    let read = |path: &str| fs::read_to_string(root.join(path)).unwrap_or_else(|error| panic!("{path}: {error}"));
    let (text, source) = (read(readme), read(example));
    let shown = text.split("```rust\n").nth(1).and_then(|rest| rest.split("```").next());
    let program = source.split_once("\n\n").map(|(_, program)| program);
    assert_eq!(shown, program, "{readme} shows another program than {example}");
}

#[test]
fn what_the_readmes_show_is_built_and_run() {
    check("README.md", "examples/squares.rs");
    check("device-rt/README.md", "examples/count_lines.rs");
}
