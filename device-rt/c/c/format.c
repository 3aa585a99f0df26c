// `snprintf` and its relatives. A format becomes text here, whatever the host. One with a rare length (`%w32d`) and one that is refused go
// to the host as a whole, so that there is one place which says what is wrong.

#include <limits.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>

#include "format.h"

int __device_rt_vsnprintf(char *buffer, size_t size, const char *format, va_list arguments);

// The largest width or precision, as for the host.
enum { MOST = 1 << 20 };

// Reads a width or precision, or returns NULL where it is too large.
static const char *read_count(const char *at, long *count) {
  if (*at == '*') {
    *count = ARGUMENT;
    return at + 1;
  }
  for (; *at >= '0' && *at <= '9'; at++) {
    *count = (*count == NONE ? 0 : *count * 10) + (*at - '0');
    if (*count > MOST)
      return NULL;
  }
  return at;
}

// Reads a directive from behind its `%`; returns what follows, or NULL where it is one for the host.
static const char *read_directive(const char *at, struct directive *directive) {
  struct directive read = {.width = NONE, .precision = NONE, .bits = 32};
  for (; *at && strchr("-+ #0'", *at); at++) {
    read.left |= *at == '-';
    read.plus |= *at == '+';
    read.space |= *at == ' ';
    read.alternate |= *at == '#';
    read.zero |= *at == '0';
  }
  at = read_count(at, &read.width);
  if (at && *at == '.') {
    at = read_count(at + 1, &read.precision);
    if (read.precision == NONE)
      read.precision = 0;
  }
  if (!at)
    return NULL;
  const char *modifier = at;
  if (*at == 'h') {
    read.bits = at[1] == 'h' ? 8 : 16;
    at += read.bits == 8 ? 2 : 1;
  } else if (*at == 'l' || *at == 'j' || *at == 'z' || *at == 't') {
    read.bits = 64;
    at += at[0] == 'l' && at[1] == 'l' ? 2 : 1;
  } else if (*at == 'L') {
    at++;
  }
  // `%ls` is a wide string. A `long double` is a double, for which `l` says nothing.
  const char *conversions = "diuoxXbB";
  if (at == modifier)
    conversions = "diuoxXbBcspfFeEgGaA";
  else if (*modifier == 'L')
    conversions = "fFeEgGaA";
  else if (*modifier == 'l' && at == modifier + 1)
    conversions = "diuoxXbBfFeEgGaA";
  if (!*at || !strchr(conversions, *at))
    return NULL;
  read.conversion = *at;
  *directive = read;
  return at + 1;
}

static bool is_for_the_host(const char *format) {
  struct directive directive;
  while (*format) {
    if (*format++ != '%')
      continue;
    format = *format == '%' ? format + 1 : read_directive(format, &directive);
    if (!format)
      return true;
  }
  return false;
}

void __device_rt_put_padded(struct text *text, const struct directive *directive, const char *bytes, size_t count) {
  size_t padding = directive->width > (long)count ? (size_t)directive->width - count : 0;
  fill(text, ' ', directive->left ? 0 : padding);
  put(text, bytes, count);
  fill(text, ' ', directive->left ? padding : 0);
}

size_t __device_rt_start_number(struct text *text, const struct directive *directive, const char *prefix, size_t count,
                                bool with_zeros) {
  size_t all = strlen(prefix) + count;
  size_t padding = directive->width > (long)all ? (size_t)directive->width - all : 0;
  with_zeros = with_zeros && directive->zero && !directive->left;
  fill(text, ' ', directive->left || with_zeros ? 0 : padding);
  put(text, prefix, strlen(prefix));
  fill(text, '0', with_zeros ? padding : 0);
  return directive->left ? padding : 0;
}

// The digits of a number behind sign or base, with the zeros that precision or width ask for.
static void put_number(struct text *text, const struct directive *directive, const char *prefix, unsigned long value,
                       unsigned base) {
  const char *letters = directive->conversion == 'X' ? "0123456789ABCDEF" : "0123456789abcdef";
  char buffer[64], *end = buffer + sizeof buffer, *digits = end;
  // C: zero with a precision of zero is no characters.
  for (; value > 0 || (digits == end && directive->precision != 0); value /= base)
    *--digits = letters[value % base];
  size_t count = (size_t)(end - digits);
  size_t zeros = directive->precision > (long)count ? (size_t)directive->precision - count : 0;
  // C: `#` adds a zero to an octal number that does not start with one.
  if (directive->conversion == 'o' && directive->alternate && zeros == 0 && (count == 0 || *digits != '0'))
    zeros = 1;
  // C: a precision turns the flag 0 off.
  size_t after = __device_rt_start_number(text, directive, prefix, zeros + count, directive->precision == NONE);
  fill(text, '0', zeros);
  put(text, digits, count);
  fill(text, ' ', after);
}

static void put_signed(struct text *text, const struct directive *directive, long value) {
  put_number(text, directive, sign_of(directive, value < 0), value < 0 ? -(unsigned long)value : (unsigned long)value, 10);
}

static void put_unsigned(struct text *text, const struct directive *directive, unsigned long value) {
  const char *prefix = "";
  unsigned base = 10;
  switch (directive->conversion) {
  case 'o':
    base = 8;
    break;
  case 'x':
    prefix = "0x", base = 16;
    break;
  case 'X':
    prefix = "0X", base = 16;
    break;
  case 'b':
    prefix = "0b", base = 2;
    break;
  case 'B':
    prefix = "0B", base = 2;
    break;
  }
  put_number(text, directive, directive->alternate && value != 0 ? prefix : "", value, base);
}

static void put_string(struct text *text, const struct directive *directive, const char *string) {
  size_t limit = directive->precision == NONE ? SIZE_MAX : (size_t)directive->precision;
  // All of it or nothing, as the GNU C library has it.
  if (!string)
    string = limit < strlen("(null)") ? "" : "(null)";
  __device_rt_put_padded(text, directive, string, strnlen(string, limit));
}

static void put_pointer(struct text *text, const struct directive *directive, const void *pointer) {
  const char *prefix = directive->plus ? "+0x" : directive->space ? " 0x" : "0x";
  if (pointer)
    put_number(text, directive, prefix, (unsigned long)pointer, 16);
  else
    __device_rt_put_padded(text, directive, "(nil)", strlen("(nil)"));
}

int vsnprintf(char *buffer, size_t size, const char *format, va_list arguments) {
  if (is_for_the_host(format))
    return __device_rt_vsnprintf(buffer, size, format, arguments);
  struct text text = {buffer, size > 0 ? size - 1 : 0, 0};
  while (*format) {
    size_t literal = strcspn(format, "%");
    put(&text, format, literal);
    format += literal;
    if (!*format)
      break;
    if (format[1] == '%') {
      put(&text, "%", 1);
      format += 2;
      continue;
    }
    struct directive directive;
    format = read_directive(format + 1, &directive);
    if (directive.width == ARGUMENT) {
      directive.width = va_arg(arguments, int);
      // C: a negative width is a `-` and a width.
      directive.left |= directive.width < 0;
      directive.width = directive.width < 0 ? -directive.width : directive.width;
    }
    if (directive.precision == ARGUMENT) {
      directive.precision = va_arg(arguments, int);
      // C: a negative precision is none.
      if (directive.precision < 0)
        directive.precision = NONE;
    }
    switch (directive.conversion) {
    case 'c': {
      char byte = (char)va_arg(arguments, int);
      __device_rt_put_padded(&text, &directive, &byte, 1);
      break;
    }
    case 's':
      put_string(&text, &directive, va_arg(arguments, const char *));
      break;
    case 'p':
      put_pointer(&text, &directive, va_arg(arguments, const void *));
      break;
    case 'f':
    case 'F':
    case 'e':
    case 'E':
    case 'g':
    case 'G':
    case 'a':
    case 'A':
      __device_rt_put_float(&text, &directive, va_arg(arguments, double));
      break;
    case 'd':
    case 'i': {
      long value = directive.bits == 64 ? va_arg(arguments, long) : va_arg(arguments, int);
      value = directive.bits == 8 ? (signed char)value : directive.bits == 16 ? (short)value : value;
      put_signed(&text, &directive, value);
      break;
    }
    default: {
      unsigned long value = directive.bits == 64 ? va_arg(arguments, unsigned long) : va_arg(arguments, unsigned);
      put_unsigned(&text, &directive, directive.bits == 64 ? value : value & ((1ul << directive.bits) - 1));
    }
    }
  }
  if (size > 0)
    buffer[text.length < text.room ? text.length : text.room] = 0;
  return text.length > INT_MAX ? -1 : (int)text.length;
}
