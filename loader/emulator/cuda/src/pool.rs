//! Memory in the order of streams: pools, and allocations that come and go with queued work.

use std::ffi::{c_int, c_uint, c_void};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex};

use emulator::memory::Kind;

use crate::border::{In, Out, entries};
use crate::context::Context;
use crate::driver::driver;
use crate::handle::Table;
use crate::lock;
use crate::memory::{self, Location};
use crate::queue::Point;
use crate::status::{Result, Status};
use crate::stream;

/// All pools that there are.
pub static POOLS: Table<Pool> = Table::new(2);

/// A pool of device memory. It keeps nothing back: what is freed is the device's again.
pub struct Pool {
    /// Its handle.
    pub handle: usize,
    /// The device whose memory it hands out.
    pub device: usize,
    /// Most bytes that it hands out at a time; 0: as many as there are.
    most: u64,
    used: AtomicU64,
    used_high: AtomicU64,
    /// The attributes that can be set, from `REUSE_FOLLOW_EVENT_DEPENDENCIES` on.
    settings: Mutex<[u64; 4]>,
    /// Frees that are queued but not done.
    leaving: Mutex<Vec<Point>>,
}

/// Attributes of pools, by the numbers of the public interface.
mod attribute {
    pub const RELEASE_THRESHOLD: u32 = 4;
    pub const RESERVED_MEM_CURRENT: u32 = 5;
    pub const RESERVED_MEM_HIGH: u32 = 6;
    pub const USED_MEM_CURRENT: u32 = 7;
    pub const USED_MEM_HIGH: u32 = 8;
    pub const ALLOCATION_TYPE: u32 = 9;
    pub const EXPORT_HANDLE_TYPES: u32 = 10;
    pub const LOCATION_ID: u32 = 11;
    pub const LOCATION_TYPE: u32 = 12;
    pub const MAX_POOL_SIZE: u32 = 13;
    pub const HW_DECOMPRESS_ENABLED: u32 = 14;
}

/// Memory that stays where it is: the only type that pools of devices have here.
const PINNED: c_uint = 1;
/// Access of a device to memory: read and write.
const READ_WRITE: c_uint = 3;

/// A new pool.
pub fn create(device: usize, most: u64) -> Arc<Pool> {
    POOLS.insert(|handle| Pool {
        handle,
        device,
        most,
        used: 0.into(),
        used_high: 0.into(),
        settings: Mutex::new([1, 1, 1, 0]),
        leaving: Mutex::default(),
    })
}

impl Pool {
    fn take(&self, size: u64) -> Result {
        let enough = |used: u64| used.checked_add(size).filter(|sum| self.most == 0 || *sum <= self.most);
        let before = self.used.try_update(Ordering::Relaxed, Ordering::Relaxed, enough);
        let before = before.map_err(|_| Status::OUT_OF_MEMORY)?;
        self.used_high.fetch_max(before + size, Ordering::Relaxed);
        Ok(())
    }

    /// Notes that memory came back.
    pub fn give_back(&self, size: u64) {
        self.used.fetch_sub(size, Ordering::Relaxed);
    }

    fn allocate(&self, context: &Context, size: u64) -> Result<u64> {
        self.take(size)?;
        let address = memory::allocate(context, Kind::Device, size, Some(self.handle));
        address.inspect_err(|_| self.give_back(size))
    }

    /// Waits for frees that are queued. True if there were any.
    fn settle(&self) -> bool {
        let leaving = std::mem::take(&mut *lock(&self.leaving));
        leaving.iter().for_each(Point::wait);
        !leaving.is_empty()
    }
}

/// Allocates at once: memory that is there before its stream comes to it does no harm. Only when
/// there is none left, what streams are going to free is waited for.
fn allocate(address: Out<u64>, size: usize, pool: &Pool, stream: usize) -> Result {
    address.check()?;
    let lane = stream::lane(stream)?;
    lane.context.healthy()?;
    if size == 0 || lane.context.device.ordinal != pool.device {
        return Err(Status::INVALID_VALUE);
    }
    let mut base = pool.allocate(&lane.context, size as u64);
    if base == Err(Status::OUT_OF_MEMORY) && pool.settle() {
        base = pool.allocate(&lane.context, size as u64);
    }
    address.set(base?)
}

/// A pool as `cuMemPoolCreate` wants it described.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct Description {
    kind: c_uint,
    handle_types: c_uint,
    place: Location,
    security: *const c_void,
    most: usize,
    rest: [u8; 56],
}

/// What a device may do with the memory of a pool.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct AccessDescription {
    place: Location,
    access: c_uint,
}

fn device_of(place: Location) -> Result<usize> {
    if place.kind != Location::DEVICE {
        return Err(Status::NOT_SUPPORTED);
    }
    Ok(driver()?.device(place.id)?.ordinal)
}

entries! {
    /// Allocates from the current pool of the stream's device.
    fn cuMemAllocAsync @ cuMemAllocAsync_ptsz(address: Out<u64>, size: usize, stream: usize) {
        let device = stream::lane(stream)?.context.device.clone();
        let pool = lock(&device.current_pool).clone();
        allocate(address, size, &pool, stream)
    }

    /// Allocates from a pool.
    fn cuMemAllocFromPoolAsync @ cuMemAllocFromPoolAsync_ptsz(
        address: Out<u64>,
        size: usize,
        pool: usize,
        stream: usize,
    ) {
        allocate(address, size, &*POOLS.get(pool)?, stream)
    }

    /// Frees memory when the stream comes to it.
    fn cuMemFreeAsync @ cuMemFreeAsync_ptsz(address: u64, stream: usize) {
        let lane = stream::lane(stream)?;
        lane.context.healthy()?;
        if address == 0 {
            return Ok(());
        }
        let owner = memory::mark_leaving(address).ok_or(Status::INVALID_VALUE)?;
        let pool = owner.pool.and_then(|pool| POOLS.get(pool).ok());
        let point = lane.push(move |_| match memory::remove_owner(address, |owner| owner.leaving) {
            Some(owner) => memory::give_back(&owner),
            None => Ok(()), // Its context went away, and the memory with it.
        })?;
        if let Some(pool) = pool {
            let mut leaving = lock(&pool.leaving);
            leaving.retain(|point| !point.is_reached());
            leaving.push(point);
        }
        Ok(())
    }

    /// Makes a pool of device memory.
    fn cuMemPoolCreate(pool: Out<usize>, description: In<Description>) {
        pool.check()?;
        let wanted = description.get()?;
        if wanted.kind != PINNED || wanted.rest[2..].iter().any(|byte| *byte != 0) {
            return Err(Status::INVALID_VALUE);
        }
        if wanted.handle_types != 0 {
            return Err(Status::NOT_SUPPORTED);
        }
        pool.set(create(device_of(wanted.place)?, wanted.most as u64).handle)
    }

    /// Destroys a pool; memory that came from it stays until it is freed.
    fn cuMemPoolDestroy(pool: usize) {
        let pool = POOLS.get(pool)?;
        let device = &driver()?.devices[pool.device];
        if pool.handle == device.default_pool.handle {
            return Err(Status::INVALID_VALUE);
        }
        let mut current = lock(&device.current_pool);
        if current.handle == pool.handle {
            *current = device.default_pool.clone();
        }
        POOLS.remove(pool.handle).map(drop)
    }

    /// A pool keeps nothing back that could be trimmed.
    fn cuMemPoolTrimTo(pool: usize, _keep: usize) {
        POOLS.get(pool).map(drop)
    }

    /// Sets a property of a pool.
    fn cuMemPoolSetAttribute(pool: usize, which: c_uint, value: In<c_void>) {
        let pool = POOLS.get(pool)?;
        match which {
            1..attribute::RELEASE_THRESHOLD => {
                let value = In(value.0.cast::<c_int>()).get()?;
                lock(&pool.settings)[which as usize - 1] = u64::from(value != 0);
            }
            attribute::RELEASE_THRESHOLD => {
                lock(&pool.settings)[which as usize - 1] = In(value.0.cast::<u64>()).get()?;
            }
            attribute::RESERVED_MEM_HIGH | attribute::USED_MEM_HIGH => {
                if In(value.0.cast::<u64>()).get()? != 0 {
                    return Err(Status::INVALID_VALUE);
                }
                pool.used_high.store(pool.used.load(Ordering::Relaxed), Ordering::Relaxed);
            }
            _ => return Err(Status::INVALID_VALUE),
        }
        Ok(())
    }

    /// A property of a pool.
    fn cuMemPoolGetAttribute(pool: usize, which: c_uint, value: Out<c_void>) {
        let pool = POOLS.get(pool)?;
        let as_int = |of: c_int| Out(value.0.cast()).set(of);
        let as_u64 = |of: u64| Out(value.0.cast()).set(of);
        match which {
            1..attribute::RELEASE_THRESHOLD => as_int(lock(&pool.settings)[which as usize - 1] as c_int),
            attribute::RELEASE_THRESHOLD => as_u64(lock(&pool.settings)[which as usize - 1]),
            attribute::RESERVED_MEM_CURRENT | attribute::USED_MEM_CURRENT => {
                as_u64(pool.used.load(Ordering::Relaxed))
            }
            attribute::RESERVED_MEM_HIGH | attribute::USED_MEM_HIGH => {
                as_u64(pool.used_high.load(Ordering::Relaxed))
            }
            attribute::ALLOCATION_TYPE => as_int(PINNED as c_int),
            attribute::EXPORT_HANDLE_TYPES | attribute::HW_DECOMPRESS_ENABLED => as_int(0),
            attribute::LOCATION_ID => as_int(pool.device as c_int),
            attribute::LOCATION_TYPE => as_int(Location::DEVICE as c_int),
            attribute::MAX_POOL_SIZE => as_u64(pool.most),
            _ => Err(Status::INVALID_VALUE),
        }
    }

    /// The pool's own device always has access, others never.
    fn cuMemPoolSetAccess(pool: usize, list: In<AccessDescription>, count: usize) {
        let pool = POOLS.get(pool)?;
        if count > driver()?.devices.len() {
            return Err(Status::INVALID_VALUE);
        }
        for wanted in list.list(count)? {
            let is_own = device_of(wanted.place)? == pool.device;
            if is_own != (wanted.access == READ_WRITE) {
                return Err(Status::INVALID_DEVICE);
            }
        }
        Ok(())
    }

    /// The pool's own device always has access, others never.
    fn cuMemPoolGetAccess(access: Out<c_uint>, pool: usize, place: In<Location>) {
        let pool = POOLS.get(pool)?;
        let is_own = device_of(place.get()?)? == pool.device;
        access.set(if is_own { READ_WRITE } else { 0 })
    }

    /// The pool that stands for the memory of a device.
    fn cuMemGetDefaultMemPool(pool: Out<usize>, place: In<Location>, kind: c_uint) {
        let device = device_of(place.get()?)?;
        if kind != PINNED {
            return Err(Status::NOT_SUPPORTED);
        }
        pool.set(driver()?.devices[device].default_pool.handle)
    }

    /// The current pool of a device.
    fn cuMemGetMemPool(pool: Out<usize>, place: In<Location>, kind: c_uint) {
        let device = device_of(place.get()?)?;
        if kind != PINNED {
            return Err(Status::NOT_SUPPORTED);
        }
        pool.set(lock(&driver()?.devices[device].current_pool).handle)
    }

    /// Chooses the current pool of a device.
    fn cuMemSetMemPool(place: In<Location>, kind: c_uint, pool: usize) {
        let device = device_of(place.get()?)?;
        let pool = POOLS.get(pool)?;
        if kind != PINNED || pool.device != device {
            return Err(Status::INVALID_VALUE);
        }
        *lock(&driver()?.devices[device].current_pool) = pool;
        Ok(())
    }
}
