//! The opcodes, as numbers of C. They say the same as rpc-proto's table, with which the assertions compare them.
#![allow(non_camel_case_types, reason = "the names are those of C")]

use host_server::Opcode;
use static_assertions::const_assert_eq;

/// What a device asks for. docs/opcodes.md has the exchange behind each; numbers of one's own are made with RPC_OPCODE.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum rpc_opcode_t {
    /// Nothing; the call is asynchronous.
    RPC_NOOP = 0x63000000,
    /// End the program with a status.
    RPC_EXIT = 0x63000001,
    /// Write bytes to standard output.
    RPC_WRITE_TO_STDOUT = 0x63000002,
    /// Write bytes to standard error.
    RPC_WRITE_TO_STDERR = 0x63000003,
    /// Write bytes to a stream.
    RPC_WRITE_TO_STREAM = 0x63000004,
    /// Write bytes and a newline to standard output.
    RPC_WRITE_TO_STDOUT_NEWLINE = 0x63000005,
    /// Read bytes from a stream.
    RPC_READ_FROM_STREAM = 0x63000006,
    /// Read a line from a stream.
    RPC_READ_FGETS = 0x63000007,
    /// Open a file.
    RPC_OPEN_FILE = 0x63000008,
    /// Close a file.
    RPC_CLOSE_FILE = 0x63000009,
    /// Allocate device memory.
    RPC_MALLOC = 0x6300000a,
    /// Free device memory; the call is asynchronous.
    RPC_FREE = 0x6300000b,
    /// Call a function of the host.
    RPC_HOST_CALL = 0x6300000c,
    /// End the program abnormally.
    RPC_ABORT = 0x6300000d,
    /// Has the stream met its end?
    RPC_FEOF = 0x6300000e,
    /// Has the stream met an error?
    RPC_FERROR = 0x6300000f,
    /// Forget the stream's end and error.
    RPC_CLEARERR = 0x63000010,
    /// Set the stream's position.
    RPC_FSEEK = 0x63000011,
    /// The stream's position.
    RPC_FTELL = 0x63000012,
    /// Write out what the stream holds back.
    RPC_FFLUSH = 0x63000013,
    /// Push a byte back into the stream.
    RPC_UNGETC = 0x63000014,
    /// Format and write to standard output.
    RPC_PRINTF_TO_STDOUT = 0x63000015,
    /// Format and write to standard error.
    RPC_PRINTF_TO_STDERR = 0x63000016,
    /// Format and write to a stream.
    RPC_PRINTF_TO_STREAM = 0x63000017,
    /// The same, arguments without padding.
    RPC_PRINTF_TO_STDOUT_PACKED = 0x63000018,
    /// The same, arguments without padding.
    RPC_PRINTF_TO_STDERR_PACKED = 0x63000019,
    /// The same, arguments without padding.
    RPC_PRINTF_TO_STREAM_PACKED = 0x6300001a,
    /// Remove a file.
    RPC_REMOVE = 0x6300001b,
    /// Rename a file.
    RPC_RENAME = 0x6300001c,
    /// Run a command of the host.
    RPC_SYSTEM = 0x6300001d,
    /// Answer with the number after the given one.
    RPC_TEST_INCREMENT = 0x63008000,
    /// Sends and receives in every order.
    RPC_TEST_INTERFACE = 0x63008001,
    /// Answer with the same bytes.
    RPC_TEST_STREAM = 0x63008002,
    /// Call a function of the host, as LLVM's offload runtime spells it.
    RPC_OFFLOAD_HOST_CALL = 0x6f000000,
    /// Open a file, with options.
    RPC_FS_OPEN = 0x72000001,
    /// Read bytes from a stream.
    RPC_FS_READ = 0x72000002,
    /// Write bytes to a stream.
    RPC_FS_WRITE = 0x72000003,
    /// Set the stream's position, and learn it.
    RPC_FS_SEEK = 0x72000004,
    /// Write out what the stream holds back, to the system or to the medium.
    RPC_FS_SYNC = 0x72000005,
    /// Close a file or a directory.
    RPC_FS_CLOSE = 0x72000006,
    /// What the host knows about a path.
    RPC_FS_METADATA = 0x72000007,
    /// What the host knows about an open file.
    RPC_FS_FILE_METADATA = 0x72000008,
    /// Cut or lengthen a file.
    RPC_FS_SET_LEN = 0x72000009,
    /// Create a directory.
    RPC_FS_CREATE_DIR = 0x7200000a,
    /// Remove a file or a directory.
    RPC_FS_REMOVE = 0x7200000b,
    /// Give a file another name.
    RPC_FS_RENAME = 0x7200000c,
    /// Copy a file.
    RPC_FS_COPY = 0x7200000d,
    /// Open a directory to list it.
    RPC_FS_OPEN_DIR = 0x7200000e,
    /// The next entries of a directory.
    RPC_FS_READ_DIR = 0x7200000f,
    /// Run a command of the host and keep its output.
    RPC_RUN = 0x72000010,
    /// The time of day.
    RPC_CLOCK = 0x72000011,
    /// Wait.
    RPC_SLEEP = 0x72000012,
    /// Call a function of the embedding program by its name.
    RPC_CALL = 0x72000013,
    /// Format for the caller, as C's snprintf.
    RPC_FORMAT = 0x72000020,
    /// The same, arguments without padding.
    RPC_FORMAT_PACKED = 0x72000021,
    /// Write bytes to a stream that the host fetches from device memory.
    RPC_BULK_WRITE = 0x72000022,
    /// Read bytes from a stream into device memory.
    RPC_BULK_READ = 0x72000023,
}

const_assert_eq!(Opcode::ALL.len(), 57);
const_assert_eq!(rpc_opcode_t::RPC_NOOP as u32, Opcode::NOOP.0);
const_assert_eq!(rpc_opcode_t::RPC_EXIT as u32, Opcode::EXIT.0);
const_assert_eq!(rpc_opcode_t::RPC_WRITE_TO_STDOUT as u32, Opcode::WRITE_TO_STDOUT.0);
const_assert_eq!(rpc_opcode_t::RPC_WRITE_TO_STDERR as u32, Opcode::WRITE_TO_STDERR.0);
const_assert_eq!(rpc_opcode_t::RPC_WRITE_TO_STREAM as u32, Opcode::WRITE_TO_STREAM.0);
const_assert_eq!(
    rpc_opcode_t::RPC_WRITE_TO_STDOUT_NEWLINE as u32,
    Opcode::WRITE_TO_STDOUT_NEWLINE.0
);
const_assert_eq!(rpc_opcode_t::RPC_READ_FROM_STREAM as u32, Opcode::READ_FROM_STREAM.0);
const_assert_eq!(rpc_opcode_t::RPC_READ_FGETS as u32, Opcode::READ_FGETS.0);
const_assert_eq!(rpc_opcode_t::RPC_OPEN_FILE as u32, Opcode::OPEN_FILE.0);
const_assert_eq!(rpc_opcode_t::RPC_CLOSE_FILE as u32, Opcode::CLOSE_FILE.0);
const_assert_eq!(rpc_opcode_t::RPC_MALLOC as u32, Opcode::MALLOC.0);
const_assert_eq!(rpc_opcode_t::RPC_FREE as u32, Opcode::FREE.0);
const_assert_eq!(rpc_opcode_t::RPC_HOST_CALL as u32, Opcode::HOST_CALL.0);
const_assert_eq!(rpc_opcode_t::RPC_ABORT as u32, Opcode::ABORT.0);
const_assert_eq!(rpc_opcode_t::RPC_FEOF as u32, Opcode::FEOF.0);
const_assert_eq!(rpc_opcode_t::RPC_FERROR as u32, Opcode::FERROR.0);
const_assert_eq!(rpc_opcode_t::RPC_CLEARERR as u32, Opcode::CLEARERR.0);
const_assert_eq!(rpc_opcode_t::RPC_FSEEK as u32, Opcode::FSEEK.0);
const_assert_eq!(rpc_opcode_t::RPC_FTELL as u32, Opcode::FTELL.0);
const_assert_eq!(rpc_opcode_t::RPC_FFLUSH as u32, Opcode::FFLUSH.0);
const_assert_eq!(rpc_opcode_t::RPC_UNGETC as u32, Opcode::UNGETC.0);
const_assert_eq!(rpc_opcode_t::RPC_PRINTF_TO_STDOUT as u32, Opcode::PRINTF_TO_STDOUT.0);
const_assert_eq!(rpc_opcode_t::RPC_PRINTF_TO_STDERR as u32, Opcode::PRINTF_TO_STDERR.0);
const_assert_eq!(rpc_opcode_t::RPC_PRINTF_TO_STREAM as u32, Opcode::PRINTF_TO_STREAM.0);
const_assert_eq!(
    rpc_opcode_t::RPC_PRINTF_TO_STDOUT_PACKED as u32,
    Opcode::PRINTF_TO_STDOUT_PACKED.0
);
const_assert_eq!(
    rpc_opcode_t::RPC_PRINTF_TO_STDERR_PACKED as u32,
    Opcode::PRINTF_TO_STDERR_PACKED.0
);
const_assert_eq!(
    rpc_opcode_t::RPC_PRINTF_TO_STREAM_PACKED as u32,
    Opcode::PRINTF_TO_STREAM_PACKED.0
);
const_assert_eq!(rpc_opcode_t::RPC_REMOVE as u32, Opcode::REMOVE.0);
const_assert_eq!(rpc_opcode_t::RPC_RENAME as u32, Opcode::RENAME.0);
const_assert_eq!(rpc_opcode_t::RPC_SYSTEM as u32, Opcode::SYSTEM.0);
const_assert_eq!(rpc_opcode_t::RPC_TEST_INCREMENT as u32, Opcode::TEST_INCREMENT.0);
const_assert_eq!(rpc_opcode_t::RPC_TEST_INTERFACE as u32, Opcode::TEST_INTERFACE.0);
const_assert_eq!(rpc_opcode_t::RPC_TEST_STREAM as u32, Opcode::TEST_STREAM.0);
const_assert_eq!(rpc_opcode_t::RPC_OFFLOAD_HOST_CALL as u32, Opcode::OFFLOAD_HOST_CALL.0);
const_assert_eq!(rpc_opcode_t::RPC_FS_OPEN as u32, Opcode::FS_OPEN.0);
const_assert_eq!(rpc_opcode_t::RPC_FS_READ as u32, Opcode::FS_READ.0);
const_assert_eq!(rpc_opcode_t::RPC_FS_WRITE as u32, Opcode::FS_WRITE.0);
const_assert_eq!(rpc_opcode_t::RPC_FS_SEEK as u32, Opcode::FS_SEEK.0);
const_assert_eq!(rpc_opcode_t::RPC_FS_SYNC as u32, Opcode::FS_SYNC.0);
const_assert_eq!(rpc_opcode_t::RPC_FS_CLOSE as u32, Opcode::FS_CLOSE.0);
const_assert_eq!(rpc_opcode_t::RPC_FS_METADATA as u32, Opcode::FS_METADATA.0);
const_assert_eq!(rpc_opcode_t::RPC_FS_FILE_METADATA as u32, Opcode::FS_FILE_METADATA.0);
const_assert_eq!(rpc_opcode_t::RPC_FS_SET_LEN as u32, Opcode::FS_SET_LEN.0);
const_assert_eq!(rpc_opcode_t::RPC_FS_CREATE_DIR as u32, Opcode::FS_CREATE_DIR.0);
const_assert_eq!(rpc_opcode_t::RPC_FS_REMOVE as u32, Opcode::FS_REMOVE.0);
const_assert_eq!(rpc_opcode_t::RPC_FS_RENAME as u32, Opcode::FS_RENAME.0);
const_assert_eq!(rpc_opcode_t::RPC_FS_COPY as u32, Opcode::FS_COPY.0);
const_assert_eq!(rpc_opcode_t::RPC_FS_OPEN_DIR as u32, Opcode::FS_OPEN_DIR.0);
const_assert_eq!(rpc_opcode_t::RPC_FS_READ_DIR as u32, Opcode::FS_READ_DIR.0);
const_assert_eq!(rpc_opcode_t::RPC_RUN as u32, Opcode::RUN.0);
const_assert_eq!(rpc_opcode_t::RPC_CLOCK as u32, Opcode::CLOCK.0);
const_assert_eq!(rpc_opcode_t::RPC_SLEEP as u32, Opcode::SLEEP.0);
const_assert_eq!(rpc_opcode_t::RPC_CALL as u32, Opcode::CALL.0);
const_assert_eq!(rpc_opcode_t::RPC_FORMAT as u32, Opcode::FORMAT.0);
const_assert_eq!(rpc_opcode_t::RPC_FORMAT_PACKED as u32, Opcode::FORMAT_PACKED.0);
const_assert_eq!(rpc_opcode_t::RPC_BULK_WRITE as u32, Opcode::BULK_WRITE.0);
const_assert_eq!(rpc_opcode_t::RPC_BULK_READ as u32, Opcode::BULK_READ.0);
