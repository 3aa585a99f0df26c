//! The seam to the interpreter: code objects into a GPU's memory, dispatches onto it.

use std::fmt;

use emulator::fault::{Fault, FaultKind};
use hsa_sys::*;

use crate::agent::Gpu;
use crate::queue::Queue;
use crate::status::Status;

/// Where kernels see memory that is not in the common address space.
pub struct Apertures {
    /// First address of what the work-items of a work-group share.
    pub group: u64,
    /// First address of what each work-item has for itself.
    pub private: u64,
}

/// Why a dispatch ended early.
pub struct Failure {
    /// What the queue's owner is told.
    pub status: Status,
    /// What people are told: one line.
    pub text: String,
    /// For a memory fault: the address, and `HSA_AMD_MEMORY_FAULT_…` bits.
    pub memory: Option<(u64, u32)>,
}

impl Failure {
    /// A failure in the words of its status.
    pub fn new(status: Status) -> Failure {
        let text = Status::text(status.0)
            .and_then(|text| text.to_str().ok())
            .unwrap_or_default();
        Failure {
            status,
            text: text.to_owned(),
            memory: None,
        }
    }
}

impl From<Box<Fault>> for Failure {
    fn from(fault: Box<Fault>) -> Failure {
        let reason = match fault.kind {
            FaultKind::OutOfBounds | FaultKind::NullPointer | FaultKind::UseAfterFree => {
                Some(HSA_AMD_MEMORY_FAULT_PAGE_NOT_PRESENT)
            }
            FaultKind::Forbidden => Some(HSA_AMD_MEMORY_FAULT_READ_ONLY),
            _ => None,
        };
        Failure {
            status: match fault.kind {
                _ if reason.is_some() => Status::MEMORY_FAULT,
                FaultKind::IllegalInstruction => Status::ILLEGAL_INSTRUCTION,
                FaultKind::Misaligned | FaultKind::ForeignStack => Status::APERTURE,
                FaultKind::Cancelled => Status::ERROR,
                _ => Status::EXCEPTION,
            },
            text: fault.to_string(),
            memory: reason.map(|reason| (0, reason as u32)),
        }
    }
}

/// A symbol of a loaded code object.
#[derive(Clone, Debug)]
pub struct Symbol {
    /// Its name in the file; kernels end in `.kd`.
    pub name: String,
    /// Where it is on the GPU; a kernel's is its descriptor.
    pub address: u64,
    /// Bytes.
    pub size: u64,
    /// What it is.
    pub kind: SymbolKind,
}

/// What a symbol names.
#[derive(Clone, Copy, Debug)]
pub enum SymbolKind {
    /// A kernel, and what it needs: bytes of arguments, of group memory, of private memory for
    /// each work-item, and whether it needs more of the latter than is known.
    Kernel {
        /// Bytes of arguments.
        kernarg: u32,
        /// Bytes of group memory.
        group: u32,
        /// Bytes of private memory for each work-item.
        private: u32,
        /// Whether it may need more private memory than that.
        dynamic_stack: bool,
    },
    /// A variable.
    Variable {
        /// Whether kernels can only read it.
        constant: bool,
    },
}

/// Why a code object cannot be loaded.
#[derive(Debug)]
pub enum LoadError {
    /// It is none, or is damaged.
    Malformed(String),
    /// It is for another instruction set.
    OtherIsa {
        /// The instruction set that it is for.
        image: String,
        /// The GPU's.
        agent: String,
    },
    /// It needs a variable that nobody defined.
    Undefined(String),
    /// The GPU has no room for it.
    NoMemory(String),
}

impl fmt::Display for LoadError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            LoadError::Malformed(what) | LoadError::NoMemory(what) => f.write_str(what),
            LoadError::OtherIsa { image, agent } => write!(f, "it is for {image}, the agent has {agent}"),
            LoadError::Undefined(name) => write!(f, "it needs {name}, which nobody defines"),
        }
    }
}

/// A code object in a GPU's memory.
pub struct Image {
    symbols: Vec<Symbol>,
}

impl Image {
    /// Loads a code object.
    pub fn load(_gpu: &Gpu, _bytes: &[u8], _given: &dyn Fn(&str) -> Option<u64>) -> Result<Image, LoadError> {
        Err(LoadError::Malformed(
            "this build has no interpreter of AMDGCN yet".into(),
        ))
    }

    /// Its symbols.
    pub fn symbols(&self) -> &[Symbol] {
        &self.symbols
    }

    /// First address and length.
    pub fn range(&self) -> (u64, u64) {
        (0, 0)
    }
}

/// Where kernels see what is not in the common address space.
pub fn apertures() -> Apertures {
    Apertures {
        group: 1 << 48,
        private: 2 << 48,
    }
}

/// Runs a kernel to its end.
pub fn run(_gpu: &Gpu, _queue: &Queue, _dispatch: &hsa_kernel_dispatch_packet_t, _packet: u64) -> Result<(), Failure> {
    Err(Failure::new(Status::CODE_OBJECT))
}
