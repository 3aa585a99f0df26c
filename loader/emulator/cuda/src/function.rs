//! Kernels that can be launched, and what they need.

use std::ffi::{CStr, CString, c_char, c_int, c_uint};
use std::sync::atomic::{AtomicBool, AtomicI32, AtomicU32, Ordering};
use std::sync::{Arc, Weak};

use emulator::ptx::Kernel;

use crate::attributes::{REGISTERS, SHARED_PER_BLOCK, Traits};
use crate::border::{Out, entries};
use crate::context::{self, Context};
use crate::contexts::owner;
use crate::driver::driver;
use crate::handle::Table;
use crate::library::KERNELS;
use crate::module::{self, Module};
use crate::status::{Result, Status};

/// All kernels that somebody has asked for.
pub static FUNCTIONS: Table<Function> = Table::new(6);

/// A kernel of a module.
pub struct Function {
    /// Its handle.
    pub handle: usize,
    /// Handle of the context of its module.
    pub context: usize,
    /// What it needs.
    pub kernel: Kernel,
    /// Most dynamic shared memory that a launch may ask for, bytes.
    pub most_shared: AtomicU32,
    name: CString,
    module: Weak<Module>,
    loaded: AtomicBool,
    /// How much of the cache should be shared memory, percent; changes nothing here.
    carveout: AtomicI32,
}

/// Properties of kernels, by the numbers of the public interface.
mod attribute {
    pub const MAX_THREADS_PER_BLOCK: u32 = 0;
    pub const SHARED_SIZE_BYTES: u32 = 1;
    pub const CONST_SIZE_BYTES: u32 = 2;
    pub const LOCAL_SIZE_BYTES: u32 = 3;
    pub const NUM_REGS: u32 = 4;
    pub const PTX_VERSION: u32 = 5;
    pub const BINARY_VERSION: u32 = 6;
    pub const MAX_DYNAMIC_SHARED_SIZE_BYTES: u32 = 8;
    pub const PREFERRED_SHARED_MEMORY_CARVEOUT: u32 = 9;
    pub const CLUSTER_SCHEDULING_POLICY_PREFERENCE: u32 = 15;
    pub const LAST: u32 = 17;
}

impl Function {
    /// A kernel of a module.
    pub fn new(handle: usize, module: &Arc<Module>, kernel: &Kernel) -> Function {
        Function {
            handle,
            context: module.context,
            kernel: kernel.clone(),
            most_shared: SHARED_PER_BLOCK.saturating_sub(kernel.static_shared).into(),
            name: CString::new(&*kernel.name).unwrap_or_default(),
            module: Arc::downgrade(module),
            loaded: driver().is_ok_and(|driver| !driver.config.lazy).into(),
            carveout: (-1).into(),
        }
    }

    /// Has it on the device. Where that was not done with the module, all that is queued ends first: a driver may have to
    /// wait so, whose device has no room for code beside the kernels that run.
    pub fn load(&self) -> Result {
        if !self.loaded.load(Ordering::Acquire) {
            owner(self.context)?.drain();
            self.loaded.store(true, Ordering::Release);
        }
        Ok(())
    }

    /// Its module, while it is loaded.
    pub fn module(&self) -> Result<Arc<Module>> {
        module::of(&self.module)
    }

    /// Its context.
    pub fn context(&self) -> Result<Arc<Context>> {
        owner(self.context)
    }

    /// Registers of each thread: an estimate, and never so many that a block of the size that the
    /// kernel allows would not fit, since a compiler would have spilled instead.
    pub fn registers(&self) -> u32 {
        self.kernel.registers.min(REGISTERS / self.kernel.max_threads.max(1))
    }

    /// One property.
    pub fn attribute(&self, which: c_uint) -> Result<c_int> {
        let value = match which {
            attribute::MAX_THREADS_PER_BLOCK => self.kernel.max_threads,
            attribute::SHARED_SIZE_BYTES => self.kernel.static_shared,
            attribute::CONST_SIZE_BYTES => self.kernel.const_size,
            attribute::LOCAL_SIZE_BYTES => self.kernel.local_size,
            attribute::NUM_REGS => self.registers(),
            attribute::PTX_VERSION => self.module()?.header.version,
            attribute::BINARY_VERSION => {
                let (major, minor) = self.context()?.device.capability;
                10 * major + minor
            }
            attribute::MAX_DYNAMIC_SHARED_SIZE_BYTES => self.most_shared.load(Ordering::Relaxed),
            attribute::PREFERRED_SHARED_MEMORY_CARVEOUT => {
                return Ok(self.carveout.load(Ordering::Relaxed));
            }
            // Cache mode, clusters, graphs: not there.
            which if which <= attribute::LAST => 0,
            _ => return Err(Status::INVALID_VALUE),
        };
        Ok(c_int::try_from(value).unwrap_or(c_int::MAX))
    }

    /// Sets a property.
    pub fn set_attribute(&self, which: c_uint, value: c_int) -> Result {
        match which {
            attribute::MAX_DYNAMIC_SHARED_SIZE_BYTES => {
                let limit = self.traits()?.shared_opt_in.saturating_sub(self.kernel.static_shared);
                let value = u32::try_from(value).ok().filter(|value| *value <= limit);
                self.most_shared
                    .store(value.ok_or(Status::INVALID_VALUE)?, Ordering::Relaxed);
            }
            attribute::PREFERRED_SHARED_MEMORY_CARVEOUT if (-1..=100).contains(&value) => {
                self.carveout.store(value, Ordering::Relaxed);
            }
            10..=attribute::CLUSTER_SCHEDULING_POLICY_PREFERENCE if value == 0 => {}
            _ => return Err(Status::INVALID_VALUE),
        }
        Ok(())
    }

    /// The limits of its device.
    pub fn traits(&self) -> Result<Traits> {
        Ok(self.context()?.device.traits)
    }

    /// Offset and size of a parameter.
    pub fn parameter(&self, index: usize) -> Result<(usize, usize)> {
        let parameter = self.kernel.params.get(index).ok_or(Status::INVALID_VALUE)?;
        Ok((parameter.offset as usize, parameter.size as usize))
    }

    /// Its name; lives as long as its module.
    pub fn name(&self) -> &CStr {
        &self.name
    }
}

/// What a handle of a function stands for. A kernel of a library stands for its function in the
/// current context.
pub fn find(function: usize) -> Result<Arc<Function>> {
    driver()?;
    let function = match KERNELS.get(function) {
        Ok(kernel) => kernel.function(&*context::current()?)?,
        Err(_) => FUNCTIONS.get(function)?,
    };
    function.context()?.healthy()?;
    Ok(function)
}

entries! {
    /// One property of a kernel.
    fn cuFuncGetAttribute(value: Out<c_int>, which: c_uint, function: usize) {
        value.check()?;
        value.set(find(function)?.attribute(which)?)
    }

    /// Sets a property of a kernel.
    fn cuFuncSetAttribute(function: usize, which: c_uint, value: c_int) {
        find(function)?.set_attribute(which, value)
    }

    /// A preference that changes nothing here.
    fn cuFuncSetCacheConfig(function: usize, config: c_uint) {
        find(function)?;
        if config > 3 { Err(Status::INVALID_VALUE) } else { Ok(()) }
    }

    /// A preference that changes nothing here.
    fn cuFuncSetSharedMemConfig(function: usize, config: c_uint) {
        find(function)?;
        if config > 2 { Err(Status::INVALID_VALUE) } else { Ok(()) }
    }

    /// The module of a kernel.
    fn cuFuncGetModule(module: Out<usize>, function: usize) {
        module.set(find(function)?.module()?.handle)
    }

    /// The name of a kernel; lives as long as its module.
    fn cuFuncGetName(name: Out<*const c_char>, function: usize) {
        name.set(find(function)?.name().as_ptr())
    }

    /// Offset and size of a parameter.
    fn cuFuncGetParamInfo(function: usize, index: usize, offset: Out<usize>, size: Out<usize>) {
        let (at, bytes) = find(function)?.parameter(index)?;
        offset.check()?;
        size.set_if_wanted(bytes);
        offset.set(at)
    }

    /// The number of parameters.
    fn cuFuncGetParamCount(function: usize, count: Out<usize>) {
        count.set(find(function)?.kernel.params.len())
    }

    /// Whether a launch finds it on the device.
    fn cuFuncIsLoaded(state: Out<c_uint>, function: usize) {
        state.set(find(function)?.loaded.load(Ordering::Acquire).into())
    }

    /// Loads it, if that was not done with its module.
    fn cuFuncLoad(function: usize) {
        find(function)?.load()
    }
}
