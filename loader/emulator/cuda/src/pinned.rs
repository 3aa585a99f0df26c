//! Host memory that devices see: allocated here, or registered.
//!
//! All devices see it, whatever the flags say, at the address where the host sees it.

use std::ffi::{c_uint, c_void};

use emulator::memory::Kind;

use crate::border::{Out, entries};
use crate::context::{self, CONTEXTS, Context};
use crate::driver::driver_from_anywhere;
use crate::memory::{Owner, add_owner, owner_of, remove_owner};
use crate::status::{Result, Status};

/// Portable, mapped into the device, write-combined.
const ALLOCATION_FLAGS: c_uint = 0b111;
/// Portable, mapped into the device, memory of a device, read-only.
const REGISTRATION_FLAGS: c_uint = 0b1111;
/// Mapped into the device: always so in one address space.
const DEVICE_MAP: c_uint = 2;
/// What pinned memory begins at a multiple of.
const PAGE: u64 = 4096;

fn allocate(context: &Context, size: usize, flags: c_uint) -> Result<u64> {
    let home = &context.device;
    let base = home.memory.alloc(Kind::Pinned, size as u64, PAGE, "")?;
    let owner = owner(context, base, size, Kind::Pinned, flags);
    for device in driver_from_anywhere()?
        .devices
        .iter()
        .filter(|device| device.ordinal != home.ordinal)
    {
        // SAFETY: the memory lives until `give_back` has ended this registration; host and
        // kernels that use it at the same time are what it is for.
        unsafe { device.memory.register(base, size as u64, Kind::Pinned, "") }?;
    }
    add_owner(owner);
    Ok(base)
}

fn owner(context: &Context, base: u64, size: usize, kind: Kind, flags: c_uint) -> Owner {
    Owner {
        base,
        size: size as u64,
        kind,
        context: context.handle,
        device: context.device.ordinal,
        flags: flags | DEVICE_MAP,
        pool: None,
        leaving: false,
    }
}

/// Ends an allocation or registration that is out of the table already.
pub fn give_back(owner: &Owner) -> Result {
    for device in &driver_from_anywhere()?.devices {
        if owner.kind == Kind::Pinned && device.ordinal == owner.device {
            continue;
        }
        device.memory.unregister(owner.base)?;
    }
    if owner.kind == Kind::Pinned {
        driver_from_anywhere()?.devices[owner.device]
            .memory
            .free(owner.base, &[Kind::Pinned])?;
    }
    Ok(())
}

/// Ends an allocation or registration after all that is queued in its context, which may use it.
fn end(address: *mut c_void, kind: Kind, otherwise: Status) -> Result {
    context::current()?;
    let address = address as u64;
    let known = owner_of(address).filter(|owner| owner.base == address && owner.kind == kind);
    if let Ok(context) = CONTEXTS.get(known.ok_or(otherwise)?.context) {
        context.drain();
    }
    give_back(&remove_owner(address, |owner| owner.kind == kind).ok_or(otherwise)?)
}

/// Whether all pages of a range are mapped into this process.
fn is_mapped(base: u64, size: usize) -> bool {
    let first = base / PAGE * PAGE;
    let pages = (base + size as u64 - first).div_ceil(PAGE) as usize;
    // One byte for each page of at most this many pages at once.
    let mut resident = [0u8; 4096];
    (0..pages).step_by(resident.len()).all(|page| {
        let bytes = (pages - page).min(resident.len()) * PAGE as usize;
        let start = first + page as u64 * PAGE;
        // SAFETY: mincore only looks at the page tables, and writes one byte per page of the
        // range, which are at most as many as the array has.
        unsafe { libc::mincore(start as *mut c_void, bytes, resident.as_mut_ptr()) == 0 }
    })
}

fn pinned_at(address: *mut c_void) -> Result<Owner> {
    let owner = owner_of(address as u64).ok_or(Status::INVALID_VALUE)?;
    if matches!(owner.kind, Kind::Pinned | Kind::Registered) {
        Ok(owner)
    } else {
        Err(Status::INVALID_VALUE)
    }
}

entries! {
    /// Allocates pinned memory.
    fn cuMemAllocHost_v2 | cuMemAllocHost(address: Out<*mut c_void>, size: usize) {
        address.check()?;
        address.set(allocate(&*context::current()?, size, 0)? as *mut c_void)
    }

    /// Allocates pinned memory with flags, which change nothing here.
    fn cuMemHostAlloc(address: Out<*mut c_void>, size: usize, flags: c_uint) {
        address.check()?;
        let context = context::current()?;
        if flags & !ALLOCATION_FLAGS != 0 {
            return Err(Status::INVALID_VALUE);
        }
        address.set(allocate(&context, size, flags)? as *mut c_void)
    }

    /// Frees pinned memory. Null is fine.
    fn cuMemFreeHost(address: *mut c_void) {
        if address.is_null() {
            return context::current().map(drop);
        }
        end(address, Kind::Pinned, Status::INVALID_VALUE)
    }

    /// Lets devices see memory of the host's own.
    fn cuMemHostRegister_v2 | cuMemHostRegister(address: *mut c_void, size: usize, flags: c_uint) {
        let context = context::current()?;
        let base = address as u64;
        if base == 0 || size == 0 || flags & !REGISTRATION_FLAGS != 0 || base.checked_add(size as u64).is_none() {
            return Err(Status::INVALID_VALUE);
        }
        if !is_mapped(base, size) {
            return Err(Status::INVALID_VALUE);
        }
        let devices = &driver_from_anywhere()?.devices;
        for (at, device) in devices.iter().enumerate() {
            // SAFETY: the caller keeps the memory until it is unregistered, which is the contract
            // of this entry point; that it is there now was just seen.
            let registered = unsafe { device.memory.register(base, size as u64, Kind::Registered, "") };
            if let Err(error) = registered {
                for device in &devices[..at] {
                    device.memory.unregister(base)?;
                }
                return Err(error.into());
            }
        }
        add_owner(owner(&context, base, size, Kind::Registered, flags));
        Ok(())
    }

    /// Ends a registration.
    fn cuMemHostUnregister(address: *mut c_void) {
        end(address, Kind::Registered, Status::HOST_MEMORY_NOT_REGISTERED)
    }

    /// Where the device sees pinned memory: where the host sees it.
    fn cuMemHostGetDevicePointer_v2(device: Out<u64>, host: *mut c_void, flags: c_uint) {
        device.check()?;
        context::current()?;
        if flags != 0 {
            return Err(Status::INVALID_VALUE);
        }
        pinned_at(host)?;
        device.set(host as u64)
    }

    /// The flags of pinned memory.
    fn cuMemHostGetFlags(flags: Out<c_uint>, host: *mut c_void) {
        flags.check()?;
        context::current()?;
        flags.set(pinned_at(host)?.flags)
    }
}
