/* SPDX-License-Identifier: MIT */
/* The report of a run: what follows from the engine's sums, computed once for all that show it or
 * compare it. */
#pragma once

#include "run/simulate/by-line.h"
#include "run/simulate/estimate.h"
#include "run/simulate/resident.h"
#include "sim/engine/wp-device.h"

G_BEGIN_DECLS

/* One pipeline. */
typedef struct
{
  const gchar *name; /* borrowed from the machine */
  gboolean per_scheduler;
  guint32 shared; /* how many of the simulated SMs have an instance together */
  guint64 instructions;
  gdouble utilization;          /* of its instances; little above 1 where one is still served */
  gdouble turning;              /* of their time: instructions wait while it turns around */
  gdouble ipc;                  /* instructions a cycle and SM simulated */
  gdouble gflops, gbytes_per_s; /* of the whole device */
  WpSum waited;                 /* ticks that warps waited for its results */
} WpReportPipeline;

typedef struct WpReport
{
  const IdgKernel *kernel; /* borrowed, as are: */
  const WpGpu *gpu;
  const WpResolved *resolved;
  const WpResult *result;

  /* Set by the caller: */
  const gchar *policy;        /* its name */
  const WpPolicy *chooser;    /* the policy itself; NULL: not known */
  gboolean skips;             /* the run looked for steady states */
  WpTick skipped;             /* ticks of steady states that it did not simulate */
  guint cores;                /* cores that might take part */
  const gchar *alone;         /* why no more of them did, or NULL: see driver.h */
  const WpEstimate *estimate; /* borrowed; NULL: the run was to be exact */

  gdouble cycles, time_us;                 /* until the last warp ends */
  gdouble cycles_drained, time_drained_us; /* until the last store is done, too: WpResult.drained */
  /* Whether stores wait for a pipeline when the last warp ends, or what is just being served does
   * not fit into the time until then; use, Gflop/s and GB/s then go by the time until all is done.
   */
  gboolean stores_queued;
  gdouble ipc;                   /* instructions a cycle and SM */
  gdouble mean_occupancy;        /* warps on an SM */
  gdouble mean_warp_latency;     /* cycles */
  gdouble warp_throughput;       /* warps a cycle and SM */
  gdouble scheduler_utilization; /* of the issue slots, 0 .. 1 */
  /* How many times the simulated SMs' mean work the one with the most blocks has at least, 1 where
   * that is not known (block-work.h): it is what decides the time. */
  gdouble fullest;
  WpResident resident;
  WpReportPipeline *pipelines; /* [machine.n_pipelines] */
  GPtrArray *warnings; /* of WpWarning (warnings.h): what cannot be right, or is not known */
  GPtrArray *notes;    /* of gchar: what the import assumed, and which ops run as others */
  WpByLine *by_line;   /* NULL, or set by the caller, and owned: the run by source line */
} WpReport;

/* From this share of the time on a unit counts as busy all the time. The rest is filling and
 * draining, and where memory is contended chance: accesses come together, and then none does. */
static inline gdouble
wp_report_get_saturated (const WpReport *report)
{
  return report->resolved->machine.contended ? 0.85 : 0.9;
}

/* Computes the report of RESULT. The arguments are borrowed and must outlive it; the fields from
 * `policy` to `alone` are zero until the caller sets them. */
WpReport *wp_report_new (const IdgKernel *kernel, const WpGpu *gpu, const WpResolved *resolved,
                         const WpResult *result);
/* The same without a look for warnings, which takes longer than the rest: there are none. */
WpReport *wp_report_new_unwarned (const IdgKernel *kernel, const WpGpu *gpu,
                                  const WpResolved *resolved, const WpResult *result);
void wp_report_free (WpReport *report);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (WpReport, wp_report_free)

/* Whether blocks were left out, so that what it says is extrapolated. */
gboolean wp_report_is_estimated (const WpReport *report);

/* Returns the cycles that people are told the run takes: until the last store is done where stores
 * are queued when the last warp ends, else until that. */
gdouble wp_report_get_cycles (const WpReport *report);

/* Returns what to multiply `ipc`, `mean_occupancy`, `warp_throughput` and `scheduler_utilization`
 * by, which go by the time until the last warp ends (MODEL.md, section 9), so that they go by
 * wp_report_get_cycles(). */
gdouble wp_report_get_scale (const WpReport *report);

/* Finds the notes of REPORT, of which it has none until then: tables have no place for them. O(the
 * kernel). */
void wp_report_find_notes (WpReport *report);

/* Returns which part PART is of all warps' lives, 0 .. 1. */
gdouble wp_report_get_share (const WpReport *report, WpSum part);

/* Returns per cent of the time that pipeline INDEX is in use, 100 at most. */
gdouble wp_report_get_use (const WpReport *report, guint32 index);

/* Returns which part of the time pipeline INDEX has no room for more, 0 .. 1: it is in use, or
 * turns around; of the SM with the most blocks, where SMs do not share it. */
gdouble wp_report_get_taken (const WpReport *report, guint32 index);

/* Returns which part of the issue slots of the SM with the most blocks is taken, 0 .. 1. */
gdouble wp_report_get_issue (const WpReport *report);

/* Whether the SM with the most blocks has no more work than the others, as far as is known of what
 * pipeline INDEX does, or where there are no more pipelines, of the issue slots. */
gboolean wp_report_is_even (const WpReport *report, guint32 index);

/* Returns the pipeline of which that is the most; 0 where there is none. */
guint32 wp_report_find_busiest (const WpReport *report);

/* The name of STALL in tables and JSON: "not_selected". Static. */
const gchar *wp_report_get_stall_name (WpStall stall);

G_END_DECLS
