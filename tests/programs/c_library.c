// What needs no host: strings, numbers in texts, sorting; and the heap, the environment, the time.

#include <assert.h>
#include <ctype.h>
#include <errno.h>
#include <limits.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static int ascending(const void *a, const void *b) {
  const int *left = a, *right = b;
  return (*left > *right) - (*left < *right);
}

static void strings(void) {
  char text[64] = "abc";
  assert(strlen(text) == 3 && strnlen(text, 2) == 2);
  assert(strcmp("abc", "abd") < 0 && strcmp("b", "a") > 0 && strcmp("", "") == 0 && strcmp("a", "ab") < 0);
  assert(strcmp("\xff", "a") > 0);
  assert(strncmp("abc", "abd", 2) == 0 && strncmp("abc", "abd", 3) < 0 && strncmp("a", "b", 0) == 0);
  strcat(text, "def");
  strncat(text, "ghijk", 2);
  assert(strcmp(text, "abcdefgh") == 0);
  assert(strchr(text, 'c') == text + 2 && !strchr(text, 'z') && strchr(text, 0) == text + 8);
  assert(strcmp(strrchr("a.b.c", '.'), ".c") == 0 && !strrchr("abc", '.'));
  assert(strstr(text, "def") == text + 3 && !strstr(text, "dex") && strstr(text, "") == text);
  assert(strspn("aabbc", "ab") == 4 && strcspn("aabbc", "c") == 4 && !strpbrk("abc", "xyz"));
  char padded[8];
  memset(padded, 'x', sizeof padded);
  strncpy(padded, "ab", 5);
  assert(memcmp(padded, "ab\0\0\0xxx", 8) == 0);
  memmove(text + 2, text, 6);
  assert(strcmp(text, "ababcdef") == 0);
  memmove(text, text + 2, 7);
  assert(strcmp(text, "abcdef") == 0);
  assert(memchr("a\0b", 'b', 3) && !memchr("abc", 'c', 2));
  uint64_t numbers[5] = {1, 2, 3, 4, 5}, copy[5];
  assert(memcpy(copy, numbers, sizeof numbers) == copy && memcmp(copy, numbers, sizeof numbers) == 0);

  char list[] = ",one,,two;three", *rest;
  assert(strcmp(strtok_r(list, ",;", &rest), "one") == 0);
  assert(strcmp(strtok_r(NULL, ",;", &rest), "two") == 0);
  assert(strcmp(strtok_r(NULL, ",;", &rest), "three") == 0);
  assert(!strtok_r(NULL, ",;", &rest));
  assert(strcmp(strerror(ENOENT), "No such file or directory") == 0);
  assert(isalpha('x') && !isalpha('1') && isspace('\n') && toupper('a') == 'A' && tolower('Z') == 'z' && ispunct('!'));
}

// How many of all bytes, and of what is none, are of a kind.
static int count(int (*is)(int)) {
  int found = 0;
  for (int byte = -1; byte < 256; byte++)
    found += is(byte) != 0;
  return found;
}

static void kinds(void) {
  assert(count(isdigit) == 10 && count(isxdigit) == 22 && count(islower) == 26 && count(isupper) == 26);
  assert(count(isalpha) == 52 && count(isalnum) == 62 && count(ispunct) == 32 && count(isgraph) == 94);
  assert(count(isprint) == 95 && count(iscntrl) == 33 && count(isspace) == 6 && count(isblank) == 2);
}

static void numbers(void) {
  char *end;
  assert(atoi("  -42abc") == -42 && atol("+7") == 7 && atoi("x") == 0);
  assert(strtol("0x1fz", &end, 0) == 31 && *end == 'z');
  assert(strtol("0x", &end, 16) == 0 && *end == 'x');
  assert(strtol("077", NULL, 0) == 63 && strtol("zz", NULL, 36) == 35 * 37 && strtol("1012", &end, 2) == 5 && *end == '2');
  const char *none = "  +";
  assert(strtol(none, &end, 10) == 0 && end == none);
  errno = 0;
  assert(strtol("9223372036854775807", NULL, 10) == LONG_MAX && errno == 0);
  assert(strtol("-9223372036854775808", NULL, 10) == LONG_MIN && errno == 0);
  assert(strtol("9223372036854775808", NULL, 10) == LONG_MAX && errno == ERANGE);
  errno = 0;
  assert(strtol("-99999999999999999999", &end, 10) == LONG_MIN && errno == ERANGE && !*end);
  errno = 0;
  assert(strtoul("18446744073709551615", NULL, 10) == ULONG_MAX && errno == 0);
  assert(strtoul("-1", NULL, 10) == ULONG_MAX && errno == 0);
  assert(atoll("-9000000000") == -9000000000 && strtoll("9000000000x", &end, 10) == 9000000000 && *end == 'x');
  assert(strcoll("a", "b") < 0 && strcoll("b", "a") > 0 && strcoll("a", "a") == 0);
  assert(strtoull("18446744073709551616", NULL, 10) == ULLONG_MAX && errno == ERANGE);
  assert(abs(-3) == 3 && labs(-3l) == 3 && llabs(3) == 3 && div(-7, 2).rem == -1 && ldiv(7, 2).quot == 3);

  assert(strtod(" -12.5e-1!", &end) == -1.25 && *end == '!' && atof(".5") == 0.5 && strtod("1e+", &end) == 1 && *end == 'e');
  assert(strtod("1.7976931348623157e308", NULL) == 1.7976931348623157e308 && strtod("4.9e-324", NULL) == 4.9e-324);
  assert(strtod("0.1000000000000000055511151231257827021181583404541015625", NULL) == 0.1 && strtod("9007199254740993", NULL) == 9007199254740992.0);
  assert(strtod("0x1.8p1z", &end) == 3 && *end == 'z' && strtof("0x1.fffffeP127", NULL) == 0x1.fffffep127f);
  assert(strtof("16777217", NULL) == 16777216.0f && strtof("0.1", NULL) == 0.1f);
  assert(strtod("-inf", NULL) == -__builtin_inf() && __builtin_isnan(strtod("nan(1)", &end)) && !*end);
  assert(strtod("none", &end) == 0 && *end == 'n');
  errno = 0;
  assert(strtod("1e400", NULL) == __builtin_inf() && errno == ERANGE);
  errno = 0;
  assert(strtod("1e-400", NULL) == 0 && errno == ERANGE);

  int values[100];
  unsigned seed = 1;
  for (int at = 0; at < 100; at++)
    values[at] = (int)((seed = seed * 1103515245 + 12345) >> 16) % 50;
  qsort(values, 100, sizeof *values, ascending);
  for (int at = 1; at < 100; at++)
    assert(values[at - 1] <= values[at]);
  int key = values[37], absent = 1000;
  int *found = bsearch(&key, values, 100, sizeof *values, ascending);
  assert(found && *found == key && !bsearch(&absent, values, 100, sizeof *values, ascending));
}

static void memory(void) {
  char *block = malloc(100);
  assert(block && (uintptr_t)block % 16 == 0);
  strcpy(block, "kept");
  block = realloc(block, 5000);
  assert(block && strcmp(block, "kept") == 0);
  block[4999] = 'x';
  block = realloc(block, 5);
  assert(block && strcmp(block, "kept") == 0);
  free(block);
  free(NULL);
  for (size_t align = 1; align <= 4096; align *= 2) {
    void *aligned = aligned_alloc(align, 3 * align);
    assert(aligned && (uintptr_t)aligned % align == 0);
    memset(aligned, 0xaa, 3 * align);
    free(aligned);
  }
  volatile size_t huge = SIZE_MAX / 2, three = 3;
  errno = 0;
  assert(!aligned_alloc(three, 3) && errno == EINVAL);
  // Volatile, or the compiler takes it that a block which nobody uses is there.
  void *volatile none = malloc(huge);
  assert(!none && errno == ENOMEM);
  none = calloc(huge, three);
  assert(!none);
  unsigned char *zeros = calloc(10, 100);
  for (int at = 0; at < 1000; at++)
    assert(zeros[at] == 0);
  assert(!realloc(zeros, 0));
  char *copy = strdup("copied"), *part = strndup("copied", 4);
  assert(strcmp(copy, "copied") == 0 && strcmp(part, "copi") == 0);
  free(copy);
  free(part);
}

static void clocks(void) {
  time_t now = time(NULL), again;
  assert(now > 1704067200 && time(&again) >= now && again >= now);
  struct timespec from, to, pause = {0, 2000000}, wrong = {0, -1};
  assert(timespec_get(&from, TIME_UTC) == TIME_UTC && from.tv_sec >= now && from.tv_nsec < 1000000000);
  clock_t start = clock();
  assert(timespec_get(&from, TIME_MONOTONIC) && nanosleep(&pause, NULL) == 0 && timespec_get(&to, TIME_MONOTONIC));
  assert((to.tv_sec - from.tv_sec) * 1000000000 + to.tv_nsec - from.tv_nsec >= 2000000);
  assert(clock() - start >= 2000 && timespec_get(&to, 99) == 0);
  assert(nanosleep(&wrong, NULL) == -1 && errno == EINVAL);
}

int main(void) {
  strings();
  kinds();
  numbers();
  memory();
  clocks();
  const char *set = getenv("SET");
  printf("%s %s %s\n", set ? set : "unset", getenv("SE") ? "wrong" : "absent", getenv("EMPTY"));
  return 0;
}
