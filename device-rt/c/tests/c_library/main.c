// What `snprintf` and `scanf` of this library do on texts and formats of all kinds, beside the C library of this machine.

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int ours_vsnprintf(char *buffer, size_t size, const char *format, va_list arguments);
int ours_sscanf(const char *text, const char *format, ...);
int ours_fscanf(FILE *stream, const char *format, ...);

// Where formats go that are the host's affair.
int __device_rt_vsnprintf(char *buffer, size_t size, const char *format, va_list arguments) {
  (void)buffer, (void)size, (void)format, (void)arguments;
  return -77;
}

static int ours_snprintf(char *buffer, size_t size, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  int result = ours_vsnprintf(buffer, size, format, arguments);
  va_end(arguments);
  return result;
}

static unsigned long state = 1;

static unsigned below(unsigned limit) {
  state = state * 6364136223846793005 + 1442695040888963407;
  return (unsigned)(state >> 33) % limit;
}

static unsigned long any_number(void) {
  unsigned long number = (unsigned long)below(1u << 31) << 33 ^ (unsigned long)below(1u << 31) << 11 ^ below(1u << 31);
  switch (below(4)) {
  case 0:
    return number % 100;
  case 1:
    return -(number % 1000);
  case 2:
    return below(3) ? number : 0;
  default:
    return number;
  }
}

// A format with one conversion, its width and precision as arguments where `*width` and `*precision` say so.
static void any_format(char *format, char *conversion, int *stars) {
  char *at = format;
  *conversion = "diuoxXcsp"[below(9)];
  // What C leaves open is not compared: # and 0 for texts, a precision for characters and pointers.
  const char *flags = strchr("csp", *conversion) ? "-+ " : "-+ #0'";
  at += sprintf(at, "<%%");
  for (unsigned count = below(4); count > 0; count--)
    *at++ = flags[below((unsigned)strlen(flags))];
  *stars = 0;
  if (below(2)) {
    *stars |= below(3) ? 0 : 1;
    at += *stars ? sprintf(at, "*") : sprintf(at, "%u", below(40) + 1);
  }
  if (below(2) && !strchr("cp", *conversion)) {
    *stars |= below(3) ? 0 : 2;
    at += *stars & 2 ? sprintf(at, ".*") : below(4) ? sprintf(at, ".%u", below(30)) : sprintf(at, ".");
  }
  const char *lengths[] = {"", "hh", "h", "l", "ll", "j", "z", "t"};
  sprintf(at, "%s%c>%%%%", strchr("csp", *conversion) ? "" : lengths[below(8)], *conversion);
}

static void compare_format(void) {
  char format[64], conversion;
  int stars;
  any_format(format, &conversion, &stars);
  const char *texts[] = {"", "a", "hello world", NULL};
  unsigned long value = conversion == 's' ? (unsigned long)texts[below(4)] : any_number();
  int width = (int)below(60) - 30, precision = (int)below(40) - 10;
  char ours[256], theirs[256];
  memset(ours, 7, sizeof ours);
  memset(theirs, 7, sizeof theirs);
  size_t size = below(4) ? sizeof ours : below(20);
  int our_length, their_length;
  switch (stars) {
  case 0:
    our_length = ours_snprintf(ours, size, format, value);
    their_length = snprintf(theirs, size, format, value);
    break;
  case 1:
    our_length = ours_snprintf(ours, size, format, width, value);
    their_length = snprintf(theirs, size, format, width, value);
    break;
  case 2:
    our_length = ours_snprintf(ours, size, format, precision, value);
    their_length = snprintf(theirs, size, format, precision, value);
    break;
  default:
    our_length = ours_snprintf(ours, size, format, width, precision, value);
    their_length = snprintf(theirs, size, format, width, precision, value);
  }
  if (our_length != their_length || memcmp(ours, theirs, sizeof ours) != 0) {
    printf("%s of %#lx, width %d, precision %d: %d %.*s, not %d %.*s\n", format, value, width, precision, our_length,
           (int)sizeof ours, ours, their_length, (int)sizeof theirs, theirs);
    exit(1);
  }
}

// Numbers of every size, and those in the middle between two texts.
static double any_double(void) {
  static const double special[] = {0.0,    -0.0,    1.0,      9.5,  99.5,   999999.5, 9.9999995e-5, 1e22,
                                   1e23,   5e-324,  0.5,      1.5,  2.5,    0x1.8p-1, 0x1.fffffep3, 1.7976931348623157e308,
                                   1e-310, 2.2250738585072014e-308, __builtin_inf(), -__builtin_inf(), __builtin_nan(""), -__builtin_nan("")};
  unsigned long bits = any_number();
  double number;
  switch (below(5)) {
  case 0:
    memcpy(&number, &bits, sizeof number);
    return number;
  case 1:
    return ((double)below(200000) - 100000) / (1 << below(12));
  case 2:
    number = (double)(int)bits;
    for (unsigned power = below(20), up = below(2); power > 0; power--)
      number = up ? number * 10 : number / 10;
    return number;
  case 3:
    return special[below(sizeof special / sizeof *special)];
  default:
    // Bits at the start only, so that rounding meets ties.
    bits &= ~0ul << (20 + below(40));
    memcpy(&number, &bits, sizeof number);
    return number;
  }
}

// Whether rounding reaches the next power of ten: there the GNU C library 2.36 loses the zeros that # keeps in %g.
static int reaches_a_power_of_ten(double value, int precision) {
  char exact[1200], rounded[1200];
  snprintf(exact, sizeof exact, "%.1100e", value);
  snprintf(rounded, sizeof rounded, "%.*e", precision < 0 ? 5 : precision > 0 ? precision - 1 : 0, value);
  const char *from = strchr(exact, 'e'), *to = strchr(rounded, 'e');
  return from && to && strcmp(from, to) != 0;
}

static void compare_float(void) {
  static char ours[4096], theirs[4096];
  char format[64], *at = format, conversion = "fFeEgGaA"[below(8)];
  at += sprintf(at, "<%%");
  for (unsigned count = below(4); count > 0; count--)
    *at++ = "-+ #0'"[below(6)];
  int width = below(3) ? 0 : (int)below(60), precision = below(3) ? (int)below(below(20) ? 40 : 1200) : -1;
  double value = any_double();
  *at = 0;
  if (strchr(format, '#') && (conversion | 32) == 'g' && reaches_a_power_of_ten(value, precision))
    return;
  // As arguments, a negative width is a flag, and a negative precision is none.
  int stars = (int)below(2);
  if (stars)
    width = below(4) ? width : -width;
  const char *length = below(3) ? "" : "l";
  if (stars)
    sprintf(at, "*.*%s%c>%%d", length, conversion);
  else {
    if (width > 0)
      at += sprintf(at, "%d", width);
    if (precision >= 0)
      at += sprintf(at, ".%d", precision);
    sprintf(at, "%s%c>%%d", length, conversion);
  }
  memset(ours, 7, sizeof ours);
  memset(theirs, 7, sizeof theirs);
  size_t size = below(4) ? sizeof ours : below(40);
  int our_length, their_length;
  if (stars) {
    our_length = ours_snprintf(ours, size, format, width, precision, value, 77);
    their_length = snprintf(theirs, size, format, width, precision, value, 77);
  } else {
    our_length = ours_snprintf(ours, size, format, value, 77);
    their_length = snprintf(theirs, size, format, value, 77);
  }
  if (our_length != their_length || memcmp(ours, theirs, sizeof ours) != 0) {
    printf("%s of %a, width %d, precision %d: %d %.*s, not %d %.*s\n", format, value, width, precision, our_length,
           (int)sizeof ours, ours, their_length, (int)sizeof theirs, theirs);
    exit(1);
  }
}

// The exponents of all doubles, and the widest texts that there are.
static void compare_extremes(void) {
  static char ours[8192], theirs[8192];
  const char *formats[] = {"%f", "%.1074f", "%.0f", "%e", "%.766e", "%.0e", "%g", "%.17g", "%#.800g", "%a", "%.3A", "%.1500f", "%3000.2f"};
  for (int exponent = 0; exponent < 0x7ff; exponent++)
    for (size_t format = 0; format < sizeof formats / sizeof *formats; format++) {
      unsigned long bits = (unsigned long)exponent << 52 | (any_number() & ((1ul << 52) - 1));
      double value;
      memcpy(&value, &bits, sizeof value);
      int our_length = ours_snprintf(ours, sizeof ours, formats[format], value);
      int their_length = snprintf(theirs, sizeof theirs, formats[format], value);
      if (our_length != their_length || strcmp(ours, theirs) != 0) {
        printf("%s of %a: %s, not %s\n", formats[format], value, ours, theirs);
        exit(1);
      }
    }
  // Where a double is all the length that a long one has.
  ours_snprintf(ours, sizeof ours, "%Lf %.1La %d", 1.5, 1.0, 7);
  if (strcmp(ours, "1.500000 0x1.0p+0 7") != 0) {
    printf("long doubles: %s\n", ours);
    exit(1);
  }
}

static void leave_to_the_host(const char *format) {
  char buffer[8] = "kept";
  if (ours_snprintf(buffer, sizeof buffer, format, 1) != -77 || strcmp(buffer, "kept") != 0) {
    printf("%s is not left to the host\n", format);
    exit(1);
  }
}

// What a directive stores.
union value {
  long integer;
  double number;
  char text[64];
};

static void compare_scan(const char *text, const char *format) {
  union value ours[4], theirs[4];
  memset(ours, 7, sizeof ours);
  memset(theirs, 7, sizeof theirs);
  int our_count = ours_sscanf(text, format, &ours[0], &ours[1], &ours[2], &ours[3]);
  int their_count = sscanf(text, format, &theirs[0], &theirs[1], &theirs[2], &theirs[3]);
  if (our_count != their_count || memcmp(ours, theirs, sizeof ours) != 0) {
    printf("\"%s\" by \"%s\": %d values, not %d\n", text, format, our_count, their_count);
    exit(1);
  }
}

static void compare_scans(void) {
  const char *texts[] = {
      "",        "  ",   "12 34", "-12abc", "0x1f 077", "+5",    "- 5",     "1.5x",    "inf nan", "infinity", "nan(1)",
      "abc def", "a,b,", "%5",    "99%",    "0x1.8p3",  "  x y", "1234567", "abc123",  "-0x10",   "1.2.3",    ".",
      "007",     "08",   "+",     "\t\n9",  "1,2,3",    "a]b",   "1 2 3 4", "word:42", "(nil)",   "e5",       "-.5e-3 7",
  };
  const char *formats[] = {
      "%d",     "%d %d",   "%i %i",    "%u",       "%x %x",         "%o",       "%ld",        "%hhd%hd", "%f",
      "%lf",    "%lf %lf", "%s",       "%s %s",    "%c",            "%1c%2c",   "%*d%d",      "%2d%2d",  "%5s",
      "%[a-c]", "%[]a]",   "%d%%",     "%d,%d,%d", "%n",            "%s%n",     "%*s%n",      "%1d%n",   "x%d",
      "%s:%d",  "%[^:]:%d", "%[^,],%s", "%p",       "%[0-9]%[a-z]", "%3[a-z]%c", " %c %c",    "%zu",     "%lld",
      "%*c%c",  "%e",      "%jx",      "%[%d]",
  };
  for (size_t text = 0; text < sizeof texts / sizeof *texts; text++)
    for (size_t format = 0; format < sizeof formats / sizeof *formats; format++) {
      // Fewer bytes than %2c asks for are a match to the GNU C library, though not to C.
      if (strcmp(formats[format], "%1c%2c") != 0 || strlen(texts[text]) != 2)
        compare_scan(texts[text], formats[format]);
    }
}

static void check(int holds, const char *what) {
  if (!holds) {
    printf("not so: %s\n", what);
    exit(1);
  }
}

// Where the GNU C library has rules of its own.
static void scan_by_the_rules_of_c(void) {
  double number = 1;
  int integer = 1;
  char text[8] = "";
  check(ours_sscanf("12.345", "%4lf%d", &number, &integer) == 2 && number == 12.3 && integer == 45, "a number of four bytes");
  check(ours_sscanf("1e5", "%2lf", &number) == 0, "half an exponent");
  number = integer = 1;
  // The standard's own example: "100ergs" is no number, and "100e" is gone.
  check(ours_sscanf("100ergs", "%lf", &number) == 0 && number == 1, "100ergs is no number");
  check(ours_sscanf("100ergs", "%*lf%s", text) == 0, "nor where it is not kept");
  check(ours_sscanf("0xg", "%x", &integer) == 0 && integer == 1, "0xg is no number");
  check(ours_sscanf("ab", "%3c", text) == EOF, "two bytes are not three");
}

static void scan_a_stream(void) {
  FILE *file = tmpfile();
  check(file && fputs("12 0x1f end\nx", file) >= 0, "a file");
  rewind(file);
  int first = 0, second = 0;
  char word[8] = "";
  check(ours_fscanf(file, "%d %i %7[a-z]", &first, &second, word) == 3, "three values");
  check(first == 12 && second == 31 && strcmp(word, "end") == 0, "the values");
  check(fgetc(file) == '\n', "nothing more is read than was asked for");
  check(ours_fscanf(file, "%d", &first) == 0 && fgetc(file) == 'x', "what differs stays");
  check(ours_fscanf(file, "%d", &first) == EOF, "the end");
  fclose(file);
}

int main(void) {
  for (int count = 0; count < 200000; count++)
    compare_format();
  for (int count = 0; count < 200000; count++)
    compare_float();
  compare_extremes();
  const char *others[] = {"%d %n", "%ls", "%lc", "%1$d", "%Ld", "%w32d", "%", "%5", "%y", "%5%", "%9999999d", "%hf", "%llf", "%Ls"};
  for (size_t at = 0; at < sizeof others / sizeof *others; at++)
    leave_to_the_host(others[at]);
  compare_scans();
  scan_by_the_rules_of_c();
  scan_a_stream();
  return 0;
}
