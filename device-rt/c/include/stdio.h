// Streams and formatted output. Files, buffers and formatting are the host's.
#ifndef DEVICE_RT_STDIO_H
#define DEVICE_RT_STDIO_H

#include <bits/device_rt.h>
#include <stdarg.h>

DEVICE_RT_BEGIN

typedef struct FILE FILE;

// The numbers that the host gives its standard streams.
#define stdin ((FILE *)1)
#define stdout ((FILE *)2)
#define stderr ((FILE *)3)

#define EOF (-1)
#define SEEK_SET 0
#define SEEK_CUR 1
#define SEEK_END 2
#define BUFSIZ 4096
#define FILENAME_MAX 4096
#define FOPEN_MAX 4096

int printf(const char *DEVICE_RT_RESTRICT format, ...) __attribute__((format(printf, 1, 2)));
int fprintf(FILE *stream, const char *DEVICE_RT_RESTRICT format, ...) __attribute__((format(printf, 2, 3)));
int sprintf(char *buffer, const char *DEVICE_RT_RESTRICT format, ...) __attribute__((format(printf, 2, 3)));
int snprintf(char *buffer, size_t size, const char *DEVICE_RT_RESTRICT format, ...)
    __attribute__((format(printf, 3, 4)));
int vprintf(const char *format, va_list arguments) __attribute__((format(printf, 1, 0)));
int vfprintf(FILE *stream, const char *format, va_list arguments) __attribute__((format(printf, 2, 0)));
int vsprintf(char *buffer, const char *format, va_list arguments) __attribute__((format(printf, 2, 0)));
int vsnprintf(char *buffer, size_t size, const char *format, va_list arguments) __attribute__((format(printf, 3, 0)));

int scanf(const char *DEVICE_RT_RESTRICT format, ...) __attribute__((format(scanf, 1, 2)));
int fscanf(FILE *stream, const char *DEVICE_RT_RESTRICT format, ...) __attribute__((format(scanf, 2, 3)));
int sscanf(const char *text, const char *DEVICE_RT_RESTRICT format, ...) __attribute__((format(scanf, 2, 3)));
int vscanf(const char *format, va_list arguments) __attribute__((format(scanf, 1, 0)));
int vfscanf(FILE *stream, const char *format, va_list arguments) __attribute__((format(scanf, 2, 0)));
int vsscanf(const char *text, const char *format, va_list arguments) __attribute__((format(scanf, 2, 0)));

int puts(const char *text);
int fputs(const char *text, FILE *stream);
int fputc(int byte, FILE *stream);
int putc(int byte, FILE *stream);
int putchar(int byte);
size_t fwrite(const void *from, size_t size, size_t count, FILE *stream);

size_t fread(void *to, size_t size, size_t count, FILE *stream);
char *fgets(char *line, int size, FILE *stream);
int fgetc(FILE *stream);
int getc(FILE *stream);
int getchar(void);
int ungetc(int byte, FILE *stream);

FILE *fopen(const char *path, const char *mode);
int fclose(FILE *stream);
int fflush(FILE *stream);
int fseek(FILE *stream, long offset, int whence);
long ftell(FILE *stream);
void rewind(FILE *stream);
int feof(FILE *stream);
int ferror(FILE *stream);
void clearerr(FILE *stream);

int remove(const char *path);
int rename(const char *from, const char *to);
void perror(const char *text);

DEVICE_RT_END

#endif
