/* SPDX-License-Identifier: MIT */
/* Ops of single and double precision against a second way to compute them: digits as whole numbers,
 * summed exactly and rounded once. Special functions against the host's library, within the bounds
 * that NVIDIA documents (PTX ISA); the sequences that compilers make of a division, to the bit. */
#include "config.h"

#include "exec/machine/wp-number.h"
#include "tests/execute-step.h"

#include <glib.h>
#include <math.h>

#include "tests/check-main.h"

static Bench bench;
static GRand *rand_;

static void
setup (void)
{
  bench_init (&bench, 80);
  rand_ = g_rand_new_with_seed (18);
}

static void
teardown (void)
{
  bench_clear (&bench);
  g_rand_free (rand_);
}

/* ---- The second way ---- */

__extension__ typedef __int128 Wide;

typedef struct
{
  Wide digits;
  gint exponent;
} Exact;

/* The place of its first digit, as an exponent. */
static gint
get_top (Exact x)
{
  gint top = x.exponent - 1;

  for (Wide size = x.digits < 0 ? -x.digits : x.digits; size; size >>= 1)
    top++;
  return top;
}

/* The larger one has 62 digits; what is smaller than the last of them by far is only a trace. */
static Exact
add_exact (Exact x, Exact y)
{
  if (x.digits == 0 || y.digits == 0)
    return x.digits == 0 ? y : x;
  if (get_top (x) < get_top (y))
    {
      Exact swap = x;
      x = y;
      y = swap;
    }
  for (gint spare = 61 - (get_top (x) - x.exponent); spare > 0; spare--)
    x.digits *= 2, x.exponent--;
  if (get_top (y) < x.exponent - 2)
    return (Exact){ x.digits * 4 + (y.digits > 0 ? 1 : -1), x.exponent - 2 };
  for (; y.exponent > x.exponent; y.exponent--)
    y.digits *= 2;
  return (Exact){ x.digits * ((Wide)1 << (x.exponent - y.exponent)) + y.digits, y.exponent };
}

static Exact
exact_of (WpNumber number)
{
  for (; number.digits && number.digits % 2 == 0; number.exponent++)
    number.digits /= 2;
  Wide digits = (Wide)number.digits;
  return (Exact){ number.negative ? -digits : digits, number.exponent };
}

static WpNumber
number_of (Exact exact)
{
  Wide size = exact.digits < 0 ? -exact.digits : exact.digits;
  gint exponent = exact.exponent;

  for (; size >> 62; exponent++)
    size = size >> 1 | (size & 1);
  return (WpNumber){ WP_NUMBER_FINITE, exact.digits < 0, exponent, (guint64)size };
}

/* A * B + C; C of a product is a zero with its sign. */
static guint64
second_fma (WpType type, guint64 a, guint64 b, guint64 c, WpRounding rounding)
{
  WpNumber x = wp_number_read (type, a), y = wp_number_read (type, b), z = wp_number_read (type, c);
  gboolean negative = x.negative != y.negative;
  WpNumber nan = { WP_NUMBER_NONE, FALSE, 0, 0 };

  if (x.kind == WP_NUMBER_NONE || y.kind == WP_NUMBER_NONE || z.kind == WP_NUMBER_NONE)
    return wp_number_write (type, nan, rounding, FALSE);
  if (x.kind == WP_NUMBER_INFINITE || y.kind == WP_NUMBER_INFINITE)
    {
      gboolean is_zero
          = (x.kind == WP_NUMBER_FINITE && !x.digits) || (y.kind == WP_NUMBER_FINITE && !y.digits);
      WpNumber infinite = { WP_NUMBER_INFINITE, negative, 0, 0 };
      gboolean is_none = is_zero || (z.kind == WP_NUMBER_INFINITE && z.negative != negative);
      return wp_number_write (type, is_none ? nan : infinite, rounding, FALSE);
    }
  if (z.kind == WP_NUMBER_INFINITE)
    return wp_number_write (type, z, rounding, FALSE);

  Exact left = exact_of (x), right = exact_of (y);
  Exact product = { left.digits * right.digits, left.exponent + right.exponent };
  WpNumber sum = number_of (add_exact (product, exact_of (z)));
  if (sum.digits == 0)
    {
      gboolean is_exact_zero = product.digits == 0 && z.digits == 0;
      sum.negative = is_exact_zero && negative == z.negative ? negative : rounding == WP_ROUND_DOWN;
    }
  return wp_number_write (type, sum, rounding, FALSE);
}

static guint32
flush (guint32 bits)
{
  return bits & 0x7f800000 ? bits : bits & 0x80000000;
}

static guint32
saturate (guint32 bits)
{
  float number;
  memcpy (&number, &bits, sizeof number);
  return !(number > 0) ? 0 : number > 1 ? 0x3f800000 : bits;
}

/* ---- FADD, FMUL, FFMA ---- */

static void
fill_rows (guint n)
{
  for (guint k = 1; k <= n; k++)
    for (guint lane = 0; lane < WP_LANES; lane++)
      bench_row (&bench, k)[lane] = (guint32)bench_random (rand_, 8, 23);
}

/* How many ways to round are tried: valgrind, under which few cases are run, always rounds to the
 * nearest. */
static guint
count_roundings (void)
{
  return check_get_stride () > 7 ? 1 : 4;
}

static const gchar *const roundings[] = { "", ".RM", ".RP", ".RZ" };

static void
check_single (guint op, guint rounding, gboolean ftz, gboolean sat)
{
  static const gchar *const ops[] = { "FADD", "FMUL", "FFMA" };
  static const gchar *const operands[] = { "R1, -R3", "R1, R2", "R1, R2, -R3" };
  g_autofree gchar *line = g_strdup_printf ("%s%s%s%s R0 = %s", ops[op], ftz ? ".FTZ" : "",
                                            roundings[rounding], sat ? ".SAT" : "", operands[op]);

  fill_rows (3);
  bench_run (&bench, line);
  for (guint lane = 0; lane < WP_LANES; lane++)
    {
      guint32 a = bench_row (&bench, 1)[lane], b = bench_row (&bench, 2)[lane];
      guint32 c = bench_row (&bench, 3)[lane] ^ 0x80000000;
      guint32 x = ftz ? flush (a) : a, y = op == 0 ? 0x3f800000 : ftz ? flush (b) : b;
      guint32 sign = (x ^ y) & 0x80000000;
      guint32 z = op == 1 ? sign : ftz ? flush (c) : c;
      guint32 want = (guint32)second_fma (WP_F32, x, y, z, (WpRounding)rounding);
      want = ftz ? flush (want) : want;
      want = sat ? saturate (want) : want;
      ck_assert_msg (bench_row (&bench, 0)[lane] == want, "%s: %08x %08x %08x: %08x, not %08x",
                     line, a, b, c ^ 0x80000000, bench_row (&bench, 0)[lane], want);
    }
}

START_TEST (single_precision_rounds_as_exact_sums_do_in_all_modes)
{
  for (guint k = 0; k < check_get_cases (2000); k++)
    for (guint op = 0; op < 3; op++)
      for (guint rounding = 0; rounding < count_roundings (); rounding++)
        check_single (op, rounding, k & 1, k & 2);
}
END_TEST

START_TEST (a_scaled_product_is_rounded_once)
{
  bench_row (&bench, 1)[0] = 0x7f000000; /* 2^127 */
  bench_row (&bench, 2)[0] = 0x40400000; /* 3 */
  bench_run (&bench, "FMUL.D4 R0 = R1, R2");
  ck_assert_uint_eq (bench_row (&bench, 0)[0], 0x7ec00000);
  bench_run (&bench, "FMUL.M8 R0 = R2, -R2");
  ck_assert_uint_eq (bench_row (&bench, 0)[0], 0xc2900000); /* -72 */
  bench_row (&bench, 1)[0] = 0x00000003;
  bench_run (&bench, "FMUL.D2 R0 = R1, 0x3f800000");
  ck_assert_uint_eq (bench_row (&bench, 0)[0], 2);
}
END_TEST

START_TEST (a_minimum_takes_the_number_and_nan_where_asked)
{
  static const struct
  {
    const gchar *line;
    guint32 a, b, want;
  } cases[] = {
    { "FMNMX R0 = R1, R2, PT", 0x3f800000, 0x40000000, 0x3f800000 },
    { "FMNMX R0 = R1, R2, !PT", 0x3f800000, 0x40000000, 0x40000000 },
    { "FMNMX R0 = R1, R2, PT", 0x7fc00000, 0x40000000, 0x40000000 },
    { "FMNMX R0 = R1, R2, PT", 0x40000000, 0xffc00000, 0x40000000 },
    { "FMNMX R0 = R1, R2, PT", 0xffc00001, 0x7f800001, 0x7fffffff },
    { "FMNMX.NAN R0 = R1, R2, PT", 0x7fc00000, 0x40000000, 0x7fffffff },
    { "FMNMX R0 = R1, R2, PT", 0x80000000, 0, 0x80000000 },
    { "FMNMX R0 = R1, R2, !PT", 0x80000000, 0, 0 },
    { "FMNMX R0 = R1, R2, PT", 0xff800000, 0xff7fffff, 0xff800000 },
    { "FMNMX.FTZ R0 = R1, R2, PT", 0x80000001, 0x3f800000, 0x80000000 },
    { "FMNMX3 R0 = R1, R2, R1, !PT", 0x3f800000, 0x40000000, 0x40000000 },
    { "FMNMX R0 = |R1|, -R2, PT", 0xbf800000, 0x40000000, 0xc0000000 },
  };

  for (guint k = 0; k < G_N_ELEMENTS (cases); k++)
    {
      bench_row (&bench, 1)[7] = cases[k].a;
      bench_row (&bench, 2)[7] = cases[k].b;
      bench_run (&bench, cases[k].line);
      ck_assert_msg (bench_row (&bench, 0)[7] == cases[k].want, "%s: case %u: %08x", cases[k].line,
                     k, bench_row (&bench, 0)[7]);
    }
}
END_TEST

/* What each comparison says of less, equal, greater, unordered. */
static const struct
{
  const gchar *name;
  const gchar *holds;
} comparisons[] = {
  { "F", "0000" },   { "LT", "1000" },  { "EQ", "0100" },  { "LE", "1100" },
  { "GT", "0010" },  { "NE", "1010" },  { "GE", "0110" },  { "NUM", "1110" },
  { "NAN", "0001" }, { "LTU", "1001" }, { "EQU", "0101" }, { "LEU", "1101" },
  { "GTU", "0011" }, { "NEU", "1011" }, { "GEU", "0111" }, { "T", "1111" },
};

static void
check_comparison (guint k, const gchar *join, guint32 with)
{
  static const guint32 left[] = { 0x3f800000, 0x80000000, 0x40000000, 0x7fc00000 };
  static const guint32 right[] = { 0x40000000, 0, 0x3f800000, 0x3f800000 };
  g_autofree gchar *line
      = g_strdup_printf ("FSETP.%s.%s P0, P1 = R1, R2, P2", comparisons[k].name, join);
  g_autofree gchar *wide
      = g_strdup_printf ("DSETP.%s.%s P3, P4 = R4:2, R6:2, P2", comparisons[k].name, join);

  for (guint lane = 0; lane < 4; lane++)
    {
      double x = lane == 3 ? NAN : lane == 1 ? 1.5 : lane == 0 ? 1 : 2, y = lane == 0 ? 2 : 1.5;
      guint64 bits[2];
      memcpy (&bits[0], &x, 8);
      memcpy (&bits[1], &y, 8);
      bench_row (&bench, 1)[lane] = left[lane];
      bench_row (&bench, 2)[lane] = right[lane];
      for (guint j = 0; j < 4; j++)
        bench_row (&bench, 4 + j)[lane] = (guint32)(bits[j / 2] >> (j % 2 * 32));
    }
  bench.warp->p[2] = with;
  bench_run (&bench, line);
  bench_run (&bench, wide);
  for (guint lane = 0; lane < 4; lane++)
    {
      gboolean holds = comparisons[k].holds[lane] == '1', q = with >> lane & 1;
      gboolean first = join[0] == 'A' ? holds && q : join[0] == 'O' ? holds || q : holds != q;
      gboolean second = join[0] == 'A' ? !holds && q : join[0] == 'O' ? !holds || q : (!holds) != q;
      ck_assert_msg ((gboolean)(bench.warp->p[0] >> lane & 1) == first
                         && (gboolean)(bench.warp->p[1] >> lane & 1) == second,
                     "%s, lane %u", line, lane);
      ck_assert_msg ((gboolean)(bench.warp->p[3] >> lane & 1) == first
                         && (gboolean)(bench.warp->p[4] >> lane & 1) == second,
                     "%s, lane %u", wide, lane);
    }
}

START_TEST (all_comparisons_hold_where_they_should)
{
  for (guint k = 0; k < G_N_ELEMENTS (comparisons); k++)
    for (guint32 with = 0; with < 16; with++)
      {
        check_comparison (k, "AND", with);
        check_comparison (k, "OR", with);
        check_comparison (k, "XOR", with);
      }
}
END_TEST

START_TEST (unknown_lanes_make_unknown_results_and_no_others)
{
  fill_rows (3);
  bench.warp->r_unknown[wp_row_of (2)] = 0xf0;
  bench.warp->r_tag[wp_row_of (2)] = WP_TAG (3, 0);
  bench_run_masked (&bench, "FFMA R0 = R1, R2, R3", 0xff00ffff);
  ck_assert_uint_eq (bench.warp->r_unknown[wp_row_of (0)], 0xf0);
  ck_assert_uint_eq (bench.warp->r_tag[wp_row_of (0)], WP_TAG (3, 0));
  bench.warp->p[0] = 0x30;
  bench_run (&bench, "FSEL R4 = R1, R2, P0");
  ck_assert_uint_eq (bench.warp->r_unknown[wp_row_of (4)], 0xc0);
  bench_run (&bench, "FSETP.LT.AND P1, PT = R1, R2, P0");
  ck_assert_uint_eq (bench.warp->p_unknown[1], 0x30);
}
END_TEST

/* ---- Double precision ---- */

static guint64
get_wide (guint number, guint lane)
{
  return bench_row (&bench, number)[lane] | (guint64)bench_row (&bench, number + 1)[lane] << 32;
}

static void
set_wide (guint number, guint lane, guint64 bits)
{
  bench_row (&bench, number)[lane] = (guint32)bits;
  bench_row (&bench, number + 1)[lane] = bits >> 32;
}

static gboolean
is_nan (guint64 bits)
{
  return bits << 1 > G_GUINT64_CONSTANT (0xffe0000000000000);
}

/* Where the operands have 24 digits, the exact sum fits the second way. */
static guint64
short_double (void)
{
  guint64 bits = bench_random (rand_, 11, 52) & ~G_GUINT64_CONSTANT (0x1fffffff);
  gint exponent = bits >> 52 & 0x7ff;

  return exponent == 0 ? bits & ((guint64)1 << 63) : bits;
}

START_TEST (double_precision_rounds_in_all_modes)
{
  for (guint k = 0; k < check_get_cases (3000); k++)
    for (guint rounding = 0; rounding < count_roundings (); rounding++)
      {
        g_autofree gchar *line
            = g_strdup_printf ("DFMA%s R0:2 = R2:2, R4:2, -R6:2", roundings[rounding]);
        for (guint lane = 0; lane < WP_LANES; lane++)
          for (guint r = 2; r < 8; r += 2)
            set_wide (r, lane, short_double ());
        bench_run (&bench, line);
        for (guint lane = 0; lane < WP_LANES; lane++)
          {
            guint64 a = get_wide (2, lane), b = get_wide (4, lane);
            guint64 c = get_wide (6, lane) ^ (guint64)1 << 63, got = get_wide (0, lane);
            guint64 want = second_fma (WP_F64, a, b, c, (WpRounding)rounding);
            gboolean both_nan = is_nan (want) && is_nan (got);
            ck_assert_msg (got == want || both_nan, "%s: %" G_GINT64_MODIFIER "x", line, got);
          }
      }
}
END_TEST

START_TEST (a_double_that_is_no_number_stays_what_it_was)
{
  set_wide (2, 0, G_GUINT64_CONSTANT (0x3ff0000000000000));
  set_wide (4, 0, G_GUINT64_CONSTANT (0xfff0000000001234));
  bench_run (&bench, "DADD R0:2 = R2:2, R4:2");
  ck_assert_uint_eq (get_wide (0, 0), G_GUINT64_CONSTANT (0xfff8000000001234));
  set_wide (4, 0, G_GUINT64_CONSTANT (0x7ff0000000000000));
  bench_run (&bench, "DADD R0:2 = -R4:2, R4:2");
  ck_assert_uint_eq (get_wide (0, 0), G_GUINT64_CONSTANT (0xfff8000000000000));
  bench_run (&bench, "DMUL R0:2 = R2:2, 0x40000000");
  ck_assert_uint_eq (get_wide (0, 0), G_GUINT64_CONSTANT (0x4000000000000000));
}
END_TEST

/* ---- Special functions ---- */

static float
number_in (guint row, guint lane)
{
  float number;
  memcpy (&number, &bench_row (&bench, row)[lane], sizeof number);
  return number;
}

static double
rcp (double x)
{
  return 1 / x;
}

static double
rsq (double x)
{
  return 1 / sqrt (x);
}

static double
sine (double x)
{
  return sin (x * 2 * G_PI);
}

static double
cosine (double x)
{
  return cos (x * 2 * G_PI);
}

static const struct
{
  const gchar *line;
  double (*function) (double x);
  double low, high, relative, absolute;
} functions[] = {
  { "MUFU.RCP R0 = R1", rcp, 1e-37, 8e37, 0x1p-23, 0 },
  { "MUFU.RSQ R0 = R1", rsq, 1e-37, 1e38, 0x1p-22, 0 },
  { "MUFU.SQRT R0 = R1", sqrt, 1e-37, 1e38, 0x1p-23, 0 },
  { "MUFU.EX2 R0 = R1", exp2, -126, 127, 0x1p-22, 0 },
  { "MUFU.LG2 R0 = R1", log2, 1e-37, 1e38, 0x1p-23, 0x1p-23 },
  { "MUFU.SIN R0 = R1", sine, -100, 100, 0, 0x1p-21 },
  { "MUFU.COS R0 = R1", cosine, -100, 100, 0, 0x1p-21 },
  { "MUFU.TANH R0 = R1", tanh, -20, 20, 0x1p-11, 0 },
};

static void
check_function (guint k, guint rounds)
{
  gboolean is_log = functions[k].low > 0;
  double low = is_log ? log (functions[k].low) : functions[k].low;
  double high = is_log ? log (functions[k].high) : functions[k].high;

  for (guint round = 0; round < rounds; round++)
    {
      for (guint lane = 0; lane < WP_LANES; lane++)
        {
          double x = low + (high - low) * g_rand_double (rand_);
          float number = (float)(is_log ? exp (x) : x);
          memcpy (&bench_row (&bench, 1)[lane], &number, sizeof number);
        }
      bench_run (&bench, functions[k].line);
      for (guint lane = 0; lane < WP_LANES; lane++)
        {
          double want = functions[k].function ((double)number_in (1, lane));
          double error = fabs ((double)number_in (0, lane) - want);
          ck_assert_msg (error <= functions[k].relative * fabs (want) + functions[k].absolute,
                         "%s of %a: %a, not %a", functions[k].line, (double)number_in (1, lane),
                         (double)number_in (0, lane), want);
        }
    }
}

START_TEST (special_functions_are_as_near_as_documented)
{
  check_function ((guint)_i, check_get_cases (3000));
}
END_TEST

START_TEST (special_functions_of_special_numbers)
{
  static const struct
  {
    const gchar *line;
    guint32 x, want;
  } cases[] = {
    { "MUFU.RCP R0 = R1", 0x80000000, 0xff800000 },
    { "MUFU.RCP R0 = R1", 0x00000001, 0x7f800000 },
    { "MUFU.RCP R0 = R1", 0xff800000, 0x80000000 },
    { "MUFU.RCP R0 = R1", 0x7f000000, 0x00000000 },
    { "MUFU.RCP R0 = R1", 0xffc00000, 0x7fffffff },
    { "MUFU.RSQ R0 = R1", 0xbf800000, 0x7fffffff },
    { "MUFU.RSQ R0 = R1", 0x80000000, 0xff800000 },
    { "MUFU.RSQ R0 = R1", 0x7f800000, 0 },
    { "MUFU.SQRT R0 = R1", 0x80000000, 0x80000000 },
    { "MUFU.SQRT R0 = R1", 0x40800000, 0x40000000 },
    { "MUFU.EX2 R0 = R1", 0x43000000, 0x7f800000 },
    { "MUFU.EX2 R0 = R1", 0xff800000, 0 },
    { "MUFU.EX2 R0 = R1", 0xc2fc0000, 0x00800000 },
    { "MUFU.EX2 R0 = R1", 0, 0x3f800000 },
    { "MUFU.EX2 R0 = R1", 0x7fc00000, 0x7fffffff },
    { "MUFU.LG2 R0 = R1", 0, 0xff800000 },
    { "MUFU.LG2 R0 = R1", 0xbf800000, 0x7fffffff },
    { "MUFU.LG2 R0 = R1", 0x7f800000, 0x7f800000 },
    { "MUFU.LG2 R0 = R1", 0x3f800000, 0 },
    { "MUFU.LG2 R0 = R1", 0x41000000, 0x40400000 },
    { "MUFU.SIN R0 = R1", 0x80000000, 0x80000000 },
    { "MUFU.SIN R0 = R1", 0x7f800000, 0x7fffffff },
    { "MUFU.SIN R0 = R1", 0x3e800000, 0x3f800000 },
    { "MUFU.COS R0 = R1", 0x3f000000, 0xbf800000 },
    { "MUFU.COS R0 = R1", 0x7149f2ca, 0x3f800000 },
    { "MUFU.TANH R0 = R1", 0x7f800000, 0x3f800000 },
    { "MUFU.TANH R0 = R1", 0x80000001, 0x80000001 },
    { "MUFU.RCP64H R0 = R1", 0x40000000, 0x3fe00000 },
    { "MUFU.RCP64H R0 = R1", 0, 0x7ff00000 },
    { "MUFU.RCP64H R0 = R1", 0x7ff00000, 0 },
    { "MUFU.RSQ64H R0 = R1", 0x40100000, 0x3fe00000 },
  };

  for (guint k = 0; k < G_N_ELEMENTS (cases); k++)
    {
      bench_row (&bench, 1)[31] = cases[k].x;
      bench_run (&bench, cases[k].line);
      ck_assert_msg (bench_row (&bench, 0)[31] == cases[k].want, "%s of %08x: %08x, not %08x",
                     cases[k].line, cases[k].x, bench_row (&bench, 0)[31], cases[k].want);
    }
}
END_TEST

/* ---- Divisions as compilers write them ---- */

START_TEST (the_short_division_is_exact_where_fchk_lets_it)
{
  static const gchar *const lines[]
      = { "MUFU.RCP R3 = R2",     "FCHK P0 = R1, R2",     "FFMA R4 = -R2, R3, 0x3f800000",
          "FFMA R4 = R3, R4, R3", "FFMA R5 = R1, R4, RZ", "FFMA R6 = -R2, R5, R1",
          "FFMA R0 = R4, R6, R5" };
  guint n = 0;

  for (guint k = 0; k < check_get_cases (4000); k++)
    {
      fill_rows (2);
      for (guint j = 0; j < G_N_ELEMENTS (lines); j++)
        bench_run (&bench, lines[j]);
      for (guint lane = 0; lane < WP_LANES; lane++)
        if (!(bench.warp->p[0] >> lane & 1))
          {
            ck_assert_float_eq (number_in (0, lane), number_in (1, lane) / number_in (2, lane));
            n++;
          }
    }
  ck_assert_uint_gt (n, 100);
}
END_TEST

START_TEST (a_reciprocal_of_double_precision_is_exact)
{
  for (guint k = 0; k < check_get_cases (4000); k++)
    {
      for (guint lane = 0; lane < WP_LANES; lane++)
        set_wide (4, lane,
                  (bench_random (rand_, 11, 52) & G_GUINT64_CONSTANT (0x000fffffffffffff))
                      | (guint64)g_rand_int_range (rand_, 900, 1100) << 52);
      for (guint lane = 0; lane < WP_LANES; lane++)
        bench_row (&bench, 6)[lane] = bench_row (&bench, 5)[lane] + 0x300402;
      bench_run (&bench, "MUFU.RCP64H R7 = R5");
      bench_run (&bench, "DFMA R8:2 = -R4:2, R6:2, 0x3ff00000");
      bench_run (&bench, "DFMA R8:2 = R8:2, R8:2, R8:2");
      bench_run (&bench, "DFMA R8:2 = R6:2, R8:2, R6:2");
      bench_run (&bench, "DFMA R10:2 = -R4:2, R8:2, 0x3ff00000");
      bench_run (&bench, "DFMA R8:2 = R8:2, R10:2, R8:2");
      for (guint lane = 0; lane < WP_LANES; lane++)
        {
          guint64 bits = get_wide (4, lane), got = get_wide (8, lane);
          double x, y;
          memcpy (&x, &bits, sizeof x);
          memcpy (&y, &got, sizeof y);
          ck_assert_double_eq (y, 1 / x);
        }
    }
}
END_TEST

/* Each line is what a compiler makes of the operands (lower, upper) beside it. */
START_TEST (pairs_of_singles_are_what_their_words_say)
{
  static const struct
  {
    const gchar *line;
    float low, high;
  } cases[] = {
    { "FADD2 R10:2 = R2.F32x2.HI_LO:2, R4.F32x2.HI_LO:2", 3 + 7, 5 + 11 },
    { "FMUL2 R10:2 = R2.F32x2.HI_LO:2, R4.F32x2.LO_HI:2", 3 * 11, 5 * 7 },
    { "FADD2 R10:2 = R2.F32x2.HI_LO:2, -R4.F32x2.LO_HI.NP:2", 3 - 11, 5 + 7 },
    { "FMUL2 R10:2 = R2.F32x2.HI_LO.NP:2, R4.F32x2.HI_LO:2", 3 * 7, -5 * 11 },
    { "FADD2 R10:2 = -R3.F32, R4.F32x2.HI_LO:2", 7 - 5, 11 - 5 },
    { "FADD2 R10:2 = R2.F32x2.HI_LO:2, 0x40000000", 3 + 2, 5 + 2 },
    { "FADD2 R10:2 = |R6|.F32x2.HI_LO:2, R4.F32x2.HI_LO:2", 7 + 2, 11 + 2 },
    { "FFMA2 R10:2 = R2.F32x2.HI_LO:2, R4.F32x2.HI_LO:2, -R4.F32x2.HI_LO.NP:2", 21 - 7, 55 + 11 },
    { "FFMA2 R2:2 = R3.F32, 0x40000000, R2.F32x2.LO_HI:2", 10 + 5, 10 + 3 },
  };
  static const float values[] = { 3, 5, 7, 11, -2, -2 };

  for (guint k = 0; k < G_N_ELEMENTS (cases); k++)
    {
      const guint to = strstr (cases[k].line, "2 R2:2 =") ? 2 : 10;
      float got[2];

      for (guint j = 0; j < G_N_ELEMENTS (values); j++)
        memcpy (&bench_row (&bench, 2 + j)[4], &values[j], sizeof values[j]);
      bench_run (&bench, cases[k].line);
      for (guint j = 0; j < 2; j++)
        memcpy (&got[j], &bench_row (&bench, to + j)[4], sizeof got[j]);
      ck_assert_msg (got[0] == cases[k].low && got[1] == cases[k].high, "%s: %g, %g", cases[k].line,
                     (double)got[0], (double)got[1]);
    }
  /* Each half is known where what it reads is. */
  bench.warp->r_unknown[wp_row_of (3)] = 1;
  bench_run (&bench, "FMUL2 R10:2 = R4.F32x2.HI_LO:2, R2.F32x2.LO_HI:2");
  ck_assert_uint_eq (bench.warp->r_unknown[wp_row_of (10)], 1);
  ck_assert_uint_eq (bench.warp->r_unknown[wp_row_of (11)], 0);
}
END_TEST

START_TEST (what_is_not_covered_is_refused)
{
  ck_assert (bench_refuses (&bench, "FADD.X R0 = R1, R2"));
  ck_assert (bench_refuses (&bench, "FADD R0 = R1"));
  ck_assert (bench_refuses (&bench, "DADD.FTZ R0:2 = R2:2, R4:2"));
  ck_assert (bench_refuses (&bench, "FSETP.AND P0, P1 = R1, R2, PT"));
  ck_assert (bench_refuses (&bench, "MUFU.X R0 = R1"));
  ck_assert (bench_refuses (&bench, "DSETP.MIN.OR P0, P1 = R2:2, R4:2, PT"));
}
END_TEST

static Suite *
make_suite (void)
{
  Suite *suite = suite_create ("execute-float");
  TCase *cases = tcase_create ("single"), *wide = tcase_create ("double"),
        *special = tcase_create ("special");

  tcase_add_checked_fixture (cases, setup, teardown);
  tcase_add_test (cases, single_precision_rounds_as_exact_sums_do_in_all_modes);
  tcase_add_test (cases, a_scaled_product_is_rounded_once);
  tcase_add_test (cases, a_minimum_takes_the_number_and_nan_where_asked);
  tcase_add_test (cases, all_comparisons_hold_where_they_should);
  tcase_add_test (cases, unknown_lanes_make_unknown_results_and_no_others);
  tcase_add_test (cases, pairs_of_singles_are_what_their_words_say);
  tcase_add_test (cases, what_is_not_covered_is_refused);
  suite_add_tcase (suite, cases);
  tcase_add_checked_fixture (wide, setup, teardown);
  tcase_add_test (wide, double_precision_rounds_in_all_modes);
  tcase_add_test (wide, a_double_that_is_no_number_stays_what_it_was);
  tcase_add_test (wide, a_reciprocal_of_double_precision_is_exact);
  suite_add_tcase (suite, wide);
  tcase_add_checked_fixture (special, setup, teardown);
  tcase_add_loop_test (special, special_functions_are_as_near_as_documented, 0,
                       G_N_ELEMENTS (functions));
  tcase_add_test (special, special_functions_of_special_numbers);
  tcase_add_test (special, the_short_division_is_exact_where_fchk_lets_it);
  suite_add_tcase (suite, special);
  return suite;
}
