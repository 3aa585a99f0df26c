// Bytes and strings.
#ifndef DEVICE_RT_STRING_H
#define DEVICE_RT_STRING_H

#include <bits/device_rt.h>

DEVICE_RT_BEGIN

void *memcpy(void *DEVICE_RT_RESTRICT to, const void *DEVICE_RT_RESTRICT from, size_t size);
void *memmove(void *to, const void *from, size_t size);
void *memset(void *to, int byte, size_t size);
int memcmp(const void *a, const void *b, size_t size);
void *memchr(const void *bytes, int byte, size_t size);

size_t strlen(const char *text);
size_t strnlen(const char *text, size_t limit);
int strcmp(const char *a, const char *b);
int strncmp(const char *a, const char *b, size_t limit);
int strcoll(const char *a, const char *b);
char *strcpy(char *DEVICE_RT_RESTRICT to, const char *DEVICE_RT_RESTRICT from);
char *strncpy(char *DEVICE_RT_RESTRICT to, const char *DEVICE_RT_RESTRICT from, size_t size);
char *strcat(char *DEVICE_RT_RESTRICT to, const char *DEVICE_RT_RESTRICT from);
char *strncat(char *DEVICE_RT_RESTRICT to, const char *DEVICE_RT_RESTRICT from, size_t limit);
char *strchr(const char *text, int byte);
char *strrchr(const char *text, int byte);
char *strstr(const char *text, const char *part);
size_t strspn(const char *text, const char *set);
size_t strcspn(const char *text, const char *set);
char *strpbrk(const char *text, const char *set);
char *strtok_r(char *DEVICE_RT_RESTRICT text, const char *DEVICE_RT_RESTRICT set, char **DEVICE_RT_RESTRICT rest);
char *strdup(const char *text);
char *strndup(const char *text, size_t limit);
char *strerror(int number);

DEVICE_RT_END

#endif
