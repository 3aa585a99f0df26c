// Types that everything needs.
#ifndef DEVICE_RT_STDDEF_H
#define DEVICE_RT_STDDEF_H

#include <bits/device_rt.h>

typedef __PTRDIFF_TYPE__ ptrdiff_t;
#ifdef __cplusplus
typedef decltype(nullptr) nullptr_t;
#else
typedef __WCHAR_TYPE__ wchar_t;
typedef union {
  long long integer;
  void *pointer;
  long double number;
} max_align_t;
#endif
#define offsetof(type, member) __builtin_offsetof(type, member)

#endif
