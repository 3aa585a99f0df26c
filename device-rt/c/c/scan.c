// The scanf family. From a stream each byte is a call to the host: nothing is read ahead that another function or thread might want.

#include <ctype.h>
#include <limits.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// Where the bytes come from: a text, or a stream where there is none.
struct input {
  const char *text;
  FILE *stream;
  size_t taken;
};

// How a conversion ended: with a value, with something else in the input, or at its end.
enum outcome { MATCHED, DIFFERENT, ENDED };

static int take(struct input *input) {
  int byte = input->text ? (unsigned char)*input->text : fgetc(input->stream);
  if (input->text)
    byte = byte == 0 ? EOF : (input->text++, byte);
  input->taken += byte != EOF;
  return byte;
}

static void put_back(struct input *input, int byte) {
  if (byte == EOF)
    return;
  input->taken--;
  if (input->text)
    input->text--;
  else
    ungetc(byte, input->stream);
}

static void skip_spaces(struct input *input) {
  int byte;
  do
    byte = take(input);
  while (byte != EOF && isspace(byte));
  put_back(input, byte);
}

// Takes the next byte of a field of so many, or EOF behind its end.
static int take_within(struct input *input, size_t *width) {
  if (*width == 0)
    return EOF;
  --*width;
  return take(input);
}

// An integer with its sign, modulo two to the 64.
static enum outcome scan_integer(struct input *input, size_t width, unsigned base, unsigned long *value) {
  int byte = take_within(input, &width);
  if (byte == EOF)
    return ENDED;
  bool negative = byte == '-', any = false;
  if (byte == '-' || byte == '+')
    byte = take_within(input, &width);
  if (byte == '0' && (base == 0 || base == 16)) {
    any = true;
    byte = take_within(input, &width);
    if (byte == 'x' || byte == 'X') {
      // C: what is no number, but how one starts, is taken all the same.
      any = false;
      base = 16;
      byte = take_within(input, &width);
    } else if (base == 0) {
      base = 8;
    }
  }
  if (base == 0)
    base = 10;
  *value = 0;
  for (;; byte = take_within(input, &width)) {
    unsigned digit = isdigit(byte) ? byte - '0' : isalpha(byte) ? (byte | 32) - 'a' + 10 : base;
    if (byte == EOF || digit >= base)
      break;
    *value = *value * base + digit;
    any = true;
  }
  put_back(input, byte);
  if (negative)
    *value = -*value;
  return any ? MATCHED : DIFFERENT;
}

// An address as `%p` prints it.
static enum outcome scan_pointer(struct input *input, size_t width, unsigned long *value) {
  int byte = take(input);
  put_back(input, byte);
  if (byte != '(')
    return scan_integer(input, width, 16, value);
  *value = 0;
  for (const char *rest = "(nil)"; *rest; rest++) {
    byte = take_within(input, &width);
    if (byte != *rest) {
      put_back(input, byte);
      return DIFFERENT;
    }
  }
  return MATCHED;
}

// The longest number in characters.
enum { LONGEST = 127 };

// Takes the longest start of what `strtod` reads into `text`; C has it that a start without a whole number is no match.
static enum outcome scan_float(struct input *input, size_t width, char text[LONGEST + 1]) {
  if (width > LONGEST)
    width = LONGEST;
  size_t length = 0;
  int byte = take_within(input, &width);
  if (byte == EOF)
    return ENDED;
  if (byte == '-' || byte == '+') {
    text[length++] = (char)byte;
    byte = take_within(input, &width);
  }
  const char *word = byte == 'i' || byte == 'I' ? "infinity" : byte == 'n' || byte == 'N' ? "nan" : "";
  bool hexadecimal = false, point = false, digits = false, exponent = false;
  for (size_t start = length; byte != EOF; byte = take_within(input, &width)) {
    int small = tolower(byte);
    char before = length > start ? (char)tolower(text[length - 1]) : 0;
    if (*word) {
      if (length - start >= strlen(word) || small != word[length - start])
        break;
    } else if (exponent && (small == '-' || small == '+')) {
      if (before != (hexadecimal ? 'p' : 'e'))
        break;
    } else if (hexadecimal && !exponent ? isxdigit(byte) : isdigit(byte)) {
      digits = true;
    } else if (small == '.' && !point && !exponent) {
      point = true;
    } else if (small == 'x' && length == start + 1 && before == '0') {
      hexadecimal = true;
      digits = false;
    } else if (small == (hexadecimal ? 'p' : 'e') && digits && !exponent) {
      exponent = true;
    } else {
      break;
    }
    text[length++] = (char)byte;
  }
  put_back(input, byte);
  text[length] = 0;
  char *end;
  strtod(text, &end);
  return length > 0 && end == text + length ? MATCHED : DIFFERENT;
}

// A set of bytes, a bit for each.
struct set {
  unsigned char bits[(UCHAR_MAX + 1) / CHAR_BIT];
};

static void add(struct set *set, unsigned byte) { set->bits[byte / CHAR_BIT] |= 1 << byte % CHAR_BIT; }

static bool has(const struct set *set, unsigned byte) { return set->bits[byte / CHAR_BIT] >> byte % CHAR_BIT & 1; }

// Reads the set of a `%[` from behind the bracket; returns what follows the closing one, or the format's end.
static const char *read_set(const char *format, struct set *set) {
  memset(set, 0, sizeof *set);
  bool except = *format == '^';
  format += except;
  // A closing bracket that comes first is one of the set.
  for (const char *first = format; *format && (*format != ']' || format == first); format++) {
    unsigned from = (unsigned char)*format, to = from;
    if (format[1] == '-' && format[2] && format[2] != ']') {
      to = (unsigned char)format[2];
      format += 2;
    }
    for (unsigned byte = from; byte <= to; byte++)
      add(set, byte);
  }
  for (size_t at = 0; except && at < sizeof set->bits; at++)
    set->bits[at] = ~set->bits[at];
  return *format ? format + 1 : format;
}

// Bytes of a set; `to` may be null.
static enum outcome scan_text(struct input *input, size_t width, const struct set *set, char *to) {
  size_t length = 0;
  int byte = take_within(input, &width);
  if (byte == EOF)
    return ENDED;
  for (; byte != EOF && has(set, (unsigned)byte); byte = take_within(input, &width), length++)
    if (to)
      to[length] = (char)byte;
  put_back(input, byte);
  if (length == 0)
    return DIFFERENT;
  if (to)
    to[length] = 0;
  return MATCHED;
}

// Exactly so many bytes, whatever they are.
static enum outcome scan_bytes(struct input *input, size_t count, char *to) {
  for (size_t at = 0; at < count; at++) {
    int byte = take(input);
    if (byte == EOF)
      return ENDED;
    if (to)
      to[at] = (char)byte;
  }
  return MATCHED;
}

// What stands behind a `%`.
struct directive {
  bool keep;
  size_t width;
  // Of what a number is stored as.
  size_t size;
  char conversion;
  struct set set;
};

// Reads a directive from behind its `%`; returns what follows.
static const char *read_directive(const char *format, struct directive *directive) {
  directive->keep = *format != '*';
  format += !directive->keep;
  bool any_width = !isdigit((unsigned char)*format);
  directive->width = any_width ? SIZE_MAX : 0;
  for (; isdigit((unsigned char)*format); format++)
    directive->width = directive->width * 10 + (size_t)(*format - '0');

  directive->size = sizeof(int);
  if (*format == 'h') {
    directive->size = format[1] == 'h' ? sizeof(char) : sizeof(short);
    format += format[1] == 'h' ? 2 : 1;
  } else if (*format && strchr("ljztqL", *format)) {
    directive->size = sizeof(long);
    format += format[0] == 'l' && format[1] == 'l' ? 2 : 1;
  }

  directive->conversion = *format;
  format += *format != 0;
  switch (directive->conversion) {
  case 'p':
    directive->size = sizeof(void *);
    break;
  case 'c':
    if (any_width)
      directive->width = 1;
    break;
  case 's':
    read_set("^ \t\n\v\f\r]", &directive->set);
    break;
  case '[':
    format = read_set(format, &directive->set);
    break;
  }
  return format;
}

// Takes what a directive describes, and puts it where `to` leads, which may be nowhere.
static enum outcome convert(struct input *input, const struct directive *directive, void *to) {
  unsigned base = 0;
  switch (directive->conversion) {
  case 'd':
  case 'u':
    base = 10;
    break;
  case 'o':
    base = 8;
    break;
  case 'x':
  case 'X':
    base = 16;
    break;
  case 'i':
  case 'p':
    break;
  case 'a':
  case 'A':
  case 'e':
  case 'E':
  case 'f':
  case 'F':
  case 'g':
  case 'G': {
    char text[LONGEST + 1];
    enum outcome outcome = scan_float(input, directive->width, text);
    if (outcome != MATCHED || !to)
      return outcome;
    if (directive->size == sizeof(long))
      *(double *)to = strtod(text, NULL);
    else
      *(float *)to = strtof(text, NULL);
    return MATCHED;
  }
  case 'c':
    return scan_bytes(input, directive->width, to);
  case 's':
  case '[':
    return scan_text(input, directive->width, &directive->set, to);
  case 'n':
    if (to)
      memcpy(to, &input->taken, directive->size);
    return MATCHED;
  default:
    return DIFFERENT;
  }
  unsigned long value;
  enum outcome outcome = directive->conversion == 'p' ? scan_pointer(input, directive->width, &value)
                                                     : scan_integer(input, directive->width, base, &value);
  // Both targets are little-endian: the bytes that come first are those that are left of a shorter number.
  if (outcome == MATCHED && to)
    memcpy(to, &value, directive->size);
  return outcome;
}

static int scan(struct input *input, const char *format, va_list arguments) {
  int assigned = 0;
  while (*format) {
    enum outcome outcome = MATCHED;
    if (isspace((unsigned char)*format)) {
      skip_spaces(input);
      format++;
    } else if (*format != '%' || format[1] == '%') {
      if (*format == '%') {
        skip_spaces(input);
        format++;
      }
      int byte = take(input);
      if (byte != (unsigned char)*format++) {
        put_back(input, byte);
        outcome = byte == EOF ? ENDED : DIFFERENT;
      }
    } else {
      struct directive directive;
      format = read_directive(format + 1, &directive);
      if (!strchr("[cn", directive.conversion))
        skip_spaces(input);
      outcome = convert(input, &directive, directive.keep ? va_arg(arguments, void *) : NULL);
      assigned += outcome == MATCHED && directive.keep && directive.conversion != 'n';
    }
    if (outcome != MATCHED)
      return outcome == ENDED && assigned == 0 ? EOF : assigned;
  }
  return assigned;
}

int vsscanf(const char *text, const char *format, va_list arguments) {
  struct input input = {.text = text};
  return scan(&input, format, arguments);
}

int vfscanf(FILE *stream, const char *format, va_list arguments) {
  struct input input = {.stream = stream};
  return scan(&input, format, arguments);
}

int vscanf(const char *format, va_list arguments) { return vfscanf(stdin, format, arguments); }

int sscanf(const char *text, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  int result = vsscanf(text, format, arguments);
  va_end(arguments);
  return result;
}

int fscanf(FILE *stream, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  int result = vfscanf(stream, format, arguments);
  va_end(arguments);
  return result;
}

int scanf(const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  int result = vscanf(format, arguments);
  va_end(arguments);
  return result;
}
