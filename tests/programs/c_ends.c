// The ways in which a program in C ends.

#include <assert.h>
#include <device_rt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void first(void) { puts("registered first"); }
static void second(void) { puts("registered second"); }
__attribute__((constructor(200))) static void early(void) { puts("constructor 200"); }
__attribute__((constructor(300))) static void late(void) { puts("constructor 300"); }
__attribute__((destructor(200))) static void last(void) { puts("destructor 200"); }

int main(int argc, char **argv, char **envp) {
  if (device_thread_index() == 0) {
    atexit(first);
    atexit(second);
  }
  const char *way = argc > 1 ? argv[1] : "return";
  assert(!argv[argc] && envp);
  // Without a newline: nothing is held back.
  printf("[%s]", way);
  if (strcmp(way, "exit") == 0)
    exit(3);
  if (strcmp(way, "_Exit") == 0)
    _Exit(4);
  if (strcmp(way, "quick_exit") == 0) {
    write_to_stderr("no more of that\n");
    quick_exit(5);
  }
  if (strcmp(way, "abort") == 0)
    abort();
  if (strcmp(way, "assert") == 0)
    assert(argc == 1 && "one thing that does not hold");
  return 6;
}
