//! Memory of devices: who owns which range, and the entry points that allocate and free it.

use std::collections::BTreeMap;
use std::ffi::{c_int, c_uint};
use std::sync::{Arc, Mutex};

use emulator::memory::{AllocError, FreeError, Kind};

use crate::border::{Out, entries};
use crate::context::{self, CONTEXTS, Context};
use crate::device::Device;
use crate::driver::driver_from_anywhere;
use crate::lock;
use crate::status::{Result, Status};

/// What an allocation of this library belongs to. Variables of modules are not here: the
/// device's own table knows them.
#[derive(Clone, Debug)]
pub struct Owner {
    /// First address.
    pub base: u64,
    /// Bytes.
    pub size: u64,
    /// What it is.
    pub kind: Kind,
    /// Handle of the context that it was allocated in.
    pub context: usize,
    /// The device that the context is on.
    pub device: usize,
    /// The flags that it was allocated or registered with.
    pub flags: c_uint,
    /// Handle of the pool that it came from.
    pub pool: Option<usize>,
    /// Freed in the order of a stream, which has not come to it yet.
    pub leaving: bool,
}

/// All allocations of the process by their first address: one address space holds all devices.
static OWNERS: Mutex<BTreeMap<u64, Owner>> = Mutex::new(BTreeMap::new());

/// The alignment that the driver promises, and that of whole large pages.
const ALIGNMENT: u64 = 256;
const LARGE: u64 = 2 << 20;
/// What rows of pitched memory are a multiple of.
const PITCH: usize = 512;

impl From<AllocError> for Status {
    fn from(error: AllocError) -> Status {
        match error {
            AllocError::OutOfMemory { .. } | AllocError::Host { .. } => Status::OUT_OF_MEMORY,
            AllocError::Invalid { .. } => Status::INVALID_VALUE,
            AllocError::Overlap { .. } => Status::HOST_MEMORY_ALREADY_REGISTERED,
        }
    }
}

impl From<FreeError> for Status {
    fn from(_: FreeError) -> Status {
        Status::INVALID_VALUE
    }
}

/// Notes who owns a new allocation.
pub fn add_owner(owner: Owner) {
    lock(&OWNERS).insert(owner.base, owner);
}

/// The allocation of this library that holds an address.
pub fn owner_of(address: u64) -> Option<Owner> {
    let owners = lock(&OWNERS);
    let (_, owner) = owners.range(..=address).next_back()?;
    (address - owner.base < owner.size).then(|| owner.clone())
}

/// Takes an allocation out of the table, if it starts at `address` and `may` say so.
pub fn remove_owner(address: u64, may: impl FnOnce(&Owner) -> bool) -> Option<Owner> {
    let mut owners = lock(&OWNERS);
    owners.get(&address).is_some_and(may).then(|| owners.remove(&address))?
}

/// Marks an allocation as freed in the order of a stream, once.
pub fn mark_leaving(address: u64) -> Option<Owner> {
    let mut owners = lock(&OWNERS);
    let owner = owners
        .get_mut(&address)
        .filter(|owner| is_device(owner) && !owner.leaving)?;
    owner.leaving = true;
    Some(owner.clone())
}

/// Whether `cuMemFree` and its like may free it.
pub fn is_device(owner: &Owner) -> bool {
    matches!(owner.kind, Kind::Device | Kind::Managed)
}

/// Allocates memory of a context's device.
pub fn allocate(context: &Context, kind: Kind, size: u64, pool: Option<usize>) -> Result<u64> {
    let alignment = if size >= LARGE { LARGE } else { ALIGNMENT };
    let base = context.device.memory.alloc(kind, size, alignment, "")?;
    add_owner(Owner {
        base,
        size,
        kind,
        context: context.handle,
        device: context.device.ordinal,
        flags: 0,
        pool,
        leaving: false,
    });
    Ok(base)
}

/// Gives memory back that is out of the table already.
pub fn give_back(owner: &Owner) -> Result {
    let device = &driver_from_anywhere()?.devices[owner.device];
    device.memory.free(owner.base, &[owner.kind])?;
    if let Some(pool) = owner.pool.and_then(|pool| crate::pool::POOLS.get(pool).ok()) {
        pool.give_back(owner.size);
    }
    Ok(())
}

/// Frees all that was allocated in a context that is going away.
pub fn forget_context(context: &Arc<Context>) {
    let gone: Vec<Owner> = lock(&OWNERS)
        .extract_if(.., |_, owner| owner.context == context.handle)
        .map(|(_, o)| o)
        .collect();
    for owner in gone {
        // What cannot be freed any more, the context that goes away takes with it.
        let _ = match owner.kind {
            Kind::Pinned | Kind::Registered => crate::pinned::give_back(&owner),
            _ => give_back(&owner),
        };
    }
}

/// A range that a caller may name: live memory of some device.
#[derive(Clone)]
pub struct Range {
    /// First address of the allocation.
    pub base: u64,
    /// Its bytes.
    pub size: u64,
    /// What it is.
    pub kind: Kind,
    /// Where it is.
    pub device: Arc<Device>,
    /// Counts allocations.
    pub id: u64,
}

/// The live allocation or variable that holds an address, on whatever device.
pub fn find(address: u64) -> Option<Range> {
    let devices = &driver_from_anywhere().ok()?.devices;
    // Pinned memory is known to all devices, but belongs to one.
    let owner = owner_of(address).map(|owner| owner.device);
    let candidates = match owner {
        Some(device) => &devices[device..=device],
        None => &devices[..],
    };
    candidates.iter().find_map(|device| {
        let found = device.memory.find(address).filter(|found| found.live)?;
        Some(Range {
            base: found.base,
            size: found.len,
            kind: found.kind,
            device: device.clone(),
            id: found.id,
        })
    })
}

entries! {
    /// Bytes of the current device that are free, and that there are.
    fn cuMemGetInfo_v2(free: Out<usize>, total: Out<usize>) {
        let memory = &context::current()?.device.memory;
        free.check()?;
        total.set(memory.limit() as usize)?;
        free.set(memory.limit().saturating_sub(memory.used()) as usize)
    }

    /// Allocates device memory.
    fn cuMemAlloc_v2(address: Out<u64>, size: usize) {
        address.check()?;
        address.set(allocate(&*context::current()?, Kind::Device, size as u64, None)?)
    }

    /// Allocates device memory for rows that begin at well-aligned addresses.
    fn cuMemAllocPitch_v2(
        address: Out<u64>,
        pitch: Out<usize>,
        width: usize,
        height: usize,
        element: c_uint,
    ) {
        address.check()?;
        pitch.check()?;
        let context = context::current()?;
        if !matches!(element, 4 | 8 | 16) || width == 0 || height == 0 {
            return Err(Status::INVALID_VALUE);
        }
        let row = width.checked_next_multiple_of(PITCH).ok_or(Status::INVALID_VALUE)?;
        let size = row.checked_mul(height).ok_or(Status::OUT_OF_MEMORY)?;
        address.set(allocate(&context, Kind::Device, size as u64, None)?)?;
        pitch.set(row)
    }

    /// Allocates memory that host and device share.
    fn cuMemAllocManaged(address: Out<u64>, size: usize, flags: c_uint) {
        const GLOBAL: c_uint = 1;
        const HOST: c_uint = 2;
        address.check()?;
        let context = context::current()?;
        if !matches!(flags, GLOBAL | HOST) {
            return Err(Status::INVALID_VALUE);
        }
        address.set(allocate(&context, Kind::Managed, size as u64, None)?)
    }

    /// Frees device memory, after all that is queued in the context: so do real drivers, and
    /// programs rely on it. Null is fine.
    fn cuMemFree_v2(address: u64) {
        let context = context::current()?;
        if address == 0 {
            return Ok(());
        }
        let owner = owner_of(address).filter(|owner| owner.base == address && is_device(owner));
        let owner = owner.ok_or(Status::INVALID_VALUE)?;
        if let Ok(other) = CONTEXTS.get(owner.context) {
            other.drain();
        }
        context.drain();
        let owner = remove_owner(address, |owner| is_device(owner) && !owner.leaving);
        give_back(&owner.ok_or(Status::INVALID_VALUE)?)
    }

    /// The allocation or variable that holds an address.
    fn cuMemGetAddressRange_v2(base: Out<u64>, size: Out<usize>, address: u64) {
        context::current()?;
        let range = find(address).ok_or(Status::NOT_FOUND)?;
        base.set_if_wanted(range.base);
        size.set_if_wanted(range.size as usize);
        Ok(())
    }

    /// Advice about managed memory changes nothing here.
    fn cuMemAdvise(address: u64, size: usize, advice: c_uint, device: c_int) {
        let _ = device;
        advise(address, size, advice)
    }

    /// Advice about managed memory changes nothing here.
    fn cuMemAdvise_v2(address: u64, size: usize, advice: c_uint, place: Location) {
        let _ = place;
        advise(address, size, advice)
    }
}

/// Where memory is or shall be: a kind (1: device, 2: host, …) and a number.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Location {
    /// The kind of place.
    pub kind: c_uint,
    /// Which of these.
    pub id: c_int,
}

impl Location {
    /// A device, by its ordinal.
    pub const DEVICE: c_uint = 1;
    /// The host.
    pub const HOST: c_uint = 2;
}

fn advise(address: u64, size: usize, advice: c_uint) -> Result {
    context::current()?;
    if !(1..=6).contains(&advice) {
        return Err(Status::INVALID_VALUE);
    }
    check_managed(address, size)
}

/// Whether the whole range lies in one piece of managed memory.
pub fn check_managed(address: u64, size: usize) -> Result {
    let range = find(address)
        .filter(|range| range.kind == Kind::Managed)
        .ok_or(Status::INVALID_VALUE)?;
    if size == 0 || size as u64 > range.base + range.size - address {
        return Err(Status::INVALID_VALUE);
    }
    Ok(())
}
