/* SPDX-License-Identifier: MIT */
/* Long computations, in slices. The caller of one hands in a WpProgress, which is asked between
 * two slices whether to go on, and which hears how far the computation has come. Nothing is printed
 * here, and no signal is known here: both are the caller's.
 */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* ---- For callers ---- */

/* What WpProgressReport counts. */
typedef enum
{
  WP_WORK_INSTRUCTIONS, /* simulated */
  WP_WORK_RUNS,
  WP_WORK_ROWS,       /* of a table */
  WP_WORK_LINES,      /* of a file that is read */
  WP_WORK_EXECUTED,   /* instructions of warps: before anything is simulated */
  WP_WORK_DIVERGENCE, /* nothing: two schedules are compared until they differ */
  WP_WORK_LAUNCHES,   /* of microbenchmarks */
  WP_WORK_FIT         /* nothing: channels of memory are fitted to what was measured */
} WpWork;

/* How far a computation has come. */
typedef struct
{
  WpWork work;
  gdouble share;       /* of all the work, 0 .. 1 */
  guint64 done, total; /* units of it; total 0: unknown */
  guint64 earlier;     /* those of DONE that were there before the clock was started */
  gdouble seconds;     /* since the clock was started */
} WpProgressReport;

/* Who watches a computation; each member may be NULL. Both functions are called on the thread that
 * called the computation. */
typedef struct
{
  /* Called after a second, and then a few times a second; at the end once more, with NULL, unless
   * it was never called. */
  void (*report) (gpointer data, const WpProgressReport *report);
  /* 0: go on; else why not, for the caller to know again: a positive number, such as a signal's.
   * Called every WP_PROGRESS_INTERVAL or so. */
  gint (*is_cancelled) (gpointer data);
  gpointer data;
} WpProgress;

/* What functions return in place of such a number where they have reached the limit that was set
 * on their work (max_issues and the like). */
#define WP_CANCELLED_LIMIT (-1)

/* ---- For computations ---- */

/* Seconds between two questions, about. */
#define WP_PROGRESS_INTERVAL 0.02

/* Asks PROGRESS (NULL: nobody watches) whether to go on: 0, or why not. */
gint wp_progress_is_cancelled (const WpProgress *progress);

/* The clock of a computation. */
typedef struct
{
  const WpProgress *progress; /* or NULL */
  gint64 start;               /* of g_get_monotonic_time() */
  gdouble last;               /* seconds at the last report */
  gboolean reported;
  guint64 slice; /* events until the next question */
} WpProgressMeter;

/* Starts the clock; PROGRESS (may be NULL) is borrowed. */
void wp_progress_meter_init (WpProgressMeter *meter, const WpProgress *progress);

/* Says that the computation has ended. METER may be all zeros. */
void wp_progress_meter_clear (WpProgressMeter *meter);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (WpProgressMeter, wp_progress_meter_clear)

/* Seconds since the clock was started. */
gdouble wp_progress_meter_get_elapsed (const WpProgressMeter *meter);

/* Sets the next slice, after one that took SECONDS. */
void wp_progress_meter_adapt (WpProgressMeter *meter, gdouble seconds);

/* Whether a report is due: what it needs may be dear to count. */
gboolean wp_progress_meter_is_due (const WpProgressMeter *meter);

/* Passes REPORT on; its `seconds` are filled in here. */
void wp_progress_meter_report (WpProgressMeter *meter, WpProgressReport *report);

G_END_DECLS
