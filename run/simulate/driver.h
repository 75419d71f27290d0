/* SPDX-License-Identifier: MIT */
/* Drives one run to its end, with several threads for its SMs where that helps. */
#pragma once

#include "run/base/progress.h"
#include "run/simulate/estimate.h"

G_BEGIN_DECLS

/* Whether the observers of a run want more of it. */
typedef enum
{
  WP_WATCH_MORE,
  WP_WATCH_OVER,  /* they have seen what they wanted: the run may go on unobserved */
  WP_WATCH_FAILED /* they can no longer take what they see: the run is to end */
} WpWatchState;

/* What a driver knows of the observers that a simulation was started with. Zeros: there are none,
 * or they want all. */
typedef struct
{
  WpWatchState (*get_state) (gpointer data); /* asked between slices; or NULL */
  gpointer data;
  /* Why SMs may not run side by side while they are observed, for the report; or NULL. */
  const gchar *why_in_order;
} WpWatch;

/* How a run is driven, and how that went. */
typedef struct
{
  WpWatch watch;
  guint64 max_issues;         /* end after about that many events; 0: no limit */
  const WpProgress *progress; /* borrowed; or NULL */
  guint max_cores;            /* at least 1 */
  WpEstimate *estimate;       /* borrowed; or NULL: the run is to be exact */

  /* Out: */
  gint interrupted; /* 0, or what `progress` answered, or WP_CANCELLED_LIMIT */
  guint cores;      /* how many may take part: 1 where SMs need not, or cannot, run side by side */
  const gchar *alone; /* several SMs differ: why no more of them did; or NULL */
} WpDrive;

/* Runs SIMULATION, which has been started, to its end, or until it is interrupted or its observers
 * have failed. False with ERROR: a time overflowed. */
gboolean wp_drive (const WpSimulation *simulation, WpDrive *drive, GError **error);

G_END_DECLS
