/* SPDX-License-Identifier: MIT */
/* The warps that a scheduler could have issued from, which an observer can query at each issue.
 *
 * What it shows, on cases of random-case.c: the warp that issues is the one of them that its policy
 * chooses, by the policy's description; all of them were ready; and in program order none is
 * missing: a warp that issues next, was ready before, and whose pipeline would have accepted it by
 * then, is among them. What it does not pin: which warps two-level scheduling deactivates, and what
 * is ready in dataflow order (check-random does, by what issues). WARPIPE_RANDOM_CASES (2000) sets
 * how many. */
#include <glib.h>
#include <string.h>

#include "sim/engine/wp-device.h"
#include "sim/gpu/wp-resolve.h"
#include "tests/random-case.h"

#include "tests/check-main.h"

#define N_TESTS 5
#define MOST (1 << 14) /* issues of a case that are looked at */

typedef struct
{
  WpIssueEvent e;
  guint first, n; /* in candidates */
} Issue;

typedef struct
{
  guint64 seed;
  const WpMachine *machine;
  const WpDevice *device;
  const gchar *policy;
  GArray *issues;     /* of Issue */
  GArray *candidates; /* of WpCandidate */
  guint32 *last;      /* [schedulers of all SMs]: 1 + the issue that it made last; 0: none yet */
} Case;

typedef struct
{
  guint ran, chosen, missed_none;
} Tally;

static void
on_issue (void *data, const WpIssueEvent *event)
{
  Case *c = data;
  Issue issue = { *event, c->candidates->len, 0 };

  if (c->issues->len >= MOST)
    return;
  issue.n = wp_device_get_candidates (c->device, event, NULL, 0);
  g_array_set_size (c->candidates, issue.first + issue.n);
  ck_assert_uint_eq (
      issue.n,
      wp_device_get_candidates (c->device, event,
                                &g_array_index (c->candidates, WpCandidate, issue.first), issue.n));
  ck_assert_msg ((issue.n == 0) == (event->follows || event->replayed),
                 "seed %" G_GUINT64_FORMAT ": %u candidates", c->seed, issue.n);
  g_array_append_val (c->issues, issue);
}

static const WpCandidate *
get (const Case *c, const Issue *issue, guint i)
{
  return &g_array_index (c->candidates, WpCandidate, issue->first + i);
}

static const WpCandidate *
find (const Case *c, const Issue *issue, guint64 block, guint32 warp)
{
  for (guint i = 0; i < issue->n; i++)
    if (get (c, issue, i)->block == block && get (c, issue, i)->warp == warp)
      return get (c, issue, i);
  return NULL;
}

/* The first in slot order after LAST, going round, of those of BLOCK (G_MAXUINT64: of all). */
static const WpCandidate *
go_round (const Case *c, const Issue *issue, gint64 last, guint64 block)
{
  const WpCandidate *first = NULL;

  for (guint i = 0; i < issue->n; i++)
    {
      const WpCandidate *candidate = get (c, issue, i);

      if (block != G_MAXUINT64 && candidate->block != block)
        continue;
      if (first == NULL)
        first = candidate;
      if ((gint64)candidate->slot > last)
        return candidate;
    }
  return first;
}

/* The oldest, or the youngest. */
static const WpCandidate *
find_by_age (const Case *c, const Issue *issue, gboolean youngest)
{
  const WpCandidate *best = get (c, issue, 0);

  for (guint i = 1; i < issue->n; i++)
    if ((get (c, issue, i)->age > best->age) == youngest)
      best = get (c, issue, i);
  return best;
}

/* What the policy is to choose, LAST being the issue that the scheduler made last, or NULL: it is
 * not known here. */
static const WpCandidate *
choose (const Case *c, const Issue *issue, const Issue *last)
{
  gint64 slot = last != NULL ? (gint64)last->e.slot : -1;
  gboolean youngest = strcmp (c->policy, "gty") == 0;

  if (strcmp (c->policy, "two-level") == 0)
    return NULL;
  if (strcmp (c->policy, "rr") == 0)
    return go_round (c, issue, slot, G_MAXUINT64);
  if (strcmp (c->policy, "block") == 0)
    return go_round (c, issue, slot, find_by_age (c, issue, FALSE)->block);
  if (strcmp (c->policy, "oldest") != 0 && last != NULL)
    {
      const WpCandidate *again = find (c, issue, last->e.block, last->e.warp);

      if (again != NULL)
        return again;
    }
  return find_by_age (c, issue, youngest);
}

static void
check_choice (const Case *c, guint i, const Issue *last, Tally *tally)
{
  const Issue *issue = &g_array_index (c->issues, Issue, i);
  const WpCandidate *chosen = choose (c, issue, last);

  ck_assert_msg (find (c, issue, issue->e.block, issue->e.warp) != NULL,
                 "seed %" G_GUINT64_FORMAT ", issue %u: not among the candidates", c->seed, i);
  ck_assert_msg (chosen == NULL || chosen->slot == issue->e.slot,
                 "seed %" G_GUINT64_FORMAT ", issue %u: %s would choose slot %u", c->seed, i,
                 c->policy, chosen != NULL ? chosen->slot : 0);
  tally->chosen += chosen != NULL && issue->n > 1;
}

static void
check_choices (Case *c, Tally *tally)
{
  for (guint i = 0; i < c->issues->len; i++)
    {
      const Issue *issue = &g_array_index (c->issues, Issue, i);
      guint32 *last = &c->last[issue->e.sm * c->machine->n_schedulers + issue->e.scheduler];

      if (!issue->e.follows && issue->n > 0)
        check_choice (c, i, *last > 0 ? &g_array_index (c->issues, Issue, *last - 1) : NULL, tally);
      if (!issue->e.follows)
        *last = i + 1;
    }
}

/* What was said of the warp of ISSUE before, from issue FROM on, at which it could have been ready
 * first. */
static void
check_before (const Case *c, guint index, Tally *tally)
{
  const Issue *issue = &g_array_index (c->issues, Issue, index);
  gboolean complete = strcmp (c->policy, "two-level") != 0;

  for (guint i = index; i-- > 0;)
    {
      const Issue *other = &g_array_index (c->issues, Issue, i);
      gboolean listed, ready;

      if (other->e.sm != issue->e.sm || other->e.scheduler != issue->e.scheduler)
        continue;
      if (other->e.time < issue->e.ready
          || (other->e.block == issue->e.block && other->e.warp == issue->e.warp))
        return;
      if (other->n == 0)
        continue;
      listed = find (c, other, issue->e.block, issue->e.warp) != NULL;
      ready = issue->e.ready < other->e.time && issue->e.accept <= other->e.time;
      ck_assert_msg (listed || !ready || !complete,
                     "seed %" G_GUINT64_FORMAT ", issue %u: the warp of issue %u is missing",
                     c->seed, i, index);
      ck_assert_msg (!listed || issue->e.ready <= other->e.time,
                     "seed %" G_GUINT64_FORMAT ", issue %u: the warp of issue %u is not ready",
                     c->seed, i, index);
      tally->missed_none += ready && complete;
    }
}

static void
check_case (Case *c, const WpPolicy *policy, Tally *tally)
{
  const WpObserver observer = { .data = c, .issue = on_issue };
  const WpObserver *const observers[] = { &observer };
  const char *problem;
  WpDevice *device = wp_device_new (c->machine, policy, observers, 1, &problem);

  ck_assert_msg (device != NULL, "%s", problem);
  c->device = device;
  ck_assert (wp_device_set_skip (device, c->seed % 2 == 0));
  while (c->issues->len < MOST && wp_device_run (device, 1000) == WP_RUN_MORE)
    ;
  check_choices (c, tally);
  for (guint i = 0; !c->machine->dataflow && c->seed % 2 != 0 && i < c->issues->len; i++)
    if (!g_array_index (c->issues, Issue, i).e.follows)
      check_before (c, i, tally);
  wp_device_free (device);
  tally->ran++;
}

static void
check_seed (guint64 seed, Tally *tally)
{
  g_autoptr (RandomCase) random = random_case_new (seed);
  g_autoptr (GError) error = NULL;
  g_autoptr (IdgKernel) kernel = NULL;
  g_autoptr (WpResolved) resolved = NULL;
  g_autoptr (WpGpu) gpu = wp_gpu_parse (random->gpu, strlen (random->gpu), "gpu.xml", NULL, &error);
  const WpPolicy *policy = wp_policy_find (random->policy);
  Case c = { .seed = seed, .policy = random->policy };

  kernel = idg_kernel_parse (random->kernel, strlen (random->kernel), "kernel.xml", NULL, &error);
  resolved = wp_resolve (kernel, gpu, &random->options, &error);
  if (resolved == NULL || wp_machine_check (&resolved->machine) != NULL
      || (resolved->machine.dataflow && !wp_policy_takes_dataflow (policy)))
    return;
  c.machine = &resolved->machine;
  c.issues = g_array_new (FALSE, FALSE, sizeof (Issue));
  c.candidates = g_array_new (FALSE, FALSE, sizeof (WpCandidate));
  c.last = g_new0 (guint32, c.machine->simulated_sms * c.machine->n_schedulers);
  check_case (&c, policy, tally);
  g_array_unref (c.issues);
  g_array_unref (c.candidates);
  g_free (c.last);
}

START_TEST (of_the_warps_that_could_issue_the_policys_choice_does_and_none_is_missing)
{
  CheckSeeds seeds = check_get_seeds (1, _i, N_TESTS);
  Tally tally = { 0 };

  for (guint64 seed = seeds.first; seed < seeds.last; seed++)
    check_seed (seed, &tally);
  if (seeds.last - seeds.first < 100)
    return;
  /* Cases must have shown what this is about. */
  ck_assert_uint_ge (tally.ran * 2, seeds.last - seeds.first);
  ck_assert_uint_ge (tally.chosen, 10 * (seeds.last - seeds.first));
  ck_assert_uint_ge (tally.missed_none * 2, seeds.last - seeds.first);
}
END_TEST

static Suite *
make_suite (void)
{
  Suite *suite = suite_create ("candidates");
  TCase *tcase = tcase_create ("cases");

  tcase_set_timeout (tcase, 600);
  tcase_add_loop_test (
      tcase, of_the_warps_that_could_issue_the_policys_choice_does_and_none_is_missing, 0, N_TESTS);
  suite_add_tcase (suite, tcase);
  return suite;
}
