/* SPDX-License-Identifier: MIT */
/* How long a run takes whose states do not recur, from a part of its blocks: simulated until the
 * mean time between blocks is known well enough; then blocks are left out, as many whole
 * generations as there are, and the end of the grid is simulated again (doc/performance.md).
 *
 *   WpEstimate estimate = { .bound = 0.01 };
 *   WpDrive drive = { .estimate = &estimate };   // see driver.h
 *   ...
 *   if (estimate.kind == WP_ESTIMATE_MADE)
 *     result = wp_estimate_extrapolate (&estimate, machine, wp_simulation_get_result (simulation));
 */
#pragma once

#include "run/simulate/estimate-mean.h"
#include "run/simulate/simulation.h"

G_BEGIN_DECLS

typedef enum
{
  WP_ESTIMATE_NONE,   /* the run has not ended, or nobody asked */
  WP_ESTIMATE_MADE,   /* blocks were left out */
  WP_ESTIMATE_PERIOD, /* exact: a state came again before the mean was known */
  WP_ESTIMATE_WHOLE   /* exact: all has been simulated; see `why` */
} WpEstimateKind;

typedef struct
{
  gdouble bound; /* of the relative error: above 0, below 1 */

  /* Out: */
  WpEstimateKind kind;
  const gchar *why;           /* why all was simulated; static */
  guint64 left_out;           /* blocks */
  guint64 generation;         /* blocks that fit at a time on all simulated SMs */
  WpEstimateMean mean;        /* of a generation's time, in ticks */
  gdouble half, tail;         /* ticks: of what was left out, of the end */
  gdouble error;              /* relative, of the whole time: 0 where it is exact */
  gboolean goes_side_by_side; /* a period would have come: other cores are the better choice */

  /* Private: blocks. */
  guint64 first, end; /* the longest stretch that runs the same programs */
  guint64 next;       /* when that many have been handed out it is looked again */
  gboolean over;      /* no more looks */
  gboolean recurs;    /* a state may */
  gdouble per_block;  /* instructions */
} WpEstimate;

/* ESTIMATE, which has a bound, is of SIMULATION, which has been started and has not run. False with
 * ERROR: memory is out. */
gboolean wp_estimate_begin (WpEstimate *estimate, const WpSimulation *simulation, GError **error);

/* How many events may follow before the next wp_estimate_look(), at most. */
guint64 wp_estimate_get_slice (const WpEstimate *estimate, const WpSimulation *simulation);

/* To be called between slices. What comes of it does not depend on how long these were. */
void wp_estimate_look (WpEstimate *estimate, const WpSimulation *simulation);

/* The run is at its end. */
void wp_estimate_end (WpEstimate *estimate, const WpSimulation *simulation);

/* The totals of the whole grid, where blocks were left out: of PART, those of the rest. Blocks,
 * warps and instructions are exact (which contexts mixes took, by their weights); times go with the
 * time, and what pipelines and schedulers did with the instructions. Free with wp_result_free(). */
WpResult *wp_estimate_extrapolate (const WpEstimate *estimate, const WpMachine *machine,
                                   const WpResult *part);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (WpResult, wp_result_free)

G_END_DECLS
