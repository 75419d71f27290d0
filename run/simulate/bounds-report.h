/* SPDX-License-Identifier: MIT */
/* The worksheet of a kernel's bounds (Volkov 2016, table 3.4), row by row, and what follows from
 * the two bounds for the launch at hand. */
#pragma once

#include "run/simulate/resident.h"
#include "sim/bounds/wp-bounds.h"
#include "sim/bounds/wp-floor.h"

G_BEGIN_DECLS

/* How much of a unit a warp uses by one kind of work: an op in one context, or issues of a kind. */
typedef struct
{
  const gchar *name;    /* the op as the kernel writes it; "single issue" */
  const gchar *context; /* or NULL */
  WpMean count;         /* of a warp */
  WpMean each;          /* ticks that one takes, divided by the unit's instances */
  WpMean use;           /* ticks of a warp: count x each */
} WpBoundsRow;

/* A pipeline, or (the last) the schedulers. */
typedef struct
{
  const gchar *name;
  gboolean per_scheduler;
  guint32 instances;    /* on an SM */
  guint32 shared;       /* SMs that have one together, all of whose use counts; else 1 */
  WpMean use;           /* ticks of a warp, the sum of the rows' */
  GArray *rows;         /* of WpBoundsRow, in order of first appearance */
  gdouble instructions; /* of a warp, as are: */
  gdouble flops, bytes;
} WpBoundsUnit;

typedef struct
{
  const IdgKernel *kernel;
  const WpGpu *gpu;
  const WpResolved *resolved;
  const WpBounds *bounds;
  gboolean estimates; /* a warp may be faster beside others than alone */
  WpResident resident;
  gint64 warps;            /* on an SM at a time, as the launch has them */
  gboolean is_enough;      /* they hide all latency */
  gdouble needed;          /* warps that would; infinite where nothing limits throughput */
  guint64 whole_needed;    /* the same in whole warps; G_MAXUINT64: infinite */
  gdouble throughput;      /* predicted, warps a cycle and SM; infinite where nothing takes time */
  gdouble cycles, time_us; /* of the whole launch at that rate */
  guint n_units;
  WpBoundsUnit *units;
  const WpBoundsUnit *tightest; /* one of them */
  const gchar *no_floor;        /* why there is no floor; NULL: there is */
  WpFloor floor;                /* ticks that no issue order goes below */
  GPtrArray *warnings;          /* of WpWarning: those that hold whatever is simulated */
  GPtrArray *notes;             /* of gchar, as of WpReport */
  guint32 max_warps;            /* up to which throughput is worth showing */
} WpBoundsReport;

/* Computes the report of BOUNDS, which have been found. The arguments are borrowed and must outlive
 * it. NO_LIMITS is as in WpRunOptions. */
WpBoundsReport *wp_bounds_report_new (const IdgKernel *kernel, const WpGpu *gpu,
                                      const WpResolved *resolved, const WpBounds *bounds,
                                      gboolean no_limits);
void wp_bounds_report_free (WpBoundsReport *report);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (WpBoundsReport, wp_bounds_report_free)

/* Whether N warps hide all latency: latency bound <= N x throughput bound. Exact. */
gboolean wp_bounds_report_is_enough (const WpBoundsReport *report, guint64 n);

/* The rate, 10^9 a second, of work of which each warp does AMOUNT, on the whole device, at
 * THROUGHPUT warps a cycle and SM. */
gdouble wp_bounds_report_get_rate (const WpBoundsReport *report, gdouble amount,
                                   gdouble throughput);

/* The number of step ITEM in its program as written, from 0, and the node that it comes from. */
guint32 wp_bounds_report_get_number (const WpBoundsReport *report, const WpPathItem *item);
const IdgNode *wp_bounds_report_get_node (const WpBoundsReport *report, const WpPathItem *item);

/* The name of the program that SEGMENT runs, or NULL. */
const gchar *wp_bounds_report_get_program (const WpBoundsReport *report,
                                           const WpBoundsSegment *segment);

G_END_DECLS
