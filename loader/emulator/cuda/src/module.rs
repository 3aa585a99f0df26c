//! Modules: loaded images, and finding what is in them.

use std::collections::BTreeMap;
use std::ffi::{c_uint, c_void};
use std::fs;
use std::io::Read;
use std::sync::{Arc, Mutex, Weak};

use emulator::memory::Memory;
use emulator::ptx::{self, LoadError, LoadedModule};

use crate::border::{In, Out, Text, entries};
use crate::context::{self, Context};
use crate::contexts::owner;
use crate::driver::driver;
use crate::function::{FUNCTIONS, Function};
use crate::handle::Table;
use crate::image::{self, Header};
use crate::jit::{self, Options};
use crate::lock;
use crate::status::{Result, Status};

/// All modules that are loaded.
pub static MODULES: Table<Module> = Table::new(5);

/// A loaded image.
pub struct Module {
    /// Its handle.
    pub handle: usize,
    /// Handle of the context that it is loaded in.
    pub context: usize,
    /// What it says about itself.
    pub header: Header,
    /// Its kernels and variables.
    pub loaded: LoadedModule,
    functions: Mutex<BTreeMap<String, Arc<Function>>>,
}

impl Module {
    /// Loads PTX into a context, with logs.
    pub fn load(context: &Context, text: &[u8], options: &Options) -> Result<Arc<Module>> {
        let device = &context.device;
        let (header, loaded) = load(device.capability, &device.memory, text, options)?;
        Ok(MODULES.insert(|handle| Module {
            handle,
            context: context.handle,
            header,
            loaded,
            functions: Mutex::default(),
        }))
    }

    /// A kernel by its name, always the same object.
    pub fn function(self: &Arc<Self>, name: &str) -> Result<Arc<Function>> {
        let kernel = self.loaded.kernel(name).ok_or(Status::NOT_FOUND)?;
        let mut functions = lock(&self.functions);
        let function = functions
            .entry(name.to_owned())
            .or_insert_with(|| FUNCTIONS.insert(|handle| Function::new(handle, self, kernel)));
        Ok(function.clone())
    }

    /// Address and size of a variable.
    pub fn global(&self, name: &str) -> Result<(u64, usize)> {
        let global = self.loaded.global(name).ok_or(Status::NOT_FOUND)?;
        Ok((global.address, global.size as usize))
    }

    /// Takes the module and its functions out of their tables. The memory goes when the last
    /// launch has ended.
    pub fn unload(&self) -> Result {
        let module = MODULES.remove(self.handle)?;
        for function in std::mem::take(&mut *lock(&module.functions)).into_values() {
            let _ = FUNCTIONS.remove(function.handle);
        }
        Ok(())
    }
}

/// Loads PTX for a device of some compute capability into memory, with logs.
pub fn load(
    capability: (u32, u32),
    memory: &Arc<Memory>,
    text: &[u8],
    options: &Options,
) -> Result<(Header, LoadedModule)> {
    match try_load(capability, memory, text) {
        Ok((header, loaded)) => {
            options.succeed(&format!("{} kernels loaded\n", loaded.kernels().len()));
            Ok((header, loaded))
        }
        Err((status, reason)) => {
            options.fail(&reason);
            Err(status)
        }
    }
}

fn try_load(
    capability: (u32, u32),
    memory: &Arc<Memory>,
    text: &[u8],
) -> std::result::Result<(Header, LoadedModule), (Status, String)> {
    let header = Header::of(text);
    if header.version == 0 {
        let reason = "ptx input, there is no .version: this is no PTX, or its head is missing\n";
        return Err((Status::INVALID_PTX, reason.to_owned()));
    }
    header.check(capability).map_err(|status| {
        let (major, minor) = capability;
        let target = header.target;
        let reason = format!(
            "ptx input, .target sm_{target} is newer than the device (sm_{major}{minor}): \
             set GPU_EMULATOR_ARCH=sm_{target}\n"
        );
        (status, reason)
    })?;
    let parsed = ptx::Module::parse(text).map_err(|found| (Status::INVALID_PTX, jit::describe(&found)))?;
    let loaded = parsed.load(memory).map_err(|error| {
        let status = match error {
            LoadError::Memory(_) => Status::OUT_OF_MEMORY,
            LoadError::Unresolved(_) | LoadError::TooMuch { .. } => Status::INVALID_PTX,
        };
        (status, format!("ptx input: {error}\n"))
    })?;
    Ok((header, loaded))
}

/// The PTX of an image in memory, or the reason in the log.
pub fn text_at<'a>(image: *const c_void, options: &Options) -> Result<&'a [u8]> {
    image::ptx_at(In(image.cast())).map_err(|(status, reason)| {
        if status != Status::INVALID_VALUE {
            options.fail(reason);
        }
        status
    })
}

/// Largest image that is read from a file.
const LARGEST_FILE: u64 = 4 << 30;

/// Reads an image from a file, to be searched for PTX by [`image::ptx_of`]. What has no end, such as a device, is none.
pub fn read_file(path: Text) -> Result<Vec<u8>> {
    let path = path.get()?;
    let data = fs::metadata(path).map_err(|_| Status::FILE_NOT_FOUND)?;
    if !data.is_file() || data.len() > LARGEST_FILE {
        return Err(Status::INVALID_IMAGE);
    }
    let mut bytes = Vec::new();
    fs::File::open(path)
        .and_then(|file| file.take(data.len()).read_to_end(&mut bytes))
        .map_err(|_| Status::FILE_NOT_FOUND)?;
    Ok(bytes)
}

/// The PTX of an image, or the reason in the log.
pub fn text_of<'a>(image: &'a [u8], options: &Options) -> Result<&'a [u8]> {
    image::ptx_of(image).map_err(|(status, reason)| {
        options.fail(reason);
        status
    })
}

/// Unloads the modules of a context that is going away.
pub fn forget_context(context: &Arc<Context>) {
    for module in MODULES.list(|module| module.context == context.handle) {
        let _ = module.unload(); // It may just have been unloaded by somebody else.
    }
}

/// A module by its handle.
pub fn find(module: usize) -> Result<Arc<Module>> {
    driver()?;
    let module = MODULES.get(module)?;
    owner(module.context)?.healthy()?;
    Ok(module)
}

/// The module of a function, while it is loaded.
pub fn of(module: &Weak<Module>) -> Result<Arc<Module>> {
    module.upgrade().ok_or(Status::INVALID_HANDLE)
}

entries! {
    /// Loads an image from a file.
    fn cuModuleLoad(module: Out<usize>, path: Text) {
        module.check()?;
        let context = context::current()?;
        let image = read_file(path)?;
        let options = Options::none();
        module.set(Module::load(&context, text_of(&image, &options)?, &options)?.handle)
    }

    /// Loads an image from memory.
    fn cuModuleLoadData | cuModuleLoadFatBinary(module: Out<usize>, image: *const c_void) {
        module.check()?;
        let context = context::current()?;
        let options = Options::none();
        module.set(Module::load(&context, text_at(image, &options)?, &options)?.handle)
    }

    /// Loads an image from memory, with options.
    fn cuModuleLoadDataEx(
        module: Out<usize>,
        image: *const c_void,
        count: c_uint,
        options: In<c_uint>,
        values: *mut *mut c_void,
    ) {
        module.check()?;
        let context = context::current()?;
        let options = Options::read(count, options, values)?;
        module.set(Module::load(&context, text_at(image, &options)?, &options)?.handle)
    }

    /// Unloads a module, after all that is queued in its context.
    fn cuModuleUnload(module: usize) {
        context::current()?;
        let module = find(module)?;
        owner(module.context)?.drain();
        module.unload()
    }

    /// Whether kernels are loaded with their module (1), or when they are first launched (2).
    fn cuModuleGetLoadingMode(mode: Out<c_uint>) {
        mode.set(if driver()?.config.lazy { 2 } else { 1 })
    }

    /// A kernel by its name.
    fn cuModuleGetFunction(function: Out<usize>, module: usize, name: Text) {
        function.check()?;
        context::current()?;
        function.set(find(module)?.function(name.get()?)?.handle)
    }

    /// The number of kernels.
    fn cuModuleGetFunctionCount(count: Out<c_uint>, module: usize) {
        count.set(find(module)?.loaded.kernels().len() as c_uint)
    }

    /// The kernels in the order of the text.
    fn cuModuleEnumerateFunctions(functions: Out<usize>, room: c_uint, module: usize) {
        functions.check()?;
        let module = find(module)?;
        let kernels = module.loaded.kernels().iter();
        let handles: Result<Vec<usize>> =
            kernels.map(|kernel| Ok(module.function(&kernel.name)?.handle)).collect();
        functions.set_first(handles?, room as usize)
    }

    /// Address and size of a variable.
    fn cuModuleGetGlobal_v2(address: Out<u64>, size: Out<usize>, module: usize, name: Text) {
        context::current()?;
        let (at, bytes) = find(module)?.global(name.get()?)?;
        address.set_if_wanted(at);
        size.set_if_wanted(bytes);
        Ok(())
    }

    /// Textures are not there.
    fn cuModuleGetTexRef(_texture: Out<usize>, module: usize, name: Text) {
        find(module)?;
        name.get()?;
        Err(Status::NOT_FOUND)
    }

    /// Surfaces are not there.
    fn cuModuleGetSurfRef(_surface: Out<usize>, module: usize, name: Text) {
        find(module)?;
        name.get()?;
        Err(Status::NOT_FOUND)
    }
}
