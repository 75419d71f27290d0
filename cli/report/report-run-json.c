/* SPDX-License-Identifier: MIT */
/* The report of a run for scripts (FORMATS.md): times are exact decimals, ratios have twelve
 * digits. */
#include "cli/report/report-run.h"

#include "cli/common/cli-json.h"
#include "cli/common/cli-launch.h"
#include "cli/report/report-lines.h"
#include "cli/report/report-warnings.h"
#include "run/base/policy-file.h"
#include "run/simulate/verdict.h"

static void
write_ticks (WpJson *json, const WpReport *report, const gchar *name, WpSum ticks)
{
  gchar text[WP_TIME_CHARS];

  wp_json_literal (json, name,
                   wp_sum_format (ticks, report->resolved->machine.ticks_per_cycle, text));
}

static void
write_pipelines (WpJson *json, const WpReport *report)
{
  wp_json_begin (json, "pipelines", '[');
  for (guint32 i = 0; i < report->resolved->machine.n_pipelines; i++)
    {
      const WpReportPipeline *pipeline = &report->pipelines[i];

      wp_json_begin (json, NULL, '{');
      wp_json_string (json, "name", pipeline->name);
      wp_json_unsigned (json, "instructions", pipeline->instructions);
      wp_json_ratio (json, "utilization", pipeline->utilization);
      wp_json_ratio (json, "ipc", pipeline->ipc);
      wp_json_ratio (json, "gflops", pipeline->gflops);
      wp_json_ratio (json, "gbytes_per_s", pipeline->gbytes_per_s);
      write_ticks (json, report, "dependency", pipeline->waited);
      if (report->resolved->machine.pipelines[i].turnaround > 0)
        wp_json_ratio (json, "turning", pipeline->turning);
      if (pipeline->shared > 1)
        wp_json_unsigned (json, "shared", pipeline->shared);
      wp_json_end (json, '}');
    }
  wp_json_end (json, ']');
}

/* What of the report follows from the part that was simulated. What is not named is exact. */
static const gchar *const extrapolated[] = { "cycles",
                                             "cycles_drained",
                                             "time_us",
                                             "time_drained_us",
                                             "ipc",
                                             "mean_occupancy",
                                             "mean_warp_latency",
                                             "warp_throughput",
                                             "pipelines",
                                             "stalls",
                                             "scheduler_utilization",
                                             "stores_queued",
                                             "verdict" };

static void
write_estimate (WpJson *json, const WpReport *report)
{
  static const gchar *const kinds[] = { "none", "estimated", "period", "whole" };
  const WpEstimate *estimate = report->estimate;

  if (estimate == NULL)
    return;
  wp_json_begin (json, "estimate", '{');
  wp_json_string (json, "kind", kinds[estimate->kind]);
  wp_json_ratio (json, "bound", estimate->bound);
  wp_json_ratio (json, "error", estimate->error);
  wp_json_unsigned (json, "simulated_blocks", report->result->blocks - estimate->left_out);
  if (estimate->kind == WP_ESTIMATE_WHOLE)
    wp_json_string (json, "why", estimate->why);
  if (estimate->kind == WP_ESTIMATE_MADE)
    {
      wp_json_unsigned (json, "generations", estimate->mean.n);
      wp_json_unsigned (json, "warm_up", estimate->mean.warm_up);
      wp_json_unsigned (json, "batches", estimate->mean.batches);
      wp_json_begin (json, "extrapolated", '[');
      for (guint i = 0; i < G_N_ELEMENTS (extrapolated); i++)
        wp_json_string (json, NULL, extrapolated[i]);
      if (report->by_line != NULL && report->by_line->n > 0)
        wp_json_string (json, NULL, "by_line");
      wp_json_end (json, ']');
    }
  wp_json_end (json, '}');
}

static void
write_verdict (WpJson *json, const WpReport *report)
{
  g_autoptr (WpVerdict) verdict = wp_report_get_verdict (report);

  wp_json_begin (json, "verdict", '{');
  wp_json_string (json, "text", verdict->text);
  wp_json_string (json, "kind", verdict->kind);
  wp_json_string (json, "resource", verdict->resource);
  wp_json_end (json, '}');
}

/* Of a policy from a library, and then also where it has none. */
static void
write_knobs (WpJson *json, const WpPolicy *policy)
{
  const gchar *name;
  gint64 value;

  if (policy == NULL || !wp_policy_is_loaded (policy))
    return;
  wp_json_begin (json, "policy_set", '{');
  for (guint i = 0; (name = wp_policy_get_knob (policy, i, &value)) != NULL; i++)
    {
      g_autofree gchar *text = g_strdup_printf ("%" G_GINT64_FORMAT, value);

      wp_json_literal (json, name, text);
    }
  wp_json_end (json, '}');
}

void
wp_report_write_json (const WpReport *report, FILE *out)
{
  const WpMachine *machine = &report->resolved->machine;
  const WpResult *result = report->result;
  WpJson json = { .out = out };

  wp_json_begin (&json, NULL, '{');
  wp_json_string (&json, "kernel", report->kernel->name);
  wp_json_string (&json, "gpu", report->gpu->name);
  wp_json_string (&json, "policy", report->policy);
  write_knobs (&json, report->chooser);
  wp_json_string (&json, "order", machine->dataflow ? "dataflow" : "program");
  wp_json_string (&json, "memory", machine->contended ? "contended" : "ideal");
  wp_json_unsigned (&json, "seed", machine->seed);
  wp_json_unsigned (&json, "sms", machine->simulated_sms);
  if (report->resolved->is_sample)
    wp_json_boolean (&json, "blocks_spread", TRUE);
  wp_json_boolean (&json, "complete", result->complete);
  wp_json_launch (&json, report->resolved);
  wp_json_unsigned (&json, "ticks_per_cycle", (guint64)machine->ticks_per_cycle);
  write_ticks (&json, report, "cycles", (WpSum){ 0, (guint64)result->elapsed });
  write_ticks (&json, report, "skipped", (WpSum){ 0, (guint64)report->skipped });
  wp_json_unsigned (&json, "cores", report->cores);
  wp_json_ratio (&json, "time_us", report->time_us);
  wp_json_unsigned (&json, "blocks", result->blocks);
  wp_json_unsigned (&json, "warps", result->warps);
  wp_json_unsigned (&json, "instructions", result->issued);
  wp_json_ratio (&json, "ipc", report->ipc);
  wp_json_unsigned (&json, "resident_blocks", (guint64)report->resident.blocks);
  wp_json_unsigned (&json, "resident_warps", (guint64)report->resident.warps);
  wp_json_ratio (&json, "mean_occupancy", report->mean_occupancy);
  wp_json_ratio (&json, "mean_warp_latency", report->mean_warp_latency);
  wp_json_ratio (&json, "warp_throughput", report->warp_throughput);
  wp_json_ratio (&json, "scheduler_utilization", report->scheduler_utilization);
  write_pipelines (&json, report);
  wp_json_begin (&json, "stalls", '{');
  for (guint i = 0; i < WP_N_STALLS; i++)
    write_ticks (&json, report, wp_report_get_stall_name (i), result->stalls[i]);
  wp_json_end (&json, '}');
  wp_json_limiters (&json, &report->resident);
  write_ticks (&json, report, "cycles_drained", (WpSum){ 0, (guint64)result->drained });
  wp_json_ratio (&json, "time_drained_us", report->time_drained_us);
  wp_json_boolean (&json, "stores_queued", report->stores_queued);
  if (wp_machine_has_mixes (machine))
    wp_json_boolean (&json, "estimated", true);
  write_estimate (&json, report);
  write_verdict (&json, report);
  wp_json_warnings (&json, report->warnings, report->notes);
  wp_json_counters (&json, report);
  wp_json_by_line (&json, report);
  wp_json_end (&json, '}');
}
