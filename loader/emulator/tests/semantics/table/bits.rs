//! Logic, shifts, selection, and fields of bits.

use super::Kind::*;
use super::Table;

pub(super) fn bits(t: &mut Table) {
    for (width, kind) in [(16, I16), (32, I32), (64, I64)] {
        for op in ["and", "or", "xor"] {
            t.op(&format!("{op}.b{width}"), kind, &[kind, kind]);
        }
        t.op(&format!("not.b{width}"), kind, &[kind]);
        t.op(&format!("cnot.b{width}"), kind, &[kind]);
        t.op(&format!("shl.b{width}"), kind, &[kind, Count]);
        t.op(&format!("shr.u{width}"), kind, &[kind, Count]);
        t.op(&format!("shr.s{width}"), kind, &[kind, Count]);
    }
    for (width, kind) in [(32, I32), (64, I64)] {
        t.op(&format!("popc.b{width}"), I32, &[kind]);
        t.op(&format!("clz.b{width}"), I32, &[kind]);
        t.op(&format!("brev.b{width}"), kind, &[kind]);
        for sign in ["u", "s"] {
            t.op(&format!("bfind.{sign}{width}"), I32, &[kind]);
            t.op(&format!("bfind.shiftamt.{sign}{width}"), I32, &[kind]);
            t.op(&format!("bfe.{sign}{width}"), kind, &[kind, Count, Count]);
        }
        t.op(&format!("bfi.b{width}"), kind, &[kind, kind, Count, Count]);
    }
    for mode in ["clamp", "wrap"] {
        t.op(&format!("shf.l.{mode}.b32"), I32, &[I32, I32, Count]);
        t.op(&format!("shf.r.{mode}.b32"), I32, &[I32, I32, Count]);
        t.op(&format!("bmsk.{mode}.b32"), I32, &[Count, Count]);
        t.op(&format!("szext.{mode}.u32"), I32, &[I32, Count]);
        t.op(&format!("szext.{mode}.s32"), I32, &[I32, Count]);
    }
    t.op("prmt.b32", I32, &[I32, I32, I32]);
    for mode in ["f4e", "b4e", "rc8", "ecl", "ecr", "rc16"] {
        t.op(&format!("prmt.b32.{mode}"), I32, &[I32, I32, Count]);
    }
    for table in [0x96, 0xe8, 0xca, 0x1b, 0x80, 0xfe, 0x2d, 0x01] {
        let name = format!("lop3.b32 {table:#04x}");
        t.body(
            &name,
            &format!("lop3.b32 %d, %a, %b, %c, {table};"),
            I32,
            &[I32, I32, I32],
        );
    }
    t.body(
        "fns.b32",
        "and.b32 %b, %b, 31;\nfns.b32 %d, %a, %b, 2;",
        I32,
        &[I32, Count],
    );
    t.body(
        "fns.b32 down",
        "and.b32 %b, %b, 31;\nfns.b32 %d, %a, %b, -1;",
        I32,
        &[I32, Count],
    );
    t.op("slct.b32.s32", I32, &[I32, I32, I32]);
    t.op("slct.b64.f32", I64, &[I64, I64, F32]);
    t.body(
        "selp.b32",
        "setp.lt.s32 %q, %a, %b;\nselp.b32 %d, %a, %b, %q;",
        I32,
        &[I32, I32],
    );
    t.body(
        "selp.b64 !p",
        "setp.lt.s64 %q, %a, %b;\nnot.pred %q, %q;\nselp.b64 %d, %a, %b, %q;",
        I64,
        &[I64, I64],
    );
    t.body("mov.b64 pack", "mov.b64 %d, {%a, %b};", I64, &[I32, I32]);
    t.body(
        "mov.b64 unpack",
        "mov.b64 {%t, %t2}, %a;\nsub.u32 %d, %t, %t2;",
        I32,
        &[I64],
    );
    t.body("mov.b32 pack", "mov.b32 %d, {%a, %b};", I32, &[I16, I16]);
    t.body(
        "mov.b32 unpack",
        "mov.b32 {%h, %h2}, %a;\nsub.u16 %d, %h, %h2;",
        I16,
        &[I32],
    );
    t.body(
        "lop3.b32 all tables",
        &(0..256)
            .map(|table| format!("lop3.b32 %t, %a, %b, %c, {table};\nmad.lo.u32 %d, %d, 31, %t;\n"))
            .collect::<String>(),
        I32,
        &[I32, I32, I32],
    );
    t.body(
        "prmt.b32 selector",
        "prmt.b32 %d, %a, %b, %c;",
        I32,
        &[I32, I32, Selector],
    );
    for offset in [0, 1, 3, -2, -40] {
        t.body(
            &format!("fns.b32 {offset}"),
            &format!("and.b32 %b, %b, 31;\nfns.b32 %d, %a, %b, {offset};"),
            I32,
            &[I32, Count],
        );
    }
    for (ty, kind) in [
        ("b16", I16),
        ("u16", I16),
        ("s16", I16),
        ("u32", I32),
        ("s32", I32),
        ("f32", F32),
        ("u64", I64),
        ("s64", I64),
        ("f64", F64),
    ] {
        t.body(
            &format!("selp.{ty}"),
            &format!("setp.eq.u32 %q, %c, 1;\nselp.{ty} %d, %a, %b, %q;"),
            kind,
            &[kind, kind, Count],
        );
        t.op(&format!("slct.{ty}.s32"), kind, &[kind, kind, I32]);
        t.op(&format!("slct.{ty}.f32"), kind, &[kind, kind, F32]);
        t.op(&format!("slct.ftz.{ty}.f32"), kind, &[kind, kind, F32]);
    }
    for op in ["and", "or", "xor"] {
        t.body(
            &format!("{op}.pred"),
            &format!("setp.lt.s32 %p, %a, 9;\nsetp.lt.s32 %q, %b, 9;\n{op}.pred %p, %p, !%q;"),
            I32,
            &[I32, I32],
        );
    }
    t.body("not.pred", "setp.lt.s32 %q, %a, 9;\nnot.pred %p, %q;", I32, &[I32]);
    t.body("mov.pred", "setp.lt.s32 %q, %a, 9;\nmov.pred %p, %q;", I32, &[I32]);
    moves(t);
}

fn moves(t: &mut Table) {
    for (ty, kind) in [
        ("b16", I16),
        ("u16", I16),
        ("s16", I16),
        ("b32", I32),
        ("u32", I32),
        ("s32", I32),
        ("f32", F32),
        ("b64", I64),
        ("u64", I64),
        ("s64", I64),
        ("f64", F64),
    ] {
        t.op(&format!("mov.{ty}"), kind, &[kind]);
    }
    t.body("mov.b64 pack 4", "mov.b64 %d, {%a, %b, %a, %c};", I64, &[I16, I16, I16]);
    t.body(
        "mov.b64 unpack 4",
        ".reg .b16 %x, %y;\nmov.b64 {%h, %x, _, %h2}, %a;\nmad.lo.u16 %y, %h, 7, %x;\nmad.lo.u16 %d, %y, 7, %h2;",
        I16,
        &[I64],
    );
    t.body("mov.b64 pack sink", "mov.b64 {_, %d}, %a;", I32, &[I64]);
    t.body(
        "mov.b128",
        ".reg .b128 %x, %y;\nmov.b128 %x, {%a, %b};\nmov.b128 %y, %x;\nmov.b128 {%w, %w2}, %y;\nshl.b64 %w2, %w2, 1;\nxor.b64 %d, %w, %w2;",
        I64,
        &[I64, I64],
    );
    t.body("WARP_SZ", "mov.u32 %d, WARP_SZ;", I32, &[I32]);
    t.body(
        "integer literals",
        "mov.b64 %d, 0xfedcba9876543210;\nadd.u64 %d, %d, 0b1011;\nxor.b64 %d, %d, 0777;\nsub.u64 %d, %d, 99U;",
        I64,
        &[I32],
    );
    t.body(
        "float literals",
        ".reg .f32 %x;\n.reg .f64 %y;\nmov.f32 %x, 0f3f8ccccd;\nmov.f64 %y, 0d4024000000000000;\ncvt.f64.f32 %d, %x;\nmul.rn.f64 %d, %d, %y;\nadd.rn.f64 %d, %d, 1.5e3;",
        F64,
        &[I32],
    );
}
