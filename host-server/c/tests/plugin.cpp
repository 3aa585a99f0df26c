// The skeleton of an offload plugin: a runtime that owns devices and has a server for each image that makes calls. The
// devices are threads with memory of their own; all else is what a plugin for real ones does.
#include <rpc_server.h>

#include <atomic>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "client.h"

namespace {

using Error = std::optional<std::string>;

Error failure(const char *what, uint32_t device, rpc_status_t status) {
  return std::string(what) + " for device " + std::to_string(device) + ": " + std::to_string(status);
}

enum class Memory { Host, Device };

/// An image with its globals.
struct Image {
  std::map<std::string, std::vector<unsigned char>> globals;
};

/// A device of the runtime.
class GenericDevice {
public:
  GenericDevice(uint32_t id, uint32_t warp_size) : id(id), warp_size(warp_size) {}

  void *allocate(uint64_t size, Memory kind) {
    std::lock_guard<std::mutex> guard(mutex);
    auto piece = std::make_unique<unsigned char[]>(size);
    void *address = piece.get();
    pieces(kind)[address] = std::move(piece);
    return address;
  }
  void release(void *address, Memory kind) {
    std::lock_guard<std::mutex> guard(mutex);
    CHECK(pieces(kind).erase(address) == 1);
  }
  uint64_t count(Memory kind) {
    std::lock_guard<std::mutex> guard(mutex);
    return pieces(kind).size();
  }
  /// Copies to a global of the image as it is loaded here.
  Error submit(Image &image, const char *name, const void *bytes, uint64_t size) {
    auto global = image.globals.find(name);
    if (global == image.globals.end() || global->second.size() != size)
      return std::string("the image has no global ") + name + " of that size";
    memcpy(global->second.data(), bytes, size);
    return std::nullopt;
  }
  /// Starts a kernel: every warp allocates, uses and frees memory.
  void launch(const Image &image, uint32_t warps) {
    running = warps;
    for (uint32_t warp = 0; warp < warps; ++warp)
      streams.emplace_back([this, &image, warp] {
        const void *client = image.globals.at("__llvm_rpc_client").data();
        std::vector<uint64_t> sizes(warp_size), addresses(warp_size);
        const uint64_t mask = UINT64_C(0x80000001);
        sizes[0] = 64, sizes[31] = 128;
        call malloc_call = call_open(client, warp, warp_size, mask, RPC_MALLOC);
        call_send(&malloc_call, sizes.data());
        call_recv(&malloc_call, addresses.data());
        memset(reinterpret_cast<void *>(addresses[0]), 1, 64);
        memset(reinterpret_cast<void *>(addresses[31]), 2, 128);
        call free_call = call_open(client, warp, warp_size, mask, RPC_FREE);
        call_send(&free_call, addresses.data());
        running -= 1;
      });
  }
  bool busy() const { return running > 0; }
  void join() {
    for (std::thread &stream : streams)
      stream.join();
    streams.clear();
  }

  const uint32_t id;
  const uint32_t warp_size;

private:
  using Pieces = std::map<void *, std::unique_ptr<unsigned char[]>>;
  Pieces &pieces(Memory kind) { return kind == Memory::Host ? host : device; }

  std::mutex mutex;
  Pieces host, device;
  std::atomic<uint32_t> running{0};
  std::vector<std::thread> streams;
};

/// The plugin's servers.
class RpcServers {
public:
  explicit RpcServers(uint32_t devices) { CHECK(rpc_init(devices) == RPC_STATUS_SUCCESS); }
  ~RpcServers() { CHECK(rpc_shutdown() == RPC_STATUS_SUCCESS); }

  static bool needed_by(const Image &image) { return image.globals.count(rpc_client_symbol_name) == 1; }

  Error init_device(GenericDevice &device, Image &image) {
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
    return device.submit(image, rpc_client_symbol_name, rpc_get_client_buffer(device.id), rpc_get_client_size());
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

void succeed(const Error &error) { client_check(!error, error ? error->c_str() : "", 0); }

} // namespace

int main() {
  constexpr uint32_t DEVICES = 3;
  RpcServers servers(DEVICES);
  std::vector<std::unique_ptr<GenericDevice>> devices;
  std::vector<Image> images(DEVICES);
  for (uint32_t id = 0; id < DEVICES; ++id) {
    devices.push_back(std::make_unique<GenericDevice>(id, id == 2 ? 64 : 32));
    CHECK(!RpcServers::needed_by(images[id]));
    images[id].globals["__llvm_rpc_client"].resize(rpc_get_client_size());
    CHECK(RpcServers::needed_by(images[id]));
  }
  // Twice, as runtimes load and unload images.
  for (int round = 0; round < 2; ++round) {
    for (auto &device : devices) {
      succeed(servers.init_device(*device, images[device->id]));
      CHECK(servers.init_device(*device, images[device->id]));
    }
    for (int launch = 0; launch < 2; ++launch) {
      for (auto &device : devices)
        device->launch(images[device->id], 8);
      for (auto &device : devices) {
        succeed(servers.synchronize(*device));
        device->join();
      }
    }
    for (auto &device : devices) {
      succeed(servers.deinit_device(*device));
      CHECK(servers.deinit_device(*device));
      // All that was asynchronous has been done.
      CHECK(device->count(Memory::Device) == 0 && device->count(Memory::Host) == 0);
    }
  }
}
