//! The types of the header.
#![allow(non_camel_case_types, reason = "the names are those of C")]

use std::ffi::{c_char, c_void};

/// The version of this interface: what rpc_options_t.version must hold.
pub const RPC_SERVER_VERSION: u32 = 1;

/// Most ports that a server can have.
pub const RPC_MAXIMUM_PORT_COUNT: u64 = 4096;

/// Most devices that one process can have.
pub const RPC_MAXIMUM_DEVICE_COUNT: u32 = 1024;

/// Most lanes that take part in one call: the length that per-lane arrays never exceed.
pub const RPC_MAXIMUM_LANE_COUNT: u32 = 64;

/// Bytes that one lane may send in one rpc_send_n: 1 GiB.
pub const RPC_STREAM_LIMIT: u64 = 1073741824;

/// For rpc_options_t.flags: when the device asks to end, rpc_handle_server calls exit or abort instead of noting the wish.
pub const RPC_OPTION_EXIT_PROCESS: u32 = 1;

/// For rpc_options_t.flags: the device may call functions of this process by their addresses (RPC_HOST_CALL). This is to
/// trust its program as oneself.
pub const RPC_OPTION_ALLOW_HOST_CALL: u32 = 2;

/// For rpc_options_t.flags: the device may run commands (RPC_SYSTEM).
pub const RPC_OPTION_ALLOW_RUN: u32 = 4;

/// What a function of this library has to say. 0 is success, the others never change their numbers.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum rpc_status_t {
    /// Done.
    RPC_STATUS_SUCCESS = 0,
    /// There is nothing to report yet; ask again later.
    RPC_STATUS_CONTINUE = 1,
    /// A hook gave no usable memory, a thread could not be had, or a lane sent more than RPC_STREAM_LIMIT.
    RPC_STATUS_ERROR = 0x1000,
    /// There is no such device, or a number is beyond its bounds.
    RPC_STATUS_OUT_OF_RANGE = 0x1001,
    /// The device asked for something that nobody answers. The call was answered with zeros; this is said once for each
    /// opcode.
    RPC_STATUS_UNHANDLED_OPCODE = 0x1002,
    /// The lane size is not 1, 32 or 64.
    RPC_STATUS_INVALID_LANE_SIZE = 0x1003,
    /// rpc_init was not called, or the device has no server.
    RPC_STATUS_NOT_INITIALIZED = 0x1004,
    /// The device has a server already, or another thread is using what this call would take away.
    RPC_STATUS_ALREADY_IN_USE = 0x1005,
    /// A pointer is null, or an option has no meaning.
    RPC_STATUS_INVALID_ARGUMENT = 0x1006,
    /// The structure is of another version of this interface.
    RPC_STATUS_VERSION_MISMATCH = 0x1007,
    /// The port's conversation has ended: its callback has returned, or its server was shut down.
    RPC_STATUS_CLOSED = 0x1008,
}

/// What one lane sends or receives at a time.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct rpc_buffer_t {
    /// The payload. Each opcode gives the words their meaning.
    pub data: [u64; 8],
}

/// The call that a callback answers. Valid until the callback returns; a stale one is refused.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct rpc_port_t {
    /// Only the library knows what it means.
    pub reserved: u64,
}

/// Allocates size bytes, aligned to 8. For the shared region this must be pinned host memory that the device can reach at
/// the same address, coherently and without write combining. NULL means that there is none.
pub type rpc_alloc_ty = Option<unsafe extern "C" fn(size: u64, data: *mut c_void) -> *mut c_void>;

/// Frees what rpc_alloc_ty allocated.
pub type rpc_free_ty = Option<unsafe extern "C" fn(ptr: *mut c_void, data: *mut c_void)>;

/// Answers one call of the opcode that it is registered for. It runs on a thread of the library, several calls at a time
/// on several threads, and may block.
pub type rpc_opcode_callback_ty = Option<unsafe extern "C" fn(port: rpc_port_t, data: *mut c_void)>;

/// Reads or writes the buffer of one lane. Called once for each lane that takes part, the lowest first.
pub type rpc_port_callback_ty = Option<unsafe extern "C" fn(buffer: *mut rpc_buffer_t, data: *mut c_void)>;

/// Takes one line about what the device did wrong or was refused, without a newline. Called from within
/// rpc_handle_server and rpc_server_shutdown.
pub type rpc_log_callback_ty = Option<unsafe extern "C" fn(device_id: u32, message: *const c_char, data: *mut c_void)>;

/// The device's program asked to end with this status; when it aborted, with 134. Called once, from within
/// rpc_handle_server or rpc_server_shutdown.
pub type rpc_exit_callback_ty = Option<unsafe extern "C" fn(device_id: u32, status: i32, data: *mut c_void)>;

/// How to serve a device. Set all to zero, then size and version, then what is wanted; or begin with RPC_OPTIONS_INIT.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct rpc_options_t {
    /// sizeof(rpc_options_t).
    pub size: u32,
    /// RPC_SERVER_VERSION.
    pub version: u32,
    /// RPC_OPTION_ bits.
    pub flags: u32,
    /// 0.
    pub reserved: u32,
    /// Gets what there is to say about the device's program; NULL drops it.
    pub log: rpc_log_callback_ty,
    /// Passed on to log.
    pub log_data: *mut c_void,
    /// Learns when the device's program asks to end; may be NULL.
    pub exit: rpc_exit_callback_ty,
    /// Passed on to exit.
    pub exit_data: *mut c_void,
    /// The directories that the device may reach, "HOST" or "HOST::GUEST" each, and NULL at the end. NULL for none.
    pub directories: *const *const c_char,
}

/// A pointer of the embedding program, which it gets back as it is.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Data(pub *mut c_void);

impl Data {
    /// The pointer. A closure that asks for it this way holds the whole value, which may change threads.
    pub fn get(self) -> *mut c_void {
        self.0
    }
}

// SAFETY: the library never follows it; that callbacks run on other threads is part of their contract.
unsafe impl Send for Data {}
// SAFETY: as above.
unsafe impl Sync for Data {}

// The header says so too, for the caller's compiler.
static_assertions::const_assert_eq!(size_of::<rpc_buffer_t>(), size_of::<host_server::Buffer>());
static_assertions::const_assert_eq!(RPC_MAXIMUM_PORT_COUNT, host_server::layout::MAX_PORTS as u64);
static_assertions::const_assert_eq!(RPC_MAXIMUM_LANE_COUNT, host_server::layout::MAX_LANES);
static_assertions::const_assert_eq!(RPC_STREAM_LIMIT, host_server::STREAM_LIMIT);
