//! Small kernels of one warp that ask what happens where the manual promises nothing: masks that overlap or lack a lane,
//! lanes that meet in different instructions, and faults. Some may hang, so each is for a process of its own.

/// One question.
pub struct Probe {
    pub name: &'static str,
    /// PTX of each lane. `%lane` is its number, `%v` what it reports at the end; there are `%mask`, `%t`, `%t2` (32 bits), `%w`
    /// (64 bits), `%p`, `%q`, and in `%low` whether it is one of the lower sixteen.
    pub body: &'static str,
}

/// A word for each lane that has not come to its end.
pub const UNTOUCHED: u32 = 0xaaaa_aaaa;
/// What `%v` is at the start.
pub const STARTED: u32 = 0x5555_5555;

/// The lower half names itself, the upper half everybody.
const NESTED: &str = "selp.b32 %mask, 0x0000ffff, 0xffffffff, %low;\n";
/// The upper half comes a millisecond later and then says so.
const LATE: &str = "@!%low nanosleep.u32 1000000;\n@!%low st.volatile.shared.b32 [flag], 1;\n";
/// The lower half does.
const EARLY: &str = "@%low nanosleep.u32 1000000;\n@%low st.volatile.shared.b32 [flag], 1;\n";
/// Whether that was seen.
const SEEN: &str = "ld.volatile.shared.b32 %v, [flag];\n";

impl Probe {
    /// A module with the kernel `probe(out)`: for each lane a word that becomes 1, and its `%v`.
    pub fn module(&self) -> String {
        let body = self
            .body
            .replace("NESTED", NESTED)
            .replace("LATE", LATE)
            .replace("EARLY", EARLY)
            .replace("SEEN", SEEN);
        format!(
            ".version 8.6\n.target sm_90\n.address_size 64\n.shared .align 4 .b8 flag[4];\n
.extern .func __assertfail(.param .b64 a, .param .b64 b, .param .b32 c, .param .b64 d, .param .b64 e);
.global .align 1 .b8 text[2] = {{120, 0}};
.func deeper(.param .b64 up)\n{{\n\t.local .align 8 .b8 depot[1024];\n\t.reg .b64 %x;\n\tld.param.b64 %x, [up];\n\tst.local.b64 [depot], %x;
\tmov.b64 %x, depot;\n\t{{\n\t.param .b64 a;\n\tst.param.b64 [a], %x;\n\tcall.uni deeper, (a);\n\t}}\n\tld.local.b64 %x, [depot];\n\tst.b64 [%x], %x;\n\tret;\n}}
.visible .entry probe(.param .u64 out)\n{{
\t.reg .pred %p, %q, %low;\n\t.reg .b32 %lane, %mask, %t, %t2, %v;\n\t.reg .b64 %w, %out;
\tmov.u32 %lane, %laneid;\n\tld.param.u64 %out, [out];\n\tmad.wide.u32 %out, %lane, 8, %out;\n\tsetp.lt.u32 %low, %lane, 16;
\tst.volatile.global.b32 [%out], 1;\n\tmov.u32 %v, {STARTED};\n\tst.volatile.shared.b32 [flag], 0;\n\tbar.warp.sync 0xffffffff;
{body}\n\tst.volatile.global.b32 [%out+4], %v;\n\tret;\n}}\n"
        )
    }
}

/// All questions.
pub const PROBES: &[Probe] = &[
    // Who waits for whom when one mask lies inside the other.
    Probe {
        name: "sync nested, upper late",
        body: "NESTED LATE bar.warp.sync %mask;\nSEEN",
    },
    Probe {
        name: "sync nested, lower late",
        body: "NESTED EARLY bar.warp.sync %mask;\nSEEN",
    },
    Probe {
        name: "sync overlapping, upper late",
        body: "selp.b32 %mask, 0x00ffffff, 0xffffff00, %low;\nLATE bar.warp.sync %mask;\nSEEN",
    },
    Probe {
        name: "sync disjoint, upper late",
        body: "selp.b32 %mask, 0x0000ffff, 0xffff0000, %low;\nLATE bar.warp.sync %mask;\nSEEN",
    },
    Probe {
        name: "sync chain of three",
        body: "setp.ge.u32 %p, %lane, 3;\n@%p bra $end;\nsetp.eq.u32 %p, %lane, 0;\nsetp.eq.u32 %q, %lane, 1;\nselp.b32 %mask, 7, 6, %q;\n\
               selp.b32 %mask, 3, %mask, %p;\nbar.warp.sync %mask;\nmov.u32 %v, %mask;\n$end:",
    },
    // Lanes that a mask lacks, or that are not there.
    Probe {
        name: "sync without oneself",
        body: "LATE bar.warp.sync 0xffff0000;\nSEEN",
    },
    Probe {
        name: "sync with the exited",
        body: "@!%low exit;\nbar.warp.sync 0xffffffff;\nmov.u32 %v, 1;",
    },
    Probe {
        name: "sync with some who exit later",
        body: "@!%low nanosleep.u32 1000000;\n@!%low st.volatile.shared.b32 [flag], 1;\n@!%low exit;\nbar.warp.sync 0xffffffff;\nSEEN",
    },
    Probe {
        name: "shfl with the exited",
        body: "@!%low exit;\nshfl.sync.bfly.b32 %v, %lane, 1, 31, 0xffffffff;",
    },
    Probe {
        name: "shfl from the exited",
        body: "@!%low exit;\nshfl.sync.bfly.b32 %v, %lane, 16, 31, 0xffffffff;",
    },
    Probe {
        name: "shfl from outside the mask",
        body: "selp.b32 %mask, 0x0000ffff, 0xffff0000, %low;\nadd.u32 %t, %lane, 100;\nshfl.sync.bfly.b32 %v, %t, 16, 31, %mask;",
    },
    Probe {
        name: "shfl from outside the mask, apart",
        body: "add.u32 %t, %lane, 100;\n@%low bra $low;\nshfl.sync.bfly.b32 %v, %t, 16, 31, 0xffff0000;\nbra $end;\n$low:\n\
               shfl.sync.bfly.b32 %v, %t, 16, 31, 0x0000ffff;\n$end:",
    },
    Probe {
        name: "shfl without oneself",
        body: "add.u32 %t, %lane, 100;\nshfl.sync.bfly.b32 %v, %t, 16, 31, 0xffff0000;",
    },
    Probe {
        name: "vote with the exited",
        body: "@!%low exit;\nvote.sync.ballot.b32 %v, 1, 0xffffffff;",
    },
    Probe {
        name: "vote without oneself",
        body: "vote.sync.ballot.b32 %v, 1, 0xffff0000;",
    },
    Probe {
        name: "match with the exited",
        body: "@!%low exit;\nmatch.any.sync.b32 %v, 7, 0xffffffff;",
    },
    Probe {
        name: "match.all with the exited",
        body: "@!%low exit;\nmatch.all.sync.b32 %v, 7, 0xffffffff;",
    },
    Probe {
        name: "redux with the exited",
        body: "@!%low exit;\nredux.sync.add.u32 %v, 1, 0xffffffff;",
    },
    Probe {
        name: "elect with the exited",
        body: "@%low exit;\nelect.sync %v|%p, 0xffffffff;",
    },
    // The same questions of what also carries values.
    Probe {
        name: "shfl nested",
        body: "NESTED add.u32 %t, %lane, 100;\nshfl.sync.bfly.b32 %v, %t, 16, 31, %mask;",
    },
    Probe {
        name: "shfl nested, upper late",
        body: "NESTED LATE add.u32 %t, %lane, 100;\nshfl.sync.bfly.b32 %v, %t, 16, 31, %mask;",
    },
    Probe {
        name: "shfl nested, apart",
        body: "add.u32 %t, %lane, 100;\n@%low bra $low;\nshfl.sync.bfly.b32 %v, %t, 16, 31, 0xffffffff;\nbra $end;\n$low:\n\
               shfl.sync.bfly.b32 %v, %t, 16, 31, 0x0000ffff;\n$end:",
    },
    Probe {
        name: "vote nested",
        body: "NESTED vote.sync.ballot.b32 %v, 1, %mask;",
    },
    Probe {
        name: "vote nested, lower late",
        body: "NESTED EARLY vote.sync.ballot.b32 %v, 1, %mask;",
    },
    Probe {
        name: "match nested",
        body: "NESTED match.any.sync.b32 %v, 7, %mask;",
    },
    Probe {
        name: "match.all nested",
        body: "NESTED match.all.sync.b32 %v, 7, %mask;",
    },
    Probe {
        name: "redux nested",
        body: "NESTED redux.sync.add.u32 %v, 1, %mask;",
    },
    Probe {
        name: "elect nested",
        body: "NESTED elect.sync %v|%p, %mask;",
    },
    // One mask, two places, the same operation or another.
    Probe {
        name: "sync at two places",
        body: "@%low bra $low;\nnanosleep.u32 1000000;\nst.volatile.shared.b32 [flag], 1;\nbar.warp.sync 0xffffffff;\nbra $end;\n$low:\n\
               bar.warp.sync 0xffffffff;\n$end:\nSEEN",
    },
    Probe {
        name: "sync meets shfl",
        body: "@%low bra $low;\nshfl.sync.bfly.b32 %v, %lane, 1, 31, 0xffffffff;\nbra $end;\n$low:\nbar.warp.sync 0xffffffff;\nmov.u32 %v, 1;\n$end:",
    },
    Probe {
        name: "sync meets vote",
        body: "@%low bra $low;\nvote.sync.ballot.b32 %v, 1, 0xffffffff;\nbra $end;\n$low:\nbar.warp.sync 0xffffffff;\nmov.u32 %v, 1;\n$end:",
    },
    Probe {
        name: "shfl meets vote",
        body: "@%low bra $low;\nvote.sync.ballot.b32 %v, 1, 0xffffffff;\nbra $end;\n$low:\nshfl.sync.bfly.b32 %v, %lane, 16, 31, 0xffffffff;\n$end:",
    },
    Probe {
        name: "shfl.idx meets shfl.down",
        body: "add.u32 %t, %lane, 100;\n@%low bra $low;\nshfl.sync.idx.b32 %v, %t, 3, 31, 0xffffffff;\nbra $end;\n$low:\n\
               shfl.sync.down.b32 %v, %t, 16, 31, 0xffffffff;\n$end:",
    },
    Probe {
        name: "vote.any meets vote.ballot",
        body: "@%low bra $low;\nvote.sync.ballot.b32 %v, 1, 0xffffffff;\nbra $end;\n$low:\nvote.sync.any.pred %p, 1, 0xffffffff;\n\
               selp.b32 %v, 1, 0, %p;\n$end:",
    },
    // What a driver calls each fault.
    Probe {
        name: "fault null",
        body: "mov.u64 %w, 8;\nld.b32 %v, [%w];",
    },
    Probe {
        name: "fault wild",
        body: "mov.u64 %w, 0x123456789000;\nst.b32 [%w], %v;",
    },
    Probe {
        name: "fault misaligned",
        body: "add.u64 %w, %out, 2;\nld.global.b32 %v, [%w];",
    },
    Probe {
        name: "fault shared",
        body: "mov.u64 %w, 0x1000000;\nst.shared.b32 [%w], %v;",
    },
    Probe {
        name: "fault trap",
        body: "trap;",
    },
    Probe {
        name: "fault breakpoint",
        body: "brkpt;",
    },
    Probe {
        name: "fault assertion",
        body: "{\n.param .b64 a;\n.param .b64 b;\n.param .b32 c;\n.param .b64 d;\n.param .b64 e;\nmov.u64 %w, text;\ncvta.global.u64 %w, %w;\n\
               st.param.b64 [a], %w;\nst.param.b64 [b], %w;\nst.param.b32 [c], 7;\nst.param.b64 [d], %w;\nst.param.b64 [e], 1;\n\
               call.uni __assertfail, (a, b, c, d, e);\n}",
    },
    Probe {
        name: "fault stack overflow",
        body: "{\n.param .b64 a;\nst.param.b64 [a], %out;\ncall.uni deeper, (a);\n}",
    },
    Probe {
        name: "barrier of a part",
        body: "@!%low bra $end;\nbar.sync 0;\nmov.u32 %v, 1;\n$end:",
    },
    Probe {
        name: "barrier at two places",
        body: "@%low bra $low;\nbar.sync 0;\nmov.u32 %v, 2;\nbra $end;\n$low:\nbar.sync 0;\nmov.u32 %v, 1;\n$end:",
    },
    Probe {
        name: "two barriers",
        body: "@%low bra $low;\nbar.sync 1;\nmov.u32 %v, 2;\nbra $end;\n$low:\nbar.sync 2;\nmov.u32 %v, 1;\n$end:",
    },
];
