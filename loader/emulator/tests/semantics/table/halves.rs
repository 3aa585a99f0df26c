//! Half precision.

use super::Kind::*;
use super::Table;

pub(super) fn halves(t: &mut Table) {
    for (suffix, kind, style) in [
        ("f16", F16, &["", ".ftz", ".sat"][..]),
        ("f16x2", F16x2, &["", ".ftz", ".sat"]),
    ] {
        for style in style {
            for op in ["add.rn", "sub.rn", "mul.rn"] {
                t.op(&format!("{op}{style}.{suffix}"), kind, &[kind, kind]);
            }
            t.op(&format!("fma.rn{style}.{suffix}"), kind, &[kind, kind, kind]);
        }
    }
    for (suffix, kind) in [("f16", F16), ("f16x2", F16x2), ("bf16", Bf16), ("bf16x2", Bf16x2)] {
        t.op(&format!("fma.rn.relu.{suffix}"), kind, &[kind, kind, kind]);
        for op in ["min", "max", "min.NaN", "max.NaN"] {
            t.op(&format!("{op}.{suffix}"), kind, &[kind, kind]);
        }
        for op in ["neg", "abs"] {
            t.op(&format!("{op}.{suffix}"), kind, &[kind]);
        }
    }
    for (suffix, kind) in [("bf16", Bf16), ("bf16x2", Bf16x2)] {
        t.op(&format!("fma.rn.{suffix}"), kind, &[kind, kind, kind]);
        for op in ["add.rn", "sub.rn", "mul.rn"] {
            t.op(&format!("{op}.{suffix}"), kind, &[kind, kind]);
        }
    }
    for (suffix, kind) in [("f16", F16), ("f16x2", F16x2)] {
        for style in ["", ".ftz", ".sat", ".ftz.sat"] {
            for op in ["add", "sub", "mul"] {
                t.op(&format!("{op}{style}.{suffix}"), kind, &[kind, kind]);
            }
        }
        for op in ["add.rn", "sub.rn", "mul.rn"] {
            t.op(&format!("{op}.ftz.sat.{suffix}"), kind, &[kind, kind]);
        }
        t.op(&format!("fma.rn.ftz.sat.{suffix}"), kind, &[kind, kind, kind]);
        t.op(&format!("fma.rn.ftz.relu.{suffix}"), kind, &[kind, kind, kind]);
        for op in ["min", "max"] {
            for style in [".ftz", ".ftz.NaN"] {
                t.op(&format!("{op}{style}.{suffix}"), kind, &[kind, kind]);
            }
        }
        for op in ["neg", "abs"] {
            t.op(&format!("{op}.ftz.{suffix}"), kind, &[kind]);
        }
    }
    for (suffix, kind) in [("f16", F16), ("f16x2", F16x2), ("bf16", Bf16), ("bf16x2", Bf16x2)] {
        for op in ["min", "max"] {
            for style in [".xorsign.abs", ".NaN.xorsign.abs"] {
                t.op(&format!("{op}{style}.{suffix}"), kind, &[kind, kind]);
            }
        }
        t.near(&format!("tanh.approx.{suffix}"), kind, &[kind], 4, 0.0);
        let ftz = if suffix.starts_with('b') { ".ftz" } else { "" };
        t.near(&format!("ex2.approx{ftz}.{suffix}"), kind, &[kind], 4, 0.0);
    }
    for (suffix, kind) in [("bf16", Bf16), ("bf16x2", Bf16x2)] {
        for op in ["add", "sub", "mul"] {
            t.op(&format!("{op}.{suffix}"), kind, &[kind, kind]);
        }
    }
}
