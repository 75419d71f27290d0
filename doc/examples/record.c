/* SPDX-License-Identifier: MIT */
/* What happens in a run: rows that are kept, rows that are handed on, and all that a caller may
 * want to hear of. Everything is freed by hand here, for compilers that have no g_autoptr().
 *
 *   cc record.c -o record $(pkg-config --cflags --libs warpipe) && ./record gtx980 volkov-mix
 */
#include <warpipe/warpipe.h>

#include <stdio.h>

static void
show_message (const char *message, gpointer data)
{
  (void)data;
  fprintf (stderr, "note: %s\n", message);
}

/* Counts issues by what their warps had waited for. */
static gboolean
count_issue (gconstpointer data, gpointer counts)
{
  const WpIssueRow *row = (const WpIssueRow *)data;

  ((guint64 *)counts)[row->reason]++;
  return TRUE; /* FALSE would end the run */
}

static void
show_lifetimes (const WpRecorder *recorder)
{
  gint64 ticks_per_cycle = wp_recorder_get_ticks_per_cycle (recorder);
  gsize n;
  const WpLifetimeRow *rows = wp_recorder_get_lifetimes (recorder, &n);

  for (gsize i = 0; i < n && i < 3; i++)
    {
      char *end = wp_ticks_format (rows[i].end, ticks_per_cycle);

      printf ("warp %u of block %u ended at %s, %.1f%% of its time waiting for results\n",
              rows[i].warp, (guint)rows[i].block, end,
              100 * wp_ticks_to_cycles (rows[i].dependency, ticks_per_cycle)
                  / wp_ticks_to_cycles (rows[i].end - rows[i].start, ticks_per_cycle));
      g_free (end);
    }
}

/* A kept table takes all of a run: a short one, so. */
static gboolean
record_kept (const IdgKernel *kernel, const WpGpu *gpu, const WpOptions *options, GError **error)
{
  WpRecorder *recorder
      = wp_recorder_new (WP_RECORD_LIFETIMES | WP_RECORD_OCCUPANCY | WP_RECORD_ISSUES);
  WpOptions *few = wp_options_copy (options);
  WpRunReport *report = NULL;
  gsize n_changes, n_issues;

  if (wp_options_set_number (few, "blocks", 4, error))
    report = wp_simulate (kernel, gpu, few, recorder, error);
  if (report != NULL)
    {
      show_lifetimes (recorder);
      wp_recorder_get_occupancy (recorder, &n_changes);
      wp_recorder_get_issues (recorder, &n_issues);
      printf ("%u changes of occupancy, %u issues\n", (guint)n_changes, (guint)n_issues);
    }
  wp_options_free (few);
  wp_recorder_free (recorder);
  wp_run_report_free (report);
  return report != NULL;
}

static gboolean
record_handed_on (const IdgKernel *kernel, const WpGpu *gpu, const WpOptions *options,
                  GError **error)
{
  static const char *const reasons[] = { "the launch", "a barrier", "a result", "ILP", "nothing" };
  WpRecorder *recorder = wp_recorder_new (0);
  guint64 counts[5] = { 0 };
  WpRunReport *report;

  wp_recorder_set_func (recorder, WP_RECORD_ISSUES, count_issue, counts);
  report = wp_simulate (kernel, gpu, options, recorder, error);
  for (guint i = 0; report != NULL && i < 5; i++)
    printf ("after %s: %u issues\n", reasons[i], (guint)counts[i]);
  wp_recorder_free (recorder);
  wp_run_report_free (report);
  return report != NULL;
}

int
main (int argc, char **argv)
{
  GError *error = NULL;
  WpOptions *options = wp_options_new ();
  WpGpu *gpu = argc == 3 ? wp_gpu_open (argv[1], &error) : NULL;
  IdgKernel *kernel = NULL;
  gboolean done;

  wp_options_set_messages (options, show_message, NULL);
  wp_options_set (options, "blocks", "64", NULL);
  for (guint i = 0; wp_option_get_name (i) != NULL; i++)
    if (wp_options_get (options, wp_option_get_name (i)) != NULL)
      fprintf (stderr, "warpipe %s with %s=%s\n", wp_version (), wp_option_get_name (i),
               wp_options_get (options, wp_option_get_name (i)));
  if (gpu != NULL)
    kernel = wp_kernel_open (argv[2], options, &error);
  done = kernel != NULL && record_kept (kernel, gpu, options, &error)
         && record_handed_on (kernel, gpu, options, &error);
  if (!done)
    fprintf (stderr, "%s\n", error != NULL ? error->message : "Usage: record GPU KERNEL");
  g_clear_error (&error);
  wp_options_free (options);
  idg_kernel_free (kernel);
  wp_gpu_free (gpu);
  return done ? 0 : 1;
}
