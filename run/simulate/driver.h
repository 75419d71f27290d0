/* SPDX-License-Identifier: MIT */
/* Drives a run to its end: shows progress, ends at Ctrl-C, stops when a recorder can no longer
 * write. */
#pragma once

#include "cli/page/page.h"
#include "run/base/progress.h"
#include "run/simulate/simulation.h"
#include "traces/table/wp-trace.h"

G_BEGIN_DECLS

/* How a run is driven, and how that went. */
typedef struct
{
  WpTrace *const *traces; /* [n_traces]: the first that has failed ends the run */
  guint n_traces;
  const WpPageRun *page;    /* is recorded, too; or NULL */
  guint64 max_issues;       /* see wp_cli_main() */
  const WpSignals *signals; /* held by the caller */
  guint max_cores;          /* at least 1 */

  /* Out: */
  gint interrupted; /* the signal that ended it (SIGINT for max_issues), or 0 */
  guint cores;      /* how many may take part: 1 where SMs need not, or cannot, run side by side */
  const gchar *alone; /* several SMs differ: why no more of them did; or NULL */
} WpDrive;

/* Runs SIMULATION, which has been started, to its end. False with ERROR: a time overflowed. */
gboolean wp_drive (const WpSimulation *simulation, WpDrive *drive, GError **error);

G_END_DECLS
