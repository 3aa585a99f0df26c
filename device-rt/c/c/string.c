// Bytes and strings.

#include <device_rt.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

// Each thread has a word of its own as long as there are no more threads than words. There is no storage for each thread on a GPU.
enum { WORDS = 1 << 14 };
static int errors[WORDS];

int *__errno_location(void) { return &errors[device_thread_index() % WORDS]; }

void *memcpy(void *restrict to, const void *restrict from, size_t size) {
  unsigned char *t = to;
  const unsigned char *f = from;
  if ((((size_t)t | (size_t)f) & 7) == 0)
    for (; size >= 8; size -= 8, t += 8, f += 8)
      *(unsigned long *)t = *(const unsigned long *)f;
  for (; size > 0; size--)
    *t++ = *f++;
  return to;
}

void *memmove(void *to, const void *from, size_t size) {
  unsigned char *t = to;
  const unsigned char *f = from;
  if ((size_t)t - (size_t)f >= size)
    return memcpy(to, from, size);
  // The target begins within the source: from the end.
  while (size > 0) {
    size--;
    t[size] = f[size];
  }
  return to;
}

void *memset(void *to, int byte, size_t size) {
  unsigned char *t = to;
  for (size_t at = 0; at < size; at++)
    t[at] = (unsigned char)byte;
  return to;
}

int memcmp(const void *a, const void *b, size_t size) {
  const unsigned char *left = a, *right = b;
  for (size_t at = 0; at < size; at++)
    if (left[at] != right[at])
      return left[at] - right[at];
  return 0;
}

// What LLVM makes of a memcmp of which only equality matters.
int bcmp(const void *a, const void *b, size_t size) { return memcmp(a, b, size); }

void *memchr(const void *bytes, int byte, size_t size) {
  const unsigned char *b = bytes;
  for (size_t at = 0; at < size; at++)
    if (b[at] == (unsigned char)byte)
      return (void *)(b + at);
  return NULL;
}

size_t strlen(const char *text) {
  size_t length = 0;
  while (text[length])
    length++;
  return length;
}

size_t strnlen(const char *text, size_t limit) {
  size_t length = 0;
  while (length < limit && text[length])
    length++;
  return length;
}

int strcmp(const char *a, const char *b) {
  while (*a && *a == *b)
    a++, b++;
  return (unsigned char)*a - (unsigned char)*b;
}

int strncmp(const char *a, const char *b, size_t limit) {
  for (; limit > 0 && *a && *a == *b; limit--)
    a++, b++;
  return limit == 0 ? 0 : (unsigned char)*a - (unsigned char)*b;
}

// In the C locale, the only one, the order of strings is that of their bytes.
int strcoll(const char *a, const char *b) { return strcmp(a, b); }

char *strcpy(char *restrict to, const char *restrict from) {
  memcpy(to, from, strlen(from) + 1);
  return to;
}

char *strncpy(char *restrict to, const char *restrict from, size_t size) {
  size_t length = strnlen(from, size);
  memcpy(to, from, length);
  memset(to + length, 0, size - length);
  return to;
}

char *strcat(char *restrict to, const char *restrict from) {
  strcpy(to + strlen(to), from);
  return to;
}

char *strncat(char *restrict to, const char *restrict from, size_t limit) {
  size_t end = strlen(to), length = strnlen(from, limit);
  memcpy(to + end, from, length);
  to[end + length] = 0;
  return to;
}

char *strchr(const char *text, int byte) {
  for (;; text++) {
    if (*text == (char)byte)
      return (char *)text;
    if (!*text)
      return NULL;
  }
}

char *strrchr(const char *text, int byte) {
  for (size_t at = strlen(text) + 1; at > 0; at--)
    if (text[at - 1] == (char)byte)
      return (char *)text + at - 1;
  return NULL;
}

char *strstr(const char *text, const char *part) {
  size_t length = strlen(part);
  for (; *text || !length; text++) {
    if (strncmp(text, part, length) == 0)
      return (char *)text;
  }
  return NULL;
}

size_t strspn(const char *text, const char *set) {
  size_t length = 0;
  while (text[length] && strchr(set, text[length]))
    length++;
  return length;
}

size_t strcspn(const char *text, const char *set) {
  size_t length = 0;
  while (text[length] && !strchr(set, text[length]))
    length++;
  return length;
}

char *strpbrk(const char *text, const char *set) {
  text += strcspn(text, set);
  return *text ? (char *)text : NULL;
}

// Not strtok, whose place in the text all threads would share.
char *strtok_r(char *restrict text, const char *restrict set, char **restrict rest) {
  char *start = text ? text : *rest;
  start += strspn(start, set);
  if (!*start) {
    *rest = start;
    return NULL;
  }
  char *end = start + strcspn(start, set);
  *rest = *end ? end + 1 : end;
  *end = 0;
  return start;
}

char *strdup(const char *text) {
  size_t size = strlen(text) + 1;
  char *copy = malloc(size);
  return copy ? memcpy(copy, text, size) : NULL;
}

char *strndup(const char *text, size_t limit) {
  size_t length = strnlen(text, limit);
  char *copy = malloc(length + 1);
  if (!copy)
    return NULL;
  memcpy(copy, text, length);
  copy[length] = 0;
  return copy;
}

// The errors that the functions of this library set.
char *strerror(int number) {
  switch (number) {
  case 0:
    return "Success";
  case EPERM:
    return "Operation not permitted";
  case ENOENT:
    return "No such file or directory";
  case EIO:
    return "Input/output error";
  case EBADF:
    return "Bad file descriptor";
  case ENOMEM:
    return "Cannot allocate memory";
  case EACCES:
    return "Permission denied";
  case EEXIST:
    return "File exists";
  case EXDEV:
    return "Invalid cross-device link";
  case ENOTDIR:
    return "Not a directory";
  case EISDIR:
    return "Is a directory";
  case EINVAL:
    return "Invalid argument";
  case EMFILE:
    return "Too many open files";
  case ENOSPC:
    return "No space left on device";
  case EROFS:
    return "Read-only file system";
  case ERANGE:
    return "Numerical result out of range";
  case ENAMETOOLONG:
    return "File name too long";
  case ENOTEMPTY:
    return "Directory not empty";
  case ELOOP:
    return "Too many levels of symbolic links";
  default:
    return "Unknown error";
  }
}
