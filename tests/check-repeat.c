/* SPDX-License-Identifier: MIT */
/* Recorders that take recurring periods by one call (WpObserver.repeat) against themselves without
 * it, when they see every event: lifetimes, the curve of warps over time, and the issues table of a
 * window.
 *
 * What it shows, on long cases of random-case.c: their results are the same, to the last digit.
 * What it does not pin: that the engine reports the right events (check-skip.c), and what the
 * recorders make of them (check-trace.c, traces.sh). WARPIPE_SKIP_CASES (600) sets how many. */
#include <glib.h>
#include <stdio.h>
#include <string.h>

#include "tests/random-main.h"
#include "tests/record.h"
#include "traces/table/wp-curve.h"
#include "traces/table/wp-lifetimes.h"
#include "traces/table/wp-trace.h"

#define N_TESTS 10

typedef struct
{
  guint ran, refused, repeats;
} Tally;

/* A run with all three recorders. */
typedef struct
{
  WpLifetimes *lifetimes;
  WpCurve *curve;
  WpTrace *issues;
  FILE *file;
  guint n_repeats;
  WpTick elapsed;
} Run;

static void
run_clear (Run *run)
{
  wp_lifetimes_free (run->lifetimes);
  wp_curve_free (run->curve);
  wp_trace_free (run->issues);
  fclose (run->file);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Run, run_clear)

static void
count_repeat (void *data, const WpRepeat *repeat)
{
  Run *run = data;

  (void)repeat;
  run->n_repeats++;
}

/* False: the device is refused. */
static gboolean
run_init (Run *run, const WpMachine *machine, const gchar *policy, const WpTraceWindow *window,
          gboolean repeats)
{
  const WpTraceOptions options = { .window = *window };
  WpObserver observers[3];
  const WpObserver *list[] = { &observers[0], &observers[1], &observers[2] };
  const char *problem;
  WpDevice *device;

  run->lifetimes = wp_lifetimes_new ();
  run->curve = wp_curve_new (machine->warps_per_block);
  run->file = tmpfile ();
  run->issues = wp_trace_new (&wp_trace_issues, machine, &options, run->file);
  observers[0] = *wp_lifetimes_get_observer (run->lifetimes);
  observers[1] = *wp_curve_get_observer (run->curve);
  observers[2] = run->issues->observer;
  for (guint i = 0; !repeats && i < 3; i++)
    {
      observers[i].repeat = NULL;
      observers[i].can_repeat = NULL;
    }
  device = wp_device_new (machine, wp_policy_find (policy), list, 3, &problem);
  if (device == NULL)
    return FALSE;
  while (wp_device_run (device, 10000) == WP_RUN_MORE)
    ;
  run->elapsed = wp_device_get_result (device)->elapsed;
  wp_device_free (device);
  return wp_trace_finish (run->issues, NULL);
}

/* The same without the table: rounds in rounds are taken, too. */
static gboolean
run_init_short (Run *run, const WpMachine *machine, const gchar *policy)
{
  const WpTraceOptions options = { .window = { 0, WP_TRACE_TO_END, WP_TRACE_ALL_SMS } };
  const WpObserver counter = { .data = run, .repeat = count_repeat };
  const WpObserver *list[3] = { NULL, NULL, &counter };
  const char *problem;
  WpDevice *device;

  run->lifetimes = wp_lifetimes_new ();
  run->curve = wp_curve_new (machine->warps_per_block);
  run->file = tmpfile ();
  run->issues = wp_trace_new (&wp_trace_issues, machine, &options, run->file);
  list[0] = wp_curve_get_observer (run->curve);
  list[1] = wp_lifetimes_get_observer (run->lifetimes);
  device = wp_device_new (machine, wp_policy_find (policy), list, 3, &problem);
  if (device == NULL)
    return FALSE;
  while (wp_device_run (device, 10000) == WP_RUN_MORE)
    ;
  run->elapsed = wp_device_get_result (device)->elapsed;
  wp_device_free (device);
  return TRUE;
}

static gboolean
is_same (const GArray *a, const GArray *b, gsize size)
{
  return a->len == b->len && (a->len == 0 || memcmp (a->data, b->data, a->len * size) == 0);
}

static gchar *
compare_figures (Run *a, Run *b)
{
  gdouble stretches[2];
  g_autoptr (GArray) curve = wp_curve_get_points (a->curve, a->elapsed, &stretches[0]);
  g_autoptr (GArray) other_curve = wp_curve_get_points (b->curve, b->elapsed, &stretches[1]);
  g_autoptr (GArray) lives = wp_lifetimes_get_distribution (a->lifetimes, 1000);
  g_autoptr (GArray) other_lives = wp_lifetimes_get_distribution (b->lifetimes, 1000);

  if (a->elapsed != b->elapsed)
    return g_strdup ("the runs are not equally long");
  if (!is_same (lives, other_lives, sizeof (WpLifetimePoint)))
    return g_strdup ("lifetimes");
  if (stretches[0] != stretches[1] || !is_same (curve, other_curve, sizeof (WpCurvePoint)))
    return g_strdup ("warps over time");
  return NULL;
}

static gboolean
is_same_table (FILE *a, FILE *b)
{
  int c;

  rewind (a);
  rewind (b);
  do
    {
      c = getc (a);
      if (c != getc (b))
        return FALSE;
    }
  while (c != EOF);
  return TRUE;
}

static gchar *
check_machine (const WpMachine *machine, const gchar *policy, Tally *tally)
{
  g_auto (Run) whole = { 0 };
  const WpTraceWindow all = { 0, WP_TRACE_TO_END, WP_TRACE_ALL_SMS };
  gchar *what;

  if (!run_init (&whole, machine, policy, &all, FALSE))
    {
      tally->refused++;
      return NULL;
    }
  tally->ran++;
  for (guint i = 0; i < 4; i++)
    {
      g_auto (Run) each = { 0 }, folded = { 0 };
      const WpTraceWindow window
          = { whole.elapsed / 4 * i, i == 2 ? whole.elapsed / 5 * 3 : WP_TRACE_TO_END,
              i == 3 ? 0 : WP_TRACE_ALL_SMS };

      run_init (&each, machine, policy, &window, FALSE);
      run_init (&folded, machine, policy, &window, TRUE);
      if ((what = compare_figures (&each, &folded)) != NULL)
        return what;
      if (!is_same_table (each.file, folded.file))
        return g_strdup_printf ("issues from %" G_GINT64_FORMAT " on", window.from);
    }
  {
    g_auto (Run) folded = { 0 };

    run_init_short (&folded, machine, policy);
    tally->repeats += folded.n_repeats;
    return compare_figures (&whole, &folded);
  }
}

static RandomCase *
make (guint64 seed, guint family)
{
  (void)family;
  return random_case_new_long (seed, seed % 4 == 0, 60000);
}

static gchar *
check (RandomCase *random, guint family, gpointer tally)
{
  g_auto (LoadedCase) c = { 0 };
  g_autoptr (WpResolved) resolved = NULL;

  (void)family;
  loaded_case_init (&c, random);
  if (c.error != NULL)
    return g_strdup (c.error->message);
  resolved = wp_resolve (c.kernel, c.gpu, &random->options, NULL);
  return resolved == NULL ? NULL : check_machine (&resolved->machine, random->policy, tally);
}

static void
print_tally (gconstpointer data)
{
  const Tally *tally = data;

  printf ("%u ran, %u refused; %u repeats\n", tally->ran, tally->refused, tally->repeats);
}

static const RandomFamily families[] = { { "long", FALSE } };
static const RandomMain self = { "check-repeat", 1, families, make, check, print_tally };

START_TEST (what_recurs_is_recorded_as_if_each_event_was_seen)
{
  guint64 n = random_main_environment ("WARPIPE_SKIP_CASES", 600) / 2;
  guint64 first = n * (guint64)_i / N_TESTS, last = n * ((guint64)_i + 1) / N_TESTS;
  Tally tally = { 0 };

  for (guint64 seed = first; seed < last; seed++)
    ck_assert (random_main_run_seed (&self, seed + 1, 0, &tally));
  ck_assert (last - first < 20 || (tally.ran * 2 > last - first && tally.repeats > 0));
}
END_TEST

int
main (int argc, char **argv)
{
  Tally tally = { 0 };
  TCase *tcase;
  int status;

  if (random_main_by_hand (&self, argc, argv, &tally, &status))
    return status;
  tcase = tcase_create ("cases");
  tcase_add_loop_test (tcase, what_recurs_is_recorded_as_if_each_event_was_seen, 0, N_TESTS);
  return random_main_run_suite ("repeat", tcase);
}
