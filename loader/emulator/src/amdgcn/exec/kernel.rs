//! A dispatch, and the registers a wavefront begins with (LLVM's AMDGPU usage guide, "Initial Kernel Execution State").

use std::collections::BTreeMap;
use std::sync::Arc;

use super::code::{Code, illegal};
use super::run::Runner;
use super::wave::Wavefront;
use crate::amdgcn::code_object::Function;
use crate::amdgcn::descriptor::Descriptor;
use crate::amdgcn::inst::sgpr;
use crate::amdgcn::target::{Gen, Target, Wave};
use crate::fault::{Fault, FaultKind};
use crate::grid::{self, Dim3, Launch, Stats};
use crate::memory::Memory;

/// First address of the window through which flat addresses reach LDS. No host address is that high.
pub const GROUP_APERTURE: u64 = 1 << 48;
/// First address of the window through which flat addresses reach scratch.
pub const PRIVATE_APERTURE: u64 = 2 << 48;
/// What the private segment's buffer descriptor says is its base: only buffer instructions with it reach scratch.
pub const SCRATCH_BUFFER: u64 = 0x5c00_0000_0000;

/// Where a code object lies in a GPU's memory.
#[derive(Clone, Debug)]
pub struct Image {
    /// First address.
    pub base: u64,
    /// Bytes.
    pub len: u64,
    /// Its functions, by their distance from the first address: for reports.
    pub functions: Arc<BTreeMap<u64, Function>>,
}

impl Image {
    /// The function that an address lies in, and how far in.
    pub fn function_at(&self, address: u64) -> Option<(&Function, u64)> {
        let offset = address.checked_sub(self.base)?;
        let (&start, function) = self.functions.range(..=offset).next_back()?;
        (offset - start < function.size.max(1)).then_some((function, offset - start))
    }
}

/// What a dispatch packet asks for.
#[derive(Clone, Debug)]
pub struct Dispatch {
    /// Name of the kernel, for faults.
    pub kernel: String,
    /// Address of the kernel descriptor.
    pub descriptor: u64,
    /// The code object around it.
    pub image: Image,
    /// Work-items of the grid.
    pub grid: Dim3,
    /// Work-items of a work-group.
    pub workgroup: Dim3,
    /// Bytes of scratch per work-item.
    pub private_size: u32,
    /// Bytes of LDS per work-group.
    pub group_size: u32,
    /// Address of the arguments.
    pub kernarg: u64,
    /// Address of the packet.
    pub packet: u64,
    /// Address of the queue.
    pub queue: u64,
    /// Number of the packet.
    pub id: u64,
}

/// Most bytes of LDS that a work-group can have.
const LDS_MAX: u32 = 64 << 10;

/// Most bytes of scratch a work-item can have: what the hardware can address.
const PRIVATE_MAX: u32 = 1 << 20;

/// Reads the descriptor that the packet names: it lies in memory that kernels may have changed.
fn read_descriptor(memory: &Memory, address: u64) -> Result<Descriptor, Box<Fault>> {
    let mut bytes = [0; Descriptor::SIZE];
    memory
        .read(address, &mut bytes)
        .map_err(|error| Box::new(Fault::new((&*error).into(), format!("the kernel descriptor: {error}"))))?;
    Ok(Descriptor::parse(&bytes))
}

/// A kernel and what it was dispatched with.
pub struct Prepared {
    /// What was asked for.
    pub dispatch: Dispatch,
    /// What the kernel says of itself.
    pub descriptor: Descriptor,
    /// Its code.
    pub code: Code,
    /// Lanes of a wavefront.
    pub lanes: usize,
}

/// Runs a dispatch to its end; `settings` gives seed, host threads and so on, its geometry is replaced.
///
/// # Errors
/// The first fault.
pub fn launch(memory: &Memory, target: Target, dispatch: Dispatch, settings: &Launch) -> Result<Stats, Box<Fault>> {
    let kernel = dispatch.kernel.clone();
    let named = |mut fault: Box<Fault>| {
        fault.kernel.clone_from(&kernel);
        fault
    };
    let prepared = Prepared::new(memory, target, dispatch).map_err(named)?;
    let (grid, group) = (prepared.dispatch.grid, prepared.dispatch.workgroup);
    let mut settings = settings.clone();
    settings.block = group;
    settings.grid = Dim3::new(
        grid.x.div_ceil(group.x),
        grid.y.div_ceil(group.y),
        grid.z.div_ceil(group.z),
    );
    grid::run(memory, &Runner::new(memory, prepared), &settings).map_err(named)
}

impl Prepared {
    fn new(memory: &Memory, target: Target, dispatch: Dispatch) -> Result<Prepared, Box<Fault>> {
        let descriptor = read_descriptor(memory, dispatch.descriptor)?;
        let wave = match target.generation() {
            Gen::Gfx9 => Wave::W64,
            _ => descriptor.wave(),
        };
        let refuse = |detail: String| Err(illegal(detail));
        let (group, grid) = (dispatch.workgroup, dispatch.grid);
        if group.count() == 0 || grid.count() == 0 || group.count() > 1024 {
            return refuse(format!("no work-group has {group} work-items of {grid}"));
        }
        if dispatch.group_size < descriptor.group_segment_size || dispatch.group_size > LDS_MAX {
            return refuse(format!(
                "the packet gives {} bytes of group segment, the kernel needs {} (at most {LDS_MAX})",
                dispatch.group_size, descriptor.group_segment_size
            ));
        }
        if dispatch.private_size < descriptor.private_segment_size || dispatch.private_size > PRIVATE_MAX {
            return refuse(format!(
                "the packet gives {} bytes of private segment, the kernel needs {} (at most {PRIVATE_MAX})",
                dispatch.private_size, descriptor.private_segment_size
            ));
        }
        if descriptor.preloaded() > 0 {
            return refuse("kernel arguments preloaded into registers are not supported".into());
        }
        let code = Code::new(memory, &dispatch.image, target, wave)?;
        Ok(Prepared {
            dispatch,
            descriptor,
            code,
            lanes: wave.lanes() as usize,
        })
    }

    /// Work-items of the work-group at `index`: fewer at the grid's far sides.
    pub fn extent(&self, index: Dim3) -> Dim3 {
        let (grid, group) = (self.dispatch.grid, self.dispatch.workgroup);
        let clip = |grid: u32, group: u32, index: u32| group.min(grid - index * group);
        Dim3::new(
            clip(grid.x, group.x, index.x),
            clip(grid.y, group.y, index.y),
            clip(grid.z, group.z, index.z),
        )
    }

    /// Wavefront `number` of the work-group at `index`, about to execute its first instruction.
    pub fn wavefront(&self, index: Dim3, number: usize) -> Wavefront {
        let target = self.code.target();
        let extent = self.extent(index);
        let first = (number * self.lanes) as u64;
        let present = extent.count().saturating_sub(first).min(self.lanes as u64) as u32;
        // Hardware gives scratch in whole dwords.
        let size = self.dispatch.private_size.next_multiple_of(4);
        let mut wave = Wavefront::new(target, self.lanes, if present == 0 { 0 } else { size });
        wave.ended = present == 0;
        wave.pc = self
            .dispatch
            .descriptor
            .wrapping_add_signed(self.descriptor.entry_offset);
        wave.mode = self.descriptor.mode();
        wave.set_mask(sgpr::EXEC, 1u64.checked_shl(present).map_or(u64::MAX, |bit| bit - 1));
        self.set_scalars(&mut wave, index);
        for lane in 0..present as usize {
            let id = extent.index(first + lane as u64);
            if target == Target::Gfx1030 {
                wave.vgpr[0][lane] = id.x;
                wave.vgpr[1][lane] = id.y;
                wave.vgpr[2][lane] = id.z;
            } else {
                wave.vgpr[0][lane] = id.x | id.y << 10 | id.z << 20;
            }
        }
        wave
    }

    fn set_scalars(&self, wave: &mut Wavefront, index: Dim3) {
        let dispatch = &self.dispatch;
        let sgprs = self.descriptor.initial_sgprs(self.code.target());
        let scratch = sgprs.private_segment_buffer;
        // The last words say: add the work-item's id, swizzle by dwords.
        let pairs = [
            (scratch, SCRATCH_BUFFER | 1 << 63),
            (scratch.map(|first| first + 2), u64::from(u32::MAX) | 0x00e8_0000 << 32),
            (sgprs.dispatch_ptr, dispatch.packet),
            (sgprs.queue_ptr, dispatch.queue),
            (sgprs.kernarg_ptr, dispatch.kernarg),
            (sgprs.dispatch_id, dispatch.id),
            (sgprs.flat_scratch_init, SCRATCH_BUFFER),
        ];
        for (register, value) in pairs {
            if let Some(register) = register {
                wave.set_s64(register, value);
            }
        }
        let [x, y, z] = sgprs.workgroup_id;
        let words = [
            (sgprs.private_segment_size, dispatch.private_size),
            (x, index.x),
            (y, index.y),
            (z, index.z),
            (sgprs.workgroup_info, 0),
            // Each wavefront has scratch of its own at the same address.
            (sgprs.private_segment_wave_offset, 0),
        ];
        for (register, value) in words {
            if let Some(register) = register {
                wave.set_s(register, value);
            }
        }
    }

    /// How many wavefronts a full work-group has.
    pub fn wavefronts(&self) -> usize {
        (self.dispatch.workgroup.count() as usize).div_ceil(self.lanes)
    }

    /// A fault of the work-group at `index`, in the words of the kernel's dispatch.
    pub fn deadlock(&self, index: Dim3, detail: String) -> Box<Fault> {
        let mut fault = Fault::new(FaultKind::Deadlock, detail);
        fault.block = Some(index);
        Box::new(fault)
    }
}
