/* SPDX-License-Identifier: MIT */
/* What bounds a kernel, without a simulation: what `warpipe bounds` finds, as a report that holds
 * copies of all that it shows. */
#include "run/api/options.h"
#include "run/base/check-ops.h"
#include "run/simulate/bounds-report.h"
#include "run/simulate/find-bounds.h"

#include <math.h>

/* A report, and the memory of what it points to. */
typedef struct
{
  WpBoundsSummary summary; /* first, so that one is the other */
  GStringChunk *texts;
  WpUnitUse *units;
  GPtrArray *limiters;
} Whole;

static const gchar *
keep (Whole *whole, const gchar *text)
{
  return g_string_chunk_insert_const (whole->texts, text);
}

static void
fill_units (Whole *whole, const WpBoundsReport *from)
{
  gint64 cycle = from->bounds->machine->ticks_per_cycle;

  whole->units = g_new0 (WpUnitUse, from->n_units);
  for (guint i = 0; i < from->n_units; i++)
    {
      const WpBoundsUnit *unit = &from->units[i];

      whole->units[i] = (WpUnitUse){
        .name = keep (whole, unit->name),
        .instances = unit->instances,
        .cycles = wp_mean_to_double (unit->use) / (double)cycle,
        .gflops = wp_bounds_report_get_rate (from, unit->flops, from->throughput),
        .gbytes_per_s = wp_bounds_report_get_rate (from, unit->bytes, from->throughput),
      };
    }
  whole->summary.n_units = from->n_units;
  whole->summary.units = whole->units;
}

static WpBoundsSummary *
summarise (const WpBoundsReport *from)
{
  Whole *whole = g_new0 (Whole, 1);
  WpBoundsSummary *summary = &whole->summary;
  double cycle = (double)from->bounds->machine->ticks_per_cycle;

  whole->texts = g_string_chunk_new (1 << 10);
  summary->kernel = keep (whole, from->kernel->name);
  summary->gpu = keep (whole, from->gpu->name);
  summary->regime = from->is_enough ? "throughput" : "latency";
  summary->estimates = from->estimates;
  summary->latency_bound = wp_mean_to_double (from->bounds->latency) / cycle;
  summary->throughput_bound = wp_mean_to_double (from->bounds->throughput) / cycle;
  summary->tightest = keep (whole, from->tightest->name);
  summary->needed_occupancy = from->needed;
  summary->occupancy = from->warps;
  summary->resident_blocks = from->resident.blocks;
  summary->resident_warps = from->resident.warps;
  summary->warp_throughput = from->throughput;
  summary->cycles = from->cycles;
  summary->time_us = from->time_us;
  summary->floor = from->no_floor == NULL ? (double)from->floor.time / cycle : (double)NAN;
  fill_units (whole, from);
  whole->limiters = wp_api_keep_list (whole->texts, from->resident.limiters);
  summary->limiters = (const char *const *)whole->limiters->pdata;
  return summary;
}

static WpBoundsSummary *
find (const IdgKernel *kernel, const WpGpu *gpu, const WpOptions *options, WpRequest *request,
      GError **error)
{
  g_autoptr (WpResolved) resolved = wp_resolve (kernel, gpu, &request->run, error);
  g_autoptr (WpBoundsReport) report = NULL;
  WpBoundsSummary *summary = NULL;
  gint interrupted = 0;
  WpWatcher watcher;
  WpBounds *bounds;

  if (resolved == NULL)
    return NULL;
  wp_watcher_init (&watcher, options);
  bounds = wp_find_bounds (kernel, &resolved->machine, &watcher.progress, 0, &interrupted, error);
  if (interrupted != 0)
    wp_api_cancelled (error);
  if (bounds != NULL)
    report = wp_bounds_report_new (kernel, gpu, resolved, bounds, request->run.no_limits);
  if (report != NULL)
    summary = summarise (report);
  wp_bounds_free (bounds);
  return summary;
}

WpBoundsSummary *
wp_bounds_find (const IdgKernel *kernel, const WpGpu *gpu, const WpOptions *options, GError **error)
{
  WpBoundsSummary *summary = NULL;
  GError *problem = NULL;
  WpRequest request;

  g_return_val_if_fail (kernel != NULL && gpu != NULL, NULL);
  if (!wp_options_read (options, &request, error))
    return NULL;
  if (wp_check_ops (kernel, gpu, request.strict, wp_options_tell, (gpointer)options, &problem))
    summary = find (kernel, gpu, options, &request, &problem);
  if (summary == NULL)
    wp_api_propagate (error, problem);
  return summary;
}

void
wp_bounds_summary_free (WpBoundsSummary *summary)
{
  Whole *whole = (Whole *)summary;

  if (whole == NULL)
    return;
  g_string_chunk_free (whole->texts);
  g_ptr_array_unref (whole->limiters);
  g_free (whole->units);
  g_free (whole);
}
