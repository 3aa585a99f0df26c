// Floats as text: exact to the last digit asked for and rounded half to even, as IEEE 754 and C libraries have it.

#include <stdint.h>

#include "format.h"

enum {
  // Decimal digits of a limb.
  DIGITS = 9,
  LIMB = 1000000000,
  // 2^1024 has 309 digits, and 2^-1074 has 1074 behind the point.
  WHOLE = 35,
  FRACTION = 120,
  // The place of the first digit behind the point, where the first one of all is 0.
  POINT = WHOLE * DIGITS,
  // Hexadecimal digits behind the point of a double.
  HEX_DIGITS = 13,
};

static const uint32_t powers[DIGITS + 1] = {1,      10,      100,      1000,      10000,
                                            100000, 1000000, 10000000, 100000000, 1000000000};

// All digits of a number. Limbs outside of `first` to `end` are 0.
struct decimal {
  uint32_t limbs[WHOLE + FRACTION];
  int first, end;
};

static long least(long a, long b) { return a < b ? a : b; }

// mantissa * 2^exponent, below 2^1024 and with no bit below 2^-1074.
static void expand(struct decimal *decimal, uint64_t mantissa, int exponent) {
  memset(decimal, 0, sizeof *decimal);
  uint32_t *limbs = decimal->limbs;
  int first = WHOLE - 2, end = WHOLE;
  // A fraction has as many digits as bits: without zeros at its end most numbers have few.
  while (mantissa != 0 && mantissa % 2 == 0 && exponent < 0)
    mantissa /= 2, exponent++;
  limbs[WHOLE - 2] = (uint32_t)(mantissa / LIMB);
  limbs[WHOLE - 1] = (uint32_t)(mantissa % LIMB);
  if (mantissa == 0)
    exponent = 0;
  while (exponent > 0) {
    int shift = (int)least(exponent, 29);
    uint64_t carry = 0;
    for (int at = WHOLE; at-- > first;) {
      carry += (uint64_t)limbs[at] << shift;
      limbs[at] = (uint32_t)(carry % LIMB);
      carry /= LIMB;
    }
    if (carry != 0)
      limbs[--first] = (uint32_t)carry;
    exponent -= shift;
  }
  while (exponent < 0) {
    // 2^9 divides a limb's base, so that what is shifted out of one limb goes into the next without a rest.
    int shift = (int)least(-exponent, DIGITS);
    uint32_t carry = 0;
    int at = first;
    for (; at < end || carry != 0; at++) {
      uint32_t limb = limbs[at];
      limbs[at] = (limb >> shift) + carry;
      carry = (limb & ((1u << shift) - 1)) * ((uint32_t)LIMB >> shift);
    }
    end = at;
    while (first < end - 1 && limbs[first] == 0)
      first++;
    exponent += shift;
  }
  decimal->first = first;
  decimal->end = end;
}

static unsigned digit(const struct decimal *decimal, long place) {
  return decimal->limbs[place / DIGITS] / powers[DIGITS - 1 - place % DIGITS] % 10;
}

// The exponent of the first digit that is not 0: 0 for ones, -1 for tenths; 0 where there is no such digit.
static long exponent_of(const struct decimal *decimal) {
  for (long place = (long)decimal->first * DIGITS; place < (long)decimal->end * DIGITS; place++)
    if (digit(decimal, place) != 0)
      return POINT - 1 - place;
  return 0;
}

// Rounds to so many digits behind the point, or before it where that is negative.
static void round_to(struct decimal *decimal, long digits) {
  long kept = POINT + digits;
  if (kept >= (long)decimal->end * DIGITS)
    return;
  uint32_t *limbs = decimal->limbs;
  int at = (int)(kept / DIGITS);
  // With no digit of this limb kept, its neighbour has the last one.
  uint32_t unit = powers[DIGITS - kept % DIGITS], rest = limbs[at] % unit;
  bool odd = unit == LIMB ? limbs[at - 1] % 2 : limbs[at] / unit % 2, more = false;
  for (int below = at + 1; below < decimal->end; below++) {
    more |= limbs[below] != 0;
    limbs[below] = 0;
  }
  decimal->end = at + 1;
  limbs[at] -= rest;
  if (rest > unit / 2 || (rest == unit / 2 && (more || odd)))
    limbs[at] += unit;
  for (; limbs[at] == LIMB; at--) {
    limbs[at] = 0;
    limbs[at - 1]++;
  }
  decimal->first = (int)least(decimal->first, at);
}

// So many digits from a place on; behind the last one there are only zeros.
static void put_digits(struct text *text, const struct decimal *decimal, long place, long count) {
  long there = least(count, (long)decimal->end * DIGITS - place);
  for (long at = 0; at < there; at++)
    fill(text, (char)('0' + digit(decimal, place + at)), 1);
  fill(text, '0', (size_t)(there > 0 ? count - there : count));
}

// Letter, sign and at least so many digits of an exponent; returns their number.
static size_t exponent_text(char *to, char letter, long exponent, int least_digits) {
  unsigned long magnitude = (unsigned long)(exponent < 0 ? -exponent : exponent);
  size_t size = 0;
  to[size++] = letter;
  to[size++] = exponent < 0 ? '-' : '+';
  for (int at = 3; at >= 0; at--)
    if (at < least_digits || magnitude >= powers[at])
      to[size++] = (char)('0' + magnitude / powers[at] % 10);
  return size;
}

static void put_decimal(struct text *text, const struct directive *directive, bool negative, uint64_t mantissa, int exponent) {
  struct decimal decimal;
  expand(&decimal, mantissa, exponent);
  char style = directive->conversion | 32;
  bool fixed = style == 'f';
  // Digits behind the point. %g counts the one before it, too, and has at least that one.
  long precision = directive->precision == NONE ? 6 : directive->precision;
  if (style == 'g' && precision > 0)
    precision--;
  round_to(&decimal, fixed ? precision : precision - exponent_of(&decimal));
  long power = exponent_of(&decimal);
  // C: with P the precision and X the exponent, %g is %f of precision P - 1 - X if P > X >= -4, and else %e of precision P - 1.
  if (style == 'g' && power >= -4 && power <= precision) {
    fixed = true;
    precision -= power;
  }
  long above = fixed ? (power > 0 ? power : 0) : power;
  long start = POINT - 1 - above, whole = fixed ? above + 1 : 1;
  // And its trailing zeros go, unless # keeps them.
  if (style == 'g' && !directive->alternate) {
    precision = least(precision, (long)decimal.end * DIGITS - start - whole);
    while (precision > 0 && digit(&decimal, start + whole + precision - 1) == 0)
      precision--;
    precision = precision < 0 ? 0 : precision;
  }
  char tail[8];
  size_t tail_size = fixed ? 0 : exponent_text(tail, directive->conversion < 'a' ? 'E' : 'e', power, 2);
  bool point = precision > 0 || directive->alternate;
  size_t after = __device_rt_start_number(text, directive, sign_of(directive, negative),
                                          (size_t)(whole + point + precision) + tail_size, true);
  put_digits(text, &decimal, start, whole);
  put(text, ".", point);
  put_digits(text, &decimal, start + whole, precision);
  put(text, tail, tail_size);
  fill(text, ' ', after);
}

// A normal number starts with 1, or 2 where it is rounded up; a subnormal one with 0 and the smallest exponent.
static void put_hexadecimal(struct text *text, const struct directive *directive, bool negative, uint64_t mantissa, int exponent) {
  long decimals = directive->precision, zeros = 0;
  if (decimals == NONE) {
    // C: as many as it takes to be exact.
    decimals = HEX_DIGITS;
    while (decimals > 0 && (mantissa >> (4 * (HEX_DIGITS - decimals)) & 15) == 0)
      decimals--;
  } else if (decimals > HEX_DIGITS) {
    zeros = decimals - HEX_DIGITS;
    decimals = HEX_DIGITS;
  }
  unsigned dropped = 4 * (unsigned)(HEX_DIGITS - decimals);
  if (dropped > 0) {
    uint64_t rest = mantissa & ((1ul << dropped) - 1), half = 1ul << (dropped - 1);
    mantissa >>= dropped;
    mantissa += rest > half || (rest == half && mantissa % 2);
  }
  bool upper = directive->conversion < 'a', point = decimals + zeros > 0 || directive->alternate;
  const char *letters = upper ? "0123456789ABCDEF" : "0123456789abcdef";
  char prefix[4] = "", tail[8];
  strcat(strcat(prefix, sign_of(directive, negative)), upper ? "0X" : "0x");
  size_t tail_size = exponent_text(tail, upper ? 'P' : 'p', exponent, 1);
  size_t after =
      __device_rt_start_number(text, directive, prefix, (size_t)(1 + point + decimals + zeros) + tail_size, true);
  fill(text, letters[mantissa >> (4 * decimals)], 1);
  put(text, ".", point);
  while (decimals-- > 0)
    fill(text, letters[mantissa >> (4 * decimals) & 15], 1);
  fill(text, '0', (size_t)zeros);
  put(text, tail, tail_size);
  fill(text, ' ', after);
}

void __device_rt_put_float(struct text *text, const struct directive *directive, double value) {
  uint64_t bits;
  memcpy(&bits, &value, sizeof bits);
  bool negative = bits >> 63, upper = directive->conversion < 'a';
  uint64_t mantissa = bits & ((1ul << 52) - 1);
  int exponent = (int)(bits >> 52 & 0x7ff);
  if (exponent == 0x7ff) {
    char word[5] = "";
    strcat(strcat(word, sign_of(directive, negative)), mantissa ? upper ? "NAN" : "nan" : upper ? "INF" : "inf");
    __device_rt_put_padded(text, directive, word, strlen(word));
    return;
  }
  // Subnormal numbers have the exponent of the smallest normal ones, and no leading 1.
  if (exponent > 0)
    mantissa |= 1ul << 52;
  else
    exponent = 1;
  if ((directive->conversion | 32) == 'a')
    put_hexadecimal(text, directive, negative, mantissa, mantissa ? exponent - 1023 : 0);
  else
    put_decimal(text, directive, negative, mantissa, exponent - 1023 - 52);
}
