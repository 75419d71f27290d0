/* SPDX-License-Identifier: MIT */
/* integer.cu. */
#include "tests/cuda/execute/reference.h"

#include <stdbool.h>
#include <stdlib.h>

enum
{
  N = 250
};

static uint64_t
high_product (uint64_t a, uint64_t b)
{
  uint64_t low = (a & 0xffffffff) * (b & 0xffffffff),
           cross = (a >> 32) * (b & 0xffffffff) + (low >> 32);
  uint64_t other = (a & 0xffffffff) * (b >> 32) + (cross & 0xffffffff);

  return (a >> 32) * (b >> 32) + (cross >> 32) + (other >> 32);
}

static void
divide_64 (void)
{
  uint64_t *x = ref_longs ("X", N), *y = ref_new (N * 8), *out = ref_new (4 * N * 8);

  for (int i = 0; i < N; i++)
    {
      y[i] = ((uint64_t)ref_random () << 32 | ref_random ()) >> (ref_random () % 64);
      y[i] = y[i] == 0 ? 1 : i % 3 == 0 ? -y[i] : y[i];
    }
  ref_give ("Y", y, N * 8);
  for (int i = 0; i < N; i++)
    {
      out[4 * i] = x[i] / y[i];
      out[4 * i + 1] = x[i] % y[i];
      out[4 * i + 2] = (uint64_t)((int64_t)x[i] / (int64_t)y[i]);
      out[4 * i + 3] = (uint64_t)((int64_t)x[i] % (int64_t)y[i]);
    }
  ref_same ("OUT", out, 8, 4 * N);
}

static void
divide_32 (void)
{
  uint32_t *x = ref_words ("X", N), *y = ref_new (N * 4), *out = ref_new (4 * N * 4);

  for (int i = 0; i < N; i++)
    {
      y[i] = ref_random () >> (ref_random () % 32);
      y[i] = y[i] == 0 ? 1 : i % 3 == 0 ? -y[i] : y[i];
    }
  ref_give ("Y", y, N * 4);
  for (int i = 0; i < N; i++)
    {
      out[4 * i] = x[i] / y[i];
      out[4 * i + 1] = x[i] % y[i];
      out[4 * i + 2] = (uint32_t)((int64_t)(int32_t)x[i] / (int32_t)y[i]);
      out[4 * i + 3] = (uint32_t)((int64_t)(int32_t)x[i] % (int32_t)y[i]);
    }
  ref_same ("OUT", out, 4, 4 * N);
}

static void
divide_constant (void)
{
  int32_t *x = (int32_t *)ref_words ("X", N);
  uint32_t *out = ref_new (4 * N * 4);

  for (int i = 0; i < N; i++)
    {
      out[4 * i] = (uint32_t)(x[i] / 7);
      out[4 * i + 1] = (uint32_t)(x[i] % 1000);
      out[4 * i + 2] = (uint32_t)x[i] / 641u;
      out[4 * i + 3] = (uint32_t)(x[i] / 16 + (int16_t)x[i] / 3);
    }
  ref_same ("OUT", out, 4, 4 * N);
}

static int32_t
low_24 (uint64_t value)
{
  return (int32_t)((uint32_t)value << 8) >> 8;
}

static void
multiply_wide (void)
{
  uint64_t *x = ref_longs ("X", N), *y = ref_longs ("Y", N), *out = ref_new (8 * N * 8);

  for (int i = 0; i < N; i++)
    {
      uint64_t a = x[i], b = y[i], *to = out + 8 * i;
      int64_t low = (int64_t)(int32_t)a * (int32_t)b;

      to[0] = a * b;
      to[1] = high_product (a, b);
      to[2] = to[1] - (a >> 63 ? b : 0) - (b >> 63 ? a : 0);
      to[3] = (a & 0xffffffff) * (b & 0xffffffff);
      to[4] = (uint64_t)low + a;
      to[5] = (to[3] >> 32) + ((uint64_t)(low >> 32) << 32);
      to[6] = (uint64_t)(int64_t)(int32_t)((uint32_t)low_24 (a) * (uint32_t)low_24 (b))
              + ((uint64_t)(uint32_t)((a & 0xffffff) * (b & 0xffffff)) << 32);
      to[7] = a - b + (a < b) + ((int64_t)a < (int64_t)b ? 10 : 20);
    }
  ref_same ("OUT", out, 8, 8 * N);
}

static int
count_ones (uint64_t value)
{
  int count = 0;

  for (; value != 0; value &= value - 1)
    count++;
  return count;
}

/* Of BITS bits. */
static int
count_leading (uint64_t value, int bits)
{
  int count = 0;

  while (count < bits && !(value >> (bits - 1 - count) & 1))
    count++;
  return count;
}

static uint64_t
reverse (uint64_t value, int bits)
{
  uint64_t result = 0;

  for (int i = 0; i < bits; i++)
    result |= (value >> i & 1) << (bits - 1 - i);
  return result;
}

static void
count_bits (void)
{
  uint64_t *x = ref_longs ("X", N);
  uint32_t *out = ref_new (8 * N * 4);

  x[7] = 0;
  x[8] = (uint64_t)1 << 40;
  ref_give ("X", x, N * 8);
  for (int i = 0; i < N; i++)
    {
      uint64_t a = x[i];
      uint32_t low = (uint32_t)a, *to = out + 8 * i;

      to[0] = (uint32_t)count_ones (low);
      to[1] = (uint32_t)count_ones (a);
      to[2] = (uint32_t)count_leading (low, 32);
      to[3] = (uint32_t)count_leading (a, 64);
      to[4] = low == 0 ? 0 : 1 + (uint32_t)count_leading (reverse (low, 32), 32);
      to[5] = a == 0 ? 0 : 1 + (uint32_t)count_leading (reverse (a, 64), 64);
      to[6] = (uint32_t)reverse (low, 32);
      to[7] = (uint32_t)(reverse (a, 64) >> 13);
    }
  ref_same ("OUT", out, 4, 8 * N);
}

/* The bytes of LOW and HIGH that the four digits of SELECTOR name; with its fourth bit a byte of
 * signs. */
static uint32_t
permute (uint32_t low, uint32_t high, uint32_t selector)
{
  uint64_t both = (uint64_t)high << 32 | low;
  uint32_t result = 0;

  for (int i = 0; i < 4; i++)
    {
      uint32_t digit = selector >> 4 * i & 15, byte = both >> 8 * (digit & 7) & 0xff;

      result |= (digit & 8 ? (byte & 0x80 ? 0xffu : 0) : byte) << 8 * i;
    }
  return result;
}

static uint32_t
extract (uint32_t value, uint32_t first, uint32_t length, bool is_signed)
{
  uint32_t result = 0, last = first + length > 32 ? 31 : first + length - 1, sign;

  if (length == 0)
    return 0;
  sign = is_signed ? value >> last & 1 : 0;
  for (uint32_t i = 0; i < 32; i++)
    result |= (i < length && first + i < 32 ? value >> (first + i) & 1 : sign) << i;
  return result;
}

static uint32_t
insert (uint32_t value, uint32_t into, uint32_t first, uint32_t length)
{
  for (uint32_t i = 0; i < length && first + i < 32; i++)
    into = (into & ~(1u << (first + i))) | (value >> i & 1) << (first + i);
  return into;
}

static void
move_bits (void)
{
  uint64_t *x = ref_longs ("X", N);
  uint32_t *out = ref_new (12 * N * 4);

  for (int i = 0; i < N; i++)
    {
      uint64_t both = x[i];
      uint32_t low = (uint32_t)both, high = (uint32_t)(both >> 32), shift = low >> 26,
               *to = out + 12 * i;
      uint32_t clamped = shift < 32 ? shift : 32;

      to[0] = permute (low, high, low & 0x7777);
      to[1] = permute (low, high, 0x5140);
      to[2] = (uint32_t)(both << (shift & 31) >> 32);
      to[3] = (uint32_t)(both >> (shift & 31));
      to[4] = clamped == 32 ? low : (uint32_t)(both << clamped >> 32);
      to[5] = (uint32_t)(both >> clamped);
      to[6] = extract (high, shift & 31, low & 31, false);
      to[7] = extract (high, shift & 31, low & 31, true);
      to[8] = insert (high, low, shift & 31, low & 31);
      to[9] = (uint32_t)(both << (shift & 63)) ^ (uint32_t)((int64_t)both >> (low & 63));
      to[10] = (low & high) | (~low & shift) | (high ^ shift);
      /* b4e: byte i, and the three before it. */
      to[11] = permute (low, high, (const uint32_t[]){ 0x5670, 0x6701, 0x7012, 0x0123 }[shift & 3]);
    }
  ref_same ("OUT", out, 4, 12 * N);
}

static uint32_t
get_byte (uint32_t word, int i)
{
  return word >> 8 * i & 0xff;
}

static void
bytes_in_words (void)
{
  uint32_t *x = ref_words ("X", N), *y = ref_words ("Y", N), *out = ref_new (12 * N * 4);

  for (int i = 0; i < N; i++)
    {
      uint32_t a = x[i], b = y[i], *to = out + 12 * i;

      for (int j = 0; j < 4; j++)
        {
          uint32_t c = get_byte (a, j), d = get_byte (b, j), apart = c > d ? c - d : d - c;

          to[0] |= ((c + d) & 0xff) << 8 * j;
          to[1] |= (c > d ? c - d : 0) << 8 * j;
          to[2] |= apart << 8 * j;
          to[3] |= (c + d + 1) / 2 << 8 * j;
          to[5] |= (c > d ? 0xffu : 0) << 8 * j;
          to[6] += (uint32_t)((int8_t)c * (int8_t)d);
          to[7] += c * d;
          to[11] += apart;
        }
      for (int j = 0; j < 2; j++)
        {
          int16_t c = (int16_t)(a >> 16 * j), d = (int16_t)(b >> 16 * j);

          to[4] |= (uint32_t)(uint16_t)(c > d ? c : d) << 16 * j;
          to[8] += (uint32_t)(c * (int8_t)get_byte (b, j));
          to[9] += (uint32_t)(uint16_t)c * get_byte (b, 2 + j);
        }
      to[6] += 1000;
      to[7] += 7;
      to[8] -= 5;
      to[9] += 9;
      to[10] = (a > b ? a - b : b - a) + 3 + ((int32_t)a > (int32_t)b ? a - b : b - a) + 4;
    }
  ref_same ("OUT", out, 4, 12 * N);
}

static void
compare_all (void)
{
  uint64_t *x = ref_longs ("X", N), *y = ref_longs ("Y", N), *out = ref_new (8 * N * 8);

  for (int i = 0; i < N; i += 11)
    y[i] = i % 2 ? x[i] : (x[i] & 0xffffffff) | y[i] << 32;
  ref_give ("Y", y, N * 8);
  for (int i = 0; i < N; i++)
    {
      uint64_t c = x[i], d = y[i], *to = out + 8 * i;
      int64_t a = (int64_t)c, b = (int64_t)d;
      int32_t e = (int32_t)a, f = (int32_t)b;
      int16_t g = (int16_t)(a >> 8), h = (int16_t)(b >> 8);

      to[0] = (uint64_t)(a < b ? a : b);
      to[1] = c > d ? c : d;
      to[2] = (uint64_t)(int64_t)(e < f ? e : f)
              + ((uint64_t)((uint32_t)e > (uint32_t)f ? (uint32_t)e : (uint32_t)f) << 32);
      to[3] = (uint64_t)((a < b) | (a <= b) << 1 | (c > d) << 2 | (c >= d) << 3 | (e < f) << 4
                         | (e != f) << 5 | ((uint32_t)e < (uint32_t)f) << 6 | (g < h) << 7
                         | (g == h) << 8 | (a == b) << 9);
      to[4] = (uint64_t)(int64_t)(e < -1000 ? -1000 : e > 1000 ? 1000 : e);
      to[5] = (uint64_t)(int64_t)(int32_t)(e < 0 ? -(uint32_t)e : (uint32_t)e)
              + (uint64_t)(a >> 1 < 0 ? -(a >> 1) : a >> 1);
      to[6] = (uint64_t)(((int64_t)e + f) >> 1) + (((uint64_t)(uint32_t)e + (uint32_t)f + 1) >> 1);
      to[7] = (uint64_t)(int64_t)((int8_t)a * (int)(uint8_t)b + (int)(uint16_t)g - h);
    }
  ref_same ("OUT", out, 8, 8 * N);
}

const RefCase ref_cases_integer[] = { { "divide_64", divide_64 },
                                      { "divide_32", divide_32 },
                                      { "divide_constant", divide_constant },
                                      { "multiply_wide", multiply_wide },
                                      { "count_bits", count_bits },
                                      { "move_bits", move_bits },
                                      { "bytes_in_words", bytes_in_words },
                                      { "compare_all", compare_all },
                                      { NULL, NULL } };
