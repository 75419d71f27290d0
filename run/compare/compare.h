/* SPDX-License-Identifier: MIT */
/* Private to warpipe compare: what was asked for, the runs that it comes to, and what is said of
 * them. A run is one of the product of all lists; a column is what stands beside others, the runs
 * of all seeds where there are several. */
#pragma once

#include "cli/common/cli-import.h"
#include "cli/common/cli-plot.h"
#include "cli/compare/plot-compare.h"
#include "cli/compare/variations.h"
#include "cli/page/page.h"
#include "run/simulate/batch.h"

G_BEGIN_DECLS

#define WP_COMPARE_MAX_RUNS 24    /* that somebody may want to see side by side */
#define WP_COMPARE_MAX_SEEDS 1000 /* of each */

/* The command line, as written and as read. */
typedef struct
{
  gchar *gpu, *sms, *occupancy, *format_name, *html;
  WpLaunchOptions launch;
  WpMachineOptions machine;
  gchar **settings;
  WpImportOptions import;
  GStrv files;
  GPtrArray *variations; /* of WpVariation */
  guint n_seeds;         /* several: what is compared are their means */
  gint64 n_sms;          /* to simulate; 0: all */
  gboolean strict;
  WpFormat format;
  WpPlotOptions plot;
  WpComparePlotKind kind;
} WpCompare;

/* One run. */
typedef struct
{
  guint index; /* of the variations' product */
  gchar *label, *warning;
  IdgKernel *own;          /* the kernel of a column's first run; others have NULL, and borrow it */
  const IdgKernel *kernel; /* that, or the first's */
  const WpGpu *gpu;        /* borrowed */
  const WpPolicy *policy;
  WpRunOptions options;
  WpLifetimes *lifetimes;
  WpCurve *warps;     /* of a plot of them, or NULL */
  WpRunCurve curve;   /* to plot */
  WpPageRun *page;    /* NULL: none is wanted */
  WpMetrics *metrics; /* NULL until it has ended */
} WpCompareRun;

/* ---- Columns: compare-columns.c ---- */

/* Whether VARIATION is --seed. */
gboolean wp_compare_is_seed (const WpVariation *variation);

/* How many columns there are; G_MAXUINT: more than may be. */
guint wp_compare_count_columns (const WpCompare *compare);

/* The number, of the variations' product, of the run of COLUMN with seed number SEED. */
guint wp_compare_get_index (const WpCompare *compare, guint column, guint seed);

/* The run of COLUMN with the first seed; RUNS as wp_compare_make_runs() has them. Borrowed. */
const WpCompareRun *wp_compare_get_run (const WpCompare *compare, const GPtrArray *runs,
                                        guint column);

/* Where the schedules part of columns that differ by their policy alone: of several seeds, with the
 * first. FALSE with ERROR; BATCH says whether a signal has interrupted it. */
gboolean wp_compare_find_divergences (const WpCompare *compare, const GPtrArray *runs,
                                      WpBatch *batch, WpComparison *comparison, GError **error);

/* Puts the figures of all columns into COMPARISON, those of single runs taken over; says the runs'
 * warnings. */
void wp_compare_fill (const WpCompare *compare, GPtrArray *runs, WpComparison *comparison);

/* Warns where several seeds are given and no memory draws. */
void wp_compare_warn_of_ideal (const WpCompare *compare, const GPtrArray *runs);

/* ---- Runs: compare-runs.c ---- */

void wp_compare_run_free (gpointer run);

/* Adds all runs to RUNS (of WpCompareRun), those of a column beside one another, by seed. GPUS (by
 * name) keeps the GPUs, and has to outlive them. FALSE with ERROR. */
gboolean wp_compare_make_runs (const WpCompare *compare, GHashTable *gpus, GPtrArray *runs,
                               GError **error);

/* Simulates RUNS, which get their figures. FALSE with ERROR. */
gboolean wp_compare_simulate (GPtrArray *runs, WpBatch *batch, GError **error);

/* ---- What is said: compare-words.c ---- */

/* RUN is the first. */
void wp_compare_print_text (const WpComparison *comparison, const WpCompareRun *run);

/* All RUNS as one page into HTML. FALSE with ERROR; BATCH says whether a signal has interrupted it.
 */
gboolean wp_compare_write_page (const WpComparison *comparison, const GPtrArray *runs,
                                WpBatch *batch, WpOutput *html, GError **error);

/* Writes the plot, where one is wanted. */
gboolean wp_compare_draw (WpCompare *compare, const WpComparison *comparison, const GPtrArray *runs,
                          WpBatch *batch, GError **error);

G_END_DECLS
