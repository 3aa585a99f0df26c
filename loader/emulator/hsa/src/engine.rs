//! The seam to the interpreter: code objects into a GPU's memory, dispatches onto it.

use emulator::fault::{Fault, FaultKind};
use hsa_sys::*;

use crate::agent::Gpu;
use crate::border::lock;
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

/// Where kernels see what is not in the common address space.
pub fn apertures() -> Apertures {
    Apertures {
        group: 1 << 48,
        private: 2 << 48,
    }
}

/// Runs a kernel to its end.
pub fn run(gpu: &Gpu, queue: &Queue, dispatch: &hsa_kernel_dispatch_packet_t, packet: u64) -> Result<(), Failure> {
    let found = lock(&gpu.kernels).get(&dispatch.kernel_object).cloned();
    let Some(kernel) = found else {
        return Err(Failure {
            text: format!(
                "{:#x} is not a kernel that is loaded on this agent",
                dispatch.kernel_object
            ),
            ..Failure::new(Status::CODE_OBJECT)
        });
    };
    // The interpreter's place: it gets the address of the packet and of the queue for kernels that
    // ask for them, and stops soon after `queue.stop` is set.
    let _ = (queue, packet);
    Err(Failure {
        text: format!(
            "kernel {} cannot run: this build has no interpreter of AMDGCN yet",
            kernel.name
        ),
        ..Failure::new(Status::ERROR)
    })
}
