/* SPDX-License-Identifier: MIT */
/* Rows of a sweep, on all cores and by all ranks, into its file. */
#pragma once

#include "run/base/progress.h"
#include "run/sweep/sweep-file.h"
#include "run/sweep/sweep-ranks.h"
#include "run/sweep/sweep.h"

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

/* Finds the rows that FILE lacks. False with ERROR; either way,
 * what is done is in FILE, and what can be resumed is on the disk. Where there are ranks, this is
 * rank 0; wp_sweep_end_help() comes after. */
gboolean wp_sweep_run (WpSweepRun *run, const WpSweep *sweep, WpSweepFile *file, GError **error);

/* How a sweep ended. */
typedef struct
{
  gint status;      /* rank 0's own word for it, which the others get as it is: an exit status */
  gboolean orderly; /* no message is under way */
} WpSweepEnd;

/* Tells the ranks above 0, of which there may be none. */
void wp_sweep_end_help (WpSweepRun *run, WpSweepEnd end);

/* What the ranks above 0 do: finds the rows that rank 0 asks for, until it says how all ended, in
 * END. False: it has not, as this rank was interrupted (run->interrupted) or could not go on, which
 * rank 0 has been told. */
gboolean wp_sweep_help (WpSweepRun *run, const WpSweep *sweep, WpSweepEnd *end);

G_END_DECLS
