//! Instructions as text, letter by letter what LLVM's disassembler prints.
//!
//! It is what a fault shows, and what lets tests compare the decoder with LLVM.

mod immediate;
mod memory;
mod operand;
mod vector;

use std::fmt;

use super::decode::{Decoder, has_no_immediate};
use super::inst::{Form, Inst, Operand, Ty};
use super::ops::Op;
use super::target::{Gen, Target, Wave};

/// An instruction that can be printed.
#[derive(Clone, Copy, Debug)]
pub struct Disassembly<'a> {
    inst: &'a Inst,
    target: Target,
    wave: Wave,
}

impl Inst {
    /// The instruction as text, for the processor and wavefront size it was decoded for.
    pub fn disassemble(&self, decoder: &Decoder) -> Disassembly<'_> {
        Disassembly {
            inst: self,
            target: decoder.target(),
            wave: decoder.wave(),
        }
    }
}

impl fmt::Display for Disassembly<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut text = Text::default();
        match self.inst.form {
            Form::Sop1 | Form::Sop2 | Form::Sopc => self.scalar(&mut text),
            Form::Sopk => self.sopk(&mut text),
            Form::Sopp => self.sopp(&mut text),
            Form::Smem => self.smem(&mut text),
            Form::Vop1 | Form::Vop2 | Form::Vopc | Form::Vop3 => self.vop(&mut text),
            Form::Vop3p => self.vop3p(&mut text),
            Form::Vopd => self.vopd(&mut text),
            Form::Ds => self.ds(&mut text),
            Form::Flat | Form::Scratch | Form::Global => self.flat(&mut text),
            Form::Mubuf => self.mubuf(&mut text),
        }
        f.write_str(&text.mnemonic)?;
        if !text.operands.is_empty() {
            write!(f, " {}", text.operands.join(", "))?;
        }
        f.write_str(&text.modifiers)
    }
}

/// A line under construction.
#[derive(Default)]
struct Text {
    mnemonic: String,
    operands: Vec<String>,
    /// What follows the operands, each with a space before it.
    modifiers: String,
}

impl Text {
    fn operand(&mut self, text: impl Into<String>) {
        self.operands.push(text.into());
    }

    fn modifier(&mut self, text: impl fmt::Display) {
        self.modifiers.push(' ');
        self.modifiers.push_str(&text.to_string());
    }

    fn flag(&mut self, set: bool, name: &str) {
        if set {
            self.modifier(name);
        }
    }
}

impl Disassembly<'_> {
    fn generation(&self) -> Gen {
        self.target.generation()
    }

    /// The operation's name here.
    fn name(&self) -> &'static str {
        self.inst.op.info().name_on(self.generation())
    }

    /// The type of result `index`.
    fn dst_ty(&self, index: usize) -> Ty {
        self.inst.op.info().dst.get(index).copied().unwrap_or(Ty::B32)
    }

    /// The type of source `index`.
    fn src_ty(&self, index: usize) -> Ty {
        self.inst.op.info().src.get(index).copied().unwrap_or(Ty::B32)
    }

    /// The immediate of SOPK and SOPP as the 16 bits it is.
    fn imm16(&self, index: usize) -> u16 {
        match self.inst.src[index] {
            Operand::Int(value) => value as u16,
            _ => 0,
        }
    }

    fn scalar(&self, text: &mut Text) {
        text.mnemonic = self.name().into();
        let info = self.inst.op.info();
        if let Some(&ty) = info.dst.first() {
            text.operand(self.register(self.inst.dst[0], ty));
        }
        for (index, &ty) in info.src.iter().enumerate() {
            let operand = self.inst.src[index];
            text.operand(match (ty, operand, self.inst.op) {
                (Ty::Imm, Operand::Int(value), Op::s_set_gpr_idx_on) => immediate::gpr_index(value as u16),
                (Ty::Imm, Operand::Int(value), _) => immediate::message(value as u16, self.target),
                _ => self.source(operand, ty),
            });
        }
    }

    fn sopk(&self, text: &mut Text) {
        text.mnemonic = self.name().into();
        let inst = self.inst;
        if inst.dst[0] != Operand::None {
            text.operand(self.register(inst.dst[0], self.dst_ty(0)));
        }
        match inst.op {
            Op::s_setreg_b32 => {
                text.operand(immediate::hardware_register(self.imm16(1), self.target));
                text.operand(self.register(inst.src[0], Ty::B32));
            }
            Op::s_setreg_imm32_b32 => {
                text.operand(immediate::hardware_register(self.imm16(1), self.target));
                text.operand(operand::unmarked_literal(inst.src[0]));
            }
            Op::s_getreg_b32 => {
                text.operand(immediate::hardware_register(self.imm16(0), self.target));
            }
            Op::s_call_b64 | Op::s_cbranch_i_fork | Op::s_subvector_loop_begin | Op::s_subvector_loop_end => {
                text.operand(self.imm16(0).to_string());
            }
            Op::s_version => text.operand(immediate::version(self.imm16(0))),
            _ => text.operand(format!("{:#x}", self.imm16(0))),
        }
    }

    fn sopp(&self, text: &mut Text) {
        text.mnemonic = self.name().into();
        let imm = self.imm16(0);
        match self.inst.op {
            op if has_no_immediate(op) => {}
            Op::s_endpgm if imm == 0 => {}
            Op::s_endpgm => text.operand(imm.to_string()),
            Op::s_waitcnt => text.operand(immediate::wait_counts(imm, self.target)),
            Op::s_sendmsg | Op::s_sendmsghalt => {
                text.operand(immediate::message(imm, self.target));
            }
            Op::s_delay_alu => text.operand(immediate::delay(imm)),
            Op::s_waitcnt_depctr => text.operand(immediate::dependency_counters(imm)),
            Op::s_set_gpr_idx_mode => text.operand(immediate::gpr_index(imm)),
            Op::s_clause
            | Op::s_set_inst_prefetch_distance
            | Op::s_wait_event
            | Op::s_round_mode
            | Op::s_ttracedata_imm => text.operand(format!("{imm:#x}")),
            op if is_branch(op) => text.operand(imm.to_string()),
            _ => text.operand(immediate::plain(imm)),
        }
    }
}

fn is_branch(op: Op) -> bool {
    op == Op::s_branch || op.info().name.starts_with("s_cbranch_")
}
