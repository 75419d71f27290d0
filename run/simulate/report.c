/* SPDX-License-Identifier: MIT */
/* The engine sums exactly, in ticks; ratios are made from those sums here, and nowhere earlier. */
#include "run/simulate/report.h"

#include "run/simulate/block-work.h"
#include "run/simulate/warnings-find.h"

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

gdouble
wp_report_get_cycles (const WpReport *report)
{
  return report->stores_queued ? report->cycles_drained : report->cycles;
}

gdouble
wp_report_get_scale (const WpReport *report)
{
  return report->stores_queued ? divide (report->cycles, report->cycles_drained) : 1;
}

static void
fill_pipeline (WpReport *report, guint32 index)
{
  const WpMachine *machine = &report->resolved->machine;
  const WpPipelineDesc *desc = &machine->pipelines[index];
  WpPipelineUse use = wp_result_pipeline_use (report->result, machine, index);
  WpReportPipeline *pipeline = &report->pipelines[index];
  guint64 instances = wp_machine_count_instances (machine, index);
  gdouble cycles = wp_report_get_cycles (report);
  gdouble time_us = report->stores_queued ? report->time_drained_us : report->time_us;
  /* Work for each nanosecond, scaled from the simulated SMs to all. */
  gdouble scale = divide ((gdouble)machine->n_sms, time_us * 1000 * machine->simulated_sms);

  pipeline->name = desc->name;
  pipeline->per_scheduler = desc->per_scheduler;
  pipeline->shared = wp_machine_count_sharers (&report->resolved->machine, index, 0);
  pipeline->instructions = use.instructions;
  pipeline->utilization = divide (to_cycles (report, use.busy), cycles * (gdouble)instances);
  /* What has begun when a run is stopped counts whole, and ends later. */
  if (!report->result->complete)
    pipeline->utilization = MIN (pipeline->utilization, 1);
  pipeline->turning
      = divide (to_cycles (report, report->result->turned[index]), cycles * (gdouble)instances);
  pipeline->ipc = divide ((gdouble)use.instructions, report->cycles * machine->simulated_sms);
  pipeline->gflops = use.flops * scale;
  pipeline->gbytes_per_s = use.bytes * scale;
  pipeline->waited = report->result->waits[index];
}

static void
fill_times (WpReport *report)
{
  const WpResult *result = report->result;
  gdouble mhz = wp_cycles_to_double (report->gpu->clock_mhz);

  report->cycles = to_cycles (report, (WpSum){ 0, (guint64)result->elapsed });
  report->time_us = report->cycles / mhz;
  report->cycles_drained = to_cycles (report, (WpSum){ 0, (guint64)result->drained });
  report->time_drained_us = report->cycles_drained / mhz;
  report->stores_queued = wp_result_has_queue (result, &report->resolved->machine);
}

WpReport *
wp_report_new_unwarned (const IdgKernel *kernel, const WpGpu *gpu, const WpResolved *resolved,
                        const WpResult *result)
{
  WpReport *report = g_new0 (WpReport, 1);
  const WpMachine *machine = &resolved->machine;
  gdouble sm_cycles;

  report->kernel = kernel;
  report->gpu = gpu;
  report->resolved = resolved;
  report->result = result;
  fill_times (report);
  sm_cycles = report->cycles * machine->simulated_sms;
  report->ipc = divide ((gdouble)result->issued, sm_cycles);
  report->warp_throughput = divide ((gdouble)result->warps, sm_cycles);
  report->mean_occupancy = divide (
      to_cycles (report, result->complete ? result->lifetimes : result->occupied), sm_cycles);
  report->mean_warp_latency
      = divide (to_cycles (report, result->lifetimes), (gdouble)result->warps);
  report->scheduler_utilization = divide (to_cycles (report, result->slot_time),
                                          sm_cycles * machine->n_schedulers * machine->issue_limit);
  report->fullest = result->complete ? wp_block_work_get_fullest (machine, result) : 1;
  wp_resident_init (&report->resident, resolved);
  report->pipelines = g_new0 (WpReportPipeline, machine->n_pipelines + 1);
  for (guint32 i = 0; i < machine->n_pipelines; i++)
    fill_pipeline (report, i);
  report->warnings = wp_warnings_new ();
  report->notes = g_ptr_array_new ();
  return report;
}

WpReport *
wp_report_new (const IdgKernel *kernel, const WpGpu *gpu, const WpResolved *resolved,
               const WpResult *result)
{
  WpReport *report = wp_report_new_unwarned (kernel, gpu, resolved, result);

  wp_warnings_find_in_setting (report->warnings, kernel, gpu, resolved);
  wp_warnings_find_in_run (report->warnings, report);
  return report;
}

void
wp_report_find_notes (WpReport *report)
{
  g_ptr_array_unref (report->notes);
  report->notes = wp_notes_find (report->kernel, report->gpu);
}

gboolean
wp_report_is_estimated (const WpReport *report)
{
  return report->estimate != NULL && report->estimate->kind == WP_ESTIMATE_MADE;
}

void
wp_report_free (WpReport *report)
{
  if (report == NULL)
    return;
  wp_resident_clear (&report->resident);
  g_ptr_array_unref (report->warnings);
  g_ptr_array_unref (report->notes);
  g_free (report->pipelines);
  wp_by_line_free (report->by_line);
  g_free (report);
}

gdouble
wp_report_get_share (const WpReport *report, WpSum part)
{
  gdouble whole = wp_sum_to_double (report->result->lifetimes);

  return whole == 0 ? 0 : wp_sum_to_double (part) / whole;
}

gdouble
wp_report_get_use (const WpReport *report, guint32 index)
{
  return 100 * MIN (report->pipelines[index].utilization, 1);
}

const gchar *
wp_report_get_stall_name (WpStall stall)
{
  static const gchar *const names[WP_N_STALLS]
      = { "barrier", "dependency", "ilp", "pipeline", "not_selected", "drain" };

  return names[stall];
}
