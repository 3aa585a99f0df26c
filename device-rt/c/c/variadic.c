// The functions with variable arguments. What they do is done by their relatives that take a va_list (src/format.rs, format.c).

#include <assert.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

int printf(const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  int result = vprintf(format, arguments);
  va_end(arguments);
  return result;
}

int fprintf(FILE *stream, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  int result = vfprintf(stream, format, arguments);
  va_end(arguments);
  return result;
}

int snprintf(char *buffer, size_t size, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  int result = vsnprintf(buffer, size, format, arguments);
  va_end(arguments);
  return result;
}

int sprintf(char *buffer, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  int result = vsprintf(buffer, format, arguments);
  va_end(arguments);
  return result;
}

int vsprintf(char *buffer, const char *format, va_list arguments) {
  return vsnprintf(buffer, (size_t)-1, format, arguments);
}

// One call for the whole line: the lanes that fail may be anywhere.
void __assert_fail(const char *expression, const char *file, unsigned line, const char *function) {
  fprintf(stderr, "%s:%u: %s: assertion failed: %s\n", file, line, function, expression);
  abort();
}
