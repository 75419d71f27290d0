/* SPDX-License-Identifier: MIT */
/* The measuring program on a device whose clock errs, and that fails: a simulated one, with errors
 * of ours.
 *
 * What it shows: whatever times come back, a description is valid (or there is none, where the
 * device fails); with small errors its latencies and rates are those of the GPU. What it does not
 * pin: how a real clock errs. */
#include <check.h>
#include <math.h>
#include <string.h>

#include "probe/describe/wp-probe-describe.h"
#include "probe/fit/wp-probe-fit.h"
#include "probe/opencl/wp-opencl-source.h"
#include "probe/simulated/wp-probe-simulated.h"
#include "sim/base/wp-time.h"

#include "tests/check-main.h"

#define SEEDS 3
#define MOST_FAILURES 400
#define SLOWER 40 /* times */

typedef struct
{
  WpProbeDevice device;
  WpProbeDevice *real;
  GRand *rand;
  gdouble error;     /* relative: times are too long by up to that */
  guint64 left;      /* launches until one fails */
  const gchar *slow; /* an op that is slow in one warp alone, or NULL */
} Noisy;

/* All that LAUNCH is. Owned by the caller. */
static gchar *
describe (const WpProbeLaunch *launch)
{
  GString *text = g_string_new (NULL);

  g_string_printf (text, "%" G_GUINT64_FORMAT " rounds, %u by %u x %" G_GUINT64_FORMAT ", %u %u %d",
                   launch->rounds, launch->warps, launch->stride, launch->blocks, launch->registers,
                   launch->shared_memory, launch->is_contended);
  for (guint i = 0; i < launch->n_steps; i++)
    {
      const WpProbeStep *step = &launch->steps[i];

      g_string_append_printf (text, ", %s %s %" G_GUINT64_FORMAT " %d %d", step->op,
                              step->access != NULL ? step->access : "-", step->times,
                              step->is_chained, step->waits);
    }
  return g_string_free (text, FALSE);
}

/* What each launch took: all devices here are of one GPU, and run many launches again and again. */
static GHashTable *took;

static gboolean
run_real (WpProbeDevice *real, const WpProbeLaunch *launch, gdouble *cycles, gboolean *fits,
          GError **error)
{
  g_autofree gchar *text = describe (launch);
  const gdouble *known;
  gboolean its_fits;

  fits = fits != NULL ? fits : &its_fits;
  if (took == NULL)
    took = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free);
  known = g_hash_table_lookup (took, text);
  *fits = known != NULL;
  if (known != NULL)
    *cycles = *known;
  else if (!real->run (real, launch, cycles, fits, error))
    return FALSE;
  else if (*fits)
    g_hash_table_insert (took, g_steal_pointer (&text), g_memdup2 (cycles, sizeof *cycles));
  return TRUE;
}

static gboolean
run (WpProbeDevice *device, const WpProbeLaunch *launch, gdouble *cycles, gboolean *fits,
     GError **error)
{
  Noisy *noisy = (Noisy *)device;

  if (noisy->left-- == 0)
    {
      g_set_error_literal (error, WP_ERROR, WP_ERROR_READ, "the device fails");
      return FALSE;
    }
  if (!run_real (noisy->real, launch, cycles, fits, error))
    return FALSE;
  if (launch->warps == 1 && launch->n_steps == 1 && !launch->steps[0].is_chained
      && g_strcmp0 (launch->steps[0].op, noisy->slow) == 0)
    *cycles *= SLOWER;
  *cycles = (*cycles + 500) * (1 + g_rand_double (noisy->rand) * noisy->error);
  return TRUE;
}

static gboolean
has (WpProbeDevice *device, const gchar *op, const gchar *access)
{
  WpProbeDevice *real = ((Noisy *)device)->real;

  return real->has (real, op, access);
}

static gint64
get (WpProbeDevice *device, WpProbeAttribute attribute)
{
  WpProbeDevice *real = ((Noisy *)device)->real;

  return real->get (real, attribute);
}

static gint64
count_blocks (WpProbeDevice *device, const WpProbeLaunch *launch)
{
  WpProbeDevice *real = ((Noisy *)device)->real;

  return launch->registers > 0 ? -1 : real->count_blocks (real, launch);
}

static void
free_noisy (WpProbeDevice *device)
{
  Noisy *noisy = (Noisy *)device;

  wp_probe_device_free (noisy->real);
  g_rand_free (noisy->rand);
  g_free (noisy);
}

static WpProbeDevice *
make_noisy (const WpGpu *gpu, guint32 seed, gdouble error, gdouble precision)
{
  Noisy *noisy = g_new0 (Noisy, 1);

  noisy->real = wp_probe_simulated_new (gpu, G_MAXUINT64);
  noisy->rand = g_rand_new_with_seed (seed);
  noisy->error = error;
  noisy->left = G_MAXUINT64;
  noisy->device = (WpProbeDevice){ .name = "noisy",
                                   .title = "a clock that errs",
                                   .clock = "one that errs",
                                   .precision = precision,
                                   .shortest = 3000,
                                   .repeats = 1,
                                   .independent = 8,
                                   .body = 32,
                                   .has = has,
                                   .get = get,
                                   .count_blocks = count_blocks,
                                   .run = run,
                                   .free = free_noisy };
  return &noisy->device;
}

static WpGpu *
load_gpu (void)
{
  g_autofree gchar *file
      = g_build_filename (g_getenv ("abs_srcdir"), "tests", "golden", "probe-gpu.xml", NULL);
  g_autoptr (GError) error = NULL;
  WpGpu *gpu = wp_gpu_load (file, NULL, &error);

  ck_assert_msg (gpu != NULL, "%s", error != NULL ? error->message : "");
  return gpu;
}

/* What is said to be done never becomes less. */
static void
check_share (gpointer data, gdouble share)
{
  gdouble *before = data;

  ck_assert_double_ge (share, *before);
  ck_assert_double_le (share, 1);
  *before = share;
}

/* What a probe of DEVICE writes, read again. FITS: with what memory under load tells. */
static WpGpu *
measure (WpProbeDevice *device, guint32 seed, gboolean fits)
{
  g_autoptr (WpProbe) probe = wp_probe_new (device, TRUE, NULL);
  g_autoptr (GError) error = NULL;
  g_autofree gchar *text = NULL;
  WpGpu *is;

  ck_assert_msg (wp_probe_measure (probe, &error), "seed %u: %s", seed,
                 error != NULL ? error->message : "stopped");
  if (fits)
    ck_assert (wp_probe_fit_channels (probe, G_MAXUINT64, &error));
  text = wp_probe_describe (probe, "noisy-probed");
  is = wp_gpu_parse (text, strlen (text), "noisy-probed", NULL, &error);
  ck_assert_msg (is != NULL, "seed %u: %s\n%s", seed, error != NULL ? error->message : "", text);
  return is;
}

START_TEST (always_valid)
{
  static const gdouble errors[] = { 0.05, 0.5, 5 };
  g_autoptr (WpGpu) gpu = load_gpu ();

  for (guint32 seed = 1; seed <= check_get_cases (SEEDS * 20) / 20; seed++)
    {
      g_autoptr (WpProbeDevice) device = make_noisy (gpu, seed, errors[seed % 3], 0.02);
      g_autoptr (WpGpu) is = measure (device, seed, FALSE);

      ck_assert_int_eq (is->sms, gpu->sms);
    }
}
END_TEST

static void
check_near (const gchar *what, WpCycles was, WpCycles is)
{
  gdouble before = wp_cycles_to_double (was), after = wp_cycles_to_double (is);

  ck_assert_msg (fabs (after - before) <= 0.05 * before + 0.02, "%s is %g, was %g", what, after,
                 before);
}

START_TEST (small_errors)
{
  static const gchar *const ops[] = { "add.f32", "rsqrt", "ld.shared" };
  g_autoptr (WpGpu) gpu = load_gpu ();
  g_autoptr (WpProbeDevice) device = make_noisy (gpu, 7, 0.002, 0.01);
  g_autoptr (WpGpu) is = measure (device, 7, TRUE);
  const WpGpuPipeline *memory = g_ptr_array_index (is->pipelines, is->pipelines->len - 1);

  ck_assert_int_eq (is->schedulers, gpu->schedulers);
  check_near ("interval", gpu->interval, is->interval);
  for (gsize i = 0; i < G_N_ELEMENTS (ops); i++)
    {
      const WpGpuOp *was = wp_gpu_get_op (gpu, ops[i]), *found = wp_gpu_get_op (is, ops[i]);

      ck_assert_ptr_nonnull (was);
      ck_assert_msg (found != NULL, "%s was not measured", ops[i]);
      check_near (ops[i], was->completion, found->completion);
      check_near (ops[i], was->issue, found->issue);
    }
  /* The memory: its accesses do not meet by chance, and it turns between loads and stores. */
  ck_assert_int_eq (memory->kind, WP_KIND_MEMORY);
  ck_assert_int_eq (memory->channels, 0);
  ck_assert_double_ge (wp_cycles_to_double (memory->turnaround), 1.5);
  ck_assert_double_le (wp_cycles_to_double (memory->turnaround), 3.5);
}
END_TEST

/* What makes one warp alone slow is no pause after each issue where a whole chain is shorter. */
START_TEST (pause_no_longer_than_a_chain)
{
  g_autoptr (WpGpu) gpu = load_gpu ();
  g_autoptr (WpProbeDevice) device = make_noisy (gpu, 7, 0.002, 0.01);
  g_autoptr (WpGpu) is = NULL;

  ((Noisy *)device)->slow = "rsqrt";
  is = measure (device, 7, FALSE);
  ck_assert_double_le (wp_cycles_to_double (is->ilp_latency),
                       1.05 * wp_cycles_to_double (wp_gpu_get_op (gpu, "add.f32")->completion));
}
END_TEST

/* Kernels of a compiler have moves and comparisons, which OpenCL cannot time: there is a guess. */
START_TEST (guesses)
{
  g_autoptr (WpGpu) gpu = load_gpu ();
  g_autoptr (WpProbeDevice) device = make_noisy (gpu, 7, 0.002, 0.01);
  g_autoptr (WpGpu) is = measure (device, 7, FALSE);

  ck_assert_ptr_null (wp_gpu_get_op (gpu, "mov"));
  for (guint i = 0; i < 2; i++)
    {
      const WpGpuOp *op = wp_gpu_get_op (is, i == 0 ? "mov" : "bra");

      ck_assert_ptr_nonnull (op);
      ck_assert_int_eq (wp_cycles_compare (op->completion, wp_gpu_get_op (is, "add")->completion),
                        0);
    }
}
END_TEST

/* Of a measurement behind which channels are fitted: the golden GPU with some. */
START_TEST (progress)
{
  static const gchar *const only[] = { "add.f32", "ld.shared", "ld.global", "st.global", NULL };
  g_autoptr (WpGpu) gpu = load_gpu ();
  WpGpuPipeline *memory = g_ptr_array_index (gpu->pipelines, gpu->pipelines->len - 1);
  g_autoptr (WpProbeDevice) device = wp_probe_simulated_new (gpu, G_MAXUINT64);
  g_autoptr (WpProbe) probe = wp_probe_new (device, TRUE, only);
  g_autoptr (GError) error = NULL;
  gdouble share = 0;

  memory->channels = 6;
  memory->channel_issue = (WpCycles){ 30, 1 };
  probe->report = check_share;
  probe->data = &share;
  ck_assert (wp_probe_measure (probe, &error)
             && wp_probe_fit_channels (probe, G_MAXUINT64, &error));
  ck_assert_uint_gt (probe->channels.channels, 0);
  ck_assert_double_gt (share, WP_PROBE_MEASURED);
}
END_TEST

/* By OpenCL a launch reads nothing that one before it has read, until the region is at its end. */
START_TEST (launches_read_on)
{
  static const struct
  {
    guint64 rounds, times;
  } launches[]
      = { { 128, 1 }, { 128, 1 }, { 256, 1 }, { 48, 3 }, { 1, 7 }, { 384, 2 }, { 128, 1 } };
  const guint32 region = 1 << 24;
  g_autofree gboolean *is_read = g_new0 (gboolean, region);
  guint32 shift = 0;

  for (gsize i = 0; i < G_N_ELEMENTS (launches); i++)
    {
      WpProbeLaunch launch = { .steps = { { .op = "ld.global", .times = launches[i].times } },
                               .n_steps = 1,
                               .rounds = launches[i].rounds };

      for (guint64 k = 0; k < launches[i].rounds * launches[i].times; k++)
        {
          guint32 at = (guint32)(shift + k * WP_OPENCL_STEP) % region;

          ck_assert_msg (!is_read[at], "launch %zu reads word %u again", i, at);
          is_read[at] = TRUE;
        }
      shift = wp_opencl_advance (&launch, shift);
    }
}
END_TEST

/* A device that fails at any launch ends the measurement with its error. */
START_TEST (failures)
{
  g_autoptr (WpGpu) gpu = load_gpu ();

  for (guint64 n = 0; n < check_get_size (MOST_FAILURES, 60); n += 1 + n / 4)
    {
      g_autoptr (WpProbeDevice) device = make_noisy (gpu, 1, 0.01, 0.02);
      g_autoptr (WpProbe) probe = wp_probe_new (device, TRUE, NULL);
      g_autoptr (GError) error = NULL;

      ((Noisy *)device)->left = n;
      ck_assert (!wp_probe_measure (probe, &error));
      ck_assert_str_eq (error->message, "the device fails");
    }
}
END_TEST

static Suite *
make_suite (void)
{
  Suite *suite = suite_create ("probe");
  TCase *tcase = tcase_create ("noise");

  tcase_set_timeout (tcase, 0);
  tcase_add_test (tcase, always_valid);
  if (check_get_size (1, 0) > 0) /* figures; what these run, the others run, too */
    {
      tcase_add_test (tcase, small_errors);
      tcase_add_test (tcase, pause_no_longer_than_a_chain);
      tcase_add_test (tcase, guesses);
      tcase_add_test (tcase, progress);
    }
  tcase_add_test (tcase, launches_read_on);
  tcase_add_test (tcase, failures);
  suite_add_tcase (suite, tcase);
  return suite;
}
