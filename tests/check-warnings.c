/* SPDX-License-Identifier: MIT */
/* Warnings of runs: which come up and which do not, what they do to verdicts, and the time until
 * stores are done, worked out by hand. */
#include "config.h"

#include "run/simulate/driver.h"
#include "run/simulate/report.h"
#include "run/simulate/verdict.h"
#include "run/simulate/warnings.h"

#include <string.h>

#include "tests/check-main.h"

/* At 1 GHz a cycle is a nanosecond: 12.8 bytes a cycle are 12.8 GB/s. */
#define GPU                                                                                        \
  "<gpu name='g'><device sms='4' clock-mhz='1000' %s/><limits blocks='8' "                         \
  "threads='256'/>"                                                                                \
  "<scheduler count='1'/><pipeline name='compute'/>"                                               \
  "<pipeline name='memory' kind='memory' queue='unbounded'/>"                                      \
  "<op name='fma.f32' pipeline='compute' issue='1' completion='50' flops='64'>"                    \
  "<context name='dense' flops='640'/></op>"                                                       \
  "<op name='ld' pipeline='memory' issue='10' completion='100' bytes='128'>"                       \
  "<context name='l2' issue='1' completion='40' transactions='0'/></op>"                           \
  "<op name='far' pipeline='compute' issue='0' completion='100' bytes='128'>"                      \
  "<then pipeline='memory' issue='10'/>"                                                           \
  "<context name='l1' issue='1'><then/></context>"                                                 \
  "<context name='l2'><then pipeline='memory' issue='1' transactions='0'/></context></op>"         \
  "<op name='st' like='ld' completion='0' posted='yes'/>"                                          \
  "<op name='nop' pipeline='compute' issue='1' completion='0'/></gpu>"
#define KERNEL(attributes, launch, body)                                                           \
  "<kernel name='k' " attributes "><launch " launch "/>" body "</kernel>"
#define ONE "blocks='1' threads='32'"

typedef struct
{
  IdgKernel *kernel;
  WpGpu *gpu;
  WpSimulation *simulation;
  WpReport *report;
} Run;

static Run run;
static const gchar *pins = "pin-gbs='60'";

static void
clear (void)
{
  g_clear_pointer (&run.report, wp_report_free);
  g_clear_pointer (&run.simulation, wp_simulation_free);
  g_clear_pointer (&run.kernel, idg_kernel_free);
  g_clear_pointer (&run.gpu, wp_gpu_free);
}

/* The report of KERNEL, as it is in FULL or with what recurs skipped. */
static const WpReport *
simulate (const gchar *kernel, WpRunOptions options, gboolean full, guint cores)
{
  WpDrive drive = { .max_cores = cores };
  g_autofree gchar *gpu = g_strdup_printf (GPU, pins);
  GError *error = NULL;

  clear ();
  run.kernel = idg_kernel_parse (kernel, strlen (kernel), "k.xml", NULL, &error);
  run.gpu = error == NULL ? wp_gpu_parse (gpu, strlen (gpu), "g.xml", NULL, &error) : NULL;
  if (error == NULL)
    run.simulation
        = wp_simulation_new (run.kernel, run.gpu, wp_policy_find ("rr"), &options, &error);
  if (error == NULL)
    wp_simulation_start (run.simulation, NULL, 0, !full, &error);
  if (error == NULL)
    wp_drive (run.simulation, &drive, &error);
  ck_assert_msg (error == NULL, "%s", error != NULL ? error->message : "");
  run.report = wp_report_new (run.kernel, run.gpu, run.simulation->resolved,
                              wp_simulation_get_result (run.simulation));
  run.report->policy = "rr";
  return run.report;
}

static const WpReport *
simulate_one (const gchar *kernel)
{
  return simulate (kernel, (WpRunOptions)WP_RUN_OPTIONS_INIT, FALSE, 1);
}

/* The names of all warnings are WANTED, and VERDICT is the kind of the verdict. */
static void
expect (const gchar *wanted, const gchar *kind)
{
  g_autofree gchar *names = wp_warnings_join (run.report->warnings, FALSE, " ");
  g_autoptr (WpVerdict) verdict = wp_report_get_verdict (run.report);

  ck_assert_str_eq (names != NULL ? names : "", wanted);
  ck_assert_str_eq (verdict->kind, kind);
  ck_assert_int_eq (strcmp (kind, "none") == 0, g_str_has_prefix (verdict->text, "No verdict: "));
}

/* ---- Stores ---- */

START_TEST (stores_are_done_when_the_pipeline_is_free)
{
  /* They issue at 0 to 3, and each takes ten cycles. */
  const WpReport *report = simulate_one (
      KERNEL ("", ONE, "<program><repeat count='4'><i op='st'/></repeat></program>"));

  ck_assert_double_eq (report->cycles, 3);
  ck_assert_double_eq (report->cycles_drained, 40);
  ck_assert (report->stores_queued);
  ck_assert_double_eq (report->pipelines[1].utilization, 1);
  ck_assert_double_eq_tol (report->pipelines[1].gbytes_per_s, 4 * 12.8, 1e-9);
  expect ("stores-queued", "throughput");
}
END_TEST

START_TEST (what_is_just_being_served_is_not_queued)
{
  const WpReport *report
      = simulate_one (KERNEL ("", ONE,
                              "<program><i id='a' op='fma.f32'/><i op='st' after='a'/>"
                              "</program>"));

  ck_assert_double_eq (report->cycles, 50);
  ck_assert_double_eq (report->cycles_drained, 60);
  ck_assert (!report->stores_queued);
  ck_assert_double_eq (report->pipelines[1].utilization, 0.2);
  expect ("", "latency");
}
END_TEST

START_TEST (one_store_is_not_above_the_pins)
{
  /* It issues at 0, where its warp ends, too: no time for 128 bytes. */
  const WpReport *report = simulate_one (KERNEL ("", ONE, "<program><i op='st'/></program>"));

  ck_assert_double_eq (report->cycles, 0);
  ck_assert_double_eq (report->cycles_drained, 10);
  ck_assert (report->stores_queued);
  expect ("stores-queued", "throughput");
}
END_TEST

START_TEST (however_it_is_simulated)
{
  /* 25 blocks of 2 warps, 200 stores each; the first SM has 7 blocks. */
  const gchar *kernel = KERNEL ("", "blocks='25' threads='64'",
                                "<program><repeat count='200'><i op='st'/></repeat></program>");
  WpRunOptions options = WP_RUN_OPTIONS_INIT;

  options.sms = 0;
  for (gint full = 0; full < 2; full++)
    for (guint cores = 1; cores <= 4; cores += 3)
      {
        const WpReport *report = simulate (kernel, options, full != 0, cores);

        ck_assert_double_eq (report->cycles_drained, 7 * 2 * 200 * 10);
        ck_assert_int_eq (report->result->drained,
                          28000 * report->resolved->machine.ticks_per_cycle);
      }
}
END_TEST

/* ---- SMs with more blocks than others ---- */

/* N blocks on the four SMs, of eight warps, which issue OP; with MORE, the last one
 * does twice as much. */
static const WpReport *
simulate_blocks (guint n, const gchar *op, gboolean more)
{
  g_autofree gchar *launch = g_strdup_printf ("blocks='%u' threads='256'", n);
  g_autofree gchar *last
      = g_strdup_printf ("<program blocks='%u'><repeat count='2000'><i op='%s'/></repeat></program>"
                         "<program blocks='0-%u'><repeat count='1000'><i op='%s'/></repeat>"
                         "</program>",
                         n - 1, op, n - 2, op);
  g_autofree gchar *same
      = g_strdup_printf ("<program><repeat count='1000'><i op='%s'/></repeat></program>", op);
  g_autofree gchar *kernel
      = g_strdup_printf ("<kernel name='k'><launch %s/>%s</kernel>", launch, more ? last : same);
  WpRunOptions options = WP_RUN_OPTIONS_INIT;

  options.sms = 0;
  return simulate (kernel, options, FALSE, 1);
}

START_TEST (the_sm_with_the_most_blocks_decides)
{
  g_autoptr (WpVerdict) verdict = NULL;

  /* One SM has 2 blocks, three have 1: compute is in use 5/8 of the time, and all of it on the
   * first. */
  simulate_blocks (5, "fma.f32", FALSE);
  ck_assert_double_eq_tol (run.report->pipelines[0].utilization, 0.625, 0.01);
  ck_assert_double_eq (run.report->fullest, 1.6);
  ck_assert_double_gt (wp_report_get_taken (run.report, 0), 0.98);
  expect ("", "throughput");
  verdict = wp_report_get_verdict (run.report);
  ck_assert_str_eq (verdict->resource, "compute");
  ck_assert (strstr (verdict->text, "on the SMs with the most blocks (2; 5 blocks on 4 SMs are "
                                    "1.25 on average), and 62% over all")
             != NULL);
  ck_assert (strstr (verdict->text, "up to 38% less time") != NULL);
}
END_TEST

START_TEST (even_blocks_are_said_nothing_of)
{
  g_autoptr (WpVerdict) verdict = NULL;

  simulate_blocks (8, "fma.f32", FALSE);
  ck_assert_double_eq (run.report->fullest, 1);
  expect ("", "throughput");
  verdict = wp_report_get_verdict (run.report);
  ck_assert (strstr (verdict->text, "most blocks") == NULL);
}
END_TEST

START_TEST (nothing_follows_from_the_number_of_blocks_that_differ)
{
  simulate_blocks (5, "fma.f32", TRUE);
  ck_assert_double_eq (run.report->fullest, 1);
  expect ("", "turns");
}
END_TEST

/* ---- Rates ---- */

START_TEST (hits_in_a_cache_are_not_counted_against_the_pins)
{
  simulate_one (
      KERNEL ("", "blocks='64' threads='256'",
              "<program><repeat count='100'><i op='ld' context='l2'/></repeat></program>"));
  ck_assert_double_gt (run.report->pipelines[1].gbytes_per_s, 60);
  expect ("", "throughput");
}
END_TEST

START_TEST (what_passes_memory_is_counted_by_its_last_pipeline)
{
  static const struct
  {
    const gchar *context, *warnings, *verdict;
  } cases[] = { { "", "memory-above-pins above-pins", "none" },
                { "context='l1'", "", "turns" },
                { "context='l2'", "memory-above-pins", "none" } };

  pins = "pin-gbs='6'";
  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autofree gchar *kernel
          = g_strdup_printf (KERNEL ("", "blocks='64' threads='256'",
                                     "<program><repeat count='100'><i op='far' %s/></repeat>"
                                     "</program>"),
                             cases[i].context);

      simulate_one (kernel);
      expect (cases[i].warnings, cases[i].verdict);
    }
  pins = "pin-gbs='60'";
}
END_TEST

START_TEST (memory_above_the_pins)
{
  pins = "pin-gbs='6'";
  simulate_one (KERNEL ("", "blocks='64' threads='256'",
                        "<program><repeat count='100'><i op='ld'/></repeat></program>"));
  expect ("memory-above-pins above-pins", "none");
  /* The description is as odd, but nothing of it is used. */
  simulate_one (KERNEL ("", ONE, "<program><i op='fma.f32'/></program>"));
  expect ("", "drain");
  pins = "";
  simulate_one (KERNEL ("", "blocks='64' threads='256'",
                        "<program><repeat count='100'><i op='ld'/></repeat></program>"));
  expect ("", "throughput");
}
END_TEST

START_TEST (arithmetic_above_the_peak)
{
  simulate_one (KERNEL ("", "blocks='64' threads='256'",
                        "<program><repeat count='100'><i op='fma.f32' context='dense'/></repeat>"
                        "</program>"));
  expect ("above-peak", "none");
  simulate_one (KERNEL ("", "blocks='64' threads='256'",
                        "<program><repeat count='100'><i op='fma.f32'/></repeat></program>"));
  expect ("", "throughput");
}
END_TEST

/* ---- What did not run, and what is not known ---- */

START_TEST (a_listing_whose_loops_did_not_run)
{
  simulate_one (KERNEL ("ops='nearest'", ONE,
                        "<program><i op='ld'/><repeat count='0'><i op='fma.f32'/></repeat>"
                        "</program>"));
  expect ("no-arithmetic", "none");
  simulate_one (KERNEL ("ops='nearest'", ONE,
                        "<program><repeat count='0'><i op='ld'/></repeat><i op='fma.f32'/>"
                        "</program>"));
  expect ("no-memory", "none");
  simulate_one (KERNEL ("", ONE,
                        "<program><i op='ld'/><repeat count='0'><i op='fma.f32'/></repeat>"
                        "</program>"));
  expect ("", "drain");
}
END_TEST

/* One atomic in N + 1 instructions. */
static const WpReport *
simulate_an_atomic (guint n)
{
  g_autofree gchar *body
      = g_strdup_printf ("<program><repeat count='%u'><i op='fma.f32'/></repeat>"
                         "<i op='atom.global.add.f32' context='sectors-1'/></program>",
                         n);
  g_autofree gchar *kernel = g_strdup_printf (KERNEL ("ops='nearest'", ONE, "%s"), body);

  return simulate_one (kernel);
}

START_TEST (what_has_no_figure_takes_an_issue_slot)
{
  const WpReport *report = simulate_an_atomic (99);
  const gchar *text;

  /* The atomic issues at 99 and nobody waits for it; the last fma, of 98, ends at 148. */
  ck_assert_double_eq (report->cycles, 148);
  expect ("no-figure", "turns");
  text = wp_warnings_get (report->warnings, "no-figure")->text;
  ck_assert (g_str_has_prefix (text,
                               "1 instruction atom.global.add.f32 (1.0% of those executed) has "
                               "no figure on g and takes an issue slot alone"));
  ck_assert (strstr (text, "<op name=\"atom.global.add.f32\"") != NULL);
  simulate_an_atomic (98);
  expect ("no-figure", "none");
}
END_TEST

START_TEST (what_has_no_figure_comes_in_one_warning)
{
  const gchar *text;

  simulate_one (KERNEL ("ops='nearest'", ONE,
                        "<program><i op='match.any.sync.b32'/><i op='redux.sync.add.s32'/>"
                        "<i op='elect.sync'/><i op='red.global.add.u32'/><i op='elect.sync'/>"
                        "<i op='fma.f32'/></program>"));
  expect ("no-figure", "none");
  text = wp_warnings_get (run.report->warnings, "no-figure")->text;
  ck_assert (g_str_has_prefix (text, "5 instructions match.any.sync.b32, redux.sync.add.s32, "
                                     "elect.sync and 1 more op (83.3% of those executed) have no "
                                     "figure on g and take an issue slot alone"));
}
END_TEST

/* Rounds of a load, of ten cycles, which has AFTER, and so many ADDITIONS, which run as
 * fma.f32, of one, and wait for loads that wait for them. */
static void
expect_approximated (guint additions, const gchar *after, const gchar *threads,
                     const gchar *verdict)
{
  g_autofree gchar *kernel = g_strdup_printf (
      "<kernel name='k' ops='nearest'><launch blocks='16' threads='%s'/><program>"
      "<repeat count='100'><i id='a' op='ld' %s/><repeat count='%u'>"
      "<i id='b' op='add.f32' %s/></repeat></repeat></program></kernel>",
      threads, after, additions, strcmp (after, "after='b'") == 0 ? "after='a'" : "");

  simulate_one (kernel);
  expect ("approximated", verdict);
}

START_TEST (approximations_that_change_nothing_leave_the_verdict)
{
  const WpWarning *warning;

  /* Memory is in use all the time; additions keep compute for a fifth of it, and would
   * for four fifths; or for three tenths, and would for more than there is. */
  expect_approximated (2, "", "256", "throughput");
  warning = wp_warnings_get (run.report->warnings, "approximated");
  ck_assert (g_str_has_prefix (warning->text, "100% of what pipeline compute does is by "));
  ck_assert (g_str_has_suffix (warning->text, "; if they took four times as long, the run would be "
                                              "bound by the same"));
  expect_approximated (3, "", "256", "none");
  expect_approximated (30, "", "256", "none");
  /* Of a warp alone a load takes 110 cycles, and an addition 50, or four times as many. */
  expect_approximated (2, "after='a'", "32", "latency");
  expect_approximated (1, "after='b'", "32", "none");
}
END_TEST

/* What execution found of a kernel whose branches data that nobody gave decide: SHARE of its
 * instructions. */
static void
expect_doubted (const gchar *body, gdouble share, gboolean accesses, const gchar *verdict)
{
  g_autofree gchar *kernel = g_strdup_printf (
      "<kernel name='k'><launch blocks='16' threads='256'/><warning name='branches-assumed' "
      "text='whether they are executed'/><program>%s</program></kernel>",
      body);

  simulate_one (kernel);
  run.kernel->counters = g_new0 (IdgCounters, 1);
  run.kernel->counters->doubted = share;
  run.kernel->counters->doubts_accesses = accesses;
  wp_report_free (run.report);
  run.report = wp_report_new (run.kernel, run.gpu, run.simulation->resolved,
                              wp_simulation_get_result (run.simulation));
  expect ("branches-assumed", verdict);
}

START_TEST (branches_that_cannot_free_memory_leave_the_verdict)
{
  const gchar *memory = "<repeat count='100'><i op='ld'/><i op='fma.f32'/></repeat>";
  const gchar *compute = "<repeat count='100'><i op='fma.f32'/><i op='fma.f32'/></repeat>";

  expect_doubted (memory, 0.4, FALSE, "throughput");
  ck_assert (g_str_has_suffix (wp_warnings_get (run.report->warnings, "branches-assumed")->text,
                               "by which the run would be bound either way"));
  expect_doubted (memory, 0.4, TRUE, "none");
  expect_doubted (compute, 0.4, FALSE, "none");
  /* Eight additions keep compute for four fifths of the time: more would keep it for all of it. */
  expect_doubted ("<repeat count='100'><i op='ld'/><repeat count='8'><i op='fma.f32'/></repeat>"
                  "</repeat>",
                  0.4, FALSE, "none");
}
END_TEST

START_TEST (what_a_kernel_carries)
{
  const gchar *kernel = KERNEL ("", ONE,
                                "<warning name='lower-bound' text='waits are not modelled'/>"
                                "<warning name='other' text='nor is this'/>"
                                "<program><i op='fma.f32'/></program>");
  g_autofree gchar *all = NULL;

  simulate_one (kernel);
  expect ("lower-bound other", "none");
  ck_assert_str_eq (wp_warnings_get (run.report->warnings, "other")->text, "nor is this");
  all = wp_warnings_get_no_verdict (run.report->warnings);
  ck_assert_str_eq (all, "No verdict: lower-bound and other (see Warnings).");
}
END_TEST

START_TEST (an_occupancy_that_is_not_reached)
{
  const gchar *kernel
      = KERNEL ("", "blocks='64' threads='64'", "<program><i op='fma.f32'/></program>");
  WpRunOptions options = WP_RUN_OPTIONS_INIT;

  options.occupancy = 5;
  simulate (kernel, options, FALSE, 1);
  expect ("occupancy-not-reached", "drain");
  options.occupancy = 6;
  simulate (kernel, options, FALSE, 1);
  expect ("", "drain");
}
END_TEST

/* ---- Lists ---- */

static void
hear (gpointer data, const gchar *text)
{
  g_string_append_printf (data, "[%s]", text);
}

START_TEST (refusing)
{
  g_autoptr (GPtrArray) warnings = wp_warnings_new ();
  g_autoptr (GString) said = g_string_new (NULL);
  g_autoptr (GError) error = NULL;

  ck_assert (wp_warnings_refuse (warnings, hear, said, &error));
  ck_assert (!wp_warnings_are_in_the_way (warnings));
  ck_assert_ptr_null (wp_warnings_join (warnings, FALSE, NULL));
  wp_warnings_add (warnings, "a", FALSE, "%d", 1);
  wp_warnings_add (warnings, "b", TRUE, "%d", 2);
  wp_warnings_add (warnings, "a", FALSE, "%d", 3);
  ck_assert (!wp_warnings_refuse (warnings, hear, said, &error));
  ck_assert_str_eq (said->str, "[a: 1; without --strict this is a warning]"
                               "[b: 2; without --strict this is a warning]");
  ck_assert (g_error_matches (error, WP_ERROR, WP_ERROR_VALUE));
  ck_assert_str_eq (error->message, "a: 3; without --strict this is a warning");
}
END_TEST

START_TEST (names_come_once)
{
  g_autoptr (GPtrArray) warnings = wp_warnings_new ();
  g_autofree gchar *all = NULL, *blocking = NULL;

  wp_warnings_add (warnings, "a", FALSE, "%d", 1);
  wp_warnings_add (warnings, "b", TRUE, "%d", 2);
  wp_warnings_add (warnings, "a", FALSE, "%d", 3);
  wp_warnings_add (warnings, "c", TRUE, "%d", 4);
  all = wp_warnings_join (warnings, FALSE, NULL);
  blocking = wp_warnings_join (warnings, TRUE, " ");
  ck_assert_str_eq (all, "a, b and c");
  ck_assert_str_eq (blocking, "b c");
}
END_TEST

static Suite *
make_suite (void)
{
  Suite *suite = suite_create ("warnings");
  TCase *runs = tcase_create ("runs"), *lists = tcase_create ("lists");

  tcase_add_checked_fixture (runs, NULL, clear);
  tcase_add_test (runs, stores_are_done_when_the_pipeline_is_free);
  tcase_add_test (runs, what_is_just_being_served_is_not_queued);
  tcase_add_test (runs, one_store_is_not_above_the_pins);
  tcase_add_test (runs, however_it_is_simulated);
  tcase_add_test (runs, the_sm_with_the_most_blocks_decides);
  tcase_add_test (runs, even_blocks_are_said_nothing_of);
  tcase_add_test (runs, nothing_follows_from_the_number_of_blocks_that_differ);
  tcase_add_test (runs, hits_in_a_cache_are_not_counted_against_the_pins);
  tcase_add_test (runs, what_passes_memory_is_counted_by_its_last_pipeline);
  tcase_add_test (runs, memory_above_the_pins);
  tcase_add_test (runs, arithmetic_above_the_peak);
  tcase_add_test (runs, a_listing_whose_loops_did_not_run);
  tcase_add_test (runs, what_has_no_figure_takes_an_issue_slot);
  tcase_add_test (runs, what_has_no_figure_comes_in_one_warning);
  tcase_add_test (runs, approximations_that_change_nothing_leave_the_verdict);
  tcase_add_test (runs, branches_that_cannot_free_memory_leave_the_verdict);
  tcase_add_test (runs, what_a_kernel_carries);
  tcase_add_test (runs, an_occupancy_that_is_not_reached);
  tcase_add_test (lists, refusing);
  tcase_add_test (lists, names_come_once);
  suite_add_tcase (suite, runs);
  suite_add_tcase (suite, lists);
  return suite;
}
