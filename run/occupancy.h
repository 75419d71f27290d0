/* SPDX-License-Identifier: MIT */
/* The occupancy calculator: how many blocks of a launch fit on an SM, and how many would if a block
 * had other threads, registers or shared memory. wp_occupancy_compute() answers point by point. */
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

/* A row of a table: for values FROM .. TO of what it varies, this many blocks fit. */
typedef struct
{
  gint64 from, to;
  gint64 blocks, warps; /* 0: none fits; WP_DOES_NOT_BIND: all */
} WpOccupancyStep;

/* Steps of a table. Real GPUs need 33 at most; longer tables are cut. */
#define WP_MAX_STEPS 256

typedef struct
{
  gint64 value;  /* the launch's */
  GArray *steps; /* of WpOccupancyStep, rising; of threads, one for each number of warps */
  gboolean cut;  /* steps between the last two, or after the last, are missing */
} WpOccupancyTable;

/* Another launch, and what fits of it. */
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
  GPtrArray *notes;       /* of gchar: caveats, a sentence or two each */
} WpOccupancyReport;

/* Computes the report. The arguments are borrowed; KERNEL and CAPABILITY may be NULL, LAUNCH.blocks
 * may be 0. NULL with ERROR where no block fits. Some thousand calls of wp_occupancy_compute(). */
WpOccupancyReport *wp_occupancy_report_new (const IdgKernel *kernel, const WpGpu *gpu,
                                            const WpCapability *capability, const IdgLaunch *launch,
                                            gint64 cap, GError **error);
void wp_occupancy_report_free (WpOccupancyReport *report);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (WpOccupancyReport, wp_occupancy_report_free)

/* WARPS over max_warps, which may not be 0. */
gdouble wp_occupancy_report_get_ratio (const WpOccupancyReport *report, gint64 warps);

G_END_DECLS
