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

/// What compilers emit for matrices, asynchronous copies, textures, video and other things that our programs have not.
#[test]
fn what_is_not_there_is_named_with_its_line() {
    for instruction in [
        "cp.async.ca.shared.global [%rd1], [%rd2], 16",
        "cp.async.wait_all",
        "cp.async.bulk.commit_group",
        "mbarrier.init.shared.b64 [%rd1], 1",
        "wgmma.fence.sync.aligned",
        "wmma.load.a.sync.aligned.row.m16n16k16.global.f16 {%r1, %r2, %r3, %r4}, [%rd1]",
        "mma.sync.aligned.m8n8k4.row.col.f32.f16.f16.f32 {%r1, %r2}, {%r3, %r4}, {%r5, %r6}, {%r7, %r8}",
        "ldmatrix.sync.aligned.m8n8.x1.shared.b16 {%r1}, [%rd1]",
        "tcgen05.fence::before_thread_sync",
        "tex.2d.v4.f32.f32 {%r1, %r2, %r3, %r4}, [t, {%r5, %r6}]",
        "suld.b.1d.b32.trap %r1, [t, {%r2}]",
        "multimem.ld_reduce.relaxed.sys.global.add.u32 %r1, [%rd1]",
        "st.async.weak.shared::cluster.mbarrier::complete_tx::bytes.u32 [%rd1], %r1, [%rd2]",
        "st.async.u32 [%rd1], %r1",
        "red.async.relaxed.cluster.global.add.u32 [%rd1], %r1",
        "createpolicy.fractional.L2::evict_last.b64 %rd1, 1.0",
        "vadd.u32.u32.u32.sat %r1, %r2.b0, %r3.h1",
        "ld.global.v3.u32 {%r1, %r2, %r3}, [%rd1]",
        "atom.global.add.v2.f32 {%r1, %r2}, [%rd1], {%r3, %r4}",
        "shfl.idx.b32 %r1, %r2, 0, 31",
        "fence.mbarrier_init.release.cluster",
    ] {
        let text = common::kernel(&format!("mov.u32 %r1, 0;\n{instruction};\nmov.u32 %r2, 0;"));
        let found = Module::parse(text.as_bytes()).map(drop).expect_err(instruction);
        let opcode = instruction.split(' ').next().unwrap_or_default();
        assert_eq!((found.len(), found[0].line), (1, 13), "{instruction}: {found:?}");
        assert!(
            found[0].message.starts_with(&format!("{opcode}: ")),
            "{instruction}: {found:?}"
        );
    }
}

/// Mistakes of people who write PTX by hand, in a kernel.
#[test]
fn a_wrong_instruction_is_refused() {
    for (body, message) in [
        ("add.u32 5, %r1, %r2;", "add.u32: 5 cannot take a result"),
        ("mov.u32 %r1, 0x10|3;", "mov.u32: 16|3 cannot stand here"),
        ("mov.u32 %r1, 'a';", "mov.u32: expected an operand, found \"'\""),
        (
            "mov.u32 %r1, \u{1};",
            "mov.u32: expected an operand, found the character 0x01",
        ),
        (
            "mov.b64 {%r1, %r2, %r3}, %rd1;",
            "mov.b64: such a vector cannot be unpacked",
        ),
        (
            "mov.b64 %rd1, {%r1, %r2, %r3};",
            "mov.b64: such a vector cannot be packed",
        ),
        (
            "lop3.b32 %r1, %r2, %r3, %r4, 300;",
            "lop3.b32: 300 is no truth table of 8 bits",
        ),
        (
            "atom.global.add.b128 %rd1, [%out], %rd2;",
            "atom.global.add.b128: no .add for type .b128",
        ),
        (
            "st.const.u32 [%out], 1;",
            "st.const.u32: this state space does not allow it",
        ),
        (
            "red.local.add.u32 [%out], 1;",
            "red.local.add.u32: this state space does not allow it",
        ),
        (
            "ld.global.v8.b64 {%rd1, %rd2, %rd3, %rd4, %rd5, %rd6, %rd7, %rd8}, [%out];",
            "ld.global.v8.b64: 64 bytes at once, where 32 are the most",
        ),
        (
            "ld.param.u64 %rd1, [k_out+8];",
            "ld.param.u64: 8 bytes at offset 8 of k_out, which has 8",
        ),
        (
            ".local .b8 x[16];\nst.local.u32 [x+-4], 1;",
            "st.local.u32: 4 bytes at offset -4 of x, which has 16",
        ),
        (".local .b8 x[1000000000];", "variable x is too large"),
        (".reg .b32 %z;\n.reg .b32 %z;", "%z is defined twice"),
        (".local .b32 z;\n.local .b32 z;", "z is defined twice"),
        ("call.uni k, (%out);", "call.uni: %out is no .param variable"),
        ("call.uni k, ();", "call.uni: k is a kernel, which cannot be called"),
        ("call %rd1, ();", "call: a prototype is needed"),
        ("call %rd1, (), p;", "call: p is no prototype"),
        (
            "p: .callprototype _ (.param .b32 _);\ncall %rd1, (), p;",
            "call: %rd1 has 1 parameters, not 0",
        ),
        (
            "p: .callprototype (.param .b64 _) _ ();\n.param .b32 a;\ncall (a), %rd1, (), p;",
            "call: number 1 of the results of %rd1 has 8 bytes, not 4",
        ),
        ("/* open", "expected an instruction, found \"/*\""),
    ] {
        let found = Module::parse(common::kernel(body).as_bytes())
            .map(drop)
            .expect_err(body);
        assert_eq!(found[0].message, message);
    }
}

/// The same around the kernels.
#[test]
fn a_wrong_module_is_refused() {
    let function = |head: &str, call: &str| format!(".func {head}\n{{\nret;\n}}\n{}", common::kernel(call));
    let call = "{\n.param .b32 a;\ncall.uni f, (a);\n}";
    for (text, line, message) in [
        (".version foo\n".to_owned(), 1, "expected a version, found \"foo\""),
        (".target potato\n".to_owned(), 1, "unknown target \"potato\""),
        (
            ".section .debug_str {\n.b8 1\n".to_owned(),
            3,
            "expected \"}\", found the end of the text",
        ),
        (
            ".global .b32 x[4294967295][4294967295][4294967295];".to_owned(),
            1,
            "variable x is too large",
        ),
        (
            ".global .u32 y;\n.global .u32 x = y;".to_owned(),
            2,
            "the address of y has 8 bytes, not 4",
        ),
        (
            ".shared .u32 x = 5;".to_owned(),
            1,
            "x: only .global and .const are initialised",
        ),
        (
            ".const .b8 x[65000];\n.const .b8 y[1000];".to_owned(),
            2,
            "y: with it constants have 66000 bytes, at most 65536 fit",
        ),
        (
            ".entry q(.param .u32 p, .param .u32 p)\n{\n}".to_owned(),
            1,
            "p is defined twice",
        ),
        (".entry q(.param .b8 p[])\n{\n}".to_owned(), 1, "p has no size"),
        (
            ".entry q(.param .b8 p[32765])\n{\n}".to_owned(),
            1,
            "the parameters of q have 32765 bytes or more, at most 32764 are passed",
        ),
        (
            ".entry q(.param .b8 p[1099511627776])\n{\n}".to_owned(),
            1,
            "variable p is too large",
        ),
        (
            ".entry q()\n.reqntid 64, 0\n{\n}".to_owned(),
            2,
            "q has blocks of 0 threads",
        ),
        (function("f()", call), 18, "call.uni: f has 0 parameters, not 1"),
        (
            function("f(.param .b64 a)", call),
            18,
            "call.uni: number 1 of the parameters of f has 8 bytes, not 4",
        ),
        (
            format!(
                ".extern .func malloc(.param .b32 a);\n{}",
                common::kernel("call.uni malloc, ();")
            ),
            13,
            "call.uni: malloc has 1 results, not 0",
        ),
    ] {
        let found = Module::parse(text.as_bytes()).map(drop).expect_err(&text);
        assert_eq!((found[0].line, found[0].message.as_str()), (line, message), "{text}");
    }
}

/// A part of a text is no other program: whatever is cut off, it is refused, up to the last brace.
#[test]
fn half_a_program_is_none() {
    let whole = SAMPLE.trim_end();
    let kernels = |text: &str| text.matches(".entry").count();
    for end in (0..whole.len()).filter(|&end| whole.is_char_boundary(end)) {
        let part = &whole[..end];
        if let Ok(module) = Module::parse(part.as_bytes()) {
            let module = module.load(&Arc::new(Memory::new(1 << 22)));
            let found = module.map_or(0, |module| module.kernels().len());
            assert!(
                part.is_empty() || found == kernels(part),
                "cut at {end}: {found} kernels"
            );
        }
    }
}

#[test]
fn what_no_device_could_run_is_refused_when_loaded() {
    let refused = |body: &str| {
        let module = Module::parse(common::kernel(body).as_bytes()).unwrap();
        module.load(&Arc::new(Memory::new(1 << 24))).unwrap_err().to_string()
    };
    assert_eq!(
        refused(".shared .b8 x[49168];\nst.shared.u8 [x], 1;"),
        "kernel k needs 49168 bytes of shared memory that is not dynamic, devices have 49152"
    );
    assert_eq!(
        refused(".local .b8 x[524304];\nst.local.u8 [x], 1;"),
        "kernel k needs 524304 bytes of local memory of a thread, devices have 524288"
    );
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
