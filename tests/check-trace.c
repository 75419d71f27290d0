/* SPDX-License-Identifier: MIT */
/* What recorders keep that cannot be written yet: more of it than memory is meant to hold, in the
 * right order; and what they keep of what is too much to keep. */
#include "config.h"

#include "traces/table/wp-curve.h"
#include "traces/table/wp-lifetimes.h"
#include "traces/table/wp-row-text.h"
#include "traces/table/wp-sorter.h"
#include "traces/table/wp-spool.h"

#include <stddef.h>

#include "tests/check-main.h"

/* Several times what stays in memory; enough of it under valgrind. */
static guint64
count_records (void)
{
  return check_get_stride () > 7 ? 80000 : 200000;
}

typedef struct
{
  guint64 key, check;
} Record;

static gint
compare (gconstpointer a, gconstpointer b)
{
  guint64 left = ((const Record *)a)->key, right = ((const Record *)b)->key;

  return left < right ? -1 : left > right;
}

static gboolean
expect_next (gconstpointer record, gpointer data)
{
  const Record *got = record;
  guint64 *next = data;

  ck_assert_uint_eq (got->key, *next);
  ck_assert_uint_eq (got->check, ~got->key);
  (*next)++;
  return TRUE;
}

static void
sort (WpSorter *sorter, guint64 n)
{
  guint64 next = 0;

  /* 7919 is prime and does not divide N: every key once, well mixed. */
  for (guint64 i = 0; i < n; i++)
    {
      Record record = { i * 7919 % n, ~(i * 7919 % n) };

      ck_assert (wp_sorter_add (sorter, &record));
    }
  ck_assert (wp_sorter_drain (sorter, expect_next, &next));
  ck_assert_uint_eq (next, n);
}

START_TEST (records_come_out_in_order_from_memory_and_from_files)
{
  WpSorter *sorter = wp_sorter_new (sizeof (Record), compare);

  sort (sorter, 0);
  sort (sorter, 10);
  sort (sorter, count_records ());
  sort (sorter, 32768); /* exactly one run: nothing is left in memory */
  sort (sorter, 1000);  /* and it is empty again each time */
  wp_sorter_free (sorter);
}
END_TEST

static gboolean
stop_at_once (gconstpointer record, gpointer data)
{
  (void)record;
  (void)data;
  return FALSE;
}

START_TEST (a_visitor_that_refuses_ends_the_drain)
{
  WpSorter *sorter = wp_sorter_new (sizeof (Record), compare);
  const Record record = { 1, 2 };

  ck_assert (wp_sorter_add (sorter, &record));
  ck_assert (!wp_sorter_drain (sorter, stop_at_once, NULL));
  wp_sorter_free (sorter);
}
END_TEST

static void
take (WpSpool *spool, guint64 key)
{
  gboolean failed = FALSE;
  const Record *record = wp_spool_peek (spool, &failed);

  ck_assert (!failed && record != NULL);
  ck_assert_uint_eq (record->key, key);
  ck_assert_uint_eq (record->check, key + 1);
  wp_spool_drop (spool);
}

START_TEST (a_long_queue_keeps_its_order_and_its_changes)
{
  WpSpool *spool = wp_spool_new (sizeof (Record));
  gboolean failed = FALSE;
  const guint64 n = count_records ();
  guint64 taken = 0;

  for (guint64 i = 0; i < n; i++)
    {
      Record record = { i, 0 };

      ck_assert_uint_eq (wp_spool_append (spool, &record, &failed), i);
      if (i == n / 2) /* some are gone before the rest comes */
        for (; taken < 1000; taken++)
          {
            guint64 check = taken + 1;

            ck_assert (
                wp_spool_patch (spool, taken, offsetof (Record, check), &check, sizeof check));
            take (spool, taken);
          }
    }
  /* Changed from the last to the first: in memory at both ends, and in the file. */
  for (guint64 i = n; i-- > taken;)
    {
      guint64 check = i + 1;

      ck_assert (wp_spool_patch (spool, i, offsetof (Record, check), &check, sizeof check));
    }
  for (; taken < n; taken++)
    take (spool, taken);
  ck_assert (!failed);
  ck_assert_ptr_null (wp_spool_peek (spool, &failed));
  wp_spool_free (spool);
}
END_TEST

/* ---- Warps over time ---- */

/* Blocks of two warps, of which number I comes at I x PERIOD, and whose warps end 1 and 3 ticks
 * later. Returns the end. */
static WpTick
live (WpCurve *curve, guint n, WpTick period)
{
  const WpObserver *observer = wp_curve_get_observer (curve);
  WpTick time = 0;

  for (guint i = 0; i < n; i++)
    {
      WpBlockEvent launch = { .time = i * period };
      WpWarpEvent first = { .start = launch.time, .end = launch.time + 1 };
      WpWarpEvent second = { .start = launch.time, .end = launch.time + 3 };

      observer->block_launch (observer->data, &launch);
      observer->warp_end (observer->data, &first);
      observer->warp_end (observer->data, &second);
      time = second.end;
    }
  return time;
}

START_TEST (few_changes_are_all_kept)
{
  g_autoptr (WpCurve) curve = wp_curve_new (2);
  WpTick end = live (curve, 3, 10);
  gdouble stretch;
  g_autoptr (GArray) points = wp_curve_get_points (curve, end, &stretch);
  const WpCurvePoint wanted[] = { { 0, 2 },  { 1, 1 },  { 3, 0 },  { 10, 2 }, { 11, 1 },
                                  { 13, 0 }, { 20, 2 }, { 21, 1 }, { 23, 0 } };

  ck_assert (stretch == 0);
  ck_assert_uint_eq (points->len, G_N_ELEMENTS (wanted));
  for (guint i = 0; i < points->len; i++)
    {
      ck_assert (g_array_index (points, WpCurvePoint, i).time == wanted[i].time);
      ck_assert (g_array_index (points, WpCurvePoint, i).warps == wanted[i].warps);
    }
}
END_TEST

START_TEST (what_comes_and_goes_at_one_time_was_never_there)
{
  g_autoptr (WpCurve) curve = wp_curve_new (1);
  const WpObserver *observer = wp_curve_get_observer (curve);
  gdouble stretch;
  g_autoptr (GArray) points = NULL;

  for (guint i = 0; i < 2; i++)
    {
      observer->block_launch (observer->data, &(WpBlockEvent){ .time = 5 });
      observer->warp_end (observer->data, &(WpWarpEvent){ .start = 5, .end = i == 0 ? 5 : 9 });
    }
  points = wp_curve_get_points (curve, 9, &stretch);
  ck_assert_uint_eq (points->len, 3); /* none at 0, one at 5, none at 9 */
  ck_assert (g_array_index (points, WpCurvePoint, 1).time == 5);
  ck_assert (g_array_index (points, WpCurvePoint, 1).warps == 1);
}
END_TEST

/* 2 warps for 1 tick of ten and 1 for 2: four tenths of a warp, whatever the stretches. */
START_TEST (of_many_changes_means_are_kept_whose_sum_is_exact)
{
  const guint numbers[] = { 200, 1000, 100000 };

  for (guint k = 0; k < G_N_ELEMENTS (numbers); k++)
    {
      g_autoptr (WpCurve) curve = wp_curve_new (2);
      WpTick end = live (curve, numbers[k], 10);
      gdouble stretch, sum = 0;
      g_autoptr (GArray) points = wp_curve_get_points (curve, end, &stretch);

      ck_assert (stretch >= 1);
      ck_assert_uint_le (points->len, WP_CURVE_STRETCHES + 1);
      ck_assert_uint_ge (points->len, WP_CURVE_STRETCHES / 2);
      for (guint i = 0; i + 1 < points->len; i++)
        {
          const WpCurvePoint *point = &g_array_index (points, WpCurvePoint, i);

          sum += point[0].warps * (point[1].time - point[0].time);
        }
      ck_assert_double_eq_tol (sum, 4.0 * numbers[k], 1e-6);
    }
}
END_TEST

/* ---- Lifetimes ---- */

static WpLifetimes *
new_lifetimes (guint n)
{
  WpLifetimes *lifetimes = wp_lifetimes_new ();
  const WpObserver *observer = wp_lifetimes_get_observer (lifetimes);

  /* 1 once, 2 twice, ... */
  for (guint i = 1; i <= n; i++)
    for (guint k = 0; k < i; k++)
      observer->warp_end (observer->data, &(WpWarpEvent){ .start = 7, .end = 7 + i });
  return lifetimes;
}

START_TEST (the_distribution_has_all_lifetimes_that_it_has_room_for)
{
  g_autoptr (WpLifetimes) lifetimes = new_lifetimes (4);
  g_autoptr (WpLifetimes) none = wp_lifetimes_new ();
  g_autoptr (GArray) points = wp_lifetimes_get_distribution (lifetimes, 4);
  g_autoptr (GArray) nothing = wp_lifetimes_get_distribution (none, 4);
  guint64 sum = 0;

  ck_assert_uint_eq (nothing->len, 0);
  ck_assert_uint_eq (points->len, 4);
  for (guint i = 0; i < 4; i++)
    {
      sum += i + 1;
      ck_assert_int_eq (g_array_index (points, WpLifetimePoint, i).value, i + 1);
      ck_assert_uint_eq (g_array_index (points, WpLifetimePoint, i).warps, sum);
    }
}
END_TEST

START_TEST (a_distribution_that_is_thinned_has_points_of_the_whole_one)
{
  g_autoptr (WpLifetimes) lifetimes = new_lifetimes (400);
  g_autoptr (GArray) points = wp_lifetimes_get_distribution (lifetimes, 50);

  ck_assert_uint_le (points->len, 51);
  ck_assert_uint_ge (points->len, 40);
  for (guint i = 0; i < points->len; i++)
    {
      const WpLifetimePoint *point = &g_array_index (points, WpLifetimePoint, i);

      ck_assert_uint_eq (point->warps, (guint64)point->value * (guint64)(point->value + 1) / 2);
    }
  ck_assert_int_eq (g_array_index (points, WpLifetimePoint, points->len - 1).value, 400);
}
END_TEST

/* Ticks of a cycle. */
static const gint64 units[] = { 1,
                                2,
                                3,
                                4,
                                7,
                                10,
                                1023,
                                1024,
                                1025,
                                30030,
                                1000000,
                                2000001,
                                WP_MAX_TICKS_PER_CYCLE - 1,
                                WP_MAX_TICKS_PER_CYCLE };

static void
expect_time (WpRowTimes *times, WpTick ticks)
{
  gchar wanted[WP_TIME_CHARS], text[WP_TIME_CHARS];

  *wp_row_write_time (times, ticks, text) = '\0';
  ck_assert_str_eq (text, wp_tick_format (ticks, times->ticks_per_cycle, wanted));
}

/* Around each power of ten and of two, where digits and what is kept of them change; forwards as
 * times go, and each twice, with a far one between. */
START_TEST (times_of_rows_are_written_as_all_times_are)
{
  g_autofree WpRowTimes *times = wp_row_times_new (units[_i]);
  gint stride = check_get_stride () > 7 ? 97 : 1;

  for (gint64 power = 1; power <= WP_TICK_LIMIT / 10; power *= 10)
    for (gint64 ticks = power - 300; ticks < power + 300; ticks += stride)
      {
        expect_time (times, ticks);
        expect_time (times, WP_TICK_LIMIT - ticks);
        if (ticks > 0 && ticks <= WP_TICK_LIMIT / units[_i])
          expect_time (times, ticks * units[_i] - 1);
        expect_time (times, ticks);
      }
  for (gint bit = 0; bit < 63; bit++)
    for (gint64 off = -3; off <= 3; off++)
      expect_time (times, (gint64)((guint64)1 << bit) + off);
  expect_time (times, G_MAXINT64);
}
END_TEST

START_TEST (numbers_of_rows_are_written_as_all_numbers_are)
{
  gchar wanted[32], text[WP_TIME_CHARS];

  for (guint64 number = 0; number < 30000; number++)
    {
      g_snprintf (wanted, sizeof wanted, "%" G_GUINT64_FORMAT, number);
      *wp_row_write_whole (number, text) = '\0';
      ck_assert_str_eq (text, wanted);
    }
  *wp_row_write_whole (G_MAXUINT64, text) = '\0';
  ck_assert_str_eq (text, "18446744073709551615");
}
END_TEST

static Suite *
make_suite (void)
{
  Suite *suite = suite_create ("trace");
  TCase *sorter = tcase_create ("sorter");
  TCase *spool = tcase_create ("spool");
  TCase *curve = tcase_create ("curve");
  TCase *rows = tcase_create ("rows");
  TCase *lifetimes = tcase_create ("lifetimes");

  tcase_add_test (sorter, records_come_out_in_order_from_memory_and_from_files);
  tcase_add_test (sorter, a_visitor_that_refuses_ends_the_drain);
  tcase_add_test (spool, a_long_queue_keeps_its_order_and_its_changes);
  suite_add_tcase (suite, sorter);
  suite_add_tcase (suite, spool);
  tcase_add_test (curve, few_changes_are_all_kept);
  tcase_add_test (curve, what_comes_and_goes_at_one_time_was_never_there);
  tcase_add_test (curve, of_many_changes_means_are_kept_whose_sum_is_exact);
  suite_add_tcase (suite, curve);
  tcase_add_loop_test (rows, times_of_rows_are_written_as_all_times_are, 0, G_N_ELEMENTS (units));
  tcase_add_test (rows, numbers_of_rows_are_written_as_all_numbers_are);
  suite_add_tcase (suite, rows);
  tcase_add_test (lifetimes, the_distribution_has_all_lifetimes_that_it_has_room_for);
  tcase_add_test (lifetimes, a_distribution_that_is_thinned_has_points_of_the_whole_one);
  suite_add_tcase (suite, lifetimes);
  return suite;
}
