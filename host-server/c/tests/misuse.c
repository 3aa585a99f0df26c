/* Calls every function of the library wrongly, in each way that its comment names, and looks for the status that says so.
 * What tests/embed.c has on the way, such as a server that is shut down by a crowd, is not repeated. */
#include <rpc_server.h>

#include <pthread.h>
#include <unistd.h>

#include "client.h"

#define ASK RPC_OPCODE('x', 1)

static void *allocate(uint64_t size, void *data) {
  (void)data;
  return aligned_alloc(64, (size + 63) / 64 * 64);
}

static void *allocate_none(uint64_t size, void *data) {
  (void)size;
  (void)data;
  return NULL;
}

static void release(void *region, void *data) {
  (void)data;
  free(region);
}

static void nothing(rpc_buffer_t *buffer, void *data) {
  (void)buffer;
  (void)data;
}

static void ignore(rpc_port_t port, void *data) {
  (void)port;
  (void)data;
}

/* Each function that takes a device, for one that gives `expected`. */
static void refuse_device(uint32_t device, rpc_status_t expected) {
  rpc_options_t options = RPC_OPTIONS_INIT;
  int32_t status = 77;
  CHECK(rpc_set_options(device, &options) == expected || expected == RPC_STATUS_NOT_INITIALIZED);
  CHECK(rpc_handle_server(device) == expected);
  CHECK(rpc_register_callback(device, ASK, ignore, NULL) == expected);
  CHECK(rpc_get_exit_status(device, &status) == expected && status == 77);
  CHECK(rpc_server_shutdown(device, release, NULL) == expected);
  CHECK(rpc_server_shutdown(device, NULL, NULL) == expected);
  CHECK(rpc_get_buffer(device) == NULL && rpc_get_client_buffer(device) == NULL);
}

static void before_it_is_initialised(void) {
  rpc_options_t options = RPC_OPTIONS_INIT;
  CHECK(rpc_shutdown() == RPC_STATUS_NOT_INITIALIZED);
  CHECK(rpc_set_options(0, &options) == RPC_STATUS_NOT_INITIALIZED);
  CHECK(rpc_server_init(0, 1, 1, allocate, NULL) == RPC_STATUS_NOT_INITIALIZED);
  refuse_device(0, RPC_STATUS_NOT_INITIALIZED);
  refuse_device(UINT32_MAX, RPC_STATUS_NOT_INITIALIZED);
  CHECK(rpc_init(0) == RPC_STATUS_OUT_OF_RANGE);
  CHECK(rpc_init(RPC_MAXIMUM_DEVICE_COUNT + 1) == RPC_STATUS_OUT_OF_RANGE);
  CHECK(rpc_shutdown() == RPC_STATUS_NOT_INITIALIZED);
}

static void with_bad_arguments(void) {
  const uint32_t lane_sizes[] = {0, 2, 16, 31, 33, 63, 65, 128, UINT32_MAX};
  const uint64_t port_counts[] = {0, RPC_MAXIMUM_PORT_COUNT + 1, UINT64_C(1) << 32, UINT64_MAX};
  rpc_options_t options = RPC_OPTIONS_INIT;
  CHECK(rpc_init(2) == RPC_STATUS_SUCCESS);
  refuse_device(2, RPC_STATUS_OUT_OF_RANGE);
  refuse_device(UINT32_MAX, RPC_STATUS_OUT_OF_RANGE);
  refuse_device(1, RPC_STATUS_NOT_INITIALIZED);
  CHECK(rpc_server_init(2, 1, 1, allocate, NULL) == RPC_STATUS_OUT_OF_RANGE);
  CHECK(rpc_server_init(1, 1, 1, NULL, NULL) == RPC_STATUS_INVALID_ARGUMENT);
  CHECK(rpc_server_init(1, 1, 1, allocate_none, NULL) == RPC_STATUS_ERROR);
  for (unsigned at = 0; at < sizeof lane_sizes / sizeof *lane_sizes; ++at)
    CHECK(rpc_server_init(1, 1, lane_sizes[at], allocate, NULL) == RPC_STATUS_INVALID_LANE_SIZE);
  for (unsigned at = 0; at < sizeof port_counts / sizeof *port_counts; ++at)
    CHECK(rpc_server_init(1, port_counts[at], 32, allocate, NULL) == RPC_STATUS_OUT_OF_RANGE);

  /* A structure of another version: only the two words that say so are looked at. */
  uint32_t older[2] = {8, RPC_SERVER_VERSION}, newer[2] = {sizeof options, RPC_SERVER_VERSION + 1};
  CHECK(rpc_set_options(1, NULL) == RPC_STATUS_INVALID_ARGUMENT);
  CHECK(rpc_set_options(1, (const rpc_options_t *)(const void *)older) == RPC_STATUS_VERSION_MISMATCH);
  CHECK(rpc_set_options(1, (const rpc_options_t *)(const void *)newer) == RPC_STATUS_VERSION_MISMATCH);
  options.size = 0;
  CHECK(rpc_set_options(1, &options) == RPC_STATUS_VERSION_MISMATCH);
  options.size = sizeof options;
  options.reserved = 1;
  CHECK(rpc_set_options(1, &options) == RPC_STATUS_INVALID_ARGUMENT);
  options.reserved = 0;
  options.flags = 8;
  CHECK(rpc_set_options(1, &options) == RPC_STATUS_INVALID_ARGUMENT);
  options.flags = 0;
  const char *const no_text[] = {"\xff\xfe", NULL};
  options.directories = no_text;
  CHECK(rpc_set_options(1, &options) == RPC_STATUS_INVALID_ARGUMENT);
  options.directories = NULL;

  /* A server that is there. */
  CHECK(rpc_server_init(1, 1, 32, allocate, NULL) == RPC_STATUS_SUCCESS);
  CHECK(rpc_server_init(1, 1, 32, allocate, NULL) == RPC_STATUS_ALREADY_IN_USE);
  CHECK(rpc_set_options(1, &options) == RPC_STATUS_ALREADY_IN_USE);
  CHECK(rpc_register_callback(1, ASK, NULL, NULL) == RPC_STATUS_INVALID_ARGUMENT);
  CHECK(rpc_register_callback(1, UINT32_MAX, ignore, NULL) == RPC_STATUS_SUCCESS);
  CHECK(rpc_get_exit_status(1, NULL) == RPC_STATUS_INVALID_ARGUMENT);
  CHECK(rpc_shutdown() == RPC_STATUS_ALREADY_IN_USE);
  refuse_device(0, RPC_STATUS_NOT_INITIALIZED);
  /* It still works, and has not lost its reference. */
  CHECK(rpc_handle_server(1) == RPC_STATUS_SUCCESS);
  CHECK(rpc_server_shutdown(1, release, NULL) == RPC_STATUS_SUCCESS);
  CHECK(rpc_server_shutdown(1, release, NULL) == RPC_STATUS_NOT_INITIALIZED);
  CHECK(rpc_shutdown() == RPC_STATUS_SUCCESS);
  CHECK(rpc_shutdown() == RPC_STATUS_NOT_INITIALIZED);
}

/* What is done to a port in its callback, and by a second thread meanwhile. */
struct misuse {
  rpc_port_t port;
  int refused;
};

static void *disturb_later(void *argument) {
  struct misuse *misuse = (struct misuse *)argument;
  usleep(200000);
  /* The callback is in rpc_recv, for a packet that comes when this thread has been refused. */
  CHECK(rpc_send(misuse->port, nothing, NULL) == RPC_STATUS_ALREADY_IN_USE);
  CHECK(rpc_recv(misuse->port, nothing, NULL) == RPC_STATUS_ALREADY_IN_USE);
  __atomic_store_n(&misuse->refused, 1, __ATOMIC_RELEASE);
  return NULL;
}

/* Every function for handlers, on a port that is not one (any more). */
static void refuse_port(rpc_port_t port) {
  const void *sources[32] = {0};
  void *places[32] = {0};
  uint64_t sizes[32] = {0};
  CHECK(rpc_get_opcode(port) == UINT32_MAX && rpc_get_lane_mask(port) == 0);
  CHECK(rpc_send(port, nothing, NULL) == RPC_STATUS_CLOSED);
  CHECK(rpc_recv(port, nothing, NULL) == RPC_STATUS_CLOSED);
  CHECK(rpc_recv_and_send(port, nothing, NULL) == RPC_STATUS_CLOSED);
  CHECK(rpc_send_n(port, sources, sizes) == RPC_STATUS_CLOSED);
  CHECK(rpc_recv_n(port, places, sizes, allocate, NULL) == RPC_STATUS_CLOSED);
}

static void ask(rpc_port_t port, void *data) {
  struct misuse *misuse = (struct misuse *)data;
  const void *sources[32] = {0};
  void *places[32] = {0};
  uint64_t sizes[32] = {0};
  pthread_t thread;
  CHECK(rpc_send(port, NULL, NULL) == RPC_STATUS_INVALID_ARGUMENT);
  CHECK(rpc_recv(port, NULL, NULL) == RPC_STATUS_INVALID_ARGUMENT);
  CHECK(rpc_recv_and_send(port, NULL, NULL) == RPC_STATUS_INVALID_ARGUMENT);
  CHECK(rpc_send_n(port, NULL, sizes) == RPC_STATUS_INVALID_ARGUMENT);
  CHECK(rpc_send_n(port, sources, NULL) == RPC_STATUS_INVALID_ARGUMENT);
  CHECK(rpc_recv_n(port, NULL, sizes, allocate, NULL) == RPC_STATUS_INVALID_ARGUMENT);
  CHECK(rpc_recv_n(port, places, NULL, allocate, NULL) == RPC_STATUS_INVALID_ARGUMENT);
  CHECK(rpc_recv_n(port, places, sizes, NULL, NULL) == RPC_STATUS_INVALID_ARGUMENT);
  sizes[0] = 1;
  CHECK(rpc_send_n(port, sources, sizes) == RPC_STATUS_INVALID_ARGUMENT);
  CHECK(rpc_server_shutdown(0, release, NULL) == RPC_STATUS_ALREADY_IN_USE);
  CHECK(rpc_recv_and_send(port, nothing, NULL) == RPC_STATUS_SUCCESS);
  misuse->port = port;
  CHECK(!pthread_create(&thread, NULL, disturb_later, misuse));
  CHECK(rpc_recv(port, nothing, NULL) == RPC_STATUS_SUCCESS);
  CHECK(!pthread_join(thread, NULL));
  /* Memory that there is none for, and the conversation stays in step. */
  CHECK(rpc_send(port, nothing, NULL) == RPC_STATUS_SUCCESS);
  CHECK(rpc_recv_n(port, places, sizes, allocate_none, NULL) == RPC_STATUS_ERROR);
  CHECK(places[0] == NULL && sizes[0] == 0);
}

struct device {
  struct misuse *misuse;
  int done;
};

static void *kernel(void *argument) {
  struct device *device = (struct device *)argument;
  uint64_t words[32] = {0};
  struct call call = call_open(rpc_get_client_buffer(0), 0, 32, 1, ASK);
  call_send(&call, words);
  call_recv(&call, words);
  while (!__atomic_load_n(&device->misuse->refused, __ATOMIC_ACQUIRE))
    sched_yield();
  call_send(&call, words);
  call_recv(&call, words);
  call_send_n(&call, "some bytes", 10);
  call_wait(&call);
  __atomic_store_n(&device->done, 1, __ATOMIC_RELEASE);
  return NULL;
}

static void of_ports(void) {
  struct misuse misuse = {{0}, 0};
  struct device device = {&misuse, 0};
  pthread_t thread;
  refuse_port(misuse.port);
  CHECK(rpc_init(1) == RPC_STATUS_SUCCESS);
  CHECK(rpc_server_init(0, 1, 32, allocate, NULL) == RPC_STATUS_SUCCESS);
  CHECK(rpc_register_callback(0, ASK, ask, &misuse) == RPC_STATUS_SUCCESS);
  CHECK(!pthread_create(&thread, NULL, kernel, &device));
  while (!__atomic_load_n(&device.done, __ATOMIC_ACQUIRE))
    CHECK(rpc_handle_server(0) == RPC_STATUS_SUCCESS);
  CHECK(!pthread_join(thread, NULL));
  CHECK(rpc_server_shutdown(0, release, NULL) == RPC_STATUS_SUCCESS);
  refuse_port(misuse.port);
  CHECK(rpc_shutdown() == RPC_STATUS_SUCCESS);
}

/* Several users of the library who come and go, each with a device of its own, and one that two want. */
static void *come_and_go(void *argument) {
  const uint32_t own = (uint32_t)(uintptr_t)argument;
  for (int turn = 0; turn < 200; ++turn) {
    rpc_status_t status;
    CHECK(rpc_init(own + 1) == RPC_STATUS_SUCCESS);
    CHECK(rpc_server_init(own, 2, 1, allocate, NULL) == RPC_STATUS_SUCCESS);
    status = rpc_server_init(0, 2, 1, allocate, NULL);
    CHECK(status == RPC_STATUS_SUCCESS || status == RPC_STATUS_ALREADY_IN_USE);
    CHECK(rpc_handle_server(own) == RPC_STATUS_SUCCESS);
    if (status == RPC_STATUS_SUCCESS)
      while ((status = rpc_server_shutdown(0, release, NULL)) != RPC_STATUS_SUCCESS)
        CHECK(status == RPC_STATUS_ALREADY_IN_USE);
    CHECK(rpc_server_shutdown(own, release, NULL) == RPC_STATUS_SUCCESS);
    /* The last one out is refused while another has a server, and there is none: each has its own reference. */
    CHECK(rpc_shutdown() == RPC_STATUS_SUCCESS);
  }
  return NULL;
}

static void by_several_threads(void) {
  pthread_t threads[4];
  for (uintptr_t at = 0; at < 4; ++at)
    CHECK(!pthread_create(&threads[at], NULL, come_and_go, (void *)(at + 1)));
  for (int at = 0; at < 4; ++at)
    CHECK(!pthread_join(threads[at], NULL));
  CHECK(rpc_shutdown() == RPC_STATUS_NOT_INITIALIZED);
}

int main(void) {
  before_it_is_initialised();
  with_bad_arguments();
  of_ports();
  by_several_threads();
  return 0;
}
