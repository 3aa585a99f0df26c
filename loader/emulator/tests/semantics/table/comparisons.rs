//! `setp` and `set`.

use super::Kind::*;
use super::{INTEGERS, Table};

pub(super) fn comparisons(t: &mut Table) {
    for relation in ["eq", "ne", "lt", "le", "gt", "ge"] {
        for (suffix, kind) in INTEGERS {
            t.test(&format!("setp.{relation}.{suffix}"), &[kind, kind]);
        }
    }
    for relation in [
        "eq", "ne", "lt", "le", "gt", "ge", "equ", "neu", "ltu", "leu", "gtu", "geu", "num", "nan",
    ] {
        for (suffix, kind) in [("f32", F32), ("ftz.f32", F32), ("f64", F64), ("f16", F16)] {
            t.test(&format!("setp.{relation}.{suffix}"), &[kind, kind]);
        }
    }
    for combine in ["and", "or", "xor"] {
        t.body(
            &format!("setp.lt.{combine}.s32 p|q"),
            &format!("setp.eq.u32 %q, %c, 0;\nsetp.lt.{combine}.s32 %p|%q, %a, %b, %q;\nselp.b32 %d, 1, 0, %q;"),
            I32,
            &[I32, I32, Count],
        );
        t.body(
            &format!("setp.gtu.{combine}.f32 !q"),
            &format!("setp.eq.u32 %q, %c, 0;\nsetp.gtu.{combine}.f32 %p, %a, %b, !%q;"),
            I32,
            &[F32, F32, Count],
        );
    }
    t.op("set.ge.f32.f32", F32, &[F32, F32]);
    t.op("set.neu.s32.f64", I32, &[F64, F64]);
    t.body(
        "setp.lt.f16x2",
        "setp.lt.f16x2 %p|%q, %a, %b;\nselp.b32 %d, 1, 0, %q;",
        I32,
        &[F16x2, F16x2],
    );
    for relation in ["eq", "ne"] {
        for (suffix, kind) in [("b16", I16), ("b32", I32), ("b64", I64)] {
            t.test(&format!("setp.{relation}.{suffix}"), &[kind, kind]);
        }
    }
    for (suffix, kind) in [("u16", I16), ("u32", I32), ("u64", I64)] {
        for relation in ["lo", "ls", "hi", "hs"] {
            t.test(&format!("setp.{relation}.{suffix}"), &[kind, kind]);
        }
    }
    for relation in [
        "eq", "ne", "lt", "le", "gt", "ge", "equ", "neu", "ltu", "leu", "gtu", "geu", "num", "nan",
    ] {
        for (suffix, kind) in [("ftz.f16", F16), ("bf16", Bf16)] {
            t.test(&format!("setp.{relation}.{suffix}"), &[kind, kind]);
        }
        for (suffix, kind) in [("f16x2", F16x2), ("ftz.f16x2", F16x2), ("bf16x2", Bf16x2)] {
            t.body(
                &format!("setp.{relation}.{suffix} p|q"),
                &format!("setp.{relation}.{suffix} %p|%q, %a, %b;\nselp.b32 %d, 1, 0, %q;"),
                I32,
                &[kind, kind],
            );
            t.op(
                &format!("set.{relation}.{suffix}.{}", suffix.trim_start_matches("ftz.")),
                kind,
                &[kind, kind],
            );
        }
        for from in ["f32", "ftz.f32"] {
            t.body(
                &format!("set.{relation}.{from} u32"),
                &set(relation, "u32", from),
                I32,
                &[F32, F32],
            );
        }
        t.op(&format!("set.{relation}.f32.f64"), F32, &[F64, F64]);
        t.op(&format!("set.{relation}.u32.f16"), I32, &[F16, F16]);
        t.op(&format!("set.{relation}.f16.f16"), F16, &[F16, F16]);
        t.op(&format!("set.{relation}.bf16.bf16"), Bf16, &[Bf16, Bf16]);
    }
    for relation in ["eq", "ne", "lt", "le", "gt", "ge"] {
        for (suffix, kind) in INTEGERS {
            t.op(&format!("set.{relation}.u32.{suffix}"), I32, &[kind, kind]);
            t.op(&format!("set.{relation}.f32.{suffix}"), F32, &[kind, kind]);
        }
    }
    for combine in ["and", "or", "xor"] {
        t.body(
            &format!("set.lt.{combine}.s32.s32"),
            &format!("setp.eq.u32 %q, %c, 0;\nset.lt.{combine}.s32.s32 %d, %a, %b, !%q;"),
            I32,
            &[I32, I32, Count],
        );
        for (suffix, kind) in [("f16", F16), ("bf16", Bf16)] {
            t.body(
                &format!("setp.le.{combine}.{suffix}"),
                &format!("setp.eq.u32 %q, %c, 0;\nsetp.le.{combine}.{suffix} %p, %a, %b, %q;"),
                I32,
                &[kind, kind, Count],
            );
        }
        for (suffix, kind) in [("u64", I64), ("f64", F64)] {
            t.body(
                &format!("setp.le.{combine}.{suffix} p|q"),
                &format!(
                    "setp.eq.u32 %q, %c, 0;\nsetp.le.{combine}.{suffix} %p|%q, %a, %b, %q;\nselp.b32 %d, 1, 0, %q;"
                ),
                I32,
                &[kind, kind, Count],
            );
        }
        t.body(
            &format!("setp.lt.{combine}.f16x2 p|q"),
            &format!("setp.eq.u32 %q, %c, 0;\nsetp.lt.{combine}.f16x2 %p|%q, %a, %b, %q;\nselp.b32 %d, 1, 0, %q;"),
            I32,
            &[F16x2, F16x2, Count],
        );
    }
}

/// `set.lt.ftz.u32.f32`: the flush stands before the result's type.
fn set(relation: &str, result: &str, from: &str) -> String {
    match from.strip_prefix("ftz.") {
        Some(from) => format!("set.{relation}.ftz.{result}.{from} %d, %a, %b;"),
        None => format!("set.{relation}.{result}.{from} %d, %a, %b;"),
    }
}
