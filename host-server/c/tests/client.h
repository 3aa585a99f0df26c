/* A client of the wire format, for tests: one thread that plays all lanes of one group, on one port. */
#ifndef TEST_CLIENT_H
#define TEST_CLIENT_H

#include <sched.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* What the server writes into the image's global, without the locks. */
struct client_object {
  uint32_t port_count;
  uint32_t pad;
  uint32_t *inbox;
  uint32_t *outbox;
  struct client_header {
    uint64_t mask;
    uint32_t opcode;
    uint32_t pad;
  } *header;
  uint64_t *packet;
};

struct call {
  struct client_object client;
  uint32_t port;
  uint32_t lane_size;
  uint64_t mask;
  int received;
};

static inline void client_check(int sound, const char *what, int line) {
  if (!sound) {
    fprintf(stderr, "line %d: %s\n", line, what);
    abort();
  }
}
#define CHECK(sound) client_check(!!(sound), #sound, __LINE__)

static inline uint64_t *call_buffer(const struct call *call, uint32_t lane) {
  return call->client.packet + 8 * ((uint64_t)call->port * call->lane_size + lane);
}

static inline void call_wait(const struct call *call) {
  while (__atomic_load_n(&call->client.inbox[call->port], __ATOMIC_ACQUIRE) !=
         __atomic_load_n(&call->client.outbox[call->port], __ATOMIC_RELAXED))
    sched_yield();
}

static inline void call_give(const struct call *call) {
  uint32_t *word = &call->client.outbox[call->port];
  __atomic_store_n(word, __atomic_load_n(word, __ATOMIC_RELAXED) ^ 1, __ATOMIC_RELEASE);
}

/* Begins a call. The image's global is at `global`, which holds what the host has written there. */
static inline struct call call_open(const void *global, uint32_t port, uint32_t lane_size, uint64_t mask,
                                    uint32_t opcode) {
  struct call call;
  memset(&call, 0, sizeof call);
  memcpy(&call.client, global, sizeof call.client);
  call.port = port;
  call.lane_size = lane_size;
  call.mask = mask;
  call_wait(&call);
  call.client.header[port].mask = mask;
  call.client.header[port].opcode = opcode;
  return call;
}

/* Sends words[lane] as the first word of each lane's buffer. */
static inline void call_send(struct call *call, const uint64_t *words) {
  call_wait(call);
  for (uint32_t lane = 0; lane < call->lane_size; ++lane)
    if (call->mask >> lane & 1)
      call_buffer(call, lane)[0] = words[lane];
  call->received = 0;
  call_give(call);
}

static inline void call_recv(struct call *call, uint64_t *words) {
  if (call->received)
    call_give(call);
  call_wait(call);
  for (uint32_t lane = 0; lane < call->lane_size; ++lane)
    if (call->mask >> lane & 1)
      words[lane] = call_buffer(call, lane)[0];
  call->received = 1;
}

/* Sends the same bytes from each lane. */
static inline void call_send_n(struct call *call, const char *bytes, uint64_t size) {
  uint64_t sent = 0;
  do {
    uint64_t skip = sent ? 0 : 8, rest = size - sent, piece = rest < 64 - skip ? rest : 64 - skip;
    call_wait(call);
    for (uint32_t lane = 0; lane < call->lane_size; ++lane)
      if (call->mask >> lane & 1) {
        char *buffer = (char *)call_buffer(call, lane);
        if (!sent)
          memcpy(buffer, &size, 8);
        memcpy(buffer + skip, bytes + sent, piece);
      }
    call->received = 0;
    call_give(call);
    sent += piece;
  } while (sent < size);
}

/* Receives the bytes of the lowest lane, which each other lane must have got too. */
static inline uint64_t call_recv_n(struct call *call, char *bytes, uint64_t room) {
  uint64_t got = 0, size = 0, first = 1, skip, piece;
  do {
    if (call->received)
      call_give(call);
    call_wait(call);
    call->received = 1;
    skip = first ? 8 : 0;
    uint32_t lowest = 0;
    while (!(call->mask >> lowest & 1))
      ++lowest;
    char *buffer = (char *)call_buffer(call, lowest);
    if (first)
      memcpy(&size, buffer, 8);
    CHECK(size <= room);
    piece = size - got < 64 - skip ? size - got : 64 - skip;
    memcpy(bytes + got, buffer + skip, piece);
    for (uint32_t lane = lowest; lane < call->lane_size; ++lane)
      if (call->mask >> lane & 1)
        CHECK(!memcmp((char *)call_buffer(call, lane) + skip, bytes + got, piece));
    got += piece;
    first = 0;
  } while (got < size);
  return size;
}

#endif
