// The names under which a test compiles this library's functions beside those of the C library of this machine.

#include <stdarg.h>
#include <stdio.h>

#define vsnprintf ours_vsnprintf
#define vsscanf ours_vsscanf
#define vfscanf ours_vfscanf
#define vscanf ours_vscanf
#define sscanf ours_sscanf
#define fscanf ours_fscanf
#define scanf ours_scanf

int vsnprintf(char *buffer, size_t size, const char *format, va_list arguments);
int vsscanf(const char *text, const char *format, va_list arguments);
int vfscanf(FILE *stream, const char *format, va_list arguments);
int vscanf(const char *format, va_list arguments);
