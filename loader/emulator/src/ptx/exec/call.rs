//! Calls, returns, exits, and the functions that CUDA's device runtime provides.

use super::block::Common;
use super::lanes::{Args, LANES, lanes};
use super::printf;
use super::program::Context;
use super::warp::{End, Group, Warp};
use crate::fault::{Fault, FaultKind};
use crate::memory::{AccessError, FreeError, Kind};
use crate::ptx::code::{Call, Op, Piece, System, Target};

/// Longer strings of `printf` and `assert` are cut.
const MAX_STRING: usize = 1 << 20;
/// Deeper calls are a stack overflow even of functions without a frame.
const MAX_DEPTH: u32 = 1 << 16;

impl Warp {
    /// The lanes of `group` call. `None`: the group goes on, in the callee or behind the call.
    pub(super) fn call(
        &mut self,
        cx: &Context<'_>,
        group: &mut Group,
        call: &Call,
        args: &Args,
    ) -> Result<Option<End>, Box<Fault>> {
        match &call.target {
            Target::Function(function) => {
                self.enter(cx, group, call, *function)?;
                Ok(None)
            }
            Target::Indirect => {
                let frame = &mut self.frames[group.frame as usize];
                let l = frame.lanes(&cx.functions[frame.function as usize]);
                let mut parts: Vec<(u64, u32)> = Vec::new();
                for lane in lanes(group.mask) {
                    let address = l.get::<u64>(args.a, lane);
                    match parts.iter_mut().find(|part| part.0 == address) {
                        Some(part) => part.1 |= 1 << lane,
                        None => parts.push((address, 1 << lane)),
                    }
                }
                for (address, mask) in parts {
                    let mut part = group.part(mask);
                    let Some(function) = cx.function_at(address) else {
                        let detail = format!("call to {address:#x}, which is no function");
                        return Err(self.fault(cx, &part, None, FaultKind::IllegalInstruction, detail));
                    };
                    let callee = &cx.functions[function as usize];
                    if callee.is_kernel {
                        let detail = format!("call to {}, which is a kernel", callee.name);
                        return Err(self.fault(cx, &part, None, FaultKind::IllegalInstruction, detail));
                    }
                    self.enter(cx, &mut part, call, function)?;
                    self.groups.push(part);
                }
                Ok(Some(End::Gone))
            }
            Target::System(system) => {
                self.system(cx, group, call, *system)?;
                group.pc += 1;
                Ok(None)
            }
            Target::Unresolved(name) => {
                let detail = format!("call to {name}, which nothing defines");
                Err(self.fault(cx, group, None, FaultKind::IllegalInstruction, detail))
            }
        }
    }

    /// Moves the group into `function`.
    fn enter(&mut self, cx: &Context<'_>, group: &mut Group, call: &Call, function: u32) -> Result<(), Box<Fault>> {
        let callee = &cx.functions[function as usize];
        let stack_size = self.windows.stack_size;
        let caller = &self.frames[group.frame as usize];
        let (tops, used, callers_bases) = (caller.tops, caller.used, caller.bases);
        let need = callee.local_size + cx.call_cost;
        let over_limit = |lane: usize| used[lane] > cx.stack_limit.saturating_sub(need);
        let over_size =
            |lane: usize| u64::from(tops[lane].next_multiple_of(16)) + u64::from(callee.frame_size) > stack_size;
        if let Some(lane) = lanes(group.mask).find(|&lane| over_limit(lane) || over_size(lane)) {
            let (need, used, of) = if over_limit(lane) {
                (need, used[lane], "")
            } else {
                (callee.frame_size, used[lane], " with its parameters")
            };
            let detail = format!(
                "{} needs {need} more bytes{of}, the thread uses {used} of its {}: a larger stack limit helps, unless the recursion \
                 has no end",
                callee.name, cx.stack_limit
            );
            return Err(self.fault(cx, group, Some(lane), FaultKind::StackOverflow, detail));
        }
        if group.depth >= MAX_DEPTH {
            let detail = format!("{MAX_DEPTH} calls deep");
            return Err(self.fault(cx, group, None, FaultKind::StackOverflow, detail));
        }
        // Lanes that are in the callee already, from the same frame, have room for these beside them.
        let shared = self.frames.iter().position(|f| {
            f.lanes != 0 && f.parent == Some(group.frame) && f.function == function && f.lanes & group.mask == 0
        });
        let index = match shared {
            Some(index) => index as u32,
            None => self.new_frame(cx, function, Some(group.frame)),
        };
        let frame = &mut self.frames[index as usize];
        frame.lanes |= group.mask;
        for lane in lanes(group.mask) {
            let base = tops[lane].next_multiple_of(16);
            frame.bases[lane] = base;
            frame.tops[lane] = base + callee.frame_size;
            frame.used[lane] = used[lane] + need;
            frame.returns[lane] = group.pc + 1;
        }
        let bases = frame.bases;
        self.copy(group.mask, &call.arguments, &callers_bases, &callee.params, &bases);
        group.frame = index;
        group.pc = 0;
        group.depth += 1;
        Ok(())
    }

    /// Copies arguments or results from one frame to another, lane by lane.
    fn copy(&self, mask: u32, from: &[Piece], from_bases: &[u32; LANES], to: &[Piece], to_bases: &[u32; LANES]) {
        for (source, target) in from.iter().zip(to) {
            let size = source.size.min(target.size) as usize;
            for lane in lanes(mask) {
                let stack = self.windows.stack(lane);
                let source = stack + u64::from(from_bases[lane] + source.offset);
                let target = stack + u64::from(to_bases[lane] + target.offset);
                // SAFETY: both lie in frames of this lane's stack: lowering keeps pieces inside their frame, `enter` keeps
                // frames inside the stack. A stack is only ever touched by the thread that runs its warp.
                unsafe { std::ptr::copy(source as *const u8, target as *mut u8, size) };
            }
        }
    }

    /// The lanes of `group` return; in the kernel that is an exit.
    pub(super) fn leave_function(
        &mut self,
        cx: &Context<'_>,
        block: &mut Common,
        group: &Group,
    ) -> Result<(), Box<Fault>> {
        let frame = &self.frames[group.frame as usize];
        let Some(parent) = frame.parent else {
            return self.exit(cx, block, group);
        };
        let (returns, bases, callee) = (frame.returns, frame.bases, &cx.functions[frame.function as usize]);
        let caller = &self.frames[parent as usize];
        let callers_bases = caller.bases;
        let code = &cx.functions[caller.function as usize].code;
        let mut left = group.mask;
        while left != 0 {
            let pc = returns[left.trailing_zeros() as usize];
            let mask = lanes(left)
                .filter(|&lane| returns[lane] == pc)
                .fold(0, |mask, lane| mask | 1 << lane);
            left &= !mask;
            if let Op::Call(call) = &code[pc as usize - 1].op {
                self.copy(mask, &callee.results, &bases, &call.results, &callers_bases);
            }
            self.resume(Group {
                pc: pc - 1,
                frame: parent,
                mask,
                depth: group.depth - 1,
                ..*group
            });
        }
        self.leave(group.frame, group.mask);
        Ok(())
    }

    /// The lanes of `group` are done.
    pub(super) fn exit(&mut self, cx: &Context<'_>, block: &mut Common, group: &Group) -> Result<(), Box<Fault>> {
        let mut frame = Some(group.frame);
        while let Some(index) = frame {
            frame = self.frames[index as usize].parent;
            self.leave(index, group.mask);
        }
        self.live &= !group.mask;
        block.lanes_exited(self.id, self.live);
        self.lanes_exited(cx)
    }

    fn system(&mut self, cx: &Context<'_>, group: &Group, call: &Call, system: System) -> Result<(), Box<Fault>> {
        for lane in lanes(group.mask) {
            let wrong =
                |(kind, detail): Unreadable| self.fault(cx, group, Some(lane), kind, format!("vprintf: {detail}"));
            let frame = &self.frames[group.frame as usize];
            let base = self.windows.stack(lane) + u64::from(frame.bases[lane]);
            let argument = |n: usize| {
                call.arguments.get(n).map_or(0, |piece| {
                    let size = piece.size.min(8) as usize;
                    let mut bytes = [0; 8];
                    let at = (base + u64::from(piece.offset)) as *const u8;
                    // SAFETY: lowering keeps pieces inside the frame; see `copy`.
                    unsafe { std::ptr::copy(at, bytes.as_mut_ptr(), size) };
                    u64::from_le_bytes(bytes)
                })
            };
            let result = match system {
                System::Vprintf => {
                    let reader = Reader { cx, warp: self };
                    let format = reader.string(argument(0)).map_err(wrong)?;
                    let (text, converted) = printf::format(&format, argument(1), &reader).map_err(wrong)?;
                    cx.launch.print(&text);
                    converted
                }
                System::Malloc => cx.memory.alloc(Kind::Heap, argument(0), 16, "").unwrap_or(0),
                System::Free => {
                    let pointer = argument(0);
                    if pointer != 0
                        && let Err(error) = cx.memory.free(pointer, &[Kind::Heap])
                    {
                        let kind = match error {
                            FreeError::Twice(_) => FaultKind::UseAfterFree,
                            FreeError::Unknown(_) => FaultKind::OutOfBounds,
                            FreeError::WrongKind(_) => FaultKind::Forbidden,
                        };
                        let detail = format!("free: {error}");
                        return Err(self.fault(cx, group, Some(lane), kind, detail));
                    }
                    0
                }
                System::AssertFail => {
                    let reader = Reader { cx, warp: self };
                    let text =
                        |n| String::from_utf8_lossy(&reader.string(argument(n)).unwrap_or_default()).into_owned();
                    let (message, file, function) = (text(0), text(1), text(3));
                    let detail = format!("{file}:{}: {function}: {message}", argument(2) as u32);
                    return Err(self.fault(cx, group, Some(lane), FaultKind::Assert, detail));
                }
            };
            if let Some(piece) = call.results.first() {
                let at = (base + u64::from(piece.offset)) as *mut u8;
                let bytes = result.to_le_bytes();
                // SAFETY: as for the arguments.
                unsafe { std::ptr::copy(bytes.as_ptr(), at, piece.size.min(8) as usize) };
            }
        }
        Ok(())
    }
}

/// Why memory cannot be read, and what sort of fault that is.
pub(super) type Unreadable = (FaultKind, String);

/// Reads memory for a lane, wherever it lies.
pub(super) struct Reader<'a> {
    cx: &'a Context<'a>,
    warp: &'a Warp,
}

impl Reader<'_> {
    /// `N` bytes at `at`.
    pub fn bytes<const N: usize>(&self, at: u64) -> Result<[u8; N], Unreadable> {
        let windows = &self.warp.windows;
        let mut out = [0; N];
        if windows.in_any_stack(at) && windows.in_any_stack(at.wrapping_add(N as u64 - 1))
            || windows.in_shared(at, N as u64)
        {
            // SAFETY: the range lies in a window of this warp, which stays allocated while it runs.
            unsafe { crate::memory::copy(at as *const u8, out.as_mut_ptr(), N) };
            return Ok(out);
        }
        let unreadable = |error: Box<AccessError>| (FaultKind::from(&*error), error.to_string());
        self.cx.memory.read(at, &mut out).map_err(unreadable)?;
        Ok(out)
    }

    /// The bytes before the next NUL.
    pub fn string(&self, mut at: u64) -> Result<Vec<u8>, Unreadable> {
        let mut text = Vec::new();
        while text.len() < MAX_STRING {
            match self.bytes::<1>(at)?[0] {
                0 => break,
                c => text.push(c),
            }
            at = at.wrapping_add(1);
        }
        Ok(text)
    }
}
