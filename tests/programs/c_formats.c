// Every conversion of printf with flags, widths, precisions and lengths. Compiled for the host's own C library it prints the same: that
// is where c_formats.out comes from.

#include <inttypes.h>
#include <limits.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

// Takes `skip` ints off the list before it passes it on, so that the rest starts anywhere.
static int skipping(int skip, const char *format, ...) {
  va_list list;
  va_start(list, format);
  for (int at = 0; at < skip; at++)
    (void)va_arg(list, int);
  int result = vprintf(format, list);
  va_end(list);
  return result;
}

// To a stream, and into memory that nobody has measured.
static int to(FILE *stream, const char *format, ...) {
  va_list list;
  va_start(list, format);
  int result = vfprintf(stream, format, list);
  va_end(list);
  return result;
}

static int unmeasured(char *buffer, const char *format, ...) {
  va_list list;
  va_start(list, format);
  int result = vsprintf(buffer, format, list);
  va_end(list);
  return result;
}

// The same into memory.
static int into(char *buffer, size_t size, const char *format, ...) {
  va_list list;
  va_start(list, format);
  int result = vsnprintf(buffer, size, format, list);
  va_end(list);
  return result;
}

int main(void) {
  volatile double nan = __builtin_nan(""), inf = __builtin_inf();
  const char *volatile nothing = NULL;
  void *volatile null = NULL;
  int count = 0;

  count += printf("integers %d %i %u %x %X %o %c %%\n", -42, 42, 42u, 0xbeefu, 0xbeefu, 0755u, 'x');
  count += printf("flags [%5d] [%-5d] [%05d] [%+d] [% d] [%#x] [%#o] [%+05d]\n", 42, 42, 42, 42, 42, 42u, 42u, 42);
  count += printf("precision [%.3d] [%8.3d] [%-8.3d] [%.0d] [%.10s] [%.2s] [%8.2s]\n", 7, 7, 7, 0, "short", "cut", "cut");
  count += printf("stars [%*d] [%-*d] [%.*f] [%*.*f] [%*d]\n", 6, 1, 6, 2, 2, 3.14159, 9, 3, 2.71828, -6, 3);
  count += printf("lengths %hhd %hd %ld %lld %jd %zd %td\n", (signed char)-1, (short)-2, -3l, -4ll, (intmax_t)-5,
                  (size_t)6, (ptrdiff_t)-7);
  count += printf("unsigned %hhu %hu %lu %llu %ju %zu\n", (unsigned char)255, (unsigned short)65535, ULONG_MAX, ULLONG_MAX,
                  (uintmax_t)1, (size_t)2);
  count += printf("limits %d %d %ld %ld %" PRIu64 " %" PRIx32 "\n", INT_MIN, INT_MAX, LONG_MIN, LONG_MAX, UINT64_MAX,
                  UINT32_MAX);
  count += printf("floats %f %.0f %.10f %e %.3E %g %G %a\n", 3.25, 2.5, 0.1, 12345.678, 0.00012, 1e-5, 1e20, 1.0);
  count += printf("special [%f] [%F] [%5.1f] [%e] [%+g] [%-8g] [%08.2f]\n", nan, inf, -inf, -0.0, 1.5, 1.5, -1.5);
  count += printf("mixed %d %f %s %ld %c %g %s\n", 1, 2.5, "three", 4l, '5', 6.0, "seven");
  count += printf("null %.3s|%s|%p\n", nothing, nothing, null);
  count += printf("a string of more than fifty-six bytes travels in more than one packet: %s\n",
                  "0123456789012345678901234567890123456789012345678901234567890123456789");
  count += printf("none\n");
  count += skipping(1, "skipped %d %f %s\n", 0, 1, 2.5, "text");
  count += skipping(1, "skipped %f %d %s\n", 0, 2.5, 1, "text");
  count += skipping(2, "skipped %f %d %s\n", 0, 0, 2.5, 1, "text");
  count += skipping(3, "skipped %d %d %lld %s\n", 0, 0, 0, 1, 2, 3ll, "text");
  count += fprintf(stdout, "to a stream: %s %d\n", "yes", 1);
  printf("%d bytes\n", count);

  char buffer[64];
  volatile size_t eight = 8;
  int length = snprintf(buffer, sizeof buffer, "%s and %d", "text", 42);
  printf("[%s] %d %zu\n", buffer, length, strlen(buffer));
  length = snprintf(buffer, eight, "%s", "longer than eight");
  printf("[%s] %d\n", buffer, length);
  buffer[0] = 'x';
  length = snprintf(buffer, eight - 8, "%d", 12345);
  printf("[%c] %d\n", buffer[0], length);
  length = snprintf(NULL, 0, "%f", 1.0);
  printf("%d\n", length);
  length = snprintf(buffer, eight - 7, "%d", 12345);
  printf("[%s] %d\n", buffer, length);
  length = sprintf(buffer, "%s-%s-%s", "three", "strings", "here");
  printf("[%s] %d\n", buffer, length);
  length = into(buffer, sizeof buffer, "%d %s %.2f", 1, "two", 3.0);
  printf("[%s] %d\n", buffer, length);

  // Into memory the device formats by itself.
  char large[200];
  length = snprintf(large, sizeof large, "[%5d] [%-5d] [%05d] [%+d] [% d] [%#x] [%#o] [%.3d] [%8.3d] [%.0d] %c%%", 42, 42, 42,
                    42, 42, 42u, 42u, 7, -7, 0, 'x');
  printf("%s %d\n", large, length);
  length = snprintf(large, sizeof large, "[%*d] [%-*d] [%.*d] [%*d] [%10s] [%-10s] [%.2s] [%.*s] [%c] [%3c]", 6, 1, 6, 2, 4, 3,
                    -6, 3, "right", "left", "cut", 2, "cut", 'a', 'b');
  printf("%s %d\n", large, length);
  length = snprintf(large, sizeof large, "%hhd %hd %ld %lld %jd %zd %td %hhu %hu %lu %llx %zX", (signed char)-1, (short)-2, LONG_MIN,
                    LLONG_MAX, (intmax_t)-5, (size_t)6, (ptrdiff_t)-7, (unsigned char)255, (unsigned short)65535, ULONG_MAX,
                    ULLONG_MAX, (size_t)0xbeef);
  printf("%s %d\n", large, length);
  length = snprintf(large, sizeof large, "%d %s %ld %c %s|%s|%.3s|%p", INT_MIN, "mixed", 4l, '5', "seven", nothing, nothing, null);
  printf("%s %d\n", large, length);
  length = into(large, sizeof large, "%d %s %lld %c %ld", 1, "two", 3ll, '4', 5l);
  printf("%s %d\n", large, length);
  length = snprintf(large, eight, "%p", (void *)0xbeef0001);
  printf("%s %d\n", large, length);
  length = snprintf(large, sizeof large, "%f %.0f %.10f %e %.3E %g %G %a %.2A %lf", 3.25, 2.5, 0.1, 12345.678, 0.00012, 1e-5, 1e20, 1.0,
                    0.1, -0.5);
  printf("%s %d\n", large, length);
  length = snprintf(large, sizeof large, "[%f] [%F] [%5.1f] [%e] [%+g] [%-8g] [%08.2f] [%#.0f] [%#g] [% .3f]", nan, inf, -inf, -0.0, 1.5,
                    1.5, -1.5, 3.0, 1.0, 9.9995);
  printf("%s %d\n", large, length);
  length = snprintf(large, sizeof large, "%.17g %.17g %.20e %.3g", 1.7976931348623157e308, 5e-324, 2.2250738585072014e-308, 999999.0);
  printf("%s %d\n", large, length);
  length = into(large, sizeof large, "%d %f %s %.*f %ld %*.*e|", 1, 2.5, "three", 2, 3.14159, 4l, -12, 3, 2.71828);
  printf("%s %d\n", large, length);
  length = unmeasured(large, "%d %.1f %s", 1, 2.25, "end");
  printf("%s %d\n", large, length);
  // A length of C23's or of the GNU C library's, which the host knows.
  length = into(large, sizeof large, "%Ld %s %.1f", 5ll, "by the host", 2.5);
  printf("%s %d\n", large, length);
  putchar('<');
  putc('-', stdout);
  printf(" %d\n", to(stdout, "%s %.1f", "listed", 0.25));
  return 0;
}
