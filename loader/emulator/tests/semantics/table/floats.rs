//! Single and double precision.

use super::Kind::*;
use super::Table;

pub(super) fn floats(t: &mut Table) {
    for mode in ["rn", "rz", "rm", "rp"] {
        for ftz in ["", ".ftz"] {
            for op in ["add", "sub", "mul", "div"] {
                t.op(&format!("{op}.{mode}{ftz}.f32"), F32, &[F32, F32]);
            }
            t.op(&format!("fma.{mode}{ftz}.f32"), F32, &[F32, F32, F32]);
            t.op(&format!("rcp.{mode}{ftz}.f32"), F32, &[F32]);
            t.op(&format!("sqrt.{mode}{ftz}.f32"), F32, &[F32]);
        }
        for op in ["add", "sub", "mul", "div"] {
            t.op(&format!("{op}.{mode}.f64"), F64, &[F64, F64]);
        }
        t.op(&format!("fma.{mode}.f64"), F64, &[F64, F64, F64]);
        t.op(&format!("rcp.{mode}.f64"), F64, &[F64]);
        t.op(&format!("sqrt.{mode}.f64"), F64, &[F64]);
    }
    for op in [
        "add.sat.f32",
        "sub.sat.f32",
        "mul.sat.f32",
        "add.ftz.sat.f32",
        "mul.ftz.sat.f32",
    ] {
        t.op(op, F32, &[F32, F32]);
    }
    for op in ["min", "max"] {
        for style in ["", ".ftz", ".NaN", ".ftz.NaN", ".xorsign.abs", ".NaN.xorsign.abs"] {
            t.op(&format!("{op}{style}.f32"), F32, &[F32, F32]);
        }
        t.op(&format!("{op}.f64"), F64, &[F64, F64]);
    }
    for op in ["neg", "abs"] {
        t.op(&format!("{op}.f32"), F32, &[F32]);
        t.op(&format!("{op}.ftz.f32"), F32, &[F32]);
        t.op(&format!("{op}.f64"), F64, &[F64]);
    }
    t.op("copysign.f32", F32, &[F32, F32]);
    t.op("copysign.f64", F64, &[F64, F64]);
    for property in ["finite", "infinite", "number", "notanumber", "normal", "subnormal"] {
        t.test(&format!("testp.{property}.f32"), &[F32]);
        t.test(&format!("testp.{property}.f64"), &[F64]);
    }
    // Approximations: the tolerances are those of the PTX ISA, or what devices are known to do.
    t.near("div.approx.f32", F32, &[Plain32, Plain32], 2, 0.0);
    t.near("div.full.f32", F32, &[Plain32, Plain32], 2, 0.0);
    t.near("rcp.approx.f32", F32, &[F32], 1, 0.0);
    t.near("rcp.approx.ftz.f32", F32, &[F32], 1, 0.0);
    t.near("sqrt.approx.f32", F32, &[Positive32], 2, 0.0);
    t.near("sqrt.approx.ftz.f32", F32, &[F32], 2, 0.0);
    t.near("rsqrt.approx.f32", F32, &[Positive32], 2, 0.0);
    t.near("rsqrt.approx.ftz.f32", F32, &[F32], 2, 0.0);
    t.near("ex2.approx.f32", F32, &[Plain32], 4, 0.0);
    t.near("ex2.approx.ftz.f32", F32, &[F32], 4, 0.0);
    t.near("lg2.approx.f32", F32, &[Positive32], 4, 1e-6);
    t.near("sin.approx.f32", F32, &[Angle], 0, 1e-6);
    t.near("cos.approx.f32", F32, &[Angle], 0, 1e-6);
    t.near("tanh.approx.f32", F32, &[Plain32], 0, 1e-3);
    t.near("rcp.approx.ftz.f64", F64, &[F64], 1 << 33, 0.0);
    t.near("rsqrt.approx.f64", F64, &[F64], 1 << 10, 0.0);
    styles(t);
    approximations(t);
}

/// Saturation and flushing beside the rounding modes, and what a missing mode means.
fn styles(t: &mut Table) {
    for mode in ["rn", "rz", "rm", "rp"] {
        for style in [".sat", ".ftz.sat"] {
            for op in ["add", "sub", "mul"] {
                t.op(&format!("{op}.{mode}{style}.f32"), F32, &[F32, F32]);
            }
            t.op(&format!("fma.{mode}{style}.f32"), F32, &[F32, F32, F32]);
        }
        for style in ["", ".ftz", ".sat", ".ftz.sat"] {
            t.op(&format!("mad.{mode}{style}.f32"), F32, &[F32, F32, F32]);
        }
        t.op(&format!("mad.{mode}.f64"), F64, &[F64, F64, F64]);
    }
    for op in ["add", "sub", "mul"] {
        t.op(&format!("{op}.f32"), F32, &[F32, F32]);
        t.op(&format!("{op}.ftz.f32"), F32, &[F32, F32]);
        t.op(&format!("{op}.f64"), F64, &[F64, F64]);
    }
    t.op("sub.ftz.sat.f32", F32, &[F32, F32]);
    for op in ["min", "max"] {
        for style in [".ftz.xorsign.abs", ".ftz.NaN.xorsign.abs"] {
            t.op(&format!("{op}{style}.f32"), F32, &[F32, F32]);
        }
    }
}

/// Many arguments, so that a tolerance says what it is worth, and the odd ones.
fn approximations(t: &mut Table) {
    for ftz in ["", ".ftz"] {
        for (op, argument, ulps, absolute) in [
            ("rcp.approx", Magnitudes, 1, 0.0),
            ("sqrt.approx", Magnitudes, 2, 0.0),
            ("rsqrt.approx", Magnitudes, 2, 0.0),
            ("ex2.approx", Spread(120), 4, 0.0),
            ("ex2.approx", Spread(1), 4, 0.0),
            ("lg2.approx", Magnitudes, 4, 1e-6),
            ("lg2.approx", Positive32, 4, 1e-6),
            ("sin.approx", Spread(3), 0, 1e-6),
            ("cos.approx", Spread(3), 0, 1e-6),
        ] {
            t.near(&format!("{op}{ftz}.f32"), F32, &[argument], ulps, absolute);
            t.rename(&format!("{op}{ftz}.f32 of {argument:?}"));
        }
        for op in [
            "rcp.approx",
            "sqrt.approx",
            "rsqrt.approx",
            "ex2.approx",
            "lg2.approx",
            "sin.approx",
            "cos.approx",
        ] {
            t.near(&format!("{op}{ftz}.f32"), F32, &[Odd32], 2, 1e-6);
            t.rename(&format!("{op}{ftz}.f32 of {Odd32:?}"));
        }
        t.near(&format!("div.approx{ftz}.f32"), F32, &[F32, F32], 2, 0.0);
        t.rename(&format!("div.approx{ftz}.f32 of edges"));
        t.near(&format!("div.full{ftz}.f32"), F32, &[F32, F32], 2, 0.0);
        t.rename(&format!("div.full{ftz}.f32 of edges"));
    }
    t.near("tanh.approx.f32", F32, &[Spread(9)], 0, 1e-3);
    t.rename("tanh.approx.f32 of Spread(9)");
    t.near("tanh.approx.f32", F32, &[Odd32], 0, 1e-3);
    t.rename("tanh.approx.f32 of Odd32");
    t.near("rsqrt.approx.ftz.f64", F64, &[F64], 1 << 33, 0.0);
}
