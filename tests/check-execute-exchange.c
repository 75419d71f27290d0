/* SPDX-License-Identifier: MIT */
/* Lanes that see one another, special registers, and products of matrices against plain loops over
 * the fragments that the PTX ISA draws. */
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
  for (guint lane = 0; lane < WP_LANES; lane++)
    bench_row (&bench, 1)[lane] = 100 + lane;
}

static void
teardown (void)
{
  bench_clear (&bench);
  g_rand_free (rand_);
}

/* ---- SHFL ---- */

START_TEST (shuffles_within_the_warp_and_within_segments)
{
  bench_run (&bench, "SHFL.DOWN P0, R0 = R1, 1, 0x1f");
  ck_assert_uint_eq (bench_row (&bench, 0)[0], 101);
  ck_assert_uint_eq (bench_row (&bench, 0)[31], 131);
  ck_assert_uint_eq (bench.warp->p[0], 0x7fffffff);
  bench_run (&bench, "SHFL.UP P0, R0 = R1, 2, 0");
  ck_assert_uint_eq (bench_row (&bench, 0)[1], 101);
  ck_assert_uint_eq (bench_row (&bench, 0)[2], 100);
  ck_assert_uint_eq (bench.warp->p[0], 0xfffffffc);
  bench_run (&bench, "SHFL.BFLY PT, R0 = R1, 0x10, 0x1f");
  ck_assert_uint_eq (bench_row (&bench, 0)[3], 119);
  bench_run (&bench, "SHFL.IDX PT, R0 = R1, 5, 0x1f");
  ck_assert_uint_eq (bench_row (&bench, 0)[30], 105);
  /* Segments of 8 lanes: c is (32 - 8) << 8 | 0x1f. */
  bench_run (&bench, "SHFL.IDX PT, R0 = R1, 9, 0x181f");
  ck_assert_uint_eq (bench_row (&bench, 0)[20], 117);
  bench_run (&bench, "SHFL.DOWN P1, R0 = R1, 3, 0x181f");
  ck_assert_uint_eq (bench_row (&bench, 0)[6], 106);
  ck_assert_uint_eq (bench.warp->p[1], 0x1f1f1f1f);
}
END_TEST

START_TEST (a_shuffled_value_takes_its_unknown_bit_along)
{
  bench.warp->r_unknown[wp_row_of (1)] = 1u << 5;
  bench_run (&bench, "SHFL.UP P0, R0 = R1, 1, 0");
  ck_assert_uint_eq (bench.warp->r_unknown[wp_row_of (0)], 1u << 6);
  ck_assert_ptr_null (bench.block.notes);
  /* The last lane keeps its own value. */
  bench_run_masked (&bench, "SHFL.DOWN P0, R0 = R2, 1, 0x1f", 0xff000000);
  ck_assert_uint_eq (bench.warp->r_unknown[wp_row_of (0)], 1u << 6);
  ck_assert_ptr_null (bench.block.notes);
  bench.warp->r_unknown[wp_row_of (2)] = 2;
  bench_run (&bench, "SHFL.IDX P0, R0 = R1, R2, 0x1f");
  ck_assert_uint_eq (bench.warp->r_unknown[wp_row_of (0)] & 2, 2);
  ck_assert_ptr_nonnull (bench.block.notes);
}
END_TEST

START_TEST (what_a_lane_that_does_not_execute_has_is_not_known)
{
  bench_run_masked (&bench, "SHFL.DOWN P0, R0 = R1, 2, 0x1f", 0x0fffff);
  ck_assert_uint_eq (bench.warp->p[0] & 0xfffff, 0xfffff);
  ck_assert_uint_eq (bench.warp->r_unknown[wp_row_of (0)], 0xc0000);
  ck_assert_ptr_nonnull (bench.block.notes);
}
END_TEST

/* ---- VOTE, MATCH, REDUX ---- */

START_TEST (votes_count_the_lanes_that_execute)
{
  bench.warp->p[1] = 0xff00;
  bench_run_masked (&bench, "VOTE.ANY R0, P0 = P1", 0x0ff0);
  ck_assert_uint_eq (bench_row (&bench, 0)[4], 0x0f00);
  ck_assert_uint_eq (bench.warp->p[0], 0x0ff0);
  bench_run_masked (&bench, "VOTE.ALL P2 = P1", 0x0ff0);
  ck_assert_uint_eq (bench.warp->p[2], 0);
  bench_run_masked (&bench, "VOTE.EQ P3 = P1", 0x0f00);
  ck_assert_uint_eq (bench.warp->p[3], 0x0f00);
  bench_run (&bench, "VOTEU.ANY UR4, UPT = P1");
  ck_assert_uint_eq (bench.warp->ur[4], 0xff00);
}
END_TEST

START_TEST (a_vote_is_known_where_the_known_lanes_decide)
{
  bench.warp->p[1] = 1;
  bench.warp->p_unknown[1] = 2;
  bench_run (&bench, "VOTE.ANY R0, P0 = P1");
  ck_assert_uint_eq (bench.warp->p_unknown[0], 0);
  ck_assert_uint_eq (bench.warp->r_unknown[wp_row_of (0)], WP_ALL_LANES);
  bench_run_masked (&bench, "VOTE.ALL P2 = P1", 3);
  ck_assert_uint_eq (bench.warp->p_unknown[2], 3);
}
END_TEST

START_TEST (matches_find_equal_values)
{
  for (guint lane = 0; lane < WP_LANES; lane++)
    bench_row (&bench, 2)[lane] = lane % 3, bench_row (&bench, 3)[lane] = lane / 16;
  bench_run_masked (&bench, "MATCH.ANY R0 = R2", 0xffff);
  ck_assert_uint_eq (bench_row (&bench, 0)[4], 0x2492);
  bench_run (&bench, "MATCH.ANY.U64 R0 = R2:2");
  ck_assert_uint_eq (bench_row (&bench, 0)[0], 0x9249);
  bench_run (&bench, "MATCH.ALL P0, R0 = R2");
  ck_assert_uint_eq (bench.warp->p[0], 0);
  ck_assert_uint_eq (bench_row (&bench, 0)[9], 0);
  bench_run_masked (&bench, "MATCH.ALL P0, R0 = R3", 0xff);
  ck_assert_uint_eq (bench.warp->p[0], 0xff);
  ck_assert_uint_eq (bench_row (&bench, 0)[7], 0xff);
}
END_TEST

START_TEST (reductions_of_a_warp)
{
  static const struct
  {
    const gchar *line;
    guint32 want;
  } cases[] = {
    { "REDUX.SUM UR4 = R1", 100 + 101 + 102 }, { "REDUX.MIN UR4 = R1", 100 },
    { "REDUX.MAX.S32 UR4 = R1", 102 },         { "REDUX.XOR UR4 = R1", 100 ^ 101 ^ 102 },
    { "REDUX.OR UR4 = R1", 100 | 101 | 102 },  { "REDUX UR4 = R1", 100 & 101 & 102 },
    { "CREDUX.MAX.S32 UR4 = R1", 102 },
  };

  for (guint k = 0; k < G_N_ELEMENTS (cases); k++)
    {
      bench_run_masked (&bench, cases[k].line, 7);
      ck_assert_msg (bench.warp->ur[4] == cases[k].want, "%s: %u", cases[k].line,
                     bench.warp->ur[4]);
    }
}
END_TEST

START_TEST (reductions_of_a_warp_in_single_precision)
{
  static const struct
  {
    const gchar *line;
    guint32 values[3], want;
  } cases[] = {
    { "CREDUX.MIN.F32 UR4 = R1", { 0xbf800000, 0x3f800000, 0xc0000000 }, 0xc0000000 },
    { "CREDUX.MAX.F32 UR4 = R1", { 0xbf800000, 0xff800000, 0xc0000000 }, 0xbf800000 },
    { "CREDUX.MAXABS.F32 UR4 = R1", { 0xbf800000, 0x3f800000, 0xc0000000 }, 0x40000000 },
    { "CREDUX.MINABS.F32 UR4 = R1", { 0xbf800000, 0x3fc00000, 0xc0000000 }, 0x3f800000 },
    { "CREDUX.MIN.F32 UR4 = R1", { 0x00000000, 0x80000000, 0x00000001 }, 0x80000000 },
    { "CREDUX.MIN.F32 UR4 = R1", { 0x7fc00000, 0xffc00000, 0x40000000 }, 0x40000000 },
    { "CREDUX.MIN.F32 UR4 = R1", { 0x7fc00000, 0xffc00000, 0x7f800001 }, 0x7fffffff },
    { "CREDUX.MAX.F32.NAN UR4 = R1", { 0x40000000, 0xffc00000, 0x7f800000 }, 0x7fffffff },
  };

  for (guint k = 0; k < G_N_ELEMENTS (cases); k++)
    {
      memcpy (bench_row (&bench, 1), cases[k].values, sizeof cases[k].values);
      bench_run_masked (&bench, cases[k].line, 7);
      ck_assert_msg (bench.warp->ur[4] == cases[k].want, "%s: %x", cases[k].line,
                     bench.warp->ur[4]);
    }
}
END_TEST

START_TEST (special_registers)
{
  bench.grid.block[0] = 6;
  bench.grid.block[1] = 2;
  bench.block.id[1] = 9;
  bench.warp->number = 1;
  bench_run (&bench, "S2R R0 = SR33");
  bench_run (&bench, "S2R R2 = SR34");
  bench_run (&bench, "S2R R3 = SR35");
  bench_run (&bench, "S2R R4 = SR57");
  bench_run (&bench, "S2UR UR4 = SR38");
  bench_run (&bench, "CS2R R6:2 = SR255");
  bench_run (&bench, "S2UR UR5 = SR2");
  /* Thread 32 + 5 of a block of 6 x 2. */
  ck_assert_uint_eq (bench_row (&bench, 0)[5], 37 % 6);
  ck_assert_uint_eq (bench_row (&bench, 2)[5], 37 / 6 % 2);
  ck_assert_uint_eq (bench_row (&bench, 3)[5], 37 / 12);
  ck_assert_uint_eq (bench_row (&bench, 4)[5], 31);
  ck_assert_uint_eq (bench.warp->ur[4], 9);
  ck_assert_uint_eq (bench_row (&bench, 7)[5], 0);
  ck_assert_uint_eq (bench.warp->ur[5] >> 8, 64);
  ck_assert (bench_refuses (&bench, "S2R R0 = SR200"));
}
END_TEST

/* ---- Matrices ---- */

static void
fill (guint first, guint n, guint32 (*value) (void))
{
  for (guint r = first; r < first + n; r++)
    for (guint lane = 0; lane < WP_LANES; lane++)
      bench_row (&bench, r)[lane] = value ();
}

/* Two halves that are whole numbers from -4 to 4: sums of products are exact. */
static guint32
small_halves (void)
{
  static const guint32 halves[] = { 0, 0x3c00, 0x4000, 0x4200, 0x4400 };
  guint32 low = halves[g_rand_int_range (rand_, 0, 5)],
          high = halves[g_rand_int_range (rand_, 0, 5)];
  return low | high << 16 | (g_rand_int (rand_) & 0x80008000);
}

static guint32
small_singles (void)
{
  float number = (float)g_rand_int_range (rand_, -9, 10);
  guint32 bits;
  memcpy (&bits, &number, sizeof bits);
  return bits;
}

static guint32
any_bits (void)
{
  return g_rand_int (rand_);
}

static double
value_of (WpType type, guint32 bits)
{
  WpNumber number = wp_number_read (type, bits);
  return ldexp ((double)number.digits, number.exponent) * (number.negative ? -1 : 1);
}

/* m16n8k16 of halves as the PTX ISA draws it: A in R8 to R11, B in R12, R13, C in R16 to R19. */
START_TEST (hmma_16816)
{
  double a[16][16], b[16][8];

  fill (8, 6, small_halves);
  fill (16, 4, small_singles);
  for (guint lane = 0; lane < WP_LANES; lane++)
    {
      for (guint i = 0; i < 8; i++)
        {
          guint row = i < 2 || (i >= 4 && i < 6) ? lane / 4 : lane / 4 + 8;
          guint column = lane % 4 * 2 + (i & 1) + (i < 4 ? 0 : 8);
          a[row][column] = value_of (WP_F16, bench_row (&bench, 8 + i / 2)[lane] >> (i % 2 * 16));
        }
      for (guint i = 0; i < 4; i++)
        b[lane % 4 * 2 + (i & 1) + (i < 2 ? 0 : 8)][lane / 4]
            = value_of (WP_F16, bench_row (&bench, 12 + i / 2)[lane] >> (i % 2 * 16));
    }
  bench_run (&bench, "HMMA.16816.F32 R20:4 = R8:4, R12:2, R16:4");
  for (guint lane = 0; lane < WP_LANES; lane++)
    for (guint i = 0; i < 4; i++)
      {
        guint row = i < 2 ? lane / 4 : lane / 4 + 8, column = lane % 4 * 2 + (i & 1);
        double sum = value_of (WP_F32, bench_row (&bench, 16 + i)[lane]);
        for (guint k = 0; k < 16; k++)
          sum += a[row][k] * b[k][column];
        ck_assert_double_eq (value_of (WP_F32, bench_row (&bench, 20 + i)[lane]), sum);
      }
}
END_TEST

START_TEST (an_unknown_element_makes_its_row_unknown)
{
  fill (8, 6, small_halves);
  bench.warp->r_unknown[wp_row_of (9)] = 1u << 13; /* row 3 + 8 */
  bench_run (&bench, "HMMA.16816.F32 R20:4 = R8:4, R12:2, RZ");
  ck_assert_uint_eq (bench.warp->r_unknown[wp_row_of (20)], 0);
  ck_assert_uint_eq (bench.warp->r_unknown[wp_row_of (22)], 0xf000);
  bench.warp->r_unknown[wp_row_of (9)] = 0;
  bench.warp->r_unknown[wp_row_of (12)] = 1u << 8; /* column 2: lanes 1, 5, 9, ... */
  bench_run (&bench, "HMMA.16816.F32 R20:4 = R8:4, R12:2, RZ");
  ck_assert_uint_eq (bench.warp->r_unknown[wp_row_of (21)], 0x22222222);
  bench.warp->r_unknown[wp_row_of (12)] = bench.warp->r_unknown[wp_row_of (13)] = WP_ALL_LANES;
  bench.warp->r_tag[wp_row_of (12)] = WP_TAG (4, 0);
  bench_run_masked (&bench, "HMMA.16816.F32 R20:4 = R8:4, R12:2, RZ", 0xffff);
  for (guint r = 20; r < 24; r++)
    ck_assert_uint_eq (bench.warp->r_unknown[wp_row_of (r)] & 0xffff, 0xffff);
  ck_assert_uint_eq (WP_TAG_SOURCE (bench.warp->r_tag[wp_row_of (23)]), 4);
}
END_TEST

/* m8n8k4: A (lane / 4, lane % 4), B (lane % 4, lane / 4). */
START_TEST (dmma_884)
{
  double a[8][4], b[4][8];

  for (guint lane = 0; lane < WP_LANES; lane++)
    {
      double x = g_rand_int_range (rand_, -50, 50), y = g_rand_int_range (rand_, -50, 50);
      guint64 bits[2];
      memcpy (&bits[0], &x, 8);
      memcpy (&bits[1], &y, 8);
      for (guint j = 0; j < 4; j++)
        bench_row (&bench, 8 + j)[lane] = (guint32)(bits[j / 2] >> (j % 2 * 32));
      a[lane / 4][lane % 4] = x;
      b[lane % 4][lane / 4] = y;
    }
  for (guint is_signed = 0; is_signed < 2; is_signed++)
    {
      bench_run (&bench, is_signed ? "DMMA.884 R20:4 = -R8:2, |R10|:2, RZ"
                                   : "DMMA.884 R20:4 = R8:2, R10:2, RZ");
      for (guint lane = 0; lane < WP_LANES; lane++)
        for (guint i = 0; i < 2; i++)
          {
            guint64 bits = bench_row (&bench, 20 + 2 * i)[lane]
                           | (guint64)bench_row (&bench, 21 + 2 * i)[lane] << 32;
            double got, sum = 0;
            memcpy (&got, &bits, sizeof got);
            for (guint k = 0; k < 4; k++)
              {
                double y = b[k][lane % 4 * 2 + i];
                sum += a[lane / 4][k] * (is_signed ? -fabs (y) : y);
              }
            ck_assert_double_eq (got, sum);
          }
    }
}
END_TEST

/* m16n8k32 of bytes: A: row by bit 0 of the register, 16 columns on by bit 1. */
START_TEST (imma_16832)
{
  gint a[16][32], b[32][8];

  fill (8, 12, any_bits);
  for (guint lane = 0; lane < WP_LANES; lane++)
    for (guint i = 0; i < 16; i++)
      {
        guint row = i < 4 || (i >= 8 && i < 12) ? lane / 4 : lane / 4 + 8;
        guint column = lane % 4 * 4 + (i & 3) + (i < 8 ? 0 : 16);
        a[row][column] = (gint8)(bench_row (&bench, 8 + i / 4)[lane] >> (i % 4 * 8));
        if (i < 8)
          b[lane % 4 * 4 + (i & 3) + (i < 4 ? 0 : 16)][lane / 4]
              = (guint8)(bench_row (&bench, 12 + i / 4)[lane] >> (i % 4 * 8));
      }
  bench_run (&bench, "IMMA.16832.S8.U8 R20:4 = R8.ROW:4, R12.COL:2, R16:4");
  bench_run (&bench, "IMMA.16832.S8.U8.SAT R24:4 = R8.ROW:4, R12.COL:2, R16:4");
  for (guint lane = 0; lane < WP_LANES; lane++)
    for (guint i = 0; i < 4; i++)
      {
        guint row = i < 2 ? lane / 4 : lane / 4 + 8, column = lane % 4 * 2 + (i & 1);
        gint64 sum = (gint32)bench_row (&bench, 16 + i)[lane];
        for (guint k = 0; k < 32; k++)
          sum += a[row][k] * b[k][column];
        ck_assert_uint_eq (bench_row (&bench, 20 + i)[lane], (guint32)sum);
        ck_assert_int_eq ((gint32)bench_row (&bench, 24 + i)[lane],
                          CLAMP (sum, G_MININT32, G_MAXINT32));
      }
}
END_TEST

/* The other shapes: of ones, each element of D is the depth. */
START_TEST (all_shapes_add_as_many_products_as_they_are_deep)
{
  static const struct
  {
    const gchar *line;
    guint32 ones, want;
  } cases[] = {
    { "HMMA.1688.F32 R20:4 = R8:2, R12:1, RZ", 0x3c003c00, 0x41000000 },
    { "HMMA.1688.F16 R20:2 = R8:2, R12:1, RZ", 0x3c003c00, 0x48004800 },
    { "HMMA.16816.F16 R20:2 = R8:4, R12:2, RZ", 0x3c003c00, 0x4c004c00 },
    { "HMMA.16816.F32.BF16 R20:4 = R8:4, R12:2, RZ", 0x3f803f80, 0x41800000 },
    { "HMMA.1684.F32.TF32 R20:4 = R8:2, R12:1, RZ", 0x3f800fff, 0x40800000 },
    { "HMMA.1688.F32.TF32 R20:4 = R8:4, R12:2, RZ", 0x3f800000, 0x41000000 },
    { "HMMA.884.F32.F32.STEP0 R20:2 = R8.ROW:2, R12.COL:2, RZ", 0x3c003c00, 0x40800000 },
    { "HMMA.884.F16.F16.STEP1 R20:2 = R8.COL:2, R12.ROW:2, RZ", 0x3c003c00, 0x44004400 },
    { "IMMA.8816.S8.S8 R20:2 = R8.ROW, R12.COL, RZ", 0x01010101, 16 },
    { "IMMA.16816.U8.S8 R20:4 = R8.ROW:2, R12.COL, RZ", 0x01010101, 16 },
    { "IMMA.8832.S4.U4 R20:2 = R8.ROW, R12.COL, RZ", 0x11111111, 32 },
    { "IMMA.16864.U4.U4 R20:4 = R8.ROW:4, R12.COL:2, RZ", 0xffffffff, 64 * 225 },
    { "IMMA.16864.S4.S4 R20:4 = R8.ROW:4, R12.COL:2, RZ", 0xffffffff, 64 },
    { "BMMA.168256.AND.POPC R20:4 = R8.ROW:4, R12.COL:2, RZ", 0xffffffff, 256 },
    { "BMMA.88128.XOR.POPC R20:2 = R8.ROW, R12.COL, RZ", 0xffffffff, 0 },
    { "QMMA.16832.F32.E4M3.E4M3 R20:4 = R8:4, R12:2, RZ", 0x38383838, 0x42000000 },
    { "QMMA.16832.F32.E3M2.E3M2 R20:4 = R8:4, R12:2, RZ", 0x0c0c0c0c, 0x42000000 },
    { "QMMA.16832.F32.E2M3.E2M3 R20:4 = R8:4, R12:2, RZ", 0x08080808, 0x42000000 },
    { "QMMA.16832.F16.E2M1.E2M1 R20:2 = R8:4, R12:2, RZ", 0x08080808, 0x50005000 },
    { "DMMA.16x8x16 R20:8 = R8:16, R30:8, RZ", 0, 0 },
  };

  for (guint k = 0; k < G_N_ELEMENTS (cases); k++)
    {
      for (guint r = 8; r < 16; r++)
        for (guint lane = 0; lane < WP_LANES; lane++)
          bench_row (&bench, r)[lane] = cases[k].ones;
      bench_run (&bench, cases[k].line);
      for (guint lane = 0; lane < WP_LANES; lane++)
        ck_assert_msg (bench_row (&bench, 21)[lane] == cases[k].want
                           || (strstr (cases[k].line, "R20:1") && cases[k].want == 0),
                       "%s: %08x, not %08x", cases[k].line, bench_row (&bench, 21)[lane],
                       cases[k].want);
    }
}
END_TEST

START_TEST (a_transposed_matrix_has_its_columns_as_rows)
{
  for (guint lane = 0; lane < WP_LANES; lane++)
    {
      guint row = lane / 4, column = lane % 4 * 2;
      bench_row (&bench, 2)[lane] = (row * 16 + column) | (row * 16 + column + 1) << 16;
    }
  bench_run (&bench, "MOVM.16.MT88 R0 = R2");
  for (guint lane = 0; lane < WP_LANES; lane++)
    {
      guint row = lane / 4, column = lane % 4 * 2;
      ck_assert_uint_eq (bench_row (&bench, 0)[lane],
                         (column * 16 + row) | ((column + 1) * 16 + row) << 16);
    }
}
END_TEST

static Suite *
make_suite (void)
{
  Suite *suite = suite_create ("execute-exchange");
  TCase *cases = tcase_create ("lanes"), *matrices = tcase_create ("matrices");

  tcase_add_checked_fixture (cases, setup, teardown);
  tcase_add_test (cases, shuffles_within_the_warp_and_within_segments);
  tcase_add_test (cases, a_shuffled_value_takes_its_unknown_bit_along);
  tcase_add_test (cases, what_a_lane_that_does_not_execute_has_is_not_known);
  tcase_add_test (cases, votes_count_the_lanes_that_execute);
  tcase_add_test (cases, a_vote_is_known_where_the_known_lanes_decide);
  tcase_add_test (cases, matches_find_equal_values);
  tcase_add_test (cases, reductions_of_a_warp);
  tcase_add_test (cases, reductions_of_a_warp_in_single_precision);
  tcase_add_test (cases, special_registers);
  suite_add_tcase (suite, cases);
  tcase_add_checked_fixture (matrices, setup, teardown);
  tcase_add_test (matrices, hmma_16816);
  tcase_add_test (matrices, an_unknown_element_makes_its_row_unknown);
  tcase_add_test (matrices, dmma_884);
  tcase_add_test (matrices, imma_16832);
  tcase_add_test (matrices, all_shapes_add_as_many_products_as_they_are_deep);
  tcase_add_test (matrices, a_transposed_matrix_has_its_columns_as_rows);
  suite_add_tcase (suite, matrices);
  return suite;
}
