//! Registers to rows: values that never live at the same time share rows, so that a frame stays small enough for the host's
//! caches.
//!
//! Liveness by basic blocks, then a linear scan over intervals without holes. What is live is a matter of each lane's own way
//! through the code; lanes that are elsewhere have their own places in the rows.

use std::collections::{BTreeMap, BinaryHeap};

use crate::ptx::code::{AccessKind, Function, Inst, Op, WarpOp};
use crate::ptx::exec::lanes::{Pred, Slot};

/// Beyond this many bits of liveness the registers stay as they are.
const MAX_BITS: usize = 1 << 28;

/// Rewrites the rows of a function. `widths` gives, at the first row of each register, how many it has.
pub(super) fn allocate(function: &mut Function, widths: &BTreeMap<u32, u32>) {
    function.pressure = function.rows;
    let Some(intervals) = intervals(&mut function.code) else {
        return;
    };
    let (places, rows) = scan(intervals, widths);
    for inst in &mut function.code {
        visit(inst, |slot, _| {
            if let Some(&place) = places.get(&slot.index()) {
                *slot = Slot::register(place);
            }
        });
    }
    function.rows = rows;
    function.pressure = rows;
}

/// Calls `f` with each register of an instruction, and whether it is written.
fn visit(inst: &mut Inst, mut f: impl FnMut(&mut Slot, bool)) {
    let mut see = |slot: &mut Slot, is_result: bool| {
        if slot.is_register() {
            f(slot, is_result);
        }
    };
    let args = &mut inst.args;
    for slot in [&mut args.a, &mut args.b, &mut args.c] {
        see(slot, false);
    }
    match &mut inst.op {
        Op::Memory(access) => {
            let is_result = access.kind == AccessKind::Load;
            access.values.iter_mut().for_each(|slot| see(slot, is_result));
        }
        Op::Warp(WarpOp::Shuffle(shuffle)) => see(&mut shuffle.clamp, false),
        _ => {}
    }
    see(&mut args.d, true);
}

/// Where the code can go on behind an instruction.
fn successors(at: u32, inst: &Inst, mut f: impl FnMut(u32)) {
    let always = inst.guard == Pred::TRUE;
    let falls_through = match &inst.op {
        Op::Branch(target) => {
            f(*target);
            !always
        }
        Op::BranchIndexed(targets) => {
            targets.iter().copied().for_each(&mut f);
            !always
        }
        Op::Return | Op::Exit | Op::Trap => !always,
        _ => true,
    };
    if falls_through {
        f(at + 1);
    }
}

struct Block {
    start: u32,
    end: u32,
    next: Vec<u32>,
}

fn blocks(code: &[Inst]) -> Vec<Block> {
    let ends_block = |inst: &Inst| {
        matches!(
            inst.op,
            Op::Branch(_) | Op::BranchIndexed(_) | Op::Return | Op::Exit | Op::Trap
        )
    };
    let mut starts: Vec<u32> = Vec::new();
    for (at, inst) in code.iter().enumerate() {
        if at == 0 || inst.is_join || ends_block(&code[at - 1]) {
            starts.push(at as u32);
        }
    }
    let block_of = |pc: u32| starts.partition_point(|&start| start <= pc) as u32 - 1;
    let mut out = Vec::with_capacity(starts.len());
    for (n, &start) in starts.iter().enumerate() {
        let end = starts.get(n + 1).copied().unwrap_or(code.len() as u32);
        let mut next = Vec::new();
        successors(end - 1, &code[end as usize - 1], |pc| {
            if (pc as usize) < code.len() {
                next.push(block_of(pc));
            }
        });
        out.push(Block { start, end, next });
    }
    out
}

/// First and last position of each register, uses at odd positions and results at even ones: a result never shares rows with
/// a source of the same instruction, which may be read after it is written.
fn intervals(code: &mut [Inst]) -> Option<Vec<(u32, u32, u32)>> {
    let blocks = blocks(code);
    // Registers that are read in a block before they are written there: only those can be live between blocks.
    let mut crossing: BTreeMap<u32, usize> = BTreeMap::new();
    let mut written: Vec<Vec<u32>> = Vec::with_capacity(blocks.len());
    let mut exposed: Vec<Vec<u32>> = Vec::with_capacity(blocks.len());
    let mut spans: BTreeMap<u32, (u32, u32)> = BTreeMap::new();
    let mut seen_in: BTreeMap<u32, usize> = BTreeMap::new();
    for (n, block) in blocks.iter().enumerate() {
        let (mut kills, mut reads) = (Vec::new(), Vec::new());
        for at in block.start..block.end {
            let inst = &mut code[at as usize];
            let always = inst.guard == Pred::TRUE;
            visit(inst, |slot, is_result| {
                let register = slot.index();
                let position = 2 * at + u32::from(!is_result);
                let span = spans.entry(register).or_insert((position, position));
                span.0 = span.0.min(position);
                span.1 = span.1.max(position);
                // A result under a guard keeps the old value in some lanes.
                let known = seen_in.get(&register) == Some(&n);
                if !known && (!is_result || !always) {
                    let count = crossing.len();
                    crossing.entry(register).or_insert(count);
                    reads.push(register);
                }
                if !known && is_result && always {
                    kills.push(register);
                }
                seen_in.insert(register, n);
            });
        }
        written.push(kills);
        exposed.push(reads);
    }
    let words = crossing.len().div_ceil(64);
    if words.saturating_mul(64).saturating_mul(blocks.len()) > MAX_BITS {
        return None;
    }
    let set = |registers: &[u32]| {
        let mut bits = vec![0u64; words];
        for register in registers {
            if let Some(&n) = crossing.get(register) {
                bits[n / 64] |= 1 << (n % 64);
            }
        }
        bits
    };
    let kills: Vec<Vec<u64>> = written.iter().map(|w| set(w)).collect();
    let mut live_in: Vec<Vec<u64>> = exposed.iter().map(|e| set(e)).collect();
    let mut live_out = vec![vec![0u64; words]; blocks.len()];
    let mut changed = true;
    while changed {
        changed = false;
        for (n, block) in blocks.iter().enumerate().rev() {
            for &next in &block.next {
                for w in 0..words {
                    let more = live_in[next as usize][w] & !live_out[n][w];
                    if more != 0 {
                        live_out[n][w] |= more;
                        live_in[n][w] |= more & !kills[n][w];
                        changed = true;
                    }
                }
            }
        }
    }
    let names: Vec<u32> = {
        let mut names = vec![0; crossing.len()];
        for (&register, &n) in &crossing {
            names[n] = register;
        }
        names
    };
    for (n, block) in blocks.iter().enumerate() {
        let mut extend = |bits: &[u64], position: u32| {
            for (w, &word) in bits.iter().enumerate() {
                let mut rest = word;
                while rest != 0 {
                    let register = names[w * 64 + rest.trailing_zeros() as usize];
                    rest &= rest - 1;
                    if let Some(span) = spans.get_mut(&register) {
                        span.0 = span.0.min(position);
                        span.1 = span.1.max(position);
                    }
                }
            }
        };
        extend(&live_in[n], 2 * block.start);
        extend(&live_out[n], 2 * block.end);
    }
    let mut out: Vec<_> = spans
        .into_iter()
        .map(|(register, (first, last))| (first, last, register))
        .collect();
    out.sort_unstable();
    Some(out)
}

/// Gives each interval rows that are free. Returns the new place of each register, and how many rows there are.
fn scan(intervals: Vec<(u32, u32, u32)>, widths: &BTreeMap<u32, u32>) -> (BTreeMap<u32, u32>, u32) {
    let mut places = BTreeMap::new();
    // By width; rows of one width are not cut up for another.
    let mut free: BTreeMap<u32, Vec<u32>> = BTreeMap::new();
    let mut active: BinaryHeap<std::cmp::Reverse<(u32, u32, u32)>> = BinaryHeap::new();
    let mut rows = 0;
    for (first, last, register) in intervals {
        while let Some(&std::cmp::Reverse((end, place, width))) = active.peek()
            && end < first
        {
            active.pop();
            free.entry(width).or_default().push(place);
        }
        // A register without a width of its own is the middle of nothing: lowering names first rows only.
        let width = widths.get(&register).copied().unwrap_or(4);
        let place = free.get_mut(&width).and_then(Vec::pop).unwrap_or_else(|| {
            let place = rows;
            rows += width;
            place
        });
        places.insert(register, place);
        active.push(std::cmp::Reverse((last, place, width)));
    }
    (places, rows)
}

#[cfg(test)]
mod tests {
    use crate::ptx::Module;

    fn rows_of_kernel(body: &str) -> u32 {
        let text = format!(
            ".version 7.8\n.target sm_90\n.address_size 64\n.visible .entry k()\n{{\n.reg .pred %p<9>;\n.reg .b32 %r<99>;\n.reg .b64 %rd<99>;\n{body}\nret;\n}}\n"
        );
        Module::parse(text.as_bytes()).unwrap().image.functions[0].rows
    }

    #[test]
    fn values_that_do_not_meet_share_rows() {
        let chain: String = (1..90).map(|n| format!("add.u32 %r{}, %r{n}, 1;\n", n + 1)).collect();
        assert_eq!(rows_of_kernel(&format!("mov.u32 %r1, 0;\n{chain}")), 2);
    }

    #[test]
    fn what_a_loop_carries_keeps_its_row() {
        // %r1 and %r2 live through the loop, %r3 and %r4 only inside.
        let body = "mov.u32 %r1, 0;\nmov.u32 %r2, 5;\n$l:\nadd.u32 %r3, %r1, 1;\nadd.u32 %r4, %r3, %r2;\nmov.u32 %r1, %r4;\n\
                    setp.lt.u32 %p1, %r1, 100;\n@%p1 bra $l;\nadd.u32 %r5, %r1, %r2;";
        assert_eq!(rows_of_kernel(body), 4);
    }

    #[test]
    fn a_guarded_result_keeps_the_old_value() {
        let body =
            "mov.u32 %r1, 1;\nmov.u32 %r2, 2;\nsetp.eq.u32 %p1, %r2, 2;\n@%p1 mov.u32 %r1, 3;\nadd.u32 %r3, %r1, %r2;";
        assert_eq!(rows_of_kernel(body), 3);
    }
}
