// Compiled for a processor of AMD or NVIDIA: the kernels `compute` and `reduce`. Compiled for the host: a program that prints what they store,
// a number a line. Everything is defined to the last bit: no contraction, no value out of range.
typedef unsigned int u32;
typedef unsigned long u64;

namespace {

constexpr u32 ITEMS = 128, WORDS = 24;

u32 mix(u32 x) {
  x ^= x >> 16;
  x *= 0x7feb352du;
  x ^= x >> 15;
  x *= 0x846ca68bu;
  return x ^ x >> 16;
}

// Objects with virtual functions, behind pointers that the compiler cannot see through.
struct Shape {
  virtual u32 area(u32 n) const { return n; }
};
struct Square final : Shape {
  u32 area(u32 n) const override { return n * n; }
};
struct Circle final : Shape {
  u32 radius = 3;
  u32 area(u32 n) const override { return radius * n / 7 + n % 5; }
};

__attribute__((noinline)) u32 fibonacci(u32 n) { return n < 2 ? n : fibonacci(n - 1) + fibonacci(n - 2); }

template <typename To, typename From> To bits(From from) {
  static_assert(sizeof(To) == sizeof(From));
  To to;
  __builtin_memcpy(&to, &from, sizeof to);
  return to;
}

// Half precision, each operation rounded; NaNs are one.
u32 halves(u32 a, u32 b) {
  _Float16 x = bits<_Float16, unsigned short>(a), y = bits<_Float16, unsigned short>(b);
  auto word = [](_Float16 h) -> u32 { return h == h ? bits<unsigned short>(h) : 0x7e00; };
  u32 result = word(x + y);
  result = mix(result) ^ word(x * y);
  result = mix(result) ^ word(x - y);
  result = mix(result) ^ word(x / y);
  result = mix(result) ^ bits<u32>((float)x == (float)x ? (float)x : 1.0f);
  result = mix(result) ^ word((_Float16)((float)(a % 2000) * 0.37f - 100.0f));
  return mix(result) ^ (x < y) ^ (u32)(x == y) << 1;
}

// x · 2ⁿ, rounded once.
float scaled(float x, int n) {
#ifdef __NVPTX__
  // No instruction there, and no library. No double is too small for it.
  return (float)((double)x * bits<double>((u64)(1023 + n) << 52));
#else
  return __builtin_ldexpf(x, n);
#endif
}

u32 singles(u32 a, u32 b) {
  float x = bits<float>(a), y = bits<float>(b);
  auto word = [](float f) -> u32 { return f == f ? bits<u32>(f) : 0x7fc00000; };
  u32 result = word(__builtin_sqrtf(x));
  result = mix(result) ^ word(__builtin_fmaf(x, y, 0.5f));
  result = mix(result) ^ word(__builtin_floorf(x)) ^ word(__builtin_ceilf(y));
  result = mix(result) ^ word(__builtin_truncf(x)) ^ word(__builtin_rintf(y));
  result = mix(result) ^ word(scaled(x, (int)(b % 300) - 150));
  return mix(result) ^ word(x / y);
}

u32 doubles(u64 a, u64 b) {
  double x = bits<double>(a), y = bits<double>(b);
  auto word = [](double d) -> u32 { return d == d ? mix((u32)bits<u64>(d)) ^ (u32)(bits<u64>(d) >> 32) : 7; };
  u32 result = word(__builtin_sqrt(x));
  result = mix(result) ^ word(__builtin_fma(x, y, 0.25));
  result = mix(result) ^ word(__builtin_floor(x)) ^ word(__builtin_ceil(y));
  result = mix(result) ^ word(__builtin_trunc(x)) ^ word(__builtin_rint(y));
  result = mix(result) ^ word((double)(float)x) ^ word((double)(long)(int)a);
  return mix(result) ^ word(x / y);
}

// All that one item does.
void item(u32 *out, u32 id) {
  u32 a = mix(id + 1), b = mix(a), c = mix(b), d = mix(c);
  Square square;
  Circle circle;
  const Shape *volatile shape = id & 1 ? static_cast<const Shape *>(&square) : &circle;
  u32 (*volatile function)(u32) = id % 3 ? fibonacci : mix;
  u32 local[16];
  for (u32 i = 0; i < 16; i++)
    local[i] = a >> i ^ b << (i & 7);
  unsigned char bytes[8];
  for (u32 i = 0; i < 8; i++)
    bytes[(i + id) & 7] = (unsigned char)(c >> i);
  u32 sum = 0;
  for (u32 i = 0; i < id % 11; i++)
    sum += local[(c >> i) & 15] + bytes[(d >> i) & 7];
  switch (d % 6) {
  case 0: sum = __builtin_popcount(sum); break;
  case 1: sum ^= (u32)(((u64)a * b) >> 29); break;
  case 2: sum -= (u32)((int)a / (int)(b | 1)); break;
  case 4: sum += a % (c % 1000 + 1); break;
  default: sum = sum << 3 | sum >> 29;
  }
  u32 at = 0;
  out[at++] = sum;
  out[at++] = shape->area(id + 3);
  out[at++] = function(id % 13);
  out[at++] = (u32)(((u64)a << 32 | b) / (c | 1)) ^ (u32)(((u64)c << 32 | d) % (a | 3));
  out[at++] = (u32)((__int128)(long)((u64)a << 32 | c) * (long)((u64)b << 32 | d) >> 64);
  for (; at < WORDS; at++) {
    // Of all magnitudes, and every fourth near zero or one.
    u32 x = mix(at * 977 + id), y = mix(x);
    if (at % 4 == 1)
      x = (x & 0x807fffff), y = (y & 0x807fffff) | 0x3f000000;
    u64 wide = (u64)x << 32 | y, other = (u64)y << 32 | mix(y);
    out[at] = at % 3 == 0 ? halves(x >> 16, y & 0xffff) : at % 3 == 1 ? singles(x, y) : doubles(wide, other);
  }
}

} // namespace

#ifdef HOST
#include <stdio.h>

int main() {
  u32 total = 0;
  for (u32 id = 0; id < ITEMS; id++) {
    u32 out[WORDS];
    item(out, id);
    for (u32 word : out)
      printf("%u\n", word), total += word;
  }
  printf("%u\n", total);
}
#else
#ifdef __NVPTX__
#define KERNEL extern "C" __attribute__((device_kernel))
static u32 own_id() { return __nvvm_read_ptx_sreg_tid_x(); }
static void meet() { __syncthreads(); }
#else
#define KERNEL extern "C" __attribute__((amdgpu_kernel, amdgpu_flat_work_group_size(1, 128)))
static u32 own_id() { return __builtin_amdgcn_workitem_id_x(); }
static void meet() {
  __builtin_amdgcn_fence(__ATOMIC_RELEASE, "workgroup");
  __builtin_amdgcn_s_barrier();
  __builtin_amdgcn_fence(__ATOMIC_ACQUIRE, "workgroup");
}
#endif

[[clang::loader_uninitialized]] static __attribute__((address_space(3))) u32 shared[ITEMS];

KERNEL void compute(u32 *out) {
  u32 id = own_id();
  item(out + id * WORDS, id);
}

// The sum of all words, by way of shared memory.
KERNEL void reduce(u32 *out) {
  u32 id = own_id(), sum = 0;
  for (u32 i = 0; i < WORDS; i++)
    sum += out[id * WORDS + i];
  shared[id] = sum;
  for (u32 step = ITEMS / 2; step; step /= 2) {
    meet();
    if (id < step)
      shared[id] += shared[id + step];
  }
  if (id == 0)
    out[ITEMS * WORDS] = shared[0];
}
#endif
