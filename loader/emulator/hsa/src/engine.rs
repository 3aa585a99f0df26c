//! The seam to the interpreter: code objects into a GPU's memory, dispatches onto it.

use emulator::amdgcn::exec::kernel::{GROUP_APERTURE, PRIVATE_APERTURE};
use emulator::amdgcn::exec::{self, Dispatch, Image};
use emulator::fault::{Fault, FaultKind};
use emulator::grid::{Dim3, Launch, Seed};
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
            memory: reason.map(|reason| (fault.address.unwrap_or(0), reason as u32)),
        }
    }
}

/// Where kernels see what is not in the common address space.
pub fn apertures() -> Apertures {
    Apertures {
        group: GROUP_APERTURE,
        private: PRIVATE_APERTURE,
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
    let mut settings = Launch::new(1, 1);
    settings.seed = gpu.schedule.seed.map(Seed::next);
    settings.host_threads = gpu.schedule.threads;
    settings.switch_at_every_access = gpu.schedule.switch_at_access;
    settings.cancel = queue.stop.clone();
    let wanted = Dispatch {
        kernel: kernel.name.clone(),
        descriptor: kernel.descriptor,
        image: Image {
            base: kernel.base,
            len: kernel.len,
            functions: kernel.functions.clone(),
        },
        grid: Dim3::new(dispatch.grid_size_x, dispatch.grid_size_y, dispatch.grid_size_z),
        workgroup: Dim3::new(
            dispatch.workgroup_size_x.into(),
            dispatch.workgroup_size_y.into(),
            dispatch.workgroup_size_z.into(),
        ),
        private_size: dispatch.private_segment_size,
        group_size: dispatch.group_segment_size,
        kernarg: dispatch.kernarg_address as u64,
        packet,
        queue: queue.address,
        id: 0,
    };
    exec::launch(&gpu.memory, gpu.config.target, wanted, &settings)?;
    Ok(())
}
