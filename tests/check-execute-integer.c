/* SPDX-License-Identifier: MIT */
/* Ops on whole numbers, bits and predicates against plain arithmetic of 64 and 128 bits, for random
 * values that are often special ones; the uniform datapath against lanes; unknown lanes. */
#include "config.h"

#include "exec/machine/wp-progression.h"
#include "tests/execute-step.h"

#include <glib.h>

#include "tests/check-main.h"

static Bench bench;
static GRand *rand_;

static void
setup (void)
{
  bench_init (&bench, 120);
  rand_ = g_rand_new_with_seed (18);
}

static void
teardown (void)
{
  bench_clear (&bench);
  g_rand_free (rand_);
}

static guint32
random_word (void)
{
  static const guint32 special[]
      = { 0, 1, 2, 31, 32, 33, 63, 64, 0x7fffffff, 0x80000000, 0xffffffff, 0xfffffffe, 0xff00ff00 };

  return g_rand_boolean (rand_) ? g_rand_int (rand_)
                                : special[g_rand_int_range (rand_, 0, G_N_ELEMENTS (special))];
}

/* R1 to R6 and UR1 to UR6, P0 to P3 and UP0 to UP3. */
static void
fill (void)
{
  for (guint number = 1; number <= 6; number++)
    {
      for (guint lane = 0; lane < WP_LANES; lane++)
        bench_row (&bench, number)[lane] = random_word ();
      bench.warp->ur[number] = bench_row (&bench, number)[0];
      bench.warp->r_shape[wp_row_of (number)].shape = WP_SHAPE_NONE;
    }
  for (guint number = 0; number < 4; number++)
    {
      bench.warp->p[number] = g_rand_int (rand_);
      bench.warp->up[number] = bench.warp->p[number] & 1;
    }
}

#define R(number) (bench_row (&bench, (number))[lane])
#define S(number) ((gint32)R (number))
#define WIDE(number) (R (number) | (guint64)R ((number) + 1) << 32)
#define P(number) (bench.warp->p[number] >> lane & 1)

/* LINE leaves EXPRESSION, of 32 bits, in R10 of each lane. */
#define CHECK(line, expression)                                                                    \
  do                                                                                               \
    for (unsigned i_ = check_get_cases (200); i_ > 0; i_--)                                        \
      {                                                                                            \
        fill ();                                                                                   \
        bench_run (&bench, line);                                                                  \
        for (guint lane = 0; lane < WP_LANES; lane++)                                              \
          ck_assert_msg (R (10) == (guint32)(expression), "%s: 0x%x of 0x%x, 0x%x, 0x%x", line,    \
                         R (10), R (1), R (2), R (3));                                             \
      }                                                                                            \
  while (0)

#define CHECK_WIDE(line, expression)                                                               \
  do                                                                                               \
    for (unsigned i_ = check_get_cases (200); i_ > 0; i_--)                                        \
      {                                                                                            \
        fill ();                                                                                   \
        bench_run (&bench, line);                                                                  \
        for (guint lane = 0; lane < WP_LANES; lane++)                                              \
          ck_assert_msg (WIDE (10) == (guint64)(expression), "%s: lane %u", line, lane);           \
      }                                                                                            \
  while (0)

#define CHECK_P(line, number, expression)                                                          \
  do                                                                                               \
    for (unsigned i_ = check_get_cases (200); i_ > 0; i_--)                                        \
      {                                                                                            \
        fill ();                                                                                   \
        bench_run (&bench, line);                                                                  \
        for (guint lane = 0; lane < WP_LANES; lane++)                                              \
          ck_assert_msg (P (number) == (guint)(expression), "%s: 0x%x, 0x%x", line, R (1), R (2)); \
      }                                                                                            \
  while (0)

/* The half AT of register N as a number with a sign. */
#define HALF(N, AT) ((gint16)(R (N) >> (16 * (AT))))

/* Each byte of A less that of B, and no less than 0. */
static guint32
less_bytes (guint32 a, guint32 b)
{
  guint32 out = 0;

  for (guint at = 0; at < 32; at += 8)
    out |= (guint32)MAX ((gint32)(a >> at & 0xff) - (gint32)(b >> at & 0xff), 0) << at;
  return out;
}

START_TEST (sums_and_products_are_those_of_c)
{
  CHECK ("IADD3 R10 = R1, R2, R3", R (1) + R (2) + R (3));
  CHECK ("IADD3 R10 = -R1, R2, -R3", R (2) - R (1) - R (3));
  CHECK ("IADD3 R10 = R1, 0x7fffffff, RZ", R (1) + 0x7fffffff);
  CHECK ("VIADD R10 = R1, -R2", R (1) - R (2));
  CHECK ("VIADD.16x2 R10 = -R1, R2",
         ((R (2) - R (1)) & 0xffff) | ((R (2) >> 16 << 16) - (R (1) >> 16 << 16)));
  CHECK ("VIADD.S32.ISAT R10 = R1, R2", CLAMP ((gint64)S (1) + S (2), G_MININT32, G_MAXINT32));
  CHECK ("VIADD.S32.ISAT R10 = R1, -R2", CLAMP ((gint64)S (1) - S (2), G_MININT32, G_MAXINT32));
  CHECK ("VIADD.S32.ISAT R10 = -R1, R2", CLAMP ((gint64)S (2) - S (1), G_MININT32, G_MAXINT32));
  CHECK ("VIADD.S16x2.ISAT R10 = R1, R2",
         ((guint32)CLAMP (HALF (1, 0) + HALF (2, 0), G_MININT16, G_MAXINT16) & 0xffff)
             | (guint32)CLAMP (HALF (1, 1) + HALF (2, 1), G_MININT16, G_MAXINT16) << 16);
  CHECK ("VIADD.U8x4.ISAT R10 = R1, -R2", less_bytes (R (1), R (2)));
  CHECK ("IMAD R10 = R1, R2, R3", R (1) * R (2) + R (3));
  CHECK ("IMAD R10 = R1, R2, -R3", R (1) * R (2) - R (3));
  CHECK ("IMAD.MOV.U32 R10 = RZ, RZ, -R3", -R (3));
  CHECK ("IMAD.SHL.U32 R10 = R1, 0x8, RZ", R (1) << 3);
  CHECK ("IMAD.X R10 = R1, R2, R3, P1", R (1) * R (2) + R (3) + P (1));
  CHECK_WIDE ("IMAD.WIDE R10:2 = R1, R2, R3:2", (guint64)((gint64)S (1) * S (2)) + WIDE (3));
  CHECK_WIDE ("IMAD.WIDE.U32 R10:2 = R1, R2, R3:2", (guint64)R (1) * R (2) + WIDE (3));
  CHECK_WIDE ("IMAD.WIDE.U32 R10:2 = R1, R2, -R3:2", (guint64)R (1) * R (2) - WIDE (3));
  CHECK ("IMAD.HI R10 = R1, R2, R3:2", (gint64)((guint64)((gint64)S (1) * S (2)) + WIDE (3)) >> 32);
  CHECK ("IMAD.HI.U32 R10 = R1, R2, R3:2", ((guint64)R (1) * R (2) + WIDE (3)) >> 32);
  CHECK ("IABS R10 = R1", S (1) < 0 ? 0u - R (1) : R (1));
  CHECK ("VABSDIFF R10 = R1, R2, R3", (S (1) > S (2) ? R (1) - R (2) : R (2) - R (1)) + R (3));
  CHECK ("VABSDIFF.U32 R10 = R1, R2, R3", (R (1) > R (2) ? R (1) - R (2) : R (2) - R (1)) + R (3));
}
END_TEST

/* Sums of 64 and 128 bits, word by word. */
START_TEST (carries_go_from_word_to_word)
{
  for (unsigned i = check_get_cases (500); i > 0; i--)
    {
      fill ();
      bench_run (&bench, "IADD3 R10, P0 = R1, R3, RZ");
      bench_run (&bench, "IADD3.X R11 = R2, R4, RZ, P0, !PT");
      bench_run (&bench, "IADD3 R12, P0 = R1, -R3, RZ");
      bench_run (&bench, "IADD3.X R13 = R2, !R4, RZ, P0, !PT"); /* ~R4 */
      bench_run (&bench, "IADD3 R14, P0, P1 = -R1, R3, R5");
      bench_run (&bench, "IADD3.X R15 = !R2, R4, R6, P0, P1");
      bench_run (&bench, "IMAD.WIDE.U32 R16:2, P2 = R1, R2, R3:2");
      bench_run (&bench, "LEA R18, P3 = R1, R3, 0x5");
      bench_run (&bench, "LEA.HI.X R19 = R1, R4, R2, 0x5, P3");
      for (guint lane = 0; lane < WP_LANES; lane++)
        {
          __extension__ typedef unsigned __int128 Sum;
          ck_assert_uint_eq (WIDE (10), WIDE (1) + WIDE (3));
          ck_assert_uint_eq (WIDE (12), WIDE (1) - WIDE (3));
          ck_assert_uint_eq (WIDE (14), WIDE (3) + WIDE (5) - WIDE (1));
          ck_assert_uint_eq (P (2), (guint)(((Sum)R (1) * R (2) + WIDE (3)) >> 64));
          ck_assert_uint_eq (WIDE (18), (WIDE (1) << 5) + WIDE (3));
        }
    }
}
END_TEST

START_TEST (numbers_of_64_bits_in_one_go)
{
  CHECK_WIDE ("IADD.64 R10:2 = R1:2, R3:2", WIDE (1) + WIDE (3));
  CHECK_WIDE ("IADD.64 R10:2 = -R1:2, R3:2", WIDE (3) - WIDE (1));
  CHECK_WIDE ("IMNMX.S64 R10:2 = R1:2, R3:2, PT, !PT", MIN ((gint64)WIDE (1), (gint64)WIDE (3)));
  CHECK_WIDE ("IMNMX.U64 R10:2 = R1:2, R3:2, !PT, !PT", MAX (WIDE (1), WIDE (3)));
  CHECK_WIDE ("SEL.64 R10:2 = R1:2, R3:2, P2", P (2) ? WIDE (1) : WIDE (3));
  CHECK_P ("ISETP.GT.S64.AND P3, PT = R1:2, R3:2, PT", 3, (gint64)WIDE (1) > (gint64)WIDE (3));
  CHECK_P ("ISETP.LE.U64.AND P3, PT = R1:2, R3:2, PT", 3, WIDE (1) <= WIDE (3));
}
END_TEST

START_TEST (comparisons_hold_where_they_should)
{
  CHECK_P ("ISETP.LT.AND P3, PT = R1, R2, PT", 3, S (1) < S (2));
  CHECK_P ("ISETP.GE.U32.AND P3, PT = R1, R2, PT", 3, R (1) >= R (2));
  CHECK_P ("ISETP.NE.OR P3, PT = R1, R2, P1", 3, R (1) != R (2) || P (1));
  CHECK_P ("ISETP.GT.U32.XOR P3, PT = R1, R2, !P1", 3, (R (1) > R (2)) != !P (1));
  CHECK_P ("ISETP.LE.AND P2, P3 = R1, R2, P1", 3, !(S (1) <= S (2)) && P (1));
  /* The low words first, then the high ones. */
  for (unsigned i = check_get_cases (500); i > 0; i--)
    {
      fill ();
      bench_run (&bench, "ISETP.GE.U32.AND P0, PT = R1, R3, PT");
      bench_run (&bench, "ISETP.GE.AND.EX P1, PT = R2, R4, PT, P0");
      bench_run (&bench, "ISETP.NE.U32.AND P2, PT = R1, R3, PT");
      bench_run (&bench, "ISETP.NE.U32.AND.EX P3, PT = R2, R4, PT, P2");
      for (guint lane = 0; lane < WP_LANES; lane++)
        {
          ck_assert_uint_eq (P (1), (gint64)WIDE (1) >= (gint64)WIDE (3));
          ck_assert_uint_eq (P (3), WIDE (1) != WIDE (3));
        }
    }
}
END_TEST

START_TEST (extremes_and_selections)
{
  CHECK ("IMNMX R10 = R1, R2, PT", MIN (S (1), S (2)));
  CHECK ("IMNMX.U32 R10 = R1, R2, !PT", MAX (R (1), R (2)));
  CHECK ("IMNMX R10 = R1, R2, P0", P (0) ? MIN (S (1), S (2)) : MAX (S (1), S (2)));
  CHECK ("VIADDMNMX R10 = R1, R2, R3, PT", MIN ((gint32)(R (1) + R (2)), S (3)));
  CHECK ("VIMNMX.U16x2 R10 = R1, R2, PT",
         MIN (R (1) & 0xffff, R (2) & 0xffff) | MIN (R (1) >> 16, R (2) >> 16) << 16);
  CHECK ("VIADDMNMX.S16x2 R10 = R1, -R2, R3, PT",
         (MIN ((gint16)(HALF (1, 0) - HALF (2, 0)), HALF (3, 0)) & 0xffff)
             | (guint32)MIN ((gint16)(HALF (1, 1) - HALF (2, 1)), HALF (3, 1)) << 16);
  /* Which halves are those of the first source. */
  CHECK_P ("VIMNMX.S16x2 R10, P3, P2 = R1, R2, !PT", 3, HALF (1, 0) >= HALF (2, 0));
  CHECK_P ("VIMNMX.S16x2 R10, P3, P2 = R1, R2, !PT", 2, HALF (1, 1) >= HALF (2, 1));
  CHECK_P ("VIMNMX.U16x2 R1, P3, P2 = R2, R3, PT", 2, R (2) >> 16 <= R (3) >> 16);
  CHECK ("SEL R10 = R1, R2, !P0", P (0) ? R (2) : R (1));
}
END_TEST

static guint64
funnel (guint32 high, guint32 low)
{
  return (guint64)high << 32 | low;
}

START_TEST (bits_are_where_they_should_be)
{
  CHECK ("LOP3.LUT R10 = R1, R2, R3, 0x96, !PT", R (1) ^ R (2) ^ R (3));
  CHECK ("LOP3.LUT R10 = R1, R2, R3, 0xe2, !PT", (R (1) & R (2)) | (R (3) & ~R (2)));
  CHECK ("LOP3.LUT R10 = R1, R2, R3, 0x1d, !PT", (~R (1) & R (2)) | (~R (3) & ~R (2)));
  CHECK_P ("LOP3.LUT P3, RZ = R1, R2, RZ, 0xc0, P1", 3, (R (1) & R (2)) != 0 || P (1));
  CHECK_P ("PLOP3.LUT P3, PT = P0, P1, P2, 0x80, 0x0", 3, P (0) && P (1) && P (2));
  CHECK_P ("PLOP3.LUT PT, P3 = P0, P1, P2, 0x80, 0x3c", 3, P (0) != P (1));
  CHECK_P ("PLOP3.LUT P3, PT = R1.SIGN, R2.SIGN, R3.SIGN, 0x2, 0x0", 3,
           S (1) >= 0 && S (2) >= 0 && S (3) < 0);
  CHECK_P ("PLOP3.LUT PT, P3 = R1.SIGN, RZ.SIGN, R3.SIGN, 0x2, 0x10", 3, S (1) < 0 && S (3) >= 0);
  CHECK_P ("PLOP3.LUT P3, PT = P0, R2.SIGN, R3.SIGN, 0x20, 0x0", 3,
           P (0) && S (2) >= 0 && S (3) < 0);
  CHECK_P ("PLOP3.LUT P3, PT = P0, R2.SIGN, P1, 0x40, 0x0", 3, P (0) && S (2) < 0 && !P (1));
  CHECK ("SHF.L.U32 R10 = R1, R2, RZ", R (2) < 32 ? R (1) << R (2) : 0);
  CHECK ("SHF.R.S32.HI R10 = RZ, R2, R1", S (1) >> MIN (R (2), 31));
  CHECK ("SHF.R.U32.HI R10 = RZ, 0x7, R1", R (1) >> 7);
  CHECK ("SHF.L.U64.HI R10 = R1, 0x9, R3", (funnel (R (3), R (1)) << 9) >> 32);
  CHECK ("SHF.R.U64 R10 = R1, R2, R3", R (2) < 64 ? funnel (R (3), R (1)) >> R (2) : 0);
  CHECK ("SHF.L.W.U32.HI R10 = R1, R2, R3", (funnel (R (3), R (1)) << (R (2) & 31)) >> 32);
  CHECK ("POPC R10 = R1", __builtin_popcount (R (1)));
  CHECK ("FLO.U32 R10 = R1", R (1) ? 31 - __builtin_clz (R (1)) : -1);
  CHECK ("FLO.U32.SH R10 = R1", R (1) ? __builtin_clz (R (1)) : -1);
  CHECK ("SGXT R10 = R1, 0xb", (gint32)(R (1) << 21) >> 21);
  CHECK ("SGXT.U32 R10 = R1, 0xb", R (1) & 0x7ff);
  CHECK ("BMSK R10 = 0x4, 0x9", 0x1ff0);
}
END_TEST

static guint32
byte (guint64 words, guint number)
{
  return words >> (8 * number) & 0xff;
}

START_TEST (bytes_are_permuted_as_ptx_says)
{
  CHECK ("PRMT R10 = R1, 0x7250, R2",
         byte (funnel (R (2), R (1)), 0) | byte (funnel (R (2), R (1)), 5) << 8
             | byte (funnel (R (2), R (1)), 2) << 16 | byte (funnel (R (2), R (1)), 7) << 24);
  CHECK ("PRMT R10 = R1, 0x8880, RZ", (gint32)(gint8)R (1));
  CHECK ("PRMT.F4E R10 = R1, R3, R2", funnel (R (2), R (1)) >> (8 * (R (3) & 3)));
  CHECK ("PRMT.RC8 R10 = R1, R3, R2", byte (R (1), R (3) & 3) * 0x01010101u);
  CHECK ("IDP.4A.U8.U8 R10 = R1, R2, R3",
         byte (R (1), 0) * byte (R (2), 0) + byte (R (1), 1) * byte (R (2), 1)
             + byte (R (1), 2) * byte (R (2), 2) + byte (R (1), 3) * byte (R (2), 3) + R (3));
}
END_TEST

/* The uniform datapath does the same once. */
START_TEST (uniform_ops_do_what_lane_0_does)
{
  static const gchar *const lines[][2] = {
    { "IADD3 R10 = -R1, R2, R3", "UIADD3 UR10 = -UR1, UR2, UR3" },
    { "IMAD R10 = R1, R2, R3", "UIMAD UR10 = UR1, UR2, UR3" },
    { "LEA R10 = R1, R2, 0x3", "ULEA UR10 = UR1, UR2, 0x3" },
    { "LOP3.LUT R10 = R1, R2, R3, 0xb8, !PT", "ULOP3.LUT UR10 = UR1, UR2, UR3, 0xb8, !UPT" },
    { "SHF.R.S32.HI R10 = RZ, R2, R1", "USHF.R.S32.HI UR10 = URZ, UR2, UR1" },
    { "PRMT R10 = R1, R3, R2", "UPRMT UR10 = UR1, UR3, UR2" },
    { "POPC R10 = R1", "UPOPC UR10 = UR1" },
    { "BREV R10 = R1", "UBREV UR10 = UR1" },
    { "SEL R10 = R1, R2, P1", "USEL UR10 = UR1, UR2, UP1" },
    { "IMAD.WIDE.U32 R10:2 = R1, R2, R3:2", "UIMAD.WIDE.U32 UR10:2 = UR1, UR2, UR3:2" },
    { "IMNMX.S64 R10:2 = R1:2, R2:2, PT", "UIMNMX.S64 UPT, UPT, UR10:2 = UR1:2, UR2:2, UPT, !UPT" },
  };

  /* The last ones are numbers of rows that mean something for registers of lanes. */
  static const guint numbers[] = { 10, 7, WP_ROW_SINK, WP_ROW_R0 };

  for (guint k = 0; k < G_N_ELEMENTS (lines); k++)
    for (unsigned i = check_get_cases (100); i > 0; i--)
      {
        g_auto (GStrv) parts = g_strsplit (lines[k][1], "UR10", 2);
        const guint number = numbers[i % G_N_ELEMENTS (numbers)];
        g_autofree gchar *line = g_strdup_printf ("%sUR%u%s", parts[0], number, parts[1]);

        fill ();
        bench_run (&bench, lines[k][0]);
        bench_run (&bench, line);
        ck_assert_msg (bench_row (&bench, 10)[0] == bench.warp->ur[number], "%s", line);
      }
  bench_run (&bench, "UISETP.LT.U32.AND UP3, UPT = UR1, UR2, UPT");
  ck_assert_uint_eq (bench.warp->up[3], bench.warp->ur[1] < bench.warp->ur[2]);
}
END_TEST

START_TEST (predicates_as_bits_of_a_register)
{
  for (unsigned i = check_get_cases (100); i > 0; i--)
    {
      guint32 before[4];
      fill ();
      memcpy (before, bench.warp->p, sizeof before);
      bench_run (&bench, "R2UR UR9 = R1");
      ck_assert_uint_eq (bench.warp->ur[9], bench_row (&bench, 1)[0]);
      bench_run_masked (&bench, "R2UR.BROADCAST UR8 = R1", 1u << 5);
      ck_assert_uint_eq (bench.warp->ur[8], bench_row (&bench, 1)[5]);
      bench_run_masked (&bench, "MOV R2 = R1", 0xffff);
      for (guint lane = 0; lane < WP_LANES / 2; lane++)
        ck_assert_uint_eq (R (2), R (1));
    }
}
END_TEST

/* In both words of Rpc, for some lanes, with what is not known. */
START_TEST (registers_are_put_aside)
{
  fill ();
  bench.warp->r_unknown[WP_ROW_R0 + 1] = 1u << 3 | 1u << 20;
  bench_run (&bench, "RPCMOV.32 Rpc.LO = R1");
  bench_run (&bench, "RPCMOV.32 Rpc.HI = R2");
  bench_run_masked (&bench, "RPCMOV.32 Rpc.LO = R3", 0xff00);
  bench_run (&bench, "RPCMOV.32 R10 = Rpc.LO");
  bench_run (&bench, "RPCMOV.32 R11 = Rpc.HI");
  for (guint lane = 0; lane < WP_LANES; lane++)
    {
      ck_assert_uint_eq (R (10), lane / 8 == 1 ? R (3) : R (1));
      ck_assert_uint_eq (R (11), R (2));
    }
  ck_assert_uint_eq (bench.warp->r_unknown[WP_ROW_R0 + 10], 1u << 3 | 1u << 20);
  ck_assert_uint_eq (bench.warp->r_unknown[WP_ROW_R0 + 11], 0);
  bench.warp->r_unknown[WP_ROW_R0 + 1] = 0;
}
END_TEST

/* Unknown in lane 0 of R1 and lane 1 of R2; R3 is known. */
START_TEST (what_does_not_depend_on_the_unknown_is_known)
{
  guint32 *unknown = bench.warp->r_unknown;

  fill ();
  for (guint lane = 0; lane < WP_LANES; lane++)
    {
      R (1) = 0x12345678;
      R (2) = 0xf0f0f0f0;
      R (3) = 0;
    }
  unknown[wp_row_of (1)] = 1;
  unknown[wp_row_of (2)] = 2;
  bench.warp->r_tag[wp_row_of (1)] = WP_TAG (7, 3);
  bench_run (&bench, "IADD3 R10 = R1, R2, R3");
  ck_assert_uint_eq (unknown[wp_row_of (10)], 3);
  ck_assert_uint_eq (bench.warp->r_tag[wp_row_of (10)], WP_TAG (7, 3));
  bench_run (&bench, "IMAD R10 = R1, R3, R2");
  ck_assert_uint_eq (unknown[wp_row_of (10)], 2);
  bench_run (&bench, "IMAD.WIDE R10:2 = R1, R2, R4:2");
  ck_assert_uint_eq (unknown[wp_row_of (11)], 3);
  bench_run (&bench, "LOP3.LUT R10 = R1, R3, RZ, 0xc0, !PT");
  ck_assert_uint_eq (unknown[wp_row_of (10)], 0);
  bench_run (&bench, "LOP3.LUT R10 = R1, R3, RZ, 0xfc, !PT");
  ck_assert_uint_eq (unknown[wp_row_of (10)], 1);
  bench_run (&bench, "PRMT R10 = R1, 0x7654, R2");
  ck_assert_uint_eq (unknown[wp_row_of (10)], 2);
  bench_run (&bench, "ISETP.EQ.AND P0, PT = R1, R2, !PT");
  ck_assert_uint_eq (bench.warp->p_unknown[0], 0);
  bench_run (&bench, "ISETP.EQ.AND P0, PT = R1, R2, PT");
  ck_assert_uint_eq (bench.warp->p_unknown[0], 3);
  bench_run (&bench, "SEL R10 = R3, RZ, P0");
  ck_assert_uint_eq (unknown[wp_row_of (10)], 0);
  bench_run (&bench, "SEL R10 = R2, R1, P0");
  ck_assert_uint_eq (unknown[wp_row_of (10)], 3);
  bench_run (&bench, "PLOP3.LUT P1, PT = P0, PT, PT, 0xfe, 0x0");
  ck_assert_uint_eq (bench.warp->p_unknown[1], 0);
  bench_run (&bench, "PLOP3.LUT P1, PT = R2.SIGN, PT, PT, 0x80, 0x0");
  ck_assert_uint_eq (bench.warp->p_unknown[1], unknown[wp_row_of (2)]);
  /* Other lanes stay as they are. */
  bench_run_masked (&bench, "MOV R10 = R3", 1);
  ck_assert_uint_eq (unknown[wp_row_of (10)], 2);
}
END_TEST

START_TEST (what_is_not_covered_is_refused)
{
  ck_assert (bench_refuses (&bench, "IADD3.HI R0 = R1, R2, R3"));
  ck_assert (bench_refuses (&bench, "LOP3 R0 = R1, R2, R3, 0xc0, !PT"));
  ck_assert (bench_refuses (&bench, "ISETP.AND P0, PT = R1, R2, PT"));
  ck_assert (bench_refuses (&bench, "SHF.X R0 = R1, R2, R3"));
  ck_assert (bench_refuses (&bench, "IMAD R0 = R1, R2"));
  ck_assert (bench_refuses (&bench, "VIADD.ISAT R0 = R1, R2"));
  ck_assert (bench_refuses (&bench, "VIMNMX R0, P1, P2 = R1, R2, PT"));
  ck_assert (bench_refuses (&bench, "VIMNMX.S16x2 R0 = R1, -R2, PT"));
  ck_assert (bench_refuses (&bench, "IADD3 R254:2 = R1, R2, R3"));
}
END_TEST

/* ---- Rows whose words are equally far apart ---- */

typedef struct
{
  guint32 rows[2][WP_LANES], p[2];
  gboolean is_progression; /* the first row is known to be */
} Result;

/* What LINE leaves in R10, R11, P2 and P3. */
static Result
run_line (const gchar *line)
{
  WpProgression progression;
  Result result;

  bench_run (&bench, line);
  for (guint k = 0; k < 2; k++)
    {
      memcpy (result.rows[k], bench_row (&bench, 10 + k), sizeof result.rows[k]);
      result.p[k] = bench.warp->p[2 + k];
    }
  result.is_progression = wp_row_get_progression (bench.warp, wp_row_of (10), &progression);
  return result;
}

static void
put_progressions (void)
{
  static const gint32 steps[] = { 0, 0, 0, 1, 4, -1, -64, 0x1000, 0x08000000, 0x3fffffff };

  for (guint number = 1; number <= 6; number++)
    wp_put_progression (
        bench.warp, wp_row_of (number),
        (WpProgression){ random_word (),
                         (guint32)steps[g_rand_int_range (rand_, 0, G_N_ELEMENTS (steps))] },
        0);
  for (guint number = 0; number < 2; number++)
    bench.warp->p[number] = g_rand_boolean (rand_) ? G_MAXUINT32 : 0;
}

START_TEST (progressions_come_to_what_their_lanes_come_to)
{
  static const gchar *const lines[] = {
    "IADD3 R10 = R1, R2, R3",
    "IADD3 R10 = -R1, R2, -R3",
    "VIADD R10 = R1, -R2",
    "IADD3 R10, P2, P3 = R1, R2, R3",
    "IADD3 R10, P2, P3 = -R1, R2, RZ",
    "IADD3.X R10, P2 = !R1, R2, R3, P0, P1",
    "IMAD R10 = R1, R2, R3",
    "IMAD R10 = R1, -R2, R3",
    "IMAD.MOV.U32 R10 = RZ, RZ, -R3",
    "IMAD.WIDE R10:2 = R1, R2, R3:2",
    "IMAD.WIDE R10:2 = R1, 0x4, R3:2",
    "IMAD.WIDE.U32 R10:2 = R1, R2, R3:2",
    "IMAD.WIDE R10:2 = -R1, R2, R3:2",
    "LEA R10 = R1, R2, 0x3",
    "LEA R10 = -R1, R2, 0x2",
    "LEA R10, P2 = R1, R2, 0x2",
    "LEA R10, P2 = -R1, R2, 0x1f",
    "LEA R10, P2 = R1, -R2, 0x1",
    "LEA.HI R10 = R1, R2, R3, 0x4",
    "LEA.HI.X R10 = R1, R2, R3, 0x2, P0",
    "LEA.HI.X R10, P2 = -R1, R2, R3, 0x7, P0",
    "LEA.HI.X.SX32 R10 = R1, R2, 0x2, P0",
    "LEA.HI.X.SX32 R10, P2 = R1, R2, 0x1f, P1",
    "MOV R10 = R1",
    "ISETP.LT.AND P2, P3 = R1, R2, P0",
    "ISETP.LE.U32.AND P2, P3 = R1, R2, P0",
    "ISETP.GT.U32.OR P2, P3 = R1, R2, P0",
    "ISETP.GE.AND P2, P3 = R1, R2, PT",
    "ISETP.EQ.AND P2, P3 = R1, R2, PT",
    "ISETP.NE.XOR P2, P3 = R1, R2, P0",
  };
  guint found = 0;

  for (guint i = 0; i < 30000; i++)
    {
      const gchar *line = lines[i % G_N_ELEMENTS (lines)];
      Result known, other;

      put_progressions ();
      known = run_line (line);
      found += known.is_progression && known.rows[0][0] != known.rows[0][1];
      for (guint number = 1; number <= 11; number++)
        bench.warp->r_shape[wp_row_of (number)].shape = WP_SHAPE_NONE;
      other = run_line (line);
      for (guint k = 0; k < 2; k++)
        {
          ck_assert_msg (known.p[k] == other.p[k], "%s: P%u", line, 2 + k);
          ck_assert_msg (memcmp (known.rows[k], other.rows[k], sizeof other.rows[k]) == 0,
                         "%s: R%u", line, 10 + k);
        }
    }
  ck_assert_uint_gt (found, 2000);
}
END_TEST

/* ---- Addresses of tiles, moved ---- */

/* R1, R2 and R4 have one word in all lanes, R3 two rows of 16 that are equally far apart. */
static void
put_tile (void)
{
  const guint32 first = random_word (), apart = random_word (), step = 1u << g_rand_int (rand_) % 7;

  for (guint number = 1; number <= 4; number++)
    wp_put_progression (bench.warp, wp_row_of (number), (WpProgression){ random_word (), 0 }, 0);
  for (guint lane = 0; lane < WP_LANES; lane++)
    bench_row (&bench, 3)[lane] = first + lane / 16 * apart + lane % 16 * step;
  bench.warp->r_shape[wp_row_of (3)]
      = (WpRowShape){ wp_patterns_get_shape (bench.warp->log.patterns, bench_row (&bench, 3),
                                             WP_ALL_LANES),
                      WP_ALL_LANES };
}

/* What LINE leaves in R10 has the shape that it is said to have, if any. Returns whether it is. */
static gboolean
has_shape (const gchar *line)
{
  const WpRowShape *shape = &bench.warp->r_shape[wp_row_of (10)];

  ck_assert_msg (shape->shape == WP_SHAPE_NONE
                     || shape->shape
                            == wp_patterns_get_shape (bench.warp->log.patterns,
                                                      bench_row (&bench, 10), WP_ALL_LANES),
                 "%s", line);
  return shape->shape != WP_SHAPE_NONE && shape->lanes == WP_ALL_LANES;
}

#define CHECK_TILE(line, expression)                                                               \
  do                                                                                               \
    for (guint i_ = 0, shaped = 0; i_ <= 500; i_++)                                                \
      {                                                                                            \
        ck_assert (i_ < 500 || shaped == 500);                                                     \
        put_tile ();                                                                               \
        bench_run (&bench, line);                                                                  \
        shaped += has_shape (line);                                                                \
        for (guint lane = 0; lane < WP_LANES; lane++)                                              \
          ck_assert_msg (WIDE (10) == (guint64)(expression), "%s: lane %u", line, lane);           \
      }                                                                                            \
  while (0)

START_TEST (tiles_are_moved_as_their_lanes_are)
{
  CHECK_TILE ("IMAD.WIDE R10:2 = R1, R2, R3:2", (guint64)((gint64)S (1) * S (2)) + WIDE (3));
  CHECK_TILE ("IMAD.WIDE R10:2 = -R1, R2, R3:2", WIDE (3) - (guint64)((gint64)S (1) * S (2)));
  CHECK_TILE ("IMAD.WIDE.U32 R10:2 = R1, 0x4, R3:2", (guint64)R (1) * 4 + WIDE (3));
  for (guint i = 0; i < 2000; i++)
    {
      put_tile ();
      bench.warp->p[0] = i % 2 ? G_MAXUINT32 : 0;
      bench_run (&bench, "IADD3 R10, P2, P3 = R1, R3, RZ");
      has_shape ("IADD3");
      bench_run (&bench, "IADD3 R12 = R3, R2, -R4");
      bench_run (&bench, "IADD3.X R14, P4 = R3, RZ, RZ, P0, !PT");
      bench_run (&bench, "IADD3 R16, P5, P6 = -R3, R1, RZ");
      for (guint lane = 0; lane < WP_LANES; lane++)
        {
          ck_assert_uint_eq (R (10), (guint32)(R (1) + R (3)));
          ck_assert_uint_eq (P (2), ((guint64)R (1) + R (3)) >> 32);
          ck_assert_uint_eq (P (3), 0);
          ck_assert_uint_eq (R (12), (guint32)(R (3) + R (2) - R (4)));
          ck_assert_uint_eq (R (14), (guint32)(R (3) + i % 2));
          ck_assert_uint_eq (P (4), ((guint64)R (3) + i % 2) >> 32);
          ck_assert_uint_eq (R (16), (guint32)(R (1) - R (3)));
        }
    }
}
END_TEST

static Suite *
make_suite (void)
{
  Suite *suite = suite_create ("execute-integer");
  TCase *cases = tcase_create ("ops");

  tcase_add_checked_fixture (cases, setup, teardown);
  tcase_add_test (cases, sums_and_products_are_those_of_c);
  tcase_add_test (cases, carries_go_from_word_to_word);
  tcase_add_test (cases, numbers_of_64_bits_in_one_go);
  tcase_add_test (cases, comparisons_hold_where_they_should);
  tcase_add_test (cases, extremes_and_selections);
  tcase_add_test (cases, bits_are_where_they_should_be);
  tcase_add_test (cases, bytes_are_permuted_as_ptx_says);
  tcase_add_test (cases, uniform_ops_do_what_lane_0_does);
  tcase_add_test (cases, predicates_as_bits_of_a_register);
  tcase_add_test (cases, registers_are_put_aside);
  tcase_add_test (cases, what_does_not_depend_on_the_unknown_is_known);
  tcase_add_test (cases, what_is_not_covered_is_refused);
  tcase_add_test (cases, tiles_are_moved_as_their_lanes_are);
  tcase_add_test (cases, progressions_come_to_what_their_lanes_come_to);
  suite_add_tcase (suite, cases);
  return suite;
}
