/* Nobody reads what the device prints, and the process ends when the device asks for it, as it was told to. */
#include <rpc_server.h>

#include <pthread.h>
#include <signal.h>
#include <unistd.h>

#include "client.h"

static void *allocate(uint64_t size, void *data) {
  (void)data;
  return calloc(1, size);
}

static void *kernel(void *global) {
  uint64_t word;
  for (int turn = 0; turn < 3; ++turn) {
    struct call print = call_open(global, 0, 1, 1, RPC_WRITE_TO_STDOUT);
    call_send_n(&print, "lost", 4);
    call_recv(&print, &word);
    /* Long enough for the server to find out that nobody reads. */
    usleep(20000);
  }
  CHECK(word == 0);
  word = 7;
  struct call end = call_open(global, 1, 1, 1, RPC_EXIT);
  call_send(&end, &word);
  call_recv(&end, &word);
  word = 7;
  call_send(&end, &word);
  return NULL;
}

int main(void) {
  int ends[2];
  struct sigaction action;
  pthread_t thread;
  rpc_options_t options = RPC_OPTIONS_INIT;
  options.flags = RPC_OPTION_EXIT_PROCESS;
  CHECK(!pipe(ends) && !close(ends[0]) && dup2(ends[1], STDOUT_FILENO) == STDOUT_FILENO);
  CHECK(rpc_init(1) == RPC_STATUS_SUCCESS);
  CHECK(rpc_set_options(0, &options) == RPC_STATUS_SUCCESS);
  CHECK(rpc_server_init(0, 2, 1, allocate, NULL) == RPC_STATUS_SUCCESS);
  CHECK(!pthread_create(&thread, NULL, kernel, (void *)(uintptr_t)rpc_get_client_buffer(0)));
  for (int turn = 0; turn < 20000; ++turn) {
    CHECK(rpc_handle_server(0) == RPC_STATUS_SUCCESS);
    CHECK(!sigaction(SIGPIPE, NULL, &action) && action.sa_handler == SIG_DFL);
    usleep(500);
  }
  return 1;
}
