// The host's time of day and the device's clock.
#ifndef DEVICE_RT_TIME_H
#define DEVICE_RT_TIME_H

#include <bits/device_rt.h>

DEVICE_RT_BEGIN

typedef long time_t;
typedef long clock_t;
struct timespec {
  time_t tv_sec;
  long tv_nsec;
};

#define CLOCKS_PER_SEC 1000000l
#define TIME_UTC 1
#define TIME_MONOTONIC 2

time_t time(time_t *at);
// The device's steady clock: what has passed, not how long a thread was busy.
clock_t clock(void);
int timespec_get(struct timespec *at, int base);
int nanosleep(const struct timespec *time, struct timespec *left);

DEVICE_RT_END

#endif
