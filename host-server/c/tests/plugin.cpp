// An offload plugin whose devices are threads with memory of their own.
#include <atomic>
#include <map>
#include <memory>
#include <mutex>
#include <thread>
#include <vector>

#include "plugin.h"

namespace {

class ThreadDevice final : public GenericDevice {
public:
  using GenericDevice::GenericDevice;

  void load_image() { globals["__llvm_rpc_client"].resize(552); }

  void *allocate(uint64_t size, Memory kind) override {
    std::lock_guard<std::mutex> guard(mutex);
    auto piece = std::make_unique<unsigned char[]>(size);
    void *address = piece.get();
    pieces(kind)[address] = std::move(piece);
    return address;
  }
  void release(void *address, Memory kind) override {
    std::lock_guard<std::mutex> guard(mutex);
    CHECK(pieces(kind).erase(address) == 1);
  }
  bool has_global(const char *name) override { return globals.count(name) == 1; }
  Error submit(const char *name, const void *bytes, uint64_t size) override {
    auto global = globals.find(name);
    if (global == globals.end() || global->second.size() != size)
      return std::string("the image has no global ") + name + " of that size";
    memcpy(global->second.data(), bytes, size);
    return std::nullopt;
  }
  bool busy() override { return running > 0; }

  uint64_t count(Memory kind) {
    std::lock_guard<std::mutex> guard(mutex);
    return pieces(kind).size();
  }
  /// Starts a kernel: every warp allocates, uses and frees memory.
  void launch(uint32_t warps) {
    running = warps;
    for (uint32_t warp = 0; warp < warps; ++warp)
      streams.emplace_back([this, warp] {
        const void *client = globals.at("__llvm_rpc_client").data();
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
  void join() {
    for (std::thread &stream : streams)
      stream.join();
    streams.clear();
  }

private:
  using Pieces = std::map<void *, std::unique_ptr<unsigned char[]>>;
  Pieces &pieces(Memory kind) { return kind == Memory::Host ? host : device; }

  std::map<std::string, std::vector<unsigned char>> globals;
  std::mutex mutex;
  Pieces host, device;
  std::atomic<uint32_t> running{0};
  std::vector<std::thread> streams;
};

} // namespace

int main() {
  constexpr uint32_t DEVICES = 3;
  RpcServers servers(DEVICES);
  std::vector<std::unique_ptr<ThreadDevice>> devices;
  for (uint32_t id = 0; id < DEVICES; ++id) {
    devices.push_back(std::make_unique<ThreadDevice>(id, id == 2 ? 64 : 32));
    CHECK(!RpcServers::needed_by(*devices[id]));
    devices[id]->load_image();
    CHECK(RpcServers::needed_by(*devices[id]));
  }
  // Twice, as runtimes load and unload images.
  for (int round = 0; round < 2; ++round) {
    for (auto &device : devices) {
      succeed(servers.init_device(*device));
      CHECK(servers.init_device(*device));
    }
    for (int launch = 0; launch < 2; ++launch) {
      for (auto &device : devices)
        device->launch(8);
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
