//! What a pointer leads to.

use std::ffi::{c_int, c_uint, c_void};

use emulator::memory::Kind;

use crate::border::{In, Out, entries};
use crate::context;
use crate::driver::driver;
use crate::memory::{self, Owner, Range};
use crate::status::{Result, Status};

/// Properties of pointers, by the numbers of the public interface.
mod attribute {
    pub const CONTEXT: u32 = 1;
    pub const MEMORY_TYPE: u32 = 2;
    pub const DEVICE_POINTER: u32 = 3;
    pub const HOST_POINTER: u32 = 4;
    pub const SYNC_MEMOPS: u32 = 6;
    pub const BUFFER_ID: u32 = 7;
    pub const IS_MANAGED: u32 = 8;
    pub const DEVICE_ORDINAL: u32 = 9;
    pub const IS_LEGACY_CUDA_IPC_CAPABLE: u32 = 10;
    pub const RANGE_START_ADDR: u32 = 11;
    pub const RANGE_SIZE: u32 = 12;
    pub const MAPPED: u32 = 13;
    pub const ALLOWED_HANDLE_TYPES: u32 = 14;
    pub const IS_GPU_DIRECT_RDMA_CAPABLE: u32 = 15;
    pub const ACCESS_FLAGS: u32 = 16;
    pub const MEMPOOL_HANDLE: u32 = 17;
    pub const MAPPING_SIZE: u32 = 18;
    pub const MAPPING_BASE_ADDR: u32 = 19;
    pub const MEMORY_BLOCK_ID: u32 = 20;
    pub const IS_HW_DECOMPRESS_CAPABLE: u32 = 21;
}

/// Where memory is: host or device.
const HOST: c_uint = 1;
const DEVICE: c_uint = 2;
/// A device may read and write.
const READ_WRITE: c_uint = 3;

/// What is known about a pointer.
struct Pointer {
    address: u64,
    range: Range,
    /// Nothing for variables of modules.
    owner: Option<Owner>,
}

impl Pointer {
    fn at(address: u64) -> Option<Pointer> {
        let range = memory::find(address)?;
        Some(Pointer {
            address,
            range,
            owner: memory::owner_of(address),
        })
    }

    fn is_host(&self) -> bool {
        matches!(self.range.kind, Kind::Pinned | Kind::Registered)
    }

    /// The handle of the context that it belongs to: variables count for the device's shared one.
    fn context(&self) -> usize {
        let shared = || {
            crate::lock(&self.range.device.primary)
                .context
                .as_ref()
                .map(|c| c.handle)
        };
        self.owner
            .as_ref()
            .map(|owner| owner.context)
            .or_else(shared)
            .unwrap_or(0)
    }

    /// Writes a property to where the caller wants it, in the property's own type.
    fn tell(&self, which: c_uint, to: Out<c_void>) -> Result {
        let as_u64 = |value: u64| Out(to.0.cast::<u64>()).set(value);
        let as_u32 = |value: c_uint| Out(to.0.cast::<c_uint>()).set(value);
        let as_bool = |value: bool| Out(to.0.cast::<u8>()).set(value.into());
        match which {
            attribute::CONTEXT => as_u64(self.context() as u64),
            attribute::MEMORY_TYPE => as_u32(if self.is_host() { HOST } else { DEVICE }),
            attribute::DEVICE_POINTER => as_u64(self.address),
            attribute::HOST_POINTER if self.is_host() || self.range.kind == Kind::Managed => as_u64(self.address),
            attribute::HOST_POINTER => Err(Status::INVALID_VALUE),
            attribute::SYNC_MEMOPS => as_bool(false),
            attribute::BUFFER_ID | attribute::MEMORY_BLOCK_ID => as_u64(self.range.id),
            attribute::IS_MANAGED => as_bool(self.range.kind == Kind::Managed),
            attribute::DEVICE_ORDINAL => as_u32(self.range.device.ordinal as c_uint),
            attribute::IS_LEGACY_CUDA_IPC_CAPABLE
            | attribute::IS_GPU_DIRECT_RDMA_CAPABLE
            | attribute::IS_HW_DECOMPRESS_CAPABLE => as_bool(false),
            attribute::RANGE_START_ADDR | attribute::MAPPING_BASE_ADDR => as_u64(self.range.base),
            attribute::RANGE_SIZE | attribute::MAPPING_SIZE => as_u64(self.range.size),
            attribute::MAPPED => as_bool(true),
            attribute::ALLOWED_HANDLE_TYPES => as_u64(0),
            attribute::ACCESS_FLAGS => as_u32(READ_WRITE),
            attribute::MEMPOOL_HANDLE => as_u64(self.owner.as_ref().and_then(|owner| owner.pool).unwrap_or(0) as u64),
            _ => Err(Status::INVALID_VALUE),
        }
    }
}

/// Writes the zero of a property: what the plural query says about pointers of the host's own.
fn tell_nothing(which: c_uint, to: Out<c_void>) -> Result {
    match which {
        attribute::MEMORY_TYPE | attribute::ACCESS_FLAGS => Out(to.0.cast::<c_uint>()).set(0),
        attribute::DEVICE_ORDINAL => Out(to.0.cast::<c_int>()).set(-2), // an invalid device
        attribute::SYNC_MEMOPS
        | attribute::IS_MANAGED
        | attribute::IS_LEGACY_CUDA_IPC_CAPABLE
        | attribute::IS_GPU_DIRECT_RDMA_CAPABLE
        | attribute::IS_HW_DECOMPRESS_CAPABLE
        | attribute::MAPPED => Out(to.0.cast::<u8>()).set(0),
        attribute::CONTEXT..=attribute::IS_HW_DECOMPRESS_CAPABLE => Out(to.0.cast::<u64>()).set(0),
        _ => Err(Status::INVALID_VALUE),
    }
}

entries! {
    /// One property of a pointer that devices know.
    fn cuPointerGetAttribute(value: Out<c_void>, which: c_uint, address: u64) {
        value.check()?;
        driver()?;
        Pointer::at(address).ok_or(Status::INVALID_VALUE)?.tell(which, value)
    }

    /// Several properties; for a pointer that no device knows they are all zero.
    fn cuPointerGetAttributes(
        count: c_uint,
        which: In<c_uint>,
        values: In<*mut c_void>,
        address: u64,
    ) {
        driver()?;
        let pointer = Pointer::at(address);
        let values = values.list(count as usize)?;
        for (which, value) in which.list(count as usize)?.into_iter().zip(values) {
            match &pointer {
                Some(pointer) => match pointer.tell(which, Out(value)) {
                    Err(Status::INVALID_VALUE) if which == attribute::HOST_POINTER => {
                        tell_nothing(which, Out(value))?;
                    }
                    told => told?,
                },
                None => tell_nothing(which, Out(value))?,
            }
        }
        Ok(())
    }

    /// Copies of this memory never are asynchronous to the host unless asked for, so the only
    /// property that can be set changes nothing.
    fn cuPointerSetAttribute(value: In<c_void>, which: c_uint, address: u64) {
        context::current()?;
        if which != attribute::SYNC_MEMOPS || value.0.is_null() {
            return Err(Status::INVALID_VALUE);
        }
        Pointer::at(address).map(drop).ok_or(Status::INVALID_VALUE)
    }
}
