//! Whatever the text holds, parsing ends with a module or with diagnostics, and what parses can be run without harm.

#[path = "hostile/attempt.rs"]
mod attempt;
#[path = "hostile/bounded.rs"]
mod bounded;
mod common;
#[path = "hostile/corpus.rs"]
mod corpus;

use std::sync::Arc;

use emulator::memory::Memory;
use emulator::ptx::Module;
use proptest::prelude::*;

use attempt::try_all;

const SAMPLE: &str = include_str!("sample.ptx");

/// Words that the parser treats in ways of their own.
const WORDS: &[&str] = &[
    ".version 7.8",
    ".target sm_90",
    ".address_size 64",
    ".visible",
    ".entry",
    ".func",
    ".global",
    ".shared",
    ".local",
    ".param",
    ".const",
    ".align",
    ".b32",
    ".u64",
    ".f32",
    ".pred",
    ".reg",
    "k",
    "%r1",
    "%rd1",
    "%p1",
    "%r<4>",
    "(",
    ")",
    "{",
    "}",
    "[",
    "]",
    ",",
    ";",
    ":",
    "+",
    "-",
    "@",
    "!",
    "|",
    "=",
    "0x7f",
    "1",
    "0f3F800000",
    "0d",
    "\"s\"",
    "mov.b32",
    "add.s32",
    "ld.global.v2.u32",
    "st.shared.b64",
    "bra",
    "call",
    "ret",
    "$l",
    "brx.idx",
    ".branchtargets",
    ".callprototype",
    "shfl.sync.idx.b32",
    "bar.sync",
    "atom.global.add.u32",
    "cvt.rn.f32.s64",
    "setp.lt.and.s32",
    ".loc 1 2 3",
    ".file 1",
    ".section",
    ".alias",
    "_",
    "%tid.x",
    "generic",
    "/*",
    "//",
    "\n",
];

#[test]
fn the_sample_itself_is_fine() {
    let module = Module::parse(SAMPLE.as_bytes()).unwrap();
    assert!(
        module
            .load(&Arc::new(Memory::new(1 << 22)))
            .unwrap()
            .kernel("k1")
            .is_some()
    );
}

#[test]
fn unknown_things_are_named_with_their_line() {
    let diagnostics = |body: &str| Module::parse(common::kernel(body).as_bytes()).unwrap_err();
    let unknown = diagnostics("frobnicate.b32 %r1, %r2;");
    assert_eq!(
        (unknown[0].line, unknown[0].message.as_str()),
        (12, "frobnicate.b32: unknown instruction")
    );
    assert_eq!(
        diagnostics("add.wild.s32 %r1, %r2, %r3;")[0].message,
        "add.wild.s32: unknown modifier .wild"
    );
    assert_eq!(diagnostics("bra $nowhere;")[0].message, "unknown label $nowhere");
    assert!(
        diagnostics("add.s32 %r1, %r2, %rd3;")[0]
            .message
            .contains("%rd3 has 64 bits")
    );
    let two = diagnostics("foo %r1;\nbar.baz 0;");
    assert_eq!(two.iter().map(|d| d.line).collect::<Vec<_>>(), [12, 13]);
}

#[test]
fn what_nothing_defines_is_named_when_loaded() {
    let text = format!(".extern .func missing();\n{}", common::kernel("call.uni missing, ();"));
    let error = Module::parse(text.as_bytes())
        .unwrap()
        .load(&Arc::new(Memory::new(1 << 20)))
        .unwrap_err();
    assert_eq!(error.to_string(), "unresolved external symbol missing");
}

#[test]
fn other_files_are_no_ptx() {
    for text in [&b"\x7fELF\x02\x01\x01"[..], b"hello", b"\xff\xfe", b"{{{{{{{{", b"}"] {
        assert!(Module::parse(text).is_err(), "{text:?}");
    }
}

#[test]
fn deep_nesting_is_survived() {
    for (open, count) in [
        ("{", 100_000),
        ("(", 100_000),
        ("[", 100_000),
        ("@p ", 100_000),
        (".extern ", 100_000),
    ] {
        let deep = common::kernel(&open.repeat(count));
        let _ = Module::parse(deep.as_bytes());
        let _ = Module::parse(open.repeat(count).as_bytes());
    }
    let _ = Module::parse(format!(".global .u32 x[4] = {}", "{".repeat(100_000)).as_bytes());
}

/// The smallest of the texts by which the fuzzer of `fuzz/` reached what it did.
#[test]
fn what_the_fuzzer_kept_does_no_harm() {
    for text in corpus::inputs(include_str!("corpus/ptx")) {
        try_all(&text);
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn random_words(words in proptest::collection::vec(proptest::sample::select(WORDS), 0..60)) {
        try_all(words.join(" ").as_bytes());
        try_all(common::kernel(&words.join(" ")).as_bytes());
    }

    #[test]
    fn random_bytes(bytes in proptest::collection::vec(any::<u8>(), 0..200)) {
        try_all(&bytes);
    }

    #[test]
    fn mutated_programs(
        cuts in proptest::collection::vec((any::<prop::sample::Index>(), any::<prop::sample::Index>(), 0usize..4), 1..6),
    ) {
        // Lines exchanged, dropped, doubled, and words replaced by words from elsewhere.
        let mut lines: Vec<String> = SAMPLE.lines().map(str::to_owned).collect();
        for (from, to, how) in cuts {
            let (from, to) = (from.index(lines.len()), to.index(lines.len()));
            match how {
                0 => lines.swap(from, to),
                1 => { let line = lines[from].clone(); lines.insert(to, line); }
                2 => { lines.remove(from); }
                _ => {
                    let words: Vec<String> = lines[to].split_whitespace().map(str::to_owned).collect();
                    if let (Some(word), Some(old)) = (words.last(), lines[from].split_whitespace().last().map(str::to_owned)) {
                        lines[from] = lines[from].replace(&old, word);
                    }
                }
            }
        }
        try_all(lines.join("\n").as_bytes());
    }
}
