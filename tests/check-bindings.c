/* SPDX-License-Identifier: MIT */
/* The playground's reader of machines (playground/wp-bindings-read.c), built for this computer.
 *
 * What it shows: the words of a machine come back as the machine, which runs the same; of words
 * that are changed at random each is refused, or makes a machine that can be run, with its log and
 * its bounds, and does no harm (under sanitizers and valgrind no read or write outside of arrays).
 * What it does not pin: which words are refused, and the page's script, which refuses more
 * (tests/playground.sh).
 */
#include <check.h>
#include <string.h>

#include "playground/wp-bindings.h"
#include "tests/check-main.h"
#include "tests/random-main.h"
#include "tests/record.h"

#define N_TESTS 10
#define N_CHANGES 30 /* machines that each case is changed into */

/* --- Words --- */

static void
put (GArray *words, gint64 word)
{
  g_array_append_val (words, word);
}

#define PUT(...)                                                                                   \
  do                                                                                               \
    {                                                                                              \
      const gint64 those[] = { __VA_ARGS__ };                                                      \
      g_array_append_vals (words, those, G_N_ELEMENTS (those));                                    \
    }                                                                                              \
  while (0)

static guint
count_points (const WpMachine *m)
{
  guint n = 0;

  for (guint i = 0; i < m->n_spreads; i++)
    n += m->spreads[i].n;
  return n;
}

static void
put_fields (GArray *words, const WpMachine *m)
{
  PUT (WP_BINDINGS_VERSION, m->ticks_per_cycle, m->n_sms, m->n_schedulers, m->interval,
       m->ilp_latency, m->launch_latency, m->barrier_latency, m->issue_limit, m->dual_issue,
       m->n_pipelines, m->n_programs, m->n_instrs, m->n_deps, m->n_code, m->n_spreads,
       m->n_block_ranges, m->n_rows, m->n_segments, m->n_barriers, m->n_passes, (gint64)m->n_blocks,
       m->warps_per_block, m->resident_blocks, m->simulated_sms, m->dataflow, m->contended,
       (gint64)m->seed, m->active_set, count_points (m));
}

static void
put_gpu (GArray *words, const WpMachine *m)
{
  for (guint i = 0; i < m->n_spreads; i++)
    put (words, m->spreads[i].n);
  for (guint i = 0; i < m->n_spreads; i++)
    for (guint k = 0; k < m->spreads[i].n; k++)
      PUT ((gint64)m->spreads[i].at[k], m->spreads[i].add[k]);
  for (guint i = 0; i < m->n_pipelines; i++)
    {
      const WpPipelineDesc *p = &m->pipelines[i];

      PUT (p->queue, p->per_scheduler, p->memory, p->pairing_never, p->channels, p->channel_issue,
           p->inflight, p->turnaround, p->shared, p->channel_issue_last, p->turnaround_last);
    }
}

static void
put_programs (GArray *words, const WpMachine *m)
{
  for (guint i = 0; i < m->n_programs; i++)
    {
      const WpProgram *p = &m->programs[i];

      PUT (p->first_code, p->n_code, p->first_instr, p->n_instrs, p->n_values, p->depth,
           (gint64)p->n_dynamic);
    }
  for (guint i = 0; i < m->n_instrs; i++)
    {
      const WpInstr *in = &m->instrs[i];

      PUT (in->cost->pipeline, in->value, in->first_dep, in->n_deps, in->cost->issue,
           in->cost->completion, in->reach, in->cost->slots, in->cost->posted,
           in->cost->transactions, in->cost->spread, in->n_kept, in->cost->barrier,
           in->cost->issue_last, in->cost->in_flight, in->cost->write, in->cost->first_pass,
           in->cost->n_passes, in->cost->mix, in->cost->mix_place, in->cost->mix_upto,
           in->cost->stall, in->cost->late);
    }
  for (guint i = 0; i < m->n_passes; i++)
    PUT (m->passes[i].pipeline, m->passes[i].issue, m->passes[i].issue_last,
         m->passes[i].transactions);
  for (guint i = 0; i < m->n_deps; i++)
    PUT (m->deps[i].producer, m->deps[i].value, m->deps[i].pipeline, m->deps[i].latency);
  for (guint i = 0; i < m->n_code; i++)
    PUT (m->code[i].kind, m->code[i].arg, m->code[i].count);
}

static void
put_assignment (GArray *words, const WpMachine *m)
{
  for (guint i = 0; i < m->n_block_ranges; i++)
    PUT ((gint64)m->block_ranges[i].first_block, m->block_ranges[i].row);
  for (guint i = 0; i < m->n_rows; i++)
    PUT (m->rows[i].first_segment, m->rows[i].n_segments);
  for (guint i = 0; i < m->n_segments; i++)
    PUT (m->segments[i].first_warp, m->segments[i].program);
  for (guint i = 0; i < m->n_barriers; i++)
    put (words, m->barriers[i].warps);
}

static GArray *
make_words (const WpMachine *m)
{
  GArray *words = g_array_new (FALSE, FALSE, sizeof (gint64));

  put_fields (words, m);
  put_gpu (words, m);
  put_programs (words, m);
  put_assignment (words, m);
  return words;
}

/* --- What comes of them --- */

static gchar *
check_same (const WpMachine *machine, const gchar *policy, const GArray *words)
{
  WpBindings bindings = { 0 };
  const char *problem = wp_bindings_read (&bindings, (const gint64 *)words->data, words->len);
  gchar *what;

  if (problem != NULL)
    {
      free (bindings.arrays);
      return g_strdup (problem);
    }
  {
    g_autoptr (Record) first
        = record_run (machine, policy, (RecordHow){ .pieces = 4, .budget = 500 });
    g_autoptr (Record) second
        = record_run (&bindings.machine, policy, (RecordHow){ .pieces = 4, .budget = 500 });

    what = record_compare (first, second);
  }
  free (bindings.arrays);
  return what;
}

/* What would take memory or time: the page's script refuses some of it, and leaves the rest. */
static gboolean
is_large (const WpMachine *m)
{
  guint64 warps = (guint64)m->resident_blocks * m->warps_per_block * m->simulated_sms;

  for (guint i = 0; i < m->n_pipelines; i++)
    if (m->pipelines[i].channels > 65536
        || (m->pipelines[i].queue > 65536 && m->pipelines[i].queue != WP_NO_QUEUE_LIMIT))
      return TRUE;
  for (guint i = 0; i < m->n_programs; i++)
    if (m->programs[i].n_values > 65536 || (m->dataflow && m->programs[i].n_dynamic > 4096))
      return TRUE;
  for (guint i = 0; i < m->n_instrs; i++)
    if (m->instrs[i].cost->transactions > 65536)
      return TRUE;
  return warps > 4096 || m->simulated_sms > 64 || m->n_schedulers > 64;
}

static void
run_with_log (const WpMachine *machine, const WpPolicy *policy)
{
  WpBindingsLog log;
  WpObserver observer;
  const WpObserver *const observers[] = { &observer };
  WpDevice *device;
  const char *problem;

  wp_bindings_log_init (&log, machine, 200, machine->seed % 2 == 0);
  observer = wp_bindings_log_get_observer (&log);
  device = wp_device_new (machine, policy, observers, 1, &problem);
  for (guint i = 0; device != NULL && i < 3 && wp_device_run (device, 300) == WP_RUN_MORE; i++)
    if (log.over)
      wp_device_stop_observing (device);
  wp_device_free (device);
  wp_bindings_log_clear (&log);
}

static void
find_bounds (const WpMachine *machine)
{
  WpBounds *bounds = wp_bounds_new (machine);

  if (bounds != NULL)
    wp_bounds_run (bounds, 2000);
  wp_bounds_free (bounds);
}

/* Whether the words were taken. */
static gboolean
try_words (const GArray *words, const WpPolicy *policy)
{
  WpBindings bindings = { 0 };
  const char *problem = wp_bindings_read (&bindings, (const gint64 *)words->data, words->len);
  gboolean taken = problem == NULL && !is_large (&bindings.machine);

  if (taken)
    {
      run_with_log (&bindings.machine, policy);
      find_bounds (&bindings.machine);
    }
  free (bindings.arrays);
  return taken;
}

/* --- Cases --- */

static gint64
draw_word (GRand *rand, const GArray *words)
{
  static const gint64 those[] = { 0,
                                  1,
                                  2,
                                  3,
                                  -1,
                                  16,
                                  17,
                                  63,
                                  64,
                                  65,
                                  65535,
                                  65536,
                                  65537,
                                  INT32_MAX,
                                  UINT32_MAX,
                                  INT64_C (1) << 32,
                                  INT64_C (1) << 53,
                                  WP_TICK_LIMIT,
                                  WP_TICK_LIMIT + 1,
                                  INT64_MAX,
                                  INT64_MIN };

  if (g_rand_int_range (rand, 0, 3) == 0)
    return g_array_index (words, gint64, g_rand_int_range (rand, 0, (gint)words->len));
  return those[g_rand_int_range (rand, 0, G_N_ELEMENTS (those))];
}

static void
change (GRand *rand, GArray *words)
{
  for (gint n = g_rand_int_range (rand, 1, 4); n > 0; n--)
    {
      gint64 *word = &g_array_index (words, gint64, g_rand_int_range (rand, 0, (gint)words->len));

      *word = g_rand_boolean (rand) ? *word + g_rand_int_range (rand, -2, 3)
                                    : draw_word (rand, words);
    }
  if (g_rand_int_range (rand, 0, 20) == 0)
    g_array_set_size (words, (guint)g_rand_int_range (rand, 1, (gint)words->len));
}

typedef struct
{
  guint ran, paths, shared, changed, taken;
} Tally;

static void
try_changes (guint64 seed, const GArray *words, const WpPolicy *policy, Tally *tally)
{
  GRand *rand = g_rand_new_with_seed ((guint32)seed);

  for (guint i = 0; i < N_CHANGES; i++)
    {
      g_autoptr (GArray) changed = g_array_copy ((GArray *)words);

      change (rand, changed);
      tally->taken += try_words (changed, policy);
      tally->changed++;
    }
  g_rand_free (rand);
}

static void
check_seed (guint64 seed, Tally *tally)
{
  g_auto (LoadedCase) c = { 0 };
  g_autoptr (WpResolved) resolved = NULL;
  g_autoptr (GArray) words = NULL;
  g_autofree gchar *what = NULL;
  const WpPolicy *policy;

  loaded_case_init (&c, random_case_new (seed));
  policy = wp_policy_find (c.random->policy);
  if (c.error == NULL)
    resolved = wp_resolve (c.kernel, c.gpu, &c.random->options, &c.error);
  if (resolved == NULL || wp_machine_check (&resolved->machine) != NULL
      || (resolved->machine.dataflow && !wp_policy_takes_dataflow (policy)))
    return;
  words = make_words (&resolved->machine);
  what = check_same (&resolved->machine, c.random->policy, words);
  ck_assert_msg (what == NULL, "seed %u: %s", (guint)seed, what);
  tally->ran++;
  tally->paths += resolved->machine.n_passes > 0;
  tally->shared += wp_machine_get_group (&resolved->machine) > 1;
  try_changes (seed, words, policy, tally);
}

START_TEST (words_of_a_machine_are_the_machine_and_changed_ones_do_no_harm)
{
  CheckSeeds seeds = check_get_seeds (5, _i, N_TESTS);
  Tally tally = { 0 };

  for (guint64 seed = seeds.first; seed < seeds.last; seed++)
    check_seed (seed, &tally);
  if (seeds.last - seeds.first < 50)
    return;
  /* Cases must have shown what this is about. */
  ck_assert_uint_ge (tally.ran * 2, seeds.last - seeds.first);
  ck_assert_uint_ge (tally.paths, 5);
  ck_assert_uint_ge (tally.shared, 2);
  ck_assert_uint_ge (tally.taken, tally.changed / 20);
  ck_assert_uint_le (tally.taken, tally.changed / 20 * 19);
}
END_TEST

static Suite *
make_suite (void)
{
  Suite *suite = suite_create ("bindings");
  TCase *tcase = tcase_create ("cases");

  tcase_set_timeout (tcase, 600);
  tcase_add_loop_test (tcase, words_of_a_machine_are_the_machine_and_changed_ones_do_no_harm, 0,
                       N_TESTS);
  suite_add_tcase (suite, tcase);
  return suite;
}
