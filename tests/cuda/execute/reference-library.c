/* SPDX-License-Identifier: MIT */
/* groups.cu and cub.cu. */
#include "tests/cuda/execute/reference.h"

#include <stdlib.h>
#include <string.h>

static void
tile_sum (void)
{
  int32_t *in = ref_ints ("IN", 288, -1000, 1000), *out = ref_new (3 * 288 * 4);

  for (int i = 0; i < 288; i++)
    {
      int32_t *to = out + 3 * i;

      to[1] = -1000;
      for (int j = 0; j < 32; j++)
        {
          int other = i / 32 * 32 + j;

          to[0] += other / 4 == i / 4 ? in[other] : 0;
          to[1] = other / 16 == i / 16 && in[other] > to[1] ? in[other] : to[1];
          to[2] ^= in[other];
        }
      to[2] += i % 96 / 32 + i % 16;
    }
  ref_same ("OUT", out, 4, 3 * 288);
}

static void
tile_scan (void)
{
  int32_t *in = ref_ints ("IN", 128, -1000, 1000), *out = ref_new (3 * 128 * 4);

  for (int i = 0; i < 128; i++)
    {
      const int32_t *tile = in + i / 16 * 16;
      int32_t *to = out + 3 * i, any = 0, ballot = 0;

      for (int j = 0; j < 16; j++)
        {
          to[0] += j <= i % 16 ? tile[j] : 0;
          to[1] += j < i % 16 ? tile[j] : 0;
          any |= tile[j] > 900;
          ballot |= (tile[j] > 0) << j;
        }
      to[2] = tile[3] + tile[i % 16 + 2 > 15 ? i % 16 : i % 16 + 2] + any + ballot;
    }
  ref_same ("OUT", out, 4, 3 * 128);
}

static int
compare_ints (const void *a, const void *b)
{
  int32_t x = *(const int32_t *)a, y = *(const int32_t *)b;

  return (x > y) - (x < y);
}

/* In any order. */
static void
coalesced (void)
{
  int32_t *in = ref_ints ("IN", 256, -1000, 1000), sorted[256] = { 0 }, n = 0;
  const int32_t *dumped;

  for (int i = 0; i < 256; i++)
    if (in[i] > 0)
      in[n++] = in[i];
  ref_same ("COUNT", &n, 4, 1);
  dumped = ref_dumped ("OUT", (size_t)n * 4);
  if (dumped == NULL)
    return;
  memcpy (sorted, dumped, (size_t)n * 4);
  qsort (sorted, (size_t)n, 4, compare_ints);
  qsort (in, (size_t)n, 4, compare_ints);
  for (int i = 0; i < n; i++)
    if (sorted[i] != in[i])
      ref_wrong ("OUT, sorted: %d at %d, expected %d", sorted[i], i, in[i]);
}

static void
labeled (void)
{
  int32_t *in = ref_ints ("IN", 128, 0, 1000), out[128];

  for (int i = 0; i < 128; i++)
    {
      int sum = 0, size = 0;

      for (int j = i / 32 * 32; j < i / 32 * 32 + 32; j++)
        if ((in[j] & 3) == (in[i] & 3))
          {
            sum += in[j];
            size++;
          }
      out[i] = sum * 100 + size;
    }
  ref_same ("OUT", out, 4, 128);
}

static void
block_group (void)
{
  int32_t *in = ref_ints ("IN", 384, -1000, 1000), out[3] = { -1000, -1000, -1000 };

  for (int i = 0; i < 384; i++)
    out[i / 128] = in[i] > out[i / 128] ? in[i] : out[i / 128];
  ref_same ("OUT", out, 4, 3);
}

static void
wmma_half (void)
{
  uint16_t *a = ref_halves ("A", 1024, -1, 1), *b = ref_halves ("B", 1024, -1, 1);
  double out[1024] = { 0 };

  for (int i = 0; i < 1024; i++)
    for (int k = 0; k < 32; k++)
      out[i] += ref_from_half (a[i / 32 * 32 + k]) * ref_from_half (b[k * 32 + i % 32]) * 0.5;
  ref_near ("C", out, 1024, 1e-5, 1e-5);
}

static void
wmma_bytes (void)
{
  int8_t *a = (int8_t *)ref_bytes ("A", 1024, 0, 255), *b = (int8_t *)ref_bytes ("B", 1024, 0, 255);
  int32_t out[1024];

  for (int i = 0; i < 1024; i++)
    {
      out[i] = 7;
      for (int k = 0; k < 32; k++)
        out[i] += a[i / 32 * 32 + k] * b[i % 32 * 32 + k];
    }
  ref_same ("C", out, 4, 1024);
}

static void
atomic_reference (void)
{
  int32_t *in = ref_ints ("IN", 256, -1000, 1000), out[4] = { 0, 0, 512, 77 };

  for (int i = 0; i < 256; i++)
    {
      out[0] += in[i];
      out[1] = in[i] > out[1] ? in[i] : out[1];
    }
  ref_same ("OUT", out, 4, 4);
}

/* Numbers of 128 bits in four words, the least first. */
typedef struct
{
  uint32_t word[4];
} Wide;

static Wide
make_wide (uint64_t high, uint64_t low)
{
  return (Wide){ { (uint32_t)low, (uint32_t)(low >> 32), (uint32_t)high, (uint32_t)(high >> 32) } };
}

static Wide
add (Wide a, Wide b)
{
  uint64_t carry = 0;

  for (int i = 0; i < 4; i++)
    {
      carry += (uint64_t)a.word[i] + b.word[i];
      a.word[i] = (uint32_t)carry;
      carry >>= 32;
    }
  return a;
}

static Wide
multiply (Wide a, Wide b)
{
  Wide sum = { { 0 } };

  for (int i = 0; i < 4; i++)
    for (int j = 0; i + j < 4; j++)
      {
        uint64_t product = (uint64_t)a.word[i] * b.word[j];
        Wide part = { { 0 } };

        part.word[i + j] = (uint32_t)product;
        if (i + j < 3)
          part.word[i + j + 1] = (uint32_t)(product >> 32);
        sum = add (sum, part);
      }
  return sum;
}

static uint64_t
get_half (Wide a, int i)
{
  return (uint64_t)a.word[2 * i + 1] << 32 | a.word[2 * i];
}

static Wide
shift_left (Wide a, int bits)
{
  while (bits-- > 0)
    a = add (a, a);
  return a;
}

static uint64_t
get_rest (Wide a, uint64_t divisor)
{
  uint64_t rest = 0;

  for (int i = 127; i >= 0; i--)
    {
      int is_over = rest >> 63 != 0;

      rest = rest << 1 | (a.word[i / 32] >> i % 32 & 1);
      if (is_over || rest >= divisor)
        rest -= divisor;
    }
  return rest;
}

static void
wide_numbers (void)
{
  uint64_t *x = ref_longs ("X", 128), *y = ref_longs ("Y", 128), out[6 * 128];

  for (int i = 0; i < 128; i++)
    {
      Wide a = make_wide (x[i], y[i]), b = multiply (make_wide (0, y[i]), make_wide (0, x[i]));
      Wide sum = add (a, b), product = multiply (a, b);
      uint64_t *to = out + 6 * i;

      to[0] = get_half (sum, 0);
      to[1] = get_half (sum, 1);
      to[2] = get_half (product, 0);
      to[3] = get_half (product, 1);
      to[4] = get_rest (sum, x[i] | 1);
      to[5] = get_half (shift_left (product, 13), 1) ^ get_half (shift_left (product, 13), 0)
              ^ get_half (product, 1) >> 51;
    }
  ref_same ("OUT", out, 8, 6 * 128);
}

static void
standard (void)
{
  float *in = ref_floats ("IN", 256, -1, 1);
  double out[256];

  for (int i = 0; i < 128; i++)
    {
      double x = (double)in[2 * i], y = (double)in[2 * i + 1], real = 1, imaginary = 0, next;

      for (int j = 0; j < (i & 7); j++)
        {
          next = real * x - imaginary * y;
          imaginary = real * y + imaginary * x;
          real = next;
        }
      out[2 * i] = real + (x * x - y * y) * (i % 4 + 1);
      out[2 * i + 1] = imaginary + 2 * x * y * (i % 4 + 1) + x * x + y * y;
    }
  ref_near ("OUT", out, 256, 1e-5, 1e-5);
}

static void
copy_async (void)
{
  int32_t *in = ref_ints ("IN", 512, -1000, 1000), out[512];

  for (int i = 0; i < 512; i++)
    out[i] = in[i ^ 255];
  ref_same ("OUT", out, 4, 512);
}

static void
cub_reduce (void)
{
  int32_t *in = ref_ints ("IN", 1536, -1000, 1000), sums[3] = { 0 };

  for (int i = 0; i < 1536; i++)
    sums[i / 512] += in[i];
  ref_same ("OUT", sums, 4, 3);
}

static void
cub_scan (void)
{
  uint64_t *in = ref_longs ("IN", 768);

  for (int i = 0; i < 768; i++)
    in[i] += i % 384 > 0 ? in[i - 1] : 0;
  ref_same ("OUT", in, 8, 768);
}

static int
compare_keys (const void *a, const void *b)
{
  uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;

  return (x > y) - (x < y);
}

/* Keys differ in what the place adds, so that the order is one. */
static void
cub_sort (void)
{
  uint32_t keys[512];
  int32_t values[512];
  uint64_t pairs[512];

  for (uint32_t i = 0; i < 512; i++)
    {
      keys[i] = ref_random () >> i % 20 << 9 | i;
      values[i] = (int32_t)i * 3;
      pairs[i] = (uint64_t)keys[i] << 32 | (uint32_t)values[i];
    }
  ref_give ("KEYS", keys, sizeof keys);
  ref_give ("VALUES", values, sizeof values);
  qsort (pairs, 256, 8, compare_keys);
  qsort (pairs + 256, 256, 8, compare_keys);
  for (int i = 0; i < 512; i++)
    {
      keys[i] = (uint32_t)(pairs[i] >> 32);
      values[i] = (int32_t)pairs[i];
    }
  ref_same ("KEYS", keys, 4, 512);
  ref_same ("VALUES", values, 4, 512);
}

static void
cub_warp (void)
{
  double *in = ref_doubles ("IN", 128, -1000, 1000), out[128];

  for (int i = 0; i < 128; i++)
    {
      double most = -1000;

      out[i] = 0;
      for (int j = i / 32 * 32; j < i / 32 * 32 + 32; j++)
        {
          most = in[j] > most ? in[j] : most;
          out[i] += j < i ? (int)in[j] : 0;
        }
      out[i] += most;
    }
  ref_same ("OUT", out, 8, 128);
}

static void
cub_histogram (void)
{
  uint8_t *in = ref_bytes ("IN", 512, 0, 31);
  uint32_t counts[32] = { 0 };

  for (int i = 0; i < 512; i++)
    counts[in[i]]++;
  ref_same ("OUT", counts, 4, 32);
}

static void
cub_differences (void)
{
  int32_t *in = ref_ints ("IN", 256, -1000, 1000), out[256];

  for (int i = 0; i < 256; i++)
    out[i] = in[i] - (i > 0 ? in[i - 1] : 0);
  ref_same ("OUT", out, 4, 256);
}

static int
compare_floats_down (const void *a, const void *b)
{
  float x = *(const float *)a, y = *(const float *)b;

  return (x < y) - (x > y);
}

static void
cub_merge_sort (void)
{
  float *data = ref_floats ("DATA", 384, -1, 1);

  qsort (data, 192, 4, compare_floats_down);
  qsort (data + 192, 192, 4, compare_floats_down);
  ref_same ("DATA", data, 4, 384);
}

const RefCase ref_cases_library[] = { { "tile_sum", tile_sum },
                                      { "tile_scan", tile_scan },
                                      { "coalesced", coalesced },
                                      { "labeled", labeled },
                                      { "block_group", block_group },
                                      { "wmma_half", wmma_half },
                                      { "wmma_bytes", wmma_bytes },
                                      { "atomic_reference", atomic_reference },
                                      { "wide_numbers", wide_numbers },
                                      { "standard", standard },
                                      { "copy_async", copy_async },
                                      { "cub_reduce", cub_reduce },
                                      { "cub_scan", cub_scan },
                                      { "cub_sort", cub_sort },
                                      { "cub_warp", cub_warp },
                                      { "cub_histogram", cub_histogram },
                                      { "cub_differences", cub_differences },
                                      { "cub_merge_sort", cub_merge_sort },
                                      { NULL, NULL } };
