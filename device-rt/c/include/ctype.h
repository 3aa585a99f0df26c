// What kind of character a byte is, in the C locale.
#ifndef DEVICE_RT_CTYPE_H
#define DEVICE_RT_CTYPE_H

#include <bits/device_rt.h>

DEVICE_RT_BEGIN

static inline int isdigit(int c) { return c >= '0' && c <= '9'; }
static inline int islower(int c) { return c >= 'a' && c <= 'z'; }
static inline int isupper(int c) { return c >= 'A' && c <= 'Z'; }
static inline int isalpha(int c) { return islower(c | 32); }
static inline int isalnum(int c) { return isalpha(c) || isdigit(c); }
static inline int isxdigit(int c) { return isdigit(c) || ((c | 32) >= 'a' && (c | 32) <= 'f'); }
static inline int isblank(int c) { return c == ' ' || c == '\t'; }
static inline int isspace(int c) { return c == ' ' || (c >= '\t' && c <= '\r'); }
static inline int iscntrl(int c) { return (c >= 0 && c < ' ') || c == 127; }
static inline int isprint(int c) { return c >= ' ' && c < 127; }
static inline int isgraph(int c) { return c > ' ' && c < 127; }
static inline int ispunct(int c) { return isgraph(c) && !isalnum(c); }
static inline int tolower(int c) { return isupper(c) ? c + 32 : c; }
static inline int toupper(int c) { return islower(c) ? c - 32 : c; }

DEVICE_RT_END

#endif
