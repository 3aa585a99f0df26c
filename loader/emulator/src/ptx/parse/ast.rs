//! A PTX text as a tree. Names are slices of the text.

use std::fmt;

use crate::grid::Dim3;
use crate::ptx::types::{Space, Type};

#[derive(Debug, Default)]
pub(crate) struct Ast<'a> {
    /// Files of `.loc`, by their number.
    pub files: Vec<(u32, &'a str)>,
    pub variables: Vec<Variable<'a>>,
    pub functions: Vec<Function<'a>>,
    /// `.alias name, aliasee` with its line.
    pub aliases: Vec<(&'a str, &'a str, u32)>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub(crate) enum Linkage {
    #[default]
    Internal,
    Visible,
    Weak,
    Common,
    Extern,
}

/// A variable of any space except registers, or a parameter.
#[derive(Clone, Debug)]
pub(crate) struct Variable<'a> {
    pub name: &'a str,
    pub linkage: Linkage,
    pub space: Space,
    pub element: Type,
    pub align: u32,
    /// Bytes; `None` for `[]` without an initialiser.
    pub size: Option<u64>,
    pub init: Vec<Init<'a>>,
    pub line: u32,
}

/// One element of an initialiser.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Init<'a> {
    Int(u64),
    F32(u32),
    F64(u64),
    /// The address of a symbol plus an offset; `byte` for `0xff00(symbol)`: one byte of it.
    Address {
        symbol: &'a str,
        offset: i64,
        mask: Option<u64>,
    },
}

#[derive(Debug, Default)]
pub(crate) struct Function<'a> {
    pub name: &'a str,
    pub linkage: Linkage,
    pub is_kernel: bool,
    pub returns: Vec<Variable<'a>>,
    pub params: Vec<Variable<'a>>,
    /// `None` for a declaration.
    pub body: Option<Vec<Statement<'a>>>,
    pub max_threads: Option<Dim3>,
    pub required_threads: Option<Dim3>,
    pub line: u32,
}

#[derive(Debug)]
pub(crate) enum Statement<'a> {
    Label(&'a str),
    /// A range of registers `name<count>` or one register.
    Register {
        name: &'a str,
        ty: Type,
        count: Option<u32>,
        line: u32,
    },
    Variable(Variable<'a>),
    BlockStart,
    BlockEnd,
    Instruction(Instruction<'a>),
    Source {
        file: u32,
        line: u32,
    },
    /// `.branchtargets` or `.calltargets`.
    Targets {
        name: &'a str,
        labels: Vec<&'a str>,
    },
    Prototype {
        name: &'a str,
        returns: Vec<Variable<'a>>,
        params: Vec<Variable<'a>>,
    },
}

#[derive(Debug)]
pub(crate) struct Instruction<'a> {
    /// `@p` or `@!p`: the register and whether it is negated.
    pub guard: Option<(&'a str, bool)>,
    /// Opcode with all modifiers.
    pub opcode: &'a str,
    pub operands: Vec<Operand<'a>>,
    pub line: u32,
}

#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Operand<'a> {
    /// Register, special register, symbol or label, plus an offset (of symbols).
    Name(&'a str, i64),
    /// `!%p1`
    Not(&'a str),
    Int(u64),
    F32(u32),
    F64(u64),
    /// `{a, b}`
    Vector(Vec<Operand<'a>>),
    /// `[base+offset]`; the base may be a number.
    Address(Box<Operand<'a>>, i64),
    /// `(a, b)` of a call.
    List(Vec<Operand<'a>>),
    /// `p|q`
    Pair(Box<Operand<'a>>, Box<Operand<'a>>),
    /// `_`
    Sink,
}

/// As in the text, shortened: for messages.
impl fmt::Display for Operand<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Operand::Name(name, 0) => f.write_str(name),
            Operand::Name(name, offset) => write!(f, "{name}+{offset}"),
            Operand::Not(name) => write!(f, "!{name}"),
            Operand::Int(n) => write!(f, "{n}"),
            Operand::F32(bits) => write!(f, "0f{bits:08X}"),
            Operand::F64(bits) => write!(f, "0d{bits:016X}"),
            Operand::Vector(_) => f.write_str("{…}"),
            Operand::Address(base, 0) => write!(f, "[{base}]"),
            Operand::Address(base, offset) => write!(f, "[{base}+{offset}]"),
            Operand::List(_) => f.write_str("(…)"),
            Operand::Pair(first, second) => write!(f, "{first}|{second}"),
            Operand::Sink => f.write_str("_"),
        }
    }
}
