// What the headers share. Everything comes from the compiler: no other header is needed, not even its own.
#ifndef DEVICE_RT_BITS
#define DEVICE_RT_BITS

#if !defined(__NVPTX__) && !defined(__AMDGCN__)
#error "these are the headers of programs for a GPU: --target=nvptx64-nvidia-cuda or --target=amdgcn-amd-amdhsa"
#endif

typedef __SIZE_TYPE__ size_t;

#undef NULL
#ifdef __cplusplus
#define NULL __null
#define DEVICE_RT_BEGIN extern "C" {
#define DEVICE_RT_END }
#define DEVICE_RT_RESTRICT __restrict
#define DEVICE_RT_NORETURN [[noreturn]]
#else
#define NULL ((void *)0)
#define DEVICE_RT_BEGIN
#define DEVICE_RT_END
#define DEVICE_RT_RESTRICT restrict
#define DEVICE_RT_NORETURN _Noreturn
#endif

#endif
