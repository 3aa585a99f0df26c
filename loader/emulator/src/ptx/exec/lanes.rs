//! The register file of a warp, and arithmetic over it: one scalar function, applied to every active lane.
//!
//! Registers are rows of 32 values, lane beside lane, so that a full warp's addition is a loop over two arrays that the
//! compiler turns into vector instructions. Values of up to 32 bits take one [`Row`], 64-bit ones two, 128-bit ones four.
//! Predicates are one bit per lane. Constants are rows too, so that an operand is always a row.

use std::marker::PhantomData;

/// All lanes of a warp.
pub(crate) const FULL: u32 = u32::MAX;
/// Lanes of a warp.
pub(crate) const LANES: usize = 32;

/// 32 lanes of 32 bits.
#[derive(Clone, Copy, Debug, PartialEq)]
#[repr(C, align(64))]
pub(crate) struct Row(pub [u32; LANES]);

impl Row {
    pub const ZERO: Row = Row([0; LANES]);
}

/// Names a row: a register of the current frame, or a constant of the current function.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Slot(pub u32);

impl Slot {
    const CONSTANT: u32 = 1 << 31;
    /// No operand; a result that nobody wants.
    pub const NONE: Slot = Slot(u32::MAX);

    pub fn register(index: u32) -> Slot {
        Slot(index)
    }

    pub fn constant(index: u32) -> Slot {
        Slot(index | Slot::CONSTANT)
    }

    pub fn is_constant(self) -> bool {
        self.0 & Slot::CONSTANT != 0
    }

    pub fn is_register(self) -> bool {
        !self.is_constant()
    }

    pub fn is_none(self) -> bool {
        self == Slot::NONE
    }

    pub fn index(self) -> u32 {
        self.0 & !Slot::CONSTANT
    }
}

/// Names a predicate, or its complement.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Pred(u32);

impl Pred {
    /// Always true; as a destination of nothing.
    pub const TRUE: Pred = Pred(0);
    /// Always false.
    pub const FALSE: Pred = Pred(1);
    /// Takes results that nobody wants.
    pub const SINK: Pred = Pred(2);
    /// The carry flag of the extended-precision instructions.
    pub const CARRY: Pred = Pred(4);
    /// The first index that functions can use for their own.
    pub const FIRST_FREE: u32 = 3;

    pub fn new(index: u32) -> Pred {
        Pred(index << 1)
    }

    pub fn not(self) -> Pred {
        Pred(self.0 ^ 1)
    }

    fn index(self) -> usize {
        (self.0 >> 1) as usize
    }
}

/// Operands of an arithmetic instruction.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Args {
    /// Destination row.
    pub d: Slot,
    /// Source rows.
    pub a: Slot,
    pub b: Slot,
    pub c: Slot,
    /// Destination predicate.
    pub p: Pred,
    /// Source predicate.
    pub s: Pred,
}

impl Args {
    pub const NONE: Args = Args {
        d: Slot::NONE,
        a: Slot::NONE,
        b: Slot::NONE,
        c: Slot::NONE,
        p: Pred::SINK,
        s: Pred::TRUE,
    };
}

/// The rows and predicates that the current instruction can name.
///
/// Made only for a function and a frame of that same function: lowering gives every [`Slot`] and [`Pred`] of a function an
/// index below the sizes that its frames have, and every constant a full set of rows. That is why the accessors below can go
/// without checks.
#[derive(Clone, Copy)]
pub(crate) struct Lanes<'a> {
    rows: *mut Row,
    consts: *const Row,
    preds: *mut u32,
    /// The frame is borrowed for as long as this lives.
    frame: PhantomData<&'a mut Row>,
}

impl<'a> Lanes<'a> {
    /// `rows` and `preds` belong to a frame of the function that has `consts`.
    pub fn new(rows: &'a mut [Row], consts: &'a [Row], preds: &'a mut [u32]) -> Lanes<'a> {
        Lanes {
            rows: rows.as_mut_ptr(),
            consts: consts.as_ptr(),
            preds: preds.as_mut_ptr(),
            frame: PhantomData,
        }
    }

    #[inline]
    fn source<T: Value>(&self, slot: Slot) -> *const [T::Bits; LANES] {
        // SAFETY: see the type: the index lies inside the array it names.
        unsafe {
            if slot.is_constant() {
                self.consts.add(slot.index() as usize).cast()
            } else {
                self.rows.add(slot.index() as usize).cast_const().cast()
            }
        }
    }

    #[inline]
    fn target<T: Value>(&self, slot: Slot) -> *mut [T::Bits; LANES] {
        debug_assert!(slot.is_register());
        // SAFETY: see the type; constants are never destinations.
        unsafe { self.rows.add(slot.index() as usize).cast() }
    }

    /// The value of one lane.
    #[inline]
    pub fn get<T: Value>(&self, slot: Slot, lane: usize) -> T {
        debug_assert!(lane < LANES);
        // SAFETY: `source` points to 32 values, `lane` comes from a 32-bit mask.
        T::from_bits(unsafe { self.source::<T>(slot).cast::<T::Bits>().add(lane).read() })
    }

    /// All lanes.
    #[inline]
    pub fn row<T: Value>(&self, slot: Slot) -> [T::Bits; LANES] {
        // SAFETY: `source` points to 32 values.
        unsafe { self.source::<T>(slot).read() }
    }

    /// Sets one lane; a destination nobody wants is ignored.
    #[inline]
    pub fn set<T: Value>(&self, slot: Slot, lane: usize, value: T) {
        debug_assert!(lane < LANES);
        if !slot.is_none() {
            // SAFETY: `target` points to 32 values, `lane` comes from a 32-bit mask.
            unsafe {
                self.target::<T>(slot)
                    .cast::<T::Bits>()
                    .add(lane)
                    .write(value.to_bits())
            }
        }
    }

    /// The lanes in which the predicate holds.
    #[inline]
    pub fn pred(&self, pred: Pred) -> u32 {
        // SAFETY: see the type: the index lies inside the array.
        let bits = unsafe { self.preds.add(pred.index()).read() };
        bits ^ (pred.0 & 1).wrapping_neg()
    }

    /// Sets the predicate in the lanes of `mask`.
    #[inline]
    pub fn set_pred(&self, pred: Pred, mask: u32, bits: u32) {
        // SAFETY: see the type: the index lies inside the array.
        unsafe {
            let at = self.preds.add(pred.index());
            at.write((at.read() & !mask) | (bits & mask));
        }
    }
}

/// The lanes of a mask, lowest first.
pub(crate) fn lanes(mask: u32) -> impl Iterator<Item = usize> {
    let mut rest = mask;
    std::iter::from_fn(move || {
        let lane = rest.trailing_zeros();
        rest &= rest.wrapping_sub(1);
        (lane < 32).then_some(lane as usize)
    })
}

/// A type that registers can hold.
pub(crate) trait Value: Copy {
    /// How a lane of its row is stored.
    type Bits: Copy + Default;
    fn from_bits(bits: Self::Bits) -> Self;
    fn to_bits(self) -> Self::Bits;
}

macro_rules! values {
    ($($t:ty: $bits:ty, |$from:ident| $get:expr, |$to:ident| $set:expr;)*) => {$(
        impl Value for $t {
            type Bits = $bits;
            #[inline(always)]
            fn from_bits($from: $bits) -> $t { $get }
            #[inline(always)]
            fn to_bits(self) -> $bits { let $to = self; $set }
        }
    )*};
}

values! {
    u8: u32, |b| b as u8, |v| u32::from(v);
    i8: u32, |b| b as i8, |v| v as u32;
    u16: u32, |b| b as u16, |v| u32::from(v);
    i16: u32, |b| b as i16, |v| u32::from(v as u16);
    u32: u32, |b| b, |v| v;
    i32: u32, |b| b as i32, |v| v as u32;
    u64: u64, |b| b, |v| v;
    i64: u64, |b| b as i64, |v| v as u64;
    u128: u128, |b| b, |v| v;
    f32: u32, |b| f32::from_bits(b), |v| v.to_bits();
    f64: u64, |b| f64::from_bits(b), |v| v.to_bits();
    half::f16: u32, |b| half::f16::from_bits(b as u16), |v| u32::from(v.to_bits());
    half::bf16: u32, |b| half::bf16::from_bits(b as u16), |v| u32::from(v.to_bits());
}

/// An arithmetic instruction: reads and writes rows and predicates of the lanes in the mask, cannot fail.
pub(crate) type Alu = fn(&Lanes<'_>, &Args, u32);

/// The only value of a function type without captures, out of nothing: what lets a closure become a plain [`Alu`].
#[inline(always)]
pub(crate) fn conjure<F: Copy>() -> F {
    const { assert!(size_of::<F>() == 0) };
    // SAFETY: `F` has no bytes, so nothing is read, and the callers were given a value of it, so the type is inhabited.
    unsafe { std::ptr::NonNull::<F>::dangling().read() }
}

/// Above this many active lanes it is quicker to compute all lanes and keep the active ones.
const MOST: u32 = 12;

/// Writes `f(lane)` to `d` for the lanes of `mask`. `f` must not mind being asked about inactive lanes.
#[inline(always)]
fn fill<D: Value>(l: &Lanes<'_>, d: Slot, mask: u32, f: impl Fn(usize) -> D) {
    if mask == FULL {
        let mut out = [D::Bits::default(); LANES];
        for (lane, out) in out.iter_mut().enumerate() {
            *out = f(lane).to_bits();
        }
        // SAFETY: `target` points to 32 values.
        unsafe { l.target::<D>(d).write(out) };
    } else if mask.count_ones() > MOST {
        let at = l.target::<D>(d);
        // SAFETY: `target` points to 32 values.
        let mut out = unsafe { at.read() };
        for (lane, out) in out.iter_mut().enumerate() {
            let value = f(lane).to_bits();
            *out = if mask >> lane & 1 != 0 { value } else { *out };
        }
        // SAFETY: as above.
        unsafe { at.write(out) };
    } else {
        for lane in lanes(mask) {
            l.set(d, lane, f(lane));
        }
    }
}

/// `d = f(a)`.
pub(crate) fn unary<A: Value, D: Value, F: Fn(A) -> D + Copy>(_: F) -> Alu {
    fn run<A: Value, D: Value, F: Fn(A) -> D + Copy>(l: &Lanes<'_>, x: &Args, mask: u32) {
        let f = conjure::<F>();
        fill(l, x.d, mask, |lane| f(l.get(x.a, lane)));
    }
    run::<A, D, F>
}

/// `d = f(a, b)`.
pub(crate) fn binary<A: Value, B: Value, D: Value, F: Fn(A, B) -> D + Copy>(_: F) -> Alu {
    fn run<A: Value, B: Value, D: Value, F: Fn(A, B) -> D + Copy>(l: &Lanes<'_>, x: &Args, mask: u32) {
        let f = conjure::<F>();
        fill(l, x.d, mask, |lane| f(l.get(x.a, lane), l.get(x.b, lane)));
    }
    run::<A, B, D, F>
}

/// `d = f(a, b, c)`.
pub(crate) fn ternary<A: Value, B: Value, C: Value, D: Value, F: Fn(A, B, C) -> D + Copy>(_: F) -> Alu {
    fn run<A: Value, B: Value, C: Value, D: Value, F: Fn(A, B, C) -> D + Copy>(l: &Lanes<'_>, x: &Args, mask: u32) {
        let f = conjure::<F>();
        fill(l, x.d, mask, |lane| {
            f(l.get(x.a, lane), l.get(x.b, lane), l.get(x.c, lane))
        });
    }
    run::<A, B, C, D, F>
}

/// The same for instructions that are rare: lane by lane, which makes less code of each of their many variants.
pub(crate) mod rare {
    use super::{Alu, Args, Lanes, Value, conjure, lanes};

    /// `d = f(a)`.
    pub(crate) fn unary<A: Value, D: Value, F: Fn(A) -> D + Copy>(_: F) -> Alu {
        fn run<A: Value, D: Value, F: Fn(A) -> D + Copy>(l: &Lanes<'_>, x: &Args, mask: u32) {
            let f = conjure::<F>();
            for lane in lanes(mask) {
                l.set(x.d, lane, f(l.get(x.a, lane)));
            }
        }
        run::<A, D, F>
    }

    /// `d = f(a, b)`.
    pub(crate) fn binary<A: Value, B: Value, D: Value, F: Fn(A, B) -> D + Copy>(_: F) -> Alu {
        fn run<A: Value, B: Value, D: Value, F: Fn(A, B) -> D + Copy>(l: &Lanes<'_>, x: &Args, mask: u32) {
            let f = conjure::<F>();
            for lane in lanes(mask) {
                l.set(x.d, lane, f(l.get(x.a, lane), l.get(x.b, lane)));
            }
        }
        run::<A, B, D, F>
    }

    /// `d = f(a, b, c)`.
    pub(crate) fn ternary<A: Value, B: Value, C: Value, D: Value, F: Fn(A, B, C) -> D + Copy>(_: F) -> Alu {
        fn run<A: Value, B: Value, C: Value, D: Value, F: Fn(A, B, C) -> D + Copy>(l: &Lanes<'_>, x: &Args, mask: u32) {
            let f = conjure::<F>();
            for lane in lanes(mask) {
                l.set(x.d, lane, f(l.get(x.a, lane), l.get(x.b, lane), l.get(x.c, lane)));
            }
        }
        run::<A, B, C, D, F>
    }
}

/// `p = f(a, b)`.
pub(crate) fn compare<A: Value, B: Value, F: Fn(A, B) -> bool + Copy>(_: F) -> Alu {
    fn run<A: Value, B: Value, F: Fn(A, B) -> bool + Copy>(l: &Lanes<'_>, x: &Args, mask: u32) {
        let f = conjure::<F>();
        let mut bits = 0;
        if mask.count_ones() > MOST {
            for lane in 0..LANES {
                bits |= u32::from(f(l.get(x.a, lane), l.get(x.b, lane))) << lane;
            }
        } else {
            for lane in lanes(mask) {
                bits |= u32::from(f(l.get(x.a, lane), l.get(x.b, lane))) << lane;
            }
        }
        l.set_pred(x.p, mask, bits);
    }
    run::<A, B, F>
}

/// `d, p = f(a, b, c, s)`: arithmetic with carry in and out.
pub(crate) fn carrying<A: Value, F: Fn(A, A, A, bool) -> (A, bool) + Copy>(_: F) -> Alu {
    fn run<A: Value, F: Fn(A, A, A, bool) -> (A, bool) + Copy>(l: &Lanes<'_>, x: &Args, mask: u32) {
        let f = conjure::<F>();
        let carry = l.pred(x.s);
        let mut bits = 0;
        for lane in lanes(mask) {
            let (a, b) = (l.get(x.a, lane), l.get(x.b, lane));
            let c = if x.c.is_none() { a } else { l.get(x.c, lane) };
            let (value, out) = f(a, b, c, carry >> lane & 1 != 0);
            l.set(x.d, lane, value);
            bits |= u32::from(out) << lane;
        }
        l.set_pred(x.p, mask, bits);
    }
    run::<A, F>
}

/// `d = s ? a : b`.
pub(crate) fn select<A: Value>(l: &Lanes<'_>, x: &Args, mask: u32) {
    let chosen = l.pred(x.s);
    fill(l, x.d, mask, |lane| {
        let (a, b) = (l.get::<A>(x.a, lane), l.get::<A>(x.b, lane));
        if chosen >> lane & 1 != 0 { a } else { b }
    });
}

/// `p = f(s, a's predicate)` on whole masks. The second predicate travels in `a`'s place, see [`pred_operand`].
pub(crate) fn pred_binary<F: Fn(u32, u32) -> u32 + Copy>(_: F) -> Alu {
    fn run<F: Fn(u32, u32) -> u32 + Copy>(l: &Lanes<'_>, x: &Args, mask: u32) {
        let f = conjure::<F>();
        let second = l.pred(Pred(x.a.index()));
        l.set_pred(x.p, mask, f(l.pred(x.s), second));
    }
    run::<F>
}

/// Packs a predicate where a row is expected; looks like a constant, so that nobody takes it for a register.
pub(crate) fn pred_operand(pred: Pred) -> Slot {
    Slot::constant(pred.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_active_lanes_change() {
        let mut rows = [Row([1; LANES]), Row([2; LANES]), Row([9; LANES])];
        let consts = [Row([10; LANES])];
        let mut preds = [FULL, 0, 0];
        let add = binary(|a: u32, b: u32| a + b);
        for (mask, b) in [
            (0x5, Slot::register(1)),
            (0xffff_fff0, Slot::constant(0)),
            (FULL, Slot::constant(0)),
        ] {
            rows[2] = Row([9; LANES]);
            let l = Lanes::new(&mut rows, &consts, &mut preds);
            let args = Args {
                d: Slot::register(2),
                a: Slot::register(0),
                b,
                ..Args::NONE
            };
            add(&l, &args, mask);
            let sum = if b.is_constant() { 11 } else { 3 };
            for (lane, &value) in rows[2].0.iter().enumerate() {
                assert_eq!(value, if mask >> lane & 1 != 0 { sum } else { 9 });
            }
        }
    }

    #[test]
    fn predicates_are_masks() {
        let mut rows = [Row(std::array::from_fn(|lane| lane as u32)); 1];
        let consts = [Row([4; LANES])];
        let mut preds = [FULL, 0, 0, 0];
        let l = Lanes::new(&mut rows, &consts, &mut preds);
        let args = Args {
            a: Slot::register(0),
            b: Slot::constant(0),
            p: Pred::new(3),
            ..Args::NONE
        };
        compare(|a: u32, b: u32| a < b)(&l, &args, FULL);
        assert_eq!(l.pred(Pred::new(3)), 0xf);
        assert_eq!(l.pred(Pred::new(3).not()), !0xf);
        compare(|a: u32, b: u32| a >= b)(&l, &args, 0b11);
        assert_eq!(l.pred(Pred::new(3)), 0b1100);
    }
}
