//! `cvt` between all types.

use super::Kind::*;
use super::Table;

pub(super) fn conversions(t: &mut Table) {
    let ints = [
        ("u8", I8),
        ("s8", I8),
        ("u16", I16),
        ("s16", I16),
        ("u32", I32),
        ("s32", I32),
        ("u64", I64),
        ("s64", I64),
    ];
    let floats = [("f16", F16), ("f32", F32), ("f64", F64)];
    for (to, to_kind) in ints {
        for (from, from_kind) in ints {
            if to != from {
                t.op(&format!("cvt.{to}.{from}"), to_kind, &[from_kind]);
                t.op(&format!("cvt.sat.{to}.{from}"), to_kind, &[from_kind]);
            }
        }
        for (from, from_kind) in floats {
            for mode in ["rni", "rzi", "rmi", "rpi"] {
                t.op(&format!("cvt.{mode}.{to}.{from}"), to_kind, &[from_kind]);
            }
        }
    }
    for (to, to_kind) in floats {
        for (from, from_kind) in ints {
            for mode in ["rn", "rz", "rm", "rp"] {
                t.op(&format!("cvt.{mode}.{to}.{from}"), to_kind, &[from_kind]);
            }
        }
        for mode in ["rni", "rzi", "rmi", "rpi"] {
            t.op(&format!("cvt.{mode}.{to}.{to}"), to_kind, &[to_kind]);
        }
        t.op(&format!("cvt.sat.{to}.{to}"), to_kind, &[to_kind]);
    }
    for mode in ["rn", "rz", "rm", "rp"] {
        t.op(&format!("cvt.{mode}.f32.f64"), F32, &[F64]);
        t.op(&format!("cvt.{mode}.ftz.f32.f64"), F32, &[F64]);
        t.op(&format!("cvt.{mode}.f16.f64"), F16, &[F64]);
        t.op(&format!("cvt.{mode}.f16.f32"), F16, &[F32]);
    }
    t.op("cvt.rn.sat.f32.f64", F32, &[F64]);
    t.op("cvt.rn.ftz.f16.f32", F16, &[F32]);
    t.op("cvt.rn.relu.f16.f32", F16, &[F32]);
    t.op("cvt.f64.f32", F64, &[F32]);
    t.op("cvt.ftz.f64.f32", F64, &[F32]);
    t.op("cvt.f32.f16", F32, &[F16]);
    t.op("cvt.ftz.f32.f16", F32, &[F16]);
    t.op("cvt.f64.f16", F64, &[F16]);
    t.op("cvt.f32.bf16", F32, &[Bf16]);
    t.op("cvt.rn.relu.bf16.f32", Bf16, &[F32]);
    for to in ["f16x2", "bf16x2"] {
        let kind = if to == "f16x2" { F16x2 } else { Bf16x2 };
        for mode in ["rn", "rz", "rn.relu"] {
            t.op(&format!("cvt.{mode}.{to}.f32"), kind, &[F32, F32]);
        }
    }
    t.op("cvt.pack.sat.s16.s32", I32, &[I32, I32]);
    t.op("cvt.pack.sat.u16.s32", I32, &[I32, I32]);
    for (int, kind) in ints {
        t.op(&format!("cvt.rzi.sat.{int}.f32"), kind, &[F32]);
        for mode in ["rni", "rzi", "rmi", "rpi"] {
            if kind != I8 {
                t.op(&format!("cvt.{mode}.{int}.bf16"), kind, &[Bf16]);
            }
            t.op(&format!("cvt.{mode}.ftz.{int}.f32"), kind, &[F32]);
        }
        for mode in ["rn", "rz", "rm", "rp"] {
            if kind != I8 {
                t.op(&format!("cvt.{mode}.bf16.{int}"), Bf16, &[kind]);
            }
        }
        t.op(&format!("cvt.rn.sat.f32.{int}"), F32, &[kind]);
        t.op(&format!("cvt.{int}.{int}"), kind, &[kind]);
    }
    for mode in ["rn", "rz", "rm", "rp"] {
        t.op(&format!("cvt.{mode}.bf16.f32"), Bf16, &[F32]);
        t.op(&format!("cvt.{mode}.bf16.f64"), Bf16, &[F64]);
        t.op(&format!("cvt.{mode}.bf16.f16"), Bf16, &[F16]);
        t.op(&format!("cvt.{mode}.f16.bf16"), F16, &[Bf16]);
        t.op(&format!("cvt.{mode}.sat.f16.f32"), F16, &[F32]);
        t.op(&format!("cvt.{mode}.ftz.sat.f32.f64"), F32, &[F64]);
    }
    for mode in ["rni", "rzi", "rmi", "rpi"] {
        t.op(&format!("cvt.{mode}.ftz.f32.f32"), F32, &[F32]);
        t.op(&format!("cvt.{mode}.sat.f32.f32"), F32, &[F32]);
        t.op(&format!("cvt.{mode}.sat.f64.f64"), F64, &[F64]);
        t.op(&format!("cvt.{mode}.bf16.bf16"), Bf16, &[Bf16]);
    }
    t.op("cvt.f32.f32", F32, &[F32]);
    t.op("cvt.ftz.f32.f32", F32, &[F32]);
    t.op("cvt.ftz.sat.f32.f32", F32, &[F32]);
    t.op("cvt.f64.f64", F64, &[F64]);
    t.op("cvt.f16.f16", F16, &[F16]);
    t.op("cvt.f64.bf16", F64, &[Bf16]);
    t.op("cvt.ftz.f32.bf16", F32, &[Bf16]);
    t.op("cvt.sat.f32.f16", F32, &[F16]);
    t.op("cvt.ftz.sat.f32.f16", F32, &[F16]);
    t.op("cvt.sat.f64.f32", F64, &[F32]);
    t.op("cvt.rz.relu.f16.f32", F16, &[F32]);
    t.op("cvt.rz.relu.bf16.f32", Bf16, &[F32]);
    for to in ["f16x2", "bf16x2"] {
        let kind = if to == "f16x2" { F16x2 } else { Bf16x2 };
        t.op(&format!("cvt.rz.relu.{to}.f32"), kind, &[F32, F32]);
    }
    // Registers may be wider than what is converted.
    for (name, body) in [
        ("cvt.s32.s8 wide", "cvt.s32.s8 %t, %a;\ncvt.s64.s32 %d, %t;"),
        ("cvt.u8.u32 wide", "cvt.u8.u32 %t, %a;\ncvt.u64.u32 %d, %t;"),
        ("cvt.s8.s32 wide", "cvt.s8.s32 %t, %a;\ncvt.s64.s32 %d, %t;"),
        ("cvt.u64.s16 wide", "cvt.u64.s16 %d, %a;"),
        ("cvt.s16.u64 wide", "cvt.u64.u32 %w, %a;\ncvt.s16.u64 %d, %w;"),
        ("cvt.rzi.s8.f32 wide", "cvt.rzi.s8.f32 %d, %a;"),
    ] {
        t.body(name, body, I64, &[I32]);
    }
}
