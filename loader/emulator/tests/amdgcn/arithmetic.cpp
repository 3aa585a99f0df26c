// Scalar and vector arithmetic of every width, so that compilers emit much of the instruction set.
typedef unsigned int u32;
typedef unsigned long u64;
typedef _Float16 half;
typedef half half2 __attribute__((ext_vector_type(2)));
typedef short short2 __attribute__((ext_vector_type(2)));

#define KERNEL extern "C" __attribute__((amdgpu_kernel))

KERNEL void integers(u32 *out, const u32 *in, int n) {
  u32 id = __builtin_amdgcn_workitem_id_x() + __builtin_amdgcn_workgroup_id_x() * 64;
  u32 a = in[id], b = in[id + 1];
  u32 sum = 0;
  for (int i = 0; i < n; i++) {
    sum += a * b + (a >> (b & 31)) - (sum << 3);
    sum ^= a / (b | 1) + a % (b | 3);
    sum = __builtin_amdgcn_ubfe(sum, 3, 17) | __builtin_popcount(sum) << 20;
    sum += __builtin_clz(sum | 1) + __builtin_ctz(sum | 1);
    a = __builtin_amdgcn_perm(a, sum, 0x03020504);
  }
  out[id] = sum;
}

KERNEL void wide(u64 *out, const u64 *in, u64 by) {
  u32 id = __builtin_amdgcn_workitem_id_x();
  u64 a = in[id], b = in[id + 1];
  u64 product = a * b + by;
  u64 quotient = a / (b | 1) + a % (by | 1);
  long shifted = (long)a >> (b & 63);
  __int128 wide = (__int128)(long)a * (long)b;
  out[id] = product ^ quotient ^ (u64)shifted ^ (u64)(wide >> 64) ^ (a < b ? a : b) ^ __builtin_bswap64(a);
}

KERNEL void singles(float *out, const float *in, int k) {
  u32 id = __builtin_amdgcn_workitem_id_x();
  float x = in[id], y = in[id + 64];
  float z = x * y + 0.5f;
  z = __builtin_fmaf(z, x, -y) / (y + 1.0f);
  z += __builtin_sqrtf(x) + __builtin_floorf(y) + __builtin_fabsf(z) + __builtin_ldexpf(x, k);
  z = __builtin_fminf(z, 4.0f) + __builtin_fmaxf(x, -2.0f) + __builtin_truncf(z) + __builtin_rintf(x);
  out[id] = z > y ? z : (float)(int)x + (float)(u32)y + (x == y ? 1.0f : __builtin_copysignf(x, y));
}

KERNEL void doubles(double *out, const double *in, int k) {
  u32 id = __builtin_amdgcn_workitem_id_x();
  double x = in[id], y = in[id + 64];
  double z = __builtin_fma(x, y, 0.25) / y + __builtin_sqrt(x) - __builtin_floor(y);
  z += (double)(float)x + (double)k + (double)(long)y + __builtin_fabs(-z) + __builtin_fmin(x, y);
  out[id] = x < y ? z : -z;
}

KERNEL void halves(half2 *out, const half2 *in, half s) {
  u32 id = __builtin_amdgcn_workitem_id_x();
  half2 a = in[id], b = in[id + 1];
  half2 c = a * b + a - b;
  half d = (half)((float)c.x * 2.0f) / s + (c.y > s ? c.x : s) + (half)(short)id;
  out[id] = c + (half2){d, a.y};
}

KERNEL void shorts(short2 *out, const short2 *in, short s) {
  u32 id = __builtin_amdgcn_workitem_id_x();
  short2 a = in[id], b = in[id + 1];
  short x = a.x * b.y + s;
  unsigned short y = (unsigned short)b.x >> (s & 15);
  out[id] = a * b + (a >> 3) + (short2){x, (short)(y > 7 ? y : (unsigned short)s)};
}

KERNEL void lanes(u32 *out, u32 v) {
  u32 id = __builtin_amdgcn_workitem_id_x();
  u32 x = __builtin_amdgcn_readfirstlane(id + v);
  u32 y = __builtin_amdgcn_ds_bpermute(id << 2, x ^ id) + __builtin_amdgcn_ds_swizzle(id, 0x401f);
  y += __builtin_amdgcn_update_dpp(0, id, 0x111, 0xf, 0xf, false) + __builtin_amdgcn_mov_dpp(y, 0xb1, 0xf, 0xf, true);
  y += __builtin_amdgcn_readlane(y, v & 31) + __builtin_amdgcn_mbcnt_hi(~0u, __builtin_amdgcn_mbcnt_lo(~0u, 0));
  out[id] = y;
}
