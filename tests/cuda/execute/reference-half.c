/* SPDX-License-Identifier: MIT */
/* half.cu. */
#include "tests/cuda/execute/reference.h"

#include <math.h>
#include <stdbool.h>

static uint32_t
pair (uint16_t low, uint16_t high)
{
  return low | (uint32_t)high << 16;
}

static void
half_pairs (void)
{
  uint16_t *x = ref_halves ("X", 240, -4, 4), *y = ref_halves ("Y", 240, -4, 4),
           *out = ref_new (16 * 120 * 2);

  for (int i = 0; i < 240; i++)
    {
      uint16_t *to = out + i / 2 * 16 + i % 2;
      double a = ref_from_half (x[i]), b = ref_from_half (y[i]), sum = a + b;

      to[0] = ref_half (sum);
      to[2] = ref_half (a * b);
      to[4] = ref_half (a * b + (i % 2 ? -2 : 1));
      to[6] = ref_half (a - ref_from_half (y[i ^ 1]));
      to[8] = x[i] ^ 0x8000;
      to[10] = y[i] & 0x7fff;
      to[12] = ref_half (sum < 0 ? 0 : sum > 1 ? 1 : sum);
      to[14] = ref_half (ref_from_half (x[i & ~1]) * ref_from_half (y[i | 1]) + a);
    }
  ref_same ("OUT", out, 2, 16 * 120);
}

static void
half_single (void)
{
  uint16_t *x = ref_halves ("X", 120, -40, 40), *y = ref_halves ("Y", 120, -40, 40);
  float *out = ref_new (6 * 120 * sizeof *out);

  for (int i = 0; i < 120; i++)
    {
      double a = ref_from_half (x[i]), b = ref_from_half (y[i]);
      float scaled = (float)a * 3.14159F;

      out[6 * i] = (float)ref_from_half (ref_half (a + b));
      out[6 * i + 1] = (float)ref_from_half (ref_half (a * b + a));
      out[6 * i + 2] = (float)(a * b);
      out[6 * i + 3] = (float)fmax (a, b) + (float)fmin (a, b);
      out[6 * i + 4] = (float)nearbyint (a) + (float)trunc (b);
      out[6 * i + 5] = (float)ref_from_half (ref_half ((double)scaled));
    }
  ref_same ("OUT", out, 4, 6 * 120);
}

static void
half_compare (void)
{
  uint16_t *x = ref_halves ("X", 240, -2, 2), *y = ref_halves ("Y", 240, -2, 2);
  uint32_t *out = ref_new (4 * 120 * 4);

  for (int i = 0; i < 240; i += 5)
    y[i] = x[i];
  ref_give ("Y", y, 240 * 2);
  for (int i = 0; i < 120; i++)
    {
      double a = ref_from_half (x[2 * i]), b = ref_from_half (x[2 * i + 1]);
      double c = ref_from_half (y[2 * i]), d = ref_from_half (y[2 * i + 1]);

      out[4 * i] = pair (a > c ? 0x3c00 : 0, b > d ? 0x3c00 : 0) ^ 0x3c003c00;
      out[4 * i + 1] = (uint32_t)((a > c && b > d) | (a <= c && b <= d) << 1
                                  | (a == c && b == d) << 2 | (a != c && b != d) << 3);
      out[4 * i + 2] = pair (a < c ? 0xffff : 0, b < d ? 0xffff : 0);
      out[4 * i + 3] = pair (ref_half (a > c ? a : c), ref_half (b > d ? b : d));
    }
  ref_same ("OUT", out, 4, 4 * 120);
}

static void
half_axpy (void)
{
  uint16_t *x = ref_halves ("X", 360, -100, 100), *y = ref_halves ("Y", 360, -1, 1),
           *out = ref_new (360 * 2);

  for (int i = 0; i < 360; i++)
    out[i] = ref_half (0.5 * ref_from_half (x[i]) + ref_from_half (y[i]));
  ref_same ("Y", out, 2, 360);
}

static void
half_functions (void)
{
  uint16_t *x = ref_halves ("X", 256, 0.1, 3);
  double *out = ref_new (12 * 128 * sizeof *out);

  for (int i = 0; i < 256; i++)
    {
      double a = ref_from_half (x[i]), *to = out + i / 2 * 12 + i % 2;

      to[0] = exp (a);
      to[2] = log (a);
      to[4] = sqrt (a);
      to[6] = 1 / a;
      to[8] = sin (a);
      to[10] = 1.5 / a;
    }
  ref_near ("OUT", out, 12 * 128, 0.001, 0.0006);
}

static void
bfloat_pairs (void)
{
  uint16_t *x = ref_bfloats ("X", 240, -4, 4), *y = ref_bfloats ("Y", 240, -4, 4);
  float *out = ref_new (12 * 120 * sizeof *out);

  for (int i = 0; i < 240; i++)
    {
      float *to = out + i / 2 * 12 + i % 2;
      double a = ref_from_bfloat (x[i]), b = ref_from_bfloat (y[i]);
      float scaled = i % 2 ? (float)b * 0.3F : (float)a * 1.7F;

      to[0] = (float)ref_from_bfloat (ref_bfloat (a + b));
      to[2] = (float)ref_from_bfloat (ref_bfloat (a * b));
      to[4] = (float)ref_from_bfloat (ref_bfloat (a * b + a));
      to[6] = (float)fmax (a, b);
      to[8] = (float)ref_from_bfloat (ref_bfloat ((double)scaled));
      to[10] = (float)-ref_from_bfloat (ref_bfloat (a - b));
    }
  ref_same ("OUT", out, 4, 12 * 120);
}

static void
half_specials (void)
{
  static const uint16_t codes[16]
      = { 0,      0x8000, 0x3c00, 0xbc00, 0x7c00, 0xfc00, 0x7e00, 1,
          0x8003, 0x03ff, 0x0400, 0x7bff, 0xfbff, 0x3555, 0x1400, 0x5c37 };
  uint16_t x[128], y[128], out[4 * 128];

  for (int i = 0; i < 128; i++)
    {
      x[i] = codes[i % 16];
      y[i] = codes[(i / 16 * 2 + i % 16 * 3 + i / 64) % 16];
    }
  ref_give ("X", x, sizeof x);
  ref_give ("Y", y, sizeof y);
  for (int i = 0; i < 128; i++)
    {
      double a = ref_from_half (x[i]), b = ref_from_half (y[i]);
      float scaled = (float)a * 0.37F;

      out[4 * i] = ref_half (a + b);
      out[4 * i + 1] = ref_half (a * b);
      out[4 * i + 2] = ref_half (a * b + b);
      out[4 * i + 3] = ref_half ((double)scaled);
    }
  ref_same ("OUT", out, 2, 4 * 128);
}

const RefCase ref_cases_half[]
    = { { "half_pairs", half_pairs },         { "half_single", half_single },
        { "half_compare", half_compare },     { "half_axpy", half_axpy },
        { "half_functions", half_functions }, { "bfloat_pairs", bfloat_pairs },
        { "half_specials", half_specials },   { NULL, NULL } };
