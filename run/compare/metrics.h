/* SPDX-License-Identifier: MIT */
/* Figures of several runs, to be compared: of runs that have just been made (compare), or of
 * reports that were saved (diff). What is not known of a run is left out of the comparison.
 */
#pragma once

#include "run/base/sample.h"
#include "run/compare/divergence.h"
#include "run/simulate/report.h"
#include "traces/table/wp-lifetimes.h"

G_BEGIN_DECLS

#define WP_N_PERCENTILES 3

/* Percents: 5, 50, 95. */
extern const guint wp_metrics_percents[WP_N_PERCENTILES];

typedef struct
{
  gchar *name;
  gdouble utilization;
} WpMetricsPipeline;

/* What of several seeds has its spread shown. */
typedef enum
{
  WP_SPREAD_CYCLES,
  WP_SPREAD_TIME_US,
  WP_SPREAD_SPEED_UP, /* of each seed against the first of the comparison with the same one */
  WP_SPREAD_IPC,
  WP_SPREAD_MEAN_OCCUPANCY,
  WP_SPREAD_MEAN_WARP_LATENCY,
  WP_SPREAD_WARP_THROUGHPUT,
  WP_N_SPREADS
} WpSpreadKind;

/* Their names, those of the columns. */
extern const gchar *const wp_metrics_spread_names[WP_N_SPREADS];

/* One run, or the means of several seeds. Numbers that are not known are NAN, or -1; texts NULL. */
typedef struct
{
  gchar *label; /* what it is called beside the others */
  gchar *kernel, *gpu, *policy, *order, *memory;
  gchar *settings; /* "alpha=1 rounds=2", or "" */
  guint64 seed;
  gint64 sms, occupancy, active_set;
  gint64 blocks, threads, registers, shared_memory; /* the launch */
  gboolean partial;                                 /* of a run that was stopped */
  gchar *cycles_text;                               /* exact, as reports have it */
  gdouble cycles, time_us, ipc, rate; /* rate: instructions a microsecond on an SM simulated */
  gint64 instructions, warps;
  gint64 resident_blocks, resident_warps;
  gdouble mean_occupancy, mean_warp_latency, warp_throughput, scheduler_utilization;
  GPtrArray *pipelines;                 /* of WpMetricsPipeline */
  gdouble stalls[WP_N_STALLS];          /* cycles, summed over warps */
  GPtrArray *limiters;                  /* of gchar */
  gchar *percentiles[WP_N_PERCENTILES]; /* cycles, exact */
  gboolean too_many_lifetimes;          /* which is why there are no percentiles */
  WpSample spreads[WP_N_SPREADS];       /* of several seeds; n is 0 of one run */
} WpMetrics;

/* What a comparison is of. */
typedef struct
{
  GPtrArray *runs;     /* of WpMetrics */
  GPtrArray *names;    /* of gchar: what varies, in the order of the columns' names */
  GPtrArray *values;   /* of gchar *[names->len], for each run */
  GArray *divergences; /* of WpDivergenceOf */
} WpComparison;

/* Where OTHER and the FIRST of its kind part. */
typedef struct
{
  guint first, other;
  WpDivergence divergence;
} WpDivergenceOf;

/* The figures of REPORT, and of LIFETIMES (NULL: none). */
WpMetrics *wp_metrics_new (const WpReport *report, const WpLifetimes *lifetimes);

/* Means over RUNS (of WpMetrics, at least one), which differ by their seed alone, and their
 * spreads; FIRST: what those are to be compared with, of the same seeds. Texts and whole numbers
 * are those of the first run. Percentiles are means of the runs', where each has some. */
WpMetrics *wp_metrics_new_mean (const GPtrArray *runs, const GPtrArray *first);

/* For who fills them: with nothing in them, another pipeline, and `rate`, which follows from
 * others. */
WpMetrics *wp_metrics_new_empty (void);
void wp_metrics_add_pipeline (WpMetrics *metrics, const gchar *name, gdouble utilization);
void wp_metrics_set_rate (WpMetrics *metrics);

/* Those of a report that `warpipe run --format json` has written to FILE. NULL with ERROR. */
WpMetrics *wp_metrics_load (const gchar *file, GError **error);
void wp_metrics_free (WpMetrics *metrics);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (WpMetrics, wp_metrics_free)

/* The part of the warps' time that went to STALL, 0 .. 1, or NAN where no warp lived. */
gdouble wp_metrics_get_share (const WpMetrics *metrics, WpStall stall);

/* The utilization of the pipeline called NAME, or NAN: it has none. */
gdouble wp_metrics_get_utilization (const WpMetrics *metrics, const gchar *name);

/* How many times faster than FIRST it is: by time. NAN where one of them took none. */
gdouble wp_metrics_get_speed_up (const WpMetrics *metrics, const WpMetrics *first);

/* Whether both do the same work, so that times say which is better. */
gboolean wp_metrics_have_same_work (const WpMetrics *a, const WpMetrics *b);

void wp_comparison_free (WpComparison *comparison);
WpComparison *wp_comparison_new (void);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (WpComparison, wp_comparison_free)

/* Names of all pipelines, in the order in which runs have them; free the array with
 * g_ptr_array_unref(). */
GPtrArray *wp_comparison_get_pipelines (const WpComparison *comparison);

/* What to make of it, in a few sentences. Free with g_free(). */
gchar *wp_comparison_get_verdict (const WpComparison *comparison);

/* Where two schedules part, in a sentence or two. Free with g_free(). */
gchar *wp_comparison_describe_divergence (const WpComparison *comparison, const WpDivergenceOf *of);

/* Prints it on standard output. */
void wp_comparison_print_text (const WpComparison *comparison, const gchar *const *heading);
void wp_comparison_print_csv (const WpComparison *comparison);
void wp_comparison_print_json (const WpComparison *comparison);

G_END_DECLS
