// The scanf family: from texts, from standard input, from a file, each lane its own.

#include <assert.h>
#include <device_rt.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

// By a list of arguments: from a text, or from a stream where there is none, or from standard input.
static int listed(const char *text, FILE *stream, const char *format, ...) {
  va_list list;
  va_start(list, format);
  int count = text ? vsscanf(text, format, list) : stream ? vfscanf(stream, format, list) : vscanf(format, list);
  va_end(list);
  return count;
}

static void texts(int index) {
  char text[64], word[16], rest[16];
  int number = 0, hex = 0, taken = 0;
  double real = 0;
  float single = 0;
  snprintf(text, sizeof text, "thread %d: %#x %s", index, index + 100, "2.5 -1e2");
  assert(sscanf(text, "%15s %d: %x %lf%f%n", word, &number, &hex, &real, &single, &taken) == 5);
  assert(strcmp(word, "thread") == 0 && number == index && hex == index + 100 && real == 2.5 && single == -100);
  assert(taken == (int)strlen(text));
  assert(sscanf("key = a value", "%15[a-z] = %15[^\n]", word, rest) == 2 && strcmp(rest, "a value") == 0);
  signed char tiny = 0;
  short small = 0;
  long large = 0;
  assert(sscanf("-1 +077 0x7fffffffffffffff", "%hhd%hi%li", &tiny, &small, &large) == 3);
  assert(tiny == -1 && small == 077 && large == 0x7fffffffffffffff);
  assert(sscanf("12345", "%2d%*2d%1d", &number, &hex) == 2 && number == 12 && hex == 5);
  assert(sscanf("50%", "%d%%%n", &number, &taken) == 1 && taken == 3);
  assert(sscanf("100ergs", "%lf", &real) == 0 && sscanf("", "%d", &number) == EOF && sscanf("x", "%d", &number) == 0);
  char three[3];
  assert(sscanf("abcd", "%3c", three) == 1 && memcmp(three, "abc", 3) == 0);
  assert(listed("7 word", NULL, "%d %15s", &number, word) == 2 && number == 7 && strcmp(word, "word") == 0);
  void *pointer;
  assert(sscanf("(nil) ", "%p", &pointer) == 1 && !pointer && sscanf("0xbeef", "%p", &pointer) == 1 && pointer == (void *)0xbeef);
}

static void file(int index) {
  char path[32];
  snprintf(path, sizeof path, "/data/numbers%d", index);
  FILE *file = fopen(path, "w+");
  if (!file)
    return;
  fprintf(file, "%d %d,end", index, 2 * index);
  rewind(file);
  int first, second;
  assert(fscanf(file, "%d%d", &first, &second) == 2 && first == index && second == 2 * index);
  // What ended the number is still there.
  assert(fgetc(file) == ',' && fscanf(file, "%d", &first) == 0 && fgetc(file) == 'e');
  assert(fseek(file, 0, SEEK_SET) == 0 && listed(NULL, file, "%d", &second) == 1 && second == index);
  fclose(file);
}

int main(void) {
  int index = (int)device_thread_index();
  texts(index);
  file(index);
  if (device_thread_count() == 1) {
    int number, sum = 0, count = 0;
    if (listed(NULL, NULL, "%d", &number) == 1)
      sum += number, count++;
    while (scanf("%d", &number) == 1)
      sum += number, count++;
    printf("%d numbers, %d in all, then %c\n", count, sum, getchar());
  }
  printf("thread %d ok\n", index);
  return 0;
}
