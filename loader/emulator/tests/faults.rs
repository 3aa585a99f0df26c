//! Each way a kernel can go wrong is found and named.

mod common;

use common::{Machine, kernel};
use emulator::fault::{Fault, FaultKind, Position};
use emulator::grid::Launch;
use emulator::memory::Kind;
use std::sync::atomic::Ordering;
use std::time::Duration;

fn fault(body: &str, threads: u32) -> Fault {
    *Machine::kernel(body).run(&Launch::new(1, threads), 64).unwrap_err()
}

#[test]
fn out_of_bounds_says_by_how_much() {
    let fault = fault("st.global.u32 [%mine+1024], 1;", 32);
    assert_eq!(fault.kind, FaultKind::OutOfBounds);
    assert_eq!((fault.kernel.as_str(), fault.lane), ("k", Some(0)));
    assert!(
        fault
            .detail
            .contains("768 bytes past the end of device memory buffer of 256 bytes"),
        "{fault}"
    );
    // Three lines of head, eleven of the kernel's own.
    assert_eq!(fault.stack[0].position, Position::PtxLine(15));
}

#[test]
fn the_lane_to_blame_is_named() {
    let fault = fault("st.global.u32 [%mine+128], 1;", 64);
    assert_eq!((fault.kind, fault.lane), (FaultKind::OutOfBounds, Some(0)));
    assert_eq!(fault.thread.map(|t| t.x), Some(32));
}

#[test]
fn null_pointers_and_misaligned_ones() {
    let null = fault("mov.u64 %rd1, 8;\nld.u32 %r1, [%rd1];\nst.u32 [%out], %r1;", 1);
    assert_eq!(null.kind, FaultKind::NullPointer);
    let misaligned = fault("ld.global.u64 %rd1, [%out+4];\nst.u64 [%out], %rd1;", 1);
    assert_eq!(misaligned.kind, FaultKind::Misaligned);
}

#[test]
fn use_after_free_tells_what_it_was() {
    let machine = Machine::kernel("st.global.u32 [%out], 1;");
    let freed = machine.memory.alloc(Kind::Device, 64, 16, "table").unwrap();
    machine.memory.free(freed, &[Kind::Device]).unwrap();
    let fault = machine.launch(&Launch::new(1, 1), &[freed]).unwrap_err();
    assert_eq!(fault.kind, FaultKind::UseAfterFree);
    assert!(fault.detail.contains("freed device memory table"), "{fault}");
}

#[test]
fn shared_memory_has_an_end() {
    let text = format!(
        ".shared .align 4 .b8 s[16];\n{}",
        kernel("mov.u64 %rd1, s;\nst.shared.u32 [%rd1+16], 1;")
    );
    let fault = Machine::new(&text).run(&Launch::new(1, 1), 1).unwrap_err();
    assert_eq!(fault.kind, FaultKind::OutsideShared);
    assert!(fault.detail.contains("which has 16 bytes"), "{fault}");
}

#[test]
fn constants_cannot_be_written() {
    let text = format!(
        ".const .align 4 .u32 c = 7;\n{}",
        kernel("mov.u64 %rd1, c;\nst.u32 [%rd1], 1;")
    );
    let fault = Machine::new(&text).run(&Launch::new(1, 1), 1).unwrap_err();
    assert_eq!(fault.kind, FaultKind::Forbidden);
}

#[test]
fn another_threads_stack_is_out_of_reach() {
    // Lane 0 tells lane 1 the address of its variable.
    let fault = fault(
        ".local .align 4 .b8 depot[16];\nmov.u64 %rd1, depot;\ncvta.local.u64 %rd2, %rd1;\nsetp.eq.u32 %p1, %tid, 0;\n\
         @%p1 st.u64 [%out], %rd2;\nbar.warp.sync 3;\nld.u64 %rd3, [%out];\nst.u32 [%rd3], 1;",
        2,
    );
    assert_eq!((fault.kind, fault.lane), (FaultKind::ForeignStack, Some(1)));
}

#[test]
fn recursion_without_end_overflows_the_stack() {
    let text = format!(
        ".func f()\n{{\n.local .align 8 .b8 depot[64];\n.reg .b64 %rd<2>;\nmov.u64 %rd1, depot;\nst.local.u64 [%rd1], %rd1;\ncall.uni f, ();\nret;\n}}\n{}",
        kernel("call.uni f, ();")
    );
    let fault = Machine::new(&text).run(&Launch::new(1, 1), 1).unwrap_err();
    assert_eq!(fault.kind, FaultKind::StackOverflow);
    assert!(fault.stack.len() > 4 && fault.stack[0].function == "f", "{fault}");
    assert!(fault.to_string().contains("called from k (PTX line"), "{fault}");
}

/// Each call takes something to return by, so that recursion ends even where nothing else does.
#[test]
fn recursion_without_variables_overflows_the_stack_too() {
    let text = format!(
        ".func g();\n.func f()\n{{\ncall.uni g;\nret;\n}}\n.func g()\n{{\ncall.uni f;\nret;\n}}\n{}",
        kernel("call.uni f;")
    );
    let fault = Machine::new(&text).run(&Launch::new(1, 1), 1).unwrap_err();
    assert_eq!(fault.kind, FaultKind::StackOverflow);
    assert!(
        fault
            .detail
            .contains("needs 8 more bytes, the thread uses 1024 of its 1024"),
        "{fault}"
    );
}

/// What the functions of the device runtime are given is looked at like any other pointer.
#[test]
fn bad_pointers_for_the_device_runtime() {
    let run = |call: &str| {
        let text = format!(
            ".extern .func (.param .b32 r) vprintf(.param .b64 a, .param .b64 b);\n.extern .func free(.param .b64 a);\n\
             .global .align 1 .b8 text[3] = {{37, 100, 0}};\n{}",
            kernel(&format!(
                "{{\n.param .b64 a;\n.param .b64 b;\n.param .b32 c;\n{call}\n}}"
            ))
        );
        *Machine::new(&text).run(&Launch::new(1, 1), 64).unwrap_err()
    };
    let print = |format: &str, arguments: &str| {
        run(&format!(
            "st.param.b64 [a], {format};\nst.param.b64 [b], {arguments};\ncall.uni (c), vprintf, (a, b);"
        ))
    };
    for (fault, kind, detail) in [
        (
            print("8", "0"),
            FaultKind::NullPointer,
            "vprintf: 0x8 is a null pointer",
        ),
        (
            print("text", "0"),
            FaultKind::NullPointer,
            "vprintf: 0x0 is a null pointer",
        ),
        (
            print("text", "-2"),
            FaultKind::NullPointer,
            "vprintf: 0x0 is a null pointer",
        ),
        (
            print("-1", "0"),
            FaultKind::OutOfBounds,
            "vprintf: 0xffffffffffffffff belongs to no allocation",
        ),
        (
            run("st.param.b64 [a], %out;\ncall.uni free, (a);"),
            FaultKind::Forbidden,
            "cannot be freed this way",
        ),
        (
            run("st.param.b64 [a], 4096;\ncall.uni free, (a);"),
            FaultKind::OutOfBounds,
            "free: 0x1000 is not the start of an allocation",
        ),
    ] {
        assert_eq!(fault.kind, kind, "{fault}");
        assert!(fault.detail.contains(detail), "{fault}");
    }
}

#[test]
fn vectors_that_reach_past_the_end() {
    let machine = Machine::kernel("ld.global.v2.u64 {%rd1, %rd2}, [%out];\nst.global.u64 [%out], %rd2;");
    let at = machine.memory.alloc(Kind::Device, 24, 16, "three words").unwrap();
    let fault = machine.launch(&Launch::new(1, 1), &[at + 16]).unwrap_err();
    assert_eq!(fault.kind, FaultKind::OutOfBounds);
    assert!(
        fault
            .detail
            .contains("16 bytes into device memory three words of 24 bytes"),
        "{fault}"
    );
    // At the very end of the addresses.
    for (at, kind) in [
        (u64::MAX - 15, FaultKind::OutOfBounds),
        (u64::MAX - 7, FaultKind::Misaligned),
    ] {
        assert_eq!(machine.launch(&Launch::new(1, 1), &[at]).unwrap_err().kind, kind);
    }
}

#[test]
fn barriers_for_numbers_that_cannot_be() {
    for (barrier, detail) in [
        ("bar.sync 16;", "barrier 16 does not exist"),
        ("bar.sync 0, 33;", "33 threads, which is no multiple"),
        ("bar.sync 0, 0;", "0 threads, which is no multiple"),
    ] {
        let fault = fault(barrier, 32);
        assert_eq!(fault.kind, FaultKind::IllegalInstruction);
        assert!(fault.detail.contains(detail), "{fault}");
    }
    assert_eq!(fault("bar.sync 0, 64;", 32).kind, FaultKind::Deadlock);
}

#[test]
fn barriers_that_lanes_reach_apart() {
    let divergent = fault(
        "setp.lt.u32 %p1, %tid, 16;\n@%p1 bra $a;\nbar.sync 0;\nbra $b;\n$a:\nbar.sync 0;\n$b:",
        32,
    );
    assert_eq!(divergent.kind, FaultKind::DivergentBarrier);
    let different = fault(
        "setp.lt.u32 %p1, %tid, 16;\n@%p1 bra $a;\nbar.sync 1;\nbra $b;\n$a:\nbar.sync 2;\n$b:",
        32,
    );
    assert_eq!(different.kind, FaultKind::DivergentBarrier);
    assert!(
        different.detail.contains("at barrier 1") && different.detail.contains("at barrier 2"),
        "{different}"
    );
}

#[test]
fn warps_at_different_barriers_are_a_deadlock() {
    let fault = fault(
        "setp.lt.u32 %p1, %tid, 32;\n@%p1 bra $a;\nbar.sync 1;\nbra $b;\n$a:\nbar.sync 2;\n$b:",
        64,
    );
    assert_eq!(fault.kind, FaultKind::Deadlock);
    assert!(
        fault.detail.contains("warp 0") && fault.detail.contains("warp 1"),
        "{fault}"
    );
}

#[test]
fn a_mask_must_name_those_who_come() {
    let stranger = fault("bar.warp.sync 2;", 1);
    assert_eq!(stranger.kind, FaultKind::MissingLane);
    // Both name each other, in different operations.
    let apart = fault(
        "setp.eq.u32 %p1, %tid, 0;\n@%p1 bra $a;\nbar.warp.sync 3;\nbra $b;\n$a:\nvote.sync.any.pred %p2, %p1, 3;\n$b:",
        2,
    );
    assert_eq!(apart.kind, FaultKind::MissingLane);
    let gone = fault("setp.eq.u32 %p1, %tid, 0;\n@%p1 exit;\nbar.warp.sync 3;", 2);
    assert_eq!(gone.kind, FaultKind::MissingLane);
    assert!(gone.detail.contains("0x00000001 have exited"), "{gone}");
}

/// The ISA wants one mask from all who meet: lanes that name each other in different masks wait for ever, and are told apart.
#[test]
fn masks_that_overlap_do_not_match() {
    for operation in [
        "shfl.sync.idx.b32 %r2, %r1, 0, 31, %r1;",
        "vote.sync.ballot.b32 %r2, %p1, %r1;",
        "bar.warp.sync %r1;",
        "match.any.sync.b32 %r2, %tid, %r1;",
    ] {
        let fault = fault(
            &format!("setp.eq.u32 %p1, %tid, 0;\nselp.b32 %r1, 3, 7, %p1;\n{operation}"),
            3,
        );
        assert_eq!(fault.kind, FaultKind::MissingLane, "{operation}");
        for part in [
            "mask 0x00000003",
            "mask 0x00000007",
            "lanes 0x00000001",
            "lanes 0x00000006",
        ] {
            assert!(fault.detail.contains(part), "{operation} {fault}");
        }
    }
}

#[test]
fn traps_breakpoints_and_calls_to_nowhere() {
    assert_eq!(fault("trap;", 1).kind, FaultKind::Trap);
    assert_eq!(fault("brkpt;", 1).kind, FaultKind::Breakpoint);
    let call = fault("mov.u64 %rd1, 4096;\np: .callprototype _ ();\ncall %rd1, (), p;", 1);
    assert_eq!(call.kind, FaultKind::IllegalInstruction);
}

#[test]
fn debug_lines_show_the_source() {
    let text = format!(".file 1 \"/src/kernel.cu\"\n{}", kernel(".loc 1 42 0\ntrap;"));
    let fault = Machine::new(&text).run(&Launch::new(1, 1), 1).unwrap_err();
    assert_eq!(fault.stack[0].source, Some(("/src/kernel.cu".to_owned(), 42)));
    assert!(fault.to_string().contains("/src/kernel.cu:42"), "{fault}");
}

#[test]
fn a_failed_assertion_is_quoted() {
    let text = format!(
        ".extern .func __assertfail(.param .b64 a, .param .b64 b, .param .b32 c, .param .b64 d, .param .b64 e);\n\
         .global .align 1 .b8 message[6] = {{120, 32, 62, 32, 48, 0}};\n.global .align 1 .b8 file[5] = {{97, 46, 99, 117, 0}};\n{}",
        kernel(
            "{\n.param .b64 p0;\n.param .b64 p1;\n.param .b32 p2;\n.param .b64 p3;\n.param .b64 p4;\nst.param.b64 [p0], message;\nst.param.b64 [p1], file;\n\
             st.param.b32 [p2], 7;\nst.param.b64 [p3], file;\nst.param.b64 [p4], 1;\ncall.uni __assertfail, (p0, p1, p2, p3, p4);\n}"
        )
    );
    let fault = Machine::new(&text).run(&Launch::new(1, 1), 1).unwrap_err();
    assert_eq!(fault.kind, FaultKind::Assert);
    assert_eq!(fault.detail, "a.cu:7: a.cu: x > 0");
}

#[test]
fn a_launch_can_be_stopped() {
    for seed in [None, Some(1)] {
        let machine = Machine::kernel("$l:\nbra $l;");
        let mut launch = Launch::new(2, 32);
        launch.seed = seed;
        let cancel = launch.cancel.clone();
        let fault = std::thread::scope(|scope| {
            scope.spawn(move || {
                std::thread::sleep(Duration::from_millis(20));
                cancel.store(true, Ordering::SeqCst);
            });
            machine.run(&launch, 1).unwrap_err()
        });
        assert_eq!(fault.kind, FaultKind::Cancelled);
    }
}

/// Two blocks of two warps call `inner` from line 20 of a source; thread 33 of block 1 does something wrong there in line 7.
/// `%me` holds for that thread, `%half` for the warp it is in; `// here` marks the lines that may be to blame.
fn misbehaving(body: &str) -> String {
    format!(
        ".file 1 \"/src/kernel.cu\"
.global .align 4 .b8 text[2] = {{120, 0}};
.const .align 4 .u32 fixed = 7;
.extern .func __assertfail(.param .b64 a, .param .b64 b, .param .b32 c, .param .b64 d, .param .b64 e);
.func inner(.param .b64 inner_p)
{{
    .local .align 8 .b8 depot[256];
    .reg .pred %me, %half, %other, %p<4>;
    .reg .b32 %t, %b;
    .reg .b64 %at, %w, %w2;
    .loc 1 5 0
    ld.param.b64 %at, [inner_p];
    mov.u64 %w, depot;
    st.local.b64 [%w], %at;
    mov.u32 %t, %tid.x;
    mov.u32 %b, %ctaid.x;
    setp.ge.u32 %half, %t, 32;
    setp.eq.and.u32 %half, %b, 1, %half;
    setp.eq.and.u32 %me, %t, 33, %half;
    setp.eq.and.u32 %other, %t, 32, %half;
    .loc 1 7 0
{body}
    ret;
}}
.visible .entry k(.param .u64 k_p)
{{
    .reg .b64 %at;
    .loc 1 18 0
    ld.param.u64 %at, [k_p];
    .loc 1 20 0
    {{
    .param .b64 a;
    st.param.b64 [a], %at;
    call.uni inner, (a); // call
    }}
    ret;
}}
"
    )
}

#[test]
fn every_fault_says_where() {
    let assertion = "@!%me bra $on;\n{\n.param .b64 a;\n.param .b64 b;\n.param .b32 c;\n.param .b64 d;\n.param .b64 e;\nst.param.b64 [a], text;\n\
                     st.param.b64 [b], text;\nst.param.b32 [c], 7;\nst.param.b64 [d], text;\nst.param.b64 [e], 1;\n\
                     call.uni __assertfail, (a, b, c, d, e); // here\n}\n$on:";
    let recursion = "@!%me bra $on;\n{\n.param .b64 a;\nst.param.b64 [a], %at;\ncall.uni inner, (a); // here\n}\n$on:";
    let kinds = [
        (FaultKind::OutOfBounds, "@%me st.global.u32 [%at+1024], 1; // here"),
        (
            FaultKind::OutsideShared,
            "mov.u64 %w, 4096;\n@%me st.shared.u32 [%w], 1; // here",
        ),
        (FaultKind::Misaligned, "@%me st.global.u64 [%at+4], %at; // here"),
        (FaultKind::NullPointer, "mov.u64 %w, 8;\n@%me ld.b64 %w2, [%w]; // here"),
        (
            FaultKind::UseAfterFree,
            "ld.global.u64 %w, [%at+8];\n@%me st.global.u64 [%w], %w; // here",
        ),
        (
            FaultKind::Forbidden,
            "mov.u64 %w, fixed;\ncvta.const.u64 %w, %w;\n@%me st.u32 [%w], 1; // here",
        ),
        (
            FaultKind::ForeignStack,
            "cvta.local.u64 %w2, %w;\n@%other st.global.u64 [%at+16], %w2;\nbar.warp.sync -1;\nld.global.u64 %w2, [%at+16];\n\
             @%me st.u32 [%w2], 1; // here",
        ),
        (
            FaultKind::DivergentBarrier,
            "@%me bra $b;\nbar.sync 0; // here\nbra $on;\n$b:\nbar.sync 0; // here\n$on:",
        ),
        (FaultKind::MissingLane, "@%me bar.warp.sync 1; // here"),
        (FaultKind::StackOverflow, recursion),
        (
            FaultKind::Deadlock,
            "@%half bra $b;\nbar.sync 1; // here\nbra $on;\n$b:\nbar.sync 2; // here\n$on:",
        ),
        (FaultKind::Trap, "@%me trap; // here"),
        (FaultKind::Breakpoint, "@%me brkpt; // here"),
        (
            FaultKind::IllegalInstruction,
            "@!%me bra $on;\nmov.u64 %w, 4096;\np: .callprototype _ ();\ncall %w, (), p; // here\n$on:",
        ),
        (FaultKind::Assert, assertion),
    ];
    for (kind, body) in kinds {
        let text = misbehaving(body);
        let machine = Machine::new(&text);
        let at = machine.buffer(256);
        let freed = machine.memory.alloc(Kind::Device, 64, 16, "table").unwrap();
        machine.memory.free(freed, &[Kind::Device]).unwrap();
        machine.memory.write(at + 8, &freed.to_le_bytes()).unwrap();
        let fault = machine.launch(&Launch::new(2, 64), &[at]).unwrap_err();
        assert_eq!(fault.kind, kind, "{fault}");
        let words = fault.to_string();
        assert!(words.starts_with(kind.words()), "{words}");
        assert!(words.contains("; kernel k, block (1,0,0), thread ("), "{words}");
        let thread = fault.thread.map_or(0, |thread| thread.x);
        // Where several are in it, any of them may be named.
        match kind {
            FaultKind::Deadlock => {}
            FaultKind::DivergentBarrier => assert!(thread == 32 || thread == 33, "{words}"),
            _ => assert_eq!(thread, 33, "{words}"),
        }
        // The module's head has three lines.
        let marked = |mark: &str| {
            let lines = text.lines().enumerate().filter(|(_, line)| line.ends_with(mark));
            lines.map(|(n, _)| n + 4).collect::<Vec<_>>()
        };
        let inner = |line| format!(", in inner (PTX line {line}, /src/kernel.cu:7)");
        assert!(
            marked("// here").iter().any(|line| words.contains(&inner(line))),
            "{words}"
        );
        let outer = format!(
            "\n  called from k (PTX line {}, /src/kernel.cu:20)",
            marked("// call")[0]
        );
        assert!(words.ends_with(&outer), "{words}");
    }
}
