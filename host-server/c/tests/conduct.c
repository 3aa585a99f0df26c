/* How the library behaves towards the program that it is part of: it changes no signal handler, prints nothing of its own,
 * ends nothing, keeps each server's callbacks apart, and never keeps the thread that serves. */
#include <rpc_server.h>

#include <pthread.h>
#include <signal.h>
#include <time.h>

#include "client.h"

enum { DEVICES = 2, PORTS = 8 };
#define WHO RPC_OPCODE('x', 1)
#define STUCK RPC_OPCODE('x', 2)
#define SILENT RPC_OPCODE('x', 3)
#define ONE_HAS_IT RPC_OPCODE('x', 4)
#define NOBODY RPC_OPCODE('x', 5)

static void *allocate(uint64_t size, void *data) {
  (void)data;
  return aligned_alloc(64, (size + 63) / 64 * 64);
}

static void release(void *region, void *data) {
  (void)data;
  free(region);
}

static void nothing(rpc_buffer_t *buffer, void *data) {
  (void)buffer;
  (void)data;
}

/* What a device has said, and whose it is. */
struct owner {
  uint64_t number;
  int lines;
  int exits;
};

static void put_number(rpc_buffer_t *buffer, void *data) { buffer->data[0] = ((struct owner *)data)->number; }

static void who(rpc_port_t port, void *data) { rpc_recv_and_send(port, put_number, data); }

/* A callback that waits for something else than its device. */
static int gate_is_open, stuck_callbacks;

static void stuck(rpc_port_t port, void *data) {
  (void)data;
  __atomic_fetch_add(&stuck_callbacks, 1, __ATOMIC_RELAXED);
  while (!__atomic_load_n(&gate_is_open, __ATOMIC_ACQUIRE))
    sched_yield();
  CHECK(rpc_recv_and_send(port, nothing, NULL) == RPC_STATUS_SUCCESS);
}

/* One that waits for a second packet, which its device never sends. */
static void silent(rpc_port_t port, void *data) {
  (void)data;
  CHECK(rpc_recv_and_send(port, nothing, NULL) == RPC_STATUS_SUCCESS);
  __atomic_fetch_add(&stuck_callbacks, 1, __ATOMIC_RELAXED);
  CHECK(rpc_recv(port, nothing, NULL) == RPC_STATUS_CLOSED);
}

static void log_line(uint32_t device, const char *message, void *data) {
  struct owner *owner = (struct owner *)data;
  CHECK(owner->number == 100 + device && *message);
  ++owner->lines;
}

static void on_exit_call(uint32_t device, int32_t status, void *data) {
  struct owner *owner = (struct owner *)data;
  CHECK(owner->number == 100 + device && status == 3);
  ++owner->exits;
}

static struct owner owners[DEVICES] = {{100, 0, 0}, {101, 0, 0}};
static int stop, done, ended;

static uint64_t call_word(uint32_t device, uint32_t port, uint32_t opcode, uint64_t word) {
  uint64_t answer;
  struct call call = call_open(rpc_get_client_buffer(device), port, 1, 1, opcode);
  call_send(&call, &word);
  call_recv(&call, &answer);
  return answer;
}

static void *flood(void *port) {
  while (!__atomic_load_n(&stop, __ATOMIC_ACQUIRE))
    CHECK(call_word(0, (uint32_t)(uintptr_t)port, RPC_TEST_INCREMENT, 1) == 2);
  __atomic_fetch_add(&ended, 1, __ATOMIC_RELEASE);
  return NULL;
}

/* Calls what is stuck: its own answer comes when the gate is open. */
static void *wait_for_the_gate(void *port) {
  call_word(0, (uint32_t)(uintptr_t)port, STUCK, 0);
  CHECK(__atomic_load_n(&gate_is_open, __ATOMIC_ACQUIRE));
  __atomic_fetch_add(&ended, 1, __ATOMIC_RELEASE);
  return NULL;
}

static void print(uint32_t device, uint32_t opcode, const char *text) {
  uint64_t answer;
  struct call call = call_open(rpc_get_client_buffer(device), 0, 1, 1, opcode);
  call_send_n(&call, text, strlen(text));
  call_recv(&call, &answer);
}

static void *devices(void *argument) {
  (void)argument;
  for (uint32_t device = 0; device < DEVICES; ++device) {
    for (uint64_t turn = 0; turn < 20; ++turn)
      CHECK(call_word(device, (uint32_t)turn % 4, WHO, turn) == 100 + device);
    /* Only the second one has a callback for this; the first one's calls are answered with zeros. */
    CHECK(call_word(device, 1, ONE_HAS_IT, 9) == (device ? 101 : 0));
    CHECK(call_word(device, 1, NOBODY, 9) == 0);
    /* A file that is none: the fault is told to the log, and not printed. */
    call_word(device, 1, RPC_FTELL, 0x123456 << 2);
    print(device, RPC_WRITE_TO_STDOUT, device ? "two\n" : "one\n");
    print(device, RPC_WRITE_TO_STDERR, device ? "TWO\n" : "ONE\n");
  }
  uint64_t word = 3;
  struct call call = call_open(rpc_get_client_buffer(0), 1, 1, 1, RPC_EXIT);
  call_send(&call, &word);
  call_recv(&call, &word);
  word = 3;
  call_send(&call, &word);
  __atomic_store_n(&done, 1, __ATOMIC_RELEASE);
  return NULL;
}

struct signals {
  struct sigaction actions[65];
  sigset_t mask;
};

static void look_at_signals(struct signals *signals) {
  memset(signals, 0, sizeof *signals);
  for (int number = 1; number < 65; ++number)
    sigaction(number, NULL, &signals->actions[number]);
  CHECK(!pthread_sigmask(SIG_BLOCK, NULL, &signals->mask));
}

static void same_signals(const struct signals *before) {
  struct signals now;
  look_at_signals(&now);
  for (int number = 1; number < 65; ++number) {
    CHECK(now.actions[number].sa_handler == before->actions[number].sa_handler);
    CHECK(now.actions[number].sa_flags == before->actions[number].sa_flags);
    CHECK(sigismember(&now.mask, number) == sigismember(&before->mask, number));
  }
}

static double seconds(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

/* Serves both devices once. The unknown opcodes are told once for each device. */
static void handle(int *unhandled) {
  for (uint32_t device = 0; device < DEVICES; ++device) {
    rpc_status_t status = rpc_handle_server(device);
    if (status == RPC_STATUS_UNHANDLED_OPCODE)
      ++unhandled[device];
    else
      CHECK(status == RPC_STATUS_SUCCESS);
  }
}

int main(void) {
  struct signals before;
  pthread_t flooding[2], waiting, running;
  int unhandled[DEVICES] = {0};
  int32_t status;
  look_at_signals(&before);
  CHECK(rpc_init(DEVICES) == RPC_STATUS_SUCCESS);
  for (uint32_t device = 0; device < DEVICES; ++device) {
    rpc_options_t options = RPC_OPTIONS_INIT;
    options.log = log_line;
    options.exit = on_exit_call;
    options.log_data = options.exit_data = &owners[device];
    CHECK(rpc_set_options(device, &options) == RPC_STATUS_SUCCESS);
    CHECK(rpc_server_init(device, PORTS, 1, allocate, NULL) == RPC_STATUS_SUCCESS);
    CHECK(rpc_register_callback(device, WHO, who, &owners[device]) == RPC_STATUS_SUCCESS);
  }
  CHECK(rpc_register_callback(0, STUCK, stuck, NULL) == RPC_STATUS_SUCCESS);
  CHECK(rpc_register_callback(0, SILENT, silent, NULL) == RPC_STATUS_SUCCESS);
  CHECK(rpc_register_callback(1, ONE_HAS_IT, who, &owners[1]) == RPC_STATUS_SUCCESS);
  same_signals(&before);

  /* Two callbacks of the first device are stuck from here on, each in its way. */
  uint64_t word = 0;
  struct call abandoned = call_open(rpc_get_client_buffer(0), 5, 1, 1, SILENT);
  call_send(&abandoned, &word);
  CHECK(!pthread_create(&waiting, NULL, wait_for_the_gate, (void *)4));
  while (__atomic_load_n(&stuck_callbacks, __ATOMIC_RELAXED) < 2)
    handle(unhandled);

  /* Nevertheless every look ends, whatever the device does, and everybody else is served. */
  for (uintptr_t at = 0; at < 2; ++at)
    CHECK(!pthread_create(&flooding[at], NULL, flood, (void *)(at + 6)));
  CHECK(!pthread_create(&running, NULL, devices, NULL));
  double longest = 0;
  for (int looks = 0; looks < 2000 || !__atomic_load_n(&done, __ATOMIC_ACQUIRE); ++looks) {
    double start = seconds();
    handle(unhandled);
    double took = seconds() - start;
    longest = took > longest ? took : longest;
  }
  /* It takes microseconds; a busy machine may take this thread's core away. */
  CHECK(longest < 2);
  CHECK(!gate_is_open);
  __atomic_store_n(&gate_is_open, 1, __ATOMIC_RELEASE);
  __atomic_store_n(&stop, 1, __ATOMIC_RELEASE);
  /* These still wait for their last answers, and the wish to end comes when the files are written. */
  while (__atomic_load_n(&ended, __ATOMIC_ACQUIRE) < 3 || rpc_get_exit_status(0, &status) == RPC_STATUS_CONTINUE)
    handle(unhandled);
  CHECK(!pthread_join(running, NULL));
  same_signals(&before);

  CHECK(unhandled[0] == 2 && unhandled[1] == 1);
  CHECK(rpc_get_exit_status(0, &status) == RPC_STATUS_SUCCESS && status == 3);
  CHECK(rpc_get_exit_status(1, &status) == RPC_STATUS_CONTINUE);
  for (uint32_t device = 0; device < DEVICES; ++device)
    CHECK(rpc_server_shutdown(device, release, NULL) == RPC_STATUS_SUCCESS);
  CHECK(!pthread_join(waiting, NULL) && !pthread_join(flooding[0], NULL) && !pthread_join(flooding[1], NULL));
  CHECK(owners[0].exits == 1 && owners[1].exits == 0);
  CHECK(owners[0].lines == 3 && owners[1].lines == 2);
  CHECK(rpc_shutdown() == RPC_STATUS_SUCCESS);
  same_signals(&before);
  return 0;
}
