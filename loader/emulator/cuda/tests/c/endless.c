/* Launches a kernel that never ends, then ends itself in the way that the argument says. */

#define _GNU_SOURCE
#include <dlfcn.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

typedef int CUresult;
typedef struct context *CUcontext;
typedef struct module *CUmodule;
typedef struct function *CUfunction;
typedef struct stream *CUstream;

CUresult cuInit(unsigned flags);
CUresult cuCtxCreate_v2(CUcontext *context, unsigned flags, int device);
CUresult cuCtxSetCurrent(CUcontext context);
CUresult cuCtxSynchronize(void);
CUresult cuModuleLoadData(CUmodule *module, const void *image);
CUresult cuModuleGetFunction(CUfunction *function, CUmodule module, const char *name);
CUresult cuStreamCreate(CUstream *stream, unsigned flags);
CUresult cuStreamQuery(CUstream stream);
CUresult cuLaunchKernel(CUfunction function, unsigned grid_x, unsigned grid_y, unsigned grid_z, unsigned block_x,
                        unsigned block_y, unsigned block_z, unsigned shared, CUstream stream, void **parameters,
                        void **extra);

static const char ptx[] = ".version 7.0\n.target sm_70\n.address_size 64\n"
                          ".visible .entry endless() {\nAGAIN:\n    bra AGAIN;\n}\n";
enum { NOT_READY = 600 };

static void check(CUresult result, CUresult wanted) {
    if (result != wanted)
        abort();
}

static void *wait_for_ever(void *context) {
    check(cuCtxSetCurrent(context), 0);
    cuCtxSynchronize();
    abort();
}

int main(int argc, char **argv) {
    CUcontext context;
    CUmodule module;
    CUfunction endless;
    CUstream stream;
    pthread_t thread;

    if (argc < 2)
        return 2;
    check(cuInit(0), 0);
    check(cuCtxCreate_v2(&context, 0, 0), 0);
    check(cuModuleLoadData(&module, ptx), 0);
    check(cuModuleGetFunction(&endless, module, "endless"), 0);
    check(cuStreamCreate(&stream, 1), 0);
    check(cuLaunchKernel(endless, 4, 1, 1, 64, 1, 1, 0, stream, NULL, NULL), 0);
    usleep(20000);
    check(cuStreamQuery(stream), NOT_READY);

    if (strcmp(argv[1], "return") == 0)
        return 3;
    if (strcmp(argv[1], "exit") == 0)
        exit(4);
    if (strcmp(argv[1], "close") == 0) {
        void *library = dlopen("libcuda.so.1", RTLD_NOW);
        dlclose(library);
        dlclose(library); /* once too often: the code has to stay all the same */
        usleep(20000);
        exit(5);
    }
    if (pthread_create(&thread, NULL, wait_for_ever, context) != 0)
        return 2;
    usleep(20000);
    exit(6);
}
