// Embeds the library in C++, in both styles: a thread that serves until told to stop, and serving while waiting.
#include <rpc_server.h>

#include <atomic>
#include <memory>
#include <new>
#include <string>
#include <thread>
#include <vector>

#include "client.h"

namespace {

constexpr uint32_t DOUBLE = RPC_OPCODE('x', 1);
constexpr uint32_t REVERSE = RPC_OPCODE('x', 2);

/// A pool that hands out memory and knows what is out.
struct Pool {
  std::atomic<int> out{0};

  static void *allocate(uint64_t size, void *data) {
    static_cast<Pool *>(data)->out += 1;
    return ::operator new(size, std::align_val_t(64), std::nothrow);
  }
  static void release(void *region, void *data) {
    static_cast<Pool *>(data)->out -= 1;
    ::operator delete(region, std::align_val_t(64));
  }
};

/// One device's server for as long as the object lives.
class Server {
public:
  Server(uint32_t device, uint32_t lanes, Pool &pool) : device(device), pool(pool) {
    CHECK(rpc_server_init(device, 16, lanes, Pool::allocate, &pool) == RPC_STATUS_SUCCESS);
    auto twice = [](rpc_port_t port, void *calls) {
      rpc_recv_and_send(
          port, [](rpc_buffer_t *buffer, void *) { buffer->data[0] *= 2; }, nullptr);
      ++*static_cast<std::atomic<int> *>(calls);
    };
    CHECK(rpc_register_callback(device, DOUBLE, twice, &calls) == RPC_STATUS_SUCCESS);
    auto reverse = [](rpc_port_t port, void *) {
      std::vector<void *> texts(RPC_MAXIMUM_LANE_COUNT);
      std::vector<uint64_t> sizes(RPC_MAXIMUM_LANE_COUNT);
      std::vector<std::string> kept;
      kept.reserve(RPC_MAXIMUM_LANE_COUNT);
      auto keep = [](uint64_t size, void *data) -> void * {
        return static_cast<std::vector<std::string> *>(data)->emplace_back(size, '\0').data();
      };
      CHECK(rpc_recv_n(port, texts.data(), sizes.data(), keep, &kept) == RPC_STATUS_SUCCESS);
      for (std::string &text : kept)
        text.assign(text.rbegin(), text.rend());
      std::vector<const void *> answers(RPC_MAXIMUM_LANE_COUNT);
      size_t next = 0;
      for (uint32_t lane = 0; lane < RPC_MAXIMUM_LANE_COUNT; ++lane)
        if (rpc_get_lane_mask(port) >> lane & 1)
          answers[lane] = kept[next++].data();
      CHECK(rpc_send_n(port, answers.data(), sizes.data()) == RPC_STATUS_SUCCESS);
    };
    CHECK(rpc_register_callback(device, REVERSE, reverse, nullptr) == RPC_STATUS_SUCCESS);
  }
  Server(const Server &) = delete;
  ~Server() { CHECK(rpc_server_shutdown(device, Pool::release, &pool) == RPC_STATUS_SUCCESS); }

  const uint32_t device;
  std::atomic<int> calls{0};

private:
  Pool &pool;
};

/// What a kernel of the device does. Each call is checked.
void kernel(uint32_t device, uint32_t lanes, uint32_t port) {
  const uint64_t mask = lanes == 64 ? UINT64_MAX : (UINT64_C(1) << lanes) - 1;
  const void *global = rpc_get_client_buffer(device);
  std::vector<uint64_t> words(lanes), answers(lanes);
  for (uint64_t turn = 0; turn < 50; ++turn) {
    for (uint32_t lane = 0; lane < lanes; ++lane)
      words[lane] = turn * 100 + lane;
    call call = call_open(global, port, lanes, mask, DOUBLE);
    call_send(&call, words.data());
    call_recv(&call, answers.data());
    for (uint32_t lane = 0; lane < lanes; ++lane)
      CHECK(answers[lane] == 2 * words[lane]);
  }
  std::string text(1000, 'a'), back(1000, ' ');
  text[0] = 'b';
  call call = call_open(global, port, lanes, mask, REVERSE);
  call_send_n(&call, text.data(), text.size());
  CHECK(call_recv_n(&call, back.data(), back.size()) == text.size());
  CHECK(back == std::string(text.rbegin(), text.rend()));
}

/// A server thread for each of several devices, and several clients each.
void serves_from_threads() {
  Pool pool;
  CHECK(rpc_init(3) == RPC_STATUS_SUCCESS);
  const uint32_t lanes[] = {1, 32, 64};
  {
    std::atomic<bool> stop{false};
    std::vector<std::unique_ptr<Server>> servers;
    std::vector<std::thread> serving, running;
    for (uint32_t device = 0; device < 3; ++device)
      servers.push_back(std::make_unique<Server>(device, lanes[device], pool));
    for (uint32_t device = 0; device < 3; ++device) {
      serving.emplace_back([&stop, device] {
        while (!stop) {
          CHECK(rpc_handle_server(device) == RPC_STATUS_SUCCESS);
          std::this_thread::yield();
        }
      });
      for (uint32_t port = 0; port < 3; ++port)
        running.emplace_back(kernel, device, lanes[device], port);
    }
    for (std::thread &thread : running)
      thread.join();
    stop = true;
    for (std::thread &thread : serving)
      thread.join();
    for (const auto &server : servers)
      CHECK(server->calls == 150);
    CHECK(pool.out == 3);
  }
  CHECK(pool.out == 0);
  CHECK(rpc_shutdown() == RPC_STATUS_SUCCESS);
}

/// The thread that waits for the kernel serves it.
void serves_while_waiting() {
  Pool pool;
  CHECK(rpc_init(1) == RPC_STATUS_SUCCESS);
  {
    Server server(0, 32, pool);
    std::atomic<bool> done{false};
    std::thread running([&done] {
      kernel(0, 32, 5);
      done = true;
    });
    while (!done)
      CHECK(rpc_handle_server(0) == RPC_STATUS_SUCCESS);
    running.join();
  }
  CHECK(pool.out == 0);
  CHECK(rpc_shutdown() == RPC_STATUS_SUCCESS);
}

} // namespace

int main() {
  serves_from_threads();
  serves_while_waiting();
}
