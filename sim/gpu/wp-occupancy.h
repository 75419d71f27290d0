/* SPDX-License-Identifier: MIT */
/* Computes how many blocks of a launch are resident on an SM, and what limits that (MODEL.md,
 * section 3). */
#pragma once

#include "idg/kernel/idg-kernel.h"
#include "sim/gpu/wp-gpu.h"

G_BEGIN_DECLS

typedef enum
{
  WP_LIMIT_BLOCKS,
  WP_LIMIT_WARPS,
  WP_LIMIT_THREADS,
  WP_LIMIT_REGISTERS,
  WP_LIMIT_SHARED_MEMORY,
  WP_LIMIT_OCCUPANCY, /* the user's cap */
  WP_N_LIMITS
} WpLimit;

#define WP_DOES_NOT_BIND G_MAXINT64

typedef struct
{
  gint64 warps_per_block;
  gint64 by[WP_N_LIMITS]; /* how many blocks each limit allows, or WP_DOES_NOT_BIND */
  gint64 blocks;          /* the minimum of these; WP_DOES_NOT_BIND if no limit binds */
} WpOccupancy;

/* Computes the OCCUPANCY of LAUNCH on GPU. CAP is the user's limit of warps per SM (0: no cap).
 * With NO_LIMITS, none of the GPU's limits per SM binds. Returns false with ERROR (WP_ERROR_FIT) if
 * a limit of one block is exceeded or not even one block fits; the message names the resource, the
 * amount needed and the amount available. O(1). */
WP_API gboolean wp_occupancy_compute (const WpGpu *gpu, const IdgLaunch *launch, gint64 cap,
                                      gboolean no_limits, WpOccupancy *occupancy, GError **error);

/* Returns how much one block of LAUNCH takes of the resource that LIMIT bounds, including rounding
 * and reservation; 1 for WP_LIMIT_BLOCKS, the block's warps for WP_LIMIT_OCCUPANCY. O(1). */
WP_API gint64 wp_occupancy_get_need (const WpGpu *gpu, const IdgLaunch *launch, WpLimit limit);

/* Returns how much of that resource an SM of GPU has (CAP for WP_LIMIT_OCCUPANCY); 0: no limit. */
WP_API gint64 wp_occupancy_get_supply (const WpGpu *gpu, gint64 cap, WpLimit limit);

/* Returns "blocks", "warps", "threads", "registers", "shared-memory" or "occupancy" (static). */
WP_API const gchar *wp_limit_get_name (WpLimit limit);

G_END_DECLS
