//! The fundamental types and state spaces of PTX.

/// What the bits of an operand mean.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[allow(missing_docs, reason = "the names are PTX's")]
pub enum Type {
    B8,
    B16,
    B32,
    B64,
    B128,
    U8,
    U16,
    U32,
    U64,
    S8,
    S16,
    S32,
    S64,
    F16,
    F16x2,
    Bf16,
    Bf16x2,
    U16x2,
    S16x2,
    F32,
    F64,
    Pred,
}

impl Type {
    /// The type named by a modifier without its dot.
    pub fn parse(word: &str) -> Option<Type> {
        Some(match word {
            "b8" => Type::B8,
            "b16" => Type::B16,
            "b32" => Type::B32,
            "b64" => Type::B64,
            "b128" => Type::B128,
            "u8" => Type::U8,
            "u16" => Type::U16,
            "u32" => Type::U32,
            "u64" => Type::U64,
            "s8" => Type::S8,
            "s16" => Type::S16,
            "s32" => Type::S32,
            "s64" => Type::S64,
            "f16" => Type::F16,
            "f16x2" => Type::F16x2,
            "bf16" => Type::Bf16,
            "bf16x2" => Type::Bf16x2,
            "u16x2" => Type::U16x2,
            "s16x2" => Type::S16x2,
            "f32" => Type::F32,
            "f64" => Type::F64,
            "pred" => Type::Pred,
            _ => return None,
        })
    }

    /// The modifier that names it.
    pub fn word(self) -> &'static str {
        match self {
            Type::B8 => ".b8",
            Type::B16 => ".b16",
            Type::B32 => ".b32",
            Type::B64 => ".b64",
            Type::B128 => ".b128",
            Type::U8 => ".u8",
            Type::U16 => ".u16",
            Type::U32 => ".u32",
            Type::U64 => ".u64",
            Type::S8 => ".s8",
            Type::S16 => ".s16",
            Type::S32 => ".s32",
            Type::S64 => ".s64",
            Type::F16 => ".f16",
            Type::F16x2 => ".f16x2",
            Type::Bf16 => ".bf16",
            Type::Bf16x2 => ".bf16x2",
            Type::U16x2 => ".u16x2",
            Type::S16x2 => ".s16x2",
            Type::F32 => ".f32",
            Type::F64 => ".f64",
            Type::Pred => ".pred",
        }
    }

    /// Bytes in memory; predicates have none.
    pub fn size(self) -> u32 {
        match self {
            Type::B8 | Type::U8 | Type::S8 => 1,
            Type::B16 | Type::U16 | Type::S16 | Type::F16 | Type::Bf16 => 2,
            Type::B32 | Type::U32 | Type::S32 | Type::F32 => 4,
            Type::F16x2 | Type::Bf16x2 | Type::U16x2 | Type::S16x2 => 4,
            Type::B64 | Type::U64 | Type::S64 | Type::F64 => 8,
            Type::B128 => 16,
            Type::Pred => 0,
        }
    }

    /// Whether a load widens it with its sign.
    pub fn is_signed(self) -> bool {
        matches!(self, Type::S8 | Type::S16 | Type::S32 | Type::S64)
    }

    /// Whether arithmetic on it is floating-point.
    pub fn is_float(self) -> bool {
        matches!(
            self,
            Type::F16 | Type::F16x2 | Type::Bf16 | Type::Bf16x2 | Type::F32 | Type::F64
        )
    }
}

/// Where a variable lives.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Space {
    /// Any of the others, told apart by the address.
    Generic,
    /// Memory of the device or the host.
    Global,
    /// Read-only.
    Const,
    /// One per block.
    Shared,
    /// One per thread.
    Local,
    /// Parameters of kernels and functions.
    Param,
}

impl Space {
    /// The space named by a modifier without its dot, sub-qualifier included.
    pub fn parse(word: &str) -> Option<Space> {
        Some(match word {
            "global" => Space::Global,
            "const" => Space::Const,
            "shared" | "shared::cta" => Space::Shared,
            "local" => Space::Local,
            "param" | "param::entry" | "param::func" => Space::Param,
            _ => return None,
        })
    }
}
