//! Memory instructions: addresses of all lanes are resolved and checked together, then moved by a function made for the type.

use std::arch::asm;
use std::arch::x86_64::__m128i;
use std::sync::atomic::{AtomicU8, AtomicU16, AtomicU32, AtomicU64, Ordering, fence};

use super::lanes::{Args, FULL, LANES, Lanes, Slot, Value, lanes};
use crate::fault::FaultKind;
use crate::memory::{Access as Touch, AccessError, Memory, SpanCache};
use crate::ptx::code::{Access, AccessKind, Address, Order};

/// Where each lane of a warp touches memory; meaningful for active lanes.
pub(crate) type Pointers = [u64; LANES];

/// Moves values between registers and memory for the lanes of a mask. True when memory has changed.
///
/// # Safety
/// Each active lane's pointer must be valid for [`Access::size`] bytes and a multiple of [`Access::align`].
pub(crate) type Transfer = unsafe fn(&Lanes<'_>, &Pointers, &Access, &Args, u32) -> bool;

/// What a lane did wrong.
pub(crate) struct Wrong {
    pub lane: usize,
    pub kind: FaultKind,
    pub detail: String,
}

/// Memory that belongs to one warp: where its stacks and its block's shared memory lie.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Windows {
    /// Stack of lane 0.
    pub stacks: u64,
    /// From one lane's stack to the next.
    pub stack_stride: u64,
    /// Bytes of stack per lane.
    pub stack_size: u64,
    /// Shared memory of the block.
    pub shared: u64,
    pub shared_size: u64,
    /// Parameters of the kernel.
    pub params: u64,
}

impl Windows {
    pub fn stack(&self, lane: usize) -> u64 {
        self.stacks + lane as u64 * self.stack_stride
    }

    fn in_stack(&self, lane: usize, addr: u64, size: u64) -> bool {
        let inside = addr.wrapping_sub(self.stack(lane));
        inside < self.stack_size && self.stack_size - inside >= size
    }

    pub fn in_any_stack(&self, addr: u64) -> bool {
        addr.wrapping_sub(self.stacks) < self.stack_stride * LANES as u64
    }

    /// Those lanes of `mask` that point into the block's shared memory.
    pub fn shared_lanes(&self, pointers: &Pointers, mask: u32) -> u32 {
        lanes(mask)
            .filter(|&lane| self.in_shared(pointers[lane], 1))
            .fold(0, |found, lane| found | 1 << lane)
    }

    pub fn in_shared(&self, addr: u64, size: u64) -> bool {
        let inside = addr.wrapping_sub(self.shared);
        inside < self.shared_size && self.shared_size - inside >= size
    }
}

/// Which window an instruction hit last.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Hint {
    #[default]
    Table,
    Stack,
    Shared,
}

const HINTS: usize = 64;

/// What a warp remembers about its accesses.
#[derive(Clone, Debug)]
pub(crate) struct Hits {
    spans: SpanCache,
    hints: [Hint; HINTS],
    pub pointers: Pointers,
}

impl Default for Hits {
    fn default() -> Hits {
        Hits {
            spans: SpanCache::default(),
            hints: [Hint::default(); HINTS],
            pointers: [0; LANES],
        }
    }
}

impl Hits {
    /// Fills in the pointers of the lanes of `mask`, checked for bounds and alignment. `bases` are the offsets of the
    /// lanes' frames in their stacks; `at` is the instruction's index. True when only the lanes' own stacks are touched.
    #[allow(
        clippy::too_many_arguments,
        reason = "each is another part of the warp, borrowed apart"
    )]
    pub fn resolve(
        &mut self,
        memory: &Memory,
        windows: &Windows,
        l: &Lanes<'_>,
        access: &Access,
        args: &Args,
        bases: &[u32; LANES],
        mask: u32,
        at: usize,
    ) -> Result<bool, Box<Wrong>> {
        let offset = access.offset as u64;
        let size = u64::from(access.size);
        let pointers = &mut self.pointers;
        match access.address {
            Address::Frame => {
                for lane in lanes(mask) {
                    pointers[lane] = windows.stack(lane) + u64::from(bases[lane]) + offset;
                }
                return Ok(true);
            }
            Address::Param => {
                *pointers = [windows.params + offset; LANES];
                return Ok(true);
            }
            Address::Generic | Address::Local | Address::Shared => {
                if mask == FULL {
                    let row = l.row::<u64>(args.a);
                    for (pointer, base) in pointers.iter_mut().zip(row) {
                        *pointer = base.wrapping_add(offset);
                    }
                } else {
                    for lane in lanes(mask) {
                        pointers[lane] = l.get::<u64>(args.a, lane).wrapping_add(offset);
                    }
                }
            }
            Address::Generic32 | Address::Shared32 => {
                for lane in lanes(mask) {
                    pointers[lane] = u64::from(l.get::<u32>(args.a, lane).wrapping_add(offset as u32));
                }
            }
        }
        let (mut low, mut high, mut bits) = (u64::MAX, 0, 0);
        if mask == FULL {
            for &pointer in pointers.iter() {
                low = low.min(pointer);
                high = high.max(pointer);
                bits |= pointer;
            }
        } else {
            for lane in lanes(mask) {
                let pointer = pointers[lane];
                low = low.min(pointer);
                high = high.max(pointer);
                bits |= pointer;
            }
        }
        if bits & u64::from(access.align - 1) != 0 {
            return Err(self.misaligned(access, mask));
        }
        if matches!(access.address, Address::Shared | Address::Shared32) {
            if high < windows.shared_size && windows.shared_size - high >= size {
                for pointer in pointers.iter_mut() {
                    *pointer = pointer.wrapping_add(windows.shared);
                }
                return Ok(false);
            }
            return Err(self.outside_shared(windows, access, mask));
        }
        let hint = if access.address == Address::Local {
            Hint::Stack
        } else {
            self.hints[at % HINTS]
        };
        match hint {
            Hint::Table => {
                let len = (high - low).wrapping_add(size);
                if len >= size && memory.check(&mut self.spans, at, low, len, touch(access)).is_ok() {
                    return Ok(false);
                }
            }
            Hint::Stack => {
                if lanes(mask).all(|lane| windows.in_stack(lane, pointers[lane], size)) {
                    return Ok(true);
                }
            }
            Hint::Shared => {
                if windows.in_shared(low, size) && windows.in_shared(high, size) {
                    return Ok(false);
                }
            }
        }
        self.resolve_each(memory, windows, access, mask, at)
    }

    /// Lanes may touch different things, or something is wrong.
    #[cold]
    fn resolve_each(
        &mut self,
        memory: &Memory,
        windows: &Windows,
        access: &Access,
        mask: u32,
        at: usize,
    ) -> Result<bool, Box<Wrong>> {
        let size = u64::from(access.size);
        let mut only_stack = true;
        for lane in lanes(mask) {
            let addr = self.pointers[lane];
            let hint = if windows.in_stack(lane, addr, size) {
                Hint::Stack
            } else if windows.in_shared(addr, size) {
                Hint::Shared
            } else {
                memory
                    .check(&mut self.spans, at, addr, size, touch(access))
                    .map_err(|error| explain(windows, access, lane, &error))?;
                Hint::Table
            };
            only_stack &= hint == Hint::Stack;
            self.hints[at % HINTS] = hint;
        }
        Ok(only_stack)
    }

    #[cold]
    fn misaligned(&self, access: &Access, mask: u32) -> Box<Wrong> {
        let align = u64::from(access.align);
        let lane = lanes(mask)
            .find(|&lane| !self.pointers[lane].is_multiple_of(align))
            .unwrap_or(0);
        Box::new(Wrong {
            lane,
            kind: FaultKind::Misaligned,
            detail: format!(
                "{} of {} bytes at {:#x}, which is no multiple of {align}",
                touch(access).words(),
                access.size,
                self.pointers[lane]
            ),
        })
    }

    #[cold]
    fn outside_shared(&self, windows: &Windows, access: &Access, mask: u32) -> Box<Wrong> {
        let size = u64::from(access.size);
        let lane = lanes(mask)
            .find(|&lane| {
                let at = self.pointers[lane];
                at >= windows.shared_size || windows.shared_size - at < size
            })
            .unwrap_or(0);
        Box::new(Wrong {
            lane,
            kind: FaultKind::OutsideShared,
            detail: format!(
                "{} of {size} bytes at offset {:#x} of the block's shared memory, which has {} bytes",
                touch(access).words(),
                self.pointers[lane],
                windows.shared_size
            ),
        })
    }
}

fn touch(access: &Access) -> Touch {
    match access.kind {
        AccessKind::Load => Touch::Read,
        AccessKind::Store => Touch::Write,
        AccessKind::Atomic => Touch::Atomic,
    }
}

#[cold]
fn explain(windows: &Windows, access: &Access, lane: usize, error: &AccessError) -> Box<Wrong> {
    let what = format!("{} of {} bytes", touch(access).words(), access.size);
    let addr = match *error {
        AccessError::Null { addr }
        | AccessError::PastEnd { addr, .. }
        | AccessError::Unmapped { addr, .. }
        | AccessError::Freed { addr, .. }
        | AccessError::Forbidden { addr, .. } => addr,
    };
    let own = windows.stack(lane);
    let (kind, detail) = if addr.wrapping_sub(own) < windows.stack_stride {
        (
            FaultKind::OutOfBounds,
            format!(
                "{what} at {addr:#x}, {} bytes into the thread's own stack of {} bytes",
                addr - own,
                windows.stack_size
            ),
        )
    } else if windows.in_any_stack(addr) {
        let owner = (addr - windows.stacks) / windows.stack_stride;
        (
            FaultKind::ForeignStack,
            format!("{what} at {addr:#x}, in the stack of lane {owner} of the same warp"),
        )
    } else if addr.wrapping_sub(windows.shared) < windows.shared_size {
        (
            FaultKind::OutOfBounds,
            format!(
                "{what} at {addr:#x}, {} bytes into the block's shared memory of {} bytes",
                addr - windows.shared,
                windows.shared_size
            ),
        )
    } else {
        (FaultKind::from(error), format!("{what}: {error}"))
    };
    Box::new(Wrong { lane, kind, detail })
}

/// Orders earlier accesses before what follows, as the order of an access asks.
pub(crate) fn fence_before(order: Order) {
    match order {
        Order::Weak | Order::Relaxed | Order::Acquire => {}
        Order::Release | Order::AcqRel => fence(Ordering::Release),
        Order::SeqCst => fence(Ordering::SeqCst),
    }
}

/// Orders what follows after the access.
pub(crate) fn fence_after(order: Order) {
    match order {
        Order::Weak | Order::Relaxed | Order::Release => {}
        Order::Acquire | Order::AcqRel | Order::SeqCst => fence(Ordering::Acquire),
    }
}

/// An element in memory. Reads and writes are single and atomic: other lanes, other host threads and the host program may
/// touch the same bytes.
pub(crate) trait Cell: Copy + Eq {
    /// # Safety
    /// `at` must be valid for reads of, and aligned to, the size of the element.
    unsafe fn read(at: u64) -> Self;
    /// # Safety
    /// `at` must be valid for writes of, and aligned to, the size of the element.
    unsafe fn write(self, at: u64);
}

macro_rules! cells {
    ($($cell:ty, $atomic:ty;)*) => {$(
        impl Cell for $cell {
            #[inline(always)]
            unsafe fn read(at: u64) -> $cell {
                // SAFETY: the caller vouches for address and alignment.
                unsafe { <$atomic>::from_ptr(at as *mut _) }.load(Ordering::Relaxed) as $cell
            }
            #[inline(always)]
            unsafe fn write(self, at: u64) {
                // SAFETY: the caller vouches for address and alignment.
                unsafe { <$atomic>::from_ptr(at as *mut _) }.store(self as _, Ordering::Relaxed);
            }
        }
    )*};
}

cells! {
    u8, AtomicU8; i8, AtomicU8; u16, AtomicU16; i16, AtomicU16; u32, AtomicU32; i32, AtomicU32; u64, AtomicU64;
}

impl Cell for u128 {
    #[inline(always)]
    unsafe fn read(at: u64) -> u128 {
        let value: __m128i;
        // SAFETY: the caller vouches for 16 aligned bytes. Processors with AVX do such a load in one piece.
        unsafe {
            asm!("movdqa {value}, [{at}]", value = out(xmm_reg) value, at = in(reg) at, options(nostack, readonly, preserves_flags));
            std::mem::transmute(value)
        }
    }

    #[inline(always)]
    unsafe fn write(self, at: u64) {
        // SAFETY: as in `read`.
        unsafe {
            let value: __m128i = std::mem::transmute(self);
            asm!("movdqa [{at}], {value}", value = in(xmm_reg) value, at = in(reg) at, options(nostack, preserves_flags));
        }
    }
}

/// How a loaded element fills a register.
pub(crate) trait Widen<D>: Cell {
    fn widen(self) -> D;
}

/// How a register is cut to a stored element.
pub(crate) trait Narrow<C: Cell>: Value {
    fn narrow(self) -> C;
}

macro_rules! conversions {
    ($register:ty: $($cell:ty)*; stores $($stored:ty)*) => {
        $(impl Widen<$register> for $cell {
            #[inline(always)]
            fn widen(self) -> $register { self as $register }
        })*
        $(impl Narrow<$stored> for $register {
            #[inline(always)]
            fn narrow(self) -> $stored { self as $stored }
        })*
    };
}

conversions!(u32: u8 i8 u16 i16 u32 i32; stores u8 u16 u32);
conversions!(u64: u8 i8 u16 i16 u32 i32 u64; stores u8 u16 u32 u64);
conversions!(u128: u128; stores u128);

fn load_as<C: Widen<D>, D: Value>() -> Transfer {
    unsafe fn run<C: Widen<D>, D: Value>(
        l: &Lanes<'_>,
        pointers: &Pointers,
        access: &Access,
        _: &Args,
        mask: u32,
    ) -> bool {
        // Whole vectors lane by lane: a later element's register may not overwrite what an earlier lane still needs, since
        // addresses are resolved already.
        for (element, &slot) in access.values.iter().enumerate() {
            if slot.is_none() {
                continue;
            }
            let step = (element * size_of::<C>()) as u64;
            if mask == FULL {
                for (lane, pointer) in pointers.iter().enumerate() {
                    // SAFETY: the caller has checked the whole access.
                    l.set(slot, lane, unsafe { C::read(pointer + step) }.widen());
                }
            } else {
                for lane in lanes(mask) {
                    // SAFETY: as above.
                    l.set(slot, lane, unsafe { C::read(pointers[lane] + step) }.widen());
                }
            }
        }
        false
    }
    run::<C, D>
}

/// Loads elements of `size` bytes into registers of `register` bytes.
pub(crate) fn load(size: u32, signed: bool, register: u32) -> Option<Transfer> {
    Some(match (register, size, signed) {
        (4, 1, false) => load_as::<u8, u32>(),
        (4, 1, true) => load_as::<i8, u32>(),
        (4, 2, false) => load_as::<u16, u32>(),
        (4, 2, true) => load_as::<i16, u32>(),
        (4, 4, _) => load_as::<u32, u32>(),
        (8, 1, false) => load_as::<u8, u64>(),
        (8, 1, true) => load_as::<i8, u64>(),
        (8, 2, false) => load_as::<u16, u64>(),
        (8, 2, true) => load_as::<i16, u64>(),
        (8, 4, false) => load_as::<u32, u64>(),
        (8, 4, true) => load_as::<i32, u64>(),
        (8, 8, _) => load_as::<u64, u64>(),
        (16, 16, _) => load_as::<u128, u128>(),
        _ => return None,
    })
}

fn store_as<C: Cell, D: Narrow<C>>() -> Transfer {
    unsafe fn run<C: Cell, D: Narrow<C>>(
        l: &Lanes<'_>,
        pointers: &Pointers,
        access: &Access,
        _: &Args,
        mask: u32,
    ) -> bool {
        for (element, &slot) in access.values.iter().enumerate() {
            let step = (element * size_of::<C>()) as u64;
            for lane in lanes(mask) {
                // SAFETY: the caller has checked the whole access.
                unsafe { l.get::<D>(slot, lane).narrow().write(pointers[lane] + step) };
            }
        }
        true
    }
    run::<C, D>
}

/// Stores elements of `size` bytes from registers of `register` bytes.
pub(crate) fn store(size: u32, register: u32) -> Option<Transfer> {
    Some(match (register, size) {
        (4, 1) => store_as::<u8, u32>(),
        (4, 2) => store_as::<u16, u32>(),
        (4, 4) => store_as::<u32, u32>(),
        (8, 1) => store_as::<u8, u64>(),
        (8, 2) => store_as::<u16, u64>(),
        (8, 4) => store_as::<u32, u64>(),
        (8, 8) => store_as::<u64, u64>(),
        (16, 16) => store_as::<u128, u128>(),
        _ => return None,
    })
}

/// Moves nothing.
pub(crate) fn nothing() -> Transfer {
    unsafe fn run(_: &Lanes<'_>, _: &Pointers, _: &Access, _: &Args, _: u32) -> bool {
        false
    }
    run
}

/// An element that can be exchanged if it has not changed.
pub(crate) trait AtomicCell: Cell + Value {
    /// # Safety
    /// `at` must be valid for, and aligned to, the size of the element.
    unsafe fn compare_exchange(at: u64, old: Self, new: Self) -> Result<Self, Self>;
}

macro_rules! atomic_cells {
    ($($cell:ty, $atomic:ty;)*) => {$(
        impl AtomicCell for $cell {
            #[inline(always)]
            unsafe fn compare_exchange(at: u64, old: $cell, new: $cell) -> Result<$cell, $cell> {
                // SAFETY: the caller vouches for address and alignment.
                let cell = unsafe { <$atomic>::from_ptr(at as *mut _) };
                cell.compare_exchange(old, new, Ordering::SeqCst, Ordering::SeqCst)
            }
        }
    )*};
}

atomic_cells! { u16, AtomicU16; u32, AtomicU32; u64, AtomicU64; }

impl AtomicCell for u128 {
    unsafe fn compare_exchange(at: u64, old: u128, new: u128) -> Result<u128, u128> {
        let (mut low, mut high) = (old as u64, (old >> 64) as u64);
        let swapped: u8;
        // SAFETY: the caller vouches for 16 aligned bytes; rbx is saved by hand because the compiler reserves it. Every
        // 64-bit processor of the last fifteen years has the instruction.
        unsafe {
            asm!(
                "xchg {new_low}, rbx",
                "lock cmpxchg16b [{at}]",
                "sete {swapped}",
                "mov rbx, {new_low}",
                at = in(reg) at,
                new_low = inout(reg) new as u64 => _,
                swapped = out(reg_byte) swapped,
                in("rcx") (new >> 64) as u64,
                inout("rax") low,
                inout("rdx") high,
                options(nostack),
            );
        }
        let seen = u128::from(low) | u128::from(high) << 64;
        if swapped != 0 { Ok(seen) } else { Err(seen) }
    }
}

/// `d = old; memory = f(old, b, c)`, in one piece for each lane.
pub(crate) fn atomic<C: AtomicCell, F: Fn(C, C, C) -> C + Copy>(_: F) -> Transfer {
    unsafe fn run<C: AtomicCell, F: Fn(C, C, C) -> C + Copy>(
        l: &Lanes<'_>,
        pointers: &Pointers,
        _: &Access,
        args: &Args,
        mask: u32,
    ) -> bool {
        let f = super::lanes::conjure::<F>();
        let operand = |slot: Slot, lane| {
            if slot.is_none() {
                None
            } else {
                Some(l.get::<C>(slot, lane))
            }
        };
        let mut changed = false;
        for lane in lanes(mask) {
            let at = pointers[lane];
            let b = l.get::<C>(args.b, lane);
            let c = operand(args.c, lane).unwrap_or(b);
            // SAFETY: the caller has checked the access.
            let mut old = unsafe { C::read(at) };
            loop {
                let new = f(old, b, c);
                // SAFETY: as above.
                match unsafe { C::compare_exchange(at, old, new) } {
                    Ok(_) => {
                        changed |= new != old;
                        break;
                    }
                    Err(seen) => old = seen,
                }
            }
            l.set(args.d, lane, old);
        }
        changed
    }
    run::<C, F>
}
