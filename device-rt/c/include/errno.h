// Why the last function that failed did. Each thread has its own, in grids of up to 16384 threads.
#ifndef DEVICE_RT_ERRNO_H
#define DEVICE_RT_ERRNO_H

#include <bits/device_rt.h>

DEVICE_RT_BEGIN
int *__errno_location(void) __attribute__((const));
DEVICE_RT_END

#define errno (*__errno_location())

// The numbers are Linux's, as the host sends them.
#define EPERM 1
#define ENOENT 2
#define EINTR 4
#define EIO 5
#define EBADF 9
#define EAGAIN 11
#define ENOMEM 12
#define EACCES 13
#define EEXIST 17
#define EXDEV 18
#define ENOTDIR 20
#define EISDIR 21
#define EINVAL 22
#define EMFILE 24
#define EFBIG 27
#define ENOSPC 28
#define ESPIPE 29
#define EROFS 30
#define EPIPE 32
#define EDOM 33
#define ERANGE 34
#define ENAMETOOLONG 36
#define ENOSYS 38
#define ENOTEMPTY 39
#define ELOOP 40
#define EILSEQ 84
#define EMSGSIZE 90

#endif
