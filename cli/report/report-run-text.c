/* SPDX-License-Identifier: MIT */
/* The report of a run for people: what ran, how long it took, what limits it and why, then the
 * numbers behind that. */
#include "cli/report/report-run.h"

#include "cli/common/cli-launch.h"
#include "cli/common/cli-text.h"
#include "cli/report/report-lines.h"
#include "cli/report/report-warnings.h"
#include "run/simulate/verdict.h"

#include <stdio.h>
#include <string.h>

#define BAR_WIDTH 40

/* Instructions of a run that takes more than a moment, and generations of blocks of which few need
 * be simulated. */
#define LONG (1 << 24)
#define MANY 100

/* ---- Layout ---- */

static const gchar *const no_colours[WP_N_STALLS] = { "", "", "", "", "", "" };
/* Magenta, yellow, blue, red, cyan, dim: no reader has to tell red from green. */
static const gchar *const stall_colours[WP_N_STALLS]
    = { "\033[35m", "\033[33m", "\033[34m", "\033[31m", "\033[36m", "\033[2m" };

/* ", which share memory": what the simulated SMs have in common, or would if all were there. Free
 * with g_free(). */
static gchar *
describe_sharing (const WpMachine *machine)
{
  GString *text = g_string_new (NULL);
  guint64 passed = wp_machine_find_passed (machine);

  for (guint32 p = 0; p < machine->n_pipelines; p++)
    {
      guint32 k = wp_pipeline_get_shared (&machine->pipelines[p]);
      const gchar *name = machine->pipelines[p].name;

      if (k == 1 || (passed >> p & 1) == 0)
        continue;
      if (machine->simulated_sms == k)
        g_string_append_printf (text, ", which share %s", name);
      else if (machine->simulated_sms > k)
        g_string_append_printf (text, ", each %u of which share %s", k, name);
      else
        g_string_append_printf (text, ", with %u of %u shares of %s", machine->simulated_sms, k,
                                name);
    }
  return g_string_free (text, FALSE);
}

static void
print_header (const WpReport *report, const WpTextStyle *style)
{
  const WpMachine *machine = &report->resolved->machine;
  const WpResult *result = report->result;
  g_autofree gchar *sharing = describe_sharing (machine);
  g_autofree gchar *how = wp_describe_setting (machine, report->policy, 1);

  wp_text_print_heading (style, report->kernel->name, report->gpu->name, report->gpu->title, how);
  if (report->kernel->title != NULL)
    printf ("%s%s%s\n", style->dim, report->kernel->title, style->plain);
  if (!result->complete)
    printf ("%sStopped before its end: these are the figures of the part done.%s\n", style->bold,
            style->plain);
  fputs ("\n  launch       ", stdout);
  wp_print_launch (report->resolved);
  printf ("\n  simulated    %u of %u SM%s%s: %" G_GUINT64_FORMAT " block%s%s, %" G_GUINT64_FORMAT
          " warp%s, %" G_GUINT64_FORMAT " instruction%s\n",
          machine->simulated_sms, machine->n_sms, wp_text_plural (machine->n_sms), sharing,
          result->blocks, wp_text_plural ((gint64)result->blocks),
          report->resolved->is_sample ? " from all over the launch" : "", result->warps,
          wp_text_plural ((gint64)result->warps), result->issued,
          wp_text_plural ((gint64)result->issued));
}

/* Before what is extrapolated. */
static const gchar *
get_mark (const WpReport *report)
{
  return wp_report_is_estimated (report) ? "~" : "";
}

static void
print_estimate (const WpReport *report)
{
  const WpEstimate *estimate = report->estimate;

  if (estimate == NULL)
    return;
  if (estimate->kind == WP_ESTIMATE_PERIOD)
    puts ("  estimate     not needed: a steady state came, and the result is exact");
  else if (estimate->kind == WP_ESTIMATE_WHOLE)
    printf ("  estimate     none, all was simulated: %s\n", estimate->why);
  else
    printf ("  estimate     of %" G_GUINT64_FORMAT
            " blocks, the mean of %u generations (%u batches)"
            " after %u;\n               what has a ~, shares of time and what limits it are "
            "extrapolated\n",
            report->result->blocks - estimate->left_out, estimate->mean.n - estimate->mean.warm_up,
            estimate->mean.batches, estimate->mean.warm_up);
}

/* Where all was simulated, and an estimate would have taken a part of it. */
static const gchar *
advise_estimate (const WpReport *report)
{
  const WpMachine *machine = &report->resolved->machine;
  guint64 generation = (guint64)machine->resident_blocks * machine->simulated_sms;

  return report->estimate == NULL && report->result->issued >= LONG
                 && report->result->blocks / generation >= MANY
             ? "; --estimate takes a part of the time"
             : "";
}

/* How the run was simulated, where that is unusual. */
static void
print_making (const WpReport *report)
{
  const WpMachine *machine = &report->resolved->machine;
  gdouble skipped = (gdouble)report->skipped / (gdouble)machine->ticks_per_cycle;

  if (report->skipped > 0)
    printf ("  skipped      %.6g of %.6g cycles: steady states, simulated once\n", skipped,
            report->cycles);
  else if (report->skips && wp_machine_is_random (machine))
    printf ("  skipped      nothing: %s random, and no state recurs%s\n",
            machine->contended ? "contended memory is" : "which contexts mixes take is",
            advise_estimate (report));
  else if (report->skips && *advise_estimate (report) != '\0')
    printf ("  skipped      nothing: no state has recurred%s\n", advise_estimate (report));
  if (report->alone != NULL)
    printf ("  cores        %u: %s\n", report->cores, report->alone);
  else if (report->cores > 1)
    printf ("  cores        %u\n", report->cores);
}

/* Where stores are queued when the last warp ends, the time until they are done is what counts. */
static void
print_time (const WpReport *report, const WpTextStyle *style)
{
  const WpResult *result = report->result;
  gint64 cycle = report->resolved->machine.ticks_per_cycle;
  const gchar *bound
      = wp_warnings_get (report->warnings, "lower-bound") != NULL ? " (a lower bound)" : "";
  gchar ends[WP_TIME_CHARS], done[WP_TIME_CHARS];

  wp_tick_format (result->elapsed, cycle, ends);
  wp_tick_format (result->drained, cycle, done);
  if (wp_report_is_estimated (report))
    printf ("  time         %s~%.7g cycles%s, ~%.6g us%s, known within %.2g%%%s\n", style->bold,
            report->stores_queued ? report->cycles_drained : report->cycles, style->plain,
            report->stores_queued ? report->time_drained_us : report->time_us, bound,
            100 * report->estimate->error,
            report->stores_queued ? ", until the last store is done" : "");
  else if (!report->stores_queued)
    printf ("  time         %s%s cycles%s, %.6g us%s\n", style->bold, ends, style->plain,
            report->time_us, bound);
  else
    printf ("  time         %s%s cycles%s, %.6g us%s, until the last store is done; the last warp "
            "ends at %s\n",
            style->bold, done, style->plain, report->time_drained_us, bound, ends);
}

/* Of what was executed: how many lanes of a warp take part in an instruction. */
static void
print_lanes (const WpReport *report)
{
  const IdgCounters *counters = report->kernel->counters;
  gdouble lanes = counters == NULL ? 0 : idg_counters_get_lanes (counters);

  if (counters != NULL && counters->warp_instructions > 0)
    printf ("  lanes        %.3g of %" G_GINT64_FORMAT " active on average: %.1f%%\n", lanes,
            report->gpu->warp_size, 100 * lanes / (gdouble)report->gpu->warp_size);
}

static void
print_summary (const WpReport *report, const WpTextStyle *style)
{
  const WpMachine *machine = &report->resolved->machine;
  g_autofree gchar *limiters = wp_resident_join_limiters (&report->resident);
  gdouble scale = wp_report_get_scale (report);

  print_time (report, style);
  print_making (report);
  print_estimate (report);
  printf ("  occupancy    %s%.6g warps on average, %" G_GINT64_FORMAT
          " at most (%u block%s; limited by %s)\n",
          get_mark (report), scale * report->mean_occupancy,
          (gint64)machine->resident_blocks * machine->warps_per_block, machine->resident_blocks,
          wp_text_plural (machine->resident_blocks), limiters);
  if (report->result->warps == 0)
    puts ("  warp         none has ended yet");
  else
    printf ("  warp         lives %s%.9g cycles on average; %s%.6g warps end a cycle on an SM\n",
            get_mark (report), report->mean_warp_latency, get_mark (report),
            scale * report->warp_throughput);
  printf ("  issue        %s%.6g instructions a cycle on an SM; issue slots taken %s%.1f%%\n",
          get_mark (report), scale * report->ipc, get_mark (report),
          100 * scale * report->scheduler_utilization);
  print_lanes (report);
}

static void
print_pipelines (const WpReport *report, const WpTextStyle *style)
{
  const WpMachine *machine = &report->resolved->machine;
  const gchar *mark = wp_report_is_estimated (report) ? "~" : " ";

  printf (
      "\n%sPipelines%s           instructions   %sin use %sIPC an SM    %sGflop/s       %sGB/s\n",
      style->bold, style->plain, mark, mark, mark, mark);
  for (guint32 i = 0; i < machine->n_pipelines; i++)
    {
      const WpReportPipeline *pipeline = &report->pipelines[i];
      g_autofree gchar *name
          = pipeline->shared > 1
                ? g_strdup_printf ("%s (of %u SMs)", pipeline->name, pipeline->shared)
                : g_strdup_printf ("%s%s", pipeline->name,
                                   pipeline->per_scheduler ? " (each)" : "");

      printf ("  %-18s%12" G_GUINT64_FORMAT "  %6.1f%%  %9.4g  %10.5g  %10.5g\n", name,
              pipeline->instructions, wp_report_get_use (report, i),
              wp_report_get_scale (report) * pipeline->ipc, pipeline->gflops,
              pipeline->gbytes_per_s);
    }
}

static void
print_stalls (const WpReport *report, const WpTextStyle *style)
{
  static const gchar *const labels[WP_N_STALLS]
      = { "at a barrier",     "for a result",      "between own issues",
          "for the pipeline", "for the scheduler", "for its last results" };

  const gchar *const *colours = style->colour ? stall_colours : no_colours;

  printf ("\n%sWhere the warps' time went%s%s\n", style->bold, style->plain,
          wp_report_is_estimated (report) ? " ~" : "");
  for (guint i = 0; i < WP_N_STALLS; i++)
    {
      gdouble share = wp_report_get_share (report, report->result->stalls[i]);

      printf ("  %-22s%6.1f%%", labels[i], 100 * share);
      wp_text_print_bar (style, colours[i], share, BAR_WIDTH);
      for (guint32 p = 0; i == WP_STALL_DEPENDENCY && p < report->resolved->machine.n_pipelines;
           p++)
        if (report->pipelines[p].waited.lo != 0 || report->pipelines[p].waited.hi != 0)
          printf ("%s    of %-17s%6.1f%%%s\n", style->dim, report->pipelines[p].name,
                  100 * wp_report_get_share (report, report->pipelines[p].waited), style->plain);
    }
}

void
wp_report_print_text (const WpReport *report)
{
  WpTextStyle style = wp_text_style_get_own ();
  g_autoptr (WpVerdict) verdict = wp_report_get_verdict (report);

  print_header (report, &style);
  print_summary (report, &style);
  wp_print_warnings (report->warnings, &style);
  printf ("\n%sWhat limits it%s\n", style.bold, style.plain);
  wp_text_print_wrapped (verdict->text);
  print_pipelines (report, &style);
  if (report->result->warps > 0)
    print_stalls (report, &style);
  wp_print_by_line (report, &style);
}
