//! Calls of the driver's interface with any handles, addresses and sizes, as a source of choices says: for the random test and for
//! the fuzz target.
//!
//! Pointers are null or lead to enough memory, as the interface demands; everything else may be anything.

use std::ffi::{CStr, c_void};

use emulator_cuda::symbols::SYMBOLS;

/// What arguments an entry point takes, a letter each:
/// `h` handle or null, `s` stream, `o` pointer that receives or gives up to 8 KiB, `t` name,
/// `d` device address, `p` pinned address, `n` small number, `z` size of anything, `i` image.
const CALLS: &[(&CStr, &str)] = &[
    (c"cuInit", "n"),
    (c"cuDriverGetVersion", "o"),
    (c"cuDeviceGet", "on"),
    (c"cuDeviceGetCount", "o"),
    (c"cuDeviceGetName", "onn"),
    (c"cuDeviceGetUuid", "on"),
    (c"cuDeviceTotalMem", "on"),
    (c"cuDeviceGetAttribute", "onn"),
    (c"cuDeviceGetProperties", "on"),
    (c"cuDeviceComputeCapability", "oon"),
    (c"cuDeviceGetPCIBusId", "onn"),
    (c"cuDeviceGetByPCIBusId", "ot"),
    (c"cuDeviceCanAccessPeer", "onn"),
    (c"cuDeviceGetP2PAttribute", "onnn"),
    (c"cuDeviceGetDefaultMemPool", "on"),
    (c"cuDeviceGetMemPool", "on"),
    (c"cuDeviceSetMemPool", "nh"),
    (c"cuDeviceGetHostAtomicCapabilities", "oonn"),
    (c"cuDevicePrimaryCtxRetain", "on"),
    (c"cuDevicePrimaryCtxRelease", "n"),
    (c"cuDevicePrimaryCtxSetFlags", "nn"),
    (c"cuDevicePrimaryCtxGetState", "noo"),
    (c"cuDevicePrimaryCtxReset", "n"),
    (c"cuCtxDestroy", "h"),
    (c"cuCtxPushCurrent", "h"),
    (c"cuCtxPopCurrent", "o"),
    (c"cuCtxSetCurrent", "h"),
    (c"cuCtxGetCurrent", "o"),
    (c"cuCtxGetDevice", "oh"),
    (c"cuCtxGetFlags", "o"),
    (c"cuCtxGetId", "ho"),
    (c"cuCtxGetApiVersion", "ho"),
    (c"cuCtxSynchronize", "h"),
    (c"cuCtxSetLimit", "nz"),
    (c"cuCtxGetLimit", "on"),
    (c"cuCtxSetCacheConfig", "n"),
    (c"cuCtxGetStreamPriorityRange", "oo"),
    (c"cuCtxEnablePeerAccess", "hn"),
    (c"cuModuleLoad", "ot"),
    (c"cuModuleLoadData", "oi"),
    (c"cuModuleUnload", "h"),
    (c"cuModuleGetFunction", "oht"),
    (c"cuModuleGetFunctionCount", "oh"),
    (c"cuModuleEnumerateFunctions", "onh"),
    (c"cuModuleGetGlobal", "ooht"),
    (c"cuLibraryUnload", "h"),
    (c"cuLibraryGetKernel", "oht"),
    (c"cuLibraryGetModule", "oh"),
    (c"cuKernelGetFunction", "oh"),
    (c"cuKernelGetAttribute", "onhn"),
    (c"cuKernelGetParamInfo", "hnoo"),
    (c"cuLinkComplete", "hoo"),
    (c"cuLinkDestroy", "h"),
    (c"cuFuncGetAttribute", "onh"),
    (c"cuFuncSetAttribute", "hnz"),
    (c"cuFuncGetModule", "oh"),
    (c"cuFuncGetName", "oh"),
    (c"cuFuncGetParamInfo", "hnoo"),
    (c"cuFuncGetParamCount", "ho"),
    (c"cuFuncLoad", "h"),
    (c"cuOccupancyMaxActiveBlocksPerMultiprocessor", "ohzz"),
    (c"cuOccupancyAvailableDynamicSMemPerBlock", "ohzz"),
    (c"cuMemGetInfo", "oo"),
    (c"cuMemAlloc", "oz"),
    (c"cuMemAllocPitch", "oozzn"),
    (c"cuMemAllocManaged", "ozn"),
    (c"cuMemFree", "d"),
    (c"cuMemGetAddressRange", "ood"),
    (c"cuMemAllocHost", "on"),
    (c"cuMemHostAlloc", "onn"),
    (c"cuMemFreeHost", "p"),
    (c"cuMemHostUnregister", "p"),
    (c"cuMemHostGetDevicePointer", "opn"),
    (c"cuMemHostGetFlags", "op"),
    (c"cuMemAdvise", "dznn"),
    (c"cuMemPrefetchAsync", "dzns"),
    (c"cuMemAllocAsync", "ozs"),
    (c"cuMemAllocFromPoolAsync", "ozhs"),
    (c"cuMemFreeAsync", "ds"),
    (c"cuMemPoolTrimTo", "hz"),
    (c"cuMemPoolGetAttribute", "hno"),
    (c"cuMemPoolSetAttribute", "hno"),
    (c"cuMemPoolDestroy", "h"),
    (c"cuMemcpyDtoD", "ddz"),
    (c"cuMemcpyHtoD", "don"),
    (c"cuMemcpyDtoH", "odn"),
    (c"cuMemcpyPeer", "dhdhz"),
    (c"cuMemcpyDtoDAsync", "ddzs"),
    (c"cuMemcpyHtoDAsync", "dons"),
    (c"cuMemcpyDtoHAsync", "odns"),
    (c"cuMemcpyPeerAsync", "dhdhzs"),
    (c"cuMemsetD8", "dnz"),
    (c"cuMemsetD16", "dnz"),
    (c"cuMemsetD32", "dnz"),
    (c"cuMemsetD2D8", "dznzz"),
    (c"cuMemsetD2D16", "dznzz"),
    (c"cuMemsetD2D32", "dznzz"),
    (c"cuMemsetD8Async", "dnzs"),
    (c"cuMemsetD32Async", "dnzs"),
    (c"cuMemsetD2D32Async", "dznzzs"),
    (c"cuPointerGetAttribute", "ond"),
    (c"cuPointerSetAttribute", "ond"),
    (c"cuStreamCreate", "on"),
    (c"cuStreamCreateWithPriority", "onn"),
    (c"cuStreamDestroy", "s"),
    (c"cuStreamQuery", "s"),
    (c"cuStreamSynchronize", "s"),
    (c"cuStreamWaitEvent", "shn"),
    (c"cuStreamGetFlags", "so"),
    (c"cuStreamGetPriority", "so"),
    (c"cuStreamGetId", "so"),
    (c"cuStreamGetDevice", "so"),
    (c"cuStreamIsCapturing", "so"),
    (c"cuStreamCopyAttributes", "ss"),
    (c"cuStreamAttachMemAsync", "sdzn"),
    (c"cuStreamWriteValue32", "sdnn"),
    (c"cuStreamWriteValue64", "sdnn"),
    (c"cuLaunchHostFunc", "snn"), // the function is always null, see `argument`
    (c"cuEventCreate", "on"),
    (c"cuEventRecord", "hs"),
    (c"cuEventQuery", "h"),
    (c"cuEventSynchronize", "h"),
    (c"cuEventDestroy", "h"),
    (c"cuEventElapsedTime", "ohh"),
    (c"cuLaunchKernel", "hnnnnnnns"), // without parameters
    (c"cuGetErrorName", "no"),
    (c"cuGetErrorString", "no"),
    (c"cuGetProcAddress", "toznoo"),
    (c"cuGraphCreate", "on"),
    (c"cuArrayCreate", "oo"),
];

/// As many arguments as any of these has; further ones do no harm in C's calling convention.
type Entry = unsafe extern "C" fn(u64, u64, u64, u64, u64, u64, u64, u64, u64, u64, u64) -> u32;

const PTX: &CStr = c".version 7.0\n.target sm_70\n.address_size 64\n.global .u32 v;\n.visible .entry k() { ret; }\n";
const NAMES: [&CStr; 5] = [c"k", c"v", c"", c"0000:01:00.0", c"cuMemAlloc"];
const IMAGES: [&CStr; 4] = [PTX, c"", c"\x7fELF", c".version 7.0\n.entry k( {"];

/// Makes calls as `choose` says.
struct Fuzzer<'c> {
    choose: &'c mut dyn FnMut() -> u64,
    /// Numbers that calls have given out: handles, addresses.
    known: Vec<u64>,
    buffers: Vec<Box<[u64; 1024]>>,
}

impl Fuzzer<'_> {
    fn below(&mut self, n: usize) -> usize {
        (self.choose)() as usize % n
    }

    fn one_in(&mut self, n: usize) -> bool {
        self.below(n) == 0
    }

    fn known(&mut self) -> u64 {
        match self.known.len() {
            0 => 0,
            count => {
                let at = self.below(count);
                self.known[at]
            }
        }
    }

    fn argument(&mut self, kind: u8) -> u64 {
        match kind {
            b'o' if self.one_in(20) => 0,
            b'o' => {
                self.buffers.push(Box::new([0; 1024]));
                self.buffers.last_mut().unwrap().as_mut_ptr() as u64
            }
            b't' if self.one_in(20) => 0,
            b't' => NAMES[self.below(NAMES.len())].as_ptr() as u64,
            b'i' => IMAGES[self.below(IMAGES.len())].as_ptr() as u64,
            b's' if self.one_in(2) => self.below(3) as u64,
            b'd' if self.one_in(4) => self.known().wrapping_add(self.below(64) as u64),
            b'h' | b's' | b'd' | b'p' if self.one_in(10) => (self.choose)() >> self.below(64),
            b'h' | b's' | b'd' | b'p' => self.known(),
            b'z' if self.one_in(10) => u64::MAX >> self.below(64),
            // Counts of elements in host memory stay below 1024.
            _ => {
                let most = [2, 3, 20, 600][self.below(4)];
                self.below(most) as u64
            }
        }
    }

    fn call(&mut self) -> u32 {
        let (name, kinds) = CALLS[self.below(CALLS.len())];
        let mut arguments = [0; 11];
        for (argument, kind) in arguments.iter_mut().zip(kinds.bytes()) {
            *argument = self.argument(kind);
        }
        if name == c"cuLaunchHostFunc" {
            arguments[1] = 0;
        }
        let symbol = SYMBOLS.iter().find(|symbol| symbol.name == name.to_str().unwrap());
        let newest = symbol.expect("the table has it").variants.last().unwrap();
        // SAFETY: an entry point with up to 11 integer arguments.
        let entry = unsafe { std::mem::transmute::<*const c_void, Entry>(newest.address) };
        let [a, b, c, d, e, f, g, h, i, j, k] = arguments;
        // SAFETY: pointers lead to 8 KiB, names and images end with NUL, the rest may be anything.
        let result = unsafe { entry(a, b, c, d, e, f, g, h, i, j, k) };
        if result == 0 && kinds.starts_with('o') && a != 0 && self.known.len() < 200 {
            self.known.push(self.buffers[0][0]);
        }
        // Asynchronous copies to and from pageable memory are over when the call returns.
        self.buffers.clear();
        result
    }
}

/// Makes `calls` calls, each as `choose` says; how many of them succeeded.
pub fn run(choose: &mut dyn FnMut() -> u64, calls: usize) -> usize {
    let mut fuzzer = Fuzzer {
        choose,
        known: Vec::new(),
        buffers: Vec::new(),
    };
    let mut ordinal = [0u64; 2];
    // SAFETY: plain calls of the interface.
    unsafe {
        emulator_cuda::driver::cuInit(0);
        emulator_cuda::contexts::cuCtxCreate_v2(emulator_cuda::border::Out(ordinal.as_mut_ptr().cast()), 0, 0);
    }
    fuzzer.known.push(ordinal[0]);
    (0..calls).filter(|_| fuzzer.call() == 0).count()
}

/// Bytes that one call takes for its choices, on average.
const BYTES_PER_CALL: usize = 16;

/// The same with the choices that bytes make: those of a fuzzer.
pub fn run_bytes(choices: &[u8]) {
    let mut rest = choices.chunks(4);
    let mut choose = || {
        let chunk = rest.next().unwrap_or_default();
        chunk.iter().fold(0, |number, &byte| number << 8 | u64::from(byte))
    };
    run(&mut choose, choices.len() / BYTES_PER_CALL);
}
