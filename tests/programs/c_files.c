// Files of a granted directory: each thread has one of its own.

#include <assert.h>
#include <device_rt.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>

int main(void) {
  unsigned long me = device_thread_index();
  char path[64], other[64], line[64];
  snprintf(path, sizeof path, "/data/file-%lu", me);
  snprintf(other, sizeof other, "/data/other-%lu", me);

  errno = 0;
  assert(!fopen(path, "r") && errno == ENOENT);
  assert(!fopen(path, "q") && errno == EINVAL);

  FILE *file = fopen(path, "w+");
  assert(file);
  assert(fprintf(file, "line %lu of the file\n", me) > 0);
  assert(fputs("second line\n", file) >= 0);
  for (const char *c = "third"; *c; c++)
    assert(fputc(*c, file) == *c);
  assert(fwrite("\0\1\2\3\4\5\6\7", 4, 2, file) == 2);
  long end = ftell(file);
  assert(end > 30 && fflush(file) == 0);

  rewind(file);
  assert(ftell(file) == 0);
  assert(fgets(line, sizeof line, file) == line);
  char expected[64];
  snprintf(expected, sizeof expected, "line %lu of the file\n", me);
  assert(strcmp(line, expected) == 0);
  assert(fgets(line, 4, file) && strcmp(line, "sec") == 0);
  assert(fgetc(file) == 'o' && ungetc('u', file) == 'u' && getc(file) == 'u' && getc(file) == 'n');
  assert(fseek(file, -13, SEEK_END) == 0 && ftell(file) == end - 13);
  assert(fread(line, 1, 5, file) == 5 && memcmp(line, "third", 5) == 0);
  assert(fread(line, 4, 3, file) == 2 && memcmp(line, "\0\1\2\3\4\5\6\7", 8) == 0);
  assert(feof(file) && !ferror(file) && fgetc(file) == EOF);
  assert(!fgets(line, sizeof line, file));
  clearerr(file);
  assert(!feof(file));
  assert(fseek(file, 4, SEEK_SET) == 0 && fseek(file, 1, SEEK_CUR) == 0 && ftell(file) == 5);
  assert(fseek(file, -1, SEEK_SET) != 0);
  assert(fclose(file) == 0 && fclose(file) != 0);

  // Only to be read: a write is an error of the stream.
  file = fopen(path, "rb");
  assert(file && fputc('x', file) == EOF && ferror(file));
  clearerr(file);
  assert(!ferror(file) && fgetc(file) == 'l');
  fclose(file);

  // At the end, wherever one stands; and only if it is not there.
  file = fopen(path, "a+");
  assert(file && fseek(file, 0, SEEK_SET) == 0 && fputs("end", file) >= 0);
  assert(fseek(file, 0, SEEK_END) == 0 && ftell(file) == end + 3);
  fclose(file);
  assert(!fopen(path, "wx") && errno == EEXIST);

  assert(rename(path, other) == 0);
  assert(!fopen(path, "r") && errno == ENOENT);
  assert(rename(path, other) != 0 && errno == ENOENT);
  file = fopen(other, "r");
  assert(file && fseek(file, 0, SEEK_END) == 0 && ftell(file) == end + 3);
  fclose(file);
  assert(remove(other) == 0);
  assert(remove(other) != 0 && errno == ENOENT);

  // Floats: the host's text in the file, the device's own in memory.
  const double numbers[] = {0.1 * (double)me, 1e300 / (double)(me + 1), -5e-324 * (double)me, 0.5 + (double)me, 1e22 + (double)me, 9.995};
  const char *const formats[] = {"%.17g\n", "%f\n", "%.3e\n", "%#.0f\n", "%a\n", "%+-20.5E|\n", "%020.1f\n", "%g\n"};
  file = fopen(other, "w+");
  assert(file);
  for (int number = 0; number < 6; number++)
    for (int format = 0; format < 8; format++)
      assert(fprintf(file, formats[format], numbers[number]) > 0);
  rewind(file);
  for (int number = 0; number < 6; number++)
    for (int format = 0; format < 8; format++) {
      char host[512], own[512];
      assert(fgets(host, sizeof host, file) && snprintf(own, sizeof own, formats[format], numbers[number]) > 0);
      assert(strcmp(own, host) == 0);
    }
  assert(fclose(file) == 0 && remove(other) == 0);

  // What was not granted, and what is no stream.
  assert(!fopen("/data/../etc/passwd", "r"));
  assert(fputs("text", (FILE *)0x1234) == EOF && fclose(NULL) != 0);
  if (fflush(NULL) == 0)
    printf("thread %lu: %ld bytes\n", me, end);
  return 0;
}
