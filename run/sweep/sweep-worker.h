/* SPDX-License-Identifier: MIT */
/* Finds rows of a sweep, one at a time, on the thread that asks for them. */
#pragma once

#include "run/simulate/simulation.h"
#include "run/sweep/sweep-points.h"

G_BEGIN_DECLS

/* What a thread keeps from one row to the next. Private. */
typedef struct
{
  const WpSweep *sweep;
  guint at_once; /* rows that are found side by side */
  gboolean is_ready;
  guint64 settings;  /* which combination of them `kernel` is of */
  const gchar *text; /* and which text, borrowed from the sweep */
  IdgKernel *kernel; /* or NULL, with */
  GError *refusal;
} WpSweepWorker;

WpSweepWorker *wp_sweep_worker_new (const WpSweep *sweep, guint at_once);
void wp_sweep_worker_free (WpSweepWorker *worker);

/* One row. */
typedef struct
{
  guint64 index;    /* in: from 0 */
  gchar *text;      /* out: its line, with its end, free with g_free(); NULL: it was given up */
  gboolean refused; /* out: it has an error in place of metrics */
} WpSweepRow;

/* Finds ROW on this thread; it is given up when GO_ON returns FALSE. A combination that cannot be
 * simulated makes a row with an error; false with ERROR only where memory is short. */
gboolean wp_sweep_find_row (WpSweepWorker *worker, WpSweepRow *row, WpGoOn go_on, gpointer data,
                            GError **error);

G_END_DECLS
