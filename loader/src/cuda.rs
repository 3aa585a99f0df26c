//! NVIDIA devices, through the CUDA driver API.
//!
//! The same calls drive the emulator, which is another library of the same interface.

mod driver;
mod stream;

use std::collections::HashMap;
use std::ffi::{CString, c_int, c_uint, c_void};
use std::ptr;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard};
use std::time::{Duration, Instant};

use cudarc::driver::sys::{self, CUdevice_attribute as Attribute, CUfunction_attribute as FunctionAttribute, CUresult};

use host_server::bulk::Permit;

use crate::device::{
    Device, Driver, Global, KernelId, LaunchId, LaunchShape, ModuleId, Properties, Resources, SharedMemory, StreamId,
    Vendor, no_such_stream,
};
use crate::error::{Error, Result};
use crate::gate::{Call, Gate};
use crate::ranges::Ranges;
use driver::{failed, fault};
use stream::Stream;

/// Lists the devices that the driver shows.
pub fn list(driver: &Driver) -> Result<Vec<Properties>> {
    driver::bind(driver)?;
    let mut count = 0;
    // SAFETY: the driver is initialised; the pointer is valid.
    check("cannot count the CUDA devices", unsafe {
        sys::cuDeviceGetCount(&mut count)
    })?;
    (0..count.max(0) as usize)
        .map(|ordinal| Ok(properties(ordinal)?.1))
        .collect()
}

/// Opens a device.
pub fn open(driver: &Driver, ordinal: usize) -> Result<Arc<dyn Device>> {
    let present = list(driver)?.len();
    if ordinal >= present {
        return Err(match present {
            0 => Error::NoDevice(driver::no_device_text()),
            1 => Error::Host(format!("no CUDA device {ordinal}: there is only device 0")),
            _ => Error::Host(format!(
                "no CUDA device {ordinal}: there are devices 0 to {}",
                present - 1
            )),
        });
    }
    let (device, properties) = properties(ordinal)?;
    let gate = Gate::of(ordinal);
    let _call = gate.call();
    let mut context = ptr::null_mut();
    // The primary context is shared with everything else of this process that uses CUDA, and is
    // never released: the process may end while a kernel runs.
    // SAFETY: the device is valid, the pointer too.
    check("cannot start the CUDA device", unsafe {
        sys::cuDevicePrimaryCtxRetain(&mut context, device)
    })?;
    // SAFETY: the context was just retained.
    check("cannot use the CUDA device", unsafe { sys::cuCtxSetCurrent(context) })?;
    let mut handles = Handles::default();
    for _ in 0..COPY_STREAMS {
        handles.copy_streams.push(Stream::new()?);
    }
    Ok(Arc::new(CudaDevice {
        context,
        properties,
        gate,
        handles: Mutex::new(handles),
        stream_is_idle: Condvar::new(),
        allocation_stream: Mutex::new(Stream::new()?),
        next: AtomicU64::new(1),
        at_end: None,
    }))
}

fn check(purpose: &str, status: CUresult) -> Result<()> {
    status.result().map_err(|error| failed(purpose, error))
}

/// Reads what a device is. The driver must be bound.
fn properties(ordinal: usize) -> Result<(sys::CUdevice, Properties)> {
    let purpose = "cannot ask the CUDA device for its properties";
    let mut device = 0;
    let mut name = [0u8; 256];
    let mut memory_bytes = 0;
    // SAFETY: the ordinal is below the count; the pointers are valid, the buffer has its length.
    unsafe {
        check(purpose, sys::cuDeviceGet(&mut device, ordinal as c_int))?;
        let length = name.len() as c_int - 1;
        check(purpose, sys::cuDeviceGetName(name.as_mut_ptr().cast(), length, device))?;
        check(purpose, sys::cuDeviceTotalMem_v2(&mut memory_bytes, device))?;
    }
    let get = |attribute| -> Result<u32> {
        let mut value = 0;
        // SAFETY: the device is valid, the pointer too.
        check(purpose, unsafe {
            sys::cuDeviceGetAttribute(&mut value, attribute, device)
        })?;
        Ok(value.max(0) as u32)
    };
    let length = name.iter().position(|&byte| byte == 0).unwrap_or(0);
    let properties = Properties {
        vendor: Vendor::Nvidia,
        ordinal,
        name: String::from_utf8_lossy(&name[..length]).into_owned(),
        architecture: format!(
            "sm_{}{}",
            get(Attribute::CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR)?,
            get(Attribute::CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR)?
        ),
        lane_size: get(Attribute::CU_DEVICE_ATTRIBUTE_WARP_SIZE)?,
        max_threads_per_block: get(Attribute::CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_BLOCK)?,
        max_block: [
            get(Attribute::CU_DEVICE_ATTRIBUTE_MAX_BLOCK_DIM_X)?,
            get(Attribute::CU_DEVICE_ATTRIBUTE_MAX_BLOCK_DIM_Y)?,
            get(Attribute::CU_DEVICE_ATTRIBUTE_MAX_BLOCK_DIM_Z)?,
        ],
        max_grid: [
            get(Attribute::CU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_X)?,
            get(Attribute::CU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_Y)?,
            get(Attribute::CU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_Z)?,
        ],
        max_shared_bytes: get(Attribute::CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK)? as usize,
        max_shared_bytes_opt_in: get(Attribute::CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK_OPTIN)? as usize,
        multiprocessors: get(Attribute::CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT)?,
        memory_bytes,
        bus: format!(
            "{:04x}:{:02x}:{:02x}.0",
            get(Attribute::CU_DEVICE_ATTRIBUTE_PCI_DOMAIN_ID)?,
            get(Attribute::CU_DEVICE_ATTRIBUTE_PCI_BUS_ID)?,
            get(Attribute::CU_DEVICE_ATTRIBUTE_PCI_DEVICE_ID)?
        ),
        clock_hz: 1_000_000_000, // %globaltimer counts nanoseconds
    };
    Ok((device, properties))
}

/// What the numbers that the trait hands out stand for.
#[derive(Default)]
struct Handles {
    modules: HashMap<u64, sys::CUmodule>,
    kernels: HashMap<u64, (ModuleId, sys::CUfunction)>,
    streams: HashMap<u64, Arc<Stream>>,
    /// Each launch's event, and its number at the gate.
    launches: HashMap<u64, (sys::CUevent, u64)>,
    /// Device memory that was handed out.
    memory: Ranges,
    /// Streams for copies that nobody uses at the moment.
    copy_streams: Vec<Stream>,
}

/// Copies that go on side by side: one for each direction's engine, and another behind it so that none pauses.
const COPY_STREAMS: usize = 4;

struct CudaDevice {
    context: sys::CUcontext,
    properties: Properties,
    gate: &'static Gate,
    handles: Mutex<Handles>,
    /// Rung when a stream for copies was given back.
    stream_is_idle: Condvar,
    /// For allocations while kernels run, which on some drivers wait for them: no copy stands behind those.
    allocation_stream: Mutex<Stream>,
    next: AtomicU64,
    /// Held while the streams are destroyed: dropped last.
    at_end: Option<Call>,
}

// SAFETY: handles of the driver API may be used from any thread in which their context is
// current, and every method makes it current first.
unsafe impl Send for CudaDevice {}
// SAFETY: as above; the tables are behind a mutex.
unsafe impl Sync for CudaDevice {}

impl CudaDevice {
    /// Makes the device current in this thread.
    fn enter(&self) -> Result<()> {
        // SAFETY: the context was retained and is never released.
        check("cannot use the CUDA device from this thread", unsafe {
            sys::cuCtxSetCurrent(self.context)
        })
    }

    /// The same for a call that waits for the kernels that run, until what comes back is dropped.
    fn enter_to_wait(&self) -> Result<Call> {
        self.enter()?;
        Ok(self.gate.call_that_waits())
    }

    /// The same for one that might.
    fn enter_to_change(&self) -> Result<Call> {
        let call = self.gate.call();
        self.enter().map(|()| call)
    }

    fn handles(&self) -> MutexGuard<'_, Handles> {
        // The tables are changed by single inserts and removals only.
        self.handles.lock().unwrap_or_else(|poison| poison.into_inner())
    }

    fn number(&self) -> u64 {
        self.next.fetch_add(1, Ordering::Relaxed)
    }

    fn module(&self, id: ModuleId) -> Result<sys::CUmodule> {
        let found = self.handles().modules.get(&id.0).copied();
        found.ok_or_else(|| Error::Host("the image was unloaded".into()))
    }

    fn function(&self, id: KernelId) -> Result<sys::CUfunction> {
        let found = self.handles().kernels.get(&id.0).copied();
        found
            .map(|(_, function)| function)
            .ok_or_else(|| Error::Host("the kernel's image was unloaded".into()))
    }

    /// Runs a copy on a stream of its own, so that it never queues behind a kernel.
    fn copy(&self, purpose: &str, start: impl FnOnce(sys::CUstream) -> CUresult) -> Result<()> {
        self.enter()?;
        let stream = self.copy_stream();
        let done = stream.run(purpose, start);
        self.handles().copy_streams.push(stream);
        self.stream_is_idle.notify_one();
        done
    }

    fn stream(&self, id: StreamId) -> Result<Arc<Stream>> {
        let found = self.handles().streams.get(&id.0).cloned();
        found.ok_or_else(no_such_stream)
    }

    /// A stream that no other copy uses, as soon as there is one. All were made when no kernel ran: with dozens of them a
    /// driver may wait for the kernel before it makes another, and the kernel for the copy.
    fn copy_stream(&self) -> Stream {
        let mut handles = self.handles();
        loop {
            if let Some(stream) = handles.copy_streams.pop() {
                return stream;
            }
            handles = self
                .stream_is_idle
                .wait(handles)
                .unwrap_or_else(|poison| poison.into_inner());
        }
    }
}

impl Device for CudaDevice {
    fn properties(&self) -> &Properties {
        &self.properties
    }

    fn begin_transfer(&self) -> Option<Permit> {
        self.gate.transfer().map(|transfer| Box::new(transfer) as Permit)
    }

    fn set_stack_size(&self, bytes: usize) -> Result<()> {
        let mut largest = self.gate.stack_bytes();
        if bytes <= *largest {
            return Ok(());
        }
        let _call = self.enter_to_wait()?;
        // SAFETY: the context is current.
        let status = unsafe { sys::cuCtxSetLimit(sys::CUlimit::CU_LIMIT_STACK_SIZE, bytes) };
        if status == CUresult::CUDA_ERROR_INVALID_VALUE {
            return Err(Error::Host(format!(
                "the device refuses a stack of {bytes} bytes per thread; give a smaller --stack-size (512K is the most of current devices)"
            )));
        }
        check(&format!("cannot set the stack to {bytes} bytes per thread"), status)?;
        *largest = bytes;
        Ok(())
    }

    fn load(&self, image: &[u8]) -> Result<ModuleId> {
        let _call = self.enter_to_change()?;
        // PTX has to end with a NUL; for a cubin one more byte does not matter.
        let mut image = image.to_vec();
        image.push(0);
        let mut log = vec![0u8; 16 << 10];
        let mut options = [
            sys::CUjit_option::CU_JIT_ERROR_LOG_BUFFER,
            sys::CUjit_option::CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES,
        ];
        let mut values = [log.as_mut_ptr().cast::<c_void>(), log.len() as *mut c_void];
        let mut module = ptr::null_mut();
        // SAFETY: the image is complete and NUL-terminated; the log buffer has the announced size
        // and outlives the call, as the arrays do.
        let status = unsafe {
            sys::cuModuleLoadDataEx(
                &mut module,
                image.as_ptr().cast(),
                options.len() as c_uint,
                options.as_mut_ptr(),
                values.as_mut_ptr(),
            )
        };
        if let Err(error) = status.result() {
            return Err(load_error(error, &log));
        }
        let id = self.number();
        self.handles().modules.insert(id, module);
        Ok(ModuleId(id))
    }

    fn unload(&self, module: ModuleId) -> Result<()> {
        let _call = self.enter_to_wait()?;
        let handle = self.module(module)?;
        let mut handles = self.handles();
        handles.modules.remove(&module.0);
        handles.kernels.retain(|_, (owner, _)| *owner != module);
        drop(handles);
        // SAFETY: the handle was valid until now and is not found any more.
        check("cannot unload the image", unsafe { sys::cuModuleUnload(handle) })
    }

    fn kernel(&self, module: ModuleId, name: &str) -> Result<Option<KernelId>> {
        let _call = self.enter_to_change()?;
        let handle = self.module(module)?;
        let Ok(symbol) = CString::new(name) else {
            return Ok(None);
        };
        let mut function = ptr::null_mut();
        // SAFETY: the module is loaded, the name NUL-terminated, the pointer valid.
        let status = unsafe { sys::cuModuleGetFunction(&mut function, handle, symbol.as_ptr()) };
        if status == CUresult::CUDA_ERROR_NOT_FOUND {
            return Ok(None);
        }
        let purpose = format!("cannot find kernel {name}");
        check(&purpose, status)?;
        // Where functions are loaded at first use, that use would wait for a kernel that runs.
        // Drivers before 12.4 lack the call; there, asking for attributes loads the function.
        // SAFETY: the type is that of the driver API; the library stays loaded.
        unsafe {
            let load = sys::culib().get::<unsafe extern "C" fn(sys::CUfunction) -> CUresult>(b"cuFuncLoad\0");
            if let Ok(load) = load {
                // An emulator may know the name and not the call; it loads everything at once.
                match load(function) {
                    CUresult::CUDA_ERROR_NOT_SUPPORTED => {}
                    status => check(&purpose, status)?,
                }
            }
        }
        let id = KernelId(self.number());
        self.handles().kernels.insert(id.0, (module, function));
        self.resources(id)?;
        Ok(Some(id))
    }

    fn resources(&self, kernel: KernelId) -> Result<Resources> {
        self.enter()?;
        let function = self.function(kernel)?;
        let get = |attribute| -> Result<u32> {
            let mut value = 0;
            // SAFETY: the function belongs to a loaded module, the pointer is valid.
            check("cannot ask a kernel for its needs", unsafe {
                sys::cuFuncGetAttribute(&mut value, attribute, function)
            })?;
            Ok(value.max(0) as u32)
        };
        Ok(Resources {
            registers: get(FunctionAttribute::CU_FUNC_ATTRIBUTE_NUM_REGS)?,
            scalar_registers: 0,
            shared_bytes: get(FunctionAttribute::CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES)? as usize,
            stack_bytes: get(FunctionAttribute::CU_FUNC_ATTRIBUTE_LOCAL_SIZE_BYTES)? as usize,
            max_threads_per_block: get(FunctionAttribute::CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK)?,
            lane_size: self.properties.lane_size,
        })
    }

    fn global(&self, module: ModuleId, name: &str) -> Result<Option<Global>> {
        let _call = self.enter_to_change()?;
        let handle = self.module(module)?;
        let Ok(symbol) = CString::new(name) else {
            return Ok(None);
        };
        let (mut address, mut bytes) = (0, 0);
        // SAFETY: the module is loaded, the name NUL-terminated, the pointers valid.
        let status = unsafe { sys::cuModuleGetGlobal_v2(&mut address, &mut bytes, handle, symbol.as_ptr()) };
        if status == CUresult::CUDA_ERROR_NOT_FOUND {
            return Ok(None);
        }
        check(&format!("cannot find variable {name}"), status)?;
        Ok(Some(Global { address, bytes }))
    }

    fn read(&self, address: u64, bytes: &mut [u8]) -> Result<()> {
        // SAFETY: the buffer has its length and lives until the copy has ended; the driver checks
        // the device's address.
        self.copy("cannot read device memory", |stream| unsafe {
            sys::cuMemcpyDtoHAsync_v2(bytes.as_mut_ptr().cast(), address, bytes.len(), stream)
        })
    }

    fn write(&self, address: u64, bytes: &[u8]) -> Result<()> {
        // SAFETY: as in `read`.
        self.copy("cannot write device memory", |stream| unsafe {
            sys::cuMemcpyHtoDAsync_v2(address, bytes.as_ptr().cast(), bytes.len(), stream)
        })
    }

    fn create_copy_stream(&self) -> Result<StreamId> {
        self.create_stream()
    }

    fn destroy_copy_stream(&self, stream: StreamId) -> Result<()> {
        self.destroy_stream(stream)
    }

    unsafe fn start_read(&self, stream: StreamId, address: u64, to: *mut u8, bytes: usize) -> Result<()> {
        self.enter()?;
        let stream = self.stream(stream)?;
        // SAFETY: the caller vouches for the buffer; the driver checks the device's address.
        check("cannot read device memory", unsafe {
            sys::cuMemcpyDtoHAsync_v2(to.cast(), address, bytes, stream.handle())
        })
    }

    unsafe fn start_write(&self, stream: StreamId, address: u64, from: *const u8, bytes: usize) -> Result<()> {
        self.enter()?;
        let stream = self.stream(stream)?;
        // SAFETY: as in `start_read`.
        check("cannot write device memory", unsafe {
            sys::cuMemcpyHtoDAsync_v2(address, from.cast(), bytes, stream.handle())
        })
    }

    fn copies_are_done(&self, stream: StreamId) -> Result<bool> {
        self.enter()?;
        let stream = self.stream(stream)?;
        // SAFETY: the stream lives.
        match unsafe { sys::cuStreamQuery(stream.handle()) } {
            CUresult::CUDA_ERROR_NOT_READY => Ok(false),
            status => check("cannot copy device memory", status).map(|()| true),
        }
    }

    fn wait_for_copies(&self, stream: StreamId) -> Result<()> {
        self.enter()?;
        self.stream(stream)?.wait("cannot copy device memory")
    }

    fn alloc_shared(&self, bytes: usize) -> Result<SharedMemory> {
        let _call = self.enter_to_change()?;
        let purpose = format!("cannot allocate {bytes} bytes of pinned host memory");
        let bytes = bytes.max(1);
        let flags = sys::CU_MEMHOSTALLOC_PORTABLE | sys::CU_MEMHOSTALLOC_DEVICEMAP;
        let mut host = ptr::null_mut();
        let mut device = 0;
        // SAFETY: the pointers are valid; the memory is zeroed before anybody else has it.
        unsafe {
            check(&purpose, sys::cuMemHostAlloc(&mut host, bytes, flags))?;
            ptr::write_bytes(host.cast::<u8>(), 0, bytes);
            check(&purpose, sys::cuMemHostGetDevicePointer_v2(&mut device, host, 0))?;
        }
        Ok(SharedMemory {
            host: host.cast(),
            device,
            bytes,
        })
    }

    unsafe fn free_shared(&self, memory: SharedMemory) -> Result<()> {
        let _call = self.enter_to_wait()?;
        // SAFETY: the caller says that nobody uses it.
        check("cannot free pinned host memory", unsafe {
            sys::cuMemFreeHost(memory.host.cast())
        })
    }

    fn alloc_device(&self, bytes: usize) -> Result<u64> {
        let _call = self.enter_to_change()?;
        let mut address = 0;
        // SAFETY: the pointer is valid.
        check(&format!("cannot allocate {bytes} bytes of device memory"), unsafe {
            sys::cuMemAlloc_v2(&mut address, bytes.max(1))
        })?;
        self.handles().memory.insert(address, bytes as u64);
        Ok(address)
    }

    fn alloc_during_kernel(&self, bytes: usize) -> Result<u64> {
        let _call = self.gate.call_for_kernel();
        self.enter()?;
        let mut address = 0;
        let purpose = format!("cannot allocate {bytes} bytes of device memory");
        // Ordered by a stream that no kernel is on; the plain allocation would wait for all of them.
        let stream = self.allocation_stream.lock();
        let stream = stream.unwrap_or_else(|poison| poison.into_inner());
        // SAFETY: the pointer is valid until the stream has been waited for.
        stream.run(&purpose, |stream| unsafe {
            sys::cuMemAllocAsync(&mut address, bytes.max(1), stream)
        })?;
        self.handles().memory.insert(address, bytes as u64);
        Ok(address)
    }

    unsafe fn free_device(&self, address: u64) -> Result<()> {
        let _call = self.enter_to_wait()?;
        self.handles().memory.remove(address);
        // SAFETY: the caller says that no kernel uses it.
        check("cannot free device memory", unsafe { sys::cuMemFree_v2(address) })
    }

    fn owns(&self, address: u64, bytes: u64) -> bool {
        self.handles().memory.contain(address, bytes)
    }

    fn create_stream(&self) -> Result<StreamId> {
        let _call = self.enter_to_change()?;
        let stream = Arc::new(Stream::new()?);
        let id = self.number();
        self.handles().streams.insert(id, stream);
        Ok(StreamId(id))
    }

    fn destroy_stream(&self, stream: StreamId) -> Result<()> {
        let _call = self.enter_to_change()?;
        let removed = self.handles().streams.remove(&stream.0);
        removed.map(drop).ok_or_else(no_such_stream)
    }

    unsafe fn launch(&self, stream: StreamId, kernel: KernelId, shape: LaunchShape, args: &[u8]) -> Result<LaunchId> {
        let _call = self.enter_to_change()?;
        let purpose = "cannot launch the kernel";
        let function = self.function(kernel)?;
        let stream = self.stream(stream)?;
        let mut event = ptr::null_mut();
        let mut args_bytes = args.len();
        let mut extra = [
            sys::CU_LAUNCH_PARAM_BUFFER_POINTER_AS_INT as *mut c_void,
            args.as_ptr().cast_mut().cast(),
            sys::CU_LAUNCH_PARAM_BUFFER_SIZE_AS_INT as *mut c_void,
            (&raw mut args_bytes).cast(),
            sys::CU_LAUNCH_PARAM_END_AS_INT as *mut c_void,
        ];
        // A kernel without parameters takes none of either kind.
        let extra = if args.is_empty() {
            ptr::null_mut()
        } else {
            extra.as_mut_ptr()
        };
        // Beyond what the driver's number holds is beyond any device: it refuses the most that the number says, too.
        let shared_bytes = c_int::try_from(shape.shared_bytes).unwrap_or(c_int::MAX);
        // SAFETY: function, stream and event are valid; the driver copies the arguments before it
        // returns; that they match the kernel is what the caller promises.
        unsafe {
            if shared_bytes > 0 {
                let attribute = FunctionAttribute::CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES;
                check(
                    "cannot give the kernel that much block-shared memory",
                    sys::cuFuncSetAttribute(function, attribute, shared_bytes),
                )?;
            }
            let flags = sys::CUevent_flags::CU_EVENT_DISABLE_TIMING as c_uint;
            check(purpose, sys::cuEventCreate(&mut event, flags))?;
            let [grid_x, grid_y, grid_z] = shape.grid;
            let [block_x, block_y, block_z] = shape.block;
            let launched = sys::cuLaunchKernel(
                function,
                grid_x,
                grid_y,
                grid_z,
                block_x,
                block_y,
                block_z,
                shared_bytes.cast_unsigned(),
                stream.handle(),
                ptr::null_mut(),
                extra,
            );
            if launched == CUresult::CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES {
                sys::cuEventDestroy_v2(event);
                return Err(Error::Host(format!(
                    "{purpose}: it needs more registers or shared memory than a block of {} threads can have; use fewer threads per block",
                    shape.threads_per_block()
                )));
            }
            let recorded =
                check(purpose, launched).and_then(|()| check(purpose, sys::cuEventRecord(event, stream.handle())));
            if let Err(error) = recorded {
                sys::cuEventDestroy_v2(event);
                return Err(error);
            }
        }
        // An event's handle means the same in all threads.
        let of_event = event as usize;
        let running = self.gate.kernel_runs(move || {
            // SAFETY: the event is destroyed after the gate has forgotten it; whoever asks has made the context current.
            unsafe { sys::cuEventQuery(of_event as sys::CUevent) != CUresult::CUDA_ERROR_NOT_READY }
        });
        let id = self.number();
        self.handles().launches.insert(id, (event, running));
        Ok(LaunchId(id))
    }

    fn wait(&self, launch: LaunchId, timeout: Duration) -> Result<bool> {
        self.enter()?;
        let Some((event, running)) = self.handles().launches.get(&launch.0).copied() else {
            return Err(Error::Host("this launch was already waited for".into()));
        };
        let start = Instant::now();
        let ended = loop {
            // SAFETY: the event is valid until it is destroyed below.
            match unsafe { sys::cuEventQuery(event) } {
                CUresult::CUDA_SUCCESS => break Ok(true),
                CUresult::CUDA_ERROR_NOT_READY => {}
                status => break status.result().map(|()| true),
            }
            let waited = start.elapsed();
            if waited >= timeout {
                return Ok(false);
            }
            // Short kernels are met at once; long ones cost next to no processor time, and their
            // end is seen late by a sixty-fourth of their time, or a millisecond, at most.
            let nap = (waited / 64).min(Duration::from_millis(1));
            if nap < Duration::from_micros(50) {
                std::thread::yield_now();
            } else {
                std::thread::sleep(nap.min(timeout - waited));
            }
        };
        self.handles().launches.remove(&launch.0);
        self.gate.kernel_ended(running);
        // SAFETY: nobody finds the event any more.
        unsafe { sys::cuEventDestroy_v2(event) };
        ended.map_err(|error| fault(error).unwrap_or_else(|| failed("cannot wait for the kernel", error)))
    }
}

impl Drop for CudaDevice {
    fn drop(&mut self) {
        // The streams, which go with the fields, are destroyed in their context.
        self.at_end = Some(self.gate.call());
        let _ = self.enter();
    }
}

/// Turns a failed load and the compiler's log into one line.
fn load_error(error: cudarc::driver::result::DriverError, log: &[u8]) -> Error {
    let length = log.iter().position(|&byte| byte == 0).unwrap_or(log.len());
    let log = String::from_utf8_lossy(&log[..length]);
    let lines: Vec<&str> = log.lines().map(str::trim).filter(|line| !line.is_empty()).collect();
    let detail = match lines.len() {
        0 => String::new(),
        count if count > 4 => format!(": {}; and {} more lines", lines[..4].join("; "), count - 4),
        _ => format!(": {}", lines.join("; ")),
    };
    let lower = log.to_lowercase();
    if lower.contains("unresolved") || lower.contains("undefined reference") {
        return Error::Image(format!(
            "uses a symbol that nobody defines{detail}; link the library that has it, or remove the use"
        ));
    }
    match error.0 {
        CUresult::CUDA_ERROR_NO_BINARY_FOR_GPU => Error::Image(format!(
            "holds no code for this device{detail}; build it for the device's architecture"
        )),
        CUresult::CUDA_ERROR_UNSUPPORTED_PTX_VERSION => Error::Image(format!(
            "uses a newer PTX version than this driver knows{detail}; update the driver, or build with an older ptx target feature"
        )),
        CUresult::CUDA_ERROR_INVALID_PTX | CUresult::CUDA_ERROR_INVALID_IMAGE => Error::Image(format!(
            "is refused by the driver, {}{detail}; build it again",
            driver::describe(error)
        )),
        CUresult::CUDA_ERROR_JIT_COMPILER_NOT_FOUND => Error::Host(
            "the driver's PTX compiler (libnvidia-ptxjitcompiler) is not installed; install it, or give a cubin".into(),
        ),
        _ => match failed("cannot load the image", error) {
            Error::Host(text) => Error::Host(format!("{text}{detail}")),
            other => other,
        },
    }
}
