//! One address space for host and device.
//!
//! Device addresses *are* host addresses: device memory, pinned memory, module globals and the shared and local windows of
//! running kernels all lie in host memory. A host thread and a kernel therefore share pinned memory directly, and an atomic
//! operation of a kernel is an atomic operation of the host.
//!
//! [`Memory`] knows every range that a kernel may touch, live or freed, so that each access can be checked and a bad one
//! explained. Checks are fast because each execution unit remembers in a [`SpanCache`] where it hit last.

mod backing;
mod error;
mod kind;

use std::collections::BTreeMap;
use std::fmt;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError, RwLock};

use backing::Backing;
pub use error::{AccessError, AllocError, FreeError};
pub use kind::{Access, Allocation, Kind};

/// A range that an execution unit has checked lately.
#[derive(Clone, Copy, Debug, Default)]
struct Span {
    base: u64,
    len: u64,
    generation: u64,
    writable: bool,
}

/// Remembers where an execution unit hit memory last; one per unit, see [`Memory::check`].
#[derive(Clone, Debug, Default)]
pub struct SpanCache {
    spans: [Span; SpanCache::SLOTS],
}

impl SpanCache {
    /// Independent entries.
    pub const SLOTS: usize = 16;
}

/// Copies bytes from or to memory that kernels may be using, as the copy engine of a device does; the two may overlap.
///
/// A kernel that writes there meanwhile is a race of the emulated program, which gets some of the old bytes and some of the
/// new ones. Here it is a data race, which the language calls undefined; and so it would be with atomics, whose sizes would
/// have to be those of the kernel's accesses, which nobody knows. This deviation is accepted, in this one place: bytes are
/// moved from and to raw addresses that no reference leads to, by a function of which the compiler knows nothing else.
///
/// # Safety
/// Both ranges are mapped, `from` for reading and `to` for writing, and the language sees no other owner of them.
#[inline(never)]
pub unsafe fn copy(from: *const u8, to: *mut u8, bytes: usize) {
    // SAFETY: the caller's promise; races are accepted as said above.
    unsafe { std::ptr::copy(from, to, bytes) }
}

struct Entry {
    allocation: Allocation,
    /// Came from `backing`, not from `register`.
    owned: bool,
}

/// The address space of one device. Shared by all threads; every method takes `&self`.
pub struct Memory {
    table: RwLock<BTreeMap<u64, Entry>>,
    backing: Mutex<Backing>,
    /// Grows whenever a range stops being valid, so that cached spans expire.
    generation: AtomicU64,
    next_id: AtomicU64,
    limit: u64,
    used: AtomicU64,
    heap_limit: AtomicU64,
    heap_used: AtomicU64,
    kernels: AtomicUsize,
}

/// Below this an address is called a null pointer.
const NULL_PAGE: u64 = 4096;
/// Default of `CU_LIMIT_MALLOC_HEAP_SIZE`.
const DEFAULT_HEAP: u64 = 8 << 20;
/// How far a fault looks for neighbours.
const NEAR: u64 = 1 << 20;

impl Memory {
    /// An empty address space of a device with `limit` bytes of memory of its own.
    pub fn new(limit: u64) -> Memory {
        Memory {
            table: RwLock::default(),
            backing: Mutex::default(),
            generation: AtomicU64::new(1),
            next_id: AtomicU64::new(1),
            limit,
            used: AtomicU64::new(0),
            heap_limit: AtomicU64::new(DEFAULT_HEAP),
            heap_used: AtomicU64::new(0),
            kernels: AtomicUsize::new(0),
        }
    }

    /// Bytes of memory that the device has.
    pub fn limit(&self) -> u64 {
        self.limit
    }

    /// Bytes of device memory handed out.
    pub fn used(&self) -> u64 {
        self.used.load(Ordering::Relaxed)
    }

    /// Bytes that kernels can have from `malloc` ([`Kind::Heap`]) at one time; 8 MiB unless set.
    pub fn set_heap_limit(&self, bytes: u64) {
        self.heap_limit.store(bytes, Ordering::Relaxed);
    }

    /// See [`Memory::set_heap_limit`].
    pub fn heap_limit(&self) -> u64 {
        self.heap_limit.load(Ordering::Relaxed)
    }

    /// Hands out `size` bytes at a multiple of `align`. Fresh memory reads as zero; reused memory keeps what was there.
    /// `label` names it in faults.
    ///
    /// # Errors
    /// When the device's memory (see [`Kind::is_on_device`]), the heap or the host's address space is used up.
    pub fn alloc(&self, kind: Kind, size: u64, align: u64, label: &str) -> Result<u64, AllocError> {
        if size == 0 || !align.is_power_of_two() {
            return Err(AllocError::Invalid { size, align });
        }
        self.reserve(kind, size)?;
        let base = lock(&self.backing).take(size, align);
        let Some(base) = base else {
            self.release(kind, size);
            return Err(AllocError::Host { wanted: size });
        };
        self.insert(base, size, kind, label, true);
        Ok(base)
    }

    /// Takes an allocation of one of `kinds` back; `addr` is its first byte. Touching it afterwards is a use after free.
    ///
    /// # Errors
    /// When `addr` starts no live allocation of these kinds.
    pub fn free(&self, addr: u64, kinds: &[Kind]) -> Result<Allocation, FreeError> {
        let freed = {
            let mut table = self.table.write().unwrap_or_else(PoisonError::into_inner);
            let entry = table.get_mut(&addr).ok_or(FreeError::Unknown(addr))?;
            let allocation = &mut entry.allocation;
            if !allocation.live {
                return Err(FreeError::Twice(allocation.clone()));
            }
            if !entry.owned || !kinds.contains(&allocation.kind) {
                return Err(FreeError::WrongKind(allocation.clone()));
            }
            allocation.live = false;
            allocation.clone()
        };
        self.generation.fetch_add(1, Ordering::SeqCst);
        if matches!(freed.kind, Kind::Local | Kind::Shared | Kind::Kernarg) {
            // Windows come and go with every launch: they are not remembered.
            let mut table = self.table.write().unwrap_or_else(PoisonError::into_inner);
            table.remove(&addr);
            lock(&self.backing).recycle(addr);
            return Ok(freed);
        }
        let running = self.kernels.load(Ordering::SeqCst) > 0;
        let forgotten = lock(&self.backing).give_back(addr, running);
        if !forgotten.is_empty() {
            let mut table = self.table.write().unwrap_or_else(PoisonError::into_inner);
            for base in forgotten {
                if table.get(&base).is_some_and(|e| !e.allocation.live) {
                    table.remove(&base);
                }
            }
        }
        self.release(freed.kind, freed.len);
        Ok(freed)
    }

    /// Lets kernels touch host memory that somebody else allocated.
    ///
    /// # Safety
    /// The range must be valid for reads and writes of this process until it is unregistered, and be accessed only
    /// atomically or under synchronisation while kernels run.
    ///
    /// # Errors
    /// When it is empty or overlaps a live range.
    pub unsafe fn register(&self, base: u64, len: u64, kind: Kind, label: &str) -> Result<(), AllocError> {
        if len == 0 || base.checked_add(len).is_none() {
            return Err(AllocError::Invalid { size: len, align: 1 });
        }
        {
            let mut table = self.table.write().unwrap_or_else(PoisonError::into_inner);
            // Tombstones of an earlier registration of the same memory give way.
            table.retain(|_, e| {
                let a = &e.allocation;
                e.owned || a.live || a.base + a.len <= base || a.base >= base + len
            });
            let before = table.range(..base + len).next_back();
            if let Some((_, e)) = before
                && e.allocation.base + e.allocation.len > base
            {
                return Err(AllocError::Overlap {
                    base,
                    other: Box::new(e.allocation.clone()),
                });
            }
        }
        self.insert(base, len, kind, label, false);
        Ok(())
    }

    /// Ends a registration; `base` is the first byte of the range.
    ///
    /// # Errors
    /// When nothing is registered there.
    pub fn unregister(&self, base: u64) -> Result<Allocation, FreeError> {
        let mut table = self.table.write().unwrap_or_else(PoisonError::into_inner);
        match table.get_mut(&base) {
            Some(e) if !e.owned && e.allocation.live => {
                e.allocation.live = false;
                self.generation.fetch_add(1, Ordering::SeqCst);
                Ok(e.allocation.clone())
            }
            _ => Err(FreeError::Unknown(base)),
        }
    }

    /// The allocation that contains `addr`, live or freed.
    pub fn find(&self, addr: u64) -> Option<Allocation> {
        let table = self.table.read().unwrap_or_else(PoisonError::into_inner);
        let (_, e) = table.range(..=addr).next_back()?;
        let a = &e.allocation;
        (addr - a.base < a.len).then(|| a.clone())
    }

    /// Checks that `len` bytes at `addr` lie in one live allocation that allows `access`. `slot` is any number that tends
    /// to be the same for accesses to the same allocation (such as the instruction's index); it picks the cache entry.
    ///
    /// # Errors
    /// Says what is there instead.
    #[inline]
    pub fn check(
        &self,
        cache: &mut SpanCache,
        slot: usize,
        addr: u64,
        len: u64,
        access: Access,
    ) -> Result<(), Box<AccessError>> {
        let span = &mut cache.spans[slot % SpanCache::SLOTS];
        let inside = addr.wrapping_sub(span.base);
        if inside < span.len
            && span.len - inside >= len
            && span.generation == self.generation.load(Ordering::Relaxed)
            && (span.writable || access == Access::Read)
        {
            return Ok(());
        }
        self.check_slow(span, addr, len, access)
    }

    #[cold]
    fn check_slow(&self, span: &mut Span, addr: u64, len: u64, access: Access) -> Result<(), Box<AccessError>> {
        let generation = self.generation.load(Ordering::SeqCst);
        let allocation = match self.find(addr) {
            Some(allocation) => allocation,
            None if addr < NULL_PAGE => return Err(Box::new(AccessError::Null { addr })),
            None => return Err(Box::new(self.unmapped(addr))),
        };
        let inside = addr - allocation.base;
        let writable = allocation.kind != Kind::Constant && allocation.kind != Kind::Kernarg;
        if !allocation.live {
            return Err(Box::new(AccessError::Freed {
                addr,
                inside,
                allocation,
            }));
        }
        let is_private = matches!(allocation.kind, Kind::Code | Kind::Shared | Kind::Local);
        if is_private || (access != Access::Read && !writable) {
            return Err(Box::new(AccessError::Forbidden {
                addr,
                access,
                allocation,
            }));
        }
        if allocation.len - inside < len {
            return Err(Box::new(AccessError::PastEnd {
                addr,
                len,
                inside,
                allocation,
            }));
        }
        *span = Span {
            base: allocation.base,
            len: allocation.len,
            generation,
            writable,
        };
        Ok(())
    }

    fn unmapped(&self, addr: u64) -> AccessError {
        let table = self.table.read().unwrap_or_else(PoisonError::into_inner);
        let below = table.range(..=addr).next_back().map(|(_, e)| &e.allocation);
        let above = table.range(addr..).next().map(|(_, e)| &e.allocation);
        AccessError::Unmapped {
            addr,
            below: below.filter(|a| addr - (a.base + a.len) < NEAR).cloned(),
            above: above.filter(|a| a.base - addr < NEAR).cloned(),
        }
    }

    /// Copies memory of the device out. For the host side (copies between host and device), not for kernels.
    ///
    /// # Errors
    /// When the range is not live memory.
    pub fn read(&self, addr: u64, out: &mut [u8]) -> Result<(), Box<AccessError>> {
        if out.is_empty() {
            return Ok(());
        }
        self.check(&mut SpanCache::default(), 0, addr, out.len() as u64, Access::Read)?;
        // SAFETY: the range was just found in a live allocation, and `out` is memory of the caller's own.
        unsafe { copy(addr as *const u8, out.as_mut_ptr(), out.len()) };
        Ok(())
    }

    /// Copies bytes into memory of the device; constants can be written this way.
    ///
    /// # Errors
    /// When the range is not live memory.
    pub fn write(&self, addr: u64, bytes: &[u8]) -> Result<(), Box<AccessError>> {
        if bytes.is_empty() {
            return Ok(());
        }
        // What kernels may only read, the host may write.
        self.check(&mut SpanCache::default(), 0, addr, bytes.len() as u64, Access::Read)?;
        // SAFETY: as in `read`, with the roles exchanged.
        unsafe { copy(bytes.as_ptr(), addr as *mut u8, bytes.len()) };
        Ok(())
    }

    /// Marks a kernel as running until the guard is dropped: memory freed meanwhile stays mapped.
    pub(crate) fn enter(&self) -> Running<'_> {
        self.kernels.fetch_add(1, Ordering::SeqCst);
        Running(self)
    }

    fn reserve(&self, kind: Kind, size: u64) -> Result<(), AllocError> {
        let (counter, limit) = match kind {
            Kind::Heap => (&self.heap_used, self.heap_limit()),
            kind if kind.is_on_device() => (&self.used, self.limit),
            _ => return Ok(()),
        };
        counter
            .try_update(Ordering::SeqCst, Ordering::SeqCst, |used| {
                used.checked_add(size).filter(|&sum| sum <= limit)
            })
            .map(drop)
            .map_err(|used| AllocError::OutOfMemory {
                wanted: size,
                left: limit.saturating_sub(used),
                limit,
            })
    }

    fn release(&self, kind: Kind, size: u64) {
        if kind == Kind::Heap {
            self.heap_used.fetch_sub(size, Ordering::SeqCst);
        } else if kind.is_on_device() {
            self.used.fetch_sub(size, Ordering::SeqCst);
        }
    }

    fn insert(&self, base: u64, len: u64, kind: Kind, label: &str, owned: bool) {
        let allocation = Allocation {
            base,
            len,
            kind,
            live: true,
            label: label.into(),
            id: self.next_id.fetch_add(1, Ordering::Relaxed),
        };
        let mut table = self.table.write().unwrap_or_else(PoisonError::into_inner);
        table.insert(base, Entry { allocation, owned });
    }
}

impl fmt::Debug for Memory {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Memory")
            .field("limit", &self.limit)
            .field("used", &self.used())
            .finish_non_exhaustive()
    }
}

/// See [`Memory::enter`].
pub(crate) struct Running<'a>(&'a Memory);

impl Drop for Running<'_> {
    fn drop(&mut self) {
        self.0.kernels.fetch_sub(1, Ordering::SeqCst);
    }
}

fn lock<T>(mutex: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(memory: &Memory, addr: u64, len: u64, access: Access) -> Result<(), Box<AccessError>> {
        memory.check(&mut SpanCache::default(), 0, addr, len, access)
    }

    #[test]
    fn an_access_must_lie_in_one_live_allocation() {
        let memory = Memory::new(1 << 20);
        let a = memory.alloc(Kind::Device, 100, 16, "a").unwrap();
        assert_eq!(check(&memory, a, 100, Access::Write), Ok(()));
        assert_eq!(check(&memory, a + 96, 4, Access::Atomic), Ok(()));
        let past = check(&memory, a + 97, 4, Access::Read).unwrap_err();
        assert!(matches!(*past, AccessError::PastEnd { inside: 97, .. }), "{past}");
        let outside = check(&memory, a + 100, 1, Access::Read).unwrap_err();
        assert!(
            matches!(*outside, AccessError::Unmapped { below: Some(_), .. }),
            "{outside}"
        );
        let null = check(&memory, 8, 1, Access::Read).unwrap_err();
        assert!(matches!(*null, AccessError::Null { addr: 8 }));
    }

    #[test]
    fn a_cached_span_expires_when_memory_is_freed() {
        let memory = Memory::new(1 << 20);
        let a = memory.alloc(Kind::Device, 64, 16, "").unwrap();
        let mut cache = SpanCache::default();
        assert!(memory.check(&mut cache, 3, a, 8, Access::Write).is_ok());
        memory.free(a, &[Kind::Device]).unwrap();
        let error = memory.check(&mut cache, 3, a, 8, Access::Write).unwrap_err();
        assert!(matches!(*error, AccessError::Freed { inside: 0, .. }), "{error}");
        assert!(matches!(memory.free(a, &[Kind::Device]), Err(FreeError::Twice(_))));
    }

    #[test]
    fn the_device_has_only_so_much_memory() {
        let memory = Memory::new(1 << 20);
        let a = memory.alloc(Kind::Device, 900 << 10, 256, "").unwrap();
        let error = memory.alloc(Kind::Device, 200 << 10, 256, "").unwrap_err();
        assert!(matches!(error, AllocError::OutOfMemory { .. }));
        memory.alloc(Kind::Pinned, 4 << 20, 256, "").unwrap();
        memory.free(a, &[Kind::Device]).unwrap();
        memory.alloc(Kind::Device, 200 << 10, 256, "").unwrap();
        memory.set_heap_limit(1000);
        assert!(memory.alloc(Kind::Heap, 1001, 16, "").is_err());
    }

    #[test]
    fn kernels_cannot_write_constants_but_the_host_can() {
        let memory = Memory::new(1 << 20);
        let a = memory.alloc(Kind::Constant, 8, 8, "table").unwrap();
        memory.write(a, &[1, 2, 3]).unwrap();
        let mut out = [0; 3];
        memory.read(a, &mut out).unwrap();
        assert_eq!(out, [1, 2, 3]);
        let error = check(&memory, a, 4, Access::Write).unwrap_err();
        assert!(error.to_string().contains("constant variable table"), "{error}");
    }

    #[test]
    fn windows_are_reused_and_not_remembered() {
        let memory = Memory::new(0);
        let window = memory.alloc(Kind::Local, 10_000, 4096, "").unwrap();
        memory.free(window, &[Kind::Local]).unwrap();
        assert_eq!(memory.find(window), None);
        assert_eq!(memory.alloc(Kind::Local, 10_000, 4096, ""), Ok(window));
    }

    #[test]
    fn alignment_beyond_a_page_is_kept() {
        let memory = Memory::new(1 << 30);
        for align in [1, 256, 4096, 1 << 21] {
            let a = memory.alloc(Kind::Device, 5000, align, "").unwrap();
            assert_eq!(a % align, 0);
            memory.write(a + 4999, &[1]).unwrap();
        }
    }

    #[test]
    fn registered_memory_can_come_and_go() {
        let memory = Memory::new(0);
        let bytes = vec![7u8; 4096];
        let base = bytes.as_ptr() as u64;
        for _ in 0..2 {
            // SAFETY: `bytes` outlives the registration.
            unsafe { memory.register(base, 4096, Kind::Registered, "") }.unwrap();
            // SAFETY: as above; this one is refused.
            let again = unsafe { memory.register(base + 8, 8, Kind::Registered, "") };
            assert!(matches!(again, Err(AllocError::Overlap { .. })));
            assert!(memory.find(base + 4095).unwrap().live);
            memory.unregister(base).unwrap();
            assert!(!memory.find(base).unwrap().live);
        }
        assert!(memory.unregister(base).is_err());
    }
}
