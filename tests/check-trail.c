/* SPDX-License-Identifier: MIT */
/* The trail of a warp gives back what was put in, step by step, for random loops within loops;
 * equal sequences have equal hashes whatever the store holds, different ones different hashes; and
 * long loops take little memory. */
#include "exec/trail/wp-trail-classes.h"
#include "tests/check-main.h"

typedef struct
{
  guint32 index, mask;
} Step;

/* A warp that goes through random code: the steps, and the trail of the same. */
typedef struct
{
  GRand *random;
  GArray *steps; /* of Step; NULL: they are not kept */
  WpTrail trail;
  guint32 previous;
} Walk;

static guint32
below (Walk *walk, gint32 n)
{
  return (guint32)g_rand_int_range (walk->random, 0, n);
}

static void
add (Walk *walk, guint32 index, guint32 mask)
{
  Step step = { index, mask };

  if (index <= walk->previous)
    wp_trail_cut (&walk->trail);
  wp_trail_add (&walk->trail, index, mask);
  walk->previous = index;
  if (walk->steps)
    g_array_append_val (walk->steps, step);
}

/* Goes through the code from FROM to TO as a loop, with loops in it. */
static void
wander (Walk *walk, guint32 from, guint32 to, guint depth)
{
  guint32 rounds = 1 + below (walk, depth == 0 ? 1 : 6), varies = below (walk, 4) == 0;
  guint32 middle = from + (to - from) / 3, end = to - (to - from) / 4;
  guint32 seed = g_rand_int (walk->random);

  for (guint32 round = 0; round < rounds; round++)
    {
      g_rand_set_seed (walk->random, varies ? seed + round : seed);
      for (guint32 i = from; i < middle; i++)
        add (walk, i, below (walk, 5) == 0 ? below (walk, 4) : G_MAXUINT32);
      if (depth < 4 && end > middle + 2)
        wander (walk, middle, end, depth + 1);
      for (guint32 i = end; i < to; i++)
        if (below (walk, 6) > 0)
          add (walk, i, G_MAXUINT32);
    }
}

static void
make (Walk *walk, WpTrailStore *store, guint32 seed)
{
  *walk = (Walk){ .random = g_rand_new_with_seed (seed),
                  .steps = g_array_new (FALSE, FALSE, sizeof (Step)) };
  wp_trail_init (&walk->trail, store);
  wander (walk, 0, 20 + below (walk, 60), 0);
}

static void
clear (Walk *walk)
{
  g_rand_free (walk->random);
  g_clear_pointer (&walk->steps, g_array_unref);
  wp_trail_clear (&walk->trail);
}

static void
compare (const Walk *walk, const WpTrailStore *store, guint32 unit)
{
  WpTrailReader reader;
  guint32 index, mask, n = 0;

  wp_trail_reader_init (&reader, store, unit);
  while (wp_trail_reader_next (&reader, &index, &mask))
    {
      const Step *step = &g_array_index (walk->steps, Step, n);

      ck_assert_uint_lt (n, walk->steps->len);
      ck_assert_uint_eq (index, step->index);
      ck_assert_uint_eq (mask, step->mask);
      n++;
    }
  ck_assert_uint_eq (n, walk->steps->len);
  wp_trail_reader_clear (&reader);
}

START_TEST (every_step_comes_back)
{
  g_autoptr (WpTrailStore) store = wp_trail_store_new ();
  g_autoptr (WpTrailStore) other = wp_trail_store_new ();

  for (guint32 seed = 0; seed < check_get_cases (1000); seed++)
    {
      Walk walk, again;
      WpTrailHash hash, same;
      guint64 count;
      guint32 unit;

      make (&walk, store, seed);
      wp_trail_finish (&walk.trail, &hash, &count);
      ck_assert_uint_eq (count, walk.steps->len);
      unit = wp_trail_keep (&walk.trail);
      ck_assert_uint_eq (wp_trail_store_get (store, unit)->instructions, count);
      compare (&walk, store, unit);
      make (&again, other, seed);
      wp_trail_finish (&again.trail, &same, NULL);
      ck_assert (wp_trail_hash_equal (&hash, &same));
      compare (&walk, other, wp_trail_store_copy (other, store, unit));
      ck_assert_uint_eq (wp_trail_keep (&again.trail), wp_trail_store_copy (other, store, unit));
      clear (&walk);
      clear (&again);
    }
}
END_TEST

START_TEST (different_sequences_have_different_hashes)
{
  g_autoptr (WpTrailStore) store = wp_trail_store_new ();
  WpTrail trail;
  WpTrailHash hashes[64];

  wp_trail_init (&trail, store);
  for (guint i = 0; i < 64; i++)
    {
      wp_trail_restart (&trail, store);
      for (guint round = 0; round < 4 + i % 4; round++)
        {
          if (round > 0)
            wp_trail_cut (&trail);
          for (guint32 k = 0; k < 5; k++)
            wp_trail_add (&trail, k, k == i / 4 % 4 ? 1u << i / 16 : G_MAXUINT32);
        }
      wp_trail_finish (&trail, &hashes[i], NULL);
      for (guint j = 0; j < i; j++)
        ck_assert (!wp_trail_hash_equal (&hashes[i], &hashes[j]));
    }
  wp_trail_clear (&trail);
}
END_TEST

/* A loop of 100 rounds in one of 1000 in one of 100 (of 4 under valgrind). */
START_TEST (loops_in_loops_take_little_memory)
{
  g_autoptr (WpTrailStore) store = wp_trail_store_new ();
  g_autoptr (GRand) random = g_rand_new_with_seed (1);
  Walk walk = { .random = random };
  const guint outermost = check_get_size (100, 4);
  WpTrailHash hash;
  guint64 count;

  wp_trail_init (&walk.trail, store);
  for (guint a = 0; a < outermost; a++)
    {
      add (&walk, 0, 1);
      for (guint b = 0; b < 1000; b++)
        {
          for (guint32 i = 10; i < 15; i++)
            add (&walk, i, 1);
          for (guint c = 0; c < 100; c++)
            for (guint32 i = 20; i < 22; i++)
              add (&walk, i, 1);
          add (&walk, 25, 1);
        }
      add (&walk, 30, 1);
    }
  wp_trail_finish (&walk.trail, &hash, &count);
  ck_assert_uint_eq (count, outermost * (2 + 1000 * (6 + 100 * 2)));
  wp_trail_keep (&walk.trail);
  ck_assert_uint_lt (wp_trail_store_get_size (store), 4096);
  ck_assert_uint_lt (walk.trail.items->len, 16);
  wp_trail_clear (&walk.trail);
}
END_TEST

START_TEST (a_warp_that_executed_nothing_has_no_step)
{
  g_autoptr (WpTrailStore) store = wp_trail_store_new ();
  WpTrail trail;
  WpTrailHash hash;
  WpTrailReader reader;
  guint64 count = 1;
  guint32 index, mask;

  wp_trail_init (&trail, store);
  wp_trail_finish (&trail, &hash, &count);
  ck_assert_uint_eq (count, 0);
  wp_trail_reader_init (&reader, store, wp_trail_keep (&trail));
  ck_assert (!wp_trail_reader_next (&reader, &index, &mask));
  wp_trail_reader_clear (&reader);
  wp_trail_clear (&trail);
}
END_TEST

/* ---- Classes ---- */

#define WARPS 4

/* Warp WARP of BLOCK: a loop whose trips the seed decides, among KINDS numbers. */
static void
run_warp (WpTrail *trail, WpTrailStore *store, guint64 block, guint32 warp, guint kinds)
{
  guint trips = 1 + (guint)((block * 2654435761u + warp * 40503u) >> 7) % kinds;

  wp_trail_init (trail, store);
  wp_trail_add (trail, 0, G_MAXUINT32);
  for (guint i = 0; i < trips; i++)
    {
      if (i > 0)
        wp_trail_cut (trail);
      for (guint32 k = 1; k < 9; k++)
        wp_trail_add (trail, k, G_MAXUINT32);
    }
  wp_trail_add (trail, 9, G_MAXUINT32);
}

static void
run_block (WpTrailClasses *classes, WpTrailStore *even, WpTrailStore *odd, guint64 block,
           guint kinds)
{
  WpTrail trails[WARPS], *all[WARPS];
  guint32 numbers[WARPS];

  for (guint32 warp = 0; warp < WARPS; warp++)
    {
      all[warp] = &trails[warp];
      run_warp (&trails[warp], warp % 2 ? odd : even, block, warp, kinds);
    }
  wp_trail_classes_add_block (classes, block, all, numbers);
  for (guint32 warp = 0; warp < WARPS; warp++)
    wp_trail_clear (&trails[warp]);
}

/* BACKWARDS: the other order, and from two stores. */
static WpTrailClasses *
run_blocks (guint blocks, guint kinds, guint max, gboolean backwards)
{
  WpTrailClasses *classes = wp_trail_classes_new (10, WARPS, max);
  g_autoptr (WpTrailStore) store = wp_trail_store_new ();
  g_autoptr (WpTrailStore) other = wp_trail_store_new ();

  for (guint i = 0; i < blocks; i++)
    run_block (classes, store, backwards ? other : store, backwards ? blocks - 1 - i : i, kinds);
  wp_trail_classes_finish (classes);
  return classes;
}

START_TEST (warps_that_did_the_same_are_a_class)
{
  g_autoptr (WpTrailClasses) classes = run_blocks (1000, 8, 8, FALSE);
  guint64 n = 0;

  ck_assert_uint_eq (wp_trail_classes_get_n (classes), 8);
  ck_assert_uint_eq (wp_trail_classes_get_level (classes), 0);
  for (guint i = 0; i < 8; i++)
    {
      const WpTrailClass *class = wp_trail_classes_get (classes, i);

      ck_assert_uint_eq (class->total, class->n_warps * class->instructions);
      n += class->n_warps;
    }
  ck_assert_uint_eq (n, 1000 * WARPS);
  ck_assert_uint_eq (wp_trail_classes_get_blocks (classes)->len, 1000);
  ck_assert_uint_eq (wp_trail_classes_get_row (classes, 0)[0], 0);
}
END_TEST

/* Few classes for many sequences: the totals stay close. */
START_TEST (warps_that_did_about_the_same_are_a_class_if_there_are_too_many)
{
  g_autoptr (WpTrailClasses) classes = run_blocks (check_get_size (2000, 200), 1000, 64, FALSE);
  guint64 total = 0, kept = 0;

  ck_assert_uint_le (wp_trail_classes_get_n (classes), 64);
  ck_assert_uint_gt (wp_trail_classes_get_level (classes), 0);
  for (guint i = 0; i < wp_trail_classes_get_n (classes); i++)
    {
      const WpTrailClass *class = wp_trail_classes_get (classes, i);

      total += class->total;
      kept += class->n_warps * class->instructions;
    }
  ck_assert_uint_lt (ABS ((gint64)total - (gint64)kept), total / 50);
}
END_TEST

START_TEST (classes_do_not_depend_on_the_order_of_blocks)
{
  guint max[] = { 1, 3, 20, 64, 5000 };
  const guint blocks = check_get_size (500, 50);

  for (guint k = 0; k < G_N_ELEMENTS (max); k++)
    {
      g_autoptr (WpTrailClasses) classes = run_blocks (blocks, 900, max[k], FALSE);
      g_autoptr (WpTrailClasses) others = run_blocks (blocks, 900, max[k], TRUE);

      ck_assert_uint_eq (wp_trail_classes_get_n (classes), wp_trail_classes_get_n (others));
      ck_assert_uint_eq (wp_trail_classes_get_level (classes), wp_trail_classes_get_level (others));
      for (guint i = 0; i < wp_trail_classes_get_n (classes); i++)
        {
          const WpTrailClass *x = wp_trail_classes_get (classes, i);
          const WpTrailClass *y = wp_trail_classes_get (others, i);

          ck_assert_uint_eq (x->n_warps, y->n_warps);
          ck_assert_uint_eq (x->total, y->total);
          ck_assert (wp_trail_hash_equal (&wp_trail_store_get (x->store, x->unit)->hash,
                                          &wp_trail_store_get (y->store, y->unit)->hash));
        }
      for (guint i = 0; i < blocks; i++)
        ck_assert_uint_eq (
            g_array_index (wp_trail_classes_get_blocks (classes), WpTrailBlock, i).row,
            g_array_index (wp_trail_classes_get_blocks (others), WpTrailBlock, i).row);
    }
}
END_TEST

static Suite *
make_suite (void)
{
  Suite *suite = suite_create ("trail");
  TCase *test = tcase_create ("trails");

  tcase_add_test (test, every_step_comes_back);
  tcase_add_test (test, different_sequences_have_different_hashes);
  tcase_add_test (test, loops_in_loops_take_little_memory);
  tcase_add_test (test, a_warp_that_executed_nothing_has_no_step);
  tcase_add_test (test, warps_that_did_the_same_are_a_class);
  tcase_add_test (test, warps_that_did_about_the_same_are_a_class_if_there_are_too_many);
  tcase_add_test (test, classes_do_not_depend_on_the_order_of_blocks);
  suite_add_tcase (suite, test);
  return suite;
}
