/* A program that speaks the driver API, as one compiled against NVIDIA's header would: declares
 * just what it calls. Adds two vectors. */

#define _GNU_SOURCE
#include <dlfcn.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

typedef int CUresult;
typedef int CUdevice;
typedef uint64_t CUdeviceptr;
typedef struct context *CUcontext;
typedef struct module *CUmodule;
typedef struct function *CUfunction;
typedef struct stream *CUstream;

CUresult cuInit(unsigned flags);
CUresult cuDeviceGetCount(int *count);
CUresult cuDeviceGet(CUdevice *device, int ordinal);
CUresult cuDeviceGetAttribute(int *value, int attribute, CUdevice device);
CUresult cuCtxCreate_v2(CUcontext *context, unsigned flags, CUdevice device);
CUresult cuCtxDestroy_v2(CUcontext context);
CUresult cuModuleLoadDataEx(CUmodule *module, const void *image, unsigned count, int *options, void **values);
CUresult cuModuleGetFunction(CUfunction *function, CUmodule module, const char *name);
CUresult cuMemAlloc_v2(CUdeviceptr *address, size_t bytes);
CUresult cuMemFree_v2(CUdeviceptr address);
CUresult cuMemcpyHtoDAsync_v2(CUdeviceptr to, const void *from, size_t bytes, CUstream stream);
CUresult cuMemcpyDtoHAsync_v2(void *to, CUdeviceptr from, size_t bytes, CUstream stream);
CUresult cuStreamCreate(CUstream *stream, unsigned flags);
CUresult cuStreamSynchronize(CUstream stream);
CUresult cuLaunchKernel(CUfunction function, unsigned grid_x, unsigned grid_y, unsigned grid_z, unsigned block_x,
                        unsigned block_y, unsigned block_z, unsigned shared, CUstream stream, void **parameters,
                        void **extra);
CUresult cuGetErrorName(CUresult error, const char **name);

#define CHECK(call) check(call, #call)

static void check(CUresult result, const char *call) {
    const char *name = "?";
    if (result == 0)
        return;
    cuGetErrorName(result, &name);
    fprintf(stderr, "%s: %s\n", call, name);
    exit(1);
}

static const char ptx[] =
    ".version 7.0\n.target sm_70\n.address_size 64\n"
    ".visible .entry add(.param .u64 a, .param .u64 b, .param .u32 n) {\n"
    "    .reg .pred %p;\n    .reg .b32 %r<6>;\n    .reg .b64 %rd<5>;\n"
    "    ld.param.u64 %rd1, [a];\n    ld.param.u64 %rd2, [b];\n    ld.param.u32 %r1, [n];\n"
    "    mov.u32 %r2, %ctaid.x;\n    mov.u32 %r3, %ntid.x;\n    mov.u32 %r4, %tid.x;\n"
    "    mad.lo.s32 %r2, %r2, %r3, %r4;\n    setp.ge.u32 %p, %r2, %r1;\n    @%p bra DONE;\n"
    "    mul.wide.u32 %rd3, %r2, 4;\n    add.s64 %rd1, %rd1, %rd3;\n    add.s64 %rd2, %rd2, %rd3;\n"
    "    ld.global.u32 %r4, [%rd1];\n    ld.global.u32 %r5, [%rd2];\n    add.s32 %r4, %r4, %r5;\n"
    "    st.global.u32 [%rd1], %r4;\nDONE:\n    ret;\n}\n";

enum { COUNT = 1000 };

int main(void) {
    int count, major, minor;
    CUdevice device;
    CUcontext context;
    CUmodule module;
    CUfunction add;
    CUstream stream;
    CUdeviceptr a, b;
    static unsigned first[COUNT], second[COUNT];

    CHECK(cuInit(0));
    CHECK(cuDeviceGetCount(&count));
    CHECK(cuDeviceGet(&device, 0));
    CHECK(cuDeviceGetAttribute(&major, 75, device));
    CHECK(cuDeviceGetAttribute(&minor, 76, device));
    printf("%d device%s, sm_%d%d\n", count, count == 1 ? "" : "s", major, minor);
    CHECK(cuCtxCreate_v2(&context, 0, device));

    char log[1000] = "";
    int options[] = {5, 6}; /* error log and its size */
    void *values[] = {log, (void *)sizeof log};
    if (cuModuleLoadDataEx(&module, ptx, 2, options, values) != 0) {
        fprintf(stderr, "%s", log);
        return 1;
    }
    CHECK(cuModuleGetFunction(&add, module, "add"));
    CHECK(cuStreamCreate(&stream, 1));
    CHECK(cuMemAlloc_v2(&a, sizeof first));
    CHECK(cuMemAlloc_v2(&b, sizeof second));
    for (unsigned i = 0; i < COUNT; i++) {
        first[i] = i;
        second[i] = 3 * i + 1;
    }
    CHECK(cuMemcpyHtoDAsync_v2(a, first, sizeof first, stream));
    CHECK(cuMemcpyHtoDAsync_v2(b, second, sizeof second, stream));
    unsigned n = COUNT;
    void *parameters[] = {&a, &b, &n};
    CHECK(cuLaunchKernel(add, (COUNT + 127) / 128, 1, 1, 128, 1, 1, 0, stream, parameters, NULL));
    CHECK(cuMemcpyDtoHAsync_v2(first, a, sizeof first, stream));
    CHECK(cuStreamSynchronize(stream));
    for (unsigned i = 0; i < COUNT; i++) {
        if (first[i] != 4 * i + 1) {
            fprintf(stderr, "element %u is %u\n", i, first[i]);
            return 1;
        }
    }
    printf("sum is right\n");

    void *one = dlopen("libcuda.so", RTLD_NOW), *other = dlopen("libcuda.so.1", RTLD_NOW);
    if (one && other && dlsym(one, "cuInit") == dlsym(other, "cuInit") && dlsym(one, "cuInit") == (void *)cuInit)
        printf("both names are one library\n");
    CHECK(cuMemFree_v2(a));
    CHECK(cuCtxDestroy_v2(context));
    return 0;
}
