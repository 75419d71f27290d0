/* SPDX-License-Identifier: MIT */
/* Rows of a sweep, on all cores, into its file. */
#pragma once

#include "cli/cli-pace.h"
#include "cli/sweep-file.h"
#include "cli/sweep.h"

G_BEGIN_DECLS

typedef struct
{
  guint max_cores;          /* at least 1 */
  guint64 max_issues;       /* of all runs together; see wp_cli_main() */
  const WpSignals *signals; /* held by the caller */
  gint interrupted;         /* out: the signal that ended it (SIGINT for max_issues), or 0 */
  guint64 refused;          /* out: rows found that have an error */
} WpSweepRun;

/* Finds the rows that FILE lacks, showing progress on a terminal. False with ERROR; either way, what is done is in FILE,
 * and what can be resumed is on the disk. */
gboolean wp_sweep_run (WpSweepRun *run, const WpSweep *sweep, WpSweepFile *file, GError **error);

G_END_DECLS
