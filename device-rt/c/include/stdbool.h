// Truth values.
#ifndef DEVICE_RT_STDBOOL_H
#define DEVICE_RT_STDBOOL_H

#ifndef __cplusplus
#if __STDC_VERSION__ < 202311L
#define bool _Bool
#define true 1
#define false 0
#endif
#endif
#define __bool_true_false_are_defined 1

#endif
