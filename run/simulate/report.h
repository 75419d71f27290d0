/* SPDX-License-Identifier: MIT */
/* The metrics of a run, computed once for whichever way they are shown. */
#pragma once

#include "run/simulate/resident.h"
#include "sim/engine/wp-device.h"
#include "sim/gpu/wp-resolve.h"

G_BEGIN_DECLS

typedef struct
{
  const gchar *name;
  gboolean per_scheduler;
  guint64 instructions;
  gdouble utilization;          /* of its instances, 0 .. 1 */
  gdouble ipc;                  /* per SM simulated */
  gdouble gflops, gbytes_per_s; /* of the whole device */
  WpSum waited;                 /* of the warps' dependency stalls: for its results */
} WpReportPipeline;

typedef struct
{
  const IdgKernel *kernel;
  const WpGpu *gpu;
  const WpResolved *resolved;
  const WpResult *result;
  const gchar *policy;
  gboolean skips;     /* steady states were looked for */
  WpTick skipped;     /* ticks of them that were not simulated */
  guint cores;        /* that may take part */
  const gchar *alone; /* why no more of them did, or NULL: see driver.h */
  gdouble cycles, time_us, ipc, mean_occupancy, mean_warp_latency, warp_throughput;
  gdouble scheduler_utilization; /* of the issue slots, 0 .. 1 */
  WpResident resident;
  WpReportPipeline *pipelines; /* [machine.n_pipelines] */
} WpReport;

/* All that follows from the arguments, which are borrowed; the caller sets what is from `policy` to
 * `alone`. */
WpReport *wp_report_new (const IdgKernel *kernel, const WpGpu *gpu, const WpResolved *resolved,
                         const WpResult *result);
void wp_report_free (WpReport *report);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (WpReport, wp_report_free)

/* Names of WpStall as the tables have them: "not_selected". */
const gchar *wp_report_get_stall_name (WpStall stall);

G_END_DECLS
