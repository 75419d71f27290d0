/* SPDX-License-Identifier: MIT */
/* Waits by instruction and cause, added up, are what the engine accounts for, to the tick: on cases
 * of random-case.c, with steady states skipped and without, in program and in dataflow order. Those
 * that the engine adds up itself, in its fast loops, on SMs that are simulated once for all that
 * are alike and with an observer beside, are each the one that an observer of all issues adds up.
 * And what the text of an instruction says of its line. What it does not pin: which cause a
 * dependence is. WARPIPE_RANDOM_CASES (2000) sets how many. */
#include <glib.h>
#include <string.h>

#include "run/simulate/by-line.h"
#include "sim/engine/wp-device.h"
#include "tests/random-case.h"

#include "tests/check-main.h"

#define N_TESTS 10

static WpSum
add_up (const WpLineStalls *stalls, const WpMachine *machine, WpCause first, WpCause last)
{
  WpSum sum = { 0, 0 };

  for (guint32 i = 0; i < machine->n_instrs; i++)
    for (WpCause cause = first; cause <= last; cause++)
      wp_sum_add_sum (&sum, wp_line_stalls_get (stalls, i, cause));
  return sum;
}

static void
check_sums (guint64 seed, const WpLineStalls *stalls, const WpMachine *machine,
            const WpResult *result)
{
  WpSum depends = result->stalls[WP_STALL_DEPENDENCY];
  const struct
  {
    WpCause first, last;
    WpSum expected;
  } sums[] = {
    { WP_CAUSE_BARRIER, WP_CAUSE_BARRIER, result->stalls[WP_STALL_BARRIER] },
    { WP_CAUSE_MATH, WP_CAUSE_MIO, result->stalls[WP_STALL_PIPELINE] },
    { WP_CAUSE_NOT_SELECTED, WP_CAUSE_NOT_SELECTED, result->stalls[WP_STALL_NOT_SELECTED] },
    { WP_CAUSE_DRAIN, WP_CAUSE_DRAIN, result->stalls[WP_STALL_DRAIN] },
  };

  wp_sum_add_sum (&depends, result->stalls[WP_STALL_ILP]);
  for (guint i = 0; i < G_N_ELEMENTS (sums); i++)
    ck_assert_msg (
        wp_sum_compare (add_up (stalls, machine, sums[i].first, sums[i].last), sums[i].expected)
            == 0,
        "seed %" G_GUINT64_FORMAT ": sum %u", seed, i);
  ck_assert_msg (
      wp_sum_compare (add_up (stalls, machine, WP_CAUSE_LONG_SCOREBOARD, WP_CAUSE_BRANCH), depends)
          == 0,
      "seed %" G_GUINT64_FORMAT ": dependences", seed);
}

/* A run of RESOLVED that ends, with OBSERVER or NULL; else NULL. */
static WpDevice *
run (const WpResolved *resolved, const WpPolicy *policy, guint64 seed, const WpObserver *observer)
{
  WpRunStatus status = WP_RUN_MORE;
  const char *problem;
  WpDevice *device
      = wp_device_new (&resolved->machine, policy, &observer, observer != NULL ? 1 : 0, &problem);

  ck_assert_msg (device != NULL, "%s", problem);
  ck_assert (wp_device_set_skip (device, seed % 3 != 0));
  for (guint i = 0; i < 1000 && status == WP_RUN_MORE; i++)
    status = wp_device_run (device, 1000);
  if (status == WP_RUN_DONE)
    return device;
  wp_device_free (device);
  return NULL;
}

static void
ignore_issue (void *data, const WpIssueEvent *event)
{
  (void)data;
  (void)event;
}

/* Texts for all of KERNEL, which are to live as long: its instructions are on N_LINES lines in
 * turn, so that some share one; or, without end, each on its own. */
static GPtrArray *
put_lines (IdgKernel *kernel, guint n_lines)
{
  GPtrArray *texts = g_ptr_array_new_with_free_func (g_free);

  for (guint p = 0; p < kernel->programs->len; p++)
    {
      IdgProgram *program = ((IdgKernelProgram *)g_ptr_array_index (kernel->programs, p))->program;

      for (guint32 i = 0; i < program->n_nodes; i++)
        {
          program->nodes[i].text = g_strdup_printf ("k.cu:%u: it", 1 + texts->len % n_lines);
          g_ptr_array_add (texts, (gpointer)program->nodes[i].text);
        }
    }
  return texts;
}

/* What warps waited for CAUSE on the line of instruction INSTR. */
static WpSum
sum_up (const WpLineStalls *stalls, const WpResolved *resolved, guint32 instr, WpCause cause)
{
  WpSum sum = { 0 };

  for (guint32 i = 0; i < resolved->machine.n_instrs; i++)
    if (g_strcmp0 (resolved->nodes[i]->text, resolved->nodes[instr]->text) == 0)
      wp_sum_add_sum (&sum, wp_line_stalls_get (stalls, i, cause));
  return sum;
}

/* What the engine adds up is what EXPECTED was seen to be. OBSERVED: somebody observes as well. */
static void
check_engine (guint64 seed, WpResolved *resolved, const WpPolicy *policy,
              const WpLineStalls *expected, gboolean observed)
{
  static const WpObserver observer = { .issue = ignore_issue };
  g_autoptr (WpLineStalls) stalls = wp_line_stalls_new (resolved);
  WpDevice *device;

  ck_assert (wp_line_stalls_leave (stalls, resolved));
  device = run (resolved, policy, seed, observed ? &observer : NULL);
  ck_assert_msg (device != NULL, "seed %" G_GUINT64_FORMAT " ends when observed only", seed);
  wp_line_stalls_take (stalls, wp_device_get_result (device));
  for (guint32 i = 0; i < resolved->machine.n_instrs; i++)
    for (WpCause cause = 0; cause < WP_N_CAUSES; cause++)
      ck_assert_msg (wp_sum_compare (sum_up (stalls, resolved, i, cause),
                                     sum_up (expected, resolved, i, cause))
                         == 0,
                     "seed %" G_GUINT64_FORMAT ", %s: instruction %u, %s", seed,
                     observed ? "observed" : "alone", i, wp_cause_get_name (cause));
  wp_device_free (device);
  resolved->machine.kinds = NULL;
  resolved->machine.waited = NULL;
}

static guint
check_seed (guint64 seed)
{
  g_autoptr (RandomCase) random
      = seed % 2 == 1 ? random_case_new_long (seed, seed % 4 == 1, 3000) : random_case_new (seed);
  g_autoptr (GError) error = NULL;
  g_autoptr (GPtrArray) texts = NULL;
  g_autoptr (IdgKernel) kernel = NULL;
  g_autoptr (WpResolved) resolved = NULL;
  g_autoptr (WpLineStalls) stalls = NULL;
  g_autoptr (WpGpu) gpu = wp_gpu_parse (random->gpu, strlen (random->gpu), "gpu.xml", NULL, &error);
  const WpPolicy *policy = wp_policy_find (random->policy);
  WpDevice *device;

  kernel = idg_kernel_parse (random->kernel, strlen (random->kernel), "kernel.xml", NULL, &error);
  texts = put_lines (kernel, seed % 4 < 2 ? 7 : G_MAXUINT);
  resolved = wp_resolve (kernel, gpu, &random->options, &error);
  if (resolved == NULL || wp_machine_check (&resolved->machine) != NULL
      || (resolved->machine.dataflow && !wp_policy_takes_dataflow (policy)))
    return 0;
  stalls = wp_line_stalls_new (resolved);
  device = run (resolved, policy, seed, wp_line_stalls_get_observer (stalls));
  if (device == NULL)
    return 0;
  check_sums (seed, stalls, &resolved->machine, wp_device_get_result (device));
  wp_device_free (device);
  check_engine (seed, resolved, policy, stalls, FALSE);
  check_engine (seed, resolved, policy, stalls, TRUE);
  return 1;
}

START_TEST (waits_by_instruction_add_up_to_what_the_engine_accounts_for)
{
  CheckSeeds seeds = check_get_seeds (1, _i, N_TESTS);
  guint64 ran = 0;

  for (guint64 seed = seeds.first; seed < seeds.last; seed++)
    ran += check_seed (seed);
  ck_assert_uint_ge (ran * 2, seeds.last - seeds.first);
}
END_TEST

START_TEST (a_text_says_its_line)
{
  static const gchar *const others[]
      = { NULL,           "",          "k.cu",
          ":12: x",       "k.cu:: x",  "k.cu:0: x",
          "k.cu:12",      "k.cu:12:x", "ld.global %r1;",
          "a b.cu:12: x", "k.cu:x: y", "k.cu:99999999999999999999: x" };
  WpSourceLine line;

  ck_assert (wp_source_line_parse ("k.cu:12: LDG.E R2, [R4.64]", &line));
  ck_assert_str_eq (line.file, "k.cu");
  ck_assert_uint_eq (line.line, 12);
  g_free (line.file);
  for (guint i = 0; i < G_N_ELEMENTS (others); i++)
    ck_assert_msg (!wp_source_line_parse (others[i], &line), "%s", others[i]);
}
END_TEST

static Suite *
make_suite (void)
{
  Suite *suite = suite_create ("lines");
  TCase *tcase = tcase_create ("cases");

  tcase_set_timeout (tcase, 600);
  tcase_add_loop_test (tcase, waits_by_instruction_add_up_to_what_the_engine_accounts_for, 0,
                       N_TESTS);
  tcase_add_test (tcase, a_text_says_its_line);
  suite_add_tcase (suite, tcase);
  return suite;
}
