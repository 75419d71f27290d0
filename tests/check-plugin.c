/* SPDX-License-Identifier: MIT */
/* Policies from outside: greedy then oldest in three ways against the one that is built in, on
 * random cases.
 *
 * What it shows: doc/policies/gto.c, pure; the same with all that a policy can be told, which is
 * held against what the header promises; and that with a digest, so that periods are skipped. All
 * give the same rows and totals as `gto`, observed or not, whole or in windows. What it does not
 * show: loading (tests/policies.sh), and other choices.
 *
 * By hand: random-main.h.
 * WARPIPE_RANDOM_CASES (200) and WARPIPE_RANDOM_SEED (1) choose what the test runs. */
#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "include/warpipe/policy.h"
#include "sim/engine/policy/wp-policy-plugin.h"
#include "tests/random-main.h"
#include "tests/record.h"

#define wp_policy_plugin pure
#include "doc/policies/gto.c"
#undef wp_policy_plugin

#define N_TESTS 4

/* ---- Greedy then oldest, told of everything ---- */

typedef struct
{
  gint64 now;
  guint n_slots;
  guint8 *lives, *waits; /* [n_slots]: WpPolicyWait */
  gint64 *until;         /* [n_slots] */
  guint64 *issued;       /* [n_slots] */
  guint32 *list;         /* [n_slots] */
} Witness;

static void *
witness_new (const WpPolicyView *view, const int64_t *knobs, const char **problem)
{
  Witness *witness = g_new0 (Witness, 1);

  (void)knobs;
  (void)problem;
  witness->n_slots = view->n_slots;
  witness->lives = g_new0 (guint8, view->n_slots + 1);
  witness->waits = g_new0 (guint8, view->n_slots + 1);
  witness->until = g_new0 (gint64, view->n_slots + 1);
  witness->issued = g_new0 (guint64, view->n_slots + 1);
  witness->list = g_new0 (guint32, view->n_slots + 1);
  return witness;
}

static void
witness_free (void *self)
{
  Witness *witness = self;

  g_free (witness->lives);
  g_free (witness->waits);
  g_free (witness->until);
  g_free (witness->issued);
  g_free (witness->list);
  g_free (witness);
}

/* Ends the run, which then differs, unless HOLDS. */
static gboolean
expect (const WpPolicyView *view, gboolean holds, const gchar *law)
{
  if (!holds)
    {
      fprintf (stderr, "# broken at %" G_GINT64_FORMAT ": %s\n", view->now, law);
      view->stop (view, law);
    }
  return holds;
}

static void
pass_time (Witness *witness, const WpPolicyView *view)
{
  expect (view, view->now >= witness->now, "time never falls");
  witness->now = view->now;
}

static void
launched (void *self, const WpPolicyView *view, uint32_t warp)
{
  Witness *witness = self;
  WpPolicyWarp info;

  pass_time (witness, view);
  expect (view, warp < view->n_slots && !witness->lives[warp], "a warp launches in a free place");
  expect (view, view->look (view, warp, &info, sizeof info) && info.start == view->now,
          "a warp that launches can be looked at");
  witness->lives[warp] = 1;
  witness->waits[warp] = WP_POLICY_WAIT_NONE;
  witness->issued[warp] = 0;
}

static void
issued (void *self, const WpPolicyView *view, const WpPolicyIssue *issue)
{
  Witness *witness = self;
  WpPolicyWarp info;

  pass_time (witness, view);
  expect (view, witness->lives[issue->warp] && view->last == issue->warp, "a resident warp issues");
  expect (view, issue->n >= 1 && issue->index == witness->issued[issue->warp], "one by one");
  witness->issued[issue->warp] += issue->n;
  expect (view,
          view->look (view, issue->warp, &info, sizeof info)
              && info.issued == witness->issued[issue->warp] && info.issued <= info.total
              && (info.pc == WP_POLICY_NONE) == (info.issued == info.total),
          "what a warp has issued is known");
}

static void
ended (void *self, const WpPolicyView *view, uint32_t warp)
{
  Witness *witness = self;
  WpPolicyWarp info;

  pass_time (witness, view);
  expect (view, witness->lives[warp], "a resident warp ends");
  expect (view, !view->look (view, warp, &info, sizeof info), "it is not looked at any more");
  witness->lives[warp] = 0;
}

static void
wait_begins (void *self, const WpPolicyView *view, uint32_t warp, WpPolicyWait why,
             uint32_t pipeline, int64_t until)
{
  Witness *witness = self;

  pass_time (witness, view);
  expect (view, witness->lives[warp] && witness->waits[warp] == WP_POLICY_WAIT_NONE,
          "a wait begins when there is none");
  expect (view, (why == WP_POLICY_WAIT_DEPENDENCY) == (pipeline != WP_POLICY_NONE),
          "a dependence is on a pipeline");
  expect (view, until >= view->now && (why == WP_POLICY_WAIT_END || until > view->now),
          "a wait takes time");
  witness->waits[warp] = (guint8)why;
  witness->until[warp] = until;
}

static void
wait_ends (void *self, const WpPolicyView *view, uint32_t warp, WpPolicyWait why)
{
  Witness *witness = self;

  pass_time (witness, view);
  expect (view, witness->lives[warp] && witness->waits[warp] == (guint8)why,
          "the wait ends that has begun");
  expect (view, witness->until[warp] == WP_POLICY_FOREVER || witness->until[warp] == view->now,
          "it ends when it was said to");
  witness->waits[warp] = WP_POLICY_WAIT_NONE;
}

/* The list is of all resident warps, by age; those that wait for nothing that is told are those
 * that can issue, or wait for a pipeline. */
static void
check_list (const Witness *witness, const WpPolicyView *view)
{
  guint32 n = view->list (view, witness->list), n_ready, k = 0;
  const guint32 *ready = view->get_ready (view, &n_ready);
  guint64 age = 0;
  WpPolicyWarp info;

  for (guint i = 0; i < n; i++)
    {
      guint32 warp = witness->list[i];

      if (!expect (view, view->look (view, warp, &info, sizeof info), "all of a list are resident"))
        return;
      expect (view, i == 0 || info.age > age, "a list is by age");
      expect (view,
              info.wait == WP_POLICY_WAIT_PIPELINE
                  || info.wait == (WpPolicyWait)witness->waits[warp],
              "waits are as told");
      age = info.age;
      if (k < n_ready && ready[k] == warp)
        {
          expect (view, info.wait == WP_POLICY_WAIT_NONE && info.ready <= view->now,
                  "who can issue waits for nothing");
          k++;
        }
      else
        expect (view, info.wait != WP_POLICY_WAIT_NONE, "who waits for nothing can issue");
    }
  expect (view, k == n_ready && k > 0 && ready[0] == view->oldest && ready[k - 1] == view->youngest,
          "all that can issue are on the list");
}

static uint32_t
choose_told (void *self, const WpPolicyView *view, int64_t *until)
{
  pass_time (self, view);
  check_list (self, view);
  return choose (self, view, until);
}

/* The last warp of the scheduler, which the engine knows, is all there is. */
static size_t
digest (const void *self, uint64_t *words, size_t room)
{
  (void)self;
  (void)words;
  (void)room;
  return 0;
}

#define TOLD                                                                                       \
  WP_POLICY_HEAD, .create = witness_new, .destroy = witness_free, .choose = choose_told,           \
                  .launched = launched, .issued = issued, .ended = ended,                          \
                  .wait_begins = wait_begins, .wait_ends = wait_ends

static const WpPolicyPlugin told = { TOLD };

/* A witness would have to forget what it has counted for its state to come again. */
static const WpPolicyPlugin skipping
    = { WP_POLICY_HEAD, .choose = choose, .digest = digest, .text = "skips" };

static const WpPolicyPlugin *const plugins[] = { &pure, &told, &skipping };

/* ---- Cases ---- */

typedef struct
{
  guint ran, skipped, issued;
} Tally;

static const RandomFamily families[] = { { "short", TRUE }, { "long", FALSE } };

static RandomCase *
make (guint64 seed, guint family)
{
  return family == 0 ? random_case_new (seed) : random_case_new_long (seed, seed % 2 == 0, 20000);
}

static gchar *
check_run (const WpMachine *machine, const WpPolicyPlugin *plugin, RecordHow how, Tally *tally)
{
  g_autoptr (Record) first = record_run (machine, "gto", how);
  WpPolicy *policy = wp_policy_plugin_new (plugin, "mine.so", NULL);
  g_autoptr (Record) second = record_run_policy (machine, policy, how);
  gchar *difference = NULL;

  if (first->device != NULL && (second->device != NULL || !machine->dataflow))
    difference = record_compare (first, second);
  if (first->device != NULL && second->device != NULL)
    {
      tally->ran++;
      tally->issued += second->status == WP_RUN_DONE;
      tally->skipped += plugin == &skipping && wp_device_get_skipped (second->device) > 0;
    }
  record_free (g_steal_pointer (&second));
  wp_policy_plugin_free (policy);
  return difference;
}

static gchar *
check_case (RandomCase *random, guint family, gpointer tally)
{
  static const RecordHow hows[] = { { .no_skip = TRUE },
                                    { .unobserved = TRUE },
                                    { .unobserved = TRUE, .budget = 50, .window = 40 } };
  g_auto (LoadedCase) c = { 0 };
  g_autoptr (WpResolved) resolved = NULL;
  gchar *difference = NULL;

  (void)family;
  loaded_case_init (&c, random);
  if (c.error != NULL)
    return g_strdup (c.error->message);
  resolved = wp_resolve (c.kernel, c.gpu, &c.random->options, NULL);
  if (resolved == NULL || wp_machine_check (&resolved->machine) != NULL)
    return NULL;
  for (guint i = 0; i < G_N_ELEMENTS (plugins) && difference == NULL; i++)
    for (guint k = 0; k < G_N_ELEMENTS (hows) && difference == NULL; k++)
      difference = check_run (&resolved->machine, plugins[i], hows[k], tally);
  return difference;
}

static void
print_tally (gconstpointer data)
{
  const Tally *tally = data;

  printf ("%u ran, %u to the end, %u skipped periods\n", tally->ran, tally->issued, tally->skipped);
}

static const RandomMain self
    = { "check-plugin", G_N_ELEMENTS (families), families, make, check_case, print_tally };

START_TEST (greedy_then_oldest_from_outside_is_gto)
{
  guint64 n = random_main_environment ("WARPIPE_RANDOM_CASES", 200) / N_TESTS;
  guint64 first = random_main_environment ("WARPIPE_RANDOM_SEED", 1) + (guint64)_i * n;
  Tally tally = { 0 };

  for (guint64 seed = first; seed < first + n; seed++)
    ck_assert (random_main_run_seed (&self, seed, 0, &tally));
  ck_assert_uint_ge (tally.issued, n);
}
END_TEST

START_TEST (a_digest_lets_periods_be_skipped)
{
  /* The seventh is the first that has some. */
  const guint64 n = CLAMP (random_main_environment ("WARPIPE_SKIP_CASES", 20), 8, 20);
  Tally tally = { 0 };

  for (guint64 seed = 1; seed <= n; seed++)
    ck_assert (random_main_run_seed (&self, seed, 1, &tally));
  ck_assert_uint_ge (tally.skipped, 1);
}
END_TEST

static int
run_tests (void)
{
  TCase *tcase = tcase_create ("cases");

  tcase_set_timeout (tcase, 600);
  tcase_add_loop_test (tcase, greedy_then_oldest_from_outside_is_gto, 0, N_TESTS);
  tcase_add_test (tcase, a_digest_lets_periods_be_skipped);
  return random_main_run_suite ("plugin", tcase);
}

int
main (int argc, char **argv)
{
  Tally tally = { 0 };
  int status;

  if (!random_main_by_hand (&self, argc, argv, &tally, &status))
    status = run_tests ();
  return status;
}
