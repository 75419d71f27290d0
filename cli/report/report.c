/* SPDX-License-Identifier: MIT */
/* Exact sums become ratios here, and nowhere earlier. */
#include "cli/report/report.h"

#include "cli/common/cli-json.h"

static gdouble
to_cycles (const WpReport *report, WpSum sum)
{
  return wp_sum_to_double (sum) / (gdouble)report->resolved->machine.ticks_per_cycle;
}

static gdouble
divide (gdouble a, gdouble b)
{
  return b == 0 ? 0 : a / b;
}

static void
fill_pipeline (WpReport *report, guint32 index)
{
  const WpMachine *machine = &report->resolved->machine;
  const WpPipelineDesc *desc = &machine->pipelines[index];
  WpPipelineUse use = wp_result_pipeline_use (report->result, machine, index);
  WpReportPipeline *pipeline = &report->pipelines[index];
  guint32 instances = machine->simulated_sms * (desc->per_scheduler ? machine->n_schedulers : 1);
  /* Work for each nanosecond, scaled from the simulated SMs to all. */
  gdouble scale = divide ((gdouble)machine->n_sms, report->time_us * 1000 * machine->simulated_sms);

  pipeline->name = desc->name;
  pipeline->per_scheduler = desc->per_scheduler;
  pipeline->instructions = use.instructions;
  pipeline->utilization = divide (to_cycles (report, use.busy), report->cycles * instances);
  pipeline->ipc = divide ((gdouble)use.instructions, report->cycles * machine->simulated_sms);
  pipeline->gflops = use.flops * scale;
  pipeline->gbytes_per_s = use.bytes * scale;
  pipeline->waited = report->result->waits[index];
}

WpReport *
wp_report_new (const IdgKernel *kernel, const WpGpu *gpu, const WpResolved *resolved,
               const WpResult *result)
{
  WpReport *report = g_new0 (WpReport, 1);
  const WpMachine *machine = &resolved->machine;
  gdouble mhz = wp_cycles_to_double (gpu->clock_mhz);
  gdouble sm_cycles;

  report->kernel = kernel;
  report->gpu = gpu;
  report->resolved = resolved;
  report->result = result;
  report->cycles = to_cycles (report, (WpSum){ 0, (guint64)result->elapsed });
  report->time_us = report->cycles / mhz;
  sm_cycles = report->cycles * machine->simulated_sms;
  report->ipc = divide ((gdouble)result->issued, sm_cycles);
  report->warp_throughput = divide ((gdouble)result->warps, sm_cycles);
  report->mean_occupancy = divide (
      to_cycles (report, result->complete ? result->lifetimes : result->occupied), sm_cycles);
  report->mean_warp_latency
      = divide (to_cycles (report, result->lifetimes), (gdouble)result->warps);
  report->scheduler_utilization = divide (to_cycles (report, result->slot_time),
                                          sm_cycles * machine->n_schedulers * machine->issue_limit);
  wp_resident_init (&report->resident, resolved);
  report->pipelines = g_new0 (WpReportPipeline, machine->n_pipelines + 1);
  for (guint32 i = 0; i < machine->n_pipelines; i++)
    fill_pipeline (report, i);
  return report;
}

void
wp_report_free (WpReport *report)
{
  if (report == NULL)
    return;
  wp_resident_clear (&report->resident);
  g_free (report->pipelines);
  g_free (report);
}

const gchar *
wp_report_get_stall_name (WpStall stall)
{
  static const gchar *const names[WP_N_STALLS]
      = { "barrier", "dependency", "ilp", "pipeline", "not_selected", "drain" };

  return names[stall];
}

/* ---- JSON ---- */

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
      wp_json_end (json, '}');
    }
  wp_json_end (json, ']');
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
  wp_json_string (&json, "order", machine->dataflow ? "dataflow" : "program");
  wp_json_string (&json, "memory", machine->contended ? "contended" : "ideal");
  wp_json_unsigned (&json, "seed", machine->seed);
  wp_json_unsigned (&json, "sms", machine->simulated_sms);
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
  wp_json_end (&json, '}');
}
