// The heap, the end of the program, numbers in texts, sorting.
#ifndef DEVICE_RT_STDLIB_H
#define DEVICE_RT_STDLIB_H

#include <bits/device_rt.h>

DEVICE_RT_BEGIN

#define EXIT_SUCCESS 0
#define EXIT_FAILURE 1

typedef struct {
  int quot, rem;
} div_t;
typedef struct {
  long quot, rem;
} ldiv_t;

void *malloc(size_t size) __attribute__((malloc, alloc_size(1)));
void *calloc(size_t count, size_t size) __attribute__((malloc, alloc_size(1, 2)));
void *realloc(void *block, size_t size) __attribute__((alloc_size(2)));
void *aligned_alloc(size_t align, size_t size) __attribute__((malloc, alloc_align(1), alloc_size(2)));
void free(void *block);

DEVICE_RT_NORETURN void exit(int code);
DEVICE_RT_NORETURN void _Exit(int code);
DEVICE_RT_NORETURN void quick_exit(int code);
DEVICE_RT_NORETURN void abort(void);
int atexit(void (*function)(void));

char *getenv(const char *name);
int system(const char *command);

int atoi(const char *text);
long atol(const char *text);
long long atoll(const char *text);
long strtol(const char *DEVICE_RT_RESTRICT text, char **DEVICE_RT_RESTRICT end, int base);
unsigned long strtoul(const char *DEVICE_RT_RESTRICT text, char **DEVICE_RT_RESTRICT end, int base);
long long strtoll(const char *DEVICE_RT_RESTRICT text, char **DEVICE_RT_RESTRICT end, int base);
unsigned long long strtoull(const char *DEVICE_RT_RESTRICT text, char **DEVICE_RT_RESTRICT end, int base);
double atof(const char *text);
float strtof(const char *DEVICE_RT_RESTRICT text, char **DEVICE_RT_RESTRICT end);
double strtod(const char *DEVICE_RT_RESTRICT text, char **DEVICE_RT_RESTRICT end);

int abs(int value);
long labs(long value);
long long llabs(long long value);
div_t div(int a, int b);
ldiv_t ldiv(long a, long b);

void qsort(void *array, size_t count, size_t size, int (*compare)(const void *, const void *));
void *bsearch(const void *key, const void *array, size_t count, size_t size,
              int (*compare)(const void *, const void *));

DEVICE_RT_END

#endif
