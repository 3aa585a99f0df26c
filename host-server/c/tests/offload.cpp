// An offload plugin over the CUDA driver, which is looked for in the library that the first argument names: it may be the
// real one or an emulator. The kernel is written out here, so that no device compiler is needed.
#include <dlfcn.h>

#include <memory>
#include <vector>

#include "plugin.h"

namespace {

using CUdeviceptr = unsigned long long;
using Handle = void *;
constexpr int CUDA_ERROR_NOT_READY = 600;

/// Each warp asks for memory through the port with its block's number: lane L of block B for 1000 * B + L + 1 bytes. It
/// stores its lanes' addresses, writes to that memory, then frees it without waiting. The opcodes are RPC_MALLOC and
/// RPC_FREE.
const char *const KERNEL = R"(
.version 7.8
.target sm_70
.address_size 64
.visible .global .align 8 .b8 __llvm_rpc_client[552];

.visible .entry ask(.param .u64 addresses)
{
  .reg .pred %lead, %wait;
  .reg .b32 %block, %lane, %mine, %theirs, %size;
  .reg .b64 %client, %inbox, %outbox, %header, %packet, %offset, %word, %result;

  mov.u64 %client, __llvm_rpc_client;
  mov.u32 %block, %ctaid.x;
  mov.u32 %lane, %tid.x;
  setp.eq.u32 %lead, %lane, 0;
  ld.global.u64 %inbox, [%client+8];
  ld.global.u64 %outbox, [%client+16];
  ld.global.u64 %header, [%client+24];
  ld.global.u64 %packet, [%client+32];
  mul.wide.u32 %offset, %block, 4;
  add.u64 %inbox, %inbox, %offset;
  add.u64 %outbox, %outbox, %offset;
  mul.wide.u32 %offset, %block, 16;
  add.u64 %header, %header, %offset;
  mad.lo.u32 %size, %block, 32, %lane;
  mul.wide.u32 %offset, %size, 64;
  add.u64 %packet, %packet, %offset;
  ld.param.u64 %result, [addresses];
  mul.wide.u32 %offset, %size, 8;
  add.u64 %result, %result, %offset;

  // The first message: the size.
  @%lead st.u64 [%header], 0xffffffff;
  @%lead st.u32 [%header+8], 0x6300000a;
  mad.lo.u32 %size, %block, 1000, %lane;
  add.u32 %size, %size, 1;
  cvt.u64.u32 %word, %size;
  st.u64 [%packet], %word;
  bar.warp.sync 0xffffffff;
  fence.acq_rel.sys;
  ld.relaxed.sys.u32 %mine, [%outbox];
  xor.b32 %mine, %mine, 1;
  bar.warp.sync 0xffffffff;
  @%lead st.relaxed.sys.u32 [%outbox], %mine;
ANSWER:
  ld.relaxed.sys.u32 %theirs, [%inbox];
  setp.ne.u32 %wait, %theirs, %mine;
  @%wait bra ANSWER;
  fence.acq_rel.sys;
  ld.u64 %word, [%packet];
  st.global.u64 [%result], %word;
  st.u8 [%word], %lane;
  bar.warp.sync 0xffffffff;

  // The second call: each lane's address. Nobody waits for it.
  @%lead st.u32 [%header+8], 0x6300000b;
  st.u64 [%packet], %word;
  bar.warp.sync 0xffffffff;
  fence.acq_rel.sys;
  xor.b32 %mine, %mine, 1;
  @%lead st.relaxed.sys.u32 [%outbox], %mine;
  ret;
}
)";

/// The driver's functions.
struct Driver {
  explicit Driver(const char *path) : library(dlopen(path, RTLD_NOW)) { client_check(library != nullptr, path, __LINE__); }

  /// Calls a function of the driver and returns its error code.
  template <typename... Arguments> int operator()(const char *name, Arguments... arguments) const {
    auto function = reinterpret_cast<int (*)(Arguments...)>(dlsym(library, name));
    client_check(function != nullptr, name, __LINE__);
    return function(arguments...);
  }
  /// The same for one that must succeed.
  template <typename... Arguments> void must(const char *name, Arguments... arguments) const {
    client_check((*this)(name, arguments...) == 0, name, __LINE__);
  }

  void *library;
};

class CudaDevice final : public GenericDevice {
public:
  CudaDevice(const Driver &cuda, uint32_t id) : GenericDevice(id, 32), cuda(cuda) {
    cuda.must("cuDevicePrimaryCtxRetain", &context, static_cast<int>(id));
    enter();
    cuda.must("cuModuleLoadData", &module, static_cast<const void *>(KERNEL));
    cuda.must("cuModuleGetFunction", &kernel, module, "ask");
    cuda.must("cuStreamCreate", &stream, 1u);
    cuda.must("cuStreamCreate", &memory_stream, 1u);
  }
  ~CudaDevice() override {
    enter();
    cuda.must("cuStreamDestroy_v2", stream);
    cuda.must("cuStreamDestroy_v2", memory_stream);
    cuda.must("cuModuleUnload", module);
    cuda.must("cuDevicePrimaryCtxRelease_v2", static_cast<int>(id));
  }

  /// Device memory comes by a stream of its own: the kernel that asks for it holds the other one.
  void *allocate(uint64_t size, Memory kind) override {
    enter();
    void *address = nullptr;
    if (kind == Memory::Host)
      return cuda("cuMemAllocHost_v2", &address, static_cast<size_t>(size)) == 0 ? address : nullptr;
    if (cuda("cuMemAllocAsync", reinterpret_cast<CUdeviceptr *>(&address), static_cast<size_t>(size), memory_stream) != 0)
      return nullptr;
    cuda.must("cuStreamSynchronize", memory_stream);
    __atomic_fetch_add(&allocated, 1, __ATOMIC_RELAXED);
    return address;
  }
  void release(void *address, Memory kind) override {
    enter();
    if (kind == Memory::Host)
      return cuda.must("cuMemFreeHost", address);
    cuda.must("cuMemFreeAsync", reinterpret_cast<CUdeviceptr>(address), memory_stream);
    cuda.must("cuStreamSynchronize", memory_stream);
    __atomic_fetch_add(&released, 1, __ATOMIC_RELAXED);
  }
  bool has_global(const char *name) override { return global(name).second != 0; }
  Error submit(const char *name, const void *bytes, uint64_t size) override {
    auto [address, room] = global(name);
    if (room != size)
      return std::string("the image has no global ") + name + " of that size";
    cuda.must("cuMemcpyHtoD_v2", address, bytes, static_cast<size_t>(size));
    return std::nullopt;
  }
  bool busy() override {
    enter();
    int status = cuda("cuStreamQuery", stream);
    CHECK(status == 0 || status == CUDA_ERROR_NOT_READY);
    return status == CUDA_ERROR_NOT_READY;
  }

  void launch(uint32_t blocks, CUdeviceptr results) {
    enter();
    void *arguments[] = {&results};
    cuda.must("cuLaunchKernel", kernel, blocks, 1u, 1u, 32u, 1u, 1u, 0u, stream, static_cast<void **>(arguments),
              static_cast<void **>(nullptr));
  }
  /// Every thread that calls the driver does so for one device at a time.
  void enter() { cuda.must("cuCtxSetCurrent", context); }

  uint32_t allocated = 0, released = 0;

private:
  std::pair<CUdeviceptr, size_t> global(const char *name) {
    enter();
    CUdeviceptr address = 0;
    size_t size = 0;
    return cuda("cuModuleGetGlobal_v2", &address, &size, module, name) == 0 ? std::pair(address, size)
                                                                         : std::pair(CUdeviceptr(0), size_t(0));
  }

  const Driver &cuda;
  Handle context = nullptr, module = nullptr, kernel = nullptr, stream = nullptr, memory_stream = nullptr;
};

} // namespace

int main(int argc, char **argv) {
  constexpr uint32_t BLOCKS = 6, LANES = 32;
  Driver cuda(argc > 1 ? argv[1] : "libcuda.so.1");
  cuda.must("cuInit", 0u);
  int count = 0;
  cuda.must("cuDeviceGetCount", &count);
  CHECK(count > 0);

  RpcServers servers(count);
  std::vector<std::unique_ptr<CudaDevice>> devices;
  for (int id = 0; id < count; ++id)
    devices.push_back(std::make_unique<CudaDevice>(cuda, id));
  std::vector<uint64_t *> results;
  for (auto &device : devices) {
    CHECK(RpcServers::needed_by(*device));
    succeed(servers.init_device(*device));
    results.push_back(static_cast<uint64_t *>(device->allocate(BLOCKS * LANES * 8, Memory::Host)));
  }
  for (auto &device : devices)
    device->launch(BLOCKS, reinterpret_cast<CUdeviceptr>(results[device->id]));
  for (auto &device : devices) {
    succeed(servers.synchronize(*device));
    succeed(servers.deinit_device(*device));
    const uint64_t *addresses = results[device->id];
    for (uint32_t lane = 0; lane < BLOCKS * LANES; ++lane)
      CHECK(addresses[lane] != 0);
    CHECK(device->allocated == BLOCKS * LANES && device->released == BLOCKS * LANES);
    device->release(results[device->id], Memory::Host);
  }
}
