//! Writes kernels.

use std::fmt::Write;

/// What all kernels follow from.
const SEED: u64 = 0x6770_7520_6b65_726e;
/// How many there are.
const KERNELS: usize = 12;
/// Parts of a kernel, between exchanges of lanes.
const PARTS: usize = 3;
/// Statements of a part.
const STATEMENTS: usize = 7;
/// How deep expressions and blocks nest.
const DEPTH: u32 = 3;

/// The source of all kernels.
pub fn source() -> String {
    let mut generator = Generator {
        state: SEED,
        text: String::new(),
    };
    generator.file();
    generator.text
}

/// The type of an expression.
#[derive(Clone, Copy, PartialEq)]
enum Ty {
    U32,
    U64,
    F32,
    F64,
}

impl Ty {
    const ALL: [Ty; 4] = [Ty::U32, Ty::U64, Ty::F32, Ty::F64];

    /// The variables of this type, and how many there are.
    fn variables(self) -> (&'static str, usize) {
        match self {
            Ty::U32 => ("u", 4),
            Ty::U64 => ("w", 3),
            Ty::F32 => ("f", 3),
            Ty::F64 => ("d", 3),
        }
    }

    fn name(self) -> &'static str {
        match self {
            Ty::U32 => "u32",
            Ty::U64 => "u64",
            Ty::F32 => "f32",
            Ty::F64 => "f64",
        }
    }
}

struct Generator {
    state: u64,
    text: String,
}

impl Generator {
    /// A number below `bound` (xorshift64*).
    fn below(&mut self, bound: usize) -> usize {
        self.state ^= self.state >> 12;
        self.state ^= self.state << 25;
        self.state ^= self.state >> 27;
        (self.state.wrapping_mul(0x2545_f491_4f6c_dd1d) >> 33) as usize % bound
    }

    fn pick<'a>(&mut self, choices: &[&'a str]) -> &'a str {
        choices[self.below(choices.len())]
    }

    fn line(&mut self, indent: usize, line: &str) {
        writeln!(self.text, "{:1$}{line}", "", 4 * indent).expect("text grows");
    }

    fn file(&mut self) {
        self.line(0, "//! Written by tests/kernels/generate.rs: do not edit.");
        self.line(0, "#![cfg_attr(rustfmt, rustfmt::skip)]");
        self.line(0, "#![allow(warnings, clippy::all)]");
        self.line(0, "");
        self.line(0, "use super::state::{State, Warp, canonical32, canonical64};");
        self.line(0, "");
        let table: Vec<_> = (0..16).map(|_| format!("{:#x}", self.below(1 << 31))).collect();
        self.line(0, &format!("static TABLE: [u32; 16] = [{}];", table.join(", ")));
        let list: Vec<_> = (0..KERNELS).map(|kernel| format!("{kernel} kernel_{kernel}")).collect();
        self.line(0, "");
        self.line(0, "macro_rules! for_each_kernel {");
        self.line(1, &format!("($run:ident) => {{ $run! {{ {} }} }};", list.join(" ")));
        self.line(0, "}");
        self.line(0, "pub(crate) use for_each_kernel;");
        for kernel in 0..KERNELS {
            self.kernel(kernel);
        }
    }

    fn kernel(&mut self, kernel: usize) {
        self.line(0, "");
        self.line(0, "#[inline(never)]");
        self.line(
            0,
            &format!("fn function_{kernel}(s: &mut State, a: u32, b: f64) -> u64 {{"),
        );
        self.statements(1, 2, 2);
        let result = self.expression(Ty::U64, 2);
        self.line(1, &format!("{result} ^ (a as u64) << 20 ^ canonical64(b).to_bits()"));
        self.line(0, "}");
        for part in 0..PARTS {
            self.line(0, "");
            self.line(0, &format!("fn part_{kernel}_{part}(s: &mut State) {{"));
            self.statements(1, STATEMENTS, DEPTH);
            if part == 1 {
                let (a, b) = (self.expression(Ty::U32, 1), self.expression(Ty::F64, 1));
                self.line(1, &format!("let (a, b) = ({a}, {b});"));
                self.line(1, &format!("s.w[0] = function_{kernel}(s, a, b);"));
            }
            self.line(0, "}");
        }
        self.line(0, "");
        self.line(0, &format!("pub fn kernel_{kernel}(warp: &mut impl Warp) {{"));
        for part in 0..PARTS {
            self.line(1, &format!("warp.each(|s| part_{kernel}_{part}(s));"));
            let (to, from, third) = (self.below(4), self.below(4), self.below(4));
            let exchange = match self.below(3) {
                0 => format!("warp.shuffle({to}, {from}, {third});"),
                1 => format!("warp.ballot({to}, {from});"),
                _ => format!("warp.sum_among({}, {}, {third});", to % 3, from % 3),
            };
            self.line(1, &exchange);
        }
        self.line(0, "}");
    }

    fn statements(&mut self, indent: usize, count: usize, depth: u32) {
        for _ in 0..count {
            self.statement(indent, depth);
        }
    }

    fn statement(&mut self, indent: usize, depth: u32) {
        match self.below(if depth > 1 { 10 } else { 6 }) {
            0 => {
                let (place, value) = (self.expression(Ty::U32, 1), self.expression(Ty::U64, depth));
                self.line(
                    indent,
                    &format!("s.bytes[({place} % 16) as usize] = ({value} >> 5) as u8;"),
                );
            }
            1..6 => self.assignment(indent, depth),
            6 | 7 => {
                let condition = self.condition(depth - 1);
                self.line(indent, &format!("if {condition} {{"));
                self.statements(indent + 1, 2, depth - 1);
                self.line(indent, "} else {");
                self.statements(indent + 1, 2, depth - 1);
                self.line(indent, "}");
            }
            8 => {
                let times = self.expression(Ty::U32, 1);
                self.line(indent, &format!("for i in 0..{times} % 4 {{"));
                self.statements(indent + 1, 2, depth - 1);
                let (variables, count) = Ty::U32.variables();
                let place = self.below(count);
                self.line(indent + 1, &format!("s.{variables}[{place}] ^= i;"));
                self.line(indent, "}");
            }
            _ => {
                let choice = self.expression(Ty::U32, 1);
                self.line(indent, &format!("match {choice} % 5 {{"));
                for case in ["0", "1", "3", "_"] {
                    self.line(indent + 1, &format!("{case} => {{"));
                    self.statement(indent + 2, depth - 1);
                    self.line(indent + 1, "}");
                }
                self.line(indent, "}");
            }
        }
    }

    fn assignment(&mut self, indent: usize, depth: u32) {
        let ty = Ty::ALL[self.below(4)];
        let (variables, count) = ty.variables();
        let (place, value) = (self.below(count), self.expression(ty, depth));
        self.line(indent, &format!("s.{variables}[{place}] = {value};"));
    }

    fn condition(&mut self, depth: u32) -> String {
        let ty = Ty::ALL[self.below(4)];
        let (a, b) = (self.expression(ty, depth), self.expression(ty, depth));
        let comparison = self.pick(&["<", "<=", ">", ">=", "==", "!="]);
        match (self.below(2), ty) {
            (0, Ty::U32) => format!("({a} as i32) {comparison} ({b} as i32)"),
            (0, Ty::U64) => format!("({a} as i64) {comparison} ({b} as i64)"),
            _ => format!("{a} {comparison} {b}"),
        }
    }

    /// An expression in parentheses where it needs them.
    fn expression(&mut self, ty: Ty, depth: u32) -> String {
        if depth == 0 || self.below(8) == 0 {
            return self.leaf(ty);
        }
        match ty {
            Ty::U32 => self.integer(ty, "i32", 32, depth - 1),
            Ty::U64 => self.integer(ty, "i64", 64, depth - 1),
            Ty::F32 => self.float(ty, "canonical32", depth - 1),
            Ty::F64 => self.float(ty, "canonical64", depth - 1),
        }
    }

    fn leaf(&mut self, ty: Ty) -> String {
        let (variables, count) = ty.variables();
        match (self.below(5), ty) {
            (0, Ty::U32 | Ty::U64) => {
                let bits = self.below(31);
                format!("{:#x}_{}", self.below(1 << 31) >> bits, ty.name())
            }
            (0, _) => {
                let number = self.below(1 << 16) as f64 / 64.0 - 300.0;
                format!("({number:?}_{})", ty.name())
            }
            _ => format!("s.{variables}[{}]", self.below(count)),
        }
    }

    fn integer(&mut self, ty: Ty, signed: &str, bits: u32, depth: u32) -> String {
        let name = ty.name();
        let a = self.expression(ty, depth);
        match self.below(16) {
            0..=2 => {
                let method = self.pick(&["wrapping_add", "wrapping_sub", "wrapping_mul"]);
                format!("{a}.{method}({})", self.expression(ty, depth))
            }
            3 | 4 => {
                let operator = self.pick(&["&", "|", "^", "& !"]);
                format!("({a} {operator}{})", self.expression(ty, depth))
            }
            5 => {
                let method = self.pick(&["wrapping_shl", "wrapping_shr", "rotate_left", "rotate_right"]);
                format!("{a}.{method}({} % {bits})", self.expression(Ty::U32, depth))
            }
            6 => {
                let by = self.expression(Ty::U32, depth);
                format!("(({a} as {signed}).wrapping_shr({by}) as {name})")
            }
            7 => {
                let operator = self.pick(&["/", "%"]);
                format!("({a} {operator} ({} | 1))", self.expression(ty, depth))
            }
            8 => {
                let method = self.pick(&["wrapping_div", "wrapping_rem"]);
                let b = self.expression(ty, depth);
                format!("(({a} as {signed}).{method}(({b} | 1) as {signed}) as {name})")
            }
            9 => {
                let method = self.pick(&["leading_zeros", "trailing_zeros", "count_ones"]);
                format!("({a}.{method}() as {name})")
            }
            10 => {
                let method = self.pick(&["swap_bytes", "reverse_bits"]);
                format!("{a}.{method}()")
            }
            11 => {
                let method = self.pick(&["saturating_add", "saturating_sub", "min", "max", "abs_diff"]);
                format!("{a}.{method}({})", self.expression(ty, depth))
            }
            12 => {
                let method = self.pick(&["saturating_add", "saturating_sub", "min", "max"]);
                let b = self.expression(ty, depth);
                format!("(({a} as {signed}).{method}({b} as {signed}) as {name})")
            }
            13 => {
                let narrow = self.pick(&["i8", "u16", "i16", "u8"]);
                let operation = self.pick(&["wrapping_mul", "wrapping_add", "max"]);
                let b = self.expression(ty, depth);
                format!("(({a} as {narrow}).{operation}({b} as {narrow}) as {name})")
            }
            14 => match self.below(4) {
                0 => format!("(TABLE[({a} % 16) as usize] as {name})"),
                1 => format!("(s.bytes[({a} % 16) as usize] as {name})"),
                2 => format!("({} as {signed} as {name})", self.expression(Ty::F32, depth)),
                _ => format!("({} as {name})", self.expression(Ty::F64, depth)),
            },
            _ => match ty {
                Ty::U32 => format!(
                    "(({} >> {}) as u32)",
                    self.expression(Ty::U64, depth),
                    1 + self.below(32)
                ),
                _ => {
                    let (b, c) = (self.expression(Ty::U32, depth), self.expression(Ty::U32, depth));
                    format!("({b} as u64).wrapping_mul({c} as u64)")
                }
            },
        }
    }

    fn float(&mut self, ty: Ty, canonical: &str, depth: u32) -> String {
        let a = self.expression(ty, depth);
        match self.below(10) {
            0..=5 => {
                let operator = self.pick(&["+", "-", "*", "/"]);
                format!("{canonical}({a} {operator} {})", self.expression(ty, depth))
            }
            6 => {
                let condition = self.condition(depth.min(1));
                format!("(if {condition} {{ {a} }} else {{ {} }})", self.expression(ty, depth))
            }
            7 => {
                let b = self.expression(ty, depth);
                let method = self.pick(&["abs()", "copysign"]);
                let call = if method == "copysign" {
                    format!("copysign({b})")
                } else {
                    method.into()
                };
                format!("{canonical}({a}.{call})")
            }
            8 => match ty {
                Ty::F32 => format!("{canonical}({} as f32)", self.expression(Ty::F64, depth)),
                _ => format!("({} as f64)", self.expression(Ty::F32, depth)),
            },
            _ => {
                let from = [Ty::U32, Ty::U64][self.below(2)];
                let signed = if self.below(2) == 0 { "" } else { " as i32" };
                format!("({}{signed} as {})", self.expression(from, depth), ty.name())
            }
        }
    }
}
