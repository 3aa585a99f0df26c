// A client of LLVM's offload library: runs a program image as llvm-gpu-loader would.
// Usage: offload IMAGE [ARGUMENT]...
// The library finds `__llvm_rpc_client` in the image and serves its calls by itself.
#include <stdbool.h>

#include <OffloadAPI.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void check(ol_result_t result, const char *what) {
  if (result) {
    fprintf(stderr, "offload: %s: %s\n", what, result->Details);
    exit(1);
  }
}

static bool take_device(ol_device_handle_t device, void *data) {
  ol_platform_handle_t platform;
  ol_platform_backend_t backend;
  char name[64] = "";
  check(olGetDeviceInfo(device, OL_DEVICE_INFO_PLATFORM, sizeof platform, &platform), "platform");
  check(olGetPlatformInfo(platform, OL_PLATFORM_INFO_BACKEND, sizeof backend, &backend), "back end");
  if (backend != OL_PLATFORM_BACKEND_AMDGPU)
    return true;
  check(olGetDeviceInfo(device, OL_DEVICE_INFO_NAME, sizeof name, name), "name");
  if (strcmp(name, "gfx90a"))
    return true;
  *(ol_device_handle_t *)data = device;
  return false;
}

static void launch(ol_device_handle_t device, ol_program_handle_t program, const char *name, const void *arguments,
                   size_t size) {
  ol_symbol_handle_t kernel;
  ol_queue_handle_t queue;
  ol_kernel_launch_size_args_t once = {1, {1, 1, 1}, {1, 1, 1}, 0};
  check(olGetSymbol(program, name, OL_SYMBOL_KIND_KERNEL, &kernel), name);
  check(olCreateQueue(device, &queue), "queue");
  check(olLaunchKernel(queue, device, kernel, arguments, size, &once), name);
  check(olSyncQueue(queue), name);
  check(olDestroyQueue(queue), "queue");
}

int main(int argc, char **argv) {
  ol_device_handle_t device = NULL;
  ol_program_handle_t program;
  check(olInit(), "start");
  check(olIterateDevices(take_device, &device), "devices");
  if (!device || argc < 2) {
    fprintf(stderr, "offload: no gfx90a, or no image\n");
    return 1;
  }
  FILE *file = fopen(argv[1], "rb");
  static char image[16 << 20];
  size_t size = file ? fread(image, 1, sizeof image, file) : 0;
  check(olCreateProgram(device, image, size, &program), argv[1]);

  // What the program sees as its arguments lies in memory of both sides.
  char **arguments, **environment;
  int *code;
  check(olMemAlloc(device, OL_ALLOC_TYPE_HOST, (argc + 1) * sizeof *arguments, (void **)&arguments), "arguments");
  check(olMemAlloc(device, OL_ALLOC_TYPE_HOST, sizeof *environment, (void **)&environment), "environment");
  check(olMemAlloc(device, OL_ALLOC_TYPE_HOST, sizeof *code, (void **)&code), "exit code");
  for (int i = 1; i < argc; i++) {
    check(olMemAlloc(device, OL_ALLOC_TYPE_HOST, strlen(argv[i]) + 1, (void **)&arguments[i - 1]), "argument");
    strcpy(arguments[i - 1], argv[i]);
  }
  arguments[argc - 1] = NULL;
  environment[0] = NULL;
  *code = 0;

  struct {
    int count;
    void *arguments, *environment;
  } begin = {argc - 1, arguments, environment};
  struct {
    int count;
    void *arguments, *environment, *code;
  } start = {argc - 1, arguments, environment, code};
  launch(device, program, "_begin", &begin, sizeof begin);
  launch(device, program, "_start", &start, sizeof start);
  launch(device, program, "_end", NULL, 0);
  int result = *code;
  check(olDestroyProgram(program), "program");
  check(olShutDown(), "end");
  return result;
}
