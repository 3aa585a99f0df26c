// Numbers in texts, sorting and searching, and what is left of stdlib.h and stdio.h that needs no call of its own.

#include <ctype.h>
#include <errno.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// The magnitude of a number in a text, at most `limit`; `*end` is where it ends, or the text itself where there is none.
static unsigned long magnitude(const char *text, const char **end, int base, bool *negative, unsigned long limit) {
  *end = text;
  const char *at = text;
  while (isspace((unsigned char)*at))
    at++;
  *negative = *at == '-';
  if (*at == '-' || *at == '+')
    at++;
  bool hex = at[0] == '0' && (at[1] | 32) == 'x' && isxdigit((unsigned char)at[2]);
  if (base == 0)
    base = hex ? 16 : *at == '0' ? 8 : 10;
  if (base == 16 && hex)
    at += 2;
  unsigned long value = 0;
  for (;; at++) {
    int digit = isdigit((unsigned char)*at) ? *at - '0' : isalpha((unsigned char)*at) ? (*at | 32) - 'a' + 10 : base;
    if (digit >= base)
      return value;
    *end = at + 1;
    if (__builtin_mul_overflow(value, (unsigned long)base, &value) ||
        __builtin_add_overflow(value, (unsigned long)digit, &value) || value > limit) {
      value = limit;
      errno = ERANGE;
    }
  }
}

long strtol(const char *restrict text, char **restrict end, int base) {
  bool negative;
  const char *stop;
  unsigned long most = LONG_MAX;
  int before = errno;
  errno = 0;
  // One more below zero than above.
  unsigned long value = magnitude(text, &stop, base, &negative, most + 1);
  bool beyond = errno == ERANGE || (value > most && !negative);
  errno = beyond ? ERANGE : before;
  if (end)
    *end = (char *)stop;
  if (negative)
    return value > most ? LONG_MIN : -(long)value;
  return value > most ? LONG_MAX : (long)value;
}

unsigned long strtoul(const char *restrict text, char **restrict end, int base) {
  bool negative;
  const char *stop;
  int before = errno;
  errno = 0;
  unsigned long value = magnitude(text, &stop, base, &negative, ULONG_MAX);
  bool beyond = errno == ERANGE;
  errno = beyond ? ERANGE : before;
  if (end)
    *end = (char *)stop;
  return negative && !beyond ? -value : value;
}

long long strtoll(const char *restrict text, char **restrict end, int base) { return strtol(text, end, base); }
unsigned long long strtoull(const char *restrict text, char **restrict end, int base) {
  return strtoul(text, end, base);
}
int atoi(const char *text) { return (int)strtol(text, NULL, 10); }
long atol(const char *text) { return strtol(text, NULL, 10); }
long long atoll(const char *text) { return strtol(text, NULL, 10); }

int abs(int value) { return value < 0 ? -value : value; }
long labs(long value) { return value < 0 ? -value : value; }
long long llabs(long long value) { return value < 0 ? -value : value; }
div_t div(int a, int b) { return (div_t){a / b, a % b}; }
ldiv_t ldiv(long a, long b) { return (ldiv_t){a / b, a % b}; }

void *bsearch(const void *key, const void *array, size_t count, size_t size,
              int (*compare)(const void *, const void *)) {
  const char *low = array;
  while (count > 0) {
    const char *middle = low + count / 2 * size;
    int order = compare(key, middle);
    if (order == 0)
      return (void *)middle;
    if (order > 0) {
      low = middle + size;
      count = (count - 1) / 2;
    } else {
      count /= 2;
    }
  }
  return NULL;
}

static void swap(char *a, char *b, size_t size) {
  for (; size > 0; size--, a++, b++) {
    char byte = *a;
    *a = *b;
    *b = byte;
  }
}

// Lets the element at `root` sink into the heap of `count` elements below it.
static void sink(char *array, size_t root, size_t count, size_t size, int (*compare)(const void *, const void *)) {
  for (;;) {
    size_t child = 2 * root + 1;
    if (child >= count)
      return;
    if (child + 1 < count && compare(array + child * size, array + (child + 1) * size) < 0)
      child++;
    if (compare(array + root * size, array + child * size) >= 0)
      return;
    swap(array + root * size, array + child * size, size);
    root = child;
  }
}

// Heapsort: no recursion, of which a GPU's small stack would bear little, and no bad cases.
void qsort(void *array, size_t count, size_t size, int (*compare)(const void *, const void *)) {
  for (size_t root = count / 2; root > 0; root--)
    sink(array, root - 1, count, size, compare);
  for (size_t left = count; left > 1; left--) {
    swap(array, (char *)array + (left - 1) * size, size);
    sink(array, 0, left - 1, size, compare);
  }
}

int getc(FILE *stream) { return fgetc(stream); }
int getchar(void) { return fgetc(stdin); }
int putc(int byte, FILE *stream) { return fputc(byte, stream); }
int putchar(int byte) { return fputc(byte, stdout); }

void perror(const char *text) {
  const char *reason = strerror(errno);
  if (text && *text)
    fprintf(stderr, "%s: %s\n", text, reason);
  else
    fprintf(stderr, "%s\n", reason);
}
