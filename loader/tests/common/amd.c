/* What an image for AMD asks of the loader, without any runtime around it. The first argument says what _start does; what it
 * leaves in *ret is the exit code. */
typedef unsigned short u16;
typedef unsigned int u32;
typedef unsigned long u64;

#define KERNEL __attribute__((amdgpu_kernel, visibility("protected")))

/* Filled by the loader with the rate of the steady clock. */
__attribute__((visibility("protected"))) u64 __llvm_libc_clock_freq = 0;

#ifdef UNDEFINED
extern u32 nowhere_to_be_found(u32);
#endif

/* As deep as `depth` says, through a pointer, so that the compiler cannot tell how much stack that takes. */
__attribute__((noinline)) u32 deep(u32 depth);
u32 (*volatile through)(u32) = deep;

__attribute__((noinline)) u32 deep(u32 depth) {
    volatile u32 frame[64];
    for (u32 i = 0; i < 64; i++)
        frame[i] = depth + i;
    return depth == 0 ? 0 : through(depth - 1) + 1 + frame[0] - depth;
}

/* Whether the hidden arguments are those of `--blocks 5 --threads 6,2,3`. Their places from code object version 5 on. */
static u32 hidden_arguments(void) {
    const char *hidden = __builtin_amdgcn_implicitarg_ptr();
    const u32 *blocks = (const u32 *)hidden;
    const u16 *threads = (const u16 *)(hidden + 12), *remainder = (const u16 *)(hidden + 18);
    const u64 *offset = (const u64 *)(hidden + 40);
    u32 wrong = 0;
    wrong |= (blocks[0] != 5 || blocks[1] != 1 || blocks[2] != 1) << 0;
    wrong |= (threads[0] != 6 || threads[1] != 2 || threads[2] != 3) << 1;
    wrong |= (remainder[0] != 0 || remainder[1] != 0 || remainder[2] != 0) << 2;
    wrong |= (offset[0] != 0 || offset[1] != 0 || offset[2] != 0) << 3;
    wrong |= (*(const u16 *)(hidden + 64) != 3) << 4;
    return wrong;
}

KERNEL void _start(int argc, char **argv, char **envp, u32 *ret) {
    switch (argc > 1 ? argv[1][0] : 0) {
    case 'a': /* arguments: how many, and the first byte of the environment */
        *ret = argc + envp[0][0];
        break;
    case 'b': /* bits: one for each work-item */
        __atomic_fetch_or(ret, 1u << (__builtin_amdgcn_workgroup_id_x() * 2 + __builtin_amdgcn_workitem_id_x()),
                          __ATOMIC_RELAXED);
        break;
    case 'c': /* clock */
        *ret = __llvm_libc_clock_freq / 1000000;
        break;
    case 'd': /* depth: 200 frames of more than 256 bytes */
        *ret = deep(200);
        break;
    case 'e': /* endless */
        for (volatile u32 go = 1; go;)
            ;
        break;
    case 'h':
        __atomic_fetch_or(ret, hidden_arguments(), __ATOMIC_RELAXED);
        break;
    case 'n': /* null */
        *(volatile u32 *)64 = 1;
        break;
    case 't':
        __builtin_trap();
    case 'w': /* width of a wavefront */
        *ret = __builtin_amdgcn_wavefrontsize();
        break;
#ifdef UNDEFINED
    default:
        *ret = nowhere_to_be_found(argc);
#endif
    }
}

/* Launched with more than it says it allows. */
KERNEL __attribute__((amdgpu_flat_work_group_size(1, 64))) void narrow(void) {}
