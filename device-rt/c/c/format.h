// What the parts of `snprintf` share: a directive, and the text that it becomes.
#ifndef DEVICE_RT_FORMAT_H
#define DEVICE_RT_FORMAT_H

#include <stdbool.h>
#include <stddef.h>
#include <string.h>

// A width or precision that is not there, or that is an argument.
enum { NONE = -1, ARGUMENT = -2 };

struct directive {
  bool left, plus, space, alternate, zero;
  long width, precision;
  // Of an integer argument: 8, 16, 32 or 64.
  int bits;
  char conversion;
};

// The text, of which only so much is kept as there is room for.
struct text {
  char *to;
  size_t room, length;
};

static inline void put(struct text *text, const char *bytes, size_t count) {
  for (size_t at = 0; at < count && text->length + at < text->room; at++)
    text->to[text->length + at] = bytes[at];
  text->length += count;
}

static inline void fill(struct text *text, char byte, size_t count) {
  for (size_t at = 0; at < count && text->length + at < text->room; at++)
    text->to[text->length + at] = byte;
  text->length += count;
}

static inline const char *sign_of(const struct directive *directive, bool negative) {
  return negative ? "-" : directive->plus ? "+" : directive->space ? " " : "";
}

// A text with spaces around it.
void __device_rt_put_padded(struct text *text, const struct directive *directive, const char *bytes, size_t count);

// What comes before the digits of a number, which has `count` characters behind its prefix: spaces, prefix, zeros. Returns how many spaces
// come after them.
size_t __device_rt_start_number(struct text *text, const struct directive *directive, const char *prefix, size_t count,
                                bool with_zeros);

// `%f %e %g %a` and their capitals.
void __device_rt_put_float(struct text *text, const struct directive *directive, double value);

#endif
