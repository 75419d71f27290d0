/* SPDX-License-Identifier: MIT */
/* The occupancy calculator: what of a launch fits on an SM, and what would if one figure of it were
 * another. All of it is asked of wp_occupancy_compute(), point by point. */
#pragma once

#include "idg/kernel/idg-kernel.h"
#include "sim/gpu/wp-capability.h"
#include "sim/gpu/wp-occupancy.h"

G_BEGIN_DECLS

/* What a table varies; the rest of the launch stays. */
typedef enum
{
  WP_VARY_THREADS,
  WP_VARY_REGISTERS,
  WP_VARY_SHARED_MEMORY,
  WP_N_VARIED
} WpVaried;

/* A row of a table: from FROM to TO of what it varies, as many blocks fit. */
typedef struct
{
  gint64 from, to;
  gint64 blocks, warps; /* 0: none fits; WP_DOES_NOT_BIND: all */
} WpOccupancyStep;

/* Steps of a table. GPUs that there are need 33 at most; one of which more are asked for has its
 * table cut. */
#define WP_MAX_STEPS 256

typedef struct
{
  gint64 value; /* the launch's */
  GArray *
      steps; /* of WpOccupancyStep, rising. In the table of threads, one for each number of warps */
  gboolean cut; /* steps between the last two, or after the last, are missing */
} WpOccupancyTable;

/* A launch of which more warps are resident. */
typedef struct
{
  gboolean exists;
  IdgLaunch launch;
  gint64 blocks, warps;
} WpOccupancyBetter;

typedef struct
{
  const IdgKernel *kernel;        /* or NULL */
  const WpGpu *gpu;               /* with nothing but limits where there is a capability */
  const WpCapability *capability; /* or NULL */
  IdgLaunch launch;               /* blocks 0: not known */
  gint64 cap;                     /* --occupancy, or 0 */

  WpOccupancy occupancy;
  gint64 warps;     /* resident; WP_DOES_NOT_BIND where nothing binds */
  gint64 max_warps; /* of an SM; 0: not limited */
  WpOccupancyTable tables[WP_N_VARIED];
  WpOccupancyBetter next; /* one block more, by fewer registers or less shared memory */
  WpOccupancyBetter smaller,
      larger;             /* the nearest numbers of warps a block with more warps resident */
  WpOccupancyBetter room; /* the most registers and shared memory with as many blocks as now */
  GPtrArray *notes;       /* of gchar: what to know about these figures, a sentence or two each */
} WpOccupancyReport;

/* All that follows from the arguments, which are borrowed. KERNEL and CAPABILITY may be NULL;
 * LAUNCH.blocks may be 0. NULL with ERROR where the launch does not fit. */
WpOccupancyReport *wp_occupancy_report_new (const IdgKernel *kernel, const WpGpu *gpu,
                                            const WpCapability *capability, const IdgLaunch *launch,
                                            gint64 cap, GError **error);
void wp_occupancy_report_free (WpOccupancyReport *report);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (WpOccupancyReport, wp_occupancy_report_free)

/* WARPS as a part of the GPU's maximum, which there must be. */
gdouble wp_occupancy_report_get_ratio (const WpOccupancyReport *report, gint64 warps);

/* What would let more in, or leave it as it is, in sentences. Free with g_free(). */
gchar *wp_occupancy_report_get_advice (const WpOccupancyReport *report);

void wp_occupancy_report_print_text (const WpOccupancyReport *report);
void wp_occupancy_report_print_json (const WpOccupancyReport *report);

G_END_DECLS
