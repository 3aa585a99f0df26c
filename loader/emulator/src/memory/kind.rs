//! What memory is for and how it is touched, with the words that faults use.

use std::fmt;
use std::sync::Arc;

/// What a range of memory is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Kind {
    /// Allocated by the host for the device (`cuMemAlloc`, a coarse-grained pool).
    Device,
    /// Host memory that the device sees, allocated by the driver.
    Pinned,
    /// Host memory allocated elsewhere and registered with the driver.
    Registered,
    /// Migrates between host and device (`cuMemAllocManaged`).
    Managed,
    /// A variable of a loaded module.
    Global,
    /// A read-only variable of a loaded module.
    Constant,
    /// Memory that the threads of one block share (LDS on AMD).
    Shared,
    /// Stacks of threads (scratch on AMD).
    Local,
    /// Arguments of a kernel.
    Kernarg,
    /// Allocated by a kernel with `malloc`.
    Heap,
    /// Function addresses: can be called, neither read nor written.
    Code,
}

impl Kind {
    /// The words a fault uses for it.
    pub fn words(self) -> &'static str {
        match self {
            Kind::Device => "device memory",
            Kind::Pinned => "pinned host memory",
            Kind::Registered => "registered host memory",
            Kind::Managed => "managed memory",
            Kind::Global => "global variable",
            Kind::Constant => "constant variable",
            Kind::Shared => "shared memory",
            Kind::Local => "local memory",
            Kind::Kernarg => "kernel parameters",
            Kind::Heap => "device heap",
            Kind::Code => "code",
        }
    }

    /// Whether allocations of this kind take from the device's memory ([`Memory::limit`](super::Memory::limit)).
    pub fn is_on_device(self) -> bool {
        matches!(self, Kind::Device | Kind::Managed | Kind::Global | Kind::Constant)
    }
}

/// A range of memory, as [`Memory::find`](super::Memory::find) describes it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Allocation {
    /// First address.
    pub base: u64,
    /// Length in bytes.
    pub len: u64,
    /// What it is for.
    pub kind: Kind,
    /// False once freed, as long as the address has not been handed out again.
    pub live: bool,
    /// A name for people, such as the symbol of a global variable; may be empty.
    pub label: Arc<str>,
    /// Counts allocations from 1, never reused: the buffer id of `cuPointerGetAttribute`.
    pub id: u64,
}

impl fmt::Display for Allocation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if !self.live {
            f.write_str("freed ")?;
        }
        f.write_str(self.kind.words())?;
        if !self.label.is_empty() {
            write!(f, " {}", self.label)?;
        }
        write!(f, " of {} bytes at {:#x}", self.len, self.base)
    }
}

/// How memory is touched.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Access {
    /// Load.
    Read,
    /// Store.
    Write,
    /// Read-modify-write.
    Atomic,
}

impl Access {
    /// The words a fault uses for it.
    pub fn words(self) -> &'static str {
        match self {
            Access::Read => "load",
            Access::Write => "store",
            Access::Atomic => "atomic operation",
        }
    }
}
