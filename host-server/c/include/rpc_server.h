/* The host server of a GPU's remote procedure calls, as a C library.
 *
 * Made by cbindgen from src/. Do not edit: change the comments there.
 */

#ifndef RPC_SERVER_H
#define RPC_SERVER_H

#include <stdint.h>

// Opcode number n (below 2^24) of a class, which is a character: 'c' is LLVM's libc, 'o' its offload runtime, 'r' the
// services of this library. All other classes are free for the embedding program and its device code.
#define RPC_OPCODE(class_letter, n) (((uint32_t)(class_letter) << 24) | (uint32_t)(n))

// Options that change nothing, to begin with.
#define RPC_OPTIONS_INIT { sizeof(rpc_options_t), RPC_SERVER_VERSION, 0, 0, 0, 0, 0, 0, 0 }

// The version of this interface: what rpc_options_t.version must hold.
#define RPC_SERVER_VERSION 1

// Most ports that a server can have.
#define RPC_MAXIMUM_PORT_COUNT 4096

// Most devices that one process can have.
#define RPC_MAXIMUM_DEVICE_COUNT 1024

// Most lanes that take part in one call: the length that per-lane arrays never exceed.
#define RPC_MAXIMUM_LANE_COUNT 64

// Bytes that one lane may send in one rpc_send_n: 1 GiB.
#define RPC_STREAM_LIMIT 1073741824

// For rpc_options_t.flags: when the device asks to end, rpc_handle_server calls exit or abort instead of noting the wish.
#define RPC_OPTION_EXIT_PROCESS 1

// For rpc_options_t.flags: the device may call functions of this process by their addresses (RPC_HOST_CALL). This is to
// trust its program as oneself.
#define RPC_OPTION_ALLOW_HOST_CALL 2

// For rpc_options_t.flags: the device may run commands (RPC_SYSTEM).
#define RPC_OPTION_ALLOW_RUN 4

// What a function of this library has to say. 0 is success, the others never change their numbers.
typedef enum {
  // Done.
  RPC_STATUS_SUCCESS = 0,
  // There is nothing to report yet; ask again later.
  RPC_STATUS_CONTINUE = 1,
  // A hook gave no usable memory, a thread could not be had, or a lane sent more than RPC_STREAM_LIMIT.
  RPC_STATUS_ERROR = 4096,
  // There is no such device, or a number is beyond its bounds.
  RPC_STATUS_OUT_OF_RANGE = 4097,
  // The device asked for something that nobody answers. The call was answered with zeros; this is said once for each
  // opcode.
  RPC_STATUS_UNHANDLED_OPCODE = 4098,
  // The lane size is not 1, 32 or 64.
  RPC_STATUS_INVALID_LANE_SIZE = 4099,
  // rpc_init was not called, or the device has no server.
  RPC_STATUS_NOT_INITIALIZED = 4100,
  // The device has a server already, or another thread is using what this call would take away.
  RPC_STATUS_ALREADY_IN_USE = 4101,
  // A pointer is null, or an option has no meaning.
  RPC_STATUS_INVALID_ARGUMENT = 4102,
  // The structure is of another version of this interface.
  RPC_STATUS_VERSION_MISMATCH = 4103,
  // The port's conversation has ended: its callback has returned, or its server was shut down.
  RPC_STATUS_CLOSED = 4104,
} rpc_status_t;

// What a device asks for. docs/opcodes.md has the exchange behind each; numbers of one's own are made with RPC_OPCODE.
typedef enum {
  // Nothing; the call is asynchronous.
  RPC_NOOP = 1660944384,
  // End the program with a status.
  RPC_EXIT = 1660944385,
  // Write bytes to standard output.
  RPC_WRITE_TO_STDOUT = 1660944386,
  // Write bytes to standard error.
  RPC_WRITE_TO_STDERR = 1660944387,
  // Write bytes to a stream.
  RPC_WRITE_TO_STREAM = 1660944388,
  // Write bytes and a newline to standard output.
  RPC_WRITE_TO_STDOUT_NEWLINE = 1660944389,
  // Read bytes from a stream.
  RPC_READ_FROM_STREAM = 1660944390,
  // Read a line from a stream.
  RPC_READ_FGETS = 1660944391,
  // Open a file.
  RPC_OPEN_FILE = 1660944392,
  // Close a file.
  RPC_CLOSE_FILE = 1660944393,
  // Allocate device memory.
  RPC_MALLOC = 1660944394,
  // Free device memory; the call is asynchronous.
  RPC_FREE = 1660944395,
  // Call a function of the host.
  RPC_HOST_CALL = 1660944396,
  // End the program abnormally.
  RPC_ABORT = 1660944397,
  // Has the stream met its end?
  RPC_FEOF = 1660944398,
  // Has the stream met an error?
  RPC_FERROR = 1660944399,
  // Forget the stream's end and error.
  RPC_CLEARERR = 1660944400,
  // Set the stream's position.
  RPC_FSEEK = 1660944401,
  // The stream's position.
  RPC_FTELL = 1660944402,
  // Write out what the stream holds back.
  RPC_FFLUSH = 1660944403,
  // Push a byte back into the stream.
  RPC_UNGETC = 1660944404,
  // Format and write to standard output.
  RPC_PRINTF_TO_STDOUT = 1660944405,
  // Format and write to standard error.
  RPC_PRINTF_TO_STDERR = 1660944406,
  // Format and write to a stream.
  RPC_PRINTF_TO_STREAM = 1660944407,
  // The same, arguments without padding.
  RPC_PRINTF_TO_STDOUT_PACKED = 1660944408,
  // The same, arguments without padding.
  RPC_PRINTF_TO_STDERR_PACKED = 1660944409,
  // The same, arguments without padding.
  RPC_PRINTF_TO_STREAM_PACKED = 1660944410,
  // Remove a file.
  RPC_REMOVE = 1660944411,
  // Rename a file.
  RPC_RENAME = 1660944412,
  // Run a command of the host.
  RPC_SYSTEM = 1660944413,
  // Answer with the number after the given one.
  RPC_TEST_INCREMENT = 1660977152,
  // Sends and receives in every order.
  RPC_TEST_INTERFACE = 1660977153,
  // Answer with the same bytes.
  RPC_TEST_STREAM = 1660977154,
  // Call a function of the host, as LLVM's offload runtime spells it.
  RPC_OFFLOAD_HOST_CALL = 1862270976,
  // Open a file, with options.
  RPC_FS_OPEN = 1912602625,
  // Read bytes from a stream.
  RPC_FS_READ = 1912602626,
  // Write bytes to a stream.
  RPC_FS_WRITE = 1912602627,
  // Set the stream's position, and learn it.
  RPC_FS_SEEK = 1912602628,
  // Write out what the stream holds back, to the system or to the medium.
  RPC_FS_SYNC = 1912602629,
  // Close a file or a directory.
  RPC_FS_CLOSE = 1912602630,
  // What the host knows about a path.
  RPC_FS_METADATA = 1912602631,
  // What the host knows about an open file.
  RPC_FS_FILE_METADATA = 1912602632,
  // Cut or lengthen a file.
  RPC_FS_SET_LEN = 1912602633,
  // Create a directory.
  RPC_FS_CREATE_DIR = 1912602634,
  // Remove a file or a directory.
  RPC_FS_REMOVE = 1912602635,
  // Give a file another name.
  RPC_FS_RENAME = 1912602636,
  // Copy a file.
  RPC_FS_COPY = 1912602637,
  // Open a directory to list it.
  RPC_FS_OPEN_DIR = 1912602638,
  // The next entries of a directory.
  RPC_FS_READ_DIR = 1912602639,
  // Run a command of the host and keep its output.
  RPC_RUN = 1912602640,
  // The time of day.
  RPC_CLOCK = 1912602641,
  // Wait.
  RPC_SLEEP = 1912602642,
  // Call a function of the embedding program by its name.
  RPC_CALL = 1912602643,
  // Format for the caller, as C's snprintf.
  RPC_FORMAT = 1912602656,
  // The same, arguments without padding.
  RPC_FORMAT_PACKED = 1912602657,
  // Write bytes to a stream that the host fetches from device memory.
  RPC_BULK_WRITE = 1912602658,
  // Read bytes from a stream into device memory.
  RPC_BULK_READ = 1912602659,
} rpc_opcode_t;

// Takes one line about what the device did wrong or was refused, without a newline. Called from within
// rpc_handle_server and rpc_server_shutdown.
typedef void (*rpc_log_callback_ty)(uint32_t device_id, const char *message, void *data);

// The device's program asked to end with this status; when it aborted, with 134. Called once, from within
// rpc_handle_server or rpc_server_shutdown.
typedef void (*rpc_exit_callback_ty)(uint32_t device_id, int32_t status, void *data);

// How to serve a device. Set all to zero, then size and version, then what is wanted; or begin with RPC_OPTIONS_INIT.
typedef struct {
  // sizeof(rpc_options_t).
  uint32_t size;
  // RPC_SERVER_VERSION.
  uint32_t version;
  // RPC_OPTION_ bits.
  uint32_t flags;
  // 0.
  uint32_t reserved;
  // Gets what there is to say about the device's program; NULL drops it.
  rpc_log_callback_ty log;
  // Passed on to log.
  void *log_data;
  // Learns when the device's program asks to end; may be NULL.
  rpc_exit_callback_ty exit;
  // Passed on to exit.
  void *exit_data;
  // The directories that the device may reach, "HOST" or "HOST::GUEST" each, and NULL at the end. NULL for none.
  const char *const *directories;
} rpc_options_t;

// Allocates size bytes, aligned to 8. For the shared region this must be pinned host memory that the device can reach at
// the same address, coherently and without write combining. NULL means that there is none.
typedef void *(*rpc_alloc_ty)(uint64_t size, void *data);

// Frees what rpc_alloc_ty allocated.
typedef void (*rpc_free_ty)(void *ptr, void *data);

// The call that a callback answers. Valid until the callback returns; a stale one is refused.
typedef struct {
  // Only the library knows what it means.
  uint64_t reserved;
} rpc_port_t;

// Answers one call of the opcode that it is registered for. It runs on a thread of the library, several calls at a time
// on several threads, and may block.
typedef void (*rpc_opcode_callback_ty)(rpc_port_t port, void *data);

// What one lane sends or receives at a time.
typedef struct {
  // The payload. Each opcode gives the words their meaning.
  uint64_t data[8];
} rpc_buffer_t;

// Reads or writes the buffer of one lane. Called once for each lane that takes part, the lowest first.
typedef void (*rpc_port_callback_ty)(rpc_buffer_t *buffer, void *data);

#ifdef __cplusplus
extern "C" {
#endif // __cplusplus

// The name of the global in a device image that makes calls. rpc_get_client_size bytes at rpc_get_client_buffer go into
// it, in place, before the first kernel runs. An image without it makes no calls and needs no server.
extern const char rpc_client_symbol_name[18];

// RPC_SERVER_VERSION of the library that is running, to compare with that of the header.
uint32_t rpc_server_version(void);

// Begin to use the library, for devices 0 to num_devices - 1. Counted: each success needs one rpc_shutdown. A later call
// may ask for more devices.
rpc_status_t rpc_init(uint32_t num_devices);

// Undo one rpc_init. The last one is refused with RPC_STATUS_ALREADY_IN_USE while a device still has its server.
rpc_status_t rpc_shutdown(void);

// Say how a device is to be served, before rpc_server_init. Holds for all its servers until the last rpc_shutdown.
//
// options leads to a structure whose size and version are true.
rpc_status_t rpc_set_options(uint32_t device_id,
                             const rpc_options_t *options);

// Begin to serve a device through num_ports ports (1 to RPC_MAXIMUM_PORT_COUNT) for groups of lane_size lanes: 32 on
// NVIDIA, the wavefront size on AMD, 1 for a client on the CPU. alloc gives the memory that both sides share.
//
// alloc is called once, with data; the memory that it gives stays until rpc_server_shutdown.
rpc_status_t rpc_server_init(uint32_t device_id,
                             uint64_t num_ports,
                             uint32_t lane_size,
                             rpc_alloc_ty alloc,
                             void *data);

// End a device's server; no kernel may be running. Asynchronous calls that are still pending are served, calls whose
// device has vanished are dropped, and a callback that waits for the device in rpc_recv and the like gets
// RPC_STATUS_CLOSED. Waits for callbacks to return. dealloc gets the shared memory at last; it may be NULL if that is
// freed otherwise.
//
// Refused with RPC_STATUS_ALREADY_IN_USE from within a callback, and while another thread is using the server.
rpc_status_t rpc_server_shutdown(uint32_t device_id,
                                 rpc_free_ty dealloc,
                                 void *data);

// Do what can be done for a device now: look at every port once and move its call on. Bounded work, which never waits
// for a device or a callback. Call it again and again while a kernel runs; several threads may at once.
rpc_status_t rpc_handle_server(uint32_t device_id);

// Have callback answer an opcode of this device from its next call on, instead of whatever answered it before.
// callback is called with data, on other threads, until rpc_server_shutdown.
rpc_status_t rpc_register_callback(uint32_t device_id,
                                   uint32_t opcode,
                                   rpc_opcode_callback_ty callback,
                                   void *data);

// Whether the device's program asked to end: RPC_STATUS_SUCCESS and its status, or RPC_STATUS_CONTINUE.
rpc_status_t rpc_get_exit_status(uint32_t device_id, int32_t *status);

// The memory that a device's server shares with it, as alloc gave it; NULL if the device has no server.
void *rpc_get_buffer(uint32_t device_id);

// What to write into the image's global rpc_client_symbol_name, again after each rpc_server_init; NULL if the device has
// no server. Valid until rpc_server_shutdown.
const void *rpc_get_client_buffer(uint32_t device_id);

// How many bytes rpc_get_client_buffer leads to: 552.
uint64_t rpc_get_client_size(void);

// The opcode of the call, or 0xffffffff if the port is stale.
uint32_t rpc_get_opcode(rpc_port_t port);

// The lanes that take part in the call, a bit for each; 0 if the port is stale.
uint64_t rpc_get_lane_mask(rpc_port_t port);

// Send a packet: callback fills each lane's buffer, which holds what was last received or sent.
rpc_status_t rpc_send(rpc_port_t port, rpc_port_callback_ty callback, void *data);

// Receive a packet: callback reads each lane's buffer.
rpc_status_t rpc_recv(rpc_port_t port, rpc_port_callback_ty callback, void *data);

// Receive a packet and answer it: callback turns what is in each lane's buffer into the reply.
rpc_status_t rpc_recv_and_send(rpc_port_t port, rpc_port_callback_ty callback, void *data);

// Send each lane its bytes: size[lane] bytes at src[lane]. Both arrays have lane_size entries, of which those of lanes
// that take part are read; src[lane] may be NULL if size[lane] is 0.
rpc_status_t rpc_send_n(rpc_port_t port,
                        const void *const *src,
                        const uint64_t *size);

// Receive what each lane sends with its send_n: alloc, called once for each lane, gives the memory for it, dst[lane] and
// size[lane] say where it is. Both arrays have lane_size entries, of which those of lanes that take part are written.
//
// Where a lane sent more than RPC_STREAM_LIMIT, or alloc gave NULL, dst[lane] is NULL and the result RPC_STATUS_ERROR;
// the conversation stays in step.
rpc_status_t rpc_recv_n(rpc_port_t port,
                        void **dst,
                        uint64_t *size,
                        rpc_alloc_ty alloc,
                        void *data);

#ifdef __cplusplus
}  // extern "C"
#endif  // __cplusplus

#endif  /* RPC_SERVER_H */
