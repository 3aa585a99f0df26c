//! What can be wrong with an access, an allocation, a release.

use super::{Access, Allocation};

/// Why an access is not allowed.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum AccessError {
    /// In the first page.
    #[error("{addr:#x} is a null pointer (plus an offset)")]
    Null {
        /// First byte of the access.
        addr: u64,
    },
    /// Starts inside a live allocation and ends outside.
    #[error("{addr:#x} is {inside} bytes into {allocation}: {len} bytes do not fit")]
    PastEnd {
        /// First byte of the access.
        addr: u64,
        /// Bytes accessed.
        len: u64,
        /// Offset of `addr` in the allocation.
        inside: u64,
        /// What it starts in.
        allocation: Allocation,
    },
    /// In no allocation.
    #[error("{addr:#x} belongs to no allocation{}", nearest(*addr, .below, .above))]
    Unmapped {
        /// First byte of the access.
        addr: u64,
        /// The allocation that ends before `addr`, if any is near.
        below: Option<Allocation>,
        /// The allocation that begins behind `addr`, if any is near.
        above: Option<Allocation>,
    },
    /// In memory that has been freed.
    #[error("{addr:#x} is {inside} bytes into {allocation}")]
    Freed {
        /// First byte of the access.
        addr: u64,
        /// Offset of `addr` in the allocation.
        inside: u64,
        /// What it was.
        allocation: Allocation,
    },
    /// A store to constant memory, or data access to code.
    #[error("{addr:#x} lies in {allocation}, which does not allow a {}", .access.words())]
    Forbidden {
        /// First byte of the access.
        addr: u64,
        /// What was tried.
        access: Access,
        /// Where.
        allocation: Allocation,
    },
}

fn nearest(addr: u64, below: &Option<Allocation>, above: &Option<Allocation>) -> String {
    let mut text = String::new();
    if let Some(a) = below {
        text += &format!(", {} bytes past the end of {a}", addr - (a.base + a.len));
    }
    if let Some(a) = above {
        text += &format!(", {} bytes before {a}", a.base - addr);
    }
    text
}

/// Why memory could not be handed out.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum AllocError {
    /// The device has not enough left.
    #[error("out of memory: {wanted} bytes asked, {left} of {limit} left")]
    OutOfMemory {
        /// Bytes asked for.
        wanted: u64,
        /// Bytes not yet handed out.
        left: u64,
        /// Bytes the device has.
        limit: u64,
    },
    /// The host has no more address space.
    #[error("the host cannot map {wanted} more bytes")]
    Host {
        /// Bytes asked for.
        wanted: u64,
    },
    /// Size 0, or an alignment that is no power of two.
    #[error("no allocation has {size} bytes at alignment {align}")]
    Invalid {
        /// Bytes asked for.
        size: u64,
        /// Alignment asked for.
        align: u64,
    },
    /// A range to register overlaps one that is known.
    #[error("{base:#x} overlaps {other}")]
    Overlap {
        /// Start of the range.
        base: u64,
        /// What is there.
        other: Box<Allocation>,
    },
}

/// Why memory could not be taken back.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum FreeError {
    /// The address is not the start of an allocation.
    #[error("{0:#x} is not the start of an allocation")]
    Unknown(u64),
    /// Freed before.
    #[error("{0} freed again")]
    Twice(Allocation),
    /// Another call frees this kind.
    #[error("{0} cannot be freed this way")]
    WrongKind(Allocation),
}
