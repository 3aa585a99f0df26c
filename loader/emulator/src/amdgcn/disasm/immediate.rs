//! Immediates that LLVM spells out.

use crate::amdgcn::target::{Gen, Target};

const fn bits(value: u16, low: u32, count: u32) -> u16 {
    (value >> low) & ((1 << count) - 1)
}

/// A number: small ones as operands are, others in hexadecimal.
pub(super) fn plain(value: u16) -> String {
    if value <= 64 {
        value.to_string()
    } else {
        format!("{value:#x}")
    }
}

/// Named values, those at their default left out unless all are.
fn counters(fields: &[(&str, u16, u16)]) -> String {
    let all_default = fields.iter().all(|(_, value, default)| value == default);
    fields
        .iter()
        .filter(|(_, value, default)| all_default || value != default)
        .map(|(name, value, _)| format!("{name}({value})"))
        .collect::<Vec<_>>()
        .join(" ")
}

/// The counters of `s_waitcnt`.
pub(super) fn wait_counts(imm: u16, target: Target) -> String {
    let (vm, exp, lgkm, lgkm_max) = match target.generation() {
        Gen::Gfx9 => (
            bits(imm, 0, 4) | bits(imm, 14, 2) << 4,
            bits(imm, 4, 3),
            bits(imm, 8, 4),
            15,
        ),
        Gen::Gfx10 => (
            bits(imm, 0, 4) | bits(imm, 14, 2) << 4,
            bits(imm, 4, 3),
            bits(imm, 8, 6),
            63,
        ),
        Gen::Gfx11 => (bits(imm, 10, 6), bits(imm, 0, 3), bits(imm, 4, 6), 63),
    };
    counters(&[("vmcnt", vm, 63), ("expcnt", exp, 7), ("lgkmcnt", lgkm, lgkm_max)])
}

/// The counters of `s_waitcnt_depctr`.
pub(super) fn dependency_counters(imm: u16) -> String {
    if bits(imm, 5, 2) != 0 {
        return format!("{imm:#x}");
    }
    counters(&[
        ("depctr_hold_cnt", bits(imm, 7, 1), 1),
        ("depctr_sa_sdst", bits(imm, 0, 1), 1),
        ("depctr_va_vdst", bits(imm, 12, 4), 15),
        ("depctr_va_sdst", bits(imm, 9, 3), 7),
        ("depctr_va_ssrc", bits(imm, 8, 1), 1),
        ("depctr_va_vcc", bits(imm, 1, 1), 1),
        ("depctr_vm_vsrc", bits(imm, 2, 3), 7),
    ])
}

/// What `s_delay_alu` waits for.
pub(super) fn delay(imm: u16) -> String {
    const ON: [&str; 12] = [
        "NO_DEP",
        "VALU_DEP_1",
        "VALU_DEP_2",
        "VALU_DEP_3",
        "VALU_DEP_4",
        "TRANS32_DEP_1",
        "TRANS32_DEP_2",
        "TRANS32_DEP_3",
        "FMA_ACCUM_CYCLE_1",
        "SALU_CYCLE_1",
        "SALU_CYCLE_2",
        "SALU_CYCLE_3",
    ];
    const SKIP: [&str; 6] = ["SAME", "NEXT", "SKIP_1", "SKIP_2", "SKIP_3", "SKIP_4"];
    let on = |value: u16| {
        ON.get(usize::from(value))
            .copied()
            .unwrap_or("/* invalid instid value */")
    };
    let (first, skip, second) = (bits(imm, 0, 4), bits(imm, 4, 3), bits(imm, 7, 4));
    let mut parts = Vec::new();
    if first != 0 {
        parts.push(format!("instid0({})", on(first)));
    }
    if skip != 0 {
        let skip = SKIP
            .get(usize::from(skip))
            .copied()
            .unwrap_or("/* invalid instskip value */");
        parts.push(format!("instskip({skip})"));
    }
    if second != 0 {
        parts.push(format!("instid1({})", on(second)));
    }
    if parts.is_empty() {
        return "0".into();
    }
    parts.join(" | ")
}

/// Which operands `s_set_gpr_idx_*` index.
pub(super) fn gpr_index(imm: u16) -> String {
    if imm > 0xf {
        return format!("{imm:#x}");
    }
    let names = ["SRC0", "SRC1", "SRC2", "DST"]
        .into_iter()
        .enumerate()
        .filter(|(index, _)| bits(imm, *index as u32, 1) == 1)
        .map(|(_, name)| name)
        .collect::<Vec<_>>();
    format!("gpr_idx({})", names.join(","))
}

/// What code `s_version` says it is: a generation and flags.
pub(super) fn version(imm: u16) -> String {
    if bits(imm, 8, 5) != 0 {
        return format!("{imm:#x}");
    }
    let generation = match bits(imm, 0, 8) {
        0 => "UC_VERSION_GFX7".into(),
        4 => "UC_VERSION_GFX10".into(),
        6 => "UC_VERSION_GFX11".into(),
        9 => "UC_VERSION_GFX12".into(),
        other => other.to_string(),
    };
    let flags = [(13, "W64"), (14, "W32"), (15, "MDP")]
        .into_iter()
        .filter(|&(at, _)| bits(imm, at, 1) == 1);
    let mut text: String = generation;
    for (index, (_, name)) in flags.enumerate() {
        if index > 0 {
            text = format!("({text})");
        }
        text = format!("{text}|UC_VERSION_{name}_BIT");
    }
    text
}

/// The register of `s_getreg` and `s_setreg`.
pub(super) fn hardware_register(imm: u16, target: Target) -> String {
    let (id, offset, size) = (bits(imm, 0, 6), bits(imm, 6, 5), bits(imm, 11, 5) + 1);
    let name = register_name(id, target).map_or(id.to_string(), |name| format!("HW_REG_{name}"));
    if offset == 0 && size == 32 {
        format!("hwreg({name})")
    } else {
        format!("hwreg({name}, {offset}, {size})")
    }
}

fn register_name(id: u16, target: Target) -> Option<&'static str> {
    let generation = target.generation();
    Some(match (id, generation) {
        (1, _) => "MODE",
        (2, _) => "STATUS",
        (3, _) => "TRAPSTS",
        (4, Gen::Gfx9) => "HW_ID",
        (5, _) => "GPR_ALLOC",
        (6, _) => "LDS_ALLOC",
        (7, _) => "IB_STS",
        (15, _) => "SH_MEM_BASES",
        (16, Gen::Gfx9 | Gen::Gfx10) => "TBA_LO",
        (17, Gen::Gfx9 | Gen::Gfx10) => "TBA_HI",
        (18, Gen::Gfx9 | Gen::Gfx10) => "TMA_LO",
        (19, Gen::Gfx9 | Gen::Gfx10) => "TMA_HI",
        (18, Gen::Gfx11) => "PERF_SNAPSHOT_PC_LO",
        (19, Gen::Gfx11) => "PERF_SNAPSHOT_PC_HI",
        (20, Gen::Gfx10 | Gen::Gfx11) => "FLAT_SCR_LO",
        (21, Gen::Gfx10 | Gen::Gfx11) => "FLAT_SCR_HI",
        (23, Gen::Gfx10 | Gen::Gfx11) => "HW_ID1",
        (24, Gen::Gfx10 | Gen::Gfx11) => "HW_ID2",
        (25, Gen::Gfx10) => "POPS_PACKER",
        (27, Gen::Gfx11) => "PERF_SNAPSHOT_DATA",
        (29, Gen::Gfx10 | Gen::Gfx11) => "SHADER_CYCLES",
        (20, Gen::Gfx9) if target == Target::Gfx942 => "XCC_ID",
        (21, Gen::Gfx9) if target == Target::Gfx942 => "SQ_PERF_SNAPSHOT_DATA",
        (22, Gen::Gfx9) if target == Target::Gfx942 => "SQ_PERF_SNAPSHOT_DATA1",
        (23, Gen::Gfx9) if target == Target::Gfx942 => "SQ_PERF_SNAPSHOT_PC_LO",
        (24, Gen::Gfx9) if target == Target::Gfx942 => "SQ_PERF_SNAPSHOT_PC_HI",
        _ => return None,
    })
}

/// The message of `s_sendmsg`.
pub(super) fn message(imm: u16, target: Target) -> String {
    if target.generation() == Gen::Gfx11 {
        return match (new_message_name(imm & 0xff), imm) {
            (Some(name), _) => format!("sendmsg(MSG_{name})"),
            (None, 0..=0xff) => format!("sendmsg({imm}, 0, 0)"),
            _ => imm.to_string(),
        };
    }
    let (id, operation, stream) = (bits(imm, 0, 4), bits(imm, 4, 3), bits(imm, 8, 2));
    const GS: [&str; 4] = ["GS_OP_NOP", "GS_OP_CUT", "GS_OP_EMIT", "GS_OP_EMIT_CUT"];
    const SYSTEM: [&str; 5] = [
        "",
        "SYSMSG_OP_ECC_ERR_INTERRUPT",
        "SYSMSG_OP_REG_RD",
        "SYSMSG_OP_HOST_TRAP_ACK",
        "SYSMSG_OP_TTRACE_PC",
    ];
    let at = usize::from(operation);
    match (id, operation, stream) {
        (2, 1..=3, _) => format!("sendmsg(MSG_GS, {}, {stream})", GS[at]),
        (3, 0, 0) => format!("sendmsg(MSG_GS_DONE, {})", GS[0]),
        (3, 1..=3, _) => format!("sendmsg(MSG_GS_DONE, {}, {stream})", GS[at]),
        (15, 1..=4, 0) => format!("sendmsg(MSG_SYSMSG, {})", SYSTEM[at]),
        (_, 0, 0) => match old_message_name(id, target.generation()) {
            Some(name) => format!("sendmsg(MSG_{name})"),
            None if id != imm => imm.to_string(),
            None => format!("sendmsg({id}, {operation}, {stream})"),
        },
        _ if id | operation << 4 | stream << 8 != imm => imm.to_string(),
        _ => format!("sendmsg({id}, {operation}, {stream})"),
    }
}

fn old_message_name(id: u16, generation: Gen) -> Option<&'static str> {
    Some(match id {
        1 => "INTERRUPT",
        4 => "SAVEWAVE",
        5 => "STALL_WAVE_GEN",
        6 => "HALT_WAVES",
        7 => "ORDERED_PS_DONE",
        8 => "EARLY_PRIM_DEALLOC",
        9 => "GS_ALLOC_REQ",
        10 => "GET_DOORBELL",
        11 if generation == Gen::Gfx10 => "GET_DDID",
        _ => return None,
    })
}

fn new_message_name(id: u16) -> Option<&'static str> {
    Some(match id {
        1 => "INTERRUPT",
        2 => "HS_TESSFACTOR",
        3 => "DEALLOC_VGPRS",
        6 => "HALT_WAVES",
        9 => "GS_ALLOC_REQ",
        0x80 => "RTN_GET_DOORBELL",
        0x81 => "RTN_GET_DDID",
        0x82 => "RTN_GET_TMA",
        0x83 => "RTN_GET_REALTIME",
        0x84 => "RTN_SAVE_WAVE",
        0x85 => "RTN_GET_TBA",
        0x86 => "RTN_GET_TBA_TO_PC",
        _ => return None,
    })
}

/// The lane pattern of `ds_swizzle`.
pub(super) fn swizzle(imm: u16) -> String {
    if imm & 0x8000 == 0 {
        return bitmask_swizzle(imm);
    }
    if imm & 0xff00 == 0x8000 {
        let lanes = [0, 2, 4, 6].map(|at| bits(imm, at, 2).to_string());
        return format!("swizzle(QUAD_PERM,{})", lanes.join(","));
    }
    if imm >= 0xe000 {
        return format!("swizzle(FFT,{})", bits(imm, 0, 5));
    }
    if imm >= 0xc000 {
        return format!("swizzle(ROTATE,{},{})", bits(imm, 10, 1), bits(imm, 5, 5));
    }
    imm.to_string()
}

fn bitmask_swizzle(imm: u16) -> String {
    let (and, or, xor) = (bits(imm, 0, 5), bits(imm, 5, 5), bits(imm, 10, 5));
    if and == 0x1f && or == 0 && xor.is_power_of_two() {
        return format!("swizzle(SWAP,{xor})");
    }
    if and == 0x1f && or == 0 && xor > 0 && (xor + 1).is_power_of_two() {
        return format!("swizzle(REVERSE,{})", xor + 1);
    }
    let group = 0x20 - and;
    if group > 1 && group.is_power_of_two() && or < group && xor == 0 {
        return format!("swizzle(BROADCAST,{group},{or})");
    }
    let of_zeros = or ^ xor;
    let of_ones = (and | or) ^ xor;
    let pattern: String = (0..5)
        .rev()
        .map(|at| match (bits(of_zeros, at, 1), bits(of_ones, at, 1)) {
            (0, 0) => '0',
            (1, 1) => '1',
            (0, 1) => 'p',
            _ => 'i',
        })
        .collect();
    format!("swizzle(BITMASK_PERM,\"{pattern}\")")
}
