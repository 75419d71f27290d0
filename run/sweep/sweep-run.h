/* SPDX-License-Identifier: MIT */
/* Finds the rows of a sweep, on all cores and with all ranks, and puts them into its file. */
#pragma once

#include "run/base/progress.h"
#include "run/sweep/sweep-file.h"
#include "run/sweep/sweep-points.h"
#include "run/sweep/sweep-ranks.h"

G_BEGIN_DECLS

typedef struct
{
  guint max_cores;            /* of each process, at least 1 */
  guint64 max_issues;         /* events of all runs of this process, about; 0: no limit */
  WpRanks *ranks;             /* or NULL: this process is the only one */
  const WpProgress *progress; /* borrowed; or NULL */
  gint interrupted;           /* out: 0, or what `progress` answered, or WP_CANCELLED_LIMIT */
  guint64 refused;            /* out: rows found that have an error */
} WpSweepRun;

/* Finds the rows that FILE lacks. False with ERROR. Either way, rows
 * that were found are in FILE, and on the disk if it can be resumed. Where there are ranks, this is
 * for rank 0, which calls wp_sweep_end_help() after it. */
gboolean wp_sweep_run (WpSweepRun *run, const WpSweep *sweep, WpSweepFile *file, GError **error);

/* How a sweep ended. */
typedef struct
{
  gint status;      /* of rank 0's choice, passed to the others as it is: an exit status */
  gboolean orderly; /* no message is on its way */
} WpSweepEnd;

/* Tells the ranks above 0, of which there may be none. */
void wp_sweep_end_help (WpSweepRun *run, WpSweepEnd end);

/* For the ranks above 0: finds the rows that rank 0 asks for, until rank 0 sends END. False: it has
 * not, as this rank was interrupted (run->interrupted), or failed and has sent rank 0 the error. */
gboolean wp_sweep_help (WpSweepRun *run, const WpSweep *sweep, WpSweepEnd *end);

G_END_DECLS
