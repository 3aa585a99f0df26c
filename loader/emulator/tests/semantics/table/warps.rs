//! What the lanes of a warp do together.

use super::Kind::*;
use super::Table;

pub(super) fn warps(t: &mut Table) {
    // The rows fill whole warps up to the last; lanes of the last that have left are not in the mask that is taken here.
    let mask = "activemask.b32 %t2;\n";
    for (mode, clamp) in [
        ("idx", 0x1f),
        ("up", 0),
        ("down", 0x1f),
        ("bfly", 0x1f),
        ("idx", 0x181f),
        ("down", 0x181f),
        ("up", 0x1800),
    ] {
        t.body(
            &format!("shfl.sync.{mode} {clamp:#x}"),
            &format!(
                "{mask}and.b32 %b, %b, 3;\nshfl.sync.{mode}.b32 %d|%p, %a, %b, {clamp}, %t2;\nselp.b32 %d, %d, 0, %p;"
            ),
            I32,
            &[I32, Count],
        );
    }
    for mode in ["any", "all", "uni"] {
        t.body(
            &format!("vote.sync.{mode}"),
            &format!("{mask}setp.lt.s32 %q, %a, 5;\nvote.sync.{mode}.pred %p, %q, %t2;"),
            I32,
            &[I32],
        );
    }
    t.body(
        "vote.sync.ballot",
        &format!("{mask}setp.lt.s32 %q, %a, 5;\nvote.sync.ballot.b32 %d, %q, %t2;"),
        I32,
        &[I32],
    );
    t.body(
        "match.any.sync.b32",
        &format!("{mask}match.any.sync.b32 %d, %a, %t2;"),
        I32,
        &[I32],
    );
    t.body(
        "match.all.sync.b64",
        &format!("{mask}match.all.sync.b64 %d|%p, %a, %t2;"),
        I32,
        &[I64],
    );
    for op in [
        "add.u32", "min.u32", "min.s32", "max.u32", "max.s32", "and.b32", "or.b32", "xor.b32",
    ] {
        t.body(
            &format!("redux.sync.{op}"),
            &format!("{mask}redux.sync.{op} %d, %a, %t2;"),
            I32,
            &[I32],
        );
    }
    for register in [
        "laneid",
        "lanemask_eq",
        "lanemask_lt",
        "lanemask_le",
        "lanemask_gt",
        "lanemask_ge",
    ] {
        t.body(
            &format!("%{register}"),
            &format!("mov.u32 %d, %{register};"),
            I32,
            &[I32],
        );
    }
    full_warps(t);
    halves_of_warps(t);
}

/// All lanes are there, so that every source lane has a value.
fn full_warps(t: &mut Table) {
    for mode in ["idx", "up", "down", "bfly"] {
        for clamp in [0x1f, 0, 7, 0x10, 0x1c1f, 0x1c00, 0x1804, 0x101f, 0x0f03, 0xff_ffff] {
            t.body(
                &format!("shfl.sync.{mode} {clamp:#x} full"),
                &format!("shfl.sync.{mode}.b32 %d|%p, %a, %b, {clamp}, 0xffffffff;"),
                I32,
                &[I32, Count],
            )
            .whole_blocks = true;
        }
    }
    t.body(
        "shfl.sync without predicate",
        "shfl.sync.bfly.b32 %d, %a, 16, 31, -1;",
        I32,
        &[I32],
    )
    .whole_blocks = true;
    for mode in ["any", "all", "uni"] {
        for (what, test) in [
            ("mixed", "setp.lt.s32 %q, %a, 5;"),
            ("true", "setp.eq.u64 %q, %in, %in;"),
            ("false", "setp.ne.u64 %q, %in, %in;"),
        ] {
            for negated in ["", "!"] {
                t.body(
                    &format!("vote.sync.{mode} {negated}{what} full"),
                    &format!("{test}\nvote.sync.{mode}.pred %p, {negated}%q, 0xffffffff;"),
                    I32,
                    &[I32],
                )
                .whole_blocks = true;
            }
        }
    }
    for (ty, kind) in [("b32", I32), ("b64", I64)] {
        t.body(
            &format!("match.any.sync.{ty} full"),
            &format!("match.any.sync.{ty} %d, %a, 0xffffffff;"),
            I32,
            &[kind],
        )
        .whole_blocks = true;
        t.body(
            &format!("match.all.sync.{ty} full"),
            &format!("match.all.sync.{ty} %d|%p, %a, 0xffffffff;"),
            I32,
            &[kind],
        )
        .whole_blocks = true;
        t.body(
            &format!("match.all.sync.{ty} equal"),
            &format!(
                "sub.u{0} %a, %a, %a;\nmatch.all.sync.{ty} %d|%p, %a, 0xffffffff;",
                &ty[1..]
            ),
            I32,
            &[kind],
        )
        .whole_blocks = true;
    }
    t.body(
        "match.any.sync.b32 NaN",
        "match.any.sync.b32 %d, %a, 0xffffffff;",
        I32,
        &[Odd32],
    )
    .whole_blocks = true;
    for op in ["add.s32", "min.s32", "max.u32", "and.b32", "xor.b32"] {
        t.body(
            &format!("redux.sync.{op} full"),
            &format!("redux.sync.{op} %d, %a, 0xffffffff;"),
            I32,
            &[I32],
        )
        .whole_blocks = true;
    }
    t.body("elect.sync", "elect.sync %d|%p, 0xffffffff;", I32, &[I32])
        .whole_blocks = true;
    t.body("activemask", "activemask.b32 %d;", I32, &[I32]).whole_blocks = true;
    t.body(
        "bar.warp.sync",
        ".shared .align 4 .b8 words[512];\n.reg .b32 %x;\nmov.u32 %t, words;\nmad.lo.u32 %t2, %id, 4, %t;\nst.shared.b32 [%t2], %a;\n\
         bar.warp.sync 0xffffffff;\nxor.b32 %x, %id, 9;\nmad.lo.u32 %t2, %x, 4, %t;\nld.shared.b32 %d, [%t2];",
        I32,
        &[I32],
    )
    .whole_blocks = true;
}

/// Lanes come from both sides of a branch, once with one mask and once with one for each half.
fn halves_of_warps(t: &mut Table) {
    for (what, instruction) in [
        ("shfl.sync.bfly", "shfl.sync.bfly.b32 %d|%p, %a, 17, 31, MASK;"),
        ("shfl.sync.idx", "shfl.sync.idx.b32 %d|%p, %a, 3, 0x101f, MASK;"),
        ("shfl.sync.down", "shfl.sync.down.b32 %d|%p, %a, 2, 0x101f, MASK;"),
        (
            "vote.sync.ballot",
            "setp.lt.s32 %q, %a, 5;\nvote.sync.ballot.b32 %d, %q, MASK;",
        ),
        (
            "vote.sync.any",
            "setp.eq.s32 %q, %a, 3;\nvote.sync.any.pred %p, %q, MASK;",
        ),
        ("match.any.sync", "match.any.sync.b32 %d, %a, MASK;"),
        ("redux.sync.add", "redux.sync.add.u32 %d, %a, MASK;"),
        ("elect.sync", "elect.sync %d|%p, MASK;"),
    ] {
        // A shuffle across the halves needs one mask for both.
        let one = "mov.u32 %t2, 0xffffffff;\n";
        let each = "setp.lt.u32 %p, %t, 16;\nselp.b32 %t2, 0xffff, 0xffff0000, %p;\nsetp.ne.u32 %p, 0, 0;\n";
        let instruction = instruction.replace("MASK", "%t2");
        let lane = "mov.u32 %t, %laneid;\n";
        if what != "shfl.sync.bfly" {
            t.body(
                &format!("{what} of halves"),
                &format!("{lane}{each}{instruction}"),
                I32,
                &[I32],
            )
            .whole_blocks = true;
        }
        t.body(
            &format!("{what} from both sides"),
            &format!(
                "{lane}{one}setp.lt.u32 %q, %t, 16;\n@%q bra $low;\n{instruction}\nbra.uni $both;\n$low:\n{instruction}\n$both:"
            ),
            I32,
            &[I32],
        )
        .whole_blocks = true;
    }
}
