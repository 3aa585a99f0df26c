//! Loads, stores, atomic operations, fences.

use super::Kind::*;
use super::{Kind, Table};

pub(super) fn memory(t: &mut Table) {
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
    for space in SPACES {
        accesses(t, space);
    }
    qualifiers(t);
    parameters(t);
    for space in ["global", "shared", "generic"] {
        atomics(t, &SPACES[SPACES.iter().position(|s| s.name == space).unwrap_or(0)]);
    }
    atomic_qualifiers(t);
    fences(t);
    addresses(t);
}

/// Sixteen bytes of a thread's own in a state space: what declares them, and their address in `%o`.
struct Own {
    name: &'static str,
    /// The dotted space in an instruction.
    dotted: &'static str,
    address: &'static str,
}

const SPACES: &[Own] = &[
    Own {
        name: "global",
        dotted: ".global",
        address: "mov.u64 %o, %out;\n",
    },
    Own {
        name: "generic",
        dotted: "",
        address: "mov.u64 %o, %out;\n",
    },
    Own {
        name: "shared",
        dotted: ".shared",
        address: ".shared .align 16 .b8 words[2048];\nmov.u64 %o, words;\nmad.wide.u32 %o, %id, 16, %o;\n",
    },
    Own {
        name: "generic shared",
        dotted: "",
        address: ".shared .align 16 .b8 words[2048];\nmov.u64 %o, words;\ncvta.shared.u64 %o, %o;\nmad.wide.u32 %o, %id, 16, %o;\n",
    },
    Own {
        name: "local",
        dotted: ".local",
        address: ".local .align 16 .b8 words[16];\nmov.u64 %o, words;\n",
    },
    Own {
        name: "generic local",
        dotted: "",
        address: ".local .align 16 .b8 words[16];\nmov.u64 %o, words;\ncvta.local.u64 %o, %o;\n",
    },
];

/// The fundamental types with their sizes.
const TYPES: [(&str, u32); 14] = [
    ("b8", 8),
    ("u8", 8),
    ("s8", 8),
    ("b16", 16),
    ("u16", 16),
    ("s16", 16),
    ("b32", 32),
    ("u32", 32),
    ("s32", 32),
    ("b64", 64),
    ("u64", 64),
    ("s64", 64),
    ("f32", 32),
    ("f64", 64),
];

/// Register of a width that a load of it fills, and how it becomes `%d` of 64 bits.
fn register(width: u32, ty: &str) -> (&'static str, &'static str) {
    match width {
        64 => ("%d", ""),
        _ if ty.starts_with('s') => ("%t", "cvt.s64.s32 %d, %t;"),
        _ => ("%t", "cvt.u64.u32 %d, %t;"),
    }
}

/// Each type alone and as a vector, loaded from the middle of other bytes and stored between them.
fn accesses(t: &mut Table, own: &Own) {
    let Own { name, dotted, address } = own;
    for (ty, width) in TYPES {
        let at = width / 8;
        let (to, widen) = register(width, ty);
        t.body(
            &format!("ld.{ty} {name}"),
            &format!("{address}st{dotted}.v2.b64 [%o], {{%a, %b}};\nld{dotted}.{ty} {to}, [%o+{at}];\n{widen}"),
            I64,
            &[Few64, Few64],
        );
        let from = if width == 64 { "%a" } else { "%t" };
        t.body(
            &format!("st.{ty} {name}"),
            &format!(
                "{address}cvt.u32.u64 %t, %a;\nst{dotted}.v2.b64 [%o], {{%b, %b}};\nst{dotted}.{ty} [%o+{at}], {from};\n\
                 ld{dotted}.v2.b64 {{%d, %w}}, [%o];\nmad.lo.u64 %d, %w, 31, %d;"
            ),
            I64,
            &[Few64, Few64],
        );
        // The register may be wider than the type.
        if width < 64 {
            t.body(
                &format!("ld.{ty} {name} wide"),
                &format!("{address}st{dotted}.v2.b64 [%o], {{%a, %b}};\nld{dotted}.{ty} %d, [%o+{at}];"),
                I64,
                &[Few64, Few64],
            );
        }
        for count in [2, 4] {
            if width * count > 128 {
                continue;
            }
            let names: Vec<String> = (0..count).map(|n| format!("%v{n}")).collect();
            let list = names.join(", ");
            let bits = width.max(16);
            let sum: String = names
                .iter()
                .map(|name| match bits {
                    64 => format!("mad.lo.u64 %d, %d, 31, {name};\n"),
                    _ => format!("cvt.u64.u{bits} %w, {name};\nmad.lo.u64 %d, %d, 31, %w;\n"),
                })
                .collect();
            t.body(
                &format!("ld.v{count}.{ty} st.v{count}.{ty} {name}"),
                &format!(
                    ".reg .b{bits} %v<4>;\n{address}st{dotted}.v2.b64 [%o], {{%a, %b}};\nld{dotted}.v{count}.{ty} {{{list}}}, [%o];\n{sum}\
                     st{dotted}.v{count}.{ty} [%o], {{{list}}};\nld{dotted}.v2.b64 {{%w, %w2}}, [%o];\nmad.lo.u64 %d, %d, 31, %w;\nmad.lo.u64 %d, %d, 31, %w2;"
                ),
                I64,
                &[Few64, Few64],
            );
        }
    }
    t.body(
        &format!("ld.b128 st.b128 {name}"),
        &format!(
            ".reg .b128 %x;\n{address}mov.b128 %x, {{%a, %b}};\nst{dotted}.b128 [%o], %x;\nld{dotted}.b128 %x, [%o];\n\
             mov.b128 {{%w, %w2}}, %x;\nmad.lo.u64 %d, %w, 31, %w2;"
        ),
        I64,
        &[Few64, Few64],
    );
    t.body(
        &format!("ld.v4.b32 {name} sink"),
        &format!(
            "{address}st{dotted}.v2.b64 [%o], {{%a, %b}};\nld{dotted}.v4.b32 {{_, %t, _, %t2}}, [%o];\nmov.b64 %d, {{%t, %t2}};"
        ),
        I64,
        &[Few64, Few64],
    );
}

/// Orders, scopes, operators and hints: a thread sees what it wrote, whichever it says.
fn qualifiers(t: &mut Table) {
    let mut pairs: Vec<(String, String)> = Vec::new();
    let mut pair = |st: &str, ld: &str| pairs.push((st.to_owned(), ld.to_owned()));
    for space in [".global", ".shared", ""] {
        pair(&format!("weak{space}"), &format!("weak{space}"));
        pair(&format!("volatile{space}"), &format!("volatile{space}"));
        for scope in ["cta", "cluster", "gpu", "sys"] {
            pair(&format!("relaxed.{scope}{space}"), &format!("relaxed.{scope}{space}"));
            pair(&format!("release.{scope}{space}"), &format!("acquire.{scope}{space}"));
        }
    }
    pair("mmio.relaxed.sys.global", "mmio.relaxed.sys.global");
    for (st, ld) in [("wb", "ca"), ("cg", "cg"), ("cs", "cs"), ("wt", "cv"), ("wb", "lu")] {
        pair(&format!("global.{st}"), &format!("global.{ld}"));
        pair(st, ld);
    }
    for (st, ld) in [
        ("L1::evict_normal", "L1::evict_normal"),
        ("L1::evict_unchanged", "L1::evict_unchanged"),
        ("L1::evict_first", "L1::evict_first"),
        ("L1::evict_last", "L1::evict_last"),
        ("L1::no_allocate", "L1::no_allocate"),
        ("L1::evict_first", "L2::64B"),
        ("L1::evict_first", "L2::128B"),
        ("L1::evict_first", "L2::256B"),
    ] {
        pair(&format!("global.{st}"), &format!("global.{ld}"));
    }
    for (st, ld) in pairs {
        let address = if st.ends_with(".shared") {
            SPACES[2].address
        } else {
            SPACES[0].address
        };
        for (ty, width) in [("b8", 8), ("b16", 16), ("b32", 32), ("b64", 64)] {
            let (to, widen) = register(width, ty);
            let from = if width == 64 { "%a" } else { "%t" };
            t.body(
                &format!("st.{st}.{ty} ld.{ld}.{ty}"),
                &format!("{address}cvt.u32.u64 %t, %a;\nst.{st}.{ty} [%o], {from};\nld.{ld}.{ty} {to}, [%o];\n{widen}"),
                I64,
                &[Few64],
            );
        }
        if st.starts_with("mmio") {
            continue;
        }
        t.body(
            &format!("st.{st}.v2.b64 ld.{ld}.v2.b64"),
            &format!("{address}st.{st}.v2.b64 [%o], {{%a, %b}};\nld.{ld}.v2.b64 {{%w, %d}}, [%o];\nmad.lo.u64 %d, %d, 31, %w;"),
            I64,
            &[Few64, Few64],
        );
    }
    for (ty, width) in TYPES {
        let (to, widen) = register(width, ty);
        t.body(
            &format!("ld.global.nc.{ty}"),
            &format!("ld.global.nc.{ty} {to}, [%in+{}];\n{widen}", width / 8),
            I64,
            &[Few64, Few64],
        );
        if width < 64 {
            let bits = width.max(16);
            t.body(
                &format!("ld.global.nc.v2.{ty}"),
                &format!(
                    ".reg .b{bits} %v<2>;\nld.global.nc.v2.{ty} {{%v0, %v1}}, [%in];\ncvt.u64.u{bits} %d, %v0;\ncvt.u64.u{bits} %w, %v1;\nmad.lo.u64 %d, %d, 31, %w;"
                ),
                I64,
                &[Few64, Few64],
            );
        }
    }
    for hint in ["", ".L1::no_allocate", ".L1::evict_last", ".L2::128B"] {
        t.body(
            &format!("ld.global.nc{hint}"),
            &format!("ld.global.nc{hint}.v2.b64 {{%d, %w}}, [%in];\nadd.u64 %d, %d, %w;"),
            I64,
            &[Few64, Few64],
        );
    }
    t.body("ldu.global", "ldu.global.b64 %d, [%in];", I64, &[Few64]);
    t.body(
        "L2::cache_hint",
        "mov.b64 %w, 0x1000000000000000;\nst.global.L2::cache_hint.b64 [%out], %a, %w;\n\
         ld.global.L2::cache_hint.b64 %d, [%out], %w;",
        I64,
        &[Few64],
    );
    for prefetch in [
        "prefetch.global.L1 [%in]",
        "prefetch.global.L2 [%in]",
        "prefetch.L1 [%in]",
        "prefetch.global.L2::evict_last [%in]",
        "prefetchu.L1 [%in]",
        "applypriority.global.L2::evict_normal [KERNEL_line], 128",
        "discard.global.L2 [KERNEL_line], 128",
    ] {
        let name = prefetch.split(" [").next().unwrap_or_default();
        t.body(name, &format!("{prefetch};\nld.global.b64 %d, [%in];"), I64, &[Few64])
            .prelude = ".global .align 128 .b8 KERNEL_line[128];".to_owned();
    }
    // Constant memory, by name and by address.
    t.body(
        "ld.const",
        ".reg .b64 %x;\nand.b64 %w, %a, 3;\nshl.b64 %w, %w, 3;\nmov.u64 %o, KERNEL_table;\nadd.u64 %o, %o, %w;\nld.const.b64 %d, [%o];\n\
         ld.const.s16 %x, [KERNEL_table+2];\nadd.u64 %d, %d, %x;\nld.const.v2.u32 {%t, %t2}, [KERNEL_table+8];\ncvt.u64.u32 %x, %t2;\n\
         add.u64 %d, %d, %x;\ncvta.const.u64 %o, %o;\nld.u8 %x, [%o+1];\nadd.u64 %d, %d, %x;",
        I64,
        &[Few64],
    )
    .prelude = ".const .align 8 .b64 KERNEL_table[4] = {0x8123456789abcdef, -2, 7};".to_owned();
    t.body(
        "initialised variables",
        ".reg .f32 %x;\nld.global.b8 %t, [KERNEL_bytes+2];\nld.global.f32 %x, [KERNEL_floats+4];\ncvt.rzi.s32.f32 %t2, %x;\n\
         mad.lo.s32 %d, %t, 1000, %t2;\nld.global.u64 %o, [KERNEL_address];\nld.global.u8 %t, [%o];\nmad.lo.s32 %d, %t, 7, %d;",
        I32,
        &[Few32],
    )
    .prelude = ".global .align 4 .b8 KERNEL_bytes[4] = {1, 2, 250};\n.global .f32 KERNEL_floats[2] = {0f3f800000, 123.75};\n\
                .global .u64 KERNEL_address = KERNEL_bytes+1;"
        .to_owned();
}

/// Parts of a kernel's parameters.
fn parameters(t: &mut Table) {
    for (ty, at) in [("u8", 0), ("s8", 1), ("b16", 0), ("s16", 2), ("b32", 0), ("s32", 0)] {
        t.body(
            &format!("ld.param.{ty}"),
            &format!("ld.param.{ty} %d, [KERNEL_n+{at}];"),
            I64,
            &[Few32],
        );
    }
    t.body(
        "ld.param by address",
        "mov.u64 %o, KERNEL_n;\nld.param.u32 %t, [%o];\ncvt.u64.u32 %d, %t;",
        I64,
        &[Few32],
    );
}

/// Old and new value of every operation on every type; each lane works on a word of its own.
fn atomics(t: &mut Table, own: &Own) {
    let Own { name, dotted, address } = own;
    let operations: [(&str, Kind); 30] = [
        ("add.u32", I32),
        ("add.s32", I32),
        ("add.u64", I64),
        ("add.f32", F32),
        ("add.f64", F64),
        ("add.noftz.f16", F16),
        ("add.noftz.bf16", Bf16),
        ("add.noftz.f16x2", F16x2),
        ("add.noftz.bf16x2", Bf16x2),
        ("min.u32", I32),
        ("min.s32", I32),
        ("min.u64", I64),
        ("min.s64", I64),
        ("max.u32", I32),
        ("max.s32", I32),
        ("max.u64", I64),
        ("max.s64", I64),
        ("and.b32", I32),
        ("and.b64", I64),
        ("or.b32", I32),
        ("or.b64", I64),
        ("xor.b32", I32),
        ("xor.b64", I64),
        ("inc.u32", I32),
        ("dec.u32", I32),
        ("exch.b32", I32),
        ("exch.b64", I64),
        ("cas.b16", I16),
        ("cas.b32", I32),
        ("cas.b64", I64),
    ];
    for (op, kind) in operations {
        let width = kind.width();
        let third = if op.starts_with("cas") { ", %c" } else { "" };
        let operands = [kind, kind, kind];
        let operands = &operands[..if third.is_empty() { 2 } else { 3 }];
        let old = match width {
            16 => "%h",
            32 => "%t",
            _ => "%w",
        };
        // In shared memory, where no instruction does it, the code that CUDA 13.0's compiler puts there adds the lower halves and
        // leaves the upper ones alone. The manual says that both are added.
        let telling = if *name == "shared" && op.ends_with("x2") {
            0xffff
        } else {
            !0
        };
        t.body(
            &format!("atom.{op} {name} old"),
            &format!("{address}st{dotted}.b{width} [%o], %a;\natom{dotted}.{op} %d, [%o], %b{third};"),
            kind,
            operands,
        );
        t.body(
            &format!("atom.{op} {name} new"),
            &format!("{address}st{dotted}.b{width} [%o], %a;\natom{dotted}.{op} {old}, [%o], %b{third};\nld{dotted}.b{width} %d, [%o];"),
            kind,
            operands,
        )
        .telling = telling;
        if !op.starts_with("exch") && !op.starts_with("cas") {
            t.body(
                &format!("red.{op} {name}"),
                &format!(
                    "{address}st{dotted}.b{width} [%o], %a;\nred{dotted}.{op} [%o], %b;\nld{dotted}.b{width} %d, [%o];"
                ),
                kind,
                operands,
            )
            .telling = telling;
        }
    }
    t.body(
        &format!("atom.add.u32 {name} sink"),
        &format!("{address}st{dotted}.b32 [%o], %a;\natom{dotted}.add.u32 _, [%o], %b;\nld{dotted}.b32 %d, [%o];"),
        I32,
        &[I32, I32],
    );
    for (op, third) in [("exch", ""), ("cas", ", %z")] {
        t.body(
            &format!("atom.{op}.b128 {name}"),
            &format!(
                ".reg .b128 %x, %y, %z;\n{address}mov.b128 %x, {{%a, %b}};\nmov.b128 %y, {{%c, %b}};\nmov.b128 %z, {{%b, %c}};\nst{dotted}.b128 [%o], %x;\n\
                 atom{dotted}.{op}.b128 %x, [%o], %y{third};\nmov.b128 {{%w, %w2}}, %x;\nmad.lo.u64 %d, %w, 31, %w2;\nld{dotted}.v2.b64 {{%w, %w2}}, [%o];\n\
                 mad.lo.u64 %d, %d, 31, %w;\nmad.lo.u64 %d, %d, 31, %w2;"
            ),
            I64,
            &[I64, I64, I64],
        );
    }
}

fn atomic_qualifiers(t: &mut Table) {
    for order in ["", ".relaxed", ".acquire", ".release", ".acq_rel"] {
        for scope in ["", ".cta", ".cluster", ".gpu", ".sys"] {
            t.body(
                &format!("atom{order}{scope}.global.add.u32 old new"),
                &format!("st.global.b32 [%out], %a;\natom{order}{scope}.global.add.u32 %d, [%out], %b;\nld.global.b32 %t, [%out];\nmad.lo.u32 %d, %d, 31, %t;"),
                I32,
                &[Few32, Few32],
            );
            for space in [".global", ".shared", ""] {
                let address = if space == ".shared" {
                    SPACES[2].address
                } else {
                    SPACES[0].address
                };
                t.body(
                    &format!("atom{order}{scope}{space}.cas.b64"),
                    &format!(
                        "{address}st{space}.b64 [%o], %a;\natom{order}{scope}{space}.cas.b64 %d, [%o], %b, %c;\nld{space}.b64 %w, [%o];\nmad.lo.u64 %d, %d, 31, %w;"
                    ),
                    I64,
                    &[Few64, Few64, Few64],
                );
            }
            for (ty, kind) in [("b32", Few32), ("b64", Few64)] {
                for op in ["and", "or"] {
                    t.body(
                        &format!("atom{order}{scope}.global.{op}.{ty}"),
                        &format!(
                            "st.global.{ty} [%out], %a;\natom{order}{scope}.global.{op}.{ty} %d, [%out], %b;\nld.global.{ty} %{0}, [%out];\nadd.u{1} %d, %d, %{0};",
                            if kind == Few64 { "w" } else { "t" },
                            kind.width()
                        ),
                        kind,
                        &[kind, kind],
                    );
                    if !["acquire", "acq_rel"].iter().any(|o| order.ends_with(o)) {
                        t.body(
                            &format!("red{order}{scope}.global.{op}.{ty}"),
                            &format!("st.global.{ty} [%out], %a;\nred{order}{scope}.global.{op}.{ty} [%out], %b;\nld.global.{ty} %d, [%out];"),
                            kind,
                            &[kind, kind],
                        );
                    }
                }
            }
        }
    }
}

fn fences(t: &mut Table) {
    let mut all: Vec<String> = Vec::new();
    for scope in ["cta", "cluster", "gpu", "sys"] {
        all.push(format!("fence.{scope}"));
        for order in ["sc", "acq_rel", "acquire", "release"] {
            all.push(format!("fence.{order}.{scope}"));
        }
    }
    all.extend(["membar.cta", "membar.gl", "membar.sys"].map(str::to_owned));
    all.extend(["alias", "async", "async.global", "async.shared::cta"].map(|proxy| format!("fence.proxy.{proxy}")));
    for fence in all {
        t.body(
            &fence,
            &format!("st.global.b32 [%out], %a;\n{fence};\nld.global.b32 %d, [%out];"),
            I32,
            &[Few32],
        );
    }
}

/// Which space an address belongs to, and the ways between the spaces.
fn addresses(t: &mut Table) {
    for own in SPACES.iter().filter(|own| own.dotted.is_empty()) {
        for space in ["global", "shared", "shared::cta", "local", "const"] {
            t.body(
                &format!("isspacep.{space} {}", own.name),
                &format!("{}isspacep.{space} %p, %o;", own.address),
                I32,
                &[Few32],
            );
        }
    }
    t.body(
        "isspacep.const const",
        "mov.u64 %o, KERNEL_c;\ncvta.const.u64 %o, %o;\nisspacep.const %p, %o;",
        I32,
        &[Few32],
    )
    .prelude = ".const .b32 KERNEL_c = 1;".to_owned();
    for (space, address) in [
        ("global", SPACES[0].address),
        ("shared", SPACES[2].address),
        ("local", SPACES[4].address),
    ] {
        t.body(
            &format!("cvta.{space} cvta.to.{space}"),
            &format!("{address}cvta.{space}.u64 %w, %o;\ncvta.to.{space}.u64 %w, %w;\nsetp.eq.u64 %p, %w, %o;"),
            I32,
            &[Few32],
        );
    }
    t.body(
        "mapa.shared::cluster",
        ".shared .align 16 .b8 words[16];\nmov.u32 %t, words;\nmapa.shared::cluster.u32 %t2, %t, 0;\nst.shared::cta.b32 [%t], 77;\n\
         ld.shared::cluster.b32 %d, [%t2];",
        I32,
        &[Few32],
    );
    t.body(
        "mapa",
        ".shared .align 16 .b8 words[16];\nmov.u64 %o, words;\ncvta.shared.u64 %o, %o;\nmapa.u64 %w, %o, 0;\nst.b32 [%o], 77;\nld.b32 %d, [%w];",
        I32,
        &[Few32],
    );
}
