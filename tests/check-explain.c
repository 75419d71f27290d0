/* SPDX-License-Identifier: MIT */
/* What explain shares among its runs: each case has to the last bit what a simulation of its own
 * gives, and what tells machines apart is in their bytes. */
#include "config.h"

#include "run/base/load.h"
#include "run/explain.h"
#include "run/simulate/machine-bytes.h"
#include "run/simulate/report.h"

#include <string.h>

#include "tests/check-main.h"

/* ---- Cases against simulations of their own ---- */

static const guint64 seeds[] = { 1, 7 };

#define N_SEEDS G_N_ELEMENTS (seeds)

/* Kernels whose cases share runs, and such whose cases do not; SAVED: how many runs less than one
 * for each case and seed. */
typedef struct
{
  const gchar *kernel, *gpu;
  gboolean contended;
  guint saved;
} Example;

static const Example examples[] = {
  /* Nothing is random: each second seed. Of 22 cases two are others', too. */
  { "barrier-divergence", "h100-sxm", FALSE, 24 },
  { "stream-ilp2", "h100-sxm", FALSE, 35 },
  { "vector-abs-negative", "gtx980", FALSE, 16 },
  { "vector-add", "gtx980", FALSE, 12 },
  /* With contended memory seeds count. */
  { "vector-add", "gtx980", TRUE, 0 },
  { "stream-ilp2", "h100-sxm", TRUE, 4 },
};

static guint n_compared;

static void
compare_run (const WpCaseRun *run, const WpSimulation *alone, guint n_pipelines)
{
  const WpResult *result = wp_device_get_result (alone->device);
  gint64 cycle = alone->resolved->machine.ticks_per_cycle;
  g_autoptr (WpReport) report = wp_report_new (alone->kernel, alone->gpu, alone->resolved, result);
  gdouble lives = wp_sum_to_double (result->lifetimes);
  gchar ended[WP_TIME_CHARS], drained[WP_TIME_CHARS];

  wp_tick_format (result->elapsed, cycle, ended);
  wp_tick_format (result->drained, cycle, drained);
  ck_assert_str_eq (run->ended_text, ended);
  ck_assert_str_eq (run->drained_text, drained);
  ck_assert (run->ended == report->cycles && run->drained == report->cycles_drained);
  ck_assert (run->cycles == wp_report_get_cycles (report));
  for (guint p = 0; p < n_pipelines; p++)
    {
      gdouble waited = wp_sum_to_double (report->pipelines[p].waited);

      ck_assert (run->use[p] == report->pipelines[p].utilization);
      ck_assert (run->waited[p] == (lives > 0 ? waited / lives : 0));
    }
  n_compared++;
}

static gboolean
go_on (G_GNUC_UNUSED gpointer data, G_GNUC_UNUSED guint64 n, G_GNUC_UNUSED gdouble share)
{
  return TRUE;
}

/* Simulates ONE again with each seed, alone. */
static void
compare_case (const WpExplanation *explanation, const WpCase *one)
{
  for (guint i = 0; i < N_SEEDS; i++)
    {
      WpRunOptions options = explanation->options;
      g_autoptr (GError) error = NULL;
      g_autoptr (WpSimulation) alone = NULL;
      gboolean done = FALSE;

      options.ideals = one->ideals;
      options.seed = seeds[i];
      alone = wp_simulation_new (explanation->kernel, explanation->gpu, explanation->policy,
                                 &options, &error);
      ck_assert_ptr_nonnull (alone);
      ck_assert (wp_simulation_start (alone, NULL, 0, TRUE, &error));
      ck_assert (wp_simulation_drive (alone, go_on, NULL, &done, &error) && done);
      compare_run (&one->runs[i], alone, explanation->resolved->machine.n_pipelines);
    }
}

START_TEST (each_case_is_as_when_it_is_simulated_alone)
{
  const Example *example = &examples[_i];
  WpRunOptions options = WP_RUN_OPTIONS_INIT;
  WpImportOptions import = { 0 };
  WpBatch batch = { .max_cores = 2 };
  g_autoptr (GError) error = NULL;
  g_autoptr (IdgKernel) kernel = NULL;
  g_autoptr (WpGpu) gpu = NULL;
  g_autoptr (WpExplanation) explanation = NULL;

  options.memory = example->contended ? WP_MEMORY_CONTENDED : WP_MEMORY_IDEAL;
  options.sms = 1;
  ck_assert (
      wp_load (example->gpu, example->kernel, NULL, &import, &options, &gpu, &kernel, &error));
  explanation
      = wp_explanation_new (kernel, gpu, wp_policy_find ("rr"), &options, seeds, N_SEEDS, &error);
  ck_assert_ptr_nonnull (explanation);
  ck_assert (wp_explanation_run (explanation, &batch, &error));
  n_compared = 0;
  compare_case (explanation, &explanation->as_it_is);
  for (guint kind = 0; kind < WP_N_IDEALS; kind++)
    if (explanation->singles[kind].why == NULL)
      compare_case (explanation, &explanation->singles[kind]);
  for (guint i = 0; i < explanation->n_pairs; i++)
    compare_case (explanation, &explanation->pairs[i]);
  ck_assert_uint_eq (n_compared - explanation->n_simulated, example->saved);
}
END_TEST

/* ---- Bytes of machines ---- */

/* A member of each kind: a mix, a distance, a path, a spread, named barriers, programs by warp. */
#define GPU                                                                                        \
  "<gpu name='g'><device sms='4' clock-mhz='1000'/>"                                               \
  "<limits blocks='8' threads='256'/><launch latency='7'/><barrier latency='3'/>"                  \
  "<scheduler count='2' interval='1' ilp-latency='2'/><pipeline name='compute'/>"                  \
  "<pipeline name='memory' kind='memory' queue='unbounded' turnaround='5'/>"                       \
  "<op name='add' pipeline='compute' issue='1' completion='50' flops='64'>"                        \
  "<context name='far' completion='60'/></op>"                                                     \
  "<op name='ld' pipeline='compute' issue='1' completion='100' bytes='128'>"                       \
  "<then pipeline='memory' issue='10'/><spread at='0 100' add='0 9'/></op></gpu>"
#define KERNEL                                                                                     \
  "<kernel name='k'><launch blocks='3' threads='64'/><program warps='0'>"                          \
  "<repeat count='4'><i id='a' op='ld' after='b:2'/><i id='b' op='add' after='a b'/></repeat>"     \
  "<arrive name='x'/><barrier name='x'/></program><program warps='1'>"                             \
  "<i op='add' context='%s'/><arrive name='x'/><barrier name='x'/></program></kernel>"

static WpResolved *
resolve (const gchar *context, gboolean contended, guint64 seed, IdgKernel **kernel, WpGpu **gpu)
{
  g_autofree gchar *text = g_strdup_printf (KERNEL, context);
  WpRunOptions options = WP_RUN_OPTIONS_INIT;
  GError *error = NULL;
  WpResolved *resolved;

  options.memory = contended ? WP_MEMORY_CONTENDED : WP_MEMORY_IDEAL;
  options.seed = seed;
  *kernel = idg_kernel_parse (text, strlen (text), "k.xml", NULL, &error);
  *gpu = wp_gpu_parse (GPU, strlen (GPU), "g.xml", NULL, &error);
  ck_assert_ptr_null (error);
  resolved = wp_resolve (*kernel, *gpu, &options, &error);
  ck_assert_ptr_null (error);
  return resolved;
}

static gboolean
are_same (const GByteArray *a, const GByteArray *b)
{
  return a->len == b->len && memcmp (a->data, b->data, a->len) == 0;
}

/* How many of the SIZE bytes at PLACE, which MACHINE holds, may be others without any other byte of
 * MACHINE's. */
static guint
count_without_effect (const WpMachine *machine, gconstpointer place, gsize size)
{
  g_autoptr (GByteArray) before = wp_machine_to_bytes (machine);
  guint8 *bytes = (guint8 *)(guintptr)place; /* of the heap */
  guint n = 0;

  for (gsize i = 0; i < size; i++)
    {
      g_autoptr (GByteArray) after = NULL;

      bytes[i] ^= 1; /* a bool stays one */
      after = wp_machine_to_bytes (machine);
      bytes[i] ^= 1;
      n += are_same (before, after);
      if (!are_same (before, after))
        ck_assert_uint_ne (wp_machine_bytes_hash (before), wp_machine_bytes_hash (after));
    }
  return n;
}

/* Bytes from the member FROM of TYPE up to the next one, TO. */
#define GAP(type, from, to)                                                                        \
  (G_STRUCT_OFFSET (type, to) - G_STRUCT_OFFSET (type, from) - sizeof ((type *)NULL)->from)
/* ...up to the end of TYPE. */
#define END(type, from) (sizeof (type) - G_STRUCT_OFFSET (type, from) - sizeof ((type *)NULL)->from)
#define CHECK(machine, array, without)                                                             \
  ck_assert_uint_eq (count_without_effect (machine, array, sizeof *(array)), (without))

START_TEST (what_a_machine_has_is_in_its_bytes)
{
  g_autoptr (IdgKernel) kernel = NULL;
  g_autoptr (WpGpu) gpu = NULL;
  g_autoptr (WpResolved) resolved = resolve ("far*1 -*2", TRUE, 1, &kernel, &gpu);
  const WpMachine *m = &resolved->machine;
  guint8 kinds[16] = { 0 };

  ck_assert_uint_le (m->n_instrs, G_N_ELEMENTS (kinds));
  ck_assert (m->n_passes > 0 && m->n_deps > 0 && m->n_spreads > 0 && m->n_barriers > 0);
  ck_assert (wp_machine_has_mixes (m));
  /* What has no effect is between members, or a pointer, of which what it leads to counts. */
  CHECK (m, m->instrs[0].cost, GAP (WpCost, mix_upto, posted) + END (WpCost, write));
  CHECK (m, m->deps, GAP (WpDep, pipeline, latency));
  CHECK (m, m->code, 0);
  CHECK (m, m->programs, GAP (WpProgram, depth, n_dynamic));
  CHECK (m, m->passes, GAP (WpPass, pipeline, issue) + END (WpPass, transactions));
  CHECK (m, m->rows, 0);
  CHECK (m, m->segments, 0);
  CHECK (m, m->block_ranges, END (WpBlockRange, row));
  CHECK (m, m->spreads[0].at, 0);
  CHECK (m, m->spreads[0].add, 0);
  CHECK (m, &m->barriers[0].warps, 0);
  CHECK (m, &m->instrs[0].value, 0);
  CHECK (m, &m->instrs[0].n_kept, 0);
  CHECK (m, &m->instrs[0].first_dep, 0);
  CHECK (m, &m->instrs[0].n_deps, 0);
  CHECK (m, &m->instrs[0].reach, 0);
  CHECK (m, &m->instrs[0].line, 0);
  ck_assert_uint_eq (
      count_without_effect (m, &m->pipelines[1].queue,
                            sizeof *m->pipelines - G_STRUCT_OFFSET (WpPipelineDesc, queue)),
      GAP (WpPipelineDesc, pairing_never, channels) + GAP (WpPipelineDesc, channels, channel_issue)
          + GAP (WpPipelineDesc, inflight, turnaround)
          + GAP (WpPipelineDesc, shared, channel_issue_last)
          + END (WpPipelineDesc, turnaround_last));
  /* Of the machine itself: from the ticks to the first array's length, and from the blocks on. */
  ck_assert_uint_eq (count_without_effect (m, m, G_STRUCT_OFFSET (WpMachine, n_pipelines)), 0);
  ck_assert_uint_eq (count_without_effect (m, &m->n_blocks,
                                           G_STRUCT_OFFSET (WpMachine, kinds)
                                               - G_STRUCT_OFFSET (WpMachine, n_blocks)),
                     GAP (WpMachine, simulated_sms, dataflow) + GAP (WpMachine, contended, seed)
                         + GAP (WpMachine, active_set, kinds));
  resolved->machine.kinds = kinds;
  ck_assert_uint_eq (count_without_effect (m, kinds, m->n_instrs), 0);
}
END_TEST

START_TEST (a_seed_counts_where_something_is_drawn)
{
  static const struct
  {
    const gchar *context;
    gboolean contended, same;
  } rows[] = { { "far", FALSE, TRUE }, { "far*1 -*2", FALSE, FALSE }, { "far", TRUE, FALSE } };

  for (guint i = 0; i < G_N_ELEMENTS (rows); i++)
    {
      g_autoptr (IdgKernel) kernel = NULL, other_kernel = NULL;
      g_autoptr (WpGpu) gpu = NULL, other_gpu = NULL;
      g_autoptr (WpResolved) a = resolve (rows[i].context, rows[i].contended, 1, &kernel, &gpu);
      g_autoptr (WpResolved) b
          = resolve (rows[i].context, rows[i].contended, 2, &other_kernel, &other_gpu);
      g_autoptr (GByteArray) of_a = wp_machine_to_bytes (&a->machine);
      g_autoptr (GByteArray) of_b = wp_machine_to_bytes (&b->machine);

      ck_assert_int_eq (are_same (of_a, of_b), rows[i].same);
    }
}
END_TEST

static Suite *
make_suite (void)
{
  Suite *suite = suite_create ("explain");
  TCase *sharing = tcase_create ("sharing"), *bytes = tcase_create ("bytes");
  const gchar *few = g_getenv ("WARPIPE_EXPLAIN_EXAMPLES"); /* under valgrind */
  guint64 n = few != NULL ? g_ascii_strtoull (few, NULL, 10) : G_N_ELEMENTS (examples);

  tcase_add_loop_test (sharing, each_case_is_as_when_it_is_simulated_alone, 0,
                       (int)CLAMP (n, 1, G_N_ELEMENTS (examples)));
  tcase_add_test (bytes, what_a_machine_has_is_in_its_bytes);
  tcase_add_test (bytes, a_seed_counts_where_something_is_drawn);
  suite_add_tcase (suite, sharing);
  suite_add_tcase (suite, bytes);
  return suite;
}
