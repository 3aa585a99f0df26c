//! Libraries: images that belong to no context, but are loaded into each that uses them.

use std::collections::BTreeMap;
use std::ffi::{CString, c_char, c_int, c_uint, c_void};
use std::sync::{Arc, Mutex, Weak};

use emulator::memory::Memory;

use crate::border::{In, Out, Text, entries};
use crate::context::{self, CONTEXTS, Context};
use crate::driver::driver;
use crate::function::Function;
use crate::handle::Table;
use crate::jit::Options;
use crate::lock;
use crate::module::{self, Module};
use crate::status::{Result, Status};

/// All libraries that are loaded.
pub static LIBRARIES: Table<Library> = Table::new(7);
/// Their kernels, as far as somebody has asked for them.
pub static KERNELS: Table<Kernel> = Table::new(8);

/// An image that belongs to no context.
pub struct Library {
    handle: usize,
    text: Vec<u8>,
    /// The names of its kernels, in the order of the text.
    names: Vec<String>,
    /// Where it is loaded already, by context.
    modules: Mutex<BTreeMap<usize, Arc<Module>>>,
    kernels: Mutex<BTreeMap<String, Arc<Kernel>>>,
}

/// A kernel that belongs to no context.
pub struct Kernel {
    handle: usize,
    name: CString,
    library: Weak<Library>,
}

impl Library {
    fn load(text: &[u8], options: &Options) -> Result<Arc<Library>> {
        // Loading it into memory of no context finds all mistakes now.
        let device = driver()?.devices.first().ok_or(Status::NO_DEVICE)?;
        let nowhere = Arc::new(Memory::new(device.memory.limit()));
        let (_, loaded) = module::load(device.capability, &nowhere, text, options)?;
        let names = loaded.kernels().iter().map(|kernel| kernel.name.clone()).collect();
        Ok(LIBRARIES.insert(|handle| Library {
            handle,
            text: text.to_vec(),
            names,
            modules: Mutex::default(),
            kernels: Mutex::default(),
        }))
    }

    /// The library in a context.
    fn module(&self, context: &Context) -> Result<Arc<Module>> {
        let mut modules = lock(&self.modules);
        modules.retain(|context, _| CONTEXTS.get(*context).is_ok());
        if let Some(module) = modules.get(&context.handle) {
            return Ok(module.clone());
        }
        let module = Module::load(context, &self.text, &Options::none())?;
        modules.insert(context.handle, module.clone());
        Ok(module)
    }

    fn kernel(self: &Arc<Self>, name: &str) -> Result<Arc<Kernel>> {
        if !self.names.iter().any(|known| known == name) {
            return Err(Status::NOT_FOUND);
        }
        let mut kernels = lock(&self.kernels);
        let kernel = kernels.entry(name.to_owned()).or_insert_with(|| {
            KERNELS.insert(|handle| Kernel {
                handle,
                name: CString::new(name).unwrap_or_default(),
                library: Arc::downgrade(self),
            })
        });
        Ok(kernel.clone())
    }
}

impl Kernel {
    fn library(&self) -> Result<Arc<Library>> {
        self.library.upgrade().ok_or(Status::INVALID_HANDLE)
    }

    /// The kernel in a context.
    pub fn function(&self, context: &Context) -> Result<Arc<Function>> {
        let name = self.name.to_str().map_err(|_| Status::NOT_FOUND)?;
        self.library()?.module(context)?.function(name)
    }
}

fn find(library: usize) -> Result<Arc<Library>> {
    driver()?;
    LIBRARIES.get(library)
}

fn find_kernel(kernel: usize) -> Result<Arc<Kernel>> {
    driver()?;
    KERNELS.get(kernel)
}

/// A kernel on a device: in the current context if that is there, else in the shared one.
fn on_device(kernel: usize, device: c_int) -> Result<Arc<Function>> {
    let kernel = find_kernel(kernel)?;
    let device = driver()?.device(device)?;
    let current = context::current()
        .ok()
        .filter(|context| context.device.ordinal == device.ordinal);
    let shared = || lock(&device.primary).context.clone();
    kernel.function(&*current.or_else(shared).ok_or(Status::INVALID_CONTEXT)?)
}

/// Options of libraries themselves: a table for host code (0), and a promise (1).
fn check_options(count: c_uint, options: In<c_uint>) -> Result {
    match options.list(count as usize)?.iter().all(|option| *option <= 1) {
        true => Ok(()),
        false => Err(Status::INVALID_VALUE),
    }
}

entries! {
    /// Loads an image from memory.
    fn cuLibraryLoadData(
        library: Out<usize>,
        image: *const c_void,
        options: In<c_uint>,
        values: *mut *mut c_void,
        count: c_uint,
        own_options: In<c_uint>,
        _own_values: *mut *mut c_void,
        own_count: c_uint,
    ) {
        library.check()?;
        driver()?;
        let options = Options::read(count, options, values)?;
        check_options(own_count, own_options)?;
        library.set(Library::load(module::text_at(image, &options)?, &options)?.handle)
    }

    /// Loads an image from a file.
    fn cuLibraryLoadFromFile(
        library: Out<usize>,
        path: Text,
        options: In<c_uint>,
        values: *mut *mut c_void,
        count: c_uint,
        own_options: In<c_uint>,
        _own_values: *mut *mut c_void,
        own_count: c_uint,
    ) {
        library.check()?;
        driver()?;
        let options = Options::read(count, options, values)?;
        check_options(own_count, own_options)?;
        let image = module::read_file(path)?;
        library.set(Library::load(module::text_of(&image, &options)?, &options)?.handle)
    }

    /// Unloads an image from all contexts, after what is queued there.
    fn cuLibraryUnload(library: usize) {
        driver()?;
        let library = LIBRARIES.remove(library)?;
        for kernel in std::mem::take(&mut *lock(&library.kernels)).into_values() {
            let _ = KERNELS.remove(kernel.handle);
        }
        for (context, module) in std::mem::take(&mut *lock(&library.modules)) {
            if let Ok(context) = CONTEXTS.get(context) {
                context.drain();
                let _ = module.unload(); // Its context may be going away with it just now.
            }
        }
        Ok(())
    }

    /// A kernel by its name.
    fn cuLibraryGetKernel(kernel: Out<usize>, library: usize, name: Text) {
        kernel.check()?;
        kernel.set(find(library)?.kernel(name.get()?)?.handle)
    }

    /// The number of kernels.
    fn cuLibraryGetKernelCount(count: Out<c_uint>, library: usize) {
        count.set(find(library)?.names.len() as c_uint)
    }

    /// The kernels in the order of the text.
    fn cuLibraryEnumerateKernels(kernels: Out<usize>, room: c_uint, library: usize) {
        kernels.check()?;
        let library = find(library)?;
        let handles: Result<Vec<usize>> =
            library.names.iter().map(|name| Ok(library.kernel(name)?.handle)).collect();
        kernels.set_first(handles?, room as usize)
    }

    /// The library in the current context.
    fn cuLibraryGetModule(module: Out<usize>, library: usize) {
        module.check()?;
        module.set(find(library)?.module(&*context::current()?)?.handle)
    }

    /// Address and size of a variable in the current context.
    fn cuLibraryGetGlobal(address: Out<u64>, size: Out<usize>, library: usize, name: Text) {
        let (at, bytes) = find(library)?.module(&*context::current()?)?.global(name.get()?)?;
        address.set_if_wanted(at);
        size.set_if_wanted(bytes);
        Ok(())
    }

    /// Managed variables are not there.
    fn cuLibraryGetManaged(_address: Out<u64>, _size: Out<usize>, library: usize, name: Text) {
        find(library)?;
        name.get()?;
        Err(Status::NOT_FOUND)
    }

    /// A kernel in the current context.
    fn cuKernelGetFunction(function: Out<usize>, kernel: usize) {
        function.check()?;
        function.set(find_kernel(kernel)?.function(&*context::current()?)?.handle)
    }

    /// The library of a kernel.
    fn cuKernelGetLibrary(library: Out<usize>, kernel: usize) {
        library.set(find_kernel(kernel)?.library()?.handle)
    }

    /// The name of a kernel; lives as long as its library.
    fn cuKernelGetName(name: Out<*const c_char>, kernel: usize) {
        name.set(find_kernel(kernel)?.name.as_ptr())
    }

    /// One property of a kernel on a device.
    fn cuKernelGetAttribute(value: Out<c_int>, which: c_uint, kernel: usize, device: c_int) {
        value.check()?;
        value.set(on_device(kernel, device)?.attribute(which)?)
    }

    /// Sets a property of a kernel on a device.
    fn cuKernelSetAttribute(which: c_uint, value: c_int, kernel: usize, device: c_int) {
        on_device(kernel, device)?.set_attribute(which, value)
    }

    /// A preference that changes nothing here.
    fn cuKernelSetCacheConfig(kernel: usize, config: c_uint, device: c_int) {
        on_device(kernel, device)?;
        if config > 3 { Err(Status::INVALID_VALUE) } else { Ok(()) }
    }

    /// Offset and size of a parameter.
    fn cuKernelGetParamInfo(kernel: usize, index: usize, offset: Out<usize>, size: Out<usize>) {
        let (at, bytes) = anywhere(kernel)?.parameter(index)?;
        offset.check()?;
        size.set_if_wanted(bytes);
        offset.set(at)
    }

    /// The number of parameters.
    fn cuKernelGetParamCount(kernel: usize, count: Out<usize>) {
        count.set(anywhere(kernel)?.kernel.params.len())
    }
}

/// A kernel in whatever context it is loaded: its parameters are the same everywhere.
fn anywhere(kernel: usize) -> Result<Arc<Function>> {
    let kernel = find_kernel(kernel)?;
    let loaded = lock(&kernel.library()?.modules)
        .keys()
        .find_map(|context| CONTEXTS.get(*context).ok());
    kernel.function(&*loaded.map_or_else(context::current, Ok)?)
}
