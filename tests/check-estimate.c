/* SPDX-License-Identifier: MIT */
/* Estimates of runs: what batch means make of series that are known, and grids estimated against
 * the same in full: the time lies within the error that is stated, what is no time is exact, and
 * neither cores nor slices change a digit. */
#include "run/simulate/driver.h"

#include <math.h>
#include <string.h>

#include "tests/check-main.h"

/* ---- Means ---- */

#define N 400

static guint64 state;

/* Evenly between -1 and 1. */
static gdouble
draw (void)
{
  state = state * UINT64_C (6364136223846793005) + UINT64_C (1442695040888963407);
  return (gdouble)(state >> 11) / 0x1p52 - 1;
}

START_TEST (a_constant_is_known)
{
  gdouble values[N];
  WpEstimateMean mean;

  for (guint i = 0; i < N; i++)
    values[i] = 5;
  wp_estimate_mean (values, N, &mean);
  ck_assert (mean.known && mean.batches == 32);
  ck_assert_double_eq (mean.mean, 5);
  ck_assert_double_eq (wp_estimate_mean_get_half (&mean, 1e6), 0);
}
END_TEST

START_TEST (a_warm_up_is_cut_off)
{
  gdouble values[N];
  WpEstimateMean mean;

  state = 1;
  for (guint i = 0; i < N; i++)
    values[i] = 100 + draw () + 50 * exp (-(gdouble)i / 8);
  wp_estimate_mean (values, N, &mean);
  ck_assert (mean.known);
  ck_assert_uint_ge (mean.warm_up, 20);
  ck_assert_uint_le (mean.warm_up, N / 2);
  ck_assert_double_eq_tol (mean.mean, 100, 0.2);
}
END_TEST

/* Of 200 series whose values depend on the one before, the mean lies outside of the interval in
 * less than 5%. As if they were independent it would in some 25%. */
START_TEST (dependent_values_widen_the_interval)
{
  guint outside = 0, known = 0;

  for (guint seed = 1; seed <= 200; seed++)
    {
      gdouble values[N], x = 0;
      WpEstimateMean mean;

      state = seed;
      for (guint i = 0; i < N; i++)
        values[i] = 100 + (x = 0.7 * x + draw ());
      wp_estimate_mean (values, N, &mean);
      known += mean.known;
      outside
          += mean.known && fabs (mean.mean - 100) > wp_estimate_mean_get_half (&mean, 1e9) / 1e9;
    }
  ck_assert_uint_ge (known, 150);
  ck_assert_uint_lt (outside, known / 20);
}
END_TEST

START_TEST (what_does_not_settle_is_not_known)
{
  gdouble values[N];
  WpEstimateMean mean;

  for (guint i = 0; i < N; i++)
    values[i] = i; /* grows all the time */
  wp_estimate_mean (values, N, &mean);
  ck_assert (!mean.known);
  wp_estimate_mean (values + N / 2, 20, &mean); /* too few */
  ck_assert (!mean.known);
}
END_TEST

/* ---- Runs ---- */

#define GPU                                                                                        \
  "<gpu name='g'><device sms='4' clock-mhz='1000'/><limits blocks='4' threads='256'/>"             \
  "<launch latency='%s'/><scheduler count='2'/><pipeline name='compute'/>"                         \
  "<pipeline name='memory' kind='memory' queue='unbounded' channels='5' channel-issue='7'/>"       \
  "<op name='fma' pipeline='compute' issue='1' completion='6'/>"                                   \
  "<op name='ld' pipeline='memory' issue='2' completion='100' transactions='4'>"                   \
  "<context name='l2' issue='1' completion='40' transactions='0'/></op></gpu>"
#define KERNEL                                                                                     \
  "<kernel name='k'><launch blocks='%u' threads='64'/>%s<program%s><repeat count='12'>"            \
  "<i id='a' op='ld'%s/><i op='fma' after='a'/></repeat><barrier/></program></kernel>"
#define FIRST_BLOCK "<program blocks='0'><i op='fma'/></program>"

typedef struct
{
  const gchar *memory, *latency; /* of launches */
  guint blocks;
  gboolean mixes, first_differs;
  gint64 sms;
  const gchar *policy;
} Setting;

typedef struct
{
  WpEstimate estimate;
  gdouble cycles;
  guint64 blocks, issued, counts;
} Outcome;

static IdgKernel *
make_kernel (const Setting *setting)
{
  g_autofree gchar *text
      = g_strdup_printf (KERNEL, setting->blocks, setting->first_differs ? FIRST_BLOCK : "",
                         setting->first_differs ? " blocks='1-59999'" : "",
                         setting->mixes ? " context='l2*3 -*1'" : "");
  GError *error = NULL;
  IdgKernel *kernel = idg_kernel_parse (text, strlen (text), "k.xml", NULL, &error);

  ck_assert_msg (kernel != NULL, "%s", error != NULL ? error->message : "");
  return kernel;
}

static WpGpu *
make_gpu (const Setting *setting)
{
  g_autofree gchar *text = g_strdup_printf (GPU, setting->latency);
  GError *error = NULL;
  WpGpu *gpu = wp_gpu_parse (text, strlen (text), "g.xml", NULL, &error);

  ck_assert_msg (gpu != NULL, "%s", error != NULL ? error->message : "");
  return gpu;
}

/* Runs SETTING on CORES; BOUND 0: in full. */
static Outcome
run (const Setting *setting, gdouble bound, guint cores)
{
  IdgKernel *kernel = make_kernel (setting);
  WpGpu *gpu = make_gpu (setting);
  WpRunOptions options = WP_RUN_OPTIONS_INIT;
  Outcome outcome = { .estimate = { .bound = bound } };
  WpDrive drive = { .max_cores = cores, .estimate = bound > 0 ? &outcome.estimate : NULL };
  GError *error = NULL;

  options.sms = setting->sms;
  options.memory
      = strcmp (setting->memory, "contended") == 0 ? WP_MEMORY_CONTENDED : WP_MEMORY_IDEAL;
  {
    g_autoptr (WpSimulation) simulation
        = wp_simulation_new (kernel, gpu, wp_policy_find (setting->policy), &options, &error);
    g_autoptr (WpResult) result = NULL;

    ck_assert_msg (simulation != NULL && wp_simulation_start (simulation, NULL, 0, TRUE, &error)
                       && wp_drive (simulation, &drive, &error),
                   "%s", error != NULL ? error->message : "");
    result = wp_estimate_extrapolate (&outcome.estimate, &simulation->resolved->machine,
                                      wp_simulation_get_result (simulation));
    ck_assert (result->complete && wp_result_check (result) == NULL);
    outcome.cycles
        = (gdouble)result->elapsed / (gdouble)simulation->resolved->machine.ticks_per_cycle;
    outcome.blocks = result->blocks;
    outcome.issued = result->issued;
    for (guint32 i = 0; i < simulation->resolved->machine.n_instrs; i++)
      outcome.counts += result->counts[i];
  }
  idg_kernel_free (kernel);
  wp_gpu_free (gpu);
  return outcome;
}

static void
compare (const Setting *setting, WpEstimateKind kind)
{
  Outcome full = run (setting, 0, 1), part = run (setting, 0.02, 1), cores;

  ck_assert_int_eq (part.estimate.kind, kind);
  ck_assert_uint_eq (part.blocks, full.blocks);
  ck_assert_uint_eq (part.issued, full.issued);
  ck_assert_uint_eq (part.counts, full.counts);
  ck_assert_msg (fabs (part.cycles - full.cycles) <= part.estimate.error * full.cycles,
                 "%.9g for %.9g, stated %g", part.cycles, full.cycles, part.estimate.error);
  ck_assert (part.estimate.error <= 0.02);
  if (kind == WP_ESTIMATE_MADE)
    ck_assert_uint_lt (2 * (part.blocks - part.estimate.left_out), part.blocks);
  cores = run (setting, 0.02, 3);
  ck_assert (cores.cycles == part.cycles && cores.estimate.left_out == part.estimate.left_out);
}

START_TEST (an_estimate_holds)
{
  static const Setting settings[] = {
    { "contended", "0", 60000, FALSE, FALSE, 1, "rr" },
    { "contended", "0", 60000, FALSE, FALSE, 0, "gto" },
    { "contended", "30", 60000, FALSE, FALSE, 0, "rr" },
    { "contended", "30", 60000, FALSE, TRUE, 3, "oldest" },
    { "ideal", "0", 60000, TRUE, FALSE, 1, "gty" },
    { "ideal", "30", 60000, TRUE, TRUE, 0, "two-level" },
  };

  compare (&settings[_i], WP_ESTIMATE_MADE);
}
END_TEST

/* Nothing is estimated where a state recurs, where little is to be saved, or where too much is
 * asked for. */
START_TEST (the_rest_is_exact)
{
  static const Setting recurs = { "ideal", "0", 60000000, FALSE, FALSE, 0, "rr" };
  static const Setting small = { "contended", "0", 300, FALSE, FALSE, 0, "rr" };
  static const Setting random = { "contended", "0", 20000, FALSE, FALSE, 1, "rr" };
  Outcome sharp;

  compare (&recurs, WP_ESTIMATE_PERIOD);
  compare (&small, WP_ESTIMATE_WHOLE);
  sharp = run (&random, 1e-9, 1);
  ck_assert_int_eq (sharp.estimate.kind, WP_ESTIMATE_WHOLE);
  ck_assert (sharp.estimate.why != NULL && sharp.estimate.error == 0);
  ck_assert (sharp.cycles == run (&random, 0, 1).cycles);
}
END_TEST

/* Blocks left out of a shipped kernel of 100,000 on all SMs of a GPU, in slices of SLICE events at
 * most. Nearly all SMs do the same, and are simulated once. */
static guint64
leave_out (guint64 slice)
{
  const gchar *data = g_getenv ("WARPIPE_DATA_DIR");
  g_autofree gchar *gpu_path = g_build_filename (data, "configs", "rtx2080ti.xml", NULL);
  g_autofree gchar *path
      = g_build_filename (data, "idg", "kernels", "vector-abs-negative.xml", NULL);
  g_autoptr (WpGpu) gpu = wp_gpu_load (gpu_path, NULL, NULL);
  IdgKernel *kernel = idg_kernel_load (path, NULL, NULL);
  WpRunOptions options = WP_RUN_OPTIONS_INIT;
  WpEstimate estimate = { .bound = 0.01 };
  WpRunStatus status = WP_RUN_MORE;

  ck_assert_msg (gpu != NULL && kernel != NULL, "WARPIPE_DATA_DIR is the source tree");
  options.sms = 0;
  options.blocks = 100000;
  {
    g_autoptr (WpSimulation) simulation
        = wp_simulation_new (kernel, gpu, wp_policy_find ("gto"), &options, NULL);

    ck_assert (simulation != NULL && wp_simulation_start (simulation, NULL, 0, TRUE, NULL)
               && wp_estimate_begin (&estimate, simulation, NULL));
    for (; status == WP_RUN_MORE && !estimate.over; wp_estimate_look (&estimate, simulation))
      status = wp_device_run (simulation->device,
                              MIN (slice, wp_estimate_get_slice (&estimate, simulation)));
    while (status == WP_RUN_MORE)
      status = wp_device_run (simulation->device, slice);
    ck_assert_int_eq (status, WP_RUN_DONE);
    wp_estimate_end (&estimate, simulation);
  }
  idg_kernel_free (kernel);
  return estimate.left_out;
}

START_TEST (slices_change_nothing)
{
  guint64 expected = leave_out (1000);

  ck_assert_uint_gt (expected, 40000);
  ck_assert_uint_eq (leave_out (100000), expected);
  ck_assert_uint_eq (leave_out (G_MAXUINT64), expected);
}
END_TEST

static Suite *
make_suite (void)
{
  Suite *suite = suite_create ("estimate");
  TCase *means = tcase_create ("means"), *runs = tcase_create ("runs");

  tcase_add_test (means, a_constant_is_known);
  tcase_add_test (means, a_warm_up_is_cut_off);
  tcase_add_test (means, dependent_values_widen_the_interval);
  tcase_add_test (means, what_does_not_settle_is_not_known);
  tcase_add_loop_test (runs, an_estimate_holds, 0, 6);
  tcase_add_test (runs, the_rest_is_exact);
  tcase_add_test (runs, slices_change_nothing);
  tcase_set_timeout (runs, 600);
  suite_add_tcase (suite, means);
  suite_add_tcase (suite, runs);
  return suite;
}
