/* SPDX-License-Identifier: MIT */
/* bulk-copy.cu. */
#include <string.h>

#include "tests/cuda/execute/reference.h"

static void
bulk_copy (void)
{
  float *in = ref_floats ("IN", 4999, -10, 10), out[4999];

  for (int i = 0; i < 4999; i++)
    out[i] = in[i] + 1;
  ref_same ("OUT", out, 4, 4999);
}

static void
bulk_large (void)
{
  int32_t *in = ref_ints ("IN", 32772, -1000, 1000), *out = ref_new (sizeof *out * 32768);

  for (int i = 0; i < 32768; i++)
    out[i] = in[4 + (i ^ 5)];
  ref_same ("OUT", out, 4, 32768);
}

static void
bulk_pipeline (void)
{
  int32_t *a = ref_ints ("A", 3584, -1000, 1000), *b = ref_ints ("B", 3584, -1000, 1000);
  int32_t out[512] = { 0 };

  for (int block = 0; block < 2; block++)
    for (int k = 0; k < 7; k++)
      for (int i = 0; i < 256; i++)
        out[block * 256 + i] += a[(block * 7 + k) * 256 + i] * b[(block * 7 + k) * 256 + 255 - i];
  ref_same ("OUT", out, 4, 512);
}

static void
bulk_memcpy (void)
{
  float *in = ref_floats ("IN", 6000, -10, 10), out[6000];

  for (int i = 0; i < 6000; i++)
    out[i] = in[i / 1000 * 1000 + 999 - i % 1000];
  ref_same ("OUT", out, 4, 6000);
}

static void
bulk_memcpy_threads (void)
{
  int32_t *in = ref_ints ("IN", 512, -1000, 1000), out[512];

  for (int i = 0; i < 512; i++)
    out[i] = in[i ^ 33 * 4];
  ref_same ("OUT", out, 4, 512);
}

static void
bulk_add (void)
{
  int32_t *in = ref_ints ("IN", 1280, -1000, 1000), *sums = ref_ints ("SUMS", 256, -1000, 1000);
  float *floats = ref_floats ("FLOATS", 1280, -10, 10);
  float *float_sums = ref_floats ("FLOAT_SUMS", 256, -10, 10);

  for (int i = 0; i < 1280; i++) /* in the order of the blocks */
    {
      sums[i % 256] += in[i];
      float_sums[i % 256] += floats[i];
    }
  ref_same ("SUMS", sums, 4, 256);
  ref_same ("FLOAT_SUMS", float_sums, 4, 256);
}

/* Eighths, or doubles, of which no sum rounds, for the last four reductions. */
static void
put_floats (uint32_t *words)
{
  for (int i = 0; i < 4; i++)
    {
      const double value = ref_number (-1000, 1000) / 8.0;

      memcpy (words + 2 * i, &value, sizeof value);
    }
  for (int i = 0; i < 8; i++)
    for (int k = 0; k < 3; k++)
      {
        const double low = ref_number (-60, 60) / 8.0, high = ref_number (-60, 60) / 8.0;

        words[8 + 8 * k + i] = k < 2 ? ref_half (low) | (uint32_t)ref_half (high) << 16
                                     : ref_bfloat (low) | (uint32_t)ref_bfloat (high) << 16;
      }
}

static uint32_t
reduce_word (int operation, uint32_t old, uint32_t x)
{
  switch (operation)
    {
    case 0:
      return old < x ? old : x;
    case 1:
      return old > x ? old : x;
    case 2:
      return (int32_t)old < (int32_t)x ? old : x;
    case 3:
      return (int32_t)old > (int32_t)x ? old : x;
    case 4:
      return old >= x ? 0 : old + 1;
    case 5:
      return old == 0 || old > x ? x : old - 1;
    case 6:
      return old & x;
    default:
      return old | x;
    }
}

static uint64_t
reduce_long (int operation, uint64_t old, uint64_t x)
{
  double left, right;

  switch (operation)
    {
    case 8:
      return old ^ x;
    case 9:
      return old + x;
    case 10:
      return (int64_t)old < (int64_t)x ? old : x;
    case 11:
      return old > x ? old : x;
    default:
      memcpy (&left, &old, sizeof left);
      memcpy (&right, &x, sizeof right);
      return ref_bits_double (left + right);
    }
}

static uint16_t
reduce_half (int operation, uint16_t old, uint16_t x)
{
  if (operation == 15)
    return ref_bfloat (ref_from_bfloat (old) + ref_from_bfloat (x));
  if (operation == 13)
    return ref_half (ref_from_half (old) + ref_from_half (x));
  return ref_from_half (old) > ref_from_half (x) ? old : x;
}

static void
bulk_reduce (void)
{
  uint32_t in[256], out[128];

  for (int i = 0; i < 256; i++)
    in[i] = ref_random ();
  put_floats (in + 96);
  put_floats (in + 128 + 96);
  ref_give ("IN", in, sizeof in);
  memcpy (out, in, sizeof out);
  for (int i = 0; i < 64; i++)
    out[i] = reduce_word (i / 8, in[i], in[128 + i]);
  for (int i = 64; i < 104; i += 2)
    {
      uint64_t old, x;

      memcpy (&old, in + i, sizeof old);
      memcpy (&x, in + 128 + i, sizeof x);
      old = reduce_long (i / 8, old, x);
      memcpy (out + i, &old, sizeof old);
    }
  for (int i = 104; i < 128; i++)
    out[i] = reduce_half (i / 8, (uint16_t)in[i], (uint16_t)in[128 + i])
             | (uint32_t)reduce_half (i / 8, in[i] >> 16, in[128 + i] >> 16) << 16;
  ref_same ("OUT", out, 4, 128);
}

static void
bulk_within (void)
{
  int32_t *in = ref_ints ("IN", 256, -1000, 1000), out[256];

  for (int block = 0; block < 256; block += 128)
    for (int t = 0; t < 64; t++)
      {
        out[block + t] = in[block + 64 + t];
        out[block + 64 + t] = 1000 * t + in[block + t];
      }
  ref_same ("OUT", out, 4, 256);
}

static void
bulk_counts (void)
{
  int32_t *in = ref_ints ("IN", 32, -1000, 1000), out[33];

  memcpy (out, in, 32 * sizeof *in);
  out[32] = 0x093; /* over at the fifth, eighth, eleventh and twelfth question */
  ref_same ("OUT", out, 4, 33);
}

static void
bulk_lanes (void)
{
  int32_t *in = ref_ints ("IN", 2048, -1000, 1000), out[2048];

  for (int i = 0; i < 2048; i++)
    {
      const int block = i / 1024, t = i / 16 % 64 ^ 1;

      out[i] = i % 16 < t % 4 * 4 ? in[(block * 64 + 63 - t) * 16 + i % 16] : -1;
    }
  ref_same ("OUT", out, 4, 2048);
}

static void
bulk_prefetch (void)
{
  int32_t *in = ref_ints ("IN", 2048, -1000, 1000), out[2048];

  for (int i = 0; i < 2048; i++)
    out[i] = in[i] * 3;
  ref_same ("OUT", out, 4, 2048);
}

static void
bulk_masked (void)
{
  uint8_t *in = ref_bytes ("IN", 128, 0, 255), out[64];

  for (int i = 0; i < 64; i++)
    out[i] = 0x8c71 >> i % 16 & 1 ? in[i] : in[64 + i];
  ref_same ("OUT", out, 1, 64);
}

static void
bulk_spaces (void)
{
  static const int32_t spaces[] = { 0xc, 0x2, 0x1 };
  int32_t out[32];

  for (int t = 0; t < 32; t++)
    out[t] = spaces[t % 3];
  ref_same ("OUT", out, 4, 32);
}

const RefCase ref_cases_bulk[] = { { "bulk_copy", bulk_copy },
                                   { "bulk_large", bulk_large },
                                   { "bulk_pipeline", bulk_pipeline },
                                   { "bulk_memcpy", bulk_memcpy },
                                   { "bulk_memcpy_threads", bulk_memcpy_threads },
                                   { "bulk_add", bulk_add },
                                   { "bulk_reduce", bulk_reduce },
                                   { "bulk_within", bulk_within },
                                   { "bulk_counts", bulk_counts },
                                   { "bulk_lanes", bulk_lanes },
                                   { "bulk_prefetch", bulk_prefetch },
                                   { "bulk_masked", bulk_masked },
                                   { "bulk_spaces", bulk_spaces },
                                   { NULL, NULL } };
