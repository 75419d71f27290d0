/* SPDX-License-Identifier: MIT */
/* What recorders keep that cannot be written yet: more of it than memory is meant to hold, in the right order. */
#include "config.h"

#include "traces/wp-sorter.h"
#include "traces/wp-spool.h"

#include <stddef.h>

#include "tests/check-main.h"

#define N 200000 /* several times what stays in memory */

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
  sort (sorter, N);
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
  guint64 taken = 0;

  for (guint64 i = 0; i < N; i++)
    {
      Record record = { i, 0 };

      ck_assert_uint_eq (wp_spool_append (spool, &record, &failed), i);
      if (i == N / 2) /* some are gone before the rest comes */
        for (; taken < 1000; taken++)
          {
            guint64 check = taken + 1;

            ck_assert (
                wp_spool_patch (spool, taken, offsetof (Record, check), &check, sizeof check));
            take (spool, taken);
          }
    }
  /* Changed from the last to the first: in memory at both ends, and in the file. */
  for (guint64 i = N; i-- > taken;)
    {
      guint64 check = i + 1;

      ck_assert (wp_spool_patch (spool, i, offsetof (Record, check), &check, sizeof check));
    }
  for (; taken < N; taken++)
    take (spool, taken);
  ck_assert (!failed);
  ck_assert_ptr_null (wp_spool_peek (spool, &failed));
  wp_spool_free (spool);
}
END_TEST

static Suite *
make_suite (void)
{
  Suite *suite = suite_create ("trace");
  TCase *sorter = tcase_create ("sorter");
  TCase *spool = tcase_create ("spool");

  tcase_add_test (sorter, records_come_out_in_order_from_memory_and_from_files);
  tcase_add_test (sorter, a_visitor_that_refuses_ends_the_drain);
  tcase_add_test (spool, a_long_queue_keeps_its_order_and_its_changes);
  suite_add_tcase (suite, sorter);
  suite_add_tcase (suite, spool);
  return suite;
}
