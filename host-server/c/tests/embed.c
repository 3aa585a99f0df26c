/* Embeds the library in C, in both styles: allocation hooks with user data, and a server in a loop of its own. */
#include <rpc_server.h>

#include <pthread.h>

#include "client.h"

enum { LANES = 32, PORTS = 7 };
#define MASK UINT64_C(0x80000011)
#define SUM RPC_OPCODE('x', 1)
#define ECHO RPC_OPCODE('x', 2)
#define NOTE RPC_OPCODE('x', 3)
#define LAZY RPC_OPCODE('x', 4)
#define NOBODY RPC_OPCODE('x', 99)

struct memory {
  uint64_t allocated;
  uint64_t freed;
};

static void *allocate(uint64_t size, void *data) {
  struct memory *memory = (struct memory *)data;
  void *region = aligned_alloc(64, (size + 63) / 64 * 64);
  CHECK(region);
  memset(region, 0xa5, size);
  memory->allocated += 1;
  return region;
}

static void release(void *region, void *data) {
  struct memory *memory = (struct memory *)data;
  memory->freed += 1;
  free(region);
}

static void *allocate_none(uint64_t size, void *data) {
  (void)size;
  return data;
}

/* Adds what came before to each lane's word: packets are seen lane by lane, the lowest first. */
static void add(rpc_buffer_t *buffer, void *data) {
  uint64_t *sum = (uint64_t *)data;
  *sum += buffer->data[0];
  buffer->data[0] = *sum;
}

static rpc_port_t stale;

static void sum(rpc_port_t port, void *data) {
  uint64_t total = 0;
  CHECK(data == &stale);
  CHECK(rpc_get_opcode(port) == SUM);
  CHECK(rpc_get_lane_mask(port) == MASK);
  CHECK(rpc_send(port, NULL, NULL) == RPC_STATUS_INVALID_ARGUMENT);
  CHECK(rpc_recv_and_send(port, add, &total) == RPC_STATUS_SUCCESS);
  CHECK(rpc_server_shutdown(0, release, NULL) == RPC_STATUS_ALREADY_IN_USE);
  stale = port;
}

static void *bytes(uint64_t size, void *data) {
  ++*(int *)data;
  return malloc(size ? size : 1);
}

static void echo(rpc_port_t port, void *data) {
  void *received[LANES] = {0};
  uint64_t size[LANES] = {0};
  int calls = 0;
  (void)data;
  CHECK(rpc_recv_n(port, received, size, bytes, &calls) == RPC_STATUS_SUCCESS);
  CHECK(calls == 3);
  CHECK(rpc_send_n(port, (const void *const *)received, size) == RPC_STATUS_SUCCESS);
  for (int lane = 0; lane < LANES; ++lane)
    free(received[lane]);
}

static void store(rpc_buffer_t *buffer, void *data) {
  __atomic_fetch_add((uint64_t *)data, buffer->data[0], __ATOMIC_RELAXED);
}

static void note(rpc_port_t port, void *data) {
  CHECK(rpc_recv(port, store, data) == RPC_STATUS_SUCCESS);
}

static void lazy(rpc_port_t port, void *data) {
  (void)port;
  (void)data;
}

static void nothing(rpc_buffer_t *buffer, void *data) {
  (void)buffer;
  (void)data;
}

/* Waits for a packet that never comes, and finds the port closed. */
static void patient(rpc_port_t port, void *data) {
  CHECK(rpc_recv_and_send(port, nothing, NULL) == RPC_STATUS_SUCCESS);
  __atomic_store_n((int *)data, 1, __ATOMIC_RELEASE);
  CHECK(rpc_recv(port, nothing, NULL) == RPC_STATUS_CLOSED);
  CHECK(rpc_recv(port, nothing, NULL) == RPC_STATUS_CLOSED);
  __atomic_store_n((int *)data, 2, __ATOMIC_RELEASE);
}

static int lines;

static void log_line(uint32_t device, const char *message, void *data) {
  CHECK(device == 0 && data == &lines);
  CHECK(strlen(message) > 0 && !strchr(message, '\n'));
  /* Nothing of the library is locked meanwhile. */
  CHECK(rpc_get_buffer(0));
  ++lines;
}

static void on_exit_call(uint32_t device, int32_t status, void *data) {
  CHECK(device == 0);
  *(int32_t *)data = status;
}

struct device {
  unsigned char global[552];
  int done;
};

static void call_print(const struct device *device, const char *text) {
  uint64_t answer[LANES];
  struct call call = call_open(device->global, 0, LANES, 1, RPC_WRITE_TO_STDOUT_NEWLINE);
  call_send_n(&call, text, strlen(text));
  call_recv(&call, answer);
  CHECK(answer[0] == strlen(text) + 1);
}

/* The device: what a kernel would call. */
static void *kernel(void *argument) {
  struct device *device = (struct device *)argument;
  uint64_t words[LANES], answer[LANES];
  char text[300], back[300];
  struct call call;
  for (int lane = 0; lane < LANES; ++lane)
    words[lane] = 10 + (uint64_t)lane;

  for (uint32_t turn = 0; turn < 100; ++turn) {
    call = call_open(device->global, turn % PORTS, LANES, MASK, SUM);
    call_send(&call, words);
    call_recv(&call, answer);
    CHECK(answer[0] == 10 && answer[4] == 24 && answer[31] == 65);
  }

  memset(text, 'e', sizeof text);
  for (uint64_t size = 0; size <= sizeof text; size += 50) {
    call = call_open(device->global, 1, LANES, MASK, ECHO);
    call_send_n(&call, text, size);
    CHECK(call_recv_n(&call, back, sizeof back) == size);
    CHECK(!memcmp(text, back, size));
  }

  call = call_open(device->global, 2, LANES, MASK, NOBODY);
  call_send(&call, words);
  call_recv(&call, answer);
  CHECK(answer[0] == 0 && answer[31] == 0);

  call = call_open(device->global, 2, LANES, MASK, LAZY);
  call_send(&call, words);
  call_wait(&call);

  call_print(device, "printed by the device");

  /* Malloc is the embedding program's; without a callback there is no memory. */
  call = call_open(device->global, 3, LANES, 1, RPC_MALLOC);
  call_send(&call, words);
  call_recv(&call, answer);
  CHECK(answer[0] == 0);

  call = call_open(device->global, 3, LANES, 1, RPC_EXIT);
  call_send(&call, words);
  call_recv(&call, answer);
  words[0] = 42;
  call_send(&call, words);

  /* Asynchronous: nobody waits for these two. */
  words[0] = 10;
  call = call_open(device->global, 4, LANES, MASK, NOTE);
  call_send(&call, words);
  call = call_open(device->global, 5, LANES, 1, NOTE);
  call_send(&call, words);
  __atomic_store_n(&device->done, 1, __ATOMIC_RELEASE);
  return NULL;
}

static void refuses_misuse(void) {
  struct memory memory = {0, 0};
  rpc_options_t options = RPC_OPTIONS_INIT;
  int32_t status;
  CHECK(rpc_shutdown() == RPC_STATUS_NOT_INITIALIZED);
  CHECK(rpc_handle_server(0) == RPC_STATUS_NOT_INITIALIZED);
  CHECK(rpc_set_options(0, &options) == RPC_STATUS_NOT_INITIALIZED);
  CHECK(rpc_server_init(0, 1, 1, allocate, &memory) == RPC_STATUS_NOT_INITIALIZED);
  CHECK(rpc_init(0) == RPC_STATUS_OUT_OF_RANGE);
  CHECK(rpc_init(UINT32_MAX) == RPC_STATUS_OUT_OF_RANGE);
  CHECK(rpc_init(1) == RPC_STATUS_SUCCESS);
  CHECK(rpc_init(2) == RPC_STATUS_SUCCESS);
  CHECK(rpc_shutdown() == RPC_STATUS_SUCCESS);
  CHECK(rpc_handle_server(0) == RPC_STATUS_NOT_INITIALIZED);
  CHECK(rpc_handle_server(2) == RPC_STATUS_OUT_OF_RANGE);
  CHECK(rpc_get_buffer(0) == NULL && rpc_get_client_buffer(0) == NULL && rpc_get_buffer(2) == NULL);
  CHECK(rpc_server_init(2, 1, 1, allocate, &memory) == RPC_STATUS_OUT_OF_RANGE);
  CHECK(rpc_server_init(1, 1, 1, NULL, &memory) == RPC_STATUS_INVALID_ARGUMENT);
  CHECK(rpc_server_init(1, 0, 1, allocate, &memory) == RPC_STATUS_OUT_OF_RANGE);
  CHECK(rpc_server_init(1, RPC_MAXIMUM_PORT_COUNT + 1, 1, allocate, &memory) == RPC_STATUS_OUT_OF_RANGE);
  CHECK(rpc_server_init(1, UINT64_C(1) << 32 | 1, 1, allocate, &memory) == RPC_STATUS_OUT_OF_RANGE);
  CHECK(rpc_server_init(1, 1, 33, allocate, &memory) == RPC_STATUS_INVALID_LANE_SIZE);
  CHECK(rpc_server_init(1, 1, 1, allocate_none, NULL) == RPC_STATUS_ERROR);
  CHECK(memory.allocated == 0);
  CHECK(rpc_server_init(1, 1, 1, allocate_none, (char *)&memory + 1) == RPC_STATUS_ERROR);

  CHECK(rpc_set_options(1, NULL) == RPC_STATUS_INVALID_ARGUMENT);
  options.version += 1;
  CHECK(rpc_set_options(1, &options) == RPC_STATUS_VERSION_MISMATCH);
  options.version -= 1;
  options.size -= 8;
  CHECK(rpc_set_options(1, &options) == RPC_STATUS_VERSION_MISMATCH);
  options.size += 8;
  options.flags = 1u << 31;
  CHECK(rpc_set_options(1, &options) == RPC_STATUS_INVALID_ARGUMENT);
  options.flags = 0;
  CHECK(rpc_set_options(1, &options) == RPC_STATUS_SUCCESS);
  const char *const nowhere[] = {"/no/such/directory", NULL};
  options.directories = nowhere;
  CHECK(rpc_set_options(1, &options) == RPC_STATUS_SUCCESS);
  CHECK(rpc_server_init(1, 1, 1, allocate, &memory) == RPC_STATUS_INVALID_ARGUMENT);
  options.directories = NULL;
  CHECK(rpc_set_options(1, &options) == RPC_STATUS_SUCCESS);
  CHECK(memory.allocated == 0);

  CHECK(rpc_server_init(1, RPC_MAXIMUM_PORT_COUNT, 1, allocate, &memory) == RPC_STATUS_SUCCESS);
  CHECK(rpc_server_init(1, 1, 1, allocate, &memory) == RPC_STATUS_ALREADY_IN_USE);
  CHECK(rpc_set_options(1, &options) == RPC_STATUS_ALREADY_IN_USE);
  CHECK(rpc_register_callback(1, SUM, NULL, NULL) == RPC_STATUS_INVALID_ARGUMENT);
  CHECK(rpc_register_callback(0, SUM, sum, NULL) == RPC_STATUS_NOT_INITIALIZED);
  CHECK(rpc_get_exit_status(1, NULL) == RPC_STATUS_INVALID_ARGUMENT);
  CHECK(rpc_get_exit_status(1, &status) == RPC_STATUS_CONTINUE);
  CHECK(rpc_shutdown() == RPC_STATUS_ALREADY_IN_USE);
  CHECK(rpc_server_shutdown(0, release, &memory) == RPC_STATUS_NOT_INITIALIZED);
  CHECK(rpc_server_shutdown(1, release, &memory) == RPC_STATUS_SUCCESS);
  CHECK(rpc_server_shutdown(1, release, &memory) == RPC_STATUS_NOT_INITIALIZED);
  CHECK(memory.allocated == 1 && memory.freed == 1);

  rpc_port_t port = {12345};
  CHECK(rpc_recv(port, nothing, NULL) == RPC_STATUS_CLOSED);
  CHECK(rpc_get_lane_mask(port) == 0 && rpc_get_opcode(port) == UINT32_MAX);
  CHECK(rpc_shutdown() == RPC_STATUS_SUCCESS);
  CHECK(rpc_shutdown() == RPC_STATUS_NOT_INITIALIZED);
}

static void serves(void) {
  struct memory memory = {0, 0};
  static struct device device;
  uint64_t noted = 0;
  int32_t exited = 0, status = 0;
  int unhandled = 0;
  pthread_t thread;
  rpc_options_t options = RPC_OPTIONS_INIT;
  options.log = log_line;
  options.log_data = &lines;
  options.exit = on_exit_call;
  options.exit_data = &exited;

  CHECK(rpc_init(1) == RPC_STATUS_SUCCESS);
  CHECK(rpc_set_options(0, &options) == RPC_STATUS_SUCCESS);
  CHECK(rpc_server_init(0, PORTS, LANES, allocate, &memory) == RPC_STATUS_SUCCESS);
  CHECK(rpc_register_callback(0, SUM, sum, &stale) == RPC_STATUS_SUCCESS);
  CHECK(rpc_register_callback(0, ECHO, echo, NULL) == RPC_STATUS_SUCCESS);
  CHECK(rpc_register_callback(0, NOTE, note, &noted) == RPC_STATUS_SUCCESS);
  CHECK(rpc_register_callback(0, LAZY, lazy, NULL) == RPC_STATUS_SUCCESS);
  CHECK(!strcmp(rpc_client_symbol_name, "__llvm_rpc_client"));
  CHECK(rpc_get_client_size() == sizeof device.global);
  CHECK(rpc_server_version() == RPC_SERVER_VERSION);
  memcpy(device.global, rpc_get_client_buffer(0), sizeof device.global);

  CHECK(!pthread_create(&thread, NULL, kernel, &device));
  while (!__atomic_load_n(&device.done, __ATOMIC_ACQUIRE)) {
    rpc_status_t handled = rpc_handle_server(0);
    if (handled == RPC_STATUS_UNHANDLED_OPCODE)
      ++unhandled;
    else
      CHECK(handled == RPC_STATUS_SUCCESS);
  }
  CHECK(!pthread_join(thread, NULL));
  CHECK(unhandled == 1);
  CHECK(rpc_get_lane_mask(stale) == 0);

  CHECK(rpc_server_shutdown(0, release, &memory) == RPC_STATUS_SUCCESS);
  /* The asynchronous calls were served all the same: 10 + 14 + 41 and 10. */
  CHECK(noted == 75);
  CHECK(exited == 42);
  CHECK(lines == 2);
  CHECK(memory.allocated == 1 && memory.freed == 1);
  CHECK(rpc_get_exit_status(0, &status) == RPC_STATUS_NOT_INITIALIZED);
  CHECK(rpc_shutdown() == RPC_STATUS_SUCCESS);
}

static void survives_a_vanished_device(void) {
  struct memory memory = {0, 0};
  int step = 0;
  uint64_t word = 0;
  CHECK(rpc_init(1) == RPC_STATUS_SUCCESS);
  CHECK(rpc_server_init(0, 1, 1, allocate, &memory) == RPC_STATUS_SUCCESS);
  CHECK(rpc_register_callback(0, LAZY, patient, &step) == RPC_STATUS_SUCCESS);
  struct call call = call_open(rpc_get_client_buffer(0), 0, 1, 1, LAZY);
  call_send(&call, &word);
  while (__atomic_load_n(&step, __ATOMIC_ACQUIRE) != 1)
    CHECK(rpc_handle_server(0) == RPC_STATUS_SUCCESS);
  CHECK(rpc_server_shutdown(0, release, &memory) == RPC_STATUS_SUCCESS);
  CHECK(step == 2);
  CHECK(rpc_shutdown() == RPC_STATUS_SUCCESS);
}

struct crowd {
  int stop;
  int ended;
};

static void *handle_for_ever(void *argument) {
  struct crowd *crowd = (struct crowd *)argument;
  while (!__atomic_load_n(&crowd->stop, __ATOMIC_ACQUIRE))
    (void)rpc_handle_server(0);
  return NULL;
}

static struct memory shared_memory;

static void *end_once(void *argument) {
  struct crowd *crowd = (struct crowd *)argument;
  for (;;) {
    rpc_status_t status = rpc_server_shutdown(0, release, &shared_memory);
    if (status == RPC_STATUS_SUCCESS) {
      __atomic_fetch_add(&crowd->ended, 1, __ATOMIC_RELAXED);
      return NULL;
    }
    if (status == RPC_STATUS_NOT_INITIALIZED)
      return NULL;
    CHECK(status == RPC_STATUS_ALREADY_IN_USE);
    sched_yield();
  }
}

/* Threads that handle while others shut down, several at once: one of them succeeds, nobody gets hurt. */
static void stands_a_crowd(void) {
  pthread_t threads[4];
  struct crowd crowd = {0, 0};
  CHECK(rpc_init(1) == RPC_STATUS_SUCCESS);
  CHECK(rpc_server_init(0, 4, 1, allocate, &shared_memory) == RPC_STATUS_SUCCESS);
  for (int at = 0; at < 4; ++at)
    CHECK(!pthread_create(&threads[at], NULL, at % 2 ? end_once : handle_for_ever, &crowd));
  CHECK(!pthread_join(threads[1], NULL));
  CHECK(!pthread_join(threads[3], NULL));
  __atomic_store_n(&crowd.stop, 1, __ATOMIC_RELEASE);
  CHECK(!pthread_join(threads[0], NULL));
  CHECK(!pthread_join(threads[2], NULL));
  CHECK(crowd.ended == 1 && shared_memory.freed == 1);
  CHECK(rpc_shutdown() == RPC_STATUS_SUCCESS);
}

int main(void) {
  refuses_misuse();
  serves();
  survives_a_vanished_device();
  stands_a_crowd();
  return 0;
}
