//! Launching kernels: what a launch may ask for, its parameters, and its faults.

use std::ffi::{c_uint, c_void};
use std::sync::atomic::Ordering;

use emulator::fault::{Fault, FaultKind};
use emulator::grid::{Dim3, Launch, Seed, resident_blocks};

use crate::attributes::{BLOCK_LIMITS, GRID_LIMITS, THREADS_PER_BLOCK};
use crate::border::{In, entries};
use crate::context::{self, Lane};
use crate::driver::driver;
use crate::function::{self, Function};
use crate::status::{Result, Status};
use crate::stream;

/// What a launch asks for.
#[derive(Clone, Copy)]
struct Shape {
    grid: [u32; 3],
    block: [u32; 3],
    shared: u32,
    /// Whether all blocks must be there at once.
    cooperative: bool,
}

impl Shape {
    fn check(&self, function: &Function) -> Result {
        let within = |sizes: [u32; 3], limits: [u32; 3]| {
            sizes.iter().zip(limits).all(|(size, limit)| (1..=limit).contains(size))
        };
        let threads: u32 = match within(self.block, BLOCK_LIMITS) {
            true => self.block.iter().product(),
            false => return Err(Status::INVALID_VALUE),
        };
        let kernel = &function.kernel;
        let required = kernel.required_block.map(|block| [block.x, block.y, block.z]);
        let fits = within(self.grid, GRID_LIMITS)
            && threads <= THREADS_PER_BLOCK.min(kernel.max_threads)
            && required.is_none_or(|block| block == self.block)
            && self.shared <= function.most_shared.load(Ordering::Relaxed);
        if !fits {
            return Err(Status::INVALID_VALUE);
        }
        if self.cooperative && dim3(self.grid).count() > resident_blocks(threads.into()) {
            return Err(Status::COOPERATIVE_LAUNCH_TOO_LARGE);
        }
        Ok(())
    }
}

fn dim3([x, y, z]: [u32; 3]) -> Dim3 {
    Dim3::new(x, y, z)
}

/// Where the parameters of a launch are.
#[derive(Clone, Copy)]
struct Parameters {
    /// One address for each parameter.
    each: In<*const c_void>,
    /// Pairs of a key and a value that name a buffer with all of them.
    extra: In<*const c_void>,
}

/// The keys of the second way to pass parameters.
mod key {
    pub const END: usize = 0;
    pub const BUFFER_POINTER: usize = 1;
    pub const BUFFER_SIZE: usize = 2;
    /// No list is longer than all keys once.
    pub const COUNT: usize = 3;
}

impl Parameters {
    /// All parameters as the kernel finds them in memory.
    fn gather(self, function: &Function) -> Result<Vec<u8>> {
        match (self.each.0.is_null(), self.extra.0.is_null()) {
            (false, false) => Err(Status::INVALID_VALUE),
            (false, true) => self.gather_each(function),
            (true, false) => self.gather_buffer(function),
            (true, true) if function.kernel.params.is_empty() => Ok(Vec::new()),
            (true, true) => Err(Status::INVALID_VALUE),
        }
    }

    fn gather_each(self, function: &Function) -> Result<Vec<u8>> {
        let parameters = &function.kernel.params;
        let mut bytes = vec![0; function.kernel.param_size as usize];
        for (parameter, address) in parameters.iter().zip(self.each.list(parameters.len())?) {
            let value = In(address.cast::<u8>()).list(parameter.size as usize)?;
            let start = parameter.offset as usize;
            bytes[start..start + value.len()].copy_from_slice(&value);
        }
        Ok(bytes)
    }

    fn gather_buffer(self, function: &Function) -> Result<Vec<u8>> {
        let (mut buffer, mut size) = (In(std::ptr::null::<u8>()), None);
        let mut rest = self.extra;
        for _ in 0..=key::COUNT {
            match rest.get()? as usize {
                key::END => break,
                key::BUFFER_POINTER => buffer = In(rest.list(2)?[1].cast()),
                key::BUFFER_SIZE => size = Some(In(rest.list(2)?[1].cast::<usize>()).get()?),
                _ => return Err(Status::INVALID_VALUE),
            }
            rest = In(rest.0.wrapping_add(2));
        }
        let wanted = function.kernel.params.last().map_or(0, |last| last.offset + last.size);
        // Compilers round the size up; too little is a mistake.
        if size.ok_or(Status::INVALID_VALUE)? < wanted as usize {
            return Err(Status::INVALID_VALUE);
        }
        buffer.list(wanted as usize)
    }
}

fn launch(function: usize, shape: Shape, stream: usize, parameters: Parameters) -> Result {
    let function = function::find(function)?;
    let current = context::current()?;
    let lane = stream::lane(stream)?;
    if function.context != current.handle || lane.context.handle != current.handle {
        return Err(Status::INVALID_HANDLE);
    }
    shape.check(&function)?;
    let parameters = parameters.gather(&function)?;
    function.load()?;
    enqueue(&lane, &function, shape, parameters)
}

fn enqueue(lane: &Lane, function: &Function, shape: Shape, parameters: Vec<u8>) -> Result {
    let config = &driver()?.config;
    let module = function.module()?;
    let name = function.kernel.name.clone();
    let mut launch = Launch::new(dim3(shape.grid), dim3(shape.block));
    launch.dynamic_shared = shape.shared;
    launch.stack_size = lane.context.stack_limit.load(Ordering::Relaxed) as u32;
    launch.seed = config.seed.map(Seed::next);
    launch.switch_at_every_access = config.switch_at_access;
    launch.host_threads = config.threads;
    launch.cancel = lane.context.cancel.clone();
    let point = lane.push(move |context| {
        if let Err(fault) = module.loaded.launch(&name, &launch, &parameters) {
            context.end_by_fault(status_of(&fault), fault.to_string());
        }
        Ok(())
    })?;
    if config.blocking {
        point.wait();
        return lane.context.healthy();
    }
    Ok(())
}

/// What a real device reports for a fault (`probes.txt` of the semantics tests); what it would not even notice gets the nearest.
fn status_of(fault: &Fault) -> Status {
    match fault.kind {
        FaultKind::OutOfBounds
        | FaultKind::NullPointer
        | FaultKind::UseAfterFree
        | FaultKind::Forbidden
        | FaultKind::ForeignStack
        | FaultKind::StackOverflow => Status::ILLEGAL_ADDRESS,
        FaultKind::Misaligned => Status::MISALIGNED_ADDRESS,
        FaultKind::IllegalInstruction | FaultKind::MissingLane | FaultKind::OutsideShared => {
            Status::ILLEGAL_INSTRUCTION
        }
        FaultKind::Trap | FaultKind::Breakpoint | FaultKind::DivergentBarrier => Status::LAUNCH_FAILED,
        FaultKind::Assert => Status::ASSERT,
        FaultKind::Deadlock | FaultKind::Cancelled => Status::LAUNCH_TIMEOUT,
    }
}

/// A launch as newer programs describe it.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct LaunchConfig {
    grid: [c_uint; 3],
    block: [c_uint; 3],
    shared: c_uint,
    stream: usize,
    attributes: In<LaunchAttribute>,
    attribute_count: c_uint,
}

/// A property of a launch.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct LaunchAttribute {
    which: c_uint,
    _padding: c_uint,
    value: [c_uint; 16],
}

/// Properties of launches, by the numbers of the public interface.
mod attribute {
    pub const COOPERATIVE: u32 = 2;
    pub const CLUSTER_DIMENSION: u32 = 4;
    pub const PROGRAMMATIC_EVENT: u32 = 7;
    pub const LAUNCH_COMPLETION_EVENT: u32 = 12;
    pub const DEVICE_UPDATABLE_KERNEL_NODE: u32 = 13;
    pub const LAST: u32 = 18;
}

impl LaunchConfig {
    /// The shape of the launch; properties that would change what it does are refused.
    fn shape(&self) -> Result<Shape> {
        let mut cooperative = false;
        for property in self.attributes.list(self.attribute_count as usize)? {
            match property.which {
                attribute::COOPERATIVE => cooperative = property.value[0] != 0,
                attribute::CLUSTER_DIMENSION if property.value[..3] != [1, 1, 1] => {
                    return Err(Status::INVALID_CLUSTER_SIZE);
                }
                attribute::PROGRAMMATIC_EVENT
                | attribute::LAUNCH_COMPLETION_EVENT
                | attribute::DEVICE_UPDATABLE_KERNEL_NODE => return Err(Status::NOT_SUPPORTED),
                // Priorities, caches, domains: they change no results.
                ..=attribute::LAST => {}
                _ => return Err(Status::INVALID_VALUE),
            }
        }
        Ok(Shape {
            grid: self.grid,
            block: self.block,
            shared: self.shared,
            cooperative,
        })
    }
}

/// An array of addresses that the interface does not declare as constant.
type Addresses = *mut *mut c_void;

fn in_memory(each: Addresses, extra: Addresses) -> Parameters {
    Parameters {
        each: In(each.cast_const().cast()),
        extra: In(extra.cast_const().cast()),
    }
}

entries! {
    /// Launches a kernel.
    fn cuLaunchKernel @ cuLaunchKernel_ptsz(
        function: usize,
        grid_x: c_uint,
        grid_y: c_uint,
        grid_z: c_uint,
        block_x: c_uint,
        block_y: c_uint,
        block_z: c_uint,
        shared: c_uint,
        stream: usize,
        parameters: Addresses,
        extra: Addresses,
    ) {
        let (grid, block) = ([grid_x, grid_y, grid_z], [block_x, block_y, block_z]);
        let shape = Shape { grid, block, shared, cooperative: false };
        launch(function, shape, stream, in_memory(parameters, extra))
    }

    /// Launches a kernel whose blocks are all there at once.
    fn cuLaunchCooperativeKernel @ cuLaunchCooperativeKernel_ptsz(
        function: usize,
        grid_x: c_uint,
        grid_y: c_uint,
        grid_z: c_uint,
        block_x: c_uint,
        block_y: c_uint,
        block_z: c_uint,
        shared: c_uint,
        stream: usize,
        parameters: Addresses,
    ) {
        let (grid, block) = ([grid_x, grid_y, grid_z], [block_x, block_y, block_z]);
        let shape = Shape { grid, block, shared, cooperative: true };
        launch(function, shape, stream, in_memory(parameters, std::ptr::null_mut()))
    }

    /// Launches a kernel with properties.
    fn cuLaunchKernelEx @ cuLaunchKernelEx_ptsz(
        config: In<LaunchConfig>,
        function: usize,
        parameters: Addresses,
        extra: Addresses,
    ) {
        let config = config.get()?;
        launch(function, config.shape()?, config.stream, in_memory(parameters, extra))
    }
}
