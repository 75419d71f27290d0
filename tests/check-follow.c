/* SPDX-License-Identifier: MIT */
/* What the exporters report of warps (traces/table/wp-follow) against what the engine accounts for.
 *
 * What it shows, on cases of random-case.c: waits follow one another without a gap from a warp's
 * start to its end; by cause they add up to the stalls of the warp, and by pipeline to the waits of
 * the run; slots and starts are those that events name; a result that is used is complete when its
 * user is ready, and the producer that the engine names is one of them. Every exporter takes every
 * case, in windows of all kinds. What it does not pin: what exporters write (traces.py).
 * WARPIPE_RANDOM_CASES (2000) sets how many. */
#include <glib.h>
#include <string.h>

#include "sim/engine/wp-device.h"
#include "sim/gpu/wp-resolve.h"
#include "tests/random-case.h"
#include "traces/table/wp-trace.h"

#include "tests/check-main.h"

#define N_TESTS 10
#define MOST (1 << 14) /* issues of a case that are looked at */

typedef struct
{
  guint64 seed;
  const WpMachine *machine;
  WpFollow *follow;
  gboolean origins; /* they are asked for */
  GHashTable *sums; /* "sm.slot" -> Sums of the warp that is there */
  WpSum *waits;     /* [n_pipelines] */
  guint64 n_issues;
} Case;

typedef struct
{
  WpTick at; /* where its waits have come to */
  WpTick stalls[WP_N_STALLS];
  GHashTable *bases; /* dynamic instruction -> from when its latency counts */
} Sums;

#define CHECK(c, condition)                                                                        \
  ck_assert_msg (condition, "seed %" G_GUINT64_FORMAT ": %s", (c)->seed, #condition)

static void
on_launch (void *data, const WpBlockEvent *event)
{
  Case *c = data;

  wp_follow_launch (c->follow, event);
}

static Sums *
get_sums (Case *c, guint32 sm, guint32 slot, WpTick start)
{
  gint64 key = (gint64)sm << 32 | slot;
  Sums *sums = g_hash_table_lookup (c->sums, &key);

  if (sums != NULL)
    return sums;
  sums = g_new0 (Sums, 1);
  sums->at = start;
  sums->bases = g_hash_table_new_full (g_int64_hash, g_int64_equal, g_free, g_free);
  g_hash_table_insert (c->sums, g_memdup2 (&key, sizeof key), sums);
  return sums;
}

static void
add_wait (Case *c, Sums *sums, const WpFollowWait *wait)
{
  CHECK (c, wait->from == sums->at && wait->from < wait->to);
  sums->at = wait->to;
  sums->stalls[wait->stall] += wait->to - wait->from;
  if (wait->stall == WP_STALL_DEPENDENCY && wait->pipeline != WP_NO_PIPELINE)
    wp_sum_add (&c->waits[wait->pipeline], (guint64)(wait->to - wait->from));
}

static void
free_sums (gpointer data)
{
  Sums *sums = data;

  g_hash_table_unref (sums->bases);
  g_free (sums);
}

/* Whether A is B, or of the same mix and completes as B does. */
static gboolean
is_alike (const Case *c, guint32 a, guint32 b)
{
  const WpInstr *x = &c->machine->instrs[a], *y = &c->machine->instrs[b];

  return wp_instr_get_first (x) == wp_instr_get_first (y) && x->value == y->value;
}

/* When the result of ORIGIN is there for INSTR, which names it. */
static WpTick
find_complete (Case *c, const Sums *sums, const WpInstr *instr, const WpFollowOrigin *origin)
{
  const WpTick *base = g_hash_table_lookup (sums->bases, &origin->index);

  CHECK (c, base != NULL);
  for (guint i = 0; i < instr->n_deps; i++)
    {
      const WpDep *dep = &c->machine->deps[instr->first_dep + i];

      if (is_alike (c, dep->producer, origin->instr))
        return *base + dep->latency;
    }
  ck_abort_msg ("seed %" G_GUINT64_FORMAT ": an origin that is not named", c->seed);
}

/* The results that EVENT used, and which of them the engine says it waited for. */
static void
check_origins (Case *c, const Sums *sums, const WpIssueEvent *event, const WpFollowIssue *issue)
{
  const WpInstr *instr = &c->machine->instrs[event->instr];
  gboolean barrier = instr->cost->pipeline == WP_NO_PIPELINE, named = FALSE;

  CHECK (c, issue->n_origins <= instr->n_deps);
  for (guint i = 0; i < issue->n_origins; i++)
    {
      const WpFollowOrigin *origin = &issue->origins[i];
      WpTick complete = find_complete (c, sums, instr, origin);

      CHECK (c, complete <= event->ready);
      CHECK (c, origin->index < event->index);
      if (origin->index != event->producer)
        continue;
      named = TRUE;
      CHECK (c, event->reason != WP_REASON_DEPENDENCY
                    || (complete == event->ready
                        && is_alike (c, origin->instr, event->producer_instr)));
    }
  CHECK (c, named || event->reason != WP_REASON_DEPENDENCY || !c->origins
                || (barrier && c->machine->dataflow));
}

static void
on_issue (void *data, const WpIssueEvent *event)
{
  Case *c = data;
  const WpFollowIssue *issue = wp_follow_issue (c->follow, event);
  const WpInstr *instr = &c->machine->instrs[event->instr];
  Sums *sums = get_sums (c, event->sm, event->slot, issue->warp->start);
  WpTick base;

  c->n_issues++;
  CHECK (c, issue->warp->slot == event->slot && issue->warp->block == event->block
                && issue->warp->warp == event->warp && issue->warp->scheduler == event->scheduler);
  CHECK (c, issue->since == sums->at);
  for (guint i = 0; i < issue->n_waits; i++)
    add_wait (c, sums, &issue->waits[i]);
  CHECK (c, sums->at == event->time);
  check_origins (c, sums, event, issue);
  base = instr->cost->posted ? event->time : event->served;
  g_hash_table_insert (sums->bases, g_memdup2 (&event->index, sizeof event->index),
                       g_memdup2 (&base, sizeof base));
}

static void
on_warp_end (void *data, const WpWarpEvent *event)
{
  Case *c = data;
  gboolean drained;
  WpFollowWait drain;
  const WpFollowWarp *warp = wp_follow_warp_end (c->follow, event, &drain, &drained);
  Sums *sums = get_sums (c, event->sm, event->slot, warp->start);
  gint64 key = (gint64)event->sm << 32 | event->slot;

  CHECK (c, warp->block == event->block && warp->warp == event->warp && warp->slot == event->slot
                && warp->start == event->start);
  if (drained)
    add_wait (c, sums, &drain);
  CHECK (c, sums->at == event->end);
  for (guint i = 0; i < WP_N_STALLS; i++)
    ck_assert_msg (sums->stalls[i] == event->stalls[i],
                   "seed %" G_GUINT64_FORMAT ": stall %u: %" G_GINT64_FORMAT
                   " and not %" G_GINT64_FORMAT,
                   c->seed, i, sums->stalls[i], event->stalls[i]);
  g_hash_table_remove (c->sums, &key);
}

static void
on_block_end (void *data, const WpBlockEvent *event)
{
  WpTick start;

  wp_follow_block_end (((Case *)data)->follow, event, &start);
  CHECK ((Case *)data, start <= event->time);
}

/* A window for KIND: none, or bounds near events. */
static WpTraceOptions
make_options (const Case *c, guint kind)
{
  guint64 n = c->seed + kind;
  gint64 cycle = c->machine->ticks_per_cycle;

  return (WpTraceOptions){
    .window
    = { (WpTick)(n % 4) * 7 * cycle, n % 3 == 0 ? WP_TRACE_TO_END : (WpTick)(28 + n % 50) * cycle,
        n % 5 == 0 ? (gint64)(c->machine->simulated_sms - 1) : WP_TRACE_ALL_SMS },
    .kernel = "kernel \"k\"",
    .gpu = "gpu",
    .policy = "rr",
    .clock_mhz = { 1266, 1 + (gint64)(n % 3) },
    .arrows = n % 2 == 0,
    .style = { 40 + (guint)(n % 100), n % 2 == 0, n % 7 == 0 },
  };
}

/* From here on nothing is observed: totals are those of a run without observers. */
static void
stop_observing (Case *c, const WpPolicy *policy, WpDevice *observed)
{
  const char *problem;
  WpDevice *device = wp_device_new (c->machine, policy, NULL, 0, &problem);
  guint64 n_issues = c->n_issues;
  const WpResult *a, *b;

  ck_assert_msg (device != NULL, "%s", problem);
  wp_device_stop_observing (observed);
  for (gint i = 0; i < 1000 && wp_device_run (observed, 10000) == WP_RUN_MORE; i++)
    ;
  for (gint i = 0; i < 3000 && wp_device_run (observed, 0) != WP_RUN_MORE
                   && wp_device_run (device, 10000) == WP_RUN_MORE;
       i++)
    ;
  CHECK (c, wp_device_run (observed, 0) == WP_RUN_MORE
                || wp_device_run (observed, 0) == wp_device_run (device, 0));
  if (wp_device_run (observed, 0) == WP_RUN_DONE)
    {
      a = wp_device_get_result (observed);
      b = wp_device_get_result (device);
      CHECK (c, a->complete && b->complete && a->elapsed == b->elapsed && a->drained == b->drained
                    && a->warps == b->warps && a->issued == b->issued && a->issues == b->issues);
      CHECK (c, wp_sum_compare (a->lifetimes, b->lifetimes) == 0);
      CHECK (c, wp_sum_compare (a->occupied, b->occupied) == 0);
      CHECK (c, wp_sum_compare (a->slot_time, b->slot_time) == 0);
      for (guint i = 0; i < WP_N_STALLS; i++)
        CHECK (c, wp_sum_compare (a->stalls[i], b->stalls[i]) == 0);
      for (guint i = 0; i < c->machine->n_pipelines; i++)
        CHECK (c, wp_sum_compare (a->waits[i], b->waits[i]) == 0);
    }
  CHECK (c, c->n_issues == n_issues);
  wp_device_free (device);
}

static void
run (Case *c, const WpPolicy *policy)
{
  static const WpTraceKind *const kinds[]
      = { &wp_trace_timeline, &wp_trace_issues, &wp_trace_chrome, &wp_trace_konata };
  const WpObserver observer = { .data = c,
                                .block_launch = on_launch,
                                .issue = on_issue,
                                .warp_end = on_warp_end,
                                .block_end = on_block_end };
  const WpObserver *observers[1 + G_N_ELEMENTS (kinds)] = { &observer };
  WpTrace *traces[G_N_ELEMENTS (kinds)];
  FILE *out = fopen ("/dev/null", "w");
  const char *problem;
  WpRunStatus status = WP_RUN_MORE;
  WpDevice *device;

  for (guint i = 0; i < G_N_ELEMENTS (kinds); i++)
    {
      WpTraceOptions options = make_options (c, i);

      traces[i] = wp_trace_new (kinds[i], c->machine, &options, out);
      observers[i + 1] = &traces[i]->observer;
    }
  device = wp_device_new (c->machine, policy, observers, G_N_ELEMENTS (observers), &problem);
  ck_assert_msg (device != NULL, "%s", problem);
  ck_assert (wp_device_set_skip (device, c->seed % 2 == 0));
  for (guint piece = 0; c->n_issues < MOST && status == WP_RUN_MORE; piece++)
    {
      status = wp_device_run (device, 100);
      if (c->seed % 7 == 3 && piece == c->seed % 11)
        {
          stop_observing (c, policy, device);
          status = WP_RUN_OVERFLOW; /* none of the observed parts is complete */
        }
    }
  for (guint i = 0; status == WP_RUN_DONE && i < c->machine->n_pipelines; i++)
    CHECK (c, wp_sum_compare (c->waits[i], wp_device_get_result (device)->waits[i]) == 0);
  for (guint i = 0; i < G_N_ELEMENTS (kinds); i++)
    {
      g_autoptr (GError) error = NULL;

      ck_assert_msg (status != WP_RUN_DONE || wp_trace_finish (traces[i], &error),
                     "seed %" G_GUINT64_FORMAT ": %s", c->seed,
                     error != NULL ? error->message : "");
      wp_trace_free (traces[i]);
    }
  wp_device_free (device);
  fclose (out);
}

static guint
check_seed (guint64 seed)
{
  g_autoptr (RandomCase) random
      = seed % 5 == 4 ? random_case_new_long (seed, seed % 2 == 0, 3000) : random_case_new (seed);
  g_autoptr (GError) error = NULL;
  g_autoptr (IdgKernel) kernel = NULL;
  g_autoptr (WpResolved) resolved = NULL;
  g_autoptr (WpGpu) gpu = wp_gpu_parse (random->gpu, strlen (random->gpu), "gpu.xml", NULL, &error);
  const WpPolicy *policy = wp_policy_find (random->policy);
  Case c = { .seed = seed };

  kernel = idg_kernel_parse (random->kernel, strlen (random->kernel), "kernel.xml", NULL, &error);
  resolved = wp_resolve (kernel, gpu, &random->options, &error);
  if (resolved == NULL || wp_machine_check (&resolved->machine) != NULL
      || (resolved->machine.dataflow && !wp_policy_takes_dataflow (policy)))
    return 0;
  c.machine = &resolved->machine;
  c.origins = seed % 3 != 0;
  c.follow = wp_follow_new (c.machine, c.origins, WP_TICK_LIMIT);
  c.sums = g_hash_table_new_full (g_int64_hash, g_int64_equal, g_free, free_sums);
  c.waits = g_new0 (WpSum, c.machine->n_pipelines + 1);
  run (&c, policy);
  wp_follow_free (c.follow);
  g_hash_table_unref (c.sums);
  g_free (c.waits);
  return 1;
}

START_TEST (waits_add_up_to_what_the_engine_accounts_for)
{
  CheckSeeds seeds = check_get_seeds (1, _i, N_TESTS);
  guint64 ran = 0;

  for (guint64 seed = seeds.first; seed < seeds.last; seed++)
    ran += check_seed (seed);
  ck_assert_uint_ge (ran * 2, seeds.last - seeds.first);
}
END_TEST

static Suite *
make_suite (void)
{
  Suite *suite = suite_create ("follow");
  TCase *tcase = tcase_create ("cases");

  tcase_set_timeout (tcase, 600);
  tcase_add_loop_test (tcase, waits_add_up_to_what_the_engine_accounts_for, 0, N_TESTS);
  suite_add_tcase (suite, tcase);
  return suite;
}
