//! The region behind plain pointers: what production uses on both sides.

use core::{
    marker::PhantomData,
    sync::atomic::{AtomicU32, AtomicU64, Ordering},
};

#[cfg(target_arch = "x86_64")]
pub use crate::vectors::Vectors;
use crate::{
    express::{Shape, Slots},
    layout::{ClientObject, Header, Layout},
    memory::Memory,
};

/// The instructions behind the four edges, which differ between a CPU and each GPU.
pub trait Edges {
    /// Release at system scope: the first half of a give.
    fn release_to_system();
    /// Acquire at system scope: the take.
    fn acquire_from_system();
    /// Look at `word` until it is `value`, then acquire at system scope; `pause` between two looks. For processors where a load
    /// that acquires costs less than a fence after it.
    ///
    /// # Safety
    /// `word` points to a readable word that is only accessed atomically.
    #[inline(always)]
    unsafe fn acquire_when(word: *mut u32, value: u32, pause: impl Fn(u32)) {
        // SAFETY: the caller vouches for the word.
        let word = unsafe { AtomicU32::from_ptr(word) };
        let mut looks = 0;
        while word.load(Ordering::Relaxed) != value {
            pause(looks);
            looks = looks.wrapping_add(1);
        }
        Self::acquire_from_system();
    }
    /// Set a lock bit; whether it was clear. Acquire at device scope if it was.
    ///
    /// # Safety
    /// `word` points to a lock word that is only touched by this function and [`unlock`](Edges::unlock).
    unsafe fn try_lock(word: *mut u32, bit: u32) -> bool;
    /// Release at device scope, then clear a lock bit.
    ///
    /// # Safety
    /// As for [`try_lock`](Edges::try_lock).
    unsafe fn unlock(word: *mut u32, bit: u32);
    /// Let others run, inside a loop that waits for the other side.
    #[inline(always)]
    fn pause() {
        core::hint::spin_loop();
    }
}

/// A CPU: the one scope that it has is that of the system.
#[derive(Clone, Copy, Debug)]
pub struct CpuEdges;

impl Edges for CpuEdges {
    #[inline]
    fn release_to_system() {
        core::sync::atomic::fence(Ordering::Release);
    }

    #[inline]
    fn acquire_from_system() {
        core::sync::atomic::fence(Ordering::Acquire);
    }

    #[inline]
    unsafe fn try_lock(word: *mut u32, bit: u32) -> bool {
        // SAFETY: the caller vouches for the word; it is only accessed atomically.
        let word = unsafe { AtomicU32::from_ptr(word) };
        word.fetch_or(bit, Ordering::Acquire) & bit == 0
    }

    #[inline]
    unsafe fn unlock(word: *mut u32, bit: u32) {
        // SAFETY: as above.
        let word = unsafe { AtomicU32::from_ptr(word) };
        word.fetch_and(!bit, Ordering::Release);
    }
}

/// One side of a region that lies behind pointers.
///
/// Every access to the shared part is a relaxed atomic one: the other side may be wrong or hostile and write at any
/// time, and a torn plain read would be undefined behaviour.
#[derive(Debug)]
pub struct RawMemory<E> {
    ports: u32,
    lanes: u32,
    inbox: *const u32,
    outbox: *mut u32,
    header: *mut Header,
    packet: *mut u64,
    lock: *mut u32,
    edges: PhantomData<E>,
}

// SAFETY: all that the pointers lead to is accessed atomically, and the constructors demand that it lives long enough.
unsafe impl<E> Send for RawMemory<E> {}
// SAFETY: as above.
unsafe impl<E> Sync for RawMemory<E> {}

impl<E> Clone for RawMemory<E> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<E> Copy for RawMemory<E> {}

impl<E: Edges> RawMemory<E> {
    /// The client's side of a region at `base`.
    ///
    /// # Safety
    /// `base` is aligned to 8 and leads to `layout.size()` bytes that outlive the value; `lock` leads to one bit for
    /// each port, zero at first, private to the clients of this region.
    pub unsafe fn client(base: *mut u8, layout: Layout, lock: *mut u32) -> Self {
        // SAFETY: the offsets lie within the region.
        unsafe { Self::new(base, layout, lock, layout.to_client(), layout.to_server()) }
    }

    /// The server's side of a region at `base`.
    ///
    /// # Safety
    /// As for [`client`](Self::client), the locks private to the server.
    pub unsafe fn server(base: *mut u8, layout: Layout, lock: *mut u32) -> Self {
        // SAFETY: the offsets lie within the region.
        unsafe { Self::new(base, layout, lock, layout.to_server(), layout.to_client()) }
    }

    /// The client's side as the object in a device image describes it. `lanes` is the width of a packet.
    ///
    /// # Safety
    /// A host has written the object, and its region outlives the value.
    #[inline(always)]
    pub unsafe fn from_object(object: *mut ClientObject, lanes: u32) -> Self {
        // SAFETY: the caller vouches for the object, which begins with as many words.
        unsafe { Self::from_object_by(object, lanes, |at| at.read()) }
    }

    /// The same with a way of its own to read the object's words, for a device whose compiler cannot know that they stay as they are.
    ///
    /// # Safety
    /// As for [`from_object`](Self::from_object); `read` is given addresses of readable words, and reads them.
    #[inline(always)]
    pub unsafe fn from_object_by(object: *mut ClientObject, lanes: u32, read: impl Fn(*const u64) -> u64) -> Self {
        let words = object.cast::<u64>();
        // SAFETY: within the object, whose layout is asserted beside its definition; the lock field is only ever reached through
        // this pointer.
        let (word, lock) = unsafe { (|at| read(words.add(at)), (&raw mut (*object).lock).cast()) };
        Self {
            ports: word(0) as u32,
            lanes,
            inbox: word(1) as *const u32,
            outbox: word(2) as *mut u32,
            header: word(3) as *mut Header,
            packet: word(4) as *mut u64,
            lock,
            edges: PhantomData,
        }
    }

    unsafe fn new(base: *mut u8, layout: Layout, lock: *mut u32, inbox: usize, outbox: usize) -> Self {
        debug_assert!(base.cast::<u64>().is_aligned());
        // SAFETY: the caller passes offsets of the layout, which lie within the region.
        unsafe {
            Self {
                ports: layout.ports(),
                lanes: layout.lanes(),
                inbox: base.add(inbox).cast(),
                outbox: base.add(outbox).cast(),
                header: base.add(layout.headers()).cast(),
                packet: base.add(layout.packets()).cast(),
                lock,
                edges: PhantomData,
            }
        }
    }

    /// Index of what belongs to `port`, of which each port has one.
    #[inline(always)]
    fn place(&self, port: u32) -> usize {
        check(port < self.ports);
        port as usize
    }

    #[inline(always)]
    fn word(&self, port: u32, lane: u32, word: u32) -> &AtomicU64 {
        check(lane < self.lanes && word < 8);
        let at = (self.place(port) * self.lanes as usize + lane as usize) * 8 + word as usize;
        // SAFETY: within the packets by the bounds just checked, aligned, only accessed atomically.
        unsafe { AtomicU64::from_ptr(self.packet.add(at)) }
    }
}

impl<E: Edges> Memory for RawMemory<E> {
    #[inline(always)]
    fn ports(&self) -> u32 {
        self.ports
    }

    #[inline(always)]
    fn load_inbox(&self, port: u32) -> u32 {
        // SAFETY: within the mailbox, as the port is below `ports`; only accessed atomically.
        unsafe { AtomicU32::from_ptr(self.inbox.add(self.place(port)).cast_mut()) }.load(Ordering::Relaxed)
    }

    #[inline(always)]
    fn load_outbox(&self, port: u32) -> u32 {
        // SAFETY: as above.
        unsafe { AtomicU32::from_ptr(self.outbox.add(self.place(port))) }.load(Ordering::Relaxed)
    }

    #[inline(always)]
    fn give(&self, port: u32, value: u32) {
        E::release_to_system();
        // SAFETY: as above.
        unsafe { AtomicU32::from_ptr(self.outbox.add(self.place(port))) }.store(value, Ordering::Relaxed);
    }

    #[inline(always)]
    fn take(&self) {
        E::acquire_from_system();
    }

    #[inline(always)]
    fn take_when(&self, port: u32, value: u32, pause: impl Fn(u32)) {
        // SAFETY: within the mailbox, as the port is below `ports`; only accessed atomically.
        unsafe { E::acquire_when(self.inbox.add(self.place(port)).cast_mut(), value, pause) }
    }

    #[inline(always)]
    fn try_lock(&self, port: u32) -> bool {
        // SAFETY: within the lock bits, private to this side as the constructors demand.
        unsafe { E::try_lock(self.lock.add(self.place(port) / 32), 1 << (port % 32)) }
    }

    #[inline(always)]
    fn unlock(&self, port: u32) {
        // SAFETY: as above.
        unsafe { E::unlock(self.lock.add(self.place(port) / 32), 1 << (port % 32)) }
    }

    #[inline(always)]
    fn pause(&self) {
        E::pause();
    }

    #[inline(always)]
    fn load_header(&self, port: u32) -> Header {
        // SAFETY: within the headers, aligned to 8; only accessed atomically.
        unsafe {
            let words = self.header.add(self.place(port)).cast::<u64>();
            Header {
                mask: AtomicU64::from_ptr(words).load(Ordering::Relaxed),
                opcode: AtomicU32::from_ptr(words.add(1).cast()).load(Ordering::Relaxed),
                pad: 0,
            }
        }
    }

    #[inline(always)]
    fn store_header(&self, port: u32, header: Header) {
        // SAFETY: as above.
        unsafe {
            let words = self.header.add(self.place(port)).cast::<u64>();
            AtomicU64::from_ptr(words).store(header.mask, Ordering::Relaxed);
            AtomicU32::from_ptr(words.add(1).cast()).store(header.opcode, Ordering::Relaxed);
        }
    }

    #[inline(always)]
    fn load_word(&self, port: u32, lane: u32, word: u32) -> u64 {
        self.word(port, lane, word).load(Ordering::Relaxed)
    }

    #[inline(always)]
    fn store_word(&self, port: u32, lane: u32, word: u32, value: u64) {
        self.word(port, lane, word).store(value, Ordering::Relaxed);
    }

    #[inline(always)]
    fn prefetch(&self, port: u32, lane: u32) {
        prefetch(self.word(port, lane, 0));
    }
}

/// Demands that an index lies within its bounds. A GPU leaves it to debug builds: there an index comes from the device's own runtime,
/// and the branch of a panic costs each access registers.
#[inline(always)]
fn check(is_within: bool) {
    if cfg!(any(target_arch = "nvptx64", target_arch = "amdgpu")) {
        debug_assert!(is_within);
    } else {
        assert!(is_within, "an index is beyond its bounds");
    }
}

/// Has the line of a word fetched into the cache, where the processor can be told to.
#[inline(always)]
fn prefetch(word: &AtomicU64) {
    #[cfg(target_arch = "x86_64")]
    // SAFETY: has no effect but on the cache.
    unsafe {
        use core::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
        _mm_prefetch::<_MM_HINT_T0>(core::ptr::from_ref(word).cast());
    }
    #[cfg(not(target_arch = "x86_64"))]
    let _ = word;
}

/// One side of an express region that lies behind pointers.
#[derive(Clone, Copy, Debug)]
pub struct RawSlots {
    shape: Shape,
    units: usize,
    base: *mut u8,
    state: *mut u64,
    #[cfg(target_arch = "x86_64")]
    vectors: Vectors,
}

// SAFETY: all that the pointers lead to is accessed atomically, and the constructor demands that it lives long enough.
unsafe impl Send for RawSlots {}
// SAFETY: as above.
unsafe impl Sync for RawSlots {}

impl RawSlots {
    /// A region at `base`; `state` is the device's private memory, which a server never touches.
    ///
    /// # Safety
    /// `base` is aligned to 16 and leads to `shape.size()` bytes; `state` leads to `shape.slots` words unless no
    /// client uses the value. Both were zeroed before anybody used them, and outlive the value.
    #[inline(always)]
    pub const unsafe fn new(base: *mut u8, shape: Shape, state: *mut u64) -> Self {
        Self {
            shape,
            units: shape.size() / 16,
            base,
            state,
            #[cfg(target_arch = "x86_64")]
            vectors: Vectors::Sse2,
        }
    }

    /// The same by wider instructions.
    ///
    /// # Safety
    /// The processor has them.
    #[cfg(target_arch = "x86_64")]
    pub const unsafe fn with_vectors(self, vectors: Vectors) -> Self {
        Self { vectors, ..self }
    }

    #[inline(always)]
    fn half(&self, at: usize, half: usize) -> &AtomicU64 {
        check(at < self.units && half < 2);
        // SAFETY: within the region by the bounds just checked; aligned, only accessed atomically.
        unsafe { AtomicU64::from_ptr(self.base.cast::<u64>().add(2 * at + half)) }
    }

    #[inline(always)]
    fn word(&self, at: usize) -> &AtomicU32 {
        check(at < 4 * self.units);
        // SAFETY: as above.
        unsafe { AtomicU32::from_ptr(self.base.cast::<u32>().add(at)) }
    }

    #[inline(always)]
    fn state(&self, slot: u32) -> &AtomicU64 {
        check(slot < self.shape.slots);
        // SAFETY: the constructor's caller vouches for one word for each slot.
        unsafe { AtomicU64::from_ptr(self.state.add(slot as usize)) }
    }
}

impl Slots for RawSlots {
    #[inline(always)]
    fn shape(&self) -> Shape {
        self.shape
    }

    #[inline(always)]
    fn load_unit(&self, at: usize) -> [u64; 2] {
        #[cfg(target_arch = "x86_64")]
        {
            let (low, high): (u64, u64);
            // In assembly: core has no 16-byte atomics, and half as many accesses make a server faster.
            // SAFETY: a unit of the region, aligned to 16.
            unsafe {
                core::arch::asm!(
                    "movdqa {unit}, [{at}]",
                    "movq {low}, {unit}",
                    "psrldq {unit}, 8",
                    "movq {high}, {unit}",
                    unit = out(xmm_reg) _,
                    at = in(reg) self.half(at, 0),
                    low = out(reg) low,
                    high = lateout(reg) high,
                    options(nostack, readonly, preserves_flags),
                );
            }
            [low, high]
        }
        #[cfg(not(target_arch = "x86_64"))]
        [0, 1].map(|half| self.half(at, half).load(Ordering::Relaxed))
    }

    #[inline(always)]
    fn store_unit(&self, at: usize, halves: [u64; 2]) {
        #[cfg(target_arch = "x86_64")]
        // SAFETY: as above. A line that the device polls changes hands at every access, so that one is better than two.
        unsafe {
            core::arch::asm!(
                "movq {unit}, {low}",
                "movq {other}, {high}",
                "punpcklqdq {unit}, {other}",
                "movdqa [{at}], {unit}",
                unit = out(xmm_reg) _,
                other = out(xmm_reg) _,
                at = in(reg) self.half(at, 0),
                low = in(reg) halves[0],
                high = in(reg) halves[1],
                options(nostack, preserves_flags),
            );
        }
        #[cfg(not(target_arch = "x86_64"))]
        for (half, value) in halves.into_iter().enumerate() {
            self.half(at, half).store(value, Ordering::Relaxed);
        }
    }

    #[cfg(target_arch = "x86_64")]
    #[inline(always)]
    fn load_row(&self, first: usize, mask: u64, tag: u32, words: &mut [u64; 64]) -> bool {
        if mask == 0xffff_ffff && self.shape.lanes >= 32 {
            check(first + 31 < self.units);
            // SAFETY: 32 units of the region, as was just checked.
            return unsafe { self.vectors.load_32(self.half(first, 0).as_ptr(), tag, words) };
        }
        crate::express::load_units(self, first, mask, tag, words)
    }

    #[cfg(target_arch = "x86_64")]
    #[inline(always)]
    fn store_row(&self, first: usize, mask: u64, tag: u32, words: &[u64; 64]) {
        if mask == 0xffff_ffff && self.shape.lanes >= 32 {
            check(first + 31 < self.units);
            // SAFETY: as above.
            return unsafe { self.vectors.store_32(self.half(first, 0).as_ptr(), tag, words) };
        }
        crate::express::store_units(self, first, mask, tag, words);
    }

    #[inline(always)]
    fn load_half(&self, at: usize) -> u64 {
        self.half(at, 0).load(Ordering::Relaxed)
    }

    #[inline(always)]
    fn prefetch(&self, at: usize) {
        prefetch(self.half(at, 0));
    }

    #[inline(always)]
    fn prefetch_row(&self, first: usize) {
        let lanes = self.shape.lanes as usize;
        check(first + lanes <= self.units);
        // Four units share a cache line.
        for lane in (0..lanes).step_by(4) {
            // SAFETY: within the row, which was just checked; aligned, only accessed atomically.
            prefetch(unsafe { AtomicU64::from_ptr(self.base.cast::<u64>().add(2 * (first + lane))) });
        }
    }

    #[inline(always)]
    fn load_word(&self, at: usize) -> u32 {
        self.word(at).load(Ordering::Relaxed)
    }

    #[inline(always)]
    fn store_word(&self, at: usize, value: u32) {
        self.word(at).store(value, Ordering::Relaxed);
    }

    #[inline(always)]
    fn release(&self) {
        core::sync::atomic::fence(Ordering::Release);
    }

    #[inline(always)]
    fn lock(&self, slot: u32) -> u64 {
        self.state(slot).fetch_or(1, Ordering::Relaxed)
    }

    #[inline(always)]
    fn unlock(&self, slot: u32, state: u64) {
        self.state(slot).store(state, Ordering::Relaxed);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::vec;

    #[test]
    fn rows_are_what_their_units_are() {
        for lanes in [32, 64] {
            let shape = Shape::new(2, lanes, 4).unwrap();
            let mut region = vec![0u128; shape.size() / 16];
            // SAFETY: as large and as aligned as the shape demands; nobody uses the clients' state.
            let slots = unsafe { RawSlots::new(region.as_mut_ptr().cast(), shape, core::ptr::null_mut()) };
            for slots in in_all_ways(slots) {
                rows_are_units(slots);
            }
        }
    }

    /// By all instructions that this processor has.
    fn in_all_ways(slots: RawSlots) -> std::vec::Vec<RawSlots> {
        #[cfg(target_arch = "x86_64")]
        {
            let mut ways = vec![Vectors::Sse2];
            ways.extend(std::is_x86_feature_detected!("avx512f").then_some(Vectors::Avx512));
            // SAFETY: it has what was detected.
            ways.into_iter().map(|way| unsafe { slots.with_vectors(way) }).collect()
        }
        #[cfg(not(target_arch = "x86_64"))]
        vec![slots]
    }

    fn rows_are_units(slots: RawSlots) {
        let shape = slots.shape;
        let lanes = shape.lanes;
        let words = core::array::from_fn(|lane| (lane as u64 + 1).wrapping_mul(0x1234_5678_9abc_def1));
        let first = shape.unit(1, 2, 0);
        for mask in [0xffff_ffff, 1, 0x8000_0001, 0x7fff_ffff, u64::MAX >> (64 - lanes)] {
            for at in 0..lanes as usize {
                slots.store_unit(first + at, [0; 2]);
            }
            slots.store_row(first, mask, 7, &words);
            for lane in 0..lanes {
                let word = words[lane as usize];
                let expected = if mask >> lane & 1 == 1 {
                    [7 << 32 | word & 0xffff_ffff, 7 << 32 | word >> 32]
                } else {
                    [0; 2]
                };
                assert_eq!(
                    slots.load_unit(first + lane as usize),
                    expected,
                    "lane {lane} of {mask:#x}"
                );
            }
            let mut read = [0; 64];
            assert!(slots.load_row(first, mask, 7, &mut read), "{mask:#x}");
            assert!(crate::server::lanes(mask).all(|lane| read[lane as usize] == words[lane as usize]));
            assert!(!slots.load_row(first, mask, 8, &mut read), "{mask:#x}");
            // One half of one lane is late.
            for lane in crate::server::lanes(mask) {
                let [low, high] = slots.load_unit(first + lane as usize);
                for late in [[low ^ 1 << 32, high], [low, high ^ 1 << 63]] {
                    slots.store_unit(first + lane as usize, late);
                    assert!(!slots.load_row(first, mask, 7, &mut read), "lane {lane} of {mask:#x}");
                }
                slots.store_unit(first + lane as usize, [low, high]);
            }
        }
    }
}
