//! Branches, calls, the stack, barriers of the block, special registers.

use super::Kind::*;
use super::Table;

pub(super) fn control(t: &mut Table) {
    branches(t);
    calls(t);
    stack(t);
    barriers(t);
    registers(t);
}

fn branches(t: &mut Table) {
    t.body(
        "bra @p @!p",
        "setp.lt.s32 %q, %a, 9;\n@%q bra $less;\nadd.u32 %d, %a, 100;\n@!%q bra.uni $out;\n$less:\nadd.u32 %d, %a, 200;\n$out:",
        I32,
        &[I32],
    );
    t.body(
        "bra loop",
        "and.b32 %t, %a, 63;\n$next:\nmad.lo.u32 %d, %d, 3, %t;\nsub.u32 %t, %t, 1;\nsetp.ge.s32 %q, %t, 0;\n@%q bra $next;",
        I32,
        &[I32],
    );
    t.body(
        "brx.idx",
        "$table: .branchtargets $zero, $one, $two, $one;\nand.b32 %t, %a, 3;\nbrx.idx %t, $table;\n$zero:\nmov.u32 %d, 10;\nbra $out;\n\
         $one:\nmov.u32 %d, 11;\nbra $out;\n$two:\nmov.u32 %d, 12;\n$out:",
        I32,
        &[I32],
    );
    t.body(
        "predicated instruction",
        "setp.lt.s32 %q, %a, 9;\n@%q mov.u32 %d, 5;\n@!%q add.u32 %d, %a, 1;",
        I32,
        &[I32],
    );
    t.body(
        "exit",
        "setp.lt.s32 %q, %a, 9;\nst.global.b64 [%out], 3;\nst.global.b64 [%out+8], 0;\n@%q exit;\nmov.u32 %d, 4;",
        I32,
        &[I32],
    );
    t.body(
        "ret",
        "setp.lt.s32 %q, %a, 9;\nst.global.b64 [%out], 3;\nst.global.b64 [%out+8], 0;\n@%q ret;\nmov.u32 %d, 4;",
        I32,
        &[I32],
    );
    for nothing in [
        "pmevent 3",
        "pmevent.mask 5",
        "nanosleep.u32 20",
        "griddepcontrol.launch_dependents",
        "griddepcontrol.wait",
    ] {
        t.body(nothing, &format!("{nothing};\nmov.u32 %d, %a;"), I32, &[I32]);
    }
}

fn calls(t: &mut Table) {
    let triple = ".func (.param .b32 r) KERNEL_triple(.param .b32 x)\n{\n.reg .b32 %x;\nld.param.b32 %x, [x];\nmul.lo.u32 %x, %x, 3;\nst.param.b32 [r], %x;\nret;\n}\n\
                  .func (.param .b32 r) KERNEL_negate(.param .b32 x)\n{\n.reg .b32 %x;\nld.param.b32 %x, [x];\nneg.s32 %x, %x;\nst.param.b32 [r], %x;\nret;\n}\n";
    t.body(
        "call direct",
        "{\n.param .b32 x;\n.param .b32 r;\nst.param.b32 [x], %a;\ncall.uni (r), KERNEL_triple, (x);\nld.param.b32 %d, [r];\n}",
        I32,
        &[I32],
    )
    .prelude = triple.to_owned();
    t.body(
        "call indirect",
        "mov.u64 %w, KERNEL_triple;\nmov.u64 %w2, KERNEL_negate;\nsetp.lt.s32 %q, %a, 9;\nselp.b64 %w, %w, %w2, %q;\n\
         {\n.param .b32 x;\n.param .b32 r;\nst.param.b32 [x], %a;\nproto: .callprototype (.param .b32 _) _ (.param .b32 _);\n\
         call (r), %w, (x), proto;\nld.param.b32 %d, [r];\n}",
        I32,
        &[I32],
    )
    .prelude = triple.to_owned();
    t.body(
        "call recursive",
        "and.b32 %t, %a, 15;\n{\n.param .b32 x;\n.param .b32 r;\nst.param.b32 [x], %t;\ncall.uni (r), KERNEL_sum, (x);\nld.param.b32 %d, [r];\n}",
        I32,
        &[I32],
    )
    .prelude = ".func (.param .b32 r) KERNEL_sum(.param .b32 x)\n{\n.reg .pred %p;\n.reg .b32 %x, %y, %z;\nld.param.b32 %x, [x];\nmov.u32 %z, 0;\n\
                setp.eq.u32 %p, %x, 0;\n@%p bra $end;\nsub.u32 %y, %x, 1;\n{\n.param .b32 a;\n.param .b32 b;\nst.param.b32 [a], %y;\n\
                call.uni (b), KERNEL_sum, (a);\nld.param.b32 %z, [b];\n}\nmad.lo.u32 %z, %z, 3, %x;\n$end:\nst.param.b32 [r], %z;\nret;\n}\n"
        .to_owned();
    t.body(
        "call with an aggregate",
        "{\n.param .align 8 .b8 x[12];\n.param .align 8 .b8 r[16];\nst.param.b64 [x], %a;\nst.param.b8 [x+8], 7;\nst.param.b16 [x+10], 0x1234;\n\
         call.uni (r), KERNEL_swap, (x);\nld.param.v2.b64 {%d, %w}, [r];\nmad.lo.u64 %d, %d, 31, %w;\n}",
        I64,
        &[I64],
    )
    .prelude = ".func (.param .align 8 .b8 r[16]) KERNEL_swap(.param .align 8 .b8 x[12])\n{\n.reg .b64 %x, %y;\n.reg .b32 %z;\n.reg .b16 %h, %g;\nld.param.b64 %x, [x];\n\
                ld.param.b8 %h, [x+8];\nld.param.b16 %g, [x+10];\nmul.wide.u16 %z, %h, %g;\ncvt.u64.u32 %y, %z;\nst.param.b64 [r+8], %x;\n\
                st.param.b64 [r], %y;\nret;\n}\n"
        .to_owned();
    for (ty, bits) in [("b8", 16), ("b16", 16), ("b32", 32), ("b64", 64)] {
        let declare = format!(".reg .b{bits} %v<4>;\n");
        let body = format!(
            "{declare}cvt.u{bits}.u64 %v0, %a;\ncvt.u{bits}.u64 %v1, %b;\n{{\n.param .align 16 .b8 x[16];\n.param .align 16 .b8 r[16];\nst.param.v2.{ty} [x], {{%v0, %v1}};\n\
             call.uni (r), KERNEL_turn, (x);\nld.param.v2.{ty} {{%v2, %v3}}, [r];\n}}\ncvt.u64.u{bits} %d, %v2;\ncvt.u64.u{bits} %w, %v3;\nmad.lo.u64 %d, %d, 31, %w;"
        );
        // A conversion between equal types of 64 bits is a move.
        let body = body.replace("cvt.u64.u64", "mov.b64");
        t.body(&format!("st.param.v2.{ty} ld.param.v2.{ty}"), &body, I64, &[I64, I64])
            .prelude = format!(
            ".func (.param .align 16 .b8 r[16]) KERNEL_turn(.param .align 16 .b8 x[16])\n{{\n{declare}ld.param.v2.{ty} {{%v0, %v1}}, [x];\n\
             st.param.v2.{ty} [r], {{%v1, %v0}};\nret;\n}}\n"
        );
    }
    t.body(
        "call malloc free",
        "{\n.param .b64 n;\n.param .b64 p;\nst.param.b64 [n], 64;\ncall.uni (p), malloc, (n);\nld.param.b64 %w, [p];\n}\nsetp.ne.u64 %p, %w, 0;\n\
         @!%p bra $none;\nst.b64 [%w+56], %a;\nld.b64 %d, [%w+56];\n{\n.param .b64 p;\nst.param.b64 [p], %w;\ncall.uni free, (p);\n}\n$none:",
        I64,
        &[I64],
    )
    .prelude = ".extern .func (.param .b64 r) malloc(.param .b64 n);\n.extern .func free(.param .b64 p);\n".to_owned();
}

fn stack(t: &mut Table) {
    t.body(
        "alloca stacksave stackrestore",
        "and.b32 %t, %a, 15;\nadd.u32 %t, %t, 1;\nmul.wide.u32 %w, %t, 8;\nstacksave.u64 %w2;\nalloca.u64 %o, %w, 16;\n\
         st.local.b64 [%o], %w;\nld.local.b64 %d, [%o];\nand.b64 %w, %o, 15;\nadd.u64 %d, %d, %w;\nstackrestore.u64 %w2;\nstacksave.u64 %w;\n\
         setp.eq.u64 %p, %w, %w2;",
        I64,
        &[I32],
    );
    t.body(
        "alloca",
        "alloca.u64 %o, 24;\nst.local.b64 [%o+16], %a;\nld.local.b64 %d, [%o+16];",
        I64,
        &[I64],
    );
}

fn barriers(t: &mut Table) {
    // A neighbour's value through shared memory, from another warp.
    let exchange = |barrier: &str| {
        format!(
            ".shared .align 4 .b8 words[512];\n.reg .b32 %x;\nmov.u32 %t, words;\nmad.lo.u32 %t2, %id, 4, %t;\nst.shared.b32 [%t2], %a;\n\
             {barrier}\nxor.b32 %x, %id, 73;\nmad.lo.u32 %t2, %x, 4, %t;\nld.shared.b32 %d, [%t2];"
        )
    };
    for barrier in [
        "bar.sync 0",
        "bar.sync 15, 128",
        "bar.cta.sync 3",
        "barrier.sync 0",
        "barrier.sync.aligned 1",
        "barrier.cta.sync 2, 128",
        "barrier.cta.sync.aligned 2, 128",
        "barrier.cluster.arrive; barrier.cluster.wait",
        "barrier.cluster.arrive.aligned; barrier.cluster.wait.aligned",
        "barrier.cluster.arrive.release; barrier.cluster.wait.acquire",
        "barrier.cluster.arrive.release.aligned; barrier.cluster.wait.acquire.aligned",
    ] {
        t.body(barrier, &exchange(&format!("{barrier};")), I32, &[I32])
            .whole_blocks = true;
    }
    t.body(
        "barrier.cluster.arrive.relaxed",
        "barrier.cluster.arrive.relaxed;\nbarrier.cluster.wait;\nmov.u32 %d, %a;",
        I32,
        &[I32],
    )
    .whole_blocks = true;
    // Two warps tell the other two.
    for (arrive, sync) in [
        ("bar.arrive 1, 128", "bar.sync 1, 128"),
        ("barrier.arrive 1, 128", "barrier.sync 1, 128"),
        ("barrier.cta.arrive.aligned 1, 128", "barrier.cta.sync.aligned 1, 128"),
        ("bar.cta.arrive 1, 128", "bar.cta.sync 1, 128"),
    ] {
        t.body(
            &format!("{arrive} {sync}"),
            &format!(
                ".shared .align 4 .b8 words[512];\n.reg .b32 %x;\nmov.u32 %t, words;\nmad.lo.u32 %t2, %id, 4, %t;\nsetp.lt.u32 %q, %id, 64;\n@%q bra $first;\n\
                 {sync};\nxor.b32 %x, %id, 73;\nmad.lo.u32 %t2, %x, 4, %t;\nld.shared.b32 %d, [%t2];\nbra.uni $out;\n\
                 $first:\nst.shared.b32 [%t2], %a;\n{arrive};\n$out:"
            ),
            I32,
            &[I32],
        )
        .whole_blocks = true;
    }
    for prefix in [
        "bar.red",
        "barrier.red",
        "barrier.cta.red",
        "barrier.cta.red.aligned",
        "bar.cta.red",
    ] {
        for (what, test) in [
            ("mixed", "setp.lt.s32 %q, %a, 5;"),
            ("true", "setp.eq.u64 %q, %in, %in;"),
            ("false", "setp.ne.u64 %q, %in, %in;"),
        ] {
            t.body(
                &format!("{prefix}.popc {what}"),
                &format!("{test}\n{prefix}.popc.u32 %d, 0, !%q;"),
                I32,
                &[I32],
            )
            .whole_blocks = true;
            for op in ["and", "or"] {
                t.body(
                    &format!("{prefix}.{op} {what}"),
                    &format!("{test}\n{prefix}.{op}.pred %p, 1, 128, %q;"),
                    I32,
                    &[I32],
                )
                .whole_blocks = true;
            }
        }
    }
    // All threads of a block on one word.
    for (op, start) in [
        ("red.shared.add.u32", "0"),
        ("red.shared.xor.b32", "5"),
        ("red.shared.max.s32", "-7"),
        ("atom.shared.or.b32 %t2,", "0"),
        ("atom.acq_rel.cta.shared.min.u32 %t2,", "-1"),
    ] {
        t.body(
            &format!("{} of a block", op.split(' ').next().unwrap_or_default()),
            &format!(
                ".shared .align 4 .b8 word[4];\nmov.u32 %t, word;\nst.shared.b32 [%t], {start};\nbar.sync 0;\n{op} [%t], %a;\nbar.sync 0;\nld.shared.b32 %d, [%t];"
            ),
            I32,
            &[I32],
        )
        .whole_blocks = true;
    }
}

fn registers(t: &mut Table) {
    for axis in ["x", "y", "z"] {
        for register in [
            "tid",
            "ntid",
            "ctaid",
            "nctaid",
            "clusterid",
            "nclusterid",
            "cluster_ctaid",
            "cluster_nctaid",
        ] {
            t.body(
                &format!("%{register}.{axis}"),
                &format!("mov.u32 %d, %{register}.{axis};"),
                I32,
                &[I32],
            );
        }
    }
    for (register, telling) in [
        // Any of a multiprocessor's 64, and not always the same.
        ("warpid", !63),
        ("nwarpid", !0),
        ("cluster_ctarank", !0),
        ("cluster_nctarank", !0),
        ("dynamic_smem_size", !0),
        // What a driver keeps there is its own affair.
        ("envreg0", 0),
        ("envreg31", !0),
    ] {
        t.body(
            &format!("%{register}"),
            &format!("mov.u32 %d, %{register};"),
            I32,
            &[I32],
        )
        .telling = telling;
    }
    t.body("%current_graph_exec", "mov.u64 %d, %current_graph_exec;", I64, &[I32]);
    // What depends on the device or the moment, in words that do not.
    for (name, body) in [
        (
            "%smid %nsmid",
            "mov.u32 %t, %smid;\nmov.u32 %t2, %nsmid;\nsetp.lt.u32 %p, %t, %t2;",
        ),
        (
            "%clock",
            "mov.u32 %t, %clock;\nmov.u32 %t2, %clock;\nsub.u32 %t, %t2, %t;\nsetp.lt.u32 %p, %t, 1000000000;",
        ),
        (
            "%clock64",
            "mov.u64 %w, %clock64;\nmov.u64 %w2, %clock64;\nsetp.gt.u64 %p, %w2, %w;",
        ),
        (
            "%clock_hi",
            "mov.u32 %t, %clock_hi;\nmov.u64 %w, %clock64;\nshr.u64 %w, %w, 32;\ncvt.u64.u32 %w2, %t;\nsub.u64 %w, %w, %w2;\nsetp.le.u64 %p, %w, 1;",
        ),
        (
            "%globaltimer",
            "mov.u64 %w, %globaltimer;\nnanosleep.u32 2000;\nmov.u64 %w2, %globaltimer;\nsub.u64 %w2, %w2, %w;\nsetp.lt.u64 %p, %w2, 10000000000;\nsetp.gt.u64 %q, %w, 1000000000000000000;\nand.pred %p, %p, %q;",
        ),
        (
            "%globaltimer_lo %globaltimer_hi",
            "mov.u32 %t, %globaltimer_lo;\nmov.u32 %t2, %globaltimer_hi;\nsetp.gt.u32 %p, %t2, 100000000;",
        ),
        ("%gridid", "mov.u64 %w, %gridid;\nsetp.lt.u64 %p, %w, 1000000000;"),
        (
            "%total_smem_size",
            "mov.u32 %t, %total_smem_size;\nsetp.lt.u32 %p, %t, 65536;",
        ),
        (
            "%aggr_smem_size",
            "mov.u32 %t, %aggr_smem_size;\nsetp.lt.u32 %p, %t, 65536;",
        ),
        ("%pm0", "mov.u32 %t, %pm0;\nsetp.lt.u32 %p, %t, 4000000000;"),
    ] {
        t.body(name, body, I32, &[I32]);
    }
}
