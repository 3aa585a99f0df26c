//! The functions that the embedding runtime calls.

#![allow(
    clippy::missing_safety_doc,
    reason = "the comments are the header's, and say to C what it has to keep to"
)]

use std::ffi::{c_char, c_void};
use std::ptr::NonNull;

use host_server::{Layout, layout};

use crate::{
    device::{Device, Options},
    guarded, guarded_or, library,
    types::{
        Data, RPC_SERVER_VERSION, rpc_alloc_ty, rpc_free_ty, rpc_opcode_callback_ty, rpc_options_t,
        rpc_status_t::{self, *},
    },
};

/// The name of the global in a device image that makes calls. rpc_get_client_size bytes at rpc_get_client_buffer go into
/// it, in place, before the first kernel runs. An image without it makes no calls and needs no server.
#[unsafe(no_mangle)]
#[allow(non_upper_case_globals, reason = "the name is that of C")]
pub static rpc_client_symbol_name: [c_char; 18] = {
    let mut name = [0; 18];
    let mut at = 0;
    while at < layout::CLIENT_SYMBOL.len() {
        name[at] = layout::CLIENT_SYMBOL.as_bytes()[at] as c_char;
        at += 1;
    }
    assert!(at + 1 == name.len());
    name
};

/// RPC_SERVER_VERSION of the library that is running, to compare with that of the header.
#[unsafe(no_mangle)]
pub extern "C" fn rpc_server_version() -> u32 {
    RPC_SERVER_VERSION
}

/// Begin to use the library, for devices 0 to num_devices - 1. Counted: each success needs one rpc_shutdown. A later call
/// may ask for more devices.
#[unsafe(no_mangle)]
pub extern "C" fn rpc_init(num_devices: u32) -> rpc_status_t {
    guarded(|| library::init(num_devices))
}

/// Undo one rpc_init. The last one is refused with RPC_STATUS_ALREADY_IN_USE while a device still has its server.
#[unsafe(no_mangle)]
pub extern "C" fn rpc_shutdown() -> rpc_status_t {
    guarded(library::shutdown)
}

/// Say how a device is to be served, before rpc_server_init. Holds for all its servers until the last rpc_shutdown.
///
/// options leads to a structure whose size and version are true.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn rpc_set_options(device_id: u32, options: *const rpc_options_t) -> rpc_status_t {
    guarded(|| {
        let options = NonNull::new(options.cast_mut()).ok_or(RPC_STATUS_INVALID_ARGUMENT)?;
        // SAFETY: passed on to the caller.
        library::set_options(device_id, unsafe { Options::read(options) }?)
    })
}

/// Begin to serve a device through num_ports ports (1 to RPC_MAXIMUM_PORT_COUNT) for groups of lane_size lanes: 32 on
/// NVIDIA, the wavefront size on AMD, 1 for a client on the CPU. alloc gives the memory that both sides share.
///
/// alloc is called once, with data; the memory that it gives stays until rpc_server_shutdown.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn rpc_server_init(
    device_id: u32,
    num_ports: u64,
    lane_size: u32,
    alloc: rpc_alloc_ty,
    data: *mut c_void,
) -> rpc_status_t {
    guarded(|| {
        let alloc = alloc.ok_or(RPC_STATUS_INVALID_ARGUMENT)?;
        if !matches!(lane_size, 1 | 32 | 64) {
            return Err(RPC_STATUS_INVALID_LANE_SIZE);
        }
        let ports = u32::try_from(num_ports).map_err(|_| RPC_STATUS_OUT_OF_RANGE)?;
        let layout = Layout::new(ports, lane_size).ok_or(RPC_STATUS_OUT_OF_RANGE)?;
        library::begin(device_id, |options| {
            // SAFETY: passed on to the caller.
            Device::new(device_id, layout, options, |size| unsafe { alloc(size, data) })
        })
    })
}

/// End a device's server; no kernel may be running. Asynchronous calls that are still pending are served, calls whose
/// device has vanished are dropped, and a callback that waits for the device in rpc_recv and the like gets
/// RPC_STATUS_CLOSED. Waits for callbacks to return. dealloc gets the shared memory at last; it may be NULL if that is
/// freed otherwise.
///
/// Refused with RPC_STATUS_ALREADY_IN_USE from within a callback, and while another thread is using the server.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn rpc_server_shutdown(device_id: u32, dealloc: rpc_free_ty, data: *mut c_void) -> rpc_status_t {
    guarded(|| library::end(device_id, dealloc, Data(data)))
}

/// Do what can be done for a device now: look at every port once and move its call on. Bounded work, which never waits
/// for a device or a callback. Call it again and again while a kernel runs; several threads may at once.
#[unsafe(no_mangle)]
pub extern "C" fn rpc_handle_server(device_id: u32) -> rpc_status_t {
    guarded(|| library::device(device_id)?.handle())
}

/// Have callback answer an opcode of this device from its next call on, instead of whatever answered it before.
/// callback is called with data, on other threads, until rpc_server_shutdown.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn rpc_register_callback(
    device_id: u32,
    opcode: u32,
    callback: rpc_opcode_callback_ty,
    data: *mut c_void,
) -> rpc_status_t {
    guarded(|| library::device(device_id)?.register(opcode, callback, data))
}

/// Whether the device's program asked to end: RPC_STATUS_SUCCESS and its status, or RPC_STATUS_CONTINUE.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn rpc_get_exit_status(device_id: u32, status: *mut i32) -> rpc_status_t {
    guarded(|| {
        let place = NonNull::new(status).ok_or(RPC_STATUS_INVALID_ARGUMENT)?;
        let status = library::device(device_id)?.exit_status().ok_or(RPC_STATUS_CONTINUE)?;
        // SAFETY: the caller's variable.
        unsafe { place.write(status) };
        Ok(())
    })
}

/// The memory that a device's server shares with it, as alloc gave it; NULL if the device has no server.
#[unsafe(no_mangle)]
pub extern "C" fn rpc_get_buffer(device_id: u32) -> *mut c_void {
    guarded_or(std::ptr::null_mut(), || Some(library::device(device_id).ok()?.base()))
}

/// What to write into the image's global rpc_client_symbol_name, again after each rpc_server_init; NULL if the device has
/// no server. Valid until rpc_server_shutdown.
#[unsafe(no_mangle)]
pub extern "C" fn rpc_get_client_buffer(device_id: u32) -> *const c_void {
    guarded_or(std::ptr::null(), || Some(library::device(device_id).ok()?.client()))
}

/// How many bytes rpc_get_client_buffer leads to: 552.
#[unsafe(no_mangle)]
pub extern "C" fn rpc_get_client_size() -> u64 {
    size_of::<host_server::ClientObject>() as u64
}
