//! Code objects: loading, symbols, and what is refused.

mod common;

use std::ffi::{CString, c_void};
use std::path::Path;
use std::process::Command;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::{Duration, Instant};

use common::{Running, check};
use hsa_sys::*;

/// Builds `code.c` for a processor with the GPU compiler, where there is one.
fn build(processor: &str) -> Option<Vec<u8>> {
    let usr = common::toolchain();
    let clang = usr.join("lib/llvm-22/bin/clang-22");
    if !clang.exists() {
        eprintln!("skipped: no {}; run `cargo xtask setup`", clang.display());
        return None;
    }
    let libraries = [usr.join("lib/x86_64-linux-gnu"), usr.join("lib/llvm-22/lib")];
    // Tests run side by side: each builds its own.
    static NEXT: AtomicU32 = AtomicU32::new(0);
    let number = NEXT.fetch_add(1, Ordering::Relaxed);
    let image = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("code.{processor}.{number}.hsaco"));
    let built = Command::new(clang)
        .env("LD_LIBRARY_PATH", std::env::join_paths(libraries).unwrap())
        .env("PATH", usr.join("lib/llvm-22/bin"))
        .args([
            "--target=amdgcn-amd-amdhsa",
            "-nogpulib",
            "-mcode-object-version=5",
            "-O1",
            "-fvisibility=default",
        ])
        // The program defines the missing variable when it loads the code.
        .args(["-Wl,--unresolved-symbols=ignore-all", &format!("-mcpu={processor}")])
        .arg(Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/code.c"))
        .arg("-o")
        .arg(&image)
        .status()
        .unwrap();
    assert!(built.success());
    Some(std::fs::read(image).unwrap())
}

struct Loading<'a> {
    run: &'a Running,
    executable: hsa_executable_t,
}

impl<'a> Loading<'a> {
    fn new(run: &'a Running) -> Loading<'a> {
        let mut executable = hsa_executable_t { handle: 0 };
        // SAFETY: the answer has room; options may be null.
        check(unsafe {
            let rounding = HSA_DEFAULT_FLOAT_ROUNDING_MODE_DEFAULT;
            run.0
                .hsa_executable_create_alt(HSA_PROFILE_FULL, rounding, std::ptr::null(), &mut executable)
        });
        Loading { run, executable }
    }

    fn define(&self, name: &str, place: &mut i32) {
        let name = CString::new(name).unwrap();
        let place = std::ptr::from_mut(place).cast();
        // SAFETY: only the address is kept.
        check(unsafe {
            self.run
                .0
                .hsa_executable_global_variable_define(self.executable, name.as_ptr(), place)
        });
    }

    fn load(&self, agent: hsa_agent_t, bytes: &[u8]) -> hsa_status_t {
        let mut reader = hsa_code_object_reader_t { handle: 0 };
        // SAFETY: the bytes live until the reader is destroyed.
        unsafe {
            check(self.run.0.hsa_code_object_reader_create_from_memory(
                bytes.as_ptr().cast(),
                bytes.len(),
                &mut reader,
            ));
            let (options, loaded) = (std::ptr::null(), std::ptr::null_mut());
            let status =
                self.run
                    .0
                    .hsa_executable_load_agent_code_object(self.executable, agent, reader, options, loaded);
            check(self.run.0.hsa_code_object_reader_destroy(reader));
            status
        }
    }

    fn symbol(&self, name: &str) -> Option<hsa_executable_symbol_t> {
        let name = CString::new(name).unwrap();
        let mut symbol = hsa_executable_symbol_t { handle: 0 };
        let agent = self.run.gpu();
        // SAFETY: the name ends with NUL; the answer has room.
        let status = unsafe {
            self.run
                .0
                .hsa_executable_get_symbol_by_name(self.executable, name.as_ptr(), &agent, &mut symbol)
        };
        (status == HSA_STATUS_SUCCESS).then_some(symbol)
    }

    fn info<T: Default>(&self, symbol: hsa_executable_symbol_t, attribute: u32) -> T {
        let mut value = T::default();
        // SAFETY: callers name the attribute's type.
        check(unsafe {
            self.run
                .0
                .hsa_executable_symbol_get_info(symbol, attribute, (&raw mut value).cast())
        });
        value
    }

    fn address(&self, name: &str) -> u64 {
        self.info(self.symbol(name).unwrap(), HSA_EXECUTABLE_SYMBOL_INFO_VARIABLE_ADDRESS)
    }

    fn read<T: Default>(&self, address: u64) -> T {
        let mut value = T::default();
        // SAFETY: `address` is a variable of the code object of type `T`.
        check(unsafe {
            self.run
                .0
                .hsa_memory_copy((&raw mut value).cast(), address as *const _, size_of::<T>())
        });
        value
    }
}

impl Drop for Loading<'_> {
    fn drop(&mut self) {
        // SAFETY: nobody uses it any more.
        unsafe { self.run.0.hsa_executable_destroy(self.executable) };
    }
}

#[test]
fn variables_and_kernels_are_found() {
    let Some(bytes) = build("gfx90a") else { return };
    let run = Running::new();
    let loading = Loading::new(&run);
    let mut external = 7;
    loading.define("external", &mut external);
    check(loading.load(run.gpu(), &bytes));
    // SAFETY: options may be null.
    check(unsafe { run.0.hsa_executable_freeze(loading.executable, std::ptr::null()) });

    let answer = loading.address("answer");
    assert_eq!(loading.read::<i32>(answer), 42);
    assert_eq!(loading.read::<u64>(loading.address("pointer")), answer);
    assert_eq!(
        loading.read::<u64>(loading.address("of_the_program")),
        &raw const external as u64
    );
    let table = loading.symbol("table").unwrap();
    assert_eq!(loading.info::<u32>(table, HSA_EXECUTABLE_SYMBOL_INFO_VARIABLE_SIZE), 12);
    assert!(loading.info::<bool>(table, HSA_EXECUTABLE_SYMBOL_INFO_VARIABLE_IS_CONST));
    assert_eq!(loading.read::<[i32; 3]>(loading.address("table")), [1, 2, 3]);

    let kernel = loading.symbol("store.kd").unwrap();
    assert_eq!(
        loading.info::<u32>(kernel, HSA_EXECUTABLE_SYMBOL_INFO_TYPE),
        HSA_SYMBOL_KIND_KERNEL
    );
    let arguments: u32 = loading.info(kernel, HSA_EXECUTABLE_SYMBOL_INFO_KERNEL_KERNARG_SEGMENT_SIZE);
    assert!(arguments >= 12, "{arguments}");
    let object: u64 = loading.info(kernel, HSA_EXECUTABLE_SYMBOL_INFO_KERNEL_OBJECT);
    // Where the descriptor says that the code begins: behind the descriptor or before it.
    assert_ne!(loading.read::<i64>(object + 16), 0);
    assert!(loading.symbol("store").is_none() && loading.symbol("external").is_none());

    assert_eq!(loading.load(run.gpu(), &bytes), HSA_STATUS_ERROR_FROZEN_EXECUTABLE);
}

#[test]
fn code_that_cannot_run_is_refused() {
    let Some(bytes) = build("gfx90a") else { return };
    let run = Running::new();
    let loading = Loading::new(&run);
    let [_, gfx90a, gfx942, ..] = run.agents()[..] else {
        panic!("there are five agents")
    };
    assert_eq!(loading.load(gfx90a, &bytes), HSA_STATUS_ERROR_VARIABLE_UNDEFINED);
    assert_eq!(loading.load(gfx942, &bytes), HSA_STATUS_ERROR_INCOMPATIBLE_ARGUMENTS);
    assert_eq!(loading.load(run.host(), &bytes), HSA_STATUS_ERROR_INVALID_AGENT);
    assert_eq!(loading.load(gfx90a, b"no ELF"), HSA_STATUS_ERROR_INVALID_CODE_OBJECT);
}

/// The last instruction of the kernel gives way to one that no processor has: refused before anything runs.
#[test]
fn unknown_instructions_are_found_when_code_is_loaded() {
    const S_ENDPGM: [u8; 4] = 0xbf81_0000u32.to_le_bytes();
    let Some(mut bytes) = build("gfx90a") else { return };
    let run = Running::new();
    let loading = Loading::new(&run);
    let mut external = 7;
    loading.define("external", &mut external);
    let at = bytes.chunks_exact(4).position(|word| word == S_ENDPGM).unwrap() * 4;
    bytes[at..at + 4].copy_from_slice(&[0xff; 4]);
    assert_eq!(loading.load(run.gpu(), &bytes), HSA_STATUS_ERROR_INVALID_CODE_OBJECT);
}

/// Every byte of the headers and every cut: refused or loaded, never a crash.
#[test]
fn damaged_code_objects_are_harmless() {
    let Some(bytes) = build("gfx90a") else { return };
    let run = Running::new();
    let attempt = |bytes: &[u8]| {
        let loading = Loading::new(&run);
        let mut external = 0;
        loading.define("external", &mut external);
        loading.load(run.gpu(), bytes)
    };
    check(attempt(&bytes));
    for end in (1..bytes.len()).step_by(bytes.len() / 64) {
        attempt(&bytes[..end]);
    }
    // The headers of the file and of its segments, which lie at its beginning.
    for at in 0..bytes.len().min(512) {
        let mut damaged = bytes.clone();
        damaged[at] ^= 0x81;
        attempt(&damaged);
    }
}

/// Events of the system, and what the queue's owner is told.
type Told = Mutex<(Vec<(u64, u64)>, Vec<hsa_status_t>)>;

extern "C" fn on_event(event: *const hsa_amd_event_t, told: *mut c_void) -> hsa_status_t {
    // SAFETY: the runtime's event, of a fault as its type says, and what the test gave.
    unsafe {
        assert_eq!((*event).event_type, HSA_AMD_GPU_MEMORY_FAULT_EVENT);
        let fault = (*event).__bindgen_anon_1.memory_fault;
        let told = &*told.cast::<Told>();
        told.lock().unwrap().0.push((fault.agent.handle, fault.virtual_address));
    }
    HSA_STATUS_SUCCESS
}

extern "C" fn on_error(status: hsa_status_t, _queue: *mut hsa_queue_t, told: *mut c_void) {
    // SAFETY: what the test gave.
    unsafe { (*told.cast::<Told>()).lock().unwrap().1.push(status) };
}

#[test]
fn a_memory_fault_is_told_to_the_handler_of_system_events() {
    const NOWHERE: u64 = 0x40;
    let Some(bytes) = build("gfx90a") else { return };
    let run = Running::new();
    // SAFETY: a switch of the emulator: this fault need not be told on stderr.
    unsafe {
        let library = libloading::Library::new(common::library()).unwrap();
        library.get::<extern "C" fn(i32)>("gpuEmulatorTellFaults").unwrap()(0);
    }
    let loading = Loading::new(&run);
    let mut external = 7;
    loading.define("external", &mut external);
    check(loading.load(run.gpu(), &bytes));
    // SAFETY: options may be null.
    check(unsafe { run.0.hsa_executable_freeze(loading.executable, std::ptr::null()) });
    let kernel = loading.symbol("store.kd").unwrap();

    // Leaked: a handler stays for the life of the process.
    let told: &Told = Box::leak(Box::default());
    let data = std::ptr::from_ref(told).cast_mut().cast();
    let flags = HSA_AMD_MEMORY_POOL_GLOBAL_FLAG_FINE_GRAINED | HSA_AMD_MEMORY_POOL_GLOBAL_FLAG_KERNARG_INIT;
    let arguments = run.allocate(run.pool(run.host(), flags), 4096);
    let mut queue = std::ptr::null_mut();
    // SAFETY: zero is a value for all fields.
    let mut packet: hsa_kernel_dispatch_packet_t = unsafe { std::mem::zeroed() };
    (
        packet.workgroup_size_x,
        packet.workgroup_size_y,
        packet.workgroup_size_z,
    ) = (1, 1, 1);
    (packet.grid_size_x, packet.grid_size_y, packet.grid_size_z) = (1, 1, 1);
    packet.setup = 1;
    packet.kernel_object = loading.info(kernel, HSA_EXECUTABLE_SYMBOL_INFO_KERNEL_OBJECT);
    packet.kernarg_address = arguments;
    let header = HSA_PACKET_TYPE_KERNEL_DISPATCH << HSA_PACKET_HEADER_TYPE;
    // SAFETY: what `told` points at stays; the arguments have room; the queue is empty, so that its first place is free, and the header
    // is written last.
    unsafe {
        check(
            run.0
                .hsa_amd_agents_allow_access(1, &run.gpu(), std::ptr::null(), arguments),
        );
        check(run.0.hsa_amd_register_system_event_handler(Some(on_event), data));
        let (kind, most) = (HSA_QUEUE_TYPE_MULTI, u32::MAX);
        check(
            run.0
                .hsa_queue_create(run.gpu(), 64, kind, Some(on_error), data, most, most, &mut queue),
        );
        arguments.cast::<u64>().write(NOWHERE);
        let place = (*queue).base_address.cast::<hsa_kernel_dispatch_packet_t>();
        place.write(packet);
        let number = run.0.hsa_queue_add_write_index_relaxed(queue, 1);
        std::sync::atomic::AtomicU16::from_ptr(place.cast()).store(header as u16, Ordering::Release);
        run.0
            .hsa_signal_store_screlease((*queue).doorbell_signal, number as i64);
    }
    let end = Instant::now() + Duration::from_secs(10);
    while told.lock().unwrap().1.is_empty() && Instant::now() < end {
        std::thread::sleep(Duration::from_millis(1));
    }
    let (events, errors) = &*told.lock().unwrap();
    assert_eq!(events[..], [(run.gpu().handle, NOWHERE)]);
    assert_eq!(errors[..], [later::HSA_STATUS_ERROR_MEMORY_FAULT]);
    // SAFETY: nobody uses them any more.
    unsafe {
        check(run.0.hsa_queue_destroy(queue));
        check(run.0.hsa_amd_memory_pool_free(arguments));
    }
}
