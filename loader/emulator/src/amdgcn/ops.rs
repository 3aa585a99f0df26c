//! Every operation the decoder knows, one table row each.
//!
//! A row reads
//!
//! ```text
//! v_add_nc_u32 = U32 <- U32 U32 @ 0x34 0x34 0x25 0x25, clamp | v_add_u32 gfx9;
//! ```
//!
//! operation = results `<-` sources `@` opcode on gfx90a, gfx942, gfx1030, gfx1100 (`-`: none), then
//! what the encoding allows (see [`Traits`]), then names it has on other generations. An operation
//! whose short encoding some processors lack has a second set of opcodes, those in VOP3, after `/`.
//!
//! The name is that of the newest generation. VOP1, VOP2 and VOPC operations have a VOP3 form too,
//! at a fixed distance from the short form's opcode. A VOPC row is a block of 8 (integer) or 16
//! (float) consecutive opcodes, one for each [`Cond`]. Memory rows name results and data; addresses
//! have types by form.
//!
//! The numbers are those in AMD's ISA documents ("MI200", "MI300", "RDNA 2", "RDNA 3"); tests
//! compare every row with LLVM.

mod ds;
mod memory;
mod smem;
mod sop;
mod vop;
mod vop3;

use super::inst::{Form, Ty};
use super::target::{Gen, Target};
use ds::ds;
use memory::memory;
use smem::smem;
use sop::sop;
use vop::vop;
use vop3::vop3;

/// Which table an operation is in: its native encoding.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[allow(missing_docs, non_camel_case_types, reason = "the names are the ISA's")]
pub enum Class {
    sop1,
    sop2,
    sopc,
    sopk,
    sopp,
    smem,
    vop1,
    vop2,
    vopc,
    vop3,
    vop3p,
    ds,
    /// FLAT, GLOBAL, SCRATCH and MUBUF.
    any_segment,
    /// FLAT, GLOBAL and MUBUF.
    flat_global_buffer,
    /// FLAT and GLOBAL.
    flat_global,
    /// GLOBAL and MUBUF.
    global_buffer,
    /// GLOBAL and SCRATCH.
    global_scratch,
    /// GLOBAL only.
    global,
    /// MUBUF only.
    buffer,
}

impl Class {
    /// Whether a vector memory operation exists in `form`.
    pub const fn has(self, form: Form) -> bool {
        match form {
            Form::Flat => matches!(
                self,
                Class::any_segment | Class::flat_global_buffer | Class::flat_global
            ),
            Form::Global => matches!(
                self,
                Class::any_segment
                    | Class::flat_global_buffer
                    | Class::flat_global
                    | Class::global_buffer
                    | Class::global_scratch
                    | Class::global
            ),
            Form::Scratch => matches!(self, Class::any_segment | Class::global_scratch),
            Form::Mubuf => matches!(
                self,
                Class::any_segment | Class::flat_global_buffer | Class::global_buffer | Class::buffer
            ),
            _ => false,
        }
    }
}

/// What the encodings of a vector operation allow beyond what its operands imply.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Traits {
    /// The result can be clamped.
    pub clamp: bool,
    /// The result can be scaled.
    pub omod: bool,
    /// No sub-dword form although all operands are at most 32 bits wide.
    pub no_sdwa: bool,
    /// No data-parallel form although all operands are at most 32 bits wide.
    pub no_dpp: bool,
    /// Has a sub-dword form although the result is 64 bits wide.
    pub narrow_src: bool,
}

/// The condition of a vector comparison.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Cond {
    /// Never.
    F,
    /// Less.
    Lt,
    /// Equal.
    Eq,
    /// Less or equal.
    Le,
    /// Greater.
    Gt,
    /// Less or greater: integers differ; floats differ and are ordered.
    Lg,
    /// Greater or equal.
    Ge,
    /// Floats: neither is a NaN.
    O,
    /// Floats: one is a NaN.
    U,
    /// Floats: not `Ge`.
    Nge,
    /// Floats: not `Lg`.
    Nlg,
    /// Floats: not `Gt`.
    Ngt,
    /// Floats: not `Le`.
    Nle,
    /// Floats: not `Eq`.
    Neq,
    /// Floats: not `Lt`.
    Nlt,
    /// Always.
    T,
}

impl Cond {
    /// Conditions of float comparisons in the order of their opcodes.
    pub const FLOAT: [Cond; 16] = [
        Cond::F,
        Cond::Lt,
        Cond::Eq,
        Cond::Le,
        Cond::Gt,
        Cond::Lg,
        Cond::Ge,
        Cond::O,
        Cond::U,
        Cond::Nge,
        Cond::Nlg,
        Cond::Ngt,
        Cond::Nle,
        Cond::Neq,
        Cond::Nlt,
        Cond::T,
    ];
    /// Conditions of integer comparisons in the order of their opcodes.
    pub const INTEGER: [Cond; 8] = [
        Cond::F,
        Cond::Lt,
        Cond::Eq,
        Cond::Le,
        Cond::Gt,
        Cond::Lg,
        Cond::Ge,
        Cond::T,
    ];
}

/// One table row.
#[derive(Debug)]
pub struct Info {
    /// The operation.
    pub op: Op,
    /// Its name on the newest generation; vector memory operations lack the segment's prefix.
    pub name: &'static str,
    /// Names on other generations.
    pub old_names: &'static [(&'static str, &'static [Gen])],
    /// Its native encoding.
    pub class: Class,
    /// Types of the results.
    pub dst: &'static [Ty],
    /// Types of the sources.
    pub src: &'static [Ty],
    /// Opcode in the native encoding on each of [`Target::ALL`].
    pub code: [Option<u16>; 4],
    /// Opcode in VOP3 where a processor has no short form.
    pub vop3: [Option<u16>; 4],
    /// What the encoding allows.
    pub traits: Traits,
}

impl Info {
    /// The name on a generation.
    pub fn name_on(&self, generation: Gen) -> &'static str {
        self.old_names
            .iter()
            .find(|(_, generations)| generations.contains(&generation))
            .map_or(self.name, |(name, _)| name)
    }

    /// The opcode in the native encoding on a processor.
    pub fn code_on(&self, target: Target) -> Option<u16> {
        self.code[target as usize]
    }
}

macro_rules! code {
    (-) => {
        None
    };
    ($number:literal) => {
        Some($number)
    };
}

macro_rules! generation {
    (gfx9) => {
        Gen::Gfx9
    };
    (gfx10) => {
        Gen::Gfx10
    };
    (gfx11) => {
        Gen::Gfx11
    };
}

macro_rules! vop3_codes {
    () => { [None; 4] };
    ($($code:tt)+) => { [$(code!($code)),+] };
}

macro_rules! define {
    ( ; $($class:ident { $(
        $op:ident = $($dst:ident)* <- $($src:ident)* @ $a:tt $b:tt $c:tt $d:tt
            $(/ $e:tt $f:tt $g:tt $h:tt)? $(, $trait:ident)* $(| $old:ident $($since:ident)+)* ;
    )* })* ) => {
        /// An operation, whatever its encoding. Spelled as in the tables.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
        #[allow(missing_docs, non_camel_case_types, reason = "the names are the ISA's")]
        #[repr(u16)]
        pub enum Op { $($($op,)*)* }

        /// All rows, in the order of [`Op`].
        pub static OPS: &[Info] = &[$($(
            Info {
                op: Op::$op,
                name: stringify!($op),
                old_names: &[$((stringify!($old), &[$(generation!($since)),+])),*],
                class: Class::$class,
                dst: &[$(Ty::$dst),*],
                src: &[$(Ty::$src),*],
                code: [code!($a), code!($b), code!($c), code!($d)],
                vop3: vop3_codes!($($e $f $g $h)?),
                #[allow(clippy::needless_update, reason = "some rows have all traits")]
                traits: Traits { $($trait: true,)* ..NO_TRAITS },
            },
        )*)*];
    };
}

const NO_TRAITS: Traits = Traits {
    clamp: false,
    omod: false,
    no_sdwa: false,
    no_dpp: false,
    narrow_src: false,
};

sop! { smem vop vop3 ds memory define ; }

impl Op {
    /// The operation's table row.
    pub fn info(self) -> &'static Info {
        &OPS[self as usize]
    }
}
