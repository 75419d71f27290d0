/* SPDX-License-Identifier: MIT */
/* Many simulations, side by side on the processor's cores, each on one of them. Results do not
 * depend on how many cores there are, nor does the error where several runs fail: it is that of the
 * first in the list.
 */
#pragma once

#include "run/base/progress.h"
#include "run/simulate/simulation.h"

G_BEGIN_DECLS

#define WP_BATCH_OBSERVERS 4 /* of a run, at most */

/* One of them. */
typedef struct
{
  const IdgKernel *kernel; /* borrowed, as GPU and the next two; several runs may share them */
  const WpGpu *gpu;
  const WpPolicy *policy;                          /* NULL: the batch's */
  const WpObserver *observers[WP_BATCH_OBSERVERS]; /* its own, up to the first NULL */
  WpRunOptions options;
  /* NULL, or called with a simulation that has ended, before it is freed; on one of the threads,
   * once for each run. */
  void (*look) (const WpSimulation *simulation, gpointer data);
  gpointer data;
  gdouble work; /* to others', about how much there is: the most goes first; 0: not known */

  /* Out: */
  gdouble cycles;
  guint64 warps, instructions; /* simulated */
  guint sms;                   /* simulated: several, where they share a pipeline */
  GError *error;               /* private */
} WpBatchRun;

typedef struct
{
  const WpPolicy *policy;
  guint max_cores;            /* threads, at least 1 */
  guint64 max_issues;         /* events of all runs together, about; 0: no limit */
  const WpProgress *progress; /* borrowed; or NULL */
  gint failed;                /* out: the run whose error it is, or -1 */
  gint interrupted;           /* out: 0, or what `progress` answered, or WP_CANCELLED_LIMIT */
} WpBatch;

/* Simulates RUNS [n]. False with ERROR; true where it was interrupted: then runs may not have
 * ended.
 */
gboolean wp_batch_run (WpBatch *batch, WpBatchRun *runs, guint n, GError **error);

/* Warps, and instructions, a cycle and SM simulated; infinite where the run took no time. */
gdouble wp_batch_run_get_warp_throughput (const WpBatchRun *run);
gdouble wp_batch_run_get_ipc (const WpBatchRun *run);

G_END_DECLS
