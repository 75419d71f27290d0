/* SPDX-License-Identifier: MIT */
/* Exact time. Rationals are kept in lowest terms of 63 bits, and every product is checked: a
 * description may contain any decimal, and none is rounded. Portable C11 has no 128-bit integer;
 * therefore, sums are two words with a carry, and the long division that prints them works on
 * 32-bit digits. */
#include "sim/base/wp-time.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define MAX_DIGITS 18 /* 10^18 - 1 fits in 63 bits, and so does 10^18 */

uint64_t
wp_gcd (uint64_t a, uint64_t b)
{
  while (b != 0)
    {
      uint64_t rest = a % b;

      a = b;
      b = rest;
    }
  return a;
}

static WpCycles
reduce (int64_t num, int64_t den)
{
  int64_t common = (int64_t)wp_gcd ((uint64_t)(num < 0 ? -num : num), (uint64_t)den);

  return (WpCycles){ num / common, den / common };
}

/* Appends the digits at *TEXT to *VALUE; *N_DIGITS counts the significant ones. Returns false if
 * there are too many. */
static bool
read_digits (const char **text, int64_t *value, int *n_digits)
{
  for (; **text >= '0' && **text <= '9'; (*text)++)
    {
      if (*n_digits == MAX_DIGITS)
        return false;
      *value = *value * 10 + (**text - '0');
      if (*value != 0)
        (*n_digits)++;
    }
  return true;
}

static const char *const too_long = "more than 18 digits";
static const char *const not_a_number = "not a decimal (12.3) or a fraction (1/6)";

/* Reads what follows the whole number NUM: nothing, or a fraction's denominator. */
static const char *
read_denominator (const char *text, int64_t num, WpCycles *value)
{
  int64_t den = 0;
  int n_digits = 0;
  const char *end = text;

  if (!read_digits (&end, &den, &n_digits))
    return too_long;
  if (end == text || *end != '\0')
    return not_a_number;
  if (den == 0)
    return "division by zero";
  *value = reduce (num, den);
  return NULL;
}

static const char *
read_decimals (const char *text, int64_t num, int n_digits, WpCycles *value)
{
  const char *end = text;
  int64_t den = 1;

  if (!read_digits (&end, &num, &n_digits))
    return too_long;
  if (end == text || *end != '\0')
    return not_a_number;
  if (end - text > MAX_DIGITS)
    return too_long;
  for (const char *digit = text; digit < end; digit++)
    den *= 10;
  *value = reduce (num, den);
  return NULL;
}

const char *
wp_cycles_parse (const char *text, bool is_signed, WpCycles *value)
{
  bool negative = is_signed && *text == '-';
  const char *start = text + negative;
  const char *end = start;
  const char *problem;
  int64_t num = 0;
  int n_digits = 0;

  if (!read_digits (&end, &num, &n_digits))
    return too_long;
  if (end == start)
    return !is_signed && *text == '-' ? "negative" : not_a_number;
  if (*end == '/')
    problem = read_denominator (end + 1, num, value);
  else if (*end == '.')
    problem = read_decimals (end + 1, num, n_digits, value);
  else
    {
      problem = *end == '\0' ? NULL : not_a_number;
      *value = wp_cycles_whole (num);
    }
  if (problem == NULL && negative)
    value->num = -value->num;
  return problem;
}

WpCycles
wp_cycles_whole (int64_t cycles)
{
  return (WpCycles){ cycles, 1 };
}

/* Returns A x B as hi x 2^64 + lo, by long multiplication of 32-bit digits. */
static WpSum
multiply (uint64_t a, uint64_t b)
{
  uint64_t a0 = a & UINT32_MAX, a1 = a >> 32;
  uint64_t b0 = b & UINT32_MAX, b1 = b >> 32;
  uint64_t low = a0 * b0;
  uint64_t middle = a1 * b0 + (low >> 32);
  uint64_t carry = middle >> 32;

  middle = (middle & UINT32_MAX) + a0 * b1;
  return (WpSum){ .hi = a1 * b1 + carry + (middle >> 32),
                  .lo = (middle << 32) | (low & UINT32_MAX) };
}

static uint64_t
magnitude (int64_t value)
{
  return value < 0 ? (uint64_t)-value : (uint64_t)value;
}

int
wp_cycles_compare (WpCycles a, WpCycles b)
{
  bool a_negative = a.num < 0, b_negative = b.num < 0;
  int larger;

  if (a_negative != b_negative)
    return a_negative ? -1 : 1;
  larger = wp_sum_compare (multiply (magnitude (a.num), (uint64_t)b.den),
                           multiply (magnitude (b.num), (uint64_t)a.den));
  return a_negative ? -larger : larger;
}

/* Stores A x B, where both are below 2^63 in magnitude. Returns false if the product is not. */
static bool
multiply_checked (int64_t a, int64_t b, int64_t *product)
{
  WpSum wide = multiply (magnitude (a), magnitude (b));

  if (wide.hi != 0 || wide.lo > INT64_MAX)
    return false;
  *product = (a < 0) != (b < 0) ? -(int64_t)wide.lo : (int64_t)wide.lo;
  return true;
}

double
wp_cycles_to_double (WpCycles value)
{
  return (double)value.num / (double)value.den;
}

bool
wp_cycles_add_times (WpCycles a, WpCycles b, uint64_t times, WpCycles *sum)
{
  int64_t common, den, left, right;
  WpCycles scaled;

  if (times > INT64_MAX)
    return false;
  /* First b x times, cancelled against b's denominator. */
  scaled = reduce ((int64_t)times, b.den);
  if (!multiply_checked (scaled.num, b.num, &scaled.num))
    return false;
  common = (int64_t)wp_gcd ((uint64_t)a.den, (uint64_t)scaled.den);
  if (!multiply_checked (a.den / common, scaled.den, &den)
      || !multiply_checked (a.num, scaled.den / common, &left)
      || !multiply_checked (scaled.num, a.den / common, &right))
    return false;
  if ((right > 0 && left > INT64_MAX - right) || (right < 0 && left < -INT64_MAX - right))
    return false;
  *sum = reduce (left + right, den);
  return true;
}

bool
wp_cycles_multiply (WpCycles a, WpCycles b, WpCycles *product)
{
  /* Cancelled crosswise first, so that the product is in lowest terms and overflows only where the
   * result itself does not fit. */
  WpCycles left = reduce (a.num, b.den), right = reduce (b.num, a.den);

  return multiply_checked (left.num, right.num, &product->num)
         && multiply_checked (left.den, right.den, &product->den);
}

WpCycles
wp_cycles_invert (WpCycles value)
{
  return (WpCycles){ value.den, value.num };
}

WpCycles
wp_cycles_round (WpCycles value)
{
  int64_t whole = value.num / value.den, rest = value.num % value.den, den = value.den;
  int64_t hundredths;

  while (den > INT64_MAX / 256) /* so that the products below fit; nobody sees the difference */
    {
      den >>= 1;
      rest >>= 1;
    }
  hundredths = (200 * rest + den) / (2 * den);
  if (whole > (INT64_MAX - 100) / 100)
    return wp_cycles_whole (whole);
  if (whole == 0 && hundredths == 0 && value.num > 0)
    hundredths = 1;
  return reduce (100 * whole + hundredths, 100);
}

bool
wp_cycles_scale (WpCycles value, uint32_t num, uint32_t den, WpCycles *scaled)
{
  return wp_cycles_multiply (value, reduce (num, den), scaled);
}

bool
wp_ticks_per_cycle_join (int64_t *lcm, int64_t den)
{
  int64_t factor = den / (int64_t)wp_gcd ((uint64_t)*lcm, (uint64_t)den);

  if (factor > WP_MAX_TICKS_PER_CYCLE / *lcm)
    return false;
  *lcm *= factor;
  return true;
}

WpTick
wp_cycles_to_ticks (WpCycles value, int64_t ticks_per_cycle)
{
  WpSum wide = multiply (magnitude (value.num), (uint64_t)(ticks_per_cycle / value.den));
  WpTick ticks
      = wide.hi != 0 || wide.lo > (uint64_t)WP_TICK_LIMIT ? WP_TICK_LIMIT : (WpTick)wide.lo;

  return value.num < 0 ? -ticks : ticks;
}

void
wp_sum_add_sum (WpSum *sum, WpSum other)
{
  wp_sum_add (sum, other.lo);
  sum->hi += other.hi;
}

void
wp_sum_add_product (WpSum *sum, uint64_t a, uint64_t b)
{
  wp_sum_add_sum (sum, multiply (a, b));
}

void
wp_sum_add_times (WpSum *sum, WpSum other, uint64_t times)
{
  wp_sum_add_product (sum, other.lo, times);
  sum->hi += other.hi * times;
}

WpSum
wp_sum_subtract (WpSum a, WpSum b)
{
  return (WpSum){ a.hi - b.hi - (a.lo < b.lo), a.lo - b.lo };
}

int
wp_sum_compare (WpSum a, WpSum b)
{
  if (a.hi != b.hi)
    return a.hi < b.hi ? -1 : 1;
  return a.lo == b.lo ? 0 : a.lo < b.lo ? -1 : 1;
}

double
wp_sum_to_double (WpSum sum)
{
  return ldexp ((double)sum.hi, 64) + (double)sum.lo;
}

/* Returns SUM / DIVISOR, and the remainder. DIVISOR must be below 2^32, so that a digit and a
 * remainder fit in a word. */
static WpSum
divide (WpSum sum, uint64_t divisor, uint64_t *rest)
{
  uint64_t digits[4] = { sum.hi >> 32, sum.hi & UINT32_MAX, sum.lo >> 32, sum.lo & UINT32_MAX };

  *rest = 0;
  for (int i = 0; i < 4; i++)
    {
      uint64_t part = (*rest << 32) | digits[i];

      digits[i] = part / divisor;
      *rest = part % divisor;
    }
  return (WpSum){ .hi = (digits[0] << 32) | digits[1], .lo = (digits[2] << 32) | digits[3] };
}

/* Returns SUM / UNIT, and the remainder. Nearly all sums fit in one word, and tables are full of
 * them, so that case is fast. */
static WpSum
divide_sum (WpSum sum, uint64_t unit, uint64_t *rest)
{
  if (sum.hi != 0)
    return divide (sum, unit, rest);
  *rest = sum.lo % unit;
  return (WpSum){ 0, sum.lo / unit };
}

/* ---- Text ---- */

static int
count_digits (uint64_t number)
{
  for (int n = 1;; n += 4, number /= 10000)
    {
      if (number < 10)
        return n;
      if (number < 100)
        return n + 1;
      if (number < 1000)
        return n + 2;
      if (number < 10000)
        return n + 3;
    }
}

/* Writes the last digits of NUMBER from FROM up to END, two at a time. */
static void
write_digits (uint64_t number, char *from, char *end)
{
  static const char pairs[]
      = "00010203040506070809101112131415161718192021222324252627282930313233343536373839"
        "40414243444546474849505152535455565758596061626364656667686970717273747576777879"
        "8081828384858687888990919293949596979899";

  for (; end - from >= 2; number /= 100)
    {
      end -= 2;
      memcpy (end, pairs + 2 * (number % 100), 2);
    }
  if (end > from)
    *from = (char)('0' + number % 10);
}

char *
wp_whole_write (uint64_t number, char *at)
{
  char *end = at + count_digits (number);

  write_digits (number, at, end);
  return end;
}

/* Writes the digits of WHOLE at AT and returns their end. */
static char *
write_whole (WpSum whole, char *at)
{
  uint64_t rest;
  char *end;

  if (whole.hi == 0)
    return wp_whole_write (whole.lo, at);
  whole = divide (whole, 1000000000, &rest);
  end = write_whole (whole, at) + 9;
  write_digits (rest, end - 9, end);
  return end;
}

static char *
write_sum (WpSum sum, int64_t ticks_per_cycle, char *at)
{
  uint64_t unit = (uint64_t)ticks_per_cycle;
  uint64_t rest, millionths;
  WpSum whole = divide_sum (sum, unit, &rest);

  if (rest == 0)
    return write_whole (whole, at);
  millionths = (2 * rest * 1000000 + unit) / (2 * unit); /* rest < 2^31: stays below 2^53 */
  if (millionths == 1000000)
    {
      wp_sum_add (&whole, 1);
      millionths = 0;
    }
  at = write_whole (whole, at);
  if (millionths == 0)
    return at;
  *at = '.';
  write_digits (millionths, at + 1, at + 7);
  for (at += 7; at[-1] == '0';)
    at--;
  return at;
}

char *
wp_sum_format (WpSum sum, int64_t ticks_per_cycle, char buffer[WP_TIME_CHARS])
{
  *write_sum (sum, ticks_per_cycle, buffer) = '\0';
  return buffer;
}

char *
wp_tick_write (WpTick ticks, int64_t ticks_per_cycle, char *at)
{
  if (ticks < 0)
    *at++ = '-';
  return write_sum ((WpSum){ 0, magnitude (ticks) }, ticks_per_cycle, at);
}

char *
wp_tick_format (WpTick ticks, int64_t ticks_per_cycle, char buffer[WP_TIME_CHARS])
{
  *wp_tick_write (ticks, ticks_per_cycle, buffer) = '\0';
  return buffer;
}

char *
wp_cycles_format (WpCycles value, char buffer[WP_TIME_CHARS])
{
  int64_t scale = 1;
  int places = 0;

  while (places < MAX_DIGITS && scale % value.den != 0)
    {
      scale *= 10;
      places++;
    }
  if (value.den == 1)
    snprintf (buffer, WP_TIME_CHARS, "%lld", (long long)value.num);
  else if (places <= 6 && scale % value.den == 0 && magnitude (value.num) < INT64_MAX / 1000000)
    {
      uint64_t scaled = magnitude (value.num) * (uint64_t)(scale / value.den);

      snprintf (buffer, WP_TIME_CHARS, "%s%llu.%0*llu", value.num < 0 ? "-" : "",
                (unsigned long long)(scaled / (uint64_t)scale), places,
                (unsigned long long)(scaled % (uint64_t)scale));
    }
  else
    snprintf (buffer, WP_TIME_CHARS, "%lld/%lld", (long long)value.num, (long long)value.den);
  return buffer;
}
