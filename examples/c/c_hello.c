// The main job in C: prints each argument, from every thread, and ends with 127.

#include <device_rt.h>
#include <stdio.h>
#include <stdlib.h>

static void goodbye(void) { puts("goodbye"); }

int main(int argc, char **argv) {
  if (device_thread_index() == 0)
    atexit(goodbye);
  for (int at = 1; at < argc; at++)
    printf("thread %lu of %lu: %s\n", device_thread_index(), device_thread_count(), argv[at]);
  return 127;
}
