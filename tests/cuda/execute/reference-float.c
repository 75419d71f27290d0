/* SPDX-License-Identifier: MIT */
/* float.cu: arithmetic to the bit, by the rounding of the machine that checks; functions by its
 * library. */
#include "tests/cuda/execute/reference.h"

#include <fenv.h>
#include <float.h>
#include <math.h>
#include <stdbool.h>
#include <string.h>

enum
{
  N = 250
};

static const double specials[]
    = { 0.0,    -0.0,          1.0,  -1.5,        INFINITY,   -INFINITY, NAN,      1e-40,
        -3e-42, 1.1754944e-38, 3e38, 0.333333343, 16777217.0, -2.5,      65504.25, 1e-20 };

enum
{
  N_SPECIALS = sizeof specials / sizeof *specials
};

static float
from_bits (uint32_t bits)
{
  float value;

  memcpy (&value, &bits, sizeof value);
  return value;
}

/* Pairs of special values, and any bits. */
static void
give_singles (float *x, float *y)
{
  for (int i = 0; i < N; i++)
    {
      x[i] = i < 225 ? (float)specials[i % 15] : from_bits (ref_random ());
      y[i] = i < 225 ? (float)specials[i / 15] : from_bits (ref_random ());
      if (i % 7 == 3)
        x[i] = from_bits (0x3f800000 + ref_random () % 0x1000000);
    }
  ref_give ("X", x, N * sizeof *x);
  if (y != NULL)
    ref_give ("Y", y, N * sizeof *y);
}

static float
rounded (int mode, char op, float a, float b, float c)
{
  volatile float x = a, y = b, z = c, result;

  fesetround (mode);
  result = op == '+'   ? x + y
           : op == '*' ? x * y
           : op == '/' ? x / y
           : op == 'f' ? fmaf (x, y, z)
                       : sqrtf (x);
  fesetround (FE_TONEAREST);
  return result;
}

static double
rounded_double (int mode, char op, double a, double b, double c)
{
  volatile double x = a, y = b, z = c, result;

  fesetround (mode);
  result = op == '+'   ? x + y
           : op == '*' ? x * y
           : op == '/' ? x / y
           : op == 'f' ? fma (x, y, z)
                       : sqrt (x);
  fesetround (FE_TONEAREST);
  return result;
}

/* -0 is less than 0; a number is preferred to NaN. */
static double
least (double a, double b)
{
  return isnan (a) ? b : isnan (b) ? a : a < b || (a == b && signbit (a)) ? a : b;
}

static double
most (double a, double b)
{
  return isnan (a) || isnan (b) ? least (a, b) : -least (-a, -b);
}

static void
ieee_single (void)
{
  float x[N], y[N];
  uint32_t *out = ref_new (16 * N * 4);

  give_singles (x, y);
  for (int i = 0; i < N; i++)
    {
      float a = x[i], b = y[i], sum = rounded (FE_TONEAREST, '+', a, b, 0);
      float results[16] = { sum,
                            rounded (FE_TOWARDZERO, '+', a, b, 0),
                            rounded (FE_UPWARD, '+', a, b, 0),
                            rounded (FE_DOWNWARD, '+', a, b, 0),
                            rounded (FE_TONEAREST, '*', a, b, 0),
                            rounded (FE_UPWARD, '*', a, b, 0),
                            rounded (FE_TONEAREST, 'f', a, b, 1),
                            rounded (FE_TOWARDZERO, 'f', a, b, a),
                            rounded (FE_DOWNWARD, 'f', a, b, b),
                            rounded (FE_TONEAREST, '/', a, b, 0),
                            rounded (FE_TONEAREST, 's', a, 0, 0),
                            rounded (FE_TONEAREST, '/', 1, b, 0),
                            (float)least ((double)a, (double)b),
                            (float)most ((double)a, (double)-b),
                            sum > 0 ? fminf (sum, 1) : 0,
                            isnan (a) ? a : copysignf (a, b) };

      for (int j = 0; j < 16; j++)
        out[16 * i + j] = ref_bits (results[j]);
    }
  ref_same ("OUT", out, 4, 16 * N);
}

/* Y: NULL for none. */
static void
give_doubles (double *x, double *y)
{
  double unused[N], *others = y != NULL ? y : unused;
  static const double wide[] = { 5e-324, -2.3e-308, 1.7e308, 9007199254740993.0 };

  for (int i = 0; i < N; i++)
    {
      uint64_t bits = (uint64_t)ref_random () << 32 | ref_random ();

      x[i] = i % 15 < 4 ? wide[i % 15] : specials[i % 15];
      others[i] = i / 15 < 4 ? wide[i / 15] : i < 225 ? specials[i / 15] : 1.0;
      if (i >= 225)
        memcpy (&x[i], &bits, sizeof bits);
      if (i % 7 == 3)
        x[i] = ref_between (-3, 3) + ref_between (0, 1e-9);
      if (i % 7 == 5)
        others[i] = ref_between (-3, 3) + ref_between (0, 1e-9);
      if (i % 15 == 0)
        x[i] = i % 2 ? 0.0 : -0.0;
    }
  ref_give ("X", x, N * sizeof *x);
  if (y != NULL)
    ref_give ("Y", y, N * sizeof *y);
}

static void
ieee_double (void)
{
  double x[N], y[N];
  uint64_t *out = ref_new (12 * N * 8);

  give_doubles (x, y);
  for (int i = 0; i < N; i++)
    {
      double a = x[i], b = y[i];
      double results[12] = { rounded_double (FE_TONEAREST, '+', a, b, 0),
                             rounded_double (FE_TOWARDZERO, '+', a, b, 0),
                             rounded_double (FE_TONEAREST, '*', a, b, 0),
                             rounded_double (FE_UPWARD, '*', a, b, 0),
                             rounded_double (FE_TONEAREST, 'f', a, b, 1),
                             rounded_double (FE_DOWNWARD, 'f', a, b, a),
                             rounded_double (FE_TONEAREST, '/', a, b, 0),
                             rounded_double (FE_TONEAREST, 's', a, 0, 0),
                             rounded_double (FE_TONEAREST, '/', 1, b, 0),
                             least (a, b),
                             most (a, -b),
                             fabs (a) - trunc (b) };

      for (int j = 0; j < 12; j++)
        out[12 * i + j] = ref_bits_double (results[j]);
    }
  ref_same ("OUT", out, 8, 12 * N);
}

static float
flush (float value)
{
  return fabsf (value) < FLT_MIN ? copysignf (0, value) : value;
}

static void
ieee_flushed (void)
{
  float x[N], y[N];
  uint32_t *out = ref_new (4 * N * 4);

  give_singles (x, y);
  for (int i = 0; i < N; i++)
    {
      float a = flush (x[i]), b = flush (y[i]);

      out[4 * i] = ref_bits (flush (a + b));
      out[4 * i + 1] = ref_bits (flush (a * b));
      out[4 * i + 2] = ref_bits (flush (fmaf (a, b, a)));
      out[4 * i + 3] = ref_bits ((float)least ((double)a, (double)b));
    }
  ref_same ("OUT", out, 4, 4 * N);
}

static void
ieee_compare (void)
{
  float x[N], y[N];
  uint32_t *out = ref_new (N * 4);

  give_singles (x, y);
  for (int i = 0; i < N; i++)
    {
      float a = x[i], b = y[i];
      uint32_t sign;

      memcpy (&sign, &a, sizeof sign);
      out[i] = (uint32_t)((a < b) | (a <= b) << 1 | (a > b) << 2 | (a >= b) << 3 | (a == b) << 4
                          | (a != b) << 5 | (isnan (a) || isnan (b)) << 6 | (a < b || a > b) << 7
                          | !(a < b) << 8 | (isinf (a) != 0) << 9 | (isfinite (b) != 0) << 10
                          | (a < b) << 11 | (a >= b) << 12 | (a != b) << 13 | !(a <= b) << 14
                          | (sign >> 31) << 15 | (a > 0 ? b > 0 : a < 0) << 16);
    }
  ref_same ("OUT", out, 4, N);
}

/* VALUE as a whole number of BITS: the nearest of the range; of NaN 0, of 64 bits or from double
 * the first bit alone. */
static uint64_t
to_integer (double value, int mode, int bits, bool is_signed, bool is_wide)
{
  double whole, limit = ldexp (1, bits - is_signed);
  uint64_t first = (uint64_t)1 << (bits - 1);

  fesetround (mode);
  whole = nearbyint (value);
  fesetround (FE_TONEAREST);
  if (isnan (value))
    return is_wide || bits == 64 ? first : 0;
  if (whole >= limit)
    return is_signed ? first - 1 : first * 2 - 1;
  if (whole < 0 && !is_signed)
    return 0;
  if (whole < -limit)
    return first;
  return whole < 0 ? (uint64_t)(int64_t)whole : (uint64_t)whole;
}

static uint64_t
extend (uint64_t value)
{
  return (uint64_t)(int64_t)(int32_t)value;
}

static uint64_t
extend_bits (float value)
{
  return ref_bits (value);
}

static void
give_numbers (float *x)
{
  static const float numbers[]
      = { 0.5F,        1.5F,          2.5F,           -0.5F,         -1.5F,
          0.49999997F, 2147483648.0F, -2147483648.0F, 4294967296.0F, 1e19F,
          -1e19F,      2e19F,         8388609.0F,     2147483520.0F, NAN,
          INFINITY,    -INFINITY,     -0.0F,          1e-40F,        65520.0F };

  for (int i = 0; i < N; i++)
    x[i] = i < 20 ? numbers[i] : ldexpf ((float)ref_between (-1, 1), ref_number (0, 40));
  ref_give ("X", x, N * sizeof *x);
}

static void
convert_float (void)
{
  float x[N];
  uint64_t *out = ref_new (16 * N * 8);

  give_numbers (x);
  for (int i = 0; i < N; i++)
    {
      float a = x[i];
      double wide = (double)a;
      uint64_t *to = out + 16 * i;

      to[0] = extend (to_integer (wide, FE_TONEAREST, 32, true, false));
      to[1] = extend (to_integer (wide, FE_TOWARDZERO, 32, true, false));
      to[2] = extend (to_integer (wide, FE_UPWARD, 32, true, false));
      to[3] = extend (to_integer (wide, FE_DOWNWARD, 32, true, false));
      to[4] = to_integer (wide, FE_TOWARDZERO, 32, false, false);
      to[5] = to_integer (wide, FE_TONEAREST, 32, false, false);
      to[6] = to_integer (wide, FE_TOWARDZERO, 64, true, true);
      to[7] = to_integer (wide, FE_DOWNWARD, 64, true, true);
      to[8] = to_integer (wide, FE_TONEAREST, 64, false, true);
      to[9] = extend_bits (rintf (a));
      to[10] = extend_bits (floorf (a));
      to[11] = extend_bits (ceilf (a));
      to[12] = extend_bits (truncf (a));
      to[13] = extend_bits (roundf (a));
      to[14] = ref_bits_double (wide);
      to[15] = extend (ref_half_toward_zero (wide) | (uint64_t)ref_half (wide) << 16);
    }
  ref_same ("OUT", out, 8, 16 * N);
}

static float
to_single (double value, int mode)
{
  volatile double from = value;
  volatile float result;

  fesetround (mode);
  result = (float)from;
  fesetround (FE_TONEAREST);
  return result;
}

static void
convert_double (void)
{
  double x[N];
  uint64_t *out = ref_new (12 * N * 8);

  give_doubles (x, NULL);
  for (int i = 60; i < N; i++)
    x[i] = i % 2 ? ldexp (ref_between (-1, 1), ref_number (0, 70)) : ref_number (-20, 20) / 2.0;
  ref_give ("X", x, N * sizeof *x);
  for (int i = 0; i < N; i++)
    {
      double a = x[i];
      uint64_t *to = out + 12 * i, bits;

      memcpy (&bits, &a, sizeof bits);
      to[0] = extend (to_integer (a, FE_TONEAREST, 32, true, true));
      to[1] = extend (to_integer (a, FE_TOWARDZERO, 32, true, true));
      to[2] = to_integer (a, FE_TOWARDZERO, 32, false, true);
      to[3] = to_integer (a, FE_TOWARDZERO, 64, true, true);
      to[4] = to_integer (a, FE_UPWARD, 64, true, true);
      to[5] = to_integer (a, FE_TOWARDZERO, 64, false, true);
      to[6] = ref_bits (to_single (a, FE_TONEAREST));
      to[7] = ref_bits (to_single (a, FE_TOWARDZERO));
      to[8] = ref_bits_double (rint (a));
      to[9] = ref_bits_double (floor (a));
      to[10] = ref_bits_double (round (a));
      to[11] = extend (bits >> 32 ^ bits);
    }
  ref_same ("OUT", out, 8, 12 * N);
}

static float
single_of (int64_t value, bool is_unsigned, int mode)
{
  volatile int64_t from = value;
  volatile float result;

  fesetround (mode);
  result = is_unsigned ? (float)(uint64_t)from : (float)from;
  fesetround (FE_TONEAREST);
  return result;
}

static double
double_of (int64_t value, bool is_unsigned, int mode)
{
  volatile int64_t from = value;
  volatile double result;

  fesetround (mode);
  result = is_unsigned ? (double)(uint64_t)from : (double)from;
  fesetround (FE_TONEAREST);
  return result;
}

static void
convert_integer (void)
{
  uint64_t *x = ref_longs ("X", N), *out = ref_new (16 * N * 8);

  for (int i = 0; i < N; i++)
    {
      int64_t a = (int64_t)x[i];
      uint64_t *to = out + 16 * i;

      to[0] = ref_bits (single_of ((int32_t)a, false, FE_TONEAREST));
      to[1] = ref_bits (single_of ((int32_t)a, false, FE_TOWARDZERO));
      to[2] = ref_bits (single_of ((uint32_t)a, false, FE_TONEAREST));
      to[3] = ref_bits (single_of ((uint32_t)a, false, FE_UPWARD));
      to[4] = ref_bits (single_of (a, false, FE_TONEAREST));
      to[5] = ref_bits (single_of (a, false, FE_DOWNWARD));
      to[6] = ref_bits (single_of (a, true, FE_TONEAREST));
      to[7] = ref_bits_double ((int32_t)a);
      to[8] = ref_bits_double ((uint32_t)a);
      to[9] = ref_bits_double (double_of (a, false, FE_TONEAREST));
      to[10] = ref_bits_double (double_of (a, false, FE_TOWARDZERO));
      to[11] = ref_bits_double (double_of (a, true, FE_TONEAREST));
      to[12] = ref_bits ((float)(int16_t)a);
      to[13] = (uint32_t)(ref_bits ((float)(uint8_t)a) + ref_bits ((float)(int8_t)(a >> 8)));
      to[14] = extend (ref_half ((int32_t)a >> 12) | (uint64_t)ref_half ((int16_t)a) << 16);
      to[15] = (uint64_t)(int16_t)a + (uint8_t)(a >> 3) + (uint64_t)(int32_t)(a >> 5);
    }
  ref_same ("OUT", out, 8, 16 * N);
}

static void
convert_narrow (void)
{
  float x[N];
  uint32_t *out = ref_new (6 * N * 4);

  give_numbers (x);
  for (int i = 0; i < N; i++)
    {
      double a = (double)x[i], half = ref_from_half (ref_half (a));
      uint32_t *to = out + 6 * i;

      to[0] = ref_bfloat (a);
      to[1] = ref_half (a);
      to[2] = ref_bits ((float)half);
      to[3] = ref_bits ((float)ref_from_bfloat (ref_bfloat (a)));
      to[4] = (uint32_t)to_integer (half, FE_TONEAREST, 32, true, false);
      to[5] = (uint16_t)to_integer (half, FE_DOWNWARD, 16, true, false);
    }
  ref_same ("OUT", out, 4, 6 * N);
}

static void
math_single (void)
{
  float *x = ref_floats ("X", N, -8, 8);
  double *out = ref_new (12 * N * sizeof *out);

  for (int i = 0; i < N; i++)
    {
      double a = (double)x[i], size = fabs (a);
      double results[12] = { sin (a),
                             cos (a),
                             tan (a),
                             exp (a),
                             log (size),
                             pow (size, (double)1.7F),
                             atan2 (a, 1.5),
                             tanh (a),
                             erf (a),
                             1 / sqrt (size),
                             fmod (a, (double)0.7F),
                             hypot (a, 2) };

      memcpy (out + 12 * i, results, sizeof results);
    }
  ref_near ("OUT", out, 12 * N, 2e-6, 2e-7);
}

static void
math_more (void)
{
  float *x = ref_floats ("X", N, -8, 8);
  double *out = ref_new (12 * N * sizeof *out);

  for (int i = 0; i < N; i++)
    {
      double a = (double)x[i], size = fabs (a);
      int exponent;
      double fraction = frexp (a, &exponent);
      double results[12] = {
        asin (a / 16),       acos (a / 16),          sinh (a),  cbrt (a),      exp2 (a),
        log2 (size),         log1p (size),           expm1 (a), tgamma (size), lgamma (size + 2.5),
        fraction + exponent, erfc (a) + ldexp (a, 3)
      };

      memcpy (out + 12 * i, results, sizeof results);
    }
  ref_near ("OUT", out, 12 * N, 4e-6, 1e-6);
}

static void
math_double (void)
{
  double *x = ref_doubles ("X", N, -8, 8), *out = ref_new (12 * N * sizeof *out);

  for (int i = 0; i < N; i++)
    {
      double a = x[i], size = fabs (a);
      double results[12]
          = { sin (a),  cos (a),  tan (a), exp (a),         log (size), pow (size, 1.7),
              atan (a), tanh (a), erf (a), 1 / sqrt (size), cbrt (a),   fmod (a, 0.7) };

      memcpy (out + 12 * i, results, sizeof results);
    }
  ref_near_doubles ("OUT", out, 12 * N, 4e-15, 4e-16);
}

static void
math_fast (void)
{
  float *x = ref_floats ("X", N, -3, 3);
  double *out = ref_new (8 * N * sizeof *out);

  for (int i = 0; i < N; i++)
    {
      double a = (double)x[i], size = fabs (a);
      double results[8] = { sin (a),         cos (a), exp (a),         log (size),
                            pow (size, 1.5), 1 / a,   1 / sqrt (size), pow (10, a * 0.5) };

      memcpy (out + 8 * i, results, sizeof results);
    }
  ref_near ("OUT", out, 8 * N, 4e-6, 1e-6);
}

static void
math_large (void)
{
  float x[N];
  double *out = ref_new (3 * N * sizeof *out);

  for (int i = 0; i < N; i++)
    x[i] = (float)ldexp (ref_between (-1, 1), ref_number (10, 120));
  ref_give ("X", x, N * sizeof *x);
  for (int i = 0; i < N; i++)
    {
      out[3 * i] = sin ((double)x[i]);
      out[3 * i + 1] = cos ((double)x[i]);
      out[3 * i + 2] = sin ((double)x[i] * 1e10);
    }
  ref_near ("OUT", out, 3 * N, 1e-6, 1e-7);
}

const RefCase ref_cases_float[]
    = { { "ieee_single", ieee_single },         { "ieee_double", ieee_double },
        { "ieee_flushed", ieee_flushed },       { "ieee_compare", ieee_compare },
        { "convert_float", convert_float },     { "convert_double", convert_double },
        { "convert_integer", convert_integer }, { "convert_narrow", convert_narrow },
        { "math_single", math_single },         { "math_more", math_more },
        { "math_double", math_double },         { "math_fast", math_fast },
        { "math_large", math_large },           { NULL, NULL } };
