//! The library under many threads at once, in Rust, so that ThreadSanitizer sees all of it: `cargo xtask test tsan`.

use std::alloc::{Layout, alloc_zeroed, dealloc};
use std::ffi::c_void;
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};

use rpc_proto::raw::{CpuEdges, RawMemory};
use rpc_proto::{Client, OneLane, Opcode};
use rpc_server::api::*;
use rpc_server::port::*;
use rpc_server::types::{rpc_buffer_t, rpc_port_t, rpc_status_t::*};

const DEVICES: u32 = 2;
const PORTS: u64 = 4;
const CLIENTS: usize = 3;
const CALLS: u64 = 40;
const SQUARE: Opcode = Opcode::new(b'x', 1);
const REVERSE: Opcode = Opcode::new(b'x', 2);

/// The size stands before what is given out, as the C library's own allocator has it.
unsafe extern "C" fn allocate(size: u64, _: *mut c_void) -> *mut c_void {
    let layout = Layout::from_size_align(size as usize + 64, 64).unwrap();
    // SAFETY: the size is not 0, and there is room for a word and what follows it.
    unsafe {
        let base = alloc_zeroed(layout);
        base.cast::<usize>().write(layout.size());
        base.add(64).cast()
    }
}

unsafe extern "C" fn release(memory: *mut c_void, freed: *mut c_void) {
    // SAFETY: given out by `allocate`; `freed` is null or a counter.
    unsafe {
        let base = memory.cast::<u8>().sub(64);
        let size = base.cast::<usize>().read();
        dealloc(base, Layout::from_size_align(size, 64).unwrap());
        if let Some(freed) = freed.cast::<AtomicUsize>().as_ref() {
            freed.fetch_add(1, Ordering::Relaxed);
        }
    }
}

unsafe extern "C" fn square_of_lane(buffer: *mut rpc_buffer_t, calls: *mut c_void) {
    // SAFETY: the library gives a buffer, and what was registered with the callback.
    let (buffer, calls) = unsafe { (&mut *buffer, &*calls.cast::<AtomicU64>()) };
    buffer.data[0] *= buffer.data[0];
    calls.fetch_add(1, Ordering::Relaxed);
}

unsafe extern "C" fn square(port: rpc_port_t, calls: *mut c_void) {
    assert_eq!(rpc_get_opcode(port), SQUARE.0);
    // SAFETY: the callback takes what it is given.
    let status = unsafe { rpc_recv_and_send(port, Some(square_of_lane), calls) };
    assert_eq!(status, RPC_STATUS_SUCCESS);
}

unsafe extern "C" fn reverse(port: rpc_port_t, _: *mut c_void) {
    let (mut bytes, mut size) = ([std::ptr::null_mut(); 1], [0u64; 1]);
    // SAFETY: the arrays have one entry, as the region has one lane; the bytes are this function's until it frees them.
    unsafe {
        let no_data = std::ptr::null_mut();
        let status = rpc_recv_n(port, bytes.as_mut_ptr(), size.as_mut_ptr(), Some(allocate), no_data);
        assert_eq!(status, RPC_STATUS_SUCCESS);
        std::slice::from_raw_parts_mut(bytes[0].cast::<u8>(), size[0] as usize).reverse();
        let sources = [bytes[0].cast_const()];
        assert_eq!(rpc_send_n(port, sources.as_ptr(), size.as_ptr()), RPC_STATUS_SUCCESS);
        release(bytes[0], no_data);
    }
}

fn client(device: u32) -> Client<RawMemory<CpuEdges>, OneLane> {
    let object = rpc_get_client_buffer(device).cast_mut();
    // SAFETY: the object is the library's until the device's shutdown, which comes after all calls; clients only use the
    // locks in it atomically.
    let memory = unsafe { RawMemory::from_object(object.cast(), 1) };
    Client::new(memory, OneLane { home: 0 })
}

fn play(device: u32, number: u64) {
    let client = client(device);
    for call in 0..CALLS {
        let value = number * 1000 + call;
        let answer = client
            .open(SQUARE)
            .send_and_recv(|packet| packet.set(0, value), |packet| packet.get(0));
        assert_eq!(answer, value * value);
        let text = format!("{device} {number} {call} and more than fits into one packet of fifty-six bytes");
        let mut port = client.open(REVERSE);
        port.send_n(text.as_bytes());
        let mut back = vec![0; text.len()];
        assert_eq!(port.recv_n(&mut back), text.len() as u64);
        assert!(back.iter().eq(text.as_bytes().iter().rev()));
    }
}

#[test]
fn many_threads_serve_call_register_and_shut_down() {
    let calls = AtomicU64::new(0);
    let freed = AtomicUsize::new(0);
    let calls_data = std::ptr::from_ref(&calls).cast_mut().cast::<c_void>();
    assert_eq!(rpc_init(DEVICES), RPC_STATUS_SUCCESS);
    for device in 0..DEVICES {
        // SAFETY: the hooks do what the header says, and the counter outlives the servers.
        unsafe {
            let no_data = std::ptr::null_mut();
            let begun = rpc_server_init(device, PORTS, 1, Some(allocate), no_data);
            assert_eq!(begun, RPC_STATUS_SUCCESS);
            let registered = rpc_register_callback(device, REVERSE.0, Some(reverse), no_data);
            assert_eq!(registered, RPC_STATUS_SUCCESS);
            let registered = rpc_register_callback(device, SQUARE.0, Some(square), calls_data);
            assert_eq!(registered, RPC_STATUS_SUCCESS);
        }
    }
    let done = &AtomicBool::new(false);
    std::thread::scope(|scope| {
        for device in 0..DEVICES {
            for _ in 0..2 {
                scope.spawn(move || {
                    while !done.load(Ordering::Acquire) {
                        assert_eq!(rpc_handle_server(device), RPC_STATUS_SUCCESS);
                        std::thread::yield_now();
                    }
                });
            }
        }
        // Another user of the library, who comes and goes meanwhile.
        scope.spawn(|| {
            while !done.load(Ordering::Acquire) {
                assert_eq!(rpc_init(1), RPC_STATUS_SUCCESS);
                assert_eq!(rpc_shutdown(), RPC_STATUS_SUCCESS);
                std::thread::yield_now();
            }
        });
        let clients: Vec<_> = (0..DEVICES)
            .flat_map(|device| (0..CLIENTS as u64).map(move |number| (device, number)))
            .map(|(device, number)| scope.spawn(move || play(device, number)))
            .collect();
        let played: Vec<_> = clients.into_iter().map(|client| client.join()).collect();
        done.store(true, Ordering::Release);
        assert!(played.iter().all(Result::is_ok));
    });
    assert_eq!(
        calls.load(Ordering::Relaxed),
        u64::from(DEVICES) * CLIENTS as u64 * CALLS
    );

    assert_eq!(rpc_shutdown(), RPC_STATUS_ALREADY_IN_USE);
    for device in 0..DEVICES {
        let ended = AtomicUsize::new(0);
        std::thread::scope(|scope| {
            for _ in 0..4 {
                scope.spawn(|| {
                    let data = std::ptr::from_ref(&freed).cast_mut().cast();
                    // SAFETY: the hook frees what `allocate` gave; the counter outlives the call.
                    match unsafe { rpc_server_shutdown(device, Some(release), data) } {
                        RPC_STATUS_SUCCESS => _ = ended.fetch_add(1, Ordering::Relaxed),
                        RPC_STATUS_NOT_INITIALIZED | RPC_STATUS_ALREADY_IN_USE => (),
                        other => panic!("{other:?}"),
                    }
                });
            }
        });
        assert_eq!(ended.load(Ordering::Relaxed), 1);
    }
    assert_eq!(freed.load(Ordering::Relaxed), DEVICES as usize);
    assert_eq!(rpc_shutdown(), RPC_STATUS_SUCCESS);
    assert_eq!(rpc_shutdown(), RPC_STATUS_NOT_INITIALIZED);
}
