/* SPDX-License-Identifier: MIT */
/* How addresses are served: examples of NVIDIA's CUDA C Programming Guide (4.2, figure F-1, of
 * global memory) and of Volkov's thesis (2016, section 2.6, of shared memory, whose four banks are
 * four of 32 here); contexts; and a second implementation that goes byte by byte, for random
 * accesses of all kinds.
 */
#include "config.h"

#include "idg/kernel/idg-coalesce.h"

#include <glib.h>
#include <string.h>

#include "tests/check-main.h"

static IdgAccess warp;

/* 32 lanes of 4 bytes from address 128 on, as figure F-1 has them. */
static void
setup (void)
{
  warp = (IdgAccess){ .mask = G_MAXUINT32, .bytes = 4 };
  for (guint lane = 0; lane < IDG_LANES; lane++)
    warp.addresses[lane] = 128 + 4 * lane;
}

static void
set_stride (guint64 first, guint64 stride, guint bytes)
{
  warp.bytes = bytes;
  for (guint lane = 0; lane < IDG_LANES; lane++)
    warp.addresses[lane] = first + lane * stride;
}

/* "64@128 64@192 ..."; like ones are counted, "8x32@128". */
static gchar *
describe (IdgRules rules)
{
  IdgTransaction transactions[IDG_MAX_TRANSACTIONS];
  guint n = idg_coalesce (&warp, rules, transactions);
  gboolean done[IDG_MAX_TRANSACTIONS] = { FALSE };
  GString *text = g_string_new (NULL);

  for (guint i = 0; i < n; i++)
    {
      guint count = 0;

      if (done[i])
        continue;
      for (guint k = i; k < n; k++)
        if (transactions[k].address == transactions[i].address
            && transactions[k].bytes == transactions[i].bytes)
          {
            count++;
            done[k] = TRUE;
          }
      g_string_append (text, text->len > 0 ? " " : "");
      if (count > 1)
        g_string_append_printf (text, "%ux", count);
      g_string_append_printf (text, "%u@%" G_GUINT64_FORMAT, transactions[i].bytes,
                              transactions[i].address);
    }
  return g_string_free (text, FALSE);
}

static void
expect (IdgRules rules, const gchar *transactions)
{
  g_autofree gchar *made = describe (rules);

  ck_assert_str_eq (made, transactions);
}

static void
expect_context (const gchar *context)
{
  gchar name[IDG_CONTEXT_CHARS];

  ck_assert_int_eq (idg_coalesce_get_global_context (&warp, name), *context != '\0');
  ck_assert_str_eq (name, context);
}

static IdgConflict
get_conflict (const gchar *name)
{
  IdgBanks banks;

  ck_assert (idg_banks_parse (name, &banks));
  return idg_coalesce_shared (&warp, &banks, NULL, NULL);
}

static void
expect_conflict (const gchar *name, guint degree, guint passes, guint factor)
{
  IdgConflict conflict = get_conflict (name);

  ck_assert_uint_eq (conflict.degree, degree);
  ck_assert_uint_eq (conflict.passes, passes);
  ck_assert_uint_eq (conflict.factor, factor);
}

/* ---- Global memory ---- */

START_TEST (aligned_and_in_sequence_is_coalesced_everywhere)
{
  expect (IDG_RULES_G80, "64@128 64@192");
  expect (IDG_RULES_GT200, "64@128 64@192");
  expect (IDG_RULES_FERMI, "128@128");
  expect (IDG_RULES_LATER, "32@128 32@160 32@192 32@224");
}
END_TEST

START_TEST (out_of_sequence_only_the_first_generation_makes_one_for_each_lane)
{
  for (guint lane = 4; lane < IDG_LANES; lane += 16)
    {
      guint64 address = warp.addresses[lane];

      warp.addresses[lane] = warp.addresses[lane + 1];
      warp.addresses[lane + 1] = address;
    }
  expect (IDG_RULES_G80, "8x32@128 8x32@160 8x32@192 8x32@224");
  expect (IDG_RULES_GT200, "64@128 64@192");
  expect (IDG_RULES_FERMI, "128@128");
}
END_TEST

START_TEST (misaligned_needs_one_more)
{
  set_stride (132, 4, 4);
  expect (IDG_RULES_G80, "7x32@128 8x32@160 8x32@192 8x32@224 32@256");
  expect (IDG_RULES_GT200, "128@128 64@192 32@256");
  expect (IDG_RULES_FERMI, "128@128 128@256");
  expect (IDG_RULES_LATER, "32@128 32@160 32@192 32@224 32@256");
}
END_TEST

START_TEST (wide_words_take_larger_transactions)
{
  set_stride (0, 8, 8);
  expect (IDG_RULES_G80, "128@0 128@128");
  expect (IDG_RULES_GT200, "128@0 128@128");
  set_stride (128, 16, 16); /* 8 words in a segment of 128 bytes, 8 in the next */
  expect (IDG_RULES_G80, "128@128 128@256 128@384 128@512");
  expect (IDG_RULES_GT200, "128@128 128@256 128@384 128@512");
  set_stride (64, 16, 16);
  expect (IDG_RULES_G80, "2x32@64 2x32@96 2x32@128 2x32@160 2x32@192 2x32@224 2x32@256 2x32@288 "
                         "2x32@320 2x32@352 2x32@384 2x32@416 2x32@448 2x32@480 2x32@512 2x32@544");
}
END_TEST

START_TEST (narrow_words_take_smaller_ones_on_gt200_and_one_each_on_g80)
{
  set_stride (0, 1, 1);
  expect (IDG_RULES_G80, "32x32@0");
  expect (IDG_RULES_GT200, "2x32@0");
  set_stride (0, 2, 2);
  expect (IDG_RULES_G80, "16x32@0 16x32@32");
  expect (IDG_RULES_GT200, "32@0 32@32");
  set_stride (2, 2, 2);
  expect (IDG_RULES_GT200, "64@0 32@32 32@64");
}
END_TEST

START_TEST (lanes_that_take_no_part_do_not_matter)
{
  warp.mask = 0x00010010;
  warp.addresses[3] = 77777;
  expect (IDG_RULES_G80, "64@128 64@192");
  expect (IDG_RULES_GT200, "32@128 32@192");
  expect (IDG_RULES_LATER, "32@128 32@192");
  warp.mask = 0;
  for (IdgRules rules = 0; rules < IDG_N_RULES; rules++)
    expect (rules, "");
  expect_context ("");
}
END_TEST

START_TEST (what_lies_across_a_border_is_in_both)
{
  warp.mask = 1;
  warp.addresses[0] = 126;
  expect (IDG_RULES_G80, "32@96 32@128");
  expect (IDG_RULES_GT200, "32@96 32@128");
  expect (IDG_RULES_FERMI, "128@0 128@128");
  expect (IDG_RULES_LATER, "32@96 32@128");
}
END_TEST

START_TEST (the_end_of_memory_is_no_way_to_its_beginning)
{
  warp.mask = 1;
  warp.addresses[0] = G_MAXUINT64 - 1;
  expect (IDG_RULES_LATER, "32@18446744073709551584");
  expect (IDG_RULES_GT200, "32@18446744073709551584");
  warp.addresses[0] = 2; /* would be word 1 of a base below 0 */
  warp.mask = 2;
  warp.addresses[1] = 2;
  expect (IDG_RULES_G80, "32@0");
  expect_conflict ("32x4", 1, 1, 1); /* bytes 2 to 5: of two words, of two banks */
}
END_TEST

/* ---- Shared memory ---- */

/* Section 2.6 has four lanes and four banks: here they are the first four lanes, and words 4 k + b
 * of its are in row k. */
static void
set_words (guint a, guint b, guint c, guint d)
{
  const guint words[] = { a, b, c, d };

  warp.mask = 0xf;
  for (guint i = 0; i < 4; i++)
    warp.addresses[i] = 4 * (words[i] / 4 * 32 + words[i] % 4);
}

START_TEST (conflicts_are_those_of_the_thesis)
{
  const struct
  {
    guint words[4], degree;
  } published[] = {
    { { 0, 1, 2, 3 }, 1 },  { { 1, 2, 3, 4 }, 1 }, { { 0, 3, 6, 9 }, 1 }, { { 0, 2, 4, 6 }, 2 },
    { { 0, 4, 8, 12 }, 4 }, { { 1, 3, 5, 8 }, 2 }, { { 1, 1, 1, 1 }, 1 }, { { 1, 1, 1, 2 }, 1 },
  };

  for (gsize i = 0; i < G_N_ELEMENTS (published); i++)
    {
      const guint *words = published[i].words;

      set_words (words[0], words[1], words[2], words[3]);
      expect_conflict ("32x4", published[i].degree, published[i].degree, published[i].degree);
    }
}
END_TEST

START_TEST (strides_conflict_by_their_common_divisor_with_the_banks)
{
  for (guint stride = 1; stride <= 64; stride++)
    {
      guint of_32 = 1, of_16 = 1;

      while (stride % (2 * of_32) == 0 && of_32 < 32)
        of_32 *= 2;
      while (stride % (2 * of_16) == 0 && of_16 < 16)
        of_16 *= 2;
      set_stride (0, 4 * stride, 4);
      expect_conflict ("32x4", of_32, of_32, of_32);
      expect_conflict ("16x4", of_16, 2 * of_16, of_16);
      set_stride (0, 8 * stride, 8);
      expect_conflict ("32x8", of_32, of_32, of_32);
    }
}
END_TEST

START_TEST (wide_accesses_are_served_in_parts)
{
  set_stride (0, 8, 8);
  expect_conflict ("32x4", 1, 2, 2);
  expect_conflict ("32x8", 1, 1, 1);
  expect_conflict ("16x4", 2, 8,
                   4); /* the guide, F.3.3: two requests of 4 bytes, each of stride 2 */
  set_stride (0, 16, 16);
  expect_conflict ("32x4", 1, 4, 4);
  expect_conflict ("32x8", 1, 2, 2);
  set_stride (0, 1, 1);
  expect_conflict ("32x4", 1, 1, 1);
}
END_TEST

START_TEST (half_warps_do_not_conflict_with_each_other)
{
  set_stride (0, 4, 4);
  for (guint lane = 16; lane < IDG_LANES; lane++)
    warp.addresses[lane] = 64 * lane;
  expect_conflict ("16x4", 16, 17, 16);
  warp.mask = 0xffff;
  expect_conflict ("16x4", 1, 1, 1);
}
END_TEST

START_TEST (other_banks_are_refused)
{
  IdgBanks banks;

  ck_assert (idg_banks_parse ("16x4", &banks));
  ck_assert_uint_eq (banks.banks, 16);
  ck_assert (!idg_banks_parse ("16x8", &banks));
  ck_assert (!idg_banks_parse ("", &banks));
  ck_assert (!idg_banks_parse ("32x4 ", &banks));
}
END_TEST

/* ---- Contexts ---- */

START_TEST (four_sectors_have_no_context)
{
  expect_context ("");
  warp.mask = 0xffff;
  expect_context ("sectors-2");
  set_stride (0, 16, 16);
  warp.mask = G_MAXUINT32;
  expect_context ("sectors-16");
  set_stride (4, 4, 4);
  expect_context ("sectors-5");
  set_stride (4096, 0, 4);
  expect_context ("sectors-1");
}
END_TEST

START_TEST (strides_and_tiles_are_not_random)
{
  set_stride (0, 4096, 4);
  expect_context ("sectors-32");
  set_stride (1 << 20, (guint64)-4096, 4);
  expect_context ("sectors-32");
  for (guint lane = 0; lane < IDG_LANES; lane++) /* columns of two rows */
    warp.addresses[lane] = lane / 16 * 100000 + lane % 16 * 512;
  expect_context ("sectors-32");
}
END_TEST

static void
scatter (guint64 seed, guint64 elements)
{
  guint64 state = seed;

  for (guint lane = 0; lane < IDG_LANES; lane++)
    {
      state = state * G_GUINT64_CONSTANT (6364136223846793005) + 1442695040888963407;
      warp.addresses[lane] = (state >> 33) % elements * 4;
    }
}

START_TEST (scattered_is_random_in_large_arrays_and_in_small_ones)
{
  for (guint seed = 0; seed < 200; seed++)
    {
      scatter (seed, 1 << 24);
      expect_context ("random");
      scatter (seed, 2048);
      expect_context ("random");
    }
}
END_TEST

START_TEST (a_few_scattered_lanes_are_their_sectors)
{
  scatter (1, 1 << 24);
  warp.mask = 0xff;
  expect_context ("sectors-8");
  warp.mask = 0x1ff;
  expect_context ("random");
}
END_TEST

START_TEST (spaces_are_found_by_name)
{
  const struct
  {
    const gchar *op;
    IdgSpace space;
  } known[] = {
    { "ld.global.f32", IDG_SPACE_GLOBAL },
    { "ld.global.nc.v4.f32", IDG_SPACE_GLOBAL },
    { "ld.volatile.global.u32", IDG_SPACE_GLOBAL },
    { "st.shared.v2.f64", IDG_SPACE_SHARED },
    { "ld.shared::cta.b32", IDG_SPACE_SHARED },
    { "atom.shared.add.u32", IDG_SPACE_SHARED },
    { "red.global.add.f32", IDG_SPACE_GLOBAL },
    { "ldmatrix.sync.aligned.m8n8.x4.shared.b16", IDG_SPACE_SHARED },
    { "cp.async.cg.shared.global", IDG_SPACE_GLOBAL },
    { "cp.async.bulk.shared::cluster.global", IDG_SPACE_NONE },
    { "ld", IDG_SPACE_GLOBAL },
    { "atom.add.u32", IDG_SPACE_GLOBAL },
    { "ld.param.u64", IDG_SPACE_NONE },
    { "ld.param::entry.u64", IDG_SPACE_NONE },
    { "ld.const.f32", IDG_SPACE_NONE },
    { "st.local.u32", IDG_SPACE_NONE },
    { "cvta.to.global.u64", IDG_SPACE_NONE },
    { "add.f32", IDG_SPACE_NONE },
    { "ldx.global", IDG_SPACE_NONE },
    { "", IDG_SPACE_NONE },
  };
  IdgBanks banks;
  gchar context[IDG_CONTEXT_CHARS];

  for (gsize i = 0; i < G_N_ELEMENTS (known); i++)
    ck_assert_msg (idg_coalesce_get_space (known[i].op) == known[i].space, "%s", known[i].op);
  set_stride (0, 8, 4);
  idg_banks_parse ("32x4", &banks);
  ck_assert (idg_coalesce_get_context ("ld.global.f32", &warp, &banks, context));
  ck_assert_str_eq (context, "sectors-8");
  ck_assert (idg_coalesce_get_context ("ld.shared.f32", &warp, &banks, context));
  ck_assert_str_eq (context, "conflict-2");
  ck_assert (!idg_coalesce_get_context ("ld.param.f32", &warp, &banks, context));
  ck_assert_str_eq (context, "");
}
END_TEST

/* ---- A second implementation, byte by byte ---- */

#define N_RANDOM 3000
#define MAX_BYTES (IDG_LANES * IDG_MAX_LANE_BYTES)

/* Bytes that are not served yet, by lane. */
typedef struct
{
  guint n;
  guint64 address[MAX_BYTES];
  guint lane[MAX_BYTES];
  guint number[MAX_BYTES]; /* of the lane's bytes */
} Bytes;

static void
list_bytes (Bytes *bytes, guint from, guint to)
{
  bytes->n = 0;
  for (guint lane = from; lane < to; lane++)
    for (guint i = 0; (warp.mask >> lane & 1) != 0 && i < warp.bytes; i++)
      if (warp.addresses[lane] <= G_MAXUINT64 - i)
        {
          bytes->address[bytes->n] = warp.addresses[lane] + i;
          bytes->number[bytes->n] = i;
          bytes->lane[bytes->n++] = lane;
        }
}

/* Removes those in the UNIT bytes around ADDRESS; LOW and HIGH get their ends. Returns the
 * lanes. */
static guint32
take_unit (Bytes *bytes, guint64 address, guint unit, guint64 *low, guint64 *high)
{
  guint32 lanes = 0;
  guint left = 0;

  *low = *high = address;
  for (guint i = 0; i < bytes->n; i++)
    if (bytes->address[i] / unit == address / unit)
      {
        lanes |= 1u << bytes->lane[i];
        *low = MIN (*low, bytes->address[i]);
        *high = MAX (*high, bytes->address[i]);
      }
    else
      {
        bytes->address[left] = bytes->address[i];
        bytes->number[left] = bytes->number[i];
        bytes->lane[left++] = bytes->lane[i];
      }
  bytes->n = left;
  return lanes;
}

static guint
make_literally (IdgRules rules, IdgTransaction *made)
{
  guint half = rules <= IDG_RULES_GT200 ? 16 : 32, n = 0;

  for (guint from = 0; from < IDG_LANES; from += half)
    {
      guint unit = rules == IDG_RULES_LATER ? 32 : 128;
      Bytes bytes;

      if (rules == IDG_RULES_GT200 && warp.bytes <= 2)
        unit = 32 * warp.bytes;
      list_bytes (&bytes, from, from + half);
      while (bytes.n > 0)
        {
          guint64 first = bytes.address[0], low, high;
          guint32 lanes = take_unit (&bytes, first, unit, &low, &high);
          guint size = unit;

          if (rules == IDG_RULES_GT200)
            while (size > 32 && low / (size / 2) == high / (size / 2))
              size /= 2;
          made[n++] = (IdgTransaction){ low / size * size, size, lanes };
        }
    }
  return n;
}

static guint
make_literally_g80 (IdgTransaction *made)
{
  guint n = 0;

  for (guint from = 0; from < IDG_LANES; from += 16)
    {
      guint unit = warp.bytes == 4 ? 64 : 128, first = from;
      guint64 base;
      gboolean good = warp.bytes == 4 || warp.bytes == 8 || warp.bytes == 16;

      while (first < from + 15 && (warp.mask >> first & 1) == 0)
        first++;
      base = warp.addresses[first] - (guint64)(first - from) * warp.bytes;
      good = good && base % unit == 0 && base <= warp.addresses[first];
      for (guint k = 0; k < 16; k++)
        if ((warp.mask >> (from + k) & 1) != 0)
          good = good && warp.addresses[from + k] == base + (guint64)k * warp.bytes;
      for (guint lane = from; lane < from + 16; lane += good ? 16 : 1)
        {
          Bytes bytes;

          list_bytes (&bytes, lane, lane + (good ? 16 : 1));
          while (bytes.n > 0)
            {
              guint64 low, high;
              guint size = good ? unit : 32;
              guint32 lanes = take_unit (&bytes, bytes.address[0], size, &low, &high);

              made[n++] = (IdgTransaction){ low / size * size, size, lanes };
            }
        }
    }
  return n;
}

/* The degree of the bytes OFFSET up to END of lanes FROM up to TO: words, each once, counted by
 * bank. */
static guint
get_degree_literally (const IdgBanks *banks, guint from, guint to, guint offset, guint end)
{
  guint64 words[MAX_BYTES];
  guint counts[32] = { 0 }, n = 0, degree = 0;
  Bytes bytes;

  list_bytes (&bytes, from, to);
  for (guint i = 0; i < bytes.n; i++)
    {
      guint64 word = bytes.address[i] / banks->width;
      gboolean known = bytes.number[i] < offset || bytes.number[i] >= end;

      for (guint k = 0; k < n && !known; k++)
        known = words[k] == word;
      if (known)
        continue;
      words[n++] = word;
      counts[word % banks->banks]++;
      degree = MAX (degree, counts[word % banks->banks]);
    }
  return degree;
}

static void
compare_conflicts (const gchar *name)
{
  IdgConflict conflict = get_conflict (name);
  guint passes[2] = { 0, 0 }, worst = 0, lanes = 32, slice = warp.bytes;
  IdgBanks banks;

  idg_banks_parse (name, &banks);
  if (banks.banks == 16)
    {
      lanes = 16;
      slice = 4;
    }
  else if (warp.bytes * 32 > banks.banks * banks.width)
    lanes = banks.banks * banks.width / warp.bytes;
  for (guint from = 0; from < IDG_LANES; from += lanes)
    for (guint offset = 0; offset < warp.bytes; offset += slice)
      {
        guint degree = get_degree_literally (&banks, from, from + lanes, offset, offset + slice);

        passes[from / 16] += degree;
        worst = MAX (worst, degree);
      }
  ck_assert_uint_eq (conflict.degree, worst);
  ck_assert_uint_eq (conflict.passes, passes[0] + passes[1]);
  ck_assert_uint_eq (conflict.factor,
                     banks.banks == 16 ? MAX (passes[0], passes[1]) : passes[0] + passes[1]);
}

static gint
compare_transactions (gconstpointer a, gconstpointer b)
{
  const IdgTransaction *x = a, *y = b;

  return x->address < y->address ? -1 : x->address > y->address;
}

static void
compare_rules (IdgRules rules)
{
  IdgTransaction made[IDG_MAX_TRANSACTIONS], literally[IDG_MAX_TRANSACTIONS];
  guint n = idg_coalesce (&warp, rules, made);
  gboolean same = TRUE;

  ck_assert_uint_eq (n, rules == IDG_RULES_G80 ? make_literally_g80 (literally)
                                               : make_literally (rules, literally));
  if (rules >= IDG_RULES_FERMI)
    qsort (literally, n, sizeof *literally, compare_transactions);
  for (guint i = 0; i < n; i++)
    same = same && made[i].address == literally[i].address && made[i].bytes == literally[i].bytes
           && made[i].lanes == literally[i].lanes;
  ck_assert (same);
}

/* One of several kinds: rows, strides with a few lanes out of place, crowds, the ends of memory. */
static void
make_random (GRand *random)
{
  static const guint spans[] = { 64, 256, 1024, 65536, G_MAXINT32 };
  guint kind = (guint)g_rand_int_range (random, 0, 4);
  guint span = spans[g_rand_int_range (random, 0, G_N_ELEMENTS (spans))];
  guint64 base = g_rand_boolean (random) ? 0 : (guint64)g_rand_int (random) << 20;
  guint64 stride = (guint64)g_rand_int_range (random, 0, 40);

  warp.bytes = 1u << g_rand_int_range (random, 0, 6);
  warp.mask = g_rand_boolean (random) ? G_MAXUINT32 : g_rand_int (random);
  if (kind == 3 && span == 64)
    base = G_MAXUINT64 - 96;
  for (guint lane = 0; lane < IDG_LANES; lane++)
    {
      warp.addresses[lane] = base + stride * warp.bytes * lane;
      if (kind == 3 || (kind == 2 && g_rand_int_range (random, 0, 16) == 0))
        warp.addresses[lane] = base + (guint)g_rand_int_range (random, 0, (gint)span);
      if (kind > 0 && g_rand_boolean (random))
        warp.addresses[lane] -= warp.addresses[lane] % warp.bytes;
      if (kind == 1)
        warp.addresses[lane] += 4;
    }
}

START_TEST (random_accesses_are_as_reckoned_byte_by_byte)
{
  GRand *random = g_rand_new_with_seed (1);

  for (guint i = 0; i < check_get_cases (N_RANDOM); i++)
    {
      make_random (random);
      for (IdgRules rules = 0; rules < IDG_N_RULES; rules++)
        compare_rules (rules);
      compare_conflicts ("16x4");
      compare_conflicts ("32x4");
      compare_conflicts ("32x8");
    }
  g_rand_free (random);
}
END_TEST

START_TEST (words_and_passes_fit_together)
{
  static const gchar *const names[] = { "16x4", "32x4", "32x8" };
  GRand *random = g_rand_new_with_seed (2);

  for (guint i = 0; i < check_get_cases (N_RANDOM); i++)
    {
      IdgBanks banks;
      IdgWord words[IDG_MAX_WORDS];
      guint32 n, seen = 0;
      gboolean fit = TRUE;
      IdgConflict conflict;

      make_random (random);
      idg_banks_parse (names[i % 3], &banks);
      conflict = idg_coalesce_shared (&warp, &banks, words, &n);
      for (guint k = 0; k < n; k++)
        {
          seen |= words[k].lanes;
          fit = fit && words[k].part < conflict.parts && words[k].pass < conflict.degree
                && words[k].address / banks.width % banks.banks == words[k].bank;
          for (guint m = 0; m < k; m++)
            fit = fit
                  && (words[m].part != words[k].part || words[m].bank != words[k].bank
                      || words[m].pass != words[k].pass);
        }
      ck_assert (fit && seen == warp.mask);
    }
  g_rand_free (random);
}
END_TEST

static Suite *
make_suite (void)
{
  Suite *suite = suite_create ("coalesce");
  TCase *tcase = tcase_create ("coalesce");

  tcase_add_checked_fixture (tcase, setup, NULL);
  tcase_add_test (tcase, aligned_and_in_sequence_is_coalesced_everywhere);
  tcase_add_test (tcase, out_of_sequence_only_the_first_generation_makes_one_for_each_lane);
  tcase_add_test (tcase, misaligned_needs_one_more);
  tcase_add_test (tcase, wide_words_take_larger_transactions);
  tcase_add_test (tcase, narrow_words_take_smaller_ones_on_gt200_and_one_each_on_g80);
  tcase_add_test (tcase, lanes_that_take_no_part_do_not_matter);
  tcase_add_test (tcase, what_lies_across_a_border_is_in_both);
  tcase_add_test (tcase, the_end_of_memory_is_no_way_to_its_beginning);
  tcase_add_test (tcase, conflicts_are_those_of_the_thesis);
  tcase_add_test (tcase, strides_conflict_by_their_common_divisor_with_the_banks);
  tcase_add_test (tcase, wide_accesses_are_served_in_parts);
  tcase_add_test (tcase, half_warps_do_not_conflict_with_each_other);
  tcase_add_test (tcase, other_banks_are_refused);
  tcase_add_test (tcase, four_sectors_have_no_context);
  tcase_add_test (tcase, strides_and_tiles_are_not_random);
  tcase_add_test (tcase, scattered_is_random_in_large_arrays_and_in_small_ones);
  tcase_add_test (tcase, a_few_scattered_lanes_are_their_sectors);
  tcase_add_test (tcase, spaces_are_found_by_name);
  tcase_add_test (tcase, random_accesses_are_as_reckoned_byte_by_byte);
  tcase_add_test (tcase, words_and_passes_fit_together);
  suite_add_tcase (suite, tcase);
  return suite;
}
