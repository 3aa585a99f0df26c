//! The table of PTX semantics tests: one small kernel per instruction, run over edge values.
//!
//! A row of input is four 64-bit words `%a %b %c %e` (cut to the operand's width), a row of output two: the result `%d` and a
//! flag `%p`. Whoever runs the table, on a device or on the emulator, gets the same words, except for approximate
//! instructions, which have a tolerance.

/// What an operand is, which decides its width and its edge values.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    I8,
    I16,
    I32,
    I64,
    F16,
    Bf16,
    F16x2,
    Bf16x2,
    F32,
    F64,
    /// A shift distance, a bit position or a length.
    Count,
    /// Ordinary numbers in a range that approximations are made for.
    Plain32,
    Positive32,
    Angle,
}

use Kind::*;

impl Kind {
    /// Bits of the register.
    pub fn width(self) -> u32 {
        match self {
            I8 | I16 | F16 | Bf16 => 16,
            I64 | F64 => 64,
            _ => 32,
        }
    }

    fn values(self) -> Vec<u64> {
        let f32s = |values: &[f32]| values.iter().map(|v| u64::from(v.to_bits())).collect::<Vec<u64>>();
        match self {
            I8 => vec![0, 1, 0x7f, 0x80, 0xff, 0x180, 0xff80, 0x1234],
            I16 => vec![0, 1, 2, 0x7f, 0x80, 0xff, 0x1234, 0x7fff, 0x8000, 0xfffe, 0xffff],
            I32 => vec![
                0,
                1,
                3,
                0x7f,
                0xff80,
                0x1234_5678,
                0x7fff_ffff,
                0x8000_0000,
                0x8000_0001,
                0xdead_beef,
                0xffff_fffe,
                0xffff_ffff,
            ],
            I64 => vec![
                0,
                1,
                3,
                0x7fff_ffff,
                0xffff_ffff,
                0x1_0000_0000,
                0x1234_5678_9abc_def0,
                0x7fff_ffff_ffff_ffff,
                0x8000_0000_0000_0000,
                0xdead_beef_cafe_f00d,
                0xffff_ffff_ffff_fffe,
                0xffff_ffff_ffff_ffff,
            ],
            F16 => vec![
                0x0000, 0x8000, 0x0001, 0x83ff, 0x0400, 0x3c00, 0xbc01, 0x3555, 0x4200, 0x7bff, 0x7c00, 0xfc00, 0x7e00,
            ],
            Bf16 => vec![
                0x0000, 0x8000, 0x0001, 0x807f, 0x0080, 0x3f80, 0xbf81, 0x3eab, 0x4049, 0x7f7f, 0x7f80, 0xff80, 0x7fc0,
            ],
            F16x2 => vec![
                0x0000_8000,
                0x3c00_bc01,
                0x7bff_0001,
                0x7c00_fc00,
                0x7e00_3c00,
                0x3555_4200,
                0x0400_83ff,
            ],
            Bf16x2 => vec![
                0x0000_8000,
                0x3f80_bf81,
                0x7f7f_0001,
                0x7f80_ff80,
                0x7fc0_3f80,
                0x3eab_4049,
                0x0080_807f,
            ],
            F32 => vec![
                0x0000_0000,
                0x8000_0000,
                0x0000_0001,
                0x807f_ffff,
                0x0080_0000,
                0x3f80_0000,
                0xbf80_0001,
                0x3eaa_aaab,
                0x4b80_0000,
                0xcf00_0000,
                0x5f80_0000,
                0x7f7f_ffff,
                0x7f80_0000,
                0xff80_0000,
                0x7fc0_0001,
            ],
            F64 => vec![
                0,
                0x8000_0000_0000_0000,
                1,
                0x800f_ffff_ffff_ffff,
                0x0010_0000_0000_0000,
                0x3ff0_0000_0000_0000,
                0xbff0_0000_0000_0001,
                0x3fd5_5555_5555_5555,
                0x41e0_0000_0000_0000,
                0xc3e0_0000_0000_0000,
                0x43f0_0000_0000_0000,
                0x7fef_ffff_ffff_ffff,
                0x7ff0_0000_0000_0000,
                0xfff0_0000_0000_0000,
                0x7ff8_0000_0000_0001,
            ],
            Count => vec![0, 1, 4, 8, 15, 16, 17, 31, 32, 33, 63, 64, 65, 255, 256, 0xffff_ffff],
            Plain32 => f32s(&[
                0.0, -0.0, 1.0, -1.0, 0.5, 1.5, -2.75, 3.3, 10.0, -17.25, 100.5, 1e-3, 1e-20, 1e20,
            ]),
            Positive32 => f32s(&[
                0.0,
                1.0,
                0.25,
                0.7,
                1.5,
                2.0,
                3.0,
                9.0,
                1e-30,
                1e-5,
                12345.678,
                1e30,
                f32::INFINITY,
            ]),
            Angle => f32s(&[0.0, -0.0, 0.1, 0.5, 1.0, -1.0, 1.5, 2.0, 3.0, -3.1]),
        }
    }
}

/// One instruction, or a few that belong together.
#[derive(Clone, Debug)]
pub struct Case {
    /// Names the case in the recorded file; the instruction where it is one.
    pub name: String,
    /// PTX between the loads and the stores. May use `%d` (result), `%a %b %c %e`, predicates `%p` (recorded) `%q`, and
    /// `%t %t2` (32 bits), `%w %w2` (64 bits), `%h %h2` (16 bits).
    pub body: String,
    /// Width and kind of the result.
    pub result: Kind,
    pub operands: Vec<Kind>,
    /// Largest difference in units of the last place that is fine; 0 = none. NaN matches NaN.
    pub tolerance: u64,
    /// Differences below this are fine too.
    pub absolute: f64,
}

/// Most rows of a case.
const MAX_ROWS: usize = 400;

impl Case {
    /// Input rows: the product of the operands' edge values, thinned out when there are too many.
    pub fn inputs(&self) -> Vec<[u64; 4]> {
        let values: Vec<Vec<u64>> = self.operands.iter().map(|kind| kind.values()).collect();
        let total: usize = values.iter().map(Vec::len).product();
        // A step that shares no factor with the sizes visits all corners evenly.
        let step = total.div_ceil(MAX_ROWS) | 1;
        (0..total)
            .step_by(step)
            .map(|index| {
                let mut rest = index;
                let mut row = [0; 4];
                for (slot, values) in row.iter_mut().zip(&values) {
                    *slot = values[rest % values.len()];
                    rest /= values.len();
                }
                row
            })
            .collect()
    }

    /// A module with one kernel `run(in, out, n)`.
    pub fn module(&self) -> String {
        let mut load = String::new();
        for (n, (name, kind)) in ["a", "b", "c", "e"].into_iter().zip(&self.operands).enumerate() {
            let width = kind.width();
            load += &format!("\tld.global.b64 %l, [%in+{}];\n", 8 * n);
            load += &match width {
                64 => format!("\tmov.b64 %{name}, %l;\n"),
                _ => format!("\tcvt.u{width}.u64 %{name}, %l;\n"),
            };
        }
        let mut declare = String::new();
        for (name, kind) in ["a", "b", "c", "e"].into_iter().zip(&self.operands) {
            declare += &format!("\t.reg .b{} %{name};\n", kind.width());
        }
        let width = self.result.width();
        let widen = match width {
            64 => "\tmov.b64 %l, %d;\n".to_owned(),
            _ => format!("\tcvt.u64.u{width} %l, %d;\n"),
        };
        let body = self
            .body
            .lines()
            .map(|line| format!("\t{}\n", line.trim()))
            .collect::<String>();
        format!(
            ".version 7.8\n.target sm_90\n.address_size 64\n
.visible .entry run(.param .u64 run_in, .param .u64 run_out, .param .u32 run_n)\n{{
\t.reg .pred %p, %q, %done;\n\t.reg .b16 %h, %h2;\n\t.reg .b32 %i, %n, %t, %t2, %id, %size, %block;\n\t.reg .b64 %in, %out, %l, %w, %w2, %o;
{declare}\t.reg .b{width} %d;
\tld.param.u64 %in, [run_in];\n\tld.param.u64 %out, [run_out];\n\tld.param.u32 %n, [run_n];
\tmov.u32 %id, %tid.x;\n\tmov.u32 %size, %ntid.x;\n\tmov.u32 %block, %ctaid.x;\n\tmad.lo.u32 %i, %block, %size, %id;
\tsetp.ge.u32 %done, %i, %n;\n\t@%done bra $end;
\tmul.wide.u32 %o, %i, 32;\n\tadd.u64 %in, %in, %o;\n\tmul.wide.u32 %o, %i, 16;\n\tadd.u64 %out, %out, %o;
\tsetp.ne.u32 %p, 0, 0;\n\tmov.b{width} %d, 0;\n{load}{body}{widen}\tst.global.b64 [%out], %l;
\tselp.b64 %l, 1, 0, %p;\n\tst.global.b64 [%out+8], %l;\n$end:\n\tret;\n}}\n"
        )
    }

    /// Whether two results are the same as far as the instruction promises.
    pub fn agrees(&self, a: u64, b: u64) -> bool {
        if a == b {
            return true;
        }
        let float = |bits: u64| match self.result {
            F64 => f64::from_bits(bits),
            F16 => half::f16::from_bits(bits as u16).to_f64(),
            Bf16 => half::bf16::from_bits(bits as u16).to_f64(),
            _ => f64::from(f32::from_bits(bits as u32)),
        };
        let is_float = matches!(self.result, F16 | Bf16 | F32 | F64 | Plain32 | Positive32 | Angle);
        if !is_float {
            return false;
        }
        let (x, y) = (float(a), float(b));
        if x.is_nan() && y.is_nan() {
            return true;
        }
        let near = x.is_finite() && y.is_finite() && (x - y).abs() <= self.absolute;
        near || (x.is_sign_negative() == y.is_sign_negative()
            && !x.is_nan()
            && !y.is_nan()
            && a.abs_diff(b) <= self.tolerance)
    }
}

#[derive(Default)]
struct Table(Vec<Case>);

impl Table {
    /// `instruction %d, %a, …`
    fn op(&mut self, instruction: &str, result: Kind, operands: &[Kind]) {
        self.near(instruction, result, operands, 0, 0.0);
    }

    fn near(&mut self, instruction: &str, result: Kind, operands: &[Kind], tolerance: u64, absolute: f64) {
        let names: String = ["%a", "%b", "%c", "%e"][..operands.len()]
            .iter()
            .map(|n| format!(", {n}"))
            .collect();
        let body = format!("{instruction} %d{names};");
        self.body(instruction, &body, result, operands);
        if let Some(case) = self.0.last_mut() {
            case.tolerance = tolerance;
            case.absolute = absolute;
        }
    }

    fn body(&mut self, name: &str, body: &str, result: Kind, operands: &[Kind]) {
        self.0.push(Case {
            name: name.replace(' ', "_"),
            body: body.to_owned(),
            result,
            operands: operands.to_vec(),
            tolerance: 0,
            absolute: 0.0,
        });
    }

    /// `setp.…` into the flag.
    fn test(&mut self, instruction: &str, operands: &[Kind]) {
        let names: Vec<&str> = ["%a", "%b", "%c"][..operands.len()].to_vec();
        self.body(
            instruction,
            &format!("{instruction} %p, {};", names.join(", ")),
            I32,
            operands,
        );
    }
}

/// All cases.
pub fn table() -> Vec<Case> {
    let mut t = Table::default();
    integers(&mut t);
    bits(&mut t);
    floats(&mut t);
    halves(&mut t);
    conversions(&mut t);
    comparisons(&mut t);
    memory(&mut t);
    warps(&mut t);
    t.0
}

fn integers(t: &mut Table) {
    for (suffix, kind) in [
        ("u16", I16),
        ("s16", I16),
        ("u32", I32),
        ("s32", I32),
        ("u64", I64),
        ("s64", I64),
    ] {
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
}

fn bits(t: &mut Table) {
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
}

fn floats(t: &mut Table) {
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
    t.op("fma.rn.sat.f32", F32, &[F32, F32, F32]);
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
}

fn halves(t: &mut Table) {
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
    t.near("ex2.approx.f16", F16, &[F16], 4, 0.0);
    t.near("tanh.approx.f16", F16, &[F16], 0, 2e-3);
}

fn conversions(t: &mut Table) {
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
        t.op(&format!("cvt.rzi.ftz.{to}.f32"), to_kind, &[F32]);
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
    t.op("cvt.rn.bf16.f32", Bf16, &[F32]);
    t.op("cvt.rz.bf16.f32", Bf16, &[F32]);
    t.op("cvt.rn.relu.bf16.f32", Bf16, &[F32]);
    for to in ["f16x2", "bf16x2"] {
        let kind = if to == "f16x2" { F16x2 } else { Bf16x2 };
        for mode in ["rn", "rz", "rn.relu"] {
            t.op(&format!("cvt.{mode}.{to}.f32"), kind, &[F32, F32]);
        }
    }
    t.op("cvt.pack.sat.s16.s32", I32, &[I32, I32]);
    t.op("cvt.pack.sat.u16.s32", I32, &[I32, I32]);
}

fn comparisons(t: &mut Table) {
    for relation in ["eq", "ne", "lt", "le", "gt", "ge"] {
        for (suffix, kind) in [
            ("u16", I16),
            ("s16", I16),
            ("u32", I32),
            ("s32", I32),
            ("u64", I64),
            ("s64", I64),
        ] {
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
    for (op, kind) in [("lo.u32", I32), ("ls.u32", I32), ("hi.u32", I32), ("hs.u64", I64)] {
        t.test(&format!("setp.{op}"), &[kind, kind]);
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
    t.op("set.lt.u32.s32", I32, &[I32, I32]);
    t.op("set.ge.f32.f32", F32, &[F32, F32]);
    t.op("set.neu.s32.f64", I32, &[F64, F64]);
    t.body(
        "setp.lt.f16x2",
        "setp.lt.f16x2 %p|%q, %a, %b;\nselp.b32 %d, 1, 0, %q;",
        I32,
        &[F16x2, F16x2],
    );
}

fn memory(t: &mut Table) {
    // Each lane works on its own result word, which starts as the operand.
    for (op, width, kind) in [
        ("add.u32", 32, I32),
        ("add.u64", 64, I64),
        ("min.u32", 32, I32),
        ("min.s32", 32, I32),
        ("max.u32", 32, I32),
        ("max.s32", 32, I32),
        ("min.s64", 64, I64),
        ("max.u64", 64, I64),
        ("and.b32", 32, I32),
        ("or.b64", 64, I64),
        ("xor.b32", 32, I32),
        ("exch.b32", 32, I32),
        ("exch.b64", 64, I64),
        ("inc.u32", 32, I32),
        ("dec.u32", 32, I32),
        ("add.f64", 64, F64),
    ] {
        // Old and new value, told apart by a rotation.
        let (join, register) = if width == 32 {
            ("shf.l.wrap.b32 %t2, %t2, %t2, 7;\nxor.b32 %d, %t, %t2;", ("%t", "%t2"))
        } else {
            ("shr.u64 %w2, %w2, 1;\nxor.b64 %d, %w, %w2;", ("%w", "%w2"))
        };
        let result = if width == 32 { I32 } else { I64 };
        t.body(
            &format!("atom.global.{op}"),
            &format!(
                "st.global.b{width} [%out], %a;\natom.global.{op} {0}, [%out], %b;\nld.global.b{width} {1}, [%out];\n{join}",
                register.0, register.1
            ),
            result,
            &[kind, kind],
        );
    }
    t.body(
        "atom.global.add.f32",
        "st.global.b32 [%out], %a;\nred.global.add.f32 [%out], %b;\nld.global.b32 %d, [%out];",
        F32,
        &[Plain32, Plain32],
    );
    t.body(
        "atom.acq_rel.sys.global.cas.b32",
        "st.global.b32 [%out], %a;\natom.acq_rel.sys.global.cas.b32 %t, [%out], %b, %c;\nld.global.b32 %t2, [%out];\nshl.b32 %t2, %t2, 1;\nxor.b32 %d, %t, %t2;",
        I32,
        &[I32, I32, I32],
    );
    t.body(
        "atom.global.cas.b16",
        "st.global.b16 [%out], %a;\natom.global.cas.b16 %h, [%out], %b, 7;\nld.global.b16 %h2, [%out];\nshl.b16 %h2, %h2, 1;\nxor.b16 %d, %h, %h2;",
        I16,
        &[I16, I16],
    );
    for (name, body) in [
        ("ld.s8", "st.global.b32 [%out], %a;\nld.global.s8 %d, [%out+1];"),
        ("ld.u8", "st.global.b32 [%out], %a;\nld.global.u8 %d, [%out+3];"),
        ("ld.s16", "st.global.b32 [%out], %a;\nld.global.s16 %d, [%out+2];"),
        (
            "st.b8",
            "st.global.b32 [%out], 0;\nst.global.b8 [%out+2], %a;\nld.global.b32 %d, [%out];",
        ),
        (
            "st.v2 ld.v2",
            "st.global.v2.b32 [%out], {%a, 5};\nld.global.v2.b32 {%t, %t2}, [%out];\nadd.u32 %d, %t, %t2;",
        ),
    ] {
        t.body(name, body, I32, &[I32]);
    }
}

fn warps(t: &mut Table) {
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
}
