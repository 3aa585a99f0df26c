//! The table of PTX semantics tests: one small kernel per instruction, run over edge values.
//!
//! A row of input is four 64-bit words `%a %b %c %e` (cut to the operand's width), a row of output two: the result `%d` and a
//! flag `%p`. Whoever runs the table, on a device or on the emulator, gets the same words, except for approximate
//! instructions, which have a tolerance.

mod bits;
mod comparisons;
mod control;
mod conversions;
mod floats;
mod halves;
mod integers;
mod memory;
mod warps;

/// What an operand is, which decides its width and its edge values.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    I8,
    I16,
    I32,
    I64,
    /// A few patterns, for what only moves bits.
    Few32,
    Few64,
    /// Nothing but zero, of so many bits; loaded, so that no compiler knows.
    Zero(u32),
    F16,
    Bf16,
    F16x2,
    Bf16x2,
    F32,
    F64,
    /// A shift distance, a bit position or a length.
    Count,
    /// What picks the bytes of a permutation.
    Selector,
    /// Zeros, subnormal numbers, infinities, NaN.
    Odd32,
    /// Ordinary numbers in a range that approximations are made for.
    Plain32,
    Positive32,
    Angle,
    /// Many numbers between -k and k.
    Spread(u8),
    /// Many positive numbers of all magnitudes.
    Magnitudes,
}

use Kind::*;

/// The integer types of arithmetic, and what their operands are.
const INTEGERS: [(&str, Kind); 6] = [
    ("u16", I16),
    ("s16", I16),
    ("u32", I32),
    ("s32", I32),
    ("u64", I64),
    ("s64", I64),
];

impl Kind {
    /// Bits of the register.
    pub fn width(self) -> u32 {
        match self {
            I8 | I16 | F16 | Bf16 => 16,
            I64 | Few64 | F64 => 64,
            Zero(width) => width,
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
            Selector => vec![
                0x3210,
                0x7654,
                0x0246,
                0x1357,
                0x4040,
                0x89ab,
                0xcdef,
                0x08f7,
                0xffff,
                0x0000,
                0xdead_3210,
            ],
            Odd32 => vec![
                0x0000_0000,
                0x8000_0000,
                0x0000_0001,
                0x807f_ffff,
                0x0080_0000,
                0x7f80_0000,
                0xff80_0000,
                0x7fc0_0001,
                0x7f80_0001,
            ],
            Few32 => vec![0, 0x8001_7fff, 0x89ab_cdef, 0x1234_5678],
            Few64 => vec![0, 0x8001_7fff_89ab_cdef, 0x1234_5678_fedc_ba98, u64::MAX],
            Zero(_) => vec![0],
            // Steps of a golden section fill any range evenly.
            Spread(most) => (0..SPREAD)
                .map(|n| f64::from(n.wrapping_mul(0x9e37_79b9)) / f64::from(1u32 << 31) - 1.0)
                .map(|x| u64::from(((x * f64::from(most)) as f32).to_bits()))
                .collect(),
            // All exponents of normal numbers, below them evenly spread digits.
            Magnitudes => (0..SPREAD)
                .map(|n| u64::from(0x0080_0000 + n.wrapping_mul(0x9e37_79b9) % 0x7f00_0000))
                .collect(),
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
    /// What stands before the kernel. `KERNEL` is its name, here and in the body.
    pub prelude: String,
    /// Every block is full: for what whole warps or blocks do.
    pub whole_blocks: bool,
    /// Largest difference in units of the last place that is fine; 0 = none.
    pub tolerance: u64,
    /// Differences below this are fine too.
    pub absolute: f64,
    /// Bits of the result that say something; where the others differ, that is no difference. Whoever leaves out some says why.
    pub telling: u64,
}

/// Most rows of a case.
const MAX_ROWS: usize = 400;
/// Values of the kinds that have many.
const SPREAD: u32 = 300;
/// Threads of a block.
pub const THREADS: u32 = 128;

impl Case {
    /// Input rows: the product of the operands' edge values, thinned out when there are too many.
    pub fn inputs(&self) -> Vec<[u64; 4]> {
        let values: Vec<Vec<u64>> = self.operands.iter().map(|kind| kind.values()).collect();
        let total: usize = values.iter().map(Vec::len).product();
        // A step that shares no factor with the sizes visits all corners evenly.
        let step = total.div_ceil(MAX_ROWS) | 1;
        let mut rows: Vec<_> = (0..total)
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
            .collect();
        if self.whole_blocks {
            let count = rows.len().next_multiple_of(THREADS as usize);
            rows = rows.iter().copied().cycle().take(count).collect();
        }
        rows
    }

    /// The kernel `name(in, out, n)`, and what it needs beside it.
    fn kernel(&self, name: &str) -> String {
        let operands = || ["a", "b", "c", "e"].into_iter().zip(&self.operands);
        let mut load = String::new();
        let mut declare = String::new();
        for (n, (operand, kind)) in operands().enumerate() {
            let width = kind.width();
            declare += &format!("\t.reg .b{width} %{operand};\n");
            load += &format!("\tld.global.b64 %l, [%in+{}];\n", 8 * n);
            load += &match width {
                64 => format!("\tmov.b64 %{operand}, %l;\n"),
                _ => format!("\tcvt.u{width}.u64 %{operand}, %l;\n"),
            };
        }
        let width = self.result.width();
        let widen = match width {
            64 => "\tmov.b64 %l, %d;\n".to_owned(),
            _ => format!("\tcvt.u64.u{width} %l, %d;\n"),
        };
        let body: String = self.body.lines().map(|line| format!("\t{}\n", line.trim())).collect();
        format!(
            "{prelude}\n.visible .entry {name}(.param .u64 {name}_in, .param .u64 {name}_out, .param .u32 {name}_n)\n{{
\t.reg .pred %p, %q, %done;\n\t.reg .b16 %h, %h2;\n\t.reg .b32 %i, %n, %t, %t2, %id, %size, %block;\n\t.reg .b64 %in, %out, %l, %w, %w2, %o;
{declare}\t.reg .b{width} %d;
\tld.param.u64 %in, [{name}_in];\n\tld.param.u64 %out, [{name}_out];\n\tld.param.u32 %n, [{name}_n];
\tmov.u32 %id, %tid.x;\n\tmov.u32 %size, %ntid.x;\n\tmov.u32 %block, %ctaid.x;\n\tmad.lo.u32 %i, %block, %size, %id;
\tsetp.ge.u32 %done, %i, %n;\n\t@%done bra $end;
\tmul.wide.u32 %o, %i, 32;\n\tadd.u64 %in, %in, %o;\n\tmul.wide.u32 %o, %i, 16;\n\tadd.u64 %out, %out, %o;
\tsetp.ne.u32 %p, 0, 0;\n\tmov.b{width} %d, 0;\n{load}{body}{widen}\tst.global.b64 [%out], %l;
\tselp.b64 %l, 1, 0, %p;\n\tst.global.b64 [%out+8], %l;\n$end:\n\tret;\n}}\n",
            prelude = self.prelude.replace("KERNEL", name),
            body = body.replace("KERNEL", name),
        )
    }

    /// Whether two results are the same as far as the instruction promises.
    pub fn agrees(&self, a: u64, b: u64) -> bool {
        let (a, b) = (a & self.telling, b & self.telling);
        match self.result {
            F16x2 | Bf16x2 => {
                let single = if self.result == F16x2 { F16 } else { Bf16 };
                [0, 16]
                    .iter()
                    .all(|n| self.near(single, a >> n & 0xffff, b >> n & 0xffff))
            }
            kind => self.near(kind, a, b),
        }
    }

    fn near(&self, kind: Kind, a: u64, b: u64) -> bool {
        let float = |bits: u64| match kind {
            F64 => Some(f64::from_bits(bits)),
            F16 => Some(half::f16::from_bits(bits as u16).to_f64()),
            Bf16 => Some(half::bf16::from_bits(bits as u16).to_f64()),
            F32 => Some(f64::from(f32::from_bits(bits as u32))),
            _ => None,
        };
        let (Some(x), Some(y)) = (float(a), float(b)) else {
            return a == b;
        };
        let near = x.is_finite() && y.is_finite() && (x - y).abs() <= self.absolute;
        let same_sign = x.is_sign_negative() == y.is_sign_negative() && !x.is_nan() && !y.is_nan();
        a == b || near || (same_sign && a.abs_diff(b) <= self.tolerance)
    }
}

#[derive(Default)]
struct Table(Vec<Case>);

impl Table {
    /// `instruction %d, %a, …`
    fn op(&mut self, instruction: &str, result: Kind, operands: &[Kind]) -> &mut Case {
        let names: String = ["%a", "%b", "%c", "%e"][..operands.len()]
            .iter()
            .map(|n| format!(", {n}"))
            .collect();
        self.body(instruction, &format!("{instruction} %d{names};"), result, operands)
    }

    fn near(&mut self, instruction: &str, result: Kind, operands: &[Kind], tolerance: u64, absolute: f64) {
        let case = self.op(instruction, result, operands);
        case.tolerance = tolerance;
        case.absolute = absolute;
    }

    /// Another name for the last case, whose instruction has a case already.
    fn rename(&mut self, name: &str) {
        if let Some(case) = self.0.last_mut() {
            case.name = name.replace(' ', "_");
        }
    }

    fn body(&mut self, name: &str, body: &str, result: Kind, operands: &[Kind]) -> &mut Case {
        self.0.push(Case {
            name: name.replace(' ', "_"),
            body: body.to_owned(),
            result,
            operands: operands.to_vec(),
            prelude: String::new(),
            whole_blocks: false,
            tolerance: 0,
            absolute: 0.0,
            telling: !0,
        });
        let last = self.0.len() - 1;
        &mut self.0[last]
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

/// A module with a kernel for each case, `k0`, `k1` and so on.
pub fn module<'a>(cases: impl IntoIterator<Item = &'a Case>) -> String {
    let kernels = cases
        .into_iter()
        .enumerate()
        .map(|(n, case)| case.kernel(&format!("k{n}")));
    format!(
        ".version 8.6\n.target sm_90\n.address_size 64\n{}",
        kernels.collect::<String>()
    )
}

/// All cases.
pub fn table() -> Vec<Case> {
    let mut t = Table::default();
    integers::integers(&mut t);
    bits::bits(&mut t);
    floats::floats(&mut t);
    halves::halves(&mut t);
    conversions::conversions(&mut t);
    comparisons::comparisons(&mut t);
    memory::memory(&mut t);
    warps::warps(&mut t);
    control::control(&mut t);
    t.0
}
