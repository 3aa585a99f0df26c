//! Vector operations.

use super::{Disassembly, Text, operand};
use crate::amdgcn::decode::{op_sel_mask, short_only};
use crate::amdgcn::inst::{DppCtrl, Form, Inst, Operand, Sdwa, SdwaSel, SdwaUnused, Shuffle, Ty};
use crate::amdgcn::ops::{Class, Cond, Op};
use crate::amdgcn::target::Gen;

fn cond_name(cond: Cond, is_float: bool, generation: Gen) -> &'static str {
    match cond {
        Cond::F => "f",
        Cond::Lt => "lt",
        Cond::Eq => "eq",
        Cond::Le => "le",
        Cond::Gt => "gt",
        Cond::Lg if is_float => "lg",
        Cond::Lg => "ne",
        Cond::Ge => "ge",
        Cond::O => "o",
        Cond::U => "u",
        Cond::Nge => "nge",
        Cond::Nlg => "nlg",
        Cond::Ngt => "ngt",
        Cond::Nle => "nle",
        Cond::Neq => "neq",
        Cond::Nlt => "nlt",
        Cond::T if is_float && generation < Gen::Gfx11 => "tru",
        Cond::T => "t",
    }
}

fn sel_name(sel: SdwaSel) -> &'static str {
    match sel {
        SdwaSel::Byte0 => "BYTE_0",
        SdwaSel::Byte1 => "BYTE_1",
        SdwaSel::Byte2 => "BYTE_2",
        SdwaSel::Byte3 => "BYTE_3",
        SdwaSel::Word0 => "WORD_0",
        SdwaSel::Word1 => "WORD_1",
        SdwaSel::Dword => "DWORD",
    }
}

/// From GFX10 on, `v_cmpx` writes EXEC without saying so.
fn hides_result(op: Op, generation: Gen) -> bool {
    generation > Gen::Gfx9 && op.info().name.starts_with("v_cmpx")
}

/// `[1,0,1]`: the low bits of `mask`.
fn bit_list(mask: u8, count: usize) -> String {
    let bits: Vec<_> = (0..count).map(|index| (mask >> index & 1).to_string()).collect();
    format!("[{}]", bits.join(","))
}

impl Disassembly<'_> {
    fn is_comparison(&self) -> bool {
        self.inst.op.info().class == Class::vopc
    }

    /// The mnemonic without suffix.
    fn vector_name(&self) -> String {
        let name = self.name();
        let Some(cond) = self.inst.cond else {
            return name.into();
        };
        // A comparison's condition goes between `v_cmp` or `v_cmpx` and the type.
        let is_float = self.src_ty(0).is_float();
        let (start, ty) = name.rsplit_once('_').unwrap_or((name, ""));
        format!("{start}_{}_{ty}", cond_name(cond, is_float, self.generation()))
    }

    fn suffix(&self) -> &'static str {
        let info = self.inst.op.info();
        match (self.inst.form, self.inst.shuffle) {
            (Form::Vop3 | Form::Vop3p, Shuffle::Dpp16 { .. } | Shuffle::Dpp8 { .. }) => "_e64_dpp",
            (_, Shuffle::Sdwa(_)) => "_sdwa",
            (Form::Vopc, Shuffle::Dpp16 { .. } | Shuffle::Dpp8 { .. }) => "",
            (_, Shuffle::Dpp16 { .. } | Shuffle::Dpp8 { .. }) => "_dpp",
            _ if info.src.is_empty() => "",
            (Form::Vop3, _) => {
                let has_short = matches!(info.class, Class::vop1 | Class::vop2 | Class::vopc)
                    && info.code_on(self.target).is_some();
                if has_short { "_e64" } else { "" }
            }
            // No suffix tells encodings apart where there is only one.
            _ if short_only(self.inst.op, self.generation()) => "",
            _ => "_e32",
        }
    }

    /// A source with its sign modifiers.
    fn vector_source(&self, inst: &Inst, index: usize) -> String {
        let ty = inst.op.info().src[index];
        let operand = inst.src[index];
        let has = |mask: u8| mask >> index & 1 == 1;
        let mut text = match operand {
            Operand::Literal(value) if is_mix(inst.op) => operand::literal(value, Ty::F16),
            Operand::Float(_) if ty == Ty::B16 && self.is_comparison() => self.source(operand, Ty::F16),
            _ => self.source(operand, ty),
        };
        if has(inst.mods.sext) {
            text = format!("sext({text})");
        }
        let is_constant = matches!(operand, Operand::Int(_) | Operand::Float(_) | Operand::Literal(_));
        if has(inst.mods.abs) {
            text = format!("|{text}|");
        }
        if has(inst.mods.neg) && inst.form != Form::Vop3p || has(inst.mods.neg) && is_mix(inst.op) {
            text = if is_constant && !has(inst.mods.abs) && !text.starts_with("lit(") {
                format!("neg({text})")
            } else {
                format!("-{text}")
            };
        }
        text
    }

    pub(super) fn vop(&self, text: &mut Text) {
        let inst = self.inst;
        let info = inst.op.info();
        text.mnemonic = self.vector_name() + self.suffix();
        if info.src.is_empty() {
            return;
        }
        let hides_result = hides_result(inst.op, self.generation());
        for (index, &ty) in info.dst.iter().enumerate() {
            if !hides_result {
                text.operand(self.register(inst.dst[index], ty));
            }
        }
        for index in 0..info.src.len() {
            text.operand(if is_k_literal(inst.op, index) {
                operand::raw_literal(inst.src[index])
            } else {
                self.vector_source(inst, index)
            });
        }
        self.op_sel(text);
        text.flag(inst.mods.clamp, "clamp");
        match inst.mods.omod {
            1 => text.modifier("mul:2"),
            2 => text.modifier("mul:4"),
            3 => text.modifier("div:2"),
            _ => {}
        }
        self.shuffle(text);
    }

    fn op_sel(&self, text: &mut Text) {
        let inst = self.inst;
        if inst.form != Form::Vop3 || inst.mods.op_sel == 0 {
            return;
        }
        let info = inst.op.info();
        let sources = info.src.iter().filter(|&&ty| ty != Ty::Mask).count();
        let mask = op_sel_mask(info, self.target);
        let list = match inst.op {
            Op::v_permlane16_b32 | Op::v_permlanex16_b32 => bit_list(inst.mods.op_sel, 2),
            Op::v_cvt_sr_fp8_f32 | Op::v_cvt_sr_bf8_f32 | Op::v_fmac_f16 => bit_list(inst.mods.op_sel, 4),
            // A place for the result, which is no register that has halves.
            _ if info.class == Class::vopc && !hides_result(inst.op, self.generation()) => {
                bit_list(inst.mods.op_sel, sources + 1)
            }
            _ if mask & 8 == 0 => bit_list(inst.mods.op_sel, sources),
            _ => {
                let result = inst.mods.op_sel >> 3 & 1;
                bit_list(inst.mods.op_sel & !(1 << sources) | result << sources, sources + 1)
            }
        };
        text.modifier(format_args!("op_sel:{list}"));
    }

    fn shuffle(&self, text: &mut Text) {
        match self.inst.shuffle {
            Shuffle::None => {}
            Shuffle::Sdwa(sdwa) => self.sdwa(&sdwa, text),
            Shuffle::Dpp16 {
                ctrl,
                row_mask,
                bank_mask,
                bound_ctrl,
                fetch_inactive,
            } => {
                text.modifier(self.dpp_ctrl(ctrl));
                text.modifier(format_args!("row_mask:{row_mask:#x}"));
                text.modifier(format_args!("bank_mask:{bank_mask:#x}"));
                text.flag(bound_ctrl, "bound_ctrl:1");
                text.flag(fetch_inactive, "fi:1");
            }
            Shuffle::Dpp8 { sel, fetch_inactive } => {
                text.modifier(format_args!("dpp8:[{}]", sel.map(|lane| lane.to_string()).join(",")));
                text.flag(fetch_inactive, "fi:1");
            }
        }
    }

    fn sdwa(&self, sdwa: &Sdwa, text: &mut Text) {
        if !self.is_comparison() {
            text.modifier(format_args!("dst_sel:{}", sel_name(sdwa.dst_sel)));
            text.modifier(match sdwa.dst_unused {
                SdwaUnused::Pad => "dst_unused:UNUSED_PAD",
                SdwaUnused::Sext => "dst_unused:UNUSED_SEXT",
                SdwaUnused::Preserve => "dst_unused:UNUSED_PRESERVE",
            });
        }
        text.modifier(format_args!("src0_sel:{}", sel_name(sdwa.src_sel[0])));
        if self.inst.form != Form::Vop1 {
            text.modifier(format_args!("src1_sel:{}", sel_name(sdwa.src_sel[1])));
        }
    }

    fn dpp_ctrl(&self, ctrl: DppCtrl) -> String {
        match ctrl {
            DppCtrl::QuadPerm(sel) => {
                format!("quad_perm:[{}]", sel.map(|lane| lane.to_string()).join(","))
            }
            DppCtrl::RowShl(count) => format!("row_shl:{count}"),
            DppCtrl::RowShr(count) => format!("row_shr:{count}"),
            DppCtrl::RowRor(count) => format!("row_ror:{count}"),
            DppCtrl::WaveShl => "wave_shl:1".into(),
            DppCtrl::WaveRol => "wave_rol:1".into(),
            DppCtrl::WaveShr => "wave_shr:1".into(),
            DppCtrl::WaveRor => "wave_ror:1".into(),
            DppCtrl::RowMirror => "row_mirror".into(),
            DppCtrl::RowHalfMirror => "row_half_mirror".into(),
            DppCtrl::RowBcast15 => "row_bcast:15".into(),
            DppCtrl::RowBcast31 => "row_bcast:31".into(),
            DppCtrl::RowShare(lane) if self.generation() == Gen::Gfx9 => {
                format!("row_newbcast:{lane}")
            }
            DppCtrl::RowShare(lane) => format!("row_share:{lane}"),
            DppCtrl::RowXmask(mask) => format!("row_xmask:{mask}"),
        }
    }

    pub(super) fn vop3p(&self, text: &mut Text) {
        let inst = self.inst;
        let info = inst.op.info();
        text.mnemonic = self.name().to_string()
            + if inst.shuffle == Shuffle::None {
                ""
            } else {
                self.suffix()
            };
        text.operand(self.register(inst.dst[0], info.dst[0]));
        for index in 0..info.src.len() {
            text.operand(self.vector_source(inst, index));
        }
        if matches!(inst.op, Op::v_accvgpr_read_b32 | Op::v_accvgpr_write_b32) {
            return;
        }
        let count = info.src.len();
        let all = (1u8 << count) - 1;
        let mods = &inst.mods;
        let default_hi = if is_mix(inst.op) { 0 } else { all };
        if mods.op_sel & all != 0 {
            text.modifier(format_args!("op_sel:{}", bit_list(mods.op_sel, count)));
        }
        if mods.op_sel_hi & all != default_hi && info.src[0] != Ty::B32 {
            text.modifier(format_args!("op_sel_hi:{}", bit_list(mods.op_sel_hi, count)));
        }
        if !is_mix(inst.op) {
            if mods.neg & all != 0 {
                text.modifier(format_args!("neg_lo:{}", bit_list(mods.neg, count)));
            }
            if mods.neg_hi & all != 0 {
                text.modifier(format_args!("neg_hi:{}", bit_list(mods.neg_hi, count)));
            }
        }
        text.flag(mods.clamp, "clamp");
        self.shuffle(text);
    }

    pub(super) fn vopd(&self, text: &mut Text) {
        let mut halves = vec![self.half(self.inst)];
        halves.extend(self.inst.second.as_deref().map(|second| self.half(second)));
        text.mnemonic = halves.join(" :: ");
    }

    fn half(&self, inst: &Inst) -> String {
        let info = inst.op.info();
        let mut operands = vec![self.register(inst.dst[0], info.dst[0])];
        for (index, &ty) in info.src.iter().enumerate() {
            if ty == Ty::Mask {
                continue;
            }
            operands.push(if is_k_literal(inst.op, index) {
                operand::raw_literal(inst.src[index])
            } else {
                self.vector_source(inst, index)
            });
        }
        let name = info.name_on(self.generation());
        let name = name.strip_prefix("v_").unwrap_or(name);
        format!("v_dual_{name} {}", operands.join(", "))
    }
}

/// Whether source `index` is the constant that the operation's name has its K for.
fn is_k_literal(op: Op, index: usize) -> bool {
    match op {
        Op::v_fmamk_f32 | Op::v_fmamk_f16 | Op::v_madmk_f32 | Op::v_madmk_f16 => index == 1,
        Op::v_fmaak_f32 | Op::v_fmaak_f16 | Op::v_madak_f32 | Op::v_madak_f16 => index == 2,
        _ => false,
    }
}

/// Operations whose sources each are single or half precision, as modifiers say.
fn is_mix(op: Op) -> bool {
    matches!(op, Op::v_fma_mix_f32 | Op::v_fma_mixlo_f16 | Op::v_fma_mixhi_f16)
}
