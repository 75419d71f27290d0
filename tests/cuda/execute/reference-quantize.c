/* SPDX-License-Identifier: MIT */
/* quantize.cu. */
#include "tests/cuda/execute/reference.h"

#include <fenv.h>
#include <math.h>
#include <string.h>

/* A format of floating point with a sign; from the code LARGEST + 1 on, of the positive ones, is
 * nothing that a conversion saturates to. */
typedef struct
{
  int exponent, fraction; /* bits */
  uint32_t largest;
  uint32_t nan, infinity; /* codes, 0: there is none */
} Format;

static const Format e4m3 = { 4, 3, 0x7e, 0x7f, 0 }, e5m2 = { 5, 2, 0x7b, 0x7f, 0x7c },
                    e2m3 = { 2, 3, 0x1f, 0, 0 }, e3m2 = { 3, 2, 0x1f, 0, 0 },
                    e2m1 = { 2, 1, 0x07, 0, 0 };

static double
value_of (const Format *format, uint32_t code)
{
  const uint32_t sign = 1U << (format->exponent + format->fraction), size = code & (sign - 1);
  const int bias = (1 << (format->exponent - 1)) - 1, exponent = (int)(size >> format->fraction);
  const double fraction = size & ((1U << format->fraction) - 1);
  double value;

  if (size > format->largest)
    value = size == format->infinity ? (double)INFINITY : (double)NAN;
  else if (exponent == 0)
    value = ldexp (fraction, 1 - bias - format->fraction);
  else
    value = ldexp (fraction + (1 << format->fraction), exponent - bias - format->fraction);
  return code & sign ? -value : value;
}

/* The nearest code, of two the even one; the largest number where VALUE is beyond it. */
static uint32_t
code_of (const Format *format, double value)
{
  const uint32_t sign = signbit (value) ? 1U << (format->exponent + format->fraction) : 0;
  uint32_t best = 0;

  if (isnan (value))
    return format->nan;
  for (uint32_t code = 1; code <= format->largest; code++)
    {
      const double here = fabs (fabs (value) - value_of (format, code)),
                   there = fabs (fabs (value) - value_of (format, best));

      if (here < there || (here == there && code % 2 == 0))
        best = code;
    }
  return (isinf (value) ? format->largest : best) | sign;
}

static uint32_t
word_of (const Format *format, const double *values, int bits)
{
  uint32_t word = 0;

  for (int k = 0; k < 4; k++)
    word |= code_of (format, values[k]) << (bits * k);
  return word;
}

/* Numbers of all sizes that bytes hold, and some beyond. */
static float *
give_numbers (int n, int with_nan)
{
  static const float specials[]
      = { 0,    -0.0F, INFINITY, -INFINITY, 448, 464,     465,   57344, 61440,
          1e9F, 1.5F,  2.5F,     -7.5F,     28,  0.0625F, 1e-9F, 3.25F, NAN };
  const int n_specials = (int)(sizeof specials / sizeof *specials) - !with_nan;
  float *x = ref_floats ("X", (size_t)n, -1, 1);

  for (int i = 0; i < n; i++)
    x[i]
        = i % 5 == 0 ? specials[i / 5 % n_specials] : ldexpf (x[i], (int)(ref_random () % 30) - 14);
  ref_give ("X", x, (size_t)n * sizeof *x);
  return x;
}

static void
read_four (const float *x, double *values)
{
  for (int k = 0; k < 4; k++)
    values[k] = (double)x[k];
}

static void
to_bytes (void)
{
  const float *x = give_numbers (512, 1);
  uint32_t out[256];
  double values[4];

  for (int i = 0; i < 128; i++)
    {
      read_four (x + 4 * i, values);
      out[2 * i] = word_of (&e4m3, values, 8);
      out[2 * i + 1] = word_of (&e5m2, values, 8);
    }
  ref_same ("OUT", out, 4, 256);
}

static void
halves_to_bytes (void)
{
  uint16_t *x = ref_halves ("X", 512, -600, 600);
  uint32_t out[256];
  double values[4];

  for (int i = 0; i < 512; i += 3)
    x[i] = ref_half (ldexp (ref_between (-1, 1), (int)(ref_random () % 20) - 12));
  x[1] = 0x7c00;
  x[2] = 0xfc00;
  x[3] = 0x7fff;
  x[5] = 0x8000;
  ref_give ("X", x, 512 * sizeof *x);
  for (int i = 0; i < 128; i++)
    {
      for (int k = 0; k < 4; k++)
        values[k] = ref_from_half (x[4 * i + k]);
      out[2 * i] = word_of (&e4m3, values, 8);
      out[2 * i + 1] = word_of (&e5m2, values, 8);
    }
  ref_same ("OUT", out, 4, 256);
}

static void
from_bytes (void)
{
  uint8_t x[256];
  uint32_t out[512];

  for (int i = 0; i < 256; i++)
    x[i] = (uint8_t)i;
  ref_give ("X", x, sizeof x);
  for (int i = 0; i < 256; i++)
    {
      out[i / 4 * 8 + i % 4] = ref_bits ((float)value_of (&e4m3, x[i]));
      out[i / 4 * 8 + 4 + i % 4] = ref_bits ((float)value_of (&e5m2, x[i]));
    }
  ref_same ("OUT", out, 4, 512);
}

static void
to_narrow (void)
{
  const float *x = give_numbers (512, 0);
  uint32_t out[384];
  double values[4];

  for (int i = 0; i < 128; i++)
    {
      read_four (x + 4 * i, values);
      out[3 * i] = word_of (&e2m3, values, 8);
      out[3 * i + 1] = word_of (&e3m2, values, 8);
      out[3 * i + 2] = word_of (&e2m1, values, 4);
    }
  ref_same ("OUT", out, 4, 384);
}

static void
scaled_rows (void)
{
  const float *x = ref_floats ("X", 1024, -30, 30);
  uint32_t out[256];
  float scales[8] = { 0 };
  double values[4];

  for (int i = 0; i < 1024; i++)
    scales[i / 128] = fmaxf (scales[i / 128], fabsf (x[i]));
  for (int i = 0; i < 256; i++)
    {
      const float scale = 448.0F / scales[i / 32];

      for (int k = 0; k < 4; k++)
        values[k] = (double)(x[4 * i + k] * scale);
      out[i] = word_of (&e4m3, values, 8);
    }
  ref_same ("OUT", out, 4, 256);
  ref_same ("SCALES", scales, 4, 8);
}

/* TF32 has 13 bits less than single precision. */
#define CUT 13

static void
to_tf32 (void)
{
  const float *x = give_numbers (128, 0);
  uint32_t out[128];

  for (int i = 0; i < 128; i++)
    out[i] = isinf (x[i]) ? ref_bits (x[i])
                          : (ref_bits (x[i]) + (1U << (CUT - 1))) >> CUT << CUT; /* ties away */
  ref_same ("OUT", out, 4, 128);
}

static void
rounded_tf32 (void)
{
  float *x = give_numbers (128, 0);
  uint32_t out[384];

  for (int i = 1; i < 128; i += 7) /* halfway between two */
    if (isfinite (x[i]))
      {
        const uint32_t bits = (ref_bits (x[i]) >> CUT << CUT) | 1U << (CUT - 1);
        memcpy (&x[i], &bits, sizeof bits);
      }
  ref_give ("X", x, 128 * sizeof *x);
  for (int i = 0; i < 128; i++)
    {
      const uint32_t bits = ref_bits (x[i]), zero = bits >> CUT << CUT, rest = bits - zero;
      const int up = rest > 1U << (CUT - 1) || (rest == 1U << (CUT - 1) && bits >> CUT & 1);

      out[3 * i] = zero + ((uint32_t)up << CUT);
      out[3 * i + 1] = zero;
      out[3 * i + 2] = signbit (x[i]) ? 0 : out[3 * i];
    }
  ref_same ("OUT", out, 4, 384);
}

static void
negated (void)
{
  double a[32], b[32], c[64];

  for (int i = 0; i < 32; i++)
    {
      a[i] = ref_number (-40, 40) / 8.0;
      b[i] = ref_number (-40, 40) / 8.0;
    }
  for (int i = 0; i < 64; i++)
    c[i] = ref_number (-40, 40) / 8.0;
  ref_give ("A", a, sizeof a);
  ref_give ("B", b, sizeof b);
  ref_give ("C", c, sizeof c);
  for (int i = 0; i < 64; i++)
    {
      c[i] = -c[i];
      for (int k = 0; k < 4; k++)
        c[i] -= a[i / 8 * 4 + k] * fabs (b[k * 8 + i % 8]);
    }
  ref_same ("C", c, 8, 64);
}

static float
round_to (int rounding, float a, float b, float c)
{
  fesetround (rounding);
  const float sum = fmaf (a, b, c);
  fesetround (FE_TONEAREST);
  return sum;
}

static void
mixed_sums (void)
{
  uint16_t *x = ref_halves ("X", 256, -4, 4);
  const float *y = ref_floats ("Y", 128, -3, 3);
  float out[768];

  for (int i = 0; i < 128; i++)
    {
      const float low = (float)ref_from_half (x[2 * i]), high = (float)ref_from_half (x[2 * i + 1]);
      const float low_b = (float)ref_from_bfloat (x[2 * i]),
                  high_b = (float)ref_from_bfloat (x[2 * i + 1]);
      float *to = out + 6 * i;

      to[0] = high + y[i];
      to[1] = low - y[i];
      to[2] = fminf (fmaxf (round_to (FE_TOWARDZERO, high_b, 1, y[i]), 0), 1);
      to[3] = round_to (FE_TONEAREST, low, high, y[i]);
      to[4] = round_to (FE_TOWARDZERO, low_b, high_b, y[i]);
      to[5] = round_to (FE_TONEAREST, high_b, high_b, y[i]);
    }
  ref_same ("OUT", out, 4, 768);
}

const RefCase ref_cases_quantize[]
    = { { "to_bytes", to_bytes },         { "halves_to_bytes", halves_to_bytes },
        { "from_bytes", from_bytes },     { "to_narrow", to_narrow },
        { "scaled_rows", scaled_rows },   { "to_tf32", to_tf32 },
        { "rounded_tf32", rounded_tf32 }, { "negated", negated },
        { "mixed_sums", mixed_sums },     { NULL, NULL } };
