//! Opcode numbers to operations, one set of tables per processor.

use std::sync::OnceLock;

use crate::amdgcn::ops::{Class, Cond, OPS, Op};
use crate::amdgcn::target::{Gen, Target};

/// The operation behind one opcode number; comparisons have a condition too.
pub(super) type Entry = Option<(Op, Option<Cond>)>;

/// Operations by opcode number.
#[derive(Debug)]
pub(super) struct Tables {
    pub sop1: [Entry; 256],
    pub sop2: [Entry; 128],
    pub sopc: [Entry; 128],
    pub sopk: [Entry; 32],
    pub sopp: [Entry; 128],
    pub smem: [Entry; 256],
    pub vop1: [Entry; 256],
    pub vop2: [Entry; 64],
    pub vopc: [Entry; 256],
    pub vop3: [Entry; 1024],
    pub vop3p: [Entry; 128],
    pub ds: [Entry; 256],
    /// Operations that FLAT, GLOBAL or SCRATCH have.
    pub flat: [Entry; 256],
    /// Operations that MUBUF has.
    pub mubuf: [Entry; 256],
}

/// Operations with a short encoding that have no VOP3 form at all.
pub(in crate::amdgcn) fn short_only(op: Op, generation: Gen) -> bool {
    match op {
        Op::v_readfirstlane_b32
        | Op::v_swap_b32
        | Op::v_swap_b16
        | Op::v_swaprel_b32
        | Op::v_accvgpr_mov_b32
        | Op::v_permlane64_b32
        | Op::v_madmk_f32
        | Op::v_madak_f32
        | Op::v_madmk_f16
        | Op::v_madak_f16
        | Op::v_fmamk_f32
        | Op::v_fmaak_f32
        | Op::v_fmamk_f16
        | Op::v_fmaak_f16 => true,
        Op::v_dot2acc_f32_f16 | Op::v_dot4c_i32_i8 | Op::v_pk_fmac_f16 => generation > Gen::Gfx9,
        _ => false,
    }
}

/// Whether the processor's comparison of this type has the condition.
fn has_cond(op: Op, cond: Cond, generation: Gen) -> bool {
    let is_16_bit_integer = matches!(op, Op::v_cmp_i16 | Op::v_cmp_u16 | Op::v_cmpx_i16 | Op::v_cmpx_u16);
    generation == Gen::Gfx9 || !is_16_bit_integer || !matches!(cond, Cond::F | Cond::T)
}

impl Tables {
    /// The tables of `target`, made when first asked for.
    pub fn of(target: Target) -> &'static Tables {
        static TABLES: [OnceLock<Tables>; 4] = [const { OnceLock::new() }; 4];
        TABLES[target as usize].get_or_init(|| Tables::new(target))
    }

    fn new(target: Target) -> Tables {
        let generation = target.generation();
        let vop1_in_vop3 = if generation == Gen::Gfx9 { 0x140 } else { 0x180 };
        let vop2_in_vop3 = 0x100;
        let mut tables = Tables {
            sop1: [None; 256],
            sop2: [None; 128],
            sopc: [None; 128],
            sopk: [None; 32],
            sopp: [None; 128],
            smem: [None; 256],
            vop1: [None; 256],
            vop2: [None; 64],
            vopc: [None; 256],
            vop3: [None; 1024],
            vop3p: [None; 128],
            ds: [None; 256],
            flat: [None; 256],
            mubuf: [None; 256],
        };
        for info in OPS {
            let entry = Some((info.op, None));
            if let Some(code) = info.vop3[target as usize] {
                tables.vop3[usize::from(code)] = entry;
            }
            let Some(code) = info.code_on(target).map(usize::from) else {
                continue;
            };
            let table: &mut [Entry] = match info.class {
                Class::sop1 => &mut tables.sop1,
                Class::sop2 => &mut tables.sop2,
                Class::sopc => &mut tables.sopc,
                Class::sopk => &mut tables.sopk,
                Class::sopp => &mut tables.sopp,
                Class::smem => &mut tables.smem,
                Class::vop1 | Class::vop2 => {
                    let (table, in_vop3): (&mut [Entry], _) = if info.class == Class::vop1 {
                        (&mut tables.vop1, vop1_in_vop3)
                    } else {
                        (&mut tables.vop2, vop2_in_vop3)
                    };
                    if !short_only(info.op, generation) {
                        tables.vop3[in_vop3 + code] = entry;
                    }
                    table
                }
                Class::vopc => {
                    tables.add_comparison(info.op, code, target);
                    continue;
                }
                Class::vop3 => &mut tables.vop3,
                Class::vop3p => &mut tables.vop3p,
                Class::ds => &mut tables.ds,
                Class::buffer => &mut tables.mubuf,
                Class::flat_global | Class::global_scratch | Class::global => &mut tables.flat,
                Class::any_segment | Class::flat_global_buffer | Class::global_buffer => {
                    tables.mubuf[code] = entry;
                    &mut tables.flat
                }
            };
            table[code] = entry;
        }
        tables
    }

    /// A comparison is a block of opcodes, one for each condition. `v_cmp_class` is one opcode.
    fn add_comparison(&mut self, op: Op, base: usize, target: Target) {
        let generation = target.generation();
        let conditions: &[Cond] = match op {
            Op::v_cmp_class_f16
            | Op::v_cmp_class_f32
            | Op::v_cmp_class_f64
            | Op::v_cmpx_class_f16
            | Op::v_cmpx_class_f32
            | Op::v_cmpx_class_f64 => {
                self.vopc[base] = Some((op, None));
                self.vop3[base] = Some((op, None));
                return;
            }
            _ if op.info().src[0].is_float() => &Cond::FLOAT,
            _ => &Cond::INTEGER,
        };
        for (index, &cond) in conditions.iter().enumerate() {
            if !has_cond(op, cond, generation) {
                continue;
            }
            // GFX10 puts the second half of the half-precision comparisons 0x20 after the first.
            let is_split = generation == Gen::Gfx10 && matches!(op, Op::v_cmp_f16 | Op::v_cmpx_f16);
            let gap = if is_split && index >= 8 { 0x18 } else { 0 };
            let code = base + index + gap;
            self.vopc[code] = Some((op, Some(cond)));
            self.vop3[code] = Some((op, Some(cond)));
        }
    }
}
