// Every kind of memory: global, LDS, scratch, flat and constant; atomics of all scopes; calls.
typedef unsigned int u32;
typedef unsigned long u64;
#define KERNEL extern "C" __attribute__((amdgpu_kernel))
#define LDS __attribute__((address_space(3)))
#define GLOBAL __attribute__((address_space(1)))

[[clang::loader_uninitialized]] static LDS u32 shared[256];
__attribute__((visibility("protected"))) u32 counter;
__attribute__((visibility("protected"))) u64 table[4] = {1, 2, 3, 4};

KERNEL void reduce(u32 *out, const unsigned char *bytes, const short *words) {
  u32 id = __builtin_amdgcn_workitem_id_x();
  shared[id] = bytes[id] + words[id];
  __builtin_amdgcn_s_barrier();
  for (u32 step = 128; step; step >>= 1) {
    if (id < step)
      shared[id] += shared[id + step];
    __builtin_amdgcn_fence(__ATOMIC_ACQ_REL, "workgroup");
    __builtin_amdgcn_s_barrier();
  }
  if (id == 0)
    out[__builtin_amdgcn_workgroup_id_x()] = shared[0];
}

KERNEL void atomics(u32 *p, u64 *q, GLOBAL u32 *g, float *f) {
  u32 id = __builtin_amdgcn_workitem_id_x();
  u32 old = __scoped_atomic_fetch_add(p, id, __ATOMIC_SEQ_CST, __MEMORY_SCOPE_SYSTEM);
  old += __scoped_atomic_fetch_or(&p[1], id, __ATOMIC_ACQ_REL, __MEMORY_SCOPE_DEVICE);
  old += __scoped_atomic_exchange_n(g, old, __ATOMIC_RELEASE, __MEMORY_SCOPE_WRKGRP);
  u64 expected = 5;
  __scoped_atomic_compare_exchange_n(q, &expected, (u64)old, false, __ATOMIC_SEQ_CST, __ATOMIC_RELAXED,
                                     __MEMORY_SCOPE_SYSTEM);
  q[1] = __scoped_atomic_fetch_min(&q[2], expected, __ATOMIC_RELAXED, __MEMORY_SCOPE_DEVICE);
  __scoped_atomic_store_n(&p[3], __scoped_atomic_load_n(&p[2], __ATOMIC_ACQUIRE, __MEMORY_SCOPE_SYSTEM),
                          __ATOMIC_RELEASE, __MEMORY_SCOPE_SYSTEM);
  __scoped_atomic_fetch_add(&shared[id & 255], old, __ATOMIC_RELAXED, __MEMORY_SCOPE_WRKGRP);
  __scoped_atomic_fetch_add(&counter, 1u, __ATOMIC_RELAXED, __MEMORY_SCOPE_DEVICE);
  f[id] = __scoped_atomic_fetch_add(f, 1.5f, __ATOMIC_RELAXED, __MEMORY_SCOPE_DEVICE);
}

KERNEL void scratch(u32 *out, u32 n) {
  u32 local[40];
  unsigned char bytes[16];
  for (u32 i = 0; i < 40; i++)
    local[i] = i * n;
  for (u32 i = 0; i < 16; i++)
    bytes[i] = (unsigned char)(i + n);
  out[n] = local[n % 40] + bytes[n & 15] + (u32)table[n & 3];
}

__attribute__((noinline)) static u32 fibonacci(u32 n) { return n < 2 ? n : fibonacci(n - 1) + fibonacci(n - 2); }
__attribute__((noinline)) static u32 twice(u32 n) { return 2 * n; }

KERNEL void calls(u32 *out, u32 n) {
  u32 (*volatile f)(u32) = n & 1 ? fibonacci : twice;
  out[__builtin_amdgcn_workitem_id_x()] = f(n) + fibonacci(n + 1);
}

struct Record {
  u64 a[3];
  float b;
  unsigned short c;
  char d;
};

KERNEL void structs(Record *to, const Record *from, int which) {
  Record r = from[__builtin_amdgcn_workitem_id_x()];
  switch (which) {
  case 0: r.a[0] += r.c; break;
  case 1: r.b *= 3; break;
  case 2: r.d--; break;
  case 7: __builtin_trap();
  default: __builtin_amdgcn_s_sleep(2);
  }
  to[__builtin_amdgcn_workitem_id_x()] = r;
}
