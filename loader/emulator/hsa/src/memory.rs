//! Buffers: what programs allocate from pools, lock, and give agents access to.
//!
//! Every GPU has an address space of its own ([`Memory`]): its own memory, and whatever it was
//! given access to. A kernel that touches memory which its GPU was not given faults, as it would
//! on a machine; that is how a forgotten `hsa_amd_agents_allow_access` is found.

use std::collections::BTreeMap;
use std::ffi::c_void;
use std::sync::{Arc, Mutex};

use emulator::memory::{Allocation, Kind, Memory};
use hsa_sys::*;

use crate::agent::{Agent, Gpu};
use crate::border::{lock, say_once};
use crate::pool::{Pool, Sort};
use crate::runtime::Runtime;
use crate::status::{Result, Status};

/// Where a buffer's bytes come from.
#[derive(Clone)]
pub enum Origin {
    /// A pool.
    Pool(Pool),
    /// The program's own memory, locked so many times.
    Locked(u32),
}

/// A function to call when a buffer is freed.
#[derive(Clone, Copy)]
pub struct Farewell {
    callback: unsafe extern "C" fn(*mut c_void, *mut c_void),
    user_data: usize,
}

/// A range of memory that GPUs may have access to.
#[derive(Clone)]
pub struct Buffer {
    /// First byte.
    pub base: u64,
    /// Bytes.
    pub len: u64,
    /// Where its bytes come from.
    pub origin: Origin,
    /// The GPUs that have access.
    pub gpus: Vec<Arc<Gpu>>,
    /// What `hsa_amd_pointer_info_set_userdata` keeps there: an address of the program's.
    pub user_data: usize,
    farewells: Vec<Farewell>,
}

impl Buffer {
    /// The GPU that the memory belongs to.
    pub fn owner(&self) -> Option<&Arc<Gpu>> {
        match &self.origin {
            Origin::Pool(pool) => pool.agent.gpu(),
            Origin::Locked(_) => None,
        }
    }

    fn has_access(&self, gpu: &Gpu) -> bool {
        self.gpus.iter().any(|one| one.index == gpu.index)
    }

    fn label(&self) -> &'static str {
        match &self.origin {
            Origin::Pool(pool) if pool.sort == Sort::HostKernarg => "(kernel arguments)",
            _ => "",
        }
    }

    /// Lets exactly these GPUs, and its owner, have access.
    fn set_access(&mut self, gpus: Vec<Arc<Gpu>>) -> Result {
        let owner = self.owner().map(|gpu| gpu.index);
        let borrowed = |gpu: &Gpu| Some(gpu.index) != owner;
        let kind = match self.origin {
            Origin::Pool(_) => Kind::Pinned,
            Origin::Locked(_) => Kind::Registered,
        };
        for gpu in gpus.iter().filter(|gpu| borrowed(gpu) && !self.has_access(gpu)) {
            // SAFETY: pool memory stays mapped at least until it is freed, which ends the access;
            // locked memory is the program's, which promises to keep it until it unlocks it. Races
            // with the host are the program's.
            unsafe { gpu.memory.register(self.base, self.len, kind, self.label()) }.map_err(|error| {
                say_once(&format!("no access to {:#x}: {error}", self.base));
                Status::ERROR
            })?;
        }
        let kept = |gpu: &Gpu| gpus.iter().any(|one| one.index == gpu.index);
        for gpu in self.gpus.iter().filter(|gpu| borrowed(gpu) && !kept(gpu)) {
            // It was registered when access was given.
            let _ = gpu.memory.unregister(self.base);
        }
        let owner = self.owner().cloned().filter(|owner| !kept(owner));
        self.gpus = owner.into_iter().chain(gpus).collect();
        Ok(())
    }

    /// Takes access away from all but the owner.
    fn end_access(&mut self) {
        // Taking away cannot fail.
        let _ = self.set_access(Vec::new());
    }
}

/// All buffers, by their first byte.
#[derive(Default)]
pub struct Buffers {
    table: Mutex<BTreeMap<u64, Buffer>>,
}

impl Buffers {
    /// The buffer that contains an address.
    pub fn containing(&self, address: u64) -> Option<Buffer> {
        let table = lock(&self.table);
        let (_, buffer) = table.range(..=address).next_back()?;
        (address - buffer.base < buffer.len).then(|| buffer.clone())
    }

    /// Runs something with the buffer that starts at an address.
    fn with<R>(&self, address: u64, action: impl FnOnce(&mut Buffer) -> Result<R>) -> Result<R> {
        action(lock(&self.table).get_mut(&address).ok_or(Status::ALLOCATION)?)
    }

    /// As [`with`](Self::with), for addresses anywhere in it.
    fn with_containing<R>(&self, address: u64, action: impl FnOnce(&mut Buffer) -> Result<R>) -> Result<R> {
        let mut table = lock(&self.table);
        let found = table.range_mut(..=address).next_back();
        let (_, buffer) = found.ok_or(Status::ALLOCATION)?;
        if address - buffer.base >= buffer.len {
            return Err(Status::ALLOCATION);
        }
        action(buffer)
    }

    fn add(&self, buffer: Buffer) {
        lock(&self.table).insert(buffer.base, buffer);
    }
}

/// From here on, allocations start at a multiple of this, as LLVM's device allocator expects.
const LARGE: u64 = 2 << 20;

impl Runtime {
    /// The address space in which a pool allocates.
    fn backing<'a>(&'a self, pool: &'a Pool) -> (&'a Memory, Kind) {
        match &pool.agent {
            Agent::Host => (&self.host, Kind::Pinned),
            Agent::Gpu(gpu) => (&gpu.memory, Kind::Device),
        }
    }

    /// Allocates memory of a pool; only the pool's owner has access.
    pub fn allocate(&self, pool: Pool, len: usize) -> Result<u64> {
        if len == 0 || !pool.can_allocate() {
            return Err(if len == 0 { Status::ARGUMENT } else { Status::ALLOCATION });
        }
        let (memory, kind) = self.backing(&pool);
        let align = if len as u64 >= LARGE { LARGE } else { 4096 };
        // An answer like any other, as from the CUDA driver's side: a program may ask for more than there is.
        let base = memory
            .alloc(kind, len as u64, align, "")
            .map_err(|_| Status::OUT_OF_RESOURCES)?;
        self.buffers.add(Buffer {
            base,
            len: len as u64,
            gpus: pool.agent.gpu().cloned().into_iter().collect(),
            origin: Origin::Pool(pool),
            user_data: 0,
            farewells: Vec::new(),
        });
        Ok(base)
    }

    /// Frees memory of a pool.
    pub fn free(&self, base: u64) -> Result {
        let mut buffer = {
            let mut table = lock(&self.buffers.table);
            match table.get(&base) {
                Some(buffer) if matches!(buffer.origin, Origin::Pool(_)) => {}
                _ => return Err(Status::ALLOCATION),
            }
            table.remove(&base).ok_or(Status::ALLOCATION)?
        };
        for farewell in std::mem::take(&mut buffer.farewells) {
            let pointer = base as *mut c_void;
            // SAFETY: the program's function, called as the interface says.
            unsafe { (farewell.callback)(pointer, farewell.user_data as *mut c_void) };
        }
        buffer.end_access();
        if let Origin::Pool(pool) = &buffer.origin {
            let (memory, kind) = self.backing(pool);
            memory.free(base, &[kind]).map_err(|_| Status::ALLOCATION)?;
        }
        Ok(())
    }

    /// Lets exactly these agents, and the owner, use a buffer. The host can use all.
    pub fn allow_access(&self, address: u64, agents: &[hsa_agent_t]) -> Result {
        let gpus = self.gpus_of(agents)?;
        self.buffers.with_containing(address, |buffer| buffer.set_access(gpus))
    }

    fn gpus_of(&self, agents: &[hsa_agent_t]) -> Result<Vec<Arc<Gpu>>> {
        let mut gpus: Vec<Arc<Gpu>> = Vec::new();
        for agent in agents {
            if let Agent::Gpu(gpu) = self.agent(*agent)?
                && gpus.iter().all(|one| one.index != gpu.index)
            {
                gpus.push(gpu);
            }
        }
        Ok(gpus)
    }

    /// Locks the program's own memory for agents (none: all). Addresses stay the same.
    pub fn lock_memory(&self, base: u64, len: usize, agents: &[hsa_agent_t]) -> Result {
        let wanted = match agents {
            [] => self.gpus.clone(),
            agents => self.gpus_of(agents)?,
        };
        if base.checked_add(len as u64).is_none() {
            return Err(Status::ARGUMENT);
        }
        let mut table = lock(&self.buffers.table);
        let before = table.range_mut(..base + len as u64).next_back();
        if let Some((_, buffer)) = before
            && buffer.base + buffer.len > base
        {
            return match &mut buffer.origin {
                // Locked memory may be locked again, by the same or fewer bytes.
                Origin::Locked(times) if buffer.base == base && len as u64 <= buffer.len => {
                    *times += 1;
                    let more = wanted.into_iter().filter(|gpu| !buffer.has_access(gpu));
                    let all = buffer.gpus.iter().cloned().chain(more).collect();
                    buffer.set_access(all)
                }
                _ => {
                    say_once(&format!(
                        "hsa_amd_memory_lock: {len} bytes at {base:#x} overlap {} bytes at {:#x}",
                        buffer.len, buffer.base
                    ));
                    Err(Status::ARGUMENT)
                }
            };
        }
        let mut buffer = Buffer {
            base,
            len: len as u64,
            origin: Origin::Locked(1),
            gpus: Vec::new(),
            user_data: 0,
            farewells: Vec::new(),
        };
        buffer.set_access(wanted)?;
        table.insert(base, buffer);
        Ok(())
    }

    /// Unlocks memory. What was not locked is left alone, as the real runtime does.
    pub fn unlock_memory(&self, base: u64) {
        let mut table = lock(&self.buffers.table);
        let Some(buffer) = table.get_mut(&base) else { return };
        let Origin::Locked(times) = &mut buffer.origin else {
            return;
        };
        *times -= 1;
        if *times == 0 {
            buffer.end_access();
            table.remove(&base);
        }
    }

    /// What lies at an address, on any agent: buffers, and what was loaded.
    pub fn find(&self, address: u64) -> Option<Allocation> {
        let host = std::iter::once(&self.host);
        let gpus = self.gpus.iter().map(|gpu| &gpu.memory);
        host.chain(gpus)
            .filter_map(|memory| memory.find(address))
            .find(|allocation| allocation.live)
    }

    /// Checks a range for copies and fills: it must lie in something that agents know.
    pub fn check_range(&self, address: u64, len: usize) -> Result {
        let allocation = self.find(address).ok_or(Status::ALLOCATION)?;
        let rest = allocation.len - (address - allocation.base);
        if (len as u64) <= rest {
            Ok(())
        } else {
            Err(Status::ALLOCATION)
        }
    }

    /// Sets the address that is kept with a buffer.
    pub fn set_user_data(&self, address: u64, user_data: usize) -> Result {
        self.buffers.with_containing(address, |buffer| {
            buffer.user_data = user_data;
            Ok(())
        })
    }

    /// Has a function called when a buffer is freed.
    pub fn add_farewell(
        &self,
        base: u64,
        callback: unsafe extern "C" fn(*mut c_void, *mut c_void),
        user_data: *mut c_void,
    ) -> Result {
        let farewell = Farewell {
            callback,
            user_data: user_data as usize,
        };
        self.buffers.with(base, |buffer| {
            buffer.farewells.push(farewell);
            Ok(())
        })
    }

    /// Takes that back.
    pub fn remove_farewell(&self, base: u64, callback: unsafe extern "C" fn(*mut c_void, *mut c_void)) -> Result {
        self.buffers.with(base, |buffer| {
            let same = |one: &Farewell| std::ptr::fn_addr_eq(one.callback, callback);
            let at = buffer.farewells.iter().position(same).ok_or(Status::ARGUMENT)?;
            buffer.farewells.remove(at);
            Ok(())
        })
    }
}
