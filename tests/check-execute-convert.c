/* SPDX-License-Identifier: MIT */
/* Conversions and half precision: all 65536 halves, the host's own conversions where C defines
 * them, and known values of what C leaves open (too large, no number). */
#include "config.h"

#include "exec/machine/wp-number.h"
#include "tests/execute-step.h"

#include <fenv.h>
#include <glib.h>
#include <math.h>

#include "tests/check-main.h"

static Bench bench;
static GRand *rand_;

static void
setup (void)
{
  bench_init (&bench, 90);
  rand_ = g_rand_new_with_seed (18);
}

static void
teardown (void)
{
  bench_clear (&bench);
  g_rand_free (rand_);
}

/* ---- Halves, by their definition ---- */

static double
half_value (guint half)
{
  gint exponent = half >> 10 & 31;
  double fraction = half & 0x3ff, sign = half & 0x8000 ? -1 : 1;

  if (exponent == 31)
    return fraction > 0 ? NAN : sign * INFINITY;
  return sign * (exponent ? ldexp (fraction + 1024, exponent - 25) : ldexp (fraction, -24));
}

/* The nearest half, by looking for it among its neighbours. */
static guint
nearest_half (double x)
{
  guint low = 0, high = 0x7c00, sign = signbit (x) ? 0x8000 : 0;
  double size = fabs (x);

  if (isnan (x))
    return 0x7fff;
  while (high - low > 1)
    {
      guint middle = (low + high) / 2;
      *(half_value (middle) <= size ? &low : &high) = middle;
    }
  if (size >= 65520)
    return sign | 0x7c00;
  if (low == 0x7bff) /* as if there were another one above */
    return sign | low;
  double below = size - half_value (low), above = half_value (high) - size;
  return sign | (below < above ? low : above < below ? high : low & 1 ? high : low);
}

static guint32
bits_of (float number)
{
  guint32 bits;
  memcpy (&bits, &number, sizeof bits);
  return bits;
}

static float
float_of (guint32 bits)
{
  float number;
  memcpy (&number, &bits, sizeof number);
  return number;
}

START_TEST (every_half_is_widened_and_comes_back)
{
  for (guint first = 0; first < 65536; first += WP_LANES * check_get_stride ())
    {
      for (guint lane = 0; lane < WP_LANES; lane++)
        bench_row (&bench, 1)[lane] = (first + lane) << 16 | (65535 - first - lane);
      bench_run (&bench, "HADD2.F32 R2 = -RZ, R1.H1_H1");
      bench_run (&bench, "HADD2.F32 R3 = -RZ, R1.H0_H0");
      bench_run (&bench, "F2FP.F16.F32.PACK_AB R4 = R2, R3");
      bench_run (&bench, "F2F.F64.F16 R6:2 = R1.H1");
      for (guint lane = 0; lane < WP_LANES; lane++)
        {
          guint half = first + lane;
          double want = half_value (half), wide;
          guint64 bits = bench_row (&bench, 6)[lane] | (guint64)bench_row (&bench, 7)[lane] << 32;
          memcpy (&wide, &bits, sizeof wide);
          if (isnan (want))
            {
              ck_assert_uint_eq (bench_row (&bench, 2)[lane], 0x7fffffff);
              ck_assert_uint_eq (bench_row (&bench, 4)[lane] >> 16, 0x7fff);
              ck_assert (isnan (wide));
              continue;
            }
          ck_assert_uint_eq (bench_row (&bench, 2)[lane], bits_of ((float)want));
          ck_assert_uint_eq (bench_row (&bench, 4)[lane] >> 16, half);
          ck_assert (memcmp (&wide, &want, sizeof wide) == 0);
        }
    }
}
END_TEST

START_TEST (singles_round_to_the_nearest_half)
{
  for (guint k = 0; k < check_get_cases (2000); k++)
    {
      for (guint lane = 0; lane < WP_LANES; lane++)
        {
          guint half = g_rand_int_range (rand_, 0, 0x7c00);
          double between = (half_value (half) + half_value (half + 1)) / 2;
          guint32 tie = bits_of ((float)between), any = (guint32)bench_random (rand_, 8, 23);
          bench_row (&bench, 1)[lane]
              = lane % 2 ? any : tie + (guint32)g_rand_int_range (rand_, -1, 2);
        }
      bench_run (&bench, "F2FP.F16.F32.PACK_AB R0 = RZ, R1");
      bench_run (&bench, "F2F.F16.F32.RZ R2 = R1");
      for (guint lane = 0; lane < WP_LANES; lane++)
        {
          guint32 x = bench_row (&bench, 1)[lane], want = nearest_half ((double)float_of (x));
          ck_assert_msg (bench_row (&bench, 0)[lane] == want, "%08x: %04x, not %04x", x,
                         bench_row (&bench, 0)[lane], want);
          double cut = half_value (bench_row (&bench, 2)[lane]), number = (double)float_of (x);
          ck_assert_msg (isnan (number) || fabs (cut) <= fabs (number), "%08x: cut to %a", x, cut);
        }
    }
}
END_TEST

START_TEST (the_host_converts_alike)
{
  static const int modes[] = { FE_TONEAREST, FE_DOWNWARD, FE_UPWARD, FE_TOWARDZERO };

  for (guint k = 0; k < check_get_cases (20000) * 8; k++)
    {
      guint64 wide = bench_random (rand_, 11, 52);
      guint64 whole = (guint64)g_rand_int (rand_) << 32 | g_rand_int (rand_);
      WpRounding rounding = k % 4;
      volatile double x;
      volatile float near, from_whole;
      memcpy ((double *)&x, &wide, sizeof x);
      whole >>= g_rand_int_range (rand_, 0, 64);
      fesetround (modes[rounding]);
      near = (float)x;
      from_whole = (float)(gint64)whole;
      fesetround (FE_TONEAREST);
      guint64 got = wp_number_write (WP_F32, wp_number_read (WP_F64, wide), rounding, FALSE);
      ck_assert_msg (got == (isnan (near) ? 0x7fffffff : bits_of (near)),
                     "%" G_GINT64_MODIFIER "x, mode %u: %08x", wide, rounding, (guint)got);
      got = wp_number_write (WP_F32, wp_number_read (WP_S64, whole), rounding, FALSE);
      ck_assert_uint_eq (got, bits_of (from_whole));
      if (fabs (x) < 9e18)
        {
          double rounded = rounding == WP_ROUND_NEAREST ? nearbyint (x)
                           : rounding == WP_ROUND_DOWN  ? floor (x)
                           : rounding == WP_ROUND_UP    ? ceil (x)
                                                        : trunc (x);
          got = wp_number_to_integer (WP_S64, wp_number_read (WP_F64, wide), rounding, TRUE);
          ck_assert_int_eq ((gint64)got, (gint64)rounded);
        }
    }
}
END_TEST

/* Loops and the general walk agree, and so do all lanes. */
static void
check_loop (const gchar *line, WpType to, WpType from, WpRounding rounding, gboolean is_indefinite)
{
  gboolean is_wide_to = wp_type_bits (to) == 64, is_wide_from = wp_type_bits (from) == 64;

  for (guint k = 0; k < check_get_cases (1000); k++)
    {
      for (guint lane = 0; lane < WP_LANES; lane++)
        {
          guint64 bits = is_wide_from ? bench_random (rand_, 11, 52) : bench_random (rand_, 8, 23);
          if (wp_type_is_integer (from))
            bits = g_rand_int (rand_) >> g_rand_int_range (rand_, 0, 32);
          else if (is_wide_from && lane % 2)
            bits = (bits & ~((guint64)0x7ff << 52))
                   | (guint64)g_rand_int_range (rand_, 860, 1170) << 52;
          bench_row (&bench, 2)[lane] = (guint32)bits;
          bench_row (&bench, 3)[lane] = bits >> 32;
        }
      bench_run (&bench, line);
      for (guint lane = 0; lane < WP_LANES; lane++)
        {
          guint64 bits = bench_row (&bench, 2)[lane] | (guint64)bench_row (&bench, 3)[lane] << 32;
          guint64 got = bench_row (&bench, 0)[lane]
                        | (is_wide_to ? (guint64)bench_row (&bench, 1)[lane] << 32 : 0);
          WpNumber number = wp_number_read (from, bits);
          guint64 want = wp_type_is_integer (to)
                             ? wp_number_to_integer (to, number, rounding, is_indefinite)
                             : wp_number_write (to, number, rounding, FALSE);
          want = is_wide_to ? want : (guint32)want;
          ck_assert_msg (got == want,
                         "%s of %" G_GINT64_MODIFIER "x: %" G_GINT64_MODIFIER
                         "x, not %" G_GINT64_MODIFIER "x",
                         line, bits, got, want);
        }
    }
}

START_TEST (loops_are_the_general_walk)
{
  check_loop ("I2F R0 = R2", WP_F32, WP_S32, WP_ROUND_NEAREST, FALSE);
  check_loop ("I2FP.F32.U32 R0 = R2", WP_F32, WP_U32, WP_ROUND_NEAREST, FALSE);
  check_loop ("I2F.U32.RZ R0 = R2", WP_F32, WP_U32, WP_ROUND_ZERO, FALSE);
  check_loop ("I2F.RP R0 = R2", WP_F32, WP_S32, WP_ROUND_UP, FALSE);
  check_loop ("I2F.U32.RP R0 = R2", WP_F32, WP_U32, WP_ROUND_UP, FALSE);
  check_loop ("I2F.F64 R0:2 = R2", WP_F64, WP_S32, WP_ROUND_NEAREST, FALSE);
  check_loop ("I2F.F64.U32 R0:2 = R2", WP_F64, WP_U32, WP_ROUND_NEAREST, FALSE);
  check_loop ("F2F.F64.F32 R0:2 = R2", WP_F64, WP_F32, WP_ROUND_NEAREST, FALSE);
  check_loop ("F2F.F32.F64 R0 = R2:2", WP_F32, WP_F64, WP_ROUND_NEAREST, FALSE);
  check_loop ("F2F.F32.F64.RM R0 = R2:2", WP_F32, WP_F64, WP_ROUND_DOWN, FALSE);
  check_loop ("F2I.TRUNC.NTZ R0 = R2", WP_S32, WP_F32, WP_ROUND_ZERO, FALSE);
  check_loop ("F2I.U32.TRUNC.NTZ R0 = R2", WP_U32, WP_F32, WP_ROUND_ZERO, FALSE);
  check_loop ("F2I.FLOOR.NTZ R0 = R2", WP_S32, WP_F32, WP_ROUND_DOWN, FALSE);
  check_loop ("F2I.S64.F64.CEIL R0:2 = R2:2", WP_S64, WP_F64, WP_ROUND_UP, TRUE);
}
END_TEST

START_TEST (what_c_leaves_open_is_as_the_hardware_has_it)
{
  static const struct
  {
    const gchar *line;
    guint32 low, high, want;
  } cases[] = {
    { "F2I.TRUNC.NTZ R0 = R2", 0x7fc00000, 0, 0 },
    { "F2I.TRUNC.NTZ R0 = R2", 0x4f800000, 0, 0x7fffffff },
    { "F2I.TRUNC.NTZ R0 = R2", 0xff800000, 0, 0x80000000 },
    { "F2I.U32.TRUNC.NTZ R0 = R2", 0xbf800000, 0, 0 },
    { "F2I.U32.TRUNC.NTZ R0 = R2", 0x7f800000, 0, 0xffffffff },
    { "F2I.S8.NTZ R0 = R2", 0x43480000 /* 200 */, 0, 127 },
    { "F2I.S8.NTZ R0 = R2", 0xc3480000, 0, 0xffffff80 },
    { "F2I.U8.NTZ R0 = R2", 0x40200000 /* 2.5 */, 0, 2 },
    { "F2I.NTZ R0 = R2", 0x40600000 /* 3.5 */, 0, 4 },
    { "F2I.CEIL.NTZ R0 = R2", 0xbfc00000 /* -1.5 */, 0, 0xffffffff },
    { "F2I.F64 R0 = R2:2", 0, 0x7ff80000, 0x80000000 },
    { "F2I.F64.TRUNC R0 = R2:2", 0, 0xc0280000 /* -12 */, 0xfffffff4 },
    { "F2I.S16.F16.NTZ R0 = R2.H1", 0xc5000000 /* -5 */, 0, 0xfffffffb },
    { "FRND.FLOOR R0 = R2", 0xbfc00000, 0, 0xc0000000 },
    { "FRND R0 = R2", 0x3f000000, 0, 0 },
    { "FRND R0 = R2", 0xbe800000, 0, 0x80000000 },
    { "FRND.TRUNC R0 = R2", 0x7fc00001, 0, 0x7fffffff },
    { "I2F.S8 R0 = R2.B1", 0x8000, 0, 0xc3000000 /* -128 */ },
    { "I2F.U16 R0 = R2.H1", 0x00030000, 0, 0x40400000 },
    { "I2F.F16 R0 = R2", 70000, 0, 0x7c00 },
    { "I2F.F16.RZ R0 = R2", 70000, 0, 0x7bff },
    { "I2F.S64 R0 = R2:2", 0, 0x80000000, 0xdf000000 /* -2^63 */ },
    { "I2F.S64 R0 = 0x1", 0, 0, 0x4f800000 /* 2^32: the upper word */ },
    { "I2F.U64 R0 = 0x80000000", 0, 0, 0x5f000000 /* 2^63 */ },
    { "I2I.S8.S32.SAT R0 = R2", 1000, 0, 127 },
    { "I2I.U16.S32.SAT R0 = R2", 0xffffffff, 0, 0 },
    { "I2IP.S8.S32.SAT R0 = R2, R3, RZ", 1000, 0xfffffff0, 0x00007ff0 },
    { "I2IP.U16.S32.SAT R0 = R2, R3, RZ", 100000, 7, 0xffff0007 },
    { "F2IP.U8.F32.NTZ R0 = RZ, R2, RZ", 0x43960000 /* 300 */, 0, 0xff },
    { "F2FP.BF16.F32.PACK_AB R0 = R2, R3", 0x3f808000, 0x3f818000, 0x3f803f82 },
    { "F2FP.BF16.F32.PACK_AB.RZ R0 = R2, R3", 0x3f80ffff, 0xbf81ffff, 0x3f80bf81 },
    { "F2FP.F16.F32.MERGE_C R0 = R2, R3", 0xbf800000, 0xabcd1234, 0x1234bc00 },
    { "F2FP.BF16.F32.MERGE_C.RZ R0 = R2, R3.H1", 0x3f80ffff, 0xabcd1234, 0xabcd3f80 },
    { "F2FP.RELU.F16.F32.MERGE_C R0 = R2, RZ", 0xbf800000, 0, 0 },
    { "F2FP.RELU.F16.F32.PACK_AB R0 = R2, R3", 0xbf800000, 0x3f800000, 0x00003c00 },
    { "F2FP.SATFINITE.E4M3.F32.PACK_AB_MERGE_C R0 = R2, R3, RZ", 0x44000000, 0x3f800000, 0x7e38 },
    { "F2FP.SATFINITE.E5M2.F32.PACK_AB_MERGE_C R0 = R2, R3, RZ", 0x7f800000, 0xc0000000, 0x7bc0 },
    { "F2FP.F16.E4M3.UNPACK_B R0 = R2", 0x7e38, 0, 0x5f003c00 },
    { "F2FP.F16.E5M2.UNPACK_B R0 = R2.H1", 0xbc3c0000, 0, 0xbc003c00 },
    { "F2FP.SATFINITE.E2M1.F32.PACK_AB_MERGE_C R0 = R2, R3, RZ", 0xbfc00000, 0x7fc00000, 0xb7 },
    { "F2FP.SATFINITE.E2M1.F32.PACK_AB_MERGE_C R0 = R2, R3, RZ", 0x3e800000, 0xff800000, 0x0f },
    { "F2FP.F16.E2M1.UNPACK_B R0 = R2", 0xb7, 0, 0xbe004600 },
    { "F2FP.SATFINITE.E2M3.F32.PACK_AB_MERGE_C R0 = R2, R3, RZ", 0x41000000, 0xbe000000, 0x1f21 },
    { "F2FP.F16.E2M3.UNPACK_B R0 = R2", 0x1f21, 0, 0x4780b000 },
    { "F2FP.SATFINITE.E3M2.F32.PACK_AB_MERGE_C R0 = R2, R3, RZ", 0x41e80000, 0x3d800000, 0x1f01 },
    { "F2FP.RELU.F16.E3M2.UNPACK_B R0 = R2", 0x213f, 0, 0 },
    { "F2FP.SATFINITE.E8.F32.PACK_AB_MERGE_C.RP R0 = R2, R3, RZ", 0xbf800001, 0x7f800000, 0x80fe },
    { "F2FP.E8.F32.PACK_AB_MERGE_C.RZ R0 = R2, R3, RZ", 0x3fffffff, 0x7f800000, 0x7fff },
    { "F2FP.E8.F32.PACK_AB_MERGE_C.RP R0 = R2, R3, RZ", 0x00400000, 0x00400001, 0x0001 },
    { "F2FP.BF16.E8.UNPACK_B R0 = R2", 0xff00, 0, 0x7fff0040 },
    /* What stands above two numbers: 16 bits of it, or 24 where each has 4. */
    { "F2FP.SATFINITE.E4M3.F32.PACK_AB_MERGE_C R0 = RZ, R2, R3", 0x3f800000, 0xabcd1234,
      0x12340038 },
    { "F2FP.SATFINITE.E4M3.F32.PACK_AB_MERGE_C R0 = R2, R2, R3.H1", 0x3f800000, 0xabcd1234,
      0xabcd3838 },
    { "F2FP.SATFINITE.E2M3.F32.PACK_AB_MERGE_C R0 = R2, RZ, R3", 0x3f800000, 0xabcd1234,
      0x12340800 },
    { "F2FP.SATFINITE.E2M1.F32.PACK_AB_MERGE_C R0 = R2, RZ, R3", 0xbfc00000, 0xabcd1234,
      0xcd1234b0 },
    { "F2FP.SATFINITE.E5M2.F16.UNPACK_B_MERGE_C R0 = R2, R3", 0x3c00c000, 0xabcd1234, 0x12343cc0 },
    { "F2FP.SATFINITE.E4M3.F16.UNPACK_B_MERGE_C R0 = R2, RZ", 0x3c00c000, 0, 0x38c0 },
    { "F2FP.TF32.F32.PACK_B R0 = R2", 0x3f801000, 0, 0x3f800000 },
    { "F2FP.TF32.F32.PACK_B R0 = R2", 0x3f803000, 0, 0x3f804000 },
    { "F2FP.TF32.F32.PACK_B.RZ R0 = R2", 0xbf803fff, 0, 0xbf802000 },
    { "F2FP.RELU.TF32.F32.PACK_B R0 = R2", 0xbf803fff, 0, 0 },
    { "I2IP.U4.S32.SAT R0 = R2, RZ, R3", 20, 0xabcd1234, 0xcd1234f0 },
    { "I2IP.S4.S32.SAT R0 = RZ, R2, R3", 0xfffffff0, 0xabcd1234, 0xcd123408 },
    { "I2IP.S2.S32.SAT R0 = R2, R2, R3", 1, 0xabcd1234, 0xbcd12345 },
    { "F2F.BF16.F16 R0 = R2", 0x3c00, 0, 0x3f80 },
    { "MUFU.EX2.F16 R0 = R2.H1", 0x40000000, 0, 0x4400 },
  };

  for (guint k = 0; k < G_N_ELEMENTS (cases); k++)
    {
      bench_row (&bench, 2)[5] = cases[k].low;
      bench_row (&bench, 3)[5] = cases[k].high;
      bench_run (&bench, cases[k].line);
      ck_assert_msg (bench_row (&bench, 0)[5] == cases[k].want, "%s, case %u: %08x, not %08x",
                     cases[k].line, k, bench_row (&bench, 0)[5], cases[k].want);
    }
}
END_TEST

/* What CODE stands for, by the definition of a format of FRACTION bits without infinity and NaN. */
static double
small_value (guint code, guint exponent_bits, guint fraction_bits)
{
  guint exponent = code >> fraction_bits & ((1u << exponent_bits) - 1);
  guint fraction = code & ((1u << fraction_bits) - 1);
  gint bias = (1 << (exponent_bits - 1)) - 1;
  double sign = code >> (exponent_bits + fraction_bits) & 1 ? -1 : 1;

  return exponent > 0 ? sign
                            * ldexp (fraction + (1u << fraction_bits),
                                     (gint)exponent - bias - (gint)fraction_bits)
                      : sign * ldexp (fraction, 1 - bias - (gint)fraction_bits);
}

/* Of the codes of TYPE, the one next to SIZE; of two, the even one. */
static guint
nearest_small (double size, guint exponent_bits, guint fraction_bits)
{
  guint n = 1u << (exponent_bits + fraction_bits), best = 0;

  for (guint code = 1; code < n; code++)
    {
      double off = fabs (small_value (code, exponent_bits, fraction_bits) - size);
      double least = fabs (small_value (best, exponent_bits, fraction_bits) - size);

      if (off < least || (off == least && code % 2 == 0))
        best = code;
    }
  return best;
}

static guint64
write_single (WpType type, float number)
{
  return wp_number_write (type, wp_number_read (WP_F32, bits_of (number)), WP_ROUND_NEAREST, TRUE);
}

START_TEST (formats_of_numbers_alone_have_each_of_their_numbers)
{
  static const struct
  {
    WpType type;
    guint exponent, fraction;
  } formats[] = { { WP_E2M1, 2, 1 }, { WP_E2M3, 2, 3 }, { WP_E3M2, 3, 2 } };

  for (guint k = 0; k < G_N_ELEMENTS (formats); k++)
    {
      const guint exponent = formats[k].exponent, fraction = formats[k].fraction;
      const WpType type = formats[k].type;

      for (guint code = 0; code < 2u << (exponent + fraction); code++)
        {
          float number = (float)small_value (code, exponent, fraction);

          ck_assert_uint_eq (
              wp_number_write (WP_F32, wp_number_read (type, code), WP_ROUND_NEAREST, FALSE),
              bits_of (number));
          ck_assert_uint_eq (write_single (type, number), code);
        }
      for (guint i = 0; i < check_get_cases (2000); i++)
        {
          float size = (float)ldexp (g_rand_double (rand_), g_rand_int_range (rand_, -8, 8));

          ck_assert_uint_eq (write_single (type, size), nearest_small (size, exponent, fraction));
        }
    }
}
END_TEST

/* ---- Arithmetic of halves: exact in double precision but for what is far below ---- */

static double
half_in (guint row, guint lane, guint upper)
{
  return half_value (bench_row (&bench, row)[lane] >> (16 * upper) & 0xffff);
}

static void
fill_halves (guint n)
{
  for (guint k = 1; k <= n; k++)
    for (guint lane = 0; lane < WP_LANES; lane++)
      bench_row (&bench, k)[lane]
          = (guint32)bench_random (rand_, 5, 10) | (guint32)bench_random (rand_, 5, 10) << 16;
}

static void
check_halves (const gchar *line, guint op)
{
  fill_halves (3);
  bench_run (&bench, line);
  for (guint lane = 0; lane < WP_LANES; lane++)
    for (guint upper = 0; upper < 2; upper++)
      {
        double a = half_in (1, lane, upper), b = half_in (2, lane, upper);
        double c = half_in (3, lane, upper);
        guint want = nearest_half (op == 0 ? a + b : op == 1 ? a * b : a * b + c);
        guint got = bench_row (&bench, 0)[lane] >> (16 * upper) & 0xffff;
        ck_assert_msg (got == want, "%s of %a %a %a: %04x, not %04x", line, a, b, c, got, want);
      }
}

START_TEST (halves_are_added_and_multiplied_with_one_rounding)
{
  for (guint k = 0; k < check_get_cases (3000); k++)
    {
      check_halves ("HADD2 R0 = R1, R2", 0);
      check_halves ("HMUL2 R0 = R1, R2", 1);
      check_halves ("HFMA2 R0 = R1, R2, R3", 2);
      check_halves ("HFMA2.MMA R0 = R1, R2, R3", 2);
    }
}
END_TEST

static double
bfloat_in (guint row, guint lane)
{
  return (double)float_of (bench_row (&bench, row)[lane] << 16);
}

START_TEST (bfloats_are_multiplied_and_added_with_one_rounding)
{
  for (guint k = 0; k < check_get_cases (3000); k++)
    {
      for (guint r = 1; r <= 3; r++)
        for (guint lane = 0; lane < WP_LANES; lane++)
          bench_row (&bench, r)[lane]
              = (guint32)(bench_random (rand_, 4, 7) & 0x7ff) + 0x3c00 + (lane % 2) * 0x8000;
      bench_run (&bench, "HFMA2.BF16_V2 R0 = R1, R2, R3");
      for (guint lane = 0; lane < WP_LANES; lane++)
        {
          double sum = bfloat_in (1, lane) * bfloat_in (2, lane) + bfloat_in (3, lane);
          guint64 bits;
          memcpy (&bits, &sum, sizeof bits);
          guint64 want
              = wp_number_write (WP_BF16, wp_number_read (WP_F64, bits), WP_ROUND_NEAREST, FALSE);
          ck_assert_uint_eq (bench_row (&bench, 0)[lane] & 0xffff, want);
        }
    }
}
END_TEST

START_TEST (products_of_bfloats_may_leave_single_precision)
{
  static const struct
  {
    guint32 a, b, c, want;
  } cases[] = {
    { 0x7f00, 0x4000, 0xff00, 0x7f00 }, /* 2^127 * 2 - 2^127 */
    { 0x0080, 0x3f00, 0x8040, 0x0000 }, /* 2^-126 / 2 - 2^-127 */
    { 0x0080, 0x0080, 0x3f80, 0x3f80 }, { 0x7f80, 0x0000, 0x0000, 0x7fff },
    { 0x7f7f, 0x7f7f, 0x0000, 0x7f80 }, { 0x0001, 0x3f80, 0x0001, 0x0002 },
    { 0x3f81, 0x3f81, 0x3400, 0x3f82 }, { 0x8000, 0x3f80, 0x0000, 0x0000 },
  };

  for (guint k = 0; k < G_N_ELEMENTS (cases); k++)
    {
      bench_row (&bench, 1)[3] = cases[k].a << 16;
      bench_row (&bench, 2)[3] = cases[k].b << 16;
      bench_row (&bench, 3)[3] = cases[k].c << 16;
      bench_run (&bench, "HFMA2.BF16_V2 R0 = R1, R2, R3");
      ck_assert_msg (bench_row (&bench, 0)[3] >> 16 == cases[k].want, "case %u: %04x", k,
                     bench_row (&bench, 0)[3] >> 16);
    }
}
END_TEST

START_TEST (words_of_halves_do_what_they_say)
{
  static const struct
  {
    const gchar *line;
    guint32 a, b, want;
  } cases[] = {
    { "HADD2 R0 = R1.H0_H0, R2", 0x40003c00, 0x3c003c00, 0x40004000 },
    { "HADD2 R0 = R1.H1_H1, -R2", 0x40003c00, 0x3c003c00, 0x3c003c00 },
    { "HMUL2 R0 = |R1|, R2.H0_NH1", 0xc000c000, 0x3c004400, 0x4800c000 },
    { "HADD2.SAT R0 = R1, R2", 0x4000c000, 0, 0x3c000000 },
    { "HFMA2.RELU R0 = R1, R2, RZ", 0xbc003c00, 0x3c003c00, 0x00003c00 },
    { "HADD2.FTZ R0 = R1, R2", 0x00018001, 0, 0 },
    { "HADD2 R0 = R1, R2", 0x00018001, 0, 0x00018001 },
    { "HFMA2.MMA R0 = -RZ, RZ, 0x0012, 0x3456", 0, 0, 0x00123456 },
    { "HFMA2.MMA R0 = -RZ, RZ, 0x8000, 0x7fff", 0, 0, 0x80007fff },
    { "HFMA2 R0 = R1, 0x3c00, 0x4000, R2", 0x3c003c00, 0x3c003c00, 0x40004200 },
    { "HADD2 R0 = R1, 0x3c00, 0x4000", 0x3c003c00, 0, 0x40004200 },
    { "HADD2.F32 R0 = R1.H0_H0, R2.H1_H1", 0x3c00, 0x40000000, 0x40400000 },
    { "HFMA2.F32 R0 = -R1.H0_H0, R1.H0_H0, 0x3c00, 0x3c00", 0x3800, 0, 0x3f400000 },
    { "HFMA2.F32 R0 = R1.H0_H0, R2.H1_H1, R1.H1_H1", 0x64003c01, 0x3c000000, 0x44802000 },
    { "HADD2 R0 = R1.F32, -RZ.H0_H0", 0x3f800000, 0, 0x3c003c00 },
    { "HADD2 R0 = -RZ.H0_H0, R1.F32", 0x3f801fff, 0, 0x3c003c00 },
    { "HADD2 R0 = -R1.F32, R2.H0_H0", 0x477fffff, 0x1, 0xfbfffbff },
    { "HADD2.F32 R0 = R1.H0_H0, R2.H0_H0", 0x3c01, 0x6400, 0x44802000 },
    { "HMNMX2 R0 = R1, R2, PT", 0x3c007e00, 0x40004000, 0x3c004000 },
    { "HMNMX2.NAN R0 = R1, R2, !PT", 0x3c007e00, 0x40004000, 0x40007fff },
    { "HMNMX2.BF16_V2 R0 = R1, R2, PT", 0x3f807fc0, 0x40004000, 0x3f804000 },
    { "HSET2.BF.LT.AND R0 = R1, R2, PT", 0x3c004000, 0x40004000, 0x3c000000 },
    { "HSET2.LE.AND R0 = R1, R2, PT", 0x3c004000, 0x40004000, 0xffffffff },
    { "HADD2.BF16_V2 R0 = R1, R2", 0x3f804000, 0x3f803f80, 0x40004040 },
    { "HMUL2.BF16_V2 R0 = R1, R2", 0x3f804000, 0xc0003f80, 0xc0004000 },
  };

  for (guint k = 0; k < G_N_ELEMENTS (cases); k++)
    {
      bench_row (&bench, 1)[9] = cases[k].a;
      bench_row (&bench, 2)[9] = cases[k].b;
      bench_run (&bench, cases[k].line);
      ck_assert_msg (bench_row (&bench, 0)[9] == cases[k].want, "%s: %08x, not %08x", cases[k].line,
                     bench_row (&bench, 0)[9], cases[k].want);
    }
  bench_row (&bench, 1)[0] = 0x3c004400;
  bench_row (&bench, 2)[0] = 0x40004000;
  bench_run (&bench, "HSETP2.LT.AND P0, P1 = R1, R2, PT");
  ck_assert_uint_eq (bench.warp->p[0] & 1, 0);
  ck_assert_uint_eq (bench.warp->p[1] & 1, 1);
}
END_TEST

static Suite *
make_suite (void)
{
  Suite *suite = suite_create ("execute-convert");
  TCase *cases = tcase_create ("conversions"), *halves = tcase_create ("halves");

  tcase_add_checked_fixture (cases, setup, teardown);
  tcase_set_timeout (cases, 60);
  tcase_add_test (cases, every_half_is_widened_and_comes_back);
  tcase_add_test (cases, singles_round_to_the_nearest_half);
  tcase_add_test (cases, the_host_converts_alike);
  tcase_add_test (cases, loops_are_the_general_walk);
  tcase_add_test (cases, what_c_leaves_open_is_as_the_hardware_has_it);
  tcase_add_test (cases, formats_of_numbers_alone_have_each_of_their_numbers);
  suite_add_tcase (suite, cases);
  tcase_add_checked_fixture (halves, setup, teardown);
  tcase_set_timeout (halves, 60);
  tcase_add_test (halves, halves_are_added_and_multiplied_with_one_rounding);
  tcase_add_test (halves, bfloats_are_multiplied_and_added_with_one_rounding);
  tcase_add_test (halves, products_of_bfloats_may_leave_single_precision);
  tcase_add_test (halves, words_of_halves_do_what_they_say);
  suite_add_tcase (suite, halves);
  return suite;
}
