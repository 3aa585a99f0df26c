// The part of an offload plugin that is the same for all devices: a runtime that owns devices and has a server for each
// image that makes calls. It follows the steps of LLVM's offload runtime, except that the client object lies in the
// image's global itself.
#ifndef TEST_PLUGIN_H
#define TEST_PLUGIN_H

#include <rpc_server.h>

#include <cstdint>
#include <optional>
#include <string>

#include "client.h"

using Error = std::optional<std::string>;

inline Error failure(const char *what, uint32_t device, rpc_status_t status) {
  return std::string(what) + " for device " + std::to_string(device) + ": " + std::to_string(status);
}

inline void succeed(const Error &error) { client_check(!error, error ? error->c_str() : "", 0); }

enum class Memory { Host, Device };

/// A device of the runtime, with the image that is loaded into it.
class GenericDevice {
public:
  GenericDevice(uint32_t id, uint32_t warp_size) : id(id), warp_size(warp_size) {}
  GenericDevice(const GenericDevice &) = delete;
  virtual ~GenericDevice() = default;

  /// NULL where there is none left. Any thread calls this while a kernel runs.
  virtual void *allocate(uint64_t size, Memory kind) = 0;
  virtual void release(void *address, Memory kind) = 0;
  virtual bool has_global(const char *name) = 0;
  /// Copies to a global of exactly this size.
  virtual Error submit(const char *name, const void *bytes, uint64_t size) = 0;
  /// Whether a kernel runs.
  virtual bool busy() = 0;

  const uint32_t id;
  const uint32_t warp_size;
};

/// The plugin's servers.
class RpcServers {
public:
  explicit RpcServers(uint32_t devices) { CHECK(rpc_init(devices) == RPC_STATUS_SUCCESS); }
  ~RpcServers() { CHECK(rpc_shutdown() == RPC_STATUS_SUCCESS); }

  static bool needed_by(GenericDevice &device) { return device.has_global(rpc_client_symbol_name); }

  Error init_device(GenericDevice &device) {
    auto allocate = [](uint64_t size, void *data) {
      return static_cast<GenericDevice *>(data)->allocate(size, Memory::Host);
    };
    if (rpc_status_t status = rpc_server_init(device.id, 64, device.warp_size, allocate, &device))
      return failure("rpc_server_init", device.id, status);

    auto on_malloc = [](rpc_port_t port, void *data) {
      rpc_recv_and_send(
          port,
          [](rpc_buffer_t *buffer, void *data) {
            void *memory = static_cast<GenericDevice *>(data)->allocate(buffer->data[0], Memory::Device);
            buffer->data[0] = reinterpret_cast<uintptr_t>(memory);
          },
          data);
    };
    if (rpc_status_t status = rpc_register_callback(device.id, RPC_MALLOC, on_malloc, &device))
      return failure("registering malloc", device.id, status);

    auto on_free = [](rpc_port_t port, void *data) {
      rpc_recv(
          port,
          [](rpc_buffer_t *buffer, void *data) {
            void *memory = reinterpret_cast<void *>(buffer->data[0]);
            static_cast<GenericDevice *>(data)->release(memory, Memory::Device);
          },
          data);
    };
    if (rpc_status_t status = rpc_register_callback(device.id, RPC_FREE, on_free, &device))
      return failure("registering free", device.id, status);

    // The global is the object itself, not a pointer to it.
    return device.submit(rpc_client_symbol_name, rpc_get_client_buffer(device.id), rpc_get_client_size());
  }

  Error synchronize(GenericDevice &device) {
    bool busy;
    do {
      busy = device.busy();
      if (rpc_status_t status = rpc_handle_server(device.id))
        return failure("serving", device.id, status);
    } while (busy);
    return std::nullopt;
  }

  Error deinit_device(GenericDevice &device) {
    auto release = [](void *memory, void *data) { static_cast<GenericDevice *>(data)->release(memory, Memory::Host); };
    if (rpc_status_t status = rpc_server_shutdown(device.id, release, &device))
      return failure("rpc_server_shutdown", device.id, status);
    return std::nullopt;
  }
};

#endif
