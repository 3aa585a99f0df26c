// Assertions. As C demands, each inclusion looks at NDEBUG anew.
#include <bits/device_rt.h>

DEVICE_RT_BEGIN
DEVICE_RT_NORETURN void __assert_fail(const char *expression, const char *file, unsigned line, const char *function);
DEVICE_RT_END

#undef assert
#ifdef NDEBUG
#define assert(condition) ((void)0)
#else
#define assert(condition) ((condition) ? (void)0 : __assert_fail(#condition, __FILE__, __LINE__, __func__))
#endif

#ifndef __cplusplus
#undef static_assert
#define static_assert _Static_assert
#endif
