//! Integer arithmetic.

use super::Kind::*;
use super::{INTEGERS, Table};

pub(super) fn integers(t: &mut Table) {
    for (suffix, kind) in INTEGERS {
        for op in ["add", "sub", "mul.lo", "mul.hi", "min", "max"] {
            t.op(&format!("{op}.{suffix}"), kind, &[kind, kind]);
        }
        for op in ["mad.lo", "mad.hi"] {
            t.op(&format!("{op}.{suffix}"), kind, &[kind, kind, kind]);
        }
        t.op(&format!("sad.{suffix}"), kind, &[kind, kind, kind]);
        // Division by zero has no defined result.
        let width = kind.width();
        for op in ["div", "rem"] {
            let name = format!("{op}.{suffix}");
            t.body(
                &name,
                &format!("or.b{width} %b, %b, 1;\n{name} %d, %a, %b;"),
                kind,
                &[kind, kind],
            );
        }
        if suffix.starts_with('s') {
            t.op(&format!("abs.{suffix}"), kind, &[kind]);
            t.op(&format!("neg.{suffix}"), kind, &[kind]);
        }
    }
    t.op("add.sat.s32", I32, &[I32, I32]);
    t.op("sub.sat.s32", I32, &[I32, I32]);
    t.op("mad.hi.sat.s32", I32, &[I32, I32, I32]);
    for (suffix, from, to) in [
        ("u16", I16, I32),
        ("s16", I16, I32),
        ("u32", I32, I64),
        ("s32", I32, I64),
    ] {
        t.op(&format!("mul.wide.{suffix}"), to, &[from, from]);
        t.op(&format!("mad.wide.{suffix}"), to, &[from, from, to]);
    }
    for op in ["mul24.lo", "mul24.hi"] {
        t.op(&format!("{op}.u32"), I32, &[I32, I32]);
        t.op(&format!("{op}.s32"), I32, &[I32, I32]);
    }
    for op in [
        "mad24.lo.u32",
        "mad24.lo.s32",
        "mad24.hi.u32",
        "mad24.hi.s32",
        "mad24.hi.sat.s32",
    ] {
        t.op(op, I32, &[I32, I32, I32]);
    }
    for (name, body) in [
        ("add.cc addc", "add.cc.u32 %t, %a, %b;\naddc.u32 %d, %a, 7;"),
        ("sub.cc subc", "sub.cc.u32 %t, %a, %b;\nsubc.u32 %d, %a, %b;"),
        (
            "add.cc addc.cc addc",
            "add.cc.u32 %t, %a, %b;\naddc.cc.u32 %t, %t, %b;\naddc.u32 %d, %t, 0;",
        ),
        (
            "mad.lo.cc madc.hi",
            "mad.lo.cc.u32 %t, %a, %b, %a;\nmadc.hi.u32 %d, %a, %b, 5;",
        ),
        ("mad.hi.cc addc", "mad.hi.cc.u32 %t, %a, %b, %b;\naddc.u32 %d, %t, 0;"),
    ] {
        t.body(name, body, I32, &[I32, I32]);
    }
    t.body(
        "add.cc.u64 addc.u64",
        "add.cc.u64 %w, %a, %b;\naddc.u64 %d, %w, 0;",
        I64,
        &[I64, I64],
    );
    t.body(
        "sub.cc.u64 subc.u64",
        "sub.cc.u64 %w, %a, %b;\nsubc.u64 %d, %w, 0;",
        I64,
        &[I64, I64],
    );
    for (a, b) in [("u32", "u32"), ("s32", "s32"), ("u32", "s32"), ("s32", "u32")] {
        t.op(&format!("dp4a.{a}.{b}"), I32, &[I32, I32, I32]);
        t.op(&format!("dp2a.lo.{a}.{b}"), I32, &[I32, I32, I32]);
        t.op(&format!("dp2a.hi.{a}.{b}"), I32, &[I32, I32, I32]);
    }
    by_zero(t);
    pairs(t);
    extended(t);
}

/// The manual leaves these open; programs see them all the same.
fn by_zero(t: &mut Table) {
    for (suffix, kind) in INTEGERS {
        for op in ["div", "rem"] {
            t.body(
                &format!("{op}.{suffix} by zero"),
                &format!("{op}.{suffix} %d, %a, %b;"),
                kind,
                &[kind, Zero(kind.width())],
            );
        }
    }
}

fn pairs(t: &mut Table) {
    for op in ["add", "min", "max"] {
        t.op(&format!("{op}.u16x2"), I32, &[I32, I32]);
        t.op(&format!("{op}.s16x2"), I32, &[I32, I32]);
    }
    for op in ["min", "max"] {
        t.op(&format!("{op}.relu.s16x2"), I32, &[I32, I32]);
        t.op(&format!("{op}.relu.s32"), I32, &[I32, I32]);
    }
}

/// All ways in which a carry comes and goes.
fn extended(t: &mut Table) {
    for (ty, kind, t1, t2) in [
        ("u32", I32, "%t", "%t2"),
        ("s32", I32, "%t", "%t2"),
        ("u64", I64, "%w", "%w2"),
        ("s64", I64, "%w", "%w2"),
    ] {
        for op in ["add", "sub"] {
            t.body(
                &format!("{op}.cc.{ty} {op}c.cc {op}c"),
                &format!("{op}.cc.{ty} {t1}, %a, %b;\n{op}c.cc.{ty} {t2}, %a, %c;\n{op}c.{ty} %d, {t1}, {t2};"),
                kind,
                &[kind, kind, kind],
            );
        }
        for (first, second, last) in [
            ("mad.lo.cc", "madc.lo.cc", "madc.hi"),
            ("mad.hi.cc", "madc.hi.cc", "madc.lo"),
        ] {
            t.body(
                &format!("{first}.{ty} {second} {last}"),
                &format!(
                    "{first}.{ty} {t1}, %a, %b, %c;\n{second}.{ty} {t2}, %a, %c, {t1};\n{last}.{ty} %d, %b, %c, {t2};"
                ),
                kind,
                &[kind, kind, kind],
            );
        }
    }
}
